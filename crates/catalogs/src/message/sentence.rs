//! A sentence to send: puts a sample number in place of the count's placeholder, and the placeholder back into the
//! result.

use std::ops::Range;
use std::sync::Arc;

use super::MessageRules;
use super::digits::sole_occurrence;
use super::text_syntax::{PlaceholderMatcher, TextSyntax};
use crate::inline::{InlineToken, TokenKind};

/// A text to send.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The text, with the sample number in place of its placeholder.
    pub text: String,
    /// Placeholders and markup in `text`.
    pub tokens: Vec<InlineToken>,
    /// The sample number; with it the service inflects the words around it.
    pub sample: Option<SampleNumber>,
    /// Whether the placeholders must keep their order because they have neither names nor numbers.
    pub is_ordered: bool,
    /// Placeholder syntax and markup of the unit.
    pub text_syntax: Arc<TextSyntax>,
}

/// A number in place of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleNumber {
    /// The value.
    pub number: u64,
    /// Byte range of its digits in [`Sentence::text`].
    pub range: Range<usize>,
    /// The replaced placeholder.
    pub placeholder: String,
}

impl Sentence {
    pub(super) fn of(text: &str, rules: &MessageRules<'_>) -> Self {
        Self::new(text.to_owned(), rules.syntax.tokens(text, rules.markup), &rules.text_syntax(), None)
    }

    /// `count` is the byte range of the count's placeholder and the number to send for it. The placeholder stays if the
    /// number would not occur exactly once in the text.
    pub(super) fn new(
        text: String,
        tokens: Vec<InlineToken>,
        text_syntax: &Arc<TextSyntax>,
        count: Option<(Range<usize>, u64)>,
    ) -> Self {
        let is_ordered = text_syntax.syntax.is_ordered(&text, &tokens);
        let plain = Self { text, tokens, sample: None, is_ordered, text_syntax: text_syntax.clone() };
        count.and_then(|(range, number)| plain.with_sample(&range, number)).unwrap_or(plain)
    }

    fn with_sample(&self, range: &Range<usize>, number: u64) -> Option<Self> {
        let placeholder = self.text.get(range.clone())?.to_owned();
        let digits = number.to_string();
        let mut sampled = self.with_replaced_range(range, &digits)?;
        sampled.tokens.retain(|token| token.byte_range() != (range.start..range.start + digits.len()));
        let range = range.start..range.start + digits.len();
        if sole_occurrence(&sampled.text, number)? != range {
            return None;
        }
        sampled.sample = Some(SampleNumber { number, range, placeholder });
        Some(sampled)
    }

    fn with_replaced_range(&self, range: &Range<usize>, new: &str) -> Option<Self> {
        let (before, after) = (self.text.get(..range.start)?, self.text.get(range.end..)?);
        let text = [before, new, after].concat();
        let moved = |at: usize| if at >= range.end { at - range.end + range.start + new.len() } else { at };
        let tokens = self.tokens.iter().map(|token| {
            let old = token.byte_range();
            let new = InlineToken::fixed(moved(old.start)..moved(old.end))?;
            Some(InlineToken { kind: token.kind, ..new })
        });
        let tokens = tokens.collect::<Option<_>>()?;
        Some(Self { text, tokens, sample: None, is_ordered: self.is_ordered, text_syntax: self.text_syntax.clone() })
    }

    /// Returns the sentence with the placeholder instead of the sample number; `None` without a sample number. It is sent
    /// if the result with the number cannot be used.
    pub fn without_sample(&self) -> Option<Self> {
        let sample = self.sample.as_ref()?;
        let mut plain = self.with_replaced_range(&sample.range, &sample.placeholder)?;
        let range = sample.range.start..sample.range.start + sample.placeholder.len();
        let at = plain.tokens.partition_point(|token| token.byte_range().start < range.start);
        plain.tokens.insert(at, InlineToken::fixed(range)?);
        Some(plain)
    }

    /// Puts the placeholder back in place of the sample number, which may have the digits of the target's script. The tokens
    /// of `result` must be restored already. Fails if the result cannot be used; the error says why.
    pub fn finish(&self, result: &str) -> Result<String, String> {
        let Some(sample) = &self.sample else {
            return self.check_order(result, "").map(|()| result.to_owned());
        };
        let position = sole_occurrence(result, sample.number)
            .ok_or_else(|| format!("the translation does not have the number {} exactly once", sample.number))?;
        let before = result.get(..position.start).unwrap_or_default();
        let after = result.get(position.end..).unwrap_or_default();
        self.check_order(before, after)?;
        Ok([before, &sample.placeholder, after].concat())
    }

    /// Returns whether `other` is this sentence with the placeholder instead of the sample number.
    pub(super) fn is_equal_without_sample(&self, other: &str) -> bool {
        let Some(sample) = &self.sample else { return self.text == other };
        let before = self.text.get(..sample.range.start).unwrap_or_default();
        let after = self.text.get(sample.range.end..).unwrap_or_default();
        let rest = other.strip_prefix(before).and_then(|rest| rest.strip_prefix(sample.placeholder.as_str()));
        rest == Some(after)
    }

    /// Fails if placeholders without names or numbers have another order. `before` and `after` are the parts of the result
    /// around the sample number.
    fn check_order(&self, before: &str, after: &str) -> Result<(), String> {
        if !self.is_ordered {
            return Ok(());
        }
        let cut = match &self.sample {
            Some(sample) if is_unnamed(&sample.placeholder) => sample.range.start,
            _ => usize::MAX,
        };
        let fixed = self.tokens.iter().filter(|token| token.kind == TokenKind::Fixed).map(InlineToken::byte_range);
        let sources: Vec<(usize, &str)> =
            fixed.filter_map(|range| Some((range.start, self.text.get(range)?))).collect();
        // Search for all placeholders, not only for those without names. Otherwise, a `%d` would be found in `%%d`.
        let matcher = PlaceholderMatcher::new(sources.iter().map(|(_, source)| *source));
        let unnamed = sources.into_iter().filter(|(_, source)| is_unnamed(source));
        let (first, last): (Vec<_>, Vec<_>) = unnamed.partition(|(start, _)| *start < cut);
        let unnamed_in = |text: &str| -> Vec<String> {
            let positions = matcher.find_all(text);
            let found =
                positions.iter().map(|(_, placeholder)| *placeholder).filter(|placeholder| is_unnamed(placeholder));
            found.map(str::to_owned).collect()
        };
        // Text that only looks like a placeholder, as in `5%d`, is found too. Accept it if the sentence has it as well.
        let has = |text: &str, own: &str, wanted: &[(usize, &str)]| {
            let found = unnamed_in(text);
            found.iter().eq(wanted.iter().map(|(_, source)| *source)) || found == unnamed_in(own)
        };
        let is_same = if cut == usize::MAX {
            has(&[before, after].concat(), &self.text, &first)
        } else {
            let (own_before, own_after) = self.text.split_at_checked(cut).unwrap_or((&self.text, ""));
            has(before, own_before, &first) && has(after, own_after, &last)
        };
        if is_same { Ok(()) } else { Err("the translation has the placeholders in a different order".to_owned()) }
    }

    /// Returns whether the text has only whitespace, placeholders and the number.
    pub(super) fn is_empty(&self) -> bool {
        let mut fixed: Vec<Range<usize>> = self.tokens.iter().map(InlineToken::byte_range).collect();
        fixed.extend(self.sample.as_ref().map(|sample| sample.range.clone()));
        fixed.sort_unstable_by_key(|range| range.start);
        let mut done = 0;
        let mut is_blank = |until: usize, next: usize| {
            let text = self.text.get(done..until).unwrap_or_default();
            done = next;
            text.trim().is_empty()
        };
        fixed.iter().all(|range| is_blank(range.start, range.end)) && is_blank(self.text.len(), 0)
    }

    pub(super) fn plain_text(&self) -> String {
        self.without_sample().map_or_else(|| self.text.clone(), |plain| plain.text)
    }
}

/// Returns whether a placeholder has neither a name nor a number, so that it takes the next argument, as `%s` and `{}` do.
fn is_unnamed(source: &str) -> bool {
    match source.strip_prefix('%') {
        Some("%") => false,
        Some(rest) => !rest.contains('$') && !rest.starts_with(['(', '{', '<']),
        None => source == "{}" || source.starts_with("{:"),
    }
}
