//! `tulk sync init`: writes a project file for the catalogues that are there.

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode};
use tulk_sync::layouts::{find_layouts, render_config};
use tulk_sync::project::PROJECT_FILE;

use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Write tulk.toml for the catalogues of this project
///
/// Looks for the layouts of common frameworks in the current directory. An existing tulk.toml is never replaced.
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().offline())]
#[command(after_help = "tulk sync init\ntulk sync init --dry-run")]
pub struct SyncInitArgs {}

impl Run for SyncInitArgs {
    /// Looks for catalogues and writes a project file.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let path = std::path::Path::new(PROJECT_FILE);
        if path.symlink_metadata().is_ok() && !ctx.args.dry_run {
            let hint = "edit it, or remove it and run `tulk sync init` again";
            return Err(Failure::usage(format!("{PROJECT_FILE} exists")).hint(hint).into());
        }
        let found = find_layouts(std::path::Path::new("."));
        if found.is_empty() {
            let what = "no message catalogues were found in this directory";
            let hint =
                format!("run it in the folder of your project, or write {PROJECT_FILE} by hand: `tulk help sync`");
            return Err(Failure::usage(what).hint(hint).into());
        }
        for layout in &found {
            ctx.out.status(&format!("found {}", layout.name));
        }
        let text = render_config(&found);
        if ctx.args.dry_run {
            return Ok(ctx.out.text(text)?);
        }
        files::write_atomic(path, text.as_bytes(), FileMode::Inherit)?;
        ctx.out.status(&format!("wrote {PROJECT_FILE}"));
        ctx.out.hint("check the languages in it, then run `tulk sync --dry-run`");
        Ok(())
    }
}
