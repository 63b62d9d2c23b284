//! Few file descriptors, a small stack, little address space, unusual umasks: a command works, or reports the limit and loses nothing.

#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use crate::common::tools::is_root_to;
use crate::common::{Bench, Run};

const HINT: &str = "raise the limit of open files, for example with `ulimit -n 256`";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0", "--latency", "5ms"])
}

fn lines(count: usize) -> String {
    (0..count).map(|n| format!("line {n}\n")).collect()
}

fn limited(bench: &Bench, limit: &str, line: &str) -> Run {
    Run::unlisted(bench.shell(&format!("ulimit {limit}; exec tulk {line}")).output().unwrap())
}

/// Counts how often each text was answered.
fn answered(bench: &Bench) -> BTreeMap<String, usize> {
    let mut texts = BTreeMap::new();
    for request in bench.requests().iter().filter(|request| request["status"] == 200) {
        let lang = request["body"]["target_lang"].as_str().unwrap_or_default().to_owned();
        for text in request["body"]["text"].as_array().into_iter().flatten() {
            *texts.entry(format!("{lang} {text}")).or_insert(0) += 1;
        }
    }
    texts
}

/// Asserts that the run succeeded or reported too few file descriptors.
fn check(run: &Run, what: &str) {
    if run.code == 0 {
        return;
    }
    let is_clear = [9, 70].contains(&run.code) && run.stderr.contains("Too many open files");
    assert!(is_clear, "{what}\n{run}");
}

#[test]
fn with_few_descriptors_texts_are_translated_or_resumable() {
    for n in [8, 16, 32] {
        let bench = upper();
        bench.write("in.txt", lines(400));
        let limit = format!("-n {n}");
        let single = limited(&bench, &limit, "translate --to de Hi");
        check(&single, "a text");
        assert!(single.code != 0 || single.out() == "HI\n", "{single}");
        if n > 8 {
            single.code(0);
        }
        let before = answered(&bench).len();
        for line in [
            "translate --to de --lines -i in.txt --retries 0 --concurrency 64 -o out.txt",
            "translate --to de,fr,es,it --lines -i in.txt --retries 0 -o out.{lang}.txt",
        ] {
            let first = limited(&bench, &limit, line);
            check(&first, line);
            if first.code != 0 {
                bench.bash(&format!("tulk {line} --resume")).code(0);
            }
        }
        for name in ["out.txt", "out.de.txt", "out.fr.txt", "out.es.txt", "out.it.txt"] {
            assert_eq!(bench.read(name), lines(400).to_uppercase(), "{n}: {name}");
        }
        // Both commands requested the German texts.
        let answered = answered(&bench);
        assert_eq!(answered.len() - before, 1600, "{n}");
        assert!(answered.iter().all(|(text, count)| *count <= 1 + usize::from(text.starts_with("DE "))), "{n}");
    }
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn with_few_descriptors_no_document_is_lost() {
    for n in [8, 16, 32] {
        let bench = upper();
        let names: Vec<String> = (0..12).map(|n| format!("f{n}.txt")).collect();
        for name in &names {
            bench.write(name, name);
        }
        let line = format!("doc translate {} --to de --retries 0", names.join(" "));
        let first = limited(&bench, &format!("-n {n}"), &line);
        check(&first, &line);
        let resumed = Run::unlisted(bench.command().args(["doc", "resume"]).output().unwrap());
        let is_told = ["is in doubt", " bytes are in ", "is its result, nothing is missing"]
            .iter()
            .any(|what| resumed.stderr.contains(what));
        assert!(resumed.code == 0 || is_told, "{resumed}\nthe first run: {first}");
        // A result may exist although its record could not be written. An upload whose answer could not be stored is in doubt, but not
        // billed, because its result is never downloaded.
        let left = names.iter().filter(|name| !bench.path(&name.replace(".txt", ".de.txt")).exists());
        for name in left {
            let part = bench.path(&name.replace(".txt", ".de.txt.part"));
            if part.exists() {
                // The hint names the complete result; only the record of its completion is missing.
                std::fs::rename(&part, part.with_extension("")).unwrap();
            } else {
                Run::unlisted(
                    bench.command().args(["doc", "translate", name, "--to", "de", "--again"]).output().unwrap(),
                )
                .code(0);
            }
        }
        let count = |end: &str| {
            let requests = bench.requests().into_iter().filter(|request| request["status"] == 200);
            requests.filter(|request| request["path"].as_str().unwrap().ends_with(end)).count()
        };
        assert_eq!(count("/result"), 12, "{n}: each is paid once");
        for name in &names {
            assert_eq!(bench.read(&name.replace(".txt", ".de.txt")), name.to_uppercase());
        }
    }
}

#[test]
fn with_few_descriptors_a_project_is_synchronized_or_resumable() {
    for n in [8, 9, 10, 11, 12, 14, 16, 32] {
        let bench = upper();
        bench.write(
            "tulk.toml",
            "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\", \"es\"]\n\n[[sync.files]]\n\
             source = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n",
        );
        for file in 0..6 {
            bench.write(&format!("en/f{file}.json"), format!("{{\"a\": \"Text {file}\"}}\n"));
        }
        let run = limited(&bench, &format!("-n {n}"), "sync --retries 0");
        check(&run, "sync");
        assert!(run.code == 0 || run.stderr.contains(HINT), "{n}\n{run}");
        bench.run(["sync"]).code(0);
        bench.run(["sync", "--check"]).code(0);
        assert!(answered(&bench).len() == 18 && answered(&bench).values().all(|count| *count == 1), "{n}");
    }
}

#[test]
fn a_sandbox_with_few_descriptors_serves_many_clients() {
    let bench = Bench::bare().env("TULK_API_KEY", "sandbox");
    let mut shell = bench.shell(
        "ulimit -n 16; exec tulk sandbox serve --quiet --port 0 --ephemeral --engine upper --latency 50ms > address",
    );
    let mut server = shell.stderr(Stdio::null()).spawn().unwrap();
    crate::common::wait_until("the address", || {
        std::fs::read(bench.path("address")).is_ok_and(|text| text.ends_with(b"\n"))
    });
    let address = bench.read("address");
    let bench = bench.env("TULK_SERVER", address.trim());
    let clients: Vec<_> = (0..24)
        .map(|n| {
            let mut command = bench.command();
            command.args(["translate", "--to", "de", &format!("Text {n}")]);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    let runs: Vec<Run> = clients.into_iter().map(|client| Run::unlisted(client.wait_with_output().unwrap())).collect();
    server.kill().unwrap();
    server.wait().unwrap();
    for (n, run) in runs.into_iter().enumerate() {
        run.code(0).prints(format!("TEXT {n}\n"));
    }
}

#[test]
fn too_few_descriptors_to_start_are_reported() {
    let bench = upper();
    for n in [4, 5, 6] {
        let run = limited(&bench, &format!("-n {n}"), "translate --to de Hi").prints("");
        assert_eq!(run.code, 70, "{n}\n{run}");
        run.says("Too many open files").says(HINT);
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn a_small_stack_is_enough() {
    let bench = upper();
    bench.write("in.txt", lines(200));
    bench.write("deep.jsonl", format!("{{\"a\":{}1{},\"t\":\"x\"}}\n", "[".repeat(100), "]".repeat(100)));
    for stack in [128, 256] {
        let limit = format!("-s {stack}");
        limited(&bench, &limit, "translate --to de Hi").code(0).prints("HI\n");
        limited(&bench, &limit, "translate --to de --lines -i in.txt").code(0).prints(lines(200).to_uppercase());
        limited(&bench, &limit, "doc translate in.txt --to de --force").code(0);
        limited(&bench, &limit, "translate --to de --jsonl --field /t -i deep.jsonl").code(0);
        limited(&bench, &limit, "help translate").code(0);
        limited(&bench, &limit, "glossary list").code(0);
        limited(&bench, &limit, "translate --to xx Hi").code(5);
        limited(&bench, &limit, "--sandbox translate --to de Hi").code(0);
    }
    assert_eq!(bench.read("in.de.txt"), lines(200).to_uppercase());
}

#[test]
fn too_little_memory_keeps_old_outputs_and_finished_work() {
    let bench = upper();
    bench.write("in.txt", lines(300));
    let mut worked = 0;
    for kibibytes in [60_000, 90_000, 100_000, 200_000, 400_000] {
        bench.write("out.txt", "old\n");
        let line = "translate --to de --lines -i in.txt -o out.txt --force";
        let run = limited(&bench, &format!("-v {kibibytes}"), line);
        let expected = if run.code == 0 { lines(300).to_uppercase() } else { "old\n".to_owned() };
        assert_eq!(bench.read("out.txt"), expected, "{kibibytes}\n{run}");
        worked += u8::from(run.code == 0);
        bench.bash(&format!("tulk {line}")).code(0);
        assert_eq!(bench.read("out.txt"), lines(300).to_uppercase(), "{kibibytes}");
    }
    assert!(worked > 0);
}

#[test]
fn private_files_stay_private_and_shared_files_shared_under_any_umask() {
    for (umask, shared) in [("0000", 0o666), ("0077", 0o600), ("0027", 0o640)] {
        let bench = upper();
        bench.write("in.txt", "one\n");
        let script = format!(
            "umask {umask}\ntulk translate --to de,fr -i in.txt -o 'new/{{lang}}.txt' --cache\ntulk doc translate in.txt --to de\n\
             echo key-12345678 | tulk auth login --server http://127.0.0.1:9 --no-verify\n\
             tulk doc upload in.txt --to fr --key-out key.json\nTULK_SANDBOX=1 TULK_SERVER= tulk usage"
        );
        bench.bash(&script).code(0);
        let mode = |name: &str| bench.path(name).metadata().unwrap().permissions().mode() & 0o777;
        for name in ["new/de.txt", "new/fr.txt", "in.de.txt"] {
            assert_eq!(mode(name), shared, "{umask} {name}");
        }
        // The settings can run a command, so others must not be able to write them.
        assert_eq!(mode(".config/tulk/config.toml"), shared & 0o644, "{umask}");
        assert_eq!((mode(".config/tulk/credentials.toml"), mode("key.json")), (0o600, 0o600), "{umask}");
        for dir in [".local/state/tulk/documents", ".cache/tulk/results", ".local/state/tulk/sandbox"] {
            assert_eq!(mode(dir), 0o700, "{umask} {dir}");
        }
        for dir in [".local/state/tulk/documents", ".cache/tulk/results"] {
            for entry in std::fs::read_dir(bench.path(dir)).unwrap() {
                let entry = entry.unwrap();
                assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{umask} {:?}", entry.path());
            }
        }
    }
}

/// A user without other processes, so a process limit applies to this test only.
const USER_WITHOUT_PROCESSES: &str = "61234";

#[test]
fn a_thread_limit_is_reported_as_a_limit_of_the_machine() {
    if !is_root_to("become a user without processes") {
        return;
    }
    let bench = upper();
    bench.write("in.txt", lines(300));
    bench.write("en/a.json", "{\"a\": \"One\"}\n");
    bench.write("en/b.json", "{\"a\": \"Two\"}\n");
    bench.write(
        "tulk.toml",
        "[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\", \"fr\"]\n\n[[sync.files]]\n\
         source = \"en/*.json\"\ntarget = \"{lang}/*.json\"\ndialect = \"none\"\n",
    );
    // Another process writes the copy. If this one did, another test could start a child that has it open for writing, and running the
    // copy would fail.
    let program = crate::common::binary();
    bench.bash(&format!("cp '{}' tulk-copy && chmod -R a+rwX . && chmod a+rx tulk-copy", program.display())).code(0);
    for limit in [1, 2, 3, 6, 20] {
        for line in [
            "translate --to de Hi",
            "translate --to de,fr --lines -i in.txt -o out.{lang}.txt --force",
            "translate --cache --to de --lines -i in.txt",
            "doc translate in.txt --to de --force --again",
            "voice stream in.txt --to de --content-type 'audio/pcm;encoding=s16le;rate=16000'",
            "sync",
        ] {
            let script = format!(
                "exec setpriv --reuid {USER_WITHOUT_PROCESSES} --clear-groups bash -c 'ulimit -u {limit}; exec ./tulk-copy \"$@\"' bash {line}"
            );
            let run = Run::unlisted(bench.shell(&script).output().unwrap());
            // If only some languages of a project could be written, the exit code is 9.
            let is_clear = (run.code == 70 || (run.code == 9 && line == "sync"))
                && run.stderr.contains("cannot start a thread: Resource temporarily unavailable")
                && run.stderr.contains(&format!("raise the limit of this machine: `ulimit -u` is {limit} processes"));
            assert!(run.code == 0 || is_clear, "{limit}: {line}\n{run}");
            assert!(limit < 20 || run.code == 0 || line.starts_with("voice"), "{limit}: {line}\n{run}");
        }
    }
}
