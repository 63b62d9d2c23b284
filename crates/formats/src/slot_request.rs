//! What a slot needs in its request besides its text, and how its result is finished, in formats whose entries differ in that.
//!
//! Input: what a format knows about an entry. Output: the context of its request, the targets that it is sent to, and the form in
//! which it is sent if its first result cannot be used.

use std::collections::HashMap;
use std::sync::Arc;

use tulk_catalogs::inline::{InlineToken, TaggedText};
use tulk_catalogs::{Sentence, TextMarks};

use super::Record;

/// What a slot needs in its request besides its text.
#[derive(Clone, Debug, Default)]
pub struct SlotRequest {
    /// What the service should know about this entry. It is sent as context, and only with entries that have the same.
    pub context: Option<Arc<str>>,
    /// The names of the targets that need it; `None` if all do.
    pub targets: Option<Arc<[String]>>,
    /// The number that stands in the text in the place of a placeholder.
    pub sample: Option<Box<SampleText>>,
    /// Whether its placeholders must stay in their order.
    pub is_ordered: bool,
    /// How the text marks what is not translated, if no more of that may be in its result.
    pub marks: Option<Arc<TextMarks>>,
}

/// A text with a number in the place of a placeholder.
#[derive(Clone, Debug)]
pub struct SampleText {
    /// The sentence, which puts the placeholder back.
    pub sentence: Sentence,
    /// What is sent if the number does not come back.
    pub fallback: Option<FallbackText>,
}

/// A text with the placeholder itself.
#[derive(Clone, Debug)]
pub struct FallbackText {
    /// The text.
    pub text: String,
    /// The parts that stay as they are.
    pub tokens: Vec<InlineToken>,
    /// The text with its tokens as tags.
    pub tagged: Option<TaggedText>,
}

impl FallbackText {
    /// Returns what is sent.
    pub fn sent(&self) -> &str {
        self.tagged.as_ref().map_or(&self.text, TaggedText::sent)
    }

    /// Returns the number of code points that are sent. Tags do not count.
    pub fn chars(&self) -> u64 {
        self.tagged.as_ref().map_or_else(|| self.text.chars().count() as u64, TaggedText::chars)
    }
}

impl Record {
    /// Returns what a slot needs in its request besides its text.
    pub fn request(&self, slot: usize) -> Option<&SlotRequest> {
        self.slots.get(slot)?.request.as_deref()
    }

    /// Returns whether a target needs the result of a slot.
    pub fn is_for(&self, slot: usize, target: &str) -> bool {
        let targets = self.request(slot).and_then(|request| request.targets.as_deref());
        targets.is_none_or(|targets| targets.iter().any(|other| other == target))
    }

    /// Returns the context of a slot; empty if it has none of its own.
    pub fn own_context(&self, slot: usize) -> &str {
        self.request(slot).and_then(|request| request.context.as_deref()).unwrap_or_default()
    }

    /// Returns what is sent for a slot if the first result cannot be used, unless that is its text once more.
    pub fn fallback(&self, slot: usize) -> Option<&FallbackText> {
        self.request(slot)?.sample.as_deref()?.fallback.as_ref()
    }

    /// Returns the order in which its slots are sent, if it is not their own: those with the same context together.
    pub fn sending_order(&self) -> Option<Vec<usize>> {
        if self.slots.iter().all(|slot| slot.request.as_deref().is_none_or(|request| request.context.is_none())) {
            return None;
        }
        let mut groups: HashMap<&str, usize> = HashMap::new();
        let mut order: Vec<(usize, usize)> = Vec::with_capacity(self.slots.len());
        for slot in 0..self.slots.len() {
            let next = groups.len();
            order.push((*groups.entry(self.own_context(slot)).or_insert(next), slot));
        }
        order.sort_unstable();
        Some(order.into_iter().map(|(_, slot)| slot).collect())
    }
}
