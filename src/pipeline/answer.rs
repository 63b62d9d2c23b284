//! The results in an answer's body: `translations` of translate, `improvements` of rephrase and correct.
//!
//! The raw forms keep each object as it came, at about three times the cost: only for JSON output.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::Translated;

#[derive(Deserialize)]
struct List<T> {
    #[serde(alias = "improvements")]
    translations: Vec<T>,
}

#[derive(Deserialize)]
struct Plain {
    text: String,
    #[serde(default)]
    billed_characters: Option<u64>,
}

impl From<Plain> for Translated {
    fn from(plain: Plain) -> Self {
        Self { text: Some(plain.text), raw: None, billed: plain.billed_characters }
    }
}

/// Why a body is no list of results. The error's own words may quote the text.
fn why(error: &serde_json::Error) -> &'static str {
    match error.classify() {
        serde_json::error::Category::Eof => "it is cut off",
        serde_json::error::Category::Data => "it holds no list of results",
        _ => "it is no JSON",
    }
}

/// The results of a translation.
pub fn translations(body: &[u8]) -> Result<Vec<Translated>, &'static str> {
    plain(body)
}

/// The results of a translation, objects kept.
pub fn translations_raw(body: &[u8]) -> Result<Vec<Translated>, &'static str> {
    raw(body)
}

/// The results of rephrase and correct.
pub fn improvements(body: &[u8]) -> Result<Vec<Translated>, &'static str> {
    plain(body)
}

/// The results of rephrase and correct, objects kept.
pub fn improvements_raw(body: &[u8]) -> Result<Vec<Translated>, &'static str> {
    raw(body)
}

fn plain(body: &[u8]) -> Result<Vec<Translated>, &'static str> {
    let list: List<Plain> = serde_json::from_slice(body).map_err(|e| why(&e))?;
    Ok(list.translations.into_iter().map(Translated::from).collect())
}

fn raw(body: &[u8]) -> Result<Vec<Translated>, &'static str> {
    let list: List<Box<RawValue>> = serde_json::from_slice(body).map_err(|e| why(&e))?;
    let read = |raw: Box<RawValue>| {
        let plain: Plain = serde_json::from_str(raw.get()).map_err(|e| why(&e))?;
        Ok(Translated { raw: Some(raw), ..plain.into() })
    };
    list.translations.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_both_lists_and_keeps_objects_whole() {
        let body = br#"{"x":1,"translations":[{"text":"a\nb","odd":1.10,"billed_characters":3}]}"#;
        let found = translations_raw(body).unwrap();
        assert_eq!(found[0].text.as_deref(), Some("a\nb"));
        assert_eq!(found[0].billed, Some(3));
        assert_eq!(found[0].raw.as_ref().unwrap().get(), r#"{"text":"a\nb","odd":1.10,"billed_characters":3}"#);
        assert_eq!(improvements(br#"{"improvements":[{"text":"a"},{"text":"b"}]}"#).unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_list_of_results_is_unusable() {
        for body in ["", "{}", "[]", r#"{"translations":[{"x":1}]}"#, "<html>"] {
            assert!(translations(body.as_bytes()).is_err() && translations_raw(body.as_bytes()).is_err(), "{body}");
        }
    }
}
