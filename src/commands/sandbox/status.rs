//! `tulk sandbox status` and `reset`: show the size of the sandbox's state, or delete it.

use clap::Args;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::command::{CommandSpec, Run};
use crate::context::{Context, sandbox_state_dir, warn_of_damage};
use crate::output::{Cell, Column, Table, View};

#[derive(Serialize)]
#[serde(transparent)]
struct SandboxStatusView {
    status: Box<RawValue>,
    #[serde(skip)]
    rows: Vec<(String, String)>,
}

pub const COLUMNS: &[Column] = &[Column::name("name"), Column::path("value").rank(0)];

impl View for SandboxStatusView {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS);
        for (name, value) in &self.rows {
            table.push(vec![Cell::from(name.as_str()), Cell::from(value.as_str())]);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![&self.status]
    }
}

/// Show the number of stored objects and counted characters
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS))]
#[command(after_help = "tulk sandbox status")]
pub struct SandboxStatusArgs {}

impl Run for SandboxStatusArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let dir = sandbox_state_dir()?;
        let status = tulk_sandbox::status(&dir)?;
        warn_of_damage(status.damaged.as_deref(), &ctx.out);
        let value = serde_json::to_value(&status)?;
        let mut rows = Vec::new();
        flatten(&mut rows, "", &value);
        let status = serde_json::value::to_raw_value(&value)?;
        ctx.out.show(&SandboxStatusView { status, rows })?;
        Ok(())
    }
}

/// Adds one row per value. The names of nested fields are joined with dots.
fn flatten(rows: &mut Vec<(String, String)>, name: &str, value: &Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(rows, &name, value);
            }
        }
        Value::String(text) => rows.push((name.to_owned(), text.clone())),
        other => rows.push((name.to_owned(), other.to_string())),
    }
}

/// Delete the state of the sandbox
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk sandbox reset --yes")]
pub struct SandboxResetArgs {}

impl Run for SandboxResetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let dir = sandbox_state_dir()?;
        if ctx.args.dry_run {
            ctx.out.status(&format!("would delete the state in {}", dir.display()));
            return Ok(());
        }
        ctx.out.confirm(&format!("delete the state of the sandbox in {}", dir.display()), ctx.args.yes)?;
        tulk_sandbox::reset(&dir)?;
        Ok(())
    }
}
