//! Imports the texts that a translator returned into targets and the lock.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use tulk_base::error::{Failure, Kind, Origin};
use tulk_base::files::{self, FileMode, ReadContent};
use tulk_base::positions::TextPositions;
use tulk_catalogs::exchange::{Progress, ReturnedText};
use tulk_catalogs::{PluralForm, PluralText, UnitText};

use super::{ExchangeTarget, ExchangeUnit, form_text};
use crate::apply::{NewText, TargetChange};
use crate::digest::TextDigest;
use crate::load::LoadedCatalog;
use crate::lock::TargetAuthor;
use crate::plan::PlannedTarget;
use crate::project::{Project, ProjectFile, ResolvedPath};
use crate::rules::problem;
use crate::run::{LockFile, apply_usable};
use crate::state::{SourceDigests, UnitState, accepted};

/// Returned texts and their project.
pub struct ImportRequest<'a> {
    /// The project to import into.
    pub project: &'a Project,
    /// The source files of the project.
    pub files: &'a [ProjectFile],
    /// The targets of one language, with all units listed.
    pub targets: &'a [PlannedTarget],
    /// Name and content of the returned file.
    pub returned: (&'a str, &'a str),
    /// The texts parsed from it.
    pub texts: &'a [ReturnedText],
    /// Whether to import texts that the file marks as unfinished.
    pub takes_unfinished: bool,
    /// Whether to check placeholders, tags and plural forms.
    pub checks: bool,
}

/// The outcome for one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImportState {
    /// Imported; counts as a person's work from now on.
    Imported,
    /// Imported, but the source has changed since the export.
    Review,
    /// Unchanged, and confirmed by a person.
    Accepted,
    /// Unchanged.
    Unchanged,
    /// No translation was returned.
    Untranslated,
    /// The returned file marks it as unfinished, or a plural form is missing.
    Unfinished,
    /// Invalid, or not a text of the project.
    Refused,
}

impl ImportState {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Imported => "imported",
            Self::Review => "review",
            Self::Accepted => "accepted",
            Self::Unchanged => "unchanged",
            Self::Untranslated => "untranslated",
            Self::Unfinished => "unfinished",
            Self::Refused => "refused",
        }
    }
}

/// The result of an import.
#[derive(Debug, Default)]
pub struct Import {
    /// Number of units by file (position in [`ImportRequest::files`]) and outcome.
    pub rows: BTreeMap<(usize, ImportState), u64>,
    /// Refused texts and their locations in the returned file.
    pub refused: Vec<Failure>,
    /// Keys of imported texts whose source has changed since the export.
    pub outdated: Vec<(Origin, String)>,
}

/// An import that is checked but not written yet.
pub struct PlannedImport<'a> {
    request: ImportRequest<'a>,
    positions: TextPositions<'a>,
    targets: Vec<(ExchangeTarget<'a>, Vec<NewTranslation>)>,
    /// The outcome so far.
    pub import: Import,
    /// Number of up-to-date translations by people that will be replaced.
    pub replaced: u64,
}

struct NewTranslation {
    /// Position in [`SourceUnits::kept`](crate::compare::SourceUnits::kept).
    source: usize,
    /// The new text; `None` if the target has it already.
    text: Option<UnitText>,
    expected_digest: Option<TextDigest>,
    /// Digests of the source as the translator saw it.
    digests: SourceDigests,
    state: ImportState,
    at: Origin,
    key: String,
}

/// Digests of new translations; `None` for a text that the target cannot hold.
type TextDigests = Vec<Option<TextDigest>>;

/// Index of the target, index of the unit in its plan, plural form.
type TextLocation = (usize, usize, Option<PluralForm>);

type ReturnedForm<'a> = (Option<PluralForm>, &'a ReturnedText);

impl<'a> PlannedImport<'a> {
    /// Finds the unit of each text and decides the outcome. Writes nothing.
    pub fn new(request: ImportRequest<'a>) -> Result<Self, Failure> {
        let positions = TextPositions::new(request.returned.0, request.returned.1);
        let mut planned = Self { targets: Vec::new(), import: Import::default(), replaced: 0, request, positions };
        let request = &planned.request;
        for target in request.targets {
            if let Some(target) = ExchangeTarget::read(request.project, request.files, target)? {
                planned.targets.push((target, Vec::new()));
            }
        }
        let mut units: BTreeMap<(usize, usize), Vec<ReturnedForm<'a>>> = BTreeMap::new();
        let locations = planned.locations();
        let texts = planned.request.texts;
        if !texts.iter().any(|text| locations.contains_key(&(text.file.clone(), text.key.clone()))) {
            let (name, _) = planned.request.returned;
            let what = match texts.len() {
                0 => format!("{name} has no texts"),
                _ => format!("the project has none of the texts in {name}"),
            };
            let hint = "import a file written by `tulk sync export`, with its file names and keys unchanged";
            return Err(Failure::usage(what).hint(hint));
        }
        for text in texts {
            match locations.get(&(text.file.clone(), text.key.clone())) {
                Some((target, unit, form)) => units.entry((*target, *unit)).or_default().push((*form, text)),
                None => planned.import.refused.push(planned.failure(text, "the project has no such text")),
            }
        }
        for ((target, unit), texts) in units {
            planned.add_unit(target, unit, &texts);
        }
        Ok(planned)
    }

    fn locations(&self) -> HashMap<(String, String), TextLocation> {
        let mut locations = HashMap::new();
        for (number, (target, _)) in self.targets.iter().enumerate() {
            for (at, compared) in target.target.units.iter().enumerate() {
                let Some(unit) = target.unit(compared) else { continue };
                for (form, _) in &unit.forms {
                    locations.insert((target.file.lock_name.clone(), unit.key(*form)), (number, at, *form));
                }
            }
        }
        locations
    }

    fn failure(&self, text: &ReturnedText, why: &str) -> Failure {
        Failure::new(Kind::Partly, format!("{}: {why}", text.key)).at(self.origin(text))
    }

    fn origin(&self, text: &ReturnedText) -> Origin {
        self.positions.origin(text.at)
    }

    fn add_unit(&mut self, number: usize, at: usize, texts: &[ReturnedForm<'_>]) {
        let Some((target, _)) = self.targets.get(number) else { return };
        let Some(unit) = target.target.units.get(at).and_then(|compared| target.unit(compared)) else { return };
        let Some((_, first)) = texts.first() else { return };
        let file = target.target.file;
        let (state, text) = match self.decide(&unit, texts) {
            Ok(decision) => decision,
            Err((text, why)) => {
                let failure = self.failure(text, &why);
                self.import.refused.push(failure);
                (ImportState::Refused, None)
            }
        };
        let is_recorded = matches!(state, ImportState::Imported | ImportState::Review | ImportState::Accepted);
        if let Some(kept) = target.target.source.units.kept.get(unit.compared.source).filter(|_| is_recorded) {
            let old =
                if state == ImportState::Review { exported_source_digest(&unit, texts) } else { kept.digests.text };
            let new = NewTranslation {
                source: unit.compared.source,
                expected_digest: unit.compared.digests.map(|target| target.text),
                digests: SourceDigests { text: old, ..kept.digests },
                state,
                at: self.origin(first),
                key: unit.unit.key.to_string(),
                text,
            };
            self.replaced += u64::from(new.text.is_some() && unit.compared.state == UnitState::Edited);
            if let Some((_, texts)) = self.targets.get_mut(number) {
                texts.push(new);
            }
        } else {
            *self.import.rows.entry((file, state)).or_default() += 1;
        }
    }

    /// Decides the outcome for a unit, and its new text if it changes. An error contains the refused text and the reason.
    fn decide<'t>(
        &self,
        unit: &ExchangeUnit<'_>,
        texts: &[ReturnedForm<'t>],
    ) -> Result<(ImportState, Option<UnitText>), (&'t ReturnedText, String)> {
        let mut new: Vec<(Option<PluralForm>, &str)> = Vec::new();
        for (form, text) in texts {
            match &text.target {
                Ok(translated) if !translated.trim().is_empty() => new.push((*form, translated)),
                Ok(_) => {}
                Err(why) => return Err((text, why.clone())),
            }
        }
        let Some((_, last)) = texts.last().filter(|_| !new.is_empty()) else {
            return Ok((ImportState::Untranslated, None));
        };
        let Some(text) = compose(unit, &new) else { return Ok((ImportState::Unfinished, None)) };
        let is_unfinished = texts.iter().any(|(_, text)| text.progress == Progress::Unfinished);
        let is_outdated = texts.iter().any(|(form, text)| !is_same_source(unit, *form, text));
        let is_marked = unit.compared.digests.is_some_and(|target| target.needs_review);
        if unit.existing == Some(&text) {
            let is_confirmed = texts.iter().all(|(_, text)| text.progress == Progress::Done);
            let is_person = unit.compared.state == UnitState::Edited && !is_marked;
            if !is_confirmed || is_person {
                return Ok((ImportState::Unchanged, None));
            }
            let state = if is_outdated { ImportState::Review } else { ImportState::Accepted };
            return Ok((state, is_marked.then_some(text)));
        }
        if is_unfinished && !self.request.takes_unfinished {
            return Ok((ImportState::Unfinished, None));
        }
        if self.request.checks
            && let Some(why) = problem(unit.unit, &text, &unit.rules, TargetAuthor::Person)
        {
            return Err((last, why));
        }
        Ok((if is_outdated { ImportState::Review } else { ImportState::Imported }, Some(text)))
    }

    /// Writes the targets and records them in the lock, which the caller writes. Returns whether the lock changed. With
    /// `is_dry`, no target is written.
    pub fn carry_out(mut self, lock: &mut LockFile<'_>, is_dry: bool) -> Result<(Import, bool), Failure> {
        let mut is_changed = false;
        let mut applied = Vec::new();
        for (target, new) in std::mem::take(&mut self.targets) {
            if new.is_empty() {
                continue;
            }
            let (bytes, digests) = self.apply(&target, &new)?;
            let written = bytes.map(|bytes| Ok::<_, Failure>((self.real_path(&target)?, bytes))).transpose()?;
            applied.push((target, new, written, digests));
        }
        for (target, new, written, mut digests) in applied {
            if let Some((path, bytes)) = written.filter(|_| !is_dry)
                && !self.write(&target, &path, &bytes)?
            {
                digests.fill(None);
            }
            let lang = self.request.project.settings.langs.get(target.target.lang);
            for (new, digest) in new.iter().zip(digests) {
                let state = if digest.is_some() { new.state } else { ImportState::Refused };
                *self.import.rows.entry((target.target.file, state)).or_default() += 1;
                let Some((digest, kept)) = digest.zip(target.target.source.units.kept.get(new.source)) else {
                    continue;
                };
                if new.state == ImportState::Review {
                    self.import.outdated.push((new.at.clone(), new.key.clone()));
                }
                let lang = lang.map(|lang| lang.tag.as_str()).unwrap_or_default();
                lock.set(&target.file.lock_name, &kept.lock_key, lang, accepted(new.digests, digest));
                is_changed = true;
            }
        }
        Ok((self.import, is_changed))
    }

    /// Returns `false` and records a refusal if the target has changed since it was read.
    fn write(&mut self, target: &ExchangeTarget<'_>, path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
        let old = target.now.as_ref().map(LoadedCatalog::bytes);
        let is_written = files::write_over(path, bytes, FileMode::Inherit, &ReadContent::of(old.as_deref()))?;
        if !is_written {
            let failure =
                Failure::new(Kind::Partly, "it was changed in the meantime and was kept; import the file again");
            self.import.refused.push(failure.at(Origin::whole(&target.path().name())));
        }
        Ok(is_written)
    }

    /// Returns the new bytes of a target if it changes, and the digest of each new text (`None` if the format cannot
    /// hold it).
    fn apply(
        &mut self,
        target: &ExchangeTarget<'_>,
        new: &[NewTranslation],
    ) -> Result<(Option<Vec<u8>>, TextDigests), Failure> {
        let mut digests: Vec<Option<TextDigest>> = new.iter().map(|new| new.expected_digest).collect();
        let numbered = new.iter().enumerate().filter_map(|(number, new)| Some((number, new, new.text.clone()?)));
        let (numbers, texts): (Vec<usize>, Vec<NewText>) = numbered
            .map(|(number, new, text)| {
                let (source, expected_digest) = (new.source, new.expected_digest);
                (number, NewText { source, text, is_unchanged: false, expected_digest, from: None })
            })
            .unzip();
        if texts.is_empty() {
            return Ok((None, digests));
        }
        let source = &target.target.source;
        let language = &target.settings.language;
        let change =
            TargetChange { source: &source.loaded, units: &source.units, language, texts: &texts, removed: &[] };
        let (changed, unusable) = apply_usable(&change, &target.path(), target.now.as_ref())?;
        for number in &numbers {
            if let Some(digest) = digests.get_mut(*number) {
                *digest = None;
            }
        }
        for (at, written) in changed.written {
            if let Some(digest) = numbers.get(at).and_then(|number| digests.get_mut(*number)) {
                *digest = Some(written);
            }
        }
        for (at, why) in unusable {
            let Some(new) = numbers.get(at).and_then(|number| new.get(*number)) else { continue };
            let failure = Failure::new(Kind::Partly, format!("{}: {why}", new.key)).at(new.at.clone());
            self.import.refused.push(failure);
        }
        let is_new = |bytes: &Vec<u8>| target.now.as_ref().is_none_or(|now| now.bytes() != *bytes);
        Ok((changed.bytes.filter(is_new), digests))
    }

    /// Resolves the path again, because a symbolic link may have appeared since the files were found.
    fn real_path(&self, target: &ExchangeTarget<'_>) -> Result<PathBuf, Failure> {
        match self.request.project.resolve(&target.target.path)? {
            ResolvedPath::Missing(path) | ResolvedPath::File(path) => Ok(path),
            ResolvedPath::Folder(_) | ResolvedPath::Other(_) => {
                Err(Failure::usage(format!("{} is not a regular file", target.target.path.display())))
            }
        }
    }
}

/// Combines the returned forms with existing ones; `None` if a form that the language needs is missing.
fn compose(unit: &ExchangeUnit<'_>, new: &[(Option<PluralForm>, &str)]) -> Option<UnitText> {
    let UnitText::Plural(kind, _) = &unit.unit.text else {
        return new.last().map(|(_, text)| UnitText::Single((*text).to_owned()));
    };
    let mut forms: Vec<PluralForm> = unit.forms.iter().filter_map(|(form, _)| *form).collect();
    if let Some(UnitText::Plural(_, existing)) = unit.existing {
        let others = existing.iter().map(|form| form.form).filter(|form| !forms.contains(form));
        forms.extend(others.collect::<Vec<_>>());
    }
    let text = |form: PluralForm| {
        let new = new.iter().rfind(|(other, _)| *other == Some(form)).map(|(_, text)| *text);
        let text = new.or_else(|| form_text(unit.existing?, Some(form)).filter(|text| !text.trim().is_empty()))?;
        Some(PluralText { form, text: text.to_owned() })
    };
    Some(UnitText::Plural(*kind, forms.into_iter().map(text).collect::<Option<_>>()?))
}

/// Compares without whitespace, which translation tools change.
fn is_same_source(unit: &ExchangeUnit<'_>, form: Option<PluralForm>, text: &ReturnedText) -> bool {
    let source = unit.forms.iter().find(|(other, _)| *other == form).map_or("", |(_, source)| unit.source(*source));
    source.split_whitespace().eq(text.source.split_whitespace())
}

fn exported_source_digest(unit: &ExchangeUnit<'_>, texts: &[ReturnedForm<'_>]) -> TextDigest {
    let old = |position: usize, text: &str| {
        let mut forms = unit.forms.iter().filter(|(_, source)| *source == position);
        let found = forms.find_map(|(form, _)| texts.iter().find(|(other, _)| other == form));
        found.map_or(text, |(_, text)| text.source.as_str()).to_owned()
    };
    let text = match &unit.unit.text {
        UnitText::Single(text) => UnitText::Single(old(0, text)),
        UnitText::Plural(kind, forms) => {
            let forms = forms.iter().enumerate();
            let forms = forms.map(|(at, form)| PluralText { form: form.form, text: old(at, &form.text) });
            UnitText::Plural(*kind, forms.collect())
        }
    };
    TextDigest::of_unit(&text, false)
}
