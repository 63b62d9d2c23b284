//! `tulk completions SHELL`: prints the completion script of a shell.

use clap::{Args, ValueEnum};
use clap_complete::{Shell, generate};

use crate::context::Context;
use crate::output::CommandFormats;

/// Shells with a completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    /// Bash
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
    /// PowerShell
    Powershell,
    /// Elvish
    Elvish,
}

/// Print a shell completion script
#[derive(Args, Debug)]
#[command(after_help = "source <(tulk completions bash)\n\
                        tulk completions zsh > _tulk")]
pub struct CompletionsArgs {
    /// Shell to print the script for
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: ShellName,
}

/// Output formats of this command.
pub const FORMATS: &[CommandFormats] = &[CommandFormats::without_result("completions")];

/// Prints the script.
pub fn run(ctx: &Context, args: &CompletionsArgs, mut tree: clap::Command) -> Result<(), anyhow::Error> {
    let shell = match args.shell {
        ShellName::Bash => Shell::Bash,
        ShellName::Zsh => Shell::Zsh,
        ShellName::Fish => Shell::Fish,
        ShellName::Powershell => Shell::PowerShell,
        ShellName::Elvish => Shell::Elvish,
    };
    let mut script = Vec::new();
    generate(shell, &mut tree, "tulk", &mut script);
    ctx.out.stdout().write(&script)?;
    Ok(())
}
