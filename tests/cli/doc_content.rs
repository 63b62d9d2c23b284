//! Large documents, whose digest is computed only when needed: none is uploaded twice, whatever happened to the file.

use std::io::Read as _;
use std::net::TcpListener;
use std::process::{Child, Stdio};

use crate::common::{Bench, Run, wait_until};
use crate::doc::{bench, count_successful, records, slow};
use crate::doc_safety::retarget;

/// Larger than the files whose digest is computed before the upload.
const BYTES: usize = 5_000_000;
const TO_DE: [&str; 4] = ["doc", "translate", "--to", "de"];

fn large() -> Vec<u8> {
    (0..=250).cycle().take(BYTES).collect()
}

fn start(bench: &Bench, args: &[&str]) -> Child {
    bench.command().args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn translate(bench: &Bench, args: &[&str]) -> Run {
    bench.run(TO_DE.iter().chain(args))
}

/// Changes the only record to its state after the last byte of an upload.
fn set_stage_sent(bench: &Bench) {
    let mut record = records(bench).remove(0);
    record["stage"] = "sent".into();
    record["document_id"] = serde_json::Value::Null;
    record["document_key"] = serde_json::Value::Null;
    let path = format!(".local/state/tulk/documents/{}.json", record["name"].as_str().unwrap());
    bench.write(&path, record.to_string());
}

fn touch(bench: &Bench, name: &str) {
    let file = std::fs::OpenOptions::new().write(true).open(bench.path(name)).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
}

/// A change of a file: its name, the file that is translated afterwards, and the function that makes it.
type FileChange = (&'static str, &'static str, fn(&Bench));

fn file_changes() -> [FileChange; 6] {
    [
        ("unchanged", "a.docx", |_| {}),
        ("moved", "b.docx", |bench| std::fs::rename(bench.path("a.docx"), bench.path("b.docx")).unwrap()),
        ("copied", "b.docx", |bench| {
            std::fs::copy(bench.path("a.docx"), bench.path("b.docx")).unwrap();
        }),
        ("touched", "a.docx", |bench| touch(bench, "a.docx")),
        ("copied, original edited", "b.docx", |bench| {
            std::fs::copy(bench.path("a.docx"), bench.path("b.docx")).unwrap();
            bench.write("a.docx", "other");
        }),
        ("edited", "a.docx", |bench| {
            let mut edited = large();
            edited[BYTES - 1] ^= 1;
            bench.write("a.docx", edited);
        }),
    ]
}

#[cfg(unix)]
#[test]
#[ignore = "long; .ci/run includes it"]
fn an_uploaded_document_is_resumed_or_refused_but_never_uploaded_twice() {
    for (change, file, happens) in file_changes() {
        let bench = bench();
        bench.write("a.docx", large());
        bench.run(["doc", "upload", "a.docx", "--to", "de", "--filename", "a.docx"]).code(0);
        assert_eq!(records(&bench)[0]["source"].get("sha256"), None, "the digest is not needed yet");
        happens(&bench);
        let run = translate(&bench, &[file, "--filename", "a.docx"]);
        let uploads = count_successful(&bench, "upload");
        match change {
            "touched" | "copied, original edited" => {
                run.code(2).says("may already be uploaded as document").says("--again");
                assert_eq!(uploads, 1, "{change}");
                translate(&bench, &[file, "--filename", "a.docx", "--again"]).code(0);
                assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (2, 2), "{change}");
            }
            // The result path belongs to a document with other content.
            "edited" => {
                run.code(2).says("has the same result path");
                translate(&bench, &[file, "--filename", "a.docx", "-o", "c.docx"]).code(0);
                assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (2, 2), "{change}");
            }
            _ => {
                run.code(0).says("resuming document");
                assert_eq!((uploads, records(&bench).len()), (1, 1), "{change}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
#[ignore = "long; .ci/run includes it"]
fn an_upload_in_doubt_is_found_after_any_file_change() {
    for (change, file, happens) in file_changes() {
        let bench = bench();
        bench.write("a.docx", large());
        bench.run(["doc", "upload", "a.docx", "--to", "de", "-o", "r.docx", "--filename", "a.docx"]).code(0);
        set_stage_sent(&bench);
        happens(&bench);
        let args = [file, "--filename", "a.docx", "-o", "s.docx"];
        let run = translate(&bench, &args);
        match change {
            "edited" => {
                run.code(0);
                assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (2, 2), "{change}");
            }
            "touched" | "copied, original edited" => {
                run.code(2).says("may already be uploaded as document");
                assert_eq!(count_successful(&bench, "upload"), 1, "{change}");
            }
            _ => {
                run.code(8).says("is in doubt");
                assert_eq!(count_successful(&bench, "upload"), 1, "{change}");
                translate(&bench, &[&args[..], &["--again"]].concat()).code(0);
                assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (2, 1), "{change}");
            }
        }
    }
}

/// Starts an upload to a server that reads `bytes` bytes and never answers, and then kills tulk.
fn kill_after(bench: &Bench, bytes: u64, stage: &str) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let mut child = start(bench, &["doc", "translate", "a.docx", "--to", "de", "--server", &url]);
    let (stream, _) = listener.accept().unwrap();
    std::io::copy(&mut stream.take(bytes), &mut std::io::sink()).unwrap();
    wait_until(stage, || records(bench)[0]["stage"] == stage);
    child.kill().unwrap();
    child.wait().unwrap();
    retarget(bench, &url);
    assert_eq!((records(bench)[0]["stage"].as_str(), records(bench)[0]["source"].get("sha256")), (Some(stage), None));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_killed_upload_is_repeated_once_after_any_file_change() {
    for (change, file, happens) in file_changes() {
        let bench = bench();
        // More than the buffers of a connection hold.
        bench.write("a.docx", [large(), large(), large()].concat());
        kill_after(&bench, 10_000, "uploading");
        happens(&bench);
        let run = translate(&bench, &[file, "--filename", "a.docx"]);
        let result = if file == "a.docx" { "a.de.docx" } else { "b.de.docx" };
        if change == "edited" {
            // The size differs too.
            run.code(2).says("has the same result path");
            continue;
        }
        run.code(0);
        assert_eq!(count_successful(&bench, "upload"), 1, "{change}");
        assert_eq!(std::fs::read(bench.path(result)).unwrap(), std::fs::read(bench.path(file)).unwrap(), "{change}");
    }
}

#[test]
fn a_kill_after_the_last_byte_leaves_an_upload_in_doubt() {
    let bench = bench();
    bench.write("a.docx", large());
    kill_after(&bench, BYTES as u64, "sent");
    translate(&bench, &["a.docx"]).code(8).says("is in doubt");
    bench.run(["doc", "resume"]).code(8).says("is in doubt");
    std::fs::copy(bench.path("a.docx"), bench.path("b.docx")).unwrap();
    translate(&bench, &["b.docx", "--filename", "a.docx"]).code(8).says("is in doubt");
    assert_eq!(count_successful(&bench, "upload"), 0);
    translate(&bench, &["a.docx", "--again"]).code(0);
    assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (1, 1));
}

#[test]
fn resume_does_not_upload_a_changed_file() {
    let bench = bench();
    bench.write("a.docx", [large(), large(), large()].concat());
    kill_after(&bench, 10_000, "uploading");
    touch(&bench, "a.docx");
    bench.run(["doc", "resume"]).code(2).says("has changed");
    assert_eq!(count_successful(&bench, "upload"), 0);
}

#[test]
fn adds_the_digest_while_the_service_translates() {
    let bench = slow();
    bench.write("a.docx", large());
    let mut child = start(&bench, &["doc", "translate", "a.docx", "--to", "de"]);
    wait_until("the digest", || records(&bench).first().is_some_and(|r| r["source"]["sha256"].is_string()));
    // The record is locked, and the file has a new time of modification.
    touch(&bench, "a.docx");
    translate(&bench, &["a.docx", "-o", "b.docx"]).code(2).says("another tulk process");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(records(&bench)[0]["stage"], "uploaded");
    std::fs::copy(bench.path("a.docx"), bench.path("b.docx")).unwrap();
    std::fs::remove_file(bench.path("a.docx")).unwrap();
    translate(&bench, &["b.docx", "--filename", "a.docx", "--max-wait", "1ms"]).code(10).says("resuming document");
    assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (1, 1));
}

#[test]
fn compares_the_digest_in_records_of_earlier_versions() {
    let bench = bench();
    bench.write("a.docx", large());
    bench.run(["doc", "upload", "a.docx", "--to", "de"]).code(0);
    let mut record = records(&bench).remove(0);
    let digest = bench.bash("sha256sum < a.docx | cut -d ' ' -f 1").code(0).out().trim().to_owned();
    let source = record["source"].as_object_mut().unwrap();
    source.retain(|name, _| name != "version" && name != "sample");
    source.insert("sha256".to_owned(), digest.into());
    bench.write(&format!(".local/state/tulk/documents/{}.json", record["name"].as_str().unwrap()), record.to_string());
    let mut edited = large();
    edited[BYTES / 2] ^= 1;
    bench.write("b.docx", edited);
    translate(&bench, &["b.docx", "--filename", "a.docx"]).code(0);
    assert_eq!(count_successful(&bench, "upload"), 2);
    translate(&bench, &["a.docx"]).code(0).says("resuming document");
    assert_eq!((count_successful(&bench, "upload"), records(&bench).len()), (2, 2));
}
