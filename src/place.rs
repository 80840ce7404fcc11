//! Where a file is to be written: what stands there now, and who else is at it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, shown};

/// The file that is replaced if this is written: itself, or what a link points to.
///
/// # Errors
///
/// [`Error::Output`] if something else stands there, a folder or a device.
pub(crate) fn target(output: &Path) -> Result<PathBuf> {
    let refused = |kind| Error::Output { path: shown(output), kind };
    let target = match fs::metadata(output) {
        Ok(metadata) if metadata.is_dir() => return Err(refused("a folder")),
        Ok(metadata) if !metadata.is_file() => return Err(refused("a device or a pipe")),
        Ok(_) => fs::canonicalize(output).map_err(|source| Error::Write { path: shown(output), source })?,
        Err(_) => output.to_owned(),
    };
    if target.file_name().is_some() { Ok(target) } else { Err(refused("a folder")) }
}

/// Whether a pipe, a socket or a device stands there: to open it may wait for ever.
pub(crate) fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A name beside another, with something before it and after it.
pub(crate) fn beside(path: &Path, before: &str, after: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(after);
    path.with_file_name(name)
}

/// The folder that something stands in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether an open file still stands at a path.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(identity).ok() == fs::metadata(path).map(identity).ok()
}

/// Whether an open file still stands at a path: elsewhere an open one is not removed.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, _: &Path) -> bool {
    true
}
