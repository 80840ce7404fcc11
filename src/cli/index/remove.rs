//! `dedup index remove DIR ID...`

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use dedup::index::segments::{Editor, Place};

use super::super::Ending;
use super::super::output::talk;
use super::Telling;

/// Remove documents by their ids
///
/// They are found no more when the command ends. Their texts and fingerprints stay in the files until
/// these are merged with others, or until `dedup index compact`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index remove letters data/texts/eng/tides.txt
  dedup index remove letters --from gone.txt
  dedup index list letters | grep ^spam/ | dedup index remove letters --from -

Exit status: 0 all were removed, 2 something failed, or some were not there.")]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// The ids
    #[arg(value_name = "ID", required_unless_present = "from")]
    ids: Vec<String>,
    /// File of further ids, one a line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    telling: Telling,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut ids = args.ids.clone();
    if let Some(path) = &args.from {
        let read = lines(path);
        ids.extend(read.map_err(|source| dedup::Error::Read { path: path.display().to_string(), source })?);
    }
    let mut editor = Editor::open(&args.index)?;
    let progress = args.telling.progress();
    let (mut places, mut missing): (HashSet<Place>, u64) = (HashSet::new(), 0);
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
    let places: Vec<Place> = places.into_iter().collect();
    if !places.is_empty() {
        editor.change(&[], &places, &progress)?;
    }
    progress.clear();
    super::tell_unmerged(&args.index, editor.unmerged());
    let missed = if missing > 0 { format!("; {missing} were not there") } else { String::new() };
    let (removed, left) = (places.len(), editor.segments().len());
    progress.say(&format!("{}: removed {removed} documents{missed}; {left} are left", args.index.display()));
    Ok(if missing > 0 { Ending::Incomplete } else { Ending::Found })
}

fn lines(path: &Path) -> io::Result<Vec<String>> {
    if path == Path::new("-") {
        io::stdin().lines().collect()
    } else {
        BufReader::new(File::open(path)?).lines().collect()
    }
}
