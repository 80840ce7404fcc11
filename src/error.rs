//! What can go wrong: what was expected, what was found, and what to do.

mod problem;
mod reason;
mod refusal;
mod shown;

use std::io;

pub use problem::{Location, Problem, Reason};
pub(crate) use reason::reason;
use reason::write_reason;
pub use refusal::Refusal;
pub(crate) use shown::{all_shown, shown, unshown};

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
    /// An office document that gives no text.
    #[error("{path}: {refusal}")]
    Refused {
        /// The file as the user named it.
        path: String,
        /// Why.
        refusal: Refusal,
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
    /// Files of fingerprints, or a file and texts, that were not made by one recipe.
    #[error(
        "{a} and {b}: fingerprints of different recipes ({recipe_a:016x} and {recipe_b:016x}) cannot be compared; make both with the same options and version ({difference})"
    )]
    RecipesOf {
        /// The first file.
        a: String,
        /// The second one, or `the texts`.
        b: String,
        /// The id of the first one's recipe.
        recipe_a: u64,
        /// The id of the second one's.
        recipe_b: u64,
        /// What differs first, and how.
        difference: String,
    },
    /// What shingles are made of is unknown.
    #[error("'{0}' is no kind of shingles: words or terms")]
    Shingles(String),
    /// A fingerprint file without shingles, where the Jaccard rule is asked.
    #[error(
        "{path}: a fingerprint file has no shingles, so only the Hamming rule can be asked: give --similarity none, or make the file without --no-shingles"
    )]
    NoShingles {
        /// The file as the user named it.
        path: String,
    },
    /// An index without shingles, where the Jaccard rule is asked.
    #[error(
        "{path}: the index keeps no shingles, so only the Hamming rule can be asked: give --similarity none, or make an index without --no-shingles"
    )]
    IndexNoShingles {
        /// The folder as the user named it.
        path: String,
    },
    /// An index without texts, where passages are asked for.
    #[error(
        "{path}: the index keeps no texts to find passages in; make one with `dedup index create --passages`, and add them again"
    )]
    IndexNoPassages {
        /// The folder as the user named it.
        path: String,
    },
    /// A fingerprint file without sort keys, where documents are to be kept by them.
    #[error("{path}: a fingerprint file has no field to keep by; make it with --key-field NAME")]
    NoKeys {
        /// The file as the user named it.
        path: String,
    },
    /// A fingerprint file without texts, where passages are asked for.
    #[error("{path}: a fingerprint file has no texts to find passages in; make it with `dedup screen --save`")]
    NoPassages {
        /// The file as the user named it.
        path: String,
    },
    /// A language that nothing is known about.
    #[error("language '{0}' is unknown; `dedup languages` lists names and codes")]
    Language(String),
    /// An encoding that nothing is known about.
    #[error(
        "encoding '{0}' is unknown; use a name such as utf-8, utf-16le, windows-1252, shift_jis, gb18030 or koi8-r"
    )]
    Encoding(String),
    /// A glob or a type of files that cannot be understood.
    #[error("which files to read: {0}; globs look like '*.txt', types are names such as html, txt or markdown")]
    Selection(String),
    /// More documents than can be numbered.
    #[error("{found} documents are too many: up to {limit} can be searched at once; search them in parts")]
    TooMany {
        /// The number of documents.
        found: usize,
        /// The greatest number that is allowed.
        limit: usize,
    },
    /// A Hamming distance too great for search tables.
    #[error(
        "Hamming distance {found}: an index has search tables for up to {limit} bits; make it for less, queries may ask for any"
    )]
    TableDistance {
        /// The distance asked for.
        found: u32,
        /// The greatest that there are tables for.
        limit: u32,
    },
    /// A Hamming distance too great to search for.
    #[error("Hamming distance {found}: pairs are found up to {limit}")]
    Distance {
        /// The distance asked for, in bits.
        found: u32,
        /// The greatest that is allowed.
        limit: u32,
    },
    /// A record that could not be read, where every one must be.
    #[error("{0} (stopped, as --strict asks)")]
    Strict(String),
    /// A field that none of so many records has.
    #[error("{problem}; none of the {records} records read so far has it")]
    FieldNowhere {
        /// The problem of the last record, which names the fields that it has.
        problem: String,
        /// The records that were read.
        records: u64,
    },
    /// The user has stopped the work.
    #[error("stopped")]
    Interrupted,
    /// A file could not be written.
    #[error("{path}: {}", write_reason(source))]
    Write {
        /// The file, or the folder that it was to stand in.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// What stands where a file is to be written is no file.
    #[error("{path}: is {kind}, which cannot be written over; name another output")]
    Output {
        /// The output as the user named it.
        path: String,
        /// What it is, with its article: "a folder".
        kind: &'static str,
    },
    /// What stands where an unfinished output is kept is not a folder of the user's own.
    #[error("{path}: is {kind}, and the unfinished output must be kept there; remove it, or name another output")]
    Taken {
        /// The folder of the unfinished output.
        path: String,
        /// What it is, with its article: "a link".
        kind: &'static str,
    },
    /// A change that is made, but that the disk has not confirmed.
    #[error("{path}: the change is made, but may not survive a power loss: {source}; check the disk, and run `sync`")]
    Unsynced {
        /// The file, or the folder that it stands in.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A folder that is to be written, and has something in it.
    #[error("{path}: is not empty; name a folder that is not there yet")]
    NotEmpty {
        /// The folder as the user named it.
        path: String,
    },
    /// Two input files that would stand in one place.
    #[error("{path}: two input files would stand there; name folders that hold both, or clean them one by one")]
    SameName {
        /// The place.
        path: String,
    },
    /// An input that is not what it was when the run began.
    #[error("{path}: was changed while it was read; nothing was written; start again when it is at rest")]
    Changed {
        /// The file as the user named it.
        path: String,
    },
    /// An input whose documents cannot be copied, which could be read before.
    #[error("{path}: {reason}; its documents were to stay, so nothing was written; start again when it can be read")]
    NotCopied {
        /// The file as the user named it.
        path: String,
        /// Why, with the remedy where there is one.
        reason: String,
    },
    /// An output whose ending is not that of the records, which are copied as they stand.
    #[error(
        "{path}: its name says {says}, but the documents are {kind}, which cannot be written so without loss; give it the ending of that"
    )]
    OtherFormat {
        /// The file as the user named it.
        path: String,
        /// The format or compression that the ending names.
        says: &'static str,
        /// The format of the records.
        kind: &'static str,
    },
    /// A record that cannot be written as the format of the output without loss.
    #[error(
        "{record}: cannot be converted without loss: {reason}; nothing was written; give the output the ending of its input's format"
    )]
    NotConverted {
        /// The record: its file, and its line or row.
        record: String,
        /// What would be lost.
        reason: String,
    },
    /// An id that would be two in a list of one a line.
    #[error(
        "the id {id:?} has a line break in it and cannot stand in a list; name another field by --id-field, or write documents without --list"
    )]
    LineBreak {
        /// The id.
        id: String,
    },
    /// Two runs at once that write one file.
    #[error("{path}: another run is writing it; wait for it to end, or name another output")]
    Locked {
        /// The output as the user named it.
        path: String,
    },
    /// A file that is none of fingerprints.
    #[error("{path}: is not a fingerprint file; name one that `dedup fingerprint` wrote")]
    NotFingerprints {
        /// The file as the user named it.
        path: String,
    },
    /// A fingerprint file where documents are to be named.
    #[error(
        "{path}: is an archive, an index or a fingerprint file and no text; to compare with it, name it after --against of `dedup screen`, or ask `dedup index query`"
    )]
    NoText {
        /// The file as the user named it.
        path: String,
    },
    /// Sources without a document.
    #[error(
        "{path}: no document with a word in it could be read there, so there is nothing to compare with; name other sources, or check what is left out by --glob, --type or an .ignore file"
    )]
    NoSources {
        /// The sources as the user named them.
        path: String,
    },
    /// An input that is of the index itself.
    #[error("{path}: stands in the index {index}, from which no texts are read; move it, or name texts outside of it")]
    InIndex {
        /// The input as the user named it.
        path: String,
        /// The folder of the index.
        index: String,
    },
    /// An index that is made for no question.
    #[error(
        "neither a Hamming distance nor a similarity: an index has search tables for one at least; give --distance or --similarity"
    )]
    NoRule,
    /// A name of standard input, which is not read.
    #[error("--id {id}: is for a text from standard input, and `-` is no input; name it, or leave --id out")]
    NoStandardInput {
        /// The name.
        id: String,
    },
    /// A document whose id the index has.
    #[error(
        "{path}: has a document '{id}' already{}; nothing was added: skip those by --skip, or replace them by --replace",
        match others { 0 => String::new(), 1 => ", and of 1 more id".into(), others => format!(", and of {others} more ids") }
    )]
    KnownId {
        /// The folder of the index.
        path: String,
        /// The first id that is known.
        id: String,
        /// How many others are.
        others: usize,
    },
    /// A folder that is no index.
    #[error("{path}: is not an index; make one with `dedup index create`")]
    NotIndex {
        /// The folder as the user named it.
        path: String,
    },
    /// An index of a later version of this program.
    #[error("{path}: is an index of format {found}, and formats up to {known} are known here; use a newer `dedup`")]
    NewerIndex {
        /// The folder as the user named it.
        path: String,
        /// The version of its format.
        found: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// A file of an index that is missing or not as it was written.
    #[error("{path}: {what}; restore the folder of the index from a copy, or make it anew from its texts")]
    DamagedIndex {
        /// The file.
        path: String,
        /// What is wrong, beginning with a verb.
        what: &'static str,
    },
    /// An index that another run is changing.
    #[error("{path}: another run is changing the index; wait for it to end")]
    IndexLocked {
        /// The folder as the user named it.
        path: String,
    },
    /// A fingerprint file of a later version of this program.
    #[error(
        "{path}: is a fingerprint file of format {found}, and formats up to {known} are known here; use a newer `dedup`"
    )]
    NewerFormat {
        /// The file as the user named it.
        path: String,
        /// The version of its format.
        found: u32,
        /// The newest version that is known here.
        known: u32,
    },
    /// A fingerprint file that was cut short, or that something was added to.
    #[error("{path}: has {found} bytes instead of {expected}; copy it again, or make it anew from its texts")]
    FileLength {
        /// The file as the user named it.
        path: String,
        /// The bytes that it must have; at least so many if its beginning is missing.
        expected: u64,
        /// The bytes that it has.
        found: u64,
    },
    /// A fingerprint file whose header or section table is not as it was written.
    #[error("{path}: the header is damaged: {what}; copy the file again, or make it anew from its texts")]
    DamagedHeader {
        /// The file as the user named it.
        path: String,
        /// What does not agree.
        what: &'static str,
    },
    /// A fingerprint file with a section that is not as it was written.
    #[error(
        "{path}: section '{section}' is damaged{}: {what}; copy the file again, or make it anew from its texts",
        record.map_or_else(String::new, |record| format!(" at record {record}"))
    )]
    DamagedSection {
        /// The file as the user named it.
        path: String,
        /// The section's name.
        section: &'static str,
        /// The record in it, from 1.
        record: Option<u64>,
        /// What does not agree.
        what: &'static str,
    },
}

impl Error {
    /// The same of a step before the change itself, which is not made then.
    pub(crate) fn of_a_step(self) -> Self {
        match self {
            Self::Unsynced { path, source } => Self::Write { path, source },
            other => other,
        }
    }
}

/// An error of the Parquet library as one of its reader or writer, which it may hold.
#[cfg(feature = "parquet")]
pub(crate) fn of_parquet(error: parquet::errors::ParquetError) -> io::Error {
    match error {
        parquet::errors::ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(inner) => *inner,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests;
