//! Each state of a unit: what a run does, and what it leaves alone.

use super::{project, project_of, texts, tulk};
use crate::common::Bench;

const EN: &str = "locales/en/app.json";
const DE: &str = "locales/de/app.json";

fn translated(source: &str) -> Bench {
    let bench = project_of(&super::PROJECT.replace("\"de\", \"fr\"", "\"de\""), &[(EN, source)]);
    tulk(&bench, "sync").code(0);
    bench
}

fn sent(bench: &Bench, line: &str, code: i32) -> Vec<String> {
    let before = bench.requests().len();
    tulk(bench, line).code(code);
    texts(bench, before).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn the_first_run_adopts_existing_translations_with_a_person_as_author() {
    let source = "{\n  \"a\": \"One\",\n  \"b\": \"Two\",\n  \"c\": \"Three\"\n}\n";
    let target = "{\n  \"a\": \"Eins\",\n  \"b\": \"Two\"\n}\n";
    let bench = project_of(&super::PROJECT.replace("\"de\", \"fr\"", "\"de\""), &[(EN, source), (DE, target)]);
    let run = tulk(&bench, "sync").code(0);
    run.prints("locales/en/app.json\tde\tmissing\t1\t5\t1\n")
        .says("note: 1 text equals its source (--retranslate same)\n");
    assert_eq!(bench.read(DE), "{\n  \"a\": \"Eins\",\n  \"b\": \"Two\",\n  \"c\": \"THREE\"\n}\n");
    assert_eq!(texts(&bench, 0), [("DE".to_owned(), "Three".to_owned())]);
    // A translation by a person is kept when its source changes.
    bench.write(EN, source.replace("One", "The first"));
    assert!(sent(&bench, "sync", 0).is_empty());
    let run = tulk(&bench, "sync --check").code(1);
    assert_eq!(
        run.out(),
        "locales/de/app.json\t2\ta\tde\treview\tthe source text has changed since a person wrote the translation\n"
    );
    assert_eq!(sent(&bench, "sync --retranslate review", 0), ["The first"]);
    assert_eq!(sent(&bench, "sync --retranslate same", 0), ["Two"]);
    assert_eq!(bench.read(DE), "{\n  \"a\": \"THE FIRST\",\n  \"b\": \"TWO\",\n  \"c\": \"THREE\"\n}\n");
}

#[test]
fn existing_translations_can_be_adopted_with_tulk_as_author() {
    let config = super::PROJECT.replace("\"de\", \"fr\"]", "\"de\"]\nadopt = \"tulk\"");
    let bench = project_of(&config, &[(EN, "{\"a\": \"One\"}\n"), (DE, "{\"a\": \"Eins\"}\n")]);
    assert!(sent(&bench, "sync", 0).is_empty());
    bench.write(EN, "{\"a\": \"The first\"}\n");
    assert_eq!(sent(&bench, "sync", 0), ["The first"]);
}

#[test]
fn a_changed_source_is_translated_again() {
    let bench = translated("{\"a\": \"One\", \"b\": \"Two\"}\n");
    bench.write(EN, "{\"a\": \"One!\", \"b\": \"Two\"}\n");
    let run = tulk(&bench, "sync -n").code(0);
    run.prints("locales/en/app.json\tde\tstale\t1\t4\t1\n");
    assert_eq!(sent(&bench, "sync", 0), ["One!"]);
    assert_eq!(bench.read(DE), "{\"a\": \"ONE!\", \"b\": \"TWO\"}\n");
}

#[test]
fn an_edited_translation_is_kept() {
    let bench = translated("{\"a\": \"One\", \"b\": \"Two\"}\n");
    bench.write(DE, "{\"a\": \"Eins\", \"b\": \"TWO\"}\n");
    bench.write(EN, "{\"a\": \"The first\", \"b\": \"Two\"}\n");
    assert!(sent(&bench, "sync", 0).is_empty(), "a person wrote it together with the source");
    tulk(&bench, "sync --check").code(0);
    tulk(&bench, "sync --retranslate edited").code(2).says("--yes");
    assert_eq!(sent(&bench, "sync --retranslate edited --yes", 0), ["The first"]);
    assert_eq!(bench.read(DE), "{\"a\": \"THE FIRST\", \"b\": \"TWO\"}\n");
}

#[test]
fn all_translations_by_tulk_can_be_redone() {
    let bench = translated("{\"a\": \"One\", \"b\": \"Two\"}\n");
    bench.write(DE, "{\"a\": \"Eins\", \"b\": \"TWO\"}\n");
    assert_eq!(sent(&bench, "sync --retranslate all", 0), ["Two"]);
    assert_eq!(sent(&bench, "sync --retranslate all --key b", 0), ["Two"]);
    assert_eq!(sent(&bench, "sync --retranslate all,edited -y", 0), ["One", "Two"]);
}

#[test]
fn an_empty_translation_is_missing() {
    let bench = translated("{\"a\": \"One\", \"b\": \"\"}\n");
    bench.write(DE, "{\"a\": \"\"}\n");
    // More than half of the file is gone.
    let run = tulk(&bench, "sync").code(2);
    run.says("error: 1 of 1 translations in locales/de/app.json are gone\n").says("git mv");
    assert_eq!(sent(&bench, "sync --yes", 0), ["One"]);
    assert_eq!(bench.read(DE), "{\"a\": \"ONE\"}\n");
}

#[test]
fn an_emptied_source_does_not_remove_all_translations() {
    let bench = translated("{\"a\": \"One\", \"b\": \"Two\"}\n");
    let before = bench.read(DE);
    bench.write(EN, "{}\n");
    for line in ["sync --prune", "sync --prune --yes", "sync -n --prune"] {
        tulk(&bench, line).code(2).prints("").says(
            "error: locales/en/app.json has no texts; --prune would remove 2 translations\n  \
             hint: restore its texts, or remove the translations with --prune=2\n",
        );
    }
    tulk(&bench, "sync --prune=1 --yes").code(2).prints("").says(
        "error: --prune=1 is refused: 2 translations would be removed\n  hint: `tulk sync status` counts them as extra\n",
    );
    tulk(&bench, "sync --prune=two").code(2).says("error: --prune: `two` is not a whole number\n");
    assert_eq!(bench.read(DE), before);
    tulk(&bench, "sync").code(0);
    tulk(&bench, "sync --prune=2 --yes").code(0).prints("locales/en/app.json\tde\tpruned\t2\t0\t0\n");
    assert_eq!(bench.read(DE), "{}\n");
}

#[test]
fn removes_deleted_keys_only_on_request() {
    let bench = translated("{\n  \"a\": \"One\",\n  \"b\": \"Two\"\n}\n");
    bench.write(EN, "{\n  \"a\": \"One\"\n}\n");
    tulk(&bench, "sync").code(0).says("note: 1 text has no source (--prune)\n");
    assert_eq!(bench.read(DE), "{\n  \"a\": \"ONE\",\n  \"b\": \"TWO\"\n}\n");
    tulk(&bench, "sync --check").code(0);
    let strict = tulk(&bench, "sync --check --strict").code(1);
    assert_eq!(strict.out(), "locales/de/app.json\t3\tb\tde\textra\tthe source has no such key\n");
    tulk(&bench, "sync -n --prune").code(0).prints("locales/en/app.json\tde\tpruned\t1\t0\t0\n");
    tulk(&bench, "sync --prune").code(2).says("remove 1 translation whose keys are gone");
    let run = tulk(&bench, "sync --prune --yes").code(0);
    assert_eq!(run.out(), "locales/en/app.json\tde\tpruned\t1\t0\t0\n");
    assert_eq!(bench.read(DE), "{\n  \"a\": \"ONE\"\n}\n");
    assert_eq!(bench.read("tulk.lock").lines().count(), 1);
}

#[test]
fn a_renamed_key_keeps_its_translation() {
    let bench = translated("{\"a\": \"One\", \"b\": \"Two\"}\n");
    bench.write(EN, "{\"a\": \"One\", \"other\": \"Two\"}\n");
    assert!(sent(&bench, "sync", 0).is_empty());
    assert_eq!(bench.read(DE), "{\"a\": \"ONE\", \"other\": \"TWO\"}\n");
    tulk(&bench, "sync --check --strict").code(0);
}

#[test]
fn a_unit_that_loses_a_placeholder_fails_until_its_source_changes() {
    let files = Bench::bare();
    let phrases = files.write("p.tsv", "en\tde\tHello <x id=\"1\">{name}</x>\tHallo\n");
    let bench = Bench::with(&["--engine", "upper", "--phrases", phrases.to_str().unwrap()]);
    bench.write("tulk.toml", super::PROJECT.replace("\"de\", \"fr\"", "\"de\""));
    bench.write(EN, "{\"a\": \"One\", \"b\": \"Hello {name}\"}\n");
    let run = tulk(&bench, "sync").code(9);
    run.says("error: locales/en/app.json:1:19: b (de): the service lost `{name}`\n")
        .says("error: 1 text was not translated\n")
        .prints("locales/en/app.json\tde\tfailed\t1\t0\t0\nlocales/en/app.json\tde\tmissing\t1\t27\t2\n");
    assert_eq!(bench.read(DE), "{\"a\": \"ONE\"}\n");
    assert_eq!(bench.requests().len(), 2, "it was tried once more, alone");
    tulk(&bench, "sync").code(0).says("note: 1 text has failed before (--retranslate failed)\n");
    let run = tulk(&bench, "sync --check --columns path,line,key,state").code(1);
    assert_eq!(run.out(), "locales/en/app.json\t1\tb\tfailed\n");
    assert_eq!(bench.requests().len(), 2, "nothing is sent");
    tulk(&bench, "sync --retranslate failed").code(5).says("the service lost `{name}`");
    bench.write(EN, "{\"a\": \"One\", \"b\": \"Hi {name}\"}\n");
    tulk(&bench, "sync").code(0).prints("locales/en/app.json\tde\tmissing\t1\t9\t1\n");
    assert_eq!(bench.read(DE), "{\"a\": \"ONE\", \"b\": \"HI {name}\"}\n");
}

#[test]
fn reports_a_broken_translation_by_a_person() {
    let bench = project(&[(EN, "{\"a\": \"Hello {name}\"}\n"), (DE, "{\"a\": \"Hallo {nmae}\"}\n")]);
    tulk(&bench, "sync").code(9).says("error: 1 text is broken\n");
    assert_eq!(bench.read(DE), "{\"a\": \"Hallo {nmae}\"}\n");
    let run = tulk(&bench, "sync --check").code(1);
    assert!(run.out().starts_with("locales/de/app.json\t1\ta\tde\tbroken\t"), "{run}");
}

#[test]
fn a_persons_plural_without_a_count_is_broken_until_accepted() {
    let config = super::PROJECT.replace("\"de\", \"fr\"", "\"de\"").replace("\"none\"", "\"i18next\"");
    let source = "{\"files_one\": \"{{count}} file\", \"files_other\": \"{{count}} files\", \"b\": \"Two\"}\n";
    let target = "{\"files_one\": \"eine Datei\", \"files_other\": \"einige Dateien\", \"b\": \"Zwei\"}\n";
    let bench = project_of(&config, &[(EN, source), (DE, target)]);
    tulk(&bench, "sync --check --strict --columns key,state").code(1).prints("files\tbroken\n");
    tulk(&bench, "sync accept --key files").code(0);
    assert!(sent(&bench, "sync", 0).is_empty());
    assert_eq!(bench.read(DE), target);
    tulk(&bench, "sync --check --strict").code(0);
}
