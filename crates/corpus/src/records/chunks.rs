//! Cutting of a stream into blocks of whole records, without parsing them.
//!
//! A record is a line, or a row of a table, whose quoted fields may contain line
//! breaks. Only one thread at a time cuts a stream, so cutting does little: it looks for
//! line breaks and quotes. A record longer than the limit is skipped without being kept, or a long line is passed on in
//! parts, so memory is bounded by the limit.
//!
//! If a row is broken ([`super::table`]) or its quote is never closed, only its first line is
//! dropped, and the next line begins a new row: one lost quote does not swallow the rest of
//! a table. The bytes after that line are then scanned again. If rescanning exceeds
//! several times the bytes read ([`RESCANS`]), the rest of the table is dropped.
//!
//! Cost: one pass at memory speed; a few passes for a table with broken rows.

use std::io::{self, Read};

use super::fill::read_up_to;
use super::table::{Dialect, Scan, Stop, mark};
use crate::error::Reason;

/// Approximate block size in bytes; a longer record becomes a block by itself.
const BLOCK: usize = 256 << 10;

/// Maximum amount rescanned for broken rows, as a multiple of the bytes read.
const RESCANS: u64 = 4;
/// Additional allowance for rescanning, in blocks.
const RESCANNED_BLOCKS: u64 = 32;

/// The end of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// A line break.
    Line,
    /// A line break outside quotes.
    Row(Dialect),
}

/// A piece of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Whole records.
    Block {
        /// Their bytes, including the last line break if there is one.
        bytes: Vec<u8>,
        /// The number of the first record, from 1.
        first: u64,
    },
    /// A dropped record.
    Lost {
        /// The record's number, from 1.
        record: u64,
        /// The reason.
        reason: Reason,
    },
    /// A part of the line that was dropped last, where long lines are passed on.
    Part {
        /// Its bytes.
        bytes: Vec<u8>,
        /// The number of the line, if it begins with this part.
        begins: Option<u64>,
    },
}

/// Cuts a stream into pieces.
pub(super) struct Chunks<R> {
    from: R,
    cut: Cut,
    limit: u64,
    /// True if lines longer than the limit are passed on in parts.
    pub(super) passes_long: bool,
    buffer: Vec<u8>,
    /// Number of bytes at the start of the buffer that were already returned or skipped.
    start: usize,
    /// The scan of the rows after them.
    scan: Scan,
    /// The number of the next record.
    next: u64,
    read: u64,
    rescanned: u64,
    /// A line that is longer than the limit: true if none of it was returned or skipped.
    long: Option<bool>,
    at_end: bool,
    failed: Option<io::Error>,
}

/// The beginning of the rest of a buffer.
enum Next {
    /// Whole records: their length in bytes, and their number.
    Whole(usize, u64),
    /// A row to be dropped: the length of its first line in bytes, and the reason.
    Lost(usize, &'static str),
    /// Undecided until more is read.
    Unknown,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(from: R, cut: Cut, limit: u64) -> Self {
        let (buffer, scan) = (Vec::new(), Scan::default());
        let (at_end, failed, long, passes_long) = (false, None, None, false);
        Self {
            from,
            cut,
            limit,
            passes_long,
            buffer,
            start: 0,
            scan,
            next: 1,
            read: 0,
            rescanned: 0,
            long,
            at_end,
            failed,
        }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the stream, once everything before the error was returned; the next call
    /// returns `None`.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut wanted = BLOCK;
        loop {
            if let Some(is_first) = self.long.take() {
                if let Some(part) = self.pass_on(is_first) {
                    return Ok(Some(part));
                }
                continue;
            }
            self.fill(wanted);
            let length = self.rest().len();
            if length == 0 && self.at_end {
                return self.failed.take().map_or(Ok(None), Err);
            }
            match self.look() {
                Next::Whole(length, records) => return Ok(Some(self.give(length, records))),
                Next::Lost(length, why) => return Ok(Some(self.lose_row(length, why))),
                // An error truncated the last record.
                Next::Unknown if self.at_end => self.pass(length),
                Next::Unknown if length as u64 > self.limit => return Ok(Some(self.pass_over())),
                Next::Unknown => wanted = 2 * length,
            }
        }
    }

    /// The bytes read and not yet returned.
    fn rest(&self) -> &[u8] {
        &self.buffer[self.start..]
    }

    /// Reads until the rest has `wanted` bytes, or to the end of the stream.
    fn fill(&mut self, wanted: usize) {
        let most = usize::try_from(self.limit).unwrap_or(usize::MAX).saturating_add(1).max(BLOCK);
        let missing = wanted.min(most).saturating_sub(self.rest().len());
        if self.at_end || missing == 0 {
            return;
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        if self.buffer.capacity() > 8 * BLOCK && wanted == BLOCK {
            // The buffer had grown for a long record.
            self.buffer.shrink_to(BLOCK);
        }
        match read_up_to(&mut self.from, missing, &mut self.buffer) {
            Ok(read) => {
                self.read += read as u64;
                self.at_end = read < missing;
            }
            Err(error) => {
                self.at_end = true;
                self.failed = Some(error);
            }
        }
    }

    fn look(&mut self) -> Next {
        let is_all = self.at_end && self.failed.is_none();
        let rest = &self.buffer[self.start..];
        let Cut::Row(dialect) = self.cut else { return lines(rest, is_all) };
        if self.next == 1 && self.scan.at == 0 {
            self.scan.at = mark(rest);
        }
        let stop = dialect.scan(&mut self.scan, rest, BLOCK);
        let is_open = stop == Stop::Out && is_all && !self.scan.close(rest);
        let Scan { whole, records, .. } = self.scan;
        if whole > 0 {
            return Next::Whole(whole, records);
        }
        let first_line = || dialect.first_line(rest).or(is_all.then_some(rest.len()));
        match stop {
            // The end of its first line may not have been read yet.
            Stop::Broken => first_line().map_or(Next::Unknown, |length| Next::Lost(length, AFTER_QUOTE)),
            _ if is_open => first_line().map_or(Next::Unknown, |length| Next::Lost(length, UNCLOSED)),
            _ => Next::Unknown,
        }
    }

    /// Skips bytes and resets the scan.
    fn pass(&mut self, length: usize) {
        self.start += length;
        self.scan = Scan::default();
    }

    fn give(&mut self, length: usize, records: u64) -> Piece {
        let left = self.rest().len() - length;
        let bytes = if self.start == 0 && left < length {
            // The shorter part is copied.
            let mut rest = Vec::with_capacity(left.max(BLOCK));
            rest.extend_from_slice(&self.buffer[length..]);
            let mut bytes = std::mem::replace(&mut self.buffer, rest);
            bytes.truncate(length);
            bytes
        } else {
            let bytes = self.rest()[..length].to_vec();
            self.start += length;
            bytes
        };
        // Bytes already scanned after them need not be scanned again.
        self.scan = if self.cut == Cut::Line { Scan::default() } else { self.scan.after(length) };
        let first = self.next;
        self.next += records;
        Piece::Block { bytes, first }
    }

    fn lose(&mut self, reason: Reason) -> Piece {
        let record = self.next;
        self.next += 1;
        Piece::Lost { record, reason }
    }

    /// Drops the first line of a row, or all of the rest if too much was rescanned.
    fn lose_row(&mut self, length: usize, why: &str) -> Piece {
        self.rescanned += self.scan.at.saturating_sub(length) as u64;
        self.pass(length);
        if self.rescanned <= RESCANS * self.read + RESCANNED_BLOCKS * BLOCK as u64 {
            return self.lose(Reason::Csv(why.into()));
        }
        self.pass(self.rest().len());
        (self.at_end, self.failed) = (true, None);
        self.lose(Reason::Csv(DISORDER.into()))
    }

    /// Drops a record that is longer than the limit.
    fn pass_over(&mut self) -> Piece {
        // An unclosed quote may have caused the length: then only its line is dropped.
        if let Cut::Row(dialect) = self.cut
            && let Some(length) = dialect.first_line(self.rest())
        {
            return self.lose_row(length, UNCLOSED);
        }
        self.long = Some(true);
        self.lose(Reason::TooLong(self.limit))
    }

    /// Skips the next part of a line that was dropped, and returns it if long lines are passed on.
    fn pass_on(&mut self, is_first: bool) -> Option<Piece> {
        self.fill(BLOCK);
        let rest = self.rest();
        let (part, end) = match self.cut {
            Cut::Line => {
                let part = &rest[..rest.len().min(BLOCK)];
                (part, memchr::memchr(b'\n', part).map(|end| end + 1))
            }
            Cut::Row(dialect) => (rest, dialect.first_line(rest)),
        };
        let length = end.unwrap_or(part.len());
        let bytes = if self.passes_long { part[..length].to_vec() } else { Vec::new() };
        self.pass(length);
        if end.is_none() && !(self.at_end && self.rest().is_empty()) {
            self.long = Some(false);
        }
        let begins = is_first.then_some(self.next - 1);
        (!bytes.is_empty()).then_some(Piece::Part { bytes, begins })
    }
}

const UNCLOSED: &str = "its quote is never closed; the line is given up";
const AFTER_QUOTE: &str = "a quote is closed in the middle of a field; the line is given up";
const DISORDER: &str = "too many quotes are never closed, so the ends of rows cannot be determined; the rest of the \
                        table is given up; write it again with every quote inside a field doubled";

/// The whole lines of some bytes.
fn lines(bytes: &[u8], is_all: bool) -> Next {
    let whole = if is_all { bytes.len() } else { memchr::memrchr(b'\n', bytes).map_or(0, |last| last + 1) };
    if whole == 0 {
        return Next::Unknown;
    }
    let breaks = memchr::memchr_iter(b'\n', &bytes[..whole]).count();
    Next::Whole(whole, breaks as u64 + u64::from(bytes[whole - 1] != b'\n'))
}

#[cfg(test)]
mod tests;
