//! Inserts each key into the table that it belongs to, and new tables next to related tables.

use std::collections::BTreeMap;

use toml_edit::{Array, Decor, DocumentMut, InlineTable, Item, Key, Table, TableLike, Value};

use super::{comments_start, parse, quoted};
use crate::edit::{newline_of, smallest_edit};
use crate::{CatalogError, Edit, UnitKey, UnitKeyPart, apply_edits};

/// `after` and `before` are the paths of the neighbouring leaves.
pub(super) struct NewText<'c> {
    pub key: &'c UnitKey,
    pub text: &'c str,
    pub after: Option<&'c [UnitKeyPart]>,
    pub before: Option<&'c [UnitKeyPart]>,
}

/// Unchanged lines keep their line endings.
pub(super) fn insert(text: &str, new: &[NewText<'_>]) -> Result<String, CatalogError> {
    let plain = text.replace("\r\n", "\n");
    let mut document = parse(plain.as_str())?.into_mut();
    // Existing tables get even positions, so that new ones fit between them at odd positions.
    let tables = table_positions(document.as_item(), &[]);
    for (position, path) in &tables {
        if let Some(table) = item_at_mut(document.as_item_mut(), path).and_then(Item::as_table_mut) {
            table.set_position(Some(position * 2));
        }
    }
    let mut gaps = TableGaps::default();
    for (position, path) in &tables {
        let table = item_at(document.as_item(), path).and_then(Item::as_table);
        let has_gap = table.is_some_and(|table| prefix_of(table.decor()).starts_with('\n'));
        gaps.tables.insert(position * 2, has_gap);
    }
    let first = gaps.tables.first_key_value().map(|(position, _)| *position);
    gaps.first = first.filter(|_| document.get_values().is_empty());
    for new in new {
        insert_text(&mut document, &gaps, new)?;
    }
    let mut written = document.to_string();
    if !plain.is_empty() && !plain.ends_with('\n') && written.ends_with('\n') {
        written.pop();
    }
    let Some(Edit { range, text: changed }) = smallest_edit(&plain, &written) else { return Ok(text.to_owned()) };
    let original_position = |at: usize| {
        let breaks = text.match_indices("\r\n").enumerate();
        at + breaks.take_while(|(number, (found, _))| found - number < at).count()
    };
    let edit = Edit::replace(
        original_position(range.start)..original_position(range.end),
        changed.replace('\n', newline_of(text)),
    );
    apply_edits(text, vec![edit]).ok_or_else(|| CatalogError::new(0, "the changes of the file overlap"))
}

/// Whether there is a blank line above each table, by position.
#[derive(Default)]
struct TableGaps {
    tables: BTreeMap<isize, bool>,
    first: Option<isize>,
}

/// Also inserts the missing levels above the text.
fn insert_text(document: &mut DocumentMut, gaps: &TableGaps, new: &NewText<'_>) -> Result<(), CatalogError> {
    let parts = new.key.0.as_slice();
    let fail = |what: &str| Err(CatalogError::new(0, ["the key ", &new.key.to_string(), what].concat()));
    if parts.is_empty() || parts.len() > 128 {
        return fail(" must have between 1 and 128 levels");
    }
    let root = document.as_item();
    let exists = |depth: &usize| parts.get(..*depth).is_some_and(|path| item_at(root, path).is_some());
    let mut depth = (1..=parts.len()).take_while(exists).count();
    if depth == parts.len() && matches!(parts.last(), Some(UnitKeyPart::Item(_))) {
        // The list already has an item at this position. Insert the new one before it.
        depth -= 1;
    }
    let Some((path, [part, rest @ ..])) = parts.split_at_checked(depth) else {
        return fail(" conflicts with an existing value");
    };
    let Some(container) = item_at(root, path) else { return Ok(()) };
    let beside = [new.after, new.before].map(|near| near?.strip_prefix(path)?.first());
    let is_table_below = matches!(rest.first(), Some(UnitKeyPart::Name(_)));
    let (is_list, needs_header) = match container {
        Item::ArrayOfTables(_) => (true, true),
        Item::Table(table) => (false, !table.is_dotted() && (is_table_below || table.is_implicit())),
        Item::Value(Value::Array(_)) => (true, false),
        Item::Value(Value::InlineTable(_)) => (false, false),
        _ => return fail(" conflicts with an existing value"),
    };
    match part {
        UnitKeyPart::Name(_) if is_list => return fail(" is a name, but the file has a list there"),
        UnitKeyPart::Item(_) if !is_list => return fail(" is a list item, but the file has a table there"),
        UnitKeyPart::Item(_) if needs_header && !is_table_below => {
            return fail(" is a text, but the file has a table there");
        }
        _ => {}
    }
    let table_position = needs_header.then(|| TablePosition::new(root, path, new));
    let sibling = table_position.as_ref().and_then(|table| table.sibling).filter(|_| is_table_below);
    let style = sibling.and_then(|table| LineStyle::of_table(table)).unwrap_or_else(|| {
        let style = LineStyle::of_neighbour(container, beside);
        if needs_header { LineStyle { indent: String::new(), ..style } } else { style }
    });
    let position = table_position.as_ref().map_or(0, |table| table.position);
    let gap = if gaps.tables.range(position..).next().is_none_or(|(_, has_gap)| *has_gap) { "\n" } else { "" };
    let mut prefix = [gap, sibling.map_or("", |table| last_line(prefix_of(table.decor())))].concat();
    let header = table_position.map(|table| (table.position, table.next));
    let is_first_line = path.is_empty() && !is_table_below && document.get_values().is_empty();
    if document.iter().next().is_none() {
        document.trailing().as_str().unwrap_or_default().clone_into(&mut prefix);
        document.set_trailing("");
    } else if let Some(next) = match &header {
        Some((_, next)) => next.clone(),
        None if is_first_line => table_positions(document.as_item(), &[]).into_iter().min().map(|(_, path)| path),
        None => None,
    } && let Some(next) = item_at_mut(document.as_item_mut(), &next).and_then(Item::as_table_mut)
    {
        let kept = split_prefix(next.decor_mut());
        if header.is_some() && (!kept.is_empty() || next.position() == gaps.first) {
            let below = ["\n", prefix_of(next.decor())].concat();
            next.decor_mut().set_prefix(below);
        }
        prefix = [&kept, last_line(&prefix)].concat();
    }
    let mut value: Value = quoted(new.text, if style.is_literal { "'" } else { "" })
        .parse()
        .map_err(|_| CatalogError::new(0, "a text cannot be written as TOML"))?;
    value.decor_mut().clear();
    let header = header.map(|(position, _)| (position, prefix.as_str()));
    match (item_at_mut(document.as_item_mut(), path), part) {
        (Some(Item::ArrayOfTables(tables)), _) => tables.push(new_table(rest, value, &style, header)),
        (Some(Item::Table(table)), UnitKeyPart::Name(name)) if is_table_below => {
            table.insert(name, Item::Table(new_table(rest, value, &style, header)));
        }
        (Some(Item::Table(table)), UnitKeyPart::Name(name)) => {
            let leading_lines = if is_first_line { prefix.as_str() } else { "" };
            if let Some((position, prefix)) = header {
                table.set_implicit(false);
                table.set_position(Some(position));
                table.decor_mut().set_prefix(prefix);
            }
            add_line(table, name, wrap_inline(rest, value), &style, leading_lines, beside);
        }
        (Some(Item::Value(Value::InlineTable(table))), UnitKeyPart::Name(name)) => {
            add_entry(table, name, wrap_inline(rest, value), beside);
        }
        (Some(Item::Value(Value::Array(array))), UnitKeyPart::Item(number)) => {
            add_item(array, *number, wrap_inline(rest, value));
        }
        _ => {}
    }
    Ok(())
}

struct TablePosition<'d> {
    position: isize,
    /// The neighbouring table on the same level.
    sibling: Option<&'d Table>,
    /// The following table, if the position depends on it.
    next: Option<Vec<UnitKeyPart>>,
}

impl<'d> TablePosition<'d> {
    fn new(root: &'d Item, parent: &[UnitKeyPart], new: &NewText<'_>) -> Self {
        let group = |near: Option<&[UnitKeyPart]>| {
            let path = near?.get(..=parent.len()).filter(|path| path.starts_with(parent))?;
            let item = item_at(root, path)?;
            let sibling = match item {
                Item::ArrayOfTables(tables) => tables.iter().last(),
                item => item.as_table().filter(|table| table.position().is_some()),
            };
            Some((sibling, table_positions(item, path))).filter(|(_, tables)| !tables.is_empty())
        };
        let last = |tables: Vec<(isize, _)>| tables.iter().map(|(position, _)| position | 1).max();
        if let Some((sibling, tables)) = group(new.after) {
            return Self { position: last(tables).unwrap_or_default(), sibling, next: None };
        }
        if let Some((sibling, tables)) = group(new.before)
            && let Some((position, next)) = tables.into_iter().min()
        {
            return Self { position: (position - 1) | 1, sibling, next: Some(next) };
        }
        let below = item_at(root, parent).map(|item| table_positions(item, parent)).unwrap_or_default();
        let position = last(below).or_else(|| last(table_positions(root, &[]))).unwrap_or(1);
        Self { position, sibling: None, next: None }
    }
}

/// Returns the positions and paths of the tables with headers in `item`, including `item` itself.
fn table_positions(item: &Item, path: &[UnitKeyPart]) -> Vec<(isize, Vec<UnitKeyPart>)> {
    let below = |part: UnitKeyPart| [path, &[part]].concat();
    match item {
        Item::Table(table) => {
            let own = table.position().map(|position| (position, path.to_vec()));
            let inner = table.iter().filter(|(_, item)| !item.is_value());
            let inner =
                inner.flat_map(|(name, item)| table_positions(item, &below(UnitKeyPart::Name(name.to_owned()))));
            own.into_iter().chain(inner).collect()
        }
        Item::ArrayOfTables(array) => (0..array.len())
            .filter_map(|number| Some(table_positions(item.get(number)?, &below(UnitKeyPart::Item(number)))))
            .flatten()
            .collect(),
        _ => Vec::new(),
    }
}

fn item_at<'d>(item: &'d Item, path: &[UnitKeyPart]) -> Option<&'d Item> {
    path.iter().try_fold(item, |item, part| match part {
        UnitKeyPart::Name(name) => item.get(name),
        UnitKeyPart::Item(number) => item.get(*number),
    })
}

fn item_at_mut<'d>(item: &'d mut Item, path: &[UnitKeyPart]) -> Option<&'d mut Item> {
    path.iter().try_fold(item, |item, part| match part {
        UnitKeyPart::Name(name) => item.get_mut(name),
        UnitKeyPart::Item(number) => item.get_mut(*number),
    })
}

#[derive(Default)]
struct LineStyle {
    indent: String,
    is_tight: bool,
    is_literal: bool,
}

impl LineStyle {
    fn of_neighbour(container: &Item, beside: [Option<&UnitKeyPart>; 2]) -> Self {
        let table = match container {
            Item::ArrayOfTables(tables) => tables.iter().last().map(|table| table as &dyn TableLike),
            container => container.as_table_like(),
        };
        let line = |part: Option<&UnitKeyPart>| {
            let UnitKeyPart::Name(name) = part? else { return None };
            Some(Self::of(table?.key(name), table?.get(name)?.as_value()?))
        };
        let item = || Some(Self::of(None, container.as_array()?.get(0)?));
        let [after, before] = beside;
        line(after).or_else(|| line(before)).or_else(|| Self::of_table(table?)).or_else(item).unwrap_or_default()
    }

    fn of_table(table: &dyn TableLike) -> Option<Self> {
        table.get_values().first().map(|(keys, value)| Self::of(keys.last().copied(), value))
    }

    fn of(key: Option<&Key>, value: &Value) -> Self {
        let decor = key.map(Key::leaf_decor);
        let suffix = decor.and_then(|decor| decor.suffix()?.as_str());
        Self {
            indent: decor.map(|decor| last_line(prefix_of(decor)).to_owned()).unwrap_or_default(),
            is_tight: suffix == Some("") && value.decor().prefix().and_then(|prefix| prefix.as_str()) == Some(""),
            is_literal: matches!(value, Value::String(text) if text.display_repr().starts_with('\'')),
        }
    }
}

fn prefix_of(decor: &Decor) -> &str {
    decor.prefix().and_then(|prefix| prefix.as_str()).unwrap_or_default()
}

fn last_line(prefix: &str) -> &str {
    prefix.rsplit('\n').next().unwrap_or_default()
}

/// Keeps only the indentation and the comments directly above, and returns the removed part.
fn split_prefix(decor: &mut Decor) -> String {
    let prefix = prefix_of(decor);
    let (kept, rest) = prefix.split_at_checked(comments_start(prefix, 0, prefix.len())).unwrap_or_default();
    let (kept, rest) = (kept.to_owned(), rest.to_owned());
    decor.set_prefix(rest);
    kept
}

/// Wraps a value in inline levels.
fn wrap_inline(parts: &[UnitKeyPart], value: Value) -> Value {
    match parts {
        [] => value,
        [UnitKeyPart::Name(name), rest @ ..] => {
            InlineTable::from_iter([(name.as_str(), wrap_inline(rest, value))]).into()
        }
        [UnitKeyPart::Item(_), rest @ ..] => {
            let mut array = Array::new();
            array.push_formatted(wrap_inline(rest, value));
            array.into()
        }
    }
}

/// Without `header`, the table is written as dotted keys.
fn new_table(parts: &[UnitKeyPart], value: Value, style: &LineStyle, header: Option<(isize, &str)>) -> Table {
    let mut table = Table::new();
    table.set_position(header.map(|(position, _)| position));
    table.set_dotted(header.is_none());
    if let Some((_, prefix)) = header {
        table.decor_mut().set_prefix(prefix);
    }
    match parts {
        [UnitKeyPart::Name(name), rest @ ..] if matches!(rest.first(), Some(UnitKeyPart::Name(_))) => {
            table.set_implicit(true);
            table.insert(name, Item::Table(new_table(rest, value, style, header)));
        }
        [UnitKeyPart::Name(name), rest @ ..] => {
            add_line(&mut table, name, wrap_inline(rest, value), style, "", [None; 2]);
        }
        _ => {}
    }
    table
}

fn add_line(
    table: &mut Table,
    name: &str,
    mut value: Value,
    style: &LineStyle,
    leading_lines: &str,
    beside: [Option<&UnitKeyPart>; 2],
) {
    let is_line = |item: &Item| item.is_value() || item.as_table().is_some_and(Table::is_dotted);
    let position = key_position(table, beside, is_line);
    let mut prefix = [leading_lines, &style.indent].concat();
    if let Some((_, Some(next))) = &position
        && let Some(mut next) = table.key_mut(next)
    {
        prefix = [split_prefix(next.leaf_decor_mut()).as_str(), &style.indent].concat();
    }
    let mut key = Key::new(name);
    key.leaf_decor_mut().set_prefix(prefix);
    if style.is_tight {
        key.leaf_decor_mut().set_suffix("");
        value.decor_mut().set_prefix("");
    }
    insert_key_at(table, &key, Item::Value(value), position.map(|(at, _)| at));
}

/// Returns the position for a new key, and the key that follows it if the position depends on that key.
fn key_position(
    table: &dyn TableLike,
    beside: [Option<&UnitKeyPart>; 2],
    counts: impl Fn(&Item) -> bool,
) -> Option<(usize, Option<String>)> {
    let [after, before] = beside.map(|part| {
        let UnitKeyPart::Name(name) = part? else { return None };
        Some((table.iter().position(|(key, item)| key == name && counts(item))?, name))
    });
    let after = after.map(|(at, _)| (at + 1, None));
    after.or_else(|| before.map(|(at, name)| (at, Some(name.clone()))))
}

fn insert_key_at(table: &mut dyn TableLike, key: &Key, item: Item, at: Option<usize>) {
    let names: Vec<String> =
        at.map(|at| table.iter().skip(at).map(|(name, _)| name.to_owned()).collect()).unwrap_or_default();
    let take = |name: &String| Some((table.key(name)?.clone(), table.remove(name)?));
    let mut behind: Vec<(Key, Item)> = names.iter().rev().filter_map(take).collect();
    behind.push((key.clone(), item));
    for (key, item) in behind.into_iter().rev() {
        table.entry_format(&key).or_insert(item);
    }
}

fn add_entry(table: &mut InlineTable, name: &str, mut value: Value, beside: [Option<&UnitKeyPart>; 2]) {
    let position = key_position(table, beside, |_| true).map(|(at, _)| at).filter(|at| *at < table.len());
    let mut key = Key::new(name);
    if let Some((keys, _)) = table.get_values().first()
        && let Some(above) = keys.last().map(|key| prefix_of(key.leaf_decor()))
        && let Some(line) = above.rfind('\n').and_then(|at| above.get(at..))
    {
        key.leaf_decor_mut().set_prefix(line);
    }
    if position.is_none()
        && let Some((_, last)) = table.iter_mut().last()
    {
        take_suffix(last, &mut value);
    }
    insert_key_at(table, &key, Item::Value(value), position);
}

fn add_item(array: &mut Array, number: usize, mut value: Value) {
    let number = number.min(array.len());
    let is_last = number == array.len();
    if let Some(beside) = array.get_mut(number.saturating_sub(1)) {
        let above = prefix_of(beside.decor());
        let line = above.rfind('\n').and_then(|at| above.get(at..));
        let prefix = line.unwrap_or(if number == 0 { above } else { " " }).to_owned();
        if number == 0 && line.is_none() {
            beside.decor_mut().set_prefix(" ");
        }
        if is_last {
            take_suffix(beside, &mut value);
        }
        value.decor_mut().set_prefix(prefix);
    }
    array.insert_formatted(number, value);
}

/// Moves the whitespace and comments after the last value in brackets to a new last value.
fn take_suffix(last: &mut Value, new: &mut Value) {
    if let Some(suffix) = last.decor().suffix().cloned() {
        new.decor_mut().set_suffix(suffix);
        last.decor_mut().set_suffix("");
    }
}
