//! Mistakes of people who know other programs or have not read the help: each gets a hint that works.

use crate::common::Bench;

#[track_caller]
fn assert_refused(bench: &Bench, cases: &[(&str, &str, &str)]) {
    for (line, message, hint) in cases {
        let run = bench.run(shlex::split(line).unwrap()).code(2).prints("");
        let expected = format!("error: {message}\n  hint: {hint}\n");
        assert!(run.stderr.starts_with(&expected), "{line}: expected\n{expected}{run}");
    }
}

#[test]
fn suggests_the_tulk_name_for_an_option_of_another_program() {
    let unknown = |line: &'static str, hint: &'static str| {
        let option = line.split(' ').find(|word| word.starts_with('-')).unwrap();
        (line, format!("unexpected argument '{option}' found"), hint)
    };
    let cases = [
        unknown("translate --file a.txt", "did you mean `--input`?"),
        unknown("translate --input-file a.txt", "did you mean `--input`?"),
        unknown("translate --output-format json Hi", "did you mean `--format`?"),
        unknown("translate --target de Hi", "did you mean `--to`?"),
        unknown("translate --lang de Hi", "did you mean `--to`?"),
        unknown("translate -s en Hi", "did you mean `--from`?"),
        unknown("translate --out a.txt Hi", "did you mean `--output`?"),
        unknown("translate --overwrite Hi", "did you mean `--force`?"),
        unknown("translate --endpoint https://translate.example Hi", "did you mean `--server`?"),
        unknown("api -X GET /v2/usage", "write the method before the path: tulk api GET /v2/usage"),
        unknown("translate --key x Hi", "`tulk auth login` stores a key; --key-file FILE reads it from a file"),
        unknown("doc translate --lang de a.docx", "did you mean `--to`?"),
        unknown("doc translate --overwrite a.docx", "did you mean `--force`?"),
        unknown("doc translate --outdir x a.docx", "did you mean `--out-dir`?"),
        unknown("write correct --lang de Hi", "did you mean `--to`?"),
        unknown("write correct --file a.txt", "did you mean `--input`?"),
        unknown("glossary create K --file en:de=a.tsv", "did you mean `--dictionary`?"),
        unknown("sync --language de", "did you mean `--to`?"),
        unknown("voice stream --source en a.wav", "did you mean `--from`?"),
    ];
    let cases: Vec<_> = cases.iter().map(|(line, message, hint)| (*line, message.as_str(), *hint)).collect();
    assert_refused(&Bench::bare(), &cases);
}

#[test]
fn suggests_the_tulk_name_for_a_command_of_another_program() {
    let unknown = |line: &'static str, hint: &'static str| {
        let word = line.split(' ').next_back().unwrap();
        (line, format!("unrecognized subcommand '{word}'"), hint)
    };
    let cases = [
        unknown("login", "did you mean `tulk auth login`?"),
        unknown("detect", "did you mean `tulk langs detect`?"),
        unknown("rephrase", "did you mean `tulk write rephrase`?"),
        unknown("text", "did you mean `tulk translate`?"),
        unknown("document", "did you mean `tulk doc`?"),
        unknown("languages", "did you mean `tulk langs`?"),
        unknown("completion", "did you mean `tulk completions`?"),
        unknown("glossary ls", "did you mean `tulk glossary list`?"),
        unknown("glossary rm", "did you mean `tulk glossary remove`?"),
        unknown("doc rm", "`tulk doc -h` lists the commands"),
        unknown("list", "`tulk -h` lists the commands"),
    ];
    let cases: Vec<_> = cases.iter().map(|(line, message, hint)| (*line, message.as_str(), *hint)).collect();
    assert_refused(&Bench::bare(), &cases);
}

#[test]
fn explains_that_files_are_arguments_not_options() {
    let cases = [
        ("doc translate -i d1.txt", "-i", "doc translate"),
        ("doc translate --file d1.txt", "--file", "doc translate"),
        ("glossary set K en:de -i a.tsv", "-i", "glossary set"),
        ("voice stream --input a.wav", "--input", "voice stream"),
    ];
    for (line, option, command) in cases {
        let message = format!("unexpected argument '{option}' found");
        assert_refused(
            &Bench::bare(),
            &[(line, &message, &format!("omit {option}: files are arguments of `tulk {command}`"))],
        );
    }
    // Without the option, the command reads the file.
    let bench = Bench::new();
    bench.write("d1.txt", "Hello\n");
    bench.run(["doc", "translate", "d1.txt", "--to", "de"]).code(0);
}

#[test]
fn explains_that_an_option_goes_after_its_command() {
    let after = "--to comes after `tulk translate`, as in: tulk translate --to de \"Hello, world\"";
    assert_refused(
        &Bench::bare(),
        &[
            ("--to de translate Hi", "unexpected argument '--to' found", after),
            ("-t de translate Hi", "unexpected argument '-t' found", after),
            ("--to de Hi", "unexpected argument '--to' found", after),
            ("--target de translate Hi", "unexpected argument '--target' found", after),
            (
                "doc --to de translate a.docx",
                "unexpected argument '--to' found",
                "--to comes after `tulk doc translate`, as in: tulk doc translate report.docx --to de",
            ),
            ("write --to de correct Hi", "unexpected argument '--to' found", "--to comes after `tulk write correct`"),
            ("--key a.b sync", "unexpected argument '--key' found", "--key comes after `tulk sync`"),
            ("--strict sync", "unexpected argument '--strict' found", "--strict comes after `tulk sync`"),
        ],
    );
    Bench::new().run(["translate", "--to", "de", "Hello, world"]).code(0);
}

#[test]
fn recognizes_a_long_option_with_one_hyphen() {
    let bench = Bench::bare();
    bench.write("a.txt", "Hi\n");
    assert_refused(
        &bench,
        &[
            ("translate -to de Hi", "unexpected argument '-to' found", "did you mean `--to de`?"),
            ("translate -t de -from en Hi", "unexpected argument '-from' found", "did you mean `--from en`?"),
            ("translate -to=de Hi", "unexpected argument '-to' found", "did you mean `--to de`?"),
            (
                "translate -t de -i a.txt -output b.txt",
                "unexpected argument '-output' found",
                "did you mean `--output b.txt`?",
            ),
            ("translate -t de -json Hi", "unexpected argument '-json' found", "did you mean `--json`?"),
            ("voice stream -to de a.wav", "unexpected argument '-to' found", "did you mean `--to de`?"),
            (
                "-to de translate Hi",
                "unexpected argument '-to' found",
                "--to comes after `tulk translate`, as in: tulk translate --to de \"Hello, world\"",
            ),
        ],
    );
    assert!(!bench.path("utput").exists());
    Bench::new().run(["translate", "--to", "de", "--", "-to"]).code(0);
}

#[test]
fn explains_that_languages_are_separated_by_commas_without_spaces() {
    let bench = Bench::bare();
    bench.write("a.wav", "x");
    let one = "write `--to de`; commas separate languages, without spaces";
    let missing = "--to: a language is missing after the comma";
    assert_refused(
        &bench,
        &[
            ("translate --to de, Hi", missing, one),
            ("translate --to de, fr Hi", missing, one),
            ("doc translate a.docx --to=de,", missing, one),
            ("sync --to de,", missing, one),
            (
                "translate --to de,,fr Hi",
                "--to: a language is missing next to a comma",
                "write `--to de,fr`; commas separate languages, without spaces",
            ),
            ("translate --to '' Hi", "--to: a language is missing", "write a code such as de, en-US or zh-Hant"),
            (
                "translate --to 'de fr' Hi",
                "--to: `de fr` is not a language code",
                "separate languages with commas: --to de,fr",
            ),
            (
                "voice stream --to 'de;pt-BR' a.wav",
                "--to: `de;pt-BR` is not a language code",
                "separate languages with commas: --to de,pt-BR",
            ),
            (
                "translate --to 'Brazilian Portuguese' Hi",
                "--to: `Brazilian Portuguese` is not a language code",
                "did you mean `pt-BR`?",
            ),
            ("translate --to o Hi", "--to: invalid language code `o`", "write a code such as de, en-US or zh-Hant"),
        ],
    );
    Bench::new().run(["translate", "--to", "de,fr", "Hi"]).code(0);
}

#[test]
fn suggests_a_scheme_for_a_server_without_one() {
    let must = |address: &str| format!("invalid server address `{address}`: it must start with https:// or http://");
    let usual = "write a URL such as https://translate.example/";
    for (address, hint) in [
        ("example.com", "write https://example.com"),
        ("api.example.com/v2", "write https://api.example.com/v2"),
        ("localhost:8080", "write http://localhost:8080"),
        ("nonsense", usual),
    ] {
        assert_refused(&Bench::bare(), &[(&format!("translate --to de --server {address} Hi"), &must(address), hint)]);
    }
    let message = "invalid server address: it must start with https:// or http://";
    assert_refused(&Bench::bare(), &[("translate --to de --server me:secret@example.com Hi", message, usual)]);
}

#[test]
fn explains_other_names_of_file_formats() {
    let bench = Bench::new();
    bench.write("a.md", "# Tea\n");
    bench.write("a.html", "<p>Tea</p>\n");
    let cases = [
        ("md", "did you mean `markdown`?"),
        ("html", "use --tag-handling html instead"),
        ("xml", "use --tag-handling xml instead"),
        ("yml", "did you mean `yaml`?"),
        ("ndjson", "did you mean `jsonl`?"),
        ("docx", "`tulk doc translate` translates documents"),
    ];
    for (format, hint) in cases {
        let line = format!("translate --to de --as {format} -i a.md");
        assert_refused(&bench, &[(&line, &format!("--as: invalid value `{format}`"), hint)]);
    }
    assert_refused(&bench, &[("write correct --as html -i a.html", "--as: invalid value `html`", WRITE_FORMATS)]);
    bench.run(["translate", "--to", "de", "--as", "markdown", "-i", "a.md"]).code(0).prints("# Tea\n");
    bench.run(["translate", "--to", "de", "--tag-handling", "html", "-i", "a.html"]).code(0).prints("<p>Tea</p>\n");
}

const WRITE_FORMATS: &str = "valid values: text, csv, tsv, jsonl, srt, vtt, markdown, json, arb, yaml, toml, po, properties, \
                             android, strings, stringsdict, xcstrings, xliff, resx, php, ftl";

#[test]
fn recognizes_json_given_as_another_format() {
    let bench = Bench::new();
    bench.write("en.json", "{\"a\": \"Tea\"}\n");
    bench.write("t.csv", "a\nTea\n");
    let json = "for a JSON file, omit --field and use --as json";
    let columns = "columns of CSV and TSV are named with --column";
    assert_refused(
        &bench,
        &[
            ("translate --to de --field a -i en.json", "--field needs --jsonl", json),
            (
                "translate --to de --column a -i en.json",
                "--column needs --csv or --tsv",
                "omit it: only tables have columns",
            ),
            ("translate --to de --field a --csv --column a -i t.csv", "--field needs --jsonl", columns),
            (
                "translate --to de --as po -i en.json",
                "en.json:1:1: a comment, a string or a keyword such as `msgid` is expected here",
                "this looks like JSON; use --as json",
            ),
            (
                "translate --to de --as php -i en.json",
                "en.json:1:1: the file has no `<?php`",
                "this looks like JSON; use --as json",
            ),
        ],
    );
    bench.run(["translate", "--to", "de", "--field", "a", "--json", "-i", "en.json"]).code(2).says(json);
    bench.run(["translate", "--to", "de", "--as", "json", "-i", "en.json"]).code(0).prints("{\"a\": \"Tea\"}\n");
}

#[test]
fn points_from_documents_to_translate_for_text_files() {
    let bench = Bench::new();
    bench.write("my r.po", "msgid \"Tea\"\nmsgstr \"\"\n");
    let types = "known types: docx, doc, pptx, xlsx, xlsm, pdf, htm, html, txt, md, markdown, xlf, xliff, srt, vtt, idml, xml, json, \
                 yaml, yml, properties, strings, dita, mif, zip, odt, rtf, resx, jpeg, jpg, png";
    let hint = format!("  hint: `tulk translate --to de -i 'my r.po'` translates its texts; {types}\n");
    bench.run(["doc", "translate", "my r.po", "--to", "de"]).code(5).says("my r.po: the service refused").says(&hint);
    bench.run(["translate", "--to", "de", "-i", "my r.po", "-o", "de.po"]).code(0);
    bench.write("a.exe", "x");
    bench.run(["doc", "translate", "a.exe", "--to", "de"]).code(5).says(&format!("  hint: {types}\n"));
    bench.write("a", "x");
    let types = format!("{types}; --filename sends another name, --no-check sends the file anyway");
    let unknown = "a: the file name has no extension, so the document type is unknown";
    assert_refused(&bench, &[("doc translate a --to de", unknown, &types)]);
}
