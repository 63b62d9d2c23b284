//! Catalogue files: encodings, malformed input, resuming, length limits and unsuitable flags.

use super::{bodies, phrases, translate, with_phrases};
use crate::common::Bench;

#[test]
fn keeps_utf_16() {
    let bench = Bench::with(&["--engine", "upper"]);
    let utf16 = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let source = utf16("\u{feff}/* Größe */\r\n\"size\" = \"Größe\";\r\n");
    let target = utf16("\u{feff}/* Größe */\r\n\"size\" = \"GRÖSSE\";\r\n");
    let run = translate(&bench, &source, "strings", &["--to", "en"]).code(0);
    assert_eq!(run.stdout, target);
    let file = bench.write("Localizable.strings", &source);
    let args = ["translate", "--to", "en", "--as", "strings", "--in-place", "-i", file.to_str().unwrap()];
    bench.run(args).code(0);
    assert_eq!(std::fs::read(&file).unwrap(), target);
    bench
        .run(["translate", "--to", "en", "--as", "text", "-i", file.to_str().unwrap()])
        .code(2)
        .says("this is UTF-16 text, not UTF-8");
}

#[test]
fn reports_a_malformed_file_with_line_and_column() {
    let bench = Bench::new();
    bench.write("good.json", "{\"a\": \"Open\"}\n");
    bench.write("bad.json", "\u{feff}{\n  \"ä\": \"Open\",,\n}\n");
    let run = bench.run(["translate", "--to", "de", "--as", "json", "-i", "good.json", "-i", "bad.json"]).code(2);
    run.says("bad.json:2:15: ");
    assert!(bench.requests().is_empty(), "nothing is sent before all files are read");
    bench.write("latin.po", b"msgid \"a\"\nmsgstr \"\xe4\"\n");
    let run = bench.run(["translate", "--to", "de", "--as", "po", "-i", "latin.po"]).code(2);
    run.says("latin.po:2:9: the file is neither UTF-8 nor UTF-16").says("convert it to UTF-8");
}

#[test]
fn refuses_unsuitable_flags() {
    let bench = Bench::new();
    let refused = |format: &str, flags: &[&str], what: &str| {
        translate(&bench, "", format, &[&["--to", "de"], flags].concat()).code(2).says(what);
    };
    refused("po", &["--dialect", "icu"], "--dialect needs --as json, yaml, toml, properties, resx or php");
    refused("markdown", &["--dialect", "icu"], "--dialect needs --as json, yaml, toml, properties, resx or php");
    refused("json", &["--dialect", "gettext"], "i18next");
    refused("json", &["--front-matter", "title"], "--front-matter needs --as markdown");
    refused("json", &["--lines"], "--lines");
    refused("json", &["--tag-handling", "html"], "--as json sends texts as XML with its own tags");
    let run = bench.run(["translate", "--to", "de", "--as", "json", "{\"a\": \"b\"}"]).code(2);
    run.says("--as cannot be used with TEXT arguments");
}

#[test]
fn counts_untranslated_units() {
    let bench = Bench::with(&["--engine", "upper"]);
    let file = "<resources>\n<string name=\"a\" translatable=\"false\">a</string>\n<string name=\"b\">@string/a</string>\n\
                <string name=\"c\">c</string>\n</resources>\n";
    let run = translate(&bench, file, "android", &["--to", "de"]).code(0);
    let run = run.says("2 texts skipped: marked as untranslatable 1, reference to another text 1");
    run.prints(file.replace(">c<", ">C<"));
}

#[test]
fn a_lost_placeholder_fails_or_leaves_its_unit_unchanged() {
    let table = phrases("en", "de", &[("tea <x id=\"1\">{{n}}</x>", "Tee"), ("cup", "Tasse")]);
    let bench = with_phrases("echo", &table);
    let file = "{\"a\": \"cup\", \"b\": \"tea {{n}}\"}\n";
    let flags = ["--from", "en", "--to", "de", "--dialect", "i18next"];
    let run = translate(&bench, file, "json", &flags).code(5).prints("");
    run.says("stdin:1:19: the service lost `{{n}}`");
    let run = translate(&bench, file, "json", &[&flags[..], &["--keep-going"]].concat()).code(9);
    run.prints("{\"a\": \"Tasse\", \"b\": \"tea {{n}}\"}\n").says("stdin:1:19: to de: the service lost `{{n}}`");
}

#[test]
fn resumes_an_unfinished_file() {
    let bench = Bench::with(&["--engine", "upper", "--fault", "400;after=1;total=1"]);
    let file: String = (0..120).map(|n| format!("k{n}=Text {n} x\n")).collect();
    bench.write("a.properties", &file);
    let args = ["translate", "--to", "de", "--as", "properties", "-i", "a.properties", "-o", "b.properties"];
    bench.run(args).code(5);
    bench.run(args.iter().chain(&["--resume"])).code(0);
    let texts: usize = bodies(&bench).iter().map(|body| body["text"].as_array().unwrap().len()).sum();
    assert!(texts < 2 * 120, "{texts}");
    assert_eq!(bench.read("b.properties"), file.replace("Text", "TEXT").replace('x', "X"));
}

#[test]
fn an_additional_placeholder_fails_or_leaves_its_unit_unchanged() {
    let table =
        phrases("en", "fr", &[("Extra <x id=\"1\">%d</x>", "Plus %s et {y} <x id=\"1\">%d</x>"), ("Open", "%s")]);
    let file = "#, c-format\nmsgid \"Extra %d\"\nmsgstr \"\"\n\n#, c-format\nmsgid \"Open\"\nmsgstr \"\"\n";
    let bench = with_phrases("echo", &table);
    let flags = ["--from", "en", "--to", "fr"];
    translate(&bench, file, "po", &flags).code(5).prints("").says("the service added `%s`");
    let run = translate(&bench, file, "po", &[&flags[..], &["--keep-going"]].concat()).code(9);
    // A header is added.
    assert!(run.stdout.ends_with(file.as_bytes()), "{run}");
}

#[test]
fn a_result_that_is_too_long_fails_or_leaves_its_unit_unchanged() {
    let file = "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.2\" version=\"1.2\"><file original=\"a\" \
                source-language=\"en\" target-language=\"de\" datatype=\"plaintext\"><body><trans-unit id=\"a\" \
                maxwidth=\"4\" size-unit=\"char\"><source>Save</source></trans-unit></body></file></xliff>\n";
    let bench = with_phrases("echo", &phrases("en", "de", &[("Save", "Speichern")]));
    let flags = ["--from", "en", "--to", "de"];
    let run = translate(&bench, file, "xliff", &flags).code(5).prints("");
    run.says("the result has 9 characters; the limit is 4");
    translate(&bench, file, "xliff", &[&flags[..], &["--keep-going"]].concat()).code(9).prints(file);
}

#[test]
fn the_length_limit_applies_to_a_unit_of_several_sentences() {
    let unit = |id: &str, limit: &str, message: &str| {
        format!("<trans-unit id=\"{id}\"{limit}><source>{message}</source></trans-unit>")
    };
    let message = "{n, plural, one {# file} other {# files}}";
    let limit = " maxwidth=\"44\" size-unit=\"char\"";
    let file = format!(
        "<xliff xmlns=\"urn:oasis:names:tc:xliff:document:1.2\" version=\"1.2\"><file original=\"a\" \
         source-language=\"en\" target-language=\"de\" datatype=\"plaintext\"><body>{}{}</body></file></xliff>\n",
        unit("a", limit, message),
        unit("b", "", message),
    );
    let table = phrases("en", "de", &[("1 file", "1 lange Datei"), ("2 files", "2 lange Dateien")]);
    let bench = with_phrases("echo", &table);
    let flags = ["--from", "en", "--to", "de"];
    let run = translate(&bench, &file, "xliff", &flags).code(5).prints("");
    run.says("the results of `a` cannot be used: the result has 56 characters; the limit is 44");
    let run = translate(&bench, &file, "xliff", &[&flags[..], &["--keep-going"]].concat()).code(9);
    let run = run.says("the result has 56 characters; the limit is 44");
    let target = "<target state=\"translated\">{n, plural, one {# lange Datei} other {# lange Dateien}}</target>";
    assert_eq!(
        run.out(),
        file.replace(
            &unit("b", "", message),
            &unit("b", "", message).replace("</source>", &format!("</source>{target}"))
        )
    );
}

#[test]
fn keeps_iso_8859_1_properties_and_escapes_new_characters() {
    let files = Bench::bare();
    let phrases = files.write("p.tsv", phrases("en", "de", &[("Open", "Öffnen €"), ("Bye", "Bye")]));
    let bench = Bench::with(&["--engine", "upper", "--phrases", phrases.to_str().unwrap()]);
    let source = b"# \xa9 shop\nopen = Open\nbye = Bye\ncaf\xe9 = Bye\n";
    let expected = b"# \xa9 shop\nopen = \\u00D6ffnen \\u20AC\nbye = Bye\ncaf\xe9 = Bye\n";
    let run = translate(&bench, source, "properties", &["--to", "de", "--from", "en"]).code(0);
    assert_eq!(run.stdout, expected);
    run.says("warning: stdin is not UTF-8 and is read as ISO-8859-1\n");
    // A UTF-8 file keeps its encoding.
    let utf8 = "gr\u{fc}n = Open\n";
    let run = translate(&bench, utf8, "properties", &["--to", "de", "--from", "en"]).code(0);
    run.prints("gr\u{fc}n = \u{d6}ffnen \u{20ac}\n").says_nothing();
    let run =
        translate(&bench, b"a=Gr\xc3\xbc \xff\n", "properties", &["--to", "de", "--from", "en"]).code(2).prints("");
    run.says(":1:7: the file is neither UTF-8 nor UTF-16\n");
}

#[test]
fn names_duplicate_keys() {
    let bench = Bench::with(&["--engine", "upper"]);
    let text = "{\n  \"a\": \"One\",\n  \"b\": {\"c\": \"Two\", \"c\": \"Three\"},\n  \"a\": \"Four\"\n}\n";
    let run = translate(&bench, text, "json", &["--to", "de"]).code(0);
    run.prints(text.replace("Three", "THREE").replace("Four", "FOUR"))
        .says("warning: stdin:2:3: the key a occurs again below; the last one counts\n")
        .says("warning: stdin:3:9: the key b.c occurs again below; the last one counts\n");
}

#[test]
fn a_stray_line_in_a_strings_file_is_an_error_or_copied() {
    let bench = Bench::with(&["--engine", "upper"]);
    let text = "\"a\" = \"One\";\nstray line\n\"b\" = \"Two\";\n=======\n";
    let run = translate(&bench, text, "strings", &["--to", "de"]).code(2);
    run.prints("").says("error: stdin:2:6: a ';' is missing after the text\n");
    let run = translate(&bench, text, "strings", &["--to", "de", "--keep-going"]).code(9);
    run.prints(text.replace("One", "ONE").replace("Two", "TWO"))
        .says("error: stdin:2:6: a ';' is missing after the text; copied unchanged\n")
        .says("error: stdin:4:1: a key is expected here; copied unchanged\n")
        .says("error: 2 parts of the input were copied unchanged\n");
}

#[test]
fn php_that_returns_nothing_has_no_texts() {
    let bench = Bench::with(&["--engine", "upper"]);
    translate(&bench, "<?php\n", "php", &["--to", "de"]).code(0).prints("<?php\n");
    let run = translate(&bench, "<?php\n$a = 'b';\n", "php", &["--to", "de"]).code(0);
    run.prints("<?php\n$a = 'b';\n").says("1 text skipped: PHP value that is not a plain string 1\n");
}
