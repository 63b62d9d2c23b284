//! `tulk config`: show and change settings.
//!
//! Input: dotted keys and values. `path`, `list` and `get` print; `set`, `unset` and `edit` change the settings file,
//! keep comments and order, and leave it valid. Which settings exist is defined in `config::schema`.

mod edit;
mod list;
mod set;

use std::path::Path;

use clap::{Args, Subcommand};

pub use set::set_all;
use tulk_base::error::{Failure, Kind};
use tulk_base::files::{self, FileLock};

use crate::config::file::SettingsFile;
use crate::config::schema::{SettingSchema, to_text};
use crate::config::{Config, settings_path};
use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, TEXT_OR_JSON};

/// Show and change settings
#[derive(Args, Debug)]
#[command(after_help = "tulk config set profiles.work.target_lang de\n\
                        tulk config list")]
pub struct ConfigArgs {
    /// What to do
    #[command(subcommand)]
    pub command: ConfigCommand,
}

/// The commands of `tulk config`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum ConfigCommand {
    /// Print the path of the settings file
    #[command(after_help = "tulk config path")]
    Path,
    /// List all settings
    #[command(after_help = "tulk config list\n\
                            tulk config list --json")]
    List,
    /// Print a setting
    #[command(after_help = "tulk config get profiles.work.target_lang")]
    Get {
        /// Setting, such as profiles.work.target_lang
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Change a setting; keeps comments and order
    #[command(after_help = "tulk config set profiles.work.target_lang de\n\
                            tulk config set profiles.work.glossary Kitchen Menu\n\
                            tulk config set default_profile work")]
    Set {
        /// Setting, such as profiles.work.target_lang
        #[arg(value_name = "KEY")]
        key: String,
        /// Value; repeat for a list; put -- before one that begins with -
        #[arg(value_name = "VALUE", required = true, num_args = 1..)]
        values: Vec<String>,
    },
    /// Remove a setting
    #[command(after_help = "tulk config unset profiles.work.target_lang")]
    Unset {
        /// Setting, such as profiles.work.target_lang
        #[arg(value_name = "KEY")]
        key: String,
    },
    /// Edit the settings file in $VISUAL or $EDITOR
    #[command(after_help = "tulk config edit")]
    Edit,
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[
    CommandFormats::new("config list", LISTING),
    CommandFormats::new("config path, get", TEXT_OR_JSON),
    CommandFormats::without_result("config set, unset, edit"),
];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("config list", list::COLUMNS)];

/// Runs the command.
pub fn run(ctx: &Context, args: ConfigArgs) -> Result<(), anyhow::Error> {
    match args.command {
        ConfigCommand::Path => {
            let path = settings_path(&ctx.args)?;
            if ctx.out.settings().is_json() {
                return Ok(ctx.out.stdout().json(&serde_json::json!({ "path": path }).to_string())?);
            }
            ctx.out.text(format!("{}\n", path.display()))?;
        }
        ConfigCommand::List => list::run(ctx)?,
        ConfigCommand::Get { key } => get(ctx, &key)?,
        ConfigCommand::Set { key, values } => set::set(ctx, &key, &values)?,
        ConfigCommand::Unset { key } => set::unset(ctx, &key)?,
        ConfigCommand::Edit => edit::run(ctx)?,
    }
    Ok(())
}

fn schema(ctx: &Context) -> SettingSchema {
    SettingSchema::new(ctx.setting_flags())
}

fn read(ctx: &Context) -> Result<SettingsFile, Failure> {
    Ok(Config::open_existing(&ctx.args, ctx.setting_flags())?.file)
}

/// Locks the settings and the stored keys while they are changed.
///
/// The lock file is in the state directory, because the settings file may be part of a project.
pub fn lock(path: &Path) -> Result<FileLock, Failure> {
    match files::state_dir() {
        Ok(dir) => files::lock(&dir.join("settings.lock")),
        Err(_) => files::lock(&path.with_extension("lock")),
    }
}

/// Splits a dotted key. A part that contains dots has to be in quotes.
fn parts(key: &str) -> Result<Vec<String>, Failure> {
    let keys = toml_edit::Key::parse(key).map_err(|_| {
        Failure::usage(format!("invalid setting name `{key}`"))
            .hint("write a name such as profiles.work.target_lang; quote parts that contain dots")
    })?;
    Ok(keys.iter().map(|k| k.get().to_owned()).collect())
}

/// Prints the value of a setting. A list is printed one item per line.
fn get(ctx: &Context, key: &str) -> Result<(), Failure> {
    let parts = parts(key)?;
    schema(ctx).find(&parts)?;
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
            let lines: Vec<String> = items.iter().map(to_text).collect();
            ctx.out.text(format!("{}\n", lines.join("\n")))
        }
        value => ctx.out.text(format!("{}\n", to_text(value))),
    }
}
