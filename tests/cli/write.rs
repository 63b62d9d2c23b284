//! `tulk write`.

use serde_json::json;

use crate::common::Bench;

fn improving() -> Bench {
    Bench::with(&["--engine", "pseudo"])
}

#[test]
fn rephrases_and_corrects_arguments_files_and_stdin() {
    let bench = improving();
    bench.run(["write", "correct", "we was late becuase of rain"]).code(0).prints("We was late because of rain\n");
    assert_eq!(bench.sent()[0], ("POST /v2/write/correct".into(), json!({"text": ["we was late becuase of rain"]})));
    bench
        .run(["write", "rephrase", "--to", "EN_gb", "we utilize a very gray color"])
        .code(0)
        .prints("We use a grey colour\n");
    let body = json!({"text": ["we utilize a very gray color"], "target_lang": "en-GB"});
    assert_eq!(bench.sent()[1], ("POST /v2/write/rephrase".into(), body));
    bench.write("a.txt", "teh end");
    bench.run(["write", "correct", "-i", "a.txt"]).code(0).prints("The end");
    bench
        .pipe("teh one\r\n\r\nteh two\r\n", ["write", "correct", "--lines"])
        .code(0)
        .prints("The one\r\n\r\nThe two\r\n");
    assert_eq!(bench.sent().pop().unwrap().1, json!({"text": ["teh one", "teh two"]}));
    bench.pipe(" \n", ["write", "correct"]).code(0).prints(" \n");
    assert_eq!(bench.requests().len(), 4);
}

#[test]
fn sends_styles_and_tones_as_written_but_not_both() {
    let bench = Bench::new();
    bench.run(["write", "rephrase", "--style", "prefer-academic", "x"]).code(0);
    assert_eq!(bench.sent()[0].1, json!({"text": ["x"], "writing_style": "prefer_academic"}));
    bench.run(["write", "rephrase", "--tone", "friendly", "--to", "de", "x"]).code(0);
    assert_eq!(bench.sent()[1].1, json!({"text": ["x"], "target_lang": "de", "tone": "friendly"}));
    bench
        .run(["write", "rephrase", "--tone", "default", "--style", "default", "x"])
        .code(2)
        .says("--style cannot be used with --tone");
    bench.run(["write", "rephrase", "--style", "poetic", "x"]).code(2).says("prefer_simple");
    bench.run(["write", "correct", "--style", "simple", "x"]).code(2).says("--style");
    assert_eq!(bench.requests().len(), 2);
    bench.run(["write", "rephrase", "--no-check", "--tone", "default", "--style", "default", "x"]).code(5);
    bench.run(["write", "rephrase", "--tone", "confident", "--to", "ja", "x"]).code(5).says("tone");
    bench.run(["write", "rephrase", "--tone", "prefer_confident", "--to", "ja", "x"]).code(0);
    bench.run(["write", "rephrase", "--to", "pl", "x"]).code(5).says("target_lang");
}

#[test]
fn a_refused_style_tone_or_language_gets_a_hint() {
    let bench = Bench::new();
    let refused = |flags: &[&str]| bench.run(["write", "rephrase", "x"].iter().chain(flags)).code(5);
    refused(&["--to", "ja", "--style", "business"]).says(
        "hint: --style prefer_business applies only if the language supports it; \
         `tulk langs check --resource write --to ja --feature writing_style` checks whether it does\n",
    );
    refused(&["--to", "zh", "--tone", "friendly"]).says(
        "hint: --tone prefer_friendly applies only if the language supports it; \
         `tulk langs check --resource write --to zh --feature tone` checks whether it does\n",
    );
    let list = "hint: `tulk langs list --resource write --target` lists the supported languages\n";
    refused(&["--to", "nl"]).says(list);
    refused(&["--to", "nl", "--style", "business"]).says(list);
    let german = "Der Kessel steht auf dem Herd.";
    for options in ["correct", "rephrase", "rephrase --style business", "rephrase --tone friendly"] {
        let run = bench.run(["write"].into_iter().chain(options.split(' ')).chain(["--to", "en-US", german]));
        run.code(5).says("\n  hint: the text must be in the language of --to\n");
    }
    let check = ["langs", "check", "--resource", "write", "--to", "ja", "--feature", "writing_style"];
    bench.run(check).code(1);
    bench.run(["write", "rephrase", "x", "--to", "ja", "--style", "prefer_business"]).code(0);
}

#[test]
fn a_refusal_names_the_entry_named_by_the_service() {
    let bench = Bench::new();
    bench.write("two.txt", "The kettle is on the stove.\nDer Kessel steht auf dem Herd.\nTea is ready now.\n");
    let run = bench.run(["write", "correct", "--to", "en-US", "--lines", "-i", "two.txt"]).code(5);
    run.says("error: two.txt:2:1: the service refused the request: The text must be in the target language: 'text[1]' is de, not en-US (400")
        .says_not("entries from");
}

#[test]
fn bodies_stay_within_10240_bytes() {
    let bench = Bench::new();
    let text: String = (0..2000).map(|n| format!("This is sentence {n} of a long text.\n")).collect();
    bench.write("long.txt", &text);
    bench.run(["write", "correct", "-i", "long.txt"]).code(0).prints(&text);
    let requests = bench.requests();
    assert!(requests.len() > 7, "{}", requests.len());
    for request in &requests {
        assert!(request["body"].to_string().len() <= 10_240);
        assert_eq!(request["status"], 200);
    }
    bench.write("line.txt", "x".repeat(10_241));
    let before = requests.len();
    bench.run(["write", "correct", "--lines", "-i", "line.txt"]).code(2).says("10,240");
    assert_eq!(bench.requests().len(), before);
}

#[test]
fn json_has_the_fields_of_the_service() {
    let bench = Bench::new();
    let run = bench.run(["write", "correct", "--json", "One text", "Another"]).code(0);
    let improvement = |text: &str| json!({"text": text, "target_language": "en", "detected_source_language": "en"});
    assert_eq!(run.json(), json!({"improvements": [improvement("One text"), improvement("Another")]}));
    bench.run(["write", "correct", "--format", "srt", "x"]).code(2);
}

#[test]
fn shows_a_diff_and_checks() {
    let bench = improving();
    bench.write("good.txt", "All is well.\n");
    bench.write("bad.txt", "One line.\nI recieve it.\n");
    let args = ["write", "correct", "-i", "good.txt", "-i", "bad.txt"];
    let diff = "--- bad.txt\n+++ bad.txt\n@@ -1,2 +1,2 @@\n One line.\n-I recieve it.\n+I receive it.\n";
    bench.run(args.iter().chain(&["--diff"])).code(0).prints(diff);
    bench.run(args.iter().chain(&["--check"])).code(1).prints("bad.txt\n");
    bench.run(args.iter().chain(&["--check", "--diff"])).code(1).prints(diff);
    assert_eq!(bench.run(args.iter().chain(&["--check", "--json"])).code(1).json(), json!([{"input": "bad.txt"}]));
    bench.run(["write", "correct", "--check", "-i", "good.txt"]).code(0).prints("");
    bench.run(["write", "correct", "--check", "Good.", "teh bad"]).code(1).prints("TEXT 2\n");
    bench.pipe("teh end\n", ["write", "correct", "--check"]).code(1).prints("stdin\n");
    assert_eq!(bench.read("bad.txt"), "One line.\nI recieve it.\n");
    bench.run(["write", "correct", "--diff", "--json", "x"]).code(2);
    let bad = bench.path("latin.txt");
    std::fs::write(&bad, b"caf\xe9\n").unwrap();
    bench.run(["write", "correct", "--check", "-i", "latin.txt"]).code(2).says("UTF-8");
}

#[test]
fn replaces_files_completely_or_not_at_all() {
    let bench = improving();
    bench.write("a.txt", "teh end\n");
    bench.write("b.txt", "I  recieve it\n");
    bench.run(["write", "correct", "--in-place", "-i", "a.txt", "-i", "b.txt"]).code(0).prints("");
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), ("The end\n".into(), "I receive it\n".into()));
    bench.run(["write", "correct", "--in-place", "x"]).code(2);
    bench.run(["write", "correct", "--in-place", "--check", "-i", "a.txt"]).code(2);
    bench.run(["write", "correct", "--in-place", "-i", "-"]).code(2).says("not stdin");
    let failing = Bench::with(&["--fault", "456:1"]);
    failing.write("a.txt", "teh end\n");
    failing.run(["write", "correct", "--in-place", "-i", "a.txt"]).code(6);
    assert_eq!(failing.read("a.txt"), "teh end\n");
    let left: Vec<_> = std::fs::read_dir(failing.dir()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains(".tmp")), "{left:?}");
}

#[test]
fn a_dry_run_needs_no_key_and_sends_nothing() {
    let bench = Bench::new().without("TULK_API_KEY");
    bench.write("a.txt", "teh end\n");
    for extra in [&[][..], &["--check"], &["--diff"], &["--in-place"]] {
        let run = bench.run([&["write", "correct", "-n", "-i", "a.txt"], extra].concat()).code(0);
        let line: serde_json::Value = serde_json::from_str(run.out()).unwrap();
        assert_eq!(line["body"], json!({"text": ["teh end"]}), "{run}");
    }
    assert_eq!((bench.requests().len(), bench.read("a.txt").as_str()), (0, "teh end\n"));
}

#[test]
fn ignores_profile_defaults_of_translate() {
    let bench = Bench::new();
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntarget_lang = \"de\"\nformality = \"prefer_more\"\n");
    bench.run(["write", "correct", "x"]).code(0);
    assert_eq!(bench.sent()[0].1, json!({"text": ["x"]}));
}
