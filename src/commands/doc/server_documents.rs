//! The document records on this machine, and the server that a command works on.

use tulk_base::error::Failure;
use tulk_base::files;
use tulk_base::shell::quote;
use tulk_store::documents::{DocumentRecord, DocumentStore};

use crate::context::{Context, SANDBOX};

/// The record store, and the server whose documents a command uses.
pub struct ServerDocuments {
    /// Records of all servers.
    pub store: DocumentStore,
    /// The server of this run, as in [`DocumentRecord::server`].
    pub server: String,
}

impl ServerDocuments {
    /// Finds out the server of this run.
    pub async fn open(ctx: &Context) -> Result<Self, Failure> {
        Ok(Self { store: document_store()?, server: ctx.server_identity().await? })
    }

    /// Finds a record by ID or local name. Fails if the document is on another server.
    pub fn find(&self, id: &str) -> Result<Option<DocumentRecord>, Failure> {
        match self.store.find(id, &self.server)? {
            Some(record) if record.server != self.server => {
                let what = format!("document {id} is on {}, not on {}", record.server, self.server);
                Err(Failure::usage(what).hint(format!("add {}", server_flag(&record.server))))
            }
            found => Ok(found),
        }
    }
}

/// Returns the store of all document records.
pub fn document_store() -> Result<DocumentStore, Failure> {
    Ok(DocumentStore::new(files::state_dir()?.join("documents")))
}

/// Returns the flag that selects a server.
pub fn server_flag(server: &str) -> String {
    if server == SANDBOX { "--sandbox".to_owned() } else { format!("--server {}", quote(server)) }
}
