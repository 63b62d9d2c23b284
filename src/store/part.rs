//! Results under way to a file: `FILE.part`, and `FILE.part.state` from which a later run goes on.
//!
//! The state is text, one note a line, only ever appended: `w` notes where whole rows end, before they are written to
//! the part; `a` notes an answer that came ahead of its turn. After a kill the part's own length says which `w` holds.
//! Spec: `-o FILE` and `--resume` of translate.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ring::digest::{Context, SHA256};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::error::{Failure, Origin};

/// What to do with a part that an earlier run left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leftover {
    /// Refuse to start: it holds paid work.
    Refuse,
    /// Throw it away (`--force`).
    Replace,
    /// Go on with it (`--resume`); starts anew where there is none.
    Resume,
}

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

    fn hex(&self) -> String {
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
fn short(text: &str) -> String {
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
struct Header {
    tulk_part: u32,
    options: String,
    server: String,
    target: String,
}

impl Header {
    /// The first line of an identity is the server, the last the target, the options stand between.
    fn of(identity: &str) -> Self {
        let (server, rest) = identity.split_once('\n').unwrap_or((identity, ""));
        let (options, target) = rest.rsplit_once('\n').unwrap_or(("", rest));
        Self { tulk_part: 1, options: digest_of(options), server: digest_of(server), target: digest_of(target) }
    }
}

/// A file of results under way.
pub struct Part {
    target: PathBuf,
    part: PathBuf,
    state_path: PathBuf,
    file: File,
    state: File,
    /// Bytes in the part.
    written: u64,
    source: Digest,
    source_bytes: u64,
    rows: u64,
    entries: u64,
    /// Ends of rows not yet noted: rows, entries, end in the output.
    ends: Vec<(u64, u64, u64)>,
    notes: String,
    resumed: Option<Resumed>,
    /// Whether it holds anything that a later run could use.
    worth: bool,
}

/// A part that holds nothing is not left behind.
impl Drop for Part {
    fn drop(&mut self) {
        if !self.worth {
            let _ = std::fs::remove_file(&self.part);
            let _ = std::fs::remove_file(&self.state_path);
        }
    }
}

impl Part {
    /// Opens the part of `path` and locks its state; missing parent directories are made.
    ///
    /// `identity` is what must be the same for a later run to go on: the server, then the options that change requests or
    /// how the input is read, then the target, on lines of their own.
    ///
    /// Fails with usage when an earlier run left a part and `leftover` says so, when that run's options, server or target
    /// were others, and when another process is at it.
    pub fn open(path: &Path, identity: &str, leftover: Leftover) -> Result<Self, Failure> {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if let Some(parent) = target.parent().filter(|p| !p.as_os_str().is_empty()) {
            std::fs::create_dir_all(parent).map_err(|e| Failure::file("make", parent, &e))?;
        }
        let (part, state_path) = (with_suffix(&target, ".part"), with_suffix(&target, ".part.state"));
        let state = private(&state_path).map_err(|e| Failure::file("write", &state_path, &e))?;
        lock(&state, &target)?;
        if leftover == Leftover::Refuse && holds_work(&part, &state)? {
            let what = format!("{} is left from an earlier run", part.display());
            return Err(Failure::usage(what).hint("go on with it by --resume, or throw it away by --force"));
        }
        let header = Header::of(identity);
        let resumed = if leftover == Leftover::Resume { Resumed::read(&state, &part, &target, &header)? } else { None };
        let mut file = open_part(&part, &target).map_err(|e| Failure::file("write", &part, &e))?;
        let start = resumed.as_ref().map_or(0, |r| r.bytes);
        let cut = |e: io::Error| Failure::file("write", &part, &e);
        if !resumed.as_ref().is_some_and(|r| r.finished) {
            file.set_len(start).map_err(cut)?;
            file.seek(SeekFrom::Start(start)).map_err(cut)?;
        }
        let mut notes = String::new();
        match &resumed {
            // Said again: of what was noted after it, nothing holds any more.
            Some(r) if r.bytes > 0 => note_back(&mut notes, r),
            Some(_) => {}
            None => {
                state.set_len(0).map_err(|e| Failure::file("write", &state_path, &e))?;
                notes = serde_json::to_string(&header).map_err(|e| Failure::internal(e.to_string()))? + "\n";
            }
        }
        let mut this = Self {
            target,
            part,
            state_path,
            file,
            state,
            written: start,
            source: Digest::default(),
            source_bytes: 0,
            rows: resumed.as_ref().map_or(0, |r| r.rows),
            entries: resumed.as_ref().map_or(0, |r| r.entries),
            ends: Vec::new(),
            notes,
            worth: resumed.is_some(),
            resumed,
        };
        this.save_notes()?;
        Ok(this)
    }

    /// What an earlier run left, if this one goes on with it.
    pub fn resumed(&self) -> Option<&Resumed> {
        self.resumed.as_ref()
    }

    /// Sets the digest of the rows that are not read again for writing.
    pub fn seed(&mut self, digest: Digest) {
        self.source = digest;
    }

    /// Notes that a row went into the output, which then has `end` bytes; a run may go on behind it if `whole`.
    pub fn row(&mut self, record: &[u8], entries: u64, end: u64, whole: bool) {
        self.source.update(record);
        self.source_bytes += record.len() as u64;
        self.rows += 1;
        self.entries += entries;
        if whole {
            self.ends.push((self.rows, self.entries, end));
        }
    }

    /// Bytes in the part.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Notes an answer that came ahead of its turn.
    pub fn ahead(&mut self, at: (u64, u32, u32), sent: &str, answer: &Ahead) {
        let (row, target, slot) = at;
        if let Ok(json) = serde_json::to_string(answer) {
            self.worth = true;
            let _ = writeln!(self.notes, "a {row} {target} {slot} {} {json}", short(sent));
        }
    }

    /// Writes the notes out.
    pub fn save_notes(&mut self) -> Result<(), Failure> {
        if !self.notes.is_empty() {
            self.state.write_all(self.notes.as_bytes()).map_err(|e| Failure::file("write", &self.state_path, &e))?;
            self.notes.clear();
        }
        Ok(())
    }

    /// Appends output; the ends of its rows are noted first.
    pub fn append(&mut self, output: &[u8]) -> Result<(), Failure> {
        self.note_rows();
        self.save_notes()?;
        self.worth |= !output.is_empty();
        self.file.write_all(output).map_err(|e| Failure::file("write", &self.part, &e))?;
        self.written += output.len() as u64;
        Ok(())
    }

    fn note_rows(&mut self) {
        if self.ends.is_empty() {
            return;
        }
        // The digest covers all rows so far, so a part that bears out only some of them is checked by all of them.
        let _ = write!(self.notes, "w {} {}", self.rows, self.source.hex());
        for (rows, entries, end) in self.ends.drain(..) {
            let _ = write!(self.notes, " {rows}:{entries}:{end}");
        }
        self.notes.push('\n');
    }

    /// Makes the part the file: synced, renamed, with the old file's mode; the state is removed.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.worth = true;
        if self.resumed.as_ref().is_some_and(|r| r.finished) {
            let _ = std::fs::remove_file(&self.part);
            return std::fs::remove_file(&self.state_path).map_err(|e| Failure::file("remove", &self.state_path, &e));
        }
        self.append(&[])?;
        self.file.sync_all().map_err(|e| Failure::file("write", &self.part, &e))?;
        self.notes.push_str("f\n");
        self.save_notes()?;
        std::fs::rename(&self.part, &self.target).map_err(|e| Failure::file("write", &self.target, &e))?;
        sync_parent(&self.target);
        std::fs::remove_file(&self.state_path).map_err(|e| Failure::file("remove", &self.state_path, &e))
    }
}

impl Resumed {
    /// Reads what an earlier run left; `None` where there is nothing to go on with.
    fn read(mut state: &File, part: &Path, target: &Path, header: &Header) -> Result<Option<Self>, Failure> {
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

/// Whether an earlier run left output, or answers ahead of their turn.
fn holds_work(part: &Path, state: &File) -> Result<bool, Failure> {
    let Ok(about) = std::fs::metadata(part) else { return Ok(false) };
    let notes = BufReader::new(state).lines().take(2).collect::<io::Result<Vec<_>>>();
    let notes = notes.map_err(|e| Failure::file("read", part, &e))?;
    Ok(about.len() > 0 || notes.len() > 1)
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
fn note_back(notes: &mut String, resumed: &Resumed) {
    let Resumed { rows, entries, bytes, check, .. } = resumed;
    let _ = writeln!(notes, "w {} {} {rows}:{entries}:{bytes}", check.rows, check.digest);
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Opens a file for reading and appending that only its owner can read.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

fn lock(state: &File, target: &Path) -> Result<(), Failure> {
    match state.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(Failure::usage(format!("another process is writing {}", target.display())).hint("wait until it ends"))
        }
        // A file system without locks: better unlocked than not at all.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Opens the part with the mode that the file has, or a new one would.
fn open_part(part: &Path, target: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    let old = std::fs::metadata(target).ok().map(|m| m.permissions());
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt};
        options.mode(old.as_ref().map_or(0o666, PermissionsExt::mode) & 0o777);
    }
    let file = options.open(part)?;
    if let Some(old) = old {
        file.set_permissions(old)?;
    }
    Ok(file)
}

fn sync_parent(path: &Path) {
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Not all systems can sync a directory; the rename stands all the same.
    if let Ok(dir) = File::open(parent) {
        let _ = dir.sync_all();
    }
}
