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
        /// True if the line begins with it.
        is_first: bool,
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
    long: Option<Long>,
    at_end: bool,
    failed: Option<io::Error>,
}

/// How much of a line longer than the limit was returned or skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Long {
    Nothing,
    Some,
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
        let (at_end, failed, long) = (false, None, None);
        let passes_long = false;
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
            if let Some(before) = self.long.take() {
                if let Some(part) = self.pass_on(before) {
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
        if let (Cut::Row(_), Some(length)) = (self.cut, self.first_line()) {
            return self.lose_row(length, UNCLOSED);
        }
        self.long = Some(Long::Nothing);
        self.lose(Reason::TooLong(self.limit))
    }

    /// Skips the next part of a line that was dropped, and returns it if long lines are passed on.
    fn pass_on(&mut self, before: Long) -> Option<Piece> {
        self.fill(BLOCK);
        let end = self.first_line();
        let length = end.unwrap_or(self.rest().len());
        let bytes = if self.passes_long { self.rest()[..length].to_vec() } else { Vec::new() };
        self.pass(length);
        if end.is_none() && !self.at_end {
            self.long = Some(Long::Some);
        }
        (!bytes.is_empty()).then_some(Piece::Part { bytes, is_first: before == Long::Nothing })
    }

    /// The length of the rest up to its first line break, if it has one.
    fn first_line(&self) -> Option<usize> {
        match self.cut {
            Cut::Line => memchr::memchr(b'\n', self.rest()).map(|end| end + 1),
            Cut::Row(dialect) => dialect.first_line(self.rest()),
        }
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Gives at most `step` bytes at a time, and an error at the end if asked to.
    struct Slow<'a>(&'a [u8], usize, bool);

    impl Read for Slow<'_> {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            let step = self.1.min(to.len());
            match self.0.read(&mut to[..step]) {
                Ok(0) if self.2 => Err(io::ErrorKind::UnexpectedEof.into()),
                other => other,
            }
        }
    }

    fn pieces(bytes: &[u8], cut: Cut, limit: u64, fails: bool) -> (Vec<Piece>, bool) {
        let mut blocks = Chunks::new(Slow(bytes, 7, fails), cut, limit);
        let mut pieces = Vec::new();
        loop {
            match blocks.next() {
                Ok(Some(piece)) => pieces.push(piece),
                Ok(None) => return (pieces, false),
                Err(_) => {
                    assert_eq!(blocks.next().unwrap(), None);
                    return (pieces, true);
                }
            }
        }
    }

    fn block(text: &str, first: u64) -> Piece {
        Piece::Block { bytes: text.into(), first }
    }

    fn lost(record: u64, why: &str) -> Piece {
        Piece::Lost { record, reason: Reason::Csv(why.into()) }
    }

    fn rows() -> Cut {
        Cut::Row(Dialect::of(b',', b""))
    }

    #[test]
    fn lines_stay_whole() {
        assert_eq!(pieces(b"one\ntwo\n\nfour", Cut::Line, 99, false).0, [block("one\ntwo\n\nfour", 1)]);
        assert_eq!(pieces(b"", Cut::Line, 99, false).0, []);
    }

    #[test]
    fn a_line_cut_off_by_an_error_is_not_a_record() {
        assert_eq!(pieces(b"one\ntwo\nthr", Cut::Line, 99, true), (vec![block("one\ntwo\n", 1)], true));
    }

    #[test]
    fn a_long_line_is_passed_on_if_asked_for() {
        let long = "x".repeat(3 * BLOCK);
        for end in ["", "\n", "\nlast"] {
            let text = format!("{long}\none\n{long}\n{long}{end}");
            let mut blocks = Chunks::new(Slow(text.as_bytes(), 1 << 14, false), Cut::Line, BLOCK as u64);
            blocks.passes_long = true;
            let (mut all, mut firsts, mut dropped) = (Vec::new(), 0, Vec::new());
            while let Some(piece) = blocks.next().unwrap() {
                match piece {
                    Piece::Block { bytes, .. } => all.extend(bytes),
                    Piece::Part { bytes, is_first } => {
                        firsts += u32::from(is_first);
                        all.extend(bytes);
                    }
                    Piece::Lost { record, .. } => dropped.push(record),
                }
            }
            assert!(all == text.as_bytes(), "{end}");
            assert_eq!((firsts, dropped), (3, vec![1, 3, 4]), "{end}");
        }
    }

    #[test]
    fn a_long_line_is_passed_over() {
        let long = "x".repeat(3 * BLOCK);
        let text = format!("one\n{long}\nthree\n{long}");
        let limit = BLOCK as u64;
        let too_long = |record| Piece::Lost { record, reason: Reason::TooLong(limit) };
        let expected = [block("one\n", 1), too_long(2), block("three\n", 3), too_long(4)];
        assert_eq!(pieces(text.as_bytes(), Cut::Line, limit, false).0, expected);
    }

    #[test]
    fn quoted_breaks_are_part_of_a_row() {
        let text = "a,\"b\nc\",\"d \"\"e\"\"\"\r\n\nf,g\n";
        assert_eq!(pieces(text.as_bytes(), rows(), 99, false).0, [block(text, 1)]);
        let mut blocks = Chunks::new(text.as_bytes(), rows(), 99);
        blocks.next().unwrap();
        assert_eq!(blocks.next, 3, "two rows");
    }

    #[test]
    fn a_broken_row_costs_its_line_only() {
        let text = "1,\"good\"\n2,\"broken\n3,\"fine\"\n4,fine\n5,\"open\n6,more\n";
        let (pieces, _) = pieces(text.as_bytes(), rows(), 999, false);
        let expected = [
            block("1,\"good\"\n", 1),
            lost(2, AFTER_QUOTE),
            block("3,\"fine\"\n4,fine\n", 3),
            lost(5, UNCLOSED),
            block("6,more\n", 6),
        ];
        assert_eq!(pieces, expected);
    }

    #[test]
    fn an_open_quote_does_not_take_a_large_table_with_it() {
        let rest = "2,fine\n".repeat(BLOCK);
        let text = format!("1,\"open\n{rest}");
        let (pieces, _) = pieces(text.as_bytes(), rows(), BLOCK as u64, false);
        assert_eq!(pieces[0], lost(1, UNCLOSED));
        let kept: usize =
            pieces.iter().map(|piece| if let Piece::Block { bytes, .. } = piece { bytes.len() } else { 0 }).sum();
        assert_eq!(kept, rest.len());
    }

    #[test]
    fn a_broken_row_may_lie_across_the_edge_of_a_block() {
        let before = "1,fine\n".repeat(BLOCK / 7 - 1);
        let text = format!("{before}2,\"bro\"ken in its long, long, long middle\n3,fine\n");
        let count = (BLOCK / 7) as u64;
        let expected = [block(&before, 1), lost(count, AFTER_QUOTE), block("3,fine\n", count + 1)];
        assert_eq!(pieces(text.as_bytes(), rows(), 1 << 20, false).0, expected);
    }

    #[test]
    fn a_mark_is_no_part_of_the_heading() {
        let text = "\u{feff}\"a\nb\",c\n1,2\n";
        assert_eq!(pieces(text.as_bytes(), rows(), 99, false).0, [block(text, 1)]);
        let mut blocks = Chunks::new(text.as_bytes(), rows(), 99);
        blocks.next().unwrap();
        assert_eq!(blocks.next, 3, "two rows");
    }

    /// Every line leaves a quote open until the end.
    #[test]
    fn open_quotes_without_end_do_not_cost_their_square() {
        let line = "x\",\"y\n";
        for lines in [24_000, 240_000] {
            let text = line.repeat(lines);
            let mut blocks = Chunks::new(text.as_bytes(), rows(), 256 << 20);
            let mut last = None;
            while let Some(piece) = blocks.next().unwrap() {
                last = Some(piece);
            }
            assert!(matches!(last, Some(Piece::Lost { reason: Reason::Csv(why), .. }) if why == DISORDER));
            let length = text.len() as u64;
            assert!(blocks.rescanned <= (RESCANS + 1) * length + RESCANNED_BLOCKS * BLOCK as u64, "{lines} lines");
        }
        // A few cost their lines only.
        let text = format!("{}{}", line.repeat(9), "1,fine\n".repeat(3));
        let (pieces, _) = pieces(text.as_bytes(), rows(), 1 << 20, false);
        assert_eq!((pieces.len(), pieces.last()), (10, Some(&block("1,fine\n1,fine\n1,fine\n", 10))));
    }

    /// A stream that cannot be read for want of memory.
    struct Starved;

    impl Read for Starved {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::OutOfMemory.into())
        }
    }

    #[test]
    fn want_of_memory_is_told_once() {
        let mut blocks = Chunks::new(Starved, Cut::Line, 99);
        assert_eq!(blocks.next().unwrap_err().kind(), io::ErrorKind::OutOfMemory);
        assert_eq!(blocks.next().unwrap(), None);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_between_blocks(text in "[ab\n]{0,200}", limit in 1u64..40) {
            let mut blocks = Chunks::new(Slow(text.as_bytes(), 7, false), Cut::Line, limit);
            let mut expected = 1;
            let mut bytes_given = Vec::new();
            while let Some(piece) = blocks.next().unwrap() {
                let Piece::Block { bytes, first } = piece else { unreachable!("blocks are longer than any line") };
                prop_assert_eq!(first, expected);
                expected += bytes.split_inclusive(|&byte| byte == b'\n').count() as u64;
                bytes_given.extend(bytes);
            }
            prop_assert_eq!(bytes_given, text.as_bytes());
        }

        #[test]
        fn rows_of_any_bytes_come_to_an_end(text in "[a,\"\n\r]{0,120}") {
            let (pieces, _) = pieces(text.as_bytes(), rows(), 50, false);
            let mut record = 1;
            for piece in pieces {
                match piece {
                    Piece::Block { first, .. } => prop_assert!(first >= record),
                    Piece::Lost { record: lost, .. } => { prop_assert!(lost >= record); record = lost + 1; }
                    Piece::Part { .. } => unreachable!("rows are not passed on"),
                }
            }
        }
    }
}
