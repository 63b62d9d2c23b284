//! The rules for one phrase, source or target.

use tulk_base::limits;

use super::problem::{DictionaryRule, PhraseSide};
use crate::input::problem::{is_control, is_newline, saturating_u32};

/// Calls `report` for every broken rule, with the number of characters before the place.
pub(super) fn check(text: &str, report: &mut impl FnMut(u32, DictionaryRule), side: PhraseSide) {
    if text.is_empty() {
        report(0, DictionaryRule::Empty { side });
        return;
    }
    let is_printable_ascii = text.bytes().all(|b| (0x20..0x80).contains(&b));
    if !is_printable_ascii {
        for (index, c) in text.chars().enumerate() {
            if is_newline(c) {
                report(saturating_u32(index), DictionaryRule::Newline { side, c });
            } else if is_control(c) {
                report(saturating_u32(index), DictionaryRule::Control { side, c });
            }
        }
    }
    // A control character that counts as whitespace is reported once, as a control character.
    let is_space = |c: char| c.is_whitespace() && !is_control(c) && !is_newline(c);
    if text.starts_with(is_space) {
        report(0, DictionaryRule::Whitespace { side, leading: true });
    }
    if text.ends_with(is_space) && !text.chars().all(is_space) {
        let chars_before = text.trim_end_matches(is_space).chars().count();
        report(saturating_u32(chars_before), DictionaryRule::Whitespace { side, leading: false });
    }
    if text.len() > limits::GLOSSARY_PHRASE_BYTES {
        report(0, DictionaryRule::TooLong { side, bytes: saturating_u32(text.len()) });
    }
}

/// Returns whether a phrase contains a separator of TSV.
pub(super) fn breaks_tsv(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'\t' | b'\n'))
}
