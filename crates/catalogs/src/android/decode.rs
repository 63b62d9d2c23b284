//! Decodes the values of Android resources to the text that the app shows. As in the resource compiler, whitespace
//! collapses outside of double quotes, and backslashes escape.

use std::ops::Range;

use super::super::xml::{XmlKind, XmlNode, XmlTree};
use super::markup::is_textual;

/// The start of a CDATA section. If the markup of a unit lists it, the complete text is the content of a CDATA section.
pub const CDATA_START: &str = "<![CDATA[";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AndroidValue {
    pub pieces: Vec<ValuePiece>,
    /// The bytes of the value, without surrounding whitespace.
    pub range: Range<usize>,
    pub style: AndroidStyle,
    pub is_reference: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuePiece {
    Text(String),
    /// A tag, a complete element that is not translated, or an entity reference, as in the file.
    Markup(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AndroidStyle {
    pub is_quoted: bool,
    pub is_cdata: bool,
    /// Whether the value is a CDATA section with unescaped double quotes, as around HTML attributes. They stay unescaped.
    pub has_raw_quotes: bool,
}

/// Reads the value of an element. Comments before and after the text are not part of it, and survive a new text.
pub fn value(tree: &XmlTree<'_>, element: usize) -> AndroidValue {
    let content = tree.node(element).content.clone();
    let range = without_comments(tree, element);
    let source = tree.slice(range.clone());
    let trimmed = source.trim_ascii();
    let start = range.start + source.len() - source.trim_ascii_start().len();
    let range = if trimmed.is_empty() { content } else { start..start + trimmed.len() };
    let has_raw_quotes = has_raw_quotes(tree, element);
    let mut reader = ValueReader { has_raw_quotes, would_collapse: true, ..ValueReader::default() };
    let is_cdata = is_cdata(tree, element);
    reader.add_nodes(tree, element, is_cdata);
    let (pieces, is_quoted) = reader.finish(trimmed);
    let style = AndroidStyle { is_quoted: is_quoted && !is_cdata, is_cdata, has_raw_quotes };
    AndroidValue { pieces, range, style, is_reference: is_reference(trimmed) }
}

pub fn comments(tree: &XmlTree<'_>, element: usize) -> Vec<usize> {
    tree.descendants(element).filter(|number| tree.node(*number).kind == XmlKind::Comment).collect()
}

/// Returns the content of an element without comments and whitespace at its ends.
fn without_comments(tree: &XmlTree<'_>, element: usize) -> Range<usize> {
    let is_text = |number: &usize| {
        let node = tree.node(*number);
        node.kind != XmlKind::Comment && !tree.slice(node.range.clone()).trim_ascii().is_empty()
    };
    let mut texts = tree.children(element).filter(is_text).map(|number| tree.node(number).range.clone());
    let content = tree.node(element).content.clone();
    let Some(first) = texts.next() else { return content };
    let end = texts.last().map_or(first.end, |last| last.end);
    first.start..end
}

fn is_cdata(tree: &XmlTree<'_>, element: usize) -> bool {
    let nodes = || tree.descendants(element).map(|number| tree.node(number));
    nodes().any(|node| node.kind == XmlKind::CData) && !nodes().any(|node| is_beside_cdata(tree, node))
}

/// Returns whether a node is text or markup outside of CDATA.
fn is_beside_cdata(tree: &XmlTree<'_>, node: &XmlNode) -> bool {
    !matches!(node.kind, XmlKind::CData | XmlKind::Comment) && !tree.slice(node.range.clone()).trim().is_empty()
}

fn has_raw_quotes(tree: &XmlTree<'_>, element: usize) -> bool {
    let mut has_quotes = false;
    for number in tree.descendants(element) {
        let node = tree.node(number);
        if node.kind == XmlKind::CData {
            let mut is_escaped = false;
            for byte in tree.slice(node.content.clone()).bytes() {
                has_quotes |= byte == b'"' && !is_escaped;
                is_escaped = byte == b'\\' && !is_escaped;
            }
        } else if is_beside_cdata(tree, node) {
            return false;
        }
    }
    has_quotes
}

/// `@string/name`, `@android:string/ok`, `?attr/name` and `@null` are references.
fn is_reference(value: &str) -> bool {
    if matches!(value, "@null" | "@empty") {
        return true;
    }
    let Some(path) = value.strip_prefix(['@', '?']) else { return false };
    let path = path.trim_start_matches(['+', '*']);
    let path = path.split_once(':').map_or(path, |(_, path)| path);
    let is_word = |word: &str, extra: &str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || extra.contains(c))
    };
    path.split_once('/').is_some_and(|(kind, name)| is_word(kind, "") && is_word(name, ".-"))
}

#[derive(Default)]
struct ValueReader {
    pieces: Vec<ValuePiece>,
    run: String,
    is_in_quotes: bool,
    /// Whether whitespace here would collapse: at the start, or after whitespace.
    would_collapse: bool,
    quotes: usize,
    has_raw_quotes: bool,
}

impl ValueReader {
    /// Adds the content of an element. CDATA is text if there is nothing else, and markup among other text.
    fn add_nodes(&mut self, tree: &XmlTree<'_>, element: usize, is_cdata: bool) {
        let nodes = tree.descendants(element);
        let mut number = nodes.start;
        // Elements whose end tag has not been added yet.
        let mut open: Vec<usize> = Vec::new();
        while number < nodes.end {
            while let Some(ended) = open.pop_if(|open| tree.descendants(*open).end <= number) {
                self.add_markup(end_tag(tree, ended));
            }
            let node = tree.node(number);
            let source = tree.slice(node.range.clone());
            let mut next = number + 1;
            match node.kind {
                XmlKind::CData if !is_cdata => self.add_markup(source),
                XmlKind::Text | XmlKind::CData => {
                    self.run.push_str(&tree.slice(node.content.clone()).replace("\r\n", "\n"));
                }
                XmlKind::Reference => match tree.referenced(number) {
                    Some(c) => self.run.push(c),
                    None => self.add_markup(source),
                },
                XmlKind::Element if is_untranslated(tree, number) || node.is_self_closing() => {
                    self.add_markup(source);
                    next = tree.descendants(number).end;
                }
                XmlKind::Element => {
                    self.add_markup(tree.slice(tree.start_tag(number)));
                    open.push(number);
                }
                XmlKind::Instruction => self.add_markup(source),
                XmlKind::Comment => {}
            }
            number = next;
        }
        while let Some(ended) = open.pop() {
            self.add_markup(end_tag(tree, ended));
        }
    }

    fn add_markup(&mut self, markup: &str) {
        self.end_run();
        if is_textual(markup) {
            self.would_collapse = false;
        }
        self.pieces.push(ValuePiece::Markup(markup.to_owned()));
    }

    fn end_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        let mut out = String::with_capacity(run.len());
        let mut rest = run.chars();
        while let Some(c) = rest.next() {
            let is_space = matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}');
            if is_space && !self.is_in_quotes {
                if !std::mem::replace(&mut self.would_collapse, true) {
                    out.push(' ');
                }
                continue;
            }
            self.would_collapse = false;
            match c {
                '\\' => push_escaped(&mut rest, &mut out),
                '"' if !self.has_raw_quotes => {
                    self.is_in_quotes = !self.is_in_quotes;
                    self.quotes += 1;
                }
                c => out.push(c),
            }
        }
        if !out.is_empty() {
            self.pieces.push(ValuePiece::Text(out));
        }
    }

    /// Returns the pieces, and whether the complete value is in double quotes.
    fn finish(mut self, source: &str) -> (Vec<ValuePiece>, bool) {
        self.end_run();
        let last = self.pieces.iter_mut().rev().find_map(|piece| match piece {
            ValuePiece::Text(text) => Some(text),
            ValuePiece::Markup(_) => None,
        });
        if let Some(last) = last.filter(|_| self.would_collapse) {
            last.pop();
        }
        self.pieces.retain(|piece| !matches!(piece, ValuePiece::Text(text) if text.is_empty()));
        let is_quoted = self.quotes == 2 && source.len() > 1 && source.starts_with('"') && source.ends_with('"');
        (self.pieces, is_quoted && !source.ends_with("\\\""))
    }
}

fn is_untranslated(tree: &XmlTree<'_>, number: usize) -> bool {
    tree.name(number).split_once(':').is_some_and(|(_, name)| name == "g")
}

fn end_tag<'a>(tree: &XmlTree<'a>, number: usize) -> &'a str {
    let node = tree.node(number);
    tree.slice(node.content.end..node.range.end)
}

fn push_escaped(rest: &mut std::str::Chars<'_>, out: &mut String) {
    match rest.next() {
        Some('n') => out.push('\n'),
        Some('t') => out.push('\t'),
        Some('u') => match unicode_escape(rest) {
            Some(c) => out.push(c),
            None => out.push_str("\\u"),
        },
        // The resource compiler drops the backslash before any other character.
        Some(c) => out.push(c),
        None => {}
    }
}

/// Reads four hexadecimal digits and, for a surrogate pair, the second escape. Reads nothing if the digits are missing.
fn unicode_escape(rest: &mut std::str::Chars<'_>) -> Option<char> {
    let mut unit = rest.clone();
    let first = hex_digits(&mut unit)?;
    *rest = unit.clone();
    if (0xd800..0xdc00).contains(&first)
        && unit.next() == Some('\\')
        && unit.next() == Some('u')
        && let Some(second) = hex_digits(&mut unit)
        && let Some(Ok(c)) = char::decode_utf16([first, second]).next()
    {
        *rest = unit;
        return Some(c);
    }
    Some(char::from_u32(first.into()).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn hex_digits(chars: &mut std::str::Chars<'_>) -> Option<u16> {
    (0..4).try_fold(0, |code: u16, _| {
        let digit = u16::try_from(chars.next()?.to_digit(16)?).ok()?;
        Some(code * 16 + digit)
    })
}
