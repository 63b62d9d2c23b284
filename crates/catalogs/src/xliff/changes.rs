//! Turns changes of an XLIFF document into edits.

use std::collections::{HashMap, HashSet};

use super::super::CatalogError;
use super::super::catalog::{Unit, UnitText};
use super::super::edit::Edit;
use super::super::xml::{
    XmlElementSpan, XmlInsertions, XmlKind, XmlTree, escape_attribute, escape_cdata, escape_text, invalid_char_error,
    is_xml_char,
};
use super::content::{encode, local_name, without_segments};
use super::document::{XliffDocument, XliffEntry, XliffVersion};
use crate::catalog::{CatalogChanges, CatalogLanguage, Change, UnitKeyPart};

/// The indentation if the file has none.
const DEFAULT_INDENT: &str = "  ";
const TRANSLATED: &str = "translated";
const NO_PLURALS: &str = "XLIFF has no plurals";

pub(super) fn edits(
    tree: &XmlTree<'_>,
    document: &XliffDocument,
    changes: &CatalogChanges<'_>,
) -> Result<Vec<Edit>, CatalogError> {
    let mut editor = XliffEditor {
        tree,
        document,
        edits: Vec::new(),
        insertions: XmlInsertions::default(),
        removed: HashSet::new(),
        new: Vec::new(),
        last_spans: HashMap::new(),
    };
    if let Some(language) = changes.language {
        editor.set_language(language);
    }
    for change in &changes.units {
        match change {
            Change::Set { unit, text, markup } => editor.set(*unit, text, markup)?,
            Change::Remove { unit } => drop(editor.removed.insert(*unit)),
            Change::Insert { like, text, after, before } => editor.insert(like, text, *after, *before)?,
        }
    }
    editor.finish()
}

struct XliffEditor<'t, 'a> {
    tree: &'t XmlTree<'a>,
    document: &'t XliffDocument,
    edits: Vec<Edit>,
    insertions: XmlInsertions,
    removed: HashSet<usize>,
    new: Vec<NewUnit>,
    /// The last child element in the body of each file.
    last_spans: HashMap<usize, Option<XmlElementSpan>>,
}

struct NewUnit {
    id: String,
    note: Option<String>,
    segments: Vec<NewSegment>,
    anchor: UnitAnchor,
}

struct NewSegment {
    id: Option<String>,
    source: String,
    /// The source with its segment tags (XLIFF 1.2), if any.
    seg_source: Option<String>,
    target: String,
}

enum UnitAnchor {
    /// After the element if `true`, otherwise before it.
    Beside(XmlElementSpan, bool),
    Inside(usize),
}

impl<'t> XliffEditor<'t, '_> {
    fn set(&mut self, number: usize, text: &UnitText, markup: &[String]) -> Result<(), CatalogError> {
        let unit = self.unit(number)?;
        let at = unit.unit.at;
        if unit.unit.target.as_ref() == Some(text) && !unit.unit.needs_review {
            return Ok(());
        }
        let text = text.single(at, NO_PLURALS)?;
        let content = self.content(unit, text, markup, at)?;
        let is_one = self.document.version == XliffVersion::One;
        if is_one && self.tree.attribute(unit.holder, "approved").is_some_and(|approved| approved == "yes") {
            self.set_attribute(unit.holder, "approved", "no", None);
        }
        if let Some(target) = unit.target {
            let range = self.tree.node(target).content.clone();
            self.edits
                .push(self.tree.expand_self_closing(target, &content).unwrap_or_else(|| Edit::replace(range, content)));
            self.set_attribute(if is_one { target } else { unit.holder }, "state", TRANSLATED, None);
            return Ok(());
        }
        let name = self.name_like(unit.source, unit.holder, "target");
        let state = if is_one { " state=\"translated\"" } else { "" };
        let line = ["<", &name, state, ">", &content, "</", &name, ">"].concat();
        let spans = self.tree.spans(unit.holder);
        let is_before = |span: &&XmlElementSpan| matches!(local_name(self.tree, span.element), "source" | "seg-source");
        let beside = spans.iter().rfind(is_before).or(spans.first()).map(|span| (span, true));
        self.insertions.insert(self.tree, beside, unit.holder, [line]);
        if !is_one {
            self.set_attribute(unit.holder, "state", TRANSLATED, None);
        }
        Ok(())
    }

    fn unit(&self, number: usize) -> Result<&'t XliffEntry, CatalogError> {
        let unit = self.document.units.get(number);
        unit.ok_or_else(|| CatalogError::new(0, "a text that is changed is not in the file"))
    }

    /// The content is a CDATA section if the old target is one or, without an old target, if the source is one.
    fn content(&self, unit: &XliffEntry, text: &str, markup: &[String], at: usize) -> Result<String, CatalogError> {
        let only_child = |element: usize| {
            let mut children = self.tree.children(element);
            children.next().filter(|_| children.next().is_none())
        };
        let is_cdata = unit
            .target
            .and_then(only_child)
            .or_else(|| unit.source.and_then(only_child))
            .is_some_and(|child| self.tree.node(child).kind == XmlKind::CData);
        if is_cdata
            && !text.is_empty()
            && let Ok(cdata) = escape_cdata(text, self.tree.line_end())
        {
            return Ok(cdata);
        }
        encode(text, markup, self.tree.line_end()).map_err(|what| CatalogError::new(at, what))
    }

    /// Returns `name` with the namespace prefix that a sibling or parent has.
    fn name_like(&self, sibling: Option<usize>, parent: usize, name: &str) -> String {
        let other = self.tree.name(sibling.unwrap_or(parent));
        let prefix = other.rsplit_once(':').map(|(prefix, _)| [prefix, ":"].concat());
        [prefix.as_deref().unwrap_or_default(), name].concat()
    }

    /// A new attribute goes after the attribute `behind`, or first if there is no such attribute.
    fn set_attribute(&mut self, element: usize, name: &str, value: &str, behind: Option<&str>) {
        let attributes: Vec<_> = self.tree.attributes(element).collect();
        if let Some(attribute) = attributes.iter().find(|attribute| attribute.name == name) {
            if attribute.decoded() != value {
                self.edits.push(Edit::replace(attribute.range.clone(), value));
            }
            return;
        }
        let first = self.tree.start_tag(element).start + 1 + self.tree.name(element).len();
        let behind = attributes.iter().find(|attribute| Some(attribute.name) == behind);
        let at = behind.map_or(first, |attribute| attribute.range.end + 1);
        self.edits.push(Edit::insert(at, [" ", name, "=\"", value, "\""].concat()));
    }

    fn set_language(&mut self, language: &CatalogLanguage) {
        let (name, behind) = match self.document.version {
            XliffVersion::One => ("target-language", "source-language"),
            XliffVersion::Two => ("trgLang", "srcLang"),
        };
        let elements: Vec<usize> = match self.document.version {
            XliffVersion::One => self.document.files.iter().map(|file| file.element).collect(),
            XliffVersion::Two => vec![self.tree.root()],
        };
        for element in elements {
            let is_same =
                |value: &str| value.replace('_', "-").eq_ignore_ascii_case(&language.tag) || value == language.path;
            if !self.tree.attribute(element, name).is_some_and(|value| is_same(&value)) {
                self.set_attribute(element, name, &language.tag, Some(behind));
            }
        }
    }

    fn insert(
        &mut self,
        like: &Unit,
        text: &UnitText,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        let name = |part: &UnitKeyPart| match part {
            UnitKeyPart::Name(name) => name.clone(),
            UnitKeyPart::Item(number) => number.to_string(),
        };
        let mut key = like.key.0.as_slice();
        let mut part = None;
        if let [UnitKeyPart::Name(file), rest @ ..] = key
            && !rest.is_empty()
            && let Some(found) = self.document.files.iter().position(|part| part.name == *file)
        {
            part = Some(found);
            key = rest;
        }
        let (id, segment) = match key {
            [id] => (name(id), None),
            [id, segment @ ..] => (name(id), segment.last()),
            [] => return Err(CatalogError::new(0, "the text has no key")),
        };
        let line_end = self.tree.line_end();
        let encoded = |text: &str| encode(text, &like.markup, line_end).map_err(|what| CatalogError::new(0, what));
        let source = like.text.single(0, NO_PLURALS)?;
        let whole = without_segments(source, &like.markup);
        let new = NewSegment {
            id: segment.and_then(|part| match part {
                UnitKeyPart::Name(name) => Some(name.clone()),
                UnitKeyPart::Item(_) => None,
            }),
            source: encoded(whole.as_deref().unwrap_or(source))?,
            seg_source: whole.is_some().then(|| encoded(source)).transpose()?,
            target: encoded(text.single(0, NO_PLURALS)?)?,
        };
        if segment.is_some() {
            if let Some(unit) = self.new.last_mut().filter(|unit| unit.id == id) {
                unit.segments.push(new);
                return Ok(());
            }
            if self.insert_segment(like, &new, after, before)? {
                return Ok(());
            }
        }
        let anchor = self.anchor(part, after, before);
        self.new.push(NewUnit { id, note: like.note.clone(), segments: vec![new], anchor });
        Ok(())
    }

    /// Inserts a segment next to another segment of its unit. Returns whether there is one.
    fn insert_segment(
        &mut self,
        like: &Unit,
        new: &NewSegment,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<bool, CatalogError> {
        for (number, is_after) in [(after, true), (before, false)] {
            let Some(other) = number.and_then(|number| self.document.units.get(number)) else { continue };
            let Some(span) = other.segment.as_ref().filter(|_| other.unit.key.parent() == like.key.parent()) else {
                continue;
            };
            let name = self.tree.name(span.element).to_owned();
            let lines = self.segment_lines(&name, new)?;
            self.insertions.insert_beside(self.tree, span, is_after, &lines);
            return Ok(true);
        }
        Ok(false)
    }

    fn anchor(&mut self, part: Option<usize>, after: Option<usize>, before: Option<usize>) -> UnitAnchor {
        for (number, is_after) in [(after, true), (before, false)] {
            let other = number.and_then(|number| self.document.units.get(number));
            if let Some(other) = other.filter(|other| part.is_none_or(|part| part == other.part)) {
                return UnitAnchor::Beside(other.span.clone(), is_after);
            }
        }
        let part = part.unwrap_or(self.document.files.len().saturating_sub(1));
        let body = self.document.files.get(part).map_or(self.tree.root(), |file| file.body);
        let last = self.last_spans.entry(body).or_insert_with(|| self.tree.spans(body).pop());
        last.clone().map_or(UnitAnchor::Inside(body), |span| UnitAnchor::Beside(span, true))
    }

    fn segment_lines(&self, name: &str, new: &NewSegment) -> Result<Vec<String>, CatalogError> {
        let step = self.tree.indent_step(DEFAULT_INDENT);
        let prefix = name.rsplit_once(':').map_or("", |(prefix, _)| prefix);
        let prefix = if prefix.is_empty() { String::new() } else { [prefix, ":"].concat() };
        let id = match &new.id {
            Some(id) => [" id=\"", &attribute(id)?, "\""].concat(),
            None => String::new(),
        };
        Ok(vec![
            ["<", name, &id, " state=\"translated\">"].concat(),
            [step, "<", &prefix, "source>", &new.source, "</", &prefix, "source>"].concat(),
            [step, "<", &prefix, "target>", &new.target, "</", &prefix, "target>"].concat(),
            ["</", name, ">"].concat(),
        ])
    }

    /// Returns the lines of a new unit, without the indentation that the insertion adds to each of them.
    fn lines(&self, new: &NewUnit, parent: usize) -> Result<Vec<String>, CatalogError> {
        let step = self.tree.indent_step(DEFAULT_INDENT);
        let named = |name: &str| self.name_like(None, parent, name);
        let note = match &new.note {
            Some(note) => {
                let note: String = note.chars().filter(|c| is_xml_char(*c)).collect();
                escape_text(&note, self.tree.line_end()).map_err(|c| invalid_char_error(c, 0))?
            }
            None => String::new(),
        };
        let id = attribute(&new.id)?;
        let mut lines = Vec::new();
        let note_line = [step, "<", &named("note"), ">", &note, "</", &named("note"), ">"].concat();
        if self.document.version == XliffVersion::One {
            let name = named("trans-unit");
            lines.push(["<", &name, " id=\"", &id, "\">"].concat());
            let line = |name: &str, attributes: &str, content: &str| {
                let name = named(name);
                [step, "<", &name, attributes, ">", content, "</", &name, ">"].concat()
            };
            for segment in &new.segments {
                lines.push(line("source", "", &segment.source));
                lines.extend(segment.seg_source.as_ref().map(|segments| line("seg-source", "", segments)));
                lines.push(line("target", " state=\"translated\"", &segment.target));
            }
            if new.note.is_some() {
                lines.push(note_line);
            }
            lines.push(["</", &name, ">"].concat());
            return Ok(lines);
        }
        let name = named("unit");
        lines.push(["<", &name, " id=\"", &id, "\">"].concat());
        if new.note.is_some() {
            lines.push([step, "<", &named("notes"), ">"].concat());
            lines.push([step, &note_line].concat());
            lines.push([step, "</", &named("notes"), ">"].concat());
        }
        for segment in &new.segments {
            let inner = self.segment_lines(&named("segment"), segment)?;
            lines.extend(inner.iter().map(|line| [step, line].concat()));
        }
        lines.push(["</", &name, ">"].concat());
        Ok(lines)
    }

    /// Removes a unit if none of its segments stays, otherwise only segments.
    fn remove(&mut self) {
        let mut left: HashMap<usize, usize> = HashMap::new();
        for (number, unit) in self.document.units.iter().enumerate() {
            *left.entry(unit.span.element).or_default() += usize::from(!self.removed.contains(&number));
        }
        let mut done = HashSet::new();
        for unit in self.removed.iter().filter_map(|number| self.document.units.get(*number)) {
            match &unit.segment {
                Some(segment) if left.get(&unit.span.element).is_some_and(|left| *left > 0) => {
                    self.edits.push(Edit::remove(segment.outer.clone()));
                }
                _ if done.insert(unit.span.element) => self.edits.push(Edit::remove(unit.span.outer.clone())),
                _ => {}
            }
        }
    }

    fn finish(mut self) -> Result<Vec<Edit>, CatalogError> {
        self.remove();
        for new in std::mem::take(&mut self.new) {
            match &new.anchor {
                UnitAnchor::Beside(span, is_after) => {
                    let lines = self.lines(&new, span.element)?;
                    self.insertions.insert_beside(self.tree, span, *is_after, &lines);
                }
                UnitAnchor::Inside(body) => {
                    let lines = self.lines(&new, *body)?;
                    self.insertions.insert_inside(*body, lines);
                }
            }
        }
        let mut edits = self.edits;
        edits.extend(self.insertions.finish(self.tree, DEFAULT_INDENT));
        Ok(edits)
    }
}

fn attribute(text: &str) -> Result<String, CatalogError> {
    escape_attribute(text).map_err(|c| invalid_char_error(c, 0))
}
