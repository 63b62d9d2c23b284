//! The text for the target file, from the results of its sentences.

use super::TreeSyntax;
use super::branches::{BranchTree, OutsideBlanks};
use super::fluent_tree::{FluentChoiceWriter, fluent_literal};
use super::leaf::LeafShape;
use super::spellings::PlaceholderSpellings;
use crate::catalogs::catalog::{PluralText, UnitText};
use crate::catalogs::icu::QuoteWriter;
use crate::catalogs::plural::{PluralForm, PluralKind};

/// How results become the text of a unit.
#[derive(Clone, Debug)]
pub(super) enum FoldPlan {
    /// One text.
    Text(LeafText),
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
            Self::Forms(kind, forms) => {
                let form = |(form, leaf): &(PluralForm, LeafText)| {
                    Ok(PluralText { form: *form, text: leaf.get(results)?.to_owned() })
                };
                Ok(UnitText::Plural(*kind, forms.iter().map(form).collect::<Result<_, String>>()?))
            }
            Self::Tree { syntax, tree, leaves, outside } => {
                let writer = TreeWriter { syntax: *syntax, leaves, results };
                let mut out = outside[0].clone();
                writer.write(tree, 0, &mut out)?;
                out.push_str(&outside[1]);
                Ok(UnitText::Single(out))
            }
        }
    }
}

struct TreeWriter<'a> {
    syntax: TreeSyntax,
    leaves: &'a [(LeafText, LeafShape)],
    results: &'a [&'a str],
}

impl TreeWriter<'_> {
    fn write(&self, tree: &BranchTree, depth: usize, out: &mut String) -> Result<(), String> {
        let (layout, branches) = match tree {
            BranchTree::Leaf(number) => return self.write_leaf(*number, depth, out),
            BranchTree::Choice { layout, branches } => (layout, branches),
        };
        if self.syntax == TreeSyntax::Fluent {
            let writer = FluentChoiceWriter::new(depth);
            out.push_str(&layout.head);
            for (key, is_default, content) in branches {
                writer.start_variant(key, *is_default, out);
                self.write(content, depth + 1, out)?;
            }
            writer.end(out);
            return Ok(());
        }
        out.push_str(&layout.head);
        for (at, (key, _, content)) in branches.iter().enumerate() {
            let gap = if at == 0 { "" } else { &layout.gap };
            out.extend([gap, key, &layout.before_brace, "{"]);
            self.write(content, depth + 1, out)?;
            out.push('}');
        }
        out.extend([layout.tail.as_str(), "}"]);
        Ok(())
    }

    fn write_leaf(&self, number: usize, depth: usize, out: &mut String) -> Result<(), String> {
        let (leaf, shape) = self.leaves.get(number).ok_or("a sentence is missing")?;
        let pieces = leaf_pieces(leaf.get(self.results)?, shape)?;
        match self.syntax {
            TreeSyntax::Icu { quoting, doubles } => {
                let mut writer = QuoteWriter::new(quoting, doubles, shape.in_plural);
                for piece in pieces {
                    match piece {
                        LeafPiece::Literal(text) => writer.push_literal(text),
                        LeafPiece::Syntax(spelling) => writer.push_syntax(spelling),
                    }
                }
                out.push_str(&writer.finish(depth > 0));
            }
            TreeSyntax::Fluent => {
                for piece in pieces {
                    match piece {
                        LeafPiece::Literal(text) => fluent_literal(text, depth, out),
                        LeafPiece::Syntax(spelling) => out.push_str(spelling),
                    }
                }
            }
        }
        Ok(())
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
