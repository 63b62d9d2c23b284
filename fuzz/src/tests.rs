//! Runs each target with its corpus and with mutations of the corpus.

use std::path::{Path, PathBuf};

use super::growth::{all_are_linear, is_linear};
use super::targets;

/// Mutated inputs per target. `TULK_FUZZ_INPUTS` overrides this.
const INPUTS: usize = 300;

fn corpus(name: &str) -> Vec<Vec<u8>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(&dir).expect(name).map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", dir.display());
    paths.iter().map(|path| std::fs::read(path).expect("a file")).collect()
}

/// Changes an input at random: removes, repeats, inserts or sets bytes, or replaces them with bytes of another input.
fn change(random: &mut fastrand::Rng, input: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..random.usize(1..5) {
        let (from, to) = (random.usize(0..=input.len()), random.usize(0..=input.len()));
        let range = from.min(to)..from.max(to);
        match random.u8(0..6) {
            0 => drop(input.drain(range)),
            1 => drop(input.splice(range.start..range.start, input[range].to_vec())),
            2 => {
                let (from, to) = (random.usize(0..=other.len()), random.usize(0..=other.len()));
                drop(input.splice(range, other[from.min(to)..from.max(to)].iter().copied()));
            }
            3 => input.truncate(range.start),
            4 => input.insert(range.start, random.u8(..)),
            _ => {
                if let Some(byte) = input.get_mut(range.start) {
                    *byte = random.choice([0, b'\n', b'\r', b'"', b'<', b'{', 0xc3, 0xff]).unwrap_or_default();
                }
            }
        }
        input.truncate(1 << 16);
    }
}

#[test]
fn every_property_holds_for_the_corpus() {
    for target in targets() {
        for input in corpus(target.name) {
            (target.check)(&input);
        }
    }
}

#[test]
fn every_property_holds_for_mutated_inputs() {
    let count = std::env::var("TULK_FUZZ_INPUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(INPUTS);
    let mut failed = Vec::new();
    for target in targets() {
        let corpus = corpus(target.name);
        let mut random = fastrand::Rng::with_seed(7);
        for number in 0..count {
            let mut input = random.choice(&corpus).expect("an input").clone();
            let other = random.choice(&corpus).expect("an input").clone();
            change(&mut random, &mut input, &other);
            let shown = String::from_utf8_lossy(&input).into_owned();
            if std::panic::catch_unwind(|| (target.check)(&input)).is_err() {
                failed.push(format!("{} fails with input {number}: {shown:?}", target.name));
                break;
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn repeated_parts_take_linear_time() {
    // Many unclosed placeholders still take more than linear time.
    let targets = targets().filter(|target| target.name != "placeholders");
    let checks = targets.flat_map(|target| {
        let mut random = fastrand::Rng::with_seed(3);
        corpus(target.name).into_iter().map(move |input| {
            let (from, to) = (random.usize(0..=input.len()), random.usize(0..=input.len()));
            let (start, rest) = input.split_at(from.min(to));
            let (part, end) = rest.split_at(from.max(to) - start.len());
            let part = if part.is_empty() { b" ".as_slice() } else { part };
            let what = format!("{}: many {:?}", target.name, String::from_utf8_lossy(part));
            is_linear(&what, |n| [start, &part.repeat(n), end].concat(), |many| (target.check)(many))
        })
    });
    all_are_linear(checks);
}

#[test]
fn every_directory_of_the_corpus_belongs_to_a_target() {
    let mut names: Vec<&str> = targets().map(|target| target.name).collect();
    names.sort_unstable();
    let mut dirs: Vec<String> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"))
        .expect("corpus")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    dirs.sort_unstable();
    assert_eq!(dirs, names);
}
