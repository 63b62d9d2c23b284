//! The `Plural-Forms` header of each language, as the gettext tools write it.

/// Headers with their languages. An entry with a region precedes the entry of its language.
const HEADERS: &[(&str, &str)] = &[
    (
        "nplurals=1; plural=0;",
        "ace ay bo crh dz hnj id ig ii in ja jbo jv jw kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi tt vi \
         wo yo yue zh",
    ),
    (
        "nplurals=2; plural=(n > 1);",
        "ach ak am arn as bho bn csw doi fa ff fr gom gu gun guw hi hy kab kn kok ln mfe mg mi nso oc pa pcm prs pt-BR \
         si tg ti wa zu",
    ),
    (
        "nplurals=2; plural=(n != 1);",
        "af an asa ast az ba bal bem bez bg brx ca ce cgg chr ckb da de dv ee el en eo es et eu fi fo fur fy gl gn gsw ha \
         haw hne ht hu ia ie ilo io it jgo ji jmc ka kaj kcg kk kkj kl kmr ks ksb ku ky la lb lg lij lmo mai mas ml mn mr \
         nah nap nb nd ne nl nn nnh no nr ny nyn om or os pag pam pap pms ps pt qu rm rof rw rwk saq sc scn sd sdh seh sn \
         so sq ss ssy st sv sw syr ta te teo tig tk tn tr ts ug ur uz ve vec vo vun wae xh xog yi",
    ),
    ("nplurals=2; plural=(n % 10 != 1 || n % 100 == 11);", "is mk"),
    ("nplurals=2; plural=(n > 3 && (n % 10 == 4 || n % 10 == 6 || n % 10 == 9));", "ceb fil tl"),
    ("nplurals=2; plural=(n >= 2 && (n < 11 || n > 99));", "tzm"),
    (
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
        "be bs hr ru sh sr uk",
    ),
    ("nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);", "csb pl szl"),
    ("nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;", "cs sk"),
    ("nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);", "lt"),
    ("nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);", "lv"),
    ("nplurals=3; plural=(n%10==0 || (n%100>=11 && n%100<=19) ? 0 : n%10==1 ? 1 : 2);", "prg"),
    ("nplurals=3; plural=(n==1 ? 0 : n==0 || (n%100>0 && n%100<20) ? 1 : 2);", "mo ro"),
    ("nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);", "he iu iw naq sa sat se sma smi smj smn sms"),
    ("nplurals=3; plural=(n==0 ? 0 : n==1 ? 1 : 2);", "blo cv ksh lag"),
    ("nplurals=3; plural=(n<=1 ? 0 : n<=10 ? 1 : 2);", "shi"),
    ("nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);", "dsb hsb sl"),
    ("nplurals=4; plural=(n==1 || n==11) ? 0 : (n==2 || n==12) ? 1 : (n>2 && n<20) ? 2 : 3;", "gd"),
    ("nplurals=4; plural=(n%10==1 ? 0 : n%10==2 ? 1 : n%20==0 ? 2 : 3);", "gv"),
    ("nplurals=5; plural=n==1 ? 0 : n==2 ? 1 : n>=3 && n<=6 ? 2 : n>=7 && n<=10 ? 3 : 4;", "ga"),
    (
        "nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n==0 || (n%100>=3 && n%100<=10) ? 2 : n%100>=11 && n%100<=19 ? 3 : 4);",
        "mt",
    ),
    (
        "nplurals=5; plural=(n%10==1 && n%100!=11 && n%100!=71 && n%100!=91 ? 0 : n%10==2 && n%100!=12 && n%100!=72 && \
         n%100!=92 ? 1 : (n%10==3 || n%10==4 || n%10==9) && n%100/10!=1 && n%100/10!=7 && n%100/10!=9 ? 2 : n!=0 && \
         n%1000000==0 ? 3 : 4);",
        "br",
    ),
    ("nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n==3 ? 3 : n==6 ? 4 : 5);", "cy"),
    ("nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);", "ar ars"),
    (
        "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n%20==2 || (n%1000==0 && (n%100000>=1000 && n%100000<=20000 || \
         n%100000==40000 || n%100000==60000 || n%100000==80000)) || n%1000000==100000 ? 2 : n%20==3 ? 3 : n%20==1 ? 4 : \
         5);",
        "kw",
    ),
];

pub fn gettext_header(tag: &str) -> Option<&'static str> {
    let find = |wanted: &str| {
        let has = |languages: &str| languages.split(' ').any(|language| language.eq_ignore_ascii_case(wanted));
        HEADERS.iter().find(|(_, languages)| has(languages)).map(|(header, _)| *header)
    };
    let mut parts = tag.split(['-', '_', '@']);
    let language = parts.next()?;
    let region = parts.find(|part| part.len() == 2);
    region.and_then(|region| find(&[language, "-", region].concat())).or_else(|| find(language))
}

/// Returns the plural forms to assume for a file without `Plural-Forms`: the language's forms, or gettext's default.
pub fn gettext_forms(tag: &str) -> &'static str {
    gettext_header(tag).unwrap_or("nplurals=2; plural=(n != 1);")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{GettextPlural, PluralKind, PluralRules};
    use super::*;

    const UNKNOWN: &str = "ach arn ay csb gun hne ilo mfe nap pms rw szl tt";
    /// Languages whose PO files differ from CLDR: Latvian orders its forms differently, and `pt` means Portugal.
    const OTHER_RULES: &str = "lv pt";

    fn languages() -> impl Iterator<Item = &'static str> {
        HEADERS.iter().flat_map(|(_, languages)| languages.split_ascii_whitespace())
    }

    #[test]
    fn headers_agree_with_cldr() {
        let mut wrong = Vec::new();
        for language in languages() {
            let rule = GettextPlural::parse(gettext_header(language).unwrap()).unwrap();
            let rules = PluralRules::of(language, PluralKind::Cardinal);
            // In PO files, only Breton has a form for a million. In CLDR, other languages have one, too.
            let numbers = (0..=999_u64).chain((language == "br").then_some(1_000_000));
            let order: BTreeSet<_> = numbers.clone().map(|n| rules.category(n)).collect();
            let index = |n| order.iter().position(|category| *category == rules.category(n)).unwrap();
            if order.len() != rule.count() || numbers.clone().any(|n| index(n) != rule.index(n)) {
                wrong.push(language);
            }
        }
        let known: BTreeSet<&str> = UNKNOWN.split(' ').chain(OTHER_RULES.split(' ')).collect();
        assert_eq!(wrong.into_iter().collect::<BTreeSet<_>>(), known);
    }

    #[test]
    fn each_language_has_one_header() {
        let all: Vec<&str> = languages().collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len());
        for (header, _) in HEADERS {
            assert!(!header.contains("  "), "{header}");
        }
    }

    #[test]
    fn finds_the_header_of_the_region_or_else_of_the_language() {
        assert_eq!(gettext_header("pt-BR"), Some("nplurals=2; plural=(n > 1);"));
        assert_eq!(gettext_header("pt_PT"), Some("nplurals=2; plural=(n != 1);"));
        assert_eq!(gettext_header("zh-Hant-HK"), Some("nplurals=1; plural=0;"));
        assert_eq!(gettext_header("xx"), None);
    }

    #[test]
    fn every_language_of_the_service_has_a_header() {
        let names = include_str!("../../../client/src/api/language_names.tsv");
        let tags = names.lines().filter_map(|line| line.split('\t').next());
        let missing: Vec<&str> = tags.filter(|tag| gettext_header(tag).is_none()).collect();
        assert_eq!(missing, Vec::<&str>::new());
    }
}
