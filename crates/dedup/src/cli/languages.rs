//! `dedup languages`

use std::error::Error;

use super::Ending;
use super::options::Output;
use super::output::to_stdout;
use crate::report::languages;

/// List the languages and the support for each
///
/// Each row has the codes and the name of a language, whether it is detected, its number of stop words, its stemmer,
/// and whether its words are found by spaces or by a dictionary. Texts in any other language are compared too, as
/// `und`: without stop words and stemming.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup languages
  dedup languages --format json | jq -r '.[] | select(.stemmer) | .name'
  dedup compare --language catalan data/texts/cat/bees.txt data/texts/cat/bees.edited.txt")]
pub(super) struct Args {
    /// Format of the table
    #[arg(long, value_enum, default_value_t = Output::Text)]
    format: Output,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    to_stdout(|mut out| match args.format {
        Output::Json => languages::write_as_json(&mut out),
        Output::Text => languages::write_text(&mut out),
    })?;
    Ok(Ending::Found)
}
