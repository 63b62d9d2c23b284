//! `tulk langs` and `tulk cache`.

use crate::common::Bench;

#[test]
fn lists_the_languages_of_a_resource() {
    let bench = Bench::new();
    let run = bench.run(["langs", "list"]).code(0);
    assert_eq!(run.out().lines().count(), 121, "{run}");
    assert!(run.out().contains("\nen-GB\tEnglish (British)\tfalse\ttrue\tstable\t"), "{run}");
    let german = run.out().lines().find(|line| line.starts_with("de\t")).unwrap();
    assert_eq!(
        german,
        "de\tGerman\ttrue\ttrue\tstable\tauto_detection,formality,glossary,style_rules,tag_handling,translation_memory"
    );
    let run = bench.run(["langs", "list", "--resource", "style-rules", "--columns", "lang"]).code(0);
    assert_eq!(run.out(), "de\nen\nes\nfr\nit\nja\nko\nzh\n");
    let query = bench.requests()[1]["query"].as_str().unwrap().to_owned();
    assert_eq!(query, "resource=style_rules");
    bench.run(["langs", "list", "--resource", "weather"]).code(5).says("resource");
}

#[test]
fn filters_by_role_and_includes_beta_languages() {
    let bench = Bench::new();
    let sources = bench.run(["langs", "list", "--source", "--columns", "lang"]).code(0);
    assert!(!sources.out().contains("en-GB"), "{sources}");
    let targets = bench.run(["langs", "list", "--target", "--json"]).code(0).json();
    assert!(targets.as_array().unwrap().iter().all(|l| l["usable_as_target"] == true));
    let beta = bench.run(["langs", "list", "--include", "beta,external", "--columns", "lang"]).code(0);
    assert!(beta.out().contains("\nde-CH\n"), "{beta}");
    let queries: Vec<_> = bench.requests().iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
    assert_eq!(queries, ["resource=translate_text", "include=beta&include=external&resource=translate_text"]);
    bench.run(["langs", "list", "--source", "--target"]).code(2);
}

#[test]
fn limit_ends_a_list_after_n_rows() {
    let bench = Bench::new();
    let list = |args: &[&str]| bench.run([&["langs"], args, &["--limit", "2"]].concat()).code(0);
    assert_eq!(list(&["list", "--columns", "lang"]).out(), "ace\naf\n");
    assert_eq!(list(&["list", "--target", "--columns", "lang"]).out(), "ace\naf\n");
    assert_eq!(list(&["list", "--json"]).json().as_array().map(Vec::len), Some(2));
    assert_eq!(list(&["list", "--format", "table"]).out().lines().count(), 3);
    assert_eq!(list(&["resources", "--columns", "name"]).out(), "translate_text\ntranslate_document\n");
    assert_eq!(list(&["v2", "--columns", "language"]).out(), "AR\nBG\n");
    bench.run(["langs", "list", "--limit", "0"]).code(0).prints("");
}

#[test]
fn a_table_has_one_column_per_feature() {
    let run = Bench::new().run(["langs", "list", "--resource", "write", "--format", "table"]).code(0);
    let header: Vec<_> =
        run.out().lines().next().unwrap().split("  ").map(str::trim).filter(|h| !h.is_empty()).collect();
    assert_eq!(header, ["CODE", "NAME", "SOURCE", "TARGET", "AUTO DETECTION", "TONE", "WRITING STYLE"]);
    let german: Vec<_> = run.out().lines().find(|l| l.starts_with("de ")).unwrap().split_whitespace().collect();
    assert_eq!(german, ["de", "German", "✓", "✓", "✓", "✓", "✓"]);
}

#[test]
fn lists_whether_source_or_target_must_support_a_feature() {
    let run = Bench::new().run(["langs", "resources"]).code(0);
    assert!(run.out().contains("\nwrite\tauto_detection:source,tone:target,writing_style:target\n"), "{run}");
    assert!(run.out().contains("\nglossary\t\n"), "{run}");
}

#[test]
fn checks_languages_and_features() {
    let bench = Bench::new();
    let check = |args: &[&str]| bench.run([&["langs", "check"], args].concat());
    check(&["--from", "en", "--to", "de", "--feature", "glossary,formality"]).code(0).prints("true\t\t\n");
    check(&["--from", "EN", "--to", "pt_br", "--feature", "glossary"]).code(0);
    check(&["--from", "ace", "--to", "de", "--feature", "glossary"])
        .code(1)
        .prints("false\tace does not support glossary as a source language\t\n")
        .says_nothing();
    check(&["--to", "de", "--from", "xx"])
        .code(1)
        .prints("false\txx is not a source language of translate_text\t\n")
        .says("hint: --from: `tulk langs list --source` lists the supported languages\n");
    check(&["--to", "en", "--feature", "formality"]).code(1);
    check(&["--resource", "write", "--to", "en-GB", "--feature", "tone", "--feature", "writing-style"]).code(0);
    check(&["--resource", "weather", "--to", "de"]).code(4).says("available resources: translate_text");
    check(&["--resource", "write", "--to", "de", "--feature", "song"])
        .code(1)
        .prints("false\twrite has no feature song\t\n")
        .says("hint: features of write: auto_detection, tone, writing_style\n");
    check(&["--resource", "glossary", "--to", "de", "--feature", "song"]).code(1).says_nothing();
    check(&[]).code(2).says("error: the following required arguments were not provided: <--from <LANG>|--to <LANG>>\n");
    let json = check(&["--to", "xx", "--json"]).code(1).says_nothing().json();
    assert_eq!(
        json,
        serde_json::json!({"supported": false, "missing": ["xx is not a target language of translate_text"], "notes": []})
    );
}

#[test]
fn supports_only_listed_codes() {
    let bench = Bench::new();
    for (args, missing, hint) in [
        ("--to en-uk", "en-UK is not a target language", "did you mean `en-GB`?"),
        ("--to de-XX", "de-XX is not a target language", "did you mean `de` or `de-CH`?"),
        ("--to zh-TW", "zh-TW is not a target language", "did you mean `zh-Hant`?"),
        ("--to gr", "gr is not a target language", "did you mean `el`?"),
        ("--to fr-CH --include external", "fr-CH is not a target language", "did you mean `fr`?"),
        ("--to de-CH --include external", "de-CH is not a target language", "without --include it is supported"),
        ("--from en-US", "en-US is not a source language", "did you mean `en`?"),
        ("--to xx", "xx is not a target language", "`tulk langs list --target` lists the supported languages"),
    ] {
        let run = bench.run(["langs", "check"].into_iter().chain(args.split(' '))).code(1);
        let run = run.prints(format!("false\t{missing} of translate_text\t\n"));
        assert_eq!(run.stderr, format!("hint: {hint}\n"));
    }
    let run = bench.run(["langs", "check", "--from", "en-GB", "--to", "zh-TW"]).code(1);
    run.says("hint: --from: did you mean `en`? --to: did you mean `zh-Hant`?\n");
    let run = bench.run(["langs", "check", "--resource", "write", "--to", "xx"]).code(1);
    run.says("hint: `tulk langs list --resource write --target` lists the supported languages\n");
    bench.run(["langs", "check", "--to", "german"]).code(2).says("did you mean `de`?");
    let run = bench.run(["langs", "check", "--to", "fr-CH", "--include", "beta"]).code(1);
    run.says("hint: did you mean `fr` or `fr-CA`?\n");
    bench.run(["langs", "check", "--to", "en-GB", "--from", "de", "--feature", "glossary"]).code(0);
    bench.run(["langs", "check", "--resource", "glossary", "--from", "en-US"]).code(1);
}

#[test]
fn marks_beta_languages_and_features() {
    let bench = Bench::new();
    let check = |args: &str| bench.run(["langs", "check"].into_iter().chain(args.split(' ')));
    check("--to de-CH").code(0).prints("true\t\tde-CH is beta\n").says_nothing();
    check("--to de-CH --include beta").code(0).prints("true\t\tde-CH is beta\n");
    check("--to de").code(0).prints("true\t\t\n");
    let json = check("--to de-CH --json").code(0).json();
    assert_eq!(json, serde_json::json!({"supported": true, "missing": [], "notes": ["de-CH is beta"]}));
    let spoken = "--resource voice --from de --feature spoken_terms";
    check(spoken).code(0).prints("true\t\tspoken_terms of de is beta\n");
    let run = check(&format!("{spoken} --include external")).code(1);
    let run = run.prints("false\tde does not support spoken_terms as a source language\t\n");
    assert_eq!(run.stderr, "hint: without --include it is supported\n");
    check(&format!("{spoken} --include external -q")).code(1).says_nothing();
}

#[test]
fn include_accepts_unknown_words_only_with_no_check() {
    let bench = Bench::new();
    for verb in ["list", "check --to de"] {
        let line = format!("langs {verb} --include betta");
        let run = bench.run(line.split(' ')).code(2).prints("");
        run.says("error: --include: invalid value `betta`\n")
            .says("  hint: did you mean `beta`? valid values: beta, external; --no-check sends any other word\n");
        assert!(bench.requests().is_empty());
    }
    bench.run(["langs", "list", "--include", "beta,early_access", "--no-check"]).code(5);
    bench.run(["langs", "list", "--include", "alpha", "--no-check"]).code(5).says_not("hint");
    assert_eq!(bench.requests()[0]["query"], "include=beta&include=early_access&resource=translate_text");
}

#[test]
fn every_command_suggests_the_intended_language() {
    let bench = Bench::new();
    bench.write("k.tsv", "kettle\tWasserkocher\n");
    bench.write("a.txt", "tea\n");
    bench.write("t.txt", "tea\n");
    bench.run(["glossary", "create", "G", "--dictionary", "en:de=k.tsv"]).code(0);
    bench.run(["style", "create", "S", "--language", "en"]).code(0);
    for (line, hint) in [
        ("translate --to zh-TW x", "did you mean `zh-Hant`?"),
        ("translate --to de-AT x", "did you mean `de` or `de-CH`?"),
        ("translate --from en-GB --to de x", "did you mean `en`?"),
        ("translate --from en-GB --to zh-TW x", "did you mean `zh-Hant`?"),
        ("translate --to zh-TW --formality more x", "did you mean `zh-Hant`?"),
        ("translate --to zh-TW --tag-handling html x", "did you mean `zh-Hant`?"),
        ("translate --to xx x", "`tulk langs list --target` lists the supported languages"),
        ("translate --from xx --to de --formality more x", "`tulk langs list --source` lists the supported languages"),
        ("write correct --to de-AT x", "did you mean `de`?"),
        ("write correct --to xx x", "`tulk langs list --resource write --target` lists the supported languages"),
        ("write rephrase --to en-AU --style business x", "did you mean `en`, `en-GB` or `en-US`?"),
        ("write rephrase --to de-AT --tone friendly x", "did you mean `de`?"),
        ("doc translate a.txt --to zh-TW", "did you mean `zh-Hant`?"),
        ("doc translate a.txt --from en-GB --to de", "did you mean `en`?"),
        (
            "doc translate a.txt --to xx",
            "`tulk langs list --resource translate_document --target` lists the supported languages",
        ),
        ("glossary create H --dictionary en-GB:de=k.tsv", "did you mean `en`?"),
        ("glossary create H --dictionary en:zh-TW=k.tsv", "did you mean `zh`?"),
        (
            "glossary create H --dictionary en:xx=k.tsv",
            "`tulk langs list --resource glossary` lists the supported languages",
        ),
        ("glossary set G en:de-AT k.tsv", "did you mean `de`?"),
        ("glossary merge G en:de-AT k.tsv", "did you mean `de`?"),
        ("glossary add G en:de-AT a b", "did you mean `de`?"),
        ("glossary sync G en:de-AT=k.tsv", "did you mean `de`?"),
        ("glossary sync New en:de-AT=k.tsv", "did you mean `de`?"),
        ("glossary v2 create H --dictionary en:de-AT=k.tsv", "did you mean `de`?"),
        ("style create T --language zh-TW", "did you mean `zh`?"),
        ("style create T --language xx", "`tulk langs list --resource style_rules` lists the supported languages"),
        ("style instruction add S --label l --prompt p --source-language de-AT", "did you mean `de`?"),
        ("voice session --to de --from en-GB --content-type audio/ogg", "did you mean `en`?"),
        ("voice session --to zh-TW --content-type audio/ogg", "did you mean `zh-Hant`?"),
        ("voice terms create V jp=t.txt", "did you mean `ja`?"),
    ] {
        bench.run(line.split(' ')).code(5).says(&format!("hint: {hint}\n"));
    }
    for line in
        ["translate --from auto --to de x", "doc translate a.txt --from auto --to de", "langs check --from auto"]
    {
        bench.run(line.split(' ')).code(2).says(
            "error: --from: `auto` is not a language code\n  hint: leave the source language out to detect it; write a target \
             language as a code such as de\n",
        );
    }
}

#[test]
fn the_v2_list_warns_that_it_is_deprecated() {
    let bench = Bench::new();
    let run = bench.run(["langs", "v2"]).code(0).says("deprecated");
    assert_eq!(run.out().lines().count(), 33);
    let run = bench.run(["langs", "v2", "--target", "--header"]).code(0);
    assert_eq!(run.out().lines().count(), 36);
    assert!(run.out().starts_with("language\tname\tsupports_formality\nAR\tArabic\tfalse\n"), "{run}");
    let queries: Vec<_> = bench.requests().iter().map(|r| r["query"].as_str().unwrap().to_owned()).collect();
    assert_eq!(queries, ["type=source", "type=target"]);
}

#[test]
fn replies_are_cached_unless_no_cache_is_given() {
    let bench = Bench::new();
    let first = bench.run(["langs", "list"]).code(0);
    // A cached reply needs no key.
    let again = bench.command().args(["langs", "list"]).env_remove("TULK_API_KEY").output().unwrap();
    assert_eq!(again.stdout, first.stdout);
    assert_eq!(bench.requests().len(), 1);
    bench.run(["langs", "list", "--no-cache"]).code(0);
    assert_eq!(bench.requests().len(), 2);
    let other = bench.serve(&[]);
    bench.run(["langs", "list", "--server", &other.url]).code(0);
    assert_eq!(other.requests().len(), 1, "each server has replies of its own");
    let stats = bench.run(["cache", "stats", "--columns", "cache,entries"]).code(0);
    assert_eq!(stats.out(), "languages\t2\nnames\t0\nresults\t0\n");
    bench.run(["cache", "clear", "--dry-run"]).code(0).says("would remove 2");
    bench.run(["cache", "clear"]).code(0).prints("").says("removed 2");
    assert_eq!(bench.run(["cache", "stats", "--json"]).code(0).json()[0]["entries"], 0);
    bench.run(["langs", "list"]).code(0);
    assert_eq!(bench.requests().len(), 3);
}

#[test]
fn many_processes_share_the_cache() {
    let bench = Bench::new();
    let runs: Vec<_> = (0..8)
        .map(|_| {
            let mut command = bench.command();
            command.args(["langs", "list"]).stdin(std::process::Stdio::null()).stdout(std::process::Stdio::piped());
            command.spawn().unwrap()
        })
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 121);
    }
    assert_eq!(bench.run(["cache", "stats", "--columns", "entries"]).code(0).out(), "1\n0\n0\n");
}

#[test]
fn a_reply_older_than_an_hour_is_requested_again() {
    let bench = Bench::new();
    bench.run(["langs", "resources"]).code(0);
    let stats = bench.run(["cache", "stats", "--columns", "path"]).code(0);
    let dir = std::path::PathBuf::from(stats.out().lines().next().unwrap());
    let file = std::fs::read_dir(dir).unwrap().next().unwrap().unwrap().path();
    let cached = std::fs::read_to_string(&file).unwrap();
    let (header, reply) = cached.split_once('\n').unwrap();
    let mut header: serde_json::Value = serde_json::from_str(header).unwrap();
    let stored = header["stored"].as_u64().unwrap();
    for (age, requests) in [(3500, 1), (3700, 2)] {
        header["stored"] = (stored - age).into();
        std::fs::write(&file, format!("{header}\n{reply}")).unwrap();
        bench.run(["langs", "resources"]).code(0);
        assert_eq!(bench.requests().len(), requests, "{age} seconds old");
    }
    std::fs::write(&file, "half a fi").unwrap();
    bench.run(["langs", "resources"]).code(0);
    assert_eq!(bench.requests().len(), 3, "a broken file counts as not cached");
}

#[test]
fn a_refused_resource_gets_a_hint_and_the_help_lists_the_resources() {
    let bench = Bench::new();
    let run = bench.run(["langs", "list", "--resource", "docs"]).code(5);
    run.says("\n  hint: `tulk langs resources` lists the resources\n");
    let help = Bench::bare().run(["langs", "list", "--help"]).code(0).out().to_owned();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let resources = bench.run(["langs", "resources", "--columns", "name"]).code(0).out().to_owned();
    assert!(resources.lines().count() > 5, "{resources}");
    for resource in resources.lines() {
        assert!(help.contains(&format!("{resource},")), "{resource}\n{help}");
    }
}
