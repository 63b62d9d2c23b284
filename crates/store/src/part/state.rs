//! The state file next to a part: a header, then one event per line. Lines are only appended.
//!
//! - `w ROWS DIGEST ROWS:ENTRIES:BYTES…`: ends of rows in the output, written before the output itself. After a kill, the length of
//!   the part shows which of these rows were written. The digest covers the first ROWS rows of the input.
//! - `a ROW TARGET SLOT DIGEST JSON`: a result that a later run cannot take from the output. Other results of its row or of earlier
//!   rows are missing, or its row ends within an entry.
//! - `f`: the part is complete.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tulk_base::error::Failure;
use tulk_base::files;

use super::input_check::InputCheck;
use super::{PartPaths, RowEnd};

/// Maximum size of a line, larger than any result.
const MAX_LINE_BYTES: u64 = 64 << 20;

/// Number of hexadecimal digits that suffice to recognise an entry.
const ENTRY_DIGEST_DIGITS: usize = 32;

fn entry_digest(text: &str) -> String {
    let mut digest = files::sha256_hex(text.as_bytes());
    digest.truncate(ENTRY_DIGEST_DIGITS);
    digest
}

/// Identifies the entry of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnswerKey {
    /// Number of the row.
    pub row: u64,
    /// Index of the target among the targets of the file.
    pub target: u32,
    /// Slot in the row.
    pub slot: u32,
}

/// A result that a later run cannot take from the output, such as one that arrived before the results of earlier rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EarlyAnswer {
    /// The translated text; `None` if the source text is used.
    pub text: Option<String>,
    /// Billed characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billed: Option<u64>,
    /// The service's JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Box<RawValue>>,
}

impl EarlyAnswer {
    /// The `a` line. `source` is the text of the entry in the input.
    pub(super) fn answer_line(&self, key: AnswerKey, source: &str) -> Option<String> {
        let AnswerKey { row, target, slot } = key;
        let json = serde_json::to_string(self).ok()?;
        Some(format!("a {row} {target} {slot} {} {json}\n", entry_digest(source)))
    }
}

/// The first line of a state file: digests of what must be the same in every run.
#[derive(Serialize, Deserialize, PartialEq, Eq, Clone)]
pub(super) struct StateHeader {
    #[serde(rename = "tulk_part")]
    version: u32,
    options: String,
    server: String,
    target: String,
}

impl StateHeader {
    /// A longer first line is not a header.
    pub(super) const MAX_BYTES: u64 = 1024;

    /// Returns whether this is the first line of a state file of any version, even if a kill cut it off.
    pub(super) fn is_header(line: &[u8]) -> bool {
        const START: &[u8] = br#"{"tulk_part":"#;
        line.starts_with(START) || START.starts_with(line)
    }

    /// The first line of `identity` is the server, the last the target; the lines in between are options.
    pub(super) fn new(identity: &str) -> Self {
        let (server, rest) = identity.split_once('\n').unwrap_or((identity, ""));
        let (options, target) = rest.rsplit_once('\n').unwrap_or(("", rest));
        let digest = |text: &str| files::sha256_hex(text.as_bytes());
        Self { version: 1, options: digest(options), server: digest(server), target: digest(target) }
    }

    pub(super) fn header_line(&self) -> Result<String, Failure> {
        Ok(serde_json::to_string(self)? + "\n")
    }

    fn check(&self, expected: &Self, part_path: &Path) -> Result<(), Failure> {
        if self == expected {
            return Ok(());
        }
        let other = match () {
            () if self.target != expected.target => "another target language",
            () if self.server != expected.server => "another server",
            () => "other options",
        };
        let what = format!("{} was started with {other}", part_path.display());
        Err(Failure::usage(what).hint_to_start_over("use the same options, or start over with --force"))
    }
}

/// Where an earlier run stopped, and its results that are not in the output.
#[derive(Clone)]
pub struct ResumePoint {
    pub(super) end: RowEnd,
    pub(super) finished: bool,
    /// Size of the state file, without a last line that was cut off.
    pub(super) state_bytes: u64,
    check: InputCheck,
    answers: HashMap<AnswerKey, (String, EarlyAnswer)>,
}

impl ResumePoint {
    /// Returns the number of rows written.
    pub fn rows(&self) -> u64 {
        self.end.rows
    }

    /// Returns the number of entries in the rows written.
    pub fn entries(&self) -> u64 {
        self.end.entries
    }

    /// Returns the size of the output in bytes.
    pub fn bytes(&self) -> u64 {
        self.end.bytes
    }

    /// Returns a check that the input is still the same.
    pub fn input_check(&self) -> InputCheck {
        self.check.clone()
    }

    /// Returns the result for a slot if the entry still has the same text.
    pub fn answer(&self, key: AnswerKey, text: &str) -> Option<&EarlyAnswer> {
        self.answers.get(&key).filter(|(digest, _)| *digest == entry_digest(text)).map(|(_, answer)| answer)
    }

    /// Returns a `w` line for the existing output. It overrides earlier lines about output that was lost.
    pub(super) fn row_end_line(&self) -> String {
        if self.end.bytes == 0 { String::new() } else { self.check.row_end_line(self.end) }
    }

    /// Returns `None` if there is nothing to resume.
    pub(super) fn read(mut state: &File, paths: &PartPaths, header: &StateHeader) -> Result<Option<Self>, Failure> {
        let fail = |e: io::Error| Failure::file("read", &paths.state, &e);
        state.seek(SeekFrom::Start(0)).map_err(fail)?;
        let length_of = |path: &Path| std::fs::metadata(path).map(|m| m.len()).ok();
        let part_length = length_of(&paths.part);
        let mut lines = BufReader::new(state);
        let mut line = String::new();
        let mut state_bytes = lines.by_ref().take(StateHeader::MAX_BYTES).read_line(&mut line).map_err(fail)? as u64;
        if !line.ends_with('\n') {
            // The header is written first. Without it, a part with content was not written by tulk.
            return if part_length.is_some_and(|length| length > 0) { Err(unreadable(&paths.part)) } else { Ok(None) };
        }
        let found: StateHeader = serde_json::from_str(&line).map_err(|_| unreadable(&paths.part))?;
        found.check(header, &paths.part)?;
        // A missing part was finished and renamed, so use the length of the output file.
        let written = part_length.or_else(|| length_of(&paths.target)).unwrap_or(0);
        let mut replay = StateReplay::default();
        loop {
            line.clear();
            let read = lines.by_ref().take(MAX_LINE_BYTES).read_line(&mut line).map_err(fail)?;
            // A last line without a line ending was cut off by a kill. A line longer than `MAX_LINE_BYTES` was not written by tulk.
            if !line.ends_with('\n') {
                break;
            }
            state_bytes += read as u64;
            replay.apply(line.trim_end_matches('\n'), written);
        }
        let finished = replay.finished && part_length.is_none() && paths.target.exists();
        if part_length.is_none() && !finished {
            return Ok(None);
        }
        let StateReplay { end, check_rows, digest, mut answers, .. } = replay;
        answers.retain(|key, _| key.row >= end.rows);
        let check = if finished {
            InputCheck::of_complete_input(paths.target.clone(), check_rows, digest)
        } else {
            InputCheck::new(paths.part.clone(), check_rows, digest)
        };
        Ok(Some(Self { end, finished, state_bytes, check, answers }))
    }
}

fn unreadable(part_path: &Path) -> Failure {
    Failure::usage(format!("{} has no readable state file", part_path.display()))
        .hint_to_start_over("start over with --force")
}

#[derive(Default)]
struct StateReplay {
    end: RowEnd,
    check_rows: u64,
    digest: String,
    finished: bool,
    answers: HashMap<AnswerKey, (String, EarlyAnswer)>,
}

impl StateReplay {
    /// Applies a line. Of its row ends, the last one within the `written` bytes counts. Skips lines that cannot be parsed.
    fn apply(&mut self, line: &str, written: u64) {
        if line == "f" {
            self.finished = true;
        } else if let Some(event) = line.strip_prefix("w ") {
            self.finished = false;
            self.apply_row_ends(event, written);
        } else if let Some(event) = line.strip_prefix("a ") {
            self.answers.extend(parse_answer(event));
        }
    }

    fn apply_row_ends(&mut self, event: &str, written: u64) {
        let mut words = event.split(' ');
        let check_rows = words.next().and_then(|word| word.parse().ok());
        let (Some(check_rows), Some(digest)) = (check_rows, words.next()) else { return };
        let ends = words.filter_map(|word| {
            let mut numbers = word.split(':').map(|n| n.parse::<u64>().ok());
            Some(RowEnd { rows: numbers.next()??, entries: numbers.next()??, bytes: numbers.next()?? })
        });
        if let Some(end) = ends.take_while(|end| end.bytes <= written).last() {
            self.end = end;
            self.check_rows = check_rows;
            digest.clone_into(&mut self.digest);
        }
    }
}

fn parse_answer(event: &str) -> Option<(AnswerKey, (String, EarlyAnswer))> {
    let mut words = event.splitn(5, ' ');
    let row = words.next()?.parse().ok()?;
    let target = words.next()?.parse().ok()?;
    let slot = words.next()?.parse().ok()?;
    let digest = words.next()?.to_owned();
    let answer = serde_json::from_str(words.next()?).ok()?;
    Some((AnswerKey { row, target, slot }, (digest, answer)))
}
