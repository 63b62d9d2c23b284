//! `-i FILE` without a format flag: the extension decides, or the command says which flag is missing.

use serde_json::json;

use crate::common::Bench;

const MARKDOWN: &str = "# One\n\n```sh\nls one\n```\n\nTwo `code` [three](http://x.example)\n";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

#[test]
fn the_extension_decides_how_a_file_is_read() {
    let bench = upper();
    bench.write("en.json", "{\"greeting\": \"hello\"}\n");
    let run = bench.run(["translate", "--to", "de", "-i", "en.json"]).code(0).prints("{\"greeting\": \"HELLO\"}\n");
    assert_eq!(run.stderr, "reading en.json as json (--as text reads it as plain text)\n");
    bench.write("A.SRT", "1\n00:00:01,000 --> 00:00:02,000\none\n");
    let srt = ["translate", "--to", "de", "-q", "-i", "A.SRT"];
    bench.run(srt).code(0).says_nothing().prints("1\n00:00:01,000 --> 00:00:02,000\nONE\n");
    bench.write(
        "values.xml",
        "<?xml version=\"1.0\"?>\n<!-- a -->\n<!DOCTYPE resources>\n<resources>\n<string name=\"a\">one</string>\n</resources>\n",
    );
    let run = bench
        .run(["translate", "--to", "de", "-i", "values.xml"])
        .code(0)
        .says("reading values.xml as android (--as text reads it as plain text)");
    assert!(run.out().contains("<string name=\"a\">ONE</string>"), "{run}");
}

#[test]
fn flags_override_the_extension_and_stdin_is_plain_text() {
    let bench = upper();
    bench.write("en.json", "{\"greeting\": \"hello\"}\n");
    let translate = |flags: &[&str]| bench.run(["translate", "--to", "de", "-i", "en.json"].iter().chain(flags));
    translate(&["--as", "text"]).code(0).says_nothing().prints("{\"GREETING\": \"HELLO\"}\n");
    translate(&["--lines"]).code(0).says_nothing().prints("{\"GREETING\": \"HELLO\"}\n");
    translate(&["--nul"]).code(0).says_nothing().prints("{\"GREETING\": \"HELLO\"}\n");
    bench.pipe("{\"a\": \"b\"}\n", ["translate", "--to", "de"]).code(0).says_nothing().prints("{\"A\": \"B\"}\n");
    let stdin = ["translate", "--to", "de", "--as", "text", "-i", "-"];
    bench.pipe("{\"a\": \"b\"}\n", stdin).code(0).prints("{\"A\": \"B\"}\n");
}

#[test]
fn each_of_several_files_has_its_own_format() {
    let bench = upper();
    bench.write("en.json", "{\"a\": \"one & <two>\"}\n");
    bench.write("guide.md", MARKDOWN);
    bench.write("note.txt", "three & <four>\n");
    let files = ["translate", "--to", "de", "-i", "en.json", "-i", "guide.md", "-i", "note.txt"];
    let said = "reading en.json as json, guide.md as markdown (--as text reads them as plain text)\n";
    let run = bench.run(files.iter().chain(&["-o", "{stem}.{lang}{ext}"])).code(0);
    assert_eq!(run.stderr, said);
    assert_eq!(bench.read("en.de.json"), "{\"a\": \"ONE & <TWO>\"}\n");
    assert_eq!(bench.read("guide.de.md"), "# ONE\n\n```sh\nls one\n```\n\nTWO `code` [THREE](http://x.example)\n");
    assert_eq!(bench.read("note.de.txt"), "THREE & <FOUR>\n");
    let all = ["en.de.json", "guide.de.md", "note.de.txt"].map(|file| bench.read(file)).concat();
    bench.run(files).code(0).prints(all);
    let lines = bench.run(files.iter().chain(&["--format", "jsonl", "-q"])).code(0);
    assert_eq!(lines.out().lines().count(), 4, "{lines}");
    let refused = "en.json and guide.md have different formats and cannot be listed in one result";
    for listed in ["--json", "--format=table", "--format=tsv --header"] {
        let flags = listed.split(' ');
        bench.run(files.iter().copied().chain(flags)).code(2).prints("").says(refused).says("--format jsonl");
    }
    bench.run(["translate", "--to", "de", "-i", "en.json", "-i", "en.json"]).code(0);
    bench.run(files.iter().chain(&["--in-place"])).code(0);
    assert_eq!(bench.read("note.txt"), "THREE & <FOUR>\n");
}

#[test]
fn tables_and_json_lines_need_columns_and_fields() {
    let bench = upper();
    bench.write("a.csv", "id,text,\"last, not least\"\n1,one,two\n");
    bench.write("a.tsv", "id\ttext\n1\tone\n");
    bench.write("a.jsonl", "{\"id\":1,\"text\":\"one\",\"a/b\":\"two\"}\n");
    let translate = |args: &[&str]| bench.run(["translate", "--to", "de"].iter().chain(args));
    let csv = "error: a.csv:1:1: no column is selected\n  hint: select the texts with --column; columns: `id`, `text`, \
               `last, not least`; use --as text for plain text\n";
    translate(&["-i", "a.csv"]).code(2).prints("").says(csv);
    translate(&["-i", "a.csv", "--no-header-row"]).code(2).says("columns are numbered from 1 to 3;");
    translate(&["-i", "a.tsv"]).code(2).says("a.tsv:1:1: no column is selected").says("columns: `id`, `text`;");
    bench.write("b.csv", "id;text\n1;one\n");
    translate(&["-i", "b.csv"]).code(2).says("the table has a different delimiter; use --csv --delimiter ';'");
    translate(&["-i", "a.jsonl"]).code(2).says("a.jsonl:1:1: no field is selected").says("line 1 are /a~1b, /text;");
    translate(&["-i", "none.csv"]).code(2).says("cannot read none.csv: No such file");
    translate(&["-i", "a.jsonl", "--column", "text"]).code(2).says("name fields of JSON lines with --field");
    translate(&["--as", "csv", "-i", "a.tsv"]).code(2).says("use --tsv");
    assert_eq!(bench.requests().len(), 0);
    translate(&["-i", "a.csv", "--column", "text"]).code(0).prints("id,text,\"last, not least\"\n1,ONE,two\n");
    translate(&["-i", "a.tsv", "--column", "text"]).code(0).prints("id\ttext\n1\tONE\n");
    translate(&["-i", "a.jsonl", "--field", "/text", "--append"])
        .code(0)
        .prints("{\"id\":1,\"text\":\"one\",\"text_de\":\"ONE\",\"a/b\":\"two\"}\n");
    translate(&["--as", "csv", "--column", "text", "-i", "a.csv"]).code(0).says_nothing();
    translate(&["--as", "text", "-i", "a.tsv"]).code(0).prints("ID\tTEXT\n1\tONE\n");
}

#[test]
fn accepts_flags_of_the_format_implied_by_the_extension() {
    let bench = upper();
    bench.write("a.md", "---\ntitle: one\n---\n\ntwo\n");
    let front = ["translate", "--to", "de", "--front-matter", "title", "-i", "a.md"];
    bench.run(front).code(0).prints("---\ntitle: ONE\n---\n\nTWO\n");
    bench.write("a.json", "{\"a\": \"one {{count}}\"}\n");
    let dialect = ["translate", "--to", "de", "--dialect", "i18next", "-i", "a.json"];
    bench.run(dialect).code(0).prints("{\"a\": \"ONE {{count}}\"}\n");
    bench.write("a.txt", "one\n");
    let wrong = ["translate", "--to", "de", "--front-matter", "title", "-i", "a.txt"];
    bench.run(wrong).code(2).says("--front-matter needs --as markdown");
    bench.write("a.csv", "text\none\n");
    let mixed = ["translate", "--to", "de", "--column", "text", "--append", "-i", "a.csv", "-i", "a.txt"];
    bench.run(mixed).code(2).says("--append needs --csv, --tsv or --jsonl");
}

#[test]
fn other_markup_and_code_files_are_plain_text_with_a_hint() {
    let bench = upper();
    for (file, text, hint) in [
        ("a.html", "<p>one</p>\n", "a.html is read as plain text; --tag-handling html keeps its tags"),
        ("a.xml", "<a>one</a>\n", "a.xml is read as plain text; --tag-handling xml keeps its tags"),
        ("a.php", "<?php return [];\n", "a.php is read as plain text; --as php keeps its keys and placeholders"),
        ("a.mdx", "one\n", "a.mdx is read as plain text; --as markdown keeps its code and links"),
    ] {
        bench.write(file, text);
        let run = bench.run(["translate", "--to", "de", "-i", file]).code(0);
        assert_eq!(run.stderr, format!("hint: {hint}\n"));
    }
    bench.write("en.json", "{}\n");
    let tags = ["translate", "--to", "de", "--tag-handling", "html", "-i", "en.json"];
    bench.run(tags).code(2).says("en.json sends texts as XML with its own tags and cannot be used with --tag-handling");
    bench.run(["translate", "--to", "de", "--tag-handling", "html", "-i", "a.html"]).code(0).says_nothing();
    bench.run(["translate", "--to", "de", "--as", "text", "-i", "a.php"]).code(0).says_nothing();
}

#[test]
fn a_structured_input_needs_a_file_per_target() {
    let bench = upper();
    bench.write("en.json", "{\"a\": \"one\"}\n");
    bench.write("a.csv", "text\none\n");
    let translate = |args: &[&str]| bench.run(["translate", "--to", "de,fr"].iter().chain(args));
    let as_json = "error: --as json to stdout supports one target language, but 2 were given\n  \
                   hint: write a file for each with -o '{stem}.{lang}{ext}'\n";
    assert_eq!(translate(&["--as", "json", "-i", "en.json"]).code(2).prints("").stderr, as_json);
    translate(&["-i", "en.json"]).code(2).prints("").says("en.json to stdout supports one target language");
    let srt = ["translate", "--to", "de,fr", "--as", "srt"];
    bench.pipe("1\n00:00:01,000 --> 00:00:02,000\none\n", srt).code(2).prints("");
    bench.pipe("one\n", ["translate", "--to", "de,fr", "--as", "markdown"]).code(2).prints("");
    let csv =
        "hint: add a column or field for each with --append, or write a file for each with -o '{stem}.{lang}{ext}'";
    translate(&["--csv", "--column", "text", "-i", "a.csv"]).code(2).prints("").says(csv);
    bench.pipe("{\"a\":\"b\"}\n", ["translate", "--to", "de,fr", "--jsonl", "--field", "/a"]).code(2).says(csv);
    assert_eq!(bench.requests().len(), 0);
    translate(&["--csv", "--column", "text", "--append", "-i", "a.csv"])
        .code(0)
        .prints("text,text_de,text_fr\none,ONE,ONE\n");
    translate(&["-i", "en.json", "--format", "tsv"]).code(0).prints("de\tONE\nfr\tONE\n");
    translate(&["-i", "en.json", "--format", "jsonl"]).code(0);
    translate(&["-i", "en.json", "--json"]).code(0);
    translate(&["-i", "en.json", "-o", "{lang}{ext}"]).code(0);
    assert_eq!(bench.read("fr.json"), "{\"a\": \"ONE\"}\n");
}

#[test]
fn resumes_with_or_without_the_flag_implied_by_the_extension() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "500;path=/v2/translate;after=1;total=1"]);
    bench.write("a.md", "one\n");
    bench.write("b.md", "two\n");
    let args = ["translate", "--to", "de", "-i", "a.md", "-i", "b.md", "-o", "{stem}.{lang}{ext}", "--retries", "0"];
    bench.run(args).code(9);
    bench.run(args.iter().chain(&["--resume", "--as", "markdown"])).code(0);
    assert_eq!([bench.read("a.de.md"), bench.read("b.de.md")], ["ONE\n", "TWO\n"]);
    let sent: Vec<_> = bench.requests().iter().map(|request| request["body"]["text"].clone()).collect();
    assert_eq!(sent, [json!(["one"]), json!(["two"]), json!(["two"])]);
}

#[test]
fn a_text_that_names_an_existing_file_gets_a_hint() {
    let bench = upper();
    bench.write("a.txt", "one\n");
    bench.write("dir/a", "one\n");
    bench.write("plain", "one\n");
    let run = bench.run(["translate", "--to", "de", "a.txt"]).code(0).prints("A.TXT\n");
    assert_eq!(run.stderr, "hint: a.txt is a file here; -i a.txt translates its content\n");
    bench
        .run(["translate", "--to", "de", "hello", "dir/a"])
        .says("hint: dir/a is a file here; -i dir/a translates its content");
    bench.run(["translate", "--to", "de", "plain"]).code(0).says_nothing();
    bench.run(["translate", "--to", "de", "./none.txt"]).code(0).says_nothing();
    bench.run(["translate", "--to", "de", "dir/"]).code(0).says_nothing();
    bench.write("-x.txt", "one\n");
    bench.run(["translate", "--to", "de", "--", "-x.txt"]).says("-x.txt is a file here; -i ./-x.txt translates");
    bench.run(["write", "correct", "a.txt"]).says("hint: a.txt is a file here; -i a.txt corrects its content");
    bench.run(["write", "rephrase", "a.txt"]).says("hint: a.txt is a file here; -i a.txt rephrases its content");
}
