//! `dedup lexicon COMMAND`: dictionaries for `dedup screen --lexicon`.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use nearcopy::text::Language;
use nearcopy::translate::Lexicon;
use nearcopy_corpus::source;

use super::Ending;
use super::corpus::MessageArgs;
use super::options::Output;
use super::output::to_stdout;
use super::progress::Progress;
use super::signals::stop_on_ctrl_c;
use super::targets::{ForceArgs, OutputGuard, Target};
use crate::jobs::lexicon::{Imported, Job, import, join};
use crate::report::lexicon;

/// Make a lexicon of dictionaries, by which `dedup screen` finds translated passages
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup lexicon import de-en.tsv -o de-en.lex
  dedup lexicon chain de-en.lex en-fr.lex -o de-fr.lex
  dedup lexicon info de-en.lex")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Import(Import),
    Chain(Chain),
    Info(Info),
}

/// Write a lexicon of one or several dictionaries between two languages
///
/// Formats are recognised: dictd, as in Debian's packages dict-freedict-* (NAME.index with NAME.dict.dz beside it; name
/// either), tables of a word and its translations with tabs between, CC-CEDICT, and Apertium's .dix. The first eight
/// translations of an entry are used. Words are stemmed and written as hashes; the lexicon names the dictionary, its
/// licence as far as stated, and the digests of its files.
///
/// The languages are those that the file's name tells, as in freedict-deu-eng.index, else those of --from and --to. A
/// dictionary of the other direction may be added: it is turned. A file whose name tells other languages than --from and
/// --to is an error. A message names a file whose headwords look like the language of its translations, and the other way
/// round.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup lexicon import /usr/share/dictd/freedict-deu-eng.index /usr/share/dictd/freedict-eng-deu.index -o de-en.lex
  dedup lexicon import /usr/share/dictd/mueller7.index --from eng --to rus -o ru-en.lex
  dedup lexicon import words.tsv --from deu --to eng -o de-en.lex

Exit status: 0 the lexicon is written, 2 something failed.")]
struct Import {
    /// The files of the dictionaries
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The lexicon
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Language of the headwords, if the names of the files do not tell it
    #[arg(long, value_name = "LANGUAGE", requires = "to")]
    from: Option<Language>,
    /// Language of the translations
    #[arg(long, value_name = "LANGUAGE", requires = "from")]
    to: Option<Language>,
    #[command(flatten)]
    forcing: ForceArgs,
    #[command(flatten)]
    telling: MessageArgs,
}

/// Write a lexicon between two languages out of two lexicons that share a third
///
/// A word of one and a word of the other language translate each other if a word of the third translates both. A word of
/// the third with few translations counts more than one with many, and a pair is kept if it is among the sixteen best of
/// either word. Such a lexicon is less certain than a dictionary: use it where there is none.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup lexicon chain de-en.lex en-fr.lex -o de-fr.lex

Exit status: 0 the lexicon is written, 2 something failed.")]
struct Chain {
    /// The lexicon of the first language
    #[arg(value_name = "FIRST")]
    first: PathBuf,
    /// The lexicon of the second
    #[arg(value_name = "SECOND")]
    second: PathBuf,
    /// The lexicon to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    forcing: ForceArgs,
    #[command(flatten)]
    telling: MessageArgs,
}

/// Show what a lexicon was made of
///
/// The report has the languages, the number of pairs of words, the dictionary and its licence, and the digest of each
/// file. The whole lexicon is checked.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  dedup lexicon info de-en.lex
  dedup lexicon info --format json de-en.lex | jq -r .licence")]
struct Info {
    /// The lexicon
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Output::Text)]
    format: Output,
}

pub(super) fn run(args: &Args) -> Result<Ending, Box<dyn Error>> {
    match &args.command {
        Command::Import(args) => run_import(args),
        Command::Chain(args) => run_chain(args),
        Command::Info(args) => run_info(args),
    }
}

fn run_import(args: &Import) -> Result<Ending, Box<dyn Error>> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    OutputGuard::of_files(&inputs).force(&args.forcing).check(&[(Target::Lexicon, Some(&args.output))])?;
    let languages = args.from.zip(args.to).map(|(from, to)| [from, to]);
    if let Some([from, to]) = languages.filter(|[from, to]| from == to || !(from.is_determined() && to.is_determined()))
    {
        let [from, to] = [from.name(), to.name()];
        return Err(format!("--from is {from} and --to is {to}; a lexicon is of two different languages").into());
    }
    let job =
        Job { files: args.files.clone(), output: args.output.clone(), languages, replace: args.forcing.replace() };
    let progress = args.telling.progress(None)?;
    stop_on_ctrl_c();
    let imported = import(&job, &progress);
    progress.clear();
    say(&progress, &args.output, &imported?);
    Ok(Ending::Found)
}

fn run_chain(args: &Chain) -> Result<Ending, Box<dyn Error>> {
    let inputs = [args.first.as_path(), args.second.as_path()];
    OutputGuard::of_files(&inputs).force(&args.forcing).check(&[(Target::Lexicon, Some(&args.output))])?;
    let progress = args.telling.progress(None)?;
    say(&progress, &args.output, &join(inputs, &args.output, args.forcing.replace())?);
    Ok(Ending::Found)
}

/// Says what a lexicon that was written has.
fn say(progress: &Progress, output: &Path, made: &Imported) {
    for line in lexicon::written(&source::name(output), made) {
        progress.say(&line);
    }
}

fn run_info(args: &Info) -> Result<Ending, Box<dyn Error>> {
    let lexicon = Lexicon::open(&args.file)?;
    let name = source::name(&args.file);
    to_stdout(|mut out| match args.format {
        Output::Json => lexicon::write_json(&mut out, &name, &lexicon),
        Output::Text => lexicon::write_text(&mut out, &name, &lexicon),
    })?;
    Ok(Ending::Found)
}
