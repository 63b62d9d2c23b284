//! `tulk sandbox status`: what it remembers, by kind.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::context::Context;
use crate::output::{Cell, Table, View};
use crate::sandbox;

#[derive(Serialize)]
#[serde(transparent)]
struct Shown {
    status: Box<RawValue>,
    #[serde(skip)]
    rows: Vec<(String, String)>,
}

/// Columns of the table.
pub const COLUMNS: &[&str] = &["name", "value"];

impl View for Shown {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS.iter().copied());
        for (name, value) in &self.rows {
            table.push(vec![Cell::from(name.as_str()), Cell::from(value.as_str())]);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![&self.status]
    }
}

/// Shows the state directory, the number of objects of each kind and the characters counted.
pub fn run(ctx: &Context) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let dir = super::state_dir()?;
    let status = sandbox::status(&dir)?;
    let value = serde_json::to_value(&status)?;
    let mut rows = Vec::new();
    flatten(&mut rows, "", &value);
    let status = serde_json::value::to_raw_value(&value)?;
    ctx.out.show(&Shown { status, rows })?;
    Ok(())
}

fn flatten(rows: &mut Vec<(String, String)>, name: &str, value: &serde_json::Value) {
    match value {
        serde_json::Value::Object(object) => {
            for (key, value) in object {
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                flatten(rows, &name, value);
            }
        }
        serde_json::Value::String(text) => rows.push((name.to_owned(), text.clone())),
        other => rows.push((name.to_owned(), other.to_string())),
    }
}
