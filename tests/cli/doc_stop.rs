//! Documents left to the next run: signals, uploads in doubt, waits requested by the service.

use std::io::Write as _;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run, wait_until};
use crate::doc::{bench, count_successful, records, with};
use crate::doc_recovery::{client, listed, operation, printed_command, service, uploads, working_answer};

/// A service that finishes documents once the flag is set. `a.txt` has the ID `D1`, `b.txt` has `D2`, whatever their order.
fn service_until(done: Arc<AtomicBool>) -> ScriptedServer {
    let number = |request: &str| "abcd".chars().position(|c| request.contains(&format!("filename=\"{c}.txt\"")));
    ScriptedServer::start(move |request| match operation(request) {
        "upload" => working_answer(request, number(request).expect("a known file") + 1),
        "status" if !done.load(Ordering::SeqCst) => answer(200, &[], r#"{"document_id":"D1","status":"translating"}"#),
        _ => working_answer(request, 0),
    })
}

#[cfg(unix)]
#[test]
fn after_ctrl_c_the_printed_command_fetches_the_unfinished_documents() {
    for files in [&["a.txt"][..], &["a.txt", "b.txt"]] {
        let done = Arc::new(AtomicBool::new(false));
        let server = service_until(Arc::clone(&done));
        let bench = client(&server);
        for name in files {
            bench.write(name, name);
        }
        let mut args = vec!["doc", "translate", "--to", "de"];
        args.extend(files);
        let child = bench
            .command()
            .args(&args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let polled = |id: &str| server.requests().iter().any(|r| r.starts_with(&format!("POST /v2/document/{id} ")));
        wait_until("status requests", || (1..=files.len()).all(|n| polled(&format!("D{n}"))));
        let interrupted = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(interrupted.success());
        let run = Run::from(child.wait_with_output().unwrap()).code(130).says_not("failed");
        let rows: Vec<Vec<&str>> = run.out().lines().map(|line| line.split('\t').collect()).collect();
        assert_eq!(rows.len(), files.len(), "{run}");
        for (row, name) in rows.iter().zip(files) {
            assert_eq!((row[0], row[2], row[5]), (*name, name.replace(".txt", ".de.txt").as_str(), "unfinished"));
        }
        done.store(true, Ordering::SeqCst);
        bench.bash(&printed_command(&run, "tulk doc resume")).code(0);
        for name in files {
            assert_eq!(bench.read(&name.replace(".txt", ".de.txt")), "Eins");
        }
        assert_eq!(uploads(&server), files.len());
    }
}

#[cfg(unix)]
#[test]
fn after_ctrl_c_one_command_resumes_all_documents() {
    let done = Arc::new(AtomicBool::new(false));
    let server = service_until(Arc::clone(&done));
    let bench = client(&server);
    let names = ["a.txt", "b.txt", "c.txt", "d.txt"];
    for name in names {
        bench.write(name, name);
    }
    let mut command = bench.command();
    command.args(["doc", "translate", "--to", "de", "--again", "--concurrency", "2"]).args(names);
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let polled = |id: &str| server.requests().iter().any(|r| r.starts_with(&format!("POST /v2/document/{id} ")));
    wait_until("status requests", || polled("D1") && polled("D2"));
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let run = Run::from(child.wait_with_output().unwrap()).code(130).says("  c.txt  de  not started");
    assert_eq!(run.out().lines().count(), 2);
    done.store(true, Ordering::SeqCst);
    bench.bash(&printed_command(&run, "tulk doc translate")).code(0);
    for name in names {
        assert_eq!(bench.read(&name.replace(".txt", ".de.txt")), "Eins");
    }
    assert_eq!(uploads(&server), 4, "each file once");
}

#[test]
fn unfinished_documents_are_not_reported_as_failed() {
    let server = service_until(Arc::new(AtomicBool::new(false)));
    let bench = client(&server);
    bench.write("a.txt", "One");
    bench.write("b.txt", "Two");
    let run = bench.run(["doc", "translate", "a.txt", "b.txt", "--to", "de", "--max-wait", "1"]).code(10);
    run.says("2 of 2 documents are unfinished").says("tulk doc resume D").says_not("failed");
}

#[test]
fn reports_each_document_in_doubt() {
    let server = ScriptedServer::start(move |request| match operation(request) {
        "upload" if request.contains("filename=\"a.txt\"") => answer(500, &[], r#"{"message":"The kettle is off."}"#),
        "upload" => working_answer(request, 1),
        _ => working_answer(request, 0),
    });
    let bench = client(&server);
    bench.write("a.txt", "One");
    bench.write("b.txt", "Two");
    let run = bench.run(["doc", "translate", "a.txt", "b.txt", "--to", "de"]).code(9);
    run.says("a.txt (de): the upload of a.txt is in doubt").says("  a.txt  de  in doubt").says("  b.txt  de  done");
}

#[test]
fn the_printed_command_finishes_a_document_of_another_server() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    let other = bench.serve(&[]);
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--server", &other.url]).code(2);
    bench.bash(&printed_command(&run, "tulk --server")).code(0);
    assert_eq!((bench.read("a.de.txt").as_str(), count_successful(&bench, "result")), ("One", 1));
    assert!(other.requests().is_empty());
}

#[test]
fn prints_the_row_of_a_document_after_its_download() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--key-out", "key", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    bench.run(["doc", "download", &id]).code(0);
    let sent = bench.sent().len();
    let row = json!({"document_id": id, "status": "done", "billed_characters": 3});
    for subcommand in ["status", "wait"] {
        assert_eq!(bench.run(["doc", subcommand, &id, "--json"]).code(0).json(), row);
        let with_key = ["doc", subcommand, &id, "--document-key-file", "key", "--json"];
        assert_eq!(bench.run(with_key).code(0).json(), row);
    }
    assert_eq!(bench.sent().len(), sent, "the record is enough");
    bench
        .run(["doc", "download", &id])
        .code(4)
        .says("is finished (done)")
        .says("its result was written to")
        .says("a.de.txt");
    assert_eq!(records(&bench)[0]["document_key"], serde_json::Value::Null);
}

#[test]
fn prints_the_row_of_a_failed_document_after_the_failure() {
    let bench = with(&["--fault", "document-error"]);
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(5);
    let id = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
    let columns = ["--columns", "document_id,status,message"];
    let status = ["doc", "status", &id].into_iter().chain(columns);
    bench.run(status).code(0).prints(format!("{id}\terror\tThis fault was requested\n"));
    bench.run(["doc", "wait", &id]).code(5).says("could not translate the document: This fault was requested");
}

#[test]
fn resuming_a_finished_document_reports_its_outcome() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    let id = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
    let run = bench.run(["doc", "resume", &id, "--columns", "source,status"]).code(0);
    run.says("already finished (done)").prints("a.txt\tdone\n");
    for (stage, code, says) in [("failed", 5, "could not translate"), ("gone", 4, "is finished (gone)")] {
        let mut record = records(&bench).remove(0);
        record["stage"] = stage.into();
        let file = format!(".local/state/tulk/documents/{}.json", record["name"].as_str().unwrap());
        bench.write(&file, record.to_string());
        bench.run(["doc", "resume", &id]).code(code).says(says).prints("");
        assert_eq!(bench.run(["doc", "resume", &id, &id]).code, code);
    }
    bench.run(["doc", "resume"]).code(0).prints("").says("no unfinished documents");
}

/// A service whose first download stops after half of the result.
#[cfg(unix)]
fn stalled_service() -> ScriptedServer {
    service(|n, stream| {
        if n == 1 {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nEi").unwrap();
            let _ = std::io::copy(stream, &mut std::io::sink());
        } else {
            stream.write_all(&answer(200, &[], "Eins")).unwrap();
        }
    })
}

#[cfg(unix)]
#[test]
#[ignore = "long; .ci/run includes it"]
fn a_stopped_download_prints_the_command_that_resumes_it() {
    let server = stalled_service();
    let bench = client(&server);
    bench.write("a.txt", "One");
    bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
    let mut command = bench.command();
    command
        .args(["doc", "download", "D1", "-o", "it's.txt"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let part = bench.path("it's.txt.part");
    wait_until("half of the result", || std::fs::metadata(&part).is_ok_and(|data| data.len() == 2));
    assert!(std::process::Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let run = Run::from(child.wait_with_output().unwrap()).code(143);
    bench.bash(&printed_command(&run, "tulk doc download D1 -o")).code(0);
    assert_eq!((bench.read("it's.txt").as_str(), part.exists()), ("Eins", false));
    assert!(listed(&bench, "path").ends_with("it's.txt\n"));
}

#[cfg(unix)]
#[test]
fn a_stopped_download_to_another_file_is_resumed_at_the_path_of_the_upload() {
    let server = stalled_service();
    let bench = client(&server);
    bench.write("a.txt", "One");
    bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
    let mut child =
        bench.command().args(["doc", "download", "D1", "-o", "x.txt"]).stdin(Stdio::null()).spawn().unwrap();
    let part = bench.path("x.txt.part");
    wait_until("half of the result", || std::fs::metadata(&part).is_ok_and(|data| data.len() == 2));
    child.kill().unwrap();
    child.wait().unwrap();
    bench.run(["doc", "resume"]).code(0);
    assert_eq!((bench.read("a.de.txt").as_str(), part.exists()), ("Eins", false));
}

#[test]
fn an_upload_answered_with_an_internal_error_is_in_doubt() {
    for status in [500, 502, 504] {
        let server = ScriptedServer::start(move |request| match operation(request) {
            "upload" if !request.contains("Two") => {
                answer(status, &["content-type: application/json"], r#"{"message":"The kettle is off."}"#)
            }
            _ => working_answer(request, 1),
        });
        let bench = client(&server);
        bench.write("a.txt", "One");
        let run = bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(7);
        let run = run.says("is in doubt, since the service may have accepted it: The kettle is off");
        assert_eq!(uploads(&server), 1, "not repeated");
        assert_eq!(listed(&bench, "status"), "in_doubt\n");
        assert!(run.out().is_empty());
        bench.run(["doc", "resume"]).code(8).says("in doubt");
        assert_eq!(uploads(&server), 1);
        bench.bash(&printed_command(&run, "tulk doc translate")).code(7);
        assert_eq!(uploads(&server), 2);
        bench.bash(&printed_command(&run, "tulk doc forget")).code(0);
        assert_eq!(listed(&bench, "status"), "");
    }
}

#[test]
fn the_printed_command_repeats_an_upload_from_stdin_that_is_in_doubt() {
    let bench = with(&["--fault", "drop;path=/v2/document;total=1"]);
    let args = ["doc", "translate", "-", "--filename", "my file.txt", "--to", "de"];
    let run = bench.pipe("One", args).code(8).says("is in doubt, since no response was received");
    bench.bash(&printed_command(&run, "tulk doc translate")).code(0).prints("One");
    assert_eq!((listed(&bench, "status").as_str(), count_successful(&bench, "upload")), ("done\n", 1));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn obeys_retry_after_before_the_next_download() {
    let server = |seconds: u64| {
        let retry_after = format!("retry-after: {seconds}");
        service(move |n, stream| {
            let busy = answer(503, &[&retry_after], r#"{"message":"translation still running"}"#);
            stream.write_all(if n == 1 { busy } else { answer(200, &[], "Eins") }.as_slice()).unwrap();
        })
    };
    let first = server(2);
    let bench = client(&first);
    bench.write("a.txt", "One");
    let begin = Instant::now();
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    assert!(begin.elapsed() >= Duration::from_secs(2), "{:?}", begin.elapsed());
    let second = server(60);
    let bench = client(&second);
    bench.write("a.txt", "One");
    let begin = Instant::now();
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--max-wait", "1"]).code(10);
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    bench.bash(&printed_command(&run, "tulk doc resume D1")).code(0);
    assert_eq!((bench.read("a.de.txt").as_str(), uploads(&second)), ("Eins", 1));
}

#[test]
fn a_too_long_retry_after_ends_the_download() {
    for seconds in ["400", "9223372036854775807"] {
        let retry_after = format!("retry-after: {seconds}");
        let server = service(move |_, stream| {
            stream.write_all(&answer(503, &[&retry_after], r#"{"message":"translation still running"}"#)).unwrap();
        });
        let bench = client(&server);
        bench.write("a.txt", "One");
        let run = bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(10).says("maximum total wait of 300 s");
        assert_eq!(printed_command(&run, "tulk doc resume"), "tulk doc resume D1");
        bench.run(["doc", "resume", "--max-wait", "2"]).code(10).says("maximum total wait of 2 s");
        assert_eq!(uploads(&server), 1);
    }
}

#[test]
fn names_a_state_directory_that_cannot_be_created() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.write(".local/state", "a file");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de"])
        .code(2)
        .says("cannot create directory")
        .says("XDG_STATE_HOME");
    assert!(bench.sent().is_empty());
}

#[test]
fn documents_created_in_one_second_are_listed_newest_first_and_resumed_in_argument_order() {
    let bench = bench();
    let names: Vec<String> = (0..9).map(|n| format!("f{n}.txt")).collect();
    let mut args = vec!["doc", "translate", "--to", "de", "--detach"];
    for name in &names {
        bench.write(name, name);
    }
    args.extend(names.iter().map(String::as_str));
    bench.run(args).code(0);
    let in_order: String = names.iter().map(|name| format!("{name}\n")).collect();
    let newest_first: String = names.iter().rev().map(|name| format!("{name}\n")).collect();
    assert_eq!(listed(&bench, "source"), newest_first);
    bench.run(["doc", "list", "--columns", "source", "--limit", "2"]).code(0).prints("f8.txt\nf7.txt\n");
    bench.run(["doc", "list", "--limit", "0"]).code(0).prints("");
    assert_eq!(bench.run(["doc", "resume", "--columns", "source"]).code(0).out(), in_order);
}

#[test]
fn the_printed_command_names_the_key_file() {
    let server = Bench::with(&["--document-queue", "0", "--document-translate", "1h"]);
    server.write("a.txt", "One");
    let run = server.run(["doc", "upload", "a.txt", "--to", "de", "--key-out", "key", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    let bench = Bench::bare().env("TULK_SERVER", server.url()).env("TULK_API_KEY", "sandbox");
    bench.write("my key", server.read("key"));
    let args = ["--document-key-file", "my key", "--max-wait", "1"];
    let run = bench.run(["doc", "wait", &id].into_iter().chain(args)).code(10);
    let wait = printed_command(&run, "tulk doc wait");
    assert_eq!(wait, format!("tulk doc wait {id} --document-key-file 'my key'"));
    let args = ["--document-key-file", "my key", "-o", "it's.txt"];
    let run = bench.run(["doc", "download", &id].into_iter().chain(args)).code(10);
    assert_eq!(printed_command(&run, "tulk doc wait"), wait);
    assert!(records(&bench).is_empty());
}
