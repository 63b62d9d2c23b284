//! `tulk auth`: store, check, remove and print keys.
//!
//! Input: flags and, for `login`, a key from a prompt or stdin. `login` and `logout` change the stored keys; `status`
//! prints a row per key, `token` the key itself. Where keys come from and where they may be sent is decided in
//! `config`.

mod login;
mod logout;
mod status;
mod token;

use clap::{Args, Subcommand};
use tulk_client::KeyKind;

use crate::context::Context;
use crate::output::{CommandColumns, CommandFormats, LISTING, TEXT_OR_JSON};

/// Log in, log out and show keys
#[derive(Args, Debug)]
#[command(after_help = "tulk auth login < key.txt\n\
                        tulk auth status")]
pub struct AuthArgs {
    /// What to do
    #[command(subcommand)]
    pub command: AuthCommand,
}

/// The commands of `tulk auth`.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum AuthCommand {
    /// Store a key from a hidden prompt or stdin after checking it
    Login(login::AuthLoginArgs),
    /// Show the server and key of every profile, and whether the key works
    #[command(after_help = "tulk auth status")]
    Status,
    /// Remove a stored key
    #[command(after_help = "tulk auth logout")]
    Logout(KeyChoice),
    /// Print the key in use, for other tools
    #[command(after_help = "export API_KEY=\"$(tulk auth token)\"")]
    Token(KeyChoice),
}

// Which of a profile's keys. Not a doc comment: that would replace the help of the subcommands.
#[derive(Args, Debug)]
pub struct KeyChoice {
    /// Use the admin key instead of the API key
    #[arg(long)]
    pub admin: bool,
}

impl KeyChoice {
    fn kind(&self) -> KeyKind {
        if self.admin { KeyKind::Admin } else { KeyKind::Account }
    }
}

/// Output formats of these commands.
pub const FORMATS: &[CommandFormats] = &[
    CommandFormats::new("auth status", LISTING),
    CommandFormats::new("auth token", TEXT_OR_JSON),
    CommandFormats::without_result("auth login, logout"),
];

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("auth status", status::COLUMNS)];

/// Runs the command.
pub async fn run(ctx: &Context, args: AuthArgs) -> Result<(), anyhow::Error> {
    match args.command {
        AuthCommand::Login(args) => login::run(ctx, args).await?,
        AuthCommand::Status => status::run(ctx).await?,
        AuthCommand::Logout(which) => logout::run(ctx, &which)?,
        AuthCommand::Token(which) => token::run(ctx, &which)?,
    }
    Ok(())
}
