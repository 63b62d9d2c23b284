//! Tests of segments of XLIFF 1.2, and of length limits.

use super::super::{Change, Unit, UnitKey, UnitText, apply_edits, invariants};
use super::*;

/// Returns a unit as translation tools write it: a source, its segments, and `target`.
fn document(target: &str) -> String {
    format!(
        "<xliff version=\"1.2\">\n<file original=\"a\" source-language=\"en\"><body>\n<trans-unit id=\"a\" approved=\"yes\">\n\
         <source>One. <g id=\"1\">Two.</g></source>\n\
         <seg-source><mrk mtype=\"seg\" mid=\"1\">One.</mrk> <mrk mtype=\"seg\" mid=\"2\"><g id=\"1\">Two.</g></mrk></seg-source>\n\
         {target}</trans-unit>\n</body></file></xliff>\n"
    )
}

const SEGMENTS: &str = r#"<mrk mtype="seg" mid="1">One.</mrk> <mrk mtype="seg" mid="2"><g id="1">Two.</g></mrk>"#;
const GERMAN: &str = r#"<mrk mtype="seg" mid="1">Eins.</mrk> <mrk mtype="seg" mid="2"><g id="1">Zwei.</g></mrk>"#;

fn unit(text: &str) -> Unit {
    XliffFormat.read(text, &ReadOptions::default()).unwrap().units.remove(0)
}

fn changed(text: &str, change: Change<'_>) -> String {
    let changes = CatalogChanges { units: vec![change], ..CatalogChanges::default() };
    apply_edits(text, XliffFormat.edits(text, &ReadOptions::default(), &changes).unwrap()).unwrap()
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

#[test]
fn a_target_gets_the_segments_of_its_source() {
    let empty = r#"<target><mrk mtype="seg" mid="1"/> <mrk mid='2' mtype='seg'> </mrk></target>"#;
    for target in ["", "<target/>\n", "<target></target>\n", empty] {
        let text = document(target);
        let found = unit(&text);
        assert_eq!(found.text, single(SEGMENTS), "{target}");
        assert!(found.target.is_none_or(|target| target.is_blank()), "{target}");
        let new = single(GERMAN);
        let once = changed(&text, Change::Set { unit: 0, text: &new, markup: &found.markup });
        let expected = document(&format!("<target state=\"translated\">{GERMAN}</target>\n"));
        assert_eq!(once.replace("</target></trans", "</target>\n</trans"), expected.replace("\"yes\"", "\"no\""));
        let again = unit(&once);
        assert_eq!((&again.text, &again.target), (&single(SEGMENTS), &Some(new)));
    }
}

#[test]
fn setting_an_equal_target_keeps_its_bytes() {
    let half = GERMAN.replace("Zwei.", "");
    for (target, source) in
        [(GERMAN, SEGMENTS), (&half, SEGMENTS), ("Eins. <g id=\"1\">Zwei.</g>", "One. <g id=\"1\">Two.</g>")]
    {
        let text = document(&format!("<target>{target}</target>"));
        let found = unit(&text);
        assert_eq!((&found.text, &found.target), (&single(source), &Some(single(target))));
        assert_eq!(changed(&text, Change::Set { unit: 0, text: &single(target), markup: &found.markup }), text);
        invariants::check_all(&XliffFormat, &text, &ReadOptions::default(), "neu & <b>");
    }
}

#[test]
fn segments_of_another_file_are_inserted() {
    let found = unit(&document(""));
    let like = Unit { key: UnitKey::name("b"), ..found };
    let new = single(GERMAN);
    let out = changed(&document(""), Change::Insert { like: &like, text: &new, after: Some(0), before: None });
    let german = format!("<target state=\"translated\">{GERMAN}</target>");
    let segments = format!("<seg-source>{SEGMENTS}</seg-source>");
    let lines = ["<trans-unit id=\"b\">", "<source>One. <g id=\"1\">Two.</g></source>", &segments, &german];
    assert!(out.replace("  ", "").contains(&lines.join("\n")), "{out}");
}

#[test]
fn length_limits_ignore_markup() {
    let document = |profiles: &str, unit: &str, source: &str| {
        format!(
            "<xliff version=\"2.1\" srcLang=\"en\" xmlns:slr=\"urn:oasis:names:tc:xliff:sizerestriction:2.0\" \
             xmlns:fs=\"urn:oasis:names:tc:xliff:fs:2.0\"><file id=\"f\">{profiles}\
             <unit id=\"a\" {unit}><segment><source>{source}</source></segment></unit></file></xliff>"
        )
    };
    let profile = |name: &str| format!("<slr:profiles generalProfile=\"{name}\"/>");
    for (profiles, size, limit) in [
        (String::new(), "slr:sizeRestriction=\"9\"", Some(9)),
        (profile("xliff:codepoints"), "slr:sizeRestriction=\"2, 9\"", Some(9)),
        (profile("x:pixels"), "slr:sizeRestriction=\"9\"", None),
        (profile("xliff:codepoints"), "fs:fs=\"p\"", None),
    ] {
        assert_eq!(unit(&document(&profiles, size, "x")).max_chars, limit, "{profiles} {size}");
    }
    let bold = "<pc id=\"1\" fs:fs=\"b\">Save</pc> &lt;x";
    let found = unit(&document("", "slr:sizeRestriction=\"7\"", bold));
    let text = bold.replace("&lt;", "<");
    assert_eq!((found.exceeded_limit(&single(&text)), &found.text), (None, &single(&text)));
    assert_eq!(found.exceeded_limit(&single(&text.replace("ve", "veee"))), Some((9, 7)));
    let new = changed(&document("", "", bold), Change::Set { unit: 0, text: &single(&text), markup: &found.markup });
    assert!(new.contains(&format!("<target>{bold}</target>")), "{new}");
}
