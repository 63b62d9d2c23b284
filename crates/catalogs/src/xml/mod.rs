//! A parser for XML files that keeps the byte range of every node.
//!
//! Input: the text of an XML document. Output: an [`XmlTree`], and functions for decoding and escaping. Entities of a
//! document type are never expanded, external entities are refused, and nothing outside of the text is read.

mod attributes;
mod escape;
mod layout;
#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::Event;
use tulk_base::xml::referenced_char;

use super::CatalogError;
use super::edit::newline_of;

pub use self::attributes::XmlAttribute;
pub use self::escape::{escape_attribute, escape_cdata, escape_comment, escape_text, invalid_char_error, is_xml_char};
pub use self::layout::{XmlElementSpan, XmlInsertions};

const MAX_DEPTH: usize = 128;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlKind {
    Element,
    /// Not decoded.
    Text,
    CData,
    /// `&name;` or `&#number;`.
    Reference,
    Comment,
    /// The XML declaration, a processing instruction or a document type.
    Instruction,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlNode {
    pub kind: XmlKind,
    /// For an element, including both tags.
    pub range: Range<usize>,
    /// The bytes between the tags or delimiters of an element, CDATA section or comment; for a reference, its name. For a
    /// self-closing element (`<a/>`), an empty range after it.
    pub content: Range<usize>,
    pub parent: Option<usize>,
    /// The next node that is not a descendant.
    next_outside: usize,
    name_len: usize,
}

impl XmlNode {
    pub fn is_self_closing(&self) -> bool {
        self.kind == XmlKind::Element && self.content.start == self.range.end
    }
}

/// Nodes are numbered in document order.
#[derive(Clone, Debug)]
pub struct XmlTree<'a> {
    text: &'a str,
    nodes: Vec<XmlNode>,
    root: usize,
    /// The indentation of one level, computed when it is first needed.
    step: OnceCell<Option<Range<usize>>>,
    line_end: &'static str,
}

impl<'a> XmlTree<'a> {
    /// Fails if the document is not well-formed, nested too deeply, or declares external entities.
    pub fn parse(text: &'a str) -> Result<Self, CatalogError> {
        if text.starts_with('\u{feff}') {
            return Err(CatalogError::new(0, "the text starts with a byte-order mark"));
        }
        let mut builder = XmlTreeBuilder { text, nodes: Vec::new(), open: Vec::new(), root: None };
        let mut reader = Reader::from_str(text);
        let mut start = 0;
        loop {
            let event = match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(event) => event,
                Err(error) => return Err(parse_error(&error, position(reader.error_position()))),
            };
            let end = position(reader.buffer_position());
            builder.add(&event, start..end)?;
            start = end;
        }
        builder.finish()
    }

    pub fn root(&self) -> usize {
        self.root
    }

    /// Returns the root if the number does not exist.
    pub fn node(&self, number: usize) -> &XmlNode {
        const NONE: &XmlNode =
            &XmlNode { kind: XmlKind::Text, range: 0..0, content: 0..0, parent: None, next_outside: 0, name_len: 0 };
        self.nodes.get(number).or_else(|| self.nodes.get(self.root)).unwrap_or(NONE)
    }

    /// Returns an empty text if the range is out of bounds.
    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    pub fn source(&self, number: usize) -> &'a str {
        self.slice(self.node(number).range.clone())
    }

    /// Includes the prefix; empty for nodes other than elements.
    pub fn name(&self, number: usize) -> &'a str {
        let node = self.node(number);
        let start = node.range.start + 1;
        if node.kind == XmlKind::Element { self.slice(start..start + node.name_len) } else { "" }
    }

    pub fn start_tag(&self, number: usize) -> Range<usize> {
        let node = self.node(number);
        node.range.start..node.content.start
    }

    /// The numbers of all top-level nodes, including the root.
    #[cfg(test)]
    pub fn top_level_nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.siblings(0, self.nodes.len())
    }

    pub fn children(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.siblings(number + 1, self.nodes.get(number).map_or(0, |node| node.next_outside))
    }

    pub fn elements(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        self.children(number).filter(|child| self.node(*child).kind == XmlKind::Element)
    }

    /// The numbers of all descendants, in document order.
    pub fn descendants(&self, number: usize) -> Range<usize> {
        number + 1..self.nodes.get(number).map_or(number + 1, |node| node.next_outside)
    }

    fn siblings(&self, first: usize, end: usize) -> impl Iterator<Item = usize> + '_ {
        let valid = move |number: &usize| *number < end;
        std::iter::successors(Some(first).filter(valid), move |number| {
            self.nodes.get(*number).map(|node| node.next_outside).filter(valid)
        })
    }

    pub fn attributes(&self, number: usize) -> impl Iterator<Item = XmlAttribute<'a>> + use<'a> {
        let node = self.node(number);
        let start = (node.range.start + 1 + node.name_len).min(node.content.start);
        let tag = if node.kind == XmlKind::Element { self.slice(start..node.content.start) } else { "" };
        attributes::attributes(tag, start).filter_map(Result::ok)
    }

    /// Returns the decoded value. `name` includes the prefix.
    pub fn attribute(&self, number: usize, name: &str) -> Option<String> {
        self.attributes(number).find(|attribute| attribute.name == name).map(|attribute| attribute.decoded())
    }

    /// Returns the character of a reference; `None` for other nodes, and for entities that are not predefined.
    pub fn referenced(&self, number: usize) -> Option<char> {
        let node = self.node(number);
        referenced_char(self.slice(node.content.clone())).filter(|_| node.kind == XmlKind::Reference)
    }

    /// Returns the decoded text of an element, with line endings as `\n` and without comments; `None` if it contains elements
    /// or references to entities that are not predefined.
    pub fn plain_text(&self, number: usize) -> Option<String> {
        let mut out = String::new();
        for child in self.children(number) {
            let node = self.node(child);
            match node.kind {
                XmlKind::Text | XmlKind::CData => {
                    escape::push_with_line_feeds(self.slice(node.content.clone()), &mut out);
                }
                XmlKind::Reference => out.push(self.referenced(child)?),
                XmlKind::Element => return None,
                XmlKind::Comment | XmlKind::Instruction => {}
            }
        }
        Some(out)
    }
}

fn position(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn parse_error(error: &Error, at: usize) -> CatalogError {
    let what = match error {
        Error::Syntax(error) => error.to_string(),
        Error::IllFormed(IllFormedError::UnclosedReference) => {
            return CatalogError::new(at, "a '&' does not start a reference").hint("write '&amp;'");
        }
        Error::IllFormed(error) => error.to_string(),
        error => error.to_string(),
    };
    CatalogError::new(at, format!("not well-formed XML: {what}"))
}

struct XmlTreeBuilder<'a> {
    text: &'a str,
    nodes: Vec<XmlNode>,
    open: Vec<usize>,
    root: Option<usize>,
}

impl<'a> XmlTreeBuilder<'a> {
    fn add(&mut self, event: &Event<'_>, range: Range<usize>) -> Result<(), CatalogError> {
        let Range { start, end } = range.clone();
        match event {
            Event::Start(tag) | Event::Empty(tag) => {
                let name_len = tag.name().as_ref().len();
                self.check_tag(start, end, name_len)?;
                let number = self.push(XmlKind::Element, range, end..end);
                if let Some(node) = self.nodes.get_mut(number) {
                    node.name_len = name_len;
                }
                if self.open.is_empty() && self.root.replace(number).is_some() {
                    return Err(CatalogError::new(start, "there is more than one root element"));
                }
                if matches!(event, Event::Start(_)) {
                    self.open.push(number);
                }
                if self.open.len() > MAX_DEPTH {
                    return Err(CatalogError::new(start, format!("elements are nested more than {MAX_DEPTH} deep")));
                }
            }
            Event::End(_) => {
                let after = self.nodes.len();
                if let Some(node) = self.open.pop().and_then(|number| self.nodes.get_mut(number)) {
                    node.content.end = start;
                    node.range.end = end;
                    node.next_outside = after;
                }
            }
            Event::Text(_) => {
                self.check_outside_root(start, self.text.get(range.clone()).unwrap_or_default().trim())?;
                self.push(XmlKind::Text, range.clone(), range);
            }
            Event::CData(_) => {
                self.check_outside_root(start, "CDATA")?;
                self.push(XmlKind::CData, range, start + "<![CDATA[".len()..end.saturating_sub("]]>".len()));
            }
            Event::GeneralRef(_) => {
                self.check_outside_root(start, "reference")?;
                self.push(XmlKind::Reference, range, start + 1..end.saturating_sub(1));
            }
            Event::Comment(_) => {
                self.push(XmlKind::Comment, range, start + "<!--".len()..end.saturating_sub("-->".len()));
            }
            Event::DocType(doctype) => {
                let subset = doctype.split_once('[').map_or("", |(_, subset)| subset);
                if subset.contains("SYSTEM") || subset.contains("PUBLIC") {
                    return Err(CatalogError::new(start, "the document type declares external entities")
                        .hint("remove them: nothing outside the file is read"));
                }
                self.push(XmlKind::Instruction, range.clone(), range);
            }
            Event::Decl(_) | Event::PI(_) => drop(self.push(XmlKind::Instruction, range.clone(), range)),
            Event::Eof => {}
        }
        Ok(())
    }

    fn push(&mut self, kind: XmlKind, range: Range<usize>, content: Range<usize>) -> usize {
        let number = self.nodes.len();
        let parent = self.open.last().copied();
        self.nodes.push(XmlNode { kind, range, content, parent, next_outside: number + 1, name_len: 0 });
        number
    }

    fn check_outside_root(&self, at: usize, text: &str) -> Result<(), CatalogError> {
        if self.open.is_empty() && !text.is_empty() {
            return Err(CatalogError::new(at, "there is text outside of the root element"));
        }
        Ok(())
    }

    fn check_tag(&self, start: usize, end: usize, name_len: usize) -> Result<(), CatalogError> {
        let name = self.text.get(start + 1..start + 1 + name_len).unwrap_or_default();
        if !attributes::is_name(name) {
            return Err(CatalogError::new(start, format!("'{name}' is not the name of an element")));
        }
        let after_name = start + 1 + name_len;
        attributes::check(self.text.get(after_name..end).unwrap_or_default(), after_name)
    }

    fn finish(self) -> Result<XmlTree<'a>, CatalogError> {
        if let Some(node) = self.open.last().and_then(|number| self.nodes.get(*number)) {
            let name = self.text.get(node.range.start + 1..node.range.start + 1 + node.name_len).unwrap_or_default();
            return Err(CatalogError::new(node.range.start, format!("the element '{name}' is never closed")));
        }
        let root = self.root.ok_or_else(|| CatalogError::new(0, "there is no root element"))?;
        let line_end = newline_of(self.text);
        Ok(XmlTree { text: self.text, nodes: self.nodes, root, step: OnceCell::new(), line_end })
    }
}
