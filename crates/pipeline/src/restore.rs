//! Converts the service's result to the text of a slot: restores and verifies its tokens, and lets the format check the text.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use tulk_base::json::escape_into;
use tulk_catalogs::inline::TaggedText;

use tulk_formats::{EntryResult, FallbackText, InputFormat, Record};

/// Returns the result of a slot. The error says what is wrong with the service's result.
///
/// Equal entries share `answer`, the service's result, but each slot has its own tokens. If a text has a sample number in place of a
/// placeholder, `answer` may also be the result of its fallback text, which has the placeholder itself.
pub fn slot_result(
    format: &InputFormat,
    record: &Record,
    slot: usize,
    answer: &Arc<EntryResult>,
) -> Result<Arc<EntryResult>, String> {
    let Some(text) = &answer.text else { return Ok(answer.clone()) };
    let sample = record.request(slot).and_then(|request| request.sample.as_deref());
    let tagged = record.slots.get(slot).and_then(|slot| slot.tagged.as_deref());
    if tagged.is_none() && sample.is_none() {
        check_added(record, slot, None, text)?;
        return format.check_result(record, slot, text).map(|()| answer.clone());
    }
    let check = |restored: String| format.check_result(record, slot, &restored).map(|()| restored);
    let with_number = || {
        let restored = restore(tagged, text)?;
        check_added(record, slot, None, &restored)?;
        match sample {
            Some(sample) => sample.sentence.finish(&restored),
            None => Ok(restored),
        }
    };
    let restored = match (with_number().and_then(check), sample.and_then(|sample| sample.fallback.as_ref())) {
        (Err(_), Some(fallback)) => {
            let restored = restore(fallback.tagged.as_ref(), text)?;
            check_added(record, slot, Some(fallback), &restored)?;
            check(restored)?
        }
        (restored, _) => restored?,
    };
    let raw = answer.raw.as_deref().and_then(|raw| with_text(raw, &restored));
    Ok(Arc::new(EntryResult { text: Some(restored), raw, billed: answer.billed }))
}

/// Fails if a result has more placeholders or tags than the text that was sent: the slot's text, or its fallback `sent`.
fn check_added(record: &Record, slot: usize, sent: Option<&FallbackText>, result: &str) -> Result<(), String> {
    let Some(text_syntax) = record.request(slot).and_then(|request| request.text_syntax.as_deref()) else {
        return Ok(());
    };
    let tokens = record.slots.get(slot).map(|slot| slot.tokens.as_slice()).unwrap_or_default();
    match sent {
        Some(sent) => text_syntax.check_added(&sent.text, &sent.tokens, result),
        None => text_syntax.check_added(record.text(slot).unwrap_or_default(), tokens, result),
    }
}

fn restore(tagged: Option<&TaggedText>, text: &str) -> Result<String, String> {
    match tagged {
        Some(tagged) => tagged.restore(text).map_err(|loss| loss.to_string()),
        None => Ok(text.to_owned()),
    }
}

/// Keeps everything else byte for byte.
fn with_text(object: &RawValue, text: &str) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    struct TextField<'a> {
        #[serde(borrow)]
        text: &'a RawValue,
    }
    let json = object.get();
    let old = serde_json::from_str::<TextField>(json).ok()?.text.get();
    let start = (old.as_ptr() as usize).checked_sub(json.as_ptr() as usize)?;
    let mut new = json.get(..start)?.as_bytes().to_vec();
    new.push(b'"');
    escape_into(&mut new, text.as_bytes());
    new.push(b'"');
    new.extend_from_slice(json.get(start + old.len()..)?.as_bytes());
    RawValue::from_string(String::from_utf8(new).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_of_an_object_is_replaced() {
        let object =
            RawValue::from_string(r#"{ "n":1.10,"text" : "a<x id=\"1\">b</x>" ,"z":[1 ]}"#.to_owned()).unwrap();
        let new = with_text(&object, "a \"b\"\n").unwrap();
        assert_eq!(new.get(), r#"{ "n":1.10,"text" : "a \"b\"\n" ,"z":[1 ]}"#);
    }
}
