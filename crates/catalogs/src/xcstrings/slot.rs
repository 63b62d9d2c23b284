//! Finds the texts of each key in a string catalogue, and their positions in a localization.

use crate::catalog::{PluralText, SkipReason, Unit, UnitKey, UnitKeyPart, UnitText};
use crate::inline::has_letters;
use crate::json::{JsonIndex, JsonNode, JsonShape};
use crate::placeholders::Syntax;
use crate::plural::{PluralCategory, PluralForm, PluralKind};

/// A unit with its position in the file.
#[derive(Debug)]
pub struct XcUnit<'n> {
    pub unit: Unit,
    /// The key in `strings`.
    pub entry: &'n str,
    /// The path from a localization to the object with the text: `variations`, kind and case, or `substitutions` and name,
    /// possibly repeated.
    pub path: Vec<&'n str>,
    /// The object with the text in the source language.
    pub source: Option<&'n JsonNode<'n>>,
    pub localization: Option<XcLocalization<'n>>,
}

#[derive(Clone, Copy, Debug)]
pub struct XcLocalization<'n> {
    /// As written in the file.
    pub language: &'n str,
    pub node: &'n JsonNode<'n>,
}

struct XcText {
    text: UnitText,
    at: usize,
    needs_review: bool,
}

/// `target` is the language of the translations.
pub fn xc_units<'n>(root: &'n JsonNode<'n>, index: &mut JsonIndex<'n>, target: Option<&str>) -> Vec<XcUnit<'n>> {
    let source_language = index.get(root, "sourceLanguage").and_then(JsonNode::text);
    let Some(strings) = index.get(root, "strings") else { return Vec::new() };
    let mut units = Vec::new();
    for (position, member) in strings.members().iter().enumerate() {
        if index.position(strings, &member.name) != Some(position) {
            continue;
        }
        let entry = &member.node;
        let localizations = index.get(entry, "localizations");
        let mut find = |language: Option<&str>| find_localization(index, localizations?, language?);
        let source = find(source_language);
        let localization = find(target);
        let note = index.get(entry, "comment").and_then(JsonNode::text).map(str::trim).filter(|note| !note.is_empty());
        let mut slots = SourceSlots { index, slots: Vec::new() };
        slots.read(source.map(|source| source.node), &member.name);
        let slots = slots.slots;
        let skip = skip_reason(index, entry, &member.name, &slots);
        let first = units.len();
        for slot in slots {
            let target = localization.and_then(|found| target_text(index, found.node, &slot.path));
            let id = units.len();
            let unit = Unit {
                id,
                key: slot.key,
                within: units.get(first..).and_then(|before| parent_of_substitution(before, &slot.path)),
                at: target.as_ref().map(|target| target.at).or(slot.at).unwrap_or(member.start()),
                text: slot.text,
                needs_review: target.as_ref().is_some_and(|target| target.needs_review),
                target: target.map(|target| target.text),
                note: note.map(str::to_owned),
                skip,
                ..Unit::default()
            };
            units.push(XcUnit { unit, entry: &member.name, path: slot.path, source: slot.node, localization });
        }
    }
    units
}

/// Returns the unit whose text refers to the substitution.
fn parent_of_substitution(units: &[XcUnit<'_>], path: &[&str]) -> Option<usize> {
    let position = path.iter().position(|name| *name == "substitutions")?;
    let unit = units.iter().find(|unit| path.get(..position) == Some(unit.path.as_slice()))?;
    Some(unit.unit.id)
}

/// The key counts as a text, because the program shows it if there is no translation.
fn skip_reason<'n>(
    index: &mut JsonIndex<'n>,
    entry: &'n JsonNode<'n>,
    key: &str,
    slots: &[SourceSlot<'_>],
) -> Option<SkipReason> {
    if index.get(entry, "shouldTranslate").is_some_and(|node| matches!(node.shape, JsonShape::Boolean(false))) {
        return Some(SkipReason::Untranslatable);
    }
    if index.get(entry, "extractionState").and_then(JsonNode::text) == Some("stale") {
        return Some(SkipReason::Unused);
    }
    let has_words = |text: &str| has_letters(text, &Syntax::Mobile.tokens(text, &[]));
    let texts = slots.iter().flat_map(|slot| slot.text.texts());
    (!key.trim().is_empty() && !texts.chain([key]).any(has_words)).then_some(SkipReason::NoWords)
}

/// Ignores case and the separator: `pt-BR` and `pt_BR` are the same.
pub fn is_same_language(a: &str, b: &str) -> bool {
    let plain = |byte: u8| if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() };
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(a, b)| plain(a) == plain(b))
}

fn find_localization<'n>(
    index: &mut JsonIndex<'n>,
    localizations: &'n JsonNode<'n>,
    language: &str,
) -> Option<XcLocalization<'n>> {
    let members = localizations.members();
    let position = index
        .position(localizations, language)
        .or_else(|| members.iter().rposition(|member| is_same_language(&member.name, language)))?;
    let member = members.get(position)?;
    Some(XcLocalization { language: &member.name, node: &member.node })
}

struct SourceSlots<'i, 'n> {
    index: &'i mut JsonIndex<'n>,
    slots: Vec<SourceSlot<'n>>,
}

struct SourceSlot<'n> {
    path: Vec<&'n str>,
    key: UnitKey,
    text: UnitText,
    node: Option<&'n JsonNode<'n>>,
    at: Option<usize>,
}

impl<'n> SourceSlots<'_, 'n> {
    /// If the key has no source text, the key itself is the text.
    fn read(&mut self, localization: Option<&'n JsonNode<'n>>, key: &str) {
        let parts = UnitKey::name(key);
        if let Some(node) = localization {
            self.expand(node, &[], &parts);
        }
        let has_base = |slot: &SourceSlot<'_>| !matches!(slot.path.first(), Some(&"substitutions"));
        if !self.slots.iter().any(has_base) {
            let text = UnitText::Single(key.to_owned());
            self.slots.insert(0, SourceSlot { path: Vec::new(), key: parts, text, node: localization, at: None });
        }
    }

    fn expand(&mut self, node: &'n JsonNode<'n>, path: &[&'n str], key: &UnitKey) {
        if let Some(found) = own_text(self.index, node, false) {
            let at = Some(found.at);
            let slot = SourceSlot { path: path.to_vec(), key: key.clone(), text: found.text, node: Some(node), at };
            self.slots.push(slot);
        }
        let variations = self.index.get(node, "variations");
        for (kind, cases) in effective_members(self.index, variations) {
            if kind == "plural" {
                continue;
            }
            for (case, below) in effective_members(self.index, Some(cases)) {
                let path = [path, &["variations", kind, case]].concat();
                self.expand(below, &path, &with_path(key, &[kind, case]));
            }
        }
        let substitutions = self.index.get(node, "substitutions");
        for (name, below) in effective_members(self.index, substitutions) {
            let path = [path, &["substitutions", name]].concat();
            self.expand(below, &path, &with_path(key, &[name]));
        }
    }
}

fn with_path(key: &UnitKey, path: &[&str]) -> UnitKey {
    let path = path.iter().map(|name| UnitKeyPart::Name((*name).to_owned()));
    UnitKey(key.0.iter().cloned().chain(path).collect())
}

/// Of duplicate names, the last one wins.
pub fn effective_members<'n>(
    index: &mut JsonIndex<'n>,
    object: Option<&'n JsonNode<'n>>,
) -> Vec<(&'n str, &'n JsonNode<'n>)> {
    let Some((object, JsonShape::Object(members))) = object.map(|object| (object, &object.shape)) else {
        return Vec::new();
    };
    let effective = members.iter().enumerate().filter(|(at, member)| index.position(object, &member.name) == Some(*at));
    effective.map(|(_, member)| (member.name.as_ref(), &member.node)).collect()
}

/// Returns the object with the cases of a variation such as `plural`.
pub fn cases_of<'n>(index: &mut JsonIndex<'n>, node: &'n JsonNode<'n>, kind: &str) -> Option<&'n JsonNode<'n>> {
    let variations = index.get(node, "variations")?;
    index.get(variations, kind)
}

/// For a node with variations but without a text, returns the case `other`, or else the last case.
pub fn main_case<'n>(
    index: &mut JsonIndex<'n>,
    node: &'n JsonNode<'n>,
) -> Option<(&'n str, &'n str, &'n JsonNode<'n>)> {
    if index.get(node, "stringUnit").is_some() || cases_of(index, node, "plural").is_some() {
        return None;
    }
    let variations = index.get(node, "variations");
    let (kind, cases) = effective_members(index, variations).into_iter().next()?;
    let cases = effective_members(index, Some(cases));
    let (case, node) = cases.iter().find(|(case, _)| *case == "other").or(cases.last())?;
    Some((kind, case, node))
}

/// If the target does not vary by device, its text is used for each device.
fn target_text<'n>(index: &mut JsonIndex<'n>, localization: &'n JsonNode<'n>, path: &[&str]) -> Option<XcText> {
    let mut node = localization;
    let mut rest = path;
    loop {
        match rest {
            ["variations", kind, case, below @ ..] => {
                if let Some(cases) = cases_of(index, node, kind) {
                    node = index.get(cases, case)?;
                }
                rest = below;
            }
            ["substitutions", name, below @ ..] => {
                let substitutions = index.get(node, "substitutions")?;
                node = index.get(substitutions, name)?;
                rest = below;
            }
            _ => break,
        }
    }
    while let Some((_, _, below)) = main_case(index, node) {
        node = below;
    }
    own_text(index, node, true)
}

/// Ignores the variations by device and, in a target, texts in state `new`.
fn own_text<'n>(index: &mut JsonIndex<'n>, node: &'n JsonNode<'n>, is_target: bool) -> Option<XcText> {
    let Some(plural) = cases_of(index, node, "plural") else {
        let string = StringUnit::of(index, node).filter(|string| !(is_target && string.is_new()))?;
        let needs_review = string.needs_review();
        return Some(XcText { text: UnitText::Single(string.value.to_owned()), at: string.at, needs_review });
    };
    let mut forms = Vec::new();
    let mut needs_review = false;
    let mut at = None;
    for (name, case) in effective_members(index, Some(plural)) {
        let Some(category) = PluralCategory::from_name(name) else { continue };
        let Some(string) = StringUnit::of(index, case).filter(|string| !(is_target && string.is_new())) else {
            continue;
        };
        at.get_or_insert(string.at);
        needs_review |= string.needs_review();
        forms.push(PluralText { form: PluralForm::Category(category), text: string.value.to_owned() });
    }
    Some(XcText { text: UnitText::Plural(PluralKind::Cardinal, forms), at: at?, needs_review })
}

struct StringUnit<'n> {
    value: &'n str,
    state: Option<&'n str>,
    at: usize,
}

impl<'n> StringUnit<'n> {
    fn of(index: &mut JsonIndex<'n>, node: &'n JsonNode<'n>) -> Option<Self> {
        let unit = index.get(node, "stringUnit")?;
        let value = index.get(unit, "value")?;
        let state = index.get(unit, "state").and_then(JsonNode::text);
        Some(Self { value: value.text()?, state, at: value.span.start })
    }

    fn is_new(&self) -> bool {
        self.state == Some("new")
    }

    fn needs_review(&self) -> bool {
        self.state == Some("needs_review")
    }
}
