//! Reads TOML files into types. A failure names the position and the key, and suggests what was probably meant.

use serde::de::DeserializeOwned;
use toml::de::{Deserializer, Error};

use crate::error::{Failure, Origin};
use crate::suggest::{closest, one_line};

/// Terms of the parser and of Rust, each with a term that users know.
const PLAIN_TERMS: [(&str, &str); 12] = [
    ("a map", "a table"),
    ("map", "a table"),
    ("a sequence", "a list"),
    ("sequence", "a list"),
    ("a string", "text in quotes"),
    ("wanted string or table", "expected text in quotes"),
    ("a spanned value", "a table"),
    ("string \"$__toml_private_datetime\"", "a date"),
    ("a boolean", "true or false"),
    ("i64", "a whole number"),
    ("u32", "a whole number"),
    ("u64", "a whole number"),
];

/// An error in a file, with its position.
#[derive(Debug)]
pub struct TomlError {
    /// The failure.
    pub failure: Failure,
    /// The unknown key, if that is the error.
    pub unknown: Option<UnknownKey>,
}

/// A key that its table does not support.
#[derive(Debug)]
pub struct UnknownKey {
    /// The key.
    pub key: String,
    /// The key with the keys of the enclosing tables.
    pub path: String,
    /// The keys that the table supports.
    pub known: Vec<String>,
}

impl From<Box<TomlError>> for Failure {
    fn from(error: Box<TomlError>) -> Self {
        error.failure
    }
}

/// Parses a file. `name` is its name in messages, and `noun` the word for its keys, such as "setting".
pub fn read<T: DeserializeOwned>(name: &str, text: &str, noun: &str) -> Result<T, Box<TomlError>> {
    let origin = |error: &Error| Origin::of_byte(name, text, error.span().map_or(0, |span| span.start));
    let document = Deserializer::parse(text).map_err(|error| {
        let what = format!("invalid TOML: {}", one_line(&error.message().replace('\n', ", ")));
        TomlError { failure: Failure::usage(what).at(origin(&error)), unknown: None }
    })?;
    T::deserialize(document).map_err(|mut error| {
        // Without the input, the error message has the key instead of the line.
        error.set_input(None);
        let shown = error.to_string();
        let keys = shown.rsplit_once("\nin `").and_then(|(_, keys)| keys.trim_end().strip_suffix('`'));
        let mut wrong = failure_of(error.message(), keys.map(one_line).as_deref(), noun);
        wrong.failure = wrong.failure.at(origin(&error));
        Box::new(wrong)
    })
}

/// Returns the failure for a serde error: an unknown key, an unknown word, or a value of another type.
fn failure_of(message: &str, keys: Option<&str>, noun: &str) -> TomlError {
    let message = one_line(&message.replace('\n', ", "));
    let about_keys = |what: &str| keys.map_or_else(|| what.to_owned(), |keys| format!("{keys}: {what}"));
    let mut quoted = message.split('`').skip(1).step_by(2);
    let mut names = || (quoted.next().unwrap_or_default(), quoted.by_ref().collect::<Vec<&str>>());
    let did_you_mean =
        |name: &str, known: &[&str]| closest(name, known.iter().copied()).map(|near| format!("did you mean `{near}`?"));
    let (failure, unknown) = if message.starts_with("unknown field") {
        let (key, known) = names();
        let path = keys.map_or_else(|| key.to_owned(), |keys| format!("{keys}.{key}"));
        let hint = did_you_mean(key, &known).unwrap_or_else(|| format!("valid {noun}s: {}", known.join(", ")));
        let failure = Failure::usage(format!("unknown {noun} `{path}`")).hint(hint);
        let known = known.into_iter().map(str::to_owned).collect();
        (failure, Some(UnknownKey { key: key.to_owned(), path, known }))
    } else if message.starts_with("unknown variant") {
        let (word, known) = names();
        let failure = Failure::usage(about_keys(&format!("`{word}` is not one of {}", known.join(", "))));
        (Failure { hint: did_you_mean(word, &known), ..failure }, None)
    } else {
        let rest = ["invalid type: ", "invalid value: "].iter().find_map(|start| message.strip_prefix(start));
        let rest = rest.and_then(|rest| rest.rsplit_once(", expected "));
        let what = match rest {
            Some((found, expected)) => format!("expected {}, found {}", plain_term(expected), plain_term(found)),
            None => plain_term(&message).to_owned(),
        };
        let failure = Failure::usage(about_keys(&what));
        let is_one_bracket = what == "expected a list, found a table";
        let hint = keys.filter(|_| is_one_bracket).map(|keys| format!("write [[{keys}]] with two brackets"));
        (Failure { hint, ..failure }, None)
    };
    TomlError { failure, unknown }
}

fn plain_term(words: &str) -> &str {
    PLAIN_TERMS.iter().find(|(word, _)| *word == words).map_or(words, |(_, plain)| plain)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Shop {
        #[serde(rename = "name")]
        _name: Option<String>,
        #[serde(rename = "kind")]
        _kind: Option<Kind>,
        #[serde(rename = "rows", default)]
        _rows: Vec<Row>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        #[serde(rename = "count")]
        _count: Option<i64>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Garden,
        Books,
    }

    #[test]
    fn errors_name_the_position_the_key_and_a_suggestion() {
        for (text, expected) in [
            ("name = 3", "f:1:8: name: expected text in quotes, found integer `3`"),
            ("\nnmae = \"x\"", "f:2:1: unknown field `nmae` (did you mean `name`?)"),
            ("x = 1", "f:1:1: unknown field `x` (valid fields: name, kind, rows)"),
            ("kind = \"boks\"", "f:1:8: kind: `boks` is not one of garden, books (did you mean `books`?)"),
            ("kind = 1", "f:1:8: kind: expected text in quotes"),
            ("[[rows]]\n[[rows]]\ncuont = 1", "f:3:1: unknown field `rows.cuont` (did you mean `count`?)"),
            ("rows = [{count = \"ä\"}]", "f:1:18: rows.count: expected a whole number, found string \"ä\""),
            ("rows = 1", "f:1:8: rows: expected a list, found integer `1`"),
            ("[rows]\ncount = 1", "f:1:1: rows: expected a list, found a table (write [[rows]] with two brackets)"),
            ("name = x", "f:1:8: invalid TOML: string values must be quoted, expected literal string"),
        ] {
            let failure = read::<Shop>("f", text, "field").unwrap_err().failure;
            let hint = failure.hint.clone().map_or_else(String::new, |hint| format!(" ({hint})"));
            assert_eq!(format!("{failure}{hint}"), expected, "{text}");
        }
        let unknown = read::<Shop>("f", "[[rows]]\nx = 1", "field").unwrap_err().unknown.unwrap();
        assert_eq!(
            (unknown.key.as_str(), unknown.path.as_str(), unknown.known),
            ("x", "rows.x", vec!["count".to_owned()])
        );
    }
}
