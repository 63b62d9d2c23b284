//! Wrong and jumping clocks: dates in state files, in answers of the service, and in certificates.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::common::Bench;
use crate::common::https::https_server;
use crate::common::scripted::{ScriptedServer, answer};

/// Largest time that fits into 64 bits of nanoseconds, as seconds since 1970.
const YEAR_2262: u64 = 9_223_372_036;
const OK: &str = r#"{"translations": [{"text": "Tee"}]}"#;

fn set_modified(path: &std::path::Path, seconds: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

fn record_path(bench: &Bench) -> std::path::PathBuf {
    let dir = std::fs::read_dir(bench.path(".local/state/tulk/documents")).unwrap();
    let mut paths = dir.map(|entry| entry.unwrap().path());
    paths.find(|path| path.extension().is_some_and(|extension| extension == "json")).unwrap()
}

#[test]
fn an_unfinished_document_is_resumed_whatever_its_date() {
    for (time, date) in [(0, "1970-01-01T00:00:00Z"), (YEAR_2262, "2262-04-11T23:47:16Z"), (u64::MAX, "")] {
        let bench = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"]);
        bench.write("a.txt", "one");
        bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
        let path = record_path(&bench);
        let mut record: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        record["created"] = time.into();
        record["updated"] = time.into();
        std::fs::write(&path, record.to_string()).unwrap();
        set_modified(&path, time.min(YEAR_2262));
        let list = bench.run(["doc", "list", "--json"]).code(0).says_nothing();
        assert_eq!(list.json().as_array().map(Vec::len), Some(1), "{time}\n{list}");
        assert!(date.is_empty() || list.out().contains(date), "{list}");
        bench.run(["doc", "list", "--format", "table"]).code(0).says_nothing();
        bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
        assert_eq!(bench.read("a.de.txt"), "ONE", "{time}");
        let uploads = bench.sent().iter().filter(|(request, _)| request == "POST /v2/document").count();
        assert_eq!(uploads, 1, "{time}: the unfinished document is found");
    }
}

#[test]
fn finished_documents_dated_in_the_future_are_listed_and_old_ones_removed() {
    for (time, left) in [(0, 1), (YEAR_2262, 2)] {
        let bench = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"]);
        bench.write("a.txt", "one");
        bench.write("b.txt", "two");
        bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
        let path = record_path(&bench);
        let mut record: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        record["updated"] = time.into();
        std::fs::write(&path, record.to_string()).unwrap();
        set_modified(&path, time);
        bench.run(["doc", "translate", "b.txt", "--to", "de"]).code(0);
        let list = bench.run(["doc", "list", "--json"]).code(0).says_nothing();
        assert_eq!(list.json().as_array().map(Vec::len), Some(left), "{time}\n{list}");
    }
}

#[test]
fn uses_cached_results_dated_in_the_future_but_not_in_1970() {
    let bench = Bench::with(&["--engine", "upper"]);
    let run = || {
        bench.run(["translate", "--from", "en", "--to", "de", "--cache", "Hi"]).code(0).prints("HI\n").says_nothing()
    };
    run();
    for (stored, requests) in [(YEAR_2262.cast_signed(), 1), (i64::MAX, 1), (0, 2), (-1, 3), (i64::MIN, 4)] {
        let database = rusqlite::Connection::open(bench.path(".cache/tulk/results/results.db")).unwrap();
        assert_eq!(database.execute("UPDATE results SET stored = ?1", [stored]).unwrap(), 1);
        drop(database);
        run();
        assert_eq!(bench.requests().len(), requests, "stored {stored}");
    }
}

#[test]
fn a_language_cache_dated_in_the_future_is_refreshed() {
    let bench = Bench::new();
    let list =
        || bench.run(["langs", "list", "--columns", "lang", "--limit", "1"]).code(0).prints("ace\n").says_nothing();
    list();
    list();
    assert_eq!(bench.requests().len(), 1);
    let dir = bench.path(".cache/tulk/languages");
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let (header, reply) = text.split_once('\n').unwrap();
        let mut header: Value = serde_json::from_str(header).unwrap();
        header["stored"] = YEAR_2262.into();
        std::fs::write(&path, format!("{header}\n{reply}")).unwrap();
    }
    list();
    assert_eq!(bench.requests().len(), 2);
}

/// Starts a service that refuses the first request with these header lines and answers the second.
fn refuses_once(headers: [&'static str; 2]) -> (ScriptedServer, Arc<AtomicUsize>) {
    let requests = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&requests);
    let server = ScriptedServer::start(move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0 => answer(429, &headers, "{}"),
        _ => answer(200, &[], OK),
    });
    (server, requests)
}

#[test]
fn a_retry_after_date_is_relative_to_the_date_header() {
    for headers in [
        ["Date: Fri, 06 Nov 2093 08:49:37 GMT", "Retry-After: Fri, 06 Nov 2093 08:49:37 GMT"],
        ["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 08:49:38 GMT"],
        ["Date: Fri, 06 Nov 2093 08:49:37 GMT", "Retry-After: Thu, 05 Nov 2093 08:49:37 GMT"],
    ] {
        let (server, requests) = refuses_once(headers);
        let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
        bench.run(["translate", "--to", "de", "--max-wait", "30s", "tea"]).code(0).prints("Tee\n");
        assert_eq!(requests.load(Ordering::Relaxed), 2, "{headers:?}");
    }
    let (server, requests) =
        refuses_once(["Date: Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After: Sun, 06 Nov 1994 10:49:37 GMT"]);
    let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
    let run = bench.run(["translate", "--to", "de", "tea"]).code(10);
    run.says("retrying in 7200 s would exceed the maximum total wait of 300 s");
    assert_eq!(requests.load(Ordering::Relaxed), 1);
}

#[test]
fn an_excessive_retry_after_is_refused_with_its_length() {
    let (server, _) = refuses_once(["x-a: b", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT"]);
    let bench = Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &server.url);
    let run = bench.command().args(["translate", "--to", "de", "tea"]).output().unwrap();
    let run = crate::common::Run::unlisted(run).code(10).says("would exceed the maximum total wait of 300 s");
    run.says("hint: run the command again later, or raise --max-wait");
}

#[test]
fn an_expired_or_future_certificate_error_mentions_the_clock() {
    for (from, until, why) in [(2093, 2094, "not valid yet"), (1999, 2001, "expired")] {
        let mut params = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(from, 1, 1);
        params.not_after = rcgen::date_time_ymd(until, 1, 1);
        let (port, pem) = https_server(&params, answer(200, &[], OK));
        let bench =
            Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_SERVER", &format!("https://localhost:{port}"));
        bench.write("ca.pem", pem);
        let run = bench.command().args(["translate", "--ca-file", "ca.pem", "--to", "de", "tea"]).output().unwrap();
        let run =
            crate::common::Run::unlisted(run).code(8).says("error: the certificate of https://localhost:").says(why);
        let run = run.says("hint: check the clock of this machine, which says 20");
        run.says(" UTC").says_not("--ca-file");
    }
}
