//! The output of a run on a terminal: one line per target, then a total.

use super::{project, project_of, tulk};
use crate::progress::{Stdout, run};

const FILES: &[(&str, &str)] = &[
    ("locales/en/app.json", "{\n  \"title\": \"My shop\",\n  \"bye\": \"Good bye\"\n}\n"),
    ("locales/en/more.json", "{\n  \"title\": \"Hello\"\n}\n"),
];

/// Without the duration of the run.
fn screen(bench: &crate::common::Bench, stdout: Stdout, args: &str) -> Vec<String> {
    let ended = run(bench, stdout, &args.split(' ').collect::<Vec<_>>());
    let without_seconds = |line: String| match line.rsplit_once(", ") {
        Some((rest, seconds)) if seconds.ends_with(" s") => rest.to_owned(),
        _ => line,
    };
    ended.screen.into_iter().map(|line| without_seconds(line.trim_end().to_owned())).collect()
}

#[test]
fn a_terminal_shows_each_target_once_and_a_total() {
    let bench = project(FILES);
    let expected = [
        "✓ locales/en/app.json → de   2 new, 15 characters",
        "✓ locales/en/app.json → fr   2 new, 15 characters",
        "✓ locales/en/more.json → de  1 new, 5 characters",
        "✓ locales/en/more.json → fr  1 new, 5 characters",
        "2 files, 6 texts, 40 characters sent",
    ];
    assert_eq!(screen(&bench, Stdout::Terminal, "sync"), expected);
    assert_eq!(screen(&bench, Stdout::Terminal, "sync"), ["everything is up to date"]);
    bench.write("locales/en/more.json", "{\n  \"title\": \"Hello!\",\n  \"new\": \"%s\"\n}\n");
    let expected = ["✓ locales/en/more.json → de  1 updated, 6 characters", "1 file, 1 text, 6 characters sent"];
    assert_eq!(screen(&bench, Stdout::Pipe, "sync --to de --key title"), expected);
}

#[test]
fn a_dry_run_shows_the_plan_and_its_total_only() {
    let bench = project(FILES);
    let expected = [
        "FILE                  TO  STATE    TEXTS  CHARACTERS  REQUESTS",
        "locales/en/app.json   de  missing      2          15         1",
        "locales/en/more.json  de  missing      1           5         0",
        "would send: 2 files, 3 texts, 20 characters, 1 request",
    ];
    assert_eq!(screen(&bench, Stdout::Terminal, "sync -n --to de"), expected);
}

#[test]
fn shows_a_missing_catalogue_as_one_line() {
    let bench = project_of(&super::PROJECT.replace("\"de\", \"fr\"", "\"de\""), FILES);
    bench.write("tulk.lock", "");
    let expected = [
        "PATH                  LINE  KEY    TO  STATE    MESSAGE",
        "locales/de/app.json                de  missing  the file does not exist: 2 texts are missing",
        "locales/en/more.json     2  title  de  missing  there is no translation",
        "3 texts are not up to date",
    ];
    assert_eq!(screen(&bench, Stdout::Terminal, "sync --check"), expected);
    bench.write(".git/HEAD", "");
    let annotations = tulk(&bench, "sync --check --format github").code(1);
    assert_eq!(
        annotations.out(),
        "::error file=locales/en/app.json,title=missing (de)::locales/de/app.json: the file does not exist: 2 texts are missing\n\
         ::error file=locales/en/more.json,line=2,title=missing (de)::title: there is no translation\n"
    );
    // Programs get all rows.
    let rows = tulk(&bench, "sync --check --columns key,state").code(1);
    assert_eq!(rows.out(), "title\tmissing\nbye\tmissing\ntitle\tmissing\n");
}
