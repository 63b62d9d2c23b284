//! `tulk sync import`: writes a translator's texts into the catalogues.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{ErrorReport, Failure, Kind};
use tulk_base::limits::CATALOG_FILE;
use tulk_base::numbers::{counted, grouped};
use tulk_base::suggest::one_line;
use tulk_catalogs::exchange::ReturnedFile;
use tulk_formats::input::whole;
use tulk_sync::exchange::{Import, ImportRequest, ImportState, PlannedImport};
use tulk_sync::journal::Journal;
use tulk_sync::load::failure_in;
use tulk_sync::plan::{PlanRequest, SyncPlan};
use tulk_sync::project::Project;
use tulk_sync::run::LockFile;

use super::result;
use super::rows::rows_with_raw;
use super::select::{LoadedProject, SelectArgs};
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::output::{Column, Row};

/// Import a translator's texts into the catalogues
///
/// Reads XLIFF 1.2 and 2, PO and CSV files that `tulk sync export` wrote and a translator has filled in. The texts
/// count as written by a person: only --retranslate edited translates them again. Placeholders, tags and plural forms
/// are checked.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<ImportRow>().asks_before_changes().checks_before_sending())]
#[command(after_help = "tulk sync import back.de.xlf --dry-run\ntulk sync import back.de.csv --to de")]
pub struct SyncImportArgs {
    /// File from the translator
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub input: PathBuf,
    /// Target language [default: the language of the file]
    #[arg(short = 't', long, visible_alias = "lang", value_name = "LANG", add = ValueKind::ProjectLanguages)]
    pub to: Option<String>,
    /// Also import texts that the file marks as unfinished
    #[arg(long)]
    pub unfinished: bool,
    /// Project file [default: the nearest tulk.toml, here or above]
    #[arg(long, value_name = "FILE")]
    pub project: Option<PathBuf>,
}

impl Run for SyncImportArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let name = self.input.display().to_string();
        let bytes = whole::read_bytes(&self.input, CATALOG_FILE)?;
        let mut select = SelectArgs { project: self.project.clone(), ..SelectArgs::default() };
        let mut loaded = LoadedProject::read(ctx, &select)?;
        let (file, returned) =
            ReturnedFile::read(&bytes).map_err(|error| failure_in(&name, &String::from_utf8_lossy(&bytes), &error))?;
        let file_lang = returned.language.as_deref().unwrap_or_default();
        let to = match &self.to {
            Some(to) => to.clone(),
            None => project_language(&loaded.project, file_lang)
                .ok_or_else(|| unknown_language(&name, file_lang, &loaded.project))?,
        };
        select.to.push(to);
        // Open the journal, which locks the project, so no other run writes the lock meanwhile.
        let root = loaded.project.root.real();
        let mut journal = if ctx.args.dry_run { Journal::open_read_only(root) } else { Some(Journal::open(root)?) };
        loaded.refresh_lock();
        let langs = loaded.langs(&select, false)?;
        let lang = langs.first().and_then(|lang| loaded.project.settings.langs.get(*lang));
        let lang = lang.map(|lang| lang.tag.clone()).unwrap_or_default();
        if let Some(other) =
            project_language(&loaded.project, file_lang).filter(|other| base_language(other) != base_language(&lang))
        {
            ctx.confirm(&format!("import translations from a file in {other} as {lang}"))?;
        }
        let (selection, _) = loaded.selection(&select, langs, |_| true)?;
        let LoadedProject { project, files, lock } = &loaded;
        let plan =
            SyncPlan::new(PlanRequest { project, files, lock, journal: journal.as_ref(), selection: &selection });
        result::check_readable(ctx, &plan)?;
        let planned = PlannedImport::new(ImportRequest {
            project,
            files,
            targets: &plan.targets,
            returned: (&name, &file.text),
            texts: &returned.texts,
            takes_unfinished: self.unfinished,
            checks: !ctx.args.no_check,
        })?;
        if planned.replaced > 0 {
            let noun =
                if planned.replaced == 1 { "translation that a person has" } else { "translations that people have" };
            ctx.confirm(&format!("replace {} {noun} changed since the export", grouped(planned.replaced)))?;
        }
        let mut lock = LockFile::new(project, lock.clone());
        let (import, is_changed) = planned.carry_out(&mut lock, ctx.args.dry_run)?;
        if is_changed && !ctx.args.dry_run {
            lock.write()?;
            if let Some(journal) = &mut journal {
                // The lock now records who wrote the targets, so drop them from the journal. Keep unused, billed results.
                journal.keep_unused(lock.lock(), |_| false)?;
            }
        }
        let rows = import.rows.iter().map(|((file, state), texts)| ImportRow {
            file: files.get(*file).map(|file| file.lock_name.clone()).unwrap_or_default(),
            target_lang: lang.clone(),
            state: state.name().to_owned(),
            texts: *texts,
        });
        ctx.out.list(&rows_with_raw(rows.collect())?)?;
        result::report_unreadable(ctx, &plan.unreadable)?;
        Ok(finish(ctx, &import)?)
    }
}

/// Returns the project language that a file is in. Translation tools may add a region to it, such as `de-DE`.
fn project_language(project: &Project, file_lang: &str) -> Option<String> {
    let file_lang = file_lang.replace('_', "-");
    let langs = || project.settings.langs.iter().filter(|lang| !lang.is_pseudo).map(|lang| lang.tag.as_str());
    let same = langs().find(|tag| tag.eq_ignore_ascii_case(&file_lang));
    let mut like = langs().filter(|tag| base_language(tag) == base_language(&file_lang));
    same.or_else(|| like.next().filter(|_| like.next().is_none())).map(str::to_owned)
}

/// Returns a language tag without region and script, in lower case.
fn base_language(tag: &str) -> String {
    tag.split('-').next().unwrap_or_default().to_ascii_lowercase()
}

fn unknown_language(name: &str, file_lang: &str, project: &Project) -> Failure {
    let known: Vec<&str> = project.settings.langs.iter().map(|lang| lang.tag.as_str()).collect();
    let what = match file_lang {
        "" => format!("{name} does not say its language"),
        file_lang => format!("{name} is in `{}`, which is not a target language of the project", one_line(file_lang)),
    };
    Failure::usage(what).hint(format!("choose the language with --to: {}", known.join(", ")))
}

/// Reports the texts that are in review or were not imported. Fails if some were refused.
fn finish(ctx: &Context, import: &Import) -> Result<(), Failure> {
    for (at, key) in &import.outdated {
        ctx.out.warn(&format!("{at}: {key}: its source has changed since the export; the translation is in review"));
    }
    for failure in &import.refused {
        ctx.out.item_error(&ErrorReport::new(&failure.clone().into()));
    }
    let count =
        |state| import.rows.iter().filter(|((_, other), _)| *other == state).map(|(_, texts)| texts).sum::<u64>();
    let unfinished = count(ImportState::Unfinished);
    if unfinished > 0 {
        let verb = if unfinished == 1 { "is" } else { "are" };
        ctx.out.hint(&format!(
            "{} {verb} marked as unfinished or incomplete; --unfinished takes what is complete",
            counted(unfinished, "text")
        ));
    }
    match import.refused.len() {
        0 => Ok(()),
        1 => Err(Failure::new(Kind::Partly, "1 text was not imported")),
        refused => Err(Failure::new(Kind::Partly, format!("{} were not imported", counted(refused, "text")))),
    }
}

/// Number of texts of a file that were imported, or that were left out for the same reason.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ImportRow {
    file: String,
    target_lang: String,
    state: String,
    texts: u64,
}

impl Row for ImportRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("file").rank(0),
        Column::text("target_lang").header("TO").rank(0),
        Column::text("state").rank(0),
        Column::count("texts"),
    ];
}
