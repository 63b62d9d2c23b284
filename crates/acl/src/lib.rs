//! Creates files and directories on Windows that only the current user can access. On other systems, this crate is empty.
//!
//! Setting the access control list after the creation would be too late: another user could have opened the file by then. The standard
//! library cannot set it at creation, so this crate calls Windows. That needs unsafe code, which tulk forbids in most crates.

#![cfg(windows)]

use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt as _;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::path::Path;
use std::ptr::{null_mut, read};

use windows_sys::Win32::Foundation::{GENERIC_READ, GENERIC_WRITE, INVALID_HANDLE_VALUE, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, SDDL_REVISION_1,
};
use windows_sys::Win32::Security::{
    GetTokenInformation, PSECURITY_DESCRIPTOR, SECURITY_ATTRIBUTES, SECURITY_MAX_SID_SIZE, TOKEN_QUERY, TOKEN_USER,
    TokenUser,
};
use windows_sys::Win32::Storage::FileSystem::{
    CREATE_NEW, CreateDirectoryW, CreateFileW, FILE_ATTRIBUTE_NORMAL, FILE_FLAG_OPEN_REPARSE_POINT, FILE_SHARE_DELETE,
    FILE_SHARE_READ, FILE_SHARE_WRITE,
};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
use windows_sys::core::{BOOL, PWSTR};

/// Creates a file and opens it for reading and writing. Fails if the path exists. A long path must be verbatim.
pub fn create_file(path: &Path) -> io::Result<File> {
    let (path, access) = (wide(path), OnlyThisUser::new("")?);
    let share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    // SAFETY: the path ends with NUL, and the attributes and their descriptor live until the call returns.
    let handle = unsafe {
        CreateFileW(
            path.as_ptr(),
            GENERIC_READ | GENERIC_WRITE,
            share,
            &raw const access.attributes,
            CREATE_NEW,
            // Without this flag, a symbolic link that leads nowhere would be followed.
            FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT,
            null_mut(),
        )
    };
    if handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is valid, and nothing else owns it.
    Ok(unsafe { File::from_raw_handle(handle) })
}

/// Creates a directory. New files and directories in it inherit its access control list. Fails if the path exists. A long path must be
/// verbatim.
pub fn create_dir(path: &Path) -> io::Result<()> {
    let (path, access) = (wide(path), OnlyThisUser::new("OICI")?);
    // SAFETY: the path ends with NUL, and the attributes and their descriptor live until the call returns.
    check(unsafe { CreateDirectoryW(path.as_ptr(), &raw const access.attributes) })
}

fn wide(path: &Path) -> Vec<u16> {
    path.as_os_str().encode_wide().chain([0]).collect()
}

/// A security descriptor that grants all rights to this user and none to others, and inherits nothing.
struct OnlyThisUser {
    attributes: SECURITY_ATTRIBUTES,
}

impl OnlyThisUser {
    /// `inheritance` are the flags that decide what inherits the entry, in the notation of security descriptors.
    fn new(inheritance: &str) -> io::Result<Self> {
        let text = format!("D:P(A;{inheritance};FA;;;{})\0", user_sid()?);
        let text: Vec<u16> = text.encode_utf16().collect();
        let mut descriptor: PSECURITY_DESCRIPTOR = null_mut();
        // SAFETY: the text ends with NUL. The call allocates the descriptor, which `drop` frees.
        check(unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                text.as_ptr(),
                SDDL_REVISION_1,
                &raw mut descriptor,
                null_mut(),
            )
        })?;
        let attributes = SECURITY_ATTRIBUTES {
            #[allow(clippy::cast_possible_truncation)] // 24 bytes
            nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
            lpSecurityDescriptor: descriptor,
            bInheritHandle: 0,
        };
        Ok(Self { attributes })
    }
}

impl Drop for OnlyThisUser {
    fn drop(&mut self) {
        // SAFETY: Windows allocated the descriptor, and nothing uses it any more.
        unsafe { LocalFree(self.attributes.lpSecurityDescriptor) };
    }
}

/// Returns the security identifier of the user who runs this process, such as `S-1-5-21-1-2-3-1001`.
fn user_sid() -> io::Result<String> {
    /// Space for a `TOKEN_USER` and the identifier that it points to.
    #[repr(C)]
    struct Buffer(TOKEN_USER, [u8; SECURITY_MAX_SID_SIZE as usize]);
    let mut token = null_mut();
    // SAFETY: the call stores a handle in `token`.
    check(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) })?;
    // SAFETY: the handle is valid, and nothing else owns it.
    let token = unsafe { OwnedHandle::from_raw_handle(token) };
    let mut buffer = Buffer(TOKEN_USER::default(), [0; SECURITY_MAX_SID_SIZE as usize]);
    let mut used = 0;
    #[allow(clippy::cast_possible_truncation)] // 88 bytes
    let size = size_of::<Buffer>() as u32;
    // SAFETY: the call writes at most `size` bytes to the buffer.
    check(unsafe {
        GetTokenInformation(token.as_raw_handle(), TokenUser, (&raw mut buffer).cast(), size, &raw mut used)
    })?;
    let mut text: PWSTR = null_mut();
    // SAFETY: the identifier is in the buffer. The call allocates the text, which `take_text` frees.
    check(unsafe { ConvertSidToStringSidW(buffer.0.User.Sid, &raw mut text) })?;
    // SAFETY: the text ends with NUL, and nothing else owns it.
    Ok(unsafe { take_text(text) })
}

/// Copies a text that Windows allocated, and frees it.
///
/// # Safety
///
/// The text must end with NUL, and nothing may use it afterwards.
unsafe fn take_text(text: PWSTR) -> String {
    // SAFETY: reading ends at the NUL.
    let units: Vec<u16> = (0..).map(|at| unsafe { read(text.add(at)) }).take_while(|unit| *unit != 0).collect();
    // SAFETY: Windows allocated the text, and nothing uses it any more.
    unsafe { LocalFree(text.cast()) };
    String::from_utf16_lossy(&units)
}

fn check(result: BOOL) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Write as _};

    use windows_sys::Win32::Security::Authorization::{
        ConvertSecurityDescriptorToStringSecurityDescriptorW, GetNamedSecurityInfoW, SE_FILE_OBJECT,
    };
    use windows_sys::Win32::Security::DACL_SECURITY_INFORMATION;

    use super::*;

    fn access_list_text(descriptor: PSECURITY_DESCRIPTOR) -> String {
        let mut text: PWSTR = null_mut();
        // SAFETY: the descriptor is valid. The call allocates the text, which `take_text` frees.
        unsafe {
            check(ConvertSecurityDescriptorToStringSecurityDescriptorW(
                descriptor,
                SDDL_REVISION_1,
                DACL_SECURITY_INFORMATION,
                &raw mut text,
                null_mut(),
            ))
            .unwrap();
            take_text(text)
        }
    }

    /// Returns the access control list of a path in the notation of security descriptors.
    fn access_list(path: &Path) -> String {
        let mut descriptor: PSECURITY_DESCRIPTOR = null_mut();
        let none = null_mut();
        // SAFETY: the path ends with NUL. The call allocates the descriptor, which is freed below.
        unsafe {
            let name = wide(path);
            let kind = DACL_SECURITY_INFORMATION;
            let code = GetNamedSecurityInfoW(
                name.as_ptr(),
                SE_FILE_OBJECT,
                kind,
                none,
                none,
                null_mut(),
                null_mut(),
                &raw mut descriptor,
            );
            assert_eq!(code, 0);
            let text = access_list_text(descriptor);
            LocalFree(descriptor);
            text
        }
    }

    /// Returns the identifier of this user as it is shown in lists: Windows abbreviates some, such as a built-in administrator's to `LA`.
    fn user_in_list() -> String {
        let list = access_list_text(OnlyThisUser::new("").unwrap().attributes.lpSecurityDescriptor);
        let user = list.strip_prefix("D:P(A;;FA;;;").and_then(|list| list.strip_suffix(")")).unwrap();
        assert!(user == user_sid().unwrap() || user.len() == 2, "{list}");
        user.to_owned()
    }

    #[test]
    fn new_files_and_directories_get_the_list() {
        let dir = tempfile::tempdir().unwrap();
        let (file, below) = (dir.path().join("file"), dir.path().join("below"));
        create_file(&file).unwrap().write_all(b"secret").unwrap();
        assert_eq!(create_file(&file).unwrap_err().kind(), ErrorKind::AlreadyExists);
        create_dir(&below).unwrap();
        assert_eq!(create_dir(&below).unwrap_err().kind(), ErrorKind::AlreadyExists);
        std::fs::write(below.join("inner"), "secret").unwrap();
        let user = user_in_list();
        let list = access_list(&file);
        if list == format!("D:(A;;FA;;;SY)(A;;FA;;;{user})") {
            // Wine stores only a Unix mode. It does not know protected lists, and new files inherit nothing.
            assert_eq!(access_list(&below), format!("D:(A;OICI;FA;;;SY)(A;OICI;FA;;;{user})"));
            return;
        }
        // `AI` (inherited automatically) does not change who has access.
        let list_of = |path: &Path| access_list(path).replacen("AI(", "(", 1);
        assert_eq!(list_of(&file), format!("D:P(A;;FA;;;{user})"));
        assert_eq!(list_of(&below), format!("D:P(A;OICI;FA;;;{user})"));
        assert_eq!(list_of(&below.join("inner")), format!("D:(A;ID;FA;;;{user})"));
    }
}
