//! `tulk sync --check`: rows with positions, annotations, exit codes; nothing is sent and nothing changes.

use serde_json::json;

use super::{PROJECT, project_of, tulk};
use crate::common::Bench;

fn offline() -> Bench {
    let bench = Bench::bare();
    bench.write("tulk.toml", PROJECT.replace("\"de\", \"fr\"", "\"de\""));
    bench.write("locales/en/app.json", "{\n  \"title\": \"My shop\",\n  \"cart\": {\n    \"add\": \"Add\"\n  }\n}\n");
    bench.write("locales/de/app.json", "{\n  \"title\": \"My shop\"\n}\n");
    bench
}

#[test]
fn each_unit_has_a_row_with_its_position() {
    let bench = offline();
    let missing = "locales/en/app.json\t4\tcart.add\tde\tmissing\tthere is no translation\n";
    let run = tulk(&bench, "sync --check").code(1).prints(missing);
    assert_eq!(
        run.stderr,
        "1 text is not up to date, tulk.lock is missing\nhint: run `tulk sync` and commit tulk.lock\n"
    );
    bench.write("tulk.lock", "");
    let run = tulk(&bench, "sync --check").code(1).prints(missing);
    assert_eq!(run.stderr, "1 text is not up to date\n");
    let same = "locales/de/app.json\t2\ttitle\tde\tsame\tthe translation equals the source text\n";
    let run = tulk(&bench, "sync --check --strict").code(1).prints(format!("{same}{missing}"));
    assert_eq!(run.stderr, "2 texts are not up to date\n");
    let run = tulk(&bench, "sync --check --json").code(1);
    assert_eq!(
        run.json(),
        json!([{
            "path": "locales/en/app.json", "line": 4, "key": "cart.add", "target_lang": "de", "state": "missing",
            "message": "there is no translation"
        }])
    );
    tulk(&bench, "sync --check --key title").code(0).prints("").says_nothing();
    assert_eq!(bench.read("tulk.lock"), "");
    assert_eq!(bench.read("locales/de/app.json"), "{\n  \"title\": \"My shop\"\n}\n");
    assert!(!bench.path(".local").exists(), "no lock of a run is taken");
}

#[test]
fn the_github_format_prints_annotations() {
    let bench = offline();
    bench.write(".git/HEAD", "");
    bench.write("tulk.lock", "");
    let missing = "::error file=locales/en/app.json,line=4,title=missing (de)::cart.add: there is no translation\n";
    let same =
        "::warning file=locales/de/app.json,line=2,title=same (de)::title: the translation equals the source text\n";
    tulk(&bench, "sync --check --format github").code(1).prints(missing);
    tulk(&bench, "sync --check --strict --format github").code(1).prints(format!("{same}{missing}"));
    bench.write("locales/de/app.json", "{\n  \"title\": ,\n}\n");
    let run = tulk(&bench, "sync --check --format github").code(2);
    assert!(run.out().starts_with("::error file=locales/de/app.json,line=2,col=12,title=unreadable::"), "{run}");
}

#[test]
fn an_unreadable_file_exits_with_2_after_the_others_are_checked() {
    let bench = offline();
    bench.write("tulk.lock", "");
    bench.write("locales/en/bad.json", "{\n  \"a\": \"b\",,\n}\n");
    let run = tulk(&bench, "sync --check").code(2);
    assert!(run.out().starts_with("locales/en/app.json\t4\tcart.add"), "the other files are checked\n{run}");
    run.says("error: locales/en/bad.json:2:12: ");
}

#[test]
fn run_flags_conflict_with_check() {
    let bench = offline();
    for flag in ["--prune", "--retranslate=all", "--max-characters=5", "--cache", "--no-cache"] {
        super::unlisted(&bench, &format!("sync --check {flag}")).code(2).says("cannot be used with");
    }
    tulk(&bench, "sync --strict").code(2).says("--check");
    tulk(&bench, "sync --check status").code(2);
}

#[test]
fn finds_a_project_in_a_parent_directory() {
    let bench = offline();
    bench.write(".git/HEAD", "");
    bench.write("web/src/readme", "");
    let run = bench.bash("cd web/src && tulk sync --check || [ $? = 1 ]").code(0);
    assert_eq!(run.out(), "locales/en/app.json\t4\tcart.add\tde\tmissing\tthere is no translation\n");
}

#[test]
fn a_text_of_only_placeholders_is_not_reported_as_same() {
    let bench = offline();
    let text = "{\n  \"title\": \"{name} ({id})\",\n  \"cart\": {\n    \"add\": \"5 %\"\n  }\n}\n";
    bench.write("locales/en/app.json", text);
    bench.write("locales/de/app.json", text);
    bench.write("tulk.lock", "");
    tulk(&bench, "sync --check --strict").code(0).prints("");
}

#[test]
fn a_translation_not_yet_moved_is_missing() {
    let files = [
        ("locales/en/a.json", "{\n  \"a\": \"One\",\n  \"b\": \"Two\",\n  \"s\": [\"A\", \"B\"]\n}\n"),
        ("locales/en/c.json", "{\n  \"c\": \"Three\"\n}\n"),
    ];
    let bench = project_of(&PROJECT.replace("\"de\", \"fr\"", "\"de\""), &files);
    tulk(&bench, "sync").code(0);
    bench.write("locales/en/a.json", "{\n  \"x\": \"One\",\n  \"s\": [\"B\"]\n}\n");
    bench.write("locales/en/c.json", "{\n  \"c\": \"Three\",\n  \"b\": \"Two\"\n}\n");
    let rows = "locales/en/a.json\t2\tx\tde\tmissing\tits translation is still at a; `tulk sync` moves it\n\
                locales/en/a.json\t3\ts.0\tde\tmissing\tits translation is still at s.1; `tulk sync` moves it\n\
                locales/en/c.json\t3\tb\tde\tmissing\tits translation is still at b in locales/de/a.json; `tulk sync` moves it\n";
    tulk(&bench, "sync --check").code(1).prints(rows).says("3 texts are not up to date\n");
    let status = tulk(&bench, "sync status --columns units,current,missing,extra").code(0);
    assert_eq!(status.out(), "2\t0\t2\t0\n2\t1\t1\t0\n");
    let run = tulk(&bench, "sync").code(0);
    assert_eq!(run.out(), "locales/en/a.json\tde\tmoved\t2\t0\t0\nlocales/en/c.json\tde\tmoved\t1\t0\t0\n");
    tulk(&bench, "sync --check --strict").code(0);
    // The item has moved in the target, too.
    bench.write("locales/en/a.json", "{\n  \"y\": \"One\",\n  \"s\": [\"B\"]\n}\n");
    bench.write("locales/de/a.json", "{\n  \"y\": \"ONE\",\n  \"s\": [\"B\"]\n}\n");
    tulk(&bench, "sync --check --strict").code(0);
}

#[test]
fn a_key_renamed_only_in_the_source_is_missing_even_if_its_translation_is_in_review() {
    let bench = project_of(PROJECT, &[("locales/en/a.json", "{\n  \"a\": \"One\",\n  \"b\": \"Two\"\n}\n")]);
    tulk(&bench, "sync").code(0);
    bench.write("locales/fr/a.json", bench.read("locales/fr/a.json").replace("ONE", "Un"));
    tulk(&bench, "sync").code(0);
    bench.write("locales/en/a.json", bench.read("locales/en/a.json").replace("One", "First"));
    tulk(&bench, "sync").code(0);
    let rename = |lang: &str| {
        let path = format!("locales/{lang}/a.json");
        bench.write(&path, bench.read(&path).replace("\"a\"", "\"x\""));
    };
    rename("en");
    let columns = "--columns path,line,key,state";
    let at = "locales/en/a.json\t2\tx\tmissing\n";
    tulk(&bench, &format!("sync --check --to fr {columns}")).code(1).prints(at);
    tulk(&bench, "sync status --to fr --columns current,missing,review").code(0).prints("1\t1\t0\n");
    tulk(&bench, "sync -n --to fr").code(0).says("note: 1 text needs review; see `tulk sync --check`\n");
    rename("fr");
    let at = "locales/fr/a.json\t2\tx\treview\n";
    tulk(&bench, &format!("sync --check --to fr {columns}")).code(1).prints(at);
    tulk(&bench, "sync status --to fr --columns current,missing,review").code(0).prints("1\t0\t1\n");
}
