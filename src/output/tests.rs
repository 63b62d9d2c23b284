//! Tests of [`Output`] on streams in memory: which text goes to which stream, in which format.

use std::io::{self, Write};
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use tulk_base::error::{Kind, ServiceError};

use super::prompt::AnswerSource;
use super::*;
use crate::config::ColorChoice;

/// A stream whose text can be read afterwards. Fails with `fault` if that is set.
#[derive(Clone, Default)]
pub(super) struct SharedBuffer {
    bytes: Arc<Mutex<Vec<u8>>>,
    fault: Option<io::ErrorKind>,
}

impl SharedBuffer {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.bytes.lock().unwrap().clone()).unwrap()
    }
}

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.fault {
            Some(kind) => Err(kind.into()),
            None => self.bytes.lock().unwrap().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn messages(buffer: &SharedBuffer) -> (Arc<StderrWriter>, Messages) {
    let stderr = Arc::new(StderrWriter::new(Box::new(buffer.clone()), || (98, 24), true));
    let settings = OutputSettings::new(&GlobalArgs::default(), &Terminals::default());
    (Arc::clone(&stderr), Messages::new(stderr, &settings))
}

struct TestOutput {
    output: Output,
    stdout: SharedBuffer,
    stderr: SharedBuffer,
}

fn on_terminal(args: &GlobalArgs, answers: &'static str) -> TestOutput {
    test_output(args, true, answers, SharedBuffer::default())
}

fn in_pipe(args: &GlobalArgs) -> TestOutput {
    test_output(args, false, "", SharedBuffer::default())
}

fn test_output(args: &GlobalArgs, terminal: bool, answers: &'static str, stdout: SharedBuffer) -> TestOutput {
    let stderr = SharedBuffer::default();
    let terminals = Terminals {
        stdin: terminal,
        stdout: terminal,
        stderr: terminal,
        stdout_color: false,
        stderr_color: false,
        dumb: false,
        ci: true,
        utf8: true,
        width: terminal.then_some(60),
    };
    let streams = Streams {
        stdout: Box::new(stdout.clone()),
        stderr: Box::new(stderr.clone()),
        answers: AnswerSource::Lines(Box::new(io::Cursor::new(answers))),
    };
    TestOutput { output: Output::with_streams(args, &terminals, streams), stdout, stderr }
}

fn json() -> GlobalArgs {
    GlobalArgs { json: true, ..GlobalArgs::default() }
}

fn format(format: OutputFormat) -> GlobalArgs {
    GlobalArgs { format: Some(format), ..GlobalArgs::default() }
}

#[derive(Serialize, Deserialize, Debug)]
struct TestItem {
    id: String,
    name: String,
    count: u64,
}

impl Row for TestItem {
    const COLUMNS: &'static [Column] = &[Column::id("id"), Column::name("name"), Column::count("count")];
}

fn items() -> Vec<WithRaw<TestItem>> {
    [
        r#"{"id":"a1", "name":"kit\tchen","count":5,"price":1.10}"#,
        r#"{"id":"b2","name":"x\u001b[31m","count":12,"big":12345678901234567890}"#,
    ]
    .iter()
    .map(|text| WithRaw::parse(text.as_bytes()).unwrap())
    .collect()
}

#[test]
fn a_pipe_gets_tsv_without_a_header() {
    let run = in_pipe(&GlobalArgs::default());
    run.output.list(&items()).unwrap();
    assert_eq!(run.stdout.text(), "a1\tkit\\tchen\t5\nb2\tx\u{1b}[31m\t12\n");
    assert_eq!(run.stderr.text(), "");
}

#[test]
fn a_terminal_gets_a_table_without_control_characters() {
    let run = on_terminal(&GlobalArgs::default(), "");
    run.output.list(&items()).unwrap();
    assert_eq!(run.stdout.text(), "ID  NAME         COUNT\na1  kit\\tchen        5\nb2  x\\u{1b}[31m     12\n");
}

#[test]
fn json_is_the_object_of_the_service() {
    let text = br#"{"id":"a1","name":"n","count":5,"price":1.10,"next":12345678901234567890}"#;
    let item: WithRaw<TestItem> = WithRaw::parse(text).unwrap();
    let run = in_pipe(&json());
    run.output.object(&item).unwrap();
    let expected = "{\n  \"id\": \"a1\",\n  \"name\": \"n\",\n  \"count\": 5,\n  \"price\": 1.10,\n  \
                  \"next\": 12345678901234567890\n}\n";
    assert_eq!(run.stdout.text(), expected);
}

#[test]
fn jsonl_has_one_object_per_line() {
    let run = in_pipe(&format(OutputFormat::Jsonl));
    run.output.list(&items()).unwrap();
    let expected = "{\"id\":\"a1\",\"name\":\"kit\\tchen\",\"count\":5,\"price\":1.10}\n\
                  {\"id\":\"b2\",\"name\":\"x\\u001b[31m\",\"count\":12,\"big\":12345678901234567890}\n";
    assert_eq!(run.stdout.text(), expected);
}

#[test]
fn an_empty_list_is_empty_in_every_format() {
    for (format_, expected) in [
        (OutputFormat::Json, "[]\n"),
        (OutputFormat::Jsonl, ""),
        (OutputFormat::Tsv, ""),
        (OutputFormat::Table, ""),
        (OutputFormat::Text, ""),
    ] {
        let run = in_pipe(&format(format_));
        run.output.list::<TestItem>(&[]).unwrap();
        assert_eq!(run.stdout.text(), expected, "{format_:?}");
    }
}

#[test]
fn one_object_is_a_row_in_a_pipe_and_lines_on_a_terminal() {
    let items = items();
    let piped = in_pipe(&GlobalArgs { header: true, ..GlobalArgs::default() });
    piped.output.object(&items[0]).unwrap();
    assert_eq!(piped.stdout.text(), "id\tname\tcount\na1\tkit\\tchen\t5\n");
    let shown = on_terminal(&GlobalArgs::default(), "");
    shown.output.object(&items[0]).unwrap();
    assert_eq!(shown.stdout.text(), "ID     a1\nNAME   kit\\tchen\nCOUNT  5\n");
}

#[test]
fn columns_can_name_fields_that_are_not_columns() {
    let columns = vec!["price".to_owned(), "id".to_owned()];
    let run = in_pipe(&GlobalArgs { columns, ..GlobalArgs::default() });
    run.output.list(&items()).unwrap();
    assert_eq!(run.stdout.text(), "1.10\ta1\n\tb2\n");
    let wrong = in_pipe(&GlobalArgs { columns: vec!["prise".into()], ..GlobalArgs::default() });
    let failure = wrong.output.list(&items()).unwrap_err();
    assert_eq!(failure.kind, Kind::Usage);
    assert_eq!(wrong.stdout.text(), "");
}

#[test]
fn columns_and_header_need_a_format_with_columns() {
    let columns = GlobalArgs { columns: vec!["id".into()], ..json() };
    let failure = in_pipe(&columns).output.settings().check_listing().unwrap_err();
    assert_eq!(failure.what, "--columns cannot be used with the format `json`");
    let header = GlobalArgs { header: true, ..format(OutputFormat::Text) };
    let failure = in_pipe(&header).output.settings().check_listing().unwrap_err();
    assert_eq!(failure.what, "--header cannot be used with the format `text`");
    assert!(in_pipe(&GlobalArgs { header: true, ..GlobalArgs::default() }).output.settings().check_listing().is_ok());
}

#[test]
fn refuses_formats_that_a_command_does_not_support() {
    let failure =
        in_pipe(&format(OutputFormat::Srt)).output.settings().accept_formats(crate::command::LISTING).unwrap_err();
    assert_eq!((failure.kind, failure.what.as_str()), (Kind::Usage, "this command does not support the format `srt`"));
    assert_eq!(failure.hint.as_deref(), Some("supported formats: auto, table, json, jsonl, tsv, text"));
}

#[test]
fn the_default_format_depends_on_command_and_stream() {
    assert_eq!(in_pipe(&GlobalArgs::default()).output.settings().format(), OutputFormat::Tsv);
    assert_eq!(on_terminal(&GlobalArgs::default(), "").output.settings().format(), OutputFormat::Table);
    assert_eq!(in_pipe(&GlobalArgs::default()).output.settings().format_or(OutputFormat::Text), OutputFormat::Text);
    assert_eq!(in_pipe(&json()).output.settings().format_or(OutputFormat::Text), OutputFormat::Json);
}

#[test]
fn text_is_raw_in_a_pipe_and_escaped_on_a_terminal() {
    let piped = in_pipe(&GlobalArgs::default());
    piped.output.text(b"a\x1b[0m\xff\n").unwrap();
    assert_eq!(piped.stdout.bytes.lock().unwrap().as_slice(), b"a\x1b[0m\xff\n");
    let shown = on_terminal(&GlobalArgs::default(), "");
    shown.output.text("a\u{1b}[0m\tb\r\n").unwrap();
    assert_eq!(shown.stdout.text(), "a\\u{1b}[0m\tb\r\n");
}

#[test]
fn json_text_keeps_its_numbers_and_other_text_is_unchanged() {
    let run = in_pipe(&GlobalArgs::default());
    run.output.stdout().json(r#"{"a":1.10}"#).unwrap();
    run.output.stdout().json("{ nope").unwrap();
    assert_eq!(run.stdout.text(), "{\n  \"a\": 1.10\n}\n{ nope");
    let lines = in_pipe(&format(OutputFormat::Jsonl));
    lines.output.stdout().json("{ \"a\": 1.10 }").unwrap();
    assert_eq!(lines.stdout.text(), "{\"a\":1.10}\n");
}

#[test]
fn a_closed_pipe_prints_no_error() {
    let closed = SharedBuffer { fault: Some(io::ErrorKind::BrokenPipe), ..SharedBuffer::default() };
    let run = test_output(&GlobalArgs::default(), false, "", closed);
    let failure = run.output.text("x").unwrap_err();
    assert_eq!((failure.kind, failure.kind.code()), (Kind::PipeClosed, 0));
    run.output.error(&ErrorReport::new(&failure.into()));
    assert_eq!(run.stderr.text(), "");
}

#[test]
fn a_full_disk_is_an_internal_failure() {
    let full = SharedBuffer { fault: Some(io::ErrorKind::StorageFull), ..SharedBuffer::default() };
    let failure = test_output(&GlobalArgs::default(), false, "", full).output.text("x").unwrap_err();
    assert_eq!(failure.kind, Kind::Internal);
    assert!(failure.what.starts_with("cannot write to stdout: "), "{}", failure.what);
}

#[test]
fn quiet_prints_errors_only() {
    let run = in_pipe(&GlobalArgs { quiet: true, ..GlobalArgs::default() });
    run.output.status("created");
    run.output.hint("do this");
    run.output.warn("careful");
    run.output.log("GET /v2/usage");
    run.output.error(&ErrorReport::new(&Failure::usage("wrong").into()));
    assert_eq!(run.stderr.text(), "error: wrong\n");
}

#[test]
fn messages_start_with_their_kind() {
    let run = in_pipe(&GlobalArgs::default());
    run.output.status("created");
    run.output.hint("do this");
    run.output.warn("careful");
    let service = ServiceError { status: Some(400), message: Some("too long".into()), ..ServiceError::default() };
    let failure = Failure::new(Kind::Refused, "refused").service(service).hint("make it shorter");
    run.output.error(&ErrorReport::new(&failure.into()));
    let expected = "created\nhint: do this\nwarning: careful\nerror: refused: too long (400)\n\
                  \x20 hint: make it shorter\n";
    assert_eq!(run.stderr.text(), expected);
    assert_eq!(run.stdout.text(), "");
}

#[test]
fn json_makes_messages_objects_and_silences_status() {
    let run = in_pipe(&json());
    run.output.status("created");
    run.output.hint("do this");
    run.output.warn("a \"b\"\nc");
    run.output.log("GET /v2/usage");
    run.output.error(&ErrorReport::new(&Failure::usage("wrong").hint("right").into()));
    let expected = "{\"warning\":\"a \\\"b\\\"\\nc\"}\n{\"log\":\"GET /v2/usage\"}\n{\"error\":{\"kind\":\"usage\",\
                  \"message\":\"wrong\",\"status\":null,\"code\":null,\"trace_id\":null,\"hint\":\"right\"}}\n";
    assert_eq!(run.stderr.text(), expected);
    let asked = in_pipe(&GlobalArgs { verbose: 1, ..json() });
    asked.output.status("created");
    assert_eq!(asked.stderr.text(), "{\"log\":\"created\"}\n");
}

#[test]
fn messages_have_colour_unless_they_are_json() {
    let args = GlobalArgs { color: ColorChoice::Always, ..GlobalArgs::default() };
    let colored = in_pipe(&args);
    colored.output.warn("careful");
    colored.output.error(&ErrorReport::new(&Failure::usage("wrong").into()));
    assert_eq!(colored.stderr.text(), "\u{1b}[1;33mwarning:\u{1b}[0m careful\n\u{1b}[1;31merror:\u{1b}[0m wrong\n");
    let plain = in_pipe(&GlobalArgs { color: ColorChoice::Always, ..json() });
    assert!(!plain.output.settings().color_stdout && !plain.output.settings().color_stderr);
}

#[test]
fn control_characters_of_the_service_are_escaped() {
    let run = on_terminal(&GlobalArgs::default(), "");
    run.output.error(&ErrorReport::new(&Failure::new(Kind::Refused, "no\u{1b}[2J").into()));
    assert_eq!(run.stderr.text(), "error: no\\u{1b}[2J\n");
}

#[test]
fn the_yes_flag_skips_the_question() {
    let run = in_pipe(&GlobalArgs::default());
    run.output.confirm("delete 3 glossaries", true).unwrap();
    assert_eq!(run.stderr.text(), "");
}

#[test]
fn refuses_to_ask_without_a_terminal() {
    let run = in_pipe(&GlobalArgs::default());
    let failure = run.output.confirm("delete 3 glossaries?", false).unwrap_err();
    assert_eq!((failure.kind.code(), failure.what.as_str()), (2, "confirmation required: delete 3 glossaries"));
    assert_eq!(run.stderr.text(), "");
}

#[test]
fn continues_only_after_yes() {
    let run = on_terminal(&GlobalArgs::default(), "y\nmaybe\nNo\n");
    run.output.confirm("delete 3 glossaries", false).unwrap();
    let failure = run.output.confirm("delete \u{7}all", false).unwrap_err();
    assert_eq!((failure.kind.code(), failure.what.as_str()), (2, "not confirmed; nothing was changed"));
    let asked = "Delete 3 glossaries? [y/N] Delete \\u{7}all? [y/N] Answer y or n.\nDelete \\u{7}all? [y/N] ";
    assert_eq!(run.stderr.text(), asked);
    assert_eq!(run.output.confirm("and at the end of input", false).unwrap_err().kind.code(), 2);
    assert_eq!(run.stderr.text(), format!("{asked}And at the end of input? [y/N] \n"));
}

#[test]
fn progress_can_be_updated_from_other_threads() {
    fn is_shareable<T: Send + Sync + 'static>(_: &T) {}
    let run = in_pipe(&GlobalArgs { progress: Some(ProgressChoice::Plain), ..GlobalArgs::default() });
    let task = run.output.progress("translating".into());
    is_shareable(&run.output);
    is_shareable(&task);
    task.inc(1);
    task.finish();
    assert_eq!(run.stderr.text(), "", "tasks under ten seconds print nothing");
}

#[test]
fn results_in_chunks_are_escaped_only_on_a_terminal() {
    assert!(in_pipe(&GlobalArgs::default()).output.terminal_writer().is_none());
    let shown = |args: &GlobalArgs, chunks: &[&[u8]]| {
        let run = on_terminal(args, "");
        let mut terminal = run.output.terminal_writer().unwrap();
        for chunk in chunks {
            terminal.write_all(chunk).unwrap();
        }
        drop(terminal);
        run.stdout.text()
    };
    let plain = GlobalArgs::default();
    assert_eq!(shown(&plain, &[b"a\x1b[31mb\r\nc\0d\te\n"]), "a\\u{1b}[31mb\r\nc\\u{0}d\te\n");
    assert_eq!(shown(&plain, &[b"\xc3", b"\xa4 \r", b"\n\r", b"x \xc2", b"\x9b"]), "\u{e4} \r\n\\u{d}x \\u{9b}\n");
    assert_eq!(shown(&plain, &[b"last\r"]), "last\\u{d}\n");
    assert_eq!(shown(&plain, &[b"one\n", b"no line end"]), "one\nno line end\n");
    assert_eq!(shown(&plain, &[]), "");
    assert_eq!(shown(&json(), &[b"{\"text\":\"a\0b\"}\n"]), "{\"text\":\"a\\u0000b\"}\n");
    assert_eq!(shown(&json(), &["{\"text\":\"\u{9b}\"}\n".as_bytes()]), "{\"text\":\"\\u009b\"}\n");
}
