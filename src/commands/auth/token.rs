//! `tulk auth token`: print the key in use, for other tools.

use tulk_base::error::Failure;

use super::KeyChoice;
use crate::context::Context;

/// Prints the key.
pub fn run(ctx: &Context, which: &KeyChoice) -> Result<(), Failure> {
    let key = ctx.config()?.key(which.kind())?;
    if ctx.out.settings().is_json() {
        let object = serde_json::json!({ "key": key.secret.expose(), "source": key.source });
        return ctx.out.stdout().json(&object.to_string());
    }
    ctx.out.text(format!("{}\n", key.secret.expose()))
}
