//! File names with line breaks, spaces, dashes, quotes, escape sequences and invalid UTF-8, wherever a command accepts a path.

#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Stdio;

use crate::common::{Bench, Run, terminal};

/// Names without extension. Those at the end have control characters, so they cannot be names of documents.
const NAMES: [&[u8]; 16] = [
    b"sp ace",
    b"-dash",
    b"--to=fr",
    b"quo'te\"",
    b"$(id)`id`$HOME",
    b"{lang}",
    b"a;b&c|d>e*f?[g]",
    b"back\\slash",
    b"100%",
    "rtl\u{202e}ü".as_bytes(),
    b"#hash~",
    b"new\nline",
    b"cr\rreturn",
    b"tab\t",
    b"esc\x1b[31m\x1b]0;title\x07",
    b"c1\xc2\x9b1m",
];
const NOT_UTF8: &[u8] = b"bad\xff\xfe";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"])
}

fn name(start: &[u8], end: &str) -> std::ffi::OsString {
    OsStr::from_bytes(&[start, end.as_bytes()].concat()).to_owned()
}

/// Returns `./NAME`, so no name is parsed as a flag.
fn file(start: &[u8], end: &str) -> std::ffi::OsString {
    OsStr::from_bytes(&[b"./", start, end.as_bytes()].concat()).to_owned()
}

fn run(bench: &Bench, args: &[&OsStr]) -> Run {
    Run::unlisted(bench.command().args(args).stdin(Stdio::null()).output().unwrap())
}

fn words<'a>(line: &'a str, files: &'a [std::ffi::OsString]) -> Vec<&'a OsStr> {
    line.split(' ').map(OsStr::new).chain(files.iter().map(std::ffi::OsString::as_os_str)).collect()
}

#[test]
fn text_files_may_have_any_name() {
    let bench = upper();
    let all: Vec<&[u8]> = NAMES.into_iter().chain([NOT_UTF8]).collect();
    for start in &all {
        std::fs::write(bench.dir().join(name(start, ".txt")), "one\n").unwrap();
        let input = [OsStr::new("-i"), &file(start, ".txt")].map(OsStr::to_owned);
        let line = "translate --to de,fr --lines -o out/{lang}/{stem}{ext}";
        run(&bench, &words(line, &input)).code(0).prints("").says_nothing();
        for lang in ["de", "fr"] {
            let result = bench.dir().join("out").join(lang).join(name(start, ".txt"));
            assert_eq!(std::fs::read_to_string(&result).unwrap(), "ONE\n", "{}", result.display());
        }
        run(&bench, &words("translate --to de --lines --in-place", &input)).code(0).says_nothing();
        assert_eq!(std::fs::read_to_string(bench.dir().join(name(start, ".txt"))).unwrap(), "ONE\n");
    }
    let found = std::fs::read_dir(bench.path("out/de")).unwrap().count();
    assert_eq!(found, all.len(), "no name was changed, and none is left from an unfinished output");
}

#[test]
fn an_interrupted_run_continues_with_any_name() {
    let bench = upper();
    let lines: String = (0..120).map(|n| format!("line {n}\n")).collect();
    for start in NAMES {
        std::fs::write(bench.dir().join(name(start, ".txt")), &lines).unwrap();
        let input = [OsStr::new("-i"), &file(start, ".txt")].map(OsStr::to_owned);
        let line = "translate --to de --lines --max-characters 700 -o out/{stem}.{lang}{ext}";
        // A hint has the command that resumes. It is tried twice: as printed to a pipe, and as printed on a terminal.
        let stopped = run(&bench, &words(line, &input)).code(6);
        let command = printed_continuation(&stopped.stderr);
        bench.bash(&command).code(0);
        let result = bench.dir().join("out").join(name(start, ".de.txt"));
        assert_eq!(std::fs::read_to_string(&result).unwrap(), lines.to_uppercase(), "{command}");
        std::fs::remove_file(&result).unwrap();
        let shown = on_terminal(&bench, &words(line, &input));
        bench.bash(&printed_continuation(&shown)).code(0);
        assert_eq!(std::fs::read_to_string(&result).unwrap(), lines.to_uppercase(), "{shown}");
    }
}

fn printed_continuation(stderr: &str) -> String {
    let (_, rest) = stderr.split_once("continue with `").unwrap_or_else(|| panic!("{stderr}"));
    let command = rest[..rest.rfind('`').unwrap()].to_owned();
    command.replace("--max-characters 700 ", "")
}

fn on_terminal(bench: &Bench, args: &[&OsStr]) -> String {
    let (master, slave) = terminal::open(200, 40);
    let mut command = bench.command();
    command
        .args(args)
        .env("TERM", "dumb")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(slave);
    let mut child = command.arg("--progress").arg("none").spawn().unwrap();
    drop(command);
    let mut shown = Vec::new();
    // Linux reports EIO instead of end of file once the other side is closed.
    let _ = std::fs::File::from(master).read_to_end(&mut shown);
    child.wait().unwrap();
    String::from_utf8(shown).unwrap().replace("\r\n", "\n")
}

#[test]
fn no_file_name_can_control_a_terminal() {
    let bench = upper();
    for start in ["\u{1b}[31m\u{1b}]0;t\u{7}\r\u{9b}1m\u{202e}\u{7f}".as_bytes(), b"bad\xff\x1b[1m"] {
        std::fs::write(bench.dir().join(name(start, ".tsv")), "one\n").unwrap();
        let (file, missing) = ([file(start, ".tsv")], [file(start, ".missing")]);
        for args in [
            words("translate --to de -i", &missing),
            words("translate --to xx -i", &file),
            words("translate --to de --csv --column a -i", &file),
            words("doc translate --to de", &missing),
            words("doc translate --to de", &file),
            words("glossary lint", &file),
            words("glossary create G --dictionary", &[name(b"en:de=", "")]),
            words("--key-file", &missing).into_iter().chain([OsStr::new("usage")]).collect(),
            words("--config", &missing).into_iter().chain([OsStr::new("usage")]).collect(),
            words("--ca-file", &missing).into_iter().chain([OsStr::new("usage")]).collect(),
            words("sync --project", &missing),
            words("no-such-command", &file),
        ] {
            let shown = on_terminal(&bench, &args);
            let controls = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
            assert!(!shown.contains(controls), "{args:?}: {shown:?}");
        }
    }
}

#[test]
fn documents_are_sent_under_their_name_unless_it_is_unsendable() {
    let bench = upper();
    for start in &NAMES[..11] {
        std::fs::write(bench.dir().join(name(start, ".txt")), "one").unwrap();
        run(&bench, &words("doc translate --to de --out-dir out", &[file(start, ".txt")])).code(0);
        let result = bench.dir().join("out").join(name(start, ".de.txt"));
        assert_eq!(std::fs::read_to_string(&result).unwrap(), "ONE");
    }
    let sent = bench.requests().len();
    for start in NAMES[11..].iter().chain([&NOT_UTF8]) {
        let source = [file(start, ".txt")];
        std::fs::write(bench.dir().join(&source[0]), "one").unwrap();
        let refused = run(&bench, &words("doc translate --to de", &source)).code(2);
        refused.says(" is not a valid file name").says("hint: set the name sent to the service with --filename");
        let json = run(&bench, &words("doc translate --to de --json", &source)).code(2);
        let line: serde_json::Value = serde_json::from_str(json.stderr.trim()).unwrap();
        assert_eq!(line["error"]["kind"], "usage");
    }
    assert_eq!(bench.requests().len(), sent);
    for start in NAMES[11..].iter().chain([&NOT_UTF8]) {
        let line = "doc translate --to de --filename letter.txt --out-dir out";
        let run = run(&bench, &words(line, &[file(start, ".txt")])).code(0);
        assert_eq!(run.out().lines().count(), 1, "a row is a line\n{run}");
        let result = bench.dir().join("out").join(name(start, ".de.txt"));
        assert_eq!(std::fs::read_to_string(&result).unwrap(), "ONE");
    }
    assert_eq!(bench.run(["doc", "list", "--json"]).code(0).json().as_array().map(Vec::len), Some(17));
}

#[test]
fn a_document_in_a_non_utf8_directory_is_recorded_and_resumed() {
    let bench = upper();
    let dir = bench.dir().join(name(NOT_UTF8, ""));
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("a.txt"), "one").unwrap();
    let there = |args: &[&str]| Run::unlisted(bench.command().current_dir(&dir).args(args).output().unwrap());
    there(&["doc", "upload", "a.txt", "--to", "de"]).code(0);
    let elsewhere = bench.run(["doc", "list", "--columns", "source,status"]).code(0);
    assert_eq!(elsewhere.out(), "a.txt\tuploaded\n");
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(std::fs::read_to_string(dir.join("a.de.txt")).unwrap(), "ONE");
    there(&["doc", "translate", "a.txt", "--to", "fr"]).code(0);
    there(&["translate", "--to", "de", "-i", "a.txt", "-o", "b.txt"]).code(0).says_nothing();
    let state = bench.command().env("XDG_STATE_HOME", &dir).args(["--sandbox", "sandbox", "status", "--json"]).output();
    Run::unlisted(state.unwrap()).code(0);
    let usage =
        bench.command().env("XDG_STATE_HOME", &dir).args(["--sandbox", "usage"]).env_remove("TULK_SERVER").output();
    Run::unlisted(usage.unwrap()).code(0);
    let state = bench.command().env("XDG_STATE_HOME", &dir).args(["sandbox", "status"]).output();
    Run::unlisted(state.unwrap()).code(0);
}

#[test]
fn glossary_files_may_have_any_utf8_name() {
    let bench = upper();
    for (n, start) in NAMES.iter().enumerate() {
        std::fs::write(bench.dir().join(name(start, ".tsv")), "tea\tTee\n").unwrap();
        let pair = [name(b"en:de=", ""), file(start, ".tsv")].map(|part| part.into_string().unwrap()).concat();
        run(&bench, &[OsStr::new("glossary"), OsStr::new("lint"), &file(start, ".tsv")]).code(0);
        let glossary = format!("G{n}");
        run(&bench, &["glossary", "create", &glossary, "--dictionary", &pair, "--columns", "name"].map(OsStr::new))
            .code(0)
            .prints(format!("{glossary}\n"));
    }
    let refused = run(&bench, &[OsStr::new("glossary"), OsStr::new("lint"), &name(NOT_UTF8, ".tsv")]).code(2);
    refused.says(r"error: invalid UTF-8 in an argument: `bad\xff\xfe.tsv`");
}

#[test]
fn catalogues_may_have_any_name_without_control_characters() {
    let bench = upper();
    bench.write(
        "tulk.toml",
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"en/*.json\"\n\
         target = \"{lang}/*.json\"\ndialect = \"none\"\n",
    );
    std::fs::create_dir(bench.path("en")).unwrap();
    let good: Vec<&[u8]> =
        NAMES[..11].iter().copied().filter(|name| !name.contains(&b'\\') && !name.starts_with(b"rtl")).collect();
    for start in &good {
        std::fs::write(bench.path("en").join(name(start, ".json")), "{\"a\": \"One\"}\n").unwrap();
    }
    run(&bench, &["sync"].map(OsStr::new)).code(0);
    for start in &good {
        let target = bench.path("de").join(name(start, ".json"));
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "{\"a\": \"ONE\"}\n", "{}", target.display());
    }
    run(&bench, &["sync", "--check"].map(OsStr::new)).code(0);
    for start in &NAMES[11..] {
        let path = bench.path("en").join(name(start, ".json"));
        std::fs::write(&path, "{\"a\": \"One\"}\n").unwrap();
        let refused = run(&bench, &["sync"].map(OsStr::new)).code(2).says("has control characters");
        assert!(!refused.stderr.contains(['\r', '\u{1b}', '\u{7}', '\u{9b}']), "{refused}");
        std::fs::remove_file(path).unwrap();
    }
    assert!(Path::new(&bench.path("tulk.lock")).exists());
}
