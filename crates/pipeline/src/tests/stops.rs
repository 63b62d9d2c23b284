//! Tests of signals and closed pipes.

use super::*;

#[test]
fn after_a_signal_requests_in_flight_are_answered_and_written_in_order() {
    let stop = Stop::default();
    let raised = stop.clone();
    let client = service(move |number, body| {
        if number == 3 {
            raised.raise(Kind::Interrupted);
        }
        upper(number, body)
    });
    let out = SharedOutput::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
    let input = PipelineInput::new(pipe(numbered(1000).as_bytes(), 4096), InputFormat::lines());
    let report = block_on(run(input, &[job("de", batch_limit(2))], vec![sink], &RunOptions::default(), &client, &stop));
    assert_eq!(report.ended_by.unwrap().kind, Kind::Interrupted);
    assert!(report.requests < 20, "{}", report.requests);
    assert_eq!(out.text().lines().count() as u64, report.requests * 2);
    assert_eq!(report.targets[0].next.clone().unwrap().line, report.requests * 2 + 1);
}

#[test]
fn after_a_signal_the_wait_for_answers_is_limited() {
    struct UnansweringService(Stop);
    impl Call for UnansweringService {
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
    let sink = Sink {
        targets: TargetIndex::all(1),
        writer: InputFormat::text().writer(&[]),
        to: SharedOutput::default().to(),
    };
    let input = PipelineInput::new(pipe(b"a", 1), InputFormat::text());
    let client = UnansweringService(stop.clone());
    let report = block_on(run(input, &[job("de", batch_limit(2))], vec![sink], &RunOptions::default(), &client, &stop));
    assert_eq!(report.ended_by.unwrap().kind, Kind::Terminated);
    assert!(began.elapsed() < tulk_base::limits::STOP_TIMEOUT + Duration::from_secs(10), "{:?}", began.elapsed());
}

#[test]
fn a_closed_pipe_ends_the_run_without_an_error() {
    struct ClosedPipe;
    impl Write for ClosedPipe {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let client = service(upper);
    let to = Destination::stream("stdout", Box::new(ClosedPipe));
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to };
    let input = PipelineInput::new(pipe(numbered(20_000).as_bytes(), 4096), InputFormat::lines());
    let report = block_on(run(
        input,
        &[job("de", batch_limit(2))],
        vec![sink],
        &RunOptions::default(),
        &client,
        &Stop::default(),
    ));
    assert_eq!(report.ended_by.unwrap().kind, Kind::PipeClosed);
    assert!(report.requests < 10_000, "{}", report.requests);
}
