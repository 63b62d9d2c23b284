//! Message catalogues (`--as po` and others): each sentence of each unit is an entry, and all other bytes are kept.
//!
//! Input: a catalogue in UTF-8, UTF-16 or, for Java properties, ISO-8859-1, which becomes one record. Output: the
//! catalogue with the translations of its units, written as edits of the original text, in its original encoding.

mod reader;
mod slots;
#[cfg(test)]
#[allow(clippy::string_slice)] // a wrong position fails the test
mod tests;
mod writer;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tulk_base::error::Failure;
use tulk_base::numbers::{counted, grouped};

use tulk_catalogs::{
    Catalog, CatalogFile, CatalogKind, Dialect, Expansion, MessageRules, ReadOptions, SkipReason, TargetForms, Unit,
    UnitText, expand, gettext_forms,
};

use self::reader::CatalogReader;
pub use self::slots::{SentenceParts, sentence_fallback};
use self::writer::{CatalogWriter, rejected_results};
use super::{EntryLimit, Record, RecordReader, RejectedResults, ResultRow, ResultWriter, TextFormat};

#[derive(Clone, Debug)]
pub struct CatalogText {
    pub(super) kind: &'static CatalogKind,
    /// `--dialect`; detected if `None`.
    pub(super) dialect: Option<Dialect>,
    /// The source language, which selects the plural rules; `None` means the source language of the file.
    pub(super) source_lang: Option<String>,
    /// Target languages. An empty string means the language of the file, because improved texts keep their language.
    pub(super) targets: Vec<String>,
}

#[derive(Debug)]
pub struct CatalogRecord {
    /// The file, for its encoding. Its text is empty, because the record contains the text.
    file: CatalogFile,
    /// In the order of [`CatalogText::targets`].
    targets: Vec<CatalogTarget>,
    /// For each slot, the index of a target that needs it and the position of its unit.
    target_and_unit: Vec<(usize, usize)>,
    skipped: BTreeMap<&'static str, u64>,
    warnings: Vec<String>,
    /// Faults after the first one, which is in the record.
    faults: Vec<Failure>,
}

#[derive(Debug, Default)]
struct CatalogTarget {
    name: String,
    /// The catalogue as read for this target.
    catalog: Arc<Catalog>,
    /// Slots of all sentences, in order; `None` if the sentence is not sent.
    slots: Vec<Option<u32>>,
    /// Plural form or branch of a slot.
    forms: HashMap<u32, Arc<str>>,
}

impl Record {
    /// Returns the number of texts that are not translated, by reason.
    pub fn skipped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.catalog.iter().flat_map(|catalog| catalog.skipped.iter().map(|(why, count)| (*why, *count)))
    }

    /// Returns warnings about a catalogue.
    pub fn warnings(&self) -> &[String] {
        self.catalog.as_deref().map_or(&[], |catalog| &catalog.warnings)
    }

    /// Returns the faults of a catalogue after the first.
    pub fn more_faults(&self) -> &[Failure] {
        self.catalog.as_deref().map_or(&[], |catalog| &catalog.faults)
    }

    /// Returns the plural form or branch, such as `few`, that a slot has in a target.
    pub fn form(&self, slot: usize, target: &str) -> Option<&str> {
        let targets = &self.catalog.as_deref()?.targets;
        let target = targets.iter().find(|other| other.name == target)?;
        target.forms.get(&u32::try_from(slot).ok()?).map(AsRef::as_ref)
    }
}

impl CatalogText {
    /// Returns the options for reading a file. An empty `target` means the language of the file.
    fn read_options(&self, target: &str) -> ReadOptions {
        let target_lang = Some(target.to_owned()).filter(|target| !target.is_empty());
        ReadOptions { dialect: self.dialect, target_lang, skips_broken: true, ..ReadOptions::default() }
    }

    /// Returns the source language of a catalogue: the given one, else the file's, else English.
    fn source_lang<'a>(&'a self, catalog: &'a Catalog) -> &'a str {
        let own = catalog.language.as_deref().filter(|_| !self.kind.is_bilingual);
        self.source_lang.as_deref().or(catalog.source_language.as_deref()).or(own).unwrap_or("en")
    }

    /// Returns the plural forms of a file. A PO file without a header has the forms of the target language.
    fn target_forms(&self, catalog: &Catalog, target: &str) -> TargetForms {
        let of_language = || (self.kind.name == "po").then(|| gettext_forms(target));
        match catalog.plural_forms.as_deref().or_else(of_language) {
            Some(header) => TargetForms::Gettext(header.to_owned()),
            None => TargetForms::OfLanguage,
        }
    }

    /// Expands a unit for a target, or returns why it is skipped; `None` if its text is only whitespace.
    fn expansion(&self, catalog: &Catalog, unit: &Unit, target: &str) -> Option<Result<Expansion, SkipReason>> {
        if let Some(reason) = unit.skip {
            return Some(Err(reason));
        }
        if unit.text.is_blank() {
            return None;
        }
        let forms = self.target_forms(catalog, target);
        let syntax = unit.syntax.or(catalog.dialect.map(Dialect::syntax)).or(self.kind.syntax);
        let rules = MessageRules {
            syntax: syntax.unwrap_or_default(),
            markup: &unit.markup,
            source_lang: self.source_lang(catalog),
            target_lang: if target.is_empty() { self.source_lang(catalog) } else { target },
            target_forms: unit.target_forms(&forms),
        };
        Some(expand(&unit.text, &rules))
    }
}

impl TextFormat for CatalogText {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(CatalogReader::new(self.clone()))
    }

    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        // Improved texts have no target name, and only one target.
        let target = targets.first().or(self.targets.first()).cloned().unwrap_or_default();
        Box::new(CatalogWriter::new(self.clone(), target))
    }

    fn counts_whitespace_only(&self) -> bool {
        false
    }

    fn has_tokens(&self) -> bool {
        true
    }

    fn takes_any_encoding(&self) -> bool {
        true
    }

    /// Checks that the unit is valid with this result. If the unit needs several results, only [`Self::check_row`] can
    /// check them.
    fn check_result(&self, record: &Record, slot: usize, text: &str) -> Result<(), String> {
        let Some(data) = record.catalog.as_deref() else { return Ok(()) };
        let Some((target, position)) = data.target_and_unit.get(slot).copied() else { return Ok(()) };
        let (Some(name), Some(target)) = (self.targets.get(target), data.targets.get(target)) else { return Ok(()) };
        let Some(unit) = target.catalog.units.get(position) else { return Ok(()) };
        let Some(Ok(expansion)) = self.expansion(&target.catalog, unit, name) else { return Ok(()) };
        match expansion.sentences.as_slice() {
            [sentence] => {
                let text = expansion.fold(&[&SentenceParts::of(sentence).with_result(text)])?;
                check_length(&text, unit)
            }
            _ => Ok(()),
        }
    }

    fn check_row(&self, row: &ResultRow, target: usize, name: &str) -> Vec<RejectedResults> {
        let Some(data) = row.record.catalog.as_deref() else { return Vec::new() };
        let Some(units) = data.targets.iter().find(|other| other.name == name) else { return Vec::new() };
        rejected_results(self, row, target, units)
    }
}

fn check_length(text: &UnitText, unit: &Unit) -> Result<(), String> {
    let long = unit.exceeded_limit(text);
    long.map_or(Ok(()), |(chars, limit)| {
        Err(format!("the result has {}; the limit is {}", counted(chars, "character"), grouped(limit)))
    })
}

fn skip_reason_text(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Untranslatable => "marked as untranslatable",
        SkipReason::Unused => "no longer used by the program",
        SkipReason::NoWords => "without letters",
        SkipReason::Reference => "reference to another text",
        SkipReason::PluralPipes => "plural forms with pipes",
        SkipReason::TooManyBranches => "ICU message with too many branches",
        SkipReason::InvalidMessage => "not a valid ICU message",
        SkipReason::ChoiceFormat => "choice format",
        SkipReason::Pattern => "date or number pattern",
        SkipReason::MessageFormat2 => "MessageFormat 2 message",
        SkipReason::Number => "number or boolean",
        SkipReason::Junk => "not a valid Fluent message",
        SkipReason::Expression => "PHP value that is not a plain string",
    }
}
