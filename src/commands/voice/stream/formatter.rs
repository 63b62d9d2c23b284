//! Formats transcripts as plain text, JSON lines or subtitles: SubRip (SRT) and WebVTT.

use std::fmt::Write as _;

use serde::Serialize;

use crate::config::OutputFormat;

/// A final segment of a transcript, and one line of JSONL. The text includes its leading space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TranscriptLine {
    /// Language of the transcript.
    pub language: String,
    /// The text.
    pub text: String,
    /// Start in the audio, in milliseconds.
    pub start_time: u64,
    /// End in the audio, in milliseconds.
    pub end_time: u64,
}

/// Formats the segments of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptFormatter {
    /// Joined text.
    Text {
        /// Whether any text has been written.
        started: bool,
    },
    /// One JSON object per line.
    Jsonl,
    /// `SubRip` captions.
    Srt(SrtWriter),
    /// `WebVTT` captions.
    Vtt(VttWriter),
}

impl TranscriptFormatter {
    /// Creates a formatter. Formats other than `Jsonl`, `Srt` and `Vtt` give text.
    pub fn new(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Jsonl => Self::Jsonl,
            OutputFormat::Srt => Self::Srt(SrtWriter::default()),
            OutputFormat::Vtt => Self::Vtt(VttWriter::default()),
            _ => Self::Text { started: false },
        }
    }

    /// Returns the file extension, without a dot.
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Text { .. } => "txt",
            Self::Jsonl => "jsonl",
            Self::Srt(_) => "srt",
            Self::Vtt(_) => "vtt",
        }
    }

    /// Formats the next segment.
    pub fn segment(&mut self, line: &TranscriptLine) -> String {
        match self {
            Self::Text { started } => {
                let text = if *started { line.text.as_str() } else { line.text.trim_start() };
                *started |= !text.is_empty();
                text.to_owned()
            }
            // Strings and numbers can always be serialized.
            Self::Jsonl => serde_json::to_string(line).unwrap_or_default() + "\n",
            Self::Srt(writer) => writer.caption(line.start_time, line.end_time, &line.text),
            Self::Vtt(writer) => writer.caption(line.start_time, line.end_time, &line.text),
        }
    }

    /// Returns the end of the file.
    pub fn end(&self) -> &'static str {
        match self {
            Self::Text { started: true } => "\n",
            Self::Vtt(writer) => writer.end(),
            _ => "",
        }
    }
}

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

    fn line(text: &str, start_time: u64, end_time: u64) -> TranscriptLine {
        TranscriptLine { language: "de".into(), text: text.into(), start_time, end_time }
    }

    fn format(format: OutputFormat, lines: &[TranscriptLine]) -> String {
        let mut formatter = TranscriptFormatter::new(format);
        let text: String = lines.iter().map(|line| formatter.segment(line)).collect();
        text + formatter.end()
    }

    #[test]
    fn writes_each_format() {
        let lines = [line(" Guten <Morgen>,", 0, 900), line(" ", 900, 900), line(" alle\n\nzusammen", 900, 3_723_004)];
        assert_eq!(format(OutputFormat::Text, &lines), "Guten <Morgen>,  alle\n\nzusammen\n");
        assert_eq!(
            format(OutputFormat::Srt, &lines),
            "1\n00:00:00,000 --> 00:00:00,900\nGuten <Morgen>,\n\n2\n00:00:00,900 --> 01:02:03,004\nalle zusammen\n\n"
        );
        assert_eq!(
            format(OutputFormat::Vtt, &lines),
            "WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nGuten &lt;Morgen&gt;,\n\n00:00:00.900 --> 01:02:03.004\nalle zusammen\n\n"
        );
        assert_eq!(
            format(OutputFormat::Jsonl, &lines[..1]),
            "{\"language\":\"de\",\"text\":\" Guten <Morgen>,\",\"start_time\":0,\"end_time\":900}\n"
        );
    }

    #[test]
    fn an_empty_transcript_is_an_empty_file() {
        assert_eq!(format(OutputFormat::Text, &[]), "");
        assert_eq!(format(OutputFormat::Srt, &[]), "");
        assert_eq!(format(OutputFormat::Vtt, &[]), "WEBVTT\n");
    }

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
