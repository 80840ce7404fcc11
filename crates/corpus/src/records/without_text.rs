//! Files of JSON Lines that are no corpus, as none of their records has the field of texts.
//!
//! `package.json` and lists of labels lie beside texts in many folders. Such a file is one problem, as a table without the column
//! is, so that a copy of the folder keeps it unchanged. The first lines decide for nearly every corpus; only where none of
//! them has the field, the file is opened again and read until one has it.
//!
//! Cost: parsing the first record of a corpus twice, and reading a file twice that is none; memory for one block of lines.

use std::fs::File;
use std::sync::Arc;

use super::batch::lines;
use super::chunks::{Chunks, Cut, Piece};
use super::reader::Bytes;
use super::{Batch, Content, Fields, InputFile, Problem, Purpose, Reading, Reason};
use crate::error::{MALFORMED_JSON, MISSING_FIELD, NO_OBJECT};
use crate::remote;

/// Number of records without the field of texts that end a run, if no record before had it. Of a named file that comes first,
/// no more are looked at.
pub const WITHOUT_FIELD: u64 = 100;

/// The beginning of a file, decompressed.
pub(super) struct Beginning<'a> {
    pub(super) bytes: &'a [u8],
    /// True if these are all bytes of the file.
    pub(super) is_whole: bool,
    /// True if the file can be read only once.
    pub(super) is_stream: bool,
}

/// The reason why a file is no corpus; `None` if a record has the field of texts, if there is none, or if that cannot be told
/// from `most` records, or without reading a stream to its end.
pub(super) fn reason(file: &InputFile, head: &Beginning<'_>, reading: &Reading, most: u64) -> Option<Reason> {
    if reading.purpose == Purpose::Objects {
        return None;
    }
    let mut search = Search::new(file, reading, most);
    let end =
        if head.is_whole { head.bytes.len() } else { memchr::memrchr(b'\n', head.bytes).map_or(0, |end| end + 1) };
    if search.is_over(&head.bytes[..end], 1) {
        return None;
    }
    if !head.is_whole {
        search = Search::new(file, reading, most);
        let mut blocks = Chunks::new(reopened(file, head.is_stream, reading)?, Cut::Line, reading.longest());
        loop {
            match blocks.next() {
                Ok(None) => break,
                Ok(Some(Piece::Block { bytes, first })) => {
                    if search.is_over(&bytes, first) || reading.stop.is_asked_for() {
                        return None;
                    }
                }
                // A line that is too long may have it; an error is reported where the file is read.
                Ok(Some(Piece::Lost { .. } | Piece::Part { .. })) | Err(_) => return None,
            }
        }
    }
    search.first.map(|(line, problem)| {
        let (kind, why) = (problem.reason.kind(), problem.reason);
        let sentence = match kind {
            MISSING_FIELD => why.to_string(),
            _ => format!("no line is a record with the field '{}': line {line} {why}", reading.fields.text),
        };
        Reason::NoRecord(kind, sentence)
    })
}

/// The file, from its first byte.
fn reopened(file: &InputFile, is_stream: bool, reading: &Reading) -> Option<Bytes> {
    let from: Bytes = if file.packed_hash.is_some() {
        return None;
    } else if remote::is_address(&file.path) {
        remote::open(&file.path, reading.stop).ok()?.from
    } else if is_stream {
        return None;
    } else {
        Box::new(File::open(&file.path).ok()?)
    };
    match file.compression {
        Some(compression) => compression.decode(from).ok(),
        None => Some(from),
    }
}

/// A search for a record with the field of texts.
struct Search {
    batch: Batch,
    most: u64,
    records: u64,
    /// The first record that lacks the field, or else the first line that is no record: its number and problem.
    first: Option<(u64, Problem)>,
}

impl Search {
    fn new(file: &InputFile, reading: &Reading, most: u64) -> Self {
        let fields = Fields { id: None, key: None, origin: None, ..reading.fields.clone() };
        let batch = Batch {
            file: Arc::new(file.clone()),
            file_number: 0,
            is_last: false,
            bytes_read: 0,
            content: Content::Block { bytes: Vec::new(), first: 1, columns: None },
            reading: Arc::new(Reading { fields, ..reading.clone() }),
        };
        Self { batch, most, records: 0, first: None }
    }

    /// Looks at further lines; true if one of them has the field, or enough were looked at.
    fn is_over(&mut self, bytes: &[u8], first: u64) -> bool {
        for (line, number) in lines(bytes).zip(first..).filter(|(line, _)| !line.trim_ascii().is_empty()) {
            let Err(problem) = self.batch.line(line, number) else { return true };
            let kind = problem.reason.kind();
            if !matches!(kind, MISSING_FIELD | MALFORMED_JSON | NO_OBJECT) {
                return true;
            }
            if self.first.as_ref().is_none_or(|(_, first)| kind == MISSING_FIELD && first.reason.kind() != kind) {
                self.first = Some((number, problem));
            }
            self.records += u64::from(kind == MISSING_FIELD);
            if self.records >= self.most {
                return true;
            }
        }
        false
    }
}
