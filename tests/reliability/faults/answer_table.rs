//! Faults whose answer arrives but is unusable: bodies, heads, secrets, slow and large answers.

use super::answers::{self, ELSEWHERE, head};
use super::server::Act::{Answer, Flood, Hold, Trickle};
use super::table::Scope::{Kinds, Operations, Requests};
use super::table::{CUT, Expected, Fault, LOST, NOT_A_VOICE_CONNECTION, NOT_APPLICABLE, all, fault, in_doubt};
use crate::common::scripted::answer;

/// A complete 2xx answer with wrong content. A removal needs no content, and a document may have any content.
const UNUSABLE: [Expected; 6] = [
    (1, 8, "unexpected response from the service"),
    (1, 0, ""),
    (1, 8, "unexpected response from the service"),
    (1, 0, ""),
    (1, 8, "unexpected response from the service"),
    (1, 8, NOT_A_VOICE_CONNECTION),
];

/// Operations whose content is text instead of JSON: it must consist of entries.
const NO_ENTRIES: &[(&str, Expected)] =
    &[("/v2/glossaries/{glossary_id}/entries", (1, 8, "cannot read the service's entries"))];

/// As [`UNUSABLE`], but without content, so it is not a valid document either.
const EMPTY: [Expected; 6] = [UNUSABLE[0], UNUSABLE[1], UNUSABLE[2], UNUSABLE[0], UNUSABLE[4], UNUSABLE[5]];

pub fn faults() -> [Vec<Fault>; 5] {
    [bodies(), heads(), secrets(), slow(), large()]
}

fn bodies() -> Vec<Fault> {
    let f = |scope, name, act| Fault { exceptions: NO_ENTRIES, ..fault(scope, name, Answer(act), "3", UNUSABLE) };
    let empty = |scope, name, act| fault(scope, name, Answer(act), "3", EMPTY);
    let lost = |scope, name, act| fault(scope, name, Answer(act), "1", in_doubt(8, CUT));
    vec![
        f(Operations, "HTML", answers::html),
        f(Operations, "a length within the body", answers::too_short),
        f(Operations, "null", |_| answer(200, &[], "null")),
        f(Requests, "a string", |_| answer(200, &[], "\"text\"")),
        f(Operations, "a list of numbers", |_| answer(200, &[], "[1,2,3]")),
        f(Operations, "a list of null", |_| answer(200, &[], "[null]")),
        f(Kinds, "lists of lists", |_| answer(200, &[], r#"[[["text",1]]]"#)),
        f(Kinds, "a number", |_| answer(200, &[], "42")),
        f(Kinds, "true", |_| answer(200, &[], "true")),
        f(Kinds, "NaN", |_| answer(200, &[], "{\"character_count\":NaN}")),
        f(Kinds, "invalid UTF-8", |_| answer(200, &[], b"{\"message\":\"\xff\xfe\"}")),
        f(Kinds, "deep lists", answers::nested_lists),
        empty(Operations, "an empty body", |_| answer(200, &[], "")),
        empty(Kinds, "204 without a body", |_| answer(204, &[], "")),
        lost(Operations, "a length beyond the body", answers::too_long),
        lost(Operations, "chunks that end too early", answers::cut_chunks),
        lost(Kinds, "a chunk without a size", answers::wrong_chunks),
        lost(Kinds, "no gzip", answers::wrong_gzip),
    ]
}

fn heads() -> Vec<Fault> {
    let f = |scope, name, act| fault(scope, name, Answer(act), "1", in_doubt(8, LOST));
    let redirect = |scope, name, act| fault(scope, name, Answer(act), "3", REDIRECT);
    vec![
        f(Operations, "no HTTP", |_| b"220 mail.example ESMTP\r\n\r\n".to_vec()),
        f(Operations, "a header of a megabyte", answers::long_header),
        f(Kinds, "300 headers", answers::many_headers),
        f(Kinds, "a header with control characters", answers::wrong_header),
        f(Kinds, "two lengths", answers::two_lengths),
        f(Kinds, "a length below zero", answers::negative_length),
        fault(Kinds, "status 999", Answer(|_| answer(999, &[], "")), "3", all((1, 8, "999"))),
        redirect(Operations, "302", |_| answer(302, &[&format!("location: {ELSEWHERE}")], "")),
        redirect(Kinds, "301", |_| answer(301, &[&format!("location: {ELSEWHERE}")], "")),
        redirect(Kinds, "307", |_| answer(307, &[&format!("location: {ELSEWHERE}")], "")),
        redirect(Kinds, "308", |_| answer(308, &[&format!("location: {ELSEWHERE}")], "")),
        fault(Kinds, "303 without a target", Answer(|_| answer(303, &[], "")), "3", all((1, 8, "redirects"))),
    ]
}

/// The target of a redirected voice connection may contain its token.
const REDIRECT: [Expected; 6] =
    [TO_ELSEWHERE, TO_ELSEWHERE, TO_ELSEWHERE, TO_ELSEWHERE, TO_ELSEWHERE, (1, 8, "redirects")];

const TO_ELSEWHERE: Expected = (1, 8, ELSEWHERE);

/// Answers that repeat secrets. Each is tested with normal and with full verbosity.
fn secrets() -> Vec<Fault> {
    let mut all_rows = Vec::new();
    for flags in [&["--color=never"][..], &["-vv"]] {
        let rows = [
            fault(Operations, "an error with the key", Answer(answers::echo_error), "3", all((1, 5, "Out of order"))),
            fault(Kinds, "plain text with the key", Answer(answers::echo_plain), "3", all((1, 5, "Out of order"))),
            fault(Kinds, "401 with the key", Answer(answers::echo_key), "3", all((1, 3, "Out of order"))),
            fault(Operations, "a redirect with the key", Answer(answers::echo_redirect), "3", all((1, 8, "redirects"))),
            Fault {
                exceptions: NO_ENTRIES,
                ..fault(
                    Operations,
                    "a wrong shape with the key",
                    Answer(answers::echo_malformed_success),
                    "3",
                    UNUSABLE,
                )
            },
        ];
        all_rows.extend(rows.map(|row| Fault { flags, ..row }));
    }
    all_rows
}

/// The time-out is ten seconds, enough for the answers before the fault on a busy machine.
fn slow() -> Vec<Fault> {
    let spaces = |pieces| Trickle(|_| head(200, &["content-type: application/json"]), pieces);
    let rows = [
        fault(Kinds, "slow headers", Hold(answers::nothing), "1", in_doubt(8, "within 10 s")),
        fault(Kinds, "a slow head", Hold(answers::half_head), "1", in_doubt(8, "within 10 s")),
        fault(Kinds, "a slow body", Hold(answers::half_body), "0", SLOW_BODY),
        fault(Kinds, "a trickle without end", spaces(usize::MAX), "0", TRICKLE),
        fault(Kinds, "a trickle", spaces(550), "0", SLOW_RESULT),
    ];
    rows.map(|row| Fault { flags: &["--timeout", "10s"], ..row }).into()
}

const TOO_SLOW: Expected = (1, 8, "within 10 s");

/// For a transfer, the time-out limits each wait for the next byte.
const SLOW_BODY: [Expected; 6] = [TOO_SLOW, TOO_SLOW, TOO_SLOW, (1, 8, "nothing more for 10 s"), TOO_SLOW, TOO_SLOW];

/// A slowly arriving result is not a failure.
const TRICKLE: [Expected; 6] = [TOO_SLOW, TOO_SLOW, TOO_SLOW, NOT_APPLICABLE, TOO_SLOW, TOO_SLOW];
const SLOW_RESULT: [Expected; 6] =
    [NOT_APPLICABLE, NOT_APPLICABLE, NOT_APPLICABLE, (1, 0, ""), NOT_APPLICABLE, NOT_APPLICABLE];

/// Answers beyond the memory limit. Results are streamed to a file instead.
fn large() -> Vec<Fault> {
    let large = "it is larger than ";
    let too_large = (1, 8, large);
    let expected = [too_large, too_large, too_large, (1, 0, ""), too_large, (1, 8, NOT_A_VOICE_CONNECTION)];
    let refused = all((1, 5, "400 Bad Request"));
    let long = Flood(|_| head(200, &["content-length: 104857600"]), 100);
    let chunks = Flood(|_| head(200, &[]), 100);
    let error = Flood(|_| head(400, &["content-length: 104857600"]), 100);
    let rows = [
        fault(Kinds, "100 MB", long, "3", expected),
        fault(Kinds, "100 MB without a length", chunks, "3", expected),
        fault(Kinds, "a gzip bomb", Answer(answers::success_bomb), "3", expected),
        Fault { memory: Some([96, 96]), ..fault(Kinds, "an error of 100 MB", error, "3", refused) },
        Fault {
            memory: Some([96, 96]),
            ..fault(Kinds, "a gzip bomb as an error", Answer(answers::error_bomb), "3", refused)
        },
    ];
    rows.map(|row| Fault { memory: row.memory.or(Some([96, 96])), ..row }).into()
}
