//! Where the rules of the public service differ from those of a generic one, in tulk and in the sandbox.

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};
use crate::voice::wav;

const FILE: &str = ".config/tulk/config.toml";
const PUBLIC: &str = "[profiles.default]\nservice = \"deepl\"\n";

/// Starts a sandbox with the rules of the public service, and a profile that names this service.
fn public(flags: &[&str]) -> Bench {
    let bench = Bench::with(&[&["--service", "deepl"], flags].concat());
    bench.write(FILE, PUBLIC);
    bench
}

fn create_kitchen(bench: &Bench) -> String {
    bench.write("en.tsv", "kettle\tWasserkocher\n");
    bench.write("fr.tsv", "bouilloire\tWasserkocher\n");
    let run = bench
        .run([
            "glossary",
            "create",
            "Kitchen",
            "--dictionary",
            "en:de=en.tsv",
            "--dictionary",
            "fr:de=fr.tsv",
            "--json",
        ])
        .code(0);
    run.json()["glossary_id"].as_str().unwrap().to_owned()
}

fn last_body(bench: &Bench) -> Value {
    bench.requests().pop().unwrap()["body"].clone()
}

const ENGLISH: &str = "The kettle is on the table and the water is hot.";
const FRENCH: &str = "La bouilloire est sur la table et l'eau est chaude.";
const SPANISH: &str = "El agua caliente está sobre la mesa de la cocina.";

#[test]
fn the_detected_language_of_each_text_selects_its_dictionary() {
    let bench = public(&["--engine", "upper"]);
    let id = create_kitchen(&bench);
    let run = bench.run(["translate", "--to", "de", "--glossary", "Kitchen", ENGLISH, FRENCH, SPANISH]).code(0);
    run.prints(format!(
        "THE Wasserkocher IS ON THE TABLE AND THE WATER IS HOT.\n\
         LA Wasserkocher EST SUR LA TABLE ET L'EAU EST CHAUDE.\n{}\n",
        SPANISH.to_uppercase()
    ));
    let body = json!({"text": [ENGLISH, FRENCH, SPANISH], "target_lang": "DE", "glossary_id": id});
    assert_eq!(last_body(&bench), body);
    let unknown = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69";
    bench.run(["translate", "--to", "de", "--glossary", unknown, ENGLISH]).code(4).says("Glossary not found");
}

#[test]
fn a_document_with_a_glossary_needs_a_source_language() {
    let bench = public(&[]);
    create_kitchen(&bench);
    bench.write("menu.txt", ENGLISH);
    let before = bench.requests().len();
    let run = bench.run(["doc", "translate", "menu.txt", "--to", "de", "--glossary", "Kitchen"]).code(2);
    run.says("error: a glossary requires a source language\n").says("  hint: add --from LANG\n");
    assert_eq!(bench.requests().len(), before);
}

#[test]
fn the_generic_service_refuses_a_glossary_without_a_source_language() {
    let bench = Bench::new();
    create_kitchen(&bench);
    let args = ["translate", "--to", "de", "--glossary", "Kitchen", ENGLISH];
    bench.run(args).code(2).says("error: a glossary requires a source language\n");
    let run = bench.run(args.into_iter().chain(["--no-check"])).code(5);
    run.says("Use of a glossary requires the 'source_lang' parameter to be specified");
}

#[test]
fn a_glossary_edit_invalidates_results_without_a_source_language_but_a_rename_does_not() {
    let bench = public(&["--engine", "echo"]);
    create_kitchen(&bench);
    let translate = || {
        let before = bench.requests().len();
        bench.run(["translate", "--to", "de", "--glossary", "Kitchen", "--cache", FRENCH]).code(0);
        bench.requests()[before..].iter().filter(|request| request["path"] == "/v2/translate").count()
    };
    assert_eq!((translate(), translate()), (1, 0));
    bench.write("fr.tsv", "bouilloire\tKessel\n");
    bench.run(["glossary", "set", "Kitchen", "fr:de", "fr.tsv", "-y"]).code(0);
    assert_eq!((translate(), translate()), (1, 0), "the number of entries is the same");
    bench.run(["glossary", "rename", "Kitchen", "Tea"]).code(0);
    bench
        .run(["translate", "--to", "de", "--glossary", "Tea", "--cache", "--stats", FRENCH])
        .code(0)
        .says("requests 0");
}

#[test]
fn accepts_swiss_german_and_canadian_french() {
    let bench = public(&["--engine", "echo"]);
    for lang in ["de-CH", "fr-CA"] {
        let run = bench.run(["translate", "--to", lang, "--show-billed-characters", "tea", "--json"]).code(0);
        assert_eq!(run.json()["translations"][0]["billed_characters"], 3);
        bench.write("menu.txt", "tea");
        bench.run(["doc", "translate", "menu.txt", "--to", lang, "--force"]).code(0).says_not("beta");
        bench.run(["langs", "check", "--to", lang]).code(0).prints("true\t\t\n");
    }
    let generic = Bench::new();
    let run = generic.run(["translate", "--to", "de-CH", "--show-billed-characters", "tea", "--json"]).code(0);
    assert_eq!(run.json()["translations"][0]["billed_characters"], 0);
    generic.write("menu.txt", "tea");
    generic
        .run(["doc", "translate", "menu.txt", "--to", "de-CH"])
        .code(5)
        .says("Value for 'target_lang' not supported");
}

#[test]
fn a_style_list_of_a_variant_applies_to_that_variant_only() {
    let bench = public(&["--engine", "echo"]);
    let run = bench.run(["style", "create", "Swiss", "--language", "de-ch", "--json"]).code(0);
    assert_eq!(run.json()["language"], "de-CH");
    assert_eq!(last_body(&bench), json!({"name": "Swiss", "language": "de-CH"}));
    bench.run(["translate", "--to", "de-CH", "--style", "Swiss", "tea"]).code(0).prints("tea\n");
    let run = bench.run(["translate", "--to", "de", "--style", "Swiss", "tea"]).code(5);
    run.says("The language of the style rule list does not match 'target_lang'")
        .says("  hint: the style rule list must be in the target language or its base language (`tulk style show ");
    bench.run(["style", "create", "Dutch", "--language", "nl"]).code(0);
    let run = bench.run(["langs", "list", "--resource", "style_rules", "--include", "beta", "--json"]).code(0);
    assert_eq!(run.json().as_array().unwrap().len(), 45);
    let generic = Bench::new();
    generic.run(["style", "create", "Swiss", "--language", "de-CH"]).code(5).says("Value for 'language' not supported");
}

#[test]
fn a_threshold_below_50_gets_a_hint_and_is_sent_as_given() {
    let id = "7c1f2a90-b3d4-4e5f-8071-8293a4b5c6d7";
    let args =
        ["translate", "--to", "de", "--translation-memory", id, "--translation-memory-threshold", "30", "-n", "tea"];
    let hint = "hint: the service treats --translation-memory-threshold 30 as 50, its minimum\n";
    let bench = public(&[]);
    let run = bench.run(args).code(0).says(hint);
    assert!(run.out().contains(r#""translation_memory_threshold":30"#), "{}", run.out());
    bench.write("menu.txt", "tea");
    let doc = ["doc", "translate", "menu.txt", "--to", "de", "--translation-memory", id];
    bench.run(doc.into_iter().chain(["--translation-memory-threshold", "30", "-n"])).code(0).says(hint);
    bench.run(doc.into_iter().chain(["--translation-memory-threshold", "50", "-n"])).code(0).says_not("the lowest");
    for command in [&["translate", "tea"][..], &["doc", "translate", "menu.txt"]] {
        let profile = ["--to", "de", "--style-profile", id, "--translation-memory-threshold", "30", "-n"];
        bench.run(command.iter().chain(&profile)).code(0).says(hint);
    }
    Bench::new().run(args).code(0).says_not("the lowest");
}

#[test]
fn the_fast_model_takes_every_feature() {
    let bench = public(&[]);
    let args =
        ["translate", "--to", "de", "--model-type", "latency_optimized", "--custom-instruction", "Be brief", "tea"];
    bench.run(args).code(0);
    Bench::new().run(args).code(2).says("--custom-instruction needs the quality model");
}

#[test]
fn only_the_public_service_gets_a_reporting_tag_for_voice() {
    let args = ["voice", "session", "talk.wav", "--to", "fr-CA,ca", "--speak", "he", "--voice", "match", "--json"];
    let args = || args.into_iter().chain(["--reporting-tag", "Meetings"]);
    let bench = public(&[]);
    bench.write("talk.wav", wav(100));
    bench.run(args()).code(0);
    let request = bench.requests().pop().unwrap();
    assert_eq!(request["headers"]["x-deepl-reporting-tag"], "Meetings");
    assert_eq!(
        request["body"],
        json!({
            "source_media_content_type": "audio/pcm;encoding=s16le;rate=16000", "target_languages": ["fr-CA", "ca"],
            "target_media_languages": ["he"], "target_media_voice": "match",
        })
    );
    let api =
        ["api", "POST", "/v3/voice/realtime", "-f", "source_media_content_type=audio/flac", "--reporting-tag", "x"];
    bench.run(api).code(0);
    assert_eq!(bench.requests().pop().unwrap()["headers"]["x-deepl-reporting-tag"], "x");
    bench
        .run(["voice", "session", "talk.wav", "--reporting-tag", "a b"])
        .code(2)
        .says("must be ASCII text without spaces");

    let generic = Bench::new();
    generic.write("talk.wav", wav(100));
    generic.run(args()).code(0);
    generic.run(api).code(0);
    for request in generic.requests() {
        assert_eq!(request["headers"]["x-service-reporting-tag"], Value::Null);
    }
}

#[test]
fn the_sandbox_in_a_command_follows_the_service_of_the_profile() {
    let bench = Bench::bare().env("TULK_SANDBOX", "1").env("TULK_SANDBOX_EPHEMERAL", "1");
    let billed = |bench: &Bench| {
        let args = ["translate", "--to", "de-CH", "--show-billed-characters", "tea", "--json"];
        bench.run(args).code(0).json()["translations"][0]["billed_characters"].clone()
    };
    let check = ["langs", "check", "--to", "de-CH"];
    assert_eq!(billed(&bench), 0);
    bench.run(check).code(0).prints("true\t\tde-CH is beta\n");
    bench.write(FILE, PUBLIC);
    assert_eq!(billed(&bench), 3);
    bench.run(check).code(0).prints("true\t\t\n");
    let bench = bench.env("TULK_SANDBOX_SERVICE", "service");
    assert_eq!(billed(&bench), 0);
    bench.write(FILE, "[sandbox]\nservice = \"deepl\"\n");
    let bench = bench.without("TULK_SANDBOX_SERVICE");
    assert_eq!(billed(&bench), 3);
    bench.write(FILE, "");
    assert_eq!(billed(&bench.env("DEEPL_AUTH_KEY", "k")), 3);
}

fn usage(status: u16, body: &'static str) -> crate::common::Run {
    let server = ScriptedServer::start(move |_| answer(status, &["content-type: application/json"], body));
    let bench = Bench::bare().env("TULK_API_KEY", "k");
    bench.run(["usage", "--retries", "0", "--server", &server.url])
}

#[test]
fn understands_errors_of_every_shape() {
    for body in [
        r#"{"message":"No luck"}"#,
        r#"{"Message":"No luck"}"#,
        r#"{"error":{"message":"No luck"}}"#,
        r#"{"error":"No luck"}"#,
    ] {
        usage(400, body).code(5).says("error: the service refused the request: No luck (400)\n");
    }
    usage(400, "{}").code(5).says("error: the service returned 400 Bad Request\n");
    let run = usage(400, r#"{"error":{"message":"No luck"},"detail":"of 3","code":"x1"}"#).code(5);
    run.says("error: the service refused the request: No luck: of 3 (400, code x1)\n");
    usage(409, r#"{"message":"Already running"}"#).code(5).says("Already running");
}

#[test]
fn a_key_without_a_scope_gets_a_hint_naming_the_scope() {
    let run = usage(403, r#"{"message":"Forbidden","detail":"Missing scopes: usage:read"}"#).code(3);
    run.says("error: the service refused the request: Forbidden: Missing scopes: usage:read (403)\n").says(
        "  hint: this needs a key with the scope `usage:read`, or one without scopes; the key from TULK_API_KEY has \
         other scopes\n",
    );
}

#[test]
fn an_api_request_may_have_fields_unknown_to_tulk() {
    let bench = public(&[]);
    bench.run(["api", "POST", "/v3/style_rules", "-f", "name=Shop", "-f", "language=de", "-F", "new[a]=1"]).code(0);
    assert_eq!(last_body(&bench), json!({"name": "Shop", "language": "de", "new": {"a": 1}}));
}
