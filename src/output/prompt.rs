//! Asks for confirmation on the terminal and waits for the answer or a signal.

#[cfg(test)]
use std::io::BufRead;
use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use super::escape;
use super::stderr::StderrWriter;
use crate::error::{Failure, io_message};
use crate::stop;

/// Where answers come from.
pub enum AnswerSource {
    /// The process's stdin, a terminal.
    Stdin,
    /// Prepared lines.
    #[cfg(test)]
    Lines(Box<dyn BufRead + Send>),
}

/// Asks yes-or-no questions.
pub struct Prompt {
    answers: Mutex<AnswerSource>,
    stderr: Arc<StderrWriter>,
    can_ask: bool,
}

impl Prompt {
    /// Returns a prompt that asks on stderr. `can_ask` is whether somebody can read a question and answer it.
    pub fn new(answers: AnswerSource, stderr: Arc<StderrWriter>, can_ask: bool) -> Self {
        Self { answers: Mutex::new(answers), stderr, can_ask }
    }

    /// Asks before a change that cannot be undone. Blocks the thread.
    ///
    /// Fails with `Kind::Usage` if the answer is not yes or there is no terminal; a signal ends the wait.
    pub fn confirm(&self, question: &str) -> Result<(), Failure> {
        let question = question.trim_end_matches('?');
        if !self.can_ask {
            return Err(Failure::usage(format!("confirmation required: {question}"))
                .hint("there is no terminal to ask for confirmation; add --yes to confirm"));
        }
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = self.stderr.without_progress(|| {
            // `can_ask` means that stderr is a terminal.
            self.stderr.write(&format!("{} [y/N] ", escape::terminal(&format!("{question}?"))));
            let answer = read_answer(&mut answers);
            if answer.is_err() {
                self.stderr.write("\n");
            }
            answer
        });
        let answer = answer.map_err(|failure| {
            if !failure.kind.is_stop() {
                return failure;
            }
            Failure { what: format!("{} before confirmation; nothing was changed", failure.what), ..failure }
        })?;
        if is_yes(&answer) {
            Ok(())
        } else {
            Err(Failure::usage(format!("not confirmed: {question}")).hint("nothing was changed"))
        }
    }
}

/// Waits for a line or a signal.
fn read_answer(answers: &mut AnswerSource) -> Result<String, Failure> {
    let line = match answers {
        #[cfg(test)]
        AnswerSource::Lines(lines) => {
            let mut line = String::new();
            lines.read_line(&mut line).map(|_| line)
        }
        AnswerSource::Stdin => stop::interruptible(|| {
            let mut line = String::new();
            io::stdin().read_line(&mut line).map(|_| line)
        })?,
    };
    line.map_err(|e| Failure::internal(format!("cannot read the answer: {}", io_message(&e))))
}

/// Asks for a line on the terminal of stdin without showing what is typed. A signal ends the wait and shows input again.
///
/// The question goes to the terminal, whatever stderr is.
#[cfg(unix)]
pub fn read_hidden(question: &str) -> Result<String, Failure> {
    // Terminals are open for reading and writing, unless they were redirected by name.
    let say = |text: &str| match rustix::io::write(io::stdin(), text.as_bytes()) {
        Ok(_) => Ok(()),
        Err(_) => io::stderr().write_all(text.as_bytes()),
    };
    let hidden = stop::SavedTerminal::hide_input();
    let _ = say(question);
    let read = read_answer(&mut AnswerSource::Stdin);
    if read.is_err() {
        let _ = say("\n");
    }
    drop(hidden);
    read
}

/// Asks for a line on the terminal without showing what is typed.
#[cfg(not(unix))]
pub fn read_hidden(question: &str) -> Result<String, Failure> {
    let question = question.to_owned();
    let read = stop::interruptible(move || rpassword::prompt_password(question))?;
    read.map_err(|e| Failure::internal(format!("cannot read the answer: {}", io_message(&e))))
}

/// Returns whether an answer means yes.
fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_y_and_yes_mean_yes() {
        for yes in ["y", "Y\n", "yes\r\n", " YES "] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "\n", "n", "no", "yep", "j"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }

    #[test]
    fn reads_one_line_of_several() {
        let mut answers = AnswerSource::Lines(Box::new(io::Cursor::new("y\nn\n")));
        assert_eq!(read_answer(&mut answers).unwrap(), "y\n");
        assert_eq!(read_answer(&mut answers).unwrap(), "n\n");
        assert_eq!(read_answer(&mut answers).unwrap(), "");
    }
}
