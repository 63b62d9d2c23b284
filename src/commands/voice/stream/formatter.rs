//! Formats transcripts as plain text, JSON lines or subtitles: SubRip (SRT) and WebVTT.

use serde::Serialize;

use crate::config::OutputFormat;

/// A final segment of a transcript. As JSON, it is one line of JSONL. The text includes its leading space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TranscriptLine {
    pub language: String,
    pub text: String,
    /// Start in the audio, in milliseconds.
    pub start_time: u64,
    /// End in the audio, in milliseconds.
    pub end_time: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptFormatter {
    Text {
        started: bool,
    },
    Jsonl,
    Srt {
        count: u64,
    },
    /// `WebVTT` captions, after a header.
    Vtt {
        started: bool,
    },
}

impl TranscriptFormatter {
    /// Formats other than `Jsonl`, `Srt` and `Vtt` become text.
    pub fn new(format: OutputFormat) -> Self {
        match format {
            OutputFormat::Jsonl => Self::Jsonl,
            OutputFormat::Srt => Self::Srt { count: 0 },
            OutputFormat::Vtt => Self::Vtt { started: false },
            _ => Self::Text { started: false },
        }
    }

    pub fn extension(&self) -> &'static str {
        match self {
            Self::Text { .. } => "txt",
            Self::Jsonl => "jsonl",
            Self::Srt { .. } => "srt",
            Self::Vtt { .. } => "vtt",
        }
    }

    /// Formats the next segment. A blank segment gets no caption; an end before the start counts as the start.
    pub fn format_segment(&mut self, line: &TranscriptLine) -> String {
        match self {
            Self::Text { started } => {
                let text = if *started { line.text.as_str() } else { line.text.trim_start() };
                *started |= !text.is_empty();
                text.to_owned()
            }
            // Strings and numbers always serialize.
            Self::Jsonl => serde_json::to_string(line).unwrap_or_default() + "\n",
            Self::Srt { .. } | Self::Vtt { .. } if line.text.trim().is_empty() => String::new(),
            Self::Srt { count } => {
                *count += 1;
                format!("{count}\n{}\n{}\n\n", line.times(','), line.on_one_line())
            }
            Self::Vtt { started } => {
                let text = line.on_one_line().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                let header = if std::mem::replace(started, true) { "" } else { "WEBVTT\n\n" };
                format!("{header}{}\n{text}\n\n", line.times('.'))
            }
        }
    }

    pub fn end(&self) -> &'static str {
        match self {
            Self::Text { started: true } => "\n",
            // No caption was written, so the header is missing.
            Self::Vtt { started: false } => "WEBVTT\n",
            _ => "",
        }
    }
}

impl TranscriptLine {
    /// Joins the lines of a text, because an empty line would end the caption.
    fn on_one_line(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn times(&self, separator: char) -> String {
        let end = self.end_time.max(self.start_time);
        format!("{} --> {}", time(self.start_time, separator), time(end, separator))
    }
}

fn time(ms: u64, separator: char) -> String {
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    let ms = ms % 1000;
    format!("{hours:02}:{minutes:02}:{seconds:02}{separator}{ms:03}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, start_time: u64, end_time: u64) -> TranscriptLine {
        TranscriptLine { language: "de".into(), text: text.into(), start_time, end_time }
    }

    fn format(format: OutputFormat, lines: &[TranscriptLine]) -> String {
        let mut formatter = TranscriptFormatter::new(format);
        let text: String = lines.iter().map(|line| formatter.format_segment(line)).collect();
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
        let caption = format(OutputFormat::Srt, &[line(" a\n\nb ", 1_500, 1_000)]);
        assert_eq!(caption, "1\n00:00:01,500 --> 00:00:01,500\na b\n\n");
    }

    #[test]
    fn skips_text_of_only_whitespace_without_using_a_caption_number() {
        let lines = [line(" \n", 0, 1), line("a", 1, 2)];
        assert!(format(OutputFormat::Srt, &lines).starts_with("1\n"));
        assert_eq!(format(OutputFormat::Vtt, &lines[..1]), "WEBVTT\n");
    }
}
