//! `ID` and `--document-key-file`: how `status`, `wait` and `download` name a document.

use std::path::{Path, PathBuf};

use clap::Args;

use super::server_documents::ServerDocuments;
use crate::error::{Failure, Kind};
use crate::input::whole;
use crate::store::documents::DocumentRecord;

/// A document, known from its record or from a key file.
#[derive(Args, Clone, Debug)]
pub struct DocumentIdArgs {
    /// Document ID
    #[arg(value_name = "ID")]
    pub id: String,
    /// File with the document key, if uploaded on another machine
    #[arg(long, value_name = "FILE|-")]
    pub document_key_file: Option<PathBuf>,
}

/// A document that the service can be asked about.
pub struct KnownDocument {
    /// Its record; `None` if the key comes from a file.
    pub record: Option<DocumentRecord>,
    /// Document ID.
    pub id: String,
    /// Document key.
    pub key: String,
}

impl DocumentIdArgs {
    /// Finds the ID and the key, the key in the file if one is given, else in the record.
    pub fn resolve(&self, documents: &ServerDocuments) -> Result<KnownDocument, Failure> {
        let found = documents.find(&self.id);
        if let Some(file) = &self.document_key_file {
            let id = found.ok().flatten().and_then(|record| record.document_id).unwrap_or_else(|| self.id.clone());
            return Ok(KnownDocument { record: None, id, key: read_key(file)? });
        }
        let Some(record) = found? else {
            return Err(unknown_document(&self.id, ", or pass the key of another one with --document-key-file"));
        };
        match (record.document_id.clone(), record.document_key.clone()) {
            (Some(id), Some(key)) => Ok(KnownDocument { record: Some(record), id, key }),
            (None, _) => Err(Failure::new(
                Kind::NotFound,
                format!("document {} has no ID yet: its upload did not complete", self.id),
            )
            .hint("see its state with `tulk doc list`, or continue with `tulk doc resume`")),
            (Some(id), None) => {
                let reason = record.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
                let status = record.stage.as_str();
                Err(Failure::new(Kind::NotFound, format!("document {id} is finished ({status}){reason}")))
            }
        }
    }
}

/// Returns the failure of an ID without a record. `alternative` is added to the hint.
pub fn unknown_document(id: &str, alternative: &str) -> Failure {
    Failure::new(Kind::NotFound, format!("unknown document {id}"))
        .hint(format!("list the documents of this machine with `tulk doc list`{alternative}"))
}

fn read_key(file: &Path) -> Result<String, Failure> {
    let text = whole::read_text(file)?;
    let key = text.trim();
    if key.is_empty() || key.contains(char::is_whitespace) {
        return Err(Failure::usage(format!("{} does not contain a document key", file.display()))
            .hint("expected one word on one line, as `tulk doc upload --key-out` writes it"));
    }
    Ok(key.to_owned())
}
