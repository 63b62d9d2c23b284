//! `tulk style profile`: manages style profiles, which group glossaries, style rule lists and translation memories.

use std::collections::HashMap;

use clap::{Args, ValueEnum};
use tulk_base::error::Failure;
use tulk_base::shell;
use tulk_client::api::glossary::Glossary;
use tulk_client::api::style::StyleRule;
use tulk_client::api::style::profiles::{
    CreateStyleProfile, DeleteStyleProfile, EditStyleProfile, GetStyleProfile, StyleProfile, StyleProfileFields,
};
use tulk_client::api::tm::TranslationMemory;
use tulk_client::http::failures::quotable;

use crate::command::{CommandSpec, Run, command_group};
use crate::config::NameList;
use crate::context::Context;
use crate::named::{self, Named, known_names, names};
use crate::output::{Column, EmptyNote, Row};
use crate::reports::list_limit::ListLimitArgs;

command_group! {
    /// Manage style profiles: glossaries, styles and memories together
    ///
    /// A profile groups glossaries, style rule lists and translation memories under one name. `tulk translate
    /// --style-profile` applies those that fit the languages.
    #[command(after_help = "tulk style profile create Teahouse --glossary Kitchen --style Shop\n\
                            tulk translate --to de --style-profile Teahouse \"The kettle is hot\"")]
    pub struct StyleProfileArgs;

    pub enum StyleProfileCommand {
        List(ProfileListArgs),
        Show(ProfileShowArgs),
        Create(ProfileCreateArgs),
        Edit(ProfileEditArgs),
        Delete(ProfileDeleteArgs),
    }
}

#[derive(Args, Debug)]
pub struct ProfileNameArgs {
    /// Style profile name or ID
    #[arg(value_name = "PROFILE", add = names::<StyleProfile>())]
    pub style_profile: String,
}

/// List all style profiles
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<StyleProfile>())]
#[command(after_help = "tulk style profile list\n\
                        tulk style profile list --columns name,industry")]
pub struct ProfileListArgs {
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for ProfileListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let note = EmptyNote::new("No style profiles yet.")
            .next("Create one", "tulk style profile create NAME --glossary GLOSSARY");
        Ok(self.limit.list(ctx, &named::all_style_profiles(ctx).await?, &note)?)
    }
}

/// Show a style profile
#[derive(Args, Debug)]
#[command(add = CommandSpec::read::<StyleProfile>())]
#[command(after_help = "tulk style profile show Manuals")]
pub struct ProfileShowArgs {
    #[command(flatten)]
    pub name: ProfileNameArgs,
}

impl Run for ProfileShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let text = self.name.style_profile;
        // For a name, the list is enough: its items have the same fields as the reply for one profile.
        let profile = if StyleProfile::is_id(&text) {
            ctx.client().await?.send(&GetStyleProfile { style_profile_id: text }).await?
        } else {
            named::pick(named::all_style_profiles(ctx).await?, &text)?
        };
        Ok(ctx.out.object(&profile)?)
    }
}

/// A kind of profile part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfilePart {
    /// Glossaries
    Glossaries,
    /// Style rule lists
    Styles,
    /// Translation memories
    Memories,
}

impl ProfilePart {
    /// Returns the option and the request field. The third text is `source` if the source languages of all parts must differ, `target` if
    /// their target languages must differ, and otherwise empty.
    const fn option_field_and_role(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Glossaries => ("--glossary", "glossary_ids", ""),
            Self::Styles => ("--style", "style_rule_ids", "target"),
            Self::Memories => ("--translation-memory", "translation_memory_ids", "source"),
        }
    }
}

#[derive(Args, Debug)]
pub struct ProfilePartsArgs {
    /// Glossary names or IDs, comma-separated; repeatable
    #[arg(long, aliases = ["glossary-id", "glossary-ids"], value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: Vec<NameList>,
    /// Style rule list names or IDs, one per target language
    #[arg(long, aliases = ["style-id", "style-rule-id", "style-rule-ids"], value_name = "STYLE", add = names::<StyleRule>())]
    pub style: Vec<NameList>,
    /// Translation memory names or IDs, one per source language
    #[arg(long, aliases = ["translation-memory-id", "translation-memory-ids"], value_name = "MEMORY")]
    #[arg(add = names::<TranslationMemory>())]
    pub translation_memory: Vec<NameList>,
    /// Whether entries of earlier glossaries take precedence
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub glossary_priority_order: Option<bool>,
}

impl ProfilePartsArgs {
    fn is_empty(&self) -> bool {
        let lists = [&self.glossary, &self.style, &self.translation_memory];
        lists.iter().all(|list| list.is_empty()) && self.glossary_priority_order.is_none()
    }

    fn of(&self, part: ProfilePart) -> Vec<&str> {
        let lists = match part {
            ProfilePart::Glossaries => &self.glossary,
            ProfilePart::Styles => &self.style,
            ProfilePart::Memories => &self.translation_memory,
        };
        lists.iter().flat_map(|list| list.0.iter().map(String::as_str)).collect()
    }

    /// Returns the fields of a request. A kind for which no parts are given gets no field.
    async fn resolve(&self, ctx: &Context) -> Result<StyleProfileFields, Failure> {
        let glossaries = self.find(ctx, ProfilePart::Glossaries, |_| "", named::all_glossaries(ctx)).await?;
        let styles = self.find(ctx, ProfilePart::Styles, |list| &list.language, named::all_styles(ctx)).await?;
        let memories = named::all_memories(ctx);
        let memories = self.find(ctx, ProfilePart::Memories, |memory| &memory.source_language, memories).await?;
        Ok(StyleProfileFields {
            glossary_ids: glossaries,
            style_rule_ids: styles,
            translation_memory_ids: memories,
            glossary_priority_order_enabled: self.glossary_priority_order,
            ..StyleProfileFields::default()
        })
    }

    /// Returns the IDs of the parts of a kind, without duplicates. Awaits `all` only if names were given.
    ///
    /// Fails if two parts are known to have the same language.
    async fn find<T: Named + Clone>(
        &self,
        ctx: &Context,
        part: ProfilePart,
        language: impl Fn(&T) -> &str,
        all: impl Future<Output = Result<Vec<T>, Failure>>,
    ) -> Result<Option<Vec<String>>, Failure> {
        let texts = self.of(part);
        let all = if texts.iter().all(|text| T::is_id(text)) { Vec::new() } else { all.await? };
        let (mut ids, mut languages) = (Vec::new(), HashMap::new());
        for text in texts {
            let known = if T::is_id(text) {
                all.iter().find(|one| one.id().eq_ignore_ascii_case(text)).cloned()
            } else {
                Some(named::pick(all.clone(), text)?)
            };
            let id = known.as_ref().map_or(text, |one| one.id()).to_owned();
            if ids.contains(&id) {
                continue;
            }
            ids.push(id);
            let Some(language) = known.as_ref().map(&language).filter(|code| !code.is_empty()) else { continue };
            if let Some(other) = languages.insert(language.to_ascii_lowercase(), text)
                && !ctx.args.no_check
            {
                let ((option, _, role), language) = (part.option_field_and_role(), quotable(language));
                let noun = T::NOUN;
                return Err(Failure::usage(format!(
                    "{option}: `{other}` and `{text}` both have the language {language}; a style profile has at most one {noun} \
                     per {role} language"
                ))
                .hint("leave one of them out; --no-check lets the service decide"));
            }
        }
        Ok(Some(ids).filter(|ids| !ids.is_empty()))
    }

    fn explain_refusal(&self, failure: Failure) -> Failure {
        let refused =
            failure.service.as_deref().filter(|service| service.status == Some(400) && failure.hint.is_none());
        let Some(service) = refused else { return failure };
        let lists = [
            (ProfilePart::Glossaries, Glossary::LIST),
            (ProfilePart::Styles, StyleRule::LIST),
            (ProfilePart::Memories, TranslationMemory::LIST),
        ];
        let Some((part, list)) = lists.into_iter().find(|(part, _)| service.names(part.option_field_and_role().1))
        else {
            return failure;
        };
        let named: Vec<String> = self.of(part).into_iter().map(|text| format!("`{text}`")).collect();
        let (option, languages) =
            (part.option_field_and_role().0, if part == ProfilePart::Glossaries { "" } else { " and their languages" });
        failure.hint(format!("check {option} {}: `{list}` shows those that exist{languages}", named.join(", ")))
    }
}

/// Create a style profile
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<StyleProfile>()
    .with_common_options(&["industry", "glossary", "style", "translation-memory"])
    .checks_before_sending())]
#[command(after_help = "tulk style profile create Clients --glossary Kitchen --style Shop\n\
                        tulk style profile create Menus --glossary Kitchen,Drinks --glossary-priority-order")]
pub struct ProfileCreateArgs {
    /// Name of the profile
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Description
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Industry, such as Machinery
    #[arg(long, value_name = "TEXT")]
    pub industry: Option<String>,
    #[command(flatten)]
    pub parts: ProfilePartsArgs,
}

impl Run for ProfileCreateArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut request = CreateStyleProfile { name: self.name, fields: StyleProfileFields::default() };
        ctx.check(&request)?;
        if !ctx.args.no_check {
            let name = shell::quote(&request.name);
            let hint = format!(
                "`tulk style profile edit {name}` changes it; choose another name, or create another one with --no-check"
            );
            named::check_new_name(&named::all_style_profiles(ctx).await?, &request.name, None, &hint)?;
        }
        request.fields = self.parts.resolve(ctx).await?;
        (request.fields.description, request.fields.industry) = (self.description, self.industry);
        let created =
            ctx.client().await?.send(&request).await.map_err(|failure| self.parts.explain_refusal(failure))?;
        known_names::keep(ctx, &created).await;
        Ok(ctx.out.object(&created)?)
    }
}

/// Edit a style profile
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<StyleProfile>()
    .with_common_options(&["name", "industry", "glossary", "style", "clear"])
    .checks_before_sending())]
#[command(after_help = "tulk style profile edit Manuals --industry Machinery\n\
                        tulk style profile edit Manuals --style Shop --clear glossaries")]
pub struct ProfileEditArgs {
    /// Style profile name or ID
    #[arg(value_name = "PROFILE", add = names::<StyleProfile>())]
    pub style_profile: String,
    /// New name
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// New description; an empty one removes it
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// New industry; an empty one removes it
    #[arg(long, value_name = "TEXT")]
    pub industry: Option<String>,
    #[command(flatten)]
    pub parts: ProfilePartsArgs,
    /// Unlink all parts of a kind; repeatable
    #[arg(long, value_enum, value_name = "KIND", value_delimiter = ',')]
    pub clear: Vec<ProfilePart>,
}

impl Run for ProfileEditArgs {
    /// Keeps the fields that are not given. A list of parts replaces all parts of its kind.
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        if let Some(part) = self.clear.iter().find(|part| !self.parts.of(**part).is_empty()) {
            let (option, ..) = part.option_field_and_role();
            let kind = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            return Err(Failure::usage(format!("{option} and --clear {kind} cannot be used together"))
                .hint(format!("{option} alone replaces all {kind}"))
                .into());
        }
        let texts = [&self.name, &self.description, &self.industry];
        let has_parts = !self.parts.is_empty() || !self.clear.is_empty();
        if !has_parts && texts.iter().all(|text| text.is_none()) {
            return Err(Failure::usage("nothing to change")
                .hint(
                    "add --name, --description, --industry, --glossary, --style, --translation-memory, \
                     --glossary-priority-order or --clear",
                )
                .into());
        }
        let mut request = EditStyleProfile {
            style_profile_id: self.style_profile,
            name: self.name,
            fields: StyleProfileFields::default(),
        };
        ctx.check(&request)?;
        let all = named::all_style_profiles(ctx);
        request.style_profile_id = match &request.name {
            Some(name) => named::id_to_rename(ctx, &request.style_profile_id, name, all).await?,
            None => named::style_profile(ctx, &request.style_profile_id).await?,
        };
        let mut fields = self.parts.resolve(ctx).await?;
        for part in self.clear {
            let ids = match part {
                ProfilePart::Glossaries => &mut fields.glossary_ids,
                ProfilePart::Styles => &mut fields.style_rule_ids,
                ProfilePart::Memories => &mut fields.translation_memory_ids,
            };
            *ids = Some(Vec::new());
        }
        (fields.description, fields.industry) = (self.description, self.industry);
        request.fields = fields;
        let edited = ctx.client().await?.send(&request).await.map_err(|failure| self.parts.explain_refusal(failure))?;
        known_names::keep(ctx, &edited).await;
        Ok(ctx.out.object(&edited)?)
    }
}

/// Delete a style profile, but not its parts
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk style profile delete Manuals --yes")]
pub struct ProfileDeleteArgs {
    #[command(flatten)]
    pub name: ProfileNameArgs,
}

impl Run for ProfileDeleteArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let id = named::style_profile(ctx, &self.name.style_profile).await?;
        ctx.confirm(&format!("delete style profile {}", named::name_and_id(&self.name.style_profile, &id)))?;
        ctx.client().await?.send(&DeleteStyleProfile { style_profile_id: id.clone() }).await?;
        known_names::forget::<StyleProfile>(ctx, &id).await;
        ctx.report_done(&format!("deleted style profile {id}"));
        Ok(())
    }
}

impl Row for StyleProfile {
    const COLUMNS: &'static [Column] = &[
        Column::id("style_profile_id").header("ID"),
        Column::name("name"),
        Column::text("description").rank(5),
        Column::text("industry").rank(2),
        Column::text("glossary_ids").header("GLOSSARIES").rank(6),
        Column::text("style_rule_ids").header("STYLES").rank(6),
        Column::text("translation_memory_ids").header("MEMORIES").rank(6),
        Column::flag("glossary_priority_order_enabled").header("PRIORITY").usual("false").rank(7),
        Column::time("creation_time").header("CREATED").rank(4),
        Column::time("updated_time").header("UPDATED"),
    ];
}
