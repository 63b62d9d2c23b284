//! What remains after the upload of a document: wait for the translation, then download it.

use std::path::PathBuf;

use tulk_base::error::{Failure, Kind};
use tulk_base::files::follow_links;
use tulk_store::documents::ResultTarget;

use super::lifecycle::Lifecycle;
use super::outcome::DocumentResultRow;
use super::records::SharedRecord;
use crate::output::ProgressTask;

impl Lifecycle<'_> {
    /// Waits for an uploaded document and downloads its result to `target`. Returns its row.
    pub async fn complete(
        &self,
        shared: &SharedRecord,
        target: &ResultTarget,
        bar: &ProgressTask,
    ) -> Result<DocumentResultRow, Failure> {
        let path = self.wait_and_download(shared, target, bar).await?;
        let path = target.path.clone().filter(|result| follow_links(result) == path).unwrap_or(path);
        Ok(DocumentResultRow::new(&shared.get(), Some(path.display().to_string()), "done"))
    }

    /// Returns the file that contains the result.
    async fn wait_and_download(
        &self,
        shared: &SharedRecord,
        target: &ResultTarget,
        bar: &ProgressTask,
    ) -> Result<PathBuf, Failure> {
        if let Some(path) = self.finish_earlier_download(shared, target)? {
            return Ok(path);
        }
        match self.wait(shared, bar).await {
            Ok(status) => shared.update(|locked| {
                locked.record.billed_characters = status.0.billed_characters;
                locked.save()
            })?,
            Err(failure) if failure.kind == Kind::NotFound => {
                let record = shared.get();
                let files = self.result_files(&record, &record.download_target());
                return Err(self.gone(shared, &files, failure));
            }
            Err(failure) => return Err(self.with_continue_hint(failure, &shared.get())),
        }
        self.download(shared, target, bar).await
    }
}
