//! `tulk sandbox`: serve the sandbox, show its state, reset it.
//!
//! `serve` prints an address and answers requests until it is stopped, `status` prints counts, `reset` removes the
//! state. The service itself is in `tulk_sandbox`; `--sandbox` runs it inside other commands, in `context`.

mod serve;
mod status;

use crate::command::command_group;

command_group! {
    /// Run the sandbox, and show or reset its state
    #[command(after_help = "tulk --sandbox translate --to de Hello\n\
                            tulk sandbox serve")]
    pub struct SandboxArgs;

    /// The commands of `tulk sandbox`.
    pub enum SandboxCommand {
        Serve(Box<serve::SandboxServeArgs>),
        Status(status::SandboxStatusArgs),
        Reset(status::SandboxResetArgs),
    }
}
