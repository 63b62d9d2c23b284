//! Invariants of leaves, checked with the files of the tests.

use proptest::prelude::*;

use super::tests::{edited, fixtures, leaves};
use super::*;
use crate::{apply_edits, invariants};

/// Also checks that no other leaf changes.
fn check_set(text: &str, new: &str) {
    let before = leaves(text);
    for (number, leaf) in before.leaves.iter().enumerate().filter(|(_, leaf)| leaf.text.is_some()) {
        let changed = edited(text, &[LeafChange::Set { leaf: number, text: new }]);
        let after = leaves(&changed);
        assert_eq!(after.leaves.len(), before.leaves.len(), "{changed:?}");
        for (position, (old, now)) in before.leaves.iter().zip(&after.leaves).enumerate() {
            let text = if position == number { Some(new) } else { old.text.as_deref() };
            assert_eq!(
                (&now.key, now.text.as_deref(), &now.note),
                (&old.key, text, &old.note),
                "{} in {changed:?}",
                leaf.key
            );
        }
    }
}

/// Also checks that removing the leaf restores the bytes.
fn check_insert(text: &str, new: &str) {
    let before = leaves(text);
    for (number, leaf) in before.leaves.iter().enumerate() {
        let Ok(edits) = YamlFormat.leaf_edits(text, &[LeafChange::Remove { leaf: number }]) else { continue };
        let without = apply_edits(text, edits).unwrap();
        let rest = leaves(&without).leaves;
        let others = before.leaves.iter().filter(|other| other.key != leaf.key);
        if rest.len() != before.leaves.len() - 1 || rest.iter().zip(others).any(|(a, b)| a.key != b.key) {
            continue;
        }
        let insert = LeafChange::Insert {
            key: leaf.key.clone(),
            text: new,
            after: number.checked_sub(1),
            before: (number < rest.len()).then_some(number),
        };
        let with = edited(&without, &[insert]);
        let again = leaves(&with);
        let found = again.leaves.iter().position(|other| other.key == leaf.key).unwrap_or_else(|| panic!("{with:?}"));
        assert_eq!(again.leaves[found].text.as_deref(), Some(new), "{with:?}");
        assert_eq!(again.leaves.len(), before.leaves.len(), "{with:?}");
        assert_eq!(edited(&with, &[LeafChange::Remove { leaf: found }]), without, "{} inserted in {with:?}", leaf.key);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn invariants_hold(new in invariants::texts(), at in 0..10_usize) {
        let all = fixtures();
        let text = &all[at % all.len()];
        prop_assert_eq!(edited(text, &[]), text.as_str());
        check_set(text, &new);
        check_set(text, &[new.as_str(), "\n"].concat());
        check_insert(text, &new);
    }

    #[test]
    fn corrupted_files_do_not_panic(at in 0..10_usize, cuts in prop::collection::vec((0..900_usize, 0..4_usize, 0..10_usize), 1..6)) {
        let all = fixtures();
        let mut text = all[at % all.len()].clone();
        for (cut, length, piece) in cuts {
            let piece = ["", "\"", "- ", "? ", ": ", "[", "}", "\n", "&a ", "*a"][piece];
            let floor = |at: usize| text.floor_char_boundary(at.min(text.len()));
            text.replace_range(floor(cut)..floor(cut + length), piece);
        }
        if let Ok(tree) = YamlFormat.leaves(&text) {
            for leaf in 0..tree.leaves.len() {
                let key = tree.leaves[leaf].key.with(UnitKeyPart::Name("n".to_owned()));
                let sibling = UnitKey([tree.leaves[leaf].key.parent(), &[UnitKeyPart::Name("n".to_owned())]].concat());
                for change in [
                    LeafChange::Set { leaf, text: "new: text" },
                    LeafChange::Remove { leaf },
                    LeafChange::Insert { key, text: "x", after: Some(leaf), before: None },
                    LeafChange::Insert { key: sibling, text: "x", after: Some(leaf), before: None },
                ] {
                    if let Ok(edits) = YamlFormat.leaf_edits(&text, std::slice::from_ref(&change)) {
                        let changed = apply_edits(&text, edits).unwrap();
                        prop_assert!(YamlFormat.leaves(&changed).is_ok(), "{:?} makes {:?} of {:?}", change, changed, text);
                    }
                }
            }
        }
    }
}
