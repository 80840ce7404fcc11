//! `dedup man [COMMAND]`

use std::error::Error;

use super::Ending;
use super::output::to_stdout;

/// Write the manual page of the program or of one of its commands
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup man > dedup.1
  dedup man compare | man -l -

`man dedup` finds dedup.1 in a man1 folder of the manual's path, such as /usr/local/share/man/man1.")]
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
    let examples = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    let man = clap_mangen::Man::new(command.after_long_help(None).after_help(None)).title(name);
    let mut page = Vec::new();
    man.render(&mut page)?;
    // clap_mangen would join the examples' lines like prose; .nf keeps them.
    page.extend_from_slice(b".SH EXAMPLES\n.nf\n");
    for line in examples.trim_start_matches("Examples:").trim_start_matches('\n').lines() {
        page.extend_from_slice(format!("\\&{}\n", line.replace('\\', "\\\\").replace('-', "\\-")).as_bytes());
    }
    page.extend_from_slice(b".fi\n");
    to_stdout(|out| out.write_all(&page))?;
    Ok(Ending::Found)
}
