//! The conditions of a phrase: the fifth field of its line, such as `formality=less;glossary=Kitchen`.

use crate::ids;

/// Values of `formality` in requests.
const FORMALITIES: &[&str] = &["default", "more", "less", "prefer_more", "prefer_less"];

/// What a request must say so that a phrase answers it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct PhraseConditions {
    formality: Option<String>,
    /// Names, and IDs in lower case.
    glossaries: Vec<String>,
}

impl PhraseConditions {
    /// Parses conditions with `;` between them. An empty text has none.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut conditions = Self::default();
        for condition in text.split(';').map(str::trim).filter(|condition| !condition.is_empty()) {
            let (name, value) = condition.split_once('=').unwrap_or((condition, ""));
            match (name.trim(), value.trim()) {
                ("formality", value) if FORMALITIES.contains(&value) => {
                    if conditions.formality.replace(value.to_owned()).is_some() {
                        return Err("`formality` is given twice".to_owned());
                    }
                }
                ("formality", value) => {
                    return Err(format!("invalid formality `{value}`: write {}", FORMALITIES.join(", ")));
                }
                ("glossary", "") => return Err("`glossary` needs a name or an ID".to_owned()),
                ("glossary", id) if ids::is_uuid(id) => conditions.glossaries.push(id.to_ascii_lowercase()),
                ("glossary", name) => conditions.glossaries.push(name.to_owned()),
                (name, _) => {
                    return Err(format!("unknown condition `{name}`: write formality=VALUE or glossary=NAME_OR_ID"));
                }
            }
        }
        Ok(conditions)
    }

    /// Returns the number of conditions.
    pub(super) fn len(&self) -> usize {
        usize::from(self.formality.is_some()) + self.glossaries.len()
    }

    /// Returns whether there is a condition for a glossary.
    pub(super) fn have_glossary(&self) -> bool {
        !self.glossaries.is_empty()
    }

    /// Returns whether all conditions hold for a request with this formality and the names and IDs of these glossaries.
    pub(super) fn hold(&self, formality: Option<&str>, glossaries: &[String]) -> bool {
        self.formality.as_deref().is_none_or(|wanted| {
            let given = formality.unwrap_or("default");
            // A preference for a formality includes it.
            wanted == given || given.strip_prefix("prefer_") == Some(wanted)
        }) && self.glossaries.iter().all(|wanted| glossaries.contains(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_hold_together() {
        let conditions = PhraseConditions::parse(" formality=less ; glossary=Kitchen Names;").unwrap();
        let kitchen = ["5b0c8f0e-6d1a-4a3b-9c2f-1e2d3c4b5a69".to_owned(), "Kitchen Names".to_owned()];
        assert_eq!(conditions.len(), 2);
        assert!(conditions.hold(Some("less"), &kitchen) && conditions.hold(Some("prefer_less"), &kitchen));
        assert!(!conditions.hold(Some("less"), &[]) && !conditions.hold(Some("more"), &kitchen));
        assert!(!conditions.hold(None, &kitchen));
        let by_id = PhraseConditions::parse("glossary=5B0C8F0E-6d1a-4a3b-9c2f-1e2d3c4b5a69").unwrap();
        assert!(by_id.hold(None, &kitchen) && by_id.have_glossary());
    }

    #[test]
    fn no_formality_is_the_default_one() {
        let default = PhraseConditions::parse("formality=default").unwrap();
        assert!(default.hold(None, &[]) && default.hold(Some("default"), &[]));
        assert!(!default.hold(Some("prefer_more"), &[]));
        let preferred = PhraseConditions::parse("formality=prefer_more").unwrap();
        assert!(preferred.hold(Some("prefer_more"), &[]) && !preferred.hold(Some("more"), &[]));
        assert_eq!(PhraseConditions::parse("").unwrap().len(), 0);
    }
}
