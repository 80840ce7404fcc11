//! A stream is cut into blocks of whole records, without looking into them.
//!
//! A record is a line, or a row of a table, whose quoted fields may hold line
//! breaks. The cut is the part of reading that one thread does at a time, so it
//! does little: it looks for line breaks and quotes. A record longer than the
//! limit is passed over without being kept, so that memory is bounded by the limit.
//!
//! A row is *broken* if a closing quote is followed by something else than the end
//! of the field, or if its quote is never closed. Then its first line alone is
//! given up, and the next line begins a new row: one lost quote does not swallow
//! the rest of a table.
//!
//! Cost: one pass at the speed of memory; a broken row is looked at twice.

use std::io::{self, Read};

use super::super::problem::Reason;

/// Blocks have about so many bytes; a longer record is a block of its own.
const BLOCK: usize = 256 << 10;

/// What ends a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// A line break.
    Line,
    /// A line break outside quotes; fields are separated by this byte.
    Row(u8),
}

/// A piece of a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// Whole records.
    Block {
        /// Their bytes, with the line break of the last one, if it has one.
        bytes: Vec<u8>,
        /// The number of the first record, from 1.
        first: u64,
    },
    /// A record that is given up.
    Lost {
        /// Its number, from 1.
        record: u64,
        /// Why.
        reason: Reason,
    },
}

/// Cuts a stream into pieces.
pub(super) struct Blocks<R> {
    from: R,
    cut: Cut,
    limit: u64,
    /// Bytes read but not yet given away.
    buffer: Vec<u8>,
    /// The number of the next record.
    next: u64,
    /// The record that was found broken or too long while the block before it was cut.
    lost: Option<(usize, Reason)>,
    at_end: bool,
    failed: Option<io::Error>,
}

/// What the bytes of a buffer are, from its beginning.
#[derive(Debug, Default)]
struct Scan {
    /// The length of the whole records, and their number.
    whole: usize,
    records: u64,
    /// A broken row begins at `whole`; its first line has so many bytes.
    broken: Option<(usize, &'static str)>,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(from: R, cut: Cut, limit: u64) -> Self {
        Self { from, cut, limit, buffer: Vec::new(), next: 1, lost: None, at_end: false, failed: None }
    }

    /// The next piece; `None` at the end.
    ///
    /// # Errors
    ///
    /// Those of the stream, after everything before them was given; then the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Piece>> {
        if let Some((length, reason)) = self.lost.take() {
            self.buffer.drain(..length);
            return Ok(Some(self.lose(reason)));
        }
        let mut wanted = BLOCK;
        loop {
            self.fill(wanted)?;
            if self.buffer.is_empty() && self.at_end {
                return self.failed.take().map_or(Ok(None), Err);
            }
            let scan = scan(&self.buffer, self.cut, self.at_end && self.failed.is_none());
            if let Some((length, why)) = scan.broken {
                self.lost = Some((length, Reason::Csv(why.into())));
            }
            if scan.whole > 0 {
                return Ok(Some(self.give(&scan)));
            }
            if self.lost.is_some() {
                return self.next();
            }
            if self.at_end {
                // What is left was cut off by an error.
                self.buffer.clear();
            } else if self.buffer.len() as u64 > self.limit {
                return self.pass_over().map(Some);
            } else {
                wanted = 2 * self.buffer.len();
            }
        }
    }

    /// Reads until the buffer has so many bytes, or to the end.
    fn fill(&mut self, wanted: usize) -> io::Result<()> {
        let most = usize::try_from(self.limit).unwrap_or(usize::MAX).saturating_add(1).max(BLOCK);
        let missing = wanted.min(most).saturating_sub(self.buffer.len());
        if self.at_end || missing == 0 {
            return Ok(());
        }
        match self.from.by_ref().take(missing as u64).read_to_end(&mut self.buffer) {
            Ok(read) => self.at_end = read < missing,
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => return Err(error),
            Err(error) => {
                self.at_end = true;
                self.failed = Some(error);
            }
        }
        Ok(())
    }

    fn give(&mut self, scan: &Scan) -> Piece {
        let rest = self.buffer.split_off(scan.whole);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let first = self.next;
        self.next += scan.records;
        Piece::Block { bytes, first }
    }

    fn lose(&mut self, reason: Reason) -> Piece {
        let record = self.next;
        self.next += 1;
        Piece::Lost { record, reason }
    }

    /// Passes over a record that is longer than the limit.
    fn pass_over(&mut self) -> io::Result<Piece> {
        // A quote may be to blame for the length: then only its line is given up.
        if let (Cut::Row(_), Some(length)) = (self.cut, first_line(&self.buffer)) {
            self.buffer.drain(..length);
            return Ok(self.lose(Reason::Csv(UNCLOSED.into())));
        }
        loop {
            if let Some(length) = first_line(&self.buffer) {
                self.buffer.drain(..length);
                break;
            }
            self.buffer.clear();
            if self.at_end {
                break;
            }
            self.fill(BLOCK)?;
        }
        Ok(self.lose(Reason::TooLong(self.limit)))
    }
}

const UNCLOSED: &str = "its quote is never closed; the line is given up";
const AFTER_QUOTE: &str = "a quote is closed in the middle of a field; the line is given up";

/// The length of the first line with its break; `None` if it has none.
fn first_line(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\n').map(|end| end + 1)
}

fn scan(bytes: &[u8], cut: Cut, at_end: bool) -> Scan {
    match cut {
        Cut::Line => {
            let whole = if at_end {
                bytes.len()
            } else {
                bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1)
            };
            let records = bytes[..whole].split_inclusive(|&byte| byte == b'\n').count() as u64;
            Scan { whole, records, broken: None }
        }
        Cut::Row(separator) => scan_rows(bytes, separator, at_end),
    }
}

/// Where a scanner of rows stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Bare,
    Quoted,
    /// After a quote inside a quoted field: its end, or half of an escaped quote.
    Closing,
}

fn scan_rows(bytes: &[u8], separator: u8, at_end: bool) -> Scan {
    let mut scan = Scan::default();
    let mut state = State::FieldStart;
    for (i, &byte) in bytes.iter().enumerate() {
        state = match (state, byte) {
            (State::Quoted, b'"') => State::Closing,
            (State::Quoted, _) | (State::Closing | State::FieldStart, b'"') => State::Quoted,
            (_, b'\n') => {
                // Blank lines are no rows.
                scan.records += u64::from(!matches!(bytes[scan.whole..i], [] | [b'\r']));
                scan.whole = i + 1;
                State::FieldStart
            }
            (_, byte) if byte == separator => State::FieldStart,
            (State::Closing, b'\r') => State::Closing,
            (State::Closing, _) => {
                scan.broken = Some((first_line(&bytes[scan.whole..]).unwrap_or(bytes.len() - scan.whole), AFTER_QUOTE));
                return scan;
            }
            _ => State::Bare,
        };
    }
    if at_end && scan.whole < bytes.len() {
        if state == State::Quoted {
            let rest = &bytes[scan.whole..];
            scan.broken = Some((first_line(rest).unwrap_or(rest.len()), UNCLOSED));
        } else {
            scan.whole = bytes.len();
            scan.records += 1;
        }
    }
    scan
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
        let mut blocks = Blocks::new(Slow(bytes, 7, fails), cut, limit);
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

    const ROW: Cut = Cut::Row(b',');

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
        assert_eq!(pieces(text.as_bytes(), ROW, 99, false).0, [block(text, 1)]);
        let mut blocks = Blocks::new(text.as_bytes(), ROW, 99);
        blocks.next().unwrap();
        assert_eq!(blocks.next, 3, "two rows");
    }

    #[test]
    fn a_broken_row_costs_its_line_only() {
        let text = "1,\"good\"\n2,\"broken\n3,\"fine\"\n4,fine\n5,\"open\n6,more\n";
        let (pieces, _) = pieces(text.as_bytes(), ROW, 999, false);
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
        let (pieces, _) = pieces(text.as_bytes(), ROW, BLOCK as u64, false);
        assert_eq!(pieces[0], lost(1, UNCLOSED));
        let kept: usize =
            pieces.iter().map(|piece| if let Piece::Block { bytes, .. } = piece { bytes.len() } else { 0 }).sum();
        assert_eq!(kept, rest.len());
    }

    proptest! {
        #[test]
        fn nothing_is_lost_between_blocks(text in "[ab\n]{0,200}", limit in 1u64..40) {
            let mut blocks = Blocks::new(Slow(text.as_bytes(), 7, false), Cut::Line, limit);
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
            let (pieces, _) = pieces(text.as_bytes(), ROW, 50, false);
            let mut record = 1;
            for piece in pieces {
                match piece {
                    Piece::Block { first, .. } => prop_assert!(first >= record),
                    Piece::Lost { record: lost, .. } => { prop_assert!(lost >= record); record = lost + 1; }
                }
            }
        }
    }
}
