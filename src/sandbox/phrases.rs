//! Fixed answers to exact texts (`--phrases`), so that tests of scripts can expect real sentences.
//!
//! The file is TSV without escapes: source language, target language, source, target. The case of language codes does
//! not matter, and `*` matches any language. Blank lines are skipped.

use std::collections::HashMap;
use std::path::Path;

use crate::error::{Failure, Origin};

/// The phrases of one file, by source text.
#[derive(Debug, Default)]
pub struct Phrases(HashMap<String, Vec<Phrase>>);

#[derive(Debug)]
struct Phrase {
    source_lang: String,
    target_lang: String,
    target: String,
}

/// The answer to a text.
#[derive(Debug, PartialEq, Eq)]
pub struct PhraseMatch<'a> {
    /// Target text.
    pub text: &'a str,
    /// Source language; `None` if the phrase is for any.
    pub source_lang: Option<&'a str>,
}

impl Phrases {
    /// Reads a file. Fails at the first line that does not have four fields.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let text = crate::stop::read_text_file(path).map_err(|error| Failure::file("read", path, &error))?;
        Self::parse(&text, &path.to_string_lossy())
    }

    fn parse(text: &str, file: &str) -> Result<Self, Failure> {
        let mut phrases = Self::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mut fields = line.split('\t');
            let (Some(source_lang), Some(target_lang), Some(source), Some(target), None) =
                (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
            else {
                let at = Origin::at(file, number as u64 + 1, 0);
                let what = "a phrase needs four fields: source language, target language, source, target";
                return Err(Failure::usage(what).at(at));
            };
            let phrase = Phrase {
                source_lang: source_lang.trim().to_owned(),
                target_lang: target_lang.trim().to_owned(),
                target: target.to_owned(),
            };
            phrases.0.entry(source.to_owned()).or_default().push(phrase);
        }
        Ok(phrases)
    }

    /// Returns the answer to a text: the first phrase of the file that matches. Without `source` any source language does.
    pub fn find(&self, text: &str, source: Option<&str>, target: &str) -> Option<PhraseMatch<'_>> {
        let matches = |pattern: &str, code: &str| pattern == "*" || pattern.eq_ignore_ascii_case(code);
        let phrase = self.0.get(text)?.iter().find(|phrase| {
            matches(&phrase.target_lang, target) && source.is_none_or(|source| matches(&phrase.source_lang, source))
        })?;
        let source_lang = Some(phrase.source_lang.as_str()).filter(|code| *code != "*");
        Some(PhraseMatch { text: &phrase.target, source_lang })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_only_exact_texts() {
        let phrases =
            Phrases::parse("en\tde\tTwo cups?\tZwei Tassen?\r\n\n*\tFR\tTwo cups?\tDeux tasses ?\n", "p.tsv").unwrap();
        let found = |text, source, target| phrases.find(text, source, target).map(|found| found.text);
        assert_eq!(found("Two cups?", Some("EN"), "DE"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", None, "de"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", Some("IT"), "de"), None);
        assert_eq!(found("Two cups?", Some("IT"), "fr"), Some("Deux tasses ?"));
        assert_eq!(found("two cups?", Some("EN"), "DE"), None);
        assert_eq!(phrases.find("Two cups?", None, "fr").unwrap().source_lang, None);
    }

    #[test]
    fn reports_the_line_without_four_fields() {
        let failure = Phrases::parse("en\tde\ta\tb\n\nen\tde\ta\n", "p.tsv").unwrap_err();
        assert_eq!(
            failure.to_string(),
            "p.tsv:3: a phrase needs four fields: source language, target language, source, target"
        );
    }
}
