//! The fault matrix: operations of the service combined with faults of the network or the answer, one row per case.
//!
//! Rows are generated from the lists of commands and the table of faults. Each row checks the requests, the retries, the exit code,
//! the message, stdout, the files, the secrets and, for large answers, the memory.

mod answer_table;
mod answers;
mod operations;
mod recording;
mod row;
mod server;
#[path = "../../common/source.rs"]
mod source;
mod table;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use operations::OPERATIONS;
use recording::{GROUPS, recording};
use row::Row;
use table::{Fault, NOT_APPLICABLE, Scope, faults};

/// Rows that run at the same time in one test. Rows mostly wait.
const WORKERS: usize = 12;

/// One operation of each kind: read, text, creation, removal, upload, download, pages, stream.
const KINDS: &[(&str, &str)] = &[
    ("GET", "/v2/usage"),
    ("POST", "/v2/translate"),
    ("POST", "/v3/glossaries"),
    ("DELETE", "/v3/glossaries/{glossary_id}"),
    ("POST", "/v2/document"),
    ("POST", "/v2/document/{document_id}/result"),
    ("GET", "/v3/style_rules"),
    ("SOCKET", "/v3/voice/realtime/connect"),
];

fn rows(group: usize, faults: &[Fault]) -> Vec<Row<'_>> {
    let recording = recording(group);
    let (mut rows, mut operations, mut requests) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for run in &recording.runs {
        for (at, exchange) in run.exchanges.iter().enumerate().skip(run.prior) {
            // An operation is tested with its own command rather than with `api`, which prints any answer.
            let is_api = run.command.starts_with("api ");
            let (method, path, _) = exchange.operation;
            let is_first = !is_api && operations.insert((method, path));
            let is_new = requests.insert((run.command, &exchange.identity));
            for fault in faults {
                let is_row = match fault.scope {
                    Scope::Requests => is_new && !(is_api && fault.expected[1].1 == 0),
                    Scope::Operations => is_first,
                    Scope::Kinds => is_first && KINDS.contains(&(method, path)),
                };
                let row = Row { recording, run, at, fault, number: rows.len() };
                if is_row && row.expected() != NOT_APPLICABLE {
                    rows.push(row);
                }
            }
        }
    }
    rows
}

fn run_matrix(group: usize) {
    let faults = faults();
    let rows = rows(group, &faults);
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = row.check();
                    wrong.lock().expect("the report").extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("the report");
    let heading = "command | request | fault | expected | is";
    assert!(wrong.is_empty(), "{} of {} rows:\n{heading}\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Operations of translation memory jobs. `tests/cli/tm_move.rs` tests their failures and kills.
const OF_MEMORY_JOBS: [&str; 3] = [
    "/v3/translation_memories/import",
    "/v3/translation_memories/{translation_memory_id}/export",
    "/v3/translation_memories/jobs/{job_id}",
];

#[test]
#[ignore = "long; .ci/run includes it"]
fn every_operation_meets_every_fault() {
    let faults = faults();
    let all: Vec<Row> = (0..GROUPS.len()).flat_map(|group| rows(group, &faults)).collect();
    assert!(all.len() >= 2000, "{} rows", all.len());
    for (method, path, class) in OPERATIONS.iter().filter(|(_, path, _)| !OF_MEMORY_JOBS.contains(path)) {
        let of_operation = all.iter().filter(|row| row.operation() == (*method, *path, *class));
        let met: BTreeSet<&str> = of_operation.map(|row| row.fault.name).collect();
        let is_kind = KINDS.contains(&(*method, *path));
        let wanted = faults.iter().filter(|fault| fault.scope != Scope::Kinds || is_kind);
        let missing: Vec<&str> = wanted.map(|fault| fault.name).filter(|name| !met.contains(name)).collect();
        // Trickling answers come as two faults: one for results, one for everything else.
        let is_other = |name: &&str| name.starts_with("a trickle");
        assert!(missing.iter().all(is_other) && missing.len() < 2, "{method} {path} does not meet {missing:?}");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn text_commands_survive_every_fault() {
    run_matrix(0);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn glossary_commands_survive_every_fault() {
    run_matrix(1);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn style_commands_survive_every_fault() {
    run_matrix(2);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn document_and_voice_commands_survive_every_fault() {
    run_matrix(3);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn commands_for_spoken_terms_survive_every_fault() {
    run_matrix(4);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn admin_commands_survive_every_fault() {
    run_matrix(5);
}
