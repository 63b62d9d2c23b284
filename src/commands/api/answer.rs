//! The answer on stdout, unchanged: small ones whole, large ones as they come.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;

use bytes::Bytes;
use reqwest::StatusCode;
use reqwest::header::HeaderMap;

use crate::error::{Failure, Kind};
use crate::http::attempt::Receive;
use crate::http::request::Answer;
use crate::output::Output;

/// An answer up to this size is printed only when all of it is here, so that it can be asked for again when it is cut.
const WHOLE_BYTES: usize = 1024 * 1024;

/// Takes the body of a successful answer.
pub struct Receiver<'a> {
    out: &'a Output,
    include: bool,
    silent: bool,
    pending: RefCell<Vec<u8>>,
    /// Bytes that are on stdout.
    printed: Cell<u64>,
}

impl<'a> Receiver<'a> {
    /// One for one request; `include` prints status and headers first, `silent` leaves the body out.
    pub fn new(out: &'a Output, include: bool, silent: bool) -> Self {
        Self { out, include, silent, pending: RefCell::default(), printed: Cell::new(0) }
    }

    /// Prints what is left, and all of an answer that was no success.
    pub fn end(&self, answer: &Answer) -> Result<(), Failure> {
        if !(200..300).contains(&answer.status) {
            self.start(answer.status, &answer.headers);
            if !self.silent {
                self.pending.borrow_mut().extend_from_slice(&answer.body);
            }
        }
        let pending = self.pending.take();
        if !self.out.is_terminal_out() {
            return self.out.bytes(&pending);
        }
        match String::from_utf8(pending) {
            Ok(text) if text.is_empty() => Ok(()),
            Ok(text) if self.include || self.printed.get() > 0 => self.out.text(&text),
            Ok(text) => self.out.json_raw(&text),
            Err(error) => {
                Err(Failure::usage(format!("the answer, {} bytes, is no text for a terminal", error.as_bytes().len()))
                    .hint("send stdout to a file"))
            }
        }
    }

    fn start(&self, status: u16, headers: &HeaderMap) {
        let mut pending = self.pending.borrow_mut();
        pending.clear();
        if !self.include {
            return;
        }
        let reason = StatusCode::from_u16(status).ok().and_then(|s| s.canonical_reason()).unwrap_or_default();
        let mut head = format!("{}\n", format!("HTTP {status} {reason}").trim_end());
        for (name, value) in headers {
            let _ = writeln!(head, "{name}: {}", String::from_utf8_lossy(value.as_bytes()));
        }
        head.push('\n');
        pending.extend_from_slice(head.as_bytes());
    }
}

impl Receive for Receiver<'_> {
    fn begin(&self, status: u16, headers: &HeaderMap) -> Result<(), Failure> {
        if self.printed.get() > 0 {
            let what = format!("the answer was cut off; its first {} bytes are on stdout", self.printed.get());
            return Err(Failure::new(Kind::Network, what).hint("run the command again"));
        }
        self.start(status, headers);
        Ok(())
    }

    fn take(&self, bytes: &Bytes) -> Result<bool, Failure> {
        if self.silent {
            return Ok(true);
        }
        let mut pending = self.pending.borrow_mut();
        pending.extend_from_slice(bytes);
        if pending.len() > WHOLE_BYTES && !self.out.is_terminal_out() {
            self.out.bytes(&pending)?;
            self.printed.set(self.printed.get() + pending.len() as u64);
            pending.clear();
        }
        Ok(true)
    }
}
