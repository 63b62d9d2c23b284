//! Texts of refusals that clients of the service search for, and values that they expect in answers.

use serde_json::{Value, json};

use super::server::{TestServer, answer};

async fn rephrase(server: &TestServer, options: Value) -> (u16, Value) {
    let mut body = json!({"text": ["Tea is ready."]});
    body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    answer(server.post("/v2/write/rephrase", &body).send().await.unwrap()).await
}

#[tokio::test]
async fn a_refused_formality_names_the_parameter_and_the_language() {
    let server = TestServer::ephemeral().await;
    let request = json!({"text": ["a"], "target_lang": "EN-US", "formality": "more"});
    let expected = json!({"message": "Target language does not support 'formality'.", "detail": "target_lang en-US"});
    assert_eq!(server.translate(request).await, (400, expected.clone()));
    let form = reqwest::multipart::Form::new()
        .text("target_lang", "EN-US")
        .text("formality", "less")
        .part("file", reqwest::multipart::Part::bytes(b"a").file_name("a.txt"));
    let upload = server.client.post(format!("{}/v2/document", server.base)).multipart(form);
    let upload = upload.header("Authorization", "DeepL-Auth-Key sandbox");
    assert_eq!(answer(upload.send().await.unwrap()).await, (400, expected));
}

#[tokio::test]
async fn a_refused_style_or_tone_names_the_language() {
    let server = TestServer::ephemeral().await;
    for (options, message) in [
        (json!({"target_lang": "ja", "tone": "confident"}), "Language ja does not support setting a tone."),
        (
            json!({"target_lang": "JA", "writing_style": "business"}),
            "Language ja does not support setting a writing style.",
        ),
        (
            json!({"target_lang": "de", "writing_style": "business", "tone": "default"}),
            "Both writing_style and tone defined. Send one of them.",
        ),
        (json!({"target_lang": "lv"}), "Value for 'target_lang' not supported."),
    ] {
        assert_eq!(rephrase(&server, options).await, (400, json!({"message": message})));
    }
}

#[tokio::test]
async fn a_language_with_variants_is_answered_with_one_of_them() {
    let server = TestServer::ephemeral().await;
    for (target, named) in [("en", "en-US"), ("pt", "pt-PT"), ("EN-gb", "en-GB"), ("zh", "zh")] {
        let (status, body) = rephrase(&server, json!({"target_lang": target})).await;
        assert_eq!((status, &body["improvements"][0]["target_language"]), (200, &json!(named)), "{target}");
    }
    let (_, detected) = rephrase(&server, json!({})).await;
    assert_eq!(detected["improvements"][0]["target_language"], json!("en"));
}

#[tokio::test]
async fn an_upload_that_is_no_form_is_refused_with_400() {
    let server = TestServer::ephemeral().await;
    let expected = json!({"message": "Content type is not supported. Send the document as multipart/form-data."});
    for request in
        [server.post("/v2/document", &json!({"target_lang": "DE"})), server.post_text("/v2/document", "", "")]
    {
        assert_eq!(answer(request.send().await.unwrap()).await, (400, expected.clone()));
    }
}
