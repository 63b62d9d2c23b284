//! Tests of the complete pipeline, with a function as the service.

#![allow(clippy::format_collect, clippy::single_match_else)] // small data, and both cases matter equally

mod cache;
mod failures;
mod listings;
mod properties;
mod requests;
mod restore;
mod resume;
mod slot_requests;
mod stops;

use std::cell::{Cell, RefCell};
use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use tulk_base::error::{Kind, ServiceError};
use tulk_base::stop::Stop;
use tulk_client::http::path::Path as UrlPath;
use tulk_client::http::request::Method;
use tulk_formats::{ResultColumns, results};

use super::*;

/// A service made from a function that maps a body to results or a failure.
struct TestService<F> {
    answer: F,
    sent: RefCell<Vec<Value>>,
    sizes: RefCell<Vec<usize>>,
    in_flight: Cell<usize>,
    max_in_flight: Cell<usize>,
    concurrency: usize,
    /// Whether responses arrive out of order.
    jitter: bool,
}

fn service<F: Fn(usize, &Value) -> Result<Vec<Value>, Failure>>(answer: F) -> TestService<F> {
    TestService {
        answer,
        sent: RefCell::default(),
        sizes: RefCell::default(),
        in_flight: Cell::new(0),
        max_in_flight: Cell::new(0),
        concurrency: 4,
        jitter: false,
    }
}

impl<F> TestService<F> {
    fn texts(&self) -> Vec<String> {
        let sent = self.sent.borrow();
        sent.iter().flat_map(texts).collect()
    }
}

impl<F: Fn(usize, &Value) -> Result<Vec<Value>, Failure>> Call for TestService<F> {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let tulk_client::http::request::RequestBody::Json(body) = request.body else { panic!("no JSON body") };
        let value: Value = serde_json::from_slice(&body).unwrap();
        self.sizes.borrow_mut().push(body.len());
        let number = self.sent.borrow().len();
        self.sent.borrow_mut().push(value.clone());
        self.in_flight.set(self.in_flight.get() + 1);
        self.max_in_flight.set(self.max_in_flight.get().max(self.in_flight.get()));
        let yields = if self.jitter { (number * 7) % 5 } else { 1 };
        for _ in 0..yields {
            tokio::task::yield_now().await;
        }
        self.in_flight.set(self.in_flight.get() - 1);
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
fn with_texts(body: &Value, change: impl Fn(&str) -> String) -> Result<Vec<Value>, Failure> {
    Ok(texts(body).iter().map(|text| json!({"detected_source_language": "EN", "text": change(text)})).collect())
}

fn echo(_: usize, body: &Value) -> Result<Vec<Value>, Failure> {
    with_texts(body, str::to_owned)
}

fn upper(_: usize, body: &Value) -> Result<Vec<Value>, Failure> {
    with_texts(body, |text| format!("<{}>", text.to_uppercase()))
}

fn refusal(status: u16, kind: Kind) -> Failure {
    Failure::new(kind, "the request is refused")
        .service(ServiceError { status: Some(status), ..ServiceError::default() })
}

#[derive(Clone, Default)]
struct SharedOutput(Arc<Mutex<Vec<u8>>>);

impl Write for SharedOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl SharedOutput {
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
        keeps_objects: false,
        shows_billed: false,
        key_scope: None,
    }
}

fn batch_limit(entries: usize) -> BatchLimit {
    BatchLimit { entries, bytes: 131_072 }
}

/// Returns a few bytes per read.
struct SlowReader(Cursor<Vec<u8>>, usize);

impl Read for SlowReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let step = self.1.min(into.len());
        self.0.read(&mut into[..step])
    }
}

fn pipe(bytes: &[u8], step: usize) -> Source {
    Source::reader("stdin", Box::new(SlowReader(Cursor::new(bytes.to_vec()), step)))
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Runs one target with one stream.
fn run_stream(
    bytes: &[u8],
    format: InputFormat,
    limit: BatchLimit,
    options: &RunOptions,
    client: &impl Call,
) -> (String, PipelineReport) {
    let (out, report) = run_stream_bytes(bytes, 1 << 20, format, limit, options, client);
    (String::from_utf8(out).unwrap(), report)
}

fn run_stream_bytes(
    bytes: &[u8],
    step: usize,
    format: InputFormat,
    limit: BatchLimit,
    options: &RunOptions,
    client: &impl Call,
) -> (Vec<u8>, PipelineReport) {
    run_job(pipe(bytes, step), format, job("de", limit), options, client)
}

fn run_job(
    source: Source,
    format: InputFormat,
    job: Job,
    options: &RunOptions,
    client: &impl Call,
) -> (Vec<u8>, PipelineReport) {
    let out = SharedOutput::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: format.writer(&[]), to: out.to() };
    let input = PipelineInput::new(source, format);
    let report = block_on(run(input, &[job], vec![sink], options, client, &Stop::default()));
    (out.bytes(), report)
}

fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line {n}\n")).collect()
}

fn assert_complete(report: &PipelineReport) {
    assert!(report.ended_by.is_none(), "{:?}", report.ended_by);
    for target in &report.targets {
        assert!(target.failure.is_none(), "{:?}", target.failure);
        assert!(target.next.is_none(), "{:?}", target.next);
    }
}

/// Returns the next part of the input when all complete lines of the earlier parts have been written to the output.
struct WaitingReader {
    parts: Vec<Vec<u8>>,
    lines: usize,
    out: SharedOutput,
}

impl WaitingReader {
    fn new(parts: &[&[u8]], out: &SharedOutput) -> Self {
        Self { parts: parts.iter().map(|part| part.to_vec()).collect(), lines: 0, out: out.clone() }
    }
}

impl Read for WaitingReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.parts.is_empty() {
            return Ok(0);
        }
        let deadline = std::time::Instant::now() + Duration::from_secs(30);
        while self.out.text().lines().count() < self.lines {
            assert!(std::time::Instant::now() < deadline, "line {} is not written", self.lines);
            std::thread::sleep(Duration::from_millis(5));
        }
        let part = self.parts.remove(0);
        self.lines += memchr::memchr_iter(b'\n', &part).count();
        into[..part.len()].copy_from_slice(&part);
        Ok(part.len())
    }
}
