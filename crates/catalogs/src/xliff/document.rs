//! Reads the units of an XLIFF document, with their positions.

use std::collections::{HashMap, HashSet};

use super::super::CatalogError;
use super::super::catalog::{DuplicateKey, SkipReason, Unit, UnitText};
use super::super::placeholders::{Syntax, braces};
use super::super::xml::{XmlElementSpan, XmlTree};
use super::content::{XliffContent, has_empty_segments, has_segments, local_name};
use crate::catalog::{UnitKey, UnitKeyPart};

/// The comment that Xcode writes if the developer gave none.
const NO_COMMENT: &str = "No comment provided by engineer.";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum XliffVersion {
    /// XLIFF 1.0 to 1.2: `<trans-unit>`, with the state on `<target>`.
    One,
    /// XLIFF 2.0 and later: `<unit>` with `<segment>`s, which have the state.
    Two,
}

#[derive(Debug)]
pub(crate) struct XliffDocument {
    pub(crate) version: XliffVersion,
    pub(crate) files: Vec<XliffPart>,
    pub(crate) units: Vec<XliffEntry>,
    pub(crate) duplicates: Vec<DuplicateKey>,
}

/// A `<file>`.
#[derive(Debug)]
pub(crate) struct XliffPart {
    pub(crate) element: usize,
    /// The attribute `original` in XLIFF 1 and `id` in XLIFF 2, or else the other of the two.
    pub(crate) name: String,
    /// The element that contains the units.
    pub(crate) body: usize,
    is_apple: bool,
}

#[derive(Debug)]
pub(crate) struct XliffEntry {
    pub(crate) unit: Unit,
    /// The index of the `<file>`.
    pub(crate) part: usize,
    /// The `<trans-unit>` or `<segment>`.
    pub(crate) holder: usize,
    pub(crate) source: Option<usize>,
    pub(crate) target: Option<usize>,
    /// Where the `<trans-unit>` or `<unit>` is.
    pub(crate) span: XmlElementSpan,
    /// Where the segment is, if the unit has several.
    pub(crate) segment: Option<XmlElementSpan>,
}

/// Properties that elements inherit from their ancestors.
#[derive(Clone, Copy)]
struct XliffScope {
    is_translated: bool,
    /// Whether sizes are in characters (XLIFF 2).
    is_in_chars: bool,
}

struct FoundUnit {
    attributes: UnitAttributes,
    scope: XliffScope,
    note: Option<String>,
    span: XmlElementSpan,
}

/// The parts of a key, used before it is known whether the id of the unit is unique.
struct UnitName {
    part: usize,
    id: String,
    segment: Option<UnitKeyPart>,
    at: usize,
}

/// From a `<trans-unit>`, a `<unit>` or a group.
#[derive(Default)]
struct UnitAttributes {
    id: Option<String>,
    translate: Option<bool>,
    max_width: Option<usize>,
    is_in_chars: bool,
    /// Only in XLIFF 2.
    max_size: Option<usize>,
}

impl UnitAttributes {
    fn read(tree: &XmlTree<'_>, element: usize) -> Self {
        let mut found = Self::default();
        let mut name = None;
        for attribute in tree.attributes(element) {
            match attribute.name {
                "id" => found.id = Some(attribute.decoded()),
                "resname" | "name" => name = Some(attribute.decoded()),
                "translate" => found.translate = Some(attribute.value != "no"),
                "maxwidth" => found.max_width = attribute.value.trim().parse().ok(),
                "size-unit" => found.is_in_chars = attribute.value == "char",
                // The value is a maximum, or a minimum and a maximum.
                name if name.ends_with(":sizeRestriction") => {
                    found.max_size = attribute.value.rsplit(',').next().and_then(|size| size.trim().parse().ok());
                }
                _ => {}
            }
        }
        found.id = found.id.or(name);
        found
    }

    fn limit(&self, scope: XliffScope) -> Option<usize> {
        self.max_width.filter(|_| self.is_in_chars).or(self.max_size.filter(|_| scope.is_in_chars))
    }
}

impl XliffScope {
    /// Sizes are in characters unless a profile defines another unit.
    fn in_element(self, tree: &XmlTree<'_>, element: usize, translate: Option<bool>) -> Self {
        let profiles = tree.elements(element).find(|child| local_name(tree, *child) == "profiles");
        let profile = profiles.and_then(|profiles| tree.attribute(profiles, "generalProfile"));
        Self {
            is_translated: translate.unwrap_or(self.is_translated),
            is_in_chars: profile.map_or(self.is_in_chars, |profile| profile == "xliff:codepoints"),
        }
    }
}

fn is_blank(tree: &XmlTree<'_>, element: usize) -> bool {
    tree.slice(tree.node(element).content.clone()).trim().is_empty()
}

impl XliffDocument {
    /// Fails if the document is not XLIFF, or if its version is unknown.
    pub(crate) fn read(tree: &XmlTree<'_>) -> Result<Self, CatalogError> {
        let root = tree.root();
        let at = tree.node(root).range.start;
        if local_name(tree, root) != "xliff" {
            let what = format!("the root element is '{}', not 'xliff'", tree.name(root));
            return Err(CatalogError::new(at, what));
        }
        // Some tools state the version only in the namespace.
        let namespace = tree.attribute(root, "xmlns").unwrap_or_default();
        let in_namespace = || namespace.strip_prefix("urn:oasis:names:tc:xliff:document:").map(str::to_owned);
        let version = tree.attribute(root, "version").or_else(in_namespace).unwrap_or_default();
        let version = match version.as_str() {
            version if version.starts_with("1.") => XliffVersion::One,
            version if version.starts_with("2.") => XliffVersion::Two,
            version => {
                let what = format!("'{version}' is not a known version of XLIFF");
                return Err(CatalogError::new(at, what).hint("1.0 to 1.2 and 2.x are known"));
            }
        };
        let mut reader = DocumentReader {
            tree,
            document: Self { version, files: Vec::new(), units: Vec::new(), duplicates: Vec::new() },
            names: Vec::new(),
        };
        for file in tree.elements(root).filter(|element| local_name(tree, *element) == "file") {
            reader.add_file(file);
        }
        Ok(reader.finish())
    }

    /// Returns a language of the document. `one` is the name of its attribute in XLIFF 1 (on the first `<file>`), `two` its name in
    /// XLIFF 2 (on the root).
    pub(crate) fn language(&self, tree: &XmlTree<'_>, [one, two]: [&str; 2]) -> Option<String> {
        let found = match self.version {
            XliffVersion::One => self.files.first().and_then(|file| tree.attribute(file.element, one)),
            XliffVersion::Two => tree.attribute(tree.root(), two),
        };
        found.filter(|language| !language.is_empty())
    }
}

struct DocumentReader<'t, 'a> {
    tree: &'t XmlTree<'a>,
    document: XliffDocument,
    names: Vec<UnitName>,
}

impl DocumentReader<'_, '_> {
    fn add_file(&mut self, element: usize) {
        let tree = self.tree;
        let (mut original, mut id, mut translate) = (None, None, None);
        for attribute in tree.attributes(element) {
            match attribute.name {
                "original" => original = Some(attribute.decoded()),
                "id" => id = Some(attribute.decoded()),
                "translate" => translate = Some(attribute.value != "no"),
                _ => {}
            }
        }
        let name = match self.document.version {
            XliffVersion::One => original.or(id),
            XliffVersion::Two => id.or(original),
        };
        let body = tree.elements(element).find(|child| local_name(tree, *child) == "body");
        let body = if self.document.version == XliffVersion::One { body } else { Some(element) };
        let Some(body) = body else { return };
        let name = name.unwrap_or_default();
        let apple = [".strings", ".stringsdict", ".xcstrings", ".storyboard", ".xib", ".plist", ".intentdefinition"];
        let is_apple = apple.iter().any(|ending| name.ends_with(ending));
        self.document.files.push(XliffPart { element, name, body, is_apple });
        let scope = XliffScope { is_translated: true, is_in_chars: true }.in_element(tree, element, translate);
        self.add_units(body, scope);
    }

    /// Adds the units of a file or group. The recursion is bounded, because the XML parser limits the nesting.
    fn add_units(&mut self, container: usize, scope: XliffScope) {
        for span in self.tree.spans(container) {
            match (local_name(self.tree, span.element), self.document.version) {
                ("group", _) => {
                    let own = UnitAttributes::read(self.tree, span.element).translate;
                    self.add_units(span.element, scope.in_element(self.tree, span.element, own));
                }
                ("trans-unit", XliffVersion::One) => {
                    let found = self.read_unit(scope, &span);
                    self.add_unit(&found, span.element, None);
                }
                ("unit", XliffVersion::Two) => self.add_segments(scope, &span),
                _ => {}
            }
        }
    }

    fn read_unit(&self, scope: XliffScope, span: &XmlElementSpan) -> FoundUnit {
        let attributes = UnitAttributes::read(self.tree, span.element);
        FoundUnit {
            scope: scope.in_element(self.tree, span.element, attributes.translate),
            note: self.note(span.element),
            span: span.clone(),
            attributes,
        }
    }

    fn add_segments(&mut self, scope: XliffScope, span: &XmlElementSpan) {
        let tree = self.tree;
        let found = self.read_unit(scope, span);
        let mut segments = tree.spans(span.element);
        segments.retain(|inner| local_name(tree, inner.element) == "segment");
        let has_several = segments.len() > 1;
        for (number, segment) in segments.into_iter().enumerate() {
            let key = tree.attribute(segment.element, "id").map_or(UnitKeyPart::Item(number), UnitKeyPart::Name);
            let holder = segment.element;
            self.add_unit(&found, holder, has_several.then_some((key, segment)));
        }
    }

    fn add_unit(&mut self, found: &FoundUnit, holder: usize, segment: Option<(UnitKeyPart, XmlElementSpan)>) {
        let tree = self.tree;
        let child = |name: &str| tree.elements(holder).find(|child| local_name(tree, *child) == name);
        let (source, target) = (child("source"), child("target"));
        let translated = target.filter(|target| !has_empty_segments(tree, *target));
        // A target without segments translates the complete source.
        let is_segmented = translated.is_none_or(|target| has_segments(tree, target) || is_blank(tree, target));
        let segments = child("seg-source").filter(|segments| is_segmented && has_segments(tree, *segments));
        let content = XliffContent::read(tree, segments.or(source), translated);
        let state = match self.document.version {
            XliffVersion::One => target.and_then(|target| tree.attribute(target, "state")),
            XliffVersion::Two => tree.attribute(holder, "state"),
        };
        let state = state.as_deref().unwrap_or_default();
        let is_new = matches!(state, "new" | "needs-translation" | "initial");
        let is_apple = self.document.files.last().is_some_and(|file| file.is_apple);
        let unit = Unit {
            id: self.document.units.len(),
            syntax: Some(syntax_of(&content, is_apple)),
            text: UnitText::Single(content.source),
            target: content.target.filter(|_| !is_new).map(UnitText::Single),
            markup: content.markup,
            note: found.note.clone(),
            max_chars: found.attributes.limit(found.scope),
            needs_review: state.starts_with("needs-") && !is_new,
            skip: (!found.scope.is_translated).then_some(SkipReason::Untranslatable),
            at: tree.node(target.or(source).unwrap_or(holder)).content.start,
            ..Unit::default()
        };
        let (segment_key, segment) = segment.unzip();
        let part = self.document.files.len().saturating_sub(1);
        let own_id = found.attributes.id.clone();
        let id = own_id.or_else(|| unit.text.texts().next().map(str::to_owned)).unwrap_or_default();
        self.names.push(UnitName { part, id, segment: segment_key, at: tree.node(holder).range.start });
        let span = found.span.clone();
        self.document.units.push(XliffEntry { unit, part, holder, source, target, span, segment });
    }

    /// Returns the notes of a unit, one per line, without those that are locations in the program's source.
    fn note(&self, unit: usize) -> Option<String> {
        let tree = self.tree;
        let mut lines = Vec::new();
        for child in tree.elements(unit) {
            let notes: Vec<usize> = match local_name(tree, child) {
                "note" => vec![child],
                "notes" => tree.elements(child).filter(|note| local_name(tree, *note) == "note").collect(),
                _ => continue,
            };
            for note in notes {
                let text = tree.plain_text(note).unwrap_or_default();
                let is_place = tree.attribute(note, "category").is_some_and(|category| category == "location");
                if !is_place && text.trim() != NO_COMMENT && !text.trim().is_empty() {
                    lines.push(text.trim().to_owned());
                }
            }
        }
        Some(lines.join("\n")).filter(|note| !note.is_empty())
    }

    /// Gives each unit its key, which includes the name of the file if several files use the same id.
    fn finish(self) -> XliffDocument {
        let mut document = self.document;
        let mut parts: HashMap<&str, Option<usize>> = HashMap::new();
        for name in &self.names {
            let part = parts.entry(name.id.as_str()).or_insert(Some(name.part));
            if *part != Some(name.part) {
                *part = None;
            }
        }
        let mut seen = HashSet::new();
        let mut units = Vec::with_capacity(document.units.len());
        for (mut unit, name) in std::mem::take(&mut document.units).into_iter().zip(&self.names) {
            let is_repeated = parts.get(name.id.as_str()).is_some_and(Option::is_none);
            let file = document.files.get(name.part).filter(|_| is_repeated).map(|file| file.name.clone());
            let names = file.into_iter().chain([name.id.clone()]).map(UnitKeyPart::Name);
            let key = UnitKey(names.chain(name.segment.clone()).collect());
            if !seen.insert(key.clone()) {
                document.duplicates.push(DuplicateKey { key, at: name.at });
                continue;
            }
            unit.unit.key = key;
            unit.unit.id = units.len();
            units.push(unit);
        }
        document.units = units;
        document
    }
}

/// XLIFF does not declare the syntax, so it is guessed.
fn syntax_of(content: &XliffContent, is_apple: bool) -> Syntax {
    let source = content.source.as_str();
    if braces::has_branches(source) {
        return Syntax::Icu;
    }
    let has_directives = || {
        let tokens = Syntax::Printf.tokens(source, &content.markup);
        tokens.iter().any(|token| source.get(token.byte_range()).is_some_and(|token| token.starts_with('%')))
    };
    let is_symfony = content.markup.iter().any(|markup| markup.starts_with('%'));
    if is_apple {
        return Syntax::Mobile;
    }
    if !is_symfony && !source.contains('{') && has_directives() { Syntax::Printf } else { Syntax::Braces }
}
