//! Plural rules of languages that `icu_plurals` lacks, or for which it follows CLDR 49 instead of 48, and aliases of languages.
//!
//! A rule is from CLDR if CLDR has the language. Otherwise, it is the rule that most translated programs use.

use super::{PluralCategory, PluralKind};

/// Resolves a deprecated tag, an ISO 639-3 code, or a language that follows the rules of another one.
pub(super) fn resolve_alias(base: &str) -> &str {
    match base {
        "iw" => "he",
        "in" => "id",
        "jw" => "jv",
        "mo" => "ro",
        "sh" | "scc" | "cnr" => "sr",
        "scr" => "hr",
        "tl" | "tgl" => "fil",
        "prs" | "pes" => "fa",
        "kmr" => "ku",
        "gom" | "knn" => "kok",
        "ars" | "arb" => "ar",
        "cmn" => "zh",
        "nob" => "nb",
        "nno" => "nn",
        "zsm" => "ms",
        "ekk" => "et",
        "lvs" => "lv",
        "swh" => "sw",
        "uzn" => "uz",
        "azj" => "az",
        "khk" => "mn",
        "npi" => "ne",
        "ory" => "or",
        "pbt" => "ps",
        "plt" => "mg",
        "als" => "sq",
        "ji" | "ydd" => "yi",
        "guj" => "gu",
        _ => base,
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct OwnRule {
    /// In the order in which files list them.
    pub(super) categories: &'static [PluralCategory],
    pub(super) category: fn(u64) -> PluralCategory,
}

/// Returns the rule of a language; `None` if the rule of `icu_plurals` applies.
pub(super) fn own_rule(base: &str, kind: PluralKind) -> Option<OwnRule> {
    use PluralCategory::{Few, Many, One, Other, Two, Zero};
    let rule = |categories: &'static [_], category| Some(OwnRule { categories, category });
    if kind == PluralKind::Ordinal {
        return match base {
            "kw" => rule(&[One, Many, Other], cornish_ordinal),
            // As in CLDR 48.
            "bal" => rule(&[One, Other], |n| if n == 1 { One } else { Other }),
            "af" | "bg" | "es" => rule(&[Other], |_| Other),
            _ => None,
        };
    }
    match base {
        // As in CLDR 48.
        "vi" => rule(&[Other], |_| Other),
        "gl" => rule(&[One, Other], |n| if n == 1 { One } else { Other }),
        "an" | "asa" | "ay" | "ba" | "bal" | "bem" | "bez" | "ce" | "cgg" | "dv" | "fur" | "gn" | "gsw" | "haw"
        | "ht" | "io" | "jgo" | "jmc" | "kaj" | "kcg" | "kkj" | "kl" | "ksb" | "la" | "lg" | "lmo" | "mai" | "mas"
        | "mgo" | "nah" | "nd" | "nnh" | "nr" | "ny" | "nyn" | "os" | "pag" | "pam" | "pap" | "qu" | "rof" | "rwk"
        | "saq" | "sdh" | "seh" | "sn" | "ss" | "ssy" | "teo" | "tig" | "ts" | "tt" | "ve" | "vo" | "vun" | "wae"
        | "xog" | "yi" => rule(&[One, Other], |n| if n == 1 { One } else { Other }),
        "ff" | "guw" | "kab" | "ln" | "mg" | "mi" | "oc" | "wa" => {
            rule(&[One, Other], |n| if n <= 1 { One } else { Other })
        }
        "tzm" => rule(&[One, Other], |n| if matches!(n, 0 | 1 | 11..=99) { One } else { Other }),
        "iu" | "naq" | "sa" | "se" | "sma" | "smi" | "smj" | "smn" | "sms" => rule(&[One, Two, Other], |n| match n {
            1 => One,
            2 => Two,
            _ => Other,
        }),
        "lag" => rule(&[Zero, One, Other], |n| match n {
            0 => Zero,
            1 => One,
            _ => Other,
        }),
        "shi" => rule(&[One, Few, Other], |n| match n {
            0 | 1 => One,
            2..=10 => Few,
            _ => Other,
        }),
        "gv" => rule(&[One, Two, Few, Many, Other], |n| match n {
            n if n % 10 == 1 => One,
            n if n % 10 == 2 => Two,
            n if n.is_multiple_of(20) => Few,
            _ => Other,
        }),
        "sgs" => rule(&[One, Two, Few, Many, Other], |n| match n {
            2 => Two,
            n if n % 10 == 1 && n % 100 != 11 => One,
            n if matches!(n % 10, 2..=9) && !matches!(n % 100, 11..=19) => Few,
            _ => Other,
        }),
        "kw" => rule(&[Zero, One, Two, Few, Many, Other], cornish),
        _ => None,
    }
}

fn cornish(n: u64) -> PluralCategory {
    let thousands = n.is_multiple_of(1_000) && matches!(n % 100_000, 1_000..=20_000 | 40_000 | 60_000 | 80_000);
    match n {
        0 => PluralCategory::Zero,
        1 => PluralCategory::One,
        n if matches!(n % 100, 2 | 22 | 42 | 62 | 82) || thousands || n % 1_000_000 == 100_000 => PluralCategory::Two,
        n if matches!(n % 100, 3 | 23 | 43 | 63 | 83) => PluralCategory::Few,
        n if matches!(n % 100, 1 | 21 | 41 | 61 | 81) => PluralCategory::Many,
        _ => PluralCategory::Other,
    }
}

fn cornish_ordinal(n: u64) -> PluralCategory {
    match n {
        1..=4 => PluralCategory::One,
        5 => PluralCategory::Many,
        n if matches!(n % 100, 1..=4 | 21..=24 | 41..=44 | 61..=64 | 81..=84) => PluralCategory::One,
        n if n % 100 == 5 => PluralCategory::Many,
        _ => PluralCategory::Other,
    }
}
