//! `tulk config`: show and change settings.

mod edit;
mod list;
mod set;

use std::path::Path;

use clap::{Args, Subcommand};

pub use set::set_all;

use crate::config::Config;
use crate::config::file::SettingsFile;
use crate::config::schema::{self, type_of};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::files::{self, FileLock};
use crate::output::CommandColumns;

/// Show and change settings
#[derive(Args, Debug)]
pub struct ConfigArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with settings.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Print the path of the settings file; keys lie beside it
    Path,
    /// List what is set
    List,
    /// Print one setting
    Get {
        /// Dotted key, such as profiles.work.target_lang
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Change one setting; comments and order are kept
    Set {
        /// Dotted key, such as profiles.work.target_lang
        #[arg(value_name = "KEY")]
        key: String,
        /// Its value; several for a list
        #[arg(value_name = "VALUE", required = true, num_args = 1.., allow_hyphen_values = true)]
        values: Vec<String>,
    },
    /// Remove one setting
    Unset {
        /// Dotted key, such as profiles.work.target_lang
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Open the settings file in $VISUAL or $EDITOR
    Edit,
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("config list", list::COLUMNS)];

/// Runs the verb.
pub fn run(ctx: &Context, args: ConfigArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::Path => {
            let path = path(ctx)?;
            ctx.out.text(format!("{}\n", path.display()))?;
        }
        Verb::List => list::run(ctx)?,
        Verb::Get { key } => get(ctx, &key)?,
        Verb::Set { key, values } => set::set(ctx, &key, &values)?,
        Verb::Unset { key } => set::unset(ctx, &key)?,
        Verb::Edit => edit::run(ctx)?,
    }
    Ok(())
}

/// The settings file's path, also when it is not there or broken.
fn path(ctx: &Context) -> Result<std::path::PathBuf, Failure> {
    match &ctx.args.config {
        Some(path) => Ok(path.clone()),
        None => Ok(files::config_dir()?.join("config.toml")),
    }
}

fn read(ctx: &Context) -> Result<SettingsFile, Failure> {
    Ok(Config::open_existing(&ctx.args)?.file)
}

/// Held while settings or keys beside them are changed. In the state directory, so that no lock file lies in a project.
pub fn lock(path: &Path) -> Result<FileLock, Failure> {
    match files::state_dir() {
        Ok(dir) => files::lock(&dir.join("settings.lock")),
        Err(_) => files::lock(&path.with_extension("lock")),
    }
}

/// A dotted key's parts; a part with dots stands in quotes.
fn parts(key: &str) -> Result<Vec<String>, Failure> {
    let keys = toml_edit::Key::parse(key).map_err(|_| {
        Failure::usage(format!("`{key}` is no key"))
            .hint("write it like profiles.work.target_lang; quote parts with dots")
    })?;
    Ok(keys.iter().map(|k| k.get().to_owned()).collect())
}

fn get(ctx: &Context, key: &str) -> Result<(), Failure> {
    let parts = parts(key)?;
    type_of(&parts)?;
    let file = read(ctx)?;
    let words: Vec<&str> = parts.iter().map(String::as_str).collect();
    let Some(entry) = file.get(&words) else {
        return Err(Failure::new(Kind::NotFound, format!("{key} is not set")));
    };
    if ctx.out.settings().is_json() {
        return ctx.out.stdout().json(&entry.value.to_string());
    }
    match &entry.value {
        serde_json::Value::Array(items) => {
            let lines: Vec<String> = items.iter().map(schema::spelt).collect();
            ctx.out.text(format!("{}\n", lines.join("\n")))
        }
        value => ctx.out.text(format!("{}\n", schema::spelt(value))),
    }
}
