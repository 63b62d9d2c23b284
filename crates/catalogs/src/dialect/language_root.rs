//! Files whose only root key is their language, as in Rails.

use crate::tree::Leaf;
use crate::unit_key::UnitKeyPart;

/// Languages that files are written in: ISO 639-1, and longer codes that are in use. Not every code of ISO 639-3, as `app`, `nav` and
/// `new` are codes, too.
const LANGUAGES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee \
     el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv \
     ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no \
     nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti \
     tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu \
     ace ast bho ceb chr ckb dsb fil fur gom gsw haw hmn hsb ilo kab kmr lmo mai nds pag pam prs sah scn szl tet tlh tzm vec yue zgh";

/// Returns the only key at the root if it is a language.
pub(crate) fn language_root(leaves: &[Leaf]) -> Option<&str> {
    let root = leaves.first().and_then(|leaf| match leaf.key.0.as_slice() {
        [UnitKeyPart::Name(root), _, ..] => Some(root.as_str()),
        _ => None,
    })?;
    let is_below = |leaf: &Leaf| match leaf.key.0.as_slice() {
        [UnitKeyPart::Name(name), _, ..] => name == root,
        _ => false,
    };
    (is_language(root) && leaves.iter().all(is_below)).then_some(root)
}

/// Returns the first leaf below a second language at the root, if there are only languages.
pub(crate) fn second_language(leaves: &[Leaf]) -> Option<&Leaf> {
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

/// Returns whether a name is a language, perhaps with a script, region or variants.
fn is_language(name: &str) -> bool {
    let mut parts = name.split(['-', '_', '@']);
    let is_known = |code: &str| LANGUAGES.split(' ').any(|known| known == code);
    parts.next().is_some_and(is_known)
        && parts.all(|part| (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
}
