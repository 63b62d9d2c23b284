//! `tulk glossary sync`: plan, show, ask, apply. Twice in a row it only reads.

use clap::Args;

use crate::api::glossary::{CreateGlossary, DeleteDictionary, GetGlossary, Glossary, LanguagePair};
use crate::commands::named;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::input::dictionary::{Change, Dictionary, Diff};
use crate::json::Kept;

use super::change;
use super::files::{self, FileArgs, Loaded, PairFile};
use super::plan::{Action, Step};

/// Entries only on the service that are listed by name.
const LISTED: usize = 20;

/// Make a glossary what the files are
#[derive(Args, Debug)]
pub struct SyncArgs {
    /// Name or ID; a name that nobody has is made
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// A pair and its file, such as en:de=terms.tsv
    #[arg(value_name = "PAIR=FILE", required = true, value_parser = files::pair_file)]
    pub dictionaries: Vec<PairFile>,
    /// Remove entries and dictionaries that have no file
    #[arg(long)]
    pub prune: bool,
    /// How the files are read.
    #[command(flatten)]
    pub files: FileArgs,
}

/// What is going to happen to one dictionary, with what that needs.
struct Work<'a> {
    step: Step,
    pair: LanguagePair,
    file: Option<&'a Loaded>,
    old: Dictionary,
}

/// Makes a glossary what the files are.
pub async fn run(ctx: &Context, args: SyncArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let loaded = files::load_all(ctx, &args.dictionaries, &args.files)?;
    let client = ctx.client().await?;
    let glossary = find(ctx, client, &args.glossary).await?;
    let plan = plan(client, glossary.as_ref(), &loaded, args.prune).await?;
    let steps: Result<Vec<_>, Failure> = plan.iter().map(|work| Kept::made(work.step.clone())).collect();
    ctx.out.list(&steps?)?;
    list_kept(ctx, &plan);
    if ctx.args.dry_run || !plan.iter().any(|work| work.step.action.is_change()) {
        return Ok(());
    }
    ask(ctx, &args.glossary, &plan)?;
    apply(client, glossary.as_ref(), &args.glossary, &plan).await?;
    Ok(())
}

/// The glossary by name or ID; `None` when the name is free.
async fn find(ctx: &Context, client: &Client, text: &str) -> Result<Option<Kept<Glossary>>, Failure> {
    if named::is_uuid(text) {
        return client.send(&GetGlossary { glossary_id: text.to_owned() }).await.map(Some);
    }
    match named::pick(named::all_glossaries(ctx).await?, text) {
        Ok(glossary) if !glossary.is_ready() && !ctx.args.dry_run => {
            named::await_glossary(ctx, &glossary.glossary_id).await.map(Some)
        }
        Ok(glossary) => Ok(Some(glossary)),
        Err(failure) if failure.kind == Kind::NotFound => Ok(None),
        Err(failure) => Err(failure),
    }
}

async fn plan<'a>(
    client: &Client,
    glossary: Option<&Kept<Glossary>>,
    loaded: &'a [Loaded],
    prune: bool,
) -> Result<Vec<Work<'a>>, Failure> {
    let mut plan = Vec::new();
    for file in loaded {
        let pair = file.pair.clone();
        let (step, old) = match glossary {
            None => (Step::whole(Action::Create, &pair, file.dictionary.len()), Dictionary::default()),
            Some(glossary) if glossary.dictionary(&pair).is_none() => {
                (Step::whole(Action::Add, &pair, file.dictionary.len()), Dictionary::default())
            }
            Some(glossary) => {
                let old = change::read(client, &glossary.glossary_id, &pair).await?;
                (Step::between(&pair, &old, &file.dictionary, prune), old)
            }
        };
        plan.push(Work { step, pair, file: Some(file), old });
    }
    for info in glossary.iter().flat_map(|glossary| &glossary.dictionaries) {
        if loaded.iter().any(|file| file.pair.matches(&info.source_lang, &info.target_lang)) {
            continue;
        }
        let pair = LanguagePair::from_codes(&info.source_lang, &info.target_lang)?;
        let action = if prune { Action::Delete } else { Action::Keep };
        let entries = usize::try_from(info.entry_count.unwrap_or(0)).unwrap_or(usize::MAX);
        plan.push(Work { step: Step::whole(action, &pair, entries), pair, file: None, old: Dictionary::default() });
    }
    Ok(plan)
}

/// Names what is only on the service and stays.
fn list_kept(ctx: &Context, plan: &[Work<'_>]) {
    for work in plan.iter().filter(|work| work.step.kept > 0) {
        let Some(file) = work.file else {
            ctx.out.status(&format!("only on the service: dictionary {}", work.pair));
            continue;
        };
        let diff = Diff::between(&work.old, &file.dictionary);
        let kept = diff.entries.iter().filter(|entry| entry.change == Change::Removed);
        for entry in kept.take(LISTED) {
            ctx.out.status(&format!("only on the service: {}: {}", work.pair, entry.source));
        }
        if work.step.kept > LISTED {
            let more = work.step.kept - LISTED;
            ctx.out.status(&format!("only on the service: {}: {more} more, see `tulk glossary diff`", work.pair));
        }
    }
}

fn ask(ctx: &Context, glossary: &str, plan: &[Work<'_>]) -> Result<(), Failure> {
    let entries: usize = plan.iter().filter(|w| w.step.action == Action::Replace).map(|w| w.step.removed).sum();
    let dictionaries = plan.iter().filter(|w| w.step.action == Action::Delete).count();
    let what = match (entries, dictionaries) {
        (0, 0) => return Ok(()),
        (_, 0) => format!("{entries} entries"),
        (0, _) => format!("{dictionaries} dictionaries"),
        _ => format!("{entries} entries and {dictionaries} dictionaries"),
    };
    super::confirm(ctx, &format!("remove {what} of glossary `{glossary}`"))
}

/// Carries a plan out; what deletes comes last.
async fn apply(
    client: &Client,
    glossary: Option<&Kept<Glossary>>,
    name: &str,
    plan: &[Work<'_>],
) -> Result<(), Failure> {
    let Some(glossary) = glossary else {
        let dictionaries = plan.iter().filter_map(|work| work.file).map(Loaded::content).collect();
        client.send(&CreateGlossary { name: name.to_owned(), dictionaries }).await?;
        return Ok(());
    };
    let id = &glossary.glossary_id;
    for work in plan {
        match (work.step.action, work.file) {
            (Action::Add | Action::Replace, Some(file)) => {
                change::put(client, id, file.content()).await?;
            }
            (Action::Merge, Some(file)) => {
                let news = Diff::between(&work.old, &file.dictionary).to_merge();
                change::merge(client, id, &work.pair, files::content(&work.pair, &news)).await?;
            }
            (Action::Delete, _) => {
                client.send(&DeleteDictionary { glossary_id: id.clone(), pair: work.pair.clone() }).await?;
            }
            _ => {}
        }
    }
    Ok(())
}
