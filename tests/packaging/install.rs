//! install.sh installs the files of a release, removes exactly those, and refuses what it cannot do.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{files_below, unpacked_release, write_program};
use crate::common::Run;
use crate::common::tools::has;

const INSTALLED: [&str; 15] = [
    "bin/tulk",
    "share/bash-completion/completions/tulk",
    "share/doc/tulk/CHANGELOG.md",
    "share/doc/tulk/LICENSE",
    "share/doc/tulk/README.md",
    "share/doc/tulk/SECURITY.md",
    "share/doc/tulk/THIRD-PARTY-LICENSES",
    "share/doc/tulk/docs/schemas/usage.json",
    "share/doc/tulk/docs/start.md",
    "share/doc/tulk/tulk.cdx.json",
    "share/fish/vendor_completions.d/tulk.fish",
    "share/man/man1/tulk-old.1",
    "share/man/man1/tulk.1",
    "share/tulk/installed-files",
    "share/zsh/site-functions/_tulk",
];

/// A machine with an unpacked release, in directories whose names contain a space.
struct Machine {
    directory: tempfile::TempDir,
    shell: Vec<&'static str>,
}

impl Machine {
    fn new() -> Self {
        let machine = Self { directory: tempfile::tempdir().unwrap(), shell: vec!["sh"] };
        unpacked_release(&machine.release(), "1.2.3");
        machine
    }

    fn release(&self) -> PathBuf {
        self.directory.path().join("the release")
    }

    fn prefix(&self) -> PathBuf {
        self.directory.path().join("the prefix")
    }

    fn run_with(&self, env: &[(&str, &Path)], args: &[&str]) -> Run {
        let mut command = Command::new(self.shell[0]);
        command.args(&self.shell[1..]).arg(self.release().join("install.sh")).args(args).env_remove("DESTDIR");
        command.current_dir(self.directory.path()).env("HOME", self.directory.path().join("home"));
        command.envs(env.iter().copied());
        Run::unlisted(command.output().unwrap())
    }

    fn run(&self, args: &[&str]) -> Run {
        let prefix = self.prefix();
        let args: Vec<&str> = ["--prefix", prefix.to_str().unwrap()].into_iter().chain(args.iter().copied()).collect();
        self.run_with(&[], &args)
    }
}

#[test]
fn every_shell_installs_and_completely_removes_a_release() {
    for shell in [vec!["sh"], vec!["dash"], vec!["bash", "--posix"], vec!["busybox", "sh"]] {
        if !has(shell[0]) {
            continue;
        }
        let machine = Machine { shell, ..Machine::new() };
        let run = machine.run(&[]).code(0).says_nothing();
        assert!(run.out().starts_with("installed tulk in "), "{run}");
        assert!(run.out().ends_with("the prefix/bin is not in PATH\n"), "{run}");
        assert_eq!(files_below(&machine.prefix()), INSTALLED);
        let program = Command::new(machine.prefix().join("bin/tulk")).arg("--version").output().unwrap();
        assert_eq!(String::from_utf8_lossy(&program.stdout), "tulk 1.2.3\n");
        machine.run(&["--uninstall"]).code(0).says_nothing();
        assert_eq!(std::fs::read_dir(machine.prefix()).unwrap().count(), 0, "directories are left");
    }
}

#[test]
fn removal_keeps_files_installed_by_others() {
    let machine = Machine::new();
    write_program(&machine.prefix().join("bin/other"), "#!/bin/sh\n");
    write_program(&machine.prefix().join("share/man/man1/other.1"), "");
    machine.run(&[]).code(0);
    machine.run(&["--uninstall"]).code(0);
    assert_eq!(files_below(&machine.prefix()), ["bin/other", "share/man/man1/other.1"]);
}

#[test]
fn removal_keeps_existing_directories() {
    let machine = Machine::new();
    let mine = ["bin", "share/man", "share/zsh/site-functions"].map(|directory| machine.prefix().join(directory));
    for directory in &mine {
        std::fs::create_dir_all(directory).unwrap();
    }
    machine.run(&[]).code(0);
    machine.run(&[]).code(0);
    machine.run(&["--uninstall"]).code(0);
    assert!(mine.iter().all(|directory| directory.exists()));
    for created in ["share/man/man1", "share/doc", "share/fish", "share/tulk"] {
        assert!(!machine.prefix().join(created).exists(), "{created}");
    }
}

#[test]
fn an_update_removes_files_dropped_since_the_old_version() {
    let machine = Machine::new();
    machine.run(&[]).code(0);
    std::fs::remove_file(machine.release().join("man/tulk-old.1")).unwrap();
    write_program(&machine.release().join("man/tulk-new.1"), "new");
    machine.run(&[]).code(0);
    let installed = files_below(&machine.prefix());
    assert!(installed.contains(&"share/man/man1/tulk-new.1".to_owned()), "{installed:?}");
    assert!(!installed.contains(&"share/man/man1/tulk-old.1".to_owned()), "{installed:?}");
    machine.run(&["--uninstall"]).code(0);
    assert_eq!(std::fs::read_dir(machine.prefix()).unwrap().count(), 0);
}

#[test]
fn an_interrupted_installation_can_be_removed() {
    let machine = Machine::new();
    // Simulates a failure after the program was copied: a directory is in the way of a later file.
    std::fs::create_dir_all(machine.prefix().join("share/doc/tulk/README.md.new")).unwrap();
    std::fs::create_dir_all(machine.prefix().join("share/doc/tulk/README.md.new/README.md")).unwrap();
    let run = machine.run(&[]);
    assert_ne!(run.code, 0, "{run}");
    std::fs::remove_dir_all(machine.prefix().join("share/doc/tulk/README.md.new")).unwrap();
    machine.run(&["--uninstall"]).code(0);
    assert_eq!(files_below(&machine.prefix()), Vec::<String>::new());
}

#[test]
fn the_default_prefix_is_usr_local_for_root_and_the_home_directory_for_others() {
    let machine = Machine::new();
    let staged = machine.directory.path().join("staged");
    let is_root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let home = machine.directory.path().join("home/.local");
    let prefix = if is_root { Path::new("/usr/local") } else { &home };
    machine.run_with(&[("DESTDIR", &staged)], &[]).code(0);
    assert_eq!(files_below(&staged.join(prefix.strip_prefix("/").unwrap())), INSTALLED);
}

#[test]
fn destdir_builds_packages_for_another_machine() {
    let machine = Machine::new();
    write_program(&machine.release().join("tulk"), "#!/nonexistent/interpreter\n");
    let staged = machine.directory.path().join("staged");
    machine.run_with(&[("DESTDIR", &staged)], &["--prefix", "/usr"]).code(0);
    assert_eq!(files_below(&staged.join("usr")), INSTALLED);
    machine.run_with(&[("DESTDIR", &staged)], &["--prefix=/usr", "--uninstall"]).code(0);
    assert_eq!(files_below(&staged), Vec::<String>::new());

    machine.run_with(&[("DESTDIR", Path::new("relative"))], &["--prefix=/usr"]).code(0);
    assert_eq!(files_below(&machine.directory.path().join("relative/usr")), INSTALLED);
    machine.run_with(&[("DESTDIR", Path::new("relative"))], &["--prefix=/usr", "--uninstall"]).code(0);
}

#[test]
fn ignores_cdpath() {
    let machine = Machine::new();
    let mut command = Command::new("sh");
    command.arg("the release/install.sh").arg("--prefix").arg(machine.prefix()).env_remove("DESTDIR");
    command.current_dir(machine.directory.path()).env("CDPATH", machine.directory.path());
    Run::unlisted(command.output().unwrap()).code(0).says_nothing();
    assert_eq!(files_below(&machine.prefix()), INSTALLED);
}

#[test]
fn refuses_wrong_arguments() {
    let machine = Machine::new();
    machine.run_with(&[], &["--prefix"]).code(2).says("error: --prefix needs a directory\n");
    machine.run_with(&[], &["--upgrade"]).code(2).says("error: unknown argument: --upgrade\n").says("--uninstall");
    machine
        .run_with(&[], &["--prefix", "relative"])
        .code(1)
        .says("error: --prefix: relative is not an absolute path\n");
    let empty = machine.run_with(&[], &["--prefix", ""]).code(1);
    empty.says("error: --prefix: the directory is empty\n  hint: did you use a variable that is not set?\n");
    let help = machine.run_with(&[], &["--help"]).code(0);
    assert!(help.out().starts_with("Installs tulk from this directory"), "{help}");
    assert_eq!(files_below(&machine.prefix()), Vec::<String>::new());
}

#[test]
fn a_refused_installation_leaves_no_new_files() {
    let machine = Machine::new();
    machine.run(&["--uninstall"]).code(1).says("was not installed in").says("installed-files\n");

    write_program(&machine.prefix().join("bin/tulk"), "#!/bin/sh\necho another program\n");
    machine.run(&[]).code(1).says("bin/tulk already exists").says("--force");
    assert_eq!(files_below(&machine.prefix()), ["bin/tulk"]);
    machine.run(&["--force"]).code(0);
    machine.run(&["--uninstall"]).code(0);

    let file = machine.directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    machine.run_with(&[], &["--prefix", file.to_str().unwrap()]).code(1).says("error: cannot create");

    write_program(&machine.release().join("tulk"), "#!/nonexistent/interpreter\n");
    machine.run(&[]).code(1).says("the program does not run on this machine").says("this directory is the release");
    std::fs::remove_file(machine.release().join("man/tulk.1")).unwrap();
    machine.run(&[]).code(1).says("man/tulk.1 is missing");
    assert_eq!(files_below(&machine.prefix()), Vec::<String>::new());
}

#[test]
fn a_tampered_file_list_removes_nothing_outside_the_prefix() {
    let machine = Machine::new();
    machine.run(&[]).code(0);
    let outside = machine.directory.path().join("outside");
    std::fs::write(&outside, "").unwrap();
    let list = machine.prefix().join("share/tulk/installed-files");
    let lines = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, format!("{lines}../outside\nbin/../../outside\n{}\n", outside.display())).unwrap();
    machine.run(&["--uninstall"]).code(0);
    assert!(outside.exists());
}
