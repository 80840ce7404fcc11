//! I/O errors in the user's words.

use std::io;

use super::Error;

/// The reason why a file cannot be read, with the remedy where there is one.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the name and the folder".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it; change its mode or run as its owner".into(),
        _ => format!("cannot be read: {error}"),
    }
}

/// The reason why a file cannot be written, with the remedy.
pub(super) fn write_reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "no space is left to write it; free some, or write to another disk".into()
        }
        io::ErrorKind::FileTooLarge => {
            "exceeds the file size limit; raise the limit (`ulimit -f`), or write to another disk".into()
        }
        io::ErrorKind::NotFound => "its folder does not exist; make it first".into(),
        io::ErrorKind::PermissionDenied => {
            "no permission to write it; change the mode of its folder, or write elsewhere".into()
        }
        io::ErrorKind::InvalidFilename => "its name is too long for the disk; give a shorter one".into(),
        io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only; write elsewhere".into(),
        _ => format!("cannot be written: {error}; fix this, or write elsewhere"),
    }
}

/// The process that holds a lock, in brackets.
pub(super) fn by_process(by: Option<&String>) -> String {
    by.map_or_else(String::new, |by| format!(" ({by})"))
}

impl Error {
    /// The same error for a step before the change itself: the change is not made then, so [`Error::Unsynced`] becomes
    /// [`Error::Write`].
    #[must_use]
    pub fn of_a_step(self) -> Self {
        match self {
            Self::Unsynced { path, source } => Self::Write { path, source },
            other => other,
        }
    }
}
