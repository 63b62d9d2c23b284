//! Kills of `tulk sync`: files and lock end up as after an undisturbed run, and answers in the journal are not requested again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use fastrand::Rng;
use serde_json::Value;

use super::Scenario;
use super::leftovers::{check_end, check_state, files};
use super::world::{Texts, World};
use crate::common::Bench;

pub const SCENARIO: Scenario =
    Scenario { name: "sync", sandbox: &["--engine", "upper", "--latency", "0ms-4ms"], round };

const ARGS: [&str; 3] = ["sync", "--concurrency", "3"];
const LANGS: [&str; 2] = ["de", "fr"];
const SOURCES: [&str; 2] = ["f1", "f2"];
/// Groups of keys. Each has its own note, so it becomes a separate request.
const GROUPS: usize = 4;

fn prepare(bench: &Bench) {
    let mut config = String::from("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n[sync.notes]\n");
    // Long notes are not combined, so each group becomes a separate request.
    let note = " of texts".repeat(40);
    config.extend((0..GROUPS).map(|group| format!("\"g{group}.*\" = \"Group {group}{note}\"\n")));
    config.push_str("\n[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n");
    bench.write("tulk.toml", config);
    for source in SOURCES {
        let group = |group| {
            format!(
                "  \"g{group}\": {{\n    \"a\": \"{source} one {group}\",\n    \"b\": \"{source} two {group}\"\n  }}"
            )
        };
        let groups: Vec<String> = (0..GROUPS).map(group).collect();
        bench.write(&format!("en/{source}.json"), format!("{{\n{}\n}}\n", groups.join(",\n")));
    }
    // A translation by a person, which must survive.
    bench.write("de/f1.json", "{\n  \"g0\": {\n    \"a\": \"Von Hand\"\n  }\n}\n");
}

/// The files of a project and the lock, by name.
type Project = BTreeMap<String, String>;

fn project(bench: &Bench) -> Project {
    let names = files(bench, "").into_iter().filter(|name| !name.starts_with('.'));
    names.map(|name| (name.clone(), bench.read(&name))).collect()
}

fn expected(world: &World) -> &'static Project {
    static EXPECTED: OnceLock<Project> = OnceLock::new();
    EXPECTED.get_or_init(|| {
        let bench = world.other_bench();
        prepare(&bench);
        bench.run(ARGS).code(0);
        project(&bench)
    })
}

fn round(world: &mut World, rng: &mut Rng) {
    world.measure("a project", &ARGS, prepare);
    prepare(&world.bench);
    let (_, mut code) = world.kill(&ARGS, rng);
    while code.is_none() {
        let run;
        let recorded = check_files(world);
        if rng.u8(0..3) == 0 {
            (run, code) = world.kill(&ARGS, rng);
        } else {
            (run, _) = world.run_ok(&ARGS);
            code = Some(0);
        }
        let again = world.texts(|sender| sender == run);
        let twice: Vec<_> = again.intersection(&recorded).collect();
        assert!(twice.is_empty(), "{}: recorded, but sent again: {twice:?}", world.label());
        world.count_sent_again(run);
    }
    assert_eq!(code, Some(0), "{}", world.label());
    assert_eq!(&project(&world.bench), expected(world), "{}", world.label());
    let (last, run) = world.run_ok(&ARGS);
    assert!(run.stderr.contains("everything is up to date"), "{}\n{run}", world.label());
    assert!(world.exchanges().iter().all(|exchange| exchange.run < last), "{}", world.label());
    check_end(&world.bench, world.label());
    let left = files(&world.bench, ".local/state/tulk/sync");
    assert!(left.len() <= 2, "{}: {left:?}", world.label());
}

/// Returns the texts whose answers are on disk.
fn check_files(world: &World) -> Texts {
    let (bench, label) = (&world.bench, world.label());
    check_state(bench, label);
    let (expected, now) = (expected(world), project(bench));
    let mut recorded = Texts::new();
    let begun = world.other_bench();
    prepare(&begun);
    let old = project(&begun);
    for (name, text) in &now {
        if name == "tulk.lock" {
            let lines: BTreeSet<&str> = expected[name].lines().collect();
            let is_known =
                |line: &str| lines.contains(line) || line.matches('\t').count() >= 2 || line.starts_with('#');
            assert!(text.ends_with('\n') && text.lines().all(is_known), "{label}: {name}: {text}");
            continue;
        }
        // The next run removes it.
        if name.ends_with(".tmp") {
            continue;
        }
        let is_whole = expected.get(name) == Some(text) || old.get(name) == Some(text);
        assert!(is_whole, "{label}: {name} is half written: {text}");
        // A target is not written before all its texts are translated.
        let Some((lang, file)) = name.split_once('/').filter(|(lang, _)| LANGS.contains(lang)) else { continue };
        if old.get(name) != Some(text) {
            let source: Value = serde_json::from_str(&now[&format!("en/{file}")]).unwrap();
            let texts = source.as_object().unwrap().values().flat_map(|group| group.as_object().unwrap().values());
            recorded.extend(texts.map(|text| (lang.to_owned(), text.as_str().unwrap().to_owned())));
        }
    }
    recorded.extend(answers(bench));
    recorded
}

/// Returns the texts whose answers are in the journal. Answers are in upper case and languages are hashed, so only texts answered for
/// both languages can be attributed.
fn answers(bench: &Bench) -> Texts {
    let journal = files(bench, ".local/state/tulk/sync").into_iter().find(|name| name.ends_with(".jsonl"));
    let text = journal.map(|name| bench.read(&name)).unwrap_or_default();
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    let mut counts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in whole.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if let (Some(sent), Some(answer)) = (line["sent"].as_str(), line["answer"].as_str()) {
            counts.entry(answer.to_lowercase()).or_default().insert(sent.to_owned());
        }
    }
    let both = counts.into_iter().filter(|(_, digests)| digests.len() == LANGS.len());
    both.flat_map(|(text, _)| LANGS.map(|lang| (lang.to_owned(), text.clone()))).collect()
}
