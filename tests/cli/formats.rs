//! The output formats of each command. Unsupported formats are refused before anything happens.

use std::collections::BTreeSet;

use crate::common::{Bench, Run};

const FORMATS: [&str; 13] =
    ["auto", "table", "json", "jsonl", "tsv", "text", "srt", "vtt", "github", "xliff", "xliff2", "po", "csv"];

const LISTING: &[&str] = &["auto", "table", "json", "jsonl", "tsv", "text"];
const FINDINGS: &[&str] = &["auto", "table", "json", "jsonl", "tsv", "text", "github"];
const RESULTS_OR_FINDINGS: &[&str] = &["auto", "table", "json", "jsonl", "tsv", "text", "github"];
const TEXT_OR_JSON: &[&str] = &["auto", "json", "jsonl", "text"];

/// Commands with arguments that the parser accepts. None of them waits for a server or a terminal.
const COMMANDS: &[(&str, &[&str])] = &[
    ("translate --to de x", LISTING),
    ("write rephrase x --check", RESULTS_OR_FINDINGS),
    ("write correct x --check", RESULTS_OR_FINDINGS),
    ("doc translate a.txt --to de", LISTING),
    ("doc upload a.txt --to de", LISTING),
    ("doc status x", LISTING),
    ("doc wait x", LISTING),
    ("doc download x", LISTING),
    ("doc list", LISTING),
    ("doc resume", LISTING),
    ("doc forget x", TEXT_OR_JSON),
    ("voice stream a.wav --to de", &["auto", "jsonl", "text", "srt", "vtt"]),
    ("voice session --to de a.wav", LISTING),
    ("voice terms list", LISTING),
    ("voice terms show x", LISTING),
    ("voice terms create x en=a.txt", LISTING),
    ("voice terms entries x", LISTING),
    ("voice terms set x en a.txt", LISTING),
    ("voice terms merge x en a.txt", LISTING),
    ("voice terms rename x y", LISTING),
    ("voice terms delete x", TEXT_OR_JSON),
    ("voice terms delete-list x en", TEXT_OR_JSON),
    ("voice terms lint a.txt", FINDINGS),
    ("voice terms sync x en=a.txt", LISTING),
    ("glossary list", LISTING),
    ("glossary show x", LISTING),
    ("glossary create x --dictionary en:de=a.tsv", LISTING),
    ("glossary entries x", LISTING),
    ("glossary set x en:de a.tsv", LISTING),
    ("glossary merge x en:de a.tsv", LISTING),
    ("glossary add x en:de a b", LISTING),
    ("glossary remove x en:de a", LISTING),
    ("glossary rename x y", LISTING),
    ("glossary delete x", TEXT_OR_JSON),
    ("glossary delete-dictionary x en:de", TEXT_OR_JSON),
    ("glossary lint a.tsv", FINDINGS),
    ("glossary diff x en:de a.tsv", FINDINGS),
    ("glossary sync x en:de=a.tsv", LISTING),
    ("glossary export x", LISTING),
    ("glossary wait x", LISTING),
    ("glossary v2 list", LISTING),
    ("glossary v2 show x", LISTING),
    ("glossary v2 create x --dictionary en:de=a.tsv", LISTING),
    ("glossary v2 entries x", LISTING),
    ("glossary v2 delete x", TEXT_OR_JSON),
    ("glossary v2 pairs", LISTING),
    ("style list", LISTING),
    ("style show x", LISTING),
    ("style create x --language de", LISTING),
    ("style rename x y", LISTING),
    ("style delete x", TEXT_OR_JSON),
    ("style rules show x", LISTING),
    ("style rules set x a.b=c", LISTING),
    ("style rules catalogue", LISTING),
    ("style instruction list x", LISTING),
    ("style instruction show x y", LISTING),
    ("style instruction add x --label l --prompt p", LISTING),
    ("style instruction edit x y --prompt p", LISTING),
    ("style instruction remove x y", TEXT_OR_JSON),
    ("style profile list", LISTING),
    ("style profile show x", LISTING),
    ("style profile create x", LISTING),
    ("style profile edit x --name y", LISTING),
    ("style profile delete x", TEXT_OR_JSON),
    ("style export x", &["auto", "text"]),
    ("style apply a.toml", LISTING),
    ("tm list", LISTING),
    ("tm show x", LISTING),
    ("tm segments x", LISTING),
    ("tm delete x", TEXT_OR_JSON),
    ("tm import a.tmx", LISTING),
    ("tm export x", LISTING),
    ("tm job x", LISTING),
    ("sync --check", FINDINGS),
    ("sync init", TEXT_OR_JSON),
    ("sync status", LISTING),
    ("sync accept", LISTING),
    ("sync export --to de", &["auto", "xliff", "xliff2", "po", "csv"]),
    ("sync import x", LISTING),
    ("langs list", LISTING),
    ("langs resources", LISTING),
    ("langs check --resource translate_text --to de", LISTING),
    ("langs v2", LISTING),
    ("langs detect Hello", LISTING),
    ("usage", LISTING),
    ("admin keys list", LISTING),
    ("admin keys create x", LISTING),
    ("admin keys rename x y", LISTING),
    ("admin keys limit x --characters 1", LISTING),
    ("admin keys deactivate x", LISTING),
    ("admin usage --start today --end today", LISTING),
    ("admin tags --start today --end today", LISTING),
    ("admin pairs --start today --end today", LISTING),
    ("api GET /v2/usage", TEXT_OR_JSON),
    ("auth login", TEXT_OR_JSON),
    ("auth status", LISTING),
    ("auth logout", TEXT_OR_JSON),
    ("auth token", TEXT_OR_JSON),
    ("config path", TEXT_OR_JSON),
    ("config list", LISTING),
    ("config get default_profile", TEXT_OR_JSON),
    ("config set default_profile x", TEXT_OR_JSON),
    ("config unset default_profile", TEXT_OR_JSON),
    ("config edit", TEXT_OR_JSON),
    ("sandbox serve --phrases missing.tsv", TEXT_OR_JSON),
    ("sandbox status", LISTING),
    ("sandbox reset", TEXT_OR_JSON),
    ("cache stats", LISTING),
    ("cache clear", TEXT_OR_JSON),
    ("doctor", LISTING),
    ("completions bash", &["auto", "text"]),
    ("man", &["auto", "text"]),
    ("help formats", &["auto", "text"]),
];

fn run(bench: &Bench, command: &str, format: &str) -> Run {
    let mut words: Vec<&str> = command.split(' ').collect();
    words.extend(["--format", format]);
    Run::unlisted(bench.command().args(&words).stdin(std::process::Stdio::null()).output().unwrap())
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn every_command_accepts_its_formats_and_refuses_the_others() {
    let bench = Bench::bare().env("EDITOR", "false").env("VISUAL", "false");
    for (command, accepted) in COMMANDS {
        for format in FORMATS {
            let run = run(&bench, command, format);
            let is_refused = run.stderr.contains("does not support the format");
            assert_eq!(is_refused, !accepted.contains(&format), "{command} --format {format}\n{run}");
            if is_refused {
                assert_eq!((run.code, run.out()), (2, ""), "{command} --format {format}\n{run}");
                let supported = format!("supported formats: {}", accepted.join(", "));
                assert!(run.stderr.trim_end_matches(['"', '}', '\n']).ends_with(&supported), "{command}\n{run}");
            }
        }
    }
}

#[test]
fn the_test_covers_every_command() {
    let bench = Bench::bare();
    bench.run(["man", "--out", "pages"]).code(0);
    let names: BTreeSet<String> = std::fs::read_dir(bench.path("pages"))
        .unwrap()
        .map(|page| page.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let is_group = |name: &String| names.iter().any(|other| other.starts_with(&format!("{name}-")));
    // The page of `delete-list` and the page of `delete list` would have the same name, so compare names joined with hyphens.
    for name in names.iter().filter(|name| !is_group(name) || name.ends_with("-delete")) {
        let listed = COMMANDS.iter().any(|(command, _)| {
            let words = format!("tulk-{}", command.replace(' ', "-"));
            words == *name || words.starts_with(&format!("{name}-"))
        });
        assert!(listed, "{name} is missing");
    }
}

#[test]
fn some_flags_allow_only_text() {
    let bench = Bench::bare();
    bench.write("a.txt", "Hello\n");
    let hint = "supported formats: auto, text";
    let translate = bench.run(["translate", "--to", "de", "-i", "a.txt", "--in-place", "--format", "tsv"]);
    let _ = translate.code(2).says("error: --in-place cannot be used with the format `tsv`").says(hint);
    let diff = bench.run(["write", "correct", "-i", "a.txt", "--diff", "--format", "jsonl"]);
    let _ = diff.code(2).says("--diff cannot be used with the format `jsonl`").says(hint);
}
