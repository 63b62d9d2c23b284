//! The faults: what happens to a request, and what each class of operations must do then.
//!
//! The expectations come from the documented rules (docs/service.md, "Errors"; docs/configuration.md; docs/documents.md; the
//! table of exit codes), not from runs of the program.

use super::answer_table;
use super::answers::{self, MESSAGE};
use super::server::Act::{self, Answer, Refuse, Reset};
use crate::common::scripted::answer;

/// Number of attempts, exit code, text on stderr. Code 0 is success with the right result.
pub type Expected = (usize, i32, &'static str);

/// No row: the fault does not apply to this class.
pub const NOT_APPLICABLE: Expected = (usize::MAX, 0, "");

/// Requests at which a fault is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each request of each command.
    Requests,
    /// One request of each operation.
    Operations,
    /// One request of each kind: read, text, creation, removal, upload, download, pages, stream.
    Kinds,
}

use Scope::{Kinds, Operations, Requests};

/// A fault and its expected outcomes.
pub struct Fault {
    pub name: &'static str,
    pub scope: Scope,
    pub act: Act,
    /// How often it happens before the right answer is sent.
    pub times: usize,
    pub retries: &'static str,
    /// Outcomes in the order retryable with content, retryable without, creations, results, reconnections, sockets.
    pub expected: [Expected; 6],
    /// Outcomes by prefix of the path; they override `expected`.
    pub exceptions: &'static [(&'static str, Expected)],
    /// More flags, such as `-vv`. Without any, rows alternate between verbosity flags.
    pub flags: &'static [&'static str],
    /// Shortest time between the first two attempts, in milliseconds.
    pub wait_ms: u64,
    /// Largest memory in MiB: for answers kept in memory, and for results.
    pub memory: Option<[u64; 2]>,
}

/// A fault that happens to every attempt.
pub fn fault(scope: Scope, name: &'static str, act: Act, retries: &'static str, expected: [Expected; 6]) -> Fault {
    Fault {
        name,
        scope,
        act,
        times: usize::MAX,
        retries,
        expected,
        exceptions: &[],
        flags: &[],
        wait_ms: 0,
        memory: None,
    }
}

pub const fn all(expected: Expected) -> [Expected; 6] {
    [expected; 6]
}

/// The service reports that it did not act on the request: three attempts.
const fn refused(code: i32, cause: &'static str) -> [Expected; 6] {
    [(3, code, cause), (3, code, cause), (3, code, cause), (3, code, cause), (1, code, cause), (1, code, cause)]
}

/// The service reports that it did not act on the request: two attempts.
const fn refused_twice(code: i32, cause: &'static str) -> [Expected; 6] {
    [(2, code, cause), (2, code, cause), (2, code, cause), (2, code, cause), (1, code, cause), (1, code, cause)]
}

/// The service may have acted on the request: two attempts if that is safe.
pub const fn in_doubt(code: i32, cause: &'static str) -> [Expected; 6] {
    [
        (2, code, cause),
        (2, code, cause),
        (1, code, cause),
        (2, code, cause),
        (1, code, cause),
        (1, code, socket_cause(cause)),
    ]
}

/// Message for a request without an answer.
pub const LOST: &str = "was lost";
/// Message for a truncated answer.
pub const CUT: &str = "was cut off";

/// Message for a WebSocket that was not opened.
pub const NOT_OPENED: &str = "cannot open the voice connection";
/// Message for an answer that does not open a WebSocket, truncated or not.
pub const NOT_A_VOICE_CONNECTION: &str = "expected a voice connection";

const fn socket_cause(cause: &'static str) -> &'static str {
    match cause.as_bytes() {
        b"was lost" => NOT_OPENED,
        b"was cut off" => NOT_A_VOICE_CONNECTION,
        _ => cause,
    }
}

fn without_retry(expected: [Expected; 6]) -> [Expected; 6] {
    expected.map(|(_, code, cause)| (1, code, cause))
}

/// A wait beyond `--max-wait`.
const fn beyond_max_wait(cause: &'static str) -> [Expected; 6] {
    let unfinished = (1, 10, "would exceed the maximum total wait");
    [unfinished, unfinished, unfinished, unfinished, (1, 7, cause), (1, 7, cause)]
}

pub fn faults() -> Vec<Fault> {
    let [bodies, heads, secrets, slow, large] = answer_table::faults();
    let groups = [statuses(), retry_after(), connections(), single_faults(), bodies, heads, secrets, slow, large];
    groups.into_iter().flatten().collect()
}

fn statuses() -> Vec<Fault> {
    vec![
        fault(Operations, "500", Answer(|_| answer(500, &[], "")), "1", in_doubt(7, "500 Internal Server Error")),
        fault(Requests, "500, a message", Answer(|_| answer(500, &[], MESSAGE)), "0", all((1, 7, "Out of order"))),
        fault(Kinds, "502", Answer(|_| answer(502, &[], MESSAGE)), "1", in_doubt(7, "Out of order")),
        fault(Kinds, "504", Answer(|_| answer(504, &[], MESSAGE)), "1", in_doubt(7, "Out of order")),
        fault(Operations, "503", Answer(|_| answer(503, &[], "")), "1", refused_twice(7, "503 Service Unavailable")),
        fault(Kinds, "529", Answer(|_| answer(529, &[], "")), "1", refused_twice(7, "529 Overloaded")),
        fault(Operations, "400", Answer(|_| answer(400, &[], MESSAGE)), "3", all((1, 5, "Out of order"))),
        fault(Operations, "403", Answer(|_| answer(403, &[], "")), "3", all((1, 3, "403 Forbidden"))),
        fault(Operations, "404", Answer(|_| answer(404, &[], MESSAGE)), "0", all((1, 4, "Out of order"))),
        Fault {
            // For glossaries, 456 means too many requests, not an exhausted quota.
            exceptions: &[("/v3/glossaries", (3, 7, "Out of order"))],
            ..fault(
                Operations,
                "456",
                Answer(|_| answer(456, &["retry-after: 0"], MESSAGE)),
                "2",
                all((1, 6, "Out of order")),
            )
        },
        fault(Kinds, "401", Answer(|_| answer(401, &[], MESSAGE)), "3", all((1, 3, "Out of order"))),
        fault(Kinds, "413", Answer(|_| answer(413, &[], "")), "3", all((1, 5, "413 Payload Too Large"))),
    ]
}

fn retry_after() -> Vec<Fault> {
    let f = |scope, name, act, retries, expected| fault(scope, name, act, retries, expected);
    let none = Answer(|_| answer(429, &[], ""));
    let zero = Answer(|_| answer(429, &["retry-after: 0"], MESSAGE));
    let fraction = Answer(|_| answer(429, &["retry-after: 0.05"], ""));
    let past = Answer(|_| answer(429, &["retry-after: Sun, 06 Nov 1994 08:49:37 GMT"], ""));
    let no_time = Answer(|_| answer(429, &["retry-after: soon"], ""));
    let negative = Answer(|_| answer(429, &["retry-after: -5"], ""));
    let huge = Answer(|_| answer(429, &["retry-after: 9223372036854775807"], ""));
    let float = Answer(|_| answer(429, &["retry-after: 1e300"], ""));
    let year_9999 = Answer(|_| answer(429, &["retry-after: Fri, 31 Dec 9999 23:59:59 GMT"], ""));
    let zero_503 = Answer(|_| answer(503, &["retry-after: 0"], MESSAGE));
    let huge_503 = Answer(|_| answer(503, &["retry-after: 86400"], ""));
    let zero_529 = Answer(|_| answer(529, &["retry-after: 0"], MESSAGE));
    let second = Answer(|_| answer(429, &["retry-after: 1"], ""));
    let busy = "429 Too Many Requests";
    vec![
        f(Operations, "429", none, "1", refused_twice(7, busy)),
        f(Requests, "429, Retry-After 0", zero, "2", refused(7, "Out of order")),
        f(Operations, "429, Retry-After 0.05", fraction, "2", refused(7, busy)),
        f(Operations, "429, Retry-After in the past", past, "2", refused(7, busy)),
        f(Operations, "429, Retry-After without end", huge, "2", beyond_max_wait(busy)),
        f(Operations, "503, Retry-After 0", zero_503, "2", refused(7, "Out of order")),
        f(Operations, "529, Retry-After 0", zero_529, "2", refused(7, "Out of order")),
        f(Kinds, "429, Retry-After soon", no_time, "1", refused_twice(7, busy)),
        f(Kinds, "429, Retry-After below zero", negative, "1", refused_twice(7, busy)),
        f(Kinds, "429, Retry-After 1e300", float, "2", beyond_max_wait(busy)),
        f(Kinds, "429, Retry-After in the year 9999", year_9999, "2", beyond_max_wait(busy)),
        f(Kinds, "503, Retry-After of a day", huge_503, "2", beyond_max_wait("503 Service Unavailable")),
        Fault { wait_ms: 1000, ..f(Kinds, "429, Retry-After 1", second, "1", refused_twice(7, busy)) },
        Fault {
            wait_ms: 1000,
            ..f(Kinds, "429, Retry-After as a date", Answer(answers::retry_after_date), "1", refused_twice(7, busy))
        },
    ]
}

fn connections() -> Vec<Fault> {
    let refusal = "cannot connect to http://127.0.0.1:";
    let twice = "Connection refused (after 2 attempts)";
    let once = "Connection refused";
    let not_sent = [(0, 8, twice), (0, 8, twice), (0, 8, twice), (0, 8, refusal), (0, 8, once), (0, 8, once)];
    vec![
        fault(Operations, "connection refused", Refuse, "1", not_sent),
        fault(Operations, "reset before the answer", Reset(answers::nothing), "1", in_doubt(8, LOST)),
        fault(Operations, "reset in the head", Reset(answers::half_head), "1", in_doubt(8, LOST)),
        fault(Operations, "reset in the body", Reset(answers::half_body), "1", in_doubt(8, CUT)),
        fault(Operations, "closed without an answer", Answer(answers::nothing), "1", in_doubt(8, LOST)),
        fault(Requests, "closed in the body", Answer(answers::half_body), "0", without_retry(in_doubt(8, CUT))),
    ]
}

/// Faults that happen once, before the right answer.
fn single_faults() -> Vec<Fault> {
    let busy = Answer(|_| answer(429, &["retry-after: 0"], ""));
    let down = Answer(|_| answer(503, &["retry-after: 0"], ""));
    let right = (1, 0, "");
    let recovered = |cause| [right, right, right, right, (1, 7, cause), (1, 7, cause)];
    let lost = [right, right, (1, 8, LOST), right, (1, 8, LOST), (1, 8, NOT_OPENED)];
    let gone = Answer(|_| answer(500, &[], MESSAGE));
    let message = (1, 7, "Out of order");
    let failed = [right, right, message, right, message, message];
    let not_found = (2, 4, "Out of order");
    let removed = [not_found, (2, 0, ""), (1, 8, LOST), not_found, (1, 8, LOST), (1, 8, NOT_OPENED)];
    let first = |fault: Fault| Fault { times: 1, ..fault };
    vec![
        first(fault(Operations, "429 once", busy, "1", recovered("429 Too Many Requests"))),
        first(fault(Kinds, "503 once", down, "1", recovered("503 Service Unavailable"))),
        first(fault(Operations, "reset once", Reset(answers::nothing), "1", lost)),
        first(fault(Kinds, "500 once", gone, "1", failed)),
        fault(Operations, "closed without an answer, then 404", Answer(answers::lost_then_404), "1", removed),
        first(fault(Operations, "reset after the answer", Reset(answers::right_keep_alive), "1", [right; 6])),
    ]
}
