//! Asks questions on the terminal and waits for the answer or a signal.

use std::io;
#[cfg(test)]
use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError};

use tulk_base::error::{Failure, io_message};
use tulk_base::stop;

use super::escape;
use super::stderr::StderrWriter;

pub enum AnswerSource {
    /// The process's stdin, which is a terminal.
    Stdin,
    #[cfg(test)]
    Lines(Box<dyn BufRead + Send>),
}

pub struct Prompt {
    answers: Mutex<AnswerSource>,
    stderr: Arc<StderrWriter>,
    can_ask: bool,
}

impl Prompt {
    /// Creates a prompt on stderr. `can_ask` tells whether a person can read a question and answer it.
    pub fn new(answers: AnswerSource, stderr: Arc<StderrWriter>, can_ask: bool) -> Self {
        Self { answers: Mutex::new(answers), stderr, can_ask }
    }

    /// Asks before a change that cannot be undone. Blocks the thread.
    ///
    /// Fails with `Kind::Usage` if the answer is not yes, or if there is no terminal. A signal ends the wait.
    pub fn confirm(&self, question: &str) -> Result<(), Failure> {
        let question = question.trim_end_matches('?');
        if !self.can_ask {
            return Err(Failure::usage(format!("confirmation required: {question}"))
                .hint("there is no terminal to ask for confirmation; add --yes to confirm"));
        }
        let shown = format!("{}? [y/N] ", escape::terminal(&capitalized(question)));
        let is_confirmed = self.dialog(|answer| {
            loop {
                match yes_or_no(&answer(&shown)?) {
                    Some(is_confirmed) => return Ok(is_confirmed),
                    None => self.stderr.write("Answer y or n.\n"),
                }
            }
        })?;
        if is_confirmed { Ok(()) } else { Err(Failure::usage("not confirmed; nothing was changed")) }
    }

    /// Asks for a line of text, which is shown as it is typed. Returns it without surrounding whitespace; `None` at the end of the input.
    /// Blocks the thread. Call it only if a person can answer.
    pub fn ask(&self, question: &str) -> Result<Option<String>, Failure> {
        let answer = self.dialog(|answer| answer(&escape::terminal(question)))?;
        Ok((!answer.is_empty()).then(|| answer.trim().to_owned()))
    }

    /// Shows a text and asks until the answer starts with one of these letters. Blocks the thread. Call it only if a person can answer.
    ///
    /// The end of the input counts as the last choice. Any other answer prints what each letter means. A signal ends the wait.
    pub fn choose(&self, shown: &str, question: &str, choices: &[(char, &str)]) -> Result<char, Failure> {
        let letters: String = choices.iter().map(|(letter, _)| format!("{letter},")).collect();
        let question = format!("{question} [{letters}?] ");
        self.dialog(|answer| {
            self.stderr.write(shown);
            loop {
                let answer = answer(&question)?;
                let first = answer.trim_start().chars().next().map(|letter| letter.to_ascii_lowercase());
                let ended = choices.last().filter(|_| answer.is_empty());
                let chosen = choices.iter().find(|(letter, _)| Some(*letter) == first).or(ended);
                if let Some((letter, _)) = chosen {
                    return Ok(*letter);
                }
                let help: String = choices.iter().map(|(letter, what)| format!("{letter} - {what}\n")).collect();
                self.stderr.write(&format!("{help}? - show this help\n"));
            }
        })
    }

    /// Runs `talk` while no progress is shown. `talk` gets a function that asks a question and returns the answer with its line ending.
    /// Afterwards, the cursor is at the start of a line.
    fn dialog<T>(
        &self,
        talk: impl FnOnce(&mut dyn FnMut(&str) -> Result<String, Failure>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        self.stderr.without_progress(|| {
            talk(&mut |question| {
                self.stderr.write(question);
                let answer = read_answer(&mut answers);
                if is_in_question_line(&answer) {
                    self.stderr.write("\n");
                }
                answer
            })
        })
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// Returns whether the cursor is still on the line of the question: after a signal, and at the end of the input.
fn is_in_question_line(answer: &Result<String, Failure>) -> bool {
    answer.as_ref().map_or(true, |line| !line.ends_with('\n'))
}

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
/// The question is written to that terminal, even if stderr is redirected.
#[cfg(unix)]
pub fn read_hidden(question: &str) -> Result<String, Failure> {
    use std::io::Write as _;
    // Stdin is a terminal, so it can usually also be written to, but not after `< /dev/tty`.
    let say = |text: &str| match rustix::io::write(io::stdin(), text.as_bytes()) {
        Ok(_) => Ok(()),
        Err(_) => io::stderr().write_all(text.as_bytes()),
    };
    let hidden = stop::SavedTerminal::hide_input();
    let _ = say(question);
    let read = read_answer(&mut AnswerSource::Stdin);
    if is_in_question_line(&read) {
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

/// Returns the meaning of an answer; `None` if it is neither yes nor no.
fn yes_or_no(answer: &str) -> Option<bool> {
    match answer.trim().to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "" | "n" | "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_yes_or_no_in_any_case() {
        for yes in ["y", "Y\n", "yes\r\n", " YES "] {
            assert_eq!(yes_or_no(yes), Some(true), "{yes:?}");
        }
        for no in ["", "\n", "n", "No", "NO\n"] {
            assert_eq!(yes_or_no(no), Some(false), "{no:?}");
        }
        for neither in ["yep", "j", "yn", "tulk"] {
            assert_eq!(yes_or_no(neither), None, "{neither:?}");
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
