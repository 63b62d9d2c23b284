//! The answer to a question, or the signal that came instead of one.
//!
//! What is asked and when is `Output::confirm`'s. Spec: command line, "Asking, waiting, stopping".

use std::io;
#[cfg(test)]
use std::io::BufRead;
use std::sync::mpsc;
use std::thread;

use crate::error::{Failure, Kind};

/// Where answers come from.
pub enum Answers {
    /// The process's stdin, a terminal.
    Stdin,
    /// Lines that are there already.
    #[cfg(test)]
    Given(Box<dyn BufRead + Send>),
}

enum Heard {
    Line(io::Result<String>),
    Signal(Kind),
}

/// Waits for a line.
///
/// The commands run on one thread, whose signal handling stands still meanwhile: Ctrl-C has to be heard here.
pub fn answer(answers: &mut Answers) -> Result<String, Failure> {
    let line = match answers {
        #[cfg(test)]
        Answers::Given(given) => {
            let mut line = String::new();
            given.read_line(&mut line).map(|_| line)
        }
        Answers::Stdin => {
            let (send, receive) = mpsc::channel();
            let signals = send.clone();
            thread::spawn(move || {
                let mut line = String::new();
                let _ = send.send(Heard::Line(io::stdin().read_line(&mut line).map(|_| line)));
            });
            thread::spawn(move || {
                if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() {
                    let _ = signals.send(Heard::Signal(runtime.block_on(signal())));
                }
            });
            match receive.recv() {
                Ok(Heard::Line(line)) => line,
                Ok(Heard::Signal(kind)) => return Err(Failure::new(kind, "stopped at the question, nothing was done")),
                Err(_) => Ok(String::new()),
            }
        }
    };
    line.map_err(|e| Failure::internal(format!("cannot read the answer: {}", crate::error::io_message(&e))))
}

/// Whether an answer is a yes.
pub fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(unix)]
async fn signal() -> Kind {
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
async fn signal() -> Kind {
    match tokio::signal::ctrl_c().await {
        Ok(()) => Kind::Interrupted,
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        for yes in ["y", "Y\n", "yes\r\n", " YES "] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "\n", "n", "no", "yep", "j"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }

    #[test]
    fn reads_one_line_of_several() {
        let mut answers = Answers::Given(Box::new(io::Cursor::new("y\nn\n")));
        assert_eq!(answer(&mut answers).unwrap(), "y\n");
        assert_eq!(answer(&mut answers).unwrap(), "n\n");
        assert_eq!(answer(&mut answers).unwrap(), "");
    }
}
