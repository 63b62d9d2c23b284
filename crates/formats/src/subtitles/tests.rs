//! Tests of complete files: their entries, and that all other bytes are kept.

use std::sync::Arc;

use super::*;
use crate::test_records::read_all;
use crate::{EntryResult, ResultRow};

use SubtitleSyntax::{Srt, Vtt};
use tulk_base::error::Failure;

pub(super) fn records(syntax: SubtitleSyntax, text: &str, step: usize) -> Result<Vec<Record>, Failure> {
    let all = read_all(&mut CueReader::new(syntax), text.as_bytes(), step)?;
    assert!(all.iter().all(|record| !record.bytes.is_empty()));
    Ok(all)
}

pub(super) fn translated(syntax: SubtitleSyntax, text: &str, translate: impl Fn(&str) -> String) -> String {
    let mut out = Vec::new();
    let mut writer = CueWriter(syntax);
    for record in records(syntax, text, usize::MAX).unwrap() {
        let result = |slot: usize| {
            let text = Some(translate(record.text(slot).unwrap()));
            let text = text.filter(|text| syntax.check_result(&record, slot, text).is_ok());
            Arc::new(EntryResult { text, raw: None, billed: None })
        };
        let results = smallvec::smallvec![Some((0..record.slots.len()).map(result).collect())];
        writer.write(&ResultRow { record: Arc::new(record), results }, &mut out).unwrap();
    }
    String::from_utf8(out).unwrap()
}

/// Returns the sent texts; whitespace-only entries are empty, and faults start with `!`.
fn entries(syntax: SubtitleSyntax, text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for record in records(syntax, text, usize::MAX).unwrap() {
        all.extend(record.fault.iter().map(|fault| format!("!{fault}")));
        all.extend((0..record.slots.len()).map(|slot| record.text(slot).unwrap().to_owned()));
        all.extend(record.blanks.iter().map(|_| String::new()));
    }
    all
}

/// Returns a text in capital letters, except for its markup.
pub(super) fn upper(text: &str) -> String {
    let mut inside = false;
    let mut out = String::new();
    for c in text.chars() {
        inside = (inside || "<{&".contains(c)) && !">};".contains(c);
        if inside || !c.is_ascii() { out.push(c) } else { out.push(c.to_ascii_uppercase()) }
    }
    out
}

const SRT_FILE: &str = "\u{feff}1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\nthere\r\n\r\n\
    00:00:03.5-->0:00:04.5  X1:1 X2:2\r\n{\\an8}<i>no number</i>\r\n  \t\r\n\r\n\r\n\
    7\n00:00:05,000 --> 00:00:06,000\n1984\n\n6\n00:00:06,000 --> 00:00:05,000\n\n\
    8\n\n00:00:08,000 --> 00:00:09,000\nfirst part\n\nsecond\npart\n9\n00:00:09,000 --> 00:00:10,000\na --> b\n\
    00:00:10 --> 00:00:11\nend";

#[test]
fn reads_real_srt_files() {
    assert_eq!(
        entries(Srt, SRT_FILE),
        ["Hello there", "no number", "1984", "", "first part", "second part", "a --> b", "end"]
    );
    let all = records(Srt, SRT_FILE, usize::MAX).unwrap();
    let entries: Vec<u64> = all.iter().map(|record| record.entry).collect();
    assert_eq!(entries, [1, 2, 3, 4, 5, 6, 7, 8]);
    let places: Vec<String> =
        all.iter().filter(|r| !r.slots.is_empty()).map(|r| r.slot_origin(0).to_string()).collect();
    assert_eq!(
        places,
        ["stdin:3:1", "stdin:7:10", "stdin:13:1", "stdin:21:1", "stdin:23:1", "stdin:27:1", "stdin:29:1"]
    );
    assert_eq!(all[3].blanks.len(), 1);
}

#[test]
fn only_the_text_of_srt_cues_changes() {
    let expected = SRT_FILE
        .replace("Hello\r\nthere", "HELLO\r\nTHERE")
        .replace("no number", "NO NUMBER")
        .replace("first part\n\nsecond\npart", "FIRST PART\n\nSECOND\nPART")
        .replace("a --> b", "A --> B")
        .replace("\nend", "\nEND");
    assert_eq!(translated(Srt, SRT_FILE, upper), expected);
    assert_eq!(translated(Srt, SRT_FILE, str::to_owned), SRT_FILE);
}

const VTT_FILE: &str = "WEBVTT - Title\nKind: captions\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n\
    NOTE a comment\nof two lines\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:a\n\nSTYLES\n00:01.000 --> 00:02.000\nis an id\n\n\
    intro\n00:00:03.000 --> 00:00:04.000 line:0 position:20%\n<v Mary>Hello &amp; <c.loud>bye</c>\n \nmore\n\n\n\n\
    NOTE\n\n00:05.000 --> 00:06.000\n\n1\n00:07.000 --> 00:08.000\nlast";

#[test]
fn reads_real_vtt_files() {
    assert_eq!(entries(Vtt, VTT_FILE), ["is an id", "Hello & <c.loud>bye</c>\nmore", "", "last"]);
    let expected = VTT_FILE
        .replace("is an id", "IS AN ID")
        .replace("Hello &amp; <c.loud>bye</c>", "HELLO &amp; <c.loud>BYE</c>")
        .replace("more", "MORE")
        .replace("last", "LAST");
    assert_eq!(translated(Vtt, VTT_FILE, upper), expected);
}

#[test]
fn a_whitespace_line_separates_cues_of_webvtt() {
    let text = "WEBVTT\n\nintro\n00:01.000 --> 00:02.000\none\n \t\nnext cue\n00:02.000 --> 00:03.000\ntwo\n";
    assert_eq!(entries(Vtt, text), ["one", "two"]);
    assert_eq!(translated(Vtt, text, upper), text.replace("\none", "\nONE").replace("two", "TWO"));
}

#[test]
fn skips_whitespace_lines_between_webvtt_cues() {
    let text =
        "WEBVTT\n\nNOTE a\n\n    \n\n \t\n1\n00:01.000 --> 00:02.000\none\n\n \n00:02.000 --> 00:03.000\ntwo\n\n  \n";
    assert_eq!(entries(Vtt, text), ["one", "two"]);
    assert_eq!(translated(Vtt, text, upper), text.replace("one", "ONE").replace("two", "TWO"));
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000\none\n \nNOTE not a text\nnor this\n\n00:02.000 --> 00:03.000\ntwo\n";
    assert_eq!(entries(Vtt, text), ["one", "two"]);
}

#[test]
fn override_codes_keep_their_line() {
    let cue = "1\n00:00:01,000 --> 00:00:02,000\n";
    for lines in [
        "one {\\i0}\ntwo three",
        "one\n{\\i1} two three",
        "one {\\an8}\n{\\i1} two {\\i0}\nthree {y:i}\nfour",
        "one\n{\\i0}\ntwo",
        "<i>\none\n</i> two\nthree",
    ] {
        let text = format!("{cue}{lines}\n");
        assert_eq!(translated(Srt, &text, upper), format!("{cue}{}\n", upper(lines)));
    }
    let cue = "WEBVTT\n\n00:01.000 --> 00:02.000\n";
    for lines in ["one<c.a> two</c><c.b> three\n </c>", "one <00:01.500>\n<c>two</c>\n<00:01.600> three"] {
        let text = format!("{cue}{lines}\n");
        assert_eq!(translated(Vtt, &text, upper), format!("{cue}{}\n", upper(lines)));
    }
}

#[test]
fn reports_faulty_blocks_with_their_line_and_continues() {
    let hint = |record: &Record| record.fault.as_ref().unwrap().hint.clone().unwrap();
    let cue = "\n\n9\n00:00:01,000 --> 00:00:02,000\nfine";
    for (block, fault) in [
        ("2\nno times", "!stdin:1:1: the block has no times"),
        ("2\n\n", "!stdin:1:1: the block has no times"),
        ("no cue before", "!stdin:1:1: the block has no times"),
        ("\n\n2\n00:00:01,000 -> 00:00:02,000\na\n", "!stdin:4:1: the times of the cue are not valid"),
        ("2\n00:00:0x,000 --> 00:00:02,000\na", "!stdin:2:1: the times of the cue are not valid"),
        ("00:00:01,000\na", "!stdin:1:1: the times of the cue are not valid"),
    ] {
        assert_eq!(entries(Srt, &format!("{block}{cue}")), [fault, "fine"], "{block}");
    }
    let all =
        records(Srt, "1\n00:00:01,000 --> 00:00:02,000\nfine\n2\nx --> 2\n00:00:02,000 --> 3\nbad\nmore", 9).unwrap();
    assert_eq!(all.len(), 2);
    assert_eq!(all[1].bytes, b"00:00:02,000 --> 3\nbad\nmore");
    assert_eq!(hint(&all[1]), "write it as 00:00:01,000 --> 00:00:02,500");
    // Text after a faulty block does not belong to a cue.
    assert_eq!(
        entries(Srt, "2\na\n\nb\n"),
        ["!stdin:1:1: the block has no times", "!stdin:4:1: the block has no times"]
    );
    let cue = "\n\n00:01.000 --> 00:02.000\nfine";
    for (block, fault) in [
        ("no times\nat all", "!stdin:3:1: the block has no times"),
        ("id", "!stdin:3:1: the block has no times"),
        ("id\n00:00:01,000 --> 00:00:02,000\na", "!stdin:4:1: the times of the cue are not valid"),
        ("00:00:01,000 --> 00:00:02,000\na", "!stdin:3:1: the times of the cue are not valid"),
    ] {
        assert_eq!(entries(Vtt, &format!("WEBVTT\n\n{block}{cue}")), [fault, "fine"], "{block}");
    }
}

#[test]
fn a_file_of_the_other_syntax_gets_a_hint() {
    let failure = records(Srt, "\u{feff}WEBVTT\n\n00:01.000 --> 00:02.000\na\n", 5).unwrap_err();
    assert_eq!(
        (failure.to_string().as_str(), failure.hint.as_deref()),
        ("stdin:1:1: this is a WebVTT file", Some("use --as vtt"))
    );
    let failure = records(Vtt, "\n1\n00:00:01,000 --> 00:00:02,000\na\n", 5).unwrap_err();
    assert_eq!(failure.to_string(), "stdin:2:1: the file does not begin with WEBVTT");
    assert_eq!(failure.hint.as_deref(), Some("is it an SRT file? use --as srt"));
    let failure = records(Vtt, "WEBVTTX\n", 5).unwrap_err();
    assert_eq!(failure.hint.as_deref(), Some("a WebVTT file has the line WEBVTT before its first cue"));
}

#[test]
fn memory_is_bounded() {
    let long = format!("1\n00:00:01,000 --> 00:00:02,000\n{}", "x".repeat(2 << 20));
    let failure = records(Srt, &long, usize::MAX).unwrap_err();
    assert_eq!(failure.to_string(), "stdin:1:1: the block is larger than 1,048,576 bytes");
    let long = format!("1\n00:00:01,000 --> 00:00:02,000\n{}", "x\n".repeat(1 << 20));
    assert!(records(Srt, &long, usize::MAX).is_err());
    let failure = records(Srt, &"1\r00:00:01,000 --> 00:00:02,000\rx\r\r".repeat(40_000), usize::MAX).unwrap_err();
    assert_eq!(failure.hint.as_deref(), Some("end the lines with LF or CRLF, not with CR alone"));
    let note =
        format!("WEBVTT\n\nNOTE\n{}\n00:01.000 --> 00:02.000\na\n{}", "note\n".repeat(100_000), "\n".repeat(300_000));
    let all = records(Vtt, &note, 4096).unwrap();
    assert!(all.iter().all(|record| record.bytes.len() < 80_000));
    assert_eq!(all.iter().map(|record| record.slots.len()).sum::<usize>(), 1);
}

#[test]
fn refuses_results_that_change_the_number_of_cues() {
    let all = records(Srt, "1\n00:00:01,000 --> 00:00:02,000\na\n\nb\n", 99).unwrap();
    assert!(Srt.check_result(&all[0], 0, "2").is_ok());
    assert!(Srt.check_result(&all[1], 0, "2").is_err());
    assert!(Srt.check_result(&all[1], 0, "00:00:01").is_err());
    let record = records(Srt, "1\n00:00:01,000 --> 00:00:02,000\na\n", 99).unwrap().remove(0);
    assert!(Srt.check_result(&record, 0, " \n").is_err());
    assert!(Srt.check_result(&record, 0, "\n\n2\n00:00:01,000 --> 00:00:02,000\nb").is_ok());
}

#[test]
fn accepts_empty_and_whitespace_only_files() {
    for text in ["", "\n\n", "\u{feff}", " \r\n"] {
        assert_eq!(translated(Srt, text, upper), text);
    }
    assert_eq!(translated(Vtt, "", upper), "");
    assert_eq!(translated(Vtt, "WEBVTT", upper), "WEBVTT");
}
