//! Syntax tree of a message with branches: texts, arguments, and choices.
//!
//! The parsers of ICU and Fluent build it; `branches` expands it into complete sentences.

use std::collections::BTreeMap;

use crate::plural::{PluralForm, PluralKind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MessagePart {
    /// Text as a reader sees it, unquoted.
    Text(String),
    /// Quoted characters; without quotes they would be syntax.
    Quoted(String),
    Markup(String),
    Argument {
        /// The argument as written in the source.
        spelling: String,
        name: String,
        /// Type, such as `date`; empty if there is none.
        type_name: String,
    },
    /// `#`: the number of the enclosing plural.
    Count {
        /// [`MessageChoice::id`] of the innermost enclosing plural.
        plural: usize,
        /// Whether it is directly in a branch of a select.
        in_select: bool,
    },
    Choice(MessageChoice),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageChoice {
    /// Index in the message.
    pub(crate) id: usize,
    pub(crate) kind: ChoiceKind,
    /// The argument, or the selector in Fluent.
    pub(crate) argument: String,
    pub(crate) layout: ChoiceLayout,
    pub(crate) branches: Vec<MessageBranch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChoiceKind {
    Plural {
        kind: PluralKind,
        /// Subtracted from the number before its category is looked up.
        offset: u64,
    },
    Select,
}

/// Source text around the branches of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChoiceLayout {
    /// Text before the first keyword; the selector in Fluent.
    pub(crate) head: String,
    /// Text between two branches.
    pub(crate) gap: String,
    /// Text between a keyword and its brace.
    pub(crate) before_brace: String,
    /// Text after the last branch.
    pub(crate) tail: String,
    /// Indentation of a Fluent select; `None` in ICU messages.
    pub(crate) select: Option<Box<SelectLayout>>,
}

/// Indentation of a Fluent select expression, in columns relative to the line of its pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectLayout {
    /// Whether there is a space before the selector.
    pub(crate) has_space: bool,
    pub(crate) key: usize,
    /// Column of the default key, including its asterisk.
    pub(crate) default_key: usize,
    /// Column of values that are below their keys.
    pub(crate) value: usize,
    /// Column of the closing brace.
    pub(crate) end: usize,
    /// For each key, whether its value is below it.
    pub(crate) blocks: BTreeMap<String, bool>,
}

impl Default for SelectLayout {
    fn default() -> Self {
        Self { has_space: true, key: 4, default_key: 3, value: 8, end: 0, blocks: BTreeMap::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageBranch {
    /// Keyword as written.
    pub(crate) key: String,
    /// The numbers that select it; `None` in a select.
    pub(crate) form: Option<PluralForm>,
    /// Whether it is used if no other branch matches.
    pub(crate) is_default: bool,
    pub(crate) parts: Vec<MessagePart>,
}

impl MessageChoice {
    /// Returns the plural forms, in the order of the text.
    pub(crate) fn forms(&self) -> Vec<PluralForm> {
        self.branches.iter().filter_map(|branch| branch.form).collect()
    }

    /// Returns the branch to use if no other matches.
    pub(crate) fn default_branch(&self) -> Option<&MessageBranch> {
        self.branches.iter().find(|branch| branch.is_default).or_else(|| self.branches.last())
    }
}

pub(crate) fn has_choice(parts: &[MessagePart]) -> bool {
    parts.iter().any(|part| matches!(part, MessagePart::Choice(_)))
}

/// Calls `see` for each part, including those within branches; a choice comes before its branches.
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
