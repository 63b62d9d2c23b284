//! Files of other users: links in world-writable directories, caches and states that another user could have written, and settings in
//! directories that others can change.

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, chown, lchown, symlink};
use std::path::{Path, PathBuf};

use crate::common::tools::is_root_to;
use crate::common::{Bench, Run};

/// A user other than root; on most systems `nobody`.
const OTHER_USER: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    path.metadata().unwrap().permissions().mode() & 0o7777
}

/// Changes the owner of a file, or of a link itself. Only root can; otherwise reports that the test is skipped.
fn give_to_other_user(path: &Path) -> bool {
    if !is_root_to("make files of other users") {
        return false;
    }
    lchown(path, Some(OTHER_USER), None).unwrap();
    true
}

/// Returns a sandbox and a directory `pub` with the mode of `/tmp`.
fn shared() -> (Bench, PathBuf) {
    let bench = Bench::with(&["--engine", "upper"]);
    let dir = bench.path("pub");
    fs::create_dir(&dir).unwrap();
    set_mode(&dir, 0o1777);
    bench.write("a.txt", "a\n");
    bench.write("victim", "secret\n");
    bench.bash("head -c 32000 /dev/zero > a.pcm").code(0);
    (bench, dir)
}

/// Creates `pub/x.json` as another user. Returns whether this is possible here.
fn create_as_other_user(bench: &Bench, kind: &str) -> bool {
    bench.bash("rm -rf pub/*").code(0);
    let path = bench.path("pub/x.json");
    match kind {
        "link" => symlink(bench.path("victim"), &path).unwrap(),
        "dangling" => symlink(bench.path("created"), &path).unwrap(),
        "fifo" => drop(bench.bash("mkfifo pub/x.json").code(0)),
        _ => fs::write(&path, "planted\n").unwrap(),
    }
    give_to_other_user(&path)
}

const WRITERS: [&str; 15] = [
    "translate --to de -o pub/x.json a",
    "translate --to de -o pub/x.json --force -i a.txt",
    "translate --to de -o pub/x.json --resume -i a.txt",
    "translate --to de -o pub/{stem}.json -i x.txt -i a.txt",
    "write correct -o pub/x.json --force -i a.txt",
    "doc translate --to de -o pub/x.json --force a.txt",
    "doc upload --to de --key-out pub/x.json --force a.txt",
    "voice stream --to de -o pub/x.json --force --content-type audio/pcm;encoding=s16le;rate=16000 a.pcm",
    "api /v2/usage -o pub/x.json",
    "api /v2/glossaries --paginate -o pub/x.json",
    "config set --config pub/x.json profiles.default.formality more",
    "sandbox serve --port 0 --record pub/x.json",
    "sandbox serve --port 0 --tls --cert-file pub/x.json",
    "translate --to de --in-place -i pub/x.json",
    "sync export --to de -o pub/x.json --force --format xliff",
];

#[test]
fn files_and_links_planted_by_another_user_are_not_written() {
    let (bench, dir) = shared();
    bench.write("x.txt", "x\n");
    for kind in ["link", "dangling", "fifo", "file"] {
        for command in WRITERS {
            if !create_as_other_user(&bench, kind) {
                return;
            }
            let before = bench.requests().len();
            let run = bench.run(command.split(' ')).code(2);
            if !(kind == "fifo" && command.contains("--in-place")) {
                run.says(" of user ").says(&format!("in a directory that anyone can write to: {}", dir.display()));
            }
            let path = bench.path("pub/x.json");
            let kept = path.symlink_metadata().unwrap().file_type();
            assert!(
                kept.is_symlink() || kept.is_fifo() || fs::read(&path).unwrap() == b"planted\n",
                "{kind} {command}"
            );
            assert_eq!(bench.read("victim"), "secret\n", "{kind} {command}");
            assert!(!bench.path("created").exists(), "{kind} {command}");
            assert_eq!(bench.requests().len(), before, "{kind} {command}");
            assert_eq!(fs::read_dir(&dir).unwrap().count(), 1, "{kind} {command}");
        }
    }
}

#[test]
fn planted_directory_links_and_part_files_are_refused() {
    let (bench, dir) = shared();
    symlink(bench.dir(), dir.join("way")).unwrap();
    if !give_to_other_user(&dir.join("way")) {
        return;
    }
    symlink("pub/way", bench.path("mine")).unwrap();
    for path in ["pub/way/new/x.txt", "mine/new/x.txt", "pub/../mine/new/x.txt"] {
        bench.run(["translate", "--to", "de", "-o", path, "a"]).code(2).says("pub/way is a symbolic link of user ");
        bench.run(["man", "--out", path]).code(2).says("pub/way is a symbolic link of user ");
    }
    assert!(!bench.path("new").exists());
    for name in ["x.txt.part", "x.txt.part.state"] {
        let path = dir.join(name);
        fs::write(&path, "").unwrap();
        give_to_other_user(&path);
        for flag in ["--force", "--resume"] {
            bench.run(["translate", "--to", "de", "-o", "pub/x.txt", flag, "a"]).code(2).says("is a file of user ");
        }
        if name == "x.txt.part" {
            let args = ["doc", "translate", "--to", "de", "-o", "pub/x.txt", "--force", "a.txt"];
            bench.run(args).code(2).says("is a file of user ");
        }
        fs::remove_file(&path).unwrap();
    }
    assert!(bench.requests().is_empty());
    // `glossary export` does not follow a planted link either.
    bench.write("k.tsv", "sea\tMeer\n");
    bench.run(["glossary", "create", "K", "--dictionary", "en:de=k.tsv"]).code(0);
    symlink(bench.path("victim"), dir.join("K.en-de.tsv")).unwrap();
    give_to_other_user(&dir.join("K.en-de.tsv"));
    bench.run(["glossary", "export", "K", "pub", "--force"]).code(2).says("K.en-de.tsv is a symbolic link of user ");
    assert_eq!(bench.read("victim"), "secret\n");
}

#[test]
fn a_planted_catalogue_in_a_shared_project_is_not_written() {
    let (bench, dir) = shared();
    let files = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    bench.write("pub/tulk.toml", format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{files}"));
    bench.write("pub/en.json", "{\"k\": \"Text\"}\n");
    bench.write("pub/de.json", "{}\n");
    if !give_to_other_user(&dir.join("de.json")) {
        return;
    }
    let run = bench.bash("cd pub && tulk sync");
    assert_ne!(run.code, 0, "{run}");
    run.says("de.json is a file of user ");
    assert_eq!(bench.read("pub/de.json"), "{}\n");
    assert!(bench.sent().iter().all(|(path, _)| !path.contains("translate")));
}

#[test]
fn follows_links_of_the_user_and_of_the_directory_owner() {
    let (bench, dir) = shared();
    let link = dir.join("x.txt");
    symlink(bench.path("target"), &link).unwrap();
    bench.run(["translate", "--to", "de", "-o", "pub/x.txt", "a"]).code(0);
    assert_eq!(bench.read("target"), "A\n");
    if !give_to_other_user(&link) {
        return;
    }
    give_to_other_user(&dir);
    bench.run(["translate", "--to", "de", "-o", "pub/x.txt", "b"]).code(0);
    assert_eq!(bench.read("target"), "B\n");
    // Without the sticky bit, or if only a group can write, users of the directory trust each other.
    chown(&dir, Some(0), None).unwrap();
    for (mode, text) in [(0o775, "c"), (0o2775, "d"), (0o1770, "e"), (0o777, "f")] {
        set_mode(&dir, mode);
        bench.run(["translate", "--to", "de", "-o", "pub/x.txt", text]).code(0);
        assert_eq!(bench.read("target"), text.to_uppercase() + "\n");
    }
}

#[test]
fn ignores_cached_results_writable_by_others() {
    let bench = Bench::with(&["--engine", "upper"]);
    let dir = bench.path(".cache/tulk/results");
    let translate = || bench.run(["translate", "--to", "de", "--cache", "Hello"]).code(0);
    let sent = || bench.sent().iter().filter(|(path, _)| path.contains("translate")).count();
    translate().says_nothing();
    translate().says_nothing();
    assert_eq!(sent(), 1);
    let refused = |path: &Path, why: &str| {
        let before = sent();
        let run = translate();
        assert_eq!(run.out(), "HELLO\n");
        assert_eq!(run.stderr.matches("warning: ").count(), 1, "{run}");
        run.says(&format!("warning: {} {why}", path.display())).says("so it is not used");
        assert_eq!(sent(), before + 1);
    };
    for name in ["results.db", "results.db-wal"] {
        let path = dir.join(name);
        set_mode(&path, 0o666);
        refused(&path, "can be written by others (mode 666)");
        set_mode(&path, 0o600);
    }
    set_mode(&dir, 0o777);
    refused(&dir, "can be written by others (mode 777)");
    set_mode(&dir, 0o700);
    bench.run(["langs", "list"]).code(0);
    let languages = fs::read_dir(bench.path(".cache/tulk/languages")).unwrap().next().unwrap().unwrap().path();
    let lists = || bench.sent().iter().filter(|(path, _)| path.contains("languages")).count();
    let before = lists();
    bench.run(["langs", "list"]).code(0);
    assert_eq!(lists(), before);
    set_mode(&languages, 0o666);
    bench.run(["langs", "list"]).code(0);
    assert_eq!(lists(), before + 1);
    for path in [dir.join("results.db"), dir.clone()] {
        if !give_to_other_user(&path) {
            return;
        }
        refused(&path, "belongs to user ");
        chown(&path, Some(0), None).unwrap();
    }
    translate().says_nothing();
}

#[test]
fn refuses_state_files_writable_by_others() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.txt", "a\n");
    bench.write("many.txt", (0..400).map(|n| format!("line {n}\n")).collect::<String>());
    bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
    let many = ["translate", "--to", "de", "--lines", "-i", "a.txt", "-i", "many.txt", "-o", "{stem}.{lang}"];
    bench.run(many.iter().chain(&["--max-characters", "1500"])).code(9);
    bench.run(["config", "set", "profiles.default.timeout", "30s"]).code(0);
    let files = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    bench.write("tulk.toml", format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{files}"));
    bench.write("en.json", "{\"k\": \"Text\"}\n");
    bench.run(["sync"]).code(0);
    bench.bash("env -u TULK_SERVER tulk --sandbox doc upload a.txt --to fr").code(0);
    let login = "echo abcdefgh1234 | tulk auth login -p work --server http://127.0.0.1:9 --no-verify";
    bench.bash(login).code(0);
    let state = bench.path(".local/state/tulk");
    let only = |dir: &str, end: &str| {
        let paths = fs::read_dir(state.join(dir)).unwrap().map(|entry| entry.unwrap().path());
        paths.into_iter().find(|path| path.extension().is_some_and(|found| found == end)).unwrap()
    };
    let (documents, runs) = (state.join("documents"), state.join("runs"));
    let resume = "tulk translate --to de --lines -i a.txt -i many.txt -o {stem}.{lang} --resume";
    let cases: [(PathBuf, &str); 15] = [
        (documents.clone(), "tulk doc list"),
        (documents.clone(), "tulk doc translate a.txt --to fr"),
        (only("documents", "json"), "tulk doc list"),
        (only("documents", "json"), "tulk doc resume"),
        (documents.join("store.lock"), "tulk doc translate a.txt --to fr"),
        (runs, resume),
        (only("runs", "run"), resume),
        (state.join("settings.lock"), "tulk config set profiles.default.timeout 40s"),
        (state.join("settings.lock"), login),
        (state.join("sync"), "tulk sync"),
        (only("sync", "lock"), "tulk sync"),
        (state.join("sandbox"), "tulk sandbox status"),
        (state.join("sandbox/sandbox.db"), "tulk sandbox reset --yes"),
        (bench.path(".config/tulk"), "env -u TULK_SERVER -u TULK_API_KEY tulk auth token -p work"),
        (bench.path(".config/tulk/credentials.toml"), "env -u TULK_SERVER -u TULK_API_KEY tulk auth token -p work"),
    ];
    for (path, command) in cases {
        let sent =
            bench.sent().iter().filter(|(path, _)| path.contains("translate") || path.contains("document")).count();
        let refused = |why: &str| {
            // The record name depends on the directory of the test, so the message is not listed.
            let run = Run::unlisted(bench.shell(command).output().unwrap()).code(2);
            run.says(&format!("{} {why}", path.display()));
        };
        let old = mode(&path);
        set_mode(&path, old | 0o022);
        // For key files, readability by others is checked first.
        let is_key_file = path.ends_with("credentials.toml");
        refused(if is_key_file { "can be read by others" } else { "can be written by others" });
        set_mode(&path, old);
        if give_to_other_user(&path) {
            refused("belongs to user ");
            chown(&path, Some(0), None).unwrap();
        }
        let now =
            bench.sent().iter().filter(|(path, _)| path.contains("translate") || path.contains("document")).count();
        assert_eq!(now, sent, "{command}");
    }
    set_mode(&state, 0o777);
    bench.run(["doctor"]).code(1).says("state directory: ").says(".local/state/tulk can be written by others");
    set_mode(&state, 0o700);
    bench.bash("tulk doc list && env -u TULK_SERVER -u TULK_API_KEY tulk auth token -p work").code(0);
    bench.bash(resume).code(0);
}

#[test]
fn does_not_run_a_key_command_from_settings_writable_by_others() {
    let bench = Bench::bare();
    let settings =
        "[profiles.default]\nserver = \"http://127.0.0.1:9\"\nkey_command = \"touch ran; echo abcdefgh1234\"\n";
    bench.write(".config/tulk/config.toml", settings);
    let (above, dir) = (bench.path(".config"), bench.path(".config/tulk"));
    let file = dir.join("config.toml");
    set_mode(&above, 0o755);
    set_mode(&dir, 0o755);
    let ran = || {
        let ran = bench.path("ran");
        let run = bench.run(["auth", "token"]);
        assert_eq!(run.code == 0, ran.exists(), "{run}");
        let _ = fs::remove_file(ran);
        run
    };
    for (path, mode, runs) in [
        (&file, 0o644, true),
        (&file, 0o646, false),
        (&dir, 0o755, true),
        (&dir, 0o777, false),
        (&dir, 0o1777, false),
        (&above, 0o777, false),
        (&above, 0o1777, true),
    ] {
        let old = self::mode(path);
        set_mode(path, mode);
        let run = ran();
        assert_eq!(run.code == 0, runs, "{} {mode:o}: {run}", path.display());
        if !runs {
            let what = format!("{} can be written by others (mode {mode:o})", path.display());
            run.code(2).says(&what).says("is not run").says("run: chmod go-w ");
        }
        set_mode(path, old);
    }
    for path in [&file, &dir] {
        if !give_to_other_user(path) {
            return;
        }
        ran().code(2).says(&format!("{} belongs to user ", path.display())).says("is not run");
        // The user who called sudo is trusted.
        bench.bash("SUDO_UID=65534 tulk auth token && rm ran").code(0);
        chown(path, Some(0), None).unwrap();
    }
    // A group with other or unknown members.
    chown(&dir, None, Some(OTHER_USER)).unwrap();
    set_mode(&dir, 0o775);
    ran().code(2).says("(mode 775)");
}

#[test]
fn own_directories_are_private_under_any_umask() {
    for umask in ["000", "002", "022", "077"] {
        let bench = Bench::new();
        bench.write("a.txt", "a\n");
        let script = format!(
            "umask {umask}; tulk config set profiles.default.formality more && tulk langs list && \
             tulk translate --to de --cache a && tulk doc upload a.txt --to de && \
             tulk config set --config new/dir/config.toml profiles.default.formality more"
        );
        bench.bash(&script).code(0);
        let found = bench.bash("find .config .local .cache new -type d -not -perm 700").code(0);
        assert_eq!(found.out(), "", "umask {umask}");
        assert_eq!(mode(&bench.path(".config")), 0o700);
        assert_eq!(
            mode(&bench.path(".config/tulk/config.toml")) & 0o022,
            0,
            "umask {umask}: it can have a key_command"
        );
    }
}
