//! Flags of an upload. Combines them with the profile's defaults into one set of form fields per target language.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value};
use tulk_base::error::Failure;
use tulk_client::Defaulted;
use tulk_client::ExtraFields;
use tulk_client::api::assets::low_threshold;
use tulk_client::api::doc::{DocumentOptions, DocumentParams};

use crate::assets::languages::LanguageArgs;
use crate::assets::{AssetArgs, ChosenAssets};
use crate::context::Context;
use crate::context::defaults::{self, ProfileDefaults};

/// The options of every upload.
#[derive(Args, Clone, Debug)]
pub struct UploadFlags {
    #[command(flatten)]
    pub languages: LanguageArgs,
    #[command(flatten)]
    pub options: DocumentOptions,
    /// Add a form field that tulk does not know, repeatable
    #[arg(long, value_name = "KEY=JSON", help_heading = "Translation")]
    pub param: Vec<String>,
    #[command(flatten)]
    pub assets: AssetArgs,
    /// File name sent to the service; its extension sets the document type
    #[arg(long, value_name = "NAME")]
    pub filename: Option<String>,
    /// File, or template with {dir} {path} {stem} {lang} {ext} (- for stdout)
    #[arg(short = 'o', long, value_name = "TEMPLATE", conflicts_with = "out_dir")]
    pub output: Option<String>,
    /// Directory for the results
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
    /// Replace existing results
    #[arg(long)]
    pub force: bool,
    /// Upload again instead of resuming
    #[arg(long)]
    pub again: bool,
}

impl UploadFlags {
    /// Returns the assets, and the form fields for each target language with the names of assets instead of their IDs.
    pub fn params(&self, ctx: &Context) -> Result<(Vec<DocumentParams>, ChosenAssets), Failure> {
        let defaults = ProfileDefaults::new(ctx)?;
        let targets = self.languages.targets(&defaults)?;
        let source_lang = self.languages.source(&defaults)?;
        let chosen = self.assets.choose(&defaults)?;
        let unresolved = chosen.ids_or_names();
        let is_public = ctx.config()?.has_public_rules()?;
        if !ctx.args.no_check
            && let Some(rule) = unresolved.broken_rule(source_lang.is_none())
        {
            return Err(defaults.refusal(rule, |option| self.assets.is_set(option)));
        }
        let mut options = self.options.clone();
        options.formality = defaults.or(options.formality, "formality")?.map(Defaulted::Set);
        if unresolved.has_memory() {
            let threshold = defaults.or(options.translation_memory_threshold, "translation_memory_threshold")?;
            if let Some(hint) = low_threshold(threshold).filter(|_| is_public) {
                ctx.out.hint(&hint);
            }
            options.translation_memory_threshold = threshold.map(Defaulted::Set);
        } else {
            options.translation_memory_threshold.take_if(|threshold| matches!(threshold, Defaulted::Dropped));
        }
        options.output_format = options.output_format.map(|format| format.trim_start_matches('.').to_ascii_lowercase());
        let params = |target_lang| {
            self.with_params(DocumentParams {
                target_lang,
                source_lang: source_lang.clone(),
                assets: unresolved.clone(),
                options: options.clone(),
                params: Map::new(),
            })
        };
        Ok((targets.into_iter().map(params).collect::<Result<_, _>>()?, chosen))
    }

    fn with_params(&self, params: DocumentParams) -> Result<DocumentParams, Failure> {
        if self.param.is_empty() {
            return Ok(params);
        }
        let extra = ExtraFields::parse(&self.param, &params, "file")?;
        extra.iter().try_fold(params, |params, (key, json)| {
            let mut fields = defaults::object(&params)?;
            fields.insert(key.to_owned(), form_value(key, json.get())?);
            // The key of an option that has a flag, such as `formality`, sets that option. Other keys become additional fields.
            serde_json::from_value(Value::Object(fields))
                .map_err(|_| Failure::usage(format!("--param {key}: this field does not take {json}")))
        })
    }
}

/// Converts a `--param` value for the record. A number becomes text if serde_json would write it in another notation.
fn form_value(key: &str, json: &str) -> Result<Value, Failure> {
    match serde_json::from_str(json)? {
        Value::Number(number) if number.to_string() != json => Ok(json.into()),
        value if value.is_null() || value.as_array().is_some_and(Vec::is_empty) => {
            Err(Failure::usage(format!("--param {key}: a form cannot contain {json}")))
        }
        value => Ok(value),
    }
}
