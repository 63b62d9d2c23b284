//! Fields of a request as people write them: `name=value`, `a[b]=value`, `list[]=value`.
//!
//! With `-F` a value is typed: a JSON number, `true`, `false`, `null`, `@FILE`; everything else is text.

use std::path::PathBuf;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::error::Failure;
use crate::input::whole::read_text;

/// What stands at one place of a field's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `name`, or `[name]` after the first.
    Name(String),
    /// `[]`: one more element of a list.
    Next,
}

/// One field as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name as it was written.
    pub name: String,
    /// Its name in parts; the first is a name.
    pub parts: Vec<Part>,
    /// Its value as it was written.
    pub value: String,
}

impl FromStr for Field {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("a field is NAME=VALUE")?;
        Ok(Self { name: name.to_owned(), parts: parts(name)?, value: value.to_owned() })
    }
}

fn parts(name: &str) -> Result<Vec<Part>, String> {
    let (first, mut rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    if first.is_empty() {
        return Err("a field needs a name before `=` and `[`".to_owned());
    }
    let mut parts = vec![Part::Name(first.to_owned())];
    while !rest.is_empty() {
        let inner = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        let Some((part, after)) = inner else {
            return Err(format!("the brackets of `{name}` do not close"));
        };
        parts.push(if part.is_empty() { Part::Next } else { Part::Name(part.to_owned()) });
        rest = after;
    }
    Ok(parts)
}

/// A field's value.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A value of JSON.
    Json(Value),
    /// The file behind `@FILE`; `-` is stdin.
    File(PathBuf),
}

impl Field {
    /// What `-F` makes of the value.
    pub fn typed(&self) -> Given {
        if let Some(path) = self.value.strip_prefix('@') {
            return Given::File(PathBuf::from(path));
        }
        Given::Json(match serde_json::from_str(&self.value) {
            // A number that would not come out as it was written is text.
            Ok(Value::Number(number)) if number.to_string().as_str() == self.value => Value::Number(number),
            Ok(word @ (Value::Bool(_) | Value::Null)) if self.value.trim() == self.value => word,
            _ => Value::String(self.value.clone()),
        })
    }

    /// The value with the content of its file, which must be UTF-8.
    pub fn read(&self) -> Result<Value, Failure> {
        match self.typed() {
            Given::Json(value) => Ok(value),
            Given::File(path) => read_text(&path).map(Value::String),
        }
    }

    fn refused(&self, why: &str) -> Failure {
        Failure::usage(format!("the field {} {why}", self.name))
            .hint("a name holds one thing: a value, a list (`a[]=`), or more fields (`a[b]=`)")
    }
}

/// Puts a field at its place in an object.
pub fn put(object: &mut Map<String, Value>, field: &Field, value: Value) -> Result<(), Failure> {
    let Some((Part::Name(first), rest)) = field.parts.split_first() else {
        return Err(field.refused("has no name"));
    };
    into_object(object, first, rest, field, value)
}

fn into_object(
    object: &mut Map<String, Value>,
    name: &str,
    rest: &[Part],
    field: &Field,
    value: Value,
) -> Result<(), Failure> {
    let Some((next, after)) = rest.split_first() else {
        if object.insert(name.to_owned(), value).is_some() {
            return Err(field.refused("is given twice"));
        }
        return Ok(());
    };
    match next {
        Part::Name(inner) => match object.entry(name).or_insert_with(|| Value::Object(Map::new())) {
            Value::Object(object) => into_object(object, inner, after, field, value),
            _ => Err(field.refused("is given as something else, too")),
        },
        Part::Next => match object.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
            Value::Array(list) => into_list(list, after, field, value),
            _ => Err(field.refused("is given as something else, too")),
        },
    }
}

/// Into the last element, while that is an object which lacks the field; else into one more.
fn into_list(list: &mut Vec<Value>, rest: &[Part], field: &Field, value: Value) -> Result<(), Failure> {
    match rest.split_first() {
        None => {
            list.push(value);
            Ok(())
        }
        Some((Part::Next, after)) => {
            let mut inner = Vec::new();
            into_list(&mut inner, after, field, value)?;
            list.push(Value::Array(inner));
            Ok(())
        }
        Some((Part::Name(name), after)) => {
            let goes_on = |last: &Value| match last.as_object().map(|object| object.get(name)) {
                Some(None) => true,
                Some(Some(Value::Object(_) | Value::Array(_))) => !after.is_empty(),
                _ => false,
            };
            if !list.last().is_some_and(goes_on) {
                list.push(Value::Object(Map::new()));
            }
            match list.last_mut() {
                Some(Value::Object(object)) => into_object(object, name, after, field, value),
                _ => Err(field.refused("is given as something else, too")),
            }
        }
    }
}

/// A value as text, for queries and forms: lists become pairs, `null` leaves the field out.
pub fn pairs(field: &Field, value: &Value) -> Option<(String, String)> {
    // `text[]=a` is how JSON lists are written; forms and queries repeat the plain name.
    let name = field.name.strip_suffix("[]").unwrap_or(&field.name).to_owned();
    match value {
        Value::Null => None,
        Value::String(text) => Some((name, text.clone())),
        other => Some((name, other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn object(fields: &[&str]) -> Result<Value, Failure> {
        let mut object = Map::new();
        for text in fields {
            let field: Field = text.parse().unwrap();
            let value = field.read()?;
            put(&mut object, &field, value)?;
        }
        Ok(Value::Object(object))
    }

    #[test]
    fn values_have_the_type_they_look_like() {
        let made = object(&["a=1", "b=-2.5", "c=true", "d=null", "e=", "f=1.10", "g=007", "h={}", "i= 1", "j=x=y"]);
        assert_eq!(
            made.unwrap(),
            json!({"a": 1, "b": -2.5, "c": true, "d": null, "e": "", "f": "1.10", "g": "007", "h": "{}", "i": " 1",
                   "j": "x=y"})
        );
    }

    #[test]
    fn brackets_make_lists_and_objects() {
        assert_eq!(
            object(&["text[]=a", "text[]=b", "o[p][q]=1", "o[r]=x"]).unwrap(),
            json!({"text": ["a", "b"], "o": {"p": {"q": 1}, "r": "x"}})
        );
        assert_eq!(
            object(&["l[][s]=a", "l[][t]=b", "l[][s]=c", "l[][n][x]=1", "l[][n][y]=2", "m[][]=1"]).unwrap(),
            json!({"l": [{"s": "a", "t": "b"}, {"s": "c", "n": {"x": 1, "y": 2}}], "m": [[1]]})
        );
    }

    #[test]
    fn one_name_is_one_thing() {
        for fields in [["a=1", "a=2"], ["a=1", "a[]=2"], ["a[]=1", "a[b]=2"], ["a[b]=1", "a=2"]] {
            assert_eq!(object(&fields).unwrap_err().kind.code(), 2, "{fields:?}");
        }
    }

    #[test]
    fn names_are_checked() {
        for text in ["a", "=1", "[a]=1", "a[=1", "a[b=1", "a]b[=1", "a[b]c=1"] {
            assert!(text.parse::<Field>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_field_makes_it_panic(text in ".{0,40}", more in "[a-c\\[\\]=@]{0,12}") {
            let mut made = Map::new();
            for text in [text, more] {
                if let Ok(field) = text.parse::<Field>() && let Given::Json(value) = field.typed() {
                    let _ = put(&mut made, &field, value);
                }
            }
        }

        #[test]
        fn text_stays_text(value in "[^@0-9tfn-].*") {
            let field: Field = format!("a={value}").parse().unwrap();
            prop_assert_eq!(field.typed(), Given::Json(Value::String(value)));
        }
    }
}
