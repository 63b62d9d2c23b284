//! The transcripts of a stream: writes final segments once, and shows tentative text only on a terminal.
//!
//! Remembers the last segments of each transcript, to recognise repetitions after a reconnection.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::Arc;

use tulk_base::error::Failure;
use tulk_client::api::voice::RequestVoiceSession;
use tulk_client::api::voice::message::{MediaChunk, TranscriptSegment, TranscriptUpdate};

use super::formatter::TranscriptLine;
use super::output_files::StreamOutcome;
use super::speech::SpeechFile;
use super::transcript_output::{TranscriptOutput, UNKNOWN_LANGUAGE};
use crate::output::Output;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptId {
    Source,
    /// A translation, by its position among the targets.
    Target(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptSelection {
    pub source: bool,
    pub source_language: Option<String>,
    pub targets: Vec<String>,
}

impl TranscriptSelection {
    /// Selects all translations, and the source if `with_source` is set or there are no translations.
    pub fn new(with_source: bool, request: &RequestVoiceSession) -> Self {
        let targets: Vec<String> = request.targets().iter().map(|code| code.bcp47().to_owned()).collect();
        Self {
            source: with_source || targets.is_empty(),
            source_language: request.source_language.as_ref().map(|code| code.bcp47().to_owned()),
            targets,
        }
    }

    pub fn count(&self) -> usize {
        self.targets.len() + usize::from(self.source)
    }
}

const MAX_REMEMBERED_SEGMENTS: usize = 64;

/// Maximum length of a name from the service in a message, in characters.
const MAX_NAME_CHARS: usize = 80;

pub struct Transcripts {
    selection: TranscriptSelection,
    output: TranscriptOutput,
    speech: Option<SpeechFile>,
    out: Arc<Output>,
    source: Transcript,
    targets: Vec<Transcript>,
    /// Whether there was a reconnection, after which segments may be repeated.
    reconnected: bool,
    reported_language: bool,
}

#[derive(Default)]
struct Transcript {
    /// End of the last final segment, in milliseconds.
    concluded_until: u64,
    /// Whether there is text that is not final yet.
    has_tentative: bool,
    /// Digests of the last segments, because their texts can be long.
    last: VecDeque<u64>,
}

impl Transcript {
    /// Returns false if it is a repetition after a reconnection.
    fn add_if_new(&mut self, segment: &TranscriptSegment, reconnected: bool) -> bool {
        let mut hasher = DefaultHasher::new();
        (&segment.text, segment.start_time, segment.end_time).hash(&mut hasher);
        let key = hasher.finish();
        if reconnected && self.last.contains(&key) {
            return false;
        }
        if self.last.len() == MAX_REMEMBERED_SEGMENTS {
            self.last.pop_front();
        }
        self.last.push_back(key);
        self.concluded_until = self.concluded_until.max(segment.end_time);
        true
    }
}

impl Transcripts {
    pub fn new(
        selection: TranscriptSelection,
        output: TranscriptOutput,
        speech: Option<SpeechFile>,
        out: Arc<Output>,
    ) -> Self {
        let targets = selection.targets.iter().map(|_| Transcript::default()).collect();
        Self {
            selection,
            output,
            speech,
            out,
            source: Transcript::default(),
            targets,
            reconnected: false,
            reported_language: false,
        }
    }

    pub fn is_live(&self) -> bool {
        self.output.is_live()
    }

    pub fn streams_to_stdout(&self) -> bool {
        self.output.streams_to_stdout()
    }

    pub fn update_source(&mut self, update: &TranscriptUpdate) -> Result<(), Failure> {
        self.source.has_tentative = has_text(&update.tentative);
        for segment in &update.concluded {
            if self.source.add_if_new(segment, self.reconnected) && self.selection.source {
                let language = segment.language.clone().or_else(|| self.selection.source_language.clone());
                let language = language.unwrap_or_else(|| UNKNOWN_LANGUAGE.to_owned());
                self.output.write_segment(TranscriptId::Source, &transcript_line(language, segment))?;
            }
        }
        self.output.show_tentative(TranscriptId::Source, &joined_text(&update.tentative))
    }

    pub fn update_target(&mut self, update: &TranscriptUpdate) -> Result<(), Failure> {
        let at = self.selection.targets.iter().position(|language| language.eq_ignore_ascii_case(&update.language));
        let Some((at, transcript)) = at.and_then(|at| self.targets.get_mut(at).map(|transcript| (at, transcript)))
        else {
            if !std::mem::replace(&mut self.reported_language, true) {
                self.out
                    .warn(&format!("ignored text in {}, which was not requested", shortened_name(&update.language)));
            }
            return Ok(());
        };
        transcript.has_tentative = has_text(&update.tentative);
        for segment in &update.concluded {
            if transcript.add_if_new(segment, self.reconnected) {
                let language = self.selection.targets.get(at).cloned().unwrap_or_default();
                self.output.write_segment(TranscriptId::Target(at), &transcript_line(language, segment))?;
            }
        }
        self.output.show_tentative(TranscriptId::Target(at), &joined_text(&update.tentative))
    }

    pub fn write_speech(&mut self, chunk: &MediaChunk) -> Result<(), Failure> {
        self.speech.as_mut().map_or(Ok(()), |speech| speech.write(chunk))
    }

    /// Returns the position up to which all transcripts are final, in milliseconds of audio.
    pub fn concluded_until(&self) -> u64 {
        self.targets.iter().map(|transcript| transcript.concluded_until).fold(self.source.concluded_until, u64::min)
    }

    /// Returns whether all text is final, as in a pause between sentences.
    pub fn are_concluded(&self) -> bool {
        !self.source.has_tentative && self.targets.iter().all(|transcript| !transcript.has_tentative)
    }

    /// Discards tentative text after a connection is lost.
    pub fn reset_tentative(&mut self) -> Result<(), Failure> {
        self.reconnected = true;
        self.source.has_tentative = false;
        self.output.show_tentative(TranscriptId::Source, "")?;
        for (at, transcript) in self.targets.iter_mut().enumerate() {
            transcript.has_tentative = false;
            self.output.show_tentative(TranscriptId::Target(at), "")?;
        }
        Ok(())
    }

    /// Returns the partial files that stay.
    pub fn finish(self, outcome: StreamOutcome) -> Result<Vec<PathBuf>, Failure> {
        let text = self.output.finish(outcome);
        let speech = self.speech.map_or(Ok(None), |speech| speech.finish(outcome, &self.out));
        let mut parts = text?;
        parts.extend(speech?);
        Ok(parts)
    }
}

fn transcript_line(language: String, segment: &TranscriptSegment) -> TranscriptLine {
    TranscriptLine { language, text: segment.text.clone(), start_time: segment.start_time, end_time: segment.end_time }
}

pub fn shortened_name(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect()
}

fn joined_text(segments: &[TranscriptSegment]) -> String {
    segments.iter().map(|segment| segment.text.as_str()).collect()
}

fn has_text(segments: &[TranscriptSegment]) -> bool {
    segments.iter().any(|segment| !segment.text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(text: &str, start_time: u64, end_time: u64) -> TranscriptSegment {
        TranscriptSegment { text: text.into(), start_time, end_time, ..TranscriptSegment::default() }
    }

    #[test]
    fn repetitions_are_ignored_only_after_a_reconnection() {
        let mut transcript = Transcript::default();
        assert!(transcript.add_if_new(&segment("a", 0, 5), false));
        assert!(transcript.add_if_new(&segment("a", 0, 5), false), "spoken twice");
        assert!(!transcript.add_if_new(&segment("a", 0, 5), true));
        assert!(transcript.add_if_new(&segment("a", 5, 9), true));
        assert_eq!(transcript.concluded_until, 9);
    }

    #[test]
    fn remembers_a_limited_number_of_segments() {
        let mut transcript = Transcript::default();
        for n in 0..10_000 {
            transcript.add_if_new(&segment("a", n, n + 1), false);
        }
        assert_eq!(transcript.last.len(), MAX_REMEMBERED_SEGMENTS);
    }
}
