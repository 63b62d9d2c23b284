//! Tables that translators edit in spreadsheets. Two columns are named after the languages.

use csv::{ReaderBuilder, StringRecord};

use super::{Progress, ReturnedFile, ReturnedText, TextToTranslate};
use crate::CatalogError;

// The columns besides the two languages.
const FILE: &str = "file";
const KEY: &str = "key";
const STATE: &str = "state";
const NOTE: &str = "note";

pub fn write([source, target]: [&str; 2], texts: &[TextToTranslate]) -> Result<String, String> {
    let mut table = csv::Writer::from_writer(Vec::new());
    let mut add = |row: [&str; 6]| table.write_record(row).map_err(|error| error.to_string());
    add([FILE, KEY, source, target, STATE, NOTE])?;
    for text in texts {
        let note = text.long_note().unwrap_or_default();
        let translation = text.target.as_deref().unwrap_or_default();
        add([&text.file, &text.key, &text.source, translation, text.state, &note])?;
    }
    let bytes = table.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// Reads a table separated by commas, semicolons or tabs.
pub fn read(text: &str) -> Result<ReturnedFile, CatalogError> {
    let Some((delimiter, columns)) = [b',', b';', b'\t'].into_iter().find_map(|delimiter| {
        let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
        Some((delimiter, Columns::find(reader.headers().ok()?)?))
    }) else {
        let what = "the file is neither XLIFF nor PO, nor a table with the columns file, key and two languages";
        return Err(CatalogError::new(0, what).hint("`tulk sync export --to de --format csv` writes such a table"));
    };
    let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(text.as_bytes());
    let mut texts = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| CatalogError::new(0, error.to_string()))?;
        let cell = |at: usize| record.get(at).unwrap_or_default().replace("\r\n", "\n");
        let at = record.position().map_or(0, |at| usize::try_from(at.byte()).unwrap_or_default());
        if cell(columns.key).is_empty() {
            continue;
        }
        texts.push(ReturnedText {
            file: cell(columns.file),
            key: cell(columns.key),
            source: cell(columns.source),
            target: Ok(cell(columns.target)),
            progress: Progress::Unknown,
            at: at + text.get(at..).map_or(0, |rest| rest.len() - rest.trim_start_matches(['\r', '\n']).len()),
        });
    }
    Ok(ReturnedFile { language: Some(columns.language), texts })
}

struct Columns {
    file: usize,
    key: usize,
    source: usize,
    target: usize,
    /// The name of the target column.
    language: String,
}

impl Columns {
    /// Finds the columns by name. The first two unknown names are the source and target language.
    fn find(header: &StringRecord) -> Option<Self> {
        let names: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
        let place = |wanted: &str| names.iter().position(|name| name.eq_ignore_ascii_case(wanted));
        let is_other = |name: &str| ![FILE, KEY, STATE, NOTE].iter().any(|known| name.eq_ignore_ascii_case(known));
        let mut langs = (0..names.len()).filter(|at| names.get(*at).is_some_and(|name| is_other(name)));
        let (source, target) = (langs.next()?, langs.next()?);
        let language = names.get(target)?.clone();
        Some(Self { file: place(FILE)?, key: place(KEY)?, source, target, language })
    }
}
