//! `tulk help`: the help of a command, or a topic that concerns several commands.
//!
//! It takes a topic or the words of a command and prints the text. The manual (`tulk man`) contains the same topics.

mod columns;

use clap::Args;

use crate::context::Context;
use crate::error::Failure;
use crate::output::CommandFormats;

/// A help text that concerns several commands.
#[derive(Clone, Copy, Debug)]
pub struct HelpTopic {
    /// The word after `tulk help`.
    pub name: &'static str,
    /// The heading in the manual.
    pub title: &'static str,
    /// Returns the text.
    pub text: fn() -> String,
}

/// All topics, in the order of the manual.
pub const TOPICS: &[HelpTopic] = &[
    HelpTopic { name: "formats", title: "Formats", text: formats },
    HelpTopic { name: "exit-codes", title: "Exit codes", text: || include_str!("exit-codes.txt").to_owned() },
    HelpTopic { name: "environment", title: "Environment", text: || include_str!("environment.txt").to_owned() },
    HelpTopic { name: "files", title: "Files", text: || include_str!("files.txt").to_owned() },
    HelpTopic { name: "sandbox", title: "Sandbox", text: || include_str!("sandbox.txt").to_owned() },
];

fn formats() -> String {
    format!("{}\nColumns\n{}", include_str!("formats.txt"), columns::list())
}

/// Show help for a command or topic
#[derive(Args, Debug)]
pub struct HelpArgs {
    /// Topic (formats, exit-codes, environment, files, sandbox) or command
    #[arg(value_name = "TOPIC|COMMAND")]
    pub words: Vec<String>,
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::without_result("help")];

/// Prints a topic or the help of a command.
pub fn run(ctx: &Context, args: &HelpArgs, mut tree: clap::Command) -> Result<(), anyhow::Error> {
    if let [word] = args.words.as_slice()
        && let Some(topic) = TOPICS.iter().find(|t| t.name == word)
    {
        ctx.out.stdout().write((topic.text)().as_bytes())?;
        return Ok(());
    }
    tree.build();
    let mut command = &mut tree;
    for word in &args.words {
        let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
        let Some(subcommand) = command.find_subcommand_mut(word) else {
            let topics = TOPICS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
            return Err(Failure::usage(format!("unknown topic or command `{word}`"))
                .hint(format!("topics: {topics}; commands: {}", names.join(", ")))
                .into());
        };
        command = subcommand;
    }
    ctx.out.help(&command.render_long_help())?;
    Ok(())
}
