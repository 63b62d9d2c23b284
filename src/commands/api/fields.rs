//! Parses `-F NAME=VALUE` and `--raw-field NAME=VALUE` into a tree of fields, which `request` turns into a query or a
//! body.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use indexmap::IndexMap;
use serde_json::value::RawValue;

use tulk_base::error::Failure;

use crate::completion::ValueKind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldArg {
    /// `NAME=VALUE`, or `NAME[]` for an empty list.
    pub text: String,
    /// Whether the value is typed (`-F`) or always text (`--raw-field`).
    pub typed: bool,
}

/// The fields of both flags in command-line order, which is the order of list items.
#[derive(Clone, Debug, Default)]
pub struct FieldArgs(pub Vec<FieldArg>);

const TYPED: &str = "field";
const RAW: &str = "raw-field";

impl Args for FieldArgs {
    fn augment_args(command: Command) -> Command {
        command
            .arg(
                Arg::new(TYPED)
                    .short('F')
                    .long(TYPED)
                    .action(ArgAction::Append)
                    .value_name("NAME=VALUE")
                    .add(ValueKind::FieldFile)
                    .help("Add a field: a number, true, false, null, @FILE or text"),
            )
            .arg(
                Arg::new(RAW)
                    .short('f')
                    .long(RAW)
                    .action(ArgAction::Append)
                    .value_name("NAME=VALUE")
                    .help("Add a field that is always text"),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for FieldArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut found = Vec::new();
        for (name, typed) in [(TYPED, true), (RAW, false)] {
            let texts = matches.get_many::<String>(name).into_iter().flatten();
            let places = matches.indices_of(name).into_iter().flatten();
            found.extend(places.zip(texts).map(|(place, text)| (place, FieldArg { text: text.clone(), typed })));
        }
        found.sort_by_key(|(place, _)| *place);
        Ok(Self(found.into_iter().map(|(_, given)| given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number, boolean or null, exactly as written.
    Json(String),
    Text(String),
    /// The content of a file, or of stdin for `-`.
    File(PathBuf),
}

/// Fields by key. Objects keep the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldTree {
    Value(FieldValue),
    /// A list, from `key[]=`.
    List(Vec<Self>),
    /// An object, from `key[name]=`; also the root.
    Object(IndexMap<String, Self>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyPart {
    Name(String),
    NextItem,
}

/// Parses all fields. Error messages never contain a value, which may be secret.
///
/// Some services use form field names such as `items[0].name`, so with `is_form` an invalid key is used literally.
pub fn parse(given: &[FieldArg], is_form: bool) -> Result<FieldTree, Failure> {
    let mut root = FieldTree::Object(IndexMap::new());
    for field in given {
        let (key, value) = match field.text.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None if field.text.ends_with("[]") => (field.text.as_str(), None),
            None => {
                return Err(
                    Failure::usage("a field contains no `=`").hint("write -F NAME=VALUE, or NAME[] for an empty list")
                );
            }
        };
        let mut parts = match parse_key(key) {
            Err(_) if is_form && !key.is_empty() => vec![KeyPart::Name(key.to_owned())],
            parts => parts?,
        };
        let value = if let Some(value) = value {
            FieldTree::Value(parse_value(value, field.typed))
        } else {
            parts.pop();
            FieldTree::List(Vec::new())
        };
        if !insert(&mut root, &parts, value) {
            return Err(Failure::usage(format!("the field {key} is given twice, or with different types"))
                .hint("NAME[]=VALUE adds to a list, NAME[PART]=VALUE to an object; other fields can be given once"));
        }
    }
    Ok(root)
}

fn parse_value(value: &str, typed: bool) -> FieldValue {
    if !typed {
        return FieldValue::Text(value.to_owned());
    }
    if let Some(path) = value.strip_prefix('@') {
        return FieldValue::File(PathBuf::from(path));
    }
    let is_number = value.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && value.ends_with(|c: char| c.is_ascii_digit())
        && serde_json::from_str::<&RawValue>(value).is_ok();
    if is_number || matches!(value, "true" | "false" | "null") {
        FieldValue::Json(value.to_owned())
    } else {
        FieldValue::Text(value.to_owned())
    }
}

fn parse_key(key: &str) -> Result<Vec<KeyPart>, Failure> {
    let invalid = || Failure::usage(format!("invalid field name `{key}`")).hint("write NAME, NAME[] or NAME[PART]");
    let (first, mut rest) = match key.find('[') {
        Some(at) => key.split_at(at),
        None => (key, ""),
    };
    if first.is_empty() || first.contains(']') {
        return Err(invalid());
    }
    let mut parts = vec![KeyPart::Name(first.to_owned())];
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')).ok_or_else(invalid)?;
        if name.contains('[') {
            return Err(invalid());
        }
        parts.push(if name.is_empty() { KeyPart::NextItem } else { KeyPart::Name(name.to_owned()) });
        rest = after;
    }
    Ok(parts)
}

/// Returns false if the key is taken or used with another type.
fn insert(node: &mut FieldTree, parts: &[KeyPart], value: FieldTree) -> bool {
    match (node, parts) {
        (FieldTree::Object(fields), [KeyPart::Name(name), rest @ ..]) => match fields.get_mut(name) {
            Some(inner) => !rest.is_empty() && insert(inner, rest, value),
            None => fields.insert(name.clone(), build(rest, value)).is_none(),
        },
        (FieldTree::List(items), [KeyPart::NextItem, rest @ ..]) => {
            // `a[][x]=1 a[][y]=2` is one object; a repeated name starts the next object.
            if let Some(last) = items.last_mut()
                && !rest.is_empty()
                && fits(last, rest)
            {
                return insert(last, rest, value);
            }
            items.push(build(rest, value));
            true
        }
        _ => false,
    }
}

fn fits(node: &FieldTree, parts: &[KeyPart]) -> bool {
    match (node, parts) {
        (FieldTree::Object(fields), [KeyPart::Name(name), rest @ ..]) => {
            fields.get(name).is_none_or(|inner| !rest.is_empty() && fits(inner, rest))
        }
        (FieldTree::List(_), [KeyPart::NextItem, ..]) => true,
        _ => false,
    }
}

/// Wraps a value in the lists and objects for the remaining parts of its key.
fn build(parts: &[KeyPart], value: FieldTree) -> FieldTree {
    parts.iter().rev().fold(value, |inner, part| match part {
        KeyPart::Name(name) => FieldTree::Object(IndexMap::from([(name.clone(), inner)])),
        KeyPart::NextItem => FieldTree::List(vec![inner]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(texts: &[&str]) -> Result<FieldTree, Failure> {
        let given: Vec<_> = texts.iter().map(|text| FieldArg { text: (*text).to_owned(), typed: true }).collect();
        parse(&given, false)
    }

    fn json(texts: &[&str]) -> String {
        super::super::request::to_json(&typed(texts).unwrap()).unwrap()
    }

    #[test]
    fn values_have_types_and_stay_as_written() {
        assert_eq!(
            json(&["a=12345678901234567890", "b=1.10", "c=true", "d=null", "e=007", "f=1e", "g=", "h=x=y", "i=-5"]),
            r#"{"a":12345678901234567890,"b":1.10,"c":true,"d":null,"e":"007","f":"1e","g":"","h":"x=y","i":-5}"#
        );
    }

    #[test]
    fn brackets_make_lists_and_objects() {
        assert_eq!(
            json(&["text[]=a", "m[s]=en", "text[]=b", "m[t]=de", "none[]", "p[][x]=1", "p[][y]=2", "p[][x]=3"]),
            r#"{"text":["a","b"],"m":{"s":"en","t":"de"},"none":[],"p":[{"x":1,"y":2},{"x":3}]}"#
        );
    }

    #[test]
    fn refuses_conflicting_and_invalid_fields() {
        for texts in [&["a=1", "a=2"][..], &["a=1", "a[]=2"], &["a[b]=1", "a[]=2"], &["a[]=1", "a=2"], &["a"], &["=1"]]
        {
            assert!(typed(texts).is_err(), "{texts:?}");
        }
        for key in ["a[=1", "a]=1", "a[b=1", "a[b]c=1", "[a]=1", "a[[b]]=1"] {
            assert!(typed(&[key]).is_err(), "{key}");
        }
        assert!(!typed(&["secret"]).unwrap_err().what.contains("secret"));
    }

    proptest! {
        #[test]
        fn raw_text_stays_unchanged(texts in proptest::collection::vec(any::<String>(), 1..6)) {
            let given: Vec<_> =
                texts.iter().map(|text| FieldArg { text: format!("text[]={text}"), typed: false }).collect();
            let json = super::super::request::to_json(&parse(&given, false).unwrap()).unwrap();
            let value: serde_json::Value = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(value, serde_json::json!({ "text": texts }));
        }

        #[test]
        fn every_field_is_valid_or_refused(text in any::<String>(), typed in any::<bool>()) {
            if let Ok(tree) = parse(&[FieldArg { text, typed }], false)
                && let Ok(json) = super::super::request::to_json(&tree)
            {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            }
        }
    }
}
