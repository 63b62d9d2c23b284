//! Asks for confirmation on the terminal and waits for the answer or a signal.

use std::io;
#[cfg(test)]
use std::io::BufRead;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use super::escape;
use super::stderr::StderrWriter;
use crate::error::{Failure, Kind, io_message};

/// Where answers come from.
pub enum AnswerSource {
    /// The process's stdin, a terminal.
    Stdin,
    /// Prepared lines.
    #[cfg(test)]
    Lines(Box<dyn BufRead + Send>),
}

/// What ended the wait for an answer.
enum AnswerEvent {
    Line(io::Result<String>),
    Signal(Kind),
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
        let answer = self.stderr.without_bars(|| {
            // `can_ask` means that stderr is a terminal.
            self.stderr.write(&format!("{} [y/N] ", escape::terminal(&format!("{question}?"))));
            read_answer(&mut answers)
        })?;
        if is_yes(&answer) {
            Ok(())
        } else {
            Err(Failure::usage(format!("not confirmed: {question}")).hint("nothing was changed"))
        }
    }
}

/// Waits for a line or a signal.
///
/// Commands run on a single thread that cannot handle signals while this blocks it, so Ctrl-C is handled here.
fn read_answer(answers: &mut AnswerSource) -> Result<String, Failure> {
    let line = match answers {
        #[cfg(test)]
        AnswerSource::Lines(lines) => {
            let mut line = String::new();
            lines.read_line(&mut line).map(|_| line)
        }
        AnswerSource::Stdin => {
            let (events, receiver) = mpsc::channel();
            let signals = events.clone();
            thread::spawn(move || {
                let mut line = String::new();
                let _ = events.send(AnswerEvent::Line(io::stdin().read_line(&mut line).map(|_| line)));
            });
            thread::spawn(move || {
                if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() {
                    let _ = signals.send(AnswerEvent::Signal(runtime.block_on(next_signal())));
                }
            });
            match receiver.recv() {
                Ok(AnswerEvent::Line(line)) => line,
                Ok(AnswerEvent::Signal(kind)) => {
                    return Err(Failure::new(kind, "stopped before confirmation; nothing was changed"));
                }
                Err(_) => Ok(String::new()),
            }
        }
    };
    line.map_err(|e| Failure::internal(format!("cannot read the answer: {}", io_message(&e))))
}

/// Returns whether an answer means yes.
fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(unix)]
async fn next_signal() -> Kind {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut hangup), Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::hangup()), signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = hangup.recv() => Kind::Hangup,
        _ = interrupt.recv() => Kind::Interrupted,
        _ = terminate.recv() => Kind::Terminated,
    }
}

#[cfg(not(unix))]
async fn next_signal() -> Kind {
    match tokio::signal::ctrl_c().await {
        Ok(()) => Kind::Interrupted,
        Err(_) => std::future::pending().await,
    }
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
