//! From a label or an ID to the ID of a developer key. Labels are looked up among the active keys only.

use crate::api::admin::{DeveloperKey, ListKeys};
use crate::context::Context;
use crate::error::{Failure, Kind};
use crate::http::reply::Kept;
use crate::near;

/// The ID of the key that is meant; what has the form of an ID is used as it is, without a look-up.
pub async fn key_id(ctx: &Context, text: &str) -> Result<String, Failure> {
    if DeveloperKey::is_id(text) {
        return Ok(text.to_owned());
    }
    let keys = ctx.client().await?.send(&ListKeys {}).await?;
    pick(&keys, text)
}

/// A key as it may stand in a message: its label, or the ends of its ID, which can be the key itself.
pub fn shown(text: &str) -> String {
    if !DeveloperKey::is_id(text) {
        return format!("`{text}`");
    }
    let start: String = text.chars().take(4).collect();
    let end: String = text.chars().skip(text.chars().count() - 4).collect();
    format!("{start}****{end}")
}

fn pick(keys: &[Kept<DeveloperKey>], label: &str) -> Result<String, Failure> {
    let named: Vec<_> = keys.iter().filter(|key| key.label.as_deref() == Some(label)).collect();
    let active: Vec<_> = named.iter().filter(|key| key.is_active()).collect();
    match active.as_slice() {
        [key] => Ok(key.key_id.clone()),
        [] if named.is_empty() => {
            let labels = keys.iter().filter(|key| key.is_active()).filter_map(|key| key.label.as_deref());
            let failure = Failure::new(Kind::NotFound, format!("there is no developer key called `{label}`"));
            Err(failure.hint(near::hint(label, labels, "tulk admin keys list")))
        }
        [] => Err(Failure::new(Kind::NotFound, format!("the developer key `{label}` is deactivated"))
            .hint("name a deactivated key by its ID; `tulk admin keys list` shows it")),
        several => {
            let made = |key: &Kept<DeveloperKey>| {
                format!("{} (made {})", key.key_id, key.creation_time.as_deref().unwrap_or("at an unknown time"))
            };
            let ids: Vec<_> = several.iter().map(|key| made(key)).collect();
            Err(Failure::usage(format!("{} developer keys are called `{label}`", several.len()))
                .hint(format!("name one by its ID: {}", ids.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(list: &[(&str, &str, bool)]) -> Vec<Kept<DeveloperKey>> {
        let text = |(id, label, ended): &(&str, &str, bool)| {
            serde_json::json!({"key_id": id, "label": label, "is_deactivated": ended}).to_string()
        };
        list.iter().map(|key| Kept::parse(text(key).as_bytes()).unwrap()).collect()
    }

    #[test]
    fn labels_are_those_of_active_keys() {
        let keys = keys(&[
            ("1", "ci", true),
            ("2", "ci", false),
            ("3", "web", false),
            ("4", "web", false),
            ("5", "old", true),
        ]);
        assert_eq!(pick(&keys, "ci").unwrap(), "2");
        let several = pick(&keys, "web").unwrap_err();
        assert_eq!((several.kind.code(), several.what.as_str()), (2, "2 developer keys are called `web`"));
        assert!(several.hint.unwrap().contains("3 (made"));
        let ended = pick(&keys, "old").unwrap_err();
        assert_eq!((ended.kind.code(), ended.what.as_str()), (4, "the developer key `old` is deactivated"));
        let unknown = pick(&keys, "wep").unwrap_err();
        assert_eq!(unknown.kind.code(), 4);
        assert!(unknown.hint.unwrap().starts_with("did you mean `web`?"));
    }

    #[test]
    fn an_id_is_not_shown_whole() {
        let id = "11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000";
        assert_eq!(shown(id), "1111****0000");
        assert_eq!(shown("ci"), "`ci`");
    }
}
