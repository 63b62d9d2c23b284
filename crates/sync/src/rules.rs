//! Rules for the translation of a unit, and checks against them.

use tulk_base::numbers::{counted, grouped};
use tulk_catalogs::{
    CatalogKind, Dialect, MessageRules, PluralForm, TargetForms, Unit, UnitText, check_target, expand, missing_forms,
};

use super::lock::TargetAuthor;
use super::plan::PlannedSource;
use super::project::{Project, ProjectLang};

/// Returns the rules for splitting a unit into sentences and for checking its translation.
pub fn message_rules<'a>(
    project: &'a Project,
    kind: &CatalogKind,
    source: &PlannedSource,
    lang: Option<&'a ProjectLang>,
    target_forms: &'a TargetForms,
    unit: &'a Unit,
) -> MessageRules<'a> {
    let dialect = source.loaded.catalog.dialect.map(Dialect::syntax);
    MessageRules {
        syntax: unit.syntax.or(dialect).or(kind.syntax).unwrap_or_default(),
        markup: &unit.markup,
        source_lang: &project.settings.source_lang.plurals,
        target_lang: lang.map(|lang| lang.plurals.as_str()).unwrap_or_default(),
        target_forms: unit.target_forms(target_forms),
    }
}

/// Returns the first problem of a translation by the given author, as a message for the user.
///
/// For translations by tulk, returns no problem if even the unchanged source text would break a rule, such as one about a
/// branch that the target language does not need. This prevents a new request for the translation in each run.
pub fn problem(unit: &Unit, text: &UnitText, rules: &MessageRules<'_>, author: TargetAuthor) -> Option<String> {
    let found = broken_rule(unit, text, rules)?;
    if author == TargetAuthor::Tulk {
        let echo = expand(&unit.text, rules).ok()?.echo().ok()?;
        return broken_rule(unit, &echo, rules).is_none().then_some(found);
    }
    Some(found)
}

fn broken_rule(unit: &Unit, text: &UnitText, rules: &MessageRules<'_>) -> Option<String> {
    if let Some((chars, limit)) = unit.exceeded_limit(text) {
        return Some(format!("it has {}; the limit is {}", counted(chars, "character"), grouped(limit)));
    }
    let missing: Vec<String> = missing_forms(&unit.text, text, rules).into_iter().map(form_name).collect();
    if !missing.is_empty() {
        return Some(format!("the plural has no form for {}", missing.join(", ")));
    }
    check_target(&unit.text, text, rules).err()
}

pub fn form_name(form: PluralForm) -> String {
    match form {
        PluralForm::Exact(number) => format!("={number}"),
        PluralForm::Category(category) => category.name().to_owned(),
        PluralForm::Index(index) => format!("msgstr[{index}]"),
    }
}
