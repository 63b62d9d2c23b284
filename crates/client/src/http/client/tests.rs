//! Tests of retries, limits and reports, against a local server that sends scripted answers.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use super::*;
use crate::Concurrency;
use crate::http::options::{ClientObserver, NetworkOptions};
use crate::http::path::Path;
use crate::http::request::Repeat;

#[derive(Default)]
struct ReportedEvents {
    changing: AtomicU32,
    waiting: Mutex<Vec<String>>,
    planned: AtomicU32,
}

impl ClientObserver for ReportedEvents {
    fn verbosity(&self) -> u8 {
        0
    }

    fn log(&self, _: &str) {}

    fn changing(&self) {
        self.changing.fetch_add(1, Ordering::Relaxed);
    }

    fn retrying(&self, why: &str, seconds: u64) -> Box<dyn Send> {
        self.waiting.lock().unwrap().push(format!("{why}; retrying in {seconds} s"));
        Box::new(())
    }

    fn planned(&self, _: &str) -> Result<(), Failure> {
        self.planned.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// Creates a client with two retries, and the observer that records what it reports.
fn client(base_url: &str, change: impl FnOnce(&mut ClientOptions)) -> (Client, Arc<ReportedEvents>) {
    let observer = Arc::new(ReportedEvents::default());
    let service = Service {
        name: "test".to_owned(),
        base_url: base_url.to_owned(),
        auth_scheme: "Key".to_owned(),
        reporting_tag_header: "X-Tag".to_owned(),
        is_public: true,
    };
    let mut options = ClientOptions {
        service,
        keys: Box::new(|_| ApiKey::new("client-test-key", "a test")),
        network: NetworkOptions { timeout: Duration::from_secs(60), no_proxy: true, ..NetworkOptions::default() },
        retries: 2,
        max_wait: None,
        concurrency: Concurrency::AtMost(4),
        rate: None,
        check: true,
        dry_run: false,
        observer: observer.clone(),
        stop: Stop::default(),
    };
    change(&mut options);
    (Client::new(options).unwrap(), observer)
}

/// Serves one answer per connection; status 0 closes the connection without an answer. Returns the address and the number of requests
/// received so far.
fn serve(statuses: &'static [u16]) -> (String, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let received = Arc::new(AtomicU32::new(0));
    let counter = received.clone();
    std::thread::spawn(move || {
        for status in statuses {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                head.extend_from_slice(&byte);
            }
            counter.fetch_add(1, Ordering::SeqCst);
            if *status > 0 {
                let answer = "Retry-After: 0\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
                write!(stream, "HTTP/1.1 {status} X\r\n{answer}").unwrap();
            }
        }
    });
    (address, received)
}

fn request(method: Method, repeat: Repeat) -> Request {
    Request { repeat, ..Request::new(method, Path::parse("/v2/glossaries/G").unwrap()) }
}

async fn exchange(statuses: &'static [u16], method: Method, repeat: Repeat) -> Result<Answer, Failure> {
    let (address, received) = serve(statuses);
    let (client, _) = client(&address, |_| {});
    let answer = client.exchange(&request(method, repeat)).await;
    assert_eq!(received.load(Ordering::SeqCst) as usize, statuses.len());
    answer
}

#[tokio::test]
async fn a_refused_request_is_repeated_until_it_succeeds() {
    let answer = exchange(&[429, 503, 200], Method::POST, Repeat::UntilArrived).await.unwrap();
    assert_eq!((answer.status, answer.retries, answer.maybe_repeated), (200, 2, false));
}

#[tokio::test]
async fn returns_the_last_answer_when_retries_run_out() {
    let answer = exchange(&[429, 503, 529], Method::GET, Repeat::Always).await.unwrap();
    assert_eq!((answer.status, answer.retries), (529, 2));
}

#[tokio::test]
async fn sends_once_what_may_not_be_repeated() {
    assert_eq!(exchange(&[400], Method::GET, Repeat::Always).await.unwrap().status, 400);
    assert_eq!(exchange(&[500], Method::POST, Repeat::UntilArrived).await.unwrap().status, 500);
    assert_eq!(exchange(&[429], Method::GET, Repeat::Never).await.unwrap().status, 429);
    let failure = exchange(&[0], Method::POST, Repeat::UntilArrived).await.unwrap_err();
    assert!(failure.hint.unwrap().contains("may have received the request"));
}

#[tokio::test]
async fn a_404_after_a_lost_answer_to_a_delete_is_success() {
    let answer = exchange(&[0, 404], Method::DELETE, Repeat::Always).await.unwrap();
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert!(answer.maybe_repeated);
    assert_eq!(exchange(&[404], Method::DELETE, Repeat::Always).await.unwrap().status, 404);
    assert_eq!(exchange(&[503, 404], Method::DELETE, Repeat::Always).await.unwrap().status, 404);
    let answer = exchange(&[500, 400], Method::DELETE, Repeat::Always).await.unwrap();
    assert_eq!((answer.status, answer.body.len(), answer.maybe_repeated), (400, 2, true));
}

struct Discard {
    can_restart: bool,
}

impl BodySink for Discard {
    fn can_restart(&self) -> bool {
        self.can_restart
    }

    fn write(&self, _: &bytes::Bytes) -> Result<(), Failure> {
        Ok(())
    }
}

#[tokio::test]
async fn a_download_that_cannot_start_over_is_not_repeated() {
    for (can_restart, statuses) in [(false, &[503][..]), (true, &[503, 200][..])] {
        let (address, received) = serve(statuses);
        let (client, _) = client(&address, |_| {});
        let request = request(Method::GET, Repeat::Always);
        let answer = client.download(&request, &Discard { can_restart }).await.unwrap();
        assert_eq!(Some(&answer.status), statuses.last());
        assert_eq!(received.load(Ordering::SeqCst) as usize, statuses.len());
    }
}

#[tokio::test]
async fn reports_retries_and_requests_that_change_something() {
    let (address, received) = serve(&[503, 200, 200]);
    let (client, events) = client(&address, |_| {});
    client.exchange(&request(Method::GET, Repeat::Always)).await.unwrap();
    assert_eq!(events.changing.load(Ordering::Relaxed), 0);
    client.exchange(&request(Method::DELETE, Repeat::Always)).await.unwrap();
    assert_eq!(events.changing.load(Ordering::Relaxed), 1);
    assert_eq!(received.load(Ordering::SeqCst), 3);
    let expected = "/v2/glossaries/G: 503 Service Unavailable; retrying in 0 s";
    assert_eq!(*events.waiting.lock().unwrap(), [expected]);
}

#[tokio::test]
async fn a_wait_fails_if_it_exceeds_the_limit_or_a_signal_arrives() {
    let second = Duration::from_secs(1);
    let (client, _) = client("http://127.0.0.1:9", |options| options.max_wait = Some(second / 10));
    let failure = client.pause_for(60 * second, None).await.unwrap_err();
    assert_eq!((failure.kind, failure.what.as_str()), (Kind::Unfinished, "timed out after --max-wait (1 s)"));
    client.pause_for(Duration::ZERO, Some(Duration::ZERO)).await.unwrap();
    let (client, _) = self::client("http://127.0.0.1:9", |_| {});
    assert_eq!(client.pause_for(60 * second, Some(second)).await.unwrap_err().kind, Kind::Unfinished);
    client.stop().raise(Kind::Terminated);
    assert_eq!(client.pause_for(60 * second, None).await.unwrap_err().kind, Kind::Terminated);
}

#[test]
fn refuses_headers_above_the_service_limit_unless_checks_are_off() {
    let padded = |bytes: usize| {
        let mut request = request(Method::GET, Repeat::Always);
        request.headers.insert("x-padding", "x".repeat(bytes).parse().unwrap());
        request
    };
    let (checked, events) = client("http://127.0.0.1:9", |_| {});
    let room = 16_384 - describe::header_bytes(&padded(0), checked.service(), None);
    checked.plan(&padded(room)).unwrap();
    assert_eq!(events.planned.load(Ordering::Relaxed), 1);
    let failure = checked.plan(&padded(room + 1)).unwrap_err();
    assert_eq!(failure.what, "the headers of the request have 16,385 bytes; the limit is 16,384");
    let (unchecked, events) = client("http://127.0.0.1:9", |options| options.check = false);
    unchecked.plan(&padded(room + 1)).unwrap();
    assert_eq!(events.planned.load(Ordering::Relaxed), 1);
}

#[test]
fn a_client_returns_the_options_it_was_built_from() {
    let (plain, _) = client("http://127.0.0.1:9", |_| {});
    assert_eq!((plain.concurrency(), plain.max_concurrency()), (4, 4));
    assert_eq!((plain.is_dry_run(), plain.max_wait()), (false, None));
    let wait = Some(Duration::from_secs(3));
    let (other, _) = client("http://127.0.0.1:9", |options| (options.dry_run, options.max_wait) = (true, wait));
    assert_eq!((other.is_dry_run(), other.max_wait()), (true, wait));
}

fn request_to(method: Method, path: &str, repeat: Repeat) -> Request {
    Request { repeat, ..Request::new(method, Path::parse(path).unwrap()) }
}

fn answered(status: u16) -> Attempt {
    Attempt::Answered(Answer::new(status, reqwest::header::HeaderMap::new(), bytes::Bytes::new()))
}

fn failed(outcome: AttemptFailure) -> Attempt {
    Attempt::Failed { outcome, failure: Failure::new(Kind::Network, "no answer") }
}

#[test]
fn only_a_404_answer_to_a_delete_may_mean_success() {
    let is_missing = |method, status| {
        let Attempt::Answered(answer) = answered(status) else { unreachable!() };
        is_missing_delete(&request_to(method, "/v3/glossaries/G", Repeat::Always), &answer)
    };
    assert!(is_missing(Method::DELETE, 404));
    assert!(!is_missing(Method::DELETE, 403));
    assert!(!is_missing(Method::GET, 404));
    assert!(!is_missing(Method::PATCH, 410));
}

#[test]
fn waits_are_rounded_up_to_whole_seconds_in_messages() {
    let table = [(0, 0), (1, 1), (1_000, 1), (1_001, 2), (7_999, 8), (8_000, 8)];
    for (milliseconds, shown) in table {
        assert_eq!(ceil_seconds(Duration::from_millis(milliseconds)), shown, "{milliseconds} ms");
    }
    assert_eq!(ceil_seconds(Duration::MAX), u64::MAX);
}

#[test]
fn a_lost_request_has_a_hint_that_depends_on_whether_it_may_be_repeated() {
    let give_up = |outcome, repeat, number| {
        let request = request_to(Method::POST, "/v3/glossaries", repeat);
        give_up(failed(outcome), &request, number, "https://x").unwrap_err()
    };
    let failure = give_up(AttemptFailure::Lost, Repeat::Always, 3);
    assert_eq!(failure.what, "no answer (after 3 attempts)");
    assert_eq!(failure.hint.as_deref(), Some("check the network and the proxy, and try again"));
    let in_doubt = "the service may have received the request: check before you send it again";
    for repeat in [Repeat::UntilArrived, Repeat::Never] {
        let failure = give_up(AttemptFailure::Lost, repeat, 1);
        assert_eq!((failure.what.as_str(), failure.hint.as_deref()), ("no answer", Some(in_doubt)));
    }
    assert_eq!(give_up(AttemptFailure::NotSent, Repeat::UntilArrived, 2).hint, None);
    let get = request_to(Method::GET, "/v2/usage", Repeat::Always);
    let failure = super::give_up(failed(AttemptFailure::Lost), &get, 1, "http://x").unwrap_err();
    assert!(failure.hint.unwrap().ends_with("if the port expects https, begin the address with https://"));
    let mut own = failed(AttemptFailure::Lost);
    if let Attempt::Failed { failure, .. } = &mut own {
        failure.hint = Some("raise --timeout".to_owned());
    }
    assert_eq!(super::give_up(own, &get, 1, "https://x").unwrap_err().hint.as_deref(), Some("raise --timeout"));
    assert_eq!(super::give_up(answered(503), &get, 4, "https://x").unwrap().status, 503);
}

#[test]
fn maps_each_attempt_to_an_outcome_for_the_throttle() {
    let text = request_to(Method::POST, "/v2/translate", Repeat::Always);
    let outcome = |attempt| send_outcome(&text, &attempt);
    for status in [200, 299, 300, 400, 404, 456, 500, 502] {
        assert_eq!(outcome(answered(status)), SendOutcome::Answered, "{status}");
    }
    assert_eq!(outcome(answered(429)), SendOutcome::Refused);
    for attempt in [answered(503), answered(504), answered(529), failed(AttemptFailure::NotSent)] {
        assert_eq!(outcome(attempt), SendOutcome::Overloaded);
    }
    assert_eq!(outcome(failed(AttemptFailure::Lost)), SendOutcome::Overloaded);
    assert_eq!(outcome(failed(AttemptFailure::Permanent)), SendOutcome::Inconclusive);
}

#[test]
fn a_document_result_that_is_not_ready_is_not_an_overload() {
    let result = request_to(Method::POST, "/v2/document/D/result", Repeat::Never);
    assert_eq!(send_outcome(&result, &answered(503)), SendOutcome::Answered);
    assert_eq!(send_outcome(&result, &failed(AttemptFailure::Lost)), SendOutcome::Inconclusive);
    assert_eq!(send_outcome(&result, &answered(429)), SendOutcome::Refused);
}
