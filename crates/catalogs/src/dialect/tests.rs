//! Tests of dialect detection and of skipped values.

use proptest::prelude::*;

use super::*;
use crate::tree::Leaf;
use crate::{CatalogError, SkipReason, UnitKey};

fn leaves(texts: &[&str]) -> Vec<Leaf> {
    let leaf = |(at, text): (usize, &&str)| Leaf {
        key: UnitKey::name(format!("k{at}")),
        text: Some((*text).to_owned()),
        note: None,
        at: at * 10,
    };
    texts.iter().enumerate().map(leaf).collect()
}

const TREE_DIALECTS: &[Dialect] =
    &[Dialect::I18next, Dialect::Icu, Dialect::Vue, Dialect::GoI18n, Dialect::Rails, Dialect::Laravel];
const JAVA_DIALECTS: &[Dialect] = &[Dialect::Spring, Dialect::Icu];

fn detect_in_texts(texts: &[&str]) -> Result<Dialect, CatalogError> {
    detect(&leaves(texts), TREE_DIALECTS, KeyEvidence::default())
}

#[test]
fn texts_reveal_the_dialect() {
    for (text, dialect) in [
        ("{{name}}", Dialect::I18next),
        ("{{- name}} {{n, number}}", Dialect::I18next),
        ("see $t(other)", Dialect::I18next),
        ("{{.Name}}", Dialect::GoI18n),
        ("{{ .Count }}", Dialect::GoI18n),
        ("{{if .X}}{{end}}", Dialect::GoI18n),
        ("{n, plural, one {{n} file} other {{n} files}}", Dialect::Icu),
        ("{g, select, other {they}}", Dialect::Icu),
        ("{n, number}", Dialect::Icu),
        ("It''s {name}", Dialect::Icu),
        ("see @:a.b", Dialect::Vue),
        ("@.lower:a", Dialect::Vue),
        ("{n} car | {n} cars", Dialect::Vue),
        ("%{name}", Dialect::Rails),
        ("{name}", Dialect::None),
        ("{0}", Dialect::None),
        ("{{else}} {{end}}", Dialect::None),
    ] {
        assert_eq!(detect_in_texts(&["plain", text]), Ok(dialect), "{text}");
    }
}

#[test]
fn words_after_a_colon_reveal_laravel() {
    let detected = |key: &str, text: &str| {
        let leaf = Leaf { key: UnitKey::name(key), text: Some(text.to_owned()), note: None, at: 0 };
        detect(&[leaf], TREE_DIALECTS, KeyEvidence::default())
    };
    for (key, text, dialect) in [
        ("Hi :name", "Hallo :name", Dialect::Laravel),
        (":count file|:count files", ":count Datei | :count Dateien", Dialect::Laravel),
        ("Welcome back, :name", "欢迎:name回来", Dialect::Laravel),
        ("greeting", "Hallo :name", Dialect::Laravel),
        ("hi", ":Name, hallo", Dialect::Laravel),
        ("hi", ":Name, %d'aquí", Dialect::Laravel),
        ("on", "El mòdul \":name\" és actiu", Dialect::Laravel),
        ("wait", "多すぎます。:seconds秒後", Dialect::Laravel),
        ("files", "{0} None|[1,*] :count files", Dialect::Laravel),
        ("greeting", "Hallo :name {name}", Dialect::None),
        ("emoji", "Hallo :wave: :D", Dialect::None),
        ("url", "localhost:port (:port)", Dialect::None),
        ("A: :)", "B: :)", Dialect::None),
        ("at 10:30, see http://x", "um 10:30, siehe http://x", Dialect::None),
        ("Hi :name {{n}}", "Hallo :name {{n}}", Dialect::I18next),
    ] {
        assert_eq!(detected(key, text), Ok(dialect), "{key}");
    }
}

#[test]
fn ordinary_texts_are_no_evidence() {
    for text in [
        "Write to me@example.com: we answer",
        "mail@:x",
        "Reach us @: 555",
        "Home|Shop",
        "don't, can't, l'eau {name}",
        "a '' b",
        "100 % of {total}",
        "$t is the time",
        "{ this is prose, plural }",
        "function() { return x; }",
        "5 > 3 & 2",
        "{",
        ".input {$n :integer} .match $n one {{Choose}} * {{Choose all}}",
    ] {
        assert_eq!(detect_in_texts(&[text]), Ok(Dialect::None), "{text}");
    }
}

#[test]
fn refuses_texts_that_fit_two_dialects() {
    let error = detect_in_texts(&["{{name}}", "x", "{n, plural, other {#}}"]).unwrap_err();
    assert_eq!(error.at, 20);
    assert_eq!(error.what, "the texts fit two dialects: i18next (`{{name}}` or `$t(key)`) and icu (`{n, plural, …}`)");
    assert_eq!(error.hint.unwrap(), "set it with `--dialect i18next`, or `dialect = \"i18next\"` in tulk.toml");
    for texts in [["{{name}}", "@:a"], ["{{.Name}}", "{{name}}"], ["{n, select, other {x}}", "{n} a | {n} b"]] {
        assert!(detect_in_texts(&texts).is_err(), "{texts:?}");
    }
    for (texts, dialect) in [
        (["{{name}}", "%{name}"], Dialect::I18next),
        (["@:a", "{n} a | {n} b"], Dialect::Vue),
        (["{n, number}", "{name}"], Dialect::Icu),
        (["{n, plural, other {#}}", "Write '{{ states(x) }}' or '{{.Name}}'"], Dialect::Icu),
        (["x", "Delete '{{name}}'?"], Dialect::I18next),
        (["x", "Delete '{{.Name}}'?"], Dialect::GoI18n),
    ] {
        assert_eq!(detect_in_texts(&texts), Ok(dialect));
    }
}

#[test]
fn pipes_are_ambiguous_without_other_evidence() {
    for texts in [["x", "Home | Shop"], ["It''s {name}", "a | b"], ["{name}", "Hello {name} | Shop"]] {
        let error = detect_in_texts(&texts).unwrap_err();
        assert_eq!(error.at, 10);
        assert_eq!(
            error.what,
            "the texts fit two dialects: vue (`item | items` as forms of a plural) and none (` | ` as text)"
        );
    }
    for (texts, dialect) in [
        (["{{name}}", "a | b"], Dialect::I18next),
        (["%{name}", "a | b"], Dialect::Rails),
        (["{n, plural, other {#}}", "a | b"], Dialect::Icu),
    ] {
        assert_eq!(detect_in_texts(&texts), Ok(dialect));
    }
    assert_eq!(detect(&leaves(&["a | b"]), JAVA_DIALECTS, KeyEvidence::default()), Ok(Dialect::None));
}

#[test]
fn keys_reveal_the_dialect() {
    let with_root = KeyEvidence { has_language_root: true, ..KeyEvidence::default() };
    let yaml = KeyEvidence { is_root_certain: true, ..with_root };
    let with_plural = KeyEvidence { has_plural_mapping: true, ..KeyEvidence::default() };
    for (texts, structure, dialect) in [
        (["plain"], yaml, Dialect::Rails),
        (["plain"], with_root, Dialect::None),
        (["%{name}"], with_root, Dialect::Rails),
        (["plain"], KeyEvidence { has_plural_mapping: true, ..with_root }, Dialect::Rails),
        (["plain"], with_plural, Dialect::GoI18n),
        (["{name}"], with_plural, Dialect::None),
        (["%{name}"], with_plural, Dialect::Rails),
        (["{{name}}"], with_plural, Dialect::I18next),
        (["%(count)s files"], with_plural, Dialect::None),
        (["1 of %d"], with_plural, Dialect::None),
        (["50% discount, 20 % der, 100%sure"], with_plural, Dialect::GoI18n),
    ] {
        assert_eq!(detect(&leaves(&texts), TREE_DIALECTS, structure), Ok(dialect), "{texts:?} {structure:?}");
    }
    assert!(detect(&leaves(&["{{name}}"]), TREE_DIALECTS, yaml).is_err());
    assert_eq!(detect(&leaves(&["{{name}}", "%{x}"]), TREE_DIALECTS, yaml), Ok(Dialect::Rails));
}

#[test]
fn apostrophes_reveal_how_java_reads_a_file() {
    let java = |texts: &[&str]| detect(&leaves(texts), JAVA_DIALECTS, KeyEvidence::default());
    for (texts, dialect) in [
        (&["Hello {0}", "Don't"] as &[&str], Dialect::Spring),
        (&["It''s {0}"], Dialect::Spring),
        (&["a '{0}' {1}"], Dialect::Spring),
        (&["{0,number,#.##}"], Dialect::Spring),
        (&["Can't open {0}"], Dialect::None),
        (&["Don't {name}", "{{x}}"], Dialect::None),
        (&["{0, plural, other {#}}"], Dialect::Icu),
    ] {
        assert_eq!(java(texts), Ok(dialect), "{texts:?}");
    }
    let error = java(&["It''s {0}", "Can't open {0}"]).unwrap_err();
    assert_eq!(
        error.what,
        "the texts fit two dialects: spring (`''` beside `{0}`) and none (a single apostrophe before `{0}`)"
    );
    assert_eq!(error.at, 10);
}

#[test]
fn a_single_root_key_may_be_a_language() {
    for (keys, root) in [
        (&["en.a", "en.b.c"] as &[&str], Some("en")),
        (&["pt-BR.a"], Some("pt-BR")),
        (&["zh_Hans_CN.a"], Some("zh_Hans_CN")),
        (&["app.a"], None),
        (&["en"], None),
        (&["en.a", "de.a"], None),
        (&["en.a", "b"], None),
        (&[], None),
    ] {
        let leaf = |key: &&str| Leaf { key: UnitKey::names(key.split('.')), text: None, note: None, at: 0 };
        let leaves: Vec<Leaf> = keys.iter().map(leaf).collect();
        assert_eq!(language_root(&leaves), root, "{keys:?}");
    }
}

#[test]
fn rails_yaml_may_be_in_any_language() {
    for (key, text, root) in [
        ("cnr.a", "", Some("cnr")),
        ("pap-AW.a", "", Some("pap-AW")),
        ("xyz-Latn-QQ.a", "", Some("xyz-Latn-QQ")),
        ("xyz.a", "Hi %{name}", Some("xyz")),
        ("xyz.activerecord.models.tea", "Tea", Some("xyz")),
        ("app.errors.a", "Hi {name}", None),
        ("nav.a", "%name%", None),
        ("messages.a", "Hi %{name}", None),
        ("log-in.a", "", None),
    ] {
        let leaf = Leaf { key: UnitKey::names(key.split('.')), text: Some(text.to_owned()), note: None, at: 0 };
        assert_eq!(yaml_language_root(std::slice::from_ref(&leaf), false), root, "{key}");
        let named = yaml_language_root(std::slice::from_ref(&leaf), true);
        assert_eq!(named.is_some(), !key.starts_with(['m', 'l']), "{key}");
    }
}

#[test]
fn skips_references_pipes_and_patterns() {
    for (dialect, key, text, reason) in [
        (Dialect::Vue, "a", "@:b.c", Some(SkipReason::Reference)),
        (Dialect::Vue, "a", "@.lower:b", Some(SkipReason::Reference)),
        (Dialect::Vue, "a", "see @:b", None),
        (Dialect::Vue, "a", "car | cars", Some(SkipReason::PluralPipes)),
        (Dialect::None, "a", "car | cars", None),
        (Dialect::I18next, "a", "$t(b)", Some(SkipReason::Reference)),
        (Dialect::I18next, "a", "$t(b) $t(c)", None),
        (Dialect::None, "a", ".input {$n :integer} .match $n one {{a}} * {{b}}", Some(SkipReason::MessageFormat2)),
        (Dialect::Icu, "a", ".local $n = {1}\n{{x}}", Some(SkipReason::MessageFormat2)),
        (Dialect::None, "a", ".match $n * {{x}}", Some(SkipReason::MessageFormat2)),
        (Dialect::None, "a", ".input files", None),
        (Dialect::Rails, "date.formats.default", "%Y-%m-%d", Some(SkipReason::Pattern)),
        (Dialect::Rails, "date.order", ":year", Some(SkipReason::Pattern)),
        (Dialect::Rails, "date.day_names", "Monday", None),
        (Dialect::Rails, "time.am", "am", None),
        (Dialect::Rails, "number.currency.format.unit", "$", Some(SkipReason::Pattern)),
        (Dialect::Rails, "number.format.delimiter", ",", Some(SkipReason::Pattern)),
        (Dialect::Rails, "number.human.decimal_units.units.billion", "Billion", None),
        (Dialect::Rails, "number.human.decimal_units.format", "%n %u", Some(SkipReason::Pattern)),
        (Dialect::Rails, "shop.order", "Order", None),
        (Dialect::Rails, "report.formats.short", "%-d %b", Some(SkipReason::Pattern)),
        (Dialect::Rails, "report.formats.pdf", "PDF document", None),
    ] {
        assert_eq!(skip_reason(dialect, &UnitKey::names(key.split('.')).0, text), reason, "{key} {text}");
    }
}

#[test]
fn dialects_have_names() {
    for (dialect, name) in Dialect::ALL {
        assert_eq!(dialect.name(), name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn detection_does_not_panic_on_any_text(pieces in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "{{", "}}", "'", "''", "%{", "@:", "@.", "|", " ", "é", "n", ", plural,", "$t(", ")", "0", "🍵", ".",
    ]), 0..24)) {
        let text = pieces.concat();
        let _ = (detect_in_texts(&[&text]), detect(&leaves(&[&text]), JAVA_DIALECTS, KeyEvidence::default()));
        for (dialect, _) in Dialect::ALL {
            let _ = skip_reason(dialect, &UnitKey::name("date").0, &text);
        }
    }
}
