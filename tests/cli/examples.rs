//! Every command has examples in its help, and each runs as written in the sandbox.

use std::path::Path;

use crate::common::{Bench, help_tree};

const SETUP: &str = r"
tulk glossary create Kitchen --dictionary en:de=kitchen.tsv --dictionary en:fr=kitchen.fr.tsv
tulk glossary v2 create Drinks --dictionary en:fr=kitchen.fr.tsv
tulk style create Shop --language en
tulk style rules set Shop punctuation.serial_comma=use numbers.decimal_separator=use_period_as_decimal_separator
tulk style instruction add Shop --label tone --prompt 'Be kind'
tulk style profile create Manuals --glossary Kitchen
tulk style export Shop > shop.toml
tulk voice terms create 'Subtitles talk' en=talk.en.txt de=talk.de.txt
tulk admin keys create CI
tulk config set profiles.work.target_lang de
tulk doc translate letter.txt --to de
tulk tm import pumps.tmx --name Manuals --wait
";

const PROJECT: &str = r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]
pseudo_langs = ["en-XA"]

[[sync.files]]
source = "locales/en.json"
target = "locales/{lang}.json"
"#;

/// Returns a second of silence: WAV, 16 kHz, 16 bit, one channel.
fn recording() -> Vec<u8> {
    let mut bytes =
        b"RIFF\x24\x7D\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3E\0\0\0\x7D\0\0\x02\0\x10\0data\0\x7D\0\0".to_vec();
    bytes.resize(bytes.len() + 32_000, 0);
    bytes
}

fn machine() -> Bench {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("EDITOR", "true");
    let bench = bench.env("TULK_SANDBOX_DOCUMENT_QUEUE", "1ms").env("TULK_SANDBOX_DOCUMENT_TRANSLATE", "1ms");
    let bench = bench.env("TULK_SANDBOX_MEMORY_JOB_POLLS", "0");
    for (name, text) in [
        ("shop/back.de.csv", "file,key,en,de\nlocales/en.json,brand.name,Ofen,Ofen\n"),
        (
            "shop/back.de.xlf",
            "<xliff version=\"1.2\"><file original=\"locales/en.json\" target-language=\"de\"><body><trans-unit id=\"brand.name\">\
             <source>Ofen</source><target>Ofen</target></trans-unit></body></file></xliff>\n",
        ),
        (
            "pumps.tmx",
            "<tmx><header srclang=\"en\"/><body><tu><tuv xml:lang=\"en\"><seg>oven</seg></tuv>\
             <tuv xml:lang=\"de\"><seg>Ofen</seg></tuv></tu></body></tmx>\n",
        ),
        ("letter.txt", "Dear Anna,\n\nthe oven works.\n"),
        ("a.txt", "Good morning\n"),
        ("b.txt", "Good night\n"),
        ("app.log", "Server started\n"),
        ("report.docx", "a document"),
        ("kitchen.tsv", "oven\tOfen\nspoon\tL\u{f6}ffel\n"),
        ("kitchen.fr.tsv", "oven\tfour\n"),
        ("more.csv", "fork,Gabel\n"),
        ("talk.en.txt", "tulk\nWebVTT\n"),
        ("talk.de.txt", "tulk\nUntertitel\n"),
        ("key.txt", "sandbox\n"),
    ] {
        bench.write(name, text);
    }
    bench.write("shop/tulk.toml", PROJECT);
    bench.write("shop/tulk.lock", "");
    bench.write("shop/locales/en.json", "{\"brand\": {\"name\": \"Ofen\"}}\n");
    bench.write("shop/locales/de.json", "{\"brand\": {\"name\": \"Ofen\"}}\n");
    bench.write("shop/locales/fr.json", "{\"brand\": {\"name\": \"Four\"}}\n");
    bench.write("web/package.json", "{\"dependencies\": {\"i18next\": \"25\"}}\n");
    bench.write("web/locales/en.json", "{\"open\": \"Open\"}\n");
    bench.write("talk.wav", recording());
    // Replaces the recorder of the sound system.
    bench.write("bin/arecord", "#!/bin/sh\nexec cat \"$HOME/talk.wav\"\n");
    bench.bash("chmod +x bin/arecord").code(0);
    bench
}

fn copy(from: &Path, to: &Path) {
    let status = std::process::Command::new("cp").args(["-a", "--"]).arg(from.join(".")).arg(to).status().unwrap();
    assert!(status.success());
}

fn is_endless(example: &str) -> bool {
    example.starts_with("tulk sandbox serve") || example.starts_with("tail -f")
}

fn run_examples(bench: &Bench, command: &str, examples: &[String]) {
    let path = "PATH=\"$HOME/bin:$PATH\"\n";
    let folder = match command {
        "sync init" => "cd web\n",
        "sync" | "sync status" | "sync accept" | "sync export" | "sync import" => "cd shop\n",
        _ => "",
    };
    // A key that would be entered at a prompt is read from stdin instead.
    let stdin = if command == "auth login" { "exec < key.txt\n" } else { "" };
    let (endless, others): (Vec<_>, Vec<_>) = examples.iter().cloned().partition(|example| is_endless(example));
    let run = bench.bash(&format!("{path}{stdin}{folder}{}", others.join("\n")));
    assert_eq!(run.code, 0, "examples of `{command}`\n{others:#?}\n{run}");
    for example in endless {
        // The command is stopped once it has printed something.
        let script = format!(
            "set -m; ({example}) > out 2> err & for i in $(seq 600); do [ -s out ] && break; sleep 0.05; done
             [ -s out ]; kill -TERM -- -$!; wait $! || [ $? = 143 ]"
        );
        let run = bench.bash(&script);
        assert_eq!(run.code, 0, "{example} printed nothing\n{run}{}", bench.read("err"));
    }
}

fn check(groups: &[&str]) {
    let prepared = machine();
    prepared.bash(SETUP).code(0);
    for command in help_tree::commands(&prepared) {
        if !groups.contains(&command.split(' ').next().unwrap()) {
            continue;
        }
        let help = prepared.run(command.split(' ').chain(["--help"])).code(0);
        let examples = help_tree::examples(help.out());
        assert!((1..=3).contains(&examples.len()), "`{command}` has {} examples", examples.len());
        for example in &examples {
            assert!(example.chars().count() <= 98, "`{command}`: an example has over 98 characters: {example}");
        }
        let name = format!("tulk {command}");
        assert!(examples.iter().any(|example| example.contains(&name)), "no example of `{command}` contains it");
        let bench = machine();
        copy(prepared.dir(), bench.dir());
        run_examples(&bench, command, &examples);
    }
}

#[test]
fn examples_of_text_and_speech_run_as_written() {
    check(&["translate", "write", "voice"]);
}

#[test]
fn examples_of_documents_run_as_written() {
    check(&["doc"]);
}

#[test]
fn examples_of_glossaries_run_as_written() {
    check(&["glossary"]);
}

#[test]
fn examples_of_styles_memories_and_catalogues_run_as_written() {
    check(&["style", "tm", "sync"]);
}

#[test]
fn examples_of_service_commands_run_as_written() {
    check(&["langs", "usage", "admin", "api"]);
}

#[test]
fn examples_of_tool_commands_run_as_written() {
    check(&["config", "sandbox", "cache", "doctor", "completions", "man", "help"]);
}

/// Commands that store keys need a server that verifies them.
#[test]
fn examples_of_key_commands_run_as_written() {
    let bench = machine().without("TULK_SANDBOX");
    let server = bench.serve(&[]);
    let bench = bench.env("TULK_SERVER", &server.url);
    let commands = help_tree::commands(&bench);
    for command in commands.iter().filter(|command| command.split(' ').next() == Some("auth")) {
        let help = bench.run(command.split(' ').chain(["--help"])).code(0);
        let examples = help_tree::examples(help.out());
        assert!((1..=3).contains(&examples.len()), "`{command}` has {} examples", examples.len());
        bench.bash("tulk auth login < key.txt").code(0);
        run_examples(&bench, command, &examples);
    }
}

#[test]
fn examples_of_tulk_itself_run_as_written() {
    let bench = machine();
    let examples = help_tree::examples(bench.run(["-h"]).code(0).out());
    assert_eq!(examples.len(), 3);
    run_examples(&bench, "tulk", &examples);
}

#[test]
fn every_group_of_commands_is_checked() {
    let bench = Bench::bare();
    let mut roots: Vec<&str> = help_tree::commands(&bench).iter().map(String::as_str).collect();
    roots.retain(|command| !command.contains(' '));
    roots.sort_unstable();
    let mut checked = [
        "translate",
        "write",
        "voice",
        "doc",
        "glossary",
        "style",
        "tm",
        "sync",
        "langs",
        "usage",
        "admin",
        "api",
        "config",
        "sandbox",
        "cache",
        "doctor",
        "completions",
        "man",
        "help",
        "auth",
    ];
    checked.sort_unstable();
    assert_eq!(roots, checked);
}
