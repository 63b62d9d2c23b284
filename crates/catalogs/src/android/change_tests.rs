//! Tests of insertions, removals and new targets of Android.

use super::super::catalog::{PluralText, Unit, UnitText};
use super::super::plural::{PluralCategory, PluralForm, PluralKind};
use super::tests::{APP, change, changed, read, single};
use crate::catalog::{CatalogChanges, CatalogLanguage, Change, UnitKey, UnitKeyPart};

fn plural(forms: &[(PluralCategory, &str)]) -> UnitText {
    let forms = forms
        .iter()
        .map(|(category, text)| PluralText { form: PluralForm::Category(*category), text: (*text).to_owned() });
    UnitText::Plural(PluralKind::Cardinal, forms.collect())
}

#[test]
fn plurals_get_the_forms_given() {
    use PluralCategory::{Few, Many, Other, Zero};
    let text = "<resources>\r\n\t<plurals name=\"n\">\r\n\t\t<!-- 1 -->\r\n\t\t<item quantity=\"one\">a</item>\r\n\t\t<item quantity=\"other\">b</item>\r\n\t</plurals>\r\n</resources>\r\n";
    let forms = plural(&[(Zero, "z"), (Few, "f"), (Many, "m"), (Other, "b")]);
    let found = changed(text, vec![Change::Set { unit: 0, text: &forms, markup: &[] }]);
    let expected = "<resources>\r\n\t<plurals name=\"n\">\r\n\t\t<item quantity=\"zero\">z</item>\r\n\t\t<item quantity=\"few\">f</item>\r\n\t\t<item quantity=\"many\">m</item>\r\n\t\t<item quantity=\"other\">b</item>\r\n\t</plurals>\r\n</resources>\r\n";
    assert_eq!(found, expected);
    assert_eq!(read(&found).remove(0).text, forms);
    let found = changed(&found, vec![Change::Set { unit: 0, text: &single("s"), markup: &[] }]);
    assert_eq!(found, "<resources>\r\n\t<string name=\"n\">s</string>\r\n</resources>\r\n");
}

/// Returns a unit as if read from another file.
fn foreign_unit(key: &[&str], item: Option<usize>, note: Option<&str>) -> Unit {
    let mut key = UnitKey::names(key.iter().copied());
    key.0.extend(item.map(UnitKeyPart::Item));
    Unit { key, note: note.map(str::to_owned), ..Unit::default() }
}

#[test]
fn units_are_inserted_next_to_others() {
    let file = "<resources>\n\n  <!-- Login -->\n\n  <string name=\"a\">A</string> <!-- a -->\n\n  <!-- C -->\n  <string name=\"c\">C</string>\n</resources>\n";
    let (b, d) = (foreign_unit(&["b"], None, Some("B--\nsecond")), foreign_unit(&["d", "tablet"], None, None));
    let (z, n) = (foreign_unit(&["z&\""], None, None), foreign_unit(&["n"], None, None));
    let forms = plural(&[(PluralCategory::Other, "%d n"), (PluralCategory::One, "n")]);
    let text = single("it's");
    let changes = vec![
        Change::Insert { like: &z, text: &text, after: None, before: Some(0) },
        Change::Insert { like: &b, text: &text, after: Some(0), before: Some(1) },
        Change::Insert { like: &d, text: &text, after: Some(1), before: None },
        Change::Insert { like: &n, text: &forms, after: Some(1), before: None },
    ];
    let expected = r#"<resources>

  <!-- Login -->

  <string name="z&amp;&quot;">it\'s</string>
  <string name="a">A</string> <!-- a -->
  <!-- B- -
       second -->
  <string name="b">it\'s</string>

  <!-- C -->
  <string name="c">C</string>
  <string name="d" product="tablet">it\'s</string>
  <plurals name="n">
    <item quantity="one">n</item>
    <item quantity="other">%d n</item>
  </plurals>
</resources>
"#;
    let found = changed(file, changes);
    assert_eq!(found, expected);
    let added = read(&found).into_iter().filter(|unit| !["a", "c"].contains(&&*unit.key.to_string()));
    let removals: Vec<Change<'_>> = added.map(|unit| Change::Remove { unit: unit.id }).collect();
    assert_eq!(removals.len(), 4);
    assert_eq!(changed(&found, removals), file);
}

#[test]
fn units_are_inserted_in_empty_files() {
    let (a, b) = (foreign_unit(&["a"], None, None), foreign_unit(&["b"], Some(1), Some("note")));
    let text = single("x");
    let insert = || {
        let first = Change::Insert { like: &a, text: &text, after: None, before: None };
        vec![first, Change::Insert { like: &b, text: &text, after: None, before: None }]
    };
    let expected = "<?xml version=\"1.0\"?>\n<resources>\n    <string name=\"a\">x</string>\n    <!-- note -->\n    <string-array name=\"b\">\n        <item></item>\n        <item>x</item>\n    </string-array>\n</resources>\n";
    for file in ["<resources/>", "<resources></resources>", "<resources>\n</resources>"] {
        assert_eq!(changed(&format!("<?xml version=\"1.0\"?>\n{file}\n"), insert()), expected);
    }
}

#[test]
fn items_are_appended_to_arrays() {
    let file = "<resources>\n    <!-- Days -->\n    <string-array name=\"d\">\n        <item>a</item>\n    </string-array>\n    <string-array name=\"e\"/>\n</resources>\n";
    let items = [
        foreign_unit(&["d"], Some(1), Some("Days")),
        foreign_unit(&["d"], Some(3), Some("own")),
        foreign_unit(&["e"], Some(0), None),
    ];
    let text = single("x");
    let changes = items.iter().map(|like| Change::Insert { like, text: &text, after: None, before: Some(0) });
    let expected = "<resources>\n    <!-- Days -->\n    <string-array name=\"d\">\n        <item>a</item>\n        <item>x</item>\n        <item></item>\n        <!-- own -->\n        <item>x</item>\n    </string-array>\n    <string-array name=\"e\">\n        <item>x</item>\n    </string-array>\n</resources>\n";
    assert_eq!(changed(file, changes.collect()), expected);
}

#[test]
fn removes_array_items_by_position() {
    let file = "<resources>\n  <string-array name=\"d\">\n    <item>0</item>\n    <item>1</item>\n    <item>2</item>\n    <item>3</item>\n  </string-array>\n</resources>\n";
    let remove = |units: &[usize]| units.iter().map(|unit| Change::Remove { unit: *unit }).collect::<Vec<_>>();
    let texts = |file: &str| {
        read(file).iter().flat_map(|unit| unit.text.texts().map(str::to_owned).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(texts(&changed(file, remove(&[0, 2]))), ["1", "3"]);
    assert_eq!(changed(file, remove(&[3, 1, 0, 2])), "<resources>\n</resources>\n");
    let target = CatalogChanges { units: remove(&[1, 3]), is_new_target: true, ..CatalogChanges::default() };
    assert_eq!(texts(&change(file, &target)), ["0", "", "2"]);
}

#[test]
fn new_targets_have_texts_only() {
    let language = CatalogLanguage { tag: "pt-BR".to_owned(), path: "pt-rBR".to_owned() };
    let source = APP.replace("tools:ignore=\"MissingTranslation\"", "tools:locale=\"en\"");
    let remove = |key: &str| read(APP).iter().find(|unit| unit.key.to_string() == key).map(|unit| unit.id).unwrap();
    let units = ["link", "days.0", "app_name", "html", "empty", "empty_too", "files"]
        .map(|key| Change::Remove { unit: remove(key) });
    let changes = CatalogChanges { units: units.into(), language: Some(&language), is_new_target: true };
    let expected = r#"<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:tools="http://schemas.android.com/tools" xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2" tools:locale="pt-rBR">

    <string name="hello" tools:ignore="UnusedResources">Hello,\n<b>%1$s</b>!  It\'s
        \u0041 \"test\" &#8230; &lt;&amp;></string>
    <string name="quoted">"  It's  \"here\" "</string> <!-- keep the blanks -->

    <!-- Shown after an upload.
         Keep it short. -->
    <string name="done">Uploaded <xliff:g id="count" example="3">%1$d</xliff:g> of <a href="https://x.example/?a=1&amp;b=2">these</a></string>
    <string name="tablet" product="tablet">Tablet</string>
    <string name="tablet" product="default">\@phone</string>

    <!-- Days -->
    <string-array name="days">
        <item></item>
        <!-- Second -->
        <item>Tuesday</item>
        <item>@string/hello</item>
    </string-array>
</resources>
"#;
    assert_eq!(change(&source, &changes), expected);
}

#[test]
fn duplicate_names_are_listed() {
    let file = "<resources><string name=\"a\">1</string><plurals name=\"a\"/><string-array name=\"a\"><item>2</item></string-array></resources>";
    let catalog =
        super::super::CatalogFormat::read(&super::AndroidFormat, file, &super::ReadOptions::default()).unwrap();
    let keys: Vec<String> = catalog.units.iter().map(|unit| unit.key.to_string()).collect();
    assert_eq!(keys, ["a", "a.0"]);
    assert_eq!(
        catalog.duplicates.iter().map(|duplicate| (duplicate.key.to_string(), duplicate.at)).collect::<Vec<_>>(),
        [("a".to_owned(), 38)]
    );
    let error =
        super::super::CatalogFormat::read(&super::AndroidFormat, "<a/>", &super::ReadOptions::default()).unwrap_err();
    assert_eq!(error.what, "the root element is 'a', not 'resources'");
}
