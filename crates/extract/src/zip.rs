//! The members of a ZIP archive, unpacked within bounds and in memory only.
//!
//! The directory at the archive's end is read. Names are looked up and never become
//! files. Unpacked bytes count against one allowance for the whole document. An archive
//! whose members overlap, or that begins with a member which its directory does not name, is refused at once. Other archives that two programs could read
//! differently (members of the same name, wrong sizes) are refused when an affected member
//! is requested.
//!
//! Cost: the directory is read once, and its members, 80 bytes each, are sorted; unpacking
//! is linear.
//!
//! Source: the ZIP File Format Specification 6.3 (PKWARE), with ZIP64.

mod names;

use std::collections::{HashMap, HashSet};
use std::io::Read;

use flate2::read::DeflateDecoder;

use crate::Refusal;
use crate::date;

/// Maximum number of bytes unpacked for one document: a book of a thousand pages has two
/// million, and four threads must have room for it.
const MAX_UNPACKED: u64 = 256 << 20;

/// Maximum compression ratio of a member of more than [`SMALL`] bytes. XML packs to a
/// tenth, a table of equal cells to a hundredth; bombs come close to the 1032 that Deflate
/// allows.
const MAX_RATIO: u64 = 250;

/// Unpacked size in bytes up to which any compression ratio is accepted.
const SMALL: u64 = 16 << 20;

/// Maximum number of members: a book has some thousand, and each costs memory before it is
/// read.
const MAX_MEMBERS: usize = 100_000;

/// An archive's directory.
pub struct Archive<'a> {
    bytes: &'a [u8],
    members: HashMap<&'a [u8], Member>,
    /// Number of bytes that may still be unpacked.
    left: u64,
}

/// A member, without its name.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    is_encrypted: bool,
    method: u16,
    checksum: u32,
    packed: u64,
    unpacked: u64,
    /// The time of its last change, in seconds since 1970.
    date: Option<i64>,
    header: u64,
    /// The mode of its file on a Unix system; 0 on others.
    mode: u32,
    /// True if another member has the same name.
    is_double: bool,
}

/// True if bytes begin like an archive with at least one member.
pub fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

impl<'a> Archive<'a> {
    /// Reads the directory.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] if its directory cannot be read or does not name its first member, or members overlap.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Refusal> {
        let end = End::find(bytes).ok_or_else(|| damaged("its end is missing"))?;
        if end.count > MAX_MEMBERS as u64 {
            return Err(damaged(&format!("it has {} members, more than the limit of {MAX_MEMBERS}", end.count)));
        }
        // Bytes before the archive shift all offsets.
        let directory = end.place.checked_sub(end.size).filter(|&start| start >= end.offset);
        let directory = directory.ok_or_else(|| damaged("its directory is not where it should be"))?;
        let shift = directory - end.offset;
        let mut rest = bytes.get(directory as usize..end.place as usize).unwrap_or_default();
        let mut members = HashMap::new();
        let mut places = Vec::new();
        for _ in 0..end.count {
            let (name, mut member, after) =
                Member::read(rest).ok_or_else(|| damaged("its directory cannot be read"))?;
            member.header = member.header.saturating_add(shift);
            rest = after;
            places.push((member.header, member.least_end(name)));
            members.entry(name).and_modify(|first: &mut Member| first.is_double = true).or_insert(member);
        }
        // Members that share bytes could unpack to far more than the archive's length allows.
        places.sort_unstable();
        if places.windows(2).any(|pair| pair[0].1 > pair[1].0) {
            return Err(damaged("its members overlap"));
        }
        // The end of a stored member that is an archive itself would pass for that of a truncated archive around it.
        if begins(bytes) && places.first().is_none_or(|&(first, _)| first != 0) {
            return Err(damaged(
                "its end is missing, or it is joined to another: its directory does not name the member that it begins with",
            ));
        }
        Ok(Self { bytes, members, left: MAX_UNPACKED })
    }

    /// The same archive, of which no more than so many bytes are unpacked.
    pub(crate) fn within(self, most: u64) -> Self {
        Self { left: self.left.min(most), ..self }
    }

    /// True if there is a member of this name.
    pub fn has(&self, name: &str) -> bool {
        self.members.contains_key(name.as_bytes())
    }

    /// Number of pictures, charts and drawings of a document, by their names.
    pub(crate) fn pictures(&self) -> usize {
        let parts = ["/charts/chart", "/ink/"];
        let endings = [".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".emf", ".wmf", ".svg", ".webp"];
        self.count(|name| {
            // The small picture of a whole document, which programs save beside it.
            !name.contains("thumbnail") && endings.iter().any(|ending| name.ends_with(ending))
                || parts.iter().any(|part| name.contains(part))
        })
    }

    /// Number of members whose names, in lower case, satisfy `is`.
    fn count(&self, is: impl Fn(&str) -> bool) -> usize {
        let names = self.members.keys().map(|name| String::from_utf8_lossy(name).to_lowercase());
        names.filter(|name| is(name)).count()
    }

    /// Number of documents, formulas and diagrams in a document, whose text is not read.
    pub(crate) fn carried(&self) -> usize {
        let is_page = |name: &str| [".htm", ".html", ".mht"].iter().any(|ending| name.ends_with(ending));
        let is_in_word = |name: &str| name.starts_with("word/") && (name.contains("afchunk") || is_page(name));
        // Each chart has a workbook with its figures.
        let charts = self.count(|name| name.contains("/charts/chart"));
        let embedded = self.count(|name| name.contains("/embeddings/") && !name.contains("/_rels/"));
        // An object of `OpenDocument` is a folder, or a file of another program.
        let objects =
            self.count(|name| name.starts_with("object ") && (name.ends_with("/content.xml") || !name.contains('/')));
        embedded.saturating_sub(charts)
            + objects
            + self.count(|name| name.contains("/diagrams/data") || is_in_word(name))
    }

    /// The bytes of a member, unpacked; `None` if there is no such member.
    ///
    /// # Errors
    ///
    /// [`Refusal`] if it is damaged or encrypted, or unpacks to too much.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Refusal> {
        let Some(&member) = self.members.get(name.as_bytes()) else { return Ok(None) };
        let content = member.unpack(self.bytes, name, self.left)?;
        self.left -= member.unpacked;
        Ok(Some(content))
    }

    /// Its members in the order of their names as stored, apart from the archive. Names in another encoding than UTF-8 are
    /// decoded, if it can be told and they stay apart.
    pub fn into_members(self) -> Vec<(Vec<u8>, Member)> {
        let mut members: Vec<_> = self.members.into_iter().map(|(name, member)| (name.to_owned(), member)).collect();
        members.sort_unstable_by(|x, y| x.0.cmp(&y.0));
        let stored: Vec<&[u8]> = members.iter().map(|(name, _)| name.as_slice()).collect();
        let decoded =
            names::decoded(&stored).filter(|decoded| decoded.iter().collect::<HashSet<_>>().len() == decoded.len());
        for ((name, _), decoded) in members.iter_mut().zip(decoded.unwrap_or_default()) {
            *name = decoded.into_bytes();
        }
        members
    }
}

fn damaged(what: &str) -> Refusal {
    Refusal::Damaged { format: "ZIP archive or office document", what: what.to_owned() }
}

impl Member {
    /// The name of the directory's first member, the member, and the rest of the directory.
    fn read(directory: &[u8]) -> Option<(&[u8], Self, &[u8])> {
        if !directory.starts_with(b"PK\x01\x02") {
            return None;
        }
        let length = |at| Some(usize::from(u16_at(directory, at)?));
        let name_end = 46 + length(28)?;
        let extra_end = name_end + length(30)?;
        let (name, extra) = (directory.get(46..name_end)?, directory.get(name_end..extra_end)?);
        let rest = directory.get(extra_end + length(32)?..)?;
        let mut sizes = [24, 20, 42].map(|at| u32_at(directory, at).map_or(0, u64::from));
        let mut wide = zip64(extra);
        for size in sizes.iter_mut().filter(|size| **size == u64::from(u32::MAX)) {
            let (found, after) = wide.split_first_chunk()?;
            (*size, wide) = (u64::from_le_bytes(*found), after);
        }
        let [unpacked, packed, header] = sizes;
        // The mode stands in the upper half of the attributes of systems that have one.
        let is_of_unix = directory.get(5) == Some(&3);
        let mode = u32_at(directory, 38).filter(|_| is_of_unix).unwrap_or_default() >> 16;
        let member = Self {
            is_encrypted: u16_at(directory, 8)? & 1 != 0,
            method: u16_at(directory, 10)?,
            checksum: u32_at(directory, 16)?,
            packed,
            unpacked,
            date: unix_time(extra).or_else(|| date::dos(u16_at(directory, 14)?, u16_at(directory, 12)?)),
            header,
            mode,
            is_double: false,
        };
        Some((name, member, rest))
    }

    /// Its size in the archive, in bytes.
    pub fn packed(&self) -> u64 {
        self.packed
    }

    /// The size that it states to unpack to, in bytes.
    pub fn unpacked(&self) -> u64 {
        self.unpacked
    }

    /// The time of its last change that it states, in seconds since 1970.
    pub fn date(&self) -> Option<i64> {
        self.date
    }

    /// True if it is a symbolic link of a Unix system.
    pub fn is_link(&self) -> bool {
        self.mode & 0o170_000 == 0o120_000
    }

    /// Its bytes, unpacked, at most `most`; its name is for messages.
    ///
    /// # Errors
    ///
    /// As [`Archive::read`].
    pub fn unpack(self, archive: &[u8], name: &str, most: u64) -> Result<Vec<u8>, Refusal> {
        if self.is_double {
            return Err(damaged(&format!("it has two members {name:?}")));
        }
        if self.is_encrypted {
            return Err(Refusal::Encrypted);
        }
        let packed = self.packed_bytes(archive);
        let packed = packed.ok_or_else(|| damaged(&format!("the member {name:?} is not where it should be")))?;
        if self.unpacked > most || self.unpacked > SMALL.max(MAX_RATIO * self.packed) {
            return Err(Refusal::TooLarge);
        }
        let mut content = Vec::new();
        // One byte more than stated shows a member that is longer than stated.
        let most = self.unpacked + 1;
        let unpacked = match self.method {
            0 => packed.take(most).read_to_end(&mut content),
            8 => DeflateDecoder::new(packed).take(most).read_to_end(&mut content),
            other => return Err(damaged(&format!("the member {name:?} uses the unknown compression method {other}"))),
        };
        let mut checksum = flate2::Crc::new();
        checksum.update(&content);
        if unpacked.is_err() || content.len() as u64 != self.unpacked || checksum.sum() != self.checksum {
            return Err(damaged(&format!("the member {name:?} does not match the directory")));
        }
        Ok(content)
    }

    /// The earliest place where the member can end; extra fields of its own header add to it.
    fn least_end(&self, name: &[u8]) -> u64 {
        self.header.saturating_add(30 + name.len() as u64).saturating_add(self.packed)
    }

    /// Its bytes, still packed.
    fn packed_bytes(self, archive: &[u8]) -> Option<&[u8]> {
        let from = archive.get(usize::try_from(self.header).ok()?..)?;
        if !begins(from) {
            return None;
        }
        let start = 30 + usize::from(u16_at(from, 26)?) + usize::from(u16_at(from, 28)?);
        from.get(start..start.checked_add(usize::try_from(self.packed).ok()?)?)
    }
}

/// The 64-bit sizes among a member's extra fields.
fn zip64(extra: &[u8]) -> &[u8] {
    field(extra, 1).unwrap_or_default()
}

/// The time of the last change among a member's extra fields, which is UTC, unlike the one of MS-DOS.
fn unix_time(extra: &[u8]) -> Option<i64> {
    let (flags, times) = field(extra, 0x5455)?.split_first()?;
    let time = times.first_chunk().filter(|_| flags & 1 != 0)?;
    date::plausible(i32::from_le_bytes(*time).into())
}

/// The content of a member's extra field.
fn field(mut extra: &[u8], wanted: u16) -> Option<&[u8]> {
    while let (Some(tag), Some(length)) = (u16_at(extra, 0), u16_at(extra, 2)) {
        let end = 4 + usize::from(length);
        if tag == wanted {
            return extra.get(4..end);
        }
        extra = extra.get(end..).unwrap_or_default();
    }
    None
}

/// The record at an archive's end.
struct End {
    /// The place where the directory ends.
    place: u64,
    count: u64,
    size: u64,
    offset: u64,
}

impl End {
    fn find(bytes: &[u8]) -> Option<Self> {
        // A comment of up to 65,535 bytes may follow.
        let first = bytes.len().saturating_sub(22 + usize::from(u16::MAX));
        let is_end = |&at: &usize| {
            let record = &bytes[at..];
            let comment = u16_at(record, 20).map(usize::from);
            record.starts_with(b"PK\x05\x06") && comment.is_some_and(|comment| record.len() >= 22 + comment)
        };
        let at = (first..bytes.len().saturating_sub(21)).rev().find(is_end)?;
        let record = &bytes[at..];
        let end = Self {
            place: at as u64,
            count: u16_at(record, 10)?.into(),
            size: u32_at(record, 12)?.into(),
            offset: u32_at(record, 16)?.into(),
        };
        let is_wide = end.count == u64::from(u16::MAX) || [end.size, end.offset].contains(&u64::from(u32::MAX));
        if is_wide { Self::wide(bytes, at).or(Some(end)) } else { Some(end) }
    }

    /// The ZIP64 record, to which a locator before the plain record points.
    fn wide(bytes: &[u8], end: usize) -> Option<Self> {
        let locator = bytes.get(end.checked_sub(20)?..end).filter(|locator| locator.starts_with(b"PK\x06\x07"))?;
        let place = u64_at(locator, 8)?;
        let record = bytes.get(usize::try_from(place).ok()?..)?;
        if !record.starts_with(b"PK\x06\x06") {
            return None;
        }
        Some(Self { place, count: u64_at(record, 32)?, size: u64_at(record, 40)?, offset: u64_at(record, 48)? })
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|found| u16::from_le_bytes(*found))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|found| u32::from_le_bytes(*found))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|found| u64::from_le_bytes(*found))
}

#[cfg(test)]
pub(crate) mod tests;
