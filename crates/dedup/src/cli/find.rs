//! `dedup find INPUT...`

mod contained;

use std::collections::HashSet;
use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use nearcopy::search::cluster::Clusters;
use nearcopy::search::effort::Effort;
use nearcopy::search::hamming;
use nearcopy::search::plan::{Plan, RECALL};
use nearcopy::similarity::{Figures, Rules};
use nearcopy::store::file::collection::Collection;
use nearcopy::texts::loaded::Search;

use super::Ending;
use super::corpus::{Corpus, RunArgs, number_among};
use super::keep::KeepArgs;
use super::not_selected;
use super::options::{FingerprintArgs, RuleArgs};
use super::output::{Listed, to_stdout};
use super::overview::{OverviewArgs, OverviewFiles};
use super::progress::Progress;
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use super::text_options::TypedForTexts;
use crate::error::is_interruption;
use crate::jobs::find::{Clustered, EqualFiles, Gathered, Judged, Opaque, gather};
use crate::jobs::fingerprint::Job;
use crate::report::listing::{Cluster, File, Form, Likeness, Listing, Member, Nearest, Pair};
use crate::report::{counted, plan, reading};

/// Find near-duplicates among many documents
///
/// Inputs are texts as `dedup fingerprint` takes them, fingerprint files, or both. Options for texts are refused if
/// all inputs are fingerprint files.
///
/// By default clusters are reported: a document that would stay (the survivor) and those near to it, each verified against
/// it. Two documents are near if their shingles, the runs of three words that each has, have a Jaccard coefficient of at
/// least --similarity (those in both, divided by those in either), or if their simhashes, 64 bits for the subject of each,
/// differ in at most --distance. `dedup clean` asks for more, above all of short texts; pairs that it would keep are marked.
///
/// Candidates are documents that share a key. The expected recall is printed before the search starts; --recall sets
/// it. Every reported pair has been compared exactly. Files that cannot be read as text, such as pictures and scans,
/// are compared by their bytes: equal ones are listed after the texts, by the rule `bytes`. Fingerprint files are checked as a whole before they are
/// searched, because a damaged one would give a wrong answer.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup find data/texts
  dedup find --pairs --format csv data/texts
  dedup find --neighbours 3 --of data/texts/eng/tides.txt data/texts
  dedup find --contained data/texts
  dedup find --similarity 0.8 --distance none --format jsonl data/texts
  dedup find data/texts/eng --against data/texts/deu

Exit status: 0 near-duplicates (with --neighbours: any neighbour, near or not), 1 none, 2 something failed or
was skipped, or Ctrl-C stopped the run, 130 a second Ctrl-C stopped it at once.")]
pub(super) struct Args {
    /// Files, folders, fingerprint files, or `-` for standard input; a build with the feature remote also reads addresses (s3:, gs:, az:, https:, hf:)
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Report only pairs of a document of INPUTS and one of OTHER; may be repeated
    ///
    /// Of equal texts of OTHER only the first is named.
    #[arg(long, value_name = "OTHER", help_heading = "Output", conflicts_with = "OverviewArgs")]
    against: Vec<PathBuf>,
    /// Report every pair, not clusters
    ///
    /// Texts that are identical, or differ only in punctuation or capitals, are represented by the first: it is
    /// paired with every match and once with each copy. n different documents that are all near give n² / 2 lines.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["neighbours", "OverviewArgs"])]
    pairs: bool,
    /// Report the K nearest documents of each by Jaccard coefficient, near by a rule or not
    ///
    /// Documents whose sketch has none of its 25 numbers, which sample its runs of words, are left out.
    #[arg(long, value_name = "K", help_heading = "Output")]
    #[arg(conflicts_with_all = ["against", "OverviewArgs", "KeepArgs", "recall"], value_parser = clap::value_parser!(u32).range(1..))]
    neighbours: Option<u32>,
    /// Report each text that stands in a larger one with at least this share of its runs of words, .9 by default
    ///
    /// So a memo in a bundle of letters is found, however long the bundle is. Equal texts are left out.
    #[arg(long, value_name = "SHARE", help_heading = "Output", value_parser = share)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "0.9")]
    #[arg(conflicts_with_all = ["against", "OverviewArgs", "pairs", "neighbours", "RuleArgs", "KeepArgs", "recall"])]
    contained: Option<f64>,
    /// Id of a document whose neighbours are reported; may be repeated
    ///
    /// By default those of all documents are reported, which takes long if there are many.
    #[arg(long, value_name = "ID", help_heading = "Output", requires = "neighbours")]
    of: Vec<String>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Listed::Text, help_heading = "Output")]
    format: Listed,
    /// Also list documents without near-duplicates, as clusters of their own
    ///
    /// CSV then has a row for the survivor of each cluster too, so that every document has one row.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["pairs", "against", "neighbours", "contained"])]
    all: bool,
    #[command(flatten)]
    judging: RuleArgs,
    #[command(flatten)]
    searching: SearchArgs,
    #[command(flatten)]
    keeping: KeepArgs,
    #[command(flatten)]
    overviewing: OverviewArgs,
    #[command(flatten, next_help_heading = "Overview")]
    forcing: ForceArgs,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    making: FingerprintArgs,
    #[command(flatten)]
    running: RunArgs,
}

/// Options for the search.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Search")]
pub(super) struct SearchArgs {
    /// Expected recall of pairs whose Jaccard coefficient is exactly --similarity, from 0 to less than 1
    ///
    /// The recall of more similar pairs is higher.
    #[arg(long, value_name = "CHANCE", default_value_t = RECALL, value_parser = chance)]
    recall: f64,
    /// Folder for temporary files, which are as large as the fingerprints of the texts
    ///
    /// By default that of the system.
    #[arg(long, value_name = "FOLDER")]
    temp: Option<PathBuf>,
}

pub(super) fn chance(value: &str) -> Result<f64, String> {
    let chance = value.parse::<f64>().ok().filter(|chance| (0.0..1.0).contains(chance));
    chance.ok_or_else(|| "expected a number from 0 to less than 1".into())
}

fn share(value: &str) -> Result<f64, String> {
    let share = value.parse::<f64>().ok().filter(|share| (0.5..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0.5 to 1".into())
}

impl SearchArgs {
    pub(super) fn recall(&self) -> f64 {
        self.recall
    }

    pub(super) fn temp(&self) -> PathBuf {
        self.temp.clone().unwrap_or_else(std::env::temp_dir)
    }

    pub(super) fn search(&self, rules: Rules, running: &RunArgs) -> Search {
        Search { rules, recall: self.recall, effort: running.effort() }
    }
}

/// Prints the plan of a search in the words of `in_words`, and returns it.
pub(super) fn printed_plan(
    search: &Search,
    searched: &Gathered,
    progress: &Progress,
    in_words: fn(&Plan, usize, Effort) -> Vec<String>,
) -> Plan {
    let plan = searched.corpus.plan(search);
    for line in in_words(&plan, searched.corpus.collection.len(), search.effort) {
        progress.say(&line);
    }
    plan
}

impl Args {
    /// True if clusters are reported; only they have a survivor that --keep chooses.
    fn wants_clusters(&self) -> bool {
        self.neighbours.is_none() && self.contained.is_none() && !self.wants_pairs()
    }

    fn wants_pairs(&self) -> bool {
        self.pairs || !self.against.is_empty()
    }

    /// Refuses a distance that pairs cannot be listed for, before anything is read.
    fn check(&self) -> crate::Result<()> {
        match self.judging.rules().max_distance {
            Some(found) if self.wants_pairs() && found > hamming::MAX_DISTANCE => {
                Err(nearcopy::Error::Distance { found, limit: hamming::MAX_DISTANCE }.into())
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn run(args: &Args, typed: &TypedForTexts) -> Result<Ending, Box<dyn Error>> {
    args.check()?;
    let is_share = |path: &&PathBuf| path.to_str().is_some_and(|name| share(name).is_ok());
    if let Some(number) = args.contained.and_then(|_| number_among(&args.inputs)).filter(is_share) {
        return Err(format!("{}: no such file; the share is given as --contained={0}", number.display()).into());
    }
    args.keeping.expect_one()?;
    typed.check(args.inputs.iter().chain(&args.against))?;
    let mut job = args.corpus.job(&args.inputs, &args.making, &args.running)?;
    job.reading.fields.key = args.keeping.key().filter(|_| args.wants_clusters());
    job.reading.temp = Some(args.searching.temp());
    job.selection.one_name = true;
    OutputGuard::of(&job)
        .and(&args.against)
        .and(args.making.stop_words())
        .force(&args.forcing)
        .check(&[&args.overviewing.targets()[..], &[(Target::Problems, args.corpus.problems())]].concat())?;
    let files = args.overviewing.begin(&args.forcing)?;
    job.selection.except.extend(args.overviewing.paths());
    let progress = args.running.progress(&args.corpus)?;
    stop_on_ctrl_c();
    let found = search(args, &job, files, &progress);
    progress.clear();
    match found {
        Ok((_, true)) => Ok(Ending::Incomplete),
        Ok((true, _)) => Ok(Ending::Found),
        Ok((false, _)) => Ok(Ending::NotFound),
        Err(error) if is_interruption(&*error) => {
            Err("stopped; nothing was reported, and the same command starts from the beginning. A file that `dedup \
                 fingerprint` writes can be searched without reading the texts again"
                .into())
        }
        Err(error) => Err(error),
    }
}

/// Searches; returns true first if something was found, and second if something was skipped.
fn search(args: &Args, job: &Job, files: OverviewFiles, progress: &Progress) -> Result<(bool, bool), Box<dyn Error>> {
    // Neighbours are reported even if no rule holds.
    let rules = args.judging.rules();
    let asked = if args.neighbours.is_some() { Rules::of(None, None) } else { rules };
    let searched = gather(job, &args.against, &args.searching.temp(), &asked, progress)?;
    let found = match args.neighbours {
        Some(count) => neighbours(args, &searched, count as usize, progress)?,
        None if args.contained.is_some() => contained::list(args, &searched, progress)?,
        None if args.wants_pairs() => pairs(args, &searched, progress)?,
        None => clusters(args, job, &searched, files, progress)?,
    };
    progress.finish()?;
    Ok((found, searched.tally.is_some_and(|tally| tally.skipped() > 0)))
}

/// Prints one line on what was searched and how much was found.
fn tell_summary(searched: &Gathered, found: &str, progress: &Progress) {
    let collection = &searched.corpus.collection;
    let all = collection.len();
    let what = if let Some(tally) = &searched.tally {
        reading::searched(tally)
    } else {
        let empty = (0..all as u32).filter(|&document| collection.is_empty_document(document)).count();
        format!("fingerprint files only{}", if empty > 0 { format!("; {empty} empty") } else { String::new() })
    };
    progress.say(&format!("searched {}: {what}; found {found}", counted(all as u64, "document")));
}

fn clusters(
    args: &Args,
    job: &Job,
    searched: &Gathered,
    files: OverviewFiles,
    progress: &Progress,
) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.corpus.collection;
    let rules = args.judging.rules();
    args.keeping.check(collection, progress)?;
    let search = args.searching.search(rules, &args.running);
    let plan = printed_plan(&search, searched, progress, plan::in_words);
    args.running.expect_room(&plan, collection.len())?;
    let keep = args.keeping.policy();
    let found = searched.clusters(&search, &plan, &keep, progress)?;
    let Clustered { clusters, equal, .. } = &found;
    args.keeping.tell(collection, clusters, progress);
    let overview = args.overviewing.make("find", job, searched, (clusters, &keep), &plan, None);
    progress.clear();
    let judged = searched.judged(&search, || clusters.pairs(), |pair| found.removal(pair));
    let mut likeness = judged.map(Likeness::from);
    to_stdout(|out| write_clusters(out, args.format.form(), collection, (clusters, equal), args.all, &mut likeness))?;
    let not_selected = not_selected::lazy(&job.inputs, &job.selection);
    args.overviewing.tell(&overview, files, job, &not_selected, progress)?;
    tell_equal_files(equal, progress);
    Ok(overview.clusters() > 0 || !equal.groups.is_empty())
}

/// Prints how many files that are not texts were compared, and how many are equal.
fn tell_equal_files(equal: &EqualFiles, progress: &Progress) {
    let EqualFiles { compared, groups } = equal;
    if *compared == 0 {
        return;
    }
    let found = match groups.len() as u64 {
        0 => "no two are equal".to_owned(),
        number => {
            format!("{} of equal files ({})", counted(number, "group"), counted(equal.copies() + number, "file"))
        }
    };
    progress.say(&format!(
        "compared {} by bytes, because their text could not be read: {found}",
        counted(*compared, "file")
    ));
}

/// Writes every cluster that has members, and with `all` also documents without near-duplicates; then the groups of
/// equal files that are not texts. `likeness` is that of each member, in the order of [`Clusters::pairs`].
pub(super) fn write_clusters(
    out: &mut dyn Write,
    form: Form,
    collection: &Collection,
    (clusters, equal): (&Clusters, &EqualFiles),
    all: bool,
    likeness: &mut dyn Iterator<Item = Likeness>,
) -> io::Result<()> {
    let mut listing = Listing::new(out, form);
    let singles = all.then(|| clusters.singles()).into_iter().flatten();
    for (group, cluster) in (1..).zip(clusters.clusters().chain(singles)) {
        let member = |(&document, likeness): (&u32, Likeness)| Member {
            id: collection.id(document),
            likeness,
            file: File::of(collection, document),
        };
        listing.push(&Cluster {
            group,
            survivor: collection.id(cluster.survivor),
            file: File::of(collection, cluster.survivor),
            has_own_row: all,
            members: cluster.members.iter().zip(&mut *likeness).map(member).collect(),
        })?;
    }
    for files in &equal.groups {
        let [first, others @ ..] = &files[..] else { continue };
        // The number of items so far is that of the last cluster.
        listing.push(&Cluster {
            group: listing.items() + 1,
            survivor: &first.name,
            file: Some(File::unread(first)),
            has_own_row: all,
            members: others.iter().map(equal_file).collect(),
        })?;
    }
    listing.finish::<Cluster<'_>>()
}

/// A file that is not a text, as a member of a group of equal ones.
fn equal_file(file: &Opaque) -> Member<'_> {
    Member { id: &file.name, likeness: Likeness::of_files(), file: Some(File::unread(file)) }
}

fn pairs(args: &Args, searched: &Gathered, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.corpus.collection;
    let rules = args.judging.rules();
    let search = args.searching.search(rules, &args.running);
    let plan = printed_plan(&search, searched, progress, plan::of_pairs_in_words);
    let (mut found, mut outcome) = (0, Ok(EqualFiles::default()));
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        let mut written = Ok(());
        outcome = searched.pairs(&search, &plan, &args.keeping.policy(), progress, |documents, judged| {
            if listing.items() == 0 {
                progress.clear();
            }
            let [a, b] = documents.map(|document| collection.id(document));
            written = listing.push(&Pair { a, b, likeness: judged.into() });
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        found = listing.items();
        written?;
        let Ok(equal) = &outcome else { return Ok(()) };
        for [a, b] in equal.pairs(searched.corpus.second.is_some()) {
            listing.push(&Pair { a: &a.name, b: &b.name, likeness: Likeness::of_files() })?;
        }
        listing.finish::<Pair<'_>>()
    })?;
    let equal = outcome?;
    progress.clear();
    tell_summary(searched, &counted(found, "pair"), progress);
    tell_equal_files(&equal, progress);
    Ok(found > 0 || equal.pairs(searched.corpus.second.is_some()).next().is_some())
}

fn neighbours(args: &Args, searched: &Gathered, count: usize, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let collection = &searched.corpus.collection;
    let wanted: HashSet<&str> = args.of.iter().map(String::as_str).collect();
    let all = 0..collection.len() as u32;
    let of: Vec<u32> = all.filter(|&document| wanted.is_empty() || wanted.contains(collection.id(document))).collect();
    let there: HashSet<&str> = of.iter().map(|&document| collection.id(document)).collect();
    if let Some(missing) = args.of.iter().find(|id| !there.contains(id.as_str())) {
        return Err(format!("no document has the id '{missing}'; `dedup cat` lists those of a fingerprint file").into());
    }
    let threads = args.running.threads();
    progress.say(&plan::of_neighbours_in_words(of.len(), collection.len(), threads));
    let found = searched.corpus.neighbours(&of, count, threads, progress)?;
    progress.clear();
    let rules = args.judging.rules();
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        for one in &found {
            let member = |&(other, figures): &(u32, Figures)| {
                let removal = collection.claim(one.document, other);
                let likeness = Likeness::from(Judged::of(figures, rules.judge(&figures), removal));
                Member { id: collection.id(other), likeness, file: None }
            };
            let neighbours = one.neighbours.iter().map(member).collect();
            listing.push(&Nearest { id: collection.id(one.document), neighbours })?;
        }
        listing.finish::<Nearest<'_>>()
    })?;
    let all: usize = found.iter().map(|one| one.neighbours.len()).sum();
    tell_summary(
        searched,
        &format!("{} of {}", counted(all as u64, "neighbour"), counted(found.len() as u64, "document")),
        progress,
    );
    Ok(all > 0)
}
