//! `tulk config` and what a profile's settings do.

use crate::common::Bench;

const FILE: &str = ".config/tulk/config.toml";

#[test]
fn sets_and_unsets_keeping_comments_and_order() {
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
fn unknown_and_wrong_settings_name_file_line_and_suggestion() {
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
fn a_profiles_defaults_hold_and_conflicts_name_their_line() {
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
fn commands_that_call_no_service_need_nothing() {
    let bench = Bench::bare();
    bench.write(FILE, "[profiles.work\n");
    bench.run(["config", "path"]).code(0).prints(format!("{}\n", bench.path(FILE).display()));
    bench.run(["completions", "bash"]).code(0);
    bench.run(["man"]).code(0);
    bench.run(["help", "files"]).code(0);
}

#[test]
fn edit_takes_over_only_what_is_valid() {
    let bench = Bench::bare().env("EDITOR", "echo '[profiles.a]' >>");
    bench.run(["config", "edit"]).code(0);
    assert_eq!(bench.read(FILE), "[profiles.a]\n");
    let bench = bench.env("EDITOR", "echo 'nonsense = 1' >>");
    bench.run(["config", "edit"]).code(2).says("nothing was changed");
    assert_eq!(bench.read(FILE), "[profiles.a]\n");
    let bench = bench.env("EDITOR", "false");
    bench.run(["config", "edit"]).code(2);
}
