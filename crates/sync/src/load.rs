//! Reads the catalogue files of a project, with the place of every error.

use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _, Origin};
use tulk_base::places::TextPlaces;

use tulk_base::files::read_bounded;
use tulk_base::limits::CATALOG_FILE;
use tulk_catalogs::{Catalog, CatalogError, CatalogFile, CatalogKind, ReadOptions};

/// A catalogue file that was read.
#[derive(Clone, Debug)]
pub struct LoadedCatalog {
    /// Its path in the project, for messages.
    pub name: String,
    /// Its text and encoding.
    pub file: CatalogFile,
    /// Its units.
    pub catalog: Catalog,
}

/// A catalogue file of a project.
#[derive(Clone, Copy, Debug)]
pub struct CatalogPath<'a> {
    /// The real path of the project's folder.
    pub root: &'a Path,
    /// The path below it.
    pub path: &'a Path,
    /// The format.
    pub kind: &'static CatalogKind,
    /// How it is read.
    pub options: &'a ReadOptions,
}

impl CatalogPath<'_> {
    /// Returns the path in messages: below the project's folder, with slashes.
    pub fn name(&self) -> String {
        self.path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// Returns the path of the file.
    pub fn full(&self) -> PathBuf {
        self.root.join(self.path)
    }

    /// Reads the file; `None` if it does not exist. Fails with line and column if it is not a catalogue.
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

    /// Reads a catalogue from bytes.
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
    /// Returns the bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        self.file.encode(&self.file.text)
    }

    /// Returns the warning that the encoding is a guess, if it is.
    pub fn encoding_warning(&self) -> Option<String> {
        let says = "is not UTF-8 and is read as ISO-8859-1; `encoding = \"iso-8859-1\"` in its rule says so";
        self.file.is_assumed_latin1.then(|| format!("{} {says}", self.name))
    }

    /// Returns the places of bytes of the text.
    pub fn places(&self) -> TextPlaces<'_> {
        TextPlaces::new(&self.name, &self.file.text)
    }
}

/// Returns the failure for an error in a text.
pub fn failure_in(name: &str, text: &str, error: &CatalogError) -> Failure {
    let at = Origin::of_byte(name, text, error.at);
    Failure::usage(error.what.clone()).at(at).maybe_hint(error.hint.clone())
}
