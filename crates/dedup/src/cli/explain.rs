//! `dedup explain FILE`

use std::error::Error;
use std::path::PathBuf;

use nearcopy::fingerprint::{Fingerprinter, explain};
use nearcopy_corpus::{self as corpus, Source, source};

use super::options::{Common, Output};
use super::output::{talk, to_stdout};
use super::{Ending, convert};
use crate::report::explanation;

/// Show the pipeline at work on one text, stage by stage
///
/// The stages are language, tokens, stop words, stems, n-grams with the bits of their Rabin fingerprints, the running
/// sums of the simhash (64 bits for what the text is about), the simhash, and the sketch (the least hashes of its runs of
/// words, which sample what it says). Long parts are shortened, except with --full or
/// --format json. All results are kept in memory, 20 bytes for each byte of text.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup explain data/texts/eng/tides.txt
  dedup explain --full --no-stem --stop-words none data/texts/jpn/bees.txt
  dedup explain --format json data/web/windmill.html | jq '.ngrams[0]'")]
pub(super) struct Args {
    /// The text: a file, or `-` for standard input
    file: PathBuf,
    /// Show long parts in full
    #[arg(long, help_heading = "Output")]
    full: bool,
    #[command(flatten)]
    common: Common,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let options = args.common.making.options()?;
    let fingerprinter = Fingerprinter::new(options.clone())?;
    let source = Source::open(&args.file)?;
    let (reading, converter) = (args.common.reading.options()?, args.common.reading.converting.converter()?);
    let document = corpus::document(&source::name(&args.file), &source, reading, &converter)?;
    for line in convert::in_words(&converter) {
        talk(&line);
    }
    let explanation = explain(&document.text, &options);
    to_stdout(|mut out| match args.common.format {
        Output::Json => explanation::write_as_json(&mut out, &document, &explanation, fingerprinter.recipe()),
        Output::Text => explanation::write_text(&mut out, &document, &explanation, args.full),
    })?;
    Ok(Ending::Found)
}
