//! The members of a tar archive, read from front to back.
//!
//! The crate `tar` parses headers, also those of long names; each is parsed as the first of an archive of its own, since its
//! iterator borrows the stream. The content is read here: bytes up to the next multiple of [`BLOCK`].
//!
//! Cost: one pass over the archive, and one member in memory.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use nearcopy_extract::Refusal;
use nearcopy_extract::{catch_panic, plausible_date};
use tar::{Archive, EntryType};

use super::origin::Origin;
use super::{LINK, Member, OUTSIDE, Room, SPARSE, file_name, is_outside};
use crate::compression::Compression;
use crate::error::Reason;

/// The unit of a tar archive in bytes.
const BLOCK: u64 = 512;

/// Maximum size in bytes of a member's header with its long name and its extended fields, which the crate reads as a whole.
const HEADER: u64 = 1 << 20;

/// The members that are still to be read.
pub(crate) struct Members {
    from: Box<dyn Read + Send>,
    room: Room,
    /// Number of bytes read of the file, and the part of it that members were said to take.
    read: Arc<AtomicU64>,
    told: u64,
    is_over: bool,
}

/// A member's header.
struct Head {
    kind: EntryType,
    name: Vec<u8>,
    size: u64,
    date: Option<i64>,
}

/// A member's date, its name and its content, or the reason why it cannot be read.
type Found = (Option<i64>, String, Result<Vec<u8>, Reason>);

impl Members {
    /// The members of an archive; `None` if it cannot be opened, or is compressed and no tar archive inside.
    pub(super) fn open(origin: &Origin, compression: Option<Compression>, room: Room) -> Option<Self> {
        let read = Arc::default();
        if compression.is_some() {
            let mut head = Vec::new();
            origin.stream(compression, &read).ok()?.take(BLOCK).read_to_end(&mut head).ok()?;
            if !super::is_tar(&head) {
                return None;
            }
            read.store(0, Ordering::Relaxed);
        }
        Some(Self { from: origin.stream(compression, &read).ok()?, room, read, told: 0, is_over: false })
    }

    /// The next member that `takes` accepts by its name, and that is a file.
    pub(super) fn next(&mut self, limit: u64, takes: impl Fn(&str) -> bool) -> Option<Member> {
        while !self.is_over {
            let next = catch_panic(|| self.head()).unwrap_or_else(|what| Err(io::Error::other(what)));
            let next = next.and_then(|head| head.map(|head| self.member(head, limit, &takes)).transpose());
            match next {
                Ok(None) => self.is_over = true,
                Ok(Some(None)) => {}
                Ok(Some(Some(found))) => return Some(self.told(found)),
                Err(error) => {
                    self.is_over = true;
                    let reason = Reason::unended(&error, Some("the members before the error were read"));
                    return Some(self.told((None, String::new(), Err(reason))));
                }
            }
        }
        None
    }

    fn told(&mut self, (date, name, content): Found) -> Member {
        let read = self.read.load(Ordering::Relaxed);
        let packed = read - std::mem::replace(&mut self.told, read);
        Member { name, content, packed, date }
    }

    /// The next header; `None` at the end.
    fn head(&mut self) -> io::Result<Option<Head>> {
        let mut archive = Archive::new(self.from.by_ref().take(HEADER));
        let Some(entry) = archive.entries()?.next().transpose()? else { return Ok(None) };
        let kind = entry.header().entry_type();
        // The size of a sparse file is that of its content with all holes.
        let size = if kind == EntryType::GNUSparse { entry.header().entry_size()? } else { entry.size() };
        let date = entry.header().mtime().ok().and_then(|time| plausible_date(time.try_into().ok()?));
        Ok(Some(Head { kind, name: entry.path_bytes().into_owned(), size, date }))
    }

    /// The name and the content of a member; `None` if it is a folder, or not taken.
    fn member(
        &mut self,
        Head { kind, name, size, date }: Head,
        limit: u64,
        takes: impl Fn(&str) -> bool,
    ) -> io::Result<Option<Found>> {
        let whole = size.checked_next_multiple_of(BLOCK).ok_or_else(|| io::Error::other("a member of no size"))?;
        let name = file_name(&name).filter(|name| takes(name)).filter(|_| kind != EntryType::Directory);
        let reason = match &name {
            None => None,
            Some(file) if is_outside(file) => Some(OUTSIDE),
            Some(_) => match kind {
                EntryType::Regular | EntryType::Continuous => (size > limit).then_some(Reason::TooLong(limit)),
                EntryType::Link | EntryType::Symlink => Some(LINK),
                EntryType::GNUSparse => Some(SPARSE),
                _ => Some(Reason::Special),
            },
        };
        // The header counts too: an archive may have any number of empty members.
        if self.room.take(whole.saturating_add(BLOCK)).is_err() {
            self.is_over = true;
            return Ok(Some((None, String::new(), Err(Reason::Refused(Refusal::TooLarge)))));
        }
        let (Some(name), None) = (&name, &reason) else {
            self.skip(whole)?;
            return Ok(name.zip(reason).map(|(name, reason)| (date, name, Err(reason))));
        };
        let mut content = Vec::new();
        if self.from.by_ref().take(size).read_to_end(&mut content)? as u64 != size {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.skip(whole - size)?;
        Ok(Some((date, name.clone(), Ok(content))))
    }

    fn skip(&mut self, bytes: u64) -> io::Result<()> {
        match io::copy(&mut self.from.by_ref().take(bytes), &mut io::sink())? {
            skipped if skipped == bytes => Ok(()),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}
