//! Entries that a `.stringsdict` file gets.
//!
//! Input: units of another file with their texts. Output: the lines of entries: whole texts, or single variables, formats and
//! variants.

use super::super::CatalogError;
use super::super::catalog::{PluralText, Unit, UnitText};
use super::super::plural::{PluralCategory, PluralForm};
use super::super::unit_key::UnitKeyPart;
use super::super::xml::{XmlTree, escape_comment, escape_text};
use super::{FORMAT_KEY, PLURAL_RULE, SPEC_KEY, VALUE_KEY};

/// A part of a text: a variable, a format or a variant.
#[derive(Clone, Debug)]
pub struct NewDictPart<'a> {
    /// The path of the part in the entry of its text.
    path: Vec<&'a str>,
    text: &'a UnitText,
    like: &'a Unit,
}

impl<'a> NewDictPart<'a> {
    /// Returns the name of the entry that a unit belongs to, and the unit as a part of it.
    ///
    /// Fails if its key is not one of this format.
    pub fn new(like: &'a Unit, text: &'a UnitText) -> Result<(&'a str, Self), CatalogError> {
        let names: Option<Vec<&str>> = like.key.0.iter().map(part_name).collect();
        match names.as_deref() {
            Some([name, path @ ..]) if matches!(path.len(), 1 | 2) => {
                Ok((name, Self { path: path.to_vec(), text, like }))
            }
            _ => Err(CatalogError::new(0, format!("'{}' is not a key of a stringsdict file", like.key))),
        }
    }

    /// Returns its path in the entry.
    pub fn path(&self) -> &[&'a str] {
        &self.path
    }

    /// Returns the note of the unit.
    pub fn note(&self) -> Option<&'a str> {
        self.like.note.as_deref()
    }

    fn is_format(&self) -> bool {
        self.path == [FORMAT_KEY]
    }

    /// Returns the lines of its innermost entry.
    pub fn lines(&self, writer: &DictWriter<'_>) -> Result<Vec<String>, CatalogError> {
        let name = self.path.last().copied().unwrap_or_default();
        match self.text {
            UnitText::Single(text) => writer.string(name, text),
            UnitText::Plural(_, forms) => writer.variable(name, forms),
        }
    }
}

fn part_name(part: &UnitKeyPart) -> Option<&str> {
    match part {
        UnitKeyPart::Name(name) => Some(name),
        UnitKeyPart::Item(_) => None,
    }
}

/// Writes entries as lines. Lines of nested entries are indented.
#[derive(Debug)]
pub struct DictWriter<'a> {
    pub tree: &'a XmlTree<'a>,
    pub step: &'a str,
}

impl DictWriter<'_> {
    /// Returns a comment, for a place with an indentation.
    pub fn comment(&self, note: &str, indent: &str) -> String {
        escape_comment(note, self.tree.line_end(), indent)
    }

    /// Returns the lines of an entry that is a string.
    pub fn string(&self, name: &str, text: &str) -> Result<Vec<String>, CatalogError> {
        Ok(vec![self.element("key", name)?, self.element("string", text)?])
    }

    fn element(&self, tag: &str, text: &str) -> Result<String, CatalogError> {
        let text = escape_text(text, self.tree.line_end()).map_err(|c| refused(c, 0))?;
        Ok(["<", tag, ">", &text, "</", tag, ">"].concat())
    }

    /// Returns the lines of an entry that is a dictionary.
    pub fn dict(&self, name: &str, inner: Vec<String>) -> Result<Vec<String>, CatalogError> {
        let mut lines = vec![self.element("key", name)?, "<dict>".to_owned()];
        lines.extend(inner.into_iter().map(|line| [self.step, &line].concat()));
        lines.push("</dict>".to_owned());
        Ok(lines)
    }

    /// Returns the lines of a variable with plural forms.
    fn variable(&self, name: &str, forms: &[PluralText]) -> Result<Vec<String>, CatalogError> {
        let mut sorted: Vec<(PluralCategory, &str)> = Vec::new();
        for form in forms {
            sorted.push((category(form.form, 0)?, &form.text));
        }
        sorted.sort_by_key(|(category, _)| *category);
        let mut lines = self.string(SPEC_KEY, PLURAL_RULE)?;
        lines.extend(self.string(VALUE_KEY, value_type(&sorted))?);
        for (category, text) in sorted {
            lines.extend(self.string(category.name(), text)?);
        }
        self.dict(name, lines)
    }

    /// Returns the lines of a whole text with its parts.
    pub fn entry(&self, name: &str, parts: &[NewDictPart<'_>], indent: &str) -> Result<Vec<String>, CatalogError> {
        let mut inner = Vec::new();
        if let Some(format) = parts.iter().find(|part| part.is_format()) {
            inner.extend(format.lines(self)?);
        } else if let Some(format) = format_of(parts) {
            inner.extend(self.string(FORMAT_KEY, &format)?);
        }
        let mut rules: Vec<(&str, Vec<String>)> = Vec::new();
        for part in parts.iter().filter(|part| !part.is_format()) {
            let lines = part.lines(self)?;
            match part.path[..] {
                [rule, _] => match rules.iter_mut().find(|(name, _)| *name == rule) {
                    Some((_, variants)) => variants.extend(lines),
                    None => rules.push((rule, lines)),
                },
                _ => inner.extend(lines),
            }
        }
        for (rule, variants) in rules {
            inner.extend(self.dict(rule, variants)?);
        }
        let note = parts.iter().find_map(NewDictPart::note);
        let mut lines: Vec<String> = note.into_iter().map(|note| self.comment(note, indent)).collect();
        lines.extend(self.dict(name, inner)?);
        Ok(lines)
    }
}

/// Returns the format of a text whose format is not a unit, or has no translation.
fn format_of(parts: &[NewDictPart<'_>]) -> Option<String> {
    let variables: Vec<&NewDictPart<'_>> =
        parts.iter().filter(|part| matches!(part.text, UnitText::Plural(..))).collect();
    let known = variables.iter().flat_map(|part| &part.like.markup).find(|markup| markup.contains("#@"));
    if let Some(known) = known {
        return Some(known.clone());
    }
    let names = variables.iter().map(|part| part.path.last().copied().unwrap_or_default());
    match variables.len() {
        0 => None,
        1 => names.map(|name| ["%#@", name, "@"].concat()).next(),
        _ => {
            let variables = names.enumerate().map(|(number, name)| format!("%{}$#@{name}@", number + 1));
            Some(variables.collect::<Vec<_>>().join(" "))
        }
    }
}

/// Returns the conversion of the first number in the forms of a plural: `d` of `%1$d`.
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

/// Returns the category of a form.
///
/// Fails for forms that are not those of a category.
pub fn category(form: PluralForm, at: usize) -> Result<PluralCategory, CatalogError> {
    match form {
        PluralForm::Category(category) => Ok(category),
        PluralForm::Exact(_) | PluralForm::Index(_) => {
            Err(CatalogError::new(at, "a stringsdict file has plural forms for categories only"))
        }
    }
}

/// The error for a character that XML does not allow.
pub fn refused(c: char, at: usize) -> CatalogError {
    CatalogError::new(at, format!("the character U+{:04X} cannot be written in XML", u32::from(c)))
}
