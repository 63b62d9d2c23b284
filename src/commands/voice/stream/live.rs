//! Text on a terminal while it is spoken: finished sentences scroll away above, what is under way stands below, a line
//! for each language, the tentative part dimmed.

use std::fmt::Write as _;
use std::sync::Arc;

use super::Shown;
use crate::error::Failure;
use crate::output::{Output, escape_terminal};

/// Characters after which a sentence without an end scrolls away all the same.
const LONGEST: usize = 400;
/// Columns where the terminal's are not known.
const USUAL_WIDTH: u16 = 80;

/// The lines under way.
pub struct Live {
    out: Arc<Output>,
    blocks: Vec<Block>,
    has_source: bool,
    /// Lines on the screen that are drawn anew.
    drawn: usize,
    color: bool,
    moves: bool,
}

#[derive(Default)]
struct Block {
    label: String,
    open: String,
    tentative: String,
}

impl Live {
    /// Lines for what is shown.
    pub fn new(out: &Arc<Output>, shown: &Shown) -> Self {
        let source = shown.source.as_ref().map(|language| language.clone().unwrap_or_else(|| "…".to_owned()));
        let several = shown.count() > 1;
        let label = |language: String| if several { format!("{language}: ") } else { String::new() };
        let block = |language| Block { label: label(language), ..Block::default() };
        let blocks = source.into_iter().chain(shown.targets.iter().cloned()).map(block).collect();
        // A terminal that has no moves shows finished sentences alone.
        let moves = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self {
            out: Arc::clone(out),
            blocks,
            has_source: shown.source.is_some(),
            drawn: 0,
            color: out.settings().color_stdout(),
            moves,
        }
    }

    fn block(&mut self, target: Option<usize>) -> Option<&mut Block> {
        let at = match target {
            None if !self.has_source => return None,
            None => 0,
            Some(at) => at + usize::from(self.has_source),
        };
        self.blocks.get_mut(at)
    }

    /// Takes concluded text.
    pub fn concluded(&mut self, target: Option<usize>, text: &str) -> Result<(), Failure> {
        let Some(block) = self.block(target) else { return Ok(()) };
        block.tentative.clear();
        block.open.push_str(text);
        let done = ends_sentence(&block.open) || block.open.chars().count() > LONGEST;
        let gone = if done { block.take() } else { String::new() };
        self.draw(&gone)
    }

    /// Takes tentative text.
    pub fn tentative(&mut self, target: Option<usize>, text: &str) -> Result<(), Failure> {
        let Some(block) = self.block(target) else { return Ok(()) };
        if block.tentative == text {
            return Ok(());
        }
        text.clone_into(&mut block.tentative);
        self.draw("")
    }

    /// Lets everything scroll away.
    pub fn end(&mut self) -> Result<(), Failure> {
        let gone = self.blocks.iter_mut().map(Block::take).collect::<String>();
        self.draw(&gone)
    }

    /// Draws the lines under way anew, below what has gone.
    fn draw(&mut self, gone: &str) -> Result<(), Failure> {
        let width = usize::from(self.out.settings().width().unwrap_or(USUAL_WIDTH));
        let mut text = String::new();
        if self.drawn > 0 {
            // Writing to a String does not fail.
            let _ = write!(text, "\x1b[{}A\x1b[J", self.drawn);
        }
        text.push_str(gone);
        self.drawn = 0;
        if self.moves {
            for block in self.blocks.iter().filter(|b| !b.open.is_empty() || !b.tentative.is_empty()) {
                text.push_str(&block.line(width.saturating_sub(1), self.color));
                text.push('\n');
                self.drawn += 1;
            }
        }
        self.out.stdout().write(text.as_bytes())
    }
}

impl Block {
    /// Takes what is concluded out, as lines that stay.
    fn take(&mut self) -> String {
        self.tentative.clear();
        let text = std::mem::take(&mut self.open);
        let text = text.trim();
        if text.is_empty() { String::new() } else { format!("{}{}\n", self.label, escape_terminal(text)) }
    }

    /// The end of what is under way, as much as fits on a line.
    fn line(&self, width: usize, color: bool) -> String {
        let (open, tentative) = (escape_terminal(self.open.trim_start()), escape_terminal(&self.tentative));
        let tentative = if open.is_empty() { tentative.trim_start() } else { &tentative };
        let room = width.saturating_sub(columns(&self.label));
        let tail = tail(tentative, room);
        let head = self::tail(&open, room.saturating_sub(columns(tail)));
        if color { format!("{}{head}\x1b[2m{tail}\x1b[0m", self.label) } else { format!("{}{head}{tail}", self.label) }
    }
}

/// Columns of a text: scripts of wide letters take two each.
fn columns(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum()
}

/// The end of a text that fits.
fn tail(text: &str, room: usize) -> &str {
    let mut taken = 0;
    let start = text.char_indices().rev().take_while(|(_, c)| {
        taken += if *c >= '\u{1100}' { 2 } else { 1 };
        taken <= room
    });
    start.last().and_then(|(at, _)| text.get(at..)).unwrap_or("")
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_the_end_and_dims_what_may_change() {
        let block = Block { label: "de: ".into(), open: " Guten Morgen,".into(), tentative: " alle".into() };
        assert_eq!(block.line(40, true), "de: Guten Morgen,\x1b[2m alle\x1b[0m");
        assert_eq!(block.line(15, false), "de: orgen, alle");
        assert_eq!(block.line(7, false), "de: lle");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let mut block = Block { label: String::new(), open: "a\x1b[2Jb".into(), tentative: String::new() };
        assert!(!block.line(40, false).contains('\x1b'));
        assert!(!block.take().contains('\x1b'));
    }

    #[test]
    fn wide_letters_take_two_columns() {
        assert_eq!(tail("今日は", 4), "日は");
        assert_eq!(tail("abc", 0), "");
        assert!(ends_sentence("そうです。") && !ends_sentence("and then"));
    }
}
