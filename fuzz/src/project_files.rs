//! Targets for files of projects and users: `tulk.lock` and the journal of `sync`, settings, stored keys, and single values.

use std::fs;
use std::path::Path;

use tulk_base::files::{self, FileMode};
use tulk_client::api::day::Day;
use tulk_client::{ApiKey, Concurrency, KeyKind};
use tulk_sync::digest::SentDigest;
use tulk_sync::journal::Journal;
use tulk_sync::lock::{Lock, lock_key, parse_lock_key};

use super::{FuzzTarget, in_dir};
use tulk::untrusted::{
    self, Credentials, NameList, SandboxFlags, SettingFlags, SettingSchema, SettingsFile, StoredKey, profile_flags,
};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "credentials", check: credentials },
    FuzzTarget { name: "settings", check: settings },
    FuzzTarget { name: "sync_journal", check: sync_journal },
    FuzzTarget { name: "sync_lock", check: sync_lock },
    FuzzTarget { name: "values", check: values },
];

/// The lock may contain merge conflicts. Each line is read or reported, and the written form reads back the same.
fn sync_lock(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let lock = Lock::parse(text);
    let lines = text.split('\n').count() as u64;
    assert!(lock.unreadable.iter().all(|line| (1..=lines).contains(line)));
    let written = lock.write();
    let again = Lock::parse(&written);
    assert!(again.unreadable.is_empty(), "{written:?}");
    assert_eq!(again.write(), written);
    for file in lock.files() {
        assert_eq!(lock.keys(file).count(), again.keys(file).count(), "{file:?}");
        for key in lock.keys(file) {
            let unit = parse_lock_key(key);
            assert!(unit.to_string().len() > 200 || parse_lock_key(&lock_key(&unit)) == unit, "{key:?}");
            for language in lock.languages() {
                let count =
                    |lock: &Lock| lock.unit(file, key).zip(lock.language_number(language)).map(|(u, l)| u.count(l));
                assert_eq!(count(&lock).unwrap_or(0), count(&again).unwrap_or(0), "{file:?} {key:?} {language:?}");
            }
        }
    }
    let mut less = Lock::parse(text);
    less.remove_languages(&lock.languages().map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(less.write(), "");
}

/// A journal left by a killed run. Complete lines are kept, and new answers are read back.
fn sync_journal(input: &[u8]) {
    in_dir(|dir| {
        let project = Path::new("/some/project");
        drop(Journal::open_in(dir, project));
        let journals = fs::read_dir(dir)?.flatten().map(|entry| entry.path());
        let mut journals = journals.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
        let Some(path) = journals.next() else { return Ok(()) };
        fs::write(&path, input)?;
        let whole = input.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let sent = SentDigest::of(b"a new text");
        let answer = Ok("a\n\"new\" answer".to_owned());
        let opened = Journal::open_in(dir, project);
        assert!(opened.is_ok());
        let Ok(mut journal) = opened else { return Ok(()) };
        let had_answers = journal.has_answers();
        assert_eq!(Some(fs::read(&path)?.as_slice()), input.get(..whole), "a journal is changed");
        journal.add_answer(sent, &answer);
        journal.flush();
        assert!(journal.failure().is_none());
        drop(journal);
        let again = Journal::open_in(dir, project);
        assert!(again.as_ref().is_ok_and(|journal| journal.answer(sent) == Some(&answer)));
        assert!(fs::read(&path)?.starts_with(input.get(..whole).unwrap_or_default()), "a journal is changed");
        // Answers that are not in the lock are kept.
        if let Ok(mut journal) = again {
            assert!(journal.keep_unused(&Lock::default(), |_| false).is_ok());
        }
        let kept = Journal::open_in(dir, project);
        assert!(
            kept.is_ok_and(|journal| journal.answer(sent) == Some(&answer) && (journal.has_answers() || !had_answers))
        );
        Ok(())
    });
}

/// Flags that can have defaults in a settings file.
fn setting_flags() -> SettingFlags {
    SettingFlags { profile: profile_flags, sandbox: Some(SandboxFlags::add_to) }
}

/// Errors name the line, and every accepted value can be looked up.
fn settings(input: &[u8]) {
    thread_local! {
        static SCHEMA: SettingSchema = SettingSchema::new(setting_flags());
    }
    let Ok(text) = std::str::from_utf8(input) else { return };
    let lines = text.split('\n').count() as u64;
    let parsed = SCHEMA.with(|schema| SettingsFile::parse(Path::new("c.toml"), text, schema));
    match parsed {
        Ok(file) => {
            for entry in &file.entries {
                assert!((1..=lines).contains(&entry.origin.line), "{}", entry.origin);
                assert!(file.get(&entry.path.iter().map(String::as_str).collect::<Vec<_>>()).is_some());
            }
            assert!(file.profiles.iter().all(|name| file.of_profile(name).count() <= file.entries.len()));
        }
        Err(failure) => {
            let line = failure.at.as_ref().map(|origin| origin.line);
            assert!(line.is_some_and(|line| (1..=lines).contains(&line)), "{failure}");
        }
    }
}

/// Errors quote nothing from the file of stored keys, a new key is read back, and other keys are kept.
fn credentials(input: &[u8]) {
    in_dir(|dir| {
        let path = dir.join("credentials.toml");
        assert!(files::write_atomic(&path, input, FileMode::Private).is_ok());
        let stored = |credentials: &Credentials, profile: &str, kind| {
            credentials.get(profile, kind).map(|stored| (stored.key.expose().to_owned(), stored.server))
        };
        let mut credentials = match Credentials::read(&path) {
            Ok(credentials) => credentials,
            Err(failure) => {
                let what = failure.what.replace(&path.display().to_string(), "");
                let is_known = what.ends_with(": invalid TOML") || what.contains("UTF-8");
                assert!(is_known, "{what}");
                assert_eq!(fs::read(&path)?, input, "stored keys are lost");
                return Ok(());
            }
        };
        let profiles = credentials.profiles();
        let keys = |credentials: &Credentials| -> Vec<_> {
            let others = profiles.iter().filter(|profile| *profile != "new");
            others
                .map(|profile| [KeyKind::Account, KeyKind::Admin].map(|kind| stored(credentials, profile, kind)))
                .collect()
        };
        let before = keys(&credentials);
        let Ok(key) = ApiKey::new("k-1", "a test") else { return Ok(()) };
        credentials.set("new", KeyKind::Admin, &StoredKey { key, server: "https://new.example".to_owned() });
        assert!(credentials.write().is_ok());
        let again = Credentials::read(&path);
        assert!(again.is_ok(), "{}", fs::read_to_string(&path)?);
        let Ok(mut again) = again else { return Ok(()) };
        assert_eq!(stored(&again, "new", KeyKind::Admin), Some(("k-1".to_owned(), "https://new.example".to_owned())));
        assert_eq!(keys(&again), before, "stored keys are lost");
        assert!(again.remove("new", KeyKind::Admin) && again.get("new", KeyKind::Admin).is_none());
        assert_eq!(keys(&again), before, "stored keys are lost");
        Ok(())
    });
}

fn values(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(duration) = untrusted::parse_duration(text) {
        let again = untrusted::parse_duration(&format!("{}ns", duration.as_nanos()));
        assert!(again == Ok(duration) || duration.as_nanos() > u128::from(u64::MAX), "{text:?}");
    }
    assert!(
        untrusted::parse_rate(text).is_ok_and(|rate| rate.is_finite() && rate > 0.0)
            || untrusted::parse_rate(text).is_err()
    );
    assert!(text.parse::<Concurrency>().is_ok_and(|limit| limit.max() > 0) || text.parse::<Concurrency>().is_err());
    let Ok(NameList(names)) = text.parse::<NameList>();
    let escaped: Vec<String> = names.iter().map(|name| name.replace(',', "\\,")).collect();
    let again = escaped.join(",").parse::<NameList>();
    // A name that ends with a backslash cannot be written before another name.
    assert!(names.iter().any(|name| name.contains('\\')) || again == Ok(NameList(names)), "{text:?}");
    let Ok(today) = Day::parse("2026-03-04", Day::today()) else { return };
    if let Ok(day) = Day::parse(text, today) {
        assert_eq!(Day::parse(&day.to_string(), today), Ok(day), "{text:?}");
        let _ = (day.days_to(today), today.days_to(day));
    }
    let _ = untrusted::number_error(text, text);
    match untrusted::normalized_address(text) {
        Ok((base, _)) => {
            let again = untrusted::normalized_address(&base).map(|(base, _)| base);
            assert!(again.is_ok_and(|again| again == base), "{text:?}: {base:?}");
            assert!(untrusted::is_same(text, &base), "{text:?}");
            let _ = tulk_client::is_loopback(&base);
        }
        Err(failure) => assert!(!text.contains('@') || !failure.what.contains('@'), "{failure}"),
    }
    if let Ok(path) = tulk_client::http::path::Path::parse(text) {
        assert!(tulk_client::http::path::Path::parse(path.as_str()).is_ok_and(|again| again == path), "{text:?}");
        let _ = path.is_admin();
    }
    if let Ok(path) = tulk_client::http::path::Path::fill("/v2/document/{document_id}/result", &[text]) {
        assert_eq!(path.as_str().split('/').count(), 5, "{text:?}");
        assert!(tulk_client::http::path::Path::parse(path.as_str()).is_ok() || text.contains(['\\', '/']), "{text:?}");
    }
}
