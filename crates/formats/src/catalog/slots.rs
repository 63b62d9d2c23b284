//! Builds the slots of a catalogue: one for each sentence of a unit that any target needs.
//!
//! Sentences are sent without outer whitespace, because the service may drop it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tulk_catalogs::inline::{InlineToken, has_letters};
use tulk_catalogs::{Catalog, CatalogError, CatalogFile, Expansion, Sentence, SkipReason, Unit};

use super::{CatalogRecord, CatalogTarget, CatalogText, skip_reason_text};
use crate::{EntryLabels, FallbackText, SampleText, Slot, SlotRequest};

pub(super) struct SlotBuilder<'a> {
    format: &'a CatalogText,
    targets: Vec<CatalogTarget>,
    slots: Vec<Slot>,
    target_and_unit: Vec<(usize, usize)>,
    skipped: BTreeMap<&'static str, u64>,
    /// Keys of the units that have slots.
    unit_keys: Vec<String>,
    // Interned contexts, form names and lists of targets.
    contexts: HashMap<String, Arc<str>>,
    form_names: HashMap<String, Arc<str>>,
    target_lists: HashMap<Vec<usize>, Arc<[String]>>,
}

pub(super) struct CatalogSlots {
    pub(super) slots: Vec<Slot>,
    pub(super) labels: EntryLabels,
    pub(super) data: CatalogRecord,
}

impl<'a> SlotBuilder<'a> {
    pub(super) fn read(format: &'a CatalogText, text: &str) -> Result<Self, CatalogError> {
        let mut targets: Vec<CatalogTarget> = Vec::with_capacity(format.targets.len());
        for name in &format.targets {
            // Only a bilingual file is read differently for each target.
            let same = targets.first().filter(|_| !format.kind.is_bilingual);
            let catalog = match same {
                Some(first) => first.catalog.clone(),
                None => Arc::new(format.kind.format.read(text, &format.read_options(name))?),
            };
            targets.push(CatalogTarget { name: name.clone(), catalog, ..CatalogTarget::default() });
        }
        Ok(Self {
            format,
            targets,
            slots: Vec::new(),
            target_and_unit: Vec::new(),
            skipped: BTreeMap::new(),
            unit_keys: Vec::new(),
            contexts: HashMap::new(),
            form_names: HashMap::new(),
            target_lists: HashMap::new(),
        })
    }

    /// `file` is the catalogue without its text.
    pub(super) fn finish(mut self, file: CatalogFile) -> Result<CatalogSlots, CatalogError> {
        let catalogs: Vec<Arc<Catalog>> = self.targets.iter().map(|target| target.catalog.clone()).collect();
        let others = catalogs.first().into_iter().flat_map(|catalog| &catalog.other_values);
        // Numbers are left out: users do not expect them to be translated.
        for (reason, count) in others.filter(|(reason, _)| **reason != SkipReason::Number) {
            *self.skipped.entry(skip_reason_text(*reason)).or_default() += count;
        }
        let units = catalogs.iter().map(|catalog| catalog.units.len()).max().unwrap_or(0);
        for position in 0..units {
            self.add_unit(&catalogs, position)?;
        }
        let key = u16::try_from(self.unit_keys.len()).is_ok().then_some("key");
        let names = if key.is_some() { self.unit_keys } else { Vec::new() };
        let (targets, target_and_unit, skipped) = (self.targets, self.target_and_unit, self.skipped);
        let data = CatalogRecord { file, targets, target_and_unit, skipped, warnings: Vec::new(), faults: Vec::new() };
        Ok(CatalogSlots { slots: self.slots, labels: EntryLabels { key, names }, data })
    }

    fn add_unit(&mut self, catalogs: &[Arc<Catalog>], position: usize) -> Result<(), CatalogError> {
        let mut needed = NeededSentences::default();
        let mut reason = None;
        for (target, catalog) in catalogs.iter().enumerate() {
            let (Some(unit), Some(name)) = (catalog.units.get(position), self.format.targets.get(target)) else {
                continue;
            };
            match self.format.expansion(catalog, unit, name) {
                None => {}
                Some(Err(why)) => reason = Some(why),
                Some(Ok(expansion)) => needed.add(expansion, target),
            }
        }
        if let Some(reason) = reason {
            *self.skipped.entry(skip_reason_text(reason)).or_default() += 1;
        }
        let Some(unit) = catalogs.iter().find_map(|catalog| catalog.units.get(position)) else { return Ok(()) };
        let slots = self.add_slots(unit, position, &needed)?;
        for SentenceUse { target, sentence, form } in needed.uses {
            let slot = slots.get(sentence).copied().flatten();
            let form = slot.zip(form.map(|form| interned(&mut self.form_names, form)));
            if let Some(target) = self.targets.get_mut(target) {
                target.slots.push(slot);
                target.forms.extend(form);
            }
        }
        Ok(())
    }

    /// Returns the slot of each sentence; `None` if it is not sent.
    fn add_slots(
        &mut self,
        unit: &Unit,
        position: usize,
        needed: &NeededSentences,
    ) -> Result<Vec<Option<u32>>, CatalogError> {
        let first = self.slots.len();
        let context = self.context(unit);
        let too_large = || CatalogError::new(0, "the file is larger than 4 GiB").hint("split it");
        let at = u32::try_from(unit.at).map_err(|_| too_large())?;
        let mut slots = Vec::with_capacity(needed.sentences.len());
        for (sentence, targets) in &needed.sentences {
            let parts = SentenceParts::of(sentence);
            if !parts.is_sent() {
                slots.push(None);
                continue;
            }
            let sample = sentence.sample.as_ref().map(|_| {
                let (sentence, fallback) = (sentence.clone(), sentence_fallback(sentence));
                Box::new(SampleText { sentence, fallback })
            });
            let targets_of = (targets.len() < self.targets.len()).then(|| self.target_list(targets));
            let (is_ordered, text_syntax) = (sentence.is_ordered, Some(sentence.text_syntax.clone()));
            let context = context.clone();
            let request = SlotRequest { context, is_note: true, targets: targets_of, sample, is_ordered, text_syntax };
            slots.push(Some(u32::try_from(self.slots.len()).map_err(|_| too_large())?));
            self.target_and_unit.push((targets.first().copied().unwrap_or_default(), position));
            self.slots.push(Slot {
                span: at..at,
                text_start: at,
                text: Some(parts.text.to_owned()),
                name: u16::try_from(self.unit_keys.len()).unwrap_or(u16::MAX),
                tokens: parts.tokens(),
                request: Some(Box::new(request)),
                ..Slot::default()
            });
        }
        if self.slots.len() > first {
            self.unit_keys.push(unit.key.to_string());
        }
        Ok(slots)
    }

    /// Equal notes share memory.
    fn context(&mut self, unit: &Unit) -> Option<Arc<str>> {
        let note = unit.note_to_send()?;
        Some(interned(&mut self.contexts, note.into_owned()))
    }

    /// Equal lists share memory.
    fn target_list(&mut self, targets: &[usize]) -> Arc<[String]> {
        if let Some(list) = self.target_lists.get(targets) {
            return list.clone();
        }
        let names = targets.iter().filter_map(|target| self.format.targets.get(*target).cloned());
        let list: Arc<[String]> = names.collect();
        self.target_lists.insert(targets.to_vec(), list.clone());
        list
    }
}

fn interned(known: &mut HashMap<String, Arc<str>>, text: String) -> Arc<str> {
    if let Some(known) = known.get(&text) {
        return known.clone();
    }
    let new: Arc<str> = text.as_str().into();
    known.insert(text, new.clone());
    new
}

#[derive(Default)]
struct NeededSentences {
    /// Distinct sentences, with the targets that need each.
    sentences: Vec<(Sentence, Vec<usize>)>,
    uses: Vec<SentenceUse>,
}

struct SentenceUse {
    target: usize,
    sentence: usize,
    /// The plural forms or branches that use the sentence.
    form: Option<String>,
}

impl NeededSentences {
    fn add(&mut self, expansion: Expansion, target: usize) {
        let forms = expansion.form_names();
        for (sentence, form) in expansion.sentences.into_iter().zip(forms) {
            let sentence = self.find_or_add(sentence, target);
            self.uses.push(SentenceUse { target, sentence, form });
        }
    }

    fn find_or_add(&mut self, sentence: Sentence, target: usize) -> usize {
        let found = self.sentences.iter().position(|(other, _)| *other == sentence);
        let position = found.unwrap_or(self.sentences.len());
        match self.sentences.get_mut(position) {
            Some((_, targets)) if targets.last() != Some(&target) => targets.push(target),
            Some(_) => {}
            None => self.sentences.push((sentence, vec![target])),
        }
        position
    }
}

/// A sentence, split into outer whitespace and the text to send.
#[derive(Clone, Copy, Debug)]
pub struct SentenceParts<'a> {
    sentence: &'a Sentence,
    before: &'a str,
    /// The text to send.
    pub text: &'a str,
    after: &'a str,
}

impl<'a> SentenceParts<'a> {
    /// Splits a sentence. Whitespace within a placeholder is not split off.
    pub fn of(sentence: &'a Sentence) -> Self {
        let (before, text, after) = split_outer_whitespace(&sentence.text, &sentence.tokens);
        Self { sentence, before, text, after }
    }

    /// Returns whether there is anything to translate.
    pub fn is_sent(&self) -> bool {
        has_letters(&self.sentence.text, &self.sentence.tokens)
    }

    /// Returns the tokens of the text to send.
    pub fn tokens(&self) -> Vec<InlineToken> {
        shifted_tokens(&self.sentence.tokens, self.before)
    }

    /// Returns [`Self::unchanged`] without outer whitespace.
    pub fn sent_unchanged(&self) -> String {
        let whole = self.unchanged();
        let core = whole.strip_prefix(self.before).and_then(|rest| rest.strip_suffix(self.after));
        core.unwrap_or(&whole).to_owned()
    }

    /// Returns the sentence with a result in place of its text.
    pub fn with_result(&self, result: &str) -> String {
        [self.before, result, self.after].concat()
    }

    /// Returns the sentence to write to the target if the service returns the text unchanged.
    pub fn unchanged(&self) -> String {
        let text = &self.sentence.text;
        self.sentence.finish(text).unwrap_or_else(|_| text.clone())
    }
}

/// Returns the text to send for a sentence if its result lacks the sample number.
pub fn sentence_fallback(sentence: &Sentence) -> Option<FallbackText> {
    let Sentence { text, tokens, .. } = sentence.without_sample()?;
    let (before, sent, _) = split_outer_whitespace(&text, &tokens);
    Some(FallbackText { text: sent.to_owned(), tokens: shifted_tokens(&tokens, before), tagged: None })
}

/// Splits a text into leading whitespace, text, and trailing whitespace.
fn split_outer_whitespace<'a>(text: &'a str, tokens: &[InlineToken]) -> (&'a str, &'a str, &'a str) {
    let first = tokens.first().map_or(text.len(), |token| token.byte_range().start);
    let last = tokens.last().map_or(0, |token| token.byte_range().end);
    let start = (text.len() - text.trim_start().len()).min(first);
    let end = text.trim_end().len().max(last).max(start);
    let part = |range| text.get(range).unwrap_or_default();
    (part(0..start), part(start..end), part(end..text.len()))
}

fn shifted_tokens(tokens: &[InlineToken], before: &str) -> Vec<InlineToken> {
    let start = u32::try_from(before.len()).unwrap_or(u32::MAX);
    let shift = |at: u32| at.saturating_sub(start);
    let token =
        |token: &InlineToken| InlineToken { range: shift(token.range.start)..shift(token.range.end), kind: token.kind };
    tokens.iter().map(token).collect()
}
