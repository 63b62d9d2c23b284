//! `tulk style apply` and `export`: read or write a style rule list as a TOML file.
//!
//! `apply` makes a list match a file with as few requests as possible; a second run changes nothing. `export` prints a
//! list in the format that `apply` reads.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::WithRaw;
use tulk_client::api::style::{GetStyleRule, ListStyleRules, StyleRule};
use tulk_client::http::client::Client;

use super::file::{StyleListFile, StyleListToml, refuse_unknown};
use super::lists::{StyleNameArgs, read_list, with_language_hint};
use super::plan::{StylePlanRow, StylePlanStep, plan, removals};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::inputs::keyed_files::display_name;
use crate::named::{self, known_names};
use crate::reports::plan::PlanOutput;
use crate::runs::report::with_steps;

/// Make a list match a TOML file
///
/// The file has the format that `tulk style export` prints. Rules and instructions that are missing from the file are
/// removed after confirmation, except in categories that the file does not mention. If the file has
/// no `custom_instructions`, the instructions stay. --dry-run prints the plan and sends nothing.
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<StylePlanRow>().asks_before_changes().checks_before_sending())]
#[command(after_help = "tulk style apply shop.toml --dry-run\n\
                        tulk style apply shop.toml --yes")]
pub struct StyleApplyArgs {
    /// TOML file (- for stdin)
    #[arg(value_name = "FILE|-")]
    pub file: PathBuf,
}

impl Run for StyleApplyArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let file = StyleListFile::read(ctx, &self.file)?;
        if file.style_id.is_none() && file.name.is_none() {
            let failure = Failure::usage(format!("{} has neither style_id nor name", display_name(&self.file)));
            return Err(failure.hint("add a line such as name = \"Shop texts\"").into());
        }
        if let Some(rules) = &file.configured_rules {
            refuse_unknown(ctx, rules, Some(&self.file))?;
        }
        let client = ctx.client().await?;
        let list = find(client, &file).await?;
        let steps = plan(&file, list.as_deref())?;
        for step in &steps {
            if let (StylePlanStep::RenameList(rename), false) = (step, ctx.args.no_check) {
                let hint = "choose another name in the file; --no-check uses this one";
                named::check_new_name(&named::all_styles(ctx).await?, &rename.name, Some(&rename.style_id), hint)?;
            }
        }
        let rows =
            steps.iter().flat_map(StylePlanStep::rows).map(WithRaw::from_typed).collect::<Result<Vec<_>, _>>()?;
        let output = PlanOutput::start(ctx, &rows, !steps.is_empty(), list.is_some() && removals(&steps).is_some())?;
        if steps.is_empty() {
            ctx.out.status("nothing to change");
            return Ok(());
        }
        if ctx.args.dry_run {
            return Ok(());
        }
        if let (Some(removals), Some(list)) = (removals(&steps), &list) {
            output.describe(steps.iter().flat_map(StylePlanStep::rows).map(|row| row.in_words()));
            ctx.confirm(&format!("remove {removals} from style rule list `{}`", list.name))?;
        }
        let mut done = 0;
        let outcome = apply(ctx, client, &steps, &mut done).await;
        let done = steps.iter().take(done).map(|step| step.rows().len()).sum();
        output.finish(rows.get(..done).unwrap_or_default(), outcome)
    }
}

/// A list given by ID must exist; a list given by name may be new.
async fn find(client: &Client, file: &StyleListFile) -> Result<Option<WithRaw<StyleRule>>, Failure> {
    if let Some(id) = &file.style_id {
        let found = client.send(&GetStyleRule { style_id: id.clone() }).await;
        return found.map(Some).map_err(explain_unknown_id);
    }
    let name = file.name.as_deref().unwrap_or_default();
    let lists = client.send_all(ListStyleRules::all(true), None, |_, _| false).await?;
    match named::pick(lists.into_typed().style_rules, name) {
        Ok(list) => Ok(Some(list)),
        Err(failure) if failure.kind == Kind::NotFound => Ok(None),
        Err(failure) => Err(failure.hint("add the style_id of the intended list to the file")),
    }
}

fn explain_unknown_id(mut failure: Failure) -> Failure {
    if failure.kind == Kind::NotFound {
        let hint = failure.hint.take().unwrap_or_default();
        failure.hint = Some(format!("remove style_id from the file to find the list by its name; {hint}"));
    }
    failure
}

/// Counts the sent requests in `done`. An error names the failed step and the number of completed steps.
async fn apply(ctx: &Context, client: &Client, steps: &[StylePlanStep], done: &mut usize) -> anyhow::Result<()> {
    for step in steps {
        let sent = send(ctx, client, step).await.map_err(|failure| {
            let mut failure = with_language_hint(failure, step.language());
            with_steps(ctx.words(), (*done, steps.len()), &mut failure);
            failure
        });
        sent.with_context(|| step.rows().first().map(StylePlanRow::in_words).unwrap_or_default())?;
        *done += 1;
    }
    Ok(())
}

async fn send(ctx: &Context, client: &Client, step: &StylePlanStep) -> Result<(), Failure> {
    match step {
        StylePlanStep::CreateList(request) => {
            let list = client.send(request).await?;
            known_names::keep(ctx, &list).await;
            ctx.out.status(&format!("created style rule list {} ({})", list.name, list.style_id));
        }
        StylePlanStep::RenameList(request) => known_names::keep(ctx, &client.send(request).await?).await,
        StylePlanStep::SetRules(request, _) => drop(client.send(request).await?),
        StylePlanStep::RemoveInstruction(request, _) => drop(client.send(request).await?),
        StylePlanStep::EditInstruction(request) => drop(client.send(request).await?),
        StylePlanStep::AddInstruction(request) => drop(client.send(request).await?),
    }
    Ok(())
}

/// Print a list as a TOML file
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_text())]
#[command(after_help = "tulk style export Shop > shop.toml")]
pub struct StyleExportArgs {
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleExportArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        Ok(ctx.out.text(StyleListToml::new(&list)?.to_text()?)?)
    }
}
