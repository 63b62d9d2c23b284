//! Trees of keys, such as JSON and YAML, whose texts become units by the rules of a dialect.
//!
//! Input: the leaves of a tree, and changes of units. Output: units, and changes of leaves. A plural is one unit with
//! several leaves: keys with a suffix (`x_one`), or a mapping of categories.

mod changes;
mod deferred;
mod groups;
mod numbered;
mod source_plurals;
#[cfg(test)]
mod tests;
mod units;

use std::collections::BTreeMap;
use std::fmt;

use self::changes::leaf_changes;
use self::deferred::insert_deferred;
use self::groups::has_plural_mapping;
pub(crate) use self::numbered::NumberedForms;
pub use self::source_plurals::SourcePlurals;
use self::units::TreeUnits;
use super::catalog::{Catalog, CatalogChanges, DuplicateKey, SkipReason, UnitKey, UnitKeyPart};
use super::dialect::{Dialect, KeyEvidence, detect, language_root, second_language, yaml_language_root};
use super::edit::Edit;
use super::{CatalogError, CatalogFormat, ReadOptions};

/// A format of nested or flat keys whose values are texts.
pub trait LeafFormat: fmt::Debug + Send + Sync {
    /// Reads the leaves, in the order of the file.
    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError>;

    /// Returns the edits for `changes`. Leaves are identified by their position in [`LeafTree::leaves`].
    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError>;

    /// Returns the dialects of this format. If `Spring` is one of them, `{0}` in a text indicates it.
    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::I18next, Dialect::Icu, Dialect::Vue, Dialect::GoI18n, Dialect::Rails]
    }

    /// Returns whether a language as the only root key always means Rails, regardless of the texts.
    fn language_root_is_rails(&self) -> bool {
        false
    }
}

/// The leaves of a file.
#[derive(Clone, Debug, Default)]
pub struct LeafTree {
    /// The leaves, in the order of the file. If a key occurs more than once, only its effective occurrence is included.
    pub leaves: Vec<Leaf>,
    /// The overridden occurrences.
    pub duplicates: Vec<DuplicateKey>,
    /// The number of values that are not texts, such as numbers, by the reason why they are not translated.
    pub other_values: BTreeMap<SkipReason, u64>,
}

impl LeafTree {
    /// Counts a value that is not a text.
    pub fn count_other_value(&mut self, reason: SkipReason) {
        *self.other_values.entry(reason).or_default() += 1;
    }
}

/// A value at the end of a path of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The path of keys.
    pub key: UnitKey,
    /// The decoded text; `None` for numbers, booleans, dates and null, which are copied.
    pub text: Option<String>,
    /// The comment that belongs to it, in formats whose comments are notes.
    pub note: Option<String>,
    /// Byte offset of the value.
    pub at: usize,
}

/// A change of a leaf.
#[derive(Clone, Debug)]
pub enum LeafChange<'a> {
    /// Sets the text of a leaf. Its quotes stay if they can hold the text.
    Set {
        /// Position in [`LeafTree::leaves`].
        leaf: usize,
        /// The new text.
        text: &'a str,
    },
    /// Inserts a leaf and the missing levels above it. Insertions at the same position keep their order.
    Insert {
        /// The path of keys.
        key: UnitKey,
        /// The text.
        text: &'a str,
        /// The nearest preceding leaf, which may have another parent.
        after: Option<usize>,
        /// The nearest following leaf.
        before: Option<usize>,
    },
    /// Removes a leaf, and the levels above it that become empty.
    Remove {
        /// Position in [`LeafTree::leaves`].
        leaf: usize,
    },
    /// Renames the only root key (Rails). The keys of other changes still start with the old name.
    RenameRoot {
        /// The new name.
        name: &'a str,
    },
}

/// Adapts a [`LeafFormat`] to [`CatalogFormat`].
#[derive(Debug)]
pub struct TreeFormat<T>(pub T);

impl<T: LeafFormat> TreeFormat<T> {
    fn units(&self, text: &str, leaves: Vec<Leaf>, options: &ReadOptions) -> Result<TreeUnits, CatalogError> {
        let root = if self.0.language_root_is_rails() {
            yaml_language_root(&leaves, options.dialect == Some(Dialect::Rails))
        } else {
            language_root(&leaves)
        };
        let root = root.map(str::to_owned);
        let dialect = if let Some(dialect) = options.dialect {
            dialect
        } else {
            let structure = KeyEvidence {
                has_language_root: root.is_some(),
                is_root_certain: self.0.language_root_is_rails(),
                has_plural_mapping: has_plural_mapping(&leaves),
            };
            detect(&leaves, self.0.dialects(), structure)?
        };
        if dialect == Dialect::Rails
            && let Some(leaf) = second_language(&leaves)
        {
            return Err(CatalogError::new(root_key_at(text, leaf), "the file has texts in several languages")
                .hint("split it into a file for each language"));
        }
        let root = root.filter(|_| dialect == Dialect::Rails);
        Ok(TreeUnits::new(leaves, dialect, root, options))
    }
}

/// Returns the position of the root key, or of the leaf if the root key does not start a line.
fn root_key_at(text: &str, leaf: &Leaf) -> usize {
    let Some(UnitKeyPart::Name(root)) = leaf.key.0.first() else { return leaf.at };
    let mut end = leaf.at.min(text.len());
    for line in text.get(..end).unwrap_or_default().split_inclusive('\n').rev() {
        end -= line.len();
        let key = line.trim_start_matches([' ', '\t', '"', '\'', '{', ',']);
        let is_it = key.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with([':', '"', '\'', ' ', '.']));
        if is_it {
            return end + line.len() - key.len();
        }
    }
    leaf.at
}

impl<T: LeafFormat> CatalogFormat for TreeFormat<T> {
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let tree = self.0.leaves(text)?;
        let units = self.units(text, tree.leaves, options)?;
        Ok(Catalog {
            language: units.root,
            dialect: Some(units.dialect),
            duplicates: tree.duplicates,
            other_values: tree.other_values,
            units: units.units.into_iter().map(|unit| unit.unit).collect(),
            ..Catalog::default()
        })
    }

    fn edits(
        &self,
        text: &str,
        options: &ReadOptions,
        changes: &CatalogChanges<'_>,
    ) -> Result<Vec<Edit>, CatalogError> {
        let tree = self.0.leaves(text)?;
        let units = self.units(text, tree.leaves.clone(), options)?;
        let plan = leaf_changes(&units, &tree.leaves, changes)?;
        let edits = self.0.leaf_edits(text, &plan.changes)?;
        if plan.deferred.is_empty() {
            return Ok(edits);
        }
        insert_deferred(&self.0, text, edits, &plan.deferred, plan.new_root)
    }
}
