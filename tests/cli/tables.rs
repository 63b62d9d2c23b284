//! Tables on a terminal at several widths, and what pipes get instead.

use crate::common::Bench;
use crate::common::scripted::{ScriptedServer, answer};

/// Glossaries with names in two scripts and fixed IDs and times.
const GLOSSARIES: &str = r#"{"glossaries":[
 {"glossary_id":"11111111-2222-3333-4444-555555555555","name":"Kitchen","ready":true,
  "creation_time":"2026-11-21T19:54:07.123Z",
  "dictionaries":[{"source_lang":"en","target_lang":"de","entry_count":1234567}]},
 {"glossary_id":"aaaaaaaa-2222-3333-4444-555555555555","name":"台所用品の用語集 (all kitchen departments)","ready":true,
  "creation_time":"2026-11-21T23:54:07+02:00",
  "dictionaries":[{"source_lang":"ja","target_lang":"de","entry_count":5},
                  {"source_lang":"de","target_lang":"ja","entry_count":7}]}]}"#;

fn glossaries(json: &'static str) -> (Bench, ScriptedServer) {
    let server = ScriptedServer::start(move |_| answer(200, &["content-type: application/json"], json));
    (Bench::bare().env("TULK_API_KEY", "k").env("TULK_SERVER", &server.url), server)
}

#[test]
fn lists_shrink_with_the_terminal() {
    let (bench, _server) = glossaries(GLOSSARIES);
    let list = |width: u16| bench.on_terminal(width, ["glossary", "list"]).code(0).says_nothing();
    for width in [123, 250] {
        list(width).prints(
            "\
ID                                    NAME                                        LANGUAGES       ENTRIES  CREATED
11111111-2222-3333-4444-555555555555  Kitchen                                     en:de         1,234,567  2026-11-21 19:54
aaaaaaaa-2222-3333-4444-555555555555  台所用品の用語集 (all kitchen departments)  ja:de, de:ja         12  2026-11-21 21:54
",
        );
    }
    list(80).prints(
        "\
ID                                    NAME               LANGUAGES       ENTRIES
11111111-2222-3333-4444-555555555555  Kitchen            en:de         1,234,567
aaaaaaaa-2222-3333-4444-555555555555  台所用品の用語集…  ja:de, de:ja         12
not shown: creation_time (wider terminal, --json, or --columns)
",
    );
    list(60).prints(
        "\
NAME                                 LANGUAGES       ENTRIES
Kitchen                              en:de         1,234,567
台所用品の用語集 (all kitchen depa…  ja:de, de:ja         12
not shown: glossary_id, creation_time (wider terminal,
--json, or --columns)
",
    );
    list(40).prints(
        "\
NAME             LANGUAGES       ENTRIES
Kitchen          en:de         1,234,567
台所用品の用語…  ja:de, de:ja         12
not shown: glossary_id, creation_time
(wider terminal, --json, or --columns)
",
    );
}

#[test]
fn named_columns_are_the_same_in_pipes_and_on_terminals() {
    let (bench, _server) = glossaries(GLOSSARIES);
    let args = ["glossary", "list", "--columns", "ready,name,entry_count"];
    bench.run(args).code(0).prints("true\tKitchen\t1234567\ntrue\t台所用品の用語集 (all kitchen departments)\t12\n");
    bench.on_terminal(40, args).code(0).prints(
        "\
READY  NAME                      ENTRIES
✓      Kitchen                 1,234,567
✓      台所用品の用語集 (all…         12
",
    );
    bench.run(["glossary", "list", "--columns", "nmae"]).code(2).prints("");
    bench.on_terminal(40, ["glossary", "list", "--columns", "nmae"]).code(2).prints("");
}

#[test]
fn tables_in_a_pipe_are_not_cut_and_numbers_not_grouped() {
    let (bench, _server) = glossaries(GLOSSARIES);
    bench.run(["glossary", "list", "--format", "table"]).code(0).prints(
        "\
ID                                    NAME                                        LANGUAGES     ENTRIES  CREATED
11111111-2222-3333-4444-555555555555  Kitchen                                     en:de         1234567  2026-11-21 19:54
aaaaaaaa-2222-3333-4444-555555555555  台所用品の用語集 (all kitchen departments)  ja:de, de:ja       12  2026-11-21 21:54
",
    );
}

#[test]
fn without_a_utf_8_locale_tables_are_ascii() {
    let (bench, _server) = glossaries(GLOSSARIES);
    let bench = bench.env("LC_ALL", "C");
    let run = bench.on_terminal(60, ["glossary", "list", "--columns", "name,ready,dictionaries"]).code(0);
    assert!(run.out().starts_with("NAME  ") && run.out().contains("  yes    en:de\n"), "{run}");
    let run = bench.on_terminal(66, ["glossary", "list"]).code(0);
    assert!(run.out().contains("台所用品の用語集 (all kitchen departme...  ja:de, de:ja         12\n"), "{run}");
}

#[test]
fn shows_the_ready_column_if_a_glossary_is_not_ready() {
    let json = r#"{"glossaries":[{"glossary_id":"a","name":"One","ready":true},{"glossary_id":"b","name":"Two","ready":false}]}"#;
    let (bench, _server) = glossaries(json);
    bench.on_terminal(80, ["glossary", "list"]).code(0).prints(
        "\
ID  NAME  LANGUAGES  ENTRIES  CREATED  READY
a   One                    0           ✓
b   Two                    0
",
    );
}

#[test]
fn shows_one_object_as_a_block() {
    let json = r#"{"glossaries":[{"glossary_id":"a","name":"One\u001b[2J","ready":true,
        "dictionaries":[{"source_lang":"en","target_lang":"de","entry_count":1234}]}],
        "glossary_id":"a","name":"One\u001b[2J","ready":true,
        "dictionaries":[{"source_lang":"en","target_lang":"de","entry_count":1234}]}"#;
    let (bench, _server) = glossaries(json);
    bench
        .on_terminal(80, ["glossary", "show", "One\u{1b}[2J"])
        .code(0)
        .prints("ID         a\nNAME       One\\u{1b}[2J\nLANGUAGES  en:de\nENTRIES    1,234\nREADY      ✓\n");
}

#[test]
fn headers_are_dim_and_statuses_coloured() {
    let bench = Bench::new().env("TERM", "xterm");
    bench.write("a.txt", "One");
    bench.run(["doc", "translate", "a.txt", "--to", "de"]).code(0);
    let list = ["doc", "list", "--columns", "source,status"];
    let run = bench.on_terminal(80, list).code(0);
    run.prints("\u{1b}[2mSOURCE  STATUS\u{1b}[0m\na.txt   \u{1b}[32mdone\u{1b}[0m\n");
    let plain = "SOURCE  STATUS\na.txt   done\n";
    bench.on_terminal(80, [&list[..], &["--color", "never"]].concat()).code(0).prints(plain);
}

#[test]
fn results_in_the_current_directory_have_relative_paths() {
    let bench = Bench::new();
    bench.write("work/a.txt", "One");
    let source = bench.path("work/a.txt").display().to_string();
    let path = bench.path("work/a.de.txt").display().to_string();
    bench.run(["doc", "translate", &source, "--to", "de"]).code(0);
    let list = ["doc", "list", "--columns", "path"];
    bench.run(list).code(0).prints(format!("{path}\n"));
    bench.on_terminal(80, list).code(0).prints("RESULT\nwork/a.de.txt\n");
}

#[test]
fn an_empty_list_suggests_the_next_command() {
    let bench = Bench::new();
    bench.run(["style", "create", "Shop texts", "--language", "en"]).code(0);
    for (line, note) in [
        ("glossary list", "No glossaries yet. Create one: tulk glossary create NAME --dictionary en:de=FILE\n"),
        ("glossary v2 list", "No v2 glossaries. List all glossaries: tulk glossary list\n"),
        ("voice terms list", "No spoken terms yet. Create some: tulk voice terms create NAME en=FILE\n"),
        ("doc list", "No documents yet. Translate one: tulk doc translate FILE --to de\n"),
        (
            "style profile list",
            "No style profiles yet. Create one: tulk style profile create NAME --glossary GLOSSARY\n",
        ),
        ("tm list", "No translation memories in this account.\n"),
        (
            "style instruction list 'Shop texts'",
            "No instructions yet. Add one: tulk style instruction add 'Shop texts' --label LABEL --prompt PROMPT\n",
        ),
        (
            "style rules show 'Shop texts'",
            "No rules yet. Set one: tulk style rules set 'Shop texts' CATEGORY.RULE=OPTION\n",
        ),
        (
            "admin usage --start 2026-01-01 --end 2026-01-31 --by key",
            "No usage from 2026-01-01 to 2026-01-31. See the totals: tulk admin usage --start 2026-01-01 \
             --end 2026-01-31\n",
        ),
        (
            "admin tags --start 2026-01-01 --end 2026-01-31",
            "No usage with a reporting tag from 2026-01-01 to 2026-01-31. \
             Set a tag: tulk translate --reporting-tag TAG --to de TEXT\n",
        ),
    ] {
        let args = shlex::split(line).unwrap();
        let run = bench.on_terminal(80, &args).code(0).prints("");
        assert_eq!(run.stderr, note, "{line}");
        bench.run(&args).code(0).prints("").says_nothing();
        bench.on_terminal(80, [&args[..], &["-q".to_owned()]].concat()).code(0).prints("").says_nothing();
        bench.on_terminal(80, [&args[..], &["--json".to_owned()]].concat()).code(0).says_nothing();
    }
    bench.run(["style", "delete", "Shop texts", "--yes"]).code(0);
    let run = bench.on_terminal(80, ["style", "list"]).code(0);
    assert_eq!(run.stderr, "No style rule lists yet. Create one: tulk style create NAME --language en\n");
}

#[test]
fn reports_a_resource_without_languages() {
    let (bench, _server) = glossaries("[]");
    let run = bench.on_terminal(80, ["langs", "list", "--source"]).code(0).prints("");
    run.says("No languages match. See the resources: tulk langs resources\n");
    bench.run(["langs", "list", "--source"]).code(0).prints("").says_nothing();
}

#[test]
fn a_limit_of_0_does_not_look_like_an_empty_list() {
    let (bench, _server) = glossaries(GLOSSARIES);
    bench.on_terminal(80, ["glossary", "list", "--limit", "0"]).code(0).prints("").says_nothing();
}

#[test]
fn the_suggested_command_keeps_the_flags_of_this_one() {
    let bench = Bench::bare();
    bench
        .on_terminal(80, ["--sandbox", "glossary", "list"])
        .code(0)
        .says("Create one: tulk --sandbox glossary create NAME --dictionary en:de=FILE\n");
    let bench = bench.env("TULK_SANDBOX", "1");
    bench.on_terminal(80, ["config", "list"]).code(0).says(" yet. Set one: tulk config set KEY VALUE\n");
}

#[test]
fn features_can_be_selected_as_columns() {
    let bench = Bench::new();
    let args = ["langs", "list", "--resource", "write", "--columns", "lang,tone,features", "--limit", "2"];
    let run = bench.run(args).code(0);
    assert_eq!(run.out().lines().next().unwrap(), "de\ttrue\tauto_detection,tone,writing_style", "{run}");
    let run = bench.on_terminal(80, args).code(0);
    assert_eq!(run.out().lines().nth(1).unwrap(), "de    ✓     auto_detection, tone, writing_style", "{run}");
    bench.run(["langs", "list", "--columns", "lang,tnoe"]).code(2).says("tag_handling");
}

#[test]
fn never_cuts_the_options_of_one_rule() {
    let bench = Bench::bare();
    let rule = ["style", "rules", "catalogue", "dates_and_times.calendar_era"];
    bench.on_terminal(40, rule).code(0).prints(
        "\
CATEGORY  dates_and_times
RULE      calendar_era
OPTIONS   use_bc_and_ad, use_bce_and_ce
",
    );
    bench.run(rule).code(0).prints("dates_and_times\tcalendar_era\tuse_bc_and_ad,use_bce_and_ce\n");
    assert_eq!(bench.run([&rule[..], &["--json"]].concat()).json().as_array().map(Vec::len), Some(1));
}

#[test]
fn drops_columns_before_cutting_a_problem() {
    let bench = Bench::bare();
    bench.write("terms.tsv", "cat\tKatze\ndog\n");
    bench.on_terminal(60, ["glossary", "lint", "terms.tsv", "--format", "table"]).code(1).prints(
        "\
FILE       LINE  MESSAGE
terms.tsv     2  an entry needs a tab between source and ta…
not shown: column, rule (wider terminal, --json, or
--columns)
",
    );
}
