//! Syntax tree of a message with branches. The parsers of ICU and Fluent build it, and `branches` expands it.

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
        spelling: String,
        name: String,
        /// Such as `date`; empty if there is none.
        type_name: String,
    },
    /// `#`: the number of the enclosing plural.
    Count {
        /// [`MessageChoice::id`] of the innermost enclosing plural.
        plural: usize,
        /// Whether the `#` is directly in a branch of a select.
        in_select: bool,
    },
    Choice(MessageChoice),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageChoice {
    /// The index among the choices of the message.
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

/// The source text around the branches of a choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChoiceLayout {
    /// Text before the first keyword; the selector in Fluent.
    pub(crate) head: String,
    /// Text between two branches.
    pub(crate) gap: String,
    pub(crate) before_brace: String,
    pub(crate) tail: String,
    /// `None` in ICU messages.
    pub(crate) select: Option<Box<SelectLayout>>,
}

/// Indentation of a Fluent select expression, in columns relative to the line of its pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectLayout {
    pub(crate) has_space: bool,
    pub(crate) key: usize,
    /// The column of the asterisk before the default key.
    pub(crate) default_key: usize,
    /// The column of values that start below their keys.
    pub(crate) value: usize,
    /// The column of the closing brace.
    pub(crate) end: usize,
    /// Whether the value starts below its key, for each key.
    pub(crate) blocks: BTreeMap<String, bool>,
}

impl Default for SelectLayout {
    fn default() -> Self {
        Self { has_space: true, key: 4, default_key: 3, value: 8, end: 0, blocks: BTreeMap::new() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessageBranch {
    pub(crate) key: String,
    /// The numbers that select it; `None` in a select.
    pub(crate) form: Option<PluralForm>,
    pub(crate) is_default: bool,
    pub(crate) parts: Vec<MessagePart>,
}

impl MessageChoice {
    pub(crate) fn forms(&self) -> Vec<PluralForm> {
        self.branches.iter().filter_map(|branch| branch.form).collect()
    }

    pub(crate) fn default_branch(&self) -> Option<&MessageBranch> {
        self.branches.iter().find(|branch| branch.is_default).or_else(|| self.branches.last())
    }
}

pub(crate) fn has_choice(parts: &[MessagePart]) -> bool {
    parts.iter().any(|part| matches!(part, MessagePart::Choice(_)))
}

/// Calls `see` for each part, including those within branches, which come after their choice.
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
