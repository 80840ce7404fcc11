//! Before any work: nothing that is written may be what is read, or what else is written.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use dedup::corpus::inputs::{Inputs, Selection, resolved};
use dedup::corpus::source;
use dedup::index::map::is_fingerprint_file;
use dedup::pipeline::store::Job;

/// What a command writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// A clean corpus, which is a folder or a file.
    Output,
    /// A list of the ids that stay.
    List,
    /// The list of what was removed.
    Removed,
    Fingerprints,
    Report,
    /// The page of a screening.
    Page,
    Problems,
    /// A Parquet file.
    Table,
    /// Which number stands for which name.
    Names,
}

impl Target {
    fn name(self) -> &'static str {
        match self {
            Self::Output | Self::List | Self::Fingerprints => "the output",
            Self::Removed => "the list of what was removed",
            Self::Report => "the page of --report",
            Self::Page => "the page of --html",
            Self::Problems => "the list of --problems",
            Self::Table => "the table of --parquet",
            Self::Names => "the list of --names",
        }
    }

    /// Whether a file seems to be what an earlier run wrote as this: then it is no loss.
    fn is_at(self, path: &Path) -> bool {
        if fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0) {
            return true;
        }
        match self {
            Self::Output | Self::Table => false,
            Self::Fingerprints => is_fingerprint_file(path),
            Self::Report | Self::Page => {
                let mut head = Vec::new();
                let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut head));
                let head = String::from_utf8_lossy(&head);
                read.is_ok() && head.starts_with("<!DOCTYPE html>") && head.contains("<title>dedup ")
            }
            Self::Names => {
                let mut head = String::new();
                let read = File::open(path).and_then(|file| file.take(12).read_to_string(&mut head));
                read.is_ok() && head == "number,name\n"
            }
            Self::Problems => has_fields(path, &["file", "record", "kind", "reason"]),
            Self::Removed => has_fields(path, &["id", "survivor", "distance", "jaccard", "rules"]),
            // It may be any text; what was removed stands beside it.
            Self::List => {
                let mut beside = path.as_os_str().to_owned();
                beside.push(".removed.jsonl");
                let beside = Path::new(&beside);
                beside.is_file() && Self::Removed.is_at(beside)
            }
        }
    }
}

/// Whether a file is one of a PAN corpus, as `dedup screen` writes them.
fn is_pan(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1024).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_ok() && head.starts_with("<?xml") && head.contains("<document reference=")
}

/// Whether the first line of a file is a JSON object with these fields.
fn has_fields(path: &Path, fields: &[&str]) -> bool {
    let first_line = || -> io::Result<String> {
        let mut line = String::new();
        BufReader::new(File::open(path)?.take(1 << 20)).read_line(&mut line)?;
        Ok(line)
    };
    let object: Option<serde_json::Value> = first_line().ok().and_then(|line| serde_json::from_str(&line).ok());
    object.is_some_and(|object| fields.iter().all(|&field| object.get(field).is_some()))
}

/// What a command reads, and may not write over.
#[derive(Debug)]
pub(super) struct Targets {
    inputs: Vec<PathBuf>,
    selection: Selection,
}

impl Targets {
    /// Those of a command that reads the inputs of a job.
    pub(super) fn of(job: &Job) -> Self {
        Self::of_inputs(&job.inputs, &job.selection)
    }

    /// Those of a command that reads these inputs.
    pub(super) fn of_inputs(inputs: &[PathBuf], selection: &Selection) -> Self {
        // What the run writes is left out when it reads: here it is not.
        let selection = Selection { except: Vec::new(), ..selection.clone() };
        Self { inputs: Vec::new(), selection }.and(inputs)
    }

    /// Those of a command that reads files.
    pub(super) fn of_files(files: &[&Path]) -> Self {
        Self { inputs: Vec::new(), selection: Selection::default() }.and(files)
    }

    /// Further inputs.
    pub(super) fn and(mut self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> Self {
        let files = inputs.into_iter().map(|input| input.as_ref().to_owned());
        self.inputs.extend(files.filter(|input| input != Path::new("-")));
        self
    }

    /// Checks what is to be written.
    ///
    /// # Errors
    ///
    /// What would be written over, and by what.
    pub(super) fn check(&self, targets: &[(Target, Option<&Path>)]) -> Result<(), String> {
        let named = targets.iter().filter_map(|(target, path)| Some((*target, (*path)?)));
        let targets: Vec<(Target, &Path)> = named.collect();
        for (i, &(target, path)) in targets.iter().enumerate() {
            let shown = source::name(path);
            if self.inputs.iter().any(|input| is_same(input, path)) {
                return Err(format!("{shown}: is an input and {}; name another output", target.name()));
            }
            for &(other, earlier) in &targets[..i] {
                let [place, there] = [path, earlier].map(resolved);
                if place == there {
                    return Err(format!("{shown}: would be {} and {}; name two", other.name(), target.name()));
                }
                if other == Target::Output && place.starts_with(&there) {
                    let outside = format!("{shown}: {} would stand in the output; name a place outside", target.name());
                    return Err(outside);
                }
            }
            let is_around = |input: &&PathBuf| input.is_dir() && resolved(path).starts_with(resolved(input));
            if target == Target::Output
                && let Some(input) = self.inputs.iter().find(is_around)
            {
                return Err(format!(
                    "{shown}: would stand in the input {}, and be read as one by the next run; name a place outside",
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
        Ok(())
    }

    /// Checks a folder that takes files whose names are known only when all has been read:
    /// no input may stand in it, whatever its name, but what an earlier run wrote there;
    /// nor another output that is called as one of them may be.
    ///
    /// # Errors
    ///
    /// Which input or output does.
    pub(super) fn check_folder(&self, option: &str, folder: &Path, others: &[Option<&Path>]) -> Result<(), String> {
        if !folder.is_dir() {
            return Ok(());
        }
        let place = resolved(folder);
        let is_xml = |other: &&Path| other.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xml"));
        let mut others = others.iter().flatten().copied().filter(is_xml);
        if let Some(other) = others.find(|other| resolved(other).parent() == Some(&place)) {
            let shown = source::name(other);
            return Err(format!("{shown}: may be a file of {option} too; name another folder, or no .xml"));
        }
        let read = Inputs::new(self.inputs.clone(), self.selection.clone()).map_err(|error| error.to_string())?;
        match read.flatten().find(|file| resolved(file).parent() == Some(&place) && !is_pan(file)) {
            Some(file) => {
                let shown = source::name(&file);
                Err(format!("{shown}: is an input and stands in the folder of {option}; name another folder"))
            }
            None => Ok(()),
        }
    }

    /// Whether a file is one of those that are read in folders.
    fn would_read(&self, path: &Path) -> dedup::Result<bool> {
        if !path.is_file() {
            return Ok(false);
        }
        let place = resolved(path);
        // Links may lead anywhere; else most outputs lie elsewhere.
        let may_hold =
            |folder: &&PathBuf| folder.is_dir() && (self.selection.follow || place.starts_with(resolved(folder)));
        let folders: Vec<PathBuf> = self.inputs.iter().filter(may_hold).cloned().collect();
        if folders.is_empty() {
            return Ok(false);
        }
        Ok(Inputs::new(folders, self.selection.clone())?.flatten().any(|file| is_same(&file, path)))
    }
}

/// Whether two names mean one file, through links of any kind.
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
