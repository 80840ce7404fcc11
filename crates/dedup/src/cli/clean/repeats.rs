//! `dedup clean --repeats`

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use nearcopy::repeats::{Checkpoint, Settings};
use nearcopy::search::keep::Keep;
use nearcopy_corpus::inputs::total_bytes;
use serde::Serialize;

use super::Args;
use super::cutting::{self, Findings as _};
use crate::cli::Ending;
use crate::cli::corpus::number_among;
use crate::cli::progress::Progress;
use crate::jobs::cutting::{Costly, Known};
use crate::jobs::kept::{Copied, Unwritten};
use crate::jobs::repeats::{Findings, Job, find};
use crate::report::attributes::SpanList;
use crate::report::repeats::{summary, values, write_lists};

/// Options of the runs of words that stand twice.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Repeats")]
pub(super) struct RepeatArgs {
    /// Cut runs of words that stand twice, and compare no documents; WORDS is the least length of a run, 50 by default
    ///
    /// A run stands at two places that do not overlap, in one document or in two. The first place in the order of --keep keeps
    /// it (`first` by default; with `--keep none` no place does), and the others lose it, with the characters up to the next word. Capitals and punctuation make no difference. In
    /// scripts without spaces each character counts as a word.
    ///
    /// OUT.cut.jsonl has a line for each span that was cut: kept text and spans together are the text as it was. Where a run
    /// was cut, the sides join and are searched again, so a second run with the same options cuts nothing.
    #[arg(long, value_name = "WORDS", num_args = 0..=1, require_equals = true, default_missing_value = "50")]
    #[arg(value_parser = clap::value_parser!(u32).range(5..=10_000))]
    #[arg(group = "cutting", conflicts_with_all = [
        "list", "apply", "unread", "remove", "RemovalArgs", "across_formats", "recall", "FingerprintArgs",
    ])]
    repeats: Option<u32>,
    /// Compare the bytes of runs: capitals, punctuation and white space make a difference
    #[arg(long, requires = "repeats", conflicts_with = "lines")]
    verbatim: bool,
    /// Note each finished round in FILE, from which the same command goes on if it was stopped; the file is removed when all is written
    ///
    /// A round reads the documents twice. Whether they are the same is known by their texts, which are read once more for it.
    #[arg(long, requires = "repeats", conflicts_with = "lines", value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

impl RepeatArgs {
    /// True if runs are cut, and not documents.
    pub(super) fn is_asked(&self) -> bool {
        self.repeats.is_some()
    }

    /// The file of --checkpoint.
    pub(super) fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }
}

impl cutting::Findings for Findings {
    const OPTION: &str = "--repeats";
    const MAX_CUT: f64 = 0.5;
    type Settings = Settings;

    fn known(&self) -> &Known {
        &self.known
    }

    fn summary(&self, job: &Job) -> Vec<String> {
        summary(self, job.settings.words)
    }

    fn values(&self, job: &Job) -> impl Serialize {
        values(self, job)
    }

    fn write_lists(&self, cuts: &mut dyn Write, attributes: Option<&mut SpanList>) -> crate::Result<()> {
        write_lists(self, cuts, attributes)
    }

    fn copy(&self, job: &Job, output: Unwritten, progress: &Progress) -> crate::Result<Copied> {
        self.copy(job, output, progress)
    }

    fn costliest(&self, job: &Job, progress: &Progress) -> crate::Result<Vec<Costly>> {
        self.costliest(job, progress)
    }
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let repeating = &args.repeating;
    if let Some(number) = number_among(&args.inputs) {
        return Err(format!("{}: no such file; the least length is given as --repeats={0}", number.display()).into());
    }
    let order = format!("{:?}", args.keeping.policy_or(Keep::First));
    let job = || {
        cutting::job(args, |reading, selection| {
            Ok(Settings {
                words: repeating.repeats.unwrap_or_default(),
                is_verbatim: repeating.verbatim,
                keeps_none: args.keeping.is_none(),
                limits: args.cutting.limits(Findings::MAX_CUT),
                memory: cutting::memory(reading),
                bytes: total_bytes(&args.inputs, selection)?,
                temp: args.searching.temp(),
                checkpoint: repeating.checkpoint.clone().map(|path| Checkpoint { path, order }),
            })
        })
    };
    cutting::run(args, job, find)
}
