//! Tests of the requests that are sent: order, limits, duplicates, context.

use std::sync::atomic::AtomicUsize;

use super::*;

#[derive(Default)]
struct ShownResults(AtomicUsize);

impl ResultObserver for ShownResults {
    fn result(&self, _: TargetIndex, _: &Record, _: usize, _: &EntryResult) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn refused(&self, _: TargetIndex, _: &Record, _: usize, _: &Failure) {}

    fn answered(&self, _: TargetIndex, entries: &[(&Record, u64)]) {
        assert_eq!(entries.iter().map(|(_, chars)| chars).sum::<u64>(), 2);
    }
}

type AnswerFunction = fn(usize, &Value) -> Result<Vec<Value>, Failure>;

/// A service that records the maximum number of requests whose results the observer has not received.
struct WatchedService {
    service: TestService<AnswerFunction>,
    shown: Arc<ShownResults>,
    most: Cell<usize>,
}

impl Call for WatchedService {
    async fn call(&self, request: Request) -> Result<Answer, Failure> {
        let open = self.service.sent.borrow().len() + 1 - self.shown.0.load(Ordering::Relaxed);
        self.most.set(self.most.get().max(open));
        self.service.call(request).await
    }

    fn concurrency(&self) -> usize {
        self.service.concurrency()
    }
}

#[test]
fn lines_stay_in_order_and_blank_ones_are_not_sent() {
    let mut client = service(upper);
    client.jitter = true;
    let (out, report) =
        run_stream(b"a\n\n b \r\n\t\nc", InputFormat::lines(), batch_limit(1), &RunOptions::default(), &client);
    assert_eq!(out, "<A>\n\n <B> \r\n\t\n<C>");
    assert_complete(&report);
    assert_eq!((report.entries, report.requests, report.characters), (3, 3, 3));
    assert_eq!(report.targets[0].written, 3);
}

#[test]
fn blank_input_sends_no_request() {
    for format in [InputFormat::text(), InputFormat::lines(), InputFormat::nul()] {
        for text in ["", "\n", " \r\n\t", "\u{feff}"] {
            let client = service(upper);
            let (out, report) =
                run_stream(text.as_bytes(), format.clone(), batch_limit(50), &RunOptions::default(), &client);
            assert_eq!(out, text);
            assert_eq!(report.requests, 0);
            assert_complete(&report);
        }
    }
}

#[test]
fn a_request_has_at_most_50_entries_and_concurrency_is_limited() {
    let mut client = service(upper);
    client.concurrency = 3;
    let (out, report) = run_stream(
        numbered(1020).as_bytes(),
        InputFormat::lines(),
        BatchLimit::TRANSLATE,
        &RunOptions::default(),
        &client,
    );
    assert_eq!(out.lines().count(), 1020);
    assert_eq!(report.requests, 21);
    assert!(client.sent.borrow().iter().all(|body| texts(body).len() <= 50));
    assert_eq!(client.max_in_flight.get(), 3);
}

#[test]
fn an_observer_receives_results_before_the_next_request_is_sent() {
    for jitter in [false, true] {
        let service = TestService { jitter, ..service(upper as AnswerFunction) };
        let client = WatchedService { service, shown: Arc::default(), most: Cell::new(0) };
        let options = RunOptions { observer: Some(client.shown.clone()), ..RunOptions::default() };
        let text: String = (10..70).map(|number| format!("{number}\n")).collect();
        let (_, report) = run_stream(text.as_bytes(), InputFormat::lines(), batch_limit(1), &options, &client);
        assert_eq!((report.requests, client.most.get()), (60, 4));
    }
}

#[test]
fn equal_entries_are_sent_once() {
    let client = service(upper);
    let (out, report) =
        run_stream(b"a\nb\na\na\nb\n", InputFormat::lines(), batch_limit(2), &RunOptions::default(), &client);
    assert_eq!(out, "<A>\n<B>\n<A>\n<A>\n<B>\n");
    assert_eq!(client.texts(), ["a", "b"]);
    assert_eq!((report.duplicates, report.entries), (3, 5));
}

#[test]
fn a_text_is_one_entry_and_a_long_text_is_split() {
    let client = service(upper);
    let (out, _) = run_stream(b"one\n\ntwo\n", InputFormat::text(), batch_limit(50), &RunOptions::default(), &client);
    assert_eq!(out, "<ONE\n\nTWO>\n");
    let client = service(upper);
    let limit = BatchLimit { entries: 50, bytes: 60 };
    let (out, report) =
        run_stream(b"one. two. three.\n\nfour. five.\n", InputFormat::text(), limit, &RunOptions::default(), &client);
    assert_eq!(out, "<ONE. TWO. THREE.>\n\n<FOUR. FIVE.>\n");
    assert!(report.requests >= 2);
}

#[test]
fn the_request_that_would_exceed_max_characters_is_not_sent() {
    let client = service(upper);
    let options = RunOptions { max_characters: Some(9), ..RunOptions::default() };
    let (out, report) =
        run_stream("éa\nbb\ncc\ndd\nee\n".as_bytes(), InputFormat::lines(), batch_limit(2), &options, &client);
    assert_eq!(out, "<ÉA>\n<BB>\n<CC>\n<DD>\n");
    assert_eq!(report.characters, 8);
    assert_eq!(report.targets[0].failure.clone().unwrap().kind, Kind::Quota);
}

#[test]
fn context_lines_precede_the_first_entry() {
    let client = service(upper);
    let options = RunOptions { context_lines: 2, ..RunOptions::default() };
    let mut job = job("de", batch_limit(2));
    job.context = Some("fixed".to_owned());
    let out = SharedOutput::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
    let input = PipelineInput::new(pipe(b"a\nb\nc\nd\na\n", 100), InputFormat::lines());
    let report = block_on(run(input, &[job], vec![sink], &options, &client, &Stop::default()));
    assert_complete(&report);
    let sent = client.sent.borrow();
    let contexts: Vec<_> = sent.iter().map(|body| body["context"].as_str().unwrap().to_owned()).collect();
    assert_eq!(contexts, ["fixed", "fixed\na\nb", "fixed\nc\nd"]);
    assert_eq!(texts(&sent[2]), ["a"], "an equal entry with another context is sent again");
}

#[test]
fn an_idle_input_sends_the_entries_read_so_far() {
    let client = service(upper);
    let out = SharedOutput::default();
    let waiting = WaitingReader::new(&[b"a\nb", b"c\n", b"d\n"], &out);
    let input = PipelineInput::new(Source::reader("stdin", Box::new(waiting)), InputFormat::lines());
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
    let report = block_on(run(
        input,
        &[job("de", batch_limit(50))],
        vec![sink],
        &RunOptions::default(),
        &client,
        &Stop::default(),
    ));
    assert_complete(&report);
    assert_eq!(out.text(), "<A>\n<BC>\n<D>\n");
    assert_eq!(report.requests, 3, "each line left when the input idled");
}

#[test]
fn a_dry_run_passes_every_request_to_the_client_and_writes_nothing() {
    let client = service(|_, _| Ok(Vec::new()));
    let options = RunOptions { dry_run: true, ..RunOptions::default() };
    let (out, report) = run_stream(numbered(120).as_bytes(), InputFormat::lines(), batch_limit(50), &options, &client);
    assert_eq!((out.as_str(), report.requests), ("", 3));
    assert!(report.ended_by.is_none());
}
