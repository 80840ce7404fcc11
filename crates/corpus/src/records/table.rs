//! Rows and fields of a table (RFC 4180).
//!
//! One small state machine reads a table byte by byte. Cutting the stream and parsing a block
//! both use it, so that they count the same rows: an id may be a row's number.
//!
//! ```text
//!            "            "              end of row, separator
//!  Start ───────▶ Quoted ◀──▶ Closing ─────────────────────────▶ next field
//!    │                           └── CR ──▶ Returned ── LF ──▶ next row
//!    └── any other ──▶ Bare ── end of row, separator ──▶ next field
//! ```
//!
//! A row ends with LF, or CR and LF; a CR alone is part of its field. Only if the heading
//! itself ends with a CR alone, as written by old Macintosh programs, does each CR end a
//! row. Blank lines are not rows. A row is *broken* if a closing quote is followed by
//! anything but the end of its field.
//!
//! Cost: one step per byte; inside a field, only a search for the bytes that may end it.

use std::borrow::Cow;
use std::ops::Range;

/// The dialect of a table: its separator and its line breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dialect {
    /// The byte between two fields.
    separator: u8,
    /// True if a carriage return alone ends a row.
    pub(super) returns: bool,
}

/// The state of the machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    Bare,
    Quoted,
    /// After a quote inside a quoted field: the field's end, or half of an escaped quote.
    Closing,
    /// After `Closing`, the CR of a line break.
    Returned,
}

enum Step {
    Inside(State),
    EndOfRow,
    Broken,
}

/// The progress of a scan for rows; more bytes may follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Scan {
    /// Number of bytes scanned.
    pub(super) at: usize,
    /// Number of those bytes that form whole rows.
    pub(super) whole: usize,
    /// The number of these rows.
    pub(super) records: u64,
    state: State,
}

/// The reason why a scan stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// There are no more bytes.
    Out,
    /// There are enough whole rows.
    Enough,
    /// The row that begins at `whole` is broken.
    Broken,
}

/// The UTF-8 byte-order mark, which is not part of the table.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The length of the byte-order mark at a table's beginning.
pub(super) fn mark(bytes: &[u8]) -> usize {
    if bytes.starts_with(MARK) { MARK.len() } else { 0 }
}

impl Dialect {
    /// The dialect of a table with these first bytes.
    pub(super) fn of(separator: u8, head: &[u8]) -> Self {
        let mut dialect = Self { separator, returns: true };
        let mut scan = Scan { at: mark(head), ..Scan::default() };
        // The end of the first row decides; for CR and LF it is the position of the CR.
        dialect.scan(&mut scan, head, 1);
        let end = scan.whole.checked_sub(1);
        dialect.returns = end.is_some_and(|end| head[end] == b'\r' && head.get(end + 1).is_some_and(|&b| b != b'\n'));
        dialect
    }

    fn step(self, state: State, byte: u8) -> Step {
        Step::Inside(match (state, byte) {
            (State::Quoted, b'"') => State::Closing,
            (State::Quoted, _) | (State::Closing | State::Start, b'"') => State::Quoted,
            (_, b'\n') => return Step::EndOfRow,
            (_, b'\r') if self.returns => return Step::EndOfRow,
            (State::Returned, _) => return Step::Broken,
            (_, byte) if byte == self.separator => State::Start,
            (State::Closing, b'\r') => State::Returned,
            (State::Closing, _) => return Step::Broken,
            _ => State::Bare,
        })
    }

    /// Continues a scan, until `enough` bytes are whole rows; `bytes` begins with the bytes
    /// scanned so far.
    pub(super) fn scan(self, scan: &mut Scan, bytes: &[u8], enough: usize) -> Stop {
        let (mut i, mut state) = (scan.at, scan.state);
        while let Some(&byte) = bytes.get(i) {
            match self.step(state, byte) {
                Step::Inside(next) => {
                    state = next;
                    i += 1 + self.inside(state, &bytes[i + 1..]);
                }
                Step::EndOfRow => {
                    scan.records += u64::from(!is_blank(&bytes[scan.whole..i]));
                    i += 1;
                    (scan.whole, state) = (i, State::Start);
                    if scan.whole >= enough {
                        (scan.at, scan.state) = (i, state);
                        return Stop::Enough;
                    }
                }
                Step::Broken => {
                    (scan.at, scan.state) = (i, state);
                    return Stop::Broken;
                }
            }
        }
        (scan.at, scan.state) = (bytes.len(), state);
        Stop::Out
    }

    /// Number of following bytes that do not change the state: most bytes are in the middle of a
    /// field, and skipping them takes half the time of a step for each.
    fn inside(self, state: State, bytes: &[u8]) -> usize {
        let ends = |byte: u8| byte == self.separator || byte == b'\n' || byte == b'\r';
        let end = match state {
            State::Quoted => bytes.iter().position(|&byte| byte == b'"'),
            State::Bare => bytes.iter().position(|&byte| ends(byte)),
            State::Start | State::Closing | State::Returned => Some(0),
        };
        end.unwrap_or(bytes.len())
    }

    /// The length of the first line with its line break, ignoring quotes.
    pub(super) fn first_line(self, bytes: &[u8]) -> Option<usize> {
        bytes.iter().position(|&byte| byte == b'\n' || byte == b'\r' && self.returns).map(|end| end + 1)
    }

    /// The bytes of each row, with its line break and the blank lines before it; all rows must be
    /// whole.
    pub(super) fn rows(self, bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
        let mut rest = bytes;
        std::iter::from_fn(move || {
            let mut scan = Scan::default();
            while scan.records == 0 {
                let enough = scan.whole + 1;
                // The cutter returns whole rows only; the last row may lack its line break.
                if self.scan(&mut scan, rest, enough) != Stop::Enough {
                    let last = !is_blank(rest.get(scan.whole..)?);
                    (scan.whole, scan.records) = (rest.len(), 1);
                    if !last {
                        return None;
                    }
                }
            }
            let (row, after) = rest.split_at(scan.whole);
            rest = after;
            Some(row)
        })
    }

    fn without_blanks(self, mut row: &[u8]) -> &[u8] {
        loop {
            row = match row {
                [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => rest,
                [b'\r', rest @ ..] if self.returns => rest,
                _ => return row,
            }
        }
    }

    /// The bytes of one field of a row from [`Self::rows`], with its quotes.
    pub(super) fn span(self, row: &[u8], column: usize) -> Option<Range<usize>> {
        let fields = self.without_blanks(row);
        let first = row.len() - fields.len();
        let fields = fields.strip_suffix(b"\n").unwrap_or(fields);
        let fields = fields.strip_suffix(b"\r").unwrap_or(fields);
        let (mut start, mut left) = (0, column);
        loop {
            let field = fields.get(start..)?;
            let quoted = field.strip_prefix(b"\"").map_or(0, |inside| 1 + closing(inside));
            let end = field[quoted..].iter().position(|&byte| byte == self.separator).map(|end| start + quoted + end);
            if left == 0 {
                return Some(first + start..first + end.unwrap_or(fields.len()));
            }
            (start, left) = (end? + 1, left - 1);
        }
    }

    /// The value of a field, given its bytes.
    pub(super) fn value(field: &[u8]) -> Cow<'_, [u8]> {
        match field.strip_prefix(b"\"") {
            Some(inside) => unescaped(&field[1..closing(inside).max(1)]),
            None => Cow::Borrowed(field),
        }
    }

    /// A value as a field in the place of another: with quotes if that has them or the value needs them.
    pub(super) fn written(self, value: &str, before: &[u8]) -> String {
        let needs = |c: char| matches!(c, '"' | '\n' | '\r') || c == char::from(self.separator);
        // A row of one empty field would be a blank line.
        if before.starts_with(b"\"") || value.contains(needs) || value.is_empty() {
            format!("\"{}\"", value.replace('"', "\"\""))
        } else {
            value.to_owned()
        }
    }

    /// The fields of a row from [`Self::rows`].
    pub(super) fn fields(self, row: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
        let row = self.without_blanks(row);
        let row = row.strip_suffix(b"\n").unwrap_or(row);
        let mut rest = Some(row.strip_suffix(b"\r").unwrap_or(row));
        std::iter::from_fn(move || {
            let field = rest?;
            let quoted = field.strip_prefix(b"\"").map(|inside| 1 + closing(inside));
            let start = quoted.unwrap_or(0);
            let end = field[start..].iter().position(|&byte| byte == self.separator).map(|end| start + end);
            rest = end.map(|end| &field[end + 1..]);
            Some(match quoted {
                Some(after) => unescaped(&field[1..(after - 1).max(1)]),
                None => Cow::Borrowed(&field[..end.unwrap_or(field.len())]),
            })
        })
    }
}

impl Scan {
    /// The scan of the bytes after the first `whole` bytes.
    pub(super) fn after(self, whole: usize) -> Self {
        Self { at: self.at - whole, whole: 0, records: 0, state: self.state }
    }

    /// Counts the bytes left at the end of a table as a row. Returns false if they are not one:
    /// their quote is still open.
    pub(super) fn close(&mut self, bytes: &[u8]) -> bool {
        if self.state == State::Quoted {
            return false;
        }
        self.records += u64::from(!is_blank(&bytes[self.whole..]));
        self.whole = bytes.len();
        true
    }
}

fn is_blank(line: &[u8]) -> bool {
    matches!(line, [] | [b'\r'])
}

/// The offset after the closing quote of a quoted field; `inside` begins after its opening quote.
fn closing(inside: &[u8]) -> usize {
    let mut at = 0;
    while let Some(quote) = inside[at..].iter().position(|&byte| byte == b'"') {
        at += quote + 1;
        if inside.get(at) != Some(&b'"') {
            return at;
        }
        at += 1;
    }
    // The cutter never returns a row with an open quote.
    inside.len()
}

/// Replaces each doubled quote inside a quoted field by one.
fn unescaped(field: &[u8]) -> Cow<'_, [u8]> {
    if !field.contains(&b'"') {
        return Cow::Borrowed(field);
    }
    let mut bytes = Vec::with_capacity(field.len());
    let mut was_quote = false;
    for &byte in field {
        was_quote = byte == b'"' && !was_quote;
        if byte != b'"' || was_quote {
            bytes.push(byte);
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINES: Dialect = Dialect { separator: b',', returns: false };
    const RETURNS: Dialect = Dialect { separator: b',', returns: true };

    type Fields = Vec<Vec<u8>>;

    /// The fields of all rows; `None` if one is broken.
    fn read(dialect: Dialect, text: &[u8]) -> Option<Vec<Fields>> {
        let mut scan = Scan::default();
        let is_whole = dialect.scan(&mut scan, text, usize::MAX) == Stop::Out && scan.close(text);
        let fields = |row| dialect.fields(row).map(Cow::into_owned).collect();
        let rows: Vec<Fields> = dialect.rows(text).map(fields).collect();
        if is_whole {
            assert_eq!(rows.len() as u64, scan.records, "{:?}", String::from_utf8_lossy(text));
        }
        is_whole.then_some(rows)
    }

    /// The same by the `csv` crate, which treats any CR as the end of a row.
    fn plainly(text: &[u8]) -> Vec<Fields> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        reader.byte_records().map(|row| row.unwrap().iter().map(<[u8]>::to_vec).collect()).collect()
    }

    fn row(fields: &[&str]) -> Fields {
        fields.iter().map(|field| field.as_bytes().to_vec()).collect()
    }

    #[test]
    fn a_lone_return_is_part_of_its_field() {
        let text = b"a,b\rc,d\r\n\"e\r\",\"f\r\"\r\n\r\n\"\",g\r";
        let expected = [row(&["a", "b\rc", "d"]), row(&["e\r", "f\r"]), row(&["", "g"])];
        assert_eq!(read(LINES, text).unwrap(), expected);
        assert_eq!(read(LINES, b"\"a\"\rb\n"), None);
    }

    #[test]
    fn the_heading_tells_how_rows_end() {
        for (head, expected) in [
            (&b"a,b\n1\r2"[..], LINES),
            (b"a,b\r\n1\r2", LINES),
            (b"a,b\r1,2\r\n", RETURNS),
            (b"\xef\xbb\xbf\"a\rb\"\n1\r", LINES),
            (b"\"a\nb\"\r1\n", RETURNS),
            (b"a,b\r", LINES),
            (b"a,b", LINES),
            (b"", LINES),
        ] {
            assert_eq!(Dialect::of(b',', head), expected, "{:?}", String::from_utf8_lossy(head));
        }
        assert_eq!(
            read(RETURNS, b"a,b\r\rc,\"d\re\"\r\nf\r"),
            Some(vec![row(&["a", "b"]), row(&["c", "d\re"]), row(&["f"])])
        );
    }

    proptest! {
        #[test]
        fn rows_are_those_of_the_csv_crate(text in "([ab,\"\n]|\"\"|\",\"|\n\"){0,60}", windows: bool) {
            let text = if windows { text.replace('\n', "\r\n") } else { text };
            if let Some(rows) = read(LINES, text.as_bytes()) {
                prop_assert_eq!(rows, plainly(text.as_bytes()));
            }
        }

        #[test]
        fn so_are_rows_that_end_with_a_return(text in "([ab,\"\n\r]|\"\"|\",\"|\r\"){0,60}") {
            if let Some(rows) = read(RETURNS, text.as_bytes()) {
                prop_assert_eq!(rows, plainly(text.as_bytes()));
            }
        }

        #[test]
        fn a_field_is_written_in_the_place_of_another(
            text in "([ab,\"\n]|\"\"|\",\"|\n\"){0,60}", column in 0usize..4, value in "[a,\"\r\n]{0,4}",
        ) {
            let dialect = Dialect::of(b',', text.as_bytes());
            let Some(rows) = read(dialect, text.as_bytes()) else { return Ok(()) };
            for (row, fields) in dialect.rows(text.as_bytes()).zip(rows) {
                let Some(span) = dialect.span(row, column) else {
                    prop_assert!(fields.len() <= column);
                    continue;
                };
                prop_assert_eq!(&*Dialect::value(&row[span.clone()]), &*fields[column]);
                let written = dialect.written(&value, &row[span.clone()]);
                let row = [&row[..span.start], written.as_bytes(), &row[span.end..]].concat();
                let mut expected = fields;
                expected[column] = value.clone().into_bytes();
                let found: Vec<Vec<u8>> = dialect.fields(&row).map(std::borrow::Cow::into_owned).collect();
                prop_assert_eq!(found, expected);
            }
        }

        #[test]
        fn no_bytes_are_fatal(bytes in prop::collection::vec(any::<u8>(), 0..80), returns: bool) {
            read(Dialect { separator: b'\t', returns }, &bytes);
        }

        #[test]
        fn a_scan_goes_on_where_it_was(text in "[ab,\"\n\r]{0,60}", cuts in prop::collection::vec(0usize..60, 0..6)) {
            let whole = &text.as_bytes();
            let mut expected = Scan::default();
            let stop = LINES.scan(&mut expected, whole, usize::MAX);
            prop_assume!(stop == Stop::Out);
            let mut scan = Scan::default();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(whole.len())).collect();
            cuts.sort_unstable();
            for end in cuts.into_iter().chain([whole.len()]) {
                LINES.scan(&mut scan, &whole[..end], usize::MAX);
            }
            prop_assert_eq!(scan, expected);
        }
    }
}
