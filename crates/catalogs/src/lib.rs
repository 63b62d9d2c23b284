//! Message catalogues, which hold the texts of a program. Each format has its own module.
//!
//! Input: the text of a catalogue. Output: its [`Unit`]s, or [`Edit`]s that set, insert or remove units. Each change
//! replaces a byte range or inserts one next to a sibling, so all other bytes stay as they are.
//!
//! To add a format: implement [`CatalogFormat`] in a file here, or [`LeafFormat`] for a tree of keys whose values
//! follow a [`Dialect`], add a line to [`CATALOG_FORMATS`], and call `invariants::check_all` in its tests.
//!
//! | file | what it does |
//! |---|---|
//! | `catalog` | what a catalogue contains: units with keys, texts and notes; changes of units |
//! | `edit`, `encoding` | edits of bytes and lines; UTF-16, ISO-8859-1 and byte-order marks |
//! | `exchange` | files for translators |
//! | `tree`, `dialect`, `new_level` | trees of keys: plural forms, notes and references in them |
//! | `placeholders`, `inline` | the parts of texts that are not translated, and how they are protected when sent |
//! | `plural`, `icu`, `message` | plural rules, ICU messages; sentences to send for a unit, and their results |
//! | `xml` | XML nodes with their byte ranges |

mod android;
mod arb;
mod catalog;
mod dialect;
mod edit;
mod encoding;
pub mod exchange;
mod ftl;
mod icu;
pub mod inline;
#[cfg(test)]
mod invariants;
mod json;
mod message;
mod new_level;
mod php;
mod placeholders;
mod plural;
mod po;
mod properties;
mod resx;
mod strings;
mod stringsdict;
mod toml;
mod tree;
#[cfg(test)]
mod untrusted_input_tests;
mod xcstrings;
mod xliff;
mod xml;
mod yaml;

use std::fmt;
use std::sync::Arc;

pub use self::catalog::{
    Catalog, CatalogChanges, CatalogLanguage, Change, DuplicateKey, PluralText, SkipReason, Unit, UnitKey, UnitKeyPart,
    UnitText,
};
pub use self::dialect::Dialect;
pub use self::edit::{Edit, apply_edits};
pub use self::encoding::{CatalogFile, TextEncoding};
pub use self::message::{
    Expansion, MessageRules, SampleNumber, Sentence, TextSyntax, check_target, expand, missing_forms, plural_forms,
};
pub use self::placeholders::Syntax;
pub use self::plural::{PluralCategory, PluralForm, PluralKind, TargetForms, gettext_forms};
pub use self::tree::{Leaf, LeafChange, LeafFormat, LeafTree, SourcePlurals, TreeFormat};
pub use self::yaml::{YamlValue, yaml_values, yaml_with_text};

/// A format of message catalogues. All functions are pure, and expect text without a byte-order mark.
pub trait CatalogFormat: fmt::Debug + Send + Sync {
    /// Reads the units, in the order of the file.
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError>;

    /// Returns the edits for `changes`, to be applied with [`apply_edits`]. [`Unit::id`]s are those that `read` returns
    /// for the same text and options.
    fn edits(&self, text: &str, options: &ReadOptions, changes: &CatalogChanges<'_>)
    -> Result<Vec<Edit>, CatalogError>;

    /// Returns whether the first of several units with the same key wins; by default it is the last.
    fn first_duplicate_wins(&self) -> bool {
        false
    }
}

/// How a catalogue is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// How the values of the file are interpreted. With `None`, it is detected in trees of keys; other formats then have no dialect.
    pub dialect: Option<Dialect>,
    /// The language (BCP 47) whose translations are read and written, for files with several languages.
    pub target_lang: Option<String>,
    /// The keys that are plurals in the source of this translation, if known.
    pub source_plurals: Option<Arc<SourcePlurals>>,
    /// The encoding of the file; detected if `None`.
    pub encoding: Option<TextEncoding>,
    /// Whether invalid lines of `.strings` files are [skipped](Catalog::broken).
    pub skips_broken: bool,
}

/// Why a catalogue cannot be read or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogError {
    /// Byte offset in the text.
    pub at: usize,
    /// The problem.
    pub what: String,
    /// How to fix it.
    pub hint: Option<String>,
}

impl CatalogError {
    /// Creates an error at a byte offset of the text.
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into(), hint: None }
    }

    /// Adds a hint on how to fix the problem.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// The formats, in the order of the help.
pub const CATALOG_FORMATS: &[CatalogKind] = &[
    json::KIND,
    arb::KIND,
    yaml::KIND,
    toml::KIND,
    po::KIND,
    properties::KIND,
    android::KIND,
    strings::KIND,
    stringsdict::KIND,
    xcstrings::KIND,
    xliff::KIND,
    resx::KIND,
    php::KIND,
    ftl::KIND,
];

/// The formats with a configurable dialect. The dialect is detected, except for resx and php, which have a single
/// syntax unless a dialect is set.
pub const DIALECT_FORMATS: [&str; 6] = ["json", "yaml", "toml", "properties", "resx", "php"];

/// A catalogue format with its names.
#[derive(Clone, Copy, Debug)]
pub struct CatalogKind {
    /// The name in `--as` and in `tulk.toml`.
    pub name: &'static str,
    /// The description in the help.
    pub help: &'static str,
    /// The file extensions, without the dot.
    pub extensions: &'static [&'static str],
    /// The format.
    pub format: &'static dyn CatalogFormat,
    /// The placeholder syntax, unless the dialect or the unit has another one.
    pub syntax: Option<Syntax>,
    /// Whether a file contains both source and target texts.
    pub is_bilingual: bool,
}
