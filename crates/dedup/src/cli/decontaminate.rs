//! `dedup decontaminate CORPUS... --against BENCH...`

use std::error::Error;
use std::path::{Path, PathBuf};

use nearcopy::decontaminate::COVERAGE;
use nearcopy::decontaminate::rewritten::LEAST;
use nearcopy::durable::paths;
use nearcopy::error::{Problem, Reason};
use nearcopy_corpus::NewFile;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::{Purpose, Reader, Reading};

use super::clean::{check_foreign, expect_name, kind};
use super::corpus::{Corpus, RunArgs, expect_twice, number_among};
use super::elsewhere;
use super::not_selected::{self, COPIED};
use super::options::share;
use super::overview::{OverviewArgs, OverviewFiles, command_line, failed};
use super::progress::Progress;
use super::shards::ShardArgs;
use super::signals::stop_on_ctrl_c;
use super::stays::Stays;
use super::targets::{ForceArgs, OutputGuard, Target};
use super::{Ending, NOTHING_READ};
use crate::jobs::clean::OutputKind;
use crate::jobs::decontaminate::benchmark::Parts;
use crate::jobs::decontaminate::worst::{Shown, Worst};
use crate::jobs::decontaminate::{Contaminated, Findings, Job, decontaminate};
use crate::jobs::kept::{Copied, Unwritten, claim, expect_form, is_copied};
use crate::report::attributes::SpanList;
use crate::report::counted;
use crate::report::decontamination::{summary, values, write_attributes, write_document, write_items, write_page};

/// Find the items of test sets in a corpus, and drop what has them
///
/// An item is found by the words that tell it: n-grams of 8 words that at most 3 items of its set have, and few
/// documents (20, or ten times as many as its median n-gram). Prompts, licences, quotations and idioms tell nothing. A
/// document is contaminated by an item of which it has a quarter of the telling words, in one place and in order: at least
/// 13 words, with at most 30 others between two matches. Capitals, punctuation, line breaks, HTML, JSON and look-alike
/// letters make no difference.
///
/// An item of fewer than 13 words is found if all of it stands in a document: the words of each part in a row, and all
/// parts within 200 words. Items that say too little are undecidable, and are listed with the reason: `short`,
/// `template`, `common`.
///
/// OUT.items.jsonl has a line for each item, OUT.documents.jsonl one for each contaminated document with the spans of the
/// items. Without --drop and --cut the corpus is not written. The inputs are read twice, to be written once more, and never
/// changed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup decontaminate corpus.jsonl --against test.jsonl --field question,choices --dry-run
  dedup decontaminate crawl/ --against test.jsonl --field question,choices --need question -o report
  dedup decontaminate corpus.jsonl --against test.jsonl --field question -o train.jsonl --drop
  dedup decontaminate corpus.jsonl --against test.jsonl --field question -o rest.jsonl --cut --attributes spans.jsonl
  dedup decontaminate corpus.jsonl --against test.jsonl --field question -o benchmark --clean-benchmark test.clean.jsonl
  dedup decontaminate corpus.jsonl --against test.jsonl --field question --rewritten --dry-run

Exit status: 0 all was read, 2 something failed or was skipped.")]
pub(super) struct Args {
    /// Files or folders of the corpus; a build with the feature remote also reads addresses (s3:, gs:, az:, https:, hf:)
    #[arg(required = true)]
    corpora: Vec<PathBuf>,
    /// Test sets: each a file or a folder of records; may be repeated
    #[arg(long, value_name = "BENCH", num_args = 1.., required = true)]
    against: Vec<PathBuf>,
    /// Path beside which the lists are written; with --drop or --cut that of the corpus without them
    ///
    /// The corpus is a file if the input is one file, otherwise a folder. With a `*` in its last component, such as
    /// 'out/part-*.jsonl.zst', it is a folder of numbered files with all records, and the lists are beside the folder.
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    sharding: ShardArgs,
    /// Show the summary, and write neither documents nor lists
    #[arg(long, conflicts_with_all = ["output", "drop", "cut", "clean_benchmark", "attributes"])]
    dry_run: bool,
    /// Write the corpus without contaminated documents to OUT
    ///
    /// All others are copied unchanged, with those that could not be read.
    #[arg(long)]
    drop: bool,
    /// Write the corpus without the spans of items to OUT
    ///
    /// All other characters of the texts are kept. A file that is not its text, such as a web page, and what is not in
    /// UTF-8 cannot be cut and is dropped: its line in OUT.documents.jsonl has the fate `goes`.
    #[arg(long, conflicts_with = "drop")]
    cut: bool,
    /// Write the test set without contaminated items to FILE
    ///
    /// It is a folder if the test set is one. Undecidable items stay. Only one set can be written at a time.
    #[arg(long, value_name = "FILE")]
    clean_benchmark: Option<PathBuf>,
    /// Write the ids of contaminated documents with the spans to cut to FILE, as JSON Lines or Parquet; without -o nothing else is written
    #[arg(long, value_name = "FILE")]
    attributes: Option<PathBuf>,
    /// Fields of the test sets that are the parts of an item, separated by commas
    ///
    /// Dots lead into nested objects, which are no parts themselves. Each element of a list is a part of its own.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "text", help_heading = "Items")]
    field: Vec<String>,
    /// Those of the fields that must be found; by default all count alike
    ///
    /// The words of other fields are then not needed, and count for nothing.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Items")]
    need: Vec<String>,
    /// Field of an item's id; by default its file and number
    #[arg(long, value_name = "NAME", help_heading = "Items")]
    item_id: Option<String>,
    /// Least share of an item's telling words that contaminates a document, 0 to 1
    ///
    /// Without --need, so do eight of them with one and a half times that share of all its words.
    #[arg(long, value_name = "SHARE", default_value_t = COVERAGE, value_parser = share, help_heading = "Items")]
    coverage: f64,
    /// Find items in other words too: rewritten, shortened or rearranged
    ///
    /// PROBABILITY is the least probability that a passage is a copy, if copies and other texts on the same subject are equally
    /// frequent; 0.5 if none is given. The aligner of `dedup screen` compares every document with the items, which takes
    /// longer. Items with fewer than 20 telling words are skipped.
    #[arg(long, value_name = "PROBABILITY", require_equals = true, value_parser = share, help_heading = "Items")]
    #[expect(clippy::option_option, reason = "an option whose value may be left out")]
    rewritten: Option<Option<f64>>,
    /// Count documents together with those that were counted in FILE, and add those of this run to it
    ///
    /// Count each part of a corpus with --dry-run first, then search each with the same FILE: an item is then told by the words that
    /// tell it in the whole corpus. A part that is in FILE already is recognised, in any order, and not added again. --against, --field and
    /// --need must be the same in all runs.
    #[arg(long, value_name = "FILE", help_heading = "Items")]
    counts: Option<PathBuf>,
    #[command(flatten)]
    overviewing: OverviewArgs,
    #[command(flatten)]
    forcing: ForceArgs,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    running: RunArgs,
}

/// The outputs of a run, which it has begun.
struct Outputs {
    /// The lists of items and of documents.
    lists: Option<[NewFile; 2]>,
    attributes: Option<SpanList>,
    /// The corpus and the test set without what was found.
    corpus: Option<Unwritten>,
    benchmark: Option<Unwritten>,
    overview: OverviewFiles,
}

impl Args {
    fn job(&self) -> Result<Job, Box<dyn Error>> {
        if let Some((_, twice)) = self.field.iter().enumerate().find(|(at, field)| self.field[..*at].contains(field)) {
            return Err(format!("--field {twice}: is named twice; name each part of an item once").into());
        }
        if let Some(unknown) = self.need.iter().find(|need| !self.field.contains(need)) {
            return Err(format!("--need {unknown}: is no part of an item; name it with --field too").into());
        }
        let lists_alone = self.attributes.is_some() && !self.writes_corpus() && self.clean_benchmark.is_none();
        if self.output.is_none() && !self.dry_run && !lists_alone {
            return Err("no output was named; name it with -o OUT, or use --dry-run to see what would be found".into());
        }
        if self.clean_benchmark.is_some() && self.against.len() > 1 {
            return Err("--clean-benchmark writes one test set; run it once for each".into());
        }
        if let Some((_, set)) = (0..).zip(&self.against).find(|&(at, set)| self.against[..at].contains(set)) {
            return Err(format!("{}: is named twice as a test set; name each once", set.display()).into());
        }
        expect_twice(self.corpora.iter().chain(&self.against))?;
        let mut reading = self.corpus.reading(&self.corpora, &self.running)?;
        // An archive cannot be written without some of its members; and a file of counts must see the same files in
        // every run.
        reading.bundles = !self.writes_corpus() && self.counts.is_none();
        let rewritten = self.rewritten.map(|least| least.unwrap_or(LEAST));
        if let (Some(None), Some(number)) = (self.rewritten, number_among(&self.corpora)) {
            return Err(format!("{}: no such file; the level is given as --rewritten={0}", number.display()).into());
        }
        let mut selection = self.corpus.selection();
        selection.expect_files = true;
        Ok(Job {
            corpus: self.corpora.clone(),
            selection,
            reading,
            against: self.against.clone(),
            parts: Parts { fields: self.field.clone(), need: self.need.clone(), id: self.item_id.clone() },
            coverage: self.coverage,
            rewritten,
            counts: self.counts.clone(),
            cut: self.cut,
            strict: self.corpus.is_strict(),
            threads: self.running.threads(),
        })
    }

    /// True if the corpus is written.
    fn writes_corpus(&self) -> bool {
        self.drop || self.cut
    }

    /// The paths of the lists of items and of documents.
    fn lists(&self) -> Result<Option<[PathBuf; 2]>, String> {
        let beside =
            |output: PathBuf| ["items", "documents"].map(|list| paths::beside(&output, "", &format!(".{list}.jsonl")));
        Ok(self.output()?.map(|(output, _)| beside(output)))
    }

    /// The path of the output and the form of the corpus.
    fn output(&self) -> Result<Option<(PathBuf, OutputKind)>, String> {
        let Some(output) = &self.output else {
            self.sharding.expect_none()?;
            return Ok(None);
        };
        if !self.writes_corpus() {
            self.sharding.expect_none()?;
            return Ok(Some((output.clone(), OutputKind::File)));
        }
        Ok(Some(match self.sharding.of(output)? {
            Some((folder, shards)) => (folder, OutputKind::Shards(shards)),
            None => (output.clone(), kind(&self.corpora, output)),
        }))
    }

    /// Checks and begins the outputs. The job will not read them.
    fn begin(&self, job: &mut Job) -> Result<Outputs, Box<dyn Error>> {
        let (lists, output) = (self.lists()?, self.output()?);
        let [items, documents] =
            lists.as_ref().map_or([None, None], |[items, documents]| [Some(&**items), Some(&**documents)]);
        let target = |output: Option<&(&Path, OutputKind)>| {
            if output.is_some_and(|(_, kind)| kind.is_folder()) { Target::Folder } else { Target::Output }
        };
        let corpus = output.as_ref().map(|(path, kind)| (&**path, kind.clone())).filter(|_| self.writes_corpus());
        let benchmark = self.clean_benchmark.as_deref().map(|path| (path, kind(&job.against, path)));
        let path = |output: &Option<(&'_ Path, OutputKind)>| output.as_ref().map(|(path, _)| path.to_path_buf());
        let paths = [path(&corpus), path(&benchmark)];
        let guard = OutputGuard::of_inputs(&job.corpus, &job.selection).and(&job.against).force(&self.forcing);
        let targets = [
            (target(corpus.as_ref()), paths[0].as_deref()),
            (target(benchmark.as_ref()), paths[1].as_deref()),
            (Target::Items, items),
            (Target::Documents, documents),
            (Target::Attributes, self.attributes.as_deref()),
            (Target::Counts, self.counts.as_deref()),
            (Target::Problems, self.corpus.problems()),
        ];
        guard.check(&[&targets[..], &self.overviewing.targets()].concat())?;
        if let Some((path, kind)) = &corpus {
            expect_name(kind, &job.corpus, path)?;
            expect_form(path, kind, (&job.corpus, &job.selection, &job.reading))?;
        }
        if let Some((path, kind)) = &benchmark {
            let reading = Reading { kind: None, encoding: None, ..job.reading.clone() };
            expect_name(kind, &job.against, path)?;
            expect_form(path, kind, (&job.against, &Selection::default(), &reading))?;
        }
        if self.forcing.is_forced() {
            for (output, inputs) in [(&corpus, &job.corpus), (&benchmark, &job.against)] {
                let Some((path, kind)) = output else { continue };
                check_foreign((path, kind), (inputs, &job.selection))?;
            }
        }
        let overview = self.overviewing.begin(&self.forcing)?;
        job.selection.except.extend(self.overviewing.paths());
        job.selection.except.extend(self.counts.clone());
        let [written, tested] = paths.each_ref().map(Option::as_deref);
        let outputs = [items, documents, self.attributes.as_deref(), written, tested];
        job.selection.except.extend(outputs.into_iter().flatten().map(Path::to_owned));
        let replace = self.forcing.replace();
        let begin = |path: &Path| NewFile::create(path, replace);
        let claimed =
            |output: Option<(&Path, OutputKind)>| output.map(|(path, kind)| claim(path, &kind, replace)).transpose();
        let lists = match &lists {
            Some([items, documents]) => Some([begin(items)?, begin(documents)?]),
            None => None,
        };
        let attributes = self.attributes.as_deref().map(|path| SpanList::begin(begin(path)?, path)).transpose()?;
        Ok(Outputs { lists, attributes, corpus: claimed(corpus)?, benchmark: claimed(benchmark)?, overview })
    }

    /// What becomes of documents and items that cannot be read. A document is searched all the same if it is too long for
    /// `--rewritten` alone.
    fn is_copied(&self) -> Result<impl Fn(&Problem) -> Option<bool> + Send + Sync + use<>, String> {
        let kind = self.output()?.map(|(_, kind)| kind);
        let (has_shards, writes_corpus) = (matches!(kind, Some(OutputKind::Shards(_))), self.writes_corpus());
        let (sets, writes_items) = (self.against.clone(), self.clean_benchmark.is_some());
        Ok(move |problem: &Problem| {
            let is_searched = matches!(problem.reason, Reason::NoRoom { .. } | Reason::TooLongToAlign { .. });
            if sets.iter().any(|set| nearcopy_corpus::source::path(&problem.file).starts_with(set)) {
                writes_items.then(|| is_copied(problem, false))
            } else {
                (writes_corpus && !is_searched).then(|| is_copied(problem, has_shards))
            }
        })
    }

    /// What becomes of a contaminated document, in the words of the Python package.
    fn fate(&self, document: &Contaminated) -> &'static str {
        match (self.drop, self.cut) {
            (false, false) => "stays",
            (false, true) if document.can_cut => "cut",
            _ => "goes",
        }
    }
}

pub(super) fn run(mut args: Args) -> Result<Ending, Box<dyn Error>> {
    let inputs = [&*args.corpora, &*args.against].concat();
    let (output, is_forced) = (args.output.clone(), args.forcing.is_forced());
    elsewhere::run((output, &inputs), &std::env::temp_dir(), is_forced, |output| {
        args.output = output;
        run_here(&args)
    })
}

/// The same with an output on this machine.
fn run_here(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut job = args.job()?;
    let outputs = args.begin(&mut job)?;
    let progress = args.running.progress(&args.corpus)?.copying(args.is_copied()?);
    stop_on_ctrl_c();
    let stays = Stays::of("counts", args.counts.as_deref());
    let outcome = work(args, &job, outputs, &progress);
    progress.clear();
    Ok(Ending::after(stays.all_or_nothing(outcome)?))
}

/// Does the work; returns true if something could not be read.
fn work(args: &Args, job: &Job, mut outputs: Outputs, progress: &Progress) -> Result<bool, Box<dyn Error>> {
    let mut worst = outputs.overview.page.is_some().then(Worst::default);
    let findings = decontaminate(job, progress, &mut |benchmark, document| {
        if let Some([_, documents]) = &mut outputs.lists {
            let fate = args.fate(&document);
            write_document(benchmark, &document, fate, documents)
                .map_err(failed(Path::new("the list of documents")))?;
        }
        if let Some(attributes) = &mut outputs.attributes {
            write_attributes(&document, attributes)?;
        }
        if let Some(worst) = &mut worst {
            worst.push(&document);
        }
        Ok(())
    })?;
    if findings.tally.documents == 0 && findings.tally.skipped() > 0 {
        return Err(NOTHING_READ.into());
    }
    let shown = worst.map_or(Ok(Vec::new()), |worst| worst.shown(job, &findings, progress))?;
    let overview = write(job, &findings, outputs, progress)?;
    tell(args, job, &findings, (shown, overview), progress)
}

/// Writes the list of items, and completes all outputs but the overview.
fn write(
    job: &Job,
    findings: &Findings,
    mut outputs: Outputs,
    progress: &Progress,
) -> Result<OverviewFiles, Box<dyn Error>> {
    if let Some([items, _]) = &mut outputs.lists {
        write_items(findings, items).map_err(failed(Path::new("the list of items")))?;
    }
    let mut copied = Vec::new();
    if let Some(corpus) = outputs.corpus {
        let purpose = if job.cut { Purpose::Cutting } else { Purpose::Texts };
        let reading = Reading { all_columns: true, purpose, long_lines: true, ..job.reading.clone() };
        let reader = Reader::new(Inputs::new(job.corpus.clone(), job.selection.clone())?, reading);
        copied.push(findings.without_documents((reader, &job.corpus), corpus, progress)?);
    }
    if let Some(benchmark) = outputs.benchmark {
        copied.push(findings.without_items(job, benchmark, progress)?);
    }
    let attributes = outputs.attributes.map(SpanList::end).transpose()?;
    Copied::finish(outputs.lists.into_iter().flatten().chain(attributes).collect(), copied)?;
    Ok(outputs.overview)
}

/// Prints the summary, and writes the page and the object; returns true if something could not be read.
fn tell(
    args: &Args,
    job: &Job,
    findings: &Findings,
    (shown, OverviewFiles { page, summary: object }): (Vec<Shown>, OverviewFiles),
    progress: &Progress,
) -> Result<bool, Box<dyn Error>> {
    progress.clear();
    let summary = summary(findings, args.counts.as_deref());
    for line in &summary {
        progress.say(line);
    }
    progress.tell_fates();
    if let Some(field) = &args.item_id
        && let repeated @ 1.. = findings.benchmark.repeated_ids()
    {
        let (items, have) = (counted(repeated, "item"), if repeated == 1 { "has" } else { "have" });
        progress.say(&format!(
            "{items} {have} the same id (field '{field}') as an earlier item of the set; the lists do not tell them apart"
        ));
    }
    if let (Some(path), Some(mut page)) = (args.overviewing.page(), page) {
        write_page(findings, &shown, &command_line(), &summary, &mut page).map_err(failed(path))?;
        page.finish()?;
        progress.say(&format!("the worst items beside documents that have them: {}", path.display()));
    }
    let not_selected = not_selected::lazy(&job.corpus, &job.selection);
    let decided = job.rewritten.map(|least| ("rewritten", least.into()));
    args.overviewing.write_summary(&values(job, findings, args.drop), object, decided, &not_selected, progress)?;
    let is_copied = args.writes_corpus() && matches!(args.output()?, Some((_, OutputKind::Folder)));
    not_selected::tell(&not_selected, if is_copied { COPIED } else { "read" }, progress);
    if let Some([items, documents]) = args.lists()? {
        if let (Some((output, _)), true) = (args.output()?, args.writes_corpus()) {
            let left = if args.cut { "without the spans of items" } else { "without contaminated documents" };
            progress.say(&format!("the corpus {left}: {}", output.display()));
        }
        if let Some(benchmark) = &args.clean_benchmark {
            progress.say(&format!("the test set without contaminated items: {}", benchmark.display()));
        }
        progress.say(&format!("the lists: {} and {}", items.display(), documents.display()));
    } else {
        let has_counts = findings.counted.is_some_and(|total| !total.was_known);
        progress.tell_unwritten(args.attributes.as_deref(), has_counts);
    }
    progress.finish()?;
    Ok(findings.tally.skipped() > 0)
}
