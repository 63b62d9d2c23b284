//! Dictionaries: the entries of one language pair. Requests contain them as TSV or CSV, which is parsed and checked strictly;
//! stored glossaries contain only their sizes. See docs/service.md, "Glossaries".

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::reply::Refusal;
use crate::routes::fields::unsupported;

/// Languages of dictionaries, as base codes.
pub(in crate::routes) const LANGUAGES: [&str; 33] = [
    "ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hu", "id", "it", "ja", "ko", "lt", "lv",
    "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh",
];
const PHRASE_BYTES_MAX: usize = 1024;

/// A dictionary in a request.
#[derive(Deserialize)]
pub(crate) struct DictionaryBody {
    pub source_lang: String,
    pub target_lang: String,
    pub entries: String,
    /// Required: the sandbox enforces the strict reading of the service's rules.
    pub entries_format: String,
}

impl DictionaryBody {
    pub fn check(&self) -> Result<ParsedDictionary, Refusal> {
        let source_lang = language("source_lang", &self.source_lang)?;
        let target_lang = language("target_lang", &self.target_lang)?;
        if source_lang == target_lang {
            return Err(Refusal::bad_request("Source and target language of a dictionary must differ."));
        }
        let text = self.entries.strip_prefix('\u{feff}').unwrap_or(&self.entries);
        let entries = match self.entries_format.as_str() {
            "tsv" => parse_tsv(text)?,
            "csv" => parse_csv(text, &source_lang, &target_lang)?,
            other => return Err(unsupported("entries_format").detail(format!("'{other}'"))),
        };
        if entries.is_empty() {
            return Err(Refusal::bad_request("The dictionary has no entries."));
        }
        check_phrases(&entries)?;
        Ok(ParsedDictionary { source_lang, target_lang, entries })
    }
}

fn language(field: &str, code: &str) -> Result<String, Refusal> {
    let lower = code.to_ascii_lowercase();
    if LANGUAGES.contains(&lower.as_str()) {
        return Ok(lower);
    }
    Err(unsupported(field).detail(format!("'{code}' is not a language of dictionaries")))
}

/// `number` counts from 1.
fn bad_entry(number: usize, problem: &str) -> Refusal {
    Refusal::bad_request("Glossary entries are not valid").detail(format!("entry {number} {problem}"))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).filter(|line| !line.trim().is_empty())
}

fn parse_tsv(text: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut entries = Vec::new();
    for (at, line) in lines(text).enumerate() {
        let mut fields = line.split('\t');
        match (fields.next(), fields.next(), fields.next()) {
            (Some(source), Some(target), None) => entries.push((source.to_owned(), target.to_owned())),
            (_, None, _) => return Err(bad_entry(at + 1, "has no tab")),
            _ => return Err(bad_entry(at + 1, "has more than one tab")),
        }
    }
    Ok(entries)
}

fn parse_csv(text: &str, source_lang: &str, target_lang: &str) -> Result<Vec<(String, String)>, Refusal> {
    // Phrases must not contain line breaks, so a quoted field must end on its line.
    if let Some(at) = lines(text).position(|line| line.matches('"').count() % 2 == 1) {
        return Err(bad_entry(at + 1, "has a quoted field that does not end"));
    }
    let text: Vec<&str> = lines(text).collect();
    let text = text.join("\n");
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut entries = Vec::new();
    for (at, record) in reader.records().enumerate() {
        let record = record.map_err(|error| bad_entry(at + 1, &format!("is not valid CSV: {error}")))?;
        let fields: Vec<&str> = record.iter().collect();
        let pair = match fields.as_slice() {
            [source, target] => Some((*source, *target)),
            [source, target, from, to] => {
                let is_wanted = from.eq_ignore_ascii_case(source_lang) && to.eq_ignore_ascii_case(target_lang);
                is_wanted.then_some((*source, *target))
            }
            _ => return Err(bad_entry(at + 1, "does not have 2 or 4 fields")),
        };
        entries.extend(pair.map(|(source, target)| (source.to_owned(), target.to_owned())));
    }
    Ok(entries)
}

/// Checks the phrases, and refuses a repeated source phrase.
fn check_phrases(entries: &[(String, String)]) -> Result<(), Refusal> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    for (number, (source, target)) in entries.iter().enumerate().map(|(at, entry)| (at + 1, entry)) {
        for (side, phrase) in [("source", source), ("target", target)] {
            if phrase.is_empty() {
                return Err(bad_entry(number, &format!("has an empty {side} phrase")));
            }
            if phrase.chars().any(|c| matches!(c, '\0'..='\u{1f}' | '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}')) {
                return Err(bad_entry(number, &format!("has a control character in its {side} phrase")));
            }
            if phrase.trim() != phrase {
                return Err(bad_entry(number, &format!("has white space around its {side} phrase")));
            }
            if phrase.len() > PHRASE_BYTES_MAX {
                let problem = format!("has a {side} phrase of more than {PHRASE_BYTES_MAX} bytes");
                return Err(bad_entry(number, &problem));
            }
        }
        if let Some(first) = seen.insert(source, number) {
            return Err(bad_entry(number, &format!("repeats the source phrase of entry {first}")));
        }
    }
    Ok(())
}

/// Maximum size of a dictionary as TSV, in bytes.
const DICTIONARY_BYTES_MAX: usize = 10 * 1024 * 1024;

/// A dictionary of a stored glossary, as answers contain it. The entries are stored separately, as TSV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredDictionary {
    pub source_lang: String,
    pub target_lang: String,
    pub entry_count: usize,
}

impl StoredDictionary {
    pub fn has_pair(&self, source: &str, target: &str) -> bool {
        self.source_lang.eq_ignore_ascii_case(source) && self.target_lang.eq_ignore_ascii_case(target)
    }
}

/// A parsed and checked dictionary with its entries.
pub(crate) struct ParsedDictionary {
    pub source_lang: String,
    pub target_lang: String,
    /// Source and target phrases, in the order in which answers contain them.
    pub entries: Vec<(String, String)>,
}

impl ParsedDictionary {
    pub fn summary(&self) -> StoredDictionary {
        StoredDictionary {
            source_lang: self.source_lang.clone(),
            target_lang: self.target_lang.clone(),
            entry_count: self.entries.len(),
        }
    }

    /// Refuses more than [`DICTIONARY_BYTES_MAX`] with 413. The TSV has no final line feed.
    pub fn tsv(&self) -> Result<String, Refusal> {
        let bytes: usize = self.entries.iter().map(|(source, target)| source.len() + target.len() + 2).sum();
        // The last entry has no line feed.
        if bytes.saturating_sub(1) > DICTIONARY_BYTES_MAX {
            return Err(Refusal::too_large(DICTIONARY_BYTES_MAX));
        }
        let mut text = String::with_capacity(bytes);
        for (source, target) in &self.entries {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(source);
            text.push('\t');
            text.push_str(target);
        }
        Ok(text)
    }

    /// Adds these entries to the `stored` ones: existing source phrases get the new targets, other entries are
    /// appended.
    pub fn merge_into(&mut self, stored: &str) {
        let mut all: Vec<(String, String)> = split_tsv(stored).map(|(s, t)| (s.to_owned(), t.to_owned())).collect();
        let known: HashMap<String, usize> =
            all.iter().enumerate().map(|(at, (source, _))| (source.clone(), at)).collect();
        for (source, target) in self.entries.drain(..) {
            match known.get(&source).and_then(|&at| all.get_mut(at)) {
                Some(entry) => entry.1 = target,
                None => all.push((source, target)),
            }
        }
        self.entries = all;
    }
}

fn split_tsv(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split('\n').filter_map(|line| line.split_once('\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(entries: &str, format: &str) -> Result<Vec<(String, String)>, Refusal> {
        let body = DictionaryBody {
            source_lang: "EN".into(),
            target_lang: "de".into(),
            entries: entries.into(),
            entries_format: format.into(),
        };
        body.check().map(|dictionary| dictionary.entries)
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn parses_tsv_and_csv() {
        assert_eq!(parse("a\tb\r\n\n\"c\td, e", "tsv").unwrap(), pairs(&[("a", "b"), ("\"c", "d, e")]));
        assert_eq!(
            parse("\"a, b\",\"say \"\"x\"\"\"\n \nc,d,EN,DE\ne,f,en,fr\n", "csv").unwrap(),
            pairs(&[("a, b", "say \"x\""), ("c", "d")])
        );
    }

    #[test]
    fn refuses_entries_that_break_a_rule() {
        for (entries, format) in [
            ("", "tsv"),
            ("a", "tsv"),
            ("a\tb\tc", "tsv"),
            ("a\t", "tsv"),
            ("a\tb\na\tc", "tsv"),
            (" a\tb", "tsv"),
            ("a\tb\u{85}c", "tsv"),
            ("a,b,en", "csv"),
            ("\"a,b", "csv"),
            ("\"a,b\",\"c", "csv"),
            ("a,b,en,fr", "csv"),
            ("\"a\nb\",c", "csv"),
            ("a\tb", "xml"),
        ] {
            assert_eq!(parse(entries, format).unwrap_err().status, 400, "{entries:?}");
        }
        let long = format!("{}\tx", "ä".repeat(513));
        assert_eq!(parse(&long, "tsv").unwrap_err().status, 400);
    }
}
