//! `tulk auth`: stores, checks, removes and prints keys.
//!
//! Input: flags and, for `login`, a key from a prompt or stdin. `login` and `logout` change the stored keys; `status`
//! prints one row per key; `token` prints the key itself. `config` decides where keys come from and which servers may
//! receive them.

mod login;
mod questions;
mod status;

use crate::command::command_group;

command_group! {
    /// Log in, log out and show keys
    #[command(after_help = "tulk auth login < key.txt\n\
                            tulk auth status")]
    pub struct AuthArgs;

    pub enum AuthCommand {
        Login(login::AuthLoginArgs),
        Status(status::AuthStatusArgs),
        Logout(login::AuthLogoutArgs),
        Token(login::AuthTokenArgs),
    }
}
