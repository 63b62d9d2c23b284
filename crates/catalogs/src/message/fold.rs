//! Builds the text for the target file from the results of its sentences, and names the form of each sentence.

use super::TreeSyntax;
use super::branches::{BranchTree, OuterWhitespace};
use super::fluent::{FluentPart, FluentPattern, FluentVariant};
use super::leaf::LeafShape;
use super::text_syntax::PlaceholderMatcher;
use crate::catalog::{PluralText, UnitText};
use crate::icu::{IcuQuoting, QuoteWriter};
use crate::plural::{PluralForm, PluralKind};

#[derive(Clone, Debug)]
pub(super) enum FoldPlan {
    Text(LeafText),
    /// A text in parts, some of them fixed.
    Joined(Vec<LeafText>),
    Forms(PluralKind, Vec<(PluralForm, LeafText)>),
    Tree {
        syntax: TreeSyntax,
        tree: BranchTree,
        leaves: Vec<(LeafText, LeafShape)>,
        outside: OuterWhitespace,
    },
}

#[derive(Clone, Debug)]
pub(super) enum LeafText {
    /// The index of the sentence whose result it is.
    Result(usize),
    /// Fixed text, which has nothing to translate.
    Fixed(String),
}

impl LeafText {
    fn resolve<'a>(&'a self, results: &[&'a str]) -> Result<&'a str, String> {
        match self {
            Self::Result(number) => results.get(*number).copied().ok_or_else(|| "a result is missing".to_owned()),
            Self::Fixed(text) => Ok(text),
        }
    }
}

impl FoldPlan {
    /// Fails if a result is missing, or if the result of a message with branches lacks a placeholder.
    pub(super) fn fold(&self, results: &[&str]) -> Result<UnitText, String> {
        match self {
            Self::Text(leaf) => Ok(UnitText::Single(leaf.resolve(results)?.to_owned())),
            Self::Joined(leaves) => {
                let parts = leaves.iter().map(|leaf| leaf.resolve(results));
                Ok(UnitText::Single(parts.collect::<Result<String, _>>()?))
            }
            Self::Forms(kind, forms) => {
                let form = |(form, leaf): &(PluralForm, LeafText)| {
                    Ok(PluralText { form: *form, text: leaf.resolve(results)?.to_owned() })
                };
                Ok(UnitText::Plural(*kind, forms.iter().map(form).collect::<Result<_, String>>()?))
            }
            Self::Tree { syntax, tree, leaves, outside } => {
                let writer = TreeWriter { leaves, results };
                let mut out = outside[0].clone();
                match syntax {
                    TreeSyntax::Icu { quoting, doubles_apostrophes } => {
                        writer.write_icu(tree, (*quoting, *doubles_apostrophes), false, &mut out)?;
                    }
                    TreeSyntax::Fluent => out.push_str(&writer.fluent(tree)?.to_string()),
                }
                out.push_str(&outside[1]);
                Ok(UnitText::Single(out))
            }
        }
    }
}

struct TreeWriter<'a> {
    leaves: &'a [(LeafText, LeafShape)],
    results: &'a [&'a str],
}

impl<'a> TreeWriter<'a> {
    fn write_icu(
        &self,
        tree: &BranchTree,
        quoting: (IcuQuoting, bool),
        is_branch: bool,
        out: &mut String,
    ) -> Result<(), String> {
        match tree {
            BranchTree::Leaf(number) => {
                let (pieces, shape) = self.leaf(*number)?;
                let mut writer = QuoteWriter::new(quoting.0, quoting.1, shape.in_plural);
                for piece in pieces {
                    match piece {
                        LeafPiece::Literal(text) => writer.push_literal(text),
                        LeafPiece::Syntax(placeholder) => writer.push_syntax(placeholder),
                    }
                }
                out.push_str(&writer.finish(is_branch));
            }
            BranchTree::Choice { layout, branches } => {
                out.push_str(&layout.head);
                for (at, (key, _, content)) in branches.iter().enumerate() {
                    let gap = if at == 0 { "" } else { &layout.gap };
                    out.extend([gap, key, &layout.before_brace, "{"]);
                    self.write_icu(content, quoting, true, out)?;
                    out.push('}');
                }
                out.extend([layout.tail.as_str(), "}"]);
            }
        }
        Ok(())
    }

    fn fluent(&self, tree: &BranchTree) -> Result<FluentPattern, String> {
        match tree {
            BranchTree::Leaf(number) => {
                let part = |piece| match piece {
                    LeafPiece::Literal(text) => FluentPart::Text(text.to_owned()),
                    LeafPiece::Syntax(placeholder) => FluentPart::Placeable(placeholder.to_owned()),
                };
                let pieces = self.leaf(*number)?.0.into_iter();
                let pieces = pieces.filter(|piece| !matches!(piece, LeafPiece::Literal("")));
                Ok(FluentPattern(pieces.map(part).collect()))
            }
            BranchTree::Choice { layout, branches } => {
                let variant = |(key, is_default, content): &(String, bool, BranchTree)| {
                    let pattern = self.fluent(content)?;
                    Ok(FluentVariant { key: key.clone(), is_default: *is_default, pattern })
                };
                let variants = branches.iter().map(variant).collect::<Result<_, String>>()?;
                let (selector, layout) = (layout.head.clone(), layout.select.as_deref().cloned().unwrap_or_default());
                Ok(FluentPattern(vec![FluentPart::Select { selector, variants, layout }]))
            }
        }
    }

    fn leaf(&self, number: usize) -> Result<(Vec<LeafPiece<'a>>, &'a LeafShape), String> {
        let (leaf, shape) = self.leaves.get(number).ok_or("a sentence is missing")?;
        Ok((leaf_pieces(leaf.resolve(self.results)?, shape)?, shape))
    }
}

enum LeafPiece<'a> {
    Literal(&'a str),
    Syntax(&'a str),
}

/// Splits a result at its placeholders. Fails if it has one of them less often than the sentence.
fn leaf_pieces<'a>(result: &'a str, shape: &'a LeafShape) -> Result<Vec<LeafPiece<'a>>, String> {
    let mut wanted: std::collections::BTreeMap<&str, (usize, Option<&str>)> = std::collections::BTreeMap::new();
    for (placeholder, literal) in &shape.pieces {
        wanted.entry(placeholder).or_insert((0, literal.as_deref())).0 += 1;
    }
    let mut pieces = Vec::new();
    let mut done = 0;
    for (range, placeholder) in PlaceholderMatcher::new(wanted.keys().copied()).find_all(result) {
        let Some((left, literal)) = wanted.get_mut(placeholder) else { continue };
        if *left == 0 {
            continue;
        }
        *left -= 1;
        pieces.push(LeafPiece::Literal(result.get(done..range.start).unwrap_or_default()));
        pieces.push(literal.map_or(LeafPiece::Syntax(placeholder), LeafPiece::Literal));
        done = range.end;
    }
    pieces.push(LeafPiece::Literal(result.get(done..).unwrap_or_default()));
    match wanted.iter().find(|(_, (left, _))| *left > 0) {
        Some((placeholder, _)) => Err(format!("the placeholder {placeholder} is missing in the translation")),
        None => Ok(pieces),
    }
}

impl FoldPlan {
    /// Returns the form of each sentence: a category, `=` and a number, or the index of a PO file; `None` for a unit
    /// without forms. Keys of nested branches are joined with dots, and several forms of one sentence with commas.
    pub(super) fn form_names(&self, sentences: usize) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = vec![None; sentences];
        let mut add = |leaf: &LeafText, name: &str| {
            let LeafText::Result(number) = leaf else { return };
            match names.get_mut(*number) {
                Some(Some(known)) => known.extend([",", name]),
                Some(position) => *position = Some(name.to_owned()),
                None => {}
            }
        };
        match self {
            Self::Text(_) | Self::Joined(_) => {}
            Self::Forms(_, forms) => forms.iter().for_each(|(form, leaf)| add(leaf, &form_name(*form))),
            Self::Tree { tree, leaves, .. } => {
                add_branches(tree, &mut Vec::new(), &mut |number, path| {
                    if let Some((leaf, _)) = leaves.get(number).filter(|_| !path.is_empty()) {
                        add(leaf, &path.join("."));
                    }
                });
            }
        }
        names
    }
}

fn form_name(form: PluralForm) -> String {
    match form {
        PluralForm::Exact(number) => format!("={number}"),
        PluralForm::Category(category) => category.name().to_owned(),
        PluralForm::Index(index) => index.to_string(),
    }
}

/// Calls `add` with each leaf and the keys of its enclosing branches.
fn add_branches<'a>(tree: &'a BranchTree, path: &mut Vec<&'a str>, add: &mut impl FnMut(usize, &[&str])) {
    match tree {
        BranchTree::Leaf(number) => add(*number, path),
        BranchTree::Choice { branches, .. } => {
            for (key, _, content) in branches {
                path.push(key);
                add_branches(content, path, add);
                path.pop();
            }
        }
    }
}
