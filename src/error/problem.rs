//! Problems: the file and record that could not be read, and the reason.
//!
//! One bad record never ends a run: it becomes a [`Problem`], is counted under its
//! [`Reason`], and the rest is read.

use std::fmt;
use std::io;

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
    /// True if the file or record is there with all its bytes, and can be copied unchanged.
    pub can_copy: bool,
}

impl Problem {
    /// The problem of a file or record that is there with all its bytes.
    pub fn of(file: impl Into<String>, place: Location, reason: impl Into<Reason>) -> Self {
        Self { file: file.into(), place, reason: reason.into(), can_copy: true }
    }

    /// The problem of a file whose bytes were not read.
    pub fn of_unread(file: impl Into<String>, reason: impl Into<Reason>) -> Self {
        Self { can_copy: false, ..Self::of(file, Location::File, reason) }
    }

    /// A panic, as a problem of the file or record in progress.
    pub fn internal(file: String, place: Location) -> Self {
        Self::of(file, place, Reason::Internal)
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
    /// A record of a web archive, counted from 1.
    Record(u64),
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => Ok(()),
            Self::Line(line) => write!(f, ", line {line}"),
            Self::Row(row) => write!(f, ", row {row}"),
            Self::Record(record) => write!(f, ", record {record}"),
        }
    }
}

/// The reason why something could not be read or compared; each names the remedy where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The system refused to read it, or the data is truncated or damaged.
    #[error("{0}")]
    Unreadable(String),
    /// A document that finds no room beside those before it.
    #[error(
        "takes {needed} bytes of memory, and the documents before it leave {left}; raise the limit (max-memory), or \
         compare fewer at a time"
    )]
    NoRoom {
        /// The memory that it takes, in bytes.
        needed: u64,
        /// The memory that is left for documents, in bytes.
        left: u64,
    },
    /// A document that is too long to be aligned in the memory for that.
    #[error(
        "has {words} words, and the limit of memory (max-memory) leaves room to align {most}; raise it, or divide the document"
    )]
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
    /// The id of an earlier document.
    #[error("the id '{0}' was used before; ids must be unique")]
    DuplicateId(String),
    /// A bug in this program.
    #[error("triggers a bug in this program; please report it with the text")]
    Internal,
    /// A reason of the reader of documents, which knows their formats.
    #[error("{sentence}")]
    Reader {
        /// The short name by which problems are counted.
        kind: &'static str,
        /// The reason, with the remedy.
        sentence: String,
    },
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
            Self::NoRoom { .. } => "too little memory",
            Self::TooLongToAlign { .. } => "too long",
            Self::TooManyWords { .. } => "compared in part",
            Self::InLatinLetters(_) => "in Latin letters",
            Self::DuplicateId(_) => "id met before",
            Self::Internal => "defect",
            Self::Reader { kind, .. } => kind,
        }
    }
}
