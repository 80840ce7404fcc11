//! Files that programs have open.
//!
//! Linux names them below `/proc`, those of other users only to root; elsewhere none is known.

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::Path;

/// The numbers of a file's device and inode; `None` where there are none.
pub(super) fn identity(path: &Path) -> Option<(u64, u64)> {
    fs::metadata(path).ok().as_ref().and_then(numbers)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have none")]
fn numbers(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
fn numbers(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// True if two paths lead to one file.
pub(super) fn are_one(a: &Path, b: &Path) -> bool {
    identity(a).is_some_and(|of_a| identity(b) == Some(of_a))
}

/// All files that other programs have open, as far as this user may know it.
pub(super) fn files() -> HashSet<(u64, u64)> {
    let mut open = HashSet::new();
    let own = std::process::id().to_string();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = process.file_name();
        if name.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()) && name != *own {
            let files = fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
            open.extend(files.filter_map(|file| identity(&file.path())));
        }
    }
    open
}
