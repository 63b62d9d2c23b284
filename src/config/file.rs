//! The settings file: its settings in file order, each with line and column. `schema` defines which keys and values are valid.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;
use tulk_base::error::{Failure, Origin, io_message};
use tulk_base::limits::SETTINGS_FILE;
use tulk_base::positions::TextPositions;
use tulk_base::{files, toml_file};

use super::schema::{DEFAULT_PROFILE, SettingSchema};

#[derive(Clone, Debug)]
pub struct SettingEntry {
    /// Key, such as `["profiles", "work", "target_lang"]`.
    pub path: Vec<String>,
    /// Value as written.
    pub value: Value,
    /// Name under which the value is used, such as `custom_instructions` for `custom_instruction`.
    pub field: String,
    /// Value in normalized form.
    pub field_value: Value,
    pub origin: Origin,
    /// The error for a value that is not in the list of known values. Only `--no-check` accepts the value.
    pub unknown: Option<String>,
}

/// A settings file, read and checked.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Settings in file order.
    pub entries: Vec<SettingEntry>,
    /// Names of the tables in `[profiles]`, including empty ones.
    pub profiles: Vec<String>,
}

impl SettingsFile {
    /// Reads a file. A missing file counts as empty unless `must_exist`.
    pub fn read(path: &Path, must_exist: bool, schema: &SettingSchema) -> Result<Self, Failure> {
        files::check_shared(path)?;
        match files::read_bounded(path, SETTINGS_FILE) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|e| {
                    let at = e.utf8_error().valid_up_to();
                    Failure::usage(format!("{}: invalid UTF-8 at byte {at}", path.display()))
                })?;
                Self::parse(path, &text, schema)
            }
            Err(e) if files::is_missing(&e) && !must_exist => Ok(Self { path: path.to_path_buf(), ..Self::default() }),
            Err(e) => Err(Failure::of_read(path, &e).unwrap_or_else(|| {
                Failure::usage(format!("cannot read the settings file {}: {}", path.display(), io_message(&e)))
            })),
        }
    }

    /// Parses the text of a settings file and checks every key and value.
    pub fn parse(path: &Path, text: &str, schema: &SettingSchema) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let tables: SettingTables = toml_file::read(&name, text, "setting").map_err(|error| {
            let unknown =
                error.unknown.as_ref().and_then(|unknown| schema.find(std::slice::from_ref(&unknown.key)).err());
            let at = error.failure.at.clone();
            unknown.map_or(error.failure, |failure| Failure { at, ..failure })
        })?;
        let mut file = Self { path: path.to_path_buf(), ..Self::default() };
        let places = TextPositions::new(&name, text);
        let mut add = |start: usize, path: &[&str], value: Value| {
            file.entries.push(read_setting(schema, path, value, places.origin(start))?);
            Ok::<(), Failure>(())
        };
        if let Some(profile) = tables.default_profile {
            add(profile.span().start, &[DEFAULT_PROFILE], profile.into_inner())?;
        }
        for (group, tables) in [("profiles", &tables.profiles), ("services", &tables.services)] {
            for (name, table) in tables {
                for (key, value) in table {
                    add(key.span().start, &[group, name.as_ref(), key.as_ref()], value.clone())?;
                }
            }
        }
        for (key, value) in tables.sandbox.into_iter().filter(|_| schema.knows_table("sandbox")) {
            add(key.span().start, &["sandbox", key.as_ref()], value)?;
        }
        file.entries.sort_by_key(|entry| (entry.origin.line, entry.origin.column));
        let mut profiles: Vec<Spanned<String>> = tables.profiles.into_keys().collect();
        profiles.sort_by_key(|profile| profile.span().start);
        file.profiles = profiles.into_iter().map(Spanned::into_inner).collect();
        Ok(file)
    }

    /// Returns the setting with this key.
    pub fn get(&self, path: &[&str]) -> Option<&SettingEntry> {
        self.entries.iter().find(|entry| entry.path == path)
    }

    /// Returns the value of a setting if it is text.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.value.as_str()
    }

    /// Returns the settings of a profile.
    pub fn of_profile<'a>(&'a self, profile: &'a str) -> impl Iterator<Item = &'a SettingEntry> {
        let is_in = move |path: &[String]| matches!(path, [group, name, _] if group == "profiles" && name == profile);
        self.entries.iter().filter(move |entry| is_in(&entry.path))
    }
}

impl SettingEntry {
    /// Fails if only `--no-check` accepts the value.
    pub fn check_known(&self) -> Result<(), Failure> {
        let Some(why) = &self.unknown else { return Ok(()) };
        let failure = Failure::usage(format!("{}: {why}", self.path.join("."))).at(self.origin.clone());
        Err(failure.hint("--no-check accepts any other word"))
    }
}

/// Settings by key, each key with its span.
type SettingTable = BTreeMap<Spanned<String>, Value>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
struct SettingTables {
    default_profile: Option<Spanned<Value>>,
    #[serde(default)]
    profiles: BTreeMap<Spanned<String>, SettingTable>,
    #[serde(default)]
    services: BTreeMap<Spanned<String>, SettingTable>,
    #[serde(default)]
    sandbox: SettingTable,
}

fn read_setting(schema: &SettingSchema, path: &[&str], value: Value, origin: Origin) -> Result<SettingEntry, Failure> {
    let path: Vec<String> = path.iter().map(|&key| key.to_owned()).collect();
    let setting = schema.find(&path).map_err(|failure| failure.at(origin.clone()))?;
    let invalid = |why: String| Failure::usage(format!("{}: {why}", path.join("."))).at(origin.clone());
    setting.check(&value).map_err(invalid)?;
    let unknown = setting.check_known(&value).err();
    let (field, field_value) = (setting.field().to_owned(), setting.normalize(&value));
    Ok(SettingEntry { path, value, field, field_value, origin, unknown })
}
