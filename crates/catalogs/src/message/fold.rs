//! The text for the target file, from the results of its sentences; and the names of its plural forms and branches, as listings of
//! results show them.

use super::TreeSyntax;
use super::branches::{BranchTree, OutsideBlanks};
use super::fluent::{FluentPart, FluentPattern, FluentVariant};
use super::leaf::LeafShape;
use super::marks::PlaceholderSpellings;
use crate::catalog::{PluralText, UnitText};
use crate::icu::{IcuQuoting, QuoteWriter};
use crate::plural::{PluralForm, PluralKind};

/// How results become the text of a unit.
#[derive(Clone, Debug)]
pub(super) enum FoldPlan {
    /// One text.
    Text(LeafText),
    /// A text in parts, some of which stay as they are.
    Joined(Vec<LeafText>),
    /// A text for each form of a plural.
    Forms(PluralKind, Vec<(PluralForm, LeafText)>),
    /// A message with branches, or with quoting.
    Tree {
        /// How it is written.
        syntax: TreeSyntax,
        /// Its branches.
        tree: BranchTree,
        /// Its leaves.
        leaves: Vec<(LeafText, LeafShape)>,
        /// Blanks around it.
        outside: OutsideBlanks,
    },
}

/// Where a text comes from.
#[derive(Clone, Debug)]
pub(super) enum LeafText {
    /// The result of a sentence, by its number.
    Result(usize),
    /// There is nothing to translate.
    Same(String),
}

impl LeafText {
    fn get<'a>(&'a self, results: &[&'a str]) -> Result<&'a str, String> {
        match self {
            Self::Result(number) => results.get(*number).copied().ok_or_else(|| "a result is missing".to_owned()),
            Self::Same(text) => Ok(text),
        }
    }
}

impl FoldPlan {
    /// Returns the text of the unit.
    ///
    /// Fails if a placeholder is not in a result.
    pub(super) fn fold(&self, results: &[&str]) -> Result<UnitText, String> {
        match self {
            Self::Text(leaf) => Ok(UnitText::Single(leaf.get(results)?.to_owned())),
            Self::Joined(leaves) => {
                let parts = leaves.iter().map(|leaf| leaf.get(results));
                Ok(UnitText::Single(parts.collect::<Result<String, _>>()?))
            }
            Self::Forms(kind, forms) => {
                let form = |(form, leaf): &(PluralForm, LeafText)| {
                    Ok(PluralText { form: *form, text: leaf.get(results)?.to_owned() })
                };
                Ok(UnitText::Plural(*kind, forms.iter().map(form).collect::<Result<_, String>>()?))
            }
            Self::Tree { syntax, tree, leaves, outside } => {
                let writer = TreeWriter { leaves, results };
                let mut out = outside[0].clone();
                match syntax {
                    TreeSyntax::Icu { quoting, doubles } => {
                        writer.write_icu(tree, (*quoting, *doubles), false, &mut out)?;
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
                        LeafPiece::Syntax(spelling) => writer.push_syntax(spelling),
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
                    LeafPiece::Syntax(spelling) => FluentPart::Placeable(spelling.to_owned()),
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

    /// Returns the parts of the result of a leaf.
    fn leaf(&self, number: usize) -> Result<(Vec<LeafPiece<'a>>, &'a LeafShape), String> {
        let (leaf, shape) = self.leaves.get(number).ok_or("a sentence is missing")?;
        Ok((leaf_pieces(leaf.get(self.results)?, shape)?, shape))
    }
}

/// A part of a result.
enum LeafPiece<'a> {
    /// Text.
    Literal(&'a str),
    /// A placeholder.
    Syntax(&'a str),
}

/// Returns the parts of a result. Fails unless each placeholder is in it as often as in the sentence.
fn leaf_pieces<'a>(result: &'a str, shape: &'a LeafShape) -> Result<Vec<LeafPiece<'a>>, String> {
    let mut wanted: std::collections::BTreeMap<&str, (usize, Option<&str>)> = std::collections::BTreeMap::new();
    for (spelling, literal) in &shape.pieces {
        wanted.entry(spelling).or_insert((0, literal.as_deref())).0 += 1;
    }
    let mut pieces = Vec::new();
    let mut done = 0;
    for (range, spelling) in PlaceholderSpellings::new(wanted.keys().copied()).places(result) {
        let Some((left, literal)) = wanted.get_mut(spelling) else { continue };
        if *left == 0 {
            continue;
        }
        *left -= 1;
        pieces.push(LeafPiece::Literal(result.get(done..range.start).unwrap_or_default()));
        pieces.push(literal.map_or(LeafPiece::Syntax(spelling), LeafPiece::Literal));
        done = range.end;
    }
    pieces.push(LeafPiece::Literal(result.get(done..).unwrap_or_default()));
    match wanted.iter().find(|(_, (left, _))| *left > 0) {
        Some((spelling, _)) => Err(format!("the placeholder {spelling} is missing in the translation")),
        None => Ok(pieces),
    }
}

impl FoldPlan {
    /// Returns for each of `sentences` its form: the category, the number after `=`, or the index of a PO file. A branch within others
    /// has all keys with dots between them. A sentence that is for several forms has all of them, with commas.
    ///
    /// `None` for a unit without forms.
    pub(super) fn form_names(&self, sentences: usize) -> Vec<Option<String>> {
        let mut names: Vec<Option<String>> = vec![None; sentences];
        let mut add = |leaf: &LeafText, name: &str| {
            let LeafText::Result(number) = leaf else { return };
            match names.get_mut(*number) {
                Some(Some(known)) => known.extend([",", name]),
                Some(place) => *place = Some(name.to_owned()),
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

/// Calls `add` with each leaf of a tree and the keys of the branches around it.
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
