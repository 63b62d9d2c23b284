//! Decides whether a stream has colour, and defines the text styles.
//!
//! Data on stdout (JSON, TSV, text) never has colour.

use crate::config::ColorChoice;

/// Environment variables about colour.
#[derive(Clone, Debug, Default)]
pub struct ColorEnv {
    /// `NO_COLOR`.
    pub no_color: Option<String>,
    /// `CLICOLOR_FORCE`.
    pub force: Option<String>,
    /// `CLICOLOR`.
    pub clicolor: Option<String>,
    /// `TERM`.
    pub term: Option<String>,
}

impl ColorEnv {
    /// Reads the variables of the process.
    pub fn read() -> Self {
        let get = |name| std::env::var_os(name).map(|v| v.to_string_lossy().into_owned());
        Self { no_color: get("NO_COLOR"), force: get("CLICOLOR_FORCE"), clicolor: get("CLICOLOR"), term: get("TERM") }
    }

    /// Returns whether the terminal only supports plain text.
    pub fn is_dumb(&self) -> bool {
        self.term.as_deref() == Some("dumb")
    }
}

/// Returns whether a stream has colour: by the flag, else `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR=0`, `TERM=dumb`, else on
/// a terminal.
///
/// An empty variable counts as unset.
pub fn is_wanted(choice: ColorChoice, env: &ColorEnv, terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let set = |value: &Option<String>| value.as_ref().is_some_and(|v| !v.is_empty());
            if set(&env.no_color) {
                false
            } else if set(&env.force) && env.force.as_deref() != Some("0") {
                true
            } else {
                terminal && env.clicolor.as_deref() != Some("0") && !env.is_dumb()
            }
        }
    }
}

/// A style of text on a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextStyle {
    /// Table headers.
    Bold,
    /// `error:`.
    Red,
    /// Additions.
    Green,
    /// `warning:`.
    Yellow,
    /// `hint:`.
    Cyan,
    /// Log lines.
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

    fn env(no_color: Option<&str>, force: Option<&str>, term: Option<&str>) -> ColorEnv {
        let text = |value: Option<&str>| value.map(str::to_owned);
        ColorEnv { no_color: text(no_color), force: text(force), clicolor: None, term: text(term) }
    }

    #[test]
    fn the_flag_beats_the_environment() {
        assert!(is_wanted(ColorChoice::Always, &env(Some("1"), None, Some("dumb")), false));
        assert!(!is_wanted(ColorChoice::Never, &env(None, Some("1"), None), true));
    }

    #[test]
    fn the_environment_beats_the_terminal() {
        let auto = |e: &ColorEnv, terminal| is_wanted(ColorChoice::Auto, e, terminal);
        assert!(auto(&env(None, None, Some("xterm")), true));
        assert!(!auto(&env(None, None, Some("xterm")), false));
        assert!(!auto(&env(Some("1"), Some("1"), None), true), "NO_COLOR comes first");
        assert!(auto(&env(Some(""), None, None), true), "an empty NO_COLOR counts as unset");
        assert!(auto(&env(None, Some("1"), Some("dumb")), false), "CLICOLOR_FORCE works in a pipe");
        assert!(!auto(&env(None, Some("0"), None), false));
        assert!(!auto(&env(None, Some(""), None), false));
        assert!(!auto(&env(None, None, Some("dumb")), true));
    }

    #[test]
    fn clicolor_0_disables_colour_unless_it_is_forced() {
        let with = |value: &str, force: Option<&str>| ColorEnv {
            clicolor: Some(value.into()),
            ..env(None, force, Some("xterm"))
        };
        assert!(!is_wanted(ColorChoice::Auto, &with("0", None), true));
        assert!(is_wanted(ColorChoice::Auto, &with("0", Some("1")), true));
        assert!(is_wanted(ColorChoice::Auto, &with("1", None), true));
        assert!(!is_wanted(ColorChoice::Auto, &with("1", None), false), "CLICOLOR=1 is for terminals only");
    }

    #[test]
    fn paints_only_with_colour() {
        assert_eq!(TextStyle::Red.paint("error:", true), "\u{1b}[1;31merror:\u{1b}[0m");
        assert_eq!(TextStyle::Red.paint("error:", false), "error:");
    }
}
