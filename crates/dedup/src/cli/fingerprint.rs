//! `dedup fingerprint INPUT... -o FILE`

use std::error::Error;
use std::path::PathBuf;

use super::Ending;
use super::corpus::{Corpus, RunArgs};
use super::elsewhere;
use super::options::FingerprintArgs;
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use crate::jobs::fingerprint;
use crate::report::reading;

/// Write the fingerprints of many documents to a file
///
/// Inputs are files, folders (with everything in them, in the order of names) and `-` for standard input. They
/// contain plain text, web pages, JSON Lines, CSV, TSV, Parquet, web archives, or one document a line, compressed or not. The
/// fingerprint file can be searched again and again with `dedup find`, without the texts.
///
/// Input that cannot be read is reported on standard error and counted; the rest is done, and the exit status is 2.
///
/// An interrupted run resumes at the first unfinished input file when the same command is started again. It starts
/// from the beginning if it reads standard input, or if something could not be read and --strict or --problems is
/// given, because these cover the whole run.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup fingerprint data/texts -o texts.fp
  dedup fingerprint corpus.jsonl.zst --id-field id -o corpus.fp
  zcat articles.gz | dedup fingerprint --input lines - -o articles.fp

Exit status: 0 all was read, 2 something failed or was skipped, or Ctrl-C stopped the run, 130 a second Ctrl-C
stopped it at once.")]
pub(super) struct Args {
    /// Files, folders, or `-` for standard input; a build with the feature remote also reads addresses (s3:, gs:, az:, https:, hf:)
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The fingerprint file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    forcing: ForceArgs,
    /// Leave out the shingles, the runs of words that exact figures need: 8 bytes for each distinct one
    ///
    /// The file is smaller, but only the Hamming rule can be applied to it.
    #[arg(long)]
    no_shingles: bool,
    /// Store a field of each document in the file, for `dedup find --keep field:NAME`
    #[arg(long, value_name = "NAME")]
    key_field: Option<String>,
    #[command(flatten)]
    corpus: Corpus,
    #[command(flatten)]
    making: FingerprintArgs,
    #[command(flatten)]
    running: RunArgs,
}

pub(super) fn run(mut args: Args) -> Result<Ending, Box<dyn Error>> {
    let (output, inputs, is_forced) = (Some(args.output.clone()), args.inputs.clone(), args.forcing.is_forced());
    elsewhere::run((output, &inputs), &std::env::temp_dir(), is_forced, |output| {
        args.output = output.unwrap_or_default();
        run_here(&args)
    })
}

/// The same with an output on this machine.
fn run_here(args: &Args) -> Result<Ending, Box<dyn Error>> {
    let mut job = args.corpus.job(&args.inputs, &args.making, &args.running)?;
    job.shingles = !args.no_shingles;
    job.reading.fields.key.clone_from(&args.key_field);
    OutputGuard::of(&job)
        .and(args.making.stop_words())
        .force(&args.forcing)
        .check(&[(Target::Fingerprints, Some(&args.output)), (Target::Problems, args.corpus.problems())])?;
    let progress = args.running.progress(&args.corpus)?;
    stop_on_ctrl_c();
    let outcome = fingerprint::to_file(&job, &args.output, args.forcing.replace(), &progress);
    progress.clear();
    let tally = match outcome {
        Err(error) if error.is_interruption() => {
            let next = match args.corpus.problems() {
                _ if !job.can_resume() => {
                    "The same command starts from the beginning, because standard input cannot be read again"
                }
                Some(_) => {
                    "The same command resumes at the first unfinished file, or starts from the beginning if something was \
                     skipped, so that --problems lists all of it"
                }
                None => "The same command resumes at the first unfinished file",
            };
            let is = if args.output.exists() { "unchanged" } else { "not written" };
            return Err(format!("stopped; {} is {is}. {next}", args.output.display()).into());
        }
        outcome => outcome?,
    };
    progress.finish()?;
    progress.say(&format!("{}: {}", args.output.display(), reading::searched(&tally)));
    if let Some(field) = args.key_field.as_ref().filter(|_| tally.keys == 0 && tally.documents > 0) {
        return Err(format!(
            "{}: no document has the field '{field}' of --key-field; check its name, and make the file again with --force",
            args.output.display()
        )
        .into());
    }
    Ok(if tally.skipped() > 0 { Ending::Incomplete } else { Ending::Found })
}
