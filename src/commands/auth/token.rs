//! `tulk auth token`: print the key in use, for other tools.

use clap::Args;

use super::KeyChoice;
use crate::command::{CommandSpec, Run, TEXT_OR_JSON};
use crate::context::Context;

/// Print the key in use, for other tools
#[derive(Args, Debug)]
#[command(add = CommandSpec::result(TEXT_OR_JSON).reads())]
#[command(after_help = "export API_KEY=\"$(tulk auth token)\"")]
pub struct AuthTokenArgs {
    /// Which of a profile's keys.
    #[command(flatten)]
    pub which: KeyChoice,
}

impl Run for AuthTokenArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let which = self.which;
        let key = ctx.config()?.key(which.kind())?;
        if ctx.out.settings().is_json() {
            let object = serde_json::json!({ "key": key.secret.expose(), "source": key.source });
            return Ok(ctx.out.stdout().json(&object.to_string())?);
        }
        Ok(ctx.out.text(format!("{}\n", key.secret.expose()))?)
    }
}
