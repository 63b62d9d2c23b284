//! Every command gets a wrong answer to each of its requests. It must end in time with a documented exit code and a message.
//!
//! A proxy forwards requests to the sandbox, except for one, which it answers itself.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::scripted::{ScriptedServer, forward_to_sandbox};
use crate::common::service_commands::{
    ADMIN, DOCUMENT_AND_VOICE, GLOSSARY, STYLE, TEXT, VOICE_TERMS, arguments, before, prepared,
};
use crate::common::{Bench, Run};
use crate::wrong_answer_kinds::{WrongAnswer, bodies, heads, variants};

/// Lists in which commands look up a name.
const LISTS: &[&str] = &[
    "GET /v2/admin/developer-keys",
    "GET /v2/glossaries ",
    "GET /v3/glossaries ",
    "GET /v3/spoken-terms ",
    "GET /v3/style_rules?",
    "GET /v3/translation_memories",
];

/// State of the proxy: the number of the request that it answers itself, and what it has seen.
#[derive(Default)]
struct Script {
    wrong_at: usize,
    wrong: Vec<u8>,
    seen: usize,
    /// The request that was answered wrongly, and its right answer.
    replaced: Option<(String, Vec<u8>)>,
    wants_right_answer: bool,
}

fn serve(script: &Mutex<Script>, sandbox: &str, request: &str) -> Vec<u8> {
    let mut script = script.lock().unwrap();
    script.seen += 1;
    if script.seen != script.wrong_at {
        drop(script);
        return forward_to_sandbox(sandbox, request);
    }
    let is_read = request.starts_with("GET ") || script.wants_right_answer;
    let right = if is_read { forward_to_sandbox(sandbox, request) } else { Vec::new() };
    script.replaced = Some((request.to_owned(), right));
    script.wrong.clone()
}

/// A command, the proxy, and the number of the request that is answered wrongly.
struct Trial<'a> {
    bench: &'a Bench,
    server: &'a ScriptedServer,
    script: &'a Mutex<Script>,
    command: &'a str,
    wrong_at: usize,
    problems: &'a RefCell<Vec<String>>,
}

impl Trial<'_> {
    /// Runs the command with a wrong answer. Returns the replaced request and its right answer.
    fn run(&self, wrong: &WrongAnswer, wants_right_answer: bool) -> Option<(String, Vec<u8>)> {
        // Each run starts without cached languages and without documents of the previous one.
        for directory in [".cache", ".local"] {
            let _ = std::fs::remove_dir_all(self.bench.path(directory));
        }
        if self.command == "sync" {
            for name in ["de.json", "tulk.lock"] {
                let _ = std::fs::remove_file(self.bench.path(name));
            }
        }
        if let Some(args) = before(self.command) {
            let _ = std::fs::remove_file(self.bench.path("c.de.txt"));
            *self.script.lock().unwrap() = Script::default();
            let flags = ["--server", &self.server.url];
            Run::unlisted(self.bench.command().args(args).args(flags).output().unwrap()).code(0);
        }
        *self.script.lock().unwrap() =
            Script { wrong_at: self.wrong_at, wrong: wrong.bytes.clone(), wants_right_answer, ..Script::default() };
        let start = Instant::now();
        let mut command = self.bench.command();
        let args = arguments(self.bench, self.command);
        let flags = ["--server", &self.server.url, "--max-wait", "5s", "--retries", wrong.retries];
        command.args(args).args(flags);
        let run = Run::unlisted(command.stdin(std::process::Stdio::null()).output().unwrap());
        let replaced = self.script.lock().unwrap().replaced.take();
        if let Some((request, _)) = &replaced {
            let what = format!("{} with {} at request {}", self.command, wrong.name, self.wrong_at);
            let time = start.elapsed();
            let found =
                if time < Duration::from_secs(30) { check(&what, &run, wrong, request) } else { Some("is slow") };
            if let Some(problem) = found {
                self.problems.borrow_mut().push(format!("{what}: {problem} ({time:?})\n{}", shortened_output(&run)));
            }
        }
        replaced
    }
}

/// Returns what is wrong with the outcome of a run, if anything.
fn check(what: &str, run: &Run, wrong: &WrongAnswer, request: &str) -> Option<&'static str> {
    if [70, 101, 134, -1].contains(&run.code) || run.stderr.contains("has a bug") {
        return Some("is a bug");
    }
    if run.stderr.len() > 4000 {
        return Some("says too much");
    }
    // Some replies need no content; a document and the output of `api` may be anything.
    let status = wrong.bytes.get(9..12).and_then(|text| std::str::from_utf8(text).ok()?.parse().ok()).unwrap_or(0);
    let is_document = request.contains("/result ") && status == 200 && !wrong.bytes.ends_with(b"\r\n\r\n");
    let needs_no_content = request.starts_with("DELETE ") || what.starts_with("api ") || is_document;
    // The translation exists even if its evaluation fails.
    let is_evaluation = request.starts_with("GET /v1/quality-evaluations/");
    let may_succeed = is_evaluation || wrong.may_be_accepted || (needs_no_content && (200..300).contains(&status));
    if may_succeed && run.code == 0 {
        return None;
    }
    // A second file or language may have succeeded.
    let is_partial = run.code == 9 && what.contains("--to de,fr");
    if !wrong.codes.contains(&run.code) && !is_partial {
        return Some("ends with an unexpected code");
    }
    let is_no = wrong.may_be_accepted && run.code == 1;
    if !is_no && !run.stderr.contains("error: ") {
        return Some("says nothing");
    }
    // These commands may print something before they fail: rows of documents, planned changes, or the body of the answer.
    let prints_anyway = is_no
        || ["doc ", "api ", "style apply ", "glossary sync ", "voice terms sync "]
            .iter()
            .any(|command| what.starts_with(command));
    (!prints_anyway && !run.stdout.is_empty()).then_some("prints a result")
}

/// Returns the start of each stream, because an answer may be large.
fn shortened_output(run: &Run) -> String {
    let start = |text: &str| text.chars().take(1000).collect::<String>();
    format!(
        "stdout: {}\nstderr: {}\ncode {}",
        start(&String::from_utf8_lossy(&run.stdout)),
        start(&run.stderr),
        run.code
    )
}

fn every_third(wrong: &[WrongAnswer], number: usize) -> impl Iterator<Item = &WrongAnswer> {
    wrong.iter().skip(number % 3).step_by(3)
}

/// Runs each command with wrong answers to each of its requests, one per run: a third of the `bodies`, half of the `variants` of the
/// right answer and, for the first request of a command, a third of the `heads`. The next request gets others.
fn try_all(commands: &[&str]) {
    let bench = prepared();
    let script = Arc::new(Mutex::new(Script::default()));
    let (shared, sandbox) = (Arc::clone(&script), bench.url().to_owned());
    let server = ScriptedServer::start(move |request| serve(&shared, &sandbox, request));
    let (bodies, heads, problems) = (bodies(), heads(), RefCell::default());
    let mut lists = HashSet::new();
    let mut tried = 0;
    for command in commands {
        let trial = |wrong_at| Trial {
            bench: &bench,
            server: &server,
            script: &script,
            command,
            wrong_at,
            problems: &problems,
        };
        for wrong_at in 1.. {
            let trial = trial(wrong_at);
            // The first wrong answer shows whether the command sends request number `wrong_at`. If not, all its requests have been tried.
            let Some((request, _)) = trial.run(&bodies[0], false) else {
                assert!(wrong_at > 1, "{command} sends no request");
                break;
            };
            // All commands share the code that looks up a name in a list, so each list is tried once.
            let list = request.split(['?', '\r']).next().unwrap_or_default().to_owned();
            let is_known = LISTS.iter().any(|path| list.starts_with(path)) && !lists.insert(list);
            tried += 1;
            let shapes = if is_known { &[] } else { &bodies[1..] };
            let heads = if wrong_at == 1 { &heads[..] } else { &[] };
            for wrong in every_third(shapes, tried).chain(every_third(heads, tried)) {
                assert!(trial.run(wrong, false).is_some(), "{command}: request {wrong_at} was not sent again");
            }
            if is_known {
                continue;
            }
            let right = trial.run(&bodies[0], true).map(|(_, right)| right).unwrap_or_default();
            for wrong in variants(&right).iter().skip(tried % 2).step_by(2) {
                trial.run(wrong, false);
            }
        }
    }
    let problems = problems.into_inner();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n---\n"));
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn text_commands_survive_wrong_answers() {
    try_all(TEXT);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn glossary_commands_survive_wrong_answers() {
    try_all(GLOSSARY);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn style_commands_survive_wrong_answers() {
    try_all(STYLE);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn document_and_voice_commands_survive_wrong_answers() {
    try_all(DOCUMENT_AND_VOICE);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn commands_for_spoken_terms_survive_wrong_answers() {
    try_all(VOICE_TERMS);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn admin_commands_survive_wrong_answers() {
    try_all(ADMIN);
}
