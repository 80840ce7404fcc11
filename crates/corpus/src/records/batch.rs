//! Batches: parts of a file with whole records, which any thread can parse.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{self, Read};
use std::sync::Arc;

use nearcopy::error::{Location, Problem};
use nearcopy_extract::Refusal;

#[cfg(feature = "parquet")]
use super::parquet;
use super::warc::Raw;
use super::{InputFile, Kind, OF_A_BYTE, Reading, Record, Values, json, rows};
use crate::error::Reason;
use crate::records::convert::{self, NotConverted, Row, Value};
use crate::{Encoding, Format, Hidden, Options, Source, decode, read};

/// Whole records of a file, not yet parsed.
#[derive(Debug)]
pub struct Batch {
    /// The file.
    pub file: Arc<InputFile>,
    /// The number of the file among all opened files, from 0.
    pub file_number: u32,
    /// True if this is the file's last batch.
    pub is_last: bool,
    /// Number of bytes on disk read for this batch.
    pub bytes_read: u64,
    pub(super) content: Content,
    pub(super) reading: Arc<Reading>,
}

/// The content of a batch.
#[derive(Debug)]
pub(super) enum Content {
    /// A file that is one document: its first bytes, or all if `is_whole`.
    Document { head: Vec<u8>, is_whole: bool },
    /// Lines, or rows without the heading.
    Block { bytes: Vec<u8>, first: u64, columns: Option<Arc<rows::Columns>> },
    #[cfg(feature = "parquet")]
    Table(parquet::Rows),
    /// Records of a web archive with documents, and the number of others that were fetched and are no documents.
    Warc { records: Vec<Raw>, others: u64 },
    /// A part of the file that could not be read.
    Problem(Problem),
    /// A part of a line that is too long to be read, and is copied.
    Part { bytes: Vec<u8>, begins: Option<u64> },
}

impl Content {
    /// True if it stands for what could not be read.
    pub(super) fn is_problem(&self) -> bool {
        matches!(self, Self::Problem(_))
    }
}

/// Length of the text of a packed document, by that of its file, where nothing else is known.
const UNPACKED: u64 = 20;

/// Number of unpacked bytes from which on the document is to blame, and not the limit of memory.
const LARGE: u64 = 256 << 20;

impl Batch {
    /// The first bytes of a file that is one document, before it is decoded.
    pub fn head(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Document { head, .. } => Some(head),
            _ => None,
        }
    }

    /// Estimate of the memory that its documents take while they are read.
    pub fn memory(&self) -> u64 {
        let bytes = match &self.content {
            Content::Document { head, is_whole: true } => head.len() as u64,
            Content::Document { .. } => std::fs::metadata(&self.file.path).map_or(0, |metadata| metadata.len()),
            Content::Block { bytes, .. } => bytes.len() as u64,
            #[cfg(feature = "parquet")]
            Content::Table(rows) => rows.batch.get_array_memory_size() as u64,
            Content::Warc { records, .. } => records.iter().map(|raw| raw.unpacked(self.reading.longest())).sum(),
            Content::Problem(_) | Content::Part { .. } => 0,
        };
        let is_packed = matches!(self.file.kind, Kind::Document(format) if !format.is_of_characters());
        let unpacked = if is_packed { bytes.saturating_mul(UNPACKED).min(self.reading.longest()) } else { bytes };
        unpacked.saturating_mul(OF_A_BYTE)
    }

    /// Calls `found` with each document, or with the problem of reading it, in order.
    pub fn each(&self, found: impl FnMut(Result<Record<'_>, Problem>)) {
        self.each_of(|_| true, found);
    }

    /// The same for the documents of these numbers, and for others where leaving them out saves nothing.
    pub fn each_of(&self, are_wanted: impl Fn(u64) -> bool, mut found: impl FnMut(Result<Record<'_>, Problem>)) {
        (self.reading.begins)(&self.file.name);
        match &self.content {
            Content::Document { head, is_whole } => self.document(head, *is_whole, found),
            Content::Problem(problem) => found(Err(problem.clone())),
            Content::Part { .. } => {}
            Content::Block { bytes, first, columns: Some(columns) } => {
                rows::each(bytes, *first, columns, self, &mut found);
            }
            Content::Block { bytes, first, columns: None } => {
                for (line, number) in lines(bytes).zip(*first..) {
                    if are_wanted(number) && !line.trim_ascii().is_empty() {
                        found(self.line(line, number));
                    }
                }
            }
            #[cfg(feature = "parquet")]
            Content::Table(rows) => rows.each(self, &mut found),
            Content::Warc { records, .. } => {
                records.iter().filter(|raw| are_wanted(raw.number)).for_each(|raw| found(self.stored(raw)));
            }
        }
    }

    /// A part of a line that was too long to be read, and the number of the line, if it begins with this part.
    pub(crate) fn part(&self) -> Option<(&[u8], Option<u64>)> {
        if let Content::Part { bytes, begins } = &self.content { Some((bytes, *begins)) } else { None }
    }

    /// Number of records of a web archive that were fetched and are no documents.
    pub fn others(&self) -> u64 {
        if let Content::Warc { others, .. } = self.content { others } else { 0 }
    }

    /// Calls `found` with the number and the unchanged bytes of each record, including its
    /// line break; never for a file that is one document, a Parquet file or a web archive.
    pub fn each_raw(&self, mut found: impl FnMut(u64, &[u8])) {
        let Content::Block { bytes, first, columns } = &self.content else { return };
        if let Some(columns) = columns {
            rows::each_raw(bytes, *first, columns, found);
        } else {
            for (line, number) in lines(bytes).zip(*first..) {
                found(number, line);
            }
        }
    }

    /// Calls `found` with the fields of each record for whose number `stays` is true, until a record cannot be
    /// converted. The record that failed is the last one passed to `stays`.
    pub(crate) fn each_kept(
        &self,
        stays: &mut dyn FnMut(u64) -> bool,
        found: &mut dyn FnMut(&Row) -> Result<(), NotConverted>,
    ) -> Result<(), NotConverted> {
        #[cfg(feature = "parquet")]
        if let Some((table, first)) = self.table() {
            let mut kept = (0..table.num_rows()).zip(first..).filter(|(_, number)| stays(*number));
            return kept.try_for_each(|(row, _)| found(&parquet::fields(table, row).map_err(NotConverted::Lossy)?));
        }
        if let Content::Warc { records, .. } = &self.content {
            let mut kept = records.iter().filter(|raw| stays(raw.number));
            return kept.try_for_each(|raw| found(&self.row_of(raw).map_err(NotConverted::Lossy)?));
        }
        let mut outcome = Ok(());
        self.each_raw(|number, bytes| {
            if outcome.is_ok() && stays(number) {
                outcome = self.fields(bytes).map_err(NotConverted::Lossy).and_then(|fields| found(&fields));
            }
        });
        outcome
    }

    /// The fields of a record with these bytes; `Err` is the reason why they cannot be converted.
    pub(crate) fn fields(&self, raw: &[u8]) -> Result<Row, String> {
        let text = |bytes: &[u8]| match self.decode(bytes) {
            (text, 0) => Ok(text.into_owned()),
            _ => Err("it has malformed characters".to_owned()),
        };
        match &self.content {
            Content::Block { columns: Some(columns), .. } => {
                if columns.is_malformed {
                    return Err("its heading has malformed characters".to_owned());
                }
                let values = columns.dialect.fields(raw).map(|field| text(&field));
                columns.names.iter().cloned().zip(values).map(|(name, value)| Ok((name, Value::Text(value?)))).collect()
            }
            _ => convert::of_json(text(raw)?.trim_start_matches('\u{feff}')),
        }
    }

    /// A hash that distinguishes documents whose characters are the same: of the bytes of a file that is one document,
    /// or of a record's place.
    pub fn identity(&self, number: u64) -> blake3::Hash {
        let bytes = match &self.content {
            Content::Document { head, is_whole: true } => Some(blake3::hash(head)),
            Content::Document { .. } => Source::open(&self.file.path).ok().map(|source| blake3::hash(&source)),
            _ => None,
        };
        bytes.unwrap_or_else(|| blake3::hash(format!("{}\0{number}", self.file.name).as_bytes()))
    }

    /// The hash of the bytes of a file that is one document, as on disk; `None` for a compressed stream, whose
    /// bytes are gone.
    pub fn file_hash(&self) -> Option<blake3::Hash> {
        let path = &self.file.path;
        match &self.content {
            Content::Document { .. } if self.file.packed_hash.is_some() => self.file.packed_hash,
            Content::Document { head, is_whole: true } if self.file.compression.is_none() => Some(blake3::hash(head)),
            // Opening a pipe would block.
            Content::Document { .. } if path.as_os_str() != "-" && path.is_file() => {
                Source::open(path).ok().map(|source| blake3::hash(&source))
            }
            _ => None,
        }
    }

    /// The names of a table's columns.
    pub(crate) fn columns(&self) -> Option<Vec<String>> {
        match &self.content {
            Content::Block { columns: Some(columns), .. } => Some(columns.names.clone()),
            #[cfg(feature = "parquet")]
            Content::Table(rows) => Some(rows.batch.schema_ref().fields().iter().map(|it| it.name().clone()).collect()),
            _ => None,
        }
    }

    /// The problem of a table in which two columns have the name of one of these fields, or of one that they are nested in.
    pub fn two_columns<'f>(&self, mut fields: impl Iterator<Item = &'f String>) -> Option<Problem> {
        let names = self.columns()?;
        let mut known = HashSet::new();
        let twice: Vec<&String> = names.iter().filter(|name| !known.insert(*name)).collect();
        let name = fields.find_map(|field| twice.iter().find(|name| json::leads(name, field)))?;
        Some(Problem::of(&*self.file.name, Location::File, Reason::TwoColumns((*name).clone())))
    }

    /// The problem, if this batch stands for a part that could not be read.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.content {
            Content::Problem(problem) => Some(problem),
            _ => None,
        }
    }

    /// The heading of a table, as its unchanged bytes.
    pub fn heading(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Block { columns: Some(columns), .. } => Some(&columns.heading),
            _ => None,
        }
    }

    /// True if a carriage return alone ends a row of the table.
    pub(crate) fn returns(&self) -> bool {
        matches!(&self.content, Content::Block { columns: Some(columns), .. } if columns.dialect.returns)
    }

    /// The rows of a Parquet file, and the number of the first.
    #[cfg(feature = "parquet")]
    pub fn table(&self) -> Option<(&arrow_array::RecordBatch, u64)> {
        match &self.content {
            Content::Table(rows) => Some((&rows.batch, rows.first)),
            _ => None,
        }
    }

    /// The form of the Parquet file; known if all its columns are read.
    #[cfg(feature = "parquet")]
    pub(crate) fn form(&self) -> Option<&parquet::Form> {
        match &self.content {
            Content::Table(rows) => Some(&rows.form),
            _ => None,
        }
    }

    /// The place of the record with this number.
    pub fn place(&self, number: u64) -> Location {
        self.file.place(number)
    }

    fn document(&self, head: &[u8], is_whole: bool, mut found: impl FnMut(Result<Record<'_>, Problem>)) {
        let fail = |reason: Reason| Problem::of(&*self.file.name, Location::File, reason);
        if let Err(reason) = self.admit(self.file.size.max(head.len() as u64)) {
            return found(Err(fail(reason)));
        }
        let opened;
        let bytes: &[u8] = if is_whole {
            head
        } else {
            opened = match Source::open(&self.file.path) {
                Ok(source) => source,
                Err(nearcopy::Error::Read { source, .. }) => return found(Err(fail(Reason::of_io(&source)))),
                Err(error) => return found(Err(fail(Reason::Unreadable(error.to_string())))),
            };
            &opened
        };
        let format = self.reading.kind.and_then(Kind::format);
        let name = &self.file.name;
        let longest = self.reading.longest();
        let max_unpacked = self.reading.max_memory / 2;
        let options = Options { encoding: self.reading.encoding, format, max_unpacked: Some(max_unpacked) };
        let converter = self.reading.converter.as_deref().map(|converter| (converter, longest));
        found(match read(name, bytes, options, converter) {
            // The extracted text may be longer than the file.
            Ok(document) => self.admit(document.text.len() as u64).map_err(fail).map(|()| Record {
                is_exact: self.file.compression.is_none()
                    && matches!(document.text, Cow::Borrowed(text) if text.len() == bytes.len()),
                id: document.id,
                is_unnamed: false,
                text: document.text,
                format: document.format,
                key: None,
                origin: None,
                number: 0,
                replaced: document.replaced,
                is_null: false,
                hidden: document.hidden,
                pictured: document.pictured,
                date: document.date,
            }),
            Err(Reason::Refused(Refusal::TooLarge)) if max_unpacked < LARGE => Err(fail(Reason::TooLong(longest))),
            Err(reason) => Err(fail(reason)),
        });
    }

    /// Refuses a document of this length if it is too long.
    pub(super) fn admit(&self, bytes: u64) -> Result<(), Reason> {
        let limit = self.reading.longest();
        if bytes > limit { Err(Reason::TooLong(limit)) } else { Ok(()) }
    }

    /// Parses a line as a document.
    pub(super) fn line<'a>(&self, line: &'a [u8], number: u64) -> Result<Record<'a>, Problem> {
        let fail = |reason: Reason| Problem::of(&*self.file.name, Location::Line(number), reason);
        self.admit(line.len() as u64).map_err(fail)?;
        let (line, replaced) = self.decode(line.trim_ascii_end());
        let line = match line {
            // Only the file's first line may begin with a byte-order mark.
            Cow::Borrowed(line) if number == 1 => Cow::Borrowed(line.trim_start_matches('\u{feff}')),
            line => line,
        };
        if self.file.kind == Kind::Lines {
            let (id, text) = split_id(line).ok_or_else(|| fail(Reason::NoId))?;
            let values = Values { id: Some(id), ..Values::default() };
            return Ok(self.record(values, Some(text), number, replaced));
        }
        let (text, values) = match line {
            Cow::Borrowed(line) => {
                let mut found = json::parse(line, &self.reading.fields, self.reading.id_is_needed).map_err(fail)?;
                (found.text.take(), found.values)
            }
            Cow::Owned(line) => {
                let mut found = json::parse(&line, &self.reading.fields, self.reading.id_is_needed).map_err(fail)?;
                (found.text.take().map(|text| Cow::Owned(text.into_owned())), found.values)
            }
        };
        Ok(self.record(values, text, number, replaced))
    }

    pub(super) fn record<'a>(
        &self,
        Values { id, key, origin }: Values,
        text: Option<Cow<'a, str>>,
        number: u64,
        replaced: usize,
    ) -> Record<'a> {
        let is_unnamed = id.is_none() && self.reading.fields.id.is_some();
        let id = id.unwrap_or_else(|| self.file.id_of(number));
        let (is_null, text) = (text.is_none(), text.unwrap_or_default());
        let (hidden, format) = (Hidden::default(), Format::Text);
        let is_exact = replaced == 0 && self.reading.encoding.is_none_or(|encoding| encoding == Encoding::UTF_8);
        Record {
            id,
            is_unnamed,
            text,
            key,
            origin,
            number,
            replaced,
            is_null,
            hidden,
            pictured: 0,
            date: None,
            format,
            is_exact,
        }
    }

    /// The characters of a record, and the number of malformed sequences.
    pub(super) fn decode<'a>(&self, bytes: &'a [u8]) -> (Cow<'a, str>, usize) {
        if self.reading.encoding.is_none()
            && let Ok(text) = simdutf8::basic::from_utf8(bytes)
        {
            return (Cow::Borrowed(text), 0);
        }
        let encoding = self.reading.encoding.unwrap_or(Encoding::UTF_8);
        let decoded = decode::decode(bytes, Some(encoding));
        (decoded.text, decoded.replaced)
    }
}

/// The lines of a block, including their line breaks.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let rest = (!bytes.ends_with(b"\n") && !bytes.is_empty()).then_some(bytes.len());
    let ends = memchr::memchr_iter(b'\n', bytes).map(|end| end + 1).chain(rest);
    ends.scan(0, |start, end| Some(&bytes[std::mem::replace(start, end)..end]))
}

/// Splits a line at the first space or tab into an id and a text, which may be empty.
fn split_id(line: Cow<'_, str>) -> Option<(String, Cow<'_, str>)> {
    let end = line.find([' ', '\t']).unwrap_or(line.len());
    if end == 0 {
        return None;
    }
    let id = line[..end].to_owned();
    let start = (end + 1).min(line.len());
    Some((
        id,
        match line {
            Cow::Borrowed(line) => Cow::Borrowed(&line[start..]),
            Cow::Owned(line) => Cow::Owned(line[start..].to_owned()),
        },
    ))
}

/// The content of a file that is one document. A file that can be reopened is read by the thread
/// that parses the batch; a stream is read here.
pub(super) fn document(
    head: Vec<u8>,
    rest: impl Read,
    is_whole: bool,
    is_streamed: bool,
    limit: u64,
) -> Result<Content, Reason> {
    if is_whole || !is_streamed {
        return Ok(Content::Document { head, is_whole });
    }
    let mut bytes = head;
    let most = limit.saturating_sub(bytes.len() as u64).saturating_add(1);
    rest.take(most).read_to_end(&mut bytes).map_err(|error| Reason::unended(&error, None))?;
    if bytes.len() as u64 > limit {
        return Err(Reason::TooLong(limit));
    }
    Ok(Content::Document { head: bytes, is_whole: true })
}

/// True if an error of a compressed stream is that of a checksum, which covers a whole member or frame.
pub(super) fn is_of_checksum(error: &io::Error) -> bool {
    error.to_string().contains("checksum")
}
