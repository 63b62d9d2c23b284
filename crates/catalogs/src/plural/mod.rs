//! Plural rules: which categories a language has, and which numbers belong to them.
//!
//! Input: a language (BCP 47) or the expression of a PO header. Output: categories, forms and the numbers of each.
//!
//! | file | what it does |
//! |---|---|
//! | `rules` | the rules of a language, from CLDR |
//! | `own_rules` | languages that the data of CLDR here lack, and other names of languages |
//! | `target` | the forms that a plural gets in another language |

mod gettext;
mod gettext_table;
mod own_rules;
mod rules;
mod target;
#[cfg(test)]
mod tests;

pub use self::gettext::GettextPlural;
pub use self::gettext_table::{gettext_forms, gettext_header};
pub use self::rules::PluralRules;
pub use self::target::PluralTarget;

/// A category of CLDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PluralCategory {
    /// `zero`
    Zero,
    /// `one`
    One,
    /// `two`
    Two,
    /// `few`
    Few,
    /// `many`
    Many,
    /// `other`, which every language has.
    Other,
}

impl PluralCategory {
    /// All categories, in the order in which they are written.
    pub const ALL: [Self; 6] = [Self::Zero, Self::One, Self::Two, Self::Few, Self::Many, Self::Other];

    /// Returns its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Zero => "zero",
            Self::One => "one",
            Self::Two => "two",
            Self::Few => "few",
            Self::Many => "many",
            Self::Other => "other",
        }
    }

    /// Returns the category with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// Which numbers a form of a plural is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PluralForm {
    /// One number, such as `=0` of ICU.
    Exact(u64),
    /// A category.
    Category(PluralCategory),
    /// A position in the list of a PO file.
    Index(usize),
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PluralKind {
    /// A number of things: 2 files.
    #[default]
    Cardinal,
    /// A position: the 2nd file.
    Ordinal,
}

/// The forms that a plural has in a target file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TargetForms {
    /// Those of the target language.
    #[default]
    OfLanguage,
    /// Those of the target language without `one`: in i18next, a text `files` beside `files_other` is the form for 1.
    WithoutOne,
    /// Those that i18next had for the target language before version 21.
    Numbered,
    /// Those of a `Plural-Forms` header: its value.
    Gettext(String),
}
