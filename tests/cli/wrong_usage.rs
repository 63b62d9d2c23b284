//! Wrong command lines: the message, the hint and how the command is used.

use crate::common::Bench;

#[test]
fn a_wrong_command_line_is_explained_once() {
    let bench = Bench::bare();
    for (line, expected) in [
        ("trasnlate", "error: unrecognized subcommand 'trasnlate'\n  hint: did you mean `tulk translate`?\n  usage: "),
        (
            "translate --tow de x",
            "error: unexpected argument '--tow' found\n  hint: did you mean `--to`?\n  usage: tulk translate ",
        ),
        (
            "translate --source de x",
            "error: unexpected argument '--source' found\n  hint: did you mean `--from`?\n  usage: ",
        ),
        (
            "translate --nosuch x",
            "error: unexpected argument '--nosuch' found\n  hint: `tulk translate --help` lists the options\n",
        ),
        (
            "translate --formality mroe x",
            "error: --formality: invalid value `mroe`\n  hint: did you mean `more`? valid values: default, more, ",
        ),
        (
            "config set target_lang de",
            "error: unknown setting `target_lang`\n  hint: it is a setting of a profile, such as profiles.work.target_lang\n",
        ),
        (
            "translate --formal more x",
            "error: unexpected argument '--formal' found\n  hint: did you mean `--formality`?\n",
        ),
        (
            "t --format yaml x",
            "error: --format: invalid value `yaml`\n  hint: valid values: auto, json, jsonl, tsv, text\n",
        ),
        ("voice stream --format tabel", "error: --format: invalid value `tabel`\n  hint: valid values: auto, jsonl, "),
        ("translate --to german x", "error: --to: `german` is not a language code\n  hint: did you mean `de`?\n"),
        (
            "doc translate a.txt --to Deutsch",
            "error: --to: `Deutsch` is not a language code\n  hint: did you mean `de`?\n",
        ),
        ("sandbox serve --port x", "error: --port: `x` is not a whole number\n"),
        (
            "langs list --source --target",
            "error: the argument '--source' cannot be used with '--target'\n  usage: tulk langs list ",
        ),
        (
            "glossary diff",
            "error: the following required arguments were not provided: <GLOSSARY> <PAIR> <FILE>\n  hint: for example: tulk glossary diff ",
        ),
    ] {
        let run = bench.run(line.split(' ')).code(2).prints("");
        assert!(run.stderr.starts_with(expected), "{line}\n{run}");
    }
    let run = bench.run(["translate", "--tow", "de", "--json"]).code(2).prints("");
    assert_eq!(
        run.stderr,
        "{\"error\":{\"kind\":\"usage\",\"message\":\"unexpected argument '--tow' found\",\"status\":null,\"code\":null,\
         \"trace_id\":null,\"hint\":\"did you mean `--to`?\"}}\n"
    );
}

#[test]
fn variables_of_options_leave_the_help_of_a_missing_command_as_it_is() {
    for words in [&[][..], &["glossary"], &["admin", "keys"]] {
        let plain = Bench::bare().run(words).code(2).prints("");
        assert!(!plain.stderr.starts_with("error: "), "{plain}");
        for (name, value) in [
            ("TULK_SERVER", ""),
            ("TULK_SERVER", "http://127.0.0.1:1"),
            ("TULK_PROFILE", "work"),
            ("TULK_REPORTING_TAG", "t"),
        ] {
            let run = Bench::bare().env(name, value).run(words).code(2).prints("");
            assert_eq!(run.stderr, plain.stderr, "{name} {words:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn text_that_is_not_utf8_is_named_beside_an_unknown_option() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let (bench, cafe) = (Bench::bare(), OsStr::from_bytes(b"caf\xe9"));
    let run = |words: &[&OsStr]| bench.run([&[OsStr::new("translate")], words].concat()).code(2);
    let unknown = OsStr::new("--no-such-flag");
    let what = "error: unexpected argument '--no-such-flag' found";
    run(&[unknown, cafe]).says(&format!("{what}; invalid UTF-8 in an argument: `caf\\xe9`\n"));
    run(&[OsStr::from_bytes(b"--\xe9")]).says("; invalid UTF-8 in an argument: `--\\xe9`\n");
    bench.run([cafe]).code(2).says("; invalid UTF-8 in an argument: `caf\\xe9`\n");
    // A file may have such a name.
    run(&[unknown, OsStr::new("-i"), cafe]).says(&format!("{what}\n"));
}

#[test]
fn a_refused_language_that_is_the_code_of_a_country_gets_a_suggestion() {
    let bench = Bench::new();
    let run = bench.run(["translate", "--to", "gr", "x"]).code(5);
    run.says(
        "  hint: did you mean `el`? `tulk langs check --to gr` checks whether the service supports the languages\n",
    );
    bench.run(["translate", "--to", "xx", "x"]).code(5).says_not("did you mean");
}
