//! `tulk --sandbox sync`: pseudo-localization without an account.

use super::tulk;
use crate::common::Bench;

const PROJECT: &str = r#"[sync]
source_lang = "en"
target_langs = ["de"]
pseudo_langs = ["en-XA", "ar-XB"]
formality = "more"
glossary = "Shop"

[[sync.files]]
source = "locales/{lang}.json"
target = "locales/{lang}.json"
dialect = "i18next"
"#;

fn project() -> Bench {
    let bench = Bench::bare().env("TULK_SANDBOX_ENGINE", "upper");
    bench.write("tulk.toml", PROJECT.replace("source = \"locales/{lang}.json\"", "source = \"locales/en.json\""));
    bench.write(
        "locales/en.json",
        "{\n  \"open\": \"Open\",\n  \"hello\": \"Hello {{name}}\",\n  \"n\": \"{{n}}\"\n}\n",
    );
    bench
}

#[test]
fn pseudo_texts_are_longer_and_in_brackets() {
    let bench = project();
    let run = tulk(&bench, "--sandbox sync --to en-XA").code(0);
    assert_eq!(run.out(), "locales/en.json\ten-XA\tmissing\t3\t18\t1\n");
    let expected = "{\n  \"open\": \"[OPEN ~]\",\n  \"hello\": \"[HELLO {{name}} ~~~~]\",\n  \"n\": \"{{n}}\"\n}\n";
    assert_eq!(bench.read("locales/en-XA.json"), expected);
    for path in ["tulk.lock", "locales/de.json", "locales/ar-XB.json"] {
        assert!(!bench.path(path).exists(), "{path}");
    }
    // Existing units are also written again.
    bench.write("locales/en-XA.json", expected.replace("OPEN", "edited"));
    tulk(&bench, "--sandbox sync").code(0);
    assert_eq!(bench.read("locales/en-XA.json"), expected);
    assert_eq!(bench.read("locales/ar-XB.json"), expected);
    assert!(!bench.path("tulk.lock").exists() && !bench.path("locales/de.json").exists());
}

#[test]
fn a_check_covers_the_target_languages() {
    let bench = project();
    let rows = "de\topen\nde\thello\nde\tn\n";
    tulk(&bench, "--sandbox sync --check --columns target_lang,key").code(1).prints(rows);
    tulk(&bench, "sync --check --columns target_lang,key").code(1).prints(rows);
    tulk(&bench, "--sandbox sync --to de").code(2).says("error: --to de: the project has no such pseudo-language\n");
    tulk(&bench, "sync --check --to en-XA").code(2).says("--to en-XA: the project has no such target language");
}

#[test]
fn without_pseudo_languages_a_sandbox_sync_is_refused_but_a_dry_run_works() {
    let bench = project();
    bench.write("tulk.toml", bench.read("tulk.toml").replace("pseudo_langs = [\"en-XA\", \"ar-XB\"]\n", ""));
    for line in ["--sandbox sync", "--sandbox sync --to de"] {
        tulk(&bench, line).code(2).prints("").says(
            "error: the sandbox does not write your languages (de)\n  hint: add `pseudo_langs = [\"en-XA\"]` to tulk.toml, \
             or start a server with tulk sandbox serve and sync without --sandbox and TULK_SANDBOX, with \
             TULK_SERVER=ADDRESS TULK_API_KEY=sandbox\n",
        );
    }
    let row = "locales/en.json\tde\tmissing\t3\t18\t1\n";
    tulk(&bench, "--sandbox sync --dry-run").code(0).prints(row).says_nothing();
    tulk(&bench, "sync --dry-run").code(0).prints(row).says_nothing();
    assert!(!bench.path("locales/de.json").exists());
}
