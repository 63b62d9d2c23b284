//! Decides whether progress is shown as bars, as plain lines, or not at all.

use crate::config::ProgressChoice;
use crate::output::terminals::Terminals;

/// How progress is shown in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgressDisplay {
    /// Not at all.
    Hidden,
    /// As bars that move.
    Bars,
    /// As a plain line from time to time.
    Lines,
}

impl ProgressDisplay {
    /// Returns the requested display, else bars on a terminal and lines elsewhere. `silent` means `-q` or JSON.
    pub fn choose(choice: Option<ProgressChoice>, silent: bool, terminals: &Terminals) -> Self {
        let moves_cursor = terminals.stderr && !terminals.color.is_dumb();
        match choice.unwrap_or_default() {
            ProgressChoice::None => Self::Hidden,
            ProgressChoice::Auto if silent => Self::Hidden,
            ProgressChoice::Bar if moves_cursor => Self::Bars,
            ProgressChoice::Auto if moves_cursor && !terminals.ci => Self::Bars,
            ProgressChoice::Auto | ProgressChoice::Bar | ProgressChoice::Plain => Self::Lines,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::color::ColorEnv;

    fn terminal() -> Terminals {
        Terminals { stderr: true, ..Terminals::default() }
    }

    fn build_server() -> Terminals {
        Terminals { ci: true, ..terminal() }
    }

    #[test]
    fn bars_are_for_terminals_that_somebody_watches() {
        let choose = |silent, terminals: &Terminals| ProgressDisplay::choose(None, silent, terminals);
        assert_eq!(choose(false, &terminal()), ProgressDisplay::Bars);
        assert_eq!(choose(false, &Terminals::default()), ProgressDisplay::Lines);
        assert_eq!(choose(false, &build_server()), ProgressDisplay::Lines);
        assert_eq!(choose(true, &terminal()), ProgressDisplay::Hidden);
        let color = ColorEnv { term: Some("dumb".into()), ..ColorEnv::default() };
        assert_eq!(choose(false, &Terminals { color, ..terminal() }), ProgressDisplay::Lines);
    }

    #[test]
    fn an_explicit_choice_wins() {
        let choose = |choice, terminals: &Terminals| ProgressDisplay::choose(Some(choice), true, terminals);
        assert_eq!(choose(ProgressChoice::Bar, &build_server()), ProgressDisplay::Bars);
        assert_eq!(choose(ProgressChoice::Plain, &build_server()), ProgressDisplay::Lines);
        assert_eq!(choose(ProgressChoice::None, &terminal()), ProgressDisplay::Hidden);
        assert_eq!(choose(ProgressChoice::Auto, &terminal()), ProgressDisplay::Hidden);
        assert_eq!(choose(ProgressChoice::Bar, &Terminals::default()), ProgressDisplay::Lines, "a pipe has no bars");
    }
}
