//! `tulk sync`: message catalogues of a project against the sandbox.

mod accept;
mod broken;
mod check;
mod choices;
mod exchange;
mod fixed_points;
mod gettext;
mod help;
mod hostile;
mod init;
#[cfg(unix)]
mod init_questions;
mod left_out;
mod mistakes;
mod offline;
mod plan;
mod pseudo;
mod requests;
mod states;
mod status;
#[cfg(target_os = "linux")]
mod summary;

use std::process::Stdio;

use serde_json::Value;

use crate::common::{Bench, Run};

/// A project with flat JSON in two target languages.
pub const PROJECT: &str = r#"[sync]
source_lang = "en"
target_langs = ["de", "fr"]

[[sync.files]]
source = "locales/en/*.json"
target = "locales/{lang}/*.json"
dialect = "none"
"#;

/// Returns a machine with [`PROJECT`] and a service that answers in upper case.
pub fn project(files: &[(&str, &str)]) -> Bench {
    project_of(PROJECT, files)
}

pub fn project_of(config: &str, files: &[(&str, &str)]) -> Bench {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("tulk.toml", config);
    for (name, text) in files {
        bench.write(name, text);
    }
    bench
}

pub fn tulk(bench: &Bench, line: &str) -> Run {
    bench.run(line.split(' '))
}

/// Bodies of the translation requests since request number `since`.
pub fn bodies(bench: &Bench, since: usize) -> Vec<Value> {
    bench.requests().into_iter().skip(since).map(|request| request["body"].clone()).collect()
}

/// Texts of all requests since number `since`, sorted by language and text.
pub fn texts(bench: &Bench, since: usize) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for body in bodies(bench, since) {
        for text in body["text"].as_array().into_iter().flatten() {
            all.push((body["target_lang"].as_str().unwrap().to_owned(), text.as_str().unwrap().to_owned()));
        }
    }
    all.sort();
    all
}

/// Runs a command line whose messages contain digests or paths, so they are not compared with the golden list.
pub fn unlisted(bench: &Bench, line: &str) -> Run {
    Run::unlisted(bench.command().args(line.split(' ')).stdin(Stdio::null()).output().unwrap())
}
