//! Extractors of request bodies: JSON only, or JSON and forms with keys such as `dictionaries[0].source_lang` for lists
//! of objects.

use std::collections::BTreeMap;

use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::body::{BODY_MAX, BodyReader, FormSchema};
use crate::reply::Refusal;
use crate::sessions::Sessions;

/// A JSON body. Handlers take it last, so that a wrong key is reported before a wrong body.
pub(super) struct JsonBody<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Sessions> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, sessions: &Sessions) -> Result<Self, Response> {
        let body = BodyReader::from_request(request, sessions).await?;
        body.json().map(Self).map_err(IntoResponse::into_response)
    }
}

/// A JSON or form body. Bodies of more than `BYTES_MAX` bytes are refused with 413. Handlers take it last, like [`JsonBody`].
pub(super) struct JsonOrFormBody<T, const BYTES_MAX: usize = BODY_MAX>(pub(super) T);

impl<T: DeserializeOwned, const BYTES_MAX: usize> FromRequest<Sessions> for JsonOrFormBody<T, BYTES_MAX> {
    type Rejection = Response;

    async fn from_request(request: Request, sessions: &Sessions) -> Result<Self, Response> {
        let body = BodyReader::from_request(request, sessions).await?;
        if body.bytes.len() > BYTES_MAX {
            return Err(Refusal::too_large(BYTES_MAX).into_response());
        }
        let parsed = if body.is_form() {
            let schema = FormSchema { lists: &[], booleans: &[], integers: &[] };
            body.form(&schema).and_then(nest_fields).and_then(|fields| body.fields(fields))
        } else {
            body.json()
        };
        parsed.map(Self).map_err(IntoResponse::into_response)
    }
}

/// Collects fields such as `dictionaries[0].entries` into a list of objects, here `dictionaries`.
fn nest_fields(flat: Map<String, Value>) -> Result<Value, Refusal> {
    let mut fields = Map::new();
    let mut lists: BTreeMap<String, BTreeMap<usize, Map<String, Value>>> = BTreeMap::new();
    for (key, value) in flat {
        let Some((list, rest)) = key.split_once('[') else {
            fields.insert(key, value);
            continue;
        };
        let (at, field) = parse_element_key(rest).ok_or_else(|| {
            Refusal::bad_request(format!("Parameter '{key}' not supported.")).detail(format!("write {list}[0].FIELD"))
        })?;
        let elements = lists.entry(list.to_owned()).or_default();
        elements.entry(at).or_default().insert(field.to_owned(), value);
    }
    for (list, elements) in lists {
        if let Some((_, at)) = elements.keys().enumerate().find(|(index, at)| index != *at) {
            return Err(Refusal::bad_request(format!("Parameter '{list}[{at}]' has no predecessor.")));
        }
        fields.insert(list, elements.into_values().map(Value::Object).collect());
    }
    Ok(Value::Object(fields))
}

/// Splits `0].entries` or `0][entries]` into index and field name.
fn parse_element_key(rest: &str) -> Option<(usize, &str)> {
    let (index, field) = rest.split_once(']')?;
    let field = match field.strip_prefix('[') {
        Some(field) => field.strip_suffix(']')?,
        None => field.strip_prefix('.')?,
    };
    let digits = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    Some((index.parse().ok().filter(|_| digits && !field.is_empty())?, field))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn nested(keys: &[&str]) -> Result<Value, Refusal> {
        nest_fields(keys.iter().map(|key| ((*key).to_owned(), json!("x"))).collect())
    }

    #[test]
    fn elements_are_ordered_by_their_index() {
        let mut flat = Map::new();
        for (key, value) in [("a[1].x", "2"), ("a[0][x]", "1"), ("a[0].y", "3"), ("b[0].x", "4"), ("name", "n")] {
            flat.insert(key.to_owned(), json!(value));
        }
        let expected = json!({"name": "n", "a": [{"x": "1", "y": "3"}, {"x": "2"}], "b": [{"x": "4"}]});
        assert_eq!(nest_fields(flat), Ok(expected));
    }

    #[test]
    fn refuses_malformed_keys() {
        for key in ["a[1].x", "a[x].x", "a[0]", "a[0].", "a[0][]", "a[0][x", "a[].x", "a[+0].x", "a[0", "a[-1][x]"] {
            assert_eq!(nested(&[key]).unwrap_err().status, 400, "{key}");
        }
        let huge = "a[18446744073709551615].x";
        assert_eq!(nested(&["a[0].x", huge]).unwrap_err().status, 400);
    }
}
