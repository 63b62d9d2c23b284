//! `tulk auth logout`: forget a stored key. The server stays in the settings.

use super::WhichKey;
use crate::config::{Config, Credentials};
use crate::context::Context;
use crate::error::{Failure, Kind};

/// Runs the command.
pub fn run(ctx: &Context, which: &WhichKey) -> Result<(), Failure> {
    let config = Config::open(&ctx.args)?;
    let path = config.credentials_path();
    let _lock = crate::commands::config::lock(&path)?;
    let mut credentials = Credentials::read(&path)?;
    if credentials.get(&config.profile, which.kind()).is_none() {
        return Err(Failure::new(Kind::NotFound, format!("profile {} holds no such key", config.profile))
            .hint("`tulk auth status` shows which keys are stored"));
    }
    if ctx.args.dry_run {
        ctx.out.status(&format!("would forget the key of profile {}", config.profile));
        return Ok(());
    }
    credentials.remove(&config.profile, which.kind());
    credentials.write()?;
    ctx.out.status(&format!("profile {}: the key is forgotten", config.profile));
    Ok(())
}
