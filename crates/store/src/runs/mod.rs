//! Records of runs with several outputs: which outputs are finished, so that `--resume` sends nothing for them again.
//!
//! Each unfinished run has one file of digests in the state directory; `record` describes its format. A later run with any selection
//! of the same inputs and outputs uses it. An output is recorded before its file is renamed into place; the digest of the file tells
//! whether that happened.

mod record;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode, SharedDigest};

use self::record::{RecordFile, RunOutputs};

/// Number of hexadecimal digits that suffice to recognise an output.
const KEY_DIGITS: usize = 32;

/// Digest of everything that the content of an output depends on, except the content of its source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutputKey(String);

impl OutputKey {
    /// Creates the key from everything that identifies the output: options, target, source and path.
    pub fn new(identity: &[&str]) -> Self {
        // The lengths separate the parts.
        let identity: String = identity.iter().map(|part| format!("{}:{part}", part.len())).collect();
        let mut digest = files::sha256_hex(identity.as_bytes());
        digest.truncate(KEY_DIGITS);
        Self(digest)
    }
}

/// The digests of a finished output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedOutput {
    /// Digest of the source when it was read.
    pub source: String,
    /// Digest of the result.
    pub result: String,
}

/// Finished outputs of any number of runs.
pub type FinishedOutputs = HashMap<OutputKey, FinishedOutput>;

/// The directory of the records.
#[derive(Clone, Debug)]
pub struct RunStore {
    dir: PathBuf,
}

impl RunStore {
    /// Opens the user's records.
    pub fn user() -> Result<Self, Failure> {
        Ok(Self::at(&files::state_dir()?.join("runs")))
    }

    /// Opens the records in a directory, which the first run creates.
    pub fn at(dir: &Path) -> Self {
        Self { dir: dir.to_owned() }
    }

    /// Fails if another user could have written the records.
    pub fn check(&self) -> Result<(), Failure> {
        files::check_trusted_dir(&self.dir)?;
        self.paths().iter().try_for_each(|path| files::check_trusted_file(path))
    }

    /// Returns the finished outputs of all incomplete runs. If several runs finished an output, the latest one counts.
    pub fn finished(&self) -> FinishedOutputs {
        let mut finished = HashMap::new();
        for path in self.paths() {
            let outputs = RunOutputs::read(&path);
            finished.extend(outputs.finished().map(|(key, output)| (key.clone(), output.clone())));
        }
        finished
    }

    /// Starts and locks the record of a run with these outputs. Outputs in `earlier` need not be written again.
    ///
    /// Returns `None` if another process is running the same outputs.
    pub fn begin(&self, outputs: Vec<OutputKey>, earlier: &FinishedOutputs) -> Result<Option<RunRecord>, Failure> {
        files::make_dirs(&self.dir, FileMode::Private)?;
        self.remove_empty();
        let mut sorted = outputs.clone();
        sorted.sort();
        let names: Vec<&str> = sorted.iter().map(|key| key.0.as_str()).collect();
        let path = self.dir.join(format!("{}.run", OutputKey::new(&names).0));
        let Some(mut file) = RecordFile::open(path)? else { return Ok(None) };
        let mut earlier: FinishedOutputs = earlier.clone();
        earlier.retain(|key, _| sorted.binary_search(key).is_ok());
        file.start(&outputs, &earlier)?;
        let run = OpenRun { file, finished: earlier, failure: None };
        Ok(Some(RunRecord { store: self.clone(), outputs, run: Arc::new(Mutex::new(run)) }))
    }

    /// Removes records without finished outputs, which killed runs left.
    fn remove_empty(&self) {
        let is_empty = |outputs: &RunOutputs| outputs.finished().next().is_none();
        for path in self.paths().into_iter().filter(|path| is_empty(&RunOutputs::read(path))) {
            if let Ok(Some(mut file)) = RecordFile::open(path)
                && is_empty(file.outputs())
            {
                file.remove();
            }
        }
    }

    /// Sorted, with the latest last.
    fn paths(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(&self.dir) else { return Vec::new() };
        let paths = entries.flatten().map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|e| e == "run")).collect();
        paths.sort_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
        paths
    }
}

/// The record of this run.
pub struct RunRecord {
    store: RunStore,
    outputs: Vec<OutputKey>,
    run: Arc<Mutex<OpenRun>>,
}

struct OpenRun {
    file: RecordFile,
    finished: FinishedOutputs,
    /// The first failure.
    failure: Option<Failure>,
}

fn lock(run: &Mutex<OpenRun>) -> MutexGuard<'_, OpenRun> {
    run.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RunRecord {
    /// Returns a handle that records an output when it is finished. `source` is the digest of the source as it is read.
    pub fn output(&self, key: OutputKey, source: SharedDigest) -> RecordedOutput {
        RecordedOutput { run: Arc::clone(&self.run), key, source }
    }

    /// Returns whether any output is finished.
    pub fn has_finished(&self) -> bool {
        !lock(&self.run).finished.is_empty()
    }

    /// Ends the run, and removes its record if the run is complete. Returns the failure if an output could not be recorded.
    pub fn end(self, complete: bool) -> Option<Failure> {
        let mut run = lock(&self.run);
        if complete {
            self.update_overlapping_runs(&run);
        }
        if complete {
            run.file.remove();
        }
        run.failure.take()
    }

    /// Adds the outputs of this run to the records of other runs that share them. Removes each record that this completes.
    fn update_overlapping_runs(&self, run: &OpenRun) {
        for path in self.store.paths() {
            if path == run.file.path() || !RunOutputs::read(&path).has_any(&self.outputs) {
                continue;
            }
            // The process that has locked a record updates it itself.
            let Ok(Some(mut other)) = RecordFile::open(path) else { continue };
            let told = other.add(&run.finished);
            if told.is_ok() && other.outputs().is_complete() {
                other.remove();
            }
        }
    }
}

impl Drop for RunRecord {
    fn drop(&mut self) {
        let mut run = lock(&self.run);
        if run.finished.is_empty() {
            run.file.remove();
        }
    }
}

/// Records one output when it is finished.
#[derive(Clone)]
pub struct RecordedOutput {
    run: Arc<Mutex<OpenRun>>,
    key: OutputKey,
    source: SharedDigest,
}

impl RecordedOutput {
    /// Records the digest of the result, and syncs it to disk. A failure is reported when the run ends.
    pub fn finished(&self, result: &str) {
        let mut run = lock(&self.run);
        let output = FinishedOutput { source: self.source.hex(), result: result.to_owned() };
        let one = HashMap::from([(self.key.clone(), output)]);
        if let Err(failure) = run.file.add(&one) {
            run.failure.get_or_insert(failure);
        }
        run.finished.extend(one);
    }
}
