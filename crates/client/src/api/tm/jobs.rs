//! Imports and exports of translation memories. Each is a job of the service; its file is transferred through a signed address.
//! See `docs/service.md`, "Translation memories".

use serde::{Deserialize, Serialize};
use tulk_base::error::Failure;
use tulk_base::limits::{TMX_BYTES, TMX_FILE_NAME_CHARS};
use tulk_base::numbers::{counted, grouped};
use tulk_base::secrets;

use crate::Service;
use crate::http::answer::Answer;
use crate::http::endpoint::{Endpoint, KnownOperation};
use crate::http::failures::unusable;
use crate::http::path::Path;
use crate::http::reply::Reply;
use crate::http::request::{Method, Repeat, Request};

/// The operations of this resource, for `tulk api`.
pub const OPERATIONS: &[KnownOperation] = &[
    KnownOperation::new::<ImportTranslationMemory>(),
    KnownOperation::new::<ExportTranslationMemory>(),
    KnownOperation::new::<GetMemoryJob>(),
];

/// Media type of a TMX file.
pub const TMX_MEDIA_TYPE: &str = "application/xml";

/// `POST /v3/translation_memories/import`: starts an import. Each import creates a new memory once its file is uploaded.
#[derive(Serialize, Clone, Debug)]
pub struct ImportTranslationMemory {
    source_file: ImportFile,
    parameters: ImportParameters,
}

#[derive(Serialize, Clone, Debug)]
struct ImportFile {
    file_name: String,
    content_length: u64,
    content_type: &'static str,
}

#[derive(Serialize, Clone, Debug)]
struct ImportParameters {
    display_name: String,
}

impl ImportTranslationMemory {
    /// Announces a TMX file of `content_length` bytes for a memory named `display_name`. A file name that is too long is shortened.
    pub fn new(file_name: &str, content_length: u64, display_name: &str) -> Self {
        let file_name = match file_name.char_indices().nth(TMX_FILE_NAME_CHARS) {
            None => file_name.to_owned(),
            Some(_) => file_name.chars().take(TMX_FILE_NAME_CHARS - ".tmx".len()).chain(".tmx".chars()).collect(),
        };
        Self {
            source_file: ImportFile { file_name, content_length, content_type: TMX_MEDIA_TYPE },
            parameters: ImportParameters { display_name: display_name.to_owned() },
        }
    }
}

impl Endpoint for ImportTranslationMemory {
    type Reply = MemoryImport;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/translation_memories/import";
    const REPEAT: Repeat = Repeat::UntilArrived;

    fn check(&self, _: &Service) -> Result<(), Failure> {
        let bytes = self.source_file.content_length;
        if bytes == 0 {
            return Err(Failure::usage("the file is empty"));
        }
        if bytes > TMX_BYTES {
            let (bytes, most) = (counted(bytes, "byte"), grouped(TMX_BYTES));
            return Err(Failure::usage(format!("the file has {bytes}; the limit is {most}")).hint("split the file"));
        }
        Ok(())
    }
}

/// Reply to the start of an import. Has no `Debug` because the address is a secret.
#[derive(Deserialize, Clone)]
pub struct MemoryImport {
    /// ID of the job.
    pub job_id: String,
    /// Signed address for uploading the file.
    #[serde(deserialize_with = "secrets::address")]
    pub upload_url: String,
    /// Time at which the address expires.
    #[serde(default)]
    pub expires_at: String,
}

impl Reply for MemoryImport {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        serde_json::from_slice(&answer.body).map_err(|e| unusable(answer, &e.to_string()))
    }
}

/// `POST /v3/translation_memories/{translation_memory_id}/export`: starts an export, or returns a recent one.
#[derive(Serialize, Clone, Debug)]
pub struct ExportTranslationMemory {
    /// ID of the memory.
    pub translation_memory_id: String,
}

impl Endpoint for ExportTranslationMemory {
    type Reply = MemoryExport;
    const METHOD: Method = Method::POST;
    const PATH: &'static str = "/v3/translation_memories/{translation_memory_id}/export";

    /// Builds a request without a body.
    fn request(&self, _: &Service) -> Result<Request, Failure> {
        Ok(Request::new(Self::METHOD, Path::fill(Self::PATH, &[&self.translation_memory_id])?))
    }
}

/// Reply to the start of an export.
#[derive(Deserialize, Clone, Debug)]
pub struct MemoryExport {
    /// ID of the job.
    pub job_id: String,
}

impl Reply for MemoryExport {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        serde_json::from_slice(&answer.body).map_err(|e| unusable(answer, &e.to_string()))
    }
}

/// `GET /v3/translation_memories/jobs/{job_id}`: requests the state of an import or export.
#[derive(Serialize, Clone, Debug)]
pub struct GetMemoryJob {
    /// ID of the job.
    pub job_id: String,
}

impl Endpoint for GetMemoryJob {
    type Reply = MemoryJob;
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/v3/translation_memories/jobs/{job_id}";
}

/// State of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryJobState {
    /// An import without a file, or whose file the service has not noticed yet.
    AwaitingInput,
    /// In progress, or in an unknown state, which does not count as final.
    Working,
    /// Done.
    Completed,
    /// An export that has already been downloaded.
    Downloaded,
    /// Failed. This state is final.
    Failed,
    /// Too old. This state is final.
    Expired,
}

/// An import or export. Has no `Debug` because its address is a secret.
#[derive(Deserialize, Clone)]
pub struct MemoryJob {
    /// ID of the job.
    pub job_id: String,
    /// `import`, `export`, or a newer value.
    #[serde(default)]
    pub operation: String,
    creation_time: Option<String>,
    /// Other name of `creation_time`. An answer may have one of them or both.
    created_at: Option<String>,
    updated_time: Option<String>,
    /// Other name of `updated_time`.
    updated_at: Option<String>,
    #[serde(default)]
    parameters: MemoryJobParameters,
    results: Vec<MemoryJobResult>,
}

#[derive(Deserialize, Clone, Default)]
struct MemoryJobParameters {
    display_name: Option<String>,
    translation_memory_id: Option<String>,
}

/// Result of a job. Has only the fields that tulk uses.
#[derive(Deserialize, Clone, Default)]
pub struct MemoryJobResult {
    /// `awaiting_input`, `processing`, `completed`, `downloaded`, `failed`, `expired`, or a newer value.
    pub status: String,
    /// ID of the new memory, for a completed import.
    pub translation_memory_id: Option<String>,
    /// Number of segments that a completed import skipped.
    pub skipped_segment_count: Option<u64>,
    /// Signed address for downloading a completed export.
    #[serde(default, deserialize_with = "secrets::optional_text")]
    pub download_url: Option<String>,
    #[serde(default)]
    status_metadata: Option<StatusMetadata>,
    error: Option<JobError>,
}

#[derive(Deserialize, Clone, Default)]
struct StatusMetadata {
    required_action: Option<String>,
}

#[derive(Deserialize, Clone, Default)]
struct JobError {
    message: Option<String>,
}

impl MemoryJob {
    /// Returns the result. A job has exactly one.
    pub fn result(&self) -> MemoryJobResult {
        self.results.first().cloned().unwrap_or_default()
    }

    /// Parses the status of the result.
    pub fn state(&self) -> MemoryJobState {
        match self.result().status.as_str() {
            "awaiting_input" => MemoryJobState::AwaitingInput,
            "completed" => MemoryJobState::Completed,
            "downloaded" => MemoryJobState::Downloaded,
            "failed" => MemoryJobState::Failed,
            "expired" => MemoryJobState::Expired,
            _ => MemoryJobState::Working,
        }
    }

    /// Returns whether the state never changes again.
    pub fn is_final(&self) -> bool {
        !matches!(self.state(), MemoryJobState::AwaitingInput | MemoryJobState::Working)
    }

    /// Returns the name of the memory that an import creates.
    pub fn display_name(&self) -> Option<&str> {
        self.parameters.display_name.as_deref()
    }

    /// Returns the ID of the memory that an import has created or an export exports.
    pub fn memory_id(&self) -> Option<String> {
        self.result().translation_memory_id.or_else(|| self.parameters.translation_memory_id.clone())
    }

    /// Returns the time of creation.
    pub fn created(&self) -> Option<&str> {
        self.creation_time.as_deref().or(self.created_at.as_deref())
    }

    /// Returns the time of the last change.
    pub fn updated(&self) -> Option<&str> {
        self.updated_time.as_deref().or(self.updated_at.as_deref())
    }

    /// Returns why the job failed, or what it is waiting for.
    pub fn message(&self) -> Option<String> {
        let result = self.result();
        let action = result.status_metadata.and_then(|metadata| metadata.required_action);
        let message = result.error.and_then(|error| error.message).or(action)?;
        Some(message.trim().trim_end_matches('.').to_owned()).filter(|message| !message.is_empty())
    }
}

impl Reply for MemoryJob {
    fn read(answer: &Answer) -> Result<Self, Failure> {
        let job: Self = serde_json::from_slice(&answer.body).map_err(|e| unusable(answer, &e.to_string()))?;
        if job.results.is_empty() { Err(unusable(answer, "the job has no result")) } else { Ok(job) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(fields: &str, result: &str) -> MemoryJob {
        serde_json::from_str(&format!(r#"{{"job_id":"J"{fields},"results":[{result}]}}"#)).unwrap()
    }

    #[test]
    fn an_unknown_status_is_not_final() {
        for (status, is_final) in [
            ("awaiting_input", false),
            ("processing", false),
            ("resting", false),
            ("completed", true),
            ("downloaded", true),
            ("failed", true),
            ("expired", true),
        ] {
            assert_eq!(job("", &format!(r#"{{"status":"{status}"}}"#)).is_final(), is_final, "{status}");
        }
    }

    #[test]
    fn reads_times_under_either_name() {
        let times = |fields: &str| {
            let job = job(fields, r#"{"status":"processing"}"#);
            (job.created().map(str::to_owned), job.updated().map(str::to_owned))
        };
        let both = (Some("1".to_owned()), Some("2".to_owned()));
        assert_eq!(times(r#","creation_time":"1","updated_time":"2""#), both);
        assert_eq!(times(r#","created_at":"1","updated_at":"2""#), both);
        assert_eq!(times(r#","creation_time":"1","created_at":"0","updated_time":"2","updated_at":"0""#), both);
        assert_eq!(times(""), (None, None));
    }

    #[test]
    fn a_long_file_name_keeps_its_extension() {
        let name = |name: &str| ImportTranslationMemory::new(name, 1, "x").source_file.file_name;
        assert_eq!(name("a.tmx"), "a.tmx");
        assert_eq!(name(&format!("{}.tmx", "ü".repeat(96))), format!("{}.tmx", "ü".repeat(96)));
        assert_eq!(name(&format!("{}.tmx", "ü".repeat(97))), format!("{}.tmx", "ü".repeat(96)));
    }

    #[test]
    fn checks_the_size() {
        let service = Service {
            name: String::new(),
            base_url: String::new(),
            auth_scheme: String::new(),
            reporting_tag_header: String::new(),
            is_public: true,
        };
        let refused = |bytes| ImportTranslationMemory::new("a.tmx", bytes, "a").check(&service).err().map(|f| f.what);
        assert_eq!(refused(0).as_deref(), Some("the file is empty"));
        assert_eq!((refused(1), refused(1_073_741_824)), (None, None));
        let what = "the file has 1,073,741,825 bytes; the limit is 1,073,741,824";
        assert_eq!(refused(1_073_741_825).as_deref(), Some(what));
    }
}
