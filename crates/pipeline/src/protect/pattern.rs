//! The values of `--protect`: presets and regular expressions.

use std::ops::Range;

use regex::Regex;
use regex_syntax::ast;
use tulk_base::error::Failure;
use tulk_base::suggest::similar;

use super::presets::{PROTECT_PRESETS, ProtectPreset};

#[derive(Debug)]
pub enum ProtectPattern {
    Preset(&'static ProtectPreset),
    Regex(Regex),
}

impl ProtectPattern {
    /// Parses a value of `--protect`: presets separated by commas, or a regular expression. The message of a failure starts with `protect`.
    pub fn parse(value: &str) -> Result<Vec<Self>, Failure> {
        if let Some(pattern) = value.strip_prefix("re:") {
            return Ok(vec![Self::Regex(regex(pattern, 3)?)]);
        }
        let parts: Vec<&str> = value.split(',').map(str::trim).collect();
        let presets: Vec<_> = parts.iter().map(|part| preset(part)).collect();
        if let Some(presets) = presets.iter().copied().collect::<Option<Vec<_>>>() {
            return Ok(presets.into_iter().map(Self::Preset).collect());
        }
        let is_list = parts.len() == 1 || presets.iter().any(Option::is_some);
        if is_list && parts.iter().all(|part| is_word(part)) {
            let unknown = parts.iter().find(|part| preset(part).is_none()).copied().unwrap_or_default();
            return Err(unknown_preset(unknown));
        }
        Ok(vec![Self::Regex(regex(value, 0)?)])
    }

    /// Returns the next placeholder that starts at or after an offset. It is never empty.
    pub fn find_at(&self, text: &str, mut at: usize) -> Option<Range<usize>> {
        match self {
            Self::Preset(preset) => (preset.find)(text, at),
            Self::Regex(regex) => loop {
                let found = regex.find_at(text, at)?;
                if !found.is_empty() {
                    return Some(found.range());
                }
                at = found.end() + text.get(found.end()..)?.chars().next()?.len_utf8();
            },
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Self::Preset(preset) => preset.name,
            Self::Regex(regex) => regex.as_str(),
        }
    }
}

fn preset(name: &str) -> Option<&'static ProtectPreset> {
    PROTECT_PRESETS.iter().find(|preset| preset.name == name)
}

fn is_word(value: &str) -> bool {
    value.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
}

fn unknown_preset(name: &str) -> Failure {
    if name.is_empty() {
        return Failure::usage("protect needs a preset or a regular expression")
            .hint(format!("presets: {}", preset_names()));
    }
    let meant = similar(name, PROTECT_PRESETS.iter().map(|preset| preset.name));
    let presets = match meant.first() {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("presets: {};", preset_names()),
    };
    Failure::usage(format!("protect: `{name}` is not a preset"))
        .hint(format!("{presets} to protect the word itself, write re:{name}"))
}

fn preset_names() -> String {
    PROTECT_PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")
}

/// Compiles a regular expression. `before` is the number of characters before it in the value, so a failure names the right character.
fn regex(pattern: &str, before: usize) -> Result<Regex, Failure> {
    if pattern.is_empty() {
        return Err(Failure::usage("protect needs a regular expression after re:"));
    }
    Regex::new(pattern).map_err(|error| {
        let (what, at) = match (regex_syntax::Parser::new().parse(pattern), error) {
            (Err(regex_syntax::Error::Parse(error)), _) => (describe(error.kind()), Some(error.span().start.offset)),
            (Err(regex_syntax::Error::Translate(error)), _) => {
                (error.kind().to_string(), Some(error.span().start.offset))
            }
            (_, regex::Error::CompiledTooBig(_)) => ("it is too large".to_owned(), None),
            (_, error) => (error.to_string(), None),
        };
        let at = at.and_then(|at| pattern.get(..at)).map(|start| before + start.chars().count() + 1);
        let place = at.map(|at| format!(" at character {at}")).unwrap_or_default();
        Failure::usage(format!("protect: invalid regular expression{place}: {what}"))
            .hint("write a backslash before a character that stands for itself, such as \\{ or \\$")
    })
}

fn describe(kind: &ast::ErrorKind) -> String {
    use ast::ErrorKind::{
        ClassUnclosed, EscapeUnexpectedEof, GroupUnclosed, GroupUnopened, RepetitionCountInvalid,
        RepetitionCountUnclosed, RepetitionMissing, UnsupportedBackreference, UnsupportedLookAround,
    };
    let what = match kind {
        ClassUnclosed => "`[` without `]`",
        GroupUnclosed => "`(` without `)`",
        GroupUnopened => "`)` without `(`",
        EscapeUnexpectedEof => "nothing follows the backslash",
        RepetitionMissing => "nothing to repeat",
        RepetitionCountUnclosed => "`{` without `}`",
        RepetitionCountInvalid => "the first number is larger than the second",
        UnsupportedLookAround => "lookahead and lookbehind are not supported",
        UnsupportedBackreference => "references to groups are not supported",
        other => return other.to_string(),
    };
    what.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(value: &str) -> Vec<String> {
        ProtectPattern::parse(value).unwrap().iter().map(|pattern| pattern.name().to_owned()).collect()
    }

    fn refused(value: &str) -> String {
        let failure = ProtectPattern::parse(value).unwrap_err();
        format!("{} | {}", failure.what, failure.hint.unwrap_or_default())
    }

    #[test]
    fn parses_presets_lists_of_presets_and_regular_expressions() {
        assert_eq!(names_of("printf"), ["printf"]);
        assert_eq!(names_of("printf,url, code"), ["printf", "url", "code"]);
        assert_eq!(names_of(r"\{\d{1,3}\}"), [r"\{\d{1,3}\}"]);
        assert_eq!(names_of("re:printf"), ["printf"]);
        assert!(matches!(ProtectPattern::parse("re:url").unwrap().as_slice(), [ProtectPattern::Regex(_)]));
        assert_eq!(names_of("Acme,Inc"), ["Acme,Inc"]);
    }

    #[test]
    fn an_unknown_word_is_refused_with_the_presets() {
        let presets = "printf, braces, mustache, ruby, shell, url, email, code";
        for (value, expected) in [
            (
                "prinft",
                "protect: `prinft` is not a preset | did you mean `printf`? to protect the word itself, write re:prinft",
            ),
            ("URL", "protect: `URL` is not a preset | did you mean `url`? to protect the word itself, write re:URL"),
            (
                "printf,ulr",
                "protect: `ulr` is not a preset | did you mean `url`? to protect the word itself, write re:ulr",
            ),
            ("re:", "protect needs a regular expression after re: | "),
        ] {
            assert_eq!(refused(value), expected);
        }
        let expected =
            format!("protect: `Acme` is not a preset | presets: {presets}; to protect the word itself, write re:Acme");
        assert_eq!(refused("Acme"), expected);
        assert_eq!(refused(""), format!("protect needs a preset or a regular expression | presets: {presets}"));
    }

    #[test]
    fn an_invalid_regular_expression_is_refused_with_its_position() {
        for (value, expected) in [
            ("a(b", "at character 2: `(` without `)`"),
            ("é)b", "at character 2: `)` without `(`"),
            ("re:é[b", "at character 5: `[` without `]`"),
            ("*a", "at character 1: nothing to repeat"),
            ("a{2,1}", "at character 2: the first number is larger than the second"),
            ("{name", "at character 1: nothing to repeat"),
            ("a\\", "at character 2: nothing follows the backslash"),
            ("(?=a)", "at character 1: lookahead and lookbehind are not supported"),
            (r"(a)\1", "at character 4: references to groups are not supported"),
            (r"a\y", "at character 2: unrecognized escape sequence"),
            (r"\p{Foo}", "at character 1: Unicode property not found"),
            ("(a{1000}){1000}", ": it is too large"),
        ] {
            let message = refused(value);
            let (what, hint) = message.split_once(" | ").unwrap();
            let expected = expected.strip_prefix(':').map_or(format!(" {expected}"), |rest| format!(":{rest}"));
            assert_eq!(what, format!("protect: invalid regular expression{expected}"), "{value}");
            assert!(!hint.contains('\n') && !what.contains('\n'));
        }
    }

    #[test]
    fn empty_matches_are_skipped() {
        let pattern = &ProtectPattern::parse("x*").unwrap()[0];
        assert_eq!(pattern.find_at("éaxxb", 0), Some(3..5));
        assert_eq!(pattern.find_at("éaxxb", 5), None);
        assert_eq!(pattern.find_at("", 0), None);
    }

    #[test]
    fn regular_expressions_match_letters_of_all_scripts() {
        for (value, text, expected) in [
            (r"\bgrün\w*", "das grüne", 4..10),
            (r"\p{Lu}{2,}", "die ÄÖÜ", 4..10),
            ("(?i)STRASSE|é", "É", 0..2),
            (r"\d+", "a٣", 1..3),
        ] {
            assert_eq!(ProtectPattern::parse(value).unwrap()[0].find_at(text, 0), Some(expected), "{value}");
        }
    }
}
