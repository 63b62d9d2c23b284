//! A sentence: with a number in the place of its placeholder, and back.

use std::ops::Range;
use std::sync::Arc;

use super::MessageRules;
use super::digits::only_place;
use super::marks::{PlaceholderSpellings, TextMarks};
use crate::inline::{InlineToken, TokenKind};

/// A text that is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    /// The text. The sample number stands in the place of its placeholder.
    pub text: String,
    /// Placeholders and markup in the text.
    pub tokens: Vec<InlineToken>,
    /// The number that makes the service inflect.
    pub sample: Option<SampleNumber>,
    /// Whether its placeholders must stay in their order, because they have neither names nor numbers.
    pub is_ordered: bool,
    /// How it marks what is not translated.
    pub marks: Arc<TextMarks>,
}

/// A number in a sentence in the place of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleNumber {
    /// The number.
    pub number: u64,
    /// Its digits in the text of the sentence.
    pub range: Range<usize>,
    /// The placeholder.
    pub placeholder: String,
}

impl Sentence {
    /// A text as one sentence.
    pub(super) fn of(text: &str, rules: &MessageRules<'_>) -> Self {
        Self::new(text.to_owned(), rules.syntax.tokens(text, rules.markup), &rules.marks(), None)
    }

    /// A sentence. `count` is the place of the placeholder for which a number is sent, and the number; the placeholder stays if the
    /// number would not be found again.
    pub(super) fn new(
        text: String,
        tokens: Vec<InlineToken>,
        marks: &Arc<TextMarks>,
        count: Option<(Range<usize>, u64)>,
    ) -> Self {
        let is_ordered = marks.syntax.is_ordered(&text, &tokens);
        let plain = Self { text, tokens, sample: None, is_ordered, marks: marks.clone() };
        count.and_then(|(range, number)| plain.with_sample(&range, number)).unwrap_or(plain)
    }

    fn with_sample(&self, range: &Range<usize>, number: u64) -> Option<Self> {
        let placeholder = self.text.get(range.clone())?.to_owned();
        let digits = number.to_string();
        let mut sampled = self.replaced(range, &digits)?;
        sampled.tokens.retain(|token| token.byte_range() != (range.start..range.start + digits.len()));
        let range = range.start..range.start + digits.len();
        if only_place(&sampled.text, number)? != range {
            return None;
        }
        sampled.sample = Some(SampleNumber { number, range, placeholder });
        Some(sampled)
    }

    /// Returns the sentence with other text in a range, and its tokens where they are then.
    fn replaced(&self, range: &Range<usize>, new: &str) -> Option<Self> {
        let (before, after) = (self.text.get(..range.start)?, self.text.get(range.end..)?);
        let text = [before, new, after].concat();
        let moved = |at: usize| if at >= range.end { at - range.end + range.start + new.len() } else { at };
        let tokens = self.tokens.iter().map(|token| {
            let old = token.byte_range();
            let new = InlineToken::fixed(moved(old.start)..moved(old.end))?;
            Some(InlineToken { kind: token.kind, ..new })
        });
        let tokens = tokens.collect::<Option<_>>()?;
        Some(Self { text, tokens, sample: None, is_ordered: self.is_ordered, marks: self.marks.clone() })
    }

    /// Returns the sentence with the placeholder itself in place of the sample number: what is sent if the number does not come
    /// back exactly once.
    pub fn without_sample(&self) -> Option<Self> {
        let sample = self.sample.as_ref()?;
        let mut plain = self.replaced(&sample.range, &sample.placeholder)?;
        let range = sample.range.start..sample.range.start + sample.placeholder.len();
        let at = plain.tokens.partition_point(|token| token.byte_range().start < range.start);
        plain.tokens.insert(at, InlineToken::fixed(range)?);
        Some(plain)
    }

    /// Returns a result with the placeholder in place of the number, if there is one. The error says what is wrong with the
    /// result.
    ///
    /// Tokens were restored before. A number may be written with the digits of the target's script.
    pub fn finish(&self, result: &str) -> Result<String, String> {
        let Some(sample) = &self.sample else {
            return self.check_order(result, "").map(|()| result.to_owned());
        };
        let place = only_place(result, sample.number)
            .ok_or_else(|| format!("the number {} is not exactly once in the translation", sample.number))?;
        let before = result.get(..place.start).unwrap_or_default();
        let after = result.get(place.end..).unwrap_or_default();
        self.check_order(before, after)?;
        Ok([before, &sample.placeholder, after].concat())
    }

    /// Returns whether a text is this one with the placeholder in place of the number.
    pub(super) fn is_plain_text(&self, other: &str) -> bool {
        let Some(sample) = &self.sample else { return self.text == other };
        let before = self.text.get(..sample.range.start).unwrap_or_default();
        let after = self.text.get(sample.range.end..).unwrap_or_default();
        let rest = other.strip_prefix(before).and_then(|rest| rest.strip_prefix(sample.placeholder.as_str()));
        rest == Some(after)
    }

    /// Fails if placeholders without names and numbers are in another order in a result than in the sentence. The result is cut
    /// where its sample number is.
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
        // All are looked for, since `%%d` has no `%d`.
        let spellings = PlaceholderSpellings::new(sources.iter().map(|(_, source)| *source));
        let unnamed = sources.into_iter().filter(|(_, source)| is_unnamed(source));
        let (first, last): (Vec<_>, Vec<_>) = unnamed.partition(|(start, _)| *start < cut);
        let unnamed_in = |text: &str| -> Vec<String> {
            let places = spellings.places(text);
            let found = places.iter().map(|(_, spelling)| *spelling).filter(|spelling| is_unnamed(spelling));
            found.map(str::to_owned).collect()
        };
        // Words of the source may look like its placeholders, as in `5%d`, and stay.
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
        if is_same { Ok(()) } else { Err("the placeholders are in another order in the translation".to_owned()) }
    }

    /// Returns whether there is nothing to translate: only blanks, placeholders and the number.
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

    /// Returns the text with the placeholder in place of the number.
    pub(super) fn plain_text(&self) -> String {
        self.without_sample().map_or_else(|| self.text.clone(), |plain| plain.text)
    }
}

/// Returns whether a placeholder takes the next argument: `%s`, `{}`.
fn is_unnamed(source: &str) -> bool {
    match source.strip_prefix('%') {
        Some("%") => false,
        Some(rest) => !rest.contains('$') && !rest.starts_with(['(', '{', '<']),
        None => source == "{}" || source.starts_with("{:"),
    }
}
