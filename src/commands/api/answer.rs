//! Where an answer goes: to stdout as it comes, or into a file that appears when it is whole.
//!
//! What reached stdout cannot be taken back, so a long answer that is cut is not asked for again.

use std::cell::{Cell, RefCell};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use reqwest::header::HeaderMap;

use crate::error::Failure;
use crate::files::{AtomicFile, FileMode};
use crate::http::answer::BodySink;
use crate::http::failures;
use crate::output::Output;

/// Bytes kept back from stdout, so that an answer cut within them can be asked for again: 1 MiB.
const HELD: usize = 1024 * 1024;

/// Takes the body of a successful answer.
pub struct AnswerOutput<'a> {
    pub out: &'a Output,
    /// The file, unless it is stdout.
    pub file: Option<PathBuf>,
    /// Whether the body is dropped.
    pub silent: bool,
    /// Whether the status and the headers go before it.
    pub include: bool,
    held: RefCell<Vec<u8>>,
    started: Cell<bool>,
    part: RefCell<Option<AtomicFile>>,
}

impl<'a> AnswerOutput<'a> {
    /// Nothing is opened before an answer is there.
    pub fn new(out: &'a Output, file: Option<PathBuf>, include: bool, silent: bool) -> Self {
        let (held, started, part) = (RefCell::default(), Cell::new(false), RefCell::new(None));
        Self { out, file, silent, include, held, started, part }
    }

    /// Writes what is left, after the last byte came.
    pub fn finish(&self) -> Result<(), Failure> {
        if let Some(part) = self.part.borrow_mut().take() {
            return part.commit();
        }
        self.flush()
    }

    /// Writes a whole answer to stdout: one that is no success, or all pages.
    pub fn whole(&self, head: Option<(u16, &HeaderMap)>, body: &[u8]) -> Result<(), Failure> {
        if let Some((status, headers)) = head.filter(|_| self.include) {
            self.print(&lines(status, headers))?;
        }
        if self.silent { Ok(()) } else { self.print(body) }
    }

    /// Writes all pages to where the answer goes.
    pub fn all(&self, text: &str) -> Result<(), Failure> {
        if self.silent {
            return Ok(());
        }
        match &self.file {
            Some(path) => crate::files::write_atomic(path, text.as_bytes(), FileMode::Inherit),
            None => self.print(text.as_bytes()),
        }
    }

    /// On a terminal JSON is indented and odd characters are escaped; elsewhere it stays as it is.
    fn print(&self, bytes: &[u8]) -> Result<(), Failure> {
        match std::str::from_utf8(bytes) {
            Ok("") => Ok(()),
            Ok(text) if self.out.settings().stdout_is_terminal() && !self.include => self.out.stdout().json(text),
            _ if self.out.settings().stdout_is_terminal() => self.out.text(bytes),
            _ => self.out.stdout().write(bytes),
        }
    }

    fn flush(&self) -> Result<(), Failure> {
        let held = std::mem::take(&mut *self.held.borrow_mut());
        if self.out.settings().stdout_is_terminal() && std::str::from_utf8(&held).is_err() {
            let (mut file, path) = tempfile::Builder::new()
                .prefix("tulk-answer-")
                .tempfile()
                .and_then(|file| file.keep().map_err(|e| e.error))
                .map_err(|e| Failure::file("write", &std::env::temp_dir(), &e))?;
            file.write_all(&held).map_err(|e| Failure::file("write", &path, &e))?;
            self.out.warn(&format!("the answer is not text: kept in {}; -o names another place", path.display()));
            return Ok(());
        }
        self.print(&held)
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let mut part = self.part.borrow_mut();
        match part.as_mut() {
            Some(part) => part.write_all(bytes).map_err(|e| Failure::file("write", path, &e)),
            None => Ok(()),
        }
    }

    fn keep(&self, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(path) = &self.file {
            return self.write_file(path, bytes);
        }
        self.held.borrow_mut().extend_from_slice(bytes);
        // A terminal is shown text whole, so that no character is torn.
        if self.held.borrow().len() >= HELD && !self.out.settings().stdout_is_terminal() {
            self.started.set(true);
            return self.flush();
        }
        Ok(())
    }
}

impl BodySink for AnswerOutput<'_> {
    fn start(&self, status: u16, headers: &HeaderMap) -> Result<(), Failure> {
        self.held.borrow_mut().clear();
        if let Some(path) = &self.file {
            *self.part.borrow_mut() = Some(AtomicFile::create(path, FileMode::Inherit)?);
        }
        if self.include { self.keep(&lines(status, headers)) } else { Ok(()) }
    }

    fn write(&self, bytes: &Bytes) -> Result<(), Failure> {
        if self.silent { Ok(()) } else { self.keep(bytes) }
    }

    fn can_restart(&self) -> bool {
        !self.started.get()
    }
}

/// The status line and the headers.
fn lines(status: u16, headers: &HeaderMap) -> Vec<u8> {
    let mut text = format!("HTTP {status} {}\n", failures::reason_phrase(status)).into_bytes();
    for (name, value) in headers {
        text.extend_from_slice(name.as_str().as_bytes());
        text.extend_from_slice(b": ");
        text.extend_from_slice(value.as_bytes());
        text.extend_from_slice(b"\n");
    }
    text.extend_from_slice(b"\n");
    text
}
