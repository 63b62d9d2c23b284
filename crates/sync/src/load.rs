//! Reads catalogue files of a project. Every error names the location.

use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::positions::TextPositions;

use tulk_base::files::read_bounded;
use tulk_base::limits::CATALOG_FILE;
use tulk_catalogs::{Catalog, CatalogError, CatalogFile, CatalogKind, ReadOptions};

/// A parsed catalogue file.
#[derive(Clone, Debug)]
pub struct LoadedCatalog {
    /// Path in messages, relative to the project.
    pub name: String,
    /// Text and encoding.
    pub file: CatalogFile,
    /// The parsed units.
    pub catalog: Catalog,
}

/// Location and format of a catalogue file.
#[derive(Clone, Copy, Debug)]
pub struct CatalogPath<'a> {
    /// Real path of the project root.
    pub root: &'a Path,
    /// Path relative to `root`.
    pub path: &'a Path,
    /// Format.
    pub kind: &'static CatalogKind,
    /// Options for the parser.
    pub options: &'a ReadOptions,
}

impl CatalogPath<'_> {
    /// Returns the path for messages: relative to the project, with slashes.
    pub fn name(&self) -> String {
        self.path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// Returns the path to open.
    pub fn full(&self) -> PathBuf {
        self.root.join(self.path)
    }

    /// Reads and parses the file; `None` if it does not exist. Parse errors name line and column.
    pub fn read(&self) -> Result<Option<LoadedCatalog>, Failure> {
        let path = self.full();
        match path.metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::file("read", self.path, &error)),
            Ok(metadata) if !metadata.is_file() => {
                return Err(Failure::usage(format!("{} is not a regular file", self.name())));
            }
            Ok(_) => {}
        }
        let bytes = read_bounded(&path, CATALOG_FILE).file_context("read", self.path)?;
        self.parse(&bytes).map(Some)
    }

    /// Parses the content of the file.
    pub fn parse(&self, bytes: &[u8]) -> Result<LoadedCatalog, Failure> {
        let name = self.name();
        let file = self.kind.decode(bytes, self.options.encoding).map_err(|error| {
            let before = String::from_utf8_lossy(bytes.get(..error.at).unwrap_or_default());
            failure_in(&name, &before, &CatalogError { at: before.len(), ..error })
        })?;
        let read = self.kind.format.read(&file.text, self.options);
        let catalog = read.map_err(|error| failure_in(&name, &file.text, &error))?;
        Ok(LoadedCatalog { name, file, catalog })
    }
}

impl LoadedCatalog {
    /// Encodes the text in the encoding of the file.
    pub fn bytes(&self) -> Vec<u8> {
        self.file.encode(&self.file.text)
    }

    /// Returns a warning if the encoding was guessed.
    pub fn encoding_warning(&self) -> Option<String> {
        let says = "is not UTF-8 and is read as ISO-8859-1; `encoding = \"iso-8859-1\"` in its rule confirms this";
        self.file.is_assumed_latin1.then(|| format!("{} {says}", self.name))
    }

    /// Returns a converter from byte offsets to lines and columns.
    pub fn positions(&self) -> TextPositions<'_> {
        TextPositions::new(&self.name, &self.file.text)
    }
}

/// Adds line and column to a parse error.
pub fn failure_in(name: &str, text: &str, error: &CatalogError) -> Failure {
    let at = Origin::of_byte(name, text, error.at);
    Failure::usage(error.what.clone()).at(at).maybe_hint(error.hint.clone())
}
