//! New JSON values, and their writer.

use std::collections::HashMap;

use super::node::{JsonNode, JsonShape};
use super::style::{JsonStyle, MemberStyle};
use crate::catalog::UnitKeyPart;

#[derive(Clone, Debug)]
pub enum NewJson {
    Text(String),
    /// JSON text to copy as it is.
    Raw(String),
    /// An object, or a list if its members have positions instead of names.
    Container(NewMembers),
}

#[derive(Clone, Debug, Default)]
pub struct NewMembers {
    list: Vec<NewJsonMember>,
    positions: HashMap<UnitKeyPart, usize>,
}

#[derive(Clone, Debug)]
pub struct NewJsonMember {
    pub part: UnitKeyPart,
    pub value: NewJson,
}

impl NewJson {
    /// Copies a value of a file. Strings are decoded; numbers stay as written.
    pub fn copy_of(text: &str, node: &JsonNode<'_>) -> Self {
        match &node.shape {
            JsonShape::Text(text) => Self::Text(text.clone().into_owned()),
            JsonShape::Boolean(_) | JsonShape::NumberOrNull => {
                Self::Raw(text.get(node.span.clone()).unwrap_or_default().to_owned())
            }
            JsonShape::Object(members) | JsonShape::Array(members) => {
                let mut copy = Self::Container(NewMembers::default());
                for (position, member) in members.iter().enumerate() {
                    let part = match node.shape {
                        JsonShape::Array(_) => UnitKeyPart::Item(position),
                        _ => UnitKeyPart::Name(member.name.clone().into_owned()),
                    };
                    copy.put(&[part], Self::copy_of(text, &member.node));
                }
                copy
            }
        }
    }

    /// Objects are sorted by name, lists by position.
    pub fn sort(&mut self) {
        if let Self::Container(members) = self {
            sort_members(&mut members.list);
            members.positions.clear();
        }
    }

    /// Values in the way of the path are replaced.
    pub fn put(&mut self, parts: &[UnitKeyPart], value: Self) {
        let mut node = self;
        for part in parts {
            if !matches!(node, Self::Container(_)) {
                *node = Self::Container(NewMembers::default());
            }
            let Self::Container(members) = node else { return };
            let Some(next) = members.entry(part) else { return };
            node = next;
        }
        *node = value;
    }
}

pub fn sort_members(members: &mut [NewJsonMember]) {
    members.sort_by(|a, b| a.part.cmp(&b.part));
    for member in members {
        member.value.sort();
    }
}

impl NewMembers {
    /// Adds an empty object if `part` is new.
    fn entry(&mut self, part: &UnitKeyPart) -> Option<&mut NewJson> {
        let next = self.list.len();
        let position = *self.positions.entry(part.clone()).or_insert(next);
        if position == next {
            self.list.push(NewJsonMember { part: part.clone(), value: NewJson::Container(Self::default()) });
        }
        self.list.get_mut(position).map(|member| &mut member.value)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct JsonWriter<'s> {
    pub style: &'s JsonStyle,
    pub member_style: &'s MemberStyle,
    pub newline: &'s str,
    /// The indentation of the line; `None` to write everything on one line.
    pub indent: Option<&'s str>,
}

impl JsonWriter<'_> {
    /// `level` is the nesting below the inserted value.
    pub fn write_member(&self, out: &mut String, member: &NewJsonMember, level: usize) {
        if let UnitKeyPart::Name(name) = &member.part {
            match self.member_style.name_quote {
                None if is_identifier(name) => out.push_str(name),
                quote => self.style.escapes.write_quoted(out, quote.unwrap_or(self.member_style.value_quote), name),
            }
            out.push_str(&self.member_style.colon);
        }
        self.write_value(out, &member.value, level);
    }

    pub fn write_value(&self, out: &mut String, value: &NewJson, level: usize) {
        match value {
            NewJson::Text(text) => self.style.escapes.write_quoted(out, self.member_style.value_quote, text),
            NewJson::Raw(raw) => out.push_str(raw),
            NewJson::Container(members) => {
                let is_list = matches!(members.list.first(), Some(NewJsonMember { part: UnitKeyPart::Item(_), .. }));
                out.push(if is_list { '[' } else { '{' });
                for (at, member) in members.list.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    if !self.start_line(out, level + 1) && at > 0 {
                        out.push_str(&self.member_style.after_comma);
                    }
                    self.write_member(out, member, level + 1);
                }
                self.start_line(out, level);
                out.push(if is_list { ']' } else { '}' });
            }
        }
    }

    /// Returns `false` if everything goes on one line.
    fn start_line(&self, out: &mut String, level: usize) -> bool {
        let Some(indent) = self.indent else { return false };
        out.push_str(self.newline);
        out.push_str(indent);
        for _ in 0..level {
            out.push_str(&self.style.step);
        }
        true
    }
}

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '$' || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '$' | '_'))
}
