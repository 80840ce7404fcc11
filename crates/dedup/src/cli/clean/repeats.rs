//! `dedup clean --repeats`

use std::error::Error;
use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::repeats::Settings;
use nearcopy::search::keep::Keep;
use nearcopy_corpus::NewFile;
use nearcopy_corpus::inputs::total_bytes;

use super::Args;
use crate::cli::options::share;
use crate::cli::progress::Progress;
use crate::cli::signals::stop_on_ctrl_c;
use crate::cli::targets::{OutputGuard, Target};
use crate::cli::{Ending, all_or_nothing};
use crate::jobs::clean::{Output, OutputKind};
use crate::jobs::decontaminate::{Copied, Unwritten, claim};
use crate::jobs::repeats::{Findings, Job, find};
use crate::report::repeats::{summary, write_attributes, write_cuts, write_page};

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
    #[arg(conflicts_with_all = [
        "list", "apply", "unread", "remove", "RemovalArgs", "across_formats", "recall", "FingerprintArgs", "summary",
    ])]
    repeats: Option<u32>,
    /// Compare the bytes of runs: capitals, punctuation and white space make a difference
    #[arg(long, requires = "repeats")]
    verbatim: bool,
    /// Least number of words that a document which is cut must be left with; with fewer, all of it goes
    #[arg(long, requires = "repeats", value_name = "WORDS", default_value_t = 1)]
    min_left: u32,
    /// Largest share of a document's words that may be cut, 0 to 1; a document of which more is repeated stays whole
    #[arg(long, requires = "repeats", value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    max_cut: f64,
    /// Write the ids of documents with the spans to cut to FILE, as JSON Lines
    #[arg(long, requires = "repeats", value_name = "FILE")]
    attributes: Option<PathBuf>,
}

impl RepeatArgs {
    /// True if runs are cut, and not documents.
    pub(super) fn is_asked(&self) -> bool {
        self.repeats.is_some()
    }
}

/// The outputs of a run, which it has begun.
struct Outputs {
    cuts: NewFile,
    attributes: Option<NewFile>,
    corpus: Unwritten,
}

/// The outputs, and the page, which a dry run has too.
type Begun = (Option<Outputs>, Option<NewFile>);

/// The list of what is cut, beside the output.
fn list(output: &Path) -> PathBuf {
    paths::beside(output, "", ".cut.jsonl")
}

fn job(args: &Args) -> Result<Job, Box<dyn Error>> {
    let repeating = &args.repeating;
    let mut reading = args.corpus.reading(&args.inputs, &args.running)?;
    reading.fields.key = args.keeping.key();
    reading.bundles = false;
    reading.temp = Some(args.searching.temp());
    let mut selection = args.corpus.selection();
    selection.expect_files = true;
    let settings = Settings {
        words: repeating.repeats.unwrap_or_default(),
        is_verbatim: repeating.verbatim,
        keeps_none: args.keeping.is_none(),
        min_left: repeating.min_left,
        max_cut: repeating.max_cut,
        memory: usize::try_from(reading.max_memory / 2).unwrap_or(usize::MAX),
        bytes: total_bytes(&args.inputs, &selection)?,
        temp: args.searching.temp(),
    };
    Ok(Job {
        inputs: args.inputs.clone(),
        selection,
        reading,
        settings,
        keep: args.keeping.policy_or(Keep::First),
        strict: args.corpus.is_strict(),
        threads: args.running.threads(),
    })
}

/// Checks and begins the outputs. The job will not read them.
fn begin(args: &Args, output: Option<Output>, job: &mut Job) -> Result<Begun, Box<dyn Error>> {
    let attributes = args.repeating.attributes.as_deref();
    if let (true, Some(path)) = (args.dry_run, attributes) {
        return Err(format!("{}: --dry-run writes nothing; leave one of both out", path.display()).into());
    }
    let output = output.map(|output| (output.path, output.kind == OutputKind::Folder));
    let cuts = output.as_ref().map(|(path, _)| list(path));
    let path = output.as_ref().map(|(path, _)| &**path);
    let target = if output.as_ref().is_some_and(|output| output.1) { Target::Folder } else { Target::Output };
    let guard = OutputGuard::of_inputs(&job.inputs, &job.selection).force(&args.forcing);
    guard.check(&[
        (target, path),
        (Target::Cuts, cuts.as_deref()),
        (Target::Attributes, attributes),
        (Target::Report, args.overviewing.page()),
        (Target::Problems, args.corpus.problems()),
    ])?;
    let page = args.overviewing.begin(&args.forcing)?.page;
    job.selection.except.extend(args.overviewing.page().map(Path::to_owned));
    let (Some((path, is_folder)), Some(cuts)) = (&output, &cuts) else { return Ok((None, page)) };
    job.selection.except.extend([Some(&**path), Some(&**cuts), attributes].into_iter().flatten().map(Path::to_owned));
    let replace = args.forcing.replace();
    let outputs = Outputs {
        cuts: NewFile::create(cuts, replace)?,
        attributes: attributes.map(|path| NewFile::create(path, replace)).transpose()?,
        corpus: claim(path, *is_folder, replace)?,
    };
    Ok((Some(outputs), page))
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let output = args.output()?;
    let mut job = job(args)?;
    let outputs = begin(args, output, &mut job)?;
    let progress = args.running.progress(&args.corpus)?;
    stop_on_ctrl_c();
    let outcome = work(args, &job, outputs, &progress);
    progress.clear();
    Ok(Ending::after(all_or_nothing(outcome)?))
}

/// Does the work; returns true if something could not be read.
fn work(args: &Args, job: &Job, (outputs, page): Begun, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let findings: Findings = find(job, progress)?;
    let skipped = findings.tally.skipped() > 0;
    if findings.tally.documents == 0 && skipped {
        return Err("no document could be read, so nothing is written; the reasons are above".into());
    }
    let is_dry = outputs.is_none();
    let summary = summary(&findings, job.settings.words);
    let runs = if page.is_some() { findings.costliest(job, progress)? } else { Vec::new() };
    if let Some(Outputs { mut cuts, mut attributes, corpus }) = outputs {
        let failed = |source| nearcopy::Error::Write { path: "the list of what was cut".into(), source };
        write_cuts(&findings, &mut cuts).map_err(failed)?;
        if let Some(attributes) = &mut attributes {
            let failed = |source| nearcopy::Error::Write { path: "the list of --attributes".into(), source };
            write_attributes(&findings, attributes).map_err(failed)?;
        }
        let copied = findings.copy(job, corpus, progress)?;
        Copied::finish([Some(cuts), attributes].into_iter().flatten().collect(), vec![copied])?;
    }
    progress.clear();
    for line in &summary {
        progress.say(line);
    }
    if let (Some(path), Some(mut page)) = (args.overviewing.page(), page) {
        let failed = |source| nearcopy::Error::Write { path: path.display().to_string(), source };
        write_page(&findings, &runs, &summary, &mut page).map_err(failed)?;
        page.finish()?;
        progress.say(&format!("the costliest runs: {}", path.display()));
    }
    match args.output.as_deref() {
        Some(output) if !is_dry => progress.say(&format!("what was cut is listed in {}", list(output).display())),
        _ => progress.say("a dry run: nothing was written"),
    }
    progress.finish()?;
    Ok(skipped)
}
