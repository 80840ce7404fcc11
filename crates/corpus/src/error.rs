//! Errors of reading and writing documents.

mod reason;

#[cfg(feature = "parquet")]
use std::io;

use nearcopy_extract::Refusal;

pub use reason::{EMPTY_FOLDER, MISSING_FIELD};
pub(crate) use reason::{MALFORMED_JSON, NO_OBJECT, Reason, Serves};

/// The result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Every error of this crate; each message is one line and names the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of files, or an interruption.
    #[error(transparent)]
    Method(#[from] nearcopy::Error),
    /// A document whose bytes give no text.
    #[error("{path}: {refusal}")]
    Refused {
        /// The file as the user named it.
        path: String,
        /// The reason.
        refusal: Refusal,
    },
    /// A document that is read, or could be read, by another program.
    #[error("{path}: {reason}")]
    Unread {
        /// The file as the user named it.
        path: String,
        /// The reason, with the remedy.
        reason: String,
    },
    /// An unknown encoding.
    #[error(
        "encoding '{0}' is unknown; use a name such as utf-8, utf-16le, windows-1252, shift_jis, gb18030 or koi8-r"
    )]
    Encoding(String),
    /// An invalid glob or an unknown file type.
    #[error("cannot select files: {0}; globs look like '*.txt', types are names such as html, txt or markdown")]
    Selection(String),
    /// A file whose columns are not those of the file before it, in one output.
    #[error(
        "{file}: {reason}; nothing was written; all records of one output have the same columns: write a folder, or clean the files one by one"
    )]
    OtherColumns {
        /// The file.
        file: String,
        /// The difference, in words.
        reason: String,
    },
    /// A record that cannot be converted to the output's format without loss.
    #[error(
        "{record}: cannot be converted without loss: {reason}; nothing was written; give the output the ending of its input's format"
    )]
    NotConverted {
        /// The record: its file, with the line or row.
        record: String,
        /// The loss, in words.
        reason: String,
    },
    /// A record whose text cannot be cut.
    #[error("{record}: cannot be cut: {reason}; nothing was written")]
    NotCut {
        /// The record: its file, with the line or row.
        record: String,
        /// The reason, with the remedy.
        reason: String,
    },
}

impl From<nearcopy_extract::decode::UnknownEncoding> for Error {
    fn from(unknown: nearcopy_extract::decode::UnknownEncoding) -> Self {
        Self::Encoding(unknown.0)
    }
}

/// The I/O error inside an error of the Parquet library, or else the error itself wrapped as one.
#[cfg(feature = "parquet")]
pub fn of_parquet(error: parquet::errors::ParquetError) -> io::Error {
    match error {
        parquet::errors::ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
