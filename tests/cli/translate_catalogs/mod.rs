//! `tulk translate --as` with message catalogues: what is sent, which bytes change, and what is refused.

mod identity;
mod plurals;
mod requests;
mod runs;

use serde_json::Value;

use crate::common::{Bench, Run};

/// Returns a bench whose service answers some texts with these phrases, and others with an engine.
pub fn with_phrases(engine: &str, phrases: &str) -> Bench {
    let files = Bench::bare();
    let path = files.write("p.tsv", phrases);
    Bench::with(&["--engine", engine, "--phrases", path.to_str().unwrap()])
}

pub fn translate(bench: &Bench, input: impl AsRef<[u8]>, format: &str, flags: &[&str]) -> Run {
    bench.pipe(input, ["translate", "--as", format].iter().chain(flags))
}

/// Returns a phrase table: source and target language, then pairs of texts.
pub fn phrases(source: &str, target: &str, pairs: &[(&str, &str)]) -> String {
    pairs.iter().map(|(text, result)| format!("{source}\t{target}\t{text}\t{result}\n")).collect()
}

pub fn bodies(bench: &Bench) -> Vec<Value> {
    bench.requests().into_iter().map(|request| request["body"].clone()).collect()
}
