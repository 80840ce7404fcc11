//! One name for a file that is both a document and a source, however its path is written on either side, such as `a.txt`
//! and `./a.txt`: a document is not compared with itself.
//!
//! Cost: the path of a file is resolved for each part of it that is read, if there are sources.

use std::collections::HashMap;
use std::path::PathBuf;

use nearcopy_corpus::inputs::resolved;
use nearcopy_corpus::records::InputFile;

/// The names of the documents' files by their resolved paths; of a member of an archive, by that of the archive and its name.
pub(super) type Names = HashMap<PathBuf, String>;

/// How files are named.
pub(super) enum Naming<'n> {
    /// By their own names.
    Own,
    /// By their own names, which are noted.
    Noted(&'n mut Names),
    /// By the name under which the same file was noted.
    AsNoted(&'n Names),
}

impl Naming<'_> {
    /// The name of a file, if it differs from its own.
    pub(super) fn of(&mut self, file: &InputFile) -> Option<String> {
        match self {
            Self::Own => None,
            Self::Noted(names) => {
                names.entry(resolved(&file.path)).or_insert_with(|| file.name.clone());
                None
            }
            Self::AsNoted(names) => names.get(&resolved(&file.path)).filter(|name| **name != file.name).cloned(),
        }
    }
}

/// Puts a name for that of a file with which an id begins; ids that records state stay.
pub(super) fn rename(id: &mut String, file: &str, name: &str) {
    if let Some(rest) = id.strip_prefix(file).filter(|rest| !rest.starts_with(char::is_alphanumeric)) {
        *id = format!("{name}{rest}");
    }
}
