//! `tulk man [DIR]`: the manual, one page per command.
//!
//! Input: the clap tree, and a directory. Output: `tulk.1` on stdout, or all pages as files. `tulk.1` has what holds for all
//! commands: global options, exit codes, variables and files. The other pages refer to it.

use std::path::{Path, PathBuf};

use clap::{Arg, Args, Command};
use clap_mangen::roff::{Inline, Roff, bold, italic, roman};
use tulk_base::error::Failure;

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::help::{self, HelpPage, HelpRow, HelpSection, TOPICS, UNFILLED};

/// Print the manual page, or write all pages to a directory
#[derive(Args, Debug)]
#[command(add = CommandSpec::text().offline())]
#[command(after_help = "tulk man > tulk.1\ntulk man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Directory to write all pages to; without it, print tulk.1
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

impl Run for ManArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut tree = ctx.command_tree();
        tree.build();
        match &self.dir {
            None => ctx.out.stdout().write(&main_page(&tree)?)?,
            Some(dir) => {
                std::fs::create_dir_all(dir).map_err(|e| Failure::file("create", dir, &e))?;
                write_page(dir, "tulk", &main_page(&tree)?)?;
                write_pages(&tree, "tulk", dir)?;
            }
        }
        Ok(())
    }
}

/// Writes the pages of all subcommands.
fn write_pages(command: &Command, path: &str, dir: &Path) -> Result<(), Failure> {
    for subcommand in visible(command) {
        let name = format!("{path} {}", subcommand.get_name());
        write_page(dir, &name, &command_page(subcommand, &name, command)?)?;
        write_pages(subcommand, &name, dir)?;
    }
    Ok(())
}

fn write_page(dir: &Path, name: &str, page: &[u8]) -> Result<(), Failure> {
    let path = dir.join(format!("{}.1", page_name(name)));
    std::fs::write(&path, page).map_err(|e| Failure::file("write", &path, &e))
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set())
}

/// Returns the name of the page of a command: `tulk-glossary-add` for `tulk glossary add`.
fn page_name(command: &str) -> String {
    command.replace(' ', "-")
}

/// Returns `tulk.1`, which contains the global options and the topics.
fn main_page(tree: &Command) -> Result<Vec<u8>, Failure> {
    let help = help::overview_page(tree);
    let mut page = RoffPage::new("tulk", &help.about);
    page.synopsis("tulk", tree);
    page.description(&help);
    page.section("COMMANDS");
    for (title, commands) in help::command_groups(tree) {
        page.subsection(title);
        for command in commands {
            let name = format!("tulk {}", command.get_name());
            page.page_entry(&page_name(&name), &command.get_about().map(ToString::to_string).unwrap_or_default());
        }
    }
    page.options(&help::global_sections(tree));
    page.examples(&help.examples);
    for (title, topic) in [
        ("EXIT STATUS", "exit-codes"),
        ("ENVIRONMENT", "environment"),
        ("FILES", "files"),
        ("OUTPUT FORMATS", "formats"),
        ("SANDBOX", "sandbox"),
    ] {
        if let Some(topic) = TOPICS.iter().find(|known| known.name == topic) {
            page.section(title);
            page.topic(&(topic.text)(tree));
        }
    }
    let commands: Vec<String> = visible(tree).map(|c| page_name(&format!("tulk {}", c.get_name()))).collect();
    page.see_also(&commands);
    page.finish()
}

/// Returns the page of a command; what holds for all commands is in `tulk.1`.
fn command_page(command: &Command, path: &str, parent: &Command) -> Result<Vec<u8>, Failure> {
    let help = HelpPage::read(command, path);
    let mut page = RoffPage::new(&page_name(path), &help.about);
    page.synopsis(path, command);
    page.description(&help);
    if command.has_subcommands() {
        page.section("COMMANDS");
        for subcommand in visible(command) {
            let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
            page.page_entry(&page_name(&format!("{path} {}", subcommand.get_name())), &about);
        }
    }
    let own = |title: &str| title != "Commands" && title != help::GLOBAL_TITLE;
    let sections: Vec<_> = help.sections.iter().filter(|section| own(&section.title)).cloned().collect();
    page.options(&sections);
    page.examples(&help.examples);
    page.section("EXIT STATUS");
    page.text("0 on success, otherwise one of the codes that ", "tulk(1)", " lists.");
    page.section("ENVIRONMENT");
    page.text("The variables of the global options, and all others, are in ", "tulk(1)", ".");
    page.section("FILES");
    page.text("Settings, keys and state are described in ", "tulk(1)", ".");
    page.see_also(&neighbours(command, path, parent));
    page.finish()
}

/// Returns the pages of the group, of the other commands in it, and of the subcommands.
fn neighbours(command: &Command, path: &str, parent: &Command) -> Vec<String> {
    let group = path.rsplit_once(' ').map_or("tulk", |(group, _)| group);
    let mut pages = vec!["tulk".to_owned()];
    if group != "tulk" {
        pages.push(page_name(group));
        let others = visible(parent).filter(|other| other.get_name() != command.get_name());
        pages.extend(others.map(|other| page_name(&format!("{group} {}", other.get_name()))));
    }
    pages.extend(visible(command).map(|child| page_name(&format!("{path} {}", child.get_name()))));
    pages
}

/// A manual page of section 1.
pub struct RoffPage(Roff);

impl RoffPage {
    /// Starts a page with its title and the section NAME.
    pub fn new(name: &str, about: &str) -> Self {
        let mut roff = Roff::new();
        let source = format!("tulk {}", env!("CARGO_PKG_VERSION"));
        roff.control("TH", [name.to_uppercase().as_str(), "1", "", source.as_str(), "tulk manual"]);
        // Names of options and pages are not hyphenated.
        roff.control("nh", []);
        roff.control("ad", ["l"]);
        let mut page = Self(roff);
        page.section("NAME");
        // Programs that index manual pages want name and summary on one line.
        page.0.text([roman(name), roman(" - "), roman(about)]);
        page
    }

    /// Starts a section.
    pub fn section(&mut self, title: &str) {
        self.0.control("SH", [title]);
    }

    /// Starts a subsection.
    pub fn subsection(&mut self, title: &str) {
        self.0.control("SS", [title]);
    }

    /// Adds the section SYNOPSIS: the command with its options and arguments.
    pub fn synopsis(&mut self, path: &str, command: &Command) {
        self.section("SYNOPSIS");
        let mut line = vec![bold(path)];
        let own = || {
            command.get_arguments().filter(|arg| !arg.is_hide_set() && !arg.is_global_set() && arg.get_id() != "help")
        };
        for option in own().filter(|arg| !arg.is_positional() && arg.get_id() != "version") {
            line.push(roman(" "));
            option_synopsis(option, &mut line);
        }
        line.extend([roman(" ["), italic("GLOBAL OPTIONS"), roman("]")]);
        for positional in own().filter(|arg| arg.is_positional()) {
            line.extend([roman(" "), italic(positional.to_string())]);
        }
        if command.has_subcommands() {
            line.extend([roman(" "), italic("COMMAND"), roman(" ...")]);
        }
        self.0.text(line);
    }

    /// Adds the section DESCRIPTION.
    pub fn description(&mut self, help: &HelpPage) {
        self.section("DESCRIPTION");
        self.0.text([roman(format!("{}.", help.about))]);
        for paragraph in &help.description {
            if paragraph.starts_with(UNFILLED) {
                self.preformatted(paragraph);
                continue;
            }
            self.0.control("PP", []);
            self.0.text([roman(paragraph.as_str())]);
        }
    }

    /// Adds the section OPTIONS, with a subsection per heading if there are several.
    pub fn options(&mut self, sections: &[HelpSection]) {
        if sections.is_empty() {
            return;
        }
        self.section("OPTIONS");
        for section in sections {
            if sections.len() > 1 {
                self.subsection(&section.title);
            }
            section.rows.iter().for_each(|row| self.option(row));
        }
    }

    fn option(&mut self, row: &HelpRow) {
        self.0.control("TP", []);
        self.0.text([bold(row.term.trim())]);
        let meanings = row.values.iter().any(|(_, meaning)| !meaning.is_empty());
        if row.values.is_empty() || meanings {
            self.0.text([roman(row.text.as_str())]);
        } else {
            let names: Vec<&str> = row.values.iter().map(|(name, _)| name.as_str()).collect();
            self.0.text([roman(format!("{} [{}]", row.text, names.join(", ")))]);
        }
        if !meanings {
            return;
        }
        self.0.control("RS", []);
        for (name, meaning) in &row.values {
            self.0.control("TP", []);
            self.0.text([italic(name.as_str())]);
            self.0.text([roman(meaning.as_str())]);
        }
        self.0.control("RE", []);
    }

    /// Adds another page with its summary to a list.
    pub fn page_entry(&mut self, name: &str, about: &str) {
        self.0.control("TP", []);
        self.0.text([bold(name), roman("(1)")]);
        self.0.text([roman(about)]);
    }

    /// Adds the section EXAMPLES.
    pub fn examples(&mut self, examples: &[String]) {
        if !examples.is_empty() {
            self.section("EXAMPLES");
            self.preformatted(&examples.join("\n"));
        }
    }

    /// Adds lines that are not filled.
    pub fn preformatted(&mut self, text: &str) {
        for block in text.trim_end().split("\n\n") {
            self.0.control("PP", []);
            self.0.control("nf", []);
            for line in block.lines() {
                self.0.text([roman(line)]);
            }
            self.0.control("fi", []);
        }
    }

    /// Adds a help topic: its paragraphs, headings and rows of a term and its meaning, which two spaces separate. A meaning goes
    /// on in indented lines.
    pub fn topic(&mut self, text: &str) {
        let is_continued = |line: &str| line.starts_with("     ");
        for block in text.trim_end().split("\n\n") {
            let lines: Vec<&str> = block.lines().collect();
            let has_rows = lines.iter().any(|line| line.trim().contains("  ") || is_continued(line));
            if !has_rows {
                self.0.control("PP", []);
            }
            for (at, line) in lines.iter().enumerate() {
                let next = lines.get(at + 1).copied().unwrap_or_default();
                let is_term = at > 0 || is_continued(next);
                match line.trim().split_once("  ") {
                    _ if !has_rows || is_continued(line) => {
                        self.0.text([roman(line.trim())]);
                    }
                    Some((term, meaning)) => self.topic_row(term, meaning.trim()),
                    None if is_term => self.topic_row(line.trim(), ""),
                    None => self.subsection(line),
                }
            }
        }
    }

    fn topic_row(&mut self, term: &str, meaning: &str) {
        self.0.control("TP", []);
        self.0.text([bold(term)]);
        if !meaning.is_empty() {
            self.0.text([roman(meaning)]);
        }
    }

    /// Adds a sentence that names another page.
    pub fn text(&mut self, before: &str, page: &str, after: &str) {
        self.0.text([roman(before), bold(page), roman(after)]);
    }

    /// Adds the section SEE ALSO.
    pub fn see_also(&mut self, pages: &[String]) {
        self.section("SEE ALSO");
        let mut line: Vec<Inline> = Vec::new();
        for page in pages {
            if !line.is_empty() {
                line.push(roman(", "));
            }
            line.extend([bold(page.as_str()), roman("(1)")]);
        }
        self.0.text(line);
    }

    /// Returns the page.
    pub fn finish(self) -> Result<Vec<u8>, Failure> {
        let mut page = Vec::new();
        self.0.to_writer(&mut page).map_err(|e| Failure::internal(e.to_string()))?;
        Ok(page)
    }
}

/// Adds an option with its short name and its value, in brackets unless it is required.
fn option_synopsis(option: &Arg, line: &mut Vec<Inline>) {
    let text = option.to_string();
    let names = text.find(['<', '[', ' ', '=']).unwrap_or(text.len());
    let (name, value) = text.split_at(names);
    let (open, close) = if option.is_required_set() { ("", "") } else { ("[", "]") };
    line.push(roman(open));
    if let (Some(short), Some(_)) = (option.get_short(), option.get_long()) {
        line.extend([bold(format!("-{short}")), roman("|")]);
    }
    line.extend([bold(name), italic(value), roman(close)]);
}
