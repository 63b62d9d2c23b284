//! Arguments for files of terms.

use std::path::PathBuf;

use clap::Args;
use tulk_base::value_error::ValueError;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::SpokenTerms;

use crate::inputs::keyed_files::KeyedFile;
use crate::named::names;

pub type LanguageFile = KeyedFile<LangCode>;

pub fn parse_language_file(text: &str) -> Result<LanguageFile, ValueError> {
    KeyedFile::parse(text, "LANG=FILE, such as en=FILE", |key| Ok(vec![key.parse()?]))
}

// A term list and the file to change it with.
#[derive(Args, Debug)]
pub struct TermListAndFileArgs {
    /// Name or ID of the collection
    #[arg(value_name = "TERMS", add = names::<SpokenTerms>())]
    pub collection: String,
    /// Language of the list, such as en
    #[arg(value_name = "LANG")]
    pub lang: LangCode,
    /// File with one term per line (- for stdin)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl TermListAndFileArgs {
    pub fn language_file(&self) -> LanguageFile {
        LanguageFile { keys: vec![self.lang.clone()], file: self.file.clone() }
    }
}
