//! Generated requests: valid ones with exchanged parts and changed bytes, and arbitrary bytes.
//!
//! None of them may make the sandbox panic, answer 500, or keep a connection open after its client has closed it.

use std::cell::Cell;
use std::sync::Once;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::raw::{HalfClose, assert_alive, exchange};
use super::server::TestServer;

thread_local! {
    /// Number of panics on this thread, which also runs the server.
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

/// Starts counting the panics of each thread.
fn count_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PANICS.set(PANICS.get() + 1);
            previous(info);
        }));
    });
}

#[derive(Clone, Debug)]
struct HostileRequest {
    method: &'static str,
    target: String,
    headers: Vec<String>,
    body: Vec<u8>,
    framing: Framing,
    changes: Vec<(prop::sample::Index, ByteChange)>,
}

#[derive(Clone, Copy, Debug)]
enum Framing {
    Length,
    Chunked,
    Wrong,
    Missing,
    Both,
}

#[derive(Clone, Debug)]
enum ByteChange {
    Replace(u8),
    Insert(Vec<u8>),
    Remove(usize),
    Cut,
}

impl HostileRequest {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.method, self.target).into_bytes();
        for header in &self.headers {
            bytes.extend_from_slice(format!("{header}\r\n").as_bytes());
        }
        let length = self.body.len();
        let lengths = match self.framing {
            Framing::Length => format!("Content-Length: {length}\r\n"),
            Framing::Chunked => "Transfer-Encoding: chunked\r\n".to_owned(),
            Framing::Wrong => format!("Content-Length: {}\r\n", length + 3),
            Framing::Missing => String::new(),
            Framing::Both => format!("Content-Length: {length}\r\nTransfer-Encoding: chunked\r\n"),
        };
        bytes.extend_from_slice(format!("{lengths}\r\n").as_bytes());
        if matches!(self.framing, Framing::Chunked) {
            bytes.extend_from_slice(format!("{length:x}\r\n").as_bytes());
        }
        bytes.extend_from_slice(&self.body);
        if matches!(self.framing, Framing::Chunked) {
            bytes.extend_from_slice(b"\r\n0\r\n\r\n");
        }
        for (index, change) in &self.changes {
            let at = index.index(bytes.len() + 1);
            match change {
                ByteChange::Replace(byte) => bytes.get_mut(at).into_iter().for_each(|old| *old = *byte),
                ByteChange::Insert(more) => drop(bytes.splice(at..at, more.iter().copied())),
                ByteChange::Remove(n) => drop(bytes.drain(at..(at + n).min(bytes.len()))),
                ByteChange::Cut => bytes.truncate(at),
            }
        }
        bytes
    }
}

fn target() -> impl Strategy<Value = String> {
    let paths = [
        "/v2/translate",
        "/v2/usage",
        "/v2/languages",
        "/v2/document",
        "/v2/document/0A",
        "/v2/document/0A/result",
        "/v2/glossaries",
        "/v2/glossary-language-pairs",
        "/v2/write/rephrase",
        "/v2/write/correct",
        "/v2/admin/analytics",
        "/v2/admin/analytics/language-pairs",
        "/v2/admin/developer-keys",
        "/v3/glossaries",
        "/v3/glossaries/5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69/entries",
        "/v3/glossaries/x/dictionaries",
        "/v3/style_profiles",
        "/v3/style_profiles/x",
        "/v3/style_rules",
        "/v3/style_rules/x",
        "/v3/languages",
        "/v3/voice/realtime",
        "/v3/voice/realtime/connect",
        "/v3/voice/spoken_terms",
        "/v3/translation_memories",
        "/v3/detect/language",
        "/v1/quality-evaluation",
        "/v1/jobs/voice/translate",
        "/v1/jobs/voice/translate/x",
        "/_sandbox/",
        "/_sandbox/reset",
        "/_sandbox/requests",
        "/_sandbox/options",
        "/_sandbox/state",
        "/",
        "*",
        "http://a/v2/usage",
        "",
    ];
    let queries = [
        "",
        "?",
        "?type=target",
        "?source_lang=en&target_lang=de",
        "?token=0A1B.61",
        "?page=-1&page_size=99999999999999",
        "?%ff=%00",
        "?auth_key=x",
        "?start_date=2026-02-31&end_date=9999-99-99",
        "?session=%F0%9F%98%80&after=18446744073709551616",
        "?resource=voice&include=beta,external",
        "?&&==&",
        "/%2e%2e/",
        "?x=%",
    ];
    (select(paths.to_vec()), select(queries.to_vec())).prop_map(|(path, query)| format!("{path}{query}"))
}

fn header() -> impl Strategy<Value = String> {
    let headers = [
        "Content-Type: application/json",
        "Content-Type: application/x-www-form-urlencoded",
        "Content-Type: text/plain",
        "Content-Type: multipart/form-data; boundary=x",
        "Content-Type: multipart/form-data",
        "Content-Encoding: gzip",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Upgrade: h2c",
        "Connection: close",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Expect: 100-continue",
        "X-Tulk-Sandbox-Session: s",
        "X-Tulk-Sandbox-Fault: cut",
        "X-Tulk-Sandbox-Fault: short",
        "X-Tulk-Sandbox-Fault: garbage",
        "X-Tulk-Sandbox-Fault: drop",
        "X-Tulk-Sandbox-Fault: 429;times=1;retry-after=x",
        "X-Tulk-Sandbox-Fault: ;;==",
        "X-Tulk-Sandbox: 1",
        "Origin: null",
        "X-Service-Reporting-Tag: a",
        "X-DeepL-Reporting-Tag: \u{fc}",
        "Accept: text/csv",
        "If-None-Match: *",
        "Range: bytes=0-",
        "Authorization: Bearer x",
        "Host: b",
        "Cookie: a=b",
        "TE: trailers",
        "Trailer: X",
        "Transfer-Encoding: identity",
    ];
    prop_oneof![9 => select(headers.to_vec()).prop_map(str::to_owned), 1 => "[ -~]{0,30}"]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let bodies = [
        "",
        "{}",
        "null",
        r#"{"text":["a"],"target_lang":"de"}"#,
        "text=a&target_lang=de",
        r#"{"text":["<p>a &amp; b"],"target_lang":"de","tag_handling":"html","show_billed_characters":true}"#,
        r#"{"text":["a<x/>"],"target_lang":"de","tag_handling":"xml","tag_handling_version":"v2","ignore_tags":["x"]}"#,
        r#"{"name":"a","dictionaries":[{"source_lang":"en","target_lang":"de","entries":"a\tb","entries_format":"tsv"}]}"#,
        r#"{"name":"a","source_lang":"en","target_lang":"de","entries":"a\tb","entries_format":"csv"}"#,
        r#"{"name":"a","language":"en","configured_rules":{"dates_and_times":{"x":"y"}}}"#,
        r#"{"source_media_content_type":"audio/pcm;encoding=s16le;rate=16000","target_languages":["de"]}"#,
        r#"{"label":"a"}"#,
        r#"{"faults":["503"],"document_queue":"1s"}"#,
        r#"{"text":"a","writing_style":"simple"}"#,
        "--x\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nde\r\n--x\r\nContent-Disposition: form-data; \
         name=\"file\"; filename=\"a.txt\"\r\n\r\nHello\r\n--x--\r\n",
        "--x\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nde\r\n--x\r\nContent-Disposition: form-data; \
         name=\"file\"; filename=\"a.xlf\"\r\n\r\n<xliff version='1.2'><file><body><trans-unit><source>a\r\n--x--\r\n",
    ];
    prop_oneof![8 => select(bodies.to_vec()).prop_map(Vec::from), 1 => vec(any::<u8>(), 0..200), 1 => "\\PC{0,100}".prop_map(Vec::from)]
}

fn change() -> impl Strategy<Value = ByteChange> {
    let tokens = [
        "\r\n",
        "\0",
        "\u{feff}",
        "\\ud800",
        "[[[[[[",
        "\"",
        "&",
        "%ff",
        ": ",
        "0\r\n\r\n",
        "Content-Length: 9\r\n",
        "&#x110000;",
    ];
    prop_oneof![
        any::<u8>().prop_map(ByteChange::Replace),
        select(tokens.to_vec()).prop_map(|token| ByteChange::Insert(token.into())),
        (1..20usize).prop_map(ByteChange::Remove),
        Just(ByteChange::Cut),
    ]
}

fn request() -> impl Strategy<Value = HostileRequest> {
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE", "X"];
    let framings =
        [Framing::Length, Framing::Length, Framing::Chunked, Framing::Wrong, Framing::Missing, Framing::Both];
    let method = prop_oneof![select(vec!["GET", "POST"]), select(methods.to_vec())];
    let changes = prop_oneof![Just(Vec::new()), vec((any::<prop::sample::Index>(), change()), 1..4)];
    (method, target(), vec(header(), 0..5), body(), select(framings.to_vec()), changes, prop::bool::weighted(0.9))
        .prop_map(|(method, target, mut headers, body, framing, changes, has_key)| {
            headers.insert(0, "Host: a".to_owned());
            if has_key {
                headers.insert(1, "Authorization: Service-Auth-Key sandbox".to_owned());
            }
            HostileRequest { method, target, headers, body, framing, changes }
        })
}

/// Sends generated bytes to one server, several cases at a time.
fn survives(bytes: impl Strategy<Value = Vec<u8>>) {
    count_panics();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let server = runtime.block_on(TestServer::ephemeral());
    let config = Config { failure_persistence: None, ..Config::default() };
    let cases = std::cell::Cell::new(0_u32);
    TestRunner::new(config)
        .run(&bytes, |bytes| {
            let answer = runtime.block_on(exchange(&server, &bytes, HalfClose::AtOnce)).map_err(TestCaseError::fail)?;
            prop_assert_eq!(PANICS.get(), 0, "it panicked");
            prop_assert_ne!(answer.status, 500, "{:?}", answer);
            cases.set(cases.get() + 1);
            if cases.get().is_multiple_of(64) {
                runtime.block_on(assert_alive(&server));
            }
            Ok(())
        })
        .unwrap();
    runtime.block_on(async {
        assert_alive(&server).await;
        server.stop().await;
    });
    assert_eq!(PANICS.get(), 0);
}

#[test]
fn survives_changed_requests() {
    survives(request().prop_map(|request| request.bytes()));
}

#[test]
fn survives_any_bytes() {
    let starts =
        ["", "GET ", "POST /v2/translate HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\u{16}\u{3}\u{1}"];
    survives(
        (select(starts.to_vec()), vec(any::<u8>(), 0..300))
            .prop_map(|(start, bytes)| [start.as_bytes(), &bytes].concat()),
    );
}
