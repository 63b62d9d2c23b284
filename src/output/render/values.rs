//! Formats values for people: times to the minute, grouped digits, paths relative to the current directory, symbols for flags.
//!
//! Control characters are escaped here, so the measured text is the printed text.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use tulk_base::numbers::grouped;

use super::shorten;
use crate::output::color::TextStyle;
use crate::output::column::{ColumnKind, StatusTone, StatusWord};
use crate::output::escape;
use crate::output::view::Cell;

#[derive(Clone, Debug, Default)]
pub struct ValueStyle {
    /// Whether stdout is a terminal: control characters are escaped and digits are grouped.
    pub terminal: bool,
    pub utf8: bool,
    pub current_dir: Option<PathBuf>,
    /// Home directory. On a terminal, paths inside it start with `~`.
    pub home: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownValue {
    pub text: String,
    pub style: Option<TextStyle>,
}

impl ValueStyle {
    pub fn ellipsis(&self) -> &'static str {
        shorten::ellipsis(self.utf8)
    }

    pub fn show(&self, cell: &Cell, kind: ColumnKind) -> ShownValue {
        let mut style = None;
        let text = match kind {
            ColumnKind::Count if self.terminal => group_digits(cell.text()),
            ColumnKind::Time => to_minute(cell.text()),
            ColumnKind::Day => day(cell.text()).unwrap_or_else(|| cell.text().to_owned()),
            ColumnKind::Path => self.relative_path(cell.text()),
            ColumnKind::Flag => self.flag(cell.text()).to_owned(),
            ColumnKind::Status(words) => {
                let word = words.iter().find(|word| word.word == cell.text());
                style = word.map(|word| tone_style(word.tone));
                word.map_or(cell.text(), |StatusWord { shown, .. }| shown).to_owned()
            }
            _ if cell.is_list() => cell.text().replace(',', ", "),
            _ => cell.text().to_owned(),
        };
        ShownValue { text: escape::cell(&text, self.terminal).into_owned(), style }
    }

    /// Returns a period in one line: two days if it starts and ends at midnight, otherwise two times to the minute.
    pub fn period(&self, [start, end]: &[Cell; 2]) -> String {
        let days = |cell: &Cell| timestamp(cell.text()).is_none_or(|time| time.as_second() % 86_400 == 0);
        let kind = if days(start) && days(end) { ColumnKind::Day } else { ColumnKind::Time };
        format!("{} to {}", self.show(start, kind).text, self.show(end, kind).text)
    }

    fn flag<'a>(&self, text: &'a str) -> &'a str {
        match text {
            "true" if self.utf8 => "✓",
            "true" => "yes",
            "false" => "",
            other => other,
        }
    }

    fn relative_path(&self, path: &str) -> String {
        let inside = self.current_dir.as_deref().and_then(|dir| Path::new(path).strip_prefix(dir).ok());
        match inside {
            Some(inside) if inside.as_os_str().is_empty() => ".".to_owned(),
            Some(inside) => inside.to_string_lossy().into_owned(),
            None => from_home(path, self.home.as_deref().filter(|_| self.terminal)),
        }
    }
}

/// Writes a path in the home directory with `~`, as Unix shells accept it. Other paths, and all on Windows, stay unchanged.
pub fn from_home(path: &str, home: Option<&Path>) -> String {
    let home = home.filter(|home| cfg!(unix) && home.parent().is_some());
    match home.and_then(|home| Path::new(path).strip_prefix(home).ok()) {
        Some(inside) if inside.as_os_str().is_empty() => "~".to_owned(),
        Some(inside) => format!("~/{}", inside.display()),
        None => path.to_owned(),
    }
}

fn tone_style(tone: StatusTone) -> TextStyle {
    match tone {
        StatusTone::Done => TextStyle::Green,
        StatusTone::Working => TextStyle::Yellow,
        StatusTone::Failed => TextStyle::Red,
    }
}

/// Returns a time as `2026-11-21 19:54` in UTC. Other text stays unchanged.
fn to_minute(text: &str) -> String {
    timestamp(text).map_or_else(|| text.to_owned(), |time| time.strftime("%Y-%m-%d %H:%M").to_string())
}

/// Parses a text with a date and a time. Without a time zone, it is in UTC.
pub fn timestamp(text: &str) -> Option<Timestamp> {
    let in_utc = || TimeZone::UTC.to_timestamp(text.parse::<DateTime>().ok().filter(|_| text.contains(':'))?).ok();
    text.parse().ok().or_else(in_utc)
}

fn day(text: &str) -> Option<String> {
    timestamp(text).map(|time| time.strftime("%Y-%m-%d").to_string())
}

/// Returns a number with its digits in groups of three: `1,234,567`. Other text stays unchanged.
fn group_digits(text: &str) -> String {
    let (whole, fraction) = text.find('.').map_or((text, ""), |at| text.split_at(at));
    if whole.chars().all(|c| c.is_ascii_digit()) { format!("{}{fraction}", grouped(whole)) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_terminal() -> ValueStyle {
        ValueStyle { terminal: true, utf8: true, current_dir: Some("/home/ada".into()), home: Some("/home".into()) }
    }

    fn shown(value: impl Into<Cell>, kind: ColumnKind) -> String {
        on_terminal().show(&value.into(), kind).text
    }

    #[test]
    fn times_are_in_utc_without_seconds() {
        assert_eq!(shown("2026-11-21T19:54:59Z", ColumnKind::Time), "2026-11-21 19:54");
        assert_eq!(shown("2026-11-21T19:54:59.123456+02:00", ColumnKind::Time), "2026-11-21 17:54");
        assert_eq!(shown("2026-11-21T23:54:59-02:00", ColumnKind::Day), "2026-11-22");
        for text in ["2026-11-21T19:54:59", "2026-11-21T19:54:59.123", "2026-11-21 19:54:59"] {
            assert_eq!(shown(text, ColumnKind::Time), "2026-11-21 19:54", "{text}");
            assert_eq!(shown(text, ColumnKind::Day), "2026-11-21", "{text}");
        }
        assert_eq!(shown("2026-11-21", ColumnKind::Time), "2026-11-21");
        assert_eq!(shown("soon", ColumnKind::Time), "soon");
        assert_eq!(shown("2026-11-21", ColumnKind::Day), "2026-11-21");
    }

    #[test]
    fn a_period_has_times_unless_it_begins_and_ends_at_midnight() {
        let period = |start: &str, end: &str| on_terminal().period(&[start.into(), end.into()]);
        assert_eq!(period("2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"), "2026-11-01 to 2026-12-01");
        assert_eq!(period("2026-11-01", "2026-12-01"), "2026-11-01 to 2026-12-01");
        assert_eq!(period("2026-11-01T10:30:00Z", "2026-12-01T00:00:00Z"), "2026-11-01 10:30 to 2026-12-01 00:00");
    }

    #[test]
    fn digits_of_counts_are_grouped_on_a_terminal_only() {
        for (text, grouped) in [
            ("0", "0"),
            ("999", "999"),
            ("1000", "1,000"),
            ("1234567", "1,234,567"),
            ("12345.678", "12,345.678"),
            ("unknown", "unknown"),
            ("1e9", "1e9"),
            ("", ""),
        ] {
            assert_eq!(shown(text, ColumnKind::Count), grouped, "{text}");
        }
        assert_eq!(shown("2026", ColumnKind::Number), "2026");
        assert_eq!(ValueStyle::default().show(&1_234_567u64.into(), ColumnKind::Count).text, "1234567");
    }

    #[test]
    fn paths_inside_the_current_directory_are_relative() {
        assert_eq!(shown("/home/ada/texts/a.txt", ColumnKind::Path), "texts/a.txt");
        assert_eq!(shown("/home/ada", ColumnKind::Path), ".");
        let in_home = if cfg!(windows) { "/home/adam/a.txt" } else { "~/adam/a.txt" };
        assert_eq!(shown("/home/adam/a.txt", ColumnKind::Path), in_home);
        assert_eq!(shown("/homes/a.txt", ColumnKind::Path), "/homes/a.txt");
        let in_pipe = ValueStyle { terminal: false, ..on_terminal() };
        assert_eq!(in_pipe.show(&"/home/adam/a.txt".into(), ColumnKind::Path).text, "/home/adam/a.txt");
        assert_eq!(shown("work/a.txt", ColumnKind::Path), "work/a.txt");
        assert_eq!(shown("-", ColumnKind::Path), "-");
    }

    #[test]
    fn flags_are_symbols_or_words() {
        assert_eq!(shown(true, ColumnKind::Flag), "✓");
        assert_eq!(shown(false, ColumnKind::Flag), "");
        assert_eq!(shown("beta", ColumnKind::Flag), "beta");
        let ascii = ValueStyle { utf8: false, ..on_terminal() };
        assert_eq!(ascii.show(&true.into(), ColumnKind::Flag).text, "yes");
        assert_eq!(ascii.ellipsis(), "...");
    }

    #[test]
    fn status_words_have_a_colour_and_may_be_shown_as_another_word() {
        const WORDS: &[StatusWord] = &[StatusWord::done("done"), StatusWord::working("uploaded").shown("working")];
        let status = |word: &str| {
            let shown = on_terminal().show(&word.into(), ColumnKind::Status(WORDS));
            (shown.text, shown.style)
        };
        assert_eq!(status("done"), ("done".to_owned(), Some(TextStyle::Green)));
        assert_eq!(status("uploaded"), ("working".to_owned(), Some(TextStyle::Yellow)));
        assert_eq!(status("new"), ("new".to_owned(), None));
    }

    #[test]
    fn adds_spaces_to_lists_and_escapes_control_characters() {
        assert_eq!(shown(Cell::list(["en:de", "en:fr"]), ColumnKind::Text), "en:de, en:fr");
        assert_eq!(shown("a,b\t\u{1b}[2J", ColumnKind::Name), "a,b\\t\\u{1b}[2J");
    }
}
