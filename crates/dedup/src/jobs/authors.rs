//! The author of a document.

use std::path::{Path, PathBuf};

use nearcopy_corpus::records::Batch;

/// The source of the authors' names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Authors {
    /// No author is known.
    #[default]
    Unknown,
    /// The first folder below an input names the author.
    Folders,
    /// A field of the record ([`nearcopy_corpus::records::Fields::author`]) names the author.
    Field,
}

impl Authors {
    /// The author of all documents of a batch, if folders name the authors.
    pub(super) fn of_batch(self, batch: &Batch, inputs: &[PathBuf]) -> Option<String> {
        if self == Self::Folders { first_folder(&batch.file.path, inputs) } else { None }
    }

    /// The author of a document.
    pub(super) fn of_record(self, of_batch: Option<&str>, field: Option<&str>) -> Option<String> {
        match self {
            Self::Unknown => None,
            Self::Folders => of_batch.map(str::to_owned),
            Self::Field => field.filter(|name| !name.is_empty()).map(str::to_owned),
        }
    }
}

/// The name of the first folder on the path below an input.
fn first_folder(path: &Path, inputs: &[PathBuf]) -> Option<String> {
    let below = inputs.iter().find_map(|input| path.strip_prefix(input).ok())?;
    let mut parts = below.components();
    let first = parts.next()?;
    parts.next().is_some().then(|| first.as_os_str().to_string_lossy().into_owned())
}
