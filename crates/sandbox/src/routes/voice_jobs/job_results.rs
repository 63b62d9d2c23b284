//! Writes the results of a job: the sandbox's transcript, translated, as text, subtitles or speech.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::job_body::{JobRequest, JobTarget, SUBTITLE_TYPE};
use super::stored_job::StoredJobResult;
use crate::app::App;
use crate::languages;
use crate::routes::voice::speech::SpeechEncoder;
use crate::routes::voice::transcript::{ScriptedSegment, ScriptedTranscriber};
use crate::translator::Translator;

/// Language of the transcript if the request gives none.
const DEFAULT_SOURCE: &str = "en";

/// Returns the sentences spoken within a playing time in microseconds.
pub(super) fn transcript(micros: u64) -> Vec<ScriptedSegment> {
    let mut transcriber = ScriptedTranscriber::default();
    let mut segments = transcriber.advance(micros).map(|update| update.concluded).unwrap_or_default();
    segments.extend(transcriber.finish().concluded);
    segments
}

pub(super) fn write(
    app: &App,
    request: &JobRequest,
    transcript: &[ScriptedSegment],
    results: &mut [StoredJobResult],
) -> io::Result<()> {
    let source = request.parameters.source_language.as_deref().unwrap_or(DEFAULT_SOURCE);
    for (target, result) in request.targets.iter().zip(results) {
        let mut file = BufWriter::new(app.state.create_file(&result.file)?);
        write_result(app, source, target, transcript, &mut file)?;
        let file: File = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        result.bytes = file.metadata()?.len();
    }
    Ok(())
}

fn write_result(
    app: &App,
    source: &str,
    target: &JobTarget,
    transcript: &[ScriptedSegment],
    file: &mut impl Write,
) -> io::Result<()> {
    if target.is_speech() {
        return write_speech(&target.content_type, transcript, file);
    }
    let texts = transcript.iter().map(|segment| translate(app, source, target, &segment.text));
    if target.content_type != SUBTITLE_TYPE {
        return writeln!(file, "{}", texts.collect::<Vec<_>>().join(" "));
    }
    for ((number, text), segment) in texts.enumerate().zip(transcript) {
        let separator = if number > 0 { "\n" } else { "" };
        let (start, end) = (subtitle_time(segment.time.start), subtitle_time(segment.time.end));
        writeln!(file, "{separator}{}\n{start} --> {end}\n{text}", number + 1)?;
    }
    Ok(())
}

/// Translates a sentence: as a known phrase, or with the engine.
fn translate(app: &App, source: &str, target: &JobTarget, text: &str) -> String {
    if let Some(found) = app.phrases.scope(Some(source), &target.language).find(text) {
        return found.text.to_owned();
    }
    if languages::have_same_base(source, &target.language) {
        return text.to_owned();
    }
    Translator::new(app.options.engine, &target.language).translate(text)
}

/// Writes speech for the transcript. It is as long as the transcript, except for content types with a short recording.
fn write_speech(content_type: &str, transcript: &[ScriptedSegment], file: &mut impl Write) -> io::Result<()> {
    let encoder = SpeechEncoder::for_file(content_type);
    let mut encoder = encoder.ok_or_else(|| io::Error::other(format!("no encoder for {content_type}")))?;
    let mut spoken_ms = 0;
    for segment in transcript {
        // Speech always ends with a complete packet, so it can be longer than its sentence. Subtract the time already
        // spoken, so that the next sentences are not delayed.
        let speech = encoder.encode(segment.time.end.saturating_sub(spoken_ms));
        spoken_ms += speech.duration_ms;
        for block in speech.headers.iter().chain(&speech.data) {
            file.write_all(block)?;
        }
    }
    encoder.finish().iter().try_for_each(|block| file.write_all(block))
}

/// Formats a time in milliseconds for SubRip subtitles: `01:02:03,456`.
fn subtitle_time(ms: u64) -> String {
    let (seconds, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02},{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
