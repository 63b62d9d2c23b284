//! Language answers, from disk where one is kept that is younger than an hour.

use std::time::SystemTime;

use serde::de::DeserializeOwned;

use super::Fresh;
use crate::context::Context;
use crate::error::Failure;
use crate::http::encoding::encode_pairs;
use crate::http::endpoint::Endpoint;
use crate::http::reply::Reply;
use crate::json::Kept;
use crate::store::cache::Answers;

/// Sends a reading operation, unless its answer is kept.
///
/// A kept answer needs no key. What cannot be kept is said with `-v` alone: the answer is as good without.
pub async fn ask<T, E>(ctx: &Context, endpoint: &E, fresh: Fresh) -> Result<Kept<T>, Failure>
where
    T: DeserializeOwned,
    E: Endpoint<Reply = Kept<T>>,
{
    let client = ctx.client().await?;
    let request = client.prepare(endpoint)?;
    let server = ctx.server_identity().await?;
    let question = format!("{server} {}?{}", request.path.as_str(), encode_pairs(&request.query));
    let answers = Answers::languages().ok().filter(|_| !fresh.no_cache);
    let kept = answers.as_ref().and_then(|answers| answers.get(&question, SystemTime::now()));
    if let Some(reply) = kept.and_then(|bytes| Kept::parse(&bytes).ok()) {
        return Ok(reply);
    }
    let answer = client.call(request).await?;
    let reply = Kept::read(&answer)?;
    if let Some(answers) = answers
        && let Err(failure) = answers.put(&question, &answer.body, SystemTime::now())
        && ctx.out.settings().verbosity() > 0
    {
        ctx.out.log(&format!("the answer is not kept: {failure}"));
    }
    Ok(reply)
}
