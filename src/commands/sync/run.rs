//! `tulk sync` without a subcommand: plans the run, shows the plan and carries it out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use tulk_base::error::{Failure, Kind};
use tulk_base::numbers::{counted, grouped};
use tulk_client::http::answer::Answer;
use tulk_client::http::request::Request;
use tulk_pipeline::{Call, RunOptions};
use tulk_sync::compare::ComparedUnit;
use tulk_sync::journal::Journal;
use tulk_sync::lock::TargetAuthor;
use tulk_sync::parallel::parallel_map;
use tulk_sync::plan::{PlanRequest, SyncPlan};
use tulk_sync::run::{self, Retranslate, RowState, SyncGroup, SyncOutcome, SyncProgress, SyncRows, SyncRun};
use tulk_sync::state::UnitState;

use super::requests::{SyncRequests, SyncService, requests};
use super::result;
use super::rows::{PlanRow, SKIPPED};
use super::select::{ChosenKeys, LoadedProject, SelectArgs};
use super::sent_codes::settle_codes;
use crate::config::OutputFormat;
use crate::context::Context;
use crate::output::{ProgressUnit, TaskName};
use crate::runs::client_call::ClientCall;
use crate::runs::result_cache::{self, ResultCacheArgs};

const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug)]
pub struct SyncRunArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    /// List missing, stale and broken texts, offline; exit 1 if there are any
    #[arg(long, conflicts_with_all = ["prune", "retranslate", "max_characters", "cache", "no_cache"])]
    pub check: bool,
    /// With --check, also list texts in the states extra and same
    #[arg(long, requires = "check")]
    pub strict: bool,
    /// Remove translations whose keys are gone from the source
    ///
    /// With N, only if exactly N would be removed. N is required if a source has no texts at all.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "the form that clap has for an option with an optional value")]
    pub prune: Option<Option<usize>>,
    /// Translate texts again, by state, comma-separated
    #[arg(long, value_enum, value_name = "STATE", value_delimiter = ',')]
    pub retranslate: Vec<RetranslateChoice>,
    /// Maximum number of characters to send, for all languages
    #[arg(long, value_name = "N", help_heading = "Running")]
    pub max_characters: Option<u64>,
    #[command(flatten)]
    pub cache: ResultCacheArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RetranslateChoice {
    /// Texts that tulk translated
    All,
    /// Texts whose source changed after a person translated them
    Review,
    /// Texts that a person wrote; asks first
    Edited,
    /// Texts whose last result was unusable
    Failed,
    /// Texts that equal their source
    Same,
    /// Broken texts that a person wrote; asks first
    #[value(alias = "invalid")]
    Broken,
}

impl RetranslateChoice {
    fn choice(self) -> Retranslate {
        match self {
            Self::All => Retranslate::All,
            Self::Review => Retranslate::Review,
            Self::Edited => Retranslate::Edited,
            Self::Failed => Retranslate::Failed,
            Self::Same => Retranslate::Same,
            Self::Broken => Retranslate::Broken,
        }
    }
}

struct PreparedRun {
    loaded: LoadedProject,
    plan: SyncPlan,
    keys: ChosenKeys,
    groups: Vec<SyncGroup>,
    rows: SyncRows,
    /// Number of human translations that break a rule and are not translated again.
    broken_by_people: u64,
    journal: Option<Journal>,
    is_pseudo: bool,
}

pub async fn run(ctx: &Context, args: SyncRunArgs) -> Result<(), anyhow::Error> {
    let settings = ctx.out.settings();
    if settings.format() == OutputFormat::Github {
        return Err(Failure::usage("--format github needs --check").into());
    }
    let mut prepared = prepare(ctx, &args)?;
    let plan = &prepared.plan;
    for warning in &plan.warnings {
        ctx.out.warn(warning);
    }
    result::check_readable(ctx, plan)?;
    prepared.keys.check(plan)?;
    check_vanished(ctx, &prepared)?;
    check_prune(&args, &prepared)?;
    let sent = prepared.groups.iter().filter(|group| !group.work.entries.is_empty());
    let sent: Vec<usize> = sent.map(|group| group.lang).collect();
    if !sent.is_empty() && !prepared.is_pseudo {
        settle_codes(ctx, &mut prepared.loaded.project.settings, &sent).await?;
    }
    let service = SyncService::of_run(ctx, &prepared.groups, prepared.is_pseudo).await?;
    let SyncRequests { jobs, cache } = requests(ctx, &prepared.loaded, &prepared.groups, &service, args.cache).await?;
    let identity = service.results_identity.unwrap_or_default();
    let questions = questions(&args, plan);
    let shows_plan = ctx.args.dry_run || !(questions.is_empty() || ctx.args.yes);
    let needs_counts = shows_plan || has_limit(&args, &prepared);
    let counted = parallel_map(prepared.groups.iter().zip(&jobs).collect(), |(group, job)| {
        let how = (cache.as_deref(), !ctx.args.no_check);
        if !needs_counts {
            // Only the options must be checked, so treat every entry as one that needs no request.
            return run::count_requests(plan, group, job, how, |_| true);
        }
        let known = run::known_entries(&identity, plan, group, job, prepared.journal.as_ref());
        run::count_requests(plan, group, job, how, |entry| known.contains(&entry))
    });
    let (mut characters, mut too_large) = (Vec::with_capacity(jobs.len()), Vec::new());
    for counted in counted {
        let (rows, failures) = counted?;
        too_large.extend(failures);
        characters.push(rows.total().characters);
        prepared.rows.add(&rows);
    }
    check_characters(&args, &prepared, &characters)?;
    if ctx.args.dry_run {
        let rows = PlanRow::all(&prepared.loaded.project, &prepared.loaded.files, &prepared.rows);
        let planned = result::planned(&rows);
        result::show_rows(ctx, rows)?;
        if ctx.out.settings().stderr_is_terminal && planned.texts > 0 {
            planned.print_planned(ctx).await;
        }
        result::warn_too_large(ctx, &too_large);
        result::report_states(ctx, plan, prepared.broken_by_people);
        return Ok(result::report_unreadable(ctx, &plan.unreadable)?);
    }
    result::describe(ctx, &prepared.rows, plan, prepared.broken_by_people);
    if shows_plan {
        let rows = PlanRow::all(&prepared.loaded.project, &prepared.loaded.files, &prepared.rows);
        let rows: Vec<PlanRow> = rows.into_iter().filter(|row| row.units > 0 && row.state != SKIPPED).collect();
        result::show_plan(ctx, &rows);
    }
    questions.iter().try_for_each(|question| ctx.confirm(question))?;
    let PreparedRun { loaded, plan, groups, rows: planned, broken_by_people, journal, is_pseudo, .. } = prepared;
    let LoadedProject { project, files, lock } = loaded;
    let options = RunOptions { check: !ctx.args.no_check, results: cache, ..RunOptions::default() };
    let (prune, is_whole) = (args.prune.is_some(), args.select.is_whole_project());
    let sync = Arc::new(SyncRun { project, files, plan, identity, prune, is_whole, is_pseudo });
    // The process exits soon, so freeing large data would only take time: keep an extra reference.
    std::mem::forget(sync.clone());
    let started = Instant::now();
    let outcome = carry_out(ctx, &sync, groups, &jobs, (lock, journal), &options).await?;
    result_cache::finish(ctx, &options).await;
    Ok(result::finish(ctx, &sync, &planned, (broken_by_people, &args.select), outcome, started.elapsed())?)
}

fn prepare(ctx: &Context, args: &SyncRunArgs) -> Result<PreparedRun, Failure> {
    let mut loaded = LoadedProject::read(ctx, &args.select)?;
    let all_langs = &loaded.project.settings.langs;
    let is_sandbox = ctx.is_sandbox()?;
    let is_pseudo = is_sandbox && all_langs.iter().any(|lang| lang.is_pseudo);
    if is_sandbox && !is_pseudo && !ctx.args.dry_run {
        let own: Vec<&str> = all_langs.iter().map(|lang| lang.tag.as_str()).collect();
        let what = format!("the sandbox does not write your languages ({})", own.join(", "));
        return Err(Failure::usage(what).hint(
            "add `pseudo_langs = [\"en-XA\"]` to tulk.toml, or start a server with tulk sandbox serve and sync without --sandbox \
             and TULK_SANDBOX, with TULK_SERVER=ADDRESS TULK_API_KEY=sandbox",
        ));
    }
    let langs = loaded.langs(&args.select, is_pseudo)?;
    let root = loaded.project.root.real();
    let journal = match (ctx.args.dry_run, is_pseudo) {
        (true, _) => Journal::open_read_only(root),
        (_, true) => None,
        _ => Some(Journal::open(root)?),
    };
    loaded.refresh_lock();
    let mut choices: Vec<Retranslate> = args.retranslate.iter().map(|choice| choice.choice()).collect();
    if is_pseudo {
        choices = vec![
            Retranslate::All,
            Retranslate::Review,
            Retranslate::Edited,
            Retranslate::Failed,
            Retranslate::Same,
            Retranslate::Broken,
        ];
    }
    let lists_own = choices.contains(&Retranslate::All);
    let lists_edited = choices.contains(&Retranslate::Edited);
    let lists = move |unit: &ComparedUnit| {
        let is_own = unit.entry.is_some_and(|entry| entry.author == TargetAuthor::Tulk);
        is_pseudo
            || (lists_own && (is_own || unit.state == UnitState::Current))
            || (lists_edited && unit.state == UnitState::Edited)
    };
    let (selection, keys) = loaded.selection(&args.select, langs, lists)?;
    let plan = SyncPlan::new(PlanRequest {
        project: &loaded.project,
        files: &loaded.files,
        lock: &loaded.lock,
        journal: journal.as_ref(),
        selection: &selection,
    });
    let (groups, mut rows) = run::groups(&loaded.project, &loaded.files, &plan, &choices);
    for target in plan.targets.iter().filter(|target| args.prune.is_some() && !target.extra.is_empty()) {
        rows.row((target.file, target.lang, RowState::Pruned)).units = target.extra.len() as u64;
    }
    let units = plan.targets.iter().flat_map(|target| &target.units);
    let is_kept = |unit: &&ComparedUnit| unit.state == UnitState::Broken && !run::is_translated(unit, &choices);
    let broken_by_people = units.filter(is_kept).count() as u64;
    Ok(PreparedRun { loaded, plan, keys, groups, rows, broken_by_people, journal, is_pseudo })
}

/// Fails if more than half of the texts have a translation in the lock but not in the target file, which was probably renamed.
fn check_vanished(ctx: &Context, prepared: &PreparedRun) -> Result<(), Failure> {
    if ctx.args.yes || prepared.is_pseudo {
        return Ok(());
    }
    let LoadedProject { project, files, .. } = &prepared.loaded;
    for target in &prepared.plan.targets {
        let (file, lang) = (files.get(target.file), project.settings.langs.get(target.lang));
        let has_journal = file.zip(lang).is_some_and(|(file, lang)| {
            prepared.journal.as_ref().is_some_and(|journal| journal.has_written(&file.lock_name, &lang.tag))
        });
        if !has_journal && target.vanished * 2 > target.counts.units() {
            let path = target.path.display();
            let what = format!(
                "{} of {} translations in {path} are gone",
                grouped(target.vanished),
                grouped(target.counts.units())
            );
            return Err(Failure::usage(what)
                .hint("if the file was renamed, use `git mv` on the translations too; --yes translates them again"));
        }
    }
    Ok(())
}

/// Fails if `--prune=N` does not match the number of translations to remove, or if N is missing and a source has no
/// texts: that file was probably emptied by mistake.
fn check_prune(args: &SyncRunArgs, prepared: &PreparedRun) -> Result<(), Failure> {
    let Some(expected) = args.prune else { return Ok(()) };
    let targets = || prepared.plan.targets.iter().filter(|target| !target.extra.is_empty());
    let extra: usize = targets().map(|target| target.extra.len()).sum();
    let removed = counted(extra, "translation");
    match (expected, targets().find(|target| target.source.units.units.is_empty())) {
        (Some(expected), _) if expected != extra => {
            let what = format!("--prune={expected} is refused: {removed} would be removed");
            Err(Failure::usage(what).hint("`tulk sync status` counts them as extra"))
        }
        (None, Some(emptied)) => {
            let what = format!("{} has no texts; --prune would remove {removed}", emptied.source.loaded.name);
            Err(Failure::usage(what)
                .hint(format!("restore its texts, or remove the translations with --prune={extra}")))
        }
        _ => Ok(()),
    }
}

fn has_limit(args: &SyncRunArgs, prepared: &PreparedRun) -> bool {
    let options = prepared.groups.iter().map(|group| &group.options);
    let mut options = options.chain([&prepared.loaded.project.settings.options]);
    args.max_characters.is_some() || options.any(|options| options.contains_key("max_characters"))
}

fn check_characters(args: &SyncRunArgs, prepared: &PreparedRun, characters: &[u64]) -> Result<(), Failure> {
    let project = &prepared.loaded.project;
    let of_project = project.settings.options.get("max_characters").and_then(serde_json::Value::as_u64);
    let total: u64 = characters.iter().sum();
    let limit = args.max_characters.or(of_project);
    if let Some(limit) = limit.filter(|limit| total > *limit) {
        let name = if args.max_characters.is_some() { "--max-characters" } else { "max_characters" };
        let what = format!("the plan sends {}; {name} is {}", counted(total, "character"), grouped(limit));
        return Err(
            Failure::new(Kind::Quota, what).hint("nothing was sent; choose languages with --to, or raise the limit")
        );
    }
    for (group, sent) in prepared.groups.iter().zip(characters) {
        let own = group.options.get("max_characters").and_then(serde_json::Value::as_u64);
        if let Some(limit) = own.filter(|limit| own != of_project && args.max_characters.is_none() && sent > limit) {
            let lang = project.settings.langs.get(group.lang).map(|lang| lang.tag.as_str()).unwrap_or_default();
            let what =
                format!("{lang}: the plan sends {}; max_characters is {}", counted(sent, "character"), grouped(limit));
            return Err(Failure::new(Kind::Quota, what).hint("nothing was sent; raise the limit in the project file"));
        }
    }
    Ok(())
}

fn questions(args: &SyncRunArgs, plan: &SyncPlan) -> Vec<String> {
    let mut questions = Vec::new();
    let extra: usize = plan.targets.iter().map(|target| target.extra.len()).sum();
    if args.prune.is_some() && extra > 0 {
        questions.push(format!("remove {} whose keys are gone", counted(extra, "translation")));
    }
    let replaces_edited = args.retranslate.contains(&RetranslateChoice::Edited);
    let replaces_broken = replaces_edited || args.retranslate.contains(&RetranslateChoice::Broken);
    let is_replaced = |unit: &&ComparedUnit| match unit.state {
        UnitState::Edited => replaces_edited,
        UnitState::Broken => replaces_broken && !unit.can_overwrite(),
        _ => false,
    };
    let edited: usize = plan.targets.iter().map(|target| target.units.iter().filter(is_replaced).count()).sum();
    if edited > 0 {
        let noun = if edited == 1 { "translation that a person wrote" } else { "translations that people wrote" };
        questions.push(format!("replace {} {noun}", grouped(edited)));
    }
    questions
}

/// The client of a run; `None` if it sends nothing.
struct RunClient<'a>(Option<ClientCall<'a>>);

impl Call for RunClient<'_> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        match &self.0 {
            Some(client) => client.call(request).await,
            None => Err(Failure::internal("a request that was not planned")),
        }
    }

    fn concurrency(&self) -> usize {
        self.0.as_ref().map_or(1, Call::concurrency)
    }
}

async fn carry_out(
    ctx: &Context,
    sync: &Arc<SyncRun>,
    groups: Vec<SyncGroup>,
    jobs: &[run::GroupJob],
    (lock, journal): (tulk_sync::lock::Lock, Option<Journal>),
    options: &RunOptions,
) -> Result<SyncOutcome, Failure> {
    let total: u64 = groups.iter().map(|group| group.work.entries.len() as u64).sum();
    let client = if total > 0 { Some(ClientCall(ctx.client().await?)) } else { None };
    let client = RunClient(client);
    let progress = SyncProgress::new(groups.len());
    let shows_progress = total > 0 && ctx.out.has_room_for_progress(false);
    let work = run::run(sync, groups, jobs, lock, journal, options, &progress, &client, &ctx.stop);
    tokio::pin!(work);
    let mut task = None;
    let outcome = loop {
        tokio::select! {
            biased;
            outcome = &mut work => break outcome,
            () = tokio::time::sleep(PROGRESS_INTERVAL), if shows_progress => {
                let task = task.get_or_insert_with(|| {
                    let task = ctx.out.progress(TaskName::new("sync"));
                    task.count("translating", ProgressUnit::Texts, Some(total));
                    task
                });
                task.set(progress.done());
            }
        }
    };
    if let Some(task) = task {
        task.finish();
    }
    Ok(outcome)
}
