//! Collects the changes of a JSON text by container, and turns them into edits together.

use std::collections::BTreeMap;

use super::container::{ContainerEdits, ContainerPlan};
use super::new_value::{JsonWriter, NewJson, NewJsonMember, sort_members};
use super::node::{JsonIndex, JsonNode, JsonShape};
use super::style::JsonStyle;
use crate::CatalogError;
use crate::catalog::{UnitKey, UnitKeyPart};
use crate::edit::Edit;

/// Positions of members from the root down to a value.
pub type JsonPath = Vec<usize>;

/// All removals must be added before values are set or inserted.
#[derive(Debug)]
pub struct JsonPatch<'n> {
    text: &'n str,
    root: &'n JsonNode<'n>,
    style: JsonStyle,
    /// Containers up to this depth stay even if they become empty; the root has depth 0.
    kept_depth: usize,
    index: JsonIndex<'n>,
    plans: BTreeMap<JsonPath, ContainerPlan>,
    replaced: BTreeMap<JsonPath, NewJson>,
    is_sorted: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum JsonInsertPosition<'p> {
    /// After the value `after` if it is in the container, else before the value `before`, else at the end.
    Near {
        after: Option<&'p [usize]>,
        before: Option<&'p [usize]>,
    },
    Sorted,
}

impl<'n> JsonPatch<'n> {
    pub fn new(text: &'n str, root: &'n JsonNode<'n>, kept_depth: usize) -> Self {
        Self {
            text,
            root,
            style: JsonStyle::of(text, root),
            kept_depth,
            index: JsonIndex::default(),
            plans: BTreeMap::new(),
            replaced: BTreeMap::new(),
            is_sorted: false,
        }
    }

    pub fn find(&mut self, parts: &[UnitKeyPart]) -> Option<JsonPath> {
        let mut node = self.root;
        let mut path = JsonPath::with_capacity(parts.len());
        for part in parts {
            let position = self.position(node, part)?;
            path.push(position);
            node = &node.members().get(position)?.node;
        }
        Some(path)
    }

    pub fn set_text(&mut self, path: &[usize], text: &str) {
        let is_same = self.root.descendant(path).is_some_and(|node| node.text() == Some(text));
        if !is_same {
            self.replaced.insert(path.to_vec(), NewJson::Text(text.to_owned()));
        }
    }

    /// Also removes earlier members with the same name, which would otherwise become effective.
    pub fn remove(&mut self, path: &[usize]) {
        let Some((&position, parent)) = path.split_last() else { return };
        let Some(container) = self.root.descendant(parent) else { return };
        let Some(member) = container.members().get(position) else { return };
        let plan = self.plans.entry(parent.to_vec()).or_default();
        plan.removed.insert(position);
        if matches!(container.shape, JsonShape::Object(_)) {
            plan.removed.extend(self.index.overridden(container, &member.name));
        }
    }

    /// Like [`Self::remove`], but also removes the blank lines around the member.
    pub fn remove_with_blank_lines(&mut self, path: &[usize]) {
        self.remove(path);
        if let Some((&position, parent)) = path.split_last() {
            self.plans.entry(parent.to_vec()).or_default().removed_with_blank_lines.insert(position);
        }
    }

    /// Inserts a value and the missing levels above it. Replaces an existing string, number, boolean or null.
    ///
    /// Fails if there are keys below `key`. Also fails if one of the levels above is a non-empty string, a non-empty list
    /// instead of an object, or a non-empty object instead of a list.
    pub fn put(&mut self, key: &UnitKey, value: NewJson, position: JsonInsertPosition<'_>) -> Result<(), CatalogError> {
        self.is_sorted |= matches!(position, JsonInsertPosition::Sorted);
        let mut node = self.root;
        let mut path = JsonPath::new();
        let mut rest = key.0.as_slice();
        while let Some((part, below)) = rest.split_first() {
            if !can_hold(node, part) {
                return self.replace(key, path, rest, value);
            }
            let found = self.position(node, part).filter(|at| !self.is_removed(&path, *at));
            let found = found.filter(|_| !below.is_empty() || matches!(part, UnitKeyPart::Name(_)));
            let next = found.and_then(|at| Some((at, &node.members().get(at)?.node)));
            let Some((at, next)) = next else {
                self.insert(node, path, rest, value, position);
                return Ok(());
            };
            path.push(at);
            node = next;
            rest = below;
        }
        self.replace(key, path, rest, value)
    }

    pub fn finish(mut self) -> Vec<Edit> {
        self.remove_emptied();
        if self.is_sorted {
            self.plans.values_mut().flat_map(|plan| plan.inserted.values_mut()).for_each(|new| sort_members(new));
            self.replaced.values_mut().for_each(NewJson::sort);
        }
        let mut edits = Vec::new();
        for (path, plan) in &self.plans {
            if let Some(container) = self.root.descendant(path).filter(|_| !self.is_inside_removed(path)) {
                edits.extend(ContainerEdits::of(self.text, container, plan, &self.style));
            }
        }
        for (path, value) in &self.replaced {
            if !self.is_inside_removed(path) {
                edits.extend(self.replacement(path, value));
            }
        }
        edits
    }

    fn position(&mut self, node: &'n JsonNode<'n>, part: &UnitKeyPart) -> Option<usize> {
        match part {
            UnitKeyPart::Name(name) => self.index.position(node, name),
            UnitKeyPart::Item(number) if can_hold(node, part) => Some(*number).filter(|at| *at < node.members().len()),
            UnitKeyPart::Item(_) => None,
        }
    }

    fn is_removed(&self, container: &[usize], position: usize) -> bool {
        self.plans.get(container).is_some_and(|plan| plan.removed.contains(&position))
    }

    fn is_inside_removed(&self, path: &[usize]) -> bool {
        (0..path.len()).any(|depth| {
            let (above, below) = path.split_at_checked(depth).unwrap_or((path, &[]));
            below.first().is_some_and(|position| self.is_removed(above, *position))
        })
    }

    fn replace(
        &mut self,
        key: &UnitKey,
        path: JsonPath,
        rest: &[UnitKeyPart],
        value: NewJson,
    ) -> Result<(), CatalogError> {
        let node = self.root.descendant(&path).unwrap_or(self.root);
        let is_full = if rest.is_empty() {
            !node.members().is_empty()
        } else {
            !node.members().is_empty() || node.text().is_some_and(|text| !text.is_empty())
        };
        if is_full || path.is_empty() {
            let what = if rest.is_empty() { "there are keys below it" } else { "another value is in its place" };
            return Err(CatalogError::new(node.span.start, format!("the key {key} cannot be inserted: {what}"))
                .hint("remove the existing value first"));
        }
        if matches!(&value, NewJson::Text(text) if rest.is_empty() && node.text() == Some(text)) {
            return Ok(());
        }
        let new = self.replaced.entry(path).or_insert_with(|| NewJson::Raw(String::new()));
        new.put(rest, value);
        Ok(())
    }

    fn insert(
        &mut self,
        container: &'n JsonNode<'n>,
        path: JsonPath,
        rest: &[UnitKeyPart],
        value: NewJson,
        position: JsonInsertPosition<'_>,
    ) {
        let Some((part, below)) = rest.split_first() else { return };
        let gap = insert_position(container, &path, part, position);
        let plan = self.plans.entry(path).or_default();
        let known = if below.is_empty() && matches!(part, UnitKeyPart::Item(_)) {
            None
        } else {
            plan.position_of_new.get(part)
        };
        let (gap, at) = known.copied().unwrap_or_else(|| (gap, plan.inserted.get(&gap).map_or(0, Vec::len)));
        let members = plan.inserted.entry(gap).or_default();
        if at == members.len() {
            plan.position_of_new.insert(part.clone(), (gap, at));
            members.push(NewJsonMember { part: part.clone(), value: NewJson::Raw(String::new()) });
        }
        if let Some(member) = members.get_mut(at) {
            member.value.put(below, value);
        }
    }

    /// Starts with the deepest containers. Those up to `kept_depth` stay.
    fn remove_emptied(&mut self) {
        let deepest = self.plans.keys().map(Vec::len).max().unwrap_or(0);
        for depth in (self.kept_depth + 1..=deepest).rev() {
            let is_emptied = |(path, plan): &(&JsonPath, &ContainerPlan)| {
                path.len() == depth && self.root.descendant(path).is_some_and(|container| plan.is_emptying(container))
            };
            let emptied: Vec<JsonPath> = self.plans.iter().filter(is_emptied).map(|(path, _)| path.clone()).collect();
            for path in emptied {
                self.remove(&path);
            }
        }
    }

    fn replacement(&self, path: &[usize], value: &NewJson) -> Option<Edit> {
        let (_, parent) = path.split_last()?;
        let container = self.root.descendant(parent)?;
        let node = self.root.descendant(path)?;
        let mut out = String::new();
        if let (NewJson::Text(text), Some(quote @ (b'"' | b'\''))) = (value, self.text.as_bytes().get(node.span.start))
        {
            self.style.escapes.write_quoted(&mut out, char::from(*quote), text);
            return Some(Edit::replace(node.span.clone(), out));
        }
        let member_style = self.style.member_style(self.text, container);
        let indent = super::style::line_indent(self.text, node.span.start);
        let writer = JsonWriter {
            style: &self.style,
            member_style: &member_style,
            newline: self.style.newline,
            indent: (!self.style.is_one_line).then_some(indent),
        };
        writer.write_value(&mut out, value, 0);
        Some(Edit::replace(node.span.clone(), out))
    }
}

fn can_hold(node: &JsonNode<'_>, part: &UnitKeyPart) -> bool {
    match part {
        UnitKeyPart::Name(_) => matches!(node.shape, JsonShape::Object(_)),
        UnitKeyPart::Item(_) => matches!(node.shape, JsonShape::Array(_)),
    }
}

/// Returns the position in `container` before which a new member is inserted.
fn insert_position(
    container: &JsonNode<'_>,
    path: &[usize],
    part: &UnitKeyPart,
    position: JsonInsertPosition<'_>,
) -> usize {
    let members = container.members();
    let inside = |other: Option<&[usize]>| other?.strip_prefix(path)?.first().copied();
    match (position, part) {
        (JsonInsertPosition::Sorted, UnitKeyPart::Name(name)) => {
            members.partition_point(|member| member.name.as_ref() < name.as_str())
        }
        (JsonInsertPosition::Near { after, before }, _) if inside(after).or(inside(before)).is_some() => {
            inside(after).map_or_else(|| inside(before).unwrap_or(0), |position| position + 1)
        }
        (_, UnitKeyPart::Item(number)) => members.len().min(*number),
        (_, UnitKeyPart::Name(_)) => members.len(),
    }
}
