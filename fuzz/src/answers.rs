//! Targets for data from the service: answers, pages and voice messages, and the secrets in them.

use std::time::Duration;

use tulk_base::error::ErrorReport;
use tulk_base::json;
use tulk_base::secrets;
use tulk_client::api::voice::VoiceMessageFormat;
use tulk_client::api::voice::message::{VoiceMessage, decode_binary, decode_text, encode_chunk, encode_end};
use tulk_client::http::pages::SeenElements;
use tulk_client::http::{fuzzing, redact};

use super::FuzzTarget;
use tulk::untrusted::escape_terminal;

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "answer", check: answer },
    FuzzTarget { name: "secrets", check: secret_in_any_encoding },
    FuzzTarget { name: "voice_message", check: voice_message },
];

/// Registered as a secret, so it must never be printed.
const SECRET: &str = "fuzz/secret+0123=\"\\";

/// The input has a status, lines of headers, an empty line and a body.
fn answer(input: &[u8]) {
    secrets::register(SECRET);
    let text = String::from_utf8_lossy(input);
    let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.parse().ok()).unwrap_or(500);
    let headers: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(": ")).collect();
    let answer = fuzzing::answer(status, &headers, body.as_bytes());
    assert!(fuzzing::wait(&answer).is_none_or(|wait| wait >= Duration::ZERO));
    for failure in fuzzing::failures(&answer) {
        let printed = [failure.to_string(), failure.hint.clone().unwrap_or_default()];
        let report = ErrorReport::new(&failure.into());
        for text in printed.iter().map(String::as_str).chain([report.message.as_str()]) {
            assert_printable(text);
        }
    }
    for line in fuzzing::logged(&answer) {
        assert_printable(&line);
    }
    let body = redact::body(body.as_bytes());
    assert_eq!(redact::body(body.as_bytes()), body, "not idempotent");
    if let Ok(value) = serde_json::from_str(&body) {
        assert_redacted(&value);
    }
    let addresses = redact::addresses(&text);
    assert_eq!(redact::addresses(&addresses), addresses, "not idempotent");
    let mut seen = SeenElements::default();
    let pages = text.split("\n\n").map(|page| seen.add(page.lines(), true));
    // The first page is always accepted. Each later page needs a line that is on no earlier page. Only one page can have the empty line
    // as its only new line. So at most two pages are accepted without a new non-empty line.
    assert!(
        pages.flatten().count() <= text.split('\n').filter(|line| !line.is_empty()).count() + 2,
        "the list does not end"
    );
}

fn assert_printable(text: &str) {
    let redacted = secrets::redact(text);
    let printed = escape_terminal(&redacted);
    let is_plain = |c: char| !json::is_terminal_control(c) || matches!(c, '\n' | '\t' | '\r');
    assert!(printed.chars().all(is_plain), "{printed:?}");
    assert!(!redacted.contains(SECRET), "{redacted:?}");
}

fn assert_redacted(value: &serde_json::Value) {
    match value {
        serde_json::Value::Object(object) => {
            for (name, value) in object {
                let is_hidden = value.is_null() || *value == redact::REDACTED;
                assert!(is_hidden || !redact::is_secret_field(name), "{name}: {value}");
                assert_redacted(value);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(assert_redacted),
        _ => {}
    }
}

/// The input chooses how the secret is escaped, byte by byte and layer by layer.
fn secret_in_any_encoding(input: &[u8]) {
    secrets::register(SECRET);
    let (how, around) = input.split_at_checked(SECRET.len()).unwrap_or((input, b""));
    let mut encoded = SECRET.to_owned();
    // The first byte chooses up to three layers. Each layer always escapes its own escape character.
    let layers = how.first().map_or(0, |byte| usize::from(byte % 4));
    for layer in 0..layers {
        let kind = how.get(layer + 1).copied().unwrap_or(0);
        let encode = |(at, byte): (usize, u8)| {
            let is_escaped = how.get((at + layer) % how.len().max(1)).is_some_and(|how| how % 2 == 1);
            let form = match kind % 4 {
                0 => (b'%', format!("%{byte:02X}")),
                1 => (b'\\', format!("\\u{byte:04x}")),
                2 if kind % 8 < 4 => (b'&', format!("&#{byte};")),
                2 => (b'&', format!("&#x{byte:X};")),
                _ => (b'=', format!("={byte:02X}")),
            };
            if byte == form.0 || is_escaped { form.1 } else { char::from(byte).to_string() }
        };
        encoded = encoded.bytes().enumerate().map(encode).collect();
    }
    let around = String::from_utf8_lossy(around);
    let (before, after) = around.split_once('\n').unwrap_or((&around, ""));
    let text = format!("{before} {encoded} {after}");
    let printed = secrets::redact(&text);
    assert!(!printed.contains(&encoded), "{encoded:?} in {printed:?}");
    assert!(printed.contains(secrets::REDACTED));
    assert_eq!(secrets::redact(&printed), printed, "not idempotent");
}

fn voice_message(input: &[u8]) {
    if let Ok(VoiceMessage::TargetMedia(media)) = decode_binary(input) {
        assert!(media.data.iter().map(Vec::len).sum::<usize>() <= input.len(), "more audio than bytes");
    }
    for format in [VoiceMessageFormat::Json, VoiceMessageFormat::Msgpack] {
        assert!(encode_end(format).is_ok());
        let chunk = encode_chunk(format, input);
        assert!(chunk.is_ok());
        if let Ok(chunk) = chunk {
            use tulk_sandbox::fuzzing::{VoiceFrame, received_audio};

            use tulk_client::api::voice::message::EncodedMessage;
            let frame = match &chunk {
                EncodedMessage::Text(text) => VoiceFrame::Text(text),
                EncodedMessage::Binary(bytes) => VoiceFrame::Binary(bytes),
            };
            assert_eq!(received_audio(frame).as_deref(), Ok(input));
        }
    }
    tulk_sandbox::fuzzing::decode_frames(input);
    let Ok(text) = std::str::from_utf8(input) else { return };
    let _ = decode_text(text);
    let Ok(value) = serde_json::from_str::<serde_json::Value>(text) else { return };
    let Ok(packed) = rmp_serde::to_vec_named(&value) else { return };
    match (decode_text(&value.to_string()), decode_binary(&packed)) {
        (Ok(text), Ok(binary)) => assert_eq!(text, binary, "{value}"),
        (text, binary) => assert_eq!(text.is_ok(), binary.is_ok(), "{value}: {text:?} {binary:?}"),
    }
}
