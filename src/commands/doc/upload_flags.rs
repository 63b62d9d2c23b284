//! From flags and the profile's defaults to the fields of an upload, one set per target language.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use crate::api::doc::{DocumentOptions, DocumentParams};
use crate::api::language_code::LangCode;
use crate::commands::named;
use crate::context::Context;
use crate::error::Failure;

/// The word that drops a default.
const NONE: &str = "none";

/// What every upload takes.
#[derive(Args, Clone, Debug)]
pub struct UploadFlags {
    /// Target languages
    #[arg(short = 't', long, alias = "target-lang", value_delimiter = ',', value_name = "LANG")]
    pub to: Vec<LangCode>,
    /// Source language [default: detected]
    #[arg(short = 'f', long, alias = "source-lang", value_name = "LANG")]
    pub from: Option<LangCode>,
    /// Options that are fields of the request.
    #[command(flatten)]
    pub options: DocumentOptions,
    /// Glossary by name or ID, up to 5; none drops a default
    #[arg(long, aliases = ["glossary-id", "glossary-ids"], value_delimiter = ',', value_name = "GLOSSARY")]
    pub glossary: Vec<String>,
    /// Style rule list by name or ID; none drops a default
    #[arg(long, alias = "style-id", value_name = "STYLE")]
    pub style: Option<String>,
    /// Translation memory by name or ID; none drops a default
    #[arg(long, alias = "translation-memory-id", value_name = "MEMORY")]
    pub translation_memory: Option<String>,
    /// File name told to the service; its ending is the type
    #[arg(long, value_name = "NAME")]
    pub filename: Option<String>,
    /// Result file or template ({dir} {stem} {lang} {ext}), - for stdout
    #[arg(short = 'o', long, value_name = "TEMPLATE", conflicts_with = "out_dir")]
    pub output: Option<String>,
    /// Directory for the results
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,
    /// Replace existing results
    #[arg(long)]
    pub force: bool,
    /// Upload anew even if an earlier upload could be gone on with
    #[arg(long)]
    pub again: bool,
}

impl UploadFlags {
    /// The fields of an upload for each target language, names made into IDs.
    pub async fn params(&self, ctx: &Context) -> Result<Vec<DocumentParams>, Failure> {
        let targets =
            if self.to.is_empty() { default(ctx, "target_lang")?.into_iter().collect() } else { self.to.clone() };
        let Some(first) = targets.first().cloned() else {
            return Err(Failure::usage("no target language is set").hint("add --to LANG, such as --to de"));
        };
        let mut options = self.options.clone();
        if options.formality.is_none() {
            options.formality = default(ctx, "formality")?;
        }
        let memory = Self::one(ctx, "translation_memory", self.translation_memory.as_deref())?;
        if options.translation_memory_threshold.is_none() && memory.is_some() {
            options.translation_memory_threshold = default(ctx, "translation_memory_threshold")?;
        }
        if let Some(format) = &options.output_format {
            options.output_format = Some(format.trim_start_matches('.').to_ascii_lowercase());
        }
        let mut params = DocumentParams {
            target_lang: first,
            source_lang: self.from.clone().map_or_else(|| default(ctx, "source_lang"), |code| Ok(Some(code)))?,
            glossary_id: None,
            glossary_ids: None,
            style_id: None,
            translation_memory_id: None,
            options,
        };
        self.glossaries(ctx, &mut params).await?;
        if let Some(name) = Self::one(ctx, "style", self.style.as_deref())? {
            params.style_id = Some(named::style(ctx, &name).await?);
        }
        if let Some(name) = memory {
            params.translation_memory_id = Some(named::memory(ctx, &name).await?);
        }
        Ok(targets.into_iter().map(|target_lang| DocumentParams { target_lang, ..params.clone() }).collect())
    }

    async fn glossaries(&self, ctx: &Context, params: &mut DocumentParams) -> Result<(), Failure> {
        let mut names = self.glossary.clone();
        let mut origin = None;
        if names.is_empty() {
            names = match default::<Value>(ctx, "glossary")? {
                Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
                Some(Value::String(name)) => vec![name],
                _ => Vec::new(),
            };
            origin = ctx.config()?.default_origin("glossary").cloned();
        }
        names.retain(|name| name != NONE);
        if !names.is_empty() && params.source_lang.is_none() && !ctx.args.no_check {
            let failure = Failure::usage("a glossary needs the source language")
                .hint("add --from, with the language the document is written in; --glossary none drops a default");
            return Err(match origin {
                Some(at) => failure.at(at),
                None => failure,
            });
        }
        let mut ids = named::glossaries(ctx, &names).await?;
        match ids.len() {
            0 => {}
            1 => params.glossary_id = ids.pop(),
            _ => params.glossary_ids = Some(ids),
        }
        Ok(())
    }

    /// A flag's value over the profile's default; `none` drops both.
    fn one(ctx: &Context, key: &str, flag: Option<&str>) -> Result<Option<String>, Failure> {
        let value = match flag {
            Some(name) => Some(name.to_owned()),
            None => default(ctx, key)?,
        };
        Ok(value.filter(|name| name != NONE))
    }
}

/// A default of the profile, read into its type; a wrong value is named with file and line.
fn default<T: serde::de::DeserializeOwned>(ctx: &Context, key: &str) -> Result<Option<T>, Failure> {
    let config = ctx.config()?;
    let Some(value) = config.defaults().get(key) else { return Ok(None) };
    serde_json::from_value(value.clone()).map(Some).map_err(|e| {
        let failure = Failure::usage(format!("{key}: {e}"));
        match config.default_origin(key) {
            Some(at) => failure.at(at.clone()),
            None => failure,
        }
    })
}
