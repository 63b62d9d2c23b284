//! Tests of the Android format.

use proptest::prelude::*;
use tulk_growth::{MakeInput, assert_linear};

use super::super::catalog::{SkipReason, Unit, UnitText};
use super::super::{apply_edits, invariants};
use super::*;
use crate::catalog::Change;

/// A file as written by Android Studio.
pub(super) const APP: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:tools="http://schemas.android.com/tools" xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2" tools:ignore="MissingTranslation">

    <!-- Name of the app -->
    <string name="app_name" translatable="false">Demo</string>
    <string name="hello" tools:ignore="UnusedResources">Hello,\n<b>%1$s</b>!  It\'s
        \u0041 \"test\" &#8230; &lt;&amp;></string>
    <string name="quoted">"  It's  \"here\" "</string> <!-- keep the blanks -->
    <string name="link">@string/hello</string>

    <!-- Shown after an upload.
         Keep it short. -->
    <string name="done">Uploaded <xliff:g id="count" example="3">%1$d</xliff:g> of <a href="https://x.example/?a=1&amp;b=2">these</a></string>
    <string name="html"><![CDATA[Read <a href=\"x\">it\'s</a> &nbsp; now]]></string>
    <string name="empty"/>
    <string name="empty_too" ></string>
    <string name="tablet" product="tablet">Tablet</string>
    <string name="tablet" product="default">\@phone</string>
    <dimen name="gap">8dp</dimen>
    <eat-comment/>

    <!-- Days -->
    <string-array name="days">
        <item>Monday</item>
        <!-- Second -->
        <item>Tuesday</item>
        <item>@string/hello</item>
    </string-array>
    <plurals name="files">
        <item quantity="one">%d file</item>
        <item quantity="other">%d <i>files</i></item>
    </plurals>
</resources>
"#;

pub(super) fn read(text: &str) -> Vec<Unit> {
    AndroidFormat.read(text, &ReadOptions::default()).unwrap().units
}

pub(super) fn change(text: &str, changes: &CatalogChanges<'_>) -> String {
    let edits = AndroidFormat.edits(text, &ReadOptions::default(), changes).unwrap();
    apply_edits(text, edits).unwrap()
}

pub(super) fn changed(text: &str, units: Vec<Change<'_>>) -> String {
    change(text, &CatalogChanges { units, ..CatalogChanges::default() })
}

pub(super) fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

fn file_with_string(value: &str) -> String {
    format!("<resources>\n    <string name=\"a\">{value}</string>\n</resources>\n")
}

fn text_and_markup(value: &str) -> (String, Vec<String>) {
    let unit = read(&file_with_string(value)).remove(0);
    (unit.text.texts().next().unwrap().to_owned(), unit.markup)
}

fn value_after_set(value: &str, text: &str, markup: &[&str]) -> String {
    let markup: Vec<String> = markup.iter().map(|part| (*part).to_owned()).collect();
    let file = changed(&file_with_string(value), vec![Change::Set { unit: 0, text: &single(text), markup: &markup }]);
    let value = file.strip_prefix("<resources>\n    <string name=\"a\">").unwrap();
    value.strip_suffix("</string>\n</resources>\n").unwrap().to_owned()
}

#[test]
fn cdata_among_text_stays_as_it_is() {
    let section = "<![CDATA[<u>%s  u</u>]]>";
    let text = format!("Pre {section} post");
    assert_eq!(text_and_markup(&text), (text.clone(), vec![section.to_owned()]));
    assert_eq!(
        value_after_set(&text, &format!("Vor {section} nach & mit"), &[section]),
        format!("Vor {section} nach &amp; mit")
    );
    assert_eq!(value_after_set(&text, &format!("{section} nach"), &[section]), format!("{section} nach"));
}

#[test]
fn units_have_keys_notes_and_reasons() {
    let found: Vec<_> =
        read(APP).into_iter().map(|unit| (unit.key.to_string(), unit.note.unwrap_or_default(), unit.skip)).collect();
    let expected = [
        ("app_name", "Name of the app", Some(SkipReason::Untranslatable)),
        ("hello", "", None),
        ("quoted", "", None),
        ("link", "", Some(SkipReason::Reference)),
        ("done", "Shown after an upload.\nKeep it short.", None),
        ("html", "", None),
        ("empty", "", None),
        ("empty_too", "", None),
        ("tablet.tablet", "", None),
        ("tablet.default", "", None),
        ("days.0", "Days", None),
        ("days.1", "Second", None),
        ("days.2", "Days", Some(SkipReason::Reference)),
        ("files", "", None),
    ];
    assert_eq!(found, expected.map(|(key, note, skip)| (key.to_owned(), note.to_owned(), skip)));
}

#[test]
fn values_are_decoded() {
    for (raw, text, markup) in [
        ("a\n   b\t c ", "a b c", &[][..]),
        (r#"" a  b" c "#, " a  b c", &[]),
        (r"It\'s \u0041\ud83d\ude00\n\t\\ \@ \? \# \u12", "It's A😀\n\t\\ @ ? # \\u12", &[]),
        ("&lt;b>&amp;lt;&quot;  &quot;&#8230;&#x41;", "<b>&lt;  …A", &[]),
        ("<b>a</b> &lt;b> &lt; &amp;lt;", "<b>a</b> &lt;b> < &amp;lt;", &["<b>", "</b>", "&lt;", "&amp;", "&lt;b>"]),
        ("<b>a</b> &lt; &amp;", "<b>a</b> < &", &["<b>", "</b>"]),
        ("Hi <x:g id=\"n\">%1$s</x:g> !", "Hi <x:g id=\"n\">%1$s</x:g> !", &["<x:g id=\"n\">%1$s</x:g>"]),
        ("a <br/> b<u><i>c</i></u>", "a <br/>b<u><i>c</i></u>", &["<br/>", "<u>", "<i>", "</i>", "</u>"]),
        ("<![CDATA[<b>it\\'s</b> &amp; < ]]>", "<b>it's</b> &amp; <", &["<![CDATA[", "<b>", "</b>", "&amp;"]),
        ("<![CDATA[<a href=\"x\">b</a>]]>", "<a href=\"x\">b</a>", &["<![CDATA[", "<a href=\"x\">", "</a>"]),
        ("a<![CDATA[<b>]]>", "a<![CDATA[<b>]]>", &["<![CDATA[<b>]]>"]),
        ("x &app; y", "x &app; y", &["&app;"]),
        ("x<!-- no -->y", "xy", &[]),
        ("user@host", "user@host", &[]),
    ] {
        let markup: Vec<String> = markup.iter().map(|part| (*part).to_owned()).collect();
        assert_eq!(text_and_markup(raw), (text.to_owned(), markup), "{raw}");
    }
}

#[test]
fn references_are_skipped() {
    for (raw, is_reference) in [
        ("@string/a", true),
        (" @android:string/ok ", true),
        ("@*android:string/ok", true),
        ("?attr/x", true),
        ("@null", true),
        ("@home", false),
        ("@string/a b", false),
        ("\\@string/a", false),
        ("?", false),
        ("@/a", false),
    ] {
        let unit = read(&file_with_string(raw)).remove(0);
        assert_eq!(unit.skip == Some(SkipReason::Reference), is_reference, "{raw}");
    }
}

#[test]
fn texts_are_escaped() {
    for (old, text, markup, expected) in [
        ("x", "It's \"a\" & <b> &amp; \\n\n\t", &[][..], r#"It\'s \"a\" &amp; &lt;b&gt; &amp;amp; \\n\n\t"#),
        ("x", "@string/a", &[], r"\@string/a"),
        ("x", "?a @b", &[], r"\?a @b"),
        ("x", " a  b ", &[], r"\u0020a \u0020b\u0020"),
        ("\" x\"", " it's  \"b\" @ ", &[], r#"" it's  \"b\" @ ""#),
        ("x", "<b>a</b> < &lt;", &["<b>", "</b>", "&lt;"], "<b>a</b> &lt; &lt;"),
        (
            "x",
            "<b>a</b> &lt;b>x&lt;/b>",
            &["<b>", "</b>", "&lt;", "&lt;b>", "&lt;/b>"],
            "<b>a</b> &lt;b&gt;x&lt;/b&gt;",
        ),
        ("x", "a <b> b</b>", &["<b>", "</b>"], "a <b>\\u0020b</b>"),
        ("<![CDATA[x]]>", "a ]]> it's & <b>", &[], r"<![CDATA[a ]]]]><![CDATA[> it\'s & <b>]]>"),
        ("<![CDATA[<a href=\"x\">b</a>]]>", "<a href=\"x\">it's</a>", &[], r#"<![CDATA[<a href="x">it\'s</a>]]>"#),
        ("x", "<p>a", &["<![CDATA[", "<p>"], "<![CDATA[<p>a]]>"),
        ("<![CDATA[x]]>", "a<b/>", &["<b/>"], "a<b/>"),
        ("x", "\u{1}\r\u{a0}", &[], "\\u0001\\u000D\u{a0}"),
        ("\n        x y\n    ", "z", &[], "\n        z\n    "),
    ] {
        assert_eq!(value_after_set(old, text, markup), expected, "{text}");
    }
}

#[test]
fn unchanged_texts_keep_their_bytes() {
    let units = read(APP);
    let changes = units.iter().map(|unit| Change::Set { unit: unit.id, text: &unit.text, markup: &unit.markup });
    assert_eq!(changed(APP, changes.collect()), APP);
}

#[test]
fn tags_that_do_not_match_are_refused() {
    let markup = ["<b>".to_owned(), "</b>".to_owned()];
    let text = single("<b>a");
    let changes = vec![Change::Set { unit: 0, text: &text, markup: &markup }];
    let changes = CatalogChanges { units: changes, ..CatalogChanges::default() };
    let error = AndroidFormat.edits(&file_with_string("x"), &ReadOptions::default(), &changes).unwrap_err();
    assert!(error.what.starts_with("the markup of the text cannot be written: "), "{}", error.what);
}

#[test]
fn a_text_is_set_in_a_self_closing_element() {
    let text = "<resources>\n  <string name=\"a\"/>\n  <string name=\"b\" />\n</resources>";
    let value = single("x");
    let changes = [0, 1].map(|unit| Change::Set { unit, text: &value, markup: &[] });
    let expected = "<resources>\n  <string name=\"a\">x</string>\n  <string name=\"b\">x</string>\n</resources>";
    assert_eq!(changed(text, changes.into()), expected);
}

#[test]
fn reading_takes_linear_time() {
    let files: [(&str, MakeInput); 3] = [
        ("tags", |n| {
            let tag = |n| format!("<b a=\"{n}\">&lt;b a=\"{n}\"></b>");
            file_with_string(&(0..n).map(tag).collect::<String>())
        }),
        ("one namespace", |n| {
            let nested = format!("<x:g>{}</x:g>", "<x:g/>&lt;x:g/&gt;".repeat(n));
            file_with_string(&[nested, "&lt;x:g&gt;".repeat(n)].concat())
        }),
        ("one form", |n| {
            let items = "<item quantity=\"one\">x</item>".repeat(n);
            format!("<resources><plurals name=\"a\">{items}</plurals></resources>")
        }),
    ];
    for (what, file) in files {
        assert_linear(what, 2000, file, |text| assert_eq!(read(text).len(), 1));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn invariants_hold(new in invariants::texts()) {
        let options = ReadOptions::default();
        invariants::check_all(&AndroidFormat, APP, &options, &new);
        invariants::check_all(&AndroidFormat, &APP.replace('\n', "\r\n"), &options, &new);
        invariants::check_all(&AndroidFormat, "<resources><string name=\"a\">x</string><string name=\"b\">\"y\"</string></resources>", &options, &new);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn texts_with_markup_are_read_back(before in invariants::texts(), inner in invariants::texts(), is_quoted: bool) {
        let text = format!("{before}<b>{inner}</b>");
        let old = if is_quoted { "\"x\"" } else { "x" };
        let file = file_with_string(&value_after_set(old, &text, &["<b>", "</b>"]));
        let unit = read(&file).remove(0);
        prop_assert_eq!(unit.text.texts().next().unwrap(), &text, "{}", file);
        let again = changed(&file_with_string("y"), vec![Change::Set { unit: 0, text: &unit.text, markup: &unit.markup }]);
        prop_assert_eq!(&read(&again).remove(0).text, &unit.text);
    }

    #[test]
    fn corrupted_files_do_not_panic(cut in 0..APP.len(), from in 0..APP.len()) {
        let (start, end) = (APP.get(..cut).unwrap_or_default(), APP.get(from..).unwrap_or_default());
        for text in [start, end, &[start, end].concat()] {
            let _ = AndroidFormat.read(text, &ReadOptions::default());
        }
    }
}

#[test]
fn comments_in_a_value_are_notes_and_not_text() {
    let shown = |inside: &str| {
        let unit = read(&file_with_string(inside)).remove(0);
        (unit.text.texts().next().unwrap().to_owned(), unit.markup, unit.note.unwrap_or_default())
    };
    let text = |text: &str, note: &str| (text.to_owned(), Vec::new(), note.to_owned());
    assert_eq!(shown(" \\u0020<!-- 3 votes -->\\u0020%1$s"), text("  %1$s", "3 votes"));
    assert_eq!(shown("Save <!-- the file --> now<!-- soon -->"), text("Save now", "the file\nsoon"));
    assert_eq!(shown("<!-- no -->@string/b").0, "@string/b");
    assert_eq!(read(&file_with_string("<!-- no -->@string/b"))[0].skip, Some(SkipReason::Reference));
    assert_eq!(shown("<!-- only -->"), text("", "only"));
    assert_eq!(shown("<!-- a --><![CDATA[<b>x</b>]]>").0, "<b>x</b>");

    assert_eq!(
        value_after_set("\n  <!-- a -->\n  Save<!-- b -->", "Sichern", &[]),
        "\n  <!-- a -->\n  Sichern<!-- b -->"
    );
    assert_eq!(value_after_set("Save <!-- a -->now", "Jetzt sichern", &[]), "Jetzt sichern");
    assert_eq!(value_after_set("<b>Save<!-- a --></b>", "<b>Sichern</b>", &["<b>", "</b>"]), "<b>Sichern</b>");
    assert_eq!(value_after_set("<!-- a -->", "Sichern", &[]), "Sichern");
    let plural = "<resources>\n  <!-- Files -->\n  <plurals name=\"f\">\n    <item quantity=\"other\">%d files<!-- many --></item>\n  </plurals>\n</resources>";
    assert_eq!(read(plural)[0].note.as_deref(), Some("Files\nmany"));
}
