//! The body that creates a voice job, and its checks.

use serde::{Deserialize, Serialize};

use crate::languages;
use crate::reply::Refusal;
use crate::routes::voice::audio_meter::normalise_content_type;
use crate::routes::voice::speech::SpeechEncoder;

/// Maximum size of a file, in bytes: 1 GiB.
pub(super) const FILE_BYTES_MAX: u64 = 1 << 30;
/// Maximum number of targets. The service documents no maximum, but the sandbox needs one, because it writes a file for
/// each target.
const TARGETS_MAX: usize = 100;
/// Resource whose languages jobs support.
const RESOURCE: &str = "voice";
const SOURCE_TYPES: [&str; 6] = ["audio/mpeg", "audio/wav", "audio/ogg", "audio/flac", "audio/mp4", "audio/webm"];
pub(super) const TEXT_TYPE: &str = "text/plain";
pub(super) const SUBTITLE_TYPE: &str = "application/x-subrip";
/// Content types of speech that are available in voice sessions, but not in jobs.
const SESSION_TYPES: [&str; 2] = ["audio/ogg", "audio/webm"];

#[derive(Deserialize)]
pub(super) struct CreateJobBody {
    source_file: Option<SourceFileBody>,
    parameters: Option<JobParameters>,
    targets: Option<Vec<TargetBody>>,
}

#[derive(Deserialize)]
struct SourceFileBody {
    name: Option<String>,
    content_type: Option<String>,
    content_length: Option<i64>,
}

#[derive(Deserialize)]
struct TargetBody {
    language: Option<String>,
    #[serde(rename = "type")]
    content_type: Option<String>,
}

/// The parameters of a job, as answers contain them.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(super) struct JobParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) source_language: Option<String>,
}

/// A checked request for a job, as answers contain it.
#[derive(Clone, Deserialize, Serialize)]
pub(super) struct JobRequest {
    pub(super) source_file: JobSourceFile,
    pub(super) parameters: JobParameters,
    pub(super) targets: Vec<JobTarget>,
}

#[derive(Clone, Deserialize, Serialize)]
pub(super) struct JobSourceFile {
    pub(super) name: String,
    /// Normalised content type.
    pub(super) content_type: String,
    pub(super) content_length: u64,
}

#[derive(Clone, Deserialize, Serialize)]
pub(super) struct JobTarget {
    /// Language in canonical case.
    pub(super) language: String,
    /// Normalised content type.
    #[serde(rename = "type")]
    pub(super) content_type: String,
}

impl CreateJobBody {
    pub(super) fn check(self) -> Result<JobRequest, Refusal> {
        let source_file = self.source_file.ok_or_else(|| missing("/source_file"))?.check()?;
        let mut parameters = self.parameters.unwrap_or_default();
        if let Some(code) = &mut parameters.source_language {
            let source =
                languages::find_source(RESOURCE, code).ok_or_else(|| invalid("/parameters/source_language"))?;
            source.0.lang.clone_into(code);
        }
        let targets = self.targets.ok_or_else(|| missing("/targets"))?;
        if targets.is_empty() {
            return Err(Refusal::bad_request("/targets: At least one value is required"));
        }
        if targets.len() > TARGETS_MAX {
            return Err(Refusal::bad_request(format!("/targets: Too many values: the maximum is {TARGETS_MAX}")));
        }
        let targets: Result<_, _> = targets.into_iter().enumerate().map(|(at, target)| target.check(at)).collect();
        Ok(JobRequest { source_file, parameters, targets: targets? })
    }
}

impl SourceFileBody {
    fn check(self) -> Result<JobSourceFile, Refusal> {
        let name = self.name.ok_or_else(|| missing("/source_file/name"))?;
        if name.is_empty() {
            return Err(invalid("/source_file/name"));
        }
        let content_type = self.content_type.ok_or_else(|| missing("/source_file/content_type"))?;
        let content_type = normalise_content_type(&content_type);
        if !SOURCE_TYPES.contains(&content_type.as_str()) {
            return Err(invalid("/source_file/content_type"));
        }
        let content_length = self.content_length.ok_or_else(|| missing("/source_file/content_length"))?;
        let content_length = u64::try_from(content_length).ok().filter(|n| (1..=FILE_BYTES_MAX).contains(n));
        let content_length = content_length.ok_or_else(|| {
            Refusal::bad_request(format!("/source_file/content_length: Value must be between 1 and {FILE_BYTES_MAX}"))
        })?;
        Ok(JobSourceFile { name, content_type, content_length })
    }
}

impl TargetBody {
    fn check(self, at: usize) -> Result<JobTarget, Refusal> {
        let field = |name: &str| format!("/targets/{at}/{name}");
        let language = self.language.ok_or_else(|| missing(&field("language")))?;
        let content_type = normalise_content_type(&self.content_type.ok_or_else(|| missing(&field("type")))?);
        let is_speech = is_speech(&content_type);
        if !is_speech && content_type != TEXT_TYPE && content_type != SUBTITLE_TYPE {
            return Err(invalid(&field("type")));
        }
        let (language, support) =
            languages::find_target(RESOURCE, &language).ok_or_else(|| invalid(&field("language")))?;
        if is_speech && !support.has_feature("translated_speech") {
            return Err(invalid(&field("language")).detail(format!("no speech in '{}'", language.lang)));
        }
        Ok(JobTarget { language: language.lang.to_owned(), content_type })
    }
}

impl JobTarget {
    pub(super) fn is_speech(&self) -> bool {
        is_speech(&self.content_type)
    }
}

fn is_speech(content_type: &str) -> bool {
    SpeechEncoder::for_file(content_type).is_some() && !SESSION_TYPES.contains(&content_type)
}

fn missing(pointer: &str) -> Refusal {
    Refusal::bad_request(format!("{pointer}: Value is required"))
}

fn invalid(pointer: &str) -> Refusal {
    Refusal::bad_request(format!("{pointer}: Value is not valid"))
}
