//! `tulk config set|unset`: one setting changed, comments and order kept, the file valid before and after.

use std::path::Path;

use serde_json::Value;
use toml_edit::{Array, DocumentMut, Item, Table};

use crate::config::file::SettingsFile;
use crate::config::schema::{SettingType, check_value, type_of};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::files::{self, FileMode};

/// Sets a key to the values as its type reads them.
pub fn set(ctx: &Context, key: &str, values: &[String]) -> Result<(), Failure> {
    let parts = super::parts(key)?;
    let kind = type_of(&parts)?;
    let value = typed(key, kind, values)?;
    change(ctx, |document| put(document, &parts, value))
}

/// Sets several keys at once, for `auth login`.
pub fn set_all(ctx: &Context, settings: &[(Vec<String>, Option<String>)]) -> Result<(), Failure> {
    change(ctx, |document| {
        for (parts, text) in settings {
            match text {
                Some(text) => put(document, parts, text.as_str().into())?,
                None => {
                    take(document, parts);
                }
            }
        }
        Ok(())
    })
}

/// Removes a key.
pub fn unset(ctx: &Context, key: &str) -> Result<(), Failure> {
    let parts = super::parts(key)?;
    type_of(&parts)?;
    change(ctx, |document| {
        if take(document, &parts) { Ok(()) } else { Err(Failure::new(Kind::NotFound, format!("{key} is not set"))) }
    })
}

fn typed(key: &str, kind: SettingType, values: &[String]) -> Result<toml_edit::Value, Failure> {
    let wrong = |why: String| Failure::usage(format!("{key}: {why}"));
    if kind == SettingType::List {
        return Ok(toml_edit::Value::Array(values.iter().map(String::as_str).collect::<Array>()));
    }
    let [text] = values else { return Err(wrong(format!("one value expected, not {}", values.len()))) };
    let (json, value): (Value, toml_edit::Value) = match kind {
        SettingType::Bool => match text.as_str() {
            "true" => (true.into(), true.into()),
            "false" => (false.into(), false.into()),
            _ => return Err(wrong(format!("`{text}` is neither true nor false"))),
        },
        SettingType::Int(..) => {
            let number: i64 = text.parse().map_err(|_| wrong(format!("`{text}` is no whole number")))?;
            (number.into(), number.into())
        }
        _ => (text.as_str().into(), text.as_str().into()),
    };
    check_value(kind, &json).map_err(wrong)?;
    Ok(value)
}

fn put(document: &mut DocumentMut, parts: &[String], mut value: toml_edit::Value) -> Result<(), Failure> {
    let Some((last, tables)) = parts.split_last() else { return Err(Failure::usage("a key is empty")) };
    let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
    for name in tables {
        let make = || {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        };
        let item = table.entry(name).or_insert_with(make);
        table = item.as_table_like_mut().ok_or_else(|| Failure::usage(format!("`{name}` is no table")))?;
    }
    match table.get_mut(last) {
        Some(Item::Value(old)) => {
            // The old value's decoration holds the comment behind it.
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => {
            table.insert(last, Item::Value(value));
        }
    }
    Ok(())
}

fn take(document: &mut DocumentMut, parts: &[String]) -> bool {
    let Some((last, tables)) = parts.split_last() else { return false };
    let mut table: &mut dyn toml_edit::TableLike = document.as_table_mut();
    for name in tables {
        let Some(inner) = table.get_mut(name).and_then(Item::as_table_like_mut) else { return false };
        table = inner;
    }
    table.remove(last).is_some()
}

fn change(ctx: &Context, edit: impl FnOnce(&mut DocumentMut) -> Result<(), Failure>) -> Result<(), Failure> {
    let path = super::path(ctx)?;
    let _lock = super::lock(&path)?;
    SettingsFile::read(&path, false)?;
    let mut document = document(&path)?;
    edit(&mut document)?;
    let text = document.to_string();
    SettingsFile::parse(&path, &text)?;
    if ctx.args.dry_run {
        ctx.out.status(&format!("would change {}", path.display()));
        return Ok(());
    }
    files::write_atomic(&path, text.as_bytes(), FileMode::Inherit)
}

fn document(path: &Path) -> Result<DocumentMut, Failure> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(Failure::file("read", path, &e)),
    };
    text.parse().map_err(|e: toml_edit::TomlError| Failure::usage(format!("{}: {}", path.display(), e.message())))
}
