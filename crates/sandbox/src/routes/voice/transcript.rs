//! The sandbox's transcript: four sentences in a loop, at four words per second, whatever the audio contains. It depends only on
//! the playing time, so tests can predict it. See docs/service.md, "Voice".

use std::ops::Range;

const WORD_US: u64 = 250_000;

const SENTENCES: [&str; 4] = [
    "Good morning.",
    "This is the sandbox speaking.",
    "It hears time, not words.",
    "Every sentence comes back after a while.",
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptedSegment {
    /// The words, without leading whitespace.
    pub text: String,
    /// Whether another sentence precedes it.
    pub follows_another: bool,
    /// Start and end, in milliseconds.
    pub time: Range<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScriptedUpdate {
    /// Sentences that will not change. Only the last one of a transcript can be incomplete.
    pub concluded: Vec<ScriptedSegment>,
    /// The words of the current sentence so far.
    pub tentative: Option<ScriptedSegment>,
}

#[derive(Debug, Default)]
pub struct ScriptedTranscriber {
    sentences_done: usize,
    /// Number of the first word of the current sentence, from 0.
    first_word: u64,
    words: u64,
}

impl ScriptedTranscriber {
    /// Advances to a playing time. Returns the update, or `None` if there is no new word.
    pub fn advance(&mut self, micros: u64) -> Option<ScriptedUpdate> {
        let words = micros / WORD_US;
        if words <= self.words {
            return None;
        }
        self.words = words;
        let mut concluded = Vec::new();
        while let Some(segment) =
            self.current_segment().filter(|_| self.words - self.first_word >= self.sentence_words())
        {
            let text = self.current_sentence().to_owned();
            let end = (self.first_word + self.sentence_words()) * WORD_US / 1000;
            concluded.push(ScriptedSegment { text, time: segment.time.start..end, ..segment });
            self.first_word += self.sentence_words();
            self.sentences_done += 1;
        }
        Some(ScriptedUpdate { concluded, tentative: self.current_segment() })
    }

    /// Concludes the current sentence, complete or not, and returns the update.
    pub fn finish(&mut self) -> ScriptedUpdate {
        let last = self.current_segment();
        self.first_word = self.words;
        self.sentences_done += usize::from(last.is_some());
        ScriptedUpdate { concluded: last.into_iter().collect(), tentative: None }
    }

    fn current_segment(&self) -> Option<ScriptedSegment> {
        let words = usize::try_from(self.words - self.first_word).ok().filter(|n| *n > 0)?;
        let text = self.current_sentence().split(' ').take(words).collect::<Vec<_>>().join(" ");
        let time = self.first_word * WORD_US / 1000..self.words * WORD_US / 1000;
        Some(ScriptedSegment { text, follows_another: self.sentences_done > 0, time })
    }

    fn current_sentence(&self) -> &'static str {
        SENTENCES.get(self.sentences_done % SENTENCES.len()).copied().unwrap_or_default()
    }

    /// Returns the number of words in the complete current sentence.
    fn sentence_words(&self) -> u64 {
        self.current_sentence().split(' ').count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transcript_depends_on_the_playing_time_alone() {
        let all = |steps: &[u64]| {
            let mut transcriber = ScriptedTranscriber::default();
            let updates = steps.iter().filter_map(|&us| transcriber.advance(us));
            let mut segments: Vec<_> = updates.flat_map(|update| update.concluded).collect();
            segments.extend(transcriber.finish().concluded);
            segments
        };
        let fine: Vec<u64> = (0..=220).map(|n| n * 10_000).collect();
        assert_eq!(all(&fine), all(&[2_200_000]));
        let segments: Vec<_> = all(&[2_200_000]).into_iter().map(|s| (s.text, s.follows_another, s.time)).collect();
        let expected = [
            ("Good morning.".to_owned(), false, 0..500),
            ("This is the sandbox speaking.".to_owned(), true, 500..1750),
            ("It".to_owned(), true, 1750..2000),
        ];
        assert_eq!(segments, expected);
    }
}
