//! The summary of a search, and its page.

use std::error::Error;
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Args;
use nearcopy::memory;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::keep::{self, Policy};
use nearcopy::search::plan::Plan;
use nearcopy_corpus::NewFile;
use serde::Serialize;
use serde_json::Value;

use super::progress::Progress;
use super::settings;
use super::targets::{ForceArgs, Target};
use crate::jobs::find::Gathered;
use crate::jobs::fingerprint::Job;
use crate::report::overview::{Claims, NotSelected, Origin, Overview, Run};

/// Options for the overview of a search.
#[derive(Debug, Args)]
#[command(next_help_heading = "Overview")]
pub(super) struct OverviewArgs {
    /// Write an overview as one HTML page
    ///
    /// That of `find` and `clean` has counts, similarities and languages, and shows side by side where members of the largest clusters
    /// differ from their survivors. With `dedup clean --repeats` or `--lines`
    /// it has the 100 costliest runs or lines, with three places of each; of `dedup decontaminate` the 100 worst items, each
    /// beside up to three documents that have it; the inputs are then read once more.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write the counts, the options, the time of each stage, the greatest memory and the bytes on disk as JSON
    ///
    /// For pipelines and their logs: one object, with the command line and the version.
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
}

/// The files of an overview, which were begun.
pub(super) struct OverviewFiles {
    /// The page of `--report`.
    pub(super) page: Option<NewFile>,
    /// The object of `--summary`.
    pub(super) summary: Option<NewFile>,
}

/// Maximum number of characters of each text that are compared on the page.
const CHARACTERS: usize = 200_000;

/// The command line, quoted for a shell.
pub(super) fn command_line() -> String {
    let typed = super::typed_arguments().iter().map(|argument| argument.to_string_lossy().into_owned());
    let quoted = typed.map(|argument| shlex::try_quote(&argument).map_or_else(|_| argument.clone(), Into::into));
    std::iter::once("dedup".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ")
}

/// The current time, or that of `SOURCE_DATE_EPOCH`, with which two runs write the same page
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
fn time_of_report() -> SystemTime {
    let epoch = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    // Later times have no date of four digits.
    let given = epoch.filter(|&seconds| seconds < 253_402_300_800).map(Duration::from_secs);
    given.map_or_else(SystemTime::now, |since| UNIX_EPOCH + since)
}

/// The time of a report, as its page shows it.
pub(super) fn made() -> String {
    humantime::format_rfc3339_seconds(time_of_report()).to_string()
}

/// The error of a file that cannot be written.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> nearcopy::Error {
    let path = path.display().to_string();
    move |source| nearcopy::Error::Write { path, source }
}

impl OverviewArgs {
    /// The path of the page.
    pub(super) fn page(&self) -> Option<&Path> {
        self.report.as_deref()
    }

    /// The outputs, to be checked.
    pub(super) fn targets(&self) -> [(Target, Option<&Path>); 2] {
        [(Target::Report, self.page()), (Target::Summary, self.summary.as_deref())]
    }

    /// The paths of the outputs, which are no inputs.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        [&self.report, &self.summary].into_iter().flatten().cloned()
    }

    /// Begins the files. One that cannot be written is an error here, before the search, and no other run can begin it.
    pub(super) fn begin(&self, forcing: &ForceArgs) -> crate::Result<OverviewFiles> {
        let begin = |path: Option<&Path>| path.map(|path| NewFile::create(path, forcing.replace())).transpose();
        Ok(OverviewFiles { page: begin(self.page())?, summary: begin(self.summary.as_deref())? })
    }

    pub(super) fn make(
        &self,
        command: &str,
        job: &Job,
        searched: &Gathered,
        (clusters, keep): (&Clusters, &Policy),
        plan: &Plan,
        claims: Option<Claims>,
    ) -> Overview {
        let inputs: Vec<String> = job.inputs.iter().map(|input| input.display().to_string()).collect();
        let overview = Overview::of(&Origin {
            command,
            command_line: &command_line(),
            inputs: &inputs,
            tally: searched.tally.as_ref(),
            texts: &|documents| searched.originals.texts(&searched.corpus.collection, documents, CHARACTERS),
            collection: &searched.corpus.collection,
            clusters,
            keep,
            plan,
            with_texts: self.report.is_some(),
            claims,
        });
        Overview { made: time_of_report(), ..overview }
    }

    /// Writes the object of `--summary`, if it was begun, with what was found; `decided` are options whose default is chosen
    /// in the run.
    pub(super) fn write_summary(
        &self,
        found: &impl Serialize,
        file: Option<NewFile>,
        decided: impl IntoIterator<Item = (&'static str, Value)>,
        not_selected: &dyn Deref<Target = NotSelected>,
        progress: &Progress,
    ) -> crate::Result<()> {
        let (Some(path), Some(mut file)) = (&self.summary, file) else { return Ok(()) };
        let run = Run {
            version: env!("CARGO_PKG_VERSION"),
            command_line: &command_line(),
            options: settings::with(decided),
            made: made(),
            seconds: progress.seconds(),
            stages: progress.stages(),
            peak_memory: memory::peak(),
            spilled: memory::spilled(),
            fates: progress.fates(),
            not_selected: **not_selected,
            found,
        };
        run.write(&mut file).map_err(failed(path))?;
        Ok(file.finish()?)
    }

    /// Writes the files, and prints the summary.
    pub(super) fn tell(
        &self,
        overview: &Overview,
        OverviewFiles { page, summary }: OverviewFiles,
        job: &Job,
        not_selected: &dyn Deref<Target = NotSelected>,
        progress: &Progress,
    ) -> Result<(), Box<dyn Error>> {
        if let (Some(path), Some(mut page)) = (&self.report, page) {
            overview.write_html(&mut page).map_err(failed(path))?;
            page.finish()?;
        }
        let keep = keep::name(&overview.keep, job.reading.fields.key.as_deref());
        self.write_summary(overview, summary, [("keep", keep.into())], not_selected, progress)?;
        progress.tell(|out| overview.write_text(out));
        if let Some(path) = &self.report {
            progress.say(&format!("the overview: {}", path.display()));
        }
        Ok(())
    }
}
