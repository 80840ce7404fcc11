//! `dedup screen --save FILE SOURCES...`

use std::error::Error;
use std::path::Path;

use nearcopy::fingerprint::Options;

use super::super::Ending;
use super::super::signals::stop_on_ctrl_c;
use super::super::targets::{OutputGuard, Target};
use super::Args;
use crate::jobs::fingerprint;
use crate::report::reading;

/// Writes an archive of sources.
pub(super) fn save(args: &Args, output: &Path) -> Result<Ending, Box<dyn Error>> {
    let mut options = Options::default();
    options.text.language = args.language()?;
    let job = fingerprint::Job {
        inputs: args.suspicious.clone(),
        selection: args.corpus.selection(),
        reading: args.reading()?,
        options,
        shingles: true,
        passages: Some(args.authorship.authors()),
        strict: args.corpus.is_strict(),
        unique_ids: true,
        threads: args.running.threads(),
    };
    OutputGuard::of(&job)
        .force(&args.forcing)
        .check(&[(Target::Fingerprints, Some(output)), (Target::Problems, args.corpus.problems())])?;
    let progress = args.running.progress(&args.corpus)?;
    stop_on_ctrl_c();
    let tally = fingerprint::to_file(&job, output, args.forcing.replace(), &progress);
    progress.clear();
    let tally = tally?;
    progress.finish()?;
    progress.say(&format!("{}: {}", output.display(), reading::searched(&tally)));
    Ok(if tally.is_incomplete() { Ending::Incomplete } else { Ending::Found })
}
