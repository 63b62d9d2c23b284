//! Checks that each file in docs/schemas describes exactly what its command prints in a sandbox: an output has only described fields. Each
//! field, type and value of a schema occurs in an output, and each optional field is missing in one.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice)] // tests

#[path = "../common/mod.rs"]
mod common;

mod coverage;
mod files;
mod page;
mod script_runs;
mod scripts;
mod sparse;
mod validator;

use std::collections::BTreeSet;

use common::Bench;
use coverage::Coverage;
use files::{SchemaFiles, WITHOUT_COMMAND};
use script_runs::Printed;
use serde_json::Value;

/// Parts of schemas that no run can produce, with the reason.
const UNSEEN: &[(&str, &str)] = &[
    ("doc-list.json#/items/properties/status downloading", "a kill at that moment"),
    ("doc-list.json#/items/properties/status uploading", "a kill at that moment"),
    ("doc-download.json#/properties/quality_segments/items/properties/segment_score number", "a score with a fraction"),
    ("messages.json#/$defs/error/properties/error/properties/kind stopped", "a signal"),
    ("glossary-lint.json#/items/properties/rule size", "a file of more than 10 MB"),
    ("sync.json#/$defs/row/properties/state failed", "a service that loses placeholders"),
    ("sync.json#/$defs/finding/properties/state failed", "a service that loses placeholders"),
];

fn prepared() -> Bench {
    let files = tempfile::tempdir().unwrap();
    let seed = files.path().join("seed.toml");
    let memory = "[[translation_memories]]\nname = \"M\"\nsource_language = \"en\"\ntarget_languages = [\"de\"]\nsegments = [{ source = \"Sea\", target_lang = \"de\", target = \"Meer\" }]\n";
    std::fs::write(&seed, memory).unwrap();
    let flags = ["--document-queue", "0s", "--document-translate", "0s", "--seed-file", seed.to_str().unwrap()];
    let faults = ["--fault", "document-error;name=failing*"];
    with_files(&[&flags[..], &faults].concat())
}

fn with_files(flags: &[&str]) -> Bench {
    let bench = Bench::with(flags).env("TULK_TIMEOUT", "10s");
    for name in ["in", "a", "b", "c", "d", "e", "g", "h", "failing", "failing2"] {
        bench.write(&format!("{name}.txt"), "Hello\n");
    }
    bench.write("wrong.txt", "Teh cat\n");
    bench.write("blank.txt", "One\n\n");
    bench.write("table.csv", "id,text\n1,Hello\n");
    bench.write("records.jsonl", "{\"text\": \"Hello\"}\n");
    bench.write("c.json", "{\"a\": {\"b\": \"One {x}\"}}\n");
    bench.write(
        "c.po",
        "msgid \"\"\nmsgstr \"\"\n\nmsgid \"cup\"\nmsgid_plural \"cups\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n",
    );
    let items = "<item quantity=\"one\">1 cup</item><item quantity=\"other\">cups</item>";
    bench.write("c.xml", format!("<resources><plurals name=\"n\">{items}</plurals></resources>\n"));
    bench.write("c.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello\n");
    bench.write("c.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n");
    bench.write("c.md", "# Title\n\nText with *stress*.\n");
    bench.write("a.raw", vec![0_u8; 32_000]);
    bench.write("k.tsv", "sea\tMeer\nsky\tHimmel\n");
    bench.write("k2.tsv", "sea\tSee\nmoon\tMond\n");
    bench.write("k3.tsv", "sea\tMeer\nstar\tStern\n");
    bench.write("bad.tsv", "sea\tSee\nsea\tMeer\n");
    bench.write("empty.tsv", "");
    bench.write("rules.tsv", format!("a\t\nb\tc\u{1}\nd\u{2028}\te\nf\t g\n{}\th\none\n", "x".repeat(2000)));
    bench.write("quotes.csv", "\"a,b\n");
    bench.write("wrong.bin", b"a\xff\tb\n");
    bench.write("other.csv", "a,b,en,fr\n");
    bench.write("rulest.txt", format!("a\n\nb\tc\nd\u{1}\ne\u{2028}f\n{}\n", "x".repeat(2000)));
    bench.write("t.txt", "Ljubljana\n");
    bench.write("t2.txt", "Maribor\n");
    bench.write("badt.txt", "a\na\n");
    let unit = "<tu><tuv xml:lang=\"en\"><seg>Hello</seg></tuv><tuv xml:lang=\"de\"><seg>Hallo</seg></tuv></tu>";
    bench.write("pumps.tmx", format!("<tmx><header srclang=\"en\"/><body>{unit}</body></tmx>\n"));
    bench.write("new.toml", "name = \"New\"\nlanguage = \"de\"\n");
    let project = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n";
    bench.write("tulk.toml", format!("{project}[[sync.files]]\nsource = \"en.json\"\ntarget = \"{{lang}}.json\"\n"));
    bench.write("en.json", "{\"a\": \"One\", \"b\": \"Two {x}\"}\n");
    bench
}

/// Starts a sandbox that refuses many requests and loses answers.
fn faulty() -> Bench {
    let faults = [
        "drop;path=/v2/document",
        "503;path=/v2/usage",
        "429;retry-after=600;path=/v3/languages/resources",
        "401;path=/v3/glossaries",
    ];
    let bench = Bench::with(&faults.map(|fault| ["--fault", fault]).concat());
    bench.write("lost.txt", "Hello\n");
    bench
}

fn place_of(files: &SchemaFiles, printed: &Printed) -> String {
    if printed.is_line { files.line_place(&printed.schema) } else { SchemaFiles::result_place(&printed.schema) }
}

fn without(value: &Value, pointer: &str) -> Value {
    let mut value = value.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    value.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
    value
}

fn all_printed(problems: &mut Vec<String>) -> Vec<Printed> {
    let (service, faulty, slow, alone) =
        (prepared(), faulty(), with_files(&["--document-translate", "1h"]), Bench::bare());
    let server = sparse::server();
    let sparse = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k").env("TULK_ADMIN_KEY", "k");
    sparse.write("key", "K");
    let scripts = scripts::SERVICE.iter().map(|script| (&service, *script));
    let others =
        [(&faulty, scripts::FAULTY), (&slow, scripts::SLOW), (&sparse, scripts::SPARSE), (&alone, scripts::ALONE)];
    let mut all = Vec::new();
    for (bench, script) in scripts.chain(others) {
        let (printed, failed) = script_runs::printed(bench, script);
        all.extend(printed);
        problems.extend(failed);
    }
    all
}

#[test]
fn outputs_match_their_schemas_and_cover_them() {
    let files = SchemaFiles::read();
    let mut coverage = Coverage::new(&files);
    let mut problems = Vec::new();
    for printed in all_printed(&mut problems) {
        let place = place_of(&files, &printed);
        let problem =
            [false, true].into_iter().find_map(|strict| validator::problem(&files, &place, &printed.value, strict));
        if let Some(problem) = problem {
            problems.push(format!("{}\n{}\n{problem}", printed.run, printed.value));
            continue;
        }
        for (field, pointer) in coverage.add(&place, &printed.value) {
            if validator::problem(&files, &place, &without(&printed.value, &pointer), false).is_none() {
                problems.push(format!("{field} is required, but an output without it fits too"));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems\n\n{}", problems.len(), problems.join("\n\n"));
    let unseen: BTreeSet<String> = coverage.unseen().into_iter().collect();
    let excepted: BTreeSet<String> = UNSEEN.iter().map(|(place, _)| (*place).to_owned()).collect();
    let missing: Vec<_> = unseen.difference(&excepted).collect();
    assert!(missing.is_empty(), "no output shows these parts:\n{missing:#?}");
    let shown: Vec<_> = excepted.difference(&unseen).collect();
    assert!(shown.is_empty(), "these exceptions are not needed:\n{shown:#?}");
}

/// Commands that print no JSON, with arguments they accept.
const WITHOUT_JSON: [&str; 24] = [
    "auth login",
    "auth logout",
    "cache clear",
    "completions bash",
    "config edit",
    "config set default_profile x",
    "config unset default_profile",
    "doc forget x",
    "glossary delete x",
    "glossary delete-dictionary x en:de",
    "glossary v2 delete x",
    "help formats",
    "man",
    "sandbox reset",
    "sandbox serve --phrases missing.tsv",
    "style delete x",
    "style export x",
    "style instruction remove x y",
    "style profile delete x",
    "sync export --to de",
    "sync init",
    "tm delete x",
    "voice terms delete x",
    "voice terms delete-list x en",
];

const PRINTS_TEXT: [&str; 5] = ["completions bash", "help formats", "man", "style export x", "sync export --to de"];

#[test]
fn every_command_that_prints_json_has_a_schema_and_every_schema_has_a_command() {
    // The editors exit immediately, so `config edit` does not wait.
    let bench = Bench::bare().env("VISUAL", "false").env("EDITOR", "false");
    for command in WITHOUT_JSON {
        let with = |flags: &[&str]| {
            let run = bench.command().args(command.split(' ')).args(flags).stdin(std::process::Stdio::null()).output();
            common::Run::unlisted(run.unwrap()).prints("")
        };
        let run = with(&["--jq", "."]).code(2);
        assert!(run.stderr.contains("JSON") || command == "style export x", "{command}\n{run}");
        for flags in [&["--json"][..], &["--format", "jsonl"]] {
            let run = with(flags);
            assert!(run.code == 2 || !PRINTS_TEXT.contains(&command), "{command}\n{run}");
        }
    }
    let all = common::help_tree::commands(&bench);
    let is_group = |name: &str| name != "sync" && all.iter().any(|other| other.starts_with(&format!("{name} ")));
    let starts = |command: &str, name: &str| command == name || command.starts_with(&format!("{name} "));
    let named = |command: &str| all.iter().filter(|name| starts(command, name)).max_by_key(|name| name.len());
    let without: Vec<_> = WITHOUT_JSON.iter().filter_map(|command| named(command)).collect();
    let prints_json = |name: &String| !without.contains(&name);
    let commands = all.iter().filter(|name| !is_group(name) && prints_json(name)).map(|name| name.replace(' ', "-"));
    let expected: BTreeSet<String> = commands.chain(WITHOUT_COMMAND.map(str::to_owned)).collect();
    let found: BTreeSet<String> = SchemaFiles::read().files.into_keys().collect();
    assert_eq!(found, expected);
}

/// Schemas that allow every value, because the service or the request decides.
const ANYTHING: [&str; 3] = ["api", "doc-status/properties/seconds_remaining", "dry-run/properties/body"];

/// Calls `see` with a schema, each schema nested in it, and their locations.
fn each_schema(place: &str, schema: &Value, see: &mut dyn FnMut(&str, &Value)) {
    see(place, schema);
    for key in ["properties", "$defs"] {
        for (name, inner) in schema[key].as_object().into_iter().flatten() {
            each_schema(&format!("{place}/{key}/{name}"), inner, see);
        }
    }
    for key in ["items", "additionalProperties"].into_iter().filter(|key| schema[*key].is_object()) {
        each_schema(&format!("{place}/{key}"), &schema[key], see);
    }
    for (i, inner) in schema["anyOf"].as_array().into_iter().flatten().enumerate() {
        each_schema(&format!("{place}/anyOf/{i}"), inner, see);
    }
}

fn has_word(words: &Value, word: &str) -> bool {
    words.as_array().is_some_and(|words| words.iter().any(|other| other == word))
}

#[test]
fn every_schema_names_its_command_and_describes_each_field_in_a_sentence() {
    let is_sentence = |schema: &Value| schema["description"].as_str().is_some_and(|text| text.ends_with('.'));
    for (name, schema) in SchemaFiles::read().files {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{name}");
        assert_eq!(schema["$id"], format!("{name}.json"));
        assert!(is_sentence(&schema), "{name}");
        if !WITHOUT_COMMAND.contains(&name.as_str()) {
            assert_eq!(schema["title"].as_str().unwrap().replace(' ', "-"), format!("tulk-{name}"));
        }
        each_schema(&name, &schema, &mut |place, schema| {
            let needs_words = place.rsplit('/').nth(1).is_some_and(|key| key == "properties" || key == "$defs");
            let is_link = schema.get("$ref").is_some() && !place.contains("/properties/");
            assert!(!needs_words || is_link || is_sentence(schema), "{place}");
            let has_kind = ["type", "$ref", "anyOf"].iter().any(|key| schema.get(*key).is_some());
            assert!(has_kind || ANYTHING.contains(&place), "{place} allows every value");
            let has = |key: &str| schema.get(key).is_some_and(Value::is_object);
            let is = |name: &str| schema["type"] == name || has_word(&schema["type"], name);
            assert!(!is("object") || has("properties") || has("additionalProperties"), "{place} allows every object");
            assert!(!is("array") || has("items"), "{place} allows every array");
        });
    }
}
