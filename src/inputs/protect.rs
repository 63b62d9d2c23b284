//! `--protect`: what stays as it is in the texts of translate and write.

use clap::Args;
use tulk_base::error::Failure;
use tulk_formats::InputFormat;

use tulk_pipeline::{PROTECT_PRESETS, Protector, SentForm};

use crate::completion::ValueKind;

/// What stays as it is in texts.
#[derive(Args, Debug, Default)]
pub struct ProtectArgs {
    /// Keep placeholders unchanged: preset or regular expression, repeatable
    #[arg(long, value_name = "PRESET|REGEX", help_heading = "Input", long_help = long_help())]
    #[arg(add = ValueKind::Placeholders)]
    pub protect: Vec<String>,
}

impl ProtectArgs {
    /// Returns whether anything is protected.
    pub fn is_given(&self) -> bool {
        !self.protect.is_empty()
    }

    /// Returns what finds the placeholders of a text that rephrase or correct gets. It knows no tags.
    pub fn unchanged(&self) -> Result<Protector, Failure> {
        Protector::new(&self.protect, if self.is_given() { SentForm::Unchanged } else { SentForm::Plain })
    }

    /// Returns what finds the placeholders of a translation. Fails on a word that is no preset, and on an invalid regular
    /// expression.
    pub fn protector(&self, format: Option<&InputFormat>) -> Result<Protector, Failure> {
        let has_tokens = format.is_some_and(|format| format.has_tokens());
        let form = if has_tokens || self.is_given() { SentForm::Tagged } else { SentForm::Plain };
        Protector::new(&self.protect, form)
    }
}

fn long_help() -> String {
    let presets = PROTECT_PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    format!(
        "Keep placeholders unchanged: a preset ({presets}) or a regular expression, repeatable. re:WORD is always a regular expression"
    )
}
