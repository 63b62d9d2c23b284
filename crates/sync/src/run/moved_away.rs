//! Removes units from their old file, once they are written to the new one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tulk_base::error::Failure;
use tulk_base::files;
use tulk_base::limits::CATALOG_FILE;
use tulk_catalogs::{CatalogChanges, CatalogKind, Change, Dialect, ReadOptions, UnitKey, apply_edits};

use super::collected_changes::MovedText;
use crate::compare::TargetUnits;
use crate::digest::TextDigest;
use crate::load::{CatalogPath, failure_in};
use crate::plan::{OldUnit, PlannedTarget};
use crate::project::{Project, ResolvedPath};

/// Units to remove, by file and language.
#[derive(Default)]
pub struct MovedAway(BTreeMap<(PathBuf, usize), Vec<UnitToRemove>>);

struct UnitToRemove {
    key: UnitKey,
    digest: TextDigest,
    dialect: Option<Dialect>,
}

impl MovedAway {
    pub fn add(&mut self, target: &PlannedTarget, path: &Path, moved: &MovedText) {
        let (key, digest) = moved.old.clone();
        self.add_unit(target, path, UnitToRemove { key, digest, dialect: None });
    }

    pub fn add_old(&mut self, target: &PlannedTarget, old: &OldUnit) {
        let path = old.path.as_ref().unwrap_or(&target.path);
        let old_unit = UnitToRemove { key: old.key.clone(), digest: old.digest, dialect: None };
        self.add_unit(target, path, old_unit);
    }

    fn add_unit(&mut self, target: &PlannedTarget, path: &Path, old_unit: UnitToRemove) {
        let dialect = target.source.loaded.catalog.dialect;
        let old_units = self.0.entry((path.to_path_buf(), target.lang)).or_default();
        old_units.push(UnitToRemove { dialect, ..old_unit });
    }

    /// Continues after an error, and returns all errors.
    pub fn remove(&mut self, project: &Project) -> Vec<Failure> {
        let mut failures = Vec::new();
        for ((path, lang), old_units) in std::mem::take(&mut self.0) {
            let Some(lang) = project.settings.langs.get(lang) else { continue };
            let rule = project.settings.rules.iter().find(|rule| {
                let pattern = rule.target.as_ref().map(|target| target.with_lang(&rule.lang_path(lang)));
                pattern.is_some_and(|pattern| path.to_str().is_some_and(|path| pattern.matches(path)))
            });
            let Some(rule) = rule else { continue };
            let dialect = rule.dialect.or(old_units.first().and_then(|old_unit| old_unit.dialect));
            let options = ReadOptions {
                dialect,
                target_lang: Some(lang.tag.clone()),
                source_plurals: None,
                encoding: rule.encoding,
                skips_broken: false,
            };
            failures.extend(remove_units(project, (&path, rule.kind), &options, &old_units).err());
        }
        failures
    }
}

fn remove_units(
    project: &Project,
    (path, kind): (&Path, &'static CatalogKind),
    options: &ReadOptions,
    old_units: &[UnitToRemove],
) -> Result<(), Failure> {
    let ResolvedPath::File(real) = project.resolve(path)? else { return Ok(()) };
    let path = CatalogPath { root: project.root.real(), path, kind, options };
    files::edit_file(&real, path.path, CATALOG_FILE, files::FileMode::Inherit, |bytes| {
        let Some(bytes) = bytes else { return Ok((None, ())) };
        let now = path.parse(bytes)?;
        let units = TargetUnits { units: &now.catalog.units, is_bilingual: kind.is_bilingual };
        let mut changes = CatalogChanges::default();
        for unit in units.units {
            let digest = units.text(unit).map(|text| TextDigest::of_unit(text, unit.needs_review));
            // Keep a unit that was edited in the meantime.
            if old_units.iter().any(|old_unit| old_unit.key == unit.key && Some(old_unit.digest) == digest) {
                changes.units.push(Change::Remove { unit: unit.id });
            }
        }
        if changes.units.is_empty() {
            return Ok((None, ()));
        }
        let edits = kind.format.edits(&now.file.text, options, &changes);
        let edits = edits.map_err(|error| failure_in(&path.name(), &now.file.text, &error))?;
        let overlap = || Failure::internal(format!("{}: the changes overlap", path.name()));
        let text = apply_edits(&now.file.text, edits).ok_or_else(overlap)?;
        Ok((Some(now.file.encode(&text)), ()))
    })
}
