//! `dedup man [COMMAND]`

use std::error::Error;

use super::Ending;
use super::output::to_stdout;

/// Write the manual page, of the program or of one of its commands
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup man > dedup.1
  dedup man compare | man -l -

The page of `compare` has examples that run on data/, as this one has.")]
pub(super) struct Args {
    /// The command; without one, the page of the program
    command: Option<String>,
}

pub(super) fn run(args: &Args, mut command: clap::Command) -> Result<Ending, Box<dyn Error>> {
    command.build();
    let (command, name) = match &args.command {
        None => (command, "dedup".to_owned()),
        Some(name) => {
            let found = command.find_subcommand(name).filter(|found| !found.is_hide_set());
            let found = found.ok_or_else(|| format!("there is no command '{name}'; `dedup --help` lists them"))?;
            (found.clone(), format!("dedup-{name}"))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).title(name).render(&mut page)?;
    to_stdout(|out| out.write_all(&page))?;
    Ok(Ending::Found)
}
