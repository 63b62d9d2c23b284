//! `tulk translate --jsonl`: fields, bytes that are kept, refusals, listings.

use serde_json::{Value, json};

use crate::common::Bench;
use crate::common::tools::has;

const TRANSLATE: [&str; 6] = ["translate", "--to", "de", "--jsonl", "--field", "/title"];

fn texts(bench: &Bench) -> Vec<String> {
    let list = |r: &Value| -> Vec<String> { serde_json::from_value(r["body"]["text"].clone()).unwrap() };
    bench.requests().iter().filter(|r| r["path"] == "/v2/translate").flat_map(list).collect()
}

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    TRANSLATE.iter().chain(more).copied().collect()
}

#[test]
fn changes_only_the_values_of_the_named_fields() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = concat!(
        "\u{feff}{\"id\": 12345678901234567890, \"price\": 1.10, \"title\": \" one \", \"big\": 1e400}\r\n",
        "\r\n",
        "{\"title\":\"caf\\u00e9 \\ud83d\\ude00\",\"note\":\"\\u0061\\/\\ud800\",\"id\":-0.0}\n",
        "  {\"title\":null ,\t\"x\":[ ]}  \n",
        "{\"title\":\"a\\\"b\\\\\\u0001\",\"body\":{\"text\":[\"x\",\"two\"]}}",
    );
    let expected = concat!(
        "\u{feff}{\"id\": 12345678901234567890, \"price\": 1.10, \"title\": \" ONE \", \"big\": 1e400}\r\n",
        "\r\n",
        "{\"title\":\"CAF\\u00c9 \\ud83d\\ude00\",\"note\":\"\\u0061\\/\\ud800\",\"id\":-0.0}\n",
        "  {\"title\":null ,\t\"x\":[ ]}  \n",
        "{\"title\":\"A\\\"B\\\\\\u0001\",\"body\":{\"text\":[\"x\",\"TWO\"]}}",
    );
    bench.pipe(input, with(&["--field", "/body/text/1"])).code(0).prints(expected).says_nothing();
    assert_eq!(texts(&bench), ["one", "café 😀", "a\"b\\\u{1}", "two"]);
    Bench::new().pipe(input, with(&["--field", "/body/text/1"])).code(0).prints(input);
}

#[test]
fn translates_the_last_of_duplicate_members() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "{\"title\":\"first\",\"title\":\"last\"}\n";
    bench.pipe(input, TRANSLATE).code(0).prints("{\"title\":\"first\",\"title\":\"LAST\"}\n");
}

#[test]
fn keeps_line_endings_inside_a_value() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.pipe("{\"title\":\"a\\r\\nb\\r\\n\"}\n", TRANSLATE).code(0).prints("{\"title\":\"A\\r\\nB\\r\\n\"}\n");
    assert_eq!(texts(&bench), ["a\nb"]);
}

#[test]
fn append_adds_a_member_after_its_source() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "{\"id\": 1, \"title\": \"one\", \"n\": 2}\n{\"title\":\"\"}\n{\"id\":3}\n{\"title\":\"two\\n\"}\n";
    let expected = concat!(
        "{\"id\": 1, \"title\": \"one\", \"title_de\": \"ONE\", \"title_pt-BR\": \"ONE\", \"n\": 2}\n",
        "{\"title\":\"\",\"title_de\":\"\",\"title_pt-BR\":\"\"}\n",
        "{\"id\":3}\n",
        "{\"title\":\"two\\n\",\"title_de\":\"TWO\\n\",\"title_pt-BR\":\"TWO\\n\"}\n",
    );
    bench.pipe(input, with(&["--to", "pt_br", "--append"])).code(0).prints(expected);
    bench.write("in.jsonl", input);
    bench.run(with(&["--to", "pt-br", "--append", "-i", "in.jsonl", "--in-place"])).code(0);
    assert_eq!(bench.read("in.jsonl"), expected);
    let again = bench.run(with(&["--append", "-i", "in.jsonl"])).code(2).prints("");
    again.says("in.jsonl:1:39: the field /title_de, which --append would add, already exists");
}

#[test]
fn append_is_refused_where_no_member_can_be_added() {
    let bench = Bench::new();
    bench.write("in.jsonl", "{\"title\":\"x\",\"tags\":[\"a\",\"b\"]}\n");
    let run = bench.run(with(&["--field", "/tags/1", "--append", "-i", "in.jsonl"])).code(2).prints("");
    run.says("in.jsonl:1:26: --append needs a member of an object; /tags/1 is an item of an array");
    bench
        .run(with(&["--field", "/title_de", "--append", "-i", "in.jsonl"]))
        .code(2)
        .says("--append adds /title_de, which is a field to translate");
    assert!(bench.requests().is_empty());
}

#[test]
fn refuses_an_invalid_pointer() {
    let bench = Bench::new();
    let run = |field: &str| bench.pipe("{}", ["translate", "--to", "de", "--jsonl", "--field", field]).code(2);
    run("title").says("--field `title` is not a JSON pointer").says("did you mean /title?");
    run(".a.b").says("did you mean /a/b?");
    run("/a~b").says("--field `/a~b` has a `~` that is not `~0` or `~1`");
    run("/a,/a").says("--field /a is given twice");
    bench.pipe("{}", ["translate", "--to", "de", "--jsonl"]).code(2).says("--field");
    bench.pipe("{}", ["translate", "--to", "de", "--field", "/a"]).code(2).says("--jsonl");
    bench.run(with(&["text"])).code(2).says("--jsonl cannot be used with TEXT arguments");
    assert!(bench.requests().is_empty());
}

#[test]
fn refuses_a_field_missing_from_every_line() {
    let bench = Bench::new();
    bench.write("in.jsonl", "{\"id\":1,\"title\":\"x\"}\n{\"title\":\"y\",\"sub\":{\"name\":\"z\"}}\n");
    let run = bench.run(["translate", "--to", "de", "--jsonl", "--field", "/titel", "-i", "in.jsonl"]).code(2);
    run.prints("").says("in.jsonl: no line has the field /titel").says("did you mean `/title`?");
    let run = bench.run(with(&["--field", "/sub/nam", "-i", "in.jsonl"])).code(2).prints("");
    run.says("in.jsonl: no line has the field /sub/nam").says("the strings of line 1 are /title");
    assert!(bench.requests().is_empty());
    bench.pipe("{\"id\":1}\n", TRANSLATE).code(2).says("stdin: no line has the field /title");
    assert!(bench.requests().is_empty());
    let bench = Bench::new();
    for blank in ["", "\n", "{\"title\":null}\n", "{\"title\":\" \"}\n"] {
        bench.pipe(blank, TRANSLATE).code(0).prints(blank);
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn refuses_a_file_with_a_bad_line_before_sending() {
    let bench = Bench::new();
    for (line, message) in [
        ("{\"é\":1,\"title\":\"x\",}", "in.jsonl:2:20: invalid JSON: trailing comma"),
        ("{\"title\":\"x\"", "in.jsonl:2:13: invalid JSON: the line ends within an object"),
        ("{\"title\":12}", "in.jsonl:2:10: the field /title is a number, not a string"),
        ("{\"title\":\"é\\udead\"}", "in.jsonl:2:12: the field /title has half of a surrogate pair"),
        ("\"title\"", "in.jsonl:2:1: the line is a string, not an object"),
    ] {
        bench.write("in.jsonl", format!("{{\"title\":\"one\"}}\n{line}\n{{\"title\":\"two\"}}\n"));
        bench.run(with(&["-i", "in.jsonl"])).code(2).prints("").says(message);
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn listings_name_the_line_and_the_field() {
    let bench = Bench::with(&["--engine", "upper"]);
    let input = "{\"title\":\"one\",\"by\":{\"a\":\"me\"}}\n\n{\"title\":\" \",\"by\":{\"a\":\"you\"}}\n";
    let args = with(&["--from", "en", "--field", "/by/a"]);
    let run = bench.pipe(input, args.iter().chain(&["--json"])).code(0);
    let item = |line: u64, field: &str, text: &str| json!({"line": line, "field": field, "detected_source_language": "EN", "text": text});
    assert_eq!(
        run.json(),
        json!({"translations": [
            item(1, "/title", "ONE"),
            item(1, "/by/a", "ME"),
            {"line": 3, "field": "/title", "text": " "},
            item(3, "/by/a", "YOU"),
        ]})
    );
    let run = bench.pipe(input, args.iter().chain(&["--format", "jsonl"])).code(0);
    let rows: Vec<Value> = run.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let places: Vec<_> =
        rows.iter().map(|row| (row["entry"].clone(), row["line"].clone(), row["field"].clone())).collect();
    assert_eq!(json!(places), json!([[1, 1, "/title"], [2, 1, "/by/a"], [4, 3, "/by/a"]]));
}

#[test]
fn keeps_the_formatting_of_lines_by_other_programs() {
    let python = r#"
import json
rows = [{"title": "Grüße 😀", "n": 1.10, "t": "\t\"\\/"}, {"title": "plain", "n": 12345678901234567890}, {"title": "\u2028\u0000"}]
for ascii in (True, False):
    for separators in ((", ", ": "), (",", ":")):
        for row in rows: print(json.dumps(row, ensure_ascii=ascii, separators=separators))
"#;
    let node = r#"for (const t of ["Grüße 😀", "a\u2028\ud800b", "<\/x>"]) console.log(JSON.stringify({title: "t", other: t}))"#;
    let jq = r#"{title: "Grüße \u0001", n: 1.10, big: 12345678901234567890}"#;
    let programs: [(&str, &[&str]); 3] = [("python3", &["-c", python]), ("node", &["-e", node]), ("jq", &["-nc", jq])];
    let bench = Bench::new();
    for (program, args) in programs {
        if !has(program) {
            continue;
        }
        let output = std::process::Command::new(program).args(args).env("PYTHONIOENCODING", "utf-8").output().unwrap();
        assert!(output.status.success() && !output.stdout.is_empty(), "{program}");
        bench.pipe(&output.stdout, TRANSLATE).code(0).prints(&output.stdout);
    }
}
