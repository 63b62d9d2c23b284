//! `tulk config list`: the settings with their place in the file.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tulk_base::error::Failure;
use tulk_base::secrets;

use crate::config::file::SettingEntry;
use crate::config::schema::to_text;
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Table, View};

#[derive(Serialize)]
#[serde(transparent)]
struct SettingsView {
    items: Vec<Box<RawValue>>,
    #[serde(skip)]
    entries: Vec<SettingEntry>,
}

/// Columns of the table.
pub const COLUMNS: &[Column] =
    &[Column::name("key").header("SETTING"), Column::text("value").rank(0), Column::path("origin")];

impl View for SettingsView {
    fn table(&self) -> Table {
        let mut table = Table::new(COLUMNS);
        for entry in &self.entries {
            let value = to_text(&entry.value);
            let origin = format!("{}:{}", entry.origin.source, entry.origin.line);
            table.push(vec![Cell::from(entry.path.join(".")), Cell::from(value), Cell::from(origin)]);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.items.iter().map(AsRef::as_ref).collect()
    }
}

/// Hides the password in the address of a proxy. `config get` shows it.
fn hide_password(value: &mut Value) {
    if let Value::String(text) = value
        && text.contains("://")
    {
        *text = secrets::without_password(text).into_owned();
    }
}

/// Prints the settings in the order of the file.
pub fn run(ctx: &Context) -> Result<(), Failure> {
    ctx.out.settings().check_listing()?;
    let mut file = super::read(ctx)?;
    file.entries.iter_mut().for_each(|entry| hide_password(&mut entry.value));
    let object = |e: &SettingEntry| {
        let origin = format!("{}:{}", e.origin.source, e.origin.line);
        serde_json::value::to_raw_value(
            &serde_json::json!({ "key": e.path.join("."), "value": e.value, "origin": origin }),
        )
    };
    let items =
        file.entries.iter().map(object).collect::<Result<_, _>>().map_err(|e| Failure::internal(e.to_string()))?;
    if file.entries.is_empty() {
        let note = EmptyNote::about(format!("No settings in {} yet.", file.path.display()));
        if !ctx.out.empty(&note.next("Set one", "tulk config set KEY VALUE")) {
            ctx.out.status(&format!("no settings in {}", file.path.display()));
        }
    }
    ctx.out.show(&SettingsView { items, entries: file.entries })
}
