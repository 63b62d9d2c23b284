//! One document's record: all that is needed to go on with it in another process.
//!
//! Holds the document's key, so it has no `Debug` and is never printed; commands show parts of it. Spec: "Documents".

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where a document is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The upload has begun; its last bytes have not left, so the service has nothing it could act on.
    Uploading,
    /// The last bytes were about to leave and no answer is known: in doubt.
    Sent,
    /// The service has it, and id and key are known.
    Uploaded,
    /// The result is being fetched.
    Downloading,
    /// The result is where it belongs.
    Done,
    /// The service gave it up.
    Failed,
    /// The service no longer has it, and the result was not kept whole.
    Gone,
}

impl Stage {
    /// Whether there is something left to do or to decide.
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Self::Uploading | Self::Sent | Self::Uploaded | Self::Downloading)
    }

    /// The word in lists.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Uploading => "uploading",
            Self::Sent => "in_doubt",
            Self::Uploaded => "uploaded",
            Self::Downloading => "downloading",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Gone => "gone",
        }
    }
}

/// The file that was, or will be, uploaded.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Where it lies; for stdin the private copy beside the record.
    pub path: PathBuf,
    /// Its name as the user gave it, `-` for stdin.
    pub shown: String,
    /// The name told to the service.
    pub filename: String,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// One document.
#[derive(Clone, Serialize, Deserialize)]
pub struct Record {
    /// The name of its file, and what it is called while it has no id: `local-` and 16 digits.
    pub name: String,
    /// Where it is in its life.
    pub stage: Stage,
    /// Which server has it.
    pub server: String,
    /// The file; absent for a document that was uploaded elsewhere.
    pub source: Option<Source>,
    /// Target language, as file names spell it.
    pub target_lang: String,
    /// The fields of the upload.
    pub params: Value,
    /// Where the result goes; absent: stdout.
    pub target: Option<PathBuf>,
    /// Whether the result may replace a file.
    pub force: bool,
    /// The id, once there is one.
    pub document_id: Option<String>,
    /// The key; struck out when the document is finished.
    pub document_key: Option<String>,
    /// How long the result is, once its download has begun and if the service said so.
    pub result_bytes: Option<u64>,
    /// What was billed.
    pub billed_characters: Option<u64>,
    /// Why it failed.
    pub reason: Option<String>,
    /// Seconds since 1970.
    pub created: u64,
    /// Seconds since 1970.
    pub updated: u64,
}

impl Record {
    /// Its id, or its local name while it has none.
    pub fn id(&self) -> &str {
        self.document_id.as_deref().unwrap_or(&self.name)
    }

    /// What it is made from, as the user knows it.
    pub fn shown(&self) -> &str {
        self.source.as_ref().map_or(self.id(), |source| &source.shown)
    }

    /// Whether an id or a local name is this one's.
    pub fn is_called(&self, id: &str) -> bool {
        self.name == id || self.document_id.as_deref() == Some(id)
    }

    /// Whether another upload would be the same work: bytes, name, options, server.
    pub fn is_same_work(&self, other: &Self) -> bool {
        let (Some(mine), Some(theirs)) = (&self.source, &other.source) else { return false };
        mine.sha256 == theirs.sha256
            && mine.bytes == theirs.bytes
            && mine.filename == theirs.filename
            && self.params == other.params
            && self.server == other.server
    }

    /// Whether both read the same file; of two copies from stdin nobody can tell, so they count as one.
    pub fn is_same_source(&self, other: &Self) -> bool {
        let (Some(mine), Some(theirs)) = (&self.source, &other.source) else { return false };
        mine.path == theirs.path || (mine.shown == "-" && theirs.shown == "-")
    }
}
