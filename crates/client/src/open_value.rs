//! Flag values from a set that the service may extend.

use std::ffi::OsStr;
use std::marker::PhantomData;

use clap::builder::{ArgExt, PossibleValue, TypedValueParser};
use clap::{Arg, Command, ValueEnum};
use serde::{Deserialize, Serialize};

/// A value from a set that the service may extend. Words that tulk does not know are sent only with `--no-check`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected text in quotes")]
pub enum OpenValue<T> {
    /// A value that tulk knows.
    Known(T),
    /// Any other word.
    Other(String),
}

impl<T: ValueEnum + Clone + Send + Sync + 'static> OpenValue<T> {
    /// Returns a parser that accepts every word. Mark its argument with [`OpenSet`].
    pub fn parser() -> OpenValueParser<T> {
        OpenValueParser(PhantomData)
    }

    /// Returns the value if tulk knows it.
    pub fn known(&self) -> Option<&T> {
        match self {
            Self::Known(value) => Some(value),
            Self::Other(_) => None,
        }
    }

    /// Returns the word and the names of all known values, if tulk does not know the word.
    pub fn unknown(&self) -> Option<(&str, Vec<String>)> {
        let Self::Other(word) = self else { return None };
        let values = T::value_variants().iter().filter_map(T::to_possible_value);
        Some((word, values.map(|value| value.get_name().to_owned()).collect()))
    }
}

/// Parses a value of an open set.
#[derive(Clone, Debug)]
pub struct OpenValueParser<T>(PhantomData<T>);

impl<T: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for OpenValueParser<T> {
    type Value = OpenValue<T>;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<OpenValue<T>, clap::Error> {
        let word = clap::builder::StringValueParser::new().parse_ref(command, arg, value)?;
        let ignores_case = arg.is_some_and(Arg::is_ignore_case_set);
        Ok(T::from_str(&word, ignores_case).map_or(OpenValue::Other(word), OpenValue::Known))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::value_variants().iter().filter_map(T::to_possible_value)))
    }
}

/// Marks an argument that takes an open set of values. The command line refuses unknown words unless `--no-check` is given.
#[derive(Clone, Copy, Debug)]
pub struct OpenSet {
    /// Whether the argument can have a default in a profile. `none` then drops the default.
    pub has_default: bool,
}

impl OpenSet {
    /// An argument without a default in profiles.
    pub const PLAIN: Self = Self { has_default: false };
    /// An argument that can have a default in a profile.
    pub const DEFAULTED: Self = Self { has_default: true };
}

impl ArgExt for OpenSet {}
