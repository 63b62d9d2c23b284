//! Sources and targets of a project.

use super::{files, message, shown, tree, with_rules};

fn found(paths: &[&str], rules: &str) -> (Vec<String>, Vec<String>) {
    let dir = tree(paths);
    let project = with_rules(dir.path(), rules).unwrap();
    let found = project.files().unwrap_or_else(|failure| panic!("{failure}"));
    (shown(&project, &found), found.warnings)
}

#[test]
fn targets_get_the_captures_of_the_source() {
    let rules = "[[sync.files]]\nsource = \"locales/en/**/*.json\"\ntarget = \"locales/{lang}/**/*.json\"\nlang_style = \"posix\"\n";
    let paths = [
        "locales/en/shop/cart.json",
        "locales/en/app.json",
        "locales/de/app.json",
        "locales/en/x.txt",
        "locales/en/.hidden/x.json",
    ];
    let (files, warnings) = found(&paths, rules);
    assert_eq!(
        files,
        [
            "locales/en/app.json json locales/en/app.json de=locales/de/app.json pt-BR=locales/pt_BR/app.json",
            "locales/en/shop/cart.json json locales/en/shop/cart.json de=locales/de/shop/cart.json pt-BR=locales/pt_BR/shop/cart.json",
        ]
    );
    assert!(warnings.is_empty());
}

#[test]
fn packages_of_a_repository_have_their_own_targets() {
    let rules = "[[sync.files]]\nsource = \"packages/*/en.json\"\ntarget = \"packages/*/{lang}.json\"\n[[sync.files]]\nsource = \"**/i18n/en.yml\"\ntarget = \"**/i18n/{lang}.yml\"\n";
    let paths = [
        "packages/a/en.json",
        "packages/b/en.json",
        "packages/b/c/en.json",
        "i18n/en.yml",
        "x/y/i18n/en.yml",
        "node_modules/z/i18n/en.yml",
    ];
    let (files, _) = found(&paths, rules);
    assert_eq!(
        files,
        [
            "i18n/en.yml yaml i18n/en.yml de=i18n/de.yml pt-BR=i18n/pt-BR.yml",
            "packages/a/en.json json packages/a/en.json de=packages/a/de.json pt-BR=packages/a/pt-BR.json",
            "packages/b/en.json json packages/b/en.json de=packages/b/de.json pt-BR=packages/b/pt-BR.json",
            "x/y/i18n/en.yml yaml x/y/i18n/en.yml de=x/y/i18n/de.yml pt-BR=x/y/i18n/pt-BR.yml",
        ]
    );
}

#[test]
fn one_file_may_hold_all_languages() {
    let (files, _) = found(&["App/A.xcstrings", "App/B.xcstrings"], "[[sync.files]]\nsource = \"App/*.xcstrings\"\n");
    assert_eq!(
        files,
        [
            "App/A.xcstrings xcstrings App/A.xcstrings de=App/A.xcstrings pt-BR=App/A.xcstrings",
            "App/B.xcstrings xcstrings App/B.xcstrings de=App/B.xcstrings pt-BR=App/B.xcstrings",
        ]
    );
}

#[test]
fn a_rule_may_have_fewer_languages_than_the_project() {
    let rules = "[[sync.files]]\nsource = \"a/en.json\"\ntarget = \"a/{lang}.json\"\ntarget_langs = [\"pt-BR\"]\n\
                 [[sync.files]]\nsource = \"A.xcstrings\"\ntarget_langs = [\"de\"]\n\
                 [[sync.files]]\ntarget = \"{lang}.po\"\ntarget_langs = [\"de\"]\n";
    let (files, _) = found(&["a/en.json", "A.xcstrings", "de.po", "pt-BR.po"], rules);
    assert_eq!(
        files,
        [
            "A.xcstrings xcstrings A.xcstrings de=A.xcstrings",
            "a/en.json json a/en.json pt-BR=a/pt-BR.json",
            "{lang}.po po - de=de.po",
        ]
    );
}

#[test]
fn targets_may_hold_the_source_texts() {
    let rules = "[[sync.files]]\ntarget = \"locale/{lang}/LC_MESSAGES/*.po\"\nlang_style = \"posix\"\n";
    let paths =
        ["locale/de/LC_MESSAGES/django.po", "locale/pt_BR/LC_MESSAGES/djangojs.po", "locale/fr/LC_MESSAGES/other.po"];
    let (files, warnings) = found(&paths, rules);
    assert_eq!(
        files,
        [
            "locale/{lang}/LC_MESSAGES/django.po po - de=locale/de/LC_MESSAGES/django.po pt-BR=locale/pt_BR/LC_MESSAGES/django.po",
            "locale/{lang}/LC_MESSAGES/djangojs.po po - de=locale/de/LC_MESSAGES/djangojs.po pt-BR=locale/pt_BR/LC_MESSAGES/djangojs.po",
        ]
    );
    assert!(warnings.is_empty());
    let with_template = "[[sync.files]]\nsource = \"po/app.pot\"\ntarget = \"po/{lang}.po\"\n";
    assert_eq!(found(&["po/app.pot"], with_template).0, ["po/app.pot po po/app.pot de=po/de.po pt-BR=po/pt-BR.po"]);
}

#[test]
fn a_pattern_without_a_match_is_an_error_unless_it_is_optional() {
    let rules = "[[sync.files]]\nsource = \"en/*.json\"\ntarget = \"{lang}/*.json\"\n[[sync.files]]\nsource = \"x/en.yml\"\ntarget = \"x/{lang}.yml\"\n[[sync.files]]\ntarget = \"{lang}.po\"\n";
    let hint = " (correct the pattern, or add `optional = true` to the rule)";
    let expected = [
        "tulk.toml:4:1: no file matches the source en/*.json",
        "tulk.toml:7:1: no file matches the source x/en.yml",
        "tulk.toml:10:1: no file matches the target {lang}.po",
    ];
    let dir = tree(&[]);
    let missing = files(dir.path(), rules).unwrap();
    assert!(missing.files.is_empty() && missing.warnings.is_empty());
    assert_eq!(missing.unmatched.iter().map(message).collect::<Vec<_>>(), expected.map(|what| format!("{what}{hint}")));
    let optional = rules.replace("[[sync.files]]\n", "[[sync.files]]\noptional = true\n");
    assert!(files(dir.path(), &optional).unwrap().unmatched.is_empty());
}

#[test]
fn a_file_belongs_to_one_rule() {
    let dir = tree(&["a/en.json", "a/de.json", "b/en.json", "a/x.json"]);
    let at = |rules: &str| message(&files(dir.path(), rules).unwrap_err());
    let rule = |source: &str, target: &str| format!("[[sync.files]]\nsource = \"{source}\"\ntarget = \"{target}\"\n");
    for (rules, expected) in [
        (
            rule("a/en.json", "c/{lang}.json") + &rule("b/en.json", "c/{lang}.json"),
            "tulk.toml:7:1: c/de.json is the de target of the rule in line 7, and the de target of the rule in line 4",
        ),
        (
            rule("a/en.json", "a/{lang}.json") + &rule("a/de.json", "b/{lang}.json"),
            "tulk.toml:4:1: a/de.json is the de target of the rule in line 4, and a source of the rule in line 7",
        ),
        (
            rule("a/en.json", "a/{lang}.json") + &rule("*/en.json", "*/x-{lang}.json"),
            "tulk.toml:7:1: a/en.json is a source of the rule in line 7, and a source of the rule in line 4",
        ),
        (
            rule("a/*.json", "a/{lang}*.json") + "[sync.langs.de]\npath = \"x\"\n[sync.langs.pt-BR]\npath = \"x\"\n",
            "tulk.toml:4:1: a/xde.json is the pt-BR target of the rule in line 4, and the de target of the rule in line 4",
        ),
    ] {
        assert_eq!(at(&rules), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_file_under_two_names_belongs_to_one_rule() {
    let dir = tree(&["a/en.json", "b/en.json"]);
    std::os::unix::fs::symlink("../a", dir.path().join("b/link")).unwrap();
    let rules = "[[sync.files]]\nsource = \"a/en.json\"\ntarget = \"a/{lang}.json\"\n[[sync.files]]\nsource = \"b/en.json\"\ntarget = \"b/link/{lang}.json\"\n";
    assert_eq!(
        files(dir.path(), rules).unwrap_err().to_string(),
        "tulk.toml:7:1: b/link/de.json is the de target of the rule in line 7, and the de target of the rule in line 4"
    );
    std::fs::hard_link(dir.path().join("a/en.json"), dir.path().join("a/de.json")).unwrap();
    let rule = "[[sync.files]]\nsource = \"a/en.json\"\ntarget = \"a/{lang}.json\"\n";
    assert_eq!(
        files(dir.path(), rule).unwrap_err().to_string(),
        "tulk.toml:4:1: a/de.json is the de target of the rule in line 4, and a source of the rule in line 4"
    );
}

#[test]
fn many_files_are_found() {
    let paths: Vec<String> = (0..300).map(|n| format!("l/en/{}/f{n}.json", n % 20)).collect();
    let dir = tree(&paths.iter().map(String::as_str).collect::<Vec<_>>());
    let rules = "[[sync.files]]\nsource = \"l/en/**/*.json\"\ntarget = \"l/{lang}/**/*.json\"\n";
    let found = files(dir.path(), rules).unwrap();
    assert_eq!((found.files.len(), found.files[0].lock_name.as_str()), (300, "l/en/0/f0.json"));
}

#[test]
fn wildcards_skip_files_in_gitignore() {
    let paths = [".git/HEAD", "src/en.json", "build/en.json", "build/l/en.json", "old/x/en.json", "own.json"];
    let dir = tree(&paths);
    std::fs::write(dir.path().join(".gitignore"), "/build/\nold/*\n/own.json\n").unwrap();
    std::fs::write(dir.path().join(".ignore"), "src").unwrap();
    let read = |source: &str, target: &str| {
        let rules = format!("[[sync.files]]\nsource = \"{source}\"\ntarget = \"{target}\"\n");
        let found = files(dir.path(), &rules).unwrap();
        let names: Vec<String> = found.files.into_iter().map(|file| file.lock_name).collect();
        (names, found.unmatched.iter().map(message).collect::<Vec<_>>())
    };
    assert_eq!(read("**/en.json", "**/{lang}.json"), (vec!["src/en.json".to_owned()], Vec::new()));
    assert_eq!(
        read("build/**/en.json", "build/**/{lang}.json").0,
        ["build/en.json", "build/l/en.json"],
        "a named folder"
    );
    assert_eq!(read("own.json", "{lang}.json").0, ["own.json"], "a named file");
    let failure = "tulk.toml:4:1: no file matches the source old/*/en.json except those in .gitignore (write its full path, \
                   without wildcards)";
    assert_eq!(read("old/*/en.json", "old/*/{lang}.json"), (Vec::new(), vec![failure.to_owned()]));
    assert_eq!(read("old/x/en.json", "old/x/{lang}.json").0, ["old/x/en.json"]);
}

#[cfg(unix)]
#[test]
fn a_star_follows_links_within_the_project() {
    let dir = tree(&["linked/l/en.json", "p/a/en.json"]);
    std::os::unix::fs::symlink("../linked/l", dir.path().join("p/b")).unwrap();
    let found = files(dir.path(), "[[sync.files]]\nsource = \"p/*/en.json\"\ntarget = \"p/*/{lang}.json\"\n").unwrap();
    let names: Vec<&str> = found.files.iter().map(|file| file.lock_name.as_str()).collect();
    assert_eq!((names, found.warnings), (vec!["p/a/en.json", "p/b/en.json"], Vec::new()));
}

#[cfg(unix)]
#[test]
fn a_file_with_two_paths_is_found_once() {
    use std::os::unix::fs::symlink;

    let dir = tree(&["src/a/locales/en.ftl", "src/c/locales/en.ftl", "src/c/locales/zh-TW.ftl"]);
    std::fs::create_dir(dir.path().join("src/b")).unwrap();
    symlink("../c/locales", dir.path().join("src/b/locales")).unwrap();
    let rules = "[[sync.files]]\nsource = \"src/*/locales/en.ftl\"\ntarget = \"src/*/locales/{lang}.ftl\"\n\
                 [[sync.files]]\nsource = \"src/b/locales/en.ftl\"\ntarget = \"src/b/locales/{lang}.ftl\"\n";
    let project = with_rules(dir.path(), rules).unwrap();
    let found = project.files().unwrap();
    assert_eq!(
        shown(&project, &found),
        [
            "src/a/locales/en.ftl ftl src/a/locales/en.ftl de=src/a/locales/de.ftl pt-BR=src/a/locales/pt-BR.ftl",
            "src/c/locales/en.ftl ftl src/c/locales/en.ftl de=src/c/locales/de.ftl pt-BR=src/c/locales/pt-BR.ftl",
        ]
    );
    assert!(found.warnings.is_empty() && found.unmatched.is_empty());
}

#[cfg(unix)]
#[test]
fn a_target_that_is_a_link_to_another_language_is_left_out() {
    use std::os::unix::fs::symlink;

    let dir = tree(&["en.json", "pt-BR.json"]);
    symlink("pt-BR.json", dir.path().join("de.json")).unwrap();
    let rules = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    let project = with_rules(dir.path(), rules).unwrap();
    let found = project.files().unwrap();
    assert_eq!(shown(&project, &found), ["en.json json en.json pt-BR=pt-BR.json"]);
    assert_eq!(found.warnings, ["de.json is a link to pt-BR.json; de is left out"]);
    std::fs::remove_file(dir.path().join("de.json")).unwrap();
    symlink("en.json", dir.path().join("de.json")).unwrap();
    assert_eq!(project.files().unwrap().warnings, ["de.json is a link to en.json; de is left out"]);
}
