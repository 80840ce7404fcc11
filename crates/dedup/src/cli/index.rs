//! `dedup index COMMAND DIR`: a durable database of documents.

mod add;
mod create;
mod query;
mod remove;
mod sync;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use nearcopy::fingerprint::Options;
use nearcopy::store::index::{Editor, Segments};
use nearcopy_corpus::inputs::resolved;

use super::Ending;
use super::corpus::{Corpus, MessageArgs, RunArgs};
use super::find::SearchArgs;
use super::options::Output;
use super::output::{Listed, talk, to_stdout};
use super::signals::stop_on_ctrl_c;
use super::text_options::TypedForTexts;
use crate::jobs::fingerprint::Job;
use crate::report::counted;
use crate::report::fingerprints::Row;
use crate::report::index::Info;
use crate::report::listing::Listing;

/// Keep documents in an index on disk: add, query, remove, for years
///
/// An index is a folder. When a command ends, its change is on the disk, and a crash of the program or the machine
/// does not undo it. A change is applied as a whole or not at all. Any number of readers may use the index while one
/// run changes it.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index create letters
  dedup index add letters data/texts/eng
  dedup index query letters data/texts/eng/tides.edited.txt
  dedup index sync letters data/texts/eng
  dedup index add --unique letters data/web -o new
  dedup index remove letters data/texts/eng/tides.txt
  dedup index compact letters")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Create(create::Args),
    Add(add::Args),
    Sync(sync::Args),
    Query(query::Args),
    Remove(remove::Args),
    List(List),
    Info(Shown),
    Verify(Checked),
    Compact(Compact),
    Clear(Clear),
}

/// List the documents
///
/// Documents are listed roughly in the order in which they were added; replacements come later. The formats for
/// programs give every fingerprint with its figures, as `dedup cat` does. The index is checked as a whole first; if
/// it is damaged, nothing is listed.
#[derive(Debug, clap::Args)]
struct List {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Format of the list
    #[arg(long, value_enum, default_value_t = Listed::Text)]
    format: Listed,
}

/// Show the settings and the size of the index
#[derive(Debug, clap::Args)]
struct Shown {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Output::Text)]
    format: Output,
}

/// Check every byte of the index
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Each damaged file is named. `dedup index compact DIR --drop-damaged` keeps what is sound.

Exit status: 0 all is well, 2 something is damaged or missing.")]
struct Checked {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    #[command(flatten)]
    telling: MessageArgs,
}

/// Merge all segments into one, and drop removed documents for good
///
/// Removing a document only marks it: its text and fingerprint stay in a file until that file is merged with others
/// or compacted. Compacting needs about as much additional disk space as the index takes. If there is one segment and
/// nothing was removed, nothing is done and nothing is checked; `dedup index verify` checks.
#[derive(Debug, clap::Args)]
struct Compact {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Also drop segments with a damaged or missing file, and all documents in them
    ///
    /// Each dropped segment is reported. The sound ones are kept, and documents can be added again.
    #[arg(long)]
    drop_damaged: bool,
    #[command(flatten)]
    telling: MessageArgs,
}

/// Remove all documents for good, but keep the settings
#[derive(Debug, clap::Args)]
struct Clear {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    #[command(flatten)]
    telling: MessageArgs,
}

pub(super) fn run(args: &Args, typed: &TypedForTexts) -> Result<Ending, Box<dyn Error>> {
    match &args.command {
        Command::Create(args) => create::run(args),
        Command::Add(args) => add::run(args, typed),
        Command::Sync(args) => sync::run(args),
        Command::Query(args) => query::run(args, typed),
        Command::Remove(args) => remove::run(args),
        Command::List(args) => list(args),
        Command::Info(args) => info(args),
        Command::Verify(args) => verify(args),
        Command::Compact(args) => compact(args),
        Command::Clear(args) => clear(args),
    }
}

/// Checks that no output is inside the folder of an index.
fn is_outside(index: &Path, targets: &[Option<&Path>]) -> Result<(), String> {
    let folder = resolved(index);
    let inside = targets.iter().flatten().find(|path| resolved(path).starts_with(&folder));
    inside.map_or(Ok(()), |path| Err(format!("{}: would be inside the index; name a path outside", path.display())))
}

/// The error of a command that reads inputs, with the remedy where one of them is another index.
fn of_inputs(error: crate::Error) -> Box<dyn Error> {
    match error {
        crate::Error::Method(nearcopy::Error::NoText { path }) => format!(
            "{path}: is an index; name the texts that it was made of, or its fingerprint files ({path}/*.fp), in which \
             removed documents are too until `dedup index compact {path}`"
        )
        .into(),
        other => other.into(),
    }
}

/// Prints the reason why small segments were not merged, if any; the change itself is done.
fn tell_unmerged(index: &Path, why: Option<&impl std::fmt::Display>) {
    if let Some(why) = why {
        let index = index.display();
        talk(&format!("{index}: small segments were not merged; the next change tries again: {why}"));
    }
}

/// Arguments of the commands that compare texts with an index.
#[derive(Debug, clap::Args)]
struct QueryArgs {
    #[command(flatten)]
    searching: SearchArgs,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    running: RunArgs,
}

impl QueryArgs {
    /// The library's job; the fingerprint options come from the index.
    fn job(&self, inputs: &[PathBuf]) -> crate::Result<Job> {
        let mut job = self.corpus.job_with(inputs, Options::default(), &self.running)?;
        job.reading.temp = Some(self.searching.temp());
        Ok(job)
    }
}

fn list(args: &List) -> Result<Ending, Box<dyn Error>> {
    let segments = Segments::open(&args.index)?;
    segments.verify(&())?;
    to_stdout(|out| {
        let mut listing = Listing::new(out, args.format.form());
        for (segment, document) in segments.documents() {
            listing.push(&Row::of(segments.segments()[segment as usize].file(), document as usize))?;
        }
        listing.finish::<Row<'_>>()
    })?;
    Ok(Ending::Found)
}

fn info(args: &Shown) -> Result<Ending, Box<dyn Error>> {
    let segments = Segments::open(&args.index)?;
    let info = Info::new(&segments);
    to_stdout(|mut out| match args.format {
        Output::Json => info.write_json(&mut out),
        Output::Text => info.write(&mut out),
    })?;
    Ok(Ending::Found)
}

fn verify(args: &Checked) -> Result<Ending, Box<dyn Error>> {
    let progress = args.telling.progress(None)?;
    stop_on_ctrl_c();
    let checked = Segments::check(&args.index, &progress);
    progress.clear();
    let (segments, faults) = checked?;
    let (name, documents) = (args.index.display(), counted(segments.len() as u64, "document"));
    if faults.is_empty() {
        let files = counted(segments.segments().len() as u64, "segment");
        to_stdout(|out| {
            writeln!(out, "{}: {documents}, {files}, all is well", crate::report::shown(&name.to_string()))
        })?;
        return Ok(Ending::Found);
    }
    for fault in &faults {
        talk(&fault.to_string());
    }
    let damaged = counted(faults.len() as u64, "damaged segment");
    talk(&format!(
        "{name}: {damaged}; restore the folder from a copy, or run `dedup index compact {name} --drop-damaged`, which \
         drops the damage and keeps {documents}"
    ));
    Ok(Ending::Incomplete)
}

fn compact(args: &Compact) -> Result<Ending, Box<dyn Error>> {
    let progress = args.telling.progress(None)?;
    stop_on_ctrl_c();
    let (mut editor, faults) = if args.drop_damaged {
        Editor::open_sound(&args.index, &progress)?
    } else {
        (Editor::open(&args.index)?, Vec::new())
    };
    progress.clear();
    for fault in &faults {
        talk(&format!("dropped a segment with all its documents: {fault}"));
    }
    let before: usize = editor.segments().segments().iter().map(|segment| segment.file().len()).sum();
    let compacted = editor.compact(&progress);
    progress.clear();
    let is_done = compacted?;
    let after = editor.segments().len();
    let (documents, dropped) = (counted(after as u64, "document"), before - after);
    let what = match (is_done, &faults[..]) {
        (true, _) => format!("dropped {dropped} that had been removed"),
        (false, []) => "there was nothing to do, and nothing was checked; `dedup index verify` checks".into(),
        (false, _) => "there was nothing else to drop".into(),
    };
    progress.say(&format!("{}: {documents}; {what}", args.index.display()));
    Ok(Ending::Found)
}

fn clear(args: &Clear) -> Result<Ending, Box<dyn Error>> {
    let mut editor = Editor::open(&args.index)?;
    let documents = counted(editor.segments().len() as u64, "document");
    editor.clear()?;
    let progress = args.telling.progress(None)?;
    progress.say(&format!("{}: removed {documents}", args.index.display()));
    Ok(Ending::Found)
}
