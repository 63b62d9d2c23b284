//! Which transcripts a stream has, and which of them are written.

use tulk_client::api::voice::RequestVoiceSession;

/// One of the transcripts of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptId {
    /// The source.
    Source,
    /// A translation, by its position among the targets.
    Target(usize),
}

/// The transcripts that are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptSelection {
    /// Whether the source transcript is written.
    pub source: bool,
    /// Source language, if it was given.
    pub source_language: Option<String>,
    /// Target languages.
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

    /// Returns the number of transcripts.
    pub fn count(&self) -> usize {
        self.targets.len() + usize::from(self.source)
    }
}
