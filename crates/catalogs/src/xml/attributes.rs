//! Parses the attributes of a tag.

use std::ops::Range;

use tulk_base::xml::referenced_char;

use super::CatalogError;
use super::escape::is_space;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlAttribute<'a> {
    /// Includes the prefix.
    pub name: &'a str,
    /// Raw, without quotes.
    pub value: &'a str,
    /// Of the value in the file, without quotes.
    pub range: Range<usize>,
}

impl XmlAttribute<'_> {
    /// Decodes references, and normalizes whitespace to spaces. References to unknown entities stay.
    pub fn decoded(&self) -> String {
        let mut out = String::with_capacity(self.value.len());
        let mut rest = self.value;
        while let Some((before, after)) = rest.split_once('&') {
            push_normalized(before, &mut out);
            // Search only up to the next `&`, so that many unfinished references do not take quadratic time.
            let (name, end) = after.split_at(after.find([';', '&']).unwrap_or(after.len()));
            let known = end.strip_prefix(';').and_then(|after| Some((referenced_char(name)?, after)));
            let (c, after) = known.unwrap_or(('&', after));
            out.push(c);
            rest = after;
        }
        push_normalized(rest, &mut out);
        out
    }
}

fn push_normalized(value: &str, out: &mut String) {
    out.extend(value.replace("\r\n", "\n").chars().map(|c| if is_space(c) { ' ' } else { c }));
}

/// Returns the attributes of a tag, in order, up to the first error. `tag` is the text after the element name, and starts
/// at the byte `start` of the file.
pub fn attributes(tag: &str, start: usize) -> impl Iterator<Item = Result<XmlAttribute<'_>, CatalogError>> {
    let tag = tag.strip_suffix("/>").or_else(|| tag.strip_suffix('>')).unwrap_or(tag);
    let mut done = Some(0);
    std::iter::from_fn(move || {
        let from = done.take()?;
        let (attribute, end) = next_attribute(tag, from, start).transpose()?.map_or_else(
            |error| (Err(error), None),
            |attribute| {
                let end = attribute.range.end + 1 - start;
                (Ok(attribute), Some(end))
            },
        );
        done = end;
        Some(attribute)
    })
}

fn next_attribute(tag: &str, from: usize, start: usize) -> Result<Option<XmlAttribute<'_>>, CatalogError> {
    let rest = tag.get(from..).unwrap_or_default();
    let name_start = rest.trim_start_matches(is_space);
    if name_start.is_empty() {
        return Ok(None);
    }
    let at = start + tag.len() - name_start.len();
    let error = |what: &str| CatalogError::new(at, what);
    if name_start.len() == rest.len() {
        return Err(error("attributes must be separated by white space"));
    }
    let Some((name, value)) = name_start.split_once('=') else {
        return Err(error("an attribute has no value"));
    };
    let name = name.trim_end_matches(is_space);
    if !is_name(name) {
        return Err(error("this is not the name of an attribute"));
    }
    let value = value.trim_start_matches(is_space);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let Some((value, after)) = quote.and_then(|quote| value.strip_prefix(quote)?.split_once(quote)) else {
        return Err(error("the value of an attribute must be in quotes"));
    };
    if value.contains('<') {
        return Err(error("the value of an attribute contains '<'").hint("write '&lt;'"));
    }
    let end = start + tag.len() - after.len() - 1;
    Ok(Some(XmlAttribute { name, value, range: end - value.len()..end }))
}

pub fn check(tag: &str, start: usize) -> Result<(), CatalogError> {
    let mut names = Vec::new();
    for attribute in attributes(tag, start) {
        let attribute = attribute?;
        names.push((attribute.name, attribute.range.start));
    }
    names.sort_unstable();
    let twice = names.iter().zip(names.iter().skip(1)).find(|(first, second)| first.0 == second.0);
    match twice {
        Some((_, (name, at))) => Err(CatalogError::new(*at, format!("the attribute '{name}' appears twice in a tag"))),
        None => Ok(()),
    }
}

pub fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':'))
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-'))
}
