//! Help texts: of each command, of `tulk` itself, and of topics that concern several commands.
//!
//! Input: the clap tree, with what each command declares. Output: text for a terminal, or a page as data. `page` reads the help of a
//! command from the tree, `layout` makes text of it; [`with_pages`] gives the texts to the parser, for `-h`. Used by `tulk help`, by
//! `tulk man`, which contains the same texts, and by completion.

mod layout;
mod overview;
mod page;
mod topics;

use std::ffi::OsString;

use clap::Command;
use clap::builder::StyledStr;

pub use self::layout::HelpLayout;
pub use self::overview::{groups as command_groups, list as list_of_commands, page as overview_page};
pub use self::page::{GLOBAL_TITLE, HelpPage, HelpRow, HelpSection, UNFILLED};
pub use self::topics::columns_of;
pub use self::topics::{TOPICS, global_sections};

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
