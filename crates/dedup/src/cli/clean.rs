//! `dedup clean INPUT... -o OUT`

mod apply;
mod cutting;
mod lines;
mod lists;
mod place;
mod repeats;

use std::error::Error;
use std::io::Write;
use std::ops::Deref;
use std::path::PathBuf;

use clap::ValueEnum;
use nearcopy::error::{Location, Problem};
use nearcopy::similarity::Removal;
use nearcopy::store::file::collection::Collection;
use nearcopy_corpus::source;

use super::corpus::{Corpus, RunArgs};
use super::elsewhere;
use super::find::{SearchArgs, printed_plan, write_clusters};
use super::keep::KeepArgs;
use super::not_selected::{self, COPIED};
use super::options::{FingerprintArgs, RemovalArgs, Remove};
use super::output::{renamed, to_stdout};
use super::overview::{OverviewArgs, OverviewFiles};
use super::progress::Progress;
use super::removals;
use super::shards::ShardArgs;
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use super::{Ending, NOTHING_READ, all_or_nothing};
use crate::jobs::clean::{Claimed, Output, OutputKind, WriteList, decide, unread, write_kept};
use crate::jobs::find::{EqualFiles, Gathered, gather};
use crate::jobs::fingerprint::{Job, Tally};
use crate::jobs::review::review;
use crate::report::listing::Form;
use crate::report::overview::{Claims, NotSelected, ToReview};
use crate::report::{counted, plan};
use lists::Lists;
use place::removed_ending;
pub(super) use place::{check_foreign, expect_name, kind, output, target};

/// Write a corpus without the documents that another makes dispensable
///
/// A document is removed only for one that stays: by default if everything that it says stands in that one (--remove).
///
/// Kept documents are copied unchanged, with all fields and in the same order. The format is that of the input,
/// unless the ending of the output names another. One input file gives one file; other inputs give a folder of the
/// same files. A `*` in the name of the output stands for a number: all records that stay are then written anew, in files of
/// a greatest size (--shard-size).
///
/// Each removed document is listed with its survivor, the document that stays in its place and that it was compared with,
/// and the figures of the pair. A document that is near to none that stays is never removed.
///
/// The inputs are read at least twice and never changed. An output must not be an input, and replaces an existing file or
/// folder only with --force. It appears as a whole or not at all. The list of removed documents, OUT.removed.jsonl,
/// appears just before it. What cannot be read is reported and counted, and the exit status is 2: records are left out
/// (but not with --repeats and --lines), whole files are copied unchanged (--unread).
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
#[command(after_long_help = "Examples:
  dedup clean --dry-run data/texts
  dedup clean corpus.jsonl -o clean.jsonl
  dedup clean crawl/ -o clean/ --keep field:date:desc
  dedup clean articles.csv.gz --text-field body --id-field key -o articles.clean.csv.gz
  dedup clean letters/ --list -o kept.txt
  dedup clean corpus.jsonl --id-field id --apply gone.txt -o kept.jsonl
  dedup clean corpus.jsonl --repeats -o once.jsonl
  dedup clean crawl/ --lines --dry-run

Exit status: 0 all was read, 2 something failed or was skipped.")]
pub(super) struct Args {
    /// Files or folders; a build with the feature remote also reads addresses (s3:, gs:, az:, https:, hf:)
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Path of the clean corpus
    ///
    /// It is a file if the input is one file, otherwise a folder. The ending of a file sets its format and
    /// compression (.jsonl, .csv, .tsv, .parquet, and .gz, .zst, .xz, .bz2); without an ending they are those of the
    /// input. A conversion that would lose anything, such as a null in a table or a nested list, is refused.
    ///
    /// With a `*` in its last component, such as 'out/part-*.jsonl.zst', it is a folder of numbered files, from
    /// part-00000.jsonl.zst on. Quote it, so that the shell leaves the * as it is.
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    sharding: ShardArgs,
    /// Show what would be removed, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Write the ids of kept documents, one a line, instead of the documents
    ///
    /// An id that contains a line break is refused.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    forcing: ForceArgs,
    /// Remove the documents of LIST, and compare nothing
    ///
    /// LIST is an OUT.removed.jsonl or .csv, in which lines may be left out but not changed. A document is removed only
    /// if its text is the one that was listed, and if its survivor, the one that stays for it, is among the inputs, unchanged and not listed itself.
    /// Otherwise it stays, is named, and the exit status is 2.
    ///
    /// LIST may also have ids alone: one id a line, or JSON Lines or CSV with an `id`. The documents of these ids are
    /// removed unchecked.
    ///
    /// Ids that no document has are counted, and are no error, as LIST may be that of all shards of a corpus. Without
    /// --id-field, documents of one file have positions as ids; a list without any position is then refused.
    #[arg(long, value_name = "LIST", conflicts_with_all = ["remove", "RemovalArgs", "across_formats", "KeepArgs", "SearchArgs", "OverviewArgs", "FingerprintArgs"])]
    apply: Option<PathBuf>,
    /// The inputs are a shard of a corpus, so the documents that stay for those of LIST may be in other shards
    ///
    /// One that is not among the inputs is then taken to be in another shard, unchanged. Check that all shards
    /// are there before any is deleted.
    #[arg(long, requires = "apply")]
    shard: bool,
    /// Files that cannot be read as text, such as pictures and scans: `copy` them unchanged, or `leave` them out
    ///
    /// They are named on standard error and in the list of --problems either way, and are never removed as copies of
    /// one another. With --list they are named like documents. `copy` needs more than one input file.
    #[arg(long, value_enum, value_name = "copy|leave", default_value_t = UnreadFiles::Copy)]
    unread: UnreadFiles,
    /// Widest claim that a removal may make
    ///
    /// Documents that only a wider claim would remove are kept, and listed in OUT.review.jsonl with the words that differ.
    #[arg(long, value_enum, value_name = "same|contained|edited", default_value_t = Remove::Contained)]
    #[arg(help_heading = "Rules")]
    remove: Remove,
    #[command(flatten)]
    removing: RemovalArgs,
    /// Also remove a document if the one that stays for it has another format, such as a DOCX if its PDF stays
    ///
    /// By default both stay, and so do files with parts that are not read and may hold text, such as scanned pages. Plain
    /// texts and records of any table are one format.
    #[arg(long, help_heading = "Rules")]
    across_formats: bool,
    #[command(flatten)]
    keeping: KeepArgs,
    #[command(flatten)]
    repeating: repeats::RepeatArgs,
    #[command(flatten)]
    lining: lines::LineArgs,
    #[command(flatten)]
    cutting: cutting::CutArgs,
    #[command(flatten)]
    searching: SearchArgs,
    #[command(flatten)]
    overviewing: OverviewArgs,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    making: FingerprintArgs,
    #[command(flatten)]
    running: RunArgs,
}

/// Treatment of files that cannot be read as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum UnreadFiles {
    /// They are copied unchanged
    Copy,
    /// They are left out
    Leave,
}

impl Args {
    /// The widest claim by which documents are removed.
    fn claim(&self) -> Result<Removal, String> {
        self.removing.claim(self.remove, "--remove edited")
    }

    /// The form in which the list of removed documents is written.
    fn removed_form(&self) -> Form {
        if removed_ending(self.output.as_deref()) == "csv" { Form::Csv } else { Form::Jsonl }
    }

    /// The output for the clean corpus; `None` in a dry run.
    fn output(&self) -> Result<Option<Output>, Box<dyn Error>> {
        if self.dry_run && self.output.is_some() {
            return Err(
                "--dry-run writes nothing and takes no -o; leave out --dry-run to write, or -o to see what would be \
                        removed"
                    .into(),
            );
        }
        if self.output.is_none() && !self.dry_run && !self.cutting.lists_alone() {
            let message = "no output was named; name it with -o OUT, or use --dry-run to see what would be removed";
            return Err(message.into());
        }
        let Some(path) = &self.output else {
            self.sharding.expect_none()?;
            return Ok(None);
        };
        let shards = self.sharding.of(path)?;
        if self.list && shards.is_some() {
            return Err(format!("{}: --list writes one file; leave out the *", source::name(path)).into());
        }
        let mut output = output(&self.inputs, path, shards, self.list, &self.forcing)?;
        output.keeps_unread = self.unread == UnreadFiles::Copy;
        Ok(Some(output))
    }
}

pub(super) fn run(mut args: Args) -> Result<Ending, Box<dyn Error>> {
    let (output, inputs, is_forced) = (args.output.clone(), args.inputs.clone(), args.forcing.is_forced());
    let temp = args.searching.temp();
    elsewhere::run((output, &inputs), &temp, is_forced, |output| {
        args.output = output;
        run_here(&args)
    })
}

/// The same with an output on this machine.
fn run_here(args: &Args) -> Result<Ending, Box<dyn Error>> {
    if args.repeating.is_asked() {
        return repeats::run(args);
    }
    if args.lining.is_asked() {
        return lines::run(args);
    }
    args.keeping.expect_one()?;
    args.claim()?;
    let output = args.output()?;
    let mut job = args.corpus.job(&args.inputs, &args.making, &args.running)?;
    // Without the Hamming rule only words are compared, and they need no language.
    job.options.simhash = args.removing.rules().max_distance.is_some();
    if args.making.is_of_terms() && !job.options.has_terms() {
        return Err(
            "--language, --stop-words and --no-stem apply to terms, but only words as written are compared; leave \
                    them out, or compare terms with --shingles terms"
                .into(),
        );
    }
    job.reading.fields.key = args.keeping.key();
    // An archive cannot be written without some of its members.
    job.reading.bundles = false;
    job.reading.temp = Some(args.searching.temp());
    let [removed, to_review] = [Output::removed, Output::review].map(|list| output.as_ref().map(list));
    let targets = OutputGuard::of(&job);
    if let Some(list) = args.apply.as_deref().filter(|list| targets.reads(list)) {
        // Its ids would be those of all its documents.
        return Err(format!(
            "{}: is read as an input itself; --apply takes a list of what to remove",
            source::name(list)
        )
        .into());
    }
    let targets = targets.and(args.making.stop_words()).and(args.apply.as_deref()).force(&args.forcing);
    let outputs = [
        (output.as_ref().map_or(Target::Output, target), output.as_ref().map(|output| &*output.path)),
        (Target::Removed, removed.as_deref()),
        (Target::Review, to_review.as_deref()),
        (Target::Problems, args.corpus.problems()),
    ];
    targets.check(&[&outputs[..], &args.overviewing.targets()].concat())?;
    let files = args.overviewing.begin(&args.forcing)?;
    job.selection.except.extend(args.overviewing.paths());
    let keeps_unread = keeps_unread(args, output.as_ref());
    let mut outputs = Outputs { files, corpus: None };
    if let Some(output) = output {
        let claimed = output.claim()?;
        job.selection.except.extend(output.written());
        output.check_places(&job)?;
        if output.replaces {
            check_foreign((&output.path, &output.kind), (&job.inputs, &job.selection))?;
        }
        outputs.corpus = Some((output, claimed));
    }
    let is_copied = move |problem: &Problem| Some(keeps_unread && problem.can_copy && problem.place == Location::File);
    let progress = args.running.progress(&args.corpus)?.copying(is_copied);
    stop_on_ctrl_c();
    let outcome = work(args, &job, outputs, &progress);
    progress.clear();
    Ok(Ending::after(all_or_nothing(outcome)?))
}

/// The outputs of a run, which it has begun.
struct Outputs {
    files: OverviewFiles,
    /// The clean corpus; `None` in a dry run.
    corpus: Option<(Output, Claimed)>,
}

/// Does the work; returns true if something was skipped or not removed.
fn work(args: &Args, job: &Job, outputs: Outputs, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let output = outputs.corpus.as_ref().map(|(output, _)| output.clone());
    let output = output.as_ref();
    let rules = args.removing.rules();
    let listed = args.apply.as_deref().map(removals::read).transpose()?;
    let searched = gather(job, &[], &args.searching.temp(), &rules, progress)?;
    let mut job = job.clone();
    job.selection.except.push(searched.corpus.scratch().to_owned());
    let job = &job;
    let collection = &searched.corpus.collection;
    let skipped = searched.tally.as_ref().map_or(0, Tally::skipped);
    if collection.is_empty()
        && skipped > 0
        && !(keeps_unread(args, output) && skipped == unread(collection).count() as u64)
    {
        return Err(NOTHING_READ.into());
    }
    output.map_or(Ok(()), |output| output.check_ids(collection))?;
    let not_selected = not_selected::lazy(&job.inputs, &job.selection);
    let is_complete = if let (Some(path), Some(list)) = (&args.apply, listed) {
        apply::apply(args, job, &searched, outputs.corpus, (path, &list), progress)?
    } else {
        search(args, job, &searched, outputs, &not_selected, progress)?;
        true
    };
    progress.tell_fates();
    tell_unread(args, collection, output, progress);
    not_selected::tell(&not_selected, done(output), progress);
    if let Some(output) = output {
        progress.say(&format!("the list of removed documents: {}", output.removed().display()));
    } else {
        progress.tell_unwritten(None, false);
    }
    progress.finish()?;
    Ok(!is_complete || skipped > 0)
}

/// What is done with the files of a folder.
fn done(output: Option<&Output>) -> &'static str {
    if output.is_some_and(|output| output.kind == OutputKind::Folder) { COPIED } else { "read" }
}

/// True if files that cannot be read as text become part of the output.
fn keeps_unread(args: &Args, output: Option<&Output>) -> bool {
    args.unread == UnreadFiles::Copy && output.is_none_or(|output| !has_records_alone(output))
}

/// True if the output has no place for a file that could not be read as text.
fn has_records_alone(output: &Output) -> bool {
    matches!(output.kind, OutputKind::File | OutputKind::Shards(_))
}

/// Prints what became of the files that could not be read as text.
fn tell_unread(args: &Args, collection: &Collection, output: Option<&Output>, progress: &Progress) {
    let count = unread(collection).count() as u64;
    if count == 0 || output.is_some_and(|output| output.kind == OutputKind::File) {
        return;
    }
    let done = match (output.map(|output| &output.kind), args.unread) {
        (Some(OutputKind::Shards(_)), _) => "left out, as shards hold records alone",
        (None, UnreadFiles::Copy) => "would be copied unchanged",
        (None, UnreadFiles::Leave) => "would be left out",
        (Some(OutputKind::List), UnreadFiles::Copy) => "kept, and named in the list",
        (Some(_), UnreadFiles::Copy) => "copied unchanged (--unread leave leaves them out)",
        (Some(_), UnreadFiles::Leave) => "left out",
    };
    progress.say(&format!("{} not read as text: {done}", counted(count, "file")));
}

/// Finds the documents that may go, and removes them.
fn search(
    args: &Args,
    job: &Job,
    searched: &Gathered,
    Outputs { files, corpus }: Outputs,
    not_selected: &dyn Deref<Target = NotSelected>,
    progress: &Progress,
) -> Result<(), Box<dyn Error>> {
    let (collection, rules, claim) = (&searched.corpus.collection, args.removing.rules(), args.claim()?);
    args.keeping.check(collection, progress)?;
    let search = args.searching.search(rules, &args.running);
    let mut plan = printed_plan(&search, searched, progress, plan::of_removals_in_words);
    args.running.expect_room(&plan, collection.len())?;
    plan.across_formats = args.across_formats;
    let keep = args.keeping.policy();
    let decided = decide(searched, &plan, (&keep, claim), search.effort, progress)?;
    let clusters = &decided.clusters;
    args.keeping.tell(collection, clusters, progress);
    let claims = Claims::of(&decided.removals, claim, decided.across.as_ref());
    let mut overview = args.overviewing.make("clean", job, searched, (clusters, &keep), &plan, Some(claims));
    let output = corpus.as_ref().map(|(output, _)| output);
    // A dry run shows them on the page alone.
    let is_shown = output.is_some() || args.overviewing.page().is_some();
    let pairs = if is_shown { decided.to_review() } else { Vec::new() };
    let review = review(collection, pairs, &searched.originals, searched.corpus.scratch(), job.threads, progress)?;
    if args.overviewing.page().is_some() {
        let list = output.map(|output| renamed(&source::name(&output.review())));
        let shown = ToReview::of(&review, collection, &rules, &|pair| decided.removal(pair), list);
        let failed = |source| nearcopy::Error::Write { path: source::name(searched.corpus.scratch()), source };
        overview.review = Some(shown.map_err(failed)?);
    }
    let lists = Lists { searched, search: &search, decided: &decided };
    match corpus {
        None => {
            progress.clear();
            let found = (clusters, &EqualFiles::default());
            let mut likeness = lists.likeness(|| clusters.pairs());
            to_stdout(|out| write_clusters(out, Form::Text, collection, found, false, &mut likeness))?;
        }
        Some((output, claimed)) => {
            let review_path = output.review();
            let stays = |document: u32| clusters.survivor(document) == document;
            let form = args.removed_form();
            let mut list = |out: &mut dyn Write| lists.write_removed(out, form, keep.is_by_date());
            let mut list_review = |out: &mut dyn Write| lists.write_review(out, form, &review);
            let has_review = claim < Removal::Edited || !review.is_empty();
            let list_review = has_review.then_some::<&mut WriteList<'_>>(&mut list_review);
            write_kept(job, collection, &stays, (&output, claimed), progress, &mut list, list_review)?;
            if let Some(words) = claims.to_review_in_words() {
                progress.clear();
                progress.say(&format!("{words}; they are listed in {}", review_path.display()));
            }
        }
    }
    progress.clear();
    args.overviewing.tell(&overview, files, job, not_selected, progress)
}
