//! `tulk sync init`: languages and files given by flags, and the questions on a terminal.

use std::fs::File;
use std::process::Stdio;

use super::tulk;
use crate::common::terminal::open;
use crate::common::{Bench, wait_until};

fn project() -> Bench {
    let bench = Bench::bare();
    for lang in ["en", "de", "fr"] {
        bench.write(&format!("src/text/{lang}.json"), "{}\n");
        bench.write(&format!("locales/{lang}/app.json"), "{}\n");
    }
    bench.write("package.json", "{\"dependencies\": {\"i18next\": \"^25.0.0\"}}\n");
    bench
}

#[test]
fn flags_determine_what_is_written() {
    let rule = |source: &str, target: &str| format!("[[sync.files]]\nsource = \"{source}\"\ntarget = \"{target}\"\n");
    for (flags, langs, rule) in [
        (
            "--from fr",
            "source_lang = \"fr\"\ntarget_langs = [\"de\", \"en\"]\n",
            rule("locales/fr/app.json", "locales/{lang}/app.json"),
        ),
        (
            "--to es,de",
            "source_lang = \"en\"\ntarget_langs = [\"de\", \"es\"]\n",
            rule("locales/en/app.json", "locales/{lang}/app.json"),
        ),
        (
            "--file src/text/{lang}.json",
            "source_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n",
            rule("src/text/en.json", "src/text/{lang}.json"),
        ),
        (
            "--file src/text/de.json",
            "source_lang = \"de\"\ntarget_langs = [\"en\", \"fr\"]\n",
            rule("src/text/de.json", "src/text/{lang}.json"),
        ),
        (
            "--from de --to pt-br --file */{lang}/*.json",
            "source_lang = \"de\"\ntarget_langs = [\"pt-BR\"]\n",
            rule("*/de/*.json", "*/{lang}/*.json"),
        ),
    ] {
        let bench = project();
        tulk(&bench, &format!("sync init {flags}")).code(0).prints("");
        let text = bench.read("tulk.toml");
        assert!(text.contains(langs) && text.contains(rule.as_str()), "{flags}\n{text}");
        tulk(&bench, "sync status --columns file").code(0);
    }
    let bench = project();
    for (flags, said) in [
        ("--from english", "error: --from: `english` is not a language of BCP 47; did you mean `en`?\n"),
        ("--to xx", "error: --to: `xx` is not a language of BCP 47; write a code such as de, pt-BR or zh-Hant\n"),
        ("--from es", "error: --from: no catalogue is in es, only in en, de, fr\n"),
        ("--to de,", "error: --to: a language is missing after the comma\n  hint: write `--to de`;"),
        ("--to de,en", "error: --to: en is the source language\n"),
        (
            "--from es --file src/text/{lang}.json",
            "error: --file: src/text/{lang}.json: no file is in es, only in de, en, fr\n",
        ),
        ("--file src/*.json", "error: --file: src/*.json: write {lang} where the language is\n"),
        ("--file i18n/{lang}.json", "error: --file: no file matches i18n/{lang}.json\n"),
    ] {
        tulk(&bench, &format!("sync init {flags}")).code(2).prints("").says(said);
    }
    assert!(!bench.path("tulk.toml").exists());
}

/// Runs `sync init` on a terminal, types the answers, and returns what the terminal shows.
fn on_terminal(bench: &Bench, answers: &[(&str, &str)]) -> String {
    let (master, terminal): (_, File) = open(80, 24);
    rustix::fs::fcntl_setfl(&master, rustix::fs::OFlags::NONBLOCK).unwrap();
    let mut command = bench.command();
    command.args(["sync", "init"]).stdin(terminal.try_clone().unwrap()).stdout(Stdio::null()).stderr(terminal);
    let mut child = command.spawn().unwrap();
    let mut seen = String::new();
    let mut wait_for = |text: &str| {
        wait_until(&format!("{text:?}"), || {
            let mut bytes = [0; 1000];
            let read = rustix::io::read(&master, &mut bytes).unwrap_or_default();
            seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
            seen.contains(text)
        });
    };
    for (question, answer) in answers {
        wait_for(question);
        rustix::io::write(&master, answer.as_bytes()).unwrap();
    }
    wait_for("then run `tulk sync --dry-run`");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    seen.replace("\r\n", "\n")
}

#[test]
fn a_terminal_lists_catalogues_and_asks_for_languages() {
    let bench = project();
    let seen = on_terminal(
        &bench,
        &[
            ("Source language [en]: ", "es\n"),
            ("only in en, de, fr\r\nSource language [en]: ", "\n"),
            ("comma-separated [de, fr]: ", "german\n"),
            ("did you mean `de`?\r\nLanguages to translate into, comma-separated [de, fr]: ", "fr, en\n"),
            ("en is the source language\r\nLanguages to translate into, comma-separated [de, fr]: ", "fr, es\n"),
        ],
    );
    assert_eq!(
        seen.lines().take(8).collect::<Vec<_>>(),
        [
            "found i18next: locales/{lang}/app.json (en, de, fr)",
            "Source language [en]: es",
            "no catalogue is in es, only in en, de, fr",
            "Source language [en]: ",
            "Languages to translate into, comma-separated [de, fr]: german",
            "`german` is not a language of BCP 47; did you mean `de`?",
            "Languages to translate into, comma-separated [de, fr]: fr, en",
            "en is the source language",
        ]
    );
    assert!(bench.read("tulk.toml").contains("source_lang = \"en\"\ntarget_langs = [\"es\", \"fr\"]\n"));
    // With another source language, the remaining ones are proposed as targets.
    std::fs::remove_file(bench.path("tulk.toml")).unwrap();
    on_terminal(&bench, &[("Source language [en]: ", "de\n"), ("comma-separated [en, fr]: ", "\n")]);
    let text = bench.read("tulk.toml");
    assert!(
        text.contains("source_lang = \"de\"\ntarget_langs = [\"en\", \"fr\"]\n") && text.contains("locales/de/"),
        "{text}"
    );
}
