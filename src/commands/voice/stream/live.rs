//! Live text on a terminal: finished sentences scroll up, and unfinished ones stay below, one line per language.
//! Tentative text is dimmed.

use std::fmt::Write as _;
use std::sync::Arc;

use tulk_base::error::Failure;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr as _};

use super::transcripts::{TranscriptId, TranscriptSelection};
use crate::output::{Output, escape_terminal};

/// Length after which a line scrolls up even if its sentence has not ended.
const MAX_LINE_CHARS: usize = 400;
const DEFAULT_WIDTH: u16 = 80;

pub struct LiveDisplay {
    out: Arc<Output>,
    lines: Vec<LiveLine>,
    has_source: bool,
    /// Number of screen lines that the next drawing replaces.
    drawn_lines: usize,
    color: bool,
    /// Whether the terminal can move the cursor up.
    redraws: bool,
}

#[derive(Default)]
struct LiveLine {
    label: String,
    concluded: String,
    tentative: String,
}

impl LiveDisplay {
    pub fn new(out: &Arc<Output>, selection: &TranscriptSelection) -> Self {
        let source = selection.source_language.clone().unwrap_or_else(|| "…".to_owned());
        let source = selection.source.then_some(source);
        let several = selection.count() > 1;
        let label = |language: String| if several { format!("{language}: ") } else { String::new() };
        let line = |language| LiveLine { label: label(language), ..LiveLine::default() };
        let lines = source.into_iter().chain(selection.targets.iter().cloned()).map(line).collect();
        // A dumb terminal shows only finished sentences.
        let redraws = std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Self {
            out: Arc::clone(out),
            lines,
            has_source: selection.source,
            drawn_lines: 0,
            color: out.settings().color_stdout,
            redraws,
        }
    }

    fn line(&mut self, transcript: TranscriptId) -> Option<&mut LiveLine> {
        let at = match transcript {
            TranscriptId::Source if !self.has_source => return None,
            TranscriptId::Source => 0,
            TranscriptId::Target(at) => at + usize::from(self.has_source),
        };
        self.lines.get_mut(at)
    }

    /// Adds final text to a line. A finished sentence scrolls up.
    pub fn push(&mut self, transcript: TranscriptId, text: &str) -> Result<(), Failure> {
        let Some(line) = self.line(transcript) else { return Ok(()) };
        line.tentative.clear();
        line.concluded.push_str(text);
        let is_finished = ends_sentence(&line.concluded) || line.concluded.chars().count() > MAX_LINE_CHARS;
        let finished = if is_finished { line.take() } else { String::new() };
        self.draw(&finished)
    }

    pub fn set_tentative(&mut self, transcript: TranscriptId, text: &str) -> Result<(), Failure> {
        let Some(line) = self.line(transcript) else { return Ok(()) };
        if line.tentative == text {
            return Ok(());
        }
        text.clone_into(&mut line.tentative);
        self.draw("")
    }

    pub fn finish(&mut self) -> Result<(), Failure> {
        let finished = self.lines.iter_mut().map(LiveLine::take).collect::<String>();
        self.draw(&finished)
    }

    fn draw(&mut self, finished: &str) -> Result<(), Failure> {
        let width = usize::from(self.out.settings().width.unwrap_or(DEFAULT_WIDTH));
        let mut text = String::new();
        if self.drawn_lines > 0 {
            let _ = write!(text, "\x1b[{}A\x1b[J", self.drawn_lines);
        }
        text.push_str(finished);
        self.drawn_lines = 0;
        if self.redraws {
            for line in self.lines.iter().filter(|line| !line.concluded.is_empty() || !line.tentative.is_empty()) {
                text.push_str(&line.render(width.saturating_sub(1), self.color));
                text.push('\n');
                self.drawn_lines += 1;
            }
        }
        self.out.stdout().write(text.as_bytes())
    }
}

impl LiveLine {
    fn take(&mut self) -> String {
        self.tentative.clear();
        let text = std::mem::take(&mut self.concluded);
        let text = text.trim();
        if text.is_empty() { String::new() } else { format!("{}{}\n", self.label, escape_terminal(text)) }
    }

    /// Renders the end of the text, as much as fits into `width` columns.
    fn render(&self, width: usize, color: bool) -> String {
        let (concluded, tentative) = (escape_terminal(self.concluded.trim_start()), escape_terminal(&self.tentative));
        let tentative = if concluded.is_empty() { tentative.trim_start() } else { &tentative };
        let label = if columns(&self.label) < width { self.label.as_str() } else { "" };
        let room = width.saturating_sub(columns(label));
        let tail = tail(tentative, room);
        let head = self::tail(&concluded, room.saturating_sub(columns(tail)));
        if color { format!("{label}{head}\x1b[2m{tail}\x1b[0m") } else { format!("{label}{head}{tail}") }
    }
}

/// Returns the end of a text that fits into `room` columns, cut between grapheme clusters.
fn tail(text: &str, room: usize) -> &str {
    let mut used = 0;
    let fitting = text.grapheme_indices(true).rev().take_while(|(_, cluster)| {
        used += cluster_columns(cluster);
        used <= room
    });
    // A combining mark without its base character would be drawn on the preceding character.
    let start = fitting.filter(|(_, cluster)| cluster_columns(cluster) > 0).last();
    start.and_then(|(at, _)| text.get(at..)).unwrap_or("")
}

fn columns(text: &str) -> usize {
    text.graphemes(true).map(cluster_columns).sum()
}

/// Returns the width of a grapheme cluster in columns.
///
/// Terminals disagree about joined characters such as family emoji: some draw one picture, others its parts. The larger
/// width counts, because a line that is too long would wrap and could not be redrawn.
fn cluster_columns(cluster: &str) -> usize {
    cluster.width().max(cluster.chars().filter_map(UnicodeWidthChar::width).sum())
}

fn ends_sentence(text: &str) -> bool {
    text.trim_end().ends_with(['.', '!', '?', '…', '。', '！', '？', '।', '؟'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_its_end_and_dims_tentative_text() {
        let line = LiveLine { label: "de: ".into(), concluded: " Guten Morgen,".into(), tentative: " alle".into() };
        assert_eq!(line.render(40, true), "de: Guten Morgen,\x1b[2m alle\x1b[0m");
        assert_eq!(line.render(15, false), "de: orgen, alle");
        assert_eq!(line.render(7, false), "de: lle");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let mut line = LiveLine { label: String::new(), concluded: "a\x1b[2Jb".into(), tentative: String::new() };
        assert!(!line.render(40, false).contains('\x1b'));
        assert!(!line.take().contains('\x1b'));
    }

    #[test]
    fn measures_text_in_terminal_columns() {
        assert_eq!(tail("今日は", 4), "日は");
        assert_eq!(tail("مرحبا", 4), "رحبا");
        assert_eq!(tail("e\u{301}e\u{301}", 1), "e\u{301}");
        assert_eq!(tail("e\u{301}", 0), "");
        assert_eq!(tail("abc", 0), "");
        for (text, width) in [
            ("e\u{301}", 1),
            ("\u{e01}\u{e35}\u{e48}", 1),
            ("\u{1112}\u{1161}\u{11ab}", 2),
            ("한국", 4),
            ("ｱｲｳ", 3),
            ("Ａ", 2),
            ("ἀλφα “—…”", 9),
            ("αβγ жзи አማርኛ ქართული", 20),
            ("❤\u{fe0f}", 2),
            ("👍🏽", 4),
            ("👩\u{200d}👩\u{200d}👧", 6),
            ("a\u{200b}b", 2),
        ] {
            assert_eq!(columns(text), width, "{text}");
        }
    }

    #[test]
    fn never_cuts_a_grapheme_cluster() {
        let family = "👩\u{200d}👩\u{200d}👧";
        assert_eq!(tail(&format!("a{family}"), 6), family);
        assert_eq!(tail(&format!("a{family}b"), 5), "b");
        assert_eq!(tail("🇩🇪🇫🇷", 3), "🇫🇷");
        assert_eq!(tail("\u{301}a", 5), "a", "a mark without a base");
        assert_eq!(tail("นี้", 1), "นี้");
        let line = LiveLine { label: "de: ".into(), concluded: "今日は".into(), tentative: "世界".into() };
        assert_eq!(line.render(8, false), "de: 世界");
        assert_eq!(line.render(11, false), "de: は世界");
        assert_eq!(line.render(4, false), "世界", "a label that leaves no room");
        assert!(ends_sentence("そうです。") && !ends_sentence("and then"));
    }
}
