//! `--protect`: what stays as it is in the texts of translate and write.

use clap::Args;

use crate::error::Failure;
use crate::formats::InputFormat;
use crate::pipeline::{Protector, SentForm};

/// What stays as it is in texts.
#[derive(Args, Debug)]
pub struct ProtectArgs {
    /// Keep placeholders unchanged: a preset or a regular expression, repeatable
    #[arg(long, value_name = "PRESET|REGEX", help_heading = "Input")]
    pub protect: Vec<String>,
}

impl ProtectArgs {
    /// Returns what finds the placeholders of a translation. Fails on a word that is no preset, and on an invalid regular
    /// expression.
    pub fn protector(&self, format: Option<&InputFormat>) -> Result<Protector, Failure> {
        let has_tokens = format.is_some_and(|format| format.has_tokens());
        let form = if has_tokens || !self.protect.is_empty() { SentForm::Tagged } else { SentForm::Plain };
        Protector::new(&self.protect, form)
    }
}
