//! Errors: each names what was expected and what was found, and the remedy, if it is no option of a program or a function.

mod file_names;
mod problem;
mod reason;

use std::io;

pub use file_names::{all_shown, shown, shown_bytes, unshown};
pub use problem::{Location, Problem, Reason};
pub use reason::reason;
use reason::{by_process, write_reason};

/// The result of every fallible function of the library.
pub type Result<T> = std::result::Result<T, Error>;

/// Every error of the library; each message is one line. It names the remedy, unless that is an option of a program or an argument
/// of a function, which whoever has it adds.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be opened or read.
    #[error("{path}: {}", reason(source))]
    Read {
        /// The file as the user named it.
        path: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// A folder was named where one document was expected.
    #[error("{path}: is a folder, not a file; name one of the files in it")]
    Folder {
        /// The folder as the user named it.
        path: String,
    },
    /// An n-gram range that is empty, starts at 0 or is too long.
    #[error("n-gram sizes {min} to {max}: expected 1 ≤ min ≤ max ≤ {limit}; both default to 3")]
    NgramRange {
        /// The requested minimum size, in terms.
        min: usize,
        /// The requested maximum size, in terms.
        max: usize,
        /// The largest allowed size.
        limit: usize,
    },
    /// A number of sketches that is 0 or too large.
    #[error("{found} sketches: expected 1 to {limit}")]
    Sketches {
        /// The requested number.
        found: usize,
        /// The largest allowed number.
        limit: usize,
    },
    /// Two fingerprints of different recipes.
    #[error(
        "fingerprints of different recipes ({a:016x} and {b:016x}) cannot be compared; make both with the same options and version"
    )]
    Recipes {
        /// The id of the first recipe.
        a: u64,
        /// The id of the second recipe.
        b: u64,
    },
    /// Fingerprint files, or a file and texts, of different recipes.
    #[error(
        "{a} and {b}: fingerprints of different recipes ({recipe_a:016x} and {recipe_b:016x}) cannot be compared; make both with the same options and version ({difference})"
    )]
    RecipesOf {
        /// The first file.
        a: String,
        /// The second one, or `the texts`.
        b: String,
        /// The id of the first recipe.
        recipe_a: u64,
        /// The id of the second recipe.
        recipe_b: u64,
        /// The first difference between the recipes.
        difference: String,
    },
    /// An unknown kind of shingle.
    #[error("shingle kind '{0}' is unknown; use words or terms")]
    Shingles(String),
    /// A fingerprint file without shingles, where the Jaccard rule needs them.
    #[error("{path}: a fingerprint file has no shingles, so only the Hamming rule can be asked")]
    NoShingles {
        /// The file as the user named it.
        path: String,
    },
    /// An index without shingles, where the Jaccard rule needs them.
    #[error("{path}: the index keeps no shingles, so only the Hamming rule can be asked")]
    IndexNoShingles {
        /// The folder as the user named it.
        path: String,
    },
    /// An index without texts, where passages are requested.
    #[error(
        "{path}: the index keeps no texts to find passages in; create an index with passages, and add the documents again"
    )]
    IndexNoPassages {
        /// The folder as the user named it.
        path: String,
    },
    /// A fingerprint file without texts, where passages are requested.
    #[error("{path}: a fingerprint file has no texts to find passages in")]
    NoPassages {
        /// The file as the user named it.
        path: String,
    },
    /// An unknown language.
    #[error("language '{0}' is unknown; `dedup languages` lists names and codes")]
    Language(String),
    /// More documents than one search can number.
    #[error("{found} documents: at most {limit} can be searched at once; search them in parts")]
    TooMany {
        /// The number of documents.
        found: usize,
        /// The largest allowed number.
        limit: usize,
    },
    /// A Hamming distance too large for search tables.
    #[error(
        "Hamming distance {found}: an index has search tables for at most {limit} bits; create it with a smaller distance (a query may use a larger one)"
    )]
    TableDistance {
        /// The requested distance, in bits.
        found: u32,
        /// The largest distance that has tables, in bits.
        limit: u32,
    },
    /// A Hamming distance too large to search for.
    #[error("Hamming distance {found}: pairs are found up to {limit}")]
    Distance {
        /// The requested distance, in bits.
        found: u32,
        /// The largest allowed distance, in bits.
        limit: u32,
    },
    /// A record that could not be read, where all must be: the problem.
    #[error("{0}")]
    Strict(String),
    /// The user interrupted the run.
    #[error("stopped")]
    Interrupted,
    /// A file could not be written.
    #[error("{path}: {}", write_reason(source))]
    Write {
        /// The file, or its folder.
        path: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The output path exists and is not a regular file.
    #[error("{path}: is {kind}, which cannot be written over; name another output")]
    Output {
        /// The output as the user named it.
        path: String,
        /// The type found there, with its article: "a folder".
        kind: &'static str,
    },
    /// A file at the path of an output, which may not be replaced.
    #[error("{path}: {what}")]
    Exists {
        /// The output as the user named it.
        path: String,
        /// What happened, beginning with a verb.
        what: &'static str,
    },
    /// The path of the unfinished output exists and is not a folder of this user.
    #[error("{path}: is {kind}, and the unfinished output must be kept there; remove it, or name another output")]
    Taken {
        /// The folder of the unfinished output.
        path: String,
        /// The type found there, with its article: "a link".
        kind: &'static str,
    },
    /// A change that was made, but not confirmed by the disk.
    #[error("{path}: the change is made, but may not survive a power loss: {source}; check the disk, and run `sync`")]
    Unsynced {
        /// The file, or its folder.
        path: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// An output folder that is not empty.
    #[error("{path}: is not empty; name a folder that is not there yet")]
    NotEmpty {
        /// The folder as the user named it.
        path: String,
    },
    /// Another run is writing the same file.
    #[error("{path}: another run is writing it{}; wait for it to end, or name another output", by_process(by.as_ref()))]
    Locked {
        /// The output as the user named it.
        path: String,
        /// The process, and the remedy if it was killed, where the file system has no locks.
        by: Option<String>,
    },
    /// The spools of an interrupted run that are not as that run wrote them.
    #[error("{path}: {what}, so the interrupted run cannot be resumed; remove {folder} to start from the beginning")]
    DamagedSpool {
        /// The spool.
        path: String,
        /// The damage, beginning with a verb.
        what: &'static str,
        /// The folder of the spools.
        folder: String,
    },
    /// A file that is not a fingerprint file.
    #[error("{path}: is not a fingerprint file; name one that `dedup fingerprint` wrote")]
    NotFingerprints {
        /// The file as the user named it.
        path: String,
    },
    /// An archive, an index or a fingerprint file where documents were expected.
    #[error("{path}: is an archive, an index or a fingerprint file and no text")]
    NoText {
        /// The file as the user named it.
        path: String,
    },
    /// An index without any search table.
    #[error(
        "neither a Hamming distance nor a similarity is set: an index needs search tables for at least one of them; set either"
    )]
    NoRule,
    /// A document whose id is already in the index.
    #[error(
        "{path}: has a document '{id}' already{}; nothing was added",
        match others { 0 => String::new(), 1 => ", and of 1 more id".into(), others => format!(", and of {others} more ids") }
    )]
    KnownId {
        /// The folder of the index.
        path: String,
        /// The first such id.
        id: String,
        /// The number of further such ids.
        others: usize,
    },
    /// A folder that is not an index.
    #[error("{path}: is not an index; make one with `dedup index create`")]
    NotIndex {
        /// The folder as the user named it.
        path: String,
    },
    /// An index of a later version of this program.
    #[error("{path}: is an index of format {found}, but this version reads formats up to {known}; use a newer `dedup`")]
    NewerIndex {
        /// The folder as the user named it.
        path: String,
        /// The version of its format.
        found: u32,
        /// The newest version that this program reads.
        known: u32,
    },
    /// A file of an index that is missing or damaged.
    #[error("{path}: {what}; restore the folder of the index from a copy, or make it anew from its texts")]
    DamagedIndex {
        /// The file.
        path: String,
        /// The damage, beginning with a verb.
        what: &'static str,
    },
    /// An index that another run is changing.
    #[error("{path}: another run is changing the index{}; wait for it to end", by_process(by.as_ref()))]
    IndexLocked {
        /// The folder as the user named it.
        path: String,
        /// The process, and the remedy if it was killed, where the file system has no locks.
        by: Option<String>,
    },
    /// A file that is not a lexicon.
    #[error("{path}: is not a lexicon; make one from a dictionary with `dedup lexicon import`")]
    NotLexicon {
        /// The file as the user named it.
        path: String,
    },
    /// A lexicon of a later version of this program.
    #[error(
        "{path}: is a lexicon of format {found}, but this version reads formats up to {known}; use a newer `dedup`"
    )]
    NewerLexicon {
        /// The file as the user named it.
        path: String,
        /// The version of its format.
        found: u32,
        /// The newest version that this program reads.
        known: u32,
    },
    /// A lexicon that is damaged.
    #[error("{path}: {what}; copy the lexicon again, or import its dictionary anew")]
    DamagedLexicon {
        /// The file as the user named it.
        path: String,
        /// The damage, beginning with a verb.
        what: &'static str,
    },
    /// A file that an earlier run has saved, of counts or of finished rounds, and that cannot be used.
    #[error("{path}: {what}")]
    Saved {
        /// The file as the user named it.
        path: String,
        /// The reason, beginning with a verb, and the remedy.
        what: String,
    },
    /// A lexicon whose words were stemmed otherwise than this program stems.
    #[error(
        "{path}: the lexicon was made by another version of `dedup` (recipe {found}, now {now}); import its dictionary anew"
    )]
    OtherLexicon {
        /// The file as the user named it.
        path: String,
        /// The recipe of the lexicon.
        found: String,
        /// The recipe of this program.
        now: String,
    },
    /// Dictionaries without a pair of words.
    #[error("no pair of words in {entries} entries")]
    EmptyLexicon {
        /// The number of entries that were read.
        entries: u64,
    },
    /// A fingerprint file of a later version of this program.
    #[error(
        "{path}: is a fingerprint file of format {found}, but this version reads formats up to {known}; use a newer `dedup`"
    )]
    NewerFormat {
        /// The file as the user named it.
        path: String,
        /// The version of its format.
        found: u32,
        /// The newest version that this program reads.
        known: u32,
    },
    /// A fingerprint file that was truncated or extended.
    #[error("{path}: has {found} bytes instead of {expected}; copy it again, or make it anew from its texts")]
    FileLength {
        /// The file as the user named it.
        path: String,
        /// The expected length in bytes; a lower bound if the beginning is missing.
        expected: u64,
        /// The actual length in bytes.
        found: u64,
    },
    /// A fingerprint file with a damaged header or section table.
    #[error("{path}: the header is damaged: {what}; copy the file again, or make it anew from its texts")]
    DamagedHeader {
        /// The file as the user named it.
        path: String,
        /// The mismatch.
        what: &'static str,
    },
    /// A fingerprint file with a damaged section.
    #[error(
        "{path}: section '{section}' is damaged{}: {what}; copy the file again, or make it anew from its texts",
        record.map_or_else(String::new, |record| format!(" at record {record}"))
    )]
    DamagedSection {
        /// The file as the user named it.
        path: String,
        /// The section's name.
        section: &'static str,
        /// The record in the section, counted from 1.
        record: Option<u64>,
        /// The mismatch.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests;
