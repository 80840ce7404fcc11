//! A run as one object for the log of a pipeline: what was asked, what was found, what it took.

use std::io::{self, Write};

use super::Overview;
use crate::report::json;

/// A stage of a run.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Stage {
    /// What is done in it.
    pub stage: String,
    /// Its time.
    pub seconds: f64,
}

/// A run, and what it took.
#[derive(Debug)]
pub struct Run<'a> {
    /// Its stages, in order.
    pub stages: Vec<Stage>,
    /// Its time.
    pub seconds: f64,
    /// The greatest resident set of the process in bytes; `None` if the system does not tell it.
    pub peak_memory: Option<u64>,
    /// What was found.
    pub overview: &'a Overview,
}

#[derive(serde::Serialize)]
struct Values<'a> {
    version: &'static str,
    command_line: &'a str,
    made: String,
    seconds: f64,
    stages: &'a [Stage],
    peak_memory: Option<u64>,
    #[serde(flatten)]
    overview: &'a Overview,
}

impl Run<'_> {
    /// Writes the object, on one line.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let &Self { ref stages, seconds, peak_memory, overview } = self;
        let made = humantime::format_rfc3339_seconds(overview.made).to_string();
        let (version, command_line) = (env!("CARGO_PKG_VERSION"), &*overview.command_line);
        json::write(out, &Values { version, command_line, made, seconds, stages, peak_memory, overview })?;
        writeln!(out)
    }
}
