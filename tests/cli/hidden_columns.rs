//! A table that omits columns lists them below; `--columns` accepts each of these names.

use crate::common::Bench;

fn not_shown(table: &str) -> Vec<String> {
    let Some((_, note)) = table.split_once("not shown: ") else { return Vec::new() };
    let note = note.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = note.strip_suffix(" (wider terminal, --json, or --columns)").unwrap_or_else(|| panic!("{table}"));
    names.split(", ").map(str::to_owned).collect()
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn the_columns_flag_accepts_every_omitted_column() {
    let bench = Bench::new();
    bench.write("tea.tsv", "tea\tTee\ncup\tTasse\n");
    bench.write("names.txt", "Tulk\nEstonia\n");
    bench.write("a long folder name/report.txt", "One");
    let prepare: [&[&str]; 8] = [
        &["glossary", "create", "Kitchen", "--dictionary", "en:de=tea.tsv"],
        &["glossary", "v2", "create", "Old", "--dictionary", "en:de=tea.tsv"],
        &["style", "create", "House", "--language", "de"],
        &["style", "instruction", "add", "House", "--label", "Polite", "--prompt", "Be polite."],
        &["voice", "terms", "create", "Team", "en=names.txt"],
        &["doc", "translate", "a long folder name/report.txt", "--to", "de"],
        &["config", "set", "sandbox.engine", "echo"],
        &["translate", "--to", "de", "--reporting-tag", "docs", "Hello"],
    ];
    for args in prepare {
        bench.run(args).code(0);
    }
    let listings: [(&[&str], bool); 19] = [
        (&["glossary", "list"], true),
        (&["glossary", "v2", "list"], true),
        (&["glossary", "v2", "pairs"], false),
        (&["style", "list"], true),
        (&["style", "list", "--detailed"], true),
        (&["style", "instruction", "list", "House"], true),
        (&["style", "rules", "catalogue"], false),
        (&["voice", "terms", "list"], true),
        (&["doc", "list"], true),
        (&["langs", "list"], true),
        (&["langs", "list", "--resource", "voice"], true),
        (&["langs", "list", "--resource", "write"], true),
        (&["langs", "v2", "--target"], true),
        (&["langs", "resources"], false),
        (&["cache", "stats"], false),
        (&["doctor"], false),
        (&["auth", "status"], false),
        (&["admin", "usage", "--start", "-1d", "--end", "today", "--by", "key"], true),
        (&["config", "list"], false),
    ];
    for (args, leaves_out) in listings {
        let mut names = Vec::new();
        for width in [40, 46, 50, 60, 80] {
            names.extend(not_shown(bench.on_terminal(width, args).code(0).out()));
        }
        names.sort();
        names.dedup();
        assert_eq!(!names.is_empty(), leaves_out, "{args:?}");
        for name in names {
            bench.run([args, &["--columns", &name]].concat()).code(0);
            bench.on_terminal(60, [args, &["--columns", &name]].concat()).code(0);
        }
    }
}
