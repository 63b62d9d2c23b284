//! Fixed answers to exact texts (`--phrases`), so that tests of scripts can expect real sentences.
//!
//! A phrase is a complete text, or a part of a text. Such a part begins and ends at a tag, a line break, or the beginning
//! or end of the text. The longest phrase wins.
//! If several phrases have the same source text, the one with the most conditions wins, then the one with the closest
//! languages, then the first in the file.
//!
//! The file has one phrase per line, with four or five fields separated by tabs: source language, target language,
//! source, target and conditions (such as `formality=less;glossary=Kitchen`). Texts have the escapes `\t \n \r \\`.
//! Blank lines are skipped.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::files::read_text_bounded;

use super::languages;
use super::markup::TagMeter;
use crate::ids;
use crate::options::FILE_LIMIT;

#[derive(Debug, Default)]
pub struct Phrases {
    by_source: HashMap<String, Vec<Phrase>>,
    longest: usize,
    pub have_glossaries: bool,
}

#[derive(Debug)]
struct Phrase {
    source_lang: String,
    target_lang: String,
    target: String,
    conditions: PhraseConditions,
}

#[derive(Debug, PartialEq, Eq)]
pub struct PhraseMatch<'a> {
    pub text: &'a str,
    /// Source language; `None` if the phrase is for any language.
    pub source_lang: Option<&'a str>,
}

#[derive(Clone, Copy, Debug)]
pub struct PhraseScope<'a> {
    phrases: &'a Phrases,
    source: Option<&'a str>,
    target: &'a str,
    formality: Option<&'a str>,
    glossaries: &'a [String],
}

impl Phrases {
    /// Fails at the first line that is not a phrase.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let text = read_text_bounded(path, FILE_LIMIT).file_context("read", path)?;
        Self::parse(&text, &path.to_string_lossy())
    }

    pub(crate) fn parse(text: &str, file: &str) -> Result<Self, Failure> {
        let mut phrases = Self::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let (source, phrase) =
                parse_line(line).map_err(|what| Failure::usage(what).at(Origin::at(file, number as u64 + 1, 0)))?;
            phrases.add(source, phrase);
        }
        Ok(phrases)
    }

    fn add(&mut self, source: String, phrase: Phrase) {
        self.longest = self.longest.max(source.len());
        self.have_glossaries |= !phrase.conditions.glossaries.is_empty();
        self.by_source.entry(source).or_default().push(phrase);
    }

    /// Returns the phrases for a language pair. If `source` is `None`, phrases for every source language apply.
    pub fn scope<'a>(&'a self, source: Option<&'a str>, target: &'a str) -> PhraseScope<'a> {
        PhraseScope { phrases: self, source, target, formality: None, glossaries: &[] }
    }

    pub fn is_empty(&self) -> bool {
        self.by_source.is_empty()
    }

    /// Returns the base code, in upper case, of the source language of the first phrase in a text.
    pub fn source_language(&self, text: &str) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let language = |part: &str| self.by_source.get(part)?.iter().find_map(Phrase::known_source);
        let starts = std::iter::once(0).chain(TextBreaks::of(text).map(|range| range.end));
        let parts = starts.filter_map(|start| text.get(start..)).map(str::trim_start);
        let code =
            language(text).or_else(|| parts.flat_map(|part| self.candidate_prefixes(part)).find_map(language))?;
        Some(languages::base_code(code).to_ascii_uppercase())
    }

    fn candidate_prefixes<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let longest = if self.is_empty() { 0 } else { self.longest };
        let ends = TextBreaks::of(text).map(|range| range.start).chain([text.len()]);
        ends.filter_map(|end| text.get(..end))
            .map(str::trim_end)
            .take_while(move |part| part.len() <= longest)
            .filter(|part| !part.is_empty())
    }
}

impl<'a> PhraseScope<'a> {
    #[must_use]
    pub fn formality(mut self, formality: Option<&'a str>) -> Self {
        self.formality = formality;
        self
    }

    #[must_use]
    pub fn glossaries(mut self, glossaries: &'a [String]) -> Self {
        self.glossaries = glossaries;
        self
    }

    pub fn is_empty(&self) -> bool {
        self.phrases.is_empty()
    }

    /// Returns the answer to a complete text.
    pub fn find(&self, text: &str) -> Option<PhraseMatch<'a>> {
        let all = self.phrases.by_source.get(text)?.iter();
        // If several ranks are equal, `max_by_key` returns the last one. `rev` makes this the first one in the file.
        let (_, phrase) =
            all.rev().filter_map(|phrase| Some((self.rank(phrase)?, phrase))).max_by_key(|(rank, _)| *rank)?;
        Some(PhraseMatch { text: &phrase.target, source_lang: phrase.known_source() })
    }

    /// Finds the longest phrase with which a text starts. The phrase must end at a tag, a line break or the end of the
    /// text. Returns its length in bytes and its answer.
    pub fn find_at_start(&self, text: &str) -> Option<(usize, PhraseMatch<'a>)> {
        let found = self.phrases.candidate_prefixes(text).filter_map(|part| Some((part.len(), self.find(part)?)));
        found.max_by_key(|(len, _)| *len)
    }

    /// Ranks how well a phrase fits by conditions, then target language, then source language. `None` if it does not
    /// fit.
    fn rank(&self, phrase: &Phrase) -> Option<(usize, u8, u8)> {
        let target = language_closeness(&phrase.target_lang, self.target)?;
        let source = self.source.map_or(Some(0), |source| language_closeness(&phrase.source_lang, source))?;
        let holds = phrase.conditions.are_met(self.formality, self.glossaries);
        holds.then_some((phrase.conditions.len(), target, source))
    }
}

/// Returns how close a phrase's language is to a code: 2 if equal, 1 for the base language, 0 for any language.
fn language_closeness(pattern: &str, code: &str) -> Option<u8> {
    if pattern.eq_ignore_ascii_case(code) {
        Some(2)
    } else if pattern.eq_ignore_ascii_case(languages::base_code(code)) {
        Some(1)
    } else {
        (pattern == "*").then_some(0)
    }
}

impl Phrase {
    fn known_source(&self) -> Option<&str> {
        Some(self.source_lang.as_str()).filter(|code| *code != "*")
    }
}

/// Iterates over the tags and line breaks of a text, as byte ranges.
struct TextBreaks<'a> {
    text: &'a str,
    at: usize,
    tags: TagMeter,
}

impl<'a> TextBreaks<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0, tags: TagMeter::default() }
    }
}

impl Iterator for TextBreaks<'_> {
    type Item = std::ops::Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.text.get(self.at..)?;
            let start = self.at + memchr::memchr2(b'<', b'\n', rest.as_bytes())?;
            let from = self.text.get(start..)?;
            let len = if from.starts_with('\n') { 1 } else { self.tags.tag_len(from) };
            self.at = start + len.max(1);
            if len > 0 {
                return Some(start..self.at);
            }
        }
    }
}

const FORMALITIES: &[&str] = &["default", "more", "less", "prefer_more", "prefer_less"];

#[derive(Debug, Default, PartialEq, Eq)]
struct PhraseConditions {
    formality: Option<String>,
    /// Names, and IDs in lower case.
    glossaries: Vec<String>,
}

impl PhraseConditions {
    /// Conditions are separated by `;`. An empty text has none.
    fn parse(text: &str) -> Result<Self, String> {
        let mut conditions = Self::default();
        for condition in text.split(';').map(str::trim).filter(|condition| !condition.is_empty()) {
            let (name, value) = condition.split_once('=').unwrap_or((condition, ""));
            match (name.trim(), value.trim()) {
                ("formality", value) if FORMALITIES.contains(&value) => {
                    if conditions.formality.replace(value.to_owned()).is_some() {
                        return Err("`formality` is given twice".to_owned());
                    }
                }
                ("formality", value) => {
                    return Err(format!("invalid formality `{value}`: write {}", FORMALITIES.join(", ")));
                }
                ("glossary", "") => return Err("`glossary` needs a name or an ID".to_owned()),
                ("glossary", id) if ids::is_uuid(id) => conditions.glossaries.push(id.to_ascii_lowercase()),
                ("glossary", name) => conditions.glossaries.push(name.to_owned()),
                (name, _) => {
                    return Err(format!("unknown condition `{name}`: write formality=VALUE or glossary=NAME_OR_ID"));
                }
            }
        }
        Ok(conditions)
    }

    fn len(&self) -> usize {
        usize::from(self.formality.is_some()) + self.glossaries.len()
    }

    /// Returns whether a request with this formality, and with glossaries that have these names and IDs, meets all
    /// conditions.
    fn are_met(&self, formality: Option<&str>, glossaries: &[String]) -> bool {
        self.formality.as_deref().is_none_or(|wanted| {
            let given = formality.unwrap_or("default");
            // `prefer_less` also meets the condition `less`.
            wanted == given || given.strip_prefix("prefer_") == Some(wanted)
        }) && self.glossaries.iter().all(|wanted| glossaries.contains(wanted))
    }
}

const FIELDS: [&str; 5] = ["source language", "target language", "source", "target", "conditions"];

fn parse_line(line: &str) -> Result<(String, Phrase), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let (source_lang, target_lang, source, target, conditions) = match *fields.as_slice() {
        [source_lang, target_lang, source, target] => (source_lang, target_lang, source, target, ""),
        [source_lang, target_lang, source, target, conditions] => {
            (source_lang, target_lang, source, target, conditions)
        }
        _ => {
            return Err(format!(
                "a phrase needs four fields: {}; conditions can follow. This line has {}",
                FIELDS[..4].join(", "),
                fields.len()
            ));
        }
    };
    let (source, target) = (with_field_name(2, unescape(source))?, with_field_name(3, unescape(target))?);
    let phrase = Phrase {
        source_lang: with_field_name(0, check_language(source_lang))?,
        target_lang: with_field_name(1, check_language(target_lang))?,
        target: target.into_owned(),
        conditions: with_field_name(4, PhraseConditions::parse(conditions))?,
    };
    Ok((source.into_owned(), phrase))
}

fn with_field_name<T>(at: usize, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|what| format!("field {} ({}): {what}", at + 1, FIELDS.get(at).unwrap_or(&"?")))
}

fn check_language(code: &str) -> Result<String, String> {
    let code = code.trim();
    if code == "*" || languages::all().iter().any(|known| languages::have_same_base(known.lang, code)) {
        return Ok(code.to_owned());
    }
    Err(format!("unknown language `{code}`: write a code such as en, or *"))
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
                return Err(format!("unknown escape `\\{escaped}`: write \\t, \\n, \\r or \\\\"));
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
        let found = |text, source, target| phrases.scope(source, target).find(text).map(|found| found.text);
        assert_eq!(found("Two cups?", Some("EN"), "DE"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", None, "de"), Some("Zwei Tassen?"));
        assert_eq!(found("Two cups?", Some("IT"), "de"), None);
        assert_eq!(found("Two cups?", Some("IT"), "fr"), Some("Deux tasses ?"));
        assert_eq!(found("two cups?", Some("EN"), "DE"), None);
        assert_eq!(phrases.scope(None, "fr").find("Two cups?").unwrap().source_lang, None);
    }

    #[test]
    fn a_variant_wins_over_its_base_language_which_wins_over_any_language() {
        let phrases =
            parse("de\t*\tAuto\tany\nde\ten\tAuto\tcar\nde\ten-GB\tAuto\tmotor car\nde\ten\tAuto\tautomobile\n");
        let found = |target| phrases.scope(Some("DE"), target).find("Auto").unwrap().text;
        for (target, text) in [("en-GB", "motor car"), ("EN-US", "car"), ("en", "car"), ("fr", "any")] {
            assert_eq!(found(target), text, "{target}");
        }
        let sources = parse("*\tde\ta\tany\npt\tde\ta\tbase\n");
        assert_eq!(sources.scope(Some("PT-BR"), "de").find("a").unwrap().text, "base");
        assert_eq!(sources.scope(None, "de").find("a").unwrap().text, "any");
    }

    #[test]
    fn more_conditions_win_and_unmet_conditions_skip_the_phrase() {
        let phrases = parse(
            "en\tde\tYour tea\tIhr Tee\nen\tde\tYour tea\tdein Tee\tformality=less\nen\tde\tYour tea\tIhr T.\tglossary=Tea\n\
             *\t*\tYour tea\tdein T.\tglossary=Tea;formality=less\n",
        );
        assert!(phrases.have_glossaries);
        let glossaries = ["Tea".to_owned()];
        let found = |formality, glossaries| {
            phrases.scope(Some("EN"), "de").formality(formality).glossaries(glossaries).find("Your tea").unwrap().text
        };
        for (formality, none, tea) in [
            (None, "Ihr Tee", "Ihr T."),
            (Some("more"), "Ihr Tee", "Ihr T."),
            (Some("less"), "dein Tee", "dein T."),
            (Some("prefer_less"), "dein Tee", "dein T."),
        ] {
            assert_eq!((found(formality, &[]), found(formality, &glossaries)), (none, tea), "{formality:?}");
        }
    }

    #[test]
    fn finds_the_longest_phrase_at_the_start() {
        let phrases = parse("en\tde\tTea\tTee\nen\tde\tTea\\nCup\tTee\\nTasse\nen\tde\tTea <b>hot</b>\tTee heiß\n");
        let found = |text| phrases.scope(None, "de").find_at_start(text).map(|(len, found)| (len, found.text));
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
    fn all_conditions_must_be_met() {
        let conditions = PhraseConditions::parse(" formality=less ; glossary=Kitchen Names;").unwrap();
        let kitchen = ["5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69".to_owned(), "Kitchen Names".to_owned()];
        assert_eq!(conditions.len(), 2);
        assert!(conditions.are_met(Some("less"), &kitchen) && conditions.are_met(Some("prefer_less"), &kitchen));
        assert!(!conditions.are_met(Some("less"), &[]) && !conditions.are_met(Some("more"), &kitchen));
        assert!(!conditions.are_met(None, &kitchen));
        let by_id = PhraseConditions::parse("glossary=5B0C8F0E-6d1a-4a3b-9c2f-1e2d3c4b5a69").unwrap();
        assert!(by_id.are_met(None, &kitchen) && !by_id.glossaries.is_empty());
    }

    #[test]
    fn a_missing_formality_is_the_default() {
        let default = PhraseConditions::parse("formality=default").unwrap();
        assert!(default.are_met(None, &[]) && default.are_met(Some("default"), &[]));
        assert!(!default.are_met(Some("prefer_more"), &[]));
        let preferred = PhraseConditions::parse("formality=prefer_more").unwrap();
        assert!(preferred.are_met(Some("prefer_more"), &[]) && !preferred.are_met(Some("more"), &[]));
        assert_eq!(PhraseConditions::parse("").unwrap().len(), 0);
    }

    #[test]
    fn reports_the_line_and_the_field_that_cannot_be_read() {
        for (text, message) in [
            (
                "en\tde\ta\tb\n\nen\tde\ta\n",
                "p.tsv:3: a phrase needs four fields: source language, target language, source, target; conditions can \
                 follow. This line has 3",
            ),
            (
                "en\tde\ta\tb\t\tc\n",
                "p.tsv:1: a phrase needs four fields: source language, target language, source, target; conditions can \
                 follow. This line has 6",
            ),
            (
                "xx\tde\ta\tb\n",
                "p.tsv:1: field 1 (source language): unknown language `xx`: write a code such as en, or *",
            ),
            ("en\t\ta\tb\n", "p.tsv:1: field 2 (target language): unknown language ``: write a code such as en, or *"),
            ("en\tde\ta\\d\tb\n", "p.tsv:1: field 3 (source): unknown escape `\\d`: write \\t, \\n, \\r or \\\\"),
            ("en\tde\ta\tb\\\n", "p.tsv:1: field 4 (target): unknown escape `\\`: write \\t, \\n, \\r or \\\\"),
            (
                "en\tde\ta\tb\tformality=rude\n",
                "p.tsv:1: field 5 (conditions): invalid formality `rude`: write default, more, less, prefer_more, \
                 prefer_less",
            ),
            (
                "en\tde\ta\tb\tformality=less;formality=more\n",
                "p.tsv:1: field 5 (conditions): `formality` is given twice",
            ),
            ("en\tde\ta\tb\tglossary\n", "p.tsv:1: field 5 (conditions): `glossary` needs a name or an ID"),
            (
                "en\tde\ta\tb\tstyle=x\n",
                "p.tsv:1: field 5 (conditions): unknown condition `style`: write formality=VALUE or glossary=NAME_OR_ID",
            ),
        ] {
            assert_eq!(Phrases::parse(text, "p.tsv").unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn reads_escapes() {
        let phrases = Phrases::parse("en\tde\ta\\tb\\nc\\\\d\tx\\ty\\nz\\\\\n", "p.tsv").unwrap();
        assert_eq!(phrases.scope(None, "de").find("a\tb\nc\\d").unwrap().text, "x\ty\nz\\");
    }
}
