//! Tests of catalogues in a small format: lines of `key=value`, or `key=one|other` for a plural.

use std::sync::Arc;

use tulk_base::error::{Failure, Origin};
use tulk_catalogs::{
    CATALOG_FORMATS, CatalogChanges, CatalogError, CatalogFormat, Change, Edit, PluralCategory, PluralForm, PluralKind,
    PluralText, UnitKey, UnitText,
};

use super::*;
use crate::input::source::Source;
use crate::test_records::{limit_of, source_of};
use crate::{EntryResult, ResultRow};

/// Lines of `key=value`. A line that starts with `#` is the note of the next; `!` marks a value that is not translated.
#[derive(Debug)]
struct KeyValueFormat;

const KEY_VALUE: CatalogKind = CatalogKind {
    name: "key-value",
    help: "Lines of keys and values",
    extensions: &["kv"],
    format: &KeyValueFormat,
    syntax: None,
    is_bilingual: false,
};

impl CatalogFormat for KeyValueFormat {
    fn read(&self, text: &str, _options: &ReadOptions) -> Result<Catalog, CatalogError> {
        let (mut catalog, mut note, mut at) = (Catalog::default(), None, 0);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let line = line.trim_end_matches('\n');
            if let Some(text) = line.strip_prefix('#') {
                note = Some(text.to_owned());
                continue;
            }
            if line.is_empty() {
                continue;
            }
            let Some((key, value)) = line.split_once('=') else {
                return Err(CatalogError::new(start + line.len(), "`=` is missing").hint("write key=value"));
            };
            if key == "lang" {
                catalog.language = Some(value.to_owned());
                continue;
            }
            let skip = key.starts_with('!').then_some(SkipReason::Untranslatable);
            let at = start + key.len() + 1;
            let (id, key, note) = (start, UnitKey::name(key), note.take());
            catalog.units.push(Unit { id, key, text: read_text(value), note, skip, at, ..Unit::default() });
        }
        Ok(catalog)
    }

    fn edits(
        &self,
        text: &str,
        options: &ReadOptions,
        changes: &CatalogChanges<'_>,
    ) -> Result<Vec<Edit>, CatalogError> {
        let catalog = self.read(text, options)?;
        let end = |at: usize| at + text[at..].find('\n').unwrap_or(text.len() - at);
        let edits = changes.units.iter().map(|change| {
            let Change::Set { unit, text: new, .. } = change else { panic!("{change:?}") };
            let unit = catalog.units.iter().find(|other| other.id == *unit).unwrap();
            let texts: Vec<&str> = new.texts().collect();
            if texts.iter().any(|text| text.contains('\n')) {
                return Err(CatalogError::new(unit.at, "a value has one line"));
            }
            Ok(Edit::replace(unit.at..end(unit.at), texts.join("|")))
        });
        let mut edits = edits.collect::<Result<Vec<_>, _>>()?;
        if let (Some(language), Some(start)) = (changes.language, text.find("lang=")) {
            edits.push(Edit::replace(start + 5..end(start), &*language.tag));
        }
        Ok(edits)
    }
}

fn read_text(value: &str) -> UnitText {
    let Some((one, other)) = value.split_once('|') else { return UnitText::Single(value.to_owned()) };
    let form = |category, text: &str| PluralText { form: PluralForm::Category(category), text: text.to_owned() };
    let forms = vec![form(PluralCategory::One, one), form(PluralCategory::Other, other)];
    UnitText::Plural(PluralKind::Cardinal, forms)
}

fn format(targets: &[&str]) -> CatalogText {
    let targets = targets.iter().map(|target| (*target).to_owned()).collect();
    CatalogText { kind: &KEY_VALUE, dialect: None, source_lang: None, targets }
}

fn read(source: &mut Source, targets: &[&str]) -> Result<Option<Record>, Failure> {
    let mut record = Record::default();
    Ok(format(targets).reader(limit_of(1000)).read(source, &mut record)?.then_some(record))
}

/// Writes a file with changed results; `None` is a refused result.
fn translate(bytes: &[u8], change: impl Fn(&str) -> Option<String>) -> Result<Vec<u8>, String> {
    let mut source = source_of(bytes, 7).in_any_encoding(true);
    let record = read(&mut source, &["de"]).unwrap().unwrap();
    let result = |slot| Arc::new(EntryResult { text: change(record.text(slot).unwrap()), ..EntryResult::default() });
    let results = (0..record.slots.len()).map(result).collect();
    let row = ResultRow { record: Arc::new(record), results: smallvec::smallvec![Some(results)] };
    let mut out = Vec::new();
    match format(&["de"]).writer(&["de".to_owned()]).write(&row, &mut out) {
        Ok(()) => Ok(out),
        Err(error) => Err(error.downcast::<Failure>().unwrap().to_string()),
    }
}

const SHOP: &str = "lang=en\n\n#On the start page\ntitle= The shop \n\n!url=https://shop.example\nempty=\ncode=12 %\ncart=a cart|many carts";

#[test]
fn each_sentence_of_each_unit_is_a_slot() {
    let record = read(&mut source_of(SHOP.as_bytes(), 5), &["de"]).unwrap().unwrap();
    let slots: Vec<_> = (0..record.slots.len()).map(|slot| record.text(slot).unwrap()).collect();
    assert_eq!(slots, ["The shop", "a cart", "many carts"], "nothing is sent without letters");
    assert_eq!(record.slot_origin(0), Origin::at("stdin", 4, 7));
    assert_eq!((record.record_context(0), record.record_context(1)), ("On the start page", ""));
    assert_eq!(record.skipped().collect::<Vec<_>>(), [("marked as untranslatable", 1)]);
    let entries: Vec<_> = record.entries().map(|entry| (entry.number, entry.location.unwrap())).collect();
    let names: Vec<_> =
        entries.iter().map(|(number, location)| (*number, location.line, location.name.unwrap())).collect();
    assert_eq!(names, [(1, 4, ("key", "title")), (2, 9, ("key", "cart")), (3, 9, ("key", "cart"))]);
}

#[test]
fn writes_only_changed_units() {
    let shop = SHOP.replace("a cart|many carts", "a cart");
    let echo = translate(shop.as_bytes(), |text| Some(text.to_owned())).unwrap();
    assert_eq!(String::from_utf8(echo).unwrap(), shop.replace("lang=en", "lang=de"));
    let upper = translate(shop.as_bytes(), |text| Some(text.to_uppercase())).unwrap();
    let expected = shop.replace("lang=en", "lang=de").replace("The shop", "THE SHOP").replace("a cart", "A CART");
    assert_eq!(String::from_utf8(upper).unwrap(), expected);
}

#[test]
fn a_unit_with_a_refused_sentence_keeps_its_bytes() {
    let out = translate(b"a=one\nb=one|two\n", |text| (text != "two").then(|| text.to_uppercase())).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), "a=ONE\nb=one|two\n");
}

#[test]
fn a_file_is_written_in_its_own_encoding() {
    let utf16: Vec<u8> = "\u{feff}k=\u{e4}b\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let upper: Vec<u8> = "\u{feff}k=\u{c4}B\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let changed = |text: &str| Some(text.to_uppercase());
    assert_eq!(translate(&utf16, changed).unwrap(), upper);
    assert_eq!(translate("\u{feff}k=\u{e4}".as_bytes(), changed).unwrap(), "\u{feff}k=\u{c4}".as_bytes());
}

#[test]
fn faults_have_a_position_after_the_byte_order_mark() {
    let refused = |bytes: &[u8]| {
        let failure = read(&mut source_of(bytes, 100).in_any_encoding(true), &["de"]).unwrap_err();
        (failure.to_string(), failure.hint.unwrap_or_default())
    };
    let missing = ("stdin:2:3: `=` is missing".to_owned(), "write key=value".to_owned());
    assert_eq!(refused("\u{feff}a=b\nä漢\n".as_bytes()), missing);
    assert_eq!(refused("\u{feff}ä漢".as_bytes()).0, "stdin:1:3: `=` is missing");
    let encoding = "stdin:2:3: the file is neither UTF-8 nor UTF-16".to_owned();
    assert_eq!(refused(b"a=b\nc=\xff"), (encoding, "convert it to UTF-8".to_owned()));
    let failure = translate(b"a=b\nc=d\n", |_| Some("x\ny".to_owned())).unwrap_err();
    assert_eq!(failure, "stdin:1:3: a value has one line");
}

#[test]
fn an_empty_file_has_a_record_only_among_several_inputs() {
    assert!(read(&mut source_of(b"", 1), &["de"]).unwrap().is_none());
    let two = || Source::texts(["a=b".to_owned(), "c=d".to_owned()]);
    assert_eq!(read(&mut two(), &["de"]).unwrap().unwrap().slots.len(), 1);
}

#[test]
fn whitespace_only_files_are_copied() {
    let utf16 = [0xff, 0xfe, b' ', 0, b'\n', 0];
    for blank in [b" \r\n\t".as_slice(), b"\xef\xbb\xbf", b"\xef\xbb\xbf\n", &utf16] {
        let mut source = source_of(blank, 100).in_any_encoding(true);
        let xml =
            CatalogText { kind: CATALOG_FORMATS.iter().find(|kind| kind.name == "resx").unwrap(), ..format(&["de"]) };
        let mut record = Record::default();
        assert!(xml.reader(limit_of(1000)).read(&mut source, &mut record).unwrap());
        assert!(record.slots.is_empty());
        let row = ResultRow { record: Arc::new(record), results: smallvec::smallvec![Some(Vec::new())] };
        let mut out = Vec::new();
        xml.writer(&["de".to_owned()]).write(&row, &mut out).unwrap();
        assert_eq!(out, blank);
    }
}

#[test]
fn all_targets_share_a_slot_for_equal_sentences() {
    let record = read(&mut source_of(SHOP.as_bytes(), 100), &["de", "fr"]).unwrap().unwrap();
    assert_eq!(record.slots.len(), 3);
    assert!((0..3).all(|slot| record.is_needed_by(slot, "de") && record.is_needed_by(slot, "fr")));
}
