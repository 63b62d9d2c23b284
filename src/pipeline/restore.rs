//! From the service's result to the text of a slot: tokens are restored and verified, and the format checks the text.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::formats::{EntryResult, InputFormat, Record};
use crate::json::escape_into;

/// Returns the result of a slot. The error says what is wrong with the service's result.
///
/// Equal entries share the service's result, but each slot has tokens of its own.
pub fn slot_result(
    format: &InputFormat,
    record: &Record,
    slot: usize,
    answer: &Arc<EntryResult>,
) -> Result<Arc<EntryResult>, String> {
    let Some(text) = &answer.text else { return Ok(answer.clone()) };
    let Some(tagged) = record.slots.get(slot).and_then(|slot| slot.tagged.as_deref()) else {
        return format.check_result(record, slot, text).map(|()| answer.clone());
    };
    let restored = tagged.restore(text).map_err(|loss| loss.to_string())?;
    format.check_result(record, slot, &restored)?;
    let raw = answer.raw.as_deref().and_then(|raw| with_text(raw, &restored));
    Ok(Arc::new(EntryResult { text: Some(restored), raw, billed: answer.billed }))
}

/// Returns an object of the service with another `text`. Everything else stays as it is, byte for byte.
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
