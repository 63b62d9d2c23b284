//! `tulk admin keys create`: the one answer that may carry the usable key, so every field of it is shown.

use clap::Args;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::api::admin::{CreateDeveloperKey, DeveloperKey};
use crate::context::Context;
use crate::error::Failure;
use crate::json::JsonObject;
use crate::json::Kept;
use crate::output::{Cell, Table, View};

/// Fields that have columns, by themselves or through what is in them.
const SHOWN: [&str; 6] = ["key_id", "label", "is_deactivated", "usage_limits", "creation_time", "deactivated_time"];

/// Make a key and print it
#[derive(Args, Debug)]
pub struct CreateArgs {
    /// What to call it; the service has a name for those without
    pub label: Option<String>,
}

/// Makes a key.
pub async fn run(ctx: &Context, args: CreateArgs) -> Result<(), Failure> {
    let key = ctx.client().await?.send(&CreateDeveloperKey { label: args.label }).await?;
    ctx.out.show(&NewKey(&key)).map_err(|failure| {
        failure.hint("the key was made all the same; find it with `tulk admin keys list`, deactivate it if it is lost")
    })
}

/// A new key: the columns of every key, then all other fields of the answer.
struct NewKey<'a>(&'a Kept<DeveloperKey>);

impl Serialize for NewKey<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl View for NewKey<'_> {
    fn table(&self) -> Table {
        let mut table = Table::one(&**self.0);
        let answer = JsonObject::parse(self.0.raw().get()).unwrap_or_default();
        for (name, value) in answer.fields().filter(|(name, _)| !SHOWN.contains(name)) {
            table.columns.push(name.to_owned());
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
    fn every_field_of_the_answer_is_shown() {
        let key =
            Kept::parse(br#"{"key_id":"a:b","label":"ci","secret":"s3","usage_limits":{"characters":5},"n":1.10}"#)
                .unwrap();
        let table = NewKey(&key).table();
        let shown: Vec<(&str, &str)> =
            table.columns.iter().map(String::as_str).zip(table.rows[0].iter().map(Cell::text)).collect();
        assert_eq!(shown[0], ("key_id", "a:b"));
        assert_eq!(shown[3], ("characters", "5"));
        assert_eq!(shown[7..], [("secret", "s3"), ("n", "1.10")]);
    }
}
