//! `dedup index add DIR INPUT...`

use std::error::Error;
use std::path::PathBuf;

use nearcopy::texts::index::{Added, Known, Rejected, Unique};

use super::super::Ending;
use super::super::clean::{check_foreign, output, target};
use super::super::corpus::AuthorArgs;
use super::super::options::{RemovalArgs, Remove};
use super::super::output::{Listed, to_stdout};
use super::super::progress::Progress;
use super::super::signals::stop_on_ctrl_c;
use super::super::targets::{ForceArgs, OutputGuard, Target};
use super::super::text_options::TypedForTexts;
use super::QueryArgs;
use crate::jobs::clean::Output;
use crate::jobs::find::Judged;
use crate::jobs::fingerprint::Tally;
use crate::jobs::index::{Adding, WriteList, add};
use crate::report::listing::seal::Seal;
use crate::report::listing::{Form, Likeness, Listing, Removed};
use crate::report::{counted, crowded_in_words, grouped, reading};

/// Add documents
///
/// Inputs are texts as `dedup find` takes them, fingerprint files of the index's recipe, or both. Either all
/// documents that can be read are added or none; they are on the disk when the command reports them. An interrupted run resumes when
/// the same command is started again, unless another change came between.
///
/// An id is unique in an index. A document whose id is already there is an error, unless --skip or --replace is
/// given.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index add letters data/texts/eng
  dedup index add letters corpus.jsonl.zst --id-field id --skip
  dedup index add letters corpus.fp
  zcat article.gz | dedup index add letters - --id article
  dedup index add --unique letters news.jsonl --id-field id -o added.jsonl

Exit status: 0 all was read and added, 2 something failed or was skipped.")]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Files, folders, fingerprint files, or `-` for standard input
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Leave out documents whose id is already there
    #[arg(long, help_heading = "Additions", conflicts_with = "replace")]
    skip: bool,
    /// Replace documents whose id is already there
    #[arg(long, help_heading = "Additions")]
    replace: bool,
    /// Add only documents that `dedup clean` would not remove for one of the index or an earlier one of this run
    ///
    /// LEVEL is what the removal may claim: `same`, `contained` (the default) or `edited`. Each document that is not added
    /// is listed with the one that it resembles.
    #[arg(long, help_heading = "Additions", conflicts_with = "replace")]
    #[arg(value_enum, value_name = "LEVEL", num_args = 0..=1, require_equals = true, default_missing_value = "contained")]
    unique: Option<Remove>,
    /// Write the documents that --unique added
    ///
    /// As with `dedup clean`, NEW is a file if the input is one file, otherwise a folder.
    #[arg(long, short, value_name = "NEW", help_heading = "Additions", requires = "unique")]
    output: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Additions")]
    forcing: ForceArgs,
    /// Format of the list of documents not added
    #[arg(long, value_enum, default_value_t = Listed::Text, help_heading = "Additions", requires = "unique")]
    format: Listed,
    #[command(flatten)]
    removing: RemovalArgs,
    #[command(flatten, next_help_heading = "Additions")]
    authorship: AuthorArgs,
    #[command(flatten)]
    asking: QueryArgs,
}

impl Args {
    fn adding(&self) -> Result<Adding, Box<dyn Error>> {
        let QueryArgs { searching, .. } = &self.asking;
        let mut job = self.asking.job(&self.inputs)?;
        job.unique_ids = true;
        job.reading.fields.origin = self.authorship.field();
        let output =
            self.output.as_deref().map(|path| output(&self.inputs, path, None, false, &self.forcing)).transpose()?;
        job.selection.except.extend(output.iter().flat_map(Output::written));
        let claim = match self.unique {
            Some(unique) => Some(self.removing.claim(unique, "--unique=edited")?),
            None => self.removing.expect_none("--unique=edited").map(|()| None)?,
        };
        let unique = claim.map(|claim| Unique {
            claim,
            rules: self.removing.rules(),
            recall: searching.recall(),
            effort: self.asking.running.effort(),
        });
        let list: WriteList = |out, rejected| {
            let mut listing = Listing::new(out, Form::Jsonl);
            for rejected in rejected {
                listing.push(&removed(&rejected))?;
            }
            listing.finish::<Removed<'_>>()
        };
        let output = output.map(|output| (output, list));
        let known = match (self.skip, self.replace) {
            (true, _) => Known::Skip,
            (_, true) => Known::Replace,
            _ => Known::Refuse,
        };
        Ok(Adding { job, authors: self.authorship.authors(), known, unique, output })
    }
}

fn removed<'a>(rejected: &Rejected<'a>) -> Removed<'a> {
    let Rejected { id, resembles, figures, rules, removal, digests: [digest, other], document: _ } = *rejected;
    let seal = Seal::new((id, digest), Some((resembles, other)));
    let likeness = Likeness::from(Judged::of(figures, rules, removal));
    Removed { group: None, id, survivor: resembles, likeness, file: None, dates: None, seal }
}

pub(super) fn run(args: &Args, typed: &TypedForTexts) -> Result<Ending, Box<dyn Error>> {
    typed.check(&args.inputs)?;
    let adding = args.adding()?;
    let output = adding.output.as_ref().map(|(output, _)| output);
    let list = output.map(Output::removed);
    OutputGuard::of(&adding.job).force(&args.forcing).check(&[
        (output.map_or(Target::Output, target), args.output.as_deref()),
        (Target::Removed, list.as_deref()),
        (Target::Problems, args.asking.corpus.problems()),
    ])?;
    if let Some(output) = output.filter(|output| output.replaces) {
        check_foreign((&output.path, &output.kind), (&adding.job.inputs, &adding.job.selection))?;
    }
    super::is_outside(&args.index, &[args.output.as_deref(), list.as_deref(), args.asking.corpus.problems()])?;
    // What cannot be read is left out of the corpus of new documents, if one is written.
    let is_left_out = output.map(|_| false);
    let progress = args.asking.running.progress(&args.asking.corpus)?.copying(move |_| is_left_out);
    stop_on_ctrl_c();
    let mut outcome = Ok((Added::default(), None));
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        let mut written = Ok(());
        outcome = add(&args.index, &adding, &progress, &mut |rejected| {
            if written.is_ok() {
                progress.clear();
                written = listing.push(&removed(rejected));
            }
        });
        written?;
        if outcome.is_ok() && args.unique.is_some() { listing.finish::<Removed<'_>>() } else { Ok(()) }
    })?;
    progress.clear();
    let (added, tally) = match outcome {
        Err(error) if error.is_interruption() => {
            let next = if args.inputs.iter().any(|input| input.as_os_str() == "-") {
                "; standard input cannot be read again, so the same command starts from the beginning"
            } else {
                "; the same command resumes if it can, and else starts from the beginning"
            };
            return Err(format!("stopped; {} is unchanged{next}", args.index.display()).into());
        }
        outcome => outcome.map_err(super::of_inputs)?,
    };
    progress.finish()?;
    Ok(tell(args, &added, tally.as_ref(), &progress))
}

/// Prints what was added and what the index has now.
fn tell(args: &Args, added: &Added, tally: Option<&Tally>, progress: &Progress) -> Ending {
    let Added { added, replaced, known, repeated, rejected, crowded, all, unmerged, takes: _ } = added;
    if let Some(tally) = tally {
        progress.say(&reading::searched(tally));
    }
    let mut parts = vec![format!("added {}", counted(*added as u64, "document"))];
    let kinds = [
        (replaced, "of them replacing others"),
        (known, "left out, as their id was already there"),
        (repeated, "left out, as an earlier input has their id"),
        (rejected, "left out, as they resemble others"),
    ];
    parts.extend(
        kinds
            .into_iter()
            .filter(|(count, _)| **count > 0)
            .map(|(count, what)| format!("{} {what}", grouped(*count as u64))),
    );
    let are = if *all == 1 { "is" } else { "are" };
    let all = counted(*all as u64, "document");
    progress.say(&format!("{}: {}; {all} {are} in the index, on the disk", args.index.display(), parts.join(", ")));
    super::tell_unmerged(&args.index, unmerged.as_ref());
    if crowded.documents() > 0 {
        progress.say(&crowded_in_words(crowded.documents()));
    }
    let is_whole = !tally.is_some_and(Tally::is_incomplete) && *repeated == 0;
    if is_whole { Ending::Found } else { Ending::Incomplete }
}
