//! What is in a catalogue: its units with their keys, and what is changed in it.

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
    /// Its units, in the order of the file.
    pub units: Vec<Unit>,
    /// The language that the file says it is in, as it is written there: `Language` of PO, `@@locale` of ARB, the root key of Rails.
    pub language: Option<String>,
    /// The source language that the file names (XLIFF, xcstrings).
    pub source_language: Option<String>,
    /// The value of `Plural-Forms` (PO); `None` if there is none or if it is that of a template.
    pub plural_forms: Option<String>,
    /// What its values mean, as it was set or detected.
    pub dialect: Option<Dialect>,
    /// Keys that occur more than once. Only the occurrence that counts for the format is a unit.
    pub duplicates: Vec<DuplicateKey>,
    /// Values that are no units, such as numbers: how many, by the reason why they are not translated.
    pub other_values: BTreeMap<SkipReason, u64>,
    /// Why lines were [skipped](super::ReadOptions::skips_broken).
    pub broken: Vec<CatalogError>,
}

/// A key that occurs more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateKey {
    /// The key.
    pub key: UnitKey,
    /// Byte offset of the occurrence that does not count.
    pub at: usize,
}

impl DuplicateKey {
    /// Returns the warning about it. In some formats the first occurrence counts.
    pub fn warning(&self, first_counts: bool) -> String {
        let why =
            if first_counts { "occurs above; the first one counts" } else { "occurs again below; the last one counts" };
        format!("the key {} {why}", self.key)
    }
}

/// A text of a catalogue with everything that belongs to it. The forms of a plural are one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// Its number in the file, which changes name.
    pub id: usize,
    /// Its key.
    pub key: UnitKey,
    /// The unit ([`Unit::id`]) whose text has a mark for this one, such as `%#@name@`. Both are translated together.
    pub within: Option<usize>,
    /// The text, decoded: without the quotes, escapes and line folding of the file. The source text in files that hold both.
    ///
    /// Inline markup of the file stands in it as in the file; see `markup`.
    pub text: UnitText,
    /// The translation, in files that hold both; `None` or empty if there is none.
    pub target: Option<UnitText>,
    /// Parts of the texts that are markup of the file and stay as they are, such as `<b>`, `</b>` and `<x id="1"/>`; each spelling
    /// once.
    ///
    /// A text that contains the spelling of such a part contains that part. So where characters that markup begins with are meant
    /// as text, their escape (`&lt;`) is left in the text and listed here too.
    pub markup: Vec<String>,
    /// What the developer says to translators.
    pub note: Option<String>,
    /// The maximum length of a translation, in characters; see [`Unit::over_limit`].
    pub max_chars: Option<usize>,
    /// How its texts mark placeholders, if the unit itself says so (flags of PO).
    pub syntax: Option<Syntax>,
    /// Whether the file marks the translation as unconfirmed: fuzzy in PO, `needs-review-translation` in XLIFF.
    pub needs_review: bool,
    /// The forms of its plural in target files, if they differ from the usual ones of the file.
    pub own_forms: Option<TargetForms>,
    /// Why it is not translated.
    pub skip: Option<SkipReason>,
    /// Byte offset of its text, for messages; of the translation in files that hold both.
    pub at: usize,
}

impl Unit {
    /// Returns the forms of its plural in a target file. `of_file` are the usual ones.
    pub fn target_forms<'a>(&'a self, of_file: &'a TargetForms) -> &'a TargetForms {
        self.own_forms.as_ref().unwrap_or(of_file)
    }

    /// Returns how many characters a text for this unit has, if that is more than its limit, and the limit. Tags have no
    /// length, and a character that stands in the text as its escape is one.
    pub fn over_limit(&self, text: &UnitText) -> Option<(usize, usize)> {
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

    /// Returns the note as the service gets it. Interface Builder's names the control and its text (`Class = "NSButton"; …`), which
    /// helps nobody, except for what the developer wrote: `Note = "…"`.
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

    /// Returns what a reader of this file in its language sees: the translation in a file that holds both, else the text.
    pub fn own_text(&self) -> &UnitText {
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
    /// Returns another text in the same form; the forms of a plural get a number. Used by tests of formats.
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

    /// Returns the texts: one, or one for each form.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let (single, forms) = match self {
            Self::Single(text) => (Some(text.as_str()), [].as_slice()),
            Self::Plural(_, forms) => (None, forms.as_slice()),
        };
        single.into_iter().chain(forms.iter().map(|form| form.text.as_str()))
    }

    /// Returns its only text. Fails for a plural; `what` says why the format has none.
    pub(crate) fn single(&self, at: usize, what: &str) -> Result<&str, CatalogError> {
        match self {
            Self::Single(text) => Ok(text),
            Self::Plural(..) => Err(CatalogError::new(at, what)),
        }
    }

    /// Returns whether all its texts are blank.
    pub fn is_blank(&self) -> bool {
        self.texts().all(|text| text.trim().is_empty())
    }
}

/// A form of a plural.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluralText {
    /// Which numbers it is for.
    pub form: PluralForm,
    /// The text.
    pub text: String,
}

/// Returns the category and text of each form, in order. Fails with the message `what` for a form without a category.
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

/// Why a unit is not translated, or another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// The file says so: `translatable="false"`, `translate="no"`.
    Untranslatable,
    /// The file says that the program no longer uses it: `"extractionState" : "stale"`.
    Unused,
    /// It has no letters outside of placeholders, and what is shown without a translation is the same.
    NoWords,
    /// It refers to another text: `@string/x`, `@:key`.
    Reference,
    /// Its plural forms are separated by pipes.
    PluralPipes,
    /// Its ICU message has too many branches.
    TooManyBranches,
    /// It is not a valid ICU message.
    InvalidMessage,
    /// Its ICU or Java message has a choice format, whose texts are not looked at.
    ChoiceFormat,
    /// It is a pattern of dates or numbers (Rails).
    Pattern,
    /// It is a message of MessageFormat 2 with declarations or variants.
    MessageFormat2,
    /// It is a number, a boolean or a date, which is copied.
    Number,
    /// It is an entry that is not valid (Fluent).
    Junk,
    /// It is no plain string (PHP).
    Expression,
}

/// The key of a unit, from the root of the file to its text. Files without levels have keys of one part.
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
    /// A key of one name.
    pub fn name(name: impl Into<String>) -> Self {
        Self(vec![UnitKeyPart::Name(name.into())])
    }

    /// A key of several names.
    pub fn names<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self(names.into_iter().map(|name| UnitKeyPart::Name(name.into())).collect())
    }

    /// Returns the key of what contains this one.
    pub fn parent(&self) -> &[UnitKeyPart] {
        self.0.split_last().map_or(&[], |(_, parent)| parent)
    }

    /// Returns this key with another part.
    #[must_use]
    pub fn with(&self, part: UnitKeyPart) -> Self {
        let mut parts = self.0.clone();
        parts.push(part);
        Self(parts)
    }
}

impl fmt::Display for UnitKey {
    /// Writes the path with dots. A dot within a name is `\.`, a backslash `\\`.
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

/// The changes of a catalogue.
#[derive(Clone, Debug, Default)]
pub struct CatalogChanges<'a> {
    /// The changes of units, in any order, at most one for each unit.
    pub units: Vec<Change<'a>>,
    /// The language that the file is in from now on: its header or root key is set. `None` leaves it.
    pub language: Option<&'a CatalogLanguage>,
    /// Whether the text is a copy of the source that becomes a target: what belongs to the source alone is left out, such as other
    /// resources of Android and the metadata of ARB.
    pub is_new_target: bool,
}

/// A change of a unit.
#[derive(Clone, Debug)]
pub enum Change<'a> {
    /// Sets the text of a unit; the translation in files that hold both, which is then confirmed.
    Set {
        /// [`Unit::id`].
        unit: usize,
        /// The new text. If it is a plural, these are all its forms: others are removed.
        text: &'a UnitText,
        /// The markup of the new text; see [`Unit::markup`].
        markup: &'a [String],
    },
    /// Inserts a unit that another file has.
    Insert {
        /// The unit of the other file: its key, note and markup.
        like: &'a Unit,
        /// Its text here.
        text: &'a UnitText,
        /// The unit of this file that is the nearest before it in the other file ([`Unit::id`]).
        after: Option<usize>,
        /// The unit of this file that is the nearest after it in the other file.
        before: Option<usize>,
    },
    /// Removes a unit with everything that belongs to it alone, such as its comment.
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
    /// The language as it is written in paths of the project, which root keys follow.
    pub path: String,
}
