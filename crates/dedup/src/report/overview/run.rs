//! A run as one object for the log of a pipeline: what was asked, what was found, what it took.

use std::io::{self, Write};

use serde::Serialize;

use crate::report::json;

/// A stage of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Stage {
    /// What is done in it.
    pub stage: String,
    /// Its time.
    pub seconds: f64,
}

/// What became of files and records that could not be read, in the corpus that is written or would be.
#[derive(Debug, Clone, Serialize)]
pub struct Fates {
    /// Number of those that are in it unchanged.
    pub kept_unchanged: u64,
    /// Number of those that are not.
    pub left_out: u64,
}

/// Files of the input folders that were not read, as their names or the rules of a folder leave them out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct NotSelected {
    /// Number of hidden files, and of those that `.gitignore` or `.ignore` excludes.
    pub hidden_or_ignored: u64,
    /// Number of files that systems and programs leave beside documents.
    pub of_programs: u64,
}

/// A run, and what it took.
#[derive(Debug, Serialize)]
pub struct Run<'a, F> {
    /// The version of the program.
    pub version: &'static str,
    /// The command line as typed.
    pub command_line: &'a str,
    /// Its options, those that were given and those that have a default.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// The time of its end, RFC 3339 in UTC.
    pub made: String,
    /// Its time.
    pub seconds: f64,
    /// Its stages, in order.
    pub stages: Vec<Stage>,
    /// The greatest resident set of the process in bytes; `None` if the system does not tell it.
    pub peak_memory: Option<u64>,
    /// Number of bytes written to temporary files because they did not fit in memory.
    pub spilled: u64,
    /// What became of what could not be read; `None` if no corpus can be written.
    pub fates: Option<Fates>,
    /// Files of the input folders that were not read.
    pub not_selected: NotSelected,
    /// What was found: an object.
    #[serde(flatten)]
    pub found: &'a F,
}

impl<F: Serialize> Run<'_, F> {
    /// Writes the object, on one line.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(out, self)?;
        writeln!(out)
    }
}
