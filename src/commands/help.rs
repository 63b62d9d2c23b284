//! `tulk help`: prints the help of a command, or of a topic that concerns several commands.

use clap::{Args, Command};
use tulk_base::error::Failure;
use tulk_base::suggest;

use crate::command::{CommandSpec, Run};
use crate::completion::ValueKind;
use crate::context::Context;
use crate::help::{self, HelpDetail, HelpTopic, TOPICS};

/// Show help for a command or topic
///
/// Topics: options (of every command), environment (variables), formats (output formats and columns), exit-codes, files
/// and sandbox. Without an argument, lists all commands and topics.
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_text())]
#[command(after_help = "tulk help glossary sync\ntulk help options\ntulk help formats")]
pub struct HelpArgs {
    /// Topic, or a command such as glossary sync [default: a list]
    #[arg(value_name = "TOPIC|COMMAND", add = ValueKind::HelpWords)]
    pub words: Vec<String>,
}

impl Run for HelpArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut tree = ctx.command_tree();
        tree.build();
        if let Some(topic) = find_topic(&self.words) {
            ctx.out.help(&(topic.text)(&tree).into())?;
            return Ok(());
        }
        if self.words.is_empty() {
            ctx.out.help(&help::overview(&tree))?;
            return Ok(());
        }
        let found = find_command(&tree, &self.words)?;
        Ok(ctx.out.help(&help::page(found.command, HelpDetail::Long))?)
    }
}

pub struct FoundCommand<'a> {
    pub command: &'a Command,
    /// The group that contains it; `None` for `tulk` itself.
    pub parent: Option<&'a Command>,
    /// Its full name, such as `tulk glossary add`.
    pub path: String,
}

/// Finds a command by its words, which can be aliases. Without words, returns `tulk` itself.
pub fn find_command<'a>(tree: &'a Command, words: &[String]) -> Result<FoundCommand<'a>, Failure> {
    let mut found = FoundCommand { command: tree, parent: None, path: "tulk".to_owned() };
    for word in words {
        let FoundCommand { command: group, path, .. } = &found;
        let command = group.find_subcommand(word).ok_or_else(|| unknown_command(word, group, path))?;
        found = FoundCommand { command, parent: Some(group), path: format!("{path} {}", command.get_name()) };
    }
    Ok(found)
}

pub fn find_topic(words: &[String]) -> Option<&'static HelpTopic> {
    let [word] = words else { return None };
    help::find_topic(word)
}

/// Returns the names of the commands in a group and, for `tulk` itself, of the help topics.
fn names<'a>(group: &'a Command, path: &str) -> (Vec<&'a str>, Vec<&'static str>) {
    let commands = group.get_subcommands().filter(|c| !c.is_hide_set()).map(Command::get_name).collect();
    (commands, TOPICS.iter().filter(|_| path == "tulk").map(|topic| topic.name).collect())
}

pub fn suggestion(word: &str, group: &Command, path: &str) -> Option<String> {
    let (commands, topics) = names(group, path);
    let known = || topics.iter().chain(&commands).copied();
    let near = suggest::closest(word, known()).map_or_else(|| suggest::with_prefix(word, known()), |near| vec![near]);
    let group = path.strip_prefix("tulk").unwrap_or_default();
    let near: Vec<String> = near.iter().map(|name| format!("tulk help{group} {name}")).collect();
    let near: Vec<&str> = near.iter().map(String::as_str).collect();
    (!near.is_empty()).then(|| format!("did you mean {}?", suggest::one_of(&near)))
}

fn unknown_command(word: &str, group: &Command, path: &str) -> Failure {
    let (commands, topics) = names(group, path);
    let failure = match topics.as_slice() {
        [] => Failure::usage(format!("unknown command `{} {word}`", path.trim_start_matches("tulk "))),
        _ => Failure::usage(format!("unknown topic or command `{word}`")),
    };
    if let Some(near) = suggestion(word, group, path) {
        return failure.hint(near);
    }
    failure.hint(match (topics.as_slice(), commands.as_slice()) {
        (_, []) => format!("`{}` shows the help of the command", path.replacen("tulk", "tulk help", 1)),
        ([], commands) => format!("commands: {}", commands.join(", ")),
        (topics, commands) => format!("topics: {}; commands: {}", topics.join(", "), commands.join(", ")),
    })
}
