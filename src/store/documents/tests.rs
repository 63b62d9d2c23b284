//! The store alone: one winner among many, nothing lost, nothing readable by others.

use super::*;
use serde_json::json;

fn wish(path: &str, sha256: &str) -> Record {
    Record {
        name: Documents::new_name(),
        stage: Stage::Uploading,
        server: "sandbox".to_owned(),
        source: Some(Source {
            path: path.into(),
            shown: path.to_owned(),
            filename: "a.txt".to_owned(),
            bytes: 3,
            sha256: sha256.to_owned(),
        }),
        target_lang: "de".to_owned(),
        params: json!({"target_lang": "DE"}),
        target: Some(format!("{path}.de").into()),
        force: false,
        document_id: None,
        document_key: None,
        result_bytes: None,
        billed_characters: None,
        reason: None,
        created: now(),
        updated: now(),
    }
}

fn store() -> (tempfile::TempDir, Documents) {
    let dir = tempfile::tempdir().unwrap();
    let store = Documents::at(dir.path().join("documents"));
    (dir, store)
}

fn new(claim: Claim) -> Handle {
    match claim {
        Claim::New(handle) => handle,
        _ => panic!("no new record"),
    }
}

#[test]
fn the_same_work_is_found_again_with_the_new_target() {
    let (_dir, store) = store();
    let mut handle = new(store.claim(wish("/a", "1"), false).unwrap());
    handle.record.document_id = Some("D1".to_owned());
    handle.advance(Stage::Uploaded).unwrap();
    drop(handle);
    let mut moved = wish("/b", "1");
    moved.force = true;
    let Claim::Found(handle) = store.claim(moved, false).unwrap() else { panic!("not found") };
    assert_eq!(handle.record.id(), "D1");
    assert_eq!(handle.record.target.as_deref(), Some(Path::new("/b.de")));
    assert!(handle.record.force);
    drop(handle);
    assert!(matches!(store.claim(wish("/a", "2"), false).unwrap(), Claim::New(_)), "other bytes");
    let mut other = wish("/c", "1");
    other.params = json!({"target_lang": "FR"});
    assert!(matches!(store.claim(other, false).unwrap(), Claim::New(_)), "another language");
}

#[test]
fn what_is_in_work_is_not_touched() {
    let (_dir, store) = store();
    let handle = new(store.claim(wish("/a", "1"), false).unwrap());
    assert!(store.is_in_work(&handle.record.name));
    assert!(matches!(store.claim(wish("/a", "1"), false).unwrap(), Claim::Busy(_)));
    assert!(matches!(store.claim(wish("/a", "1"), true).unwrap(), Claim::Busy(_)));
    assert!(store.open(&handle.record.name).is_err());
    // The same bytes under another name are a document of their own.
    assert!(matches!(store.claim(wish("/copy", "1"), false).unwrap(), Claim::New(_)));
}

#[test]
fn a_target_belongs_to_one_document() {
    let (_dir, store) = store();
    drop(new(store.claim(wish("/a", "1"), false).unwrap()));
    assert!(matches!(store.claim(wish("/a", "2"), false).unwrap(), Claim::TargetTaken(_)));
}

#[test]
fn an_upload_in_doubt_is_told_and_again_forgets_it() {
    let (_dir, store) = store();
    let mut handle = new(store.claim(wish("/a", "1"), false).unwrap());
    handle.advance(Stage::Sent).unwrap();
    drop(handle);
    assert!(matches!(store.claim(wish("/a", "1"), false).unwrap(), Claim::InDoubt(_)));
    drop(new(store.claim(wish("/a", "1"), true).unwrap()));
    assert_eq!(store.list().unwrap().records.len(), 1);
}

#[test]
fn a_finished_document_keeps_no_key_and_goes_after_a_month() {
    let (_dir, store) = store();
    let mut handle = new(store.claim(wish("/a", "1"), false).unwrap());
    handle.record.document_key = Some("SECRET".to_owned());
    handle.advance(Stage::Done).unwrap();
    let path = store.record_path(&handle.record.name);
    assert!(!fs::read_to_string(&path).unwrap().contains("SECRET"));
    drop(handle);
    drop(new(store.claim(wish("/a", "1"), false).unwrap()));
    assert_eq!(store.list().unwrap().records.len(), 2);
    let text = fs::read_to_string(&path).unwrap();
    let old = text.lines().map(|l| if l.contains("\"updated\"") { "  \"updated\": 1" } else { l }).collect::<String>();
    fs::write(&path, old).unwrap();
    drop(new(store.claim(wish("/b", "2"), false).unwrap()));
    assert_eq!(store.list().unwrap().records.len(), 2);
    assert!(!path.exists());
}

#[test]
fn sixteen_at_once_make_one_record_of_the_same_work_and_lose_none_of_others() {
    let (_dir, store) = store();
    let added = std::sync::atomic::AtomicUsize::new(0);
    // Every lock is held until all have asked, as processes at work hold theirs.
    let asked = std::sync::Barrier::new(16);
    std::thread::scope(|scope| {
        for n in 0..16 {
            let (store, added, asked) = (&store, &added, &asked);
            scope.spawn(move || {
                let same = store.claim(wish("/a", "1"), false).unwrap();
                if matches!(same, Claim::New(_)) {
                    added.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
                let own = new(store.claim(wish(&format!("/own{n}"), &format!("own{n}")), false).unwrap());
                asked.wait();
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
    drop(new(store.claim(wish("/a", "1"), false).unwrap()));
    fs::write(store.record_path("local-0"), "{").unwrap();
    let listing = store.list().unwrap();
    assert_eq!((listing.records.len(), listing.damaged.len()), (1, 1));
}

#[test]
fn forgetting_leaves_nothing() {
    let (_dir, store) = store();
    let handle = new(store.claim(wish("/a", "1"), false).unwrap());
    let name = handle.record.name.clone();
    store.create_spool(&name, "input").unwrap();
    handle.forget().unwrap();
    let left: Vec<_> = fs::read_dir(&store.dir).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, [STORE_LOCK]);
    assert!(store.find(&name, "sandbox").unwrap().is_none());
}

#[cfg(unix)]
#[test]
fn nothing_is_readable_by_others() {
    use std::os::unix::fs::PermissionsExt as _;
    let (_dir, store) = store();
    let handle = new(store.claim(wish("/a", "1"), false).unwrap());
    store.create_spool(&handle.record.name, "input").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&store.dir), 0o700);
    for entry in fs::read_dir(&store.dir).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}
