//! Records of finished outputs: what counts as finished, what is refused, and runs without a directory for records.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::scripted::{self, ScriptedServer};
use crate::common::{Bench, Run, wait_until};

/// Runs over three files of 10, 13 and 15 characters and stops at this number of characters.
fn run_until_limit(args: &[&str], max_characters: &str) -> (Bench, Run) {
    let bench = Bench::with(&["--engine", "upper"]);
    for (name, text) in [("a.txt", "alpha one."), ("b.txt", "beta two....."), ("c.txt", "gamma three....")] {
        bench.write(name, text);
    }
    let run = bench.run(args.iter().chain(&["--max-characters", max_characters]));
    (bench, run)
}

const FILES: [&str; 6] = ["-i", "a.txt", "-i", "b.txt", "-i", "c.txt"];

fn template() -> Vec<&'static str> {
    [&["translate", "--to", "de,fr", "-o", "{stem}.{lang}{ext}", "--concurrency", "1"][..], &FILES].concat()
}

fn in_place() -> Vec<&'static str> {
    [&["translate", "--to", "de", "--in-place"][..], &FILES].concat()
}

fn texts(bench: &Bench) -> Vec<String> {
    let text = |request: &Value| request["body"]["text"][0].as_str().unwrap().to_owned();
    bench.requests().iter().map(text).collect()
}

fn records(bench: &Bench) -> usize {
    fs::read_dir(bench.path(".local/state/tulk/runs")).map_or(0, Iterator::count)
}

#[test]
fn names_inputs_that_were_not_started() {
    let (bench, run) = run_until_limit(&template(), "25");
    run.code(6)
        .says("b.txt: to de: ")
        .says("; not started: c.txt")
        .says("hint: continue with `tulk translate --to 'de,fr' -o");
    assert_eq!(texts(&bench), ["alpha one.", "alpha one."]);
    let (_, run) = run_until_limit(&[&["translate", "--to", "de", "--concurrency", "1"][..], &FILES].concat(), "12");
    run.code(6).says("a.txt: ").says("(0 characters were sent); not started: b.txt, c.txt");
    let (_, run) = run_until_limit(&[&["write", "correct", "--in-place"][..], &FILES].concat(), "12");
    run.code(6).says("; not started: c.txt").says("hint: continue with `tulk write correct --in-place");
    let json = [&["translate", "--to", "de", "--in-place", "--format", "text"][..], &FILES].concat();
    run_until_limit(&json, "12").1.code(6).says("1 of 3 results failed; not started: c.txt");
}

#[test]
fn additional_files_do_not_resend_finished_ones() {
    let (bench, run) = run_until_limit(&template(), "25");
    run.code(6);
    bench.write("d.txt", "delta");
    let more = ["translate", "--to", "fr,de", "-o", "{stem}.{lang}{ext}", "-i", "d.txt", "-i", "c.txt", "-i", "a.txt"];
    bench.run(more.iter().chain(&["-i", "b.txt", "--resume"])).code(0);
    assert_eq!(texts(&bench).iter().filter(|text| *text == "alpha one.").count(), 2);
    assert_eq!(texts(&bench).len(), 8);
    assert_eq!(records(&bench), 0);
}

#[test]
fn a_resuming_dry_run_shows_what_is_left() {
    let (bench, run) = run_until_limit(&template(), "25");
    run.code(6);
    let before = bench.requests().len();
    let run = bench.run(template().iter().chain(&["--resume", "-n"])).code(0);
    assert_eq!(run.out().lines().count(), 4, "{run}");
    assert_eq!((bench.requests().len(), records(&bench)), (before, 1));
    bench.run(template().iter().chain(&["--resume"])).code(0);
    assert_eq!(bench.requests().len(), 6);
}

#[test]
fn refuses_a_finished_output_that_was_changed() {
    let edited = |name: &str, text: &str| {
        let (bench, run) = run_until_limit(&template(), "25");
        run.code(6);
        bench.write(name, text);
        (bench.run(template().iter().chain(&["--resume"])), bench)
    };
    let (run, bench) = edited("a.fr.txt", "MINE");
    run.code(2).says("a.fr.txt has changed since the earlier run finished it").says("omit it");
    assert_eq!((bench.requests().len(), bench.read("a.fr.txt").as_str()), (2, "MINE"));
    bench.run(template().iter().chain(&["--force"])).code(0);
    assert_eq!(bench.read("a.fr.txt"), "ALPHA ONE.");
    let (run, bench) = edited("a.txt", "another text");
    run.code(2).says("a.txt has changed since a.de.txt was written").says("start over with --force");
    assert_eq!(bench.requests().len(), 2);
    let (bench, run) = run_until_limit(&template(), "25");
    run.code(6);
    fs::remove_file(bench.path("a.de.txt")).unwrap();
    bench.run(template().iter().chain(&["--resume"])).code(2).says("a.de.txt was removed since the earlier run");
    assert_eq!(bench.requests().len(), 2);
}

#[test]
fn never_processes_an_in_place_file_twice() {
    let (bench, run) = run_until_limit(&in_place(), "12");
    run.code(6).says("not started: c.txt").says("--resume`");
    assert_eq!((bench.read("a.txt").as_str(), bench.read("b.txt").as_str()), ("ALPHA ONE.", "beta two....."));
    let again = bench.run(in_place()).code(2);
    again.says("a.txt is already the result of an unfinished run").says("--resume");
    bench.run(["translate", "--to", "de", "--in-place", "-i", "a.txt"]).code(2).says("a.txt is already the result");
    assert_eq!(bench.requests().len(), 1);
    bench.write("b.txt", "changed, but not finished");
    bench.run(in_place().iter().chain(&["--resume"])).code(0);
    assert_eq!(texts(&bench), ["alpha one.", "changed, but not finished", "gamma three...."]);
    assert_eq!(records(&bench), 0);
    bench.run(in_place()).code(0);
    assert_eq!(bench.requests().len(), 6, "a complete run is forgotten");
    let (bench, run) = run_until_limit(&in_place(), "12");
    run.code(6);
    bench.write("a.txt", "edited");
    bench
        .run(in_place().iter().chain(&["--resume"]))
        .code(2)
        .says("a.txt has changed since the earlier run finished it");
    let rest = ["translate", "--to", "de", "--in-place", "-i", "b.txt", "-i", "c.txt", "--resume"];
    bench.run(rest).code(0);
    assert_eq!((bench.read("a.txt").as_str(), bench.read("c.txt").as_str()), ("edited", "GAMMA THREE...."));
}

#[test]
fn a_run_killed_before_renaming_the_part_resumes_with_the_part() {
    let bench = Bench::with(&["--engine", "upper"]);
    bench.write("a.txt", "alpha\n");
    let lines: String = (0..120).map(|n| format!("line {n}\n")).collect();
    bench.write("b.txt", &lines);
    let args = ["translate", "--to", "de", "--in-place", "--lines", "-i", "a.txt", "-i", "b.txt", "--concurrency", "1"];
    bench.run(args.iter().chain(&["--max-characters", "450"])).code(9);
    assert_eq!(bench.read("a.txt"), "ALPHA\n");
    // The state after such a kill: the result is recorded and complete, but not yet renamed.
    bench.bash(
        "printf 'ALPHA\\n' > a.txt.part; printf 'alpha\\n' > a.txt; digest=$(sha256sum < a.txt | cut -d ' ' -f 1)
         { head -n 1 b.txt.part.state; printf 'w 1 %s 1:1:6\\nf\\n' $digest; } > a.txt.part.state",
    );
    bench.run(args.iter().chain(&["--resume"])).code(0);
    assert_eq!((bench.read("a.txt").as_str(), bench.read("b.txt")), ("ALPHA\n", lines.to_uppercase()));
    let sent: Vec<Value> =
        bench.requests().iter().flat_map(|r| r["body"]["text"].as_array().unwrap().clone()).collect();
    assert_eq!((sent.len(), records(&bench)), (121, 0));
    assert!(!bench.path("a.txt.part").exists() && !bench.path("a.txt.part.state").exists());
}

#[test]
fn finds_leftovers_of_any_output_before_the_first_request() {
    let bench = Bench::with(&["--engine", "upper"]);
    for name in ["a.txt", "b.txt", "c.txt"] {
        bench.write(name, name);
    }
    bench.write("c.fr.txt.part", "mine");
    bench.run(template()).code(2).says("c.fr.txt.part is in the way");
    fs::remove_file(bench.path("c.fr.txt.part")).unwrap();
    fs::create_dir(bench.path("b.fr.txt")).unwrap();
    bench.run(template()).code(2).says("b.fr.txt: it is a directory");
    bench.write("file", "x");
    let below = [&["translate", "--to", "de", "-o", "file/{stem}"][..], &FILES].concat();
    bench.run(below).code(2).says("file is not a directory");
    assert!(bench.requests().is_empty());
}

#[test]
fn only_one_process_at_a_time_writes_the_same_files() {
    let bench = Bench::with(&["--engine", "upper", "--latency", "1500ms"]);
    for name in ["a.txt", "b.txt", "c.txt"] {
        bench.write(name, name);
    }
    let start = || {
        let mut command = bench.command();
        command.args(in_place()).stderr(std::process::Stdio::piped()).spawn().unwrap()
    };
    let runs: Vec<Run> = (0..3).map(|_| start()).collect::<Vec<_>>().into_iter().map(wait_for_end).collect();
    let mut codes: Vec<i32> = runs.iter().map(|run| run.code).collect();
    codes.sort_unstable();
    assert_eq!(codes, [0, 2, 2], "{}{}{}", runs[0], runs[1], runs[2]);
    assert_eq!(bench.requests().len(), 3);
    assert_eq!(records(&bench), 0);
}

fn wait_for_end(child: std::process::Child) -> Run {
    Run::unlisted(child.wait_with_output().unwrap())
}

#[test]
fn continues_without_a_directory_for_records() {
    let bench = Bench::with(&["--engine", "upper"]);
    for name in ["a.txt", "b.txt", "c.txt"] {
        bench.write(name, name);
    }
    bench.write("file", "x");
    let bench = bench.env("XDG_STATE_HOME", "/dev/null/state");
    let run = bench.run(in_place()).code(0);
    assert_eq!(run.stderr.matches("--resume will not know which files are finished").count(), 1, "{run}");
    assert_eq!(bench.read("c.txt"), "C.TXT");
    bench.run(["translate", "--to", "de", "-o", "out.txt", "a"]).code(0).says_not("--resume");
}

#[cfg(unix)]
#[test]
fn warns_about_unrecorded_outputs_only_if_work_is_left() {
    for (max_characters, code, warnings) in [("100", 0, 0), ("57", 6, 1)] {
        let bench = Bench::with(&["--engine", "upper"]);
        let names: Vec<String> = (0..10).map(|n| format!("{n}.txt")).collect();
        for name in &names {
            bench.write(name, format!("text {name}"));
        }
        // The record has 345 bytes, plus 163 for each finished output, so the fifth does not fit into 1 KiB.
        let args = format!("--in-place --max-characters {max_characters} -i {}", names.join(" -i "));
        let mut command = bench.shell(&format!("ulimit -f 1; exec tulk translate --to de {args}"));
        let run = Run::unlisted(command.output().unwrap()).code(code);
        assert_eq!(run.stderr.matches("--resume will not know which files are finished").count(), warnings, "{run}");
    }
}

#[test]
fn the_printed_command_resumes() {
    for args in [template(), in_place(), [&["write", "correct", "-o", "new {stem}.txt"][..], &FILES].concat()] {
        let (bench, run) = run_until_limit(&args, "25");
        assert!([6, 9].contains(&run.code), "{run}");
        let command = run.stderr.split('`').nth(1).unwrap_or_else(|| panic!("no command\n{run}")).to_owned();
        let command = command.replace("--max-characters 25", "");
        bench.bash(&command).code(0);
        assert_eq!(records(&bench), 0, "{command}");
    }
}

#[test]
fn write_supports_the_outputs_of_translate() {
    let bench = Bench::new();
    bench.write("a.txt", "teh end\n");
    bench.run(["write", "correct", "-o", "new/{stem}.{lang}{ext}", "--to", "en-gb", "-i", "a.txt"]).code(0).prints("");
    assert_eq!(bench.read("new/a.en-GB.txt"), "teh end\n");
    bench.run(["write", "correct", "-o", "{stem}.{lang}", "-i", "a.txt"]).code(2).says("{lang} in -o needs --to");
    bench.run(["write", "correct", "-o", "a.txt", "-i", "a.txt"]).code(2).says("both an input and an output");
    bench.run(["write", "correct", "--diff", "-o", "b.txt", "-i", "a.txt"]).code(2);
    bench.run(["write", "correct", "--resume", "-i", "a.txt"]).code(2).says("--resume needs files");
    bench.run(["write", "correct", "--json", "-o", "out.json", "x"]).code(0).prints("");
    assert!(bench.read("out.json").contains("improvements"));
    let input: String = (0..400).map(|n| format!("Line number {n}.\n")).collect();
    bench.write("long.txt", &input);
    let args = ["write", "correct", "--lines", "-i", "long.txt", "-o", "done.txt", "--concurrency", "1"];
    bench.run(args.iter().chain(&["--max-characters", "3000"])).code(6).says("--resume`");
    bench.run(["write", "rephrase", "--lines", "-i", "long.txt", "-o", "done.txt", "--resume"]).code(2).says("options");
    bench.run(args).code(2).says("done.txt.part was left by an earlier run");
    bench.run(args.iter().chain(&["--resume"])).code(0);
    assert_eq!(bench.read("done.txt"), input);
    let lines = bench.requests().iter().flat_map(|r| r["body"]["text"].as_array().unwrap().clone()).collect::<Vec<_>>();
    let sent = lines.iter().filter(|line| line.as_str().unwrap().starts_with("Line number")).count();
    assert_eq!(sent, 400);
}

fn refuse_bad(request: &str) -> Vec<u8> {
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let texts = body["text"].as_array().unwrap();
    if texts.contains(&json!("bad")) {
        return scripted::answer(400, &[], "{\"message\":\"refused\"}");
    }
    let results: Vec<Value> =
        texts.iter().map(|text| json!({"text": format!("{}*", text.as_str().unwrap())})).collect();
    let list = if head.contains("/v2/translate") { "translations" } else { "improvements" };
    scripted::answer(200, &["content-type: application/json"], json!({ list: results }).to_string())
}

#[test]
fn resuming_a_run_with_refused_entries_sends_nothing() {
    let translate = &["translate", "--to", "de"][..];
    let write = &["write", "correct"][..];
    let in_place = &["--in-place", "-i", "a.txt", "-i", "b.txt"][..];
    let cases: [(&[&str], &[&str], &str); 4] = [
        (translate, in_place, "b.txt"),
        (translate, &["-i", "a.txt", "-i", "b.txt", "-o", "{stem}.new"], "b.new"),
        (translate, &["-i", "b.txt", "-o", "b.new"], "b.new"),
        (write, in_place, "b.txt"),
    ];
    for (command, files, output) in cases {
        let server = ScriptedServer::start(refuse_bad);
        let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "key");
        bench.write("a.txt", "one\n");
        bench.write("b.txt", "two\nbad\n");
        let args = [command, files, &["--lines", "--keep-going"]].concat();
        bench.run(&args).code(9).says("1 text was refused and copied unchanged");
        let sent = server.requests().len();
        let again = bench.run(args.iter().chain(&["--resume"])).code(0);
        again.says("an earlier run finished all results; nothing is sent");
        assert_eq!((server.requests().len(), bench.read(output).as_str()), (sent, "two*\nbad\n"), "{args:?}");
        assert_eq!(records(&bench), 0);
    }
}

#[test]
fn chunks_of_a_long_text_are_sent_once_in_every_format() {
    let paragraph = |name: &str| format!("{name} {}", "word ".repeat(1200).trim_end());
    for format in ["text", "json", "jsonl", "tsv"] {
        let bench = Bench::with(&["--engine", "echo"]);
        bench.write("a.txt", ["A", "B", "C", "D"].map(paragraph).join("\n\n"));
        let args =
            ["write", "correct", "-i", "a.txt", "-o", "out", "--format", format, "--concurrency", "1", "--to", "en-US"];
        for limit in ["6500", "12500"] {
            bench.run(args.iter().chain(&["--resume", "--max-characters", limit])).code(6);
        }
        bench.run(args.iter().chain(&["--resume"])).code(0);
        let sent: Vec<String> = texts(&bench).iter().map(|text| text[..1].to_owned()).collect();
        assert_eq!(sent, ["A", "B", "C", "D"], "{format}");
        bench.run(args.iter().map(|arg| if *arg == "out" { "whole" } else { arg })).code(0);
        assert_eq!(bench.read("out"), bench.read("whole"), "{format}");
    }
}

#[test]
fn never_replaces_a_file_by_a_list_of_results() {
    let bench = Bench::new();
    bench.write("a.txt", "text");
    for format in ["json", "jsonl", "tsv"] {
        bench.run(["translate", "--to", "de", "--in-place", "-i", "a.txt", "--format", format]).code(2).says(format);
        bench.run(["write", "correct", "--in-place", "-i", "a.txt", "--format", format]).code(2).says(format);
    }
    assert_eq!(bench.read("a.txt"), "text");
    bench
        .run(["translate", "--in-place", "--to", "de", "--json"])
        .code(2)
        .says("the following required arguments were not provided: --input <FILE|DIR>");
}

/// Runs a command over one file and interrupts it during its only request, which is then answered.
fn run_interrupted(bench: &Bench, child: &Mutex<Option<u32>>, args: &[&str]) -> Run {
    *child.lock().unwrap() = None;
    let process = bench.command().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    *child.lock().unwrap() = Some(process.id());
    Run::unlisted(process.wait_with_output().unwrap())
}

#[test]
fn after_a_signal_the_answer_of_a_single_request_is_not_billed_twice() {
    for command in [&["translate", "--to", "de"][..], &["write", "correct"]] {
        let child = Arc::new(Mutex::new(None::<u32>));
        let known = Arc::clone(&child);
        let server = ScriptedServer::start(move |request| {
            wait_until("the process", || known.lock().unwrap().is_some());
            let child = known.lock().unwrap().unwrap().to_string();
            Command::new("kill").args(["-INT", &child]).status().unwrap();
            // The process needs a moment to handle the signal.
            std::thread::sleep(Duration::from_millis(200));
            let list = if request.contains("/v2/translate") { "translations" } else { "improvements" };
            let result = json!({"detected_source_language": "EN", "target_language": "en", "text": "ONE"});
            scripted::answer(200, &["content-type: application/json"], json!({ list: [result] }).to_string())
        });
        let bench = Bench::bare().env("TULK_SERVER", &server.url).env("TULK_API_KEY", "k-0123456789");
        bench.write("in.txt", "one\n");
        let args = [command, &["-i", "in.txt", "-o", "out.txt"]].concat();
        // On a busy machine the signal may arrive after the end, and the run is not stopped.
        let mut run = run_interrupted(&bench, &child, &args);
        for _ in 0..5 {
            if run.code == 130 {
                break;
            }
            run = run_interrupted(&bench, &child, &args);
        }
        run.code(130);
        assert_eq!(bench.read("out.txt"), "ONE\n");
        let sent = server.requests().len();
        bench.run(args.iter().chain(&["--resume"])).code(0).says("nothing is sent");
        assert_eq!((server.requests().len(), records(&bench)), (sent, 0));
    }
}
