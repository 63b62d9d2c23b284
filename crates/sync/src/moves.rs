//! Detects renamed keys. If exactly one unit whose key is gone and exactly one new unit have the same text, the targets
//! and authors move to the new key without a request. A list item whose text has changed counts as gone and as new: its
//! old text may have moved to another position, and its new text may have moved here.

use std::collections::HashMap;

use super::digest::TextDigest;

/// The location of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitLocation {
    /// Name of the file in the lock.
    pub file: String,
    /// Key in the lock.
    pub key: String,
}

/// A renamed unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitMove {
    /// Old location.
    pub from: UnitLocation,
    /// New location.
    pub to: UnitLocation,
}

/// A unit and the digests of its current or former source texts.
pub type UnitTexts = (UnitLocation, Vec<TextDigest>);

/// Pairs units whose keys are gone with new units of the same text.
pub fn find_moves(gone: &[UnitTexts], new: &[UnitTexts]) -> Vec<UnitMove> {
    let mut moves = Vec::new();
    let mut is_taken = (vec![false; gone.len()], vec![false; new.len()]);
    // Moves within a file take precedence over moves between files.
    for within_file in [true, false] {
        let file = |location: &UnitLocation| if within_file { location.file.clone() } else { String::new() };
        let mut candidates: HashMap<(String, TextDigest), Candidates> = HashMap::new();
        for (at, (location, digests)) in gone.iter().enumerate().filter(|(at, _)| is_taken.0.get(*at) == Some(&false)) {
            for digest in digests {
                candidates.entry((file(location), *digest)).or_default().gone.push(at);
            }
        }
        for (at, (location, digests)) in new.iter().enumerate().filter(|(at, _)| is_taken.1.get(*at) == Some(&false)) {
            for digest in digests {
                if let Some(candidates) = candidates.get_mut(&(file(location), *digest)) {
                    candidates.new.push(at);
                }
            }
        }
        let mut pairs: Vec<(usize, usize)> = candidates.into_values().filter_map(|found| found.only_pair()).collect();
        pairs.sort_unstable();
        for (from, to) in pairs {
            let (Some((old, _)), Some((location, _))) = (gone.get(from), new.get(to)) else { continue };
            let (Some(from_taken), Some(to_taken)) = (is_taken.0.get_mut(from), is_taken.1.get_mut(to)) else {
                continue;
            };
            if *from_taken || *to_taken || old == location {
                continue;
            }
            (*from_taken, *to_taken) = (true, true);
            moves.push(UnitMove { from: old.clone(), to: location.clone() });
        }
    }
    moves
}

#[derive(Default)]
struct Candidates {
    gone: Vec<usize>,
    new: Vec<usize>,
}

impl Candidates {
    fn only_pair(&self) -> Option<(usize, usize)> {
        match (self.gone.as_slice(), self.new.as_slice()) {
            ([from], [to]) => Some((*from, *to)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(location: &str) -> UnitLocation {
        let (file, key) = location.split_once(' ').unwrap();
        UnitLocation { file: file.to_owned(), key: key.to_owned() }
    }

    /// Finds moves between units given as `file key=text`.
    fn moves(gone: &[&str], new: &[&str]) -> Vec<(String, String)> {
        let parse = |unit: &&str| {
            let (at, text) = unit.split_once('=').unwrap();
            (location(at), TextDigest::of_text(text))
        };
        let units = |units: &[&str]| -> Vec<UnitTexts> {
            units.iter().map(parse).map(|(location, digest)| (location, vec![digest])).collect()
        };
        let (gone, new) = (units(gone), units(new));
        let shown = |location: UnitLocation| format!("{} {}", location.file, location.key);
        find_moves(&gone, &new).into_iter().map(|found| (shown(found.from), shown(found.to))).collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn a_renamed_key_is_a_move() {
        assert_eq!(moves(&["a x=Save"], &["a y=Save"]), pairs(&[("a x", "a y")]));
        assert_eq!(moves(&["a x=Save"], &["a y=Open"]), []);
    }

    #[test]
    fn several_candidates_are_not_moved() {
        assert_eq!(moves(&["a x=Save"], &["a y=Save", "a z=Save"]), []);
        assert_eq!(moves(&["a x=Save", "a w=Save"], &["a y=Save"]), []);
    }

    #[test]
    fn moves_within_a_file_win() {
        assert_eq!(
            moves(&["a x=Save", "b x=Save"], &["a y=Save", "c y=Save"]),
            pairs(&[("a x", "a y"), ("b x", "c y")])
        );
        assert_eq!(moves(&["a x=Save"], &["b x=Save"]), pairs(&[("a x", "b x")]));
        assert_eq!(moves(&["a x=Save"], &["b x=Save", "c x=Save"]), []);
    }

    #[test]
    fn list_items_move_up() {
        let gone = ["a steps.0=A", "a steps.1=B", "a steps.2=C"];
        assert_eq!(
            moves(&gone, &["a steps.0=B", "a steps.1=C"]),
            pairs(&[("a steps.1", "a steps.0"), ("a steps.2", "a steps.1")])
        );
    }

    #[test]
    fn finds_a_unit_by_any_of_its_sources() {
        let digests = ["Save", "Save all"].map(TextDigest::of_text).to_vec();
        let gone = [(location("a x"), digests)];
        for text in ["Save", "Save all"] {
            let new = [(location("a y"), vec![TextDigest::of_text(text)])];
            assert_eq!(find_moves(&gone, &new).len(), 1);
        }
    }
}
