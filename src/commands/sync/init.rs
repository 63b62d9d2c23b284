//! `tulk sync init`: finds the catalogues of a project and writes tulk.toml for them.

use std::collections::BTreeSet;
use std::path::Path;

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::files::{self, FileMode, ReadContent};
use tulk_base::value_error::ValueError;
use tulk_catalogs::CATALOG_FORMATS;
use tulk_sync::layouts::{FoundLayout, example_target, find_layouts, layout_of_patterns, render_config};
use tulk_sync::project::{LangTag, PROJECT_FILE, Project, ProjectRoot};

use crate::command::{CommandSpec, Run};
use crate::context::Context;

/// Write tulk.toml for the catalogues of this project
///
/// Looks for the layouts of common frameworks in the current directory, and for files in folders such as `locales`.
/// Lists them and, on a terminal, asks for the languages. Never replaces an existing tulk.toml.
#[derive(Args, Debug)]
#[command(add = CommandSpec::no_result().asks_before_changes())]
#[command(after_help = "tulk sync init\ntulk sync init --from en --to de,fr --file 'locales/{lang}.json' --dry-run")]
pub struct SyncInitArgs {
    /// Source language [default: taken from the files]
    #[arg(long, value_name = "LANG", value_parser = parse_lang)]
    pub from: Option<LangTag>,
    /// Target languages, comma-separated [default: taken from the files]
    #[arg(short = 't', long, value_name = "LANG", value_delimiter = ',', value_parser = parse_lang)]
    pub to: Vec<LangTag>,
    /// Files with {lang}, such as 'locales/{lang}/*.json' [default: detected]
    #[arg(long, value_name = "PATTERN")]
    pub file: Vec<String>,
}

impl Run for SyncInitArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let path = Path::new(PROJECT_FILE);
        let exists = || {
            let hint = "edit it, or remove it and run `tulk sync init` again";
            Failure::usage(format!("{PROJECT_FILE} exists")).hint(hint)
        };
        if path.symlink_metadata().is_ok() && !ctx.args.dry_run {
            return Err(exists().into());
        }
        let mut found = self.layouts(self.from.as_ref())?;
        for layout in &found {
            ctx.out.status(&format!("found {}", describe_layout(layout)));
        }
        let asks = !ctx.args.yes && !ctx.args.dry_run;
        if asks && self.from.is_none() {
            let layouts = |answer: &str| {
                let from = LangTag::parse(answer.trim())?;
                let found = self.layouts(Some(&from)).map_err(|failure| failure.what)?;
                check_source(&found, &from)?;
                Ok(found)
            };
            if let Some(answered) = ask_until_valid(ctx, "Source language", &source_of(&found), layouts)? {
                found = answered;
            }
        }
        if let Some(from) = &self.from {
            check_source(&found, from).map_err(|why| Failure::usage(format!("--from: {why}")))?;
        }
        let source = source_of(&found);
        let mut targets = self.to.clone();
        if asks && targets.is_empty() {
            let proposed = targets_of(&found).into_iter().collect::<Vec<_>>().join(", ");
            let proposed = if proposed.is_empty() { example_target(&source).to_owned() } else { proposed };
            let langs = |answer: &str| {
                let langs = answer.split([',', ' ']).filter(|part| !part.is_empty()).map(LangTag::parse);
                langs.collect::<Result<Vec<_>, _>>().and_then(|langs| check_targets(langs, &source))
            };
            targets = ask_until_valid(ctx, "Languages to translate into, comma-separated", &proposed, langs)?
                .unwrap_or_default();
            // The user accepted the proposal: keep the languages of each rule, which may differ.
            if targets.iter().map(LangTag::as_str).eq(targets_of(&found)) {
                targets.clear();
            }
        }
        if !targets.is_empty() {
            let targets = check_targets(targets, &source).map_err(|why| Failure::usage(format!("--to: {why}")))?;
            for layout in &mut found {
                layout.set_targets(&targets);
            }
        }
        let text = render_config(&found);
        if ctx.args.dry_run {
            return Ok(ctx.out.text(text)?);
        }
        // Check that tulk can read the file before writing it.
        Project::parse(path, &text, ProjectRoot::new(Path::new("."))?, CATALOG_FORMATS)?;
        // Do not replace a file that was created while the questions were answered.
        if !files::write_over(path, text.as_bytes(), FileMode::Inherit, &ReadContent::MISSING)? {
            return Err(exists().into());
        }
        ctx.out.status(&format!("wrote {PROJECT_FILE}"));
        ctx.out.hint("check the languages in it, then run `tulk sync --dry-run`");
        Ok(())
    }
}

impl SyncInitArgs {
    /// Returns the layout of the files in `--file`, or else the layouts found in the directory.
    fn layouts(&self, from: Option<&LangTag>) -> Result<Vec<FoundLayout>, Failure> {
        if !self.file.is_empty() {
            let named = layout_of_patterns(Path::new("."), &self.file, from);
            return Ok(vec![named.map_err(|why| Failure::usage(format!("--file: {why}")))?]);
        }
        let found = find_layouts(Path::new("."), from);
        if found.is_empty() {
            let what = "no message catalogues were found in this directory";
            let hint = "run it in the directory of your project, pass the files with --file 'locales/{lang}/*.json', or write tulk.toml \
                        by hand: `tulk help sync`";
            return Err(Failure::usage(what).hint(hint));
        }
        Ok(found)
    }
}

fn parse_lang(text: &str) -> Result<LangTag, ValueError> {
    LangTag::parse(text).map_err(|why| ValueError::new(text, why))
}

/// Repeats a question until `read` accepts the answer. `None` if nobody can answer.
fn ask_until_valid<T>(
    ctx: &Context,
    question: &str,
    proposed: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, Failure> {
    if !ctx.out.settings().can_ask {
        return Ok(None);
    }
    loop {
        let answer = ctx.out.ask(&format!("{question} [{proposed}]: "))?;
        let answer = answer.ok_or_else(|| Failure::usage("no answer; nothing was changed"))?;
        match read(if answer.is_empty() { proposed } else { &answer }) {
            Ok(value) => return Ok(Some(value)),
            Err(why) => ctx.out.status(&why),
        }
    }
}

fn describe_layout(layout: &FoundLayout) -> String {
    let files: Vec<&str> =
        layout.rules.iter().filter_map(|rule| rule.target.as_deref().or(rule.source.as_deref())).collect();
    let langs: Vec<&str> = layout.source_lang.iter().chain(&layout.target_langs).map(String::as_str).collect();
    let langs = if langs.is_empty() { String::new() } else { format!(" ({})", langs.join(", ")) };
    format!("{}: {}{langs}", layout.name, files.join(", "))
}

/// Returns the source language for the project file; `en` if no layout has one.
fn source_of(layouts: &[FoundLayout]) -> String {
    layouts.iter().find_map(|layout| layout.source_lang.clone()).unwrap_or_else(|| "en".to_owned())
}

fn targets_of(layouts: &[FoundLayout]) -> BTreeSet<&str> {
    let source = source_of(layouts);
    layouts.iter().flat_map(|layout| &layout.target_langs).map(String::as_str).filter(|lang| *lang != source).collect()
}

/// Fails if catalogues were found but none is in the given source language.
fn check_source(layouts: &[FoundLayout], from: &LangTag) -> Result<(), String> {
    let sources: BTreeSet<&str> = layouts.iter().filter_map(|layout| layout.source_lang.as_deref()).collect();
    if sources.is_empty() || sources.contains(from.as_str()) {
        return Ok(());
    }
    let known: Vec<&str> = sources.into_iter().chain(targets_of(layouts)).collect();
    Err(format!("no catalogue is in {from}, only in {}", known.join(", ")))
}

fn check_targets(targets: Vec<LangTag>, source: &str) -> Result<Vec<LangTag>, String> {
    if targets.iter().any(|to| to.as_str() == source) {
        return Err(format!("{source} is the source language"));
    }
    Ok(targets)
}
