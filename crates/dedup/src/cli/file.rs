//! `dedup info`, `dedup verify` and `dedup cat`: the contents of a fingerprint file.

use std::error::Error;
use std::path::PathBuf;

use nearcopy::store::file::map::FingerprintFile;
use nearcopy_corpus::{NewFile, source};

use super::Ending;
use super::options::Output;
use super::output::{talk, to_stdout};
use super::progress::Progress;
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use crate::report::{counted, fingerprints, shown};

/// Show the recipe and the size of a fingerprint file
///
/// The report has the recipe, the number of documents and the sizes of the sections. The file is not read as a whole;
/// `dedup verify` does that.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup info texts.fp
  dedup info --format json texts.fp | jq .recipe")]
pub(super) struct Info {
    /// The fingerprint file
    file: PathBuf,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Output::Text)]
    format: Output,
}

/// Check every byte of fingerprint files
///
/// The check covers the checksums of all sections and every record: offsets, ids, the order of shingles. Each damaged
/// file is named with its first fault.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup verify texts.fp

Exit status: 0 all is well, 2 something is damaged.")]
pub(super) struct Verify {
    /// The fingerprint files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Write the fingerprints of a file as JSON Lines, or as Parquet
///
/// Each document gives one object: id, simhash (16 hex digits), sketch (the MinHash minima), digest, language, counts, and the file and
/// record that it came from. The file is checked as a whole first; if it is damaged, nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup cat texts.fp | jq -r 'select(.language == \"eng\") | .simhash'
  dedup cat texts.fp -o texts.parquet")]
pub(super) struct Cat {
    /// The fingerprint file
    file: PathBuf,
    /// Write a Parquet file for query engines instead: a path that ends in .parquet
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    forcing: ForceArgs,
}

pub(super) fn info(args: &Info) -> Result<Ending, Box<dyn Error>> {
    let file = FingerprintFile::open(&args.file)?;
    let name = source::name(&args.file);
    to_stdout(|mut out| match args.format {
        Output::Json => fingerprints::write_info_json(&mut out, &name, &file),
        Output::Text => fingerprints::write_info(&mut out, &name, &file),
    })?;
    Ok(Ending::Found)
}

pub(super) fn verify(args: &Verify) -> Result<Ending, Box<dyn Error>> {
    let mut ending = Ending::Found;
    for path in &args.files {
        match FingerprintFile::open(path).and_then(|file| file.verify().map(|()| file)) {
            Ok(file) => {
                let name = source::name(path);
                to_stdout(|out| {
                    writeln!(out, "{}: {}, all is well", shown(&name), counted(file.len() as u64, "document"))
                })?;
            }
            Err(error) => {
                talk(&error.to_string());
                ending = Ending::Incomplete;
            }
        }
    }
    Ok(ending)
}

pub(super) fn cat(args: &Cat) -> Result<Ending, Box<dyn Error>> {
    if let Some(path) = args.output.as_deref().filter(|path| path.extension().is_none_or(|ending| ending != "parquet"))
    {
        let name = source::name(path);
        return Err(format!(
            "{name}: -o writes Parquet; name a file that ends in .parquet, or redirect the JSON Lines"
        )
        .into());
    }
    OutputGuard::of_files(&[&args.file]).force(&args.forcing).check(&[(Target::Table, args.output.as_deref())])?;
    let file = FingerprintFile::open(&args.file)?;
    match &args.output {
        None => {
            file.verify()?;
            to_stdout(|mut out| fingerprints::write_jsonl(&mut out, &file))?;
        }
        Some(path) => {
            stop_on_ctrl_c();
            let new = NewFile::create(path, args.forcing.replace())?;
            let progress = Progress::new(true, None);
            file.verify_watched(&progress)?;
            fingerprints::to_parquet(new, path, &file, &progress)?;
        }
    }
    Ok(Ending::Found)
}
