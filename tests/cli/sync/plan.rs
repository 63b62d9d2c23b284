//! The plan and the result of a run: rows, limits, exit codes, selections.

use serde_json::json;

use super::{project, project_of, texts, tulk};
use crate::common::Bench;

const FILES: &[(&str, &str)] = &[
    ("locales/en/app.json", "{\n  \"title\": \"My shop\",\n  \"bye\": \"Good bye\"\n}\n"),
    ("locales/en/more.json", "{\n  \"title\": \"My shop\"\n}\n"),
    ("locales/de/app.json", "{\n  \"title\": \"Mein Laden\"\n}\n"),
];

#[test]
fn a_dry_run_prints_the_plan_and_changes_nothing() {
    let bench = project(FILES);
    let rows = "locales/en/app.json\tde\tmissing\t1\t8\t1\n\
                locales/en/app.json\tfr\tmissing\t2\t15\t1\n\
                locales/en/more.json\tde\tmissing\t1\t7\t0\n\
                locales/en/more.json\tfr\tmissing\t1\t0\t0\n";
    tulk(&bench, "sync --dry-run").code(0).prints(rows).says_nothing();
    let run = tulk(&bench, "sync -n --to fr --json").code(0);
    assert_eq!(
        run.json(),
        json!([
            {"file": "locales/en/app.json", "target_lang": "fr", "state": "missing", "units": 2, "characters": 15, "requests": 1},
            {"file": "locales/en/more.json", "target_lang": "fr", "state": "missing", "units": 1, "characters": 0, "requests": 0},
        ])
    );
    let run = tulk(&bench, "sync -n --to fr --header --columns units,state").code(0);
    assert_eq!(run.out(), "units\tstate\n2\tmissing\n1\tmissing\n");
    assert!(bench.requests().is_empty());
    assert!(!bench.path("tulk.lock").exists() && !bench.path("locales/fr").exists());
    assert_eq!(bench.read("locales/de/app.json"), FILES[2].1);
    // A plan needs no key.
    let bare = Bench::bare().env("TULK_SERVER", "http://127.0.0.1:9");
    bare.write("tulk.toml", super::PROJECT);
    bare.write(FILES[0].0, FILES[0].1);
    tulk(&bare, "sync -n --to de --columns units").code(0).prints("2\n");
}

#[test]
fn a_run_prints_what_was_done_instead_of_the_plan() {
    let bench = project(FILES);
    let run = tulk(&bench, "sync").code(0);
    assert_eq!(run.stderr, "");
    assert_eq!(
        run.out(),
        "locales/en/app.json\tde\tmissing\t1\t8\t1\n\
         locales/en/app.json\tfr\tmissing\t2\t15\t1\n\
         locales/en/more.json\tde\tmissing\t1\t7\t0\n\
         locales/en/more.json\tfr\tmissing\t1\t0\t0\n"
    );
    assert_eq!(bench.read("locales/de/app.json"), "{\n  \"title\": \"Mein Laden\",\n  \"bye\": \"GOOD BYE\"\n}\n");
    assert_eq!(bench.read("locales/fr/app.json"), "{\n  \"title\": \"MY SHOP\",\n  \"bye\": \"GOOD BYE\"\n}\n");
    assert_eq!(bench.read("locales/fr/more.json"), "{\n  \"title\": \"MY SHOP\"\n}\n");
    assert_eq!(
        texts(&bench, 0),
        [("DE", "Good bye"), ("DE", "My shop"), ("FR", "Good bye"), ("FR", "My shop")]
            .map(|(lang, text)| (lang.to_owned(), text.to_owned()))
    );
    let lock = bench.read("tulk.lock");
    let before = bench.requests().len();
    tulk(&bench, "sync").code(0).prints("").says("everything is up to date\n");
    tulk(&bench, "sync --json").code(0).prints("[]\n");
    tulk(&bench, "sync --check").code(0).prints("").says_nothing();
    assert_eq!(bench.requests().len(), before, "nothing is sent");
    assert_eq!(bench.read("tulk.lock"), lock);
    assert_eq!(lock.lines().count(), 3);
}

#[test]
fn languages_files_and_keys_can_be_selected() {
    let bench = project(FILES);
    tulk(&bench, "sync --to FR --file locales/en/app.json --key b*").code(0);
    assert_eq!(bench.read("locales/fr/app.json"), "{\n  \"bye\": \"GOOD BYE\"\n}\n");
    assert_eq!(bench.read("locales/de/app.json"), FILES[2].1);
    assert!(!bench.path("locales/fr/more.json").exists() && !bench.path("locales/de/more.json").exists());
    assert_eq!(texts(&bench, 0), [("FR".to_owned(), "Good bye".to_owned())]);
    let rows = "locales/en/app.json\tfr\tmissing\t1\t0\t0\n";
    let run =
        tulk(&bench, "sync -n --to fr --file **/app.json --columns file,target_lang,state,units,requests").code(0);
    assert_eq!(run.out(), rows.replace("1\t0\t0", "1\t1"));
}

#[test]
fn refuses_a_selection_without_units() {
    let bench = project(FILES);
    for (line, what, hint) in [
        ("sync --to es", "--to es: the project has no such target language", "target languages of the project: de, fr"),
        ("sync --to dee", "--to dee: the project has no such target language", "did you mean de?"),
        ("sync --to en", "--to en: the project has no such target language", "it is the source language"),
        (
            "sync --file app.json",
            "--file app.json: the project has no such source",
            "did you mean --file locales/en/app.json?",
        ),
        ("sync --key titel", "--key titel: no key in the selected files matches", "matches any characters"),
    ] {
        for line in [line.to_owned(), line.replace("sync", "sync --check"), line.replace("sync", "sync status")] {
            super::unlisted(&bench, &line).code(2).prints("").says(&format!("error: {what}\n")).says(hint);
        }
    }
    tulk(&bench, "sync --to de,es").code(2).says("--to es: the project has no such target language");
    tulk(&bench, "sync --format github").code(2).says("error: --format github needs --check\n");
    assert!(bench.requests().is_empty() && !bench.path("tulk.lock").exists());
}

#[test]
fn never_sends_more_characters_than_allowed() {
    let bench = project(FILES);
    let run = tulk(&bench, "sync --max-characters 29").code(6).prints("");
    run.says("error: the plan sends 30 characters; --max-characters is 29\n");
    tulk(&bench, "sync -n --max-characters 6").code(6);
    assert!(bench.requests().is_empty() && !bench.path("tulk.lock").exists());
    tulk(&bench, "sync --max-characters 30").code(0);
    let config = super::PROJECT.replace("[[sync", "max_characters = 6\n\n[[sync");
    let bench = project_of(&config, FILES);
    tulk(&bench, "sync").code(6).says("error: the plan sends 30 characters; max_characters is 6\n");
    tulk(&bench, "sync --max-characters 30").code(0);
    let config = super::PROJECT.to_owned() + "\n[sync.langs.fr]\nmax_characters = 6\n";
    let bench = project_of(&config, FILES);
    tulk(&bench, "sync").code(6).says("error: fr: the plan sends 15 characters; max_characters is 6\n");
    tulk(&bench, "sync --to de").code(0);
}

#[test]
fn accepts_another_project_file() {
    let bench = project(&[]);
    std::fs::remove_file(bench.path("tulk.toml")).unwrap();
    bench.write("web/tulk.toml", super::PROJECT);
    bench.write("web/locales/en/app.json", "{\"title\": \"My shop\"}\n");
    tulk(&bench, "sync --project web/tulk.toml").code(0);
    assert_eq!(bench.read("web/locales/de/app.json"), "{\"title\": \"MY SHOP\"}\n");
    assert!(bench.path("web/tulk.lock").exists());
}
