//! `--to` and `--from`: the languages of a translation, with the profile's defaults.

use clap::Args;
use tulk_base::error::Failure;
use tulk_client::Defaulted;
use tulk_client::api::language_code::LangCode;

use crate::context::defaults::ProfileDefaults;

#[derive(Args, Clone, Debug, Default)]
pub struct LanguageArgs {
    /// Target languages, such as de,fr
    #[arg(short = 't', long, alias = "target-lang", value_delimiter = ',', value_name = "LANG[,LANG]...")]
    #[arg(value_parser = Defaulted::parser(str::parse::<LangCode>))]
    pub to: Vec<Defaulted<LangCode>>,
    /// Source language [default: detected]
    #[arg(short = 'f', long, alias = "source-lang", value_name = "LANG")]
    #[arg(value_parser = Defaulted::parser(str::parse::<LangCode>))]
    pub from: Option<Defaulted<LangCode>>,
}

impl LanguageArgs {
    /// Returns the target languages in the order given, without duplicates. Fails if there are none.
    pub fn targets(&self, defaults: &ProfileDefaults) -> Result<Vec<LangCode>, Failure> {
        let mut targets: Vec<LangCode> = Vec::new();
        for code in defaults.or_list(&self.to, "target_lang")? {
            if !targets.contains(&code) {
                targets.push(code);
            }
        }
        if targets.is_empty() {
            return Err(Failure::usage("no target language is set").hint("add --to LANG, such as --to de"));
        }
        Ok(targets)
    }

    /// Returns the source language; `None` lets the service detect it.
    pub fn source(&self, defaults: &ProfileDefaults) -> Result<Option<LangCode>, Failure> {
        defaults.or(self.from.clone(), "source_lang")
    }
}
