//! Makes text of a help page: aligned in two columns, wrapped to a width, with styles for terminals.

use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::builder::styling::{Effects, Style};
use unicode_width::UnicodeWidthStr as _;

use super::page::{GLOBAL_TITLE, HelpPage, HelpRow, HelpSection, UNFILLED};

/// The widest line of a help text.
const MAX_WIDTH: usize = 100;
/// Below this width the description of an option is on a line of its own.
const MIN_TWO_COLUMNS: usize = 60;
/// The widest first column, with its indent and the space after it. A longer option has a line of its own.
const MAX_COLUMN: usize = 38;
/// Indent of a description on its own line.
const STACKED_INDENT: usize = 10;

const HEADING: Style = Style::new().effects(Effects::BOLD.insert(Effects::UNDERLINE));
const LITERAL: Style = Style::new().effects(Effects::BOLD);

/// Lays out help texts for one width.
#[derive(Clone, Copy, Debug)]
pub struct HelpLayout {
    width: usize,
}

/// How much of a page is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HelpDetail {
    /// What fits on a screen.
    Short,
    /// Everything.
    Long,
}

impl HelpLayout {
    /// Returns the layout for the terminal, or for 100 columns without one.
    pub fn detect() -> Self {
        let measured = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let configured =
            || std::env::var("COLUMNS").ok().and_then(|width| width.parse().ok()).filter(|width| *width > 0);
        Self::new(measured.or_else(configured).unwrap_or(MAX_WIDTH))
    }

    /// Returns the layout for a width, up to 100 columns.
    pub fn new(width: usize) -> Self {
        Self { width: width.clamp(20, MAX_WIDTH) }
    }

    /// Returns this layout, or one for 80 columns if that is less.
    pub fn up_to_80(self) -> Self {
        Self { width: self.width.min(80) }
    }

    /// Returns what `-h` prints.
    pub fn short(self, page: &HelpPage, path: &str) -> StyledStr {
        let mut text = self.start(page, &[]);
        self.sections(&mut text, page, HelpDetail::Short);
        if page.has_more() {
            let _ = writeln!(text, "\nAll options: {path} --help");
        } else {
            text.push('\n');
        }
        let _ = writeln!(text, "Global options: tulk help global");
        text.into()
    }

    /// Returns what `--help` prints.
    pub fn long(self, page: &HelpPage) -> StyledStr {
        let mut text = self.start(page, &page.description);
        self.sections(&mut text, page, HelpDetail::Long);
        text.into()
    }

    /// Returns rows with their values, under headings.
    pub fn rows(self, sections: &[HelpSection]) -> String {
        let mut text = String::new();
        let column = self.column(sections.iter().flat_map(|section| &section.rows));
        for section in sections {
            let _ = writeln!(text, "\n{HEADING}{}:{HEADING:#}", section.title);
            for row in &section.rows {
                self.row(&mut text, row, column, HelpDetail::Long);
            }
        }
        text
    }

    /// Returns usage and examples.
    pub fn usage_and_examples(self, usage: &str, examples: &[String]) -> StyledStr {
        let mut text = String::new();
        self.usage(&mut text, usage);
        Self::examples(&mut text, examples);
        text.into()
    }

    fn start(self, page: &HelpPage, description: &[String]) -> String {
        let mut text = String::new();
        for paragraph in std::iter::once(&page.about).chain(description) {
            let is_filled = !paragraph.starts_with(UNFILLED);
            let lines = if is_filled { wrap(paragraph, self.width).join("\n") } else { paragraph.clone() };
            let _ = writeln!(text, "{lines}\n");
        }
        self.usage(&mut text, &page.usage);
        Self::examples(&mut text, &page.examples);
        text
    }

    fn usage(self, text: &mut String, usage: &str) {
        const TITLE: &str = "Usage: ";
        let lines = wrap_words(usage_words(usage), self.width.saturating_sub(TITLE.len()));
        let indent = format!("\n{}", " ".repeat(TITLE.len()));
        let _ = writeln!(text, "{HEADING}Usage:{HEADING:#} {}", lines.join(&indent));
    }

    /// Examples are never wrapped, so that they can be copied.
    fn examples(text: &mut String, examples: &[String]) {
        if examples.is_empty() {
            return;
        }
        let title = if examples.len() == 1 { "Example" } else { "Examples" };
        let _ = writeln!(text, "\n{HEADING}{title}:{HEADING:#}");
        for example in examples {
            let _ = writeln!(text, "  {example}");
        }
    }

    fn sections(self, text: &mut String, page: &HelpPage, detail: HelpDetail) {
        let is_shown = |row: &&HelpRow| detail == HelpDetail::Long || row.is_common;
        let column = self.column(page.sections.iter().flat_map(|section| section.rows.iter().filter(is_shown)));
        for section in &page.sections {
            let rows: Vec<_> = section.rows.iter().filter(is_shown).collect();
            if rows.is_empty() || (detail == HelpDetail::Short && section.title == GLOBAL_TITLE) {
                continue;
            }
            let _ = writeln!(text, "\n{HEADING}{}:{HEADING:#}", section.title);
            for row in rows {
                self.row(text, row, column, detail);
            }
        }
    }

    /// Returns where the second column starts.
    fn column<'a>(self, rows: impl Iterator<Item = &'a HelpRow>) -> usize {
        if self.width < MIN_TWO_COLUMNS {
            return STACKED_INDENT;
        }
        let column = |row: &HelpRow| row.term.width() + 4;
        rows.map(column).filter(|column| *column <= MAX_COLUMN).max().unwrap_or(STACKED_INDENT)
    }

    fn row(self, text: &mut String, row: &HelpRow, column: usize, detail: HelpDetail) {
        let _ = write!(text, "  {}", styled_term(&row.term));
        let have_meanings = row.values.iter().any(|(_, meaning)| !meaning.is_empty());
        let is_listed = detail == HelpDetail::Long && have_meanings;
        let mut help = row.text.clone();
        if !row.values.is_empty() && !is_listed {
            let names: Vec<&str> = row.values.iter().map(|(name, _)| name.as_str()).collect();
            let _ = write!(help, " [{}]", names.join(", "));
        }
        let end = row.term.width() + 2;
        let mut position = end;
        if end + 2 > column {
            text.push('\n');
            position = 0;
        }
        let indent = " ".repeat(column);
        for line in wrap(&help, self.width.saturating_sub(column)) {
            let _ = writeln!(text, "{}{line}", " ".repeat(column - position));
            position = 0;
        }
        if is_listed {
            let name_width = row.values.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
            let hanging = format!("\n{indent}  {}", " ".repeat(name_width + 2));
            for (name, meaning) in &row.values {
                let meaning = wrap(meaning, self.width.saturating_sub(column + name_width + 4)).join(&hanging);
                let _ = writeln!(
                    text,
                    "{indent}  {LITERAL}{name}{LITERAL:#}{}  {meaning}",
                    " ".repeat(name_width - name.width())
                );
            }
        }
    }
}

/// Makes the names of flags and commands bold, but not their values.
fn styled_term(term: &str) -> String {
    let names = term.find(['<', '[', '=']).unwrap_or(term.len());
    let (names, value) = term.split_at(names);
    let trimmed = names.trim_end();
    let indent = trimmed.len() - trimmed.trim_start().len();
    let (spaces, name) = trimmed.split_at(indent);
    if name.is_empty() {
        return term.to_owned();
    }
    format!("{spaces}{LITERAL}{name}{LITERAL:#}{}{value}", " ".repeat(names.len() - trimmed.len()))
}

/// Breaks a text at spaces into lines of at most `width` columns. A longer word has a line of its own.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    wrap_words(text.split_whitespace(), width)
}

/// Splits a usage line at the spaces that are not inside brackets.
fn usage_words(usage: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    usage.split(move |c: char| {
        match c {
            '<' | '[' => depth += 1,
            '>' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ' ' && depth == 0
    })
}

fn wrap_words<'a>(words: impl Iterator<Item = &'a str>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.is_empty() {
        lines.push(String::new());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> HelpPage {
        let row = |term: &str, text: &str, values: &[(&str, &str)], is_common| HelpRow {
            term: term.to_owned(),
            text: text.to_owned(),
            values: values.iter().map(|(name, help)| ((*name).to_owned(), (*help).to_owned())).collect(),
            is_common,
        };
        let options = vec![
            row("-t, --to <LANG>", "Target languages", &[], true),
            row(
                "    --formality <HOW>",
                "Formality",
                &[("more", "More formal"), ("prefer_less", "Less formal if supported")],
                true,
            ),
            row("    --a-very-long-name-of-an-option <PERCENT>", "Rare", &[], false),
        ];
        HelpPage {
            about: "Translate text".to_owned(),
            description: vec!["It reads files and pipes.".to_owned()],
            usage: "tulk t [OPTIONS]".to_owned(),
            examples: vec!["tulk t --to de Hello".to_owned()],
            sections: vec![HelpSection { title: "Options".to_owned(), rows: options }],
        }
    }

    #[test]
    fn the_short_help_has_the_common_options() {
        let expected = "\
Translate text

Usage: tulk t [OPTIONS]

Example:
  tulk t --to de Hello

Options:
  -t, --to <LANG>        Target languages
      --formality <HOW>  Formality [more, prefer_less]

All options: tulk t --help
Global options: tulk help global
";
        assert_eq!(HelpLayout::new(100).short(&page(), "tulk t").to_string(), expected);
    }

    #[test]
    fn the_long_help_explains_values_and_has_all_options() {
        let expected = "\
Translate text

It reads files and pipes.

Usage: tulk t [OPTIONS]

Example:
  tulk t --to de Hello

Options:
  -t, --to <LANG>        Target languages
      --formality <HOW>  Formality
                           more         More formal
                           prefer_less  Less formal if supported
      --a-very-long-name-of-an-option <PERCENT>
                         Rare
";
        assert_eq!(HelpLayout::new(100).long(&page()).to_string(), expected);
    }

    #[test]
    fn a_narrow_terminal_has_one_column() {
        let text = HelpLayout::new(40).short(&page(), "tulk t").to_string();
        assert!(text.contains("  -t, --to <LANG>\n          Target languages\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 40), "{text}");
    }

    #[test]
    fn a_usage_line_is_not_broken_inside_brackets() {
        let words: Vec<&str> = usage_words("tulk x [OPTIONS] <--a <N>|--b <N>> <KEY>").collect();
        assert_eq!(words, ["tulk", "x", "[OPTIONS]", "<--a <N>|--b <N>>", "<KEY>"]);
    }

    #[test]
    fn only_names_are_bold() {
        assert_eq!(styled_term("-t, --to <LANG>"), format!("{LITERAL}-t, --to{LITERAL:#} <LANG>"));
        assert_eq!(styled_term("    --all"), format!("    {LITERAL}--all{LITERAL:#}"));
        assert_eq!(styled_term("<FILE>..."), "<FILE>...");
    }
}
