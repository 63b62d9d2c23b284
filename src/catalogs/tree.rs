//! Trees of keys, such as JSON and YAML: their texts become units by the rules of a dialect.
//!
//! Input: the leaves of a tree, and changes of units. Output: units, and changes of leaves.

use std::fmt;

use super::catalog::{Catalog, DuplicateKey};
use super::change::{CatalogChanges, CatalogLanguage};
use super::edit::Edit;
use super::unit_key::UnitKey;
use super::{CatalogError, CatalogFormat, ReadOptions};

/// A format that is a tree of keys, or a list of them, whose values are texts.
pub trait LeafFormat: fmt::Debug + Send + Sync {
    /// Reads the leaves, in the order of the file.
    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError>;

    /// Returns the edits that carry out changes. Leaves are named by their position in [`LeafTree::leaves`].
    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError>;
}

/// The leaves of a file.
#[derive(Clone, Debug, Default)]
pub struct LeafTree {
    /// The leaves, in the order of the file. Of a key that occurs more than once, only the one that counts.
    pub leaves: Vec<Leaf>,
    /// The other occurrences.
    pub duplicates: Vec<DuplicateKey>,
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
    /// Renames the only key at the root (Rails).
    RenameRoot {
        /// The new name.
        name: &'a str,
    },
    /// Copies nothing of the source but texts: the file becomes a new target, from which leaves without a text stay. `language` is
    /// set where the format says its language (`@@locale`).
    NewTarget {
        /// The language.
        language: &'a CatalogLanguage,
    },
}

/// A [`LeafFormat`] as a format of catalogues.
#[derive(Debug)]
pub struct TreeFormat<T>(pub T);

impl<T: LeafFormat> CatalogFormat for TreeFormat<T> {
    fn read(&self, text: &str, _options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let _ = self.0.leaves(text)?;
        Ok(Catalog::default())
    }

    fn edits(&self, text: &str, _: &ReadOptions, _: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        self.0.leaf_edits(text, &[])
    }
}
