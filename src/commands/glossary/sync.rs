//! `tulk glossary sync`: reads, plans, asks, applies. A second run only reads.

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::glossary::{CreateGlossary, GetGlossary, Glossary, LanguagePair};
use tulk_client::http::client::Client;
use tulk_formats::input::dictionary::{Dictionary, DictionaryDiff, EntryChange};

use super::files::{self, DictionaryFileOptions, LoadedDictionary, PairFile};
use super::plan::GlossarySyncPlan;
use super::plan::GlossarySyncStep;
use super::remote::{RemoteDictionary, uploading};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::names;
use crate::named::{self, known_names};
use crate::reports::confirm::confirm;
use crate::reports::plan_output::PlanOutput;
use crate::reports::sync_action::SyncAction;

/// The number of entries without a file that are listed for a dictionary.
const LISTED: usize = 20;

/// Make a glossary match dictionary files
///
/// On a terminal, prints the plan before it is applied; in a pipe and as JSON, prints what was done. Without --prune, nothing
/// is removed.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<GlossarySyncStep>().asks().checks())]
#[command(after_help = "tulk glossary sync Kitchen en:de=kitchen.tsv en:fr=kitchen.fr.tsv\n\
                        tulk glossary sync Kitchen en:de=kitchen.tsv --prune --dry-run")]
pub struct GlossarySyncArgs {
    /// Glossary name or ID; created if no glossary has this name
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Language pair and file, such as en:de=terms.tsv
    #[arg(value_name = "PAIR=FILE", required = true, value_parser = files::parse_pair_file)]
    pub dictionaries: Vec<PairFile>,
    /// Remove entries and dictionaries that are not in the files
    #[arg(long)]
    pub prune: bool,
    /// How to read the files.
    #[command(flatten)]
    pub options: DictionaryFileOptions,
}

impl Run for GlossarySyncArgs {
    /// Makes a glossary match files.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let files = files::load_all(ctx, &self.dictionaries, &self.options)?;
        let client = ctx.client().await?;
        let glossary = find(ctx, client, &self.glossary).await?;
        let create = glossary.is_none().then(|| CreateGlossary {
            name: self.glossary.clone(),
            dictionaries: files.iter().map(LoadedDictionary::content).collect(),
        });
        if let Some(create) = &create {
            // A name that is not allowed is refused before the plan is shown.
            client.prepare(create)?;
        }
        let compared = read_current(ctx, client, glossary.as_deref(), &files).await?;
        let plan = GlossarySyncPlan::new(compared, glossary.as_deref(), self.prune)?;
        let rows =
            plan.0.iter().map(|planned| Kept::from_typed(planned.step.clone())).collect::<Result<Vec<_>, _>>()?;
        let output = PlanOutput::start(ctx, &rows, plan.has_changes())?;
        show_kept(ctx, &plan);
        if ctx.args.dry_run || !plan.has_changes() {
            return Ok(());
        }
        if let Some(removals) = plan.removals() {
            output.describe(plan.0.iter().filter_map(|planned| planned.step.in_words()));
            confirm(ctx, &format!("remove {removals} from glossary `{}`", self.glossary))?;
        }
        let mut done = 0;
        let outcome = match (&create, &glossary) {
            (Some(create), _) => {
                let entries = files.iter().map(|file| file.dictionary.len()).sum();
                let created = create_glossary(ctx, client, create, entries).await;
                done = if created.is_ok() { rows.len() } else { 0 };
                created
            }
            (None, Some(glossary)) => apply(ctx, client, &glossary.glossary_id, &plan, &mut done).await,
            (None, None) => Ok(()),
        };
        Ok(output.finish(rows.get(..done).unwrap_or_default(), outcome)?)
    }
}

/// Creates the glossary with all its dictionaries.
async fn create_glossary(
    ctx: &Context,
    client: &Client,
    create: &CreateGlossary,
    entries: usize,
) -> Result<(), Failure> {
    let _task = ctx.out.phase(&create.name, &uploading(entries));
    known_names::keep(ctx, &client.send(create).await?).await;
    Ok(())
}

/// Returns the glossary with a name or ID, once it is ready; `None` if no glossary has the name.
async fn find(ctx: &Context, client: &Client, text: &str) -> Result<Option<Kept<Glossary>>, Failure> {
    if named::is_uuid(text) {
        return client.send(&GetGlossary { glossary_id: text.to_owned() }).await.map(Some);
    }
    match named::pick(named::all_glossaries(ctx).await?, text) {
        Ok(glossary) if !glossary.is_ready() && !ctx.args.dry_run => {
            named::wait_for_glossary(ctx, &glossary.glossary_id).await.map(Some)
        }
        Ok(glossary) => Ok(Some(glossary)),
        Err(failure) if failure.kind == Kind::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Reads the dictionaries that the service has for the files.
async fn read_current<'a>(
    ctx: &Context,
    client: &Client,
    glossary: Option<&Glossary>,
    files: &'a [LoadedDictionary],
) -> Result<Vec<(&'a LoadedDictionary, Option<Dictionary>)>, Failure> {
    let mut compared = Vec::with_capacity(files.len());
    for file in files {
        let current = match glossary.filter(|glossary| may_have(glossary, &file.pair)) {
            Some(glossary) => {
                RemoteDictionary::new(ctx, client, &glossary.glossary_id, &file.pair).read_if_exists().await?
            }
            None => None,
        };
        compared.push((file, current));
    }
    Ok(compared)
}

/// Returns whether a glossary may have a dictionary of a pair.
///
/// The reply may leave out all dictionaries. To take them for new would replace entries that only the service has.
fn may_have(glossary: &Glossary, pair: &LanguagePair) -> bool {
    glossary.dictionaries.is_empty() || glossary.dictionary(pair).is_some()
}

/// Lists what only the service has and stays.
fn show_kept(ctx: &Context, plan: &GlossarySyncPlan<'_>) {
    for planned in plan.0.iter().filter(|planned| planned.step.kept > 0) {
        let (pair, kept) = (&planned.pair, planned.step.kept);
        let Some(file) = planned.file else {
            ctx.out.status(&format!("only on the service: dictionary {pair}"));
            continue;
        };
        let diff = DictionaryDiff::between(&planned.old, &file.dictionary);
        let not_in_file = diff.entries.iter().filter(|entry| entry.change == EntryChange::Removed);
        for entry in not_in_file.take(LISTED) {
            ctx.out.status(&format!("only on the service: {pair}: {}", entry.source));
        }
        if kept > LISTED {
            let more = kept - LISTED;
            ctx.out.status(&format!("only on the service: {pair}: {more} more, see `tulk glossary diff`"));
        }
    }
}

/// Applies the plan to an existing glossary, and counts the steps that are `done`. Dictionaries are deleted last.
async fn apply(
    ctx: &Context,
    client: &Client,
    glossary_id: &str,
    plan: &GlossarySyncPlan<'_>,
    done: &mut usize,
) -> Result<(), Failure> {
    for planned in &plan.0 {
        let remote = RemoteDictionary::new(ctx, client, glossary_id, &planned.pair);
        match (planned.step.action, planned.file) {
            (SyncAction::Add | SyncAction::Replace, Some(file)) => {
                remote.replace(file.content()).await?;
            }
            (SyncAction::Merge, Some(file)) => {
                let entries = DictionaryDiff::between(&planned.old, &file.dictionary).to_merge();
                remote.merge(files::tsv_content(&planned.pair, &entries)).await?;
            }
            (SyncAction::Delete, _) => remote.delete().await?,
            _ => {}
        }
        *done += 1;
    }
    Ok(())
}
