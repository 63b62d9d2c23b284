//! Detects the dialect of a file.

use super::Dialect;
use super::evidence::Evidence;
use crate::CatalogError;
use crate::catalog::UnitKeyPart;
use crate::placeholders::Syntax;
use crate::tree::Leaf;

/// Evidence from the keys of a file.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct KeyEvidence {
    pub has_language_root: bool,
    /// Whether a language as the only root key proves that the file is from Rails, without other evidence.
    pub is_root_certain: bool,
    pub has_plural_mapping: bool,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    dialect: Dialect,
    at: usize,
    description: &'static str,
}

/// Fails if two of the `possible` dialects fit and would read the values differently.
pub(crate) fn detect(leaves: &[Leaf], possible: &[Dialect], structure: KeyEvidence) -> Result<Dialect, CatalogError> {
    let first_evidence = FirstEvidence::of(leaves);
    let is_java = possible.contains(&Dialect::Spring);
    let mut candidates = strong_candidates(&first_evidence, is_java);
    let is_ruby = first_evidence.position_of(&[Evidence::PERCENT_BRACES]).is_some();
    let is_rails = structure.has_language_root && (is_ruby || structure.has_plural_mapping);
    if is_rails {
        candidates.retain(|candidate| candidate.dialect == Dialect::Icu);
    }
    if is_rails || (structure.has_language_root && structure.is_root_certain) {
        let at = leaves.first().map_or(0, |leaf| leaf.at);
        candidates.insert(
            0,
            Candidate { dialect: Dialect::Rails, at, description: "a language as the only key at the root" },
        );
    }
    candidates.retain(|candidate| possible.contains(&candidate.dialect));
    match candidates.as_slice() {
        [first, second, ..] => return Err(ambiguous(*first, *second)),
        [one] => return Ok(one.dialect),
        [] => {}
    }
    if is_java {
        return spring_or_none(&first_evidence);
    }
    let weak = if is_ruby {
        Dialect::Rails
    } else if possible.contains(&Dialect::Laravel) && leaves.iter().any(is_laravel) && !has_other_placeholders(leaves) {
        Dialect::Laravel
    } else if structure.has_plural_mapping
        && first_evidence.position_of(&[Evidence::NAMED, Evidence::NUMBERED, Evidence::PRINTF]).is_none()
    {
        Dialect::GoI18n
    } else if first_evidence.has_apostrophes {
        Dialect::Icu
    } else {
        Dialect::None
    };
    let found = if possible.contains(&weak) { weak } else { Dialect::None };
    match first_evidence.position_of(&[Evidence::PIPE]) {
        Some(at) if matches!(found, Dialect::None | Dialect::Icu) && possible.contains(&Dialect::Vue) => {
            Err(ambiguous(
                Candidate { dialect: Dialect::Vue, at, description: "`item | items` as forms of a plural" },
                Candidate { dialect: Dialect::None, at, description: "` | ` as text" },
            ))
        }
        _ => Ok(found),
    }
}

/// Returns whether a leaf has a Laravel placeholder such as `:name`. It must be a complete word, unless the key contains it
/// too: keys in Laravel files may be source texts.
fn is_laravel(leaf: &Leaf) -> bool {
    let (Some(UnitKeyPart::Name(key)), Some(text)) = (leaf.key.0.last(), &leaf.text) else { return false };
    if memchr::memchr(b':', text.as_bytes()).is_none() || text.contains("{$") {
        return false;
    }
    Syntax::Laravel.tokens(text, &[]).iter().any(|token| {
        let range = token.byte_range();
        let name = text.get(range.clone()).unwrap_or_default();
        let (before, after) = (text.get(..range.start).unwrap_or_default(), text.get(range.end..).unwrap_or_default());
        let is_start = |c: char| c.is_whitespace() || "\"'>".contains(c) || !c.is_ascii() && !c.is_alphanumeric();
        let is_word = (before.is_empty() || before.ends_with(is_start)) && !after.starts_with(':');
        name.starts_with(':') && name.len() > 2 && (is_word || key.contains(name))
    })
}

/// Returns whether a file has placeholders that Laravel does not have; conditions as in `{0} None|{1} One` do not count.
fn has_other_placeholders(leaves: &[Leaf]) -> bool {
    let texts = leaves.iter().filter_map(|leaf| leaf.text.as_deref());
    let mut other = texts.filter(|text| !(text.starts_with('{') && text.contains('|')));
    other.any(|text| Evidence::of(text).has_any(&[Evidence::NAMED, Evidence::NUMBERED]))
}

fn strong_candidates(first_evidence: &FirstEvidence, is_java: bool) -> Vec<Candidate> {
    let icu: &[Evidence] =
        if is_java { &[Evidence::ICU_BRANCHES] } else { &[Evidence::ICU_BRANCHES, Evidence::ICU_TYPES] };
    // In an ICU message, a quoted template of another program is literal text, so it does not count.
    let (i18next, go): (&[Evidence], &[Evidence]) = match first_evidence.position_of(icu) {
        Some(_) => (&[Evidence::I18NEXT], &[Evidence::GO]),
        None => (&[Evidence::I18NEXT, Evidence::QUOTED_I18NEXT], &[Evidence::GO, Evidence::QUOTED_GO]),
    };
    let kinds: [(Dialect, &[Evidence], &'static str); 5] = [
        (Dialect::I18next, i18next, "`{{name}}` or `$t(key)`"),
        (Dialect::GoI18n, go, "`{{.Name}}`"),
        (Dialect::Icu, icu, "`{n, plural, …}`"),
        (Dialect::Vue, &[Evidence::LINK], "`@:key`"),
        (Dialect::Vue, &[Evidence::PIPES], "`{n} item | {n} items`"),
    ];
    let mut candidates: Vec<Candidate> = Vec::new();
    for (dialect, evidence, description) in kinds {
        let Some(at) = first_evidence.position_of(evidence) else { continue };
        if candidates.iter().all(|candidate| candidate.dialect != dialect) {
            candidates.push(Candidate { dialect, at, description });
        }
    }
    candidates
}

/// Decides whether Java reads the file with `MessageFormat`, where apostrophes are doubled.
fn spring_or_none(first_evidence: &FirstEvidence) -> Result<Dialect, CatalogError> {
    if first_evidence.position_of(&[Evidence::NUMBERED]).is_none() {
        return Ok(Dialect::None);
    }
    match (first_evidence.position_of(&[Evidence::AFTER_APOSTROPHE]), first_evidence.has_apostrophes) {
        (None, _) => Ok(Dialect::Spring),
        (Some(_), false) => Ok(Dialect::None),
        (Some(at), true) => Err(ambiguous(
            Candidate { dialect: Dialect::Spring, at, description: "`''` beside `{0}`" },
            Candidate { dialect: Dialect::None, at, description: "a single apostrophe before `{0}`" },
        )),
    }
}

fn ambiguous(first: Candidate, second: Candidate) -> CatalogError {
    let [one, other] = [first, second].map(|candidate| (candidate.dialect.name(), candidate.description));
    let what = format!("the texts fit two dialects: {} ({}) and {} ({})", one.0, one.1, other.0, other.1);
    CatalogError::new(first.at.max(second.at), what)
        .hint(format!("set it with `--dialect {}`, or `dialect = \"{}\"` in tulk.toml", one.0, one.0))
}

/// First position of each kind of evidence in a file.
#[derive(Debug, Default)]
struct FirstEvidence {
    positions: Vec<(Evidence, usize)>,
    /// Whether a text with a brace placeholder has doubled apostrophes.
    has_apostrophes: bool,
}

impl FirstEvidence {
    fn of(leaves: &[Leaf]) -> Self {
        let kinds = [
            Evidence::I18NEXT,
            Evidence::GO,
            Evidence::ICU_BRANCHES,
            Evidence::ICU_TYPES,
            Evidence::LINK,
            Evidence::PIPE,
            Evidence::PIPES,
            Evidence::PERCENT_BRACES,
            Evidence::NUMBERED,
            Evidence::NAMED,
            Evidence::AFTER_APOSTROPHE,
            Evidence::PRINTF,
            Evidence::QUOTED_I18NEXT,
            Evidence::QUOTED_GO,
        ];
        let mut first_evidence = Self::default();
        for leaf in leaves {
            let Some(text) = &leaf.text else { continue };
            let evidence = Evidence::of(text);
            if evidence == Evidence::default() {
                continue;
            }
            for kind in kinds {
                if evidence.has(kind) && first_evidence.position_of(&[kind]).is_none() {
                    first_evidence.positions.push((kind, leaf.at));
                }
            }
            first_evidence.has_apostrophes |=
                evidence.has(Evidence::DOUBLED_APOSTROPHE) && evidence.has_any(&[Evidence::NUMBERED, Evidence::NAMED]);
        }
        first_evidence
    }

    /// Returns the position of the first evidence of any of `kinds`.
    fn position_of(&self, kinds: &[Evidence]) -> Option<usize> {
        self.positions.iter().filter(|(kind, _)| kinds.contains(kind)).map(|(_, at)| *at).min()
    }
}
