//! `dedup index sync DIR FOLDER...`

use std::error::Error;
use std::path::PathBuf;

use nearcopy::texts::index::Known;

use super::super::Ending;
use super::super::corpus::AuthorArgs;
use super::super::signals::stop_on_ctrl_c;
use super::QueryArgs;
use crate::jobs::fingerprint::Tally;
use crate::jobs::index::{Adding, Comparing, sync};
use crate::report::{counted, reading};

/// Make the index follow folders: add what is new, read again what has changed, remove what is gone
///
/// A file is unchanged if its size and its time are as the index has them. A new file with the bytes and
/// the ending of one that is gone was renamed, and is not read again (unless --authors or --author-pattern reads the author
/// from its path). Name the folders as they were named when they were added; documents from elsewhere stay, and so do those
/// of files that cannot be read any more, of named folders that cannot be listed, are missing or have no file, and those
/// that --glob and --type leave out. A document with the id of another file's is named and left out. A file that could not
/// be read is tried again when it has changed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index sync letters data/texts/eng
  dedup index sync letters data/texts --digest

Exit status: 0 the index has what the folders have, but for files that could not be read before and have not
changed; 2 something failed or could not be read.")]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Folders and files
    #[arg(required = true, value_name = "FOLDER")]
    inputs: Vec<PathBuf>,
    /// Compare the bytes of files too, by their digests, and not size and time alone
    #[arg(long)]
    digest: bool,
    /// Try files again that could not be read before, for example since `--convert` can read them
    #[arg(long)]
    retry: bool,
    #[command(flatten)]
    authorship: AuthorArgs,
    #[command(flatten)]
    asking: QueryArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    if args.inputs.iter().any(|input| input.as_os_str() == "-") {
        return Err("standard input has no files to compare; use `dedup index add`".into());
    }
    let mut job = args.asking.job(&args.inputs)?;
    job.unique_ids = true;
    job.reading.fields.origin = args.authorship.field();
    let adding = Adding { job, authors: args.authorship.authors(), known: Known::Replace, unique: None, output: None };
    super::is_outside(&args.index, &[args.asking.corpus.problems()])?;
    let progress = args.asking.running.progress(&args.asking.corpus)?;
    stop_on_ctrl_c();
    let comparing = Comparing { by_digest: args.digest, retry: args.retry };
    let synced = sync(&args.index, &adding, comparing, &progress);
    progress.clear();
    let synced = match synced {
        Err(error) if error.is_interruption() => {
            return Err("stopped; the same command does what is left".into());
        }
        synced => synced?,
    };
    progress.finish()?;
    if let Some(tally) = &synced.tally {
        progress.say(&reading::searched(tally));
    }
    let documents = |count: u64| counted(count, "document");
    let new = (synced.added.added - synced.added.replaced) as u64;
    let unread = match synced.unread {
        0 => String::new(),
        count => format!(" ({} still unread)", counted(count, "file")),
    };
    progress.say(&format!(
        "{}: {} unchanged{unread}; added {}, renamed {}, replaced {}, removed {}",
        args.index.display(),
        counted(synced.unchanged, "file"),
        documents(new),
        synced.renamed,
        synced.added.replaced,
        synced.removed
    ));
    super::tell_unmerged(&args.index, synced.added.unmerged.as_ref());
    let is_incomplete = synced.unlisted > 0 || synced.tally.as_ref().is_some_and(Tally::is_incomplete);
    Ok(if is_incomplete { Ending::Incomplete } else { Ending::Found })
}
