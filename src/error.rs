//! What can go wrong: what was expected, what was found, and what to do.

use std::io;

/// The result of anything here that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Every error of the library; each message is one line and names the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened or read.
    #[error("{path}: {}", reason(source))]
    Read {
        /// The file as the user named it.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A folder stands where one document was expected.
    #[error("{path}: is a folder, not a file; name one of the files in it")]
    Folder {
        /// The folder as the user named it.
        path: String,
    },
    /// The bytes are not those of a text.
    #[error(
        "{path}: is {kind}, not a text; extract its text first (or give --encoding to read it as text all the same)"
    )]
    Binary {
        /// The file as the user named it.
        path: String,
        /// What it seems to be, with its article: "a PDF".
        kind: &'static str,
    },
    /// An n-gram range that is empty, starts at 0 or is too long.
    #[error("n-gram sizes {min} to {max}: expected 1 ≤ min ≤ max ≤ {limit}; each is 3 unless given")]
    NgramRange {
        /// The smallest n-gram asked for, in terms.
        min: usize,
        /// The greatest n-gram asked for, in terms.
        max: usize,
        /// The greatest size that is allowed.
        limit: usize,
    },
    /// A number of sketches that is 0 or too great.
    #[error("{found} sketches: expected 1 to {limit}")]
    Sketches {
        /// The number asked for.
        found: usize,
        /// The greatest number that is allowed.
        limit: usize,
    },
    /// Two fingerprints that were not made by one recipe.
    #[error(
        "fingerprints of different recipes ({a:016x} and {b:016x}) cannot be compared; make both with the same options and version"
    )]
    Recipes {
        /// The id of the first one's recipe.
        a: u64,
        /// The id of the second one's.
        b: u64,
    },
    /// A language that nothing is known about.
    #[error("language '{0}' is unknown; `dedup languages` lists names and codes")]
    Language(String),
    /// An encoding that nothing is known about.
    #[error(
        "encoding '{0}' is unknown; use a name such as utf-8, utf-16le, windows-1252, shift_jis, gb18030 or koi8-r"
    )]
    Encoding(String),
}

/// What the system said, in the user's words and with the remedy where there is one.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file; check the name and the folder".into(),
        io::ErrorKind::PermissionDenied => "no permission to read it; change its mode or run as its owner".into(),
        _ => format!("cannot be read: {error}"),
    }
}
