//! Kills of `tulk doc translate` and `tulk doc resume`: one upload and one download each, and every loss is reported.

use std::collections::BTreeMap;

use fastrand::Rng;
use serde_json::Value;

use super::Scenario;
use super::leftovers::{check_end, check_state, files};
use super::world::World;
use crate::common::{Bench, Run};

pub const SCENARIO: Scenario = Scenario {
    name: "documents",
    sandbox: &["--engine", "upper", "--document-queue", "0s", "--document-translate", "0s", "--latency", "0ms-4ms"],
    round,
};

const NAMES: [&str; 4] = ["d1.txt", "d2.txt", "d3.txt", "d4.txt"];

fn content(name: &str) -> String {
    format!("the text of {name}\n").repeat(20)
}

fn result_of(name: &str) -> String {
    name.replace(".txt", ".de.txt")
}

fn prepare(bench: &Bench) {
    for name in NAMES {
        bench.write(name, content(name));
    }
}

fn round(world: &mut World, rng: &mut Rng) {
    let (names, kind) = if rng.bool() { (&NAMES[..], "four documents") } else { (&NAMES[..1], "one document") };
    let args: Vec<&str> = ["doc", "translate", "--to", "de"].into_iter().chain(names.iter().copied()).collect();
    world.measure(kind, &args, prepare);
    prepare(&world.bench);
    let (_, mut code) = world.kill(&args, rng);
    // Repeating the same command resumes a document, unless results of other documents exist.
    let same = names.len() == 1 && rng.bool();
    while code.is_none() {
        let run;
        let stages = check_files(world, names);
        let again =
            if same && !world.bench.path(&result_of(names[0])).exists() { &args[..] } else { &["doc", "resume"] };
        if rng.u8(0..3) == 0 {
            (run, code) = world.kill(again, rng);
        } else {
            let ended;
            (run, ended) = world.run(again);
            check_report(world, &ended, &stages);
            code = Some(ended.code);
        }
        for (name, stage) in &stages {
            let is_resumed = again[1] == "translate" || stage == "uploading";
            // The killed run had already reported the loss, so the same command starts over.
            let may_upload = is_resumed && ["uploading", "gone"].contains(&stage.as_str());
            let uploads = uploads(world, name, run);
            assert!(may_upload || uploads == 0, "{}: {name} is {stage}, but was uploaded again", world.label());
            let uploads = usize::from(stage == "done") * downloads(world, name, run);
            assert_eq!(uploads, 0, "{}: {name} was done, but downloaded again", world.label());
        }
    }
    finish(world, names);
    check_end(&world.bench, world.label());
}

/// The newest record of each file name. A file may also have older records, whose results were lost: after such a loss was reported, the
/// same command starts over with a new record.
fn records(world: &World) -> BTreeMap<String, Value> {
    let names = files(&world.bench, ".local/state/tulk/documents");
    let records = names.iter().filter(|name| name.ends_with(".json"));
    let mut records: Vec<Value> = records.map(|name| serde_json::from_str(&world.bench.read(name)).unwrap()).collect();
    records.sort_by_key(|record| (record["created"].as_u64(), record["created_nanos"].as_u64()));
    let mut newest = BTreeMap::new();
    for record in records {
        let name = record["source"]["shown"].as_str().unwrap().to_owned();
        if let Some(older) = newest.insert(name, record) {
            assert_eq!(stage(&older), "gone", "{}: two records of one file, the older: {older}", world.label());
        }
    }
    newest
}

/// The stage of a record, or `unreported` for a loss not yet reported.
fn stage(record: &Value) -> String {
    match record["is_unreported"].as_bool() {
        Some(true) => "unreported".to_owned(),
        _ => record["stage"].as_str().unwrap().to_owned(),
    }
}

/// Returns the stages of the newest records after a kill.
fn check_files(world: &World, names: &[&str]) -> BTreeMap<String, String> {
    let (bench, label) = (&world.bench, world.label());
    check_state(bench, label);
    let records = records(world);
    for name in names {
        let (result, whole) = (result_of(name), content(name).to_uppercase());
        if bench.path(&result).exists() {
            assert_eq!(bench.read(&result), whole, "{label}: {result}");
            assert!(records.contains_key(*name), "{label}: {result} has no record");
        }
        let part = std::fs::read_to_string(bench.path(&format!("{result}.part"))).unwrap_or_default();
        assert!(whole.starts_with(&part), "{label}: {result}.part: {part}");
    }
    // Every accepted upload has a record.
    for name in names {
        let sent = (1..).take(9).map(|run| uploads(world, name, run)).sum::<usize>();
        assert!(sent == 0 || records.contains_key(*name), "{label}: {name} was uploaded and has no record");
    }
    records.into_iter().map(|(name, record)| (name, stage(&record))).collect()
}

fn uploads(world: &World, name: &str, run: usize) -> usize {
    let field = format!("filename=\"{name}\"");
    let is_upload = |operation: &str| operation == "POST /v2/document";
    let exchanges = world.exchanges();
    let sent = exchanges.iter().filter(|exchange| exchange.run == run && exchange.status == 200);
    sent.filter(|exchange| is_upload(&exchange.operation) && exchange.request.contains(&field)).count()
}

fn downloads(world: &World, name: &str, run: usize) -> usize {
    let records = records(world);
    let Some(id) = records.get(name).and_then(|record| record["document_id"].as_str()) else { return 0 };
    let operation = format!("POST /v2/document/{id}/result");
    world.exchanges().iter().filter(|exchange| exchange.run == run && exchange.operation == operation).count()
}

/// Checks a run that was not killed. It must report each document in doubt, and must fail if a document is in doubt, or if one was lost and
/// no earlier run has reported this. `before` has the stages before the run.
fn check_report(world: &World, run: &Run, before: &BTreeMap<String, String>) {
    let (mut doubtful, mut gone, label) = (0, 0, world.label());
    for (name, record) in records(world) {
        match record["stage"].as_str().unwrap() {
            "sent" => doubtful += 1,
            "gone" => gone += usize::from(before.get(&name).is_none_or(|stage| stage != "gone")),
            "done" => assert!(world.bench.path(&result_of(&name)).exists(), "{label}: {name} is not there\n{run}"),
            stage => panic!("{label}: {name} is still {stage}\n{run}"),
        }
    }
    assert_eq!(run.stderr.matches("is in doubt").count(), doubtful, "{label}\n{run}");
    assert_eq!(run.code == 0, doubtful + gone == 0, "{label}: {doubtful} in doubt, {gone} gone\n{run}");
    assert!(matches!(run.code, 0 | 4 | 8 | 9), "{label}\n{run}");
}

/// Translates what was not uploaded, is in doubt or was lost, following the messages. Then everything must be complete.
fn finish(world: &mut World, names: &[&str]) {
    let stages = check_files(world, names);
    for name in names {
        if world.bench.path(&result_of(name)).exists() {
            continue;
        }
        let more: &[&str] = match stages.get(*name).map(String::as_str) {
            None => &[],
            Some("sent") => &["--again"],
            Some("gone") => &["--again", "--force"],
            Some(stage) => panic!("{}: {name} is still {stage}", world.label()),
        };
        world.kills.sent_again += more.len().min(1);
        let args = [&["doc", "translate", "--to", "de", name], more].concat();
        world.run_ok(&args);
    }
    for name in names {
        let result = world.bench.read(&result_of(name));
        assert_eq!(result, content(name).to_uppercase(), "{}: {name}", world.label());
    }
    let (_, run) = world.run_ok(&["doc", "resume"]);
    assert!(run.stderr.contains("no unfinished documents"), "{}\n{run}", world.label());
}

#[test]
fn a_command_repeated_after_a_reported_loss_resumes_its_new_upload() {
    const TRANSLATE: [&str; 5] = ["doc", "translate", "--to", "de", "d1.txt"];
    let names = &NAMES[..1];
    let mut world = World::new(SCENARIO.sandbox);
    let mut is_traced = true;
    // Kills at later and later calls, until the service has handed out a result that did not reach the disk.
    let lost = (1..200).any(|at| {
        world.begin_round(format!("killed at call {at}"));
        prepare(&world.bench);
        is_traced &= world.kill_at(&TRANSLATE, at).is_some();
        if !is_traced || check_files(&world, names).get("d1.txt").is_none_or(|stage| stage != "downloading") {
            return !is_traced;
        }
        let (_, run) = world.run(&TRANSLATE);
        stage(&records(&world)["d1.txt"]) == "gone" && run.code == 4
    });
    if !is_traced {
        return;
    }
    assert!(lost, "no kill lost a result");
    let is_repeated = (1..200).any(|at| {
        assert_eq!(world.kill_at(&TRANSLATE, at).unwrap().code, None, "the run ended before it added a record");
        check_files(&world, names)["d1.txt"] == "uploading"
    });
    assert!(is_repeated);
    world.run_ok(&["doc", "resume"]);
    assert_eq!(check_files(&world, names)["d1.txt"], "done");
    finish(&mut world, names);
    check_end(&world.bench, world.label());
}
