//! Screens of progress: while documents are translated, at the end, and after Ctrl-C.

use super::tmux::{Terminal, script};
use super::{WIDTHS, compare, section};
use crate::common::scripted::{ScriptedServer, answer};
use crate::common::tools::has;
use crate::common::{Bench, wait_until};

const JSON: &[&str] = &["content-type: application/json"];

/// A service that finishes documents for `fr`, refuses those for `xx`, and never finishes others.
fn service() -> ScriptedServer {
    ScriptedServer::start(|request| {
        let line = request.lines().next().unwrap_or_default();
        let id = line.split(['/', ' ']).find(|part| part.len() == 32).unwrap_or_default().to_owned();
        if line.starts_with("POST /v2/document ") {
            let target = ["FR", "XX", "DE"].into_iter().find(|code| request.contains(&format!("\r\n\r\n{code}\r\n")));
            let prefix = match target {
                Some("FR") if request.contains("report-1") => "F1",
                Some("FR") => "F2",
                Some("XX") => "E0",
                _ => "D0",
            };
            let id = format!("{prefix}{:030X}", fastrand::u64(..));
            let body = format!(r#"{{"document_id":"{id}","document_key":"{}"}}"#, "0".repeat(64));
            return answer(200, JSON, body);
        }
        if line.contains("/result") {
            return answer(200, &["content-type: text/plain"], "Bonjour tout le monde\n");
        }
        if id.starts_with("F2") {
            // Delays one outcome, so that the documents finish in a known order.
            std::thread::sleep(std::time::Duration::from_millis(1500));
        }
        let status = match &id[..1] {
            "F" => r#""status":"done","billed_characters":32"#,
            "E" => r#""status":"error","message":"Source and target language are equal.""#,
            _ => r#""status":"translating","seconds_remaining":40"#,
        };
        answer(200, JSON, format!(r#"{{"document_id":"{id}",{status}}}"#))
    })
}

fn bench(server: &ScriptedServer) -> Bench {
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "key");
    for name in ["report-1.txt", "report-2.txt"] {
        bench.write(name, "Hello everybody\n");
    }
    bench
}

fn without_time(screen: &str) -> String {
    let mut text = String::new();
    for line in screen.lines() {
        let mut previous = "";
        for word in line.split(' ') {
            text.push_str(match word {
                _ if previous == "about" => "40",
                _ if word.starts_with("0:") => "0:00",
                _ if word.starts_with('░') || word.starts_with('█') => "░░░░░░░░░░░░░░",
                _ if word.starts_with(|c| ('⠀'..='⣿').contains(&c)) => "⠋",
                word => word,
            });
            text.push(' ');
            previous = word;
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    text
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn documents_in_progress() {
    if !has("tmux") {
        return;
    }
    let server = service();
    let mut screens = String::new();
    for width in WIDTHS {
        let bench = bench(&server);
        let command = "tulk doc translate report-1.txt report-2.txt --to de,fr";
        let terminal =
            Terminal::start(&bench, "run", (width, 24), &script(&[&format!("{command}; echo \"exit code $?\"")]));
        terminal.wait_for("2 of 4");
        wait_until("two documents at work", || terminal.capture(false).matches(" s left").count() == 2);
        screens.push_str(&without_time(&section(&format!("{width} columns"), &terminal)));
        terminal.press(&["C-c"]);
        terminal.wait_for_end();
        screens.push_str(&section(&format!("{width} columns, after Ctrl-C"), &terminal));
    }
    compare("doc-translate-running", &screens);
}

#[test]
fn documents_at_the_end() {
    let server = service();
    let commands = [
        "tulk doc translate report-1.txt report-2.txt --to fr --concurrency 1",
        "tulk doc translate report-1.txt --to fr,xx --concurrency 1 --force --again; echo \"exit code $?\"",
        "tulk doc translate report-2.txt --to fr --force --again | cat",
    ];
    super::check_each(|| bench(&server), "doc-translate-done", &commands);
}
