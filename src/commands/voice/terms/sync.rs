//! `tulk voice terms sync`: reads, plans, asks, applies. A second run only reads.

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::voice::terms::{CreateSpokenTerms, GetSpokenTerms, SpokenTerms};
use tulk_formats::input::term_list::TermList;

use super::files::{self, LanguageFile, LoadedTermList};
use super::plan::TermsSyncStep;
use super::plan::{PlannedTermList, TermsSyncPlan};
use super::remote::RemoteTermList;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};
use crate::reports::confirm::confirm;
use crate::reports::plan_output::PlanOutput;
use crate::reports::sync_action::SyncAction;

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
            confirm(ctx, &format!("remove {removals} from spoken terms `{}`", self.collection))?;
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
