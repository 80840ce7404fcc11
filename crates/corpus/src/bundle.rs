//! Bundles: ZIP and tar archives of documents, as learning platforms export them.
//!
//! A bundle is read like a folder: each member is a file named `hand-ins.zip/anna/essay.docx`, of any format but another
//! bundle. Members stay in memory, one at a time; their names never become files.
//!
//! ```text
//!  file ──▶ open: ZIP (by its directory) or tar (by its header; packed, by its name too) ──▶ bundle
//!  bundle ──▶ next: a member, or the problem of one
//! ```
//!
//! Refused are members whose names lead out of the bundle, links, bundles within bundles, and members that unpack
//! to far more than their size ([`MOST`], [`zip`]).
//!
//! Cost: the directory of a ZIP archive; one member at a time.

mod tar;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use nearcopy_extract::Format;
use nearcopy_extract::Refusal;
use nearcopy_extract::foreign::{self, is_tar};
use nearcopy_extract::zip::{self, Archive, Member as Packed};

use super::Source;
use super::compression::Compression;
use crate::error::Reason;

/// Maximum size in bytes that all members of a bundle may have together, if that is more than [`RATIO`] times the
/// bundle's own size.
const MOST: u64 = 1 << 30;

/// Maximum ratio between the size of all members and that of the bundle.
const RATIO: u64 = 250;

/// The first bytes from which a bundle is known.
const HEAD: usize = 512;

const OUTSIDE: Reason = Reason::Member(
    "name outside the archive",
    "has a name that leads out of the archive; unpack the archive with a program that you trust, and name the folder",
);
const LINK: Reason = Reason::Member(
    "link in an archive",
    "is a link, which is not followed within an archive; unpack the archive first",
);
const NESTED: Reason = Reason::Member(
    "archive in an archive",
    "is an archive in an archive; unpack the outer one first, and name the folder",
);
const SPARSE: Reason = Reason::Member(
    "sparse file in an archive",
    "is stored in a form that is not read (sparse); unpack the archive first",
);

/// A file of a bundle.
pub(super) struct Member {
    /// Its name in the bundle, as file names are displayed.
    pub(super) name: String,
    /// Its bytes, or the reason why it cannot be read.
    pub(super) content: Result<Vec<u8>, Reason>,
    /// The number of bytes of the bundle that it takes.
    pub(super) packed: u64,
    /// The time that the bundle states for it, in seconds since 1970.
    pub(super) date: Option<i64>,
}

/// The members of a ZIP archive, each with its name, that are still to be read.
type ZipMembers = std::vec::IntoIter<(Vec<u8>, Packed)>;

/// The members of a bundle that are still to be read.
pub(super) enum Bundle {
    Zip { bytes: Source, members: ZipMembers },
    Tar(tar::Members),
}

impl Bundle {
    /// The members of a file that is a bundle; `None` if it is none. The file is then at its beginning.
    ///
    /// # Errors
    ///
    /// [`Reason::Refused`] for a bundle that unpacks to too much.
    pub(super) fn open(path: &Path, file: &mut File) -> Result<Option<Self>, Reason> {
        let mut head = Vec::new();
        let mut begin = || -> io::Result<()> {
            file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
            file.rewind()
        };
        // An error of reading is reported when the file is read as a document.
        if begin().is_err() {
            return Ok(None);
        }
        if zip::begins(&head) {
            return zip_at(path);
        }
        let compression = Compression::recognise(&head);
        if is_tar(&head) || compression.is_some() && is_named_as_tar(path) {
            let size = file.metadata().map_or(0, |metadata| metadata.len());
            return Ok(tar::Members::open(path, compression, most(size)).map(Self::Tar));
        }
        Ok(None)
    }

    /// The members of a ZIP archive in memory, whose bytes are then taken; `None` if it is no bundle.
    ///
    /// # Errors
    ///
    /// As [`Bundle::open`].
    pub(super) fn held(bytes: &mut Vec<u8>) -> Result<Option<Self>, Reason> {
        let members = zip_members(bytes)?;
        Ok(members.map(|members| Self::Zip { members, bytes: std::mem::take(bytes).into() }))
    }

    /// The next member that `takes` accepts by its name, and that is a file; members beyond `limit` bytes are problems.
    pub(super) fn next(&mut self, limit: u64, takes: impl Fn(&str) -> bool) -> Option<Member> {
        let mut member = match self {
            Self::Tar(members) => members.next(limit, takes)?,
            Self::Zip { bytes, members } => loop {
                let (name, member) = members.next()?;
                if let Some(name) = file_name(&name)
                    && takes(&name)
                {
                    let (packed, date) = (member.packed(), member.date());
                    break Member { content: unpack(bytes, &name, member, limit), name, packed, date };
                }
            },
        };
        if member.content.as_ref().is_ok_and(|bytes| is_bundle(&member.name, bytes)) {
            member.content = Err(NESTED);
        }
        Some(member)
    }
}

/// The maximum size of all members of a bundle of some size.
fn most(size: u64) -> u64 {
    MOST.max(RATIO.saturating_mul(size))
}

/// The bundle that a ZIP archive is; `None` if it is a document, the file of a program, or damaged.
fn zip_at(path: &Path) -> Result<Option<Bundle>, Reason> {
    // Errors are reported when the file is read as a document.
    let Ok(bytes) = Source::open(path) else { return Ok(None) };
    Ok(zip_members(&bytes)?.map(|members| Bundle::Zip { members, bytes }))
}

/// The members of a ZIP archive that is a bundle.
fn zip_members(bytes: &[u8]) -> Result<Option<ZipMembers>, Reason> {
    if !is_zip_bundle(bytes) {
        return Ok(None);
    }
    let Ok(archive) = Archive::open(bytes) else { return Ok(None) };
    let members = archive.into_members();
    let unpacked = members.iter().fold(0, |sum: u64, (_, member)| sum.saturating_add(member.unpacked()));
    if unpacked > most(bytes.len() as u64) {
        return Err(Reason::Refused(Refusal::TooLarge));
    }
    Ok(Some(members.into_iter()))
}

/// True if bytes are a ZIP archive that is no document and not the file of a program.
fn is_zip_bundle(bytes: &[u8]) -> bool {
    zip::begins(bytes)
        && matches!(Format::of_bytes(bytes), Ok(None))
        && Archive::open(bytes).is_ok_and(|archive| foreign::package(&archive).is_none())
}

/// True if a member is a bundle itself.
fn is_bundle(name: &str, bytes: &[u8]) -> bool {
    let is_packed = || Compression::recognise(bytes).is_some() && is_named_as_tar(Path::new(name));
    is_zip_bundle(bytes) || is_tar(bytes) || is_packed()
}

/// The reason why a member of this name is not unpacked: a greater limit would not help an archive.
fn too_long(name: &str, limit: u64) -> Reason {
    let is_zip = Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
    if is_zip || is_named_as_tar(Path::new(name)) { NESTED } else { Reason::TooLong(limit) }
}

/// True if a name says that a compressed file is a tar archive.
fn is_named_as_tar(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let ending = |name: &str| name.rsplit_once('.').map_or_else(String::new, |(_, ending)| ending.to_owned());
    matches!(&*ending(&name), "tgz" | "tbz" | "tbz2" | "txz" | "tzst") || ending(Compression::strip(&name)) == "tar"
}

/// The displayed name of a member that is a file; `None` for a folder. Separators of Windows become slashes.
fn file_name(name: &[u8]) -> Option<String> {
    let name: Vec<u8> = name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect();
    let name = nearcopy::error::shown_bytes(&name);
    let name = name.strip_prefix("./").unwrap_or(&name);
    (!name.is_empty() && !name.ends_with('/')).then(|| name.to_owned())
}

/// True if a name leads out of the folder that it is read in.
fn is_outside(name: &str) -> bool {
    let has_drive = name.as_bytes().get(1) == Some(&b':');
    name.starts_with('/') || has_drive || name.split('/').any(|part| part == "..")
}

fn unpack(archive: &[u8], name: &str, member: Packed, limit: u64) -> Result<Vec<u8>, Reason> {
    if is_outside(name) {
        return Err(OUTSIDE);
    }
    if member.is_link() {
        return Err(LINK);
    }
    if member.unpacked() > limit {
        return Err(too_long(name, limit));
    }
    member.unpack(archive, name, limit).map_err(Reason::Refused)
}

#[cfg(test)]
mod tests;
