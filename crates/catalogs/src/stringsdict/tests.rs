//! Tests of `.stringsdict` files.

use proptest::prelude::*;

use super::super::{apply_edits, invariants};
use super::*;
use crate::catalog::Change;

/// A file as written by Xcode.
const FILE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<!-- Files that were found -->
	<key>%d files</key>
	<dict>
		<key>NSStringLocalizedFormatKey</key>
		<string>%#@files@</string>
		<key>files</key>
		<dict>
			<key>NSStringFormatSpecTypeKey</key>
			<string>NSStringPluralRuleType</string>
			<key>NSStringFormatValueTypeKey</key>
			<string>d</string>
			<key>one</key>
			<string>%d file &amp; more</string>
			<key>other</key>
			<string>%d files</string>
		</dict>
	</dict>
	<key>photos.in.albums</key>
	<dict>
		<key>NSStringLocalizedFormatKey</key>
		<string>%1$#@photos@ in %2$#@albums@</string>
		<key>photos</key>
		<dict>
			<key>NSStringFormatSpecTypeKey</key>
			<string>NSStringPluralRuleType</string>
			<key>NSStringFormatValueTypeKey</key>
			<string>lu</string>
			<key>zero</key>
			<string/>
			<key>other</key>
			<string>%lu photos</string>
		</dict>
		<key>albums</key>
		<dict>
			<key>NSStringFormatSpecTypeKey</key>
			<string>NSStringPluralRuleType</string>
			<key>NSStringFormatValueTypeKey</key>
			<string>lu</string>
			<key>one</key>
			<string>%lu album</string>
			<key>other</key>
			<string>%lu albums</string>
		</dict>
	</dict>
	<key>Welcome</key>
	<dict>
		<key>NSStringVariableWidthRuleType</key>
		<dict>
			<key>1</key>
			<string>Hi</string>
			<key>20</key>
			<string>Welcome &lt;you&gt;</string>
		</dict>
	</dict>
</dict>
</plist>
"#;

fn edited(text: &str, units: Vec<Change<'_>>) -> Result<String, CatalogError> {
    let changes = CatalogChanges { units, ..CatalogChanges::default() };
    let edits = StringsDictFormat.edits(text, &ReadOptions::default(), &changes)?;
    Ok(apply_edits(text, edits).unwrap())
}

fn read(text: &str) -> Vec<Unit> {
    StringsDictFormat.read(text, &ReadOptions::default()).unwrap().units
}

fn plural(forms: &[(PluralCategory, &str)]) -> UnitText {
    let forms = forms
        .iter()
        .map(|(category, text)| PluralText { form: PluralForm::Category(*category), text: (*text).to_owned() });
    UnitText::Plural(PluralKind::Cardinal, forms.collect())
}

fn single(text: &str) -> UnitText {
    UnitText::Single(text.to_owned())
}

#[test]
fn variables_formats_and_variants_are_units() {
    use PluralCategory::{One, Other, Zero};
    let found: Vec<_> = read(FILE).into_iter().map(|unit| (unit.key, unit.text, unit.note, unit.markup)).collect();
    let expected = [
        (
            &["%d files", "files"][..],
            plural(&[(One, "%d file & more"), (Other, "%d files")]),
            Some("Files that were found"),
            vec!["%#@files@".to_owned()],
        ),
        (&["photos.in.albums", FORMAT_KEY], single("%1$#@photos@ in %2$#@albums@"), None, vec![]),
        (&["photos.in.albums", "photos"], plural(&[(Zero, ""), (Other, "%lu photos")]), None, vec![]),
        (&["photos.in.albums", "albums"], plural(&[(One, "%lu album"), (Other, "%lu albums")]), None, vec![]),
        (&["Welcome", "NSStringVariableWidthRuleType", "1"], single("Hi"), None, vec![]),
        (&["Welcome", "NSStringVariableWidthRuleType", "20"], single("Welcome <you>"), None, vec![]),
    ];
    let expected = expected
        .map(|(key, text, note, markup)| (UnitKey::names(key.iter().copied()), text, note.map(str::to_owned), markup));
    assert_eq!(found, expected);
}

#[test]
fn a_format_with_only_a_variable_is_not_a_unit() {
    for (format, is_alone) in [
        ("%#@a@", true),
        ("%1$#@a b@", true),
        ("%#@@", false),
        ("%1$#@a@%2$#@b@", false),
        ("%#@a@ of", false),
        ("%d", false),
        ("", false),
    ] {
        assert_eq!(is_variable(format), is_alone, "{format}");
    }
}

#[test]
fn sets_exactly_the_given_forms() {
    use PluralCategory::{Few, Many, One, Other};
    let text = plural(&[(One, "a & b"), (Few, "f"), (Many, "m"), (Other, "%d files")]);
    let found = edited(FILE, vec![Change::Set { unit: 0, text: &text, markup: &[] }]).unwrap();
    let old = "\t\t\t<string>%d file &amp; more</string>\n";
    let new = "\t\t\t<string>a &amp; b</string>\n\t\t\t<key>few</key>\n\t\t\t<string>f</string>\n\t\t\t<key>many</key>\n\t\t\t<string>m</string>\n";
    assert_eq!(found, FILE.replace(old, new));
    let text = plural(&[(Other, "o")]);
    let found = edited(&found, vec![Change::Set { unit: 0, text: &text, markup: &[] }]).unwrap();
    let old = "\t\t\t<key>one</key>\n\t\t\t<string>%d file &amp; more</string>\n";
    assert_eq!(found, FILE.replace(old, "").replace("%d files</string>", "o</string>"));
    let text = plural(&[(PluralCategory::Zero, "z"), (Other, "%lu photos")]);
    let found = edited(FILE, vec![Change::Set { unit: 2, text: &text, markup: &[] }]).unwrap();
    assert_eq!(found, FILE.replace("<string/>", "<string>z</string>"));
}

#[test]
fn entries_are_removed_with_their_last_unit() {
    let remove =
        |units: &[usize]| edited(FILE, units.iter().map(|unit| Change::Remove { unit: *unit }).collect()).unwrap();
    let without = |start: &str, end: &str| {
        let start = FILE.find(start).unwrap();
        let len = FILE.get(start..).unwrap().find(end).unwrap();
        [FILE.get(..start).unwrap(), FILE.get(start + len..).unwrap()].concat()
    };
    assert_eq!(remove(&[0]), without("\t<!-- Files", "\t<key>photos.in"));
    assert_eq!(remove(&[2]), without("\t\t<key>photos</key>", "\t\t<key>albums"));
    assert_eq!(remove(&[3, 1, 2]), without("\t<key>photos.in", "\t<key>Welcome"));
    assert_eq!(remove(&[4]), without("\t\t\t<key>1</key>", "\t\t\t<key>20"));
    assert_eq!(remove(&[4, 5]), without("\t<key>Welcome", "</dict>\n</plist>"));
}

#[test]
fn what_was_removed_can_be_inserted_again() {
    let units = read(FILE);
    let empty = edited(FILE, units.iter().map(|unit| Change::Remove { unit: unit.id }).collect()).unwrap();
    assert!(empty.ends_with("<plist version=\"1.0\">\n<dict>\n</dict>\n</plist>\n"), "{empty}");
    let insert = units.iter().map(|unit| Change::Insert { like: unit, text: &unit.text, after: None, before: None });
    let full = edited(&empty, insert.collect()).unwrap();
    assert_eq!(full, FILE.replace("<string/>", "<string></string>"));
    for (unit, rest) in [(1, [2, 3]), (2, [1, 3]), (3, [1, 2])] {
        let removals = rest.map(|unit| Change::Remove { unit });
        let without = edited(FILE, removals.into()).unwrap();
        let kept = read(&without)
            .iter()
            .find(|kept| units.get(unit).is_some_and(|unit| kept.key == unit.key))
            .map(|unit| unit.id);
        let insert = rest.map(|unit| {
            let unit = units.get(unit).unwrap();
            Change::Insert { like: unit, text: &unit.text, after: kept, before: None }
        });
        assert_eq!(read(&edited(&without, insert.into()).unwrap()).len(), units.len());
    }
}

#[test]
fn variants_by_device_may_have_variables() {
    let file = r#"<plist version="1.0">
    <dict>
        <key>users</key>
        <dict>
            <key>NSStringDeviceSpecificRuleType</key>
            <dict>
                <key>iphone</key>
                <dict>
                    <key>NSStringLocalizedFormatKey</key>
                    <string>Phone has %1$#@users@</string>
                    <key>users</key>
                    <dict>
                        <key>NSStringFormatSpecTypeKey</key>
                        <string>NSStringPluralRuleType</string>
                        <key>NSStringFormatValueTypeKey</key>
                        <string>ld</string>
                        <key>other</key>
                        <string>%1$ld users</string>
                    </dict>
                </dict>
                <key>other</key>
                <string>Device has %ld users</string>
            </dict>
        </dict>
    </dict>
</plist>
"#;
    let units = read(file);
    let keys: Vec<String> = units.iter().map(|unit| unit.key.to_string()).collect();
    let rule = "users.NSStringDeviceSpecificRuleType";
    let expected = ["iphone.NSStringLocalizedFormatKey", "iphone.users", "other"].map(|key| format!("{rule}.{key}"));
    assert_eq!(keys, expected);
    for removed in [vec![0], vec![1], vec![2], vec![0, 1], vec![1, 2], vec![0, 1, 2]] {
        let removals = removed.iter().map(|unit| Change::Remove { unit: *unit });
        let without = edited(file, removals.collect()).unwrap();
        let insert = removed.iter().filter_map(|unit| units.get(*unit)).map(|unit| {
            let after = read(&without).len().checked_sub(1).filter(|_| unit.id > 0);
            Change::Insert { like: unit, text: &unit.text, after, before: Some(0) }
        });
        let with = edited(&without, insert.collect()).unwrap();
        let mut again: Vec<_> = read(&with).into_iter().map(|unit| (unit.key, unit.text)).collect();
        again.sort_by(|a, b| a.0.cmp(&b.0));
        let all: Vec<_> = units.iter().map(|unit| (unit.key.clone(), unit.text.clone())).collect();
        assert_eq!(again, all, "{with}");
    }
}

#[test]
fn an_inserted_format_replaces_one_with_only_a_variable() {
    let like = Unit { key: UnitKey::names(["%d files", FORMAT_KEY]), ..Unit::default() };
    let text = single("in %#@files@");
    let found = edited(FILE, vec![Change::Insert { like: &like, text: &text, after: None, before: Some(0) }]).unwrap();
    assert_eq!(found, FILE.replacen("%#@files@", "in %#@files@", 1));
}

#[test]
fn an_inserted_variable_replaces_a_removed_one() {
    let like =
        Unit { key: UnitKey::names(["%d files", "count"]), markup: vec!["%#@count@".to_owned()], ..Unit::default() };
    let text = plural(&[(PluralCategory::Other, "%d files")]);
    let insert = Change::Insert { like: &like, text: &text, after: Some(0), before: None };
    let found = edited(FILE, vec![Change::Remove { unit: 0 }, insert]).unwrap();
    let old = "\t\t\t<key>one</key>\n\t\t\t<string>%d file &amp; more</string>\n";
    let expected = FILE.replacen("%#@files@", "%#@count@", 1).replacen("<key>files</key>", "<key>count</key>", 1);
    assert_eq!(found, expected.replacen(old, "", 1));
}

#[test]
fn an_inserted_text_without_a_format_string_gets_one() {
    use PluralCategory::Other;
    let like = |variable: &str| Unit { key: UnitKey::names(["k", variable]), ..Unit::default() };
    let (a, b, text) = (like("a"), like("b"), plural(&[(Other, "%1$@: %2$lld x")]));
    let insert = |like| Change::Insert { like, text: &text, after: None, before: None };
    let file = "<plist><dict/></plist>\n";
    let found = edited(file, vec![insert(&a)]).unwrap();
    for part in ["<string>%#@a@</string>", "<string>lld</string>"] {
        assert!(found.contains(part), "{found}");
    }
    let found = edited(file, vec![insert(&a), insert(&b)]).unwrap();
    assert!(found.contains("<string>%1$#@a@ %2$#@b@</string>"), "{found}");
}

#[test]
fn errors_have_positions() {
    for (file, at, what) in [
        ("<a/>", 0, "this is not a property list with a dictionary"),
        ("<plist><array/></plist>", 0, "this is not a property list with a dictionary"),
        ("<plist><dict><key>a</key></dict></plist>", 13, "the key 'a' has no value"),
        ("<plist><dict><string/></dict></plist>", 13, "a <key> is expected here"),
        ("<plist><dict><key>a</key><key>b</key></dict></plist>", 13, "the key 'a' has no value"),
    ] {
        let error = StringsDictFormat.read(file, &ReadOptions::default()).unwrap_err();
        assert_eq!((error.at, error.what.as_str()), (at, what), "{file}");
    }
    let text = single("x");
    let error = edited(FILE, vec![Change::Set { unit: 0, text: &text, markup: &[] }]).unwrap_err();
    assert_eq!(error.what, "a text cannot be changed into a plural here, or a plural into a text");
    let key = UnitKey::name("x");
    let like = Unit { key, ..Unit::default() };
    let error = edited(FILE, vec![Change::Insert { like: &like, text: &text, after: None, before: None }]).unwrap_err();
    assert_eq!(error.what, "'x' is not a key of a stringsdict file");
}

#[test]
fn the_last_duplicate_key_wins() {
    let entry = |text: &str| {
        format!("<key>a</key><dict><key>v</key><dict><key>other</key><string>{text}</string></dict></dict>")
    };
    let file = format!("<plist><dict>{}{}</dict></plist>", entry("1"), entry("2"));
    let catalog = StringsDictFormat.read(&file, &ReadOptions::default()).unwrap();
    assert_eq!(catalog.duplicates, [DuplicateKey { key: UnitKey::name("a"), at: 13 }]);
    assert_eq!(catalog.units.first().unwrap().text, plural(&[(PluralCategory::Other, "2")]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn invariants_hold(new in invariants::texts()) {
        let options = ReadOptions::default();
        let line = "<plist><dict><key>a</key><dict><key>v</key><dict><key>other</key><string>%d</string></dict></dict></dict></plist>";
        for file in [FILE, &FILE.replace('\n', "\r\n"), line] {
            invariants::check_all(&StringsDictFormat, file, &options, &new);
        }
    }

    #[test]
    fn corrupted_files_do_not_panic(cut in 0..FILE.len(), from in 0..FILE.len()) {
        let (start, end) = (FILE.get(..cut).unwrap_or_default(), FILE.get(from..).unwrap_or_default());
        for text in [start, end, &[start, end].concat()] {
            let _ = StringsDictFormat.read(text, &ReadOptions::default());
        }
    }
}
