//! `dedup index remove DIR ID...`

use std::collections::HashSet;
use std::error::Error;
use std::path::PathBuf;

use nearcopy::store::index::{Address, Editor};

use super::super::Ending;
use super::super::corpus::MessageArgs;
use super::super::output::talk;
use super::super::removals;
use crate::report::counted;

/// Remove documents by their ids
///
/// Removed documents are no longer found when the command ends. Their texts and fingerprints stay in the files until
/// these are merged with others, or until `dedup index compact`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index remove letters data/texts/eng/tides.txt
  dedup index remove letters --from gone.txt
  dedup index list letters | grep ^spam/ | dedup index remove letters --from -
  dedup index list letters --format jsonl | jq -c 'select(.tokens < 5)' | dedup index remove letters --from -

Exit status: 0 all were removed, 2 something failed, or some ids were not found.")]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Ids of the documents
    #[arg(value_name = "ID", required_unless_present = "from")]
    ids: Vec<String>,
    /// File of further ids, `-` for standard input
    ///
    /// It has one id a line, empty lines ignored, or JSON Lines or CSV with an `id`, as `dedup index list` and `dedup
    /// clean` write them; the first line decides which. An id that contains a line break or another control character
    /// needs JSON Lines or CSV. The texts are not compared with the digests of such a list.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    telling: MessageArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut ids = args.ids.clone();
    if let Some(path) = &args.from {
        ids.extend(removals::read(path)?.lines.into_iter().map(|line| line.id));
    }
    let mut editor = Editor::open(&args.index)?;
    let progress = args.telling.progress(None)?;
    let (mut places, mut missing): (HashSet<Address>, u64) = (HashSet::new(), 0);
    for id in &ids {
        if let Some(place) = editor.segments().find(id) {
            places.insert(place);
            continue;
        }
        missing += 1;
        if missing <= 20 {
            talk(&format!("{}: no document has the id '{id}'", args.index.display()));
        }
    }
    let places: Vec<Address> = places.into_iter().collect();
    if !places.is_empty() {
        editor.change(&[], &places, &progress)?;
    }
    progress.clear();
    super::tell_unmerged(&args.index, editor.unmerged());
    let be = |count: u64, one, many| if count == 1 { one } else { many };
    let missed = match missing {
        0 => String::new(),
        _ => format!("; {missing} {} not found", be(missing, "was", "were")),
    };
    let (removed, left) = (counted(places.len() as u64, "document"), editor.segments().len() as u64);
    let left = format!("{left} {} left", be(left, "is", "are"));
    progress.say(&format!("{}: removed {removed}{missed}; {left}", args.index.display()));
    Ok(if missing > 0 { Ending::Incomplete } else { Ending::Found })
}
