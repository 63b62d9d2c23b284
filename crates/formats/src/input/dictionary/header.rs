//! Detects first lines that are not entries: headers, and the language names of a table with one column per language.

use super::csv::DictionaryField;
use super::problem::{DictionaryRule, PhraseSide};
use super::read::DictionaryReadOptions;

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

pub(super) fn header_rule(
    fields: &[DictionaryField<'_>],
    options: &DictionaryReadOptions<'_>,
) -> Option<DictionaryRule> {
    let [source, target, ..] = fields else { return None };
    let is_named = |field: &DictionaryField<'_>, names: &[&str]| names.contains(&&*field.text.trim().to_lowercase());
    // If a pair is given, the header of a file with four columns is skipped like a row for another pair.
    let is_skipped = fields.len() == 4 && options.pair.is_some();
    if !is_skipped && is_named(source, &SOURCE_NAMES) && is_named(target, &TARGET_NAMES) {
        return Some(DictionaryRule::Header);
    }
    let languages = fields.iter().map(|field| language_of(field, options)).collect::<Option<Vec<_>>>()?;
    let is_repeated = |(index, code): (usize, &String)| languages.iter().take(index).any(|other| other == code);
    if languages.iter().enumerate().any(is_repeated) {
        return None;
    }
    match (languages.as_slice(), options.pair) {
        // Some words, such as `is`, are also language codes, so both cells must be languages of the pair.
        ([source, target], Some(pair)) => {
            let is_one = |code: &str| has_same_base_language(code, pair.0) || has_same_base_language(code, pair.1);
            (is_one(source) && is_one(target)).then_some(DictionaryRule::LanguageHeader)
        }
        _ => Some(DictionaryRule::LanguageHeader),
    }
}

#[derive(Debug)]
pub(super) struct LanguageColumns {
    pub count: usize,
    pub source: usize,
    /// Columns of target languages: several if no pair is given.
    pub targets: Vec<usize>,
}

impl LanguageColumns {
    /// Finds the columns of the pair. Without a pair, the first language is the source and all others are targets.
    pub(super) fn find(
        fields: &[DictionaryField<'_>],
        options: &DictionaryReadOptions<'_>,
    ) -> Result<Self, DictionaryRule> {
        let count = fields.len();
        let languages: Vec<Option<String>> = fields.iter().map(|field| language_of(field, options)).collect();
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
                found = columns(has_same_base_language);
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

fn language_of(field: &DictionaryField<'_>, options: &DictionaryReadOptions<'_>) -> Option<String> {
    (options.language)(field.text.trim())
}

fn has_same_base_language(one: &str, other: &str) -> bool {
    let base_language = |code: &str| code.split('-').next().unwrap_or_default().to_ascii_lowercase();
    base_language(one) == base_language(other)
}
