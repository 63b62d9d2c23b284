//! The whole engine with a function as the service: order, limits, failures, going on.

#![allow(clippy::format_collect, clippy::single_match_else)] // small data, and both cases matter alike

mod properties;
mod resume;

use std::cell::{Cell, RefCell};
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use super::*;
use crate::error::{Kind, ServiceError};
use crate::formats::{ResultColumns, results};
use crate::http::path::Path as UrlPath;
use crate::http::request::Method;
use crate::stop::Stop;

/// A service made of a function from a body to results or a failure.
struct Service<F> {
    answer: F,
    sent: RefCell<Vec<Value>>,
    sizes: RefCell<Vec<usize>>,
    flying: Cell<usize>,
    most: Cell<usize>,
    concurrency: usize,
    /// Answers in a mixed order.
    jitter: bool,
}

fn service<F: Fn(usize, &Value) -> Result<Vec<Value>, Failure>>(answer: F) -> Service<F> {
    Service {
        answer,
        sent: RefCell::default(),
        sizes: RefCell::default(),
        flying: Cell::new(0),
        most: Cell::new(0),
        concurrency: 4,
        jitter: false,
    }
}

impl<F> Service<F> {
    fn texts(&self) -> Vec<String> {
        let sent = self.sent.borrow();
        sent.iter().flat_map(texts).collect()
    }
}

impl<F: Fn(usize, &Value) -> Result<Vec<Value>, Failure>> Call for Service<F> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let crate::http::request::RequestBody::Json(body) = request.body else { panic!("no JSON body") };
        let value: Value = serde_json::from_slice(&body).unwrap();
        self.sizes.borrow_mut().push(body.len());
        let number = self.sent.borrow().len();
        self.sent.borrow_mut().push(value.clone());
        self.flying.set(self.flying.get() + 1);
        self.most.set(self.most.get().max(self.flying.get()));
        let yields = if self.jitter { (number * 7) % 5 } else { 1 };
        for _ in 0..yields {
            tokio::task::yield_now().await;
        }
        self.flying.set(self.flying.get() - 1);
        let results = (self.answer)(number, &value)?;
        let body = json!({ "translations": results }).to_string().into();
        Ok(Answer::new(200, HeaderMap::new(), body))
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }
}

fn texts(body: &Value) -> Vec<String> {
    body["text"].as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned()).collect()
}

#[allow(clippy::unnecessary_wraps)] // the type of a service's function
fn with(body: &Value, change: impl Fn(&str) -> String) -> Result<Vec<Value>, Failure> {
    Ok(texts(body).iter().map(|text| json!({"detected_source_language": "EN", "text": change(text)})).collect())
}

fn echo(_: usize, body: &Value) -> Result<Vec<Value>, Failure> {
    with(body, str::to_owned)
}

fn upper(_: usize, body: &Value) -> Result<Vec<Value>, Failure> {
    with(body, |text| format!("<{}>", text.to_uppercase()))
}

fn refused(status: u16, kind: Kind) -> Failure {
    Failure::new(kind, "the service says no").service(ServiceError { status: Some(status), ..ServiceError::default() })
}

#[derive(Clone, Default)]
struct Out(Arc<Mutex<Vec<u8>>>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Out {
    fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }
    fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }
    fn to(&self) -> Destination {
        Destination::stream("stdout", Box::new(self.clone()))
    }
}

fn job(target: &str, limit: BatchLimit) -> Job {
    Job {
        target: target.to_owned(),
        request: Request::new(Method::POST, UrlPath::fill("/v2/translate", &[]).unwrap()),
        options: json!({ "target_lang": target.to_uppercase() }).to_string(),
        context: None,
        limit,
        parse_results: answer::parse,
    }
}

fn few(entries: usize) -> BatchLimit {
    BatchLimit { entries, bytes: 131_072 }
}

/// Gives a few bytes a read.
struct Drip(Cursor<Vec<u8>>, usize);

impl Read for Drip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let step = self.1.min(into.len());
        self.0.read(&mut into[..step])
    }
}

fn pipe(bytes: &[u8], step: usize) -> Source {
    Source::reader("stdin", Box::new(Drip(Cursor::new(bytes.to_vec()), step)))
}

fn block<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// One target to one stream.
fn simple(
    bytes: &[u8],
    format: InputFormat,
    limit: BatchLimit,
    options: &RunOptions,
    client: &impl Call,
) -> (String, PipelineReport) {
    let (out, report) = raw(bytes, 1 << 20, format, limit, options, client);
    (String::from_utf8(out).unwrap(), report)
}

fn raw(
    bytes: &[u8],
    step: usize,
    format: InputFormat,
    limit: BatchLimit,
    options: &RunOptions,
    client: &impl Call,
) -> (Vec<u8>, PipelineReport) {
    let out = Out::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: format.writer(), to: out.to() };
    let input = PipelineInput { source: pipe(bytes, step), format };
    let report = block(run(input, &[job("de", limit)], vec![sink], options, client, &Stop::default()));
    (out.bytes(), report)
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

fn ok(report: &PipelineReport) {
    assert!(report.ended_by.is_none(), "{:?}", report.ended_by);
    for target in &report.targets {
        assert!(target.failure.is_none(), "{:?}", target.failure);
        assert!(target.next.is_none(), "{:?}", target.next);
    }
}

#[test]
fn lines_stay_in_order_and_blank_ones_are_not_sent() {
    let mut client = service(upper);
    client.jitter = true;
    let (out, report) = simple(b"a\n\n b \r\n\t\nc", InputFormat::Lines, few(1), &RunOptions::default(), &client);
    assert_eq!(out, "<A>\n\n <B> \r\n\t\n<C>");
    ok(&report);
    assert_eq!((report.entries, report.requests, report.characters), (3, 3, 3));
    assert_eq!(report.targets[0].written, 3);
}

#[test]
fn blank_input_makes_no_request() {
    for format in [InputFormat::Text, InputFormat::Lines, InputFormat::Nul] {
        for text in ["", "\n", " \r\n\t", "\u{feff}"] {
            let client = service(upper);
            let (out, report) = simple(text.as_bytes(), format.clone(), few(50), &RunOptions::default(), &client);
            assert_eq!(out, text);
            assert_eq!(report.requests, 0);
            ok(&report);
        }
    }
}

#[test]
fn fifty_entries_a_request_and_no_more_in_flight_than_asked() {
    let mut client = service(upper);
    client.concurrency = 3;
    let (out, report) =
        simple(numbered(1020).as_bytes(), InputFormat::Lines, BatchLimit::TRANSLATE, &RunOptions::default(), &client);
    assert_eq!(out.lines().count(), 1020);
    assert_eq!(report.requests, 21);
    assert!(client.sent.borrow().iter().all(|body| texts(body).len() <= 50));
    assert_eq!(client.most.get(), 3);
}

#[test]
fn equal_entries_are_sent_once() {
    let client = service(upper);
    let (out, report) = simple(b"a\nb\na\na\nb\n", InputFormat::Lines, few(2), &RunOptions::default(), &client);
    assert_eq!(out, "<A>\n<B>\n<A>\n<A>\n<B>\n");
    assert_eq!(client.texts(), ["a", "b"]);
    assert_eq!((report.duplicates, report.entries), (3, 5));
}

#[test]
fn a_whole_text_is_one_entry_and_a_long_one_is_cut() {
    let client = service(upper);
    let (out, _) = simple(b"one\n\ntwo\n", InputFormat::Text, few(50), &RunOptions::default(), &client);
    assert_eq!(out, "<ONE\n\nTWO>\n");
    let client = service(upper);
    let limit = BatchLimit { entries: 50, bytes: 60 };
    let (out, report) =
        simple(b"one. two. three.\n\nfour. five.\n", InputFormat::Text, limit, &RunOptions::default(), &client);
    assert_eq!(out, "<ONE. TWO. THREE.>\n\n<FOUR. FIVE.>\n");
    assert!(report.requests >= 2);
}

#[test]
fn too_few_or_too_many_results_fail_the_batch_and_shift_nothing() {
    for wrong in [1, 3] {
        let client = service(
            |number, body| {
                if number == 1 { Ok(vec![json!({"text": "x"}); wrong]) } else { upper(number, body) }
            },
        );
        let (out, report) = simple(b"a\nb\nc\nd\ne\nf\n", InputFormat::Lines, few(2), &RunOptions::default(), &client);
        assert_eq!(out, "<A>\n<B>\n");
        let failure = report.targets[0].failure.clone().unwrap();
        assert_eq!(failure.kind, Kind::Network);
        assert!(failure.what.contains(&format!("{wrong} results for 2 entries")), "{failure}");
        assert_eq!(report.targets[0].next.clone().unwrap().line, 3);
    }
}

#[test]
fn a_refused_batch_stops_the_run_and_names_its_lines() {
    let client =
        service(|number, body| if number == 1 { Err(refused(400, Kind::Refused)) } else { upper(number, body) });
    let (out, report) = simple(numbered(40).as_bytes(), InputFormat::Lines, few(2), &RunOptions::default(), &client);
    assert_eq!(out, "<LINE 1>\n<LINE 2>\n");
    let target = &report.targets[0];
    let failure = target.failure.clone().unwrap();
    assert!(failure.to_string().starts_with("stdin:3: the service says no"), "{failure}");
    assert!(failure.what.contains("stdin:4"), "{failure}");
    assert_eq!((target.written, target.next.clone().unwrap().line), (2, 3));
    assert_eq!(target.unwritten, 4, "two requests were in flight behind it");
    assert_eq!(report.requests, 4);
}

#[test]
fn keep_going_finds_the_guilty_entry_and_passes_it_through() {
    let client = service(|number, body| {
        if texts(body).iter().any(|t| t == "line 7") { Err(refused(400, Kind::Refused)) } else { upper(number, body) }
    });
    let options = RunOptions { keep_going: true, ..RunOptions::default() };
    let (out, report) = simple(numbered(20).as_bytes(), InputFormat::Lines, few(10), &options, &client);
    let expected: String =
        (1..=20).map(|n| if n == 7 { "line 7\n".to_owned() } else { format!("<LINE {n}>\n") }).collect();
    assert_eq!(out, expected);
    ok(&report);
    assert_eq!(report.refused.len(), 1);
    assert_eq!(report.refused[0].origin.to_string(), "stdin:7");
    assert_eq!(report.characters, 20 * 6 + 11, "halves are not counted again");
}

#[test]
fn repeats_of_a_guilty_entry_pass_through_too_and_are_listed() {
    let client = service(|number, body| {
        if texts(body).iter().any(|t| t == "bad") { Err(refused(400, Kind::Refused)) } else { upper(number, body) }
    });
    let options = RunOptions { keep_going: true, ..RunOptions::default() };
    let text = format!("bad\na\nbad\n{}bad\n", numbered(600));
    let (out, report) = simple(text.as_bytes(), InputFormat::Lines, few(2), &options, &client);
    assert_eq!(out.lines().filter(|line| *line == "bad").count(), 3);
    let lines: Vec<u64> = report.refused.iter().map(|f| f.origin.line).collect();
    assert_eq!(lines, [1, 3, 604]);
    assert_eq!(client.texts().iter().filter(|t| *t == "bad").count(), 2, "in its batch and alone");
}

#[test]
fn no_request_starts_after_401_and_456() {
    for (status, kind) in [(401, Kind::Key), (456, Kind::Quota)] {
        let mut client =
            service(move |number, body| if number == 2 { Err(refused(status, kind)) } else { upper(number, body) });
        client.concurrency = 1;
        let (out, report) =
            simple(numbered(40).as_bytes(), InputFormat::Lines, few(2), &RunOptions::default(), &client);
        assert_eq!(out.lines().count(), 4);
        assert_eq!(report.requests, 3);
        assert_eq!(report.targets[0].failure.clone().unwrap().kind, kind);
    }
}

#[test]
fn the_request_that_would_pass_max_characters_is_not_sent() {
    let client = service(upper);
    let options = RunOptions { max_characters: Some(9), ..RunOptions::default() };
    let (out, report) = simple("éa\nbb\ncc\ndd\nee\n".as_bytes(), InputFormat::Lines, few(2), &options, &client);
    assert_eq!(out, "<ÉA>\n<BB>\n<CC>\n<DD>\n");
    assert_eq!(report.characters, 8);
    assert_eq!(report.targets[0].failure.clone().unwrap().kind, Kind::Quota);
}

#[test]
fn context_lines_are_those_before_the_first_entry() {
    let client = service(upper);
    let options = RunOptions { context_lines: 2, ..RunOptions::default() };
    let mut job = job("de", few(2));
    job.context = Some("fixed".to_owned());
    let out = Out::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Lines.writer(), to: out.to() };
    let input = PipelineInput { source: pipe(b"a\nb\nc\nd\na\n", 100), format: InputFormat::Lines };
    let report = block(run(input, &[job], vec![sink], &options, &client, &Stop::default()));
    ok(&report);
    let sent = client.sent.borrow();
    let contexts: Vec<_> = sent.iter().map(|body| body["context"].as_str().unwrap().to_owned()).collect();
    assert_eq!(contexts, ["fixed", "fixed\na\nb", "fixed\nc\nd"]);
    assert_eq!(texts(&sent[2]), ["a"], "an equal entry with another context is sent again");
}

fn two_targets(bytes: &[u8], client: &impl Call) -> ([String; 2], PipelineReport) {
    let outs = [Out::default(), Out::default()];
    let sinks = outs.iter().enumerate();
    let sinks = sinks
        .map(|(i, out)| Sink { targets: vec![TargetIndex(i)], writer: InputFormat::Lines.writer(), to: out.to() })
        .collect();
    let input = PipelineInput { source: pipe(bytes, 100), format: InputFormat::Lines };
    let jobs = [job("de", few(2)), job("fr", few(2))];
    let report = block(run(input, &jobs, sinks, &RunOptions::default(), client, &Stop::default()));
    (outs.map(|out| out.text()), report)
}

#[test]
fn one_targets_failure_does_not_stop_the_other() {
    let client =
        service(
            |number, body| {
                if body["target_lang"] == "FR" { Err(refused(404, Kind::NotFound)) } else { upper(number, body) }
            },
        );
    let ([de, fr], report) = two_targets(numbered(30).as_bytes(), &client);
    assert_eq!((de.lines().count(), fr.as_str()), (30, ""));
    assert!(report.targets[0].failure.is_none());
    assert_eq!(report.targets[1].failure.clone().unwrap().kind, Kind::NotFound);
    assert_eq!(report.targets[1].next.clone().unwrap().line, 1);
}

#[test]
fn a_bad_record_later_in_a_pipe_ends_partly_after_what_precedes_it() {
    let text = [numbered(20).as_bytes(), b"bad \xff\nmore\n"].concat();
    let client = service(upper);
    let slow = Source::reader("stdin", Box::new(Paused(vec![text[..100].to_vec(), text[100..].to_vec()])));
    let out = Out::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Lines.writer(), to: out.to() };
    let input = PipelineInput { source: slow, format: InputFormat::Lines };
    let report = block(run(input, &[job("de", few(2))], vec![sink], &RunOptions::default(), &client, &Stop::default()));
    let ended = report.ended_by.unwrap();
    assert_eq!(ended.kind, Kind::Partly);
    assert_eq!(ended.at.unwrap().line, 21);
    assert_eq!(out.text().lines().count(), 20);
}

#[test]
fn a_fault_before_anything_was_sent_sends_nothing() {
    let client = service(upper);
    let (out, report) = raw(b"a\nb\n\xff", 2, InputFormat::Lines, few(50), &RunOptions::default(), &client);
    assert_eq!(report.ended_by.unwrap().kind, Kind::Usage);
    assert_eq!((report.requests, out.len()), (0, 0));
}

/// Gives parts with pauses between them.
struct Paused(Vec<Vec<u8>>);

impl Read for Paused {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Ok(0);
        }
        let part = self.0.remove(0);
        into[..part.len()].copy_from_slice(&part);
        std::thread::sleep(Duration::from_millis(300));
        Ok(part.len())
    }
}

#[test]
fn an_idle_input_sends_what_it_has() {
    let client = service(upper);
    let input = PipelineInput {
        source: Source::reader("stdin", Box::new(Paused(vec![b"a\nb".to_vec(), b"c\n".to_vec(), b"d\n".to_vec()]))),
        format: InputFormat::Lines,
    };
    let out = Out::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Lines.writer(), to: out.to() };
    let report =
        block(run(input, &[job("de", few(50))], vec![sink], &RunOptions::default(), &client, &Stop::default()));
    ok(&report);
    assert_eq!(out.text(), "<A>\n<BC>\n<D>\n");
    assert_eq!(report.requests, 3, "each line left when the input idled");
}

#[test]
fn files_are_scanned_whole_before_the_first_request() {
    let dir = tempfile::tempdir().unwrap();
    let (good, bad) = (dir.path().join("good"), dir.path().join("bad"));
    std::fs::write(&good, numbered(500)).unwrap();
    std::fs::write(&bad, format!("{}\n", "x".repeat(200))).unwrap();
    let client = service(upper);
    let limit = BatchLimit { entries: 50, bytes: 150 };
    let go = |check: bool| {
        let out = Out::default();
        let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Lines.writer(), to: out.to() };
        let input = PipelineInput { source: Source::files([&good, &bad]).unwrap(), format: InputFormat::Lines };
        let options = RunOptions { check, ..RunOptions::default() };
        (block(run(input, &[job("de", limit)], vec![sink], &options, &client, &Stop::default())), out)
    };
    let (report, _) = go(true);
    let failure = report.ended_by.unwrap();
    assert_eq!((failure.kind, report.requests), (Kind::Usage, 0));
    assert!(failure.to_string().contains("bad:1: "), "{failure}");
    let (report, out) = go(false);
    ok(&report);
    assert_eq!(out.text().lines().count(), 501);
}

#[test]
fn a_signal_lets_the_flight_land_and_keeps_what_is_in_order() {
    let stop = Stop::default();
    let raised = stop.clone();
    let client = service(move |number, body| {
        if number == 3 {
            raised.raise(Kind::Interrupted);
        }
        upper(number, body)
    });
    let out = Out::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Lines.writer(), to: out.to() };
    let input = PipelineInput { source: pipe(numbered(1000).as_bytes(), 4096), format: InputFormat::Lines };
    let report = block(run(input, &[job("de", few(2))], vec![sink], &RunOptions::default(), &client, &stop));
    assert_eq!(report.ended_by.unwrap().kind, Kind::Interrupted);
    assert!(report.requests < 20, "{}", report.requests);
    assert_eq!(out.text().lines().count() as u64, report.requests * 2);
    assert_eq!(report.targets[0].next.clone().unwrap().line, report.requests * 2 + 1);
}

#[test]
fn a_signal_does_not_wait_for_answers_that_do_not_come() {
    struct Never(Stop);
    impl Call for Never {
        async fn call(&self, _: Request) -> Result<Answer, Failure> {
            self.0.raise(Kind::Terminated);
            std::future::pending().await
        }
        fn concurrency(&self) -> usize {
            2
        }
    }
    let stop = Stop::default();
    let began = std::time::Instant::now();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Text.writer(), to: Out::default().to() };
    let input = PipelineInput { source: pipe(b"a", 1), format: InputFormat::Text };
    let client = Never(stop.clone());
    let report = block(run(input, &[job("de", few(2))], vec![sink], &RunOptions::default(), &client, &stop));
    assert_eq!(report.ended_by.unwrap().kind, Kind::Terminated);
    assert!(began.elapsed() < Duration::from_millis(3500), "{:?}", began.elapsed());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let client = service(upper);
    let to = Destination::stream("stdout", Box::new(Closed));
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::Lines.writer(), to };
    let input = PipelineInput { source: pipe(numbered(20_000).as_bytes(), 4096), format: InputFormat::Lines };
    let report = block(run(input, &[job("de", few(2))], vec![sink], &RunOptions::default(), &client, &Stop::default()));
    assert_eq!(report.ended_by.unwrap().kind, Kind::PipeClosed);
    assert!(report.requests < 10_000, "{}", report.requests);
}

#[test]
fn a_dry_run_shows_every_request_and_writes_nothing() {
    let client = service(|_, _| Ok(Vec::new()));
    let options = RunOptions { dry_run: true, ..RunOptions::default() };
    let (out, report) = simple(numbered(120).as_bytes(), InputFormat::Lines, few(50), &options, &client);
    assert_eq!((out.as_str(), report.requests), ("", 3));
    assert!(report.ended_by.is_none());
}

fn listed(
    bytes: &[u8],
    format: InputFormat,
    limit: BatchLimit,
    targets: &[&str],
    writer: impl Fn(&[String]) -> Box<dyn ResultWriter>,
) -> String {
    let names: Vec<String> = targets.iter().map(|t| (*t).to_owned()).collect();
    let jobs: Vec<Job> =
        targets.iter().map(|t| Job { parse_results: answer::parse_with_objects, ..job(t, limit) }).collect();
    let out = Out::default();
    let sink = Sink { targets: TargetIndex::all(jobs.len()), writer: writer(&names), to: out.to() };
    let client = service(upper);
    let input = PipelineInput { source: pipe(bytes, 100), format };
    ok(&block(run(input, &jobs, vec![sink], &RunOptions::default(), &client, &Stop::default())));
    out.text()
}

#[test]
fn json_lists_the_services_objects() {
    let format = InputFormat::Lines;
    let one = listed(b"a\n\nb\n", format.clone(), few(1), &["de"], |t| results::json("translations", t));
    let object = |text: &str| format!(r#"{{"detected_source_language":"EN","text":"{text}"}}"#);
    assert_eq!(one, format!("{{\"translations\":[{},{}]}}\n", object("<A>"), object("<B>")));
    let none = listed(b"", format.clone(), few(1), &["de"], |t| results::json("translations", t));
    assert_eq!(none, "{\"translations\":[]}\n");
    let two = listed(b"a\n", format, few(1), &["de", "fr"], |t| results::json("translations", t));
    let list = |lang: &str| format!("{{\"target_lang\":\"{lang}\",\"translations\":[{}]}}", object("<A>"));
    assert_eq!(two, format!("[{},{}]\n", list("de"), list("fr")));
}

#[test]
fn jsonl_has_entry_and_target() {
    let out = listed(b"a\n\nb\n", InputFormat::Lines, few(5), &["de", "fr"], |t| results::jsonl(t));
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0], json!({"entry": 1, "target_lang": "de", "detected_source_language": "EN", "text": "<A>"}));
    assert_eq!(lines[3], json!({"entry": 3, "target_lang": "fr", "detected_source_language": "EN", "text": "<B>"}));
}

#[test]
fn a_cut_text_is_one_result_in_every_listing() {
    let text = "one. two. three.\n\nfour. five.\n";
    let limit = BatchLimit { entries: 50, bytes: 60 };
    let joined = "<ONE. TWO. THREE.>\n\n<FOUR. FIVE.>";
    let object = json!({"detected_source_language": "EN", "text": joined});
    let read = |out: String| -> Value { serde_json::from_str(&out).unwrap() };
    let format = InputFormat::Text;
    let one = read(listed(text.as_bytes(), format.clone(), limit, &["de"], |t| results::json("translations", t)));
    assert_eq!(one, json!({"translations": [object]}));
    let two = read(listed(text.as_bytes(), format.clone(), limit, &["de", "fr"], |t| results::json("translations", t)));
    assert_eq!(two[1], json!({"target_lang": "fr", "translations": [object]}));
    let rows = listed(text.as_bytes(), format.clone(), limit, &["de", "fr"], |t| {
        results::rows(t, &InputFormat::Text, true, ResultColumns::default())
    });
    let cell = joined.replace('\n', "\\n");
    assert_eq!(rows, format!("target_lang\ttext\nde\t{cell}\nfr\t{cell}\n"));
    let lines = listed(text.as_bytes(), format, limit, &["de", "fr"], |t| results::jsonl(t));
    let second: Value = serde_json::from_str(lines.lines().nth(1).unwrap()).unwrap();
    let expected = json!({"entry": 1, "target_lang": "fr", "detected_source_language": "EN", "text": joined});
    assert_eq!(second, expected);
}
