//! `tulk auth`: store, check, remove and print keys.
//!
//! Input: flags and, for `login`, a key from a prompt or stdin. `login` and `logout` change the stored keys; `status`
//! prints a row per key, `token` the key itself. Where keys come from and where they may be sent is decided in
//! `config`.

mod login;
mod questions;
mod status;

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
        Logout(login::AuthLogoutArgs),
        Token(login::AuthTokenArgs),
    }
}
