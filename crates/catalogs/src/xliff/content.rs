//! Converts the content of `<source>` and `<target>` to a text, in which inline elements stay as written, and a list of
//! these elements. Converts a text back to XML.

use super::super::placeholders::MarkupIndex;
use super::super::placeholders::braces::percent_name_len;
use super::super::xml::{XmlKind, XmlTree, escape_text, invalid_char_error};

/// Inline elements whose content is code, not text.
const CODE_ELEMENTS: &[&str] = &["bpt", "ept", "it", "ph"];

enum ContentPiece<'a> {
    Text(String),
    Markup(&'a str),
}

#[derive(Debug, Default)]
pub(super) struct XliffContent {
    pub(super) source: String,
    pub(super) target: Option<String>,
    pub(super) markup: Vec<String>,
}

impl XliffContent {
    pub(super) fn read(tree: &XmlTree<'_>, source: Option<usize>, target: Option<usize>) -> Self {
        let pieces = |element: usize| {
            let mut pieces = Vec::new();
            add_pieces(tree, element, &mut pieces);
            pieces
        };
        let source = source.map(pieces).unwrap_or_default();
        let target = target.map(pieces);
        let all = || source.iter().chain(target.iter().flatten());
        let found_markup = all().filter_map(|piece| match piece {
            ContentPiece::Markup(markup) => Some((*markup).to_owned()),
            ContentPiece::Text(_) => None,
        });
        let mut markup: Vec<String> = found_markup.collect();
        markup.sort_unstable();
        markup.dedup();
        // The special characters of text that looks like a tag stay escaped.
        let index = MarkupIndex::new(markup.iter().map(String::as_str));
        let is_escaped = !markup.is_empty()
            && all().any(|piece| match piece {
                ContentPiece::Text(text) => index.next_in(text, 0).is_some(),
                ContentPiece::Markup(_) => false,
            });
        let text = |pieces: &[ContentPiece<'_>]| {
            let mut out = String::new();
            for piece in pieces {
                match piece {
                    ContentPiece::Text(text) if is_escaped => {
                        out.push_str(&text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"));
                    }
                    ContentPiece::Text(text) => out.push_str(text),
                    ContentPiece::Markup(markup) => out.push_str(markup),
                }
            }
            out
        };
        let (source, target) = (text(&source), target.map(|target| text(&target)));
        if is_escaped {
            markup.extend(["&amp;", "&lt;", "&gt;"].map(str::to_owned));
        }
        for text in [Some(&source), target.as_ref()].into_iter().flatten() {
            add_percent_names(text, &mut markup);
        }
        markup.sort_unstable();
        markup.dedup();
        Self { source, target, markup }
    }
}

fn add_pieces<'a>(tree: &XmlTree<'a>, element: usize, pieces: &mut Vec<ContentPiece<'a>>) {
    for child in tree.children(element) {
        let node = tree.node(child);
        match node.kind {
            XmlKind::Text | XmlKind::CData => {
                push_text(pieces, &tree.slice(node.content.clone()).replace("\r\n", "\n").replace('\r', "\n"));
            }
            XmlKind::Reference => match tree.referenced(child) {
                Some(c) => push_text(pieces, c.encode_utf8(&mut [0; 4])),
                None => pieces.push(ContentPiece::Markup(tree.source(child))),
            },
            XmlKind::Element if node.content.is_empty() || is_fixed(tree, child) => {
                pieces.push(ContentPiece::Markup(tree.source(child)));
            }
            XmlKind::Element => {
                pieces.push(ContentPiece::Markup(tree.slice(tree.start_tag(child))));
                add_pieces(tree, child, pieces);
                pieces.push(ContentPiece::Markup(tree.slice(node.content.end..node.range.end)));
            }
            XmlKind::Comment | XmlKind::Instruction => {}
        }
    }
}

/// Returns whether the content of an inline element is code, or marked as not translatable.
fn is_fixed(tree: &XmlTree<'_>, element: usize) -> bool {
    let is = |name: &str, value: &str| tree.attribute(element, name).is_some_and(|found| found == value);
    match local_name(tree, element) {
        "mrk" => is("translate", "no") || is("mtype", "protected"),
        name => CODE_ELEMENTS.contains(&name),
    }
}

fn push_text(pieces: &mut Vec<ContentPiece<'_>>, text: &str) {
    match pieces.last_mut() {
        Some(ContentPiece::Text(last)) => last.push_str(text),
        _ => pieces.push(ContentPiece::Text(text.to_owned())),
    }
}

/// Segments of XLIFF 1.2 are `<mrk mtype="seg">`.
pub(crate) fn has_segments(tree: &XmlTree<'_>, element: usize) -> bool {
    tree.descendants(element).any(|inner| is_segment(tree, inner))
}

pub(crate) fn is_segment(tree: &XmlTree<'_>, element: usize) -> bool {
    tree.node(element).kind == XmlKind::Element
        && local_name(tree, element) == "mrk"
        && tree.attribute(element, "mtype").is_some_and(|kind| kind == "seg")
}

/// Returns whether an element has segments, and all of them are empty or whitespace.
pub(super) fn has_empty_segments(tree: &XmlTree<'_>, element: usize) -> bool {
    let is_blank = |inner: usize| match tree.node(inner).kind {
        XmlKind::Text => tree.source(inner).trim().is_empty(),
        XmlKind::Element => is_segment(tree, inner),
        kind => kind == XmlKind::Comment,
    };
    has_segments(tree, element) && tree.descendants(element).all(is_blank)
}

/// Returns a text without the tags of its segments; `None` if it has no segments.
pub(super) fn without_segments(text: &str, markup: &[String]) -> Option<String> {
    let is_start = |piece: &str| {
        let tag = piece.strip_prefix('<').unwrap_or_default().split(['>', ' ']).next().unwrap_or_default();
        let is_mark = tag.rsplit(':').next() == Some("mrk");
        is_mark && [" mtype=\"seg\"", " mtype='seg'"].iter().any(|attribute| piece.contains(attribute))
    };
    if !markup.iter().any(|piece| is_start(piece)) {
        return None;
    }
    let index = MarkupIndex::new(markup.iter().map(String::as_str));
    let (mut out, mut open, mut done) = (String::with_capacity(text.len()), Vec::new(), 0);
    while let Some(found) = index.next_in(text, done) {
        let piece = text.get(found.clone()).unwrap_or_default();
        out.push_str(text.get(done..found.start).unwrap_or_default());
        done = found.end;
        let is_tag = piece.starts_with('<') && !piece.ends_with("/>");
        let is_left_out = if piece.starts_with("</") {
            open.pop().unwrap_or_default()
        } else {
            let is_start = is_start(piece);
            // Markup with a second tag is a complete element.
            if is_tag && !piece.trim_start_matches('<').contains('<') {
                open.push(is_start);
            }
            is_start
        };
        if !is_left_out {
            out.push_str(piece);
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Some(out)
}

pub(crate) fn local_name<'a>(tree: &XmlTree<'a>, element: usize) -> &'a str {
    let name = tree.name(element);
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// Adds placeholders such as `%name%` (Symfony).
fn add_percent_names(text: &str, markup: &mut Vec<String>) {
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        let from = rest.get(at..).unwrap_or_default();
        let len = percent_name_len(from);
        markup.extend(len.and_then(|len| from.get(..len)).map(str::to_owned));
        rest = from.get(len.unwrap_or(1)..).unwrap_or_default();
    }
}

/// Fails if the text contains a character that XML does not allow, or tags that do not match.
pub(super) fn encode(text: &str, markup: &[String], line_end: &str) -> Result<String, String> {
    let index = MarkupIndex::new(markup.iter().map(String::as_str));
    let mut out = String::with_capacity(text.len());
    let mut open: Vec<&str> = Vec::new();
    let mut done = 0;
    let escape = |text: &str| escape_text(text, line_end).map_err(|c| invalid_char_error(c, 0).what);
    while let Some(found) = index.next_in(text, done) {
        let piece = text.get(found.clone()).unwrap_or_default();
        out.push_str(&escape(text.get(done..found.start).unwrap_or_default())?);
        out.push_str(piece);
        check_nesting(piece, &mut open)?;
        done = found.end;
    }
    out.push_str(&escape(text.get(done..).unwrap_or_default())?);
    match open.last() {
        Some(name) => Err(format!("the inline element `{name}` has no end tag")),
        None => Ok(out),
    }
}

/// Opens or closes an inline element. Fails at an end tag that does not match.
fn check_nesting<'a>(piece: &'a str, open: &mut Vec<&'a str>) -> Result<(), String> {
    let Some(tag) = piece.strip_prefix('<') else { return Ok(()) };
    let name = |tag: &'a str| tag.split([' ', '\t', '\n', '\r', '>', '/']).next().unwrap_or_default();
    if let Some(end) = tag.strip_prefix('/') {
        let name = name(end);
        return match open.pop() {
            Some(start) if start == name => Ok(()),
            _ => Err(format!("the end of the inline element `{name}` is in the wrong position")),
        };
    }
    // Markup that ends with `/>` or contains a second tag is a complete element.
    if !tag.ends_with("/>") && !tag.contains('<') {
        open.push(name(tag));
    }
    Ok(())
}
