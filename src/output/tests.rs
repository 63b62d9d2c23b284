//! An [`Output`] on streams of our own: what goes where, in which form.

use serde::{Deserialize, Serialize};

use super::color::ColorEnv;
use super::*;
use crate::config::{ColorChoice, ProgressChoice};
use crate::error::ServiceError;

/// A stream whose text can be read afterwards; fails with an error kind if told so.
#[derive(Clone, Default)]
pub(super) struct Shared {
    text: Arc<Mutex<Vec<u8>>>,
    fault: Option<io::ErrorKind>,
}

impl Shared {
    pub(super) fn text(&self) -> String {
        String::from_utf8(self.text.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.fault {
            Some(kind) => Err(kind.into()),
            None => self.text.lock().unwrap().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A screen over a stream, without bars.
pub(super) fn screen(err: &Shared) -> Arc<Screen> {
    let bars = MultiProgress::with_draw_target(ProgressDrawTarget::hidden());
    Arc::new(Screen::new(Box::new(err.clone()), bars, false, false, false))
}

struct Desk {
    output: Output,
    out: Shared,
    err: Shared,
}

fn desk(args: &GlobalArgs, terminal: bool, answers: &'static str) -> Desk {
    desk_with(args, terminal, answers, Shared::default())
}

fn desk_with(args: &GlobalArgs, terminal: bool, answers: &'static str, out: Shared) -> Desk {
    let err = Shared::default();
    let around = Surroundings {
        out: Box::new(out.clone()),
        err: Box::new(err.clone()),
        answers: Answers::Given(Box::new(io::Cursor::new(answers))),
        in_terminal: terminal,
        out_terminal: terminal,
        err_terminal: terminal,
        color: ColorEnv { no_color: Some("1".into()), ..ColorEnv::default() },
        ci: true,
        width: terminal.then_some(60),
    };
    Desk { output: Output::with(args, around), out, err }
}

fn pipe(args: &GlobalArgs) -> Desk {
    desk(args, false, "")
}

fn json() -> GlobalArgs {
    GlobalArgs { json: true, ..GlobalArgs::default() }
}

fn format(format: OutputFormat) -> GlobalArgs {
    GlobalArgs { format: Some(format), ..GlobalArgs::default() }
}

#[derive(Serialize, Deserialize, Debug)]
struct Thing {
    id: String,
    name: String,
    count: u64,
}

impl Row for Thing {
    const COLUMNS: &'static [&'static str] = &["id", "name", "count"];

    fn cells(&self) -> Vec<Cell> {
        vec![(&self.id).into(), (&self.name).into(), self.count.into()]
    }
}

fn things() -> Vec<Kept<Thing>> {
    [
        r#"{"id":"a1", "name":"kit\tchen","count":5,"price":1.10}"#,
        r#"{"id":"b2","name":"x\u001b[31m","count":12,"big":12345678901234567890}"#,
    ]
    .iter()
    .map(|text| Kept::parse(text.as_bytes()).unwrap())
    .collect()
}

#[test]
fn a_pipe_gets_tsv_without_a_header() {
    let desk = pipe(&GlobalArgs::default());
    desk.output.list(&things()).unwrap();
    assert_eq!(desk.out.text(), "a1\tkit\\tchen\t5\nb2\tx\u{1b}[31m\t12\n");
    assert_eq!(desk.err.text(), "");
}

#[test]
fn a_terminal_gets_a_table_without_control_characters() {
    let desk = desk(&GlobalArgs::default(), true, "");
    desk.output.list(&things()).unwrap();
    assert_eq!(desk.out.text(), "id  name         count\na1  kit\\tchen        5\nb2  x\\u{1b}[31m     12\n");
}

#[test]
fn json_is_the_services_own_object() {
    let text = r#"{"things":[{"id":"a1","name":"n","count":5,"price":1.10}],"next":12345678901234567890}"#;
    let whole = RawValue::from_string(text.to_owned()).unwrap();
    let items: Vec<Kept<Thing>> = vec![Kept::parse(br#"{"id":"a1","name":"n","count":5,"price":1.10}"#).unwrap()];
    let desk = pipe(&json());
    desk.output.show(&List::within(&whole, &items)).unwrap();
    let wanted = "{\n  \"things\": [\n    {\n      \"id\": \"a1\",\n      \"name\": \"n\",\n      \"count\": 5,\n      \
                  \"price\": 1.10\n    }\n  ],\n  \"next\": 12345678901234567890\n}\n";
    assert_eq!(desk.out.text(), wanted);
}

#[test]
fn jsonl_is_one_object_a_line() {
    let desk = pipe(&format(OutputFormat::Jsonl));
    desk.output.list(&things()).unwrap();
    let wanted = "{\"id\":\"a1\",\"name\":\"kit\\tchen\",\"count\":5,\"price\":1.10}\n\
                  {\"id\":\"b2\",\"name\":\"x\\u001b[31m\",\"count\":12,\"big\":12345678901234567890}\n";
    assert_eq!(desk.out.text(), wanted);
}

#[test]
fn an_empty_list_is_empty_in_every_form() {
    for (form, wanted) in [
        (OutputFormat::Json, "[]\n"),
        (OutputFormat::Jsonl, ""),
        (OutputFormat::Tsv, ""),
        (OutputFormat::Table, ""),
        (OutputFormat::Text, ""),
    ] {
        let desk = pipe(&format(form));
        desk.output.list::<Thing>(&[]).unwrap();
        assert_eq!(desk.out.text(), wanted, "{form:?}");
    }
}

#[test]
fn one_object_is_a_row_in_a_pipe_and_lines_on_a_terminal() {
    let things = things();
    let piped = pipe(&GlobalArgs { header: true, ..GlobalArgs::default() });
    piped.output.one(&things[0]).unwrap();
    assert_eq!(piped.out.text(), "id\tname\tcount\na1\tkit\\tchen\t5\n");
    let shown = desk(&GlobalArgs::default(), true, "");
    shown.output.one(&things[0]).unwrap();
    assert_eq!(shown.out.text(), "id:     a1\nname:   kit\\tchen\ncount:  5\n");
}

#[test]
fn columns_reach_fields_that_are_no_columns() {
    let columns = vec!["price".to_owned(), "id".to_owned()];
    let desk = pipe(&GlobalArgs { columns, ..GlobalArgs::default() });
    desk.output.list(&things()).unwrap();
    assert_eq!(desk.out.text(), "1.10\ta1\n\tb2\n");
    let wrong = pipe(&GlobalArgs { columns: vec!["prise".into()], ..GlobalArgs::default() });
    let failure = wrong.output.list(&things()).unwrap_err();
    assert_eq!(failure.kind, Kind::Usage);
    assert_eq!(wrong.out.text(), "");
}

#[test]
fn columns_and_header_need_columns() {
    let columns = GlobalArgs { columns: vec!["id".into()], ..json() };
    let failure = pipe(&columns).output.check_listing().unwrap_err();
    assert_eq!(failure.what, "--columns has no meaning with the format `json`");
    let header = GlobalArgs { header: true, ..format(OutputFormat::Text) };
    let failure = pipe(&header).output.check_listing().unwrap_err();
    assert_eq!(failure.what, "--header has no meaning with the format `text`");
    assert!(pipe(&GlobalArgs { header: true, ..GlobalArgs::default() }).output.check_listing().is_ok());
}

#[test]
fn refuses_formats_a_command_does_not_have() {
    let failure = pipe(&format(OutputFormat::Srt)).output.check_listing().unwrap_err();
    assert_eq!((failure.kind, failure.what.as_str()), (Kind::Usage, "this command has no format `srt`"));
    assert_eq!(failure.hint.as_deref(), Some("choose one of auto, table, json, jsonl, tsv, text"));
}

#[test]
fn the_usual_format_is_the_commands() {
    assert_eq!(pipe(&GlobalArgs::default()).output.format(), OutputFormat::Tsv);
    assert_eq!(desk(&GlobalArgs::default(), true, "").output.format(), OutputFormat::Table);
    assert_eq!(pipe(&GlobalArgs::default()).output.format_or(OutputFormat::Text), OutputFormat::Text);
    assert_eq!(pipe(&json()).output.format_or(OutputFormat::Text), OutputFormat::Json);
}

#[test]
fn text_is_raw_in_a_pipe_and_escaped_on_a_terminal() {
    let piped = pipe(&GlobalArgs::default());
    piped.output.text(b"a\x1b[0m\xff\n").unwrap();
    assert_eq!(piped.out.text.lock().unwrap().as_slice(), b"a\x1b[0m\xff\n");
    let shown = desk(&GlobalArgs::default(), true, "");
    shown.output.text("a\u{1b}[0m\tb\r\n").unwrap();
    assert_eq!(shown.out.text(), "a\\u{1b}[0m\tb\r\n");
}

#[test]
fn raw_json_keeps_its_numbers_and_what_is_no_json_stays() {
    let desk = pipe(&GlobalArgs::default());
    desk.output.json_raw(r#"{"a":1.10}"#).unwrap();
    desk.output.json_raw("{ nope").unwrap();
    assert_eq!(desk.out.text(), "{\n  \"a\": 1.10\n}\n{ nope");
    let lines = pipe(&format(OutputFormat::Jsonl));
    lines.output.json_raw("{ \"a\": 1.10 }").unwrap();
    assert_eq!(lines.out.text(), "{\"a\":1.10}\n");
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let closed = Shared { fault: Some(io::ErrorKind::BrokenPipe), ..Shared::default() };
    let desk = desk_with(&GlobalArgs::default(), false, "", closed);
    let failure = desk.output.text("x").unwrap_err();
    assert_eq!((failure.kind, failure.kind.code()), (Kind::PipeClosed, 0));
    desk.output.error(&ErrorReport::of(&failure.into()));
    assert_eq!(desk.err.text(), "");
}

#[test]
fn a_full_disk_is_the_machines_failure() {
    let full = Shared { fault: Some(io::ErrorKind::StorageFull), ..Shared::default() };
    let failure = desk_with(&GlobalArgs::default(), false, "", full).output.text("x").unwrap_err();
    assert_eq!(failure.kind, Kind::Internal);
    assert!(failure.what.starts_with("cannot write to stdout: "), "{}", failure.what);
}

#[test]
fn quiet_leaves_errors_only() {
    let desk = pipe(&GlobalArgs { quiet: true, ..GlobalArgs::default() });
    desk.output.status("created");
    desk.output.hint("do this");
    desk.output.warn("careful");
    desk.output.log("GET /v2/usage");
    desk.output.error(&ErrorReport::of(&Failure::usage("wrong").into()));
    assert_eq!(desk.err.text(), "error: wrong\n");
}

#[test]
fn stderr_lines_have_their_word() {
    let desk = pipe(&GlobalArgs::default());
    desk.output.status("created");
    desk.output.hint("do this");
    desk.output.warn("careful");
    let service = ServiceError { status: Some(400), message: Some("too long".into()), ..ServiceError::default() };
    let failure = Failure::new(Kind::Refused, "refused").service(service).hint("make it shorter");
    desk.output.error(&ErrorReport::of(&failure.into()));
    let wanted = "created\nhint: do this\nwarning: careful\nerror: refused\nservice: \"too long\" (status 400)\n\
                  hint: make it shorter\n";
    assert_eq!(desk.err.text(), wanted);
    assert_eq!(desk.out.text(), "");
}

#[test]
fn under_json_each_line_is_an_object_and_notices_are_off() {
    let desk = pipe(&json());
    desk.output.status("created");
    desk.output.hint("do this");
    desk.output.warn("a \"b\"\nc");
    desk.output.log("GET /v2/usage");
    desk.output.error(&ErrorReport::of(&Failure::usage("wrong").hint("right").into()));
    let wanted = "{\"warning\":\"a \\\"b\\\"\\nc\"}\n{\"log\":\"GET /v2/usage\"}\n{\"error\":{\"kind\":\"usage\",\
                  \"message\":\"wrong\",\"status\":null,\"code\":null,\"trace_id\":null,\"hint\":\"right\"}}\n";
    assert_eq!(desk.err.text(), wanted);
    let asked = pipe(&GlobalArgs { verbose: 1, ..json() });
    asked.output.status("created");
    assert_eq!(asked.err.text(), "{\"log\":\"created\"}\n");
}

#[test]
fn colour_is_for_people() {
    let args = GlobalArgs { color: ColorChoice::Always, ..GlobalArgs::default() };
    let colored = pipe(&args);
    colored.output.warn("careful");
    colored.output.error(&ErrorReport::of(&Failure::usage("wrong").into()));
    assert_eq!(colored.err.text(), "\u{1b}[1;33mwarning:\u{1b}[0m careful\n\u{1b}[1;31merror:\u{1b}[0m wrong\n");
    let plain = pipe(&GlobalArgs { color: ColorChoice::Always, ..json() });
    assert!(!plain.output.color_out() && !plain.output.color_err());
}

#[test]
fn a_service_cannot_give_the_terminal_orders() {
    let desk = desk(&GlobalArgs::default(), true, "");
    desk.output.error(&ErrorReport::of(&Failure::new(Kind::Refused, "no\u{1b}[2J").into()));
    assert_eq!(desk.err.text(), "error: no\\u{1b}[2J\n");
}

#[test]
fn yes_asks_nothing() {
    let desk = pipe(&GlobalArgs::default());
    desk.output.confirm("delete 3 glossaries", true).unwrap();
    assert_eq!(desk.err.text(), "");
}

#[test]
fn without_a_terminal_there_is_no_question() {
    let desk = pipe(&GlobalArgs::default());
    let failure = desk.output.confirm("delete 3 glossaries?", false).unwrap_err();
    assert_eq!((failure.kind.code(), failure.what.as_str()), (2, "refused without --yes: delete 3 glossaries"));
    assert_eq!(desk.err.text(), "");
}

#[test]
fn only_a_yes_goes_ahead() {
    let desk = desk(&GlobalArgs::default(), true, "y\nn\n");
    desk.output.confirm("delete 3 glossaries", false).unwrap();
    let failure = desk.output.confirm("delete \u{7}all", false).unwrap_err();
    assert_eq!((failure.kind.code(), failure.what.as_str()), (2, "not confirmed: delete \u{7}all"));
    assert_eq!(desk.err.text(), "delete 3 glossaries? [y/N] delete \\u{7}all? [y/N] ");
    assert_eq!(desk.output.confirm("and at the end of input", false).unwrap_err().kind.code(), 2);
}

#[test]
fn a_meter_can_be_moved_from_other_threads() {
    fn shared<T: Send + Sync + 'static>(_: &T) {}
    let desk = pipe(&GlobalArgs { progress: Some(ProgressChoice::Plain), ..GlobalArgs::default() });
    let meter = desk.output.progress("translating", None);
    shared(&desk.output);
    shared(&meter);
    meter.inc(1);
    meter.finish();
    assert_eq!(desk.err.text(), "", "work under ten seconds says nothing");
}

#[test]
fn results_in_pieces_are_escaped_on_a_terminal_and_only_there() {
    assert!(pipe(&GlobalArgs::default()).output.terminal().is_none());
    let shown = |args: &GlobalArgs, pieces: &[&[u8]]| {
        let desk = desk(args, true, "");
        let mut terminal = desk.output.terminal().unwrap();
        for piece in pieces {
            terminal.write_all(piece).unwrap();
        }
        drop(terminal);
        desk.out.text()
    };
    let plain = GlobalArgs::default();
    assert_eq!(shown(&plain, &[b"a\x1b[31mb\r\nc\0d\te\n"]), "a\\u{1b}[31mb\r\nc\0d\te\n");
    assert_eq!(shown(&plain, &[b"\xc3", b"\xa4 \r", b"\n\r", b"x \xc2", b"\x9b"]), "\u{e4} \r\n\\u{d}x \\u{9b}");
    assert_eq!(shown(&plain, &[b"last\r"]), "last\\u{d}");
    assert_eq!(shown(&json(), &["{\"text\":\"\u{9b}\"}\n".as_bytes()]), "{\"text\":\"\\u009b\"}\n");
}
