//! What fields and `--input` become on the wire: query, JSON, form, or multipart with files streamed from disk.
//!
//! Spec: command line, "tulk api".

use std::path::Path as FilePath;

use bytes::Bytes;

use super::fields::{FieldTree, FieldValue};
use crate::error::Failure;
use crate::http::encoding::encode_pairs;
use crate::http::request::{RequestBody, Upload};
use crate::input::whole::read_text;

/// The field whose `@FILE` makes a request multipart by itself: the upload field of the service's documents.
const FILE_FIELD: &str = "file";

/// Whether a path is stdin.
pub fn is_stdin(path: &FilePath) -> bool {
    path == FilePath::new("-")
}

/// The tree as a JSON object, numbers as they were written, files as their text.
pub fn to_json(node: &FieldTree) -> Result<String, Failure> {
    let quote = |text: &str| serde_json::to_string(text).map_err(|e| Failure::internal(e.to_string()));
    Ok(match node {
        FieldTree::Value(FieldValue::Json(text)) => text.clone(),
        FieldTree::Value(FieldValue::Text(text)) => quote(text)?,
        FieldTree::Value(FieldValue::File(path)) => quote(&text_of(path)?)?,
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

/// A leaf with its key as forms and queries have it: lists repeat the key, names stay in brackets.
fn flat<'a>(node: &'a FieldTree, key: &str, found: &mut Vec<(String, &'a FieldValue)>) {
    match node {
        FieldTree::Value(leaf) => found.push((key.to_owned(), leaf)),
        FieldTree::List(items) => items.iter().for_each(|item| flat(item, key, found)),
        FieldTree::Object(fields) => {
            for (name, value) in fields {
                let key = if key.is_empty() { name.clone() } else { format!("{key}[{name}]") };
                flat(value, &key, found);
            }
        }
    }
}

/// The tree as pairs of a query or form.
pub fn to_pairs(node: &FieldTree) -> Result<Vec<(String, String)>, Failure> {
    let mut found = Vec::new();
    flat(node, "", &mut found);
    found.into_iter().map(|(key, leaf)| Ok((key, written(leaf)?))).collect()
}

fn written(leaf: &FieldValue) -> Result<String, Failure> {
    match leaf {
        FieldValue::Json(text) | FieldValue::Text(text) => Ok(text.clone()),
        FieldValue::File(path) => text_of(path),
    }
}

/// The body of fields: JSON; a form when asked for; multipart when that holds a file, or the field `file` is one.
pub fn of_fields(node: &FieldTree, form: bool) -> Result<RequestBody, Failure> {
    let mut leaves = Vec::new();
    flat(node, "", &mut leaves);
    let is_upload = |key: &str, leaf: &FieldValue| matches!(leaf, FieldValue::File(_)) && (form || key == FILE_FIELD);
    if leaves.iter().any(|(key, leaf)| is_upload(key, leaf)) {
        let (mut fields, mut files) = (Vec::new(), Vec::new());
        for (key, leaf) in leaves {
            match leaf {
                FieldValue::File(path) if is_upload(&key, leaf) => files.push(upload(&key, path)?),
                _ => fields.push((key, written(leaf)?)),
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

fn upload(field: &str, path: &FilePath) -> Result<Upload, Failure> {
    if is_stdin(path) {
        return Err(Failure::usage(format!("the field `{field}` uploads stdin, whose size is not known"))
            .hint("write it to a file first"));
    }
    let data = std::fs::metadata(path).map_err(|e| Failure::file("read", path, &e))?;
    if !data.is_file() {
        return Err(Failure::usage(format!("{} is not a regular file", path.display())));
    }
    std::fs::File::open(path).map_err(|e| Failure::file("read", path, &e))?;
    let filename = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Upload { path: path.to_owned(), filename, bytes: data.len(), field: field.to_owned(), observer: None })
}

/// The text of a file; JSON, queries and plain forms hold nothing else.
fn text_of(path: &FilePath) -> Result<String, Failure> {
    read_text(path).map_err(|failure| match failure.hint {
        None if failure.what.contains("UTF-8") => failure.hint("--form uploads files as they are"),
        _ => failure,
    })
}
