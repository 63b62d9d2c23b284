//! `tulk glossary export`: one file for each dictionary, which `sync` takes back unchanged.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::api::glossary::{GetGlossary, LanguagePair};
use crate::commands::named;
use crate::context::Context;
use crate::files::{self, FileMode};
use crate::json::Kept;
use crate::output::{Cell, Row};

use super::change;

/// Bytes of a glossary's name in a file name; file systems take 255 for all of it.
const NAME_BYTES: usize = 200;

/// Write one file for each dictionary
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Name or ID
    #[arg(value_name = "GLOSSARY")]
    pub glossary: String,
    /// Directory to write to [default: the current one]
    #[arg(value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

/// A written file.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Written {
    path: String,
    source_lang: String,
    target_lang: String,
    entry_count: usize,
}

impl Row for Written {
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

/// Writes `<name>.<src>-<tgt>.tsv` files; older ones are replaced.
pub async fn run(ctx: &Context, args: ExportArgs) -> Result<(), anyhow::Error> {
    ctx.out.settings().check_listing()?;
    let glossary_id = named::glossary(ctx, &args.glossary).await?;
    let client = ctx.client().await?;
    let glossary = client.send(&GetGlossary { glossary_id: glossary_id.clone() }).await?;
    let dir = args.dir.unwrap_or_default();
    let name = file_name(&glossary.name);
    let mut files = Vec::new();
    // All are read before the first is written.
    for info in &glossary.dictionaries {
        let pair = LanguagePair::from_codes(&info.source_lang, &info.target_lang)?;
        let dictionary = change::read(client, &glossary_id, &pair).await?;
        let path = dir.join(format!("{name}.{}-{}.tsv", pair.source, pair.target));
        files.push((path, pair, dictionary));
    }
    let mut written = Vec::new();
    for (path, pair, dictionary) in files {
        if !ctx.args.dry_run {
            files::write_atomic(&path, dictionary.file().as_bytes(), FileMode::Inherit)?;
        }
        written.push(Kept::made(Written {
            path: path.display().to_string(),
            source_lang: pair.source.to_string(),
            target_lang: pair.target.to_string(),
            entry_count: dictionary.len(),
        })?);
    }
    ctx.out.list(&written)?;
    Ok(())
}

/// A glossary's name with what is unsafe in file names replaced.
fn file_name(name: &str) -> String {
    let is_unsafe = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    let mut safe: String = name.chars().map(|c| if is_unsafe(c) { '_' } else { c }).collect();
    while safe.len() > NAME_BYTES {
        safe.pop();
    }
    // A hidden file, or one that looks like an option, is a surprise.
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
            assert_eq!(file_name(name), file);
        }
        assert_eq!(file_name(&"\u{8336}".repeat(300)).len(), 198);
    }
}
