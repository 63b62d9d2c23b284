//! Decides which plain scalars are texts, and writes texts as scalars.

use std::sync::LazyLock;

use granit_parser::ScalarStyle;
use regex::Regex;

/// Matches numbers and dates of YAML 1.1 and 1.2, and Ruby's numbers with commas.
static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^(?:[-+]?(?:0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_,]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?",
        r"|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|\.(?:inf|Inf|INF))",
        r"|\.(?:nan|NaN|NAN)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?",
        r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?)$"
    ))
    .ok()
});

const TYPED_WORDS: [&str; 7] = ["null", "true", "false", "yes", "no", "on", "off"];

/// Returns whether a plain scalar is a text in both YAML 1.1 and 1.2.
pub(super) fn is_text(plain: &str) -> bool {
    if plain.is_empty() || plain == "~" || is_word_in_any_case(plain, &TYPED_WORDS) {
        return false;
    }
    let may_be_number = plain.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'));
    !may_be_number || !NUMBER.as_ref().is_some_and(|number| number.is_match(plain))
}

/// Returns whether a plain scalar is a boolean in YAML 1.1 but a text in YAML 1.2.
pub(super) fn is_yaml_1_1_boolean(plain: &str) -> bool {
    is_word_in_any_case(plain, &["yes", "no", "on", "off"])
}

/// Each of `words` may be in lowercase, uppercase or capitalized, as YAML 1.1 allows.
fn is_word_in_any_case(text: &str, words: &[&str]) -> bool {
    let is_cased = |c: &str| c.chars().all(|c| c.is_ascii_lowercase()) || c.chars().all(|c| c.is_ascii_uppercase());
    let mut rest = text.chars();
    rest.next();
    text.len() < 6
        && (is_cased(text) || is_cased(rest.as_str()) && rest.as_str().chars().all(|c| c.is_ascii_lowercase()))
        && words.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Only double quotes allow escapes.
pub(super) fn needs_escape(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

fn fits_plain(text: &str, in_flow: bool) -> bool {
    let starts_well = !text.starts_with(|c: char| "-?:,[]{}#&*!|>'\"%@` =".contains(c));
    starts_well
        && is_text(text)
        && !is_word_in_any_case(text, &["y", "n"])
        && !matches!(text, "<<" | "...")
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains(needs_escape)
        && !(in_flow && text.contains([',', '[', ']', '{', '}', ':', '?']))
}

/// Writes a text on one line. If `style` cannot hold it, it gets `quotes`, or double quotes if necessary.
pub(super) fn write_scalar(text: &str, style: ScalarStyle, quotes: ScalarStyle, in_flow: bool) -> String {
    let style = match style {
        ScalarStyle::Plain if fits_plain(text, in_flow) => return text.to_owned(),
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => style,
        _ => quotes,
    };
    if style == ScalarStyle::SingleQuoted && !text.contains(needs_escape) {
        return ["'", &text.replace('\'', "''"), "'"].concat();
    }
    double_quoted(text)
}

pub(super) fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if needs_escape(c) => {
                let code = u32::from(c);
                out.push_str(if code < 0x100 { "\\x" } else { "\\u" });
                let digits: u32 = if code < 0x100 { 2 } else { 4 };
                out.extend((0..digits).rev().filter_map(|digit| char::from_digit((code >> (4 * digit)) & 15, 16)));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_that_some_parser_reads_as_another_type_are_not_texts() {
        for plain in [
            "",
            "~",
            "null",
            "Null",
            "NULL",
            "true",
            "Yes",
            "NO",
            "on",
            "Off",
            "1",
            "-1",
            "+1.5",
            "1_000",
            "1,000",
            "0x1F",
            "0o17",
            "1e5",
            ".5",
            ".inf",
            "-.INF",
            ".NaN",
            "12:30",
            "2026-01-02",
            "2026-01-02T03:04:05Z",
            "2026-01-02 03:04:05 +01:00",
        ] {
            assert!(!is_text(plain), "{plain}");
        }
        for plain in ["nO", "yEs", "Nothing", "1 file", "2026-01-02 is a date", "-", ".", "1.2.3", "e5", "é", "y"] {
            assert!(is_text(plain), "{plain}");
        }
    }

    #[test]
    fn texts_are_quoted_where_necessary() {
        let plain = |text| write_scalar(text, ScalarStyle::Plain, ScalarStyle::DoubleQuoted, false);
        for text in ["Hello", "it's", "a:b", "a#b", "Hi %{name}", "1 file", "...and more", "a \"b\"", "é\u{a0}"] {
            assert_eq!(plain(text), text);
        }
        for (text, written) in [
            ("", "\"\""),
            ("no", "\"no\""),
            ("y", "\"y\""),
            ("5", "\"5\""),
            ("a: b", "\"a: b\""),
            ("a #b", "\"a #b\""),
            ("%{n} files", "\"%{n} files\""),
            ("- a", "\"- a\""),
            (" a", "\" a\""),
            ("a ", "\"a \""),
            ("a:", "\"a:\""),
            (":year", "\":year\""),
            ("a\nb", "\"a\\nb\""),
            ("a\u{2028}b\u{7}\u{85}", "\"a\\u2028b\\x07\\x85\""),
            ("say \"a\" \\ ", "\"say \\\"a\\\" \\\\ \""),
        ] {
            assert_eq!(plain(text), written);
        }
        assert_eq!(write_scalar("a, b", ScalarStyle::Plain, ScalarStyle::SingleQuoted, true), "'a, b'");
        assert_eq!(write_scalar("it's: b", ScalarStyle::Plain, ScalarStyle::SingleQuoted, false), "'it''s: b'");
        assert_eq!(write_scalar("a\tb", ScalarStyle::SingleQuoted, ScalarStyle::SingleQuoted, false), "\"a\\tb\"");
    }
}
