//! Tests of units in a line-based format: `a.b.0 = text`. A key without `=` is a value that is not a text; `# note` above
//! a key is its note.

use proptest::prelude::*;
use tulk_growth::assert_linear;

use super::super::{
    Change, Dialect, PluralCategory, PluralForm, PluralKind, PluralText, SkipReason, Unit, UnitText, invariants,
};
use super::*;
use crate::catalog::UnitKeyPart;
use crate::{CatalogLanguage, MessageRules, Syntax, TargetForms, apply_edits, expand, plural_forms};

#[derive(Debug)]
struct LineFormat;

impl LineFormat {
    fn lines(text: &str) -> Vec<(usize, &str)> {
        let mut at = 0;
        text.split_inclusive('\n')
            .map(|line| {
                at += line.len();
                (at - line.len(), line)
            })
            .collect()
    }

    fn key(text: &str) -> UnitKey {
        let part = |part: &str| match part.parse() {
            Ok(number) => UnitKeyPart::Item(number),
            Err(_) => UnitKeyPart::Name(part.to_owned()),
        };
        UnitKey(text.split('.').map(part).collect())
    }

    fn value(text: &str) -> String {
        text.replace('\\', r"\\").replace('\n', r"\n")
    }
}

impl LeafFormat for LineFormat {
    fn leaves(&self, text: &str) -> Result<LeafTree, CatalogError> {
        let mut note = None;
        let mut leaves = Vec::new();
        for (at, line) in Self::lines(text) {
            if let Some(comment) = line.strip_prefix("# ") {
                note = Some(comment.trim().to_owned());
            } else if let Some((key, value)) = line.strip_suffix('\n').unwrap().split_once(" = ") {
                let value = value.replace(r"\\", "\0").replace(r"\n", "\n").replace('\0', "\\");
                leaves.push(Leaf { key: Self::key(key), text: Some(value), note: note.take(), at });
            } else {
                leaves.push(Leaf { key: Self::key(line.trim()), text: None, note: note.take(), at });
            }
        }
        Ok(LeafTree { leaves, ..LeafTree::default() })
    }

    fn leaf_edits(&self, text: &str, changes: &[LeafChange<'_>]) -> Result<Vec<Edit>, CatalogError> {
        let lines: Vec<(usize, &str)> =
            Self::lines(text).into_iter().filter(|(_, line)| !line.starts_with('#')).collect();
        let mut edits = Vec::new();
        for change in changes {
            edits.push(match change {
                LeafChange::Set { leaf, text } => {
                    let (at, line) = lines[*leaf];
                    let value = at + line.find(" = ").unwrap() + 3;
                    Edit::replace(value..at + line.len() - 1, Self::value(text))
                }
                LeafChange::Insert { key, text, after, before } => {
                    let at = match (after, before) {
                        (Some(leaf), _) => lines[*leaf].0 + lines[*leaf].1.len(),
                        (None, Some(leaf)) => lines[*leaf].0,
                        (None, None) => 0,
                    };
                    Edit::insert(at, format!("{key} = {}\n", Self::value(text)))
                }
                LeafChange::Remove { leaf } => {
                    let (at, line) = lines[*leaf];
                    Edit::remove(at..at + line.len())
                }
                LeafChange::RenameRoot { name } => {
                    let root = text.find('.').unwrap();
                    edits.extend(lines.iter().map(|(at, _)| Edit::replace(*at..at + root, *name)));
                    continue;
                }
            });
        }
        Ok(edits)
    }

    fn dialects(&self) -> &'static [Dialect] {
        &[Dialect::I18next, Dialect::Icu, Dialect::Vue, Dialect::GoI18n, Dialect::Rails]
    }

    fn language_root_is_rails(&self) -> bool {
        true
    }
}

const FORMAT: TreeFormat<LineFormat> = TreeFormat(LineFormat);

fn read(text: &str, dialect: Option<Dialect>) -> Catalog {
    FORMAT.read(text, &ReadOptions { dialect, ..ReadOptions::default() }).unwrap()
}

/// Returns each unit as `key: text` or `key: one=text other=text`.
fn unit_lines(catalog: &Catalog) -> Vec<String> {
    let show = |unit: &Unit| {
        let text = match &unit.text {
            UnitText::Single(text) => text.clone(),
            UnitText::Plural(kind, forms) => {
                let forms: Vec<String> = forms.iter().map(|form| format!("{:?}={}", form.form, form.text)).collect();
                format!("{kind:?} {}", forms.join(" ").replace("Category(", "").replace(')', ""))
            }
        };
        format!("{}: {text}", unit.key)
    };
    catalog.units.iter().map(show).collect()
}

fn changed(text: &str, dialect: Dialect, changes: &CatalogChanges<'_>) -> String {
    let options = ReadOptions { dialect: Some(dialect), ..ReadOptions::default() };
    apply_edits(text, FORMAT.edits(text, &options, changes).unwrap()).unwrap()
}

fn plural(forms: &[(PluralCategory, &str)]) -> UnitText {
    let form = |(category, text): &(PluralCategory, &str)| PluralText {
        form: PluralForm::Category(*category),
        text: (*text).to_owned(),
    };
    UnitText::Plural(PluralKind::Cardinal, forms.iter().map(form).collect())
}

const I18NEXT: &str = "\
title = Shop
# how many
cart.item_one = {{count}} item
cart.item_other = {{count}} items
cart.place_ordinal_one = {{count}}st
cart.place_ordinal_other = {{count}}th
cart.friend_male_one = A friend
cart.friend_male_other = {{count}} friends
option_one = First
option_other = Rest
old = {{count}} file
old_plural = {{count}} files
same = $t(title)
steps.0 = Begin
limit
";

#[test]
fn keys_of_i18next_are_plurals() {
    let catalog = read(I18NEXT, None);
    assert_eq!(catalog.dialect, Some(Dialect::I18next));
    assert_eq!(
        unit_lines(&catalog),
        [
            "title: Shop",
            "cart.item: Cardinal One={{count}} item Other={{count}} items",
            "cart.place_ordinal: Ordinal One={{count}}st Other={{count}}th",
            "cart.friend_male: Cardinal One=A friend Other={{count}} friends",
            "option_one: First",
            "option_other: Rest",
            "old: {{count}} file",
            "old_plural: {{count}} files",
            "same: $t(title)",
            "steps.0: Begin",
        ]
    );
    assert_eq!(catalog.units[1].note.as_deref(), Some("how many"));
    assert_eq!(catalog.units[8].skip, Some(SkipReason::Reference));
    assert_eq!(
        unit_lines(&read("x = a\nx_one = b\nx_other = {{count}}\n", None)),
        ["x: a", "x_other: Cardinal One=b Other={{count}}"]
    );
}

#[test]
fn a_key_without_a_suffix_takes_the_place_of_the_form_for_one() {
    use PluralCategory::{Few, Many, One, Other};
    let forms = |text: &str, lang: &str| -> Vec<PluralForm> {
        let catalog = read(text, Some(Dialect::I18next));
        let unit = catalog.units.iter().find(|unit| matches!(unit.text, UnitText::Plural(..))).unwrap();
        let rules = MessageRules {
            syntax: Syntax::I18next,
            markup: &[],
            source_lang: "en",
            target_lang: lang,
            target_forms: unit.target_forms(&TargetForms::OfLanguage),
        };
        let forms = plural_forms(&unit.text, &rules).into_iter().map(|(form, _)| form).collect();
        assert_eq!(expand(&unit.text, &rules).unwrap().echo().unwrap().texts().count(), Vec::len(&forms));
        forms
    };
    let categories = |all: &[PluralCategory]| all.iter().copied().map(PluralForm::Category).collect::<Vec<_>>();
    for (text, lang, expected) in [
        ("x = 1 file\nx_other = {{count}} files\n", "de", &[Other] as &[_]),
        ("x = 1 file\nx_other = {{count}} files\n", "pl", &[Few, Many, Other]),
        ("x = File\nx_one = a file\nx_other = {{count}} files\n", "pl", &[One, Few, Many, Other]),
        ("x_other = {{count}} files\n", "de", &[One, Other]),
    ] {
        assert_eq!(forms(text, lang), categories(expected), "{text} {lang}");
    }
}

/// Sets or inserts the plural of `source` in `target`; the text of each form in `lang` is the name of its category.
fn with_plural_set(source: &str, target: Option<&str>, lang: &str) -> String {
    let source = read(source, Some(Dialect::I18next));
    let unit = source.units.iter().find(|unit| matches!(unit.text, UnitText::Plural(..))).unwrap();
    let rules = MessageRules {
        syntax: Syntax::I18next,
        markup: &[],
        source_lang: "en",
        target_lang: lang,
        target_forms: unit.target_forms(&TargetForms::OfLanguage),
    };
    let forms = plural_forms(&unit.text, &rules).into_iter().map(|(form, _)| {
        let PluralForm::Category(category) = form else { panic!("{form:?}") };
        PluralText { form, text: category.name().to_owned() }
    });
    let text = UnitText::Plural(PluralKind::Cardinal, forms.collect());
    let options = ReadOptions {
        dialect: Some(Dialect::I18next),
        target_lang: Some(lang.to_owned()),
        source_plurals: Some(std::sync::Arc::new(SourcePlurals::of(&source.units))),
        ..ReadOptions::default()
    };
    let file = target.unwrap_or("y = y\n");
    let found = FORMAT.read(file, &options).unwrap();
    let change = match found.units.iter().find(|other| other.key == unit.key) {
        Some(found) => Change::Set { unit: found.id, text: &text, markup: &[] },
        None => Change::Insert { like: unit, text: &text, after: Some(0), before: None },
    };
    let changes = CatalogChanges { units: vec![change], ..CatalogChanges::default() };
    apply_edits(file, FORMAT.edits(file, &options, &changes).unwrap()).unwrap()
}

#[test]
fn plurals_are_named_as_in_i18next_before_version_21() {
    let source = "x = {{count}} file\nx_plural = {{count}} files\ny = y\n";
    assert_eq!(unit_lines(&read(source, None)), ["x: Cardinal One={{count}} file Other={{count}} files", "y: y"]);
    assert_eq!(unit_lines(&read("x = File\nx_plural = Files\nz = {{n}}\n", None)).len(), 3);
    for (lang, result) in [
        ("de", "y = y\nx = one\nx_plural = other\n"),
        ("fr", "y = y\nx = one\nx_plural = other\n"),
        ("ja", "y = y\nx = other\n"),
        ("pl", "y = y\nx = one\nx_1 = few\nx_2 = many\n"),
        ("he", "y = y\nx = one\nx_1 = two\nx_2 = other\nx_3 = other\n"),
        ("sl", "y = y\nx = one\nx_2 = two\nx_3 = few\nx_0 = other\n"),
    ] {
        assert_eq!(with_plural_set(source, None, lang), result, "{lang}");
    }
    for (target, lang, result) in [
        (source, "pl", "x = one\nx_1 = few\nx_2 = many\ny = y\n"),
        (source, "ja", "x = other\ny = y\n"),
        (source, "de", "x = one\nx_plural = other\ny = y\n"),
        ("x_0 = a\nx_1 = b\nx_2 = c\n", "pl", "x_0 = one\nx_1 = few\nx_2 = many\n"),
        ("x_0 = a\n", "ja", "x_0 = other\n"),
    ] {
        assert_eq!(with_plural_set(source, Some(target), lang), result, "{lang}");
    }
}

#[test]
fn categories_are_inserted_next_to_their_siblings_and_removed() {
    use PluralCategory::{Few, Many, One, Other, Zero};
    let text = "a = x\nn_other = {{count}} b\nn_one = {{count}} a\nz = y\n";
    let set = |value: &UnitText| {
        let change = Change::Set { unit: 1, text: value, markup: &[] };
        changed(text, Dialect::I18next, &CatalogChanges { units: vec![change], ..CatalogChanges::default() })
    };
    let value = plural(&[
        (One, "{{count}} 1"),
        (Few, "{{count}} 2"),
        (Many, "{{count}} 3"),
        (Other, "{{count}} b"),
        (Zero, "0"),
    ]);
    assert_eq!(
        set(&value),
        "a = x\nn_other = {{count}} b\nn_zero = 0\nn_one = {{count}} 1\nn_few = {{count}} 2\nn_many = {{count}} 3\nz = y\n"
    );
    assert_eq!(set(&plural(&[(Other, "{{count}} c")])), "a = x\nn_other = {{count}} c\nz = y\n");
    assert_eq!(set(&UnitText::Single("one".to_owned())), "a = x\nn = one\nz = y\n");
    let change = Change::Set { unit: 0, text: &plural(&[(One, "1"), (Other, "2")]), markup: &[] };
    let all = CatalogChanges { units: vec![change], ..CatalogChanges::default() };
    assert!(changed(text, Dialect::I18next, &all).starts_with("a_one = 1\na_other = 2\nn_other"));
}

#[test]
fn complete_plurals_are_inserted_and_existing_leaves_stay() {
    use PluralCategory::{One, Other};
    let like = &read(I18NEXT, None).units[1];
    let value = plural(&[(One, "1"), (Other, "{{count}}")]);
    let insert = |text: &str| {
        let change = Change::Insert { like, text: &value, after: Some(0), before: Some(1) };
        let remove = Change::Remove { unit: 0 };
        let units = vec![change, remove];
        changed(text, Dialect::I18next, &CatalogChanges { units, ..CatalogChanges::default() })
    };
    assert_eq!(insert("a = x\nb = y\n"), "cart.item_one = 1\ncart.item_other = {{count}}\nb = y\n");
    assert_eq!(insert("a = x\ncart.item_one = Eins\n"), "cart.item_other = {{count}}\ncart.item_one = Eins\n");
    let options = ReadOptions { dialect: Some(Dialect::Vue), ..ReadOptions::default() };
    let units = vec![Change::Insert { like, text: &value, after: None, before: None }];
    let error = FORMAT.edits("", &options, &CatalogChanges { units, ..CatalogChanges::default() }).unwrap_err();
    assert_eq!(error.what, "the dialect `vue` has no keys for plural forms");
}

const RAILS: &str = "\
en.hello = Hello %{name}
en.inbox.one = One message
en.inbox.other = %{count} messages
en.date.formats.default = %Y-%m-%d
en.types.public = Public
en.types.other = Other
en.kinds.other = Other
en.activerecord.models.user.other = Users
";

#[test]
fn a_rails_file_has_its_language_at_the_root() {
    let catalog = read(RAILS, None);
    assert_eq!((catalog.dialect, catalog.language.as_deref()), (Some(Dialect::Rails), Some("en")));
    assert_eq!(
        unit_lines(&catalog),
        [
            "hello: Hello %{name}",
            "inbox: Cardinal One=One message Other=%{count} messages",
            "date.formats.default: %Y-%m-%d",
            "types.public: Public",
            "types.other: Other",
            "kinds.other: Other",
            "activerecord.models.user: Cardinal Other=Users",
        ]
    );
    assert_eq!(catalog.units[2].skip, Some(SkipReason::Pattern));
    assert_eq!(unit_lines(&read("ja.kinds.other = x\n", None)), ["kinds: Cardinal Other=x"]);
    let language = CatalogLanguage { tag: "pt-BR".to_owned(), path: "pt_BR".to_owned() };
    let like = &catalog.units[1];
    let units = vec![Change::Insert { like, text: &like.text, after: Some(0), before: None }];
    let changes = CatalogChanges { units, language: Some(&language), is_new_target: true };
    assert_eq!(
        changed("en.a = b\n", Dialect::Rails, &changes),
        "pt_BR.a = b\nen.inbox.one = One message\nen.inbox.other = %{count} messages\n"
    );
    assert_eq!(
        changed("", Dialect::Rails, &CatalogChanges { is_new_target: false, ..changes }),
        "pt_BR.inbox.one = One message\npt_BR.inbox.other = %{count} messages\n"
    );
}

const GO: &str = "\
Hello = Hello {{.Name}}
Cats.description = How many cats
Cats.hash = sha1-1
Cats.one = {{.PluralCount}} cat
Cats.other = {{.PluralCount}} cats
Bye.hash = sha1-2
Bye.other = Bye
";

#[test]
fn tables_of_go_i18n_are_messages() {
    let catalog = read(GO, None);
    assert_eq!(catalog.dialect, Some(Dialect::GoI18n));
    assert_eq!(
        unit_lines(&catalog),
        ["Hello: Hello {{.Name}}", "Cats: Cardinal One={{.PluralCount}} cat Other={{.PluralCount}} cats", "Bye: Bye"]
    );
    assert_eq!(catalog.units[1].note.as_deref(), Some("How many cats"));
    let bye = UnitText::Single("Servus".to_owned());
    let new = Unit { key: UnitKey::name("New"), ..Unit::default() };
    let units = vec![
        Change::Set { unit: 2, text: &bye, markup: &[] },
        Change::Insert { like: &new, text: &bye, after: Some(2), before: None },
        Change::Remove { unit: 1 },
    ];
    assert_eq!(
        changed(GO, Dialect::GoI18n, &CatalogChanges { units, ..CatalogChanges::default() }),
        "Hello = Hello {{.Name}}\nBye.hash = sha1-2\nBye.other = Servus\nNew.other = Servus\n"
    );
    let units = vec![Change::Set { unit: 1, text: &bye, markup: &[] }];
    assert_eq!(
        changed(GO, Dialect::GoI18n, &CatalogChanges { units, ..CatalogChanges::default() }),
        "Hello = Hello {{.Name}}\nCats.description = How many cats\nCats.hash = sha1-1\nCats.other = Servus\nBye.hash = sha1-2\nBye.other = Bye\n"
    );
    // If most plain messages are single texts, a new one is written as a single text.
    let texts = ["Yes = Yes\nNo = No\n", GO].concat();
    let units = vec![Change::Insert { like: &new, text: &bye, after: None, before: Some(0) }];
    assert_eq!(
        changed(&texts, Dialect::GoI18n, &CatalogChanges { units, ..CatalogChanges::default() }),
        ["New = Servus\n", &texts].concat()
    );
    let list = "0.id = cats\n0.translation.one = cat\n0.translation.other = {{.Count}} cats\n";
    assert_eq!(unit_lines(&read(list, None)), ["0.translation: Cardinal One=cat Other={{.Count}} cats"]);
}

#[test]
fn other_dialects_have_single_texts() {
    let catalog = read("a = @:b\nb = car | cars\nc_one = {n}\nc_other = {n}s\n", None);
    assert_eq!(catalog.dialect, Some(Dialect::Vue));
    assert_eq!(unit_lines(&catalog), ["a: @:b", "b: car | cars", "c_one: {n}", "c_other: {n}s"]);
    let skips: Vec<_> = catalog.units.iter().map(|unit| unit.skip).collect();
    assert_eq!(skips, [Some(SkipReason::Reference), Some(SkipReason::PluralPipes), None, None]);
}

#[test]
fn lists_of_numbers_are_not_plurals() {
    assert_eq!(read("n.one = One\nn.two = Two\nn.other = Other\n", None).dialect, Some(Dialect::None));
    assert_eq!(read("n.one = Day\nn.other = Days\n", None).dialect, Some(Dialect::GoI18n));
    assert_eq!(read("n.hash = x\nn.other = Days\n", None).dialect, Some(Dialect::GoI18n));
}

#[test]
fn reading_takes_linear_time() {
    let path = vec!["a"; 100].join(".");
    let deep = |n| (0..n).map(|n| format!("{path}.k{n}.other = {{{{.Count}}}}\n")).collect::<String>();
    let flat = |n| (0..n).map(|n| format!("k{n}_one = x\nk{n}_other = {{{{count}}}}\n")).collect::<String>();
    let units = |text: &String| assert_eq!(read(text, None).units.len(), text.matches("other").count());
    assert_linear("deep", 128, deep, units);
    assert_linear("flat", 2000, flat, units);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn invariants_hold(new in invariants::texts(), (file, dialect, count) in prop::sample::select(vec![
        (I18NEXT, Dialect::I18next, "{{count}}"), (RAILS, Dialect::Rails, ""), (GO, Dialect::GoI18n, ""),
    ])) {
        // In i18next, a text without its count is not a plural.
        let new = format!("a{}{count}", new.replace(" | ", "").replace("$t", ""));
        let options = ReadOptions { dialect: Some(dialect), ..ReadOptions::default() };
        invariants::check_all(&FORMAT, &file.replace("option_", "option-"), &options, &new);
    }
}

#[test]
fn the_source_decides_what_is_a_plural() {
    use Dialect::{I18next, Rails};
    let like = |source: &str, dialect, target: &str| {
        let source_plurals = Some(std::sync::Arc::new(SourcePlurals::of(&read(source, Some(dialect)).units)));
        let options = ReadOptions { dialect: Some(dialect), source_plurals, ..ReadOptions::default() };
        let catalog = FORMAT.read(target, &options).unwrap();
        catalog.units.iter().map(|unit| (unit.key.to_string(), unit.text.texts().count())).collect::<Vec<_>>()
    };
    let files = "files_one = {{count}} file\nfiles_other = {{count}} files\n";
    let own =
        |units: &[(&str, usize)]| units.iter().map(|(key, forms)| ((*key).to_owned(), *forms)).collect::<Vec<_>>();
    for (source, dialect, target, units) in [
        (files, I18next, "files_one = eine\nfiles_other = viele\n", &[("files", 2)][..]),
        (files, I18next, "files_one = eine\n", &[("files", 1)]),
        (files, I18next, "x_one = {{count}}\nx_other = {{count}}\ny_one = a\n", &[("x", 2), ("y_one", 1)]),
        ("a_one = x\na_other = y\n", I18next, files, &[("files", 2)]),
        ("files_one = x\nfiles_other = y\n", I18next, files, &[("files_one", 1), ("files_other", 1)]),
        (&format!("files = Files\n{files}"), I18next, files, &[("files_other", 2)]),
        ("en.x.one = %{count}\nen.x.other = %{count}\n", Rails, "de.x.other = viele\n", &[("x", 1)]),
    ] {
        assert_eq!(like(source, dialect, target), own(units), "{target}");
    }
}
