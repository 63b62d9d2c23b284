//! The part of a sentence that is sent: without the white space around it, which the service may drop.

use tulk_catalogs::Sentence;
use tulk_catalogs::inline::{InlineToken, has_letters};

use crate::FallbackText;

/// A sentence in three parts.
#[derive(Clone, Copy, Debug)]
pub struct SentenceParts<'a> {
    sentence: &'a Sentence,
    before: &'a str,
    /// What is sent.
    pub text: &'a str,
    after: &'a str,
}

impl<'a> SentenceParts<'a> {
    /// Returns the parts of a sentence. White space within a placeholder belongs to it.
    pub fn of(sentence: &'a Sentence) -> Self {
        let (before, text, after) = split(&sentence.text, &sentence.tokens);
        Self { sentence, before, text, after }
    }

    /// Returns whether there is anything to translate.
    pub fn is_sent(&self) -> bool {
        has_letters(&self.sentence.text, &self.sentence.tokens)
    }

    /// Returns the tokens of what is sent.
    pub fn tokens(&self) -> Vec<InlineToken> {
        shifted(&self.sentence.tokens, self.before)
    }

    /// Returns what is sent, as the result of an entry that stays as it is.
    pub fn sent_unchanged(&self) -> String {
        let whole = self.unchanged();
        let core = whole.strip_prefix(self.before).and_then(|rest| rest.strip_suffix(self.after));
        core.unwrap_or(&whole).to_owned()
    }

    /// Returns the sentence with a result.
    pub fn with_result(&self, result: &str) -> String {
        [self.before, result, self.after].concat()
    }

    /// Returns what the sentence is in the target if it stays as it is.
    pub fn unchanged(&self) -> String {
        let text = &self.sentence.text;
        self.sentence.finish(text).unwrap_or_else(|_| text.clone())
    }
}

/// Returns what is sent for a sentence if its number does not come back.
pub fn fallback(sentence: &Sentence) -> Option<FallbackText> {
    let Sentence { text, tokens, .. } = sentence.without_sample()?;
    let (before, sent, _) = split(&text, &tokens);
    Some(FallbackText { text: sent.to_owned(), tokens: shifted(&tokens, before), tagged: None })
}

/// Splits a text into the white space before it, the text, and the white space after it.
fn split<'a>(text: &'a str, tokens: &[InlineToken]) -> (&'a str, &'a str, &'a str) {
    let first = tokens.first().map_or(text.len(), |token| token.byte_range().start);
    let last = tokens.last().map_or(0, |token| token.byte_range().end);
    let start = (text.len() - text.trim_start().len()).min(first);
    let end = text.trim_end().len().max(last).max(start);
    let part = |range| text.get(range).unwrap_or_default();
    (part(0..start), part(start..end), part(end..text.len()))
}

fn shifted(tokens: &[InlineToken], before: &str) -> Vec<InlineToken> {
    let start = u32::try_from(before.len()).unwrap_or(u32::MAX);
    let shift = |at: u32| at.saturating_sub(start);
    let token =
        |token: &InlineToken| InlineToken { range: shift(token.range.start)..shift(token.range.end), kind: token.kind };
    tokens.iter().map(token).collect()
}
