//! Valid and invalid settings.

use std::path::Path;

use serde_json::json;
use tulk_catalogs::{CatalogKind, Dialect, UnitKey};

use super::super::{Adoption, ContextMode, Project, ProjectRoot};
use super::{kind, message, project, tree, with_rules};

const FULL: &str = r#"[sync]
source_lang = "en-US"
target_langs = ["de", "pt-br", "zh-CN"]
formality = "prefer_more"
glossary = "Shop"
context = "section"
adopt = "tulk"
pseudo_langs = ["en-XA"]

[sync.notes]
"cart.total" = "Sum"
"cart.*" = "Shopping cart of a web shop"

[[sync.files]]
source = "locales/en/**/*.json"
target = "locales/{lang}/**/*.json"
dialect = "i18next"
exclude_keys = ["debug.*"]
formality = "less"
custom_instruction = ["Be brief", "No slang"]

[[sync.files]]
source = "app/res/values/strings.xml"
target = "app/res/values-{lang}/strings.xml"
lang_style = "android"

[sync.langs.zh-CN]
service = "zh-Hans"
path = "zh_CN"
plurals = "zh"
glossary = ["Shop zh"]
formality = "default"
"#;

#[test]
fn every_setting_is_read() {
    let dir = tree(&[]);
    let project = project(dir.path(), FULL).unwrap();
    let settings = &project.settings;
    assert_eq!((settings.source_lang.tag.as_str(), settings.source_lang.service.as_str()), ("en-US", "en"));
    let langs: Vec<_> =
        settings.langs.iter().map(|l| (l.tag.as_str(), l.service.as_str(), l.plurals.as_str(), l.is_pseudo)).collect();
    assert_eq!(
        langs,
        [
            ("de", "de", "de", false),
            ("pt-BR", "pt-BR", "pt-BR", false),
            ("zh-CN", "zh-Hans", "zh", false),
            ("en-XA", "en-XA", "en-XA", true)
        ]
    );
    assert_eq!((settings.context, settings.adopt), (ContextMode::Section, Adoption::Tulk));
    let rules: Vec<_> = settings.rules.iter().map(|rule| (rule.kind.name, rule.dialect, rule.origin.line)).collect();
    assert_eq!(rules, [("json", Some(Dialect::I18next), 14), ("android", None, 22)]);
    let paths =
        |rule: usize| settings.langs.iter().map(|lang| settings.rules[rule].lang_path(lang)).collect::<Vec<_>>();
    assert_eq!(paths(0), ["de", "pt-br", "zh_CN", "en-XA"], "as they are written");
    assert_eq!(paths(1), ["de", "pt-rBR", "zh_CN", "en-rXA"]);
    assert!(settings.rules[0].exclude_keys.matches(&UnitKey::names(["debug", "x"])));
    assert_eq!(project.note(&UnitKey::names(["cart", "total"])), Some("Sum"));
    assert_eq!(project.note(&UnitKey::names(["cart", "x", "y"])), Some("Shopping cart of a web shop"));
    assert_eq!(project.note(&UnitKey::names(["x"])), None);
}

#[test]
fn options_of_a_language_override_those_of_rule_and_project() {
    let dir = tree(&[]);
    let project = project(dir.path(), FULL).unwrap();
    let options = |rule, lang| serde_json::Value::Object(project.options(rule, lang));
    let instructions = json!(["Be brief", "No slang"]);
    assert_eq!(options(1, 0), json!({"formality": "prefer_more", "glossary": ["Shop"]}));
    assert_eq!(options(0, 0), json!({"formality": "less", "glossary": ["Shop"], "custom_instruction": instructions}));
    assert_eq!(
        options(0, 2),
        json!({"formality": "default", "glossary": ["Shop zh"], "custom_instruction": instructions})
    );
}

/// Adds the line to `[sync]` of an otherwise valid project file.
fn wrong(line: &str) -> String {
    let dir = tree(&[]);
    let text = format!(
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{line}\n[[sync.files]]\nsource = \"en.json\"\ntarget = \"{{lang}}.json\"\n"
    );
    let failure = project(dir.path(), &text).unwrap_err();
    assert_eq!(failure.kind.code(), 2);
    message(&failure)
}

#[test]
fn keeps_unknown_option_values_and_reports_their_locations() {
    let text = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\nformality = \"mroe\"\n[sync.langs.de]\nmodel_type = \"best\"\n\
                [[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\nformality = \"rude\"\n";
    let dir = tree(&[]);
    let settings = project(dir.path(), text).unwrap().settings;
    assert_eq!(json!(settings.options), json!({"formality": "mroe"}));
    let levels = "default, more, less, prefer_more, prefer_less";
    assert_eq!(
        settings.unknown_words.iter().map(message).collect::<Vec<_>>(),
        [
            format!("tulk.toml:4:13: sync.formality: `mroe` is not one of {levels} (did you mean `more`?)"),
            "tulk.toml:6:14: sync.langs.de.model_type: `best` is not one of latency_optimized, quality_optimized, \
             prefer_quality_optimized"
                .to_owned(),
            format!("tulk.toml:10:13: sync.files.formality: `rude` is not one of {levels}"),
        ]
    );
}

#[test]
fn reports_wrong_values_with_their_locations() {
    for (line, expected) in [
        ("formality = 3", "tulk.toml:4:13: sync.formality: expected text in quotes"),
        (
            "  preserve_formatting = \"yes\"",
            "tulk.toml:4:25: sync.preserve_formatting: expected true or false, found string \"yes\"",
        ),
        (
            "translation_memory_threshold = 101",
            "tulk.toml:4:32: sync.translation_memory_threshold: `101` is not between 0 and 100",
        ),
        ("max_characters = 0", "tulk.toml:4:18: sync.max_characters: `0` is less than 1"),
        ("glossary = [\"a\", 1]", "tulk.toml:4:12: sync.glossary: expected text in quotes or a list of texts"),
        ("style = \" \"", "tulk.toml:4:9: sync.style: the text is empty"),
        ("notes = 1979-05-27", "tulk.toml:4:9: sync.notes: expected a table, found a date"),
        (
            "pseudo_langs = [\"en-XA\", \"de\"]",
            "tulk.toml:4:26: the language `de` is listed twice, first in line 3 (remove one of them)",
        ),
        (
            "notes = {\"a\\\\b\" = \"x\"}",
            "tulk.toml:4:10: sync.notes: `\\` in the key pattern `a\\b` must be followed by `.`, `*` or `\\`",
        ),
        (
            "notes.cart.total = \"Sum\"",
            "tulk.toml:4:7: sync.notes.cart: expected text (with a key in quotes, such as \"cart.*\" = \"…\"), found a table",
        ),
        ("langs.dee = {}", "tulk.toml:4:7: sync.langs.dee: the project has no such language (did you mean `de`?)"),
        (
            "langs.pt_BR = {}",
            "tulk.toml:4:7: sync.langs.pt_BR: `pt_BR` is not a language of BCP 47; did you mean `pt-BR`?",
        ),
        (
            "langs.de.path = \"../x\"",
            "tulk.toml:4:17: sync.langs.de.path: `../x`: `..` is not allowed, since all files are in the project",
        ),
        ("langs.de.path = \"a/b\"", "tulk.toml:4:17: sync.langs.de.path: `a/b` is not a single file or folder name"),
        ("langs.en.formality = \"more\"", "tulk.toml:4:7: sync.langs.en.formality: the source language has no options"),
        ("context = sections", "tulk.toml:4:11: invalid TOML: string values must be quoted, expected literal string"),
    ] {
        assert_eq!(wrong(line), expected);
    }
}

#[test]
fn unknown_settings_get_a_suggestion() {
    assert_eq!(
        wrong("formalty = \"more\""),
        "tulk.toml:4:1: unknown setting `sync.formalty` (did you mean `formality`?)"
    );
    assert_eq!(
        wrong("custom_instructions = []"),
        "tulk.toml:4:1: unknown setting `sync.custom_instructions` (did you mean `custom_instruction`?)"
    );
    assert!(wrong("xyz = 1").ends_with(
        "unknown setting `sync.xyz` (valid settings: source_lang, target_langs, pseudo_langs, context, adopt, notes, files, \
         langs, formality, model_type, glossary, style, style_profile, custom_instruction, translation_memory, \
         translation_memory_threshold, preserve_formatting, protect, max_characters)"
    ));
    assert!(
        wrong("langs.de.plural = \"de\"").ends_with("unknown setting `sync.langs.de.plural` (did you mean `plurals`?)")
    );
    let dir = tree(&[]);
    let at = |text: &str| message(&project(dir.path(), text).unwrap_err());
    assert_eq!(
        at("target_langs = []"),
        "tulk.toml:1:1: target_langs: this setting belongs in [sync] (put it below the line [sync])"
    );
    assert_eq!(
        at("[[files]]\nsource = \"en.json\""),
        "tulk.toml:1:3: files: this setting belongs in [sync] (write [[sync.files]])"
    );
    assert_eq!(at("[notes]\na = \"b\""), "tulk.toml:1:2: notes: this setting belongs in [sync] (write [sync.notes])");
    assert_eq!(
        at("[sync]\nfiles = [\"en.json\"]"),
        "tulk.toml:2:10: sync.files: expected a table [[sync.files]] with source and target, found string \"en.json\""
    );
    assert_eq!(at("[snyc]\na = 1"), "tulk.toml:1:2: unknown setting `snyc` (did you mean `sync`?)");
}

#[test]
fn languages_are_required_and_distinct() {
    let dir = tree(&[]);
    let rest = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    let at = |lines: &str| message(&project(dir.path(), &format!("[sync]\n{lines}\n{rest}")).unwrap_err());
    for (lines, expected) in [
        (
            "target_langs = [\"de\"]",
            "tulk.toml:1:1: the project file has no source_lang (source_lang = \"en\" below [sync])",
        ),
        (
            "source_lang = \"en\"",
            "tulk.toml:1:1: the project file has no target_langs (target_langs = [\"de\", \"fr\"] below [sync])",
        ),
        (
            "source_lang = \"en\"\ntarget_langs = []",
            "tulk.toml:3:16: sync.target_langs: the list is empty (name at least one language, such as [\"de\"])",
        ),
        (
            "source_lang = \"en\"\ntarget_langs = \"de\"",
            "tulk.toml:3:16: sync.target_langs: expected a list, found string \"de\"",
        ),
        (
            "source_lang = \"en\"\ntarget_langs = [\"de\", \"EN\"]",
            "tulk.toml:3:23: `EN` is the source language (remove it from the list)",
        ),
        (
            "source_lang = \"en\"\ntarget_langs = [\"de\",\n\"DE\"]",
            "tulk.toml:4:1: the language `DE` is listed twice, first in line 3 (remove one of them)",
        ),
        (
            "source_lang = \"en\"\ntarget_langs = [\"pt-rBR\"]",
            "tulk.toml:3:17: sync.target_langs: `pt-rBR` is not a language of BCP 47; did you mean `pt-BR`?",
        ),
    ] {
        assert_eq!(at(lines), expected);
    }
    assert!(
        message(&project(dir.path(), "").unwrap_err())
            .starts_with("tulk.toml:1:1: the project file has no table [sync] (")
    );
    let none = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n";
    assert!(
        message(&project(dir.path(), none).unwrap_err()).starts_with("tulk.toml:1:1: the project file has no files (")
    );
}

#[test]
fn rules_are_checked() {
    let dir = tree(&[]);
    let at = |rule: &str| message(&with_rules(dir.path(), &format!("[[sync.files]]\n{rule}")).unwrap_err());
    let files = "tulk.toml:4:1: [[sync.files]]";
    for (rule, expected) in [
        ("", format!("{files} has no source and target (source = \"locales/en.json\")")),
        ("source = \"en.json\"", format!("{files} has no target (target = \"locales/{{lang}}.json\")")),
        ("target = \"{lang}.json\"", format!("{files} has no source (json files hold one language each)")),
        (
            "source = \"a/en.json\"\ntarget = \"a/de.json\"",
            "tulk.toml:6:10: sync.files.target: `{lang}` is missing: all languages would be written to one file".to_owned(),
        ),
        (
            "source = \"{lang}.json\"\ntarget = \"x\"",
            "tulk.toml:5:10: sync.files.source: `{lang}` is only allowed in targets; a source is in the source language".to_owned(),
        ),
        (
            "source = \"en/**/*.json\"\ntarget = \"{lang}/*.json\"",
            "tulk.toml:6:10: sync.files.target: its wildcards (`*`) differ from those of the source (`** *`) (use the same wildcards in the same order: the target gets what they match in the source)".to_owned(),
        ),
        (
            "source = \"a.xcstrings\"\ntarget = \"{lang}.xcstrings\"",
            "tulk.toml:6:10: sync.files.target: an xcstrings file holds all languages, so it has no target".to_owned(),
        ),
        (
            "source = \"values/arrays.xml\"\ntarget = \"values-{lang}/arrays.xml\"",
            "tulk.toml:5:10: sync.files.source: the name `arrays.xml` does not say which format the files have (add `as`, one of json, arb, yaml, toml, po, properties, android, strings, stringsdict, xcstrings, xliff, resx, php, ftl)".to_owned(),
        ),
        ("source = \"en/*\"\ntarget = \"{lang}/*\"\nas = \"jsn\"", "tulk.toml:7:6: sync.files.as: `jsn` is not one of json, arb, yaml, toml, po, properties, android, strings, stringsdict, xcstrings, xliff, resx, php, ftl (did you mean `json`?)".to_owned()),
        (
            "source = \"en.po\"\ntarget = \"{lang}.po\"\ndialect = \"icu\"",
            "tulk.toml:7:11: sync.files.dialect: po files have no dialect; the setting is for json, yaml, toml, properties, resx, php".to_owned(),
        ),
        (
            "source = \"en.json\"\ntarget = \"{lang}.json\"\ntarget_langs = [\"de\", \"fr\"]",
            "tulk.toml:7:23: sync.files.target_langs: `fr` is not in target_langs of [sync] (add it there; a rule can only leave out languages of the project)".to_owned(),
        ),
        (
            "source = \"en.json\"\ntarget = \"{lang}.json\"\ntarget_langs = []",
            "tulk.toml:7:16: sync.files.target_langs: the list is empty (name at least one language, such as [\"de\"])".to_owned(),
        ),
        ("exclude_key = []", "tulk.toml:5:1: unknown setting `sync.files.exclude_key` (did you mean `exclude_keys`?)".to_owned()),
    ] {
        assert_eq!(at(rule), expected, "{rule}");
    }
    let failure = with_rules(dir.path(), "[sync.files]\nsource = \"en.json\"").unwrap_err();
    assert_eq!(
        message(&failure),
        "tulk.toml:4:1: sync.files: expected a list, found a table (write [[sync.files]] with two brackets)"
    );
}

#[test]
fn accepts_inline_rules_a_bom_and_crlf() {
    let dir = tree(&[]);
    let text = "\u{feff}[sync]\r\nsource_lang = \"en\"\r\ntarget_langs = [\"de\"]\r\nfiles = [{source = \"en/*\", target = \"{lang}/*\", as = \"ftl\"}]\r\n";
    let read = project(dir.path(), text).unwrap();
    assert_eq!(
        (read.settings.rules[0].kind.name, read.settings.rules[0].origin.to_string().as_str()),
        ("ftl", "tulk.toml:4:10")
    );
    let failure = project(dir.path(), &text.replace("source_lang", "sauce_lang")).unwrap_err();
    assert_eq!(failure.to_string(), "tulk.toml:2:1: unknown setting `sync.sauce_lang`");
}

#[test]
fn ambiguous_file_names_need_a_format() {
    const TWO: &[CatalogKind] = &[kind("po", &["txt"], true), kind("ftl", &["TXT"], false)];
    let dir = tree(&[]);
    let read = |more: &str| {
        let text = format!(
            "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"en.txt\"\ntarget = \"{{lang}}.txt\"\n{more}"
        );
        Project::parse(Path::new("tulk.toml"), &text, ProjectRoot::new(dir.path()).unwrap(), TWO)
    };
    assert_eq!(
        message(&read("").unwrap_err()),
        "tulk.toml:5:10: sync.files.source: the name `en.txt` can mean several formats (add `as`, one of po, ftl)"
    );
    assert_eq!(read("as = \"ftl\"").unwrap().settings.rules[0].kind.name, "ftl");
}
