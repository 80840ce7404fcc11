//! The command line: arguments become the library's own options, and the library never sees clap.
//!
//! Each subcommand has a file. `bare.rs` parses the two-file form, and `options.rs` has the arguments that several
//! subcommands share. The program calls [`main`], and so does the command that the Python package installs.

mod apply;
mod audit;
mod bare;
mod brief;
mod clean;
mod compare;
mod completions;
mod convert;
mod corpus;
mod decontaminate;
mod elsewhere;
mod endings;
mod explain;
mod file;
mod find;
mod fingerprint;
mod index;
mod keep;
mod languages;
mod lexicon;
mod man;
mod not_selected;
mod options;
mod output;
mod overview;
#[cfg(feature = "page")]
mod page;
mod progress;
mod removals;
mod screen;
mod settings;
mod shards;
mod signals;
mod stays;
mod targets;
mod text_options;

use std::error::Error;
use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::OnceLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::error::{in_words, is_interruption};
use crate::report::{is_safe, shown};
use text_options::TypedForTexts;

/// Near-duplicate text detector: how alike are these texts, and why?
///
/// Compares texts in any language by SimHash over Rabin fingerprints of their
/// words' n-grams, with MinHash and exact Jaccard beside it.
///
/// Two files alone are compared by the rule of Charikar's algorithm (Hamming
/// distance at most 3); `max N` and `min N` are the sizes of n-grams, in terms.
#[derive(Debug, Parser)]
#[command(
    name = "dedup",
    version,
    override_usage = "dedup FILE1 FILE2 [max N] [min N]\n       dedup <COMMAND> [OPTIONS]",
    after_help = "Exit status: 0 near-duplicates, 1 none, 2 something failed, 130 stopped by a second Ctrl-C.",
    after_long_help = "Examples:
  dedup data/texts/eng/tides.txt data/texts/eng/tides.edited.txt max 3 min 3
  dedup compare data/web/lighthouse-a.html data/web/lighthouse-b.html
  dedup explain data/texts/cmn/bees.txt
  dedup find data/texts
  dedup audit data/texts
  dedup clean --dry-run data/texts
  dedup screen data/texts/eng
  dedup index --help

If a file has the name of a command, write it with its folder (./compare) or after `--`:
  dedup -- compare max

Exit status: 0 near-duplicates, 1 none, 2 something failed, 130 stopped by a second Ctrl-C."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Compare(compare::Args),
    Fingerprint(fingerprint::Args),
    Find(find::Args),
    Clean(clean::Args),
    Screen(screen::Args),
    Decontaminate(decontaminate::Args),
    Audit(audit::Args),
    Apply(apply::Args),
    Index(index::Args),
    Info(file::Info),
    Verify(file::Verify),
    Cat(file::Cat),
    Explain(explain::Args),
    Languages(languages::Args),
    Lexicon(lexicon::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[cfg(feature = "page")]
    Page(page::Args),
}

/// The result of a command that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// Near-duplicates were found, or the requested output was written.
    Found,
    /// Nothing was found.
    NotFound,
    /// Something was skipped and reported; the rest was done.
    Incomplete,
}

impl Ending {
    /// That of a command whose work is done, given whether it skipped something.
    fn after(skipped: bool) -> Self {
        if skipped { Self::Incomplete } else { Self::Found }
    }
}

/// The outcome of a command that writes all of its output or nothing, an interruption in words.
fn all_or_nothing<T>(outcome: Result<T, Box<dyn Error>>) -> Result<T, Box<dyn Error>> {
    outcome.map_err(|error| if is_interruption(&*error) { "stopped; nothing was written".into() } else { error })
}

/// The error of a corpus of which nothing could be read: a mistyped field must not replace a good file by an empty one.
const NOTHING_READ: &str = "no document could be read, so nothing is written; the reasons are above";

/// What the program says that is given nothing to do.
const JOBS: &str = "dedup: name a job:
  dedup FILE1 FILE2              how alike two texts are, and why
  dedup find FOLDER              which documents are near-duplicates or versions of each other
  dedup audit FOLDER             what every file is to the others, with a plan that can be undone
  dedup clean CORPUS -o OUT      a corpus without the documents that others make dispensable
  dedup screen ESSAYS            which passages documents share, copied or rewritten
  dedup decontaminate CORPUS     which items of test sets stand in a corpus
  dedup index --help             a collection on disk that tells what a new document is near to
`dedup --help` lists all commands, and `dedup COMMAND --help` has examples";

/// The arguments of this run, the program's name first. Those of the process may begin with an interpreter.
static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs the command line, the program's name first; returns the exit code.
pub fn main(args: Vec<OsString>) -> u8 {
    let mut args = TYPED.get_or_init(|| args).clone();
    signals::outlive_signals();
    let command = Cli::command();
    if args.len() < 2 {
        // Nobody reads a closed stream.
        let _ = writeln!(io::stderr(), "{JOBS}");
        return 2;
    }
    let page = brief::page(&mut args);
    let invocation = match bare::rewrite(args, &command) {
        Ok(invocation) => invocation,
        Err(message) => return failed(&message),
    };
    let mut command = brief::brief(command, page);
    let parsed = command.try_get_matches_from_mut(invocation.args).and_then(|matches| {
        let cli = Cli::from_arg_matches(&matches)?;
        let (innermost, matches) = innermost(&command, &matches);
        settings::note(innermost, matches);
        Ok((cli, TypedForTexts::of(innermost, matches)))
    });
    let (cli, typed) = match parsed.map_err(|error| suggesting_report(error, &command).format(&mut command)) {
        Ok(parsed) => parsed,
        Err(error) => {
            let printed = print(&error).and_then(|()| io::stdout().flush());
            // If standard error is closed, a wrong argument cannot be reported.
            return match output::written(printed) {
                Err(error) => failed(&error.to_string()),
                Ok(()) => u8::try_from(error.exit_code()).unwrap_or(2),
            };
        }
    };
    let ending = match cli.command {
        Command::Compare(args) => compare::run(&args, invocation.is_bare),
        Command::Fingerprint(args) => fingerprint::run(args),
        Command::Find(args) => find::run(&args, &typed),
        Command::Clean(args) => clean::run(args),
        Command::Screen(args) => screen::run(&args),
        Command::Decontaminate(args) => decontaminate::run(args),
        Command::Audit(args) => audit::run(&args),
        Command::Apply(args) => apply::run(&args),
        Command::Index(args) => index::run(&args, &typed),
        Command::Info(args) => file::info(&args),
        Command::Verify(args) => file::verify(&args),
        Command::Cat(args) => file::cat(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Languages(args) => languages::run(&args),
        Command::Lexicon(args) => lexicon::run(&args),
        Command::Completions(args) => completions::run(&args, &mut command),
        Command::Man(args) => man::run(&args, command),
        #[cfg(feature = "page")]
        Command::Page(args) => page::run(&args),
    };
    for note in nearcopy_corpus::storage_notes() {
        output::talk(&format!("note: {note}"));
    }
    match ending {
        Ok(Ending::Found) => 0,
        Ok(Ending::NotFound) => 1,
        Ok(Ending::Incomplete) => 2,
        Err(_) if signals::is_without_memory() => failed(signals::TOO_LITTLE),
        Err(error) => failed(&in_words(&*error)),
    }
}

/// The command that was given, however deep it is nested, and its arguments.
fn innermost<'a>(
    command: &'a clap::Command,
    matches: &'a clap::ArgMatches,
) -> (&'a clap::Command, &'a clap::ArgMatches) {
    let nested = matches.subcommand().and_then(|(name, matches)| Some((command.find_subcommand(name)?, matches)));
    nested.map_or((command, matches), |(command, matches)| innermost(command, matches))
}

/// Prints help or an error of clap. One that repeats an argument which would control the terminal is printed without
/// colours, as these are control characters too.
fn print(error: &clap::Error) -> io::Result<()> {
    if typed_arguments().iter().all(|argument| argument.to_string_lossy().chars().all(is_safe)) {
        return error.print();
    }
    let message = error.render().to_string();
    message.lines().try_for_each(|line| writeln!(io::stderr(), "{}", shown(line)))
}

/// The error of an unknown option. `--html` makes the page of `dedup screen`; other commands make theirs by `--report`,
/// which clap does not find similar.
fn suggesting_report(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let named = typed_arguments().first().and_then(|name| command.find_subcommand(name));
    let has_report = named.is_some_and(|command| command.get_arguments().any(|arg| arg.get_long() == Some("report")));
    let is_html = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(option)) => option == "--html" || option.starts_with("--html="),
        _ => false,
    };
    if error.kind() == ErrorKind::UnknownArgument && is_html && has_report {
        error.remove(ContextKind::Suggested);
        error.insert(ContextKind::SuggestedArg, ContextValue::String("--report".into()));
    }
    error
}

/// The arguments after the program's name.
fn typed_arguments() -> &'static [OsString] {
    TYPED.get().and_then(|args| args.get(1..)).unwrap_or_default()
}

fn failed(message: &str) -> u8 {
    output::talk(message);
    2
}
