//! Tests of the document store without commands: one process wins a claim, no record is lost, other users cannot read anything.

use serde_json::json;

use super::*;

pub(super) fn wanted(path: &str, sha256: &str) -> DocumentRecord {
    DocumentRecord {
        source: Some(DocumentSource {
            path: path.into(),
            display_name: path.to_owned(),
            filename: "a.txt".to_owned(),
            bytes: 3,
            sha256: Some(sha256.to_owned()),
            ..DocumentSource::default()
        }),
        target_lang: "de".to_owned(),
        params: json!({"target_lang": "DE"}),
        result_path: Some(format!("{path}.de").into()),
        ..DocumentRecord::new("sandbox", DocumentStage::Uploading)
    }
}

pub(super) fn store() -> (tempfile::TempDir, DocumentStore) {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let store = DocumentStore::new(dir.path().join("documents"));
    (dir, store)
}

pub(super) fn expect_new(claim: UploadClaim) -> LockedRecord {
    match claim {
        UploadClaim::New(locked) => locked,
        _ => panic!("the claim added no record"),
    }
}

#[test]
fn an_unfinished_upload_is_resumed_with_the_new_result_path() {
    let (_dir, store) = store();
    let mut locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
    locked.record.document_id = Some("D1".to_owned());
    locked.set_stage(DocumentStage::Uploaded).unwrap();
    drop(locked);
    let mut moved = wanted("/b", "1");
    moved.force = true;
    let UploadClaim::Resumed(locked) = store.claim(moved, false, &[]).unwrap() else {
        panic!("the claim resumed no record")
    };
    assert_eq!(locked.record.id(), "D1");
    assert_eq!(locked.record.result_path.as_deref(), Some(Path::new("/b.de")));
    assert!(locked.record.force);
    drop(locked);
    assert!(matches!(store.claim(wanted("/a", "2"), false, &[]).unwrap(), UploadClaim::New(_)), "other bytes");
    let mut other = wanted("/c", "1");
    other.params = json!({"target_lang": "FR"});
    assert!(matches!(store.claim(other, false, &[]).unwrap(), UploadClaim::New(_)), "another language");
}

#[test]
fn reads_a_record_only_under_its_own_name() {
    let (_dir, store) = store();
    let name = store.add(wanted("/a", "1")).unwrap().record.name.clone();
    let copy = store.dir.join("copy.json");
    fs::copy(store.record_path(&name), &copy).unwrap();
    let listing = store.list().unwrap();
    assert_eq!((listing.records.len(), listing.damaged), (1, vec![copy.clone()]));
    let failure = store.open("copy").err().unwrap();
    assert!(failure.what.starts_with(&copy.display().to_string()), "{failure}");
    assert!(copy.exists());
    fs::write(&copy, fs::read_to_string(&copy).unwrap().replace(&name, "../outside")).unwrap();
    assert!(store.open("copy").is_err());
}

#[test]
fn a_locked_record_is_not_claimed() {
    let (_dir, store) = store();
    let locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
    assert!(store.is_locked(&locked.record.name));
    assert!(matches!(store.claim(wanted("/a", "1"), false, &[]).unwrap(), UploadClaim::Busy(_)));
    assert!(matches!(store.claim(wanted("/a", "1"), true, &[]).unwrap(), UploadClaim::Busy(_)));
    assert!(store.open(&locked.record.name).is_err());
    // The same content under another path is a separate document.
    assert!(matches!(store.claim(wanted("/copy", "1"), false, &[]).unwrap(), UploadClaim::New(_)));
}

#[test]
fn a_result_path_belongs_to_one_document() {
    let (_dir, store) = store();
    drop(expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap()));
    assert!(matches!(store.claim(wanted("/a", "2"), false, &[]).unwrap(), UploadClaim::ResultPathTaken(_)));
}

#[test]
fn repeats_an_upload_in_doubt_only_with_the_again_flag() {
    let (_dir, store) = store();
    let mut locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
    locked.set_stage(DocumentStage::Sent).unwrap();
    drop(locked);
    assert!(matches!(store.claim(wanted("/a", "1"), false, &[]).unwrap(), UploadClaim::InDoubt(_)));
    let UploadClaim::Resumed(locked) = store.claim(wanted("/a", "1"), true, &[]).unwrap() else {
        panic!("the claim resumed no record")
    };
    assert_eq!(locked.record.stage, DocumentStage::Uploading);
    assert_eq!(store.list().unwrap().records.len(), 1);
}

/// Adds a document that the service has.
pub(super) fn add_uploaded(store: &DocumentStore, path: &str, id: &str) {
    let mut locked = store.add(wanted(path, "1")).unwrap();
    locked.record.document_id = Some(id.to_owned());
    locked.record.document_key = Some(format!("{id}-key"));
    locked.set_stage(DocumentStage::Uploaded).unwrap();
}

#[test]
fn the_again_flag_keeps_the_record_of_an_uploaded_document() {
    let (_dir, store) = store();
    add_uploaded(&store, "/a", "D1");
    drop(expect_new(store.claim(wanted("/a", "1"), true, &[]).unwrap()));
    let records = store.list().unwrap().records;
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].document_key.as_deref(), Some("D1-key"));
}

#[test]
fn prefers_uploaded_documents_then_the_same_file() {
    let (_dir, store) = store();
    let claimed = |path: &str| match store.claim(wanted(path, "1"), false, &[]).unwrap() {
        UploadClaim::Resumed(locked) => locked.record.id().to_owned(),
        UploadClaim::InDoubt(_) => "in doubt".to_owned(),
        _ => "another claim".to_owned(),
    };
    store.add(wanted("/a", "1")).unwrap().set_stage(DocumentStage::Sent).unwrap();
    assert_eq!(claimed("/a"), "in doubt");
    add_uploaded(&store, "/b", "D1");
    assert_eq!(claimed("/a"), "D1");
    add_uploaded(&store, "/c", "D2");
    assert_eq!(claimed("/c"), "D2");
}

#[test]
fn lists_records_of_one_second_in_order_of_creation() {
    let (_dir, store) = store();
    let names: Vec<String> = (0..50)
        .map(|n| {
            let locked = store.add(wanted(&format!("/f{n}"), &n.to_string())).unwrap();
            locked.record.name.clone()
        })
        .collect();
    let listed = store.list().unwrap().records.into_iter().map(|record| record.name);
    assert_eq!(listed.collect::<Vec<_>>(), names);
}

#[test]
fn a_record_of_an_earlier_version_is_read() {
    let (_dir, store) = store();
    let old = json!({
        "name": "local-1", "stage": "uploaded", "server": "sandbox", "source": null, "target_lang": "de", "params": null,
        "target": "/a.de", "force": false, "document_id": "D1", "document_key": "K1", "result_bytes": null,
        "billed_characters": null, "reason": null, "created": 1, "updated": 1,
    });
    files::write_atomic(&store.record_path("local-1"), old.to_string().as_bytes(), FileMode::Private).unwrap();
    let record = store.find("D1", "sandbox").unwrap().unwrap();
    assert_eq!((record.created_nanos, record.download_target().path), (0, Some("/a.de".into())));
}

#[test]
fn a_finished_record_has_no_key_and_expires_after_a_month() {
    let (_dir, store) = store();
    let mut locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
    locked.record.document_key = Some("SECRET".to_owned());
    locked.set_stage(DocumentStage::Done).unwrap();
    let path = store.record_path(&locked.record.name);
    assert!(!fs::read_to_string(&path).unwrap().contains("SECRET"));
    drop(locked);
    drop(expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap()));
    assert_eq!(store.list().unwrap().records.len(), 2);
    let text = fs::read_to_string(&path).unwrap();
    let old = text.lines().map(|l| if l.contains("\"updated\"") { "  \"updated\": 1" } else { l }).collect::<String>();
    fs::write(&path, old).unwrap();
    drop(expect_new(store.claim(wanted("/b", "2"), false, &[]).unwrap()));
    assert_eq!(store.list().unwrap().records.len(), 2);
    assert!(!path.exists());
}

#[test]
fn sixteen_threads_add_one_record_for_the_same_document_and_lose_no_other() {
    let (_dir, store) = store();
    let added = std::sync::atomic::AtomicUsize::new(0);
    // Each thread holds its locks until all have claimed, as running processes do.
    let claimed = std::sync::Barrier::new(16);
    std::thread::scope(|scope| {
        for n in 0..16 {
            let (store, added, claimed) = (&store, &added, &claimed);
            scope.spawn(move || {
                let same = store.claim(wanted("/a", "1"), false, &[]).unwrap();
                if matches!(same, UploadClaim::New(_)) {
                    added.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
                let own = expect_new(store.claim(wanted(&format!("/own{n}"), &format!("own{n}")), false, &[]).unwrap());
                claimed.wait();
                drop((same, own));
            });
        }
    });
    assert_eq!(added.into_inner(), 1);
    let listing = store.list().unwrap();
    assert_eq!((listing.records.len(), listing.damaged.len()), (17, 0));
}

#[test]
fn a_damaged_record_does_not_hide_the_others() {
    let (_dir, store) = store();
    drop(expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap()));
    fs::write(store.record_path("local-0"), "{").unwrap();
    let listing = store.list().unwrap();
    assert_eq!((listing.records.len(), listing.damaged.len()), (1, 1));
}

#[test]
fn removing_a_record_leaves_no_files() {
    let (_dir, store) = store();
    let mut locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
    let name = locked.record.name.clone();
    store.create_spool(&name, "input").unwrap();
    locked.remove().unwrap();
    let remaining: Vec<_> = fs::read_dir(&store.dir).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(remaining, [STORE_LOCK]);
    assert!(store.find(&name, "sandbox").unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn no_file_is_readable_by_other_users() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_dir, store) = store();
    let locked = expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap());
    store.create_spool(&locked.record.name, "input").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.dir), 0o700);
    for entry in fs::read_dir(&store.dir).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn old_files_without_a_record_are_removed() {
    let (_dir, store) = store();
    drop(expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap()));
    let create = |name: &str, old: bool| {
        let file = store.create_spool(name, "stdin").unwrap();
        if old {
            file.set_modified(SystemTime::now() - KEEP_FINISHED - Duration::from_secs(60)).unwrap();
        }
        store.spool_path(name, "stdin")
    };
    let (old, recent) = (create("local-1", true), create("local-2", false));
    drop(expect_new(store.claim(wanted("/b", "2"), false, &[]).unwrap()));
    assert!(!old.exists() && recent.exists());
}

/// Replaces the digest by a version and a sample, as for a large file.
pub(super) fn with_version(mut record: DocumentRecord, file: &Path, sample: &str) -> DocumentRecord {
    let source = record.source.as_mut().unwrap();
    source.sha256 = None;
    source.sample = Some(sample.to_owned());
    source.version = tulk_base::files::FileVersion::of(file).ok();
    record
}

#[test]
fn contents_without_digests_are_compared_by_version_and_sample() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let [one, two] = ["one", "two"].map(|name| dir.path().join(name));
    fs::write(&one, "One").unwrap();
    fs::write(&two, "Two").unwrap();
    let uploaded = |path: &str, file: &Path, sample: &str| DocumentRecord {
        stage: DocumentStage::Uploaded,
        ..with_version(wanted(path, ""), file, sample)
    };
    let earlier = uploaded("/a", &one, "s");
    let other = |path: &str, file: &Path, sample: &str| earlier.compare_translation(&uploaded(path, file, sample));
    assert_eq!(other("/a", &one, "s"), ContentMatch::Same);
    assert_eq!(other("/a", &one, "t"), ContentMatch::Different);
    assert_eq!(other("/a", &two, "s"), ContentMatch::Unknown);
    assert_eq!(earlier.compare_translation(&wanted("/a", "1")), ContentMatch::Unknown);
    let moved = if cfg!(unix) { ContentMatch::Same } else { ContentMatch::Unknown };
    assert_eq!(other("/moved", &one, "s"), moved);
    let mut longer = uploaded("/a", &one, "s");
    longer.source.as_mut().unwrap().bytes = 4;
    assert_eq!(earlier.compare_translation(&longer), ContentMatch::Different);
    let mut uploading = earlier.clone();
    uploading.stage = DocumentStage::Uploading;
    assert_eq!(uploading.compare_translation(&uploaded("/a", &two, "s")), ContentMatch::Same);
    assert_eq!(uploading.compare_translation(&uploaded("/copy", &two, "s")), ContentMatch::Different);
}

#[test]
fn an_undecided_claim_follows_the_decision_of_the_caller() {
    let dir = tulk_base::files::temporary_dir(".tmp").unwrap();
    let [one, two] = ["one", "two"].map(|name| dir.path().join(name));
    fs::write(&one, "One").unwrap();
    fs::write(&two, "Two").unwrap();
    for (is_same, again) in [(true, false), (false, false), (true, true), (false, true)] {
        let (_dir, store) = store();
        let mut locked = store.add(with_version(wanted("/a", ""), &one, "s")).unwrap();
        locked.record.document_id = Some("D1".to_owned());
        locked.record.document_key = Some("K1".to_owned());
        locked.set_stage(DocumentStage::Uploaded).unwrap();
        drop(locked);
        let new = with_version(wanted("/b", ""), &two, "s");
        let decided = match store.claim(new.clone(), again, &[]).unwrap() {
            UploadClaim::Undecided(other) => vec![(other.source.unwrap(), is_same)],
            // With `again`, a document that the service has is not resumed, so there is nothing to decide.
            UploadClaim::New(_) if again => continue,
            _ => panic!("the claim was decided"),
        };
        match store.claim(new, again, &decided).unwrap() {
            UploadClaim::Resumed(locked) if is_same => {
                let source = locked.record.source.as_ref().unwrap();
                assert_eq!((locked.record.id(), source.path.as_path()), ("D1", Path::new("/b")));
            }
            UploadClaim::New(_) if !is_same => {}
            _ => panic!("the answer did not count"),
        }
    }
}

#[test]
fn a_missing_directory_is_an_empty_store_and_an_unreadable_one_fails() {
    let (dir, store) = store();
    assert_eq!(store.list().unwrap().records.len(), 0);
    // Where a name is too long, Windows may find no file instead of failing.
    assert!(cfg!(windows) || DocumentStore::new(dir.path().join("x".repeat(300))).list().is_err());
    store.create_spool("local-1", "stdin").unwrap();
    assert!(store.spool_path("local-1", "stdin").exists());
    fs::create_dir(store.record_path("local-2")).unwrap();
    assert_eq!(store.list().unwrap().damaged, [store.record_path("local-2")]);
}

#[test]
fn finds_the_newest_record_of_the_server() {
    let (_dir, store) = store();
    for (path, server) in [("/a", "http://a"), ("/b", "http://b"), ("/c", "http://a"), ("/d", "http://d")] {
        let record = DocumentRecord { server: server.to_owned(), ..wanted(path, "1") };
        store.add(DocumentRecord { document_id: Some("D1".to_owned()), ..record }).unwrap();
    }
    let found = |server: &str| store.find("D1", server).unwrap().map(|record| record.display_name().to_owned());
    assert_eq!(found("http://a").as_deref(), Some("/c"));
    assert_eq!(found("http://b").as_deref(), Some("/b"));
    assert_eq!(found("http://x").as_deref(), Some("/d"));
    assert!(store.find("D2", "http://a").unwrap().is_none());
}

#[test]
fn a_record_is_locked_only_while_it_is_in_use() {
    let (_dir, store) = store();
    let locked = store.add(wanted("/a", "1")).unwrap();
    let name = locked.record.name.clone();
    assert!(store.is_locked(&name));
    drop(locked);
    assert!(!store.is_locked(&name));
    store.open(&name).unwrap().remove().unwrap();
    let failure = store.open(&name).err().unwrap();
    assert_eq!(
        (failure.kind, failure.what),
        (Kind::NotFound, format!("document {name} was removed by another process"))
    );
}

#[test]
fn a_finished_record_is_kept_for_thirty_days() {
    let (_dir, store) = store();
    let mut record = wanted("/a", "1");
    drop(store.add(record.clone()).unwrap());
    for (seconds, is_kept) in [(2_592_000 - 60, true), (2_592_000 + 60, false)] {
        record.updated = unix_time().as_secs() - seconds;
        store.remove_if_expired(&record).unwrap();
        assert_eq!(store.record_path(&record.name).exists(), is_kept, "{seconds} s");
    }
}

#[test]
fn the_lock_of_the_store_is_never_removed() {
    let (_dir, store) = store();
    drop(expect_new(store.claim(wanted("/a", "1"), false, &[]).unwrap()));
    let path = store.dir.join(STORE_LOCK);
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - 2 * KEEP_FINISHED).unwrap();
    store.remove_orphans();
    assert!(path.exists());
}

#[test]
fn times_increase_even_if_the_clock_stops_or_goes_back() {
    let last = AtomicU64::new(0);
    let times = [5, 5, 5, 4, 9, 9].map(|now| next_time(now, &last));
    assert_eq!(times, [5, 6, 7, 8, 9, 10]);
}
