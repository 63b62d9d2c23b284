//! Tests of the lines that show a command's progress.

use tulk_base::error::ErrorReport;

use super::*;
use crate::output::tests::{SharedBuffer, messages};

fn reporter(display: ProgressDisplay) -> (ProgressReporter, SharedBuffer) {
    let buffer = SharedBuffer::default();
    let (stderr, messages) = messages(&buffer);
    let reporter = ProgressReporter::new(display, stderr, messages);
    lock(&reporter.running).has_thread = true; // The tests draw themselves.
    (reporter, buffer)
}

fn plain_line(task: &ProgressTask) -> String {
    task.state.due_plain_line(Duration::from_secs(12)).unwrap_or_default()
}

fn lines(reporter: &ProgressReporter, stderr: &SharedBuffer, tasks: &[&ProgressTask]) -> Vec<String> {
    let tasks: Vec<_> = tasks.iter().map(|task| Arc::clone(&task.state)).collect();
    reporter.draw(&tasks);
    let text = stderr.text();
    let frame = text.rsplit('\r').next().unwrap_or_default();
    let start = frame.rfind('A').filter(|_| frame.starts_with("\u{1b}[")).map_or(0, |at| at + 1);
    let lines = frame.get(start..).unwrap_or_default().lines();
    lines.map(|line| line.replace("\u{1b}[K", "").replace("\u{1b}[J", "")).collect()
}

#[test]
fn a_plain_line_is_due_every_ten_seconds() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let task = reporter.single("translating".into());
    task.count("translating", ProgressUnit::Texts, Some(200));
    task.set(50);
    let due = |seconds| task.state.due_plain_line(Duration::from_secs(seconds)).is_some();
    assert_eq!([0, 9, 10, 11, 19, 20].map(due), [false, false, true, false, false, true]);
    task.finish();
    assert!(!due(30));
}

#[test]
fn a_plain_line_contains_what_is_known() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let task = |name: TaskName| reporter.single(name);
    let named = task(TaskName::with_target("a.docx", "de"));
    assert_eq!(plain_line(&named), "a.docx → de: 0:00");
    let entries = task("translating".into());
    entries.count("translating", ProgressUnit::Texts, Some(2000));
    entries.inc(500);
    assert!(plain_line(&entries).starts_with("translating: 25 %, 500 of 2,000 texts, "));
    let bytes = task("a.docx".into());
    bytes.count("uploading", ProgressUnit::Bytes, None);
    bytes.set(2048);
    assert!(plain_line(&bytes).starts_with("a.docx: uploading, 2.00 KiB, "));
    let waiting = task("a.docx".into());
    waiting.estimate("translating", Duration::from_secs(40));
    assert_eq!(plain_line(&waiting), "a.docx: translating, about 40 s left, 0:00");
    let audio = task("audio".into());
    audio.count("sent", ProgressUnit::Seconds, Some(190));
    audio.set(42);
    assert_eq!(plain_line(&audio), "audio: 22 %, 0:42 of 3:10");
}

#[test]
fn plain_lines_report_the_group_and_not_its_tasks() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let group = ProgressGroup::counted(&reporter, "documents", 2);
    let first = group.add("a.docx".into());
    group.overall().inc(1);
    assert_eq!(plain_line(&first), "");
    assert!(plain_line(group.overall()).starts_with("documents: 50 %, 1 of 2, "));
}

#[test]
fn a_terminal_shows_the_tasks_and_their_number() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let group = ProgressGroup::counted(&reporter, "documents", 3);
    let (first, second) = (group.add("a.docx".into()), group.add(TaskName::with_target("b\u{7}{x}.docx", "de")));
    let all = [group.overall(), &first, &second];
    assert_eq!(lines(&reporter, &stderr, &all), ["0 of 3 documents, 0:00"], "a task that waits has no line");
    first.count("uploading", ProgressUnit::Bytes, Some(10_000_000));
    first.set(6_100_000);
    second.estimate("translating", Duration::from_secs(40));
    let expected = [
        "⠁ a.docx                uploading     ████████░░░░░░   61 %  5.82 MiB of 9.54 MiB",
        "⠁ b\\u{7}{x}.docx → de   translating   ░░░░░░░░░░░░░░  about 40 s left  0:00",
        "0 of 3 documents, 0:00",
    ];
    let shown = lines(&reporter, &stderr, &all);
    assert!(shown.iter().zip(expected).all(|(line, start)| line.starts_with(start)), "{shown:#?}");
    first.finish();
    group.overall().inc(1);
    let shown = lines(&reporter, &stderr, &all);
    assert_eq!((shown.len(), shown[1].as_str()), (2, "1 of 3 documents, 0:00"), "{shown:?}");
}

#[test]
fn an_estimate_counts_down_and_disappears() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    task.estimate("translating", Duration::from_secs(40));
    assert!(lines(&reporter, &stderr, &[&task])[0].contains("  about 40 s left"));
    task.estimate("translating", Duration::from_millis(1));
    std::thread::sleep(Duration::from_millis(10));
    assert!(lines(&reporter, &stderr, &[&task])[0].ends_with(" a.docx   translating   0:00"), "{}", stderr.text());
    assert_eq!(
        [40, 200, 7200].map(|s| task::time_left(Duration::from_secs(s))),
        ["about 40 s left", "about 3 minutes left", "about 2 hours left"]
    );
}

#[test]
fn a_narrow_terminal_omits_the_bar_and_numbers_and_cuts_labels() {
    let (reporter, _) = reporter(ProgressDisplay::Bars);
    let task = reporter.single(TaskName::with_target("the documents of the year/2026/report-1.txt", "de"));
    task.count("uploading", ProgressUnit::Bytes, Some(10_000_000));
    let at = |columns| task.state.template(true, columns, columns / 3).unwrap_or_default();
    assert_eq!([60, 77, 78, 200].map(|columns| at(columns).contains("{bar")), [false, false, true, true]);
    assert_eq!(at(58), "{spinner} …/report-1.txt → de   uploading     0 %  0 B of 9.54 MiB");
    assert_eq!(at(38), "{spinner} rep…txt → de   uploading     0 %");
}

#[test]
fn lines_fit_the_terminal_and_the_last_one_counts_hidden_tasks() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let tasks: Vec<_> = (0..40).map(|number| reporter.single(TaskName::new(&format!("報告-{number}.docx")))).collect();
    for task in &tasks {
        task.phase(&"very long ".repeat(20));
    }
    let tasks: Vec<_> = tasks.iter().collect();
    lines(&reporter, &stderr, &tasks);
    // indicatif does not draw so many lines immediately.
    std::thread::sleep(Duration::from_millis(150));
    let shown = lines(&reporter, &stderr, &tasks);
    assert_eq!(shown.len(), 23);
    assert!(shown.iter().all(|line| unicode_width::UnicodeWidthStr::width(&**line) <= 98), "{shown:?}");
    assert!(stderr.text().contains('…'));
}

#[test]
fn erases_lines_that_a_narrower_terminal_has_wrapped() {
    use indicatif::TermLike as _;
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COLUMNS: AtomicUsize = AtomicUsize::new(98);
    let buffer = SharedBuffer::default();
    let stream: SharedStream = Arc::new(Mutex::new(Box::new(buffer.clone())));
    let terminal = ProgressTerminal::new(stream, || (COLUMNS.load(Ordering::SeqCst), 24), true);
    let draw = |lines: &[&str]| {
        let before = buffer.text().len();
        for line in lines {
            terminal.write_str(line).unwrap();
        }
        terminal.flush().unwrap();
        buffer.text().split_off(before)
    };
    assert_eq!(draw(&[&"a".repeat(70), "b"]), format!("{}\u{1b}[K\nb\u{1b}[J", "a".repeat(70)));
    assert_eq!(draw(&["c", "d"]), "\r\u{1b}[1Ac\u{1b}[K\nd\u{1b}[J", "in place");
    draw(&[&"a".repeat(70), "b"]);
    COLUMNS.store(38, Ordering::SeqCst);
    assert_eq!(draw(&["c", "d"]), "\r\u{1b}[2A\u{1b}[Jc\u{1b}[K\nd\u{1b}[J");
    assert_eq!(draw(&[]), "\r\u{1b}[1A\u{1b}[J");
    assert_eq!(draw(&[]), "");
}

#[test]
fn only_bars_print_a_line_at_the_end_of_a_task() {
    let (bars, stderr) = reporter(ProgressDisplay::Bars);
    let (first, second) = (bars.single("longer.txt".into()), bars.single("b.txt".into()));
    first.succeeded("longer.de.txt  32 characters");
    second.failed(&ErrorReport::new(
        &tulk_base::error::Failure::internal("the disk is full").hint("delete a file").into(),
    ));
    let text = stderr.text();
    assert!(text.starts_with("✓ longer.txt  longer.de.txt  32 characters\n✗ b.txt       the disk is full\n"), "{text}");
    assert!(text.contains("hint: delete a file\n"), "{text}");
    let (plain, stderr) = reporter(ProgressDisplay::Lines);
    plain.single("a.txt".into()).succeeded("a.de.txt");
    assert_eq!(stderr.text(), "");
}

#[test]
fn lines_disappear_at_the_end() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    task.phase("translating");
    assert_eq!(stderr.text(), "", "not before a delay");
    assert_eq!(lines(&reporter, &stderr, &[&task]), ["⠁ a.docx   translating   0:00"]);
    reporter.stop_all();
    assert!(stderr.text().ends_with("\r\u{1b}[J"));
    assert!(task.state.template(true, 98, 40).is_none());
}

#[test]
fn a_message_is_printed_above_the_lines() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    task.phase("translating");
    reporter.draw(&[Arc::clone(&task.state)]);
    reporter.messages.print(MessageKind::Status, "note");
    let line = "⠁ a.docx   translating   0:00\u{1b}[J";
    assert_eq!(stderr.text(), format!("{line}\r\u{1b}[Jnote\n{line}"));
}

#[test]
fn the_last_clone_of_a_task_removes_its_line() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    let clone = task.clone();
    reporter.draw(&[Arc::clone(&task.state)]);
    drop(task);
    assert!(!stderr.text().contains('\r'));
    drop(clone);
    assert!(stderr.text().ends_with("\r\u{1b}[J"));
}

fn terminal() -> Terminals {
    Terminals { stderr: true, ..Terminals::default() }
}

fn build_server() -> Terminals {
    Terminals { ci: true, ..terminal() }
}

#[test]
fn bars_need_a_terminal_outside_of_ci() {
    let choose = |silent, terminals: &Terminals| ProgressDisplay::choose(None, silent, terminals);
    assert_eq!(choose(false, &terminal()), ProgressDisplay::Bars);
    assert_eq!(choose(false, &Terminals::default()), ProgressDisplay::Lines);
    assert_eq!(choose(false, &build_server()), ProgressDisplay::Lines);
    assert_eq!(choose(true, &terminal()), ProgressDisplay::Hidden);
    assert_eq!(choose(false, &Terminals { dumb: true, ..terminal() }), ProgressDisplay::Lines);
}

#[test]
fn an_explicit_choice_wins() {
    let choose = |choice, terminals: &Terminals| ProgressDisplay::choose(Some(choice), true, terminals);
    assert_eq!(choose(ProgressChoice::Bar, &build_server()), ProgressDisplay::Bars);
    assert_eq!(choose(ProgressChoice::Plain, &build_server()), ProgressDisplay::Lines);
    assert_eq!(choose(ProgressChoice::None, &terminal()), ProgressDisplay::Hidden);
    assert_eq!(choose(ProgressChoice::Auto, &terminal()), ProgressDisplay::Hidden);
    assert_eq!(choose(ProgressChoice::Bar, &Terminals::default()), ProgressDisplay::Lines, "a pipe has no bars");
}
