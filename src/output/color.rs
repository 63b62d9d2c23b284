//! Decides whether a stream has colour, and defines the text styles.
//!
//! Data on stdout (JSON, TSV, text) never has colour.

/// Returns whether a stream has colour if no flag decides, from `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR`, `TERM` and `terminal`.
pub fn is_supported(terminal: bool) -> bool {
    // `CLICOLOR_FORCE=0` does not request colour.
    let is_forced = anstyle_query::clicolor_force() && std::env::var_os("CLICOLOR_FORCE").is_some_and(|v| v != "0");
    let is_allowed = anstyle_query::clicolor() != Some(false) && anstyle_query::term_supports_color();
    !anstyle_query::no_color() && (is_forced || (terminal && is_allowed))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Headings of changes.
    Bold,
    /// `error:`, failures and removals.
    Red,
    /// Successes and additions.
    Green,
    /// `warning:`, changes, and what is not finished.
    Yellow,
    /// `hint:`.
    Cyan,
    /// Log lines, table headers and notes.
    Dim,
}

impl TextStyle {
    /// Returns `text` in this style, or unchanged without colour.
    pub fn paint(self, text: &str, color: bool) -> String {
        if !color || text.is_empty() {
            return text.to_owned();
        }
        let code = match self {
            Self::Bold => "1",
            Self::Red => "1;31",
            Self::Green => "32",
            Self::Yellow => "1;33",
            Self::Cyan => "36",
            Self::Dim => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paints_only_with_colour() {
        assert_eq!(TextStyle::Red.paint("error:", true), "\u{1b}[1;31merror:\u{1b}[0m");
        assert_eq!(TextStyle::Red.paint("error:", false), "error:");
    }
}
