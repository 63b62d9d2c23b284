//! Checks the workflows in .github, and runs their steps in order, with scripts in place of cargo, rustup, sudo and gh.
//! Artifacts are copied to a directory instead of being uploaded.

use std::collections::BTreeSet;
use std::iter::Peekable;
use std::path::PathBuf;
use std::process::{Command, Output};

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value, json};

use super::{files_below, root, write_program};
use crate::common::tools::{has, skip_without};

const CI: &str = ".github/workflows/ci.yml";
const RELEASE: &str = ".github/workflows/release.yml";

/// Steps that are not run here.
const NOT_RUN: [(&str, &str, &str); 1] = [(CI, "linux", "Run the checks")]; // .ci/run runs this test

const TARGETS: [&str; 7] = [
    "x86_64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-unknown-linux-gnu",
    "aarch64-unknown-linux-musl",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
];

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

fn yaml(path: &str) -> Value {
    let text = read(path);
    let events = Parser::new_from_str(&text).map(|event| event.unwrap().0);
    let mut events = events.filter(|event| !matches!(event, Event::Comment(..))).peekable();
    while !matches!(events.next(), Some(Event::DocumentStart(..))) {}
    node(&mut events)
}

fn node<'a>(events: &mut Peekable<impl Iterator<Item = Event<'a>>>) -> Value {
    match events.next().unwrap() {
        Event::Scalar(text, ScalarStyle::Plain, ..) if text.is_empty() => Value::Null,
        Event::Scalar(text, ScalarStyle::Plain, ..) => serde_json::from_str(&text).unwrap_or_else(|_| json!(text)),
        Event::Scalar(text, ..) => json!(text),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            while events.next_if(|event| matches!(event, Event::SequenceEnd)).is_none() {
                items.push(node(events));
            }
            Value::Array(items)
        }
        Event::MappingStart(..) => {
            let mut entries = Map::new();
            while events.next_if(|event| matches!(event, Event::MappingEnd)).is_none() {
                let key = node(events);
                entries.insert(key.as_str().unwrap().to_owned(), node(events));
            }
            Value::Object(entries)
        }
        event => unreachable!("{event:?}"),
    }
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn steps(job: &Value) -> impl Iterator<Item = &Value> {
    job["steps"].as_array().into_iter().flatten()
}

/// The combinations of a matrix with `include` or one list, or a single empty one.
fn combinations(job: &Value) -> Vec<Value> {
    let matrix = &job["strategy"]["matrix"];
    if let Some(include) = matrix["include"].as_array() {
        return include.clone();
    }
    let lists = object(matrix).flat_map(|(name, list)| {
        list.as_array().unwrap().iter().map(move |value| Value::Object(Map::from_iter([(name.clone(), value.clone())])))
    });
    let lists: Vec<Value> = lists.collect();
    if lists.is_empty() { vec![json!({})] } else { lists }
}

#[test]
fn actions_are_pinned_by_digest() {
    let mut count = 0;
    for path in [CI, RELEASE] {
        for line in read(path).lines() {
            let Some((_, used)) = line.split_once("uses: ") else { continue };
            count += 1;
            if used == format!("./{CI}") {
                continue;
            }
            let (action, version) = used.split_once(" # v").unwrap_or_else(|| panic!("{line}: no version"));
            let digest = action.split_once('@').unwrap().1;
            assert!(digest.len() == 40 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{line}");
            assert!(version.split('.').count() == 3, "{line}");
        }
    }
    assert!(count > 8, "{count}");
}

#[test]
fn only_the_job_that_publishes_can_write() {
    for path in [CI, RELEASE] {
        let workflow = yaml(path);
        assert_eq!(workflow["permissions"], json!({"contents": "read"}), "{path}");
        for (name, job) in object(&workflow["jobs"]) {
            let allowed = match name.as_str() {
                "publish" => json!({"contents": "write", "id-token": "write", "attestations": "write"}),
                _ => Value::Null,
            };
            assert_eq!(job["permissions"], allowed, "{path}: {name}");
            assert!(job["uses"].is_string() || job["timeout-minutes"].is_number(), "{path}: {name} has no time limit");
            for step in steps(job) {
                // An expression in a script would be executed.
                assert!(!step["run"].as_str().unwrap_or_default().contains("${{"), "{path}: {step}");
                if step["uses"].as_str().unwrap_or_default().starts_with("actions/checkout@") {
                    assert_eq!(step["with"], json!({"persist-credentials": false}), "{path}: {name}");
                }
            }
        }
    }
    assert_eq!(yaml(RELEASE)["jobs"]["publish"]["needs"], json!(["tag", "ci", "package"]));
}

#[test]
fn the_files_of_github_match_their_schemas() {
    let program = root().join("target/check-jsonschema/bin/check-jsonschema"); // where .ci/run installs it
    if !program.exists() {
        return skip_without("check-jsonschema");
    }
    for (schema, files) in [
        ("vendor.github-workflows", &[CI, RELEASE][..]),
        ("vendor.github-actions", &["action.yml"]),
        ("vendor.dependabot", &[".github/dependabot.yml"]),
    ] {
        let mut command = Command::new(&program);
        let output = command.args(["--builtin-schema", schema]).args(files).current_dir(root()).output().unwrap();
        assert!(output.status.success(), "{schema}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

const CARGO: &str = r#"#!/bin/sh
echo "cargo $*" >> "$CALLS"
while [ $# -gt 0 ]; do
  case $1 in
    build | cyclonedx | deb | about) command=$1 ;;
    --list) sed -n 's/^cargo_\(.*\)=\(.*\)$/cargo-\1 v\2:/p' packaging/common.sh ;;
    --target) target=$2 ;;
    --output | --output-file) output=$2 ;;
  esac
  shift
done
case ${command-} in
  build)
    [ -n "${target-}" ] || exit 0
    program=$CARGO_TARGET_DIR/$target/dist/tulk
    case $target in *-windows-*) program=$program.exe ;; esac
    mkdir -p "${program%/*}"
    cp "$PROGRAM" "$program"
    ;;
  cyclonedx) echo "{\"target\": \"$target\"}" > bom.json ;;
  about) printf '%%%%license MIT\n%%%%package memchr 1.0.0\n%%%%text\nMIT License\n%%%%end\n' > "$output" ;;
  deb)
    case $target in x86_64-*) architecture=amd64 ;; aarch64-*) architecture=arm64 ;; esac
    mkdir -p deb/DEBIAN
    printf '%s\n' 'Package: tulk' 'Version: 1.2.3-1' "Architecture: $architecture" 'Depends: libc6 (>= 2.35)' \
      'Maintainer: Ada <ada@example.com>' 'Description: test' > deb/DEBIAN/control
    dpkg-deb --build deb "$output" > /dev/null
    ;;
esac
"#;

const OTHER_PROGRAMS: [(&str, &str); 8] = [
    ("rustc", "#!/bin/sh\ncase $1 in -vV) echo 'host: x86_64-unknown-linux-gnu' ;; *) echo /sysroot ;; esac\n"),
    ("rustup", "#!/bin/sh\necho \"rustup $*\" >> \"$CALLS\"\n"),
    ("sudo", "#!/bin/sh\necho \"sudo $*\" >> \"$CALLS\"\n[ \"$1\" = apt-get ] || exec env \"$@\"\n"),
    ("gh", "#!/bin/sh\necho \"gh $*\" >> \"$CALLS\"\nenv | grep ^GH_ | sort >> \"$CALLS\"\n"),
    // The packages contain a script, which cannot be installed into an empty root, and lintian would reject it.
    ("id", "#!/bin/sh\necho 1001\n"),
    ("lintian", "#!/bin/sh\n"),
    ("uname", "#!/bin/sh\necho \"$MACHINE\"\n"),
    (
        "program",
        "#!/bin/sh\ncase $* in *translate*) printf 'H\\303\\251ll\\305\\217\\n' ;; *) echo tulk 1.2.3 ;; esac\n",
    ),
];

const CHANGELOG: &str = "# Changelog\n\n## [Unreleased]\n\n- Not yet.\n\n## [1.2.3] - 2026-12-01\n\n### Added\n\n\
    - One entry that\n  is wrapped, see [the guide](docs/sync.md#start) and\n  [the format](https://example.com/).\n- Another.\n\n\
    A paragraph\nin two lines.\n\n## [1.2.2] - 2026-11-01\n\n- Old.\n";

const NOTES: &str = "### Added\n\n- One entry that is wrapped, see \
    [the guide](https://github.example/ada/tulk/blob/v1.2.3/docs/sync.md#start) and [the format](https://example.com/).\n\
    - Another.\n\nA paragraph in two lines.\n";

/// The files that the steps need. Not all of the repository, because unpacking and installing it takes a while.
const FILES: &str = ".github packaging completions man/tulk.1 man/tulk-translate.1 docs/README.md LICENSE README.md SECURITY.md \
    Cargo.lock Cargo.toml build.rs crates/*/Cargo.toml fuzz/Cargo.toml";

/// A runner: the files of the repository with version 1.2.3, and the artifacts of earlier jobs.
struct Runner {
    directory: tempfile::TempDir,
    tag: &'static str,
    ran: BTreeSet<(String, String, String)>,
}

impl Runner {
    fn new(tag: &'static str) -> Self {
        let runner = Self { directory: tempfile::tempdir().unwrap(), tag, ran: BTreeSet::new() };
        let copy = "mkdir tulk artifacts bin home\n\
            (cd \"$ROOT\" && tar -cf - $FILES) | tar -C tulk -xf -\ncd tulk\nmkdir benches src fuzz/src\nsed -i 's/^version = \".*\"$/version = \"1.2.3\"/' Cargo.toml\n\
            git init -q\ngit -c user.name=Ada -c user.email=ada@example.com commit -q --allow-empty -m Start";
        let mut command = runner.bash(copy);
        let output =
            command.current_dir(runner.directory.path()).env("ROOT", root()).env("FILES", FILES).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        std::fs::write(runner.path("tulk/CHANGELOG.md"), CHANGELOG).unwrap();
        for (name, script) in OTHER_PROGRAMS.iter().chain(&[("cargo", CARGO)]) {
            write_program(&runner.path(&format!("bin/{name}")), script);
        }
        runner
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn bash(&self, script: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script]).current_dir(self.path("tulk"));
        let path = std::env::var("PATH").unwrap();
        command.env_clear().env("PATH", format!("{}:{path}", self.path("bin").display()));
        command
            .env("HOME", self.path("home"))
            .env("CALLS", self.path("calls"))
            .env("PROGRAM", self.path("bin/program"));
        command.env("GITHUB_SERVER_URL", "https://github.example").env("GITHUB_REPOSITORY", "ada/tulk");
        command
    }

    /// Replaces the expressions in a value of `env` or `with`.
    fn expand(&self, value: &Value, matrix: &Value) -> String {
        let text = value.as_str().unwrap();
        let Some((before, rest)) = text.split_once("${{ ") else { return text.to_owned() };
        let (expression, after) = rest.split_once(" }}").unwrap();
        let value = match expression {
            "github.ref_name" => self.tag.to_owned(),
            "github.repository" => "ada/tulk".to_owned(),
            "github.token" => "secret".to_owned(),
            "github.workspace" => self.path("tulk").display().to_string(),
            "vars.DEBFULLNAME" | "vars.DEBEMAIL" => String::new(),
            _ => matrix[expression.trim_start_matches("matrix.")].as_str().unwrap().to_owned(),
        };
        [before, &value, after].concat()
    }

    fn applies(condition: &Value, matrix: &Value) -> bool {
        let is = |key: &str, test: &dyn Fn(&str) -> bool| test(matrix[key].as_str().unwrap());
        match condition.as_str() {
            None | Some("github.ref_type == 'tag'") => true,
            Some("endsWith(matrix.target, '-musl')") => is("target", &|target| target.ends_with("-musl")),
            Some("${{ !endsWith(matrix.runner, '-arm') }}") => is("runner", &|runner| !runner.ends_with("-arm")),
            Some(other) => unreachable!("{other}"),
        }
    }

    /// Runs the steps of a job for one combination of its matrix, up to the first that fails.
    fn job_for(&mut self, file: &str, name: &str, matrix: &Value) -> Result<(), String> {
        let workflow = yaml(file);
        let job = &workflow["jobs"][name];
        let _ = self.bash("rm -rf packages programs target notes.md").status().unwrap();
        for step in steps(job).filter(|step| Self::applies(&step["if"], matrix)) {
            let with = |key: &str| self.expand(&step["with"][key], matrix);
            let action = step["uses"].as_str().unwrap_or_default().split('@').next().unwrap();
            let mut command = match action {
                // An artifact keeps no permissions.
                "actions/upload-artifact" => {
                    let copy = "to=../artifacts/$NAME\nmkdir $to\n[ ! -d \"$FROM\" ] || FROM=$FROM/.\n\
                        cp -r $FROM $to\nfind $to -type f -exec chmod 644 {} +";
                    let mut command = self.bash(copy);
                    command.env("NAME", with("name")).env("FROM", with("path"));
                    command
                }
                "actions/download-artifact" => {
                    assert_eq!(step["with"]["merge-multiple"], true);
                    let (from, to) = (with("pattern"), with("path"));
                    self.bash(&format!("mkdir {to}\nfor from in ../artifacts/{from}; do cp -r $from/. {to}; done"))
                }
                "" => {
                    let title = step["name"].as_str().unwrap_or_else(|| panic!("{file}: {name}: a step has no name"));
                    let key = (file.to_owned(), name.to_owned(), title.to_owned());
                    if NOT_RUN.iter().any(|(f, j, s)| (*f, *j, *s) == (&*key.0, &*key.1, &*key.2)) {
                        continue;
                    }
                    self.ran.insert(key);
                    self.bash(step["run"].as_str().unwrap())
                }
                _ => continue,
            };
            for (variable, value) in [&workflow, job, step].into_iter().flat_map(|level| object(&level["env"])) {
                command.env(variable, self.expand(value, matrix));
            }
            let is_arm = matrix["runner"].as_str().is_some_and(|runner| runner.ends_with("-arm"));
            command.env("MACHINE", if is_arm { "aarch64" } else { "x86_64" });
            let Output { status, stdout, stderr } = command.output().unwrap();
            if !status.success() {
                return Err(format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr)));
            }
        }
        Ok(())
    }

    #[track_caller]
    fn job(&mut self, file: &str, name: &str) {
        for matrix in combinations(&yaml(file)["jobs"][name]) {
            let result = self.job_for(file, name, &matrix);
            assert_eq!(result, Ok(()), "{file}: {name} {matrix}");
        }
    }

    /// Returns the calls of programs since the last time.
    fn calls(&self) -> String {
        let calls = std::fs::read_to_string(self.path("calls")).unwrap_or_default();
        let _ = std::fs::remove_file(self.path("calls"));
        calls
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.path("tulk").join(name)).unwrap()
    }

    /// Runs a command in the repository and returns its output.
    fn output(&self, script: &str) -> String {
        String::from_utf8(self.bash(script).output().unwrap().stdout).unwrap()
    }
}

fn has_packaging_tools() -> bool {
    ["bash", "dpkg-deb", "git", "unzip", "zip"].into_iter().all(has)
}

#[test]
fn ci_checks_everything_on_linux_and_runs_the_unit_tests_elsewhere() {
    let mut runner = Runner::new("main");
    runner.job(CI, "linux");
    let calls = runner.calls();
    let lines: Vec<_> = calls.lines().collect();
    let rust = "rustup toolchain install stable --no-self-update --profile minimal";
    assert_eq!(lines, vec![format!("{rust} --component clippy,rustfmt"); 3]);
    runner.job(CI, "unit-tests");
    let one = format!("{rust}\ncargo build --locked\ncargo test --locked --lib --bins -- --test-threads=2\n");
    assert_eq!(runner.calls(), one.repeat(2));
    assert_every_step_ran(CI, &runner);
}

#[test]
fn a_tag_builds_tries_and_publishes_all_packages() {
    if !has_packaging_tools() {
        return;
    }
    let mut runner = Runner::new("v1.2.3");
    runner.job(RELEASE, "tag");
    runner.job(RELEASE, "build");
    let calls = runner.calls();
    for target in TARGETS {
        let build = format!("cargo build --locked --profile dist --quiet --bin tulk --target {target}\n");
        let rust = format!("rustup toolchain install stable --no-self-update --profile minimal --target {target}\n");
        assert!(calls.contains(&build) && calls.contains(&rust), "{calls}");
    }
    assert_eq!(calls.matches("sudo apt-get install -y --no-install-recommends musl-tools\n").count(), 2, "{calls}");
    let mut programs = TARGETS.map(|target| format!("program-{target}/{target}/tulk"));
    programs[6].push_str(".exe");
    programs.sort();
    assert_eq!(files_below(&runner.path("artifacts")), programs);

    runner.job(RELEASE, "package");
    let calls = runner.calls();
    for expected in ["-x86_64-unknown-linux-gnu", "-x86_64-unknown-linux-musl", "-aarch64-unknown-linux-gnu"] {
        let tried =
            calls.lines().any(|line| line.contains(" packaging/try ") && line.contains(&format!("{expected}.tar.gz")));
        assert!(tried, "{expected}: {calls}");
    }
    runner.job(RELEASE, "publish");
    let mut files: Vec<_> = TARGETS[..6].iter().map(|target| format!("tulk-1.2.3-{target}.tar.gz")).collect();
    files.push("tulk-1.2.3-x86_64-pc-windows-msvc.zip".to_owned());
    files.sort();
    files.extend(["tulk.cdx.json", "tulk_1.2.3-1_amd64.deb", "tulk_1.2.3-1_arm64.deb"].map(str::to_owned));
    let sums = runner.file("packages/SHA256SUMS");
    assert_eq!(sums.lines().map(|line| &line[66..]).collect::<Vec<_>>(), files);
    let checked: String = files.iter().map(|file| format!("{file}: OK\n")).collect();
    assert_eq!(runner.output("cd packages && sha256sum -c SHA256SUMS"), checked);
    assert_eq!(runner.file("packages/tulk.cdx.json"), "{\"target\": \"all\"}\n");
    assert_eq!(runner.file("notes.md"), NOTES);
    let published: String = files.iter().map(|file| format!(" packages/{file}")).collect();
    assert_eq!(
        runner.calls(),
        format!(
            "gh release create v1.2.3 --verify-tag --title v1.2.3 --notes-file notes.md packages/SHA256SUMS{published}\nGH_REPO=ada/tulk\nGH_TOKEN=secret\n"
        )
    );

    // The archive for Windows has the layout that `cargo binstall` expects, and is the same for the same input.
    let listed = runner.output("unzip -Z1 packages/*.zip");
    let listed: Vec<_> =
        listed.lines().map(|line| line.strip_prefix("tulk-1.2.3-x86_64-pc-windows-msvc/").unwrap()).collect();
    assert!(
        ["tulk.exe", "LICENSE", "docs/README.md", "completions/_tulk.ps1", "tulk.cdx.json"]
            .iter()
            .all(|file| listed.contains(file)),
        "{listed:?}"
    );
    assert!(!listed.iter().any(|file| file.starts_with("man/") || *file == "install.sh"), "{listed:?}");
    let again = "before=$(sha256sum < packages/*.zip)\nsleep 2\n\
        packaging/tarball --target x86_64-pc-windows-msvc --binary \"$PROGRAM\" > made\n\
        sed \"s|$PWD/||\" made\n[ \"$before\" = \"$(sha256sum < \"$(cat made)\")\" ] && echo equal";
    let again = runner.bash(again).output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&again.stdout),
        "target/packages/tulk-1.2.3-x86_64-pc-windows-msvc.zip\nequal\n",
        "{again:?}"
    );
    assert_every_step_ran(RELEASE, &runner);
}

#[test]
fn a_tag_that_is_not_the_version_is_refused() {
    for (tag, change, message) in [
        ("v1.2.4", "true", "error: the tag is v1.2.4, but the version in Cargo.toml is 1.2.3\n"),
        ("1.2.3", "true", "error: the tag is 1.2.3, but the version in Cargo.toml is 1.2.3\n"),
        (
            "v1.2.3$(touch planted)",
            "true",
            "error: the tag is v1.2.3$(touch planted), but the version in Cargo.toml is 1.2.3\n",
        ),
        ("v1.2.3", "sed -i 's/1.2.3/1.2.5/' CHANGELOG.md", "error: CHANGELOG.md has no entries for 1.2.3\n"),
    ] {
        let mut runner = Runner::new(tag);
        runner.output(change);
        assert_eq!(runner.job_for(RELEASE, "tag", &json!({})), Err(message.to_owned()));
        // `publish` needs `tag`, but would fail too.
        runner.output("mkdir -p ../artifacts/packages-a\necho > ../artifacts/packages-a/tulk_1.2.3-1_amd64.deb");
        let failed = runner.job_for(RELEASE, "publish", &json!({})).unwrap_err();
        assert!(failed.ends_with(message), "{failed}");
        assert_eq!(runner.calls(), "");
        assert!(!runner.path("tulk/planted").exists());
    }
}

#[test]
fn a_version_with_a_suffix_is_a_prerelease() {
    let mut runner = Runner::new("v1.2.3-rc.1");
    runner.output(
        "sed -i 's/1\\.2\\.3/1.2.3-rc.1/' Cargo.toml CHANGELOG.md\nmkdir -p ../artifacts/packages-a\n\
        echo > ../artifacts/packages-a/tulk_1.2.3.rc.1-1_amd64.deb",
    );
    assert_eq!(runner.job_for(RELEASE, "publish", &json!({})), Ok(()));
    let call = "gh release create v1.2.3-rc.1 --verify-tag --title v1.2.3-rc.1 --notes-file notes.md --prerelease \
        packages/SHA256SUMS packages/tulk_1.2.3.rc.1-1_amd64.deb\n";
    assert!(runner.calls().starts_with(call));
}

#[track_caller]
fn assert_every_step_ran(file: &str, runner: &Runner) {
    let workflow = yaml(file);
    for (name, job) in object(&workflow["jobs"]) {
        for title in steps(job).filter(|step| step["run"].is_string()).map(|step| step["name"].as_str().unwrap()) {
            let ran = runner.ran.contains(&(file.to_owned(), name.clone(), title.to_owned()));
            assert!(ran != NOT_RUN.contains(&(file, name, title)), "{file}: {name}: {title}");
        }
    }
}
