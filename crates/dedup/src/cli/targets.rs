//! Checks of output paths, made before any work.
//!
//! An output must not be an input or another output, and replaces an existing file or folder only with `--force`. What
//! appears at its path after the check is not replaced either ([`Replace`]).

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use nearcopy::durable::paths;
use nearcopy::store::file::map::is_fingerprint_file;
use nearcopy::translate::lexicon::is_lexicon;
use nearcopy::{decontaminate, lines, repeats};
use nearcopy_corpus::inputs::{Inputs, Selection, resolved};
use nearcopy_corpus::{Replace, source};

use super::endings::{is_parquet, is_text_table, promises_another, promises_more};
use crate::jobs::clean::{ENDINGS, removed_beside, review_beside};
use crate::jobs::fingerprint::Job;
use crate::report::listing::seal;

/// Permission to replace existing outputs.
#[derive(Debug, Args)]
pub(super) struct ForceArgs {
    /// Replace an existing output
    ///
    /// Files are replaced, and the folder of a clean corpus if an earlier run wrote it.
    #[arg(long)]
    force: bool,
}

impl ForceArgs {
    pub(super) fn is_forced(&self) -> bool {
        self.force
    }

    /// The files that an output may replace.
    pub(super) fn replace(&self) -> Replace {
        if self.force { Replace::Any } else { Replace::Nothing }
    }
}

/// An output of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A clean corpus as a file.
    Output,
    /// A clean corpus as a folder.
    Folder,
    /// A list of the ids of kept documents.
    List,
    /// The list of removed documents.
    Removed,
    /// The list of documents that a wider claim would remove.
    Review,
    Fingerprints,
    Report,
    /// The object of `--summary`.
    Summary,
    /// The page of a screening.
    Page,
    /// A page on one document.
    Dossier,
    Problems,
    /// The plan of an audit.
    Plan,
    /// A Parquet file.
    Table,
    /// The list of numbers and the names behind them.
    Names,
    /// The list of the items of test sets.
    Items,
    /// The list of contaminated documents.
    Documents,
    /// The list of what to cut of them.
    Attributes,
    /// The list of runs that were cut.
    Cuts,
    /// The file of counts, which is added to.
    Counts,
    /// The finished rounds of a search for repeats.
    Checkpoint,
    /// A lexicon.
    Lexicon,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Self::Output | Self::Folder | Self::List | Self::Fingerprints | Self::Lexicon => "the output",
            Self::Removed => "the list of what was removed",
            Self::Review => "the list of what is to be reviewed",
            Self::Report => "the page of --report",
            Self::Summary => "the object of --summary",
            Self::Page => "the page of --html",
            Self::Dossier => "the page of --dossier",
            Self::Plan => "the plan",
            Self::Problems => "the list of --problems",
            Self::Table => "the table of fingerprints",
            Self::Names => "the list of --names",
            Self::Items => "the list of items",
            Self::Documents => "the list of contaminated documents",
            Self::Attributes => "the list of --attributes",
            Self::Cuts => "the list of what was cut",
            Self::Counts => "the file of --counts",
            Self::Checkpoint => "the file of --checkpoint",
        }
    }

    /// True for what is written as plain text; attributes may be a table too.
    fn is_text(self) -> bool {
        matches!(
            self,
            Self::List
                | Self::Summary
                | Self::Plan
                | Self::Problems
                | Self::Names
                | Self::Attributes
                | Self::Removed
                | Self::Review
        )
    }

    /// True for what is written as JSON, and never as a table of text.
    fn is_json(self) -> bool {
        matches!(self, Self::Summary | Self::Plan | Self::Problems | Self::Attributes)
    }

    /// True for what only this program reads.
    fn is_own(self) -> bool {
        matches!(self, Self::Fingerprints | Self::Lexicon)
    }

    /// True if the file is empty or looks like this output of an earlier run, so that nothing is lost with it.
    fn is_at(self, path: &Path) -> bool {
        if fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0) {
            return true;
        }
        match self {
            Self::Output | Self::Folder | Self::Table => false,
            Self::Fingerprints => is_fingerprint_file(path),
            Self::Lexicon => is_lexicon(path),
            Self::Counts => lines::is_counts(path) || decontaminate::saved::is_counts(path),
            Self::Checkpoint => repeats::is_checkpoint(path),
            Self::Report | Self::Page | Self::Dossier => {
                head(path).is_ok_and(|head| head.starts_with("<!DOCTYPE html>") && head.contains("<title>dedup "))
            }
            Self::Names => has_columns(path, &["number", "name"]),
            Self::Items => has_fields(path, &["set", "id", "verdict"]),
            Self::Documents => has_fields(path, &["id", "file", "record", "items"]),
            Self::Attributes => has_fields(path, &["id", "file", "record", "spans"]),
            Self::Cuts => has_fields(path, &["id", "start", "end", "words", "first"]),
            Self::Summary => has_fields(path, &["version", "command", "stages"]),
            Self::Plan => has_fields(path, &["move", "keep", "why", "digest"]),
            Self::Problems => has_fields(path, &["file", "record", "kind", "reason"]),
            Self::Removed => {
                let is_listed = |fields: &[&str]| has_fields(path, fields) || has_columns(path, fields);
                // An empty list has its closing line alone.
                is_listed(&["id", "survivor"]) || is_listed(&["id", "listed_in"]) || has_fields(path, &[seal::END])
            }
            Self::Review => {
                let fields = ["series", "kinds", "id", "survivor"];
                has_fields(path, &fields) || has_columns(path, &fields) || has_fields(path, &[seal::END])
            }
            // Its own content may be any text.
            Self::List => is_clean(path),
        }
    }
}

/// True if a list of removed documents, of what was cut or of the items of test sets is beside the path, as beside each clean
/// corpus.
fn is_clean(path: &Path) -> bool {
    let removed = ENDINGS.map(|ending| (Target::Removed, removed_beside(path, ending)));
    let others = [(Target::Cuts, ".cut.jsonl"), (Target::Items, ".items.jsonl")];
    let others = others.map(|(target, ending)| (target, paths::beside(path, "", ending)));
    removed.iter().chain(&others).any(|(target, list)| list.is_file() && target.is_at(list))
}

/// The lists of what is to be reviewed beside a clean corpus that an earlier run wrote.
pub(super) fn reviews_beside(path: &Path) -> Vec<PathBuf> {
    let is_list = |list: &PathBuf| list.is_file() && Target::Review.is_at(list);
    ENDINGS.into_iter().map(|ending| review_beside(path, ending)).filter(is_list).collect()
}

/// The first 1024 bytes of a file.
fn head(path: &Path) -> io::Result<String> {
    let mut head = Vec::new();
    File::open(path)?.take(1024).read_to_end(&mut head)?;
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// True if the first line of a file is a JSON object with these fields.
fn has_fields(path: &Path, fields: &[&str]) -> bool {
    let object: Option<serde_json::Value> = first_line(path).ok().and_then(|line| serde_json::from_str(&line).ok());
    object.is_some_and(|object| fields.iter().all(|&field| object.get(field).is_some()))
}

/// True if a file begins as a CSV table whose first columns have these names.
fn has_columns(path: &Path, columns: &[&str]) -> bool {
    first_line(path).is_ok_and(|line| {
        let mut names = line.trim_end().split(',');
        columns.iter().all(|&column| names.next() == Some(column))
    })
}

fn first_line(path: &Path) -> io::Result<String> {
    let mut line = String::new();
    BufReader::new(File::open(path)?.take(1 << 20)).read_line(&mut line)?;
    Ok(line)
}

/// The inputs of a command, which no output may replace.
#[derive(Debug)]
pub(super) struct OutputGuard {
    inputs: Vec<PathBuf>,
    selection: Selection,
    is_forced: bool,
}

impl OutputGuard {
    /// The inputs of a job.
    pub(super) fn of(job: &Job) -> Self {
        Self::of_inputs(&job.inputs, &job.selection)
    }

    /// These inputs, and the files selected in those that are folders.
    pub(super) fn of_inputs(inputs: &[PathBuf], selection: &Selection) -> Self {
        // The run does not read its own outputs; this check needs to see them.
        let selection = Selection { except: Vec::new(), ..selection.clone() };
        Self { inputs: Vec::new(), selection, is_forced: false }.and(inputs)
    }

    /// These files.
    pub(super) fn of_files(files: &[&Path]) -> Self {
        Self { inputs: Vec::new(), selection: Selection::default(), is_forced: false }.and(files)
    }

    /// Adds inputs.
    pub(super) fn and(mut self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        let files = inputs.into_iter().map(|input| input.as_ref().to_owned());
        self.inputs.extend(files.filter(|input| input != Path::new("-")));
        self
    }

    /// Permits existing outputs to be replaced, if `--force` was given.
    pub(super) fn force(mut self, forcing: &ForceArgs) -> Self {
        self.is_forced = forcing.force;
        self
    }

    /// Checks the outputs.
    ///
    /// # Errors
    ///
    /// A message that names the output, its conflict with an input, another output or an existing file, and the
    /// remedy.
    pub(super) fn check(&self, targets: &[(Target, Option<&Path>)]) -> Result<(), String> {
        let named = targets.iter().filter_map(|(target, path)| Some((*target, (*path)?)));
        let targets: Vec<(Target, &Path)> = named.collect();
        for (i, &(target, path)) in targets.iter().enumerate() {
            let shown = source::name(path);
            if path == Path::new("-") {
                let name = target.name();
                return Err(format!("-: {name} appears only when it is complete, not on standard output; name a path"));
            }
            if self.inputs.iter().any(|input| is_same(input, path)) {
                return Err(format!("{shown}: is an input and {}; name another output", target.name()));
            }
            for &(other, earlier) in &targets[..i] {
                let [place, there] = [path, earlier].map(resolved);
                if place == there {
                    return Err(format!(
                        "{shown}: would be {} and {}; name two different paths",
                        other.name(),
                        target.name()
                    ));
                }
                if other == Target::Folder && place.starts_with(&there) {
                    let outside =
                        format!("{shown}: {} would be inside the output folder; name a path outside", target.name());
                    return Err(outside);
                }
            }
            let is_around = |input: &&PathBuf| input.is_dir() && resolved(path).starts_with(resolved(input));
            if matches!(target, Target::Output | Target::Folder)
                && let Some(input) = self.inputs.iter().find(is_around)
            {
                return Err(format!(
                    "{shown}: would be inside the input {}, where the next run would read it; name a path outside",
                    source::name(input)
                ));
            }
            if self.would_read(path).map_err(|error| error.to_string())? && !target.is_at(path) {
                return Err(format!(
                    "{shown}: is read as an input and would be {}; name another output, or leave it out with --glob \
                     '!{}'",
                    target.name(),
                    path.file_name().unwrap_or_default().display()
                ));
            }
        }
        targets
            .iter()
            .try_for_each(|&(target, path)| check_name(target, path).and_then(|()| self.is_free(target, path)))
    }

    /// Checks that the output does not replace a folder or a file that is not empty.
    fn is_free(&self, target: Target, path: &Path) -> Result<(), String> {
        let shown = source::name(path);
        let is_broken_link = path.is_symlink() && !path.exists();
        if target == Target::Folder {
            if is_broken_link {
                return Err(format!("{shown}: is a broken link; remove it, or name another folder"));
            }
            if !path.is_dir() {
                return Ok(());
            }
            let is_empty = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
            return match (is_empty, is_clean(path)) {
                (true, _) => Ok(()),
                (_, true) if self.is_forced => Ok(()),
                (_, true) => Err(format!("{shown}: already exists; --force replaces it, or name another folder")),
                _ => Err(format!("{shown}: holds files that no earlier run wrote; name another folder, or empty it")),
            };
        }
        // An earlier list of problems, of removed documents or of those to be reviewed is replaced without --force. Anything but a regular
        // file is refused later, when the output is created.
        let is_retold = match target {
            Target::Problems | Target::Removed | Target::Review => target.is_at(path),
            // Counts are added to what is there, and a search goes on from a checkpoint.
            Target::Counts | Target::Checkpoint => true,
            _ => false,
        };
        if self.is_forced || is_retold || fs::metadata(path).is_ok_and(|found| !found.is_file() || found.len() == 0) {
            return Ok(());
        }
        if is_broken_link {
            return Err(format!("{shown}: is a broken link; remove it, or name another file"));
        }
        if path.exists() {
            return Err(format!("{shown}: already exists; --force replaces it, or name another file"));
        }
        Ok(())
    }

    /// True if a file is an input, or among those that an input folder gives.
    pub(super) fn reads(&self, path: &Path) -> bool {
        self.inputs.iter().any(|input| input == path || is_same(input, path)) || self.would_read(path).unwrap_or(false)
    }

    /// True if a file is among those that the input folders give.
    fn would_read(&self, path: &Path) -> crate::Result<bool> {
        if !path.is_file() {
            return Ok(false);
        }
        let place = resolved(path);
        // A followed link may lead to any place; without links only folders around the file matter.
        let may_hold =
            |folder: &&PathBuf| folder.is_dir() && (self.selection.follow || place.starts_with(resolved(folder)));
        let folders: Vec<PathBuf> = self.inputs.iter().filter(may_hold).cloned().collect();
        if folders.is_empty() {
            return Ok(false);
        }
        Ok(Inputs::new(folders, self.selection.clone())?.flatten().any(|file| is_same(&file, path)))
    }
}

/// Refuses a name that promises another format.
fn check_name(target: Target, path: &Path) -> Result<(), String> {
    let (shown, name) = (source::name(path), target.name());
    let may_be_table = target == Target::Attributes;
    if target.is_own() && promises_another(path) {
        return Err(format!(
            "{shown}: {name} is one file that only this program reads; give it a name that promises no other format"
        ));
    }
    if target.is_text() && promises_more(path) && !(may_be_table && is_parquet(path))
        || target.is_json() && is_text_table(path)
    {
        let endings = match target {
            Target::Attributes => ".jsonl, or .parquet for a table",
            _ if target.is_json() => ".jsonl, .json or .txt",
            _ => ".jsonl, .csv, .json or .txt",
        };
        return Err(format!("{shown}: {name} is plain text; end its name with {endings}"));
    }
    Ok(())
}

/// True if two paths name one file, through links of any kind. The crate same-file opens both, and waits for ever on a pipe.
#[cfg(unix)]
fn is_same(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).map(|metadata| (metadata.dev(), metadata.ino())).ok();
    identity(a).is_some_and(|a| Some(a) == identity(b))
}

#[cfg(not(unix))]
fn is_same(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b))
}
