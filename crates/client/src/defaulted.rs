//! Values of flags that can have a default in a profile.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The word that drops the default of a profile, on the command line and in JSON.
pub const NONE: &str = "none";

/// The value of a flag that can have a default in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defaulted<T> {
    /// `none`: the default of the profile does not apply.
    Dropped,
    /// Replaces the default.
    Set(T),
}

impl<T> Defaulted<T> {
    /// Returns a parser that also accepts `none`.
    pub fn parser<P: TypedValueParser<Value = T>>(parser: P) -> DefaultedParser<P> {
        DefaultedParser(parser)
    }

    /// Returns the value, unless the default was dropped.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Dropped => None,
            Self::Set(value) => Some(value),
        }
    }
}

impl<T> From<T> for Defaulted<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}

/// A flag that may be absent.
pub trait OptionalFlag<T> {
    /// Returns the value of the flag. `None` if the flag is absent or is `none`.
    fn given(&self) -> Option<&T>;
}

impl<T> OptionalFlag<T> for Option<Defaulted<T>> {
    fn given(&self) -> Option<&T> {
        match self {
            Some(Defaulted::Set(value)) => Some(value),
            _ => None,
        }
    }
}

impl<T: Serialize> Serialize for Defaulted<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Dropped => NONE.serialize(serializer),
            Self::Set(value) => value.serialize(serializer),
        }
    }
}

/// Reads values only: in a profile, `none` is not special.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Defaulted<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::Set)
    }
}

/// Parses a value, or `none`.
#[derive(Clone, Debug)]
pub struct DefaultedParser<P>(P);

impl<P: TypedValueParser> TypedValueParser for DefaultedParser<P> {
    type Value = Defaulted<P::Value>;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Self::Value, clap::Error> {
        if value == NONE {
            return Ok(Defaulted::Dropped);
        }
        self.0.parse_ref(command, arg, value).map(Defaulted::Set)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}
