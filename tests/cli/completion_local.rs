//! Completion from local files: names, documents, profiles and settings. Nothing is sent, run or written.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::Bench;
use crate::completion::{ask, candidates};

fn bench_with_names() -> Bench {
    let bench = Bench::new();
    bench.write("t.tsv", "a\tb\n");
    bench.write("t.txt", "a\n");
    for name in ["Tea house", "It's \"tea\"", "Küche: süß"] {
        bench.run(["glossary", "create", name, "--dictionary", "en:de=t.tsv"]).code(0);
    }
    bench.run(["glossary", "v2", "create", "Old", "--dictionary", "en:de=t.tsv"]).code(0);
    bench.run(["style", "create", "House", "--language", "de"]).code(0);
    bench.run(["style", "profile", "create", "Manuals"]).code(0);
    bench.run(["voice", "terms", "create", "Talk", "en=t.txt"]).code(0);
    bench
}

fn files(dir: &Path, all: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else {
            all.insert(path.display().to_string(), std::fs::read(&path).unwrap_or_default());
        }
    }
}

#[test]
fn offers_resource_names_from_earlier_listings() {
    let bench = bench_with_names();
    let glossaries = "values | It's \"tea\" Küche: süß Tea house";
    for (words, offered) in [
        (&["translate", "--glossary", ""][..], glossaries),
        (&["translate", "--glossary-id", ""], glossaries),
        (&["glossary", "show", ""], glossaries),
        (&["glossary", "delete", "Te"], "values | Tea house"),
        (&["glossary", "v2", "show", ""], "values | Old"),
        (&["translate", "--style", ""], "values | House"),
        (&["style", "instruction", "list", "H"], "values | House"),
        (&["style", "profile", "show", ""], "values | Manuals"),
        (&["translate", "--style-profile", ""], "values | Manuals"),
        (&["doc", "upload", "--style-profile-id", "M"], "values | Manuals"),
        (&["style", "profile", "create", "x", "--style", ""], "values | House"),
        (&["voice", "stream", "x", "--spoken-terms", ""], "values | Talk"),
        (&["voice", "terms", "show", "T"], "values | Talk"),
        (&["write", "rephrase", "--style", "H"], "values | "),
        (&["--sandbox", "glossary", "show", ""], "values | "),
        (&["--server", "http://127.0.0.1:1", "glossary", "show", ""], "values | "),
        (&["glossary", "create", ""], "values | "),
    ] {
        assert_eq!(candidates(&bench, words), offered, "{words:?}");
    }
    let shown = ask(&bench, &["glossary", "show", "Tea"]);
    let id = bench.run(["glossary", "show", "Tea house", "--columns", "glossary_id"]).code(0);
    shown.prints(format!("values\t\nTea house\t{}", id.out()));
}

#[test]
fn renamed_and_deleted_names_are_no_longer_offered() {
    let bench = bench_with_names();
    bench.run(["glossary", "rename", "Tea house", "Coffee house"]).code(0);
    bench.run(["glossary", "delete", "Küche: süß", "-y"]).code(0);
    assert_eq!(candidates(&bench, &["glossary", "show", ""]), "values | Coffee house It's \"tea\" Old");
    bench.run(["style", "rename", "House", "Shop"]).code(0);
    assert_eq!(candidates(&bench, &["style", "show", ""]), "values | Shop");
    bench.run(["style", "delete", "Shop", "-y"]).code(0);
    assert_eq!(candidates(&bench, &["style", "show", ""]), "values | ");
    // After `cache clear`, names are offered again once the service has listed them.
    bench.run(["cache", "clear"]).code(0);
    assert_eq!(candidates(&bench, &["glossary", "show", ""]), "values | ");
    bench.run(["glossary", "list", "--limit", "1"]).code(0);
    assert_eq!(candidates(&bench, &["glossary", "show", ""]), "values | Coffee house It's \"tea\" Old");
    // Two glossaries with the same name are offered by ID.
    bench.run(["glossary", "create", "Coffee house", "--dictionary", "en:de=t.tsv", "--no-check"]).code(0);
    let run = bench.run(["glossary", "list", "--columns", "glossary_id,name"]).code(0);
    let ids = run.out().lines().filter_map(|line| line.strip_suffix("\tCoffee house"));
    let offered = candidates(&bench, &["glossary", "show", ""]);
    assert!(ids.clone().count() == 2 && ids.into_iter().all(|id| offered.contains(id)), "{offered}");
    assert!(!offered.contains("Coffee"), "{offered}");
}

#[test]
fn stores_names_in_private_files() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = bench_with_names();
    let mut all = BTreeMap::new();
    files(&bench.path(".cache/tulk/names"), &mut all);
    assert_eq!(all.len(), 5);
    for (path, content) in all {
        assert_eq!(Path::new(&path).metadata().unwrap().permissions().mode() & 0o777, 0o600, "{path}");
        assert!(!String::from_utf8(content).unwrap().contains("\"sandbox\""), "no key is stored");
    }
    // An unwritable cache directory only means that there are no candidates.
    let bench = Bench::new();
    bench.write(".cache/tulk/names", "in the way");
    bench.write("t.tsv", "a\tb\n");
    bench.run(["glossary", "v2", "create", "Tea", "--dictionary", "en:de=t.tsv"]).code(0).says_nothing();
    bench.run(["glossary", "list", "-v"]).code(0).says("cannot keep names for completion: ");
    assert_eq!(candidates(&bench, &["glossary", "show", ""]), "values | ");
}

#[test]
fn offers_documents_with_file_and_language() {
    let bench = Bench::with(&["--engine", "echo", "--document-translate", "1h"]);
    bench.write("report.txt", "text");
    bench.run(["doc", "upload", "report.txt", "--to", "fr"]).code(0);
    let id = bench.run(["doc", "list", "--columns", "document_id"]).code(0);
    for verb in ["status", "wait", "download", "resume", "forget"] {
        ask(&bench, &["doc", verb, ""]).prints(format!("values\t\n{}\treport.txt → fr, uploaded\n", id.out().trim()));
    }
    bench.run(["doc", "forget", id.out().trim(), "-y"]).code(0);
    assert_eq!(candidates(&bench, &["doc", "forget", ""]), "values | ");
}

#[test]
fn offers_profiles_and_settings_from_the_settings_file() {
    let bench = Bench::bare();
    bench.run(["config", "set", "profiles.work.target_lang", "de"]).code(0);
    bench.run(["config", "set", "profiles.home.target_lang", "fr"]).code(0);
    bench.run(["config", "set", "services.own.base_url", "https://example.com"]).code(0);
    for (words, offered) in [
        (&["-p", ""][..], "values | home work"),
        (&["translate", "--profile=w"], "values | --profile=work"),
        (&["config", "get", ""], "values | profiles. services."),
        (&["config", "unset", "profiles.work."], "values | profiles.work.target_lang"),
        (&["config", "set", ""], "values | default_profile profiles. sandbox. services."),
        (&["config", "set", "profiles."], "values | profiles.home. profiles.work. profiles.default."),
        (&["config", "set", "profiles.new.target"], "values | "),
        (&["config", "set", "profiles.work.target"], "values | profiles.work.target_lang"),
        (&["config", "set", "services.own.base_url_u"], "values | services.own.base_url_us"),
        (&["config", "set", "sandbox.engine"], "values | sandbox.engine"),
        (&["auth", "login", "--service", ""], "values | deepl service own"),
    ] {
        assert_eq!(candidates(&bench, words), offered, "{words:?}");
    }
    let other = bench.write("other.toml", "[profiles.away]\ntarget_lang = \"it\"\n");
    assert_eq!(candidates(&bench, &["--config", other.to_str().unwrap(), "-p", ""]), "values | away");
    bench.write(".config/tulk/config.toml", "not toml");
    assert_eq!(candidates(&bench, &["-p", ""]), "values | ");
}

#[test]
fn sends_no_request_runs_no_command_and_writes_no_file() {
    let bench = bench_with_names().without("TULK_API_KEY");
    let command = format!("touch {}", bench.path("ran").display());
    bench.run(["config", "set", "profiles.default.key_command", &command]).code(0);
    bench.run(["config", "set", "profiles.public.service", "deepl"]).code(0);
    bench.run(["config", "set", "profiles.public.key_command", &command]).code(0);
    let (sent, mut before, mut after) = (bench.requests().len(), BTreeMap::new(), BTreeMap::new());
    files(bench.dir(), &mut before);
    for words in [
        &["glossary", "show", ""][..],
        &["-p", "public", "glossary", "show", ""],
        &["-p", "unknown", "translate", "--style", ""],
        &["translate", "--to", ""],
        &["doc", "status", ""],
        &["config", "set", "profiles."],
        &["--sandbox", "translate", "--glossary", ""],
    ] {
        ask(&bench, words);
    }
    files(bench.dir(), &mut after);
    assert_eq!(bench.requests().len(), sent);
    assert!(before == after, "files changed");
    assert!(!bench.path("ran").exists());
}
