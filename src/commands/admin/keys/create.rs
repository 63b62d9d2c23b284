//! `tulk admin keys create`: creates a key and prints every field of the reply, which may contain the usable key.

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use tulk_base::json::{JsonObject, Kept};
use tulk_client::api::admin::{CreateDeveloperKey, DeveloperKey};

use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::output::{Cell, ColumnKind, Table, TableColumn, View};

/// Fields of the reply that the columns of every key already contain.
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
    /// Creates a key.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        ctx.out.settings().check_row::<DeveloperKey>()?;
        let key = ctx.client().await?.send(&CreateDeveloperKey { label: self.label }).await?;
        ctx.out.show(&CreatedKeyView(&key)).map_err(|failure| {
            failure.hint(
                "the key was created; find it with `tulk admin keys list`, and deactivate it if you cannot use it",
            )
        })?;
        Ok(())
    }
}

/// A new key: the columns of every key, then all other fields of the reply.
struct CreatedKeyView<'a>(&'a Kept<DeveloperKey>);

impl Serialize for CreatedKeyView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl View for CreatedKeyView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::one(&**self.0);
        let reply = JsonObject::parse(self.0.raw().get()).unwrap_or_default();
        for (name, value) in reply.fields().filter(|(name, _)| !KEY_FIELDS.contains(name)) {
            table.columns.push(TableColumn::dynamic(name, ColumnKind::Text, 0));
            table.rows.iter_mut().for_each(|row| row.push(Cell::json(value)));
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        vec![self.0.raw()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_every_field_of_the_reply() {
        let key =
            Kept::parse(br#"{"key_id":"a:b","label":"ci","secret":"s3","usage_limits":{"characters":5},"n":1.10}"#)
                .unwrap();
        let table = CreatedKeyView(&key).table();
        let cells: Vec<(&str, &str)> =
            table.columns.iter().map(|column| column.name.as_str()).zip(table.rows[0].iter().map(Cell::text)).collect();
        assert_eq!(cells[0], ("key_id", "a:b"));
        assert_eq!(cells[3], ("characters", "5"));
        assert_eq!(cells[7..], [("secret", "s3"), ("n", "1.10")]);
    }
}
