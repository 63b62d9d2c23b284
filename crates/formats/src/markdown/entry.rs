//! Builds the text of one block and the tokens of its markup from parser events.

use std::mem;
use std::ops::Range;

use tulk_catalogs::inline::{InlineToken, TokenKind, has_letters};

use super::mask::{MaskedText, normalized_label};
use crate::record::Slot;

#[derive(Clone, Debug)]
pub(super) struct BlockPart {
    pub(super) kind: PartKind,
    pub(super) range: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    Text,
    /// Code, an escape, a tag, an address: must not change.
    Fixed,
    /// A line ending that is shown as a space.
    SoftBreak,
    /// A line ending that is shown as a line break.
    HardBreak,
    /// The start of a pair, such as emphasis or a link, with the length of its opening marker in bytes. The range is the
    /// complete pair.
    Open(PairForm, usize),
    Close,
}

/// Form of the end of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairForm {
    /// As many bytes as its start.
    Emphasis,
    /// Everything after the text.
    Link,
    /// Everything after the text. The text is also the label of the link: `[label]` or `[label][]`.
    LabelledLink,
}

/// Returns `None` if there is nothing to translate. The document starts at `base` in the record.
pub(super) fn block_slot(masked: &MaskedText, source: &str, base: usize, parts: &[BlockPart]) -> Option<Slot> {
    let start = parts.first()?.range.start;
    // If the text starts with an escape, the parser leaves out the backslash.
    let is_escaped = source.get(..start).is_some_and(|before| before.ends_with('\\'));
    let first = if is_escaped { start - 1 } else { start };
    let mut entry = EntryBuilder {
        masked,
        source,
        text: String::new(),
        tokens: Vec::new(),
        processed_to: first,
        start: first,
        last_break: None,
        open: Vec::new(),
        next_pair: 0,
    };
    for part in parts {
        entry.add_part(part);
    }
    entry.into_slot(base)
}

struct OpenPair {
    form: PairForm,
    len: usize,
    range: Range<usize>,
    number: u16,
    token: usize,
}

struct EntryBuilder<'a> {
    masked: &'a MaskedText,
    source: &'a str,
    text: String,
    tokens: Vec<InlineToken>,
    /// Offset in the document.
    processed_to: usize,
    /// Start of the entry in the document.
    start: usize,
    /// The line break before the next part.
    last_break: Option<PartKind>,
    open: Vec<OpenPair>,
    next_pair: u16,
}

impl EntryBuilder<'_> {
    fn add_part(&mut self, part: &BlockPart) {
        let range = part.range.clone();
        if range.start < self.processed_to && part.kind != PartKind::Close {
            return;
        }
        match part.kind {
            PartKind::Text => self.add_text(range),
            PartKind::Fixed => {
                self.fill_gap(range.start);
                // The parser includes trailing whitespace of a heading in the last part.
                let end = self.source.get(..range.end).unwrap_or_default().trim_end().len();
                self.push_fixed(range.start..end.max(range.start));
            }
            PartKind::SoftBreak => self.add_soft_break(range),
            PartKind::HardBreak => {
                self.fill_gap(range.start);
                self.push_fixed(range);
                self.last_break = Some(PartKind::HardBreak);
            }
            PartKind::Open(form, len) => {
                self.fill_gap(range.start);
                self.push_space();
                let token = self.tokens.len();
                self.push_token(range.start..range.start + len, TokenKind::Open(self.next_pair));
                self.open.push(OpenPair { form, len, range, number: self.next_pair, token });
                self.next_pair = self.next_pair.saturating_add(1);
            }
            PartKind::Close => self.close_pair(),
        }
    }

    /// Processes the bytes between the last part and the next: the prefix of a line, whitespace, or a backslash.
    fn fill_gap(&mut self, to: usize) {
        let gap = self.source.get(self.processed_to..to).unwrap_or_default();
        match self.last_break {
            Some(PartKind::HardBreak) => {
                self.push_fixed(self.processed_to..to);
                self.last_break = None;
            }
            Some(_) => {
                // The backslash of an escape may follow the line prefix.
                let rest = gap.trim_start_matches([' ', '\t', '\r', '\n', '>']);
                self.processed_to = to - rest.len();
                if !rest.is_empty() {
                    self.push_fixed(self.processed_to..to);
                }
            }
            None if gap.trim().is_empty() => self.push_text(self.processed_to..to),
            None => self.push_fixed(self.processed_to..to),
        }
    }

    fn add_text(&mut self, range: Range<usize>) {
        self.fill_gap(range.start);
        let mut at = range.start;
        let is_escaped = self.source.get(..at).is_some_and(|before| before.ends_with('\\'))
            && self
                .tokens
                .last()
                .is_some_and(|token| token.range.end as usize == self.text.len() && self.text.ends_with('\\'));
        if let Some(escaped) =
            self.source.get(range.clone()).and_then(|text| text.chars().next()).filter(|_| is_escaped)
        {
            self.push_fixed(at..at + escaped.len_utf8());
            at += escaped.len_utf8();
        }
        if self
            .masked
            .text()
            .get(range.clone())
            .is_some_and(|text| text.starts_with('&') && text.ends_with(';') && text.len() > 2)
        {
            return self.push_fixed(range);
        }
        for fixed in self.masked.fixed_in(&range) {
            let fixed = fixed.start.max(at)..fixed.end.min(range.end);
            self.push_text(at..fixed.start);
            at = fixed.end;
            self.push_fixed(fixed);
        }
        self.push_text(at..range.end);
    }

    fn add_soft_break(&mut self, range: Range<usize>) {
        self.fill_gap(range.start);
        self.trim_end();
        if self.tokens.is_empty() && !has_letters(&self.text, &[]) {
            // Leave out lines without letters at the start of the block.
            self.text.clear();
        }
        self.processed_to = range.end;
        self.last_break = Some(PartKind::SoftBreak);
    }

    /// Removes trailing whitespace that is not part of a token. Returns its length.
    fn trim_end(&mut self) -> usize {
        let fixed = self.tokens.last().map_or(0, |token| token.range.end as usize);
        let len = self.text.trim_end().len().max(fixed);
        let removed = self.text.len() - len;
        self.text.truncate(len);
        removed
    }

    /// Appends the space for a soft break, unless both neighbours are Chinese or Japanese characters.
    fn push_space(&mut self) {
        if self.last_break.take() != Some(PartKind::SoftBreak) {
            return;
        }
        let next = self.source.get(self.processed_to..).and_then(|text| text.chars().next());
        let is_inside_sentence =
            [self.text.chars().next_back(), next].iter().all(|c| c.is_some_and(is_written_without_spaces));
        if !is_inside_sentence && !self.text.is_empty() {
            self.text.push(' ');
        }
    }

    fn push_text(&mut self, range: Range<usize>) {
        let mut text = self.source.get(range.clone()).unwrap_or_default();
        if self.text.is_empty() {
            text = text.trim_start();
            self.start = range.end - text.len();
        }
        if !text.is_empty() {
            self.processed_to = range.end - text.len();
            self.push_space();
            self.text.push_str(text);
        }
        self.processed_to = range.end;
    }

    fn push_token(&mut self, range: Range<usize>, kind: TokenKind) {
        let start = self.text.len();
        if start == 0 {
            self.start = range.start;
        }
        self.text.push_str(self.source.get(range.clone()).unwrap_or_default());
        self.processed_to = range.end;
        self.tokens.push(InlineToken { range: token_range(start, self.text.len()), kind });
    }

    /// Appends a fixed token, or extends the previous one.
    fn push_fixed(&mut self, range: Range<usize>) {
        self.processed_to = range.start;
        self.push_space();
        let start = self.text.len();
        match self.tokens.last_mut() {
            Some(last) if last.kind == TokenKind::Fixed && last.range.end as usize == start => {
                self.text.push_str(self.source.get(range.clone()).unwrap_or_default());
                last.range = token_range(last.range.start as usize, self.text.len());
                self.processed_to = range.end;
            }
            _ if range.is_empty() => {}
            _ => self.push_token(range, TokenKind::Fixed),
        }
    }

    fn close_pair(&mut self) {
        let Some(pair) = self.open.pop() else { return };
        // The parser includes trailing whitespace of a heading in the last pair.
        let end = self.source.get(..pair.range.end).unwrap_or_default().trim_end().len();
        let close = match pair.form {
            PairForm::Emphasis => end - pair.len,
            PairForm::Link | PairForm::LabelledLink => {
                // The marker at the end of a link starts after any line breaks that follow the text of the link.
                let rest = self.source.get(self.processed_to..end).unwrap_or_default();
                end - rest.trim_start_matches([' ', '\t', '\r', '\n', '>']).len()
            }
        };
        if close > self.processed_to && self.last_break != Some(PartKind::SoftBreak) {
            self.fill_gap(close);
        }
        self.last_break = None;
        let start = self.tokens.get(pair.token).map_or(0, |token| token.range.start as usize);
        let inner = self.tokens.get(pair.token..).unwrap_or_default();
        if !has_letters(
            self.text.get(..).unwrap_or_default().get(start..).unwrap_or_default(),
            &shifted_tokens(inner, start),
        ) {
            self.tokens.truncate(pair.token);
            self.text.truncate(start);
            return self.push_fixed(pair.range.start..end);
        }
        let token_start = self.text.len();
        self.push_token(close..end, TokenKind::Close(pair.number));
        if pair.form == PairForm::LabelledLink {
            self.text.truncate(token_start);
            let label = self.source.get(pair.range.start + pair.len..close).unwrap_or_default();
            self.text.push_str("][");
            self.text.push_str(&label_on_one_line(label));
            self.text.push(']');
            if let Some(token) = self.tokens.last_mut() {
                token.range = token_range(token_start, self.text.len());
            }
        }
        self.join_pairs(&pair);
    }

    /// Merges two pairs that start and end at the same positions.
    fn join_pairs(&mut self, outer: &OpenPair) {
        let last = self.tokens.len() - 1;
        let (Some(open), Some(inner_open)) = (self.tokens.get(outer.token), self.tokens.get(outer.token + 1)) else {
            return;
        };
        let (Some(close), Some(inner_close)) = (self.tokens.get(last), self.tokens.get(last.saturating_sub(1))) else {
            return;
        };
        let TokenKind::Open(inner) = inner_open.kind else { return };
        let is_same = inner_close.kind == TokenKind::Close(inner)
            && open.range.end == inner_open.range.start
            && inner_close.range.end == close.range.start;
        if !is_same {
            return;
        }
        let (end, start) = (inner_open.range.end, inner_close.range.start);
        let close_end = close.range.end;
        self.tokens.truncate(last);
        if let Some(close) = self.tokens.last_mut() {
            *close = InlineToken { range: start..close_end, kind: TokenKind::Close(outer.number) };
        }
        self.tokens.remove(outer.token + 1);
        if let Some(open) = self.tokens.get_mut(outer.token) {
            open.range.end = end;
        }
    }

    fn into_slot(mut self, base: usize) -> Option<Slot> {
        let mut end = self.processed_to - self.trim_end();
        // A line break at the end of a heading is not shown.
        let len = self.text.trim_end().len();
        end -= self.text.len() - len;
        self.text.truncate(len);
        let clamped = token_range(len, len).start;
        while self.tokens.pop_if(|last| last.kind == TokenKind::Fixed && last.range.start >= clamped).is_some() {}
        if let Some(last) = self.tokens.last_mut() {
            last.range.end = last.range.end.min(clamped);
        }
        let is_contents = matches!(normalized_label(&self.text).as_str(), "[toc]" | "[[toc]]");
        if !has_letters(&self.text, &self.tokens) || is_contents {
            return None;
        }
        let is_same = self.source.get(self.start..end) == Some(self.text.as_str());
        let span = u32::try_from(base + self.start).ok()?..u32::try_from(base + end).ok()?;
        let text = (!is_same).then(|| mem::take(&mut self.text));
        Some(Slot { text_start: span.start, span, text, tokens: self.tokens, ..Slot::default() })
    }
}

fn token_range(start: usize, end: usize) -> Range<u32> {
    let clamp = |at| u32::try_from(at).unwrap_or(u32::MAX);
    clamp(start)..clamp(end)
}

fn shifted_tokens(tokens: &[InlineToken], start: usize) -> Vec<InlineToken> {
    let start = u32::try_from(start).unwrap_or(u32::MAX);
    let shift = |token: &InlineToken| InlineToken {
        range: token.range.start - start..token.range.end - start,
        kind: token.kind,
    };
    tokens.iter().map(shift).collect()
}

/// Joins the lines of a label, without line prefixes.
fn label_on_one_line(label: &str) -> String {
    let line = |line: &str| line.trim_start_matches([' ', '\t', '>']).trim_end().to_owned();
    let mut lines = label.split('\n');
    let mut joined = lines.next().unwrap_or_default().trim_end_matches('\r').to_owned();
    for next in lines {
        joined.push(' ');
        joined.push_str(&line(next));
    }
    joined
}

/// Returns whether a character belongs to a script without spaces between words.
pub(super) fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}
