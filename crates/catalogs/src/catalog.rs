//! The contents of a catalogue (units with keys and texts), and changes of units.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::CatalogError;
use super::dialect::Dialect;
use super::placeholders::{MarkupIndex, Syntax};
use super::plural::{PluralCategory, PluralForm, PluralKind, TargetForms};

/// A catalogue that was read.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// The units, in the order of the file.
    pub units: Vec<Unit>,
    /// The language as the file states it: `Language` in PO, `@@locale` in ARB, the root key in Rails.
    pub language: Option<String>,
    /// The source language according to the file (XLIFF, xcstrings).
    pub source_language: Option<String>,
    /// The value of `Plural-Forms` (PO); `None` if it is missing or the placeholder of a template.
    pub plural_forms: Option<String>,
    /// How the values are interpreted, as configured or detected.
    pub dialect: Option<Dialect>,
    /// Keys that occur more than once. Only the occurrence that wins in this format is a unit.
    pub duplicates: Vec<DuplicateKey>,
    /// The number of values that are not units, such as numbers, by the reason why they are not translated.
    pub other_values: BTreeMap<SkipReason, u64>,
    /// The errors of lines that were [skipped](super::ReadOptions::skips_broken).
    pub broken: Vec<CatalogError>,
}

/// A key that occurs more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The key.
    pub key: UnitKey,
    /// Byte offset of the occurrence that is ignored.
    pub at: usize,
}

impl DuplicateKey {
    /// Returns the warning to print. `first_duplicate_wins` tells whether the first occurrence wins in this format.
    pub fn warning(&self, first_duplicate_wins: bool) -> String {
        let why = if first_duplicate_wins {
            "occurs above; the first one counts"
        } else {
            "occurs again below; the last one counts"
        };
        format!("the key {} {why}", self.key)
    }
}

/// A text of a catalogue with its metadata. All forms of a plural are one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Its number in the file. Changes refer to it.
    pub id: usize,
    /// Its key.
    pub key: UnitKey,
    /// The unit ([`Unit::id`]) whose text refers to this one, as `%#@name@` does. Both are translated together.
    pub within: Option<usize>,
    /// The text without the file's quotes, escapes and line folding; in bilingual files, the source text. Markup stays as
    /// in the file; see `markup`.
    pub text: UnitText,
    /// The translation in bilingual files; `None` or empty if missing.
    pub target: Option<UnitText>,
    /// Parts of the texts that are markup of the file and must not change, such as `<b>`, `</b>` and `<x id="1"/>`. Such a
    /// string is markup wherever it occurs in a text. Characters that only look like markup are escaped in the text
    /// (`&lt;`), and the escape is listed here too. There are no duplicates.
    pub markup: Vec<String>,
    /// The developer's note for translators.
    pub note: Option<String>,
    /// The maximum length of a translation, in characters; see [`Unit::exceeded_limit`].
    pub max_chars: Option<usize>,
    /// The placeholder syntax, if it can differ between units: from the flags of PO, or guessed from the text in PO and XLIFF.
    pub syntax: Option<Syntax>,
    /// Whether the file marks the translation as unconfirmed: fuzzy in PO, `needs-review-translation` in XLIFF.
    pub needs_review: bool,
    /// The plural forms in target files, if they differ from the usual ones of the file.
    pub own_forms: Option<TargetForms>,
    /// Why the unit is not translated.
    pub skip: Option<SkipReason>,
    /// Byte offset of the text (of the translation in bilingual files), for messages.
    pub at: usize,
}

impl Unit {
    /// Returns the plural forms of this unit in a target file. `of_file` are the usual forms of the file.
    pub fn target_forms<'a>(&'a self, of_file: &'a TargetForms) -> &'a TargetForms {
        self.own_forms.as_ref().unwrap_or(of_file)
    }

    /// Returns the length of `text` in characters and the limit, if the limit is exceeded. Tags do not count, and an
    /// escape counts as one character.
    pub fn exceeded_limit(&self, text: &UnitText) -> Option<(usize, usize)> {
        let limit = self.max_chars?;
        let markup = MarkupIndex::new(self.markup.iter().map(String::as_str));
        let length = |text: &str| {
            let mut chars = text.chars().count();
            let mut from = 0;
            while let Some(found) = markup.next_in(text, from) {
                let piece = text.get(found.clone()).unwrap_or_default();
                if piece.starts_with(['<', '&']) {
                    chars -= piece.chars().count() - usize::from(piece.starts_with('&'));
                }
                from = found.end;
            }
            chars
        };
        text.texts().map(length).find(|chars| *chars > limit).map(|chars| (chars, limit))
    }

    /// Returns the note to send to the service. Interface Builder generates notes with the control and its text
    /// (`Class = "NSButton"; …`), which do not help; only the developer's own part (`Note = "…"`) is kept.
    pub fn note_to_send(&self) -> Option<Cow<'_, str>> {
        let note = self.note.as_deref()?.trim();
        let is_of_builder = |line: &str| line.starts_with("Class = \"") && line.contains("ObjectID = \"");
        let note = if note.lines().any(is_of_builder) {
            let own = |line: &'_ str| line.split_once("; Note = \"")?.1.split("\";").next().map(str::to_owned);
            let lines = note.lines().map(|line| if is_of_builder(line) { own(line) } else { Some(line.to_owned()) });
            Cow::Owned(lines.flatten().collect::<Vec<String>>().join("\n"))
        } else {
            Cow::Borrowed(note)
        };
        (!note.is_empty()).then_some(note)
    }

    /// Returns the text in the file's own language: the translation in bilingual files, otherwise the text.
    pub fn text_in_file_language(&self) -> &UnitText {
        self.target.as_ref().unwrap_or(&self.text)
    }
}

/// A text, or the forms of a plural.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitText {
    /// One text.
    Single(String),
    /// The forms of a plural, in the order of the file.
    Plural(PluralKind, Vec<PluralText>),
}

impl Default for UnitText {
    fn default() -> Self {
        Self::Single(String::new())
    }
}

impl UnitText {
    /// Returns a copy that has `text` as its text. In a plural, each form is `text` followed by the number of the form. Used by
    /// tests of formats.
    #[must_use]
    pub fn with_text(&self, text: &str) -> Self {
        match self {
            Self::Single(_) => Self::Single(text.to_owned()),
            Self::Plural(kind, forms) => {
                let mut forms = forms.clone();
                for (number, form) in forms.iter_mut().enumerate() {
                    form.text = [text, &number.to_string()].concat();
                }
                Self::Plural(*kind, forms)
            }
        }
    }

    /// Returns the text, or the texts of all plural forms.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (single, forms) = match self {
            Self::Single(text) => (Some(text.as_str()), [].as_slice()),
            Self::Plural(_, forms) => (None, forms.as_slice()),
        };
        single.into_iter().chain(forms.iter().map(|form| form.text.as_str()))
    }

    /// Returns the text if it is not a plural. Otherwise fails with the message `what`.
    pub(crate) fn single(&self, at: usize, what: &str) -> Result<&str, CatalogError> {
        match self {
            Self::Single(text) => Ok(text),
            Self::Plural(..) => Err(CatalogError::new(at, what)),
        }
    }

    /// Returns whether all texts are empty or whitespace.
    pub fn is_blank(&self) -> bool {
        self.texts().all(|text| text.trim().is_empty())
    }
}

/// A form of a plural.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluralText {
    /// The numbers for which the form is used.
    pub form: PluralForm,
    /// The text.
    pub text: String,
}

/// Returns the category and text of each form, in order. Fails with the message `what` if a form has no category.
pub(crate) fn by_category<'a>(
    forms: &'a [PluralText],
    at: usize,
    what: &str,
) -> Result<Vec<(PluralCategory, &'a str)>, CatalogError> {
    let form = |form: &'a PluralText| match form.form {
        PluralForm::Category(category) => Ok((category, form.text.as_str())),
        PluralForm::Exact(_) | PluralForm::Index(_) => Err(CatalogError::new(at, what)),
    };
    forms.iter().map(form).collect()
}

/// Why a unit or another value is not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// The file marks it as not translatable: `translatable="false"`, `translate="no"`.
    Untranslatable,
    /// The program no longer uses it, according to the file: `"extractionState" : "stale"`.
    Unused,
    /// The text has no letters outside of placeholders, and neither does its key, which the program shows if there is no
    /// translation.
    NoWords,
    /// It refers to another text: `@string/x`, `@:key`.
    Reference,
    /// Its plural forms are separated by pipes.
    PluralPipes,
    /// Its message has too many branches.
    TooManyBranches,
    /// It is not a valid ICU or Java message.
    InvalidMessage,
    /// Its ICU or Java message has a choice format, which is not parsed.
    ChoiceFormat,
    /// It is a pattern of dates or numbers (Rails).
    Pattern,
    /// It is a message of MessageFormat 2 with declarations or variants.
    MessageFormat2,
    /// It is a number, a boolean or a date, which is copied unchanged.
    Number,
    /// It is not valid (Fluent).
    Junk,
    /// It is an expression instead of a plain string (PHP).
    Expression,
}

/// The key of a unit: in formats with levels, the path from the root of the file to its text; in others, mostly one name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnitKey(pub Vec<UnitKeyPart>);

/// A part of a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKeyPart {
    /// A name.
    Name(String),
    /// The position of an item in a list, from 0.
    Item(usize),
}

impl UnitKey {
    /// Creates a key with one name.
    pub fn name(name: impl Into<String>) -> Self {
        Self(vec![UnitKeyPart::Name(name.into())])
    }

    /// Creates a key from several names.
    pub fn names<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self(names.into_iter().map(|name| UnitKeyPart::Name(name.into())).collect())
    }

    /// Returns the key of the parent.
    pub fn parent(&self) -> &[UnitKeyPart] {
        self.0.split_last().map_or(&[], |(_, parent)| parent)
    }

    /// Returns this key with `part` appended.
    #[must_use]
    pub fn with(&self, part: UnitKeyPart) -> Self {
        let mut parts = self.0.clone();
        parts.push(part);
        Self(parts)
    }
}

impl fmt::Display for UnitKey {
    /// Writes the parts separated by dots. A dot in a name becomes `\.`, a backslash `\\`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(".")?;
            }
            match part {
                UnitKeyPart::Name(name) => f.write_str(&name.replace('\\', r"\\").replace('.', r"\."))?,
                UnitKeyPart::Item(number) => write!(f, "{number}")?,
            }
        }
        Ok(())
    }
}

/// The changes to apply to a catalogue.
#[derive(Clone, Debug, Default)]
pub struct CatalogChanges<'a> {
    /// The changes of units, in any order, at most one per unit.
    pub units: Vec<Change<'a>>,
    /// The new language of the file, for its header or root key. `None` leaves it.
    pub language: Option<&'a CatalogLanguage>,
    /// Whether the text is a copy of the source that becomes a new target. Content that only the source needs is
    /// removed, such as other resources of Android and the metadata of ARB.
    pub is_new_target: bool,
}

/// A change of a unit.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// Sets the text of a unit; in bilingual files, the translation, which also becomes confirmed.
    Set {
        /// [`Unit::id`].
        unit: usize,
        /// The new text. For a plural, it contains all forms; other existing forms are removed.
        text: &'a UnitText,
        /// The markup of the new text; see [`Unit::markup`].
        markup: &'a [String],
    },
    /// Inserts a unit of another file.
    Insert {
        /// The unit in the other file, for its key, note and markup.
        like: &'a Unit,
        /// The text to insert.
        text: &'a UnitText,
        /// The nearest preceding unit of the other file that this file has too ([`Unit::id`] here).
        after: Option<usize>,
        /// The nearest following unit of the other file that this file has too.
        before: Option<usize>,
    },
    /// Removes a unit with everything that belongs only to it, such as its comment.
    Remove {
        /// [`Unit::id`].
        unit: usize,
    },
}

/// The language of a target file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogLanguage {
    /// BCP 47, such as `pt-BR`.
    pub tag: String,
    /// The language as written in the paths of the project and in root keys.
    pub path: String,
}
