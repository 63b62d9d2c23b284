//! `tulk config set` and `unset`: change or remove one setting. The file stays valid and keeps comments and order.

use std::path::Path;

use clap::Args;
use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table};
use tulk_base::error::{Failure, Kind};
use tulk_base::files::{self, FileMode};
use tulk_base::limits::SETTINGS_FILE;

use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::config::file::SettingsFile;
use crate::config::setting::to_text;
use crate::config::settings_path;
use crate::context::Context;
use crate::help::SettingList;

/// Change a setting; keeps comments and order
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().checks_before_sending())]
#[command(add = SettingList(super::every_setting))]
#[command(after_help = "tulk config set profiles.work.target_lang de\n\
                        tulk config set profiles.work.glossary Kitchen Menu\n\
                        tulk config set default_profile work")]
pub struct ConfigSetArgs {
    /// Setting, such as profiles.work.target_lang
    #[arg(value_name = "KEY", add = ValueKind::Settings(false))]
    pub key: String,
    /// Value; repeat for a list; put -- before a value that starts with -
    #[arg(value_name = "VALUE", required = true, num_args = 1..)]
    pub values: Vec<String>,
}

impl Run for ConfigSetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (key, path) = (&self.key, super::split_key(&self.key)?);
        let schema = super::schema(ctx);
        let refused = |why: String| Failure::usage(format!("{key}: {why}"));
        let setting = schema.find(&path)?;
        let value = setting.parse(&self.values).map_err(refused)?;
        setting.check(&value).map_err(refused)?;
        if !ctx.args.no_check {
            setting.check_known(&value).map_err(|why| refused(why).hint("--no-check stores any other word"))?;
        }
        let value = to_toml(value);
        let what = format!("{key} = {}", value.to_string().trim());
        Ok(edit_settings(ctx, &what, |document| insert(document, &path, value.clone()))?)
    }
}

/// Sets or removes several keys in one edit, for `auth login`.
pub fn set_all(ctx: &Context, settings: &[(Vec<String>, Option<String>)]) -> Result<(), Failure> {
    edit_settings(ctx, "the profile", |document| {
        for (path, text) in settings {
            match text {
                Some(text) => insert(document, path, text.as_str().into())?,
                None => {
                    remove(document, path);
                }
            }
        }
        Ok(())
    })
}

/// Remove a setting
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result())]
#[command(after_help = "tulk config unset profiles.work.target_lang")]
pub struct ConfigUnsetArgs {
    /// Setting, such as profiles.work.target_lang
    #[arg(value_name = "KEY", add = ValueKind::Settings(true))]
    pub key: String,
}

impl Run for ConfigUnsetArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let (key, path) = (&self.key, super::split_key(&self.key)?);
        super::schema(ctx).find(&path)?;
        Ok(edit_settings(ctx, &format!("remove {key}"), |document| {
            let is_set = remove(document, &path);
            is_set.then_some(()).ok_or_else(|| Failure::new(Kind::NotFound, format!("{key} is not set")))
        })?)
    }
}

fn to_toml(value: Value) -> toml_edit::Value {
    match value {
        Value::Bool(on) => on.into(),
        Value::Array(items) => toml_edit::Value::Array(items.iter().map(to_text).collect::<Array>()),
        other => other.as_i64().map_or_else(|| to_text(&other).into(), Into::into),
    }
}

fn insert(document: &mut DocumentMut, path: &[String], mut value: toml_edit::Value) -> Result<(), Failure> {
    let Some((last, tables)) = path.split_last() else { return Err(Failure::usage("the setting name is empty")) };
    let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
    for name in tables {
        let new_table = || {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        let item = table.entry(name).or_insert_with(new_table);
        table = item.as_table_like_mut().ok_or_else(|| Failure::usage(format!("`{name}` is not a table")))?;
    }
    match table.get_mut(last) {
        Some(Item::Value(old)) => {
            // The decor of the old value includes a comment on the same line.
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            table.insert(last, Item::Value(value));
        }
    }
    Ok(())
}

/// Returns whether the value existed.
fn remove(document: &mut DocumentMut, path: &[String]) -> bool {
    let Some((last, tables)) = path.split_last() else { return false };
    let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
    for name in tables {
        let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) else { return false };
        table = inner;
    }
    table.remove(last).is_some()
}

/// Edits the settings file under its lock, and retries if somebody changed the file meanwhile. `what` describes the
/// change in a dry run.
fn edit_settings(
    ctx: &Context,
    what: &str,
    edit: impl Fn(&mut DocumentMut) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let path = settings_path(&ctx.args)?;
    let schema = super::schema(ctx);
    let _lock = super::lock(&path)?;
    SettingsFile::read(&path, false, &schema)?;
    files::edit_file(&path, &path, SETTINGS_FILE, FileMode::Settings, |old| {
        let mut document = parse(&path, old.unwrap_or_default())?;
        edit(&mut document)?;
        let text = document.to_string();
        SettingsFile::parse(&path, &text, &schema)?;
        if ctx.args.dry_run {
            ctx.out.status(&format!("would change {}: {what}", path.display()));
            return Ok((None, ()));
        }
        files::make_dirs(files::parent_dir(&path), FileMode::Private)?;
        Ok((Some(text.into_bytes()), ()))
    })
}

fn parse(path: &Path, bytes: &[u8]) -> Result<DocumentMut, Failure> {
    let invalid = |_| Failure::usage(format!("{} is not UTF-8", path.display()));
    let text = std::str::from_utf8(bytes).map_err(invalid)?;
    text.parse().map_err(|e: toml_edit::TomlError| Failure::usage(format!("{}: {}", path.display(), e.message())))
}
