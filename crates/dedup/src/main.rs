//! The command-line program: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(nearcopy_dedup::cli::main(std::env::args_os().collect()))
}
