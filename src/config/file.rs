//! The settings file: its settings in order, each with line and column. Which keys and values are valid is in `schema`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use toml_edit::{Document, Item, TableLike};
use tulk_base::error::{Failure, Origin, io_message, is_out_of_files};
use tulk_base::{files, stop};

use super::schema::{DEFAULT_PROFILE, SettingSchema, TOP_LEVEL};

/// One setting of the file.
#[derive(Clone, Debug)]
pub struct SettingEntry {
    /// Its key: `["profiles", "work", "target_lang"]`.
    pub path: Vec<String>,
    /// Its value as written.
    pub value: Value,
    /// The name under which the value is used, such as `custom_instructions` for `custom_instruction`.
    pub field: String,
    /// The value in the form in which it is used.
    pub field_value: Value,
    /// Its place in the file.
    pub origin: Origin,
}

/// A settings file, read and checked.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// Its path.
    pub path: PathBuf,
    /// Its settings in order.
    pub entries: Vec<SettingEntry>,
    /// The tables of `[profiles]`, empty ones included.
    pub profiles: Vec<String>,
}

impl SettingsFile {
    /// Reads a file. A missing file is empty unless `must_exist`.
    pub fn read(path: &Path, must_exist: bool, schema: &SettingSchema) -> Result<Self, Failure> {
        match stop::read_file(path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|e| {
                    let at = e.utf8_error().valid_up_to();
                    Failure::usage(format!("{}: invalid UTF-8 at byte {at}", path.display()))
                })?;
                Self::parse(path, &text, schema)
            }
            Err(e) if files::is_missing(&e) && !must_exist => Ok(Self { path: path.to_path_buf(), ..Self::default() }),
            Err(e) if is_out_of_files(&e) => Err(Failure::file("read", path, &e)),
            Err(e) => Err(Failure::stopped(&e).unwrap_or_else(|| {
                Failure::usage(format!("cannot read the settings file {}: {}", path.display(), io_message(&e)))
            })),
        }
    }

    /// Parses the text of a settings file and checks every key and value.
    pub fn parse(path: &Path, text: &str, schema: &SettingSchema) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let document = Document::parse(text).map_err(|e| {
            let at = e.span().map_or(0, |s| s.start);
            Failure::usage(format!("invalid TOML: {}", e.message().replace('\n', ", "))).at(origin(&name, text, at))
        })?;
        let file = Self { path: path.to_path_buf(), ..Self::default() };
        let mut reader = SettingsReader { name, text, schema, file };
        reader.read_table(&[], document.as_table())?;
        Ok(reader.file)
    }

    /// Returns the setting of a key.
    pub fn get(&self, path: &[&str]) -> Option<&SettingEntry> {
        self.entries.iter().find(|entry| entry.path == path)
    }

    /// Returns the value of a setting that is text.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.value.as_str()
    }

    /// Returns the settings of a profile.
    pub fn of_profile<'a>(&'a self, profile: &'a str) -> impl Iterator<Item = &'a SettingEntry> {
        let is_in = move |path: &[String]| matches!(path, [group, name, _] if group == "profiles" && name == profile);
        self.entries.iter().filter(move |entry| is_in(&entry.path))
    }
}

/// Collects the settings of a document.
struct SettingsReader<'a> {
    name: String,
    text: &'a str,
    schema: &'a SettingSchema,
    file: SettingsFile,
}

impl SettingsReader<'_> {
    fn read_table(&mut self, path: &[String], table: &dyn TableLike) -> Result<(), Failure> {
        for (key, item) in table.iter() {
            let mut path = path.to_vec();
            path.push(key.to_owned());
            let at = table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span()).map_or(0, |s| s.start);
            if let Some(inner) = item.as_table_like().filter(|_| is_group(&path)) {
                self.read_group(&path, inner)?;
            } else {
                let entry = self.read_setting(path, item, origin(&self.name, self.text, at))?;
                self.file.entries.push(entry);
            }
        }
        Ok(())
    }

    fn read_group(&mut self, path: &[String], table: &dyn TableLike) -> Result<(), Failure> {
        match path {
            [name] if !self.schema.knows_table(name) => return Ok(()),
            [group, name] if group == "profiles" => self.file.profiles.push(name.clone()),
            _ => {}
        }
        self.read_table(path, table)
    }

    fn read_setting(&self, path: Vec<String>, item: &Item, origin: Origin) -> Result<SettingEntry, Failure> {
        let setting = self.schema.find(&path).map_err(|failure| failure.at(origin.clone()))?;
        let invalid = |why: String| Failure::usage(format!("{}: {why}", path.join("."))).at(origin.clone());
        let value = item.as_value().and_then(to_json);
        let value = value.ok_or_else(|| invalid(format!("expected {}", setting.expected())))?;
        setting.check(&value).map_err(invalid)?;
        let (field, field_value) = (setting.field().to_owned(), setting.normalize(&value));
        Ok(SettingEntry { path, value, field, field_value, origin })
    }
}

/// Returns whether a key is a table of settings or of tables.
fn is_group(path: &[String]) -> bool {
    match path {
        [name] => name != DEFAULT_PROFILE && TOP_LEVEL.contains(&name.as_str()),
        [group, _] => group == "profiles" || group == "services",
        _ => false,
    }
}

/// Converts a value. Dates and inline tables are not the value of any setting.
fn to_json(value: &toml_edit::Value) -> Option<Value> {
    Some(match value {
        toml_edit::Value::String(text) => Value::from(text.value().as_str()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => Value::from(*number.value()),
        toml_edit::Value::Boolean(flag) => Value::from(*flag.value()),
        toml_edit::Value::Array(items) => Value::Array(items.iter().map(to_json).collect::<Option<_>>()?),
        toml_edit::Value::Datetime(_) | toml_edit::Value::InlineTable(_) => return None,
    })
}

/// Returns the line and column of a byte.
fn origin(name: &str, text: &str, at: usize) -> Origin {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Origin::at(name, line as u64, column as u64)
}
