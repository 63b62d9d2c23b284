//! `-F NAME=VALUE` and `--raw-field NAME=VALUE`: the keys' brackets, the values' types, and the tree they make.
//!
//! Knows nothing of requests: what the tree becomes on the wire is `body.rs`. Spec: command line, "tulk api".

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde_json::value::RawValue;

use crate::error::Failure;

/// One field as it was written. `-F` gives a value a type, `--raw-field` does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldArg {
    /// `NAME=VALUE`, or `NAME[]` for an empty list.
    pub text: String,
    /// Whether the value has a type.
    pub typed: bool,
}

/// The fields of a request, of both flags in the order of the command line: lists must keep it.
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
                    .help("Field: number, true, false, null, @FILE or text"),
            )
            .arg(
                Arg::new(RAW)
                    .short('f')
                    .long(RAW)
                    .action(ArgAction::Append)
                    .value_name("NAME=VALUE")
                    .help("Field that is text, whatever it looks like"),
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

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A number, boolean or null, spelt as it was written.
    Json(String),
    /// Text.
    Text(String),
    /// The content of a file; `-` is stdin.
    File(PathBuf),
}

/// Fields by their keys: a leaf, a list, or an object in the order of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldTree {
    /// A value.
    Value(FieldValue),
    /// `key[]=`
    List(Vec<Self>),
    /// `key[name]=`, and the whole.
    Object(Vec<(String, Self)>),
}

/// One step of a key's way into the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyPart {
    Name(String),
    Push,
}

/// Reads all fields. Messages name keys, never values: those may be secret.
pub fn parse(given: &[FieldArg]) -> Result<FieldTree, Failure> {
    let mut root = FieldTree::Object(Vec::new());
    for field in given {
        let (key, value) = match field.text.split_once('=') {
            Some((key, value)) => (key, Some(value)),
            None if field.text.ends_with("[]") => (field.text.as_str(), None),
            None => {
                return Err(
                    Failure::usage("a field has no `=`").hint("write -F NAME=VALUE; NAME[] alone is an empty list")
                );
            }
        };
        let mut way = steps(key)?;
        let value = if let Some(value) = value {
            FieldTree::Value(leaf(value, field.typed))
        } else {
            way.pop();
            FieldTree::List(Vec::new())
        };
        if !insert(&mut root, &way, value) {
            return Err(Failure::usage(format!("the field {key} is given twice, or as two different things"))
                .hint("NAME[]=VALUE adds to a list, NAME[PART]=VALUE to an object; any other stands once"));
        }
    }
    Ok(root)
}

fn leaf(value: &str, typed: bool) -> FieldValue {
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

/// Splits `a[b][][c]`.
fn steps(key: &str) -> Result<Vec<KeyPart>, Failure> {
    let wrong = || Failure::usage(format!("`{key}` is no key of a field")).hint("write NAME, NAME[] or NAME[PART]");
    let (first, mut rest) = match key.find('[') {
        Some(at) => key.split_at(at),
        None => (key, ""),
    };
    if first.is_empty() || first.contains(']') {
        return Err(wrong());
    }
    let mut steps = vec![KeyPart::Name(first.to_owned())];
    while !rest.is_empty() {
        let (name, after) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')).ok_or_else(wrong)?;
        if name.contains('[') {
            return Err(wrong());
        }
        steps.push(if name.is_empty() { KeyPart::Push } else { KeyPart::Name(name.to_owned()) });
        rest = after;
    }
    Ok(steps)
}

/// Puts a value at the end of its way; false when something else stands there.
fn insert(node: &mut FieldTree, way: &[KeyPart], value: FieldTree) -> bool {
    match (node, way) {
        (FieldTree::Object(fields), [KeyPart::Name(name), rest @ ..]) => {
            let at = fields.iter().position(|(field, _)| field == name);
            let Some((_, inner)) = at.and_then(|at| fields.get_mut(at)) else {
                let Some(made) = grow(rest, value) else { return false };
                fields.push((name.clone(), made));
                return true;
            };
            !rest.is_empty() && insert(inner, rest, value)
        }
        (FieldTree::List(items), [KeyPart::Push, rest @ ..]) => {
            // `a[][x]=1 a[][y]=2` is one object; a name that it has begins the next.
            if let Some(last) = items.last_mut()
                && !rest.is_empty()
                && fits(last, rest)
            {
                return insert(last, rest, value);
            }
            let Some(made) = grow(rest, value) else { return false };
            items.push(made);
            true
        }
        _ => false,
    }
}

/// Whether a value can be put there without anything in the way.
fn fits(node: &FieldTree, way: &[KeyPart]) -> bool {
    match (node, way) {
        (FieldTree::Object(fields), [KeyPart::Name(name), rest @ ..]) => {
            match fields.iter().find(|(field, _)| field == name) {
                Some((_, inner)) => !rest.is_empty() && fits(inner, rest),
                None => true,
            }
        }
        (FieldTree::List(_), [KeyPart::Push, ..]) => true,
        _ => false,
    }
}

/// The tree of a way that is all new.
fn grow(way: &[KeyPart], value: FieldTree) -> Option<FieldTree> {
    way.iter().rev().try_fold(value, |inner, step| {
        Some(match step {
            KeyPart::Name(name) => FieldTree::Object(vec![(name.clone(), inner)]),
            KeyPart::Push => FieldTree::List(vec![inner]),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn typed(texts: &[&str]) -> Result<FieldTree, Failure> {
        let given: Vec<_> = texts.iter().map(|text| FieldArg { text: (*text).to_owned(), typed: true }).collect();
        parse(&given)
    }

    fn json(texts: &[&str]) -> String {
        super::super::body::to_json(&typed(texts).unwrap()).unwrap()
    }

    #[test]
    fn values_have_types_and_keep_their_spelling() {
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
    fn refuses_what_does_not_go_together() {
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
        fn raw_text_arrives_as_it_is(texts in proptest::collection::vec(any::<String>(), 1..6)) {
            let given: Vec<_> =
                texts.iter().map(|text| FieldArg { text: format!("text[]={text}"), typed: false }).collect();
            let json = super::super::body::to_json(&parse(&given).unwrap()).unwrap();
            let value: serde_json::Value = serde_json::from_str(&json).unwrap();
            prop_assert_eq!(value, serde_json::json!({ "text": texts }));
        }

        #[test]
        fn any_field_is_read_or_refused(text in any::<String>(), typed in any::<bool>()) {
            if let Ok(tree) = parse(&[FieldArg { text, typed }])
                && let Ok(json) = super::super::body::to_json(&tree)
            {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok());
            }
        }
    }
}
