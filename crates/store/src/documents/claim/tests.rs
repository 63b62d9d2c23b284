//! Claims with several records, of which one has priority.

use std::fs;
use std::path::Path;

use super::super::tests::{add_uploaded, expect_new, store, wanted, with_version};
use super::*;

/// Adds a large document that the service has, whose content is known by a sample only.
fn add_sampled(store: &DocumentStore, path: &str, file: &Path, id: &str) -> String {
    let mut locked = store.add(with_version(wanted(path, ""), file, "s")).unwrap();
    locked.record.document_id = Some(id.to_owned());
    locked.record.document_key = Some(format!("{id}-key"));
    locked.set_stage(DocumentStage::Uploaded).unwrap();
    locked.record.name.clone()
}

/// Two files whose samples are equal.
fn files() -> (tempfile::TempDir, [std::path::PathBuf; 2]) {
    let dir = tempfile::tempdir().unwrap();
    let files = ["one", "two"].map(|name| dir.path().join(name));
    for file in &files {
        fs::write(file, file.as_os_str().as_encoded_bytes()).unwrap();
    }
    (dir, files)
}

#[test]
fn a_document_that_is_surely_the_same_comes_before_one_that_may_be() {
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
fn a_result_path_whose_document_may_be_the_same_is_asked_about_even_for_another_upload() {
    let (_files, [one, two]) = files();
    let (_dir, store) = store();
    add_sampled(&store, "/a", &one, "D1");
    for again in [false, true] {
        let claim = store.claim(with_version(wanted("/a", ""), &two, "s"), again, &[]).unwrap();
        assert!(matches!(claim, UploadClaim::Undecided(_)), "again: {again}");
    }
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
fn a_digest_that_is_known_is_kept_when_the_upload_is_resumed() {
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
fn a_new_digest_is_added_when_the_upload_is_resumed() {
    let (_dir, store) = store();
    add_uploaded(&store, "/a", "D1");
    let mut locked = store.open(&store.list().unwrap().records[0].name).unwrap();
    locked.record.source.as_mut().unwrap().sha256 = None;
    let resumed = resume_for(locked, wanted("/a", "new")).unwrap();
    assert_eq!(resumed.record.source.as_ref().unwrap().sha256.as_deref(), Some("new"));
}
