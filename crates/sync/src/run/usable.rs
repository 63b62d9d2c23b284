//! Changes a target although some of its new texts cannot stand in it.
//!
//! Input: a change. Output: the target without the texts that the format cannot write or that make the file unreadable, which are
//! found by halving, and why each of them is left out.

use tulk_base::error::Failure;

use crate::apply::{ChangedTarget, NewText, RemovedUnit, TargetChange};
use crate::load::{CatalogPath, LoadedCatalog};

/// Maximum number of attempts. A file of which more is wrong fails as a whole.
const ATTEMPTS: usize = 200;
/// Why a text is left out that was set, but is not there.
const NOT_THERE: &str = "the result cannot stand in the file";

/// Applies a change. Returns the texts that were left out by their positions.
pub fn apply_usable(
    change: &TargetChange<'_>,
    path: &CatalogPath<'_>,
    now: Option<&LoadedCatalog>,
) -> Result<(ChangedTarget, Vec<(usize, String)>), Failure> {
    match change.apply(path, now) {
        Ok(changed) => {
            let unusable = changed.lost.iter().map(|number| (*number, NOT_THERE.to_owned())).collect();
            Ok((changed, unusable))
        }
        Err(failure) => without_unusable(change, path, now).ok_or(failure),
    }
}

/// Finds the texts that cannot be used and applies the others. `None` if the texts are not what is wrong.
fn without_unusable(
    change: &TargetChange<'_>,
    path: &CatalogPath<'_>,
    now: Option<&LoadedCatalog>,
) -> Option<(ChangedTarget, Vec<(usize, String)>)> {
    let attempt = |numbers: &[usize]| {
        let texts: Vec<NewText> = numbers.iter().filter_map(|number| change.texts.get(*number).cloned()).collect();
        TargetChange { texts: &texts, removed: &[], ..*change }.apply(path, now)
    };
    attempt(&[]).ok()?;
    let all: Vec<usize> = (0..change.texts.len()).collect();
    let (mut open, mut unusable, mut attempts) = (vec![all], Vec::new(), 0);
    while let Some(numbers) = open.pop() {
        attempts += 1;
        let Err(failure) = attempt(&numbers) else { continue };
        match numbers.as_slice() {
            [only] => unusable.push((*only, failure.what)),
            _ if attempts > ATTEMPTS => return None,
            _ => {
                let (first, second) = numbers.split_at(numbers.len() / 2);
                open.extend([second.to_vec(), first.to_vec()]);
            }
        }
    }
    let left_out = |number: &usize| unusable.iter().any(|(other, _)| other == number);
    let kept: Vec<usize> = (0..change.texts.len()).filter(|number| !left_out(number)).collect();
    let texts: Vec<NewText> = kept.iter().filter_map(|number| change.texts.get(*number).cloned()).collect();
    // A unit whose new place has no text stays at its old one. The positions of the others stay what they are.
    let removed: Vec<RemovedUnit> = change
        .removed
        .iter()
        .map(|removed| {
            let for_text = removed.for_text.map(|text| kept.binary_search(&text).unwrap_or(usize::MAX));
            RemovedUnit { for_text, ..removed.clone() }
        })
        .collect();
    let (removed_now, positions): (Vec<RemovedUnit>, Vec<usize>) =
        removed.into_iter().zip(0..).filter(|(removed, _)| removed.for_text != Some(usize::MAX)).unzip();
    let changed = TargetChange { texts: &texts, removed: &removed_now, ..*change }.apply(path, now).ok()?;
    let number = |at: &usize| kept.get(*at).copied();
    let ChangedTarget { bytes, written, kept: unchanged, lost, removed } = changed;
    unusable.extend(lost.iter().filter_map(number).map(|at| (at, NOT_THERE.to_owned())));
    let changed = ChangedTarget {
        bytes,
        written: written.iter().filter_map(|(at, digest)| Some((number(at)?, *digest))).collect(),
        kept: unchanged.iter().filter_map(number).collect(),
        lost: unusable.iter().map(|(at, _)| *at).collect(),
        removed: removed.iter().filter_map(|at| positions.get(*at).copied()).collect(),
    };
    Some((changed, unusable))
}
