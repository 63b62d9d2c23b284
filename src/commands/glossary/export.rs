//! `tulk glossary export`: writes one TSV file per dictionary, in the format that `sync` reads.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use tulk_base::error::{Failure, FileContext as _};
use tulk_base::files::{self, AtomicFile, FileMode};
use tulk_base::json::WithRaw;
use tulk_client::api::glossary::{GetGlossary, Glossary, LanguagePair};
use tulk_formats::input::dictionary::Dictionary;

use super::dictionaries::RemoteDictionary;
use crate::command::{CommandSpec, Run};
use crate::context::Context;
use crate::named::{self, names};
use crate::output::{Column, EmptyNote, Row};

/// Maximum length of the part of a file name that comes from a glossary's name. File systems allow 255 bytes in total.
const MAX_NAME_BYTES: usize = 200;

/// Write one file per dictionary
#[derive(Args, Debug)]
#[command(add = CommandSpec::change::<ExportedDictionaryRow>())]
#[command(after_help = "tulk glossary export Kitchen\n\
                        tulk glossary export Kitchen glossaries")]
pub struct GlossaryExportArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY", add = names::<Glossary>())]
    pub glossary: String,
    /// Directory to write to [default: the current directory]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Replace files that have other entries
    #[arg(long)]
    pub force: bool,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ExportedDictionaryRow {
    path: String,
    source_lang: String,
    target_lang: String,
    entry_count: usize,
}

impl Row for ExportedDictionaryRow {
    const COLUMNS: &'static [Column] = &[
        Column::path("path").rank(0),
        Column::text("source_lang").header("FROM"),
        Column::text("target_lang").header("TO"),
        Column::count("entry_count").header("ENTRIES"),
    ];
}

struct DictionaryExport {
    path: PathBuf,
    pair: LanguagePair,
    dictionary: Dictionary,
}

impl DictionaryExport {
    fn row(&self) -> ExportedDictionaryRow {
        ExportedDictionaryRow {
            path: self.path.display().to_string(),
            source_lang: self.pair.source.to_string(),
            target_lang: self.pair.target.to_string(),
            entry_count: self.dictionary.len(),
        }
    }
}

impl Run for GlossaryExportArgs {
    async fn run(self, ctx: &Context) -> Result<(), anyhow::Error> {
        let glossary_id = named::glossary(ctx, &self.glossary).await?;
        let client = ctx.client().await?;
        let glossary = client.send(&GetGlossary { glossary_id: glossary_id.clone() }).await?;
        let dir = self.dir.unwrap_or_default();
        let name = safe_file_name(&glossary.name);
        let mut exports = Vec::new();
        // Read everything before writing the first file.
        for info in &glossary.dictionaries {
            let pair = LanguagePair::from_codes(&info.source_lang, &info.target_lang)?;
            let dictionary = RemoteDictionary::new(ctx, &glossary_id, &pair).await?.read().await?;
            let path = dir.join(format!("{name}.{}-{}.tsv", pair.source, pair.target));
            exports.push(DictionaryExport { path, pair, dictionary });
        }
        let rows: Vec<_> = exports.iter().map(|export| WithRaw::from_typed(export.row())).collect::<Result<_, _>>()?;
        let changed = changed_files(exports, self.force)?;
        if !ctx.args.dry_run {
            write_all(&changed)?;
        }
        Ok(ctx.out.list_or_note(&rows, &EmptyNote::new("No dictionaries to export."))?)
    }
}

fn changed_files(exports: Vec<DictionaryExport>, force: bool) -> Result<Vec<DictionaryExport>, Failure> {
    let (mut changed, mut existing) = (Vec::new(), Vec::new());
    for export in exports {
        let path = &export.path;
        files::check_shared(path)?;
        // A device or FIFO has no content to lose.
        if path.is_file() && !files::is_special(path) {
            if files::has_content(path, export.dictionary.to_file_text().as_bytes()) {
                continue;
            }
            existing.push(path.display().to_string());
        }
        changed.push(export);
    }
    match existing.as_slice() {
        _ if force => Ok(changed),
        [] => Ok(changed),
        [one] => Err(Failure::usage(format!("{one} exists and differs from the glossary"))
            .hint("nothing was written; --force replaces the file")),
        several => Err(Failure::usage(format!(
            "{} files exist and differ from the glossary: {}",
            several.len(),
            several.join(", ")
        ))
        .hint("nothing was written; --force replaces them")),
    }
}

/// Writes all temporary files before renaming the first, so a full disk changes none of the files.
fn write_all(exports: &[DictionaryExport]) -> Result<(), Failure> {
    let mut written = Vec::with_capacity(exports.len());
    for DictionaryExport { path, dictionary, .. } in exports {
        let mut file = AtomicFile::create(path, FileMode::Inherit)?;
        file.write_all(dictionary.to_file_text().as_bytes()).file_context("write", path)?;
        written.push(file);
    }
    written.into_iter().try_for_each(AtomicFile::commit)
}

/// Replaces characters that are unsafe in file names, and shortens the name.
pub fn safe_file_name(name: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    let mut safe: String = name.chars().map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    while safe.len() > MAX_NAME_BYTES {
        safe.pop();
    }
    // Avoid hidden files and names that look like options.
    if safe.starts_with(['.', '-']) {
        safe.replace_range(..1, "_");
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_safe_file_names() {
        for (name, file) in [
            ("Kitchen", "Kitchen"),
            ("a/b\\c:d", "a_b_c_d"),
            ("../up", "_._up"),
            ("-x", "_x"),
            ("tab\there", "tab_here"),
            ("K\u{fc}che \u{8336}", "K\u{fc}che \u{8336}"),
        ] {
            assert_eq!(safe_file_name(name), file);
        }
        assert_eq!(safe_file_name(&"\u{8336}".repeat(300)).len(), 198);
    }
}
