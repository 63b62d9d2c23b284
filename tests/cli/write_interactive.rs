//! `tulk write --interactive`, answered on a pseudo-terminal.

use std::fs::File;
use std::io::Read as _;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

use crate::common::terminal::open;
use crate::common::{Bench, Run};

/// An answer for [`dialogue`].
const CHANGE_FILE: &str = "change a.txt";

/// Runs a command whose stdin and stderr are a terminal and answers each question in turn. `^C` sends SIGINT;
/// [`CHANGE_FILE`] overwrites `a.txt` and then answers `y`.
///
/// `stderr` of the run is what the terminal shows.
fn dialogue(bench: &Bench, args: &[&str], answers: &[&str]) -> Run {
    let (master, terminal) = open(80, 40);
    let mut command = bench.command();
    command.args(args).stdin(terminal.try_clone().unwrap()).stdout(Stdio::piped()).stderr(terminal);
    let mut child = command.spawn().unwrap();
    drop(command);
    let (mut screen, mut answers) = (Vec::new(), answers.iter());
    let mut part = [0; 4096];
    let mut master = File::from(master);
    // Linux reports EIO instead of end of file once the other side is closed.
    while let Ok(read @ 1..) = master.read(&mut part) {
        screen.extend_from_slice(&part[..read]);
        if screen.ends_with(b"?] ") {
            match *answers.next().unwrap_or_else(|| panic!("no answer to {}", String::from_utf8_lossy(&screen))) {
                "^C" => kill_process(Pid::from_child(&child), Signal::INT).unwrap(),
                CHANGE_FILE => {
                    bench.write("a.txt", "Something else.\n");
                    rustix::io::write(&master, b"y\n").unwrap();
                }
                answer => _ = rustix::io::write(&master, format!("{answer}\n").as_bytes()).unwrap(),
            }
        }
    }
    assert_eq!(answers.next(), None, "{}", String::from_utf8_lossy(&screen));
    let mut stdout = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut stdout).unwrap();
    let stderr = String::from_utf8(screen).unwrap().replace("\r\n", "\n").into_bytes();
    Run::unlisted(std::process::Output { status: child.wait().unwrap(), stdout, stderr })
}

fn bench() -> Bench {
    Bench::with(&["--engine", "pseudo"])
}

const NOTES: &str = "Teh door is open.\n\nIt is cold.\nTeh cat sleeps.\nTeh end.\n";

#[test]
fn shows_each_change_and_writes_only_accepted_ones() {
    let bench = bench();
    bench.write("notes.txt", NOTES);
    let run =
        dialogue(&bench, &["write", "correct", "--interactive", "--in-place", "-i", "notes.txt"], &["y", "n", "y"]);
    let (shown, total) = run.stderr.rsplit_once("1 file").unwrap();
    assert_eq!(
        shown,
        "\
notes.txt:1 (change 1 of 3)
-Teh door is open.
+The door is open.
 
 It is cold.
 Teh cat sleeps.
Take this change? [y,n,a,q,?] y
notes.txt:4 (change 2 of 3)
 The door is open.
 
 It is cold.
-Teh cat sleeps.
+The cat sleeps.
 Teh end.
Take this change? [y,n,a,q,?] n
notes.txt:5 (change 3 of 3)
 
 It is cold.
 Teh cat sleeps.
-Teh end.
+The end.
Take this change? [y,n,a,q,?] y
2 of 3 changes taken
"
    );
    assert!(total.starts_with(", 1 text, 55 characters sent, "), "{total}");
    run.code(0).prints("");
    assert_eq!(bench.read("notes.txt"), "The door is open.\n\nIt is cold.\nTeh cat sleeps.\nThe end.\n");
}

#[test]
fn the_answers_a_and_q_apply_to_later_changes_in_all_files() {
    let bench = bench();
    bench.write("a.txt", NOTES);
    bench.write("b.txt", "Teh sky.\n");
    let args = ["write", "correct", "--interactive", "-i", "a.txt", "-i", "b.txt"];
    let run = dialogue(&bench, &args, &["n", "a"]).code(0).says("3 of 4 changes taken");
    assert_eq!(run.out(), "Teh door is open.\n\nIt is cold.\nThe cat sleeps.\nThe end.\nThe sky.\n");
    let run = dialogue(&bench, &[&args[..], &["-o", "out/{stem}.new{ext}"]].concat(), &["y", "q"]).code(0).prints("");
    assert_eq!(bench.read("out/a.new.txt"), NOTES.replacen("Teh", "The", 1));
    assert_eq!(bench.read("out/b.new.txt"), "Teh sky.\n");
    run.says("1 of 4 changes taken");
    // The end of the input leaves the rest unchanged.
    let run = dialogue(&bench, &args, &["y", "\u{4}"]).code(0);
    assert_eq!(run.out(), format!("{}Teh sky.\n", NOTES.replacen("Teh", "The", 1)));
}

#[test]
fn explains_other_answers() {
    let bench = bench();
    let run = dialogue(&bench, &["write", "correct", "--interactive", "Teh door."], &["?", "", "x", "Y"]).code(0);
    run.says(
        "\
TEXT 1:1 (change 1 of 1)
-Teh door.
+The door.
Take this change? [y,n,a,q,?] ?
y - take this change
n - leave the text as it is
a - take this change and all later ones
q - skip this change and all later ones, and write the taken ones
? - show this help
Take this change? [y,n,a,q,?] \n",
    )
    .says("1 of 1 change taken\n")
    .prints("The door.\n");
    dialogue(&bench, &["write", "correct", "--interactive", "The door."], &[])
        .code(0)
        .says("nothing to change")
        .prints("The door.\n");
}

#[test]
fn ctrl_c_changes_nothing_and_reports_it() {
    let bench = bench();
    bench.write("a.txt", NOTES);
    bench.write("b.txt", "Teh sky.\n");
    let args = ["write", "correct", "--interactive", "--in-place", "-i", "a.txt", "-i", "b.txt"];
    dialogue(&bench, &args, &["y", "y", "y", "^C"])
        .code(130)
        .says("nothing was written")
        .says("hint: answer q to write the changes taken so far; --cache keeps the results for another run");
    let args = [&args[..], &["--cache"]].concat();
    dialogue(&bench, &args, &["y", "^C"])
        .code(130)
        .says("hint: continue with `tulk write correct --interactive --in-place -i a.txt -i b.txt --cache`; the results so far are in the cache");
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), (NOTES.to_owned(), "Teh sky.\n".to_owned()));
}

#[test]
fn markdown_and_lines_keep_their_structure() {
    let bench = bench();
    bench.write("door.md", "# Teh door\n\n```sh\nls teh\n```\n\nTeh *door* is `open`.\n");
    let args = ["write", "correct", "--interactive", "--in-place", "-i", "door.md"];
    dialogue(&bench, &args, &["n", "y"]).code(0).says("-Teh *door* is `open`.\n+The *door* is `open`.\n");
    assert_eq!(bench.read("door.md"), "# Teh door\n\n```sh\nls teh\n```\n\nThe *door* is `open`.\n");
    bench.write("lines.txt", NOTES);
    let args = ["write", "correct", "--interactive", "--lines", "--in-place", "-i", "lines.txt"];
    dialogue(&bench, &args, &["n", "n", "y"]).code(0);
    assert_eq!(bench.read("lines.txt"), NOTES.replace("Teh end", "The end"));
}

#[test]
fn refuses_senseless_combinations_before_sending() {
    let bench = bench();
    bench.write("notes.txt", NOTES);
    let run = |args: &str| bench.run(format!("write correct --interactive {args}").split(' ')).code(2).prints("");
    run("-i notes.txt")
        .says("error: --interactive needs a terminal for the questions and your answers")
        .says("hint: use --diff to see the changes, and --in-place or -o to take all of them");
    run("-i notes.txt --diff").says("cannot be used with");
    run("-i notes.txt --check").says("cannot be used with");
    run("-i notes.txt -o out.txt --resume").says("cannot be used with");
    let refused =
        |args: &[&str]| dialogue(&bench, &[&["write", "correct", "--interactive"], args].concat(), &[]).code(2);
    refused(&["-"]).says("--interactive reads your answers from stdin");
    refused(&["-i", "notes.txt", "--json"]).says("--interactive");
    bench.write("latin.txt", b"Teh d\xf6\xf6r.\n");
    refused(&["-i", "latin.txt", "--lossy"]).says("latin.txt is not UTF-8");
    assert!(bench.sent().is_empty());
}

#[test]
fn keeps_a_file_edited_during_the_run_and_writes_the_result_beside_it() {
    let bench = bench();
    bench.write("a.txt", "Teh sky.\n");
    bench.write("b.txt", "Teh sea.\n");
    let args = ["write", "correct", "--interactive", "--in-place", "-i", "a.txt", "-i", "b.txt"];
    let answered = dialogue(&bench, &args, &[CHANGE_FILE, "y"]);
    let kept = "a.txt: it was changed in the meantime and was kept; the result is in a.txt.tulk-new";
    answered.code(9).says(kept);
    assert_eq!(bench.read("a.txt.tulk-new"), "The sky.\n");
    assert_eq!((bench.read("a.txt"), bench.read("b.txt")), ("Something else.\n".to_owned(), "The sea.\n".to_owned()));
}
