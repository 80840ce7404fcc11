//! Paths of output files: checks of the target, temporary names, ownership and modes.
//!
//! A folder may be shared with other users, who can plant links in it. Temporary files therefore have
//! random names and are created exclusively; files with fixed names are opened without following links.

use std::ffi::OsStr;
use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, shown};

/// The file that writing this output replaces: the output itself, or the target of a link.
///
/// # Errors
///
/// [`Error::Output`] if the path is a folder, a device or a pipe.
pub fn target(output: &Path) -> Result<PathBuf> {
    let refused = |kind| Error::Output { path: shown(output), kind };
    let target = match fs::metadata(output) {
        Ok(metadata) if metadata.is_dir() => return Err(refused("a folder")),
        Ok(metadata) if !metadata.is_file() => return Err(refused("a device or a pipe")),
        Ok(_) => fs::canonicalize(output).map_err(|source| Error::Write { path: shown(output), source })?,
        Err(_) => output.to_owned(),
    };
    if target.file_name().is_some() { Ok(target) } else { Err(refused("a folder")) }
}

/// True if the path is a pipe, a socket or a device: opening one may block for ever.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// True if a folder is empty; false if it cannot be read.
pub fn is_empty_folder(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

/// A path in the same folder, its name extended by a prefix and a suffix.
pub fn beside(path: &Path, before: &str, after: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(before);
    name.push(path.file_name().unwrap_or_default());
    name.push(after);
    path.with_file_name(name)
}

/// Prefix of a temporary file's name, and the length of its random suffix: `.dedup-NAME.x1Y2z3W4`.
const TEMPORARY: &str = ".dedup-";
const RANDOM: usize = 8;

/// A builder of temporary files and folders with this mode, reduced by the umask.
#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no modes"))]
pub fn temporary<'n>(mode: u32) -> tempfile::Builder<'n, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.rand_bytes(RANDOM);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    builder
}

/// The prefix of the names of an output's temporary files.
pub fn prefix(output: &Path) -> std::ffi::OsString {
    let mut prefix = std::ffi::OsString::from(TEMPORARY);
    prefix.push(output.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// True if a name belongs to a temporary file of this output.
pub fn is_temporary(name: &OsStr, output: &Path) -> bool {
    let random = name.as_encoded_bytes().strip_prefix(prefix(output).as_encoded_bytes());
    random.is_some_and(|random| random.len() == RANDOM && random.iter().all(u8::is_ascii_alphanumeric))
}

/// The temporary files and folders of an output, except links, that have the same owner as `own`.
pub fn temporaries(output: &Path, own: &Metadata) -> impl Iterator<Item = DirEntry> {
    // A folder that is writable but not readable yields nothing.
    let entries = fs::read_dir(folder(output)).into_iter().flatten().flatten();
    let is_found = |entry: &DirEntry| {
        is_temporary(&entry.file_name(), output)
            && entry.metadata().is_ok_and(|found| !found.is_symlink() && is_of_same_owner(&found, own))
    };
    entries.filter(is_found)
}

/// True if two files belong to one user.
#[cfg(unix)]
pub fn is_of_same_owner(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    a.uid() == b.uid()
}

/// Always true: other systems give each user private folders.
#[cfg(not(unix))]
pub fn is_of_same_owner(_: &Metadata, _: &Metadata) -> bool {
    true
}

/// Creates a folder of a fixed name that only its owner may enter, or accepts the existing one.
///
/// # Errors
///
/// [`Error::Taken`] if the path is a link, a file or a folder of another user;
/// [`Error::Write`].
pub fn own_folder(path: &Path) -> Result<()> {
    let failed = |source| Error::Write { path: shown(path), source };
    #[cfg_attr(not(unix), expect(unused_mut, reason = "a mode exists on Unix only"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        made => return made.map_err(failed),
    }
    let taken = |kind| Error::Taken { path: shown(path), kind };
    let found = fs::symlink_metadata(path).map_err(failed)?;
    if found.is_symlink() {
        return Err(taken("a link"));
    }
    if !found.is_dir() {
        return Err(taken("not a folder"));
    }
    // A new file shows which user this process creates files as.
    let own = tempfile::tempfile_in(folder(path)).and_then(|own| own.metadata()).map_err(failed)?;
    if is_of_same_owner(&found, &own) { Ok(()) } else { Err(taken("a folder of another user")) }
}

/// Opens a file of a fixed name for reading and writing, and creates it if missing; a link is an
/// error.
///
/// # Errors
///
/// Those of the system.
pub fn open_own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    options.open(path).map_err(|error| {
        if path.is_symlink() { io::Error::other("it is a link, which is not followed") } else { error }
    })
}

/// Creates a new file of a fixed name, replacing any existing one.
///
/// # Errors
///
/// Those of the system.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        // A link created there meanwhile is an error.
        _ => File::create_new(path),
    }
}

/// Gives a new file or folder the mode of the one that it will replace, if any.
///
/// # Errors
///
/// Those of the system.
#[cfg(unix)]
pub fn keep_mode(new: &File, replaced: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |metadata: Metadata| metadata.permissions().mode() & 0o777;
    let Ok(kept) = fs::metadata(replaced).map(mode) else { return Ok(()) };
    if mode(new.metadata()?) == kept { Ok(()) } else { new.set_permissions(fs::Permissions::from_mode(kept)) }
}

/// Does nothing: other systems have no modes.
#[cfg(not(unix))]
pub fn keep_mode(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The parent folder of a path; `.` if it names none.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// True if an open file is still the file at a path.
#[cfg(unix)]
pub fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().map(identity).ok() == fs::symlink_metadata(path).map(identity).ok()
}

/// Always true: other systems do not remove open files.
#[cfg(not(unix))]
pub fn is_at(_: &File, _: &Path) -> bool {
    true
}
