//! Files that cannot be read, beside files that can.

use super::{project, tulk};
#[cfg(unix)]
use crate::common::Bench;

#[test]
fn the_other_files_are_translated() {
    let bench = project(&[
        ("locales/en/a.json", "{\n  \"a\": \"One\",,\n}\n"),
        ("locales/en/b.json", "{\"b\": \"Two\"}\n"),
        ("locales/en/c.json", "{\"c\": \"Three\"}\n"),
        ("locales/de/c.json", "{\"c\": \"Drei\"\n"),
    ]);
    let run = tulk(&bench, "sync").code(9);
    run.says("error: locales/en/a.json:2:14: ").says("error: locales/de/c.json:1:1: ");
    assert_eq!(bench.read("locales/de/b.json"), "{\"b\": \"TWO\"}\n");
    assert_eq!(bench.read("locales/fr/b.json"), "{\"b\": \"TWO\"}\n");
    assert_eq!(bench.read("locales/fr/c.json"), "{\"c\": \"THREE\"}\n");
    assert_eq!(bench.read("locales/de/c.json"), "{\"c\": \"Drei\"\n");
    assert!(!bench.path("locales/de/a.json").exists());
    tulk(&bench, "sync -n").code(9).prints("");
    tulk(&bench, "sync status --columns file,target_lang")
        .code(9)
        .prints("locales/en/b.json\tde\nlocales/en/b.json\tfr\nlocales/en/c.json\tfr\n");
    tulk(&bench, "sync accept").code(9);
}

#[test]
fn nothing_readable_is_wrong_input() {
    let bench = project(&[("locales/en/a.json", "{\n  \"a\": \"One\",,\n}\n")]);
    for line in ["sync", "sync -n", "sync --check", "sync status", "sync accept"] {
        tulk(&bench, line).code(2).prints("").says("error: locales/en/a.json:2:14: ");
    }
    bench.write("locales/en/b.json", "{");
    tulk(&bench, "sync").code(2).says("error: none of the 2 files can be read\n");
    assert!(bench.requests().is_empty() && !bench.path("tulk.lock").exists());
}

#[test]
fn a_service_that_refuses_one_language_leaves_the_others() {
    let config = super::PROJECT.replace("\"fr\"", "\"tlh\"");
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    let run = tulk(&bench, "sync").code(9);
    run.says("error: tlh: the service refused the request: Value for 'target_lang' not supported. (400")
        .says("hint: `tulk langs check --to tlh` checks whether the service supports the language; `service` in [sync.langs.tlh]")
        .says("error: 1 file or language failed\n")
        .prints("locales/en/a.json\tde\tmissing\t1\t3\t1\n");
    assert_eq!(bench.read("locales/de/a.json"), "{\"a\": \"ONE\"}\n");
    assert!(!bench.path("locales/tlh/a.json").exists());
    // It is no fault of the unit, which is sent again.
    tulk(&bench, "sync --check --columns target_lang,state").code(1).prints("tlh\tmissing\n");
    tulk(&bench, "sync").code(5).prints("").says("error: tlh: the service refused the request");
    bench.write("tulk.toml", config + "\n[sync.langs.tlh]\nservice = \"fr\"\n");
    tulk(&bench, "sync").code(0).prints("locales/en/a.json\ttlh\tmissing\t1\t3\t1\n");
}

#[test]
fn the_settings_of_a_project_cannot_steer_requests() {
    let config = super::PROJECT.replace("[[sync", "server = \"http://127.0.0.1:1\"\n\n[[sync");
    let bench = super::project_of(&config, &[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    tulk(&bench, "sync").code(2).says("tulk.toml:");
    assert!(bench.requests().is_empty());
}

#[cfg(unix)]
#[test]
fn a_lock_that_is_not_a_file_of_the_project_is_neither_read_nor_written() {
    let outside = Bench::bare();
    let secret = outside.write("secret.txt", "mine\n");
    let lines = ["sync", "sync -n", "sync --check", "sync status", "sync accept"];
    let bench = project(&[("locales/en/a.json", "{\"a\": \"One\"}\n")]);
    let lock = bench.path("tulk.lock");
    for target in [secret.as_path(), &outside.path("new.txt")] {
        std::os::unix::fs::symlink(target, &lock).unwrap();
        for line in lines {
            tulk(&bench, line).code(2).prints("").says("error: tulk.lock is a link ");
        }
        std::fs::remove_file(&lock).unwrap();
    }
    assert_eq!(outside.read("secret.txt"), "mine\n");
    assert!(!outside.path("new.txt").exists());
    rustix::fs::mknodat(rustix::fs::CWD, &lock, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    for line in lines {
        tulk(&bench, line).code(2).prints("").says("error: tulk.lock is not a regular file\n");
    }
    assert!(bench.requests().is_empty() && !bench.path("locales/de/a.json").exists());
    // A link within the project is fine.
    std::fs::remove_file(&lock).unwrap();
    bench.write("locks/own", "");
    std::os::unix::fs::symlink("locks/own", &lock).unwrap();
    tulk(&bench, "sync").code(0);
    assert_eq!(bench.read("locks/own").lines().count(), 1);
    assert!(lock.is_symlink());
}
