//! The record of one document: everything that another process needs to resume it.
//!
//! A record contains the document key, so it has no `Debug` and is never printed completely. Commands print single fields.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tulk_base::files::FileVersion;
use tulk_base::secrets;

use super::{path_text, unix_time};

/// Progress of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentStage {
    /// The upload has started. Its last bytes have not been sent, so the service cannot have accepted it.
    Uploading,
    /// The last bytes may have been sent, but no response arrived: the upload is in doubt.
    Sent,
    /// The service has the document; its ID and key are known.
    Uploaded,
    /// The result is being downloaded.
    Downloading,
    /// The result has been written to its destination.
    Done,
    /// The service could not translate the document.
    Failed,
    /// The service has removed the document, and the result was not downloaded completely.
    Gone,
}

impl DocumentStage {
    /// Returns whether there is something left to do or to decide.
    pub const fn is_unfinished(self) -> bool {
        matches!(self, Self::Uploading | Self::Sent | Self::Uploaded | Self::Downloading)
    }

    /// Returns the value of the `status` column.
    pub const fn as_str(self) -> &'static str {
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

/// The uploaded file.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentSource {
    /// Path of the file. For stdin, the path of the private copy next to the record.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// Name as the user wrote it; `-` for stdin.
    #[serde(rename = "shown")]
    pub display_name: String,
    /// File name sent to the service.
    pub filename: String,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the content in hexadecimal digits. For a large file, computed only when needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Digest of samples of a large file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// Version of a large file before its upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<FileVersion>,
}

/// Result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentMatch {
    /// They are equal.
    Same,
    /// They differ.
    Different,
    /// Only the complete contents can tell.
    Unknown,
}

impl DocumentSource {
    /// Returns whether the document was read from stdin.
    pub fn is_stdin(&self) -> bool {
        self.display_name == "-"
    }

    /// Compares the contents of two files without reading them.
    pub fn compare_content(&self, other: &Self) -> ContentMatch {
        let same_if = |same: bool| if same { ContentMatch::Same } else { ContentMatch::Different };
        match (&self.sha256, &other.sha256) {
            _ if self.bytes != other.bytes => return ContentMatch::Different,
            (Some(mine), Some(theirs)) => return same_if(mine == theirs),
            _ => {}
        }
        match (&self.sample, &other.sample) {
            (Some(mine), Some(theirs)) if mine == theirs && self.is_same_version(other) => ContentMatch::Same,
            (Some(mine), Some(theirs)) if mine != theirs => ContentMatch::Different,
            _ => ContentMatch::Unknown,
        }
    }

    /// Returns whether both are the same unchanged file. On platforms with file identities, it may have been moved.
    fn is_same_version(&self, other: &Self) -> bool {
        let (Some(mine), Some(theirs)) = (&self.version, &other.version) else { return false };
        if self.path == other.path { mine == theirs } else { mine.has_identity() && mine.is_unmodified(theirs) }
    }
}

/// Destination of a result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultTarget {
    /// Path of the result; `None` for stdout.
    #[serde(with = "path_text::optional", default)]
    pub path: Option<PathBuf>,
    /// Whether the result may replace an existing file.
    pub force: bool,
}

/// The record of one document.
#[derive(Clone, Serialize, Deserialize)]
pub struct DocumentRecord {
    /// Local name: `local-` and 16 hexadecimal digits. It names the record's file, and the document until the service assigns an ID.
    pub name: String,
    /// Progress of the document.
    pub stage: DocumentStage,
    /// Address of the server, or `sandbox`.
    pub server: String,
    /// The uploaded file; `None` for a document that was uploaded on another machine.
    pub source: Option<DocumentSource>,
    /// Target language as a BCP 47 tag, as used in file names.
    pub target_lang: String,
    /// Form fields of the upload.
    pub params: Value,
    /// Path of the result; `None` for stdout. A download to another path changes it only when it succeeds.
    #[serde(rename = "target", with = "path_text::optional", default)]
    pub result_path: Option<PathBuf>,
    /// Whether the result may replace an existing file.
    pub force: bool,
    /// Destination of the download in progress; `None` before it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub download: Option<ResultTarget>,
    /// Document ID, once the service has assigned one.
    pub document_id: Option<String>,
    /// Document key. Removed when the document is finished.
    #[serde(default, deserialize_with = "secrets::optional_text")]
    pub document_key: Option<String>,
    /// Size of the result in bytes, if the service reported it when the download started.
    pub result_bytes: Option<u64>,
    /// Billed characters, once known.
    pub billed_characters: Option<u64>,
    /// Why the document failed.
    pub reason: Option<String>,
    /// ID of the job that evaluates the translation, returned by the upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation_job_id: Option<String>,
    /// Whether the evaluation has ended, with or without a score.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_evaluated: bool,
    /// Score of the evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality_score: Option<f64>,
    /// Whether the document has failed or is gone, and no run has reported that yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unreported: bool,
    /// Creation time in seconds since 1970.
    pub created: u64,
    /// Nanoseconds of the creation time, to sort documents created in the same second. Zero in records of old versions.
    #[serde(default)]
    pub created_nanos: u32,
    /// Time of the last change in seconds since 1970.
    pub updated: u64,
}

impl DocumentRecord {
    /// Creates a record with an unused local name and empty optional fields.
    pub fn new(server: &str, stage: DocumentStage) -> Self {
        let now = unix_time();
        Self {
            name: super::DocumentStore::new_name(),
            stage,
            server: server.to_owned(),
            source: None,
            target_lang: String::new(),
            params: Value::Null,
            result_path: None,
            force: false,
            download: None,
            document_id: None,
            document_key: None,
            result_bytes: None,
            billed_characters: None,
            reason: None,
            evaluation_job_id: None,
            is_evaluated: false,
            quality_score: None,
            is_unreported: false,
            created: now.as_secs(),
            created_nanos: now.subsec_nanos(),
            updated: now.as_secs(),
        }
    }

    /// Returns whether there is nothing left to do, to decide or to report.
    pub const fn is_settled(&self) -> bool {
        !self.stage.is_unfinished() && !self.is_unreported && !self.awaits_evaluation()
    }

    /// Returns whether the result is written but its evaluation has not ended.
    pub const fn awaits_evaluation(&self) -> bool {
        matches!(self.stage, DocumentStage::Done) && self.evaluation_job_id.is_some() && !self.is_evaluated
    }

    /// Returns the destination given with the upload.
    pub fn upload_target(&self) -> ResultTarget {
        ResultTarget { path: self.result_path.clone(), force: self.force }
    }

    /// Returns the destination of the download in progress, or else the one given with the upload.
    pub fn download_target(&self) -> ResultTarget {
        self.download.clone().unwrap_or_else(|| self.upload_target())
    }

    /// Returns whether the record has an ID and a key.
    pub fn has_handle(&self) -> bool {
        self.document_id.is_some() && self.document_key.is_some()
    }

    /// Returns the document ID, or the local name until the service assigns an ID.
    pub fn id(&self) -> &str {
        self.document_id.as_deref().unwrap_or(&self.name)
    }

    /// Returns the source as the user wrote it, or the ID if the document was uploaded on another machine.
    pub fn display_name(&self) -> &str {
        self.source.as_ref().map_or(self.id(), |source| &source.display_name)
    }

    /// Returns whether `id` is this document's ID or local name.
    pub fn has_id(&self, id: &str) -> bool {
        self.name == id || self.document_id.as_deref() == Some(id)
    }

    /// Compares this unfinished upload with another upload, by content, file name, options and server.
    pub fn compare_translation(&self, other: &Self) -> ContentMatch {
        let (Some(mine), Some(theirs)) = (&self.source, &other.source) else { return ContentMatch::Different };
        if mine.filename != theirs.filename || self.params != other.params || self.server != other.server {
            return ContentMatch::Different;
        }
        match mine.compare_content(theirs) {
            // The service does not have this document, so reusing its record loses nothing, whatever the file contained.
            ContentMatch::Unknown if self.stage == DocumentStage::Uploading && mine.sha256.is_none() => {
                if self.is_same_source(other) { ContentMatch::Same } else { ContentMatch::Different }
            }
            content_match => content_match,
        }
    }

    /// Returns whether both records read the same file. All documents from stdin count as one file.
    pub fn is_same_source(&self, other: &Self) -> bool {
        let (Some(mine), Some(theirs)) = (&self.source, &other.source) else { return false };
        mine.path == theirs.path || (mine.is_stdin() && theirs.is_stdin())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_name_in_listings() {
        let table = [
            (DocumentStage::Uploading, "uploading"),
            (DocumentStage::Sent, "in_doubt"),
            (DocumentStage::Uploaded, "uploaded"),
            (DocumentStage::Downloading, "downloading"),
            (DocumentStage::Done, "done"),
            (DocumentStage::Failed, "failed"),
            (DocumentStage::Gone, "gone"),
        ];
        for (stage, name) in table {
            assert_eq!(stage.as_str(), name);
        }
    }

    #[test]
    fn a_handle_is_an_id_and_a_key() {
        let mut record = DocumentRecord::new("sandbox", DocumentStage::Uploaded);
        assert!(!record.has_handle());
        record.document_id = Some("D1".to_owned());
        assert!(!record.has_handle());
        record.document_key = Some("K1".to_owned());
        assert!(record.has_handle());
    }

    #[test]
    fn a_large_file_has_the_same_version_until_it_is_changed_even_if_moved() {
        let source = |path: &str, modified: u64, changed: u64, inode: u64| {
            let version = serde_json::json!({
                "bytes": 3, "modified": modified, "changed": changed, "device": 0, "inode": inode
            });
            DocumentSource {
                path: path.into(),
                version: serde_json::from_value(version).unwrap(),
                ..DocumentSource::default()
            }
        };
        let is_same = |other: &DocumentSource, inode| source("/a", 1, 2, inode).is_same_version(other);
        // With and without file identities.
        for (inode, is_found_again) in [(7, true), (0, false)] {
            assert!(is_same(&source("/a", 1, 2, inode), inode));
            assert!(!is_same(&source("/a", 1, 3, inode), inode), "its permissions or its name have changed");
            assert!(!is_same(&source("/a", 2, 2, inode), inode), "its content has changed");
            assert_eq!(is_same(&source("/b", 1, 2, inode), inode), is_found_again, "it has another name by a link");
            assert_eq!(is_same(&source("/b", 1, 3, inode), inode), is_found_again, "it was moved");
            assert!(!is_same(&source("/b", 2, 3, inode), inode), "it was moved and changed");
        }
        assert!(!is_same(&source("/b", 1, 2, 8), 7), "it is another file");
        assert!(!is_same(&DocumentSource { path: "/a".into(), ..DocumentSource::default() }, 7), "nothing is known");
    }

    #[test]
    fn all_documents_from_stdin_have_the_same_source() {
        let record = |path: &str, name: &str| {
            let source =
                DocumentSource { path: path.into(), display_name: name.to_owned(), ..DocumentSource::default() };
            DocumentRecord { source: Some(source), ..DocumentRecord::new("sandbox", DocumentStage::Uploading) }
        };
        let is_same = |a: (&str, &str), b: (&str, &str)| record(a.0, a.1).is_same_source(&record(b.0, b.1));
        assert!(is_same(("/s/1.input", "-"), ("/s/2.input", "-")));
        assert!(!is_same(("/s/1.input", "-"), ("/s/2.input", "a.txt")));
        assert!(!is_same(("/s/1.input", "a.txt"), ("/s/2.input", "a.txt")));
        assert!(is_same(("/a.txt", "a.txt"), ("/a.txt", "./a.txt")));
    }
}
