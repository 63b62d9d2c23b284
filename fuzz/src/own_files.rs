//! Targets for files that tulk writes for itself. Readable data in a damaged file is never lost.

use std::fs;
use std::path::Path;

use serde_json::value::RawValue;
use tulk_base::json::JsonObject;
use tulk_store::documents::DocumentStore;
use tulk_store::part::{ExistingPart, PartFile, PartPaths};
use tulk_store::results::CachedResult;
use tulk_store::runs::{OutputKey, RunStore};

use super::{FuzzTarget, in_dir};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "cached_result", check: cached_result },
    FuzzTarget { name: "document_record", check: document_record },
    FuzzTarget { name: "part_state", check: part_state },
    FuzzTarget { name: "run_record", check: run_record },
];

/// Server, options and target language of the run that resumes the unfinished output.
const IDENTITY: &str = "https://service.example\noptions\nde";

/// The service's JSON of a result. The cache stores text and structure separately, and must restore the same object.
fn cached_result(input: &[u8]) {
    let Ok(object) = serde_json::from_slice::<Box<RawValue>>(input) else { return };
    let Some(result) = CachedResult::from_object(&object) else { return };
    let kept = result.object(false).and_then(|object| CachedResult::from_object(&object));
    assert!(kept.as_ref() == Some(&result), "{object}");
    let billed = result.object(true).map(|object| object.get().to_owned()).unwrap_or_default();
    let zero: JsonObject = serde_json::from_str(&billed).unwrap_or_default();
    assert_eq!(zero.get("billed_characters").map(|n| n.get()), Some("0"), "{billed}");
    let fields = |text: &str| {
        let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap_or_default();
        fields.remove("billed_characters");
        fields
    };
    assert_eq!(fields(&billed), fields(object.get()));
}

/// A record that cannot be read is reported and kept.
fn document_record(input: &[u8]) {
    in_dir(|dir| {
        let path = dir.join("local-0.json");
        fs::write(&path, input)?;
        let store = DocumentStore::new(dir.to_owned());
        let listing = store.list();
        assert!(listing.as_ref().is_ok_and(|listing| listing.records.len() + listing.damaged.len() == 1));
        let Some(record) = listing.ok().and_then(|mut listing| listing.records.pop()) else {
            let failure = store.open("local-0").err();
            assert!(failure.is_some_and(|failure| failure.what.contains("local-0.json")));
            assert_eq!(fs::read(&path)?, input, "a damaged record is changed");
            return Ok(());
        };
        let _ = (record.id(), record.display_name(), record.download_target(), record.has_handle());
        assert!(store.find(&record.name, "sandbox").is_ok_and(|found| found.is_some()));
        let _ = record.compare_translation(&record);
        let before = serde_json::to_value(&record)?;
        if let Ok(mut open) = store.open("local-0") {
            // `save` writes to the file that the record names, so the record must name the file that was read.
            assert_eq!(open.record.name, "local-0");
            assert!(open.save().is_ok());
            drop(open);
            let again = store.list().ok().and_then(|mut listing| listing.records.pop());
            let mut after = serde_json::to_value(again)?;
            if let Some(updated) = after.get_mut("updated") {
                *updated = before["updated"].clone();
            }
            assert_eq!(after, before);
        }
        Ok(())
    });
}

/// The state of an unfinished output of 40 bytes. A later run must refuse, inspect or resume it without loss.
fn part_state(input: &[u8]) {
    in_dir(|dir| {
        let output = dir.join("out");
        let (part, state) = (dir.join("out.part"), dir.join("out.part.state"));
        let results = b"0123456789".repeat(4);
        fs::write(&part, &results)?;
        fs::write(&state, input)?;
        let is_unchanged = || {
            // An empty state may be removed.
            let files = fs::read(&part).ok().zip(fs::read(&state).ok().or(input.is_empty().then(Vec::new)));
            files.is_some_and(|(part, state)| part == results && state == input)
        };
        let Ok(paths) = PartPaths::new(&output) else { return Ok(()) };
        let seen = paths.find_resume_point(IDENTITY, ExistingPart::Resume);
        assert!(is_unchanged(), "inspecting a part changes it");
        assert!(PartFile::open(&output, IDENTITY, ExistingPart::Refuse).is_err() && is_unchanged(), "a part is lost");
        let Ok(file) = PartFile::open(&output, IDENTITY, ExistingPart::Resume) else {
            assert!(seen.is_err() && is_unchanged(), "a part is lost");
            return Ok(());
        };
        let ends = |point: Option<&tulk_store::part::ResumePoint>| point.map(|p| (p.rows(), p.entries(), p.bytes()));
        let end = ends(file.resume_point());
        assert_eq!(ends(seen.ok().flatten().as_ref()), end);
        let bytes = end.map_or(0, |(_, _, bytes)| usize::try_from(bytes).unwrap_or(usize::MAX));
        assert_eq!(Some(fs::read(&part)?.as_slice()), results.get(..bytes));
        if bytes > 0 {
            drop(file);
            let again = PartFile::open(&output, IDENTITY, ExistingPart::Resume);
            assert_eq!(again.ok().and_then(|file| ends(file.resume_point())), end, "a second run resumes elsewhere");
        }
        Ok(())
    });
}

/// A record with a finished output is kept until its run is complete.
fn run_record(input: &[u8]) {
    in_dir(|dir| {
        let path = dir.join("0123.run");
        fs::write(&path, input)?;
        let store = RunStore::at(dir);
        let finished = store.finished();
        let (own, other) = (OutputKey::new(&["own"]), OutputKey::new(&["other"]));
        let Ok(Some(run)) = store.begin(vec![own, other], &finished) else { return Ok(()) };
        drop(run);
        if !finished.is_empty() {
            assert_eq!(fs::read(&path)?, input, "a record is changed");
        }
        let Some(record) = other_record(dir, &path) else { return Ok(()) };
        fs::write(&record, input)?;
        let before = store.finished();
        let (own, other) = (OutputKey::new(&["own"]), OutputKey::new(&["other"]));
        let started = store.begin(vec![own.clone(), other], &before);
        assert!(started.is_ok());
        drop(started);
        assert_eq!(store.finished().get(&own), before.get(&own), "a finished output is forgotten");
        Ok(())
    });
}

fn other_record(dir: &Path, known: &Path) -> Option<std::path::PathBuf> {
    fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path()).find(|path| path != known)
}
