//! `--cache` and `--no-cache`: whether results of earlier runs are used, and the keys under which they are stored.
//!
//! If the cache has a problem, a command continues without it.

use std::sync::Arc;

use clap::{Arg, Args, Command};
use tokio::sync::oneshot;
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_pipeline::{Job, RunOptions};
use tulk_store::results::{KeyScope, ResultCache};

use crate::context::Context;
use crate::context::defaults::ProfileDefaults;

/// Version of the key format. Results that were stored with another version are not found.
const KEY_FORMAT: &str = "1";

/// Flags for the cache of results.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ResultCacheArgs {
    /// Reuse results of earlier runs, and keep new ones on disk
    #[arg(long, help_heading = "Running")]
    pub cache: bool,
    /// Do not use the cache, even if the profile does
    #[arg(long, help_heading = "Running", conflicts_with = "cache")]
    pub no_cache: bool,
}

impl ResultCacheArgs {
    /// Adds the flag that can have a default in a profile.
    pub fn add_default(command: Command) -> Command {
        let flags = Self::augment_args(Command::new("cache"));
        let cache: Option<Arg> = flags.get_arguments().find(|arg| arg.get_id() == "cache").cloned();
        cache.into_iter().fold(command, Command::arg)
    }

    fn is_on(self, ctx: &Context) -> Result<bool, Failure> {
        if self.cache || self.no_cache {
            return Ok(self.cache);
        }
        Ok(ProfileDefaults::new(ctx)?.get("cache")?.unwrap_or(false))
    }
}

/// Returns the cache if it is enabled. A dry run does not change it.
pub fn open(ctx: &Context, args: ResultCacheArgs) -> Result<Option<Arc<ResultCache>>, Failure> {
    if !args.is_on(ctx)? {
        return Ok(None);
    }
    match ResultCache::of_user(!ctx.args.dry_run) {
        Ok(cache) => Ok(Some(Arc::new(cache))),
        Err(failure) => continue_without_cache(ctx, &failure).map(|()| None),
    }
}

/// What the results of a job depend on, besides its server, path and context.
#[derive(Clone, Debug, Default)]
pub struct KeyParts {
    /// Request fields as a JSON object, without fields that do not affect results.
    pub options: String,
    /// Versions of its glossaries, style rule list, translation memory and style profile.
    pub versions: Vec<String>,
}

/// Sets the scopes of jobs: all that their results depend on. The key of the account and the reporting tag do not affect results.
/// Returns `None` with a warning if the cache cannot be used.
pub async fn set_scopes(
    ctx: &Context,
    cache: Arc<ResultCache>,
    jobs: &mut [Job],
    parts: Vec<KeyParts>,
) -> Result<Option<Arc<ResultCache>>, Failure> {
    let server = match ctx.results_identity().await {
        Ok(server) => server,
        Err(failure) => return continue_without_cache(ctx, &failure).map(|()| None),
    };
    for (job, KeyParts { options, versions }) in jobs.iter_mut().zip(parts) {
        let context = job.context.as_deref().unwrap_or_default();
        let own = [KEY_FORMAT, &server, job.request.path.as_str(), &options, context];
        job.key_scope = Some(KeyScope::new(own.into_iter().chain(versions.iter().map(String::as_str))));
    }
    Ok(Some(cache))
}

/// Warns that the cache is not used. Returns the failure instead if a signal caused it, so that the command ends.
pub fn continue_without_cache(ctx: &Context, failure: &Failure) -> Result<(), Failure> {
    if failure.kind.is_stop() {
        return Err(failure.clone());
    }
    warn(ctx, failure, &format!("the cache is not used: {failure}"));
    Ok(())
}

/// Waits until new results are stored, after a signal only briefly, and warns if the cache has a problem.
pub async fn finish(ctx: &Context, options: &RunOptions) {
    let Some(cache) = &options.results else { return };
    let (sender, stored) = oneshot::channel();
    let waiting = Arc::clone(cache);
    // This may block, because another process may have locked the database.
    let wait = move || {
        waiting.finish(limits::CACHE_FLUSH_TIMEOUT);
        let _ = sender.send(());
    };
    if std::thread::Builder::new().name("finish".into()).spawn(wait).is_ok() {
        let stop = async {
            ctx.stop.wait().await;
            tokio::time::sleep(limits::CACHE_FLUSH_STOP_TIMEOUT).await;
        };
        tokio::select! {
            biased;
            _ = stored => {}
            () = stop => {}
        }
    }
    if let Some(failure) = cache.problem() {
        warn(ctx, &failure, &failure.to_string());
    }
}

fn warn(ctx: &Context, failure: &Failure, message: &str) {
    ctx.out.warn(message);
    if let Some(hint) = &failure.hint {
        ctx.out.hint(hint);
    }
}
