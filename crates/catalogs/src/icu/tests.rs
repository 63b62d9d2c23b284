//! Tests of ICU messages: parsing, errors, quoting.

use proptest::prelude::*;

use super::*;
use crate::invariants;
use crate::message::tree::MessagePart;

fn parse(text: &str) -> IcuMessage {
    IcuMessage::parse(text, IcuQuoting::Optional, &[]).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// Returns the text as a reader sees it, with arguments as written.
fn literal(text: &str, quoting: IcuQuoting) -> String {
    let part = |part: &MessagePart| match part {
        MessagePart::Text(text) | MessagePart::Quoted(text) => text.clone(),
        MessagePart::Argument { spelling, .. } => format!("[{spelling}]"),
        other => format!("{other:?}"),
    };
    IcuMessage::parse(text, quoting, &[]).unwrap().parts.iter().map(part).collect()
}

#[test]
fn apostrophes_follow_the_quoting_rule() {
    for (text, read) in [
        ("It's {name}", "It's [{name}]"),
        ("It''s {name}", "It's [{name}]"),
        ("'{name}' {name}", "{name} [{name}]"),
        ("a '{' b '}' c", "a { b } c"),
        ("'{it''s}'", "{it's}"),
        ("#'#'", "#'#'"),
        ("'", "'"),
        ("end '{open", "end {open"),
        ("{d, date, yyyy'}'MM}", "[{d, date, yyyy'}'MM}]"),
        ("{n, number, ::currency/EUR {x}}", "[{n, number, ::currency/EUR {x}}]"),
        ("{ name }", "[{ name }]"),
    ] {
        assert_eq!(literal(text, IcuQuoting::Optional), read, "{text}");
    }
    for (text, read) in [
        ("It''s {0}", "It's [{0}]"),
        ("Can't open {0}, it's locked", "Can't open [{0}], it's locked"),
        ("'{0}' is {0,number,#.##}", "{0} is [{0,number,#.##}]"),
        ("a 'quoted' {0}", "a quoted [{0}]"),
        ("{0,choice,0#none|1#one|1<{0} files}", "[{0,choice,0#none|1#one|1<{0} files}]"),
    ] {
        assert_eq!(literal(text, IcuQuoting::Required), read, "{text}");
    }
}

#[test]
fn choices_are_read_with_their_branches() {
    let message =
        parse("{n, plural, offset:1 =0 {no one} one {# file} other {# files of {g, select, a {x} other {#}}}}");
    let [MessagePart::Choice(choice)] = message.parts.as_slice() else { panic!("{message:?}") };
    let keys: Vec<&str> = choice.branches.iter().map(|branch| branch.key.as_str()).collect();
    assert_eq!(keys, ["=0", "one", "other"]);
    assert_eq!(choice.layout.head, "{n, plural, offset:1 ");
    assert!(matches!(choice.branches[1].parts[0], MessagePart::Count { plural: 0, in_select: false }));
    let MessagePart::Choice(inner) = &choice.branches[2].parts[2] else { panic!("{message:?}") };
    assert!(matches!(inner.branches[1].parts[0], MessagePart::Count { plural: 0, in_select: true }));
}

#[test]
fn errors_have_positions() {
    for (text, at, what) in [
        ("a {", 3, "an argument of the message has no name"),
        ("a {name", 7, "an argument of the message has no `}`"),
        ("a {name, date", 13, "an argument of the message has no `}`"),
        ("{n, plural}", 10, "a plural or select of the message has no branches"),
        ("{n, plural, }", 13, "a plural or select of the message has no branches"),
        ("{n, plural, other {x}", 21, "a plural or select of the message has no `}`"),
        ("{n, plural, one x}", 16, "a branch of the message has no `{`"),
        ("{n, plural, one {x", 18, "a branch of the message has no `}`"),
        ("{n, plural, ones {x} other {y}}", 12, "a branch of the message has an invalid keyword"),
        ("{n, plural, one {x} one {y}}", 27, "a branch of the message occurs twice"),
        ("{n, plural, offset:x one {x}}", 20, "the offset of a plural is not a number"),
    ] {
        let error = IcuMessage::parse(text, IcuQuoting::Optional, &[]).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (at, what), "{text}");
    }
    let deep = "{n, select, other {".repeat(200_000);
    let error = IcuMessage::parse(&deep, IcuQuoting::Optional, &[]).unwrap_err();
    assert_eq!(error.what, "branches of the message are nested too deeply");
}

#[test]
fn literal_text_is_quoted_where_necessary() {
    let write = |texts: &[&str], doubles_apostrophes: bool, in_plural: bool| {
        let mut writer = QuoteWriter::new(IcuQuoting::Optional, doubles_apostrophes, in_plural);
        for text in texts {
            match text.strip_prefix('$') {
                Some(syntax) => writer.push_syntax(syntax),
                None => writer.push_literal(text),
            }
        }
        writer.finish(in_plural)
    };
    assert_eq!(write(&["l'ami ", "${name}"], false, false), "l'ami {name}");
    assert_eq!(write(&["l'ami ", "${name}"], true, false), "l''ami {name}");
    assert_eq!(write(&["l'", "${name}"], false, false), "l''{name}");
    assert_eq!(write(&["the dogs'"], false, false), "the dogs'");
    assert_eq!(write(&["the dogs'"], false, true), "the dogs''");
    assert_eq!(write(&["{name} and {x"], false, false), "'{name}' and '{'x");
    assert_eq!(write(&["No. #1"], false, true), "No. '#'1");
    assert_eq!(write(&["No. #1"], false, false), "No. #1");
    assert_eq!(write(&["'{'"], false, false), "'''{'''");
    assert_eq!(write(&["}'{"], false, false), "'}''{'");
}

/// Checks that a written text is parsed back unchanged.
fn check_round_trip(text: &str, quoting: IcuQuoting, doubles_apostrophes: bool) {
    let mut writer = QuoteWriter::new(quoting, doubles_apostrophes, false);
    writer.push_literal(text);
    writer.push_syntax("{0}");
    writer.push_literal(text);
    let written = writer.finish(false);
    assert_eq!(literal(&written, quoting), format!("{text}[{{0}}]{text}"), "{written}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn written_text_is_read_back(text in prop_oneof![invariants::texts(), "['{}#<> a]{0,8}"], doubles_apostrophes: bool) {
        check_round_trip(&text, IcuQuoting::Optional, doubles_apostrophes);
        check_round_trip(&text, IcuQuoting::Required, doubles_apostrophes);
    }

    #[test]
    fn arbitrary_messages_do_not_panic(text in "([{}'#, =<>]|n|plural|select|other|one|offset:1){0,24}") {
        let _ = IcuMessage::parse(&text, IcuQuoting::Optional, &[]);
        let _ = IcuMessage::parse(&text, IcuQuoting::Required, &[]);
    }
}
