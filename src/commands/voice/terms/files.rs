//! Files of terms: arguments and reading.

use std::path::{Path, PathBuf};

use clap::Args;
use tulk_base::error::Failure;
use tulk_base::limits;
use tulk_base::numbers::counted;
use tulk_base::value_error::ValueError;
use tulk_client::api::language_code::LangCode;
use tulk_client::api::voice::terms::SpokenTerms;
use tulk_formats::input::whole;

use crate::inputs::keyed_files::{KeyedFile, display_name};
use crate::named::names;

/// The argument `LANG=FILE`.
pub type LanguageFile = KeyedFile<LangCode>;

/// Parses `en=FILE`.
pub fn parse_language_file(text: &str) -> Result<LanguageFile, ValueError> {
    KeyedFile::parse(text, "LANG=FILE, such as en=FILE", |key| Ok(vec![key.parse()?]))
}

// A term list of a collection, and the file to change it with. Not a doc comment: that would replace the help of the
// subcommands.
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
    /// Returns the file with its language.
    pub fn language_file(&self) -> LanguageFile {
        LanguageFile { keys: vec![self.lang.clone()], file: self.file.clone() }
    }
}

/// Returns the bytes of a file. Refuses a large one: it must be something else, such as audio.
pub fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let limit = limits::TERM_FILE_BYTES;
    whole::read_bytes_up_to(file, limit)?.ok_or_else(|| {
        let what =
            format!("{} has more than {}, the limit of a file of terms", display_name(file), counted(limit, "byte"));
        Failure::usage(what).hint(format!("a term list has at most {}", counted(limits::TERM_LIST_CHARS, "character")))
    })
}
