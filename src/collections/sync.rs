//! Makes a collection match files: reads, plans, asks, applies. A second run only reads.
//!
//! The plan is complete before any change is sent.

use anyhow::Context as _;
use serde::Serialize;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_base::numbers::{grouped, plural};
use tulk_client::http::client::Client;

use super::{Collection, EntryChanges, LoadedList, RemoteList, explain_language, upload_phase};
use crate::context::Context;
use crate::named::{self, known_names};
use crate::output::{Column, Row};
use crate::reports::plan::{PlanOutput, SyncAction, removals};
use crate::runs::report::with_steps;

/// With `prune`, also removes what the files do not contain: entries, and lists that have no file.
pub async fn sync<C: Collection>(
    ctx: &Context,
    text: &str,
    files: &[LoadedList<C>],
    prune: bool,
) -> anyhow::Result<()> {
    let create = C::create_request(text, files.iter().map(LoadedList::content).collect());
    // Refuse an invalid name before anything is sent.
    ctx.check(&create)?;
    let client = ctx.client().await?;
    let collection = find_existing::<C>(ctx, client, text).await?;
    let plan = SyncPlan::new(ctx, collection.as_deref(), files, prune).await?;
    let rows = plan.0.iter().map(|planned| WithRaw::from_typed(planned.step.clone())).collect::<Result<Vec<_>, _>>()?;
    let output = PlanOutput::start(ctx, &rows, plan.has_changes(), plan.removals().is_some())?;
    plan.show_kept(ctx);
    if ctx.args.dry_run || !plan.has_changes() {
        return Ok(());
    }
    if let Some(removals) = plan.removals() {
        output.describe(plan.0.iter().filter_map(|planned| planned.step.in_words()));
        ctx.confirm(&format!("remove {removals} from {} `{text}`", C::COLLECTION_NOUN))?;
    }
    let mut done = 0;
    let outcome = match &collection {
        None => {
            let _task = ctx.out.phase(text, &upload_phase::<C>(files.iter().map(|file| C::len(&file.list)).sum()));
            let explain = |failure| explain_language::<C>(failure, files.iter().map(|file| &file.key));
            let created = client.send(&create).await.map_err(explain);
            if let Ok(created) = &created {
                known_names::keep(ctx, created).await;
                done = rows.len();
            }
            created.map(|_| ()).map_err(Into::into)
        }
        Some(collection) => plan.apply(ctx, collection.id(), &mut done).await,
    };
    output.finish(rows.get(..done).unwrap_or_default(), outcome)
}

/// Returns the collection with this ID or name once it is ready; `None` if no collection has the name.
async fn find_existing<C: Collection>(
    ctx: &Context,
    client: &Client,
    text: &str,
) -> Result<Option<WithRaw<C>>, Failure> {
    let found = if C::is_id(text) {
        client.send(&C::get_request(text)).await?
    } else {
        match named::pick(C::all(ctx).await?, text) {
            Ok(found) => found,
            Err(failure) if failure.kind == Kind::NotFound => return Ok(None),
            Err(failure) => return Err(failure),
        }
    };
    C::wait_until_ready(ctx, found).await.map(Some)
}

#[derive(Serialize)]
#[serde(bound = "")]
pub struct SyncStep<C: Collection> {
    action: SyncAction,
    #[serde(flatten, serialize_with = "C::serialize_key")]
    key: C::Key,
    #[serde(flatten)]
    changes: EntryChanges,
    /// Number of entries that only the service has and that are kept.
    kept: usize,
}

impl<C: Collection> Clone for SyncStep<C> {
    fn clone(&self) -> Self {
        Self { key: self.key.clone(), ..*self }
    }
}

impl<C: Collection> Row for SyncStep<C> {
    const COLUMNS: &'static [Column] = C::STEP_COLUMNS;
}

impl<C: Collection> SyncStep<C> {
    /// Creates the step that changes the list on the service into the list of a file.
    fn between(key: &C::Key, old: &C::List, new: &C::List, prune: bool) -> Self {
        let mut changes = C::changes(old, new);
        let kept = if prune { 0 } else { std::mem::take(&mut changes.removed) };
        let action = match (changes.removed > 0, changes.added + changes.changed.unwrap_or(0) > 0) {
            (true, _) => SyncAction::Replace,
            (false, true) => SyncAction::Merge,
            (false, false) => SyncAction::Same,
        };
        Self { action, key: key.clone(), changes, kept }
    }

    /// Creates a step for a complete list. Its entries count as added, removed or kept, depending on the action.
    fn of_complete_list(action: SyncAction, key: &C::Key, entries: usize) -> Self {
        let (mut changes, mut kept) = (C::changes(&C::List::default(), &C::List::default()), 0);
        *match action {
            SyncAction::Create | SyncAction::Add => &mut changes.added,
            SyncAction::Delete => &mut changes.removed,
            _ => &mut kept,
        } = entries;
        Self { action, key: key.clone(), changes, kept }
    }

    fn in_words(&self) -> Option<String> {
        self.action.in_words(&self.key.to_string(), &self.changes.counts().collect::<Vec<_>>())
    }
}

struct PlannedList<'a, C: Collection> {
    step: SyncStep<C>,
    /// The file; `None` for a list that only the service has.
    file: Option<&'a LoadedList<C>>,
    /// The entries on the service, if a file is compared with them.
    old: C::List,
}

/// Steps of a run: first the lists with files, in the order of the arguments, then lists without a file.
struct SyncPlan<'a, C: Collection>(Vec<PlannedList<'a, C>>);

impl<'a, C: Collection> SyncPlan<'a, C> {
    /// Reads the current lists from the service and plans a run. `collection` is `None` if it does not exist yet.
    async fn new(
        ctx: &Context,
        collection: Option<&C>,
        files: &'a [LoadedList<C>],
        prune: bool,
    ) -> Result<Self, Failure> {
        let infos = collection.map(C::lists).unwrap_or_default();
        let has =
            |key: &C::Key| infos.iter().any(|info| C::key_and_entry_count(info).is_ok_and(|(other, _)| other == *key));
        let new_action = if collection.is_some() { SyncAction::Add } else { SyncAction::Create };
        let mut plan = Vec::with_capacity(files.len());
        for file in files {
            let key = &file.key;
            let old = match collection {
                // Some replies omit all lists. Treating the lists as new would replace entries that only the service has.
                Some(collection) if infos.is_empty() || has(key) => {
                    RemoteList::<C>::new(ctx, collection.id(), key).await?.read_if_exists().await?
                }
                _ => None,
            };
            let step = match &old {
                Some(old) => SyncStep::between(key, old, &file.list, prune),
                None => SyncStep::of_complete_list(new_action, key, C::len(&file.list)),
            };
            plan.push(PlannedList { step, file: Some(file), old: old.unwrap_or_default() });
        }
        for info in infos {
            let (key, entries) = C::key_and_entry_count(info)?;
            if files.iter().all(|file| file.key != key) {
                let action = if prune { SyncAction::Delete } else { SyncAction::Keep };
                let entries = usize::try_from(entries.unwrap_or(0)).unwrap_or(usize::MAX);
                let step = SyncStep::of_complete_list(action, &key, entries);
                plan.push(PlannedList { step, file: None, old: C::List::default() });
            }
        }
        for PlannedList { step, file, old } in &plan {
            if let (SyncAction::Merge, Some(file)) = (step.action, file) {
                let hint = format!("--prune removes the {} that are not in the file", plural(C::ENTRY_NOUN));
                C::check_merge(ctx, &file.key, old, &file.list, &hint)?;
            }
        }
        Ok(Self(plan))
    }

    fn show_kept(&self, ctx: &Context) {
        for PlannedList { step: SyncStep { action, key, kept, .. }, file, old } in &self.0 {
            let Some(file) = file else {
                if *action == SyncAction::Keep {
                    ctx.out.status(&format!("only on the service: {} {key}", C::LIST_NOUN));
                }
                continue;
            };
            if *kept == 0 {
                continue;
            }
            for entry in C::only_in_old(old, &file.list) {
                ctx.out.status(&format!("only on the service: {key}: {entry}"));
            }
            if *kept > C::MAX_LISTED_BY_SYNC {
                let more = grouped(kept - C::MAX_LISTED_BY_SYNC);
                ctx.out.status(&format!("only on the service: {key}: {more} more, see `{} diff`", C::COMMAND));
            }
        }
    }

    /// Applies the plan to an existing collection. `done` counts the completed steps.
    async fn apply(&self, ctx: &Context, id: &str, done: &mut usize) -> anyhow::Result<()> {
        for PlannedList { step, file, old } in &self.0 {
            let remote = RemoteList::<C>::new(ctx, id, &step.key).await?;
            let sent = match (step.action, file) {
                (SyncAction::Add | SyncAction::Replace, Some(file)) => remote.replace(file.content()).await.map(|_| ()),
                (SyncAction::Merge, Some(file)) => {
                    remote.merge(C::content(&step.key, &C::entries_to_merge(old, &file.list))).await.map(|_| ())
                }
                (SyncAction::Delete, _) => remote.delete().await,
                _ => Ok(()),
            };
            let sent = sent.map_err(|mut failure| {
                let changes = self.0.iter().map(|planned| planned.step.action.is_change());
                let count = |steps: usize| changes.clone().take(steps).filter(|is_change| *is_change).count();
                with_steps(ctx.words(), (count(*done), count(self.0.len())), &mut failure);
                failure
            });
            sent.with_context(|| format!("{} {}", C::LIST_NOUN, step.key))?;
            *done += 1;
        }
        Ok(())
    }

    fn has_changes(&self) -> bool {
        self.0.iter().any(|planned| planned.step.action.is_change())
    }

    fn removals(&self) -> Option<String> {
        let with = |action| self.0.iter().filter(move |planned| planned.step.action == action);
        let entries: usize = with(SyncAction::Replace).map(|planned| planned.step.changes.removed).sum();
        removals([(entries, C::ENTRY_NOUN), (with(SyncAction::Delete).count(), C::LIST_NOUN)])
    }
}

#[cfg(test)]
mod tests {
    use tulk_client::api::glossary::Glossary;
    use tulk_client::api::voice::terms::SpokenTerms;
    use tulk_formats::input::dictionary::Dictionary;
    use tulk_formats::input::term_list::TermList;

    use super::*;

    /// Action, added, changed, removed and kept entries.
    type Counts = (SyncAction, [usize; 4]);

    fn counts<C: Collection>(key: &str, old: &C::List, new: &C::List, prune: bool) -> Counts {
        let step = SyncStep::<C>::between(&key.parse().unwrap(), old, new, prune);
        let EntryChanges { added, changed, removed } = step.changes;
        (step.action, [added, changed.unwrap_or(0), removed, step.kept])
    }

    #[test]
    fn replaces_a_dictionary_only_to_remove_entries() {
        let step = |old: &[(&str, &str)], new: &[(&str, &str)], prune| {
            let [old, new] = [old, new].map(|entries| Dictionary::from_entries(entries.iter().copied()));
            counts::<Glossary>("en:de", &old, &new, prune)
        };
        let (ab, a, ab2) = ([("a", "1"), ("b", "2")], [("a", "1")], [("b", "3"), ("a", "1")]);
        assert_eq!(step(&ab, &ab, true), (SyncAction::Same, [0, 0, 0, 0]));
        assert_eq!(step(&a, &ab, true), (SyncAction::Merge, [1, 0, 0, 0]));
        assert_eq!(step(&ab, &ab2, false), (SyncAction::Merge, [0, 1, 0, 0]));
        assert_eq!(step(&ab, &a, true), (SyncAction::Replace, [0, 0, 1, 0]));
        assert_eq!(step(&ab, &a, false), (SyncAction::Same, [0, 0, 0, 1]));
    }

    #[test]
    fn replaces_a_term_list_only_to_remove_terms() {
        let step = |old: &str, new: &str, prune| {
            counts::<SpokenTerms>("en", &TermList::from_entries(old), &TermList::from_entries(new), prune)
        };
        assert_eq!(step("a\nb", "b\na", true), (SyncAction::Same, [0, 0, 0, 0]), "the order does not count");
        assert_eq!(step("a", "a\nb", true), (SyncAction::Merge, [1, 0, 0, 0]));
        assert_eq!(step("a\nb", "a\nc", true), (SyncAction::Replace, [1, 0, 1, 0]));
        assert_eq!(step("a\nb", "a\nc", false), (SyncAction::Merge, [1, 0, 0, 1]));
        assert_eq!(step("a\nb", "a", false), (SyncAction::Same, [0, 0, 0, 1]));
    }
}
