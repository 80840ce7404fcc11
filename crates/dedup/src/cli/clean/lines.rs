//! `dedup clean --lines`

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use nearcopy::lines::Settings;
use serde::Serialize;

use super::Args;
use super::cutting::{self, Findings as _};
use crate::cli::Ending;
use crate::cli::options::share;
use crate::cli::progress::Progress;
use crate::jobs::cutting::{Costly, Known};
use crate::jobs::kept::{Copied, Unwritten};
use crate::jobs::lines::{Findings, Job, find};
use crate::report::attributes::SpanList;
use crate::report::lines::{summary, values, write_lists};

/// Options of the lines that stand in many documents.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Lines")]
pub(super) struct LineArgs {
    /// Cut lines that stand in many documents, such as navigation and footers, and compare no documents
    ///
    /// A line is cut if it stands in more than --max-documents documents, and has five words or more or is among the first
    /// or the last five lines of its document, of which those that may be cut do not count. Capitals, accents, punctuation and white space make no
    /// difference, nor does one digit for another. The first document in the order of --keep keeps its line (`first` by default;
    /// with `--keep none` no document does).
    ///
    /// OUT.cut.jsonl has a line for each span that was cut: kept text and spans together are the text as it was.
    #[arg(long, group = "cutting")]
    #[arg(conflicts_with_all = [
        "repeats", "list", "apply", "unread", "remove", "RemovalArgs", "across_formats", "recall", "FingerprintArgs",
    ])]
    lines: bool,
    /// Cut paragraphs instead of lines: what stands between empty lines, with the empty lines that follow
    #[arg(long, requires = "lines", conflicts_with = "repeats")]
    paragraphs: bool,
    /// Greatest number of documents in which a line may stand without being cut
    #[arg(long, requires = "lines", conflicts_with = "repeats", value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    max_documents: u32,
    /// Also cut lines that stand in more than this SHARE of the pages of their site, 0 to 1, and in three of them at least
    ///
    /// The site is the host of the address in --url-field. The first page of the site keeps the line.
    #[arg(long, requires_all = ["lines", "url_field"], conflicts_with = "repeats", value_name = "SHARE", value_parser = share)]
    per_site: Option<f64>,
    /// The field of the address (URL) of a document
    #[arg(long, requires = "per_site", value_name = "FIELD")]
    url_field: Option<String>,
    /// Count documents together with those that were counted in FILE, and add those of this run to it
    ///
    /// A corpus of yesterday keeps what one of today then loses. Parts of a corpus are counted one after the other with --dry-run, then cut:
    /// documents that were counted together before are known, in any order, and are not added again.
    #[arg(long, requires = "lines", conflicts_with = "repeats", value_name = "FILE")]
    counts: Option<PathBuf>,
    /// Cut lines of program code and of tables too
    #[arg(long, requires = "lines", conflicts_with = "repeats")]
    all_lines: bool,
}

impl LineArgs {
    /// True if lines are cut, and not documents.
    pub(super) fn is_asked(&self) -> bool {
        self.lines
    }

    /// The file of --counts.
    pub(super) fn counts(&self) -> Option<&Path> {
        self.counts.as_deref()
    }

    /// The field of --url-field.
    pub(super) fn url_field(&self) -> Option<String> {
        self.url_field.clone()
    }
}

impl cutting::Findings for Findings {
    const OPTION: &str = "--lines";
    const MAX_CUT: f64 = 1.0;
    type Settings = Settings;

    fn known(&self) -> &Known {
        &self.known
    }

    fn summary(&self, job: &Job) -> Vec<String> {
        summary(self, job)
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
    let lining = &args.lining;
    let job = || {
        cutting::job(args, |reading, _| {
            Ok(Settings {
                by_paragraph: lining.paragraphs,
                max_documents: lining.max_documents,
                per_site: lining.per_site,
                counts: lining.counts.clone(),
                all_lines: lining.all_lines,
                keeps_none: args.keeping.is_none(),
                limits: args.cutting.limits(Findings::MAX_CUT),
                memory: cutting::memory(reading),
                temp: args.searching.temp(),
            })
        })
    };
    cutting::run(args, job, find)
}
