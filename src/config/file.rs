//! The settings file: what stands in it, with line and column. Which keys there may be is in `schema`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use toml_edit::{Document, Item, TableLike};

use super::schema::{TOP, check_value, type_of, what};
use crate::error::{Failure, Origin, io_message};

/// One setting of the file.
#[derive(Clone, Debug)]
pub struct SettingEntry {
    /// Its key: `["profiles", "work", "target_lang"]`.
    pub path: Vec<String>,
    /// Its value.
    pub value: Value,
    /// Where it stands.
    pub origin: Origin,
}

/// A settings file, read and checked.
#[derive(Clone, Debug, Default)]
pub struct SettingsFile {
    /// Its path.
    pub path: PathBuf,
    /// Its settings in order.
    pub entries: Vec<SettingEntry>,
    /// The tables of `[profiles]`, empty ones too.
    pub profiles: Vec<String>,
}

impl SettingsFile {
    /// Reads a file; one that is not there is empty unless `must_exist`.
    pub fn read(path: &Path, must_exist: bool) -> Result<Self, Failure> {
        match std::fs::read(path) {
            Ok(bytes) => {
                let text = String::from_utf8(bytes).map_err(|e| {
                    Failure::usage(format!(
                        "{}: invalid UTF-8 at byte {}",
                        path.display(),
                        e.utf8_error().valid_up_to()
                    ))
                })?;
                Self::parse(path, &text)
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && !must_exist => {
                Ok(Self { path: path.to_path_buf(), ..Self::default() })
            }
            Err(e) => {
                Err(Failure::usage(format!("cannot read the settings file {}: {}", path.display(), io_message(&e))))
            }
        }
    }

    /// Checks every key and type of a text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let document = Document::parse(text).map_err(|e| {
            let at = e.span().map_or(0, |s| s.start);
            Failure::usage(format!("no TOML: {}", e.message().replace('\n', ", "))).at(place(&name, text, at))
        })?;
        let mut reader = SettingsReader { name, text, file: Self { path: path.to_path_buf(), ..Self::default() } };
        reader.table(&[], document.as_table())?;
        Ok(reader.file)
    }

    /// The setting of a key.
    pub fn get(&self, path: &[&str]) -> Option<&SettingEntry> {
        self.entries.iter().find(|e| e.path == path)
    }

    /// A setting's text.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.value.as_str()
    }
}

struct SettingsReader<'a> {
    name: String,
    text: &'a str,
    file: SettingsFile,
}

impl SettingsReader<'_> {
    fn table(&mut self, path: &[String], table: &dyn TableLike) -> Result<(), Failure> {
        for (key, item) in table.iter() {
            let mut here = path.to_vec();
            here.push(key.to_owned());
            let at = table.key(key).and_then(toml_edit::Key::span).or_else(|| item.span()).map_or(0, |s| s.start);
            let origin = place(&self.name, self.text, at);
            let is_group = matches!(here.as_slice(), [a] if TOP.contains(&a.as_str()) && a != "default_profile")
                || matches!(here.as_slice(), [a, _] if a == "profiles" || a == "services");
            if let (true, Some(inner)) = (is_group, item.as_table_like()) {
                if let [first, name] = here.as_slice()
                    && first == "profiles"
                {
                    self.file.profiles.push(name.clone());
                }
                self.table(&here, inner)?;
                continue;
            }
            let kind = type_of(&here).map_err(|f| f.at(origin.clone()))?;
            let value = json(item).ok_or_else(|| {
                Failure::usage(format!("{}: {} expected", here.join("."), what(kind))).at(origin.clone())
            })?;
            check_value(kind, &value)
                .map_err(|why| Failure::usage(format!("{}: {why}", here.join("."))).at(origin.clone()))?;
            self.file.entries.push(SettingEntry { path: here, value, origin });
        }
        Ok(())
    }
}

fn json(item: &Item) -> Option<Value> {
    value_json(item.as_value()?)
}

fn value_json(value: &toml_edit::Value) -> Option<Value> {
    Some(match value {
        toml_edit::Value::String(text) => Value::from(text.value().as_str()),
        toml_edit::Value::Integer(number) => Value::from(*number.value()),
        toml_edit::Value::Float(number) => Value::from(*number.value()),
        toml_edit::Value::Boolean(flag) => Value::from(*flag.value()),
        toml_edit::Value::Array(items) => Value::Array(items.iter().map(value_json).collect::<Option<_>>()?),
        toml_edit::Value::Datetime(_) | toml_edit::Value::InlineTable(_) => return None,
    })
}

/// Line and column of a byte.
fn place(name: &str, text: &str, at: usize) -> Origin {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Origin::at(name, line as u64, column as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        let failure = SettingsFile::parse(Path::new("c.toml"), text).unwrap_err();
        format!("{failure} | {}", failure.hint.clone().unwrap_or_default())
    }

    #[test]
    fn unknown_settings_are_named_with_place_and_suggestion() {
        assert_eq!(
            error("[profiles.work]\ntarget_lnag = \"de\"\n"),
            "c.toml:2:1: unknown setting `profiles.work.target_lnag` | did you mean `target_lang`?"
        );
        assert!(error("x = 1").starts_with("c.toml:1:1: unknown setting `x`"));
        assert!(error("[sandbox]\nengin = \"echo\"").contains("did you mean `engine`?"));
    }

    #[test]
    fn values_out_of_range_or_form_are_named() {
        for (line, why) in [
            ("retries = -1", "from 0 to"),
            ("concurrency = 0", "from 1 to 256"),
            ("concurrency = 257", "from 1 to 256"),
            ("server = \"translate.example\"", "no server address"),
            ("timeout = true", "invalid duration"),
            ("glossary = [1]", "a list of texts"),
            ("target_lang = 1979-05-27", "text in quotes"),
        ] {
            let error = error(&format!("[profiles.a]\n{line}\n"));
            assert!(error.starts_with("c.toml:2:1: profiles.a.") && error.contains(why), "{error}");
        }
        assert!(error("[services.s]\nauth_scheme = \"two words\"\n").contains("one word"));
    }

    #[test]
    fn wrong_types_are_named() {
        assert!(
            error("[profiles.a]\nretries = \"many\"")
                .starts_with("c.toml:2:1: profiles.a.retries: a whole number expected")
        );
        assert!(error("[profiles.a]\nformality = \"rude\"").contains("none of default, more"));
        assert!(error("[profiles.a]\ntimeout = \"soon\"").contains("invalid duration"));
    }

    #[test]
    fn broken_toml_has_its_line() {
        assert!(error("[profiles.a]\nserver = \n").starts_with("c.toml:2:"), "{}", error("[profiles.a]\nserver = \n"));
    }

    #[test]
    fn finds_what_stands_there() {
        let file = SettingsFile::parse(
            Path::new("c"),
            "default_profile='w'\n[profiles.w]\nglossary=['a','b']\n[profiles.empty]\n",
        )
        .unwrap();
        assert_eq!(file.text(&["default_profile"]), Some("w"));
        assert_eq!(file.get(&["profiles", "w", "glossary"]).unwrap().value, serde_json::json!(["a", "b"]));
        assert_eq!(file.profiles, ["w", "empty"]);
    }
}
