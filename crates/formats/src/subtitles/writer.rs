//! Writes cues with their results, in lines like those of the source.

use std::io::{self, Write};
use std::ops::Range;

use super::SubtitleSyntax;
use super::cue_text::{CueLine, cue_lines, distinct_markup, find_tokens, has_speaker_mark, trimmed_range};
use super::layout::{LineShape, tokens_within, wrap};
use super::markup::{Markup, MarkupKind, find_markup, reference_len};
use super::timing::LineKind;
use crate::{ResultRow, ResultWriter, Slot, splice};

pub(super) struct CueWriter(pub(super) SubtitleSyntax);

impl ResultWriter for CueWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let bytes = &row.record.bytes;
        splice(row, 0, out, |slot, text, out| {
            let source = bytes.get(slot.byte_range()).and_then(|bytes| std::str::from_utf8(bytes).ok());
            out.write_all(render(source.unwrap_or_default(), text, &protected_parts(slot), self.0).as_bytes())
        })
    }
}

/// Returns the protected parts of a text that contain whitespace, where a line break could divide them.
pub(super) fn protected_parts(slot: &Slot) -> Vec<&str> {
    let tokens = slot.tagged.iter().flat_map(|tagged| tagged.tokens());
    tokens.filter(|token| token.contains(char::is_whitespace) && !token.starts_with(['<', '{'])).collect()
}

/// Does not divide `protected` parts.
pub(super) fn render(source: &str, text: &str, protected: &[&str], syntax: SubtitleSyntax) -> String {
    let markup = find_markup(source, syntax);
    let tokens = find_tokens(text, &distinct_markup(&markup));
    let encoder = CueEncoder::new(source, &markup, syntax);
    let mut out = String::with_capacity(text.len() + 16);
    if memchr::memchr2(b'\n', b'\r', text.as_bytes()).is_none() && memchr::memchr(b'\n', source.as_bytes()).is_none() {
        encoder.push_line(text.trim(), &tokens_within(&tokens, &trimmed_range(text, 0..text.len())), &mut out);
        return out;
    }
    let lines = cue_lines(source, &markup);
    let mut parts = parts_at_line_breaks(text, &tokens);
    // The lines of the source, grouped between kept line breaks.
    let groups: Vec<_> = lines.chunk_by(|_, next| !next.is_break_kept).collect();
    if groups.len() != parts.len() {
        parts = parts_at_speaker_marks(text, &tokens, groups.len()).unwrap_or(parts);
    }
    let is_alike = groups.len() == parts.len();
    let groups = if is_alike { groups } else { vec![lines.as_slice()] };
    if !is_alike {
        let all = parts.first().map_or(0, |part| part.start)..parts.last().map_or(0, |part| part.end);
        parts.clear();
        parts.push(all);
    }
    let markup_ranges: Vec<_> = markup.iter().map(|piece| piece.range.clone()).collect();
    for (at, (group, part)) in groups.iter().zip(parts).enumerate() {
        let mut shape = LineShape::default();
        for line in *group {
            shape.push(source.get(line.range.clone()).unwrap_or_default(), &tokens_within(&markup_ranges, &line.range));
        }
        let (words, tokens) = on_one_line(text, &tokens, &part);
        let places = |part: &&str| words.match_indices(*part).map(|(at, part)| at..at + part.len()).collect::<Vec<_>>();
        let unbreakable: Vec<_> = protected.iter().flat_map(places).collect();
        for (number, line) in wrap(&words, &tokens, &unbreakable, &shape).into_iter().enumerate() {
            if number > 0 {
                out.push_str(line_separator(source, group, number));
            }
            let line = trimmed_range(&words, line);
            encoder.push_line(words.get(line.clone()).unwrap_or_default(), &tokens_within(&tokens, &line), &mut out);
        }
        let end = group.last().map_or(0, |line| line.range.end);
        let next = groups.get(at + 1).and_then(|next| next.first()).map_or(end, |line| line.range.start);
        out.push_str(source.get(end..next).unwrap_or_default());
    }
    out
}

/// Returns the bytes before line `number` of a group.
fn line_separator<'a>(source: &'a str, group: &[CueLine], number: usize) -> &'a str {
    let between = |number: usize| {
        let start = group.get(number.checked_sub(1)?)?.range.end;
        source.get(start..group.get(number)?.range.start)
    };
    between(number).unwrap_or("\n")
}

/// Splits a result at its line breaks, except those in tokens, and drops blank lines.
fn parts_at_line_breaks(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let breaks = memchr::memchr_iter(b'\n', text.as_bytes())
        .filter(|at| !tokens.iter().any(|token| token.contains(at)))
        .chain([text.len()]);
    let mut start = 0;
    let parts = breaks.map(|end| trimmed_range(text, std::mem::replace(&mut start, end + 1)..end));
    parts.filter(|part| !part.is_empty()).collect()
}

/// Splits a result at speaker markers, if that gives `count` parts.
fn parts_at_speaker_marks(text: &str, tokens: &[Range<usize>], count: usize) -> Option<Vec<Range<usize>>> {
    let mut starts = vec![0];
    let is_in_token = |at: usize| tokens.iter().any(|token| token.contains(&at));
    for (at, c) in text.char_indices().filter(|(at, c)| c.is_whitespace() && !is_in_token(*at)) {
        let mut rest = text.get(at + c.len_utf8()..)?;
        while let Some(token) = tokens.iter().find(|token| token.start == text.len() - rest.len()) {
            rest = text.get(token.end..)?;
        }
        if has_speaker_mark(rest) && !rest.starts_with(char::is_whitespace) {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let parts: Vec<_> = starts.iter().zip(ends).map(|(start, end)| trimmed_range(text, *start..end)).collect();
    (parts.len() == count && parts.iter().all(|part| !part.is_empty())).then_some(parts)
}

/// Returns a part of a result with spaces for its line breaks, and its tokens.
fn on_one_line(text: &str, tokens: &[Range<usize>], part: &Range<usize>) -> (String, Vec<Range<usize>>) {
    let mut line = String::with_capacity(part.len());
    let mut moved = Vec::new();
    let push = |between: Range<usize>, line: &mut String| {
        let between = text.get(between).unwrap_or_default();
        for (number, piece) in between.split(['\n', '\r']).enumerate() {
            let piece = if number > 0 { piece.trim_start_matches([' ', '\t']) } else { piece };
            if number > 0 && !line.ends_with(' ') {
                line.push(' ');
            }
            line.push_str(piece);
        }
    };
    let mut from = part.start;
    for token in tokens.iter().filter(|token| token.start >= part.start && token.end <= part.end) {
        push(from..token.start, &mut line);
        let start = line.len();
        line.push_str(text.get(token.clone()).unwrap_or_default());
        moved.push(start..line.len());
        from = token.end;
    }
    push(from..part.end, &mut line);
    (line, moved)
}

struct CueEncoder {
    syntax: SubtitleSyntax,
    bare_ampersand: BareAmpersand,
    /// Whether no-break spaces become `&nbsp;`.
    has_nbsp_reference: bool,
    has_arrow: bool,
}

/// When to write an ampersand unchanged instead of as `&amp;`.
enum BareAmpersand {
    Always,
    /// If it does not start a character reference.
    UnlessReference,
    Never,
}

impl CueEncoder {
    fn new(source: &str, markup: &[Markup<'_>], syntax: SubtitleSyntax) -> Self {
        let references = markup.iter().filter(|piece| piece.kind == MarkupKind::Reference);
        let in_markup: usize = markup.iter().map(|piece| piece.source.matches('&').count()).sum();
        let bare_ampersand = match syntax {
            SubtitleSyntax::Srt if !references.clone().any(|piece| piece.source == "&amp;") => BareAmpersand::Always,
            _ if source.matches('&').count() > in_markup => BareAmpersand::UnlessReference,
            _ => BareAmpersand::Never,
        };
        Self {
            syntax,
            bare_ampersand,
            has_nbsp_reference: references.clone().any(|piece| piece.source == "&nbsp;"),
            has_arrow: source.contains("-->"),
        }
    }

    /// Appends a line; its tokens are not encoded.
    fn push_line(&self, line: &str, tokens: &[Range<usize>], out: &mut String) {
        let start = out.len();
        let mut from = 0;
        for token in tokens {
            self.push_text(line.get(from..token.start).unwrap_or_default(), out);
            out.push_str(line.get(token.clone()).unwrap_or_default());
            from = token.end;
        }
        self.push_text(line.get(from..).unwrap_or_default(), out);
        // A line with an arrow would be taken for a timing line.
        let written = out.get(start..).unwrap_or_default();
        let is_timing =
            |line: &str| matches!(LineKind::of(line.as_bytes(), self.syntax), LineKind::Timing | LineKind::BadTiming);
        if written.contains("-->") && (!self.has_arrow || is_timing(written)) {
            let arrow = if self.syntax == SubtitleSyntax::Vtt { "--&gt;" } else { "->" };
            let safe = written.replace("-->", arrow);
            out.truncate(start);
            out.push_str(&safe);
        }
    }

    fn push_text(&self, text: &str, out: &mut String) {
        for (at, c) in text.char_indices() {
            let is_reference = || text.get(at..).and_then(reference_len).is_some();
            match c {
                '&' if matches!(self.bare_ampersand, BareAmpersand::Always) => out.push(c),
                '&' if matches!(self.bare_ampersand, BareAmpersand::UnlessReference) && !is_reference() => out.push(c),
                '&' => out.push_str("&amp;"),
                '\u{a0}' if self.has_nbsp_reference => out.push_str("&nbsp;"),
                '<' if self.syntax == SubtitleSyntax::Vtt => out.push_str("&lt;"),
                _ => out.push(c),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn srt(source: &str, text: &str) -> String {
        render(source, text, &[], SubtitleSyntax::Srt)
    }

    fn vtt(source: &str, text: &str) -> String {
        render(source, text, &[], SubtitleSyntax::Vtt)
    }

    #[test]
    fn a_result_gets_the_lines_of_the_source() {
        assert_eq!(srt("one two\r\n  three", "EINS ZWEI DREI"), "EINS ZWEI\r\n  DREI");
        assert_eq!(srt("one two\nthree", "NUR\n\nZWEI"), "NUR\nZWEI");
        assert_eq!(srt("one", "one\n\n two\r\nthree \n"), "one two three");
        assert_eq!(srt("one", " two\u{2028}"), "two");
    }

    #[test]
    fn every_speaker_has_a_line() {
        let source = "- Where were you\nyesterday?\n- At home.";
        assert_eq!(srt(source, "- WHERE WERE YOU YESTERDAY?\n- AT HOME."), "- WHERE WERE YOU\nYESTERDAY?\n- AT HOME.");
        assert_eq!(srt(source, "- WHERE WERE YOU YESTERDAY? - AT HOME."), "- WHERE WERE YOU\nYESTERDAY?\n- AT HOME.");
        // Nothing marks the start of the second speaker.
        assert_eq!(srt("- A b\n- C d", "x y z w"), "x y\nz w");
        assert_eq!(srt("<i>- A b</i>\n- C d", "<i>- X y</i> - Z w"), "<i>- X y</i>\n- Z w");
    }

    #[test]
    fn keeps_blank_lines_in_a_cue() {
        assert_eq!(vtt("one\n \ntwo", "EINS\nZWEI"), "EINS\n \nZWEI");
        assert_eq!(vtt("one\n \ntwo", "EINS ZWEI"), "EINS\n \nZWEI");
    }

    #[test]
    fn override_codes_stay_on_their_line() {
        assert_eq!(srt("one two {\\i0}\nthree", "NUN EINS ZWEI {\\i0} DREI"), "NUN EINS ZWEI {\\i0}\nDREI");
        assert_eq!(srt("one two\n{\\i0} three", "EINS UND ZWEI {\\i0} UND DREI"), "EINS UND ZWEI\n{\\i0} UND DREI");
    }

    #[test]
    fn a_result_cannot_become_a_timing_line() {
        assert_eq!(srt("one", "00:00:01,000 --> 00:00:02,000"), "00:00:01,000 -> 00:00:02,000");
        assert_eq!(srt("one", "a\n\n00:00:01,000 --> 00:00:02,000"), "a 00:00:01,000 -> 00:00:02,000");
        assert_eq!(srt("a --> b", "A --> B"), "A --> B");
        assert_eq!(srt("a --> b", "1 --> B"), "1 -> B");
        assert_eq!(vtt("one", "a --> b"), "a --&gt; b");
    }

    #[test]
    fn characters_are_written_as_in_the_source() {
        assert_eq!(vtt("a &amp; b&nbsp;!", "A & B\u{a0}!"), "A &amp; B&nbsp;!");
        assert_eq!(vtt("a b", "A & <B>\u{a0}!"), "A &amp; &lt;B>\u{a0}!");
        assert_eq!(vtt("a & b", "A & B &lt;"), "A & B &amp;lt;");
        assert_eq!(vtt("a &lt; b", "A &lt; B"), "A &lt; B");
        assert_eq!(srt("a & b", "A & <B>\u{a0}!"), "A & <B>\u{a0}!");
        assert_eq!(srt("a &amp; b", "A & B"), "A &amp; B");
    }

    #[test]
    fn protected_parts_stay_on_one_line() {
        assert_eq!(render("one two\nthree", "EINS DREI VIER", &["DREI VIER"], SubtitleSyntax::Srt), "EINS\nDREI VIER");
    }

    #[test]
    fn markup_is_not_divided() {
        let source = "one <font color=\"a b\">two</font>\nthree";
        assert_eq!(
            srt(source, "EINS <font color=\"a b\">ZWEI</font> DREI"),
            "EINS <font color=\"a b\">ZWEI</font>\nDREI"
        );
        assert_eq!(vtt("a <v Mary\nJane>b</v>\nc", "A <v Mary\nJane>B</v> C"), "A <v Mary\nJane>B</v>\nC");
    }
}
