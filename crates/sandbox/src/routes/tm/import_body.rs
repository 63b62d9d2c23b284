//! The request body of an import, and its checks.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::reply::Refusal;
use crate::routes::fields::{missing, unsupported};

/// Maximum size of a file, in bytes: 1 GiB.
const FILE_BYTES_MAX: u64 = 1 << 30;
const FILE_NAME_CHARS: usize = 100;
const CONTENT_TYPE_CHARS: usize = 127;
const DEFAULT_CONTENT_TYPE: &str = "application/xml";

/// The body of `POST /v3/translation_memories/import`. Values are untyped so that a refusal can name the invalid field.
#[derive(Deserialize)]
pub(super) struct ImportBody {
    source_file: Option<ImportFileBody>,
    parameters: Option<ImportParameters>,
}

#[derive(Deserialize)]
struct ImportFileBody {
    file_name: Option<Value>,
    content_length: Option<Value>,
    content_type: Option<Value>,
}

#[derive(Deserialize)]
struct ImportParameters {
    display_name: Option<Value>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct ImportRequest {
    pub(super) file_name: String,
    pub(super) content_type: String,
    pub(super) content_length: u64,
    pub(super) display_name: String,
}

impl ImportBody {
    pub(super) fn check(self) -> Result<ImportRequest, Refusal> {
        let file = self.source_file.ok_or_else(|| missing("source_file"))?;
        let file_name = text("source_file.file_name", file.file_name)?;
        let file_name = file_name.ok_or_else(|| missing("source_file.file_name"))?;
        let has_extension =
            file_name.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && !extension.is_empty());
        if !has_extension || file_name.chars().count() > FILE_NAME_CHARS {
            let rule = format!("a name with its extension, of at most {FILE_NAME_CHARS} characters");
            return Err(unsupported("source_file.file_name").detail(rule));
        }
        let content_length = file.content_length.ok_or_else(|| missing("source_file.content_length"))?;
        let content_length = content_length.as_u64().filter(|bytes| (1..=FILE_BYTES_MAX).contains(bytes));
        let content_length = content_length.ok_or_else(|| {
            unsupported("source_file.content_length").detail(format!("from 1 to {FILE_BYTES_MAX} bytes"))
        })?;
        let content_type = text("source_file.content_type", file.content_type)?;
        let content_type = content_type.unwrap_or_else(|| DEFAULT_CONTENT_TYPE.to_owned());
        if content_type.is_empty() || content_type.chars().count() > CONTENT_TYPE_CHARS {
            return Err(unsupported("source_file.content_type"));
        }
        let display_name = self.parameters.and_then(|parameters| parameters.display_name);
        let display_name = text("parameters.display_name", display_name)?.unwrap_or_else(|| file_name.clone());
        Ok(ImportRequest { file_name, content_type, content_length, display_name })
    }
}

fn text(field: &str, value: Option<Value>) -> Result<Option<String>, Refusal> {
    match value {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(unsupported(field)),
    }
}
