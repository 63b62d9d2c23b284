//! Reads the catalogue files of a project, with the place of every error.

use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, FileContext as _, Origin};

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
        let bytes = std::fs::read(&path).file_context("read", self.path)?;
        let file = CatalogFile::decode_all(bytes).map_err(|(bytes, error)| self.not_text(&bytes, &error))?;
        self.read_text(file).map(Some)
    }

    /// Reads a catalogue from bytes.
    pub fn parse(&self, bytes: &[u8]) -> Result<LoadedCatalog, Failure> {
        self.read_text(CatalogFile::decode(bytes).map_err(|error| self.not_text(bytes, &error))?)
    }

    fn not_text(&self, bytes: &[u8], error: &CatalogError) -> Failure {
        let before = String::from_utf8_lossy(bytes.get(..error.at).unwrap_or_default()).into_owned();
        catalog_failure(&self.name(), &before, error)
    }

    fn read_text(&self, file: CatalogFile) -> Result<LoadedCatalog, Failure> {
        let name = self.name();
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

    /// Returns the place of a byte of the text.
    pub fn origin(&self, at: usize) -> Origin {
        origin(&self.name, text_before(&self.file.text, at))
    }
}

/// Returns the failure for an error in a text.
pub fn failure_in(name: &str, text: &str, error: &CatalogError) -> Failure {
    catalog_failure(name, text_before(text, error.at), error)
}

fn catalog_failure(name: &str, before: &str, error: &CatalogError) -> Failure {
    Failure::usage(error.what.clone()).at(origin(name, before)).maybe_hint(error.hint.clone())
}

fn text_before(text: &str, at: usize) -> &str {
    let end = (0..=at.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

fn origin(name: &str, before: &str) -> Origin {
    let lines = memchr::memchr_iter(b'\n', before.as_bytes()).count() as u64;
    let line = before.rsplit('\n').next().unwrap_or_default();
    Origin::at(name, lines + 1, line.chars().count() as u64 + 1)
}
