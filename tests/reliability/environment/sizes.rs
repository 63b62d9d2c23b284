//! Files and streams that are read completely: endless and too large ones are refused with the limit, and nothing is sent.

#![cfg(target_os = "linux")]

use crate::common::{Bench, Run};

const MIB: u64 = 1 << 20;

/// A command line with `{}` for the file, the name of its limit, and the limit in bytes.
type Case = (&'static str, &'static str, u64);

/// Commands that read a complete file.
const CASES: &[Case] = &[
    ("--config {} translate --to de Hi", "1 MiB, the limit of a settings file", MIB),
    ("--key-file {} translate --to de Hi", "1 MiB, the limit of a key", MIB),
    ("--ca-file {} --server https://127.0.0.1:9 usage", "16 MiB, the limit of a certificate file", 16 * MIB),
    ("translate --to de --context-file {} Hi", "1 MiB, the limit of a context", MIB),
    ("style create X --language en --file {}", "4 MiB, the limit of a style file", 4 * MIB),
    ("glossary lint {}", "64 MiB, the limit of a glossary file", 64 * MIB),
    ("glossary create X --dictionary en:de={}", "64 MiB, the limit of a glossary file", 64 * MIB),
    ("voice terms lint {}", "64 KiB, the limit of a file of terms", MIB / 16),
    ("voice terms create X en={}", "64 KiB, the limit of a file of terms", MIB / 16),
    ("doc status 1 --document-key-file {}", "1 MiB, the limit of a key", MIB),
    ("api POST /v2/translate -F text=@{}", "64 MiB, the limit of an input that is not streamed", 64 * MIB),
    ("sandbox serve --port 0 --ephemeral --phrases {}", "64 MiB, the limit of a file of the sandbox", 64 * MIB),
    ("sandbox serve --port 0 --ephemeral --seed-file {}", "64 MiB, the limit of a file of the sandbox", 64 * MIB),
    ("sandbox serve --port 0 --ephemeral --memories {}", "64 MiB, the limit of a file of the sandbox", 64 * MIB),
    ("translate --to de --as markdown -i {} -o out", "16 MiB, the limit of a Markdown document", 16 * MIB),
    ("sync import {}", "256 MiB, the limit of a catalogue", 256 * MIB),
    ("write correct --diff -i {}", "256 MiB, the limit of a text that is read whole", 256 * MIB),
];

const CATALOGS: &[&str] = &[
    "json",
    "arb",
    "yaml",
    "toml",
    "po",
    "properties",
    "android",
    "strings",
    "stringsdict",
    "xcstrings",
    "xliff",
    "resx",
    "php",
    "ftl",
];

/// Runs a command in a shell with an address space that depends on the limit of the file.
fn run(bench: &Bench, line: &str, limit: u64) -> Run {
    // Room for the program, its threads, and an allocator that doubles a buffer.
    let kib = (600 * MIB + 3 * limit) / 1024;
    Run::unlisted(bench.shell(&format!("ulimit -v {kib}; exec timeout --foreground 240 tulk {line}")).output().unwrap())
}

fn refuses(bench: &Bench, line: &str, file: &str, words: &str, limit: u64) -> Run {
    let run =
        run(bench, &line.replace("{}", file), limit).code(2).says(&format!("is larger than {words}")).says("hint: ");
    assert_eq!(bench.requests().len(), 0, "{run}");
    run
}

#[test]
fn endless_devices_and_pipes_are_refused_at_the_limit() {
    let bench = Bench::new();
    for (line, words, limit) in CASES {
        for file in ["/dev/zero", "<(yes)"] {
            refuses(&bench, line, file, words, *limit);
        }
    }
}

#[test]
fn endless_stdin_is_refused_at_the_limit() {
    let bench = Bench::new();
    for (line, words, limit) in CASES {
        // These accept a path, but not `-` for stdin.
        if ["--config", "--ca-file", "sandbox"].iter().any(|start| line.starts_with(start)) {
            continue;
        }
        let line = format!("{line} < /dev/zero");
        refuses(&bench, &line, "-", words, *limit).says(if line.contains("-i -") { "" } else { "stdin" });
    }
    let login = "auth login --no-check --server http://127.0.0.1:9 < /dev/zero";
    refuses(&bench, login, "", "1 MiB, the limit of a key", MIB).says("stdin");
}

#[test]
fn a_file_above_the_limit_is_refused_with_its_size() {
    let bench = Bench::new();
    for (line, words, limit) in CASES {
        std::fs::File::create(bench.path("large")).unwrap().set_len(limit + 1).unwrap();
        let says = format!("is larger than {words}: it has ");
        let run = bench.bash(&format!("tulk {}", line.replace("{}", "large"))).code(2).says("error: large").says(&says);
        assert_eq!(bench.requests().len(), 0, "{run}");
    }
}

#[test]
fn catalogs_of_every_format_have_a_limit() {
    let bench = Bench::new();
    std::fs::File::create(bench.path("large")).unwrap().set_len(256 * MIB + 1).unwrap();
    for format in CATALOGS {
        let line = format!("translate --to de --as {format} -i {{}} -o out");
        refuses(&bench, &line, "large", "256 MiB, the limit of a catalogue", 256 * MIB).says("268,435,457 bytes");
    }
    let line = "translate --to de --as json -i {} -o out";
    refuses(&bench, line, "<(yes)", "256 MiB, the limit of a catalogue", 256 * MIB);
}

#[test]
fn the_output_of_a_key_command_has_a_limit() {
    let bench = Bench::new().without("TULK_API_KEY");
    bench.write(
        "config.toml",
        format!("[profiles.default]\nserver = \"{}\"\nkey_command = \"cat /dev/zero\"\n", bench.url()),
    );
    let run = run(&bench, "--config config.toml translate --to de Hi", MIB).code(3);
    run.says("is larger than 1 MiB, the limit of a key");
    assert_eq!(bench.requests().len(), 0);
}

#[test]
fn a_project_with_a_catalog_above_the_limit_is_refused() {
    let bench = Bench::new();
    bench.write("tulk.toml", "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n");
    std::fs::File::create(bench.path("en.json")).unwrap().set_len(256 * MIB + 1).unwrap();
    let run = run(&bench, "sync", 256 * MIB);
    assert_ne!(run.code, 0, "{run}");
    run.says("en.json is larger than 256 MiB, the limit of a catalogue: it has 268,435,457 bytes");
    assert_eq!(bench.requests().len(), 0);
}
