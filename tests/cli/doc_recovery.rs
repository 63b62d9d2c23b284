//! Documents after kills, signals and unusable answers: the commands printed in hints work, and no document is lost.

use std::io::Write as _;
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::Value;

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run, wait_until};
use crate::doc::{bench, count_successful, records, slow};
use crate::doc_safety::retarget;

fn start(bench: &Bench, args: &[&str]) -> Child {
    bench.command().args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns `upload`, `status` or `result`.
pub fn operation(request: &str) -> &'static str {
    let path = request.split(' ').nth(1).unwrap_or_default();
    match path {
        "/v2/document" => "upload",
        _ if path.ends_with("/result") => "result",
        _ => "status",
    }
}

/// Answers like a service that finishes documents immediately. Document 1 has the ID `D1`.
pub fn working_answer(request: &str, upload: usize) -> Vec<u8> {
    let json = ["content-type: application/json"];
    match operation(request) {
        "upload" => {
            let key = format!("{upload:032X}");
            answer(200, &json, format!(r#"{{"document_id":"D{upload}","document_key":"{key}"}}"#))
        }
        "status" => answer(200, &json, r#"{"document_id":"D1","status":"done","billed_characters":3}"#),
        _ => answer(200, &[], "Eins"),
    }
}

/// A service whose results come from `result`, which gets the number of the download, from 1.
pub fn service(result: impl Fn(usize, &mut TcpStream) + Send + Sync + 'static) -> ScriptedServer {
    let (uploads, downloads) = (AtomicUsize::new(0), AtomicUsize::new(0));
    ScriptedServer::with_stream(move |request, stream| match operation(request) {
        "result" => result(downloads.fetch_add(1, Ordering::SeqCst) + 1, stream),
        "upload" => stream.write_all(&working_answer(request, uploads.fetch_add(1, Ordering::SeqCst) + 1)).unwrap(),
        _ => stream.write_all(&working_answer(request, 0)).unwrap(),
    })
}

pub fn client(server: &ScriptedServer) -> Bench {
    Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k")
}

pub fn uploads(server: &ScriptedServer) -> usize {
    server.requests().iter().filter(|request| operation(request) == "upload").count()
}

/// Returns the command in backticks in a hint.
pub fn printed_command(run: &Run, start: &str) -> String {
    let at = run.stderr.find(&format!("`{start}")).unwrap_or_else(|| panic!("no command `{start}…`\n{run}"));
    run.stderr[at + 1..].split('`').next().unwrap().to_owned()
}

pub fn listed(bench: &Bench, columns: &str) -> String {
    bench.run(["doc", "list", "--columns", columns]).code(0).out().to_owned()
}

#[test]
fn after_a_killed_download_the_printed_command_translates_again() {
    for sent in ["", "Ei"] {
        let server = service(move |_, stream| {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n").unwrap();
            stream.write_all(sent.as_bytes()).unwrap();
            let _ = std::io::copy(stream, &mut std::io::sink());
        });
        // A sandbox replaces the service; it does not have the document.
        let bench = bench();
        bench.write("my dir/it's {a}.txt", "One");
        let file = "my dir/it's {a}.txt";
        let args = ["doc", "translate", file, "--to", "de", "--formality", "prefer_more", "--server", &server.url];
        let mut child = start(&bench, &args);
        let part = bench.path("my dir/it's {a}.de.txt.part");
        wait_until("the record", || records(&bench).first().is_some_and(|record| record["result_bytes"] == 4));
        wait_until("the download", || std::fs::metadata(&part).is_ok_and(|data| data.len() == sent.len() as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        retarget(&bench, &server.url);
        let run = bench.run(["doc", "resume"]).code(4).says("the service does not have document D1");
        let run = if sent.is_empty() { run } else { run.says("the first 2 bytes are in") };
        let run = bench.bash(&printed_command(&run, "tulk doc translate")).code(0);
        assert!(run.out().contains("it's {a}.de.txt"), "{run}");
        assert_eq!(bench.read("my dir/it's {a}.de.txt"), "One");
        assert!(!part.exists());
        let upload = bench.requests().into_iter().find(|request| request["path"] == "/v2/document").unwrap();
        assert!(upload["body"].as_str().unwrap().contains("prefer_more"));
    }
}

#[test]
fn an_empty_part_does_not_prevent_a_translation() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.write("a.de.txt.part", "");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "One");
    assert!(!bench.path("a.de.txt.part").exists());
    // A file written by another program is never replaced.
    bench.run(["doc", "translate", "a.txt", "--to", "fr", "--detach"]).code(0);
    bench.write("a.fr.txt.part", "half");
    bench.run(["doc", "resume"]).code(2).says("a.fr.txt.part was left by an earlier run");
    assert_eq!(bench.read("a.fr.txt.part"), "half");
    assert_eq!((listed(&bench, "status").as_str(), count_successful(&bench, "result")), ("uploaded\ndone\n", 1));
    bench.run(["doc", "resume", "--force"]).code(0);
    assert_eq!(bench.read("a.fr.txt"), "One");
}

#[cfg(unix)]
#[test]
fn does_not_follow_a_link_in_place_of_the_part() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    for target in ["mine.txt", "missing.txt"] {
        bench.write("mine.txt", "mine");
        let _ = std::fs::remove_file(bench.path("a.de.txt.part"));
        std::os::unix::fs::symlink(target, bench.path("a.de.txt.part")).unwrap();
        bench.run(["doc", "resume", "--force"]).code(2).says("a.de.txt.part is in the way");
        bench.run(["doc", "translate", "a.txt", "--to", "de", "--again"]).code(2).says("a.de.txt.part is in the way");
        assert_eq!(bench.read("mine.txt"), "mine");
        assert!(!bench.path("missing.txt").exists());
    }
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (1, 0));
}

#[test]
fn uploading_again_keeps_the_earlier_document() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach", "--columns", "document_id"]).code(0);
    let first = run.out().trim().to_owned();
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--again", "--columns", "document_id"]).code(0);
    let second = run.out().trim().to_owned();
    assert_eq!(listed(&bench, "document_id,status"), format!("{second}\tdone\n{first}\tuploaded\n"));
    // The file of the second document is kept. The printed command downloads the first one to another file.
    let run = bench.run(["doc", "resume"]).code(2).says("a.de.txt already exists").says("doc resume");
    let command = printed_command(&run, "tulk doc download").replace("FILE", "first.txt");
    bench.bash(&command).code(0);
    assert_eq!(bench.read("first.txt"), "One");
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (2, 2));
}

#[test]
fn prefers_a_document_with_a_known_id_to_an_upload_in_doubt() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    let record = records(&bench).remove(0);
    let mut doubtful = record.clone();
    doubtful["name"] = "local-00000000000000ff".into();
    doubtful["stage"] = "sent".into();
    doubtful["document_id"] = Value::Null;
    doubtful["document_key"] = Value::Null;
    bench.write(".local/state/tulk/documents/local-00000000000000ff.json", doubtful.to_string());
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    assert_eq!(count_successful(&bench, "upload"), 1);
}

#[test]
fn a_failed_download_to_another_file_keeps_the_path_of_the_upload() {
    let bench = slow();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--columns", "document_id"]).code(0);
    let id = run.out().trim();
    let before = listed(&bench, "path");
    assert!(before.ends_with("a.de.txt\n"), "{before}");
    bench.run(["doc", "download", id, "-o", "other.txt", "--force"]).code(10);
    bench.write("file", "");
    bench.run(["doc", "download", id, "-o", "file/other.txt"]).code(2);
    assert_eq!(listed(&bench, "path"), before);
    assert_eq!(records(&bench)[0]["force"], false);
}

#[test]
fn a_killed_download_to_another_file_finishes_there() {
    let server = service(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nEins").unwrap();
        let _ = std::io::copy(stream, &mut std::io::sink());
    });
    for (resume, path) in [
        (vec!["resume"], "other.txt"),
        (vec!["resume", "D1"], "other.txt"),
        (vec!["download", "D1", "-o", "third.txt"], "third.txt"),
    ] {
        let bench = client(&server);
        bench.write("a.txt", "One");
        bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
        let name = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
        let mut record = records(&bench).remove(0);
        // The state after a kill between the last byte and the rename.
        record["stage"] = "downloading".into();
        record["result_bytes"] = 4.into();
        record["download"] = serde_json::json!({"path": bench.path("other.txt"), "force": false});
        let file = format!(".local/state/tulk/documents/{}.json", record["name"].as_str().unwrap());
        bench.write(&file, record.to_string());
        bench.write("other.txt.part", "Eins");
        let args = resume.iter().map(|word| if *word == "D1" { name.clone() } else { (*word).to_owned() });
        bench.run(["doc".to_owned()].into_iter().chain(args)).code(0);
        assert_eq!(bench.read(path), "Eins");
        assert!(!bench.path("other.txt.part").exists() && !bench.path("a.de.txt").exists());
        assert!(listed(&bench, "path").ends_with(&format!("{path}\n")));
    }
}

#[test]
fn after_a_kill_between_rename_and_record_the_same_command_completes() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    let mut record = records(&bench).remove(0);
    record["stage"] = "downloading".into();
    record["result_bytes"] = 4.into();
    bench.write(&format!(".local/state/tulk/documents/{}.json", record["name"].as_str().unwrap()), record.to_string());
    bench.write("a.de.txt", "Eins");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "--columns", "path,status"])
        .code(0)
        .prints("a.de.txt\tdone\n");
    assert_eq!((bench.read("a.de.txt").as_str(), listed(&bench, "status").as_str()), ("Eins", "done\n"));
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (1, 0));
}

#[test]
fn an_empty_or_truncated_response_is_not_a_result() {
    let answers: [&[u8]; 5] = [
        b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 206 Partial Content\r\ncontent-length: 2\r\ncontent-range: bytes 0-1/4\r\n\r\nEi",
    ];
    for bytes in answers {
        let server = service(move |n, stream| {
            let usual = answer(200, &[], "Eins");
            stream.write_all(if n == 1 { bytes } else { &usual }).unwrap();
        });
        let bench = client(&server);
        bench.write("a.txt", "One");
        let run = bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(8).says("unexpected response");
        assert!(!bench.path("a.de.txt").exists() && !bench.path("a.de.txt.part").exists(), "{run}");
        assert_eq!(records(&bench)[0]["stage"], "uploaded");
        assert_eq!(records(&bench)[0]["document_key"], format!("{:032X}", 1));
        bench.bash(&format!("{} --server {}", printed_command(&run, "tulk doc resume D1"), server.url)).code(0);
        assert_eq!(bench.read("a.de.txt"), "Eins");
        assert_eq!(uploads(&server), 1);
    }
}

#[test]
fn never_downloads_two_documents_to_one_file_at_once() {
    let release = Arc::new(AtomicBool::new(false));
    let released = Arc::clone(&release);
    let server = service(move |download, stream| {
        if download > 1 {
            stream.write_all(&answer(200, &[], "Zwei")).unwrap();
            return;
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nEi").unwrap();
        wait_until("the other download", || released.load(Ordering::SeqCst));
        stream.write_all(b"ns").unwrap();
    });
    let bench = client(&server);
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach", "--again"]).code(0);
    let mut first = start(&bench, &["doc", "resume", "D1"]);
    let part = bench.path("a.de.txt.part");
    wait_until("the download", || std::fs::metadata(&part).is_ok_and(|data| data.len() == 2));
    let second = bench.run(["doc", "resume", "D2", "--force"]).code(2);
    let second = second.says("another document is being downloaded to").says("a.de.txt");
    release.store(true, Ordering::SeqCst);
    assert!(first.wait().unwrap().success());
    assert_eq!(bench.read("a.de.txt"), "Eins");
    bench.bash(&printed_command(&second, "tulk doc download").replace("FILE", "second.txt")).code(0);
    assert_eq!(bench.read("second.txt"), "Zwei");
}
