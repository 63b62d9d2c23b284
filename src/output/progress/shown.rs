//! Whether progress is a bar, a line now and then, or nothing.
//!
//! Spec: command line, "Streams and formats".

use crate::config::ProgressChoice;

/// How progress is shown in this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Not at all.
    Nothing,
    /// As bars.
    Bars,
    /// As lines.
    Lines,
}

/// What decides about progress besides `--progress`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setting {
    /// `-q`, or a JSON format.
    pub silent: bool,
    /// Stderr is a terminal that can move its cursor.
    pub terminal: bool,
    /// A build server is running this.
    pub ci: bool,
}

/// How to show progress: what was asked for, else a bar where somebody can see it move.
pub fn shown(choice: Option<ProgressChoice>, setting: Setting) -> Shown {
    match choice.unwrap_or_default() {
        ProgressChoice::None => Shown::Nothing,
        ProgressChoice::Auto if setting.silent => Shown::Nothing,
        ProgressChoice::Bar if setting.terminal => Shown::Bars,
        ProgressChoice::Auto if setting.terminal && !setting.ci => Shown::Bars,
        ProgressChoice::Auto | ProgressChoice::Bar | ProgressChoice::Plain => Shown::Lines,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_where_somebody_looks() {
        let terminal = Setting { terminal: true, ..Setting::default() };
        let silent = Setting { silent: true, terminal: true, ci: false };
        let pipe = Setting::default();
        assert_eq!(shown(None, terminal), Shown::Bars);
        assert_eq!(shown(None, pipe), Shown::Lines);
        assert_eq!(shown(None, Setting { ci: true, ..terminal }), Shown::Lines);
        assert_eq!(shown(None, silent), Shown::Nothing);
        assert_eq!(shown(Some(ProgressChoice::Auto), silent), Shown::Nothing);
    }

    #[test]
    fn what_was_asked_for_is_shown() {
        let silent = Setting { silent: true, terminal: true, ci: true };
        assert_eq!(shown(Some(ProgressChoice::Bar), silent), Shown::Bars);
        assert_eq!(shown(Some(ProgressChoice::Plain), silent), Shown::Lines);
        assert_eq!(shown(Some(ProgressChoice::None), Setting::default()), Shown::Nothing);
        assert_eq!(shown(Some(ProgressChoice::Bar), Setting::default()), Shown::Lines, "a pipe has no bars");
    }
}
