//! Turns the text of a unit into sentences to send, and their translations back into a text for the target file.
//!
//! Input: the text of a unit, its placeholder syntax, and the two languages. Output: an [`Expansion`] with complete
//! sentences. In the sentence of a plural form, a sample number replaces the placeholder for the count. From the
//! service's results, [`Expansion::fold`] builds the text for the target file.
//!
//! | file | contents |
//! |---|---|
//! | `sentence`, `digits` | a sentence with its sample number, and its result |
//! | `forms` | plural units: a sentence for each form, and which placeholder is the count |
//! | `tree`, `fluent`, `branches`, `leaf` | messages with branches, expanded into complete sentences |
//! | `pipes` | Laravel texts with pipes |
//! | `text_syntax` | finds known placeholders in a result, and those that the service added |
//! | `fold` | builds the text for the target file; names of forms and branches |
//! | `check`, `structure` | compares a translation with its source |

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
mod leaf;
mod pipes;
#[cfg(test)]
mod property_tests;
mod sentence;
mod structure;
#[cfg(test)]
mod tests;
mod text_syntax;
pub(crate) mod tree;

pub use self::check::{check_target, missing_forms, plural_forms};
pub use self::fluent::FluentPattern;
pub use self::sentence::{SampleNumber, Sentence};
pub use self::text_syntax::TextSyntax;

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

/// How the text of a unit is expanded and checked.
#[derive(Clone, Debug)]
pub struct MessageRules<'a> {
    /// Placeholder syntax of the text.
    pub syntax: Syntax,
    /// Parts of the text that are markup of the file format; see [`super::Unit::markup`].
    pub markup: &'a [String],
    /// Source language (BCP 47); its plural rules choose the source branch.
    pub source_lang: &'a str,
    /// Target language (BCP 47); the result has its plural categories.
    pub target_lang: &'a str,
    /// Plural forms of the target file.
    pub target_forms: &'a TargetForms,
}

impl MessageRules<'_> {
    /// Returns whether the text has letters outside of placeholders and tags.
    pub fn has_words(&self, text: &UnitText) -> bool {
        text.texts().any(|text| has_letters(text, &self.syntax.tokens(text, self.markup)))
    }

    fn text_syntax(&self) -> Arc<TextSyntax> {
        Arc::new(TextSyntax { syntax: self.syntax, markup: self.markup.to_vec() })
    }
}

/// The sentences of a unit, and the plan for building the target text from their results.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// The sentences to send, in order. They have no duplicates, and each has something to translate.
    pub sentences: Vec<Sentence>,
    plan: FoldPlan,
    source: UnitText,
    /// Whether the target has the same plural forms as the source.
    has_same_target_forms: bool,
    is_for_all_languages: bool,
}

impl Expansion {
    /// Builds the text for the target file. `results` holds one result per sentence, in order, each after
    /// [`Sentence::finish`]. Fails if the results cannot be used; the error says why.
    pub fn fold(&self, results: &[&str]) -> Result<UnitText, String> {
        if results.len() != self.sentences.len() {
            return Err("the number of results differs from the number of sentences".to_owned());
        }
        let is_same = |(sentence, result): (&Sentence, &&str)| sentence.is_equal_without_sample(result);
        if self.has_same_target_forms && self.sentences.iter().zip(results).all(is_same) {
            return Ok(self.source.clone());
        }
        self.plan.fold(results)
    }

    /// Builds the text for the target file as if the service had returned every sentence unchanged. Fails like
    /// [`Self::fold`].
    pub fn echo(&self) -> Result<UnitText, String> {
        let unchanged = |sentence: &Sentence| sentence.finish(&sentence.text).unwrap_or_else(|_| sentence.text.clone());
        let results: Vec<String> = self.sentences.iter().map(unchanged).collect();
        self.fold(&results.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Returns the plural forms or branches of each sentence, such as `few`; `None` for a unit without forms.
    pub fn form_names(&self) -> Vec<Option<String>> {
        self.plan.form_names(self.sentences.len())
    }

    fn new(source: &UnitText) -> Self {
        let plan = FoldPlan::Text(LeafText::Result(0));
        Self {
            sentences: Vec::new(),
            plan,
            source: source.clone(),
            has_same_target_forms: true,
            is_for_all_languages: false,
        }
    }

    /// Returns whether the expansion is the same for every target language: it has no plural forms and no branches.
    pub fn is_for_all_languages(&self) -> bool {
        self.is_for_all_languages
    }

    /// Adds the sentences that need translation, and returns for each where its text comes from.
    fn add(&mut self, sentences: Vec<Sentence>) -> Vec<LeafText> {
        let mut leaves = Vec::with_capacity(sentences.len());
        for sentence in sentences {
            if sentence.is_empty() {
                leaves.push(LeafText::Fixed(sentence.plain_text()));
                continue;
            }
            let known = self.sentences.iter().position(|other| *other == sentence);
            leaves.push(LeafText::Result(known.unwrap_or_else(|| {
                self.sentences.push(sentence);
                self.sentences.len() - 1
            })));
        }
        leaves
    }
}

/// Expands a unit into sentences, or says why it cannot be translated.
pub fn expand(text: &UnitText, rules: &MessageRules<'_>) -> Result<Expansion, SkipReason> {
    match text {
        UnitText::Plural(kind, forms) => {
            let (keys, sentences): (Vec<PluralForm>, Vec<Sentence>) =
                forms::form_sentences(*kind, forms, rules).into_iter().unzip();
            let mut expansion = Expansion::new(text);
            expansion.has_same_target_forms = keys.iter().eq(forms.iter().map(|form| &form.form));
            let leaves = expansion.add(sentences);
            expansion.plan = FoldPlan::Forms(*kind, keys.into_iter().zip(leaves).collect());
            Ok(expansion)
        }
        UnitText::Single(single) => {
            if let Some(message) = parse_message(single, rules) {
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
                    PipedPiece::Fixed(fixed) => vec![LeafText::Fixed(fixed.to_owned())],
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

/// Returns whether a text that does not parse was meant to be a message. A Java text counts only if it has a typed
/// argument such as `{0,number`: any other may be a plain string that never goes through `MessageFormat`.
fn is_broken(text: &str, rules: &MessageRules<'_>) -> bool {
    match rules.syntax {
        Syntax::Icu => memchr::memchr2(b'{', b'}', text.as_bytes()).is_some(),
        Syntax::MessageFormat if has_typed_argument(text) => {
            IcuMessage::parse(text, IcuQuoting::Required, &markup_ranges(text, rules.markup)).is_err()
        }
        _ => false,
    }
}

/// Returns whether the text has the start of an argument with a type that ICU or Java defines.
fn has_typed_argument(text: &str) -> bool {
    text.split('{').skip(1).any(|argument| {
        let mut parts = argument.split(',').map(str::trim);
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let types = ["choice", "date", "number", "plural", "select", "selectordinal", "time"];
        parts.next().is_some_and(is_name) && parts.next().is_some_and(|name| types.contains(&name))
    })
}

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
    expansion.has_same_target_forms = expander.has_same_target_forms(&message.parts);
    let (tree, outside) = expander.expand_message(&message.parts)?;
    let (sentences, shapes): (Vec<_>, Vec<_>) = expander.leaves.into_iter().unzip();
    let leaves = expansion.add(sentences).into_iter().zip(shapes).collect();
    expansion.plan = FoldPlan::Tree { syntax: message.syntax, tree, leaves, outside };
    Ok(expansion)
}

struct ParsedMessage {
    parts: Vec<MessagePart>,
    syntax: TreeSyntax,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeSyntax {
    /// ICU or Java.
    Icu {
        quoting: IcuQuoting,
        doubles_apostrophes: bool,
    },
    Fluent,
}

/// Parses a text that may have branches, quotes or typed arguments. Returns `None` if it needs no parsing or cannot be
/// parsed. Such a text is sent without expanding branches, and its apparent placeholders are kept, unless `is_broken` is
/// true for it.
fn parse_message(text: &str, rules: &MessageRules<'_>) -> Option<ParsedMessage> {
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
    // Texts of some formats, such as Angular, .NET and gettext, may contain ICU plurals, but their other placeholders have
    // another syntax.
    let is_plain = rules.syntax.may_have_choices();
    if is_plain && !["plural", "select"].iter().any(|word| text.contains(word)) {
        return None;
    }
    let message = IcuMessage::parse(text, quoting, &markup_ranges(text, rules.markup)).ok()?;
    let is_argument = |part: &MessagePart| matches!(part, MessagePart::Argument { .. });
    if quoting == IcuQuoting::Required && !message.parts.iter().any(is_argument)
        || is_plain && !has_choice(&message.parts)
    {
        // Java programs use a text without arguments as it is, without `MessageFormat`. In formats other than ICU's, a text
        // without a plural or select is not an ICU message.
        return None;
    }
    let doubles_apostrophes = message.has_doubled_apostrophe;
    Some(ParsedMessage { parts: message.parts, syntax: TreeSyntax::Icu { quoting, doubles_apostrophes } })
}

fn markup_ranges(text: &str, markup: &[String]) -> Vec<Range<usize>> {
    if markup.is_empty() {
        return Vec::new();
    }
    let known: HashSet<&str> = markup.iter().map(String::as_str).collect();
    let positions = Syntax::Plain.tokens(text, markup).into_iter().map(|token| token.byte_range());
    positions.filter(|range| text.get(range.clone()).is_some_and(|part| known.contains(part))).collect()
}
