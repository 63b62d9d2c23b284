//! The order in which languages are sent.

use serde_json::json;

use super::*;

#[test]
fn the_first_language_is_sent_first() {
    let texts: serde_json::Map<String, Value> =
        (0..30).map(|number| (format!("k{number:02}"), json!(format!("Text {number}")))).collect();
    let tree = Tree::json("de fr it", &[("en/a.json", &Value::from(texts).to_string())]);
    let synced = tree.sync(upper);
    synced.is_clean();
    let langs: Vec<&str> = synced.requests.iter().filter_map(|body| body["target_lang"].as_str()).collect();
    assert_eq!(langs, [["de"; 10], ["fr"; 10], ["it"; 10]].concat());
}

#[test]
fn a_language_that_fails_leaves_its_places_to_the_others() {
    let texts: serde_json::Map<String, Value> =
        (0..30).map(|number| (format!("k{number:02}"), json!(format!("Text {number}")))).collect();
    let tree = Tree::json("de fr", &[("en/a.json", &Value::from(texts).to_string())]);
    let synced = tree.sync(|lang, text| match lang {
        "de" => Err(failure(Kind::Network)),
        _ => upper(lang, text),
    });
    assert_eq!((tree.find("de/a.json"), synced.outcome.broken.len()), (None, 1), "{:?}", synced.outcome.broken);
    assert!(tree.read("fr/a.json").contains("\"k29\":\"fr TEXT 29\""));
    let sent = synced.requests.iter().filter(|body| body["target_lang"] == "de").count();
    assert_eq!(sent, 2, "those that were in flight");
}
