//! Fixed answers to exact texts (`--phrases`), so that tests of scripts can expect real sentences.
//!
//! The file is TSV: source language, target language, source, target, with the escapes `\\t \\n \\r \\\\`. The case of
//! language codes does not matter, and `*` matches any language. Blank lines are skipped. A phrase is a whole text, or
//! one between tags, line breaks and the ends of a text; the longest one wins.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::languages;
use super::markup::tag_len;
use crate::error::{Failure, Origin};

/// The phrases of one file.
#[derive(Debug, Default)]
pub struct Phrases {
    by_source: HashMap<String, Vec<Phrase>>,
    /// Length in bytes of the longest source text.
    longest: usize,
}

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
            let failure = |what: String| Failure::usage(what).at(Origin::at(file, number as u64 + 1, 0));
            let mut fields = line.split('\t');
            let (Some(source_lang), Some(target_lang), Some(source), Some(target), None) =
                (fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
            else {
                let what = "a phrase needs four fields: source language, target language, source, target";
                return Err(failure(what.to_owned()));
            };
            for code in [source_lang.trim(), target_lang.trim()] {
                let is_known =
                    code == "*" || languages::all().iter().any(|known| languages::same_base(known.lang, code));
                if !is_known {
                    return Err(failure(format!(
                        "unknown language `{code}` in a phrase: write a code such as en, or *"
                    )));
                }
            }
            let source = unescape(source).map_err(failure)?.into_owned();
            let phrase = Phrase {
                source_lang: source_lang.trim().to_owned(),
                target_lang: target_lang.trim().to_owned(),
                target: unescape(target).map_err(failure)?.into_owned(),
            };
            phrases.longest = phrases.longest.max(source.len());
            phrases.by_source.entry(source).or_default().push(phrase);
        }
        Ok(phrases)
    }

    /// Returns whether there are no phrases.
    pub fn is_empty(&self) -> bool {
        self.by_source.is_empty()
    }

    /// Returns the answer to a whole text: the first phrase of the file that matches. Without `source` any source
    /// language does.
    pub fn find(&self, text: &str, source: Option<&str>, target: &str) -> Option<PhraseMatch<'_>> {
        let matches = |pattern: &str, code: &str| pattern == "*" || pattern.eq_ignore_ascii_case(code);
        let phrase = self.by_source.get(text)?.iter().find(|phrase| {
            matches(&phrase.target_lang, target) && source.is_none_or(|source| matches(&phrase.source_lang, source))
        })?;
        Some(PhraseMatch { text: &phrase.target, source_lang: phrase.known_source() })
    }

    /// Finds the longest phrase that a text starts with and that a tag, a line break or the end of the text follows.
    /// Returns its length in bytes and its answer.
    pub fn find_at_start(&self, text: &str, source: Option<&str>, target: &str) -> Option<(usize, PhraseMatch<'_>)> {
        let found = self.candidates(text).filter_map(|part| Some((part.len(), self.find(part, source, target)?)));
        found.max_by_key(|(len, _)| *len)
    }

    /// Returns the base code, in upper case, of the source language of the first phrase in a text.
    pub fn source_language(&self, text: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let language = |part: &str| self.by_source.get(part)?.iter().find_map(Phrase::known_source);
        let starts = std::iter::once(0).chain(Edges::of(text).map(|edge| edge.end));
        let parts = starts.filter_map(|start| text.get(start..)).map(str::trim_start);
        let code = language(text).or_else(|| parts.flat_map(|part| self.candidates(part)).find_map(language))?;
        Some(languages::base(code).to_ascii_uppercase())
    }

    /// Returns the parts at the start of a text that may be a phrase.
    fn candidates<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let longest = if self.is_empty() { 0 } else { self.longest };
        let ends = Edges::of(text).map(|edge| edge.start).chain([text.len()]);
        ends.filter_map(|end| text.get(..end))
            .map(str::trim_end)
            .take_while(move |part| part.len() <= longest)
            .filter(|part| !part.is_empty())
    }
}

impl Phrase {
    fn known_source(&self) -> Option<&str> {
        Some(self.source_lang.as_str()).filter(|code| *code != "*")
    }
}

/// The tags and line breaks of a text, as byte ranges.
struct Edges<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Edges<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Edges<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?;
            let start = self.at + memchr::memchr2(b'<', b'\n', rest.as_bytes())?;
            let from = self.text.get(start..)?;
            let len = if from.starts_with('\n') { 1 } else { tag_len(from) };
            self.at = start + len.max(1);
            if len > 0 {
                return Some(start..self.at);
            }
        }
    }
}

fn unescape(field: &str) -> Result<Cow<'_, str>, String> {
    if !field.contains('\\') {
        return Ok(Cow::Borrowed(field));
    }
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        let escaped = chars.next();
        text.push(match escaped {
            Some('t') => '\t',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('\\') => '\\',
            _ => {
                let escaped = escaped.map(String::from).unwrap_or_default();
                return Err(format!("unknown escape `\\{escaped}` in a phrase: write \\t, \\n, \\r or \\\\"));
            }
        });
    }
    Ok(Cow::Owned(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Phrases {
        Phrases::parse(text, "p.tsv").unwrap()
    }

    #[test]
    fn finds_only_exact_texts() {
        let phrases = parse("en\tde\tTwo cups?\tZwei Tassen?\r\n\n*\tFR\tTwo cups?\tDeux tasses ?\n");
        let found = |text, source, target| phrases.find(text, source, target).map(|found| found.text);
        assert_eq!(found("Two cups?", Some("EN"), "DE"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", None, "de"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", Some("IT"), "de"), None);
        assert_eq!(found("Two cups?", Some("IT"), "fr"), Some("Deux tasses ?"));
        assert_eq!(found("two cups?", Some("EN"), "DE"), None);
        assert_eq!(phrases.find("Two cups?", None, "fr").unwrap().source_lang, None);
    }

    #[test]
    fn reads_escapes() {
        let phrases = parse("en\tde\ta\\tb\\nc\\\\d\tx\\ty\\nz\\\\\n");
        assert_eq!(phrases.find("a\tb\nc\\d", None, "de").unwrap().text, "x\ty\nz\\");
    }

    #[test]
    fn finds_the_longest_phrase_at_the_start() {
        let phrases = parse("en\tde\tTea\tTee\nen\tde\tTea\\nCup\tTee\\nTasse\nen\tde\tTea <b>hot</b>\tTee heiß\n");
        let found = |text| phrases.find_at_start(text, None, "de").map(|(len, found)| (len, found.text));
        assert_eq!(found("Tea"), Some((3, "Tee")));
        assert_eq!(found("Tea  \nPot"), Some((3, "Tee")));
        assert_eq!(found("Tea\nCup\n"), Some((7, "Tee\nTasse")));
        assert_eq!(found("Tea</p>"), Some((3, "Tee")));
        assert_eq!(found("Tea <b>hot</b><br>"), Some((14, "Tee heiß")));
        for text in ["Tea cup", "Teas", "", "Tea < 3"] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn names_the_language_of_the_first_phrase() {
        let phrases = parse("fr-CA\tde\tAuto\tAuto\n*\tde\tTaxi\tTaxi\n");
        assert_eq!(phrases.source_language("Auto").as_deref(), Some("FR"));
        assert_eq!(phrases.source_language("one\n <p>Auto</p>").as_deref(), Some("FR"));
        assert_eq!(phrases.source_language("Taxi"), None);
        assert_eq!(phrases.source_language("the Auto"), None);
    }

    #[test]
    fn reports_the_line_that_cannot_be_read() {
        for (text, message) in [
            (
                "en\tde\ta\tb\n\nen\tde\ta\n",
                "p.tsv:3: a phrase needs four fields: source language, target language, source, target",
            ),
            ("xx\tde\ta\tb\n", "p.tsv:1: unknown language `xx` in a phrase: write a code such as en, or *"),
            ("\ten\ta\tb\n", "p.tsv:1: unknown language `` in a phrase: write a code such as en, or *"),
            ("en\tde\ta\\d\tb\n", "p.tsv:1: unknown escape `\\d` in a phrase: write \\t, \\n, \\r or \\\\"),
            ("en\tde\ta\tb\\\n", "p.tsv:1: unknown escape `\\` in a phrase: write \\t, \\n, \\r or \\\\"),
        ] {
            assert_eq!(Phrases::parse(text, "p.tsv").unwrap_err().to_string(), message);
        }
    }
}
