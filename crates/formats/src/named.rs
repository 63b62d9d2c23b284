//! Formats that `--as` names: text formats and message catalogues.

use tulk_catalogs::{CATALOG_FORMATS, CatalogKind, Dialect};

use super::catalog::CatalogText;
use super::{FILE_FORMATS, FileFormat, InputFormat};

/// Options for all formats. Each format uses those that apply to it.
#[derive(Clone, Debug, Default)]
pub struct FileFormatOptions {
    /// `--front-matter`: keys of the front matter whose values are translated.
    pub front_matter: Vec<String>,
    /// `--dialect`: the convention of the values in a message catalogue.
    pub dialect: Option<String>,
    /// Source language (BCP 47), if it is known.
    pub source_lang: Option<String>,
    /// Target languages (BCP 47).
    pub targets: Vec<String>,
}

/// Names of [`Dialect::ALL`].
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
    /// Lists all formats, in the order of the help.
    pub fn all() -> impl Iterator<Item = Self> {
        FILE_FORMATS.iter().map(Self::File).chain(CATALOG_FORMATS.iter().map(Self::Catalog))
    }

    /// Returns the format with a name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name() == name)
    }

    /// Returns the format of a lowercase file extension.
    pub fn by_extension(extension: &str) -> Option<Self> {
        Self::all().find(|format| format.extensions().contains(&extension))
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::File(format) => format.name,
            Self::Catalog(kind) => kind.name,
        }
    }

    /// Returns the description for the help.
    pub fn help(self) -> &'static str {
        match self {
            Self::File(format) => format.help,
            Self::Catalog(kind) => kind.help,
        }
    }

    /// Returns the lowercase file extensions.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::File(format) => format.extensions,
            Self::Catalog(kind) => kind.extensions,
        }
    }

    /// Returns what the writer preserves, such as `its timings`.
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
