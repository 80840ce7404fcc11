//! `dedup completions SHELL`

use std::error::Error;

use clap_complete::Shell;

use super::Ending;
use super::output::to_stdout;

/// Write a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup completions bash > ~/.local/share/bash-completion/completions/dedup
  dedup completions fish > ~/.config/fish/completions/dedup.fish

With the script installed, the tab key completes --sim after `dedup compare` to --similarity.")]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args, command: &mut clap::Command) -> Result<Ending, Box<dyn Error>> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "dedup", &mut script);
    to_stdout(|out| out.write_all(&script))?;
    Ok(Ending::Found)
}
