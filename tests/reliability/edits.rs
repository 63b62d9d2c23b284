//! Someone edits a file while a command works on it: during a request, or before any system call that changes a file. The edit is kept,
//! and the billed result is written beside the file.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;

use crate::common::scripted::{ScriptedServer, forward_to_sandbox};
use crate::common::{Bench, Run};

/// The text that the editor writes. The service returns upper case.
const BY_HAND: &str = "by hand\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edit {
    Write,
    Append,
    /// Replaces the file and keeps its time of modification, like editors that save a copy first.
    Replace,
    Link,
    Delete,
}

const EDITS: [Edit; 5] = [Edit::Write, Edit::Append, Edit::Replace, Edit::Link, Edit::Delete];

impl Edit {
    /// A missing file is not edited.
    fn make(self, path: &Path) {
        let Ok(old) = fs::read_to_string(path) else { return };
        let beside = path.with_extension("person");
        match self {
            Self::Write => fs::write(path, BY_HAND).unwrap(),
            Self::Append => {
                let mut file = File::options().append(true).open(path).unwrap();
                file.write_all(BY_HAND.as_bytes()).unwrap();
            }
            Self::Replace => {
                let modified = path.metadata().unwrap().modified().unwrap();
                let mut copy = File::create(&beside).unwrap();
                write!(copy, "{old}{BY_HAND}").unwrap();
                copy.set_modified(modified).unwrap();
                fs::rename(&beside, path).unwrap();
            }
            Self::Link => {
                fs::write(&beside, format!("{old}{BY_HAND}")).unwrap();
                fs::remove_file(path).unwrap();
                std::os::unix::fs::symlink(&beside, path).unwrap();
            }
            Self::Delete => fs::remove_file(path).unwrap(),
        }
    }

    fn after(self, old: &str) -> Option<String> {
        match self {
            Self::Write => Some(BY_HAND.to_owned()),
            Self::Append | Self::Replace | Self::Link => Some(format!("{old}{BY_HAND}")),
            Self::Delete => None,
        }
    }
}

/// Commands that replace a file with its result: arguments, file, content.
const IN_PLACE: [(&str, &str, &str); 10] = [
    ("translate --to de --lines", "a.txt", "one\ntwo\n"),
    ("translate --to de", "a.txt", "One text.\nIts second line.\n"),
    ("translate --to de", "a.md", "# A title\n\nA *text*.\n"),
    ("translate --to de --csv --column text", "a.csv", "id,text\n1,one\n2,two\n"),
    ("translate --to de --jsonl --field /text", "a.jsonl", "{\"text\": \"one\"}\n"),
    ("translate --to de", "a.srt", "1\n00:00:01,000 --> 00:00:02,000\nOne text\n"),
    ("translate --to de --as json", "a.json", "{\"a\": \"One\", \"b\": \"Two\"}\n"),
    ("translate --to de --as po", "a.po", "msgid \"One\"\nmsgstr \"\"\n"),
    ("write correct --lines", "a.txt", "one\ntwo\n"),
    ("write correct", "a.md", "# A title\n\nA *text*.\n"),
];

/// Starts a server that calls `at_first` at the first translation request.
fn server(sandbox: &Bench, at_first: impl FnOnce() + Send + 'static) -> ScriptedServer {
    let (url, at_first) = (sandbox.url().to_owned(), Mutex::new(Some(at_first)));
    ScriptedServer::start(move |request| {
        if request.starts_with("POST ")
            && let Some(at_first) = at_first.lock().unwrap().take()
        {
            at_first();
        }
        forward_to_sandbox(&url, request)
    })
}

fn bench_at(url: &str) -> Bench {
    Bench::bare().env("TULK_SERVER", url).env("TULK_API_KEY", "sandbox")
}

fn run_in_place(bench: &Bench, args: &str, file: &str) -> Run {
    let mut command = bench.command();
    command.args(args.split(' ')).args(["--in-place", "-i", file]);
    // Only runs with `--lines` compare their messages with the golden list.
    let output = command.output().unwrap();
    if args.ends_with("--lines") { Run::from(output) } else { Run::unlisted(output) }
}

/// Fails if the home directory has any other files.
#[track_caller]
fn assert_files(bench: &Bench, expected: &[&str], label: &str) {
    let names = fs::read_dir(bench.dir()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let is_other = |name: &String| !matches!(name.as_str(), ".local" | ".cache" | ".config" | ".sandbox" | "a.person");
    let mut names: Vec<String> = names.filter(is_other).collect();
    names.sort();
    assert_eq!(names, expected, "{label}");
}

#[test]
fn an_edit_during_an_in_place_run_is_kept_and_the_result_goes_beside_it() {
    let sandbox = Bench::with(&["--engine", "upper"]);
    for (args, file, text) in IN_PLACE {
        let bench = bench_at(sandbox.url());
        bench.write(file, text);
        run_in_place(&bench, args, file).code(0);
        let result = bench.read(file);
        assert_ne!(result, text, "{args}");
        assert_files(&bench, &[file], args);
        for edit in EDITS {
            let label = format!("{args} {file} {edit:?}");
            let bench = Bench::bare();
            let path = bench.write(file, text);
            let server = server(&sandbox, move || edit.make(&path));
            let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
            let beside = format!("{file}.tulk-new");
            let how = if edit == Edit::Delete { "it was removed in the meantime; " } else { "and was kept; " };
            run_in_place(&bench, args, file).code(9).says(&format!("{how}the result is in {beside}"));
            let now = fs::read_to_string(bench.path(file)).ok();
            assert_eq!((now, bench.read(&beside)), (edit.after(text), result.clone()), "{label}");
            let expected: Vec<&str> = if edit == Edit::Delete { vec![&beside] } else { vec![file, &beside] };
            assert_files(&bench, &expected, &label);
        }
    }
}

#[test]
fn after_an_edit_other_files_are_replaced_and_the_result_of_an_earlier_run_is_kept() {
    let sandbox = Bench::with(&["--engine", "upper"]);
    let bench = Bench::bare();
    let path = bench.write("a.txt", "one\n");
    bench.write("b.txt", "two\n");
    bench.write("a.txt.tulk-new", "of an earlier run\n");
    let server = server(&sandbox, move || Edit::Append.make(&path));
    let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    let args = "translate --to de --lines --in-place -i a.txt -i b.txt";
    bench.run(args.split(' ')).code(9).says("the result is in a.txt.tulk-new.2");
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), ("one\nby hand\n".to_owned(), "TWO\n".to_owned()));
    assert_eq!(bench.read("a.txt.tulk-new"), "of an earlier run\n");
    assert_eq!(bench.read("a.txt.tulk-new.2"), "ONE\n");
    bench.run(args.split(' ').chain(["--resume"])).code(0);
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), ("ONE\nBY HAND\n".to_owned(), "TWO\n".to_owned()));
    assert_files(&bench, &["a.txt", "a.txt.tulk-new", "a.txt.tulk-new.2", "b.txt"], args);
}

#[test]
fn an_edit_that_keeps_the_content_is_ignored() {
    let sandbox = Bench::with(&["--engine", "upper"]);
    let bench = Bench::bare();
    let path = bench.write("a.txt", "one\n");
    // Saved without a change, but with a new time of modification.
    let server = server(&sandbox, move || fs::write(&path, "one\n").unwrap());
    let bench = bench.env("TULK_SERVER", &server.url).env("TULK_API_KEY", "sandbox");
    run_in_place(&bench, "translate --to de --lines", "a.txt").code(0);
    assert_eq!(bench.read("a.txt"), "ONE\n");
}

#[cfg(target_os = "linux")]
mod at_calls {
    use std::process::Stdio;

    use super::*;
    use crate::kills::tracer::{run_until_call, run_with_call};

    /// A command, the file that is edited before one of its system calls, and a function that writes its files.
    struct Case {
        args: &'static str,
        file: &'static str,
        prepare: fn(&Bench),
    }

    const CASES: [Case; 6] = [
        Case {
            args: "translate --to de --lines --in-place -i a.txt",
            file: "a.txt",
            prepare: |bench| drop(bench.write("a.txt", "one\ntwo\n")),
        },
        Case {
            args: "write correct --lines --in-place -i a.txt",
            file: "a.txt",
            prepare: |bench| drop(bench.write("a.txt", "one\ntwo\n")),
        },
        Case { args: "sync", file: "de.properties", prepare: project },
        Case { args: "sync", file: "tulk.lock", prepare: project },
        Case {
            args: "sync import back.po",
            file: "de.properties",
            prepare: |bench| {
                project(bench);
                bench.run(["sync", "export", "--quiet", "--to", "de", "-o", "back.po"]).code(0);
                let text = bench.read("back.po");
                let (start, end) = text.rsplit_once("msgstr \"\"").unwrap();
                bench.write("back.po", format!("{start}msgstr \"Zwei\"{end}"));
            },
        },
        Case {
            args: "config set default_profile work",
            file: ".config/tulk/config.toml",
            prepare: |bench| drop(bench.write(".config/tulk/config.toml", "[profiles.work]\ntarget_lang = \"de\"\n")),
        },
    ];

    fn project(bench: &Bench) {
        let rule = "[[sync.files]]\nsource = \"en.properties\"\ntarget = \"{lang}.properties\"\n";
        bench.write("tulk.toml", format!("[sync]\nsource_lang = \"en\"\ntarget_langs = [\"de\"]\n{rule}"));
        bench.write("en.properties", "a = One\nb = Two\n");
        bench.write("de.properties", "a = Eins\n");
        bench.write("tulk.lock", "zz.json\tk\tfr:p:AAAAAAA:AAAAAAA\n");
    }

    fn line(file: &str) -> &'static str {
        match file {
            "de.properties" => "c = by hand\n",
            "tulk.lock" => "zz.json\tby hand\tfr:p:AAAAAAA:AAAAAAA\n",
            ".config/tulk/config.toml" => "# by hand\n",
            _ => BY_HAND,
        }
    }

    /// Runs a case with an edit before system call `at`. Returns false if there is no such call or the process cannot be traced.
    fn trial(sandbox: &Bench, case: &Case, edit: Edit, at: usize) -> bool {
        let bench = bench_at(sandbox.url());
        (case.prepare)(&bench);
        let mut command = bench.command();
        command.args(case.args.split(' '));
        let path = bench.path(case.file);
        let label = format!("{} {}: {edit:?} before call {at}", case.args, case.file);
        let mut has_edited = false;
        let end = run_with_call(&command, Stdio::null(), at, &mut || {
            has_edited = true;
            let Ok(old) = fs::read_to_string(&path) else { return };
            let new = format!("{old}{}", line(case.file));
            let copy = path.with_extension("person");
            match edit {
                Edit::Replace => {
                    fs::write(&copy, new).unwrap();
                    fs::rename(&copy, &path).unwrap();
                }
                Edit::Append => {
                    let mut file = File::options().append(true).open(&path).unwrap();
                    file.write_all(line(case.file).as_bytes()).unwrap();
                }
                _ => fs::write(&path, new).unwrap(),
            }
        });
        let Some(end) = end.filter(|_| has_edited) else { return false };
        let text = bench.read(case.file);
        assert!(text.to_lowercase().contains("by hand"), "{label}: exit {:?}: {text}", end.code);
        match end.code {
            Some(0) => {}
            // The texts were refused and can be imported again.
            Some(9) if case.args.starts_with("sync import") => {}
            // The result was written beside the file.
            Some(9) => assert_eq!(bench.read("a.txt.tulk-new"), "ONE\nTWO\n", "{label}"),
            code => panic!("{label}: exit {code:?}"),
        }
        let is_left = |name: &str| [".part", ".state", ".tmp"].iter().any(|suffix| name.ends_with(suffix));
        let names = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = names.filter(|name| name.to_str().is_some_and(is_left)).collect();
        assert!(left.is_empty(), "{label}: {left:?}");
        true
    }

    #[test]
    fn keeps_an_edit_whichever_system_call_follows() {
        let sandbox = Bench::with(&["--engine", "upper"]);
        for case in &CASES {
            // Every second call, rotating the kinds of edits.
            for at in (1..).step_by(2) {
                let edit = [Edit::Write, Edit::Append, Edit::Replace][at / 2 % 3];
                if !trial(&sandbox, case, edit, at) {
                    break;
                }
            }
        }
    }

    #[test]
    fn keeps_a_changed_mode_whichever_system_call_follows() {
        use std::os::unix::fs::PermissionsExt as _;
        let sandbox = Bench::with(&["--engine", "upper"]);
        for case in [&CASES[0], &CASES[2]] {
            for at in 1.. {
                let bench = bench_at(sandbox.url());
                (case.prepare)(&bench);
                let mut command = bench.command();
                command.args(case.args.split(' '));
                let path = bench.path(case.file);
                let mut has_changed = false;
                let end = run_with_call(&command, Stdio::null(), at, &mut || {
                    has_changed = true;
                    fs::set_permissions(&path, fs::Permissions::from_mode(0o751)).unwrap();
                });
                let Some(end) = end.filter(|_| has_changed) else { break };
                let mode = path.metadata().unwrap().permissions().mode() & 0o7777;
                assert_eq!((end.code, mode), (Some(0), 0o751), "{} before call {at}: mode {mode:o}", case.args);
            }
        }
    }

    #[test]
    fn a_document_result_never_replaces_a_new_file_whichever_system_call_follows() {
        let sandbox = Bench::with(&["--engine", "upper", "--document-queue", "0", "--document-translate", "0"]);
        for at in 1.. {
            let bench = bench_at(sandbox.url());
            bench.write("a.txt", "one\n");
            let mut command = bench.command();
            command.args(["doc", "translate", "a.txt", "--to", "de"]);
            let path = bench.path("a.de.txt");
            let (mut was_called, mut has_created) = (false, false);
            let end = run_with_call(&command, Stdio::null(), at, &mut || {
                was_called = true;
                if !path.exists() {
                    has_created = true;
                    fs::write(&path, BY_HAND).unwrap();
                }
            });
            let Some(end) = end.filter(|_| was_called) else { break };
            let expected = if has_created { (Some(2), BY_HAND) } else { (Some(0), "ONE\n") };
            assert_eq!((end.code, bench.read("a.de.txt").as_str()), expected, "before call {at}");
        }
    }

    #[test]
    fn an_in_place_run_killed_at_any_system_call_resumes_without_leftovers() {
        let sandbox = Bench::with(&["--engine", "upper"]);
        let case = &CASES[0];
        for at in 1.. {
            let bench = bench_at(sandbox.url());
            (case.prepare)(&bench);
            let mut command = bench.command();
            command.args(case.args.split(' '));
            let Some(end) = run_until_call(&command, Stdio::null(), at) else { return };
            if end.code.is_some() {
                break;
            }
            let run = bench.command().args(case.args.split(' ')).arg("--resume").output().unwrap();
            let run = Run::unlisted(run);
            assert_eq!(run.code, 0, "killed at call {at}\n{run}");
            assert_eq!(bench.read(case.file), "ONE\nTWO\n", "killed at call {at}");
            assert_files(&bench, &[case.file], &format!("killed at call {at}"));
        }
    }

    #[test]
    #[ignore = "long; .ci/run includes it"]
    fn keeps_three_kinds_of_edits_whichever_system_call_follows() {
        let sandbox = Bench::with(&["--engine", "upper"]);
        let mut edits = 0;
        for case in &CASES {
            for edit in [Edit::Write, Edit::Append, Edit::Replace] {
                for at in 1.. {
                    if !trial(&sandbox, case, edit, at) {
                        break;
                    }
                    edits += 1;
                }
            }
        }
        let _ = writeln!(std::io::stderr(), "{edits} edits, none lost");
    }
}
