//! Targets for inline code in texts: placeholders, tags, and messages with plurals or branches.

use tulk_base::json::escaped_len;
use tulk_catalogs::inline::{InlineToken, TaggedText, TextProtection, has_letters};
use tulk_catalogs::{
    MessageRules, PluralCategory, PluralForm, PluralKind, PluralText, Sentence, Syntax, TargetForms, UnitText,
    check_target, expand, missing_forms,
};
use tulk_pipeline::{PROTECT_PRESETS, Protector, SentForm};

use super::{FuzzTarget, choices};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "placeholders", check: placeholders },
    FuzzTarget { name: "protect", check: protect },
    FuzzTarget { name: "tags", check: tags },
    FuzzTarget { name: "message", check: message },
];

/// Languages with one, two, three, four and six plural forms.
const LANGUAGES: &[&str] = &["en-GB", "ja", "ar", "pl", "fr"];

fn syntax(choice: u8) -> Syntax {
    Syntax::ALL.get(usize::from(choice) % Syntax::ALL.len()).copied().unwrap_or_default()
}

/// Parts of a text that count as markup of its file.
fn markup(choice: u8) -> Vec<String> {
    let markup: &[&str] = if choice & 128 > 0 { &["<b>", "</b>", "<x id=\"1\"/>", "&lt;", "&amp;"] } else { &[] };
    markup.iter().map(|part| (*part).to_owned()).collect()
}

/// Tokens are in order, do not overlap, and end at character boundaries.
fn check_tokens(text: &str, tokens: &[InlineToken]) {
    let mut done = 0;
    for token in tokens {
        let range = token.byte_range();
        assert!(range.start >= done && range.end > range.start, "{range:?} after {done} in {text:?}");
        assert!(text.get(range.clone()).is_some(), "{range:?} is not valid in {text:?}");
        done = range.end;
    }
}

/// A text is restored from its tagged form, and a result is restored with all tokens or refused.
fn check_tagged(text: &str, tokens: &[InlineToken], result: &str, is_ordered: bool) {
    let tagged = TaggedText::new(text, tokens).ordered(is_ordered);
    assert_eq!(tagged.restore(tagged.sent()).as_deref(), Ok(text), "sent as {:?}", tagged.sent());
    let unchanged = TaggedText::without_tags(text, tokens, tokens).ordered(is_ordered);
    assert_eq!(unchanged.restore(unchanged.sent()).as_deref(), Ok(text), "sent as {:?}", unchanged.sent());
    for tagged in [tagged, unchanged] {
        let restored = tagged.restore(result);
        for token in tagged.tokens() {
            assert!(restored.as_ref().is_ok_and(|restored| restored.contains(token)) || restored.is_err(), "{token:?}");
        }
    }
}

fn placeholders(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (syntax, markup) = (syntax(choice & 127), markup(choice));
    let tokens = syntax.tokens(text, &markup);
    check_tokens(text, &tokens);
    has_letters(text, &tokens);
    check_tagged(text, &tokens, text, syntax.is_ordered(text, &tokens));
}

/// Tokens of `--protect`. The first line has a pattern; the bits of the first byte choose presets.
fn protect(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let Some((pattern, text)) = std::str::from_utf8(rest).ok().and_then(|text| text.split_once('\n')) else { return };
    let mut values: Vec<String> =
        (0..8).filter(|bit| choice >> bit & 1 > 0).map(|bit| PROTECT_PRESETS[bit].name.to_owned()).collect();
    if !pattern.is_empty() && pattern.len() < 32 {
        values.push(pattern.to_owned());
    }
    let (Ok(tagged), Ok(unchanged)) =
        (Protector::new(&values, SentForm::Tagged), Protector::new(&values, SentForm::WithoutTags))
    else {
        return;
    };
    let tokens = tagged.tokens(text);
    check_tokens(text, &tokens);
    check_tagged(text, &tokens, text, false);
    let sent = TaggedText::new(text, &tokens);
    assert_eq!(tagged.sent_len(text), escaped_len(sent.sent().as_bytes()));
    assert_eq!(unchanged.sent_len(text), escaped_len(text.as_bytes()));
}

/// The first line is the text that was sent, the rest is the service's result.
fn tags(input: &[u8]) {
    let Some(([choice], rest)) = choices(input) else { return };
    let Some((text, result)) = std::str::from_utf8(rest).ok().and_then(|text| text.split_once('\n')) else { return };
    let syntax = syntax(choice & 127);
    let tokens = syntax.tokens(text, &markup(choice));
    check_tagged(text, &tokens, result, syntax.is_ordered(text, &tokens));
}

/// Units with plurals and branches. The first byte chooses the syntax and the markup; the second byte chooses the languages, and whether
/// the unit is a plural. The rest of the first line is a plural forms header, or empty. The text follows; `|` separates plural forms.
fn message(input: &[u8]) {
    let Some(([choice, languages], rest)) = choices(input) else { return };
    let Some((header, text)) = std::str::from_utf8(rest).ok().and_then(|text| text.split_once('\n')) else { return };
    let language = |number: u8| LANGUAGES.get(usize::from(number) % LANGUAGES.len()).copied().unwrap_or("en");
    let target_forms =
        if header.is_empty() { TargetForms::OfLanguage } else { TargetForms::Gettext(header.to_owned()) };
    let markup = markup(choice);
    let rules = MessageRules {
        syntax: syntax(choice & 127),
        markup: &markup,
        source_lang: language(languages / 5),
        target_lang: language(languages),
        target_forms: &target_forms,
    };
    let source = if languages & 128 > 0 { plural(text) } else { UnitText::Single(text.to_owned()) };
    let Ok(expansion) = expand(&source, &rules) else { return };
    assert_eq!(expansion.form_names().len(), expansion.sentences.len());
    let mut results = Vec::new();
    for sentence in &expansion.sentences {
        check_tokens(&sentence.text, &sentence.tokens);
        let finished = sentence.finish(&sentence.text);
        assert!(finished.is_ok(), "{finished:?} of {sentence:?}");
        let plain = sentence.without_sample().map(|plain| plain.finish(&plain.text));
        assert!(plain.is_none_or(|plain| plain == finished), "{sentence:?}");
        results.extend(finished);
    }
    let folded = expansion.fold(&results.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(folded.is_ok(), "{folded:?} of an echo");
    let is_same = rules.source_lang == rules.target_lang && header.is_empty();
    if let Ok(folded) = &folded {
        let missing = missing_forms(&source, folded, &rules);
        // A form with only whitespace may count as missing.
        let is_complete = source.texts().all(|text| !text.trim().is_empty());
        let may_miss = !is_same || !is_complete || folded == &source;
        assert!(may_miss || missing.is_empty(), "{missing:?} are missing in {folded:?}");
    }
    let other: Vec<String> =
        expansion.sentences.iter().filter_map(|sentence| sentence.finish(&uppercase(sentence)).ok()).collect();
    if let Ok(target) = expansion.fold(&other.iter().map(String::as_str).collect::<Vec<_>>()) {
        let _ = check_target(&source, &target, &rules);
        let again = MessageRules { source_lang: rules.target_lang, ..rules.clone() };
        let _ = (missing_forms(&source, &target, &rules), expand(&target, &again));
    }
}

fn plural(text: &str) -> UnitText {
    let forms = [PluralCategory::One, PluralCategory::Few, PluralCategory::Other];
    let forms = text.splitn(3, '|').zip(forms);
    let form = |(text, category): (&str, _)| PluralText { form: PluralForm::Category(category), text: text.to_owned() };
    UnitText::Plural(PluralKind::Cardinal, forms.map(form).collect())
}

/// Upper case, except for tokens.
fn uppercase(sentence: &Sentence) -> String {
    let text = sentence.text.as_str();
    let (mut out, mut done) = (String::new(), 0);
    for range in sentence.tokens.iter().map(InlineToken::byte_range) {
        out.push_str(&text.get(done..range.start).unwrap_or_default().to_uppercase());
        out.push_str(text.get(range.clone()).unwrap_or_default());
        done = range.end;
    }
    out + &text.get(done..).unwrap_or_default().to_uppercase()
}
