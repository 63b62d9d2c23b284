//! Documents through kills, interrupted transfers and lost responses: one upload, one download, every loss reported.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::Value;

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run, wait_until};
use crate::doc::{bench, count_successful, records, slow, with};

fn start(bench: &Bench, args: &[&str]) -> Child {
    bench.command().args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn stage(bench: &Bench) -> Option<String> {
    records(bench).first().map(|record| record["stage"].as_str().unwrap().to_owned())
}

#[test]
fn resuming_after_a_kill_while_polling_does_not_upload_again() {
    let bench = Bench::with(&["--engine", "echo", "--document-queue", "0", "--document-translate", "4s"]);
    bench.write("a.txt", "One");
    let mut child = start(&bench, &["doc", "translate", "a.txt", "--to", "de"]);
    wait_until("a status request", || count_successful(&bench, "status") > 0);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(stage(&bench).as_deref(), Some("uploaded"));
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "One");
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (1, 1));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn after_a_kill_at_any_moment_each_document_has_one_upload_and_one_download() {
    let bench = Bench::with(&[
        "--engine",
        "echo",
        "--document-queue",
        "20ms",
        "--document-translate",
        "30ms",
        "--latency",
        "2ms-15ms",
    ]);
    let names: Vec<String> = (0..6).map(|n| format!("f{n}.txt")).collect();
    for name in &names {
        bench.write(name, name);
    }
    let mut args = vec!["doc", "translate", "--to", "de"];
    args.extend(names.iter().map(String::as_str));
    let (mut any_done, mut lost) = (false, 0);
    for round in 0..12u64 {
        let earlier = bench.requests().len();
        let uploads = count_successful(&bench, "upload");
        let mut child = start(&bench, &args);
        std::thread::sleep(Duration::from_millis(5 + 3 * round * round));
        if round == 11 {
            // However busy the machine is, one kill comes after an upload.
            wait_until("an upload", || count_successful(&bench, "upload") > uploads);
            wait_until("its record", || {
                records(&bench).iter().any(|r| r["stage"] != "uploading" && r["stage"] != "sent")
            });
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let doubtful = records(&bench).iter().filter(|r| r["stage"] == "sent").count();
        let run = Run::unlisted(bench.command().args(["doc", "resume"]).stdin(Stdio::null()).output().unwrap());
        // A kill while the result is in transit loses the only download. It is reported, not treated as done.
        let gone = records(&bench).iter().filter(|r| r["stage"] == "gone").count();
        lost += gone;
        assert_eq!(run.code == 0, doubtful + gone == 0, "{doubtful} in doubt, {gone} gone\n{run}");
        assert_eq!(run.stderr.matches("is in doubt").count(), doubtful, "{run}");
        let done = records(&bench).iter().filter(|r| r["stage"] == "done").count();
        // Every other document is done and has its result.
        assert_eq!(done + doubtful + gone, records(&bench).len(), "{run}");
        let results = names.iter().filter(|name| bench.path(&name.replace(".txt", ".de.txt")).exists()).count();
        assert_eq!(results, done, "{run}");
        any_done |= done > 0;
        one_upload_and_one_download_each(&bench, earlier, &names);
        for name in &names {
            let result = bench.path(&name.replace(".txt", ".de.txt"));
            if result.exists() {
                assert_eq!(&std::fs::read_to_string(&result).unwrap(), name);
                std::fs::remove_file(result).unwrap();
            }
        }
        for record in records(&bench) {
            bench.run(["doc", "forget", "--yes", record["name"].as_str().unwrap()]).code(0);
        }
    }
    assert!(any_done, "every kill was before an upload");
    assert!(lost < 36, "{lost} of 72 documents were lost");
}

/// Compares the records with all requests except the first `earlier` ones.
fn one_upload_and_one_download_each(bench: &Bench, earlier: usize, names: &[String]) {
    let requests = bench.requests();
    let accepted: Vec<&Value> = requests.iter().skip(earlier).filter(|request| request["status"] == 200).collect();
    let records = records(bench);
    let is_done = |name: &str| records.iter().any(|r| r["stage"] == "done" && r["source"]["shown"] == name);
    for name in names {
        let uploads = accepted.iter().filter(|r| r["path"] == "/v2/document" && r["body"].to_string().contains(name));
        let uploads = uploads.count();
        assert!(uploads == 1 || (uploads == 0 && !is_done(name)), "{uploads} uploads of {name}");
    }
    let is_downloaded = |record: &&Value| record["stage"] == "done" || record["stage"] == "gone";
    let done: BTreeSet<&str> = records.iter().filter(is_downloaded).filter_map(|r| r["document_id"].as_str()).collect();
    // The sandbox returns each result once, so equal sets mean one download each.
    let fetched: BTreeSet<&str> = accepted
        .iter()
        .filter_map(|r| r["path"].as_str()?.strip_prefix("/v2/document/")?.strip_suffix("/result"))
        .collect();
    assert_eq!(fetched, done);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn after_a_kill_during_the_upload_the_file_is_uploaded_again() {
    let bench = bench();
    bench.write("a.docx", vec![1u8; 12_000_000]);
    let (listener, url) = silent();
    let mut child = start(&bench, &["doc", "translate", "a.docx", "--to", "de", "--server", &url]);
    // Read only the start of the body, so that the upload cannot be complete.
    let (mut stream, _) = listener.accept().unwrap();
    let mut some = [0; 10_000];
    stream.read_exact(&mut some).unwrap();
    assert_eq!(stage(&bench).as_deref(), Some("uploading"));
    child.kill().unwrap();
    child.wait().unwrap();
    retarget(&bench, &url);
    bench.run(["doc", "resume"]).code(0);
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (1, 1));
    assert_eq!(std::fs::metadata(bench.path("a.de.docx")).unwrap().len(), 12_000_000);
}

#[test]
fn a_changed_file_is_not_uploaded_on_resume() {
    let bench = bench();
    bench.write("a.docx", vec![1u8; 12_000_000]);
    let (listener, url) = silent();
    let mut child = start(&bench, &["doc", "translate", "a.docx", "--to", "de", "--server", &url]);
    let (mut stream, _) = listener.accept().unwrap();
    stream.read_exact(&mut [0; 10_000]).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    retarget(&bench, &url);
    bench.write("a.docx", "other");
    bench.run(["doc", "resume"]).code(2).says("has changed");
    assert_eq!(count_successful(&bench, "upload"), 0);
}

#[test]
fn an_upload_without_a_response_is_in_doubt_and_not_repeated() {
    let bench = with(&["--fault", "drop;path=/v2/document;total=1"]);
    bench.write("a.txt", "One");
    let doubt = |run: Run, code: i32| run.code(code).says("is in doubt").says("--again").says("doc forget local-");
    doubt(bench.run(["doc", "translate", "a.txt", "--to", "de"]), 8);
    assert_eq!(bench.run(["doc", "list", "--columns", "status"]).out(), "in_doubt\n");
    doubt(bench.run(["doc", "translate", "a.txt", "--to", "de"]), 8);
    doubt(bench.run(["doc", "resume"]), 8);
    let uploads = || bench.sent().iter().filter(|(path, _)| path == "POST /v2/document").count();
    assert_eq!(uploads(), 1);
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--again"]).code(0);
    assert_eq!(uploads(), 2);
    assert_eq!(records(&bench).len(), 1);
}

#[test]
fn an_upload_refused_temporarily_is_repeated() {
    let bench = with(&["--fault", "429;path=/v2/document;total=2;retry-after=0"]);
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    assert_eq!(count_successful(&bench, "upload"), 1);
    let bench = with(&["--fault", "500;path=/v2/document;total=1"]);
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(7).says("in doubt");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn an_interrupted_download_is_repeated_while_the_service_has_the_document() {
    let bench = with(&["--fault", "drop;path=/v2/document/*/result;total=1"]);
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0).says("checking whether the service still has");
    assert_eq!(bench.read("a.de.txt"), "One");
    assert_eq!(count_successful(&bench, "upload"), 1);
    let bench = with(&["--fault", "503;path=/v2/document/*/result;total=2"]);
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "One");
}

#[test]
fn requests_a_missing_result_only_once() {
    for status_after in [200, 404] {
        let bench = slow();
        bench.write("a.txt", "One");
        bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
        let id = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
        let done = format!(r#"{{"document_id":"{id}","status":"done","billed_characters":3}}"#);
        let is_asked = std::sync::atomic::AtomicBool::new(false);
        let server = ScriptedServer::start(move |request| {
            if request.contains("/result ") {
                is_asked.store(true, Ordering::Relaxed);
                return answer(404, &[], r#"{"message":"Document not found"}"#);
            }
            answer(if is_asked.load(Ordering::Relaxed) { status_after } else { 200 }, &[], &done)
        });
        let mut record = records(&bench).remove(0);
        record["server"] = server.url.as_str().into();
        let name = record["name"].as_str().unwrap().to_owned();
        bench.write(&format!(".local/state/tulk/documents/{name}.json"), record.to_string());
        let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k");
        let run = bench.run(["doc", "resume", &id]).code(4);
        run.says(&format!("error: a.txt: the service does not have document {id}: "))
            .says(": Document not found (404")
            .says("  hint: upload the document again with `tulk doc translate a.txt --to de --again`\n");
        assert_eq!(server.requests().len(), 2, "one status and one result");
        assert_eq!(records(&bench)[0]["stage"], "gone");
    }
}

#[test]
fn reports_an_interrupted_download_that_cannot_be_repeated() {
    let bench = with(&["--fault", "cut;path=/v2/document/*/result"]);
    bench.write("a.txt", "One and two");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(8);
    run.says("no longer has it").says("cut off").says("a.de.txt.part");
    assert!(!bench.path("a.de.txt").exists());
    assert_eq!(bench.read("a.de.txt.part"), "One a");
    assert_eq!(bench.run(["doc", "list", "--columns", "status"]).out(), "gone\n");
    // A second translation is billed again, so it needs an explicit command.
    bench.run(["doc", "resume"]).code(0).says("no unfinished documents");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(2).says("a.de.txt.part was left by an earlier run");
}

/// Changes the only record to the state after a kill between recording a loss and reporting it.
fn forget_report(bench: &Bench, stage: &str) {
    let mut record = records(bench).remove(0);
    record["stage"] = stage.into();
    record["is_unreported"] = true.into();
    let name = record["name"].as_str().unwrap().to_owned();
    bench.write(&format!(".local/state/tulk/documents/{name}.json"), record.to_string());
}

#[test]
fn the_next_run_reports_a_loss_of_a_killed_run_once() {
    let lost = [("gone", 4, "is finished (gone)"), ("failed", 5, "could not translate the document")];
    for (stage, code, says) in lost {
        let bench = with(&[]);
        bench.write("a.txt", "One");
        let translate = ["doc", "translate", "a.txt", "--to", "de", "--force"];
        bench.run(translate).code(0);
        forget_report(&bench, stage);
        bench.run(["doc", "resume"]).code(code).prints("").says(says);
        bench.run(["doc", "resume"]).code(0).says("no unfinished documents");

        forget_report(&bench, stage);
        let run = bench.run(translate).code(code).prints("").says(says);
        assert!(!run.stderr.contains("resuming"), "{run}");
        assert_eq!(count_successful(&bench, "upload"), 1, "the document was uploaded again without a word");
        bench.run(translate).code(0);
        assert_eq!(count_successful(&bench, "upload"), 2);
    }
}

#[test]
fn uses_a_result_completed_before_the_kill() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    let dir = bench.path(".local/state/tulk/documents");
    let mut record = records(&bench).remove(0);
    // The state after a kill between the last byte and the rename.
    record["stage"] = "downloading".into();
    record["result_bytes"] = 4.into();
    let path = dir.join(format!("{}.json", record["name"].as_str().unwrap()));
    std::fs::write(&path, record.to_string()).unwrap();
    bench.write("a.de.txt.part", "Eins");
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "Eins");
    assert_eq!(count_successful(&bench, "result"), 0);
    // The state after a kill between the rename and the update of the record.
    std::fs::write(&path, record.to_string()).unwrap();
    bench.run(["doc", "resume"]).code(0);
    assert_eq!((bench.read("a.de.txt").as_str(), count_successful(&bench, "result")), ("Eins", 0));
}

#[test]
fn the_same_command_resumes_the_unfinished_document() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0).says("resuming document");
    assert_eq!(count_successful(&bench, "upload"), 1);
    bench.run(["doc", "translate", "a.txt", "--to", "fr", "--detach"]).code(0);
    bench.run(["doc", "translate", "a.txt", "--to", "fr", "--formality", "prefer_more", "--out-dir", "x"]).code(0);
    assert_eq!(count_successful(&bench, "upload"), 3, "other options mean another upload");
    bench.run(["doc", "translate", "a.txt", "--to", "fr", "--again"]).code(0);
    assert_eq!(count_successful(&bench, "upload"), 4);
    for _ in 0..2 {
        bench
            .pipe("Two", ["doc", "translate", "-", "--filename", "b.txt", "--to", "de", "--detach", "-o", "b.txt"])
            .code(0);
    }
    assert_eq!(count_successful(&bench, "upload"), 5);
}

#[test]
fn skips_a_document_in_use_by_another_process() {
    let bench = slow();
    bench.write("a.txt", "One");
    let mut child = start(&bench, &["doc", "translate", "a.txt", "--to", "de"]);
    wait_until("a status request", || count_successful(&bench, "status") > 0);
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(2).says("another tulk process");
    bench.run(["doc", "resume"]).code(0).says("skipped");
    let id = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
    bench.run(["doc", "forget", &id, "--yes"]).code(2).says("in use by another tulk process");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(count_successful(&bench, "upload"), 1);
}

#[test]
fn sixteen_processes_share_the_store() {
    let bench = bench();
    let children: Vec<Child> = (0..16)
        .map(|n| {
            let name = format!("f{n}.txt");
            bench.write(&name, &name);
            start(&bench, &["doc", "translate", &name, "--to", "de"])
        })
        .collect();
    for child in children {
        Run::from(child.wait_with_output().unwrap()).code(0);
    }
    assert_eq!(
        (count_successful(&bench, "upload"), count_successful(&bench, "result"), records(&bench).len()),
        (16, 16, 16)
    );
    // All processes translate the same document; only one succeeds.
    bench.write("same.txt", "same");
    let children: Vec<Child> =
        (0..16).map(|_| start(&bench, &["doc", "translate", "same.txt", "--to", "de"])).collect();
    let codes: Vec<i32> = children.into_iter().map(|c| Run::unlisted(c.wait_with_output().unwrap()).code).collect();
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(count_successful(&bench, "upload"), 17);
    assert_eq!(bench.read("same.de.txt"), "same");
}

#[cfg(unix)]
#[test]
fn after_a_signal_the_error_prints_the_command_that_resumes() {
    let bench = slow();
    bench.write("a.txt", "One");
    let child = start(&bench, &["doc", "translate", "a.txt", "--to", "de"]);
    wait_until("a status request", || count_successful(&bench, "status") > 0);
    assert!(std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    Run::from(child.wait_with_output().unwrap()).code(143).says("tulk doc resume");
    assert_eq!(stage(&bench).as_deref(), Some("uploaded"));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long; .ci/run includes it"]
fn large_documents_need_little_memory() {
    let peak = |bytes: u64| -> u64 {
        // The embedded sandbox of this bench has no request log. With one, it would keep the upload in memory.
        let bench = Bench::bare().env("TULK_SANDBOX_DOCUMENT_TRANSLATE", "0").env("TULK_SANDBOX_DOCUMENT_QUEUE", "0");
        let file = std::fs::File::create(bench.path("a.docx")).unwrap();
        file.set_len(bytes).unwrap();
        let mut child = start(&bench, &["--sandbox", "doc", "translate", "a.docx", "--to", "de"]);
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        while child.try_wait().unwrap().is_none() {
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
            peak = peak.max(kib.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(std::fs::metadata(bench.path("a.de.docx")).unwrap().len(), bytes);
        peak
    };
    // The peak of a process that ends between two looks is too low.
    let small = (0..3).map(|_| peak(1_000_000)).max().unwrap();
    let large = peak(100_000_000);
    assert!(large < small + 10_240, "{small} KiB for 1 MB, {large} KiB for 100 MB");
}

fn silent() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

/// Changes the server in all records to the sandbox of the bench.
pub fn retarget(bench: &Bench, from: &str) {
    for record in records(bench) {
        let path = bench.path(&format!(".local/state/tulk/documents/{}.json", record["name"].as_str().unwrap()));
        let text = std::fs::read_to_string(&path).unwrap().replace(from, bench.url());
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn tolerates_unknown_statuses_and_absurd_estimates() {
    // The service sends an unknown status with an absurd estimate, then a failure with the field `error_message`.
    let (listener, url) = silent();
    let bench = Bench::bare().env("TULK_SERVER", &url).env("TULK_API_KEY", "k");
    bench.write("a.txt", "One");
    let answers = [
        r#"{"document_id":"D1","document_key":"K1"}"#,
        r#"{"document_id":"D1","status":"warming_up","seconds_remaining":99999999999999999999999}"#,
        r#"{"document_id":"D1","status":"error","error_message":"Too wild."}"#,
    ];
    let server = std::thread::spawn(move || {
        for body in answers {
            let (mut stream, _) = listener.accept().unwrap();
            read_request(&mut stream);
            let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json";
            write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(5).says("Too wild");
    server.join().unwrap();
}

fn read_request(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let mut some = [0; 4096];
    loop {
        let n = stream.read(&mut some).unwrap();
        bytes.extend_from_slice(&some[..n]);
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let Some(head) = text.find("\r\n\r\n") else { continue };
        let length: usize = text
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .and_then(|n| n.trim().parse().ok())
            .unwrap_or(0);
        if n == 0 || bytes.len() >= head + 4 + length {
            return;
        }
    }
}
