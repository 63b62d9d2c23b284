//! The formats that `--as` names: files of texts, and message catalogues.

use tulk_catalogs::{CATALOG_FORMATS, CatalogKind, Dialect};

use super::catalog::CatalogText;
use super::{FILE_FORMATS, FileFormat, InputFormat};

/// The options of file formats. A format uses those that it knows.
#[derive(Clone, Debug, Default)]
pub struct FileFormatOptions {
    /// `--front-matter`: keys of the front matter whose values are translated.
    pub front_matter: Vec<String>,
    /// `--dialect`: what the values of a message catalogue mean.
    pub dialect: Option<String>,
    /// The source language, if it is known, in BCP 47.
    pub source_lang: Option<String>,
    /// The target languages, in BCP 47.
    pub targets: Vec<String>,
}

/// The names of dialects.
pub const DIALECTS: [&str; Dialect::ALL.len()] = {
    let mut names = [""; Dialect::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Dialect::ALL[at].1;
        at += 1;
    }
    names
};

/// A format that `--as` names.
#[derive(Clone, Copy, Debug)]
pub enum NamedFormat {
    /// Subtitles or Markdown.
    File(&'static FileFormat),
    /// A message catalogue.
    Catalog(&'static CatalogKind),
}

impl NamedFormat {
    /// Returns all formats, in the order of the help.
    pub fn all() -> impl Iterator<Item = Self> {
        FILE_FORMATS.iter().map(Self::File).chain(CATALOG_FORMATS.iter().map(Self::Catalog))
    }

    /// Returns the format with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// Returns the format whose files have this ending, in lower case.
    pub fn with_ending(ending: &str) -> Option<Self> {
        Self::all().find(|format| format.endings().contains(&ending))
    }

    /// Returns its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::File(format) => format.name,
            Self::Catalog(kind) => kind.name,
        }
    }

    /// Returns what it is, for the help.
    pub fn help(self) -> &'static str {
        match self {
            Self::File(format) => format.help,
            Self::Catalog(kind) => kind.help,
        }
    }

    /// Returns the endings of its files.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::File(format) => format.endings,
            Self::Catalog(kind) => kind.endings,
        }
    }

    /// Returns what is kept of such a file, such as `its timings`.
    pub fn keeps(self) -> &'static str {
        match self {
            Self::File(format) => format.keeps,
            Self::Catalog(_) => "its keys and placeholders",
        }
    }

    /// Creates the format.
    pub fn create(self, options: &FileFormatOptions) -> InputFormat {
        match self {
            Self::File(format) => (format.new)(options),
            Self::Catalog(kind) => {
                let named = |name: &String| Dialect::ALL.into_iter().find(|(_, other)| other == name);
                InputFormat::new(CatalogText {
                    kind,
                    dialect: options.dialect.as_ref().and_then(named).map(|(dialect, _)| dialect),
                    source_lang: options.source_lang.clone(),
                    targets: options.targets.clone(),
                })
            }
        }
    }
}
