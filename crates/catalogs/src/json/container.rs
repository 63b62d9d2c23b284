//! The edits of one object or list.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use super::gap::JsonGap;
use super::new_value::{JsonWriter, NewJsonMember};
use super::node::JsonNode;
use super::style::{
    JsonStyle, MemberStyle, indent_if_first_on_line, is_blank, line_end_after, line_indent, with_blank_lines,
};
use crate::catalog::UnitKeyPart;
use crate::edit::Edit;

#[derive(Debug, Default)]
pub struct ContainerPlan {
    pub removed: BTreeSet<usize>,
    /// The removed members whose surrounding blank lines are removed too.
    pub removed_with_blank_lines: BTreeSet<usize>,
    /// New members, by the position of the member that follows them.
    pub inserted: BTreeMap<usize, Vec<NewJsonMember>>,
    /// Where each new member is: its key in `inserted`, and its index there.
    pub position_of_new: HashMap<UnitKeyPart, (usize, usize)>,
}

impl ContainerPlan {
    pub fn is_emptying(&self, container: &JsonNode<'_>) -> bool {
        self.inserted.is_empty() && !self.removed.is_empty() && self.removed.len() == container.members().len()
    }
}

pub struct ContainerEdits<'a> {
    text: &'a str,
    container: &'a JsonNode<'a>,
    plan: &'a ContainerPlan,
    style: &'a JsonStyle,
    member_style: MemberStyle,
    removed_at_start: usize,
    last_kept: Option<usize>,
    has_last_comma: bool,
    edits: Vec<Edit>,
}

/// `outer_start` is the start including leading comments, `outer_end` the end including the comma and trailing comments.
struct MemberSpan {
    outer_start: usize,
    end: usize,
    outer_end: usize,
}

struct RemovedRegion {
    span: Range<usize>,
    /// Whether the whitespace before the member stays. If not, a new member in its place must write that whitespace.
    keeps_text_before: bool,
}

struct NewMemberFrame<'f> {
    newline: &'f str,
    indent: Option<&'f str>,
    before: &'f str,
    after: &'f str,
}

impl<'a> ContainerEdits<'a> {
    pub fn of(text: &'a str, container: &'a JsonNode<'a>, plan: &'a ContainerPlan, style: &'a JsonStyle) -> Vec<Edit> {
        let count = container.members().len();
        let mut this = Self {
            text,
            container,
            plan,
            style,
            member_style: style.member_style(text, container),
            removed_at_start: (0..count).take_while(|at| plan.removed.contains(at)).count(),
            last_kept: (0..count).rev().find(|at| !plan.removed.contains(at)),
            has_last_comma: count > 0 && JsonGap::before(text, container, count).comma.is_some(),
            edits: Vec::new(),
        };
        if count == 0 {
            this.fill_empty();
        } else if plan.is_emptying(container) && !this.has_loose_comments() {
            let inside = container.span.start + 1..container.span.end.saturating_sub(1);
            this.edits.push(Edit::replace(inside, style.emptied_content(text, container.span.start)));
        } else {
            this.update_last_comma();
            this.add_insertions();
            this.add_removals();
        }
        this.edits
    }

    fn fill_empty(&mut self) {
        let Some(members) = self.plan.inserted.values().next() else { return };
        let open = self.container.span.start + 1;
        let inside = open..self.container.span.end.saturating_sub(1);
        let outer = line_indent(self.text, self.container.span.start);
        let inner = [outer, self.style.step.as_str()].concat();
        let newline = self.style.newline;
        let is_blank = self.text.get(inside.clone()).is_some_and(|inside| inside.trim().is_empty());
        let line_break = JsonGap::before(self.text, self.container, 0).line_break;
        let start = [newline, inner.as_str()].concat();
        let block = NewMemberFrame { newline, indent: Some(&inner), before: &start, after: "" };
        let inline = NewMemberFrame { newline, indent: None, before: "", after: " " };
        let edit = match line_break {
            _ if is_blank && !self.style.is_one_line => {
                Edit::replace(inside, [self.write_members(members, 0, &block).as_str(), newline, outer].concat())
            }
            _ if is_blank => Edit::replace(inside, self.write_members(members, 0, &inline).trim_end()),
            Some(at) => Edit::insert(at, self.write_members(members, 0, &block)),
            None => Edit::insert(open, self.write_members(members, 0, &inline)),
        };
        self.edits.push(edit);
    }

    /// Adds or removes the comma after the last member that stays.
    fn update_last_comma(&mut self) {
        let Some(last) = self.last_kept else { return };
        let has_new_behind = self.plan.inserted.range(last + 1..).next().is_some();
        let gap = self.gap(last + 1);
        match gap.comma {
            None if has_new_behind => {
                // The comma goes before a trailing comment, unless the comment would then belong to the next member.
                let member_span = self.member_span(last);
                let is_line_end = line_end_after(self.text, member_span.outer_end).is_some();
                self.edits.push(Edit::insert(if is_line_end { member_span.end } else { member_span.outer_end }, ","));
            }
            Some(comma) if !has_new_behind && !self.has_last_comma => {
                self.edits.push(Edit::remove(comma..comma + 1));
            }
            _ => {}
        }
    }

    fn add_insertions(&mut self) {
        for (&position, members) in &self.plan.inserted {
            let anchor = position.saturating_sub(1);
            if !self.plan.removed.contains(&anchor) {
                let edit = if position == 0 {
                    self.insert_first(members)
                } else {
                    self.insert_after(anchor, members, position)
                };
                self.edits.push(edit);
            }
        }
    }

    fn insert_first(&self, members: &[NewJsonMember]) -> Edit {
        let outer_start = self.member_span(0).outer_start;
        let Some(indent) = indent_if_first_on_line(self.text, outer_start) else {
            let frame = NewMemberFrame {
                newline: self.style.newline,
                indent: None,
                before: "",
                after: &self.member_style.after_comma,
            };
            return Edit::insert(outer_start, self.write_members(members, 0, &frame));
        };
        let start = outer_start - indent.len();
        let newline = self.line_end_before(start);
        let frame = NewMemberFrame { newline, indent: Some(indent), before: indent, after: newline };
        Edit::insert(start, self.write_members(members, 0, &frame))
    }

    fn insert_after(&self, anchor: usize, members: &[NewJsonMember], position: usize) -> Edit {
        let outer_end = self.member_span(anchor).outer_end;
        // Insert directly after the member if the next member is removed and shares its line with other text.
        let is_next_inline = || self.whole_lines(&self.member_span(position)).is_none();
        let line_end = line_end_after(self.text, outer_end);
        let own = indent_if_first_on_line(self.text, self.member_span(anchor).outer_start);
        let has_next = anchor + 1 < self.container.members().len();
        let of_next = indent_if_first_on_line(self.text, self.member_span(anchor + 1).outer_start).filter(|_| has_next);
        let deeper = || [line_indent(self.text, self.container.span.start), self.style.step.as_str()].concat();
        let indent = match own.or(of_next) {
            Some(indent) if !has_next || of_next.is_some() || line_end.is_some() => Some(indent.to_owned()),
            _ => line_end.as_ref().map(|_| deeper()),
        };
        let is_at_tail = indent.is_none() || (self.plan.removed.contains(&position) && is_next_inline());
        let at = line_end.as_ref().filter(|_| !is_at_tail).map_or(outer_end, |end| end.start);
        let newline = line_end.and_then(|end| self.text.get(end)).unwrap_or(self.style.newline);
        let before = indent.as_ref().map_or(self.member_style.after_comma.clone(), |indent| [newline, indent].concat());
        let frame = NewMemberFrame { newline, indent: indent.as_deref(), before: &before, after: "" };
        Edit::insert(at, self.write_members(members, position, &frame))
    }

    /// A new member next to a removed one replaces it.
    fn add_removals(&mut self) {
        let mut done = 0;
        for &position in &self.plan.removed {
            let region = self.removed_region(position, done);
            done = region.span.end;
            let mut new = String::new();
            for at in if position == 0 { 0..=1 } else { position + 1..=position + 1 } {
                if let Some(members) = self.plan.inserted.get(&at) {
                    new.push_str(&self.replacement_of(position, &region, members, at));
                }
            }
            self.edits.push(Edit::replace(region.span, new));
        }
    }

    fn replacement_of(
        &self,
        removed: usize,
        region: &RemovedRegion,
        members: &[NewJsonMember],
        position: usize,
    ) -> String {
        let member_span = self.member_span(removed);
        let indent = indent_if_first_on_line(self.text, member_span.outer_start);
        let newline = self.style.newline;
        if let Some((_, line_end)) = self.whole_lines(&member_span) {
            let newline = self.text.get(line_end).unwrap_or(newline);
            let frame = NewMemberFrame { newline, indent, before: indent.unwrap_or_default(), after: newline };
            return self.write_members(members, position, &frame);
        }
        if !region.keeps_text_before {
            let before = indent.map_or(self.member_style.after_comma.clone(), |indent| [newline, indent].concat());
            let frame = NewMemberFrame { newline, indent, before: &before, after: "" };
            return self.write_members(members, position, &frame);
        }
        let after = self.member_style.after_comma.as_str();
        let text = self.write_members(members, position, &NewMemberFrame { newline, indent, before: "", after });
        if self.last_kept.is_none_or(|last| last < position) {
            return text.strip_suffix(after).unwrap_or(&text).to_owned();
        }
        text
    }

    /// Returns the bytes to remove; `done` is the end of the previous removal.
    fn removed_region(&self, position: usize, done: usize) -> RemovedRegion {
        let member_span = self.member_span(position);
        if let Some((start, line_end)) = self.whole_lines(&member_span) {
            let mut lines = start..line_end.end;
            if self.plan.removed_with_blank_lines.contains(&position) {
                lines = with_blank_lines(self.text, lines);
            }
            return RemovedRegion { span: lines.start.max(done)..lines.end.max(done), keeps_text_before: true };
        }
        let has_next = position + 1 < self.container.members().len();
        let begins_line = indent_if_first_on_line(self.text, member_span.outer_start).is_some();
        let previous = position.checked_sub(1).filter(|_| done != member_span.outer_start);
        let keeps_text_before = position < self.removed_at_start || (begins_line && has_next);
        if let Some(previous) = previous.filter(|_| !keeps_text_before) {
            // Keep the line ending after a line comment; otherwise the comment would extend over the following text.
            let outer_end = self.member_span(previous).outer_end;
            let ends_in_comment = self.gap(position).trailing.last().is_some_and(|comment| comment.end == outer_end);
            let start = if ends_in_comment { member_span.outer_start } else { outer_end }.max(done);
            return RemovedRegion { span: start..member_span.outer_end.max(start), keeps_text_before: ends_in_comment };
        }
        let start = member_span.outer_start.max(done);
        let next = self.member_span(position + 1).outer_start;
        let between = self.text.get(member_span.outer_end..next).unwrap_or("/");
        let end = if has_next && between.bytes().all(is_blank) { next } else { member_span.outer_end };
        RemovedRegion { span: start..end.max(start), keeps_text_before: true }
    }

    /// Returns the start and the line ending of a member's lines, if nothing else is on them.
    fn whole_lines(&self, member_span: &MemberSpan) -> Option<(usize, Range<usize>)> {
        let indent = indent_if_first_on_line(self.text, member_span.outer_start)?;
        Some((member_span.outer_start - indent.len(), line_end_after(self.text, member_span.outer_end)?))
    }

    /// Returns new members with their commas, as text to insert before `position`.
    fn write_members(&self, members: &[NewJsonMember], position: usize, frame: &NewMemberFrame<'_>) -> String {
        let writer = JsonWriter {
            style: self.style,
            member_style: &self.member_style,
            newline: frame.newline,
            indent: frame.indent,
        };
        let is_end = self.last_kept.is_none_or(|last| last < position)
            && self.plan.inserted.range(position + 1..).next().is_none();
        let mut out = String::new();
        for (at, member) in members.iter().enumerate() {
            out.push_str(frame.before);
            writer.write_member(&mut out, member, 0);
            if !is_end || at + 1 < members.len() || self.has_last_comma {
                out.push(',');
            }
            out.push_str(frame.after);
        }
        out
    }

    fn member_span(&self, position: usize) -> MemberSpan {
        let Some(member) = self.container.members().get(position) else {
            let end = self.container.span.end.saturating_sub(1);
            return MemberSpan { outer_start: end, end, outer_end: end };
        };
        let behind = self.gap(position + 1);
        let end = member.node.span.end;
        let trailing = behind.trailing.last().map_or(end, |comment| comment.end);
        MemberSpan {
            outer_start: self.gap(position).leading.first().map_or(member.start(), |comment| comment.start),
            end,
            outer_end: end.max(trailing).max(behind.comma.map_or(end, |comma| comma + 1)),
        }
    }

    fn gap(&self, position: usize) -> JsonGap {
        JsonGap::before(self.text, self.container, position)
    }

    fn has_loose_comments(&self) -> bool {
        (0..=self.container.members().len()).any(|position| self.gap(position).has_loose_comments)
    }

    fn line_end_before(&self, start: usize) -> &'a str {
        match self.text.get(..start) {
            Some(before) if before.ends_with("\r\n") => "\r\n",
            Some(before) if before.ends_with('\r') => "\r",
            _ => "\n",
        }
    }
}
