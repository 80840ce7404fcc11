//! `dedup page -o FILE`
//!
//! The page is made by `scripts/page` before the program is built, and is part of it (the feature `page`).

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use nearcopy_corpus::NewFile;

use super::output::talk;
use super::targets::ForceArgs;
use super::{Ending, output};

/// The page; `NEARCOPY_PAGE` names its file when the program is built.
static PAGE: &[u8] = include_bytes!(env!("NEARCOPY_PAGE"));

/// Write the page that compares essays in a browser, to hand to someone who has no command line
///
/// It is one file. Opened in a browser, it takes essays, two texts or a folder of documents, compares them on that
/// computer, and sends nothing.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup page -o nearcopy.html

Exit status: 0 the page was written, 2 something failed.")]
pub(super) struct Args {
    /// Path of the page; `-` writes it to standard output
    #[arg(long, short, value_name = "FILE", default_value = "nearcopy.html")]
    output: PathBuf,
    #[command(flatten)]
    forcing: ForceArgs,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    if args.output == Path::new("-") {
        output::to_stdout(|out| out.write_all(PAGE))?;
        return Ok(Ending::Found);
    }
    let name = nearcopy_corpus::source::name(&args.output);
    let mut page = NewFile::create(&args.output, args.forcing.replace())?;
    page.write_all(PAGE).map_err(|source| nearcopy::Error::Write { path: name.clone(), source })?;
    page.finish()?;
    talk(&format!("the page: {name}; open it in a browser"));
    Ok(Ending::Found)
}
