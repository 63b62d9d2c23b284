//! Tests of the tokens that are found, and of what is sent for entries.

use tulk_catalogs::inline::TokenKind;
use tulk_formats::Slot;

use super::*;

fn protector(values: &[&str], form: SentForm) -> Protector {
    Protector::new(&values.iter().map(ToString::to_string).collect::<Vec<_>>(), form).unwrap()
}

fn sent(values: &[&str], text: &str) -> String {
    sent_with(values, SentForm::Tagged, text, Vec::new())
}

fn sent_with(values: &[&str], form: SentForm, text: &str, tokens: Vec<InlineToken>) -> String {
    let slot = Slot { tokens, ..Slot::new(text.as_bytes(), 0..text.len()).unwrap() };
    let mut record = Record { bytes: text.as_bytes().to_vec(), slots: vec![slot], ..Record::default() };
    protector(values, form).protect(&mut record);
    record.sent_text(0).unwrap().to_owned()
}

#[test]
fn the_earliest_longest_match_wins() {
    for (values, text, expected) in [
        (&["braces", "mustache"][..], "a {{b}} {c}", "a <x id=\"1\">{{b}}</x> <x id=\"2\">{c}</x>"),
        (&["re:b", "re:bc"], "abcb", "a<x id=\"1\">bc</x><x id=\"2\">b</x>"),
        (&["re:ab", "re:bcd"], "abcd bcd", "<x id=\"1\">ab</x>cd <x id=\"2\">bcd</x>"),
        (&["shell", "re:\\w+/"], "$HOME/x", "<x id=\"1\">$HOME</x>/x"),
        (&["email", "url"], "mailto:a@b.org", "<x id=\"1\">mailto:a@b.org</x>"),
        (&["x*"], "axxb", "a<x id=\"1\">xx</x>b"),
        (&["printf"], "%s%d", "<x id=\"1\">%s</x><x id=\"2\">%d</x>"),
        (&["printf", "printf"], "%s", "<x id=\"1\">%s</x>"),
        (&["(?s).*"], "a\nb", "<x id=\"1\">a\nb</x>"),
        (&["printf"], "none & <", "none &amp; &lt;"),
    ] {
        assert_eq!(sent(values, text), expected);
    }
}

#[test]
fn finds_tokens_after_crlf_is_replaced_by_lf() {
    assert_eq!(sent(&["re:a\\nb"], "xa\r\nb\r\ny"), "x<x id=\"1\">a\nb</x>\ny");
}

#[test]
fn tokens_of_the_format_win() {
    let own = || {
        vec![
            InlineToken { range: 2..4, kind: TokenKind::Open(0) },
            InlineToken { range: 6..8, kind: TokenKind::Close(0) },
            InlineToken::fixed(8..11).unwrap(),
        ]
    };
    let text = "%s**%d**{x}{y}";
    assert_eq!(
        sent_with(&[".+"], SentForm::Tagged, text, own()),
        "<x id=\"1\">%s</x><g id=\"2\"><x id=\"3\">%d</x></g><x id=\"4\">{x}</x><x id=\"5\">{y}</x>"
    );
    let only = "%s<g id=\"1\">%d</g><x id=\"2\">{x}</x>{y}";
    assert_eq!(sent_with(&[], SentForm::Tagged, text, own()), only);
}

#[test]
fn sends_entries_in_the_given_form() {
    assert_eq!(sent_with(&["printf"], SentForm::WithoutTags, "a & %s", Vec::new()), "a & %s");
    assert_eq!(sent_with(&[], SentForm::Plain, "a & %s", Vec::new()), "a & %s");
    assert_eq!(sent_with(&[], SentForm::Tagged, "a & %s", Vec::new()), "a &amp; %s");
    assert_eq!(protector(&[], SentForm::Plain).identity(), "");
    assert_eq!(
        protector(&["url,code", "a\"b"], SentForm::Tagged).identity(),
        " Tagged [\"url\", \"code\", \"a\\\"b\"]"
    );
}
