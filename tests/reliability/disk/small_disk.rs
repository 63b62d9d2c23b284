//! A disk of a few pages in a private mount namespace, so nothing is left behind even if the test is killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::common::tools::{has, skip};
use crate::common::{Bench, Run};

/// Unit in which the disk allocates space, in bytes.
pub const PAGE: usize = 4096;
pub const PAGES: usize = 64;
const FILLER: &str = "filler";

/// A disk mounted at `disk` in the home directory of a bench, visible only through [`SmallDisk::run`] and its paths.
pub struct SmallDisk {
    namespace_holder: Child,
    dir: PathBuf,
}

/// Unmounts the disk: the namespace ends with its last process.
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.namespace_holder.kill();
        let _ = self.namespace_holder.wait();
    }
}

impl SmallDisk {
    /// Returns `None` if this user may not mount; the test is then skipped.
    pub fn mount(bench: &Bench) -> Option<Self> {
        if !has("unshare") {
            return None;
        }
        let dir = bench.path("disk");
        std::fs::create_dir_all(&dir).unwrap();
        let script = format!("mount -t tmpfs -o size={} none \"$0\" && echo ready && exec sleep 600", PAGES * PAGE);
        let mut command = Command::new("unshare");
        command.args(["--mount", "sh", "-c", &script]).arg(&dir);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut namespace_holder = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(namespace_holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let disk = Self { namespace_holder, dir };
        if line.trim() != "ready" {
            skip("this user cannot mount a small disk with unshare");
            return None;
        }
        Some(disk)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        let inside = self.dir.strip_prefix("/").unwrap().join(name);
        PathBuf::from(format!("/proc/{}/root", self.namespace_holder.id())).join(inside)
    }

    /// A missing file is empty.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Returns the files, sorted, without the filler.
    pub fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut dirs = vec![PathBuf::new()];
        while let Some(dir) = dirs.pop() {
            for entry in std::fs::read_dir(self.path("").join(&dir)).unwrap().map(Result::unwrap) {
                let name = dir.join(entry.file_name());
                if entry.file_type().unwrap().is_dir() {
                    dirs.push(name);
                } else if name.as_os_str().as_bytes() != FILLER.as_bytes() {
                    found.push(name.to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        found
    }

    /// Fills the disk except for `free` pages.
    pub fn fill(&self, free: usize) {
        self.empty();
        let mut file = std::fs::File::create(self.path(FILLER)).unwrap();
        let mut pages = 0;
        while file.write_all(&[0; PAGE]).is_ok() {
            pages += 1;
        }
        assert!(pages >= free, "the disk has {pages} pages");
        file.set_len(((pages - free) * PAGE) as u64).unwrap();
    }

    pub fn empty(&self) {
        let _ = std::fs::remove_file(self.path(FILLER));
    }

    pub fn clear(&self) {
        for entry in std::fs::read_dir(self.path("")).unwrap().map(|entry| entry.unwrap().path()) {
            let _ = std::fs::remove_file(&entry).or_else(|_| std::fs::remove_dir_all(&entry));
        }
    }

    /// `mode` is `ro` or `rw`.
    pub fn remount(&self, mode: &str) {
        let mut command = self.enter();
        command.args(["mount", "-o", &format!("remount,{mode},size={}", PAGES * PAGE)]).arg(&self.dir);
        assert!(command.status().unwrap().success());
    }

    /// Runs the binary in the namespace of the disk, with settings, state and cache on the disk.
    pub fn run(&self, bench: &Bench, args: &[&str]) -> Run {
        self.run_with(bench, args, "")
    }

    pub fn run_with(&self, bench: &Bench, args: &[&str], input: &str) -> Run {
        let plain = bench.command();
        let mut command = self.enter();
        command.args(["sh", "-c", "cd \"$0\" && exec \"$@\""]).arg(bench.dir()).arg(plain.get_program()).args(args);
        command.env_clear().envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        for (name, dir) in [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state"), ("XDG_CACHE_HOME", "cache")] {
            command.env(name, self.dir.join(dir));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Run::unlisted(child.wait_with_output().unwrap())
    }

    fn enter(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args([&format!("--mount=/proc/{}/ns/mnt", self.namespace_holder.id()), "--"]);
        command
    }
}
