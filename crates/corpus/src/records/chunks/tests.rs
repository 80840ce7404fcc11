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
        let (mut all, mut firsts, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(piece) = blocks.next().unwrap() {
            match piece {
                Piece::Block { bytes, .. } => all.extend(bytes),
                Piece::Part { bytes, begins } => {
                    assert!(bytes.len() <= BLOCK);
                    firsts.extend(begins);
                    all.extend(bytes);
                }
                Piece::Lost { record, .. } => dropped.push(record),
            }
        }
        assert!(all == text.as_bytes(), "{end}");
        assert_eq!((firsts, dropped), (vec![1, 3, 4], vec![1, 3, 4]), "{end}");
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
