//! The text of a project file: failures with the place of a value, and texts that are parsed while the file is read.

use std::fmt;

use serde::de::{Error, Visitor};
use toml::Spanned;
use tulk_base::error::{Failure, Origin};
use tulk_base::suggest::{closest, one_line};

/// The text of a project file, with the name of the file for messages.
#[derive(Clone, Copy)]
pub struct ProjectText<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its text without byte-order mark.
    pub text: &'a str,
}

impl ProjectText<'_> {
    /// Returns the place of a value.
    pub fn origin<T>(self, value: &Spanned<T>) -> Origin {
        Origin::of_byte(self.name, self.text, value.span().start)
    }

    /// Returns a failure at a value.
    pub fn wrong<T>(self, value: &Spanned<T>, what: impl Into<String>) -> Failure {
        Failure::usage(what).at(self.origin(value))
    }

    /// Returns the failure for a word that is not known.
    pub fn unknown_word<T, S: AsRef<str>>(self, value: &Spanned<T>, setting: &str, word: &str, known: &[S]) -> Failure {
        let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
        let what = format!("{setting}: `{}` is not one of {}", one_line(word), known.join(", "));
        let hint = closest(word, known).map(|near| format!("did you mean `{near}`?"));
        Failure { hint, ..self.wrong(value, what) }
    }
}

/// Has texts parsed while a file is read: the type, what is expected, and the parser. A failure has the place of the text, also
/// within a list.
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

/// Parses a text: what is expected, and the parser.
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
