//! Targets for everything that the sandbox reads: requests, documents, texts, audio, and the files and options that it starts with.

use std::cell::RefCell;
use std::fs;
use std::io::Write as _;

use serde_json::{Value, json};
use tulk_sandbox::Engine;
use tulk_sandbox::fuzzing::{self, InProcessSandbox};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{FuzzTarget, in_dir, with_file};

pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget { name: "sandbox_audio", check: audio },
    FuzzTarget { name: "sandbox_document", check: document },
    FuzzTarget { name: "sandbox_options", check: options },
    FuzzTarget { name: "sandbox_phrases", check: phrases },
    FuzzTarget { name: "sandbox_request", check: request },
    FuzzTarget { name: "sandbox_seed", check: seed },
    FuzzTarget { name: "sandbox_text", check: text },
];

/// Objects with known IDs, for requests to find.
const SEED: &str = r#"
[[glossaries]]
id = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a61"
name = "Kitchen"
[[glossaries.dictionaries]]
source_lang = "en"
target_lang = "de"
entries = { kettle = "Wasserkocher" }
[[style_rules]]
id = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a62"
name = "House"
language = "de"
[[style_rules.custom_instructions]]
id = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a63"
label = "Polite"
prompt = "Be polite."
[[translation_memories]]
id = "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a64"
name = "Manuals"
source_language = "en"
target_languages = ["de"]
segments = [{ source = "Close the lid.", target_lang = "de", target = "Deckel zu." }]
[[developer_keys]]
key = "small-key"
label = "small"
character_limit = 100
"#;

/// Content types of audio, at least one per parser.
const AUDIO: [&str; 12] = [
    "audio/auto",
    "audio/flac",
    "audio/mpeg",
    "audio/ogg",
    "audio/webm",
    "audio/x-matroska",
    "audio/pcm;encoding=s16le;rate=16000",
    "audio/pcm;encoding=alaw;rate=8000",
    "audio/wav",
    "audio/mp4",
    "audio/ogg;codecs=opus",
    "audio/x-matroska;codecs=aac",
];

/// Opens one sandbox per thread and engine.
fn with_sandbox<T>(engine: Engine, work: impl FnOnce(&mut InProcessSandbox) -> T) -> Option<T> {
    thread_local! {
        static SANDBOXES: RefCell<[Option<InProcessSandbox>; 2]> = const { RefCell::new([None, None]) };
    }
    SANDBOXES.with_borrow_mut(|all| {
        let [echo, pseudo] = all;
        let place = if engine == Engine::Echo { echo } else { pseudo };
        if place.is_none() {
            *place = fuzzing::open(engine, SEED).ok();
        }
        assert!(place.is_some(), "the seed is wrong");
        place.as_mut().map(|sandbox| {
            sandbox.reset();
            work(sandbox)
        })
    })
}

/// The input has the format that `InProcessSandbox::send_requests` reads.
fn request(input: &[u8]) {
    with_sandbox(Engine::Pseudo, |sandbox| sandbox.send_requests(input));
}

/// The input is a file name, a line feed and the content. The `echo` engine must return texts unchanged, and a result must be readable
/// as the same type.
fn document(input: &[u8]) {
    let Some((name, content)) = memchr::memchr(b'\n', input).and_then(|at| input.split_at_checked(at)) else { return };
    let Ok(name) = std::str::from_utf8(name) else { return };
    if name.contains(['"', '\r', '\\', '%']) {
        return;
    }
    let content = content.get(1..).unwrap_or_default();
    let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_office = ["docx", "pptx", "xlsx"].contains(&ending.as_str());
    let archive = is_office.then(|| archive(content)).flatten();
    let content = archive.as_deref().unwrap_or(content);
    with_sandbox(Engine::Echo, |sandbox| {
        let Some((state, result)) = sandbox.translate_document(name, content) else { return };
        if state["status"] != "done" {
            assert!(state["message"].as_str().is_some_and(|why| !why.is_empty()), "{state}");
            return;
        }
        match ending.as_str() {
            "txt" | "srt" | "html" | "htm" | "json" | "xml" | "jpg" | "png" | "idml" | "dita" | "mif" => {
                assert!(result == content, "{name} is changed: {:?}", String::from_utf8_lossy(&result));
            }
            "xlf" | "xliff" | "docx" | "pptx" | "xlsx" => {
                let again = sandbox.translate_document(name, &result);
                // An input that already is an archive may be damaged, for example with overlapping parts. Its result may then change
                // when it is translated again.
                let may_differ = is_office && archive.is_none();
                let is_same = |again: Vec<u8>| again == result || may_differ;
                let is_read = again.is_some_and(|(state, again)| state["status"] == "done" && is_same(again));
                assert!(is_read, "{name} cannot be read again: {:?}", String::from_utf8_lossy(&result));
            }
            _ => {}
        }
    });
    with_sandbox(Engine::Pseudo, |sandbox| {
        let Some((state, result)) = sandbox.translate_document(name, content) else { return };
        let is_json = || serde_json::from_slice::<Value>(&result).is_ok();
        assert!(ending != "json" || state["status"] != "done" || is_json(), "{:?}", String::from_utf8_lossy(&result));
        let is_xml = || std::str::from_utf8(&result).is_ok_and(fuzzing::is_xml);
        let was_xml = || std::str::from_utf8(content).is_ok_and(fuzzing::is_xml);
        let is_done = ["xml", "xlf"].contains(&ending.as_str()) && state["status"] == "done";
        assert!(!is_done || !was_xml() || is_xml(), "{:?}", String::from_utf8_lossy(&result));
    });
}

/// Builds an archive from a text in which a line `### NAME` starts each part. `None` if the content already is an archive.
fn archive(content: &[u8]) -> Option<Vec<u8>> {
    if content.starts_with(b"PK") {
        return None;
    }
    let mut writer = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let text = String::from_utf8_lossy(content);
    for part in text.split("### ").skip(1) {
        let (name, xml) = part.split_once('\n')?;
        writer.start_file(name, SimpleFileOptions::default()).ok()?;
        writer.write_all(xml.as_bytes()).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

/// With and without tags, the `echo` engine must return the text unchanged.
fn text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    fuzzing::detect_language(text);
    let options = [
        json!({}),
        json!({"tag_handling": "xml"}),
        json!({"tag_handling": "xml", "tag_handling_version": "v2", "ignore_tags": ["x"], "splitting_tags": ["p"]}),
        json!({"tag_handling": "html", "show_billed_characters": true}),
    ];
    for options in options {
        let echo = with_sandbox(Engine::Echo, |sandbox| sandbox.translate(text, &options)).flatten();
        assert!(echo.is_none_or(|echo| echo == text), "{options}: {text:?} is changed");
    }
    let options = json!({"tag_handling": "xml", "tag_handling_version": "v2"});
    let result = with_sandbox(Engine::Pseudo, |sandbox| sandbox.translate(text, &options)).flatten();
    let is_tag = |c: &char| "<>&".contains(*c);
    let tags = |text: &str| text.chars().filter(is_tag).collect::<String>();
    assert!(result.is_none_or(|result| tags(&result) == tags(text)), "{text:?}: tags are changed");
}

/// The first byte chooses the content type.
fn audio(input: &[u8]) {
    let Some((first, audio)) = input.split_first() else { return };
    let content_type = AUDIO.get(usize::from(*first) % AUDIO.len()).copied().unwrap_or_default();
    let step = usize::from(audio.last().copied().unwrap_or(0)) + 1;
    let times = [usize::MAX, step].map(|step| fuzzing::measure_audio(content_type, audio, step));
    assert_eq!(times[0].is_some(), times[1].is_some(), "{content_type}: blocks of {step} bytes");
    with_file("source", audio, |path| fuzzing::file_playing_time(path, content_type));
}

fn options(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    fuzzing::check_options(text);
}

fn phrases(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Err(failure) = fuzzing::read_phrases(text) {
        assert!(failure.to_string().starts_with("phrases.tsv:"), "{failure}");
    }
}

/// An error must name a line of the seed file.
fn seed(input: &[u8]) {
    // `entries_file` could name any file of this machine.
    if memchr::memmem::find(input, b"entries_file").is_some() {
        return;
    }
    let lines = input.split(|byte| *byte == b'\n').count() as u64;
    in_dir(|dir| {
        let path = dir.join("seed.toml");
        fs::write(&path, input)?;
        if let Err(failure) = fuzzing::read_seed(&path) {
            let line = failure.at.as_ref().map(|origin| origin.line);
            let is_text = std::str::from_utf8(input).is_ok();
            assert!(!is_text || line.is_some_and(|line| line <= lines), "{failure}");
        }
        Ok(())
    });
}
