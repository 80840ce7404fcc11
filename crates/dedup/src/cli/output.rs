//! Standard output, and the errors that end a command.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::OnceLock;

use clap::ValueEnum;

use crate::report::listing::Form;
use crate::report::shown;

/// Runs `write` on standard output.
///
/// A pipe closed by its reader is not an error.
///
/// # Errors
///
/// If standard output cannot be written, for example because the disk is full.
pub(super) fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    written(write(&mut out).and_then(|()| out.flush()))
}

/// The outcome of writing to standard output; a pipe closed by its reader is not an error.
pub(super) fn written(outcome: io::Result<()>) -> Result<(), Error> {
    match outcome {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error(error)),
        _ => Ok(()),
    }
}

/// Standard output could not be written.
#[derive(Debug, thiserror::Error)]
#[error("the output cannot be written: {0}")]
pub(super) struct Error(io::Error);

/// The format of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Listed {
    /// For people
    Text,
    /// A JSON array
    Json,
    /// JSON Lines, one object a line
    Jsonl,
    /// A table
    Csv,
}

impl Listed {
    pub(super) fn form(self) -> Form {
        match self {
            Self::Text => Form::Text,
            Self::Json => Form::Json,
            Self::Jsonl => Form::Jsonl,
            Self::Csv => Form::Csv,
        }
    }
}

/// Prints a message on standard error, with control characters escaped.
///
/// An error is ignored: if standard error is closed or full, it cannot be reported.
pub(super) fn talk(message: &str) {
    let _ = writeln!(io::stderr(), "dedup: {}", shown(&renamed(message)));
}

/// A message or a name with the address of an output elsewhere instead of the folder that stands for it.
pub(super) fn renamed(message: &str) -> String {
    match RENAMED.get() {
        Some((folder, address)) => message.replace(folder, address),
        None => message.to_owned(),
    }
}

/// A folder for temporary files, and the address that it stands for.
static RENAMED: OnceLock<(String, String)> = OnceLock::new();

/// From now on, messages name an address instead of the folder that stands for it.
pub(super) fn rename_in_messages(folder: &Path, address: &str) {
    // There is one output elsewhere in a run.
    _ = RENAMED.set((folder.display().to_string(), address.to_owned()));
}
