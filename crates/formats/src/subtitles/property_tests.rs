//! Property tests with random files: nothing is lost, and only the text of cues changes.

use proptest::prelude::*;

use super::markup::{MarkupKind, find_markup};
use super::tests::{records, translated, upper};
use super::*;

use SubtitleSyntax::{Srt, Vtt};

/// Generates files from meaningful lines and arbitrary text.
fn any_file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => "[a-c.,!? ]{0,12}",
        4 => Just("1\n00:00:01,000 --> 00:00:02,000".to_owned()),
        4 => Just("id\n00:00:01.000 --> 00:00:02.000 line:0".to_owned()),
        4 => Just(String::new()),
        2 => Just("- <i>a b</i> {\\an8}c".to_owned()),
        1 => Just("<v Mary Jane>a & b&nbsp;&lt;c</v> <00:00:01.500>".to_owned()),
        1 => Just("&amp;lt; &lt; <i>&amp;lt;i> </b>".to_owned()),
        1 => Just("NOTE a".to_owned()),
        1 => Just("STYLE".to_owned()),
        1 => Just("WEBVTT".to_owned()),
        1 => Just("42".to_owned()),
        1 => Just("1 --> 2".to_owned()),
        1 => Just(" \t ".to_owned()),
        1 => Just("\u{feff}".to_owned()),
        2 => "[-–♪\\[\\](){}<>&;/#a ]{0,8}",
        2 => "\\PC{0,8}",
        1 => any::<char>().prop_map(String::from),
    ];
    let end = prop_oneof![6 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r\r\n"), 1 => Just("\r"), 3 => Just("\n\n")];
    let lines = prop::collection::vec((line, end), 0..24);
    (prop::option::of(Just("WEBVTT\n\n")), lines).prop_map(|(header, lines)| {
        lines.into_iter().fold(header.unwrap_or_default().to_owned(), |file, (line, end)| file + &line + end)
    })
}

/// Returns everything but the text of cues: the records without the spans of their slots.
fn records_without_cue_text(syntax: SubtitleSyntax, file: &str) -> Vec<(Vec<u8>, usize, bool)> {
    let frame = |mut record: Record| {
        for slot in record.slots.iter().rev() {
            record.bytes.splice(slot.byte_range(), []);
        }
        let entries = record.slots.len() + record.blanks.len();
        (record.bytes, entries, record.fault.is_some())
    };
    records(syntax, file, usize::MAX).unwrap().into_iter().map(frame).collect()
}

fn without_tags(line: &str, syntax: SubtitleSyntax) -> String {
    let markup = find_markup(line, syntax);
    let tags = markup.iter().filter(|piece| piece.kind != MarkupKind::Reference);
    tags.fold(line.to_owned(), |line, tag| line.replacen(tag.source, "", 1))
}

/// Returns unusual results, which must not change anything around them.
fn odd_result(text: &str, choice: usize) -> String {
    match choice {
        0 => text.replace(' ', "\n\n"),
        1 => format!("{text}\n\n2\n00:00:01,000 --> 00:00:02,000\nx"),
        2 => "1984 x".to_owned(),
        3 => format!("\r\n{text}\r\n\r\n--> & <x> \u{2028}"),
        4 => text.split(' ').next_back().unwrap_or_default().to_owned() + "!",
        _ => format!("{text} {text} und noch viel mehr, 这是一个很长的句子。"),
    }
}

proptest! {
    #[test]
    fn records_concatenate_to_the_input_at_any_read_size(file in any_file(), step in 1usize..40, is_vtt in any::<bool>()) {
        let syntax = if is_vtt { Vtt } else { Srt };
        let Ok(all) = records(syntax, &file, step) else { return Ok(()) };
        let joined: Vec<u8> = all.iter().flat_map(|record| record.bytes.clone()).collect();
        prop_assert_eq!(joined, file.as_bytes());
        let mut entry = 1;
        for record in &all {
            prop_assert_eq!(record.entry, entry);
            entry += (record.slots.len() + record.blanks.len()) as u64;
            for (at, slot) in record.slots.iter().enumerate() {
                let text = record.text(at).unwrap();
                prop_assert!(!text.trim().is_empty() && text.trim() == text);
                let tokens: Vec<_> = slot.tokens.iter().map(|t| t.range.start as usize..t.range.end as usize).collect();
                prop_assert!(tokens.windows(2).all(|pair| pair[0].end <= pair[1].start));
                prop_assert!(tokens.iter().all(|token| text.get(token.clone()).is_some()));
            }
        }
        let whole = records(syntax, &file, usize::MAX).unwrap();
        prop_assert_eq!(format!("{whole:?}"), format!("{all:?}"));
        prop_assert_eq!(translated(syntax, &file, str::to_owned), file);
    }

    #[test]
    fn capital_letters_change_only_the_text(file in any_file(), is_vtt in any::<bool>()) {
        let syntax = if is_vtt { Vtt } else { Srt };
        if records(syntax, &file, usize::MAX).is_err() {
            return Ok(());
        }
        let out = translated(syntax, &file, upper);
        prop_assert_eq!(records_without_cue_text(syntax, &out), records_without_cue_text(syntax, &file));
        let words = |line: &str| without_tags(line, syntax).split_whitespace().count();
        let lines = |text: &str| text.lines().map(words).collect::<Vec<_>>();
        prop_assert_eq!(lines(&out), lines(&file));
    }

    #[test]
    fn no_result_changes_its_surroundings(file in any_file(), is_vtt in any::<bool>(), choice in 0usize..6) {
        let syntax = if is_vtt { Vtt } else { Srt };
        if records(syntax, &file, usize::MAX).is_err() {
            return Ok(());
        }
        let out = translated(syntax, &file, |text| odd_result(text, choice));
        let (before, after) = (records_without_cue_text(syntax, &file), records_without_cue_text(syntax, &out));
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            prop_assert_eq!(before.1, after.1);
            prop_assert_eq!(before.2, after.2);
        }
    }
}
