//! Tests of the recent requests without a server: their limits and their JSON.

use axum::http::Request;
use serde_json::{Value, json};

use super::*;

async fn record(recent: &Arc<RecentRequests>, session: &str, body: Vec<u8>, answer: Vec<u8>) -> u64 {
    record_as(recent, session, "application/json", body, answer).await
}

async fn record_as(recent: &Arc<RecentRequests>, session: &str, kind: &str, body: Vec<u8>, answer: Vec<u8>) -> u64 {
    let request = Request::post("/v2/x?a=1").header("content-type", kind).header("content-length", body.len());
    let (parts, ()) = request.body(()).unwrap().into_parts();
    let record = recent.add(SessionName::new(session).unwrap(), &parts);
    record.set_body(&body.into());
    let id = record.id;
    let answer = Response::builder().header("content-type", "application/json").body(Body::from(answer)).unwrap();
    let answer = record.record_answer(answer).await;
    axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    id
}

fn views(recent: &RecentRequests, selection: &RequestSelection, keys: &[&str]) -> Vec<Value> {
    let known = KnownKeys::new(keys.iter().map(|&key| key.to_owned()));
    let requests = recent.select(selection).0;
    requests.iter().map(|request| serde_json::to_value(RequestView::new(request, &known)).unwrap()).collect()
}

fn ids(recent: &RecentRequests, selection: &RequestSelection) -> Vec<u64> {
    recent.select(selection).0.iter().map(|request| request.id).collect()
}

#[tokio::test]
async fn keeps_the_last_thousand() {
    let recent = Arc::new(RecentRequests::default());
    for n in 0..1005 {
        record(&recent, if n % 2 == 0 { "even" } else { "" }, b"{}".to_vec(), b"{}".to_vec()).await;
    }
    let (all, last_id) = recent.select(&RequestSelection::default());
    assert_eq!((all.len(), all[0].id, all[999].id, last_id), (1000, 6, 1005, 1005));
    let even = RequestSelection { session: SessionName::new("even").ok(), ..RequestSelection::default() };
    assert_eq!((recent.count(even.session.as_ref().unwrap()), ids(&recent, &even)[0]), (500, 7));
    let last = RequestSelection { after: 1000, limit: Some(2), ..RequestSelection::default() };
    assert_eq!(ids(&recent, &last), [1004, 1005]);
    let some = RequestSelection { ids: Some(vec![7, 3, 1000]), ..RequestSelection::default() };
    assert_eq!(ids(&recent, &some), [7, 1000]);
    recent.forget(even.session.as_ref());
    assert_eq!((ids(&recent, &even).len(), ids(&recent, &RequestSelection::default()).len()), (0, 500));
    recent.forget(None);
    assert_eq!((ids(&recent, &RequestSelection::default()).len(), recent.ring().bytes), (0, 0));
    assert_eq!(record(&recent, "", Vec::new(), Vec::new()).await, 1006);
}

#[tokio::test]
async fn cuts_large_bodies_and_drops_the_oldest_to_save_memory() {
    let recent = Arc::new(RecentRequests::default());
    for _ in 0..300 {
        record(&recent, "", vec![b' '; 200_000], vec![b' '; 100_000]).await;
        assert!(recent.ring().bytes <= MEMORY_MAX);
    }
    let all = views(&recent, &RequestSelection::default(), &[]);
    let sizes =
        |row: &Value| json!([row["body"], row["body_bytes"], row["body_cut"], row["answer_bytes"], row["status"]]);
    assert_eq!(sizes(&all[0]), json!([null, 200_000, true, 100_000, 200]));
    assert_eq!(sizes(&all[299]), json!([" ".repeat(65536), 200_000, true, 100_000, 200]));
    let kept = all.iter().filter(|row| !row["body"].is_null()).count();
    assert_eq!(kept, 127, "16 MiB for two bodies of 64 KiB each");
    assert_eq!(all.iter().position(|row| !row["body"].is_null()), Some(300 - kept), "the newest ones");
}

#[tokio::test]
async fn request_heads_count_towards_the_memory_limit() {
    let recent = Arc::new(RecentRequests::default());
    let long = "y".repeat(16_000);
    for _ in 0..1100 {
        let request = Request::get(format!("/{}", "x".repeat(20_000))).header("a", &long).header("b", &long);
        drop(recent.add(SessionName::default(), &request.body(()).unwrap().into_parts().0));
    }
    assert!(recent.ring().bytes <= MEMORY_MAX);
    let all = views(&recent, &RequestSelection::default(), &[]);
    assert!(all.len() > 500 && all.len() < 1000, "{}", all.len());
    let row = all.last().unwrap();
    assert_eq!((row["path"].as_str().unwrap().len(), row["headers"].as_object().unwrap().len()), (8192, 1));
}

#[tokio::test]
async fn shows_bodies_as_json_text_form_fields_or_null() {
    let recent = Arc::new(RecentRequests::default());
    let last = async |kind: &str, body: &[u8]| {
        let id = record_as(&recent, "", kind, body.to_vec(), Vec::new()).await;
        let known = KnownKeys::default();
        let selection = RequestSelection { ids: Some(vec![id]), ..RequestSelection::default() };
        let text = serde_json::to_string(&RequestView::new(&recent.select(&selection).0[0], &known)).unwrap();
        let (_, text) = text.split_once("\"body\":").unwrap();
        text.split_once(",\"status\"").unwrap().0.to_owned()
    };
    assert_eq!(last("application/json", br#"{"b": 1, "a": 2.50}"#).await, r#"{"b": 1, "a": 2.50},"body_bytes":19"#);
    assert_eq!(last("application/json", b"{oops").await, r#""{oops","body_bytes":5"#);
    let deep = "[".repeat(200) + &"]".repeat(200);
    assert_eq!(last("application/json", deep.as_bytes()).await, format!("\"{deep}\",\"body_bytes\":400"));
    assert_eq!(last("application/x-www-form-urlencoded", b"a=1&a=2").await, r#""a=1&a=2","body_bytes":7"#);
    assert_eq!(last("text/plain", b"\xff\xfe").await, r#"null,"body_bytes":2"#);
    assert_eq!(last("text/plain", b"").await, r#"null,"body_bytes":0"#);
    let form = b"--B\r\nContent-Disposition: form-data; name=\"target_lang\"\r\n\r\nDE\r\n--B\r\n\
        content-disposition: form-data; name=\"file\"; filename=\"a.docx\"\r\nContent-Type: x/y\r\n\r\nPK\xff\r\n--B--\r\n";
    assert_eq!(
        last("multipart/form-data; boundary=B", form).await,
        format!(
            r#"[{{"name":"target_lang","value":"DE"}},{{"bytes":3,"filename":"a.docx","name":"file"}}],"body_bytes":{}"#,
            form.len()
        )
    );
    assert_eq!(last("multipart/form-data", form).await, format!("null,\"body_bytes\":{}", form.len()));
}

#[tokio::test]
async fn a_request_without_an_answer_has_no_status() {
    let recent = Arc::new(RecentRequests::default());
    let (parts, ()) = Request::get("/v2/usage").body(()).unwrap().into_parts();
    let record = recent.add(SessionName::default(), &parts);
    let row = || views(&recent, &RequestSelection::default(), &[]).remove(0);
    assert_eq!((&row()["status"], &row()["ms"]), (&Value::Null, &Value::Null));
    drop(record);
    assert_eq!((&row()["status"], row()["ms"].is_number()), (&Value::Null, true));
}

#[tokio::test]
async fn keys_do_not_appear() {
    const LONG: &str = "0c4d7a1e-1111:2222-abcdef";
    let recent = Arc::new(RecentRequests::default());
    let request = Request::post(format!(
        "/v2/{LONG}?auth%5Fkey=x&token=y&signature=z&q=short&p=sandbox&r=0c4d7a1e-1111%3a2222-abcdef"
    ))
    .header("Authorization", "DeepL-Auth-Key own")
    .header("Content-Type", "application/json")
    .header("X-A", format!("before {LONG} after"))
    .header("X-B", "Bearer short")
    .header("X-C", "a shorter word")
    .header("X-D", "own")
    .header("Cookie", "login=x")
    .header("Proxy-Authorization", "Basic x");
    let (parts, ()) = request.body(()).unwrap().into_parts();
    let record = recent.add(SessionName::default(), &parts);
    let body =
        json!({"text": ["short", "a short text", format!("with {LONG}"), "own", "sandbox"], "key_id": "any", LONG: 1});
    record.set_body(&body.to_string().into());
    record.record_answer(Response::new(Body::from(format!("answer {LONG}")))).await;
    let row = views(&recent, &RequestSelection::default(), &[LONG, "short", "sandbox", ""]).remove(0);
    assert_eq!(row["path"], "/v2/***");
    assert_eq!(row["query"], "auth%5Fkey=***&token=***&signature=***&q=***&p=sandbox&r=***");
    assert_eq!(
        row["headers"],
        json!({"content-type": "application/json", "x-a": "before *** after", "x-b": "Bearer ***", "x-c": "a shorter word",
            "x-d": "***"})
    );
    assert_eq!(
        row["body"],
        json!({"text": ["***", "a short text", "with ***", "***", "sandbox"], "key_id": "***", "***": 1})
    );
    assert_eq!(row["answer"], "answer ***");
}

#[tokio::test]
async fn signatures_do_not_appear() {
    let recent = Arc::new(RecentRequests::default());
    let job = json!({"signature": "s", "signed_upload_url": "http://h/a?signature=s", "text": "a?signature=b"});
    record(&recent, "", job.to_string().into(), Vec::new()).await;
    let row = views(&recent, &RequestSelection::default(), &[]).remove(0);
    assert_eq!(
        row["body"],
        json!({"signature": "***", "signed_upload_url": "http://h/a?signature=***", "text": "a?signature=b"})
    );
}

#[tokio::test]
async fn copies_a_streamed_body_while_it_is_read() {
    let recent = Arc::new(RecentRequests::default());
    for (parts_read, size) in [(5, Some(120_000)), (2, None)] {
        let (parts, ()) = Request::post("/v2/document").body(()).unwrap().into_parts();
        let record = recent.add(SessionName::default(), &parts);
        let chunk = Bytes::from(vec![b'a'; 30_000]);
        let chunks = futures_util::stream::iter(vec![chunk; 4]).map(Ok::<_, std::io::Error>);
        let copied = record.copy_stream(Body::from_stream(chunks)).into_data_stream();
        copied.take(parts_read).for_each(|_| std::future::ready(())).await;
        let row = recent.select(&RequestSelection::default()).0.pop().unwrap();
        assert_eq!((row.body.size, row.body.bytes.len()), (size, 65536.min(parts_read * 30_000)));
    }
}
