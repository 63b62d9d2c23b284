//! Writes subtitles: `SubRip` (SRT) and `WebVTT`.
//!
//! Input: the time span in the audio and the text of a segment. Output: one caption; nothing for a blank text.

use std::fmt::Write as _;

/// Writes SRT captions, which are numbered from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SrtWriter {
    count: u64,
}

impl SrtWriter {
    /// Formats the next caption. Times are in milliseconds; an end before the start counts as the start.
    pub fn caption(&mut self, start: u64, end: u64, text: &str) -> String {
        let text = one_line(text);
        if text.is_empty() {
            return text;
        }
        self.count += 1;
        format!("{}\n{} --> {}\n{text}\n\n", self.count, time(start, ','), time(end.max(start), ','))
    }
}

/// Writes `WebVTT` captions, with the header before the first one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VttWriter {
    started: bool,
}

impl VttWriter {
    /// Formats the next caption. Times are in milliseconds; an end before the start counts as the start.
    pub fn caption(&mut self, start: u64, end: u64, text: &str) -> String {
        let text = one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        if text.is_empty() {
            return text;
        }
        let header = if std::mem::replace(&mut self.started, true) { "" } else { "WEBVTT\n\n" };
        format!("{header}{} --> {}\n{text}\n\n", time(start, '.'), time(end.max(start), '.'))
    }

    /// Returns the end of the file: the header, if there was no caption.
    pub fn end(&self) -> &'static str {
        if self.started { "" } else { "WEBVTT\n" }
    }
}

/// Returns a caption's text on one line, since an empty line would end the caption.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats a time, such as `00:00:01,500`.
fn time(ms: u64, separator: char) -> String {
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    let mut text = format!("{hours:02}:{minutes:02}:{seconds:02}{separator}");
    // Writing to a String does not fail.
    let _ = write!(text, "{:03}", ms % 1000);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_before_the_start_counts_as_the_start() {
        let caption = SrtWriter::default().caption(1_500, 1_000, " a\n\nb ");
        assert_eq!(caption, "1\n00:00:01,500 --> 00:00:01,500\na b\n\n");
    }

    #[test]
    fn a_blank_text_is_no_caption_and_takes_no_number() {
        let mut writer = SrtWriter::default();
        assert_eq!(writer.caption(0, 1, " \n"), "");
        assert!(writer.caption(1, 2, "a").starts_with("1\n"));
        let mut writer = VttWriter::default();
        assert_eq!(writer.caption(0, 1, " "), "");
        assert_eq!(writer.end(), "WEBVTT\n");
    }
}
