//! Scripts of runs: each line has the schema of the output, the exit code and the command.
//!
//! `translate 0 translate --to de Hello` runs `tulk translate --to de Hello --json`. The schema `-` means that nothing is printed. With
//! `--format jsonl`, or the schema `dry-run`, each line of the output is a value. `$ COMMAND` runs in bash, with tulk on PATH. `<id>`
//! is replaced by the content of the file `id`.

use serde_json::Value;

use super::common::{Bench, Run};
use super::page::code_of;

/// A printed value and its origin.
pub struct Printed {
    pub run: String,
    pub schema: String,
    /// Whether the value is one line of several instead of a complete result.
    pub is_line: bool,
    pub value: Value,
}

/// Returns all printed values, including those on stderr, and the runs with an unexpected exit code.
pub fn printed(bench: &Bench, script: &str) -> (Vec<Printed>, Vec<String>) {
    let (mut all, mut problems) = (Vec::new(), Vec::new());
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(command) = line.strip_prefix("$ ") {
            let _ = Run::unlisted(bench.shell(command).output().unwrap()).code(0);
            continue;
        }
        let (schema, rest) = line.split_once(' ').unwrap();
        let (code, command) = rest.trim_start().split_once(' ').unwrap();
        match run(bench, schema, code.parse().unwrap(), command) {
            Ok(printed) => all.extend(printed),
            Err(problem) => problems.push(problem),
        }
    }
    (all, problems)
}

fn run(bench: &Bench, schema: &str, code: i32, command: &str) -> Result<Vec<Printed>, String> {
    let mut words: Vec<String> = shlex::split(command).unwrap().iter().map(|word| filled(bench, word)).collect();
    let is_jsonl = command.contains("--format jsonl");
    if !command.contains("--format ") {
        words.push("--json".to_owned());
    }
    let output = bench.command().args(&words).stdin(std::process::Stdio::null()).output().unwrap();
    let run = Run::unlisted(output);
    let is_printed = !run.stdout.is_empty();
    if run.code != code || is_printed == (schema == "-") {
        return Err(format!("{command}\n{run}"));
    }
    let value = |schema: &str, is_line, text: &str| Printed {
        run: format!("tulk {}", words.join(" ")),
        schema: schema.to_owned(),
        is_line,
        value: serde_json::from_str(text).unwrap_or_else(|e| panic!("{command}: {e}: {text}\n{run}")),
    };
    let mut all: Vec<Printed> = match schema {
        "-" => Vec::new(),
        "dry-run" => run.out().lines().map(|line| value(schema, false, line)).collect(),
        _ if is_jsonl => run.out().lines().map(|line| value(schema, true, line)).collect(),
        _ => vec![value(schema, false, run.out())],
    };
    let messages: Vec<Printed> = run.stderr.lines().map(|line| value("messages", false, line)).collect();
    let last_error = messages.iter().rev().find_map(|message| message.value["error"]["kind"].as_str());
    if last_error.is_some_and(|kind| code_of(kind) != code) {
        return Err(format!("{command}: the exit code does not fit the kind of the error\n{run}"));
    }
    all.extend(messages);
    Ok(all)
}

/// Replaces `<id>` with the content of the file `id`.
fn filled(bench: &Bench, word: &str) -> String {
    match word.strip_prefix('<').and_then(|word| word.strip_suffix('>')) {
        Some(file) => bench.read(file).trim().to_owned(),
        None => word.to_owned(),
    }
}
