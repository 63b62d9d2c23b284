//! Property tests: an unchanged result gives the source back, and a translation agrees with its source.

use proptest::prelude::*;
use tulk_growth::{MakeInput, assert_linear};

use super::*;
use crate::catalog::PluralText;
use crate::plural::{PluralCategory, PluralKind};

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "You have ",
        "files",
        "it's ",
        "l''ami ",
        "'{x}' ",
        "<b>now</b> ",
        "{name} ",
        "{d, date, short} ",
        "# ",
        "2 ",
        "a < b ",
        "'{' ",
        "dogs' ",
    ]);
    prop::collection::vec(word, 0..4).prop_map(|words| words.concat())
}

fn messages() -> impl Strategy<Value = String> {
    words().prop_recursive(3, 24, 5, |inner| {
        let plural = (inner.clone(), inner.clone(), "[nm]", any::<bool>(), any::<bool>()).prop_map(
            |(one, other, argument, has_zero, is_ordinal)| {
                let kind = if is_ordinal { "selectordinal" } else { "plural" };
                let zero = if has_zero { "=0 {none} " } else { "" };
                let two = if is_ordinal { " two {2nd} few {3rd}" } else { "" };
                format!("{{{argument}, {kind}, {zero}one {{{one}}}{two} other {{{other}}}}}")
            },
        );
        let select = (inner.clone(), inner.clone(), "[gh]")
            .prop_map(|(a, b, argument)| format!("{{{argument}, select, a {{{a}}} other {{{b}}}}}"));
        let text = (words(), inner, words()).prop_map(|(a, b, c)| [a, b, c].concat());
        prop_oneof![plural, select, text]
    })
}

fn texts() -> impl Strategy<Value = (Syntax, String)> {
    let syntax = prop::sample::select(vec![
        Syntax::Printf,
        Syntax::I18next,
        Syntax::MessageFormat,
        Syntax::Ruby,
        Syntax::Fluent,
    ]);
    let piece = prop::sample::select(vec![
        "%d",
        "%s",
        "%1$s",
        "{{count}}",
        "{0}",
        "%{count}",
        "{ $n }",
        "it's",
        "''",
        "'{0}'",
        " ",
        "<b>",
        "</b>",
        "2",
        "21",
        "100%",
        "{ $n -> \n [one] a\n *[other] b { $n }\n }",
    ]);
    (syntax, prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat()))
}

fn rules<'a>(syntax: Syntax, to: &'a str, forms: &'a TargetForms) -> MessageRules<'a> {
    MessageRules { syntax, markup: &[], source_lang: "en", target_lang: to, target_forms: forms }
}

/// Returns the sentence in upper case, except for its tokens.
fn upper(sentence: &Sentence) -> String {
    let text = sentence.text.as_str();
    let mut out = String::new();
    let mut done = 0;
    for token in &sentence.tokens {
        let range = token.byte_range();
        out.push_str(&text.get(done..range.start).unwrap().to_uppercase());
        out.push_str(text.get(range.clone()).unwrap());
        done = range.end;
    }
    out.push_str(&text.get(done..).unwrap().to_uppercase());
    out
}

fn folded(expansion: &Expansion, service: fn(&Sentence) -> String) -> UnitText {
    let finish = |sentence: &Sentence| {
        let result = service(sentence);
        let finished = sentence.finish(&result).unwrap_or_else(|error| panic!("{error}: {sentence:?}"));
        if let Some(plain) = sentence.without_sample() {
            // With the placeholder instead of the number, the result must be the same.
            assert_eq!(plain.finish(&service(&plain)).unwrap(), finished);
        }
        finished
    };
    let results: Vec<String> = expansion.sentences.iter().map(finish).collect();
    expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>()).unwrap()
}

fn plural(one: &str, other: &str) -> UnitText {
    let form = |category, text: &str| PluralText { form: PluralForm::Category(category), text: text.to_owned() };
    UnitText::Plural(PluralKind::Cardinal, vec![form(PluralCategory::One, one), form(PluralCategory::Other, other)])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_echo_returns_the_message_unchanged(text in messages()) {
        let forms = TargetForms::OfLanguage;
        let source = UnitText::Single(text);
        if let Ok(expansion) = expand(&source, &rules(Syntax::Icu, "en-GB", &forms)) {
            prop_assert_eq!(folded(&expansion, |sentence| sentence.text.clone()), source);
        }
    }

    #[test]
    fn a_translated_message_agrees_with_its_source(text in messages(), to in prop::sample::select(vec!["en-GB", "pl", "fr", "ja", "ar"])) {
        let forms = TargetForms::OfLanguage;
        let is_simple = text.matches("other").count() <= 1;
        let source = UnitText::Single(text);
        let rules = rules(Syntax::Icu, to, &forms);
        if let Ok(expansion) = expand(&source, &rules) {
            let target = folded(&expansion, upper);
            if to == "en-GB" && is_simple {
                // Nested choices are not checked: they may have branches that no number or keyword reaches.
                prop_assert_eq!(check_target(&source, &target, &rules), Ok(()), "{:?}", target);
            }
            prop_assert_eq!(missing_forms(&source, &target, &rules), vec![], "{:?}", target);
            let again = MessageRules { source_lang: to, ..rules.clone() };
            let expansion = expand(&target, &again).unwrap();
            prop_assert_eq!(folded(&expansion, |sentence| sentence.text.clone()), target);
        }
    }

    #[test]
    fn an_echo_returns_other_texts_unchanged((syntax, text) in texts(), other in texts()) {
        let forms = TargetForms::OfLanguage;
        for source in [UnitText::Single(text.clone()), plural(&text, &other.1)] {
            let expansion = expand(&source, &rules(syntax, "en-GB", &forms)).unwrap();
            prop_assert_eq!(folded(&expansion, |sentence| sentence.text.clone()), source);
        }
    }

    #[test]
    fn hostile_messages_are_expanded_or_skipped(text in "([{}'#, =<>$*\n]|\\[one\\]|->|n|plural,|select,|other|one|offset:1|[0-9]){0,24}") {
        let forms = TargetForms::Gettext("nplurals=99999; plural=n".to_owned());
        for syntax in [Syntax::Icu, Syntax::MessageFormat, Syntax::Fluent, Syntax::Printf] {
            for source in [UnitText::Single(text.clone()), plural(&text, &text)] {
                let rules = rules(syntax, "ar", &forms);
                if let Ok(expansion) = expand(&source, &rules) {
                    let results: Vec<&str> = expansion.sentences.iter().map(|_| text.as_str()).collect();
                    let _ = expansion.fold(&results);
                }
                let _ = (check_target(&source, &source, &rules), missing_forms(&source, &source, &rules));
            }
        }
    }
}

#[test]
fn an_echo_is_accepted_if_words_look_like_placeholders() {
    let forms = TargetForms::OfLanguage;
    let text = "\r<bbhr}hoi%5%ac,|#\n?% \0\0\0\n\nhr}hoi#,0c|%a\n?,0c|%a\n\n?% \0\0\0\u{7}0\u{3}";
    let source = UnitText::Single(text.to_owned());
    let expansion = expand(&source, &rules(Syntax::Python, "en-GB", &forms)).unwrap();
    assert_eq!(folded(&expansion, |sentence| sentence.text.clone()), source);
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn hostile_messages_take_linear_time() {
    fn numbered(piece: &str, count: usize) -> String {
        (0..count).map(|n| piece.replace('N', &n.to_string())).collect()
    }
    let forms = TargetForms::OfLanguage;
    let messages: [(Syntax, MakeInput); 17] = [
        (Syntax::Icu, |n| "'".repeat(n)),
        (Syntax::Icu, |n| "'{".repeat(n)),
        (Syntax::Icu, |n| "'<".repeat(n)),
        (Syntax::Icu, |n| "{a}".repeat(n)),
        (Syntax::Icu, |n| "{n, plural, other {".repeat(n)),
        (Syntax::Icu, |n| "{n, plural, one {#} other {#}}".repeat(n)),
        (Syntax::Icu, |n| "<b>x</b>1 ".repeat(n)),
        (Syntax::Icu, |n| format!("{}{{n, plural, one {{#}} other {{#}}}}", "a 1 {a} ".repeat(n))),
        (Syntax::Icu, |n| numbered("{aN} ", n)),
        (Syntax::Icu, |n| format!("{{n, plural, {} other {{x}}}}", numbered("=N {#} ", n))),
        (Syntax::Icu, |n| numbered("{n, plural, =N {#} other {#}}", n)),
        (Syntax::MessageFormat, |n| ["{0}", &" 'a".repeat(n)].concat()),
        (Syntax::MessageFormat, |n| ["{0}", &"a'".repeat(n)].concat()),
        (Syntax::Printf, |n| "%d 5 ".repeat(n)),
        (Syntax::Fluent, |n| "{ $n }".repeat(n)),
        (Syntax::Fluent, |n| "{ $n -> [one] ".repeat(n)),
        (Syntax::Fluent, |n| "{ $n -> \n [one] a\n *[other] b\n }".repeat(n)),
    ];
    for (syntax, message) in messages {
        assert_linear(&format!("{syntax:?} {}", message(2)), 250, message, |text| {
            for source in [UnitText::Single(text.clone()), plural(text, "")] {
                let rules = rules(syntax, "ar", &forms);
                if let Ok(expansion) = expand(&source, &rules) {
                    let results: Vec<String> =
                        expansion.sentences.iter().map(|sentence| sentence.finish(&upper(sentence)).unwrap()).collect();
                    let _ = expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>());
                }
                let _ = (check_target(&source, &source, &rules), missing_forms(&source, &source, &rules));
            }
        });
    }
}
