//! A unit as sentences that are sent, and the results as a text of the unit.
//!
//! Input: the text of a unit, how it marks placeholders, and the two languages. Output: an [`Expansion`]: whole sentences, each with
//! its placeholders as tokens and, for a form of a plural, with a number in the place of one; after the service has answered,
//! the text for the target file.
//!
//! | file | what it does |
//! |---|---|
//! | `sentence`, `digits` | a sentence with its sample number, and its result |
//! | `forms` | units that are plurals: the sentence of each form, and which placeholder is the number |
//! | `tree`, `fluent`, `branches`, `leaf` | messages with branches inside: whole sentences out of them |
//! | `pipes` | texts of Laravel with pipes |
//! | `marks` | where known placeholders are in a result, and what it has that its source has not |
//! | `fold` | the text for the target file, and the names of its forms and branches |
//! | `check`, `structure` | whether a translation agrees with its source |

mod branches;
mod check;
#[cfg(test)]
mod check_tests;
mod digits;
mod fluent;
#[cfg(test)]
mod fluent_tests;
mod fold;
mod forms;
#[cfg(test)]
mod law_tests;
mod leaf;
mod marks;
mod pipes;
mod sentence;
mod structure;
#[cfg(test)]
mod tests;
pub(crate) mod tree;

pub use self::check::{check_target, missing_forms, plural_forms};
pub use self::fluent::FluentPattern;
pub use self::marks::TextMarks;
pub use self::sentence::{SampleNumber, Sentence};

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use self::branches::TreeExpander;
use self::fold::{FoldPlan, LeafText};
use self::pipes::{PipedPiece, pieces};
use self::tree::{MessagePart, has_choice, visit};
use super::catalog::{SkipReason, UnitText};
use super::icu::{IcuMessage, IcuQuoting};
use super::placeholders::Syntax;
use super::plural::{PluralForm, TargetForms};
use crate::inline::has_letters;

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

impl MessageRules<'_> {
    /// Returns whether a text has letters outside of placeholders and tags.
    pub fn has_words(&self, text: &UnitText) -> bool {
        text.texts().any(|text| has_letters(text, &self.syntax.tokens(text, self.markup)))
    }

    fn marks(&self) -> Arc<TextMarks> {
        Arc::new(TextMarks { syntax: self.syntax, markup: self.markup.to_vec() })
    }
}

/// The sentences of a unit, and how their results become its text.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The sentences to send, in order. Equal ones are listed once, and none without anything to translate.
    pub sentences: Vec<Sentence>,
    plan: FoldPlan,
    source: UnitText,
    /// Whether the target has the plural forms of the source.
    keeps_forms: bool,
    is_for_all_languages: bool,
}

impl Expansion {
    /// Returns the text for the target file from the results of all sentences, in their order, after [`Sentence::finish`].
    ///
    /// The error says why the results cannot be used.
    pub fn fold(&self, results: &[&str]) -> Result<UnitText, String> {
        if results.len() != self.sentences.len() {
            return Err("there is not one result for each sentence".to_owned());
        }
        let is_same = |(sentence, result): (&Sentence, &&str)| sentence.is_plain_text(result);
        if self.keeps_forms && self.sentences.iter().zip(results).all(is_same) {
            return Ok(self.source.clone());
        }
        self.plan.fold(results)
    }

    /// Returns the text for the target file if every result is what was sent.
    ///
    /// The error says why no result can be used.
    pub fn echo(&self) -> Result<UnitText, String> {
        let unchanged = |sentence: &Sentence| sentence.finish(&sentence.text).unwrap_or_else(|_| sentence.text.clone());
        let results: Vec<String> = self.sentences.iter().map(unchanged).collect();
        self.fold(&results.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns for each sentence the plural forms or the branches that it is for, such as `few`; `None` for a unit without any.
    pub fn form_names(&self) -> Vec<Option<String>> {
        self.plan.form_names(self.sentences.len())
    }

    fn new(source: &UnitText) -> Self {
        let plan = FoldPlan::Text(LeafText::Result(0));
        Self { sentences: Vec::new(), plan, source: source.clone(), keeps_forms: true, is_for_all_languages: false }
    }

    /// Returns whether it is the same for every target language: a sentence without plural forms and branches.
    pub fn is_for_all_languages(&self) -> bool {
        self.is_for_all_languages
    }

    /// Adds sentences. Returns where the text of each comes from.
    fn add(&mut self, sentences: Vec<Sentence>) -> Vec<LeafText> {
        let mut leaves = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            if sentence.is_empty() {
                leaves.push(LeafText::Same(sentence.plain_text()));
                continue;
            }
            // A unit has few sentences.
            let known = self.sentences.iter().position(|other| *other == sentence);
            leaves.push(LeafText::Result(known.unwrap_or_else(|| {
                self.sentences.push(sentence);
                self.sentences.len() - 1
            })));
        }
        leaves
    }
}

/// Returns the sentences of a unit, or why it is not translated.
pub fn expand(text: &UnitText, rules: &MessageRules<'_>) -> Result<Expansion, SkipReason> {
    match text {
        UnitText::Plural(kind, forms) => {
            let (keys, sentences): (Vec<PluralForm>, Vec<Sentence>) =
                forms::form_sentences(*kind, forms, rules).into_iter().unzip();
            let mut expansion = Expansion::new(text);
            expansion.keeps_forms = keys.iter().eq(forms.iter().map(|form| &form.form));
            let leaves = expansion.add(sentences);
            expansion.plan = FoldPlan::Forms(*kind, keys.into_iter().zip(leaves).collect());
            Ok(expansion)
        }
        UnitText::Single(single) => {
            if let Some(message) = parsed(single, rules) {
                if has_choice_format(&message.parts) {
                    return Err(SkipReason::ChoiceFormat);
                }
                return expand_tree(text, &message, rules);
            }
            if is_broken(single, rules) {
                return Err(SkipReason::InvalidMessage);
            }
            let mut expansion = Expansion::new(text);
            if rules.syntax == Syntax::Laravel
                && let Some(pieces) = pieces(single, rules.markup)
            {
                let leaves = pieces.into_iter().flat_map(|piece| match piece {
                    PipedPiece::Fixed(fixed) => vec![LeafText::Same(fixed.to_owned())],
                    PipedPiece::Text(text) => expansion.add(vec![Sentence::of(text, rules)]),
                });
                expansion.plan = FoldPlan::Joined(leaves.collect());
                expansion.is_for_all_languages = true;
                return Ok(expansion);
            }
            let leaves = expansion.add(vec![Sentence::of(single, rules)]);
            expansion.plan = FoldPlan::Text(leaves.into_iter().next().unwrap_or(LeafText::Result(0)));
            expansion.is_for_all_languages = true;
            Ok(expansion)
        }
    }
}

/// Returns whether a text that cannot be read as a message is one all the same. In a text of Java, only a type such as in `{0,number`
/// says so: others may be used as they stand.
fn is_broken(text: &str, rules: &MessageRules<'_>) -> bool {
    match rules.syntax {
        Syntax::Icu => memchr::memchr2(b'{', b'}', text.as_bytes()).is_some(),
        Syntax::MessageFormat if has_typed_argument(text) => {
            IcuMessage::parse(text, IcuQuoting::Required, &markup_places(text, rules.markup)).is_err()
        }
        _ => false,
    }
}

/// Returns whether an argument with a known type begins in a text.
fn has_typed_argument(text: &str) -> bool {
    text.split('{').skip(1).any(|argument| {
        let mut parts = argument.split(',').map(str::trim);
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let types = ["choice", "date", "number", "plural", "select", "selectordinal", "time"];
        parts.next().is_some_and(is_name) && parts.next().is_some_and(|name| types.contains(&name))
    })
}

/// Returns whether a message has an argument such as `{0,choice,0#no files|1#one file}`.
fn has_choice_format(parts: &[MessagePart]) -> bool {
    let mut has_any = false;
    visit(parts, &mut |part| {
        has_any |= matches!(part, MessagePart::Argument { type_name, .. } if type_name == "choice");
    });
    has_any
}

fn expand_tree(text: &UnitText, message: &ParsedMessage, rules: &MessageRules<'_>) -> Result<Expansion, SkipReason> {
    let mut expansion = Expansion::new(text);
    let mut expander = TreeExpander::new(rules, message.syntax);
    expansion.keeps_forms = expander.keeps_forms(&message.parts);
    let (tree, outside) = expander.expand_message(&message.parts)?;
    let (sentences, shapes): (Vec<_>, Vec<_>) = expander.leaves.into_iter().unzip();
    let leaves = expansion.add(sentences).into_iter().zip(shapes).collect();
    expansion.plan = FoldPlan::Tree { syntax: message.syntax, tree, leaves, outside };
    Ok(expansion)
}

/// A text that was read as a message.
struct ParsedMessage {
    parts: Vec<MessagePart>,
    syntax: TreeSyntax,
}

/// How a message with branches is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeSyntax {
    /// As ICU or Java do.
    Icu {
        /// What an apostrophe means.
        quoting: IcuQuoting,
        /// Whether every apostrophe is doubled.
        doubles: bool,
    },
    /// As Fluent does.
    Fluent,
}

/// Reads a text whose syntax has more than placeholders. `None` if it has not, or if the text cannot be read: then it is one
/// sentence, in which what looks like a placeholder stays.
fn parsed(text: &str, rules: &MessageRules<'_>) -> Option<ParsedMessage> {
    let quoting = match rules.syntax {
        syntax if syntax == Syntax::Icu || syntax.may_have_choices() => IcuQuoting::Optional,
        Syntax::MessageFormat => IcuQuoting::Required,
        Syntax::Fluent => {
            memchr::memchr(b'{', text.as_bytes())?;
            let parts = fluent::message_parts(&FluentPattern::parse(text).ok()?);
            return has_choice(&parts).then_some(ParsedMessage { parts, syntax: TreeSyntax::Fluent });
        }
        _ => return None,
    };
    memchr::memchr3(b'{', b'}', b'\'', text.as_bytes())?;
    // Some programs have ICU plurals, although their other placeholders are markup (Angular) or those of their format (.NET).
    let is_plain = rules.syntax.may_have_choices();
    if is_plain && !["plural", "select"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let message = IcuMessage::parse(text, quoting, &markup_places(text, rules.markup)).ok()?;
    let is_argument = |part: &MessagePart| matches!(part, MessagePart::Argument { .. });
    if quoting == IcuQuoting::Required && !message.parts.iter().any(is_argument)
        || is_plain && !has_choice(&message.parts)
    {
        // Such a text is used as it stands.
        return None;
    }
    let doubles = message.has_doubled_apostrophe;
    Some(ParsedMessage { parts: message.parts, syntax: TreeSyntax::Icu { quoting, doubles } })
}

/// Returns where the markup of the file is in a text.
fn markup_places(text: &str, markup: &[String]) -> Vec<Range<usize>> {
    if markup.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&str> = markup.iter().map(String::as_str).collect();
    let places = Syntax::Plain.tokens(text, markup).into_iter().map(|token| token.byte_range());
    places.filter(|range| text.get(range.clone()).is_some_and(|part| known.contains(part))).collect()
}
