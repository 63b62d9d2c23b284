//! The picture of the sandbox page in docs/sandbox.md, which `docs/pictures/page.js` draws inside the page.
//!
//! Positions of texts depend on the fonts of the machine, so only the texts are compared.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{ROWS, TITLE, send};
use crate::common::Bench;

fn project_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Replaces times, durations and IDs, which differ from run to run.
fn masked(svg: &str) -> String {
    let masks = [
        ("[0-9]{2}/[0-9]{2}/[0-9]{4}", "28/11/2026"),
        ("[0-9]{2}:[0-9]{2}:[0-9]{2}", "10:24:07"),
        (r"\b[0-9.]+ ms\b", "4 ms"),
        (r"\b[0-9a-f]{32}\b", "4f2ac1d09e6b834f2ac1d09e6b83aa01"),
    ];
    masks.iter().fold(svg.to_owned(), |text, (pattern, value)| {
        regex::Regex::new(pattern).unwrap().replace_all(&text, *value).into_owned()
    })
}

/// Returns the texts of a picture without whitespace, because lines may break elsewhere.
fn texts(svg: &str) -> String {
    let lines =
        svg.split("<text ").skip(1).map(|rest| rest.split_once('>').unwrap().1.split("</text>").next().unwrap());
    lines.flat_map(str::split_whitespace).collect()
}

#[tokio::test]
async fn the_picture_has_the_texts_of_the_page() {
    let bench = Bench::bare();
    let phrases =
        "en\tde\tGood morning, {name}.\tGuten Morgen, {name}.\nen\tde\tClose the lid.\tDen Deckel schließen.\n";
    let phrases = bench.write("phrases.tsv", phrases).display().to_string();
    let server = bench.serve(&["--engine", "echo", "--phrases", &phrases]);
    let Some(mut page) = super::open(&server).await else { return };
    page.show(1000, "light").await;
    let body = |texts: &[&str]| json!({"text": texts, "source_lang": "EN", "target_lang": "DE"}).to_string();
    send(&server, "/v2/translate", "", &body(&["Hello"]));
    let dictionary =
        json!({"source_lang": "en", "target_lang": "de", "entries": "lid\tDeckel", "entries_format": "tsv"});
    send(&server, "/v3/glossaries", "", &json!({"name": "Kitchen", "dictionaries": [dictionary]}).to_string());
    send(&server, "/v2/translate", "X-Tulk-Sandbox-Fault: 429\r\n", &body(&["Hello"]));
    send(&server, "/v2/translat", "", &body(&["Hello"]));
    send(
        &server,
        "/v2/translate",
        "X-Tulk-Sandbox-Session: test of the menu\r\n",
        &body(&["Good morning, {name}.", "Close the lid."]),
    );
    page.wait_for(ROWS, json!(5)).await;
    page.wait_for("document.querySelectorAll('#rows .open').length", json!(0)).await;
    page.eval("document.querySelector('#rows button').click()").await;
    page.wait_for(TITLE, json!("POST /v2/translate")).await;
    page.wait_for("document.getElementById('state').textContent", json!("5 requests")).await;
    let drawn = page.eval(&std::fs::read_to_string(project_file("docs/pictures/page.js")).unwrap()).await;
    let drawn = masked(drawn.as_str().unwrap());
    assert!(texts(&drawn).contains("GutenMorgen,{name}."), "{drawn}");
    let path = project_file("docs/pictures/sandbox.svg");
    if std::env::var_os("TULK_BLESS").is_some() {
        return std::fs::write(&path, drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let blessing = "look at the new picture, then: TULK_BLESS=1 cargo test --test cli sandbox_page::picture";
    assert_eq!(texts(&kept), texts(&drawn), "{} shows something else; {blessing}", path.display());
}

#[test]
fn extracts_texts_of_a_picture_without_whitespace() {
    assert_eq!(texts("<g><text x=\"1\">a b</text><text y=\"2\">c</text></g>"), "abc");
}
