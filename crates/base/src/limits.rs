//! Limits and defaults of the client: sizes, counts, durations.
//!
//! The limits of the service come first (docs/service.md, "Limits"), then the limits of tulk. Units are in the name or the type. The
//! sandbox has its own copy, so that tests notice a difference.

use std::time::Duration;

use crate::files::SizeLimit;

/// Maximum encoded size of a text translation body.
pub const TRANSLATE_BODY_BYTES: usize = 131_072;
/// Maximum number of texts in a text translation request.
pub const TRANSLATE_ENTRIES: usize = 50;
/// Maximum number of texts in a language detection request.
pub const DETECT_TEXTS: usize = 50;
/// Maximum number of custom instructions in a text translation request.
pub const CUSTOM_INSTRUCTIONS: usize = 10;
/// Maximum length of a custom instruction in code points, in requests and in style rule lists.
pub const CUSTOM_INSTRUCTION_CHARS: usize = 300;
/// Maximum number of glossaries in a text translation request.
pub const GLOSSARIES_PER_REQUEST: usize = 5;
/// Maximum translation-memory threshold, in percent.
pub const MEMORY_THRESHOLD_MAX: u8 = 100;
/// Maximum encoded size of a Write body.
pub const WRITE_BODY_BYTES: usize = 10_240;
/// Maximum size of the headers of a request.
pub const HEADER_BYTES: usize = 16_384;
/// Maximum length of a reporting tag, trimmed, in characters.
pub const REPORTING_TAG_CHARS: usize = 100;
/// Maximum length of the name of a style rule list, in characters.
pub const STYLE_NAME_CHARS: usize = 1024;
/// Maximum length of the label of a custom instruction, in characters.
pub const INSTRUCTION_LABEL_CHARS: usize = 100;
/// Maximum number of custom instructions in a style rule list.
pub const STYLE_INSTRUCTIONS: usize = 200;
/// Maximum page size of style rule lists and translation memories.
pub const PAGE_SIZE_MAX: u32 = 25;
/// Maximum page size of the segments of a translation memory.
pub const SEGMENT_PAGE_SIZE_MAX: u32 = 100;
/// Minimum length of a segment filter, in characters.
pub const SEGMENT_FILTER_CHARS: usize = 2;
/// Maximum size of the name of a glossary, in UTF-8 bytes.
pub const GLOSSARY_NAME_BYTES: usize = 1024;
/// Maximum size of a source or target phrase of a glossary, in UTF-8 bytes.
pub const GLOSSARY_PHRASE_BYTES: usize = 1024;
/// Maximum size of the entries of a dictionary. Larger ones are refused.
pub const DICTIONARY_BYTES: usize = 10_485_760;
/// Size of the entries of a dictionary above which a warning is printed: 10 MB in decimal.
pub const DICTIONARY_WARN_BYTES: usize = 10_000_000;
/// Minimum number of characters billed for a pptx, docx, doc, xlsx or pdf document.
pub const DOCUMENT_MIN_BILLED_CHARS: u64 = 50_000;
/// Maximum sizes of a document in bytes, in the free plan and in a paid plan. A larger document gets a warning.
pub type DocumentSizes = (u64, u64);
/// Limits for docx, doc, pptx, pdf, zip and odt.
pub const DOCUMENT_LARGE: DocumentSizes = (10_000_000, 100_000_000);
/// Limits for xlsx, xlsm, idml, mif and rtf.
pub const DOCUMENT_MEDIUM: DocumentSizes = (10_000_000, 30_000_000);
/// Limits for xml, xlf, xliff and resx.
pub const DOCUMENT_XML: DocumentSizes = (10_000_000, 10_000_000);
/// Limits for html, md and dita.
pub const DOCUMENT_PAGE: DocumentSizes = (5_000_000, 5_000_000);
/// Limits for txt, json, yaml, properties and strings.
pub const DOCUMENT_TEXT: DocumentSizes = (1_000_000, 1_000_000);
/// Limits for srt and vtt.
pub const DOCUMENT_SUBTITLES: DocumentSizes = (150_000, 150_000);
/// Limits for jpeg and png.
pub const DOCUMENT_IMAGE: DocumentSizes = (3_000_000, 3_000_000);
/// Maximum size of the name of a collection of spoken terms, in UTF-8 bytes.
pub const SPOKEN_TERMS_NAME_BYTES: usize = 1024;
/// Maximum length of a term list in characters, with the line feeds between the terms.
pub const TERM_LIST_CHARS: usize = 300;
/// Maximum size of a TMX file. Larger ones are refused.
pub const TMX_BYTES: u64 = 1_073_741_824;
/// Size of a TMX file above which tulk warns: 1 GB (10^9 bytes).
pub const TMX_WARN_BYTES: u64 = 1_000_000_000;
/// Maximum length of the file name of an imported translation memory, in characters.
pub const TMX_FILE_NAME_CHARS: usize = 100;
/// Maximum number of days in a usage report.
pub const REPORT_DAYS: i64 = 366;
/// Maximum number of target languages of a voice session, including spoken ones.
pub const VOICE_TARGETS: usize = 5;
/// Maximum number of spoken target languages of a voice session.
pub const VOICE_SPOKEN_TARGETS: usize = 1;
/// Maximum size of a voice chunk.
pub const VOICE_CHUNK_BYTES: usize = 100_000;
/// Maximum speed of sent audio, as a multiple of real time.
pub const VOICE_SPEED_MAX: u32 = 2;
/// Silence after which the service closes a voice stream.
pub const VOICE_IDLE: Duration = Duration::from_secs(30);
/// Maximum duration of a voice connection.
pub const VOICE_CONNECTION: Duration = Duration::from_secs(3600);
/// How long language lists are cached.
pub const LANGUAGE_CACHE_AGE: Duration = Duration::from_secs(3600);

// Files that are read into memory. Larger ones are refused.

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;

/// Files that contain one word: API keys, document keys, and the first line of a `key_command`'s output.
pub const KEY_FILE: SizeLimit = limit(MIB, "a key", "the input must have the key on its first line");
/// Settings and stored keys, written by hand or by `config set` and `auth login`.
pub const SETTINGS_FILE: SizeLimit = limit(MIB, "a settings file", "check that it is the right file");
/// The users and groups of the machine.
pub const ACCOUNTS_FILE: SizeLimit = limit(64 * MIB, "a list of accounts", "check that it is the right file");
/// Project files.
pub const PROJECT_FILE: SizeLimit = limit(MIB, "a project file", "check that it is the right file");
/// Certificates. A bundle of all public authorities, with comments, has about 1 MiB.
pub const CA_FILE: SizeLimit = limit(16 * MIB, "a certificate file", "name a file with certificates in PEM format");
/// Contexts. They must fit into a request, which has at most [`TRANSLATE_BODY_BYTES`].
pub const CONTEXT_FILE: SizeLimit = limit(MIB, "a context", "shorten the context: it is sent with every request");
/// Style rules. [`STYLE_INSTRUCTIONS`] of maximum length need less than 1 MiB, even with every character escaped.
pub const STYLE_FILE: SizeLimit =
    limit(4 * MIB, "a style file", "a list has at most 200 instructions: check that it is the right file");
/// Files of spoken terms. Much larger than a list of [`TERM_LIST_CHARS`] characters.
pub const TERM_FILE: SizeLimit = limit(64 * KIB, "a file of terms", "a term list has at most 300 characters");
/// Glossary entries. Larger than [`DICTIONARY_BYTES`], because a file may also have quotes, comments and other languages.
pub const DICTIONARY_FILE: SizeLimit =
    limit(64 * MIB, "a glossary file", "a dictionary has at most 10 MiB: split the file");
/// Catalogues and lock files of projects. Reading one takes about ten times its size in memory.
pub const CATALOG_FILE: SizeLimit = limit(256 * MIB, "a catalogue", "split the file");
/// Markdown documents.
pub const MARKDOWN_FILE: SizeLimit = limit(16 * MIB, "a Markdown document", "split the document");
/// Texts that are read completely: to be compared with their result, or for language detection.
pub const TEXT_FILE: SizeLimit = limit(256 * MIB, "a text that is read whole", "split the text");
/// Bodies and fields of `api` that are held in memory. Files of `--form`, and of `--input` with a media type, are streamed.
pub const API_INPUT: SizeLimit = limit(
    64 * MIB,
    "an input that is not streamed",
    "stream a file with --form, or with --input and -H 'Content-Type: ...'",
);
/// Plain-text documents whose characters are counted for a plan.
pub const COUNTED_DOCUMENT: SizeLimit =
    limit(16 * MIB, "a document that is counted", "the service counts its characters");
/// Cached replies and names: the largest response plus a header.
pub const CACHE_FILE: SizeLimit = limit(ANSWER_BYTES as u64 + MIB, "a cached answer", "run `tulk cache clear`");
/// Records of documents, which contain names, languages and times.
pub const DOCUMENT_RECORD: SizeLimit = limit(MIB, "a document record", "remove it: tulk did not write it");
/// Record of an import or export of a translation memory: an address and a few names.
pub const MEMORY_JOB_RECORD: SizeLimit = limit(MIB, "a record of a memory job", "remove it: tulk did not write it");
/// Records of runs, with a line per output, and journals of `sync`, with each result that is not in a target yet.
pub const STATE_FILE: SizeLimit = limit(1024 * MIB, "a record of tulk", "remove it: what it records is sent again");

const fn limit(bytes: u64, kind: &'static str, hint: &'static str) -> SizeLimit {
    SizeLimit { bytes, kind, hint }
}

// Limits and defaults of tulk.

/// Maximum size of a line of JSON, including its line ending.
pub const JSON_LINE_BYTES: usize = 16 * 1024 * 1024;
/// Maximum size of a record of a CSV or TSV file. An unclosed quote would turn the rest of the file into one record.
pub const TABLE_RECORD_BYTES: usize = 64 * 1024 * 1024;
/// Maximum number of columns of a CSV or TSV file.
pub const TABLE_COLUMNS: usize = 65_535;
/// Size of the window in which repeated texts are found.
pub const REPEAT_WINDOW_BYTES: usize = 262_144;
/// Maximum size of the cached results. The oldest ones are removed first.
pub const RESULT_CACHE_BYTES: u64 = 1024 * 1024 * 1024;
/// How long results are cached.
pub const RESULT_CACHE_AGE: Duration = Duration::from_secs(365 * 86_400);
/// Maximum size of a cue with its times and text, or of another subtitle block that must be held in memory.
pub const SUBTITLE_BLOCK_BYTES: usize = 1_048_576;
/// Maximum size of the notes that are combined as the context of one request, if its texts have different notes.
pub const SHARED_NOTES_BYTES: usize = 8 * 1024;
/// Maximum length of a note that is combined with others, in characters.
pub const SHARED_NOTE_CHARS: usize = 300;
/// Default number of cues before a request that are sent as its context (`--context-lines`).
pub const SUBTITLE_CONTEXT_LINES: usize = 3;
/// Maximum size of a placeholder that a preset of `--protect` matches.
pub const PLACEHOLDER_BYTES: usize = 4096;
/// Maximum size of a text, tag or comment of a TMX file.
pub const TMX_PART_BYTES: usize = 16 * 1024 * 1024;
/// Maximum nesting depth of a TMX file.
pub const TMX_DEPTH: usize = 128;
/// Maximum number of languages of a TMX file that tulk lists.
pub const TMX_LANGUAGES: usize = 1000;
/// How long tulk waits for more input before it sends the texts read so far.
pub const IDLE: Duration = Duration::from_millis(200);
/// How long requests in flight may take after a signal.
pub const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a finished command waits until new results are in the cache.
pub const CACHE_FLUSH_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a command waits for the cache after a signal.
pub const CACHE_FLUSH_STOP_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum size of a response that is held in memory, after decompression.
pub const ANSWER_BYTES: usize = 16 * 1024 * 1024;
/// Maximum size of a response with the entries of a dictionary. The service keeps up to 10 MiB, and JSON that escapes all but ASCII can
/// triple that: `\u00e9` has six bytes, its UTF-8 two.
pub const ENTRIES_ANSWER_BYTES: usize = 30 * 1024 * 1024;
/// Maximum size of a document's evaluation: both texts of up to 1,000,000 characters, and the issues.
pub const EVALUATION_ANSWER_BYTES: usize = 64 * 1024 * 1024;
/// Maximum size of a response with the terms of a list, which has at most [`TERM_LIST_CHARS`].
pub const TERMS_ANSWER_BYTES: usize = 1024 * 1024;
/// Response size that is always allowed for a request with texts, whatever [`ANSWER_FACTOR`] gives.
pub const SENT_ANSWER_BYTES: usize = 1024 * 1024;
/// Maximum size of a response as a multiple of its request body. A letter of one byte can become one of three bytes in another script, or
/// six bytes if the response escapes it.
pub const ANSWER_FACTOR: usize = 16;
/// Usual maximum number of objects and lists in a listing, and in a response that is held in memory.
pub const ANSWER_OBJECTS: usize = 50_000;
/// Usual maximum number of values in a listing, and in a response that is held in memory: 25,000 objects with ten fields each.
pub const ANSWER_VALUES: usize = 250_000;
/// Maximum number of pages of a listing. `--limit` raises it.
pub const LISTING_PAGES: usize = 1000;
/// Maximum number of bytes read from an error body. A message does not need more.
pub const ERROR_BODY_BYTES: usize = 1024 * 1024;
/// Maximum length of a text from the service that a message quotes, in characters.
pub const QUOTED_CHARS: usize = 500;
/// Default timeout of an attempt.
pub const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);
/// Default number of retries.
pub const RETRIES: u32 = 5;
/// Maximum total wait for the retries of one request, unless the user limits the total wait of all requests.
pub const RETRY_WAIT: Duration = Duration::from_secs(300);
/// Default number of requests in flight.
pub const CONCURRENCY: u16 = 8;
/// Maximum number of requests in flight with `--concurrency auto`.
pub const CONCURRENCY_AUTO: u16 = 64;
/// Highest value of `--concurrency`.
pub const CONCURRENCY_MAX: u16 = 256;
/// First backoff, before jitter.
pub const BACKOFF_FIRST: Duration = Duration::from_secs(1);
/// Maximum backoff, before jitter.
pub const BACKOFF_CAP: Duration = Duration::from_secs(120);
/// Minimum interval between requests for the status of a document.
pub const POLL_MIN: Duration = Duration::from_secs(1);
/// Maximum interval between requests for the status of a document.
pub const POLL_MAX: Duration = Duration::from_secs(30);
/// How long tulk waits for an import after its upload address has expired.
pub const IMPORT_GRACE: Duration = Duration::from_secs(600);
/// How often the record of a document is read while another process works on the document.
pub const RECORD_POLL: Duration = Duration::from_millis(100);
/// Maximum credible `seconds_remaining`. A larger value is shown as unknown.
pub const ESTIMATE_MAX: Duration = Duration::from_secs(86_400);
/// Timeout of a `key_command`, which may ask the user a question.
pub const KEY_COMMAND_TIMEOUT: Duration = Duration::from_secs(120);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_limits_match_the_documentation() {
        assert_eq!(JSON_LINE_BYTES, 16_777_216);
        assert_eq!((TERM_FILE.bytes, PROJECT_FILE.bytes), (65_536, 1_048_576));
        assert_eq!((MARKDOWN_FILE.bytes, DICTIONARY_FILE.bytes), (16_777_216, 67_108_864));
        assert_eq!((CATALOG_FILE.bytes, STATE_FILE.bytes), (268_435_456, 1_073_741_824));
        assert_eq!(TABLE_RECORD_BYTES, 67_108_864);
        assert_eq!(RESULT_CACHE_BYTES, 1_073_741_824);
        assert_eq!(RESULT_CACHE_AGE, Duration::from_secs(31_536_000));
        assert_eq!(ANSWER_BYTES, 16_777_216);
        assert_eq!(ENTRIES_ANSWER_BYTES, 31_457_280);
        assert_eq!(SENT_ANSWER_BYTES, 1_048_576);
        assert_eq!(ERROR_BODY_BYTES, 1_048_576);
    }
}
