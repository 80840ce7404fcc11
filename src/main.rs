//! The command-line program: parse, run, exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(std::env::args_os().collect())
}
