//! Every number of the service's specification that the client checks or obeys: sizes, counts, waits.
//!
//! The unit stands in the name or beside the number. The sandbox has its own copy, so that the two can disagree.

use std::time::Duration;

/// Bytes of the encoded body of a text translation. Section 8.
pub const TRANSLATE_BODY_BYTES: usize = 131_072;
/// Entries of one text translation request. Section 4.1.
pub const TRANSLATE_ENTRIES: usize = 50;
/// Custom instructions of one text translation request. Section 4.1.
pub const CUSTOM_INSTRUCTIONS: usize = 10;
/// Characters (code points) of one custom instruction, on a translation and in a style rule list. Sections 4.1, 2.6.
pub const CUSTOM_INSTRUCTION_CHARS: usize = 300;
/// Glossaries of one text translation request.
pub const GLOSSARIES_PER_REQUEST: usize = 5;
/// Highest translation memory threshold, percent. Section 4.1.
pub const MEMORY_THRESHOLD_MAX: u8 = 100;
/// Bytes of the encoded body of a Write request. Section 8.
pub const WRITE_BODY_BYTES: usize = 10_240;
/// Characters of a reporting tag, ASCII without blanks, after trimming.
pub const REPORTING_TAG_CHARS: usize = 100;
/// Characters of the name of a style rule list. Section 8.
pub const STYLE_NAME_CHARS: usize = 1024;
/// Characters of the label of a custom instruction.
pub const INSTRUCTION_LABEL_CHARS: usize = 100;
/// Custom instructions in one style rule list. Section 8.
pub const STYLE_INSTRUCTIONS: usize = 200;
/// Largest page of style rule lists and of translation memories. Section 8.
pub const PAGE_SIZE_MAX: u32 = 25;
/// UTF-8 bytes of a glossary's name. Section 8.
pub const GLOSSARY_NAME_BYTES: usize = 1024;
/// UTF-8 bytes of one glossary phrase, source or target. Section 8.
pub const GLOSSARY_PHRASE_BYTES: usize = 1024;
/// Bytes of the entries of one dictionary, above which it is refused. Section 8.
pub const DICTIONARY_BYTES: usize = 10_485_760;
/// Bytes of the entries of one dictionary, above which a warning is due (10 MB read as decimal). Section 8.
pub const DICTIONARY_WARN_BYTES: usize = 10_000_000;
/// Characters that pptx, docx, doc, xlsx and pdf documents are billed at least. Section 8.
pub const DOCUMENT_MIN_BILLED_CHARS: u64 = 50_000;
/// Bytes of a docx, doc, pptx, xlsx or pdf document, the paid plan's; above, a warning is due and the service decides.
pub const DOCUMENT_OFFICE_BYTES: u64 = 30_000_000;
/// Bytes of a txt document, the paid plan's.
pub const DOCUMENT_TXT_BYTES: u64 = 1_000_000;
/// Bytes of an html document, the paid plan's.
pub const DOCUMENT_HTML_BYTES: u64 = 5_000_000;
/// Bytes of an xlf or xliff document, the paid plan's.
pub const DOCUMENT_XLIFF_BYTES: u64 = 10_000_000;
/// Bytes of an srt document, the paid plan's.
pub const DOCUMENT_SRT_BYTES: u64 = 150_000;
/// Bytes of a jpeg or png document, the paid plan's.
pub const DOCUMENT_IMAGE_BYTES: u64 = 3_000_000;
/// Days that an analytics report may span. Section 8.
pub const REPORT_DAYS: i64 = 366;
/// Targets of a voice session, spoken ones included.
pub const VOICE_TARGETS: usize = 5;
/// Spoken targets of a voice session.
pub const VOICE_SPOKEN_TARGETS: usize = 1;
/// Bytes of one voice chunk.
pub const VOICE_CHUNK_BYTES: usize = 100_000;
/// How much faster than real time audio may be sent.
pub const VOICE_SPEED_MAX: u32 = 2;
/// Longest silence on a voice stream before the service ends it.
pub const VOICE_IDLE: Duration = Duration::from_secs(30);
/// Longest life of one voice connection.
pub const VOICE_CONNECTION: Duration = Duration::from_secs(3600);
/// How long an answer of the language operations may be kept. Section 9.
pub const LANGUAGE_CACHE: Duration = Duration::from_secs(3600);

/// Texts whose repeats are found: bytes of the window. A choice of ours, measured.
pub const REPEAT_WINDOW_BYTES: usize = 262_144;
/// How long an input may idle before what is there is sent.
pub const IDLE: Duration = Duration::from_millis(200);
/// How long answers in flight are awaited after a signal.
pub const STOP_PATIENCE: Duration = Duration::from_secs(2);
/// Default time-out of one attempt.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
/// Default number of attempts after the first.
pub const RETRIES: u32 = 5;
/// Default bound of all waiting for retries.
pub const RETRY_WAIT: Duration = Duration::from_secs(300);
/// Default number of requests in flight.
pub const CONCURRENCY: usize = 8;
/// First back-off wait, before jitter.
pub const BACKOFF_FIRST: Duration = Duration::from_secs(1);
/// Longest back-off wait, before jitter.
pub const BACKOFF_CAP: Duration = Duration::from_secs(120);
/// Shortest time between two questions after a document's status.
pub const POLL_MIN: Duration = Duration::from_secs(1);
/// Longest time between two questions after a document's status.
pub const POLL_MAX: Duration = Duration::from_secs(30);
/// A `seconds_remaining` above this is shown as unknown.
pub const ESTIMATE_SANE: Duration = Duration::from_secs(86_400);
/// How long a `key_command` may take; it may ask its user.
pub const KEY_COMMAND_PATIENCE: Duration = Duration::from_secs(120);
