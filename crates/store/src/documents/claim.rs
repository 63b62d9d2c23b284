//! Claims an upload: adds a record, or takes over the unfinished record of the same translation.

use tulk_base::error::Failure;
use tulk_base::files;

use super::{ContentMatch, DocumentRecord, DocumentSource, DocumentStage, DocumentStore, LockedRecord, STORE_LOCK};

/// Outcome of claiming an upload.
pub enum UploadClaim {
    /// There is no earlier upload to resume: the new record, saved and locked.
    New(LockedRecord),
    /// An earlier upload is unfinished: its record, locked and updated with the new result path.
    Resumed(LockedRecord),
    /// Another process is working on the document.
    Busy(DocumentRecord),
    /// The earlier upload may have reached the service.
    InDoubt(DocumentRecord),
    /// An earlier upload may have the same content. The caller must compare the digests and claim again.
    Undecided(DocumentRecord),
    /// Another unfinished document has the same result path.
    ResultPathTaken(DocumentRecord),
}

/// The source of an earlier upload, and whether its content is the same as the new upload's.
pub type DecidedSource = (DocumentSource, bool);

#[derive(Default)]
struct CandidateRecords {
    /// The best match among the records of the same translation.
    same: Option<LockedRecord>,
    /// A record that may belong to the same translation.
    unknown: Option<DocumentRecord>,
}

impl DocumentStore {
    /// Returns the unfinished record of the same translation, or adds `wanted`. If several processes call this at the same time, one
    /// of them adds the record.
    ///
    /// With `again`, a document that the service already has is left alone, and `wanted` is uploaded too. A record whose upload is
    /// incomplete or in doubt is reused for the new upload. `decided` has the decisions about earlier [`UploadClaim::Undecided`].
    pub fn claim(
        &self,
        wanted: DocumentRecord,
        again: bool,
        decided: &[DecidedSource],
    ) -> Result<UploadClaim, Failure> {
        self.make_dir()?;
        let _store_lock = files::lock(&self.dir.join(STORE_LOCK))?;
        let mut found = CandidateRecords::default();
        for other in self.list()?.records {
            if other.is_settled() {
                self.remove_if_expired(&other)?;
            } else if let Some(claim) = self.claim_if_decided(other, &wanted, again, decided, &mut found)? {
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

    /// Returns the outcome if this unfinished record decides the claim. Otherwise, adds it to `found` if it may belong to the same
    /// translation.
    fn claim_if_decided(
        &self,
        other: DocumentRecord,
        wanted: &DocumentRecord,
        again: bool,
        decided: &[DecidedSource],
        found: &mut CandidateRecords,
    ) -> Result<Option<UploadClaim>, Failure> {
        let same_path = other.result_path.is_some() && other.result_path == wanted.result_path;
        // The result was written, so only the same command may resume its evaluation, and only if the file still exists.
        let is_delivered =
            |record: &DocumentRecord| record.awaits_evaluation() && (again || !same_path || !has_result(record));
        if is_delivered(&other) {
            return Ok(None);
        }
        if !same_path && compare(&other, wanted, decided) == ContentMatch::Different {
            return Ok(None);
        }
        let Some(mut locked) = self.open_if_unlocked(&other.name)? else {
            let is_busy = same_path || other.is_same_source(wanted);
            return Ok(is_busy.then_some(UploadClaim::Busy(other)));
        };
        if locked.record.is_settled() || is_delivered(&locked.record) {
            return Ok(None);
        }
        // Another process may have changed the record since it was listed.
        let is_left_alone = again && locked.record.has_handle();
        match compare(&locked.record, wanted, decided) {
            content_match if locked.record.awaits_evaluation() && content_match != ContentMatch::Same => {}
            ContentMatch::Different => return Ok(same_path.then_some(UploadClaim::ResultPathTaken(other))),
            ContentMatch::Unknown if same_path => return Ok(Some(UploadClaim::Undecided(locked.record))),
            _ if is_left_alone => {}
            _ if again && !locked.record.stage.is_unfinished() => locked.set_reported()?,
            ContentMatch::Unknown => found.unknown = Some(locked.record),
            ContentMatch::Same => {
                let preference = |record: &DocumentRecord| (record.has_handle(), record.is_same_source(wanted));
                if found.same.as_ref().is_none_or(|same| preference(&same.record) <= preference(&locked.record)) {
                    found.same = Some(locked);
                }
            }
        }
        Ok(None)
    }
}

fn has_result(record: &DocumentRecord) -> bool {
    record.result_path.as_ref().is_some_and(|path| path.exists())
}

/// Compares two uploads. If the records are not enough to decide, uses the decision of the caller.
fn compare(record: &DocumentRecord, wanted: &DocumentRecord, decided: &[DecidedSource]) -> ContentMatch {
    match record.compare_translation(wanted) {
        ContentMatch::Unknown => match decided.iter().find(|(source, _)| record.source.as_ref() == Some(source)) {
            Some((_, true)) => ContentMatch::Same,
            Some((_, false)) => ContentMatch::Different,
            None => ContentMatch::Unknown,
        },
        known => known,
    }
}

/// Updates an unfinished record with the result path and source of this run.
fn resume_for(mut locked: LockedRecord, wanted: DocumentRecord) -> Result<LockedRecord, Failure> {
    locked.record.result_path = wanted.result_path;
    locked.record.force = wanted.force;
    if let (Some(kept), Some(new)) = (&mut locked.record.source, wanted.source) {
        kept.sha256 = kept.sha256.take().or_else(|| new.sha256.clone());
        // The old record keeps its copy of stdin. The caller removes the new copy.
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
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::documents::tests::{add_uploaded, expect_new, store, wanted, with_version};

    /// Adds a large document that the service has. Only a sample of its content is known.
    fn add_sampled(store: &DocumentStore, path: &str, file: &Path, id: &str) -> String {
        let mut locked = store.add(with_version(wanted(path, ""), file, "s")).unwrap();
        locked.record.document_id = Some(id.to_owned());
        locked.record.document_key = Some(format!("{id}-key"));
        locked.set_stage(DocumentStage::Uploaded).unwrap();
        locked.record.name.clone()
    }

    /// Creates two files with different contents. The tests give both the same sample.
    fn files() -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
        let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
        let files = ["one", "two"].map(|name| dir.path().join(name));
        for file in &files {
            fs::write(file, file.as_os_str().as_encoded_bytes()).unwrap();
        }
        (dir, files)
    }

    #[cfg(unix)] // needs the identity of files
    #[test]
    fn prefers_a_document_known_to_be_the_same() {
        let (_files, [one, two]) = files();
        let (_dir, store) = store();
        add_sampled(&store, "/a", &one, "D1");
        add_sampled(&store, "/b", &two, "D2");
        let UploadClaim::Resumed(locked) = store.claim(with_version(wanted("/c", ""), &two, "s"), false, &[]).unwrap()
        else {
            panic!("the claim resumed no record")
        };
        assert_eq!(locked.record.id(), "D2");
    }

    #[test]
    fn is_undecided_if_the_document_at_the_result_path_may_be_the_same() {
        let (_files, [one, two]) = files();
        let (_dir, store) = store();
        add_sampled(&store, "/a", &one, "D1");
        for again in [false, true] {
            let claim = store.claim(with_version(wanted("/a", ""), &two, "s"), again, &[]).unwrap();
            assert!(matches!(claim, UploadClaim::Undecided(_)), "again: {again}");
        }
    }

    #[test]
    fn only_the_same_command_resumes_the_evaluation_of_a_written_document() {
        let (_files, [one, _]) = files();
        let (_dir, store) = store();
        let with_result =
            |path: &Path, sha256: &str| DocumentRecord { result_path: Some(path.to_owned()), ..wanted("/a", sha256) };
        let mut locked = store.add(with_result(&one, "1")).unwrap();
        locked.record.evaluation_job_id = Some("J1".to_owned());
        locked.set_stage(DocumentStage::Done).unwrap();
        assert!(locked.is_resumable());
        drop(locked);
        let is_new = |wanted, again| match store.claim(wanted, again, &[]).unwrap() {
            UploadClaim::New(mut locked) => locked.remove().is_ok(),
            _ => false,
        };
        assert!(is_new(with_result(&one, "1"), true), "the user wants another upload");
        assert!(is_new(with_result(&one, "2"), false), "the file has changed");
        assert!(is_new(with_result(Path::new("/other"), "1"), false), "the result goes to another file");
        let UploadClaim::Resumed(mut locked) = store.claim(with_result(&one, "1"), false, &[]).unwrap() else {
            panic!("the claim resumed no record")
        };
        locked.set_evaluated(Some(80.0)).unwrap();
        assert!(locked.record.is_settled() && !locked.is_resumable());
        drop(locked);
        assert!(is_new(with_result(&one, "1"), false), "the evaluation has ended");
    }

    #[test]
    fn a_file_is_busy_whatever_the_path_of_its_result() {
        let (_dir, store) = store();
        let _locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
        let other = DocumentRecord { result_path: Some("/other".into()), ..wanted("/a", "1") };
        assert!(matches!(store.claim(other, false, &[]).unwrap(), UploadClaim::Busy(_)));
        let same_path = DocumentRecord { result_path: Some("/a.de".into()), ..wanted("/b", "2") };
        assert!(matches!(store.claim(same_path, false, &[]).unwrap(), UploadClaim::Busy(_)));
    }

    #[test]
    fn resuming_an_upload_keeps_a_known_digest() {
        let (_files, [one, _]) = files();
        let (_dir, store) = store();
        let name = add_sampled(&store, "/a", &one, "D1");
        let mut locked = store.open(&name).unwrap();
        locked.record.source.as_mut().unwrap().sha256 = Some("known".to_owned());
        locked.save().unwrap();
        drop(locked);
        let claim = store.claim(with_version(wanted("/a", ""), &one, "s"), false, &[]).unwrap();
        let UploadClaim::Resumed(locked) = claim else { panic!("the claim resumed no record") };
        assert_eq!(locked.record.source.as_ref().unwrap().sha256.as_deref(), Some("known"));
    }

    #[test]
    fn resuming_an_upload_adds_a_missing_digest() {
        let (_dir, store) = store();
        add_uploaded(&store, "/a", "D1");
        let mut locked = store.open(&store.list().unwrap().records[0].name).unwrap();
        locked.record.source.as_mut().unwrap().sha256 = None;
        let resumed = resume_for(locked, wanted("/a", "new")).unwrap();
        assert_eq!(resumed.record.source.as_ref().unwrap().sha256.as_deref(), Some("new"));
    }
}
