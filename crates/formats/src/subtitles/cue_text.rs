//! Extracts the text of a cue to send, and decides which of its lines belong together.
//!
//! A sentence that runs over several lines is sent on one line. A line break is sent only before the words of a speaker
//! or a line of a song, before or after a sound, and at a blank line.

use std::ops::Range;

use tulk_catalogs::inline::{InlineToken, TokenKind};

use super::SubtitleSyntax;
use super::markup::{Markup, MarkupKind, find_markup, pair_elements};
use crate::Slot;

/// Characters that mark the words of a speaker, or a song.
const SPEAKER_MARKS: &str = "-‐‑‒–—―−♪♫♬♩";

#[derive(Debug, PartialEq, Eq)]
pub(super) struct CueText {
    /// Byte range in the cue, without outer whitespace and enclosing markup.
    pub(super) span: Range<usize>,
    /// The text, if it differs from these bytes.
    pub(super) text: Option<String>,
    pub(super) tokens: Vec<InlineToken>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CueLine {
    /// Byte range without outer whitespace.
    pub(super) range: Range<usize>,
    /// Whether the line break before it is kept.
    pub(super) is_break_kept: bool,
}

impl CueText {
    /// Returns `None` if there is only whitespace and markup.
    pub(super) fn find(source: &str, syntax: SubtitleSyntax) -> Option<Self> {
        let markup = find_markup(source, syntax);
        let span = inner_span(source, &markup);
        let text = source.get(span.clone())?;
        // Search again, because positions must be relative to the inner text.
        let markup = if span.start == 0 && span.end == source.len() { markup } else { find_markup(text, syntax) };
        if is_blank(text, &markup) {
            return None;
        }
        if markup.is_empty() && memchr::memchr(b'\n', text.as_bytes()).is_none() {
            return Some(Self { span, text: None, tokens: Vec::new() });
        }
        let (mut sent, mut tokens) = text_and_tokens(text, &markup, true);
        // With `&amp;` decoded to `&`, a text can look like markup. Then leave all character references as tokens.
        if sent.contains('&')
            && !tokens.iter().map(InlineToken::byte_range).eq(find_tokens(&sent, &distinct_markup(&markup)))
        {
            (sent, tokens) = text_and_tokens(text, &markup, false);
        }
        Some(Self { span, text: (sent != text).then_some(sent), tokens })
    }

    /// Creates the slot of a cue whose lines start at `start` in the record.
    pub(super) fn into_slot(self, start: usize) -> Option<Slot> {
        let at = u32::try_from(start + self.span.start).ok()?;
        let span = at..u32::try_from(start + self.span.end).ok()?;
        Some(Slot { text_start: at, span, text: self.text, tokens: self.tokens, ..Slot::default() })
    }
}

/// Returns the distinct markup strings, for finding them in a result.
pub(super) fn distinct_markup<'a>(markup: &[Markup<'a>]) -> Vec<&'a str> {
    let mut sources: Vec<_> = markup.iter().map(|piece| piece.source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}

/// Returns the ranges of markup strings in a text; the longest match wins.
pub(super) fn find_tokens(text: &str, sources: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.as_bytes().get(from..).and_then(|rest| memchr::memchr3(b'<', b'{', b'&', rest)) {
        let start = from + at;
        let rest = text.get(start..).unwrap_or_default();
        let len = sources.iter().filter(|source| rest.starts_with(**source)).map(|source| source.len()).max();
        from = start + len.unwrap_or(1);
        if len.is_some() {
            found.push(start..from);
        }
    }
    found
}

fn is_blank(text: &str, markup: &[Markup<'_>]) -> bool {
    let mut from = 0;
    for piece in markup {
        if piece.is_visible() || !text.get(from..piece.range.start).unwrap_or_default().trim().is_empty() {
            return false;
        }
        from = piece.range.end;
    }
    text.get(from..).unwrap_or_default().trim().is_empty()
}

pub(super) fn trimmed_range(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

/// Returns the range without outer whitespace, without elements that enclose all of the text, and without unpaired markup at
/// its ends.
fn inner_span(text: &str, markup: &[Markup<'_>]) -> Range<usize> {
    let mut span = trimmed_range(text, 0..text.len());
    if markup.is_empty() {
        return span;
    }
    let partners = pair_elements(markup);
    let partner = |at: usize| partners.get(at).copied().flatten();
    let (mut first, mut last) = (0, markup.len());
    while first < last {
        let ahead = markup.get(first).filter(|m| m.range.start == span.start && m.kind != MarkupKind::Reference);
        let behind = markup.get(last - 1).filter(|m| m.range.end == span.end && m.kind != MarkupKind::Reference);
        span = match (ahead, behind) {
            (Some(ahead), Some(behind)) if partner(first) == Some(last - 1) => {
                (first, last) = (first + 1, last - 1);
                trimmed_range(text, ahead.range.end..behind.range.start)
            }
            (Some(ahead), _) if partner(first).is_none() => {
                first += 1;
                trimmed_range(text, ahead.range.end..span.end)
            }
            (_, Some(behind)) if partner(last - 1).is_none() => {
                last -= 1;
                trimmed_range(text, span.start..behind.range.start)
            }
            _ => break,
        };
    }
    span
}

/// Returns the non-blank lines of a text. Line breaks inside markup do not count.
pub(super) fn cue_lines(text: &str, markup: &[Markup<'_>]) -> Vec<CueLine> {
    let mut lines: Vec<CueLine> = Vec::new();
    let mut after_blank = false;
    let mut start = 0;
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes())
        .filter(|at| !markup_after(markup, *at).first().is_some_and(|piece| piece.range.contains(at)))
        .chain([text.len()]);
    for end in breaks {
        let range = trimmed_range(text, start..end);
        start = end + 1;
        if range.is_empty() {
            after_blank = !lines.is_empty();
            continue;
        }
        let is_break_kept = match lines.last() {
            None => false,
            Some(last) => {
                std::mem::take(&mut after_blank)
                    || is_speaker_start(text, &range, markup)
                    || is_sound_description(text, &range)
                    || is_sound_description(text, &last.range)
            }
        };
        lines.push(CueLine { range, is_break_kept });
    }
    lines
}

/// Returns the markup that ends after a position.
fn markup_after<'a, 'b>(markup: &'b [Markup<'a>], at: usize) -> &'b [Markup<'a>] {
    markup.get(markup.partition_point(|piece| piece.range.end <= at)..).unwrap_or_default()
}

/// Returns whether a line starts the words of a speaker or a line of a song.
fn is_speaker_start(text: &str, line: &Range<usize>, markup: &[Markup<'_>]) -> bool {
    let mut start = line.start;
    for piece in markup_after(markup, line.start) {
        let between = text.get(start..piece.range.start).unwrap_or_default();
        if !between.trim().is_empty() || piece.kind == MarkupKind::Reference {
            break;
        }
        if matches!(piece.kind, MarkupKind::Start(name) if name.eq_ignore_ascii_case("v")) {
            return true;
        }
        start = piece.range.end;
    }
    has_speaker_mark(text.get(start..line.end).unwrap_or_default())
}

/// Returns whether a text starts with the marker of a speaker or a song. A dash before a digit is a minus sign.
pub(super) fn has_speaker_mark(text: &str) -> bool {
    let mut chars = text.trim_start().chars();
    match chars.next() {
        Some('>') => chars.next() == Some('>'),
        Some('#') => chars.next().is_none_or(char::is_whitespace),
        Some(mark) if SPEAKER_MARKS.contains(mark) => !chars.next().is_some_and(|next| next.is_ascii_digit()),
        _ => false,
    }
}

/// Returns whether a line describes a sound: `[door opens]`, `(laughs)`.
fn is_sound_description(text: &str, line: &Range<usize>) -> bool {
    let line = text.get(line.clone()).unwrap_or_default();
    (line.starts_with('[') && line.ends_with(']')) || (line.starts_with('(') && line.ends_with(')'))
}

/// Builds the text to send: the lines, joined, with their tokens. With `decode`, decodes some character references.
fn text_and_tokens(text: &str, markup: &[Markup<'_>], decode: bool) -> (String, Vec<InlineToken>) {
    let partners = pair_elements(markup);
    let mut sent = String::with_capacity(text.len());
    let mut tokens = Vec::new();
    let mut next = 0;
    for line in cue_lines(text, markup) {
        if !sent.is_empty() {
            sent.push(if line.is_break_kept { '\n' } else { ' ' });
        }
        let mut from = line.range.start;
        while let Some(piece) = markup.get(next).filter(|piece| piece.range.start < line.range.end) {
            sent.push_str(text.get(from..piece.range.start).unwrap_or_default());
            from = piece.range.end;
            if let Some(character) = piece.character().filter(|_| decode) {
                sent.push(character);
            } else {
                let start = sent.len();
                sent.push_str(piece.source);
                tokens.extend(inline_token(start..sent.len(), next, partners.get(next).copied().flatten()));
            }
            next += 1;
        }
        sent.push_str(text.get(from..line.range.end).unwrap_or_default());
    }
    (sent, tokens)
}

/// The number of a pair is the index of its start tag.
fn inline_token(range: Range<usize>, at: usize, partner: Option<usize>) -> Option<InlineToken> {
    let number = |at: usize| u16::try_from(at).ok();
    let kind = match partner {
        Some(end) if end > at => number(at).map(TokenKind::Open),
        Some(start) => number(start).map(TokenKind::Close),
        None => None,
    };
    let range = u32::try_from(range.start).ok()?..u32::try_from(range.end).ok()?;
    Some(InlineToken { range, kind: kind.unwrap_or(TokenKind::Fixed) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sent text, with the tokens in brackets: `⟨n … n⟩` for pairs, `⟨…⟩` for others.
    fn sent(source: &str, syntax: SubtitleSyntax) -> String {
        let Some(cue) = CueText::find(source, syntax) else { return "blank".to_owned() };
        let text = cue.text.as_deref().or(source.get(cue.span)).unwrap();
        let (mut out, mut from) = (String::new(), 0);
        for token in &cue.tokens {
            let range = token.byte_range();
            out.push_str(text.get(from..range.start).unwrap());
            let shown = match token.kind {
                TokenKind::Open(number) => format!("⟨{number} "),
                TokenKind::Close(number) => format!(" {number}⟩"),
                TokenKind::Fixed => format!("⟨{}⟩", text.get(range.clone()).unwrap()),
            };
            out.push_str(&shown);
            from = range.end;
        }
        out + text.get(from..).unwrap()
    }

    fn srt(source: &str) -> String {
        sent(source, SubtitleSyntax::Srt)
    }

    fn vtt(source: &str) -> String {
        sent(source, SubtitleSyntax::Vtt)
    }

    #[test]
    fn a_sentence_is_sent_on_one_line() {
        assert_eq!(srt("We have to go\r\n  before it rains.\r\n"), "We have to go before it rains.");
        assert_eq!(srt("one\n\\two"), "one \\two");
    }

    #[test]
    fn finds_the_text_of_a_very_long_cue() {
        let source = "a <i>b</i> &amp;\n".repeat(60_000);
        assert_eq!(CueText::find(&source, SubtitleSyntax::Srt).unwrap().tokens.len(), 120_000);
    }

    #[test]
    fn line_breaks_before_speakers_songs_and_sounds_are_sent() {
        assert_eq!(srt("- Where were you\nyesterday?\n- At home."), "- Where were you yesterday?\n- At home.");
        assert_eq!(srt("– A\n— B\n-C\n>> D"), "– A\n— B\n-C\n>> D");
        assert_eq!(srt("♪ La la ♪\n♪ Li li ♪"), "♪ La la ♪\n♪ Li li ♪");
        assert_eq!(srt("[door opens]\nWho is there?\n(whispers)"), "[door opens]\nWho is there?\n(whispers)");
        assert_eq!(srt("It is\n-5 degrees\n#1 of all"), "It is -5 degrees #1 of all");
        assert_eq!(srt("- A\n<i>- B</i>"), "- A\n⟨0 - B 0⟩");
        assert_eq!(vtt("<v Mary>Hello\nthere\n<v Tom>Hi"), "Hello there\n⟨<v Tom>⟩Hi");
    }

    #[test]
    fn markup_around_the_complete_text_is_not_sent() {
        assert_eq!(srt("{\\an8}<i>One\ntwo</i>\n"), "One two");
        assert_eq!(srt("<i>One</i> and <i>two</i>"), "⟨0 One 0⟩ and ⟨2 two 2⟩");
        assert_eq!(srt("<b><i>{\\an8}One</i></b>"), "One");
        assert_eq!(vtt("<v Mary>One</v>"), "One");
        assert_eq!(vtt("<v Mary>One"), "One");
        assert_eq!(srt("One</i>"), "One");
        assert_eq!(srt("<i>\nOne\n</i>"), "One");
        assert_eq!(srt("<i>One <b>two</i></b>"), "One ⟨<b>⟩two");
    }

    #[test]
    fn a_cue_of_whitespace_and_markup_is_blank() {
        for source in ["", " \n", "<i></i>", "{\\an8}", "<i>{\\an8} </i>\n", "&nbsp;", "<b>&lrm;</b>"] {
            assert_eq!(srt(source), "blank", "{source}");
        }
        assert_eq!(srt("&amp;"), "&");
        assert_eq!(srt("♪"), "♪");
    }

    #[test]
    fn ampersands_and_spaces_are_sent_as_characters() {
        assert_eq!(vtt("Tom &amp; Jerry&nbsp;!"), "Tom & Jerry\u{a0}!");
        assert_eq!(vtt("1 &lt; 2 &#39;"), "1 ⟨&lt;⟩ 2 ⟨&#39;⟩");
        // If `&amp;lt;` were sent as `&lt;`, it could not be told from the other `&lt;`.
        assert_eq!(vtt("&amp;lt; and &lt;"), "⟨&amp;⟩lt; and ⟨&lt;⟩");
        assert_eq!(vtt("&amp;lt;"), "&lt;");
    }

    #[test]
    fn keeps_a_break_at_a_blank_line() {
        assert_eq!(vtt("one\n \ntwo\nthree"), "one\ntwo three");
    }

    #[test]
    fn line_breaks_in_markup_stay_there() {
        assert_eq!(vtt("a <v Mary\nJane>b</v>\nc"), "a ⟨0 b 0⟩ c");
        let cue = CueText::find("a <v Mary\nJane>b</v>\nc", SubtitleSyntax::Vtt).unwrap();
        assert_eq!(cue.text.as_deref(), Some("a <v Mary\nJane>b</v> c"));
    }
}
