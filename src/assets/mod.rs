//! `--glossary`, `--style`, `--translation-memory` and `--style-profile`: the assets of a translation, with the profile's defaults.
//!
//! Input: flags with names or IDs. Output: the IDs as fields of the request. Used by the commands that translate text
//! or documents.
//!
//! ```text
//! let defaults = ProfileDefaults::new(ctx)?;
//! let chosen = args.assets.choose(&defaults)?;             // flag over default, `none` ignores a default
//! if let Some(rule) = chosen.ids_or_names().broken_rule(source_lang.is_none()) {
//!     return Err(defaults.refusal(rule, |option| args.assets.is_set(option)));
//! }
//! request.assets = chosen.resolve(ctx, &pairs).await?;     // looks names up; IDs are used as they are
//! ```

pub mod languages;
pub mod versions;

use clap::Args;
use clap::builder::StringValueParser;
use tulk_base::error::Failure;
use tulk_client::Defaulted;
use tulk_client::api::assets::AssetIds;
use tulk_client::api::glossary::Glossary;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::style::StyleRule;
use tulk_client::api::style::profiles::StyleProfile;
use tulk_client::api::tm::TranslationMemory;

use crate::config::NameList;
use crate::context::Context;
use crate::context::defaults::ProfileDefaults;
use crate::named;
use crate::named::names;

#[derive(Args, Clone, Debug, Default)]
pub struct AssetArgs {
    /// Glossary name or ID, up to 5; `none` ignores the default
    #[arg(long, aliases = ["glossary-id", "glossary-ids"], value_name = "GLOSSARY", help_heading = "Translation")]
    #[arg(add = names::<Glossary>())]
    pub glossary: Vec<NameList>,
    /// Style rule list name or ID; `none` ignores the default
    #[arg(long, alias = "style-id", value_name = "STYLE", help_heading = "Translation")]
    #[arg(add = names::<StyleRule>())]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    pub style: Option<Defaulted<String>>,
    /// Translation memory name or ID; `none` ignores the default
    #[arg(long, alias = "translation-memory-id", value_name = "MEMORY", help_heading = "Translation")]
    #[arg(add = names::<TranslationMemory>())]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    pub translation_memory: Option<Defaulted<String>>,
    /// Style profile name or ID; `none` ignores the default
    #[arg(long, alias = "style-profile-id", value_name = "PROFILE", help_heading = "Translation")]
    #[arg(add = names::<StyleProfile>())]
    #[arg(value_parser = Defaulted::parser(StringValueParser::new()))]
    pub style_profile: Option<Defaulted<String>>,
}

impl AssetArgs {
    /// Returns the assets named by the flags, or else the profile's defaults.
    pub fn choose(&self, defaults: &ProfileDefaults) -> Result<ChosenAssets, Failure> {
        Ok(ChosenAssets {
            glossaries: defaults.or_list(&NameList::defaulted(&self.glossary), "glossary")?,
            style: defaults.or(self.style.clone(), "style")?,
            translation_memory: defaults.or(self.translation_memory.clone(), "translation_memory")?,
            style_profile: defaults.or(self.style_profile.clone(), "style_profile")?,
        })
    }

    /// Returns whether the flag of a setting was given. `option` is the name of the setting.
    pub fn is_set(&self, option: &str) -> bool {
        match option {
            "glossary" => !self.glossary.is_empty(),
            "style" => self.style.is_some(),
            "translation_memory" => self.translation_memory.is_some(),
            "style_profile" => self.style_profile.is_some(),
            _ => false,
        }
    }
}

#[derive(Clone, Debug)]
pub struct ChosenAssets {
    pub glossaries: Vec<String>,
    pub style: Option<String>,
    pub translation_memory: Option<String>,
    /// The other assets replace the corresponding parts of the profile.
    pub style_profile: Option<String>,
}

impl ChosenAssets {
    /// Returns the request fields with names instead of IDs, so the rules can be checked before any name is looked up.
    pub fn ids_or_names(&self) -> AssetIds {
        let mut ids = AssetIds {
            style_profile_id: self.style_profile.clone(),
            style_id: self.style.clone(),
            translation_memory_id: self.translation_memory.clone(),
            ..AssetIds::default()
        };
        ids.set_glossaries(self.glossaries.clone());
        ids
    }

    /// Returns whether [`ChosenAssets::resolve`] may send requests.
    pub fn needs_requests(&self) -> bool {
        let mut names = self.style.iter().chain(&self.translation_memory).chain(&self.style_profile);
        !self.glossaries.is_empty() || !names.all(|name| named::is_uuid(name))
    }

    /// Looks up the names; IDs are used as given. Waits until the glossaries are ready. Fails if they lack a dictionary for one of `pairs`.
    pub async fn resolve(&self, ctx: &Context, pairs: &[(LangCode, LangCode)]) -> Result<AssetIds, Failure> {
        let mut ids = AssetIds::default();
        if let Some(name) = &self.style_profile {
            ids.style_profile_id = Some(named::style_profile(ctx, name).await?);
            self.log_replaced(ctx);
        }
        ids.set_glossaries(named::glossaries(ctx, &self.glossaries, pairs).await?);
        if let Some(name) = &self.style {
            ids.style_id = Some(named::style(ctx, name).await?);
        }
        if let Some(name) = &self.translation_memory {
            ids.translation_memory_id = Some(named::memory(ctx, name).await?);
        }
        Ok(ids)
    }

    fn log_replaced(&self, ctx: &Context) {
        let parts = [
            (!self.glossaries.is_empty(), "--glossary replaces the glossaries"),
            (self.style.is_some(), "--style replaces the style rule lists"),
            (self.translation_memory.is_some(), "--translation-memory replaces the translation memories"),
        ];
        let is_logged = ctx.out.settings().verbosity > 0;
        for (_, what) in parts.iter().filter(|(is_named, _)| *is_named && is_logged) {
            ctx.out.log(&format!("{what} of the style profile"));
        }
    }
}
