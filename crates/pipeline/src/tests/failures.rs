//! Tests of failures of the service and faults in the input.

use super::*;

#[test]
fn a_wrong_number_of_results_fails_the_batch() {
    for wrong in [1, 3] {
        let client = service(
            |number, body| {
                if number == 1 { Ok(vec![json!({"text": "x"}); wrong]) } else { upper(number, body) }
            },
        );
        let (out, report) =
            run_stream(b"a\nb\nc\nd\ne\nf\n", InputFormat::lines(), batch_limit(2), &RunOptions::default(), &client);
        assert_eq!(out, "<A>\n<B>\n");
        let failure = report.targets[0].failure.clone().unwrap();
        assert_eq!(failure.kind, Kind::Network);
        assert!(
            failure.what.contains(&format!("{} for 2 texts", tulk_base::numbers::counted(wrong, "result"))),
            "{failure}"
        );
        assert_eq!(report.targets[0].next.clone().unwrap().line, 3);
    }
}

#[test]
fn a_refused_batch_stops_the_run_and_names_its_lines() {
    let client =
        service(|number, body| if number == 1 { Err(refusal(400, Kind::Refused)) } else { upper(number, body) });
    let (out, report) =
        run_stream(numbered(40).as_bytes(), InputFormat::lines(), batch_limit(2), &RunOptions::default(), &client);
    assert_eq!(out, "<LINE 1>\n<LINE 2>\n");
    let target = &report.targets[0];
    let failure = target.failure.clone().unwrap();
    assert!(failure.to_string().starts_with("stdin:3:1: the request is refused"), "{failure}");
    assert!(failure.what.contains("stdin:4"), "{failure}");
    assert_eq!((target.written, target.next.clone().unwrap().line), (2, 3));
    assert_eq!(target.unwritten, 4, "two requests were in flight behind it");
    assert_eq!(report.requests, 4);
}

#[test]
fn keep_going_finds_the_refused_entry_and_copies_it() {
    let client = service(|number, body| {
        if texts(body).iter().any(|t| t == "line 7") { Err(refusal(400, Kind::Refused)) } else { upper(number, body) }
    });
    let options = RunOptions { keep_going: true, ..RunOptions::default() };
    let (out, report) = run_stream(numbered(20).as_bytes(), InputFormat::lines(), batch_limit(10), &options, &client);
    let expected: String =
        (1..=20).map(|n| if n == 7 { "line 7\n".to_owned() } else { format!("<LINE {n}>\n") }).collect();
    assert_eq!(out, expected);
    assert_complete(&report);
    assert_eq!(report.refused.len(), 1);
    assert_eq!(report.refused[0].origin.to_string(), "stdin:7:1");
    assert_eq!(report.characters, 20 * 6 + 11, "halves are not counted again");
}

#[test]
fn duplicates_of_a_refused_entry_are_copied_and_listed_too() {
    let client = service(|number, body| {
        if texts(body).iter().any(|t| t == "bad") { Err(refusal(400, Kind::Refused)) } else { upper(number, body) }
    });
    let options = RunOptions { keep_going: true, ..RunOptions::default() };
    let text = format!("bad\na\nbad\n{}bad\n", numbered(600));
    let (out, report) = run_stream(text.as_bytes(), InputFormat::lines(), batch_limit(2), &options, &client);
    assert_eq!(out.lines().filter(|line| *line == "bad").count(), 3);
    let lines: Vec<u64> = report.refused.iter().map(|f| f.origin.line).collect();
    assert_eq!(lines, [1, 3, 604]);
    assert_eq!(client.texts().iter().filter(|t| *t == "bad").count(), 2, "in its batch and alone");
}

#[test]
fn no_request_starts_after_401_and_456() {
    for (status, kind) in [(401, Kind::Key), (456, Kind::Quota)] {
        let mut client =
            service(move |number, body| if number == 2 { Err(refusal(status, kind)) } else { upper(number, body) });
        client.concurrency = 1;
        let (out, report) =
            run_stream(numbered(40).as_bytes(), InputFormat::lines(), batch_limit(2), &RunOptions::default(), &client);
        assert_eq!(out.lines().count(), 4);
        assert_eq!(report.requests, 3);
        assert_eq!(report.targets[0].failure.clone().unwrap().kind, kind);
    }
}

fn two_targets(bytes: &[u8], client: &impl Call) -> ([String; 2], PipelineReport) {
    let outs = [SharedOutput::default(), SharedOutput::default()];
    let sinks = outs.iter().enumerate();
    let sinks = sinks
        .map(|(i, out)| Sink { targets: vec![TargetIndex(i)], writer: InputFormat::lines().writer(&[]), to: out.to() })
        .collect();
    let input = PipelineInput::new(pipe(bytes, 100), InputFormat::lines());
    let jobs = [job("de", batch_limit(2)), job("fr", batch_limit(2))];
    let report = block_on(run(input, &jobs, sinks, &RunOptions::default(), client, &Stop::default()));
    (outs.map(|out| out.text()), report)
}

#[test]
fn a_failed_target_does_not_stop_the_other() {
    let client =
        service(
            |number, body| {
                if body["target_lang"] == "FR" { Err(refusal(404, Kind::NotFound)) } else { upper(number, body) }
            },
        );
    let ([de, fr], report) = two_targets(numbered(30).as_bytes(), &client);
    assert_eq!((de.lines().count(), fr.as_str()), (30, ""));
    assert!(report.targets[0].failure.is_none());
    assert_eq!(report.targets[1].failure.clone().unwrap().kind, Kind::NotFound);
    assert_eq!(report.targets[1].next.clone().unwrap().line, 1);
}

#[test]
fn a_bad_record_in_a_pipe_ends_the_run_after_the_records_before_it() {
    let text = [numbered(20).as_bytes(), b"bad \xff\nmore\n"].concat();
    let client = service(upper);
    let out = SharedOutput::default();
    let slow = Source::reader("stdin", Box::new(WaitingReader::new(&[&text[..100], &text[100..]], &out)));
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
    let input = PipelineInput::new(slow, InputFormat::lines());
    let report = block_on(run(
        input,
        &[job("de", batch_limit(2))],
        vec![sink],
        &RunOptions::default(),
        &client,
        &Stop::default(),
    ));
    let ended = report.ended_by.unwrap();
    assert_eq!(ended.kind, Kind::Partly);
    assert_eq!(ended.at.unwrap().line, 21);
    assert_eq!(out.text().lines().count(), 20);
}

#[test]
fn sends_nothing_if_a_fault_comes_first() {
    let client = service(upper);
    let (out, report) =
        run_stream_bytes(b"a\nb\n\xff", 2, InputFormat::lines(), batch_limit(50), &RunOptions::default(), &client);
    assert_eq!(report.ended_by.unwrap().kind, Kind::Usage);
    assert_eq!((report.requests, out.len()), (0, 0));
}

#[test]
fn files_are_checked_completely_before_the_first_request() {
    let dir = tempfile::tempdir().unwrap();
    let (good, bad) = (dir.path().join("good"), dir.path().join("bad"));
    std::fs::write(&good, numbered(500)).unwrap();
    std::fs::write(&bad, format!("{}\n", "x".repeat(200))).unwrap();
    let client = service(upper);
    let limit = BatchLimit { entries: 50, bytes: 150 };
    let go = |check: bool| {
        let out = SharedOutput::default();
        let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
        let input = PipelineInput::new(Source::files([&good, &bad]).unwrap(), InputFormat::lines());
        let options = RunOptions { check, ..RunOptions::default() };
        (block_on(run(input, &[job("de", limit)], vec![sink], &options, &client, &Stop::default())), out)
    };
    let (report, _) = go(true);
    let failure = report.ended_by.unwrap();
    assert_eq!((failure.kind, report.requests), (Kind::Usage, 0));
    assert!(failure.to_string().contains("bad:1:1: "), "{failure}");
    let (report, out) = go(false);
    assert_complete(&report);
    assert_eq!(out.text().lines().count(), 501);
}
