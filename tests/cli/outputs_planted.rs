//! Files already present where an unfinished output is written: links, files of others, leftovers of killed runs, long names.

#![cfg(unix)]

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use crate::common::{Bench, wait_until};

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

fn mode(bench: &Bench, name: &str) -> u32 {
    fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn refuses_planted_files_and_leaves_them_unchanged() {
    let bench = upper();
    for name in ["out.txt.part", "out.txt.part.state"] {
        let path = bench.path(name);
        let refused = |what: &str| {
            for extra in [&[][..], &["--force"], &["--resume"]] {
                let run = bench.run([&["translate", "--to", "de", "-o", "out.txt", "a"], extra].concat());
                run.code(2).says(&format!("{name} is in the way: tulk did not write it")).says("remove or rename it");
                assert_eq!(bench.read("victim"), "secret\n", "{what}");
                assert!(path.symlink_metadata().is_ok(), "{what}");
                assert!(!bench.path("out.txt").exists(), "{what}");
            }
        };
        bench.write("victim", "secret\n");
        symlink("victim", &path).unwrap();
        refused("a link");
        fs::remove_file(&path).unwrap();
        symlink("missing", &path).unwrap();
        refused("a dangling link");
        assert!(!bench.path("missing").exists());
        fs::remove_file(&path).unwrap();
        fs::hard_link(bench.path("victim"), &path).unwrap();
        refused("a second name");
        fs::remove_file(&path).unwrap();
        bench.bash(&format!("mkfifo {name}")).code(0);
        refused("a FIFO");
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        refused("a directory");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, "mine").unwrap();
        refused("a file of somebody else");
        assert_eq!(bench.read(name), "mine");
        fs::remove_file(&path).unwrap();
    }
    assert!(bench.requests().is_empty());
    bench.run(["translate", "--to", "de", "-o", "out.txt", "a"]).code(0);
    assert_eq!(bench.read("out.txt"), "A\n");
}

#[test]
fn a_refused_run_leaves_no_files() {
    let bench = upper();
    bench.write("out.txt.part", "mine");
    bench.run(["translate", "--to", "de", "-o", "out.txt", "a"]).code(2);
    assert!(!bench.path("out.txt.part.state").exists());
}

#[test]
fn a_resumed_run_makes_its_state_file_private() {
    let bench = upper();
    let input: String = (0..200).map(|n| format!("line {n}\n")).collect();
    bench.write("in.txt", &input);
    let args = ["translate", "--to", "de", "--lines", "-i", "in.txt", "-o", "out.txt", "--concurrency", "1"];
    bench.run(args.iter().chain(&["--max-characters", "800"])).code(6);
    fs::set_permissions(bench.path("out.txt.part.state"), Permissions::from_mode(0o666)).unwrap();
    bench.run(args.iter().chain(&["--max-characters", "500", "--resume"])).code(6);
    assert_eq!(mode(&bench, "out.txt.part.state"), 0o600);
    bench.run(args.iter().chain(&["--resume"])).code(0);
    assert_eq!(bench.read("out.txt"), input.to_uppercase());
}

#[test]
fn follows_links_to_missing_files_and_refuses_loops() {
    let bench = upper();
    symlink("deep/er/out.txt", bench.path("link")).unwrap();
    bench.run(["translate", "--to", "de", "-o", "link", "a"]).code(0);
    assert_eq!(bench.read("deep/er/out.txt"), "A\n");
    assert!(bench.path("link").symlink_metadata().unwrap().is_symlink());
    symlink("two", bench.path("one")).unwrap();
    symlink("one", bench.path("two")).unwrap();
    let before = bench.requests().len();
    bench.run(["translate", "--to", "de", "-o", "one", "a"]).code(2).says("one is a loop of symbolic links");
    bench.write("a.txt", "a");
    bench.run(["doc", "translate", "--to", "de", "a.txt", "-o", "one"]).code(2).says("loop");
    assert_eq!(bench.requests().len(), before);
    assert_eq!(fs::read_link(bench.path("one")).unwrap().to_str(), Some("two"));
}

#[test]
fn accepts_every_name_allowed_by_the_file_system() {
    let bench = upper();
    let input: String = (0..200).map(|n| format!("line {n}\n")).collect();
    bench.write("in.txt", &input);
    for length in [240, 244, 245, 250, 251, 255] {
        let name = format!("{}{}", "é".repeat(100), "n".repeat(length - 200));
        let args = ["translate", "--to", "de", "--lines", "-i", "in.txt", "-o", &name, "--concurrency", "1"];
        // The message contains the long name, so it is not compared with the golden list.
        let run = bench.command().args(args).args(["--max-characters", "800"]).output().unwrap();
        assert_eq!(run.status.code(), Some(6), "{run:?}");
        let names = fs::read_dir(bench.dir()).unwrap().map(|entry| PathBuf::from(entry.unwrap().file_name()));
        let part = names.filter(|name| name.extension().is_some_and(|e| e == "part")).collect::<Vec<_>>();
        assert_eq!(part.len(), 1, "{part:?}");
        bench.run(args.iter().chain(&["--resume"])).code(0);
        assert_eq!(bench.read(&name), input.to_uppercase());
        fs::remove_file(bench.path(&name)).unwrap();
    }
    assert!(!fs::read_dir(bench.dir()).unwrap().any(|e| e.unwrap().file_name().to_string_lossy().contains(".part")));
}

#[test]
fn removes_temporary_files_of_killed_runs_but_not_those_in_use() {
    let bench = upper();
    bench.write(".tulk-killed.tmp", "half");
    bench.write(".tulk-used.tmp", "half");
    let used = fs::File::open(bench.path(".tulk-used.tmp")).unwrap();
    used.lock().unwrap();
    bench.run(["translate", "--to", "de", "-o", "out.txt", "a"]).code(0);
    assert!(!bench.path(".tulk-killed.tmp").exists());
    assert!(bench.path(".tulk-used.tmp").exists());
    used.unlock().unwrap(); // A child process that is being started has a copy of it.
    drop(used);
    bench.run(["api", "GET", "/v2/usage", "-o", "usage.json"]);
    bench.run(["translate", "--to", "de", "-o", "out.txt", "a"]).code(0);
    assert!(!bench.path(".tulk-used.tmp").exists());
}

#[test]
fn a_full_disk_is_reported_once_and_the_old_file_kept() {
    let bench = upper();
    let run = bench.run(["translate", "--to", "de", "-o", "/dev/full", "a"]).code(70);
    assert_eq!(run.stderr, "error: cannot write /dev/full: No space left on device\n");
    bench.write("a.txt", "a\n");
    let run = bench.run(["translate", "--to", "de", "-i", "a.txt", "-o", "/dev/full"]).code(70);
    assert_eq!(run.stderr, "error: a.txt: cannot write /dev/full: No space left on device\n");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn only_one_of_several_processes_with_the_same_output_sends() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "300ms"]);
    for round in 0..5 {
        let text = format!("round {round}");
        let start = || {
            let mut command = bench.command();
            command.args(["translate", "--to", "de", "-o", "out.txt", &text]);
            command.stderr(std::process::Stdio::piped()).spawn().unwrap()
        };
        let runs: Vec<_> = (0..3).map(|_| start()).collect();
        let codes: Vec<i32> = runs
            .into_iter()
            .map(|child| {
                let run = child.wait_with_output().unwrap();
                let (stderr, code) = (String::from_utf8_lossy(&run.stderr).into_owned(), run.status.code().unwrap());
                assert!(code == 0 || stderr.contains("another process is writing"), "{stderr}");
                code
            })
            .collect();
        let sent = bench.requests().iter().filter(|r| r["body"]["text"][0] == text.as_str()).count();
        assert_eq!(sent, codes.iter().filter(|code| **code == 0).count(), "{codes:?}");
        assert!(codes.contains(&0), "{codes:?}");
        wait_until("the result", || bench.path("out.txt").exists());
        assert!(!bench.path("out.txt.part.state").exists());
    }
}

#[test]
fn refuses_a_too_long_name_before_sending() {
    let bench = Bench::new();
    bench.write("a.txt", "text");
    let name = "x".repeat(256);
    bench.run(["translate", "--to", "de", "-o", &name, "text"]).code(2).says("File name too long");
    bench.run(["translate", "--to", "de", "-o", &format!("new/{name}"), "text"]).code(2).says("File name too long");
    bench.run(["doc", "translate", "--to", "de", "-o", &name, "a.txt"]).code(2).says("nothing was uploaded");
    assert!(bench.requests().is_empty());
    bench.run(["translate", "--to", "de", "-o", &name[..255], "text"]).code(0);
}

#[test]
fn never_replaces_a_redirected_stdout() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.txt", "text\n");
    let script = "tulk translate --to de -i a.txt -o /dev/stdout; tulk write correct -i a.txt -o /dev/fd/1; \
                  tulk doc translate --to de -o /dev/stdout a.txt >&2";
    bench.bash(&format!("{{ echo first; {script}; echo last; }} > all")).code(0);
    assert_eq!(bench.read("all"), "first\nTEXT\nTEXT\nlast\n");
    bench.bash("tulk translate --to de -i /dev/stdin -o a.txt < a.txt").code(2).says("both an input and an output");
    bench.bash("tulk translate --to de --in-place -i /dev/stdin < a.txt").code(2).says("needs regular files");
}
