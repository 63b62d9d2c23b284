//! `--watermark` of documents: the upload field, its part in resuming, and the hint where it has no effect.

use serde_json::{Value, json};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};
use crate::doc::{bench, count_successful, records};
use crate::doc_recovery::client;
use crate::doc_safety::retarget;

/// Returns the planned fields of each upload, without the file.
fn planned(run: &Run) -> Vec<Value> {
    let lines = run.out().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    lines.into_iter().filter(|line| line["url"].as_str().unwrap().ends_with("/v2/document")).collect()
}

fn uploads(bench: &Bench) -> Vec<String> {
    let sent = bench.sent().into_iter().filter(|(path, _)| path == "POST /v2/document");
    sent.map(|(_, form)| form.as_str().unwrap().to_owned()).collect()
}

const FIELD: &str = "name=\"enable_watermark\"\r\n\r\ntrue\r\n";

#[test]
fn sends_the_field_for_each_file_and_language_only_with_the_flag() {
    let bench = bench();
    bench.write("a.pdf", "%PDF-1.4");
    bench.write("b.doc", "old");
    bench.run(["doc", "translate", "a.pdf", "b.doc", "--to", "de,fr", "--watermark"]).code(0).says_not("hint");
    bench.run(["doc", "upload", "a.pdf", "--to", "es", "--watermark"]).code(0).says_not("hint");
    assert!(uploads(&bench).iter().all(|form| form.contains(FIELD)), "{:?}", uploads(&bench));
    assert_eq!(uploads(&bench).len(), 5);
    let plain = self::bench();
    plain.write("a.pdf", "%PDF-1.4");
    plain.run(["doc", "translate", "a.pdf", "--to", "de"]).code(0);
    assert!(!uploads(&plain)[0].contains("watermark"), "{:?}", uploads(&plain));
}

#[test]
fn a_dry_run_shows_the_field() {
    let bench = bench();
    bench.write("a.pdf", "%PDF-1.4");
    let run = bench.run(["doc", "translate", "a.pdf", "--to", "de,fr", "--watermark", "-n"]).code(0);
    let file = json!({"file": "a.pdf", "bytes": 8});
    let bodies: Vec<Value> = planned(&run).iter().map(|line| line["body"].clone()).collect();
    assert_eq!(
        bodies,
        [
            json!({"target_lang": "DE", "enable_watermark": "true", "file": file}),
            json!({"target_lang": "FR", "enable_watermark": "true", "file": file}),
        ]
    );
    assert!(bench.sent().is_empty());
}

#[test]
fn one_hint_names_all_files_that_cannot_have_a_watermark() {
    let bench = bench();
    for name in ["a.txt", "b.pptx", "c.pdf", "d.doc"] {
        bench.write(name, "One");
    }
    let args = ["doc", "translate", "a.txt", "b.pptx", "c.pdf", "d.doc", "--to", "de,fr", "--watermark"];
    let hint = "hint: --watermark has no effect on a.txt, b.pptx: only docx and PDF results can have a watermark\n";
    let run = bench.run(args).code(0);
    assert_eq!(run.stderr.matches(hint).count(), 1, "{run}");
    assert_eq!(run.stderr.matches("watermark").count(), 2, "{run}");
    assert_eq!(bench.run([&args[..], &["-n", "--force"]].concat()).code(0).stderr.matches(hint).count(), 1);
    let quiet = bench.run([&args[..], &["--again", "--force", "-q"]].concat()).code(0);
    assert_eq!(quiet.stderr, "");
    let json = bench.run([&args[..], &["--again", "--force", "--json"]].concat()).code(0);
    assert_eq!(json.stderr, "");
    let upload = bench.run(["doc", "upload", "a.txt", "--to", "es", "--watermark"]).code(0);
    upload.says("hint: --watermark has no effect on a.txt: only docx and PDF results can have a watermark\n");
}

#[test]
fn the_output_format_decides_whether_a_watermark_is_possible() {
    let bench = bench();
    bench.write("a.pdf", "%PDF-1.4");
    let args = ["doc", "translate", "a.pdf", "--to", "de", "--output-format", "docx", "--watermark"];
    bench.run(args).code(0).says_not("hint");
    let form = &uploads(&bench)[0];
    assert!(form.contains(FIELD) && form.contains("name=\"output_format\"\r\n\r\ndocx\r\n"), "{form}");
}

#[test]
fn resumes_an_unfinished_document_only_with_the_same_choice() {
    let bench = bench();
    bench.write("a.pdf", "%PDF-1.4");
    let marked = ["doc", "translate", "a.pdf", "--to", "de", "--watermark"];
    bench.run([&marked[..], &["--detach"]].concat()).code(0);
    assert_eq!(records(&bench)[0]["params"], json!({"target_lang": "DE", "enable_watermark": true}));
    bench.run(["doc", "translate", "a.pdf", "--to", "de", "--detach", "-o", "plain.pdf"]).code(0);
    assert_eq!(count_successful(&bench, "upload"), 2, "a document without a watermark is another one");
    bench.run(marked).code(0);
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (2, 1));
    bench.run(["doc", "resume"]).code(0);
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (2, 2));
    bench.run([&marked[..], &["--again", "--force"]].concat()).code(0);
    assert!(uploads(&bench)[2].contains(FIELD), "{:?}", uploads(&bench));
}

#[test]
fn the_printed_upload_command_has_the_flag() {
    let server = ScriptedServer::start(|_| answer(500, &[], r#"{"message":"The kettle is off."}"#));
    let bench = client(&server);
    bench.write("a.pdf", "%PDF-1.4");
    let run = bench.run(["doc", "translate", "a.pdf", "--to", "de", "--watermark"]).code(7);
    run.says("`tulk doc translate a.pdf --to de --watermark --again`");
}

#[test]
fn doc_resume_uploads_with_the_recorded_flag() {
    let bench = bench();
    bench.write("a.pdf", "%PDF-1.4");
    let nobody = "http://127.0.0.1:9";
    let args = ["doc", "translate", "a.pdf", "--to", "de", "--watermark", "--server", nobody, "--retries", "0"];
    bench.run(args).code(8);
    assert_eq!(records(&bench)[0]["stage"], "uploading");
    retarget(&bench, nobody);
    bench.run(["doc", "resume"]).code(0);
    assert!(uploads(&bench)[0].contains(FIELD), "{:?}", uploads(&bench));
    assert_eq!(bench.read("a.de.pdf"), "%PDF-1.4");
}

#[test]
fn the_hint_omits_skipped_files() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--watermark"]).code(0).says("no effect on a.txt");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--watermark", "--if-newer"]).code(0).says_not("no effect");
}
