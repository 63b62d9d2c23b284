//! `tulk style list`, `show`, `create`, `rename` and `delete`.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tulk_base::error::Failure;
use tulk_base::json::WithRaw;
use tulk_base::shell;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::language_names::LanguageUse;
use tulk_client::api::style::{
    ConfiguredRules, DeleteStyleRule, GetStyleRule, ListStyleRules, RenameStyleRule, StyleRule,
};

use super::file::{StyleListFile, refuse_unknown};
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, known_names, names};
use crate::output::{Cell, Column, EmptyNote, Table, View};
use crate::reports::list_limit::ListLimitArgs;

#[derive(Args, Debug)]
pub struct StyleNameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
}

/// Reads a list by name or ID, with its rules and instructions.
pub async fn read_list(ctx: &Context, text: &str) -> Result<WithRaw<StyleRule>, Failure> {
    let style_id = named::style(ctx, text).await?;
    ctx.client().await?.send(&GetStyleRule { style_id }).await
}

/// Adds a hint if the service refused the language of a list or of an instruction's prompt.
pub fn with_language_hint(failure: Failure, language: Option<&LangCode>) -> Failure {
    let refused = failure.service.as_deref().filter(|service| service.status == Some(400) && failure.hint.is_none());
    let (Some(service), Some(code)) = (refused, language) else { return failure };
    let hint = LangCode::hint_when_refused(LanguageUse::Style, service, [("language", code, true)]);
    let source = [("source_language", code, true)];
    match hint.or_else(|| LangCode::hint_when_refused(LanguageUse::Text, service, source)) {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// List all style rule lists
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(LIST_COLUMNS))]
#[command(after_help = "tulk style list\n\
                        tulk style list --detailed --json")]
pub struct StyleListArgs {
    /// Include rules and instructions
    #[arg(long)]
    pub detailed: bool,
    #[command(flatten)]
    pub limit: ListLimitArgs,
}

impl Run for StyleListArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let limit = self.limit.count();
        if limit == 0 {
            ctx.out.show(&StyleListsView::many(&[], self.detailed))?;
            return Ok(());
        }
        let all = ListStyleRules::all(self.detailed);
        let lists = ctx.client().await?.send_all(all, self.limit.given(), |_, _| false).await?;
        if lists.style_rules.len() < limit {
            known_names::keep_all(ctx, &lists.style_rules).await;
        }
        ctx.out.show(&StyleListsView::many(self.limit.first(&lists.style_rules), self.detailed))?;
        if lists.style_rules.is_empty() {
            let note = EmptyNote::new("No style rule lists yet.");
            ctx.out.print_empty_note(&note.next("Create one", "tulk style create NAME --language en"));
        }
        Ok(())
    }
}

/// Show a list with its rules and instructions
#[derive(Args, Debug)]
#[command(add = CommandSpec::list(DETAILED_COLUMNS).note(DETAILED_NOTE))]
#[command(after_help = "tulk style show Shop")]
pub struct StyleShowArgs {
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleShowArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let list = read_list(ctx, &args.style).await?;
        Ok(ctx.out.show(&StyleListsView::one(&list))?)
    }
}

/// Create a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::change_list(DETAILED_COLUMNS)
    .note(DETAILED_NOTE)
    .checks_before_sending()
    .languages(LanguageUse::Style))]
#[command(after_help = "tulk style create \"Shop texts\" --language en\n\
                        tulk style create \"Web texts\" --file shop.toml")]
pub struct StyleCreateArgs {
    /// Name of the list, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
    /// Language of the list
    #[arg(short, long, value_name = "LANG", required_unless_present = "file")]
    pub language: Option<LangCode>,
    /// TOML file with rules and instructions (- for stdin)
    #[arg(long, value_name = "FILE|-")]
    pub file: Option<PathBuf>,
}

impl Run for StyleCreateArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let file = self.file.as_deref().map(|path| StyleListFile::read(ctx, path)).transpose()?.unwrap_or_default();
        let language = match (self.language, file.language.clone()) {
            (Some(flag), Some(in_file)) if flag != in_file => {
                return Err(Failure::usage(format!("--language is {flag}, but the file has language {in_file}"))
                    .hint("remove one of the two")
                    .into());
            }
            (Some(language), _) | (None, Some(language)) => language,
            (None, None) => return Err(Failure::usage("the file has no language").hint("add --language LANG").into()),
        };
        if let (Some(rules), Some(path)) = (&file.configured_rules, &self.file) {
            refuse_unknown(ctx, rules, Some(path))?;
        }
        let request = file.into_create_request(self.name, language);
        ctx.check(&request)?;
        if !ctx.args.no_check {
            let show = format!("tulk style show {}", shell::quote(&request.name));
            let hint = format!("`{show}` shows it; choose another name, or create another one with --no-check");
            named::check_new_name(&named::all_styles(ctx).await?, &request.name, None, &hint)?;
        }
        let explain = |failure| with_language_hint(failure, Some(&request.language));
        let list = ctx.client().await?.send(&request).await.map_err(explain)?;
        known_names::keep(ctx, &list).await;
        Ok(ctx.out.show(&StyleListsView::one(&list))?)
    }
}

/// Rename a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::change_list(DETAILED_COLUMNS).note(DETAILED_NOTE).checks_before_sending())]
#[command(after_help = "tulk style rename Shop \"Shop texts\"")]
pub struct StyleRenameArgs {
    /// Style rule list name or ID
    #[arg(value_name = "STYLE", add = names::<StyleRule>())]
    pub style: String,
    /// New name, at most 1024 characters
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl Run for StyleRenameArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let mut request = RenameStyleRule { style_id: self.style, name: self.name };
        ctx.check(&request)?;
        request.style_id = named::id_to_rename(ctx, &request.style_id, &request.name, named::all_styles(ctx)).await?;
        let list = ctx.client().await?.send(&request).await?;
        known_names::keep(ctx, &list).await;
        Ok(ctx.out.show(&StyleListsView::one(&list))?)
    }
}

/// Delete a list
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk style delete Shop --yes")]
pub struct StyleDeleteArgs {
    #[command(flatten)]
    pub name: StyleNameArgs,
}

impl Run for StyleDeleteArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let args = &self.name;
        let style_id = named::style(ctx, &args.style).await?;
        ctx.confirm(&format!("delete style rule list `{}`", args.style))?;
        ctx.client().await?.send(&DeleteStyleRule { style_id: style_id.clone() }).await?;
        known_names::forget::<StyleRule>(ctx, &style_id).await;
        ctx.report_done(&format!("deleted style rule list {}", args.style));
        Ok(())
    }
}

pub const LIST_COLUMNS: &[Column] = &[
    Column::id("style_id").header("ID"),
    Column::name("name"),
    Column::text("language"),
    Column::number("version").rank(5),
    Column::time("creation_time").header("CREATED").rank(4),
    Column::time("updated_time").header("UPDATED"),
];
pub const DETAILED_NOTE: &str = "list --detailed prints the same";

pub const DETAILED_COLUMNS: &[Column] = &[
    Column::id("style_id").header("ID"),
    Column::name("name"),
    Column::text("language"),
    Column::number("version").rank(5),
    Column::time("creation_time").header("CREATED").rank(4),
    Column::time("updated_time").header("UPDATED"),
    Column::text("configured_rules").header("RULES"),
    Column::text("custom_instructions").header("INSTRUCTIONS"),
];

pub struct StyleListsView<'a> {
    lists: &'a [WithRaw<StyleRule>],
    detailed: bool,
    /// Whether this is a single list, whose JSON is an object.
    is_single: bool,
}

impl<'a> StyleListsView<'a> {
    pub fn many(lists: &'a [WithRaw<StyleRule>], detailed: bool) -> Self {
        Self { lists, detailed, is_single: false }
    }

    pub fn one(list: &'a WithRaw<StyleRule>) -> Self {
        Self { lists: std::slice::from_ref(list), detailed: true, is_single: true }
    }
}

impl Serialize for StyleListsView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.lists {
            [list] if self.is_single => list.serialize(serializer),
            lists => lists.serialize(serializer),
        }
    }
}

impl View for StyleListsView<'_> {
    fn table(&self) -> Table {
        let mut table = Table::new(if self.detailed { DETAILED_COLUMNS } else { LIST_COLUMNS });
        table.is_object = self.is_single;
        for list in self.lists {
            let mut row = vec![
                Cell::from(&list.style_id),
                Cell::from(&list.name),
                Cell::from(&list.language),
                list.version.into(),
                list.creation_time.as_ref().into(),
                list.updated_time.as_ref().into(),
            ];
            if self.detailed {
                let rules = list.configured_rules.as_ref().map(rule_options).unwrap_or_default();
                row.push(Cell::list(
                    rules.iter().map(|(category, rule, option)| format!("{category}.{rule}={option}")),
                ));
                row.push(Cell::list(list.instructions().iter().map(|i| i.label.as_str())));
            }
            table.push(row);
        }
        table
    }

    fn items(&self) -> Vec<&RawValue> {
        self.lists.iter().map(WithRaw::raw).collect()
    }
}

/// Returns category, rule and option of each rule.
pub fn rule_options(rules: &ConfiguredRules) -> Vec<(&str, &str, String)> {
    let mut options = Vec::new();
    for (category, inner) in rules {
        for (rule, option) in inner.as_object().into_iter().flatten() {
            let option = match option {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            options.push((category.as_str(), rule.as_str(), option));
        }
    }
    options
}
