//! Output of `tulk api`: the response goes to stdout, or to a file that appears only when it is complete.
//!
//! A pipe gets the response in blocks, as they arrive; a terminal and `--jq` get it when it is complete. Printed output
//! cannot be taken back, so a request is not repeated once part of its response is on stdout.

use std::cell::{Cell, RefCell};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use reqwest::header::HeaderMap;
use tulk_base::error::{Failure, FileContext as _, Kind};
use tulk_base::files::{AtomicFile, FileMode};
use tulk_client::http::answer::BodySink;
use tulk_client::http::answer_size::AnswerSize;
use tulk_client::http::failures;

use crate::output::Output;

/// Size of a block of output. If the response breaks off before the first one is printed, the request can be repeated.
const BUFFER_BYTES: usize = 1024 * 1024;

pub struct AnswerOutput<'a> {
    pub out: &'a Output,
    /// `None` for stdout.
    pub file: Option<PathBuf>,
    pub silent: bool,
    pub include: bool,
    buffer: RefCell<Vec<u8>>,
    /// Counts a response that is held in memory until it is complete.
    held_size: RefCell<AnswerSize>,
    started: Cell<bool>,
    part: RefCell<Option<AtomicFile>>,
}

impl<'a> AnswerOutput<'a> {
    /// Creates no file yet: `start` and `start_pages` do.
    pub fn new(out: &'a Output, file: Option<PathBuf>, include: bool, silent: bool) -> Self {
        let (buffer, held_size) = (RefCell::default(), RefCell::default());
        let (started, part) = (Cell::new(false), RefCell::new(None));
        Self { out, file, silent, include, buffer, held_size, started, part }
    }

    /// Flushes buffered output, or renames the finished file to its final name.
    pub fn finish(&self) -> Result<(), Failure> {
        if let Some(part) = self.part.borrow_mut().take() {
            return part.commit();
        }
        self.flush()
    }

    pub fn print_complete(&self, status_and_headers: Option<(u16, &HeaderMap)>, body: &[u8]) -> Result<(), Failure> {
        if let Some((status, headers)) = status_and_headers.filter(|_| self.include) {
            self.print(&head(status, headers))?;
        }
        if self.silent { Ok(()) } else { self.print(body) }
    }

    pub fn start_pages(&self) -> Result<(), Failure> {
        match &self.file {
            Some(path) if !self.silent => {
                *self.part.borrow_mut() = Some(AtomicFile::create(path, FileMode::Inherit)?);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub fn add_page_text(&self, text: &str) -> Result<(), Failure> {
        if self.silent { Ok(()) } else { self.keep(text.as_bytes()) }
    }

    fn print_result(&self, bytes: &[u8]) -> Result<(), Failure> {
        if self.out.is_filtered() && !bytes.is_empty() {
            return self.out.stdout().json(String::from_utf8_lossy(bytes));
        }
        self.print(bytes)
    }

    /// Prints bytes unchanged. On a terminal, escapes control characters and, without `--include`, indents JSON.
    fn print(&self, bytes: &[u8]) -> Result<(), Failure> {
        match std::str::from_utf8(bytes) {
            Ok("") => Ok(()),
            Ok(text) if self.out.settings().stdout_is_terminal && !self.include => self.out.stdout().json(text),
            _ if self.out.settings().stdout_is_terminal => self.out.text(bytes),
            _ => self.out.stdout().write(bytes),
        }
    }

    fn flush(&self) -> Result<(), Failure> {
        let buffer = std::mem::take(&mut *self.buffer.borrow_mut());
        if self.out.settings().stdout_is_terminal && std::str::from_utf8(&buffer).is_err() {
            let (mut file, path) = tempfile::Builder::new()
                .prefix("tulk-answer-")
                .tempfile()
                .and_then(|file| file.keep().map_err(|e| e.error))
                .file_context("write", std::env::temp_dir())?;
            file.write_all(&buffer).file_context("write", &path)?;
            self.out.warn(&format!(
                "the response is not text, so it was saved to {}; choose a file with -o",
                path.display()
            ));
            return Ok(());
        }
        self.print_result(&buffer)
    }

    fn write_file(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let mut part = self.part.borrow_mut();
        match part.as_mut() {
            Some(part) => part.write_all(bytes).file_context("write", path),
            None => Ok(()),
        }
    }

    fn keep(&self, bytes: &[u8]) -> Result<(), Failure> {
        if let Some(path) = &self.file {
            return self.write_file(path, bytes);
        }
        // A terminal must not get half a character, and a filter needs the complete JSON.
        let is_buffered = self.out.settings().stdout_is_terminal || self.out.is_filtered();
        if is_buffered {
            self.held_size.borrow_mut().add(bytes).map_err(|excess| {
                Failure::new(Kind::Network, format!("the response {excess}"))
                    .hint("a terminal and --jq cannot take more; write it to a file with -o, or pipe it")
            })?;
        }
        self.buffer.borrow_mut().extend_from_slice(bytes);
        if self.buffer.borrow().len() >= BUFFER_BYTES && !is_buffered {
            self.started.set(true);
            return self.flush();
        }
        Ok(())
    }
}

impl BodySink for AnswerOutput<'_> {
    fn start(&self, status: u16, headers: &HeaderMap) -> Result<(), Failure> {
        self.buffer.borrow_mut().clear();
        *self.held_size.borrow_mut() = AnswerSize::default();
        if let Some(path) = &self.file {
            *self.part.borrow_mut() = Some(AtomicFile::create(path, FileMode::Inherit)?);
        }
        if self.include { self.keep(&head(status, headers)) } else { Ok(()) }
    }

    fn write(&self, bytes: &Bytes) -> Result<(), Failure> {
        if self.silent { Ok(()) } else { self.keep(bytes) }
    }

    fn can_restart(&self) -> bool {
        !self.started.get()
    }
}

fn head(status: u16, headers: &HeaderMap) -> Vec<u8> {
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
