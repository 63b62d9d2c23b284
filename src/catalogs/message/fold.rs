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
    Text(LeafResult),
    /// A form of a plural for each sentence, by its number.
    Forms(PluralKind, Vec<(PluralForm, usize)>),
    /// A message with branches, or with quoting.
    Tree {
        /// How it is written.
        syntax: TreeSyntax,
        /// Its branches.
        tree: BranchTree,
        /// Its leaves.
        leaves: Vec<LeafResult>,
        /// Blanks around it.
        outside: OutsideBlanks,
    },
}

/// A leaf, and the sentence whose result it gets.
#[derive(Clone, Debug)]
pub(super) struct LeafResult {
    sentence: usize,
    shape: LeafShape,
}

impl LeafResult {
    pub(super) fn new(sentence: usize, shape: LeafShape) -> Self {
        Self { sentence, shape }
    }

    /// A result that is used as it is.
    pub(super) fn plain(sentence: usize) -> Self {
        Self::new(sentence, LeafShape::default())
    }
}

impl FoldPlan {
    /// Returns the text of the unit.
    ///
    /// Fails if a placeholder is not in a result.
    pub(super) fn fold(&self, results: &[&str]) -> Result<UnitText, String> {
        let result = |number: usize| results.get(number).copied().ok_or_else(|| "no result".to_owned());
        match self {
            Self::Text(leaf) => Ok(UnitText::Single(result(leaf.sentence)?.to_owned())),
            Self::Forms(kind, forms) => {
                let form = |(form, number): &(PluralForm, usize)| {
                    Ok(PluralText { form: *form, text: result(*number)?.to_owned() })
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
    leaves: &'a [LeafResult],
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
        let leaf = self.leaves.get(number).ok_or("no such sentence")?;
        let result = self.results.get(leaf.sentence).ok_or("no result")?;
        let pieces = leaf_pieces(result, &leaf.shape)?;
        match self.syntax {
            TreeSyntax::Icu { quoting, doubles } => {
                let mut writer = QuoteWriter::new(quoting, doubles, leaf.shape.in_plural);
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
