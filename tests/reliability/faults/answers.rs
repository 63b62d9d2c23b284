//! Faulty responses, as raw bytes.

use std::io::Write as _;
use std::sync::OnceLock;

use super::server::Faulted;
use crate::common::scripted::answer;

/// Target of redirects. Port 1 is reserved, so nothing listens there.
pub const ELSEWHERE: &str = "http://127.0.0.1:1/elsewhere";

/// Body of an error of the service.
pub const MESSAGE: &str = r#"{"message":"Out of order."}"#;

fn right_body<'a>(faulted: &'a Faulted) -> &'a [u8] {
    let at = faulted.right.windows(4).position(|bytes| bytes == b"\r\n\r\n").map_or(faulted.right.len(), |at| at + 4);
    let body = &faulted.right[at..];
    if body.len() < 8 { br#"{"label":"none"}"# } else { body }
}

pub fn head(status: u16, lines: &[&str]) -> Vec<u8> {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    format!("HTTP/1.1 {status} Fault\r\nconnection: close\r\n{lines}\r\n").into_bytes()
}

fn with_length(faulted: &Faulted, lines: &[&str]) -> Vec<u8> {
    [&head(200, lines), right_body(faulted)].concat()
}

/// Half of the right body with the full Content-Length.
pub fn half_body(faulted: &Faulted) -> Vec<u8> {
    let body = right_body(faulted);
    let length = format!("content-length: {}", body.len());
    [&head(200, &[&length]), &body[..body.len() / 2]].concat()
}

pub fn too_long(faulted: &Faulted) -> Vec<u8> {
    with_length(faulted, &[&format!("content-length: {}", right_body(faulted).len() + 100)])
}

pub fn two_lengths(faulted: &Faulted) -> Vec<u8> {
    with_length(faulted, &["content-length: 3", &format!("content-length: {}", right_body(faulted).len())])
}

pub fn negative_length(faulted: &Faulted) -> Vec<u8> {
    with_length(faulted, &["content-length: -1"])
}

pub fn too_short(_: &Faulted) -> Vec<u8> {
    [&head(200, &["content-length: 5"]), &br#"{"message":"more"}"#[..]].concat()
}

pub fn cut_chunks(faulted: &Faulted) -> Vec<u8> {
    let body = right_body(faulted);
    let first = format!("{:x}\r\n", body.len());
    [&head(200, &["transfer-encoding: chunked"]), first.as_bytes(), body, b"\r\n10\r\nxx"].concat()
}

pub fn wrong_chunks(faulted: &Faulted) -> Vec<u8> {
    [&head(200, &["transfer-encoding: chunked"]), &b"seven\r\n"[..], right_body(faulted)].concat()
}

pub fn right_keep_alive(faulted: &Faulted) -> Vec<u8> {
    faulted.right.to_vec()
}

pub fn lost_then_404(faulted: &Faulted) -> Vec<u8> {
    if faulted.is_first { Vec::new() } else { answer(404, &[], MESSAGE) }
}

pub fn half_head(_: &Faulted) -> Vec<u8> {
    b"HTTP/1.1 200 OK\r\ncontent-type: application/js".to_vec()
}

pub fn nothing(_: &Faulted) -> Vec<u8> {
    Vec::new()
}

pub fn html(_: &Faulted) -> Vec<u8> {
    let page = format!("<!DOCTYPE html><html><body>{}</body></html>", "<p>Sign in.</p>".repeat(1000));
    answer(200, &["content-type: text/html"], page)
}

/// Nested lists, below the nesting limit of an answer.
pub fn nested_lists(_: &Faulted) -> Vec<u8> {
    answer(200, &[], [vec![b'['; 40_000], vec![b']'; 40_000]].concat())
}

pub fn wrong_gzip(_: &Faulted) -> Vec<u8> {
    answer(200, &["content-encoding: gzip"], "this is not compressed")
}

pub fn long_header(faulted: &Faulted) -> Vec<u8> {
    answer(200, &[&format!("x-long: {}", "x".repeat(1_000_000))], right_body(faulted))
}

pub fn many_headers(faulted: &Faulted) -> Vec<u8> {
    let lines: Vec<String> = (0..300).map(|n| format!("x-{n}: x")).collect();
    answer(200, &lines.iter().map(String::as_str).collect::<Vec<_>>(), right_body(faulted))
}

pub fn wrong_header(faulted: &Faulted) -> Vec<u8> {
    answer(200, &["x y\u{1}: \u{2}\u{7f}"], right_body(faulted))
}

/// 80 MB of spaces, compressed to a few kilobytes.
fn bomb(status: u16) -> Vec<u8> {
    static BODY: OnceLock<Vec<u8>> = OnceLock::new();
    let body = BODY.get_or_init(|| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = vec![b' '; 1024 * 1024];
        (0..80).for_each(|_| encoder.write_all(&block).expect("memory"));
        encoder.finish().expect("memory")
    });
    answer(status, &["content-encoding: gzip"], body)
}

pub fn success_bomb(_: &Faulted) -> Vec<u8> {
    bomb(200)
}

pub fn error_bomb(_: &Faulted) -> Vec<u8> {
    bomb(400)
}

pub fn retry_after_date(_: &Faulted) -> Vec<u8> {
    let date = httpdate::fmt_http_date(std::time::SystemTime::now() + std::time::Duration::from_secs(2));
    answer(429, &[&format!("retry-after: {date}")], "")
}

fn echo(faulted: &Faulted) -> String {
    let plain = faulted.secrets.join(" and ");
    let encoded: String = plain.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("you sent {plain}, which is {encoded}")
}

pub fn echo_error(faulted: &Faulted) -> Vec<u8> {
    let text = echo(faulted);
    let mut lines = vec![
        format!("x-trace-id: {text}"),
        format!("x-echo: authorization: Service-Auth-Key {text}"),
        format!("set-cookie: session={text}"),
        format!("link: <http://127.0.0.1:1/?x={}>; rel=next", faulted.secrets.concat()),
    ];
    lines.extend(faulted.secrets.iter().map(|secret| format!("x-{secret}: 1")));
    let body = format!(r#"{{"message":"Out of order: {text}","detail":"{text}","code":"{text}","extra":["{text}"]}}"#);
    answer(400, &lines.iter().map(String::as_str).collect::<Vec<_>>(), body)
}

pub fn echo_plain(faulted: &Faulted) -> Vec<u8> {
    let text = echo(faulted);
    let head = format!("HTTP/1.1 400 {text}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", text.len() + 14);
    format!("{head}Out of order: {text}").into_bytes()
}

pub fn echo_redirect(faulted: &Faulted) -> Vec<u8> {
    let secrets = faulted.secrets.concat();
    answer(302, &[&format!("location: {ELSEWHERE}/{secrets}?key={secrets}&x={secrets}")], echo(faulted))
}

pub fn echo_malformed_success(faulted: &Faulted) -> Vec<u8> {
    answer(200, &[&format!("x-trace-id: {}", echo(faulted))], format!("[\"{}\"]", echo(faulted)))
}

pub fn echo_key(faulted: &Faulted) -> Vec<u8> {
    let header = format!("www-authenticate: Service-Auth-Key {}", echo(faulted));
    answer(401, &[&header], format!(r#"{{"message":"Out of order: {}"}}"#, echo(faulted)))
}
