//! The parts of a style profile that apply to a translation: they fit its languages and are not replaced by the request. See
//! docs/service.md, "Style profiles".

use std::sync::Arc;

use super::style::applied_instructions;
use super::style_profiles::{self, StoredProfile};
use crate::app::App;
use crate::glossaries::TermIndex;
use crate::languages::have_same_base;
use crate::memories::StoredMemory;
use crate::reply::Refusal;

/// The parts of a profile; empty without a profile.
#[derive(Default)]
pub(super) struct ProfileParts(StoredProfile);

/// The kinds of parts that the request replaces with its own.
pub(super) struct ReplacedParts {
    pub(super) glossaries: bool,
    pub(super) style: bool,
    pub(super) memory: bool,
}

impl ProfileParts {
    /// Loads only the parts that the request does not replace. Refuses an unknown profile with 404.
    pub(super) fn load(app: &App, id: Option<&str>, replaced: &ReplacedParts) -> Result<Self, Refusal> {
        let Some(id) = id else { return Ok(Self::default()) };
        let mut parts = style_profiles::find(app, id)?;
        if !parts.glossary_priority_order_enabled {
            // Without a priority order, the result must not depend on the order in the profile.
            parts.glossary_ids.sort();
        }
        for (is_replaced, ids) in [
            (replaced.glossaries, &mut parts.glossary_ids),
            (replaced.style, &mut parts.style_rule_ids),
            (replaced.memory, &mut parts.translation_memory_ids),
        ] {
            if is_replaced {
                ids.clear();
            }
        }
        Ok(Self(parts))
    }

    /// Returns whether the source language decides which parts apply.
    pub(super) fn needs_source(&self) -> bool {
        !(self.0.glossary_ids.is_empty() && self.0.translation_memory_ids.is_empty())
    }

    /// Returns the IDs and terms of the glossaries that cover this language pair, by descending priority.
    pub(super) fn glossaries(
        &self,
        app: &App,
        source: &str,
        target: &str,
    ) -> Result<Vec<(&String, Arc<TermIndex>)>, Refusal> {
        let mut found = Vec::new();
        for id in &self.0.glossary_ids {
            if let Some(terms) = skip_refused(app.glossaries.dictionary(id, source, target))? {
                found.push((id, terms));
            }
        }
        Ok(found)
    }

    pub(super) fn instructions(&self, app: &App, target: &str) -> Result<Vec<String>, Refusal> {
        let lists = self.0.style_rule_ids.iter().map(|id| skip_refused(applied_instructions(app, id, target)));
        Ok(lists.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().flatten().collect())
    }

    pub(super) fn memory(&self, app: &App, source: &str, target: &str) -> Result<Option<Arc<StoredMemory>>, Refusal> {
        for id in &self.0.translation_memory_ids {
            if let Some(memory) = skip_refused(app.memories.find_for_target(id, target))?
                && have_same_base(&memory.source_language, source)
            {
                return Ok(Some(memory));
            }
        }
        Ok(None)
    }
}

/// Skips a part that would be refused if the request itself named it.
fn skip_refused<T>(part: Result<T, Refusal>) -> Result<Option<T>, Refusal> {
    match part {
        Ok(part) => Ok(Some(part)),
        Err(refusal) if refusal.status < 500 => Ok(None),
        Err(refusal) => Err(refusal),
    }
}
