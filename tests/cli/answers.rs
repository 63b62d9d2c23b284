//! Late, endless, too large and repeating answers, and the address that an error message shows.

use std::io::Write as _;
use std::time::{Duration, Instant};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run};

fn bench(server: &ScriptedServer) -> Bench {
    Bench::bare().env("TULK_API_KEY", "k-12345678").env("TULK_ADMIN_KEY", "a-12345678").env("TULK_SERVER", &server.url)
}

/// Starts a server that sends its answer byte by byte, 50 ms apart, forever.
fn trickling() -> ScriptedServer {
    ScriptedServer::with_stream(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{");
        while stream.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    })
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn a_trickling_answer_is_cut_at_the_time_out() {
    let server = trickling();
    let bench = bench(&server);
    bench.write("k.tsv", "a\tb\n");
    bench.write("t.txt", "a\n");
    for args in [
        &["translate", "--to", "de", "x"][..],
        &["write", "correct", "x"],
        &["usage"],
        &["glossary", "list"],
        &["glossary", "create", "K", "--dictionary", "en:de=k.tsv"],
        &["voice", "terms", "list"],
        &["voice", "terms", "create", "T", "en=t.txt"],
        &["admin", "keys", "list"],
        &["api", "GET", "/v2/usage"],
    ] {
        let start = Instant::now();
        let run = bench.run([args, &["--timeout", "2s", "--retries", "0"]].concat()).code(8).prints("");
        run.says("was not complete within 2 s").says("raise --timeout");
        assert!(start.elapsed() < Duration::from_secs(10), "{args:?}");
    }
}

#[test]
fn a_document_may_outlast_the_time_out_while_bytes_arrive() {
    let server = ScriptedServer::with_stream(|request, stream| {
        let path = request.split(' ').nth(1).unwrap_or_default();
        let _ = match path {
            "/v2/document" => {
                stream.write_all(&answer(200, &[], r#"{"document_id":"D","document_key":"document-key"}"#))
            }
            "/v2/document/D" => stream.write_all(&answer(200, &[], r#"{"document_id":"D","status":"done"}"#)),
            _ => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 25\r\n\r\n");
                (0..25).try_for_each(|_| {
                    std::thread::sleep(Duration::from_millis(100));
                    stream.write_all(b"x")
                })
            }
        };
    });
    let bench = bench(&server);
    bench.write("a.txt", "a");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--timeout", "2s"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "x".repeat(25));
}

#[cfg(unix)]
#[test]
fn accepts_an_answer_that_arrived_while_the_process_was_stopped() {
    let (sender, receiver) = std::sync::mpsc::channel::<u32>();
    let receiver = std::sync::Mutex::new(receiver);
    let server = ScriptedServer::with_stream(move |_, stream| {
        let pid = receiver.lock().unwrap().recv().unwrap().to_string();
        let signal = |name: &str| {
            std::process::Command::new("kill").args([name, pid.as_str()]).status().unwrap();
        };
        signal("-STOP");
        let _ = stream.write_all(&answer(200, &[], r#"{"character_count":1,"character_limit":2}"#));
        std::thread::sleep(Duration::from_millis(4500));
        signal("-CONT");
    });
    let bench = bench(&server);
    let mut command = bench.command();
    command.args(["usage", "--timeout", "4s", "--retries", "0"]);
    // A separate process group, for the reason in tests/reliability/kills/tracer.rs.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    sender.send(child.id()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap()).code(0);
    assert!(run.out().starts_with("character\t1\t2"), "{run}");
}

/// Returns a gzip answer of a few kilobytes that expands to `megabytes` of spaces.
fn gzip_bomb(status: u16, megabytes: usize) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let block = vec![b' '; 1024 * 1024];
    (0..megabytes).for_each(|_| encoder.write_all(&block).unwrap());
    answer(status, &["content-type: application/json", "content-encoding: gzip"], encoder.finish().unwrap())
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn the_size_limit_applies_to_decompressed_answers() {
    let bomb = gzip_bomb(200, 80);
    let server = ScriptedServer::start(move |_| bomb.clone());
    let bench = bench(&server);
    for args in [&["usage"][..], &["translate", "--to", "de", "x"], &["api", "GET", "/v2/usage", "--paginate"]] {
        let run = bench.run([args, &["--retries", "5"]].concat()).code(8).prints("");
        run.says("unexpected response from the service: it is larger than ");
    }
    assert_eq!(server.requests().len(), 3, "such an answer is final");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn an_error_with_an_endless_body_is_still_reported() {
    let bomb = gzip_bomb(403, 80);
    let server = ScriptedServer::start(move |_| bomb.clone());
    let bench = bench(&server);
    bench.run(["usage"]).code(3).says("the service returned 403 Forbidden");
    let run = bench.run(["api", "GET", "/v2/usage"]).code(3);
    assert_eq!(run.stdout.len(), 1024 * 1024);
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long; .ci/run includes it"]
fn api_streams_an_answer_of_any_size() {
    let bomb = gzip_bomb(200, 200);
    let server = ScriptedServer::start(move |_| bomb.clone());
    let bench = bench(&server);
    // The address space has room for the program, but not for the whole answer.
    let script = "ulimit -v 400000; tulk api GET /v9/x | wc -c; tulk api GET /v9/x -o out.bin; stat -c %s out.bin";
    bench.bash(script).code(0).prints("209715200\n209715200\n");
}

#[test]
fn a_service_that_ignores_the_page_number_cannot_cause_an_endless_list() {
    let server = ScriptedServer::start(|request| {
        let list = |name: &str, id: &str| {
            let items: Vec<_> = (0..25).map(|n| format!(r#"{{"{id}":"{n}","name":"n{n}"}}"#)).collect();
            format!(r#"{{"{name}":[{}]}}"#, items.join(","))
        };
        let body = match request.split(['?', ' ']).nth(1) {
            Some("/v3/style_rules") => list("style_rules", "style_id"),
            Some("/v3/translation_memories") => list("translation_memories", "translation_memory_id"),
            _ => r#"{"custom_tag_usage_report":{"next_page":7,"usage":[{"custom_tag":"a"}]}}"#.to_owned(),
        };
        answer(200, &[], body)
    });
    let bench = bench(&server);
    let report = ["--start", "2026-01-01", "--end", "2026-01-02"];
    for args in [
        &["style", "list"][..],
        &["style", "show", "unknown name"],
        &["tm", "list"],
        &["translate", "--to", "de", "--translation-memory", "unknown name", "x"],
        &[&["admin", "tags"][..], &report].concat(),
        &["api", "GET", "/v3/style_rules", "--paginate"],
        &["api", "GET", "/v3/translation_memories", "--paginate"],
        &["api", "GET", "/v2/admin/analytics/custom-tags", "--paginate"],
    ] {
        let before = server.requests().len();
        bench.run(args).code(8).prints("").says("the service returned the same page twice").says("hint: ");
        assert_eq!(server.requests().len() - before, 2, "{args:?}");
    }
    let run = bench.run(["style", "list", "--limit", "3"]).code(0);
    assert_eq!(run.out().lines().count(), 3, "the first page suffices");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn an_extreme_retry_after_exceeds_max_wait() {
    for value in ["9223372036854775807", "18446744073709551615", "99999999999999999999999999", "1e300", "1e18"] {
        let server = ScriptedServer::start(move |_| answer(429, &[&format!("retry-after: {value}")], ""));
        let bench = bench(&server);
        bench.run(["usage"]).code(10).says("would exceed the maximum total wait of 300 s");
        bench.run(["usage", "--max-wait", "99999999999999"]).code(10).says("--max-wait");
        bench.run(["usage", "--retries", "0"]).code(7);
        assert_eq!(server.requests().len(), 3, "{value}");
    }
    for value in ["-1", "NaN", "inf", "soon", "", "0"] {
        let server = ScriptedServer::start(move |_| answer(429, &[&format!("retry-after: {value}")], ""));
        bench(&server).run(["usage", "--retries", "1"]).code(7);
        assert_eq!(server.requests().len(), 2, "{value:?} is ignored");
    }
}

#[test]
fn a_rate_below_one_request_a_day_is_refused() {
    let bench = Bench::new();
    for rate in ["1e-30/s", "0.9/d", "1e-320"] {
        bench.run(["usage", "--rate", rate]).code(2).says("the limit is 1/d, one request a day");
    }
    bench.run(["usage", "--rate", "1/d"]).code(0);
    bench.run(["config", "set", "profiles.default.rate", "1e-30/s"]).code(2).says("the limit is 1/d");
}

#[test]
fn headers_above_the_limit_are_refused_before_sending() {
    let bench = Bench::new();
    let header = format!("X-Long: {}", "x".repeat(16_384));
    for flag in [&[][..], &["--dry-run"]] {
        let run = bench.run([&["api", "POST", "/v2/usage", "-H", &header], flag].concat()).code(2);
        run.says("bytes; the limit is 16,384").says("--no-check");
    }
    assert!(bench.requests().is_empty());
    let header = format!("X-Long: {}", "x".repeat(16_000));
    bench.run(["api", "GET", "/v2/usage", "-H", &header]).code(0);
    let key = "k".repeat(17_000);
    let bench = bench.env("TULK_API_KEY", &key);
    bench.run(["usage"]).code(2).says("the limit is 16,384").says_not("kkkk");
}

#[test]
fn an_invalid_status_is_an_unusable_answer() {
    for status in [101, 600, 999] {
        let server = ScriptedServer::start(move |_| answer(status, &[], ""));
        let run = bench(&server).run(["usage", "--retries", "0"]).code(8).prints("");
        run.says(&format!("returned {status}")).says("hint: no service sends this status");
    }
}

#[test]
fn an_error_names_the_address_the_input_and_the_next_step() {
    for (status, code, hint) in [
        (404, 4, "check the path and the server address http://127.0.0.1:"),
        (405, 5, "check the path and the server address http://127.0.0.1:"),
        (414, 5, "the address is too long"),
        (415, 5, "the server does not accept this kind of body"),
        (429, 7, "too many requests: wait"),
        (500, 7, "the service has a problem"),
        (503, 7, "the service has a problem"),
    ] {
        let server = ScriptedServer::start(move |_| answer(status, &[], r#"{"message":"No."}"#));
        let bench = bench(&server);
        bench.write("in.txt", "text\n");
        let address = format!("({status}, POST {}/prefix/v2/translate)\n", server.url);
        let prefix = format!("{}/prefix", server.url);
        let args = ["translate", "--to", "de", "-i", "in.txt", "--retries", "0", "--server", &prefix];
        let run = bench.run(args).code(code).says(&address).says(hint);
        assert_eq!(run.stderr.matches("No").count(), 1, "the service's words stand once\n{run}");
        let run = bench
            .run(["usage", "--retries", "0"])
            .code(code)
            .says(&format!(": No. ({status}, GET {}/v2/usage)\n", server.url));
        assert_eq!(run.stderr.matches("No").count(), 1, "the service's words stand once\n{run}");
    }
}

#[test]
fn a_wrong_path_prefix_is_named() {
    let bench = Bench::new();
    let server = format!("{}/wrong", bench.url());
    let run = bench.run(["usage", "--server", &server]).code(4);
    run.says(&format!(
        "error: the service refused the request: There is nothing at this address. (404, GET {server}/v2/usage, trace "
    ))
    .says(&format!("check the path and the server address {server}"));
}

#[test]
fn the_notice_about_a_version_in_the_address_is_printed_once() {
    let bench = Bench::new();
    let server = format!("{}/v2", bench.url());
    for args in [&["usage"][..], &["translate", "--to", "de", "x"], &["doc", "list"], &["glossary", "list"]] {
        let run = bench.run([args, &["--server", &server]].concat()).code(0);
        assert!(run.stderr.matches("ignoring /v2").count() <= 1, "{args:?}\n{run}");
    }
    bench.run(["usage", "--server", &server]).code(0).says("ignoring /v2");
}

#[test]
fn an_answer_without_the_new_instruction_is_unusable() {
    let server = ScriptedServer::start(|_| answer(201, &[], r#"{"style_id":"S","custom_instructions":[]}"#));
    let id = "11111111-2222-4333-8444-555555555555";
    let run = bench(&server).run(["style", "instruction", "add", id, "--label", "l", "--prompt", "p"]).code(8);
    run.prints("").says("the list lacks the new instruction").says("tulk style instruction list");
}

#[test]
fn never_overwrites_spoken_terms_returned_without_their_lists() {
    let id = "11111111-2222-4333-8444-555555555555";
    let server = ScriptedServer::start(move |request| match request.split(['?', ' ']).nth(1) {
        Some(path) if path.ends_with("/entries") => answer(200, &[], r#"{"lang":"en","entries":"Bled\nKranj"}"#),
        _ => answer(200, &[], format!(r#"{{"spoken_terms_id":"{id}","name":"T"}}"#)),
    });
    let bench = bench(&server);
    bench.write("t.txt", "Maribor\nBled\n");
    bench.run(["voice", "terms", "sync", id, "en=t.txt"]).code(0).prints("merge\ten\t1\t0\t1\n");
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "{requests:?}");
    assert!(requests[2].starts_with(&format!("PATCH /v3/spoken-terms/{id} ")), "{}", requests[2]);
    assert!(requests[2].ends_with(r#"{"term_lists":[{"lang":"en","entries":"Maribor"}]}"#), "{}", requests[2]);
}

#[test]
fn never_overwrites_a_glossary_returned_without_its_dictionaries() {
    let id = "11111111-2222-4333-8444-555555555555";
    let server = ScriptedServer::start(move |request| match request.split(['?', ' ']).nth(1) {
        Some(path) if path.ends_with("/entries") => answer(
            200,
            &[],
            r#"{"dictionaries":[{"source_lang":"en","target_lang":"de","entries":"a\tb","entries_format":"tsv"}]}"#,
        ),
        _ => answer(200, &[], format!(r#"{{"glossary_id":"{id}","name":"K"}}"#)),
    });
    let bench = bench(&server);
    bench.write("k.tsv", "c\td\n");
    bench.run(["glossary", "sync", id, "en:de=k.tsv"]).code(0).prints("merge\ten\tde\t1\t0\t0\t1\n");
    assert!(server.requests()[2].starts_with(&format!("PATCH /v3/glossaries/{id} ")), "{:?}", server.requests());
}

#[test]
fn reads_and_deletes_a_term_list_that_the_service_returns_with_a_language_variant() {
    let id = "11111111-2222-4333-8444-555555555555";
    let server = ScriptedServer::start(move |request| match request.split(['?', ' ']).nth(1) {
        Some(path) if path.ends_with("/entries") => answer(200, &[], r#"{"lang":"zh-Hans","entries":"Bled"}"#),
        _ if request.starts_with("DELETE ") => answer(204, &[], ""),
        _ if request.starts_with("PUT ") => answer(200, &[], r#"{"lang":"en","entry_count":1}"#),
        _ => answer(
            200,
            &[],
            format!(r#"{{"spoken_terms_id":"{id}","name":"T","term_lists":[{{"lang":"zh-Hans","entry_count":1}}]}}"#),
        ),
    });
    let bench = bench(&server);
    bench.write("t.txt", "Bled\n");
    bench.run(["voice", "terms", "entries", id]).code(0).prints("zh-Hans\tBled\n");
    let pruned = "add\ten\t1\t0\t0\ndelete\tzh-Hans\t0\t1\t0\n";
    bench.run(["voice", "terms", "sync", id, "en=t.txt", "--prune", "-y"]).code(0).prints(pruned);
    bench.run(["voice", "terms", "entries", id, "zh-Hans"]).code(2).says("`zh-Hans` is not an ISO 639-1 code");
}

#[cfg(unix)]
#[test]
fn an_unwritable_sandbox_state_is_a_local_failure() {
    let bench = Bench::bare();
    let run = bench.bash("trap '' XFSZ; ulimit -f 0; tulk --sandbox usage");
    run.code(70).prints("").says("the sandbox cannot start").says("TULK_SANDBOX_EPHEMERAL=1");
    bench.bash("TULK_SANDBOX_EPHEMERAL=1 tulk --sandbox usage").code(0);
}

#[cfg(unix)]
#[test]
fn names_an_unwritable_output_once() {
    let bench = Bench::new();
    bench.write("in.txt", "text\n");
    let run = bench.run(["translate", "--to", "de", "-i", "in.txt", "-o", "/dev/full"]).code(70);
    let first = run.stderr.lines().next().unwrap_or_default();
    assert_eq!(first.matches("/dev/full").count(), 1, "{run}");
}
#[test]
fn an_upload_in_doubt_is_reported_with_the_message_of_the_service() {
    for status in [500, 502, 504] {
        let server = ScriptedServer::start(move |_| answer(status, &[], r#"{"message":"Out of order."}"#));
        let bench = bench(&server);
        bench.write("a.txt", "a");
        let run = bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(7).says("Out of order");
        run.says("a.txt").says_not("no response").says("hint: ");
        assert_eq!(server.requests().len(), 1, "it may have been accepted");
    }
}
