//! Invariants that every format must keep, as checks for the tests of formats.

use proptest::prelude::*;

use super::{CatalogChanges, CatalogFormat, Change, ReadOptions, Unit, UnitText, apply_edits};

/// Generates texts with character sequences that some format must escape.
pub fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Zäß ]{1,8}",
        prop::sample::select(vec![
            "\"",
            "'",
            "\\",
            "\n",
            "\t",
            "&",
            "<",
            ">",
            "]]>",
            "&amp;",
            "%",
            "%d",
            "{",
            "}",
            "#",
            ":",
            "@",
            "?",
            "$1",
            "\u{2028}",
            "\u{1f600}",
            "\u{a0}",
            "  ",
            ";",
            "|",
            "//",
            "--",
            "=",
            "!",
            ",",
            "[",
            "]",
            "\\n",
            "\\u0041",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

fn edited(format: &dyn CatalogFormat, text: &str, options: &ReadOptions, changes: Vec<Change<'_>>) -> String {
    let changes = CatalogChanges { units: changes, ..CatalogChanges::default() };
    let edits = format.edits(text, options, &changes).unwrap();
    apply_edits(text, edits).unwrap_or_else(|| panic!("edits overlap in {text:?}"))
}

fn units(format: &dyn CatalogFormat, text: &str, options: &ReadOptions) -> Vec<Unit> {
    format.read(text, options).unwrap_or_else(|error| panic!("{error:?} in {text:?}")).units
}

/// Returns the parts of a unit that a change of another unit must not affect.
fn content(unit: &Unit) -> impl PartialEq + std::fmt::Debug {
    (unit.key.clone(), unit.text.clone(), unit.target.clone(), unit.note.clone(), unit.skip, unit.needs_review)
}

pub fn check_no_changes(format: &dyn CatalogFormat, text: &str, options: &ReadOptions) {
    assert_eq!(edited(format, text, options, Vec::new()), text);
}

/// Also checks that no other unit changes.
pub fn set_then_read(format: &dyn CatalogFormat, text: &str, options: &ReadOptions, new: &str) {
    let before = units(format, text, options);
    for unit in before.iter().filter(|unit| unit.skip.is_none()) {
        let value = unit.text_in_file_language().with_text(new);
        let change = Change::Set { unit: unit.id, text: &value, markup: &[] };
        let changed = edited(format, text, options, vec![change]);
        let after = units(format, &changed, options);
        assert_eq!(after.len(), before.len(), "{changed:?}");
        for (old, new) in before.iter().zip(&after) {
            if old.id == unit.id {
                assert_eq!((&new.key, new.text_in_file_language()), (&old.key, &value), "{changed:?}");
                assert_eq!(new.note, old.note, "{changed:?}");
            } else {
                assert_eq!(content(new), content(old), "{changed:?}");
            }
        }
    }
}

pub fn set_all_then_read(format: &dyn CatalogFormat, text: &str, options: &ReadOptions, new: &str) {
    let before = units(format, text, options);
    let set: Vec<&Unit> = before.iter().filter(|unit| unit.skip.is_none()).collect();
    let values: Vec<UnitText> = set.iter().map(|unit| unit.text_in_file_language().with_text(new)).collect();
    let changes = set.iter().zip(&values).map(|(unit, value)| Change::Set { unit: unit.id, text: value, markup: &[] });
    let result = edited(format, text, options, changes.collect());
    let again = units(format, &result, options);
    let found: Vec<&UnitText> =
        again.iter().filter(|unit| unit.skip.is_none()).map(Unit::text_in_file_language).collect();
    assert_eq!(found, values.iter().collect::<Vec<_>>(), "{result:?}");
}

/// Checks that a removed unit can be inserted again in the same position without changing other units, and that
/// removing it again restores the bytes.
pub fn insert_then_remove(format: &dyn CatalogFormat, text: &str, options: &ReadOptions, new: &str) {
    let before = units(format, text, options);
    for (at, unit) in before.iter().enumerate().filter(|(_, unit)| unit.skip.is_none()) {
        let without = edited(format, text, options, vec![Change::Remove { unit: unit.id }]);
        let rest = units(format, &without, options);
        let others = before.iter().filter(|other| other.id != unit.id);
        if rest.len() != before.len() - 1 || rest.iter().zip(others).any(|(a, b)| a.key != b.key) {
            // The keys of later list items have changed.
            continue;
        }
        let value = unit.text_in_file_language().with_text(new);
        let after = at.checked_sub(1).and_then(|at| rest.get(at)).map(|unit| unit.id);
        let before_it = rest.get(at).map(|unit| unit.id);
        let insert = Change::Insert { like: unit, text: &value, after, before: before_it };
        let with = edited(format, &without, options, vec![insert]);
        let again = units(format, &with, options);
        let found = again.iter().find(|other| other.key == unit.key).unwrap_or_else(|| panic!("not in {with:?}"));
        assert_eq!(found.text_in_file_language(), &value, "{with:?}");
        assert_eq!(again.len(), before.len(), "{with:?}");
        let back = edited(format, &with, options, vec![Change::Remove { unit: found.id }]);
        assert_eq!(back, without, "inserted in {with:?}");
    }
}

pub fn check_all(format: &dyn CatalogFormat, text: &str, options: &ReadOptions, new: &str) {
    check_no_changes(format, text, options);
    set_then_read(format, text, options, new);
    set_all_then_read(format, text, options, new);
    insert_then_remove(format, text, options, new);
}
