//! Web archives (WARC, WET), cut into records, and the documents in these.
//!
//! A record ends where its Content-Length says, if the next one begins there or the file ends. If not, its length is wrong,
//! and reading goes on at the next line that begins a record; so it does after a header that does not end. A record that is
//! longer than the limit is skipped without being kept, up to the next such line.
//!
//! A packed archive has a gzip member for each record. What was read of a damaged member is no record; reading goes on at the next
//! member that begins with one. An archive that is one member ends there, and the records before were read.
//!
//! Cost: one pass, and memory for the longest record within the limit.
//!
//! Source: [`nearcopy_extract::warc`].

use std::io::{self, Read};

use nearcopy::error::{Location, Problem};
use nearcopy_extract::warc::{BEGIN, HEADER, Header, Holds, Record as Stored, damaged, next};
use nearcopy_extract::{Options, Refusal};

use super::batch::{Batch, is_of_checksum};
use super::convert::{Row, Value};
use super::fill::read_up_to;
use super::{Record, Values};
use crate::compression::Damage;
use crate::error::Reason;

/// Approximate size in bytes of the records that are given together, and of what is read at a time.
const BLOCK: usize = 256 << 10;

/// Maximum number of bytes of line breaks after a record, of which it should have four.
const BREAKS: usize = 16;

/// Length of the text of a packed document, by that of its record.
const UNPACKED: u64 = 20;

/// A record that holds a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Raw {
    /// Its number in the file, from 1.
    pub(super) number: u64,
    /// Its header and its block.
    bytes: Vec<u8>,
    /// True if its text is likely longer.
    is_packed: bool,
}

/// A piece of a web archive.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Records with documents, and the number of others that were fetched and are no documents.
    Records { records: Vec<Raw>, others: u64 },
    /// A record that is not read.
    Lost { record: u64, reason: Reason },
}

/// Cuts a stream into pieces.
pub(super) struct Archive<R> {
    from: R,
    limit: u64,
    buffer: Vec<u8>,
    /// Number of bytes at the start of the buffer that were given or skipped.
    start: usize,
    /// The number of the last record.
    number: u64,
    /// The problem that comes after the records before it.
    lost: Option<Piece>,
    at_end: bool,
    failed: Option<io::Error>,
    /// Number of bytes of the record that the error cut off.
    cut_off: u64,
}

/// A record that was found: its header and its length, or the reason why it is not read.
type Found = Result<(Header, u64), Refusal>;

impl<R: Read> Archive<R> {
    pub(super) fn new(from: R, limit: u64) -> Self {
        let (buffer, lost, at_end, failed) = (Vec::new(), None, false, None);
        Self { from, limit, buffer, start: 0, number: 0, lost, at_end, failed, cut_off: 0 }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the stream, once everything before the error was returned; the next call returns `None`. The damage of a
    /// member that another one follows is none.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        let (mut records, mut others, mut size) = (Vec::new(), 0, 0);
        while size < BLOCK && self.lost.is_none() {
            let Some(found) = self.find() else { break };
            let number = self.number + 1;
            let taken = match found {
                Ok((header, length)) if length > self.limit => match self.skip(header, length) {
                    Some(skipped) => skipped,
                    None => break,
                },
                Ok((header, length)) => {
                    // It is in the buffer, which is longer than `usize` on no system.
                    let bytes = &self.buffer[self.start..][..length as usize];
                    let stored = Stored::new(header, bytes);
                    let holds = stored.holds();
                    if holds == Holds::Document {
                        records.push(Raw { number, is_packed: stored.is_packed(), bytes: bytes.to_vec() });
                    }
                    size += bytes.len();
                    self.start += bytes.len();
                    Ok(holds)
                }
                Err(refusal) => match self.pass() {
                    Some(_) => Err(Reason::Refused(refusal)),
                    None => break,
                },
            };
            self.number = number;
            match taken {
                Ok(holds) => others += u64::from(holds == Holds::Other),
                Err(reason) => self.lost = Some(Piece::Lost { record: number, reason }),
            }
        }
        match self.lost.take() {
            lost if !records.is_empty() || others > 0 => {
                self.lost = lost;
                Ok(Some(Piece::Records { records, others }))
            }
            Some(lost) => Ok(Some(lost)),
            None => self.failed.take().map_or(Ok(None), |error| self.go_on(error).map(Some)),
        }
    }

    /// The record that an error cut off, if reading can go on behind it.
    fn go_on(&mut self, error: io::Error) -> io::Result<Piece> {
        let Some(read) = Damage::of(&error).map(|damage| damage.read) else { return Err(error) };
        let cut_off = std::mem::take(&mut self.cut_off);
        self.at_end = false;
        self.fill(1);
        let is_alone = read <= cut_off;
        let is_last = self.rest().is_empty() && self.failed.is_none();
        if is_last && !(is_alone && is_of_checksum(&error)) {
            return Err(error);
        }
        self.number += 1;
        let others = if is_alone { "" } else { ", as may be the records of it that were read" };
        let reason = Reason::Refused(damaged(&format!("its gzip member is damaged ({error}){others}")));
        Ok(Piece::Lost { record: self.number, reason })
    }

    /// Number of bytes of a damaged member, which are the last that were read.
    fn damaged(&self) -> u64 {
        self.failed.as_ref().and_then(Damage::of).map_or(0, |damage| damage.read)
    }

    /// The bytes read and not yet given.
    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Reads until the rest has `wanted` bytes, or to the end of the stream.
    fn fill(&mut self, wanted: usize) {
        // Half of the buffer moves for each half of it that was given, so bytes move once on average.
        if self.start > self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.start = 0;
            if self.buffer.capacity() > 8 * BLOCK && wanted <= BLOCK {
                // The buffer had grown for a long record.
                self.buffer.shrink_to(BLOCK);
            }
        }
        // In steps, as a length may be a lie.
        while !self.at_end && self.rest().len() < wanted {
            match read_up_to(&mut self.from, BLOCK, &mut self.buffer) {
                Ok(read) => self.at_end = read < BLOCK,
                Err(error) => (self.at_end, self.failed) = (true, Some(error)),
            }
        }
    }

    /// The next record; `None` at the end, and for one that an error cut off.
    fn find(&mut self) -> Option<Found> {
        loop {
            self.fill(HEADER);
            let breaks = breaks(self.rest());
            self.start += breaks;
            if breaks == 0 {
                break;
            }
        }
        if self.rest().is_empty() {
            return None;
        }
        let found = self.record();
        let rest = self.rest().len() as u64;
        let is_in_damaged = || self.damaged() >= rest || next(self.rest()).is_none();
        if found.is_err() && self.failed.is_some() && is_in_damaged() {
            self.cut_off = rest;
            self.start = self.buffer.len();
            return None;
        }
        Some(found)
    }

    /// The record that the rest begins with.
    fn record(&mut self) -> Found {
        let header = Header::parse(self.rest())?;
        let length = header.length.saturating_add(header.end as u64);
        if length > self.limit {
            return Ok((header, length));
        }
        let end = usize::try_from(length).unwrap_or(usize::MAX);
        self.fill(end.saturating_add(BREAKS + BEGIN.len()));
        let after = self.rest().get(end..).ok_or_else(|| damaged("the file ends before its Content-Length does"))?;
        let behind = |after: &[u8]| breaks(after).min(BREAKS);
        // What a damaged member has may begin with anything.
        let intact = after.len().checked_sub(self.damaged() as usize).map(|length| &after[..length]);
        let is_last = self.at_end && intact.is_some_and(|after| behind(after) == after.len());
        if is_last || after[behind(after)..].starts_with(BEGIN) {
            Ok((header, length))
        } else {
            Err(damaged(WRONG_LENGTH))
        }
    }

    /// Skips a record that is longer than the limit, and returns what it holds; `None` if it is in a damaged member.
    fn skip(&mut self, header: Header, length: u64) -> Option<Result<Holds, Reason>> {
        let holds = Stored::new(header, self.rest()).holds();
        let is_whole = |passed: u64| (length..=length.saturating_add(BREAKS as u64)).contains(&passed);
        let passed = self.pass().or_else(|| {
            // The damaged member may be that behind it.
            let own = self.cut_off.checked_sub(self.damaged()).filter(|&own| is_whole(own))?;
            self.cut_off = self.damaged();
            Some(own)
        })?;
        Some(if !is_whole(passed) {
            Err(Reason::Refused(damaged(WRONG_LENGTH)))
        } else if holds == Holds::Document {
            Err(Reason::TooLong(self.limit))
        } else {
            Ok(holds)
        })
    }

    /// Skips bytes up to the next line that begins a record, and returns their number; `None` if they are those of a damaged
    /// member.
    fn pass(&mut self) -> Option<u64> {
        let mut passed = 0;
        loop {
            let found = next(self.rest());
            // The line may have been read in part.
            let kept = if self.at_end { 0 } else { BEGIN.len().min(self.rest().len()) };
            let length = found.unwrap_or(self.rest().len() - kept);
            passed += length as u64;
            self.start += length;
            if found.is_some() {
                return Some(passed);
            }
            if self.at_end {
                let is_damaged = self.damaged() > 0;
                self.cut_off = if is_damaged { passed } else { 0 };
                return (!is_damaged).then_some(passed);
            }
            self.fill(BLOCK);
        }
    }
}

const WRONG_LENGTH: &str = "its Content-Length is wrong, as no record begins where it ends";

/// The number of line breaks' bytes at the beginning.
fn breaks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

impl Raw {
    /// Estimate of the length of its text.
    pub(super) fn unpacked(&self, longest: u64) -> u64 {
        let bytes = self.bytes.len() as u64;
        if self.is_packed { bytes.saturating_mul(UNPACKED).min(longest) } else { bytes }
    }

    fn parsed(&self) -> Result<Stored<'_>, Reason> {
        Header::parse(&self.bytes).map(|header| Stored::new(header, &self.bytes)).map_err(Reason::Refused)
    }
}

impl Batch {
    /// The document of a record.
    pub(super) fn stored<'a>(&self, raw: &'a Raw) -> Result<Record<'a>, Problem> {
        raw.parsed()
            .and_then(|stored| self.record_of(raw.number, &stored))
            .map_err(|reason| Problem::of(&*self.file.name, Location::Record(raw.number), reason))
    }

    fn record_of<'a>(&self, number: u64, stored: &Stored<'a>) -> Result<Record<'a>, Reason> {
        let longest = self.reading.longest();
        let options =
            Options { encoding: self.reading.encoding, format: None, max_unpacked: Some(self.reading.max_memory / 2) };
        let document = stored.document(options, longest).map_err(|refusal| match refusal {
            Refusal::TooLarge => Reason::TooLong(longest),
            refusal => Reason::Refused(refusal),
        })?;
        self.admit(document.text.len() as u64)?;
        let fields = &self.reading.fields;
        let field = |name: &Option<String>| stored.field(name.as_deref()?).map(str::to_owned);
        let id = field(&fields.id).or_else(|| stored.uri().map(str::to_owned));
        let values = Values { id, key: field(&fields.key), origin: field(&fields.origin) };
        let (hidden, date, format) = (document.hidden, document.date, document.format);
        let record = self.record(values, Some(document.text), number, document.replaced);
        Ok(Record { hidden, date, format, is_exact: false, ..record })
    }

    /// What a record becomes in another format: its id, its date and its text.
    pub(super) fn row_of(&self, raw: &Raw) -> Result<Row, String> {
        let in_words = |reason: Reason| nearcopy::error::Reason::from(reason).to_string();
        let stored = raw.parsed().map_err(in_words)?;
        let record = self.record_of(raw.number, &stored).map_err(in_words)?;
        let date = stored.field("WARC-Date").unwrap_or_default().to_owned();
        let values = [("id", record.id), ("date", date), ("text", record.text.into_owned())];
        Ok(values.map(|(name, value)| (name.to_owned(), Value::Text(value))).into())
    }
}

#[cfg(test)]
mod tests;
