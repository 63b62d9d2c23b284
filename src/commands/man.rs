//! `tulk man`: shows the manual page of a command in `man`, or writes all pages as files.
//!
//! `tulk.1` documents the options, exit codes, variables and files that all commands share. The other pages refer to it.

use std::path::{Path, PathBuf};

use clap::builder::{Resettable, StyledStr};
use clap::{Arg, Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Inline, Roff, bold, roman};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, FileMode};
use tulk_base::shell;

use super::help::{HelpArgs, find_command, find_topic, suggestion};
use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::help::{self, SettingList};

/// Show the manual page of a command, or write all pages
///
/// Opens the page in `man`. If `man` is missing or stdout is not a terminal, prints the text of `tulk help` instead.
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_text())]
#[command(after_help = "tulk man doc translate\ntulk man --out ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Command, such as doc translate [default: the page about all commands]
    #[arg(value_name = "COMMAND", add = ValueKind::HelpWords)]
    pub words: Vec<String>,
    /// Directory to write all pages to
    #[arg(long, value_name = "DIR", conflicts_with = "words")]
    pub out: Option<PathBuf>,
}

impl Run for ManArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut tree = ctx.command_tree();
        tree.build();
        if let Some(dir) = self.out {
            return Ok(write_all(&tree, &dir)?);
        }
        if let [dir] = self.words.as_slice()
            && dir.contains('/')
        {
            ctx.out.warn("`tulk man DIR` is deprecated; use `tulk man --out DIR`");
            return Ok(write_all(&tree, Path::new(dir))?);
        }
        let words = if find_topic(&self.words).is_some() { &[] } else { self.words.as_slice() };
        let found = find_command(&tree, words).map_err(|failure| match words {
            [dir] => {
                let near = suggestion(dir, &tree, "tulk").map(|near| format!("{near} ")).unwrap_or_default();
                failure.hint(format!("{near}{} writes all pages to a directory", write_all_command(dir)))
            }
            _ => failure,
        })?;
        let page = match found.parent {
            Some(parent) => command_page(found.command, &found.path, parent)?,
            None => main_page(&tree)?,
        };
        if ctx.out.settings().stdout_is_terminal {
            open_in_man(&page);
        }
        if let [dir] = self.words.as_slice()
            && Path::new(dir).is_dir()
        {
            ctx.out.hint(&format!("{} writes all pages to the directory `{dir}`", write_all_command(dir)));
        }
        HelpArgs { words: self.words }.run(ctx).await
    }
}

/// For users who still type `tulk man DIR` as in 0.2.0.
fn write_all_command(dir: &str) -> String {
    format!("`tulk man --out {}`", shell::quote_file(dir))
}

/// Replaces this process with `man`, which opens the user's pager. Returns if `man` is missing or cannot show the page.
#[cfg(unix)]
fn open_in_man(page: &[u8]) {
    use std::io::{Seek as _, Write as _};
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    let man = || -> std::io::Result<Command> {
        let mut file = tempfile::tempfile()?;
        file.write_all(page)?;
        file.rewind()?;
        let mut man = Command::new("man");
        man.args(["-l", "-"]).stdin(file);
        Ok(man)
    };
    // Test `man -l` first: some versions do not have `-l`, and after `exec` this process cannot print the text instead.
    let can_show = || man()?.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if can_show().is_ok_and(|status| status.success())
        && let Ok(mut man) = man()
    {
        let _ = man.exec();
    }
}

#[cfg(not(unix))]
fn open_in_man(_: &[u8]) {}

fn write_all(tree: &Command, dir: &Path) -> Result<(), Failure> {
    files::make_dirs(dir, FileMode::Inherit)?;
    write_page(dir, "tulk", &main_page(tree)?)?;
    write_pages(tree, "tulk", dir)
}

fn write_pages(command: &Command, path: &str, dir: &Path) -> Result<(), Failure> {
    for subcommand in visible_subcommands(command) {
        let name = format!("{path} {}", subcommand.get_name());
        write_page(dir, &name, &command_page(subcommand, &name, command)?)?;
        write_pages(subcommand, &name, dir)?;
    }
    Ok(())
}

fn write_page(dir: &Path, name: &str, page: &[u8]) -> Result<(), Failure> {
    let path = dir.join(format!("{}.1", page_name(name)));
    files::check_shared(&path)?;
    std::fs::write(&path, page).file_context("write", &path)
}

fn visible_subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set())
}

/// Returns the page name of a command, such as `tulk-glossary-add` for `tulk glossary add`.
fn page_name(command: &str) -> String {
    command.replace(' ', "-")
}

fn main_page(tree: &Command) -> Result<Vec<u8>, Failure> {
    let mut rest = RoffSections(Roff::new());
    rest.examples(&help::examples(tree));
    for (title, topic) in [
        ("EXIT STATUS", "exit-codes"),
        ("ENVIRONMENT", "environment"),
        ("FILES", "files"),
        ("OUTPUT FORMATS", "formats"),
        ("SANDBOX", "sandbox"),
    ] {
        if let Some(topic) = help::find_topic(topic) {
            rest.section(title);
            rest.topic(&(topic.text)(tree));
        }
    }
    let commands: Vec<String> =
        visible_subcommands(tree).map(|c| page_name(&format!("tulk {}", c.get_name()))).collect();
    rest.see_also(&commands);
    page(tree, "tulk", &rest)
}

fn command_page(command: &Command, path: &str, parent: &Command) -> Result<Vec<u8>, Failure> {
    let mut rest = RoffSections(Roff::new());
    rest.examples(&help::examples(command));
    if let Some(list) = command.get::<SettingList>() {
        rest.section("SETTINGS");
        rest.topic(StyledStr::from(list.text()).to_string().trim_start());
    }
    rest.section("OPTIONS OF EVERY COMMAND");
    rest.sentence_with_page("Those that are not listed above are in ", "tulk(1)", ".");
    rest.section("EXIT STATUS");
    rest.sentence_with_page("0 on success, otherwise one of the codes that ", "tulk(1)", " lists.");
    rest.section("ENVIRONMENT");
    rest.sentence_with_page("The variables are listed in ", "tulk(1)", ".");
    rest.section("FILES");
    rest.sentence_with_page("Settings, keys and state are described in ", "tulk(1)", ".");
    rest.see_also(&related_pages(command, path, parent));
    page(command, path, &rest)
}

/// Renders a page with `clap_mangen`, followed by the sections in `rest`. Only the main page lists all global options.
fn page(command: &Command, path: &str, rest: &RoffSections) -> Result<Vec<u8>, Failure> {
    let usage = command.clone().render_usage().to_string().replacen("Usage: ", "", 1);
    let is_main = path == "tulk";
    let shared = help::shared_options(command);
    let as_shown = |arg: Arg| match shared.iter().find(|shared| shared.get_id() == arg.get_id()) {
        Some(shared) => shared.clone(),
        None if arg.is_global_set() && !is_main => arg.hide(true),
        None => arg,
    };
    let command = command
        .clone()
        .mut_args(as_shown)
        .override_usage(usage)
        .after_help(Resettable::Reset)
        .subcommand_help_heading("COMMANDS");
    let man = Man::new(command)
        .title(page_name(path).to_uppercase())
        .source(format!("tulk {}", env!("CARGO_PKG_VERSION")))
        .manual("tulk manual");
    let mut page = Vec::new();
    man.render(&mut page).and_then(|()| rest.0.to_writer(&mut page)).map_err(|e| Failure::internal(e.to_string()))?;
    // Left-align (`.ad l`) and never hyphenate (`.nh`), so names of options and pages stay intact.
    let page = String::from_utf8_lossy(&page).replacen("\n.SH NAME", "\n.nh\n.ad l\n.SH NAME", 1);
    Ok(page.into_bytes())
}

/// Returns `tulk`, the subcommands and, for a command in a group, the group and its other commands.
fn related_pages(command: &Command, path: &str, parent: &Command) -> Vec<String> {
    let group = path.rsplit_once(' ').map_or("tulk", |(group, _)| group);
    let mut pages = vec!["tulk".to_owned()];
    if group != "tulk" {
        pages.push(page_name(group));
        let others = visible_subcommands(parent).filter(|other| other.get_name() != command.get_name());
        pages.extend(others.map(|other| page_name(&format!("{group} {}", other.get_name()))));
    }
    pages.extend(visible_subcommands(command).map(|child| page_name(&format!("{path} {}", child.get_name()))));
    pages
}

struct RoffSections(Roff);

impl RoffSections {
    fn section(&mut self, title: &str) {
        self.0.control("SH", [title]);
    }

    fn examples(&mut self, examples: &str) {
        self.section("EXAMPLES");
        self.0.control("nf", []);
        for line in examples.lines() {
            self.0.text([roman(line)]);
        }
        self.0.control("fi", []);
    }

    /// Adds a help topic: paragraphs, headings, and rows of a term and its meaning separated by two spaces. Indented
    /// lines continue a meaning.
    fn topic(&mut self, text: &str) {
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
                    None => {
                        self.0.control("SS", [*line]);
                    }
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

    /// Adds a sentence with the bold name of a page in the middle.
    fn sentence_with_page(&mut self, before: &str, page: &str, after: &str) {
        self.0.text([roman(before), bold(page), roman(after)]);
    }

    fn see_also(&mut self, pages: &[String]) {
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
}
