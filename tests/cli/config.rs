//! `tulk config`, and the effect of a profile's settings.

use crate::common::Bench;

const FILE: &str = ".config/tulk/config.toml";

#[test]
fn set_and_unset_keep_comments_and_order() {
    let bench = Bench::bare();
    bench.write(FILE, "# mine\n[profiles.work] # the work one\ntarget_lang = \"de\" # German\nformality = \"less\"\n");
    bench.run(["config", "set", "profiles.work.target_lang", "fr"]).code(0).prints("");
    bench.run(["config", "set", "profiles.work.glossary", "a", "b"]).code(0);
    bench.run(["config", "set", "profiles.work.retries", "3"]).code(0);
    bench.run(["config", "unset", "profiles.work.formality"]).code(0);
    assert_eq!(
        bench.read(FILE),
        "# mine\n[profiles.work] # the work one\ntarget_lang = \"fr\" # German\nglossary = [\"a\", \"b\"]\nretries = 3\n"
    );
    bench.run(["config", "get", "profiles.work.target_lang"]).code(0).prints("fr\n");
    bench.run(["config", "get", "profiles.work.formality"]).code(4);
    bench.run(["config", "unset", "profiles.work.formality"]).code(4);
}

#[test]
fn reports_an_invalid_setting_with_file_line_and_suggestion() {
    let bench = Bench::bare();
    bench.run(["config", "set", "profiles.work.formalty", "more"]).code(2).says("did you mean `formality`?");
    bench.run(["config", "set", "profiles.work.formality", "rude"]).code(2).says("prefer_more");
    bench.run(["config", "set", "profiles.work", "x"]).code(2).says("table");
    assert!(!bench.path(FILE).exists());
    bench.write(FILE, "[profiles.work]\n\ntarget_lnag = \"de\"\n");
    let run = bench.run(["--sandbox", "translate", "--to", "de", "x"]).code(2);
    assert!(run.stderr.contains("config.toml:3:1") && run.stderr.contains("target_lang"), "{run}");
    bench.write(FILE, "[profiles.work\n");
    bench.run(["config", "list"]).code(2).says("config.toml:1:");
}

#[test]
fn a_profile_has_defaults_and_a_conflict_is_reported_with_its_line() {
    let bench = Bench::new();
    bench.write(FILE, "default_profile = \"w\"\n[profiles.w]\ntarget_lang = \"pt-br\"\nformality = \"prefer_less\"\n");
    bench.run(["translate", "x"]).code(0);
    assert_eq!(
        bench.requests()[0]["body"],
        serde_json::json!({"text": ["x"], "target_lang": "PT-BR", "formality": "prefer_less"})
    );
    bench.run(["translate", "--to", "de", "--formality", "more", "x"]).code(0);
    assert_eq!(bench.requests()[1]["body"]["formality"], "more");
    bench.write(FILE, "[profiles.default]\ntarget_lang = \"de\"\nmodel_type = \"latency_optimized\"\n");
    bench.run(["translate", "--custom-instruction", "i", "x"]).code(2).says("config.toml:3:1");
    bench
        .write(FILE, "[profiles.default]\ntarget_lang = \"de\"\nglossary = \"5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69\"\n");
    bench.run(["translate", "--glossary", "none", "x"]).code(0);
}

#[test]
fn commands_without_a_service_ignore_the_settings_file() {
    let bench = Bench::bare();
    bench.write(FILE, "[profiles.work\n");
    bench.run(["config", "path"]).code(0).prints(format!("{}\n", bench.path(FILE).display()));
    bench.run(["completions", "bash"]).code(0);
    bench.run(["man"]).code(0);
    bench.run(["help", "files"]).code(0);
}

#[test]
fn edit_replaces_the_file_only_with_a_valid_one() {
    let bench = Bench::bare().env("EDITOR", "echo '[profiles.a]' >>");
    bench.run(["config", "edit", "-n"]).code(0).says("would change");
    assert!(!bench.path(FILE).exists());
    bench.run(["config", "edit"]).code(0);
    assert_eq!(bench.read(FILE), "[profiles.a]\n");
    let bench = bench.env("EDITOR", "echo 'nonsense = 1' >>");
    bench.run(["config", "edit"]).code(2).says("nothing was changed");
    assert_eq!(bench.read(FILE), "[profiles.a]\n");
    let bench = bench.env("EDITOR", "false");
    bench.run(["config", "edit"]).code(2);
}

#[test]
fn checks_values_before_writing() {
    let bench = Bench::bare();
    for (key, value, says) in [
        ("profiles.w.retries", "-1", "`-1` is less than 0"),
        ("profiles.w.concurrency", "0", "`0` is not between 1 and 256"),
        ("profiles.w.server", "translate.example", "http://; write https://translate.example"),
        ("profiles.w.preserve_formatting", "maybe", "`maybe` is not true or false"),
        ("profiles.w.timeout", "soon", "invalid duration `soon`"),
        ("services.s.reporting_tag_header", "X Tag", "`X Tag` is not one word"),
        ("services.s.base_uri", "x", "did you mean `base_url`?"),
    ] {
        bench.run(["config", "set", key, "--", value]).code(2).says(says);
        assert!(!bench.path(FILE).exists(), "{key}");
    }
    bench.run(["config", "set", "services.\"in.house\".base_url", "https://t.example/"]).code(0);
    bench.run(["config", "get", "services.\"in.house\".base_url"]).code(0).prints("https://t.example/\n");
}

#[test]
fn a_named_settings_file_must_exist_except_to_change_it() {
    let bench = Bench::bare();
    bench.run(["--config", "own/c.toml", "config", "list"]).code(2).says("own/c.toml");
    bench.run(["--config", "own/c.toml", "auth", "token"]).code(2).says("own/c.toml");
    bench.run(["--config", "own/c.toml", "config", "set", "profiles.w.target_lang", "de"]).code(0);
    bench
        .run(["--config", "own/c.toml", "config", "list"])
        .code(0)
        .prints("profiles.w.target_lang\tde\town/c.toml:2\n");
    let names: Vec<_> = std::fs::read_dir(bench.path("own")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["c.toml"]);
}

#[test]
fn empty_variables_count_as_not_set() {
    let bench = Bench::bare().env("TULK_CONFIG", "").env("TULK_SERVER", "").env("TULK_PROFILE", "");
    let bench = bench.env("TULK_TIMEOUT", "").env("TULK_API_KEY", "").env("TULK_SANDBOX", "");
    bench.write(FILE, "[profiles.default]\nserver = \"http://127.0.0.1:9/x\"\n");
    bench.run(["auth", "token"]).code(3).says("no key is set for http://127.0.0.1:9/x");
    bench.run(["auth", "token", "--server", ""]).code(2).says("invalid server address");
}

#[test]
fn reports_an_unknown_profile_with_its_source_and_a_suggestion() {
    let bench = Bench::bare();
    bench.write(FILE, "default_profile = \"wrok\"\n[profiles.work]\n");
    bench.run(["auth", "token"]).code(2).says("config.toml:1:19: unknown profile `wrok`").says("`work`");
    bench.run(["-p", "nobody", "auth", "token"]).code(2).says("unknown profile `nobody`");
    bench.run(["-p", "default", "auth", "token"]).code(3);
}

#[test]
fn refuses_a_default_set_under_two_names() {
    let bench = Bench::bare();
    bench.write(FILE, "[profiles.default]\ncustom_instruction = \"a\"\ncustom_instructions = [\"b\"]\n");
    bench.run(["auth", "token"]).code(2).says("config.toml:3:1").says("set twice");
}

#[test]
fn an_invalid_edit_is_kept() {
    let bench = Bench::bare().env("EDITOR", "echo 'mine = 1' >>");
    for kept in 1..=2 {
        let run = bench.run(["config", "edit"]).code(2).says("nothing was changed");
        let name = run.stderr.rsplit_once("your version is in ").unwrap().1.trim().to_owned();
        assert_eq!(std::fs::read_to_string(name).unwrap(), "mine = 1\n");
        assert_eq!(std::fs::read_dir(bench.path(".config/tulk")).unwrap().count(), kept);
    }
}

#[test]
fn an_edit_does_not_undo_a_change_of_another_process() {
    let bench = Bench::bare();
    bench.write(FILE, "[profiles.a]\n");
    let path = bench.path(FILE);
    let bench = bench.env("EDITOR", &format!("echo '[profiles.b]' >> {}; echo '[profiles.c]' >>", path.display()));
    bench.run(["config", "edit"]).code(2).says("changed by another process").says("your version is in");
    assert_eq!(bench.read(FILE), "[profiles.a]\n[profiles.b]\n");
}

#[test]
fn a_dry_run_changes_no_setting() {
    let bench = Bench::bare();
    bench.run(["config", "set", "-n", "profiles.work.target_lang", "de"]).code(0).prints("").says("would change");
    bench.run(["config", "get", "profiles.work.target_lang"]).code(4);
    bench.run(["config", "set", "-n", "profiles.work.target_lnag", "de"]).code(2).says("target_lang");
}

#[test]
fn settings_accept_the_values_of_their_flags() {
    let bench = Bench::bare();
    let set = |key: &str, value: &str| bench.run(["config", "set", key, value]);
    for (key, value) in [
        ("profiles.w.target_lang", "pt-br"),
        ("profiles.w.source_lang", "en"),
        ("profiles.w.formality", "prefer-more"),
        ("profiles.w.model_type", "quality_optimized"),
        ("profiles.w.split_sentences", "nonewlines"),
        ("profiles.w.preserve_formatting", "true"),
        ("profiles.w.no_outline_detection", "true"),
        ("profiles.w.translation_memory_threshold", "80"),
        ("profiles.w.custom_instruction", "Keep it short, please"),
        ("profiles.w.reporting_tag", "docs"),
        ("profiles.w.max_wait", "2m"),
        ("profiles.w.rate", "5/s"),
        ("profiles.w.endpoint", "us"),
        ("sandbox.engine", "echo"),
        ("sandbox.fault", "429:0.1"),
        ("sandbox.latency", "10ms-20ms"),
        ("sandbox.ephemeral", "true"),
    ] {
        set(key, value).code(0);
    }
    for (key, value, says) in [
        ("profiles.w.target_lang", "d e", "`d e`"),
        (
            "profiles.w.model_type",
            "best",
            "is not one of latency_optimized, quality_optimized, prefer_quality_optimized",
        ),
        ("profiles.w.translation_memory_threshold", "most", "`most` is not a whole number"),
        ("profiles.w.endpoint", "moon", "is not one of paid, free, us, jp"),
        ("profiles.w.max_wait", "soon", "invalid duration `soon`"),
        ("profiles.w.lines", "true", "unknown setting `profiles.w.lines`"),
        ("sandbox.engine", "real", "is not one of pseudo, echo, upper"),
        ("sandbox.fault", "nonsense", "nonsense"),
        ("sandbox.port", "80", "unknown setting `sandbox.port`"),
    ] {
        set(key, value).code(2).says(says);
    }
}

#[test]
fn the_list_hides_the_password_of_a_proxy() {
    let bench = Bench::bare();
    bench.run(["config", "set", "profiles.w.proxy", "http://me:p%40ss@proxy.example:8080"]).code(0);
    let list = bench.run(["config", "list"]).code(0);
    let shown = "profiles.w.proxy\thttp://me:***@proxy.example:8080\t";
    assert!(list.out().starts_with(shown), "{list}");
    let list = bench.run(["config", "list", "--jq", ".[].value"]).code(0);
    assert_eq!(list.out(), "http://me:***@proxy.example:8080\n");
    bench.run(["config", "get", "profiles.w.proxy"]).code(0).prints("http://me:p%40ss@proxy.example:8080\n");
}
