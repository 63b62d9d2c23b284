//! Changes the translations in a string catalogue.

use std::collections::{BTreeSet, HashMap};

use super::slot::{XcUnit, cases_of, effective_members, is_same_language, main_case};
use crate::CatalogError;
use crate::catalog::{PluralText, UnitKey, UnitKeyPart, UnitText, by_category};
use crate::edit::Edit;
use crate::json::{JsonIndex, JsonInsertPosition, JsonNode, JsonPatch, NewJson};

/// The depth of the keys in `strings`, which stay even if they become empty.
const KEPT_DEPTH: usize = 2;

pub struct XcWriter<'n> {
    text: &'n str,
    units: &'n [XcUnit<'n>],
    language: String,
    index: JsonIndex<'n>,
    patch: JsonPatch<'n>,
    by_entry: HashMap<&'n str, Vec<usize>>,
    /// The units that will be set, by id.
    set: BTreeSet<usize>,
    /// The paths whose text was already copied to each device.
    copied_paths: BTreeSet<Vec<String>>,
}

impl<'n> XcWriter<'n> {
    /// Keeps the notation of the language if the file has it. `set` are the units that will be set.
    pub fn new(
        text: &'n str,
        root: &'n JsonNode<'n>,
        units: &'n [XcUnit<'n>],
        language: &str,
        set: BTreeSet<usize>,
    ) -> Self {
        let mut by_entry: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, unit) in units.iter().enumerate() {
            by_entry.entry(unit.entry).or_default().push(at);
        }
        let found = units.iter().find_map(|unit| unit.localization);
        let language = found.map_or(language, |found| found.language).to_owned();
        let patch = JsonPatch::new(text, root, KEPT_DEPTH);
        Self { text, units, language, index: JsonIndex::default(), patch, by_entry, set, copied_paths: BTreeSet::new() }
    }

    /// Also removes a localization with nothing else in it.
    pub fn remove(&mut self, units: &[&'n XcUnit<'n>]) {
        let mut removed: HashMap<&str, usize> = HashMap::new();
        for unit in units {
            *removed.entry(unit.entry).or_default() += 1;
        }
        for unit in units {
            let all = self.by_entry.get(unit.entry).map_or(0, Vec::len);
            let base = self.localization_path(unit);
            if removed.get(unit.entry).is_some_and(|count| *count >= all) {
                self.remove_at(&base, &[]);
            } else if unit.path.is_empty() {
                self.remove_at(&base, &["stringUnit"]);
                self.remove_at(&base, &["variations", "plural"]);
            } else {
                self.remove_at(&base, &unit.path);
            }
        }
    }

    /// Sets a translation and its state to `translated`. Fails if a plural form has no category.
    pub fn set(&mut self, unit: &'n XcUnit<'n>, text: &UnitText) -> Result<(), CatalogError> {
        let base = self.localization_path(unit);
        let (names, node) = self.text_location(unit, &base)?;
        let json_path = joined(&base, &names);
        match text {
            UnitText::Single(text) => {
                if node.is_some_and(|node| cases_of(&mut self.index, node, "plural").is_some()) {
                    self.remove_at(&json_path, &["variations", "plural"]);
                }
                self.put_string(&json_path, text)
            }
            UnitText::Plural(_, forms) => self.set_plural(unit, &json_path, node, forms),
        }
    }

    pub fn finish(self) -> Vec<Edit> {
        self.patch.finish()
    }

    fn set_plural(
        &mut self,
        unit: &XcUnit<'n>,
        json_path: &[String],
        node: Option<&'n JsonNode<'n>>,
        forms: &[PluralText],
    ) -> Result<(), CatalogError> {
        let what =
            format!("the plural {} has a form without a plural category, which Xcode does not support", unit.unit.key);
        let forms = by_category(forms, unit.unit.at, &what)?.into_iter();
        let mut cases: Vec<_> = forms.map(|(category, text)| (category.name(), text)).collect();
        cases.sort_by_key(|(name, _)| *name);
        if node.is_none() {
            self.copy_description(unit, json_path)?;
        }
        let old = node.and_then(|node| cases_of(&mut self.index, node, "plural"));
        if old.is_none() {
            self.remove_at(json_path, &["stringUnit"]);
        }
        for (name, _) in effective_members(&mut self.index, old) {
            if !cases.iter().any(|(case, _)| *case == name) {
                self.remove_at(json_path, &["variations", "plural", name]);
            }
        }
        for (name, text) in cases {
            self.put_string(&joined(json_path, &["variations", "plural", name]), text)?;
        }
        Ok(())
    }

    /// Copies the argument and the format of a substitution from the source to a target that lacks it.
    fn copy_description(&mut self, unit: &XcUnit<'n>, json_path: &[String]) -> Result<(), CatalogError> {
        let source = unit.source.filter(|_| matches!(unit.path.as_slice(), [.., "substitutions", _]));
        for (name, node) in effective_members(&mut self.index, source) {
            if !matches!(name, "variations" | "stringUnit" | "substitutions") {
                self.put(&joined(json_path, &[name]), NewJson::copy_of(self.text, node))?;
            }
        }
        Ok(())
    }

    /// Returns the path from the localization to the object with the text, and that object if it exists.
    fn text_location(
        &mut self,
        unit: &'n XcUnit<'n>,
        base: &[String],
    ) -> Result<(Vec<&'n str>, Option<&'n JsonNode<'n>>), CatalogError> {
        let mut node = unit.localization.map(|found| found.node);
        let mut names: Vec<&'n str> = Vec::new();
        let mut rest = unit.path.as_slice();
        loop {
            match rest {
                ["variations", kind, case, below @ ..] => {
                    let cases = node.and_then(|node| cases_of(&mut self.index, node, kind));
                    if let (None, Some(node)) = (cases, node) {
                        self.copy_to_cases(unit.entry, &joined(base, &names), &names, kind, node)?;
                    }
                    node = cases.and_then(|cases| self.index.get(cases, case));
                    names.extend(["variations", *kind, *case]);
                    rest = below;
                }
                ["substitutions", name, below @ ..] => {
                    let substitutions = node.and_then(|node| self.index.get(node, "substitutions"));
                    node = substitutions.and_then(|substitutions| self.index.get(substitutions, name));
                    names.extend(["substitutions", *name]);
                    rest = below;
                }
                _ => break,
            }
        }
        while let Some((kind, case, below)) = node.and_then(|node| main_case(&mut self.index, node)) {
            names.extend(["variations", kind, case]);
            node = Some(below);
        }
        Ok((names, node))
    }

    /// Copies a text that does not vary by `kind` to every case that the source has, except to units that will be set.
    fn copy_to_cases(
        &mut self,
        entry: &str,
        json_path: &[String],
        names: &[&str],
        kind: &str,
        node: &'n JsonNode<'n>,
    ) -> Result<(), CatalogError> {
        if !self.copied_paths.insert(joined(json_path, &[kind])) {
            return Ok(());
        }
        let string = self.index.get(node, "stringUnit");
        let plural = cases_of(&mut self.index, node, "plural");
        let mut cases = BTreeSet::new();
        for unit in self.by_entry.get(entry).into_iter().flatten().filter_map(|at| self.units.get(*at)) {
            let below = unit.path.get(..names.len()).filter(|above| *above == names);
            if let Some(["variations", unit_kind, case, ..]) = below.and_then(|_| unit.path.get(names.len()..))
                && *unit_kind == kind
                && !self.set.contains(&unit.unit.id)
            {
                cases.insert(*case);
            }
        }
        for (path, found) in [(&["stringUnit"][..], string), (&["variations", "plural"], plural)] {
            let Some(found) = found else { continue };
            self.remove_at(json_path, path);
            for case in &cases {
                let copy = joined(&joined(json_path, &["variations", kind, case]), path);
                self.put(&copy, NewJson::copy_of(self.text, found))?;
            }
        }
        Ok(())
    }

    fn put_string(&mut self, json_path: &[String], text: &str) -> Result<(), CatalogError> {
        self.put(&joined(json_path, &["stringUnit", "state"]), NewJson::Text("translated".to_owned()))?;
        self.put(&joined(json_path, &["stringUnit", "value"]), NewJson::Text(text.to_owned()))
    }

    fn put(&mut self, json_path: &[String], value: NewJson) -> Result<(), CatalogError> {
        self.patch.put(&UnitKey::names(json_path.iter().map(String::as_str)), value, JsonInsertPosition::Sorted)
    }

    fn remove_at(&mut self, json_path: &[String], names: &[&str]) {
        let parts: Vec<UnitKeyPart> = joined(json_path, names).into_iter().map(UnitKeyPart::Name).collect();
        if let Some(path) = self.patch.find(&parts) {
            self.patch.remove(&path);
        }
    }

    fn localization_path(&self, unit: &XcUnit<'_>) -> Vec<String> {
        let found = unit.localization.map(|found| found.language);
        let language = found.filter(|found| is_same_language(found, &self.language)).unwrap_or(&self.language);
        ["strings", unit.entry, "localizations", language].map(str::to_owned).into()
    }
}

fn joined(json_path: &[String], names: &[&str]) -> Vec<String> {
    json_path.iter().cloned().chain(names.iter().map(|name| (*name).to_owned())).collect()
}
