//! Checks that docs/scripting.md agrees with the help and the schemas.

use std::collections::BTreeSet;
use std::path::Path;

use super::common::Bench;
use super::files::SchemaFiles;

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scripting.md")).unwrap()
}

fn rows(page: &str, heading: &str) -> Vec<Vec<String>> {
    let section = page.split(&format!("## {heading}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
    lines.map(cells).collect()
}

pub fn code_of(kind: &str) -> i32 {
    let table = rows(&page(), "Exit codes");
    let row = table.into_iter().find(|row| row[1] == kind).unwrap_or_else(|| panic!("the page lacks {kind}"));
    row[0].parse().unwrap()
}

const KINDS: [(&str, &str); 11] = [
    ("2", "usage"),
    ("3", "key"),
    ("4", "not_found"),
    ("5", "refused"),
    ("6", "quota"),
    ("7", "busy"),
    ("8", "network"),
    ("9", "partly"),
    ("10", "unfinished"),
    ("70", "internal"),
    ("129, 130, 143", "stopped"),
];
#[test]
fn the_page_lists_the_exit_codes_of_the_help_and_the_kinds_of_json_errors() {
    let table = rows(&page(), "Exit codes");
    let codes: BTreeSet<String> = table.iter().flat_map(|row| row[0].split(", ").map(str::to_owned)).collect();
    let help = Bench::bare().run(["help", "exit-codes"]).code(0);
    // Wrapped descriptions have a deeper indent.
    let lines = help.out().lines().filter(|line| !line.starts_with("   "));
    let first_words = lines.filter_map(|line| line.split_whitespace().next());
    let listed = first_words.filter(|word| word.parse::<u8>().is_ok()).map(str::to_owned);
    assert_eq!(codes, listed.collect());
    let schema = &SchemaFiles::read().files["messages"]["$defs"]["error"]["properties"]["error"]["properties"]["kind"];
    let kinds = schema["enum"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap().to_owned());
    let pairs = table.iter().map(|row| (row[0].as_str(), row[1].as_str())).filter(|(_, kind)| !kind.is_empty());
    assert_eq!(pairs.collect::<Vec<_>>(), KINDS);
    assert_eq!(KINDS.map(|(_, kind)| kind.to_owned()).into_iter().collect::<BTreeSet<_>>(), kinds.collect());
}
