//! The body of a quality evaluation, and its checks.

use serde::Deserialize;

use crate::reply::Refusal;

/// Maximum number of segments in a job.
const SEGMENTS_MAX: usize = 500;
/// Maximum length of a source or target, in characters.
const SEGMENT_CHARS_MAX: usize = 10_000;

/// The source languages, each with the target languages that it can be evaluated with.
const PAIRS: [(&str, &[&str]); 8] = [
    ("de", &["en-gb", "en-us"]),
    ("en", &["de", "es", "es-419", "fr", "it", "ja", "ko"]),
    ("es", &["en-gb", "en-us"]),
    ("fr", &["en-gb", "en-us"]),
    ("it", &["en-gb", "en-us"]),
    ("ja", &["en-gb", "en-us", "ko", "zh-hans", "zh-hant"]),
    ("ko", &["en-gb", "en-us", "ja"]),
    ("zh", &["ja"]),
];

/// The body of `POST /v1/quality-evaluation`.
#[derive(Deserialize)]
pub(super) struct SubmitBody {
    metadata: Option<SubmitMetadata>,
    segments: Option<Vec<SegmentBody>>,
}

#[derive(Deserialize)]
struct SubmitMetadata {
    source_language: Option<String>,
    target_language: Option<String>,
}

#[derive(Deserialize)]
struct SegmentBody {
    source: Option<String>,
    target: Option<String>,
}

/// The checked segments of a job.
pub(super) struct CheckedSegments {
    /// Base codes of the two languages, in lower case.
    pub(super) languages: (String, String),
    /// Sources and targets.
    pub(super) pairs: Vec<(String, String)>,
}

impl SubmitBody {
    /// Checks every field.
    pub(super) fn check(self) -> Result<CheckedSegments, Refusal> {
        let metadata = self.metadata.ok_or_else(|| required("metadata"))?;
        let code = |value: Option<String>, name| {
            let code = value.filter(|code| !code.is_empty()).ok_or_else(|| required(name))?;
            Ok::<_, Refusal>(code.to_ascii_lowercase())
        };
        let source = code(metadata.source_language, "metadata.source_language")?;
        let target = code(metadata.target_language, "metadata.target_language")?;
        let segments = self.segments.filter(|segments| !segments.is_empty()).ok_or_else(|| required("segments"))?;
        if segments.len() > SEGMENTS_MAX {
            return Err(Refusal::bad(format!("segments has {} items: the maximum is {SEGMENTS_MAX}.", segments.len())));
        }
        let targets = PAIRS.iter().find(|(known, _)| *known == source).map(|(_, targets)| *targets);
        if !targets.is_some_and(|targets| targets.contains(&target.as_str())) {
            return Err(Refusal::bad(format!("The language pair {source} to {target} is not supported.")));
        }
        let base = target.split('-').next().unwrap_or_default().to_owned();
        let pairs: Result<_, _> = segments.into_iter().enumerate().map(|(at, segment)| segment.check(at)).collect();
        Ok(CheckedSegments { languages: (source, base), pairs: pairs? })
    }
}

impl SegmentBody {
    fn check(self, at: usize) -> Result<(String, String), Refusal> {
        let text = |value: Option<String>, name: &str| {
            let name = format!("segments[{at}].{name}");
            let text = value.ok_or_else(|| required(&name))?;
            let count = text.chars().count();
            if count > SEGMENT_CHARS_MAX {
                let message = format!("{name} has {count} characters: the maximum is {SEGMENT_CHARS_MAX}.");
                return Err(Refusal::bad(message));
            }
            Ok(text)
        };
        Ok((text(self.source, "source")?, text(self.target, "target")?))
    }
}

fn required(name: &str) -> Refusal {
    Refusal::bad(format!("{name} is required."))
}
