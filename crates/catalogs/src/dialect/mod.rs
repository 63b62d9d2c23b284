//! Conventions that the values of a key tree follow for plural forms, references and placeholders.
//!
//! Input: the leaves of a file. Output: its dialect, or an error if two dialects fit and would read it differently; why
//! a value is skipped; and the language of a file whose only root key is its language, as in Rails.

mod detect;
mod evidence;

use std::sync::LazyLock;

use regex::Regex;

use super::placeholders::{Syntax, braces};
use crate::catalog::{SkipReason, UnitKeyPart};
use crate::tree::Leaf;

pub(super) use self::detect::{KeyEvidence, detect};
use self::evidence::Evidence;

/// The convention that the values of a file follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Plain texts, with `{name}` as a placeholder.
    #[default]
    None,
    /// i18next: `{{name}}`, and keys such as `item_one` and `item_other` as plural forms.
    I18next,
    /// ICU messages: `{name}`, `{count, plural, one {...} other {...}}`.
    Icu,
    /// Vue I18n: `{name}`, `@:key`, and forms separated by `|`.
    Vue,
    /// go-i18n: `{{.Name}}`, and mappings with plural forms.
    GoI18n,
    /// Rails: `%{name}`, and mappings with plural forms.
    Rails,
    /// Laravel: `:name`, and forms separated by `|`.
    Laravel,
    /// Spring and Java's `MessageFormat`: `{0}`, with doubled apostrophes.
    Spring,
}

impl Dialect {
    /// The dialects with their names, in the order of the help text.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::I18next, "i18next"),
        (Self::Icu, "icu"),
        (Self::Vue, "vue"),
        (Self::GoI18n, "go-i18n"),
        (Self::Rails, "rails"),
        (Self::Laravel, "laravel"),
        (Self::Spring, "spring"),
        (Self::None, "none"),
    ];

    /// Returns the name, as in [`Self::ALL`].
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(dialect, _)| *dialect == self).map_or("none", |(_, name)| name)
    }

    /// Returns the placeholder syntax of this dialect.
    pub fn syntax(self) -> Syntax {
        match self {
            Self::None => Syntax::Braces,
            Self::I18next => Syntax::I18next,
            Self::Icu => Syntax::Icu,
            Self::Vue => Syntax::Vue,
            Self::GoI18n => Syntax::GoTemplate,
            Self::Rails => Syntax::Ruby,
            Self::Laravel => Syntax::Laravel,
            Self::Spring => Syntax::MessageFormat,
        }
    }
}

/// Names below `date`, `time`, `datetime` and `number` of Rails whose values are format patterns or symbols.
const PATTERN_NAMES: &[&str] = &["delimiter", "format", "negative_format", "order", "round_mode", "separator", "unit"];

/// `key` is the path without the language of the file.
pub(super) fn skip_reason(dialect: Dialect, key: &[UnitKeyPart], text: &str) -> Option<SkipReason> {
    if is_message_format_2(text) {
        return Some(SkipReason::MessageFormat2);
    }
    match dialect {
        Dialect::Vue => {
            let whole = text.trim();
            if braces::linked_len(whole) == Some(whole.len()) {
                return Some(SkipReason::Reference);
            }
            text.contains(" | ").then_some(SkipReason::PluralPipes)
        }
        Dialect::I18next => {
            let whole = text.trim();
            let is_reference = whole.starts_with("$t(")
                && matches!(Syntax::I18next.tokens(whole, &[]).as_slice(), [token] if token.byte_range() == (0..whole.len()));
            is_reference.then_some(SkipReason::Reference)
        }
        Dialect::Rails => is_pattern(key, text).then_some(SkipReason::Pattern),
        _ => None,
    }
}

/// Returns whether a Rails value is a format pattern for dates or numbers.
fn is_pattern(key: &[UnitKeyPart], text: &str) -> bool {
    let names = || {
        key.iter().filter_map(|part| match part {
            UnitKeyPart::Name(name) => Some(name.as_str()),
            UnitKeyPart::Item(_) => None,
        })
    };
    let has_formats = key.split_last().is_some_and(|(_, parents)| {
        parents.iter().any(|part| matches!(part, UnitKeyPart::Name(name) if name == "formats"))
    });
    if !matches!(names().next(), Some("date" | "time" | "datetime" | "number")) {
        return has_formats && is_strftime(text);
    }
    has_formats || names().skip(1).last().is_some_and(|name| PATTERN_NAMES.contains(&name))
}

fn is_strftime(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'%', rest.as_bytes()) {
        rest = rest.get(at + 1..).unwrap_or_default();
        if rest.trim_start_matches(['-', '^', '0']).starts_with(|c: char| c.is_ascii_alphabetic()) {
            return true;
        }
    }
    false
}

/// Returns whether a text is a MessageFormat 2 message with declarations or variants: `.input {$n :number} .match $n …`.
fn is_message_format_2(text: &str) -> bool {
    let text = text.trim_start();
    let argument = |keyword| text.strip_prefix(keyword).map(str::trim_start);
    argument(".input").is_some_and(|rest| rest.starts_with("{$") || rest.starts_with("{ $"))
        || argument(".local").or_else(|| argument(".match")).is_some_and(|rest| rest.starts_with('$'))
}

/// Languages of files: ISO 639-1, and longer codes in use. The list leaves out most of ISO 639-3, since ordinary keys such as
/// `app`, `nav` and `new` are codes there, too.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee \
     el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv \
     ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no \
     nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti \
     tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu \
     ace aln arz ast bcl bho ceb chr ckb cnr csb diq dsb fil frp fur gcf gom gsw haw hmn hsb ilo kab kmr kok ksh lkt lmo mai mnw nds \
     nqo pag pam pap pms pnb prs sah sco scn scr shn skr smn sms szl tet tlh tzm vec wae xmf yue zgh";

/// Keys that only Rails files have.
const RAILS_NAMES: &[&str] = &["abbr_day_names", "activemodel", "activerecord"];

pub(super) fn language_root(leaves: &[Leaf]) -> Option<&str> {
    only_root(leaves).filter(|root| is_language(root))
}

/// Returns the only root key of a YAML file if it is a language. One that is not in [`LANGUAGES`] needs a region or a
/// script; without them it counts only in a file that is certainly from Rails, because ordinary keys such as `app` and
/// `nav` are codes, too.
pub(super) fn yaml_language_root(leaves: &[Leaf], is_rails: bool) -> Option<&str> {
    only_root(leaves).filter(|root| {
        let has_subtag = root.contains(['-', '_']);
        is_language(root) || is_language_shape(root) && (is_rails || has_subtag || has_rails_evidence(leaves))
    })
}

/// Returns whether a file has Ruby placeholders or keys of Rails.
fn has_rails_evidence(leaves: &[Leaf]) -> bool {
    let is_rails_name =
        |part: &UnitKeyPart| matches!(part, UnitKeyPart::Name(name) if RAILS_NAMES.contains(&name.as_str()));
    let has_ruby =
        |leaf: &Leaf| leaf.text.as_ref().is_some_and(|text| Evidence::of(text).has(Evidence::PERCENT_BRACES));
    leaves.iter().any(|leaf| leaf.key.0.iter().any(is_rails_name) || has_ruby(leaf))
}

/// Returns the root key, if all leaves are below the same one.
fn only_root<'a>(leaves: &'a [Leaf]) -> Option<&'a str> {
    let root = |leaf: &'a Leaf| match leaf.key.0.as_slice() {
        [UnitKeyPart::Name(root), _, ..] => Some(root.as_str()),
        _ => None,
    };
    let first = leaves.first().and_then(root)?;
    leaves.iter().all(|leaf| root(leaf) == Some(first)).then_some(first)
}

/// Returns whether a name looks like a language tag: two or three lowercase letters, then an optional script, then an
/// optional region of two capital letters or three digits.
fn is_language_shape(name: &str) -> bool {
    static TAG: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"^[a-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Z]{2}|[0-9]{3}))?$").ok());
    TAG.as_ref().is_some_and(|tag| tag.is_match(name))
}

/// Returns the first leaf of the second language, if all root keys are languages.
pub(super) fn second_language(leaves: &[Leaf]) -> Option<&Leaf> {
    let mut roots: Vec<&str> = Vec::new();
    let mut second = None;
    for leaf in leaves {
        let [UnitKeyPart::Name(root), _, ..] = leaf.key.0.as_slice() else { return None };
        if roots.last().is_some_and(|last| last == root) {
            continue;
        }
        if !is_language(root) {
            return None;
        }
        if roots.first().is_some_and(|first| first != root) {
            second = second.or(Some(leaf));
        }
        roots.push(root);
    }
    second
}

/// Returns whether a name is a known language with optional script, region and variants.
fn is_language(name: &str) -> bool {
    let mut parts = name.split(['-', '_', '@']);
    let is_known = |code: &str| LANGUAGES.split(' ').any(|known| known == code);
    parts.next().is_some_and(is_known)
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests;
