//! Owners and permissions of files and folders; elsewhere than on Unix the permission to write.

use std::fs::{self, DirBuilder, File, Metadata, Permissions};
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

/// Creates a new file that only its owner may read.
pub(super) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Creates a folder and those above it that are missing, with the permissions of the folder `like` and those above that; their
/// owner may always write. Without one only the owner may read them.
pub(super) fn create_folders(folder: &Path, like: Option<&Path>) -> io::Result<()> {
    if folder.as_os_str().is_empty() || folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        create_folders(above, like.and_then(Path::parent))?;
    }
    let permissions = like.and_then(|like| fs::metadata(like).ok()).map(|metadata| metadata.permissions());
    create_folder(folder)?;
    permissions.map_or(Ok(()), |permissions| fs::set_permissions(folder, writable(permissions)))
}

#[cfg(unix)]
fn create_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    DirBuilder::new().mode(OWNER).create(folder)
}

#[cfg(unix)]
const OWNER: u32 = 0o700;

#[cfg(unix)]
fn writable(mut permissions: Permissions) -> Permissions {
    use std::os::unix::fs::PermissionsExt;
    permissions.set_mode(permissions.mode() | OWNER);
    permissions
}

#[cfg(not(unix))]
fn create_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().create(folder)
}

#[cfg(not(unix))]
fn writable(mut permissions: Permissions) -> Permissions {
    permissions.set_readonly(false);
    permissions
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
