//! `tulk admin keys`: lists and changes developer keys.
//!
//! Input: labels, IDs and limits. Output: one row per key.

mod create;
mod deactivate;
mod limit;
mod list;
mod lookup;
mod rename;

use tulk_client::api::admin::DeveloperKey;

use crate::command::command_group;
use crate::output::{Cell, Column, Row};

command_group! {
    /// List, create, rename, limit and deactivate developer keys
    #[command(after_help = "tulk admin keys create nightly\n\
                            tulk admin keys limit nightly --characters 500000")]
    pub struct AdminKeysArgs;

    /// What to do.
    pub enum AdminKeysCommand {
        List(list::KeyListArgs),
        Create(create::CreateKeyArgs),
        Rename(rename::RenameKeyArgs),
        Limit(limit::LimitKeyArgs),
        Deactivate(deactivate::DeactivateKeyArgs),
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
