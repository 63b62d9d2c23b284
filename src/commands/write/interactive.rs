//! `--interactive`: shows each change, asks whether to take it, and writes the taken changes.
//!
//! Nothing is written before the last answer, so Ctrl-C changes nothing.

use std::ops::Range;

use similar::{DiffTag, TextDiff};
use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode, ReadContent};

use super::diff::TextChange;
use crate::context::Context;
use crate::output::{TextStyle, escape_terminal};

const CONTEXT_LINES: usize = 3;

/// The possible answers. The last one is also used at the end of input.
const ANSWERS: &[(char, &str)] = &[
    ('y', "take this change"),
    ('n', "leave the text as it is"),
    ('a', "take this change and all later ones"),
    ('q', "skip this change and all later ones, and write the taken ones"),
];

/// A change of one line, or of several lines that cannot be paired.
struct LineEdit {
    old: Range<usize>,
    new: Range<usize>,
}

pub(super) fn ask_and_write(ctx: &Context, changes: &[TextChange]) -> Result<(), Failure> {
    let diffs: Vec<_> = changes.iter().map(|change| TextDiff::from_lines(&change.old, &change.new)).collect();
    let edits: Vec<Vec<LineEdit>> = diffs.iter().map(line_edits).collect();
    let mut review = Review { ctx, number: 0, total: edits.iter().map(Vec::len).sum(), taken: 0, answer_to_rest: None };
    let mut results = Vec::with_capacity(changes.len());
    for ((change, diff), edits) in changes.iter().zip(&diffs).zip(&edits) {
        results.push(review.result(change, diff.old_slices(), diff.new_slices(), edits)?);
    }
    let Review { taken, total, .. } = review;
    ctx.out.status(&match total {
        0 => "nothing to change".to_owned(),
        1 => format!("{taken} of 1 change taken"),
        _ => format!("{taken} of {total} changes taken"),
    });
    let mut outputs: Vec<(&TextChange, String)> = Vec::new();
    for (change, result) in changes.iter().zip(results) {
        match outputs.last_mut().filter(|(last, _)| last.output == change.output) {
            Some((_, text)) => text.push_str(&result),
            None => outputs.push((change, result)),
        }
    }
    // Write all files even if one fails.
    let written: Vec<_> = outputs.into_iter().map(|(change, text)| write(ctx, change, text)).collect();
    written.into_iter().collect()
}

/// Leaves an input file alone if none of its changes was taken. If it was edited during the questions, fails and writes the
/// result beside it under another name.
fn write(ctx: &Context, change: &TextChange, text: String) -> Result<(), Failure> {
    let Some(path) = &change.output else { return ctx.out.text(text) };
    if change.file.as_ref() != Some(path) {
        return files::write_atomic(path, text.as_bytes(), FileMode::Inherit);
    }
    let old = ReadContent::of(Some(change.old.as_bytes()));
    if text == change.old || files::write_over(path, text.as_bytes(), FileMode::Inherit, &old)? {
        return Ok(());
    }
    Err(files::edited_failure(path, &files::write_beside(path, text.as_bytes())?))
}

/// If as many lines are added as removed, each pair of lines is a separate change.
fn line_edits(diff: &TextDiff<'_, '_, '_, str>) -> Vec<LineEdit> {
    let mut edits = Vec::new();
    for op in diff.ops().iter().filter(|op| op.tag() != DiffTag::Equal) {
        let (old, new) = (op.old_range(), op.new_range());
        if old.len() == new.len() {
            edits.extend(old.zip(new).map(|(old, new)| LineEdit { old: old..old + 1, new: new..new + 1 }));
        } else {
            edits.push(LineEdit { old, new });
        }
    }
    edits
}

struct Review<'a> {
    ctx: &'a Context,
    number: usize,
    total: usize,
    taken: usize,
    /// The answer to all remaining changes, once given.
    answer_to_rest: Option<bool>,
}

impl Review<'_> {
    fn result(
        &mut self,
        change: &TextChange,
        old: &[&str],
        new: &[&str],
        edits: &[LineEdit],
    ) -> Result<String, Failure> {
        let lines = |lines: &[&str], range: Range<usize>| lines.get(range).unwrap_or_default().concat();
        let (mut result, mut done) = (String::new(), 0);
        for edit in edits {
            result.push_str(&lines(old, done..edit.old.start));
            done = edit.old.end;
            let (removed, added) = (lines(old, edit.old.clone()), lines(new, edit.new.clone()));
            let after = lines(old, edit.old.end..old.len().min(edit.old.end + CONTEXT_LINES));
            let place = format!("{}:{}", change.name, edit.old.start + 1);
            let is_taken = self.ask_whether_taken(&place, [&result, &removed, &added, &after])?;
            result.push_str(if is_taken { &added } else { &removed });
        }
        result.push_str(&lines(old, done..old.len()));
        Ok(result)
    }

    fn ask_whether_taken(&mut self, place: &str, [before, removed, added, after]: [&str; 4]) -> Result<bool, Failure> {
        self.number += 1;
        let is_taken = if let Some(rest) = self.answer_to_rest {
            rest
        } else {
            let answer = self.ask(place, [before, removed, added, after])?;
            if matches!(answer, 'a' | 'q') {
                self.answer_to_rest = Some(answer == 'a');
            }
            matches!(answer, 'y' | 'a')
        };
        self.taken += usize::from(is_taken);
        Ok(is_taken)
    }

    fn ask(&self, place: &str, [before, removed, added, after]: [&str; 4]) -> Result<char, Failure> {
        let color = self.ctx.out.settings().color_stderr;
        let mut shown = format!("{} (change {} of {})", escape_terminal(place), self.number, self.total);
        shown = format!("{}\n", TextStyle::Bold.paint(&shown, color));
        let mut push = |mark: &str, line: &str, style: Option<TextStyle>| {
            let line = format!("{mark}{}", escape_terminal(line.trim_end_matches('\r')));
            shown.push_str(&style.map_or(line.clone(), |style| style.paint(&line, color)));
            shown.push('\n');
        };
        let before =
            before.strip_suffix('\n').map(|before| before.rsplit('\n').take(CONTEXT_LINES).collect::<Vec<_>>());
        before.unwrap_or_default().into_iter().rev().for_each(|line| push(" ", line, None));
        removed.lines().for_each(|line| push("-", line, Some(TextStyle::Red)));
        added.lines().for_each(|line| push("+", line, Some(TextStyle::Green)));
        after.lines().for_each(|line| push(" ", line, None));
        self.ctx.out.choose(&shown, "Take this change?", ANSWERS).map_err(|failure| {
            if !failure.kind.is_stop() {
                return failure;
            }
            let what = format!("{}; nothing was written", failure.what);
            Failure { what, ..failure }
                .hint("answer q to write the changes taken so far; --cache keeps the results for another run")
        })
    }
}
