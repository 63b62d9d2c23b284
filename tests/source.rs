//! Checks that the source follows CONTRIBUTING and docs/architecture.md: crates, paths, where a command is declared, unique type names,
//! no unused test file, no banned crate.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::string_slice)] // tests

#[path = "common/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use source::{crates, files, read, root, rust_files, sources};

/// Returns a file without its unit tests.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or(text)
}

fn is_test_file(path: &str) -> bool {
    path.contains("/tests/") || path.ends_with("/tests.rs")
}

/// Returns the name of the type that a line defines. A macro variable such as `$name` does not count.
fn defined_type(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().peekable();
    if words.peek().is_some_and(|word| word.starts_with("pub")) {
        words.next();
    }
    if !matches!(words.next(), Some("struct" | "enum" | "trait" | "union")) {
        return None;
    }
    let name = words.next()?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end]).filter(|name| !name.is_empty())
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|e| e == extension)
}

#[test]
fn a_type_name_is_defined_once_in_a_crate() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in crates().iter().map(|(_, source)| source) {
        for (path, text) in rust_files(source).iter().filter(|(path, _)| !is_test_file(path)) {
            for name in without_tests(text).lines().filter_map(defined_type) {
                places.entry(format!("{name} of {source}")).or_default().push(path.clone());
            }
        }
    }
    assert!(places.len() > 300, "only {} types were found", places.len());
    let repeated = places.iter().filter(|(_, paths)| paths.len() > 1);
    let repeated: Vec<String> = repeated.map(|(name, paths)| format!("{name}: {}", paths.join(", "))).collect();
    assert!(repeated.is_empty(), "{} type names are defined more than once:\n{}", repeated.len(), repeated.join("\n"));
}

/// Functions that read a complete file or stream without a limit. Only the source files below may call them: these use `take` as a limit.
const UNBOUNDED: [&str; 4] = ["fs::read(", "fs::read_to_string(", ".read_to_end(", ".read_to_string("];
const BOUNDED_BY_TAKE: [&str; 6] = [
    "crates/base/src/files/bounded.rs",
    "crates/base/src/files/digest.rs",
    "crates/sandbox/src/routes/doc/office.rs",
    "crates/sandbox/src/routes/voice_jobs/audio_file.rs",
    "crates/sync/src/layouts/tree.rs",
    "src/inputs/structure.rs",
];

#[test]
fn only_the_bounded_reader_reads_complete_files() {
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| !is_test_file(path) && !path.starts_with("fuzz/")) {
        let code = without_tests(text).split("#[cfg(any(test").next().unwrap_or_default();
        for line in code.lines().filter(|line| UNBOUNDED.iter().any(|call| line.contains(call))) {
            if !BOUNDED_BY_TAKE.contains(&path.as_str()) {
                wrong.push(format!("{path}: {}", line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "use tulk_base::files::read_bounded:\n{}", wrong.join("\n"));
}

#[test]
fn every_file_has_a_header_comment() {
    let others = ["tests", "benches"].into_iter().flat_map(rust_files);
    let wrong = sources().into_iter().chain(others).filter(|(_, text)| !text.starts_with("//!"));
    let wrong: Vec<String> = wrong.map(|(path, _)| path).collect();
    assert!(wrong.is_empty(), "these do not begin with a //! comment:\n{}", wrong.join("\n"));
}

#[test]
fn every_crate_documents_its_input_and_output() {
    for (name, _) in crates().iter().filter(|(name, _)| name != ".") {
        let page = read(&format!("{name}/README.md"));
        for word in ["**In**", "**Out**", "**Used by**"] {
            assert!(page.contains(word), "{name}/README.md lacks {word}");
        }
    }
}

#[test]
fn every_module_documents_its_input_and_output() {
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| path.ends_with("/mod.rs") && !is_test_file(path)) {
        let header: String = text.lines().map_while(|line| line.strip_prefix("//!")).collect::<Vec<_>>().join("\n");
        let sentences =
            header.matches(". ").count() + header.matches(".\n").count() + usize::from(header.ends_with('.'));
        if sentences < 3 {
            wrong.push(format!("{path}: {sentences} sentences"));
        }
    }
    assert!(wrong.is_empty(), "headers shorter than three sentences:\n{}", wrong.join("\n"));
}

#[test]
fn references_to_pages_lead_to_sections_that_exist() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            for (at, _) in line.match_indices("docs/") {
                let page: String =
                    line[at..].chars().take_while(|c| c.is_alphanumeric() || "/-_.".contains(*c)).collect();
                let page = page.trim_end_matches('.');
                let rest = &line[at + page.len()..];
                let section =
                    rest.strip_prefix(", \"").and_then(|rest| rest.split_once('"')).map(|(section, _)| section);
                let text = std::fs::read_to_string(root().join(page)).unwrap_or_default();
                let has_section = section.is_none_or(|s| text.lines().any(|l| l.trim_start_matches('#').trim() == s));
                if !has_extension(page, "md") || text.is_empty() || !has_section {
                    wrong.push(format!("{path}:{}: {}", number + 1, line.trim()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "references that lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn the_service_page_lists_the_limits_in_the_code() {
    let page = read("docs/service.md");
    let code = read("crates/base/src/limits.rs");
    let mut checked = 0;
    for row in page.lines() {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, value, name] = cells[..] else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|name| name.strip_suffix('`')) else { continue };
        let line = code.lines().find(|line| line.contains(&format!("const {name}:"))).expect(name);
        let number: String = line.rsplit('=').next().unwrap().chars().filter(char::is_ascii_digit).collect();
        assert_eq!(number, value, "docs/service.md and crates/base/src/limits.rs differ in {name}");
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} limits were compared");
}

/// Dependencies that are not mentioned in the source: they select features or an implementation of another dependency.
const NAMED_FOR_FEATURES: [&str; 2] = ["flate2", "getrandom"];

/// Returns kind and name of each dependency. `table` is a manifest or one of its tables for a target.
fn dependencies(table: &toml_edit::Table) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        let names = table.get(kind).and_then(|item| item.as_table()).into_iter().flat_map(|table| table.iter());
        all.extend(names.map(|(name, _)| (kind.to_owned(), name.to_owned())));
    }
    let targets = table.get("target").and_then(|item| item.as_table()).into_iter().flat_map(|table| table.iter());
    all.extend(targets.filter_map(|(_, target)| target.as_table()).flat_map(dependencies));
    all
}

#[test]
fn every_dependency_is_used() {
    let (mut checked, mut unused) = (0, Vec::new());
    for (directory, source) in crates() {
        let manifest: toml_edit::DocumentMut = read(&format!("{directory}/Cargo.toml")).parse().unwrap();
        let files = rust_files(if directory == "." { &source } else { &directory });
        let program: String = files.into_iter().map(|(_, text)| text).collect();
        let mut tests = program.clone();
        if directory == "." {
            tests.extend(["tests", "benches"].into_iter().flat_map(rust_files).map(|(_, text)| text));
        }
        for (kind, name) in dependencies(&manifest) {
            let text = match kind.as_str() {
                "dependencies" => &program,
                "dev-dependencies" => &tests,
                _ => &read(&format!("{directory}/build.rs")),
            };
            let code = name.replace('-', "_");
            let used = [format!("{code}::"), format!("use {code};"), format!("{code} as "), format!("= \"{code}\"")];
            let is_used = used.iter().any(|mark| text.contains(mark));
            if !is_used && !NAMED_FOR_FEATURES.contains(&code.as_str()) {
                unused.push(format!("{directory}/Cargo.toml: `{name}` of [{kind}]"));
            }
            checked += 1;
        }
    }
    assert!(unused.is_empty(), "nothing uses these dependencies:\n{}", unused.join("\n"));
    assert!(checked > 100, "only {checked} dependencies were found");
}

#[test]
fn every_test_file_is_in_a_module() {
    for binary in ["tests/cli", "tests/reliability"] {
        let main = read(&format!("{binary}/main.rs"));
        for (path, _) in rust_files(binary) {
            let name = path.trim_start_matches(binary).trim_start_matches('/').trim_end_matches(".rs");
            let is_module = name.contains('/') || name == "main" || main.contains(&format!("mod {name};"));
            assert!(is_module, "{binary}/main.rs lacks `mod {name};`");
        }
    }
}

#[test]
fn banned_crates_stay_out() {
    let lock = read("Cargo.lock");
    let count = |name: &str| lock.lines().filter(|l| *l == format!("name = \"{name}\"")).count();
    for name in ["openssl-sys", "aws-lc-sys", "native-tls"] {
        assert_eq!(count(name), 0, "{name}");
    }
    for name in ["rustls", "tungstenite", "ring", "reqwest"] {
        assert_eq!(count(name), 1, "{name}");
    }
}

fn paths_of(page: &str) -> Vec<String> {
    let quoted = page.split('`').skip(1).step_by(2);
    let is_path = |text: &&str| {
        ["src/", "crates/", "tests/", "docs/", "benches/", "fuzz/", "man/", "completions/", ".ci/", ".cargo/"]
            .iter()
            .any(|root| text.starts_with(root))
            && !text.contains([' ', '<', '*'])
    };
    quoted.filter(is_path).map(|text| text.trim_end_matches('/').to_owned()).collect()
}

#[test]
fn pages_for_contributors_name_files_that_exist() {
    let mutants: toml_edit::DocumentMut = read(".cargo/mutants.toml").parse().unwrap();
    let globs = mutants["examine_globs"].as_array().unwrap().iter().map(|glob| glob.as_str().unwrap());
    let before_star = globs.map(|glob| glob.split('*').next().unwrap().to_owned());
    let mut named: Vec<(&str, String)> = before_star.map(|path| (".cargo/mutants.toml", path)).collect();
    for page in ["docs/architecture.md", "CONTRIBUTING.md"] {
        named.extend(paths_of(&read(page)).into_iter().map(|path| (page, path)));
    }
    assert!(named.len() > 100, "only {} paths are named", named.len());
    for (page, path) in named {
        assert!(root().join(&path).exists(), "{page} names `{path}`, which does not exist");
    }
}

#[test]
fn the_architecture_page_covers_every_module_and_crate() {
    let page = read("docs/architecture.md");
    let entries = ["src", "crates"].into_iter().flat_map(|dir| std::fs::read_dir(root().join(dir)).unwrap());
    for entry in entries {
        let name = entry.unwrap().path().strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        assert!(page.contains(&format!("\n| `{name}` | ")), "docs/architecture.md has no row for `{name}`");
    }
}

fn add_reachable<'a>(from: &str, arrows: &[(&'a str, &'a str)], found: &mut BTreeSet<&'a str>) {
    for (_, to) in arrows.iter().filter(|(user, _)| *user == from) {
        found.insert(to);
        add_reachable(to, arrows, found);
    }
}

#[test]
fn the_crate_diagram_matches_the_manifests() {
    let page = read("docs/architecture.md");
    let arrows: Vec<(&str, &str)> = page.lines().filter_map(|line| line.trim().split_once(" --> ")).collect();
    for (directory, _) in crates() {
        let manifest: toml_edit::DocumentMut = read(&format!("{directory}/Cargo.toml")).parse().unwrap();
        let name = |package: &str| package.trim_start_matches("tulk-").to_owned();
        let user = name(manifest["package"]["name"].as_str().unwrap());
        let targets = manifest.get("target").and_then(|table| table.as_table()).into_iter().flatten();
        let tables = std::iter::once(manifest.as_item()).chain(targets.map(|(_, target)| target));
        let dependencies = tables.filter_map(|item| item.get("dependencies")?.as_table()).flatten();
        let needed: BTreeSet<String> =
            dependencies.map(|(package, _)| package).filter(|p| p.starts_with("tulk")).map(name).collect();
        let mut shown = BTreeSet::new();
        add_reachable(&user, &arrows, &mut shown);
        for other in &needed {
            assert!(shown.contains(other.as_str()), "no path of arrows leads from {user} to {other}");
        }
        for (_, to) in arrows.iter().filter(|(from, _)| *from == user) {
            assert!(needed.contains(*to), "{user} does not use {to}");
        }
    }
}

/// A word does not count if it is the prefix of a longer word.
fn files_with(words: &[&str]) -> BTreeSet<String> {
    let contains = |text: &str, word: &str| {
        let mut ends = text.match_indices(word).map(|(at, _)| &text[at + word.len()..]);
        ends.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    };
    let all = sources().into_iter().filter(|(path, _)| !is_test_file(path));
    let found = all.filter(|(_, text)| words.iter().any(|word| contains(without_tests(text), word)));
    found.map(|(path, _)| path).collect()
}

#[test]
fn a_command_is_declared_only_in_the_files_that_contributing_lists() {
    let page = read("CONTRIBUTING.md");
    let table = page.lines().skip_while(|line| *line != "| what | where |").take_while(|line| line.starts_with('|'));
    let places: BTreeSet<String> = table.flat_map(paths_of).collect();
    assert_eq!(places.len(), 5, "{places:?}");
    let path = "/v3/glossaries/{glossary_id}\"";
    let mut found = files_with(&["DeleteGlossary", "GlossaryDeleteArgs", "glossary delete", path]);
    let test = "tests/cli/glossary.rs";
    assert!(read(test).contains("\"glossary\", \"delete\""));
    found.insert(test.to_owned());
    assert_eq!(found, places, "the files with `tulk glossary delete`, and those in CONTRIBUTING.md");
    assert_eq!(read("src/commands/glossary/mod.rs").matches("GlossaryDeleteArgs").count(), 1);
}

/// The API, the commands, the sandbox and the tests name a resource with the same word, so that its files are easy to find.
#[test]
fn every_resource_has_a_command_a_route_and_tests() {
    let words = |dir: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(root().join(dir)).unwrap();
        entries.map(|e| e.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    let shared = ["mod", "assets", "day", "language_code", "language_names", "operations"];
    let (commands, routes, tests) = (words("src/commands"), words("crates/sandbox/src/routes"), words("tests/cli"));
    for word in words("crates/client/src/api").iter().filter(|word| !shared.contains(&word.as_str())) {
        assert!(commands.contains(word), "src/commands lacks `{word}`");
        assert!(routes.contains(word), "crates/sandbox/src/routes lacks `{word}`");
        assert!(tests.contains(word), "tests/cli lacks `{word}`");
    }
    assert!(files("docs", "md").len() > 10);
}

#[test]
fn every_file_can_be_checked_out_on_windows() {
    // Windows reserves these device names, with any extension.
    let reserved = ["con", "prn", "aux", "nul"];
    let is_refused = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
        reserved.contains(&stem.as_str())
            || part.ends_with(['.', ' '])
            || part.contains(['<', '>', ':', '"', '|', '?', '*'])
    };
    let mut folders = vec![root().to_owned()];
    let (mut count, mut refused) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().to_string_lossy().into_owned();
            if is_refused(&name) {
                refused.push(entry.path());
            }
            count += 1;
            if entry.file_type().unwrap().is_dir() && !["target", ".git"].contains(&name.as_str()) {
                folders.push(entry.path());
            }
        }
    }
    assert!(count > 1000, "only {count} files were found");
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn the_build_sets_no_variable_read_by_the_program() {
    // Under `cargo run` and `cargo test`, variables set by a build script are also in the environment of the program.
    let build = read("build.rs");
    let set: Vec<&str> = build.split("cargo:rustc-env=").skip(1).filter_map(|rest| rest.split('=').next()).collect();
    assert_eq!(set.len(), 3, "{set:?}");
    assert!(set.iter().all(|name| name.starts_with("BUILD_")), "{set:?}");
}

/// The sandbox has its own limits, so it notices a wrong limit of the client.
#[test]
fn the_sandbox_does_not_use_the_limits_of_the_client() {
    let manifest = read("crates/sandbox/Cargo.toml");
    assert_eq!(manifest.matches("\ntulk-").count(), 1, "the sandbox uses no other crate than tulk-base");
    for (path, text) in rust_files("crates/sandbox/src") {
        assert!(!text.contains("tulk_base::limits"), "{path} uses the limits of tulk-base");
    }
}
