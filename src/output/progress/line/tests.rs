//! Tests of the lines that a terminal shows.

use super::*;

const UTF8: ProgressCharacters = ProgressCharacters::UTF8;
const ASCII: ProgressCharacters = ProgressCharacters::ASCII;

fn words(name: &str, target: &str, phase: &str, detail: &str) -> TaskLine {
    let target = Some(target.to_owned()).filter(|target| !target.is_empty());
    TaskLine { name: name.into(), target, phase: phase.into(), detail: detail.into(), ..TaskLine::default() }
}

fn upload(name: &str, target: &str, done: u64) -> TaskLine {
    let count = TaskCount { done, total: Some(10_000_000), unit: ProgressUnit::Bytes, per_second: 1_258_300 };
    TaskLine { count: Some(count), ..words(name, target, "uploading", "") }
}

fn summary(done: u64, total: u64) -> SummaryLine {
    SummaryLine { noun: "documents".into(), done, total, elapsed: Duration::from_secs(14) }
}

fn reports() -> ProgressFrame {
    let tasks = vec![
        upload("report-1.txt", "de", 6_100_000),
        TaskLine { is_waiting: true, ..words("report-1.txt", "fr", "queued", "") },
        words("report-2.txt", "de", "translating", "about 40 s left"),
    ];
    ProgressFrame { tasks, summary: Some(summary(1, 4)) }
}

#[test]
fn documents_are_in_columns() {
    let expected = [
        "report-1.txt → de   uploading     ████████░░░░░░  61 %  1.2 MiB/s",
        "report-1.txt → fr   queued",
        "report-2.txt → de   translating   about 40 s left",
        "1 of 4 documents, 0:14",
    ];
    assert_eq!(reports().lines((100, 30), &UTF8), expected);
}

#[test]
fn a_terminal_without_utf8_gets_other_characters() {
    let expected = [
        "report-1.txt -> de   uploading     ########------  61 %  1.2 MiB/s",
        "report-1.txt -> fr   queued",
        "report-2.txt -> de   translating   about 40 s left",
        "1 of 4 documents, 0:14",
    ];
    assert_eq!(reports().lines((100, 30), &ASCII), expected);
    assert!(reports().lines((30, 30), &ASCII).iter().all(|line| line.is_ascii()));
}

#[test]
fn a_narrow_terminal_drops_numbers_and_then_cuts_labels() {
    let at = |width| reports().lines((width, 30), &UTF8);
    assert_eq!(at(68)[0], "report-1.txt → de   uploading     ████████░░░░░░  61 %  1.2 MiB/s");
    assert_eq!(at(64)[0], "report-1.txt → de   uploading     ████████░░░░░░  61 %");
    assert_eq!(at(64)[2], "report-2.txt → de   translating   about 40 s left");
    assert_eq!(at(42)[0], "report-1.txt → de   uploading      61 %");
    assert_eq!(at(40)[0], "report-1.txt → de   uploading     61 %");
    assert_eq!(at(36)[0], "report-1.txt → de   uploading");
    assert_eq!(at(24)[0], "rep…txt → de   upload…");
}

#[test]
fn a_narrow_terminal_keeps_the_file_names_of_paths() {
    let folder = "the documents of the year/2026";
    let tasks = vec![
        words(&format!("{folder}/report-1.txt"), "de", "translating", "about 40 s left"),
        words(&format!("{folder}/report-22.txt"), "de", "uploading", "waiting for the response"),
    ];
    let frame = ProgressFrame { tasks, summary: None };
    let expected = [
        "the documents…/report-1.txt → de   translating   about 40 s left",
        "the document…/report-22.txt → de   uploading     waiting for the response",
    ];
    assert_eq!(frame.lines((75, 24), &UTF8), expected);
    let expected =
        ["t…/report-1.txt → de   translating   about 40 s…", "…/report-22.txt → de   uploading     waiting fo…"];
    assert_eq!(frame.lines((50, 24), &UTF8), expected);
}

#[test]
fn no_line_is_wider_than_the_terminal_or_wrapped() {
    let mut frame = reports();
    frame.tasks.push(upload("財務報告書-第四四半期-最終版-財務報告書.docx", "ja", 5_000_000));
    frame.tasks.push(words(
        "e\u{301}te\u{301} 🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂 résumé.docx",
        "pt-BR",
        "waiting for the response",
        "",
    ));
    for characters in [UTF8, ASCII] {
        for width in 1..130 {
            for line in frame.lines((width, 30), &characters) {
                assert!(line.width() <= width.saturating_sub(2).max(1), "{width}: {line}");
            }
        }
    }
}

#[test]
fn wide_characters_stay_in_columns() {
    let tasks = vec![words("報告.docx", "de", "queued", ""), words("a.docx", "de", "queued", "")];
    let lines = ProgressFrame { tasks, summary: None }.lines((80, 30), &UTF8);
    assert_eq!(lines, ["報告.docx → de   queued", "a.docx → de      queued"]);
}

#[test]
fn a_low_terminal_shows_the_active_tasks_and_counts_the_rest() {
    let active = (0..8).map(|n| words(&format!("{n}.txt"), "de", "translating", ""));
    let waiting = (8..40).map(|n| TaskLine { is_waiting: true, ..words(&format!("{n}.txt"), "de", "queued", "") });
    let frame = ProgressFrame { tasks: active.chain(waiting).collect(), summary: Some(summary(0, 40)) };
    let lines = frame.lines((80, 24), &UTF8);
    assert_eq!(lines.len(), 9);
    assert_eq!(lines[0], "0.txt → de   translating");
    assert_eq!(lines[8], "0 of 40 documents, 0:14, 32 more not shown");
    let lines = frame.lines((80, 5), &UTF8);
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[3], "0 of 40 documents, 0:14, 37 more not shown");
    assert_eq!(frame.lines((80, 1), &UTF8), ["0 of 40 documents, 0:14, 40 more not shown"]);
    assert_eq!(frame.lines((80, 50), &UTF8).len(), 41);
}

#[test]
fn a_bar_needs_a_length() {
    let entries = |done, total, elapsed| {
        let count = TaskCount { done, total, unit: ProgressUnit::Entries, per_second: 85 };
        let elapsed = Some(Duration::from_secs(elapsed));
        let task = TaskLine { count: Some(count), elapsed, ..words("book.txt", "de", "translating", "") };
        ProgressFrame { tasks: vec![task], summary: None }.lines((100, 24), &UTF8).join("\n")
    };
    assert_eq!(entries(1234, None, 14), "book.txt → de   translating   1,234 entries  85/s  0:14");
    assert_eq!(
        entries(1234, Some(2000), 14),
        "book.txt → de   translating   ████████░░░░░░  61 %  1,234 of 2,000 entries  85/s  0:14"
    );
    assert_eq!(entries(0, Some(0), 0), "book.txt → de   translating   0 of 0 entries  85/s  0:00");
    assert!(entries(3000, Some(2000), 1).contains("██████████████ 100 %"), "a length that was too low");
}

#[test]
fn texts_are_cut_between_characters() {
    assert_eq!(cut_end("報告書", 4, "…"), "報…");
    assert_eq!(cut_middle("abcdefghij", 5, "…"), "ab…ij");
    assert_eq!(cut_middle("報告書報告書", 6, "…"), "報…書");
    assert_eq!(cut_middle("abcdef", 2, "..."), "..");
    assert_eq!(cut_end("abc", 3, "…"), "abc");
}
