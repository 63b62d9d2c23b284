//! Uploads one document and stores its ID and key on disk.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tulk_base::error::{Failure, FileContext as _, Kind};
use tulk_base::files::FileVersion;
use tulk_base::shell;
use tulk_client::api::assets::AssetIds;
use tulk_client::api::doc::{DocumentParams, UploadDocument, file_type};
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::http::client::Client;
use tulk_client::http::request::{Upload, UploadObserver};
use tulk_store::documents::{DocumentRecord, DocumentSource, DocumentStage, LockedRecord};

use super::content::size_and_digest;
use super::next_command::NextCommands;
use super::poll;
use super::records::SharedRecord;
use crate::inputs::structure;
use crate::output::{ProgressTask, ProgressUnit};

pub struct DocumentUpload<'a> {
    pub client: &'a Client,
    pub next: &'a NextCommands<'a>,
    pub shared: &'a SharedRecord,
    pub bar: &'a ProgressTask,
}

impl DocumentUpload<'_> {
    /// Fails if an earlier upload is in doubt, the document failed or is gone, or the file has changed since.
    ///
    /// With `was_just_recorded`, the file is not checked for changes.
    pub async fn ensure_uploaded(&self, was_just_recorded: bool) -> Result<(), Failure> {
        let record = self.shared.get();
        match record.stage {
            DocumentStage::Sent => return Err(self.next.in_doubt_failure(&record, None)),
            DocumentStage::Failed | DocumentStage::Gone => {
                return Err(poll::no_result_failure(&record, self.next));
            }
            DocumentStage::Uploading => {}
            DocumentStage::Uploaded | DocumentStage::Downloading | DocumentStage::Done => return Ok(()),
        }
        if !was_just_recorded {
            check_unchanged(&record).await?;
        }
        self.upload().await
    }

    async fn upload(&self) -> Result<(), Failure> {
        let Self { shared, bar, .. } = self;
        let record = shared.get();
        let source = record.source.as_ref().ok_or_else(|| Failure::internal("an upload without a file"))?;
        let params: DocumentParams = serde_json::from_value(record.params.clone())?;
        let fault = Arc::default();
        let progress = UploadProgress {
            shared: (*shared).clone(),
            bar: (*bar).clone(),
            bytes: source.bytes,
            fault: Arc::clone(&fault),
        };
        progress.start_phase();
        let upload = UploadDocument {
            params,
            file: Upload {
                path: source.path.clone(),
                filename: source.filename.clone(),
                bytes: source.bytes,
                field: "file".to_owned(),
                observer: Some(Arc::new(progress)),
            },
        };
        let result = self.client.send(&upload).await;
        drop(upload);
        match result {
            Ok(handle) => shared.update(|locked| {
                locked.record.document_id = Some(handle.document_id);
                locked.record.document_key = Some(handle.document_key);
                locked.record.evaluation_job_id = handle.quality_evaluation_job_id;
                locked.set_stage(DocumentStage::Uploaded)
            }),
            // If a local fault aborted the upload, report that instead of the broken connection.
            Err(failure) => Err(self.after_failure(take_fault(&fault).unwrap_or(failure))),
        }
    }

    /// Removes the record if the upload was clearly refused; otherwise, keeps it for another attempt or as an upload in doubt.
    fn after_failure(&self, failure: Failure) -> Failure {
        let record = self.shared.get();
        let status = failure.service.as_ref().and_then(|service| service.status);
        // After an unreadable 2xx response or an internal error, the service may still have the file.
        let is_clear_refusal = status.is_some_and(|s| (300..500).contains(&s) || matches!(s, 503 | 529))
            || matches!(failure.kind, Kind::Usage | Kind::Key | Kind::Quota);
        if is_clear_refusal {
            return self
                .shared
                .update(LockedRecord::remove)
                .err()
                .unwrap_or_else(|| with_option_hint(failure, &record));
        }
        match record.stage {
            DocumentStage::Sent => self.next.in_doubt_failure(&record, Some(failure)),
            _ if failure.kind.is_stop() => failure,
            _ => failure.hint(format!(
                "the upload did not complete, so nothing was translated; try again with `{}`",
                self.next.continue_command(&record)
            )),
        }
    }
}

/// Adds a hint to a refused upload if the service's message points to an option.
fn with_option_hint(mut failure: Failure, record: &DocumentRecord) -> Failure {
    let Some(service) = failure.service.clone() else { return failure };
    let assets: AssetIds = serde_json::from_value(record.params.clone()).unwrap_or_default();
    let is_unknown_profile = assets.is_unknown_profile(&service);
    if is_unknown_profile {
        failure.kind = Kind::NotFound;
    }
    let lang = &record.target_lang;
    // Only the text of the message tells the cause.
    let mentions = |word: &str| failure.what.to_ascii_lowercase().contains(word);
    let evaluates = record.params["enable_quality_evaluation"] == true;
    let source = record.source.as_ref();
    let unknown_type = source.filter(|source| !file_type::is_supported(&source.filename));
    let hint = match service.status {
        status if status == Some(404) || is_unknown_profile => match assets.hint_when_not_found(&service) {
            Some(hint) => hint,
            None => return failure,
        },
        Some(403) if evaluates => {
            let hint = failure.hint.clone().unwrap_or_default();
            format!("if the account has no access to quality evaluation, leave out --evaluate; otherwise: {hint}")
        }
        Some(400) if evaluates && mentions("evaluation") => {
            "the service only evaluates some document types and language pairs: leave out --evaluate".to_owned()
        }
        Some(400) if mentions("formality") => format!(
            "use --formality prefer_more or prefer_less, which every language accepts, or check with \
             `tulk langs check --resource translate_document --to {lang} --feature formality`"
        ),
        Some(400) if mentions("glossary") || mentions("dictionary") => {
            format!(
                "see the language pairs of a glossary with `tulk glossary show`; it needs one for --from and {lang}"
            )
        }
        Some(400) => {
            let code = |text: &str| text.parse::<LangCode>().ok();
            let (source, target) = (record.params["source_lang"].as_str().and_then(code), code(lang));
            let source = source.iter().map(|code| ("source_lang", code, true));
            let roles = source.chain(target.iter().map(|code| ("target_lang", code, false)));
            let by_type = || unknown_type.map(|source| hint_for_type(source, lang));
            match LangCode::hint_when_refused(LanguageUse::Document, &service, roles).or_else(by_type) {
                Some(hint) => hint,
                None => return failure,
            }
        }
        Some(413) => "the document is too large for your plan; split it".to_owned(),
        _ => return failure,
    };
    failure.hint(hint)
}

/// Lists the supported types and, if `tulk translate` can read the file, the command for it.
fn hint_for_type(source: &DocumentSource, lang: &str) -> String {
    let types = format!("known types: {}", file_type::list());
    if !structure::has_texts(&source.path) {
        return types;
    }
    let file = shell::quote_file(&source.display_name);
    format!("`tulk translate --to {lang} -i {file}` translates its texts; {types}")
}

async fn check_unchanged(record: &DocumentRecord) -> Result<(), Failure> {
    let Some(source) = record.source.clone() else { return Ok(()) };
    let is_unchanged = match (source.sha256, source.version) {
        (Some(sha256), _) => size_and_digest(source.path).await? == (source.bytes, sha256),
        (None, Some(version)) => {
            let now = FileVersion::of(&source.path).file_context("read", &source.path)?;
            now.is_unmodified(&version)
        }
        (None, None) => false,
    };
    if is_unchanged {
        return Ok(());
    }
    let what = format!("{} has changed since its upload started", source.display_name);
    Err(Failure::usage(what)
        .names_file(&source.display_name)
        .hint(format!("translate it again, or remove the old record with `tulk doc forget {}`", record.name)))
}

/// Records the progress of an upload: on the bar, and on disk before the last bytes are sent.
struct UploadProgress {
    shared: SharedRecord,
    bar: ProgressTask,
    bytes: u64,
    /// Why the record could not be written, which aborts the upload.
    fault: UploadFault,
}

type UploadFault = Arc<Mutex<Option<Failure>>>;

fn take_fault(fault: &UploadFault) -> Option<Failure> {
    fault.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl UploadProgress {
    fn record_fault(&self, failure: Failure) -> io::Error {
        let error = io::Error::other(failure.clone());
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        error
    }

    fn start_phase(&self) {
        self.bar.count("uploading", ProgressUnit::Bytes, Some(self.bytes));
    }
}

impl UploadObserver for UploadProgress {
    fn progress(&self, bytes: u64) -> io::Result<()> {
        if bytes > 0 {
            self.bar.set(bytes);
            return Ok(());
        }
        self.start_phase();
        // A new attempt: the service refused the previous one, so it does not have the document.
        self.shared.update(|locked| match locked.record.stage {
            DocumentStage::Sent => {
                locked.set_stage(DocumentStage::Uploading).map_err(|failure| self.record_fault(failure))
            }
            _ => Ok(()),
        })
    }

    fn completing(&self) -> io::Result<()> {
        self.bar.phase_with("uploading", "waiting for the response");
        self.shared.update(|locked| locked.set_stage(DocumentStage::Sent)).map_err(|failure| self.record_fault(failure))
    }
}
