//! The order of requests across languages.

use std::future::poll_fn;
use std::task::Poll;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;

use super::*;
use crate::run::observer::SharedJournal;
use crate::run::shared_call::{RequestsInFlight, SharedCall};

#[test]
fn earlier_groups_are_served_first() {
    let (service, stop) = (TestService { answer: echo, requests: RefCell::default() }, Stop::default());
    let client = SharedCall::new(&service, SharedJournal::new(None), &stop);
    let call = async |group: usize| {
        let mut request = Request::new(Method::POST, UrlPath::fill("/v2/translate", &[]).unwrap());
        let body = json!({ "target_lang": group.to_string(), "text": ["a"] });
        request.body = RequestBody::Json(body.to_string().into());
        client.of_group(group).call(request).await.unwrap();
    };
    let mut calls: FuturesUnordered<_> = [2, 2, 1, 1, 0, 0].into_iter().map(call).collect();
    let mut in_flight = RequestsInFlight::new();
    let work = poll_fn(|task| {
        while calls.poll_next_unpin(task) == Poll::Ready(Some(())) {}
        client.start(&mut in_flight, task);
        while in_flight.poll_next_unpin(task) == Poll::Ready(Some(())) {}
        if calls.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    });
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work);
    let requests = service.requests.borrow();
    let groups: Vec<&str> = requests.iter().filter_map(|body| body["target_lang"].as_str()).collect();
    assert_eq!(groups, ["0", "0", "1", "1", "2", "2"]);
}

#[test]
fn a_failing_language_stops_and_the_others_continue() {
    let texts: serde_json::Map<String, Value> =
        (0..30).map(|number| (format!("k{number:02}"), json!(format!("Text {number}")))).collect();
    let tree = Tree::json("de fr", &[("en/a.json", &Value::from(texts).to_string())]);
    let synced = tree.sync(|lang, text| match lang {
        "de" => Err(failure(Kind::Network)),
        _ => upper(lang, text),
    });
    assert_eq!((tree.find("de/a.json"), synced.outcome.failures.len()), (None, 1), "{:?}", synced.outcome.failures);
    assert!(tree.read("fr/a.json").contains("\"k29\":\"fr TEXT 29\""));
    let sent = synced.requests.iter().filter(|body| body["target_lang"] == "de").count();
    assert!((1..=2).contains(&sent), "{sent} instead of those that were in flight");
}
