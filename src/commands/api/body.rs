//! What a request carries: fields in the query, as JSON, as a form, with files; or the bytes of `--input`.

use std::path::Path as FilePath;

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::ApiArgs;
use super::fields::{Field, Given, pairs, put};
use crate::api::known;
use crate::error::Failure;
use crate::http::endpoint::urlencoded;
use crate::http::request::{Body, KeyKind, Method, Path, Request, Upload};
use crate::input::whole::{read_bytes, read_text};

/// Headers that the connection and the key own.
const OWN: [&str; 7] = [
    "authorization",
    "proxy-authorization",
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "accept-encoding",
];

/// The request that the arguments describe. Nothing is sent; files are read here, or found to be there.
pub fn request(args: &ApiArgs) -> Result<Request, Failure> {
    one_stdin(args)?;
    let path = Path::raw(&args.path)?;
    let repeat = known::repeat(&args.method, path.as_str());
    let mut request = Request { repeat, ..Request::new(args.method.clone(), path) };
    debug_assert_eq!(request.key == KeyKind::Admin, request.path.is_admin());
    let (headers, content_type) = headers(&args.headers)?;
    request.headers = headers;
    if let Some(input) = &args.input {
        request.query = all_pairs(args)?;
        request.body = from_input(input, args.form, content_type)?;
    } else if in_query(&args.method) {
        if args.form {
            return Err(Failure::usage(format!("--form has no effect on {}: its fields go to the query", args.method)));
        }
        request.query = all_pairs(args)?;
        keep(&mut request.headers, content_type);
    } else if args.form || is_upload(args) {
        refuse_content_type(content_type.as_ref())?;
        request.body = form(args)?;
    } else if !all(args).is_empty() {
        refuse_content_type(content_type.as_ref())?;
        request.body = json(args)?;
    } else {
        keep(&mut request.headers, content_type);
    }
    Ok(request)
}

/// Methods whose fields are conditions, not content.
fn in_query(method: &Method) -> bool {
    [Method::GET, Method::HEAD, Method::DELETE].contains(method)
}

/// The fields in the order of `-F`, then those of `--raw-field`.
fn all(args: &ApiArgs) -> Vec<(&Field, bool)> {
    let typed = args.fields.iter().map(|field| (field, true));
    typed.chain(args.raw_fields.iter().map(|field| (field, false))).collect()
}

fn value(field: &Field, typed: bool) -> Result<Value, Failure> {
    if typed { field.read() } else { Ok(Value::String(field.value.clone())) }
}

fn json(args: &ApiArgs) -> Result<Body, Failure> {
    let mut object = Map::new();
    for (field, typed) in all(args) {
        put(&mut object, field, value(field, typed)?)?;
    }
    let text = serde_json::to_vec(&object).map_err(|e| Failure::internal(e.to_string()))?;
    Ok(Body::Json(Bytes::from(text)))
}

fn all_pairs(args: &ApiArgs) -> Result<Vec<(String, String)>, Failure> {
    let mut made = Vec::new();
    for (field, typed) in all(args) {
        made.extend(pairs(field, &value(field, typed)?));
    }
    Ok(made)
}

/// A field called `file` with `@FILE` is an upload also without `--form`: no operation takes it as JSON.
fn is_upload(args: &ApiArgs) -> bool {
    args.fields.iter().any(|field| field.name == "file" && matches!(field.typed(), Given::File(_)))
}

/// A form; with files in it a multipart one.
fn form(args: &ApiArgs) -> Result<Body, Failure> {
    let (mut fields, mut files) = (Vec::new(), Vec::new());
    for (field, typed) in all(args) {
        match field.typed() {
            Given::File(path) if typed => files.push(upload(&field.name, &path)?),
            _ => fields.extend(pairs(field, &value(field, typed)?)),
        }
    }
    Ok(if files.is_empty() { Body::Form(urlencoded(&fields)) } else { Body::Multipart { fields, files } })
}

/// A file that is streamed when it is sent.
fn upload(field: &str, path: &FilePath) -> Result<Upload, Failure> {
    let about = std::fs::metadata(path).map_err(|e| Failure::file("read", path, &e))?;
    if !about.is_file() {
        return Err(Failure::usage(format!("{field}: {} is not a regular file", path.display()))
            .hint("an upload needs a file of known size"));
    }
    let filename = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Upload { path: path.to_owned(), filename, bytes: about.len(), field: field.to_owned(), watch: None })
}

fn from_input(input: &FilePath, form: bool, content_type: Option<HeaderValue>) -> Result<Body, Failure> {
    if form {
        refuse_content_type(content_type.as_ref())?;
        return Ok(Body::Form(read_text(input)?.trim_end().to_owned()));
    }
    let bytes = Bytes::from(read_bytes(input)?);
    if let Some(content_type) = content_type {
        let text = content_type.to_str().map_err(|_| Failure::usage("the content type is not ASCII"))?;
        return Ok(Body::Bytes(text.to_owned(), bytes));
    }
    if let Err(error) = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes) {
        return Err(Failure::usage(format!("{}: not JSON: {error}", input.display()))
            .hint("name another type with -H 'Content-Type: ...'"));
    }
    Ok(Body::Json(bytes))
}

/// The headers of `-H`, and the content type, which belongs to the body.
fn headers(given: &[String]) -> Result<(HeaderMap, Option<HeaderValue>), Failure> {
    let (mut headers, mut content_type) = (HeaderMap::new(), None);
    for header in given {
        let Some((name, value)) = header.split_once(':') else {
            return Err(Failure::usage("-H takes `Name: value`").hint("such as -H 'Accept: application/json'"));
        };
        let name: HeaderName =
            name.trim().parse().map_err(|_| Failure::usage(format!("-H: `{}` is no name of a header", name.trim())))?;
        if OWN.contains(&name.as_str()) {
            return Err(Failure::usage(format!("-H: tulk sets the header {name} by itself"))
                .hint("keys come from TULK_API_KEY, --key-file or `tulk auth login`"));
        }
        let value = HeaderValue::from_str(value.trim())
            .map_err(|_| Failure::usage(format!("-H {name}: the value holds characters that no header can carry")))?;
        if name == CONTENT_TYPE {
            content_type = Some(value);
        } else {
            headers.append(name, value);
        }
    }
    Ok((headers, content_type))
}

fn keep(headers: &mut HeaderMap, content_type: Option<HeaderValue>) {
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, content_type);
    }
}

fn refuse_content_type(content_type: Option<&HeaderValue>) -> Result<(), Failure> {
    match content_type {
        None => Ok(()),
        Some(_) => Err(Failure::usage("-H Content-Type goes with --input only; fields have a type of their own")
            .hint("--form sends them as a form, else they are JSON")),
    }
}

/// Only one thing can read stdin.
fn one_stdin(args: &ApiArgs) -> Result<(), Failure> {
    let fields = args.fields.iter().filter(|field| field.value == "@-").count();
    let input = usize::from(args.input.as_deref() == Some(FilePath::new("-")));
    if fields + input > 1 {
        return Err(Failure::usage("stdin is named twice as input").hint("give - once"));
    }
    Ok(())
}
