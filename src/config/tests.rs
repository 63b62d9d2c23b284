//! Tests of the settings file and the schema, with a few flags instead of the flags of the commands.

use std::path::Path;

use clap::{Args, Command, ValueEnum};
use serde_json::json;

use super::file::SettingsFile;
use super::schema::{SettingFlags, SettingSchema};

#[derive(Clone, Debug, ValueEnum)]
enum TestFormality {
    Default,
    #[value(name = "prefer_more", alias = "prefer-more")]
    PreferMore,
}

#[derive(Args)]
struct TestProfileFlags {
    #[arg(long, value_delimiter = ',')]
    to: Vec<String>,
    #[arg(long, value_enum)]
    formality: Option<TestFormality>,
    #[arg(long, conflicts_with = "formality")]
    glossary: Vec<String>,
    #[arg(long = "custom-instruction")]
    custom_instructions: Option<Vec<String>>,
    #[arg(long, hide = true, num_args = 0..=1, require_equals = true)]
    outline_detection: Option<bool>,
}

#[derive(Args)]
struct TestSandboxFlags {
    #[arg(long)]
    engine: Option<String>,
}

fn schema() -> SettingSchema {
    SettingSchema::new(SettingFlags {
        profile: TestProfileFlags::augment_args,
        sandbox: Some(<TestSandboxFlags as Args>::augment_args as fn(Command) -> Command),
    })
}

fn error(text: &str) -> String {
    let failure = SettingsFile::parse(Path::new("c.toml"), text, &schema()).unwrap_err();
    format!("{failure} | {}", failure.hint.clone().unwrap_or_default())
}

fn profile(text: &str) -> serde_json::Map<String, serde_json::Value> {
    let file = SettingsFile::parse(Path::new("c.toml"), &format!("[profiles.a]\n{text}"), &schema()).unwrap();
    file.of_profile("a").map(|entry| (entry.field.clone(), entry.field_value.clone())).collect()
}

#[test]
fn an_unknown_setting_is_reported_with_position_and_suggestion() {
    assert_eq!(
        error("[profiles.work]\ntarget_lnag = \"de\"\n"),
        "c.toml:2:1: unknown setting `profiles.work.target_lnag` | did you mean `target_lang`?"
    );
    assert_eq!(
        error("x = 1"),
        "c.toml:1:1: unknown setting `x` | valid settings: default_profile, profiles, services, sandbox"
    );
    assert!(error("[sandbox]\nengin = \"echo\"").contains("did you mean `engine`?"));
}

#[test]
fn a_value_that_the_flag_refuses_is_reported() {
    for (line, why) in [
        ("retries = -1", "profiles.a.retries: `-1` is less than 0"),
        ("retries = \"many\"", "profiles.a.retries: expected a whole number, found \"many\""),
        ("concurrency = 0", "`0` is not between 1 and 256"),
        ("concurrency = 257", "`257` is not between 1 and 256"),
        ("concurrency = \"many\"", "profiles.a.concurrency: `many` is neither a whole number nor `auto`"),
        ("concurrency = true", "profiles.a.concurrency: expected a whole number or \"auto\", found true"),
        ("server = \"translate.example\"", "invalid server address `translate.example`"),
        ("timeout = true", "invalid duration `true`"),
        ("timeout = \"soon\"", "invalid duration `soon`"),
        ("rate = \"5/x\"", "invalid rate `5/x`"),
        ("glossary = [1]", "expected a list of texts, found [1]"),
        ("formality = \"rude\"", "profiles.a.formality: `rude` is not one of default, prefer_more"),
        ("endpoint = \"moon\"", "`moon` is not one of paid, free, us, jp"),
        ("proxy = 1979-05-27", "profiles.a.proxy: expected text in quotes"),
    ] {
        let error = error(&format!("[profiles.a]\n{line}\n"));
        assert!(error.starts_with("c.toml:2:1: profiles.a.") && error.contains(why), "{error}");
    }
    assert!(error("[services.s]\nauth_scheme = \"two words\"\n").contains("is not one word"));
}

#[test]
fn invalid_toml_is_reported_with_its_line() {
    assert!(error("[profiles.a]\nserver = \n").starts_with("c.toml:2:"), "{}", error("[profiles.a]\nserver = \n"));
}

#[test]
fn reads_the_settings_of_a_file() {
    let text = "default_profile='w'\n[profiles.w]\nglossary=['a','b']\n[profiles.empty]\n";
    let file = SettingsFile::parse(Path::new("c"), text, &schema()).unwrap();
    assert_eq!(file.text(&["default_profile"]), Some("w"));
    assert_eq!(file.get(&["profiles", "w", "glossary"]).unwrap().value, json!(["a", "b"]));
    assert_eq!(file.profiles, ["w", "empty"]);
}

#[test]
fn normalizes_names_and_values() {
    for (line, field, value) in [
        ("glossary = \"x\"", "glossary", json!(["x"])),
        ("custom_instruction = \"x\"", "custom_instructions", json!(["x"])),
        ("custom_instructions = [\"x\"]", "custom_instructions", json!(["x"])),
        ("no_outline_detection = true", "outline_detection", json!(false)),
        ("outline_detection = true", "outline_detection", json!(true)),
        ("formality = \"prefer-more\"", "formality", json!("prefer_more")),
        ("target_lang = \"de\"", "target_lang", json!(["de"])),
        ("target_lang = [\"de\", \"fr\"]", "target_lang", json!(["de", "fr"])),
        ("target_lang = \"de,fr\"", "target_lang", json!(["de", "fr"])),
        ("retries = 3", "retries", json!(3)),
        ("timeout = 1.5", "timeout", json!(1.5)),
        ("rate = \"5/s\"", "rate", json!("5/s")),
    ] {
        assert_eq!(profile(line).get(field), Some(&value), "{line}");
    }
}

#[test]
fn a_build_without_the_sandbox_ignores_its_table() {
    let schema = SettingSchema::new(SettingFlags { profile: |command| command, sandbox: None });
    let file = SettingsFile::parse(Path::new("c"), "[sandbox]\nanything = 1\n", &schema).unwrap();
    assert!(file.entries.is_empty());
}
