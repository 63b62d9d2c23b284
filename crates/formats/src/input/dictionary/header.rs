//! First lines that are no entry: headers, and the languages of a table with a column for each.

use super::csv::DictionaryField;
use super::problem::{DictionaryRule, PhraseSide};
use super::read::DictionaryReadOptions;

/// Names of a column with source phrases, in lower case.
const SOURCE_NAMES: [&str; 12] = [
    "source",
    "source phrase",
    "source term",
    "source text",
    "src",
    "from",
    "term",
    "phrase",
    "original",
    "quelle",
    "ausgangssprache",
    "quelltext",
];
/// Names of a column with target phrases, in lower case.
const TARGET_NAMES: [&str; 11] = [
    "target",
    "target phrase",
    "target term",
    "target text",
    "dst",
    "trg",
    "to",
    "translation",
    "ziel",
    "zielsprache",
    "zieltext",
];

/// Returns the rule that the first line breaks if it looks like a header.
pub(super) fn header_rule(
    fields: &[DictionaryField<'_>],
    options: &DictionaryReadOptions<'_>,
) -> Option<DictionaryRule> {
    let [source, target, ..] = fields else { return None };
    let is_named = |field: &DictionaryField<'_>, names: &[&str]| names.contains(&&*field.text.trim().to_lowercase());
    // In a file with language codes, the header is a row for another pair.
    let is_skipped = fields.len() == 4 && options.pair.is_some();
    if !is_skipped && is_named(source, &SOURCE_NAMES) && is_named(target, &TARGET_NAMES) {
        return Some(DictionaryRule::Header);
    }
    let languages = fields.iter().map(|field| language(field, options)).collect::<Option<Vec<_>>>()?;
    let is_repeated = |(index, code): (usize, &String)| languages.iter().take(index).any(|other| other == code);
    if languages.iter().enumerate().any(is_repeated) {
        return None;
    }
    match (languages.as_slice(), options.pair) {
        // `is` is a word of English and a language, so a word alone decides nothing.
        ([source, target], Some(pair)) => {
            let is_one = |code: &str| is_same_base(code, pair.0) || is_same_base(code, pair.1);
            (is_one(source) && is_one(target)).then_some(DictionaryRule::LanguageHeader)
        }
        _ => Some(DictionaryRule::LanguageHeader),
    }
}

/// The columns of a table that has one for each language.
#[derive(Debug)]
pub(super) struct LanguageColumns {
    /// Number of columns.
    pub count: usize,
    /// The column of the source language.
    pub source: usize,
    /// The columns of target languages; more than one if no pair is given.
    pub targets: Vec<usize>,
}

impl LanguageColumns {
    /// Finds the columns of a pair. Without a pair, the first language is the source of all others.
    pub(super) fn find(
        fields: &[DictionaryField<'_>],
        options: &DictionaryReadOptions<'_>,
    ) -> Result<Self, DictionaryRule> {
        let count = fields.len();
        let languages: Vec<Option<String>> = fields.iter().map(|field| language(field, options)).collect();
        let Some((source, target)) = options.pair else {
            let mut known = (0..count).filter(|index| languages.get(*index).is_some_and(Option::is_some));
            let missing = |side| DictionaryRule::LanguageColumn { side, found: 0 };
            let source = known.next().ok_or(missing(PhraseSide::Source))?;
            let targets: Vec<usize> = known.collect();
            let columns = Self { count, source, targets };
            return if columns.targets.is_empty() { Err(missing(PhraseSide::Target)) } else { Ok(columns) };
        };
        let column = |code: &str, side: PhraseSide| {
            let columns = |is_equal: fn(&str, &str) -> bool| -> Vec<usize> {
                let is_column = |other: &Option<String>| other.as_deref().is_some_and(|other| is_equal(other, code));
                languages.iter().enumerate().filter(|(_, other)| is_column(other)).map(|(index, _)| index).collect()
            };
            let mut found = columns(str::eq_ignore_ascii_case);
            if found.is_empty() {
                found = columns(is_same_base);
            }
            match found[..] {
                [column] => Ok(column),
                _ => Err(DictionaryRule::LanguageColumn {
                    side,
                    found: crate::input::problem::saturating_u32(found.len()),
                }),
            }
        };
        Ok(Self {
            count,
            source: column(source, PhraseSide::Source)?,
            targets: vec![column(target, PhraseSide::Target)?],
        })
    }
}

/// Returns the code of the language that a cell names.
fn language(field: &DictionaryField<'_>, options: &DictionaryReadOptions<'_>) -> Option<String> {
    (options.language)(field.text.trim())
}

fn is_same_base(one: &str, other: &str) -> bool {
    let base = |code: &str| code.split('-').next().unwrap_or_default().to_ascii_lowercase();
    base(one) == base(other)
}
