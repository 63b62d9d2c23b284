//! Plural rules: the categories of a language, and the numbers in each.
//!
//! Input: a language (BCP 47) or a `Plural-Forms` header. Output: categories, forms, and the numbers of each.
//!
//! | file | contents |
//! |---|---|
//! | `rules` | rules of a language, from CLDR |
//! | `own_rules` | languages that our CLDR data lack, and aliases |
//! | `gettext`, `gettext_table` | the `Plural-Forms` header: its expression, and its value for each language |
//! | `target` | plural forms of a target file |

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

/// A CLDR plural category.
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
    /// All categories, in the order in which files list them.
    pub const ALL: [Self; 6] = [Self::Zero, Self::One, Self::Two, Self::Few, Self::Many, Self::Other];

    /// Returns the keyword, as written in files.
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

    /// Returns the category of a keyword.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|category| category.name() == name)
    }
}

/// The numbers that a plural form covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PluralForm {
    /// One number, such as ICU's `=0`.
    Exact(u64),
    /// A category.
    Category(PluralCategory),
    /// An index into the forms of a PO file.
    Index(usize),
}

/// Whether a number counts things or gives a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PluralKind {
    /// A number of things: 2 files.
    #[default]
    Cardinal,
    /// A position: the 2nd file.
    Ordinal,
}

/// The plural forms that a target file has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TargetForms {
    /// The categories of the target language.
    #[default]
    OfLanguage,
    /// The categories of the target language without `one`: in i18next, a key `files` next to `files_other` covers 1.
    WithoutOne,
    /// The numbered forms that i18next used before version 21.
    Numbered,
    /// The value of a `Plural-Forms` header.
    Gettext(String),
}
