//! Parses a YAML file into a [`YamlTree`] with the byte ranges of values, keys and indicators. Aliases are separate nodes,
//! and are never expanded.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle, Tag, options};

use crate::CatalogError;
use crate::edit::line_end;

pub(super) const MAX_DEPTH: usize = 128;

#[derive(Debug, Default)]
pub(super) struct YamlTree<'a> {
    pub nodes: Vec<YamlNode<'a>>,
    /// `None` if the file is empty.
    pub root: Option<usize>,
    pub used_anchors: HashSet<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum YamlShape {
    Map,
    List,
    Scalar(ScalarStyle),
    Alias,
}

#[derive(Debug)]
pub(super) struct YamlNode<'a> {
    pub shape: YamlShape,
    /// Whether the map or list is in brackets (flow style).
    pub is_flow: bool,
    /// Starts at the tag or anchor, if there is one.
    pub start: usize,
    /// The start of the content; for an empty node, where the content would be inserted.
    pub content_start: usize,
    /// A block scalar ends with its last line, without the line ending.
    pub end: usize,
    pub text: Cow<'a, str>,
    /// Whether the tag declares a string or another type; `None` without such a tag.
    pub tag_is_text: Option<bool>,
    pub anchor: usize,
    /// The map or list, and the position of the node there.
    pub parent: Option<(usize, usize)>,
    pub entries: Vec<YamlEntry>,
}

impl YamlNode<'_> {
    pub fn is_empty(&self) -> bool {
        self.content_start == self.end && self.shape == YamlShape::Scalar(ScalarStyle::Plain)
    }

    /// Returns whether this is a pair in a flow list, without braces: `[a: b]`.
    pub fn is_bare_pair(&self, text: &str) -> bool {
        self.shape == YamlShape::Map && self.is_flow && text.as_bytes().get(self.content_start) != Some(&b'{')
    }
}

#[derive(Debug)]
pub(super) struct YamlEntry {
    /// `None` in lists, and for keys that are not names, such as `<<`.
    pub name: Option<String>,
    /// Includes the quotes.
    pub key: Range<usize>,
    /// The position of the `-`, the `?` or the key.
    pub start: usize,
    /// The end of the previous token.
    pub previous_end: usize,
    /// The position after the `:` or `-`.
    pub value_at: Option<usize>,
    pub value: usize,
    /// Whether a later entry has the same key.
    pub is_overridden: bool,
}

struct PendingKey {
    node: usize,
    start: usize,
    previous_end: usize,
}

struct TreeBuilder<'a> {
    text: &'a str,
    tree: YamlTree<'a>,
    /// The open maps and lists, each with the key whose value has not been read yet.
    open: Vec<(usize, Option<PendingKey>)>,
    cursor: usize,
    documents: usize,
}

impl<'a> YamlTree<'a> {
    /// Fails if the text is not valid YAML, has a second document or more than 128 levels, or if a line ends with a lone
    /// carriage return, which editors do not treat as a line ending.
    pub fn parse(text: &'a str) -> Result<Self, CatalogError> {
        let bytes = text.as_bytes();
        let mut returns = memchr::memchr_iter(b'\r', bytes);
        if let Some(at) = returns.find(|at| bytes.get(at + 1) != Some(&b'\n')) {
            return Err(CatalogError::new(at, "the line ends with a carriage return alone")
                .hint("end lines with a line feed, with or without a carriage return before it"));
        }
        let options = options! {
            emit_comments: false,
            emit_anchor_events: true,
            flow_nesting_limit: MAX_DEPTH,
            block_nesting_limit: MAX_DEPTH,
        };
        let mut builder = TreeBuilder { text, tree: YamlTree::default(), open: Vec::new(), cursor: 0, documents: 0 };
        for event in Parser::new_from_str_with_options(text, options) {
            let (event, span) = event.map_err(|error| {
                let at = error.marker().byte_offset().unwrap_or(0);
                CatalogError::new(at, format!("the file is not valid YAML: {}", error.info()))
            })?;
            let range = span.byte_range().unwrap_or(builder.cursor..builder.cursor);
            builder.event(event, &span, range)?;
        }
        Ok(builder.tree)
    }
}

impl<'a> TreeBuilder<'a> {
    fn event(&mut self, event: Event<'a>, span: &Span, range: Range<usize>) -> Result<(), CatalogError> {
        match event {
            Event::DocumentStart(is_explicit, _) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(CatalogError::new(range.start, "the file has more than one YAML document")
                        .hint("keep one document in each file"));
                }
                if is_explicit {
                    self.cursor = range.end;
                }
            }
            Event::Alias(anchor) => {
                self.tree.used_anchors.insert(anchor);
                self.node(YamlShape::Alias, Cow::Borrowed(""), 0, None, span, range)?;
            }
            Event::Scalar(value, style, anchor, tag) => {
                self.node(YamlShape::Scalar(style), value, anchor, tag.as_deref(), span, range)?;
            }
            Event::SequenceStart(style, anchor, tag) => {
                self.open_node(YamlShape::List, style, anchor, tag.as_deref(), span, range)?;
            }
            Event::MappingStart(style, anchor, tag) => {
                self.open_node(YamlShape::Map, style, anchor, tag.as_deref(), span, range)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range.end),
            Event::Anchor(..) => {
                self.cursor = self.cursor.max(range.end);
                let cursor = self.cursor;
                if let Some(node) = self.tree.nodes.last_mut().filter(|node| node.is_empty()) {
                    (node.content_start, node.end) = (cursor, cursor);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open_node(
        &mut self,
        shape: YamlShape,
        style: StructureStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
        range: Range<usize>,
    ) -> Result<(), CatalogError> {
        if self.open.len() >= MAX_DEPTH {
            return Err(CatalogError::new(range.start, "the file has more than 128 levels"));
        }
        let id = self.node(shape, Cow::Borrowed(""), anchor, tag, span, range)?;
        if let Some(node) = self.tree.nodes.get_mut(id) {
            node.is_flow = style == StructureStyle::Flow;
        }
        self.open.push((id, None));
        Ok(())
    }

    /// Adds a node at the cursor. Returns its number.
    fn node(
        &mut self,
        shape: YamlShape,
        text: Cow<'a, str>,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
        range: Range<usize>,
    ) -> Result<usize, CatalogError> {
        let id = self.tree.nodes.len();
        let parent = self.parent_of(id, range.start)?;
        let after_tag = span.tag_span().and_then(|tag| tag.byte_range()).map_or(0, |tag| tag.end);
        let (mut start, mut content_start, mut end) = (skip_blank(self.text, self.cursor), range.start, range.end);
        match shape {
            YamlShape::Scalar(ScalarStyle::Plain) if range.is_empty() => {
                self.cursor = self.cursor.max(after_tag);
                (content_start, end) = (self.cursor, self.cursor);
                start = start.min(content_start);
            }
            YamlShape::Scalar(ScalarStyle::Literal | ScalarStyle::Folded) => {
                end = super::block::content_end(self.text, start, &range, &text);
                // The rest of the range is whitespace, which may be the indentation of the next key.
                self.cursor = end;
            }
            // A map or list in block style starts at its first key or dash, which may be after comments.
            _ if range.is_empty() => self.cursor = self.cursor.max(after_tag),
            _ => self.cursor = self.cursor.max(range.end),
        }
        self.tree.nodes.push(YamlNode {
            shape,
            is_flow: false,
            start,
            content_start,
            end,
            text,
            tag_is_text: tag.filter(|tag| !is_non_specific(tag)).map(|tag| tag.is_yaml_core_schema_tag("str")),
            anchor,
            parent,
            entries: Vec::new(),
        });
        Ok(id)
    }

    /// Finds the open map or list that contains a new node, and the position there. Moves the cursor past the indicators
    /// before the node.
    fn parent_of(&mut self, id: usize, at: usize) -> Result<Option<(usize, usize)>, CatalogError> {
        let Some((parent, pending)) = self.open.last_mut() else {
            self.tree.root = Some(id);
            return Ok(None);
        };
        let parent = *parent;
        let previous_end = self.cursor;
        let Some(node) = self.tree.nodes.get_mut(parent) else { return Ok(None) };
        let mut start = skip_blank(self.text, previous_end);
        if node.is_flow && pending.is_none() && self.text.as_bytes().get(start) == Some(&b',') {
            start = skip_blank(self.text, start + 1);
            self.cursor = start;
        }
        let indicator = self.text.as_bytes().get(start).copied();
        let position = node.entries.len();
        if node.shape == YamlShape::List {
            if !node.is_flow {
                if indicator != Some(b'-') {
                    return Err(CatalogError::new(at, "this list cannot be read: an item has no dash"));
                }
                self.cursor = start + 1;
            }
            let value_at = Some(self.cursor);
            let key = start..start;
            node.entries.push(YamlEntry {
                name: None,
                key,
                start,
                previous_end,
                value_at,
                value: id,
                is_overridden: false,
            });
            return Ok(Some((parent, position)));
        }
        let behind = self.text.as_bytes().get(start + 1).copied();
        let is_alone = behind.is_none_or(|byte| byte.is_ascii_whitespace());
        let Some(key) = pending.take() else {
            if indicator == Some(b'?') && is_alone {
                self.cursor = start + 1;
            }
            *pending = Some(PendingKey { node: id, start, previous_end });
            return Ok(None);
        };
        // After a key without value, the next key may start with a colon.
        let value_at = (indicator == Some(b':') && (node.is_flow || is_alone)).then_some(start + 1);
        if let Some(after) = value_at {
            self.cursor = after;
        }
        let (name, range) =
            self.tree.nodes.get(key.node).map_or((None, 0..0), |node| (key_name(node), node.content_start..node.end));
        let entry = YamlEntry {
            name,
            key: range,
            start: key.start,
            previous_end: key.previous_end,
            value_at,
            value: id,
            is_overridden: false,
        };
        if let Some(node) = self.tree.nodes.get_mut(parent) {
            node.entries.push(entry);
        }
        Ok(Some((parent, position)))
    }

    fn close(&mut self, end: usize) {
        let Some((id, _)) = self.open.pop() else { return };
        let last = self.tree.nodes.get(id).and_then(|node| node.entries.last()).map(|entry| entry.value);
        let last_end = last.and_then(|last| self.tree.nodes.get(last)).map(|node| node.end);
        let cursor = self.cursor;
        let Some(node) = self.tree.nodes.get_mut(id) else { return };
        if node.is_flow {
            self.cursor = cursor.max(end);
            node.end = self.cursor;
        } else {
            node.end = last_end.unwrap_or(node.end);
        }
        let mut seen = HashMap::new();
        let mut overridden = Vec::new();
        for (position, entry) in node.entries.iter().enumerate() {
            if let Some(name) = &entry.name {
                overridden.extend(seen.insert(name.as_str(), position));
            }
        }
        for position in overridden {
            if let Some(entry) = node.entries.get_mut(position) {
                entry.is_overridden = true;
            }
        }
    }
}

/// Ruby used to write the tag `!` before quoted texts.
fn is_non_specific(tag: &Tag) -> bool {
    let (handle, suffix) = tag.parts();
    matches!((handle, suffix), ("", "!") | ("!", ""))
}

fn key_name(node: &YamlNode<'_>) -> Option<String> {
    match node.shape {
        YamlShape::Scalar(ScalarStyle::Plain) if node.is_empty() || node.text == "<<" => None,
        YamlShape::Scalar(_) => Some(node.text.to_string()),
        _ => None,
    }
}

/// Skips whitespace and comments.
pub(super) fn skip_blank(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'#' => at = line_end(text, at),
            _ => break,
        }
    }
    at
}
