//! The bytes of wrong answers.

use std::io::Write as _;
use std::sync::OnceLock;

use super::server::Faulted;
use crate::common::scripted::answer;

/// Where the redirects lead. Nobody listens there: the port is reserved.
pub const ELSEWHERE: &str = "http://127.0.0.1:1/elsewhere";

/// An error of the service.
pub const MESSAGE: &str = r#"{"message":"Out of order."}"#;

/// The body of the right answer, or one as good if it has none.
fn right_body<'a>(faulted: &'a Faulted) -> &'a [u8] {
    let at = faulted.right.windows(4).position(|bytes| bytes == b"\r\n\r\n").map_or(faulted.right.len(), |at| at + 4);
    let body = &faulted.right[at..];
    if body.len() < 8 { br#"{"label":"none"}"# } else { body }
}

/// A head with these lines.
pub fn head(status: u16, lines: &[&str]) -> Vec<u8> {
    let lines: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    format!("HTTP/1.1 {status} Fault\r\nconnection: close\r\n{lines}\r\n").into_bytes()
}

/// The right body after a head whose Content-Length is another.
fn with_length(faulted: &Faulted, lines: &[&str]) -> Vec<u8> {
    [&head(200, lines), right_body(faulted)].concat()
}

/// Half of the right body, and the whole length.
pub fn cut(faulted: &Faulted) -> Vec<u8> {
    let body = right_body(faulted);
    let length = format!("content-length: {}", body.len());
    [&head(200, &[&length]), &body[..body.len() / 2]].concat()
}

/// A length that is larger than the body.
pub fn too_long(faulted: &Faulted) -> Vec<u8> {
    with_length(faulted, &[&format!("content-length: {}", right_body(faulted).len() + 100)])
}

/// Two lengths that differ.
pub fn two_lengths(faulted: &Faulted) -> Vec<u8> {
    with_length(faulted, &["content-length: 3", &format!("content-length: {}", right_body(faulted).len())])
}

/// A length below zero.
pub fn negative_length(faulted: &Faulted) -> Vec<u8> {
    with_length(faulted, &["content-length: -1"])
}

/// A length that ends within the body.
pub fn too_short(_: &Faulted) -> Vec<u8> {
    [&head(200, &["content-length: 5"]), &br#"{"message":"more"}"#[..]].concat()
}

/// The first of two chunks, then nothing.
pub fn cut_chunks(faulted: &Faulted) -> Vec<u8> {
    let body = right_body(faulted);
    let first = format!("{:x}\r\n", body.len());
    [&head(200, &["transfer-encoding: chunked"]), first.as_bytes(), body, b"\r\n10\r\nxx"].concat()
}

/// A chunk whose size is not a number.
pub fn wrong_chunks(faulted: &Faulted) -> Vec<u8> {
    [&head(200, &["transfer-encoding: chunked"]), &b"seven\r\n"[..], right_body(faulted)].concat()
}

/// The right answer, which says that the connection stays open.
pub fn right(faulted: &Faulted) -> Vec<u8> {
    faulted.right.to_vec()
}

/// No answer, then one that says that there is nothing.
pub fn lost_then_404(faulted: &Faulted) -> Vec<u8> {
    if faulted.is_first { Vec::new() } else { answer(404, &[], MESSAGE) }
}

/// The start of a head.
pub fn half_head(_: &Faulted) -> Vec<u8> {
    b"HTTP/1.1 200 OK\r\ncontent-type: application/js".to_vec()
}

/// Nothing.
pub fn nothing(_: &Faulted) -> Vec<u8> {
    Vec::new()
}

/// A web page.
pub fn html(_: &Faulted) -> Vec<u8> {
    let page = format!("<!DOCTYPE html><html><body>{}</body></html>", "<p>Sign in.</p>".repeat(1000));
    answer(200, &["content-type: text/html"], page)
}

/// Lists within lists, fewer than an answer may have.
pub fn deep(_: &Faulted) -> Vec<u8> {
    answer(200, &[], [vec![b'['; 40_000], vec![b']'; 40_000]].concat())
}

/// A body that is not compressed as its head says.
pub fn wrong_gzip(_: &Faulted) -> Vec<u8> {
    answer(200, &["content-encoding: gzip"], "this is not compressed")
}

/// A header of a megabyte.
pub fn long_header(faulted: &Faulted) -> Vec<u8> {
    answer(200, &[&format!("x-long: {}", "x".repeat(1_000_000))], right_body(faulted))
}

/// 300 headers.
pub fn many_headers(faulted: &Faulted) -> Vec<u8> {
    let lines: Vec<String> = (0..300).map(|n| format!("x-{n}: x")).collect();
    answer(200, &lines.iter().map(String::as_str).collect::<Vec<_>>(), right_body(faulted))
}

/// A header name with a space and a value with control characters.
pub fn wrong_header(faulted: &Faulted) -> Vec<u8> {
    answer(200, &["x y\u{1}: \u{2}\u{7f}"], right_body(faulted))
}

/// 80 megabytes of spaces as a few kilobytes.
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

/// A 429 whose `Retry-After` is a date in two seconds.
pub fn retry_after_date(_: &Faulted) -> Vec<u8> {
    let date = httpdate::fmt_http_date(std::time::SystemTime::now() + std::time::Duration::from_secs(2));
    answer(429, &[&format!("retry-after: {date}")], "")
}

/// The secrets of the request in one text, and percent-encoded.
fn echo(faulted: &Faulted) -> String {
    let plain = faulted.secrets.join(" and ");
    let encoded: String = plain.bytes().map(|byte| format!("%{byte:02X}")).collect();
    format!("you sent {plain}, which is {encoded}")
}

/// An error that repeats the secrets of the request everywhere.
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

/// The same as plain text, also in the first line of the answer.
pub fn echo_plain(faulted: &Faulted) -> Vec<u8> {
    let text = echo(faulted);
    let head = format!("HTTP/1.1 400 {text}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", text.len() + 14);
    format!("{head}Out of order: {text}").into_bytes()
}

/// A redirect to an address with the secrets of the request.
pub fn echo_redirect(faulted: &Faulted) -> Vec<u8> {
    let secrets = faulted.secrets.concat();
    answer(302, &[&format!("location: {ELSEWHERE}/{secrets}?key={secrets}&x={secrets}")], echo(faulted))
}

/// A success with the secrets of the request in JSON of a wrong shape.
pub fn echo_success(faulted: &Faulted) -> Vec<u8> {
    answer(200, &[&format!("x-trace-id: {}", echo(faulted))], format!("[\"{}\"]", echo(faulted)))
}

/// A wrong key whose error names it.
pub fn echo_key(faulted: &Faulted) -> Vec<u8> {
    let header = format!("www-authenticate: Service-Auth-Key {}", echo(faulted));
    answer(401, &[&header], format!(r#"{{"message":"Out of order: {}"}}"#, echo(faulted)))
}
