//! `tulk translate --protect`: how placeholders are sent and restored.

use serde_json::{Value, json};

use crate::common::Bench;

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

fn bodies(bench: &Bench) -> Vec<Value> {
    bench.requests().into_iter().map(|request| request["body"].clone()).collect()
}

#[test]
fn the_request_has_tags_and_the_output_has_none() {
    let bench = upper();
    bench
        .run(["translate", "--to", "de", "--protect", "printf", "Hello %s, AT&T <b>"])
        .code(0)
        .prints("HELLO %s, AT&T <B>\n");
    let body = json!({
        "text": ["Hello <x id=\"1\">%s</x>, AT&amp;T &lt;b&gt;"],
        "target_lang": "DE",
        "tag_handling": "xml",
        "ignore_tags": ["x"],
        "non_splitting_tags": ["g", "x"],
    });
    assert_eq!(bodies(&bench), [body]);
}

#[test]
fn every_preset_keeps_its_placeholders() {
    let bench = upper();
    for (preset, text, expected) in [
        ("printf", "a %s %1$d %-5.2f %(name)s %% 5% sure", "A %s %1$d %-5.2f %(name)s %% 5% SURE\n"),
        ("braces", "a {name} {n, plural, other {cups}} b", "A {name} {n, plural, other {cups}} B\n"),
        ("mustache", "{{#if cold}}no tea{{/if}} {{{raw}}}", "{{#if cold}}NO TEA{{/if}} {{{raw}}}\n"),
        ("ruby", "a %{name} %<n>.2f #{b + c} d", "A %{name} %<n>.2f #{b + c} D\n"),
        ("shell", "see $home, ${x:-no tea} or $(date +%d) $5.00", "SEE $home, ${x:-no tea} OR $(date +%d) $5.00\n"),
        (
            "url",
            "see https://example.org/tea?a=b&c. and www.example.org",
            "SEE https://example.org/tea?a=b&c. AND www.example.org\n",
        ),
        ("email", "mail tea@example.org.", "MAIL tea@example.org.\n"),
        ("code", "run `tulk` or ``a ` b``", "RUN `tulk` OR ``a ` b``\n"),
        ("re:tea", "tea for two", "tea FOR TWO\n"),
        (r"[a-z]+-\d+", "see tulk-12 now", "SEE tulk-12 NOW\n"),
    ] {
        bench.run(["translate", "--to", "de", "--protect", preset, text]).code(0).prints(expected);
        let sent = &bodies(&bench).pop().unwrap()["text"][0];
        assert!(sent.as_str().unwrap().contains("<x id=\"1\">"), "{preset}: {sent}");
    }
}

/// Texts that resemble the tags of placeholders, or that XML cannot represent.
const ODD_TEXTS: &[&str] = &[
    "a <x id=\"1\">%s</x> b",
    "</x> %s <x id=\"1\"/>",
    "<g id=\"2\">%s</g> &lt;x&gt;",
    "&amp; &amp;amp; &#38; &nbsp; & %s",
    "<![CDATA[ %s ]]> <!-- %s --> <?xml?>",
    "%s%s%d",
    "%s",
    "%s tea",
    "tea %s",
    "\u{1} %s \u{1b}[0m \u{7f} \u{feff} \u{fffe}",
    "a\rb %s",
    "\"quoted\" 'text' %s \\ \\n",
    "no placeholder < &",
    "茶 %s 🍵",
];

#[test]
fn odd_texts_round_trip_in_every_mode() {
    let bench = Bench::new();
    let protect = ["translate", "--to", "de", "--protect", "printf,braces", "--protect", "mustache"];
    let run = |flags: &[&str], input: &str| {
        bench.pipe(input, protect.iter().chain(flags)).code(0).says_nothing().prints(input);
    };
    for version in ["v1", "v2"] {
        let lines = ODD_TEXTS.join("\n") + "\n";
        run(&["--lines", "--tag-handling-version", version], &lines);
        run(&["--lines", "--tag-handling-version", version], &lines.replace('\n', "\r\n"));
        run(&["-0", "--tag-handling-version", version], &(ODD_TEXTS.join("\0") + "\0"));
        run(&["--tag-handling-version", version], &lines);
    }
    for text in ODD_TEXTS {
        run(&[], text);
        let with = |last: &[&'static str]| bench.run([&protect[..], last].concat()).code(0);
        with(&["--", text]).prints(format!("{text}\n"));
        assert_eq!(with(&["--json", "--", text]).json()["translations"][0]["text"], *text);
    }
}

#[test]
fn the_first_and_longest_placeholder_wins() {
    let bench = upper();
    let run = |protect: &[&str], text: &str, expected: &str| {
        let flags = protect.iter().flat_map(|value| ["--protect", value]);
        bench.run(["translate", "--to", "de"].into_iter().chain(flags).chain([text])).code(0).prints(expected);
    };
    run(&["braces", "mustache"], "a {{b}} c {d}", "A {{b}} C {d}\n");
    run(&["re:b", "re:bc"], "abcab", "AbcAb\n");
    run(&["x*"], "a xx b", "A xx B\n");
    run(&["url", "email", "shell"], "a mailto:b@example.org $c", "A mailto:b@example.org $c\n");
}

#[test]
fn refuses_bad_values() {
    let bench = Bench::new();
    let refused = |value: &str, what: &str, hint: &str| {
        let run = bench.run(["translate", "--to", "de", "--protect", value, "Hi"]).code(2).prints("");
        run.says(what).says(hint);
    };
    refused(
        "prinft",
        "error: --protect: `prinft` is not a preset",
        "did you mean `printf`? to protect the word itself, write re:prinft",
    );
    refused(
        "Acme",
        "error: --protect: `Acme` is not a preset",
        "presets: printf, braces, mustache, ruby, shell, url, email, code;",
    );
    refused("", "error: --protect needs a preset or a regular expression", "presets: printf,");
    refused("re:", "error: --protect needs a regular expression after re:", "error");
    let what = "error: --protect: invalid regular expression at character 5: `(` without `)`";
    refused("tea (a", what, "hint: write a backslash before a character that stands for itself, such as \\{ or \\$");
    refused("(?<!a)b", "at character 1: lookahead and lookbehind are not supported", "hint");
    assert!(bench.requests().is_empty());
}

#[test]
fn refuses_other_markup_options() {
    let bench = Bench::new();
    bench.write("a.srt", "1\n00:00:01,000 --> 00:00:02,000\nHi\n");
    for flag in [
        "--tag-handling=html",
        "--ignore-tags=a",
        "--splitting-tags=p",
        "--non-splitting-tags=a",
        "--no-outline-detection",
    ] {
        let name = flag.split('=').next().unwrap();
        let what = |reason: &str| {
            format!("error: {reason} sends texts as XML with its own tags and cannot be used with {name}")
        };
        let run = bench.run(["translate", "--to", "de", "--protect", "url", flag, "Hi"]).code(2);
        run.says(&what("--protect"))
            .says("hint: remove one of the two; the value `none` drops the default of a profile");
        bench
            .run(["translate", "--to", "de", "--as", "srt", flag, "-i", "a.srt", "--no-check"])
            .code(2)
            .says(&what("--as srt"));
    }
    let param = ["translate", "--to", "de", "--protect", "url", "--param", "ignore_tags=[\"a\"]", "Hi"];
    bench.run(param).code(2).says("cannot be used with --param ignore_tags");
    assert!(bench.requests().is_empty());
    let version = ["translate", "--to", "de", "--protect", "url", "--tag-handling-version", "v2", "Hi"];
    bench.run(version).code(0).says_nothing().prints("Hi\n");
    assert_eq!(bodies(&bench)[0]["tag_handling_version"], "v2");
}

#[test]
fn names_the_source_of_a_conflicting_default() {
    let bench = Bench::new();
    bench.write(".config/tulk/config.toml", "[profiles.default]\ntarget_lang = \"de\"\ntag_handling = \"html\"\n");
    let run = bench.run(["translate", "--protect", "url", "Hi"]).code(2);
    run.says("config.toml:3:1: --protect sends texts as XML").says("cannot be used with --tag-handling");
    bench.run(["translate", "--protect", "url", "--tag-handling", "none", "Hi"]).code(0).prints("Hi\n");
}

#[test]
fn a_dry_run_shows_the_request_and_statistics_count_billed_characters() {
    let bench = upper();
    let args = ["translate", "--to", "de", "--protect", "printf", "--dry-run", "%s & tea"];
    let request = bench.run(args).code(0).json();
    assert_eq!(request["body"]["text"], json!(["<x id=\"1\">%s</x> &amp; tea"]));
    assert_eq!(request["body"]["ignore_tags"], json!(["x"]));
    assert!(bench.requests().is_empty());
    let args = ["translate", "--to", "de", "--protect", "printf", "--stats", "--show-billed-characters", "%s & tea"];
    bench.run(args).code(0).prints("%s & TEA\n").says("characters 12, billed 12,");
    let args = ["translate", "--to", "de", "--protect", "printf", "--max-characters", "12", "%s & tea"];
    bench.run(args).code(0);
    let args = ["translate", "--to", "de", "--protect", "printf", "--max-characters", "11", "%s & tea"];
    bench.run(args).code(6).says("(12 characters)");
}

#[test]
fn lists_results_without_tags() {
    let bench = upper();
    let list = |format: &str| {
        let args = ["translate", "--to", "de", "--protect", "printf", "--lines", "--format", format];
        bench.pipe("a %s\n\n<b> %d\n", args).code(0).out().to_owned()
    };
    let json: Value = serde_json::from_str(&list("json")).unwrap();
    let texts: Vec<&Value> = json["translations"].as_array().unwrap().iter().map(|row| &row["text"]).collect();
    assert_eq!(texts, ["A %s", "", "<B> %d"]);
    for format in ["jsonl", "tsv"] {
        assert!(!list(format).contains("<x"), "{format}");
    }
}

#[test]
fn cuts_a_large_text_between_placeholders() {
    let bench = upper();
    let all = |tea: &str| (0..8000).map(|n| format!("{{one {n} two}} & {tea}. ")).collect::<String>();
    bench
        .pipe(all("tea").trim_end(), ["translate", "--to", "de", "--protect", "braces"])
        .code(0)
        .prints(all("TEA").trim_end());
    let bodies = bodies(&bench);
    assert!(bodies.len() > 2, "{}", bodies.len());
    for body in &bodies {
        assert!(serde_json::to_vec(body).unwrap().len() <= 131_072);
        let text = body["text"][0].as_str().unwrap();
        assert!(text.ends_with(" &amp; tea.") && text.starts_with("<x id=\"1\">{one "));
    }
}

#[test]
fn write_sends_placeholders_unchanged() {
    let bench = upper();
    bench.run(["write", "correct", "--protect", "printf", "Teh %s & 3"]).code(0).prints("TEH %s & 3\n");
    assert_eq!(bodies(&bench), [json!({"text": ["Teh %s & 3"]})]);
}
