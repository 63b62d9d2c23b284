//! Waits until a glossary is ready.

use std::time::Duration;

use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::glossary::{GetGlossary, Glossary};

use crate::context::Context;

/// The first wait, doubled after every request.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The longest wait between two requests.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Asks for a glossary until it is ready.
///
/// Fails with `Kind::Unfinished` after `--max-wait`.
pub async fn wait_for_glossary(ctx: &Context, glossary_id: &str) -> Result<Kept<Glossary>, Failure> {
    let client = ctx.client().await?;
    let _task = ctx.out.phase(glossary_id, "waiting until the glossary is ready");
    let mut wait = FIRST_WAIT;
    loop {
        let glossary = client.send(&GetGlossary { glossary_id: glossary_id.to_owned() }).await?;
        if glossary.is_ready() {
            return Ok(glossary);
        }
        if wait == FIRST_WAIT && !ctx.out.prints_ends() {
            ctx.out.status(&format!("waiting for glossary {glossary_id} to be ready"));
        }
        client.pause_for(wait, None).await.map_err(|failure| match failure.kind {
            Kind::Unfinished => Failure {
                what: format!("glossary {glossary_id} is not ready yet: {}", failure.what),
                ..failure.hint(format!("run `tulk glossary wait {glossary_id}` to wait longer"))
            },
            _ => failure,
        })?;
        wait = (wait * 2).min(LONGEST_WAIT);
    }
}
