//! `dedup explain FILE`

use std::error::Error;
use std::path::PathBuf;

use dedup::corpus::{Document, Source};
use dedup::pipeline::{Fingerprinter, explain};
use dedup::report::explanation;

use super::Ending;
use super::options::{Output, Reading, Recipe};
use super::output::to_stdout;

/// Show the pipeline at work on one text, stage by stage
///
/// Language, tokens, stop words, stems, n-grams with the bits of their Rabin
/// fingerprints, the running sums of the simhash, the simhash, and the minima of the
/// sketch. Long parts are shortened; --full shows all, and so does --format json.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup explain data/texts/eng/tides.txt
  dedup explain --full --no-stem --stop-words none data/texts/jpn/bees.txt
  dedup explain --format json data/web/windmill.html | jq '.ngrams[0]'")]
pub(super) struct Args {
    /// The text: a file, or `-` for standard input
    file: PathBuf,
    /// Show long parts whole
    #[arg(long, help_heading = "Output")]
    full: bool,
    #[command(flatten)]
    recipe: Recipe,
    #[command(flatten)]
    reading: Reading,
    /// What the result is written as
    #[arg(long, value_enum, default_value_t = Output::Text, help_heading = "Output")]
    format: Output,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let options = args.recipe.options()?;
    let fingerprinter = Fingerprinter::new(options.clone())?;
    let source = Source::open(&args.file)?;
    let document = Document::new(&args.file.display().to_string(), &source, args.reading.options()?)?;
    let explanation = explain(&document.text, &options);
    to_stdout(|mut out| match args.format {
        Output::Json => explanation::write_as_json(&mut out, &document, &explanation, fingerprinter.recipe()),
        Output::Text => explanation::write_text(&mut out, &document, &explanation, args.full),
    })?;
    Ok(Ending::Found)
}
