//! `dedup index query DIR INPUT...`

use std::error::Error;
use std::path::PathBuf;

use nearcopy::store::index::Segments;
use nearcopy::store::index::query::Plan;

use super::super::Ending;
use super::super::options::RuleArgs;
use super::super::output::{Listed, to_stdout};
use super::super::progress::Progress;
use super::super::signals::stop_on_ctrl_c;
use super::super::targets::{OutputGuard, Target};
use super::super::text_options::TypedForTexts;
use super::QueryArgs;
use crate::jobs::find::Judged;
use crate::jobs::index::Queries;
use crate::report::listing::{Likeness, Listing, Pair};
use crate::report::{counted, reading};

/// Find the documents of an index that are near to given ones
///
/// For each document of INPUTS, the documents of the index that are near to it are reported, the most similar first,
/// with all figures and the rules that hold. A document of INPUTS need not be in the index; one that is finds itself.
/// Unlike `dedup find --against`, this does not read the whole index, and it reports each of several identical
/// documents. A file whose text cannot be read is compared by its bytes with the files that could not be read when they were
/// added, as long as these stand unchanged where they stood.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index query letters letter.txt
  dedup index query letters new.jsonl --id-field id --top 1 --format jsonl
  cat letter.txt | dedup index query letters -

Exit status: 0 something near was found, 1 nothing, 2 something failed or was skipped.")]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Files, folders, fingerprint files, or `-` for standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Report only the K most similar of the near documents; all by default
    #[arg(long, value_name = "K", help_heading = "Output", value_parser = clap::value_parser!(u64).range(1..))]
    top: Option<u64>,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Listed::Text, help_heading = "Output")]
    format: Listed,
    #[command(flatten)]
    judging: RuleArgs,
    #[command(flatten)]
    asking: QueryArgs,
}

/// An error of the search, or of writing its result.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Search(#[from] nearcopy::Error),
    #[error(transparent)]
    Write(#[from] std::io::Error),
}

pub(super) fn run(args: &Args, typed: &TypedForTexts) -> Result<Ending, Box<dyn Error>> {
    typed.check(&args.inputs)?;
    let segments = Segments::open(&args.index)?;
    let QueryArgs { searching, corpus, running } = &args.asking;
    let job = args.asking.job(&args.inputs)?;
    OutputGuard::of(&job).check(&[(Target::Problems, corpus.problems())])?;
    super::is_outside(&args.index, &[corpus.problems()])?;
    let progress = running.progress(corpus)?;
    stop_on_ctrl_c();
    let asked = (args.judging.rules(), searching.recall());
    let queries = Queries::new(&job, &segments, asked, &searching.temp(), &progress);
    progress.clear();
    let queries = queries.map_err(super::of_inputs)?;
    tell_scans(queries.plan(), &segments, &progress);
    let matches = answer(args, &queries, &segments, &progress)?;
    progress.finish()?;
    tell(&queries, &segments, matches, &progress);
    Ok(match (queries.tally().is_some_and(|tally| tally.skipped() > 0), matches) {
        (true, _) => Ending::Incomplete,
        (_, Some(0)) => Ending::NotFound,
        _ => Ending::Found,
    })
}

/// Writes what was found, and returns the number of matches; `None` if the reader of standard output wants no more.
fn answer(
    args: &Args,
    queries: &Queries,
    segments: &Segments,
    progress: &Progress,
) -> Result<Option<u64>, Box<dyn Error>> {
    let (top, threads) =
        (args.top.map_or(usize::MAX, |top| usize::try_from(top).unwrap_or(usize::MAX)), args.asking.running.threads());
    let equal = queries.equal_files(segments, threads, progress)?;
    let mut outcome = Ok(Some(0));
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        let found = queries.run(segments, top, threads, progress, |document, found| -> Result<(), Failed> {
            progress.clear();
            let (a, b) = (queries.documents().id(document), segments.id(found.place));
            let likeness = Likeness::from(Judged::of(found.figures, found.rules, found.removal));
            Ok(listing.push(&Pair { a, b, likeness })?)
        });
        progress.clear();
        match found {
            Ok(found) => outcome = Ok(Some(found + equal.all_between().count() as u64)),
            Err(Failed::Search(error)) => {
                outcome = Err(error);
                return Ok(());
            }
            Err(Failed::Write(error)) => {
                outcome = Ok(None);
                return Err(error);
            }
        }
        for [a, b] in equal.all_between() {
            listing.push(&Pair { a: &a.name, b: &b.name, likeness: Likeness::of_files() })?;
        }
        listing.finish::<Pair<'_>>()
    })?;
    Ok(outcome?)
}

/// Reports each full scan that the query needs because the search tables do not cover it.
fn tell_scans(plan: &Plan, segments: &Segments, progress: &Progress) {
    let lookup = segments.settings().lookup;
    let (simhashes, sketches) = plan.scans();
    if simhashes {
        let distance = lookup.max_distance;
        progress.say(&format!("the index has tables for a distance of {distance} only, so every simhash is scanned"));
    }
    if sketches {
        progress.say("the index has no tables for this --similarity and --recall, so every sketch is scanned");
    }
}

fn tell(queries: &Queries, segments: &Segments, matches: Option<u64>, progress: &Progress) {
    if let Some(tally) = queries.tally() {
        progress.say(&reading::searched(tally));
    }
    let chance = match queries.plan().recall() {
        None => String::new(),
        // The threshold is so low that documents with nothing in common reach it.
        Some(0.0) => "; documents that have nothing in common are not found".into(),
        Some(recall) => format!("; expected recall at the similarity threshold: {:.2} %", recall * 100.0),
    };
    let found = matches
        .map_or_else(|| "stopped, as nobody reads on".into(), |matches| format!("found {}", counted(matches, "match")));
    progress.say(&format!(
        "looked for {} among {}: {found}{chance}",
        counted(queries.documents().len() as u64, "document"),
        segments.len(),
    ));
}
