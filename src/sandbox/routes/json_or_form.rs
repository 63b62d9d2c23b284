//! Extractor of glossary bodies: JSON, or a form with keys such as `dictionaries[0].source_lang`.
//!
//! Input: a request. Output: a typed value or a refusal.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::sandbox::app::App;
use crate::sandbox::body::{self, BodyEncoding, FormSchema};
use crate::sandbox::reply::Refusal;

/// The key of a list in a form: its elements are `dictionaries[0].FIELD`, `dictionaries[1].FIELD` and so on.
const LIST: &str = "dictionaries";

/// A JSON or form body. Handlers take it last, so that a wrong key is reported before a wrong body.
pub(super) struct GlossaryBody<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<App> for GlossaryBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let headers = request.headers().clone();
        let bytes = Bytes::from_request(request, app).await.map_err(IntoResponse::into_response)?;
        let parsed = match body::encoding(&headers) {
            BodyEncoding::Form => {
                let schema = FormSchema { lists: &[], booleans: &[], integers: &[] };
                body::json_or_form(&headers, &bytes, &schema).and_then(nest).and_then(body::from_value)
            }
            _ => body::json(&headers, &bytes),
        };
        parsed.map(Self).map_err(IntoResponse::into_response)
    }
}

/// Moves fields such as `dictionaries[0].entries` into a list of objects.
fn nest(flat: Map<String, Value>) -> Result<Value, Refusal> {
    let mut fields = Map::new();
    let mut list: Vec<Map<String, Value>> = Vec::new();
    // Sorted, so that the elements come in order.
    let mut elements = Vec::new();
    for (key, value) in flat {
        match key.strip_prefix(LIST).filter(|rest| rest.starts_with('[')) {
            None => drop(fields.insert(key, value)),
            Some(rest) => {
                let (at, field) = element(rest).ok_or_else(|| {
                    Refusal::bad(format!("Parameter '{key}' not supported.")).detail(format!("write {LIST}[0].FIELD"))
                })?;
                elements.push((at, field.to_owned(), value));
            }
        }
    }
    elements.sort_by_key(|(at, ..)| *at);
    for (at, field, value) in elements {
        if at == list.len() {
            list.push(Map::new());
        }
        match list.get_mut(at) {
            Some(element) => drop(element.insert(field, value)),
            None => return Err(Refusal::bad(format!("Parameter '{LIST}[{at}]' has no predecessor."))),
        }
    }
    if !list.is_empty() {
        fields.insert(LIST.to_owned(), list.into_iter().map(Value::Object).collect());
    }
    Ok(Value::Object(fields))
}

/// Splits `[0].entries` into index and field.
fn element(rest: &str) -> Option<(usize, &str)> {
    let (index, field) = rest.strip_prefix('[')?.split_once("].")?;
    let digits = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    Some((index.parse().ok().filter(|_| digits)?, field))
}
