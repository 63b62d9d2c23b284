//! Recognizes timing lines and other lines of a subtitle file, each without looking at its neighbours.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::SubtitleSyntax;

const ARROW: &[u8] = b"-->";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Only whitespace; in WebVTT, an empty line.
    Blank,
    Timing,
    BadTiming,
    /// Only digits: the number of a cue, or a text.
    Number,
    Other,
}

impl LineKind {
    /// `line` has no line ending.
    pub(super) fn of(line: &[u8], syntax: SubtitleSyntax) -> Self {
        let trimmed = line.trim_ascii();
        let Some(first) = trimmed.first() else {
            return if syntax == SubtitleSyntax::Srt || line.is_empty() { Self::Blank } else { Self::Other };
        };
        let has_arrow = memchr::memchr(b'>', trimmed).is_some() && memchr::memmem::find(trimmed, ARROW).is_some();
        if has_arrow && is_timing(trimmed, syntax) {
            return Self::Timing;
        }
        let may_be_time = first.is_ascii_digit() || trimmed.starts_with(ARROW);
        match syntax {
            // Text in WebVTT must not contain an arrow.
            SubtitleSyntax::Vtt if has_arrow => Self::BadTiming,
            SubtitleSyntax::Srt if has_arrow && may_be_time => Self::BadTiming,
            _ if first.is_ascii_digit() && trimmed.iter().all(u8::is_ascii_digit) => Self::Number,
            _ => Self::Other,
        }
    }
}

/// Returns whether a line starts with a time, such as `00:01:02`.
pub(super) fn begins_with_time(line: &[u8]) -> bool {
    static START: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new("^[0-9]+:[0-9]+[:.,]").ok());
    START.as_ref().is_some_and(|start| start.is_match(line.trim_ascii()))
}

/// Returns whether a line has two times with an arrow between them. Any text may follow them.
///
/// Hours are optional. In SRT, so is the fraction, and some files have whitespace after a separator.
fn is_timing(line: &[u8], syntax: SubtitleSyntax) -> bool {
    static SRT: LazyLock<Option<Regex>> = LazyLock::new(|| timing_regex("-?_[0-9]+(:_[0-9]+){1,2}([,.:]_[0-9]+)?"));
    static VTT: LazyLock<Option<Regex>> = LazyLock::new(|| timing_regex(r"[0-9]+(:[0-9]+){1,2}\.[0-9]+"));
    let timing = if syntax == SubtitleSyntax::Srt { &SRT } else { &VTT };
    timing.as_ref().is_some_and(|timing| timing.is_match(line))
}

/// Builds the regular expression of a timing line. In `time`, `_` means optional whitespace.
fn timing_regex(time: &str) -> Option<Regex> {
    let line = ["^", time, "_-->_", time, r"(?:[ \t\f\r]|$)"].concat();
    Regex::new(&line.replace('_', r"[ \t\f\r]*")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn srt(line: &str) -> LineKind {
        LineKind::of(line.as_bytes(), SubtitleSyntax::Srt)
    }

    fn vtt(line: &str) -> LineKind {
        LineKind::of(line.as_bytes(), SubtitleSyntax::Vtt)
    }

    #[test]
    fn accepts_the_srt_times_that_players_accept() {
        for line in [
            "00:00:01,000 --> 00:00:02,500",
            "00:00:01.000 --> 00:00:02.500",
            "0:00:01,0 --> 0:00:02,5",
            "  00:00:01,000-->00:00:02,500  ",
            "00:00:01,000\t-->\t00:00:02,500",
            "00:00:01, 000 --> 00: 00: 02, 500",
            "00:00:01 --> 00:00:02",
            "00:00:01:000 --> 00:00:02:000",
            "00:01,000 --> 00:02,000",
            "-00:00:01,000 --> 00:00:02,000",
            "100:00:01,000 --> 100:00:02,000",
            "00:00:09,000 --> 00:00:02,000",
            "00:00:01,000 --> 00:00:02,000  X1:40 X2:600 Y1:20 Y2:50",
        ] {
            assert_eq!(srt(line), LineKind::Timing, "{line}");
        }
    }

    #[test]
    fn refuses_srt_lines_that_only_look_like_times() {
        for line in ["00:00:01,000 --> ", "--> 00:00:02,000", "1 --> 2", "00:00:0x,000 --> 00:00:02,000"] {
            assert_eq!(srt(line), LineKind::BadTiming, "{line}");
        }
        assert_eq!(srt("00:00:01,000 --> 00:00:02,000x"), LineKind::BadTiming);
        assert_eq!(srt("left --> right"), LineKind::Other);
        assert!(begins_with_time(b" 00:01:02,5"));
        assert!(begins_with_time(b"00:01.5"));
        assert!(!begins_with_time(b"at 10:15 we go"));
        assert!(!begins_with_time(b"10:15 we go"));
    }

    #[test]
    fn vtt_times_have_a_fraction_after_a_dot() {
        for line in [
            "00:00:01.000 --> 00:00:02.500",
            "00:01.000 --> 00:02.500",
            "00:01.000-->00:02.500 line:0 position:20%",
            "1000:00:01.000 --> 1000:00:02.500",
        ] {
            assert_eq!(vtt(line), LineKind::Timing, "{line}");
        }
        for line in ["00:00:01,000 --> 00:00:02,500", "00:01 --> 00:02", "01.000 --> 02.000", "a --> b"] {
            assert_eq!(vtt(line), LineKind::BadTiming, "{line}");
        }
    }

    #[test]
    fn classifies_other_lines() {
        assert_eq!(srt(" \t"), LineKind::Blank);
        assert_eq!(vtt(" \t"), LineKind::Other);
        assert_eq!(vtt(""), LineKind::Blank);
        assert_eq!(srt(" 1984 "), LineKind::Number);
        assert_eq!(srt("1984."), LineKind::Other);
        assert_eq!(srt("١٩٨٤"), LineKind::Other);
    }
}
