//! `tulk help [TOPIC|COMMAND]`: topics that belong to no single command, or a command's own help.

use clap::Args;

use crate::context::Context;
use crate::error::Failure;

/// A text of the manual that belongs to no single command.
#[derive(Clone, Copy, Debug)]
pub struct Topic {
    /// The word after `tulk help`.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All topics, in the order of the manual.
pub const TOPICS: &[Topic] = &[
    Topic { name: "formats", title: "Formats", text: include_str!("formats.txt") },
    Topic { name: "exit-codes", title: "Exit codes", text: include_str!("exit-codes.txt") },
    Topic { name: "environment", title: "Environment", text: include_str!("environment.txt") },
    Topic { name: "files", title: "Files", text: include_str!("files.txt") },
    Topic { name: "sandbox", title: "Sandbox", text: include_str!("sandbox.txt") },
];

/// Show help for a command or topic
#[derive(Args, Debug)]
pub struct HelpArgs {
    /// Topic (formats, exit-codes, environment, files, sandbox) or command
    #[arg(value_name = "TOPIC|COMMAND")]
    pub words: Vec<String>,
}

/// Prints a topic or a command's help.
pub fn run(ctx: &Context, args: &HelpArgs, mut tree: clap::Command) -> Result<(), anyhow::Error> {
    if let [word] = args.words.as_slice()
        && let Some(topic) = TOPICS.iter().find(|t| t.name == word)
    {
        ctx.out.stdout().write(topic.text.as_bytes())?;
        return Ok(());
    }
    tree.build();
    let mut command = &mut tree;
    for word in &args.words {
        let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
        let Some(found) = command.find_subcommand_mut(word) else {
            let topics = TOPICS.iter().map(|t| t.name).collect::<Vec<_>>().join(", ");
            return Err(Failure::usage(format!("there is no topic or command `{word}`"))
                .hint(format!("topics: {topics}; commands: {}", names.join(", ")))
                .into());
        };
        command = found;
    }
    let help = command.render_long_help();
    let text = if ctx.out.settings().color_stdout() { help.ansi().to_string() } else { help.to_string() };
    ctx.out.stdout().write(text.as_bytes())?;
    Ok(())
}
