//! `tulk config`: shows and changes settings.
//!
//! Input: dotted keys and values. `path`, `list` and `get` print; `set`, `unset` and `edit` change the settings file,
//! keep its comments and order, and leave it valid. `config::schema` defines which settings exist.

mod edit;
mod list;
mod set;

use std::path::Path;

pub use set::set_all;
use tulk_base::error::Failure;
use tulk_base::files::{self, FileLock};

use crate::command::command_group;
use crate::commands::translate::profile_flags;
use crate::config::Config;
use crate::config::file::SettingsFile;
use crate::config::schema::SettingSchema;
use crate::context::{Context, setting_flags};
use crate::help::SettingGroup;

command_group! {
    /// Show and change settings
    #[command(after_help = "tulk config set profiles.work.target_lang de\n\
                            tulk config list")]
    pub struct ConfigArgs;

    pub enum ConfigCommand {
        Path(list::ConfigPathArgs),
        List(list::ConfigListArgs),
        Get(list::ConfigGetArgs),
        Set(set::ConfigSetArgs),
        Unset(set::ConfigUnsetArgs),
        Edit(edit::ConfigEditArgs),
    }
}

/// Returns all settings with short descriptions, for the help of `config set`.
fn every_setting() -> Vec<SettingGroup> {
    let schema = SettingSchema::new(setting_flags(profile_flags));
    [
        ("Top level", ""),
        ("Settings of a profile, profiles.NAME.KEY", "profiles"),
        ("Settings of your own service, services.NAME.KEY", "services"),
        ("Settings of the sandbox, sandbox.KEY", "sandbox"),
    ]
    .map(|(title, table)| {
        let settings = schema.keys_of(table).into_iter();
        // Keep only the first clause of a help text: it fits on a line.
        let short = |help: String| help.split([';', '[', '(']).next().unwrap_or_default().trim_end().to_owned();
        (title, settings.map(|(key, help)| (key, short(help))).collect())
    })
    .into()
}

fn schema(ctx: &Context) -> SettingSchema {
    SettingSchema::new(ctx.setting_flags())
}

fn read(ctx: &Context) -> Result<SettingsFile, Failure> {
    Ok(Config::open_existing(&ctx.args, ctx.setting_flags())?.file)
}

/// Locks the settings file and the stored keys.
///
/// The lock file is in the state directory, because the settings file may be in a project directory.
pub fn lock(path: &Path) -> Result<FileLock, Failure> {
    match files::state_dir() {
        Ok(dir) => files::lock(&dir.join("settings.lock")),
        Err(_) => files::lock(&path.with_extension("lock")),
    }
}

/// Splits a dotted key. A part that contains a dot must be quoted.
fn split_key(key: &str) -> Result<Vec<String>, Failure> {
    let keys = toml_edit::Key::parse(key).map_err(|_| {
        Failure::usage(format!("invalid setting name `{key}`"))
            .hint("write a name such as profiles.work.target_lang; quote parts that contain dots")
    })?;
    Ok(keys.iter().map(|k| k.get().to_owned()).collect())
}
