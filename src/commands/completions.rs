//! `tulk completions SHELL`: prints a shell's completion script, which calls tulk for the candidates.

use clap::Args;

use crate::command::{CommandSpec, Run};
use crate::completion::ShellName;
use crate::context::Context;

/// Print a shell completion script
#[derive(Args, Debug)]
#[command(add = CommandSpec::prints_text())]
#[command(after_help = "source <(tulk completions bash)\n\
                        tulk completions zsh > _tulk")]
pub struct CompletionsArgs {
    /// Shell to print the script for
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: ShellName,
}

impl Run for CompletionsArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let script = match self.shell {
            ShellName::Bash => include_str!("../../completions/tulk.bash"),
            ShellName::Zsh => include_str!("../../completions/_tulk"),
            ShellName::Fish => include_str!("../../completions/tulk.fish"),
            ShellName::Powershell => include_str!("../../completions/_tulk.ps1"),
            ShellName::Elvish => include_str!("../../completions/tulk.elv"),
        };
        Ok(ctx.out.stdout().write(script.as_bytes())?)
    }
}
