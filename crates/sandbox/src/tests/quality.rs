//! `/v1/quality-evaluation`: reported problems, refused requests, and polling a job.

use std::time::Duration;

use serde_json::{Value, json};

use super::server::{TestServer, answer};
use crate::SandboxOptions;

const PATH: &str = "/v1/quality-evaluation";

/// Starts a sandbox whose jobs take no time.
async fn server() -> TestServer {
    TestServer::start(SandboxOptions {
        document_queue: Duration::ZERO,
        document_translate: Duration::ZERO,
        ..SandboxOptions::default()
    })
    .await
}

fn body(segments: &[(&str, &str)]) -> Value {
    let segments: Vec<Value> =
        segments.iter().map(|(source, target)| json!({"source": source, "target": target})).collect();
    json!({"metadata": {"source_language": "en", "target_language": "de"}, "segments": segments})
}

/// Submits a job and returns the answer to a poll, without the ID.
async fn evaluate(server: &TestServer, segments: &[(&str, &str)]) -> Value {
    let (status, created) = answer(server.post(PATH, &body(segments)).send().await.unwrap()).await;
    let (id, poll_url) = (created["job_id"].as_str().unwrap(), created["poll_url"].as_str().unwrap());
    assert_eq!((status, poll_url), (202, format!("{PATH}/{id}").as_str()));
    let (status, mut done) = answer(server.get(poll_url).send().await.unwrap()).await;
    assert_eq!((status, done["job_id"].as_str()), (200, Some(id)));
    done.as_object_mut().unwrap().remove("job_id");
    done
}

/// Returns the problems of one segment as `sub_type severity`, with the parts of source and target that the spans
/// cover.
async fn problems(server: &TestServer, source: &str, target: &str) -> Vec<(String, Vec<String>, Vec<String>)> {
    let done = evaluate(server, &[(source, target)]).await;
    let parts = |text: &str, spans: &Value| -> Vec<String> {
        let at = |span: &Value, name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
        let part = |span: &Value| text.chars().take(at(span, "end")).skip(at(span, "start")).collect();
        spans.as_array().unwrap().iter().map(part).collect()
    };
    let errors = done["segments"][0]["errors"].as_array().unwrap();
    let name =
        |error: &Value| format!("{} {}", error["sub_type"].as_str().unwrap(), error["severity"].as_str().unwrap());
    errors.iter().map(|e| (name(e), parts(source, &e["source_spans"]), parts(target, &e["target_spans"]))).collect()
}

#[tokio::test]
async fn a_job_reports_problems_counts_and_a_score() {
    let server = server().await;
    let segments = [("Two apples.", "Drei Äpfel."), ("Good morning.", "Guten Morgen."), ("Café 🍵 open", "")];
    let expected = json!({
        "status": "done",
        "segments": [
            {"segment_index": 0, "errors": [{
                "type": "Accuracy", "sub_type": "Mistranslation", "severity": "Major", "explanation": "The number differs.",
                "source_spans": [{"start": 0, "end": 3}], "target_spans": [{"start": 0, "end": 4}]}]},
            {"segment_index": 1, "errors": []},
            {"segment_index": 2, "errors": [{
                "type": "Accuracy", "sub_type": "Omission", "severity": "Critical", "explanation": "The translation is empty.",
                "source_spans": [{"start": 0, "end": 11}], "target_spans": []}]},
        ],
        "summary": {"overall_score": 60, "granular_counts": {
            "Accuracy": {"Mistranslation": {"Major": 1}, "Omission": {"Critical": 1}}}},
    });
    assert_eq!(evaluate(&server, &segments).await, expected);
}

#[tokio::test]
async fn a_good_translation_has_no_problems() {
    let server = server().await;
    for (source, target) in [
        ("Our revenue came in 5% above forecast.", "Unser Umsatz lag 5 % über der Prognose."),
        ("It costs 1,000.50 (at 7:30).", "Es kostet 1.000,50 (um 7:30)."),
        ("Two cats and 3 dogs", "2 Katzen und drei Hunde"),
        ("He said: \"Stop!\"", "Er sagte: „Halt!“"),
        ("Is it open?", "Ist es geöffnet？"),
        ("Twenty-two people", "Zweiundzwanzig Menschen"),
        ("42", "42"),
        ("", " "),
    ] {
        let summary = json!({"overall_score": 100, "granular_counts": {}});
        assert_eq!(evaluate(&server, &[(source, target)]).await["summary"], summary, "{source}");
    }
}

#[tokio::test]
async fn each_kind_of_problem_can_be_provoked() {
    let server = server().await;
    let long = "word and word or ".repeat(10);
    for (source, target, problem, in_source, in_target) in [
        (" Tea ", " ", "Omission Critical", &["Tea"][..], &[][..]),
        ("", "Tee", "Addition Major", &[], &["Tee"]),
        ("Ärger im Büro", "Ärger im Büro", "Untranslated text Major", &["Ärger im Büro"], &["Ärger im Büro"]),
        ("Ä 10 days", "10 Ä 20 Tage", "Addition Major", &[], &["20"]),
        ("Ä 10 to 20 days", "20 Tage", "Omission Major", &["10"], &[]),
        ("It is 5 o'clock", "Es ist 6 Uhr", "Mistranslation Major", &["5"], &["6"]),
        ("It is open.", "Es ist offen", "Punctuation Minor", &["."], &[]),
        ("It is open", "Es ist offen!", "Punctuation Minor", &[], &["!"]),
        ("Is it öpen?", "Es ist offen.", "Punctuation Minor", &["?"], &["."]),
        ("A b c", "Ä  b   c", "Punctuation Minor", &[], &["  ", "   "]),
        ("The lid", "Der der Deckel", "Grammar Minor", &[], &["Der der"]),
        ("Ä lid", "Ã¤ Deckel \u{fffd}", "Character encoding Major", &[], &["Ã¤", "\u{fffd}"]),
        (&long, "Wort", "Under-translation Major", &[long.trim()], &["Wort"]),
        ("Word", &long, "Over-translation Major", &["Word"], &[long.trim()]),
    ] {
        let strings = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>();
        let expected = vec![(problem.to_owned(), strings(in_source), strings(in_target))];
        assert_eq!(problems(&server, source, target).await, expected, "{source} -> {target}");
    }
}

#[tokio::test]
async fn a_job_takes_as_long_as_a_document() {
    let options = SandboxOptions {
        document_queue: Duration::from_secs(100),
        document_translate: Duration::from_millis(19_500),
        ..SandboxOptions::default()
    };
    let server = TestServer::start(options).await;
    let response = server.post(PATH, &body(&[("Tea", "Tee")])).send().await.unwrap();
    assert_eq!(response.headers()["retry-after"], "120");
    let (status, created) = answer(response).await;
    assert_eq!(status, 202);
    let response = server.get(created["poll_url"].as_str().unwrap()).send().await.unwrap();
    assert!(["119", "120"].contains(&response.headers()["retry-after"].to_str().unwrap()));
    assert_eq!(answer(response).await, (202, json!({"job_id": created["job_id"], "status": "processing"})));
}

#[tokio::test]
async fn a_fault_makes_a_job_end_with_an_error() {
    let server = server().await;
    let request = server.post(PATH, &body(&[("Tea", "Tee")])).header("X-Tulk-Sandbox-Fault", "document-error");
    let (_, created) = answer(request.send().await.unwrap()).await;
    let expected = json!({"job_id": created["job_id"], "status": "error",
        "error": {"code": "evaluation_failed", "message": "This fault was requested."}});
    assert_eq!(answer(server.get(created["poll_url"].as_str().unwrap()).send().await.unwrap()).await, (200, expected));
}

#[tokio::test]
async fn refusals_name_the_invalid_field() {
    let server = server().await;
    let segments = json!([{"source": "a", "target": "b"}]);
    let of = |source: &str, target: &str| json!({"source_language": source, "target_language": target});
    let long = "ä".repeat(10_001);
    for (body, message) in [
        (json!({}), "metadata is required."),
        (json!({"metadata": {"target_language": "de"}, "segments": segments}), "metadata.source_language is required."),
        (json!({"metadata": of("en", ""), "segments": segments}), "metadata.target_language is required."),
        (json!({"metadata": of("en", "de")}), "segments is required."),
        (json!({"metadata": of("en", "de"), "segments": []}), "segments is required."),
        (
            json!({"metadata": of("en", "de"), "segments": vec![&segments[0]; 501]}),
            "segments has 501 items: the maximum is 500.",
        ),
        (
            json!({"metadata": of("en", "de"), "segments": [segments[0], {"target": "b"}]}),
            "segments[1].source is required.",
        ),
        (json!({"metadata": of("en", "de"), "segments": [{"source": "a"}]}), "segments[0].target is required."),
        (
            json!({"metadata": of("en", "de"), "segments": [{"source": "a", "target": long}]}),
            "segments[0].target has 10001 characters: the maximum is 10000.",
        ),
        (json!({"metadata": of("de", "fr"), "segments": segments}), "The language pair de to fr is not supported."),
        (json!({"metadata": of("en", "zh"), "segments": segments}), "The language pair en to zh is not supported."),
        (
            json!({"metadata": 1, "segments": segments}),
            "Bad request. Reason: invalid type: integer `1`, expected an object at line 1 column 13.",
        ),
    ] {
        assert_eq!(answer(server.post(PATH, &body).send().await.unwrap()).await, (400, json!({"message": message})));
    }
    for (source, target) in [("ZH", "JA"), ("de", "en-GB"), ("ja", "zh-Hant")] {
        let body = json!({"metadata": of(source, target), "segments": vec![&segments[0]; 500]});
        assert_eq!(server.post(PATH, &body).send().await.unwrap().status(), 202, "{source} {target}");
    }
    let longest = json!({"metadata": of("en", "de"), "segments": [{"source": "ä".repeat(10_000), "target": ""}]});
    assert_eq!(server.post(PATH, &longest).send().await.unwrap().status(), 202);
    assert_eq!(server.post_text(PATH, "text/plain", "{}").send().await.unwrap().status(), 415);
}

#[tokio::test]
async fn an_unknown_job_is_not_found() {
    let server = server().await;
    let unknown = server.get(&format!("{PATH}/{}", super::server::ID)).send().await.unwrap();
    assert_eq!(answer(unknown).await, (404, json!({"message": "The quality evaluation job was not found."})));
    let invalid = server.get(&format!("{PATH}/7")).send().await.unwrap();
    assert_eq!(answer(invalid).await, (400, json!({"message": "job_id must be a valid UUID."})));
}

#[tokio::test]
async fn a_key_submits_100_jobs_a_minute() {
    let options = SandboxOptions { keys: vec!["sandbox".to_owned(), "other".to_owned()], ..SandboxOptions::default() };
    let server = TestServer::start(options).await;
    let submit = || server.post(PATH, &body(&[("Tea", "Tee")]));
    for n in 0..100 {
        assert_eq!(submit().send().await.unwrap().status(), 202, "{n}");
    }
    let refused = submit().send().await.unwrap();
    let wait: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    assert_eq!(answer(refused).await, (429, json!({"message": "Too many requests: the maximum is 100 per minute."})));
    let request = server.client.post(format!("{}{PATH}", server.base)).json(&body(&[("Tea", "Tee")]));
    let other = request.header("Authorization", "Service-Auth-Key other").send().await.unwrap();
    assert_eq!(other.status(), 202);
    let session = submit().header("X-Tulk-Sandbox-Session", "one").send().await.unwrap();
    assert_eq!(session.status(), 202);
    assert_eq!(
        server
            .client
            .post(format!("{}/_sandbox/reset", server.base))
            .header("X-Tulk-Sandbox", "1")
            .send()
            .await
            .unwrap()
            .status(),
        204
    );
    assert_eq!(submit().send().await.unwrap().status(), 202);
}

#[tokio::test]
async fn a_segment_has_at_most_100_problems_with_numbers() {
    let server = server().await;
    // Comparing each of 5,000 numbers with every other one would take seconds.
    let (source, target) = ("1 ".repeat(5000), "2 ".repeat(5000));
    let done = evaluate(&server, &[(source.as_str(), target.as_str()); 20]).await;
    assert_eq!(
        done["summary"],
        json!({"overall_score": 0, "granular_counts": {"Accuracy": {"Mistranslation": {"Major": 2000}}}})
    );
    assert_eq!(done["segments"][19]["errors"][99]["target_spans"], json!([{"start": 198, "end": 199}]));
}
