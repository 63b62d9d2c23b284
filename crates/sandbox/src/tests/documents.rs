//! Office documents: translated and unchanged parts, and the watermark.

use std::io::{Cursor, Read as _, Write as _};

use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::server::{TestServer, answer};
use crate::{Engine, SandboxOptions};

/// Creates a ZIP archive with these parts. The first is stored, the others are compressed.
fn zip_archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (index, (name, content)) in parts.iter().enumerate() {
        let method = if index == 0 { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn read_archive(bytes: Vec<u8>) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let count = archive.len();
    let read = |index| {
        let mut part = archive.by_index(index).unwrap();
        let mut text = String::new();
        part.read_to_string(&mut text).unwrap();
        (part.name().unwrap().into_owned(), text)
    };
    (0..count).map(read).collect()
}

async fn server() -> TestServer {
    TestServer::start(SandboxOptions {
        engine: Engine::Upper,
        document_queue: std::time::Duration::ZERO,
        document_translate: std::time::Duration::ZERO,
        ..SandboxOptions::default()
    })
    .await
}

type Fields = &'static [(&'static str, &'static str)];

async fn send(server: &TestServer, fields: Fields, name: &'static str, bytes: Vec<u8>) -> (u16, Value) {
    let mut form = Form::new().text("target_lang", "de").part("file", Part::bytes(bytes).file_name(name));
    for (field, value) in fields {
        form = form.text(*field, *value);
    }
    let request = server.client.post(format!("{}/v2/document", server.base)).multipart(form);
    let request = request.header("Authorization", "Service-Auth-Key sandbox");
    answer(request.send().await.unwrap()).await
}

/// Returns the path, the key and the status.
async fn upload(server: &TestServer, fields: Fields, name: &'static str, bytes: Vec<u8>) -> (String, Value, Value) {
    let (status, handle) = send(server, fields, name, bytes).await;
    assert_eq!(status, 200, "{handle}");
    let path = format!("/v2/document/{}", handle["document_id"].as_str().unwrap());
    let key = json!({"document_key": handle["document_key"]});
    let (_, document) = answer(server.post(&path, &key).send().await.unwrap()).await;
    (path, key, document)
}

async fn translate(server: &TestServer, name: &'static str, bytes: Vec<u8>) -> Vec<u8> {
    translate_with(server, &[], name, bytes).await
}

async fn translate_with(server: &TestServer, fields: Fields, name: &'static str, bytes: Vec<u8>) -> Vec<u8> {
    let (path, key, document) = upload(server, fields, name, bytes).await;
    assert_eq!((&document["status"], &document["billed_characters"]), (&json!("done"), &json!(50_000)), "{document}");
    let response = server.post(&format!("{path}/result"), &key).send().await.unwrap();
    assert_eq!(response.status(), 200);
    response.bytes().await.unwrap().to_vec()
}

#[tokio::test]
async fn words_of_a_docx_are_translated_and_everything_else_stays() {
    let server = server().await;
    let document = "<?xml version='1.0'?>\n<w:document><w:p w:rsid=\"tea\"><w:r><w:t xml:space=\"preserve\">tea &amp; </w:t></w:r>\
        <w:r><w:rPr><w:b/></w:rPr><w:t>cup &lt; pot</w:t></w:r><w:instrText>PAGE</w:instrText><w:delText>old</w:delText>\
        <w:t/></w:p></w:document>";
    let original = zip_archive(&[
        ("[Content_Types].xml", b"<Types>keep</Types>"),
        ("word/document.xml", document.as_bytes()),
        ("word/styles.xml", b"<w:t>keep</w:t>"),
        ("word/header1.xml", b"<w:t>head</w:t>"),
    ]);
    let translated = read_archive(translate(&server, "a.docx", original.clone()).await);
    let expected = document.replace(">tea &amp; <", ">TEA &amp; <").replace(">cup &lt; pot<", ">CUP &lt; POT<");
    let expected = [
        ("[Content_Types].xml", "<Types>keep</Types>"),
        ("word/document.xml", expected.as_str()),
        ("word/styles.xml", "<w:t>keep</w:t>"),
        ("word/header1.xml", "<w:t>HEAD</w:t>"),
    ];
    assert_eq!(translated, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[tokio::test]
async fn words_of_pptx_and_xlsx_are_translated() {
    let server = server().await;
    let slide = zip_archive(&[
        ("ppt/slides/slide1.xml", b"<a:p><a:t>tea</a:t><a:fld><a:t>n</a:t></a:fld></a:p>"),
        ("ppt/notesSlides/notesSlide1.xml", b"<a:t>note</a:t>"),
    ]);
    let translated = read_archive(translate(&server, "a.pptx", slide).await);
    assert_eq!(translated[0].1, "<a:p><a:t>TEA</a:t><a:fld><a:t>n</a:t></a:fld></a:p>");
    assert_eq!(translated[1].1, "<a:t>NOTE</a:t>");
    let sheet = zip_archive(&[
        (
            "xl/sharedStrings.xml",
            b"<sst><si><t>tea</t><rPh><t>r</t></rPh></si><si><r><t>cup</t></r></si><si><t>Amount</t></si></sst>",
        ),
        (
            "xl/worksheets/sheet1.xml",
            b"<c t=\"inlineStr\"><is><t>pot</t></is></c><c t=\"str\"><f>T1[Amount]</f><v>x</v></c>",
        ),
        ("xl/tables/table1.xml", b"<table><tableColumn id=\"1\" name=\"Amount\"/></table>"),
    ]);
    let translated = read_archive(translate(&server, "a.xlsx", sheet).await);
    assert_eq!(
        translated[0].1,
        "<sst><si><t>TEA</t><rPh><t>r</t></rPh></si><si><r><t>CUP</t></r></si><si><t>Amount</t></si></sst>"
    );
    assert_eq!(translated[1].1, "<c t=\"inlineStr\"><is><t>POT</t></is></c><c t=\"str\"><f>T1[Amount]</f><v>x</v></c>");
    assert_eq!(translated[2].1, "<table><tableColumn id=\"1\" name=\"Amount\"/></table>");
}

#[tokio::test]
async fn office_files_that_cannot_be_translated_fail() {
    let server = server().await;
    let bomb = zip_archive(&[("word/document.xml", b"<w:t>"), ("word/header1.xml", &vec![b'a'; 70_000_000])]);
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    for (bytes, message) in [
        (b"PK\x03\x04 cut off".to_vec(), "The file is not a valid office file"),
        (bomb, "more than 67108864 bytes when it is unpacked"),
        (
            zip_archive(&[("word/document.xml", b"<w:p><w:t>a</w:p>")]),
            "word/document.xml of the file is not well-formed XML",
        ),
        (
            zip_archive(&[("word/document.xml", b"<w:t>Das ist nicht gut.</w:t>")]),
            "Source and target language are equal.",
        ),
    ] {
        let (.., document) = upload(&server, &[], "a.docx", bytes).await;
        let text = document["error_message"].as_str().unwrap_or_default();
        assert!(document["status"] == "error" && text.contains(message), "{document}");
    }
    assert_eq!(translate(&server, "a.docx", b"no archive".to_vec()).await, b"no archive");
}

const WATERMARK: Fields = &[("enable_watermark", "true")];

#[tokio::test]
async fn a_docx_with_a_watermark_says_so_in_its_first_paragraph() {
    let server = server().await;
    let docx = zip_archive(&[
        ("[Content_Types].xml", b"<Types/>"),
        (
            "word/document.xml",
            b"<w:document><w:body><w:p><w:r><w:t>tea</w:t></w:r></w:p><w:sectPr/></w:body></w:document>",
        ),
        ("word/header1.xml", b"<w:hdr><w:t>head</w:t></w:hdr>"),
    ]);
    let marked = read_archive(translate_with(&server, WATERMARK, "a.docx", docx.clone()).await);
    let expected = [
        ("[Content_Types].xml", "<Types/>"),
        (
            "word/document.xml",
            "<w:document><w:body><w:p><w:r><w:t>This document was machine-translated.</w:t></w:r></w:p>\
             <w:p><w:r><w:t>TEA</w:t></w:r></w:p><w:sectPr/></w:body></w:document>",
        ),
        ("word/header1.xml", "<w:hdr><w:t>HEAD</w:t></w:hdr>"),
    ];
    assert_eq!(marked, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
    for fields in [&[][..], &[("enable_watermark", "false")], &[("enable_watermark", "0")]] {
        let parts = read_archive(translate_with(&server, fields, "a.docx", docx.clone()).await);
        assert_eq!(
            parts[1].1,
            "<w:document><w:body><w:p><w:r><w:t>TEA</w:t></w:r></w:p><w:sectPr/></w:body></w:document>"
        );
    }
    let fields = &[("enable_watermark", "1"), ("output_format", "docx")];
    let from_pdf = read_archive(translate_with(&server, fields, "a.pdf", b"%PDF-1.4\n".to_vec()).await);
    let body = "<w:body><w:p><w:r><w:t>This document was machine-translated.</w:t></w:r></w:p>\
                <w:p><w:r><w:t>Translated by the sandbox from a.pdf</w:t></w:r></w:p></w:body>";
    assert!(from_pdf[2].1.contains(body), "{}", from_pdf[2].1);
}

#[tokio::test]
async fn a_watermark_changes_no_other_files() {
    let server = server().await;
    let slide = zip_archive(&[("ppt/slides/slide1.xml", b"<p:body><a:t>tea</a:t></p:body>")]);
    let marked = read_archive(translate_with(&server, WATERMARK, "a.pptx", slide).await);
    assert_eq!(marked[0].1, "<p:body><a:t>TEA</a:t></p:body>");
    let pdf = b"%PDF-1.4\n".to_vec();
    assert_eq!(translate_with(&server, WATERMARK, "a.pdf", pdf.clone()).await, pdf);
}

#[tokio::test]
async fn other_values_of_enable_watermark_are_refused() {
    let server = server().await;
    for fields in [&[("enable_watermark", "yes")][..], &[("enable_watermark", "")], &[("enable_watermark", "True")]] {
        let refused = send(&server, fields, "a.docx", b"tea".to_vec()).await;
        assert_eq!(refused, (400, json!({"message": "Value for 'enable_watermark' not supported."})));
    }
}
