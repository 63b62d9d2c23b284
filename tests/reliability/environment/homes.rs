//! No usable home, working or temporary directory; unusual locales and terminals.

#![cfg(target_os = "linux")]

use std::process::Command;

use crate::common::tools::skip;
use crate::common::{Bench, Run, binary};

fn upper() -> Bench {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"]);
    bench.write("in.txt", "one\n");
    bench
}

fn with(bench: &Bench, variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = bench.command();
    command.envs(variables.iter().copied()).args(args);
    command.output().unwrap().into()
}

#[test]
fn ignores_variables_with_relative_or_empty_directories() {
    let bench = upper();
    for value in ["", "relative", "./relative"] {
        let variables =
            ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"].map(|name| (name, value));
        let expected = format!("{}\n", bench.path(".config/tulk/config.toml").display());
        with(&bench, &variables, &["config", "path"]).code(0).prints(expected);
        let translate = ["translate", "--to", "de", "--cache", "Hi"];
        with(&bench, &variables, &translate).code(0).prints("HI\n").says_nothing();
        with(&bench, &variables, &["doc", "translate", "in.txt", "--to", "de", "--force"]).code(0);
        assert!(!bench.path("relative").exists(), "nothing is stored in the working directory");
    }
    assert!(bench.path(".local/state/tulk/documents").is_dir() && bench.path(".cache/tulk/results").is_dir());
}

#[test]
fn creates_a_missing_home_directory_when_storing() {
    let bench = upper();
    let home = bench.path("new home");
    let mut command = bench.command();
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
    let run =
        Run::from(command.env("HOME", &home).args(["doc", "translate", "in.txt", "--to", "de"]).output().unwrap());
    run.code(0);
    assert!(home.join(".local/state/tulk/documents").is_dir());
    assert!(!home.join(".config").exists(), "nothing else is made");
}

/// Mounts the home directory read-only. Returns `None` if this user cannot mount; the test is then skipped.
fn read_only(bench: &Bench, script: &str) -> Option<Run> {
    let home = bench.path("home");
    std::fs::create_dir_all(&home).unwrap();
    let home = home.display();
    let mount = format!("mount --bind '{home}' '{home}' && mount -o remount,ro,bind '{home}'");
    let can_mount = Command::new("unshare").args(["-m", "sh", "-c", &mount]).output();
    if !can_mount.is_ok_and(|output| output.status.success()) {
        skip("this user cannot mount a directory read-only with unshare");
        return None;
    }
    let mut command = bench.shell("exec unshare -m sh -euc \"$SCRIPT\"");
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"] {
        command.env_remove(name);
    }
    let run = command.env("HOME", bench.path("home")).env("SCRIPT", format!("{mount}\n{script}")).output().unwrap();
    Some(Run::unlisted(run))
}

#[test]
fn a_read_only_home_directory_fails_only_commands_that_must_store() {
    let bench = upper();
    for (command, code, says) in [
        ("tulk translate --to de Hi", 0, ""),
        ("tulk translate --to de --lines -i in.txt -o out.txt --force", 0, ""),
        ("tulk translate --to de --cache Hi", 0, "warning: cannot create directory"),
        (
            "tulk translate --to de,fr -i in.txt -o 'out.{lang}.txt' --force",
            0,
            "--resume will not know which files are finished",
        ),
        ("tulk usage", 0, ""),
        ("tulk langs list", 0, ""),
        ("tulk doc list", 0, ""),
        ("tulk cache clear -q", 0, ""),
        ("tulk config set profiles.work.target_lang de", 70, "Read-only file system"),
        ("tulk doc translate in.txt --to de --force", 70, "make it writable, or set XDG_STATE_HOME"),
        ("XDG_STATE_HOME=$PWD/state tulk doc translate in.txt --to de --force", 0, ""),
        ("TULK_SANDBOX=1 TULK_SERVER= tulk translate --to de Hi", 0, "the sandbox keeps no state in this run"),
    ] {
        let Some(run) = read_only(&bench, command) else { return };
        assert_eq!(run.code, code, "{command}\n{run}");
        if says.is_empty() {
            run.says_not("error: ")
        } else {
            run.says(says)
        };
    }
    let uploads = bench.sent().into_iter().filter(|(path, _)| path == "POST /v2/document").count();
    assert_eq!(uploads, 1, "a document whose key cannot be kept is not uploaded");
}

#[test]
fn a_deleted_working_directory_fails_only_relative_paths() {
    let bench = upper();
    let home = bench.dir().display().to_string();
    let gone = |command: &str| {
        let script = format!("mkdir gone; cd gone; rmdir ../gone; {command}");
        Run::unlisted(bench.shell(&script).output().unwrap())
    };
    gone("tulk translate --to de Hi").code(0).prints("HI\n").says_nothing();
    gone("tulk usage").code(0).says_nothing();
    gone(&format!("tulk translate --to de -i '{home}/in.txt' -o '{home}/out.txt'")).code(0).says_nothing();
    gone(&format!("tulk doc translate '{home}/in.txt' --to de")).code(0).says_nothing();
    assert_eq!((bench.read("out.txt"), bench.read("in.de.txt")), ("ONE\n".to_owned(), "ONE\n".to_owned()));
    let sent = bench.requests().len();
    gone("tulk translate --to de -i in.txt").code(2).says("error: cannot read in.txt: No such file or directory");
    gone("tulk translate --to de Hi -o x.txt").code(2).says("No such file or directory");
    gone("tulk doc translate in.txt --to de").code(2).says("error: cannot read in.txt: No such file or directory");
    gone("tulk sync").code(2).says("error: cannot find .: No such file or directory");
    assert_eq!(bench.requests().len(), sent);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn only_a_sandbox_without_state_needs_a_temporary_directory() {
    let bench = upper();
    for dir in ["/nonexistent", "/dev/null", "/proc", "relative"] {
        let temporary = ("TMPDIR", dir);
        with(&bench, &[temporary], &["translate", "--to", "de,fr", "--json", "Hi"]).code(0);
        with(&bench, &[temporary], &["translate", "--to", "de", "-i", "in.txt", "-o", "out.txt", "--force"]).code(0);
        with(&bench, &[temporary], &["doc", "translate", "in.txt", "--to", "de", "--force"]).code(0);
        let variables = [temporary, ("TULK_SANDBOX", "1"), ("TULK_SERVER", ""), ("TULK_SANDBOX_EPHEMERAL", "1")];
        let run =
            Run::unlisted(bench.command().envs(variables).args(["translate", "--to", "de", "Hi"]).output().unwrap());
        let run = run.says(&format!("error: the sandbox cannot start: cannot write to the directory {dir}: "));
        assert_eq!(run.code, 2, "{run}");
        run.says("hint: set TMPDIR to a directory that you can write to");
    }
    // Results of later languages are spooled to a temporary file if they are large, otherwise held in memory.
    let input: String = (0..20_000).map(|n| format!("line {n} with some words\n")).collect();
    bench.write("large.txt", &input);
    let args = [
        "translate",
        "--to",
        "de,fr",
        "--lines",
        "--format",
        "json",
        "--jq",
        ".[].translations | length",
        "-i",
        "large.txt",
    ];
    let run = Run::unlisted(bench.command().env("TMPDIR", "/nonexistent").args(args).output().unwrap());
    run.code(0).prints("20000\n20000\n").says_nothing();
}

#[test]
fn locales_and_terminals_do_not_change_texts_or_names() {
    let bench = upper();
    bench.write("ünï 日本.txt", "é ß ı i\n");
    for (n, locale) in ["C", "POSIX", "tr_TR.UTF-8", "tr_TR.ISO-8859-9", "xx_YY", ""].into_iter().enumerate() {
        for term in [Some("dumb"), Some(""), Some("nonsense"), None] {
            let mut command = bench.command();
            command.env("LANG", locale).env("LC_ALL", locale).env_remove("TERM");
            command.envs(term.map(|term| ("TERM", term)));
            let name = format!("öut{n}.{{lang}}.txt");
            command.args(["translate", "--to", "DE,ID", "--force", "-i", "ünï 日本.txt", "-o", &name]);
            Run::from(command.output().unwrap()).code(0).says_nothing();
            // With the case rules of a Turkish locale, `ID` would become an unknown language.
            for lang in ["de", "id"] {
                assert_eq!(bench.read(&format!("öut{n}.{lang}.txt")), "É SS I I\n", "{locale}");
            }
        }
        let variables = [("LANG", locale), ("LC_ALL", locale)];
        with(&bench, &variables, &["translate", "--to", "de", "日本 é"]).code(0).prints("日本 É\n").says_nothing();
        let run = with(&bench, &variables, &["translate", "--to", "de", "-i", "ünï.txt"]).code(2);
        run.says("error: cannot read ünï.txt: No such file or directory");
    }
    let run = bench.bash("LC_ALL=C TERM= tulk langs list --limit 1 | cat -v").code(0);
    assert!(run.out().starts_with("ace\t"), "{run}");
    assert!(binary().exists());
}
