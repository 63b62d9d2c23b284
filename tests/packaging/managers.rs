//! packaging/manifests fills in the files for Homebrew, Scoop, the AUR and Nix, and what they install.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{files_below, root, unpacked_release, write_program};
use crate::common::Run;
use crate::common::tools::has;

/// The files of a release. The checksum of each consists of one digit.
const RELEASE: [(&str, &str); 7] = [
    ("1", "tulk-1.2.3-x86_64-unknown-linux-gnu.tar.gz"),
    ("2", "tulk-1.2.3-aarch64-unknown-linux-gnu.tar.gz"),
    ("3", "tulk-1.2.3-x86_64-unknown-linux-musl.tar.gz"),
    ("4", "tulk-1.2.3-aarch64-unknown-linux-musl.tar.gz"),
    ("5", "tulk-1.2.3-x86_64-apple-darwin.tar.gz"),
    ("6", "tulk-1.2.3-aarch64-apple-darwin.tar.gz"),
    ("7", "tulk-1.2.3-x86_64-pc-windows-msvc.zip"),
];

const DOCS: [&str; 8] = [
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "THIRD-PARTY-LICENSES",
    "docs/schemas/usage.json",
    "docs/start.md",
    "tulk.cdx.json",
];

/// The sources of version 1.2.3, with `packaging` and the checksums of its release.
struct Sources(tempfile::TempDir);

impl Sources {
    fn new(version: &str) -> Self {
        let sources = Self(tempfile::tempdir().unwrap());
        let copy = Command::new("cp").arg("-R").arg(root().join("packaging")).arg(sources.0.path()).status();
        assert!(copy.unwrap().success());
        std::fs::write(sources.path("Cargo.toml"), format!("version = \"{version}\"\n")).unwrap();
        sources.release(&RELEASE);
        sources
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn release(&self, files: &[(&str, &str)]) {
        let lines: String = files.iter().map(|(digit, name)| format!("{}  {name}\n", digit.repeat(64))).collect();
        std::fs::write(self.path("SHA256SUMS"), lines).unwrap();
    }

    fn run(&self, repository: &str) -> Run {
        let mut command = Command::new(self.path("packaging/manifests"));
        command.args([repository, "SHA256SUMS", "filled"]).current_dir(self.0.path());
        command.env("SOURCE_DATE_EPOCH", "0").env_remove("TULK_PACKAGES");
        Run::unlisted(command.output().unwrap())
    }

    fn filled() -> Self {
        let sources = Self::new("1.2.3");
        let run = sources.run("OWNER/tulk").code(0).says_nothing();
        assert_eq!(run.out(), "filled\n");
        sources
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

/// Paths below a prefix, sorted.
fn paths<'a>(installed: impl IntoIterator<Item = &'a str>, docs: &str) -> Vec<String> {
    let docs = DOCS.map(|name| format!("{docs}/{name}"));
    let mut paths: Vec<String> = installed.into_iter().map(str::to_owned).chain(docs).collect();
    paths.sort();
    paths
}

fn run_in(directory: &Path, program: &str, args: &[&str], env: &[(&str, &Path)]) -> Run {
    let mut command = Command::new(program);
    command.args(args).current_dir(directory).env_remove("DESTDIR").envs(env.iter().copied());
    Run::unlisted(command.output().unwrap()).code(0)
}

#[test]
fn every_file_names_the_version_the_repository_and_its_checksums() {
    let sources = Sources::filled();
    assert_eq!(
        files_below(&sources.path("filled")),
        ["aur/.SRCINFO", "aur/PKGBUILD", "homebrew/tulk.rb", "nix/flake.nix", "scoop/tulk.json"]
    );
    for file in files_below(&sources.path("filled")) {
        assert!(!sources.read(&format!("filled/{file}")).contains('@'), "{file}");
    }
    let (one, two, seven) = ("1".repeat(64), "2".repeat(64), "7".repeat(64));
    let page = "https://github.com/OWNER/tulk";
    let release = "https://github.com/OWNER/tulk/releases/download/v1.2.3/tulk-1.2.3";
    assert_eq!(
        sources.read("filled/aur/.SRCINFO"),
        format!(
            "pkgbase = tulk-bin
\tpkgdesc = Command-line client for the DeepL API and compatible servers
\tpkgver = 1.2.3
\tpkgrel = 1
\turl = {page}
\tarch = x86_64
\tarch = aarch64
\tlicense = MIT OR Apache-2.0
\tdepends = glibc
\tdepends = gcc-libs
\toptdepends = bash-completion: completion in bash
\tprovides = tulk
\tconflicts = tulk
\toptions = !strip
\toptions = !debug
\tsource_x86_64 = {release}-x86_64-unknown-linux-gnu.tar.gz
\tsha256sums_x86_64 = {one}
\tsource_aarch64 = {release}-aarch64-unknown-linux-gnu.tar.gz
\tsha256sums_aarch64 = {two}

pkgname = tulk-bin
"
        )
    );
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&sources.read("filled/scoop/tulk.json")).unwrap(),
        serde_json::json!({
            "version": "1.2.3",
            "description": "Command-line client for the DeepL API and compatible servers",
            "homepage": page,
            "license": "MIT|Apache-2.0",
            "architecture": {"64bit": {
                "url": format!("{release}-x86_64-pc-windows-msvc.zip"),
                "hash": seven,
                "extract_dir": "tulk-1.2.3-x86_64-pc-windows-msvc",
            }},
            "bin": "tulk.exe",
            "checkver": "github",
            "autoupdate": {
                "architecture": {"64bit": {
                    "url": format!("{page}/releases/download/v$version/tulk-$version-x86_64-pc-windows-msvc.zip"),
                    "extract_dir": "tulk-$version-x86_64-pc-windows-msvc",
                }},
                "hash": {"url": "$baseurl/SHA256SUMS"},
            },
        })
    );
}

#[test]
fn a_release_that_does_not_fit_is_refused() {
    let sources = Sources::new("1.2.3");
    for (_, missing) in RELEASE {
        sources.release(&RELEASE.into_iter().filter(|(_, name)| *name != missing).collect::<Vec<_>>());
        sources.run("OWNER/tulk").code(1).says(&format!("error: SHA256SUMS has no checksum of {missing}\n"));
    }
    sources.release(&RELEASE);
    sources.run("tulk").code(1).says("error: not a repository: tulk (expected OWNER/NAME)\n");
    std::fs::remove_file(sources.path("SHA256SUMS")).unwrap();
    sources.run("OWNER/tulk").code(1).says("error: no such file: SHA256SUMS\n");
    assert!(!sources.path("filled").exists());

    let run = Sources::new("1.2.3-rc.1").run("OWNER/tulk").code(1);
    run.says("error: 1.2.3-rc.1 is a pre-release; package managers get only releases\n");
}

#[test]
fn the_formula_downloads_installs_and_tests_a_release() {
    if !has("ruby") {
        return;
    }
    let sources = Sources::filled();
    let release = unpacked_release(&sources.path("release"), "1.2.3");
    let program = env!("CARGO_BIN_EXE_tulk");
    write_program(
        &release.join("tulk"),
        &format!("#!/bin/sh\n[ \"$1\" != --version ] || exec echo tulk 1.2.3\nexec '{program}' \"$@\"\n"),
    );
    let prefix = sources.path("prefix");
    let (home, formula) = (sources.path("home"), sources.path("filled/homebrew/tulk.rb"));
    let stub = root().join("tests/packaging/formula.rb");
    let args = [&stub, &formula, &prefix].map(|path| path.to_str().unwrap());
    let args = [&["-Eutf-8"], args.as_slice()].concat();
    let run = run_in(&release, "ruby", &args, &[("HOME", home.as_path())]);
    let name = "https://github.com/OWNER/tulk/releases/download/v1.2.3/tulk-1.2.3";
    assert_eq!(
        run.out(),
        format!(
            "macos arm {name}-aarch64-apple-darwin.tar.gz {}\nmacos intel {name}-x86_64-apple-darwin.tar.gz {}\n\
             linux arm {name}-aarch64-unknown-linux-musl.tar.gz {}\nlinux intel {name}-x86_64-unknown-linux-musl.tar.gz {}\n",
            "6".repeat(64),
            "5".repeat(64),
            "4".repeat(64),
            "3".repeat(64)
        )
    );
    let installed = [
        "bin/tulk",
        "etc/bash_completion.d/tulk",
        "share/fish/vendor_completions.d/tulk.fish",
        "share/man/man1/tulk-old.1",
        "share/man/man1/tulk.1",
        "share/zsh/site-functions/_tulk",
    ];
    assert_eq!(files_below(&prefix), paths(installed, "share/doc/tulk"));
}

/// The files that install.sh installs below its prefix, except its list of files.
const BY_THE_SCRIPT: [&str; 6] = [
    "bin/tulk",
    "share/bash-completion/completions/tulk",
    "share/fish/vendor_completions.d/tulk.fish",
    "share/man/man1/tulk-old.1",
    "share/man/man1/tulk.1",
    "share/zsh/site-functions/_tulk",
];

#[cfg(target_os = "linux")] // needs GNU install
#[test]
fn the_pkgbuild_packages_a_release_for_both_architectures() {
    let sources = Sources::filled();
    let build = sources.path("filled/aur/PKGBUILD");
    for arch in ["x86_64", "aarch64"] {
        let source = sources.path("source");
        unpacked_release(&source.join(format!("tulk-1.2.3-{arch}-unknown-linux-gnu")), "1.2.3");
        let package = sources.path(arch);
        let script = "set -e; . \"$1\"; package > /dev/null";
        let env = [("pkgdir", package.as_path()), ("CARCH", Path::new(arch))];
        run_in(&source, "bash", &["-c", script, "bash", build.to_str().unwrap()], &env).says_nothing();
        let licences = ["share/licenses/tulk-bin/LICENSE", "share/licenses/tulk-bin/THIRD-PARTY-LICENSES"];
        assert_eq!(
            files_below(&package.join("usr")),
            paths(BY_THE_SCRIPT.into_iter().chain(licences), "share/doc/tulk"),
            "{arch}"
        );
        assert_eq!(std::fs::read_dir(&package).unwrap().count(), 1);
    }
}

/// Evaluates the flake with functions of nixpkgs that return their arguments.
const WITH_STUBS: &str = r#"
let
  pkgs = {
    fetchurl = arguments: arguments;
    stdenvNoCC.mkDerivation = arguments: arguments // { outPath = "PACKAGE"; };
    lib.licenses = { mit = "MIT"; asl20 = "Apache-2.0"; };
    lib.sourceTypes.binaryNativeCode = "binary";
  };
  systems = [ "x86_64-linux" "aarch64-linux" "aarch64-darwin" ];
  nixpkgs.legacyPackages = builtins.listToAttrs (map (name: { inherit name; value = pkgs; }) systems);
  self = (import ./flake.nix).outputs { inherit self nixpkgs; };
  package = system: removeAttrs self.packages.${system}.default [ "outPath" ] // {
    app = self.apps.${system}.default;
  };
in builtins.mapAttrs (system: _: package system) self.packages
"#;

#[test]
fn the_flake_downloads_and_installs_a_release() {
    if !has("nix-instantiate") {
        return;
    }
    let sources = Sources::filled();
    // nix creates its directories there.
    let state = sources.path("state");
    let env = ["NIX_STATE_DIR", "NIX_LOG_DIR", "NIX_CONF_DIR", "HOME"].map(|name| (name, state.as_path()));
    let args = ["--eval", "--strict", "--json", "--store", "dummy://", "-E", WITH_STUBS];
    let run = run_in(&sources.path("filled/nix"), "nix-instantiate", &args, &env);
    let packages: serde_json::Value = serde_json::from_str(run.out()).unwrap();
    let name = "https://github.com/OWNER/tulk/releases/download/v1.2.3/tulk-1.2.3";
    for (system, target, checksum) in [
        ("x86_64-linux", "x86_64-unknown-linux-musl", "MzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM="),
        ("aarch64-linux", "aarch64-unknown-linux-musl", "REREREREREREREREREREREREREREREREREREREREREQ="),
        ("aarch64-darwin", "aarch64-apple-darwin", "ZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmY="),
    ] {
        let package = &packages[system];
        let source =
            serde_json::json!({"url": format!("{name}-{target}.tar.gz"), "hash": format!("sha256-{checksum}")});
        assert_eq!(package["src"], source, "{system}");
        assert_eq!(package["version"], "1.2.3");
        assert_eq!(package["meta"]["mainProgram"], "tulk");
        assert_eq!(package["app"], serde_json::json!({"type": "app", "program": "PACKAGE/bin/tulk"}));
    }
    assert_eq!(packages.as_object().unwrap().len(), 3);

    let release = unpacked_release(&sources.path("release"), "1.2.3");
    let phase = packages["x86_64-linux"]["installPhase"].as_str().unwrap();
    let script = format!("set -e; runHook() {{ :; }}\n{phase}");
    let prefix = sources.path("prefix");
    run_in(&release, "bash", &["-c", &script], &[("out", prefix.as_path())]).says_nothing();
    assert_eq!(files_below(&prefix), paths(BY_THE_SCRIPT, "share/doc/tulk"));
}
