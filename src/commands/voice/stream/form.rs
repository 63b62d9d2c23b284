//! How segments are written: plain text, JSON lines, `SubRip`, `WebVTT`.

use std::fmt::Write as _;

use serde::Serialize;

/// A concluded piece of a transcript; its text carries its own leading blank. One line of JSONL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Its language.
    pub language: String,
    /// The words.
    pub text: String,
    /// Where it starts in the audio, in milliseconds.
    pub start_time: u64,
    /// Where it ends in the audio, in milliseconds.
    pub end_time: u64,
}

/// A form, and how far one file in it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// Texts joined as they come; whether any came.
    Text(bool),
    /// An object a line.
    Jsonl,
    /// Numbered captions; how many.
    Srt(u64),
    /// Captions; whether the header is written.
    Vtt(bool),
}

impl Form {
    /// A segment as it stands in this form.
    pub fn line(&mut self, line: &Line) -> String {
        match self {
            Self::Text(started) => {
                let text = if *started { line.text.as_str() } else { line.text.trim_start() };
                *started |= !text.is_empty();
                text.to_owned()
            }
            // Strings and numbers can always be written.
            Self::Jsonl => serde_json::to_string(line).unwrap_or_default() + "\n",
            Self::Srt(_) | Self::Vtt(_) if line.text.trim().is_empty() => String::new(),
            Self::Srt(count) => {
                *count += 1;
                let (start, end) = (time(line.start_time, ','), time(line.end_time.max(line.start_time), ','));
                format!("{count}\n{start} --> {end}\n{}\n\n", caption(&line.text))
            }
            Self::Vtt(started) => {
                let head = if std::mem::replace(started, true) { "" } else { "WEBVTT\n\n" };
                let (start, end) = (time(line.start_time, '.'), time(line.end_time.max(line.start_time), '.'));
                let text = caption(&line.text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
                format!("{head}{start} --> {end}\n{text}\n\n")
            }
        }
    }

    /// What ends the file.
    pub fn end(&self) -> &'static str {
        match self {
            Self::Text(true) => "\n",
            Self::Vtt(false) => "WEBVTT\n",
            _ => "",
        }
    }
}

/// A caption's text: on one line, since an empty one would end it.
fn caption(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn time(ms: u64, mark: char) -> String {
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    let mut text = format!("{hours:02}:{minutes:02}:{seconds:02}{mark}");
    // Writing to a String does not fail.
    let _ = write!(text, "{:03}", ms % 1000);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, start_time: u64, end_time: u64) -> Line {
        Line { language: "de".into(), text: text.into(), start_time, end_time }
    }

    fn written(mut form: Form, lines: &[Line]) -> String {
        let text: String = lines.iter().map(|l| form.line(l)).collect();
        text + form.end()
    }

    #[test]
    fn writes_each_form() {
        let lines = [line(" Guten <Morgen>,", 0, 900), line(" ", 900, 900), line(" alle\n\nzusammen", 900, 3_723_004)];
        assert_eq!(written(Form::Text(false), &lines), "Guten <Morgen>,  alle\n\nzusammen\n");
        assert_eq!(
            written(Form::Srt(0), &lines),
            "1\n00:00:00,000 --> 00:00:00,900\nGuten <Morgen>,\n\n2\n00:00:00,900 --> 01:02:03,004\nalle zusammen\n\n"
        );
        assert_eq!(
            written(Form::Vtt(false), &lines),
            "WEBVTT\n\n00:00:00.000 --> 00:00:00.900\nGuten &lt;Morgen&gt;,\n\n00:00:00.900 --> 01:02:03.004\nalle zusammen\n\n"
        );
        assert_eq!(
            written(Form::Jsonl, &lines[..1]),
            "{\"language\":\"de\",\"text\":\" Guten <Morgen>,\",\"start_time\":0,\"end_time\":900}\n"
        );
    }

    #[test]
    fn nothing_said_is_an_empty_file() {
        assert_eq!(written(Form::Text(false), &[]), "");
        assert_eq!(written(Form::Srt(0), &[]), "");
        assert_eq!(written(Form::Vtt(false), &[]), "WEBVTT\n");
    }
}
