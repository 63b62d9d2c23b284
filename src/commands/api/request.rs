//! Builds the request of `tulk api`: its address, its headers, and its fields as a query or a body.
//!
//! The address is a path of the service or, with `--no-auth`, any URL: memory jobs upload to and download from signed
//! URLs on other machines, which must never see the key. No message contains a header value, which may be secret. A
//! body is JSON, a form, or multipart with files streamed from disk.

use std::path::Path as FilePath;

use bytes::Bytes;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::limits::API_INPUT;
use tulk_base::secrets;
use tulk_client::Service;
use tulk_client::http::encoding::encode_pairs;
use tulk_client::http::path::Path;
use tulk_client::http::request::{RequestBody, Upload};
use tulk_formats::input::whole::{decode_text, read_bytes};

use super::fields::{FieldTree, FieldValue};
use crate::context::Context;

pub struct ApiAddress {
    /// Scheme, host and port of a URL; `None` for a path of the service.
    origin: Option<String>,
    /// Path and query exactly as given, because a signature may cover them.
    pub path: Path,
}

impl ApiAddress {
    /// Parses a path or, with `no_auth`, a URL. No message quotes a URL: its query may contain a secret.
    pub fn parse(text: &str, no_auth: bool) -> Result<Self, Failure> {
        let bare = text.split(['?', '#']).next().unwrap_or_default();
        let Some((scheme, _)) = bare.split_once("://") else {
            return Ok(Self { origin: None, path: Path::parse(text)? });
        };
        secrets::register_address(text);
        if !no_auth {
            return Err(Failure::usage("expected a path, found a URL")
                .hint("write a path such as /v2/usage; a URL works with --no-auth only, which sends no key"));
        }
        let url = Url::parse(text)
            .ok()
            .filter(|url| {
                matches!(url.scheme(), "https" | "http") && url.host_str().is_some_and(|host| !host.is_empty())
            })
            .ok_or_else(|| {
                Failure::usage("invalid URL").hint("write a URL such as https://files.example/upload?...")
            })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Failure::usage("the URL contains a user name or password")
                .hint("pass them with -H 'Authorization: Basic ...'"));
        }
        let after_scheme = text.get(scheme.len() + "://".len()..).unwrap_or_default();
        let path = after_scheme.find(['/', '?', '#']).and_then(|at| after_scheme.get(at..)).unwrap_or("/");
        Ok(Self { origin: Some(url.origin().ascii_serialization()), path: Path::parse(path)? })
    }

    pub fn is_url(&self) -> bool {
        self.origin.is_some()
    }

    /// Returns the server of a URL as a service. Plain HTTP is accepted for this machine only.
    pub fn service(&self, ctx: &Context) -> Result<Option<Service>, Failure> {
        let Some(origin) = &self.origin else { return Ok(None) };
        Ok(Some(ctx.config()?.service_at(origin)?.0))
    }
}

/// Headers that users cannot set: they would bypass the rules for keys or break the request.
const RESERVED: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "host",
    "connection",
    "content-length",
    "transfer-encoding",
    "upgrade",
    "te",
    "trailer",
];

/// With `no_auth`, the user may set `Authorization`.
pub fn parse_headers(given: &[String], no_auth: bool) -> Result<HeaderMap, Failure> {
    let mut headers = HeaderMap::new();
    for (i, text) in given.iter().enumerate() {
        let number = i + 1;
        let Some((name, value)) = text.split_once(':') else {
            return Err(Failure::usage(format!("-H header {number} has no colon")).hint("write -H 'Name: value'"));
        };
        let name = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| Failure::usage(format!("the name of -H header {number} contains an invalid character")))?;
        if RESERVED.contains(&name.as_str()) && !(no_auth && name == AUTHORIZATION) {
            return Err(Failure::usage(format!("-H cannot set the header {name}"))
                .hint("tulk sets it; the API key comes from --key-file, TULK_API_KEY or `tulk auth login`"));
        }
        let value = HeaderValue::from_str(value.trim())
            .map_err(|_| Failure::usage(format!("the value of the header {name} contains an invalid character")))?;
        headers.append(name, value);
    }
    Ok(headers)
}

/// The field that uploads its file even without `--form`, as in document uploads.
const FILE_FIELD: &str = "file";

pub fn is_stdin(path: &FilePath) -> bool {
    path == FilePath::new("-")
}

/// Returns the fields as JSON. Numbers stay as written; a file becomes a string with its text.
pub fn to_json(node: &FieldTree) -> Result<String, Failure> {
    Ok(match node {
        FieldTree::Value(FieldValue::Json(text)) => text.clone(),
        FieldTree::Value(FieldValue::Text(text)) => serde_json::to_string(text)?,
        FieldTree::Value(FieldValue::File(path)) => serde_json::to_string(&file_text(path)?)?,
        FieldTree::List(items) => {
            let items: Result<Vec<_>, _> = items.iter().map(to_json).collect();
            format!("[{}]", items?.join(","))
        }
        FieldTree::Object(fields) => {
            let fields: Result<Vec<_>, Failure> = fields
                .iter()
                .map(|(name, value)| Ok(format!("{}:{}", serde_json::to_string(name)?, to_json(value)?)))
                .collect();
            format!("{{{}}}", fields?.join(","))
        }
    })
}

/// Collects all values, each with its key as in a form: values of a list share the key, a list of objects adds `[]` to the key, and
/// names of nested fields are in brackets.
fn flatten<'a>(node: &'a FieldTree, key: &str, found: &mut Vec<(String, &'a FieldValue)>) {
    match node {
        FieldTree::Value(value) => found.push((key.to_owned(), value)),
        FieldTree::List(items) => items.iter().for_each(|item| match item {
            FieldTree::Value(value) => found.push((key.to_owned(), value)),
            _ => flatten(item, &format!("{key}[]"), found),
        }),
        FieldTree::Object(fields) => {
            for (name, value) in fields {
                let key = if key.is_empty() { name.clone() } else { format!("{key}[{name}]") };
                flatten(value, &key, found);
            }
        }
    }
}

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

/// Returns a value in the notation of URL-encoded forms, where a boolean is `1` or `0`.
fn form_text(value: &FieldValue) -> Result<String, Failure> {
    match value {
        FieldValue::Json(text) if text == "true" => Ok("1".to_owned()),
        FieldValue::Json(text) if text == "false" => Ok("0".to_owned()),
        _ => text_of(value),
    }
}

/// Builds a form if `form` is set, otherwise JSON. A file in a form, or in the field `file` of JSON, makes it multipart.
pub fn body_of_fields(node: &FieldTree, form: bool) -> Result<RequestBody, Failure> {
    let mut values = Vec::new();
    flatten(node, "", &mut values);
    let is_upload = |key: &str, value: &FieldValue| matches!(value, FieldValue::File(_)) && (form || key == FILE_FIELD);
    if values.iter().any(|(key, value)| is_upload(key, value)) {
        let (mut fields, mut files) = (Vec::new(), Vec::new());
        for (key, value) in values {
            match value {
                FieldValue::File(path) if is_upload(&key, value) => files.push(file_upload(&key, path)?),
                _ => fields.push((key, text_of(value)?)),
            }
        }
        return Ok(RequestBody::Multipart { fields, files });
    }
    if form {
        let pairs = values.into_iter().map(|(key, value)| Ok((key, form_text(value)?)));
        Ok(RequestBody::Form(encode_pairs(&pairs.collect::<Result<Vec<_>, Failure>>()?)))
    } else {
        Ok(RequestBody::Json(Bytes::from(to_json(node)?)))
    }
}

pub fn file_upload(field: &str, path: &FilePath) -> Result<Upload, Failure> {
    if is_stdin(path) {
        return Err(Failure::usage(format!("the field `{field}` cannot upload stdin, because its size is unknown"))
            .hint("write the data to a file first"));
    }
    let data = std::fs::metadata(path).file_context("read", path)?;
    if data.is_dir() {
        return Err(Failure::directory(path).hint("pass a file in it"));
    }
    if !data.is_file() {
        return Err(Failure::usage(format!("{} is not a regular file", path.display())));
    }
    std::fs::File::open(path).file_context("read", path)?;
    let filename = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Upload { path: path.to_owned(), filename, bytes: data.len(), field: field.to_owned(), observer: None })
}

/// Reads a file as text, because JSON, queries and URL-encoded forms cannot contain other bytes.
fn file_text(path: &FilePath) -> Result<String, Failure> {
    decode_text(path, read_bytes(path, API_INPUT)?).map_err(|failure| failure.hint("--form uploads files unchanged"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_keeps_its_path_and_query_unchanged() {
        let address = ApiAddress::parse("HTTPS://Files.example:8443/a%2Fb?X-Sig=a%2bB+c", true).unwrap();
        assert_eq!(address.origin.as_deref(), Some("https://files.example:8443"));
        assert_eq!(address.path.as_str(), "/a%2Fb?X-Sig=a%2bB+c");
        let bare = ApiAddress::parse("https://files.example", true).unwrap();
        assert_eq!((bare.origin.as_deref(), bare.path.as_str()), (Some("https://files.example"), "/"));
        let query = ApiAddress::parse("https://files.example?x=http://y/z", true).unwrap();
        assert_eq!(query.path.as_str(), "/?x=http://y/z");
        assert!(!ApiAddress::parse("/v2/x?to=https://y", false).unwrap().is_url());
    }

    #[test]
    fn no_message_quotes_a_url() {
        for (text, no_auth) in [
            ("https://files.example/?sig=K-SECRET", false),
            ("ftp://files.example/?sig=K-SECRET", true),
            ("https://u:K-SECRET@files.example/", true),
            ("https:///?sig=K-SECRET", true),
            ("https://files.example/a/../b?sig=K-SECRET", true),
            ("https://files.example/#K-SECRET", true),
        ] {
            let failure = ApiAddress::parse(text, no_auth).err().unwrap_or_else(|| panic!("{text}"));
            assert!(!format!("{failure:?}").contains("K-SECRET"), "{failure:?}");
        }
    }

    #[test]
    fn refuses_reserved_headers_and_never_shows_a_value() {
        for text in ["Authorization: K-SECRET", "HOST: K-SECRET", "K-SECRET", "X y: K-SECRET", "x: K-SECRET\n"] {
            if let Err(failure) = parse_headers(&[text.to_owned()], false) {
                assert!(!failure.what.contains("K-SECRET"), "{}", failure.what);
            }
        }
        assert!(parse_headers(&["Authorization: x".to_owned()], false).is_err());
        assert!(parse_headers(&["Authorization: x".to_owned()], true).is_ok());
        assert!(parse_headers(&["Host: x".to_owned()], true).is_err());
        let headers = parse_headers(&["X-A:1".to_owned(), "x-a: 2".to_owned(), "X-B:".to_owned()], false).unwrap();
        assert_eq!(headers.get_all("x-a").iter().count(), 2);
        assert_eq!(headers.get("x-b").unwrap(), "");
    }
}
