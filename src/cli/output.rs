//! Standard output, and the errors that end a command.

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use nearcopy::report::listing::Form;
use nearcopy::report::shown;

/// Lets `write` write to standard output.
///
/// A reader that has seen enough and closed the pipe is no error.
///
/// # Errors
///
/// That standard output cannot be written, a full disk for one.
pub(super) fn to_stdout(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    written(write(&mut out).and_then(|()| out.flush()))
}

/// The same of what was written otherwise.
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

/// What a list is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Listed {
    /// For people
    Text,
    /// A JSON array
    Json,
    /// A JSON object a line
    Jsonl,
    /// A table
    Csv,
}

/// How texts stand in CSV.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(super) struct Table {
    /// Write texts in CSV as they are: without the apostrophe before one that a spreadsheet would
    /// take for a formula (as it begins with = + - @ or white space), and without \u001B for
    /// characters that command a terminal
    #[arg(long)]
    pub(super) raw_csv: bool,
}

impl Listed {
    pub(super) fn form(self, table: Table) -> Form {
        match self {
            Self::Text => Form::Text,
            Self::Json => Form::Json,
            Self::Jsonl => Form::Jsonl,
            Self::Csv if table.raw_csv => Form::RawCsv,
            Self::Csv => Form::Csv,
        }
    }
}

/// Says something on standard error, which may be closed or full: then there is
/// nobody to tell. Names and fields in it cannot command the terminal.
pub(super) fn talk(message: &str) {
    let _ = writeln!(io::stderr(), "dedup: {}", shown(message));
}
