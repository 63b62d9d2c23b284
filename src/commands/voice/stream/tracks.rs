//! The transcripts of a stream: what is concluded goes to its place once, what is tentative is only shown.
//!
//! Keeps no text but the last few segments, to know one that a reconnection brings again. Spec: "Voice", transcript rules.

use std::collections::VecDeque;
use std::sync::Arc;

use super::form::Line;
use super::places::Opened;
use super::spoken::Spoken;
use super::{Ending, Shown};
use crate::api::voice::message::{MediaChunk, TranscriptSegment, TranscriptUpdate};
use crate::error::Failure;
use crate::output::Output;

/// Segments of a transcript that are remembered.
const REMEMBERED: usize = 64;

/// All transcripts, and the speech.
pub struct Tracks {
    shown: Shown,
    places: Opened,
    spoken: Option<Spoken>,
    out: Arc<Output>,
    source: Track,
    targets: Vec<Track>,
    /// Whether the stream was taken up again, so that segments may come twice.
    resumed: bool,
}

/// One transcript.
#[derive(Default)]
struct Track {
    /// Up to where it is concluded, in milliseconds.
    until: u64,
    /// Whether text waits to be concluded.
    open: bool,
    last: VecDeque<(String, u64, u64)>,
}

impl Track {
    /// Takes note of a segment; false when it came before.
    fn take(&mut self, segment: &TranscriptSegment, resumed: bool) -> bool {
        let key = (segment.text.clone(), segment.start_time, segment.end_time);
        if resumed && self.last.contains(&key) {
            return false;
        }
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back(key);
        self.until = self.until.max(segment.end_time);
        true
    }
}

impl Tracks {
    /// Tracks for what is shown.
    pub fn new(shown: Shown, places: Opened, spoken: Option<Spoken>, out: Arc<Output>) -> Self {
        let targets = shown.targets.iter().map(|_| Track::default()).collect();
        Self { shown, places, spoken, out, source: Track::default(), targets, resumed: false }
    }

    /// Whether text is shown live, so that nothing else should move on the screen.
    pub fn is_live(&self) -> bool {
        self.places.is_live()
    }

    /// Takes more of the source transcript.
    pub fn source(&mut self, update: &TranscriptUpdate) -> Result<(), Failure> {
        self.source.open = has_text(&update.tentative);
        for segment in &update.concluded {
            if self.source.take(segment, self.resumed)
                && let Some(given) = &self.shown.source
            {
                let language = segment.language.clone().or_else(|| given.clone()).unwrap_or_else(|| "und".to_owned());
                self.places.concluded(None, &line(language, segment))?;
            }
        }
        self.places.tentative(None, &joined(&update.tentative))
    }

    /// Takes more of a target transcript.
    pub fn target(&mut self, update: &TranscriptUpdate) -> Result<(), Failure> {
        let at = self.shown.targets.iter().position(|language| language.eq_ignore_ascii_case(&update.language));
        let Some((at, track)) = at.and_then(|at| self.targets.get_mut(at).map(|track| (at, track))) else {
            self.out.warn(&format!("text came in a language that nobody asked for: {}", update.language));
            return Ok(());
        };
        track.open = has_text(&update.tentative);
        for segment in &update.concluded {
            if track.take(segment, self.resumed) {
                let language = self.shown.targets.get(at).cloned().unwrap_or_default();
                self.places.concluded(Some(at), &line(language, segment))?;
            }
        }
        self.places.tentative(Some(at), &joined(&update.tentative))
    }

    /// Takes speech.
    pub fn speech(&mut self, chunk: &MediaChunk) -> Result<(), Failure> {
        self.spoken.as_mut().map_or(Ok(()), |spoken| spoken.take(chunk))
    }

    /// Up to where every transcript is concluded, in milliseconds of audio.
    pub fn concluded_until(&self) -> u64 {
        self.targets.iter().map(|track| track.until).fold(self.source.until, u64::min)
    }

    /// Whether nothing waits to be concluded: the moment to change connections.
    pub fn is_quiet(&self) -> bool {
        !self.source.open && self.targets.iter().all(|track| !track.open)
    }

    /// The connection is lost: what was tentative is gone.
    pub fn lost(&mut self) -> Result<(), Failure> {
        self.resumed = true;
        self.source.open = false;
        self.places.tentative(None, "")?;
        for (at, track) in self.targets.iter_mut().enumerate() {
            track.open = false;
            self.places.tentative(Some(at), "")?;
        }
        Ok(())
    }

    /// Ends every file.
    pub fn end(self, ending: Ending) -> Result<(), Failure> {
        let text = self.places.end(ending);
        let speech = self.spoken.map_or(Ok(()), |spoken| spoken.end(ending, &self.out));
        text.and(speech)
    }
}

fn line(language: String, segment: &TranscriptSegment) -> Line {
    Line { language, text: segment.text.clone(), start_time: segment.start_time, end_time: segment.end_time }
}

fn joined(segments: &[TranscriptSegment]) -> String {
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
    fn a_repeated_segment_counts_only_without_a_reconnection() {
        let mut track = Track::default();
        assert!(track.take(&segment("a", 0, 5), false));
        assert!(track.take(&segment("a", 0, 5), false), "said twice, as the service sees it");
        assert!(!track.take(&segment("a", 0, 5), true));
        assert!(track.take(&segment("a", 5, 9), true));
        assert_eq!(track.until, 9);
    }

    #[test]
    fn memory_of_segments_is_bounded() {
        let mut track = Track::default();
        for n in 0..10_000 {
            track.take(&segment("a", n, n + 1), false);
        }
        assert_eq!(track.last.len(), REMEMBERED);
    }
}
