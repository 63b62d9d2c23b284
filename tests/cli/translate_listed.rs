//! Results as lists, line endings of results, statistics and hints.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::{Value, json};

use crate::common::Bench;

fn texts(run: &Value) -> Vec<&str> {
    run["translations"].as_array().unwrap().iter().map(|item| item["text"].as_str().unwrap()).collect()
}

#[test]
fn json_includes_blank_entries_unchanged() {
    let bench = Bench::with(&["--engine", "upper"]);
    let args = ["translate", "--to", "de", "--json"];
    let run = bench.pipe("a\n\n \t\r\nb\n", args.iter().chain(&["--lines"])).code(0);
    assert_eq!(texts(&run.json()), ["A", "", " \t", "B"]);
    let run = bench.pipe("a\0\n\0b", args.iter().chain(&["-0"])).code(0);
    assert_eq!(texts(&run.json()), ["A", "\n", "B"]);
    let run = bench.run(args.iter().chain(&["a", "", "  ", "b"])).code(0);
    assert_eq!(texts(&run.json()), ["A", "", "  ", "B"]);
    bench.pipe("", args.iter().chain(&["--lines"])).code(0).prints("{\"translations\":[]}\n");
    let run = bench.pipe("\n", ["translate", "--to", "de,fr", "--json", "--lines"]).code(0);
    assert_eq!(
        run.json(),
        json!([{"target_lang": "de", "translations": [{"text": ""}]}, {"target_lang": "fr", "translations": [{"text": ""}]}])
    );
    let run = bench.pipe("a\n\nb\n", ["translate", "--to", "de", "--lines", "--format", "jsonl"]).code(0);
    let entries = run.out().lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["entry"].clone());
    assert_eq!(entries.collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn json_names_each_input_only_if_there_are_several() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.txt", "a\n");
    bench.write("empty.txt", "");
    let args = ["translate", "--to", "de", "--from", "en", "-i", "a.txt", "-i", "empty.txt"];
    let item = json!({"input": "a.txt", "detected_source_language": "EN", "text": "A"});
    let run = bench.run(args.iter().chain(&["--json"])).code(0);
    assert_eq!(run.json(), json!({"translations": [item, {"input": "empty.txt", "text": ""}]}));
    let line: Value = serde_json::from_slice(&bench.run(args.iter().chain(&["--format", "jsonl"])).stdout).unwrap();
    assert_eq!(
        line,
        json!({"entry": 1, "target_lang": "de", "input": "a.txt", "detected_source_language": "EN", "text": "A"})
    );
    let one = bench.run(["translate", "--to", "de", "-i", "a.txt", "--json"]).code(0);
    assert_eq!(one.json()["translations"][0]["input"], Value::Null);
}

#[test]
fn write_without_a_target_lists_the_language_chosen_by_the_service() {
    let bench = Bench::new();
    let input = "The door is open.\n\nIt is cold.\n";
    let rows = "en-US\tThe door is open.\n\t\nen-US\tIt is cold.\n";
    let write = ["write", "correct", "--lines", "--format"];
    let chosen = bench.pipe(input, write.iter().chain(&["json"])).code(0).json()["improvements"][0].clone();
    let language = chosen["target_language"].as_str().unwrap().to_owned();
    bench.pipe(input, write.iter().chain(&["tsv"])).code(0).prints(rows.replace("en-US", &language));
    let run = bench.pipe(input, write.iter().chain(&["jsonl"])).code(0);
    let first: Value = serde_json::from_str(run.out().lines().next().unwrap()).unwrap();
    assert_eq!((&first["target_lang"], &first["entry"]), (&json!(language), &json!(1)));
    let long = format!("{input}\n").repeat(400);
    let run = bench.pipe(long, ["write", "correct", "--format", "tsv", "--columns", "text,target_lang"]).code(0);
    assert!(run.out().ends_with(&format!("\t{language}\n")) && run.out().lines().count() == 1, "{run}");
    bench
        .pipe(input, ["write", "correct", "--to", "en-GB", "--lines", "--format", "tsv"])
        .code(0)
        .prints(rows.replace("en-US", "en-GB").replace("\n\t\n", "\nen-GB\t\n"));
}

#[test]
fn columns_show_the_fields_of_the_service() {
    let bench = Bench::with(&["--engine", "upper"]);
    let rows = |args: &[&str]| bench.run(["translate", "--to", "de", "--format", "tsv"].iter().chain(args)).code(0);
    rows(&["--columns", "detected_source_language,text", "tea cup", ""]).prints("EN\tTEA CUP\n");
    let all = "billed_characters,model_type_used,target_lang,text,detected_source_language";
    let asks = ["--show-billed-characters", "--model-type", "quality_optimized"];
    rows(&[&asks[..], &["--header", "--columns", all, "tea", "tea cup"]].concat()).prints(
        "billed_characters\tmodel_type_used\ttarget_lang\ttext\tdetected_source_language\n\
         3\tquality_optimized\tde\tTEA\tEN\n7\tquality_optimized\tde\tTEA CUP\tEN\n",
    );
    // A text that was cut reports the sum of its chunks.
    let long = "a word\n".repeat(20_000);
    let args =
        ["translate", "--to", "de,fr", "--show-billed-characters", "--columns", "billed_characters,text,target_lang"];
    let run = bench.pipe(&long, args).code(0);
    let text = "A WORD\\n".repeat(19_999) + "A WORD";
    run.prints(format!("139998\t{text}\tde\n139998\t{text}\tfr\n"));
    let write = ["write", "correct", "--format", "tsv", "--columns"];
    bench.run(write.iter().chain(&["text,detected_source_language", "tea cup"])).code(0).prints("TEA CUP\ten\n");
    bench
        .run(write.iter().chain(&["billed_characters", "tea cup"]))
        .code(2)
        .says("hint: valid columns: target_lang, text, detected_source_language\n");
}

#[test]
fn refuses_a_column_that_would_stay_empty_before_sending() {
    let bench = Bench::with(&["--engine", "upper"]);
    for (column, flag) in [("billed_characters", "--show-billed-characters"), ("model_type_used", "--model-type")] {
        let args = ["translate", "--to", "de,fr", "--columns", column, "Hi"];
        bench.run(args).code(2).prints("").says(&format!(
            "error: --columns {column} needs {flag}\n  hint: add {flag}; without it, the service does not send this field\n"
        ));
    }
    assert!(bench.requests().is_empty());
    bench
        .run(["translate", "--to", "de,fr", "--columns", "model_type_used,text", "--no-check", "Hi"])
        .code(0)
        .prints("\tHI\n\tHI\n");
}

#[test]
fn results_are_shown_as_a_table() {
    let bench = Bench::with(&["--engine", "upper"]);
    let table = ["translate", "--to", "de,fr", "--format", "table"];
    let rows = "TARGET LANG  TEXT\nde           ONE\\tLINE\nfr           ONE\\tLINE\n";
    bench.run(table.iter().chain(&["one\tline"])).code(0).prints(rows);
    bench.on_terminal(80, table.iter().chain(&["one\tline"])).code(0).prints(rows);
    bench
        .pipe("a\n\nb\n", table.iter().chain(&["--lines"]))
        .code(0)
        .prints("TARGET LANG  TEXT\nde           A\nfr           A\nde\nfr\nde           B\nfr           B\n");
    let args = ["--show-billed-characters", "--columns", "billed_characters,text", "tea"];
    let billed = "BILLED CHARACTERS  TEXT\n                3  TEA\n                3  TEA\n";
    bench.run(table.iter().chain(&args)).code(0).prints(billed);
    // Texts are never cut in a table: rows that do not fit are shown as blocks.
    let long = "tea ".repeat(10) + "tea";
    bench.on_terminal(40, table.iter().chain(&[long.as_str()])).code(0).prints(format!(
        "TARGET LANG  de\nTEXT         {0}\n\nTARGET LANG  fr\nTEXT         {0}\n",
        long.to_uppercase()
    ));
    bench.run(table.iter().chain(&["-o", "out.txt", "Hi"])).code(2).says("-o cannot be used with the format `table`");
    bench.run(table.iter().chain(&["--jq", ".", "Hi"])).code(2).says("hint: use --format json or jsonl\n");
    let write = ["write", "correct", "--format", "table"];
    bench.run(write.iter().chain(&["tea"])).code(0).prints("TARGET LANG  TEXT\nen           TEA\n");
    bench.run(write.iter().chain(&["--check", "tea"])).code(1).prints("INPUT\nTEXT 1\n");
    let check = ["write", "correct", "--check", "--format", "tsv", "--header", "--columns"];
    bench.run(check.iter().chain(&["input", "tea"])).code(1).prints("input\nTEXT 1\n");
    let requests = bench.requests().len();
    bench.run(check.iter().chain(&["text", "tea"])).code(2).says("hint: valid columns: input\n");
    assert_eq!(bench.requests().len(), requests);
}

#[test]
fn blank_input_sends_nothing() {
    let bench = Bench::new();
    bench.write("blank.txt", " \n");
    let args = ["translate", "--to", "de", "--from", "en", "--glossary", "Kitchen", "--style", "Brief"];
    for text in ["", "\n", " \t\r\n", "\u{feff}\n"] {
        bench.pipe(text, args).code(0).prints(text);
    }
    bench.run(args.iter().chain(&[""])).code(0).prints("\n");
    bench.run(args.iter().chain(&["-i", "blank.txt"])).code(0).prints(" \n");
    bench.pipe("\0\n\0", args.iter().chain(&["-0"])).code(0).prints("\0\n\0");
    assert!(bench.requests().is_empty());
    bench.pipe(" \n text", args).code(4).says("no glossary named `Kitchen`");
    bench.write("terms.tsv", "pot\tTopf\n");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=terms.tsv"]).code(0);
    let known = ["translate", "--to", "de", "--from", "en", "--glossary", "Kitchen"];
    let long = format!(" \n{}", "a word\n".repeat(20_000));
    bench.pipe(&long, known).code(0).prints(&long);
    bench.pipe(&long, known.iter().chain(&["--lines", "-o", "out.txt"])).code(0);
    assert_eq!(bench.read("out.txt"), long);
}

fn server(text: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let (mut request, mut buffer) = (Vec::new(), [0; 4096]);
            while !request.ends_with(b"}") {
                let read = stream.read(&mut buffer).unwrap();
                request.extend_from_slice(&buffer[..read]);
            }
            let body = json!({"translations": [{"text": text}]}).to_string();
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        }
    });
    url
}

#[test]
fn the_output_ends_in_a_newline_only_if_the_input_does() {
    let url = server("Hallo\r\nWelt\r\n\n");
    let bench = Bench::bare().env("TULK_SERVER", &url).env("TULK_API_KEY", "k");
    let args = ["translate", "--to", "de"];
    bench.pipe("Hello", args).code(0).prints("Hallo\r\nWelt");
    bench.pipe("Hello\n", args).code(0).prints("Hallo\r\nWelt\n");
    bench.pipe("Hello\n", args.iter().chain(&["--lines"])).code(0).prints("Hallo Welt\n");
    bench.pipe("Hello\0", args.iter().chain(&["-0"])).code(0).prints("Hallo\r\nWelt\0");
    bench.run(args.iter().chain(&["Hello"])).code(0).prints("Hallo\r\nWelt\n");
    bench.pipe("Hello", args.iter().chain(&["--format", "tsv"])).code(0).prints("de\tHallo\\r\\nWelt\n");
}

#[test]
fn quiet_keeps_explicitly_requested_output() {
    let bench = Bench::new();
    let args = ["translate", "--to", "de", "-q", "Hi"];
    bench.run(args.iter().chain(&["--stats"])).code(0).says("texts 1, requests 1, characters 2");
    bench.run(args.iter().chain(&["--show-billed-characters"])).code(0).says("billed characters: 2");
    bench.run(args.iter().chain(&["--stats", "--json"])).code(0).says("{\"log\":\"texts 1,");
    assert_eq!(bench.run(["write", "correct", "-q", "-n", "Hi"]).code(0).stderr, "");
}

#[test]
fn a_dry_run_ends_with_a_total_of_what_it_would_send() {
    let bench = Bench::new();
    let totals = "would send: 3 texts, 4 characters, 2 requests\n";
    let run = bench.pipe("a\n\nb\na\n", ["translate", "--to", "de,fr", "--lines", "-n"]).code(0);
    assert_eq!((run.stderr.as_str(), run.out().lines().count()), (totals, 2));
    let run = bench.run(["write", "correct", "-n", "--to", "de", "Ja", "Nein"]).code(0);
    assert_eq!(run.stderr, "would send: 2 texts, 6 characters, 1 request\n");
    bench.run(["translate", "--to", "de", "-n", "--json", "Ja"]).code(0).says("{\"log\":\"would send: 1 text");
    assert!(bench.requests().is_empty());
}

#[test]
fn an_option_without_effect_gets_one_hint() {
    let bench = Bench::new();
    bench.write("a.txt", "a\n");
    for (args, hint) in [
        (&["--context-lines", "2", "Hi"][..], "--context-lines has no effect with TEXT arguments"),
        (&["--force", "Hi"], "--force has no effect without -o"),
        (&["--force", "-o", "-", "Hi"], "--force has no effect without -o"),
        (
            &["--tag-handling", "html", "--splitting-tags", "p", "Hi"],
            "--splitting-tags is for XML and has no effect with",
        ),
        (&["--tag-handling", "html", "--non-splitting-tags", "b", "Hi"], "--non-splitting-tags is for XML"),
        (&["--tag-handling", "html", "--no-outline-detection", "Hi"], "--no-outline-detection is for XML"),
    ] {
        let run = bench.run(["translate", "--to", "de"].iter().chain(args)).code(0);
        assert_eq!(run.stderr.matches("hint: ").count(), 1, "{run}");
        run.says(&format!("hint: {hint}"));
    }
    bench.run(["write", "correct", "--force", "Hi"]).code(0).says("hint: --force has no effect without -o");
    for args in [&["--context-lines", "2", "-i", "a.txt"][..], &["--force", "-o", "b.txt", "Hi"]] {
        bench.run(["translate", "--to", "de"].iter().chain(args)).code(0).says_not("hint");
    }
}
