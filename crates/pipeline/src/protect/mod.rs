//! Finds the parts of entries that must not be translated, and puts them into tags.
//!
//! Input: the records of a format, which may already have tokens. Output: the same records with the form in which their entries are
//! sent. The reader does this, so limits are checked on what is sent.

mod pattern;
mod presets;

use std::ops::Range;

use tulk_base::error::Failure;
use tulk_base::json::escaped_len;
use tulk_catalogs::inline::{InlineToken, TaggedText, TextProtection};
use tulk_formats::Record;

use self::pattern::ProtectPattern;
pub use self::presets::PROTECT_PRESETS;

/// Finds the parts of entries that must not be translated.
#[derive(Debug, Default)]
pub struct Protector {
    patterns: Vec<ProtectPattern>,
    form: SentForm,
}

/// Form in which entries are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SentForm {
    /// Unchanged, and nothing is verified in the result.
    #[default]
    Plain,
    /// As XML, with tags around tokens.
    Tagged,
    /// Without tags, but the tokens in the result are verified.
    WithoutTags,
}

impl Protector {
    /// Creates a protector from the values of `--protect`. The message of a failure starts with `protect`, so that the caller can put `--`
    /// or the path of `tulk.toml` before it.
    pub fn new(values: &[String], form: SentForm) -> Result<Self, Failure> {
        // Most runs protect nothing. They skip the code below, which then is not even loaded.
        if values.is_empty() {
            return Ok(Self { patterns: Vec::new(), form });
        }
        let patterns = values.iter().map(|value| ProtectPattern::parse(value)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { patterns: patterns.into_iter().flatten().collect(), form })
    }

    /// Returns whether there are patterns.
    pub fn has_patterns(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// Returns whether entries are sent as XML.
    pub fn is_tagged(&self) -> bool {
        self.form == SentForm::Tagged
    }

    /// Sets the form in which the entries of a record are sent.
    pub fn protect(&self, record: &mut Record) {
        for slot in 0..record.slots.len() {
            let Some(text) = record.text(slot) else { continue };
            let own = record.slots.get(slot).map(|slot| slot.tokens.as_slice()).unwrap_or_default();
            let Some(tagged) = self.tagged(text, own) else { continue };
            let Some(slot) = record.slots.get_mut(slot) else { continue };
            let Some(request) = slot.request.as_deref_mut() else {
                slot.tagged = Some(Box::new(tagged));
                continue;
            };
            slot.tagged = Some(Box::new(tagged.ordered(request.is_ordered)));
            if let Some(fallback) = request.sample.as_deref_mut().and_then(|sample| sample.fallback.as_mut()) {
                let tagged = self.tagged(&fallback.text, &fallback.tokens);
                fallback.tagged = tagged.map(|tagged| tagged.ordered(request.is_ordered));
            }
        }
    }

    /// Returns the form in which a text is sent; `None` if it is sent unchanged. `own` are the tokens of the text's format.
    fn tagged(&self, text: &str, own: &[InlineToken]) -> Option<TaggedText> {
        match self.form {
            SentForm::Plain => None,
            SentForm::Tagged if self.patterns.is_empty() => Some(TaggedText::new(text, own)),
            SentForm::Tagged => Some(TaggedText::new(text, &self.all_tokens(text, own))),
            SentForm::WithoutTags => {
                let tokens = self.all_tokens(text, own);
                (!tokens.is_empty()).then(|| TaggedText::without_tags(text, &tokens, own))
            }
        }
    }

    /// Returns all tokens of a text: the tokens of its format, and those that patterns find between them.
    fn all_tokens(&self, text: &str, own: &[InlineToken]) -> Vec<InlineToken> {
        let mut tokens = Vec::with_capacity(own.len());
        let mut start = 0;
        for token in own {
            self.find(text, start..token.byte_range().start, &mut tokens);
            tokens.push(token.clone());
            start = token.byte_range().end;
        }
        self.find(text, start..text.len(), &mut tokens);
        tokens
    }

    /// Appends the matches of all patterns in a part of a text. Of overlapping matches, the earliest counts; of those that start together,
    /// the longest.
    fn find(&self, text: &str, within: Range<usize>, tokens: &mut Vec<InlineToken>) {
        let Some(text) = text.get(..within.end) else { return };
        let mut at = within.start;
        let mut searches: Vec<_> = self
            .patterns
            .iter()
            .map(|pattern| (pattern, pattern.find_at(text, at)))
            .filter(|(_, next)| next.is_some())
            .collect();
        loop {
            for (pattern, next) in &mut searches {
                if next.as_ref().is_some_and(|next| next.start < at) {
                    *next = pattern.find_at(text, at);
                }
            }
            let next = searches.iter().filter_map(|(_, next)| next.clone());
            let Some(first) = next.min_by_key(|next| (next.start, usize::MAX - next.end)) else { return };
            at = first.end;
            tokens.extend(InlineToken::fixed(first));
        }
    }

    /// Returns the identity that a run must share with the run that it resumes.
    pub fn identity(&self) -> String {
        match self.form {
            SentForm::Plain => String::new(),
            form => {
                let names: Vec<&str> = self.patterns.iter().map(ProtectPattern::name).collect();
                format!(" {form:?} {names:?}")
            }
        }
    }
}

impl TextProtection for Protector {
    fn tokens(&self, text: &str) -> Vec<InlineToken> {
        self.all_tokens(text, &[])
    }

    fn has_tags(&self) -> bool {
        self.is_tagged()
    }

    fn sent_len(&self, text: &str) -> usize {
        let tagged = self.tagged(text, &[]);
        escaped_len(tagged.as_ref().map_or(text, TaggedText::sent).as_bytes())
    }
}

#[cfg(test)]
mod tests;
