//! Writes to streams whose reader may have stopped reading.

use std::io::{self, Write};
#[cfg(not(unix))]
use std::marker::Send as AsFd;
#[cfg(unix)]
use std::os::fd::AsFd;
use std::sync::{Arc, Mutex, PoisonError};

use super::Stop;
use super::blocking::{STOP_GRACE, WaitLimits, WaitOutcome, wait};
use super::io_error;

/// Bytes that a pipe accepts without blocking if it is ready.
#[cfg(unix)]
const PIPE_ROOM_BYTES: usize = 4096;
/// Bytes that a terminal accepts without blocking if it is ready.
#[cfg(unix)]
const TERMINAL_ROOM_BYTES: usize = 256;

/// A stream that can be handed to another thread and, on Unix, examined.
pub trait BlockingStream: Write + AsFd + Send + 'static {}
impl<W: Write + AsFd + Send + 'static> BlockingStream for W {}

/// Writer that stops waiting for its reader at a signal. Each successful write takes all bytes and flushes them.
#[derive(Debug)]
pub struct InterruptibleWriter<W> {
    inner: Arc<Mutex<W>>,
    target: WriteTarget,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriteTarget {
    /// A regular file, or a character device other than a terminal, such as `/dev/null`. Never blocks.
    #[cfg(unix)]
    File,
    #[cfg(unix)]
    Pipe,
    #[cfg(unix)]
    Terminal,
    Other,
}

impl<W: BlockingStream> InterruptibleWriter<W> {
    /// Wraps a stream. The kind of file behind it is determined once.
    pub fn new(stream: W) -> Self {
        let target = target_of(&stream);
        Self { inner: Arc::new(Mutex::new(stream)), target }
    }
}

impl<W: BlockingStream> Write for InterruptibleWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if has_room(self.target, &self.inner, bytes.len()) {
            return write_to(&self.inner, bytes).map(|()| bytes.len());
        }
        let (stream, owned) = (Arc::clone(&self.inner), bytes.to_vec());
        let limits = WaitLimits { after_stop: STOP_GRACE, ..WaitLimits::default() };
        match wait(Stop::of_process(), limits, move || write_to(&stream, &owned)) {
            WaitOutcome::Done(done) => done.map(|()| bytes.len()),
            WaitOutcome::Stopped(kind) => Err(io_error(kind)),
            WaitOutcome::NotStarted(failure) => Err(io::Error::other(failure)),
            WaitOutcome::TimedOut => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_to<W: Write>(stream: &Mutex<W>, bytes: &[u8]) -> io::Result<()> {
    let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
    stream.write_all(bytes).and_then(|()| stream.flush())
}

#[cfg(unix)]
fn target_of<W: BlockingStream>(stream: &W) -> WriteTarget {
    use rustix::fs::FileType;
    match rustix::fs::fstat(stream).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
        Ok(FileType::CharacterDevice) if rustix::termios::isatty(stream) => WriteTarget::Terminal,
        Ok(FileType::RegularFile | FileType::CharacterDevice) => WriteTarget::File,
        Ok(FileType::Fifo) => WriteTarget::Pipe,
        _ => WriteTarget::Other,
    }
}

/// Returns whether a write of this size cannot block, so that it needs no thread.
#[cfg(unix)]
fn has_room<W: BlockingStream>(target: WriteTarget, stream: &Mutex<W>, bytes: usize) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let room = match target {
        WriteTarget::File => return true,
        WriteTarget::Pipe => PIPE_ROOM_BYTES,
        WriteTarget::Terminal => TERMINAL_ROOM_BYTES,
        WriteTarget::Other => return false,
    };
    let is_ready = |stream: &W| {
        let mut polled = [PollFd::new(stream, PollFlags::OUT)];
        poll(&mut polled, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    };
    bytes <= room && stream.try_lock().is_ok_and(|stream| is_ready(&stream))
}

#[cfg(not(unix))]
fn target_of<W>(_: &W) -> WriteTarget {
    WriteTarget::Other
}

#[cfg(not(unix))]
fn has_room<W>(_: WriteTarget, _: &Mutex<W>, _: usize) -> bool {
    false
}
