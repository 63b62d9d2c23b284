//! Signals and answers at prompts, in a pseudo-terminal.

use std::fs::File;
use std::process::Stdio;
use std::time::Duration;

use rustix::termios::{LocalModes, tcgetattr};

use crate::common::terminal::open;
use crate::common::{Bench, wait_until};
use crate::signals::{SIGNAL_DEADLINE, SIGNALS, Waiting, bench};

fn shows_input(terminal: &File) -> bool {
    tcgetattr(terminal).unwrap().local_modes.contains(LocalModes::ECHO)
}

#[test]
fn a_signal_at_the_hidden_prompt_restores_echo() {
    let bench = Bench::bare();
    for (signal, code) in SIGNALS {
        let (_master, terminal) = open(80, 24);
        let line = "auth login --service deepl";
        let waiting = Waiting::start(&bench, line, terminal.try_clone().unwrap().into(), Stdio::null());
        wait_until("the prompt", || !shows_input(&terminal));
        waiting.signal(signal);
        waiting.ends(code, SIGNAL_DEADLINE);
        assert!(shows_input(&terminal));
    }
}

#[test]
fn stores_a_key_typed_at_the_hidden_prompt_and_restores_echo() {
    let bench = Bench::bare();
    let (master, terminal) = open(80, 24);
    let line = "auth login --service deepl --no-verify";
    let waiting = Waiting::start(&bench, line, terminal.try_clone().unwrap().into(), Stdio::null());
    let mut seen = [0; 100];
    let read = rustix::io::read(&master, &mut seen).unwrap();
    assert_eq!(String::from_utf8_lossy(&seen[..read]), "Key (hidden): ");
    assert!(!shows_input(&terminal));
    rustix::io::write(&master, b"key-from-terminal\n").unwrap();
    waiting.ends(0, Duration::from_secs(20));
    assert!(shows_input(&terminal));
    assert!(bench.read(".config/tulk/credentials.toml").contains("key-from-terminal"));
    let read = rustix::io::read(&master, &mut seen).unwrap();
    assert_eq!(String::from_utf8_lossy(&seen[..read]).trim_end(), "");
}

/// A project with a message catalogue; a translation has a key that its source lacks.
const PROJECT: &str = "\
[sync]
source_lang = \"en\"
target_langs = [\"de\"]
[[sync.files]]
source = \"en.json\"
target = \"{lang}.json\"
";
const TRANSLATED: &str = "{\"a\": \"Eins\", \"b\": \"Zwei\"}\n";

#[test]
fn a_signal_at_a_question_changes_nothing() {
    use rustix::fs::OFlags;
    let bench = bench();
    bench.write("other.txt", "Ljubljana\n");
    bench.write("tulk.toml", PROJECT);
    bench.write("en.json", "{\"a\": \"One\"}\n");
    bench.write("de.json", TRANSLATED);
    let questions = [
        "glossary delete Kitchen",
        "voice terms delete Jargon",
        "voice terms delete-list Jargon de",
        "voice terms sync Jargon en=other.txt --prune",
        "sync --prune",
        "sync --retranslate edited",
    ];
    for (line, (signal, code)) in questions.iter().flat_map(|line| SIGNALS.map(|signal| (*line, signal))) {
        let (master, terminal) = open(80, 24);
        rustix::fs::fcntl_setfl(&master, OFlags::NONBLOCK).unwrap();
        let mut command = bench.command();
        command.args(line.split(' ')).stdin(terminal.try_clone().unwrap());
        let child = command.stdout(Stdio::null()).stderr(terminal.try_clone().unwrap()).spawn().unwrap();
        let mut waiting = Waiting { child, args: line.to_owned() };
        let mut seen = String::new();
        let read_on = |seen: &mut String| {
            let mut bytes = [0; 1000];
            let read = rustix::io::read(&master, &mut bytes).unwrap_or_default();
            seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
        };
        wait_until("the question", || {
            read_on(&mut seen);
            seen.contains("[y/N]")
        });
        waiting.signal(signal);
        wait_until("its end", || waiting.child.try_wait().unwrap().is_some());
        assert_eq!(waiting.child.wait().unwrap().code(), Some(code), "{line}: {seen}");
        // The terminal may deliver output a moment after the writer has exited.
        wait_until(&format!("the message of {line}"), || {
            read_on(&mut seen);
            seen.contains("; nothing was changed")
        });
    }
    assert_eq!(bench.read("de.json"), TRANSLATED);
    bench.run(["glossary", "show", "Kitchen"]).code(0);
    bench
        .run(["voice", "terms", "entries", "Jargon", "--columns", "lang,term"])
        .code(0)
        .prints("en\thello\nde\thello\n");
}

#[test]
fn output_after_an_answer_starts_on_a_new_line() {
    let bench = bench();
    let delete = || {
        let (master, terminal) = open(80, 24);
        let mut command = bench.command();
        command.args(["glossary", "delete", "Kitchen"]).stdin(terminal.try_clone().unwrap());
        let child = command.stdout(Stdio::null()).stderr(terminal).spawn().unwrap();
        (master, child)
    };
    // The terminal echoes what is typed; \u{4} is the end of the input.
    for (typed, shown) in [
        ("\u{4}", "? [y/N] \r\nerror: not confirmed; nothing was changed\r\n"),
        ("NO\n", "? [y/N] NO\r\nerror: not confirmed; nothing was changed\r\n"),
        ("perhaps\n", "? [y/N] perhaps\r\nAnswer y or n.\r\nDelete glossary `Kitchen` ("),
    ] {
        let (master, mut child) = delete();
        rustix::fs::fcntl_setfl(&master, rustix::fs::OFlags::NONBLOCK).unwrap();
        let mut seen = String::new();
        let mut wait_for = |text: &str| {
            wait_until(&format!("{text:?} after {typed:?}"), || {
                let mut bytes = [0; 1000];
                let read = rustix::io::read(&master, &mut bytes).unwrap_or_default();
                seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
                seen.contains(text)
            });
        };
        wait_for("with all its dictionaries? [y/N] ");
        rustix::io::write(&master, typed.as_bytes()).unwrap();
        wait_for(shown);
        if typed.starts_with('p') {
            rustix::io::write(&master, b"n\n").unwrap();
        }
        assert_eq!(child.wait().unwrap().code(), Some(2), "{typed:?}");
    }
    bench.run(["glossary", "show", "Kitchen"]).code(0);
}

#[test]
fn a_command_without_text_on_a_terminal_shows_its_usage_and_examples() {
    let bench = Bench::new();
    for line in ["translate", "write correct"] {
        let (_master, terminal) = open(80, 24);
        let waiting = Waiting::start(&bench, line, terminal.into(), Stdio::null());
        let stderr = waiting.ends(2, Duration::from_secs(20));
        assert!(stderr.contains(&format!("Usage: tulk {line} [OPTIONS]")), "{stderr}");
        assert!(stderr.contains(&format!("\n  tulk {line} ")), "{stderr}");
        assert!(stderr.contains("\nerror: no text given\n"), "{stderr}");
    }
}
