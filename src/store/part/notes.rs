//! The state beside a part: text, one note a line, only ever appended.
//!
//! `w` notes where whole rows end, before they are written to the part: after a kill the part's own length says which of
//! them holds. `a` notes an answer that came ahead of its turn; `f` that the part is whole.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{Failure, Origin};

/// A running digest of the source.
#[derive(Clone)]
pub struct Digest(Context);

impl Default for Digest {
    fn default() -> Self {
        Self(Context::new(&SHA256))
    }
}

impl Digest {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(super) fn hex(&self) -> String {
        hex(self.0.clone().finish().as_ref())
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn digest_of(text: &str) -> String {
    hex(ring::digest::digest(&SHA256, text.as_bytes()).as_ref())
}

/// The start of the digest of a text: enough to tell that an entry is still the same.
pub(super) fn short(text: &str) -> String {
    digest_of(text).chars().take(32).collect()
}

/// Compares an input with what an earlier run saw of it.
#[derive(Clone)]
pub struct Check {
    path: PathBuf,
    rows: u64,
    digest: String,
    seen: u64,
    running: Digest,
}

impl Check {
    /// Sees the record of row `row`; rows come in order. Fails when the start of the input is another one.
    pub fn see(&mut self, row: u64, bytes: &[u8]) -> Result<(), Failure> {
        if row >= self.rows {
            return Ok(());
        }
        self.running.update(bytes);
        self.seen = row + 1;
        if self.seen == self.rows && self.running.hex() != self.digest {
            return Err(self.mismatch());
        }
        Ok(())
    }

    /// Fails when the input ended before all of it was seen.
    pub fn end(&self) -> Result<(), Failure> {
        if self.is_done() { Ok(()) } else { Err(self.mismatch()) }
    }

    /// Whether the start of the input was found to be the same.
    pub fn is_done(&self) -> bool {
        self.seen == self.rows
    }

    /// The digest of what was seen so far.
    pub fn running(&self) -> &Digest {
        &self.running
    }

    fn mismatch(&self) -> Failure {
        Failure::usage("the input is not the one that the earlier run read")
            .at(Origin::of(&self.path.to_string_lossy()))
            .hint("give the same input, or start anew with --force")
    }
}

/// What an earlier run left.
#[derive(Clone)]
pub struct Resumed {
    /// Rows that are written.
    pub rows: u64,
    /// Entries in them.
    pub entries: u64,
    /// Bytes of output that they made.
    pub bytes: u64,
    /// Whether the file is finished already.
    pub finished: bool,
    /// Compares the input.
    pub check: Check,
    ahead: HashMap<(u64, u32, u32), (String, Ahead)>,
}

/// An answer that came ahead of its turn, as the state keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ahead {
    /// The text; none where the entry passed through.
    pub text: Option<String>,
    /// Characters billed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billed: Option<u64>,
    /// The service's object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<Box<RawValue>>,
}

impl Resumed {
    /// The answer kept for a slot, if the text is still the same.
    pub fn ahead(&self, at: (u64, u32, u32), text: &str) -> Option<&Ahead> {
        self.ahead.get(&at).filter(|(digest, _)| *digest == short(text)).map(|(_, ahead)| ahead)
    }
}

#[derive(Serialize, Deserialize, PartialEq, Eq, Clone)]
pub(super) struct Header {
    tulk_part: u32,
    options: String,
    server: String,
    target: String,
}

impl Header {
    /// The first line of an identity is the server, the last the target, the options stand between.
    pub(super) fn of(identity: &str) -> Self {
        let (server, rest) = identity.split_once('\n').unwrap_or((identity, ""));
        let (options, target) = rest.rsplit_once('\n').unwrap_or(("", rest));
        Self { tulk_part: 1, options: digest_of(options), server: digest_of(server), target: digest_of(target) }
    }
}

impl Resumed {
    /// Reads what an earlier run left; `None` where there is nothing to go on with.
    pub(super) fn read(mut state: &File, part: &Path, target: &Path, header: &Header) -> Result<Option<Self>, Failure> {
        let fail = |e: io::Error| Failure::file("read", part, &e);
        state.seek(SeekFrom::Start(0)).map_err(fail)?;
        let length = std::fs::metadata(part).map(|m| m.len()).ok();
        // A finished file's part is gone: the file bears its notes out.
        let bears_out = length.or_else(|| std::fs::metadata(target).map(|m| m.len()).ok()).unwrap_or(0);
        let mut lines = BufReader::new(state);
        let mut line = String::new();
        if lines.read_line(&mut line).map_err(fail)? == 0 {
            return match length {
                Some(length) if length > 0 => Err(unknown(part)),
                _ => Ok(None),
            };
        }
        let old: Header = serde_json::from_str(&line).map_err(|_| unknown(part))?;
        if old != *header {
            let what = match () {
                () if old.target != header.target => "another target language",
                () if old.server != header.server => "another server",
                () => "other options",
            };
            let what = format!("{} was begun with {what}", part.display());
            return Err(Failure::usage(what).hint("give the same options, or start anew with --force"));
        }
        let mut notes = Notes::default();
        loop {
            line.clear();
            // A last line without its end was cut off by a kill.
            if lines.read_line(&mut line).map_err(fail)? == 0 || !line.ends_with('\n') {
                break;
            }
            notes.take(line.trim_end_matches('\n'), bears_out);
        }
        let finished = notes.finished && length.is_none() && target.exists();
        if length.is_none() && !finished {
            return Ok(None);
        }
        let Notes { rows, entries, bytes, check_rows, digest, ahead, .. } = notes;
        let running = Digest::default();
        let check = Check { path: part.to_owned(), rows: check_rows, digest, seen: 0, running };
        let ahead = ahead.into_iter().filter(|((row, ..), _)| *row >= rows).collect();
        Ok(Some(Self { rows, entries, bytes, finished, check, ahead }))
    }
}

fn unknown(part: &Path) -> Failure {
    Failure::usage(format!("{} has no readable state beside it", part.display())).hint("start anew with --force")
}

/// What the notes of a state come to.
#[derive(Default)]
struct Notes {
    rows: u64,
    entries: u64,
    bytes: u64,
    check_rows: u64,
    digest: String,
    finished: bool,
    ahead: HashMap<(u64, u32, u32), (String, Ahead)>,
}

impl Notes {
    /// Takes a note; the last end that the part's length bears out is the truth.
    fn take(&mut self, line: &str, length: u64) {
        if line == "f" {
            self.finished = true;
        } else if let Some(note) = line.strip_prefix("w ") {
            self.finished = false;
            let mut words = note.split(' ');
            let rows = words.next().and_then(|w| w.parse().ok());
            let (Some(check_rows), Some(digest)) = (rows, words.next()) else { return };
            let ends = words.filter_map(|word| {
                let mut numbers = word.split(':').map(|n| n.parse::<u64>().ok());
                Some((numbers.next()??, numbers.next()??, numbers.next()??))
            });
            if let Some((rows, entries, end)) = ends.take_while(|(_, _, end)| *end <= length).last() {
                (self.rows, self.entries, self.bytes) = (rows, entries, end);
                self.check_rows = check_rows;
                digest.clone_into(&mut self.digest);
            }
        } else if let Some(note) = line.strip_prefix("a ") {
            let mut words = note.splitn(5, ' ');
            let mut number = || words.next()?.parse::<u64>().ok();
            let (Some(row), Some(target), Some(slot)) = (number(), number(), number()) else { return };
            let (Ok(target), Ok(slot)) = (u32::try_from(target), u32::try_from(slot)) else { return };
            let (Some(digest), Some(json)) = (words.next(), words.next()) else { return };
            if let Ok(answer) = serde_json::from_str(json) {
                self.ahead.insert((row, target, slot), (digest.to_owned(), answer));
            }
        }
    }
}

/// Notes the end that a run goes on from, so that stale notes before it are out.
pub(super) fn note_back(notes: &mut String, resumed: &Resumed) {
    let Resumed { rows, entries, bytes, check, .. } = resumed;
    let _ = writeln!(notes, "w {} {} {rows}:{entries}:{bytes}", check.rows, check.digest);
}
