//! From input to results: entries become requests, answers become output in input order, in constant memory.
//!
//! Input: a [`PipelineInput`], a [`Job`] for each target and a [`Sink`] for each output. Output: the written outputs
//! and a [`PipelineReport`]. The crate is independent of flags, terminals and the actual client. See docs/service.md,
//! "Text translation".
//!
//! ```text
//! reader thread            the loop (async, one thread)                                 writer thread
//! Source → RecordReader ─→ dedup → batches → requests in flight → reorder buffer ─→ ResultWriter → files, stdout
//!   chunks of records  ←── nothing is read while batches wait, or while too much output waits ──
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `reader` | cuts the input into records, in a thread of its own |
//! | `cache_lookup` | finds results of earlier runs in the cache, in the reader's thread |
//! | `protect` | finds the parts of entries that stay as they are, and puts them into tags |
//! | `target_stream`, `dedup`, `context_lines`, `batch` | entries of one target become request bodies |
//! | `reorder` | rows wait for their results and leave in input order |
//! | `writer`, `sink_writer`, `sink` | formats rows and writes files and stdout, in a thread of its own |
//! | `answer` | results from the body of an answer |
//! | `restore` | the text of a slot from a result: tokens are restored, and the format checks it |
//! | `run` | the loop that connects them |
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
//!     shows_billed: false,                       // true if results say what was billed
//!     key_scope: None,                           // with a cache: what results depend on besides their texts
//! }];
//! let sinks = vec![Sink {                        // one per output; each job is in exactly one of them
//!     targets: TargetIndex::all(jobs.len()),
//!     writer: input.format.writer(&[]),          // or results::json(..), results::jsonl(..), results::rows(..)
//!     to: Destination::stdout(),                 // or Destination::file(path, identity, ExistingPart::Refuse)?
//! }];
//! let report = pipeline::run(input, &jobs, sinks, &options, &client, &stop).await;
//! // `report.ended_by` ends the command; else look at the `failure` of each target, and at the entries in `report.refused`
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
pub use self::run::{check_input, not_resumable, run};
pub use self::sink::Destination;
pub use tulk_store::part::{ExistingPart, InputCheck};

/// What is read, and how it is cut into entries.
pub struct PipelineInput {
    /// The bytes. Files are checked completely before the first request, a pipe as far as it was read.
    pub source: Source,
    /// Where the entries are in the bytes.
    pub format: InputFormat,
    /// What stays as it is in the entries.
    pub protector: Arc<Protector>,
}

impl PipelineInput {
    /// An input whose entries are sent as they are.
    pub fn new(source: Source, format: InputFormat) -> Self {
        Self { source, format, protector: Arc::default() }
    }

    /// Protects parts of the entries.
    #[must_use]
    pub fn protected(self, protector: Arc<Protector>) -> Self {
        Self { protector, ..self }
    }
}

/// What is requested for one target. Translate, rephrase and correct differ only in this.
#[derive(Clone)]
pub struct Job {
    /// The name of the target in rows, messages and state files, in BCP 47.
    pub target: String,
    /// The request without its body.
    pub request: Request,
    /// The fields of the request as a JSON object, without `text` and `context`.
    pub options: String,
    /// The context of every request. Lines of `--context-lines` are added to it.
    pub context: Option<String>,
    /// The maximum size of a request.
    pub limit: BatchLimit,
    /// Whether results are written with the service's JSON objects.
    pub keeps_objects: bool,
    /// Whether results say how many characters were billed for them.
    pub shows_billed: bool,
    /// What results depend on besides their texts. Only a job that has it uses the cache.
    pub key_scope: Option<KeyScope>,
}

/// The maximum size of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchLimit {
    /// Number of entries.
    pub entries: usize,
    /// Bytes of the encoded body.
    pub bytes: usize,
}

impl BatchLimit {
    /// The limit of a text translation.
    pub const TRANSLATE: Self = Self { entries: limits::TRANSLATE_ENTRIES, bytes: limits::TRANSLATE_BODY_BYTES };
    /// The limit of rephrase and correct.
    pub const WRITE: Self = Self { entries: limits::TRANSLATE_ENTRIES, bytes: limits::WRITE_BODY_BYTES };
}

/// One output.
pub struct Sink {
    /// The targets whose results it takes, in the order in which rows list them.
    pub targets: Vec<TargetIndex>,
    /// The format of the output.
    pub writer: Box<dyn ResultWriter>,
    /// Where the bytes go.
    pub to: Destination,
}

/// The options of a run, from flags.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Clone)]
pub struct RunOptions {
    /// `--keep-going`: splits a refused batch until the refused entry is alone, copies its source, and continues.
    pub keep_going: bool,
    /// Copies an entry whose result lost a placeholder, and continues, also without `keep_going`.
    pub copies_lost: bool,
    /// `--max-characters`: code points that may be sent.
    pub max_characters: Option<u64>,
    /// Code points that earlier runs of the command have sent.
    pub characters_before: u64,
    /// `--context-lines`: lines before a request that are sent as its context.
    pub context_lines: usize,
    /// Whether entries over the limit are refused; false with `--no-check`.
    pub check: bool,
    /// `--dry-run`: every request is passed to [`Call::call`], but no answer is parsed and nothing is written.
    pub dry_run: bool,
    /// `--cache`: results of earlier runs, which are not sent again, and where new ones are stored.
    pub results: Option<Arc<ResultCache>>,
    /// The progress, shared with whoever shows it.
    pub progress: Arc<RunProgress>,
    /// Who is shown each result as it arrives.
    pub observer: Option<Arc<dyn ResultObserver>>,
    /// What becomes of its memory.
    pub memory: RunMemory,
}

/// What becomes of the memory of a run. To free what is known about many entries takes time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunMemory {
    /// It is freed.
    #[default]
    Freed,
    /// It is left to the end of the process.
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

/// Sees results as they arrive, which is not the order of the output. Also those of the cache and of equal entries.
///
/// No request leaves before it has seen the answers to all requests whose place it could take.
pub trait ResultObserver: Send + Sync {
    /// A slot has its result for a target.
    fn result(&self, target: TargetIndex, record: &Record, slot: usize, result: &EntryResult);

    /// A slot has no result for a target, and its source is used instead (`--keep-going`).
    fn refused(&self, target: TargetIndex, record: &Record, slot: usize, failure: &Failure);

    /// The service has answered a request. For each of its entries: the record of its first slot, and the code points that were
    /// sent.
    fn answered(&self, target: TargetIndex, entries: &[(&Record, u64)]);

    /// All results of the answers that have arrived were shown.
    fn answers_are_shown(&self) {}
}

/// The progress of a run.
#[derive(Debug, Default)]
pub struct RunProgress {
    /// Entries in the input, once they are known. Those of a pipe never are.
    pub entries: OnceLock<u64>,
    /// Entries with a result, for each target.
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

    /// Returns how many entries have a result for a target.
    pub fn done(&self, target: TargetIndex) -> u64 {
        self.done.get().and_then(|done| done.get(target.0)).map_or(0, |done| done.load(Ordering::Relaxed))
    }
}

/// Sends requests: the client, or a function in tests.
pub trait Call {
    /// Sends a request, with retries. A status of 300 or above is a failure with the service's error.
    fn call(&self, request: Request) -> impl Future<Output = Result<Answer, Failure>>;

    /// Returns how many requests may be in flight. No more are started, so that none follows a 401, 403 or 456.
    fn concurrency(&self) -> usize;

    /// Waits until more may be in flight although no answer has come. For a client of one run that is never.
    fn has_more_room(&self) -> impl Future<Output = ()> {
        std::future::pending()
    }
}
