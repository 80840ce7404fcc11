//! `dedup index create DIR`

use std::error::Error;
use std::path::PathBuf;

use nearcopy::Index;
use nearcopy::texts::index::Contents;

use super::super::Ending;
use super::super::find::chance;
use super::super::options::{FingerprintArgs, RuleArgs};

/// Make an index without documents
///
/// The options fix how texts become fingerprints, and hold for all later commands. The rules set the search tables of
/// the index, up to a distance of 7; for other rules `dedup index query` scans all documents.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup index create letters
  dedup index create essays --passages
  dedup index create titles --min 1 --max 2 --language deu --stop-words none")]
pub(super) struct Args {
    /// A folder that does not exist, or is empty
    #[arg(value_name = "DIR")]
    index: PathBuf,
    /// Also store the texts, for `dedup screen --against DIR`
    #[arg(long)]
    passages: bool,
    /// Leave out the shingles, the runs of words that exact figures need: 8 bytes for each distinct one
    ///
    /// The index is smaller, but only the Hamming rule can be applied to it.
    #[arg(long)]
    no_shingles: bool,
    /// Expected recall of documents whose Jaccard coefficient is exactly --similarity, from 0 to less than 1
    #[arg(long, value_name = "CHANCE", default_value = "0.995", value_parser = chance, help_heading = "Rules")]
    recall: f64,
    #[command(flatten)]
    judging: RuleArgs,
    #[command(flatten)]
    making: FingerprintArgs,
    /// Print only errors, which are all that this command prints
    #[arg(long, short, help_heading = "Running")]
    quiet: bool,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut contents = Contents::default();
    (contents.shingles, contents.passages) = (!args.no_shingles, args.passages);
    (contents.rules, contents.recall) = (args.judging.rules(), args.recall);
    Index::create(&args.index, &args.making.options()?, contents)?;
    Ok(Ending::Found)
}
