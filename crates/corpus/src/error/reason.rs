//! The reasons why a file or a record cannot be read, in the words of formats.

use std::io;

use nearcopy::error;
use nearcopy_extract::Refusal;

/// The reason why something could not be read; each names the remedy where there is one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Reason {
    /// The system refused to read it, or the data is truncated or damaged.
    #[error("{0}")]
    Unreadable(String),
    /// A document whose bytes give no text.
    #[error("{0}")]
    Refused(Refusal),
    /// The same, of a document that a program could read.
    #[error("{0}; or let {1} read it: give --convert")]
    Convertible(Refusal, &'static str),
    /// A document that other programs failed to read: why, and the remedy.
    #[error("cannot be converted: {0}; {1}")]
    NotConverted(String, &'static str),
    /// A document in which a program found no text: the program, and the remedy.
    #[error("{0} found no text in it; {1}")]
    NothingConverted(&'static str, &'static str),
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
    /// Not JSON.
    #[error("is not valid JSON: {0}")]
    Json(String),
    /// JSON, but not an object.
    #[error("is {0}, not a JSON object")]
    NotObject(&'static str),
    /// A missing field.
    #[error("has no field '{wanted}'{}", fields_found(found, *serves))]
    MissingField {
        /// The name of the missing field.
        wanted: String,
        /// What the field is for.
        serves: Serves,
        /// The fields of the record.
        found: Vec<String>,
    },
    /// A field of the records of a table that two columns have.
    #[error("has two columns '{0}'; rename one of them, as only one can be read")]
    TwoColumns(String),
    /// A file none of whose records has the field of texts: the kind of the problem of one, and the sentence.
    #[error("{1}")]
    NoRecord(&'static str, String),
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
    /// A Parquet file that cannot be read.
    #[error("is not valid Parquet: {0}")]
    Parquet(String),
}

/// What a field is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Serves {
    TextOrId,
    Key,
    Origin,
}

impl Serves {
    /// The options that name such a field.
    fn options(self) -> &'static str {
        match self {
            Self::TextOrId => "--text-field or --id-field",
            Self::Key => "--keep field:NAME or --key-field",
            Self::Origin => "--author-field or --url-field",
        }
    }
}

fn fields_found(found: &[String], serves: Serves) -> String {
    if found.is_empty() {
        return " (it has no fields)".into();
    }
    // A first row that is not a heading may contain texts of any length.
    let brief = |name: &String| name.chars().take(40).collect();
    if let [only] = found
        && only.contains(';')
    {
        let only: String = brief(only);
        return format!(
            "; its first row is {only}: save a table with ; between fields with commas, or as .tsv with tabs"
        );
    }
    let mut shown: Vec<String> = found.iter().take(8).map(brief).collect();
    if found.len() > shown.len() {
        shown.push("…".into());
    }
    format!("; it has {}: name one with {}", shown.join(", "), serves.options())
}

impl Reason {
    /// The reason for an I/O error.
    pub(crate) fn of_io(error: &io::Error) -> Self {
        Self::Unreadable(error::reason(error))
    }

    /// The reason for a stream that breaks off, given what was read before: "the mails before the error were read".
    pub(crate) fn unended(error: &io::Error, read: Option<&str>) -> Self {
        let read = read.map_or_else(String::new, |read| format!("; {read}"));
        Self::Unreadable(format!("cannot be read to its end ({error}); copy or download it again{read}"))
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Refused(refusal) | Self::Convertible(refusal, _) => refusal.kind(),
            Self::NotConverted(..) => "not converted",
            Self::NothingConverted(..) => "no text found",
            Self::Special => "not a regular file",
            Self::Member(kind, _) | Self::NoRecord(kind, _) => kind,
            Self::NoFiles => EMPTY_FOLDER,
            Self::TooLong(_) => "too long",
            Self::Json(_) => MALFORMED_JSON,
            Self::NotObject(_) => NO_OBJECT,
            Self::TwoColumns(_) => "repeated column",
            Self::MissingField { .. } => MISSING_FIELD,
            Self::WrongType { .. } => "field of a wrong type",
            Self::NoId => "no id",
            Self::Uncut(_) => "encoding of records",
            Self::Csv(_) => "malformed CSV",
            Self::Parquet(_) => "malformed Parquet",
        }
    }
}

/// The short name by which folders without a file to read are counted.
pub const EMPTY_FOLDER: &str = "empty folder";

/// The short name by which missing fields are counted.
pub const MISSING_FIELD: &str = "missing field";

/// The same of lines that are no JSON.
pub(crate) const MALFORMED_JSON: &str = "malformed JSON";

/// The same of JSON that is no object.
pub(crate) const NO_OBJECT: &str = "not a JSON object";

impl From<Reason> for error::Reason {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Unreadable(sentence) => Self::Unreadable(sentence),
            other => Self::Reader { kind: other.kind(), sentence: other.to_string() },
        }
    }
}
