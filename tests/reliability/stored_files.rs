//! SECURITY.md lists every file that tulk stores, with its mode.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use crate::common::scripted::{ScriptedServer, answer};
use crate::common::{Bench, wait_until};

/// A row of the table in SECURITY.md: a pattern with `*`, and the mode, or `None` if the umask decides.
struct StoredFile {
    pattern: String,
    mode: Option<u32>,
}

fn listed() -> Vec<StoredFile> {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("SECURITY.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")).map(|row| {
        let (pattern, rest) = row.split_once("` | ").unwrap();
        let mode = rest.split(" | ").next().unwrap();
        StoredFile { pattern: pattern.to_owned(), mode: u32::from_str_radix(mode, 8).ok() }
    });
    rows.collect()
}

/// Collects paths and modes of files. Checks the modes of directories.
fn collect(dir: &Path, shown: &str, is_private: bool, found: &mut Vec<(String, u32)>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten() {
        let path = entry.unwrap().path();
        let name = format!("{shown}/{}", path.file_name().unwrap().to_string_lossy());
        let mode = path.symlink_metadata().unwrap().permissions().mode() & 0o777;
        if path.is_dir() {
            assert!(!is_private || mode == 0o700, "{name} has mode {mode:o}");
            collect(&path, &name, is_private, found);
        } else {
            found.push((name, mode));
        }
    }
}

fn matches(pattern: &str, name: &str) -> bool {
    let (start, end) = pattern.split_once('*').unwrap_or((pattern, ""));
    let is_in_directory = || name.rsplit_once('/').map(|(dir, _)| dir) == pattern.rsplit_once('/').map(|(dir, _)| dir);
    if !pattern.contains('*') {
        return name == pattern;
    }
    name.len() >= pattern.len() && name.starts_with(start) && name.ends_with(end) && is_in_directory()
}

/// Some commands are stopped early to leave unfinished state.
fn store_everything(bench: &Bench) {
    bench.write("in.txt", "Hello\n");
    bench.write("lines.txt", "one\ntwo\nthree\n");
    bench.write("many.txt", (0..400).map(|n| format!("line {n}\n")).collect::<String>());
    bench.write("k.tsv", "sea\tMeer\n");
    bench.write("key.txt", "abcdefgh1234\n");
    bench.bash("chmod 600 key.txt").code(0);
    bench.run(["config", "set", "profiles.work.formality", "more"]).code(0);
    bench.bash("tulk auth login -p work --server http://127.0.0.1:9 --no-verify < key.txt").code(0);
    bench.run(["glossary", "create", "K", "--dictionary", "en:de=k.tsv"]).code(0);
    bench.run(["translate", "--to", "de", "--cache", "--glossary", "K", "--from", "en", "Hello"]).code(0);
    bench.run(["langs", "list"]).code(0);
    bench.run(["doc", "upload", "in.txt", "--to", "de"]).code(0);
    bench.run(["doc", "translate", "in.txt", "--to", "fr"]).code(0);
    let stop = ["--lines", "-i", "many.txt", "--max-characters"];
    bench.run([&["translate", "--to", "de"], &stop[..], &["1500", "-o", "many.de.txt"]].concat()).code(6);
    bench
        .run([&["translate", "--to", "fr", "-i", "lines.txt"], &stop[..], &["1500", "-o", "{stem}.fr"]].concat())
        .code(9);
    bench.run(["--sandbox", "translate", "--to", "de", "Hello"]).code(0);
    bench.run(["--sandbox", "doc", "upload", "lines.txt", "--to", "pl"]).code(0);
    // The address is printed once the certificate is written.
    bench
        .bash("exec 3< <(exec env -u TULK_SERVER tulk sandbox serve --port 0 --tls 2> log); read -r _ <&3; kill $!; wait $! || :")
        .code(0);
}

/// Kills `tulk sync` between the answers to its two requests.
fn store_journal(bench: &Bench) {
    let files = "[[sync.files]]\nsource = \"en.json\"\ntarget = \"{lang}.json\"\n";
    bench.write("tulk.toml", format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{files}"));
    let units: Vec<String> = (0..60).map(|n| format!("\"k{n}\": \"Text {n}\"")).collect();
    bench.write("en.json", format!("{{{}}}", units.join(", ")));
    let server = ScriptedServer::with_stream(|request, stream| {
        let texts = vec![r#"{"detected_source_language":"EN","text":"x"}"#; 50].join(",");
        if request.matches("Text ").count() == 50 {
            let _ = stream.write_all(&answer(200, &[], format!(r#"{{"translations":[{texts}]}}"#)));
        } else {
            // Withhold the answer until the client is killed.
            let _ = stream.read(&mut [0]);
        }
    });
    let mut run = bench.command().args(["sync", "--server", &server.url]).stderr(Stdio::null()).spawn().unwrap();
    let journal = bench.path(".local/state/tulk/sync");
    let has_answers = |path: &Path| {
        path.extension().is_some_and(|end| end == "jsonl") && path.metadata().is_ok_and(|file| file.len() > 0)
    };
    wait_until("the journal has the first answer", || {
        std::fs::read_dir(&journal).into_iter().flatten().any(|entry| has_answers(&entry.unwrap().path()))
    });
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn the_security_page_lists_every_stored_file_with_its_mode() {
    let bench = Bench::new();
    store_everything(&bench);
    store_journal(&bench);
    let mut found = Vec::new();
    for (dir, shown, is_private) in
        [(".config/tulk", "CONFIG", false), (".local/state/tulk", "STATE", true), (".cache/tulk", "CACHE", true)]
    {
        collect(&bench.path(dir), shown, is_private, &mut found);
    }
    for (name, pattern) in [("many.de.txt.part", "FILE.part"), ("many.de.txt.part.state", "FILE.part.state")] {
        let mode = bench.path(name).metadata().unwrap().permissions().mode() & 0o777;
        found.push((pattern.to_owned(), mode));
    }
    let listed = listed();
    for (name, mode) in &found {
        let row = listed.iter().find(|row| matches(&row.pattern, name));
        let row = row.unwrap_or_else(|| panic!("SECURITY.md does not list {name}: {found:#?}"));
        let is_public = name.ends_with("cert.pem") || name.ends_with("notice");
        assert!(is_public || row.mode.is_none_or(|right| right == *mode), "{name} has mode {mode:o}");
    }
    for row in &listed {
        assert!(found.iter().any(|(name, _)| matches(&row.pattern, name)), "no {}: {found:#?}", row.pattern);
    }
}
