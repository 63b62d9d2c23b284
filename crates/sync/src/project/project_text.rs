//! The text of a project file: errors with locations, and strings that are parsed during deserialization.

use std::fmt;

use serde::de::{Error, Visitor};
use toml::Spanned;
use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::{closest, one_line};

#[derive(Clone, Copy)]
pub struct ProjectText<'a> {
    pub name: &'a str,
    /// Without a byte-order mark.
    pub text: &'a str,
}

impl ProjectText<'_> {
    pub fn origin<T>(self, value: &Spanned<T>) -> Origin {
        Origin::of_byte(self.name, self.text, value.span().start)
    }

    pub fn wrong<T>(self, value: &Spanned<T>, what: impl Into<String>) -> Failure {
        Failure::usage(what).at(self.origin(value))
    }

    /// The error suggests a known value.
    pub fn unknown_word<T, S: AsRef<str>>(self, value: &Spanned<T>, setting: &str, word: &str, known: &[S]) -> Failure {
        let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        let what = format!("{setting}: `{}` is not one of {}", one_line(word), known.join(", "));
        let hint = closest(word, known).map(|near| format!("did you mean `{near}`?"));
        Failure { hint, ..self.wrong(value, what) }
    }
}

/// Implements `Deserialize` for types that are parsed from a string. For each type, the arguments are the type, the expected
/// content and the parser. Errors get the location of the string, even within a list.
macro_rules! parsed_texts {
    ($($kind:ty, $expected:literal, $parse:expr;)*) => { $(
        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str($crate::project::project_text::TextParser($expected, $parse))
            }
        }
    )* };
}
pub(super) use parsed_texts;

/// The expected content, and the parser.
pub struct TextParser<T>(pub &'static str, pub fn(&str) -> Result<T, String>);

impl<T> Visitor<'_> for TextParser<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.1)(text).map_err(E::custom)
    }
}
