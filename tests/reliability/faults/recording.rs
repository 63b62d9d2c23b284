//! Records one run of each command against the sandbox. Rows replay the requests and right answers.

use std::process::Stdio;
use std::sync::{Arc, Mutex, OnceLock};

use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::operations::{Operation, is_upgrade, operation};
use crate::common::scripted::{ScriptedServer, forward_to_sandbox};
use crate::common::service_commands::{
    ADMIN, DOCUMENT_AND_VOICE, GLOSSARY, STYLE, TEXT, VOICE_TERMS, arguments, before, prepared,
};
use crate::common::{Bench, Run};

/// A stream that may reconnect once. The shared lists contain no such command.
const RECONNECTING: &[&str] =
    &["voice stream a.raw --content-type audio/pcm;encoding=s16le;rate=16000 --to de --reconnects 1"];

/// The lists of commands. Each is recorded when a test first needs it.
pub const GROUPS: [&[&[&str]]; 6] =
    [&[TEXT], &[GLOSSARY], &[STYLE], &[DOCUMENT_AND_VOICE, RECONNECTING], &[VOICE_TERMS], &[ADMIN]];

pub struct Exchange {
    pub operation: Operation,
    /// See [`identity`].
    pub identity: String,
    pub answer: Vec<u8>,
}

pub struct RecordedRun {
    pub command: &'static str,
    pub args: Vec<String>,
    /// Number of exchanges that belong to the command that runs before this one.
    pub prior: usize,
    pub exchanges: Vec<Exchange>,
    pub stdout: Vec<u8>,
    pub code: i32,
}

pub struct Recording {
    /// Address of the recording server, which may occur in answers.
    pub address: String,
    pub files: Vec<(String, Vec<u8>)>,
    /// Document keys and voice tokens in the answers.
    pub secrets: Vec<String>,
    pub runs: Vec<RecordedRun>,
}

pub fn recording(group: usize) -> &'static Recording {
    static RECORDINGS: [OnceLock<Recording>; GROUPS.len()] = [const { OnceLock::new() }; GROUPS.len()];
    RECORDINGS[group].get_or_init(|| record(&GROUPS[group].concat()))
}

/// Returns method, target and body of a request. A multipart body is left out because its boundary is random.
pub fn identity(request: &str) -> String {
    let (head, body) = request.split_once("\r\n\r\n").unwrap_or((request, ""));
    let line = head.split(" HTTP/1.1").next().unwrap_or_default();
    let is_multipart = head.to_ascii_lowercase().contains("multipart/form-data");
    if is_multipart { line.to_owned() } else { format!("{line} {body}") }
}

/// Returns the answer that opens a WebSocket, on which nothing follows.
pub fn opened_socket(request: &str) -> Vec<u8> {
    let name = "sec-websocket-key: ";
    let line = request.lines().find(|line| line.to_ascii_lowercase().starts_with(name)).expect("a WebSocket key");
    let accept = derive_accept_key(line[name.len()..].trim().as_bytes());
    let head = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n";
    format!("{head}sec-websocket-accept: {accept}\r\n\r\n").into_bytes()
}

fn secrets_of(answer: &[u8], found: &mut Vec<String>) {
    let text = String::from_utf8_lossy(answer);
    for name in ["\"document_key\":", "\"token\":"] {
        for (at, _) in text.match_indices(name) {
            found.extend(text[at + name.len()..].split('"').nth(1).map(str::to_owned));
        }
    }
}

fn record(commands: &[&'static str]) -> Recording {
    let bench = prepared().env("TULK_TIMEOUT", "60s");
    let files = files_of(&bench);
    let (sandbox, seen) = (bench.url().to_owned(), Arc::new(Mutex::new(Vec::new())));
    let shared = Arc::clone(&seen);
    let server = ScriptedServer::start(move |request| {
        let answer = if is_upgrade(request) { opened_socket(request) } else { forward_to_sandbox(&sandbox, request) };
        shared.lock().unwrap().push(Exchange {
            operation: operation(request),
            identity: identity(request),
            answer: answer.clone(),
        });
        answer
    });
    let run = |args: &[String]| {
        let output = bench.command().args(args).args(["--server", &server.url]).stdin(Stdio::null()).output();
        let run = Run::unlisted(output.expect("a run"));
        (run, std::mem::take(&mut *seen.lock().unwrap()))
    };
    let mut runs = Vec::new();
    for command in commands {
        // Each command starts without cached languages and without documents of the previous command.
        for directory in [".cache", ".local"] {
            let _ = std::fs::remove_dir_all(bench.path(directory));
        }
        let mut prior = Vec::new();
        if let Some(args) = before(command) {
            let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            let (outcome, exchanges) = run(&args);
            assert_eq!(outcome.code, 0, "{args:?}\n{outcome}");
            // Rows of `doc resume` repeat the earlier command, because it stores the documents to resume in the home directory.
            prior = if *command == "doc resume" { exchanges } else { Vec::new() };
        }
        let args = arguments(&bench, command);
        let (outcome, mut exchanges) = run(&args);
        assert!(!exchanges.is_empty(), "{command} sends no request");
        // A stream ends when its connection closes (8), and a comparison may find differences (1).
        let expected: &[i32] = if command.starts_with("voice stream ") { &[8] } else { &[0, 1] };
        assert!(expected.contains(&outcome.code), "{command}\n{outcome}");
        let count = prior.len();
        prior.append(&mut exchanges);
        runs.push(RecordedRun {
            command,
            args,
            prior: count,
            exchanges: prior,
            stdout: outcome.stdout,
            code: outcome.code,
        });
    }
    let mut secrets = Vec::new();
    runs.iter().flat_map(|run| &run.exchanges).for_each(|exchange| secrets_of(&exchange.answer, &mut secrets));
    secrets.push(bench.read("key").trim().to_owned());
    secrets.sort();
    secrets.dedup();
    Recording { address: server.url.trim_start_matches("http://").to_owned(), files, secrets, runs }
}

/// Leaves out directories and the log of the sandbox.
fn files_of(bench: &Bench) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(bench.dir()).expect("the home directory").flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let named = files.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    let kept = named.filter(|(name, _)| !name.starts_with("requests-"));
    kept.map(|(name, path)| (name, std::fs::read(path).expect("a file"))).collect()
}
