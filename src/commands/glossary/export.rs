//! `tulk glossary export`: writes one TSV file per dictionary. `sync` accepts these files as they are.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::remote::RemoteDictionary;
use crate::api::glossary::{GetGlossary, LanguagePair};
use crate::commands::named;
use crate::context::Context;
use crate::files::{self, FileMode};
use crate::json::Kept;
use crate::output::{Cell, Row};

/// The longest part of a file name that comes from a glossary's name. File systems allow 255 bytes in total.
const NAME_BYTES: usize = 200;

/// Write one file per dictionary
#[derive(Args, Debug)]
pub struct GlossaryExportArgs {
    /// Glossary name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// Directory to write to [default: the current directory]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// An exported file, as a row.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ExportedDictionaryRow {
    path: String,
    source_lang: String,
    target_lang: String,
    entry_count: usize,
}

impl Row for ExportedDictionaryRow {
    const COLUMNS: &'static [&'static str] = &["path", "source_lang", "target_lang", "entry_count"];

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(&self.path),
            Cell::from(&self.source_lang),
            Cell::from(&self.target_lang),
            Cell::from(self.entry_count),
        ]
    }
}

/// Writes `<name>.<source>-<target>.tsv` files and replaces existing ones.
pub async fn run(ctx: &Context, args: GlossaryExportArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary(ctx, &args.glossary).await?;
    let client = ctx.client().await?;
    let glossary = client.send(&GetGlossary { glossary_id: glossary_id.clone() }).await?;
    let dir = args.dir.unwrap_or_default();
    let name = safe_file_name(&glossary.name);
    let mut exports = Vec::new();
    // Everything is read before the first file is written.
    for info in &glossary.dictionaries {
        let pair = LanguagePair::from_codes(&info.source_lang, &info.target_lang)?;
        let dictionary = RemoteDictionary::new(client, &glossary_id, &pair).read().await?;
        let path = dir.join(format!("{name}.{}-{}.tsv", pair.source, pair.target));
        exports.push((path, pair, dictionary));
    }
    let mut rows = Vec::new();
    for (path, pair, dictionary) in exports {
        if !ctx.args.dry_run {
            files::write_atomic(&path, dictionary.to_file_text().as_bytes(), FileMode::Inherit)?;
        }
        rows.push(Kept::from_typed(ExportedDictionaryRow {
            path: path.display().to_string(),
            source_lang: pair.source.to_string(),
            target_lang: pair.target.to_string(),
            entry_count: dictionary.len(),
        })?);
    }
    ctx.out.list(&rows)?;
    Ok(())
}

/// Returns a glossary's name without characters that are unsafe in file names.
fn safe_file_name(name: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    let mut safe: String = name.chars().map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    while safe.len() > NAME_BYTES {
        safe.pop();
    }
    // Avoids hidden files, and names that look like options.
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
