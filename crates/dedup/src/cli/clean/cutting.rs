//! What `dedup clean --repeats` and `--lines` share.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearcopy::cutting::Limits;
use nearcopy::durable::paths;
use nearcopy::error::Problem;
use nearcopy::observer::Observer;
use nearcopy::search::keep::{self, Keep};
use nearcopy_corpus::NewFile;
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::records::Reading;
use serde::Serialize;

use super::{Args, check_foreign, done};
use crate::cli::corpus::expect_twice;
use crate::cli::not_selected;
use crate::cli::options::share;
use crate::cli::overview::{OverviewFiles, command_line, failed};
use crate::cli::progress::Progress;
use crate::cli::signals::stop_on_ctrl_c;
use crate::cli::stays::Stays;
use crate::cli::targets::{OutputGuard, Target};
use crate::cli::{Ending, NOTHING_READ};
use crate::jobs::clean::{Output, OutputKind};
use crate::jobs::cutting::{Costly, Job, Known};
use crate::jobs::kept::{Copied, Unwritten, claim, expect_form, is_copied};
use crate::report::attributes::SpanList;
use crate::report::cutting::write_page;

/// Options of both.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Repeats and lines")]
pub(super) struct CutArgs {
    /// Least number of words that a document which is cut must be left with; with fewer, all of it goes
    ///
    /// It goes whatever --max-cut says.
    #[arg(long, requires = "cutting", conflicts_with = "apply", value_name = "WORDS", default_value_t = 1)]
    min_left: u32,
    /// Largest share of a document's words that may be cut in a round, 0 to 1; a document of which more would be stays whole
    ///
    /// One that would be left with fewer words than --min-left, by default with none, goes all the same. By default 0.5 with
    /// --repeats, and 1 with --lines.
    #[arg(long, requires = "cutting", conflicts_with = "apply", value_name = "SHARE", value_parser = share)]
    max_cut: Option<f64>,
    /// Write the ids of documents with the spans to cut to FILE, as JSON Lines or Parquet; without -o nothing else is written
    #[arg(long, requires = "cutting", conflicts_with = "apply", value_name = "FILE")]
    attributes: Option<PathBuf>,
}

impl CutArgs {
    /// True if the spans are asked for, by which another program may cut.
    pub(super) fn lists_alone(&self) -> bool {
        self.attributes.is_some()
    }

    /// The limits within which a document is cut, given the default of --max-cut.
    pub(super) fn limits(&self, max_cut: f64) -> Limits {
        Limits { min_left: self.min_left, max_cut: self.max_cut.unwrap_or(max_cut) }
    }
}

/// What was found, and how it is written down.
pub(super) trait Findings {
    /// The option that asked for it.
    const OPTION: &str;
    /// The default of --max-cut.
    const MAX_CUT: f64;
    /// The settings of the search.
    type Settings;

    fn known(&self) -> &Known;

    fn summary(&self, job: &Job<Self::Settings>) -> Vec<String>;

    /// The object of --summary.
    fn values(&self, job: &Job<Self::Settings>) -> impl Serialize;

    /// Writes what was cut, and the list of --attributes.
    fn write_lists(&self, cuts: &mut dyn Write, attributes: Option<&mut SpanList>) -> crate::Result<()>;

    fn copy(&self, job: &Job<Self::Settings>, output: Unwritten, progress: &Progress) -> crate::Result<Copied>;

    fn costliest(&self, job: &Job<Self::Settings>, progress: &Progress) -> crate::Result<Vec<Costly>>;
}

/// The outputs of a run, which it has begun.
struct Outputs {
    attributes: Option<SpanList>,
    /// The list of what is cut, and the corpus that is left.
    corpus: Option<(NewFile, Unwritten)>,
    /// What is done with the files of a folder.
    done: &'static str,
    overview: OverviewFiles,
}

/// The list of what is cut, beside the output.
fn list(output: &Path) -> PathBuf {
    paths::beside(output, "", ".cut.jsonl")
}

/// The job of these options; `settings` are made of how files are read and which are.
pub(super) fn job<S>(
    args: &Args,
    settings: impl FnOnce(&Reading, &Selection) -> crate::Result<S>,
) -> Result<Job<S>, Box<dyn Error>> {
    // A dry run reads them as often.
    expect_twice(&args.inputs)?;
    let mut reading = args.corpus.reading(&args.inputs, &args.running)?;
    reading.fields.key = args.keeping.key();
    reading.fields.origin = args.lining.url_field();
    reading.bundles = false;
    reading.temp = Some(args.searching.temp());
    let mut selection = args.corpus.selection();
    selection.expect_files = true;
    Ok(Job {
        inputs: args.inputs.clone(),
        settings: settings(&reading, &selection)?,
        selection,
        reading,
        keep: args.keeping.policy_or(Keep::First),
        strict: args.corpus.is_strict(),
        threads: args.running.threads(),
    })
}

/// Bytes for what is sorted.
pub(super) fn memory(reading: &Reading) -> usize {
    usize::try_from(reading.max_memory / 2).unwrap_or(usize::MAX)
}

/// Checks and begins the outputs. The job will not read them.
fn begin<S>(args: &Args, output: Option<Output>, job: &mut Job<S>) -> Result<Outputs, Box<dyn Error>> {
    let attributes = args.cutting.attributes.as_deref();
    if let (true, Some(path)) = (args.dry_run, attributes) {
        return Err(format!("{}: --dry-run writes nothing; leave one of both out", path.display()).into());
    }
    let done = done(output.as_ref());
    let output = output.map(|output| (output.path, output.kind));
    let cuts = output.as_ref().map(|(path, _)| list(path));
    let path = output.as_ref().map(|(path, _)| &**path);
    let is_folder = output.as_ref().is_some_and(|(_, kind)| kind.is_folder());
    let target = if is_folder { Target::Folder } else { Target::Output };
    let guard = OutputGuard::of_inputs(&job.inputs, &job.selection).force(&args.forcing);
    let targets = [
        (target, path),
        (Target::Cuts, cuts.as_deref()),
        (Target::Attributes, attributes),
        (Target::Counts, args.lining.counts()),
        (Target::Checkpoint, args.repeating.checkpoint()),
        (Target::Problems, args.corpus.problems()),
    ];
    guard.check(&[&targets[..], &args.overviewing.targets()].concat())?;
    let overview = args.overviewing.begin(&args.forcing)?;
    job.selection.except.extend(args.overviewing.paths());
    let written = [path, cuts.as_deref(), attributes, args.lining.counts(), args.repeating.checkpoint()];
    job.selection.except.extend(written.into_iter().flatten().map(Path::to_owned));
    let replace = args.forcing.replace();
    let corpus = match (&output, &cuts) {
        (Some((path, kind)), Some(cuts)) => {
            expect_form(path, kind, (&job.inputs, &job.selection, &job.reading))?;
            if args.forcing.is_forced() {
                check_foreign((path, kind), (&job.inputs, &job.selection))?;
            }
            Some((NewFile::create(cuts, replace)?, claim(path, kind, replace)?))
        }
        _ => None,
    };
    let attributes = attributes.map(|path| SpanList::begin(NewFile::create(path, replace)?, path)).transpose()?;
    Ok(Outputs { attributes, corpus, done, overview })
}

/// Searches by `find`, and writes what is left.
pub(super) fn run<F: Findings>(
    args: &Args,
    job: impl FnOnce() -> Result<Job<F::Settings>, Box<dyn Error>>,
    find: fn(&Job<F::Settings>, &dyn Observer) -> crate::Result<F>,
) -> Result<Ending, Box<dyn Error>> {
    let output = args.output()?;
    let cuts = output.as_ref().map(|output| list(&output.path));
    let mut job = job()?;
    let has_shards = output.as_ref().is_some_and(|output| matches!(output.kind, OutputKind::Shards(_)));
    let outputs = begin(args, output, &mut job)?;
    let is_copied = move |problem: &Problem| Some(is_copied(problem, has_shards));
    let progress = args.running.progress(&args.corpus)?.copying(is_copied);
    stop_on_ctrl_c();
    let checkpoint = args.repeating.checkpoint();
    let stays = match checkpoint {
        Some(checkpoint) => Stays::of("finished rounds", Some(checkpoint)),
        None => Stays::of("counts", args.lining.counts()),
    };
    let outcome = find(&job, &progress)
        .map_err(Into::into)
        .and_then(|found| work(args, &job, &found, (outputs, cuts), &progress));
    progress.clear();
    let skipped = stays.all_or_nothing(outcome)?;
    // There is none if nothing is cut. One that cannot be removed is of these documents, and so does no harm.
    checkpoint.map_or(Ok(()), fs::remove_file).ok();
    Ok(Ending::after(skipped))
}

/// Writes what was found; returns true if something could not be read.
fn work<F: Findings>(
    args: &Args,
    job: &Job<F::Settings>,
    findings: &F,
    (outputs, list): (Outputs, Option<PathBuf>),
    progress: &Progress,
) -> Result<bool, Box<dyn Error>> {
    let Outputs { mut attributes, corpus, done, overview: OverviewFiles { page, summary: object } } = outputs;
    let tally = &findings.known().tally;
    let skipped = tally.skipped() > 0;
    if tally.documents == 0 && skipped {
        return Err(NOTHING_READ.into());
    }
    let summary = findings.summary(job);
    let costliest = if page.is_some() { findings.costliest(job, progress)? } else { Vec::new() };
    if let Some((mut cuts, corpus)) = corpus {
        findings.write_lists(&mut cuts, attributes.as_mut())?;
        let copied = findings.copy(job, corpus, progress)?;
        let attributes = attributes.map(SpanList::end).transpose()?;
        Copied::finish([Some(cuts), attributes].into_iter().flatten().collect(), vec![copied])?;
    } else if let Some(mut attributes) = attributes {
        findings.write_lists(&mut io::sink(), Some(&mut attributes))?;
        attributes.end()?.finish()?;
    }
    progress.clear();
    for line in &summary {
        progress.say(line);
    }
    args.keeping.tell_sources(findings.known().files(), progress);
    progress.tell_fates();
    if let (Some(path), Some(mut page)) = (args.overviewing.page(), page) {
        let asked = (F::OPTION, &*command_line());
        write_page(findings.known(), asked, &costliest, &summary, &mut page).map_err(failed(path))?;
        page.finish()?;
        progress.say(&format!("the costliest of what is cut: {}", path.display()));
    }
    let not_selected = not_selected::lazy(&job.inputs, &job.selection);
    let keep =
        if args.keeping.is_none() { "none".into() } else { keep::name(&job.keep, job.reading.fields.key.as_deref()) };
    let decided = [("keep", keep.into()), ("max_cut", args.cutting.limits(F::MAX_CUT).max_cut.into())];
    args.overviewing.write_summary(&findings.values(job), object, decided, &not_selected, progress)?;
    not_selected::tell(&not_selected, done, progress);
    match list {
        Some(list) => progress.say(&format!("what was cut is listed in {}", list.display())),
        None => progress.tell_unwritten(args.cutting.attributes.as_deref(), args.lining.counts().is_some()),
    }
    progress.finish()?;
    Ok(skipped)
}
