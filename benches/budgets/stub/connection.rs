//! One connection of the stub: returns texts as their own translations, accepts documents of any size, and sends one of 1 GiB.

use std::io::{Error, ErrorKind, Read, Result, Write};
use std::sync::atomic::Ordering;

use memchr::{memchr2, memmem};

use super::Shared;

/// Bytes to read or write at a time.
const STEP: usize = 256 * 1024;
const TEXTS: &[u8] = b"\"text\":[";
const BEFORE_TEXT: &[u8] = b"{\"detected_source_language\":\"EN\",\"text\":";

/// Bytes that were read but not used.
struct Unread {
    bytes: Vec<u8>,
    from: usize,
    to: usize,
}

struct Head {
    method_and_path: String,
    body: u64,
    expects: bool,
}

pub fn serve(mut stream: impl Read + Write, shared: &Shared, seed: u64) -> Result<()> {
    let mut unread = Unread { bytes: vec![0; STEP], from: 0, to: 0 };
    let mut random = fastrand::Rng::with_seed(seed);
    let mut answer = Vec::with_capacity(16 * 1024);
    while let Some(head) = unread.head(&mut stream)? {
        if head.expects {
            stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        let path = head.method_and_path.as_str();
        answer.clear();
        if path == "POST /v2/translate" {
            let body = unread.body(&mut stream, head.body)?;
            with_head(&mut answer, |answer| {
                shared.texts.fetch_add(translate(body, answer), Ordering::Relaxed);
            });
        } else {
            unread.skip(&mut stream, head.body)?;
            let json: &[u8] = match path {
                "POST /v2/document" => br#"{"document_id":"D","document_key":"K"}"#,
                _ if path.ends_with("/result") => {
                    download(&mut stream)?;
                    continue;
                }
                _ => br#"{"document_id":"D","status":"done","billed_characters":1}"#,
            };
            with_head(&mut answer, |answer| answer.extend_from_slice(json));
        }
        shared.wait(&mut random);
        stream.write_all(&answer)?;
        stream.flush()?;
    }
    Ok(())
}

impl Unread {
    /// Returns false at the end of the stream.
    fn fill(&mut self, stream: &mut impl Read) -> Result<bool> {
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
        }
        if self.to == self.bytes.len() {
            self.bytes.copy_within(self.from..self.to, 0);
            self.to -= self.from;
            self.from = 0;
        }
        if self.to == self.bytes.len() {
            return Err(Error::from(ErrorKind::InvalidData));
        }
        let count = stream.read(&mut self.bytes[self.to..])?;
        self.to += count;
        Ok(count > 0)
    }

    /// Returns `None` at the end of the stream.
    fn head(&mut self, stream: &mut impl Read) -> Result<Option<Head>> {
        loop {
            let bytes = &self.bytes[self.from..self.to];
            if let Some(end) = memmem::find(bytes, b"\r\n\r\n") {
                let text = String::from_utf8_lossy(&bytes[..end]).into_owned();
                self.from += end + 4;
                let mut lines = text.lines();
                let first = lines.next().unwrap_or_default();
                let method_and_path = first.trim_end_matches(" HTTP/1.1").to_owned();
                let mut head = Head { method_and_path, body: 0, expects: false };
                for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
                    match name.to_ascii_lowercase().as_str() {
                        "content-length" => head.body = value.parse().unwrap_or_default(),
                        "expect" => head.expects = true,
                        "transfer-encoding" => return Err(Error::from(ErrorKind::Unsupported)),
                        _ => {}
                    }
                }
                return Ok(Some(head));
            }
            if !self.fill(stream)? {
                return Ok(None);
            }
        }
    }

    /// The body must fit into the buffer.
    fn body(&mut self, stream: &mut impl Read, length: u64) -> Result<&[u8]> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        while self.to - self.from < length {
            if !self.fill(stream)? {
                return Err(Error::from(ErrorKind::UnexpectedEof));
            }
        }
        let start = self.from;
        self.from += length;
        Ok(&self.bytes[start..start + length])
    }

    /// The body may have any length.
    fn skip(&mut self, stream: &mut impl Read, length: u64) -> Result<()> {
        let mut left = length;
        loop {
            let here = (self.to - self.from).min(usize::try_from(left).unwrap_or(usize::MAX));
            self.from += here;
            left -= here as u64;
            if left == 0 {
                return Ok(());
            }
            if !self.fill(stream)? {
                return Err(Error::from(ErrorKind::UnexpectedEof));
            }
        }
    }
}

fn with_head(answer: &mut Vec<u8>, body: impl FnOnce(&mut Vec<u8>)) {
    const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
    const DIGITS: usize = 8;
    answer.extend_from_slice(HEAD);
    answer.extend_from_slice(b"00000000\r\n\r\n");
    let start = answer.len();
    body(answer);
    let length = format!("{:0DIGITS$}", answer.len() - start);
    answer[HEAD.len()..HEAD.len() + DIGITS].copy_from_slice(length.as_bytes());
}

/// Appends JSON with the texts as results, and returns their number. Strings are copied with their escapes.
fn translate(body: &[u8], answer: &mut Vec<u8>) -> u64 {
    let mut texts = 0;
    answer.extend_from_slice(b"{\"translations\":[");
    let mut rest = memmem::find(body, TEXTS).map_or(&[][..], |at| &body[at + TEXTS.len()..]);
    while rest.first() == Some(&b'"') {
        let mut end = 1;
        while let Some(at) = memchr2(b'"', b'\\', &rest[end..]) {
            end += at + 1;
            if rest[end - 1] == b'"' {
                break;
            }
            end += 1;
        }
        answer.extend_from_slice(BEFORE_TEXT);
        answer.extend_from_slice(&rest[..end]);
        answer.push(b'}');
        texts += 1;
        rest = &rest[end..];
        if rest.first() == Some(&b',') {
            answer.push(b',');
            rest = &rest[1..];
        }
    }
    answer.extend_from_slice(b"]}");
    texts
}

pub const DOCUMENT_BYTES: u64 = 1 << 30;

fn download(stream: &mut impl Write) -> Result<()> {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ";
    write!(stream, "{head}{DOCUMENT_BYTES}\r\n\r\n")?;
    let step = vec![b'x'; STEP];
    for _ in 0..DOCUMENT_BYTES / STEP as u64 {
        stream.write_all(&step)?;
    }
    stream.flush()
}
