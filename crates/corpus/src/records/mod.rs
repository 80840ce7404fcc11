//! Splitting of files into documents.
//!
//! [`Reader`] goes through the inputs and cuts them into [`Batch`]es, one at a
//! time and in order; [`Batch::each`] parses a batch, in any thread. A file's kind
//! is detected from its first bytes and its name ([`Kind::recognise`]), its
//! compression from its first bytes.
//!
//! ```text
//!  inputs ──▶ file ──decompress──▶ recognise ──▶ one document ───────────────┐
//!                                     ├──▶ lines: JSON, `ID text` ──blocks──▶ batch
//!                                     ├──▶ rows: CSV, TSV ─────────blocks──▶   │
//!                                     ├──▶ records: WARC ─────────records──▶   │
//!                                     └──▶ columns: Parquet ───────────────────┘
//! ```
//!
//! Cost: memory for one batch (256 KiB) or the longest document; never for the whole file.

mod admit;
mod batch;
mod chunks;
pub mod convert;
pub mod cut;
mod fill;
mod json;
mod object;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod rows;
mod table;
mod warc;
mod without_text;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;

use nearcopy::error::{Location, Problem};

use super::compression::Compression;
use super::{Converter, Encoding, Format, Hidden, decode, remote, source};
use crate::error::Reason;
use crate::file_time::nanoseconds;
use crate::interruptible::Stop;
pub use batch::Batch;
use batch::Content;
#[cfg(feature = "parquet")]
pub use convert::Columns;
pub use object::Object;
#[cfg(feature = "parquet")]
pub(crate) use parquet::ConvertedRows;
#[cfg(feature = "parquet")]
pub use parquet::{Form, KeptRows, row_fields, shown};
pub use reader::Reader;
pub use without_text::WITHOUT_FIELD;

/// The kind of a file: its format, and one or many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// One document of a format.
    Document(Format),
    /// One document per line: its id, a space or tab, its text.
    Lines,
    /// One document per line, as a JSON object.
    Jsonl,
    /// One document per row, fields separated by commas; the first row has the field names.
    Csv,
    /// The same, fields separated by tabs.
    Tsv,
    /// Apache Parquet, one document per row.
    Parquet,
    /// A web archive, one document per record that holds a page or a text.
    Warc,
}

impl Kind {
    /// The kind of a file, from its name and its first bytes (decompressed); `whole` if these
    /// are all of its bytes. `None` for a single document of any format.
    ///
    /// Tables have no signature: they are recognised by the endings `.csv` and `.tsv`,
    /// compressed or not.
    pub fn recognise(name: &str, head: &[u8], whole: bool) -> Option<Self> {
        if head.starts_with(b"PAR1") {
            return Some(Self::Parquet);
        }
        if head.starts_with(nearcopy_extract::warc::BEGIN) {
            return Some(Self::Warc);
        }
        if Format::may_begin(head) || nearcopy_extract::foreign::is_link(name) {
            return None;
        }
        match Self::of_name(name) {
            Some(kind) if kind != Self::Parquet => Some(kind),
            _ => is_jsonl(head, whole).then_some(Self::Jsonl),
        }
    }

    /// The kind of file of many documents that a name's ending stands for, compressed or not.
    pub fn of_name(name: &str) -> Option<Self> {
        match &*Compression::strip(remote::without_query(name)).rsplit_once('.')?.1.to_lowercase() {
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            "parquet" => Some(Self::Parquet),
            "warc" | "wet" => Some(Self::Warc),
            _ => None,
        }
    }

    /// The name of the format of a file of many documents, for messages.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Jsonl => "JSON Lines",
            Self::Parquet => "Parquet",
            Self::Warc => "WARC",
            Self::Lines => "lines",
            Self::Document(_) => "one document",
        }
    }

    /// True if a file is one document.
    pub fn is_one_document(self) -> bool {
        self.format().is_some()
    }

    /// The format of a file that is one document.
    fn format(self) -> Option<Format> {
        if let Self::Document(format) = self { Some(format) } else { None }
    }

    /// All kinds: the name on the command line, help, and the kind.
    pub fn all() -> impl Iterator<Item = (&'static str, String, Self)> {
        let records = [
            ("lines", "One document a line: ID, a space or tab, TEXT", Self::Lines),
            ("jsonl", "One document a line: a JSON object", Self::Jsonl),
            ("csv", "One document a row, fields separated by commas", Self::Csv),
            ("tsv", "One document a row, fields separated by tabs", Self::Tsv),
            ("parquet", "One document a row of Apache Parquet", Self::Parquet),
            ("warc", "One document a record of a web archive (WARC, WET): a page or a text", Self::Warc),
        ];
        let documents = Format::all()
            .map(|format| (format.name(), format!("One document a file: {}", format.plural()), Self::Document(format)));
        documents.chain(records.map(|(name, help, kind)| (name, help.to_owned(), kind)))
    }

    /// The place of the record with this number in a file of this kind, from 1; 0 is the file.
    pub fn place(self, record: u64) -> Location {
        match self {
            _ if record == 0 => Location::File,
            Self::Csv | Self::Tsv | Self::Parquet => Location::Row(record),
            Self::Warc => Location::Record(record),
            _ => Location::Line(record),
        }
    }

    /// The kind with this number in a fingerprint file.
    pub fn of_code(code: u8) -> Option<Self> {
        Self::all().map(|(.., kind)| kind).find(|kind| kind.code() == code)
    }

    /// The number of this kind in a fingerprint file; that of one document is the number of its format.
    pub fn code(self) -> u8 {
        match self {
            Self::Document(format) => format.code(),
            Self::Lines => 2,
            Self::Jsonl => 3,
            Self::Csv => 4,
            Self::Tsv => 5,
            Self::Parquet => 6,
            Self::Warc => 15,
        }
    }
}

/// True if the first line is, or begins like, a JSON object and the second begins like one.
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

/// The names of the fields that are read from a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    /// The field of the text.
    pub text: String,
    /// The field of the id; `None` makes ids from the file's name and the record's number.
    pub id: Option<String>,
    /// The field of the sort key, which is kept with the document.
    pub key: Option<String>,
    /// The field that tells where a document comes from: its author, or its address.
    pub origin: Option<String>,
}

/// What records are read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Their texts.
    Texts,
    /// Texts of which some are cut. Those that Parquet stores in a dictionary are read as plain strings: what is left of one may
    /// be in no dictionary.
    Cutting,
    /// Their fields alone ([`Batch::each_object`]): a table needs no column of texts.
    Objects,
}

/// Options for splitting files into documents.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is asked for or not")]
pub struct Reading {
    /// The kind of all files; `None` detects it from each file's name and content.
    pub kind: Option<Kind>,
    /// The encoding of all files; `None` detects it for single documents, and assumes UTF-8
    /// for records.
    pub encoding: Option<Encoding>,
    /// The fields read from records.
    pub fields: Fields,
    /// True if a record of JSON Lines or Parquet whose id is null or missing is a problem; else its id is made as without a field
    /// of ids.
    pub id_is_needed: bool,
    /// The name of standard input in ids; `None` means `-`.
    pub stdin: Option<String>,
    /// Maximum length of a document in bytes; longer ones are problems.
    pub max_document: u64,
    /// Memory in bytes for all documents that are read at a time. A document must not be longer than an eighth of it,
    /// as it is held in several forms.
    pub max_memory: u64,
    /// True to read the members of a ZIP or tar archive, a mailbox or a mail as documents; false to refuse an archive, and to
    /// read a mailbox or a mail as one document.
    pub bundles: bool,
    /// True to read all columns of a Parquet file, as needed for copying rows; false to read the
    /// wanted fields only.
    pub all_columns: bool,
    /// What records are read for.
    pub purpose: Purpose,
    /// True to pass on the bytes of lines that are too long to be read, for a copy that keeps them.
    pub long_lines: bool,
    /// The reader of files by other programs; `None` neither starts nor names one.
    pub converter: Option<Arc<Converter>>,
    /// A check whether waiting for a pipe is to be given up; reading then ends with an error.
    pub stop: Stop,
    /// The folder for temporary copies of Parquet files that are not seekable; `None` means the
    /// system's.
    pub temp: Option<PathBuf>,
    /// Called with the name of each file, archive and member before its bytes are read: where a hostile one can end
    /// everything, as a page in a browser, it is known.
    pub begins: fn(&str),
}

/// Memory for each byte of a document that is read: the bytes, its text, and what becomes of it.
const OF_A_BYTE: u64 = 8;

impl Reading {
    /// Maximum length of a document in bytes, by [`max_document`](Self::max_document) and
    /// [`max_memory`](Self::max_memory).
    pub(crate) fn longest(&self) -> u64 {
        self.max_document.min(self.max_memory / OF_A_BYTE)
    }
}

impl Default for Reading {
    /// Detected kinds; the text in field `text`; documents of up to 256 MiB.
    fn default() -> Self {
        let fields = Fields { text: "text".into(), id: None, key: None, origin: None };
        Self {
            kind: None,
            encoding: None,
            fields,
            id_is_needed: true,
            stdin: None,
            max_document: 256 << 20,
            max_memory: 4 << 30,
            bundles: true,
            all_columns: false,
            purpose: Purpose::Texts,
            long_lines: false,
            converter: None,
            stop: Stop::default(),
            temp: None,
            begins: |_| {},
        }
    }
}

/// An input file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// The path.
    pub path: PathBuf,
    /// The name in ids and messages.
    pub name: String,
    /// The size in bytes; 0 for standard input.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970; 0 for standard input.
    pub modified: i64,
    /// The hash of the bytes of an archive's member.
    pub packed_hash: Option<blake3::Hash>,
    /// The time that an archive states for its member, in seconds since 1970.
    pub packed_date: Option<i64>,
    /// The compression, if any.
    pub compression: Option<Compression>,
    /// The kind.
    pub kind: Kind,
}

impl InputFile {
    /// True unless what is at its path has another size or time of change than what was opened. Streams and the members of
    /// archives cannot be looked at again.
    pub fn is_unchanged(&self) -> bool {
        self.packed_hash.is_some()
            || std::fs::metadata(&self.path).ok().filter(std::fs::Metadata::is_file).is_none_or(|found| {
                let modified = found.modified().map_or(self.modified, nanoseconds);
                (found.len(), modified) == (self.size, self.modified)
            })
    }

    /// The name of the file itself: `-` for standard input, whatever its documents are called.
    pub fn own_name(&self) -> &str {
        if self.path.as_os_str() == "-" { "-" } else { &self.name }
    }

    /// The place of the record with this number, from 1; 0 is the file.
    pub fn place(&self, record: u64) -> Location {
        self.kind.place(record)
    }

    /// The id of a record without an id field: the file's name and the record's number.
    pub fn id_of(&self, record: u64) -> String {
        format!("{}:{record}", self.name)
    }
}

/// The values of a record's fields except the text.
#[derive(Debug, Default, PartialEq, Eq)]
struct Values {
    id: Option<String>,
    key: Option<String>,
    origin: Option<String>,
}

/// A document read from a file of many, or from a file of its own.
#[derive(Debug)]
pub struct Record<'a> {
    /// The id.
    pub id: String,
    /// True if the field of ids is missing or null, so that the id is made from the file's name and the record's number.
    pub is_unnamed: bool,
    /// The text.
    pub text: Cow<'a, str>,
    /// The sort key: a string unchanged, any other value as JSON.
    pub key: Option<String>,
    /// Where it comes from, if a field tells it: a string unchanged, any other value as JSON.
    pub origin: Option<String>,
    /// The record's number in the file, from 1; 0 if the file is the document.
    pub number: u64,
    /// Number of malformed byte sequences replaced by U+FFFD.
    pub replaced: usize,
    /// True if the field of the text is null; the text is then empty.
    pub is_null: bool,
    /// Numbers of characters that a reader of the document may not see.
    pub hidden: Hidden,
    /// Number of pictures and other parts of the document that may hold text.
    pub pictured: usize,
    /// The date that the document states, if the file is the document, in seconds since 1970 (UTC).
    pub date: Option<i64>,
    /// The format that the text was extracted from; of a record, plain text.
    pub format: Format,
    /// True if the text is its file, all bytes of it, or stands in a record as it is, in UTF-8 without a malformed byte: then parts
    /// of it can be cut.
    pub is_exact: bool,
}

#[cfg(test)]
mod tests;
