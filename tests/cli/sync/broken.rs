//! Translations that break a rule: those by tulk are translated again, those by people are reported.

use super::{PROJECT, project_of, texts, tulk};
use crate::common::Bench;

const EN: &str = "locales/en/app.json";
const DE: &str = "locales/de/app.json";
const SOURCE: &str = "{\n  \"a\": \"One\",\n  \"b\": \"Hello {name}\"\n}\n";
const HINT: &str = "`tulk sync --retranslate broken` replaces broken translations\n";

fn config() -> String {
    PROJECT.replace("\"de\", \"fr\"", "\"de\"")
}

/// A project with one broken translation. tulk translated it as i18next, where `{name}` is not a placeholder, and the service always loses
/// `{name}`. Then `tulk.toml` sets a dialect in which `{name}` is a placeholder.
fn project_with_broken_target() -> Bench {
    let files = Bench::bare();
    let phrases = "en\tde\tHello {name}\tHallo\nen\tde\tHello <x id=\"1\">{name}</x>\tHallo\n";
    let phrases = files.write("p.tsv", phrases);
    let bench = Bench::with(&["--engine", "upper", "--phrases", phrases.to_str().unwrap()]);
    bench.write("tulk.toml", config().replace("\"none\"", "\"i18next\""));
    bench.write(EN, SOURCE);
    tulk(&bench, "sync").code(0);
    assert_eq!(bench.read(DE), "{\n  \"a\": \"ONE\",\n  \"b\": \"Hallo\"\n}\n");
    bench.write("tulk.toml", config());
    bench
}

/// The files of [`project_with_broken_target`] with a service that keeps placeholders.
fn project_with_fixed_service() -> Bench {
    let broken = project_with_broken_target();
    let bench = project_of(&config(), &[(EN, SOURCE)]);
    for name in [DE, "tulk.lock"] {
        bench.write(name, broken.read(name));
    }
    bench
}

#[test]
fn retranslates_broken_translations_by_tulk() {
    let bench = project_with_fixed_service();
    let run = tulk(&bench, "sync --check").code(1);
    assert_eq!(
        run.out(),
        "locales/de/app.json\t3\tb\tde\tbroken\tthe placeholder {name} is missing; `tulk sync` translates it again\n"
    );
    assert_eq!(run.stderr, "1 text is broken\n");
    tulk(&bench, "sync status --columns units,current,invalid").code(0).prints("2\t1\t1\n");
    let row = "locales/en/app.json\tde\tbroken\t1\t12\t1\n";
    tulk(&bench, "sync --dry-run").code(0).prints(row).says_nothing();
    tulk(&bench, "sync").code(0).prints(row);
    assert_eq!(texts(&bench, 0), [("DE".to_owned(), "Hello <x id=\"1\">{name}</x>".to_owned())]);
    assert_eq!(bench.read(DE), "{\n  \"a\": \"ONE\",\n  \"b\": \"HELLO {name}\"\n}\n");
    tulk(&bench, "sync --check --strict").code(0);
}

#[test]
fn a_result_broken_again_fails_and_is_not_retried() {
    let bench = project_with_broken_target();
    tulk(&bench, "sync").code(5).says("b (de): the service lost `{name}`").says("error: 1 text was not translated\n");
    assert_eq!(bench.read(DE), "{\n  \"a\": \"ONE\",\n  \"b\": \"Hallo\"\n}\n");
    let sent = bench.requests().len();
    tulk(&bench, "sync").code(0).says("note: 1 text has failed before (--retranslate failed)\n");
    tulk(&bench, "sync --check --columns key,state").code(1).prints("b\tfailed\n");
    assert_eq!(bench.requests().len(), sent);
}

#[test]
fn reports_broken_translations_by_a_person_until_replaced_corrected_or_accepted() {
    let files = [(EN, SOURCE), (DE, "{\n  \"a\": \"Eins\",\n  \"b\": \"Hallo\"\n}\n")];
    let bench = project_of(&config(), &files);
    for _ in 0..2 {
        let run = tulk(&bench, "sync").code(9).prints("");
        run.says("nothing to translate\n")
            .says("error: locales/de/app.json:3:8: b (de): the placeholder {name} is missing\n")
            .says("error: 1 text is broken\n")
            .says(HINT)
            .says_not("note:");
    }
    let run = tulk(&bench, "sync --check").code(1);
    assert_eq!(run.out(), "locales/de/app.json\t3\tb\tde\tbroken\tthe placeholder {name} is missing\n");
    assert_eq!(run.stderr, format!("1 text is broken\nhint: {HINT}"));
    tulk(&bench, "sync --key a").code(0);
    tulk(&bench, "sync --no-check").code(0).says("note: 1 text is broken (--retranslate broken)");
    tulk(&bench, "sync --dry-run").code(0).says("note: 1 text is broken (--retranslate broken)");
    assert!(bench.requests().is_empty());
    let replaced = project_of(&config(), &files);
    tulk(&replaced, "sync --retranslate broken --yes").code(0).prints("locales/en/app.json\tde\tbroken\t1\t12\t1\n");
    assert_eq!(replaced.read(DE), "{\n  \"a\": \"Eins\",\n  \"b\": \"HELLO {name}\"\n}\n");
    tulk(&replaced, "sync --check").code(0);
    let missing = "{\n  \"a\": \"One\",\n  \"b\": \"Hello {name}\",\n  \"c\": \"Three\"\n}\n";
    bench.write(EN, missing);
    tulk(&bench, "sync --check").code(1).says("1 text is not up to date, 1 text is broken\n");
    tulk(&bench, "sync").code(9).prints("locales/en/app.json\tde\tmissing\t1\t5\t1\n");
    tulk(&bench, "sync accept --key b").code(0);
    tulk(&bench, "sync").code(0);
}

#[test]
fn the_printed_retranslate_command_asks_and_changes_only_the_selection() {
    let source = "{\n  \"a\": \"Hi {name}\",\n  \"b\": \"Hello {name}\"\n}\n";
    let files = [(EN, source), (DE, "{\n  \"a\": \"Hi\",\n  \"b\": \"Hallo\"\n}\n")];
    let bench = project_of(&config(), &files);
    let command = "sync --to de --file 'locales/en/*.json' --key a --project tulk.toml --retranslate broken";
    let hint = format!("hint: `tulk {command}` replaces broken translations\n");
    let line = "sync --to de --file locales/en/*.json --key a --project tulk.toml";
    tulk(&bench, line).code(9).says(&hint);
    tulk(&bench, &format!("{line} --check")).code(1).says(&hint);
    let again = format!("{line} --retranslate broken");
    tulk(&bench, &again).code(2).says("replace 1 translation that a person wrote").says("--yes");
    assert_eq!(bench.read(DE), files[1].1);
    tulk(&bench, &format!("{again} --yes")).code(0);
    assert_eq!(bench.read(DE), "{\n  \"a\": \"HI {name}\",\n  \"b\": \"Hallo\"\n}\n");
}

#[test]
fn retranslates_broken_translations_adopted_with_tulk_as_author() {
    let config = config().replace("\"de\"]", "\"de\"]\nadopt = \"tulk\"");
    let bench = project_of(&config, &[(EN, SOURCE), (DE, "{\n  \"a\": \"Eins\",\n  \"b\": \"Hallo\"\n}\n")]);
    tulk(&bench, "sync").code(0).prints("locales/en/app.json\tde\tbroken\t1\t12\t1\n");
    assert_eq!(bench.read(DE), "{\n  \"a\": \"Eins\",\n  \"b\": \"HELLO {name}\"\n}\n");
    assert_eq!(bench.read("tulk.lock").matches(":t:").count(), 2);
}

#[test]
fn a_fluent_reference_in_place_of_literal_braces_is_broken() {
    let config = config().replace("locales/en/*.json", "en.ftl").replace("locales/{lang}/*.json", "{lang}.ftl");
    let source = "a = Write {\"{\"} name {\"}\"} in the field\n";
    let bench = project_of(&config.replace("dialect = \"none\"\n", ""), &[("en.ftl", source)]);
    tulk(&bench, "sync").code(0);
    assert_eq!(bench.read("de.ftl"), "a = WRITE {\"{\"} NAME {\"}\"} IN THE FIELD\n");
    tulk(&bench, "sync --check --strict").code(0);
    bench.write("de.ftl", "a = Schreib { name } ins Feld\n");
    let run = tulk(&bench, "sync --check").code(1);
    run.prints("de.ftl\t1\ta\tde\tbroken\tthe reference to name is not in the source\n");
}
