//! What the sandbox hears: the same few sentences, a word every quarter of a second, whatever is said.
//!
//! The transcript depends on the playing time alone, so a test knows it. Spec: "Voice", transcript rules.

use std::ops::Range;

/// How long a word takes.
const WORD_US: u64 = 250_000;

const SENTENCES: [&str; 4] = [
    "Good morning.",
    "This is the sandbox speaking.",
    "It hears time, not words.",
    "Every sentence comes back after a while.",
];

/// A piece of the transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The words, without a blank before them.
    pub text: String,
    /// Whether it follows another sentence.
    pub follows: bool,
    /// When it is said, in milliseconds.
    pub time: Range<u64>,
}

/// How far the transcript is.
#[derive(Debug, Default)]
pub struct Script {
    /// Sentences concluded.
    sentence: usize,
    /// The word at which the current sentence starts.
    start: u64,
    /// Words heard.
    words: u64,
}

impl Script {
    /// Goes on to a playing time: what is concluded, and whether anything new was heard.
    pub fn hear(&mut self, micros: u64) -> (Vec<Spoken>, bool) {
        let heard = micros / WORD_US;
        let news = heard > self.words;
        self.words = self.words.max(heard);
        let mut concluded = Vec::new();
        while let Some(spoken) = self.current().filter(|_| self.words - self.start >= self.len()) {
            let text = self.sentence().to_owned();
            let end = (self.start + self.len()) * WORD_US / 1000;
            concluded.push(Spoken { text, time: spoken.time.start..end, ..spoken });
            self.start += self.len();
            self.sentence += 1;
        }
        (concluded, news)
    }

    /// The words heard of the sentence that is not concluded.
    pub fn current(&self) -> Option<Spoken> {
        let words = usize::try_from(self.words - self.start).ok().filter(|n| *n > 0)?;
        let text = self.sentence().split(' ').take(words).collect::<Vec<_>>().join(" ");
        let time = self.start * WORD_US / 1000..self.words * WORD_US / 1000;
        Some(Spoken { text, follows: self.sentence > 0, time })
    }

    /// Concludes what was heard of the last sentence.
    pub fn end(&mut self) -> Option<Spoken> {
        let last = self.current();
        self.start = self.words;
        self.sentence += usize::from(last.is_some());
        last
    }

    fn sentence(&self) -> &'static str {
        SENTENCES.get(self.sentence % SENTENCES.len()).copied().unwrap_or_default()
    }

    fn len(&self) -> u64 {
        self.sentence().split(' ').count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depends_on_the_time_alone() {
        let all = |steps: &[u64]| {
            let mut script = Script::default();
            let mut texts: Vec<_> = steps.iter().flat_map(|&us| script.hear(us).0).collect();
            texts.extend(script.end());
            texts
        };
        let fine: Vec<u64> = (0..=220).map(|n| n * 10_000).collect();
        assert_eq!(all(&fine), all(&[2_200_000]));
        let texts: Vec<_> = all(&[2_200_000]).into_iter().map(|s| (s.text, s.follows, s.time)).collect();
        let expected = [
            ("Good morning.".to_owned(), false, 0..500),
            ("This is the sandbox speaking.".to_owned(), true, 500..1750),
            ("It".to_owned(), true, 1750..2000),
        ];
        assert_eq!(texts, expected);
    }
}
