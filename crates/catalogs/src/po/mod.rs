//! PO files of gettext, and their templates (POT): each entry holds a source text and its translation.
//!
//! Input: the text of a file, and changes of units. Output: a unit per entry, and edits. `parse` finds entries and
//! their comments, `literal` decodes and folds strings, `header` handles the header fields, `write` makes the edits.

mod header;
pub(crate) mod literal;
mod parse;
#[cfg(test)]
mod tests;
mod write;

use crate::CatalogKind;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use self::header::PoHeader;
use self::parse::{PoEntry, PoFile};
use super::{
    Catalog, CatalogChanges, CatalogError, CatalogFormat, DuplicateKey, Edit, PluralCategory, PluralForm, PluralKind,
    PluralText, ReadOptions, Syntax, Unit, UnitText,
};

pub const KIND: CatalogKind = CatalogKind {
    name: "po",
    help: "gettext PO files and templates",
    extensions: &["po", "pot"],
    format: &PoFormat,
    syntax: None,
    is_bilingual: true,
};

#[derive(Debug)]
pub struct PoFormat;

impl CatalogFormat for PoFormat {
    fn read(&self, text: &str, _: &ReadOptions) -> Result<Catalog, CatalogError> {
        let file = PoFile::parse(text)?;
        let entries = PoEntries::of(&file);
        let mut catalog = Catalog { duplicates: entries.duplicates, ..Catalog::default() };
        if let Some(entry) = entries.header.and_then(|block| file.entry(block)) {
            let header = PoHeader::parse(text, entry.first_form())?;
            let mut units = entries.units.iter().filter_map(|block| file.entry(*block));
            if units.any(|entry| entry.plural.is_some()) {
                header.check_plural_forms()?;
            }
            catalog.language = header.language().map(str::to_owned);
            catalog.plural_forms = header.plural_forms().map(str::to_owned);
        }
        let units = entries.units.iter().filter_map(|block| file.entry(*block));
        catalog.units = units.enumerate().map(|(id, entry)| unit(text, id, entry)).collect();
        Ok(catalog)
    }

    fn edits(&self, text: &str, _: &ReadOptions, changes: &CatalogChanges<'_>) -> Result<Vec<Edit>, CatalogError> {
        write::edits(text, &PoFile::parse(text)?, changes)
    }
}

/// The blocks of a file that are units, by position.
#[derive(Debug, Default)]
struct PoEntries {
    /// The first entry without source text and context.
    header: Option<usize>,
    /// The effective entries. The index of an entry is the number of its unit.
    units: Vec<usize>,
    /// Earlier blocks with the key of a unit, by unit number.
    repeated: HashMap<usize, Vec<usize>>,
    duplicates: Vec<DuplicateKey>,
}

impl PoEntries {
    fn of(file: &PoFile) -> Self {
        let mut out = Self::default();
        let mut last: HashMap<(Option<&str>, &str), usize> = HashMap::new();
        let entries = || file.blocks.iter().enumerate().filter_map(|(at, block)| Some((at, block.entry.as_ref()?)));
        for (at, entry) in entries() {
            last.insert(entry.context_and_source(), at);
        }
        let mut repeated = Vec::new();
        for (at, entry) in entries() {
            if entry.id.text.is_empty() && entry.context.is_none() {
                out.header.get_or_insert(at);
            } else if last.get(&entry.context_and_source()) == Some(&at) {
                out.units.push(at);
            } else {
                out.duplicates.push(DuplicateKey { key: entry.key(), at: entry.id.range.start });
                repeated.push((at, last.get(&entry.context_and_source()).copied().unwrap_or(at)));
            }
        }
        for (at, counts) in repeated {
            if let Ok(unit) = out.units.binary_search(&counts) {
                out.repeated.entry(unit).or_default().push(at);
            }
        }
        out
    }
}

fn unit(text: &str, id: usize, entry: &PoEntry) -> Unit {
    let source = match &entry.plural {
        None => UnitText::Single(entry.id.text.clone()),
        Some(plural) => {
            let form =
                |category, text: &str| PluralText { form: PluralForm::Category(category), text: text.to_owned() };
            let forms = [(PluralCategory::One, &entry.id.text), (PluralCategory::Other, &plural.text)];
            UnitText::Plural(PluralKind::Cardinal, forms.map(|(category, text)| form(category, text)).into())
        }
    };
    let is_translated = entry.forms.iter().any(|form| !form.text.is_empty());
    let target = is_translated.then(|| {
        if entry.plural.is_none() {
            return UnitText::Single(entry.first_form().text.clone());
        }
        let forms = entry.forms.iter().enumerate();
        let forms = forms.map(|(at, form)| PluralText { form: PluralForm::Index(at), text: form.text.clone() });
        UnitText::Plural(PluralKind::Cardinal, forms.collect())
    });
    let flags = entry.comments.flags(text);
    let syntax = flags.iter().find_map(|flag| flag_syntax(flag)).unwrap_or_else(|| {
        let has_none = flags.iter().any(|flag| flag.starts_with("no-") && flag.ends_with("-format"));
        if has_none { Syntax::Plain } else { likely_syntax(&source) }
    });
    Unit {
        id,
        key: entry.key(),
        text: source,
        target,
        note: entry.comments.note(text),
        syntax: Some(syntax),
        needs_review: is_translated && flags.contains(&"fuzzy"),
        at: entry.first_form().range.start,
        ..Unit::default()
    }
}

fn flag_syntax(flag: &str) -> Option<Syntax> {
    Some(match flag.strip_suffix("-format")?.trim_start_matches("possible-") {
        "python-brace" | "perl-brace" | "rust" | "c++" => Syntax::Braces,
        "python" => Syntax::Python,
        "csharp" => Syntax::DotNet,
        "qt" | "qt-plural" | "kde" | "kde-kuit" => Syntax::Qt,
        "java" => Syntax::MessageFormat,
        "ruby" => Syntax::Ruby,
        "scheme" | "lisp" | "sh" | "smalltalk" => Syntax::Plain,
        name if name.starts_with("no-") || name.starts_with("impossible-") => return None,
        _ => Syntax::Printf,
    })
}

/// Matches a probable placeholder of printf.
static PRINTF: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = r"%\([A-Za-z_][\w.]*\)[-+0#]*\d*(?:\.\d+)?[diouxXeEfFgGcrsa]";
    let plain = r"%(?:\d+\$)?[-+0#]*\d*(?:\.\d+)?(?:hh|h|ll|l|j|z|t|L)?[diouxXeEfFgGcrsap@](?:\W|$)";
    Regex::new(&[name, "|", plain].concat()).ok()
});
/// Matches a probable placeholder in braces.
static BRACES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\{(?:[A-Za-z_]\w*(?:[.\[][\w.\[\]]*)?|\d+)?(?:![rsa])?(?::[^{}\s]*)?\}").ok());

fn likely_syntax(text: &UnitText) -> Syntax {
    let has = |pattern: &Option<Regex>| {
        pattern.as_ref().is_some_and(|pattern| text.texts().any(|text| pattern.is_match(text)))
    };
    if has(&PRINTF) {
        Syntax::Printf
    } else if has(&BRACES) {
        Syntax::Braces
    } else {
        Syntax::Plain
    }
}
