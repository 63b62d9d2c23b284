//! Malicious projects: they cannot read files outside, redirect requests, or take long.

use tulk_growth::assert_linear;

use super::{files, message, project, tree, with_rules};
use crate::project::read_given_project_file;

const REFUSED: &[(&str, &str)] = &[
    ("[sync]\nserver = \"http://x\"", "2:1: sync.server: not allowed in a project file: it would redirect your texts"),
    (
        "[sync]\nbase_url = \"http://x\"",
        "2:1: sync.base_url: not allowed in a project file: it would redirect your texts",
    ),
    ("[sync]\nservice = \"x\"", "2:1: sync.service: not allowed in a project file: it would redirect your texts"),
    ("[sync]\nproxy = \"http://x\"", "2:1: sync.proxy: not allowed in a project file: it would redirect your texts"),
    ("[sync]\nca_file = \"x\"", "2:1: sync.ca_file: not allowed in a project file: it would redirect your texts"),
    ("[services.x]\nbase_url = \"x\"", "1:2: services: not allowed in a project file: it would redirect your texts"),
    ("[sync]\nprofile = \"work\"", "2:1: sync.profile: not allowed in a project file: it would choose your key"),
    ("default_profile = \"x\"", "1:1: default_profile: not allowed in a project file: it would choose your key"),
    ("[profiles.x]\nformality = \"more\"", "1:2: profiles: not allowed in a project file: it would choose your key"),
    (
        "[sync]\nkey_command = \"rm -rf /\"",
        "2:1: sync.key_command: not allowed in a project file: it would choose your key",
    ),
    ("[sync]\napi-key = \"x\"", "2:1: sync.api-key: not allowed in a project file: it would choose your key"),
    (
        "[sync]\ncontext_file = \"/etc/passwd\"",
        "2:1: sync.context_file: not allowed in a project file: it would choose which other files are read or written",
    ),
    (
        "[sync]\nout_dir = \"/\"",
        "2:1: sync.out_dir: not allowed in a project file: it would choose which other files are read or written",
    ),
    (
        "[sync]\nparam = [\"a=1\"]",
        "2:1: sync.param: not allowed in a project file: it would change how requests are sent",
    ),
    ("[sync]\ncache = true", "2:1: sync.cache: not allowed in a project file: it would change how requests are sent"),
    (
        "[sync]\nreporting_tag = \"x\"",
        "2:1: sync.reporting_tag: not allowed in a project file: it would change how requests are sent",
    ),
    (
        "[[sync.files]]\nserver = \"x\"",
        "2:1: sync.files.server: not allowed in a project file: it would redirect your texts",
    ),
    (
        "[sync.langs.de]\nendpoint = \"x\"",
        "2:1: sync.langs.de.endpoint: not allowed in a project file: it would redirect your texts",
    ),
];

#[test]
fn refuses_settings_that_redirect_requests_or_read_files() {
    let dir = tree(&[]);
    let own = "(set it on the command line, or in your own settings: `tulk config set`)";
    for (text, what) in REFUSED {
        let refused = message(&project(dir.path(), text).unwrap_err());
        assert_eq!(refused, format!("tulk.toml:{what} {own}"));
    }
}

#[test]
fn refuses_paths_outside_the_project() {
    let dir = tree(&["x/en.json"]);
    for path in [
        "../en.json",
        "/etc/en.json",
        "~/en.json",
        "a/../../en.json",
        ".git/en.json",
        "a/.GITHUB/en.json",
        "C:/en.json",
        "a\\\\en.json",
        "a\\u0000/en.json",
    ] {
        let target = path.replace("en.json", "{lang}.json");
        for rule in [
            format!("source = \"{path}\"\ntarget = \"x/{{lang}}.json\""),
            format!("source = \"x/en.json\"\ntarget = \"{target}\""),
        ] {
            let failure = with_rules(dir.path(), &format!("[[sync.files]]\n{rule}")).unwrap_err();
            assert_eq!(failure.kind.code(), 2, "{rule}");
        }
    }
    assert_eq!(
        failure_of(dir.path(), "[[sync.files]]\nsource = \"x/en.json\"\ntarget = \".{lang}/*.json\""),
        "tulk.toml:6:10: sync.files.target: its wildcards (`*`) differ from those of the source (none)"
    );
}

fn failure_of(dir: &std::path::Path, rules: &str) -> String {
    let failure = files(dir, rules).unwrap_err();
    assert_eq!(failure.kind.code(), 2, "{failure}");
    failure.to_string()
}

#[test]
fn refuses_paths_that_are_in_an_off_limits_folder_once_placeholders_are_filled_in() {
    let dir = tree(&["x/en.json", "y/git/en.json"]);
    let lang =
        "[[sync.files]]\nsource = \"x/en.json\"\ntarget = \".{lang}/hooks.json\"\n[sync.langs.de]\npath = \"git\"\n";
    assert_eq!(
        failure_of(dir.path(), lang),
        "tulk.toml:4:1: `.git/hooks.json`: no file in `.git` may be read or written"
    );
    let wildcard = "[[sync.files]]\nsource = \"y/*/en.json\"\ntarget = \".*/{lang}.json\"\n";
    assert_eq!(
        failure_of(dir.path(), wildcard),
        "tulk.toml:4:1: `.git/de.json`: no file in `.git` may be read or written"
    );
    for path in ["..", ".git", "a/b", "a*", "{lang}", "a\\nb", "", "C:"] {
        let rules = format!(
            "[[sync.files]]\nsource = \"x/en.json\"\ntarget = \"x/{{lang}}\"\n[sync.langs.de]\npath = \"{path}\"\n"
        );
        assert!(with_rules(dir.path(), &rules).is_err(), "{path}");
    }
}

#[test]
fn project_file_and_lock_cannot_be_targets() {
    let dir = tree(&["x.toml", "tulk.toml"]);
    let rules = "[[sync.files]]\nsource = \"x.toml\"\ntarget = \"tulk.{lang}\"\n[sync.langs.de]\npath = \"lock\"\n";
    assert_eq!(
        failure_of(dir.path(), rules),
        "tulk.toml:4:1: tulk.lock is the de target of the rule in line 4, and a file of tulk itself"
    );
    assert_eq!(
        failure_of(dir.path(), &rules.replace("tulk.{lang}", "{lang}.toml").replace("\"lock\"", "\"Tulk\"")),
        "tulk.toml:4:1: Tulk.toml is the de target of the rule in line 4, and a file of tulk itself"
    );
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use tulk_base::error::Failure;

    use super::super::super::{ProjectRoot, ResolvedPath};
    use super::*;
    use crate::project::read_found_project_file;

    const RULE: &str = "[[sync.files]]\nsource = \"l/en.json\"\ntarget = \"l/{lang}.json\"\n";

    /// Returns the message for a project with a link to a file or folder outside it.
    fn with_link(paths: &[&str], link: &str, to: &str, rules: &str) -> String {
        let outside = tree(&["en.json", "de.json", "secret/en.json"]);
        let dir = tree(paths);
        let link = dir.path().join(link);
        std::fs::create_dir_all(link.parent().unwrap()).unwrap();
        symlink(outside.path().join(to), link).unwrap();
        let text = failure_of(dir.path(), rules);
        text.replace(outside.path().canonicalize().unwrap().to_str().unwrap(), "OUT")
    }

    #[test]
    fn links_that_leave_the_project_are_errors() {
        let leaves = |link: &str, to: &str| {
            format!("tulk.toml:4:1: {link} is a link that leaves the project: it leads to OUT{to}")
        };
        assert_eq!(with_link(&[], "l/en.json", "en.json", RULE), leaves("l/en.json", "/en.json"), "a source");
        assert_eq!(
            with_link(&["l/en.json"], "l/de.json", "de.json", RULE),
            leaves("l/de.json", "/de.json"),
            "a target"
        );
        assert_eq!(with_link(&[], "l", "", RULE), leaves("l", ""), "a folder of sources");
        let parent = "[[sync.files]]\nsource = \"l/en.json\"\ntarget = \"t/{lang}/x.json\"\n";
        assert_eq!(
            with_link(&["l/en.json"], "t/de", "secret", parent),
            leaves("t/de", "/secret"),
            "the parent of a target"
        );
        let named = "[[sync.files]]\nsource = \"l/s/*.json\"\ntarget = \"t/{lang}/*.json\"\n";
        assert_eq!(with_link(&["l/x"], "l/s", "secret", named), leaves("l/s", "/secret"), "a folder of a pattern");
        let wildcard = "[[sync.files]]\nsource = \"l/*.json\"\ntarget = \"t/{lang}/*.json\"\n";
        assert_eq!(
            with_link(&["l/a.json"], "l/en.json", "en.json", wildcard),
            leaves("l/en.json", "/en.json"),
            "a file of a pattern"
        );
        let missing = with_link(&["l/en.json"], "l/de.json", "new.json", RULE);
        assert_eq!(
            missing, "tulk.toml:4:1: l/de.json is a link to a file that does not exist",
            "written, it would be outside"
        );
    }

    #[test]
    fn wildcards_do_not_follow_links_out_of_the_project() {
        let outside = tree(&["en.json", "x/en.json"]);
        let dir = tree(&["p/a/en.json"]);
        symlink(outside.path(), dir.path().join("p/b")).unwrap();
        symlink(".", dir.path().join("p/loop")).unwrap();
        let one =
            files(dir.path(), "[[sync.files]]\nsource = \"p/*/en.json\"\ntarget = \"p/*/{lang}.json\"\n").unwrap();
        assert_eq!(one.files.len(), 1);
        let warning = format!(
            "p/b is a link that leaves the project: it leads to {}; it is not followed",
            outside.path().canonicalize().unwrap().display()
        );
        assert_eq!(one.warnings, [warning]);
        let all =
            files(dir.path(), "[[sync.files]]\nsource = \"p/**/en.json\"\ntarget = \"p/**/{lang}.json\"\n").unwrap();
        assert_eq!((all.files.len(), all.warnings.len()), (1, 0));
    }

    #[test]
    fn allows_links_above_and_within_the_project() {
        let above = tree(&["real/project/shared/en.json"]);
        symlink("real", above.path().join("link")).unwrap();
        symlink("shared", above.path().join("real/project/l")).unwrap();
        let dir = above.path().join("link/project");
        let found = files(&dir, RULE).unwrap();
        assert_eq!(found.files[0].lock_name, "l/en.json");
        let read = with_rules(&dir, RULE).unwrap();
        let expected = above.path().canonicalize().unwrap().join("real/project/shared/de.json");
        assert_eq!(read.resolve(Path::new("l/de.json")).unwrap(), ResolvedPath::Missing(expected));
    }

    #[test]
    fn a_link_into_an_off_limits_folder_is_an_error() {
        let dir = tree(&[".git/hooks/en.json"]);
        symlink(".git/hooks", dir.path().join("l")).unwrap();
        assert_eq!(failure_of(dir.path(), RULE), "tulk.toml:4:1: l is a link to .git/hooks, which is off limits");
    }

    #[test]
    fn only_regular_files_are_sources_and_targets() {
        let fifo = |path: &Path| {
            assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
        };
        let dir = tree(&["l/x"]);
        fifo(&dir.path().join("l/en.json"));
        assert_eq!(failure_of(dir.path(), RULE), "tulk.toml:4:1: l/en.json is not a regular file");
        assert_eq!(
            failure_of(dir.path(), &RULE.replace("l/en", "l/*").replace("l/{lang}", "{lang}/*")),
            "tulk.toml:4:1: l/en.json is not a regular file"
        );
        let dir = tree(&["l/en.json"]);
        fifo(&dir.path().join("l/de.json"));
        assert_eq!(failure_of(dir.path(), RULE), "tulk.toml:4:1: l/de.json is not a regular file");
        let dir = tree(&["l/en.json/x"]);
        assert_eq!(failure_of(dir.path(), RULE), "tulk.toml:4:1: l/en.json is a folder");
        let dir = tree(&["l"]);
        assert_eq!(failure_of(dir.path(), RULE), "tulk.toml:4:1: l is not a folder");
    }

    #[test]
    fn a_project_file_that_is_a_link_or_a_fifo_is_refused() {
        let dir = tree(&[]);
        let root = ProjectRoot::new(dir.path()).unwrap();
        let path = dir.path().join("tulk.toml");
        symlink("/etc/passwd", &path).unwrap();
        assert!(
            read_found_project_file(&path, &root)
                .unwrap_err()
                .what
                .starts_with("tulk.toml is a link that leaves the project")
        );
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let is_refused = |read: Result<String, Failure>| read.unwrap_err().what.ends_with("is not a regular file");
        assert!(is_refused(read_found_project_file(&path, &root)) && is_refused(read_given_project_file(&path)));
    }
}

#[cfg(unix)] // Windows does not allow these names
#[test]
fn names_with_control_characters_are_refused() {
    let dir = tree(&["l/a\nb.json"]);
    let rules = "[[sync.files]]\nsource = \"l/*.json\"\ntarget = \"{lang}/*.json\"\n";
    assert_eq!(failure_of(dir.path(), rules), "tulk.toml:4:1: `l/a\\nb.json` has control characters");
}

#[test]
fn refuses_deeply_nested_paths() {
    let dir = tree(&[&format!("{}en.json", "a/".repeat(200))]);
    let rules = "[[sync.files]]\nsource = \"**/en.json\"\ntarget = \"**/{lang}.json\"\n";
    assert!(failure_of(dir.path(), rules).ends_with("a path has more than 4,096 bytes or 128 parts"));
}

#[test]
fn large_and_strange_project_files_are_refused() {
    let dir = tree(&[]);
    let path = dir.path().join("tulk.toml");
    std::fs::write(&path, vec![b'#'; 10_000_000]).unwrap();
    let failure = read_given_project_file(&path).unwrap_err();
    assert!(failure.what.contains(" is larger than 1 MiB, the limit of a project file"), "{failure}");
    for text in [
        format!("a = {}", "[".repeat(200_000)),
        format!("a = {}", "{b=".repeat(60_000)),
        format!("{} = 1", "a.".repeat(100_000)),
        format!("[{}b]", "a.".repeat(100_000)),
        format!("[sync]\nsource_lang = \"{}\"", "a-".repeat(100_000)),
    ] {
        assert!(project(dir.path(), &text).is_err());
    }
}

#[test]
fn many_rules_and_languages_take_linear_time() {
    let dir = tree(&[]);
    let rules = |n| "[[sync.files]]\nsource=\"en.json\"\ntarget=\"{lang}.json\"\n".repeat(n);
    assert_linear("rules", 250, rules, |rules| {
        let count = rules.matches("source").count();
        assert_eq!(with_rules(dir.path(), rules).unwrap().settings.rules.len(), count);
    });
    let langs = |n| {
        let langs: Vec<String> = (0..n).map(|n| format!("\"de-x-a{n}\"")).collect();
        format!(
            "[sync]\nsource_lang = \"en\"\ntarget_langs = [{}]\n[[sync.files]]\nsource=\"en.json\"\ntarget=\"{{lang}}.json\"\n",
            langs.join(",")
        )
    };
    assert_linear("languages", 250, langs, |text| {
        let count = text.matches("de-x").count();
        assert_eq!(project(dir.path(), text).unwrap().settings.langs.len(), count);
    });
}

#[test]
fn any_damaged_project_file_is_parsed_or_refused() {
    let dir = tree(&[]);
    let text = "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"pt-BR\"]\n[sync.notes]\n\"a.*\" = \"ä\"\n[[sync.files]]\nsource = \"en/**/*.json\"\ntarget = \"{lang}/**/*.json\"\n[sync.langs.de]\npath = \"x\"\n";
    let read = |text: &str| project(dir.path(), text).is_ok();
    assert!(read(text));
    for (at, _) in text.char_indices() {
        let (before, after) = text.split_at(at);
        let _ = read(before);
        let _ = read(&format!("{before}{}", after.chars().skip(1).collect::<String>()));
    }
}
