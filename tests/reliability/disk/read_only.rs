//! Unwritable directories: a command notices before it sends anything, its message names the file, and the same command works once the
//! directory is writable.

use super::small_disk::SmallDisk;
use crate::common::{Bench, Run};

const CAUSE: &str = "Read-only file system";

fn upper() -> Bench {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0s", "--document-translate", "0s"]);
    bench.write("a.txt", "text\n");
    bench
}

/// Asserts that a failure names the cause and a file on the disk, and that nothing was sent after the first `requests` requests.
#[track_caller]
fn check_failure(bench: &Bench, run: &Run, requests: usize) {
    assert!(matches!(run.code, 2 | 70), "{run}");
    let errors: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert!(errors.iter().any(|line| line.contains(CAUSE) && line.contains("disk")), "{run}");
    assert_eq!(bench.requests().len(), requests, "something was sent\n{run}");
}

#[test]
fn an_unwritable_output_is_found_before_sending() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let translate = ["translate", "--lines", "--to", "de", "-i", "a.txt", "-o"];
    let write = ["write", "correct", "-i", "a.txt", "-o", "disk/a.new.txt"];
    let document = ["doc", "translate", "a.txt", "--to", "de", "--out-dir", "disk/docs"];
    let commands = [
        [&translate[..], &["disk/a.de.txt"]].concat(),
        [&translate[..], &["disk/{lang}/a.txt", "--to", "fr"]].concat(),
        write.to_vec(),
        document.to_vec(),
    ];
    disk.write("old.txt", "old\n");
    for args in commands {
        disk.remount("ro");
        let requests = bench.requests().len();
        check_failure(&bench, &disk.run(&bench, &args), requests);
        assert_eq!(disk.read("old.txt"), "old\n");
        disk.remount("rw");
        let run = disk.run(&bench, &args);
        assert_eq!(run.code, 0, "{run}");
    }
}

#[test]
fn an_unwritable_in_place_file_is_found_before_sending() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    disk.write("a.txt", "one\n");
    disk.remount("ro");
    let args = ["translate", "--to", "de", "--in-place", "-i", "disk/a.txt"];
    check_failure(&bench, &disk.run(&bench, &args), 0);
    assert_eq!(disk.read("a.txt"), "one\n");
    disk.remount("rw");
    let run = disk.run(&bench, &args);
    assert_eq!((run.code, disk.read("a.txt").as_str()), (0, "ONE\n"), "{run}");
}

#[test]
fn an_unwritable_project_is_found_before_sending() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let config = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\n\
                  source = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n";
    disk.write("tulk.toml", config);
    disk.write("en/a.json", "{\"a\": \"text\"}\n");
    disk.remount("ro");
    let args = ["sync", "--project", "disk/tulk.toml"];
    check_failure(&bench, &disk.run(&bench, &args), 0);
    // A dry run only reads.
    assert_eq!(disk.run(&bench, &[&args[..], &["--dry-run"]].concat()).code, 0);
    assert_eq!(disk.run(&bench, &[&args[..], &["--check"]].concat()).code, 1);
    disk.remount("rw");
    let run = disk.run(&bench, &args);
    assert_eq!((run.code, disk.read("de/a.json").as_str()), (0, "{\"a\": \"TEXT\"}\n"), "{run}");
}

#[test]
fn unwritable_settings_and_keys_stay_unchanged() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    let old = "[profiles.default]\ntarget_lang = \"fr\"\n";
    disk.write("config/tulk/config.toml", old);
    disk.remount("ro");
    for (args, input) in [
        (&["config", "set", "profiles.default.target_lang", "de"][..], ""),
        (&["auth", "login", "--no-verify"], "k-12345678\n"),
    ] {
        check_failure(&bench, &disk.run_with(&bench, args, input), 0);
        assert_eq!(disk.read("config/tulk/config.toml"), old);
        assert!(!disk.path("config/tulk/credentials.toml").exists());
    }
    assert_eq!(disk.run(&bench, &["config", "get", "profiles.default.target_lang"]).out(), "fr\n");
}

#[test]
fn an_unwritable_state_directory_fails_documents_and_sync_but_not_translations() {
    let bench = upper();
    let Some(disk) = SmallDisk::mount(&bench) else { return };
    disk.remount("ro");
    check_failure(&bench, &disk.run(&bench, &["doc", "translate", "a.txt", "--to", "de"]), 0);
    bench.write("p/tulk.toml", "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n");
    bench.write("p/en.json", "{\"a\": \"text\"}\n");
    check_failure(&bench, &disk.run(&bench, &["sync", "--project", "p/tulk.toml"]), 0);
    assert!(!bench.path("p/de.json").exists() && !bench.path("p/tulk.lock").exists());
    // Unwritable state and cache directories each cause one warning, and the translation continues.
    let run = disk.run(&bench, &["translate", "--to", "de,fr", "-i", "a.txt", "-o", "a.{lang}.txt"]);
    assert_eq!((run.code, run.stderr.matches("warning: ").count()), (0, 1), "{run}");
    assert!(run.stderr.contains(CAUSE) && run.stderr.contains("--resume will not know"), "{run}");
    assert_eq!((bench.read("a.de.txt"), bench.read("a.fr.txt")), ("TEXT\n".into(), "TEXT\n".into()));
    let run = disk.run(&bench, &["translate", "--to", "de", "--cache", "-i", "a.txt"]);
    assert_eq!((run.code, run.out(), run.stderr.matches("warning: ").count()), (0, "TEXT\n", 1), "{run}");
    disk.remount("rw");
    assert_eq!(disk.run(&bench, &["doc", "translate", "a.txt", "--to", "de", "--force"]).code, 0);
    assert_eq!(disk.run(&bench, &["sync", "--project", "p/tulk.toml"]).code, 0);
}
