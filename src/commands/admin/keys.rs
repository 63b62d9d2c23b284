//! `tulk admin keys`: lists, creates, renames, limits and deactivates developer keys.
//!
//! A label matches active keys only; an ID matches any key.

use std::borrow::Cow;

use clap::{ArgGroup, Args};
use serde::Serialize;
use serde_json::value::RawValue;
use tulk_base::error::{Failure, Kind};
use tulk_base::json::{JsonObject, WithRaw};
use tulk_client::api::admin::{
    CreateDeveloperKey, DeactivateDeveloperKey, DeveloperKey, KeyLimit, ListDeveloperKeys, RenameDeveloperKey,
    SetDeveloperKeyLimits,
};

use crate::command::{CommandSpec, Run, command_group};
use crate::context::Context;
use crate::named::{Named, pick};
use crate::output::{Cell, Column, ColumnKind, EmptyNote, Row, Table, TableColumn, View};
use crate::reports::list_limit::ListLimitArgs;

command_group! {
    /// List, create, rename, limit and deactivate developer keys
    #[command(after_help = "tulk admin keys create nightly\n\
                            tulk admin keys limit nightly --characters 500000")]
    pub struct AdminKeysArgs;

    pub enum AdminKeysCommand {
        List(KeyListArgs),
        Create(CreateKeyArgs),
        Rename(RenameKeyArgs),
        Limit(LimitKeyArgs),
        Deactivate(DeactivateKeyArgs),
    }
}

impl Row for DeveloperKey {
    const COLUMNS: &'static [Column] = &[
        Column::id("key_id").header("ID"),
        Column::name("label"),
        Column::flag("is_deactivated").header("DEACTIVATED").rank(1),
        Column::count("characters").header("CHARACTERS"),
        Column::count("speech_to_text_milliseconds").header("SPEECH MS").rank(4),
        Column::time("creation_time").header("CREATED"),
        Column::time("deactivated_time").header("DEACTIVATED AT").rank(4),
    ];

    fn cells(&self) -> Vec<Cell> {
        let limits = self.usage_limits.clone().unwrap_or_default();
        vec![
            Cell::from(self.key_id.as_str()),
            self.label.as_ref().into(),
            Cell::from(!self.is_active()),
            limits.characters.map(Cell::number).unwrap_or_default(),
            limits.speech_to_text_milliseconds.map(Cell::number).unwrap_or_default(),
            self.creation_time.as_ref().into(),
            self.deactivated_time.as_ref().into(),
        ]
    }
}

/// List all keys, active and deactivated
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<DeveloperKey>())]
#[command(after_help = "tulk admin keys list")]
pub struct KeyListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for KeyListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit;
        let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
        let note = EmptyNote::new("No developer keys yet.").next("Create one", "tulk admin keys create LABEL");
        Ok(limit.list(ctx, &keys, &note)?)
    }
}

/// Reply fields that already have a column in every key table.
const KEY_FIELDS: [&str; 6] =
    ["key_id", "label", "is_deactivated", "usage_limits", "creation_time", "deactivated_time"];

/// Create a key and print it
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>().note("and all other fields of the response"))]
#[command(after_help = "tulk admin keys create nightly")]
pub struct CreateKeyArgs {
    /// Label of the key; by default the service chooses one
    pub label: Option<String>,
}

impl Run for CreateKeyArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key = ctx.client().await?.send(&CreateDeveloperKey { label: self.label }).await?;
        ctx.out.show(&CreatedKeyView(&key)).map_err(|failure| {
            failure.hint(
                "the key was created; find it with `tulk admin keys list`, and deactivate it if you cannot use it",
            )
        })?;
        if ctx.out.settings().stdout_is_terminal {
            ctx.out.warn("store the key now: the service may not show it again");
        }
        Ok(())
    }
}

/// A new key: the usual columns, then all other fields of the reply, such as the secret.
#[derive(Serialize)]
#[serde(transparent)]
struct CreatedKeyView<'a>(&'a WithRaw<DeveloperKey>);

impl View for CreatedKeyView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::one(&**self.0);
        let reply: JsonObject = serde_json::from_str(self.0.raw().get()).unwrap_or_default();
        for (name, value) in reply.iter().filter(|(name, _)| !KEY_FIELDS.contains(&name.as_str())) {
            table.columns.push(TableColumn::dynamic(name, ColumnKind::Text, 0));
            table.rows.iter_mut().for_each(|row| row.push(Cell::json(value)));
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![self.0.raw()]
    }
}

/// Change the label of a key
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>())]
#[command(after_help = "tulk admin keys rename CI \"CI 2\"")]
pub struct RenameKeyArgs {
    /// Label of an active key, or ID of any key
    pub key: String,
    /// New label
    pub label: String,
}

impl Run for RenameKeyArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key_id = key_id(ctx, &self.key).await?;
        let key = ctx.client().await?.send(&RenameDeveloperKey { key_id, label: self.label }).await?;
        Ok(ctx.out.object(&key)?)
    }
}

/// Set or remove the limits of a key
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>())]
#[command(after_help = "tulk admin keys limit CI --characters 500000\n\
                        tulk admin keys limit CI --characters none")]
#[group(skip)]
#[command(group = ArgGroup::new("limits").required(true).multiple(true).args(["characters", "speech_to_text_milliseconds"]))]
pub struct LimitKeyArgs {
    /// Label of an active key, or ID of any key
    pub key: String,
    /// Characters per month; none removes the limit, 0 blocks use
    #[arg(long, value_name = "N|none", allow_negative_numbers = true)]
    pub characters: Option<KeyLimit>,
    /// Milliseconds of speech per month; none removes the limit
    #[arg(long, alias = "speech_to_text_milliseconds", value_name = "N|none", allow_negative_numbers = true)]
    pub speech_to_text_milliseconds: Option<KeyLimit>,
}

impl Run for LimitKeyArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key_id = key_id(ctx, &self.key).await?;
        let request = SetDeveloperKeyLimits {
            key_id,
            characters: self.characters,
            speech_to_text_milliseconds: self.speech_to_text_milliseconds,
        };
        let key = ctx.client().await?.send(&request).await?;
        Ok(ctx.out.object(&key)?)
    }
}

/// Deactivate a key immediately and permanently
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<DeveloperKey>().asks_before_changes())]
#[command(after_help = "tulk admin keys deactivate CI --yes")]
pub struct DeactivateKeyArgs {
    /// Label of an active key, or its ID
    pub key: String,
}

impl Run for DeactivateKeyArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key_id = key_id(ctx, &self.key).await?;
        let question = format!("permanently deactivate the key {}", safe_for_message(&self.key));
        ctx.confirm(&question)?;
        let key = ctx.client().await?.send(&DeactivateDeveloperKey { key_id }).await?;
        Ok(ctx.out.object(&key)?)
    }
}

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

/// Sends no request if `text` already looks like an ID.
pub async fn key_id(ctx: &Context, text: &str) -> Result<String, Failure> {
    if DeveloperKey::has_id_form(text) {
        return Ok(text.to_owned());
    }
    let keys = ctx.client().await?.send(&ListDeveloperKeys {}).await?;
    Ok(pick_active(keys.into_typed(), text)?.into_typed().key_id)
}

/// Returns a form of the key that is safe in messages: its label, or its ID with the middle masked.
pub fn safe_for_message(text: &str) -> String {
    if DeveloperKey::has_id_form(text) { DeveloperKey::masked(text) } else { format!("`{text}`") }
}

fn pick_active(keys: Vec<WithRaw<DeveloperKey>>, label: &str) -> Result<WithRaw<DeveloperKey>, Failure> {
    let (active, deactivated): (Vec<_>, Vec<_>) = keys.into_iter().partition(|key| key.is_active());
    let has_label = |key: &WithRaw<DeveloperKey>| key.label.as_deref() == Some(label);
    if deactivated.iter().any(has_label) && !active.iter().any(has_label) {
        return Err(Failure::new(Kind::NotFound, format!("the developer key `{label}` is deactivated"))
            .hint("use the ID of the deactivated key, which `tulk admin keys list` shows"));
    }
    pick(active, label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_every_field_of_the_reply() {
        let key =
            WithRaw::parse(br#"{"key_id":"a:b","label":"ci","secret":"s3","usage_limits":{"characters":5},"n":1.10}"#)
                .unwrap();
        let table = CreatedKeyView(&key).table();
        let cells: Vec<(&str, &str)> =
            table.columns.iter().map(|column| column.name.as_str()).zip(table.rows[0].iter().map(Cell::text)).collect();
        assert_eq!(cells[0], ("key_id", "a:b"));
        assert_eq!(cells[3], ("characters", "5"));
        assert_eq!(cells[7..], [("secret", "s3"), ("n", "1.10")]);
    }

    const ONE: &str = "11111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000000";
    const TWO: &str = "21111111-2222-4333-8444-555555555555:66666666-7777-4888-8999-000000000001";

    fn keys(list: &[(&str, &str, bool)]) -> Vec<WithRaw<DeveloperKey>> {
        let text = |(id, label, deactivated): &(&str, &str, bool)| {
            serde_json::json!({"key_id": id, "label": label, "is_deactivated": deactivated, "creation_time": "T"})
                .to_string()
        };
        list.iter().map(|key| WithRaw::parse(text(key).as_bytes()).unwrap()).collect()
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
    fn messages_never_contain_a_complete_id() {
        assert_eq!(safe_for_message(ONE), "1111****0000");
        assert_eq!(safe_for_message("ci"), "`ci`");
    }
}
