//! `dedup find INPUT...`

use std::collections::HashSet;
use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::ValueEnum;
use dedup::cluster::{Clusters, Effort, cluster};
use dedup::index::candidates::Plan;
use dedup::index::collection::Collection;
use dedup::index::neighbours::nearest;
use dedup::index::pairs::{self, near_pairs};
use dedup::pipeline::search::{Searched, gather};
use dedup::pipeline::store::Job;
use dedup::report::listing::{Cluster, Form, Likeness, Listing, Member, Nearest, Pair};
use dedup::report::plan;
use dedup::similarity::{Figures, Rules};

use super::Ending;
use super::corpus::{Corpus, Running, bytes};
use super::keep::Keeping;
use super::options::{Judging, Making};
use super::output::to_stdout;
use super::overview::Overviewing;
use super::progress::{Progress, stop_on_ctrl_c};

/// Find near-duplicates among many documents
///
/// Inputs are texts as `dedup fingerprint` takes them, fingerprint files, or both. By
/// default clusters are reported: a survivor, and the documents that are each near to
/// it, verified one by one. Two documents are near if their simhashes differ in at most
/// --distance bits, or the Jaccard coefficient of their n-grams is at least --similarity.
///
/// Candidates are found by keys that near documents share; how likely a pair is found
/// is told before the search starts, and --recall sets it. Every pair that is
/// reported has been compared exactly.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup find data/texts
  dedup find --pairs --format csv data/texts
  dedup find --neighbours 3 --of data/texts/eng/tides.txt data/texts
  dedup find --similarity 0.8 --distance none --format jsonl data/texts
  dedup find data/texts/eng --against data/texts/deu

Exit status: 0 near-duplicates, 1 none, 2 something failed or was skipped.")]
pub(super) struct Args {
    /// Files, folders, fingerprint files, or `-` for standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Report the pairs of a document of INPUT and one of OTHER, nothing else; may be
    /// repeated
    #[arg(long, value_name = "OTHER", help_heading = "What is reported")]
    against: Vec<PathBuf>,
    /// Report every pair, not clusters; of identical texts the first stands for all
    #[arg(long, help_heading = "What is reported", conflicts_with_all = ["neighbours", "report"])]
    pairs: bool,
    /// Report the K nearest documents of each, near or not
    #[arg(long, value_name = "K", help_heading = "What is reported", conflicts_with_all = ["against", "report"])]
    neighbours: Option<usize>,
    /// The documents whose neighbours are reported; all by default, which takes long if
    /// there are many; may be repeated
    #[arg(long, value_name = "ID", help_heading = "What is reported", requires = "neighbours")]
    of: Vec<String>,
    /// What the result is written as
    #[arg(long, value_enum, default_value_t = Output::Text, help_heading = "What is reported")]
    format: Output,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    searching: Searching,
    #[command(flatten)]
    keeping: Keeping,
    #[command(flatten)]
    overviewing: Overviewing,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    making: Making,
    #[command(flatten)]
    running: Running,
}

/// How the search is done.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub(super) struct Searching {
    /// Chance to find a pair whose Jaccard coefficient is just --similarity; more similar
    /// ones are found more surely
    #[arg(long, value_name = "CHANCE", default_value = "0.995", value_parser = chance)]
    recall: f64,
    /// Memory for the search, beside mapped files (K, M, G for powers of 1024)
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    max_memory: u64,
    /// Folder for temporary files: as large as the fingerprints of the texts
    #[arg(long, value_name = "FOLDER")]
    temp: Option<PathBuf>,
}

fn chance(value: &str) -> Result<f64, String> {
    let chance = value.parse::<f64>().ok().filter(|chance| (0.0..1.0).contains(chance));
    chance.ok_or_else(|| "expected a number from 0 to less than 1".into())
}

impl Searching {
    pub(super) fn temp(&self) -> PathBuf {
        self.temp.clone().unwrap_or_else(std::env::temp_dir)
    }

    pub(super) fn effort(&self, threads: usize) -> Effort {
        Effort { threads, max_memory: usize::try_from(self.max_memory).unwrap_or(usize::MAX) }
    }

    /// The plan of a search, which is told.
    pub(super) fn plan(
        &self,
        rules: Rules,
        collection: &Collection,
        effort: Effort,
        progress: &Progress,
    ) -> Result<Plan, Box<dyn Error>> {
        if rules.min_similarity.is_some() && !collection.has_features() {
            let message = "a fingerprint file has no features, so only the Hamming rule can be asked: give --similarity \
                           none, or make the file without --no-features";
            return Err(message.into());
        }
        let plan = Plan::new(rules, collection.recipe().sketches, collection.len(), self.recall);
        for line in plan::in_words(&plan, collection.len(), effort) {
            progress.say(&line);
        }
        Ok(plan)
    }
}

/// What the result is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Output {
    /// For people
    Text,
    /// A JSON array
    Json,
    /// A JSON object a line
    Jsonl,
    /// A table
    Csv,
}

impl Output {
    fn form(self) -> Form {
        match self {
            Self::Text => Form::Text,
            Self::Json => Form::Json,
            Self::Jsonl => Form::Jsonl,
            Self::Csv => Form::Csv,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut job = args.corpus.job(&args.inputs, &args.making, &args.running)?;
    job.reading.fields.key = args.keeping.key();
    job.selection.except.extend(args.overviewing.page()?);
    let progress = args.running.progress(args.corpus.problems())?;
    stop_on_ctrl_c();
    let found = search(args, &job, &progress);
    progress.clear();
    let (found, skipped) = found?;
    Ok(match (skipped, found) {
        (true, _) => Ending::Incomplete,
        (_, true) => Ending::Found,
        (_, false) => Ending::NotFound,
    })
}

/// Whether something was found, and whether something was skipped.
fn search(args: &Args, job: &Job, progress: &Progress) -> Result<(bool, bool), Box<dyn Error>> {
    let searched = gather(job, &args.against, &args.searching.temp(), progress)?;
    let collection = &searched.collection;
    let found = match args.neighbours {
        Some(count) => neighbours(args, collection, count, progress)?,
        None if args.pairs || searched.second.is_some() => pairs(args, &searched, progress)?,
        None => clusters(args, job, &searched, progress)?,
    };
    progress.finish()?;
    Ok((found, searched.tally.is_some_and(|tally| tally.skipped() > 0)))
}

fn clusters(args: &Args, job: &Job, searched: &Searched, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.collection;
    let rules = args.judging.rules();
    if args.keeping.key().is_some() && !collection.has_keys() {
        return Err("a fingerprint file has no field to keep by; make it with --key-field NAME".into());
    }
    let effort = args.searching.effort(args.running.threads());
    let plan = args.searching.plan(rules, collection, effort, progress)?;
    let clusters = cluster(collection, &plan, &args.keeping.policy(), effort, progress)?;
    let overview = args.overviewing.make("find", job, searched, &clusters, &plan);
    progress.clear();
    to_stdout(|out| write_clusters(out, args.format.form(), collection, &clusters, &rules))?;
    args.overviewing.tell(&overview, progress)?;
    Ok(overview.clusters() > 0)
}

/// Writes every cluster that has members.
pub(super) fn write_clusters(
    out: &mut dyn Write,
    form: Form,
    collection: &Collection,
    clusters: &Clusters,
    rules: &Rules,
) -> io::Result<()> {
    let mut listing = Listing::new(out, form);
    for cluster in clusters.clusters() {
        let member = |&document: &u32| {
            let (figures, held) = collection.judge(document, cluster.survivor, rules);
            Member { id: collection.id(document), likeness: Likeness { figures, rules: held } }
        };
        let survivor = collection.id(cluster.survivor);
        listing.push(&Cluster { survivor, members: cluster.members.iter().map(member).collect() })?;
    }
    listing.finish::<Cluster<'_>>()
}

fn pairs(args: &Args, searched: &Searched, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.collection;
    let rules = args.judging.rules();
    let effort = args.searching.effort(args.running.threads());
    let plan = args.searching.plan(rules, collection, effort, progress)?;
    let options = pairs::Options { second: searched.second, threads: effort.threads, max_memory: effort.max_memory };
    let (mut found, mut outcome) = (0, Ok(()));
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        let mut written = Ok(());
        outcome = near_pairs(collection, &plan, &options, progress, |a, b| {
            if listing.items() == 0 {
                progress.clear();
            }
            let (figures, held) = collection.judge(a, b, &rules);
            let [a, b] = [a, b].map(|document| collection.id(document));
            written = listing.push(&Pair { a, b, likeness: Likeness { figures, rules: held } });
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found = listing.items();
        written?;
        if outcome.is_ok() { listing.finish::<Pair<'_>>() } else { Ok(()) }
    })?;
    outcome?;
    Ok(found > 0)
}

fn neighbours(args: &Args, collection: &Collection, count: usize, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let wanted: HashSet<&str> = args.of.iter().map(String::as_str).collect();
    let all = 0..collection.len() as u32;
    let of: Vec<u32> = all.filter(|&document| wanted.is_empty() || wanted.contains(collection.id(document))).collect();
    let there: HashSet<&str> = of.iter().map(|&document| collection.id(document)).collect();
    if let Some(missing) = args.of.iter().find(|id| !there.contains(id.as_str())) {
        return Err(format!("no document has the id '{missing}'; `dedup cat` lists those of a fingerprint file").into());
    }
    let found = nearest(collection, &of, count, args.running.threads(), progress)?;
    progress.clear();
    let rules = args.judging.rules();
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        for one in &found {
            let member = |&(other, figures): &(u32, Figures)| {
                let is_identical = collection.digest(other) == collection.digest(one.document);
                let likeness = Likeness { figures, rules: rules.judge(&figures, is_identical) };
                Member { id: collection.id(other), likeness }
            };
            let neighbours = one.neighbours.iter().map(member).collect();
            listing.push(&Nearest { id: collection.id(one.document), neighbours })?;
        }
        listing.finish::<Nearest<'_>>()
    })?;
    Ok(found.iter().any(|one| !one.neighbours.is_empty()))
}
