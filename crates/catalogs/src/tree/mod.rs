//! Trees of keys, such as JSON and YAML: their texts become units by the rules of a dialect.
//!
//! Input: the leaves of a tree, and changes of units. Output: units, and changes of leaves. The forms of a plural are several
//! leaves of one unit: keys with a suffix (`x_one`), or a mapping of categories.

mod changes;
mod groups;
mod late;
mod numbered;
mod source_plurals;
#[cfg(test)]
mod tests;
mod units;

use std::collections::BTreeMap;
use std::fmt;

use self::changes::leaf_changes;
use self::groups::has_plural_mapping;
use self::late::insert_late;
pub(crate) use self::numbered::NumberedForms;
pub use self::source_plurals::SourcePlurals;
use self::units::TreeUnits;
use super::catalog::{Catalog, CatalogChanges, DuplicateKey, SkipReason, UnitKey, UnitKeyPart};
use super::dialect::{Dialect, Structure, detect, language_root, second_language, yaml_language_root};
use super::edit::Edit;
use super::{CatalogError, CatalogFormat, ReadOptions};

/// A format that is a tree of keys, or a list of them, whose values are texts.
pub trait LeafFormat: fmt::Debug + Send + Sync {
    /// Reads the leaves, in the order of the file.
    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError>;

    /// Returns the edits that carry out changes. Leaves are named by their position in [`LeafTree::leaves`].
    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError>;

    /// Returns the dialects that files of this format can have. With `Spring` among them, `{0}` in a file says that it is that.
    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::I18next, Dialect::Icu, Dialect::Vue, Dialect::GoI18n, Dialect::Rails]
    }

    /// Returns whether a language as the only key at the root says that a file is one of Rails, whatever its texts are.
    fn language_root_is_rails(&self) -> bool {
        false
    }
}

/// The leaves of a file.
#[derive(Clone, Debug, Default)]
pub struct LeafTree {
    /// The leaves, in the order of the file. Of a key that occurs more than once, only the one that counts.
    pub leaves: Vec<Leaf>,
    /// The other occurrences.
    pub duplicates: Vec<DuplicateKey>,
    /// Values that are no texts, such as numbers: how many, by the reason why they are not translated.
    pub other_values: BTreeMap<SkipReason, u64>,
}

impl LeafTree {
    /// Counts a value that is no text.
    pub fn count(&mut self, reason: SkipReason) {
        *self.other_values.entry(reason).or_default() += 1;
    }
}

/// A value of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its path.
    pub key: UnitKey,
    /// Its text, decoded; `None` for numbers, booleans and null, which are copied.
    pub text: Option<String>,
    /// A comment that belongs to it, if comments of the format are notes.
    pub note: Option<String>,
    /// Byte offset of the value.
    pub at: usize,
}

/// A change of a leaf.
#[derive(Clone, Debug)]
pub enum LeafChange<'a> {
    /// Sets the text of a leaf. Its quotes stay if they can.
    Set {
        /// Position in [`LeafTree::leaves`].
        leaf: usize,
        /// The new text.
        text: &'a str,
    },
    /// Inserts a leaf, and the levels above it that are missing. Insertions are in the order in which they shall stand.
    Insert {
        /// Its path.
        key: UnitKey,
        /// Its text.
        text: &'a str,
        /// The leaf that is the nearest before it, which may have another parent.
        after: Option<usize>,
        /// The leaf that is the nearest after it.
        before: Option<usize>,
    },
    /// Removes a leaf, and the levels above it that would be empty.
    Remove {
        /// Position in [`LeafTree::leaves`].
        leaf: usize,
    },
    /// Renames the only key at the root (Rails). The keys of other changes begin with the old name.
    RenameRoot {
        /// The new name.
        name: &'a str,
    },
}

/// A [`LeafFormat`] as a format of catalogues.
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
            let structure = Structure {
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

/// Returns where the root key of a leaf is, or the leaf if the key is not at the beginning of a line.
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
        if plan.late.is_empty() {
            return Ok(edits);
        }
        insert_late(&self.0, text, edits, &plan.late, plan.new_root)
    }
}
