//! Tests of sent texts and of restored results.

use proptest::prelude::*;

use super::*;

fn fixed(text: &str, tokens: &[&str]) -> TaggedText {
    TaggedText::new(text, &fixed_tokens(text, tokens))
}

/// Returns the tokens with the given texts, in order.
fn fixed_tokens(text: &str, tokens: &[&str]) -> Vec<InlineToken> {
    let mut from = 0;
    let token = |token: &&str| {
        let start = from + text.split_at(from).1.find(token).unwrap();
        from = start + token.len();
        InlineToken::fixed(start..from).unwrap()
    };
    tokens.iter().map(token).collect()
}

fn pair(number: u16, start: Range<u32>, end: Range<u32>) -> [InlineToken; 2] {
    [
        InlineToken { range: start, kind: TokenKind::Open(number) },
        InlineToken { range: end, kind: TokenKind::Close(number) },
    ]
}

/// `a **b %s** c` with emphasis and a placeholder.
fn emphasis() -> TaggedText {
    let [open, close] = pair(7, 2..4, 8..10);
    let token = InlineToken::fixed(6..8).unwrap();
    TaggedText::new("a **b %s** c", &[open, token, close])
}

fn loss(text: &TaggedText, result: &str) -> String {
    text.restore(result).unwrap_err().to_string()
}

#[test]
fn tokens_are_elements_and_the_text_is_escaped_once() {
    assert_eq!(emphasis().sent(), r#"a <g id="1">b <x id="2">%s</x></g> c"#);
    let text = fixed("<x id=\"1\">&amp; %s", &["%s"]);
    assert_eq!(text.sent(), r#"&lt;x id="1"&gt;&amp;amp; <x id="1">%s</x>"#);
    assert_eq!(text.restore(text.sent()).unwrap(), "<x id=\"1\">&amp; %s");
    let text = fixed("a<b&&c>", &["<b&", "&c>"]);
    assert_eq!(text.sent(), r#"a<x id="1">&lt;b&amp;</x><x id="2">&amp;c&gt;</x>"#);
}

#[test]
fn characters_are_counted_as_sent_without_tags() {
    for (text, chars) in [(emphasis(), 8), (fixed("ü < %s\r\n", &["%s"]), 15), (fixed("a\u{1}b", &[]), 2)] {
        assert_eq!(text.chars(), chars, "{}", text.sent());
    }
    assert_eq!(TaggedText::without_tags("ü %s", &fixed_tokens("ü %s", &["%s"]), &[]).chars(), 4);
}

#[test]
fn results_may_move_tags_and_change_their_notation() {
    let text = emphasis();
    for (result, restored) in [
        (r#"C <g id="1">B <x id="2">%s</x></g> A"#, "C **B %s** A"),
        ("A <g id='1' ><X ID=2 />B</ g>", "A **%sB**"),
        (r#"<x id="2">what the service thinks</x> <g id="1"></g>"#, "%s ****"),
        (r#"<x id="2"/><g id="1"/>"#, "%s****"),
        (r#"<g id="1">&lt;&#x22;&quot;&nbsp;&</g> < 3 <b> <x id="2">&</x>"#, "**<\"\"&nbsp;&** < 3 <b> %s"),
    ] {
        assert_eq!(text.restore(result).unwrap(), restored);
    }
}

#[test]
fn adds_no_whitespace_at_the_ends() {
    let text = fixed("%s tea", &["%s"]);
    for (result, restored) in [
        (" <x id=\"1\">%s</x> Tee ", "%s Tee"),
        ("\n Tee<x id=\"1\">%s</x> ", "Tee%s"),
        ("<x id=\"1\">%s</x>  Tee", "%s  Tee"),
        ("&#32;Tee<x id=\"1\"/>&#10;", "Tee%s"),
    ] {
        assert_eq!(text.restore(result).unwrap(), restored, "{result}");
    }
    let blank = fixed(" %s ", &[" %s "]);
    assert_eq!(blank.restore(" <x id=\"1\"> %s </x> ").unwrap(), "  %s  ");
}

#[test]
fn requires_each_token_exactly_once() {
    let text = emphasis();
    for (result, message) in [
        ("a", "the service lost `**…**`"),
        (r#"<g id="1">b</g> c"#, "the service lost `%s`"),
        (r#"<g id="1">b</g> %s"#, "the service lost `%s`"),
        (r#"<g id="1"><x id="2"/><x id="2"/></g>"#, "the service repeated `%s`"),
        (r#"<g id="1"><x id="2"/></g><g id="1"/>"#, "the service repeated `**…**`"),
        (r#"<g id="1"><x id="2"/>"#, "the service returned `**…**` in two parts that do not match"),
        (r#"<g id="1"><x id="2">%s</g>"#, "the service returned `%s` in two parts that do not match"),
        (r#"<x id="2"><g id="1"></g></x>"#, "the service returned `%s` in two parts that do not match"),
        (r#"<g id="1"/><x id="2"/></g>"#, "the service returned markup that does not match"),
        (r#"<g id="1"/><x id="2"/></x>"#, "the service returned markup that does not match"),
        (r#"<g id="1"/><x id="2"/><x id="3"/>"#, "the service returned a placeholder that the text does not have"),
        (r#"<x id="1"/><x id="2"/>"#, "the service returned a placeholder that the text does not have"),
        (r#"<g id="1"/><x id="2"/><x id="0"/>"#, "the service returned a placeholder that the text does not have"),
    ] {
        assert_eq!(loss(&text, result), message, "{result}");
    }
    let long = "y".repeat(60);
    let message = format!("the service lost `\\u{{1b}}{}…`", "y".repeat(39));
    assert_eq!(loss(&fixed(&format!("\u{1b}{long}"), &[&format!("\u{1b}{long}")]), ""), message);
}

#[test]
fn crossing_and_incomplete_pairs_are_fixed_tokens() {
    let [a, b] = pair(1, 0..3, 9..13);
    let [c, d] = pair(2, 3..6, 13..17);
    let text = TaggedText::new("<b><i>tea</b></i>", &[a.clone(), c.clone(), b.clone(), d]);
    let sent = r#"<g id="1"><x id="2">&lt;i&gt;</x>tea</g><x id="3">&lt;/i&gt;</x>"#;
    assert_eq!(text.sent(), sent);
    assert_eq!(text.restore(sent).unwrap(), "<b><i>tea</b></i>");
    assert_eq!(TaggedText::new("<b><i>tea", &[a, c]).sent().matches("<x id").count(), 2);
    assert_eq!(TaggedText::new("<b><i>tea</b>", &[b]).sent(), r#"&lt;b&gt;&lt;i&gt;tea<x id="1">&lt;/b&gt;</x>"#);
}

#[test]
fn characters_not_allowed_in_xml_become_empty_elements() {
    let text = "a\0b\u{1b}[0m\u{ffff}\r\n\tc";
    let tagged = fixed(text, &[]);
    assert_eq!(tagged.sent(), "a<x id=\"1\"></x>b<x id=\"2\"></x>[0m<x id=\"3\"></x>&#13;\n\tc");
    assert_eq!(tagged.restore(tagged.sent()).unwrap(), text);
    let tagged = fixed("a \u{1}x\u{1} b", &["\u{1}x\u{1}"]);
    assert_eq!(tagged.sent(), "a <x id=\"1\">x</x> b");
    assert_eq!(tagged.restore("B <x id=\"1\"/>").unwrap(), "B \u{1}x\u{1}");
}

#[test]
fn texts_without_tags_are_verified() {
    let text = "Use $X & %s, then %s.";
    let tagged = TaggedText::without_tags(text, &fixed_tokens(text, &["$X", "%s", "%s"]), &[]);
    assert_eq!(tagged.sent(), text);
    for result in [text, "%s, %s, $X", "<$X> %s %s %"] {
        assert_eq!(tagged.restore(result).unwrap(), result);
    }
    assert_eq!(loss(&tagged, "Use $X: %s."), "the service lost `%s`");
    assert_eq!(loss(&tagged, "Use $XY: %s %s."), "the service lost `$X`");
    assert_eq!(loss(&tagged, "$X $X %s %s"), "the service repeated `$X`");
    let part = TaggedText::without_tags("$Xs", &fixed_tokens("$Xs", &["$X"]), &[]);
    assert!(part.restore("ein $Xs").is_ok());
}

#[test]
fn code_and_links_are_sent_as_numbers_where_tags_are_not_supported() {
    let text = "Teh *door* {1} is [open](http://a.example) with `ls`.";
    let token = |source: &str, kind| {
        let start = text.find(source).unwrap();
        InlineToken { kind, ..InlineToken::fixed(start..start + source.len()).unwrap() }
    };
    let own = [
        token("*", TokenKind::Open(0)),
        InlineToken { kind: TokenKind::Close(0), ..InlineToken::fixed(9..10).unwrap() },
        token("[", TokenKind::Open(1)),
        token("](http://a.example)", TokenKind::Close(1)),
        token("`ls`", TokenKind::Fixed),
    ];
    let tagged = TaggedText::without_tags(text, &own, &own);
    assert_eq!(tagged.sent(), "Teh *door* {1} is {2}open{3} with {4}.");
    assert_eq!(tagged.chars(), 38);
    let result = "With {4}, the *door* {1} is {2}OPEN{3}.";
    assert_eq!(tagged.restore(result).unwrap(), "With `ls`, the *door* {1} is [OPEN](http://a.example).");
    assert_eq!(loss(&tagged, "The *door* {1} is {2}open{3}."), "the service lost ``ls``");
    assert_eq!(loss(&tagged, "The door {1} is {2}open{3} with {4}."), "the service lost `*`");
    assert_eq!(loss(&tagged, "The *door* {1} is {2}open{3} with {4} {4}."), "the service repeated ``ls``");
}

fn texts() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(vec![
        "<",
        ">",
        "&",
        "\"",
        "'",
        "&amp;",
        "&#13;",
        "<x id=\"1\">",
        "</x>",
        "<g id=\"2\">",
        "</g>",
        "<x id=\"1\"/>",
        "]]>",
        "<![CDATA[",
        "\r",
        "\n",
        "\r\n",
        " ",
        "\t",
        "\0",
        "\u{1b}",
        "\u{b}",
        "\u{7f}",
        "\u{85}",
        "\u{fffe}",
        "\u{ffff}",
        "\u{fffd}",
        "\u{feff}",
        "é",
        "茶",
        "🍵",
        "%s",
        "a",
        "tea",
    ]);
    prop::collection::vec(odd, 0..24).prop_map(|parts| parts.concat())
}

/// Generates a token for every two cuts, which are its start and its end. The number of the first cut selects its kind.
fn tokens(text: &str, cuts: &[(usize, u8)]) -> Vec<InlineToken> {
    let boundary = |at: usize| (0..=at % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
    let mut ends: Vec<(u32, u8)> =
        cuts.iter().map(|(at, kind)| (u32::try_from(boundary(*at)).unwrap(), *kind)).collect();
    ends.sort_unstable();
    let kind = |kind: u8| match kind % 3 {
        0 => TokenKind::Fixed,
        1 => TokenKind::Open(u16::from(kind / 3 % 4)),
        _ => TokenKind::Close(u16::from(kind / 3 % 4)),
    };
    ends.chunks_exact(2).map(|ends| InlineToken { range: ends[0].0..ends[1].0, kind: kind(ends[0].1) }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn an_unchanged_result_restores_the_text(
        text in texts(),
        cuts in prop::collection::vec((0usize..200, any::<u8>()), 0..12),
    ) {
        let tokens = tokens(&text, &cuts);
        let tagged = TaggedText::new(&text, &tokens);
        prop_assert_eq!(tagged.restore(tagged.sent()).unwrap(), text.as_str());
        let is_allowed = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\u{7f}'..='\u{9f}');
        prop_assert!(tagged.sent().chars().all(is_allowed));
        let unchanged = TaggedText::without_tags(&text, &tokens, &tokens);
        prop_assert_eq!(unchanged.restore(unchanged.sent()).unwrap(), text.as_str());
    }

    #[test]
    fn a_restored_text_has_each_token_and_no_tags(text in texts(), result in texts()) {
        let text = format!("a{text}%s");
        let tagged = TaggedText::new(&text, &fixed_tokens(&text, &["a"]));
        if let Ok(restored) = tagged.restore(&result) {
            prop_assert!(result.contains("<x id=\"1\"") && restored.contains('a'), "{}", restored);
            prop_assert!(!restored.contains("</x>") && !restored.contains("<x id=\"1\""), "{}", restored);
        }
    }
}
