//! Glossaries from spreadsheets: other separators, headers, and tables with a column per language.

use serde_json::json;

use crate::common::Bench;

/// A table as saved by a spreadsheet with German settings.
const TABLE: &str = "en;de;fr;comment\nkettle;Wasserkocher;bouilloire;\n\"pots; pans\";\"Töpfe; Pfannen\";;kitchen\nlid;Deckel;couvercle;\n";

#[test]
fn recognizes_semicolons_and_a_sep_line() {
    let bench = Bench::new();
    bench.write("semicolon.csv", "kettle;Wasserkocher\n\"pots; pans\";Töpfe, Pfannen\n");
    bench.write("named.csv", "sep=;\nkettle;Wasserkocher\nlid;Deckel, rund\n");
    bench.write("comma.csv", "kettle,Wasserkocher; Kocher\n");
    bench.run(["glossary", "lint", "semicolon.csv", "named.csv", "comma.csv"]).code(0).prints("");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=semicolon.csv"]).code(0);
    bench
        .run(["glossary", "entries", "Kitchen", "en:de"])
        .code(0)
        .prints("kettle\tWasserkocher\npots; pans\tTöpfe, Pfannen\n");
    bench
        .run(["glossary", "set", "Kitchen", "en:de", "named.csv"])
        .code(0)
        .says("en:de: 1 added, 0 changed, 1 removed, 2 in total");
    bench.run(["glossary", "merge", "Kitchen", "en:de", "comma.csv"]).code(0);
    bench
        .run(["glossary", "diff", "Kitchen", "en:de", "named.csv"])
        .code(1)
        .prints("changed\tkettle\tWasserkocher; Kocher\tWasserkocher\n");
    // The service only reads commas, so the parsed entries are sent instead of the file.
    bench.write("header.csv", "Source;Target\n");
    bench.run(["glossary", "set", "Kitchen", "en:de", "header.csv", "--no-check"]).code(0);
    bench.run(["glossary", "entries", "Kitchen", "en:de"]).code(0).prints("Source\tTarget\n");
}

#[test]
fn lint_reports_a_header_and_header_row_skips_it() {
    let bench = Bench::new();
    bench.write("words.csv", "Source,Target\nkettle,Wasserkocher\n");
    bench.write("codes.tsv", "EN\tde-DE\nkettle\tWasserkocher\n");
    bench.write("names.csv", "English;German;French\nkettle;Wasserkocher;bouilloire\nlid;Deckel;couvercle\n");
    bench.run(["glossary", "lint", "words.csv", "codes.tsv", "names.csv"]).code(1).says("found 3 problems").prints(
        "words.csv:1:1: header: this looks like a header, not an entry; --header-row skips it\n\
         codes.tsv:1:1: header: this looks like a header with languages; --columns-are-languages reads a column for each\n\
         names.csv:1:1: header: this looks like a header with languages; --columns-are-languages reads a column for each\n",
    );
    bench.run(["glossary", "lint", "words.csv", "codes.tsv", "--header-row"]).code(0).prints("");
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=words.csv"]).code(2).says(
        "error: words.csv:1:1: this looks like a header, not an entry; --header-row skips it\n  \
         hint: add --header-row to skip the line; --no-check sends it as an entry\n",
    );
    bench.run(["glossary", "create", "Kitchen", "--dictionary", "en:de=words.csv", "--header-row"]).code(0);
    bench.run(["glossary", "entries", "Kitchen", "en:de"]).code(0).prints("kettle\tWasserkocher\n");
    bench.run(["glossary", "set", "Kitchen", "en:de", "words.csv", "--no-check"]).code(0);
    bench.run(["glossary", "entries", "Kitchen", "en:de"]).code(0).prints("Source\tTarget\nkettle\tWasserkocher\n");
    // These are not headers: `is` and `es` are not languages of the pair, and `German` and `Deutsch` are the same language.
    bench.write("entries.tsv", "is\tes\nGerman\tDeutsch\nsource\tQuelle\n");
    bench.run(["glossary", "lint", "en:de=entries.tsv"]).code(0);
    bench.write("pairs.csv", "source,target,source_lang,target_lang\nkettle,Kessel,en,de\n");
    bench.run(["glossary", "lint", "pairs.csv"]).code(1);
    bench.run(["glossary", "lint", "en:de=pairs.csv"]).code(0).says("skipped 1 row for other language pairs");
}

#[test]
fn a_column_per_language_makes_dictionaries_of_all_pairs() {
    let bench = Bench::new();
    bench.write("all.csv", TABLE);
    let flag = "--columns-are-languages";
    bench.run(["glossary", "lint", "all.csv", flag]).code(0).prints("");
    bench.run(["glossary", "lint", "en:de,fr=all.csv", "de:fr=all.csv", flag]).code(0).prints("");
    let sync = ["glossary", "sync", "Kitchen", "en:de,fr=all.csv", "de:en=all.csv", flag];
    bench
        .run(sync)
        .code(0)
        .says("all.csv: skipped 1 row without a phrase in en or fr\n")
        .prints("create\ten\tde\t3\t0\t0\t0\ncreate\ten\tfr\t2\t0\t0\t0\ncreate\tde\ten\t3\t0\t0\t0\n");
    bench
        .run(["glossary", "entries", "Kitchen", "de:en"])
        .code(0)
        .prints("Wasserkocher\tkettle\nTöpfe; Pfannen\tpots; pans\nDeckel\tlid\n");
    bench.run(["glossary", "entries", "Kitchen", "en:fr"]).code(0).prints("kettle\tbouilloire\nlid\tcouvercle\n");
    bench.run(["glossary", "diff", "Kitchen", "en:fr", "all.csv", flag]).code(0).prints("");
    bench.run(["glossary", "merge", "Kitchen", "en:fr", "all.csv", flag]).code(0);
    bench.run(["glossary", "set", "Kitchen", "fr:de", "all.csv", flag]).code(0);
    bench
        .run(["glossary", "entries", "Kitchen", "fr:de"])
        .code(0)
        .prints("bouilloire\tWasserkocher\ncouvercle\tDeckel\n");
    let create =
        ["glossary", "create", "Menu", "--dictionary", "en:de,fr=-", "--entries-format", "csv", flag, "--json"];
    let run = bench.pipe(TABLE, create).code(0);
    assert_eq!(
        run.json()["dictionaries"].as_array().unwrap().iter().map(|d| d["target_lang"].clone()).collect::<Vec<_>>(),
        [json!("de"), json!("fr")]
    );
    bench.run(["glossary", "v2", "create", "Tea", "--dictionary", "en:fr=all.csv", flag]).code(0);
    bench.run(["glossary", "v2", "entries", "Tea"]).code(0).prints("kettle\tbouilloire\nlid\tcouvercle\n");
}

#[test]
fn reports_each_problem_of_a_table_once_with_its_position() {
    let bench = Bench::new();
    let flag = "--columns-are-languages";
    bench.write("all.tsv", "English\tpt-BR\tpt-PT\n tea\tchá\tchá\ncup\ncup\tcopo\t \ncup\t\txícara\n");
    let problems = "all.tsv:2:1: whitespace: the source phrase starts with whitespace\n\
         all.tsv:3:1: columns: this row has 1 cell; the first line has 3\n";
    bench.run(["glossary", "lint", "en:pt-BR,pt-PT=all.tsv", flag]).code(1).prints(problems);
    bench.run(["glossary", "lint", "all.tsv", flag]).code(1).prints(problems);
    bench
        .run(["glossary", "sync", "Tea", "en:pt-BR,pt-PT=all.tsv", flag])
        .code(2)
        .says("2 problems in dictionary files");
    bench.run(["glossary", "lint", "en:pt=all.tsv", flag]).code(2).says(
        "error: all.tsv:1: the table has 2 columns for pt\n  \
         hint: the first line names the columns `English`, `pt-BR`, `pt-PT`; write the pair with the code of one of them\n",
    );
    bench.run(["glossary", "sync", "Tea", "en:fr=all.tsv", flag]).code(2).says(
        "error: all.tsv:1: the table has no column for fr\n  \
         hint: the first line names the columns `English`, `pt-BR`, `pt-PT`\n",
    );
    bench.write("none.csv", "a,b\nc,d\n");
    bench
        .run(["glossary", "lint", "none.csv", flag])
        .code(1)
        .prints("none.csv:1:1: language: the table has no column for the source language\n");
    bench.run(["glossary", "lint", "all.tsv", flag, "--header-row"]).code(2);
    bench.run(["glossary", "sync", "Tea", "en:de,=all.tsv", flag]).code(2);
    bench.run(["glossary", "sync", "Tea", "en:de,de=all.tsv", flag]).code(2).says("has two files");
}
