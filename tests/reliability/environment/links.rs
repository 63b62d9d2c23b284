//! Loops of symbolic links in place of files and folders: the message names the file, the program exits with 2, and nothing is sent.

#![cfg(unix)]

use std::os::unix::fs::symlink;

use crate::common::{Bench, Run};

const LOOP: &str = "Too many levels of symbolic links";
const HINT: &str = "hint: remove the link that leads to itself, or use another path";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"])
}

fn project() -> Bench {
    let bench = upper();
    bench.write(
        "tulk.toml",
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n[[sync.files]]\nsource = \"en/*.json\"\n\
         target = \"{lang}/*.json\"\ndialect = \"none\"\n",
    );
    bench.write("en/a.json", "{\"a\": \"One\"}\n");
    bench.write("en/b.json", "{\"a\": \"Two\"}\n");
    bench
}

fn make_loop(bench: &Bench, path: &str) {
    let path = bench.path(path);
    let _ = std::fs::remove_file(&path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink(path.file_name().unwrap(), &path).unwrap();
}

fn run(bench: &Bench, line: &str) -> Run {
    Run::unlisted(bench.shell(&format!("tulk {line}")).output().unwrap())
}

#[test]
fn names_a_symlink_loop_in_a_project() {
    for path in ["en/c.json", "de/a.json", "de", "tulk.lock", "tulk.toml"] {
        let bench = project();
        make_loop(&bench, path);
        for command in ["sync", "sync --check", "sync status", "sync accept --to de", "sync export --to de"] {
            run(&bench, command).code(2).says(path).says(LOOP).says(HINT);
        }
        assert!(bench.requests().is_empty(), "{path}");
        std::fs::remove_file(bench.path(path)).unwrap();
        if path != "tulk.toml" {
            run(&bench, "sync").code(0);
            assert_eq!(bench.read("de/b.json"), "{\"a\": \"TWO\"}\n", "{path}");
        }
    }
}

#[test]
fn a_symlink_loop_matched_by_a_folder_wildcard_does_not_stop_other_files() {
    let bench = project();
    bench.write("tulk.toml", bench.read("tulk.toml").replace("/*.json", "/**/*.json"));
    make_loop(&bench, "en/sub");
    run(&bench, "sync").code(0);
    assert_eq!(bench.read("fr/a.json"), "{\"a\": \"ONE\"}\n");
}

#[test]
fn names_a_symlink_loop_in_place_of_any_file() {
    let bench = upper();
    bench.write("a.txt", "One\n");
    make_loop(&bench, "loop");
    for line in [
        "translate --to de -i loop",
        "translate --to de -i loop -i a.txt",
        "translate --to de --in-place -i loop",
        "translate --to de --context-file loop Hi",
        "write correct -i loop",
        "doc translate loop --to de",
        "voice stream loop --to de",
        "glossary create G --dictionary en:de=loop",
        "glossary lint loop",
        "sync --project loop",
        "sync import loop --project loop",
        "api POST /v2/translate -F a=@loop",
        "--key-file loop usage",
        "--config loop config list",
    ] {
        run(&bench, line).code(2).says("loop").says(LOOP);
    }
    for line in [
        "translate --to de -i a.txt -o loop",
        "translate --to de -i a.txt -o loop/x.txt",
        "doc translate a.txt --to de -o loop",
        "doc translate a.txt --to de -o loop/x.txt",
        "api GET /v2/usage -o loop",
    ] {
        run(&bench, line).code(2).says("loop");
    }
    assert!(bench.requests().is_empty(), "{:?}", bench.requests());
}

#[test]
fn a_symlink_loop_in_a_directory_does_not_stop_other_files() {
    let bench = upper();
    bench.write("in/a.txt", "One\n");
    make_loop(&bench, "in/b.txt");
    make_loop(&bench, "in/sub");
    run(&bench, "translate --to de -i in -o 'out/{stem}{ext}'").code(0).says("in: skipped 2 links");
    assert_eq!(bench.read("out/a.txt"), "ONE\n");
    run(&bench, "doc translate in --to de").code(0).says("in: skipped 2 links");
    assert_eq!(bench.read("in/a.de.txt"), "ONE\n");
    // Only the document with the loop fails.
    run(&bench, "doc translate in/b.txt in/a.txt --to de --force --again").code(9).says(LOOP).says("in/b.txt");
    assert_eq!(bench.read("in/a.de.txt"), "ONE\n");
}
