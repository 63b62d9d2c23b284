//! What completion knows from local files: names, documents, profiles and settings.
//!
//! Everything is read, nothing is written. Keys are not looked up, so that no `key_command` runs.

use std::ffi::OsStr;
use std::path::PathBuf;

use tulk_client::SANDBOX_NAME;
use tulk_store::documents::DocumentRecord;
use tulk_store::names::{KnownName, NameCache};

use super::line::CommandLine;
use crate::commands::doc;
use crate::config::schema::SettingSchema;
use crate::config::{Config, GlobalArgs, env};
use crate::context::{Context, Invocation};

/// Local data for the flags of a command line.
pub struct LocalData {
    ctx: Context,
}

impl LocalData {
    /// Reads nothing yet.
    pub fn new(line: &CommandLine, invocation: Invocation) -> Self {
        let text = |value: Option<&OsStr>| value.and_then(OsStr::to_str).map(str::to_owned);
        let sandbox = line.has("sandbox");
        let args = GlobalArgs {
            config: line.option("config").map(PathBuf::from).or_else(|| env::get("TULK_CONFIG").map(PathBuf::from)),
            profile: text(line.option("profile")).or_else(|| env::text("TULK_PROFILE")),
            server: text(line.option("server")).or_else(|| env::text("TULK_SERVER").filter(|_| !sandbox)),
            sandbox,
            ..GlobalArgs::default()
        };
        Self { ctx: Context::new(args, invocation) }
    }

    /// Returns the names of a kind of resource on the server in use.
    pub fn names(&self, kind: &str) -> Vec<KnownName> {
        let Ok(cache) = NameCache::open() else { return Vec::new() };
        let servers = self.servers();
        cache.names(kind, |server| servers.iter().any(|known| known == server))
    }

    /// Returns the documents on the server in use, or all if none is known; the newest first.
    pub fn documents(&self) -> Vec<DocumentRecord> {
        let servers = self.servers();
        let listing = doc::document_store().and_then(|store| store.list()).unwrap_or_default();
        let mut records = listing.records;
        records.retain(|record| servers.is_empty() || servers.contains(&record.server));
        records.reverse();
        records
    }

    /// Returns the names of the profiles with settings or a key.
    pub fn profiles(&self) -> Vec<String> {
        let Some(config) = self.config_to_create() else { return Vec::new() };
        let stored = config.stored_keys().map(|stored| stored.profiles()).unwrap_or_default();
        let mut profiles = [config.file.profiles.clone(), stored].concat();
        profiles.sort_unstable();
        profiles.dedup();
        profiles
    }

    /// Returns the names of the services in the settings file.
    pub fn services(&self) -> Vec<String> {
        let paths = self.settings().into_iter();
        let mut names: Vec<String> = paths
            .filter_map(|path| match path.as_slice() {
                [group, name, _] if group == "services" => Some(name.clone()),
                _ => None,
            })
            .collect();
        names.dedup();
        names
    }

    /// Returns the settings of the settings file, as the parts of their names.
    pub fn settings(&self) -> Vec<Vec<String>> {
        let config = self.config_to_create();
        config.map(|config| config.file.entries.iter().map(|entry| entry.path.clone()).collect()).unwrap_or_default()
    }

    /// Returns all settings of a table with their descriptions.
    pub fn keys_of(&self, table: &str) -> Vec<(String, String)> {
        SettingSchema::new(self.ctx.setting_flags()).keys_of(table)
    }

    /// Returns the addresses that the server in use may have. The form of a key would tell the right one of several.
    fn servers(&self) -> Vec<String> {
        if self.ctx.args.is_sandbox() {
            return vec![SANDBOX_NAME.to_owned()];
        }
        self.ctx.config().map(|config| config.possible_addresses()).unwrap_or_default()
    }

    /// Returns the settings, even if the profile of the command line is not complete yet.
    fn config_to_create(&self) -> Option<Config> {
        let args = GlobalArgs { profile: None, ..self.ctx.args.clone() };
        Config::open(&args, self.ctx.setting_flags()).ok()
    }
}
