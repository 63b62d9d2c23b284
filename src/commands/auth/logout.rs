//! `tulk auth logout`: remove a stored key. The server stays in the settings.

use clap::Args;
use tulk_base::error::{Failure, Kind};

use super::KeyChoice;
use crate::command::{CommandSpec, Run};
use crate::config::Credentials;
use crate::context::Context;

/// Remove a stored key
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result())]
#[command(after_help = "tulk auth logout")]
pub struct AuthLogoutArgs {
    /// Which of a profile's keys.
    #[command(flatten)]
    pub which: KeyChoice,
}

impl Run for AuthLogoutArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let which = self.which;
        let config = ctx.config_to_create()?;
        let path = config.credentials_path()?;
        let _lock = crate::commands::config::lock(&path)?;
        let mut credentials = Credentials::read(&path)?;
        if credentials.get(&config.profile, which.kind()).is_none() {
            let what = if which.admin { "admin key" } else { "key" };
            return Err(Failure::new(Kind::NotFound, format!("profile {} has no stored {what}", config.profile))
                .hint("`tulk auth status` shows the stored keys")
                .into());
        }
        if ctx.args.dry_run {
            ctx.out.status(&format!("would remove the key of profile {}", config.profile));
            return Ok(());
        }
        credentials.remove(&config.profile, which.kind());
        credentials.write()?;
        ctx.out.status(&format!("profile {}: removed the key", config.profile));
        Ok(())
    }
}
