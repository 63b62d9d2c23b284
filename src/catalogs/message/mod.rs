//! A unit as sentences that are sent, and the results as a text of the unit.
//!
//! Input: the text of a unit, how it marks placeholders, and the two languages. Output: an [`Expansion`]: whole sentences, each with
//! its placeholders as tokens and, for a form of a plural, with a number in the place of one; after the service has answered,
//! the text for the target file.

mod fluent;

use std::ops::Range;

pub use self::fluent::{FluentBranch, FluentPart, FluentPattern, FluentVariant};
use super::catalog::{SkipReason, UnitText};
use super::placeholders::Syntax;
use super::plural::TargetForms;
use crate::inline::InlineToken;

/// What the sentences of a unit depend on besides its text.
#[derive(Clone, Debug)]
pub struct MessageRules<'a> {
    /// How the text marks placeholders.
    pub syntax: Syntax,
    /// Parts of the text that are markup of the file; see [`super::Unit::markup`].
    pub markup: &'a [String],
    /// The source language (BCP 47); its plural rules pick the source branch.
    pub source_lang: &'a str,
    /// The target language (BCP 47); its categories are those of the result.
    pub target_lang: &'a str,
    /// The forms of the target file.
    pub target_forms: &'a TargetForms,
}

/// A text that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The text. The sample number stands in the place of its placeholder.
    pub text: String,
    /// Placeholders and markup in the text.
    pub tokens: Vec<InlineToken>,
    /// The number that makes the service inflect.
    pub sample: Option<SampleNumber>,
    /// Whether its placeholders must stay in their order, because they have neither names nor numbers.
    pub is_ordered: bool,
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
    /// Returns the sentence with the placeholder itself in place of the sample number: what is sent if the number does not come
    /// back exactly once.
    pub fn without_sample(&self) -> Option<Self> {
        None
    }

    /// Returns a result with the placeholder in place of the number, if there is one. The error says what is wrong with the
    /// result.
    ///
    /// Tokens were restored before. A number may be written with the digits of the target's script.
    pub fn finish(&self, result: &str) -> Result<String, String> {
        Ok(result.to_owned())
    }
}

/// The sentences of a unit, and how their results become its text.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The sentences to send, in order. Equal ones are listed once.
    pub sentences: Vec<Sentence>,
}

impl Expansion {
    /// Returns the text for the target file from the results of all sentences, in their order, after [`Sentence::finish`].
    ///
    /// The error says why the results cannot be used.
    pub fn fold(&self, results: &[&str]) -> Result<UnitText, String> {
        results.first().map(|text| UnitText::Single((*text).to_owned())).ok_or_else(|| "no result".to_owned())
    }
}

/// Returns the sentences of a unit, or why it is not translated.
pub fn expand(text: &UnitText, rules: &MessageRules<'_>) -> Result<Expansion, SkipReason> {
    let _ = rules;
    let sentence = |text: &str| Sentence { text: text.to_owned(), tokens: Vec::new(), sample: None, is_ordered: false };
    Ok(Expansion { sentences: text.texts().map(sentence).collect() })
}
