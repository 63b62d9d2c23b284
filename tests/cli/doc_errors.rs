//! Failures of documents: messages and exit codes.

use crate::common::Bench;
use crate::doc::{bench, count_successful, records, slow, with};

#[test]
fn refuses_wrong_options_before_sending() {
    let bench = bench();
    bench.write("a", "x");
    bench.write("a.txt", "x");
    bench.run(["doc", "translate", "a", "--to", "de"]).code(2).says("a: the file name has no extension").says("docx");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--output-format", "docx"]).code(2).says("only a PDF");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "--glossary", "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69"])
        .code(2)
        .says("--from");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "--translation-memory-threshold", "101"])
        .code(2)
        .says("between 0 and 100");
    bench.run(["doc", "translate", "a.txt"]).code(2).says("--to");
    bench.run(["doc", "translate", "missing.txt", "--to", "de"]).code(2).says("missing.txt");
    bench.run(["doc", "translate", ".", "--to", "de", "--glob", "*.new"]).code(2);
    for command in ["upload a.txt -o -", "translate a.txt --detach -o -"] {
        bench
            .run(format!("doc {command} --to de").split(' '))
            .code(2)
            .says("a.txt: the result cannot go to stdout, because this command does not wait for it\n")
            .says("hint: pass a file with -o, or download the result later with `tulk doc download ID -o -`\n");
    }
    assert!(bench.sent().is_empty());
    bench.run(["doc", "translate", "a", "--to", "de", "--no-check"]).code(5).says("not supported");
    assert!(records(&bench).is_empty(), "a refused upload leaves no record");
}

#[test]
fn the_service_refuses_unsupported_options_and_tulk_adds_a_hint() {
    let bench = bench();
    bench.write("a.txt", "x");
    bench
        .run(["doc", "translate", "a.txt", "--from", "de", "--to", "en-US", "--formality", "more"])
        .code(5)
        .says("prefer_more");
    let unknown = bench.run(["doc", "translate", "a.txt", "--to", "xx"]).code(5);
    unknown.says("hint: `tulk langs list --resource translate_document --target` lists the supported languages\n");
    bench
        .run([
            "doc",
            "translate",
            "a.txt",
            "--from",
            "en",
            "--to",
            "de",
            "--glossary",
            "5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69",
        ])
        .code(4)
        .says("hint: each data center has its own glossaries, ");
    bench.run(["doc", "translate", "a.txt", "--from", "de", "--to", "de"]).code(5).says("equal");
    bench.run(["doc", "translate", "a.txt", "--to", "tlh"]).code(5).says("target_lang");
}

#[test]
fn looks_up_a_glossary_name_once() {
    let bench = bench();
    bench.write("k.tsv", "cup\tTasse\n");
    for name in ["Kitchen", "Tea", "Tea"] {
        bench.run(["glossary", "create", name, "--dictionary", "en:de=k.tsv", "--wait", "--no-check"]).code(0);
    }
    for name in ["a.txt", "b.txt"] {
        bench.write(name, name);
    }
    let translate = ["doc", "translate", "a.txt", "b.txt", "--from", "en", "--to", "de", "--glossary"];
    let with = |name: &'static str| translate.into_iter().chain([name]);
    bench.run(with("Tea")).code(2).says("2 glossaries are named `Tea`");
    bench.run(with("Kitchn")).code(4).says("did you mean `Kitchen`?");
    assert_eq!(count_successful(&bench, "upload"), 0);
    let before = bench.sent().len();
    bench.run(with("Kitchen")).code(0);
    let looked_up = bench.sent().iter().skip(before).filter(|(path, _)| path == "GET /v3/glossaries").count();
    assert_eq!(looked_up, 1, "one lookup for all documents");
    let all = bench.run(["glossary", "list", "--columns", "glossary_id,name"]).code(0);
    let id = all.out().lines().find_map(|line| line.strip_suffix("\tKitchen")).expect("its row").to_owned();
    let uploads = bench.sent().into_iter().filter(|(path, _)| path == "POST /v2/document");
    let forms: Vec<String> = uploads.map(|(_, body)| body.to_string()).collect();
    assert_eq!(forms.len(), 2);
    assert!(forms.iter().all(|form| form.contains(&id)), "{forms:?}");
}

#[test]
fn quotes_the_reason_of_a_failed_document() {
    let bench = with(&["--fault", "document-error"]);
    bench.write("a.txt", "x");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--json"]).code(5).says("This fault was requested");
    let error: serde_json::Value = serde_json::from_str(run.stderr.lines().next().unwrap()).unwrap();
    assert_eq!(error["error"]["kind"], "refused");
    assert!(!bench.path("a.de.txt").exists());
    assert_eq!(bench.run(["doc", "list", "--columns", "status"]).out(), "failed\n");
    // A failed document is not resumed, but can be uploaded again.
    bench.run(["doc", "resume"]).code(0);
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(5);
    assert_eq!(count_successful(&bench, "upload"), 2);
}

#[test]
fn an_empty_document_is_refused_before_the_upload() {
    let bench = bench();
    bench.write("a.txt", "");
    for command in ["translate", "upload"] {
        let document = ["doc", command, "a.txt", "--to", "de"];
        bench.run(document).code(2).prints("").says("error: a.txt is empty\n  hint: --no-check sends it anyway\n");
        let from_stdin = ["doc", command, "-", "--filename", "a.txt", "--to", "de", "-o", "b.txt"];
        for dry_run in [&[][..], &["--dry-run"]] {
            let run = bench.pipe("", from_stdin.iter().chain(dry_run)).code(2).prints("");
            run.says("error: stdin is empty\n  hint: --no-check sends it anyway\n");
        }
    }
    assert!(bench.sent().is_empty() && records(&bench).is_empty());
    let left = std::fs::read_dir(bench.path(".local/state/tulk/documents")).unwrap().map(|file| file.unwrap().path());
    assert_eq!(left.filter(|file| !file.ends_with("store.lock")).collect::<Vec<_>>(), Vec::<std::path::PathBuf>::new());
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--no-check"]).code(5).says("The file is empty");
}

#[test]
fn reports_a_directory_in_place_of_a_file() {
    let bench = bench();
    std::fs::create_dir(bench.path("my texts")).unwrap();
    bench.write("my texts/a.txt", "One");
    bench
        .run(["doc", "upload", "my texts", "--to", "de"])
        .code(2)
        .says("error: cannot read my texts: it is a directory\n")
        .says("  hint: pass the files in it: `tulk doc upload 'my texts/'* --to de`\n");
    bench.bash("tulk doc upload 'my texts/'* --to de").code(0);
    let file = ["api", "POST", "/v2/document", "--form", "-F", "file=@my texts", "-F", "target_lang=DE"];
    bench.run(file).code(2).says("error: cannot read my texts: it is a directory\n  hint: pass a file in it\n");
    bench.run(["voice", "stream", "my texts", "--to", "de"]).code(2).says("  hint: pass a file in it\n");
    assert_eq!(count_successful(&bench, "upload"), 1);
}

#[test]
fn a_broken_file_fails_with_the_services_reason() {
    let bench = bench();
    bench.write("b.srt", "no subtitles");
    bench.run(["doc", "translate", "b.srt", "--to", "de"]).code(5).says("Line 1");
    bench.write("c.txt", b"\xff");
    bench.run(["doc", "translate", "c.txt", "--to", "de"]).code(5).says("UTF-8");
}

#[test]
fn one_bad_file_of_many_does_not_stop_the_rest() {
    let bench = bench();
    for name in ["a.txt", "b.txt", "bad.new"] {
        bench.write(name, name);
    }
    bench.write("empty.txt", "");
    let run =
        bench.run(["doc", "translate", "a.txt", "bad.new", "empty.txt", "gone.txt", "b.txt", "--to", "de"]).code(9);
    let run = run.says("bad.new (de)").says("empty.txt (de)").says("gone.txt (de)").says("2 of 5 documents are done");
    let run = run.says("  bad.new    de  failed").says("  a.txt      de  done").says("3 of 5 documents failed");
    assert_eq!(run.out().lines().count(), 2);
    assert_eq!((bench.read("a.de.txt"), bench.read("b.de.txt")), ("a.txt".into(), "b.txt".into()));
    bench.run(["doc", "translate", "bad.new", "bad.new", "--to", "fr,es", "--out-dir", "x"]).code(2).says("same path");
    bench.run(["doc", "translate", "missing.txt", "gone.txt", "--to", "fr"]).code(2);
}

#[test]
fn checks_paths_before_the_upload() {
    let bench = bench();
    bench.write("a.txt", "x");
    bench.write("a.de.txt", "old");
    bench.write("file", "");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(2).says("a.de.txt already exists").says("--force");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "-o", "file/x.txt"])
        .code(2)
        .says("cannot create directory file");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de,fr", "-o", "one.txt"])
        .code(2)
        .says("two results have the same path: one.txt");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "-o", "a.txt", "--force"])
        .code(2)
        .says("a.txt is both an input and an output");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "-o", "x-{nope}"]).code(2).says("{nope}");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "-o", "/proc/nothing/x.txt"]).code(2);
    assert!(bench.sent().is_empty());
    assert!(records(&bench).is_empty());
    assert_eq!(bench.read("a.de.txt"), "old");
    bench.run(["doc", "translate", "a.txt", "--to", "de", "--force"]).code(0);
    assert_eq!(bench.read("a.de.txt"), "x");
}

#[test]
fn a_wrong_key_or_exhausted_quota_stops_the_run() {
    let bench = bench();
    let names: Vec<String> = (0..20).map(|n| format!("f{n}.txt")).collect();
    for name in &names {
        bench.write(name, "some words");
    }
    let args =
        || ["doc", "translate", "--to", "de", "--concurrency", "1"].map(str::to_owned).into_iter().chain(names.clone());
    let wrong = bench.env("TULK_API_KEY", "wrong");
    wrong.run(args()).code(3).says("not started");
    assert_eq!(wrong.sent().len(), 1, "nothing is sent after a 403");
    let bench = with(&["--character-limit", "25"]);
    for name in &names {
        bench.write(name, "some words");
    }
    let run = bench.run(args()).code(9).says("Quota").says("not started");
    // The service refused the upload, so it does not have the document.
    run.says("  failed\n").says_not("in doubt");
    assert_eq!(count_successful(&bench, "upload"), 2);
    assert_eq!(bench.run(["doc", "translate", "f9.txt", "--to", "fr"]).code(6).out(), "");
}

#[test]
fn prints_the_reason_that_stops_a_run_once() {
    let names: Vec<String> = (0..20).map(|n| format!("f{n}.txt")).collect();
    let args =
        || ["doc", "translate", "--to", "de", "--concurrency", "8"].map(str::to_owned).into_iter().chain(names.clone());
    let quota = || with(&["--character-limit", "1", "--latency", "50ms"]);
    let key = || with(&["--latency", "50ms"]).env("TULK_API_KEY", "wrong");
    let cases: [(&dyn Fn() -> Bench, &str, i32); 2] =
        [(&quota, "Quota for this", 6), (&key, "Authorization failure", 3)];
    for (bench, reason, code) in cases {
        let bench = bench();
        for name in &names {
            bench.write(name, "some words");
        }
        let run = bench.run(args()).code(code);
        assert_eq!(run.stderr.matches(reason).count(), 1, "{run}");
        assert_eq!(run.stderr.matches("  not started\n").count(), 19, "{run}");
        run.says("error: 1 of 20 documents failed, 19 not started\n");
        assert!(records(&bench).is_empty());
    }
}

#[test]
fn reports_unknown_ids_and_wrong_document_keys() {
    let bench = bench();
    bench.write("a.txt", "x");
    bench.write("key", "0000\n");
    bench.write("no-key", "two words\n");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    for subcommand in ["status", "wait", "download"] {
        bench.run(["doc", subcommand, "NOSUCH"]).code(4).says("NOSUCH");
        bench
            .run(["doc", subcommand, &id, "--document-key-file", "no-key"])
            .code(2)
            .says("does not contain a document key");
        let mut args = vec!["doc", subcommand, &id, "--document-key-file", "key"];
        args.extend(if subcommand == "download" { vec!["-o", "x.txt"] } else { vec![] });
        bench.run(args).code(4).says("ID or key is wrong");
    }
    bench.run(["doc", "resume", "NOSUCH"]).code(4);
    assert!(!bench.path("x.txt").exists());
    assert_eq!(records(&bench).len(), 1, "an unknown document leaves no record");
    bench.run(["doc", "status", "../x"]).code(4);
}

#[test]
fn after_max_wait_the_error_prints_the_command_that_resumes() {
    let bench = slow();
    bench.write("a.txt", "x");
    let run = bench.run(["doc", "translate", "a.txt", "--to", "de", "--max-wait", "1"]).code(10);
    let id = records(&bench)[0]["document_id"].as_str().unwrap().to_owned();
    run.says(&format!("tulk doc resume {id}"));
    bench.run(["doc", "resume", "--max-wait", "1"]).code(10);
    assert_eq!(count_successful(&bench, "upload"), 1);
}

#[cfg(unix)]
#[test]
#[ignore = "long; .ci/run includes it"]
fn a_result_above_the_file_size_limit_stays_on_the_service() {
    let bench = bench();
    bench.write("a.docx", vec![7u8; 20_000_000]);
    // Files over 100 KiB cannot be written; only the result is that large.
    let run = bench.bash("ulimit -f 100; exec tulk doc translate a.docx --to de");
    let run = run.code(70).says("cannot write").says("a.de.docx.part").says("the service still has the result: ");
    let run = run.says("`ulimit -f unlimited`").says("doc resume");
    assert!(!bench.path("a.de.docx").exists(), "{run}");
    bench.run(["doc", "resume"]).code(0);
    assert_eq!(std::fs::read(bench.path("a.de.docx")).unwrap().len(), 20_000_000);
    assert!(!bench.path("a.de.docx.part").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn keeps_and_names_a_result_that_stdout_cannot_take() {
    let bench = bench();
    bench.write("a.txt", "the words");
    let run = bench.bash("tulk doc translate - --filename a.txt --to de < a.txt > /dev/full").code(70);
    let at = run.stderr.find("the complete result is in ").expect("the path is named");
    let path = run.stderr[at + "the complete result is in ".len()..].split([';', '\n']).next().unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), "the words");
    bench
        .run(["doc", "translate", "a.txt", "--to", "de", "-o", "/dev/full"])
        .code(70)
        .says("the complete result is in");
}

#[test]
fn names_the_other_server_of_a_document() {
    let bench = bench();
    bench.write("a.txt", "x");
    let run = bench.run(["doc", "upload", "a.txt", "--to", "de", "--json"]).code(0);
    let id = run.json()["document_id"].as_str().unwrap().to_owned();
    let other = bench.serve(&[]);
    bench.run(["doc", "status", &id, "--server", &other.url]).code(2).says("add --server");
    bench.run(["doc", "resume", "--server", &other.url]).code(0).says("1 unfinished on");
    assert!(other.requests().is_empty());
}

#[test]
fn the_embedded_sandbox_translates_documents() {
    let bench = Bench::bare().env("TULK_SANDBOX_DOCUMENT_TRANSLATE", "0");
    bench.write("a.txt", "x");
    bench.run(["--sandbox", "doc", "translate", "a.txt", "--to", "de", "--detach"]).code(0);
    assert_eq!(records(&bench)[0]["server"], "sandbox");
    bench.run(["--sandbox", "doc", "resume"]).code(0);
    assert!(bench.path("a.de.txt").exists());
}
