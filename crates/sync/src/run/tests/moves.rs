//! Renamed keys keep their targets and authors without a request.

use super::{Choices, Tree, counts, no_requests, upper};

#[test]
fn a_renamed_key_keeps_its_target_and_author() {
    let tree = Tree::json("de fr", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    tree.sync(upper).is_clean();
    tree.edit("de/a.json", "de ONE", "Eins");
    tree.sync(no_requests).is_clean();
    tree.edit("en/a.json", "\"a\"", "\"x\"");
    let run = tree.sync(no_requests);
    assert_eq!(counts(run.is_clean()).get("moved"), Some(&2));
    assert_eq!(tree.read("de/a.json"), "{\"x\": \"Eins\", \"b\": \"de TWO\"}");
    assert_eq!(tree.read("fr/a.json"), "{\"x\": \"fr ONE\", \"b\": \"fr TWO\"}");
    let authors = ["en/a.json b de t", "en/a.json b fr t", "en/a.json x de p", "en/a.json x fr t"];
    assert_eq!(tree.authors(), authors);
    tree.edit("en/a.json", "One", "First");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["fr: First"]);
}

#[test]
fn moves_one_language_at_a_time() {
    let files = [("en/a.json", "{\"a\": \"One\", \"s\": [\"A\", \"B\", \"C\"]}")];
    let tree = Tree::json("de fr", &files);
    tree.sync(upper).is_clean();
    tree.write("en/a.json", "{\"x\": \"One\", \"s\": [\"B\", \"C\"]}");
    for lang in ["fr", "de"] {
        tree.sync_with(Choices { to: vec![lang], ..Choices::default() }, no_requests).is_clean();
        let expected = format!("{{\"x\": \"{lang} ONE\", \"s\": [\"{lang} B\", \"{lang} C\"]}}");
        assert_eq!(tree.read(&format!("{lang}/a.json")), expected);
    }
    assert_eq!(tree.authors().len(), 6);
    assert_eq!(tree.findings(), Vec::<String>::new());
}

#[test]
fn list_items_move_up_and_down() {
    let tree = Tree::json("de", &[("en/a.json", "{\"s\": [\"A\", \"B\", \"C\"]}")]);
    tree.sync(upper).is_clean();
    tree.edit("de/a.json", "de B", "Bee");
    tree.sync(no_requests).is_clean();
    tree.write("en/a.json", "{\"s\": [\"B\", \"C\"]}");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("de/a.json"), "{\"s\": [\"Bee\", \"de C\"]}");
    assert_eq!(tree.authors(), ["en/a.json s.0 de p", "en/a.json s.1 de t"]);
    tree.write("en/a.json", "{\"s\": [\"N\", \"B\", \"C\"]}");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: N"]);
    assert_eq!(tree.read("de/a.json"), "{\"s\": [\"de N\", \"Bee\", \"de C\"]}");
    assert_eq!(tree.authors(), ["en/a.json s.0 de t", "en/a.json s.1 de p", "en/a.json s.2 de t"]);
    // Two items swap positions.
    tree.write("en/a.json", "{\"s\": [\"N\", \"C\", \"B\"]}");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("de/a.json"), "{\"s\": [\"de N\", \"de C\", \"Bee\"]}");
}

#[test]
fn keeps_a_list_after_an_item_is_removed_from_source_and_target() {
    let tree = Tree::json("de", &[("en/a.json", "{\"s\": [\"A\", \"B\", \"C\"]}")]);
    tree.sync(upper).is_clean();
    tree.write("en/a.json", "{\"s\": [\"B\", \"C\"]}");
    tree.write("de/a.json", "{\"s\": [\"de B\", \"de C\"]}");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("de/a.json"), "{\"s\": [\"de B\", \"de C\"]}");
}

#[test]
fn a_key_moved_to_another_file_keeps_targets_and_authors() {
    let files = [("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}"), ("en/b.json", "{\"c\": \"Three\"}")];
    let tree = Tree::json("de fr", &files);
    tree.sync(upper).is_clean();
    tree.edit("de/a.json", "de TWO", "Zwei");
    tree.sync(no_requests).is_clean();
    tree.write("en/a.json", "{\"a\": \"One\"}");
    tree.write("en/b.json", "{\"c\": \"Three\", \"b\": \"Two\"}");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.read("de/a.json"), "{\"a\": \"de ONE\"}");
    assert_eq!(tree.read("de/b.json"), "{\"c\": \"de THREE\", \"b\": \"Zwei\"}");
    assert_eq!(tree.read("fr/b.json"), "{\"c\": \"fr THREE\", \"b\": \"fr TWO\"}");
    assert_eq!(tree.authors()[2..4], ["en/b.json b de p", "en/b.json b fr t"]);
    assert_eq!((tree.authors().len(), tree.findings()), (6, Vec::<String>::new()));
}

#[test]
fn a_renamed_file_keeps_its_translations_whether_or_not_the_targets_were_renamed() {
    for renames_target in [true, false] {
        let tree = Tree::json("de", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
        tree.sync(upper).is_clean();
        tree.edit("de/a.json", "de TWO", "Zwei");
        tree.sync(no_requests).is_clean();
        let (source, target) = (tree.read("en/a.json"), tree.read("de/a.json"));
        tree.remove("en/a.json");
        tree.write("en/n.json", &source);
        if renames_target {
            tree.remove("de/a.json");
            tree.write("de/n.json", &target);
        }
        tree.sync(no_requests).is_clean();
        assert_eq!(tree.read("de/n.json"), "{\"a\": \"de ONE\", \"b\": \"Zwei\"}");
        assert_eq!(tree.authors(), ["en/n.json a de t", "en/n.json b de p"]);
        assert_eq!(tree.find("de/a.json").as_deref(), (!renames_target).then_some("{}"));
    }
}

#[test]
fn a_target_that_was_renamed_by_hand_keeps_its_author() {
    let tree = Tree::json("de", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    tree.sync(upper).is_clean();
    tree.edit("en/a.json", "\"a\"", "\"x\"");
    tree.edit("de/a.json", "\"a\"", "\"x\"");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.authors(), ["en/a.json b de t", "en/a.json x de t"]);
}

#[test]
fn ambiguous_moves_are_new_units_and_unused_keys_leave_the_lock() {
    let tree = Tree::json("de", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    tree.sync(upper).is_clean();
    tree.write("en/a.json", "{\"x\": \"One\", \"y\": \"One\", \"b\": \"Two\"}");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: One"]);
    let all = ["en/a.json a de t", "en/a.json b de t", "en/a.json x de t", "en/a.json y de t"];
    assert_eq!((tree.authors(), tree.findings()), (all.map(str::to_owned).to_vec(), vec!["de a extra".to_owned()]));
    let run = tree.sync_with(Choices { prune: true, ..Choices::default() }, no_requests);
    assert_eq!(counts(run.is_clean()).get("pruned"), Some(&1));
    assert_eq!(tree.authors(), all[1..]);
    // Remove a key from source and target.
    tree.write("en/a.json", "{\"x\": \"One\", \"y\": \"One\"}");
    tree.write("de/a.json", "{\"x\": \"de ONE\", \"y\": \"de ONE\"}");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.authors(), all[2..]);
}

#[test]
fn entries_of_removed_files_and_languages_stay_until_pruned() {
    let files = [("en/a.json", "{\"a\": \"One\"}"), ("en/b.json", "{\"b\": \"Two\"}")];
    let tree = Tree::json("de fr", &files);
    tree.sync(upper).is_clean();
    tree.remove("en/b.json");
    tree.edit("tulk.toml", ", \"fr\"", "");
    tree.sync(no_requests).is_clean();
    assert_eq!(tree.authors().len(), 4);
    tree.sync_with(Choices { prune: true, ..Choices::default() }, no_requests).is_clean();
    assert_eq!(tree.authors(), ["en/a.json a de t"]);
}

#[test]
fn outdated_translations_by_people_move_and_stay_outdated() {
    for renamed_first in ["de", "fr"] {
        let tree = Tree::json("de fr", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
        tree.sync(upper).is_clean();
        tree.edit("fr/a.json", "fr ONE", "Un");
        tree.sync(no_requests).is_clean();
        tree.edit("en/a.json", "One", "First");
        assert_eq!(tree.sync(upper).is_clean().sent(), ["de: First"]);
        tree.edit("en/a.json", "\"a\"", "\"x\"");
        for to in [vec![renamed_first], vec![]] {
            tree.sync_with(Choices { to, ..Choices::default() }, no_requests).is_clean();
        }
        assert_eq!(tree.read("fr/a.json"), "{\"x\": \"Un\", \"b\": \"fr TWO\"}");
        assert_eq!(tree.authors()[2..], ["en/a.json x de t", "en/a.json x fr p"]);
        assert_eq!(tree.findings(), ["fr x review"]);
    }
}

#[test]
fn keeps_peoples_translations_if_the_text_changes_between_moves() {
    let tree = Tree::json("de fr it", &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}")]);
    tree.sync(upper).is_clean();
    tree.edit("fr/a.json", "fr ONE", "Un");
    tree.sync(no_requests).is_clean();
    tree.edit("en/a.json", "\"a\"", "\"x\"");
    tree.sync_with(Choices { to: vec!["de"], ..Choices::default() }, no_requests).is_clean();
    tree.edit("en/a.json", "One", "First");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: First", "it: First"]);
    assert_eq!(tree.read("fr/a.json"), "{\"x\": \"Un\", \"b\": \"fr TWO\"}");
    assert_eq!(tree.findings(), ["fr x review", "it a extra"]);
}

#[test]
fn several_outdated_translations_move_in_any_order() {
    let tree = Tree::json(
        "de fr it",
        &[("en/a.json", "{\"a\": \"One\", \"b\": \"Two\"}"), ("en/b.json", "{\"c\": \"Three\"}")],
    );
    tree.sync(upper).is_clean();
    tree.edit("fr/a.json", "fr ONE", "Un");
    tree.sync(no_requests).is_clean();
    tree.edit("en/a.json", "One", "First");
    tree.edit("it/a.json", "it ONE", "Uno");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: First"]);
    tree.edit("en/a.json", "First", "Best");
    assert_eq!(tree.sync(upper).is_clean().sent(), ["de: Best"]);
    tree.write("en/a.json", "{\"b\": \"Two\"}");
    tree.write("en/b.json", "{\"c\": \"Three\", \"x\": \"Best\"}");
    for to in [vec!["it"], vec!["de"], vec!["fr"], vec![]] {
        tree.sync_with(Choices { to, ..Choices::default() }, no_requests).is_clean();
    }
    let targets = ["de", "fr", "it"].map(|lang| tree.read(&format!("{lang}/b.json")));
    let expected = [("de", "de BEST"), ("fr", "Un"), ("it", "Uno")];
    assert_eq!(targets, expected.map(|(lang, text)| format!("{{\"c\": \"{lang} THREE\", \"x\": \"{text}\"}}")));
    assert_eq!(tree.authors()[6..], ["en/b.json x de t", "en/b.json x fr p", "en/b.json x it p"]);
    assert_eq!(tree.findings(), ["fr x review", "it x review"]);
}
