//! Arguments of the commands that read many documents, and what they mean.

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nearcopy::corpus::inputs::Selection;
use nearcopy::corpus::records::{Fields, Kind, Reading};
use nearcopy::corpus::{Encoding, NewFile, Stop};
use nearcopy::pipeline::Options;
use nearcopy::pipeline::authors::Authors;
use nearcopy::pipeline::fingerprint::{Job, Tally};
use nearcopy::report::counted;

use super::options::Making;
use super::progress::{Progress, is_stopped};

/// Which files are read, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(super) struct Corpus {
    /// What the files are; `auto` tells by their content, tables by the endings .csv
    /// and .tsv. Compressed files (gzip, zstd, xz, bzip2) are recognised in any case
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = input())]
    input: Input,
    /// Field of the text, in JSON, CSV and Parquet; dots lead into nested objects
    #[arg(long, value_name = "NAME", default_value = "text")]
    text_field: String,
    /// Field of the id; without one, an id is the file's name (bytes that are no characters
    /// as \xE9) and the record's number
    #[arg(long, value_name = "NAME")]
    id_field: Option<String>,
    /// What a text from standard input is called: its id, or with records the beginning of theirs
    /// (NAME:1, NAME:2); `-` by default
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// Encoding of the files, such as `utf-8` or `windows-1252`; that of a document is
    /// detected by default, records are UTF-8
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Longest document, in bytes (K, M, G for powers of 1024); longer ones are skipped
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = bytes)]
    max_document: u64,
    /// Files of folders to read by their names, such as '*.txt', or with a leading ! not
    /// to read; may be repeated
    #[arg(long, value_name = "GLOB")]
    glob: Vec<String>,
    /// Files of folders to read by their type, such as html or markdown; may be repeated
    #[arg(long = "type", value_name = "TYPE")]
    types: Vec<String>,
    /// Read hidden files of folders too
    #[arg(long)]
    hidden: bool,
    /// Read what .gitignore and .ignore exclude too; they count in any folder, in a
    /// repository of git or not
    #[arg(long)]
    no_ignore: bool,
    /// Follow symbolic links in folders
    #[arg(long)]
    follow: bool,
    /// Stop at the first record that cannot be read
    #[arg(long)]
    strict: bool,
    /// List everything that could not be read in FILE, as JSON Lines
    #[arg(long, value_name = "FILE")]
    problems: Option<PathBuf>,
}

/// The kind of the input files; `None` detects it.
#[derive(Debug, Clone, Copy)]
struct Input(Option<Kind>);

/// Parses the name of a kind, or `auto`.
fn input() -> impl TypedValueParser<Value = Input> {
    let auto = PossibleValue::new("auto").help("By content");
    let kinds = Kind::all().map(|(name, help, _)| PossibleValue::new(name).help(help));
    let named = |name: String| Input(Kind::all().find(|(known, ..)| *known == name).map(|(.., kind)| kind));
    PossibleValuesParser::new([auto].into_iter().chain(kinds)).map(named)
}

/// Who wrote what.
#[derive(Debug, Args)]
pub(super) struct Authorship {
    /// The first folder below an input is an author; `dedup screen` compares nobody with himself
    #[arg(long, conflicts_with = "author_field")]
    authors: bool,
    /// Field of records that names the author, in JSON, CSV and Parquet
    #[arg(long, value_name = "NAME")]
    author_field: Option<String>,
}

impl Authorship {
    /// What tells the author of a text.
    pub(super) fn authors(&self) -> Authors {
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

/// How much of the machine is used.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(super) struct Running {
    /// Number of threads; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    telling: Telling,
}

/// How much is told.
#[derive(Debug, Args)]
pub(super) struct Telling {
    /// Tell nothing but errors and what was skipped
    #[arg(long, short)]
    quiet: bool,
}

impl Telling {
    /// What tells the user how far it is; `problems` takes what could not be read.
    pub(super) fn progress(&self, problems: Option<&Path>) -> nearcopy::Result<Progress> {
        Ok(Progress::new(self.quiet, problems.map(NewFile::create).transpose()?))
    }
}

impl Running {
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, Into::into), usize::from)
    }

    /// What tells the user how far it is; `problems` takes what could not be read.
    pub(super) fn progress(&self, problems: Option<&Path>) -> nearcopy::Result<Progress> {
        self.telling.progress(problems)
    }
}

/// A number of bytes, K, M and G meaning powers of 1024.
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

impl Corpus {
    /// The file that takes what could not be read.
    pub(super) fn problems(&self) -> Option<&Path> {
        self.problems.as_deref()
    }

    /// Which files of folders are read.
    pub(super) fn selection(&self) -> Selection {
        Selection {
            globs: self.glob.clone(),
            types: self.types.clone(),
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            follow: self.follow,
            expect_files: false,
            except: self.problems.iter().cloned().collect(),
        }
    }

    /// How files are taken apart.
    pub(super) fn reading<'a>(&self, inputs: impl IntoIterator<Item = &'a PathBuf>) -> nearcopy::Result<Reading> {
        if let Some(id) = self.id.clone().filter(|_| inputs.into_iter().all(|input| input.as_os_str() != "-")) {
            return Err(nearcopy::Error::NoStandardInput { id });
        }
        Ok(Reading {
            kind: self.input.0,
            encoding: self.encoding.as_deref().map(str::parse::<Encoding>).transpose()?,
            fields: Fields { text: self.text_field.clone(), id: self.id_field.clone(), key: None },
            stdin: self.id.clone(),
            max_document: self.max_document,
            all_columns: false,
            stop: Stop::when(is_stopped),
            temp: None,
        })
    }

    /// Whether the first problem ends the run.
    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// The library's job; a folder that is named must have a file to read.
    pub(super) fn job(&self, inputs: &[PathBuf], making: &Making, running: &Running) -> nearcopy::Result<Job> {
        let mut job = self.job_with(inputs, making.options()?, running)?;
        job.selection.expect_files = true;
        Ok(job)
    }

    /// The job where it is given how texts become fingerprints; an empty folder is one without documents.
    pub(super) fn job_with(&self, inputs: &[PathBuf], options: Options, running: &Running) -> nearcopy::Result<Job> {
        Ok(Job {
            inputs: inputs.to_vec(),
            selection: self.selection(),
            reading: self.reading(inputs)?,
            options,
            shingles: true,
            passages: None,
            strict: self.strict,
            unique_ids: false,
            threads: running.threads(),
        })
    }
}

/// What was read, in a line or two.
pub(super) fn in_words(tally: &Tally) -> String {
    let mut parts = vec![format!(
        "read {} ({:.1} MB of text) in {}",
        counted(tally.documents, "document"),
        tally.bytes as f64 / 1e6,
        counted(tally.files, "file")
    )];
    let links = format!("symbolic link{} left out (--follow reads them)", if tally.links == 1 { "" } else { "s" });
    let kinds = [
        (tally.empty, "empty"),
        (tally.replaced, "with malformed characters replaced"),
        (tally.renamed, "of a repeated id, named by file and line"),
        (tally.in_part, "to be compared in part only, as of too many words"),
        (tally.links, &*links),
    ];
    parts.extend(kinds.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")));
    if tally.skipped() > 0 {
        let reasons: Vec<String> = tally.problems.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        parts.push(format!("skipped {}: {}", tally.skipped(), reasons.join(", ")));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

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
