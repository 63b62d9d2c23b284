//! Expands a message with branches into complete sentences: moves the text around a choice into each of its branches.
//!
//! The result is a tree of choices whose leaves are sentences. Its plurals have the forms of the target language, its
//! selects the keywords of the source.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::digits::numbers;
use super::forms::choose_number;
use super::leaf::{BoundChoice, LeafBuilder, LeafShape, is_number_type};
use super::tree::{ChoiceKind, ChoiceLayout, MessageBranch, MessageChoice, MessagePart, has_choice, visit};
use super::{MessageRules, Sentence, TextSyntax, TreeSyntax};
use crate::catalog::SkipReason;
use crate::plural::{PluralCategory, PluralForm, PluralKind, PluralTarget};

const MAX_LEAVES: usize = 64;
const MAX_PATH: usize = 128;
/// How many parts are visited at most, which bounds the time for a hostile message.
const MAX_WORK: usize = 1 << 20;

/// A message with all text inside its innermost branches.
#[derive(Clone, Debug)]
pub(super) enum BranchTree {
    /// The index of a sentence.
    Leaf(usize),
    Choice {
        layout: ChoiceLayout,
        /// For each branch, the keyword, whether it is the default, and the content.
        branches: Vec<(String, bool, BranchTree)>,
    },
}

/// Whitespace before and after a message, which is not sent.
pub(super) type OuterWhitespace = [String; 2];

pub(super) struct TreeExpander {
    text_syntax: Arc<TextSyntax>,
    syntax: TreeSyntax,
    cardinal: PluralTarget,
    ordinal: PluralTarget,
    pub(super) leaves: Vec<(Sentence, LeafShape)>,
    work: usize,
}

impl TreeExpander {
    pub(super) fn new(rules: &MessageRules<'_>, syntax: TreeSyntax) -> Self {
        let target = |kind| PluralTarget::new(rules.source_lang, rules.target_lang, kind, rules.target_forms);
        let (cardinal, ordinal) = (target(PluralKind::Cardinal), target(PluralKind::Ordinal));
        Self { text_syntax: rules.text_syntax(), syntax, cardinal, ordinal, leaves: Vec::new(), work: 0 }
    }

    /// Whether each plural of `parts` has the same forms in the target language.
    pub(super) fn has_same_target_forms(&self, parts: &[MessagePart]) -> bool {
        let mut keeps = true;
        visit(parts, &mut |part| {
            if let MessagePart::Choice(choice) = part
                && let ChoiceKind::Plural { kind, offset } = choice.kind
            {
                let forms = choice.forms();
                keeps &= self.target(kind).forms(&forms, offset) == forms;
            }
        });
        keeps
    }

    pub(super) fn expand_message(
        &mut self,
        parts: &[MessagePart],
    ) -> Result<(BranchTree, OuterWhitespace), SkipReason> {
        let mut outside = OuterWhitespace::default();
        let mut inner = parts;
        if has_choice(parts) {
            if let [MessagePart::Text(text), rest @ ..] = inner
                && text.trim().is_empty()
            {
                outside[0].clone_from(text);
                inner = rest;
            }
            if let [rest @ .., MessagePart::Text(text)] = inner
                && text.trim().is_empty()
            {
                outside[1].clone_from(text);
                inner = rest;
            }
        }
        Ok((self.expand(inner.iter().collect(), &mut Vec::new())?, outside))
    }

    fn target(&self, kind: PluralKind) -> &PluralTarget {
        match kind {
            PluralKind::Cardinal => &self.cardinal,
            PluralKind::Ordinal => &self.ordinal,
        }
    }

    fn add_work(&mut self, parts: usize) -> Result<(), SkipReason> {
        self.work += parts;
        if self.work > MAX_WORK { Err(SkipReason::TooManyBranches) } else { Ok(()) }
    }

    fn expand<'a>(
        &mut self,
        mut parts: Vec<&'a MessagePart>,
        path: &mut Vec<BoundChoice<'a>>,
    ) -> Result<BranchTree, SkipReason> {
        loop {
            self.add_work(parts.len())?;
            let found = parts.iter().enumerate().find_map(|(at, part)| match part {
                MessagePart::Choice(choice) => Some((at, choice)),
                _ => None,
            });
            let Some((at, choice)) = found else { return self.add_leaf(&parts, path) };
            // An argument has one value, so an earlier choice on it decides this choice, too.
            let is_same = |bound: &&mut BoundChoice<'_>| bound.decides(choice);
            if let Some(bound) = path.iter_mut().find(is_same) {
                bound.ids.push(choice.id);
                let branch = match (choice.kind, bound.form) {
                    (ChoiceKind::Plural { kind, offset }, Some(form)) => {
                        let (target, keys) = (self.target(kind), choice.forms());
                        let position = match bound.number {
                            Some(number) => target.source_form(number, &keys, offset),
                            None => PluralTarget::source_form_of(form, &keys),
                        };
                        position.and_then(|at| choice.branches.get(at))
                    }
                    _ => choice.branches.iter().find(|branch| branch.key == bound.key),
                };
                let branch = branch.or_else(|| choice.default_branch()).ok_or(SkipReason::TooManyBranches)?;
                parts.splice(at..=at, branch.parts.iter());
                continue;
            }
            if path.len() >= MAX_PATH {
                return Err(SkipReason::TooManyBranches);
            }
            return match choice.kind {
                ChoiceKind::Plural { kind, offset } => self.plural(&parts, at, choice, (kind, offset), path),
                ChoiceKind::Select => self.select(&parts, at, choice, path),
            };
        }
    }

    fn add_leaf<'a>(&mut self, parts: &[&'a MessagePart], path: &[BoundChoice<'a>]) -> Result<BranchTree, SkipReason> {
        if self.leaves.len() >= MAX_LEAVES {
            return Err(SkipReason::TooManyBranches);
        }
        let leaf = LeafBuilder::new(path).build(parts, &self.text_syntax)?;
        self.leaves.push(leaf);
        Ok(BranchTree::Leaf(self.leaves.len() - 1))
    }

    /// Expands `parts` with one branch of the choice at `at` in place of the choice.
    fn branch<'a>(
        &mut self,
        parts: &[&'a MessagePart],
        at: usize,
        branch: &'a MessageBranch,
        path: &mut Vec<BoundChoice<'a>>,
        bound: BoundChoice<'a>,
    ) -> Result<BranchTree, SkipReason> {
        let mut inner = parts.to_vec();
        inner.splice(at..=at, branch.parts.iter());
        // Choices decided inside this branch may be undecided in the next one.
        let known: Vec<usize> = path.iter().map(|bound| bound.ids.len()).collect();
        path.push(bound);
        let tree = self.expand(inner, path);
        path.truncate(known.len());
        for (bound, known) in path.iter_mut().zip(known) {
            bound.ids.truncate(known);
        }
        tree
    }

    fn select<'a>(
        &mut self,
        parts: &[&'a MessagePart],
        at: usize,
        choice: &'a MessageChoice,
        path: &mut Vec<BoundChoice<'a>>,
    ) -> Result<BranchTree, SkipReason> {
        let mut keys: Vec<(&'a MessageBranch, bool)> = Vec::new();
        let mut known = BTreeSet::new();
        let (others, _) = self.choices_on_same_argument(parts, choice)?;
        for branch in others.iter().flat_map(|other| &other.branches) {
            if known.insert(branch.key.as_str()) {
                keys.push((branch, branch.is_default));
            }
        }
        // `other` must stay last, even if a later select adds keywords.
        if others.len() > 1 {
            keys.sort_by_key(|(_, is_default)| *is_default);
        }
        let mut branches = Vec::with_capacity(keys.len().min(MAX_LEAVES));
        for (key, is_default) in keys {
            let content = choice.branches.iter().find(|branch| branch.key == key.key);
            let content = content.or_else(|| choice.default_branch()).ok_or(SkipReason::TooManyBranches)?;
            let bound = BoundChoice::select(choice, &key.key);
            branches.push((key.key.clone(), is_default, self.branch(parts, at, content, path, bound)?));
        }
        Ok(BranchTree::Choice { layout: choice.layout.clone(), branches })
    }

    fn plural<'a>(
        &mut self,
        parts: &[&'a MessagePart],
        at: usize,
        choice: &'a MessageChoice,
        (kind, offset): (PluralKind, u64),
        path: &mut Vec<BoundChoice<'a>>,
    ) -> Result<BranchTree, SkipReason> {
        let (others, ids) = self.choices_on_same_argument(parts, choice)?;
        let keys = choice.forms();
        let own: BTreeSet<PluralForm> = keys.iter().copied().collect();
        let added: BTreeSet<PluralForm> = others.iter().flat_map(|other| other.forms()).collect();
        let added = added.difference(&own).filter(|form| matches!(form, PluralForm::Exact(_)));
        let all_keys: Vec<PluralForm> = added.copied().chain(keys.iter().copied()).collect();
        let (has_count, in_text) = self.find_count_and_numbers(&other_parts(parts, at), choice, &ids)?;
        let mut sources: Vec<(bool, BTreeSet<u64>)> = Vec::with_capacity(choice.branches.len());
        for branch in &choice.branches {
            let (in_branch, mut others) =
                self.find_count_and_numbers(&branch.parts.iter().collect::<Vec<_>>(), choice, &ids)?;
            others.extend(&in_text);
            sources.push((has_count || in_branch, others));
        }
        let sources: Vec<(bool, &BTreeSet<u64>)> = sources.iter().map(|(has, numbers)| (*has, numbers)).collect();
        let mut branches = Vec::new();
        let forms = self.target(kind).forms(&all_keys, offset);
        if forms.len() > MAX_LEAVES {
            return Err(SkipReason::TooManyBranches);
        }
        for form in forms {
            let chosen = choose_number(self.target(kind), form, &keys, offset, &sources);
            let Some(content) = choice.branches.get(chosen.source) else { continue };
            let key = choice.branches.iter().find(|branch| branch.form == Some(form));
            let key = key.map_or_else(|| branch_key(form, self.syntax), |branch| branch.key.clone());
            let bound = BoundChoice::plural(choice, form, chosen);
            let is_default = form == PluralForm::Category(PluralCategory::Other);
            branches.push((key, is_default, self.branch(parts, at, content, path, bound)?));
        }
        Ok(BranchTree::Choice { layout: choice.layout.clone(), branches })
    }

    /// Returns all choices on the same argument, starting with `choice`, and their ids.
    fn choices_on_same_argument<'a>(
        &mut self,
        parts: &[&'a MessagePart],
        choice: &'a MessageChoice,
    ) -> Result<(Vec<&'a MessageChoice>, BTreeSet<usize>), SkipReason> {
        let mut others = vec![choice];
        let mut work = 0;
        for part in parts {
            visit(std::slice::from_ref(*part), &mut |part| {
                work += 1;
                if let MessagePart::Choice(other) = part
                    && other.id != choice.id
                    && (other.kind, &other.argument) == (choice.kind, &choice.argument)
                {
                    others.push(other);
                }
            });
        }
        self.add_work(work)?;
        let ids = others.iter().map(|other| other.id).collect();
        Ok((others, ids))
    }

    /// Returns whether the parts show the count of `choice`, and which other numbers they contain.
    fn find_count_and_numbers(
        &mut self,
        parts: &[&MessagePart],
        choice: &MessageChoice,
        ids: &BTreeSet<usize>,
    ) -> Result<(bool, BTreeSet<u64>), SkipReason> {
        let mut has_count = false;
        let mut found = BTreeSet::new();
        let mut work = 0;
        for part in parts {
            visit(std::slice::from_ref(*part), &mut |part| {
                work += 1;
                let text = match part {
                    MessagePart::Text(text) | MessagePart::Quoted(text) | MessagePart::Markup(text) => text,
                    MessagePart::Argument { name, type_name, .. }
                        if *name == choice.argument && is_number_type(type_name) =>
                    {
                        has_count = true;
                        return;
                    }
                    MessagePart::Argument { spelling, .. } => spelling,
                    MessagePart::Count { plural, .. } => {
                        has_count |= ids.contains(plural);
                        return;
                    }
                    MessagePart::Choice(_) => return,
                };
                work += text.len() / 64;
                found.extend(numbers(text).into_iter().filter_map(|number| number.value));
            });
        }
        self.add_work(work)?;
        Ok((has_count, found))
    }
}

fn other_parts<'a>(parts: &[&'a MessagePart], at: usize) -> Vec<&'a MessagePart> {
    parts.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, part)| *part).collect()
}

/// Returns the keyword for a form that the source does not have.
fn branch_key(form: PluralForm, syntax: TreeSyntax) -> String {
    match form {
        PluralForm::Category(category) => category.name().to_owned(),
        PluralForm::Exact(number) if syntax == TreeSyntax::Fluent => number.to_string(),
        PluralForm::Exact(number) => format!("={number}"),
        PluralForm::Index(index) => index.to_string(),
    }
}
