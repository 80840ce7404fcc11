//! Endings of output names, which promise a format.

use std::path::Path;

use nearcopy_corpus::compression::Compression;
use nearcopy_corpus::records::Kind;

/// Endings of records, documents, archives and compressions that other programs know, and which are not written.
const UNWRITTEN: [&str; 48] = [
    "7z", "arrow", "avro", "br", "bz", "db", "doc", "docx", "eml", "epub", "feather", "htm", "html", "ipc", "jar",
    "json", "lz4", "lzma", "lzo", "msg", "msgpack", "npy", "npz", "ods", "odt", "orc", "parq", "pdf", "pickle", "pkl",
    "pptx", "pq", "rar", "rtf", "snappy", "sqlite", "sz", "tar", "tbz", "tbz2", "tgz", "txz", "tzst", "xlsx", "xml",
    "yaml", "z", "zip",
];

/// The ending of a name, without that of a compression.
pub(super) fn ending(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    Path::new(Compression::strip(&name)).extension().map(|ending| ending.to_string_lossy().into_owned())
}

/// True for the ending of a format that is not written.
pub(super) fn is_unwritten(ending: &str) -> bool {
    UNWRITTEN.contains(&&*ending.to_lowercase())
}

/// True if a name promises Parquet.
pub(super) fn is_parquet(path: &Path) -> bool {
    let name = path.to_string_lossy();
    Compression::of_name(&name).is_none() && Kind::of_name(&name) == Some(Kind::Parquet)
}

/// True if a name promises a table of text.
pub(super) fn is_text_table(path: &Path) -> bool {
    matches!(Kind::of_name(&path.to_string_lossy()), Some(Kind::Csv | Kind::Tsv))
}

/// True if a name promises a format that other programs know, or is a pattern.
pub(super) fn promises_another(path: &Path) -> bool {
    let name = path.to_string_lossy();
    Kind::of_name(&name).is_some()
        || promises_more(path)
        || path.file_name().is_some_and(|name| name.to_string_lossy().contains('*'))
}

/// True if a name promises more than plain text.
pub(super) fn promises_more(path: &Path) -> bool {
    let name = path.to_string_lossy();
    // An object of JSON is plain text.
    let is_other = |ending: String| is_unwritten(&ending) && !ending.eq_ignore_ascii_case("json");
    Compression::of_name(&name).is_some() || is_parquet(path) || ending(path).is_some_and(is_other)
}
