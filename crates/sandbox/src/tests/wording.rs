//! Messages of refusals that clients of the service search for, and values that they expect in answers.

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
    for (target, formality, status) in [("PT", "more", 400), ("PT", "prefer_less", 200), ("PT-PT", "less", 200)] {
        let request = json!({"text": ["a"], "target_lang": target, "formality": formality});
        assert_eq!(server.translate(request).await.0, status, "{target} {formality}");
    }
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
async fn a_text_in_another_language_than_the_target_is_refused() {
    let server = TestServer::ephemeral().await;
    for (text, target, expected) in [
        ("Der Kessel steht auf dem Herd.", "de", None),
        ("The kettle is on the stove.", "en-US", None),
        ("The kettle is on the stove.", "EN-GB", None),
        ("The kettle is on the stove.", "en", None),
        ("水壶在炉子上。车站在哪里？", "zh-Hans", None),
        // Too short for the detected language to be certain.
        ("Guten Morgen!", "en-US", None),
        ("Teh kettel ist on teh stove", "en-US", None),
        ("OK", "de", None),
        // Text in two languages, or without words.
        ("Wir verwenden \"The kettle is on the stove\" als Beispiel fuer Text.", "de", None),
        ("Wir haben nicht the kettle is on the stove und so weiter.", "de", None),
        ("{count} <b>42</b>", "de", None),
        ("Der Kessel steht auf dem Herd.", "en-US", Some("'text[1]' is de, not en-US")),
        ("Où est la gare ? Il fait froid.", "it", Some("'text[1]' is fr, not it")),
        ("<b>The kettle is on the stove.</b>", "fr", Some("'text[1]' is en, not fr")),
        ("La tetera está en el fuego.", "pt-BR", Some("'text[1]' is es, not pt-BR")),
    ] {
        for path in ["/v2/write/rephrase", "/v2/write/correct"] {
            let body = json!({"text": ["", text], "target_lang": target});
            let (status, body) = answer(server.post(path, &body).send().await.unwrap()).await;
            let found = if status == 200 { None } else { Some((status, body)) };
            let expected = expected
                .map(|detail| (400, json!({"message": "The text must be in the target language.", "detail": detail})));
            assert_eq!(found, expected, "{text} to {target}");
        }
    }
}

#[tokio::test]
async fn the_answer_names_a_variant_of_the_target_language() {
    let server = TestServer::ephemeral().await;
    for (target, named) in [("en", "en-US"), ("pt", "pt-PT"), ("EN-gb", "en-GB"), ("zh", "zh")] {
        let (status, body) = rephrase(&server, json!({"target_lang": target})).await;
        assert_eq!((status, &body["improvements"][0]["target_language"]), (200, &json!(named)), "{target}");
    }
    let (_, detected) = rephrase(&server, json!({})).await;
    assert_eq!(detected["improvements"][0]["target_language"], json!("en"));
}

#[tokio::test]
async fn an_upload_that_is_not_a_form_is_refused_with_400() {
    let server = TestServer::ephemeral().await;
    let expected = json!({"message": "Content type is not supported. Send the document as multipart/form-data."});
    for request in
        [server.post("/v2/document", &json!({"target_lang": "DE"})), server.post_text("/v2/document", "", "")]
    {
        assert_eq!(answer(request.send().await.unwrap()).await, (400, expected.clone()));
    }
}
