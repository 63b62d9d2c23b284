//! Tests of results with tokens: restored in every slot, sent once more alone if they cannot be used, never shown with tags.

#![allow(clippy::string_slice)] // tags are ASCII

use std::path::Path;

use proptest::prelude::*;
use tulk_catalogs::inline::{InlineToken, TokenKind};
use tulk_formats::{EntryLimit, Record, RecordReader, TextFormat};

use super::*;

/// A format of lines in which `{…}` is protected, and a pair of `*` or `_` is markup. Refuses results with `!`.
#[derive(Debug)]
struct MarkedLines;

struct MarkedReader(Box<dyn RecordReader>);

impl TextFormat for MarkedLines {
    fn reader(&self, limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(MarkedReader(InputFormat::lines().reader(limit)))
    }

    fn writer(&self, targets: &[String]) -> Box<dyn ResultWriter> {
        InputFormat::lines().writer(targets)
    }

    fn check_result(&self, _record: &Record, _slot: usize, text: &str) -> Result<(), String> {
        if text.contains('!') { Err("the result has a `!`".to_owned()) } else { Ok(()) }
    }
}

impl RecordReader for MarkedReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        let more = self.0.read(input, into)?;
        for slot in 0..into.slots.len() {
            let tokens = tokens(into.text(slot).unwrap());
            into.slots[slot].tokens = tokens;
        }
        Ok(more)
    }
}

fn tokens(text: &str) -> Vec<InlineToken> {
    let (mut tokens, mut open) = (Vec::new(), None);
    for (at, c) in text.char_indices() {
        let range = |start: usize| u32::try_from(start).unwrap()..u32::try_from(at + 1).unwrap();
        match (c, open) {
            ('{', _) => open = Some(at),
            ('}', Some(start)) => {
                tokens.push(InlineToken { range: range(start), kind: TokenKind::Fixed });
                open = None;
            }
            ('*' | '_', _) => {
                let kind = if text[..at].contains(c) { TokenKind::Close(1) } else { TokenKind::Open(1) };
                tokens.push(InlineToken { range: range(at), kind });
            }
            _ => {}
        }
    }
    tokens
}

fn marked_input(text: &str) -> PipelineInput {
    let input = PipelineInput::new(pipe(text.as_bytes(), 100), InputFormat::new(MarkedLines));
    input.protected(Arc::new(Protector::new(&[], SentForm::Tagged).unwrap()))
}

fn translate(text: &str, entries: usize, keep_going: bool, client: &impl Call) -> (String, PipelineReport) {
    let out = SharedOutput::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
    let options = RunOptions { keep_going, ..RunOptions::default() };
    let report = block_on(run(
        marked_input(text),
        &[job("de", batch_limit(entries))],
        vec![sink],
        &options,
        client,
        &Stop::default(),
    ));
    (out.text(), report)
}

/// Removes the first token of texts that contain `lose`, in the first `requests` requests.
fn losing_token(lose: &'static str, requests: usize) -> impl Fn(usize, &Value) -> Result<Vec<Value>, Failure> {
    move |number, body| {
        with_texts(body, |text| {
            let Some((before, rest)) = text.split_once("<x").filter(|_| number < requests && text.contains(lose))
            else {
                return text.replace("one", "eins");
            };
            format!("{before}{}", rest.split_once("</x>").unwrap().1)
        })
    }
}

#[test]
fn an_entry_that_loses_a_token_is_sent_again_alone() {
    let client = service(losing_token("bad", 1));
    let (out, report) = translate("one {a}\nbad {b} & c\nthree\n", 50, false, &client);
    assert_complete(&report);
    assert_eq!(out, "eins {a}\nbad {b} & c\nthree\n");
    assert_eq!(client.texts()[3..], [r#"bad <x id="1">{b}</x> &amp; c"#.to_owned()]);
    assert_eq!((report.requests, report.characters), (2, 7 + 15 + 5 + 15), "tags are not counted, but entities");
}

#[test]
fn an_entry_that_loses_its_token_again_ends_the_run_or_is_copied() {
    let text = "one {a}\nbad {b}\none {c}\nbad {b}\n";
    let client = service(losing_token("bad", 100));
    let (out, report) = translate(text, 50, false, &client);
    assert_eq!(out, "eins {a}\n");
    let failure = report.targets[0].failure.clone().unwrap();
    assert_eq!(failure.kind, Kind::Refused);
    assert_eq!(failure.to_string(), "stdin:2:1: the service lost `{b}`");
    assert_eq!((report.requests, client.texts().len()), (2, 4), "the equal entry is sent with the first");
    let client = service(losing_token("bad", 100));
    let (out, report) = translate(text, 50, true, &client);
    assert_complete(&report);
    assert_eq!(out, "eins {a}\nbad {b}\neins {c}\nbad {b}\n");
    let listed: Vec<_> = report.refused.iter().map(|entry| entry.origin.to_string()).collect();
    assert_eq!((listed, report.requests), (vec!["stdin:2:1".to_owned(), "stdin:4:1".to_owned()], 2));
}

#[test]
fn a_later_equal_entry_shares_the_outcome_of_the_second_try() {
    let mut client = service(losing_token("bad", 100));
    client.concurrency = 1;
    let text = format!("bad {{b}}\n{}bad {{b}}\n", numbered(200));
    let (out, report) = translate(&text, 2, true, &client);
    assert_complete(&report);
    assert_eq!((out.as_str(), report.refused.len()), (text.as_str(), 2));
    assert_eq!(client.texts().iter().filter(|text| text.starts_with("bad")).count(), 2);
}

#[test]
fn equal_texts_share_a_result_and_keep_their_own_tokens() {
    let client = service(|_, body| with_texts(body, |text| format!("so {text}")));
    let (out, report) = translate("an *old* tree\nan _old_ tree\n", 50, false, &client);
    assert_complete(&report);
    assert_eq!(out, "so an *old* tree\nso an _old_ tree\n");
    assert_eq!(client.texts(), [r#"an <g id="1">old</g> tree"#]);
}

#[test]
fn an_entry_whose_result_the_format_refuses_is_sent_again() {
    let client =
        service(|number, body| with_texts(body, |text| if number == 0 { format!("{text}!") } else { text.into() }));
    let (out, report) = translate("a\nb\n", 1, false, &client);
    assert_complete(&report);
    assert_eq!((out.as_str(), report.requests), ("a\nb\n", 3));
    let client = service(|_, body| with_texts(body, |text| if text == "b" { "b!".into() } else { text.into() }));
    let (out, report) = translate("a\nb\n", 1, false, &client);
    let failure = report.targets[0].failure.clone().unwrap();
    assert_eq!((out.as_str(), failure.to_string().as_str()), ("a\n", "stdin:2:1: the result has a `!`"));
}

#[test]
fn objects_of_the_service_have_the_restored_text() {
    let out = SharedOutput::default();
    let writer = results::json("translations", &["de".to_owned()], false);
    let sink = Sink { targets: TargetIndex::all(1), writer, to: out.to() };
    let job = Job { keeps_objects: true, ..job("de", batch_limit(50)) };
    let client = service(echo);
    assert_complete(&block_on(run(
        marked_input("a {b}\n"),
        &[job],
        vec![sink],
        &RunOptions::default(),
        &client,
        &Stop::default(),
    )));
    let expected = "{\"translations\":[{\"detected_source_language\":\"EN\",\"text\":\"a {b}\"}]}\n";
    assert_eq!(out.text(), expected);
}

fn to_part(path: &Path, text: &str, existing: ExistingPart, client: &impl Call) -> PipelineReport {
    let to = Destination::file(path, "a\nb\nc", existing).unwrap();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to };
    let options = RunOptions::default();
    block_on(run(marked_input(text), &[job("de", batch_limit(1))], vec![sink], &options, client, &Stop::default()))
}

#[test]
fn early_results_are_stored_without_tags_and_used_only_for_the_same_text() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out.txt");
    // The first request fails while the others are answered.
    let client = service(|number, body| if number == 0 { Err(refusal(503, Kind::Busy)) } else { echo(number, body) });
    let report = to_part(&path, "one\n{b} *c*\n*d*\n", ExistingPart::Refuse, &client);
    assert_eq!(report.targets[0].leftover, Leftover::Resumable);
    let state = std::fs::read_to_string(dir.path().join("out.txt.part.state")).unwrap();
    assert!(state.contains(r#"{"text":"{b} *c*"}"#) && !state.contains("<x"), "{state}");
    let again = service(echo);
    assert_complete(&to_part(&path, "one\n{b} *c*\n_d_\n", ExistingPart::Resume, &again));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one\n{b} *c*\n_d_\n");
    assert_eq!(again.texts(), ["one", r#"<g id="1">d</g>"#], "the third entry has other markup now");
}

fn damage(text: &str, how: usize) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let end = rest.find("</x>").map(|end| end + 4).filter(|_| rest[start..].starts_with("<x"));
        let end = end.unwrap_or_else(|| start + rest[start..].find('>').unwrap() + 1);
        parts.extend([&rest[..start], &rest[start..end]]);
        rest = &rest[end..];
    }
    parts.push(rest);
    let last = parts.len() - 1;
    match how % 6 {
        0 if last > 0 => drop(parts.remove(1)),
        1 if last > 0 => parts.insert(1, parts[1]),
        2 if last > 2 => parts.swap(1, 3),
        3 => parts.reverse(),
        4 => parts.truncate(1),
        _ => {}
    }
    parts.concat()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_token_stays_in_its_line_exactly_once_whatever_the_service_does(
        lines in prop::collection::vec("[ab<&]?\\{[ab]\\}[ab<&>]{0,3}(\\*[ab]\\{c\\}\\*|_[ab]{1,2}_)?", 1..12),
        how in prop::collection::vec(0usize..6, 1..12),
        entries in 1usize..4,
        keep_going in any::<bool>(),
    ) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut client = service(|number, body| {
            let mut at = number;
            Ok(texts(body).iter().map(|text| {
                at += 1;
                json!({"text": damage(text, how[at % how.len()])})
            }).collect())
        });
        client.jitter = true;
        let (out, report) = translate(&text, entries, keep_going, &client);
        let written: Vec<&str> = out.lines().collect();
        if keep_going {
            assert_complete(&report);
            prop_assert_eq!(written.len(), lines.len());
        } else if report.targets[0].failure.is_none() {
            prop_assert_eq!(written.len(), lines.len());
        }
        for (line, result) in lines.iter().zip(&written) {
            let (mut expected, mut found) = (token_sources(line), token_sources(result));
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(expected, found, "{} in {}", result, &out);
        }
        for entry in &report.refused {
            let at = usize::try_from(entry.origin.line).unwrap() - 1;
            prop_assert_eq!(written[at], &lines[at]);
        }
        let tries = client.texts().len();
        prop_assert!(tries <= 2 * lines.len(), "{} tries", tries);
        prop_assert!(!out.contains("id=\""), "{}", out);
    }
}

fn token_sources(line: &str) -> Vec<String> {
    tokens(line).iter().map(|token| line[token.range.start as usize..token.range.end as usize].to_owned()).collect()
}
