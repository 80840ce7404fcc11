//! Arguments of the commands that read many documents, and their conversion to the library's options.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use nearcopy::fingerprint::Options;
use nearcopy::memory::{self, Limit};
use nearcopy::search::effort::Effort;
use nearcopy::search::leaders::least_memory;
use nearcopy::search::plan::Plan;
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::records::{Fields, Kind, Reading};
use nearcopy_corpus::{Encoding, NewFile, Replace, Stop, remote, source};
use regex::Regex;

use super::convert::ConvertArgs;
use super::options::{Auto, FingerprintArgs, auto_or};
use super::progress::Progress;
use super::signals::{exceed, is_stopped};
use crate::jobs::authors::{Authors, Pattern};
use crate::jobs::fingerprint::Job;
use crate::report::counted;

/// Options for selecting and reading files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct Corpus {
    #[command(flatten)]
    texts: TextArgs,
    /// Stop at the first record that cannot be read
    #[arg(long)]
    strict: bool,
    /// Write a list of everything that could not be read to FILE, as JSON Lines
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
    #[command(flatten)]
    converting: ConvertArgs,
}

/// Options for texts; finished fingerprints have none.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
struct TextArgs {
    /// Format of the files
    ///
    /// `auto` detects it from content, except for tables, which need the ending .csv or .tsv. Compressed files (gzip,
    /// zstd, xz, bzip2) are recognised with every format.
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = auto_or(Kind::all))]
    input: Auto<Kind>,
    /// Field of the text in JSON, CSV and Parquet; dots lead into nested objects
    #[arg(long, value_name = "NAME", default_value = "text")]
    text_field: String,
    /// Field of the id
    ///
    /// By default the id is the path of the file, for records with their number, or the address that a record of a web
    /// archive was fetched from. Bytes of a path that are not valid characters are written as \xE9.
    #[arg(long, value_name = "NAME")]
    id_field: Option<String>,
    /// Id of a text from standard input; `-` by default
    ///
    /// Records from standard input get the ids NAME:1, NAME:2 and so on.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// Encoding of the files, such as `utf-8` or `windows-1252`
    ///
    /// By default the encoding of a document is detected, and records are read as UTF-8.
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Longest document, in bytes (K, M, G for powers of 1024); longer ones are skipped
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes)]
    max_document: u64,
    /// In folders, read only files whose names match, such as '*.txt'
    ///
    /// It may be repeated. With a leading ! the files that match are left out instead.
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
    /// In folders, read only files of this type, such as html or markdown; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// In folders, also read hidden files
    #[arg(long)]
    hidden: bool,
    /// In folders, also read files that .gitignore and .ignore exclude
    ///
    /// By default these lists apply in any folder, inside a git repository or not.
    #[arg(long)]
    no_ignore: bool,
    /// Follow symbolic links in folders
    #[arg(long)]
    follow: bool,
}

/// The source of documents' authors.
#[derive(Debug, Args)]
pub(super) struct AuthorArgs {
    /// Take the author from the path: as a learning platform exports it, else the first folder below an input
    ///
    /// Exports of Moodle, Blackboard, Canvas, ILIAS and OpenOLAT are recognised by the names of their folders and files.
    ///
    /// `dedup screen` does not compare documents of one author with each other.
    #[arg(long, conflicts_with_all = ["author_field", "author_pattern"])]
    authors: bool,
    /// Take the author from the path by a regular expression: its first group, else all that matches
    ///
    /// The path is that below an input, with slashes: `^[^/]+/([^/]+)/` takes the second folder. A document whose path does
    /// not match has no author, and is compared with all others.
    #[arg(long, value_name = "REGEX", conflicts_with = "author_field")]
    author_pattern: Option<Regex>,
    /// Field of records that names the author, in JSON, CSV and Parquet
    #[arg(long, value_name = "NAME")]
    author_field: Option<String>,
}

impl AuthorArgs {
    /// The library's option.
    pub(super) fn authors(&self) -> Authors {
        if let Some(pattern) = self.author_pattern.clone() {
            return Authors::Pattern(Pattern::new(move |path| {
                let found = pattern.captures(path)?;
                let name = found.get(1).or_else(|| found.get(0)).map_or("", |name| name.as_str());
                (!name.is_empty()).then(|| name.to_owned())
            }));
        }
        match (self.authors, &self.author_field) {
            (true, _) => Authors::Folders,
            (_, Some(_)) => Authors::Field,
            _ => Authors::Unknown,
        }
    }

    /// The field of records that names the author.
    pub(super) fn field(&self) -> Option<String> {
        self.author_field.clone()
    }
}

/// Fails if an input gives its bytes once only, for a command that reads all twice.
pub(super) fn expect_twice<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), String> {
    for input in inputs {
        if input == Path::new("-") {
            return Err("standard input cannot be read twice, which this command does; save it to a file first".into());
        }
        if input.exists() && !input.is_file() && !input.is_dir() {
            return Err(format!(
                "{}: a pipe or a device cannot be read twice, which this command does; save it to a file first",
                source::name(input)
            ));
        }
    }
    Ok(())
}

/// Options for the run itself.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(super) struct RunArgs {
    /// Number of threads; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Most memory that the program takes in bytes, mapped files included (K, M, G for powers of 1024)
    ///
    /// By default half of what the machine or its control group allows. What does not fit is sorted or searched in
    /// several rounds, or is skipped and named; a run that needs more nevertheless is stopped. No document may be longer
    /// than some sixteenth of it. The least is 56M.
    #[arg(long, value_name = "BYTES", value_parser = memory_limit)]
    max_memory: Option<u64>,
    #[command(flatten)]
    telling: MessageArgs,
}

/// Options for messages.
#[derive(Debug, Args)]
pub(super) struct MessageArgs {
    /// Print only the result, errors and what was skipped
    #[arg(long, short)]
    quiet: bool,
    /// Print a line as each stage begins, with the time since the start and the most memory taken so far, for a log
    #[arg(long, short, conflicts_with = "quiet")]
    verbose: bool,
}

impl MessageArgs {
    /// The progress display; `problems` is the file that lists what could not be read.
    pub(super) fn progress(&self, problems: Option<&Path>) -> crate::Result<Progress> {
        let problems = problems.map(|path| NewFile::create(path, Replace::Found)).transpose()?;
        let progress = Progress::new(self.quiet, problems);
        Ok(if self.verbose { progress.verbose() } else { progress })
    }
}

impl RunArgs {
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from)
    }

    /// The limit of memory.
    pub(super) fn limit(&self) -> Limit {
        self.max_memory.map_or_else(Limit::of_machine, Limit::new)
    }

    /// Refuses a search among so many documents that does not fit the limit that was asked for.
    pub(super) fn expect_room(&self, plan: &Plan, documents: usize) -> Result<(), String> {
        let needed = least_memory(plan, documents) as u64;
        if self.max_memory.is_none() || needed <= self.limit().stage() {
            return Ok(());
        }
        let least = Limit::for_stage(needed).bytes().div_ceil(1 << 20);
        let documents = counted(documents as u64, "document");
        Err(format!("--max-memory is too little to search {documents}; give at least {least}M"))
    }

    /// The threads and the memory of a search.
    pub(super) fn effort(&self) -> Effort {
        Effort { threads: self.threads(), max_memory: usize::try_from(self.limit().stage()).unwrap_or(usize::MAX) }
    }

    /// The progress display of a run that reads files, while the memory is watched.
    pub(super) fn progress(&self, corpus: &Corpus) -> crate::Result<Progress> {
        // The default is no ceiling that anybody asked for: a run that exceeds it goes on.
        let is_asked_for = self.max_memory.is_some();
        memory::watch(self.limit(), move |excess| {
            if is_asked_for {
                exceed(excess);
            }
        });
        Ok(self.telling.progress(corpus.problems())?.naming(corpus.converting.converter()?))
    }
}

/// A limit of memory in which any work is possible.
fn memory_limit(value: &str) -> Result<u64, String> {
    let least = Limit::least().bytes();
    bytes(value).and_then(|limit| {
        if limit < least {
            Err(format!("the program itself takes most of that; give at least {}M", least >> 20))
        } else {
            Ok(limit)
        }
    })
}

/// A number of bytes; the suffixes K, M, G and T are powers of 1024.
pub(super) fn bytes(value: &str) -> Result<u64, String> {
    let value = value.trim_end_matches(['B', 'b']).trim_end_matches('i');
    let (number, unit) = match value.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&value[..at], 10),
        Some((at, 'M' | 'm')) => (&value[..at], 20),
        Some((at, 'G' | 'g')) => (&value[..at], 30),
        Some((at, 'T' | 't')) => (&value[..at], 40),
        _ => (value, 0),
    };
    let number = number.parse::<u64>().ok().filter(|&number| number > 0);
    number
        .and_then(|number| number.checked_mul(1 << unit))
        .ok_or_else(|| "expected a number of bytes, such as 500M or 2G".into())
}

/// The first input that is a number and no file: meant as the value of an option, which is given after `=`.
pub(super) fn number_among(inputs: &[PathBuf]) -> Option<&PathBuf> {
    let is_number = |path: &&PathBuf| path.to_str().is_some_and(|name| name.parse::<f64>().is_ok()) && !path.exists();
    inputs.iter().find(is_number)
}

impl Corpus {
    /// The file that lists what could not be read.
    pub(super) fn problems(&self) -> Option<&Path> {
        self.problems.as_deref()
    }

    /// The selection of files in folders.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            globs: self.texts.glob.clone(),
            types: self.texts.types.clone(),
            hidden: self.texts.hidden,
            no_ignore: self.texts.no_ignore,
            litter: false,
            follow: self.texts.follow,
            one_name: false,
            expect_files: false,
            except: self.problems.iter().cloned().collect(),
        }
    }

    /// The library's options for reading files.
    pub(super) fn reading<'a>(
        &self,
        inputs: impl IntoIterator<Item = &'a PathBuf>,
        running: &RunArgs,
    ) -> crate::Result<Reading> {
        let streams = inputs.into_iter().filter(|input| input.as_os_str() == "-").count();
        if let Some(id) = self.texts.id.clone().filter(|_| streams == 0) {
            return Err(crate::Error::NoStandardInput { id });
        }
        if streams > 1 {
            return Err(crate::Error::StandardInputTwice);
        }
        Ok(Reading {
            kind: self.texts.input.0,
            encoding: self.texts.encoding.as_deref().map(str::parse::<Encoding>).transpose()?,
            fields: Fields {
                text: self.texts.text_field.clone(),
                id: self.texts.id_field.clone(),
                key: None,
                origin: None,
            },
            stdin: self.texts.id.clone(),
            max_document: self.texts.max_document,
            max_memory: running.limit().stage(),
            converter: Some(self.converting.converter()?),
            stop: Stop::when(is_stopped),
            ..Reading::default()
        })
    }

    /// True if the first problem ends the run.
    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// The library's job; each input folder must contain a file to read.
    pub(super) fn job(&self, inputs: &[PathBuf], making: &FingerprintArgs, running: &RunArgs) -> crate::Result<Job> {
        let mut job = self.job_with(inputs, making.options()?, running)?;
        job.selection.expect_files = true;
        Ok(job)
    }

    /// The library's job with given fingerprint options; an input folder may be empty.
    pub(super) fn job_with(&self, inputs: &[PathBuf], options: Options, running: &RunArgs) -> crate::Result<Job> {
        Ok(Job {
            inputs: inputs.to_vec(),
            selection: self.selection(),
            reading: self.reading(inputs, running)?,
            options,
            shingles: true,
            passages: None,
            strict: self.strict,
            unique_ids: false,
            threads: running.threads(),
        })
    }
}

/// Checks that what a user named exists: without it, the result would look complete.
///
/// # Errors
///
/// A message that names the first that does not.
pub(super) fn expect_named<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), String> {
    for path in paths {
        if path != Path::new("-")
            && !remote::is_address(path)
            && let Err(error) = path.symlink_metadata()
        {
            return Err(format!("{}: {}", source::name(path), nearcopy::error::reason(&error)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use nearcopy::similarity::Rules;

    use super::*;

    #[test]
    fn a_search_without_room_is_refused_with_the_least_limit() {
        let refusal = |max_memory: Option<u64>, documents: usize| {
            let plan = Plan::new(Rules::default(), 25, documents, 0.995);
            let running = RunArgs { threads: None, max_memory, telling: MessageArgs { quiet: true, verbose: false } };
            running.expect_room(&plan, documents).err()
        };
        assert_eq!(refusal(Some(64 << 20), 100_000), None);
        assert_eq!(refusal(None, 1 << 30), None, "the default stops nothing");
        let told = refusal(Some(64 << 20), 1_000_000).unwrap();
        let least = told.strip_prefix("--max-memory is too little to search 1,000,000 documents; give at least ");
        let least = memory_limit(least.unwrap()).unwrap();
        assert!(least > 64 << 20 && refusal(Some(least), 1_000_000).is_none(), "{told}");
        assert!(refusal(Some(least - (1 << 20)), 1_000_000).is_some(), "{told}");
        assert!(memory_limit("55M").is_err() && memory_limit("56M").is_ok());
    }

    #[test]
    fn numbers_of_bytes() {
        for (value, expected) in [("12", 12), ("1K", 1024), ("2MiB", 2 << 20), ("3g", 3 << 30), ("1TB", 1 << 40)] {
            assert_eq!(bytes(value), Ok(expected), "{value}");
        }
        for value in ["", "0", "M", "1.5G", "-1", "99999999999T"] {
            assert!(bytes(value).is_err(), "{value}");
        }
    }
}
