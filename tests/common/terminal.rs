//! Runs the binary with a pseudo-terminal as stdout, which is returned with `\n` line endings. stderr is a pipe.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::process::Stdio;

use rustix::fd::OwnedFd;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use super::{Bench, Run};

/// Returns the master side and the side for the command.
pub fn open(columns: u16, rows: u16) -> (OwnedFd, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&master).expect("a terminal");
    unlockpt(&master).expect("a terminal");
    let size = Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).expect("its size");
    let path = ptsname(&master, Vec::new()).expect("its name").into_string().expect("UTF-8");
    let flags = rustix::fs::OFlags::NOCTTY.bits().cast_signed();
    let slave = OpenOptions::new().read(true).write(true).custom_flags(flags).open(path).expect("its other side");
    (master, slave)
}

impl Bench {
    pub fn on_terminal<A: AsRef<std::ffi::OsStr>>(&self, columns: u16, args: impl IntoIterator<Item = A>) -> Run {
        let (master, slave) = open(columns, 40);
        let mut command = self.command();
        command.args(args).stdin(Stdio::null()).stdout(slave).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a run");
        // Only the child holds the terminal now, so reading ends when it exits.
        drop(command);
        let screen = std::thread::spawn(move || {
            let (mut master, mut bytes) = (File::from(master), Vec::new());
            // Linux reports EIO instead of end of file once the other side is closed.
            let _ = master.read_to_end(&mut bytes);
            bytes
        });
        let mut stderr = Vec::new();
        child.stderr.take().expect("its stderr").read_to_end(&mut stderr).expect("its messages");
        let status = child.wait().expect("its end");
        let screen = String::from_utf8(screen.join().expect("the reader")).expect("UTF-8");
        Run::from(std::process::Output { status, stdout: screen.replace("\r\n", "\n").into_bytes(), stderr })
    }
}
