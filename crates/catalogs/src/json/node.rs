//! Parses JSON with comments, trailing commas and JSON5 syntax into a tree of nodes with byte ranges.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::errors::ParseErrorKind;
use jsonc_parser::{CollectOptions, ParseOptions, ParseStringErrorKind, parse_to_ast};

use crate::CatalogError;

pub(super) const MAX_DEPTH: usize = 128;

/// Objects with at most this many members are searched without an index.
const FEW_MEMBERS: usize = 16;

const TOO_DEEP: &str = "values are nested more than 128 levels deep";

#[derive(Debug, PartialEq, Eq)]
pub struct JsonNode<'t> {
    /// Includes quotes or brackets.
    pub span: Range<usize>,
    pub shape: JsonShape<'t>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum JsonShape<'t> {
    Text(Cow<'t, str>),
    Boolean(bool),
    NumberOrNull,
    Object(Vec<JsonMember<'t>>),
    /// A list. The names of its members are empty.
    Array(Vec<JsonMember<'t>>),
}

#[derive(Debug, PartialEq, Eq)]
pub struct JsonMember<'t> {
    pub name: Cow<'t, str>,
    /// Includes the quotes; empty for list items.
    pub name_span: Range<usize>,
    pub node: JsonNode<'t>,
}

impl<'t> JsonNode<'t> {
    pub fn members(&self) -> &[JsonMember<'t>] {
        match &self.shape {
            JsonShape::Object(members) | JsonShape::Array(members) => members,
            JsonShape::Text(_) | JsonShape::Boolean(_) | JsonShape::NumberOrNull => &[],
        }
    }

    pub fn text(&self) -> Option<&str> {
        match &self.shape {
            JsonShape::Text(text) => Some(text),
            _ => None,
        }
    }

    /// `text` is the text of the file.
    pub fn is_number_or_boolean(&self, text: &str) -> bool {
        match &self.shape {
            JsonShape::Boolean(_) => true,
            JsonShape::NumberOrNull => text.get(self.span.clone()) != Some("null"),
            _ => false,
        }
    }

    pub fn is_container(&self) -> bool {
        matches!(self.shape, JsonShape::Object(_) | JsonShape::Array(_))
    }

    pub fn descendant(&self, path: &[usize]) -> Option<&Self> {
        path.iter().try_fold(self, |node, position| node.members().get(*position).map(|member| &member.node))
    }
}

impl JsonMember<'_> {
    pub fn start(&self) -> usize {
        self.name_span.start
    }
}

/// Fails at the first syntax error, or if the root is neither an object nor a list.
pub fn parse_json(text: &str) -> Result<JsonNode<'_>, CatalogError> {
    let options = ParseOptions { allow_missing_commas: false, ..ParseOptions::default() };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options)
        .map_err(|error| plain_error(error.range().start, error.kind()))?;
    let value = parsed
        .value
        .ok_or_else(|| CatalogError::new(0, "the file is empty").hint("write `{}` into it, or delete it"))?;
    let node = convert(value, 0)?;
    if node.is_container() {
        Ok(node)
    } else {
        Err(CatalogError::new(node.span.start, "the file contains a single value, not an object"))
    }
}

fn convert(value: Value<'_>, depth: usize) -> Result<JsonNode<'_>, CatalogError> {
    let range = value.range();
    if depth > MAX_DEPTH {
        return Err(CatalogError::new(range.start, TOO_DEEP));
    }
    let shape = match value {
        Value::StringLit(text) => JsonShape::Text(text.value),
        Value::BooleanLit(boolean) => JsonShape::Boolean(boolean.value),
        Value::NumberLit(_) | Value::NullKeyword(_) => JsonShape::NumberOrNull,
        Value::Object(object) => {
            let members = object.properties.into_iter().map(|property| {
                let range = property.name.range();
                let name = match property.name {
                    ObjectPropName::String(name) => name.value,
                    ObjectPropName::Word(name) => Cow::Borrowed(name.value),
                };
                let node = convert(property.value, depth + 1)?;
                Ok(JsonMember { name, name_span: range.start..range.end, node })
            });
            JsonShape::Object(members.collect::<Result<_, CatalogError>>()?)
        }
        Value::Array(array) => {
            let members = array.elements.into_iter().map(|element| {
                let node = convert(element, depth + 1)?;
                Ok(JsonMember { name: Cow::Borrowed(""), name_span: node.span.start..node.span.start, node })
            });
            JsonShape::Array(members.collect::<Result<_, CatalogError>>()?)
        }
    };
    Ok(JsonNode { span: range.start..range.end, shape })
}

fn plain_error(at: usize, kind: &ParseErrorKind) -> CatalogError {
    use ParseErrorKind as Kind;
    let what = match kind {
        Kind::ExpectedComma => "a comma is missing",
        Kind::ExpectedColonAfterObjectKey => "a colon is missing after a key",
        Kind::ExpectedObjectValue => "a value is missing after a colon",
        Kind::ExpectedDigit
        | Kind::ExpectedDigitFollowingNegativeSign
        | Kind::ExpectedPlusMinusOrDigitInNumberLiteral => "a number is not valid in JSON",
        Kind::MultipleRootJsonValues => "there is text after the end of the JSON value",
        Kind::String(ParseStringErrorKind::UnterminatedStringLiteral) => "a string is not closed",
        Kind::String(ParseStringErrorKind::InvalidUnicodeEscapeSequence(_)) => {
            return CatalogError::new(at, "an escape is half of a surrogate pair")
                .hint(r"write both halves, as in `\ud83d\ude00`");
        }
        Kind::String(_) => "an escape is not valid in JSON",
        Kind::UnterminatedArray => "a list is not closed",
        Kind::UnterminatedObject => "an object is not closed",
        Kind::UnterminatedCommentBlock => "a comment is not closed",
        Kind::UnexpectedCloseBrace | Kind::UnexpectedCloseBracket => "a closing bracket has no opening bracket",
        Kind::UnexpectedComma => "there is a comma where a value is expected",
        Kind::UnexpectedColon => "there is a colon where a value is expected",
        Kind::UnexpectedWord => "a string without quotes is not valid in JSON",
        Kind::NestingDepthExceeded => TOO_DEEP,
        _ => "a character is not valid in JSON here",
    };
    CatalogError::new(at, what)
}

/// Positions of members by name, for fast lookups in large objects. Of equal names, the last wins.
#[derive(Debug, Default)]
pub struct JsonIndex<'n> {
    objects: HashMap<usize, HashMap<&'n str, usize>>,
    /// The overridden members, for objects in which something was removed.
    overridden: HashMap<usize, HashMap<&'n str, Vec<usize>>>,
}

impl<'n> JsonIndex<'n> {
    pub fn position(&mut self, object: &'n JsonNode<'_>, name: &str) -> Option<usize> {
        let JsonShape::Object(members) = &object.shape else { return None };
        if members.len() <= FEW_MEMBERS {
            return members.iter().rposition(|member| member.name == name);
        }
        self.of_object(object, members).get(name).copied()
    }

    pub fn is_unique(&mut self, container: &'n JsonNode<'_>) -> bool {
        let JsonShape::Object(members) = &container.shape else { return true };
        if members.len() > FEW_MEMBERS {
            return self.of_object(container, members).len() == members.len();
        }
        let is_again =
            |(at, member): (usize, &JsonMember<'_>)| members.iter().take(at).any(|one| one.name == member.name);
        !members.iter().enumerate().any(is_again)
    }

    fn of_object(&mut self, object: &JsonNode<'_>, members: &'n [JsonMember<'_>]) -> &HashMap<&'n str, usize> {
        let index = || members.iter().enumerate().map(|(position, member)| (member.name.as_ref(), position)).collect();
        self.objects.entry(object.span.start).or_insert_with(index)
    }

    pub fn get(&mut self, object: &'n JsonNode<'n>, name: &str) -> Option<&'n JsonNode<'n>> {
        let position = self.position(object, name)?;
        object.members().get(position).map(|member| &member.node)
    }

    /// Returns the positions of the overridden members with a name, in order.
    pub fn overridden(&mut self, object: &'n JsonNode<'_>, name: &str) -> &[usize] {
        if !self.overridden.contains_key(&object.span.start) {
            let mut overridden: HashMap<&'n str, Vec<usize>> = HashMap::new();
            for (position, member) in object.members().iter().enumerate() {
                if self.position(object, &member.name) != Some(position) {
                    overridden.entry(member.name.as_ref()).or_default().push(position);
                }
            }
            self.overridden.insert(object.span.start, overridden);
        }
        let of_object = self.overridden.get(&object.span.start);
        of_object.and_then(|names| names.get(name)).map_or(&[], Vec::as_slice)
    }
}
