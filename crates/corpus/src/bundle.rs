//! Bundles: files of several documents, each of which is read as a file. ZIP and tar archives, as learning platforms export
//! them; mailboxes; and mails with attachments.
//!
//! A bundle is read like a folder: each member is a file named `hand-ins.zip/anna/essay.docx`, of any format. A member
//! may be a bundle itself, to a depth of [`DEPTH`]. Members stay in memory, one of each bundle at a time; their names
//! never become files.
//!
//! ```text
//!  file or member ──▶ open: ZIP (by its directory), tar (by its header; packed, by its name too), mailbox or mail (by
//!                     its first lines) ──▶ bundle
//!  bundle ──▶ next: a member, or the problem of one
//! ```
//!
//! Refused are members whose names lead out of the bundle, links, bundles that are nested deeper, and members that unpack
//! to far more than their size, alone ([`zip`]) or all together ([`Room`]).
//!
//! Cost: the directory of a ZIP archive; one member at a time.

mod mailbox;
mod origin;
mod tar;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearcopy_extract::Format;
use nearcopy_extract::Refusal;
use nearcopy_extract::carried;
use nearcopy_extract::foreign::{self, is_tar};
use nearcopy_extract::mail::Attachment;
use nearcopy_extract::zip::{self, Archive, Member as Packed};

use self::mailbox::Mails;
use self::origin::Origin;
use super::Source;
use super::compression::Compression;
use crate::error::Reason;
use crate::remote::without_query;

/// Maximum depth of bundles in bundles.
pub(super) const DEPTH: usize = 3;

/// Maximum size in bytes that all members of a bundle and of those within it may have together, if that is more than
/// [`RATIO`] times the bundle's own size.
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
pub(super) const NESTED: Reason = Reason::Member(
    "archive in an archive",
    "is an archive in an archive in an archive; unpack the outer one first, and name the folder",
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
    Mailbox(Mails),
    Mail(std::vec::IntoIter<Attachment>),
}

/// What a file or a member is.
pub(super) enum Opened {
    /// A document, or a file of records.
    File(Vec<u8>),
    /// A bundle.
    Bundle(Bundle),
    /// The files that a mail carries, and the mail.
    Mail(Bundle, Vec<u8>),
}

/// The number of bytes that may still be unpacked from a bundle and those within it.
#[derive(Debug, Clone)]
pub(super) struct Room(Arc<AtomicU64>);

impl Room {
    pub(super) fn of(size: u64) -> Self {
        Self(Arc::new(most(size).into()))
    }

    /// Takes some of it.
    ///
    /// # Errors
    ///
    /// [`Reason::Refused`] if there is not as much.
    fn take(&self, bytes: u64) -> Result<(), Reason> {
        let left = self.0.load(Ordering::Relaxed).checked_sub(bytes);
        // One thread reads a bundle.
        left.map(|left| self.0.store(left, Ordering::Relaxed)).ok_or(Reason::Refused(Refusal::TooLarge))
    }
}

impl Bundle {
    /// The members of a file that is a bundle; `None` if it is none. The file is then at its beginning.
    ///
    /// # Errors
    ///
    /// [`Reason::Refused`] for a bundle that unpacks to too much.
    pub(super) fn open(path: &Path, file: &mut File) -> Result<Option<(Opened, Room)>, Reason> {
        let mut head = Vec::new();
        let mut begin = || -> io::Result<()> {
            file.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
            file.rewind()
        };
        // An error of reading is reported when the file is read as a document.
        if begin().is_err() {
            return Ok(None);
        }
        let origin = Origin::of(path);
        let room = Room::of(origin.size());
        let opened = if zip::begins(&head) {
            zip_at(path, &room)?.map(Opened::Bundle)
        } else if let Some(bundle) = Self::of_stream(path, &head, &origin, &room) {
            Some(Opened::Bundle(bundle))
        } else if carried::may_carry(&head) {
            Source::open(path).ok().and_then(|bytes| Some(Opened::Mail(Self::mail(&bytes)?, bytes.to_vec())))
        } else {
            None
        };
        Ok(opened.map(|opened| (opened, room)))
    }

    /// The files that a mail carries; `None` for other bytes and if it carries none.
    fn mail(bytes: &[u8]) -> Option<Self> {
        // An error is reported when the mail is read as a document.
        let carried = carried::attachments(bytes).ok()?;
        (!carried.is_empty()).then(|| Self::Mail(carried.into_iter()))
    }

    /// A bundle that is read from front to back.
    fn of_stream(name: &Path, head: &[u8], origin: &Origin, room: &Room) -> Option<Self> {
        let compression = Compression::recognise(head);
        if is_tar(head) || is_packed_tar(name, head) {
            return tar::Members::open(origin, compression, room.clone()).map(Self::Tar);
        }
        if mailbox::begins(head) || is_packed(name, head, "mbox") {
            return Mails::open(origin, compression, room.clone()).map(Self::Mailbox);
        }
        None
    }

    /// What bytes in memory are that have a name, and of which no more than the room may be unpacked; a mail only if it
    /// carries files.
    ///
    /// # Errors
    ///
    /// As [`Bundle::open`].
    pub(super) fn held(name: &Path, bytes: Vec<u8>, room: &Room) -> Result<Opened, Reason> {
        if let Some(members) = zip_members(&bytes, room)? {
            return Ok(Opened::Bundle(Self::Zip { members, bytes: bytes.into() }));
        }
        if let Some(carried) = Self::mail(&bytes) {
            return Ok(Opened::Mail(carried, bytes));
        }
        let head = &bytes[..bytes.len().min(HEAD)];
        if !may_stream(name, head) {
            return Ok(Opened::File(bytes));
        }
        let head = head.to_vec();
        let shared: Arc<[u8]> = bytes.into();
        Ok(match Self::of_stream(name, &head, &Origin::Held(Arc::clone(&shared)), room) {
            Some(bundle) => Opened::Bundle(bundle),
            None => Opened::File(shared.to_vec()),
        })
    }

    /// The next member that `takes` accepts by its name, and that is a file; members beyond `limit` bytes are problems.
    pub(super) fn next(&mut self, limit: u64, takes: impl Fn(&str) -> bool) -> Option<Member> {
        match self {
            Self::Tar(members) => members.next(limit, takes),
            Self::Mailbox(mails) => mails.next(limit),
            Self::Mail(carried) => {
                let mut carried = carried.map(|attachment| (in_mail(&attachment.name), attachment));
                let (name, Attachment { bytes, damage, .. }) = carried.find(|(name, _)| takes(name))?;
                let content = match damage {
                    Some(what) => {
                        let what = what.to_owned();
                        Err(Reason::Refused(Refusal::Damaged { format: "part of a mail", what }))
                    }
                    None if bytes.len() as u64 > limit => Err(Reason::TooLong(limit)),
                    None => Ok(bytes),
                };
                Some(Member { name, content, packed: 0, date: None })
            }
            Self::Zip { bytes, members } => loop {
                let (name, member) = members.next()?;
                if let Some(name) = file_name(&name)
                    && takes(&name)
                {
                    let (packed, date) = (member.packed(), member.date());
                    return Some(Member { content: unpack(bytes, &name, member, limit), name, packed, date });
                }
            },
        }
    }
}

/// The maximum size of all members of a bundle of some size.
fn most(size: u64) -> u64 {
    MOST.max(RATIO.saturating_mul(size))
}

/// The bundle that a ZIP archive is; `None` if it is a document, the file of a program, or damaged.
fn zip_at(path: &Path, room: &Room) -> Result<Option<Bundle>, Reason> {
    // Errors are reported when the file is read as a document.
    let Ok(bytes) = Source::open(path) else { return Ok(None) };
    Ok(zip_members(&bytes, room)?.map(|members| Bundle::Zip { members, bytes }))
}

/// The members of a ZIP archive that is a bundle.
fn zip_members(bytes: &[u8], room: &Room) -> Result<Option<ZipMembers>, Reason> {
    if !is_zip_bundle(bytes) {
        return Ok(None);
    }
    let Ok(archive) = Archive::open(bytes) else { return Ok(None) };
    let members = archive.into_members();
    let unpacked = members.iter().fold(0, |sum: u64, (_, member)| sum.saturating_add(member.unpacked()));
    room.take(unpacked)?;
    Ok(Some(members.into_iter()))
}

/// True if bytes are a ZIP archive that is no document and not the file of a program.
fn is_zip_bundle(bytes: &[u8]) -> bool {
    zip::begins(bytes)
        && matches!(Format::of_bytes(bytes), Ok(None))
        && Archive::open(bytes).is_ok_and(|archive| foreign::package(&archive).is_none())
}

/// True for a compressed file that its name says to be a tar archive.
fn is_packed_tar(name: &Path, head: &[u8]) -> bool {
    Compression::recognise(head).is_some() && is_named_as_tar(name)
}

/// True for a compressed file whose name has this ending before that of the compression.
fn is_packed(name: &Path, head: &[u8], ending: &str) -> bool {
    let is_named = || {
        let name = name.to_string_lossy().to_lowercase();
        Compression::strip(without_query(&name)).rsplit_once('.').is_some_and(|(_, found)| found == ending)
    };
    Compression::recognise(head).is_some() && is_named()
}

/// True if bytes may be a bundle that is read from front to back.
fn may_stream(name: &Path, head: &[u8]) -> bool {
    is_tar(head) || mailbox::begins(head) || is_packed_tar(name, head) || is_packed(name, head, "mbox")
}

/// True if a file with these first bytes, of which a mail's header may need many, may be a bundle.
pub(super) fn may_be_bundle(name: &Path, head: &[u8]) -> bool {
    zip::begins(head) || may_stream(name, &head[..head.len().min(HEAD)]) || carried::begins(head)
}

/// True if a member is an archive or a mailbox.
pub(super) fn is_bundle(name: &Path, bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    is_zip_bundle(bytes) || may_stream(name, head)
}

/// True if a name says that a compressed file is a tar archive.
fn is_named_as_tar(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let name = without_query(&name);
    let ending = |name: &str| name.rsplit_once('.').map_or_else(String::new, |(_, ending)| ending.to_owned());
    matches!(&*ending(name), "tgz" | "tbz" | "tbz2" | "txz" | "tzst") || ending(Compression::strip(name)) == "tar"
}

/// The displayed name of a member that is a file; `None` for a folder. Separators of Windows become slashes. Behind a
/// byte that could not be decoded, one may be the second byte of a letter of Japanese or Chinese, and stays.
fn file_name(name: &[u8]) -> Option<String> {
    let mut name = name.to_vec();
    let is_text = std::str::from_utf8(&name).is_ok();
    for at in 0..name.len() {
        if name[at] == b'\\' && (is_text || at == 0 || name[at - 1].is_ascii()) {
            name[at] = b'/';
        }
    }
    let name = nearcopy::error::shown_bytes(&name);
    let name = name.strip_prefix("./").unwrap_or(&name);
    (!name.is_empty() && !name.ends_with('/')).then(|| name.to_owned())
}

/// The displayed name of a file that a mail carries, which is no path.
fn in_mail(name: &str) -> String {
    if matches!(name, "." | "..") { "_".repeat(name.len()) } else { name.replace(['/', '\\'], "_") }
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
        return Err(Reason::TooLong(limit));
    }
    member.unpack(archive, name, limit).map_err(Reason::Refused)
}

#[cfg(test)]
mod tests;
