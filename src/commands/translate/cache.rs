//! `--cache` of translations: determines what a cached result depends on.

use std::sync::Arc;

use tulk_base::error::{Failure, Kind};
use tulk_client::api::translate::TranslateText;
use tulk_pipeline::Job;
use tulk_store::results::ResultCache;

use super::args::TranslateArgs;
use crate::assets::versions::AssetVersions;
use crate::context::Context;
use crate::inputs::texts::TextInputs;
use crate::runs::result_cache::{self, KeyParts};

pub struct CacheKeys {
    cache: Arc<ResultCache>,
    versions: AssetVersions,
}

impl CacheKeys {
    /// Returns `None` if the cache is disabled. Sends nothing.
    ///
    /// If asset versions are needed, reads the inputs up to the first text, and returns `None` if they are blank, because
    /// blank inputs need no versions.
    pub async fn prepare(
        ctx: &Context,
        args: &TranslateArgs,
        inputs: &mut TextInputs<'_>,
        requests: &[TranslateText],
    ) -> Result<Option<Self>, Failure> {
        let Some(cache) = result_cache::open(ctx, args.running.cache)? else { return Ok(None) };
        let versions = AssetVersions::of(requests);
        if !versions.is_empty() && inputs.are_blank(ctx).await? {
            return Ok(None);
        }
        Ok(Some(Self { cache, versions }))
    }

    /// Looks up the versions and sets the cache scope of each job. `requests` correspond to `jobs`.
    pub async fn open(
        mut self,
        ctx: &Context,
        requests: &[TranslateText],
        jobs: &mut [Job],
    ) -> Result<Option<Arc<ResultCache>>, Failure> {
        if let Err(failure) = self.versions.look_up(ctx).await {
            return continue_without_cache(ctx, &failure).map(|()| None);
        }
        let parts = requests.iter().map(|request| {
            let mut fields = request.clone();
            // The context is a separate part of the key, and the option to report billed characters changes no result.
            fields.options.context = None;
            fields.options.show_billed_characters = None;
            Ok(KeyParts { options: fields.fields()?, versions: self.versions.versions_for(request) })
        });
        let parts = parts.collect::<Result<_, Failure>>()?;
        result_cache::set_scopes(ctx, self.cache, jobs, parts).await
    }
}

/// Continues without the cache, unless the failure would also stop every request, such as a wrong key.
pub fn continue_without_cache(ctx: &Context, failure: &Failure) -> Result<(), Failure> {
    if failure.kind != Kind::Key {
        return result_cache::continue_without_cache(ctx, failure);
    }
    if ctx.args.dry_run && failure.service.is_none() {
        let hint = "--cache needs a key here: it looks up the versions of glossaries, style rule lists and translation memories";
        ctx.out.hint(hint);
        return Ok(());
    }
    Err(failure.clone())
}
