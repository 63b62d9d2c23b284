//! New entries of a `.stringsdict` file: complete texts, or single variables, format strings and variants.

use super::super::CatalogError;
use super::super::catalog::{PluralText, Unit, UnitText, by_category};
use super::super::plural::PluralCategory;
use super::super::xml::{XmlTree, escape_text, invalid_char_error};
use super::{FORMAT_KEY, PLURAL_RULE, SPEC_KEY, VALUE_KEY, is_variable};
use crate::catalog::{UnitKey, UnitKeyPart};

/// Names in a key. The nesting of XML has the same limit.
const MAX_NAMES: usize = 128;
pub const ONLY_CATEGORIES: &str = "a stringsdict file supports only plural categories";

/// A variable, a format string or a variant.
#[derive(Clone, Copy, Debug)]
pub struct NewDictPart<'a> {
    pub like: &'a Unit,
    pub text: &'a UnitText,
}

#[derive(Debug)]
pub struct NewDictEntry<'a> {
    name: &'a str,
    content: NewDictContent<'a>,
}

#[derive(Debug)]
enum NewDictContent<'a> {
    Part(NewDictPart<'a>),
    Entries(Vec<NewDictEntry<'a>>),
}

impl<'a> NewDictEntry<'a> {
    pub fn new(name: &'a str) -> Self {
        Self { name, content: NewDictContent::Entries(Vec::new()) }
    }

    /// Adds a unit at `path` below this entry. With an empty path, it becomes the entry itself.
    pub fn add(&mut self, path: &[&'a str], part: NewDictPart<'a>) {
        let [name, rest @ ..] = path else {
            self.content = NewDictContent::Part(part);
            return;
        };
        if let NewDictContent::Part(_) = self.content {
            self.content = NewDictContent::Entries(Vec::new());
        }
        let NewDictContent::Entries(entries) = &mut self.content else { return };
        let known = entries.iter().position(|entry| entry.name == *name);
        let number = known.unwrap_or_else(|| {
            entries.push(Self::new(name));
            entries.len() - 1
        });
        if let Some(entry) = entries.get_mut(number) {
            entry.add(rest, part);
        }
    }

    pub fn note(&self) -> Option<&'a str> {
        match &self.content {
            NewDictContent::Part(part) => part.like.note.as_deref(),
            NewDictContent::Entries(entries) => entries.iter().find_map(Self::note),
        }
    }

    /// Returns the format string that consists of this variable alone, if there is one.
    pub fn own_format(&self) -> Option<&'a str> {
        let mut markup = self.plural()?.like.markup.iter();
        markup.find(|markup| is_variable(markup)).map(String::as_str)
    }

    fn plural(&self) -> Option<&NewDictPart<'a>> {
        match &self.content {
            NewDictContent::Part(part) if matches!(part.text, UnitText::Plural(..)) => Some(part),
            _ => None,
        }
    }

    pub fn lines(&self, writer: &DictWriter<'_>) -> Result<Vec<String>, CatalogError> {
        let entries = match &self.content {
            NewDictContent::Part(NewDictPart { text: UnitText::Single(text), .. }) => {
                return writer.string(self.name, text);
            }
            NewDictContent::Part(NewDictPart { text: UnitText::Plural(_, forms), .. }) => {
                return writer.variable(self.name, forms);
            }
            NewDictContent::Entries(entries) => entries,
        };
        let (formats, others): (Vec<_>, Vec<_>) = entries.iter().partition(|entry| entry.name == FORMAT_KEY);
        let mut inner = Vec::new();
        if let Some(format) = format_of(entries).filter(|_| formats.is_empty()) {
            inner.extend(writer.string(FORMAT_KEY, &format)?);
        }
        for entry in formats.into_iter().chain(others) {
            inner.extend(entry.lines(writer)?);
        }
        writer.dict(self.name, inner)
    }
}

/// Returns the names in a key. Fails if a file of this format cannot have such a key.
pub fn key_names(key: &UnitKey) -> Result<Vec<&str>, CatalogError> {
    let names: Option<Vec<&str>> = key.0.iter().map(part_name).collect();
    names
        .filter(|names| (2..=MAX_NAMES).contains(&names.len()))
        .ok_or_else(|| CatalogError::new(0, format!("'{key}' is not a key of a stringsdict file")))
}

fn part_name(part: &UnitKeyPart) -> Option<&str> {
    match part {
        UnitKeyPart::Name(name) => Some(name),
        UnitKeyPart::Item(_) => None,
    }
}

/// Nested entries are indented.
#[derive(Debug)]
pub struct DictWriter<'a> {
    pub tree: &'a XmlTree<'a>,
    pub step: &'a str,
}

impl DictWriter<'_> {
    pub fn string(&self, name: &str, text: &str) -> Result<Vec<String>, CatalogError> {
        Ok(vec![self.element("key", name)?, self.element("string", text)?])
    }

    fn element(&self, tag: &str, text: &str) -> Result<String, CatalogError> {
        let text = escape_text(text, self.tree.line_end()).map_err(|c| invalid_char_error(c, 0))?;
        Ok(["<", tag, ">", &text, "</", tag, ">"].concat())
    }

    pub fn dict(&self, name: &str, inner: Vec<String>) -> Result<Vec<String>, CatalogError> {
        let mut lines = vec![self.element("key", name)?, "<dict>".to_owned()];
        lines.extend(inner.into_iter().map(|line| [self.step, &line].concat()));
        lines.push("</dict>".to_owned());
        Ok(lines)
    }

    fn variable(&self, name: &str, forms: &[PluralText]) -> Result<Vec<String>, CatalogError> {
        let mut sorted = by_category(forms, 0, ONLY_CATEGORIES)?;
        sorted.sort_by_key(|(category, _)| *category);
        let mut lines = self.string(SPEC_KEY, PLURAL_RULE)?;
        lines.extend(self.string(VALUE_KEY, value_type(&sorted))?);
        for (category, text) in sorted {
            lines.extend(self.string(category.name(), text)?);
        }
        self.dict(name, lines)
    }
}

/// Returns a format string that refers to each variable, for a new text whose format string is not inserted with it. That
/// happens if the format string is not a unit, or is not translated.
fn format_of(entries: &[NewDictEntry<'_>]) -> Option<String> {
    let variables = || entries.iter().filter_map(|entry| Some((entry.name, entry.plural()?)));
    if let Some(known) = entries.iter().find_map(NewDictEntry::own_format) {
        return Some(known.to_owned());
    }
    match variables().count() {
        0 => None,
        1 => variables().map(|(name, _)| ["%#@", name, "@"].concat()).next(),
        _ => {
            let variables = variables().enumerate().map(|(number, (name, _))| format!("%{}$#@{name}@", number + 1));
            Some(variables.collect::<Vec<_>>().join(" "))
        }
    }
}

/// Returns the conversion of the first number in the plural forms: `d` for `%1$d`.
fn value_type<'a>(forms: &[(PluralCategory, &'a str)]) -> &'a str {
    let conversions = forms.iter().rev().flat_map(|(_, text)| text.split('%').skip(1));
    let mut types = conversions.filter_map(|rest| {
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit() || "$+-.*'".contains(c));
        let len = rest.find(|c: char| !matches!(c, 'h' | 'l' | 'q' | 'z' | 't' | 'j'))?;
        let is_number = rest.get(len..)?.starts_with(['d', 'i', 'u', 'x', 'X', 'o', 'f', 'F', 'e', 'E', 'g', 'G']);
        rest.get(..=len).filter(|_| is_number)
    });
    types.next().unwrap_or("d")
}
