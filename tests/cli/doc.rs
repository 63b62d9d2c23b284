//! `tulk doc` against the sandbox: requests, results and where they are written.

use crate::common::{Bench, Run};
use serde_json::{Value, json};

pub fn bench() -> Bench {
    with(&[])
}

pub fn with(flags: &[&str]) -> Bench {
    let quick = ["--engine", "echo", "--document-queue", "0", "--document-translate", "0"];
    Bench::with(&[&quick, flags].concat())
}

/// Starts a sandbox that takes an hour for each document.
pub fn slow() -> Bench {
    Bench::with(&["--engine", "echo", "--document-queue", "0", "--document-translate", "1h"])
}

/// `operation` is `upload`, `status` or `result`.
pub fn count_successful(bench: &Bench, operation: &str) -> usize {
    let matches = |r: &&Value| {
        let path = r["path"].as_str().unwrap_or_default();
        let is_operation = match operation {
            "upload" => path == "/v2/document",
            "result" => path.ends_with("/result"),
            _ => path.starts_with("/v2/document/") && !path.ends_with("/result"),
        };
        is_operation && r["status"] == 200
    };
    bench.requests().iter().filter(matches).count()
}

pub fn records(bench: &Bench) -> Vec<Value> {
    let Ok(dir) = std::fs::read_dir(bench.path(".local/state/tulk/documents")) else { return Vec::new() };
    let paths = dir.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "json"));
    paths.map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()).collect()
}

fn cells(run: &Run) -> Vec<Vec<String>> {
    run.out().lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn writes_the_result_beside_its_source_and_prints_a_row() {
    let bench = bench();
    bench.write("a.txt", "One.\r\nTwo");
    let run =
        bench.run(["doc", "translate", "a.txt", "--to", "pt_br", "--from", "en", "--formality", "prefer-more"]).code(0);
    assert_eq!(bench.read("a.pt-BR.txt"), "One.\r\nTwo");
    let rows = cells(&run);
    assert_eq!(rows.len(), 1);
    let id = rows[0][3].clone();
    assert_eq!(rows[0], ["a.txt", "pt-BR", "a.pt-BR.txt", &id, "9", "done"]);
    let sent = bench.sent();
    let paths: Vec<&str> = sent.iter().map(|(path, _)| path.as_str()).collect();
    let (status, result) = (format!("POST /v2/document/{id}"), format!("POST /v2/document/{id}/result"));
    assert_eq!(paths, ["POST /v2/document", status.as_str(), result.as_str()]);
    let form = sent[0].1.as_str().unwrap();
    for field in [
        "target_lang\"\r\n\r\nPT-BR\r\n",
        "source_lang\"\r\n\r\nEN\r\n",
        "formality\"\r\n\r\nprefer_more\r\n",
        "filename=\"a.txt\"",
    ] {
        assert!(form.contains(field), "missing {field} in {form}");
    }
    for unset in ["glossary", "style", "memory", "output_format", "beta"] {
        assert!(!form.contains(unset), "unexpected {unset} in {form}");
    }
    assert_eq!(sent[1].1.as_object().unwrap().keys().collect::<Vec<_>>(), ["document_key"]);
    assert_eq!(records(&bench)[0]["document_key"], Value::Null);
}

#[test]
fn prints_rows_in_each_format() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--json"]).code(0);
    let id = run.json()[0]["document_id"].clone();
    assert_eq!(
        run.json(),
        json!([{"source": "a.txt", "target_lang": "de", "path": "a.de.txt", "document_id": id,
                "billed_characters": 3, "status": "done"}])
    );
    assert_eq!(run.stderr, "");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "--force", "--header", "--columns", "path,status"])
        .code(0)
        .prints("path\tstatus\na.de.txt\tdone\n");
    let table = bench.run(["doc", "translate", "a.txt", "--to", "de", "--force", "--format", "table"]).code(0);
    assert!(table.out().starts_with("SOURCE  TO  RESULT    ID "), "{table}");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--force", "--format", "srt"]).code(2);
    bench.run(["doc", "list", "--json", "--columns", "path"]).code(2);
}

#[test]
fn prints_an_empty_list_as_an_empty_array() {
    let bench = Bench::bare();
    bench.run(["doc", "list", "--json"]).code(0).prints("[]\n");
    bench.run(["doc", "list"]).code(0).prints("");
    bench.run(["--sandbox", "doc", "resume", "--json"]).code(0).prints("[]\n");
}

#[test]
fn translates_several_files_into_several_languages() {
    let bench = bench();
    let names: Vec<String> = (0..5).map(|n| format!("f{n}.txt")).collect();
    for name in &names {
        bench.write(name, format!("text of {name}"));
    }
    let mut args = vec!["doc", "translate", "--to", "de,fr", "--out-dir", "out/deep"];
    args.extend(names.iter().map(String::as_str));
    let run = bench.run(args).code(0);
    let rows = cells(&run);
    let shown: Vec<String> = rows.iter().map(|row| row[2].clone()).collect();
    let expected: Vec<String> =
        names.iter().flat_map(|n| ["de", "fr"].map(|l| format!("out/deep/{}.{l}.txt", &n[..2]))).collect();
    assert_eq!(shown, expected, "in the order of the arguments");
    for name in &names {
        assert_eq!(bench.read(&format!("out/deep/{}.fr.txt", &name[..2])), format!("text of {name}"));
    }
    assert_eq!(count_successful(&bench, "upload"), 10);
}

#[test]
fn concurrency_limits_simultaneous_documents() {
    let bench = Bench::with(&["--document-queue", "0", "--document-translate", "0", "--latency", "40ms"]);
    let names: Vec<String> = (0..4).map(|n| format!("f{n}.txt")).collect();
    for name in &names {
        bench.write(name, "x");
    }
    let args = |n: &'static str| {
        ["doc", "translate", "--to", "de", "--force", "--concurrency", n].into_iter().map(str::to_owned)
    };
    bench.run(args("1").chain(names.clone())).code(0);
    // With one document at a time, its three requests are consecutive.
    let ids: Vec<String> = bench.sent().into_iter().map(|(path, _)| path).collect();
    let expected: Vec<bool> = [true, false, false].repeat(4);
    assert_eq!(ids.iter().map(|path| path == "POST /v2/document").collect::<Vec<_>>(), expected, "{ids:?}");
}

#[test]
fn translates_stdin_to_stdout_byte_for_byte() {
    let bench = bench();
    let bytes: Vec<u8> = (0..200_000u32).map(|n| (n % 251) as u8).collect();
    let run = bench.pipe(&bytes, ["doc", "translate", "-", "--filename", "a.docx", "--to", "de"]).code(0);
    assert!(run.stdout == bytes, "received {} bytes", run.stdout.len());
    let files: Vec<_> = std::fs::read_dir(bench.path(".local/state/tulk/documents")).unwrap().collect();
    let files: Vec<String> = files.into_iter().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(files.iter().all(|name| ["json", "lock"].iter().any(|extension| name.ends_with(extension))), "{files:?}");
    bench.pipe("x", ["doc", "translate", "-", "--to", "de"]).code(2).says("--filename");
    bench.pipe("x", ["doc", "translate", "-", "-", "--filename", "a.txt", "--to", "de"]).code(2).says("stdin");
    bench
        .pipe("x", ["doc", "translate", "-", "--filename", "a.txt", "--to", "de,fr"])
        .code(2)
        .says("two results would go to stdout (- and -)");
    bench
        .pipe("x", ["doc", "translate", "-", "--filename", "a.txt", "--to", "de,fr", "-o", "{stem}-{lang}.{ext}"])
        .code(0);
    assert_eq!(bench.read("a-fr.txt"), "x");
}

#[test]
fn the_output_flag_selects_stdout_or_a_file() {
    let bench = bench();
    bench.write("d/a.txt", "One");
    bench.run(["doc", "translate", "d/a.txt", "--to", "de", "-o", "-"]).code(0).prints("One");
    bench.run(["doc", "translate", "d/a.txt", "--to", "de", "-o", "new/place.txt"]).code(0);
    assert_eq!(bench.read("new/place.txt"), "One");
    bench.run(["doc", "translate", "d/a.txt", "--to", "de", "-o", "/dev/null"]).code(0);
}

#[test]
fn keeps_the_structure_of_text_formats_and_returns_others_unchanged() {
    let bench = Bench::with(&["--document-queue", "0", "--document-translate", "0"]);
    bench.write("a.html", "<!doctype html>\n<p title='Keep'>Hello <b>you</b> &amp; me<script>keep()</script></p>\n");
    bench.write(
        "a.srt",
        "1\n00:00:01,000 --> 00:00:02,000\nHello <i>you</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n",
    );
    bench.write(
        "a.xlf",
        "<xliff version=\"2.1\" srcLang=\"en\"><file id=\"1\"><unit id=\"1\"><segment><source>Hello</source></segment>\
         <segment><source>you</source><target>old</target></segment></unit></file></xliff>",
    );
    bench.write("a.txt", "Hello\r\n\r\nyou");
    bench.run(["doc", "translate", "a.html", "a.srt", "a.xlf", "a.txt", "--from", "en", "--to", "de"]).code(0);
    assert_eq!(
        bench.read("a.de.html"),
        "<!doctype html>\n<p title='Keep'>Héllŏ <b>ýŏû</b> &amp; mé<script>keep()</script></p>\n"
    );
    assert_eq!(
        bench.read("a.de.srt"),
        "1\n00:00:01,000 --> 00:00:02,000\nHéllŏ <i>ýŏû</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nBýé\n"
    );
    assert_eq!(
        bench.read("a.de.xlf"),
        "<xliff trgLang=\"de\" version=\"2.1\" srcLang=\"en\"><file id=\"1\"><unit id=\"1\"><segment><source>Hello</source>\
         <target>Héllŏ</target></segment><segment><source>you</source><target>ýŏû</target></segment></unit></file></xliff>"
    );
    assert_eq!(bench.read("a.de.txt"), "Héllŏ\r\n\r\nýŏû");
    for extension in ["docx", "pptx", "xlsx", "pdf", "png", "jpg", "jpeg"] {
        let name = format!("b.{extension}");
        bench.write(&name, b"\x00\xff any bytes");
        let run = bench.run(["doc", "translate", &name, "--to", "de"]).code(0);
        assert_eq!(std::fs::read(bench.path(&format!("b.de.{extension}"))).unwrap(), b"\x00\xff any bytes");
        let billed = if ["png", "jpg", "jpeg"].contains(&extension) { "0" } else { "50000" };
        assert_eq!(cells(&run)[0][4], billed, "{extension}");
    }
}

#[test]
fn a_pdf_becomes_docx_on_request_and_a_doc_always() {
    let bench = bench();
    bench.write("a.pdf", "%PDF");
    bench.write("b.doc", "old");
    bench.run(["doc", "translate", "a.pdf", "--to", "de", "--output-format", "docx"]).code(0);
    bench.run(["doc", "translate", "b.doc", "--to", "de"]).code(0);
    for name in ["a.de.docx", "b.de.docx"] {
        assert!(std::fs::read(bench.path(name)).unwrap().starts_with(b"PK\x03\x04"), "{name}");
    }
}

#[test]
fn if_newer_translates_changed_files_only() {
    let bench = bench();
    let source = bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--if-newer"]).code(0);
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--if-newer"]).code(0).says("skipped");
    assert_eq!(cells(&run)[0], ["a.txt", "de", "a.de.txt", "", "", "skipped"]);
    assert_eq!(count_successful(&bench, "upload"), 1);
    std::fs::write(&source, "Two").unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    std::fs::File::options().write(true).open(&source).unwrap().set_modified(later).unwrap();
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--if-newer"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "Two");
}

#[test]
fn a_detached_document_is_listed_and_resumed() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    let id = cells(&run)[0][3].clone();
    assert_eq!(cells(&run)[0], ["a.txt", "de", "a.de.txt", &id, "", "uploaded"]);
    assert!(!bench.path("a.de.txt").exists());
    let list = bench.run(["doc", "list", "--columns", "document_id,source,status"]).code(0);
    assert_eq!(list.out(), format!("{id}\ta.txt\tuploaded\n"));
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "One");
    assert_eq!((count_successful(&bench, "upload"), count_successful(&bench, "result")), (1, 1));
    bench.run(["doc", "resume"]).code(0).prints("").says("no unfinished documents");
    bench.run(["doc", "resume", &id]).code(0).says("already finished (done)");
    assert_eq!(bench.run(["doc", "list", "--columns", "status"]).out(), "done\n");
}

#[test]
fn terminals_and_programs_get_the_same_status() {
    let bench = slow();
    bench.write("a.txt", "One");
    bench.run(["doc", "upload", "a.txt", "--to", "de"]).code(0);
    bench.run(["doc", "list", "--columns", "status"]).code(0).prints("uploaded\n");
    bench.on_terminal(80, ["doc", "list", "--columns", "status"]).code(0).prints("STATUS\nuploaded\n");
}

#[test]
fn forgets_several_documents_at_once() {
    let bench = slow();
    bench.write("a.txt", "One");
    let upload = |to: &str| {
        let run = bench.run(["doc", "upload", "a.txt", "--to", to, "--columns", "document_id"]).code(0);
        run.out().trim().to_owned()
    };
    let ids = ["de", "fr", "es"].map(upload);
    bench.run(["doc", "forget", &ids[0], "unknown", "--yes"]).code(4).says("error: unknown document unknown\n");
    bench.run(["doc", "forget", &ids[0], &ids[1]]).code(2).says("error: confirmation required: remove the record of");
    assert_eq!(records(&bench).len(), 3);
    bench
        .run(["doc", "forget", &ids[0], &ids[1], &ids[0], "--yes"])
        .code(0)
        .says(&format!("removed the record of document {}\nremoved the record of document {}\n", ids[0], ids[1]));
    assert_eq!(bench.run(["doc", "list", "--columns", "target_lang"]).out(), "es\n");
}

#[test]
fn forgets_finished_documents_by_age() {
    let bench = bench();
    bench.write("a.txt", "One");
    bench.run(["doc", "forget", "--finished"]).code(0).says("no finished documents to forget\n");
    bench.run(["doc", "translate", "a.txt", "--to", "de,fr"]).code(0);
    bench.run(["doc", "upload", "a.txt", "--to", "es"]).code(0);
    let hour = ["doc", "forget", "--finished", "--older-than", "1h"];
    bench.run(hour).code(0).says("no finished document ended more than 1h ago\n");
    let record = records(&bench).into_iter().find(|record| record["target_lang"] == "de").unwrap();
    let (name, id) = (record["name"].as_str().unwrap(), record["document_id"].as_str().unwrap().to_owned());
    let week_ago = record["updated"].as_u64().unwrap() - 8 * 86_400;
    bench.write(
        &format!(".local/state/tulk/documents/{name}.json"),
        record.to_string().replace(&format!("\"updated\":{}", record["updated"]), &format!("\"updated\":{week_ago}")),
    );
    let forget = ["doc", "forget", "--finished", "--older-than", "7d"];
    let would = format!("would remove the record of document {id}\n");
    bench.run(forget.iter().chain(&["--dry-run"])).code(0).says(&would);
    bench.run(forget).code(0).says(&format!("removed the record of document {id}\n"));
    assert_eq!(bench.run(["doc", "list", "--columns", "target_lang"]).out(), "es\nfr\n");
    bench.run(["doc", "forget", "--finished"]).code(0);
    assert_eq!(bench.run(["doc", "list", "--columns", "target_lang"]).out(), "es\n");
    bench.run(["doc", "forget"]).code(2);
    bench.run(["doc", "forget", &id, "--finished"]).code(2);
    bench.run(["doc", "forget", &id, "--older-than", "7d"]).code(2);
}

#[test]
fn uploads_polls_waits_and_downloads() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--key-out", "key", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    let key = bench.read("key");
    assert_eq!(key.trim().len(), 64);
    assert!(!run.out().contains(key.trim()));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(bench.path("key")).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let status = bench.run(["doc", "status", &id, "--json"]).code(0);
    assert_eq!(status.json(), json!({"document_id": id, "status": "done", "billed_characters": 3}));
    bench.run(["doc", "wait", &id, "--columns", "status,billed_characters"]).code(0).prints("done\t3\n");
    // Another machine has no record, only the key.
    let other_machine = Bench::bare().env("TULK_SERVER", bench.url()).env("TULK_API_KEY", "sandbox");
    other_machine.write("key", &key);
    other_machine.run(["doc", "status", &id]).code(4).says("--document-key-file");
    other_machine.run(["doc", "download", &id, "--document-key-file", "key"]).code(2).says("-o");
    let run = other_machine.pipe(&key, ["doc", "status", &id, "--document-key-file", "-"]).code(0);
    assert!(run.out().starts_with(&id), "{run}");
    other_machine.run(["doc", "download", &id, "--document-key-file", "key", "-o", "got.txt"]).code(0);
    assert_eq!(other_machine.read("got.txt"), "One");
    bench.run(["doc", "status", &id]).code(4);
    bench.run(["doc", "download", &id]).code(4).says("does not have document");
}

#[test]
fn downloads_to_the_planned_path_or_to_another_one() {
    let bench = bench();
    bench.write("a.txt", "One");
    let id = |run: Run| run.code(0).json()["document_id"].as_str().unwrap().to_owned();
    let first = id(bench.run(["doc", "upload", "a.txt", "--to", "de", "--json"]));
    bench.run(["doc", "download", &first, "--columns", "path"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "One");
    let second = id(bench.run(["doc", "upload", "a.txt", "--to", "fr", "--json"]));
    bench.run(["doc", "download", &second, "-o", "-"]).code(0).prints("One");
    assert!(!bench.path("a.fr.txt").exists());
    let third = id(bench.run(["doc", "upload", "a.txt", "--to", "es", "--json"]));
    bench.run(["doc", "download", &third, "-o", "a.de.txt"]).code(2).says("a.de.txt already exists");
    bench.run(["doc", "download", &third, "-o", "a.de.txt", "--force"]).code(0);
}

#[test]
fn an_early_download_is_refused_and_does_not_use_up_the_result() {
    let bench = slow();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    bench.run(["doc", "download", &id]).code(10).says("translating, about 3").says("doc wait");
    bench.run(["doc", "wait", &id, "--max-wait", "1"]).code(10).says("doc wait");
    assert!(!bench.sent().iter().any(|(path, _)| path.ends_with("/result")));
}

#[test]
fn forget_asks_before_removing_an_unfinished_document() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    bench.run(["doc", "forget", &id]).code(2).says("--yes");
    bench.run(["doc", "forget", &id, "--dry-run", "--yes"]).code(0).says("would");
    assert_eq!(records(&bench).len(), 1);
    bench.run(["doc", "forget", &id, "--yes"]).code(0);
    bench.run(["doc", "forget", &id, "--yes"]).code(4);
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    let id = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
    bench.run(["doc", "forget", &id]).code(0);
    assert!(records(&bench).is_empty());
}

#[test]
fn dry_run_prints_the_requests_and_writes_no_files() {
    let bench = bench().without("TULK_API_KEY");
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "-n"]).code(0);
    let lines: Vec<Value> = run.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["body"], json!({"target_lang": "DE", "file": {"file": "a.txt", "bytes": 3}}));
    let url = |n: usize| lines[n]["url"].as_str().unwrap().strip_prefix(bench.url()).unwrap().to_owned();
    assert_eq!(
        (url(0), url(1), url(2)),
        ("/v2/document".into(), "/v2/document/<document_id>".into(), "/v2/document/<document_id>/result".into())
    );
    assert_eq!(lines.len(), 3);
    assert!(bench.sent().is_empty());
    assert!(!bench.path("a.de.txt").exists() && records(&bench).is_empty());
}

#[test]
fn keys_are_never_printed() {
    let bench = bench();
    bench.write("a.txt", "One");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--detach", "-vv"]).code(0);
    let key = records(&bench)[0]["document_key"].as_str().unwrap().to_owned();
    let list = bench.run(["doc", "list", "--json"]).code(0);
    let resumed = bench.run(["doc", "resume", "-vv"]).code(0);
    for run in [run, list, resumed] {
        assert!(!run.stderr.contains(&key) && !run.out().contains(&key), "{run}");
        assert!(!run.stderr.contains("Key sandbox"), "{run}");
    }
}

#[test]
fn profile_defaults_apply_unless_a_flag_has_the_value_none() {
    let bench = bench();
    bench.write(
        ".config/tulk/config.toml",
        "[profiles.default]\ntarget_lang = \"de\"\nformality = \"prefer_less\"\nglossary = [\"5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69\"]\n",
    );
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt"]).code(2).says("config.toml:4").says("--from");
    bench.run(["doc", "translate", "a.txt", "--glossary", "none"]).code(0);
    let form = bench.sent()[0].1.as_str().unwrap().to_owned();
    assert!(form.contains("prefer_less") && !form.contains("glossary"), "{form}");
    assert_eq!(bench.read("a.de.txt"), "One");
}

#[test]
fn a_dry_run_names_every_unsendable_document() {
    let bench = Bench::new();
    for file in ["a.txt", "b.txt", "b.de.txt", "c"] {
        bench.write(file, "hello\n");
    }
    let args = ["doc", "translate", "a.txt", "b.txt", "c", "--to", "de", "--dry-run"];
    let run = bench
        .run(args)
        .code(2)
        .says("b.de.txt already exists")
        .says("the file name has no extension, so the document type is unknown")
        .says("error: 2 of 3 documents failed\n");
    // The requests of a.txt: upload, status and download.
    assert_eq!(run.out().matches("\"POST\"").count(), 3, "{}", run.out());
}

/// A terminal gets text documents without control characters. Other documents are refused before they are sent.
#[test]
#[cfg(unix)]
fn a_terminal_never_gets_a_raw_document() {
    let bench = Bench::new();
    bench.write("a.txt", "a\0b \u{1b}]0;x\u{7}c\n");
    bench.write("b.docx", "PK no document");
    let shown = bench.on_terminal(80, ["doc", "translate", "a.txt", "--to", "de", "-o", "-"]).code(0);
    assert!(shown.out().contains("\\u{0}") && shown.out().contains("\\u{1b}"), "{shown}");
    assert!(!shown.out().contains(['\0', '\u{1b}']), "{shown}");
    let run = bench.on_terminal(80, ["doc", "translate", "b.docx", "--to", "de", "-o", "-"]).code(2);
    run.says("stdout is a terminal").says("--force").prints("");
    let newer = ["doc", "translate", "b.docx", "--to", "de", "-o", "-", "--if-newer"];
    bench.on_terminal(80, newer).code(2).says("stdout is a terminal").prints("");
    assert_eq!(bench.sent().iter().filter(|(request, _)| request == "POST /v2/document").count(), 1);
    bench.run(["doc", "translate", "a.txt", "--to", "de", "-o", "-"]).code(0).says_nothing();
    let uploaded = bench.run(["doc", "upload", "a.txt", "--to", "de", "--columns", "document_id"]).code(0);
    let id = uploaded.out().trim().to_owned();
    bench.run(["doc", "wait", &id]).code(0);
    let shown = bench.on_terminal(80, ["doc", "download", &id, "-o", "-"]).code(0);
    assert!(!shown.out().contains(['\0', '\u{1b}']), "{shown}");
    // Without the record of the upload, tulk does not know the type of the result.
    let upload = ["doc", "upload", "a.txt", "--to", "de", "--key-out", "key", "--columns", "document_id"];
    let uploaded = bench.run(upload).code(0);
    let id = uploaded.out().trim();
    bench.run(["doc", "wait", id]).code(0);
    bench.run(["doc", "forget", id, "--yes"]).code(0);
    let download = ["doc", "download", id, "--document-key-file", "key", "-o", "-"];
    bench.on_terminal(80, download).code(2).says("stdout is a terminal").says("--force").prints("");
    let raw = bench.on_terminal(80, download.into_iter().chain(["--force"])).code(0);
    assert!(raw.out().contains('\0') && raw.out().contains('\u{1b}'), "{raw}");
}

#[test]
#[cfg(unix)]
fn never_prints_nul_on_a_terminal() {
    let bench = Bench::new();
    bench.write("texts", "one\0two\0");
    let shown = bench.on_terminal(80, ["translate", "--to", "de", "--nul", "-i", "texts"]).code(0);
    assert!(!shown.out().contains('\0') && shown.out().contains("\\u{0}"), "{shown}");
}
