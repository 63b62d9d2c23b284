//! Measures parts of the program separately: the time of a call, and the throughput per second.
//!
//! Run `cargo bench --bench parts`, optionally with a filter. benches/budgets measures complete processes.

#![allow(missing_docs, clippy::expect_used)] // a program whose figures are only printed

use std::fmt::Write as _;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
mod number_cache;
mod subjects;

use self::number_cache::NumberCache;
use self::subjects::{PartFormat, check_dictionary, escape_json};

const RECORDS: u64 = 10_000;
const BATCH: u64 = 50;
const CACHED: u64 = 1_000_000;

fn main() {
    divan::main();
}

fn input(head: &str, record: impl Fn(u64) -> String) -> String {
    (0..RECORDS).fold(head.to_owned(), |mut text, number| {
        let _ = write!(text, "{}", record(number));
        text
    })
}

fn input_of(format: &str) -> String {
    match format {
        "csv" => input("id,text,price\n", |n| format!("{n},\"Row {n}, a short text\",1.10\n")),
        "jsonl" => {
            input("", |n| format!("{{\"id\": {n}, \"text\": \"Title number {n} of the list\", \"ok\": true}}\n"))
        }
        "srt" => input("", |n| {
            let (minutes, seconds) = (n / 60 % 60, n % 60);
            let time = format!("{:02}:{minutes:02}:{seconds:02}", n / 3600);
            format!("{n}\n{time},000 --> {time},900\nThis is what somebody says in cue {n}\n\n")
        }),
        "markdown" => input("", |n| format!("## Section {n}\n\nA paragraph with *emphasis* and `code {n}`.\n\n")),
        _ => input("", |n| format!("This is line number {n} of a longer text\n")),
    }
}

const FORMATS: [&str; 5] = ["lines", "csv", "jsonl", "srt", "markdown"];

#[divan::bench(args = FORMATS)]
fn read_and_write(bencher: Bencher, format: &str) {
    let (text, format) = (input_of(format), PartFormat::named(format).expect("a format"));
    bencher.counter(BytesCount::of_str(&text)).bench(|| format.rewrite(black_box(&text)).expect("a valid input"));
}

#[divan::bench]
fn build_requests(bencher: Bencher) {
    let (text, format) = (input_of("lines"), PartFormat::named("lines").expect("a format"));
    bencher.counter(ItemsCount::new(RECORDS)).bench(|| format.bodies(black_box(&text)).expect("a valid input"));
}

#[divan::bench(args = ["plain", "quotes"])]
fn escape_for_json(bencher: Bencher, kind: &str) {
    let text = if kind == "plain" { input_of("lines") } else { "She said \"yes\".\n".repeat(20_000) };
    bencher.counter(BytesCount::of_str(&text)).bench(|| escape_json(black_box(&text)));
}

#[divan::bench]
fn check_a_dictionary(bencher: Bencher) {
    let text = input("", |n| format!("term number {n}\tBegriff Nummer {n}\n"));
    bencher.counter(BytesCount::of_str(&text)).bench(|| check_dictionary(black_box(&text)));
}

/// Looks up random entries, half of which exist.
#[divan::bench(sample_count = 1000, sample_size = 1)]
fn find_in_the_cache(bencher: Bencher) {
    let dir = tempfile::tempdir().expect("a directory");
    let cache = NumberCache::at(dir.path());
    for start in (0..CACHED).step_by(10_000) {
        cache.store(start..start + 10_000);
    }
    assert_eq!(cache.find(CACHED - BATCH..CACHED), 50, "not all results are stored");
    let mut random = fastrand::Rng::with_seed(1);
    bencher
        .counter(ItemsCount::new(BATCH))
        .with_inputs(|| (0..BATCH).map(|_| random.u64(0..2 * CACHED)).collect::<Vec<_>>())
        .bench_local_values(|numbers| cache.find(numbers));
}

/// Stores results of 1,000 entries at a time.
#[divan::bench(sample_count = 50, sample_size = 1)]
fn store_in_the_cache(bencher: Bencher) {
    let dir = tempfile::tempdir().expect("a directory");
    let cache = NumberCache::at(dir.path());
    let mut next = 0;
    bencher.counter(ItemsCount::new(1000_u32)).bench_local(|| {
        cache.store(next..next + 1000);
        next += 1000;
    });
}
