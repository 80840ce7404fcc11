//! `dedup index create DIR`

use std::error::Error;
use std::path::PathBuf;

use nearcopy::Index;
use nearcopy::pipeline::index::Contents;

use super::super::Ending;
use super::super::find::chance;
use super::super::options::{Judging, Making};

/// Make an index without documents
///
/// How its texts become fingerprints is settled here, once: later commands need not be told. The
/// rules say for which questions there are search tables (a distance of 7 at most); `dedup index query` answers
/// others by a look at every document.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index create letters
  dedup index create essays --passages
  dedup index create titles --min 1 --max 2 --language deu --stop-words none")]
pub(super) struct Args {
    /// A folder that is not there yet, or is empty
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Keep the texts too, and what passages need: `dedup screen --against DIR` can use the index
    #[arg(long)]
    passages: bool,
    /// Leave out the shingles, 8 bytes for each distinct n-gram: the index gets small, but only
    /// the Hamming rule can be asked of it
    #[arg(long)]
    no_shingles: bool,
    /// Chance to find a document whose Jaccard coefficient is just --similarity
    #[arg(long, value_name = "CHANCE", default_value = "0.995", value_parser = chance, help_heading = "Rules")]
    recall: f64,
    #[command(flatten)]
    judging: Judging,
    #[command(flatten)]
    making: Making,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let (shingles, passages, rules) = (!args.no_shingles, args.passages, args.judging.rules());
    let kept = Contents { shingles, passages, rules, recall: args.recall };
    Index::create(&args.index, &args.making.options()?, kept)?;
    Ok(Ending::Found)
}
