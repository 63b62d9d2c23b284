//! Reads the sources of a project.

use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_catalogs::{ReadOptions, SourcePlurals};

use super::PlanRequest;
use super::moved::list_of;
use crate::compare::SourceUnits;
use crate::load::{CatalogPath, LoadedCatalog};
use crate::project::ProjectRule;

/// A source that was read.
#[derive(Debug)]
pub struct PlannedSource {
    /// The file.
    pub loaded: LoadedCatalog,
    /// Its units.
    pub units: SourceUnits,
    /// Their positions in the lock.
    pub locked: Vec<Option<u32>>,
    /// Whether there are lists among them.
    pub has_lists: bool,
    /// Which of them are plurals, if that is a matter of reading.
    pub plurals: Option<Arc<SourcePlurals>>,
}

impl PlannedSource {
    /// Returns what is noticeable: a guessed encoding, and duplicate keys, each with its place. In some formats the first one counts.
    pub fn warnings(&self, first_counts: bool) -> impl Iterator<Item = String> {
        let places = self.loaded.places();
        let duplicates = self
            .loaded
            .catalog
            .duplicates
            .iter()
            .map(move |duplicate| format!("{}: {}", places.origin(duplicate.at), duplicate.warning(first_counts)));
        self.loaded.encoding_warning().into_iter().chain(duplicates)
    }
}

/// Reads sources.
pub struct SourceReader<'a> {
    pub request: PlanRequest<'a>,
}

impl SourceReader<'_> {
    /// Reads the source of a file, by its position. `None` if its targets hold the source texts.
    pub fn read(&self, at: usize) -> Result<Option<PlannedSource>, Failure> {
        let Some(file) = self.request.files.get(at) else { return Ok(None) };
        let Some(source) = file.source.as_ref().filter(|_| file.kind.name != "xcstrings") else { return Ok(None) };
        let Some(rule) = self.request.project.settings.rules.get(file.rule) else { return Ok(None) };
        let options = ReadOptions {
            dialect: rule.dialect,
            target_lang: None,
            source_plurals: None,
            encoding: rule.encoding,
            skips_broken: false,
        };
        let root = self.request.project.root.real();
        let path = CatalogPath { root, path: source, kind: file.kind, options: &options };
        let loaded = path.read()?.ok_or_else(|| Failure::usage(format!("{} no longer exists", path.name())))?;
        Ok(Some(self.planned(rule, &file.lock_name, loaded)))
    }

    /// Takes the units of a file that was read.
    pub fn planned(&self, rule: &ProjectRule, lock_name: &str, mut loaded: LoadedCatalog) -> PlannedSource {
        let catalog = std::mem::take(&mut loaded.catalog);
        let (language, duplicates) = (catalog.language.clone(), catalog.duplicates.clone());
        let (dialect, plural_forms) = (catalog.dialect, catalog.plural_forms.clone());
        let project = self.request.project;
        let units =
            SourceUnits::new(catalog, |key| rule.exclude_keys.matches(key), |key| project.note(key).map(str::to_owned));
        // The units are kept once; the rest of the catalogue stays.
        loaded.catalog.language = language;
        loaded.catalog.duplicates = duplicates;
        loaded.catalog.dialect = dialect;
        loaded.catalog.plural_forms = plural_forms;
        let locked = units.positions_in(self.request.lock, lock_name);
        let has_lists = units.kept.iter().any(|kept| list_of(&kept.lock_key).is_some());
        let plurals = dialect.map(|_| Arc::new(SourcePlurals::of(&units.units)));
        PlannedSource { loaded, units, locked, has_lists, plurals }
    }
}
