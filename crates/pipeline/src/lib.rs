//! From input to results: entries become requests, and responses become output in input order, in constant memory.
//!
//! Input: a [`PipelineInput`], a [`Job`] for each target and a [`Sink`] for each output. Output: the written outputs
//! and a [`PipelineReport`]. The crate does not depend on flags or terminals, and it sends requests only through [`Call`].
//! See docs/service.md, "Text translation".
//!
//! ```text
//! reader thread            the loop (async, one thread)                                 writer thread
//! Source → RecordReader ─→ dedup → batches → requests in flight → reorder buffer ─→ ResultWriter → files, stdout
//!   chunks of records  ←── nothing is read while batches wait, or while too much output waits ──
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `reader` | divides the input into records, on the reader thread |
//! | `cache_lookup` | finds results of earlier runs in the cache, on the reader thread |
//! | `protect` | finds the parts of entries that must not be translated, and puts them into tags |
//! | `target_stream`, `dedup`, `context_lines`, `batch` | convert the entries of one target to request bodies |
//! | `reorder` | holds rows until their results arrive, and releases them in input order |
//! | `writer`, `sink_writer`, `sink` | format rows and write files and stdout, on the writer thread |
//! | `answer` | parses the results in the body of a response |
//! | `restore` | converts a result to the text of a slot: restores tokens and lets the format check the text |
//! | `run` | the loop that connects the other modules |
//!
//! # How a command uses it
//!
//! ```text
//! let source = Source::files(paths)?;            // or Source::texts(args), Source::stdin()
//! let input = PipelineInput::new(source.lossy(args.lossy), InputFormat::lines());
//! let jobs = vec![Job {
//!     target: "de".into(),                       // its name in rows and messages (BCP 47)
//!     request: TranslateText::request(..)?,      // method, path, headers; the pipeline adds the body
//!     options: r#"{"target_lang":"DE"}"#.into(), // a JSON object without `text` and `context`
//!     context: args.context.clone(),
//!     limit: BatchLimit::TRANSLATE,              // BatchLimit::WRITE for rephrase and correct
//!     keeps_objects: false,                      // true for JSON output
//!     shows_billed: false,                       // true if results include the billed characters
//!     key_scope: None,                           // with a cache: everything that results depend on, except the texts
//! }];
//! let sinks = vec![Sink {                        // one per output; each job is in exactly one of them
//!     targets: TargetIndex::all(jobs.len()),
//!     writer: input.format.writer(&[]),          // or results::json(..), results::jsonl(..), results::rows(..)
//!     to: Destination::stdout(),                 // or Destination::file(path, identity, ExistingPart::Refuse)?
//! }];
//! let report = pipeline::run(input, &jobs, sinks, &options, &client, &stop).await;
//! // `report.ended_by` ends the command. Otherwise, look at the `failure` of each target and the entries in `report.refused`.
//! ```
//!
//! The client implements [`Call`]. The runtime must be single-threaded.

mod answer;
mod batch;
mod cache_lookup;
mod context_lines;
mod dedup;
mod index;
mod notes;
pub mod output_path;
mod protect;
mod reader;
mod reorder;
mod report;
mod request_plan;
mod restore;
mod run;
mod sink;
mod sink_writer;
mod target_stream;
#[cfg(test)]
mod tests;
mod writer;

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_client::http::answer::Answer;
use tulk_client::http::request::Request;
use tulk_store::results::{KeyScope, ResultCache};

use tulk_formats::input::source::Source;
use tulk_formats::{EntryResult, InputFormat, Record, ResultWriter};

pub use self::batch::Batcher;
pub use self::dedup::SentEntry;
pub use self::index::{RowNumber, SlotPosition, TargetIndex};
pub use self::protect::{PROTECT_PRESETS, Protector, SentForm};
pub use self::report::{Leftover, PipelineReport, RefusedEntry, TargetReport};
pub use self::request_plan::planned_requests;
pub use self::restore::slot_result;
pub use self::run::{check_input, not_resumable_failure, run};
pub use self::sink::Destination;
pub use tulk_store::part::{ExistingPart, InputCheck};

/// The input and how it is divided into entries.
pub struct PipelineInput {
    /// The bytes. Files are checked completely before the first request, a pipe only as far as it has been read.
    pub source: Source,
    /// Finds the entries in the bytes.
    pub format: InputFormat,
    /// Finds the parts of entries that must not be translated.
    pub protector: Arc<Protector>,
}

impl PipelineInput {
    /// Creates an input whose entries are sent unchanged.
    pub fn new(source: Source, format: InputFormat) -> Self {
        Self { source, format, protector: Arc::default() }
    }

    /// Sets which parts of the entries are protected.
    #[must_use]
    pub fn protected(self, protector: Arc<Protector>) -> Self {
        Self { protector, ..self }
    }
}

/// The request for one target. Translate, rephrase and correct differ only in this.
#[derive(Clone)]
pub struct Job {
    /// Name of the target in rows, messages and state files, as a BCP 47 tag.
    pub target: String,
    /// The request without its body.
    pub request: Request,
    /// The fields of the request body as a JSON object, without `text` and `context`.
    pub options: String,
    /// Context of every request. Lines of `--context-lines` are added to it.
    pub context: Option<String>,
    /// Maximum size of a request.
    pub limit: BatchLimit,
    /// Whether results include the service's JSON objects.
    pub keeps_objects: bool,
    /// Whether results include the number of billed characters.
    pub shows_billed: bool,
    /// Everything that results depend on, except the texts. Without it, the job does not use the cache.
    pub key_scope: Option<KeyScope>,
}

/// Maximum size of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimit {
    /// Number of entries.
    pub entries: usize,
    /// Size of the encoded body in bytes.
    pub bytes: usize,
}

impl BatchLimit {
    /// Limit of a text translation.
    pub const TRANSLATE: Self = Self { entries: limits::TRANSLATE_ENTRIES, bytes: limits::TRANSLATE_BODY_BYTES };
    /// Limit of rephrase and correct.
    pub const WRITE: Self = Self { entries: limits::TRANSLATE_ENTRIES, bytes: limits::WRITE_BODY_BYTES };
}

/// One output.
pub struct Sink {
    /// The targets whose results the output contains, in the order of their results in a row.
    pub targets: Vec<TargetIndex>,
    /// The format of the output.
    pub writer: Box<dyn ResultWriter>,
    /// Destination of the bytes.
    pub to: Destination,
}

/// Options of a run, set by flags.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Clone)]
pub struct RunOptions {
    /// `--keep-going`: splits a refused batch until the refused entry is alone, copies that entry's source, and continues.
    pub keep_going: bool,
    /// Copies an entry whose result cannot be used, and continues, even without `keep_going`.
    pub copies_lost: bool,
    /// `--max-characters`: maximum number of code points that may be sent.
    pub max_characters: Option<u64>,
    /// Number of code points that earlier runs of the command have sent.
    pub characters_before: u64,
    /// `--context-lines`: number of lines before a request that are sent as its context.
    pub context_lines: usize,
    /// Whether entries above the limit are refused; false with `--no-check`.
    pub check: bool,
    /// `--dry-run`: every request is passed to [`Call::call`], but no response is parsed and nothing is written.
    pub dry_run: bool,
    /// `--cache`: uses results of earlier runs instead of sending their entries again, and stores new results.
    pub results: Option<Arc<ResultCache>>,
    /// Progress, shared with the code that displays it.
    pub progress: Arc<RunProgress>,
    /// Receives each result as it arrives.
    pub observer: Option<Arc<dyn ResultObserver>>,
    /// Whether the memory of the run is freed.
    pub memory: RunMemory,
}

/// Whether the memory of a run is freed or left to the exit. With many entries, freeing takes noticeable time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunMemory {
    /// Free it.
    #[default]
    Freed,
    /// Leave it to the exit of the process.
    Left,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            keep_going: false,
            copies_lost: false,
            max_characters: None,
            characters_before: 0,
            context_lines: 0,
            check: true,
            dry_run: false,
            results: None,
            progress: Arc::default(),
            observer: None,
            memory: RunMemory::default(),
        }
    }
}

/// Receives results as they arrive, not in the order of the output. Also receives results of the cache and of equal entries.
///
/// The results of a response are passed to the observer before the next request is sent.
pub trait ResultObserver: Send + Sync {
    /// Called when a slot has its result for a target.
    fn result(&self, target: TargetIndex, record: &Record, slot: usize, result: &EntryResult);

    /// Called when a slot has no usable result for a target and its source is used instead.
    fn refused(&self, target: TargetIndex, record: &Record, slot: usize, failure: &Failure);

    /// Called when the service has answered a request. `entries` has the record of each entry's first slot, and the number of code points
    /// sent.
    fn answered(&self, target: TargetIndex, entries: &[(&Record, u64)]);

    /// Called when the results of all responses so far have been passed to the observer.
    fn answers_are_shown(&self) {}
}

/// Progress of a run.
#[derive(Debug, Default)]
pub struct RunProgress {
    /// Number of entries in the input, once known. It is never known for a pipe.
    pub entries: OnceLock<u64>,
    /// Number of entries with a result, by target.
    done: OnceLock<Vec<AtomicU64>>,
}

impl RunProgress {
    fn start(&self, targets: usize) {
        self.done.get_or_init(|| (0..targets).map(|_| AtomicU64::new(0)).collect());
    }

    fn add(&self, target: TargetIndex, entries: u64) {
        if let Some(done) = self.done.get().and_then(|done| done.get(target.0)) {
            done.fetch_add(entries, Ordering::Relaxed);
        }
    }

    /// Returns the number of entries with a result for a target.
    pub fn done(&self, target: TargetIndex) -> u64 {
        self.done.get().and_then(|done| done.get(target.0)).map_or(0, |done| done.load(Ordering::Relaxed))
    }
}

/// Sends requests. Implemented by wrappers of the client, and by services in tests.
pub trait Call {
    /// Sends a request, with retries. A status of 300 or above is a failure with the service's error.
    fn call(&self, request: Request) -> impl Future<Output = Result<Answer, Failure>>;

    /// Returns the maximum number of requests in flight. The pipeline never starts more, because it counts every request that it has
    /// started as sent, even one that waits in the client.
    fn concurrency(&self) -> usize;

    /// Waits until other runs leave room for more requests in flight. Never returns for a client of a single run.
    fn has_more_room(&self) -> impl Future<Output = ()> {
        std::future::pending()
    }
}
