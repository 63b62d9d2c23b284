//! `tulk config path`, `list` and `get`.

use clap::Args;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::secrets;

use crate::command::{CommandSpec, Run, TEXT_OR_JSON};
use crate::completion::ValueKind;
use crate::config::file::SettingEntry;
use crate::config::setting::to_text;
use crate::config::settings_path;
use crate::context::Context;
use crate::output::{Cell, Column, EmptyNote, Table, View};

#[derive(Serialize)]
#[serde(transparent)]
struct SettingsView {
    items: Vec<Box<RawValue>>,
    #[serde(skip)]
    entries: Vec<SettingEntry>,
}

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

/// Hides the password in a URL such as the proxy's. `config get` still prints it.
fn hide_password(value: &mut Value) {
    if let Value::String(text) = value
        && text.contains("://")
    {
        *text = secrets::without_password(text).into_owned();
    }
}

/// List all settings
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(COLUMNS))]
#[command(after_help = "tulk config list\n\
                        tulk config list --json")]
pub struct ConfigListArgs {}

impl Run for ConfigListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut file = super::read(ctx)?;
        file.entries.iter_mut().for_each(|entry| hide_password(&mut entry.value));
        let object = |e: &SettingEntry| {
            let origin = format!("{}:{}", e.origin.source, e.origin.line);
            serde_json::value::to_raw_value(
                &serde_json::json!({ "key": e.path.join("."), "value": e.value, "origin": origin }),
            )
        };
        let items = file.entries.iter().map(object).collect::<Result<_, _>>()?;
        if file.entries.is_empty() {
            let note = EmptyNote::from_text(format!("No settings in {} yet.", file.path.display()));
            if !ctx.out.print_empty_note(&note.next("Set one", "tulk config set KEY VALUE")) {
                ctx.out.status(&format!("no settings in {}", file.path.display()));
            }
        }
        Ok(ctx.out.show(&SettingsView { items, entries: file.entries })?)
    }
}

/// Print the path of the settings file
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_result_in(TEXT_OR_JSON).changes_nothing())]
#[command(after_help = "tulk config path")]
pub struct ConfigPathArgs {}

impl Run for ConfigPathArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let path = settings_path(&ctx.args)?;
        if ctx.out.settings().is_json() {
            return Ok(ctx.out.stdout().json(serde_json::json!({ "path": path }).to_string())?);
        }
        Ok(ctx.out.text(format!("{}\n", path.display()))?)
    }
}

/// Print a setting
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_result_in(TEXT_OR_JSON).changes_nothing())]
#[command(after_help = "tulk config get profiles.work.target_lang")]
pub struct ConfigGetArgs {
    /// Setting, such as profiles.work.target_lang
    #[arg(value_name = "KEY", add = ValueKind::Settings(true))]
    pub key: String,
}

impl Run for ConfigGetArgs {
    /// A list has one item per line.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (key, parts) = (&self.key, super::split_key(&self.key)?);
        super::schema(ctx).find(&parts)?;
        let file = super::read(ctx)?;
        let words: Vec<&str> = parts.iter().map(String::as_str).collect();
        let Some(entry) = file.get(&words) else {
            return Err(Failure::new(Kind::NotFound, format!("{key} is not set")).into());
        };
        if ctx.out.settings().is_json() {
            return Ok(ctx.out.stdout().json(entry.value.to_string())?);
        }
        match &entry.value {
            Value::Array(items) => {
                let lines: Vec<String> = items.iter().map(to_text).collect();
                ctx.out.text(format!("{}\n", lines.join("\n")))?;
            }
            value => ctx.out.text(format!("{}\n", to_text(value)))?,
        }
        Ok(())
    }
}
