//! Runs the hooks of .pre-commit-hooks.yaml with pre-commit in a project, with tulk installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::root;
use crate::common::tools::pre_commit;
use crate::common::{Bench, Run, binary};

/// A project that uses the hooks, and the repository that defines them.
struct Project {
    directory: tempfile::TempDir,
    pre_commit: PathBuf,
}

impl Project {
    fn new(pre_commit: PathBuf) -> Self {
        let project = Self { directory: tempfile::tempdir().unwrap(), pre_commit };
        for folder in ["hooks", "project"] {
            std::fs::create_dir(project.directory.path().join(folder)).unwrap();
            project.git(folder, &["init", "-q"]);
        }
        let hooks = project.directory.path().join("hooks");
        std::fs::copy(root().join(".pre-commit-hooks.yaml"), hooks.join(".pre-commit-hooks.yaml")).unwrap();
        project.git("hooks", &["add", "."]);
        project.git("hooks", &["commit", "-qm", "Add hooks"]);
        let revision = project.git("hooks", &["rev-parse", "HEAD"]);
        let ids = ["tulk-sync-check", "tulk-glossary-lint", "tulk-voice-terms-lint"];
        let mut config = format!("repos:\n- repo: {}\n  rev: {}\n  hooks:\n", hooks.display(), revision.trim());
        for id in ids {
            config.push_str(&["  - id: ", id, "\n    language: system\n"].concat());
        }
        config
            .push_str("  - id: tulk-write-check\n    language: system\n    files: ^texts/\n    args: [--to, en-US]\n");
        project.write(".pre-commit-config.yaml", &config);
        project
    }

    fn command(&self, program: &Path, folder: &str) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap();
        command.current_dir(self.directory.path().join(folder)).env("HOME", self.directory.path());
        command.env("PATH", format!("{}:{path}", binary().parent().unwrap().display())).env("TULK_SANDBOX", "1");
        command.env("PRE_COMMIT_HOME", self.directory.path().join("cache")).env("PRE_COMMIT_COLOR", "never");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ada").env(format!("GIT_{who}_EMAIL"), "ada@example.com");
        }
        command
    }

    fn git(&self, folder: &str, args: &[&str]) -> String {
        let output = self.command(Path::new("git"), folder).args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.directory.path().join("project").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn run(&self) -> Run {
        self.git("project", &["add", "."]);
        let mut command = self.command(&self.pre_commit, "project");
        Run::unlisted(command.args(["run", "--all-files"]).output().unwrap())
    }
}

#[test]
#[ignore = "needs another program; .ci/run includes it"]
fn hooks_accept_correct_files_and_name_each_mistake() {
    let Some(pre_commit) = pre_commit() else { return };
    let project = Project::new(pre_commit);
    project.write("tulk.toml", "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n\n[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n");
    project.write("en.json", "{\n  \"lid\": \"Close the lid.\"\n}\n");
    project.write("glossaries/kitchen.en-de.tsv", "kettle\tKessel\n");
    project.write("spoken-terms/talk.en.txt", "WebVTT\n");
    project.write("texts/a note.txt", "The lid is open.\n");
    project.write("texts/other.md", "The kettle is hot.\n");
    // With `--sandbox`, sync writes only pseudo-languages. The German file needs a server.
    let bench = Bench::bare();
    let server = bench.serve(&["--engine", "upper"]);
    let mut sync = project.command(&binary(), "project");
    sync.args(["sync", "--quiet"]).env_remove("TULK_SANDBOX");
    let sync = sync.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox").output().unwrap();
    assert!(sync.status.success(), "{}", String::from_utf8_lossy(&sync.stderr));
    let passed = project.run();
    assert!(passed.code == 0 && passed.out().matches("Passed\n").count() == 4, "{passed}");

    project.write("en.json", "{\n  \"lid\": \"Open the lid.\"\n}\n");
    project.write("glossaries/kitchen.en-de.tsv", "kettle\tKessel\nkettle\tTopf\n");
    project.write("spoken-terms/talk.en.txt", "WebVTT\nWebVTT\n");
    project.write("texts/a note.txt", "Teh lid is open.\n");
    let failed = project.run();
    assert!(failed.code == 1 && failed.out().matches("Failed\n").count() == 4, "{failed}");
    for finding in ["de.json", "kitchen.en-de.tsv:2:1", "talk.en.txt:2:1", "-Teh lid is open."] {
        assert!(failed.out().contains(finding), "no {finding}: {failed}");
    }
}
