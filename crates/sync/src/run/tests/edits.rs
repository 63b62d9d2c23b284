//! Edits by people are kept, and the lock survives merges.

use super::{Choices, Retranslate, Tree, no_requests, upper};

const FILES: &[(&str, &str)] = &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")];

#[test]
fn keeps_a_persons_edits_when_the_source_changes() {
    let tree = Tree::json("de", FILES);
    tree.sync(upper).is_clean();
    tree.edit("de/a.json", "de ONE", "Eins");
    tree.edit("en/a.json", "One", "One!");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.findings(), Vec::<String>::new());
    tree.edit("en/a.json", "One!", "One?");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.findings(), ["de a review"]);
    tree.edit("de/a.json", "Eins", "Eins?");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.findings(), Vec::<String>::new());
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"Eins?\", \"b\": \"de TWO\"}");
    assert_eq!(tree.authors(), ["en/a.json a de p", "en/a.json b de t"]);
    let choices = Choices { retranslate: vec![Retranslate::All], ..Choices::default() };
    assert_eq!(tree.sync_with(choices, upper).is_clean().sent(), ["de: Two"]);
}

#[test]
fn a_run_for_one_language_leaves_others_stale() {
    let tree = Tree::json("de fr", FILES);
    tree.sync(upper).is_clean();
    tree.edit("en/a.json", "One", "Uno");
    let to = |lang| Choices { to: vec![lang], ..Choices::default() };
    assert_eq!(tree.sync_with(to("de"), upper).is_clean().sent(), ["de: Uno"]);
    assert_eq!(tree.findings(), ["fr a stale"]);
    assert_eq!(tree.sync_with(to("fr"), upper).is_clean().sent(), ["fr: Uno"]);
}

#[test]
fn adopt_sets_the_author_after_the_lock_is_lost() {
    for (adopt, author) in [("", "p"), ("adopt = \"tulk\"\n", "t")] {
        let tree = Tree::new(
            "de",
            &format!("{adopt}[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{{lang}}/*.json\"\n"),
            FILES,
        );
        tree.sync(upper).is_clean();
        tree.remove("tulk.lock");
        tree.sync(no_requests).is_clean();
        assert_eq!(tree.authors(), [format!("en/a.json a de {author}"), format!("en/a.json b de {author}")]);
    }
}

#[test]
fn after_a_merge_the_entry_that_fits_the_target_is_kept() {
    let tree = Tree::json("de", FILES);
    tree.sync(upper).is_clean();
    let clean = tree.read("tulk.lock");
    let other = clean.replace(":t:", ":p:").replace("de:p:", "de:p:AAAAAAA:AAAAAAA\tx:p:");
    let markers = format!("<<<<<<< ours\n{clean}||||||| base\nrubbish\n=======\n{other}>>>>>>> theirs\n");
    let union = format!("{clean}{}", clean.replace(":t:", ":t:AAAAAAA:AAAAAAA\tfr:t:"));
    for merged in [markers, union] {
        tree.write("tulk.lock", &merged);
        assert_eq!(tree.findings(), Vec::<String>::new());
        tree.sync(no_requests).is_clean();
        let lock = tree.read("tulk.lock");
        assert!(!lock.contains("<<<") && !lock.contains("AAAAAAA:AAAAAAA"), "{lock}");
        let own: Vec<String> = tree.authors().into_iter().filter(|line| line.contains(" de ")).collect();
        assert_eq!(own, ["en/a.json a de t", "en/a.json b de t"]);
    }
    // No entry fits the target, so the target counts as written by a person.
    let wrong =
        |target: &str| clean.lines().map(|line| format!("{}{target}\n", &line[..line.len() - 7])).collect::<String>();
    tree.write("tulk.lock", &format!("{}{}", wrong("AAAAAAA"), wrong("BBBBBBB")));
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.authors(), ["en/a.json a de p", "en/a.json b de p"]);
}

#[test]
fn keeps_entries_added_to_the_lock_during_the_run() {
    let tree = Tree::json("de", FILES);
    tree.sync_with(Choices { key: Some("a"), ..Choices::default() }, upper).is_clean();
    let other = "zz.json\tk\tfr:t:AAAAAAA:AAAAAAA\n";
    let run = tree.sync(|lang, text| {
        let lock = tree.read("tulk.lock");
        tree.write("tulk.lock", &format!("{lock}{other}"));
        upper(lang, text)
    });
    run.is_clean();
    assert_eq!(tree.authors(), ["en/a.json a de t", "en/a.json b de t", "zz.json k fr t"]);
}

#[test]
fn keeps_a_lock_created_during_the_run() {
    let tree = Tree::json("de", FILES);
    let other = "zz.json\tk\tfr:p:AAAAAAA:AAAAAAA\n";
    let run = tree.sync(|lang, text| {
        tree.write("tulk.lock", other);
        upper(lang, text)
    });
    run.is_clean();
    assert_eq!(tree.authors(), ["en/a.json a de t", "en/a.json b de t", "zz.json k fr p"]);
}

#[test]
fn keeps_and_reports_edits_during_the_run() {
    let tree = Tree::json("de", FILES);
    tree.sync(upper).is_clean();
    tree.edit("en/a.json", "One", "Uno");
    tree.edit("en/a.json", "Two", "Due");
    let run = tree.sync(|lang, text| {
        if tree.read("de/a.json").contains("de ONE") {
            tree.edit("de/a.json", "de ONE", "Eins");
        }
        upper(lang, text)
    });
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"Eins\", \"b\": \"de DUE\"}");
    let kept: Vec<String> =
        run.outcome.kept.iter().map(|kept| format!("{} {} {}", kept.at, kept.key, kept.why)).collect();
    assert_eq!(kept, ["de/a.json a it was changed in the meantime"]);
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.authors(), ["en/a.json a de p", "en/a.json b de t"]);
}

#[test]
fn changed_notes_matter_unless_context_is_none() {
    let rule = "[[sync.files]]\nsource = \"en.arb\"\ntarget = \"{lang}.arb\"\n";
    let source = "{\"a\": \"One\", \"@a\": {\"description\": \"n\"}, \"b\": \"Two\", \"@b\": {\"description\": \"n\"}}";
    for (context, expected) in [("notes", vec!["de a stale", "de b review"]), ("none", vec![])] {
        let tree = Tree::new("de", &format!("context = {context:?}\n{rule}"), &[("en.arb", source)]);
        tree.sync(upper).is_clean();
        tree.edit("de.arb", "de TWO", "Zwei");
        tree.sync(no_requests).is_clean();
        tree.write("en.arb", &source.replace("\"n\"", "\"m\""));
        assert_eq!(tree.findings(), expected);
        let lock = tree.read("tulk.lock");
        tree.sync(upper).is_clean();
        assert_eq!(tree.read("tulk.lock") == lock, context == "none");
    }
}

#[test]
fn normalizes_the_lock_but_keeps_crlf() {
    let tree = Tree::json("de", FILES);
    tree.sync(upper).is_clean();
    let clean = tree.read("tulk.lock");
    for other in
        [format!("{clean}rubbish\n"), format!("{clean}{clean}"), format!("<<<<<<< a\n{clean}=======\n>>>>>>> b\n")]
    {
        tree.write("tulk.lock", &other);
        tree.sync(no_requests).is_clean();
        assert_eq!(tree.read("tulk.lock"), clean);
    }
    let windows = clean.replace('\n', "\r\n");
    tree.write("tulk.lock", &windows);
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("tulk.lock"), windows);
}

#[test]
fn after_a_merge_drops_all_entries_if_none_fits_the_target() {
    let tree =
        Tree::json("de", &[("en/a.json", "{\"a\": \"Hello {{name}}\"}"), ("de/a.json", "{\"a\": \"Hello {{name}}\"}")]);
    let line = |target: &str| format!("en/a.json\ta\tde:t:AAAAAAA:{target}\tfr:t:AAAAAAA:AAAAAAA\n");
    tree.write("tulk.lock", &format!("{}{}", line("AAAAAAA"), line("BBBBBBA")));
    assert_eq!(tree.findings(), ["de a same"]);
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.findings(), ["de a same"]);
    assert_eq!(tree.authors(), ["en/a.json a fr t"]);
}

#[test]
fn pruning_the_complete_project_cleans_the_lock() {
    let tree = Tree::json("de", FILES);
    tree.sync(upper).is_clean();
    let clean = tree.read("tulk.lock");
    let old = format!("{}zz.json\tk\tde:t:AAAAAAA:AAAAAAA\n", clean.replace("\tde:", "\tfr:t:AAAAAAA:AAAAAAA\tde:"));
    tree.write("tulk.lock", &old);
    let prune = |to: &[&'static str]| Choices { prune: true, to: to.to_vec(), ..Choices::default() };
    tree.sync(no_requests).is_clean();
    tree.sync_with(prune(&["de"]), no_requests).is_clean();
    assert!(tree.read("tulk.lock").contains("fr:t:") && tree.read("tulk.lock").contains("zz.json"));
    tree.sync_with(prune(&[]), no_requests).is_clean();
    assert_eq!(tree.read("tulk.lock"), clean);
}

#[test]
fn pruning_removes_keys_missing_in_a_bilingual_target() {
    let po = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\nmsgid \"One\"\nmsgstr \"Eins\"\n";
    let tree = Tree::new("de", "[[sync.files]]\ntarget = \"{lang}.po\"\n", &[("de.po", po)]);
    tree.sync(no_requests).is_clean();
    let clean = tree.read("tulk.lock");
    tree.write("tulk.lock", &format!("{clean}{{lang}}.po\tgone\tde:t:AAAAAAA:AAAAAAA\n"));
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("tulk.lock").lines().count(), 2);
    tree.sync_with(Choices { prune: true, ..Choices::default() }, no_requests).is_clean();
    assert_eq!(tree.read("tulk.lock"), clean);
}
