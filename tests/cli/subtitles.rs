//! `tulk translate --as srt` and `--as vtt`: what is sent, what is kept, and what is refused.

use serde_json::{Value, json};

use crate::common::Bench;

const SRT: &str = "\u{feff}1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>Good morning,\r\neveryone.</i>\r\n\r\n\
                   2\r\n00:00:03,000 --> 00:00:04,000  X1:40 X2:600\r\n{\\an8}- Where are <b>you</b>\r\ngoing?\r\n- Home.\r\n\r\n\r\n\
                   4\r\n00:00:05.000 --> 00:00:06.000\r\n\r\n\
                   00:00:07,000 --> 00:00:08,000\r\nTom & Jerry";

const VTT: &str = "WEBVTT - A film\nKind: captions\n\nNOTE\nnot for viewers\n\nSTYLE\n::cue { color: red }\n\n\
                   intro\n00:01.000 --> 00:02.000 line:0 align:start\n<v Mary>Tom &amp; Jerry &lt;3\n\n\
                   00:03.000 --> 00:04.000\n<00:03.500>This <c.loud>way</c>,\nplease.\n";

fn upper() -> Bench {
    Bench::with(&["--engine", "upper"])
}

fn bodies(bench: &Bench) -> Vec<Value> {
    bench.sent().into_iter().filter(|(request, _)| request == "POST /v2/translate").map(|(_, body)| body).collect()
}

#[test]
fn changes_only_the_text_of_srt() {
    let bench = upper();
    bench.pipe(SRT, ["translate", "--to", "de", "--as", "srt"]).code(0).says_nothing().prints(
        "\u{feff}1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>GOOD MORNING,\r\nEVERYONE.</i>\r\n\r\n\
         2\r\n00:00:03,000 --> 00:00:04,000  X1:40 X2:600\r\n{\\an8}- WHERE ARE <b>YOU</b>\r\nGOING?\r\n- HOME.\r\n\r\n\r\n\
         4\r\n00:00:05.000 --> 00:00:06.000\r\n\r\n\
         00:00:07,000 --> 00:00:08,000\r\nTOM & JERRY",
    );
    assert_eq!(
        bodies(&bench),
        [json!({
            "text": [
                "Good morning, everyone.",
                "- Where are <g id=\"1\">you</g> going?\n- Home.",
                "Tom &amp; Jerry",
            ],
            "target_lang": "DE",
            "tag_handling": "xml",
            "ignore_tags": ["x"],
            "non_splitting_tags": ["g", "x"],
        })]
    );
}

#[test]
fn changes_only_the_text_of_webvtt() {
    let bench = upper();
    bench.write("a.vtt", VTT);
    let expected = VTT
        .replace("Tom &amp; Jerry &lt;3", "TOM &amp; JERRY &lt;3")
        .replace("This <c.loud>way</c>,\nplease.", "THIS <c.loud>WAY</c>,\nPLEASE.");
    bench.run(["translate", "--to", "de", "--as", "vtt", "-i", "a.vtt"]).code(0).says_nothing().prints(expected);
    assert_eq!(
        bodies(&bench)[0]["text"],
        json!(["Tom &amp; Jerry <x id=\"1\">&amp;lt;</x>3", "This <g id=\"1\">way</g>, please."])
    );
}

#[test]
fn echo_changes_no_byte() {
    let bench = Bench::new();
    for (syntax, text) in [("srt", SRT), ("vtt", VTT), ("srt", ""), ("srt", "\n\n"), ("vtt", "WEBVTT\n")] {
        bench.pipe(text, ["translate", "--to", "de", "--as", syntax]).code(0).says_nothing().prints(text);
    }
}

#[test]
fn sends_the_preceding_cues_as_context() {
    let bench = Bench::new();
    let cue = |n: usize| format!("{n}\n00:00:01,000 --> 00:00:02,000\nfirst {n}\nsecond {n}\n\n");
    bench.write("a.srt", (1..=51).map(cue).collect::<String>());
    let translate = ["translate", "--to", "de", "--as", "srt", "-i", "a.srt"];
    let planned = |extra: &[&str]| {
        let run = bench.run(translate.iter().chain(&["--dry-run"]).chain(extra)).code(0);
        let lines: Vec<Value> = run.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.into_iter().map(|mut line| line["body"].take()).collect::<Vec<_>>()
    };
    assert_eq!(
        planned(&[])[1],
        json!({
            "text": ["first 51 second 51"],
            "target_lang": "DE",
            "tag_handling": "xml",
            "ignore_tags": ["x"],
            "non_splitting_tags": ["g", "x"],
            "context": "first 48 second 48\nfirst 49 second 49\nfirst 50 second 50",
        })
    );
    assert_eq!(planned(&["--context-lines", "1"])[1]["context"], "first 50 second 50");
    assert_eq!(planned(&["--context-lines", "0"])[1]["context"], Value::Null);
    assert_eq!(planned(&[])[0]["context"], Value::Null);
    assert!(bench.requests().is_empty());
}

#[test]
fn listed_results_have_the_line_of_each_cue() {
    let bench = upper();
    let run = bench.pipe(SRT, ["translate", "--to", "de", "--as", "srt", "--json"]).code(0);
    let lines: Vec<_> = run.json()["translations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["line"].clone(), item["text"].as_str().unwrap().to_owned()))
        .collect();
    let cue = |line: u64, text: &str| (json!(line), text.to_owned());
    assert_eq!(
        lines,
        [
            cue(3, "GOOD MORNING, EVERYONE."),
            cue(8, "- WHERE ARE <b>YOU</b> GOING?\n- HOME."),
            cue(15, ""),
            cue(17, "TOM & JERRY"),
        ]
    );
}

#[test]
fn refuses_malformed_cues_with_their_line() {
    let bench = Bench::new();
    let cue = "1\n00:00:01,000 --> 00:00:02,000\nfine\n\n";
    for (name, text, says, hint) in [
        ("a.srt", format!("{cue}2\nno times\n\n{cue}"), "a.srt:5:1: the block has no times", "--keep-going"),
        (
            "b.srt",
            format!("{cue}2\n00:00:03 -> 00:00:04\nx\n"),
            "b.srt:6:1: the times of the cue are not valid",
            "write it as",
        ),
        ("c.srt", format!("WEBVTT\n\n{cue}"), "c.srt:1:1: this is a WebVTT file", "use --as vtt"),
        ("d.vtt", cue.to_owned(), "d.vtt:1:1: the file does not begin with WEBVTT", "is it an SRT file? use --as srt"),
        ("e.vtt", format!("WEBVTT\n\n{cue}"), "e.vtt:4:1: the times of the cue are not valid", "use --as srt"),
        ("f.vtt", "WEBVTT\n\nid\nno times\n".to_owned(), "f.vtt:3:1: the block has no times", "--keep-going"),
        ("g.srt", cue.replace('\n', "\r"), "g.srt:1:1: the lines of the file end with CR alone", "with LF or CRLF"),
        (
            "h.vtt",
            format!("WEBVTT\n\n{cue}").replace('\n', "\r"),
            "h.vtt:1:1: the lines of the file end with CR alone",
            "with LF or CRLF",
        ),
    ] {
        bench.write(name, text);
        let syntax = name.split_once('.').unwrap().1;
        bench.run(["translate", "--to", "de", "--as", syntax, "-i", name]).code(2).prints("").says(says).says(hint);
    }
    assert!(bench.requests().is_empty());
}

#[test]
fn a_malformed_cue_in_a_pipe_stops_the_run_or_is_copied() {
    let bench = upper();
    let fine = "1\n00:00:01,000 --> 00:00:02,000\nfine\n\n";
    let rest = "2\nno times\nat all\n\n3\n00:00:03,000 --> 00:00:04,000\nlast\n";
    bench.write("fine.srt", fine);
    bench.write("rest.srt", rest);
    bench
        .bash(
            "{ cat fine.srt; until [ -s out.srt ]; do sleep 0.05; done; cat rest.srt; } \
             | tulk translate --to de --as srt > out.srt",
        )
        .code(9)
        .says("stdin:5:1: the block has no times");
    assert_eq!(bench.read("out.srt"), fine.replace("fine", "FINE"));
    let text = [fine, rest].concat();
    bench
        .pipe(&text, ["translate", "--to", "de", "--as", "srt", "--keep-going"])
        .code(9)
        .says("stdin:5:1: the block has no times")
        .prints(text.replace("fine", "FINE").replace("last", "LAST"));
}

#[test]
fn refuses_unsuitable_modes_and_arguments() {
    let bench = Bench::new();
    let args = ["translate", "--to", "de", "--as", "srt"];
    for extra in [&["--lines"][..], &["-0"], &["--csv", "--column", "1"], &["Hello"]] {
        bench.run(args.iter().chain(extra)).code(2).prints("");
    }
    bench.run(["translate", "--to", "de", "--as", "ass"]).code(2).says("srt, vtt");
    assert!(bench.requests().is_empty());
}
