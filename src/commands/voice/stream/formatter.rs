//! Formats transcripts as plain text, JSON lines or subtitles.

use serde::Serialize;

use super::subtitles::{SrtWriter, VttWriter};
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
}
