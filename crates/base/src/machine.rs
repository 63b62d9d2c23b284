//! Limits of this machine, as set by `ulimit`, with hints that name the limit.

use std::io;
use std::thread::{Builder, JoinHandle};

use tokio::sync::oneshot;

use crate::error::{Failure, io_message};
use crate::numbers::counted;

/// Starts a thread. Fails where `std::thread::spawn` would panic because the machine allows no more threads.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Failure> {
    Builder::new().name(name.to_owned()).spawn(work).map_err(|error| cannot_start_thread(&error))
}

/// Starts a thread and returns a channel that receives its result.
pub fn start<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, Failure> {
    let (sender, receiver) = oneshot::channel();
    spawn(name, move || drop(sender.send(work())))?;
    Ok(receiver)
}

/// Checks whether a thread can be started, and returns the failure if not.
pub fn thread_start_failure() -> Option<Failure> {
    spawn("probe", || ()).err()
}

/// Creates the failure for a thread that could not be started.
pub fn cannot_start_thread(error: &io::Error) -> Failure {
    Failure::internal(format!("cannot start a thread: {}", io_message(error))).hint(thread_hint())
}

#[cfg(unix)]
fn thread_hint() -> String {
    use rustix::process::{Resource, getrlimit};
    let processes = getrlimit(Resource::Nproc).current.map(|n| format!("`ulimit -u` is {n} processes"));
    let memory = getrlimit(Resource::As).current.map(|n| format!("`ulimit -v` is {} KiB of memory", n / 1024));
    let limits: Vec<String> = processes.into_iter().chain(memory).collect();
    match limits.join(", ") {
        none if none.is_empty() => "raise the limit of processes of this user or container".to_owned(),
        limits => format!("raise the limit of this machine: {limits}"),
    }
}

#[cfg(not(unix))]
fn thread_hint() -> String {
    "close other programs".to_owned()
}

/// Returns the maximum size in bytes of a file that this process may write, if it is limited.
pub fn file_size_limit() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        getrlimit(Resource::Fsize).current
    }
    #[cfg(not(unix))]
    None
}

/// Returns a hint if an error means that a file has reached the maximum size.
pub fn file_size_hint(error: &io::Error) -> Option<String> {
    let limit = file_size_limit().filter(|_| error.kind() == io::ErrorKind::FileTooLarge)?;
    let limit = counted(limit, "byte");
    Some(format!("raise the limit of the size of files ({limit}), for example with `ulimit -f unlimited`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_returns_its_result() {
        assert_eq!(start("test", || 7).unwrap().blocking_recv(), Ok(7));
        assert_eq!(spawn("test", || 8).unwrap().join().unwrap(), 8);
        assert!(thread_start_failure().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_thread_failure_names_the_limit_of_the_machine() {
        let failure = cannot_start_thread(&io::Error::from_raw_os_error(rustix::io::Errno::AGAIN.raw_os_error()));
        assert_eq!(failure.what, "cannot start a thread: Resource temporarily unavailable");
        assert_eq!(failure.kind.code(), 70);
        assert!(failure.hint.unwrap().starts_with("raise the limit of "));
    }
}
