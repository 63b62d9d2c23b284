//! Splits a text that does not fit into a request at the best position in the longest prefix that fits.

use tulk_base::json::escaped_len;

use crate::record::has_only_crlf;

/// Returns whether an entry fits, in the form in which [`Slot::new`](crate::Slot::new) sends it.
pub(super) fn fits(entry: &str, limit: usize) -> bool {
    let saved = if has_only_crlf(entry) { 2 * entry.matches("\r\n").count() } else { 0 };
    escaped_len(entry.as_bytes()) - saved <= limit
}

pub(super) fn split_position(text: &str, limit: usize) -> usize {
    let mut window = longest_prefix(text, limit, true);
    if !has_only_crlf(window) {
        window = longest_prefix(text, limit, false);
    }
    best_split_position(window).unwrap_or_else(|| before_combining_marks(text, window.len()))
}

/// Returns the best position to split a text: after a blank line, else a line, a sentence, or whitespace.
pub(super) fn best_split_position(window: &str) -> Option<usize> {
    after_last_blank_line(window)
        .or_else(|| window.rfind('\n').map(|at| at + 1))
        .or_else(|| after_last_sentence(window))
        .or_else(|| window.char_indices().rfind(|(_, c)| c.is_whitespace()).map(|(at, c)| at + c.len_utf8()))
}

/// Returns the longest prefix with at most `limit` bytes as JSON. With `crlf_as_lf`, CRLF counts as one line feed.
fn longest_prefix(text: &str, limit: usize, crlf_as_lf: bool) -> &str {
    let mut used = 0;
    let mut last = '\0';
    for (at, c) in text.char_indices() {
        used += if crlf_as_lf && last == '\r' && c == '\n' {
            0
        } else {
            escaped_len(c.encode_utf8(&mut [0; 4]).as_bytes())
        };
        if used > limit {
            return text.get(..at).unwrap_or_default();
        }
        last = c;
    }
    text
}

fn after_last_blank_line(window: &str) -> Option<usize> {
    let mut end = window.rfind('\n')?;
    while let Some(before) = window.get(..end)?.rfind('\n') {
        if window.get(before..end)?.trim().is_empty() {
            return Some(end + 1);
        }
        end = before;
    }
    None
}

/// Returns the position after the last sentence and the whitespace that follows it.
fn after_last_sentence(window: &str) -> Option<usize> {
    let mut after = None;
    for (at, c) in window.char_indices().rev() {
        let end = at + c.len_utf8();
        match c {
            '。' | '！' | '？' | '｡' => {
                return Some(after.filter(|(_, space)| *space).map_or(end, |(end, _)| end));
            }
            '.' | '!' | '?' | '…' => {
                if let Some((end, true)) = after {
                    return Some(end);
                }
                after = None;
            }
            ')' | ']' | '"' | '\'' | '»' | '”' | '’' if after.is_some_and(|(_, space)| space) => {}
            c if c.is_whitespace() => after = Some(after.filter(|(_, space)| *space).unwrap_or((end, true))),
            _ => after = None,
        }
    }
    None
}

/// Moves a split position back if it would separate a character from its combining marks.
pub(super) fn before_combining_marks(text: &str, window: usize) -> usize {
    let belongs =
        |c: char| matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    let mut at = window;
    for _ in 0..16 {
        let next = text.get(at..).and_then(|t| t.chars().next());
        let last = text.get(..at).and_then(|t| t.chars().next_back());
        match (last, next) {
            (Some(last), Some(next)) if belongs(next) || last == '\u{200d}' => at -= last.len_utf8(),
            _ => break,
        }
    }
    if at == 0 { window } else { at }
}
