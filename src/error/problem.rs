//! Problems: the file and record that could not be read, and the reason.
//!
//! One bad record never ends a run: it becomes a [`Problem`], is counted under its
//! [`Reason`], and the rest is read.

use std::fmt;
use std::io;

use crate::error::Refusal;

/// A file or a record that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}{place}: {reason}")]
pub struct Problem {
    /// The file as the user named it.
    pub file: String,
    /// The place in the file.
    pub place: Location,
    /// The reason.
    pub reason: Reason,
}

impl Problem {
    /// A panic, as a problem of the file or record in progress.
    pub(crate) fn internal(file: String, place: Location) -> Self {
        Self { file, place, reason: Reason::Internal }
    }
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The file as a whole.
    File,
    /// A line, counted from 1.
    Line(u64),
    /// A row of a table, counted from 1; the heading does not count.
    Row(u64),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Row(row) => write!(f, ", row {row}"),
        }
    }
}

/// The reason why something could not be read; each names the remedy where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The system refused to read it, or the data is truncated or damaged.
    #[error("{0}")]
    Unreadable(String),
    /// A document whose bytes give no text.
    #[error("{0}")]
    Refused(Refusal),
    /// Neither a regular file nor a folder.
    #[error("is a pipe, a socket or a device; only regular files are read from a folder")]
    Special,
    /// A member of a ZIP or tar archive that is not read: the kind of the problem and the reason.
    #[error("{1}")]
    Member(&'static str, &'static str),
    /// A folder without a file, where documents are needed.
    #[error(
        "holds no file to read; name another folder, or check what is left out by --glob, --type or an .ignore file"
    )]
    NoFiles,
    /// A document longer than the limit.
    #[error("is longer than {0} bytes; raise --max-document or --max-memory to read it")]
    TooLong(u64),
    /// A document that finds no room beside those before it.
    #[error(
        "takes {needed} bytes of memory, and the documents before it leave {left}; raise --max-memory, or compare fewer \
         at a time"
    )]
    NoRoom {
        /// The memory that it takes, in bytes.
        needed: u64,
        /// The memory that is left for documents, in bytes.
        left: u64,
    },
    /// A document that is too long to be aligned in the memory for that.
    #[error("has {words} words, and --max-memory leaves room to align {most}; raise it, or divide the document")]
    TooLongToAlign {
        /// Number of its words.
        words: u64,
        /// Maximum number of words.
        most: u64,
    },
    /// A document that is compared only in part.
    #[error(
        "has more than {most} words: only its first {compared} of {bytes} bytes are compared; divide it into several \
         documents to compare all of it"
    )]
    TooManyWords {
        /// The maximum number of words compared.
        most: u64,
        /// The length of the compared text, in bytes.
        compared: u64,
        /// The length of the whole text, in bytes.
        bytes: u64,
    },
    /// A text in Latin letters whose language, named here, is written in others.
    #[error(
        "is {0} in Latin letters, and was compared with texts in Latin letters only; write it in its own letters to \
         compare it with others"
    )]
    InLatinLetters(&'static str),
    /// Not JSON.
    #[error("is not valid JSON: {0}")]
    Json(String),
    /// JSON, but not an object.
    #[error("is {0}, not a JSON object")]
    NotObject(&'static str),
    /// A missing field.
    #[error("has no field '{wanted}'{}", fields_found(found))]
    MissingField {
        /// The name of the missing field.
        wanted: String,
        /// The fields of the record.
        found: Vec<String>,
    },
    /// A field of a type that cannot be a text, an id or a key.
    #[error("the field '{field}' is {found}, not {wanted}")]
    WrongType {
        /// The field.
        field: String,
        /// The type found, with its article.
        found: &'static str,
        /// The type expected, with its article.
        wanted: &'static str,
    },
    /// The id of an earlier document.
    #[error("the id '{0}' was used before; ids must be unique")]
    DuplicateId(String),
    /// A line of the form `ID text` that has no id.
    #[error("has no id: expected an id, a space or tab, and the text")]
    NoId,
    /// Records in an encoding in which characters may contain the bytes of line breaks or separators.
    #[error(
        "is in {0}, in which records cannot be split safely; convert it first, for example with `iconv -f {0} -t UTF-8`"
    )]
    Uncut(&'static str),
    /// A table that cannot be parsed.
    #[error("is not valid CSV: {0}")]
    Csv(String),
    /// A bug in this program.
    #[error("triggers a bug in this program; please report it with the text")]
    Internal,
    /// A Parquet file that cannot be read.
    #[error("is not valid Parquet: {0}")]
    Parquet(String),
}

fn fields_found(found: &[String]) -> String {
    if found.is_empty() {
        return " (it has no fields)".into();
    }
    // A first row that is not a heading may contain texts of any length.
    let brief = |name: &String| name.chars().take(40).collect();
    let mut shown: Vec<String> = found.iter().take(8).map(brief).collect();
    if found.len() > shown.len() {
        shown.push("…".into());
    }
    format!("; it has {}: name one with --text-field or --id-field", shown.join(", "))
}

impl Reason {
    /// The reason for an I/O error.
    pub fn of_io(error: &io::Error) -> Self {
        Self::Unreadable(crate::error::reason(error))
    }

    /// True if the whole file or record is skipped; false if the beginning of its text is used.
    pub fn skips_all(&self) -> bool {
        !matches!(self, Self::TooManyWords { .. } | Self::InLatinLetters(_))
    }

    /// A short name; problems are counted by it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Refused(refusal) => refusal.kind(),
            Self::Special => "not a regular file",
            Self::Member(kind, _) => kind,
            Self::NoFiles => "empty folder",
            Self::TooLong(_) | Self::TooLongToAlign { .. } => "too long",
            Self::NoRoom { .. } => "too little memory",
            Self::TooManyWords { .. } => "compared in part",
            Self::InLatinLetters(_) => "in Latin letters",
            Self::Json(_) => "malformed JSON",
            Self::NotObject(_) => "not a JSON object",
            Self::MissingField { .. } => "missing field",
            Self::WrongType { .. } => "field of a wrong type",
            Self::DuplicateId(_) => "id met before",
            Self::NoId => "no id",
            Self::Uncut(_) => "encoding of records",
            Self::Internal => "defect",
            Self::Csv(_) => "malformed CSV",
            Self::Parquet(_) => "malformed Parquet",
        }
    }
}
