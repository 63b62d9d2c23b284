//! `tulk glossary sync`: reads, plans, asks, applies. A second run only reads.
//!
//! The plan is made before anything is sent, from the files and from what the service has.

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::glossary::{CreateGlossary, GetGlossary, Glossary, LanguagePair};
use tulk_client::http::client::Client;
use tulk_formats::input::dictionary::{Dictionary, DictionaryDiff, EntryChange};

use super::files::{self, DictionaryFileOptions, LoadedDictionary, PairFile};
use super::remote::{RemoteDictionary, uploading};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, known_names, names};
use crate::output::{Cell, Column, Row};
use crate::reports::plan::{PlanOutput, SyncAction, removals};

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
            ctx.confirm(&format!("remove {removals} from glossary `{}`", self.glossary))?;
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

/// The action for one dictionary, with the number of entries it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlossarySyncStep {
    /// What happens.
    pub action: SyncAction,
    /// Source language of the dictionary.
    pub source_lang: String,
    /// Target language of the dictionary.
    pub target_lang: String,
    /// The number of added entries.
    pub added: usize,
    /// The number of entries that get another target.
    pub changed: usize,
    /// The number of removed entries.
    pub removed: usize,
    /// The number of entries that only the service has and that stay.
    pub kept: usize,
}

impl GlossarySyncStep {
    /// Creates a step for a whole dictionary. The action decides how its entries are counted.
    fn for_dictionary(action: SyncAction, pair: &LanguagePair, entries: usize) -> Self {
        let mut step = Self::new(action, pair);
        match action {
            SyncAction::Create | SyncAction::Add => step.added = entries,
            SyncAction::Delete => step.removed = entries,
            _ => step.kept = entries,
        }
        step
    }

    /// Creates the step that turns the entries of the service into those of a file.
    fn between(pair: &LanguagePair, old: &Dictionary, new: &Dictionary, prune: bool) -> Self {
        let diff = DictionaryDiff::between(old, new);
        let action = match (diff.removed > 0 && prune, diff.added + diff.changed > 0) {
            (true, _) => SyncAction::Replace,
            (false, true) => SyncAction::Merge,
            (false, false) => SyncAction::Same,
        };
        let (removed, kept) = if prune { (diff.removed, 0) } else { (0, diff.removed) };
        Self { added: diff.added, changed: diff.changed, removed, kept, ..Self::new(action, pair) }
    }

    /// Returns what is done in words, such as `replace en:de: 1 added, 2 removed`; `None` if nothing is.
    pub fn in_words(&self) -> Option<String> {
        let counts = [(self.added, "added"), (self.changed, "changed"), (self.removed, "removed")];
        self.action.in_words(&format!("{}:{}", self.source_lang, self.target_lang), &counts)
    }

    fn new(action: SyncAction, pair: &LanguagePair) -> Self {
        let (source_lang, target_lang) = (pair.source.to_string(), pair.target.to_string());
        Self { action, source_lang, target_lang, added: 0, changed: 0, removed: 0, kept: 0 }
    }
}

impl Row for GlossarySyncStep {
    const COLUMNS: &'static [Column] = &[
        Column::text("action").rank(0),
        Column::text("source_lang").header("FROM").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::count("added"),
        Column::count("changed"),
        Column::count("removed"),
        Column::count("kept"),
    ];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.action.word()),
            Cell::from(&self.source_lang),
            Cell::from(&self.target_lang),
            Cell::from(self.added),
            Cell::from(self.changed),
            Cell::from(self.removed),
            Cell::from(self.kept),
        ]
    }
}

/// A step with everything that is needed to carry it out.
pub struct PlannedDictionary<'a> {
    /// What happens.
    pub step: GlossarySyncStep,
    /// The language pair.
    pub pair: LanguagePair,
    /// The file; `None` for a dictionary that only the service has.
    pub file: Option<&'a LoadedDictionary>,
    /// The entries on the service, if they are compared with a file.
    pub old: Dictionary,
}

/// The steps of a run: the dictionaries with files first, in the order of the arguments.
pub struct GlossarySyncPlan<'a>(pub Vec<PlannedDictionary<'a>>);

impl<'a> GlossarySyncPlan<'a> {
    /// Plans a run.
    ///
    /// `files` are the files, each with the entries that the service has for its pair; `glossary` is `None` if it does
    /// not exist yet. With `prune`, entries and dictionaries without a file are removed.
    pub fn new(
        files: Vec<(&'a LoadedDictionary, Option<Dictionary>)>,
        glossary: Option<&Glossary>,
        prune: bool,
    ) -> Result<Self, Failure> {
        let pairs: Vec<&LanguagePair> = files.iter().map(|(file, _)| &file.pair).collect();
        let mut without_file = Vec::new();
        for info in glossary.into_iter().flat_map(|glossary| &glossary.dictionaries) {
            if pairs.iter().any(|pair| pair.matches(&info.source_lang, &info.target_lang)) {
                continue;
            }
            let pair = LanguagePair::from_codes(&info.source_lang, &info.target_lang)?;
            let action = if prune { SyncAction::Delete } else { SyncAction::Keep };
            let entries = usize::try_from(info.entry_count.unwrap_or(0)).unwrap_or(usize::MAX);
            let step = GlossarySyncStep::for_dictionary(action, &pair, entries);
            without_file.push(PlannedDictionary { step, pair, file: None, old: Dictionary::default() });
        }
        let new_action = if glossary.is_some() { SyncAction::Add } else { SyncAction::Create };
        let with_file = files.into_iter().map(|(file, old)| {
            let (pair, new) = (&file.pair, &file.dictionary);
            let step = match &old {
                Some(old) => GlossarySyncStep::between(pair, old, new, prune),
                None => GlossarySyncStep::for_dictionary(new_action, pair, new.len()),
            };
            PlannedDictionary { step, pair: pair.clone(), file: Some(file), old: old.unwrap_or_default() }
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
        let entries: usize = with(SyncAction::Replace).map(|planned| planned.step.removed).sum();
        let dictionaries = with(SyncAction::Delete).count();
        removals([(entries, "entry", "entries"), (dictionaries, "dictionary", "dictionaries")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(old: &[(&str, &str)], new: &[(&str, &str)], prune: bool) -> (SyncAction, [usize; 4]) {
        let (old, new) = (Dictionary::from_entries(old.iter().copied()), Dictionary::from_entries(new.iter().copied()));
        let step = GlossarySyncStep::between(&"en:de".parse().unwrap(), &old, &new, prune);
        (step.action, [step.added, step.changed, step.removed, step.kept])
    }

    #[test]
    fn replaces_a_dictionary_only_to_remove_entries() {
        let (ab, a, ab2) = ([("a", "1"), ("b", "2")], [("a", "1")], [("b", "3"), ("a", "1")]);
        assert_eq!(step(&ab, &ab, true), (SyncAction::Same, [0, 0, 0, 0]));
        assert_eq!(step(&a, &ab, true), (SyncAction::Merge, [1, 0, 0, 0]));
        assert_eq!(step(&ab, &ab2, false), (SyncAction::Merge, [0, 1, 0, 0]));
        assert_eq!(step(&ab, &a, true), (SyncAction::Replace, [0, 0, 1, 0]));
        assert_eq!(step(&ab, &a, false), (SyncAction::Same, [0, 0, 0, 1]));
    }
}
