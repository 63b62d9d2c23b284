//! Parses the results in the body of a response: `translations`, or `improvements` of rephrase and correct.

use serde::Deserialize;
use serde_json::value::RawValue;
use tulk_base::json::StrictObject;
use tulk_store::results::CachedResult;

use tulk_formats::EntryResult;

#[derive(Deserialize)]
struct ResultList<T> {
    #[serde(alias = "improvements")]
    translations: Vec<T>,
}

#[derive(Deserialize)]
struct ResultFields {
    text: String,
    #[serde(default)]
    billed_characters: Option<u64>,
}

impl From<ResultFields> for EntryResult {
    fn from(fields: ResultFields) -> Self {
        // Texts are sent without a trailing line ending, so all line endings at the end of a result are dropped.
        let mut text = fields.text;
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
        Self { text: Some(text), raw: None, billed: fields.billed_characters }
    }
}

pub fn parse(body: &[u8]) -> Result<Vec<EntryResult>, &'static str> {
    let StrictObject(list): StrictObject<ResultList<StrictObject<ResultFields>>> =
        serde_json::from_slice(body).map_err(|e| describe(&e))?;
    Ok(list.translations.into_iter().map(|StrictObject(fields)| fields.into()).collect())
}

/// Parses the results and keeps each JSON object unchanged, for JSON output and the cache. Takes about three times as long.
pub fn parse_with_objects(body: &[u8]) -> Result<Vec<EntryResult>, &'static str> {
    let StrictObject(list): StrictObject<ResultList<Box<RawValue>>> =
        serde_json::from_slice(body).map_err(|e| describe(&e))?;
    let parse = |raw: Box<RawValue>| {
        let StrictObject(fields): StrictObject<ResultFields> =
            serde_json::from_str(raw.get()).map_err(|e| describe(&e))?;
        Ok(EntryResult { raw: Some(raw), ..fields.into() })
    };
    list.translations.into_iter().map(parse).collect()
}

/// Converts a cached result to what the service would have sent. Nothing was billed for it: with `shows_billed`, the result has 0
/// billed characters.
pub fn from_cache(cached: CachedResult, keeps_object: bool, shows_billed: bool) -> EntryResult {
    let raw = if keeps_object { cached.object(shows_billed) } else { None };
    let fields = ResultFields { text: cached.text, billed_characters: shows_billed.then_some(0) };
    EntryResult { raw, ..fields.into() }
}

/// Describes an error without serde's message, which may quote the text.
fn describe(error: &serde_json::Error) -> &'static str {
    match error.classify() {
        serde_json::error::Category::Eof => "it is incomplete",
        serde_json::error::Category::Data => "it does not contain a list of results",
        _ => "it is not JSON",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_both_lists_and_keeps_objects_unchanged() {
        let body = br#"{"x":1,"translations":[{"text":"a\nb","new":1.10,"billed_characters":3}]}"#;
        let found = parse_with_objects(body).unwrap();
        assert_eq!(found[0].text.as_deref(), Some("a\nb"));
        assert_eq!(found[0].billed, Some(3));
        assert_eq!(found[0].raw.as_ref().unwrap().get(), r#"{"text":"a\nb","new":1.10,"billed_characters":3}"#);
        assert_eq!(parse(br#"{"improvements":[{"text":"a"},{"text":"b"}]}"#).unwrap().len(), 2);
    }

    #[test]
    fn refuses_lists_in_place_of_objects() {
        for body in [r#"[[["a",1]]]"#, r#"[[{"text":"a"}]]"#, r#"{"translations":[["a",1]]}"#] {
            assert!(parse(body.as_bytes()).is_err(), "{body}");
            assert!(parse_with_objects(body.as_bytes()).is_err(), "{body}");
        }
    }

    #[test]
    fn removes_line_endings_that_the_service_adds() {
        let found = parse(br#"{"translations":[{"text":"a\nb\r\n\n"},{"text":"\n"},{"text":" c "}]}"#).unwrap();
        let texts: Vec<_> = found.iter().map(|result| result.text.as_deref().unwrap()).collect();
        assert_eq!(texts, ["a\nb", "", " c "]);
    }

    #[test]
    fn refuses_a_body_without_a_list_of_results() {
        for body in ["", "{}", "[]", r#"{"translations":[{"x":1}]}"#, "<html>"] {
            assert!(parse(body.as_bytes()).is_err() && parse_with_objects(body.as_bytes()).is_err(), "{body}");
        }
    }
}
