//! Search for the project file.

use std::path::Path;

use super::super::{PROJECT_FILE, Project};
use super::{FORMATS, tree};
use crate::project::{find_project_file, read_given_project_file};

const TEXT: &str = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";

#[test]
fn searches_up_to_the_repository_or_home_directory() {
    let dir = tree(&[
        "tulk.toml",
        "repo/.git/HEAD",
        "repo/a/b/x",
        "home/a/x",
        "home/tulk.toml",
        "worktree/.git",
        "worktree/a/x",
    ]);
    let at = |path: &str| dir.path().join(path);
    let home = at("home");
    let find = |path: &str| find_project_file(&at(path), Some(&home));
    assert_eq!(find("repo/a/b"), None, "above the repository");
    assert_eq!(find("worktree/a"), None, "above a repository whose .git is a file");
    assert_eq!(find("home/a"), Some(at("home/tulk.toml")));
    assert_eq!(find("."), Some(at("./tulk.toml")));
    assert_eq!(find_project_file(&at("home/a"), None), None, "without a home directory only the current one counts");
    std::fs::write(at("repo/tulk.toml"), "").unwrap();
    assert_eq!(find("repo/a/b"), Some(at("repo/tulk.toml")));
    std::fs::write(at("repo/a/tulk.toml"), "").unwrap();
    assert_eq!(find("repo/a/b"), Some(at("repo/a/tulk.toml")), "the nearest");
}

#[test]
fn messages_show_the_path_from_the_current_directory() {
    let dir = tree(&["sub/x"]);
    std::fs::write(dir.path().join(PROJECT_FILE), TEXT.replace("en.json", "../en.json")).unwrap();
    let failure = Project::find_from(dir.path(), Some(dir.path()), FORMATS).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "tulk.toml:5:10: sync.files.source: `../en.json`: `..` is not allowed, since all files are in the project"
    );
    std::fs::write(dir.path().join(PROJECT_FILE), TEXT).unwrap();
    let project = Project::find_from(&dir.path().join("sub"), Some(dir.path()), FORMATS).unwrap();
    assert_eq!(project.path, dir.path().join("tulk.toml"));
    assert_eq!(project.lock_path().unwrap(), dir.path().canonicalize().unwrap().join("tulk.lock"));
    assert_eq!(project.root.path, dir.path());
    let missing = tree(&[]);
    let failure = Project::find_from(missing.path(), None, FORMATS).unwrap_err();
    assert_eq!((failure.what.as_str(), failure.kind.code()), ("there is no tulk.toml in this directory or above", 2));
}

#[test]
fn a_given_project_file_may_be_anywhere_but_must_be_a_file() {
    let dir = tree(&["a/other.toml"]);
    let failure = read_given_project_file(dir.path()).unwrap_err();
    assert!(failure.what.ends_with("is a folder"), "{failure}");
    assert_eq!(read_given_project_file(Path::new("/nonexistent/tulk.toml")).unwrap_err().kind.code(), 2);
    std::fs::write(dir.path().join("a/other.toml"), b"\xff").unwrap();
    assert!(
        read_given_project_file(&dir.path().join("a/other.toml"))
            .unwrap_err()
            .what
            .ends_with("invalid UTF-8 at byte 0")
    );
}
