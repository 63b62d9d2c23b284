//! The download of a result: a file in, a stream of bytes out.

use std::io;

use futures_util::Stream;
use futures_util::stream;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use super::stored::StoredDocument;
use crate::sandbox::app::App;
use crate::sandbox::caller::Caller;
use crate::sandbox::quota::BilledProduct;
use crate::sandbox::reply::Refusal;
use crate::sandbox::state::kind;

/// Bytes read at a time.
const BLOCK_BYTES: usize = 256 * 1024;

/// A result that is being downloaded.
pub(super) struct ResultDownload {
    app: App,
    caller: Caller,
    id: String,
    document: StoredDocument,
    file: File,
    bytes_left: u64,
}

impl ResultDownload {
    /// Opens the file of a result.
    pub(super) async fn open(app: App, caller: Caller, id: String, document: StoredDocument) -> Result<Self, Refusal> {
        let file = File::open(app.state.file(&document.file)).await?;
        Ok(Self { app, caller, id, bytes_left: document.bytes, document, file })
    }

    /// Returns the bytes of the result.
    pub(super) fn into_stream(self) -> impl Stream<Item = io::Result<Vec<u8>>> {
        stream::try_unfold(self, Self::next_block)
    }

    /// Reads the next block.
    ///
    /// The document is removed before the last block is sent. If there are several downloads at the same time, only one
    /// is complete; a download that is aborted earlier leaves the document in place.
    async fn next_block(mut self) -> io::Result<Option<(Vec<u8>, Self)>> {
        if self.bytes_left == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; usize::try_from(self.bytes_left).unwrap_or(BLOCK_BYTES).min(BLOCK_BYTES)];
        let read = self.file.read(&mut bytes).await?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.truncate(read);
        self.bytes_left = self.bytes_left.saturating_sub(read as u64);
        if self.bytes_left == 0 {
            let taken = self.app.state.take(kind::DOCUMENT, &self.id).map_err(io::Error::other)?;
            if taken.is_none() {
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            self.app.state.remove_file(&self.document.file);
            // The quota was sufficient when the download started; reaching a limit since then does not stop it.
            let billed = self.document.billed_characters;
            let _ = self.app.quota.charge(&self.caller, BilledProduct::Document, billed, None);
        }
        Ok(Some((bytes, self)))
    }
}
