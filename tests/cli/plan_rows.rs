//! `glossary sync`, `voice terms sync` and `style apply`: programs read what was done, not what was planned.

use serde_json::{Value, json};

use crate::common::{Bench, Run};

/// Starts a sandbox with a glossary, a collection and a style rule list, and writes files that change them.
fn bench() -> Bench {
    // The service accepts the first change of an existing instruction and refuses the later ones.
    let bench = Bench::with(&["--fault", "400;path=/v3/style_rules/*/custom_instructions/*;after=1"]);
    bench.write("old.tsv", "sea\tMeer\nsky\tHimmel\n");
    bench.write("new.tsv", "sea\tSee\n");
    bench.write("old.txt", "Ljubljana\nMaribor\n");
    bench.write("new.txt", "Celje\n");
    let list = |name: &str, prompt: &str, labels: &[&str]| {
        let head = format!("name = \"{name}\"\nlanguage = \"de\"\n");
        let one = |label: &&str| format!("[[custom_instructions]]\nlabel = \"{label}\"\nprompt = \"{prompt}\"\n");
        head + &labels.iter().map(one).collect::<String>()
    };
    bench.write("old.toml", list("S", "p", &["a", "b", "c"]));
    bench.write("new.toml", list("S", "q", &["b", "c"]));
    bench.run(["glossary", "create", "K", "--dictionary", "en:de=old.tsv", "--wait"]).code(0);
    bench.run(["voice", "terms", "create", "T", "en=old.txt"]).code(0);
    bench.run(["style", "apply", "old.toml"]).code(0);
    bench
}

const GLOSSARY: &str = "glossary sync K en:de=new.tsv en:xx=new.tsv --prune";
const TERMS: &str = "voice terms sync T en=new.txt xx=new.txt --prune";
const STYLE: &str = "style apply new.toml";

fn run(bench: &Bench, line: &str, flags: &[&str]) -> Run {
    bench.run(line.split(' ').chain(flags.iter().copied()))
}

/// Without IDs, which differ from run to run.
fn rows(run: &Run) -> Value {
    let mut rows = run.json();
    for row in rows.as_array_mut().unwrap() {
        row.as_object_mut().unwrap().retain(|name, _| !name.ends_with("_id"));
    }
    rows
}

#[test]
fn after_a_failure_only_the_steps_before_it_are_printed() {
    let bench = bench();
    let failed = run(&bench, GLOSSARY, &["--json", "--yes"]).code(5);
    let replaced = json!({"action": "replace", "source_lang": "en", "target_lang": "de",
        "added": 0, "changed": 1, "removed": 1, "kept": 0});
    assert_eq!(failed.json(), json!([replaced]));
    let failed = run(&bench, TERMS, &["--json", "--yes"]).code(5);
    let replaced = json!({"action": "replace", "lang": "en", "added": 1, "removed": 2, "kept": 0});
    assert_eq!(failed.json(), json!([replaced]));
    let failed =
        run(&bench, STYLE, &["--json", "--yes"]).code(5).says("edit instruction b: ").says("1 of 3 steps is done");
    assert_eq!(rows(&failed), json!([{"action": "remove", "object": "instruction", "name": "a"}]));
    for line in ["glossary sync New en:xx=new.tsv", "voice terms sync New xx=new.txt"] {
        assert_eq!(run(&bench, line, &["--json"]).code(5).json(), json!([]), "{line}");
    }
}

#[test]
fn without_yes_prints_no_rows_and_reports_what_would_be_removed() {
    let bench = bench();
    let lines = [
        (GLOSSARY, "replace en:de: 1 changed, 1 removed\nadd en:xx: 1 added\nerror: confirmation required"),
        (TERMS, "replace en: 1 added, 2 removed\nadd xx: 1 added\nerror: confirmation required"),
        (STYLE, "remove instruction a\nedit instruction b\nedit instruction c\nerror: confirmation required"),
    ];
    for (line, said) in lines {
        for format in ["tsv", "text", "json", "jsonl"] {
            let refused = run(&bench, line, &["--format", format]).code(2).prints("");
            let _ = if format.starts_with("json") { refused } else { refused.says(said) };
        }
        let plan = run(&bench, line, &["--json", "--dry-run"]).code(0).json();
        assert_eq!(plan.as_array().map(Vec::len), Some(said.lines().count() - 1), "{line}");
        let table = run(&bench, line, &["--format", "table"]).code(2);
        assert_eq!(table.out().lines().count(), said.lines().count(), "{line}: a header and the plan\n{table}");
        run(&bench, line, &["--yes", "--format", "tsv", "--columns", "nothing"]).code(2).prints("");
    }
    let changing = |request: &&Value| request["method"] != "GET";
    assert_eq!(bench.requests().iter().filter(changing).count(), 3, "what bench() made");
}
