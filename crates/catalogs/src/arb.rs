//! ARB catalogues of Flutter: flat JSON, where `@key` describes `key` and `@@locale` is the language.

use super::catalog::{
    Catalog, CatalogChanges, CatalogLanguage, Change, DuplicateKey, SkipReason, Unit, UnitKey, UnitKeyPart, UnitText,
};
use super::edit::Edit;
use super::json::{JsonIndex, JsonInsertPosition, JsonNode, JsonPatch, JsonShape, NewJson, parse_json};
use super::{CatalogError, CatalogFormat, ReadOptions};
use crate::{CatalogKind, Syntax};

const LOCALE: &str = "@@locale";
const NO_PLURALS: &str = "in ARB, a plural is one ICU message, not a list of forms";

pub const KIND: CatalogKind = CatalogKind {
    name: "arb",
    help: "ARB of Flutter",
    extensions: &["arb"],
    format: &ArbFormat,
    syntax: Some(Syntax::Icu),
    is_bilingual: false,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct ArbFormat;

impl CatalogFormat for ArbFormat {
    fn read(&self, text: &str, _: &ReadOptions) -> Result<Catalog, CatalogError> {
        let root = parse_arb(text)?;
        let mut index = JsonIndex::default();
        let mut catalog = Catalog::default();
        for (position, member) in root.members().iter().enumerate() {
            let name = member.name.as_ref();
            let is_text = member.node.text().is_some() && !name.starts_with('@');
            if is_text && index.position(&root, name) != Some(position) {
                catalog.duplicates.push(DuplicateKey { key: UnitKey::name(name), at: member.start() });
            }
        }
        for (id, position) in unit_positions(&root, &mut index).into_iter().enumerate() {
            let Some(member) = root.members().get(position) else { continue };
            let description = index
                .get(&root, &["@", &member.name].concat())
                .and_then(|metadata| index.get(metadata, "description"))
                .and_then(JsonNode::text)
                .map(str::trim);
            catalog.units.push(Unit {
                id,
                key: UnitKey::name(member.name.as_ref()),
                text: UnitText::Single(member.node.text().unwrap_or_default().to_owned()),
                note: description.filter(|note| !note.is_empty()).map(str::to_owned),
                at: member.node.span.start,
                ..Unit::default()
            });
        }
        for (position, member) in root.members().iter().enumerate() {
            let is_number = !member.name.starts_with('@') && member.node.is_number_or_boolean(text);
            if is_number && index.position(&root, &member.name) == Some(position) {
                *catalog.other_values.entry(SkipReason::Number).or_default() += 1;
            }
        }
        catalog.language = index.get(&root, LOCALE).and_then(JsonNode::text).map(str::to_owned);
        Ok(catalog)
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        if changes.units.is_empty() && changes.language.is_none() && !changes.is_new_target {
            return Ok(Vec::new());
        }
        let root = parse_arb(text)?;
        let mut index = JsonIndex::default();
        let units = unit_positions(&root, &mut index);
        let mut editor = ArbEditor { root: &root, index, units, patch: JsonPatch::new(text, &root, 0) };
        editor.removals(changes)?;
        if let Some(language) = changes.language {
            editor.set_language(language)?;
        }
        for change in &changes.units {
            match change {
                Change::Set { unit, text, .. } => {
                    let position = editor.position(*unit)?;
                    editor.patch.set_text(&[position], text.single(0, NO_PLURALS)?);
                }
                Change::Insert { like, text, after, before } => editor.insert(like, text, *after, *before)?,
                Change::Remove { .. } => {}
            }
        }
        Ok(editor.patch.finish())
    }
}

struct ArbEditor<'n> {
    root: &'n JsonNode<'n>,
    index: JsonIndex<'n>,
    units: Vec<usize>,
    patch: JsonPatch<'n>,
}

impl ArbEditor<'_> {
    fn position(&self, unit: usize) -> Result<usize, CatalogError> {
        self.units.get(unit).copied().ok_or_else(|| CatalogError::new(0, format!("there is no unit {unit}")))
    }

    fn removals(&mut self, changes: &CatalogChanges<'_>) -> Result<(), CatalogError> {
        for change in &changes.units {
            let Change::Remove { unit } = change else { continue };
            let position = self.position(*unit)?;
            self.patch.remove(&[position]);
            if let Some(metadata) = self.metadata(position) {
                self.patch.remove(&[metadata]);
            }
        }
        if changes.is_new_target {
            for (position, member) in self.root.members().iter().enumerate() {
                let Some(name) = member.name.strip_prefix('@').filter(|_| member.name != LOCALE) else { continue };
                if self.index.position(self.root, name).is_some() {
                    self.patch.remove(&[position]);
                } else {
                    // The metadata describes the source file, not a unit.
                    self.patch.remove_with_blank_lines(&[position]);
                }
            }
        }
        Ok(())
    }

    fn set_language(&mut self, language: &CatalogLanguage) -> Result<(), CatalogError> {
        // Flutter requires the locale of the file name, so a locale in the path wins.
        let path = language.path.replace('-', "_");
        let locale = if is_locale(&path) { path } else { language.tag.replace('-', "_") };
        let Some(position) = self.index.position(self.root, LOCALE) else {
            let position = JsonInsertPosition::Near { after: None, before: Some(&[0]) };
            return self.patch.put(&UnitKey::name(LOCALE), NewJson::Text(locale), position);
        };
        let found = self.root.members().get(position).and_then(|member| member.node.text()).unwrap_or_default();
        if !found.replace('-', "_").eq_ignore_ascii_case(&locale) {
            self.patch.set_text(&[position], &locale);
        }
        Ok(())
    }

    fn insert(
        &mut self,
        like: &Unit,
        text: &UnitText,
        after: Option<usize>,
        before: Option<usize>,
    ) -> Result<(), CatalogError> {
        let [UnitKeyPart::Name(name)] = like.key.0.as_slice() else {
            return Err(CatalogError::new(0, format!("the key {} is nested, which ARB does not support", like.key)));
        };
        if name.starts_with('@') {
            return Err(CatalogError::new(0, format!("the key {name} starts with @, which ARB reserves for metadata")));
        }
        let after = after.map(|unit| self.position(unit)).transpose()?.map(|position| {
            let metadata = self.metadata(position).filter(|metadata| *metadata == position + 1);
            [metadata.unwrap_or(position)]
        });
        let before = before.map(|unit| self.position(unit)).transpose()?.map(|position| {
            let metadata = self.metadata(position).filter(|metadata| metadata + 1 == position);
            [metadata.unwrap_or(position)]
        });
        let position = JsonInsertPosition::Near {
            after: after.as_ref().map(<[usize; 1]>::as_slice),
            before: before.as_ref().map(<[usize; 1]>::as_slice),
        };
        self.patch.put(&like.key, NewJson::Text(text.single(0, NO_PLURALS)?.to_owned()), position)
    }

    fn metadata(&mut self, unit: usize) -> Option<usize> {
        let name = &self.root.members().get(unit)?.name;
        self.index.position(self.root, &["@", name].concat())
    }
}

fn parse_arb(text: &str) -> Result<JsonNode<'_>, CatalogError> {
    let root = parse_json(text)?;
    if matches!(root.shape, JsonShape::Object(_)) {
        Ok(root)
    } else {
        Err(CatalogError::new(root.span.start, "an ARB file must be a JSON object, not a list"))
    }
}

/// Returns the positions of the members that are units: strings, except metadata and overridden duplicates.
fn unit_positions<'n>(root: &'n JsonNode<'n>, index: &mut JsonIndex<'n>) -> Vec<usize> {
    let members = root.members().iter().enumerate();
    let units = members.filter(|(position, member)| {
        !member.name.starts_with('@')
            && member.node.text().is_some()
            && index.position(root, &member.name) == Some(*position)
    });
    units.map(|(position, _)| position).collect()
}

fn is_locale(text: &str) -> bool {
    let mut parts = text.split('_');
    let language = parts.next().unwrap_or_default();
    let is_language = matches!(language.len(), 2..=3) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    is_language
        && parts.all(|part| match part.len() {
            2 => part.bytes().all(|byte| byte.is_ascii_uppercase()),
            3 => part.bytes().all(|byte| byte.is_ascii_digit()),
            4 => part.starts_with(|c: char| c.is_ascii_uppercase()),
            _ => false,
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::edit::apply_edits;
    use crate::invariants;

    const EN: &str = r#"{
  "@@locale": "en",
  "@@last_modified": "2024-05-01T10:00:00Z",
  "title": "Notes",
  "@title": {
    "description": " Title of the list "
  },
  "count": "{count, plural, =0{No notes} one{# note} other{# notes}}",
  "@count": {
    "placeholders": {
      "count": {
        "type": "int"
      }
    }
  },
  "greeting": "Hello {name}",
  "done": "Done"
}
"#;

    fn options() -> ReadOptions {
        ReadOptions::default()
    }

    fn edited(text: &str, changes: &CatalogChanges<'_>) -> String {
        apply_edits(text, ArbFormat.edits(text, &options(), changes).unwrap()).unwrap()
    }

    fn with(text: &str, units: Vec<Change<'_>>) -> String {
        edited(text, &CatalogChanges { units, ..CatalogChanges::default() })
    }

    fn language(tag: &str, path: &str) -> CatalogLanguage {
        CatalogLanguage { tag: tag.to_owned(), path: path.to_owned() }
    }

    fn in_language(text: &str, tag: &str, path: &str) -> String {
        let language = language(tag, path);
        edited(text, &CatalogChanges { language: Some(&language), ..CatalogChanges::default() })
    }

    #[test]
    fn units_have_the_notes_of_their_metadata() {
        let catalog = ArbFormat.read(EN, &options()).unwrap();
        let units: Vec<_> =
            catalog.units.iter().map(|unit| (unit.id, unit.key.to_string(), unit.note.as_deref())).collect();
        let wanted =
            [(0, "title", Some("Title of the list")), (1, "count", None), (2, "greeting", None), (3, "done", None)];
        assert_eq!(units, wanted.map(|(id, key, note)| (id, key.to_owned(), note)));
        assert_eq!(catalog.language.as_deref(), Some("en"));
        let text = "{count, plural, =0{No notes} one{# note} other{# notes}}";
        assert_eq!(catalog.units[1].text, UnitText::Single(text.to_owned()));
        assert_eq!(catalog.units[1].at, EN.find("\"{count,").unwrap());
    }

    #[test]
    fn the_locale_is_set_as_flutter_writes_it() {
        assert_eq!(in_language(EN, "pt-BR", "pt-BR"), EN.replace("\"en\"", "\"pt_BR\""));
        assert_eq!(in_language(EN, "zh-Hans", "zh_CN"), EN.replace("\"en\"", "\"zh_CN\""));
        assert_eq!(in_language(EN, "pt-BR", "pt-rBR"), EN.replace("\"en\"", "\"pt_BR\""));
        let hyphen = EN.replace("\"en\"", "\"pt-BR\"");
        assert_eq!(in_language(&hyphen, "pt-BR", "pt-BR"), hyphen);
        assert_eq!(in_language("{\n\t\"a\": \"x\"\n}", "de", "de"), "{\n\t\"@@locale\": \"de\",\n\t\"a\": \"x\"\n}");
        assert_eq!(in_language("{}", "de", "de"), "{\n  \"@@locale\": \"de\"\n}");
    }

    #[test]
    fn a_new_target_has_no_metadata() {
        let language = language("de", "de");
        let texts = ["Notizen", "Fertig"].map(|text| UnitText::Single(text.to_owned()));
        let units = vec![
            Change::Set { unit: 0, text: &texts[0], markup: &[] },
            Change::Remove { unit: 1 },
            Change::Remove { unit: 2 },
            Change::Set { unit: 3, text: &texts[1], markup: &[] },
        ];
        let changes = CatalogChanges { units, language: Some(&language), is_new_target: true };
        assert_eq!(
            edited(EN, &changes),
            "{\n  \"@@locale\": \"de\",\n  \"title\": \"Notizen\",\n  \"done\": \"Fertig\"\n}\n"
        );
    }

    #[test]
    fn a_new_target_has_no_blank_lines_in_place_of_removed_metadata() {
        let source = "{\n\n  \"@_readme\": \"Texts\",\n\n  \"@@locale\": \"en\",\n \t\n  \"@_list\": {\n    \"a\": 1\n  },\n  \
                      \"@@x\": 1,\n\n  \"title\": \"Notes\",\n  \"@title\": {},\n\n  \"done\": \"Done\",\n\n  \"@_end\": {}\n\n}\n";
        let language = language("de", "de");
        let target = "{\n  \"@@locale\": \"de\",\n  \"title\": \"Notes\",\n\n  \"done\": \"Done\"\n}\n";
        let changes = CatalogChanges { units: Vec::new(), language: Some(&language), is_new_target: true };
        assert_eq!(edited(source, &changes), target);
        let crlf = source.replace('\n', "\r\n");
        assert_eq!(edited(&crlf, &changes), target.replace('\n', "\r\n"));
        let without_locale = source.replace("  \"@@locale\": \"en\",\n", "");
        assert_eq!(edited(&without_locale, &changes), target);
    }

    #[test]
    fn metadata_is_removed_with_its_unit() {
        let start = EN.find("  \"count\"").unwrap();
        let end = EN.find("  \"greeting\"").unwrap();
        let without = [EN.get(..start).unwrap(), EN.get(end..).unwrap()].concat();
        assert_eq!(with(EN, vec![Change::Remove { unit: 1 }]), without);
        let new = Unit { key: UnitKey::name("n"), ..Unit::default() };
        let text = UnitText::Single("x".to_owned());
        let inserted = |after, before| with(EN, vec![Change::Insert { like: &new, text: &text, after, before }]);
        let before_greeting = EN.replace("  \"greeting\"", "  \"n\": \"x\",\n  \"greeting\"");
        assert_eq!(inserted(Some(1), Some(2)), before_greeting);
        assert_eq!(inserted(None, Some(2)), before_greeting);
        assert_eq!(inserted(None, None), EN.replace("\"Done\"", "\"Done\",\n  \"n\": \"x\""));
    }

    #[test]
    fn refuses_what_arb_cannot_express() {
        let text = UnitText::Single("x".to_owned());
        for key in [UnitKey::names(["a", "b"]), UnitKey::name("@a")] {
            let like = Unit { key, ..Unit::default() };
            let units = vec![Change::Insert { like: &like, text: &text, after: None, before: None }];
            let changes = CatalogChanges { units, ..CatalogChanges::default() };
            assert!(ArbFormat.edits(EN, &options(), &changes).is_err());
        }
        assert_eq!(ArbFormat.read("[]", &options()).unwrap_err().what, "an ARB file must be a JSON object, not a list");
    }

    #[test]
    fn the_last_duplicate_key_wins() {
        let text = r#"{"a": "1", "@a": {"description": "x"}, "a": "2", "@a": {"description": "y"}}"#;
        let catalog = ArbFormat.read(text, &options()).unwrap();
        assert_eq!(catalog.units.len(), 1);
        assert_eq!(
            (catalog.units[0].text_in_file_language(), catalog.units[0].note.as_deref()),
            (&UnitText::Single("2".to_owned()), Some("y"))
        );
        assert_eq!(catalog.duplicates, [DuplicateKey { key: UnitKey::name("a"), at: 1 }]);
        assert_eq!(with(text, vec![Change::Remove { unit: 0 }]), "{}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn invariants_hold(new in invariants::texts()) {
            let crlf = EN.replace('\n', "\r\n");
            let compact = r#"{"@@locale":"en","a":"x","@a":{"description":"y"},"b":"z"}"#;
            for text in [EN, &crlf, compact, EN.trim_end()] {
                invariants::check_all(&ArbFormat, text, &options(), &new);
            }
        }

        #[test]
        fn corrupted_files_do_not_panic(at in 0..EN.len(), end in 0..EN.len(), piece in "[\\[\\]{}\",:@\\\\ua0\\n]{0,4}") {
            let broken = [EN.get(..at).unwrap(), &piece, EN.get(end.max(at)..).unwrap()].concat();
            if let Ok(catalog) = ArbFormat.read(&broken, &options()) {
                let units = catalog.units.iter().map(|unit| Change::Remove { unit: unit.id }).collect();
                let _ = ArbFormat.read(&with(&broken, units), &options());
            }
        }
    }
}
