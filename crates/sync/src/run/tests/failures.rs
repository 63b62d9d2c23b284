//! Failures of units, languages and files.

use tulk_base::error::{Failure, ServiceError};

use super::{Choices, Kind, Retranslate, Tree, failure, no_requests, upper};

const FILES: &[(&str, &str)] = &[("en/a.json", "{\"a\": \"One {{x}}\", \"b\": \"Two\"}")];

fn i18next(langs: &str) -> Tree {
    let rule = "[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"i18next\"\n";
    Tree::new(langs, rule, FILES)
}

#[allow(clippy::unnecessary_wraps)] // the type of a service
fn loses(lang: &str, text: &str) -> Result<String, Failure> {
    if text.contains('<') { Ok("lost".to_owned()) } else { upper(lang, text) }
}

#[allow(clippy::unnecessary_wraps)] // the type of a service
fn keeps(lang: &str, text: &str) -> Result<String, Failure> {
    Ok(format!("{lang} {text}"))
}

#[test]
fn a_lost_placeholder_fails_its_unit_until_something_changes() {
    let tree = i18next("de");
    let run = tree.sync(loses);
    assert_eq!((run.outcome.failed.len(), run.outcome.written), (1, 1));
    assert_eq!(run.sent().iter().filter(|text| text.contains("One")).count(), 2, "it is tried once more");
    assert_eq!(tree.authors(), ["en/a.json a de x", "en/a.json b de t"]);
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.findings(), ["de a failed"]);
    let choices = || Choices { retranslate: vec![Retranslate::Failed], ..Choices::default() };
    assert_eq!(tree.sync_with(choices(), loses).outcome.failed.len(), 1);
    tree.sync_with(choices(), keeps).is_clean();
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de One {{x}}\", \"b\": \"de TWO\"}");
    // An existing target is kept.
    tree.edit("en/a.json", "One", "Uno");
    assert_eq!(tree.sync(loses).outcome.failed.len(), 1);
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de One {{x}}\", \"b\": \"de TWO\"}");
    tree.sync(no_requests).is_clean();
    tree.edit("en/a.json", "Uno", "Une");
    tree.sync(keeps).is_clean();
    assert_eq!(tree.findings(), Vec::<String>::new());
}

#[test]
fn a_failing_language_does_not_affect_the_others() {
    let tree = i18next("de fr");
    let run = tree.sync(|lang, text| if lang == "fr" { Err(failure(Kind::Network)) } else { keeps(lang, text) });
    assert_eq!(
        run.outcome.failures.iter().map(|failure| failure.what.as_str()).collect::<Vec<_>>(),
        ["fr: the request failed"]
    );
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de One {{x}}\", \"b\": \"de Two\"}");
    assert_eq!((tree.find("fr/a.json"), tree.authors().len()), (None, 2));
    assert_eq!(tree.sync(keeps).is_clean().requests.len(), 1, "only the other language is sent");
}

#[test]
fn a_bad_key_or_a_spent_quota_stops_all_languages() {
    for (kind, status) in [(Kind::Key, 401), (Kind::Quota, 456)] {
        let tree = i18next("de fr it es nl");
        let run = tree
            .sync(|_, _| Err(failure(kind).service(ServiceError { status: Some(status), ..ServiceError::default() })));
        assert_eq!(run.outcome.ended_by.map(|failure| failure.kind), Some(kind));
        assert!(run.requests.len() <= 2, "{} requests", run.requests.len());
        assert_eq!(run.outcome.written, 0);
    }
}

#[test]
fn an_empty_result_fails_its_unit() {
    let rule = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    let tree = Tree::new("de", rule, &[("en.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    let run = tree.sync(|lang, text| if text == "One" { Ok(" ".to_owned()) } else { upper(lang, text) });
    assert_eq!(run.outcome.failed[0].why, "the result is empty");
    assert_eq!(tree.read("de.json"), "{\"b\": \"de TWO\"}");
}

#[test]
fn keeps_the_answers_for_a_broken_target() {
    let files = [("en/a.json", "{\"a\": \"One\"}"), ("en/b.json", "{\"b\": \"Two\"}"), ("de/b.json", "{\"b\": ")];
    let tree = Tree::json("de", &files);
    let run = tree.sync(upper);
    assert_eq!((run.outcome.failures.len(), run.outcome.written), (1, 1));
    assert_eq!(tree.read("de/b.json"), "{\"b\": ");
    tree.write("de/b.json", "{}");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Two"]);
}

#[test]
fn a_target_that_is_removed_during_the_run_is_not_created_again() {
    let tree = Tree::json("de", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    tree.sync(upper).is_clean();
    tree.edit("en/a.json", "One", "Uno");
    let run = tree.sync(|lang, text| {
        tree.remove("de/a.json");
        upper(lang, text)
    });
    assert_eq!(run.outcome.failures[0].what, "de/a.json was removed in the meantime");
    assert_eq!(tree.find("de/a.json"), None);
    tree.write("de/a.json", "{\"a\": \"de ONE\", \"b\": \"de TWO\"}");
    assert_eq!(tree.sync(no_requests).is_clean().outcome.written, 1, "the answer was kept");
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de UNO\", \"b\": \"de TWO\"}");
}

#[test]
fn keeps_answers_until_a_target_broken_during_the_run_is_repaired() {
    let tree = Tree::json("de", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    tree.sync(upper).is_clean();
    tree.edit("en/a.json", "One", "Uno");
    let run = tree.sync(|lang, text| {
        tree.write("de/a.json", "{\"a\": ");
        upper(lang, text)
    });
    assert_eq!(run.outcome.failures.len(), 1);
    // A run that cannot write the target keeps the answers.
    assert_eq!(tree.sync(no_requests).outcome.failures.len(), 1);
    tree.write("de/a.json", "{\"a\": \"de ONE\", \"b\": \"de TWO\"}");
    assert_eq!(tree.sync(no_requests).is_clean().outcome.written, 1);
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de UNO\", \"b\": \"de TWO\"}");
}
