//! From fields to the query or the body of a request: JSON, a form, or multipart with files streamed from disk.

use std::path::Path as FilePath;

use bytes::Bytes;
use tulk_base::error::Failure;
use tulk_client::http::encoding::encode_pairs;
use tulk_client::http::request::{RequestBody, Upload};
use tulk_formats::input::whole::{decode_text, read_bytes};

use super::fields::{FieldTree, FieldValue};

/// The field that is an upload even without `--form`: document uploads use it.
const FILE_FIELD: &str = "file";

/// Returns whether a path means stdin.
pub fn is_stdin(path: &FilePath) -> bool {
    path == FilePath::new("-")
}

/// Returns the fields as a JSON object, with numbers as written and with files as their text.
pub fn to_json(node: &FieldTree) -> Result<String, Failure> {
    let quote = |text: &str| serde_json::to_string(text).map_err(|e| Failure::internal(e.to_string()));
    Ok(match node {
        FieldTree::Value(FieldValue::Json(text)) => text.clone(),
        FieldTree::Value(FieldValue::Text(text)) => quote(text)?,
        FieldTree::Value(FieldValue::File(path)) => quote(&file_text(path)?)?,
        FieldTree::List(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(to_json).collect();
            format!("[{}]", items?.join(","))
        }
        FieldTree::Object(fields) => {
            let fields: Result<Vec<_>, Failure> =
                fields.iter().map(|(name, value)| Ok(format!("{}:{}", quote(name)?, to_json(value)?))).collect();
            format!("{{{}}}", fields?.join(","))
        }
    })
}

/// Collects all values with their keys as in a form: a list repeats its key, names stay in brackets.
fn flatten<'a>(node: &'a FieldTree, key: &str, found: &mut Vec<(String, &'a FieldValue)>) {
    match node {
        FieldTree::Value(value) => found.push((key.to_owned(), value)),
        FieldTree::List(items) => items.iter().for_each(|item| flatten(item, key, found)),
        FieldTree::Object(fields) => {
            for (name, value) in fields {
                let key = if key.is_empty() { name.clone() } else { format!("{key}[{name}]") };
                flatten(value, &key, found);
            }
        }
    }
}

/// Returns the fields as pairs of a query or form.
pub fn to_pairs(node: &FieldTree) -> Result<Vec<(String, String)>, Failure> {
    let mut found = Vec::new();
    flatten(node, "", &mut found);
    found.into_iter().map(|(key, value)| Ok((key, text_of(value)?))).collect()
}

fn text_of(value: &FieldValue) -> Result<String, Failure> {
    match value {
        FieldValue::Json(text) | FieldValue::Text(text) => Ok(text.clone()),
        FieldValue::File(path) => file_text(path),
    }
}

/// Returns the body for the fields: JSON, or a form. Multipart if the form, or the field `file`, contains a file.
pub fn of_fields(node: &FieldTree, form: bool) -> Result<RequestBody, Failure> {
    let mut values = Vec::new();
    flatten(node, "", &mut values);
    let is_upload = |key: &str, value: &FieldValue| matches!(value, FieldValue::File(_)) && (form || key == FILE_FIELD);
    if values.iter().any(|(key, value)| is_upload(key, value)) {
        let (mut fields, mut files) = (Vec::new(), Vec::new());
        for (key, value) in values {
            match value {
                FieldValue::File(path) if is_upload(&key, value) => files.push(upload(&key, path)?),
                _ => fields.push((key, text_of(value)?)),
            }
        }
        return Ok(RequestBody::Multipart { fields, files });
    }
    if form {
        Ok(RequestBody::Form(encode_pairs(&to_pairs(node)?)))
    } else {
        Ok(RequestBody::Json(Bytes::from(to_json(node)?)))
    }
}

/// Returns a file as an upload.
pub fn upload(field: &str, path: &FilePath) -> Result<Upload, Failure> {
    if is_stdin(path) {
        return Err(Failure::usage(format!("the field `{field}` cannot upload stdin, because its size is unknown"))
            .hint("write the data to a file first"));
    }
    let data = std::fs::metadata(path).map_err(|e| Failure::file("read", path, &e))?;
    if !data.is_file() {
        return Err(Failure::usage(format!("{} is not a regular file", path.display())));
    }
    std::fs::File::open(path).map_err(|e| Failure::file("read", path, &e))?;
    let filename = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Upload { path: path.to_owned(), filename, bytes: data.len(), field: field.to_owned(), observer: None })
}

/// Reads a file as text, the only content that JSON, queries and simple forms can contain.
fn file_text(path: &FilePath) -> Result<String, Failure> {
    decode_text(path, read_bytes(path)?).map_err(|failure| failure.hint("--form uploads files unchanged"))
}
