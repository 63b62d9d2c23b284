//! `tulk config edit`: opens a copy of the settings file in an editor, and replaces the file if the copy is valid.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::process::{Child, ExitStatus};

use clap::Args;
use tulk_base::error::{Failure, FileContext as _, Kind, io_message};
use tulk_base::files::{self, FileMode, ReadContent};
use tulk_base::limits::SETTINGS_FILE;
use tulk_base::stop::{self, ChildEnd, InterruptsHeld, Stop};

use crate::command::{CommandSpec, Run};
use crate::config::file::SettingsFile;
use crate::config::{env, settings_path};
use crate::context::Context;

/// Edit the settings file in $VISUAL or $EDITOR
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result())]
#[command(after_help = "tulk config edit")]
pub struct ConfigEditArgs {}

impl Run for ConfigEditArgs {
    /// An invalid copy is kept, and the error names its path.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let path = settings_path(&ctx.args)?;
        let old = match files::read_bounded(&path, SETTINGS_FILE) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
            read => Some(read.file_context("read", &path)?),
        };
        let is_changed = |new: &[u8]| new != old.as_deref().unwrap_or_default();
        let copy = create_copy(&path, old.as_deref().unwrap_or_default())?;
        let kept = format!("nothing was changed; your version is in {}", copy.display());
        run_editor(&copy).map_err(|failure| {
            if copy.exists() && !files::has_content(&copy, old.as_deref().unwrap_or_default()) {
                return failure.hint(kept.clone());
            }
            let _ = std::fs::remove_file(&copy);
            failure
        })?;
        let new = files::read_text_bounded(&copy, SETTINGS_FILE).file_context("read", &copy)?;
        SettingsFile::parse(&copy, &new, &super::schema(ctx)).map_err(|f| f.hint(kept.clone()))?;
        if is_changed(new.as_bytes()) && ctx.args.dry_run {
            ctx.out.status(&format!("would change {}", path.display()));
        } else if is_changed(new.as_bytes()) {
            let _lock = super::lock(&path)?;
            if !files::write_over(&path, new.as_bytes(), FileMode::Settings, &ReadContent::of(old.as_deref()))? {
                return Err(Failure::usage(format!("{} was changed by another process", path.display()))
                    .hint(kept)
                    .into());
            }
        }
        let _ = std::fs::remove_file(&copy);
        Ok(())
    }
}

/// Creates a copy with a unique name, because a copy from an earlier edit may still be needed.
fn create_copy(path: &Path, bytes: &[u8]) -> Result<std::path::PathBuf, Failure> {
    let target = files::follow_links(path);
    let dir = files::parent_dir(&target);
    let fail = |e: std::io::Error| Failure::file("write", dir, &e);
    files::make_dirs(dir, FileMode::Private)?;
    let mut file = tempfile::Builder::new().prefix("config.").suffix(".edit.toml").tempfile_in(dir).map_err(fail)?;
    file.write_all(bytes).map_err(fail)?;
    file.into_temp_path().keep().map_err(|e| fail(e.error))
}

fn run_editor(copy: &Path) -> Result<(), Failure> {
    let editor = env::EDITORS.iter().find_map(|v| env::text(v)).unwrap_or_else(|| stop::DEFAULT_EDITOR.to_owned());
    // Use a shell, because the variable may contain arguments.
    let mut shell = stop::shell_with_file(&editor, copy);
    // On a terminal, Ctrl-C is meant for the editor.
    let _held = std::io::stdin().is_terminal().then(InterruptsHeld::begin);
    let ended = stop::run_child(&mut shell, None, Child::wait).and_then(|end| match end {
        ChildEnd::Ended(status) => status.map(Ok),
        ChildEnd::Stopped(kind) => Ok(Err(kind)),
        ChildEnd::TimedOut => Err(std::io::ErrorKind::TimedOut.into()),
    });
    let ended = ended.map_err(|e| {
        Failure::usage(format!("cannot run the editor `{editor}`: {}", io_message(&e))).hint("set VISUAL or EDITOR")
    })?;
    let status = match ended {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) if is_interrupt(status) => return Err(Stop::failure(Kind::Interrupted, None)),
        Ok(status) => status,
        Err(kind) => return Err(Stop::failure(kind, None)),
    };
    Err(Failure::usage(format!("the editor `{editor}` failed ({status}); nothing was changed"))
        .hint("set VISUAL or EDITOR"))
}

#[cfg(unix)]
fn is_interrupt(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(signal_hook::consts::SIGINT)
}

#[cfg(not(unix))]
fn is_interrupt(_: ExitStatus) -> bool {
    false
}
