//! PO files for translators. The context of each message consists of its catalogue and key.

use super::{Progress, ReturnedFile, ReturnedText, TextToTranslate};
use crate::catalog::UnitKeyPart;
use crate::po::literal::{PoLayout, check_characters, encode};
use crate::{CatalogError, ReadOptions, UnitText};

const SEPARATOR: &str = ": ";
/// The column of the first quote after `msgctxt `. For simplicity, also used after `msgid ` and `msgstr `, which are shorter.
const COLUMN: usize = 8;

pub fn write(target: &str, texts: &[TextToTranslate]) -> Result<String, String> {
    let layout = PoLayout { newline: "\n", width: Some(79) };
    let header = [
        format!("Language: {target}\n"),
        "MIME-Version: 1.0\n".to_owned(),
        "Content-Type: text/plain; charset=UTF-8\n".to_owned(),
        "Content-Transfer-Encoding: 8bit\n".to_owned(),
    ];
    let mut out = format!("msgid \"\"\nmsgstr {}\n", encode(&header.concat(), COLUMN, layout));
    for text in texts {
        let context = [&text.file, SEPARATOR, &text.key].concat();
        let translation = text.target.as_deref().unwrap_or_default();
        for part in [&context, &text.source, translation] {
            check_characters(part, 0).map_err(|error| format!("{}: {}", text.key, error.what))?;
        }
        out.push('\n');
        for line in text.long_note().iter().flat_map(|note| note.lines()) {
            out.extend(["#. ", line, "\n"]);
        }
        if !translation.is_empty() && !text.is_confirmed {
            out.push_str("#, fuzzy\n");
        }
        let strings = [("msgctxt", context.as_str()), ("msgid", &text.source), ("msgstr", translation)];
        for (name, value) in strings {
            out.extend([name, " ", &encode(value, COLUMN, layout), "\n"]);
        }
    }
    Ok(out)
}

pub fn read(text: &str) -> Result<ReturnedFile, CatalogError> {
    let catalog = crate::po::KIND.format.read(text, &ReadOptions::default())?;
    let texts = catalog.units.into_iter().filter_map(|unit| {
        let [UnitKeyPart::Name(context), ..] = unit.key.0.as_slice() else { return None };
        // A key may contain the separator; a path is unlikely to.
        let (file, key) = context.split_once(SEPARATOR)?;
        let single = |text: UnitText| match text {
            UnitText::Single(text) => text,
            UnitText::Plural(..) => String::new(),
        };
        Some(ReturnedText {
            file: file.to_owned(),
            key: key.to_owned(),
            target: Ok(unit.target.map(single).unwrap_or_default()),
            source: single(unit.text),
            progress: if unit.needs_review { Progress::Unfinished } else { Progress::Done },
            at: unit.at,
        })
    });
    Ok(ReturnedFile { language: catalog.language, texts: texts.collect() })
}
