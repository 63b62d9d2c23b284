//! `tulk voice terms` under failures: lost replies, refused requests, a closed pipe, a full disk. Nothing is sent twice, and everything
//! possible is checked before the first request.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};
use crate::doc_recovery::client;
use crate::voice_terms::{EN, UNKNOWN, create_talk, has_only_reads, requests, terms};

#[test]
fn does_not_repeat_a_creation_whose_reply_was_lost() {
    let bench = Bench::with(&["--fault", "drop;total=1;path=/v3/spoken-terms"]);
    bench.write("en.txt", EN);
    let run = bench.run(terms(&["create", "Talk", "en=en.txt", "--no-check"])).code(8).prints("");
    run.says("check before you send it again");
    assert_eq!(bench.requests().len(), 1);
}

#[test]
fn a_delete_whose_reply_was_lost_counts_as_done() {
    let bench = Bench::with(&["--fault", "drop;total=1;path=/v3/spoken-terms/*/term-lists"]);
    let id = create_talk(&bench);
    bench.run(terms(&["delete-list", &id, "de", "-y"])).code(0).says("deleted the de list");
    let all = bench.requests();
    let statuses: Vec<_> = all.iter().filter(|r| r["method"] == "DELETE").map(|r| r["status"].clone()).collect();
    assert_eq!((statuses.len(), &statuses[1]), (2, &json!(404)), "{statuses:?}");
    bench.run(terms(&["delete-list", &id, "de", "-y"])).code(4);
}

#[test]
fn repeats_an_edit_whose_reply_was_lost() {
    let bench = Bench::with(&["--fault", "drop;total=1;path=/v3/spoken-terms/*"]);
    let id = create_talk(&bench);
    bench.run(terms(&["rename", &id, "Keynote", "--columns", "name"])).code(0).prints("Keynote\n");
    let patch = json!(["PATCH", format!("/v3/spoken-terms/{id}"), "", {"name": "Keynote"}]);
    assert_eq!(requests(&bench, 2), json!([patch, patch]));
    let bench = Bench::with(&["--fault", "drop;total=1;path=/v3/spoken-terms/*/term-lists"]);
    let id = create_talk(&bench);
    let run = bench.run(terms(&["set", &id, "en", "de.txt"])).code(0);
    run.says("en: 1 added, 3 removed, 1 in total\n");
    let put = json!(["PUT", format!("/v3/spoken-terms/{id}/term-lists"), "", {"lang": "en", "entries": "Grüße"}]);
    let sent = requests(&bench, 2);
    assert_eq!(sent, json!([put, put]));
}

#[test]
fn a_sync_stops_at_the_first_failure_and_the_next_one_completes() {
    let bench = Bench::with(&["--fault", "400;after=1;total=1;path=/v3/spoken-terms/*/term-lists"]);
    let id = create_talk(&bench);
    for (name, term) in [("en2.txt", "Helm\n"), ("fr.txt", "Istio\n"), ("es.txt", "Envoy\n")] {
        bench.write(name, term);
    }
    let sync = ["sync", "Talk", "en=en2.txt", "fr=fr.txt", "es=es.txt", "--prune", "-y"];
    let before = bench.requests().len();
    bench.run(terms(&sync)).code(5).prints("replace\ten\t1\t3\t0\n").says("error: ");
    let lists = format!("/v3/spoken-terms/{id}/term-lists");
    assert_eq!(
        requests(&bench, before),
        json!([
            ["GET", "/v3/spoken-terms", "", ""],
            ["GET", format!("/v3/spoken-terms/{id}/entries"), "lang=en", ""],
            ["PUT", lists, "", {"lang": "en", "entries": "Helm"}],
            ["PUT", lists, "", {"lang": "fr", "entries": "Istio"}],
        ])
    );
    bench.run(terms(&["entries", "Talk"])).prints("en\tHelm\nde\tGrüße\n");
    let before = bench.requests().len();
    let plan = "same\ten\t0\t0\t0\nadd\tfr\t1\t0\t0\nadd\tes\t1\t0\t0\ndelete\tde\t0\t1\t0\n";
    bench.run(terms(&sync)).code(0).prints(plan);
    let changes = requests(&bench, before).as_array().unwrap()[2..].to_vec();
    assert_eq!(
        changes,
        [
            json!(["PUT", lists, "", {"lang": "fr", "entries": "Istio"}]),
            json!(["PUT", lists, "", {"lang": "es", "entries": "Envoy"}]),
            json!(["DELETE", lists, "lang=de", ""]),
        ]
    );
    let before = bench.requests().len();
    bench.run(terms(&sync)).code(0).prints("same\ten\t0\t0\t0\nsame\tfr\t0\t0\t0\nsame\tes\t0\t0\t0\n");
    assert!(has_only_reads(&bench, before));
}

#[test]
fn a_sync_that_must_fail_prints_no_plan_and_changes_nothing() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    bench.write("more.txt", "Helm\n");
    let before = bench.requests().len();
    for flag in [&[][..], &["-n"]] {
        // Without the check, the first file would be merged before the second is refused.
        let two = [&["sync", "Talk", "en=more.txt", "pt-BR=more.txt"], flag].concat();
        let run = bench.run(terms(&two)).code(2).prints("").says("`pt-BR` is not an ISO 639-1 code (two letters)\n");
        run.says("hint: a term list is for all variants of a language: write en for en-US, zh for zh-Hans\n");
        let empty = [&["sync", "", "en=more.txt"], flag].concat();
        bench.run(terms(&empty)).code(2).prints("").says("error: the name of the spoken terms is empty\n");
        let empty = [&["glossary", "sync", "", "en:de=kitchen.tsv"], flag].concat();
        bench.write("kitchen.tsv", "kettle\tKessel\n");
        bench.run(&empty).code(2).prints("").says("error: the glossary name is empty\n");
    }
    bench.run(terms(&["sync", UNKNOWN, "en=more.txt"])).code(4).prints("");
    assert!(has_only_reads(&bench, before));
    let run = bench.run(terms(&["sync", &id, "en=more.txt", "--json"])).code(0);
    assert_eq!(
        run.json(),
        json!([{"action": "merge", "lang": "en", "added": 1, "removed": 0, "kept": 3},
            {"action": "keep", "lang": "de", "added": 0, "removed": 0, "kept": 1}])
    );
    assert_eq!(run.stderr, "", "with --json, notices are off");
}

#[test]
fn no_check_leaves_limits_and_codes_to_the_service() {
    let bench = Bench::new();
    let id = create_talk(&bench);
    bench.write("full.txt", "ä".repeat(290));
    let name = "n".repeat(1025);
    let refused = |args: &[&str], message: &str| {
        let before = bench.requests().len();
        bench.run(terms(args)).code(2).prints("");
        assert!(has_only_reads(&bench, before));
        bench.run(terms(&[args, &["--no-check"]].concat())).code(5).prints("").says(message);
    };
    refused(
        &["merge", "Talk", "en", "full.txt"],
        "error: the service refused the request: The term list is too long: the list for 'en' has 320 ",
    );
    refused(&["rename", "Talk", &name], ": The name of the spoken terms is too long: it has 1025 characters");
    refused(&["set", "Talk", "tlh", "en.txt"], ": Value for 'lang' not supported: 'tlh' is not a language");
    let merged = json!({"term_lists": [{"lang": "en", "entries": "ä".repeat(290)}]});
    let patch = bench.requests().into_iter().find(|r| r["method"] == "PATCH").unwrap();
    assert_eq!((&patch["path"], &patch["body"]), (&json!(format!("/v3/spoken-terms/{id}")), &merged));
    bench.run(terms(&["entries", "Talk", "en"])).code(0).prints(EN);
}

#[test]
fn json_prints_problems_as_objects() {
    let bench = Bench::new();
    bench.write("bad.txt", b"a\na\n\xff\n");
    let lines = |args: &[&str]| -> Vec<Value> {
        let run = bench.run(terms(args)).code(2).prints("");
        run.stderr.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let error = |message: &str, hint: &str| json!({"error": {"kind": "usage", "message": message, "status": null, "code": null, "trace_id": null, "hint": hint}});
    let problems = [
        error("bad.txt:2:1: the term is already on line 1", "remove one of the two lines"),
        error("bad.txt:3:1: invalid UTF-8 at byte offset 4", "save the file as UTF-8"),
    ];
    let all = "2 problems in files of terms; nothing was sent";
    let hint = "`tulk voice terms lint bad.txt` shows all problems of a file";
    let checked = lines(&["create", "Talk", "en=bad.txt", "--json"]);
    assert_eq!(checked[..2], problems);
    assert_eq!(checked[2..], [error(all, &format!("{hint}; --no-check sends the files anyway"))]);
    // A request is JSON, which cannot contain invalid UTF-8.
    let unchecked = lines(&["create", "Talk", "en=bad.txt", "--json", "--no-check"]);
    assert_eq!(unchecked[..2], problems);
    assert_eq!(unchecked[2..], [error(all, hint)]);
    assert_eq!(bench.requests().len(), 0);
}

#[test]
fn status_456_of_a_text_is_an_exhausted_quota() {
    let server = ScriptedServer::start(|_| answer(456, &[], r#"{"message":"Quota exceeded."}"#));
    let run = client(&server)
        .run(["translate", "--to", "de", "x"])
        .code(6)
        .says("error: the service refused the request: Quota exceeded. (456)\n");
    run.says("hint: the quota of this usage period is used up; `tulk usage` shows it\n").says_not("spoken terms");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn streams_send_the_id_of_their_spoken_terms() {
    let bench = Bench::with(&["--engine", "echo"]);
    let id = create_talk(&bench);
    bench.write("quiet.pcm", [0; 3200]);
    let stream = ["voice", "stream", "quiet.pcm", "--content-type", "audio/pcm;encoding=s16le;rate=16000"];
    for (name, look_ups) in [("Talk", 1), (id.as_str(), 0)] {
        let before = bench.requests().len();
        bench.run([&stream[..], &["--spoken-terms", name]].concat()).code(0);
        let sent = requests(&bench, before);
        let body = json!({"source_media_content_type": "audio/pcm;encoding=s16le;rate=16000", "spoken_terms_id": id});
        assert_eq!(sent[look_ups], json!(["POST", "/v3/voice/realtime", "", body]));
        assert_eq!(sent.as_array().unwrap().len(), look_ups + 2, "then the connection");
    }
    let before = bench.requests().len();
    bench.run([&stream[..], &["--spoken-terms", "talk"]].concat()).code(4).says("did you mean `Talk`?");
    assert_eq!(requests(&bench, before), json!([["GET", "/v3/spoken-terms", "", ""]]));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_but_a_closed_pipe_is_not() {
    let bench = Bench::new();
    create_talk(&bench);
    bench.write("bad.txt", "a\na\n");
    for command in ["list", "show Talk", "entries Talk en", "entries Talk", "lint bad.txt", "sync Talk en=en.txt"] {
        let run = bench.bash(&format!("tulk voice terms {command} > /dev/full")).code(70);
        run.says("error: cannot write to stdout: No space left on device\n");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut closed = bench.command();
        closed.args(["voice", "terms"]).args(command.split(' ')).stdin(Stdio::null()).stdout(writer);
        Run::from(closed.output().unwrap()).code(0).says_nothing();
    }
}
