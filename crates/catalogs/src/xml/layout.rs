//! Elements with their lines, indentation and comments, to remove them and to insert others next to them.
//!
//! Insertions and removals both include the line ending before the element, so removing an inserted element restores the
//! bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::edit::Edit;
use super::{XmlKind, XmlTree};

/// Where an element is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct XmlElementSpan {
    pub element: usize,
    /// The comments directly above, without a blank line between, and not on the line of another element.
    pub comments: Vec<usize>,
    /// The element with the comments above, the line ending and indentation before them, and a comment after it on its line.
    pub outer: Range<usize>,
    /// The whitespace at the start of the line; `None` if other text precedes the element or its comments there.
    pub indent: Option<Range<usize>>,
}

#[derive(Default)]
struct SpanReader {
    spans: Vec<XmlElementSpan>,
    comments: Vec<usize>,
    /// Where the pending comments start, with the line ending and indentation before them.
    start: Option<(usize, Option<Range<usize>>)>,
    gap: Range<usize>,
    /// Whether the last element's line has not ended yet.
    is_on_line_of_last: bool,
}

impl SpanReader {
    fn add(&mut self, tree: &XmlTree<'_>, number: usize) {
        let node = tree.node(number);
        if matches!(node.kind, XmlKind::Comment | XmlKind::Element) && self.is_after_blank_line(tree) {
            self.comments.clear();
            self.start = None;
        }
        match node.kind {
            XmlKind::Text => self.add_text(tree, node.range.clone()),
            XmlKind::Comment => {
                if self.start.is_none() {
                    self.start = Some(self.line_start(tree, node.range.start));
                }
                self.comments.push(number);
                self.gap = node.range.end..node.range.end;
            }
            XmlKind::Element => {
                let own_start = self.line_start(tree, node.range.start);
                let (start, indent) = self.start.take().unwrap_or(own_start);
                let comments = std::mem::take(&mut self.comments);
                self.spans.push(XmlElementSpan { element: number, comments, outer: start..node.range.end, indent });
                self.gap = node.range.end..node.range.end;
                self.is_on_line_of_last = true;
            }
            XmlKind::CData | XmlKind::Reference | XmlKind::Instruction => self.restart(node.range.end),
        }
    }

    fn add_text(&mut self, tree: &XmlTree<'_>, range: Range<usize>) {
        let text = tree.slice(range.clone());
        let rest = text.trim_end();
        if !rest.is_empty() {
            self.restart(range.start + rest.len());
        }
        if text.contains('\n') {
            self.end_line(tree);
        }
        self.gap.end = range.end;
    }

    fn restart(&mut self, at: usize) {
        self.comments.clear();
        self.start = None;
        self.gap = at..at;
        self.is_on_line_of_last = false;
    }

    /// Comments on the line of the last element belong to it.
    fn end_line(&mut self, tree: &XmlTree<'_>) {
        if std::mem::take(&mut self.is_on_line_of_last)
            && let (Some(span), Some(comment)) = (self.spans.last_mut(), self.comments.last())
        {
            span.outer.end = tree.node(*comment).range.end;
            self.comments.clear();
            self.start = None;
        }
    }

    fn is_after_blank_line(&self, tree: &XmlTree<'_>) -> bool {
        tree.slice(self.gap.clone()).matches('\n').count() > 1
    }

    /// Returns the start of a child with the line ending and indentation before it, and the indentation.
    fn line_start(&self, tree: &XmlTree<'_>, start: usize) -> (usize, Option<Range<usize>>) {
        match tree.slice(self.gap.clone()).rfind('\n') {
            Some(at) => {
                let line_end = self.gap.start + at;
                let is_crlf = tree.slice(self.gap.start..line_end).ends_with('\r');
                (line_end - usize::from(is_crlf), Some(line_end + 1..start))
            }
            None => (start, None),
        }
    }
}

impl<'a> XmlTree<'a> {
    /// Returns the span of each child element, in order.
    pub fn spans(&self, number: usize) -> Vec<XmlElementSpan> {
        let start = self.node(number).content.start;
        let mut reader = SpanReader { gap: start..start, ..SpanReader::default() };
        for child in self.children(number) {
            reader.add(self, child);
        }
        reader.end_line(self);
        reader.spans
    }

    /// Trims every line; `None` if nothing is left.
    pub fn comment_text(&self, comments: &[usize]) -> Option<String> {
        let contents = comments.iter().map(|number| self.slice(self.node(*number).content.clone()));
        let lines: Vec<&str> = contents.flat_map(|content| content.trim().lines().map(str::trim)).collect();
        Some(lines.join("\n")).filter(|text| !text.trim().is_empty())
    }

    /// Returns the edit that puts `content` into a self-closing tag (`<a/>`); `None` for other elements.
    pub fn expand_self_closing(&self, number: usize, content: &str) -> Option<Edit> {
        let node = self.node(number);
        if !node.is_self_closing() {
            return None;
        }
        let tag = self.slice(node.range.clone());
        let tag = tag.strip_suffix("/>").unwrap_or(tag).trim_end();
        let text = [">", content, "</", self.name(number), ">"].concat();
        Some(Edit::replace(node.range.start + tag.len()..node.range.end, text))
    }

    pub fn line_end(&self) -> &'static str {
        self.line_end
    }

    /// Returns the indentation of one level, from the first element with more indentation than its parent; else `default`.
    pub fn indent_step<'s>(&'s self, default: &'s str) -> &'s str {
        let find = || {
            let elements = (0..self.nodes.len()).filter(|number| self.node(*number).kind == XmlKind::Element);
            elements.into_iter().find_map(|number| self.step_in(number))
        };
        self.step.get_or_init(find).clone().map_or(default, |step| self.slice(step))
    }

    /// Returns the indentation that the first child has in addition to the element.
    fn step_in(&self, number: usize) -> Option<Range<usize>> {
        // The whitespace before an end tag is not the indentation of a child.
        if self.descendants(number).len() < 2 {
            return None;
        }
        let content = self.node(number).content.clone();
        let end = self.node(number + 1).range.end.min(content.end);
        let gap = self.slice(content.start..end);
        let (_, indent) = gap.rsplit_once('\n').filter(|_| gap.trim().is_empty())?;
        let step = indent.strip_prefix(self.line_indent(number)).filter(|step| !step.is_empty())?;
        Some(end - step.len()..end)
    }

    pub fn line_indent(&self, number: usize) -> &'a str {
        let before = self.slice(0..self.node(number).range.start);
        let line = before.rfind('\n').map_or(before, |at| before.get(at + 1..).unwrap_or_default());
        line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
    }
}

/// Several insertions may be at the same position.
#[derive(Debug, Default)]
pub struct XmlInsertions {
    edits: Vec<Edit>,
    new_content: BTreeMap<usize, Vec<String>>,
}

impl XmlInsertions {
    /// Inserts an element after or before another. Its `lines` get the indentation of the other.
    pub fn insert_beside(&mut self, tree: &XmlTree<'_>, span: &XmlElementSpan, is_after: bool, lines: &[String]) {
        let at = if is_after { span.outer.end } else { span.outer.start };
        let indent = span.indent.clone().map(|indent| tree.slice(indent));
        let mut text = String::new();
        for line in lines {
            if let Some(indent) = indent {
                text.extend([tree.line_end(), indent]);
            }
            text.push_str(line);
        }
        self.edits.push(Edit::insert(at, text));
    }

    pub fn insert_inside(&mut self, parent: usize, lines: impl IntoIterator<Item = String>) {
        self.new_content.entry(parent).or_default().extend(lines);
    }

    /// Inserts an element after or before another, or into `parent` if `beside` is `None`.
    pub fn insert(
        &mut self,
        tree: &XmlTree<'_>,
        beside: Option<(&XmlElementSpan, bool)>,
        parent: usize,
        lines: impl IntoIterator<Item = String>,
    ) {
        match beside {
            Some((span, is_after)) => self.insert_beside(tree, span, is_after, &Vec::from_iter(lines)),
            None => self.insert_inside(parent, lines),
        }
    }

    pub fn finish(self, tree: &XmlTree<'_>, default_step: &str) -> Vec<Edit> {
        let mut edits = self.edits;
        edits.extend(self.new_content.into_iter().map(|(parent, lines)| {
            let node = tree.node(parent);
            let content = tree.slice(node.content.clone());
            let gap = content.get(..content.len() - content.trim_start().len()).unwrap_or_default();
            let is_one_line = !tree.text.contains('\n');
            let line_end = if is_one_line { "" } else { tree.line_end() };
            let outer = if is_one_line { "" } else { tree.line_indent(parent) };
            let step = if is_one_line { "" } else { tree.indent_step(default_step) };
            let mut text = String::new();
            for line in &lines {
                text.extend([line_end, outer, step, line]);
            }
            if !gap.contains('\n') {
                text.extend([line_end, outer]);
            }
            tree.expand_self_closing(parent, &text).unwrap_or_else(|| Edit::insert(node.content.start, text))
        }));
        edits
    }
}
