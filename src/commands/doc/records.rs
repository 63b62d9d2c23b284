//! Finds document records on this machine by `ID`, server and `--document-key-file`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use tulk_base::error::{Failure, Kind};
use tulk_base::files;
use tulk_base::limits::KEY_FILE;
use tulk_base::shell::quote;
use tulk_formats::input::whole;
use tulk_store::documents::{DocumentRecord, DocumentStage, DocumentStore, LockedRecord};

use super::next_command::quoted_relative_path;
use crate::completion::ValueKind;
use crate::context::{Context, SANDBOX};

pub struct ServerDocuments {
    pub store: DocumentStore,
    /// The server of this run, in the form of [`DocumentRecord::server`].
    pub server: String,
}

impl ServerDocuments {
    pub async fn open(ctx: &Context) -> Result<Self, Failure> {
        Ok(Self { store: document_store()?, server: ctx.server_identity().await? })
    }

    /// Finds a record by ID or local name. Fails if the document is on another server.
    pub fn find(&self, id: &str) -> Result<Option<DocumentRecord>, Failure> {
        match self.store.find(id, &self.server)? {
            Some(record) if record.server != self.server => {
                let what = format!("document {id} was uploaded to {}, not to {}", record.server, self.server);
                Err(Failure::usage(what).hint(format!("add {}", server_flag(&record.server))))
            }
            found => Ok(found),
        }
    }
}

pub fn document_store() -> Result<DocumentStore, Failure> {
    Ok(DocumentStore::new(files::state_dir()?.join("documents")))
}

pub fn server_flag(server: &str) -> String {
    if server == SANDBOX { "--sandbox".to_owned() } else { format!("--server {}", quote(server)) }
}

/// A locked record, shared by an upload and its progress observer.
#[derive(Clone)]
pub struct SharedRecord(Arc<Mutex<LockedRecord>>);

impl SharedRecord {
    pub fn new(record: LockedRecord) -> Self {
        Self(Arc::new(Mutex::new(record)))
    }

    pub fn get(&self) -> DocumentRecord {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).record.clone()
    }

    pub fn update<T>(&self, update: impl FnOnce(&mut LockedRecord) -> T) -> T {
        update(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the record if another run can finish the document without a decision by the user.
    pub fn resumable(&self) -> Option<DocumentRecord> {
        let locked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        locked.is_resumable().then(|| locked.record.clone())
    }

    /// Returns whether the upload may have reached the service, but the response is unknown.
    pub fn is_in_doubt(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_in_doubt()
    }

    pub fn id_and_key(&self) -> Result<(String, String), Failure> {
        let record = self.get();
        match (record.document_id, record.document_key) {
            (Some(id), Some(key)) => Ok((id, key)),
            _ => Err(Failure::internal(format!("document {} has no ID or no key", record.name))),
        }
    }
}

/// Identifies a document, by its record or a key file.
#[derive(Args, Clone, Debug)]
pub struct DocumentIdArgs {
    /// Document ID
    #[arg(value_name = "ID", add = ValueKind::Documents(true))]
    pub id: String,
    /// File with the document key, if uploaded on another machine
    #[arg(long, value_name = "FILE|-")]
    pub document_key_file: Option<PathBuf>,
}

pub enum NamedDocument {
    /// A document that the service may still have.
    Known(KnownDocument),
    /// The record of a finished document, which the service no longer has.
    Finished(DocumentRecord),
}

pub struct KnownDocument {
    /// `None` if the key comes from a file.
    pub record: Option<DocumentRecord>,
    pub id: String,
    pub key: String,
}

impl DocumentIdArgs {
    /// Returns ID and key. A given key file takes precedence over the record, unless the record is done.
    pub fn resolve(&self, documents: &ServerDocuments) -> Result<NamedDocument, Failure> {
        let found = documents.find(&self.id);
        if let Some(file) = &self.document_key_file {
            let found = found.ok().flatten();
            if let Some(done) = found.clone().filter(|record| record.stage == DocumentStage::Done) {
                return Ok(NamedDocument::Finished(done));
            }
            let id = found.and_then(|record| record.document_id).unwrap_or_else(|| self.id.clone());
            return Ok(NamedDocument::Known(KnownDocument { record: None, id, key: read_key(file)? }));
        }
        let Some(record) = found? else {
            return Err(unknown_document(&self.id, ", or pass the key of another one with --document-key-file"));
        };
        match (record.document_id.clone(), record.document_key.clone()) {
            _ if !record.stage.is_unfinished() => Ok(NamedDocument::Finished(record)),
            (Some(id), Some(key)) => Ok(NamedDocument::Known(KnownDocument { record: Some(record), id, key })),
            _ => Err(Failure::new(
                Kind::NotFound,
                format!("document {} has no ID yet: its upload did not complete", self.id),
            )
            .hint("see its state with `tulk doc list`, or continue with `tulk doc resume`")),
        }
    }

    /// Returns `--document-key-file` as given, for a command in a hint.
    pub fn key_file_flag(&self) -> String {
        match &self.document_key_file {
            Some(file) => format!(" --document-key-file {}", quoted_relative_path(file)),
            None => String::new(),
        }
    }
}

/// Returns the failure of an operation that is no longer possible because the document is finished.
pub fn finished_failure(record: &DocumentRecord) -> Failure {
    let (id, status) = (record.id(), record.stage.as_str());
    let reason = record.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
    let failure = Failure::new(Kind::NotFound, format!("document {id} is finished ({status}){reason}"));
    match (&record.result_path, record.stage) {
        _ if record.awaits_evaluation() => failure.hint(format!("get its evaluation with `tulk doc resume {id}`")),
        (Some(path), DocumentStage::Done) => failure.hint(format!("its result was written to {}", path.display())),
        _ => failure,
    }
}

/// Returns the failure for an ID without a record. `alternative` is appended to the hint.
pub fn unknown_document(id: &str, alternative: &str) -> Failure {
    Failure::new(Kind::NotFound, format!("unknown document {id}"))
        .hint(format!("list the documents of this machine with `tulk doc list`{alternative}"))
}

fn read_key(file: &Path) -> Result<String, Failure> {
    let text = whole::read_text(file, KEY_FILE)?;
    let key = text.trim();
    if key.is_empty() || key.contains(char::is_whitespace) {
        return Err(Failure::usage(format!("{} does not contain a document key", file.display()))
            .hint("expected one word on one line, as `tulk doc upload --key-out` writes it"));
    }
    Ok(key.to_owned())
}
