//! Claims an upload: one process adds a record, or takes over the unfinished record of the same translation.

use tulk_base::error::Failure;
use tulk_base::files;

use super::{DocumentRecord, DocumentSource, DocumentStage, DocumentStore, LockedRecord, STORE_LOCK, Sameness};

/// Outcome of claiming an upload.
pub enum UploadClaim {
    /// No earlier upload exists: the new record, saved and locked.
    New(LockedRecord),
    /// An earlier upload is unfinished: its record, locked, with the result path of the new one.
    Resumed(LockedRecord),
    /// Another process is working on the document.
    Busy(DocumentRecord),
    /// The earlier upload may have reached the service.
    InDoubt(DocumentRecord),
    /// An earlier upload may be of the same content: only digests can tell.
    Undecided(DocumentRecord),
    /// Another unfinished document has the same result path.
    ResultPathTaken(DocumentRecord),
}

/// The source of an earlier upload, and whether it has the content of the new one.
pub type DecidedSource = (DocumentSource, bool);

/// What was found among the unfinished records.
#[derive(Default)]
struct FoundRecords {
    /// The best record of the same translation.
    same: Option<LockedRecord>,
    /// A record that may be of the same translation.
    unknown: Option<DocumentRecord>,
}

impl DocumentStore {
    /// Returns the unfinished record of the same translation, or adds `wanted`. If several processes ask at once, one of
    /// them adds it.
    ///
    /// With `again` a document that the service has is left alone, and `wanted` is uploaded beside it. A record without a
    /// document, whose upload did not complete or is in doubt, is used for the new upload. `decided` has the answers to
    /// earlier [`UploadClaim::Undecided`].
    pub fn claim(
        &self,
        wanted: DocumentRecord,
        again: bool,
        decided: &[DecidedSource],
    ) -> Result<UploadClaim, Failure> {
        self.make_dir()?;
        let _store_lock = files::lock(&self.dir.join(STORE_LOCK))?;
        let mut found = FoundRecords::default();
        for other in self.list()?.records {
            if !other.stage.is_unfinished() {
                self.remove_if_expired(&other)?;
            } else if let Some(claim) = self.consider(other, &wanted, again, decided, &mut found)? {
                return Ok(claim);
            }
        }
        self.remove_orphans();
        match (found.same, found.unknown) {
            (Some(same), _) if same.record.has_handle() => resume_for(same, wanted).map(UploadClaim::Resumed),
            (_, Some(unknown)) => Ok(UploadClaim::Undecided(unknown)),
            (None, None) => self.add(wanted).map(UploadClaim::New),
            (Some(same), None) if same.record.stage == DocumentStage::Sent && !again => {
                Ok(UploadClaim::InDoubt(same.record))
            }
            (Some(same), None) => resume_for(same, wanted).map(UploadClaim::Resumed),
        }
    }

    /// Compares an unfinished record with the wanted one. Returns the outcome of the claim if it is clear already.
    fn consider(
        &self,
        other: DocumentRecord,
        wanted: &DocumentRecord,
        again: bool,
        decided: &[DecidedSource],
        found: &mut FoundRecords,
    ) -> Result<Option<UploadClaim>, Failure> {
        let same_path = other.result_path.is_some() && other.result_path == wanted.result_path;
        if !same_path && compare(&other, wanted, decided) == Sameness::Different {
            return Ok(None);
        }
        let Some(locked) = self.open_if_unlocked(&other.name)? else {
            let is_busy = same_path || other.is_same_source(wanted);
            return Ok(is_busy.then_some(UploadClaim::Busy(other)));
        };
        if !locked.record.stage.is_unfinished() {
            return Ok(None);
        }
        // Another process may have changed the record since it was listed.
        let is_left_alone = again && locked.record.has_handle();
        match compare(&locked.record, wanted, decided) {
            Sameness::Different => return Ok(same_path.then_some(UploadClaim::ResultPathTaken(other))),
            Sameness::Unknown if same_path => return Ok(Some(UploadClaim::Undecided(locked.record))),
            _ if is_left_alone => {}
            Sameness::Unknown => found.unknown = Some(locked.record),
            Sameness::Same => {
                let preference = |record: &DocumentRecord| (record.has_handle(), record.is_same_source(wanted));
                if found.same.as_ref().is_none_or(|same| preference(&same.record) <= preference(&locked.record)) {
                    found.same = Some(locked);
                }
            }
        }
        Ok(None)
    }
}

/// Compares an unfinished record with the wanted one, with the help of what was found out about their files.
fn compare(record: &DocumentRecord, wanted: &DocumentRecord, decided: &[DecidedSource]) -> Sameness {
    match record.compare_translation(wanted) {
        Sameness::Unknown => match decided.iter().find(|(source, _)| record.source.as_ref() == Some(source)) {
            Some((_, true)) => Sameness::Same,
            Some((_, false)) => Sameness::Different,
            None => Sameness::Unknown,
        },
        known => known,
    }
}

/// Prepares an unfinished record for another run, with the result path and source of the new one.
fn resume_for(mut locked: LockedRecord, wanted: DocumentRecord) -> Result<LockedRecord, Failure> {
    locked.record.result_path = wanted.result_path;
    locked.record.force = wanted.force;
    if let (Some(kept), Some(new)) = (&mut locked.record.source, wanted.source) {
        kept.sha256 = kept.sha256.take().or_else(|| new.sha256.clone());
        // The copy of stdin that belongs to the old record stays; the caller removes the new one.
        if !new.is_stdin() {
            *kept = DocumentSource { sha256: kept.sha256.take(), ..new };
        }
    }
    match locked.record.stage {
        DocumentStage::Sent => locked.set_stage(DocumentStage::Uploading)?,
        _ => locked.save()?,
    }
    Ok(locked)
}

#[cfg(test)]
mod tests;
