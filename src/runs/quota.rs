//! The remaining characters of the account, for dry runs on a terminal.

use std::time::Duration;

use tulk_base::numbers::grouped;
use tulk_client::api::usage::{GetUsage, NO_LIMIT, Usage};

use crate::context::Context;

/// Maximum time that a dry run waits for the reply.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Requests the remaining characters, which is free; `None` without a key, a limit or a reply.
pub async fn characters_left(ctx: &Context) -> Option<u64> {
    let client = ctx.client_without_retries().await.ok()?;
    let usage = tokio::time::timeout(MAX_WAIT, client.send(&GetUsage {})).await.ok()?.ok()?;
    remaining_characters(&usage)
}

/// Returns the remaining characters of the account or of the key, whichever are fewer.
fn remaining_characters(usage: &Usage) -> Option<u64> {
    let of = |count: Option<u64>, limit: Option<u64>| {
        limit.filter(|limit| *limit != NO_LIMIT).map(|limit| limit.saturating_sub(count.unwrap_or_default()))
    };
    let account = of(usage.character_count, usage.character_limit);
    let key = of(usage.api_key_character_count, usage.api_key_character_limit);
    account.into_iter().chain(key).min()
}

/// Describes what share of the remaining characters a run would use.
pub fn share_in_words(characters: u64, left: u64) -> String {
    if characters > left {
        return format!("more than the {} that are left", grouped(left));
    }
    let per_mille = u128::from(characters) * 1000 / u128::from(left.max(1));
    let percent = match per_mille {
        0 => "less than 0.1".to_owned(),
        _ => format!("{}.{}", per_mille / 10, per_mille % 10),
    };
    format!("{percent} % of the {} that are left", grouped(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_the_limit_with_fewer_remaining_characters() {
        let usage = |json: &str| serde_json::from_str::<Usage>(json).unwrap();
        assert_eq!(remaining_characters(&usage(r#"{"character_count":600,"character_limit":1000}"#)), Some(400));
        let key = r#"{"character_count":600,"character_limit":1000,"api_key_character_count":5,"api_key_character_limit":100}"#;
        assert_eq!(remaining_characters(&usage(key)), Some(95));
        assert_eq!(remaining_characters(&usage(r#"{"character_count":6,"character_limit":1000000000000}"#)), None);
        assert_eq!(remaining_characters(&usage(r#"{"character_count":6,"character_limit":5}"#)), Some(0));
    }

    #[test]
    fn the_share_is_in_tenths_of_a_percent() {
        assert_eq!(share_in_words(1234, 100_000), "1.2 % of the 100,000 that are left");
        assert_eq!(share_in_words(1, 100_000), "less than 0.1 % of the 100,000 that are left");
        assert_eq!(share_in_words(9, 8), "more than the 8 that are left");
        assert_eq!(share_in_words(8, 8), "100.0 % of the 8 that are left");
    }
}
