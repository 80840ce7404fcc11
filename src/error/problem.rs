//! What could not be read: which file, which record, and why.
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
    /// Where in the file.
    pub place: Location,
    /// What is wrong.
    pub reason: Reason,
}

impl Problem {
    /// A panic, told as a problem of what was being worked on.
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
    /// A row of a table, counted from 1; a heading is none.
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

/// Why something could not be read; each names the remedy where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The system refused, or the bytes ended or broke on the way.
    #[error("{0}")]
    Unreadable(String),
    /// The bytes are not those of a text.
    #[error("is {0}, not a text; extract its text first (or give --encoding to read it as text all the same)")]
    Binary(&'static str),
    /// An office document that gives no text.
    #[error("{0}")]
    Refused(Refusal),
    /// Neither a regular file nor a folder.
    #[error("is a pipe, a socket or a device; only regular files are read from a folder")]
    Special,
    /// A folder without a file, where documents are needed.
    #[error(
        "holds no file to read; name another folder, or check what is left out by --glob, --type or an .ignore file"
    )]
    NoFiles,
    /// A document longer than the limit.
    #[error("is longer than {0} bytes; raise --max-document to read it")]
    TooLong(u64),
    /// A document that is compared in part.
    #[error(
        "has more than {most} words: only its first {compared} of {bytes} bytes are compared; divide it into several \
         documents to compare all of it"
    )]
    TooManyWords {
        /// The most words that are compared.
        most: u64,
        /// The bytes of text that they take.
        compared: u64,
        /// All bytes of the text.
        bytes: u64,
    },
    /// Not JSON.
    #[error("is not valid JSON: {0}")]
    Json(String),
    /// JSON, but not an object.
    #[error("is {0}, not a JSON object")]
    NotObject(&'static str),
    /// No field of the name.
    #[error("has no field '{wanted}'{}", fields_found(found))]
    MissingField {
        /// The field that was looked for.
        wanted: String,
        /// The fields that are there.
        found: Vec<String>,
    },
    /// A field that is no text, or no id.
    #[error("the field '{field}' is {found}, not {wanted}")]
    WrongType {
        /// The field.
        field: String,
        /// What it is, with its article.
        found: &'static str,
        /// What was wanted, with its article.
        wanted: &'static str,
    },
    /// An id that an earlier document has.
    #[error("the id '{0}' was met before; ids must differ")]
    DuplicateId(String),
    /// A line of the form `ID text` that has no id.
    #[error("has no id: expected an id, a space or tab, and the text")]
    NoId,
    /// Records in an encoding whose letters hold the bytes of line breaks or separators.
    #[error("is in {0}, in which records cannot be told apart; convert it first, as with `iconv -f {0} -t UTF-8`")]
    Uncut(&'static str),
    /// A table that cannot be taken apart.
    #[error("is not valid CSV: {0}")]
    Csv(String),
    /// A defect of this program.
    #[error("brings out a defect of this program; please report it with the text")]
    Internal,
    /// A Parquet file that cannot be read.
    #[error("is not valid Parquet: {0}")]
    Parquet(String),
}

fn fields_found(found: &[String]) -> String {
    if found.is_empty() {
        return " (it has none)".into();
    }
    // A heading may be anything, if it is none.
    let brief = |name: &String| name.chars().take(40).collect();
    let mut shown: Vec<String> = found.iter().take(8).map(brief).collect();
    if found.len() > shown.len() {
        shown.push("…".into());
    }
    format!("; it has {}: name one with --text-field or --id-field", shown.join(", "))
}

impl Reason {
    /// What the system said of a file.
    pub fn of_io(error: &io::Error) -> Self {
        Self::Unreadable(crate::error::reason(error))
    }

    /// True if the whole file or record is skipped; false if the beginning of its text is used.
    pub fn skips_all(&self) -> bool {
        !matches!(self, Self::TooManyWords { .. })
    }

    /// A short name, under which problems of one kind are counted.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Binary(_) => "not a text",
            Self::Refused(refusal) => match refusal {
                Refusal::Encrypted => "encrypted",
                Refusal::NoText | Refusal::NoCharacters => "no text in it",
                Refusal::Damaged { .. } => "damaged document",
                Refusal::TooLarge => "unpacks to too much",
                Refusal::NoPdf => "PDF",
            },
            Self::Special => "not a regular file",
            Self::NoFiles => "empty folder",
            Self::TooLong(_) => "too long",
            Self::TooManyWords { .. } => "compared in part",
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
