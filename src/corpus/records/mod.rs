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

mod batch;
mod chunks;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
mod reader;
mod rows;
mod table;

use std::borrow::Cow;
use std::path::PathBuf;

use super::compression::Compression;
use super::{Encoding, Format, decode, source};
use crate::corpus::interruptible::Stop;
use crate::error::{Location, Problem, Reason};
pub use batch::Batch;
use batch::Content;
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

    /// The name of the format of a file of many documents, for messages.
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
    /// The id of a record without an id field: the file's name and the record's number.
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

#[cfg(test)]
mod tests;
