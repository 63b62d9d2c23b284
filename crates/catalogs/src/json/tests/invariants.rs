//! Invariants of JSON leaves, with files in many layouts, generated changes and corrupted input.

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::{Leaf, LeafChange, LeafFormat, edited, leaves};
use crate::json::JsonFormat;
use crate::{UnitKey, UnitKeyPart, invariants};

const FILES: &[&str] = &[
    "{\n  \"a\": \"x\",\n  \"b\": {\n    \"c.d\": \"y\",\n    \"e\": [\"1\", \"2\", {\"f\": \"g\"}]\n  },\n  \"n\": 1.10\n}\n",
    "{\r\n\t// about a\r\n\t\"a\": 'x', // behind\r\n\r\n\t/* b\r\n\t * c */ b: {\r\n\t\tc: \"y\",\r\n\t},\r\n\t// end\r\n}",
    r#"{"a":"x","b":{"c":"y","d":"z"},"e":["1","2"]}"#,
    r#"{ "a": "\u00e9", "b": { "c": "y" , "d": /* in */ "z" }, "e": [ "1", /* two */ "2" ], }"#,
    "{ \"a\": \"x\",\n  \"b\": \"y\",\n  \"c\": \"z\" }",
    "{\n  \"a\": \"x\"\n, \"b\": \"y\"\n, \"c\": \"z\"\n}",
    "{\n\"a\": \"x\",  \n\"b\": \"y\"  \n}",
    "[\"a\", \"b\",\n \"c\", \"d\"]",
    "{\n  \"a\": \"x\", \"b\": \"y\",\n  \"c\": \"z\", // tail\n  \"a\": \"twice\"\n}\n",
    "// header\n{\n  // loose\n\n  \"a\": \"x\" /* one */, // two\n  \"b\": \"y\" // three\n}\n// footer\n",
];

/// Files differ in the whitespace and comments between members.
fn layouts() -> impl Strategy<Value = String> {
    let blank = prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\n  ",
        "\r\n\t",
        " // c\n",
        "/* c */",
        "\n\n ",
        "\n  // c\n  ",
        "  ",
    ]);
    let before_comma = prop::sample::select(vec!["", " ", "/* c */", " /* c */ "]);
    let member = (blank.clone(), before_comma, blank.clone());
    let kind = prop::sample::select(vec![("{", "\"k\": ", "}"), ("[", "", "]"), ("{\n  \"in\": {", "k: ", "}\n}\n")]);
    (kind, prop::collection::vec(member, 1..5), blank, any::<bool>()).prop_map(|(kind, members, end, comma)| {
        let (open, key, close) = kind;
        let mut text = open.to_owned();
        for (at, (before, behind, after_comma)) in members.iter().enumerate() {
            text.extend([*before, key.replace('k', &format!("k{at}")).as_str(), "\"x\"", behind]);
            if comma || at + 1 < members.len() {
                text.extend([",", after_comma]);
            }
        }
        [&text, end, close].concat()
    })
}

/// Returns a leaf without its position.
fn content(leaf: &Leaf) -> (String, Option<String>, Option<String>) {
    (leaf.key.to_string(), leaf.text.clone(), leaf.note.clone())
}

fn contents(text: &str) -> Vec<(String, Option<String>, Option<String>)> {
    leaves(text).iter().map(content).collect()
}

fn set_then_read(text: &str, new: &str) {
    let before = contents(text);
    for leaf in 0..before.len() {
        let after = edited(text, &[LeafChange::Set { leaf, text: new }]);
        let mut wanted = before.clone();
        wanted[leaf].1 = Some(new.to_owned());
        assert_eq!(contents(&after), wanted, "{after}");
        let at = leaves(text)[leaf].at;
        assert_eq!(after.get(..at), text.get(..at));
    }
    let all: Vec<_> = (0..before.len()).map(|leaf| LeafChange::Set { leaf, text: new }).collect();
    assert!(contents(&edited(text, &all)).iter().all(|leaf| leaf.1.as_deref() == Some(new)));
}

fn insert_then_remove(text: &str, new: &str) {
    let before = leaves(text);
    for at in 0..=before.len() {
        let (after, next) = (at.checked_sub(1), (at < before.len()).then_some(at));
        for neighbour in [after, next].into_iter().flatten() {
            let parent = before[neighbour].key.parent();
            for levels in 1..3 {
                let mut key = parent.to_vec();
                if let Some(UnitKeyPart::Item(number)) = before[neighbour].key.0.last() {
                    key.push(UnitKeyPart::Item(number + usize::from(Some(neighbour) == after)));
                }
                while key.len() < parent.len() + levels {
                    key.push(UnitKeyPart::Name("new.key".to_owned()));
                }
                let key = UnitKey(key);
                if before.iter().any(|leaf| leaf.key.0.starts_with(&key.0) || key.0.starts_with(&leaf.key.0)) {
                    continue;
                }
                let insert = LeafChange::Insert { key: key.clone(), text: new, after, before: next };
                let with = edited(text, &[insert]);
                let again = leaves(&with);
                assert_eq!(again.len(), before.len() + 1, "{with}");
                let Some(found) = again.iter().position(|leaf| leaf.key == key) else { panic!("no {key} in {with}") };
                assert_eq!(again[found].text.as_deref(), Some(new));
                assert_eq!(again[found].note, None, "{with}");
                let others: Vec<_> =
                    again.iter().enumerate().filter(|(i, _)| *i != found).map(|(_, l)| content(l)).collect();
                assert_eq!(others, before.iter().map(content).collect::<Vec<_>>(), "{with}");
                assert_eq!(edited(&with, &[LeafChange::Remove { leaf: found }]), text, "inserted in {with}");
            }
        }
    }
}

/// Removes the leaves selected by the bits of `mask`, sets the others, and checks the result.
fn remove_some(text: &str, mask: u32) {
    let before = leaves(text);
    let goes = |at: usize| mask >> (at % 32) & 1 == 1;
    let changes: Vec<_> = (0..before.len())
        .map(|leaf| if goes(leaf) { LeafChange::Remove { leaf } } else { LeafChange::Set { leaf, text: "set" } })
        .collect();
    let after = edited(text, &changes);
    let texts: Vec<_> = leaves(&after).into_iter().map(|leaf| (leaf.text, leaf.note)).collect();
    let wanted = before.iter().enumerate().filter(|(at, _)| !goes(*at));
    let wanted: Vec<_> = wanted.map(|(_, leaf)| (Some("set".to_owned()), leaf.note.clone())).collect();
    assert_eq!(texts, wanted, "{after}");
}

/// Removes the leaves selected by `removed`, sets the others, and inserts one after each leaf selected by `followed`.
fn change_many(text: &str, removed: u32, followed: u32) {
    let before = leaves(text);
    let is_in = |mask: u32, at: usize| mask >> (at % 32) & 1 == 1;
    let mut changes = Vec::new();
    let mut wanted = Vec::new();
    for (leaf, found) in before.iter().enumerate() {
        if is_in(removed, leaf) {
            changes.push(LeafChange::Remove { leaf });
        } else {
            changes.push(LeafChange::Set { leaf, text: "set" });
            wanted.push(("set", found.note.clone()));
        }
        if is_in(followed, leaf) {
            let part = match found.key.0.last() {
                Some(UnitKeyPart::Item(number)) => UnitKeyPart::Item(number + 1),
                _ => UnitKeyPart::Name(format!("new{leaf}")),
            };
            let key = UnitKey([found.key.parent(), &[part]].concat());
            changes.push(LeafChange::Insert { key, text: "new", after: Some(leaf), before: None });
            wanted.push(("new", None));
        }
    }
    let after = edited(text, &changes);
    let found = leaves(&after);
    let found: Vec<_> = found.iter().map(|l| (l.text.as_deref().unwrap_or_default(), l.note.clone())).collect();
    assert_eq!(found, wanted, "{changes:?} in {text} to {after}");
}

#[test]
fn no_changes_make_no_edits() {
    for text in FILES {
        assert_eq!(edited(text, &[]), *text);
        let same: Vec<String> = leaves(text).into_iter().map(|leaf| leaf.text.unwrap_or_default()).collect();
        let sets = same.iter().enumerate().filter(|(_, text)| !text.is_empty());
        let sets: Vec<_> = sets.map(|(leaf, text)| LeafChange::Set { leaf, text }).collect();
        assert_eq!(edited(text, &sets), *text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn invariants_hold(new in invariants::texts()) {
        for text in FILES {
            set_then_read(text, &new);
            insert_then_remove(text, &new);
        }
    }

    #[test]
    fn remaining_leaves_survive_removals(mask in any::<u32>()) {
        for text in FILES {
            remove_some(text, mask);
        }
    }

    #[test]
    fn invariants_hold_in_all_layouts(text in layouts(), removed in any::<u32>(), followed in any::<u32>()) {
        insert_then_remove(&text, "new");
        change_many(&text, removed, followed);
    }

    #[test]
    fn many_changes_together_are_read_back(removed in any::<u32>(), followed in any::<u32>()) {
        for text in FILES {
            change_many(text, removed, followed);
        }
    }

    #[test]
    fn corrupted_files_do_not_panic(
        file in 0..FILES.len(),
        cut in any::<prop::sample::Index>(),
        piece in "[\\[\\]{}\",:/*'\\\\ua0\\n é-]{0,6}",
    ) {
        let text = FILES[file];
        let mut at = cut.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (start, end) = text.split_at(at);
        for broken in [[start, &piece].concat(), [start, &piece, end].concat()] {
            if let Ok(tree) = JsonFormat.leaves(&broken) {
                let changes = [
                    (0..tree.leaves.len()).map(|leaf| LeafChange::Remove { leaf }).collect::<Vec<_>>(),
                    (0..tree.leaves.len()).map(|leaf| LeafChange::Set { leaf, text: "x" }).collect(),
                ];
                for changes in changes {
                    let _ = leaves(&edited(&broken, &changes));
                }
            }
        }
    }
}

#[test]
fn editing_takes_linear_time() {
    for separator in [",", ",\n  "] {
        let file = |keys| {
            let members: Vec<String> = (0..keys).map(|at| format!("\"key{at}\":\"some text {at}\"")).collect();
            ["{", &members.join(separator), "}"].concat()
        };
        assert_linear(&format!("{separator:?}"), 3000, file, |text| {
            let keys: Vec<_> = leaves(text).into_iter().map(|leaf| leaf.key).collect();
            let changes: Vec<_> = keys
                .iter()
                .enumerate()
                .map(|(leaf, key)| match leaf % 3 {
                    0 => LeafChange::Remove { leaf },
                    1 => LeafChange::Set { leaf, text: "new" },
                    _ => LeafChange::Insert {
                        key: UnitKey::name(format!("n{key}")),
                        text: "new",
                        after: Some(leaf),
                        before: None,
                    },
                })
                .collect();
            assert_eq!(leaves(&edited(text, &changes)).len(), keys.len());
        });
    }
}
