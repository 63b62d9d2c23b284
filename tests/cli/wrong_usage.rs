//! Wrong command lines: the message, the hint and the usage.

use crate::common::Bench;

#[test]
fn explains_a_wrong_command_line_once() {
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
            "error: --format: invalid value `yaml`\n  hint: valid values: auto, table, json, jsonl, tsv, text\n",
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
fn a_missing_command_prints_the_help_even_if_variables_set_options() {
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

#[test]
fn a_missing_command_prints_the_help_even_with_options() {
    let bench = Bench::bare();
    for (plain, with_options) in [
        (&[][..], &["--sandbox"][..]),
        (&[], &["-q"]),
        (&["glossary"], &["glossary", "-v"]),
        (&["glossary"], &["--profile", "doc", "glossary"]),
        (&["admin", "keys"], &["admin", "-v", "keys", "--retries", "1"]),
    ] {
        let plain = bench.run(plain).code(2).prints("");
        assert_eq!(bench.run(with_options).code(2).prints("").stderr, plain.stderr, "{with_options:?}");
    }
    bench
        .run(["admin", "keys", "--json"])
        .code(2)
        .says("{\"error\":{\"kind\":\"usage\",\"message\":\"'tulk admin keys' requires ");
}

#[cfg(unix)]
#[test]
fn reports_invalid_utf8_beside_an_unknown_option() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let (bench, cafe) = (Bench::bare(), OsStr::from_bytes(b"caf\xe9"));
    let run = |words: &[&OsStr]| bench.run([&[OsStr::new("translate")], words].concat()).code(2);
    let unknown = OsStr::new("--no-such-flag");
    let what = "error: unexpected argument '--no-such-flag' found";
    run(&[unknown, cafe]).says(&format!("{what}; invalid UTF-8 in an argument: `caf\\xe9`\n"));
    run(&[OsStr::from_bytes(b"--\xe9")]).says("; invalid UTF-8 in an argument: `--\\xe9`\n");
    bench.run([cafe]).code(2).says("; invalid UTF-8 in an argument: `caf\\xe9`\n");
    for (words, flag) in
        [(&["translate", "--to", "de"][..], "-i"), (&["doc", "translate", "a.txt", "--to", "de"], "-o")]
    {
        let words = words.iter().copied().chain([flag]).map(OsStr::new);
        let run = bench.run(words.chain([cafe, OsStr::new("--bogus")])).code(2);
        run.says("error: unexpected argument '--bogus' found").says(" lists the options\n");
    }
    // A file may have such a name.
    run(&[unknown, OsStr::new("-i"), cafe]).says(&format!("{what}\n"));
}

#[test]
fn a_country_code_in_place_of_a_language_gets_a_suggestion() {
    let bench = Bench::new();
    let run = bench.run(["translate", "--to", "gr", "x"]).code(5);
    run.says("  hint: did you mean `el`?\n");
    bench.run(["translate", "--to", "xx", "x"]).code(5).says_not("did you mean");
}

#[test]
fn local_checks_run_before_names_are_looked_up() {
    let bench = Bench::new();
    bench.write("k.tsv", "kettle\tWasserkocher\n");
    bench.write("t.txt", "tea\n");
    let (name, prompt, label) = ("n".repeat(1025), "p".repeat(301), "l".repeat(101));
    let g = "glossary";
    for args in [
        &[g, "rename", "K", &name][..],
        &["translate", "--to", "de", "--from", "en", "--glossary", "K", "-i", "none.txt"],
        &["translate", "--to", "de", "--from", "en", "--glossary", "K", "-i", "t.txt", "-o", "t.txt"],
        &[
            "translate",
            "--to",
            "de",
            "--from",
            "en",
            "--glossary",
            "K",
            "--format",
            "tsv",
            "--columns",
            "model_type_used",
            "a",
        ],
        &[g, "rename", "K", " "],
        &[g, "create", &name, "--dictionary", "en:de=k.tsv"],
        &[g, "create", "K", "--dictionary", "en:de=t.txt"],
        &[g, "sync", &name, "en:de=k.tsv"],
        &[g, "set", "K", "en:de", "t.txt"],
        &[g, "merge", "K", "en:de", "t.txt"],
        &[g, "diff", "K", "en:de", "t.txt"],
        &[g, "add", "K", "en:de", "a", ""],
        &[g, "v2", "create", &name, "--dictionary", "en:de=k.tsv"],
        &["voice", "terms", "rename", "K", &name],
        &["voice", "terms", "create", &name, "en=t.txt"],
        &["voice", "terms", "sync", &name, "en=t.txt"],
        &["voice", "terms", "set", "K", "en-US", "t.txt"],
        &["voice", "terms", "entries", "K", "en-US"],
        &["voice", "terms", "delete-list", "K", "en-US"],
        &["voice", "session", "--content-type", "audio/ogg", "--to", "de,fr,es,it,ja,ko", "--glossary", "K"],
        &["voice", "stream", "t.txt", "--content-type", "audio/ogg", "--to", "de,fr,es,it,ja,ko", "--glossary", "K"],
        &["style", "create", &name, "--language", "en"],
        &["style", "rename", "S", &name],
        &["style", "rules", "set", "S", "punctuation.serial_comma=x"],
        &["style", "instruction", "add", "S", "--label", "l", "--prompt", &prompt],
        &["style", "instruction", "edit", "S", "I", "--prompt", &prompt],
        &["style", "instruction", "edit", "S", "I", "--prompt", ""],
        &["style", "instruction", "edit", "S", "I", "--label", &label],
        &["style", "instruction", "edit", "S", "I", "--source-language", "german"],
        &["translate", "--from", "en", "--to", "de,fr", "--glossary", "K", "--format", "text", "x"],
        &["translate", "--to", "de", "--glossary", "K", "x"],
        &["doc", "translate", "none.txt", "--from", "en", "--to", "de", "--glossary", "K"],
        &["doc", "translate", "t.txt", "--from", "en", "--to", "de", "--glossary", "K", "-o", "k.tsv"],
        &["admin", "usage", "--start", "today", "--end", "today", "--by", "week"],
    ] {
        bench.run(args).code(2).prints("");
        assert!(bench.requests().is_empty(), "{args:?}");
    }
}
