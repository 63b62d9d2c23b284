//! Message catalogues: the texts of a program, one file per format.
//!
//! Input: the text of a catalogue. Output: its [`Unit`]s, or [`Edit`]s that set, insert or remove units. A file is never rewritten
//! as a whole: each change replaces a range of bytes or inserts some beside a sibling, so that everything else keeps its bytes.
//!
//! To add a format: a file here with a [`CatalogFormat`], or a [`LeafFormat`] if it is a tree of keys whose values mean what a
//! [`Dialect`] says, and a line in [`CATALOG_FORMATS`]. Its tests call `laws`.
//!
//! | file | what it does |
//! |---|---|
//! | `catalog` | what is read: units, their keys, texts, notes; and what is changed in them |
//! | `edit`, `encoding` | what is written: edits of bytes and lines, UTF-16 and byte-order marks |
//! | `exchange` | files for translators |
//! | `tree`, `dialect`, `new_level` | trees of keys: which of them are plural forms, notes or references |
//! | `placeholders` | the parts of texts that are not translated |
//! | `plural`, `icu`, `message` | plural rules, ICU messages; a unit as sentences that are sent, and back |
//! | `xliff` | XLIFF |
//! | `xml` | XML with the places of its parts |

mod android;
mod arb;
mod catalog;
mod dialect;
mod edit;
mod encoding;
pub mod exchange;
mod ftl;
#[cfg(test)]
mod hostile_tests;
mod icu;
pub mod inline;
mod json;
#[cfg(test)]
mod laws;
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
    Expansion, MessageRules, SampleNumber, Sentence, TextMarks, check_target, expand, missing_forms, plural_forms,
};
pub use self::placeholders::Syntax;
pub use self::plural::{PluralCategory, PluralForm, PluralKind, TargetForms, gettext_forms};
pub use self::tree::{Leaf, LeafChange, LeafFormat, LeafTree, SourcePlurals, TreeFormat};
pub use self::yaml::{YamlValue, yaml_values, yaml_with_text};

/// A format of message catalogues. All functions are pure, and work on text without a byte-order mark.
pub trait CatalogFormat: fmt::Debug + Send + Sync {
    /// Reads the units, in the order of the file.
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError>;

    /// Returns the edits that carry out changes, for [`apply_edits`]. Units are named by [`Unit::id`], as `read` returns them for the
    /// same text and options.
    fn edits(&self, text: &str, options: &ReadOptions, changes: &CatalogChanges<'_>)
    -> Result<Vec<Edit>, CatalogError>;

    /// Returns whether the first of several units with one key counts; else it is the last.
    fn first_counts(&self) -> bool {
        false
    }
}

/// How a catalogue is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// What the values of the file mean; detected if `None`. Only trees of keys have dialects.
    pub dialect: Option<Dialect>,
    /// The language whose translations are read and written, in files that hold several (BCP 47).
    pub target_lang: Option<String>,
    /// Which keys are plurals in the source that this file is a translation of, if it is known.
    pub source_plurals: Option<Arc<SourcePlurals>>,
    /// How the bytes of the file are decoded; detected if `None`.
    pub encoding: Option<TextEncoding>,
    /// Whether lines of `.strings` files that are not valid are [skipped](Catalog::broken).
    pub skips_broken: bool,
}

/// Why a catalogue cannot be read or changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogError {
    /// Byte offset in the text.
    pub at: usize,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl CatalogError {
    /// An error at a byte of the text.
    pub fn new(at: usize, what: impl Into<String>) -> Self {
        Self { at, what: what.into(), hint: None }
    }

    /// Adds what to do about it.
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

/// The formats that a dialect can be set for. It is detected, except in resx and php, which have one syntax unless it is set.
pub const DIALECT_FORMATS: [&str; 6] = ["json", "yaml", "toml", "properties", "resx", "php"];

/// A catalogue format with its names.
#[derive(Clone, Copy, Debug)]
pub struct CatalogKind {
    /// Its name in `--as` and in `tulk.toml`.
    pub name: &'static str,
    /// What it is, for the help.
    pub help: &'static str,
    /// The endings of its files, without the dot.
    pub endings: &'static [&'static str],
    /// The format.
    pub format: &'static dyn CatalogFormat,
    /// How its texts mark placeholders, unless the dialect or the unit has another syntax.
    pub syntax: Option<Syntax>,
    /// Whether a file holds source and target texts.
    pub is_bilingual: bool,
}
