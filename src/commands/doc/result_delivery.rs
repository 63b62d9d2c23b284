//! Delivers a complete result: renames it, or copies it to stdout or a device; then closes the record.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _, Kind, io_message};
use tulk_base::files::{
    AtomicFile, FileMode, ReadContent, follow_links, open_special, parent_dir, rename_new, sync_dir,
};
use tulk_store::documents::{DocumentRecord, DocumentStage, DocumentStore, ResultTarget};

use super::content::for_each_block;
use super::next_command::NextCommands;
use super::records::SharedRecord;
use super::result_download::part_failure;
use super::result_path::{ResultFiles, already_exists, check_not_existing, part_path};
use crate::output::Output;

pub struct ResultDelivery<'a> {
    pub out: &'a Output,
    pub store: &'a DocumentStore,
    pub next: &'a NextCommands<'a>,
    /// Whether a result without a path is written to the stdout of this process.
    pub writes_stdout: bool,
}

impl ResultDelivery<'_> {
    /// Delivers a result that an earlier process received completely. `None` if there is none.
    pub fn finish_earlier_download(
        &self,
        shared: &SharedRecord,
        target: &ResultTarget,
    ) -> Result<Option<PathBuf>, Failure> {
        let record = shared.get();
        let (DocumentStage::Downloading, Some(bytes)) = (record.stage, record.result_bytes) else { return Ok(None) };
        let earlier = ResultFiles::of(self.store, &record, &record.download_target());
        if is_complete(&earlier.part, bytes) {
            let files = ResultFiles { part: earlier.part, ..ResultFiles::of(self.store, &record, target) };
            return self.deliver(shared, &files, target).map(Some);
        }
        match earlier.result {
            // The earlier process was killed after it renamed the file.
            Some(result) if !earlier.part.exists() && is_complete(&result, bytes) => {
                if target.path.as_deref().map(follow_links).as_ref() != Some(&result) {
                    return self.deliver_copy(shared, &result, target).map(Some);
                }
                set_done(shared, target.path.clone())?;
                Ok(Some(result))
            }
            _ => Ok(None),
        }
    }

    /// Renames the complete result, or copies it to stdout or a device, and sets the record to done.
    pub fn deliver(
        &self,
        shared: &SharedRecord,
        files: &ResultFiles,
        target: &ResultTarget,
    ) -> Result<PathBuf, Failure> {
        let record = shared.get();
        let Some(result) = &files.result else { return self.deliver_to_stream(shared, &files.part, target) };
        let created_since = |failure: Failure| {
            failure.hint(format!(
                "it was created in the meantime; the result is in {}; replace the file with `{}`",
                files.part.display(),
                self.next.force_command(&record)
            ))
        };
        check_not_existing(result, target.force).map_err(created_since)?;
        let renamed = || -> io::Result<bool> {
            if !target.force {
                return rename_new(&files.part, result);
            }
            if let Ok(old) = fs::metadata(result) {
                fs::set_permissions(&files.part, old.permissions())?;
            }
            fs::rename(&files.part, result)?;
            sync_dir(parent_dir(result));
            Ok(true)
        };
        match renamed() {
            // The earlier download was on another file system.
            Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
                copy_to_file(&files.part, result, target.force).map_err(created_since)?;
                files.remove_part();
            }
            Ok(false) => return Err(created_since(already_exists(result))),
            Ok(true) => {}
            Err(e) => return Err(part_failure(&files.part, &e)),
        }
        set_done(shared, target.path.clone())
            .map_err(|failure| failure.hint(format!("the complete result is in {}", result.display())))?;
        Ok(result.clone())
    }

    /// Copies the result from `from`, where an earlier process delivered it, to another destination. Keeps `from`.
    fn deliver_copy(&self, shared: &SharedRecord, from: &Path, target: &ResultTarget) -> Result<PathBuf, Failure> {
        let files = ResultFiles::of(self.store, &shared.get(), target);
        if let Some(result) = &files.result {
            check_not_existing(result, target.force)?;
            copy_to_file(from, result, target.force)?;
            set_done(shared, target.path.clone())?;
            return Ok(result.clone());
        }
        let copied = self.write_to_stream(from, target);
        set_done(shared, target.path.clone())?;
        copied.map(|()| target.path.clone().unwrap_or_else(|| PathBuf::from("-")))
    }

    /// Copies a received result to stdout or a device. On failure, keeps the received file and reports its path.
    fn deliver_to_stream(
        &self,
        shared: &SharedRecord,
        received: &Path,
        target: &ResultTarget,
    ) -> Result<PathBuf, Failure> {
        if target.path.is_none() && !self.writes_stdout {
            // The result was meant for the stdout of a process that has ended, so it stays in the received file.
            set_done(shared, Some(received.to_owned()))?;
            return Ok(received.to_owned());
        }
        let copied = self.write_to_stream(received, target);
        let kept = copied.is_err().then(|| received.to_owned());
        set_done(shared, kept.or_else(|| target.path.clone()))?;
        let Err(failure) = copied else {
            // If this fails, the file is removed with the record.
            let _ = fs::remove_file(received);
            return Ok(target.path.clone().unwrap_or_else(|| PathBuf::from("-")));
        };
        let location = format!("the complete result is in {}", received.display());
        if failure.kind == Kind::PipeClosed {
            self.out.warn(&format!("stdout was closed before the whole result was written; {location}"));
            return Err(failure);
        }
        let kind = if failure.kind.is_stop() { failure.kind } else { Kind::Internal };
        Err(Failure::new(kind, failure.what).hint(format!("{location}; the service no longer has it")))
    }

    fn write_to_stream(&self, from: &Path, target: &ResultTarget) -> Result<(), Failure> {
        let Some(device) = &target.path else {
            if let Some(mut screen) = self.out.terminal_writer().filter(|_| !target.force) {
                let failed = |e: io::Error| Failure::internal(format!("cannot write to stdout: {}", io_message(&e)));
                return for_each_block(from, &mut |block| screen.write_all(block).map_err(failed));
            }
            return for_each_block(from, &mut |block| self.out.stdout().write_unguarded(block));
        };
        let failed = |e: io::Error| Failure::file("write", device, &e);
        let mut file = open_special(device)?;
        for_each_block(from, &mut |block| file.write_all(block).map_err(failed))
    }
}

/// Returns the target of a resumed document: the result path chosen at the upload, unless a download to another path is complete.
pub fn resume_target(store: &DocumentStore, record: &DocumentRecord) -> ResultTarget {
    let earlier = ResultFiles::of(store, record, &record.download_target());
    let has_result =
        |bytes| is_complete(&earlier.part, bytes) || earlier.result.is_some_and(|path| is_complete(&path, bytes));
    match (record.stage, record.result_bytes) {
        (DocumentStage::Downloading, Some(bytes)) if has_result(bytes) => record.download_target(),
        _ => record.upload_target(),
    }
}

/// Returns whether a file is the delivered result of a document whose record was not closed or awaits an evaluation.
pub fn is_just_written(store: &DocumentStore, path: &Path) -> bool {
    let (Ok(listing), Ok(path)) = (store.list(), std::path::absolute(path)) else { return false };
    let is_its_result = |record: &DocumentRecord| {
        if record.awaits_evaluation() {
            return record.result_path.as_ref() == Some(&path);
        }
        record.stage == DocumentStage::Downloading
            && record.download_target().path.as_ref() == Some(&path)
            && record.result_bytes.is_some_and(|bytes| is_complete(&follow_links(&path), bytes))
            && !part_path(&path).exists()
    };
    listing.records.iter().any(is_its_result)
}

fn set_done(shared: &SharedRecord, path: Option<PathBuf>) -> Result<(), Failure> {
    shared.update(|locked| {
        locked.record.result_path = path;
        locked.set_stage(DocumentStage::Done)
    })
}

fn is_complete(path: &Path, bytes: u64) -> bool {
    bytes > 0 && fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == bytes)
}

/// Copies a result to a file, which must not exist unless `force` is set.
fn copy_to_file(from: &Path, to: &Path, force: bool) -> Result<(), Failure> {
    let mut file = AtomicFile::create(to, FileMode::Inherit)?;
    for_each_block(from, &mut |block| file.write_all(block).file_context("write", to))?;
    if force {
        return file.commit();
    }
    if file.commit_over(&ReadContent::MISSING)? { Ok(()) } else { Err(already_exists(to)) }
}
