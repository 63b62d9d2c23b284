//! `--phrases`: exact answers to exact texts, so a script's tests can expect real sentences.
//!
//! The file is TSV: source language, target language, source, target; raw, without escapes. Language codes have no case
//! and `*` stands for any. Blank lines are skipped.

use std::collections::HashMap;
use std::io;
use std::path::Path;

/// The phrases of one file.
#[derive(Debug, Default)]
pub struct Phrases(HashMap<String, Vec<Phrase>>);

#[derive(Debug)]
struct Phrase {
    source_lang: String,
    target_lang: String,
    target: String,
}

/// What a text becomes.
#[derive(Debug, PartialEq, Eq)]
pub struct PhraseMatch<'a> {
    /// The target text.
    pub text: &'a str,
    /// The source language, unless it is any.
    pub source_lang: Option<&'a str>,
}

impl Phrases {
    /// Reads a file. Fails with the line that has not four fields.
    pub fn open(path: &Path) -> io::Result<Self> {
        let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| io::Error::new(error.kind(), at(&error)))?;
        Self::read(&text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, at(&error)))
    }

    fn read(text: &str) -> Result<Self, String> {
        let mut phrases = Self::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let mut fields = line.split('\t');
            let (Some(source_lang), Some(target_lang), Some(source), Some(target), None) =
                (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
            else {
                return Err(format!(
                    "line {}: a phrase has four fields: source language, target language, source, target",
                    number + 1
                ));
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

    /// The answer to a text; the first phrase of the file that fits. Without a source language any fits.
    pub fn find(&self, text: &str, source: Option<&str>, target: &str) -> Option<PhraseMatch<'_>> {
        let fits = |pattern: &str, code: &str| pattern == "*" || pattern.eq_ignore_ascii_case(code);
        let phrase = self.0.get(text)?.iter().find(|phrase| {
            fits(&phrase.target_lang, target) && source.is_none_or(|source| fits(&phrase.source_lang, source))
        })?;
        let source_lang = Some(phrase.source_lang.as_str()).filter(|code| *code != "*");
        Some(PhraseMatch { text: &phrase.target, source_lang })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_exact_texts_only() {
        let phrases = Phrases::read("en\tde\tTwo cups?\tZwei Tassen?\r\n\n*\tFR\tTwo cups?\tDeux tasses ?\n").unwrap();
        let found = |text, source, target| phrases.find(text, source, target).map(|found| found.text);
        assert_eq!(found("Two cups?", Some("EN"), "DE"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", None, "de"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", Some("IT"), "de"), None);
        assert_eq!(found("Two cups?", Some("IT"), "fr"), Some("Deux tasses ?"));
        assert_eq!(found("two cups?", Some("EN"), "DE"), None);
        assert_eq!(phrases.find("Two cups?", None, "fr").unwrap().source_lang, None);
    }

    #[test]
    fn names_the_line_at_fault() {
        assert!(Phrases::read("en\tde\ta\tb\nen\tde\ta\n").unwrap_err().starts_with("line 2: "));
    }
}
