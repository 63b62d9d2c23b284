//! `tulk auth token`: print the key in use, for other tools.

use super::KeyChoice;
use crate::context::Context;
use crate::error::Failure;

/// Prints the key.
pub fn run(ctx: &Context, which: &KeyChoice) -> Result<(), Failure> {
    let key = ctx.config()?.key(which.kind())?;
    ctx.out.text(format!("{}\n", key.secret.expose()))
}
