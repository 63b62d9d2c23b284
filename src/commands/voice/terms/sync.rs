//! `tulk voice terms sync`: reads, plans, asks, applies. A second run only reads.
//!
//! The plan is made before anything is sent, from the files and from what the service has.

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_base::value_error::ValueError;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::{CreateSpokenTerms, GetSpokenTerms, SpokenTerms};
use tulk_formats::input::term_list::TermList;

use super::files::{self, LanguageFile, LoadedTermList};
use super::remote::RemoteTermList;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, known_names, names};
use crate::output::{Cell, Column, Row};
use crate::reports::plan::{PlanOutput, SyncAction, removals};

/// Make a collection match files
///
/// On a terminal, prints the plan before it is applied; in a pipe and as JSON, prints what was done. Without --prune, nothing
/// is removed.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<TermsSyncStep>().asks().checks().languages(LanguageUse::Voice))]
#[command(after_help = "tulk voice terms sync \"Subtitles talk\" en=talk.en.txt de=talk.de.txt\n\
                        tulk voice terms sync \"Subtitles talk\" en=talk.en.txt --prune --dry-run")]
pub struct TermsSyncArgs {
    /// Name or ID of the collection; created if none has this name
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language and file, such as en=terms.txt (- for stdin)
    #[arg(value_name = "LANG=FILE", required = true, value_parser = files::parse_language_file)]
    pub lists: Vec<LanguageFile>,
    /// Remove terms and term lists that are not in the files
    #[arg(long)]
    pub prune: bool,
}

impl Run for TermsSyncArgs {
    /// Makes a collection match files.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let files = files::load_all(ctx, &self.lists)?;
        let collection = find(ctx, &self.collection).await?;
        let compared = read_current(ctx, collection.as_deref(), &files).await?;
        let create = collection.is_none().then(|| CreateSpokenTerms {
            name: self.collection.clone(),
            term_lists: files.iter().map(LoadedTermList::content).collect(),
        });
        if let Some(create) = &create {
            // A name that is not allowed is refused before the plan is shown.
            ctx.client().await?.prepare(create)?;
        }
        let plan = TermsSyncPlan::new(compared, collection.as_deref(), self.prune)?;
        for planned in &plan.0 {
            check_merge(ctx, planned)?;
        }
        let rows =
            plan.0.iter().map(|planned| Kept::from_typed(planned.step.clone())).collect::<Result<Vec<_>, _>>()?;
        let output = PlanOutput::start(ctx, &rows, plan.has_changes())?;
        show_kept(ctx, &plan);
        if ctx.args.dry_run || !plan.has_changes() {
            return Ok(());
        }
        if let Some(removals) = plan.removals() {
            output.describe(plan.0.iter().filter_map(|planned| planned.step.in_words()));
            ctx.confirm(&format!("remove {removals} from spoken terms `{}`", self.collection))?;
        }
        let mut done = 0;
        let outcome = match (&create, &collection) {
            (Some(create), _) => {
                let created = create_collection(ctx, create).await;
                done = if created.is_ok() { rows.len() } else { 0 };
                created
            }
            (None, Some(collection)) => apply(ctx, &collection.spoken_terms_id, &plan, &mut done).await,
            (None, None) => Ok(()),
        };
        Ok(output.finish(rows.get(..done).unwrap_or_default(), outcome)?)
    }
}

/// Creates the collection with all its lists.
async fn create_collection(ctx: &Context, create: &CreateSpokenTerms) -> Result<(), Failure> {
    known_names::keep(ctx, &ctx.client().await?.send(create).await?).await;
    Ok(())
}

/// Returns the collection with a name or ID; `None` if no collection has the name.
async fn find(ctx: &Context, text: &str) -> Result<Option<Kept<SpokenTerms>>, Failure> {
    if named::is_uuid(text) {
        let request = GetSpokenTerms { spoken_terms_id: text.to_owned() };
        return ctx.client().await?.send(&request).await.map(Some);
    }
    match named::pick(named::all_spoken_terms(ctx).await?, text) {
        Ok(collection) => Ok(Some(collection)),
        Err(failure) if failure.kind == Kind::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Reads the term lists that the service has for the files.
async fn read_current<'a>(
    ctx: &Context,
    collection: Option<&SpokenTerms>,
    files: &'a [LoadedTermList],
) -> Result<Vec<(&'a LoadedTermList, Option<TermList>)>, Failure> {
    let mut compared = Vec::with_capacity(files.len());
    for file in files {
        let current = match collection.filter(|collection| may_have(collection, &file.lang)) {
            Some(collection) => {
                let remote = RemoteTermList::new(ctx, &collection.spoken_terms_id, &file.lang).await?;
                remote.read_if_exists().await?
            }
            None => None,
        };
        compared.push((file, current));
    }
    Ok(compared)
}

/// Returns whether a collection may have a list of a language.
///
/// The reply may leave out all lists. To take them for new would replace terms that only the service has.
fn may_have(collection: &SpokenTerms, lang: &LangCode) -> bool {
    collection.term_lists.is_empty() || collection.term_list(lang).is_some()
}

/// Fails if a step would make a list too long.
fn check_merge(ctx: &Context, planned: &PlannedTermList<'_>) -> Result<(), Failure> {
    match (planned.step.action, planned.file) {
        (SyncAction::Merge, Some(file)) => {
            let hint = "--prune removes the terms that are not in the file";
            files::check_merge(ctx, &planned.lang, &planned.old, &file.list, hint)
        }
        _ => Ok(()),
    }
}

/// Lists what only the service has and stays.
fn show_kept(ctx: &Context, plan: &TermsSyncPlan<'_>) {
    for PlannedTermList { step, lang, file, old } in &plan.0 {
        match file {
            None if step.action == SyncAction::Keep => {
                ctx.out.status(&format!("only on the service: term list {lang}"));
            }
            Some(file) if step.kept > 0 => {
                for term in old.missing_in(&file.list).terms() {
                    ctx.out.status(&format!("only on the service: {lang}: {term}"));
                }
            }
            _ => {}
        }
    }
}

/// Applies the plan to an existing collection, and counts the steps that are `done`. Lists are deleted last.
async fn apply(
    ctx: &Context,
    spoken_terms_id: &str,
    plan: &TermsSyncPlan<'_>,
    done: &mut usize,
) -> Result<(), Failure> {
    for planned in &plan.0 {
        let remote = RemoteTermList::new(ctx, spoken_terms_id, &planned.lang).await?;
        match (planned.step.action, planned.file) {
            (SyncAction::Add | SyncAction::Replace, Some(file)) => {
                remote.replace(file.content()).await?;
            }
            (SyncAction::Merge, Some(file)) => {
                let added = file.list.missing_in(&planned.old);
                remote.merge(files::content(&planned.lang, &added)).await?;
            }
            (SyncAction::Delete, _) => remote.delete().await?,
            _ => {}
        }
        *done += 1;
    }
    Ok(())
}

/// The action for one term list, with the number of terms it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermsSyncStep {
    /// What happens.
    pub action: SyncAction,
    /// Language of the list.
    pub lang: String,
    /// The number of added terms.
    pub added: usize,
    /// The number of removed terms.
    pub removed: usize,
    /// The number of terms that only the service has and that stay.
    pub kept: usize,
}

impl TermsSyncStep {
    fn new(action: SyncAction, lang: &LangCode) -> Self {
        Self { action, lang: lang.to_string(), added: 0, removed: 0, kept: 0 }
    }

    /// Returns what is done in words, such as `replace en: 1 added, 2 removed`; `None` if nothing is.
    pub fn in_words(&self) -> Option<String> {
        self.action.in_words(&self.lang, &[(self.added, "added"), (self.removed, "removed")])
    }

    /// Creates the step that turns the terms of the service into those of a file.
    fn between(lang: &LangCode, old: &TermList, new: &TermList, prune: bool) -> Self {
        let (added, only_old) = (new.missing_in(old).len(), old.missing_in(new).len());
        let (removed, kept) = if prune { (only_old, 0) } else { (0, only_old) };
        let action = match (removed > 0, added > 0) {
            (true, _) => SyncAction::Replace,
            (false, true) => SyncAction::Merge,
            (false, false) => SyncAction::Same,
        };
        Self { added, removed, kept, ..Self::new(action, lang) }
    }
}

impl Row for TermsSyncStep {
    const COLUMNS: &'static [Column] = &[
        Column::text("action").rank(0),
        Column::text("lang").header("LANGUAGE").rank(0),
        Column::count("added"),
        Column::count("removed"),
        Column::count("kept"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.action.word()),
            Cell::from(&self.lang),
            Cell::from(self.added),
            Cell::from(self.removed),
            Cell::from(self.kept),
        ]
    }
}

/// A step with everything that is needed to carry it out.
pub struct PlannedTermList<'a> {
    /// What happens.
    pub step: TermsSyncStep,
    /// The language.
    pub lang: LangCode,
    /// The file; `None` for a list that only the service has.
    pub file: Option<&'a LoadedTermList>,
    /// The terms on the service, if they are compared with a file.
    pub old: TermList,
}

/// The steps of a run: the lists with files first, in the order of the arguments.
pub struct TermsSyncPlan<'a>(pub Vec<PlannedTermList<'a>>);

impl<'a> TermsSyncPlan<'a> {
    /// Plans a run.
    ///
    /// `files` are the files, each with the terms that the service has for its language; `collection` is `None` if it
    /// does not exist yet. With `prune`, terms and lists without a file are removed.
    pub fn new(
        files: Vec<(&'a LoadedTermList, Option<TermList>)>,
        collection: Option<&SpokenTerms>,
        prune: bool,
    ) -> Result<Self, Failure> {
        let mut without_file = Vec::new();
        for info in collection.into_iter().flat_map(|collection| &collection.term_lists) {
            let lang: LangCode = info.lang.parse().map_err(|why: ValueError| Failure::new(Kind::Network, why))?;
            if files.iter().any(|(file, _)| file.lang == lang) {
                continue;
            }
            let terms = usize::try_from(info.entry_count.unwrap_or(0)).unwrap_or(usize::MAX);
            let step = if prune {
                TermsSyncStep { removed: terms, ..TermsSyncStep::new(SyncAction::Delete, &lang) }
            } else {
                TermsSyncStep { kept: terms, ..TermsSyncStep::new(SyncAction::Keep, &lang) }
            };
            without_file.push(PlannedTermList { step, lang, file: None, old: TermList::default() });
        }
        let new_action = if collection.is_some() { SyncAction::Add } else { SyncAction::Create };
        let with_file = files.into_iter().map(|(file, old)| {
            let step = match &old {
                Some(old) => TermsSyncStep::between(&file.lang, old, &file.list, prune),
                None => TermsSyncStep { added: file.list.len(), ..TermsSyncStep::new(new_action, &file.lang) },
            };
            PlannedTermList { step, lang: file.lang.clone(), file: Some(file), old: old.unwrap_or_default() }
        });
        Ok(Self(with_file.chain(without_file).collect()))
    }

    /// Returns whether anything is sent.
    pub fn has_changes(&self) -> bool {
        self.0.iter().any(|planned| planned.step.action.is_change())
    }

    /// Returns what is removed, for a question; `None` if nothing is.
    pub fn removals(&self) -> Option<String> {
        let with = |action| self.0.iter().filter(move |planned| planned.step.action == action);
        let terms = with(SyncAction::Replace).map(|planned| planned.step.removed).sum();
        removals([(terms, "term", "terms"), (with(SyncAction::Delete).count(), "term list", "term lists")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_a_list_only_to_remove_terms() {
        let step = |old: &str, new: &str, prune| {
            let (old, new) = (TermList::from_entries(old), TermList::from_entries(new));
            let step = TermsSyncStep::between(&"en".parse().unwrap(), &old, &new, prune);
            (step.action, [step.added, step.removed, step.kept])
        };
        assert_eq!(step("a\nb", "b\na", true), (SyncAction::Same, [0, 0, 0]), "the order does not count");
        assert_eq!(step("a", "a\nb", true), (SyncAction::Merge, [1, 0, 0]));
        assert_eq!(step("a\nb", "a\nc", true), (SyncAction::Replace, [1, 1, 0]));
        assert_eq!(step("a\nb", "a\nc", false), (SyncAction::Merge, [1, 0, 1]));
        assert_eq!(step("a\nb", "a", false), (SyncAction::Same, [0, 0, 1]));
    }
}
