//! From input to results: entries to requests, answers to output in input order, in constant memory.
//!
//! This module is a library of its own: it knows no flags, no terminal and no real client. Spec: "Text translation".
//!
//! ```text
//! reader thread              the loop (async, one thread)                              writer thread
//! Source → RecordReader ─→ repeats → batch → flight (≤ concurrency) → order ─→ ResultWriter → files, stdout
//!    chunks of Records  ←── back-pressure: the feed stops while the window or the rows are full ──
//! ```
//!
//! # How a command drives it
//!
//! ```text
//! let source = Source::files(paths)?;            // or Source::texts(args), Source::stdin()
//! let input = Input { source: source.lossy(args.lossy).strip_ansi(args.strip_ansi), format: Format::Lines };
//! let jobs = vec![Job {
//!     target: "de".into(),                       // how rows and messages name it (BCP 47)
//!     request: TranslateText::request(..)?,      // method, path, headers; its body is filled in here
//!     options: r#"{"target_lang":"DE"}"#.into(), // a JSON object without `text` and `context`
//!     context: args.context.clone(),
//!     limit: BatchLimit::TRANSLATE,              // BatchLimit::WRITE for rephrase and correct
//!     results: answer::translations,             // translations_raw for --json and jsonl; improvements(_raw) for write
//! }];
//! let sinks = vec![Sink {                        // one per output; every job in exactly one
//!     targets: vec![0],                          // indexes of `jobs`
//!     writer: input.format.writer(),             // or results::json(..), results::jsonl(..), results::rows(..)
//!     to: Destination::stdout(),                 // or Destination::file(path, identity, Leftover::Refuse)?
//! }];
//! let report = pipeline::run(input, &jobs, sinks, &rules, &client, &stop).await;
//! // `report.ended` ends the command whatever the targets did; else `failure` of each target; `report.failed` is the list of
//! // entries that `--keep-going` passed through
//! ```
//!
//! The client implements [`Call`]; a failed status is a [`Failure`] with `said.status`. Runs on a current-thread runtime.

pub mod answer;
mod batch;
mod context;
mod lane;
mod order;
mod reader;
mod repeats;
mod report;
mod run;
mod sink;
#[cfg(test)]
mod tests;
mod writer;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::error::Failure;
use crate::formats::{Format, ResultWriter, Translated};
use crate::http::answer::Answer;
use crate::http::request::Request;
use crate::input::source::Source;
use crate::limits;

pub use crate::store::part::Leftover;
pub use report::{FailedEntry, Left, Report, TargetReport};
pub use run::{look_through, run};
pub use sink::Destination;

/// What is read, and how it is cut into entries.
pub struct Input {
    /// The bytes. Files are scanned whole before the first request; a pipe is checked as far as it was read.
    pub source: Source,
    /// Where the entries are in it.
    pub format: Format,
}

/// One target of a run: what tells translate, rephrase and correct, and two targets, apart.
pub struct Job {
    /// How rows, messages and state files name it, in BCP 47.
    pub target: String,
    /// Everything but the body.
    pub request: Request,
    /// The request's fields as a JSON object, without `text` and `context`.
    pub options: String,
    /// The context that every request carries, before that of `--context-lines`.
    pub context: Option<String>,
    /// What one request may hold.
    pub limit: BatchLimit,
    /// Reads the results out of a body, in order.
    pub results: ReadResults,
}

/// Reads the results out of an answer's body, in order, or says why it cannot; see [`answer`].
pub type ReadResults = fn(&[u8]) -> Result<Vec<Translated>, &'static str>;

/// What one request may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimit {
    /// Entries.
    pub entries: usize,
    /// Bytes of the encoded body, everything counted.
    pub bytes: usize,
}

impl BatchLimit {
    /// Of a text translation.
    pub const TRANSLATE: Self = Self { entries: limits::TRANSLATE_ENTRIES, bytes: limits::TRANSLATE_BODY_BYTES };
    /// Of rephrase and correct.
    pub const WRITE: Self = Self { entries: limits::TRANSLATE_ENTRIES, bytes: limits::WRITE_BODY_BYTES };
}

/// One output: which targets, in which form, to where.
pub struct Sink {
    /// Indexes of the jobs it takes, in the order rows list them.
    pub targets: Vec<usize>,
    /// The form.
    pub writer: Box<dyn ResultWriter>,
    /// Where the bytes go.
    pub to: Destination,
}

/// How a run behaves, from flags.
#[derive(Clone, Debug)]
pub struct Rules {
    /// `--keep-going`: split a refused batch, pass the guilty entry through, go on.
    pub keep_going: bool,
    /// `--max-characters`: code points that may be sent.
    pub max_characters: Option<u64>,
    /// `--context-lines`.
    pub context_lines: usize,
    /// False under `--no-check`: an entry over the limit is sent all the same.
    pub check: bool,
    /// `--dry-run`: every request is handed to [`Call::call`], answers are not read, nothing is written.
    pub dry_run: bool,
    /// How far the run is, for a progress bar; shared with whoever shows it.
    pub progress: Arc<Progress>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            keep_going: false,
            max_characters: None,
            context_lines: 0,
            check: true,
            dry_run: false,
            progress: Arc::default(),
        }
    }
}

/// How far a run is. Entries are counted once per target.
#[derive(Debug, Default)]
pub struct Progress {
    /// Entries in the whole input, times targets; 0 while unknown (a pipe).
    pub total: AtomicU64,
    /// Entries whose result is there.
    pub done: AtomicU64,
    /// Requests sent.
    pub requests: AtomicU64,
}

/// Sends requests: the client; in tests a function.
pub trait Call {
    /// Sends one request, with all its repetitions; a status of 300 or above is a failure with `said.status`.
    fn call(&self, request: Request) -> impl Future<Output = Result<Answer, Failure>>;

    /// How many requests may be in flight. The run starts no more, so that none is started after a 401, 403 or 456.
    fn concurrency(&self) -> usize;
}
