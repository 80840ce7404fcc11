//! `dedup index remove DIR ID...`

use std::collections::HashSet;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use dedup::corpus::source;
use dedup::index::segments::{Editor, Place};
use dedup::report::counted;

use super::super::Ending;
use super::super::corpus::Telling;
use super::super::output::talk;

/// Longest line of a list, in bytes: an id, or an object with one and a sketch beside it, is far shorter.
const MAX_LINE: u64 = 16 << 20;

/// Remove documents by their ids
///
/// They are found no more when the command ends. Their texts and fingerprints stay in the files until
/// these are merged with others, or until `dedup index compact`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index remove letters data/texts/eng/tides.txt
  dedup index remove letters --from gone.txt
  dedup index list letters | grep ^spam/ | dedup index remove letters --from -
  dedup index list letters --format jsonl | jq -c 'select(.tokens < 5)' | dedup index remove letters --from -

Exit status: 0 all were removed, 2 something failed, or some were not there.")]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// The ids
    #[arg(value_name = "ID", required_unless_present = "from")]
    ids: Vec<String>,
    /// File of further ids, `-` for standard input: one a line, empty lines left out, or JSON
    /// Lines of objects with an id, as `dedup index list --format jsonl` writes them; the first line
    /// tells which. Ids with a line break or another control character in them need JSON Lines
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    #[command(flatten)]
    telling: Telling,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut ids = args.ids.clone();
    if let Some(path) = &args.from {
        ids.extend(listed(path).map_err(|wrong| wrong.in_words(&source::name(path)))?);
    }
    let mut editor = Editor::open(&args.index)?;
    let progress = args.telling.progress(None)?;
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
    let be = |count: u64, one, many| if count == 1 { one } else { many };
    let missed = match missing {
        0 => String::new(),
        _ => format!("; {missing} {} not there", be(missing, "was", "were")),
    };
    let (removed, left) = (counted(places.len() as u64, "document"), editor.segments().len() as u64);
    let left = format!("{left} {} left", be(left, "is", "are"));
    progress.say(&format!("{}: removed {removed}{missed}; {left}", args.index.display()));
    Ok(if missing > 0 { Ending::Incomplete } else { Ending::Found })
}

/// What a line of JSON says of a document.
#[derive(serde::Deserialize)]
struct Listed {
    id: String,
}

/// What is wrong with a list.
#[derive(Debug)]
enum Wrong {
    Unreadable(io::Error),
    /// A line by its number, and what is wrong with it.
    Line(u64, &'static str),
}

impl Wrong {
    fn in_words(self, name: &str) -> String {
        match self {
            Self::Unreadable(source) => dedup::Error::Read { path: name.into(), source }.to_string(),
            Self::Line(number, what) => format!("{name}, line {number}: {what}; nothing was removed"),
        }
    }
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The ids of a list, each once: memory is that of different ids, whatever is read.
fn listed(path: &Path) -> Result<Vec<String>, Wrong> {
    let mut from: Box<dyn BufRead> =
        if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(BufReader::new(File::open(path)?)) };
    let (mut ids, mut seen, mut is_json) = (Vec::new(), HashSet::new(), None);
    for number in 1.. {
        let mut line = Vec::new();
        let read = from.by_ref().take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
        let wrong = |what| Err(Wrong::Line(number, what));
        if read == 0 {
            break;
        }
        if read as u64 > MAX_LINE {
            return wrong("is longer than 16 MiB, as no id is; name a list of one id a line");
        }
        let line = line.strip_suffix(b"\n").map_or(&line[..], |line| line.strip_suffix(b"\r").unwrap_or(line));
        let Ok(line) = std::str::from_utf8(line) else {
            return wrong("is not UTF-8, as ids are; name a list of one id a line");
        };
        if line.is_empty() {
            continue;
        }
        let of_json = || serde_json::from_str(line).ok().map(|Listed { id }| id);
        let id = match is_json {
            Some(false) => line.to_owned(),
            Some(true) => match of_json() {
                Some(id) => id,
                None => return wrong("is no JSON object with an id, as the lines before it are"),
            },
            None => {
                let id = of_json();
                is_json = Some(id.is_some());
                id.unwrap_or_else(|| line.to_owned())
            }
        };
        if seen.insert(blake3::hash(id.as_bytes())) {
            ids.push(id);
        }
    }
    Ok(ids)
}
