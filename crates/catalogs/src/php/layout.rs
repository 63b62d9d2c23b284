//! Makes the edits of an array: places its new items, and decides which lines are removed with an item.

use std::collections::BTreeSet;
use std::ops::Range;

use super::literal::{PhpQuote, encode};
use super::parse::{PhpArray, PhpFile, PhpItem, PhpValue};
use super::write::{PhpNewItem, PhpNewValue};
use crate::edit::{first_newline_of, join_ranges, line_start, previous_line};
use crate::{Edit, UnitKeyPart};

/// Indentation per level, if the outermost array does not show another.
const DEFAULT_INDENT: &str = "    ";

#[derive(Clone, Copy, Debug)]
pub struct PhpLayout<'a> {
    text: &'a str,
    file: &'a PhpFile,
    step: &'a str,
}

#[derive(Clone, Copy, Debug)]
struct PhpItemStyle<'a> {
    key: PhpQuote,
    value: PhpQuote,
    arrow: &'a str,
    is_short: bool,
    /// The line ending, if each item has its own line.
    line_end: Option<&'static str>,
    step: &'a str,
}

impl<'a> PhpLayout<'a> {
    pub fn of(text: &'a str, file: &'a PhpFile) -> Self {
        let layout = Self { text, file, step: DEFAULT_INDENT };
        let root = file.arrays.first();
        let item = root.and_then(|root| root.items.iter().find(|item| layout.starts_line(item)));
        let step = item.map(|item| layout.line_indent(item.start())).filter(|step| !step.is_empty());
        Self { step: step.unwrap_or(DEFAULT_INDENT), ..layout }
    }

    /// Each group of new items goes after the item with the given index; `None` is the start of the array.
    pub fn edits(
        self,
        number: usize,
        removed: &BTreeSet<usize>,
        new: &[(Option<usize>, &[PhpNewItem<'_>])],
        edits: &mut Vec<Edit>,
    ) {
        let Some(array) = self.file.arrays.get(number) else { return };
        if new.is_empty() && removed.is_empty() {
            return;
        }
        if new.is_empty() && removed.len() == array.items.len() && self.has_only_items(array) {
            edits.push(Edit::remove(array.inner.clone()));
            return;
        }
        let array_style = self.array_style(array, !new.is_empty());
        for (after, items) in new {
            match after.and_then(|after| array.items.get(after)) {
                Some(sibling) => self.insert_after(&array_style, sibling, items, edits),
                None => edits.push(self.insert_first(array, &array_style, removed, items)),
            }
        }
        let ranges = removed.iter().filter_map(|at| self.removed_range(array, *at));
        edits.extend(join_ranges(ranges).into_iter().map(|range| Edit::remove(self.extend_to_whole_line(range))));
        let is_last_removed = array.items.last().is_some_and(|last| last.comma.is_none())
            && removed.last().is_some_and(|last| last + 1 == array.items.len());
        if is_last_removed {
            // The last item had no trailing comma, so the new last item gets none, either.
            let kept = (0..array.items.len()).rev().find(|at| !removed.contains(at));
            let comma = kept.and_then(|kept| array.items.get(kept)).and_then(|kept| kept.comma);
            let has_new = new.iter().any(|(after, _)| *after == kept);
            edits.extend(comma.filter(|_| !has_new).map(|comma| Edit::remove(comma..comma + 1)));
        }
    }

    fn slice(self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns whether only spaces and tabs precede `at` on its line.
    fn is_first_on_line(self, at: usize) -> bool {
        let before = self.slice(0..at).trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    fn starts_line(self, item: &PhpItem) -> bool {
        self.is_first_on_line(item.start())
    }

    /// Returns the end of the line at `at`; `None` if anything but a comment follows `at` on it.
    fn line_end_after(self, at: usize) -> Option<usize> {
        let rest = self.slice(at..self.text.len());
        // Lines can be long, so check the first character before searching for the end.
        let first = rest.trim_start_matches([' ', '\t']);
        if !first.is_empty() && !first.starts_with(['\r', '\n', '/', '#']) {
            return None;
        }
        // A carriage return also ends a comment.
        let line = rest.get(..memchr::memchr2(b'\n', b'\r', rest.as_bytes())?)?;
        let content = line.trim();
        let is_block = content.starts_with("/*") && content.find("*/").is_some_and(|end| end + 2 == content.len());
        let is_comment = content.starts_with("//") || content.starts_with('#') || is_block;
        (content.is_empty() || (is_comment && !content.contains("?>"))).then_some(at + line.len())
    }

    fn line_before(self, at: usize) -> usize {
        let start = line_start(self.text, at);
        previous_line(self.text, start).unwrap_or(start)
    }

    /// Returns whether an array has nothing but its items, their own comments and whitespace.
    fn has_only_items(self, array: &PhpArray) -> bool {
        let mut at = array.inner.start;
        let is_blank = |range| self.slice(range).trim().is_empty();
        for item in &array.items {
            if !is_blank(at..item.start().max(at)) {
                return false;
            }
            at = item.end();
        }
        is_blank(at..array.inner.end.max(at))
    }

    fn removed_range(self, array: &PhpArray, at: usize) -> Option<Range<usize>> {
        let item = array.items.get(at)?;
        let starts_line = self.starts_line(item);
        if starts_line && let Some(end) = self.line_end_after(item.end()) {
            return Some(self.line_before(item.start())..end);
        }
        if let Some(previous) = at.checked_sub(1).and_then(|at| array.items.get(at)).filter(|_| !starts_line) {
            return Some(previous.end()..item.end());
        }
        let next = array.items.get(at + 1).map(PhpItem::start);
        let next = next.filter(|next| !self.slice(item.end()..*next).contains('\n'));
        Some(item.start()..next.unwrap_or_else(|| item.end()))
    }

    fn extend_to_whole_line(self, range: Range<usize>) -> Range<usize> {
        let is_first = self.is_first_on_line(range.start) && !self.slice(range.clone()).starts_with(['\n', '\r']);
        match self.line_end_after(range.end) {
            Some(end) if is_first && self.slice(range.end..end).trim().is_empty() => self.line_before(range.start)..end,
            _ => range,
        }
    }

    fn insert_after(
        self,
        array_style: &PhpArrayStyle<'a>,
        sibling: &'a PhpItem,
        items: &[PhpNewItem<'_>],
        edits: &mut Vec<Edit>,
    ) {
        let style = self.style(array_style, Some(sibling));
        let indent = &array_style.indent;
        let Some(newline) = style.line_end else {
            let items: Vec<String> = items.iter().map(|item| style.item(item, indent)).collect();
            edits.push(match sibling.comma {
                Some(comma) => Edit::insert(comma + 1, [" ", &items.join(", "), ","].concat()),
                None => Edit::insert(sibling.range.end, [", ", &items.join(", ")].concat()),
            });
            return;
        };
        let between = [",", newline, indent].concat();
        let items = items.iter().map(|item| style.item(item, indent)).collect::<Vec<_>>().join(&between);
        let lines = [newline, indent, &items].concat();
        let end = sibling.range.end;
        match (sibling.comma, self.line_end_after(sibling.end())) {
            (Some(_), Some(at)) => edits.push(Edit::insert(at, [&lines, ","].concat())),
            (Some(comma), None) => edits.push(Edit::insert(comma + 1, [" ", &items, ","].concat())),
            (None, Some(at)) if at > end => edits.extend([Edit::insert(end, ","), Edit::insert(at, lines)]),
            (None, _) => edits.push(Edit::insert(end, [",", &lines].concat())),
        }
    }

    fn insert_first(
        self,
        array: &'a PhpArray,
        array_style: &PhpArrayStyle<'a>,
        removed: &BTreeSet<usize>,
        items: &[PhpNewItem<'_>],
    ) -> Edit {
        let kept = array.items.iter().enumerate().find(|(at, _)| !removed.contains(at)).map(|(_, item)| item);
        let first = kept.or(array.items.first());
        let mut style = self.style(array_style, first);
        let is_blank = self.slice(array.inner.clone()).trim().is_empty();
        if first.is_none() && is_blank {
            style.line_end = Some(first_newline_of(self.text));
        }
        let indent = &array_style.indent;
        let items: Vec<String> = items.iter().map(|item| style.item(item, indent)).collect();
        let Some(newline) = style.line_end else {
            let behind = if kept.is_some() { ", " } else { "" };
            return Edit::insert(first.map_or(array.inner.end, PhpItem::start), items.join(", ") + behind);
        };
        let mut lines = String::new();
        for item in &items {
            lines.extend([newline, indent, item, ","]);
        }
        match first {
            Some(first) if self.starts_line(first) => Edit::insert(self.line_before(first.start()), lines),
            Some(first) => {
                let behind = if kept.is_some() { ", " } else { "" };
                Edit::insert(first.start(), items.join(", ") + behind)
            }
            None if is_blank => {
                let base = self.line_indent(array.inner.start);
                Edit::replace(array.inner.clone(), [&lines, newline, base].concat())
            }
            None => Edit::insert(self.line_before(array.inner.end).max(array.inner.start), lines),
        }
    }

    fn line_indent(self, at: usize) -> &'a str {
        let line = self.slice(line_start(self.text, at)..self.text.len());
        line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
    }

    fn indent(self, array: &PhpArray) -> String {
        match array.items.iter().find(|item| self.starts_line(item)) {
            Some(item) => self.line_indent(item.start()).to_owned(),
            None => [self.line_indent(array.inner.start), self.step].concat(),
        }
    }

    /// Returns an empty style if `is_new` is false, because only new items need a style.
    fn array_style(self, array: &'a PhpArray, is_new: bool) -> PhpArrayStyle<'a> {
        if !is_new {
            return PhpArrayStyle::default();
        }
        let root = self.file.arrays.first().map_or([].as_slice(), |root| &root.items);
        let has_lines = array.items.iter().any(|item| self.starts_line(item));
        PhpArrayStyle {
            is_short: array.is_short,
            indent: self.indent(array),
            like: array.items.iter().chain(root).find(|item| is_text(item)),
            line_end: has_lines.then(|| first_newline_of(self.text)),
        }
    }

    fn style(self, array_style: &PhpArrayStyle<'a>, sibling: Option<&'a PhpItem>) -> PhpItemStyle<'a> {
        let like = sibling.filter(|item| is_text(item)).or(array_style.like);
        let quote = |range: &Range<usize>| {
            if self.slice(range.clone()).starts_with('"') { PhpQuote::Double } else { PhpQuote::Single }
        };
        let key = like.and_then(|like| like.key_range.as_ref());
        let between = like.zip(key).map(|(like, key)| self.slice(key.end..like.value_range.start));
        PhpItemStyle {
            key: key.or(like.map(|like| &like.value_range)).map_or(PhpQuote::Single, quote),
            value: like.map_or(PhpQuote::Single, |like| quote(&like.value_range)),
            arrow: if between == Some("=>") { "=>" } else { " => " },
            is_short: array_style.is_short,
            line_end: array_style.line_end,
            step: self.step,
        }
    }
}

#[derive(Debug, Default)]
struct PhpArrayStyle<'a> {
    is_short: bool,
    indent: String,
    /// A text item to imitate, from this array or else from the outermost one.
    like: Option<&'a PhpItem>,
    line_end: Option<&'static str>,
}

fn is_text(item: &PhpItem) -> bool {
    matches!(item.value, PhpValue::Text(_))
}

impl PhpItem {
    /// Includes the comments.
    fn start(&self) -> usize {
        self.comments.unwrap_or(self.range.start)
    }

    /// Includes the comma.
    fn end(&self) -> usize {
        self.comma.map_or(self.range.end, |comma| comma + 1)
    }
}

impl PhpItemStyle<'_> {
    fn item(self, item: &PhpNewItem<'_>, indent: &str) -> String {
        let key = match item.key {
            UnitKeyPart::Item(_) => String::new(),
            UnitKeyPart::Name(name) => {
                let is_number = name.parse::<u32>().is_ok_and(|number| number.to_string() == *name);
                let key = if is_number { name.clone() } else { encode(name, self.key, false) };
                key + self.arrow
            }
        };
        let value = match &item.value {
            PhpNewValue::Text(text) => encode(text, self.value, false),
            PhpNewValue::Group(group) => self.group(&group.items, indent),
        };
        key + &value
    }

    fn group(self, items: &[PhpNewItem<'_>], indent: &str) -> String {
        let (open, close) = if self.is_short { ("[", "]") } else { ("array(", ")") };
        let inner = [indent, self.step].concat();
        let items: Vec<String> = items.iter().map(|item| self.item(item, &inner)).collect();
        let Some(newline) = self.line_end else { return [open, &items.join(", "), close].concat() };
        let mut out = open.to_owned();
        for item in items {
            out.extend([newline, &inner, &item, ","]);
        }
        out.extend([newline, indent, close]);
        out
    }
}
