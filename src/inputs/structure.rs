//! Chooses the format of each input (table, JSON lines, subtitles, Markdown, message catalogue): as the flags say, or else by the file
//! extension.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use indexmap::IndexMap;
use tulk_base::error::Failure;
use tulk_base::files::is_special;
use tulk_base::numbers::grouped;
use tulk_catalogs::DIALECT_FORMATS;
use tulk_formats::{DIALECTS, FileFormatOptions, InputFormat, JsonLinesOptions, NamedFormat, TableOptions};

use super::texts::TextInputArgs;
use crate::context::Context;

/// Flags for the format of inputs that are not plain text.
#[allow(clippy::struct_excessive_bools)] // each is one flag
#[derive(Args, Debug, Default)]
pub struct StructureArgs {
    /// Read texts from columns of CSV; name them with --column
    #[arg(long, help_heading = "Input", requires = "column", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub csv: bool,
    /// Read texts from columns of TSV; name them with --column
    #[arg(long, help_heading = "Input", requires = "column", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub tsv: bool,
    /// Column with texts, by name or number, repeatable
    #[arg(long, value_name = "NAME|N", help_heading = "Input")]
    pub column: Vec<String>,
    /// Character between the cells of CSV [default: ,]
    #[arg(long, value_name = "C", help_heading = "Input", value_parser = delimiter)]
    pub delimiter: Option<u8>,
    /// The first record is data, not the names of columns
    #[arg(long, help_heading = "Input")]
    pub no_header_row: bool,
    /// Read texts from fields of JSON lines; name them with --field
    #[arg(long, help_heading = "Input", requires = "field", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub jsonl: bool,
    /// Field with text, as a JSON pointer such as /title, repeatable
    #[arg(long, value_name = "POINTER", help_heading = "Input")]
    pub field: Vec<String>,
    /// Add results as NAME_<lang> and keep the sources
    #[arg(long, help_heading = "Input")]
    pub append: bool,
    /// Read the texts of files in this format [default: by file extension]
    #[arg(long = "as", value_name = "FORMAT", value_parser = file_formats(), help_heading = "Input", group = "structure", conflicts_with_all = ["lines", "nul"])]
    pub file_format: Option<String>,
    /// Front-matter key with text, repeatable
    #[arg(long, value_name = "KEY", value_delimiter = ',', help_heading = "Input")]
    pub front_matter: Vec<String>,
    /// Dialect of json, yaml, toml, properties, resx, php [default: detected]
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(DIALECTS), help_heading = "Input")]
    pub dialect: Option<String>,
}

/// Languages of an input and its results. Some formats depend on them.
#[derive(Clone, Debug, Default)]
pub struct FormatLanguages {
    /// Language of the input in BCP 47, if it is known.
    pub source: Option<String>,
    /// Languages of the results in BCP 47.
    pub targets: Vec<String>,
}

/// Structure of an input that is not plain text.
#[derive(Clone, Copy, Debug)]
enum Structure {
    Csv,
    Tsv,
    JsonLines,
    Named(NamedFormat),
}

impl Structure {
    /// Returns the structure that belongs to a file's extension, if the extension is unambiguous. For `.xml`, the root element decides.
    fn of_file(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_string_lossy().to_lowercase();
        match &*ending {
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "xml" => NamedFormat::by_name("android").filter(|_| has_android_root(file)).map(Self::Named),
            ending if AMBIGUOUS_EXTENSIONS.contains(&ending) => None,
            ending => NamedFormat::by_extension(ending).map(Self::Named),
        }
    }

    /// Returns whether `--append` can add results next to their sources.
    fn can_add_results(self) -> bool {
        self.is_table() || matches!(self, Self::JsonLines)
    }

    fn is_table(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv)
    }

    /// Returns the structure with a name that `--as` accepts.
    fn named(name: &str) -> Option<Self> {
        let records = [Self::Csv, Self::Tsv, Self::JsonLines].into_iter().find(|kind| kind.name() == name);
        records.or_else(|| NamedFormat::by_name(name).map(Self::Named))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::JsonLines => "jsonl",
            Self::Named(format) => format.name(),
        }
    }
}

#[derive(Debug)]
pub struct InputFormats {
    /// Format of stdin, of arguments, and of files that are not in `by_extension`.
    others: InputFormat,
    /// The flag that chooses a structure, and this structure.
    flag: Option<(&'static str, Structure)>,
    /// Whether no flag chooses the format, not even `--lines` or `--as text`.
    is_by_extension: bool,
    /// Files whose extension chooses the format.
    by_extension: IndexMap<PathBuf, (Structure, InputFormat)>,
}

impl InputFormats {
    pub fn of(&self, file: &Path) -> &InputFormat {
        self.by_extension.get(file).map_or(&self.others, |(_, format)| format)
    }

    /// Returns the names of two files with different formats, if there are any.
    pub fn files_of_different_formats(&self, files: &[PathBuf]) -> Option<[String; 2]> {
        let name = |file: &Path| self.by_extension.get(file).map(|(kind, _)| kind.name());
        let first = files.first()?;
        let other = files.iter().find(|file| name(file) != name(first))?;
        Some([first, other].map(|file| file.display().to_string()))
    }

    /// Returns what chose the structure: a flag, or the name of a file.
    pub fn structure_source(&self) -> Option<String> {
        match self.flag {
            Some(("--as", kind)) => Some(format!("--as {}", kind.name())),
            Some((flag, _)) => Some(flag.to_owned()),
            None => self.by_extension.first().map(|(file, _)| file.display().to_string()),
        }
    }

    /// Returns the name of the first format whose files contain translations next to their sources, if any.
    pub fn bilingual_format(&self) -> Option<&'static str> {
        self.kinds()
            .filter(|kind| matches!(kind, Structure::Named(NamedFormat::Catalog(kind)) if kind.is_bilingual))
            .map(Structure::name)
            .next()
    }

    /// Returns whether results can be added next to their sources in every input. `files` is the number of input files.
    pub fn can_add_results(&self, files: usize) -> bool {
        (self.flag.is_some() || self.by_extension.len() == files) && self.kinds().all(Structure::can_add_results)
    }

    /// Returns whether results are added next to their sources, so that one output contains all target languages.
    pub fn adds_results(&self) -> bool {
        self.iter().any(|format| format.adds_results())
    }

    /// Returns whether entries of an input are sent with tags around their tokens.
    pub fn has_tokens(&self) -> bool {
        self.iter().any(|format| format.has_tokens())
    }

    fn kinds(&self) -> impl Iterator<Item = Structure> {
        self.by_extension.values().map(|(kind, _)| *kind).chain(self.flag.map(|(_, kind)| kind))
    }

    fn iter(&self) -> impl Iterator<Item = &InputFormat> {
        std::iter::once(&self.others).chain(self.by_extension.values().map(|(_, format)| format))
    }

    /// Prints which files are read in which format because of their extension. For the first file that is read as plain text although a
    /// flag would read it better, also prints a hint. `can_keep_tags` says whether that flag can be `--tag-handling`.
    pub fn announce(&self, ctx: &Context, inputs: &TextInputArgs, can_keep_tags: bool) {
        if !self.is_by_extension {
            return;
        }
        if let Some(line) = self.read_as() {
            ctx.out.status(&line);
        }
        let is_plain = |file: &&PathBuf| !self.by_extension.contains_key(*file);
        let better = |file: &PathBuf| {
            let ending = file.extension()?.to_string_lossy().to_lowercase();
            let what = match &*ending {
                "html" | "htm" if can_keep_tags => "--tag-handling html keeps its tags".to_owned(),
                "xml" if can_keep_tags => "--tag-handling xml keeps its tags".to_owned(),
                ending => {
                    let format = NamedFormat::by_extension(ending)?;
                    format!("--as {} keeps {}", format.name(), format.keeps())
                }
            };
            Some(format!("{} is read as plain text; {what}", file.display()))
        };
        if let Some(hint) = inputs.input.iter().filter(is_plain).find_map(better) {
            ctx.out.hint(&hint);
        }
    }

    /// Returns a message that lists files and their formats; `None` if no extension chose a format.
    fn read_as(&self) -> Option<String> {
        let mut groups: Vec<(&str, &Path, usize)> = Vec::new();
        for (file, (kind, _)) in &self.by_extension {
            match groups.iter_mut().find(|(name, ..)| *name == kind.name()) {
                Some((.., count)) => *count += 1,
                None => groups.push((kind.name(), file, 1)),
            }
        }
        let group = |(name, file, count): &(&str, &Path, usize)| match count {
            1 => format!("{} as {name}", file.display()),
            _ => format!("{} files as {name}", grouped(count)),
        };
        let groups: Vec<String> = groups.iter().map(group).collect();
        let them = if self.by_extension.len() == 1 { "it" } else { "them" };
        (!groups.is_empty()).then(|| format!("reading {} (--as text reads {them} as plain text)", groups.join(", ")))
    }
}

impl StructureArgs {
    fn flag(&self) -> Option<(&'static str, Structure)> {
        let named = || self.file_format.as_deref().and_then(Structure::named);
        let flags = [(self.csv, "--csv", Structure::Csv), (self.tsv, "--tsv", Structure::Tsv)];
        let table = flags.into_iter().find(|(given, ..)| *given).map(|(_, flag, kind)| (flag, kind));
        let lines = self.jsonl.then_some(("--jsonl", Structure::JsonLines));
        table.or(lines).or_else(|| named().map(|kind| ("--as", kind)))
    }

    /// Returns whether a file in a directory is read without `--glob`: its extension belongs to the format that a flag names, or else
    /// to any text format. Tables and JSON lines also need the names of their columns or fields.
    pub fn accepts_from_directory(&self, file: &Path) -> bool {
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match (self.flag(), Structure::of_file(file)) {
            (Some((_, Structure::Named(format))), _) => format.extensions().contains(&&*ending),
            (Some((_, flag)), of_file) => of_file.is_some_and(|kind| kind.name() == flag.name()),
            (None, Some(kind)) if kind.is_table() => !self.column.is_empty(),
            (None, Some(Structure::JsonLines)) => !self.field.is_empty(),
            (None, of_file) => of_file.is_some() || ending == "txt",
        }
    }

    /// Returns the formats of the inputs: as the flags say, or else by file extension. Fails if flags do not fit together.
    pub fn formats(&self, inputs: &TextInputArgs, languages: &FormatLanguages) -> Result<InputFormats, Failure> {
        let flag = self.flag();
        if let Some((flag, _)) = flag.filter(|_| inputs.are_texts()) {
            return Err(Failure::usage(format!("{flag} cannot be used with TEXT arguments"))
                .hint("each argument is a text; use -i FILE or stdin"));
        }
        let is_by_extension = flag.is_none() && self.file_format.is_none() && !inputs.lines && !inputs.nul;
        let files = inputs.input.iter().filter(|_| is_by_extension);
        let by_extension: Vec<_> = files.filter_map(|file| Some((file, Structure::of_file(file)?))).collect();
        let kinds: Vec<Structure> =
            by_extension.iter().map(|(_, kind)| *kind).chain(flag.map(|(_, kind)| kind)).collect();
        let is_all = flag.is_some() || by_extension.len() == inputs.input.len();
        self.check_flags(&kinds, is_all)?;
        let with_format =
            |(file, kind): (&PathBuf, Structure)| Ok((file.clone(), (kind, self.format(kind, languages)?)));
        let others = match flag {
            Some((_, kind)) => self.format(kind, languages)?,
            None if inputs.lines => InputFormat::lines(),
            None if inputs.nul => InputFormat::nul(),
            None => InputFormat::text(),
        };
        let by_extension = by_extension.into_iter().map(with_format).collect::<Result<_, Failure>>()?;
        Ok(InputFormats { others, flag, is_by_extension, by_extension })
    }

    fn format(&self, kind: Structure, languages: &FormatLanguages) -> Result<InputFormat, Failure> {
        let FormatLanguages { source, targets } = languages;
        let appended = if self.append { targets.as_slice() } else { &[] };
        Ok(match kind {
            Structure::Csv | Structure::Tsv => InputFormat::new(TableOptions {
                columns: self.column.clone(),
                delimiter: self.delimiter(kind),
                has_header: !self.no_header_row,
                appended: appended.to_vec(),
            }),
            Structure::JsonLines => InputFormat::new(JsonLinesOptions::new(&self.field, appended)?),
            Structure::Named(format) => format.create(&FileFormatOptions {
                front_matter: self.front_matter.clone(),
                dialect: self.dialect.clone(),
                source_lang: source.clone(),
                targets: targets.clone(),
            }),
        })
    }

    fn delimiter(&self, kind: Structure) -> u8 {
        if matches!(kind, Structure::Tsv) { b'\t' } else { self.delimiter.unwrap_or(b',') }
    }

    /// Refuses flags of a structure that no input has. `is_all` says whether all inputs have a structure.
    fn check_flags(&self, kinds: &[Structure], is_all: bool) -> Result<(), Failure> {
        let has = |wanted: fn(&Structure) -> bool| kinds.iter().any(wanted);
        let has_table = has(|kind| kind.is_table());
        let wrong = [("--column", !self.column.is_empty()), ("--no-header-row", self.no_header_row)];
        if let Some((flag, _)) = wrong.into_iter().find(|(_, given)| *given && !has_table) {
            return Err(Failure::usage(format!("{flag} needs --csv or --tsv")).hint(
                if has(|kind| matches!(kind, Structure::JsonLines)) {
                    "name fields of JSON lines with --field"
                } else if has(|kind| matches!(kind, Structure::Named(_))) {
                    "omit it: only tables have columns"
                } else {
                    "add --csv if commas separate the cells, or --tsv if tabs do"
                },
            ));
        }
        if self.delimiter.is_some() && !has(|kind| matches!(kind, Structure::Csv)) {
            return Err(
                Failure::usage("--delimiter needs --csv").hint("add --csv; with --tsv, tabs separate the cells")
            );
        }
        if self.append && !(is_all && !kinds.is_empty() && kinds.iter().all(|kind| kind.can_add_results())) {
            return Err(Failure::usage("--append needs --csv, --tsv or --jsonl")
                .hint("add one of them, or omit --append to replace the texts"));
        }
        if !self.field.is_empty() && !has(|kind| matches!(kind, Structure::JsonLines)) {
            return Err(Failure::usage("--field needs --jsonl").hint(if has_table {
                "columns of CSV and TSV are named with --column"
            } else {
                "for a JSON file, omit --field and use --as json"
            }));
        }
        let is_named = |names: &[&str]| kinds.iter().any(|kind| names.contains(&kind.name()));
        if !self.front_matter.is_empty() && !is_named(&["markdown"]) {
            return Err(Failure::usage("--front-matter needs --as markdown")
                .hint("front matter is at the start of Markdown files"));
        }
        if self.dialect.is_some() && !is_named(&DIALECT_FORMATS) {
            let [first @ .., last] = DIALECT_FORMATS;
            let what = format!("--dialect needs --as {} or {last}", first.join(", "));
            return Err(Failure::usage(what).hint("in other formats, the file itself shows which dialect it uses"));
        }
        Ok(())
    }
}

fn delimiter(value: &str) -> Result<u8, String> {
    match value.as_bytes() {
        [b'\t'] => Err("for tabs use --tsv instead of --csv".to_owned()),
        [byte] if byte.is_ascii() && !b"\r\n\"".contains(byte) => Ok(*byte),
        _ => Err("expected one ASCII character such as ; (but not a quote or line ending)".to_owned()),
    }
}

fn file_formats() -> PossibleValuesParser {
    let text = PossibleValue::new("text").help("Plain text, whatever the file extension");
    let records = [
        ("csv", "Comma-separated values, as --csv"),
        ("tsv", "Tab-separated values, as --tsv"),
        ("jsonl", "JSON lines, as --jsonl"),
    ]
    .map(|(name, help)| PossibleValue::new(name).help(help));
    let named = NamedFormat::all().map(|format| PossibleValue::new(format.name()).help(format.help()));
    PossibleValuesParser::new(std::iter::once(text).chain(records).chain(named))
}

/// Returns whether `tulk translate -i` finds the texts of a file by its extension.
pub fn has_texts(file: &Path) -> bool {
    matches!(Structure::of_file(file), Some(Structure::Named(_)))
}

/// Returns a hint for a word that `--as` does not accept. `has_tags` says whether the command has `--tag-handling`.
pub fn hint_instead_of_format(word: &str, has_tags: bool) -> Option<String> {
    let word = word.to_lowercase();
    match &*word {
        "html" | "htm" | "xhtml" if has_tags => Some("use --tag-handling html instead".to_owned()),
        "xml" if has_tags => Some("use --tag-handling xml instead".to_owned()),
        "ndjson" => Some("did you mean `jsonl`?".to_owned()),
        "docx" | "doc" | "pptx" | "xlsx" | "pdf" | "idml" if has_tags => {
            Some("`tulk doc translate` translates documents".to_owned())
        }
        ending => NamedFormat::by_extension(ending).map(|format| format!("did you mean `{}`?", format.name())),
    }
}

/// Extensions that are read as plain text although they also belong to a format: PHP programs, and Markdown with components.
const AMBIGUOUS_EXTENSIONS: &[&str] = &["php", "mdx"];

/// Number of bytes at the start of a file that are searched for the root element.
const START_BYTES: u64 = 64 * 1024;

/// Returns the start of a file as text. A file that cannot be read counts as empty; the failure is reported when its texts are read.
fn read_start(file: &Path) -> String {
    let mut start = Vec::new();
    if !is_special(file) {
        // After a read error, the bytes read so far are enough.
        let _ = File::open(file).and_then(|file| file.take(START_BYTES).read_to_end(&mut start));
    }
    String::from_utf8_lossy(&start).trim_start_matches('\u{feff}').to_owned()
}

/// Returns whether the root element of an XML file is `<resources>`, as in the texts of an Android app.
fn has_android_root(file: &Path) -> bool {
    let start = read_start(file);
    let mut rest = start.trim_start();
    while let Some(end) = [("<?", "?>"), ("<!--", "-->"), ("<!DOCTYPE", ">")].into_iter().find_map(|(open, close)| {
        rest.starts_with(open).then(|| rest.find(close).map_or(rest.len(), |at| at + close.len()))
    }) {
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    rest.strip_prefix("<resources").is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n', '>', '/']))
}
