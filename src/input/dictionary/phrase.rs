//! The rules of one phrase, source or target.
//!
//! Spec: "Glossaries", content rules. DEL (U+007F) belongs to neither C0 nor C1 and passes.

use super::number;
use super::problem::{Rule, Side};
use crate::limits;

/// Tells `report` every broken rule with the number of characters before it.
pub(super) fn check(text: &str, report: &mut impl FnMut(u32, Rule), side: Side) {
    if text.is_empty() {
        report(0, Rule::Empty { side });
        return;
    }
    let is_plain = text.bytes().all(|b| (0x20..0x80).contains(&b));
    if !is_plain {
        for (index, c) in text.chars().enumerate() {
            if is_newline(c) {
                report(number(index), Rule::Newline { side, c });
            } else if is_control(c) {
                report(number(index), Rule::Control { side, c });
            }
        }
    }
    // A control character that counts as white space is told once, as what it is.
    let is_outer = |c: char| c.is_whitespace() && !is_control(c) && !is_newline(c);
    if text.starts_with(is_outer) {
        report(0, Rule::Whitespace { side, leading: true });
    }
    if text.ends_with(is_outer) && !text.chars().all(is_outer) {
        let inner = text.trim_end_matches(is_outer).chars().count();
        report(number(inner), Rule::Whitespace { side, leading: false });
    }
    if text.len() > limits::GLOSSARY_PHRASE_BYTES {
        report(0, Rule::TooLong { side, bytes: number(text.len()) });
    }
}

/// Whether a phrase would tear a TSV file apart.
pub(super) fn breaks_lines(text: &str) -> bool {
    text.bytes().any(|b| matches!(b, b'\t' | b'\n'))
}

fn is_control(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{1f}' | '\u{80}'..='\u{9f}')
}

fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
