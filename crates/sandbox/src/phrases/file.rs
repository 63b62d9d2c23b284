//! The file of phrases: one phrase a line, four or five fields with tabs between them.
//!
//! Fields are the source language, the target language, the source, the target and the conditions; the texts have the
//! escapes `\\t \\n \\r \\\\`. Blank lines are skipped.

use std::borrow::Cow;
use std::path::Path;

use tulk_base::error::{Failure, Origin};

use super::conditions::PhraseConditions;
use super::{Phrase, Phrases};
use crate::languages;

/// Names of the fields, for messages.
const FIELDS: [&str; 5] = ["source language", "target language", "source", "target", "conditions"];

impl Phrases {
    /// Reads a file. Fails at the first line that is not a phrase.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let text = tulk_base::stop::read_text_file(path).map_err(|error| Failure::file("read", path, &error))?;
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
}

/// Returns the source and the phrase of a line.
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
    let (source, target) = (in_field(2, unescape(source))?, in_field(3, unescape(target))?);
    let phrase = Phrase {
        source_lang: in_field(0, language(source_lang))?,
        target_lang: in_field(1, language(target_lang))?,
        target: target.into_owned(),
        conditions: in_field(4, PhraseConditions::parse(conditions))?,
    };
    Ok((source.into_owned(), phrase))
}

/// Names the field in an error.
fn in_field<T>(at: usize, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|what| format!("field {} ({}): {what}", at + 1, FIELDS.get(at).unwrap_or(&"?")))
}

fn language(code: &str) -> Result<String, String> {
    let code = code.trim();
    if code == "*" || languages::all().iter().any(|known| languages::same_base(known.lang, code)) {
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
