//! Language requests and their flags. A reply younger than an hour is taken from the cache on disk.

use std::time::SystemTime;

use clap::Args;
use serde::de::DeserializeOwned;
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_client::api::langs::LanguageInclude;
use tulk_client::http::client::Client;
use tulk_client::http::encoding::encode_pairs;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Reply;
use tulk_client::{OpenSet, OpenValue};
use tulk_store::replies::ReplyCache;

use crate::context::Context;

/// The resource to query.
#[derive(Args, Clone, Debug)]
pub struct LanguageQueryArgs {
    /// Resource, such as translate_text; tulk langs resources lists them
    #[arg(
        long,
        value_name = "RESOURCE",
        default_value = "translate_text",
        value_parser = resource,
        long_help = "Resource: translate_text, translate_document, voice, write, glossary, style_rules, \
                     translation_memory, or another of `tulk langs resources`"
    )]
    pub resource: String,
    /// Also include languages and features in beta or from third parties
    #[arg(long, value_parser = OpenValue::<LanguageInclude>::parser(), add = OpenSet::PLAIN, value_delimiter = ',', value_name = "WHAT")]
    pub include: Vec<OpenValue<LanguageInclude>>,
    #[command(flatten)]
    pub cache: LanguageCacheArgs,
}

/// Whether to use cached replies.
#[derive(Args, Clone, Copy, Debug)]
pub struct LanguageCacheArgs {
    /// Ignore cached responses
    #[arg(long)]
    pub no_cache: bool,
}

/// Parses a resource name; `-` is accepted for `_`.
#[allow(clippy::unnecessary_wraps)] // the signature that clap needs
fn resource(text: &str) -> Result<String, String> {
    Ok(text.trim().to_ascii_lowercase().replace('-', "_"))
}

/// Takes the reply from the cache if it is there, in which case no key is needed.
///
/// A failure to write the cache does not affect the reply, so it is logged only with `-v`.
pub async fn send<T, E>(ctx: &Context, endpoint: &E, args: LanguageCacheArgs) -> Result<WithRaw<T>, Failure>
where
    T: DeserializeOwned,
    E: Endpoint<Reply = WithRaw<T>>,
{
    send_through(ctx, ctx.client().await?, endpoint, args).await
}

/// Like `send`, but through another client.
pub async fn send_through<T, E>(
    ctx: &Context,
    client: &Client,
    endpoint: &E,
    args: LanguageCacheArgs,
) -> Result<WithRaw<T>, Failure>
where
    T: DeserializeOwned,
    E: Endpoint<Reply = WithRaw<T>>,
{
    let request = client.prepare(endpoint)?;
    let server = ctx.server_identity().await?;
    // Part of the cache key, because the embedded sandbox has other languages when it follows the rules of the public service.
    let rules = if client.service().is_embedded() && client.service().is_public { " deepl" } else { "" };
    let key = format!("{server}{rules} {}?{}", request.path.as_str(), encode_pairs(&request.query));
    let cache = ReplyCache::languages().ok().filter(|_| !args.no_cache);
    let cached = cache.as_ref().and_then(|cache| cache.get(&key, SystemTime::now()));
    if let Some(reply) = cached.and_then(|bytes| WithRaw::parse(&bytes).ok()) {
        return Ok(reply);
    }
    let answer = client.call(request).await?;
    let reply = WithRaw::read(&answer)?;
    if let Some(cache) = cache
        && let Err(failure) = cache.put(&key, &answer.body, SystemTime::now())
        && ctx.out.settings().verbosity > 0
    {
        ctx.out.log(&format!("cannot cache the response: {failure}"));
    }
    Ok(reply)
}
