//! The members of a gzip file, one after the other.
//!
//! Zeros behind a member are padding, as on tapes, which `gzip -d` ignores too.
//!
//! Damage ends a file for whoever stops at the error. A web archive has a member for each record, so its reader reads on, and
//! gets the next member that begins as a record does. A decoder that follows damaged bytes may go beyond the end of their member,
//! so the next one is looked for from the beginning of the damaged member on.
//!
//! Cost: that of the decoder; memory for up to three times [`KEPT`] bytes.
//!
//! Source: RFC 1952.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;
use memchr::memmem;
use nearcopy_extract::warc::BEGIN;

/// The first bytes of a member.
pub(super) const MAGIC: &[u8] = b"\x1f\x8b\x08";

/// Number of packed bytes read at a time.
const BLOCK: usize = 64 << 10;

/// Number of packed bytes of a member that are kept, those that were read last.
const KEPT: usize = 256 << 10;

/// Number of packed bytes from which the first bytes of a member are unpacked: its header and the first codes.
const FIRST: usize = 4 << 10;

/// Number of bytes that are unpacked, at most, to learn whether a later member was swallowed.
const MOST_UNPACKED: u64 = 64 << 20;

/// Damage of a member.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Damage {
    error: io::Error,
    /// Number of bytes of the member that were read before the damage was noticed.
    pub(crate) read: u64,
}

impl Damage {
    /// The damage that an error stands for.
    pub(crate) fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

/// Unpacks members.
pub(super) struct GzipMembers<R: Read> {
    /// `None` behind the last.
    member: Option<GzDecoder<PackedBytes<R>>>,
    /// Number of bytes of the member that were read.
    read: u64,
    is_damaged: bool,
}

impl<R: Read> GzipMembers<R> {
    pub(super) fn new(from: R) -> Self {
        let packed = PackedBytes { from, bytes: Vec::new(), at: 0, member: 0, has_failed: false };
        Self { member: Some(GzDecoder::new(packed)), read: 0, is_damaged: false }
    }

    /// Goes to the next member that `is_there` finds.
    fn go_on(&mut self, is_there: impl FnOnce(&mut PackedBytes<R>) -> io::Result<bool>) -> io::Result<()> {
        if let Some(mut packed) = self.member.take().map(GzDecoder::into_inner)
            && is_there(&mut packed)?
        {
            packed.member = packed.at;
            self.member = Some(GzDecoder::new(packed));
        }
        self.read = 0;
        Ok(())
    }
}

impl<R: Read> Read for GzipMembers<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if std::mem::take(&mut self.is_damaged) {
            let read = self.read;
            self.go_on(|packed| packed.find_record(read))?;
        }
        while let Some(member) = &mut self.member {
            match member.read(to) {
                Ok(0) if !to.is_empty() => self.go_on(PackedBytes::find_member)?,
                Ok(read) => {
                    self.read += read as u64;
                    return Ok(read);
                }
                Err(error) if member.get_ref().has_failed => return Err(error),
                Err(error) => {
                    self.is_damaged = true;
                    return Err(io::Error::new(error.kind(), Damage { error, read: self.read }));
                }
            }
        }
        Ok(0)
    }
}

/// The bytes of a file, with those of the current member that were taken last.
struct PackedBytes<R> {
    from: R,
    bytes: Vec<u8>,
    /// Number of bytes that were taken.
    at: usize,
    /// The first byte of the member, or of what is kept of it.
    member: usize,
    /// True if the last error was one of the file.
    has_failed: bool,
}

impl<R: Read> PackedBytes<R> {
    /// Reads a block; false at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        let gone = self.member.max(self.at.saturating_sub(KEPT));
        // Bytes move once for as many that are dropped.
        if gone >= KEPT {
            self.bytes.drain(..gone);
            self.at -= gone;
            self.member = 0;
        }
        let end = self.bytes.len();
        self.bytes.resize(end + BLOCK, 0);
        let read = loop {
            match self.from.read(&mut self.bytes[end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.bytes.truncate(end + read.as_ref().map_or(0, |&read| read));
        self.has_failed = read.is_err();
        Ok(read? > 0)
    }

    /// The bytes that are not yet taken: at least so many, or those up to the end of the file.
    fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.bytes.len() - self.at < wanted && self.fill()? {}
        Ok(&self.bytes[self.at..])
    }

    /// Goes beyond padding; true if something comes behind it.
    fn find_member(&mut self) -> io::Result<bool> {
        loop {
            let bytes = self.peek(1)?;
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                return Ok(!bytes.is_empty());
            }
            self.consume(zeros);
        }
    }

    /// Goes to the next member that begins with a record of a web archive, behind a damaged one of so many bytes; false if there
    /// is none.
    fn find_record(&mut self, read: u64) -> io::Result<bool> {
        // If this is the end of the member, the next one is here, and members in what the record holds are none of the file. It may
        // be that of a later one, into which the decoder has followed the damage: which states another length, and is whole.
        let taken = &self.bytes[self.member..self.at];
        let states_length = taken.ends_with(&(read as u32).to_le_bytes());
        let mut budget = MOST_UNPACKED;
        let mut is_of_later = || memmem::find_iter(taken, MAGIC).any(|begin| is_whole(&taken[begin..], &mut budget));
        if states_length && !is_of_later() && self.is_at_record()? {
            return Ok(true);
        }
        self.at = self.bytes.len().min(self.member + 1);
        loop {
            self.member = self.at;
            if let Some(found) = memmem::find(&self.bytes[self.at..], MAGIC) {
                self.at += found;
                if self.is_at_record()? {
                    return Ok(true);
                }
                self.at += 1;
            } else {
                // The last bytes may be the first of a member.
                self.at = self.at.max((self.bytes.len() + 1).saturating_sub(MAGIC.len()));
                if !self.fill()? {
                    return Ok(false);
                }
            }
        }
    }

    /// True if a member that begins here unpacks to the beginning of a record.
    fn is_at_record(&mut self) -> io::Result<bool> {
        let bytes = self.peek(FIRST)?;
        let mut first = [0; BEGIN.len()];
        let is_read = bytes.starts_with(MAGIC) && GzDecoder::new(bytes).read_exact(&mut first).is_ok();
        Ok(is_read && first == BEGIN)
    }
}

/// True if bytes are one member without damage, which unpacks to fewer bytes than are left of the budget.
fn is_whole(packed: &[u8], budget: &mut u64) -> bool {
    let mut member = GzDecoder::new(packed).take(*budget);
    let unpacked = io::copy(&mut member, &mut io::sink());
    *budget = member.limit();
    unpacked.is_ok() && *budget > 0 && member.get_ref().get_ref().is_empty()
}

impl<R: Read> Read for PackedBytes<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for PackedBytes<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, taken: usize) {
        self.at += taken;
    }
}

#[cfg(test)]
mod tests;
