//! String catalogues of Xcode: JSON with the texts of all languages, their states and variations.
//!
//! Input: the text of a file, the target language, and changes of its units. Output: its units, or edits of that
//! language only. A key has a unit for its text, or one for each device, and another for each substitution; any of them
//! may be a plural.
//!
//! | file | what it does |
//! |---|---|
//! | `slot` | finds the texts of a key in the source and target language |
//! | `writer` | changes translations |

mod slot;
#[cfg(test)]
mod tests;
mod writer;

use crate::{CatalogKind, Syntax};
use std::collections::HashMap;

use self::slot::{XcUnit, xc_units};
use self::writer::XcWriter;
use super::catalog::{Catalog, CatalogChanges, Change, DuplicateKey, UnitKey};
use super::edit::Edit;
use super::json::{JsonIndex, JsonNode, JsonShape, parse_json};
use super::{CatalogError, CatalogFormat, ReadOptions};

pub const KIND: CatalogKind = CatalogKind {
    name: "xcstrings",
    help: "Xcode string catalogue, which holds all languages",
    extensions: &["xcstrings"],
    format: &XcstringsFormat,
    syntax: Some(Syntax::Mobile),
    is_bilingual: true,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct XcstringsFormat;

impl CatalogFormat for XcstringsFormat {
    fn read(&self, text: &str, options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let root = parse_xcstrings(text)?;
        let mut index = JsonIndex::default();
        let mut catalog = Catalog {
            source_language: index.get(&root, "sourceLanguage").and_then(JsonNode::text).map(str::to_owned),
            ..Catalog::default()
        };
        if let Some(strings) = index.get(&root, "strings") {
            for (position, member) in strings.members().iter().enumerate() {
                if index.position(strings, &member.name) != Some(position) {
                    let key = UnitKey::name(member.name.as_ref());
                    catalog.duplicates.push(DuplicateKey { key, at: member.start() });
                }
            }
        }
        let units = xc_units(&root, &mut index, options.target_lang.as_deref());
        catalog.units = units.into_iter().map(|unit| unit.unit).collect();
        Ok(catalog)
    }

    fn edits(
        &self,
        text: &str,
        options: &ReadOptions,
        changes: &CatalogChanges<'_>,
    ) -> Result<Vec<Edit>, CatalogError> {
        if changes.units.is_empty() {
            return Ok(Vec::new());
        }
        let Some(language) = options.target_lang.as_deref() else {
            return Err(CatalogError::new(
                0,
                "a string catalogue contains all languages, but no target language was given",
            ));
        };
        let root = parse_xcstrings(text)?;
        let mut index = JsonIndex::default();
        let units = xc_units(&root, &mut index, Some(language));
        let unit_of = |unit: usize| -> Result<&XcUnit<'_>, CatalogError> {
            units.get(unit).ok_or_else(|| CatalogError::new(0, format!("there is no unit {unit}")))
        };
        let has_insertion = changes.units.iter().any(|change| matches!(change, Change::Insert { .. }));
        let by_key: HashMap<&UnitKey, &XcUnit<'_>> =
            if has_insertion { units.iter().map(|unit| (&unit.unit.key, unit)).collect() } else { HashMap::new() };
        let mut set = Vec::new();
        let mut removed = Vec::new();
        for change in &changes.units {
            match change {
                Change::Set { unit, text, .. } => set.push((unit_of(*unit)?, *text)),
                Change::Insert { like, text, .. } => {
                    let unit = by_key.get(&like.key).copied().ok_or_else(|| {
                        let what = format!(
                            "the key {} is not in the file; Xcode adds keys when it builds the project",
                            like.key
                        );
                        CatalogError::new(0, what)
                    })?;
                    set.push((unit, *text));
                }
                Change::Remove { unit } => removed.push(unit_of(*unit)?),
            }
        }
        let set_ids = set.iter().map(|(unit, _)| unit.unit.id).collect();
        let mut writer = XcWriter::new(text, &root, &units, language, set_ids);
        writer.remove(&removed);
        for (unit, text) in set {
            writer.set(unit, text)?;
        }
        Ok(writer.finish())
    }
}

fn parse_xcstrings(text: &str) -> Result<JsonNode<'_>, CatalogError> {
    let root = parse_json(text)?;
    if !matches!(root.shape, JsonShape::Object(_)) {
        return Err(CatalogError::new(root.span.start, "a string catalogue must be a JSON object, not a list"));
    }
    let strings = root.members().iter().rev().find(|member| member.name == "strings");
    match strings.map(|member| &member.node) {
        Some(strings) if !matches!(strings.shape, JsonShape::Object(_)) => {
            Err(CatalogError::new(strings.span.start, "the strings of a string catalogue must be an object"))
        }
        Some(_) => Ok(root),
        None => Err(CatalogError::new(root.span.start, "this is not a string catalogue: it has no `strings`")),
    }
}
