//! A message with branches, whatever its syntax: texts, arguments, and choices between branches.
//!
//! Input: the parsers of ICU and Fluent. Output: the tree that `branches` turns into whole sentences.

use std::collections::BTreeMap;

use crate::plural::{PluralForm, PluralKind};

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MessagePart {
    /// Text as a reader sees it, without the quoting of the syntax.
    Text(String),
    /// Characters of the text that mean something else unless they are quoted.
    Quoted(String),
    /// Markup of the file.
    Markup(String),
    /// An argument, as it is spelled.
    Argument {
        /// Its bytes in the source.
        spelling: String,
        /// Its name.
        name: String,
        /// Its type, such as `date`; empty if there is none.
        type_name: String,
    },
    /// `#`: the number of a plural.
    Count {
        /// [`MessageChoice::id`] of the innermost plural around it.
        plural: usize,
        /// Whether it stands directly in a branch of a select.
        in_select: bool,
    },
    /// One of several branches.
    Choice(MessageChoice),
}

/// A choice between branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageChoice {
    /// Its number in the message.
    pub(crate) id: usize,
    /// What is chosen by.
    pub(crate) kind: ChoiceKind,
    /// The argument, or the selector of Fluent.
    pub(crate) argument: String,
    /// How it is written.
    pub(crate) layout: ChoiceLayout,
    /// Its branches, in the order of the text.
    pub(crate) branches: Vec<MessageBranch>,
}

/// What a choice depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceKind {
    /// A number.
    Plural {
        /// What is counted.
        kind: PluralKind,
        /// What is taken off the number before its category is looked up.
        offset: u64,
    },
    /// A keyword.
    Select,
}

/// What stands around the branches of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChoiceLayout {
    /// All before the first keyword; of Fluent the selector.
    pub(crate) head: String,
    /// Between two branches.
    pub(crate) gap: String,
    /// Between a keyword and its brace.
    pub(crate) before_brace: String,
    /// After the last branch.
    pub(crate) tail: String,
    /// Where the lines of a select of Fluent begin; `None` in ICU messages.
    pub(crate) select: Option<Box<SelectLayout>>,
}

/// Where the lines of a select expression of Fluent begin: columns from the line of its pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectLayout {
    /// Whether a space is before the selector.
    pub(crate) has_space: bool,
    /// The column of the keys.
    pub(crate) key: usize,
    /// The column of the default key, with its asterisk.
    pub(crate) default_key: usize,
    /// The column of values below their keys.
    pub(crate) value: usize,
    /// The column of the brace at the end.
    pub(crate) end: usize,
    /// The keys, each with whether its value is below it.
    pub(crate) blocks: BTreeMap<String, bool>,
}

impl Default for SelectLayout {
    fn default() -> Self {
        Self { has_space: true, key: 4, default_key: 3, value: 8, end: 0, blocks: BTreeMap::new() }
    }
}

/// A branch of a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageBranch {
    /// Its keyword, as it is spelled.
    pub(crate) key: String,
    /// The numbers that it is for, in a plural.
    pub(crate) form: Option<PluralForm>,
    /// Whether it is taken when no other fits.
    pub(crate) is_default: bool,
    /// Its content.
    pub(crate) parts: Vec<MessagePart>,
}

impl MessageChoice {
    /// Returns the forms of a plural, in the order of the text.
    pub(crate) fn forms(&self) -> Vec<PluralForm> {
        self.branches.iter().filter_map(|branch| branch.form).collect()
    }

    /// Returns the branch that is taken when no other fits.
    pub(crate) fn default_branch(&self) -> Option<&MessageBranch> {
        self.branches.iter().find(|branch| branch.is_default).or_else(|| self.branches.last())
    }
}

/// Returns whether a message has branches.
pub(crate) fn has_choice(parts: &[MessagePart]) -> bool {
    parts.iter().any(|part| matches!(part, MessagePart::Choice(_)))
}

/// Calls a function for each part, those within branches included, a choice before its branches.
pub(crate) fn visit<'a>(parts: &'a [MessagePart], see: &mut impl FnMut(&'a MessagePart)) {
    let mut stack: Vec<std::slice::Iter<'a, MessagePart>> = vec![parts.iter()];
    while let Some(iter) = stack.last_mut() {
        let Some(part) = iter.next() else {
            stack.pop();
            continue;
        };
        see(part);
        if let MessagePart::Choice(choice) = part {
            stack.extend(choice.branches.iter().rev().map(|branch| branch.parts.iter()));
        }
    }
}
