//! The sentences of units, made once for all languages that share them.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use tulk_catalogs::{Expansion, SkipReason};

use crate::plan::{PlannedSource, PlannedTarget};

/// What the units of all sources expand to, as far as that is the same for every language.
pub struct SharedExpansions<'a>(HashMap<usize, SourceExpansions<'a>>);

/// A source, and what its units expand to, by their positions in [`crate::compare::SourceUnits::kept`].
struct SourceExpansions<'a> {
    source: &'a Arc<PlannedSource>,
    units: Vec<OnceLock<Arc<Expansion>>>,
}

impl<'a> SharedExpansions<'a> {
    /// Room for the units of the sources of targets.
    pub fn new(targets: &'a [PlannedTarget]) -> Self {
        let mut by_file = HashMap::new();
        for PlannedTarget { file, source, .. } in targets {
            by_file.entry(*file).or_insert_with(|| {
                let units = source.units.kept.iter().map(|_| OnceLock::new()).collect();
                SourceExpansions { source, units }
            });
        }
        Self(by_file)
    }

    /// Returns what a unit of a target expands to; `expand` makes it. `None` if it is not translated.
    pub fn of(
        &self,
        target: &PlannedTarget,
        kept: usize,
        expand: impl FnOnce() -> Result<Expansion, SkipReason>,
    ) -> Option<Arc<Expansion>> {
        // Files that hold both texts have a source for each language.
        let own = self.0.get(&target.file).filter(|own| Arc::ptr_eq(own.source, &target.source));
        let place = own.and_then(|own| own.units.get(kept));
        if let Some(known) = place.and_then(OnceLock::get) {
            return Some(known.clone());
        }
        let expansion = Arc::new(expand().ok()?);
        if let Some(place) = place.filter(|_| expansion.is_for_all_languages()) {
            let _ = place.set(expansion.clone());
        }
        Some(expansion)
    }
}
