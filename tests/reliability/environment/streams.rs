//! Closed standard streams: a lost result is an error, no message gets into a file, and a file that was asked for is whole.

use crate::common::{Bench, Run};

fn upper() -> Bench {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"]);
    bench.write("in.txt", "one\n");
    bench
}

/// Runs a command line with its streams redirected as the shell does it.
fn redirected(bench: &Bench, line: &str) -> Run {
    bench.bash(line)
}

#[test]
fn a_result_that_cannot_be_printed_is_an_error() {
    let bench = upper();
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntarget_lang = \"de\"\n");
    for command in [
        "--version",
        "--help",
        "help translate",
        "help exit-codes",
        "man",
        "completions bash",
        "config list",
        "config path",
        "auth status",
        "auth token",
        "cache stats",
        "usage",
        "langs list",
        "api GET /v2/usage",
        "write correct Hi",
        "translate --to de Hi",
        "translate --to de --json Hi",
        "translate --to de --lines -i in.txt",
        "translate --to de --dry-run Hi",
        "translate --to de -o - Hi",
        "sandbox serve --port 0 --ephemeral",
    ] {
        redirected(&bench, &format!("tulk {command} >&-")).code(70).says("cannot write to stdout: it is closed");
    }
    let json = redirected(&bench, "tulk usage --json >&-").code(70);
    let line: serde_json::Value = serde_json::from_str(json.stderr.trim()).unwrap();
    assert_eq!(line["error"]["message"], "cannot write to stdout: it is closed");
    redirected(&bench, "tulk translate --to de Hi -o /dev/stdout >&-").code(70).says("cannot write to stdout");
}

#[test]
fn no_text_is_sent_whose_result_would_be_lost() {
    let bench = upper();
    for command in ["translate --to de Hi", "write correct Hi", "doc translate - --filename a.txt --to de < in.txt"] {
        let run = redirected(&bench, &format!("tulk {command} >&-")).code(70);
        run.says("error: cannot write to stdout: it is closed").says("hint: redirect it: `> FILE`, or `> /dev/null`");
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn a_command_with_nothing_to_print_needs_no_stdout() {
    let bench = upper();
    for command in [
        "translate --to de -i in.txt -o out.txt",
        "translate --to de,fr -i in.txt -o 'out.{lang}.txt'",
        "translate --to de Hi -o /dev/null",
        "config set profiles.work.target_lang de",
        "cache clear --quiet",
        "doc list",
    ] {
        redirected(&bench, &format!("tulk {command} >&-")).code(0).says_nothing();
    }
    assert_eq!((bench.read("out.txt"), bench.read("out.fr.txt")), ("ONE\n".to_owned(), "ONE\n".to_owned()));
    // The row of a document cannot be printed; its result is there, and paid once.
    redirected(&bench, "tulk doc translate in.txt --to de >&-").code(70).says("cannot write to stdout: it is closed");
    assert_eq!(bench.read("in.de.txt"), "ONE\n");
    bench.run(["doc", "resume"]).code(0).says("no unfinished documents");
}

#[test]
fn a_closed_stdin_is_no_empty_input() {
    let bench = upper();
    for command in [
        "translate --to de",
        "translate --to de -",
        "translate --to de --lines -i -",
        "translate --to de --context-file - Hi",
        "write correct",
        "doc translate - --filename a.txt --to de",
        "glossary create G --dictionary en:de=-",
        "glossary lint -",
        "api POST /v2/translate --input -",
        "auth login --server http://127.0.0.1:9 --no-verify",
        "--key-file - usage",
        "voice stream - --to de",
    ] {
        let run = redirected(&bench, &format!("tulk {command} <&-")).code(2).prints("");
        run.says("error: cannot read stdin: it is closed").says("hint: redirect it: `< FILE`, or `< /dev/null`");
    }
    assert!(bench.requests().is_empty());
    for command in ["translate --to de Hi", "usage", "translate --to de -i in.txt", "doc translate in.txt --to de"] {
        redirected(&bench, &format!("tulk {command} <&-")).code(0);
    }
}

#[test]
fn a_closed_stderr_changes_no_exit_code_and_no_result() {
    let bench = upper();
    redirected(&bench, "tulk translate --to de --stats -vv Hi 2>&-").code(0).prints("HI\n");
    redirected(&bench, "tulk translate --to xx Hi 2>&-").code(5).prints("");
    redirected(&bench, "tulk translate --no-such-flag 2>&-").code(2).prints("");
    redirected(&bench, "tulk translate --to de -i missing.txt 2>&-").code(2).prints("");
    redirected(&bench, "TULK_SANDBOX=1 TULK_SERVER= tulk translate --to de Hi 2>&-").code(0);
}

/// Files that are opened while streams are closed never get the numbers of these, to which messages are written.
#[test]
fn no_message_gets_into_a_file() {
    let bench = upper();
    let lines: String = (0..200).map(|n| format!("line {n}\n")).collect();
    bench.write("lines.txt", &lines);
    bench.write(
        "tulk.toml",
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"en/*.json\"\n\
         target = \"{lang}/*.json\"\ndialect = \"none\"\n",
    );
    bench.write("en/a.json", "{\"a\": \"One\"}\n");
    for streams in ["<&- >&- 2>&-", ">&- 2>&-", "<&- 2>&-", "2>&-"] {
        let row_is_lost = streams.contains(">&- ");
        for (command, code) in [
            ("translate --to de --lines -vv --stats --cache -i lines.txt -o out.txt --force", 0),
            ("translate --to xx --lines -vv -i lines.txt -o none.txt", 5),
            ("doc translate in.txt --to de -vv --force -o out/doc.txt", if row_is_lost { 70 } else { 0 }),
            ("config set profiles.work.target_lang de", 0),
            ("sync -vv", if row_is_lost { 70 } else { 0 }),
        ] {
            let run = redirected(&bench, &format!("tulk {command} {streams}"));
            assert_eq!(run.code, code, "{command} {streams}\n{run}");
        }
        assert_eq!(bench.read("out.txt"), lines.to_uppercase(), "{streams}");
        assert_eq!(bench.read("out/doc.txt"), "ONE\n", "{streams}");
        assert_eq!(bench.read("de/a.json"), "{\"a\": \"ONE\"}\n", "{streams}");
        assert_eq!(bench.read(".config/tulk/config.toml"), "[profiles.work]\ntarget_lang = \"de\"\n", "{streams}");
        assert!(!bench.path("none.txt").exists());
        for name in ["out.txt", "out/doc.txt", "de"] {
            let path = bench.path(name);
            if path.is_dir() { std::fs::remove_dir_all(path).unwrap() } else { std::fs::remove_file(path).unwrap() }
        }
        std::fs::remove_file(bench.path("tulk.lock")).unwrap();
    }
}
