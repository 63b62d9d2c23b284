//! The answers of tulk to the completion scripts: commands, flags and values, in the format of each shell.
//!
//! `completion_local` tests candidates from local files, and `completion_shells` tests the scripts in their shells.

use crate::common::{Bench, Run};

/// Requests the candidates for the last word in the Elvish format: a line with the kind, then one candidate per line.
pub fn ask(bench: &Bench, words: &[&str]) -> Run {
    let output = bench.command().env("TULK_COMPLETE", "elvish").args(["--", "tulk"]).args(words).output().unwrap();
    Run::from(output).code(0).says_nothing()
}

pub fn candidates(bench: &Bench, typed: &[&str]) -> String {
    words(&ask(bench, typed))
}

fn words(run: &Run) -> String {
    let mut lines = run.out().lines();
    let kind = lines.next().unwrap_or_default().replace('\t', " ");
    let words: Vec<_> = lines.map(|line| line.split('\t').next().unwrap()).collect();
    format!("{kind}| {}", words.join(" "))
}

#[test]
fn offers_commands_first_and_flags_after_a_dash() {
    let bench = Bench::bare();
    let all = candidates(&bench, &[""]);
    assert!(all.starts_with("values | translate doc voice write "), "{all}");
    assert!(all.contains(" completions ") && !all.contains('-'), "{all}");
    for (words, offered) in [
        (&["tr"][..], "values | translate"),
        (&["t"], "values | translate tm"),
        (&["doc", "t"], "values | translate"),
        (&["glossary", "v2", "p"], "values | pairs"),
        (&["-p", "work", "tr"], "values | translate"),
        (&["-pdoc", "-q", "tr"], "values | translate"),
        (&["usage", ""], "values | "),
        (&["usage", "--fail"], "values | --fail-above"),
        (&["glossary", "list", "x", ""], "values | "),
        (&["usage", "--", "-"], "values | "),
    ] {
        assert_eq!(candidates(&bench, words), offered, "{words:?}");
    }
}

#[test]
fn offers_flags_of_the_command_before_global_ones() {
    let bench = Bench::bare();
    let flags = candidates(&bench, &["tm", "list", "-"]);
    assert!(flags.starts_with("values | --limit ") && flags.contains(" --config --profile "), "{flags}");
    // Hidden aliases are offered only if nothing else has the prefix; their values are always offered.
    assert!(!candidates(&bench, &["translate", "--"]).contains("--target-lang"));
    assert_eq!(candidates(&bench, &["translate", "--target-l"]), "values | --target-lang");
    assert_eq!(candidates(&bench, &["translate", "--target-lang", "Uk"]), "values | ");
    assert_eq!(candidates(&bench, &["translate", "--target-lang", "uk"]), "values | uk");
    assert_eq!(candidates(&bench, &["translate", "--to=uk"]), "values | --to=uk");
    assert_eq!(candidates(&bench, &["usage", "--outline"]), "values | ");
}

#[test]
fn offers_languages_for_the_command_with_their_english_and_native_names() {
    let bench = Bench::bare();
    ask(&bench, &["translate", "--to", "de"])
        .prints("values\t\nde\tGerman (Deutsch)\nde-CH\tGerman (Swiss), Deutsch (Schweiz)\n");
    for (words, offered) in [
        (&["translate", "--to", "de,f"][..], "values | de,fa de,fi de,fr de,fr-CA"),
        (&["translate", "--to=de,d"], "values | --to=de,da --to=de,de-CH"),
        (&["translate", "-tda,de"], "values | -tda,de -tda,de-CH"),
        (&["translate", "--from", "en"], "values | en"),
        (&["doc", "translate", "x.txt", "--to", "en"], "values | en en-GB en-US"),
        (&["style", "create", "x", "--language", "e"], "values | el en en-GB en-US es es-419 es-ES et"),
        (&["voice", "terms", "set", "x", "fr"], "values | fr"),
        (&["write", "rephrase", "--to", "z"], "values | zh zh-Hans"),
        (&["glossary", "entries", "x", "d"], "values | da: de:"),
        (&["glossary", "entries", "x", "de:d"], "values | de:da"),
        (&["glossary", "create", "x", "--dictionary", "en:d"], "values | en:da= en:de="),
        (&["glossary", "create", "x", "--dictionary", "en:de,d"], "values | en:de,da="),
        (&["glossary", "show", "x", "en:de,d"], "values | "),
        (&["voice", "terms", "create", "x", "de"], "values | de="),
    ] {
        assert_eq!(candidates(&bench, words), offered, "{words:?}");
    }
}

/// The sandbox has the same list as the service.
#[test]
fn offers_every_language_of_the_service() {
    let bench = Bench::new();
    let listed = bench.run(["langs", "list", "--target", "--include", "beta,external", "--columns", "lang"]).code(0);
    let listed: Vec<_> = listed.out().lines().collect();
    assert_eq!(candidates(&bench, &["translate", "--to", ""]), format!("values | {}", listed.join(" ")));
}

#[test]
fn leaves_files_and_directories_to_the_shell() {
    let bench = Bench::bare();
    for (words, offered) in [
        (&["translate", "-i", ""][..], "files | "),
        (&["translate", "--input=a"], "files --input=| "),
        (&["translate", "-o", "x"], "files | "),
        (&["--config", ""], "files | "),
        (&["--key-file", "~/"], "files | "),
        (&["doc", "translate", "a.docx", ""], "files | "),
        (&["doc", "translate", "--out-dir", ""], "directories | "),
        (&["man", "--out", ""], "directories | "),
        (&["glossary", "export", "x", ""], "directories | "),
        (&["glossary", "set", "x", "en:de", ""], "files | "),
        (&["glossary", "create", "x", "--dictionary", "en:de="], "files en:de=| "),
        (&["glossary", "create", "x", "--dictionary", "en:de,fr="], "files en:de,fr=| "),
        (&["glossary", "create", "x", "--dictionary=en:de=t"], "files --dictionary=en:de=| "),
        (&["glossary", "lint", "en:de=t"], "files en:de=| "),
        (&["glossary", "lint", ""], "files | "),
        (&["voice", "terms", "sync", "x", "de=t"], "files de=| "),
        (&["api", "POST", "/v2/document", "-F", "file=@x"], "files file=@| "),
        (&["translate", ""], "values | "),
        (&["translate", "hello", ""], "values | "),
        (&["translate", "--", "a"], "values | "),
        (&["api", "GET", ""], "values | "),
    ] {
        assert_eq!(candidates(&bench, words), offered, "{words:?}");
    }
}

#[test]
fn offers_values_that_the_command_accepts() {
    let bench = Bench::bare();
    for (words, offered) in [
        (&["help", "fo"][..], "values | formats"),
        (&["help", "op"], "values | options"),
        (&["help", "gl"], "values | glossary"),
        (&["help", "glossary", "v"], "values | v2"),
        (&["completions", ""], "values | bash zsh fish powershell elvish"),
        (&["usage", "--color", "a"], "values | auto always"),
        (&["config", "get", "--format", ""], "values | auto json jsonl text"),
        (&["glossary", "list", "--format", "t"], "values | table tsv text"),
        (&["voice", "stream", "--format", "s"], "values | srt"),
        (&["tm", "list", "--columns", "na"], "values | name"),
        (&["tm", "list", "--columns", "name,seg"], "values | name,segment_count"),
        (&["langs", "check", "--resource", "tr"], "values | translate_text translate_document translation_memory"),
        (&["langs", "check", "--feature", "tone,g"], "values | tone,glossary"),
        (&["voice", "stream", "--content-type", "audio/w"], "values | audio/webm;codecs=opus"),
        (&["style", "rules", "set", "x", "pu"], "values | punctuation."),
        (&["style", "rules", "set", "x", "dates_and_times.mid"], "values | dates_and_times.midnight_in_numerals="),
        (
            &["style", "rules", "set", "x", "dates_and_times.centuries=s"],
            "values | dates_and_times.centuries=spell_out",
        ),
        (&["style", "rules", "catalogue", "dates_and_times.mid"], "values | dates_and_times.midnight_in_numerals"),
        (&["admin", "usage", "--start", "to"], "values | today"),
        (&["api", "P"], "values | POST PUT PATCH"),
    ] {
        assert_eq!(candidates(&bench, words), offered, "{words:?}");
    }
}

/// Bash replaces only the part of the word after the last `:` or `=`.
#[test]
fn bash_gets_exactly_the_text_to_insert() {
    let bench = Bench::bare();
    for (line, replaced, offered) in [
        ("tulk trans", "trans", "values | translate"),
        ("tulk translate --to=de,fr-", "de,fr-", "values | de,fr-CA"),
        ("tulk translate --to de", "de", "values | de de-CH"),
        ("tulk glossary entries x de:d", "d", "values | da"),
        ("tulk glossary entries x en", "en", "values | en:"),
        ("tulk glossary entries x \"en:d", "en:d", "values | en:da en:de"),
        ("tulk glossary create x --dictionary en:de=t", "t", "files en:de=| "),
        ("tulk man --out o", "o", "directories | "),
        ("tulk man doc tr", "tr", "values | translate"),
        ("tulk usage 2>err --fail-ab", "--fail-ab", "values | --fail-above"),
        ("tulk translate x", "x", "values | "),
        ("LANG=C tulk trans", "trans", "values | translate"),
    ] {
        let output = bench.command().env("TULK_COMPLETE", "bash").args(["--", replaced, line]).output().unwrap();
        assert_eq!(words(&Run::from(output).code(0).says_nothing()), offered, "{line}");
    }
}

/// Scripts printed by version 0.2 stay valid after an update.
#[test]
fn an_older_bash_script_still_works() {
    let bench = Bench::bare();
    for (line, answer) in [
        ("tulk translate --to=de,fr-", "values\nde,fr-CA\n"),
        ("tulk glossary entries x de:d", "values\nda\n"),
        ("tulk glossary create x --dictionary en:de=t", "files\n"),
    ] {
        let args = ["--", " \t\n\"'@><=;|&(:", "9", "80", line];
        let output = bench.command().env("TULK_COMPLETE", "bash").args(args).output().unwrap();
        assert_eq!(Run::from(output).code(0).says_nothing().out(), answer, "{line}");
    }
}

#[test]
fn zsh_fish_and_powershell_get_their_own_formats() {
    let bench = Bench::bare();
    let ask = |shell: &str, words: &[&str]| -> String {
        let output = bench.command().env("TULK_COMPLETE", shell).args(["--", "tulk"]).args(words).output().unwrap();
        Run::from(output).code(0).says_nothing().out().to_owned()
    };
    // A leading tab means that no space follows the word.
    assert_eq!(ask("zsh", &["glossary", "entries", "x", "en"]), "values\t\n\ten\\::English\n");
    assert_eq!(ask("zsh", &["glossary", "entries", "x", "en:de"]), "values\ten:\nde:German (Deutsch)\n");
    assert_eq!(ask("zsh", &["translate", "--to=de,uk"]), "values\t--to=de,\nuk:Ukrainian (Українська)\n");
    assert_eq!(ask("zsh", &["glossary", "lint", "en:de="]), "files\ten:de=\n");
    // Fish passes a quoted word with its quotes. PowerShell puts a colon before the word.
    assert_eq!(ask("fish", &["completions", "\"ba"]), "values\t\nbash\tBash\n");
    assert_eq!(ask("powershell", &["completions", ":ba"]), "values\t\nbash\tBash\n");
    assert_eq!(ask("powershell", &["completions", "ba"]), "");
}

/// Other tools use the variable `COMPLETE`, and without `--` the command runs normally.
#[test]
fn ignores_other_variables_and_arguments() {
    for (name, value) in [("COMPLETE", "bash"), ("TULK_COMPLETE", "bash"), ("TULK_COMPLETE", "csh")] {
        let bench = Bench::bare().env(name, value);
        bench.run(["--version"]).code(0).says_nothing().prints(format!("tulk {}\n", env!("CARGO_PKG_VERSION")));
    }
    let bench = Bench::bare().env("TULK_COMPLETE", "csh");
    Run::unlisted(bench.command().args(["--", "tulk", ""]).output().unwrap()).code(2);
}

#[test]
fn odd_words_are_not_an_error() {
    use std::os::unix::ffi::OsStrExt as _;
    let bench = Bench::bare();
    let invalid = std::ffi::OsStr::from_bytes(b"\xff");
    for words in [vec![], vec![invalid], vec!["tulk".as_ref(), invalid], vec!["tulk".as_ref(), invalid, "".as_ref()]] {
        for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
            let run: Run = bench.command().env("TULK_COMPLETE", shell).arg("--").args(&words).output().unwrap().into();
            assert!(run.code(0).says_nothing().out().lines().count() < 100, "{shell} {words:?}");
        }
    }
}

#[test]
fn the_scripts_are_small_and_call_tulk() {
    let bench = Bench::bare();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = bench.run(["completions", shell]).code(0).says_nothing();
        let script = run.out();
        assert!(script.len() < 10_000 && script.contains("TULK_COMPLETE") && script.contains(shell), "{run}");
        assert!(!script.contains(env!("CARGO_MANIFEST_DIR")), "{run}");
        let count = |c: char| script.matches(c).count();
        assert_eq!((count('{'), count('[') % 2), (count('}'), count(']') % 2), "{run}");
    }
}
