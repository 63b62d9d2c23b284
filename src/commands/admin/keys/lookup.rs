//! Finds the ID of a developer key by its label or ID. Only active keys are found by label.

use std::borrow::Cow;

use tulk_base::error::{Failure, Kind};
use tulk_base::json::Kept;
use tulk_client::api::admin::{DeveloperKey, ListDeveloperKeys};

use crate::context::Context;
use crate::named::{Named, pick};

impl Named for DeveloperKey {
    const NOUN: &'static str = "developer key";
    const LIST: &'static str = "tulk admin keys list";
    const SECRET_ID: bool = true;

    fn id(&self) -> &str {
        &self.key_id
    }

    fn name(&self) -> &str {
        self.label.as_deref().unwrap_or_default()
    }

    fn candidate(&self) -> Cow<'_, str> {
        let created = self.creation_time.as_deref().unwrap_or("at an unknown time");
        Cow::Owned(format!("{} (created {created})", Self::masked(&self.key_id)))
    }

    fn is_id(text: &str) -> bool {
        Self::has_id_form(text)
    }
}

/// Returns the ID of a key. Text in the form of an ID is returned as it is, without a request.
pub async fn key_id(ctx: &Context, text: &str) -> Result<String, Failure> {
    if DeveloperKey::has_id_form(text) {
        return Ok(text.to_owned());
    }
    let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
    Ok(pick_active(keys.into_typed(), text)?.into_typed().key_id)
}

/// Returns a key as messages may show it: its label, or the ends of its ID.
pub fn display(text: &str) -> String {
    if DeveloperKey::has_id_form(text) { DeveloperKey::masked(text) } else { format!("`{text}`") }
}

fn pick_active(keys: Vec<Kept<DeveloperKey>>, label: &str) -> Result<Kept<DeveloperKey>, Failure> {
    let (active, deactivated): (Vec<_>, Vec<_>) = keys.into_iter().partition(|key| key.is_active());
    let has_label = |key: &Kept<DeveloperKey>| key.label.as_deref() == Some(label);
    if deactivated.iter().any(has_label) && !active.iter().any(has_label) {
        return Err(Failure::new(Kind::NotFound, format!("the developer key `{label}` is deactivated"))
            .hint("use the ID of the deactivated key, which `tulk admin keys list` shows"));
    }
    pick(active, label)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000";
    const TWO: &str = "21111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000001";

    fn keys(list: &[(&str, &str, bool)]) -> Vec<Kept<DeveloperKey>> {
        let text = |(id, label, deactivated): &(&str, &str, bool)| {
            serde_json::json!({"key_id": id, "label": label, "is_deactivated": deactivated, "creation_time": "T"})
                .to_string()
        };
        list.iter().map(|key| Kept::parse(text(key).as_bytes()).unwrap()).collect()
    }

    fn picked(label: &str) -> Result<String, Failure> {
        let keys = keys(&[
            ("1", "ci", true),
            ("2", "ci", false),
            (ONE, "web", false),
            (TWO, "web", false),
            ("5", "old", true),
        ]);
        Ok(pick_active(keys, label)?.into_typed().key_id)
    }

    #[test]
    fn finds_only_active_keys_by_label() {
        assert_eq!(picked("ci").unwrap(), "2");
        let deactivated = picked("old").unwrap_err();
        assert_eq!((deactivated.kind.code(), deactivated.what.as_str()), (4, "the developer key `old` is deactivated"));
        let unknown = picked("wep").unwrap_err();
        assert_eq!(unknown.kind.code(), 4);
        assert!(unknown.hint.unwrap().starts_with("did you mean `web`?"));
    }

    #[test]
    fn an_ambiguous_label_lists_the_keys_without_their_ids() {
        let several = picked("web").unwrap_err();
        assert_eq!((several.kind.code(), several.what.as_str()), (2, "2 developer keys are named `web`"));
        assert_eq!(
            several.hint.unwrap(),
            "use one of their IDs (`tulk admin keys list` shows them in full): 1111****0000 (created T), 2111****0001 (created T)"
        );
    }

    #[test]
    fn messages_do_not_contain_a_whole_id() {
        assert_eq!(display(ONE), "1111****0000");
        assert_eq!(display("ci"), "`ci`");
    }
}
