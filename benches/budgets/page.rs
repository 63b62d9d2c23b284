//! Updates the table in docs/performance.md.

use std::path::Path;

const START: &str = "<!-- table of benches/budgets -->";
const END: &str = "<!-- end of the table -->";

/// Replaces the rows of measured subjects and keeps the others. `table` is in Markdown.
pub fn update(table: &str, subjects: &[&str]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance.md");
    let page = std::fs::read_to_string(&path).expect("docs/performance.md");
    std::fs::write(&path, updated(&page, table, subjects)).expect("docs/performance.md");
}

fn updated(page: &str, table: &str, subjects: &[&str]) -> String {
    let (before, rest) = page.split_once(START).expect("the start of the table");
    let (old, after) = rest.split_once(END).expect("the end of the table");
    let mut lines = table.lines();
    let head: Vec<&str> = lines.by_ref().take(2).collect();
    let new: Vec<&str> = lines.collect();
    let rows = subjects.iter().flat_map(|subject| {
        let of_subject = |line: &&str| line.starts_with(&format!("| {subject} |"));
        let measured: Vec<&str> = new.iter().copied().filter(of_subject).collect();
        if measured.is_empty() { old.lines().filter(of_subject).collect() } else { measured }
    });
    let table: Vec<&str> = head.iter().copied().chain(rows).collect();
    format!("{before}{START}\n\n{}\n\n{END}{after}", table.join("\n"))
}
