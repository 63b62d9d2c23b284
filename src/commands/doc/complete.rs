//! What remains after the upload of a document: wait for the translation, then download it.

use std::path::PathBuf;

use super::lifecycle::{Lifecycle, SharedRecord};
use super::rows::DocumentResultRow;
use crate::error::{Failure, Kind};
use crate::files::follow_links;
use crate::output::ProgressTask;
use crate::store::documents::DocumentStage;

impl Lifecycle<'_> {
    /// Waits for an uploaded document and downloads its result. Returns its row.
    pub async fn complete(&self, shared: &SharedRecord, bar: &ProgressTask) -> Result<DocumentResultRow, Failure> {
        let path = self.wait_and_download(shared, bar).await?;
        let record = shared.get();
        let path = record.result_path.clone().filter(|result| follow_links(result) == path).unwrap_or(path);
        Ok(DocumentResultRow::new(&record, Some(path.display().to_string()), "done"))
    }

    /// Returns the file that contains the result.
    async fn wait_and_download(&self, shared: &SharedRecord, bar: &ProgressTask) -> Result<PathBuf, Failure> {
        if let Some(path) = self.finish_earlier_download(shared)? {
            return Ok(path);
        }
        let (id, _) = shared.id_and_key()?;
        match self.wait(shared, bar).await {
            Ok(status) => shared.update(|locked| {
                locked.record.billed_characters = status.0.billed_characters;
                locked.save()
            })?,
            Err(failure) if failure.kind == Kind::NotFound => {
                shared.update(|locked| {
                    locked.record.reason = Some(failure.what.clone());
                    locked.set_stage(DocumentStage::Gone)
                })?;
                return Err(
                    failure.hint(format!("upload the file again with `{} doc translate --again`", self.program))
                );
            }
            Err(failure) => return Err(self.with_resume_hint(failure, &id)),
        }
        self.download(shared, bar).await
    }
}
