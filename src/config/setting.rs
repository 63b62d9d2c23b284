//! One setting: how its value is written, parsed and checked.

use std::any::TypeId;
use std::error::Error as _;
use std::time::Duration;

use clap::builder::{IntoResettable, Resettable, StyledStr};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use serde_json::Value;
use tulk_client::{Concurrency, Defaulted, NONE, OpenSet};

use super::{NameList, env, number_error};

/// TOML form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueForm {
    Text,
    Bool,
    Integer,
    /// A whole number, or a word such as `auto`.
    Count,
    /// An array of strings, or one string.
    List,
    /// A string, number or boolean that the flag parses from its text.
    Scalar,
}

impl ValueForm {
    fn of_flag(arg: &Arg) -> Self {
        let id = arg.get_value_parser().type_id();
        if matches!(arg.get_action(), ArgAction::SetTrue) || has_type::<bool>(&id) {
            return Self::Bool;
        }
        if matches!(arg.get_action(), ArgAction::Append) {
            return Self::List;
        }
        if has_type::<u16>(&id) || has_type::<u32>(&id) || has_type::<u64>(&id) || has_type::<i64>(&id) {
            return Self::Integer;
        }
        if has_type::<Concurrency>(&id) {
            return Self::Count;
        }
        let has_choices = !arg.get_possible_values().is_empty();
        if !has_choices && (has_type::<String>(&id) || has_type::<std::path::PathBuf>(&id)) {
            return Self::Text;
        }
        Self::Scalar
    }
}

/// Returns whether `id` identifies `T` or `Defaulted<T>`, which also accepts `none`.
fn has_type<T: 'static>(id: &impl PartialEq<TypeId>) -> bool {
    *id == TypeId::of::<T>() || *id == TypeId::of::<Defaulted<T>>()
}

pub struct Setting {
    name: String,
    /// Name under which its value is used: the field of the request.
    field: String,
    /// Whether `true` turns the field off.
    is_negated: bool,
    form: ValueForm,
    arg: Arg,
}

impl Setting {
    /// Creates a setting that accepts any text and has no flag.
    pub fn text(name: &'static str, help: impl IntoResettable<StyledStr>) -> Self {
        Self::of_flag(Arg::new(name).long(name).help(help))
    }

    pub fn parsed_by(mut self, parse: fn(&str) -> Result<String, String>) -> Self {
        self.arg = self.arg.value_parser(parse);
        self
    }

    pub fn of_flag(arg: Arg) -> Self {
        let name = arg.get_long().unwrap_or_default().replace('-', "_");
        let form = ValueForm::of_flag(&arg);
        // The value is checked alone, without rules that involve other flags or variables.
        let arg = arg
            .conflicts_with(Resettable::<clap::Id>::Reset)
            .requires(Resettable::<clap::Id>::Reset)
            .env(Resettable::Reset)
            .global(false);
        Self { field: name.clone(), name, is_negated: false, form, arg }
    }

    /// Creates the settings for a flag of `translate`: one with its long name, and one with the request's field name if that differs.
    pub fn of_profile_flag(flag: &Arg) -> Vec<Self> {
        let setting = |name: &str| Self { name: name.to_owned(), ..Self::of_flag(flag.clone()) };
        let field = flag.get_id().as_str();
        let long = flag.get_long().unwrap_or_default().replace('-', "_");
        match field {
            "to" => vec![Self { field: "target_lang".into(), ..setting("target_lang") }],
            "from" => vec![Self { field: "source_lang".into(), ..setting("source_lang") }],
            // If an option is on by default, its own flag is hidden, and the visible flag is `--no-…`.
            _ if flag.is_hide_set() => {
                vec![setting(field), Self { field: field.into(), is_negated: true, ..setting(&format!("no_{field}")) }]
            }
            _ if field == long => vec![setting(field)],
            _ => [field, &long].into_iter().map(|name| Self { field: field.into(), ..setting(name) }).collect(),
        }
    }

    pub fn is_named_after_flag(&self) -> bool {
        self.name == self.flag().replace('-', "_")
    }

    pub fn is_negated(&self) -> bool {
        self.is_negated
    }

    pub fn help(&self) -> String {
        self.arg.get_help().map(ToString::to_string).unwrap_or_default()
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Two settings can have the same field.
    pub fn field(&self) -> &str {
        &self.field
    }

    /// Returns the long flag, without the dashes.
    pub fn flag(&self) -> &str {
        self.arg.get_long().unwrap_or_default()
    }

    /// Parses a value from words of a command line, or from a variable.
    pub fn parse(&self, words: &[String]) -> Result<Value, String> {
        if self.form == ValueForm::List && words.len() != 1 {
            return Ok(Value::from(words));
        }
        let [text] = words else { return Err(format!("expected one value, found {}", words.len())) };
        let value = match self.form {
            ValueForm::Bool => text.parse().map(Value::Bool).ok(),
            ValueForm::Integer => text.parse::<i64>().map(Value::from).ok(),
            ValueForm::Count => Some(text.parse::<i64>().map_or_else(|_| Value::from(text.as_str()), Value::from)),
            _ => Some(Value::from(text.as_str())),
        };
        value.ok_or_else(|| format!("`{text}` is not {}", self.expected()))
    }

    /// Parses the value of a variable: commas separate the items of a list, and `1` means `true`.
    pub fn parse_variable(&self, variable: &str, text: &str) -> Result<Value, String> {
        match self.form {
            ValueForm::Bool => Ok(Value::Bool(env::is_on(variable))),
            ValueForm::List => Ok(Value::from(text.split(',').map(str::trim).collect::<Vec<_>>())),
            _ => self.parse(&[text.to_owned()]),
        }
    }

    /// Checks the form of a value, and whether the flag accepts it. A flag with an open set accepts every word.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let fits = match self.form {
            ValueForm::Text => value.is_string(),
            ValueForm::Bool => return value.is_boolean().then_some(()).ok_or_else(|| self.unexpected(value)),
            ValueForm::Integer => value.is_i64(),
            ValueForm::Count => value.is_i64() || value.is_string(),
            ValueForm::List => value.is_string() || value.as_array().is_some_and(|i| i.iter().all(Value::is_string)),
            ValueForm::Scalar => !value.is_array() && !value.is_object(),
        };
        if !fits {
            return Err(self.unexpected(value));
        }
        match value.as_array() {
            Some(items) => items.iter().try_for_each(|item| self.check_text(&to_text(item))),
            None => self.check_text(&to_text(value)),
        }
    }

    fn check_text(&self, text: &str) -> Result<(), String> {
        let command = Command::new("setting").no_binary_name(true).disable_help_flag(true).arg(self.arg.clone());
        let Err(error) = command.try_get_matches_from([format!("--{}={text}", self.flag())]) else { return Ok(()) };
        if error.kind() == ErrorKind::InvalidValue {
            return Err(self.unknown_word(text));
        }
        let Some(cause) = error.source().map(ToString::to_string) else {
            return Err(format!("invalid value `{text}`"));
        };
        Err(number_error(text, &cause).unwrap_or(cause))
    }

    /// Checks that a value of an open set is a known one.
    pub fn check_known(&self, value: &Value) -> Result<(), String> {
        let text = to_text(value);
        let is_known = || self.arg.get_possible_values().iter().any(|choice| choice.matches(&text, false));
        if self.arg.get::<OpenSet>().is_none() || text == NONE || is_known() {
            return Ok(());
        }
        Err(self.unknown_word(&text))
    }

    fn unknown_word(&self, text: &str) -> String {
        let choices = self.arg.get_possible_values();
        let names: Vec<_> = choices.iter().map(clap::builder::PossibleValue::get_name).collect();
        format!("`{text}` is not one of {}", names.join(", "))
    }

    fn unexpected(&self, value: &Value) -> String {
        // Dates and tables are objects, which would be printed in another form than in the file.
        if value.is_object() {
            format!("expected {}", self.expected())
        } else {
            format!("expected {}, found {value}", self.expected())
        }
    }

    pub fn expected(&self) -> &'static str {
        let id = self.arg.get_value_parser().type_id();
        match self.form {
            ValueForm::Scalar if has_type::<Duration>(&id) => "a duration such as \"30s\"",
            ValueForm::Scalar if has_type::<f64>(&id) => "a rate such as \"5/s\"",
            ValueForm::Text | ValueForm::Scalar => "text in quotes",
            ValueForm::Bool => "true or false",
            ValueForm::Integer => "a whole number",
            ValueForm::Count => "a whole number or \"auto\"",
            ValueForm::List => "a list of texts",
        }
    }

    fn items(&self, text: &str) -> Vec<String> {
        if self.arg.get_value_parser().type_id() == TypeId::of::<NameList>()
            && let Ok(NameList(names)) = text.parse()
        {
            return names;
        }
        match self.arg.get_value_delimiter() {
            Some(delimiter) => text.split(delimiter).map(|item| item.trim().to_owned()).collect(),
            None => vec![text.to_owned()],
        }
    }

    /// Returns a valid value in normalized form: lists as arrays, words as the request writes them.
    pub fn normalize(&self, value: &Value) -> Value {
        match (self.form, value) {
            (ValueForm::Bool, Value::Bool(on)) => Value::Bool(*on != self.is_negated),
            (ValueForm::List, Value::String(one)) => Value::from(self.items(one)),
            (ValueForm::List, Value::Array(items)) => {
                Value::from(items.iter().flat_map(|item| self.items(&to_text(item))).collect::<Vec<_>>())
            }
            (ValueForm::Scalar, value) => {
                let text = to_text(value);
                let choices = self.arg.get_possible_values();
                choices.iter().find(|c| c.matches(&text, false)).map_or_else(|| value.clone(), |c| c.get_name().into())
            }
            _ => value.clone(),
        }
    }
}

/// Returns a value as written on the command line.
pub fn to_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
