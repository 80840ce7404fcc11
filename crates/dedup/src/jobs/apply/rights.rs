//! Owners and permissions of files; elsewhere than on Unix the permission to write.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// True if both files are there and have one owner, one group and the same permissions.
pub(super) fn are_equal(a: &Path, b: &Path) -> bool {
    let of = |path: &Path| fs::metadata(path).ok().map(|metadata| (metadata.permissions(), owners(&metadata)));
    of(a).is_some_and(|rights| Some(rights) == of(b))
}

/// Gives a new file the owner, the group and the permissions of another.
pub(super) fn give(path: &Path, metadata: &Metadata) -> io::Result<()> {
    give_owners(path, metadata)?;
    // A change of the owner takes some of them away.
    fs::set_permissions(path, metadata.permissions())
}

#[cfg(unix)]
fn owners(metadata: &Metadata) -> (u32, u32) {
    use std::os::unix::fs::MetadataExt;
    (metadata.uid(), metadata.gid())
}

#[cfg(unix)]
fn give_owners(path: &Path, metadata: &Metadata) -> io::Result<()> {
    let (wanted, found) = (owners(metadata), owners(&fs::metadata(path)?));
    if wanted == found { Ok(()) } else { std::os::unix::fs::chown(path, Some(wanted.0), Some(wanted.1)) }
}

#[cfg(not(unix))]
fn owners(_: &Metadata) {}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
fn give_owners(_: &Path, _: &Metadata) -> io::Result<()> {
    Ok(())
}
