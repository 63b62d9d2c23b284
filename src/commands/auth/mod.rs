//! `tulk auth`: store, check, remove and print keys.
//!
//! Input: flags and, for `login`, a key from a prompt or stdin. `login` and `logout` change the stored keys; `status`
//! prints a row per key, `token` the key itself. Where keys come from and where they may be sent is decided in
//! `config`.

mod login;
mod logout;
mod status;
mod token;

use clap::Args;
use tulk_client::KeyKind;

use crate::command::command_group;

command_group! {
    /// Log in, log out and show keys
    #[command(after_help = "tulk auth login < key.txt\n\
                            tulk auth status")]
    pub struct AuthArgs;

    /// The commands of `tulk auth`.
    pub enum AuthCommand {
        Login(login::AuthLoginArgs),
        Status(status::AuthStatusArgs),
        Logout(logout::AuthLogoutArgs),
        Token(token::AuthTokenArgs),
    }
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
