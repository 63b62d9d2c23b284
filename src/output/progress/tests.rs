//! Tests of what a command's reports become.

use tulk_base::error::ErrorReport;

use super::*;
use crate::output::tests::{SharedBuffer, messages};

fn reporter(display: ProgressDisplay) -> (ProgressReporter, SharedBuffer) {
    let buffer = SharedBuffer::default();
    let (stderr, messages) = messages(&buffer);
    (ProgressReporter::new(display, stderr, messages), buffer)
}

fn plain_line(task: &ProgressTask) -> String {
    task.state.plain_line(Duration::from_secs(12))
}

fn lines(tasks: &[&ProgressTask]) -> Vec<String> {
    let tasks: Vec<_> = tasks.iter().map(|task| Arc::clone(&task.state)).collect();
    frame(&tasks).lines((80, 24), &line::ProgressCharacters::new(true))
}

#[test]
fn a_plain_line_is_due_every_ten_seconds() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let task = reporter.single("translating".into());
    task.count("translating", ProgressUnit::Entries, Some(200));
    task.set(50);
    let due = |seconds| task.state.due_plain_line(Duration::from_secs(seconds));
    let lines: Vec<String> = [0, 9, 10, 11, 19, 20].into_iter().filter_map(due).collect();
    assert_eq!(lines, ["translating: 50 of 200 (25%), 10 s so far", "translating: 50 of 200 (25%), 20 s so far"]);
    task.finish();
    assert_eq!(due(30), None);
}

#[test]
fn a_plain_line_contains_what_is_known() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let task = reporter.single(TaskName::with_target("a.docx", "de"));
    assert_eq!(plain_line(&task), "a.docx (de): 12 s so far");
    task.count("uploading", ProgressUnit::Bytes, None);
    task.set(2048);
    let line = plain_line(&task);
    assert!(line.starts_with("a.docx (de): 2.00 KiB, uploading, ") && line.ends_with("/s, 12 s so far"), "{line}");
    task.set_total(Some(0));
    task.phase_with("translating", "about 40 s left");
    assert_eq!(plain_line(&task), "a.docx (de): 2.00 KiB of 0 B, translating, about 40 s left, 12 s so far");
}

#[test]
fn plain_lines_report_only_the_whole_group() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let group = ProgressGroup::counted(&reporter, "documents", 2);
    let first = group.add("a.docx".into());
    group.overall().inc(1);
    let due = |task: &ProgressTask| task.state.due_plain_line(Duration::from_secs(10));
    assert_eq!(due(&first), None);
    assert_eq!(due(group.overall()).unwrap(), "documents: 1 of 2 (50%), 10 s so far");
}

#[test]
fn a_terminal_shows_the_tasks_and_their_number() {
    let (reporter, _) = reporter(ProgressDisplay::Lines);
    let group = ProgressGroup::counted(&reporter, "documents", 2);
    let (first, second) = (group.add("a.docx".into()), group.add(TaskName::with_target("b\u{7}.docx", "de")));
    first.count("uploading", ProgressUnit::Bytes, Some(0));
    let expected = ["a.docx             uploading", "b\\u{7}.docx → de   queued", "0 of 2 documents, 0:00"];
    assert_eq!(lines(&[&first, &second, group.overall()]), expected);
    first.finish();
    group.overall().inc(1);
    assert_eq!(lines(&[&first, &second, group.overall()]), ["b\\u{7}.docx → de   queued", "1 of 2 documents, 0:00"]);
    let named = ProgressGroup::named(&reporter, "a.txt");
    assert_eq!(lines(&[named.overall()]), [""; 0]);
}

#[test]
fn the_end_of_a_task_is_printed_once_where_lines_are_drawn() {
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
fn lines_appear_after_a_delay_and_disappear_at_the_end() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    task.phase("translating");
    let tasks = [Arc::clone(&task.state)];
    reporter.draw(&tasks, false);
    assert_eq!(stderr.text(), "");
    reporter.draw(&tasks, true);
    assert_eq!(stderr.text(), "a.docx   translating   0:00\u{1b}[K");
    reporter.stop_all();
    assert!(stderr.text().ends_with("\r\u{1b}[J"));
    assert!(task.state.is_finished());
}

#[test]
fn a_message_is_printed_above_the_lines() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    task.phase("translating");
    reporter.draw(&[Arc::clone(&task.state)], true);
    reporter.messages.print(MessageKind::Status, "note");
    let line = "a.docx   translating   0:00\u{1b}[K";
    assert_eq!(stderr.text(), format!("{line}\r\u{1b}[Jnote\n{line}"));
}

#[test]
fn the_line_of_a_task_goes_with_its_last_clone() {
    let (reporter, stderr) = reporter(ProgressDisplay::Bars);
    let task = reporter.single("a.docx".into());
    let clone = task.clone();
    reporter.draw(&[Arc::clone(&task.state)], true);
    drop(task);
    assert!(!stderr.text().contains("\u{1b}[J"));
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
fn bars_are_for_terminals_that_somebody_watches() {
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
