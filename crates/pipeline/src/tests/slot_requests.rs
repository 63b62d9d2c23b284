//! Tests of slots with their own requests: contexts, targets, fallback texts, and what an observer receives.

use std::fmt::Write as _;

use tulk_catalogs::inline::InlineToken;
use tulk_catalogs::{SampleNumber, Sentence};
use tulk_formats::{EntryLimit, FallbackText, RecordReader, ResultRow, SampleText, Slot, SlotRequest, TextFormat};

use super::*;

/// A format with one record of lines such as `context|de,fr|text|fallback`, in which `{…}` is protected.
#[derive(Debug)]
struct Sentences;

struct SentenceReader;

struct SentenceWriter;

impl TextFormat for Sentences {
    fn reader(&self, _limit: EntryLimit) -> Box<dyn RecordReader> {
        Box::new(SentenceReader)
    }

    fn writer(&self, _targets: &[String]) -> Box<dyn ResultWriter> {
        Box::new(SentenceWriter)
    }
}

impl RecordReader for SentenceReader {
    fn read(&mut self, input: &mut Source, into: &mut Record) -> Result<bool, Failure> {
        let Some(document) = input.next_document()? else { return Ok(false) };
        loop {
            let chunk = input.fill()?.to_vec();
            if chunk.is_empty() {
                break;
            }
            input.consume(chunk.len());
            into.bytes.extend(chunk);
        }
        into.origin = tulk_base::error::Origin::at(&document.name, 1, 1);
        into.entry = 1;
        let text = String::from_utf8(into.bytes.clone()).unwrap();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            into.slots.push(slot(at, line.trim_end()));
            at += line.len();
        }
        Ok(true)
    }
}

fn slot(at: usize, line: &str) -> Slot {
    let mut parts = line.split('|');
    let mut next = || parts.next().filter(|part| !part.is_empty());
    let (context, targets, text, fallback) = (next(), next(), next().unwrap(), next());
    let at = u32::try_from(at).unwrap();
    let sentence =
        Sentence { text: text.to_owned(), tokens: tokens(text), sample: number(text), ..Sentence::default() };
    let fallback = fallback.map(|text| FallbackText { text: text.to_owned(), tokens: tokens(text), tagged: None });
    let request = SlotRequest {
        is_note: context.is_none_or(|context| context.starts_with("note")),
        context: context.map(Into::into),
        targets: targets.map(|targets| targets.split(',').map(str::to_owned).collect()),
        is_ordered: line.contains('%'),
        text_syntax: Some(Arc::default()),
        sample: fallback.map(|fallback| Box::new(SampleText { sentence, fallback: Some(fallback) })),
    };
    let text = text.to_owned();
    Slot {
        span: at..at,
        text_start: at,
        tokens: tokens(&text),
        text: Some(text),
        request: Some(Box::new(request)),
        ..Slot::default()
    }
}

fn number(text: &str) -> Option<SampleNumber> {
    let start = text.find('5')?;
    Some(SampleNumber { number: 5, range: start..start + 1, placeholder: "{n}".to_owned() })
}

fn tokens(text: &str) -> Vec<InlineToken> {
    let starts = text.match_indices(['{', '%']);
    starts
        .map(|(start, open)| {
            let len = if open == "%" { 2 } else { text.split_at(start).1.find('}').unwrap() + 1 };
            InlineToken::fixed(start..start + len).unwrap()
        })
        .collect()
}

impl ResultWriter for SentenceWriter {
    fn write(&mut self, row: &ResultRow, out: &mut dyn Write) -> io::Result<()> {
        let texts = (0..row.record.slots.len()).map(|slot| row.result(0, slot).and_then(|r| r.text.as_deref()));
        texts.into_iter().try_for_each(|text| writeln!(out, "{}", text.unwrap_or("-")))
    }
}

/// Records what an observer receives.
#[derive(Default)]
struct ObservedEntries(Mutex<String>);

impl ResultObserver for ObservedEntries {
    fn result(&self, target: TargetIndex, record: &Record, slot: usize, result: &EntryResult) {
        let source = record.text(slot).unwrap();
        writeln!(self.0.lock().unwrap(), "{} {slot} {source}: {}", target.0, result.text.as_deref().unwrap()).unwrap();
    }

    fn refused(&self, target: TargetIndex, record: &Record, slot: usize, failure: &Failure) {
        let source = record.text(slot).unwrap();
        writeln!(self.0.lock().unwrap(), "{} {slot} {source}! {failure}", target.0).unwrap();
    }

    fn answered(&self, _: TargetIndex, _: &[(&Record, u64)]) {}
}

fn translate(text: &str, targets: &[&str], options: &RunOptions, client: &impl Call) -> (Vec<String>, PipelineReport) {
    let outs: Vec<SharedOutput> = targets.iter().map(|_| SharedOutput::default()).collect();
    let sinks = outs.iter().enumerate().map(|(number, out)| Sink {
        targets: vec![TargetIndex(number)],
        writer: Sentences.writer(&[]),
        to: out.to(),
    });
    let jobs: Vec<Job> = targets.iter().map(|target| job(target, batch_limit(50))).collect();
    let input = PipelineInput::new(pipe(text.as_bytes(), 100), InputFormat::new(Sentences));
    let input = input.protected(Arc::new(Protector::new(&[], SentForm::Tagged).unwrap()));
    let report = block_on(run(input, &jobs, sinks.collect(), options, client, &Stop::default()));
    (outs.iter().map(SharedOutput::text).collect(), report)
}

#[test]
fn entries_with_different_notes_share_a_request() {
    let client = service(|_, body| with_texts(body, str::to_uppercase));
    let contexts = |text: &str| {
        client.sent.borrow_mut().clear();
        assert_complete(&translate(text, &["de"], &RunOptions::default(), &client).1);
        let bodies = client.sent.borrow();
        bodies.iter().map(|body| (body["text"].clone(), body["context"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(
        contexts("||plain\nnote one||a\nnote two||b\nnote one||c {x}\n"),
        [(json!(["plain", "a", "c <x id=\"1\">{x}</x>", "b"]), json!("a, c {x}: note one\nb: note two"))]
    );
    // A single note needs no label.
    assert_eq!(contexts("note one||a\nnote one||b\n"), [(json!(["a", "b"]), json!("note one"))]);
    // Equal texts with different notes, contexts that are not notes, and long notes need separate requests.
    let long = format!("note {}", "x".repeat(300));
    let text = format!("note one||a\nnote two||a\nmenu||b\n{long}||c\nnote three||d\nnote four||e\n");
    assert_eq!(
        contexts(&text),
        [
            (json!(["a"]), json!("note one")),
            (json!(["a"]), json!("note two")),
            (json!(["b"]), json!("menu")),
            (json!(["c"]), json!(long)),
            (json!(["d", "e"]), json!("d: note three\ne: note four")),
        ]
    );
    // The total size of the notes in a request is limited.
    let text: String = (0..50).map(|n| format!("note {n} {}||{n}\n", "y".repeat(290))).collect();
    let sizes: Vec<usize> = contexts(&text).iter().map(|(_, context)| context.as_str().unwrap().len()).collect();
    assert_eq!(sizes.len(), 2);
    assert!(sizes.iter().all(|size| *size <= 8192), "{sizes:?}");
}

#[test]
fn entries_with_the_same_context_share_a_request() {
    let client = service(|_, body| with_texts(body, str::to_uppercase));
    let text = "||a\nmenu||b\n||c\nmenu||d\nend||e\nmenu||b\n||b\n";
    let (out, report) = translate(text, &["de"], &RunOptions::default(), &client);
    assert_complete(&report);
    assert_eq!(out, ["A\nB\nC\nD\nE\nB\nB\n"]);
    let expected = [
        json!({"text": ["a", "c", "b"], "target_lang": "DE"}),
        json!({"text": ["b", "d"], "target_lang": "DE", "context": "menu"}),
        json!({"text": ["e"], "target_lang": "DE", "context": "end"}),
    ];
    assert_eq!(*client.sent.borrow(), expected);
    assert_eq!((report.duplicates, report.requests), (1, 3));
}

#[test]
fn adds_the_context_of_an_entry_and_refuses_a_context_above_the_limit() {
    let client = service(echo);
    let out = SharedOutput::default();
    let sink = || Sink { targets: TargetIndex::all(1), writer: Sentences.writer(&[]), to: out.to() };
    let job = Job { context: Some("shop".to_owned()), ..job("de", batch_limit(50)) };
    let input = |text: &str| PipelineInput::new(pipe(text.as_bytes(), 100), InputFormat::new(Sentences));
    let options = RunOptions::default();
    let done = block_on(run(input("menu||a\n"), &[job], vec![sink()], &options, &client, &Stop::default()));
    assert_complete(&done);
    assert_eq!(client.sent.borrow()[0]["context"], "shop\nmenu");
    let job = super::job("de", BatchLimit { entries: 50, bytes: 100 });
    let long = format!("||a\n{}||b\n", "n".repeat(100));
    let done = block_on(run(input(&long), &[job], vec![sink()], &options, &client, &Stop::default()));
    let failure = done.ended_by.unwrap().to_string();
    assert_eq!(failure, "stdin:2:1: the text needs a request of 146 bytes; the limit is 100");
}

#[test]
fn a_sentence_is_sent_only_to_the_targets_that_need_it() {
    let client =
        service(|_, body| with_texts(body, |text| format!("{text} {}", body["target_lang"].as_str().unwrap())));
    let text = "||a\n|pl|b\n|de,fr|c\n";
    let (out, report) = translate(text, &["de", "pl"], &RunOptions::default(), &client);
    assert_complete(&report);
    assert_eq!(out, ["a DE\n-\nc DE\n", "a PL\nb PL\n-\n"]);
    assert_eq!((report.entries, report.characters), (3, 4));
    let client = service(echo);
    let sink = |out: &SharedOutput| Sink {
        targets: TargetIndex::all(2),
        writer: results::json("translations", &["de".to_owned(), "pl".to_owned()], false),
        to: out.to(),
    };
    let (out, jobs) = (SharedOutput::default(), [job("de", batch_limit(50)), job("pl", batch_limit(50))]);
    let input = PipelineInput::new(pipe(text.as_bytes(), 100), InputFormat::new(Sentences));
    assert_complete(&block_on(run(input, &jobs, vec![sink(&out)], &RunOptions::default(), &client, &Stop::default())));
    let texts = |list: &[&str]| list.iter().map(|text| json!({ "text": text })).collect::<Vec<_>>();
    let listed: Value = serde_json::from_str(&out.text()).unwrap();
    assert_eq!(listed[0]["translations"], json!(texts(&["a", "c"])));
    assert_eq!(listed[1]["translations"], json!(texts(&["a", "b"])));
}

/// Removes the first token of texts that contain a number.
fn without_token_in_samples(text: &str) -> String {
    match text.split_once("<x").filter(|_| text.contains('5')) {
        Some((before, rest)) => format!("{before}{}", rest.split_once("</x>").unwrap().1),
        None => text.to_uppercase().replace("<X ID", "<x id").replace("</X>", "</x>"),
    }
}

#[test]
fn an_unusable_result_sends_the_fallback_form_once() {
    let text = "||5 of {a}|{n} of {a}\nnote||5 of {a}|{n} of {a}\n||5 of {a}|{n} of {a}\n||5 of {a}|{m} of {a}\n";
    let client = service(|_, body| with_texts(body, without_token_in_samples));
    let (out, report) = translate(text, &["de"], &RunOptions::default(), &client);
    assert_complete(&report);
    assert_eq!(
        out,
        ["{N} OF {A}\n{N} OF {A}\n{N} OF {A}\n{M} OF {A}\n"
            .replace("{N}", "{n}")
            .replace("{M}", "{m}")
            .replace("{A}", "{a}")]
    );
    let sent = client.sent.borrow();
    let others: Vec<_> = sent.iter().skip(2).map(|body| (body["text"][0].clone(), body["context"].clone())).collect();
    let tagged = r#"<x id="1">{n}</x> of <x id="2">{a}</x>"#;
    assert_eq!(sent.len(), 2 + 3, "each other form once: {others:?}");
    assert!(others.contains(&(json!(tagged), Value::Null)) && others.contains(&(json!(tagged), json!("note"))));
}

#[test]
fn an_entry_fails_if_its_fallback_form_fails_too() {
    let client = service(|_, body| with_texts(body, |_| "x".to_owned()));
    let text = "||5 of {a}|{n} of {a}\n||b\n";
    let (_, report) = translate(text, &["de"], &RunOptions::default(), &client);
    let failure = report.targets[0].failure.clone().unwrap();
    assert_eq!(failure.to_string(), "stdin:1:1: the service lost `{n}`");
    assert_eq!(client.texts(), ["5 of <x id=\"1\">{a}</x>", "b", "<x id=\"1\">{n}</x> of <x id=\"2\">{a}</x>"]);
    let seen = Arc::new(ObservedEntries::default());
    let options = RunOptions { keep_going: true, observer: Some(seen.clone()), ..RunOptions::default() };
    let (out, report) = translate(text, &["de"], &options, &client);
    assert_complete(&report);
    assert_eq!(out, ["-\nx\n"]);
    assert_eq!(*seen.0.lock().unwrap(), "0 1 b: x\n0 0 5 of {a}! the service lost `{n}`\n");
}

#[test]
fn placeholders_without_names_stay_in_their_order() {
    let client = service(|number, body| {
        with_texts(body, |text| {
            let parts: Vec<&str> = text.split(" of ").collect();
            if number == 0 { format!("{} of {}", parts[1], parts[0]) } else { text.to_uppercase().to_lowercase() }
        })
    });
    let (out, report) = translate("||%s of %d\n", &["de"], &RunOptions::default(), &client);
    assert_complete(&report);
    assert_eq!((out, report.requests), (vec!["%s of %d\n".to_owned()], 2));
    let client = service(|_, body| {
        with_texts(body, |text| {
            text.split(" of ").collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(" of ")
        })
    });
    let (_, report) = translate("||%s of %d\n", &["de"], &RunOptions::default(), &client);
    let failure = report.targets[0].failure.clone().unwrap();
    assert_eq!(failure.to_string(), "stdin:1:1: the service moved `%s`, which has neither a name nor a number");
}

#[test]
fn an_observer_receives_equal_and_refused_entries() {
    let client = service(|_, body| {
        let is_bad = texts(body).iter().any(|text| text == "b");
        if is_bad { Err(refusal(400, Kind::Refused)) } else { with_texts(body, str::to_uppercase) }
    });
    let seen = Arc::new(ObservedEntries::default());
    let options = RunOptions { keep_going: true, observer: Some(seen.clone()), ..RunOptions::default() };
    let (_, report) = translate("||a\n||b\n||a\n", &["de"], &options, &client);
    assert_complete(&report);
    let seen = seen.0.lock().unwrap().clone();
    let mut lines: Vec<&str> = seen.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["0 0 a: A", "0 1 b! the request is refused", "0 2 a: A"]);
}
