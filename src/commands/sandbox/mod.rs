//! `tulk sandbox`: serves the sandbox, shows its state, and resets it.
//!
//! `serve` prints an address and answers requests until it is stopped; `status` prints counts; `reset` deletes the
//! state. The service itself is in `tulk_sandbox`. With `--sandbox`, other commands run it in their own process, see
//! `context`.

mod serve;
mod status;

use crate::command::command_group;

command_group! {
    /// Run the sandbox, and show or reset its state
    #[command(after_help = "tulk --sandbox translate --to de Hello\n\
                            tulk sandbox serve")]
    pub struct SandboxArgs;

    pub enum SandboxCommand {
        Serve(Box<serve::SandboxServeArgs>),
        Status(status::SandboxStatusArgs),
        Reset(status::SandboxResetArgs),
    }
}
