//! Errors of the program: those of the method, of reading documents, and of its jobs.

use nearcopy::error::Problem;

/// The result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Every error of this crate; each message is one line and names the remedy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An error of the method, of files, or an interruption.
    #[error("{method}{remedy}", method = .0, remedy = remedy(.0))]
    Method(#[from] nearcopy::Error),
    /// An error of reading or writing documents.
    #[error(transparent)]
    Corpus(nearcopy_corpus::Error),
    /// A fingerprint file without sort keys, where survivors are chosen by key.
    #[error("{path}: the fingerprint file has no sort keys to keep by; make it again with --key-field")]
    NoKeys {
        /// The file as the user named it.
        path: String,
    },
    /// A field that is missing from every record so far.
    #[error("{problem}; none of the {records} records read so far has it")]
    FieldNowhere {
        /// The problem of the last record; it lists the fields of that record.
        problem: String,
        /// The number of records read.
        records: u64,
    },
    /// A field of ids that every record so far lacks.
    #[error(
        "none of the {records} records read so far has an id in the field '{field}' of --id-field; check its name, or leave \
         it out"
    )]
    IdNowhere {
        /// The field.
        field: String,
        /// The number of records read.
        records: u64,
    },
    /// A field that no item of any test set has.
    #[error("no item of a test set has the field '{field}'; check its name, or leave it out")]
    FieldOfNone {
        /// The field.
        field: String,
    },
    /// A fingerprint file that is named twice.
    #[error("{path}: is named twice; name it once")]
    NamedTwice {
        /// The file.
        path: String,
    },
    /// No folder for the results of other programs.
    #[error("--convert keeps its results in the user's cache, and none is known; set XDG_CACHE_HOME to a folder")]
    NoCache,
    /// A policy by a field that no document has.
    #[error("no document has the field '{field}' of --keep{has}; check its name, or name another")]
    NoKeyField {
        /// The field.
        field: String,
        /// The fields of a document, in words; empty if it has none.
        has: String,
    },
    /// A field of addresses that no document has.
    #[error(
        "no document has an address in the field '{field}' of --url-field{has}; check its name, or leave out --per-site"
    )]
    NoAddress {
        /// The field.
        field: String,
        /// The fields of a document, in words; empty if it has none.
        has: String,
    },
    /// Two input files with the same output path.
    #[error("{path}: two inputs map to this output path; name a folder that holds both, or clean them one by one")]
    SameName {
        /// The output path.
        path: String,
    },
    /// An input that changed during the run.
    #[error("{path}: changed while being read; nothing was written; retry when nothing else writes to it")]
    Changed {
        /// The file as the user named it.
        path: String,
    },
    /// An input that was read before, but can no longer be read to copy its documents.
    #[error("{path}: {reason}; its documents are to be kept, so nothing was written; retry when it can be read")]
    NotCopied {
        /// The file as the user named it.
        path: String,
        /// The reason, with the remedy where there is one.
        reason: String,
    },
    /// An output whose ending names a format that its records cannot be converted to.
    #[error(
        "{path}: its name says {says}, but the documents are {kind}, which cannot be converted to it without loss; use the ending of the documents' format"
    )]
    OtherFormat {
        /// The file as the user named it.
        path: String,
        /// The format or compression that the ending names.
        says: &'static str,
        /// The format of the records.
        kind: &'static str,
    },
    /// An output to which records cannot be copied as they are.
    #[error("{path}: {why}")]
    NoCopy {
        /// The output.
        path: String,
        /// The reason, and the remedy.
        why: &'static str,
    },
    /// A file that is one document, where only records can be written.
    #[error(
        "{path}: is a document of its own, and shards hold records; write a folder instead, or leave such files out with --glob"
    )]
    NoRecords {
        /// The file as the user named it.
        path: String,
    },
    /// The undo file of an earlier run where a new one is to be.
    #[error("{path}: is the undo file of an earlier run; undo that run first, or name another folder or undo file")]
    UndoExists {
        /// The file as the user named it.
        path: String,
    },
    /// A folder for moved files in a folder that was audited.
    #[error(
        "{path}: lies in {audited}, where the next audit would find the moved files again; name a folder outside of it, or a hidden one such as {hidden}"
    )]
    InAudited {
        /// The folder as the user named it.
        path: String,
        /// The folder that was audited.
        audited: String,
        /// A folder in it that an audit does not read.
        hidden: String,
    },
    /// An id with a line break, which would be two ids in a list of one per line.
    #[error(
        "the id {id:?} contains a line break, which a list of ids cannot hold; use another id field, or write documents instead of a list"
    )]
    LineBreak {
        /// The id.
        id: String,
    },
    /// Sources without a document.
    #[error(
        "{path}: no document with a word in it could be read there, so there is nothing to compare with; name other sources, or check which files are excluded by globs, file types or an .ignore file"
    )]
    NoSources {
        /// The sources as the user named them.
        path: String,
    },
    /// A text whose words are to be left out, and that has none.
    #[error("{path}: has no words that could be left out; name another file with --ignore")]
    EmptyTemplate {
        /// The file.
        path: String,
    },
    /// Test sets without an item.
    #[error(
        "no item was found in the test sets; an item is a record with a field of --field, here {fields}, and text in those of --need, if any are named"
    )]
    NoItems {
        /// The fields that were looked for.
        fields: String,
    },
    /// Test sets that do not fit the memory.
    #[error(
        "the test sets have more than {words} words, which take {bytes} bytes of memory; raise --max-memory, search for fewer sets at a time, or without --rewritten"
    )]
    TestSets {
        /// Number of words read.
        words: u64,
        /// The memory for them.
        bytes: u64,
    },
    /// A file that is not a dictionary.
    #[error(
        "{path}: is no dictionary that can be imported: {what}; dictd (.index and .dict.dz), tables of words and translations with tabs between, CC-CEDICT and Apertium's .dix can"
    )]
    Dictionary {
        /// The file as the user named it.
        path: String,
        /// The reason.
        what: String,
    },
    /// A lexicon in place of a dictionary.
    #[error("{path}: is a lexicon already; give it to `dedup screen --lexicon`")]
    IsLexicon {
        /// The file as the user named it.
        path: String,
    },
    /// A dictionary of unknown languages, or of others than those before it.
    #[error("{path}: {what}")]
    DictionaryLanguages {
        /// The file as the user named it.
        path: String,
        /// The reason, with the remedy.
        what: String,
    },
    /// An input inside the index itself.
    #[error("{path}: lies inside the index {index}, which is never read as input; move it, or name texts elsewhere")]
    InIndex {
        /// The input as the user named it.
        path: String,
        /// The folder of the index.
        index: String,
    },
    /// A name for standard input, which is not an input.
    #[error("--id {id}: is for a text from standard input, and `-` is no input; name it, or leave --id out")]
    NoStandardInput {
        /// The name.
        id: String,
    },
    /// Standard input named twice.
    #[error("-: is named twice, and standard input has one text; name a file instead")]
    StandardInputTwice,
}

impl From<nearcopy_corpus::Error> for Error {
    fn from(error: nearcopy_corpus::Error) -> Self {
        match error {
            nearcopy_corpus::Error::Method(error) => Self::Method(error),
            other => Self::Corpus(other),
        }
    }
}

impl From<nearcopy_corpus::UnknownEncoding> for Error {
    fn from(unknown: nearcopy_corpus::UnknownEncoding) -> Self {
        Self::Corpus(unknown.into())
    }
}

impl Error {
    /// True if the user, or a limit that the user set, ended the run.
    pub fn is_interruption(&self) -> bool {
        matches!(self, Self::Method(nearcopy::Error::Interrupted))
    }

    /// The error of an input that was read before, and has this problem now.
    pub(crate) fn not_copied(problem: &Problem) -> Self {
        Self::NotCopied { path: problem.file.clone(), reason: problem.reason.to_string() }
    }

    /// The same error for a step before the change itself ([`nearcopy::Error::of_a_step`]).
    pub(crate) fn of_a_step(self) -> Self {
        match self {
            Self::Method(error) => Self::Method(error.of_a_step()),
            other => other,
        }
    }
}

/// The remedy of an error of the method, in options of the command line.
pub fn remedy(error: &nearcopy::Error) -> &'static str {
    use nearcopy::Error as Method;
    match error {
        Method::NoShingles { .. } => ": give --similarity none, or make the file without --no-shingles",
        Method::IndexNoShingles { .. } => ": give --similarity none, or make an index without --no-shingles",
        Method::NoPassages { .. } => "; make it with `dedup screen --save`",
        Method::Strict(_) => " (stopped, as --strict asks)",
        Method::Exists { .. } => "; --force replaces it, or name another file",
        Method::NoText { .. } => {
            "; to compare with it, name it after --against of `dedup screen`, or ask `dedup index query`"
        }
        Method::KnownId { .. } => ": skip those by --skip, or replace them by --replace",
        Method::EmptyLexicon { .. } => {
            "; check the languages, which the names of the files or --from and --to tell, and the format"
        }
        _ => "",
    }
}

/// The message of an error, with its remedy, whichever layer says it.
#[cfg(feature = "cli")]
pub(crate) fn in_words(error: &(dyn std::error::Error + 'static)) -> String {
    let of_corpus = || match error.downcast_ref() {
        Some(nearcopy_corpus::Error::Method(method)) => Some(method),
        _ => None,
    };
    let method = error.downcast_ref().or_else(of_corpus);
    method.map_or_else(|| error.to_string(), |method| format!("{method}{}", remedy(method)))
}

/// True if a job was interrupted, whichever layer says so.
#[cfg(feature = "cli")]
pub(crate) fn is_interruption(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref().is_some_and(Error::is_interruption)
        || matches!(error.downcast_ref(), Some(nearcopy::Error::Interrupted))
}
