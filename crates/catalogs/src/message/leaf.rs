//! Builds one sentence of a message with branches, and what is needed to write its result back.

use std::ops::Range;
use std::sync::Arc;

use super::forms::ChosenNumber;
use super::tree::{ChoiceKind, MessageChoice, MessagePart};
use super::{Sentence, TextSyntax};
use crate::catalog::SkipReason;
use crate::inline::InlineToken;
use crate::placeholders::Syntax;
use crate::plural::PluralForm;

/// The branch that a sentence takes at one choice.
#[derive(Clone, Debug)]
pub(super) struct BoundChoice<'a> {
    /// The choices that it decides.
    pub(super) ids: Vec<usize>,
    argument: &'a str,
    kind: ChoiceKind,
    pub(super) key: &'a str,
    pub(super) form: Option<PluralForm>,
    /// A number for which a plural takes this branch. The offset of the plural is already subtracted.
    pub(super) number: Option<u64>,
    /// The number to send for the count. The offset is already subtracted here, too.
    sample: Option<u64>,
}

impl<'a> BoundChoice<'a> {
    pub(super) fn select(choice: &'a MessageChoice, key: &'a str) -> Self {
        let (kind, argument) = (choice.kind, choice.argument.as_str());
        Self { ids: vec![choice.id], argument, kind, key, form: None, number: None, sample: None }
    }

    pub(super) fn plural(choice: &'a MessageChoice, form: PluralForm, chosen: ChosenNumber) -> Self {
        let (number, sample) = (chosen.number, chosen.sample);
        Self { form: Some(form), number, sample, ..Self::select(choice, "") }
    }

    pub(super) fn decides(&self, choice: &MessageChoice) -> bool {
        self.kind == choice.kind && self.argument == choice.argument
    }

    fn offset(&self) -> u64 {
        match self.kind {
            ChoiceKind::Plural { offset, .. } => offset,
            ChoiceKind::Select => 0,
        }
    }
}

/// The placeholders of a sentence, to write its result back into the branch.
#[derive(Clone, Debug, Default)]
pub(super) struct LeafShape {
    /// Each placeholder as sent; for quoted characters, also the characters themselves.
    pub(super) pieces: Vec<(String, Option<String>)>,
    /// Whether the sentence is directly in a branch of a plural.
    pub(super) in_plural: bool,
}

pub(super) struct LeafBuilder<'p, 'a> {
    path: &'p [BoundChoice<'a>],
    text: String,
    tokens: Vec<InlineToken>,
    pieces: Vec<(String, Option<String>)>,
    /// Where the text shows the number of a plural: the plural's index in `path`, the byte range, and the offset to subtract.
    counts: Vec<(usize, Range<usize>, u64)>,
}

impl<'p, 'a> LeafBuilder<'p, 'a> {
    pub(super) fn new(path: &'p [BoundChoice<'a>]) -> Self {
        Self { path, text: String::new(), tokens: Vec::new(), pieces: Vec::new(), counts: Vec::new() }
    }

    /// `parts` have no choices. Fails if a `#` cannot be written at its new position.
    pub(super) fn build(
        mut self,
        parts: &[&MessagePart],
        text_syntax: &Arc<TextSyntax>,
    ) -> Result<(Sentence, LeafShape), SkipReason> {
        for part in parts {
            match part {
                MessagePart::Text(text) => self.text.push_str(text),
                MessagePart::Quoted(text) => {
                    let spelling = ["'", &text.replace('\'', "''"), "'"].concat();
                    self.push_token(&spelling, Some(text.clone()));
                }
                MessagePart::Markup(markup) => {
                    self.push_token(markup, None);
                }
                MessagePart::Argument { spelling, name, type_name } => {
                    let range = self.push_token(spelling, None);
                    let counted = self.path.iter().position(|bound| bound.form.is_some() && bound.argument == name);
                    if let Some(at) = counted.filter(|_| is_number_type(type_name)) {
                        self.counts.push((at, range, 0));
                    }
                }
                MessagePart::Count { plural, in_select } => self.push_count(*plural, *in_select)?,
                MessagePart::Choice(_) => {}
            }
        }
        let (tokens, is_whole) = self.with_tags(text_syntax);
        let count = self.sampled(&is_whole);
        let in_plural = self.path.last().is_some_and(|bound| bound.form.is_some());
        Ok((Sentence::new(self.text, tokens, text_syntax, count), LeafShape { pieces: self.pieces, in_plural }))
    }

    fn push_token(&mut self, spelling: &str, literal: Option<String>) -> Range<usize> {
        let range = self.text.len()..self.text.len() + spelling.len();
        self.text.push_str(spelling);
        self.tokens.extend(InlineToken::fixed(range.clone()));
        self.pieces.push((spelling.to_owned(), literal));
        range
    }

    /// Appends the number of a plural: `#` where that refers to this plural, else the argument.
    fn push_count(&mut self, plural: usize, in_select: bool) -> Result<(), SkipReason> {
        let at = self.path.iter().position(|bound| bound.ids.contains(&plural)).ok_or(SkipReason::TooManyBranches)?;
        let bound = self.path.get(at).ok_or(SkipReason::TooManyBranches)?;
        let after = self.path.get(at + 1..).unwrap_or_default();
        let is_innermost = after.iter().all(|other| other.form.is_none());
        let range = if is_innermost && (after.is_empty() || in_select) {
            self.push_token("#", None)
        } else if bound.offset() == 0 {
            let spelling = ["{", bound.argument, ", number}"].concat();
            self.push_token(&spelling, None)
        } else {
            return Err(SkipReason::TooManyBranches);
        };
        self.counts.push((at, range, bound.offset()));
        Ok(())
    }

    /// Adds the tokens of tags and markup; a placeholder inside a tag becomes a part of it. Also returns the ranges of the
    /// tokens of `self` that remain.
    fn with_tags(&self, text_syntax: &TextSyntax) -> (Vec<InlineToken>, Vec<Range<usize>>) {
        let mut all: Vec<(InlineToken, bool)> = self.tokens.iter().map(|token| (token.clone(), true)).collect();
        let syntax = if text_syntax.syntax.is_printf() { text_syntax.syntax } else { Syntax::Plain };
        all.extend(syntax.tokens(&self.text, &text_syntax.markup).into_iter().map(|token| (token, false)));
        all.sort_by_key(|(token, is_own)| (token.range.start, std::cmp::Reverse(token.range.end), *is_own));
        let mut tokens: Vec<InlineToken> = Vec::with_capacity(all.len());
        let mut own = Vec::new();
        for (token, is_own) in all {
            if tokens.last().is_some_and(|last| token.range.start < last.range.end) {
                continue;
            }
            if is_own {
                own.push(token.byte_range());
            }
            tokens.push(token);
        }
        (tokens, own)
    }

    /// Returns the byte range of the count and the number to send. Of several plurals, the innermost is chosen.
    fn sampled(&self, tokens: &[Range<usize>]) -> Option<(Range<usize>, u64)> {
        self.path.iter().enumerate().rev().find_map(|(at, bound)| {
            let sample = bound.sample?;
            let mut positions = self.counts.iter().filter(|(choice, ..)| *choice == at);
            let (_, range, taken_off) = positions.next()?;
            if positions.next().is_some() || tokens.binary_search_by_key(&range.start, |token| token.start).is_err() {
                return None;
            }
            Some((range.clone(), sample + bound.offset() - taken_off))
        })
    }
}

/// Returns whether an argument of this type is shown as a plain number.
pub(super) fn is_number_type(type_name: &str) -> bool {
    matches!(type_name, "" | "number")
}
