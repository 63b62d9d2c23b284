//! The edits of a PO file.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::header::{PoHeader, new_header};
use super::literal::{check_characters, encode};
use super::parse::{PoEntry, PoFile, PoLine};
use super::{PoEntries, flag_syntax, likely_syntax};
use crate::edit::{join_ranges, line_end_len, line_start, previous_line};
use crate::plural::{GettextPlural, gettext_header};
use crate::{
    CatalogChanges, CatalogError, CatalogLanguage, Change, Edit, PluralForm, PluralText, Syntax, Unit, UnitKeyPart,
    UnitText,
};

pub fn edits(text: &str, file: &PoFile, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
    let entries = PoEntries::of(file);
    let mut writer = PoWriter { text, file, entries, edits: Vec::new(), removed: BTreeSet::new() };
    writer.header(changes)?;
    let mut touched = HashSet::new();
    let mut inserts = Vec::new();
    for change in &changes.units {
        match change {
            Change::Set { unit, text, .. } => {
                touched.insert(*unit);
                writer.set(*unit, text)?;
            }
            Change::Remove { unit } => {
                touched.insert(*unit);
                writer.remove(*unit)?;
            }
            Change::Insert { like, text, after, before } => {
                let after = after.or_else(|| before.unwrap_or(writer.entries.units.len()).checked_sub(1));
                inserts.push((after, *like, *text));
            }
        }
    }
    if changes.is_new_target {
        writer.clear_untouched(&touched, changes.language);
    }
    inserts.sort_by_key(|(after, ..)| *after);
    let surroundings = writer.surroundings();
    for (after, like, text) in inserts {
        writer.insert(after, like, text, &surroundings)?;
    }
    writer.remove_blocks();
    Ok(writer.edits)
}

#[derive(Debug)]
struct PoWriter<'a> {
    text: &'a str,
    file: &'a PoFile,
    entries: PoEntries,
    edits: Vec<Edit>,
    removed: BTreeSet<usize>,
}

impl<'a> PoWriter<'a> {
    /// Sets the language fields, and also the character set if the language is set or the new texts need UTF-8.
    fn header(&mut self, changes: &CatalogChanges<'_>) -> Result<(), CatalogError> {
        let Some(entry) = self.entries.header.and_then(|block| self.file.entry(block)) else {
            if let Some(language) = changes.language {
                self.edits.push(Edit::insert(0, new_header(&language.tag, self.file.layout)));
            }
            return Ok(());
        };
        let header = PoHeader::parse(self.text, entry.first_form())?;
        let is_ascii = changes.units.iter().all(|change| match change {
            Change::Set { text, .. } => text.texts().all(str::is_ascii),
            Change::Insert { like, text, .. } => text.texts().chain(like.text.texts()).all(str::is_ascii),
            Change::Remove { .. } => true,
        });
        if changes.language.is_some() || !is_ascii {
            self.edits.extend(header.charset_edit());
        }
        if let Some(language) = changes.language {
            self.edits.extend(header.language_edits(&language.tag, changes.is_new_target, self.file.layout));
        }
        // gettext ignores a fuzzy header, and the header of a template is fuzzy.
        if changes.is_new_target || (changes.language.is_some() && !changes.units.is_empty()) {
            self.clear_fuzzy(entry);
        }
        Ok(())
    }

    fn entry(&self, unit: usize) -> Result<&'a PoEntry, CatalogError> {
        let block = self.entries.units.get(unit);
        let missing = || CatalogError::new(0, "the file has fewer entries than changes");
        block.and_then(|block| self.file.entry(*block)).ok_or_else(missing)
    }

    fn set(&mut self, unit: usize, text: &UnitText) -> Result<(), CatalogError> {
        let entry = self.entry(unit)?;
        let at = entry.first_form().range.start;
        let forms = form_texts(text, at)?;
        if entry.plural.is_none() && matches!(text, UnitText::Plural(..)) {
            return Err(CatalogError::new(at, "the text has no `msgid_plural`, so it cannot have several forms"));
        }
        for form in &forms {
            check_characters(form, at)?;
        }
        self.set_forms(entry, &forms);
        self.clear_fuzzy(entry);
        Ok(())
    }

    fn set_forms(&mut self, entry: &PoEntry, forms: &[&str]) {
        let layout = self.file.layout;
        let mut end = entry.plural.as_ref().map_or(entry.id.line_end, |plural| plural.line_end);
        for (at, old) in entry.forms.iter().enumerate() {
            match forms.get(at) {
                Some(new) if *new != old.text => {
                    let literal = encode(new, old.range.start - line_start(self.text, old.range.start), layout);
                    self.edits.push(Edit::replace(old.range.clone(), literal));
                }
                Some(_) => {}
                None => self.edits.push(Edit::remove(end..old.line_end)),
            }
            end = old.line_end;
        }
        let indent = entry.forms.last().map_or("", |form| self.indent(form.keyword));
        let mut added = String::new();
        for (at, new) in forms.iter().enumerate().skip(entry.forms.len()) {
            let keyword = format!("{indent}msgstr[{at}] ");
            added.extend([layout.newline, &keyword, &encode(new, keyword.len(), layout)]);
        }
        if !added.is_empty() {
            self.edits.push(Edit::insert(end, added));
        }
    }

    fn indent(&self, at: usize) -> &'a str {
        let before = self.text.get(..at).unwrap_or_default();
        before.get(before.trim_end_matches([' ', '\t']).len()..).unwrap_or_default()
    }

    /// Also removes the previous source text.
    fn clear_fuzzy(&mut self, entry: &PoEntry) {
        for line in &entry.comments.flags {
            let content = self.text.get(line.start..line.end).unwrap_or_default();
            let flags: Vec<&str> = content.split(',').collect();
            let mut kept: Vec<&str> = flags.iter().copied().filter(|flag| flag.trim() != "fuzzy").collect();
            if kept.len() == flags.len() {
                continue;
            }
            // Some parsers require the space after `#,`.
            let spaced = kept.get(1).map(|flag| format!(" {}", flag.trim_start())).unwrap_or_default();
            if let Some(first) = kept.get_mut(1).filter(|first| !first.starts_with(' ')) {
                *first = &spaced;
            }
            let has_flags = kept.iter().any(|flag| !flag.trim_matches(['#', '=', ' ', '\t']).is_empty());
            self.edits.push(if has_flags {
                Edit::replace(line.start..line.end, kept.join(","))
            } else {
                Edit::remove(line.start..line.next)
            });
        }
        let remove = |line: &PoLine| Edit::remove(line.start..line.next);
        self.edits.extend(entry.comments.previous.iter().map(remove));
    }

    fn remove(&mut self, unit: usize) -> Result<(), CatalogError> {
        let missing = || CatalogError::new(0, "the file has fewer entries than changes");
        self.removed.insert(*self.entries.units.get(unit).ok_or_else(missing)?);
        self.removed.extend(self.entries.repeated.get(&unit).into_iter().flatten());
        Ok(())
    }

    /// Removes the parts of the source that a new target must not have: obsolete entries and existing translations.
    fn clear_untouched(&mut self, touched: &HashSet<usize>, language: Option<&CatalogLanguage>) {
        let forms = language.and_then(|language| GettextPlural::parse(gettext_header(&language.tag)?).ok());
        let count = forms.map_or(2, |forms| forms.count());
        for (unit, block) in self.entries.units.clone().into_iter().enumerate() {
            if let Some(entry) = self.file.entry(block).filter(|_| !touched.contains(&unit)) {
                let count = if entry.plural.is_some() { count } else { 1 };
                self.set_forms(entry, &vec![""; count]);
                self.clear_fuzzy(entry);
            }
        }
        let is_obsolete = |range: Range<usize>| {
            self.text.get(range).unwrap_or_default().lines().any(|line| line.trim_start().starts_with("#~"))
        };
        let blocks = self.file.blocks.iter().enumerate().filter(|(_, block)| block.entry.is_none());
        let obsolete = blocks.filter(|(_, block)| is_obsolete(block.start..block.end)).map(|(at, _)| at);
        self.removed.extend(obsolete);
    }

    fn surroundings(&self) -> PoSurroundings<'a> {
        let mut last = None;
        let last_kept_block = (0..self.file.blocks.len()).map(|at| {
            if !self.removed.contains(&at) {
                last = Some(at);
            }
            last
        });
        let mut flags: HashMap<Syntax, Option<&'a str>> = HashMap::new();
        for entry in self.file.blocks.iter().filter_map(|block| block.entry.as_ref()) {
            for flag in entry.comments.flags(self.text) {
                let Some(syntax) = flag_syntax(flag) else { continue };
                let only = flags.entry(syntax).or_insert(Some(flag));
                *only = only.filter(|only| *only == flag);
            }
        }
        PoSurroundings { last_kept_block: last_kept_block.collect(), flags }
    }

    fn insert(
        &mut self,
        after: Option<usize>,
        like: &Unit,
        text: &UnitText,
        surroundings: &PoSurroundings<'_>,
    ) -> Result<(), CatalogError> {
        let newline = self.file.layout.newline;
        let has_placeholders = likely_syntax(&like.text) != Syntax::Plain;
        let flag = like.syntax.filter(|_| has_placeholders).and_then(|syntax| *surroundings.flags.get(&syntax)?);
        let entry = self.new_entry(like, text, flag)?;
        let after = after.and_then(|after| self.entries.units.get(after));
        let sibling = after.and_then(|after| *surroundings.last_kept_block.get(*after)?).or(self.entries.header);
        let edit = match sibling.and_then(|at| self.file.blocks.get(at)) {
            Some(block) => Edit::insert(block.end, [newline, newline, &entry].concat()),
            None if self.text.trim().is_empty() => Edit::insert(self.text.len(), [&entry, newline].concat()),
            None => Edit::insert(0, [&entry, newline, newline].concat()),
        };
        self.edits.push(edit);
        Ok(())
    }

    fn new_entry(&self, like: &Unit, text: &UnitText, flag: Option<&str>) -> Result<String, CatalogError> {
        let layout = self.file.layout;
        let mut out = String::new();
        for line in like.note.iter().flat_map(|note| note.split('\n')) {
            out.extend(["#.", if line.is_empty() { "" } else { " " }, line.trim_end_matches('\r'), layout.newline]);
        }
        if let Some(flag) = flag {
            out.extend(["#, ", flag, layout.newline]);
        }
        let mut names = like.key.0.iter().rev().filter_map(|part| match part {
            UnitKeyPart::Name(name) => Some(name.as_str()),
            UnitKeyPart::Item(_) => None,
        });
        let id = names.next().unwrap_or_default();
        let mut strings = Vec::new();
        strings.extend(names.next().map(|context| ("msgctxt ".to_owned(), context)));
        strings.push(("msgid ".to_owned(), id));
        let forms = form_texts(text, 0)?;
        if let UnitText::Plural(_, source) = &like.text {
            strings.push(("msgid_plural ".to_owned(), source.last().map_or(id, |form| form.text.as_str())));
            strings.extend(forms.iter().enumerate().map(|(at, form)| (format!("msgstr[{at}] "), *form)));
        } else {
            strings.push(("msgstr ".to_owned(), forms.first().copied().unwrap_or_default()));
        }
        for (at, (keyword, text)) in strings.iter().enumerate() {
            check_characters(text, 0)?;
            let newline = if at == 0 { "" } else { layout.newline };
            out.extend([newline, keyword, &encode(text, keyword.len(), layout)]);
        }
        Ok(out)
    }

    /// Removes blocks, each with the blank line before it.
    fn remove_blocks(&mut self) {
        let blocks = self.removed.iter().filter_map(|at| self.file.blocks.get(*at));
        let ranges = join_ranges(blocks.map(|block| self.removal_start(block.start)..block.end));
        let has_first = self.removed.contains(&0) && self.file.blocks.first().is_some_and(|block| block.start == 0);
        for range in ranges {
            let rest = self.text.get(range.end..).unwrap_or_default();
            // The first block has no line before it, so its own line ending and the following blank line are removed.
            let own = if has_first && range.start == 0 { line_end_len(rest) } else { 0 };
            let behind = rest.get(own..).unwrap_or_default();
            let blank = behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let blank = blank + line_end_len(behind.get(blank..).unwrap_or_default());
            self.edits.push(Edit::remove(range.start..range.end + own + if own == 0 { 0 } else { blank }));
        }
    }

    /// Returns where the removal of the block at `start` begins: at the end of the line before it, or before the blank line
    /// that separates it.
    fn removal_start(&self, start: usize) -> usize {
        let Some(previous) = previous_line(self.text, start) else { return 0 };
        let before = self.text.get(..previous).unwrap_or_default();
        let blank = before.trim_end_matches([' ', '\t']).len();
        previous_line(self.text, blank).unwrap_or(previous)
    }
}

#[derive(Debug)]
struct PoSurroundings<'a> {
    /// The last block that is not removed, at or before each block.
    last_kept_block: Vec<Option<usize>>,
    /// For each syntax, the flag of its entries if all have the same one.
    flags: HashMap<Syntax, Option<&'a str>>,
}

fn form_texts(text: &UnitText, at: usize) -> Result<Vec<&str>, CatalogError> {
    let UnitText::Plural(_, forms) = text else { return Ok(text.texts().collect()) };
    let mut forms: Vec<&PluralText> = forms.iter().collect();
    if forms.iter().any(|form| matches!(form.form, PluralForm::Exact(_))) {
        return Err(CatalogError::new(at, "PO has no forms for exact numbers"));
    }
    forms.sort_by_key(|form| form.form);
    let is_counted = |(at, form): (usize, &&PluralText)| match form.form {
        PluralForm::Index(index) => index == at,
        _ => true,
    };
    if forms.is_empty() || !forms.iter().enumerate().all(is_counted) {
        return Err(CatalogError::new(at, "the forms of a plural must be numbered from 0 without gaps"));
    }
    Ok(forms.iter().map(|form| form.text.as_str()).collect())
}
