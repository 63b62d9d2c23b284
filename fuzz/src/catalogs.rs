//! Targets for message catalogues: one for each format, one for encodings, and one for files from translators. The inputs of the last
//! two are complete files. For a format, the first byte chooses how to read the file, and whether it is translated or some units are
//! changed. The second byte chooses the results, or a unit and its new text. The rest is the file.

use std::sync::Arc;

use tulk_catalogs::exchange::ReturnedFile;
use tulk_catalogs::{
    CATALOG_FORMATS, CatalogChanges, CatalogFile, CatalogKind, Change, DIALECT_FORMATS, Dialect, ReadOptions,
    SourcePlurals, Unit, UnitKeyPart, UnitText, apply_edits,
};
use tulk_formats::{FileFormatOptions, NamedFormat};
use tulk_pipeline::SentForm;

use super::format_properties::FormatProperties;
use super::{FuzzTarget, choices};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "json", check: |input| check("json", input) },
    FuzzTarget { name: "arb", check: |input| check("arb", input) },
    FuzzTarget { name: "yaml", check: |input| check("yaml", input) },
    FuzzTarget { name: "toml", check: |input| check("toml", input) },
    FuzzTarget { name: "po", check: |input| check("po", input) },
    FuzzTarget { name: "properties", check: |input| check("properties", input) },
    FuzzTarget { name: "android", check: |input| check("android", input) },
    FuzzTarget { name: "strings", check: |input| check("strings", input) },
    FuzzTarget { name: "stringsdict", check: |input| check("stringsdict", input) },
    FuzzTarget { name: "xcstrings", check: |input| check("xcstrings", input) },
    FuzzTarget { name: "xliff", check: |input| check("xliff", input) },
    FuzzTarget { name: "resx", check: |input| check("resx", input) },
    FuzzTarget { name: "php", check: |input| check("php", input) },
    FuzzTarget { name: "ftl", check: |input| check("ftl", input) },
    FuzzTarget { name: "catalog_encoding", check: encoding },
    FuzzTarget { name: "returned_file", check: returned },
];

/// Texts with everything that the formats must escape.
const NEW_TEXTS: &[&str] = &[
    "x",
    "a \"b\" 'c' \\ d",
    "a & b < c > d ]]> --",
    "a\nb\t\u{2028}\u{1f600}",
    " a  b\u{a0}",
    "%d {e} $1 \\n \\u0041 @f ?",
    "# a: b, c; [d] = !|",
    "",
];

fn encoding(input: &[u8]) {
    match CatalogFile::decode(input) {
        Ok(file) => assert_eq!(file.encode(&file.text), input, "the file changes"),
        Err(error) => assert!(error.at <= input.len(), "{error:?}"),
    }
}

/// Reads a file from a translator. Its texts must be at valid positions.
fn returned(input: &[u8]) {
    match ReturnedFile::read(input) {
        Ok((file, returned)) => {
            assert!(
                returned.texts.iter().all(|text| file.text.is_char_boundary(text.at)),
                "a text is not at a character boundary"
            );
        }
        Err(error) => assert!(error.at <= input.len(), "{error:?}"),
    }
}

fn check(name: &str, input: &[u8]) {
    let Some(([choice, new], rest)) = choices(input) else { return };
    let Some(kind) = CATALOG_FORMATS.iter().find(|kind| kind.name == name) else { return };
    let has_dialect = choice & 16 == 0 && DIALECT_FORMATS.contains(&name);
    let dialect = Dialect::ALL.get(usize::from(choice % 8)).filter(|_| has_dialect);
    if choice & 8 > 0 {
        translate(kind, dialect.map(|(_, name)| *name), rest, new);
        return;
    }
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let options = ReadOptions {
        dialect: dialect.map(|(dialect, _)| *dialect),
        target_lang: kind.is_bilingual.then(|| "de".to_owned()),
        source_plurals: None,
        encoding: None,
        skips_broken: choice & 32 > 0,
    };
    CatalogProperties { kind, options }.check(text, usize::from(new));
}

fn translate(kind: &'static CatalogKind, dialect: Option<&str>, input: &[u8], choice: u8) {
    let target = ["de", "ar", "ja"].get(usize::from(choice % 3)).copied().unwrap_or("pl").to_owned();
    let options = FileFormatOptions {
        front_matter: Vec::new(),
        dialect: dialect.map(str::to_owned),
        source_lang: choice.is_multiple_of(2).then(|| "en".to_owned()),
        targets: vec![target.clone()],
    };
    let format = NamedFormat::Catalog(kind).create(&options);
    let protector = super::text::protector(&[], SentForm::Tagged);
    FormatProperties { format, target, protector, choice, keeps_entries: false }.check(input, false);
}

struct CatalogProperties {
    kind: &'static CatalogKind,
    options: ReadOptions,
}

impl CatalogProperties {
    fn check(mut self, text: &str, new: usize) {
        let catalog = match self.kind.format.read(text, &self.options) {
            Ok(catalog) => catalog,
            Err(error) => {
                assert!(error.at <= text.len() && !error.what.is_empty(), "{error:?}");
                return;
            }
        };
        // Keep the detected dialect and plurals: a new text may look like another dialect, or no longer look like plural forms.
        self.options.dialect = catalog.dialect;
        self.options.source_plurals = Some(Arc::new(SourcePlurals::of(&catalog.units)));
        let before = self.units(text).unwrap_or_default();
        assert_eq!(before.len(), catalog.units.len(), "the detected dialect reads other units");
        assert!(before.iter().all(|unit| text.is_char_boundary(unit.at)), "a unit is not at a character boundary");
        assert_eq!(self.apply_changes(text, Vec::new()).as_deref(), Some(text), "edits without changes");
        let set: Vec<&Unit> = before.iter().filter(|unit| unit.skip.is_none()).collect();
        let Some(unit) = set.get(new / NEW_TEXTS.len() % set.len().max(1)) else { return };
        let text_of = NEW_TEXTS.get(new % NEW_TEXTS.len()).copied().unwrap_or_default();
        self.check_set_one(text, &before, unit, text_of);
        self.check_set_all(text, &set, text_of);
        self.check_remove_and_insert(text, &before, unit, text_of);
    }

    fn units(&self, text: &str) -> Option<Vec<Unit>> {
        Some(self.kind.format.read(text, &self.options).ok()?.units)
    }

    /// Returns `None` if the changes are refused.
    fn apply_changes(&self, text: &str, changes: Vec<Change<'_>>) -> Option<String> {
        let changes = CatalogChanges { units: changes, ..CatalogChanges::default() };
        let edits = self.kind.format.edits(text, &self.options, &changes).ok()?;
        let edited = apply_edits(text, edits);
        assert!(edited.is_some(), "edits overlap");
        edited
    }

    /// A changed text is read back, and the other units do not change.
    fn check_set_one(&self, text: &str, before: &[Unit], unit: &Unit, new: &str) {
        let value = unit.text_in_file_language().with_text(new);
        let Some(changed) = self.apply_changes(text, vec![Change::Set { unit: unit.id, text: &value, markup: &[] }])
        else {
            return;
        };
        let after = self.units(&changed);
        assert!(after.is_some(), "cannot be read: {changed:?}");
        let after = after.unwrap_or_default();
        let keys = |units: &[Unit]| units.iter().map(|unit| unit.key.clone()).collect::<Vec<_>>();
        assert_eq!(keys(&after), keys(before), "{changed:?}");
        for (old, new) in before.iter().zip(&after) {
            if old.id == unit.id {
                assert!(self.has_text(new, &value), "{new:?} in {changed:?}");
                assert_eq!(new.note, old.note, "{changed:?}");
            } else {
                let content = |unit: &Unit| (unit.text.clone(), unit.target.clone(), unit.note.clone(), unit.skip);
                assert_eq!(content(new), content(old), "{:?} in {changed:?}", new.key);
            }
        }
    }

    /// Returns whether a unit has a text. In bilingual files, a text of only whitespace may be read back as a missing translation, and
    /// plural forms may have other names than in the source.
    fn has_text(&self, unit: &Unit, text: &UnitText) -> bool {
        let is_same = unit.text_in_file_language() == text;
        is_same || self.kind.is_bilingual && (text.is_blank() || unit.text_in_file_language().texts().eq(text.texts()))
    }

    /// Texts that are changed together are all read back.
    fn check_set_all(&self, text: &str, set: &[&Unit], new: &str) {
        let values: Vec<UnitText> = set.iter().map(|unit| unit.text_in_file_language().with_text(new)).collect();
        let set_to = |(unit, text): (&&Unit, _)| Change::Set { unit: unit.id, text, markup: &[] };
        let Some(changed) = self.apply_changes(text, set.iter().zip(&values).map(set_to).collect()) else { return };
        let again = self.units(&changed);
        assert!(again.is_some(), "cannot be read: {changed:?}");
        let again = again.unwrap_or_default();
        for (unit, value) in set.iter().zip(&values) {
            let found = again.iter().find(|other| other.key == unit.key);
            assert!(found.is_some_and(|found| self.has_text(found, value)), "{:?} in {changed:?}", unit.key);
        }
    }

    /// A unit that is removed and then inserted with a new text is read back with this text.
    fn check_remove_and_insert(&self, text: &str, before: &[Unit], unit: &Unit, new: &str) {
        let Some(without) = self.apply_changes(text, vec![Change::Remove { unit: unit.id }]) else { return };
        let rest = self.units(&without);
        assert!(rest.is_some(), "cannot be read: {without:?}");
        let rest = rest.unwrap_or_default();
        let others = before.iter().filter(|other| other.id != unit.id);
        if rest.len() + 1 != before.len() || rest.iter().zip(others).any(|(a, b)| a.key != b.key) {
            // Removing a list item changes the keys of the items after it.
            return;
        }
        let at = before.iter().position(|other| other.id == unit.id).unwrap_or_default();
        let value = unit.text_in_file_language().with_text(new);
        let after = at.checked_sub(1).and_then(|at| rest.get(at)).map(|unit| unit.id);
        let insert = Change::Insert { like: unit, text: &value, after, before: rest.get(at).map(|unit| unit.id) };
        let Some(with) = self.apply_changes(&without, vec![insert]) else { return };
        let again = self.units(&with);
        assert!(again.is_some(), "cannot be read: {with:?}");
        let again = again.unwrap_or_default();
        if unit.key.0.iter().any(|part| matches!(part, UnitKeyPart::Item(_))) {
            // If the list also contains other values, the inserted item may get another key.
            return;
        }
        assert_eq!(again.len(), before.len(), "inserted in {with:?}");
        let found = again.iter().find(|other| other.key == unit.key);
        assert!(found.is_some_and(|found| self.has_text(found, &value)), "inserted in {with:?}");
    }
}
