//! Files get another place, or become links; each is whole in one place at any moment.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use nearcopy::durable::{disk, paths};
use nearcopy_corpus::source;

use super::rights;
use crate::jobs::audit::is_regular;
use crate::jobs::file_digest::in_hex;

/// Moves a file to a place where nothing is. Its digest is that of its bytes.
pub(super) fn relocate(from: &Path, to: &Path, digest: &str) -> io::Result<()> {
    // A second name is made first, as a rename would replace what another program puts there.
    if fs::hard_link(from, to).is_err() {
        copy(from, to, digest)?;
    }
    fs::remove_file(from).inspect_err(|_| {
        // Otherwise the file would have two names, of which one is where nobody looks for it.
        if fs::symlink_metadata(from).is_ok() {
            let _ = fs::remove_file(to);
        }
    })
}

/// Copies a file to another file system. It gets its name when it is whole and on the disk.
fn copy(from: &Path, to: &Path, digest: &str) -> io::Result<()> {
    remove_part(to, digest);
    let part = part(to, digest);
    let mut copy = rights::create_private(&part)?;
    let mut whole = || {
        let mut original = File::open(from)?;
        let metadata = original.metadata()?;
        io::copy(&mut original, &mut copy)?;
        copy.set_modified(metadata.modified()?)?;
        rights::give(&part, &metadata)?;
        disk::sync(&copy, &part)?;
        if in_hex(&part)? != digest {
            return Err(io::Error::other("the copy differs"));
        }
        disk::rename_new(&part, to)
    };
    whole().inspect_err(|_| remove_part(to, digest))?;
    disk::sync_folder(paths::folder(to))
}

/// The name of a copy that is not whole yet.
fn part(to: &Path, digest: &str) -> PathBuf {
    to.with_file_name(format!(".dedup-{digest}"))
}

/// Removes an unfinished copy, such as one that a killed run has left.
pub(super) fn remove_part(to: &Path, digest: &str) {
    let part = part(to, digest);
    if is_regular(&part) {
        // One that cannot be removed is in the way of the next, which then fails.
        let _ = fs::remove_file(part);
    }
}

/// Replaces a file by another name of one with the same bytes.
pub(super) fn link(keep: &Path, file: &Path) -> io::Result<()> {
    replace(file, |new| fs::hard_link(keep, new))
}

/// Replaces a file by what `make` makes beside it.
pub(super) fn replace(file: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let new = paths::beside(file, ".", ".dedup");
    if fs::symlink_metadata(&new).is_ok() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("{} is in the way", source::name(&new))));
    }
    make(&new).and_then(|()| fs::rename(&new, file)).inspect_err(|_| {
        // What `make` began is in the way of the next try.
        let _ = fs::remove_file(&new);
    })
}

/// Removes the folders around a path, below `folder`, that are empty.
pub(super) fn remove_empty(path: &Path, folder: &Path) {
    // What is not empty, or not ours, stays.
    for left in path.ancestors().skip(1).take_while(|left| left.starts_with(folder) && *left != folder) {
        if fs::remove_dir(left).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
        fs::write(&from, "the text").unwrap();
        let digest = in_hex(&from).unwrap();
        // A killed run has left this.
        fs::write(part(&to, &digest), "the").unwrap();
        copy(&from, &to, &digest).unwrap();
        let modified = |path: &Path| fs::metadata(path).unwrap().modified().unwrap();
        assert_eq!((fs::read_to_string(&to).unwrap().as_str(), modified(&to)), ("the text", modified(&from)));
        // Nothing is replaced, and no part is left.
        fs::write(&to, "another").unwrap();
        assert_eq!(copy(&from, &to, &digest).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&to).unwrap(), "another");
        fs::remove_file(&to).unwrap();
        assert!(copy(&from, &to, "0").unwrap_err().to_string().contains("differs"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
