//! What the system said, in the user's words.

use std::io;

/// What the system said, in the user's words and with the remedy where there is one.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the name and the folder".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it; change its mode or run as its owner".into(),
        _ => format!("cannot be read: {error}"),
    }
}

/// The same for a file that is written.
pub(super) fn write_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "no space is left to write it; free some, or write to another disk".into()
        }
        io::ErrorKind::FileTooLarge => {
            "no file may be as long as it would be; raise the limit (`ulimit -f`), or write to another disk".into()
        }
        io::ErrorKind::NotFound => "its folder does not exist; make it first".into(),
        io::ErrorKind::PermissionDenied => {
            "no permission to write it; change the mode of its folder, or write elsewhere".into()
        }
        io::ErrorKind::InvalidFilename => "its name is too long for the disk; give a shorter one".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only; write elsewhere".into(),
        _ => format!("cannot be written: {error}; mend this, or write elsewhere"),
    }
}
