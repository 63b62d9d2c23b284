//! Defaults of a profile and how flags drop them; lists; switches with a value.

use serde_json::{Value, json};

use crate::common::Bench;

const FILE: &str = ".config/tulk/config.toml";

const EVERY_DEFAULT: &str = r#"[profiles.default]
target_lang = "de"
source_lang = "en"
formality = "prefer_more"
model_type = "quality_optimized"
split_sentences = "0"
preserve_formatting = true
show_billed_characters = true
custom_instruction = ["be brief"]
tag_handling = "xml"
tag_handling_version = "v2"
outline_detection = true
non_splitting_tags = ["a"]
splitting_tags = ["p"]
ignore_tags = ["code"]
context = "a menu"
translation_memory_threshold = 80
reporting_tag = "docs"
glossary = "no such glossary"
style = "no such style"
translation_memory = "no such memory"
style_profile = "no such profile"
"#;

fn last_body(bench: &Bench) -> Value {
    bench.requests().pop().unwrap()["body"].clone()
}

#[test]
fn the_value_none_drops_the_default_of_every_option() {
    let bench = Bench::new();
    bench.write(FILE, EVERY_DEFAULT);
    let flags = "--from --formality --model-type --split-sentences --preserve-formatting --show-billed-characters \
                 --custom-instruction --tag-handling --tag-handling-version --outline-detection --non-splitting-tags \
                 --splitting-tags --ignore-tags --context --translation-memory-threshold --reporting-tag --glossary \
                 --style --translation-memory --style-profile";
    let spaced = flags.split_whitespace().flat_map(|flag| [flag.to_owned(), "none".to_owned()]);
    let joined = flags.split_whitespace().map(|flag| format!("{flag}=none"));
    for flags in [spaced.collect::<Vec<_>>(), joined.collect()] {
        bench.run(["translate".to_owned()].into_iter().chain(flags).chain(["Hi".to_owned()])).code(0).prints("Hi\n");
        let request = bench.requests().pop().unwrap();
        assert_eq!(request["body"], json!({"text": ["Hi"], "target_lang": "DE"}));
        assert_eq!(request["headers"]["x-service-reporting-tag"], Value::Null);
    }
    assert_eq!(bench.requests().len(), 2);
    bench.run(["translate", "--to", "none", "Hi"]).code(2).says("no target language is set");
}

#[test]
fn the_value_none_also_works_for_aliases_documents_and_variables() {
    let bench = Bench::new().env("TULK_REPORTING_TAG", "none");
    bench.write(
        FILE,
        "[profiles.default]\nsource_lang = \"en\"\nformality = \"prefer_more\"\nreporting_tag = \"docs\"\n",
    );
    bench.run(["t", "-t", "de", "-qfnone", "--formality", "none", "Hi"]).code(0);
    bench.run(["translate", "--target-lang", "de", "--source-lang", "none", "--formality", "less", "Hi"]).code(0);
    let bodies: Vec<Value> = bench.requests().into_iter().map(|request| request["body"].clone()).collect();
    assert_eq!(bodies[0], json!({"text": ["Hi"], "target_lang": "DE"}));
    assert_eq!(bodies[1], json!({"text": ["Hi"], "target_lang": "DE", "formality": "less"}));
    assert_eq!(bench.requests()[0]["headers"]["x-service-reporting-tag"], Value::Null);
    bench.write("a.txt", "hello");
    let run =
        bench.run(["doc", "translate", "-n", "a.txt", "--to", "de", "--from", "none", "--formality", "none"]).code(0);
    assert!(!run.out().contains("source_lang") && !run.out().contains("formality"), "{run}");
    bench.run(["write", "rephrase", "--style", "none", "Hi"]).code(2).says("error: --style: invalid value `none`\n");
    bench.run(["translate", "--to", "de", "--", "--formality", "none"]).code(0).prints("--formality\nnone\n");
}

#[test]
fn a_profile_can_have_several_target_languages() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write(FILE, "[profiles.default]\ntarget_lang = [\"de\", \"fr\"]\n");
    bench.run(["translate", "Hi"]).code(0).prints("de\tHI\nfr\tHI\n");
    bench.run(["translate", "--to", "it", "Hi"]).code(0).prints("HI\n");
    bench.run(["config", "set", "profiles.default.target_lang", "pl", "pl", "cs"]).code(0);
    bench.run(["translate", "Hi"]).code(0).prints("pl\tHI\ncs\tHI\n");
    bench.write(FILE, "[profiles.default]\ntarget_lang = [\"de\", \"f r\"]\n");
    bench.run(["translate", "Hi"]).code(2).says("config.toml:2:1").says("`f r`");
}

#[test]
fn a_backslash_before_a_comma_keeps_it_in_the_name() {
    let bench = Bench::new();
    bench.write("terms.tsv", "pot\tTopf\n");
    for name in ["Pots, pans", "Tea"] {
        bench.run(["glossary", "create", name, "--dictionary", "en:de=terms.tsv"]).code(0);
    }
    let translate = ["translate", "--to", "de", "--from", "en", "pot"];
    bench.run(translate.iter().chain(&["--glossary", "Pots\\, pans,Tea"])).code(0);
    assert_eq!(last_body(&bench)["glossary_ids"].as_array().unwrap().len(), 2);
    bench.run(translate.iter().chain(&["--glossary", "Pots, pans"])).code(4).says("no glossary named `Pots`");
    bench.write(FILE, "[profiles.default]\nglossary = 'Pots\\, pans, Tea'\n");
    bench.run(translate).code(0);
    assert_eq!(last_body(&bench)["glossary_ids"].as_array().unwrap().len(), 2);
    bench.write(FILE, "[profiles.default]\nglossary = ['Pots\\, pans']\n");
    bench.run(translate).code(0);
    assert!(last_body(&bench)["glossary_id"].is_string());
}

#[test]
fn aliases_of_switches_take_a_value_after_a_space() {
    let bench = Bench::new();
    for (flags, field, value) in [
        (&["--outline-detection", "false", "--tag-handling", "xml"][..], "outline_detection", json!(false)),
        (&["--outline-detection=true", "--tag-handling", "xml"], "outline_detection", json!(true)),
        (&["--preserve-formatting", "false"], "preserve_formatting", json!(false)),
        (&["--preserve-formatting"], "preserve_formatting", json!(true)),
        (&["--show-billed-characters", "true"], "show_billed_characters", json!(true)),
        (&["--show-billed-characters"], "show_billed_characters", json!(true)),
    ] {
        let run = bench.run(["translate", "--to", "de"].iter().chain(flags).chain(&["hello"])).code(0);
        run.prints("hello\n");
        assert_eq!((&last_body(&bench)[field], &last_body(&bench)["text"]), (&value, &json!(["hello"])), "{flags:?}");
    }
    bench.run(["translate", "--to", "de", "--preserve-formatting", "--", "false"]).code(0).prints("false\n");
}
