//! Checks that no other user could have written a file, before tulk uses it: files that tulk wrote, and settings that run a command.
//!
//! The owner must be this user or root; under `sudo`, also the user who called it. A group may have write access if it is root's, or if
//! this user is its only member, as on systems that give each user a private group and use umask 002. A sticky directory may be writable
//! by anyone, unless it contains a settings file with a command.

use std::path::Path;

use crate::error::Failure;

/// Fails if another user could have written or replaced a file. A missing file or directory is accepted.
pub fn check_trusted_file(path: &Path) -> Result<(), Failure> {
    super::check_shared(path)?;
    check_trusted_dir(super::parent_dir(path))?;
    permissions::check(path, "it is not used", false)
}

/// Fails if another user could replace files in a directory. A missing directory is accepted.
pub fn check_trusted_dir(dir: &Path) -> Result<(), Failure> {
    permissions::check(dir, "it is not used", true)
}

/// Fails if another user could have written the settings file that contains the command in setting `name`. Checks the file, its
/// directory, the directories above, and the targets of links.
pub fn check_runnable(path: &Path, name: &str) -> Result<(), Failure> {
    let given = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let real = path.canonicalize().unwrap_or_else(|_| given.clone());
    permissions::check_file_and_directories(&given, name)?;
    if real == given { Ok(()) } else { permissions::check_file_and_directories(&real, name) }
}

#[cfg(unix)]
mod permissions {
    use std::fs::Metadata;
    use std::os::unix::fs::MetadataExt as _;
    use std::path::Path;

    use rustix::process::geteuid;

    use super::{Failure, user};
    use crate::error::is_out_of_files;
    use crate::files::read_bounded;
    use crate::limits::ACCOUNTS_FILE;
    use crate::shell::quote_file;

    const STICKY: u32 = 0o1000;
    const GROUP: u32 = 0o020;
    const OTHERS: u32 = 0o002;

    /// With `sticky_is_enough`, accepts a sticky directory that others may write to: they cannot replace files in it.
    pub fn check(path: &Path, consequence: &str, sticky_is_enough: bool) -> Result<(), Failure> {
        let Ok(found) = path.metadata() else { return Ok(()) };
        check_owner(path, &found, consequence)?;
        check_mode(path, &found, consequence, sticky_is_enough)
    }

    /// Checks a file, its directory, and the modes of the directories above. Others must not be able to write to the directory
    /// itself, even if it is sticky.
    pub fn check_file_and_directories(path: &Path, setting: &str) -> Result<(), Failure> {
        let consequence = format!("its {setting} is not run");
        check(path, &consequence, false)?;
        let consequence = format!("the {setting} in {} is not run", path.display());
        for (above, dir) in path.ancestors().skip(1).enumerate() {
            let Ok(found) = dir.metadata() else { continue };
            if above == 0 {
                check_owner(dir, &found, &consequence)?;
            }
            check_mode(dir, &found, &consequence, above > 0)?;
        }
        Ok(())
    }

    fn check_owner(path: &Path, found: &Metadata, consequence: &str) -> Result<(), Failure> {
        let (me, owner) = (geteuid().as_raw(), found.uid());
        // sudo sets SUDO_UID. On systems where it keeps HOME, root uses the files of the caller.
        let is_caller = || me == 0 && std::env::var("SUDO_UID").is_ok_and(|caller| caller.parse::<u32>() == Ok(owner));
        if owner == me || owner == 0 || is_caller() {
            return Ok(());
        }
        let (name, owner) = (path.display().to_string(), user(owner));
        let (all, file) = (if found.is_dir() { "-R " } else { "" }, quote_file(&name));
        Err(Failure::usage(format!("{name} belongs to {owner}, so {consequence}"))
            .hint(format!("remove it, or if you trust what is in it, run as root: chown {all}{me} {file}")))
    }

    fn check_mode(path: &Path, found: &Metadata, consequence: &str, sticky_is_enough: bool) -> Result<(), Failure> {
        let mode = found.mode() & 0o7777;
        if sticky_is_enough && found.is_dir() && mode & STICKY != 0 {
            return Ok(());
        }
        if mode & OTHERS == 0 && (mode & GROUP == 0 || has_only_this_user(found.gid())?) {
            return Ok(());
        }
        let name = path.display();
        Err(Failure::usage(format!("{name} can be written by others (mode {mode:o}), so {consequence}"))
            .hint(format!("run: chmod go-w {}", quote_file(&name.to_string()))))
    }

    /// Returns whether a group is root's, or this user's private one: it has the user's name or number and no other members.
    fn has_only_this_user(gid: u32) -> Result<bool, Failure> {
        let me = geteuid().as_raw();
        let number = |id: u32| move |line: &Vec<String>| line.get(2).is_some_and(|field| *field == id.to_string());
        let name = account_lines("/etc/passwd")?.find(number(me)).and_then(|line| line.into_iter().next());
        let group = account_lines("/etc/group")?.find(number(gid)).unwrap_or_default();
        let is_named_like_user = name.is_some() && group.first() == name.as_ref();
        let is_me = |member: &str| member.is_empty() || name.as_deref() == Some(member);
        let has_others = || group.get(3).is_some_and(|list| !list.split(',').all(is_me));
        Ok(gid == 0 || ((gid == me || is_named_like_user) && !has_others()))
    }

    /// An unreadable file counts as empty, unless the process is out of file descriptors.
    pub fn account_lines(file: &str) -> Result<impl Iterator<Item = Vec<String>>, Failure> {
        let text = match read_bounded(Path::new(file), ACCOUNTS_FILE) {
            Err(e) if is_out_of_files(&e) => return Err(Failure::file("read", Path::new(file), &e)),
            read => read.unwrap_or_default(),
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        let lines: Vec<Vec<String>> = text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect();
        Ok(lines.into_iter())
    }
}

/// Formats a user for messages: the name if it is known, otherwise the number.
#[cfg(unix)]
pub fn user(uid: u32) -> String {
    let number = uid.to_string();
    let found = permissions::account_lines("/etc/passwd")
        .ok()
        .and_then(|mut lines| lines.find(|line| line.get(2) == Some(&number)));
    format!("user {}", found.and_then(|line| line.into_iter().next()).unwrap_or(number))
}

/// Accepts every file, because this platform has no modes.
#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)] // the signatures of Unix
mod permissions {
    use super::{Failure, Path};

    pub fn check(_: &Path, _: &str, _: bool) -> Result<(), Failure> {
        Ok(())
    }

    pub fn check_file_and_directories(_: &Path, _: &str) -> Result<(), Failure> {
        Ok(())
    }
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::path::PathBuf;

    use super::*;
    use crate::error::Kind;
    use crate::files::is_root_to;

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    /// A directory with a file, both private.
    fn private_dir_with_file() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let base = tempfile::tempdir().unwrap();
        set(base.path(), 0o700);
        let dir = base.path().join("tulk");
        fs::create_dir(&dir).unwrap();
        let file = dir.join("file");
        fs::write(&file, "").unwrap();
        set(&dir, 0o700);
        set(&file, 0o600);
        (base, dir, file)
    }

    #[test]
    fn a_file_that_others_can_write_is_refused() {
        let (_base, dir, file) = private_dir_with_file();
        check_trusted_file(&file).unwrap();
        check_trusted_file(&dir.join("missing")).unwrap();
        for mode in [0o644, 0o604, 0o640] {
            set(&file, mode);
            check_trusted_file(&file).unwrap();
        }
        set(&file, 0o666);
        let failure = check_trusted_file(&file).unwrap_err();
        let expected = format!("{} can be written by others (mode 666), so it is not used", file.display());
        assert_eq!(failure.what, expected);
        assert!(failure.hint.unwrap().starts_with("run: chmod go-w "));
        set(&file, 0o600);
        set(&dir, 0o777);
        assert!(check_trusted_file(&file).unwrap_err().what.contains("tulk can be written by others (mode 777)"));
        assert!(check_trusted_file(&dir.join("missing")).is_err(), "another user could create it");
        set(&dir, 0o1777);
        check_trusted_file(&file).unwrap();
    }

    #[test]
    fn a_file_of_another_user_is_refused() {
        let (_base, dir, file) = private_dir_with_file();
        if !is_root_to("make files of other users") {
            return;
        }
        chown(&file, Some(65_534), None).unwrap();
        assert!(check_trusted_file(&file).unwrap_err().what.contains("/file belongs to user "));
        chown(&file, Some(0), None).unwrap();
        chown(&dir, Some(65_534), None).unwrap();
        assert!(check_trusted_file(&file).unwrap_err().what.contains("/tulk belongs to user "));
        assert!(check_runnable(&file, "key_command").is_err());
    }

    #[test]
    fn only_a_group_without_other_members_may_write() {
        let (_base, _, file) = private_dir_with_file();
        set(&file, 0o660);
        if !is_root_to("give files to other groups") {
            return;
        }
        chown(&file, None, Some(65_534)).unwrap();
        assert!(check_trusted_file(&file).is_err());
        chown(&file, None, Some(0)).unwrap();
        check_trusted_file(&file).unwrap();
    }

    #[test]
    fn reports_accounts_that_cannot_be_read_because_too_many_files_are_open() {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        const CHILD_TEST_VARIABLE: &str = "TULK_TEST_WITHOUT_FILES";
        // This uses up all file descriptors, so it runs in a separate process.
        if std::env::var_os(CHILD_TEST_VARIABLE).is_none() {
            let name =
                concat!(module_path!(), "::reports_accounts_that_cannot_be_read_because_too_many_files_are_open");
            let (_, name) = name.split_once("::").unwrap();
            let mut test = std::process::Command::new(std::env::current_exe().unwrap());
            let output = test.args(["--exact", name]).env(CHILD_TEST_VARIABLE, "1").output().unwrap();
            assert!(output.status.success(), "{output:?}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
            return;
        }
        let (_base, _, file) = private_dir_with_file();
        set(&file, 0o660);
        let limit = Rlimit { current: Some(64), maximum: getrlimit(Resource::Nofile).maximum };
        setrlimit(Resource::Nofile, limit).unwrap();
        let open: Vec<_> = std::iter::from_fn(|| fs::File::open(&file).ok()).collect();
        let failure = check_trusted_file(&file).unwrap_err();
        drop(open);
        assert_eq!(
            (failure.kind, failure.what.as_str()),
            (Kind::Internal, "cannot read /etc/passwd: Too many open files")
        );
        assert!(failure.hint.unwrap().contains("`ulimit -n "));
    }

    #[test]
    fn a_command_is_not_run_if_a_directory_above_it_can_be_changed() {
        let (base, dir, file) = private_dir_with_file();
        check_runnable(&file, "key_command").unwrap();
        for mode in [0o777, 0o1777] {
            set(&dir, mode);
            let failure = check_runnable(&file, "key_command").unwrap_err();
            let end = format!("so the key_command in {} is not run", file.display());
            assert!(failure.what.ends_with(&end), "{failure}");
        }
        if is_root_to("give directories to other groups") {
            chown(&dir, None, Some(65_534)).unwrap();
            set(&dir, 0o1775);
            assert!(check_runnable(&file, "key_command").is_err(), "the group could add the settings file");
        }
        set(&dir, 0o755);
        set(base.path(), 0o777);
        assert!(check_runnable(&file, "key_command").is_err());
        set(base.path(), 0o1777);
        check_runnable(&file, "key_command").unwrap();
        set(&file, 0o602);
        assert!(check_runnable(&file, "key_command").unwrap_err().what.ends_with("so its key_command is not run"));
    }

    #[test]
    fn a_command_is_not_run_if_the_target_of_a_link_can_be_changed() {
        let (base, dir, file) = private_dir_with_file();
        let link = base.path().join("link");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        check_runnable(&link, "key_command").unwrap();
        set(&dir, 0o777);
        assert!(check_runnable(&link, "key_command").is_err());
    }
}
