//! Tests of PO files.

use proptest::prelude::*;

use super::*;
use crate::plural::GettextPlural;
use crate::{CatalogLanguage, Change, UnitKey, apply_edits, invariants};

const DJANGO: &str = include_str!("../../tests/files/django.po");

fn read(text: &str) -> Catalog {
    PoFormat.read(text, &ReadOptions::default()).unwrap()
}

fn change(text: &str, changes: &CatalogChanges<'_>) -> String {
    apply_edits(text, PoFormat.edits(text, &ReadOptions::default(), changes).unwrap()).unwrap()
}

fn set(text: &str, unit: usize, to: &UnitText) -> String {
    let change_it = Change::Set { unit, text: to, markup: &[] };
    change(text, &CatalogChanges { units: vec![change_it], ..CatalogChanges::default() })
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn plural(texts: &[&str]) -> UnitText {
    let form = |(at, text): (usize, &&str)| PluralText { form: PluralForm::Index(at), text: (*text).to_owned() };
    UnitText::Plural(PluralKind::Cardinal, texts.iter().enumerate().map(form).collect())
}

fn language(tag: &str) -> CatalogLanguage {
    CatalogLanguage { tag: tag.to_owned(), path: tag.to_owned() }
}

fn error(text: &str) -> (usize, String) {
    let error = PoFormat.read(text, &ReadOptions::default()).unwrap_err();
    (error.at, error.what)
}

#[test]
fn entries_are_units() {
    let catalog = read(DJANGO);
    assert_eq!(catalog.language.as_deref(), Some("pl"));
    let forms = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
    assert_eq!(catalog.plural_forms.as_deref(), Some(forms));
    let keys: Vec<String> = catalog.units.iter().map(|unit| unit.key.to_string()).collect();
    assert_eq!(
        keys,
        [
            "Afrikaans",
            "autumn.month",
            "The submitted data was too long, and it could not be saved\\. Please shorten it and send it once more\\.",
            "%(num)d hour",
            "<b>Line one</b>\nLine two with {name}\n",
            "New",
            "say \"hi\"\t\\\\o/",
        ]
    );
    let units = &catalog.units;
    assert_eq!(units[0].note.as_deref(), Some("Translators: a language,\n  not a people"));
    assert_eq!((units[0].target.clone(), units[0].needs_review), (Some(single("afrykanerski")), false));
    assert_eq!(units[1].key, UnitKey::names(["autumn", "month"]));
    assert_eq!(units[1].note, None);
    assert!(units[2].needs_review);
    assert_eq!(units[2].target, Some(single("Przesłane dane były zbyt długie i nie można było ich zapisać.")));
    let forms = [(PluralCategory::One, "%(num)d hour"), (PluralCategory::Other, "%(num)d hours")];
    let forms =
        forms.map(|(category, text)| PluralText { form: PluralForm::Category(category), text: text.to_owned() });
    assert_eq!(units[3].text, UnitText::Plural(PluralKind::Cardinal, forms.into()));
    assert_eq!(units[3].target, Some(plural(&["%(num)d godzina", "%(num)d godziny", "%(num)d godzin"])));
    assert_eq!(units[5].target, None);
    assert_eq!(units[6].text, single("say \"hi\"\t\\o/"));
    let syntaxes: Vec<Option<Syntax>> = units.iter().map(|unit| unit.syntax).collect();
    let (plain, python, braces) = (Some(Syntax::Plain), Some(Syntax::Python), Some(Syntax::Braces));
    assert_eq!(syntaxes, [plain, plain, python, python, braces, plain, plain]);
}

#[test]
fn format_flags_set_the_placeholder_syntax() {
    for (flags, id, syntax) in [
        ("c-format", "a", Syntax::Printf),
        ("python-format", "a", Syntax::Python),
        ("fuzzy, python-brace-format", "a", Syntax::Braces),
        ("no-python-format", "100%(x)s", Syntax::Plain),
        ("no-c-format, java-format", "{0}", Syntax::MessageFormat),
        ("csharp-format", "{0}", Syntax::DotNet),
        ("qt-format", "%1s", Syntax::Qt),
        ("no-c-format, qt-plural-format", "%n s", Syntax::Qt),
        ("no-c-format", "%s", Syntax::Plain),
        ("fuzzy", "%s of %s", Syntax::Printf),
        ("fuzzy", "%(name)s", Syntax::Printf),
        ("fuzzy", "100% sure", Syntax::Plain),
        ("fuzzy", "100%", Syntax::Plain),
        ("fuzzy", "%1$s, %d.", Syntax::Printf),
        ("fuzzy", "{count:,} {a.b[0]}", Syntax::Braces),
        ("fuzzy", "{} items", Syntax::Braces),
        ("fuzzy", "{ a }", Syntax::Plain),
    ] {
        let text = format!("#, {flags}\nmsgid \"{id}\"\nmsgstr \"\"\n");
        assert_eq!(read(&text).units[0].syntax, Some(syntax), "{text}");
    }
}

#[test]
fn decodes_the_escapes_of_gettext() {
    let text = r#"msgid "\a\b\f\v\r\n\t\\\"\303\251\x41\x0a\1018"
msgstr """#;
    assert_eq!(read(text).units[0].text, single("\u{7}\u{8}\u{c}\u{b}\r\n\t\\\"éA\nA8"));
    let new = set(text, 0, &single("\u{7}\u{8}\u{c}\u{b}\r\t\\\"\u{1}8\u{7f}"));
    assert!(new.ends_with("\nmsgstr \"\\a\\b\\f\\v\\r\\t\\\\\\\"\\0018\\177\""), "{new}");
}

#[test]
fn setting_a_text_confirms_it_and_keeps_the_rest() {
    let new = set(DJANGO, 2, &single("Za długie."));
    let expected = DJANGO
        .replace("#, fuzzy, python-format\n#| msgid \"The submitted data was too long.\"\n", "#, python-format\n")
        .replace("msgstr \"Przesłane dane były zbyt długie i nie można było ich zapisać.\"", "msgstr \"Za długie.\"");
    assert_eq!(new, expected);
    let text = "#, fuzzy\n#| msgid \"\"\n#| \"x\"\nmsgid \"a\"\nmsgstr \"b\"\n";
    assert_eq!(set(text, 0, &single("b")), "msgid \"a\"\nmsgstr \"b\"\n");
    assert_eq!(
        set(&text.replace("fuzzy", "c-format,fuzzy"), 0, &single("b")),
        "#, c-format\nmsgid \"a\"\nmsgstr \"b\"\n"
    );
    // The space after `#,` must be kept.
    assert_eq!(
        set(&text.replace("fuzzy", "fuzzy,c-format"), 0, &single("b")),
        "#, c-format\nmsgid \"a\"\nmsgstr \"b\"\n"
    );
}

#[test]
fn setting_the_language_removes_fuzzy_from_the_header() {
    let language = CatalogLanguage { tag: "de".to_owned(), path: "de".to_owned() };
    let text = "#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Language: \\n\"\n\nmsgid \"a\"\nmsgstr \"\"\n";
    let new = single("b");
    let units = vec![Change::Set { unit: 0, text: &new, markup: &[] }];
    let changes = CatalogChanges { units, language: Some(&language), is_new_target: false };
    assert!(change(text, &changes).starts_with("msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n"));
    assert!(change(text, &CatalogChanges { units: Vec::new(), ..changes }).starts_with("#, fuzzy\n"));
}

#[test]
fn refuses_an_invalid_plural_header_only_if_a_message_has_a_plural() {
    let head = "msgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\"Plural-Forms: nplurals=2; plural=n !;\\n\"\n\n";
    let entry = "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n";
    let error = PoFormat.read(&[head, entry].concat(), &ReadOptions::default()).unwrap_err();
    assert_eq!(Some(error.at), head.find("Plural-Forms"));
    assert!(error.what.starts_with("the plural forms of the header cannot be read: "), "{}", error.what);
    assert_eq!(read(&[head, "msgid \"a\"\nmsgstr \"\"\n"].concat()).units.len(), 1);
}

#[test]
fn long_texts_are_folded_as_gettext_does() {
    let text = "msgid \"a\"\nmsgstr \"\"\n";
    let long = "The submitted data was too long, and it could not be saved. Please shorten it, \"once\" more.";
    assert_eq!(
        set(text, 0, &single(long)),
        "msgid \"a\"\nmsgstr \"\"\n\
         \"The submitted data was too long, and it could not be saved. Please shorten \"\n\
         \"it, \\\"once\\\" more.\"\n"
    );
    assert_eq!(set(text, 0, &single("a\nb\n")), "msgid \"a\"\nmsgstr \"\"\n\"a\\n\"\n\"b\\n\"\n");
    assert_eq!(set(text, 0, &single("a\n")), "msgid \"a\"\nmsgstr \"a\\n\"\n");
    let fits = "x".repeat(70);
    assert_eq!(set(text, 0, &single(&fits)), format!("msgid \"a\"\nmsgstr \"{fits}\"\n"));
    let wide = "数".repeat(40);
    let (first, second) = ("数".repeat(38), "数".repeat(2));
    assert_eq!(set(text, 0, &single(&wide)), format!("msgid \"a\"\nmsgstr \"\"\n\"{first}\"\n\"{second}\"\n"));
    let unfolded = format!("msgid \"{fits} {fits}\"\nmsgstr \"\"\n");
    let long = long.replace('"', "");
    assert_eq!(set(&unfolded, 0, &single(&long)), format!("msgid \"{fits} {fits}\"\nmsgstr \"{long}\"\n"));
}

#[test]
fn a_plural_gets_exactly_the_forms_of_the_new_text() {
    let text = "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n#~ msgid \"old\"\n";
    assert_eq!(
        set(text, 0, &plural(&["x", "y", "z"])),
        "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\"\nmsgstr[1] \"y\"\nmsgstr[2] \"z\"\n\n#~ msgid \"old\"\n"
    );
    assert_eq!(set(text, 0, &plural(&["x"])), "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\"\n\n#~ msgid \"old\"\n");
    let text = text.replace('\n', "\r\n");
    let new = set(&text, 0, &plural(&["x", "y\nz", "z"]));
    assert!(new.contains("msgstr[1] \"\"\r\n\"y\\n\"\r\n\"z\"\r\nmsgstr[2] \"z\"\r\n\r\n#~"), "{new}");
    let categories = [(PluralCategory::Other, "o"), (PluralCategory::One, "e")];
    let forms =
        categories.map(|(category, text)| PluralText { form: PluralForm::Category(category), text: text.into() });
    let new = set(&text, 0, &UnitText::Plural(PluralKind::Cardinal, forms.into()));
    assert!(new.contains("msgstr[0] \"e\"\r\nmsgstr[1] \"o\"\r\n"), "{new}");
}

#[test]
fn texts_that_po_cannot_hold_are_refused() {
    let refused = |text: &str, to: &UnitText| {
        let units = vec![Change::Set { unit: 0, text: to, markup: &[] }];
        let changes = CatalogChanges { units, ..CatalogChanges::default() };
        PoFormat.edits(text, &ReadOptions::default(), &changes).unwrap_err().what
    };
    let text = "msgid \"a\"\nmsgstr \"\"\n";
    assert_eq!(refused(text, &single("\0")), "PO files cannot hold the character U+0000");
    let error = "the text has no `msgid_plural`, so it cannot have several forms";
    assert_eq!(refused(text, &plural(&["a", "b"])), error);
}

#[test]
fn a_template_becomes_a_file_for_a_language() {
    let template = include_str!("../../tests/files/template.pot");
    let (polish, other) = (language("pl"), single("Otwórz"));
    let units = vec![Change::Set { unit: 0, text: &other, markup: &[] }, Change::Remove { unit: 2 }];
    let new = change(template, &CatalogChanges { units, language: Some(&polish), is_new_target: true });
    assert_eq!(new, include_str!("../../tests/files/from_template.po"));
    let catalog = read(&new);
    assert_eq!(catalog.language.as_deref(), Some("pl"));
    assert_eq!(GettextPlural::parse(&catalog.plural_forms.unwrap()).unwrap().count(), 3);
}

#[test]
fn the_language_is_set_in_the_header() {
    let header = |fields: &str| format!("msgid \"\"\nmsgstr \"\"\n{fields}\nmsgid \"a\"\nmsgstr \"\"\n");
    let set = |text: &str, tag: &str| {
        change(text, &CatalogChanges { language: Some(&language(tag)), ..CatalogChanges::default() })
    };
    let kept = header("\"Language: pt-br\\n\"\n\"Plural-Forms: nplurals=2; plural=n!=1;\\n\"\n");
    assert_eq!(set(&kept, "pt-BR"), kept);
    assert_eq!(set(&kept, "sr-Latn"), kept.replace("pt-br", "sr@latin"));
    let mime = "\"MIME-Version: 1.0\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Content-Transfer-Encoding: 8bit\\n\"\n";
    let japanese = "\"Plural-Forms: nplurals=1; plural=0;\\n\"\n";
    assert_eq!(
        set(&header("\"Language:\\n\"\n\"X-Plural: 1\\n\"\n"), "ja"),
        header(&["\"Language: ja\\n\"\n\"X-Plural: 1\\n\"\n", mime, japanese].concat())
    );
    assert_eq!(
        set("msgid \"\"\nmsgstr \"Language-Team: x\\nX-A: b\"", "ja"),
        ["msgid \"\"\nmsgstr \"Language-Team: x\\n\"\n\"Language: ja\\n\"\n\"X-A: b\\n\"\n", mime, japanese.trim_end()]
            .concat()
    );
    let empty = "msgid \"\"\nmsgstr \"\"\n";
    assert_eq!(set(empty, "xx"), [empty, "\"Language: xx\\n\"\n", mime].concat());
    assert_eq!(
        set("msgid \"a\"\nmsgstr \"\"\n", "ja"),
        [empty, "\"Language: ja\\n\"\n", mime, japanese, "\nmsgid \"a\"\nmsgstr \"\"\n"].concat()
    );
}

#[test]
fn only_utf8_is_read() {
    let text = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n";
    assert_eq!(
        error(text),
        (51, "the header names the character set ISO-8859-2, but only UTF-8 can be read".to_owned())
    );
    let ascii = "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=ASCII\\n\"\n\nmsgid \"a\"\nmsgstr \"\"\n";
    assert_eq!(set(ascii, 0, &single("b")), ascii.replace("\nmsgstr \"\"", "\nmsgstr \"b\""));
    let expected = ascii.replace("\nmsgstr \"\"", "\nmsgstr \"ä\"").replace("=ASCII", "=UTF-8");
    assert_eq!(set(ascii, 0, &single("ä")), expected);
}

#[test]
fn entries_are_inserted_and_removed() {
    let catalog = read(DJANGO);
    let target = plural(&["a", "b", "c"]);
    let text = "msgid \"a\"\nmsgstr \"b\"\n\n#, python-format\nmsgid \"%(x)s\"\nmsgstr \"\"";
    let insert = |after, before, unit: usize, text: &str, value: &UnitText| {
        let units = vec![Change::Insert { like: &catalog.units[unit], text: value, after, before }];
        change(text, &CatalogChanges { units, ..CatalogChanges::default() })
    };
    assert_eq!(
        insert(Some(0), Some(1), 3, text, &target),
        "msgid \"a\"\nmsgstr \"b\"\n\n#, python-format\nmsgid \"%(num)d hour\"\nmsgid_plural \"%(num)d hours\"\n\
         msgstr[0] \"a\"\nmsgstr[1] \"b\"\nmsgstr[2] \"c\"\n\n#, python-format\nmsgid \"%(x)s\"\nmsgstr \"\""
    );
    assert_eq!(
        insert(None, None, 1, text, &single("jesień")),
        format!("{text}\n\nmsgctxt \"autumn\"\nmsgid \"month\"\nmsgstr \"jesień\"")
    );
    assert_eq!(
        insert(None, Some(0), 0, text, &single("x")),
        format!("#. Translators: a language,\n#.   not a people\nmsgid \"Afrikaans\"\nmsgstr \"x\"\n\n{text}")
    );
    let new = insert(None, Some(0), 1, "", &single("x"));
    assert_eq!(new, "msgctxt \"autumn\"\nmsgid \"month\"\nmsgstr \"x\"\n");
    let remove = |units: &[usize]| {
        let units = units.iter().map(|unit| Change::Remove { unit: *unit }).collect();
        change(text, &CatalogChanges { units, ..CatalogChanges::default() })
    };
    assert_eq!(remove(&[0]), "#, python-format\nmsgid \"%(x)s\"\nmsgstr \"\"");
    assert_eq!(remove(&[1]), "msgid \"a\"\nmsgstr \"b\"");
    assert_eq!(remove(&[0, 1]), "");
}

#[test]
fn the_last_duplicate_entry_wins() {
    let text = "msgid \"a\"\nmsgstr \"1\"\n\nmsgctxt \"c\"\nmsgid \"a\"\nmsgstr \"2\"\n\nmsgid \"a\"\nmsgstr \"3\"\n";
    let catalog = read(text);
    assert_eq!(catalog.duplicates, [DuplicateKey { key: UnitKey::name("a"), at: 6 }]);
    let targets: Vec<Option<UnitText>> = catalog.units.iter().map(|unit| unit.target.clone()).collect();
    assert_eq!(targets, [Some(single("2")), Some(single("3"))]);
    let units = vec![Change::Remove { unit: 1 }];
    let new = change(text, &CatalogChanges { units, ..CatalogChanges::default() });
    assert_eq!(new, "msgctxt \"c\"\nmsgid \"a\"\nmsgstr \"2\"\n");
}

#[test]
fn errors_have_a_position_and_a_reason() {
    for (text, at, what) in [
        ("msgid \"a\"\nmsgstr \"b\n", 19, "the string is not closed at the end of its line"),
        ("msgid \"a\"\n", 0, "the entry has no `msgstr`"),
        ("msgctxt \"a\"\n\nmsgctxt \"a\"\n", 0, "the entry has no `msgid`"),
        ("\"a\"\n", 0, "the string has no keyword before it"),
        ("msgid \"a\"\nmsgstr[1] \"b\"\n", 10, "`msgstr[1]` is not allowed here"),
        ("msgid\nmsgstr \"b\"\n", 0, "a string must follow the keyword"),
        ("msgid \"\\q\"\nmsgstr \"b\"\n", 7, "the backslash does not start a valid escape"),
        ("msgid \"\\377\"\nmsgstr \"b\"\n", 6, "the escapes of the string are not UTF-8"),
        ("msgid \"a\" x\nmsgstr \"b\"\n", 10, "a string in double quotes is expected here"),
        ("<<<<<<< HEAD\n", 0, "a comment, a string or a keyword such as `msgid` is expected here"),
        ("msgstr \"a\"\n", 0, "`msgstr` has no `msgid` before it"),
    ] {
        assert_eq!(error(text), (at, what.to_owned()), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn invariants_hold(new in invariants::texts(), is_crlf: bool, ends: bool) {
        let text = if is_crlf { DJANGO.replace('\n', "\r\n") } else { DJANGO.to_owned() };
        let text = if ends { text } else { text.trim_end().to_owned() };
        invariants::check_all(&PoFormat, &text, &ReadOptions::default(), &new);
        let without_end = text.split("#~").next().unwrap().trim_end();
        invariants::check_all(&PoFormat, without_end, &ReadOptions::default(), &new);
    }

    #[test]
    fn combined_changes_do_not_conflict(marks in prop::collection::vec((0..4_usize, any::<bool>()), 7), has_header: bool, ends: bool) {
        let start = if has_header { 0 } else { DJANGO.find("#. Translators: a").unwrap() };
        let text = DJANGO.get(start..).unwrap();
        let text = if ends { text } else { text.split("\n#, fuzzy\n#~").next().unwrap().trim_end() };
        let units = read(text).units;
        let new = single("new");
        let mut expected: Vec<(UnitKey, bool)> = Vec::new();
        let mut changes = Vec::new();
        let others: Vec<Unit> =
            units.iter().map(|unit| Unit { key: UnitKey::name(format!("x{}", unit.id)), ..Unit::default() }).collect();
        for (unit, (mark, is_after)) in units.iter().zip(&marks) {
            let can_set = matches!(unit.text, UnitText::Single(_));
            match mark {
                1 if can_set => changes.push(Change::Set { unit: unit.id, text: &new, markup: &[] }),
                2 | 3 => changes.push(Change::Remove { unit: unit.id }),
                _ => {}
            }
            if *mark < 2 {
                expected.push((unit.key.clone(), *mark == 1 && can_set));
            }
            if matches!(mark, 1 | 3) {
                let like = &others[unit.id];
                let (after, before) = (is_after.then_some(unit.id), (!is_after).then_some(unit.id));
                changes.push(Change::Insert { like, text: &new, after, before });
                expected.push((like.key.clone(), true));
            }
        }
        let changed = change(text, &CatalogChanges { units: changes, ..CatalogChanges::default() });
        let is_new = |unit: &Unit| unit.target.as_ref() == Some(&new);
        let mut found: Vec<(UnitKey, bool)> =
            read(&changed).units.iter().map(|unit| (unit.key.clone(), is_new(unit))).collect();
        found.sort();
        expected.sort();
        prop_assert_eq!(found, expected, "{}", changed);
        prop_assert_eq!(changed.ends_with('\n'), text.ends_with('\n') || changed.is_empty(), "{:?}", changed);
    }

    #[test]
    fn corrupted_files_do_not_panic(cut in 0..3000_usize, at in 0..3000_usize, piece in "[\"\\\\\n#~|,. a-z\\[\\]0-9]{0,6}") {
        let mut text: String = DJANGO.chars().take(cut).collect();
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        text.insert_str(at, &piece);
        if let Ok(catalog) = PoFormat.read(&text, &ReadOptions::default()) {
            let new = single("x");
            for unit in catalog.units.iter().filter(|unit| matches!(unit.text, UnitText::Single(_))) {
                let after = read(&set(&text, unit.id, &new));
                prop_assert_eq!(after.units[unit.id].target.as_ref(), Some(&new));
            }
        }
    }
}
