//! `tulk style apply`: make the service match a file, with the fewest requests; twice changes nothing.

use std::path::PathBuf;

use clap::Args;

use super::file::{StyleFile, warn_unknown};
use super::plan::{Step, StepRow, plan};
use crate::api::style::{GetStyleRule, ListStyleRules, StyleRule};
use crate::commands::named;
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::client::Client;
use crate::json::Kept;
use crate::output::{Cell, Row};

/// Make the service match a TOML file
#[derive(Args, Debug)]
#[command(after_help = "The file is what `tulk style export` prints. Rules and instructions that are not in it\n\
                        are removed; --dry-run prints the plan and sends nothing.")]
pub struct ApplyArgs {
    /// TOML file, - for stdin
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
}

impl Row for StepRow {
    const COLUMNS: &'static [&'static str] = &["style_id", "action", "object", "name", "instruction_id"];

    fn cells(&self) -> Vec<Cell> {
        [&self.style_id, &self.action, &self.object, &self.name, &self.instruction_id].map(Cell::from).into()
    }
}

/// Prints the plan, then carries it out.
pub async fn run(ctx: &Context, args: &ApplyArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let file = StyleFile::read(ctx, &args.file)?;
    if file.style_id.is_none() && file.name.is_none() {
        let failure = Failure::usage(format!("{} has neither style_id nor name", args.file.display()));
        return Err(failure.hint("add a line such as name = \"Shop texts\"").into());
    }
    warn_unknown(ctx, &file.configured_rules);
    let client = ctx.client().await?;
    let list = find(client, &file).await?;
    let steps = plan(&file, list.as_deref())?;
    let rows = steps.iter().map(|step| Kept::made(step.row())).collect::<Result<Vec<_>, _>>()?;
    ctx.out.list(&rows)?;
    if steps.is_empty() {
        ctx.out.status("nothing to change");
        return Ok(());
    }
    if ctx.args.dry_run {
        return Ok(());
    }
    let total = steps.len();
    for (number, step) in steps.iter().enumerate() {
        send(ctx, client, step).await.map_err(super::language_hint).map_err(|mut failure| {
            if number > 0 {
                failure.what = format!("{}; {number} of {total} steps are done", failure.what);
                failure.hint.get_or_insert_with(|| "run the command again: it does what is left".to_owned());
            }
            failure
        })?;
    }
    Ok(())
}

/// The list that a file is about: by its ID, which must exist, else by its name, which may not.
async fn find(client: &Client, file: &StyleFile) -> Result<Option<Kept<StyleRule>>, Failure> {
    if let Some(id) = &file.style_id {
        let found = client.send(&GetStyleRule { style_id: id.clone() }).await;
        return found.map(Some).map_err(|mut failure| {
            if failure.kind == Kind::NotFound {
                failure.what = format!("{} (style_id {id} of the file)", failure.what);
                let kept = failure.hint.take().unwrap_or_default();
                failure.hint = Some(format!("take style_id out of the file to go by its name; {kept}"));
            }
            failure
        });
    }
    let name = file.name.as_deref().unwrap_or_default();
    let lists = client.send_all(ListStyleRules::all(true), |_| false).await?;
    match named::pick(lists.into_typed().style_rules, name) {
        Ok(list) => Ok(Some(list)),
        Err(failure) if failure.kind == Kind::NotFound => Ok(None),
        Err(failure) => Err(failure.hint("add the style_id of the one you mean to the file")),
    }
}

async fn send(ctx: &Context, client: &Client, step: &Step) -> Result<(), Failure> {
    match step {
        Step::Create(request) => {
            let list = client.send(request).await?;
            ctx.out.status(&format!("made the style rule list {} ({})", list.name, list.style_id));
        }
        Step::Rename(request) => drop(client.send(request).await?),
        Step::Rules(request) => drop(client.send(request).await?),
        Step::Remove(request, _) => drop(client.send(request).await?),
        Step::Edit(request) => drop(client.send(request).await?),
        Step::Add(request) => drop(client.send(request).await?),
    }
    Ok(())
}
