//! Tests of the cache: which entries are not sent, and which results are stored.

use tulk_store::results::{CachedResult, KeyScope, ResultCache};

use super::*;

fn cache(dir: &tempfile::TempDir) -> Arc<ResultCache> {
    Arc::new(ResultCache::at(dir.path(), true))
}

fn cached_job(target: &str, limit: BatchLimit) -> Job {
    Job { key_scope: Some(KeyScope::new([target])), ..job(target, limit) }
}

/// Runs once with the cache in `dir`. Returns the output, the report and the texts sent.
fn run_cached(
    dir: &tempfile::TempDir,
    input: &[u8],
    job: Job,
    options: &RunOptions,
) -> (String, PipelineReport, Vec<Vec<String>>) {
    let options = RunOptions { results: Some(cache(dir)), ..options.clone() };
    let client = service(upper);
    let (out, report) = run_job(pipe(input, 1 << 20), InputFormat::lines(), job, &options, &client);
    options.results.unwrap().finish(Duration::from_secs(30));
    let sent = client.sent.borrow().iter().map(texts).collect();
    (String::from_utf8(out).unwrap(), report, sent)
}

#[test]
fn does_not_send_what_an_earlier_run_has_sent() {
    let dir = tempfile::tempdir().unwrap();
    let options = RunOptions::default();
    let run = |input: &str| run_cached(&dir, input.as_bytes(), cached_job("de", batch_limit(50)), &options);
    let (out, report, sent) = run("a\nb\na\n");
    assert_eq!((out.as_str(), sent), ("<A>\n<B>\n<A>\n", vec![vec!["a".to_owned(), "b".to_owned()]]));
    assert_eq!((report.cached, report.duplicates, report.characters_saved), (Some(0), 1, 1));
    let (out, report, sent) = run("a\n\nnew\nb\na\n");
    assert_eq!((out.as_str(), sent), ("<A>\n\n<NEW>\n<B>\n<A>\n", vec![vec!["new".to_owned()]]));
    assert_eq!((report.cached, report.duplicates, report.characters_saved), (Some(3), 0, 3));
    assert_eq!((report.entries, report.requests, report.characters), (4, 1, 3));
    let (out, report, sent) = run("b\nnew\n");
    assert_eq!((out.as_str(), sent.len(), report.requests), ("<B>\n<NEW>\n", 0, 0));
    assert_eq!(report.targets[0].written, 2);
    assert_complete(&report);
}

#[test]
fn each_target_has_its_own_results() {
    let dir = tempfile::tempdir().unwrap();
    let options = RunOptions { results: Some(cache(&dir)), ..RunOptions::default() };
    let run_targets = |names: &[&str]| {
        let client = service(|_, body: &Value| {
            let target = body["target_lang"].as_str().unwrap().to_owned();
            with_texts(body, |text| format!("{target} {text}"))
        });
        let jobs: Vec<Job> = names.iter().map(|name| cached_job(name, batch_limit(50))).collect();
        let format = InputFormat::lines();
        let columns = ResultColumns::default();
        let out = SharedOutput::default();
        let targets: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let writer = results::rows(&targets, &format, false, columns);
        let sink = Sink { targets: TargetIndex::all(jobs.len()), writer, to: out.to() };
        let input = PipelineInput::new(pipe(b"a\nb\n", 100), format);
        let report = block_on(run(input, &jobs, vec![sink], &options, &client, &Stop::default()));
        assert_complete(&report);
        options.results.as_ref().unwrap().finish(Duration::from_secs(30));
        (out.text(), report.requests)
    };
    assert_eq!(run_targets(&["de"]), ("de\tDE a\nde\tDE b\n".to_owned(), 1));
    let both = "de\tDE a\nfr\tFR a\nde\tDE b\nfr\tFR b\n".to_owned();
    assert_eq!(run_targets(&["de", "fr"]), (both.clone(), 1));
    assert_eq!(run_targets(&["de", "fr"]), (both, 0));
}

#[test]
fn sends_a_changed_line_and_the_lines_that_have_it_as_context() {
    let dir = tempfile::tempdir().unwrap();
    let options = RunOptions { context_lines: 2, ..RunOptions::default() };
    let lines: Vec<String> = (0..10).map(|n| format!("{n}\n")).collect();
    let run = |input: &str| run_cached(&dir, input.as_bytes(), cached_job("de", batch_limit(50)), &options);
    let (_, _, sent) = run(&lines.concat());
    assert_eq!(sent.len(), 1);
    assert_eq!(run(&lines.concat()).2, Vec::<Vec<String>>::new());
    let mut changed = lines.clone();
    changed[1] = "one\n".to_owned();
    changed[8] = "eight\n".to_owned();
    let (out, report, sent) = run(&changed.concat());
    assert_eq!(sent, [vec!["one", "2", "3"], vec!["eight", "9"]], "the entries of a request follow each other");
    assert_eq!(out.lines().nth(8), Some("<EIGHT>"));
    assert_eq!(report.cached, Some(5));
}

#[test]
fn an_equal_entry_with_another_context_has_another_key() {
    let dir = tempfile::tempdir().unwrap();
    let options = RunOptions { context_lines: 1, ..RunOptions::default() };
    let run = |input: &str| run_cached(&dir, input.as_bytes(), cached_job("de", batch_limit(50)), &options);
    assert_eq!(run("x\na\ny\na\n").2, [["x", "a", "y"]]);
    assert_eq!(run("x\na\ny\na\n").1.cached, Some(4));
    assert_eq!(run("y\na\n").2, [["y"]], "the first line has no context now");
}

#[test]
fn an_entry_is_sent_if_its_cached_result_does_not_fit() {
    let dir = tempfile::tempdir().unwrap();
    let scope = KeyScope::new(["de"]);
    let object = serde_json::value::to_raw_value(&json!({"text": "no token"})).unwrap();
    let stored = cache(&dir);
    stored.store(vec![(scope.key("", "<x id=\"1\">%s</x> tea"), CachedResult::from_object(&object).unwrap())]);
    stored.finish(Duration::from_secs(30));
    let options = RunOptions { results: Some(cache(&dir)), ..RunOptions::default() };
    let client = service(echo);
    let protector = Protector::new(&["printf".to_owned()], SentForm::Tagged).unwrap();
    let format = InputFormat::lines();
    let out = SharedOutput::default();
    let sink = Sink { targets: TargetIndex::all(1), writer: format.writer(&[]), to: out.to() };
    let input = PipelineInput::new(pipe(b"%s tea\n", 100), format).protected(Arc::new(protector));
    let report =
        block_on(run(input, &[cached_job("de", batch_limit(50))], vec![sink], &options, &client, &Stop::default()));
    assert_complete(&report);
    assert_eq!((out.text().as_str(), report.requests, report.cached), ("%s tea\n", 1, Some(0)));
}

#[test]
fn only_results_of_the_service_are_stored() {
    let dir = tempfile::tempdir().unwrap();
    let options = RunOptions { keep_going: true, results: Some(cache(&dir)), ..RunOptions::default() };
    let client = service(|_, body: &Value| {
        if texts(body).contains(&"bad".to_owned()) {
            return Err(refusal(400, Kind::Refused));
        }
        with_texts(body, str::to_uppercase)
    });
    let job = || cached_job("de", batch_limit(50));
    let (_, report) = run_job(pipe(b"a\nbad\nb\n", 100), InputFormat::lines(), job(), &options, &client);
    assert_eq!(report.refused.len(), 1);
    options.results.unwrap().finish(Duration::from_secs(30));
    assert_eq!(run_cached(&dir, b"a\nbad\nb\n", job(), &RunOptions::default()).2, [["bad"]]);
}

#[test]
fn entries_from_the_cache_do_not_count_towards_max_characters() {
    let dir = tempfile::tempdir().unwrap();
    let job = || cached_job("de", batch_limit(1));
    run_cached(&dir, b"aaa\nbbb\n", job(), &RunOptions::default());
    let options = RunOptions { max_characters: Some(3), ..RunOptions::default() };
    let (out, report, _) = run_cached(&dir, b"aaa\nnew\nbbb\n", job(), &options);
    assert_complete(&report);
    assert_eq!(out, "<AAA>\n<NEW>\n<BBB>\n");
}

#[test]
fn a_dry_run_reads_the_cache_and_stores_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let job = || cached_job("de", batch_limit(50));
    run_cached(&dir, b"a\n", job(), &RunOptions::default());
    for _ in 0..2 {
        let results = Some(Arc::new(ResultCache::at(dir.path(), false)));
        let options = RunOptions { dry_run: true, results, ..RunOptions::default() };
        let client = service(|_, _| Ok(Vec::new()));
        let (_, report) = run_job(pipe(b"a\nb\n", 100), InputFormat::lines(), job(), &options, &client);
        assert_eq!((report.requests, report.cached, client.texts()), (1, Some(1), vec!["b".to_owned()]));
    }
}

#[test]
fn cached_results_are_written_when_the_input_is_idle() {
    let dir = tempfile::tempdir().unwrap();
    run_cached(&dir, b"a\nb\n", cached_job("de", batch_limit(50)), &RunOptions::default());
    let out = SharedOutput::default();
    let source = Source::reader("stdin", Box::new(WaitingReader::new(&[b"a\n", b"b\n"], &out)));
    let options = RunOptions { results: Some(cache(&dir)), ..RunOptions::default() };
    let client = service(upper);
    let sink = Sink { targets: TargetIndex::all(1), writer: InputFormat::lines().writer(&[]), to: out.to() };
    let input = PipelineInput::new(source, InputFormat::lines());
    let report =
        block_on(run(input, &[cached_job("de", batch_limit(50))], vec![sink], &options, &client, &Stop::default()));
    assert_complete(&report);
    assert_eq!((report.requests, out.text().as_str()), (0, "<A>\n<B>\n"));
}

#[test]
fn a_fault_after_cached_results_is_found_before_anything_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let (job, options) = (|| cached_job("de", batch_limit(3)), RunOptions::default());
    run_cached(&dir, b"a\nb\nc\n", job(), &options);
    let (out, report, _) = run_cached(&dir, b"a\nb\n\xff\n", job(), &options);
    assert_eq!((out.as_str(), report.ended_by.unwrap().kind), ("", Kind::Usage));
    // Three cached results are as many as fit into a request, so they are written before the fault is found.
    let (out, report, _) = run_cached(&dir, b"a\nb\nc\n\xff\n", job(), &options);
    assert_eq!((out.as_str(), report.ended_by.unwrap().kind), ("<A>\n<B>\n<C>\n", Kind::Partly));
}
