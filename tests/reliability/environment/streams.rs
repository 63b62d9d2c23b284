//! Standard streams that are closed or open in the wrong direction: a lost result is an error, messages never end up in a file, and
//! requested files are complete.

use crate::common::{Bench, Run};

const PROJECT: &str = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"en/*.json\"\n\
                       target = \"{lang}/*.json\"\ndialect = \"none\"\n";

fn upper() -> Bench {
    let bench = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"]);
    bench.write("in.txt", "one\n");
    bench
}

/// Redirections that make stdout unusable, with the reason in the message.
const UNUSABLE_STDOUT: [(&str, &str); 2] = [(">&-", "it is closed"), ("1</dev/null", "it is not open for writing")];
const UNUSABLE_STDIN: [(&str, &str); 2] = [("<&-", "it is closed"), ("0>/dev/null", "it is not open for reading")];

fn redirected(bench: &Bench, line: &str) -> Run {
    bench.bash(line)
}

#[test]
fn an_unprintable_result_is_an_error() {
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
        for (streams, why) in UNUSABLE_STDOUT {
            let run = redirected(&bench, &format!("tulk {command} {streams}")).code(70);
            run.says(&format!("cannot write to stdout: {why}"));
        }
    }
    let json = redirected(&bench, "tulk usage --json >&-").code(70);
    let line: serde_json::Value = serde_json::from_str(json.stderr.trim()).unwrap();
    assert_eq!(line["error"]["message"], "cannot write to stdout: it is closed");
    for (streams, why) in UNUSABLE_STDOUT {
        let run = redirected(&bench, &format!("tulk translate --to de Hi -o /dev/stdout {streams}")).code(70);
        run.says(&format!("cannot write /dev/stdout: {why}"));
    }
}

#[test]
fn sends_nothing_whose_result_would_be_lost() {
    let bench = upper();
    bench.write("a.tsv", "kettle\tKessel\n");
    bench.write("tulk.toml", PROJECT);
    bench.write("en/a.json", "{\"a\": \"One\"}\n");
    for command in [
        "translate --to de Hi",
        "translate --to de,fr --json Hi",
        "translate --to de --lines -i in.txt --jq .text",
        "write correct Hi",
        "write correct --diff -i in.txt",
        "write correct --check -i in.txt",
        "write rephrase --json Hi",
        "doc translate - --filename a.txt --to de < in.txt",
        "doc translate in.txt --to de",
        "doc translate in.txt --to de -o out.txt",
        "doc upload in.txt --to de",
        "glossary create G --dictionary en:de=a.tsv",
        "glossary sync G en:de=a.tsv --yes",
        "style create House --language de",
        "admin keys create ci",
        "voice session in.txt --to de",
        "voice stream in.txt --to de",
        "api POST /v2/translate -f 'text[]=Hi' -f target_lang=DE",
        "api POST /v2/translate -f 'text[]=Hi' -f target_lang=DE --include --silent",
        "sync",
        "usage",
    ] {
        for (streams, why) in UNUSABLE_STDOUT {
            let run = redirected(&bench, &format!("tulk {command} {streams}")).code(70);
            run.says(&format!("cannot write to stdout: {why}")).says("redirect it: `> FILE`, or `> /dev/null`");
        }
    }
    assert!(bench.requests().is_empty(), "{:?}", bench.requests());
    // A stream opened for reading and writing is writable.
    redirected(&bench, "tulk translate --to de Hi 1<> both.txt").code(0);
    assert_eq!(bench.read("both.txt"), "HI\n");
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
        "api POST /v2/translate -f 'text[]=Hi' -f target_lang=DE --silent",
        "api POST /v2/translate -f 'text[]=Hi' -f target_lang=DE -o answer.json",
    ] {
        for (streams, _) in UNUSABLE_STDOUT {
            redirected(&bench, &format!("tulk {command} {streams}")).code(0).says_nothing();
        }
    }
    assert_eq!((bench.read("out.txt"), bench.read("out.fr.txt")), ("ONE\n".to_owned(), "ONE\n".to_owned()));
}

#[test]
fn an_unreadable_stdin_is_an_error_not_empty_input() {
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
        for (streams, why) in UNUSABLE_STDIN {
            let run = redirected(&bench, &format!("tulk {command} {streams}")).code(2).prints("");
            run.says(&format!("error: cannot read stdin: {why}")).says("hint: redirect it: `< FILE`, or `< /dev/null`");
        }
    }
    assert!(bench.requests().is_empty());
    for command in
        ["translate --to de Hi", "usage", "translate --to de -i in.txt", "doc translate in.txt --to de --force"]
    {
        for (streams, _) in UNUSABLE_STDIN {
            redirected(&bench, &format!("tulk {command} {streams}")).code(0);
        }
    }
}

#[test]
fn a_closed_stderr_keeps_exit_code_and_result() {
    let bench = upper();
    redirected(&bench, "tulk translate --to de --stats -vv Hi 2>&-").code(0).prints("HI\n");
    redirected(&bench, "tulk translate --to xx Hi 2>&-").code(5).prints("");
    redirected(&bench, "tulk translate --no-such-flag 2>&-").code(2).prints("");
    redirected(&bench, "tulk translate --to de -i missing.txt 2>&-").code(2).prints("");
    redirected(&bench, "TULK_SANDBOX=1 TULK_SERVER= tulk translate --to de Hi 2>&-").code(0);
}

/// Files opened while standard streams are closed must not get the descriptors of these streams, because messages are written there.
#[test]
fn messages_never_end_up_in_a_file() {
    let bench = upper();
    let lines: String = (0..200).map(|n| format!("line {n}\n")).collect();
    bench.write("lines.txt", &lines);
    bench.write("tulk.toml", PROJECT);
    bench.write("en/a.json", "{\"a\": \"One\"}\n");
    for streams in ["<&- >&- 2>&-", ">&- 2>&-", "<&- 2>&-", "2>&-"] {
        // A command whose rows would be lost sends nothing.
        let has_rows = !streams.contains(">&- ");
        for (command, code) in [
            ("translate --to de --lines -vv --stats --cache -i lines.txt -o out.txt --force", 0),
            ("translate --to xx --lines -vv -i lines.txt -o none.txt", 5),
            ("doc translate in.txt --to de -vv --force -o out/doc.txt", if has_rows { 0 } else { 70 }),
            ("config set profiles.work.target_lang de", 0),
            ("sync -vv", if has_rows { 0 } else { 70 }),
        ] {
            let run = redirected(&bench, &format!("tulk {command} {streams}"));
            assert_eq!(run.code, code, "{command} {streams}\n{run}");
        }
        assert_eq!(bench.read("out.txt"), lines.to_uppercase(), "{streams}");
        let read = |name| std::fs::read_to_string(bench.path(name)).ok();
        assert_eq!(read("out/doc.txt").as_deref(), has_rows.then_some("ONE\n"), "{streams}");
        assert_eq!(read("de/a.json").as_deref(), has_rows.then_some("{\"a\": \"ONE\"}\n"), "{streams}");
        assert_eq!(bench.read(".config/tulk/config.toml"), "[profiles.work]\ntarget_lang = \"de\"\n", "{streams}");
        assert!(!bench.path("none.txt").exists());
        for name in ["out.txt", "out/doc.txt", "de/a.json", "tulk.lock"] {
            let _ = std::fs::remove_file(bench.path(name));
        }
    }
}
