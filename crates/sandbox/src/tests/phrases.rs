//! Phrases that depend on the formality and the glossaries of a request.

use serde_json::{Value, json};

use super::server::{ID, TestServer, answer, dir_with_glossary};
use crate::{Engine, SandboxOptions};

const PHRASES: &str = "en\tde\tHow are you?\tWie geht es Ihnen?\n\
    en\tde\tHow are you?\tWie geht es dir?\tformality=less\n\
    en\tde\tHow are you?\tWie geht's in der Küche?\tglossary=Kitchen\n\
    en\tde\tThe kettle is on\tDer Kessel läuft\tglossary=5B0C8F0E-6D1A-4A3B-9C2F-1E2D3C4B5A69\n\
    de\ten\tGuten Tag\tGood day\n\
    *\ten\tTea, plese\tTea, please\n";

async fn server() -> (TestServer, tempfile::TempDir) {
    let dir = dir_with_glossary();
    let file = dir.path().join("phrases.tsv");
    std::fs::write(&file, PHRASES).unwrap();
    let state_dir = Some(dir.path().to_owned());
    let options = SandboxOptions { engine: Engine::Echo, phrases: Some(file), state_dir, ..SandboxOptions::default() };
    (TestServer::start(options).await, dir)
}

#[tokio::test]
async fn a_phrase_depends_on_formality_and_glossary() {
    let (server, _dir) = server().await;
    for (options, text, kettle) in [
        (json!({}), "Wie geht es Ihnen?", "The kettle is on"),
        (json!({"formality": "more"}), "Wie geht es Ihnen?", "The kettle is on"),
        (json!({"formality": "less"}), "Wie geht es dir?", "The kettle is on"),
        (json!({"formality": "prefer_less"}), "Wie geht es dir?", "The kettle is on"),
        (json!({"glossary_id": ID}), "Wie geht's in der Küche?", "Der Kessel läuft"),
        (
            json!({"glossary_ids": [ID.to_uppercase()], "formality": "more"}),
            "Wie geht's in der Küche?",
            "Der Kessel läuft",
        ),
    ] {
        let mut body =
            json!({"text": ["How are you?", "<p>The kettle is on</p>"], "source_lang": "EN", "target_lang": "DE"});
        body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let (status, answer) = server.translate(body).await;
        let texts: Vec<&Value> = answer["translations"].as_array().unwrap().iter().map(|t| &t["text"]).collect();
        assert_eq!((status, texts), (200, vec![&json!(text), &json!(format!("<p>{kettle}</p>"))]), "{options}");
    }
}

#[tokio::test]
async fn a_phrase_for_a_language_is_also_for_its_variants() {
    let (server, _dir) = server().await;
    for target in ["EN-US", "en-gb"] {
        let expected = json!({"translations": [{"detected_source_language": "DE", "text": "Good day"}]});
        let body = json!({"text": ["Guten Tag"], "target_lang": target});
        assert_eq!(server.translate(body).await, (200, expected), "{target}");
    }
    let body = json!({"text": ["Tea, plese"], "target_lang": "en-GB"});
    let (status, body) = answer(server.post("/v2/write/correct", &body).send().await.unwrap()).await;
    assert_eq!((status, &body["improvements"][0]["text"]), (200, &json!("Tea, please")));
}

#[tokio::test]
#[ignore = "long; .ci/run includes it"]
async fn the_formality_and_the_glossary_of_an_upload_choose_the_phrase() {
    let (server, _dir) = server().await;
    let part =
        |name: &str, value: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let file = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nHow are you?\r\n";
    for (option, text) in [
        (part("formality", "less"), "Wie geht es dir?"),
        (part("glossary_id", ID), "Wie geht's in der Küche?"),
        (String::new(), "Wie geht es Ihnen?"),
    ] {
        let body = [&part("source_lang", "EN"), &part("target_lang", "DE"), &option, file, "--x--\r\n"].concat();
        assert_eq!(server.document(&body).await, text);
    }
}
