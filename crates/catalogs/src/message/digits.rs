//! Finds whole numbers in a text, in the decimal digits of any script.

use std::ops::Range;

/// The digit zero of each script with decimal digits, sorted.
const ZEROS: &[u32] = &[
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620,
    0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x11066, 0x11136, 0x1e950,
];

fn digit(c: char) -> Option<u64> {
    if c.is_ascii() {
        return c.to_digit(10).map(u64::from);
    }
    let code = u32::from(c);
    let zero = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1).and_then(|at| ZEROS.get(at))?;
    (code - zero < 10).then_some(u64::from(code - zero))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TextNumber {
    pub(super) range: Range<usize>,
    /// `None` if the value exceeds `u64`.
    pub(super) value: Option<u64>,
    /// Whether it is a number by itself, not a part of `2.5` or `1,000`, and has no leading zero.
    pub(super) is_whole: bool,
}

pub(super) fn numbers(text: &str) -> Vec<TextNumber> {
    let mut found: Vec<TextNumber> = Vec::new();
    // Whether the previous character is a separator, and a number directly precedes it.
    let mut is_joined = false;
    let mut is_in_run = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match (digit(c), found.last_mut()) {
            (Some(value), Some(last)) if is_in_run => {
                last.range.end = end;
                // A number with a leading zero is not whole.
                last.is_whole &= last.value != Some(0);
                last.value = last.value.and_then(|old| old.checked_mul(10)?.checked_add(value));
            }
            (Some(value), last) => {
                let joined = is_joined && last.is_some();
                if let Some(last) = last.filter(|_| joined) {
                    last.is_whole = false;
                }
                found.push(TextNumber { range: at..end, value: Some(value), is_whole: !joined });
                is_in_run = true;
            }
            (None, _) => {
                is_joined = is_in_run && matches!(c, '.' | ',' | '\u{66b}' | '\u{66c}' | '\'' | '\u{2019}');
                is_in_run = false;
            }
        }
    }
    found
}

/// Returns the byte range of `number` if it occurs exactly once, as a whole number.
pub(super) fn sole_occurrence(text: &str, number: u64) -> Option<Range<usize>> {
    let mut positions = numbers(text).into_iter().filter(|found| found.value == Some(number));
    let position = positions.next().filter(|found| found.is_whole)?;
    positions.next().is_none().then_some(position.range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_sorted() {
        assert!(ZEROS.is_sorted());
    }

    #[test]
    fn finds_a_whole_number_that_occurs_once() {
        for (text, number, position) in [
            ("5 files", 5, Some(0..1)),
            ("15 files", 5, None),
            ("5 of 5", 5, None),
            ("2.5 of 2", 2, None),
            ("2.5 MB", 2, None),
            ("1,000", 1, None),
            ("There are 21.", 21, Some(10..12)),
            ("5. Datei, 6", 5, Some(0..1)),
            ("٥ ملفات", 5, Some(0..2)),
            ("۵ فایل", 5, Some(0..2)),
            ("५ फ़ाइलें", 5, Some(0..3)),
            ("৫টি ফাইল", 5, Some(0..3)),
            ("๕ ไฟล์", 5, Some(0..3)),
            ("5個のファイル", 5, Some(0..1)),
            ("５個", 5, Some(0..3)),
            ("five files", 5, None),
            ("99999999999999999999999", 9, None),
            ("05", 5, None),
            ("0 files", 0, Some(0..1)),
            ("100", 100, Some(0..3)),
        ] {
            assert_eq!(sole_occurrence(text, number), position, "{text}");
        }
    }
}
