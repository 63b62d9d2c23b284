//! Replies about languages, from the cache if one is younger than an hour.

use std::time::SystemTime;

use serde::de::DeserializeOwned;
use tulk_base::error::Failure;
use tulk_base::json::Kept;
use tulk_client::http::encoding::encode_pairs;
use tulk_client::http::endpoint::Endpoint;
use tulk_client::http::reply::Reply;
use tulk_store::cache::ReplyCache;

use super::LanguageCacheArgs;
use crate::context::Context;

/// Sends a read-only request, unless its reply is cached.
///
/// A cached reply needs no key. Failing to write the cache is reported with `-v` only, since the reply is not affected.
pub async fn send<T, E>(ctx: &Context, endpoint: &E, args: LanguageCacheArgs) -> Result<Kept<T>, Failure>
where
    T: DeserializeOwned,
    E: Endpoint<Reply = Kept<T>>,
{
    let client = ctx.client().await?;
    let request = client.prepare(endpoint)?;
    let server = ctx.server_identity().await?;
    let key = format!("{server} {}?{}", request.path.as_str(), encode_pairs(&request.query));
    let cache = ReplyCache::languages().ok().filter(|_| !args.no_cache);
    let cached = cache.as_ref().and_then(|cache| cache.get(&key, SystemTime::now()));
    if let Some(reply) = cached.and_then(|bytes| Kept::parse(&bytes).ok()) {
        return Ok(reply);
    }
    let answer = client.call(request).await?;
    let reply = Kept::read(&answer)?;
    if let Some(cache) = cache
        && let Err(failure) = cache.put(&key, &answer.body, SystemTime::now())
        && ctx.out.settings().verbosity() > 0
    {
        ctx.out.log(&format!("cannot cache the response: {failure}"));
    }
    Ok(reply)
}
