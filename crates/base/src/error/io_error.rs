//! Errors of the operating system in words, and what the user can do about them.

/// What to do if too many files are open.
pub const OUT_OF_FILES_HINT: &str = "raise the limit of open files, for example with `ulimit -n 256`";

/// Returns whether an operation failed because too many files are open.
pub fn is_out_of_files(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        error.raw_os_error().is_some_and(|code| [Errno::MFILE, Errno::NFILE].contains(&Errno::from_raw_os_error(code)))
    }
    #[cfg(not(unix))]
    {
        let _ = error;
        false
    }
}

/// Returns the message of an I/O error without Rust's suffix `(os error 2)`.
pub fn io_message(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}
