//! `tulk man [DIR]`: the manual, one page per command.
//!
//! Input: the clap tree, and a directory. Output: `tulk.1` on stdout, or all pages as files. `tulk.1` has what holds for all
//! commands: global options, exit codes, variables and files. The other pages refer to it.

mod roff_page;

use std::path::{Path, PathBuf};

use clap::{Args, Command};
use tulk_base::error::Failure;

use self::roff_page::RoffPage;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::help::{self, HelpPage, TOPICS};

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
