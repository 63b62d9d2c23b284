//! Catalogues take linear time, with many keys of each kind and many parts of each format.

mod kinds;

use std::sync::Arc;

use tulk_catalogs::{
    CATALOG_FORMATS, CatalogChanges, CatalogKind, Change, MessageRules, ReadOptions, SourcePlurals, TargetForms, Unit,
    UnitText, apply_edits, check_target, expand,
};
use tulk_formats::test_records::{limit_of, read_all};
use tulk_formats::{EntryResult, FileFormatOptions, NamedFormat, ResultRow};
use tulk_pipeline::{SentForm, slot_result};

use super::{RepeatedPart, all_are_linear, is_linear};

/// Keys for formats in which texts have names. Only JSON, ARB and YAML are checked with all of them, other formats with the first four.
const KEYS: &[RepeatedPart] = &[
    ("one key", |_| "a".to_owned()),
    ("different keys", |n| format!("k{n}")),
    ("forms of plurals", |n| format!("k{}_{}", n / 2, ["one", "other"].get(n % 2).copied().unwrap_or("a"))),
    ("one stem", |n| format!("a#{n}")),
    ("forms of one plural", |n| ["a_one", "a_other", "a_plural", "a_0"].get(n % 4).copied().unwrap_or("a").to_owned()),
    ("forms without others", |n| format!("k{n}_one")),
    ("numbered forms", |n| format!("k{}_{}", n / 3, n % 3)),
    ("old plurals", |n| format!("k{}{}", n / 2, if n % 2 == 0 { "" } else { "_plural" })),
    ("contexts", |n| format!("a_c{}_{}", n / 2, if n % 2 == 0 { "one" } else { "other" })),
    ("mappings of forms", |n| format!("a.k{}.{}", n / 2, if n % 2 == 0 { "one" } else { "other" })),
    ("levels", |n| format!("a.b{}.c{n}", n % 10)),
    ("metadata", |n| format!("{}k{}", if n % 2 == 0 { "" } else { "@" }, n / 2)),
];

struct Writer {
    format: &'static str,
    start: &'static str,
    /// An entry, in which `KEY` and `TEXT` are replaced.
    entry: &'static str,
    between: &'static str,
    end: &'static str,
}

const WRITERS: &[Writer] = &[
    Writer { format: "json", start: "{\n", entry: "  \"KEY\": \"TEXT {{count}}\"", between: ",\n", end: "\n}\n" },
    Writer {
        format: "arb",
        start: "{\n  \"@@locale\": \"en\",\n",
        entry: "  \"KEY\": \"TEXT\"",
        between: ",\n",
        end: "\n}\n",
    },
    Writer { format: "yaml", start: "en:\n", entry: "  \"KEY\": \"TEXT\"", between: "\n", end: "\n" },
    Writer { format: "toml", start: "", entry: "\"KEY\" = \"TEXT\"", between: "\n", end: "\n" },
    Writer {
        format: "po",
        start: "msgid \"\"\nmsgstr \"\"\n\n",
        entry: "msgctxt \"KEY\"\nmsgid \"TEXT\"\nmsgstr \"\"",
        between: "\n\n",
        end: "\n",
    },
    Writer { format: "properties", start: "", entry: "KEY=TEXT", between: "\n", end: "\n" },
    Writer {
        format: "android",
        start: "<resources>\n",
        entry: "  <string name=\"KEY\">TEXT</string>",
        between: "\n",
        end: "\n</resources>\n",
    },
    Writer { format: "strings", start: "", entry: "\"KEY\" = \"TEXT\";", between: "\n", end: "\n" },
    Writer {
        format: "xcstrings",
        start: "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n",
        entry: "    \"KEY\" : {\"localizations\" : {\"en\" : {\"stringUnit\" : {\"state\" : \"new\", \"value\" : \"TEXT\"}}}}",
        between: ",\n",
        end: "\n  },\n  \"version\" : \"1.0\"\n}\n",
    },
    Writer {
        format: "xliff",
        start: "<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"de\"><body>\n",
        entry: "<trans-unit id=\"KEY\"><source>TEXT</source></trans-unit>",
        between: "\n",
        end: "\n</body></file></xliff>\n",
    },
    Writer {
        format: "resx",
        start: "<root>\n  <resheader name=\"version\"><value>2.0</value></resheader>\n",
        entry: "  <data name=\"KEY\" xml:space=\"preserve\"><value>TEXT</value><comment>c</comment></data>",
        between: "\n",
        end: "\n</root>\n",
    },
    Writer { format: "php", start: "<?php\nreturn [\n", entry: "  'KEY' => 'TEXT',", between: "\n", end: "\n];\n" },
    Writer { format: "ftl", start: "", entry: "KEY = TEXT", between: "\n", end: "\n" },
];

impl Writer {
    fn file(&self, parts: usize, key: fn(usize) -> String) -> String {
        let entry = |n| {
            let key = if self.format == "ftl" { key(n).replace(['.', '#', '@'], "-") } else { key(n) };
            self.entry.replace("KEY", &key).replace("TEXT", &format!("Save file {n}"))
        };
        let entries: Vec<String> = (0..parts).map(entry).collect();
        [self.start, &entries.join(self.between), self.end].concat()
    }
}

fn kind(name: &str) -> &'static CatalogKind {
    CATALOG_FORMATS.iter().find(|kind| kind.name == name).unwrap()
}

fn read_and_change(kind: &CatalogKind, text: &str) {
    let mut options = ReadOptions {
        target_lang: kind.is_bilingual.then(|| "de".to_owned()),
        skips_broken: true,
        ..ReadOptions::default()
    };
    let Ok(catalog) = kind.format.read(text, &options) else { return };
    options.dialect = catalog.dialect;
    options.source_plurals = Some(Arc::new(SourcePlurals::of(&catalog.units)));
    let Ok(catalog) = kind.format.read(text, &options) else { return };
    let edited = |text: &str, changes: Vec<Change<'_>>| {
        let changes = CatalogChanges { units: changes, ..CatalogChanges::default() };
        let edits = kind.format.edits(text, &options, &changes).ok()?;
        Some(apply_edits(text, edits).expect("edits do not overlap"))
    };
    let new: Vec<UnitText> =
        catalog.units.iter().map(|unit| unit.text_in_file_language().with_text("new text")).collect();
    let set = |(unit, text): (&Unit, _)| Change::Set { unit: unit.id, text, markup: &[] };
    edited(text, catalog.units.iter().zip(&new).map(set).collect());
    let odd = catalog.units.iter().zip(&new).filter(|(unit, _)| unit.id % 2 == 1);
    edited(text, odd.clone().map(|(unit, text)| set((unit, text))).collect());
    edited(text, catalog.units.iter().map(|unit| Change::Remove { unit: unit.id }).collect());
    let less = edited(text, odd.clone().map(|(unit, _)| Change::Remove { unit: unit.id }).collect());
    // Inserting a key into a TOML table moves all keys after it out of the table and back, which is quadratic.
    let less = less.filter(|_| kind.name != "toml");
    if let Some(less) = less.filter(|less| kind.format.read(less, &options).is_ok_and(|less| !less.units.is_empty())) {
        edited(&less, odd.map(|(like, text)| Change::Insert { like, text, after: Some(0), before: None }).collect());
    }
    check_units(kind, &catalog.units);
}

fn check_units(kind: &CatalogKind, units: &[Unit]) {
    let forms = TargetForms::OfLanguage;
    for unit in units {
        let syntax = unit.syntax.or(kind.syntax).unwrap_or_default();
        let rules =
            MessageRules { syntax, markup: &unit.markup, source_lang: "en", target_lang: "de", target_forms: &forms };
        if let Ok(expansion) = expand(&unit.text, &rules) {
            let texts: Vec<&str> = expansion.sentences.iter().map(|sentence| sentence.text.as_str()).collect();
            let _ = expansion.fold(&texts);
        }
        let _ = check_target(&unit.text, &unit.text, &rules);
        let _ = unit.exceeded_limit(&unit.text);
    }
}

fn translate(kind: &'static CatalogKind, text: &str) {
    let target = "de".to_owned();
    let options = FileFormatOptions {
        front_matter: Vec::new(),
        dialect: None,
        source_lang: Some("en".to_owned()),
        targets: vec![target.clone()],
    };
    let format = NamedFormat::Catalog(kind).create(&options);
    let protector = crate::text::protector(&[], SentForm::Tagged);
    let Ok(records) = read_all(&mut *format.reader(limit_of(1 << 30)), text.as_bytes(), usize::MAX) else { return };
    for mut record in records {
        let _ = record.entries().count();
        protector.protect(&mut record);
        let record = Arc::new(record);
        let result = |slot: usize| {
            let answer =
                Arc::new(EntryResult { text: record.sent_text(slot).map(str::to_owned), raw: None, billed: None });
            slot_result(&format, &record, slot, &answer).unwrap_or_default()
        };
        let results: Vec<Arc<EntryResult>> = (0..record.slots.len()).map(result).collect();
        let row = ResultRow { record: record.clone(), results: smallvec::smallvec![Some(results)] };
        let _ = format.check_row(&row, 0, &target);
        let (mut writer, mut out) = (format.writer(std::slice::from_ref(&target)), Vec::new());
        if writer.write(&row, &mut out).is_ok() {
            let _ = writer.finish(&mut out);
        }
    }
}

/// Reads, edits and translates files of a format.
fn check_files<'a>(format: &'static str, files: impl Iterator<Item = (&'a str, Box<dyn Fn(usize) -> String>)>) {
    let kind = kind(format);
    all_are_linear(files.flat_map(|(what, file)| {
        [
            is_linear(&format!("{format}: {what}: edits"), &file, |text| read_and_change(kind, text)),
            is_linear(&format!("{format}: {what}: translate"), &file, |text| translate(kind, text)),
        ]
    }));
}

/// Checks a format with the keys in [`KEYS`], and with the files given for it.
fn check_format(format: &'static str, own: &'static [RepeatedPart]) {
    let writer = WRITERS.iter().find(|writer| writer.format == format);
    let kinds_of_keys = if ["json", "arb", "yaml"].contains(&format) { KEYS.len() } else { 4 };
    let keys = writer.into_iter().flat_map(|writer| {
        KEYS.iter().take(kinds_of_keys).map(move |(what, key)| {
            let file: Box<dyn Fn(usize) -> String> = Box::new(move |parts| writer.file(parts, *key));
            (*what, file)
        })
    });
    let own = own.iter().map(|(what, file)| {
        let file: Box<dyn Fn(usize) -> String> = Box::new(*file);
        (*what, file)
    });
    check_files(format, keys.chain(own));
}
