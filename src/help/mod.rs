//! Help texts: for each command, for `tulk` itself, and for topics that concern several commands.
//!
//! Input: the clap tree, with the declaration of each command. Output: text for a terminal. `page` renders the help of a command with
//! clap; [`with_pages`] passes the texts to the parser, for `-h`. Used by `tulk help`, by `tulk man`, which contains the topics, and
//! by completion.

mod overview;
mod page;
mod setting_list;
mod topics;

use std::ffi::OsString;

use clap::Command;
use clap::builder::StyledStr;

pub use self::overview::long as overview;
pub use self::page::{HelpDetail, examples, page, shared_options};
pub use self::setting_list::{SettingGroup, SettingList};
pub use self::topics::{HelpTopic, TOPICS, columns_of, find_topic};

/// Replaces the help texts that clap prints for `-h`, `--help` and a missing argument.
///
/// Replaces only the texts of commands that `words` may name, because no other help can be printed. Keeps the text of `tulk` itself
/// if a command comes first.
pub fn with_pages(mut tree: Command, words: &[OsString]) -> Command {
    tree.build();
    let first = words.get(1).and_then(|word| word.to_str());
    let is_of_command = first.is_some_and(|word| tree.find_subcommand(word).is_some());
    let texts = (!is_of_command).then(|| (overview::short(&tree), overview::long(&tree)));
    let tree = with_texts_below(tree, words);
    match texts {
        Some((short, long)) => with_text(tree, short, long),
        None => tree,
    }
}

fn with_texts_below(command: Command, words: &[OsString]) -> Command {
    command.mut_subcommands(|subcommand| {
        if words.iter().any(|word| word.to_str().is_some_and(|word| is_named(&subcommand, word))) {
            let (short, long) = (page(&subcommand, HelpDetail::Short), page(&subcommand, HelpDetail::Long));
            with_text(with_texts_below(subcommand, words), short, long)
        } else {
            subcommand
        }
    })
}

/// Replaces the help texts of one command. `short` and `long` are already wrapped.
fn with_text(command: Command, short: StyledStr, long: StyledStr) -> Command {
    command.help_template("{before-help}").term_width(0).before_help(short).before_long_help(long)
}

fn is_named(command: &Command, word: &str) -> bool {
    command.get_name() == word || command.get_all_aliases().any(|alias| alias == word)
}

pub fn usage_and_examples(command: &Command) -> StyledStr {
    let mut command = command.clone();
    command.build();
    page::usage_and_examples(&command).into()
}

#[cfg(test)]
pub use self::overview::ungrouped;
