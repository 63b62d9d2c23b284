//! The settings file: which keys there are, of which type, and what stands in it with line and column.

use std::path::{Path, PathBuf};

use serde_json::Value;
use toml_edit::{Document, Item, TableLike};

use crate::error::{Failure, Origin, plain};

/// What a setting holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A list of texts; one text stands for a list of one.
    List,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `30s`, `2m`, or seconds.
    Duration,
    /// `5/s`, or a number a second.
    Rate,
}

/// Keys of `[profiles.NAME]`.
pub const PROFILE: &[(&str, Type)] = &[
    ("service", Type::Text),
    ("endpoint", Type::Choice(&["paid", "free", "us", "jp"])),
    ("server", Type::Text),
    ("key_command", Type::Text),
    ("admin_key_command", Type::Text),
    ("target_lang", Type::Text),
    ("source_lang", Type::Text),
    ("formality", Type::Choice(&["default", "more", "less", "prefer_more", "prefer_less"])),
    ("model_type", Type::Choice(&["latency_optimized", "quality_optimized", "prefer_quality_optimized"])),
    ("split_sentences", Type::Choice(&["0", "1", "nonewlines"])),
    ("preserve_formatting", Type::Bool),
    ("glossary", Type::List),
    ("style", Type::Text),
    ("custom_instructions", Type::List),
    ("translation_memory", Type::Text),
    ("translation_memory_threshold", Type::Int),
    ("show_billed_characters", Type::Bool),
    ("tag_handling", Type::Choice(&["xml", "html"])),
    ("tag_handling_version", Type::Text),
    ("outline_detection", Type::Bool),
    ("non_splitting_tags", Type::List),
    ("splitting_tags", Type::List),
    ("ignore_tags", Type::List),
    ("context", Type::Text),
    ("reporting_tag", Type::Text),
    ("timeout", Type::Duration),
    ("retries", Type::Int),
    ("max_wait", Type::Duration),
    ("concurrency", Type::Int),
    ("rate", Type::Rate),
    ("proxy", Type::Text),
    ("ca_file", Type::Text),
];

/// Keys of `[services.NAME]`.
pub const SERVICE: &[(&str, Type)] = &[
    ("base_url", Type::Text),
    ("base_url_free", Type::Text),
    ("base_url_us", Type::Text),
    ("base_url_jp", Type::Text),
    ("auth_scheme", Type::Text),
    ("reporting_tag_header", Type::Text),
];

/// Keys of `[sandbox]`.
pub const SANDBOX: &[(&str, Type)] = &[
    ("engine", Type::Choice(&["pseudo", "echo", "upper"])),
    ("phrases", Type::Text),
    ("memories", Type::Text),
    ("latency", Type::Text),
    ("fault", Type::List),
    ("seed", Type::Int),
    ("rate_limit", Type::Rate),
    ("character_limit", Type::Int),
    ("key", Type::List),
    ("admin_key", Type::List),
    ("ephemeral", Type::Bool),
    ("document_queue_time", Type::Duration),
    ("document_translate_time", Type::Duration),
    ("glossary_ready_delay", Type::Duration),
    ("record", Type::Text),
];

/// Keys at the top, the tables among them.
const TOP: [&str; 4] = ["default_profile", "profiles", "services", "sandbox"];

/// One setting of the file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its key: `["profiles", "work", "target_lang"]`.
    pub path: Vec<String>,
    /// Its value.
    pub value: Value,
    /// Where it stands.
    pub origin: Origin,
}

/// A settings file, read and checked.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its path.
    pub path: PathBuf,
    /// Its settings in order.
    pub entries: Vec<Entry>,
    /// The tables of `[profiles]`, empty ones too.
    pub profiles: Vec<String>,
}

impl File {
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
            Err(e) => Err(Failure::usage(format!("cannot read the settings file {}: {}", path.display(), plain(&e)))),
        }
    }

    /// Checks every key and type of a text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let document = Document::parse(text).map_err(|e| {
            let at = e.span().map_or(0, |s| s.start);
            Failure::usage(format!("no TOML: {}", e.message().replace('\n', ", "))).at(place(&name, text, at))
        })?;
        let mut reader = Reader { name, text, file: Self { path: path.to_path_buf(), ..Self::default() } };
        reader.table(&[], document.as_table())?;
        Ok(reader.file)
    }

    /// The setting of a key.
    pub fn get(&self, path: &[&str]) -> Option<&Entry> {
        self.entries.iter().find(|e| e.path == path)
    }

    /// A setting's text.
    pub fn text(&self, path: &[&str]) -> Option<&str> {
        self.get(path)?.value.as_str()
    }
}

/// The type of a key; an unknown key fails with a suggestion.
pub fn type_of(path: &[String]) -> Result<Type, Failure> {
    let words: Vec<&str> = path.iter().map(String::as_str).collect();
    let (known, key): (&[(&str, Type)], &str) = match words.as_slice() {
        ["default_profile"] => return Ok(Type::Text),
        ["profiles", _, key] => (PROFILE, key),
        ["services", _, key] => (SERVICE, key),
        ["sandbox", key] => (SANDBOX, key),
        ["profiles" | "services" | "sandbox"] | ["profiles" | "services", _] => {
            return Err(Failure::usage(format!("`{}` is a table", path.join(".")))
                .hint("name a key in it, such as profiles.work.target_lang"));
        }
        [first, ..] => {
            return Err(unknown(&path.join("."), first, &TOP));
        }
        [] => return Err(Failure::usage("a key is empty")),
    };
    if let Some((_, found)) = known.iter().find(|(name, _)| *name == key) {
        return Ok(*found);
    }
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    Err(unknown(&path.join("."), key, &names))
}

fn unknown(path: &str, key: &str, known: &[&str]) -> Failure {
    let failure = Failure::usage(format!("unknown setting `{path}`"));
    match nearest(key, known.iter().copied()) {
        Some(near) => failure.hint(format!("did you mean `{near}`?")),
        None => failure.hint(format!("settings there are: {}", known.join(", "))),
    }
}

/// The known word that is most like `word`, if one is like it.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = known.into_iter().map(|k| (strsim::jaro_winkler(&word.to_lowercase(), &k.to_lowercase()), k));
    scored.filter(|(score, _)| *score > 0.8).max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, k)| k)
}

/// Checks a value against its type.
pub fn check_value(kind: Type, value: &Value) -> Result<(), String> {
    let fits = match kind {
        Type::Text => value.is_string(),
        Type::Bool => value.is_boolean(),
        Type::Int => value.is_u64() || value.is_i64(),
        Type::List => value.is_string() || value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        Type::Choice(words) => {
            let written = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if !words.contains(&written.as_str()) {
                return Err(format!("`{written}` is none of {}", words.join(", ")));
            }
            true
        }
        Type::Duration => return super::duration(&spelt(value)).map(|_| ()),
        Type::Rate => return super::rate(&spelt(value)).map(|_| ()),
    };
    if fits { Ok(()) } else { Err(format!("{} expected, not {value}", what(kind))) }
}

/// A value as it would be written on the command line.
pub fn spelt(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn what(kind: Type) -> &'static str {
    match kind {
        Type::Text | Type::Choice(_) => "text in quotes",
        Type::Bool => "true or false",
        Type::Int => "a whole number",
        Type::List => "a list of texts",
        Type::Duration => "a duration such as \"30s\"",
        Type::Rate => "a rate such as \"5/s\"",
    }
}

struct Reader<'a> {
    name: String,
    text: &'a str,
    file: File,
}

impl Reader<'_> {
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
            self.file.entries.push(Entry { path: here, value, origin });
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
        let failure = File::parse(Path::new("c.toml"), text).unwrap_err();
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
    fn wrong_types_are_named() {
        assert!(
            error("[profiles.a]\nretries = \"many\"")
                .starts_with("c.toml:2:1: profiles.a.retries: a whole number expected")
        );
        assert!(error("[profiles.a]\nformality = \"rude\"").contains("none of default, more"));
        assert!(error("[profiles.a]\ntimeout = \"soon\"").contains("is no duration"));
    }

    #[test]
    fn broken_toml_has_its_line() {
        assert!(error("[profiles.a]\nserver = \n").starts_with("c.toml:2:"), "{}", error("[profiles.a]\nserver = \n"));
    }

    #[test]
    fn finds_what_stands_there() {
        let file =
            File::parse(Path::new("c"), "default_profile='w'\n[profiles.w]\nglossary=['a','b']\n[profiles.empty]\n")
                .unwrap();
        assert_eq!(file.text(&["default_profile"]), Some("w"));
        assert_eq!(file.get(&["profiles", "w", "glossary"]).unwrap().value, serde_json::json!(["a", "b"]));
        assert_eq!(file.profiles, ["w", "empty"]);
    }
}
