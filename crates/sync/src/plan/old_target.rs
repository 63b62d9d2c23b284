//! Targets of other files, from which units have moved.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tulk_catalogs::{CatalogKind, ReadOptions, Unit};

use super::PlanRequest;
use crate::compare::TargetUnits;
use crate::load::{CatalogPath, LoadedCatalog};
use crate::lock::lock_key;

/// The targets that were read, by language and name of the file in the lock.
#[derive(Debug, Default)]
pub struct OldTargets(Mutex<HashMap<TargetName, Option<Arc<OldTarget>>>>);

/// A language by its position, and the name of a file in the lock.
type TargetName = (usize, String);

/// A target of another file.
#[derive(Debug)]
pub struct OldTarget {
    /// Its path in the project.
    pub path: PathBuf,
    kind: &'static CatalogKind,
    loaded: LoadedCatalog,
    by_lock_key: HashMap<String, usize>,
}

impl OldTarget {
    /// Returns a unit by its key in the lock.
    pub fn unit(&self, key: &str) -> Option<&Unit> {
        self.loaded.catalog.units.get(*self.by_lock_key.get(key)?)
    }

    /// Returns the units as they are compared.
    pub fn units(&self) -> TargetUnits<'_> {
        TargetUnits { units: &self.loaded.catalog.units, is_bilingual: self.kind.is_bilingual }
    }
}

impl OldTargets {
    /// Returns a target; `None` if it does not exist or cannot be read, or if no rule of the project says where it is.
    pub fn get(&self, request: PlanRequest<'_>, lang: usize, file: &str) -> Option<Arc<OldTarget>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry((lang, file.to_owned())).or_insert_with(|| read(request, lang, file).map(Arc::new)).clone()
    }
}

fn read(request: PlanRequest<'_>, number: usize, file: &str) -> Option<OldTarget> {
    let settings = &request.project.settings;
    let lang = settings.langs.get(number)?;
    let planned = request.files.iter().find(|planned| planned.lock_name == file);
    // The source may be gone; its targets are where a rule says.
    let (rule, path) = match planned {
        Some(planned) => {
            let target = planned.targets.iter().find(|(target, _)| *target == number)?;
            (settings.rules.get(planned.rule)?, target.1.clone())
        }
        None => settings.rules.iter().find_map(|rule| {
            let captures = rule.source.as_ref()?.captures(file)?;
            let path = rule.target.as_ref()?.with_lang(&rule.lang_path(lang)).fill(&captures);
            Some((rule, PathBuf::from(path)))
        })?,
    };
    // A link must not lead out of the project.
    request.project.place(&path).ok()?;
    let options = ReadOptions { dialect: rule.dialect, target_lang: Some(lang.tag.clone()), source_plurals: None };
    let loaded = load(request, &path, rule.kind, &options)?;
    let units = loaded.catalog.units.iter().enumerate();
    let by_lock_key = units.map(|(at, unit)| (lock_key(&unit.key), at)).collect();
    Some(OldTarget { path, kind: rule.kind, loaded, by_lock_key })
}

fn load(
    request: PlanRequest<'_>,
    path: &Path,
    kind: &'static CatalogKind,
    options: &ReadOptions,
) -> Option<LoadedCatalog> {
    CatalogPath { root: request.project.root.real(), path, kind, options }.read().ok().flatten()
}
