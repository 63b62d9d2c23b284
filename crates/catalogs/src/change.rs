//! What is changed in a catalogue.

use super::catalog::{Unit, UnitText};

/// The changes of a catalogue.
#[derive(Clone, Debug, Default)]
pub struct CatalogChanges<'a> {
    /// The changes of units, in any order, at most one for each unit.
    pub units: Vec<Change<'a>>,
    /// The language that the file is in from now on: its header or root key is set. `None` leaves it.
    pub language: Option<&'a CatalogLanguage>,
    /// Whether the text is a copy of the source that becomes a target: what belongs to the source alone is left out, such as other
    /// resources of Android and the metadata of ARB.
    pub is_new_target: bool,
}

/// A change of a unit.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// Sets the text of a unit; the translation in files that hold both, which is then confirmed.
    Set {
        /// [`Unit::id`].
        unit: usize,
        /// The new text. If it is a plural, these are all its forms: others are removed.
        text: &'a UnitText,
        /// The markup of the new text; see [`Unit::markup`].
        markup: &'a [String],
    },
    /// Inserts a unit that another file has.
    Insert {
        /// The unit of the other file: its key, note and markup.
        like: &'a Unit,
        /// Its text here.
        text: &'a UnitText,
        /// The unit of this file that is the nearest before it in the other file ([`Unit::id`]).
        after: Option<usize>,
        /// The unit of this file that is the nearest after it in the other file.
        before: Option<usize>,
    },
    /// Removes a unit with everything that belongs to it alone, such as its comment.
    Remove {
        /// [`Unit::id`].
        unit: usize,
    },
}

/// The language of a target file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogLanguage {
    /// BCP 47, such as `pt-BR`.
    pub tag: String,
    /// The language as it is written in paths of the project, which root keys follow.
    pub path: String,
}
