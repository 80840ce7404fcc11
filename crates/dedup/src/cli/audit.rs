//! `dedup audit INPUT...`

use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use nearcopy::similarity::Removal;
use nearcopy_corpus::error::EMPTY_FOLDER;
use nearcopy_corpus::{NewFile, remote, source};

use super::corpus::{Corpus, RunArgs, expect_named};
use super::find::SearchArgs;
use super::keep::KeepArgs;
use super::not_selected;
use super::options::{FingerprintArgs, RuleArgs};
use super::output::{Listed, to_stdout};
use super::overview::{command_line, made};
use super::progress::Progress;
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use super::{Ending, all_or_nothing};
use crate::jobs::audit::{Audit, Findings, Left, Plan, Recording};
use crate::jobs::find::gather;
use crate::jobs::fingerprint::{Job, Tally};
use crate::report::audit::{AuditedFile, Page, write_summary};
use crate::report::listing::Listing;
use crate::report::{counted, json, reading};

/// Say of every file what it is to the others: equal, contained, a version, unique, or unread
///
/// Files with equal bytes are found whatever they are. Texts are compared as `dedup find` and `dedup clean` do: the same
/// words in the same order, contained whole in another, or near. Nothing is changed: --plan lists what may be moved away,
/// and `dedup apply` carries out what a reader leaves of that list.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup audit data/texts
  dedup audit data --html audit.html
  dedup audit data/texts --format csv
  dedup audit data --plan equal.jsonl
  dedup audit data --plan plan.jsonl --remove contained

Exit status: 0 some files have something in common, 1 none, 2 something failed, or a folder that
was named has no file to read. A file that could not be read is no failure here, as it is listed.")]
pub(super) struct Args {
    /// Files and folders, or `-` for standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Format of the result; a summary by default
    #[arg(long, value_enum, default_value_t = Listed::Text, help_heading = "Output")]
    format: Listed,
    /// Write a report as one HTML page that needs no network
    ///
    /// It lists every file, to be sorted and searched, and each family with its dates. With --plan it shows which files are in
    /// the plan.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Heading of the page
    #[arg(long, value_name = "TITLE", requires = "html", help_heading = "Output")]
    title: Option<String>,
    /// Write a plan of the files that may go, one a line, for `dedup apply`
    ///
    /// Take out the lines of files that should stay. Each line has the digests of both files, so a file that changes later
    /// stays; the line of an edited copy has the words that differ.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    plan: Option<PathBuf>,
    /// Widest claim by which a file is in the plan
    #[arg(long, value_enum, value_name = "CLAIM", default_value = "same", requires = "plan", help_heading = "Output")]
    remove: Claim,
    #[command(flatten)]
    judging: RuleArgs,
    #[command(flatten)]
    searching: SearchArgs,
    #[command(flatten)]
    keeping: KeepArgs,
    #[command(flatten)]
    forcing: ForceArgs,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    making: FingerprintArgs,
    #[command(flatten)]
    running: RunArgs,
}

/// A claim of the command line.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Claim {
    /// Equal bytes, or equal words in equal order
    Same,
    /// Also what stands whole in another file
    Contained,
    /// Also edited copies
    Edited,
}

impl From<Claim> for Removal {
    fn from(claim: Claim) -> Self {
        match claim {
            Claim::Same => Self::Same,
            Claim::Contained => Self::Contained,
            Claim::Edited => Self::Edited,
        }
    }
}

/// The outputs, which are begun before the work.
struct Outputs {
    page: Option<NewFile>,
    plan: Option<NewFile>,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    if let Some(address) = args.inputs.iter().find(|input| remote::is_address(input)) {
        let name = source::name(address);
        return Err(
            format!("{name}: is elsewhere, and an audit plans moves of files on this machine; download it").into()
        );
    }
    expect_named(&args.inputs)?;
    args.keeping.expect_one()?;
    let mut job = args.corpus.job(&args.inputs, &args.making, &args.running)?;
    job.reading.temp = Some(args.searching.temp());
    job.reading.fields.key = args.keeping.key();
    job.selection.one_name = true;
    let (html, plan) = (args.html.as_deref(), args.plan.as_deref());
    OutputGuard::of(&job).and(args.making.stop_words()).force(&args.forcing).check(&[
        (Target::Page, html),
        (Target::Plan, plan),
        (Target::Problems, args.corpus.problems()),
    ])?;
    let begin = |path: &Path| NewFile::create(path, args.forcing.replace());
    let outputs = Outputs { page: html.map(begin).transpose()?, plan: plan.map(begin).transpose()? };
    job.selection.except.extend([html, plan].into_iter().flatten().map(Path::to_owned));
    let progress = args.running.progress(&args.corpus)?;
    stop_on_ctrl_c();
    let found = audit(args, &job, outputs, &progress);
    progress.clear();
    all_or_nothing(found)
}

fn audit(args: &Args, job: &Job, outputs: Outputs, progress: &Progress) -> Result<Ending, Box<dyn Error>> {
    let (rules, recording) = (args.judging.rules(), Recording::new(progress));
    let searched = gather(job, &[], &args.searching.temp(), &rules, &recording)?;
    let collection = &searched.corpus.collection;
    args.keeping.check(collection, progress)?;
    let search = args.searching.search(rules, &args.running);
    let plan = searched.corpus.plan(&search);
    args.running.expect_room(&plan, collection.len())?;
    let found = Findings::of(&searched, (&search, &plan), &args.keeping.policy(), progress)?;
    args.keeping.tell(collection, &found.clusters, progress);
    let mut audit = Audit::of(&found, recording);
    job.reading.converter.iter().for_each(|converter| audit.name_programs(converter));
    let steps = match outputs.plan {
        None => None,
        Some(file) => {
            let what = (args.remove.into(), &args.inputs[..]);
            Some((Plan::of(&audit, &found, what, search.effort.threads, progress)?, file))
        }
    };
    progress.clear();
    if let Some(mut page) = outputs.page {
        let shown = Page {
            title: args.title.clone().unwrap_or_default(),
            inputs: args.inputs.iter().map(|input| input.display().to_string()).collect(),
            made: made(),
            command_line: command_line(),
        };
        let failed = |source| nearcopy::Error::Write { path: shown_path(args.html.as_deref()), source };
        shown.write(&audit, steps.as_ref().map(|(plan, _)| plan), &mut page).map_err(failed)?;
        page.finish()?;
    }
    to_stdout(|out| {
        if args.format == Listed::Text {
            return write_summary(&audit, out);
        }
        let mut listing = Listing::new(out, args.format.form());
        AuditedFile::all(&audit).try_for_each(|file| listing.push(&file))?;
        listing.finish::<AuditedFile<'_>>()
    })?;
    if let Some(tally) = &searched.tally {
        progress.say(&reading::searched(tally));
    }
    not_selected::tell(&not_selected::lazy(&job.inputs, &job.selection), "listed", progress);
    if let Some((plan, mut file)) = steps {
        let failed = |source| nearcopy::Error::Write { path: shown_path(args.plan.as_deref()), source };
        for step in &plan.steps {
            json::write(&mut file, step).and_then(|()| file.write_all(b"\n")).map_err(failed)?;
        }
        file.finish()?;
        tell_plan(&plan, args, progress);
    }
    if let Some(path) = &args.html {
        progress.say(&format!("the report: {}", path.display()));
    }
    progress.finish()?;
    let names_empty = |tally: &Tally| tally.problems.contains_key(EMPTY_FOLDER);
    Ok(if searched.tally.as_ref().is_some_and(names_empty) {
        Ending::Incomplete
    } else if audit.files.iter().any(|file| file.of.is_some()) {
        Ending::Found
    } else {
        Ending::NotFound
    })
}

fn shown_path(path: Option<&Path>) -> String {
    path.map_or_else(String::new, nearcopy_corpus::source::name)
}

fn tell_plan(plan: &Plan, args: &Args, progress: &Progress) {
    let path = shown_path(args.plan.as_deref());
    let files = counted(plan.steps.len() as u64, "file");
    progress.say(&match (plan.steps.len(), args.remove) {
        (0, Claim::Edited) => format!("the plan: {path} has no file that may go"),
        (0, _) => format!("the plan: {path} has no file that may go; a wider claim of --remove may find some"),
        _ => format!(
            "the plan: {path} has {files} that may go; take out lines, then `dedup apply {path} --move-to FOLDER`"
        ),
    });
    let text_alone = plan.steps.iter().filter(|step| step.text_alone).count() as u64;
    if text_alone > 0 {
        progress.say(&format!(
            "{} in the plan by the text alone (\"text_alone\" in its line): pictures, page headers, navigation, comments, links \
             and crossing out were not compared",
            counted(text_alone, "document")
        ));
    }
    let Left { linked, inside, of_inside, empty, changed } = plan.left;
    let reasons = [
        (linked, "to which links lead"),
        (inside, "inside others, such as members of archives, or standard input"),
        (of_inside, "whose text stays only inside another file or in standard input"),
        (empty, "without a byte"),
        (changed, "changed since it was compared, or since the one that stays for it was"),
    ];
    for (count, reason) in reasons.into_iter().filter(|(count, _)| *count > 0) {
        progress.say(&format!("not in the plan: {}, {reason}", counted(count, "file")));
    }
}
