//! `dedup clean INPUT... -o OUT`

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use dedup::cluster::cluster;
use dedup::corpus::source;
use dedup::index::collection::Collection;
use dedup::index::map::is_fingerprint_file;
use dedup::pipeline::clean::{Output, clean};
use dedup::pipeline::search::gather;
use dedup::pipeline::store::Job;
use dedup::report::listing::{Form, Likeness, Listing, Removed};
use dedup::similarity::Rules;

use super::Ending;
use super::corpus::{Corpus, Running};
use super::find::{Searching, write_clusters};
use super::keep::Keeping;
use super::options::{Making, Removing};
use super::output::to_stdout;
use super::overview::Overviewing;
use super::progress::{Progress, stop_on_ctrl_c};
use super::targets::{Target, Targets};

/// Write a corpus without its near-duplicates
///
/// Documents that stay are written in the input's own format, as they stand there and in
/// the same order, every other field untouched: one file for one file, else a folder of the
/// same files. What was removed is listed, each with the document that stays instead,
/// that it was compared with, and how alike they are. A document that is near to none that
/// stays is never removed.
///
/// The inputs are read twice and never touched; whatever is to be written must be no input.
/// The output is there as a whole or not at all; the list of what was removed takes its
/// place just before it. Records that cannot be read are named, counted and left out, and the exit status
/// is 2.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup clean --dry-run data/texts
  dedup clean corpus.jsonl -o clean.jsonl
  dedup clean crawl/ -o clean/ --keep field:date:desc
  dedup clean articles.csv.gz --text-field body --id-field key -o articles.clean.csv.gz
  dedup clean letters/ --list -o kept.txt

Exit status: 0 all was read, 2 something failed or was skipped.")]
pub(super) struct Args {
    /// Files or folders
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Where the clean corpus goes: a file for one input file of many documents, in the same format and compressed as its
    /// ending says (.gz, .zst, .xz, .bz2; without an ending as the input is), else a folder, which must not be there yet
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Show what would be removed, and write nothing
    #[arg(long, conflicts_with = "output")]
    dry_run: bool,
    /// Write a list of the ids that stay, one a line, instead of documents; an id with a
    /// line break in it is refused
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    removing: Removing,
    #[command(flatten)]
    keeping: Keeping,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    overviewing: Overviewing,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    making: Making,
    #[command(flatten)]
    running: Running,
}

impl Args {
    /// Where the clean corpus goes; `None`: nowhere.
    fn output(&self) -> Result<Option<Output>, Box<dyn Error>> {
        if self.output.is_none() && !self.dry_run {
            let message =
                "where does the clean corpus go? Name it with -o OUT, or see with --dry-run what would be removed";
            return Err(message.into());
        }
        self.output.as_deref().map(|path| output(&self.inputs, path, self.list)).transpose()
    }
}

/// Where the documents of inputs go that stay.
pub(super) fn output(inputs: &[PathBuf], path: &Path, is_list: bool) -> Result<Output, Box<dyn Error>> {
    for input in inputs {
        if input == Path::new("-") {
            return Err("standard input cannot be read twice, as this needs; save it to a file first".into());
        }
        if !is_list && input.exists() && !input.is_file() && !input.is_dir() {
            let name = source::name(input);
            let message =
                format!("{name}: a pipe or a device cannot be read twice, as this needs; save it to a file first");
            return Err(message.into());
        }
        if is_fingerprint_file(input) {
            let message = format!("{}: holds fingerprints; name the texts, or use `dedup find`", input.display());
            return Err(message.into());
        }
    }
    let is_folder = path.is_dir() || path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let path = path.to_owned();
    Ok(match inputs {
        _ if is_list => Output::List(path),
        [input] if input.is_file() && !is_folder => Output::File(path),
        _ => Output::Folder(path),
    })
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let output = args.output()?;
    let mut job = args.corpus.job(&args.inputs, &args.making, &args.running)?;
    // Words need no language, and are all that is compared.
    job.options.simhash = args.removing.rules().max_distance.is_some();
    job.reading.fields.key = args.keeping.key();
    job.reading.temp = Some(args.searching.temp());
    let removed = output.as_ref().map(Output::removed);
    Targets::of(&job).and(args.making.stop_words()).check(&[
        (if args.list { Target::List } else { Target::Output }, args.output.as_deref()),
        (Target::Removed, removed.as_deref()),
        (Target::Report, args.overviewing.page()),
        (Target::Problems, args.corpus.problems()),
    ])?;
    job.selection.expect_files = true;
    job.selection.except.extend(args.overviewing.written()?);
    if let Some(output) = &output {
        output.check()?;
        job.selection.except.extend(output.written());
        output.check_places(&job)?;
    }
    let progress = args.running.progress(args.corpus.problems())?;
    if args.making.is_of_terms() && !job.options.has_terms() {
        progress.say(
            "note: --language, --stop-words and --no-stem are for terms, and only words as written are compared here; \
             --shingles terms or --distance compares terms",
        );
    }
    stop_on_ctrl_c();
    let outcome = work(args, &job, output.as_ref(), &progress);
    progress.clear();
    match outcome {
        Ok(skipped) => Ok(if skipped { Ending::Incomplete } else { Ending::Found }),
        Err(error) if matches!(error.downcast_ref(), Some(dedup::Error::Interrupted)) => {
            Err("stopped; nothing was written".into())
        }
        Err(error) => Err(error),
    }
}

/// Whether something was skipped.
fn work(args: &Args, job: &Job, output: Option<&Output>, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let rules = args.removing.rules();
    let searched = gather(job, &[], &args.searching.temp(), &rules, progress)?;
    let mut job = job.clone();
    job.selection.except.push(searched.scratch().to_owned());
    let job = &job;
    let collection = &searched.collection;
    // A mistyped field must not put an empty file in the place of a good one.
    if collection.is_empty() && searched.tally.as_ref().is_some_and(|tally| tally.skipped() > 0) {
        return Err("no document could be read, so nothing is written; the reasons are above".into());
    }
    args.keeping.check(collection, progress)?;
    output.map_or(Ok(()), |output| output.check_ids(collection))?;
    let effort = args.searching.effort(job.threads);
    let plan = args.searching.plan(rules, collection, effort, progress);
    let clusters = cluster(collection, &plan, &args.keeping.policy(), effort, progress)?;
    let overview = args.overviewing.make("clean", job, &searched, &clusters, &plan);
    match output {
        None => {
            progress.clear();
            let likeness = |figures, held| Likeness::removed(figures, held, &rules);
            to_stdout(|out| write_clusters(out, Form::Text, collection, &clusters, &rules, &likeness))?;
        }
        Some(output) => {
            let groups = clusters.clusters().zip(1..).map(|(cluster, group)| (cluster.survivor, group)).collect();
            let mut removed = |out: &mut dyn Write, document: u32| {
                let survivor = clusters.survivor(document);
                write_removed(out, collection, [document, survivor], &groups, &rules)
            };
            let stays = |document: u32| clusters.survivor(document) == document;
            clean(job, collection, &stays, output, progress, &mut removed)?;
        }
    }
    progress.clear();
    args.overviewing.tell(&overview, progress)?;
    if let Some(output) = output {
        progress.say(&format!("what was removed, and why: {}", output.removed().display()));
    } else {
        progress.say("a dry run: nothing was written");
    }
    progress.finish()?;
    Ok(searched.tally.is_some_and(|tally| tally.skipped() > 0))
}

fn write_removed(
    out: &mut dyn Write,
    collection: &Collection,
    [document, survivor]: [u32; 2],
    groups: &HashMap<u32, u64>,
    rules: &Rules,
) -> io::Result<()> {
    let group = groups.get(&survivor).copied();
    let (figures, held) = collection.judge(document, survivor, rules);
    let [id, survivor] = [document, survivor].map(|document| collection.id(document));
    let removed = Removed { group, id, survivor, likeness: Likeness::removed(figures, held, rules) };
    Listing::new(out, Form::Jsonl).push(&removed)
}
