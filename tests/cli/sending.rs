//! Concurrency and rate of requests: the limit of requests in flight, what a service accepts, and requested pauses.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, Run, wait_until};
use crate::completion::candidates;

#[derive(Clone, Default)]
struct CountingServer {
    arrived: Arc<AtomicUsize>,
    in_flight: Arc<AtomicUsize>,
    peak: Arc<AtomicUsize>,
}

impl CountingServer {
    fn arrive(&self) {
        let in_flight = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.peak.fetch_max(in_flight, Ordering::SeqCst);
        self.arrived.fetch_add(1, Ordering::SeqCst);
    }

    fn echo(&self, request: &str) -> Vec<u8> {
        let body = request.split_once("\r\n\r\n").unwrap().1;
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        let texts = body["text"].as_array().unwrap().iter();
        let results: Vec<_> = texts.map(|text| serde_json::json!({"text": text})).collect();
        self.in_flight.fetch_sub(1, Ordering::SeqCst);
        answer(200, &[], serde_json::json!({"translations": results}).to_string())
    }
}

fn translate(url: &str, requests: usize, flags: &[&str]) -> Run {
    let bench = Bench::bare().env("TULK_SERVER", url).env("TULK_API_KEY", "k");
    let input: String = (0..requests * 50).map(|n| format!("line {n}\n")).collect();
    bench.write("in.txt", &input);
    let run = bench.run([&["translate", "--to", "de", "--lines", "-i", "in.txt"], flags].concat()).code(0);
    assert!(run.out() == input, "the output is not the input");
    run
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn requests_in_flight_reach_but_never_exceed_the_limit() {
    for (flags, cap) in [(&["--concurrency", "1"][..], 1), (&["--concurrency", "3"], 3), (&[], 8)] {
        let counting = CountingServer::default();
        let server = counting.clone();
        let server = ScriptedServer::start(move |request| {
            server.arrive();
            // Each answer takes at least 30 ms. After 40 requests, answers also wait until `cap` requests have been in flight at once.
            let is_reached =
                || server.peak.load(Ordering::SeqCst) >= cap || server.arrived.load(Ordering::SeqCst) <= 40;
            let deadline = Instant::now() + Duration::from_millis(30);
            while Instant::now() < deadline || !is_reached() {
                std::thread::sleep(Duration::from_millis(2));
            }
            server.echo(request)
        });
        translate(&server.url, 60, flags);
        assert_eq!(counting.peak.load(Ordering::SeqCst), cap, "{flags:?}");
        assert_eq!(counting.arrived.load(Ordering::SeqCst), 60, "{flags:?}");
    }
}

#[test]
fn auto_allows_more_requests_in_flight_than_the_default() {
    let counting = CountingServer::default();
    let server = counting.clone();
    let server = ScriptedServer::start(move |request| {
        server.arrive();
        std::thread::sleep(Duration::from_millis(50));
        // By then, nine are allowed, but a busy machine may send them slowly.
        if server.arrived.load(Ordering::SeqCst) > 120 {
            wait_until("nine requests in flight", || server.peak.load(Ordering::SeqCst) >= 9);
        }
        server.echo(request)
    });
    translate(&server.url, 200, &["--concurrency", "auto"]);
    let peak = counting.peak.load(Ordering::SeqCst);
    assert!((9..=64).contains(&peak), "{peak}");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn no_request_starts_before_retry_after_has_passed() {
    let counting = CountingServer::default();
    let refused = Arc::new(Mutex::new(None));
    let later = Arc::new(Mutex::new(Vec::new()));
    let (server, refused_at, arrivals) = (counting.clone(), Arc::clone(&refused), Arc::clone(&later));
    let server = ScriptedServer::start(move |request| {
        server.arrive();
        let number = server.arrived.load(Ordering::SeqCst);
        if number > 4 {
            arrivals.lock().unwrap().push(Instant::now());
            return server.echo(request);
        }
        // The first four are in flight together. One of them is refused, and the others are answered later.
        wait_until("four requests", || server.arrived.load(Ordering::SeqCst) >= 4);
        let mut refused = refused_at.lock().unwrap();
        if refused.is_none() {
            *refused = Some(Instant::now());
            server.in_flight.fetch_sub(1, Ordering::SeqCst);
            return answer(429, &["retry-after: 2"], "{}");
        }
        drop(refused);
        std::thread::sleep(Duration::from_millis(1500));
        server.echo(request)
    });
    let run = translate(&server.url, 20, &["-v", "--concurrency", "4"]);
    let refused = refused.lock().unwrap().unwrap();
    let later = later.lock().unwrap();
    assert_eq!(later.len(), 17, "16 that waited, and the one that was refused");
    let first = later.iter().min().unwrap().duration_since(refused);
    assert!(first >= Duration::from_secs(2), "{first:?}");
    assert!(run.stderr.contains("sending at most 2 requests at once"), "{run}");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn adapts_to_a_rate_limit_after_few_refusals() {
    let bench = Bench::with(&["--engine", "echo", "--rate-limit", "50/s"]);
    let input: String = (0..200 * 50).map(|n| format!("line {n}\n")).collect();
    bench.write("in.txt", &input);
    let run = bench.run(["translate", "--to", "de", "--lines", "-i", "in.txt", "--stats"]).code(0);
    assert!(run.out() == input, "the output is not the input");
    let (refused, accepted): (Vec<_>, Vec<_>) =
        bench.requests().into_iter().partition(|request| request["status"] == 429);
    assert_eq!(accepted.len(), 200);
    // If tulk did not adapt to the rate limit, each of the three bursts would have 8 refusals.
    assert!(refused.len() <= 12, "{} requests were refused", refused.len());
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn logs_a_learned_rate() {
    let bench = Bench::with(&["--engine", "echo", "--rate-limit", "5/s"]);
    let input: String = (0..25 * 50).map(|n| format!("line {n}\n")).collect();
    let run = bench.pipe(&input, ["translate", "--to", "de", "--lines", "-v"]).code(0);
    let line = run.stderr.lines().rfind(|line| line.contains("sending at most")).unwrap_or_default();
    assert!(line.contains(" requests at once and ") && line.ends_with(" a second"), "{run}");
}

#[test]
fn concurrency_is_a_number_or_auto() {
    let bench = Bench::new();
    for (value, error) in [
        ("0", "error: --concurrency: `0` is not between 1 and 256"),
        ("257", "error: --concurrency: `257` is not between 1 and 256"),
        ("x", "error: --concurrency: `x` is neither a whole number nor `auto`"),
    ] {
        bench.run(["translate", "--to", "de", "x", "--concurrency", value]).code(2).says(error);
        bench.run(["config", "set", "profiles.w.concurrency", value]).code(2);
    }
    for value in ["auto", "16"] {
        bench.run(["config", "set", "profiles.default.concurrency", value]).code(0);
        bench.run(["config", "get", "profiles.default.concurrency"]).code(0).prints(format!("{value}\n"));
        bench.run(["translate", "--to", "de", "x"]).code(0).prints("x\n");
    }
    assert!(bench.read(".config/tulk/config.toml").contains("concurrency = 16\n"), "a number without quotes");
    assert_eq!(candidates(&bench, &["translate", "--concurrency", "a"]), "values | auto");
}
