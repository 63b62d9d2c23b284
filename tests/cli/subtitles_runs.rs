//! Runs of `tulk translate --as srt` and `--as vtt`: several files and targets, pipes, resuming, subtitles of `tulk voice`.

use std::fmt::Write as _;
use std::io::{Read as _, Write as _};
use std::process::Stdio;

use crate::common::Bench;
use crate::voice::wav;

const CUE: &str = "1\n00:00:01,000 --> 00:00:02,000\n<i>two\nlines</i>\n\n";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

fn long_file(cues: usize) -> String {
    let mut file = String::new();
    for n in 1..=cues {
        write!(file, "{n}\n00:00:01,000 --> 00:00:02,000\nline one of {n}\nline two of {n}\n\n").unwrap();
    }
    file
}

#[test]
fn translates_several_targets_and_files_in_place() {
    let bench = upper();
    bench.write("a.srt", CUE);
    bench.write("b.srt", CUE.replace('\n', "\r\n"));
    let translate = ["translate", "--as", "srt", "-i", "a.srt", "-i", "b.srt"];
    let template = ["--to", "de,fr", "-o", "{stem}.{lang}{ext}"];
    bench.run(translate.iter().chain(&template)).code(0).says_nothing();
    let expected = CUE.replace("two\nlines", "TWO\nLINES");
    for (name, expected) in [("a.de.srt", &expected), ("b.fr.srt", &expected.replace('\n', "\r\n"))] {
        assert_eq!(&bench.read(name), expected);
    }
    bench.run(translate.iter().chain(&["--to", "de", "--in-place"])).code(0).says_nothing();
    assert_eq!(bench.read("a.srt"), expected);
}

#[test]
fn an_interrupted_run_resumes_at_the_next_cue() {
    let bench = upper();
    let file = long_file(400);
    bench.write("a.srt", &file);
    let translate = ["translate", "--to", "de", "--as", "srt", "-i", "a.srt", "-o", "b.srt"];
    bench.run(translate.iter().chain(&["--max-characters", "5000"])).code(6);
    let before = bench.requests().len();
    assert!(bench.path("b.srt.part").exists());
    bench.run(translate.iter().chain(&["--resume"])).code(0);
    assert_eq!(
        bench.read("b.srt"),
        file.replace("line", "LINE").replace("one of", "ONE OF").replace("two of", "TWO OF")
    );
    assert!(before > 0 && bench.requests().len() - before < 8, "{before}");
}

#[test]
fn translates_a_pipe_as_it_arrives() {
    let bench = upper();
    let mut child = bench
        .command()
        .args(["translate", "--to", "de", "--as", "srt"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(CUE.as_bytes()).unwrap();
    stdin.flush().unwrap();
    let mut first = vec![0; CUE.len()];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(String::from_utf8(first).unwrap(), CUE.replace("two\nlines", "TWO\nLINES"));
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let bench = upper();
    bench.write("a.srt", long_file(5000));
    bench
        .bash("tulk translate --to de --as srt -i a.srt | head -n 3")
        .code(0)
        .says_nothing()
        .prints("1\n00:00:01,000 --> 00:00:02,000\nLINE ONE OF 1\n");
}

#[test]
fn sends_protected_parts_as_tags() {
    let bench = upper();
    let cue = "1\n00:00:01,000 --> 00:00:02,000\nHello {name},\n<i>welcome</i> back\n";
    let args = ["translate", "--to", "de", "--as", "srt", "--protect", "braces"];
    bench
        .pipe(cue, args)
        .code(0)
        .prints(cue.replace("Hello", "HELLO").replace("welcome", "WELCOME").replace("back", "BACK"));
    let (_, body) = bench.sent().remove(0);
    assert_eq!(body["text"][0], "Hello <x id=\"1\">{name}</x>, <g id=\"2\">welcome</g> back");
}

#[test]
#[ignore = "long; .ci/run includes it"]
fn translates_subtitles_written_by_tulk_voice() {
    let bench = upper();
    bench.write("talk.wav", wav(2200));
    for syntax in ["srt", "vtt"] {
        let name = format!("voice.{syntax}");
        bench.run(["voice", "stream", "talk.wav", "--format", syntax, "-o", &name]).code(0);
        let spoken = bench.read(&name);
        let run = bench.run(["translate", "--to", "de", "--as", syntax, "-i", &name]).code(0).says_nothing();
        let times =
            |text: &str| text.lines().filter(|line| line.contains("-->")).map(str::to_owned).collect::<Vec<_>>();
        assert!(times(&spoken).len() > 1, "{spoken}");
        assert_eq!(times(run.out()), times(&spoken));
        assert_eq!(run.out().to_uppercase(), spoken.to_uppercase());
        assert_ne!(run.out(), spoken);
    }
}
