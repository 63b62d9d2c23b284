//! What the values of a tree of keys mean: which keys are plural forms, which values are references, how placeholders look.
//!
//! Input: the leaves of a file. Output: its dialect, which is the same for the whole file, or an error if two dialects fit and would
//! read it differently; for a value, whether it is left out.

mod detect;
mod evidence;
mod language_root;
mod skip;
#[cfg(test)]
mod tests;

pub(super) use self::detect::{Structure, detect};
pub(super) use self::language_root::{language_root, second_language};
pub(super) use self::skip::skip_reason;
use super::placeholders::Syntax;

/// The convention that the values of a file follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Plain texts, with `{name}` as a placeholder.
    #[default]
    None,
    /// i18next: `{{name}}`, and keys such as `item_one` and `item_other` as plural forms.
    I18next,
    /// ICU messages: `{name}`, `{count, plural, one {...} other {...}}`.
    Icu,
    /// Vue I18n: `{name}`, `@:key`, and forms separated by `|`.
    Vue,
    /// go-i18n: `{{.Name}}`, and mappings with plural forms.
    GoI18n,
    /// Rails: `%{name}`, and mappings with plural forms.
    Rails,
    /// Spring and Java's `MessageFormat`: `{0}`, with doubled apostrophes.
    Spring,
}

impl Dialect {
    /// The dialects with their names, in the order of the help.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::I18next, "i18next"),
        (Self::Icu, "icu"),
        (Self::Vue, "vue"),
        (Self::GoI18n, "go-i18n"),
        (Self::Rails, "rails"),
        (Self::Spring, "spring"),
        (Self::None, "none"),
    ];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(dialect, _)| *dialect == self).map_or("none", |(_, name)| name)
    }

    /// Returns how texts of this dialect mark placeholders.
    pub fn syntax(self) -> Syntax {
        match self {
            Self::None => Syntax::Braces,
            Self::I18next => Syntax::I18next,
            Self::Icu => Syntax::Icu,
            Self::Vue => Syntax::Vue,
            Self::GoI18n => Syntax::GoTemplate,
            Self::Rails => Syntax::Ruby,
            Self::Spring => Syntax::MessageFormat,
        }
    }
}
