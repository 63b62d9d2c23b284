//! The file of one run: a header, a line with the key of each output, and for each finished output a line with its key and the
//! digests of its source and result. Lines are only appended, and the last line of an output counts.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileLock};
use tulk_base::limits::STATE_FILE;

use super::{FinishedOutput, FinishedOutputs, OutputKey};

const HEADER: &str = "{\"tulk_run\":1}\n";

/// Locked until it is dropped.
pub struct RecordFile {
    path: PathBuf,
    file: FileLock,
    /// Size of the complete lines; 0 if the file is not a valid record yet.
    length: u64,
    outputs: RunOutputs,
}

impl RecordFile {
    /// Creates an empty record if necessary; `None` if another process holds its lock.
    pub fn open(path: PathBuf) -> Result<Option<Self>, Failure> {
        let Some(file) = files::open_locked(&path)? else { return Ok(None) };
        let mut bytes = files::read_opened(&file, STATE_FILE).file_context("read", &path)?;
        bytes.truncate(memchr::memrchr(b'\n', &bytes).map_or(0, |end| end + 1));
        let outputs = RunOutputs::parse(&String::from_utf8_lossy(&bytes));
        let length = outputs.as_ref().map_or(0, |_| bytes.len() as u64);
        Ok(Some(Self { path, file, length, outputs: outputs.unwrap_or_default() }))
    }

    /// Makes the file the record of a run with these outputs, some of which may be finished.
    pub fn start(&mut self, outputs: &[OutputKey], finished: &FinishedOutputs) -> Result<(), Failure> {
        files::make_private(&self.file, &self.path)?;
        let is_known = |key: &OutputKey| finished.contains_key(key);
        if self.length == 0 || !self.outputs.finished().all(|(key, _)| is_known(key)) {
            (self.length, self.outputs) = (0, RunOutputs::default());
            let keys: String = outputs.iter().map(|OutputKey(key)| format!("{key}\n")).collect();
            self.append(&format!("{HEADER}{keys}"))?;
            self.outputs.0.extend(outputs.iter().map(|key| (key.clone(), None)));
            files::sync_dir(files::parent_dir(&self.path));
        }
        self.add(finished)
    }

    /// Appends the finished outputs that belong to this run, and syncs them.
    pub fn add(&mut self, finished: &FinishedOutputs) -> Result<(), Failure> {
        let is_new = |key: &OutputKey, output: &FinishedOutput| match self.outputs.0.get(key) {
            None => false,
            Some(earlier) => earlier.as_ref() != Some(output),
        };
        let new: Vec<_> = finished.iter().filter(|(key, output)| is_new(key, output)).collect();
        let line =
            |(key, output): &(&OutputKey, &FinishedOutput)| format!("{} {} {}\n", key.0, output.source, output.result);
        self.append(&new.iter().map(line).collect::<String>())?;
        self.outputs.0.extend(new.into_iter().map(|(key, output)| (key.clone(), Some(output.clone()))));
        Ok(())
    }

    pub fn outputs(&self) -> &RunOutputs {
        &self.outputs
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file while it is still locked.
    pub fn remove(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// Appends complete lines, after cutting off a partial line that a kill or a full disk left.
    fn append(&mut self, lines: &str) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let written = self.file.set_len(self.length).and_then(|()| (&*self.file).write_all(lines.as_bytes()));
        written.and_then(|()| self.file.sync_data()).file_context("write", &self.path)?;
        self.length += lines.len() as u64;
        Ok(())
    }
}

/// The outputs of a run, with the digests of the finished ones.
#[derive(Clone, Debug, Default)]
pub struct RunOutputs(HashMap<OutputKey, Option<FinishedOutput>>);

impl RunOutputs {
    /// Has no outputs if the file cannot be read or is not a record.
    pub fn read(path: &Path) -> Self {
        let text = files::open_existing(path).ok().flatten().and_then(|file| {
            let bytes = files::read_opened(&file, STATE_FILE).ok()?;
            String::from_utf8(bytes).ok()
        });
        text.and_then(|text| Self::parse(&text)).unwrap_or_default()
    }

    /// Returns `None` if the text is not a record.
    fn parse(text: &str) -> Option<Self> {
        let lines = text.strip_prefix(HEADER)?;
        // A last line without a line ending was cut off by a kill.
        let lines = lines.rsplit_once('\n').map_or("", |(whole, _)| whole);
        let output = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let finished = match words[..] {
                [_] => None,
                [_, source, result] => Some(FinishedOutput { source: source.to_owned(), result: result.to_owned() }),
                _ => return None,
            };
            Some((OutputKey(words.first()?.to_string()), finished))
        };
        Some(Self(lines.lines().filter_map(output).collect()))
    }

    pub fn finished(&self) -> impl Iterator<Item = (&OutputKey, &FinishedOutput)> {
        self.0.iter().filter_map(|(key, finished)| Some((key, finished.as_ref()?)))
    }

    pub fn has_any(&self, outputs: &[OutputKey]) -> bool {
        outputs.iter().any(|key| self.0.contains_key(key))
    }

    pub fn is_complete(&self) -> bool {
        self.0.values().all(Option::is_some)
    }
}
