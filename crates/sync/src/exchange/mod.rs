//! Export of texts for translators, and import of their translations.
//!
//! Input: a plan that lists all units of a language and, for an import, the returned texts. Output: the texts to
//! translate, or changes to targets and lock, which record a person's work. A plural becomes one text per form that the
//! language needs.

mod import;

use tulk_base::error::Failure;
use tulk_catalogs::exchange::TextToTranslate;
use tulk_catalogs::{MessageRules, PluralForm, Unit, UnitText, plural_forms};

pub use self::import::{Import, ImportRequest, ImportState, PlannedImport};
use crate::compare::{ComparedUnit, TargetUnits};
use crate::load::{CatalogPath, LoadedCatalog};
use crate::plan::PlannedTarget;
use crate::project::{Project, ProjectFile};
use crate::rules::{form_name, message_rules};
use crate::run::TargetSettings;
use crate::state::UnitState;

struct ExchangeTarget<'a> {
    project: &'a Project,
    file: &'a ProjectFile,
    target: &'a PlannedTarget,
    settings: TargetSettings,
    /// `None` if the file does not exist.
    now: Option<LoadedCatalog>,
}

struct ExchangeUnit<'a> {
    compared: &'a ComparedUnit,
    unit: &'a Unit,
    existing: Option<&'a UnitText>,
    rules: MessageRules<'a>,
    /// Forms of the translation, each with the index of its source form. A unit without plurals has the single form `None`.
    forms: Vec<(Option<PluralForm>, usize)>,
}

/// Returns the texts of all units in the wanted states, in file order, and the state of each unit. A plural is one
/// unit.
pub fn texts_to_translate(
    project: &Project,
    files: &[ProjectFile],
    targets: &[PlannedTarget],
    is_wanted: impl Fn(UnitState) -> bool,
) -> Result<(Vec<TextToTranslate>, Vec<UnitState>), Failure> {
    let (mut texts, mut states) = (Vec::new(), Vec::new());
    for target in targets {
        let Some(target) = ExchangeTarget::read(project, files, target)? else { continue };
        for unit in target.units().filter(|unit| is_wanted(unit.compared.state)) {
            states.push(unit.compared.state);
            texts.extend(unit.forms.iter().map(|(form, source)| TextToTranslate {
                file: target.file.lock_name.clone(),
                key: unit.key(*form),
                source: unit.source(*source).to_owned(),
                target: unit.existing.and_then(|text| form_text(text, *form)).map(str::to_owned),
                is_confirmed: unit.compared.state == UnitState::Edited,
                note: unit.unit.note.clone(),
                max_chars: unit.unit.max_chars,
                state: unit.compared.state.name(),
            }));
        }
    }
    Ok((texts, states))
}

impl<'a> ExchangeTarget<'a> {
    /// Reads a target; `None` if the plan belongs to another project.
    fn read(
        project: &'a Project,
        files: &'a [ProjectFile],
        target: &'a PlannedTarget,
    ) -> Result<Option<Self>, Failure> {
        let Some(settings) = TargetSettings::of(project, files, target) else { return Ok(None) };
        let Some(file) = files.get(target.file) else { return Ok(None) };
        let mut found = Self { project, file, target, settings, now: None };
        found.now = found.path().read()?;
        Ok(Some(found))
    }

    fn path(&self) -> CatalogPath<'_> {
        let TargetSettings { kind, options, .. } = &self.settings;
        CatalogPath { root: self.project.root.real(), path: &self.target.path, kind, options }
    }

    fn units(&self) -> impl Iterator<Item = ExchangeUnit<'_>> {
        self.target.units.iter().filter_map(|compared| self.unit(compared))
    }

    fn unit<'b>(&'b self, compared: &'b ComparedUnit) -> Option<ExchangeUnit<'b>> {
        let (source, lang) = (&self.target.source, self.project.settings.langs.get(self.target.lang));
        let unit = source.units.unit(source.units.kept.get(compared.source)?.position)?;
        let rules = message_rules(self.project, self.file.kind, source, lang, &self.target.forms, unit);
        let own = self.now.as_ref().map(|now| now.catalog.units.as_slice()).unwrap_or_default();
        let units = TargetUnits { units: own, is_bilingual: self.file.kind.is_bilingual };
        let existing = compared.target.and_then(|at| own.get(at)).and_then(|unit| units.text(unit));
        let forms = match plural_forms(&unit.text, &rules) {
            forms if forms.is_empty() => vec![(None, 0)],
            forms => forms.into_iter().map(|(form, source)| (Some(form), source)).collect(),
        };
        Some(ExchangeUnit { compared, unit, existing, rules, forms })
    }
}

impl ExchangeUnit<'_> {
    /// Key in the exchange file: `key`, `key[one]` or `key[0]`.
    fn key(&self, form: Option<PluralForm>) -> String {
        let form = match form {
            Some(PluralForm::Index(index)) => format!("[{index}]"),
            Some(form) => format!("[{}]", form_name(form)),
            None => String::new(),
        };
        [self.unit.key.to_string(), form].concat()
    }

    fn source(&self, position: usize) -> &str {
        self.unit.text.texts().nth(position).unwrap_or_default()
    }
}

fn form_text(text: &UnitText, form: Option<PluralForm>) -> Option<&str> {
    match (text, form) {
        (UnitText::Single(text), None) => Some(text),
        (UnitText::Plural(_, forms), Some(form)) => {
            forms.iter().find(|other| other.form == form).map(|other| other.text.as_str())
        }
        (UnitText::Single(_), Some(_)) | (UnitText::Plural(..), None) => None,
    }
}
