//! `tulk auth`: log in and out, see which key is used and where it comes from.

mod login;
mod logout;
mod status;
mod token;

use clap::{Args, Subcommand};

use crate::config::KeyKind;
use crate::context::Context;
use crate::http::request::{Method, Path, Request};
use crate::output::CommandColumns;

/// Log in and out, see which key is used
#[derive(Args, Debug)]
pub struct AuthArgs {
    /// What to do
    #[command(subcommand)]
    pub verb: Verb,
}

/// What to do with keys.
#[derive(Subcommand, Debug)]
#[command(defer = true)]
pub enum Verb {
    /// Read a key from a hidden prompt or stdin, check it, store it
    Login(login::LoginArgs),
    /// Show every profile's server, key, its source, and whether it works
    Status,
    /// Forget a stored key
    #[command(about = "Forget a stored key")]
    Logout(WhichKey),
    /// Print the key in use, for other tools
    #[command(about = "Print the key in use, for other tools")]
    Token(WhichKey),
}

/// Which of a profile's keys
#[derive(Args, Debug)]
pub struct WhichKey {
    /// The admin key instead of the account's
    #[arg(long)]
    pub admin: bool,
}

impl WhichKey {
    fn kind(&self) -> KeyKind {
        if self.admin { KeyKind::Admin } else { KeyKind::Account }
    }
}

/// Columns of these commands.
pub const COLUMNS: &[CommandColumns] = &[CommandColumns::new("auth status", status::COLUMNS)];

/// Runs the verb.
pub async fn run(ctx: &Context, args: AuthArgs) -> Result<(), anyhow::Error> {
    match args.verb {
        Verb::Login(args) => login::run(ctx, args).await?,
        Verb::Status => status::run(ctx).await?,
        Verb::Logout(which) => logout::run(ctx, &which)?,
        Verb::Token(which) => token::run(ctx, &which)?,
    }
    Ok(())
}

/// A free request that tells whether a key works.
fn probe(kind: KeyKind) -> Result<Request, crate::error::Failure> {
    let path = match kind {
        KeyKind::Account => Path::of(["v2", "usage"])?,
        KeyKind::Admin => Path::of(["v2", "admin", "developer-keys"])?,
    };
    Ok(Request::new(Method::GET, path))
}
