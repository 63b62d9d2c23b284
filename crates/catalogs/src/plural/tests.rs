//! Tests of plural rules and of target forms.

use super::PluralCategory::{Few, Many, One, Other, Two, Zero};
use super::*;

const LANGUAGES: &str = include_str!("../../../client/src/api/language_names.tsv");

/// Supported languages that have no plural forms.
const WITHOUT_PLURALS: [&str; 16] =
    ["ace", "id", "ig", "ja", "jv", "ko", "ms", "my", "su", "th", "vi", "wo", "yue", "zh", "zh-Hans", "zh-Hant"];

fn forms(categories: &[PluralCategory]) -> Vec<PluralForm> {
    categories.iter().copied().map(PluralForm::Category).collect()
}

#[test]
fn each_language_of_the_service_has_its_categories() {
    for lang in LANGUAGES.lines().filter_map(|line| line.split('\t').next()) {
        let rules = PluralRules::of(lang, PluralKind::Cardinal);
        assert_eq!(rules.categories() == [Other], WITHOUT_PLURALS.contains(&lang), "{lang}");
    }
}

#[test]
fn categories_match_cldr() {
    for (lang, categories, numbers) in [
        ("pl", vec![One, Few, Many, Other], vec![(1, One), (2, Few), (5, Many), (12, Many), (22, Few), (21, Many)]),
        ("ru", vec![One, Few, Many, Other], vec![(1, One), (21, One), (3, Few), (11, Many), (100, Many)]),
        (
            "ar",
            vec![Zero, One, Two, Few, Many, Other],
            vec![(0, Zero), (1, One), (2, Two), (3, Few), (11, Many), (100, Other)],
        ),
        ("fr-CA", vec![One, Many, Other], vec![(0, One), (1, One), (2, Other), (1_000_000, Many)]),
        ("pt-BR", vec![One, Many, Other], vec![(0, One)]),
        ("pt_PT", vec![One, Many, Other], vec![(0, Other)]),
        ("sr-Latn-RS", vec![One, Few, Other], vec![(21, One)]),
        ("sh", vec![One, Few, Other], vec![(21, One)]),
        ("cnr", vec![One, Few, Other], vec![(21, One), (2, Few)]),
        // CLDR 49 differs from the version in current runtimes.
        ("vi", vec![Other], vec![(0, Other), (1, Other)]),
        ("gl", vec![One, Other], vec![(1, One), (1_000_000, Other)]),
        ("iw", vec![One, Two, Other], vec![(2, Two)]),
        ("tl", vec![One, Other], vec![(4, Other), (5, One)]),
        ("mo", vec![One, Few, Other], vec![(0, Few), (20, Other)]),
        ("in", vec![Other], vec![(1, Other)]),
        ("ji", vec![One, Other], vec![(1, One), (0, Other)]),
        ("mg", vec![One, Other], vec![(0, One), (2, Other)]),
        ("ln", vec![One, Other], vec![(0, One)]),
        ("an", vec![One, Other], vec![(0, Other)]),
        ("gsw", vec![One, Other], vec![(1, One)]),
        ("kmr", vec![One, Other], vec![(1, One)]),
        ("prs", vec![One, Other], vec![(0, One)]),
        (
            "kw",
            vec![Zero, One, Two, Few, Many, Other],
            vec![(0, Zero), (22, Two), (3, Few), (21, Many), (4, Other), (2_000, Two)],
        ),
        ("x", vec![Other], vec![(1, Other)]),
        ("", vec![Other], vec![(1, Other)]),
        ("not a language", vec![Other], vec![(1, Other)]),
    ] {
        let rules = PluralRules::of(lang, PluralKind::Cardinal);
        assert_eq!(rules.categories(), categories, "{lang}");
        for (n, category) in numbers {
            assert_eq!(rules.category(n), category, "{lang} {n}");
        }
    }
}

#[test]
fn ordinals_have_their_own_rules() {
    let english = PluralRules::of("en", PluralKind::Ordinal);
    assert_eq!(english.categories(), [One, Two, Few, Other]);
    assert_eq!([1, 2, 3, 4, 11, 22].map(|n| english.category(n)), [One, Two, Few, Other, Other, Two]);
    assert_eq!(PluralRules::of("de", PluralKind::Ordinal).categories(), [Other]);
    assert_eq!(PluralRules::of("tl", PluralKind::Ordinal).categories(), [One, Other]);
    for lang in ["af", "bg", "es"] {
        assert_eq!(PluralRules::of(lang, PluralKind::Ordinal).categories(), [Other], "as in CLDR 48: {lang}");
    }
}

#[test]
fn samples_list_zero_and_one_last() {
    let polish = PluralRules::of("pl", PluralKind::Cardinal);
    let first = |category| polish.samples(category).iter().copied().take(2).collect::<Vec<_>>();
    assert_eq!([One, Few, Many, Other].map(first), [vec![1], vec![2, 3], vec![5, 6], vec![]]);
    assert_eq!(PluralRules::of("fr", PluralKind::Cardinal).samples(One), [0, 1]);
    assert_eq!(PluralRules::of("ru", PluralKind::Cardinal).samples(One)[..2], [21, 31]);
}

#[test]
fn the_target_has_the_forms_of_its_language() {
    let target = |from, to| PluralTarget::new(from, to, PluralKind::Cardinal, &TargetForms::OfLanguage);
    let english = forms(&[One, Other]);
    assert_eq!(target("en", "pl").forms(&english, 0), forms(&[One, Few, Many, Other]));
    assert_eq!(target("en", "ja").forms(&english, 0), forms(&[Other]));
    assert_eq!(target("en", "fr").forms(&english, 0), forms(&[One, Many, Other]));
    // The source order is kept.
    assert_eq!(target("en", "de").forms(&forms(&[Other, One]), 0), forms(&[Other, One]));
    // English has no numbers in `zero`, so that form is an extra and is kept.
    assert_eq!(target("en", "ja").forms(&forms(&[Zero, One, Other]), 0), forms(&[Zero, Other]));
    let exact = [PluralForm::Exact(1), PluralForm::Category(Other)];
    assert_eq!(target("en", "de").forms(&exact, 0), exact);
    let both = [PluralForm::Exact(1), PluralForm::Category(One), PluralForm::Category(Other)];
    assert_eq!(target("en", "fr").forms(&exact, 0)[..2], both[..2], "0 has no exact branch");
    // With an offset of 1, `=1` is the shown number 0, which is not `one` in German.
    assert_eq!(target("en", "de").forms(&exact, 1), both);
    let covered = [PluralForm::Exact(2), PluralForm::Category(Other)];
    assert_eq!(target("en", "de").forms(&covered, 1), covered);
}

#[test]
fn a_po_file_has_the_forms_of_its_header() {
    let header =
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);";
    let target = PluralTarget::new("en", "ru", PluralKind::Cardinal, &TargetForms::Gettext(header.to_owned()));
    let source = forms(&[One, Other]);
    let indices = [PluralForm::Index(0), PluralForm::Index(1), PluralForm::Index(2)];
    assert_eq!(target.forms(&source, 0), indices);
    assert_eq!(indices.map(|form| target.numbers(form, &source, 0).next()), [Some(21), Some(2), Some(5)]);
    // Invalid header: each category of the language with a sample number gets an index.
    let target = PluralTarget::new("en", "ru", PluralKind::Cardinal, &TargetForms::Gettext("EXPRESSION".to_owned()));
    assert_eq!(target.forms(&source, 0), indices);
}

#[test]
fn reports_a_missing_form_only_if_source_and_target_language_use_it() {
    let target = |to| PluralTarget::new("en", to, PluralKind::Cardinal, &TargetForms::OfLanguage);
    let english = forms(&[One, Other]);
    assert_eq!(target("ru").missing_forms(&english, &forms(&[Other]), 0), forms(&[One]));
    assert_eq!(target("ru").missing_forms(&english, &forms(&[One, Few]), 0), forms(&[Other]));
    assert_eq!(target("ru").missing_forms(&english, &forms(&[One, Few, Many]), 0), [], "no whole number is left");
    assert_eq!(target("ru").missing_forms(&english, &forms(&[One, Many]), 0), forms(&[Other]));
    assert_eq!(target("fr").missing_forms(&english, &forms(&[One, Many]), 0), forms(&[Other]));
    assert_eq!(target("ja").missing_forms(&english, &[], 0), forms(&[Other]));
    assert_eq!(target("vi").missing_forms(&english, &forms(&[Other]), 0), []);
    assert_eq!(target("ja").missing_forms(&english, &forms(&[Other]), 0), []);
    assert_eq!(target("de").missing_forms(&english, &[PluralForm::Exact(1), PluralForm::Category(Other)], 0), []);
    assert_eq!(target("fr").missing_forms(&forms(&[Zero, One, Many, Other]), &english, 0), []);
}
