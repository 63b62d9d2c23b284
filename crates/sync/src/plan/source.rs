//! Reads the source catalogues of a project.

use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_catalogs::{ReadOptions, SourcePlurals};

use super::PlanRequest;
use super::moved::list_prefix;
use crate::compare::SourceUnits;
use crate::load::{CatalogPath, LoadedCatalog};
use crate::project::ProjectRule;

/// A parsed source catalogue, prepared for comparison.
#[derive(Debug)]
pub struct PlannedSource {
    /// The file. Its units are in `units`.
    pub loaded: LoadedCatalog,
    /// The units of the file.
    pub units: SourceUnits,
    /// Position of each kept unit in the lock.
    pub locked: Vec<Option<u32>>,
    /// Whether any kept unit is a list item.
    pub has_lists: bool,
    /// Units that are plurals, for dialects in which the target alone does not show which units are plurals.
    pub plurals: Option<Arc<SourcePlurals>>,
}

impl PlannedSource {
    /// Returns warnings about a guessed encoding and about duplicate keys. `first_duplicate_wins` tells which duplicate the
    /// format uses.
    pub fn warnings(&self, first_duplicate_wins: bool) -> impl Iterator<Item = String> {
        let positions = self.loaded.positions();
        let duplicates = self.loaded.catalog.duplicates.iter().map(move |duplicate| {
            format!("{}: {}", positions.origin(duplicate.at), duplicate.warning(first_duplicate_wins))
        });
        self.loaded.encoding_warning().into_iter().chain(duplicates)
    }
}

pub struct SourceReader<'a> {
    pub request: PlanRequest<'a>,
}

impl SourceReader<'_> {
    /// Returns `None` if the targets hold the source texts.
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
        Ok(Some(self.plan_source(rule, &file.lock_name, loaded)))
    }

    pub fn plan_source(&self, rule: &ProjectRule, lock_name: &str, mut loaded: LoadedCatalog) -> PlannedSource {
        let catalog = std::mem::take(&mut loaded.catalog);
        let (language, duplicates) = (catalog.language.clone(), catalog.duplicates.clone());
        let (dialect, plural_forms) = (catalog.dialect, catalog.plural_forms.clone());
        let project = self.request.project;
        let units =
            SourceUnits::new(catalog, |key| rule.exclude_keys.matches(key), |key| project.note(key).map(str::to_owned));
        // The units were moved out; restore the rest of the catalogue.
        loaded.catalog.language = language;
        loaded.catalog.duplicates = duplicates;
        loaded.catalog.dialect = dialect;
        loaded.catalog.plural_forms = plural_forms;
        let locked = units.positions_in(self.request.lock, lock_name);
        let has_lists = units.kept.iter().any(|kept| list_prefix(&kept.lock_key).is_some());
        let plurals = dialect.map(|_| Arc::new(SourcePlurals::of(&units.units)));
        PlannedSource { loaded, units, locked, has_lists, plurals }
    }
}
