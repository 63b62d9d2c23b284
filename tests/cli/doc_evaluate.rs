//! `doc --evaluate` and `--input-conversion-options`: upload fields, scores in rows and JSON, totals, and failing evaluations.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, wait_until};
use crate::doc::{bench, count_successful, records, with};
use crate::doc_recovery::{client, working_answer};

const FIELD: &str = "name=\"enable_quality_evaluation\"\r\n\r\ntrue\r\n";
const TRANSLATE: [&str; 6] = ["doc", "translate", "a.xml", "--to", "de", "--evaluate"];
const DONE: &str = r#"{"job_id":"J1","status":"done","segments":[{"segment_index":0,"segment_score":91.50,"new": [1.0],"errors":[]}]}"#;

/// A service that finishes documents immediately. `evaluation` answers polls; it gets their number, from 1.
fn service(evaluation: impl Fn(usize) -> Vec<u8> + Send + Sync + 'static) -> ScriptedServer {
    let polls = AtomicUsize::new(0);
    ScriptedServer::start(move |request| {
        if request.starts_with("GET /v1/quality-evaluations/J1 ") {
            return evaluation(polls.fetch_add(1, Ordering::SeqCst) + 1);
        }
        let handle = r#"{"document_id":"D1","document_key":"K1","quality_evaluation_job_id":"J1"}"#;
        if request.starts_with("POST /v2/document ") { answer(200, &[], handle) } else { working_answer(request, 1) }
    })
}

fn processing(retry_after: &str) -> Vec<u8> {
    answer(202, &[retry_after], r#"{"job_id":"J1","status":"processing"}"#)
}

fn polls(server: &ScriptedServer) -> usize {
    server.requests().iter().filter(|request| request.starts_with("GET /v1/quality-evaluations/J1 ")).count()
}

fn uploads(bench: &Bench) -> Vec<String> {
    let sent = bench.sent().into_iter().filter(|(path, _)| path == "POST /v2/document");
    sent.map(|(_, form)| form.as_str().unwrap().to_owned()).collect()
}

#[test]
fn shows_a_score_per_document_and_the_segments_in_json() {
    let bench = bench();
    bench.write("a.xml", "<a><b>Two apples.</b><b>12</b></a>");
    bench.write("b.xml", "<a>12</a>");
    let args = ["doc", "translate", "a.xml", "b.xml", "--from", "en", "--to", "de", "--evaluate"];
    let run = bench.run(args.iter().chain(&["--columns", "path,status,quality_score"])).code(0);
    assert_eq!(run.out(), "a.de.xml\tdone\t80.0\nb.de.xml\tdone\t100.0\n");
    assert!(run.stderr.ends_with("evaluated 2 documents: mean score 90 (80 to 100); 1 major issue\n"), "{run}");
    assert!(uploads(&bench).iter().all(|form| form.contains(FIELD)), "{:?}", uploads(&bench));
    let mut rows = bench.run(args.iter().chain(&["--force", "--json"])).code(0).json();
    let job = rows[0]["quality_evaluation_job_id"].take();
    assert!(job.as_str().unwrap().len() == 32, "{job}");
    assert_eq!((&rows[0]["quality_score"], &rows[1]["quality_score"]), (&json!(80.0), &json!(100.0)));
    assert_eq!(
        rows[0]["quality_segments"],
        json!([
            {"segment_index": 0, "segment_score": 60, "source": "Two apples.", "target": "Two apples.", "errors": [{
                "type": "Accuracy", "sub_type": "Untranslated text", "severity": "Major",
                "explanation": "The translation is the same as the source.",
                "source_spans": [{"start": 0, "end": 11}], "target_spans": [{"start": 0, "end": 11}],
            }]},
            {"segment_index": 1, "segment_score": 100, "source": "12", "target": "12", "errors": []},
        ])
    );
    let quiet = bench.run(args.iter().chain(&["--force", "-q", "--columns", "quality_score"])).code(0);
    assert_eq!((quiet.out(), &*quiet.stderr), ("80.0\n100.0\n", ""));
    bench.run(["doc", "list", "--columns", "quality_score", "--limit", "1"]).code(0).prints("100.0\n");
}

#[test]
fn polls_at_the_requested_interval_and_keeps_segments_unchanged() {
    let server = service(|poll| if poll < 3 { processing("retry-after: 1") } else { answer(200, &[], DONE) });
    let bench = client(&server);
    bench.write("a.xml", "<a>One</a>");
    let started = std::time::Instant::now();
    let run = bench.run(TRANSLATE.iter().chain(&["--format", "jsonl"])).code(0);
    assert!(started.elapsed() >= Duration::from_secs(2), "{:?}", started.elapsed());
    assert_eq!(polls(&server), 3);
    let expected = "\"status\":\"done\",\"quality_evaluation_job_id\":\"J1\",\"quality_score\":91.5,\"quality_segments\":\
                    [{\"segment_index\":0,\"segment_score\":91.50,\"new\":[1.0],\"errors\":[]}]}\n";
    assert!(run.out().ends_with(expected), "{run}");
    let poll = server.requests().into_iter().find(|request| request.starts_with("GET /v1")).unwrap();
    assert!(poll.contains("Service-Auth-Key k"), "{poll}");
}

#[test]
fn a_failed_evaluation_affects_neither_translation_nor_exit_code() {
    for (evaluation, warning, asks_again) in [
        (
            answer(200, &[], r#"{"status":"error","error":{"code":"evaluation_failed","message":"Too odd"}}"#),
            "warning: a.xml (de): the service could not evaluate the translation: Too odd\n",
            false,
        ),
        (
            answer(404, &[], r#"{"message":"No such job."}"#),
            "warning: a.xml (de): the service does not have evaluation J1: ",
            false,
        ),
        (
            answer(400, &[], r#"{"message":"Bad ID."}"#),
            "warning: a.xml (de): the service does not have evaluation J1: ",
            false,
        ),
        (answer(500, &[], ""), "warning: a.xml (de): no evaluation: ", true),
        (answer(200, &[], "<p>"), "warning: a.xml (de): no evaluation: ", true),
    ] {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        let server =
            service(move |_| if flag.load(Ordering::SeqCst) { answer(200, &[], DONE) } else { evaluation.clone() });
        let bench = client(&server);
        bench.write("a.xml", "<a>One</a>");
        let run = bench.run(TRANSLATE.iter().chain(&["--retries", "0", "--columns", "path,quality_score"])).code(0);
        let run = run.prints("a.de.xml\t\n").says(warning).says_not("evaluated 1");
        assert_eq!(run.stderr.contains("try again with `tulk doc resume D1`"), asks_again, "{run}");
        assert_eq!(bench.read("a.de.xml"), "Eins");
        is_over.store(true, Ordering::SeqCst);
        let later = bench.run(["doc", "resume", "--columns", "status,quality_score"]).code(0);
        if asks_again {
            later.prints("done\t91.5\n")
        } else {
            later.prints("").says("no unfinished documents\n")
        };
    }
}

#[test]
fn resume_and_translate_fetch_the_evaluation_after_a_kill_without_another_upload() {
    for resume in [&["doc", "resume"][..], &TRANSLATE] {
        let hangs = Arc::new(AtomicBool::new(true));
        let flag = Arc::clone(&hangs);
        let server = service(move |_| {
            while flag.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(10));
            }
            answer(200, &[], DONE)
        });
        let bench = client(&server);
        bench.write("a.xml", "<a>One</a>");
        let mut child = bench.command().args(TRANSLATE).stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        wait_until("the poll", || polls(&server) == 1);
        child.kill().unwrap();
        child.wait().unwrap();
        hangs.store(false, Ordering::SeqCst);
        let record = &records(&bench)[0];
        assert_eq!((&record["stage"], &record["evaluation_job_id"]), (&json!("done"), &json!("J1")));
        assert_eq!(record["document_key"], Value::Null);
        let run = bench.run(resume.iter().chain(&["--columns", "source,status,quality_score"])).code(0);
        let run = run.prints("a.xml\tdone\t91.5\n");
        let says_so = run.stderr.contains("a.xml: document D1 is translated; getting its evaluation\n");
        assert_eq!(says_so, resume == TRANSLATE, "{run}");
        assert_eq!(server.requests().iter().filter(|request| request.starts_with("POST /v2/document ")).count(), 1);
        bench.run(["doc", "resume"]).code(0).prints("").says("no unfinished documents\n");
        bench.run(TRANSLATE).code(2).says("a.de.xml already exists");
    }
}

#[test]
fn max_wait_keeps_the_translation_and_resume_fetches_the_score() {
    let server = service(|poll| if poll == 1 { processing("retry-after: 60") } else { answer(200, &[], DONE) });
    let bench = client(&server);
    bench.write("a.xml", "<a>One</a>");
    let run =
        bench.run(TRANSLATE.iter().chain(&["--max-wait", "1s", "--columns", "path,status,quality_score"])).code(10);
    run.prints("a.de.xml\tdone\t\n")
        .says("the translation is complete; get its evaluation with `tulk doc resume D1`\n");
    assert_eq!(bench.read("a.de.xml"), "Eins");
    bench.run(["doc", "download", "D1"]).code(4).says("get its evaluation with `tulk doc resume D1`\n");
    let run = bench.run(["doc", "resume", "D1", "--columns", "quality_score"]).code(0).prints("91.5\n");
    run.says("evaluated 1 document: score 91.5; no issues\n");
}

#[test]
fn upload_keeps_the_job_for_wait_and_download() {
    let bench = bench();
    bench.write("a.xml", "<a>Tea</a>");
    let row =
        bench.run(["doc", "upload", "a.xml", "--from", "en", "--to", "de", "--evaluate", "--json"]).code(0).json();
    let id = row["document_id"].as_str().unwrap();
    let job = row["quality_evaluation_job_id"].as_str().unwrap();
    assert!(row.get("quality_score").is_none(), "{row}");
    let waited = bench.run(["doc", "wait", id, "--json"]).code(0).json();
    assert_eq!((&waited["status"], &waited["quality_score"]), (&json!("done"), &json!(60.0)));
    assert_eq!(waited["quality_segments"][0]["source"], "Tea");
    let run = bench.run(["doc", "download", id, "--columns", "status,quality_score"]).code(0).prints("done\t60.0\n");
    run.says("evaluated 1 document: score 60; 1 major issue\n");
    bench.run(["doc", "status", id, "--columns", "quality_score"]).code(0).prints("60.0\n");
    let api = bench.run(["api", "GET", &format!("/v1/quality-evaluations/{}", job.to_lowercase())]).code(0).json();
    assert_eq!((&api["job_id"], &api["status"]), (&json!(job), &json!("done")));
}

#[test]
fn a_refused_evaluation_names_the_flag() {
    let bench = bench();
    bench.write("a.txt", "Tea");
    bench.write("a.xml", "<a>Tea</a>");
    bench.write("a.xlf", "<xliff version='1.2'><file><trans-unit><source>Tea</source></trans-unit></file></xliff>");
    let hint = "hint: the service only evaluates some document types and language pairs: leave out --evaluate\n";
    for (file, lang, message) in [
        ("a.txt", "de", "Quality evaluation is not available for this file type."),
        ("a.xlf", "de", "Quality evaluation is not available for XLIFF 1.2."),
        ("a.xml", "nl", "Quality evaluation is not available for the language pair en to nl."),
    ] {
        let run = bench.run(["doc", "translate", file, "--from", "en", "--to", lang, "--evaluate"]).code(5);
        run.says(message).says(hint);
    }
    assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (0, 0));
    let refused = with(&["--fault", "403;path=/v2/document"]);
    refused.write("a.xml", "<a>Tea</a>");
    let run = refused.run(["doc", "translate", "a.xml", "--to", "de", "--evaluate"]).code(3);
    run.says("hint: if the account has no access to quality evaluation, leave out --evaluate; otherwise: ");
}

#[test]
fn a_service_without_evaluations_causes_a_warning() {
    let server = ScriptedServer::start(|request| working_answer(request, 1));
    let bench = client(&server);
    bench.write("a.xml", "<a>One</a>");
    bench.run(TRANSLATE).code(0).says("warning: a.xml (de): the service started no evaluation\n");
}

#[test]
fn does_not_evaluate_texts() {
    let bench = bench();
    let hint = "hint: the service evaluates documents only: `tulk doc translate --evaluate FILE`\n";
    bench.run(["translate", "--to", "de", "--evaluate", "Tea"]).code(2).prints("").says(hint);
    assert!(bench.sent().is_empty());
}

#[test]
fn the_fields_are_in_dry_runs_records_and_printed_commands() {
    let bench = bench();
    bench.write("a.xml", "<a>Tea</a>");
    let options = ["--input-conversion-options", "version:1,suppress-image-types:logo-photo", "--evaluate"];
    let args = ["doc", "translate", "a.xml", "--from", "en", "--to", "de"];
    let run = bench.run(args.iter().chain(&options).chain(&["-n"])).code(0);
    let planned: Vec<Value> = run.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        planned[0]["body"],
        json!({
            "target_lang": "DE", "source_lang": "EN", "enable_quality_evaluation": "true",
            "input_conversion_options": "version:1,suppress-image-types:logo-photo",
            "file": {"file": "a.xml", "bytes": 10},
        })
    );
    let url = planned[3]["url"].as_str().unwrap();
    assert!(planned.len() == 4 && url.ends_with("/v1/quality-evaluations/<quality_evaluation_job_id>"), "{url}");
    assert!(bench.sent().is_empty());
    bench.run(args.iter().chain(&options).chain(&["--detach"])).code(0);
    let form = &uploads(&bench)[0];
    let field = "name=\"input_conversion_options\"\r\n\r\nversion:1,suppress-image-types:logo-photo\r\n";
    assert!(form.contains(FIELD) && form.contains(field), "{form}");
    bench.run(args.iter().chain(&options)).code(0).says("resuming document").says("evaluated 1 document");
    assert_eq!(count_successful(&bench, "upload"), 1);
    let server = ScriptedServer::start(|_| answer(500, &[], ""));
    let broken = client(&server);
    broken.write("a.xml", "<a>Tea</a>");
    let run = broken.run(args.iter().chain(&options)).code(7);
    run.says(
        "`tulk doc translate a.xml --to de --evaluate --input-conversion-options \
         'version:1,suppress-image-types:logo-photo' --from EN --again`",
    );
}

#[test]
fn the_sandbox_answers_polls_and_shows_glossary_terms() {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "3s"]);
    bench.write("terms.tsv", "Tea\tTee\n");
    bench.write("a.xml", "<a>Tea now.</a>");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=terms.tsv"]).code(0);
    let upload = ["doc", "upload", "a.xml", "--from", "en", "--to", "de", "--glossary", "Kitchen", "--evaluate"];
    let row = bench.run(upload.iter().chain(&["--json"])).code(0).json();
    let path = format!("/v1/quality-evaluations/{}", row["quality_evaluation_job_id"].as_str().unwrap());
    let run = bench.run(["api", "GET", &path, "--include"]).code(0);
    let head = run.out().to_lowercase();
    assert!(
        head.contains("202")
            && ["4", "5", "6"].iter().any(|s| head.contains(&format!("retry-after: {s}\n")))
            && head.contains("\"processing\""),
        "{run}"
    );
    let id = row["document_id"].as_str().unwrap();
    let done = bench.run(["doc", "download", id, "--json"]);
    assert_eq!(done.code, 10, "{done}");
    bench.run(["doc", "wait", id]).code(0);
    let done = bench.run(["doc", "download", id, "--json"]).code(0).json();
    assert_eq!(
        done["quality_segments"],
        json!([{
            "segment_index": 0, "segment_score": 100, "source": "Tea now.", "target": "Tee NOW.", "errors": [],
            "applied_glossary_term_pairs": [
                {"source_term": "Tea", "target_term": "Tee", "ranges": [{"start": 0, "end": 3}]}
            ],
        }])
    );
    let api = |path: &str| bench.run(["api", "GET", path]);
    api("/v1/quality-evaluations/7").code(5).says("job_id must have 32 hexadecimal digits.");
    api("/v1/quality-evaluations/7C1F2A90B3D4E5F60718293A4B5C6D7E").code(4).says("was not found");
}
