//! `--cache`: what the key of a cached result depends on. A relevant change sends the text again, an irrelevant one does not.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::cached_results::{sent_by, texts};
use crate::common::Bench;
use crate::common::help_tree::section;
use crate::common::scripted::{ScriptedServer, answer};

/// Options of translate that change the result, each with a value other than the default.
const CHANGES: &[&[&str]] = &[
    &["--from=en"],
    &["--from=nl"],
    &["--formality=less"],
    &["--formality=more"],
    &["--model-type=quality_optimized"],
    &["--split-sentences=0"],
    &["--preserve-formatting"],
    &["--custom-instruction=Be short"],
    &["--custom-instruction=Be short", "--custom-instruction=Be kind"],
    &["--context=a café"],
    &["--context-file=context.txt"],
    &["--translation-memory=ID"],
    &["--translation-memory=ID", "--translation-memory-threshold=80"],
    &["--tag-handling=xml"],
    &["--tag-handling=html"],
    &["--tag-handling=xml", "--tag-handling-version=v1"],
    &["--tag-handling=xml", "--no-outline-detection"],
    &["--tag-handling=xml", "--splitting-tags=p"],
    &["--tag-handling=xml", "--non-splitting-tags=p"],
    &["--tag-handling=xml", "--ignore-tags=p"],
    &["--param=tone=\"dry\""],
    &["--param=tone=\"wet\""],
];

/// Other flags of translate: they have their own tests or do not change the result.
const OTHERS: [&str; 7] = [
    "--glossary",
    "--style",
    "--style-profile",
    "--context-lines",
    "--front-matter",
    "--show-billed-characters",
    "--outline-detection",
];

const MEMORIES: &str = r#"[{"translation_memory_id":"5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69","name":"Manuals",
    "source_language":"en","target_languages":["de"],"segments":[]}]"#;

#[test]
fn every_option_that_changes_the_result_is_part_of_the_key() {
    let bench = Bench::bare();
    bench.write("memories.json", MEMORIES);
    let memories = bench.path("memories.json").display().to_string();
    let bench = Bench::with(&["--engine", "echo", "--memories", &memories]);
    bench.write("context.txt", "a kitchen");
    let run = |flags: &[&str]| {
        let flags = flags.iter().map(|flag| flag.replace("ID", "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69"));
        let args = ["translate", "--cache", "kettle"].map(str::to_owned).into_iter().chain(flags);
        sent_by(&bench, || drop(bench.run(args).code(0).prints("kettle\n"))).len()
    };
    for to in [&["--to=de"], &["--to=fr"], &["--to=en-US"], &["--to=en-GB"]] {
        assert_eq!((run(to), run(to)), (1, 0), "{to:?}");
    }
    for change in CHANGES {
        let flags: Vec<&str> = ["--to=de"].iter().chain(*change).copied().collect();
        assert_eq!((run(&flags), run(&flags)), (1, 0), "{change:?}");
    }
    for same in [
        &["--show-billed-characters"][..],
        &["--reporting-tag=team"],
        &["--concurrency=2", "--stats", "--keep-going", "--retries=0"],
        &["--format=text", "-v"],
        &["--no-check"],
    ] {
        let flags: Vec<&str> = ["--to=de"].iter().chain(same).copied().collect();
        assert_eq!(run(&flags), 0, "{same:?}");
    }
}

#[test]
fn the_test_covers_every_option_of_translate() {
    let bench = Bench::bare();
    let help = bench.run(["translate", "--help"]).code(0);
    let lines = [section(help.out(), "Translation:"), section(help.out(), "Markup:")].concat();
    let words = lines.iter().flat_map(|line| line.split_whitespace().take(2));
    let flags: BTreeSet<&str> =
        words.filter(|word| word.starts_with("--")).map(|word| word.split(['=', '[']).next().unwrap()).collect();
    assert!(flags.len() > 15, "{flags:?}");
    let known: BTreeSet<&str> =
        CHANGES.concat().into_iter().map(|flag| flag.split('=').next().unwrap()).chain(OTHERS).collect();
    let missing: Vec<_> = flags.difference(&known).collect();
    assert!(missing.is_empty(), "not in CHANGES: {missing:?}");
}

#[test]
fn the_options_and_commands_of_write_are_part_of_the_key() {
    let bench = Bench::new();
    for args in [
        &["correct"][..],
        &["rephrase"],
        &["correct", "--to=en-US"],
        &["rephrase", "--to=en-US"],
        &["rephrase", "--to=en-GB"],
        &["rephrase", "--to=en-US", "--style=business"],
        &["rephrase", "--to=en-US", "--style=simple"],
        &["rephrase", "--to=en-US", "--tone=friendly"],
    ] {
        let run = || {
            let args = ["write"].iter().chain(args).chain(&["--cache", "we was late"]);
            sent_by(&bench, || drop(bench.run(args).code(0))).len()
        };
        assert_eq!((run(), run()), (1, 0), "{args:?}");
    }
}

#[test]
fn the_server_is_part_of_the_key() {
    let bench = Bench::new();
    let other = bench.serve(&["--engine", "upper"]);
    bench.run(["translate", "--to", "de", "--cache", "tea"]).code(0).prints("tea\n");
    for _ in 0..2 {
        bench.run(["translate", "--to", "de", "--cache", "tea", "--server", &other.url]).code(0).prints("TEA\n");
    }
    assert_eq!((other.requests().len(), texts(&bench).len()), (1, 1));
}

#[test]
fn the_settings_of_the_embedded_sandbox_are_part_of_the_key() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1");
    let phrases = |text: &str| bench.write("phrases.tsv", format!("en\tde\ttea\t{text}\n")).display().to_string();
    let run = |variables: &[(&str, &str)]| {
        let mut command = bench.command();
        command.args(["translate", "--from", "en", "--to", "de", "--cache", "--stats", "-q", "tea"]);
        let run: crate::common::Run = command.envs(variables.iter().copied()).output().unwrap().into();
        let run = run.code(0);
        (run.out().to_owned(), run.stderr.contains("cache hits 1"))
    };
    for (engine, expected) in [("echo", "tea\n"), ("upper", "TEA\n")] {
        let variables = [("TULK_SANDBOX_ENGINE", engine)];
        assert_eq!(run(&variables), (expected.to_owned(), false));
        assert_eq!(run(&variables), (expected.to_owned(), true));
        assert_eq!(run(&[variables[0], ("TULK_SANDBOX_LATENCY", "1ms")]), (expected.to_owned(), true));
    }
    for text in ["Tee", "Schwarztee"] {
        let path = phrases(text);
        assert_eq!(run(&[("TULK_SANDBOX_PHRASES", &path)]), (format!("{text}\n"), false));
        assert_eq!(run(&[("TULK_SANDBOX_PHRASES", &path)]), (format!("{text}\n"), true));
    }
}

#[test]
fn editing_a_glossary_invalidates_results() {
    let bench = Bench::with(&["--engine", "pseudo"]);
    bench.write("k.tsv", "kettle\tKessel\n");
    bench.write("f.tsv", "kettle\tbouilloire\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=k.tsv", "--dictionary", "en:fr=f.tsv"]).code(0);
    let args = ["translate", "--from", "en", "--glossary", "Kitchen", "--cache", "kettle"];
    let run = |to: &str| {
        let run = bench.run(args.iter().chain(&["--to", to, "--stats"])).code(0);
        (run.out().trim().to_owned(), run.stderr.contains("requests 0"))
    };
    assert_eq!(run("de"), ("Kessel".to_owned(), false));
    assert_eq!(run("de"), ("Kessel".to_owned(), true));
    assert_eq!(run("fr"), ("bouilloire".to_owned(), false));
    bench.run(["glossary", "add", "Kitchen", "en:de", "kettle", "Wasserkocher"]).code(0);
    assert_eq!(run("de"), ("Wasserkocher".to_owned(), false));
    assert_eq!(run("fr"), ("bouilloire".to_owned(), true), "the dictionary of this pair is the same");
    bench.run(["glossary", "add", "Kitchen", "en:de", "kettle", "Kessel"]).code(0);
    bench.run(["glossary", "rename", "Kitchen", "Kitchen"]).code(0);
    assert_eq!(run("de"), ("Kessel".to_owned(), true), "it is as it was");
    let id = bench.run(["glossary", "show", "Kitchen", "--jq", ".glossary_id"]).code(0).out().trim().to_owned();
    for (word, used) in [("Kessel", false), ("Kessel", true), ("Topf", false), ("Topf", true)] {
        bench.run(["glossary", "add", "Kitchen", "en:de", "kettle", word]).code(0);
        let param =
            ["--param", &format!("glossary_id=\"{id}\""), "--param", "source_lang=\"EN\"", "--to", "de", "--stats"];
        let run = bench.run(["translate", "--cache", "kettle"].iter().chain(&param)).code(0);
        assert_eq!((run.out().trim(), run.stderr.contains("requests 0")), (word, used));
    }
    // One dictionary serves all variants of a language.
    bench.run(["glossary", "create", "Tea", "--dictionary", "en:pt=f.tsv"]).code(0);
    for used in [false, true] {
        let both = ["--glossary", "Tea", "--from", "en", "--to", "pt-BR,pt-PT", "--cache", "--stats", "kettle"];
        let run = bench.run(["translate"].iter().chain(&both)).code(0);
        run.says(if used { "cache hits 2" } else { "cache hits 0" });
    }
}

#[test]
fn results_with_a_v2_glossary_stay_valid() {
    let bench = Bench::with(&["--engine", "pseudo"]);
    bench.write("k.tsv", "kettle\tKessel\n");
    bench.run(["glossary", "v2", "create", "Old", "--dictionary", "en:de=k.tsv"]).code(0);
    let id = bench.run(["glossary", "v2", "list", "--columns", "glossary_id"]).code(0).out().trim().to_owned();
    let args = ["translate", "--from", "en", "--to", "de", "--glossary", &id, "--cache", "kettle"];
    for expected in [1, 0] {
        let sent = sent_by(&bench, || drop(bench.run(args).code(0).prints("Kessel\n").says_nothing()));
        assert_eq!(sent.len(), expected);
    }
}

#[test]
fn editing_a_style_rule_list_invalidates_results() {
    let bench = Bench::new();
    bench.run(["style", "create", "Shop", "--language", "de"]).code(0);
    let args = ["translate", "--to", "de", "--style", "Shop", "--cache", "tea"];
    let run = || sent_by(&bench, || drop(bench.run(args).code(0))).len();
    assert_eq!((run(), run()), (1, 0));
    bench.run(["style", "instruction", "add", "Shop", "--label", "short", "--prompt", "Be short"]).code(0);
    assert_eq!((run(), run()), (1, 0));
    bench.run(["style", "rename", "Shop", "Store"]).code(0);
    let renamed = args.map(|word| if word == "Shop" { "Store" } else { word });
    assert_eq!(sent_by(&bench, || drop(bench.run(renamed).code(0))).len(), 0, "a name changes no result");
}

#[test]
fn changing_a_translation_memory_invalidates_results() {
    const ID: &str = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69";
    let (segments, translations) = (Arc::new(AtomicUsize::new(1)), Arc::new(AtomicUsize::new(0)));
    let (count, paid) = (Arc::clone(&segments), Arc::clone(&translations));
    let server = ScriptedServer::start(move |request| {
        let body = if request.starts_with("GET /v3/translation_memories") {
            let count = count.load(Ordering::SeqCst);
            format!(
                r#"{{"translation_memories":[{{"translation_memory_id":"{ID}","name":"m","segment_count":{count}}}]}}"#
            )
        } else {
            paid.fetch_add(1, Ordering::SeqCst);
            r#"{"translations":[{"text":"Tee"}]}"#.to_owned()
        };
        answer(200, &["content-type: application/json"], body)
    });
    let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    let run = || {
        bench
            .run(["translate", "--from", "en", "--to", "de", "--translation-memory", ID, "--cache", "tea"])
            .code(0)
            .prints("Tee\n");
        translations.load(Ordering::SeqCst)
    };
    assert_eq!((run(), run()), (1, 1));
    segments.store(2, Ordering::SeqCst);
    assert_eq!((run(), run()), (2, 2));
    segments.store(1, Ordering::SeqCst);
    assert_eq!(run(), 2);
}

#[test]
fn does_not_cache_results_of_assets_whose_state_is_unknown() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "500;path=/v3/style_rules"]);
    let id = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69";
    let args = ["translate", "--to", "de", "--style", id, "--cache", "--retries", "0", "tea"];
    // The style rule list does not exist, so the service refuses the translation.
    bench.run(args).code(4).says("warning: the cache is not used: ");
    // Without text, the state of the list is not requested.
    let before = bench.requests().len();
    bench.pipe(" \n", ["translate", "--to", "de", "--style", id, "--cache"]).code(0).prints(" \n").says_nothing();
    assert_eq!(bench.requests().len(), before);
    // A wrong key ends the run at the first request.
    let wrong = Bench::new().env("TULK_API_KEY", "invalid");
    wrong.run(args).code(3).says_not("the cache is not used");
    assert_eq!(wrong.requests().len(), 1);
    // A dry run without a key cannot request the state of the list.
    let bare = Bench::bare();
    let run = bare.run(["--server", "http://127.0.0.1:9"].iter().chain(&args).chain(&["-n"])).code(0);
    run.says("hint: --cache needs a key here");
}
