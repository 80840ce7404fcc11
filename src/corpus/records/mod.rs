//! Files are taken apart into documents.
//!
//! [`Reader`] goes through the inputs and cuts them into [`Batch`]es, one at a
//! time and in order; [`Batch::each`] takes a batch apart, in any thread. What a
//! file is shows in its first bytes ([`Kind::recognise`]); so does its compression.
//!
//! ```text
//!  inputs ──▶ file ──decompress──▶ recognise ──▶ one document ───────────────┐
//!                                     ├──▶ lines: JSON, `ID text` ──blocks──▶ batch
//!                                     ├──▶ rows: CSV, TSV ─────────blocks──▶   │
//!                                     └──▶ columns: Parquet ───────────────────┘
//! ```
//!
//! Cost: memory is a batch, 256 KiB, or the longest document; never the file.

mod blocks;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod rows;
mod table;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use super::awaited::Stop;
use super::compression::Compression;
use super::problem::{Place, Problem, Reason};
use super::{Document, Encoding, Format, Options, Source, decode, source};
#[cfg(feature = "parquet")]
pub use parquet::KeptRows;
pub use reader::Reader;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One document, plain text.
    Text,
    /// One document, a web page.
    Html,
    /// A document a line: its id, a space or tab, its text.
    Lines,
    /// A document a line, as a JSON object.
    Jsonl,
    /// A document a row, fields between commas; the first row has the names.
    Csv,
    /// The same, fields between tabs.
    Tsv,
    /// Apache Parquet, a document a row.
    Parquet,
    /// One document, of word processing in Office Open XML.
    Docx,
    /// One document, an `OpenDocument` text.
    Odt,
    /// One document in Rich Text Format.
    Rtf,
    /// One document, an electronic book.
    Epub,
    /// One document, a PDF.
    Pdf,
}

impl Kind {
    /// What a file is by its name and its first bytes (decompressed); `whole` if these
    /// are all; `None` for one document of whatever kind.
    ///
    /// Tables have no sign of their own: they are told by the endings `.csv` and
    /// `.tsv`, whether compressed or not.
    pub fn recognise(name: &str, head: &[u8], whole: bool) -> Option<Self> {
        if head.starts_with(b"PAR1") {
            return Some(Self::Parquet);
        }
        if Format::may_begin(head) {
            return None;
        }
        match Self::of_name(name) {
            Some(kind) if kind != Self::Parquet => Some(kind),
            _ => is_jsonl(head, whole).then_some(Self::Jsonl),
        }
    }

    /// The kind of file of many documents that a name's ending says, compressed or not.
    pub fn of_name(name: &str) -> Option<Self> {
        match &*Compression::strip(name).rsplit_once('.')?.1.to_lowercase() {
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }

    /// What a file of many documents of this kind is called.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Jsonl => "JSON Lines",
            Self::Parquet => "Parquet",
            Self::Lines => "lines",
            _ => "one document",
        }
    }

    /// Whether a file is one document.
    pub fn is_one_document(self) -> bool {
        self.format().is_some()
    }

    /// The format of a file that is one document.
    fn format(self) -> Option<Format> {
        Some(match self {
            Self::Text => Format::Text,
            Self::Html => Format::Html,
            Self::Docx => Format::Docx,
            Self::Odt => Format::Odt,
            Self::Rtf => Format::Rtf,
            Self::Epub => Format::Epub,
            Self::Pdf => Format::Pdf,
            Self::Lines | Self::Jsonl | Self::Csv | Self::Tsv | Self::Parquet => return None,
        })
    }

    /// A number that stands for the kind in a fingerprint file.
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Whether each of the first two lines is, or begins like, a JSON object.
fn is_jsonl(head: &[u8], whole: bool) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let mut lines = head.split_inclusive(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let Some(first) = lines.next() else { return false };
    let is_object = |line: &[u8]| {
        serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok() && line.trim_ascii_start().starts_with(b"{")
    };
    let begins = |line: &[u8]| line.starts_with(b"{\"");
    if first.ends_with(b"\n") || whole {
        is_object(first) && lines.next().is_none_or(|second| second.starts_with(b"{"))
    } else {
        begins(first)
    }
}

/// The fields that matter in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The field of the text.
    pub text: String,
    /// The field of the id; without one, ids are made of the file's name and the
    /// record's number.
    pub id: Option<String>,
    /// A field to be kept with the document, for sorting by.
    pub key: Option<String>,
}

/// How files are taken apart into documents.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What all files are; `None` tells by their content.
    pub kind: Option<Kind>,
    /// The encoding of all files; `None` detects that of a document, and takes
    /// records to be UTF-8.
    pub encoding: Option<Encoding>,
    /// Which fields of records matter.
    pub fields: Fields,
    /// What standard input is called in ids; `None`: `-`.
    pub stdin: Option<String>,
    /// Longer documents are problems, in bytes.
    pub max_document: u64,
    /// Whether all columns of a Parquet file are read, as copying rows needs, or the
    /// wanted fields only.
    pub all_columns: bool,
    /// When whoever waits for a pipe gives up; what is read then ends with an error.
    pub stop: Stop,
    /// The folder for copies of what cannot be read from front to back; `None`: the
    /// system's.
    pub temp: Option<PathBuf>,
}

impl Default for Reading {
    /// By content; the text in `text`; up to 256 MiB a document.
    fn default() -> Self {
        let fields = Fields { text: "text".into(), id: None, key: None };
        Self {
            kind: None,
            encoding: None,
            fields,
            stdin: None,
            max_document: 256 << 20,
            all_columns: false,
            stop: Stop::default(),
            temp: None,
        }
    }
}

/// A file that documents come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// Where it is.
    pub path: PathBuf,
    /// What the user calls it.
    pub name: String,
    /// Its size in bytes; 0 for standard input.
    pub size: u64,
    /// When it was changed last, in nanoseconds since 1970; 0 for standard input.
    pub modified: i64,
    /// How it is compressed.
    pub compression: Option<Compression>,
    /// What it holds.
    pub kind: Kind,
}

impl InputFile {
    /// What a record is called that has no id of its own.
    pub fn id_of(&self, record: u64) -> String {
        format!("{}:{record}", self.name)
    }
}

/// A document as it stands in a file of many, or alone.
#[derive(Debug)]
pub struct Record<'a> {
    /// What it is called.
    pub id: String,
    /// The text.
    pub text: Cow<'a, str>,
    /// The value of the field to be kept, a string as it is, anything else as JSON.
    pub key: Option<String>,
    /// Its number in the file from 1; 0 if the file is the document.
    pub number: u64,
    /// How many malformed sequences of bytes became U+FFFD.
    pub replaced: usize,
}

/// Whole records of a file, not yet looked into.
#[derive(Debug)]
pub struct Batch {
    /// The file.
    pub file: Arc<InputFile>,
    /// The number of the file among all that could be opened, from 0.
    pub file_number: u32,
    /// Whether the file has no further batch.
    pub is_last: bool,
    /// How many bytes of the file were read for it, as they are on disk.
    pub bytes_read: u64,
    content: Content,
    reading: Arc<Reading>,
}

#[derive(Debug)]
enum Content {
    /// A file that is one document: its first bytes; all, if it is small.
    Document { head: Vec<u8>, is_whole: bool },
    /// Lines, or rows without the heading.
    Block { bytes: Vec<u8>, first: u64, columns: Option<Arc<rows::Columns>> },
    #[cfg(feature = "parquet")]
    Table(parquet::Rows),
    /// What could not be read.
    Problem(Problem),
}

impl Batch {
    /// Calls `found` with each document, or with why it could not be read, in order.
    pub fn each(&self, mut found: impl FnMut(Result<Record<'_>, Problem>)) {
        match &self.content {
            Content::Document { head, is_whole } => self.document(head, *is_whole, found),
            Content::Problem(problem) => found(Err(problem.clone())),
            Content::Block { bytes, first, columns: Some(columns) } => {
                rows::each(bytes, *first, columns, self, &mut found);
            }
            Content::Block { bytes, first, columns: None } => {
                let lines = bytes.split_inclusive(|&byte| byte == b'\n');
                for (line, number) in lines.zip(*first..) {
                    if !line.trim_ascii().is_empty() {
                        found(self.line(line, number));
                    }
                }
            }
            #[cfg(feature = "parquet")]
            Content::Table(rows) => rows.each(self, &mut found),
        }
    }

    /// Calls `found` with the bytes of each record as they stand in the file, its line
    /// break included, and its number; of a file that is one document or a Parquet
    /// file, nothing.
    pub fn each_raw(&self, mut found: impl FnMut(u64, &[u8])) {
        let Content::Block { bytes, first, columns } = &self.content else { return };
        if let Some(columns) = columns {
            rows::each_raw(bytes, *first, columns, found);
        } else {
            for (line, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(*first..) {
                found(number, line);
            }
        }
    }

    /// Why nothing can be read here.
    pub fn problem(&self) -> Option<&Problem> {
        match &self.content {
            Content::Problem(problem) => Some(problem),
            _ => None,
        }
    }

    /// The heading of a table, as it stands in the file.
    pub fn heading(&self) -> Option<&[u8]> {
        match &self.content {
            Content::Block { columns: Some(columns), .. } => Some(&columns.heading),
            _ => None,
        }
    }

    /// The rows of a Parquet file.
    #[cfg(feature = "parquet")]
    pub fn table(&self) -> Option<(&arrow_array::RecordBatch, u64)> {
        match &self.content {
            Content::Table(rows) => Some((&rows.batch, rows.first)),
            _ => None,
        }
    }

    /// Where a record of this number is.
    pub fn place(&self, number: u64) -> Place {
        match self.file.kind {
            _ if number == 0 => Place::File,
            Kind::Csv | Kind::Tsv | Kind::Parquet => Place::Row(number),
            _ => Place::Line(number),
        }
    }

    fn document(&self, head: &[u8], is_whole: bool, mut found: impl FnMut(Result<Record<'_>, Problem>)) {
        let fail = |reason| Problem { file: self.file.name.clone(), place: Place::File, reason };
        if let Err(reason) = self.admit(self.file.size.max(head.len() as u64)) {
            return found(Err(fail(reason)));
        }
        let opened;
        let bytes: &[u8] = if is_whole {
            head
        } else {
            opened = match Source::open(&self.file.path) {
                Ok(source) => source,
                Err(crate::Error::Read { source, .. }) => return found(Err(fail(Reason::of_io(&source)))),
                Err(error) => return found(Err(fail(Reason::Unreadable(error.to_string())))),
            };
            &opened
        };
        let format = self.reading.kind.and_then(Kind::format);
        let name = &self.file.name;
        found(match Document::new(name, bytes, Options { encoding: self.reading.encoding, format }) {
            // What was unpacked may be longer than the file.
            Ok(document) => self.admit(document.text.len() as u64).map_err(fail).map(|()| Record {
                id: document.id,
                text: document.text,
                key: None,
                number: 0,
                replaced: document.replaced,
            }),
            Err(crate::Error::Refused { refusal, .. }) => Err(fail(Reason::Refused(refusal))),
            Err(crate::Error::Binary { kind, .. }) => Err(fail(Reason::Binary(kind))),
            Err(error) => Err(fail(Reason::Unreadable(error.to_string()))),
        });
    }

    /// Refuses a document of so many bytes if that is too long.
    fn admit(&self, bytes: u64) -> Result<(), Reason> {
        let limit = self.reading.max_document;
        if bytes > limit { Err(Reason::TooLong(limit)) } else { Ok(()) }
    }

    /// A line as a document.
    fn line<'a>(&self, line: &'a [u8], number: u64) -> Result<Record<'a>, Problem> {
        let fail = |reason| Problem { file: self.file.name.clone(), place: Place::Line(number), reason };
        self.admit(line.len() as u64).map_err(fail)?;
        let (line, replaced) = self.decode(line.trim_ascii_end());
        let line = match line {
            // A mark of the file's encoding stands at its very beginning.
            Cow::Borrowed(line) if number == 1 => Cow::Borrowed(line.trim_start_matches('\u{feff}')),
            line => line,
        };
        if self.file.kind == Kind::Lines {
            let (id, text) = split_id(line).ok_or_else(|| fail(Reason::NoId))?;
            return Ok(Record { id, text, key: None, number, replaced });
        }
        let own = |found: json::Found<'_>| (found.id, found.key);
        let (text, (id, key)) = match line {
            Cow::Borrowed(line) => {
                let mut found = json::parse(line, &self.reading.fields).map_err(fail)?;
                (std::mem::take(&mut found.text), own(found))
            }
            Cow::Owned(line) => {
                let mut found = json::parse(&line, &self.reading.fields).map_err(fail)?;
                (Cow::Owned(std::mem::take(&mut found.text).into_owned()), own(found))
            }
        };
        Ok(self.record(id, text, key, number, replaced))
    }

    fn record<'a>(
        &self,
        id: Option<String>,
        text: Cow<'a, str>,
        key: Option<String>,
        number: u64,
        replaced: usize,
    ) -> Record<'a> {
        let id = id.unwrap_or_else(|| self.file.id_of(number));
        Record { id, text, key, number, replaced }
    }

    /// The characters of a record, and how many sequences were malformed.
    fn decode<'a>(&self, bytes: &'a [u8]) -> (Cow<'a, str>, usize) {
        if self.reading.encoding.is_none()
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            return (Cow::Borrowed(text), 0);
        }
        let encoding = self.reading.encoding.unwrap_or(Encoding::UTF_8);
        let decoded = decode::decode(bytes, Some(encoding));
        (decoded.text, decoded.replaced)
    }
}

/// An id, a space or tab, and a text, which may be empty.
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

#[cfg(test)]
mod tests;
