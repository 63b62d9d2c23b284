//! The content of a dictionary as it is sent: TSV or CSV text, read and checked as strictly as the reference allows.
//!
//! Spec: "Glossaries", content rules, TSV, CSV; C21, C22.

use std::collections::HashMap;

use serde::Deserialize;

use crate::sandbox::reply::Refusal;

use super::stored::Dictionary;

/// The languages a dictionary may have; variants are not among them.
pub(in crate::sandbox::routes) const CODES: [&str; 33] = [
    "ar", "bg", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "he", "hu", "id", "it", "ja", "ko", "lt", "lv",
    "nb", "nl", "pl", "pt", "ro", "ru", "sk", "sl", "sv", "th", "tr", "uk", "vi", "zh",
];
/// A source or target phrase, in UTF-8 bytes.
const PHRASE_MAX: usize = 1024;
/// All entries of a dictionary as TSV, in bytes.
const DICTIONARY_MAX: usize = 10 * 1024 * 1024;

/// The content of a dictionary in a request.
#[derive(Deserialize)]
pub(in crate::sandbox::routes) struct Content {
    pub source_lang: String,
    pub target_lang: String,
    pub entries: String,
    /// Required: the strictest reading (C22).
    pub entries_format: String,
}

impl Content {
    /// The dictionary, when every entry is good.
    pub fn read(&self) -> Result<Dictionary, Refusal> {
        let source_lang = code("source_lang", &self.source_lang)?;
        let target_lang = code("target_lang", &self.target_lang)?;
        if source_lang == target_lang {
            return Err(Refusal::bad("Source and target language of a dictionary must differ."));
        }
        let text = self.entries.strip_prefix('\u{feff}').unwrap_or(&self.entries);
        let entries = match self.entries_format.as_str() {
            "tsv" => tsv(text)?,
            "csv" => csv(text, &source_lang, &target_lang)?,
            other => {
                return Err(Refusal::bad("Value for 'entries_format' not supported.").detail(format!("'{other}'")));
            }
        };
        if entries.is_empty() {
            return Err(Refusal::bad("The dictionary has no entries."));
        }
        check(&entries)?;
        check_size(&entries)?;
        Ok(Dictionary { source_lang, target_lang, entries })
    }
}

fn code(field: &str, text: &str) -> Result<String, Refusal> {
    let lower = text.to_ascii_lowercase();
    if CODES.contains(&lower.as_str()) {
        return Ok(lower);
    }
    Err(Refusal::bad(format!("Value for '{field}' not supported.")).detail(format!("'{text}' has no glossaries")))
}

fn bad(index: usize, what: &str) -> Refusal {
    Refusal::bad("Glossary entries are not valid").detail(format!("entry {index} {what}"))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).filter(|line| !line.trim().is_empty())
}

fn tsv(text: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut entries = Vec::new();
    for (at, line) in lines(text).enumerate() {
        let mut fields = line.split('\t');
        match (fields.next(), fields.next(), fields.next()) {
            (Some(source), Some(target), None) => entries.push((source.to_owned(), target.to_owned())),
            (_, None, _) => return Err(bad(at + 1, "has no tab")),
            _ => return Err(bad(at + 1, "has more than one tab")),
        }
    }
    Ok(entries)
}

fn csv(text: &str, source_lang: &str, target_lang: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut entries = Vec::new();
    // No line break is allowed in a phrase, so a line is a record, quoted or not.
    for (at, line) in lines(text).enumerate() {
        let fields = csv_fields(line).ok_or_else(|| bad(at + 1, "has a quoted field that does not end"))?;
        let mut fields = fields.into_iter();
        match (fields.next(), fields.next(), fields.next(), fields.next(), fields.next()) {
            (Some(source), Some(target), None, ..) => entries.push((source, target)),
            (Some(source), Some(target), Some(from), Some(to), None) => {
                if from.eq_ignore_ascii_case(source_lang) && to.eq_ignore_ascii_case(target_lang) {
                    entries.push((source, target));
                }
            }
            _ => return Err(bad(at + 1, "has another number of fields than 2 or 4")),
        }
    }
    Ok(entries)
}

/// The fields of a line; `None` when a quote stays open.
fn csv_fields(line: &str) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let mut chars = line.chars().peekable();
    loop {
        let mut field = String::new();
        if chars.next_if_eq(&'"').is_some() {
            loop {
                match chars.next()? {
                    '"' if chars.next_if_eq(&'"').is_some() => field.push('"'),
                    '"' => break,
                    other => field.push(other),
                }
            }
            if chars.peek().is_some_and(|c| *c != ',') {
                return None;
            }
        } else {
            while let Some(c) = chars.next_if(|c| *c != ',') {
                field.push(c);
            }
        }
        fields.push(field);
        if chars.next().is_none() {
            return Some(fields);
        }
    }
}

/// The rules of phrases, and that no source phrase stands twice.
fn check(entries: &[(String, String)]) -> Result<(), Refusal> {
    let mut seen: HashMap<&str, usize> = HashMap::with_capacity(entries.len());
    for (index, (source, target)) in entries.iter().enumerate().map(|(at, entry)| (at + 1, entry)) {
        for (side, phrase) in [("source", source), ("target", target)] {
            if phrase.is_empty() {
                return Err(bad(index, &format!("has an empty {side} phrase")));
            }
            if phrase.chars().any(|c| matches!(c, '\0'..='\u{1f}' | '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}')) {
                return Err(bad(index, &format!("has a control character in its {side} phrase")));
            }
            if phrase.trim() != phrase {
                return Err(bad(index, &format!("has white space around its {side} phrase")));
            }
            if phrase.len() > PHRASE_MAX {
                return Err(bad(index, &format!("has a {side} phrase of more than {PHRASE_MAX} bytes")));
            }
        }
        if let Some(first) = seen.insert(source, index) {
            return Err(bad(index, &format!("repeats the source phrase of entry {first}")));
        }
    }
    Ok(())
}

/// 413 for a dictionary that is too large.
pub(in crate::sandbox::routes) fn check_size(entries: &[(String, String)]) -> Result<(), Refusal> {
    let bytes: usize = entries.iter().map(|(source, target)| source.len() + target.len() + 2).sum();
    if bytes.saturating_sub(1) > DICTIONARY_MAX { Err(Refusal::too_large(DICTIONARY_MAX)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(entries: &str, format: &str) -> Result<Vec<(String, String)>, Refusal> {
        let content = Content {
            source_lang: "EN".into(),
            target_lang: "de".into(),
            entries: entries.into(),
            entries_format: format.into(),
        };
        content.read().map(|dictionary| dictionary.entries)
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn reads_both_forms() {
        assert_eq!(read("a\tb\r\n\n\"c\td, e", "tsv").unwrap(), pairs(&[("a", "b"), ("\"c", "d, e")]));
        assert_eq!(
            read("\"a, b\",\"say \"\"x\"\"\"\nc,d,EN,DE\ne,f,en,fr\n", "csv").unwrap(),
            pairs(&[("a, b", "say \"x\""), ("c", "d")])
        );
    }

    #[test]
    fn refuses_what_breaks_a_rule() {
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
            ("a,b,en,fr", "csv"),
            ("\"a\nb\",c", "csv"),
            ("a\tb", "xml"),
        ] {
            assert_eq!(read(entries, format).unwrap_err().status, 400, "{entries:?}");
        }
        let long = format!("{}\tx", "ä".repeat(513));
        assert_eq!(read(&long, "tsv").unwrap_err().status, 400);
    }
}
