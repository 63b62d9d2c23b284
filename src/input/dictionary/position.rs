//! Columns and counts of problems, as small as they are kept.

/// Returns the column right after a text that starts in column 1, in characters.
pub(super) fn column_after(text: &str) -> u32 {
    saturating_u32(text.chars().count() + 1)
}

/// Converts a count; `u32::MAX` stands for everything above 4 billion.
pub(super) fn saturating_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
