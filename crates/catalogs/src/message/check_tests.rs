//! Tests of comparing a translation with its source.

use super::*;
use crate::catalog::PluralText;
use crate::plural::{PluralCategory, PluralKind};

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn plural(forms: &[(PluralForm, &str)]) -> UnitText {
    let form = |(form, text): &(PluralForm, &str)| PluralText { form: *form, text: (*text).to_owned() };
    UnitText::Plural(PluralKind::Cardinal, forms.iter().map(form).collect())
}

fn checked(syntax: Syntax, to: &str, source: &UnitText, target: &UnitText) -> Result<(), String> {
    let markup = ["<x id=\"1\"/>".to_owned(), "<x id=\"2\"/>".to_owned(), "&amp;".to_owned()];
    let forms = TargetForms::OfLanguage;
    let rules = MessageRules { syntax, markup: &markup, source_lang: "en", target_lang: to, target_forms: &forms };
    check_target(source, target, &rules)
}

const ONE: PluralForm = PluralForm::Category(PluralCategory::One);
const FEW: PluralForm = PluralForm::Category(PluralCategory::Few);
const OTHER: PluralForm = PluralForm::Category(PluralCategory::Other);

#[test]
fn accepts_correct_translations() {
    for (syntax, source, target) in [
        (Syntax::Printf, "%s of %d", "%2$d von %1$s"),
        (Syntax::Printf, "100%% of %s", "%s, alles"),
        (Syntax::Printf, "%ld files", "%d Dateien"),
        (Syntax::Printf, "%(name)s sent %(n)d", "%(n)d von %(name)s"),
        (Syntax::Braces, "Hi {name}, {name}!", "Hallo { name }!"),
        (Syntax::I18next, "{{count, number}} of {{- name}}", "{{ name }}: {{count}}"),
        (Syntax::I18next, "{{name}} removed the $t(password)", "{{name}} hat das Passwort entfernt"),
        (Syntax::Vue, "{n} of the @:password", "{n} des Passworts"),
        (Syntax::Laravel, "Hi :name", ":Name, hallo"),
        (Syntax::Laravel, "Welcome back, :name", "欢迎:name回来"),
        (Syntax::Laravel, "Write to :mail", "邮箱:info@example.com, :mail"),
        (Syntax::Laravel, ":count file|:count files", ":count plik|:count pliki|:count plików"),
        (Syntax::DotNet, "{0:N2} of {1}", "{1}: {0}"),
        (Syntax::Plain, "a <b>bold</b> word<br/>", "ein <b class=\"x\">fettes</b> Wort<br>"),
        (Syntax::Plain, "a<x id=\"1\"/> &amp; b<x id=\"2\"/>", "b<x id=\"2\"/> und a<x id=\"1\"/>"),
        (Syntax::Plain, "a < b", "a > b"),
        (Syntax::Plain, "DEBUG=True in <a href=\"x\">your file</a>", "in <a href=\"x\">f</a>: <b>DEBUG</b><br>"),
        (Syntax::Plain, "use <a rel=\"x\" …> instead", "lieber <a rel=\"x\" ...> nutzen"),
        (Syntax::Icu, "{n} files", "<i>{n}</i> Dateien"),
        (Syntax::Python, "%s of %(n)d", "% s von %(n) d"),
        (Syntax::Python, "% s", "%s"),
        (Syntax::Python, "50 % sure", "sicher zu 50 Prozent"),
        (Syntax::Python, "%b %d, %Y", "%d.%m.%Y"),
        (Syntax::Printf, "%b %d, %Y", "%d.%m.%Y"),
        (Syntax::Printf, "%b %d, %Y", "%Y年%m月%d日"),
        (
            Syntax::Icu,
            "{name} sent {n, plural, one {a file} other {# files}}",
            "{n, plural, one {Eine Datei} other {{n} Dateien}} von {name}",
        ),
        (Syntax::Icu, "{n, plural, =0 {none} one {#} other {#}}", "{n, plural, one {eins} few {#} other {#}}"),
        (Syntax::Icu, "{n}", "{n, number}"),
        (Syntax::Icu, "it's", "it''s"),
        (Syntax::Icu, "<b>{n}</b>", "{n} <b>x</b>"),
    ] {
        assert_eq!(checked(syntax, "de", &single(source), &single(target)), Ok(()), "{source} | {target}");
    }
    let message = single("{n, plural, one {# file} other {# files}}");
    assert_eq!(checked(Syntax::Icu, "ja", &message, &single("{n}個")), Ok(()));
    assert!(checked(Syntax::Icu, "de", &message, &single("{n} Dateien")).is_err());
    assert!(checked(Syntax::Icu, "ja", &message, &single("個")).is_err());
    let without_number = single("{n, plural, one {Comment} other {Comments}}");
    assert_eq!(checked(Syntax::Icu, "ja", &without_number, &single("コメント")), Ok(()));
    assert!(checked(Syntax::Icu, "de", &without_number, &single("Kommentare")).is_err());
}

#[test]
fn reports_what_is_wrong_in_a_translation() {
    for (syntax, source, target, error) in [
        (Syntax::Printf, "%s of %d", "%d von %s", "the placeholder %s is missing"),
        (Syntax::Printf, "%s", "alles", "the placeholder %s is missing"),
        (Syntax::Printf, "%s", "% s", "the placeholder %s is missing"),
        (Syntax::Python, "% s", "alles", "the placeholder % s is missing"),
        (Syntax::Python, "%(a)s", "%(b) s", "the placeholder %(a)s is missing"),
        (Syntax::Printf, "all", "%s", "the placeholder %s is not in the source"),
        (Syntax::Braces, "Hi {name}", "Hallo {nombre}", "the placeholder {name} is missing"),
        (Syntax::I18next, "{{count}}", "{count}", "the placeholder {{count}} is missing"),
        (Syntax::Plain, "a <b>bold</b> word", "ein fettes Wort", "the placeholder </b> is missing"),
        (Syntax::Plain, "word", "Wort</b>", "the placeholder </b> is not in the source"),
        (Syntax::Plain, "word", "<script>Wort</script>", "the placeholder </script> is not in the source"),
        (Syntax::Printf, "%b %d", "%s", "the placeholder %b %d is missing"),
        (Syntax::Plain, "a<x id=\"1\"/>", "a<x id=\"2\"/>", "the placeholder <x id=\"1\"/> is missing"),
        (Syntax::Icu, "{name}", "{nom}", "the argument {name} is missing"),
        (Syntax::Icu, "{d, date}", "{d, time}", "the type of the argument {d} differs from the source"),
        (
            Syntax::Icu,
            "{n, plural, other {#}}",
            "{n, select, other {#}}",
            "the type of the argument {n} differs from the source",
        ),
        (
            Syntax::Icu,
            "{g, select, male {a} other {b}}",
            "{g, select, männlich {a} other {b}}",
            "the keywords of the select {g} differ from the source",
        ),
        (
            Syntax::Icu,
            "{n, plural, other {#}}",
            "{n, plural, other {#}",
            "a plural or select of the message has no `}` (byte 21)",
        ),
        (Syntax::Icu, "<b>{n}</b>", "{n}", "the tag </b> is missing"),
    ] {
        let result = checked(syntax, "de", &single(source), &single(target));
        assert_eq!(result, Err(error.to_owned()), "{source} | {target}");
    }
}

#[test]
fn forms_for_a_single_number_may_omit_it() {
    let source = plural(&[(ONE, "%d file in %s"), (OTHER, "%d files in %s")]);
    for (form, text, result) in [
        (ONE, "jeden plik w %2$s", Ok(())),
        // Without `%d`, `%s` would format the wrong argument.
        (ONE, "jeden plik w %s", Err("the placeholder %d is missing".to_owned())),
        (FEW, "%d pliki w %s", Ok(())),
        (PluralForm::Exact(0), "brak plików w %2$s", Ok(())),
        (PluralForm::Category(PluralCategory::Two), "%2$s", Ok(())),
        (FEW, "pliki w %s", Err("the placeholder %d is missing".to_owned())),
        (ONE, "jeden plik", Err("the placeholder %d is missing".to_owned())),
    ] {
        assert_eq!(checked(Syntax::Printf, "pl", &source, &plural(&[(form, text)])), result, "{text}");
    }
    let source = plural(&[(ONE, "One file"), (OTHER, "{{count}} files")]);
    assert_eq!(checked(Syntax::I18next, "pl", &source, &plural(&[(ONE, "{{count}} plik")])), Ok(()));
    assert_eq!(checked(Syntax::I18next, "pl", &source, &plural(&[(FEW, "Jeden plik")])), Ok(()));
}

#[test]
fn finds_missing_forms_in_units_and_messages() {
    let forms = TargetForms::OfLanguage;
    let missing = |to, source: &UnitText, target: &UnitText| {
        let rules =
            MessageRules { syntax: Syntax::Icu, markup: &[], source_lang: "en", target_lang: to, target_forms: &forms };
        missing_forms(source, target, &rules)
    };
    let source = plural(&[(ONE, "a"), (OTHER, "b")]);
    assert_eq!(missing("pl", &source, &plural(&[(OTHER, "b")])), [ONE]);
    assert_eq!(missing("pl", &source, &plural(&[(ONE, " "), (OTHER, "b")])), [ONE]);
    assert_eq!(missing("pl", &source, &plural(&[(ONE, "a"), (FEW, "a")])), [OTHER]);
    assert_eq!(missing("ja", &source, &plural(&[(OTHER, "b")])), []);
    assert_eq!(missing("de", &source, &plural(&[(ONE, ""), (OTHER, "")])), []);
    let blank = plural(&[(ONE, ""), (OTHER, "b")]);
    assert_eq!(missing("pl", &blank, &plural(&[(ONE, ""), (OTHER, "b")])), [], "as in the source");
    let source = single("{n, plural, =0 {x} one {a} other {b}}");
    assert_eq!(missing("de", &source, &single("{n, plural, other {b}}")), [ONE]);
    assert_eq!(missing("de", &source, &single("{n, plural, =1 {a} other {b}}")), []);
    // In French, 0 takes the singular, too.
    assert_eq!(missing("fr", &source, &single("{n, plural, =1 {a} other {b}}")), []);
    assert_eq!(missing("ru", &source, &single("{n, plural, =1 {a} few {b} many {b} other {b}}")), [ONE]);
    assert_eq!(missing("de", &source, &single("{n, plural, one {a}}")), [OTHER]);
    assert_eq!(missing("ja", &source, &single("{n}")), []);
    // A message without `other` does not parse.
    assert_eq!(missing("ru", &source, &single("{n, plural, one {a} few {b} many {c}}")), [OTHER]);
}
