//! `tulk help`: the help of a command, or a topic that concerns several commands.
//!
//! It takes a topic or the words of a command and prints the text. The manual (`tulk man`) contains the same texts. `page` reads
//! the help of a command from the clap tree, `layout` makes text of it. [`with_pages`] gives the texts to the parser, for `-h`.

mod columns;
mod layout;
mod overview;
mod page;
mod topics;

use std::ffi::OsString;

pub use self::columns::columns_of;

use clap::Args;
use clap::Command;
use clap::builder::StyledStr;
use tulk_base::error::Failure;
use tulk_base::suggest;

use self::layout::HelpLayout;
pub use self::overview::{groups as command_groups, page as overview_page};
pub use self::page::{GLOBAL_TITLE, HelpPage, HelpRow, HelpSection, UNFILLED};
pub use self::topics::{TOPICS, global_sections};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::value_kind::ValueKind;

/// Show help for a command or topic
///
/// Topics: global (the global options), environment (variables), formats (output formats and columns), exit-codes, files and
/// sandbox. Without an argument, it lists all commands and topics.
#[derive(Args, Debug)]
#[command(add = CommandSpec::text().offline())]
#[command(after_help = "tulk help glossary sync\ntulk help global\ntulk help formats")]
pub struct HelpArgs {
    /// Topic, or the words of a command [default: a list]
    #[arg(value_name = "TOPIC|COMMAND", add = ValueKind::HelpWords)]
    pub words: Vec<String>,
}

impl Run for HelpArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut tree = ctx.command_tree();
        tree.build();
        let layout = HelpLayout::detect();
        if let [word] = self.words.as_slice()
            && let Some(topic) = TOPICS.iter().find(|topic| topic.name == word)
        {
            ctx.out.help(&(topic.text)(&tree).into())?;
            return Ok(());
        }
        if self.words.is_empty() {
            ctx.out.help(&overview::list(&tree, layout))?;
            return Ok(());
        }
        let mut command = &tree;
        let mut path = "tulk".to_owned();
        for word in &self.words {
            command = command.find_subcommand(word).ok_or_else(|| unknown(word, command, &path))?;
            path = format!("{path} {}", command.get_name());
        }
        ctx.out.help(&layout.long(&HelpPage::read(command, &path)))?;
        Ok(())
    }
}

fn unknown(word: &str, command: &Command, path: &str) -> Failure {
    let names: Vec<&str> = command.get_subcommands().filter(|c| !c.is_hide_set()).map(Command::get_name).collect();
    let topics: Vec<&str> = TOPICS.iter().filter(|_| path == "tulk").map(|topic| topic.name).collect();
    let failure = match topics.as_slice() {
        [] => Failure::usage(format!("unknown command `{path} {word}`")),
        _ => Failure::usage(format!("unknown topic or command `{word}`")),
    };
    let group = path.strip_prefix("tulk").unwrap_or_default();
    if let Some(near) = suggest::closest(word, topics.iter().chain(&names).copied()) {
        return failure.hint(format!("did you mean `tulk help{group} {near}`?"));
    }
    failure.hint(match (topics.as_slice(), names.as_slice()) {
        (_, []) => format!("`tulk help{group}` is the help of the whole command"),
        ([], names) => format!("commands: {}", names.join(", ")),
        (topics, names) => format!("topics: {}; commands: {}", topics.join(", "), names.join(", ")),
    })
}

/// Replaces the help texts of the parser, which it prints for `-h`, `--help` and a missing argument.
///
/// Only commands that `words` may name get one; the others cannot be asked for, nor can `tulk` itself if a command comes first.
pub fn with_pages(mut tree: Command, words: &[OsString]) -> Command {
    tree.build();
    let layout = HelpLayout::detect();
    let first = words.get(1).and_then(|word| word.to_str());
    let is_of_command = first.is_some_and(|word| tree.find_subcommand(word).is_some());
    let texts = (!is_of_command).then(|| (overview::short(&tree, layout), overview::long(&tree, layout)));
    let tree = with_texts_below(tree, "tulk", words, layout);
    match texts {
        Some((short, long)) => with_text(tree, short, long),
        None => tree,
    }
}

fn with_texts(command: Command, path: &str, words: &[OsString], layout: HelpLayout) -> Command {
    let page = HelpPage::read(&command, path);
    let (short, long) = (layout.short(&page, path), layout.long(&page));
    with_text(with_texts_below(command, path, words, layout), short, long)
}

fn with_texts_below(command: Command, path: &str, words: &[OsString], layout: HelpLayout) -> Command {
    command.mut_subcommands(|subcommand| {
        if words.iter().any(|word| word.to_str().is_some_and(|word| is_named(&subcommand, word))) {
            let path = format!("{path} {}", subcommand.get_name());
            with_texts(subcommand, &path, words, layout)
        } else {
            subcommand
        }
    })
}

/// Replaces the texts of one command. They have their final width.
fn with_text(command: Command, short: StyledStr, long: StyledStr) -> Command {
    command.help_template("{before-help}").term_width(0).before_help(short).before_long_help(long)
}

fn is_named(command: &Command, word: &str) -> bool {
    command.get_name() == word || command.get_all_aliases().any(|alias| alias == word)
}

/// Returns usage and examples of a command, for an error that needs little more.
pub fn usage_and_examples(command: &Command) -> StyledStr {
    let mut command = command.clone();
    command.build();
    let page = HelpPage::read(&command, command.get_name());
    HelpLayout::detect().usage_and_examples(&page.usage, &page.examples)
}

#[cfg(test)]
pub use self::overview::ungrouped;
