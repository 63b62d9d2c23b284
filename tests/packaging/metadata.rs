//! Checks that the files with package metadata agree.

use std::process::Command;

use super::{root, write_program};
use crate::common::Run;
use crate::common::tools::has;

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap()
}

fn toml(name: &str) -> serde_json::Value {
    toml::from_str(&read(name)).unwrap()
}

#[test]
fn the_policy_and_the_collected_texts_list_the_same_licences() {
    let (deny, about) = (toml("deny.toml"), toml("packaging/about.toml"));
    assert_eq!(deny["licenses"]["allow"], about["accepted"]);
    for exception in deny["licenses"]["exceptions"].as_array().unwrap() {
        let package = exception["crate"].as_str().unwrap();
        assert_eq!(about[package]["accepted"], exception["allow"], "{package}");
    }
}

#[test]
fn binstall_and_the_action_use_the_name_of_the_tarball() {
    let metadata = &toml("Cargo.toml")["package"]["metadata"]["binstall"];
    let fill = |template: &serde_json::Value| {
        let names = [("{ repo }", "REPO"), ("{ name }", "tulk"), ("{ version }", "1.2.3"), ("{ target }", "TARGET")];
        let more = [("{ archive-suffix }", ".tar.gz"), ("{ bin }", "tulk"), ("{ binary-ext }", "")];
        let text = template.as_str().unwrap().to_owned();
        names.iter().chain(&more).fold(text, |text, (name, value)| text.replace(name, value))
    };
    assert_eq!(fill(&metadata["pkg-url"]), "REPO/releases/download/v1.2.3/tulk-1.2.3-TARGET.tar.gz");
    assert_eq!(fill(&metadata["bin-dir"]), "tulk-1.2.3-TARGET/tulk");
    assert_eq!(metadata["pkg-fmt"], "tgz");
    assert_eq!(metadata["overrides"]["x86_64-pc-windows-msvc"]["pkg-fmt"], "zip");
    let tarball = read("packaging/tarball");
    assert!(
        ["\nname=tulk-$version-$target\n", "=$out/$name.tar.gz\n", "=$out/$name.zip\n"]
            .iter()
            .all(|line| tarball.contains(line))
    );
    let action = read("packaging/action.sh");
    assert!(action.contains("name=tulk-$version-$target\n") && action.contains("from=$releases/download/v$version\n"));
}

#[test]
fn the_files_of_the_debian_package_exist() {
    let metadata = toml("Cargo.toml");
    let script = read("packaging/deb");
    for asset in metadata["package"]["metadata"]["deb"]["assets"].as_array().unwrap() {
        let source = asset[0].as_str().unwrap();
        if let Some(name) = source.strip_prefix("target/packages/deb/") {
            assert!(script.contains(&format!("$stage/{name}\"")), "packaging/deb does not write {name}");
        } else if source != "target/release/tulk" {
            let (folder, pattern) = source.rsplit_once('/').unwrap_or((".", source));
            let suffix = pattern.trim_start_matches('*');
            let mut files = std::fs::read_dir(root().join(folder)).unwrap();
            assert!(files.any(|file| file.unwrap().file_name().to_string_lossy().ends_with(suffix)), "no {source}");
        }
    }
}

#[test]
fn every_published_package_has_the_fields_that_the_registry_shows() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"])
        .arg(root().join("Cargo.toml"))
        .output()
        .unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut unpublished = Vec::new();
    for package in metadata["packages"].as_array().unwrap() {
        if package["publish"] == serde_json::json!([]) {
            unpublished.push(package["name"].as_str().unwrap());
            continue;
        }
        for field in ["description", "license", "readme"] {
            assert!(package[field].is_string(), "{}: {field}", package["name"]);
        }
        for field in ["keywords", "categories"] {
            assert!((1..=5).contains(&package[field].as_array().unwrap().len()), "{}: {field}", package["name"]);
        }
    }
    unpublished.sort_unstable();
    assert_eq!(unpublished, ["tulk-fuzz", "tulk-growth"]);
}

#[test]
fn every_package_of_the_workspace_has_the_licence() {
    let text = read("LICENSE");
    assert!(text.contains("\nMIT License\n") && text.contains("   END OF TERMS AND CONDITIONS\n"));
    for package in std::fs::read_dir(root().join("crates")).unwrap() {
        let licence = package.unwrap().path().join("LICENSE");
        assert_eq!(std::fs::read_to_string(&licence).unwrap_or_default(), read("LICENSE"), "{}", licence.display());
    }
}

#[test]
fn the_scripts_for_users_are_portable_and_all_scripts_can_be_run() {
    use std::os::unix::fs::PermissionsExt as _;
    for entry in std::fs::read_dir(root().join("packaging")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(line) = text.lines().next().filter(|line| line.starts_with("#!")) else { continue };
        assert!(path.metadata().unwrap().permissions().mode() & 0o111 == 0o111, "{}", path.display());
        let (shell, is_for_users) = if line == "#!/bin/sh" { ("dash", true) } else { ("bash", false) };
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert_eq!(is_for_users, ["install.sh", "action.sh"].contains(&name.as_str()), "{name}");
        if has(shell) {
            assert!(Command::new(shell).arg("-n").arg(&path).status().unwrap().success(), "{name}");
        }
    }
}

/// Runs `packaging/advisories` in a copy of the project, as on a machine that cannot fetch the database.
#[cfg(target_os = "linux")]
#[test]
fn only_dependencies_that_passed_the_check_of_advisories_are_accepted_offline() {
    let copy = tempfile::tempdir().unwrap();
    std::fs::create_dir(copy.path().join("packaging")).unwrap();
    let scripts = ["packaging/common.sh", "packaging/advisories", "packaging/advisories-checked"];
    for name in ["Cargo.toml", "Cargo.lock"].iter().chain(&scripts) {
        assert!(Command::new("cp").arg(root().join(name)).arg(copy.path().join(name)).status().unwrap().success());
    }
    write_program(&copy.path().join("target/ci-tools/bin/cargo"), "#!/bin/sh\nexit 1\n");
    let mut command = Command::new(copy.path().join("packaging/advisories"));
    let mut run = || Run::unlisted(command.env("SOURCE_DATE_EPOCH", "0").output().unwrap());
    let passed = run().code(0).says_nothing();
    assert!(passed.out().contains("; the dependencies passed the check with the copy of 20"), "{passed}");
    assert!(passed.out().ends_with(" days old\n"), "{passed}");
    let new = "\n[[package]]\nname = \"new\"\nversion = \"1.0.0\"\nsource = \"registry+https://example.com\"\n";
    std::fs::write(copy.path().join("Cargo.lock"), read("Cargo.lock") + new).unwrap();
    run().code(1).prints("").says("that were not checked").says("run packaging/advisories --record CLONE");
}
