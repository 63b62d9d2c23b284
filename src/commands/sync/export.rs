//! `tulk sync export`: writes the texts of one language to a file for a translator.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode};
use tulk_base::numbers::{counted, grouped};
use tulk_base::shell;
use tulk_base::suggest::one_line;
use tulk_catalogs::exchange::ExchangeFormat;
use tulk_sync::exchange::texts_to_translate;
use tulk_sync::journal::Journal;
use tulk_sync::plan::{PlanRequest, SyncPlan};
use tulk_sync::state::UnitState;

use super::result;
use super::select::{LoadedProject, SelectArgs};
use crate::command::{CommandSpec, EXCHANGE, Run};
use crate::config::OutputFormat;
use crate::context::Context;

/// Write the texts of a language to a file for a translator
///
/// Writes the texts that no person has translated, and those whose source has changed since. The format is XLIFF 1.2,
/// unless the extension of -o or --format selects another one. `tulk sync import` reads the translated file.
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_text()
    .formats(EXCHANGE)
    .with_common_options(&["to", "file", "state", "output", "force"]))]
#[command(after_help = "tulk sync export --to de -o shop.de.xlf\n\
                        tulk sync export --to de --state missing,review -o shop.de.csv")]
pub struct SyncExportArgs {
    #[command(flatten)]
    pub select: SelectArgs,
    /// States to write, comma-separated [default: all but edited and same]
    #[arg(long, value_enum, value_name = "STATE", value_delimiter = ',')]
    pub state: Vec<ExportState>,
    /// File to write: .xlf, .po or .csv [default: stdout]
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExportState {
    /// No translation
    Missing,
    /// The source has changed since tulk translated it
    Stale,
    /// The source has changed since a person translated it
    Review,
    /// The last result was unusable
    Failed,
    /// The translation is broken
    Broken,
    /// Translated by tulk; no person has looked at it
    Current,
    /// Equal to the source
    Same,
    /// Written by a person
    Edited,
}

impl ExportState {
    fn state(self) -> UnitState {
        match self {
            Self::Missing => UnitState::Missing,
            Self::Stale => UnitState::Stale,
            Self::Review => UnitState::Review,
            Self::Failed => UnitState::Failed,
            Self::Broken => UnitState::Broken,
            Self::Current => UnitState::Current,
            Self::Same => UnitState::Same,
            Self::Edited => UnitState::Edited,
        }
    }
}

impl Run for SyncExportArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let format = self.format(ctx)?;
        let is_kept = |path: &&PathBuf| !self.force && !files::is_special(path) && path.symlink_metadata().is_ok();
        if let Some(path) = self.file() {
            files::check_shared(path)?;
        }
        if let Some(path) = self.file().filter(is_kept) {
            let hint = "--force replaces it and loses translations in it that were not imported";
            return Err(Failure::usage(format!("{} exists", path.display())).hint(hint).into());
        }
        let loaded = LoadedProject::read(ctx, &self.select)?;
        let langs = loaded.langs(&self.select, false)?;
        let [lang] = langs.as_slice() else {
            let known: Vec<&str> = langs.iter().filter_map(|lang| tag(&loaded, *lang)).collect();
            let failure = Failure::usage("a file for a translator has one language");
            return Err(failure.hint(format!("choose one with --to: {}", known.join(", "))).into());
        };
        let target = tag(&loaded, *lang).unwrap_or_default();
        let (selection, keys) = loaded.selection(&self.select, vec![*lang], |_| true)?;
        let LoadedProject { project, files, lock } = &loaded;
        let journal = Journal::open_read_only(project.root.real());
        let plan =
            SyncPlan::new(PlanRequest { project, files, lock, journal: journal.as_ref(), selection: &selection });
        for warning in &plan.warnings {
            ctx.out.warn(warning);
        }
        result::check_readable(ctx, &plan)?;
        keys.check(&plan)?;
        let wanted: Vec<UnitState> = self.state.iter().map(|state| state.state()).collect();
        let is_wanted = |state| match wanted.as_slice() {
            [] => !matches!(state, UnitState::Edited | UnitState::Same | UnitState::Extra),
            wanted => wanted.contains(&state),
        };
        let (texts, states) = texts_to_translate(project, files, &plan.targets, is_wanted)?;
        if texts.is_empty() {
            ctx.out.status(&format!("no text in {target} needs a translator"));
            return Ok(result::report_unreadable(ctx, &plan.unreadable)?);
        }
        let source = project.settings.source_lang.tag.as_str();
        let written = format.write([source, target], &texts).map_err(Failure::usage)?;
        match self.file() {
            Some(path) if ctx.args.dry_run => {
                ctx.out.status(&format!("would write {}", summary(&path.display().to_string(), &states)));
            }
            Some(path) => {
                files::write_atomic(path, written.as_bytes(), FileMode::Inherit)?;
                ctx.out.status(&format!("wrote {}", summary(&path.display().to_string(), &states)));
                if !files::is_special(path) {
                    let command = shell::command_line(["tulk", "sync", "import", path.to_str().unwrap_or("FILE")]);
                    ctx.out.hint(&format!("import the translations later with `{command}`"));
                }
            }
            None => ctx.out.text(written)?,
        }
        Ok(result::report_unreadable(ctx, &plan.unreadable)?)
    }
}

impl SyncExportArgs {
    /// `None` for stdout.
    fn file(&self) -> Option<&PathBuf> {
        self.output.as_ref().filter(|path| *path != Path::new("-"))
    }

    /// Returns the format of `--format`, or else the one for the file extension.
    fn format(&self, ctx: &Context) -> Result<ExchangeFormat, Failure> {
        match ctx.out.settings().format_or(OutputFormat::Auto) {
            OutputFormat::Xliff2 => return Ok(ExchangeFormat::Xliff2),
            OutputFormat::Xliff => return Ok(ExchangeFormat::Xliff),
            OutputFormat::Po => return Ok(ExchangeFormat::Po),
            OutputFormat::Csv => return Ok(ExchangeFormat::Csv),
            _ => {}
        }
        let path = self.file().filter(|path| !files::is_special(path));
        let ending = path.and_then(|path| path.extension()).map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            None | Some("xlf" | "xliff" | "xml") => Ok(ExchangeFormat::Xliff),
            Some("po") => Ok(ExchangeFormat::Po),
            Some("csv") => Ok(ExchangeFormat::Csv),
            Some(other) => {
                let failure = Failure::usage(format!("-o: unknown file extension .{}", one_line(other)));
                Err(failure.hint("end the name with .xlf, .po or .csv, or choose the format with --format"))
            }
        }
    }
}

fn tag(loaded: &LoadedProject, lang: usize) -> Option<&str> {
    loaded.project.settings.langs.get(lang).map(|lang| lang.tag.as_str())
}

fn summary(path: &str, states: &[UnitState]) -> String {
    let mut counts: Vec<(UnitState, u64)> = Vec::new();
    for state in states {
        match counts.iter_mut().find(|(other, _)| other == state) {
            Some((_, count)) => *count += 1,
            None => counts.push((*state, 1)),
        }
    }
    let counts: Vec<String> =
        counts.iter().map(|(state, count)| format!("{} {}", grouped(*count), state.name())).collect();
    format!("{path}: {} ({})", counted(states.len(), "text"), counts.join(", "))
}
