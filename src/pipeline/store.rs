//! Inputs become a fingerprint file.
//!
//! Documents are read and fingerprinted by all threads ([`super::bulk`]) and written
//! in order. Every few seconds, between two input files, what was done is made sure
//! of; a run that was killed goes on from there, if its inputs are still the same.
//!
//! Cost: that of the pipeline; 9 to 18 bytes a document of memory, to tell ids that
//! were met before.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::corpus::inputs::{self, Inputs, Selection};
use crate::corpus::problem::{Problem, Reason};
use crate::corpus::records::{InputFile, Reader, Reading};
use crate::error::{Error, Result};
use crate::index::format::{self, Counts, Place, Sections};
use crate::index::write::{Entry, Writer};
use crate::observer::{Observer, go_on};

use super::bulk::{Fingerprinted, Outcome, fingerprint_all};
use super::{Fingerprinter, Options};

/// So often what was done is made sure of; the tests do not wait.
const CHECKPOINT: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(3) };

/// What is to be fingerprinted, and how.
#[derive(Debug, Clone)]
pub struct Job {
    /// Files, folders, or `-` for standard input.
    pub inputs: Vec<PathBuf>,
    /// Which files of folders.
    pub selection: Selection,
    /// How files are taken apart into documents.
    pub reading: Reading,
    /// How documents become fingerprints.
    pub options: Options,
    /// Whether features are kept, for exact figures.
    pub features: bool,
    /// Whether the first problem ends the run.
    pub strict: bool,
    /// So many threads.
    pub threads: usize,
}

/// What a run has read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The input files that could be opened.
    pub files: u64,
    /// The documents that were read.
    pub documents: u64,
    /// The bytes of their texts.
    pub bytes: u64,
    /// The documents without terms.
    pub empty: u64,
    /// The documents with malformed bytes, which became U+FFFD.
    pub replaced: u64,
    /// What could not be read, by the kind of reason.
    pub problems: BTreeMap<String, u64>,
    /// The documents of each language, by its code.
    pub languages: BTreeMap<String, u64>,
    /// The symbolic links in folders that were left out.
    pub links: u64,
}

impl Tally {
    /// How many files and records could not be read.
    pub fn skipped(&self) -> u64 {
        self.problems.values().sum()
    }

    /// This run and another one together.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.files += other.files;
        self.documents += other.documents;
        self.bytes += other.bytes;
        self.empty += other.empty;
        self.replaced += other.replaced;
        self.links += other.links;
        for (sum, counts) in [(&mut self.problems, &other.problems), (&mut self.languages, &other.languages)] {
            for (name, count) in counts {
                *sum.entry(name.clone()).or_default() += count;
            }
        }
        self
    }
}

/// What a checkpoint notes, to go on from.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Progress {
    /// The inputs and how they are read, in words: another job starts afresh.
    job: String,
    /// A hash of the files that are done: their names, sizes and times of change.
    files: String,
    tally: Tally,
}

/// Writes the fingerprints of a job's documents to a file.
///
/// # Errors
///
/// Those of writing; of the options; [`Error::Strict`] at the first problem, if
/// asked to; [`Error::Interrupted`], after which a further call goes on.
pub fn to_file(job: &Job, output: &Path, observer: &dyn Observer) -> Result<Tally> {
    // The output may lie in a folder that is read.
    let mut job = job.clone();
    job.selection.except.extend(Writer::written(output)?);
    let job = &job;
    let recipe = Fingerprinter::new(job.options.clone())?.recipe().clone();
    let sections = job.sections();
    let mut store = match Writer::resume(output, &recipe, sections)? {
        Some((writer, progress)) => Store::resume(job, writer, progress)?,
        None => None,
    };
    if store.is_none() {
        store = Some(Store::new(job, Writer::create(output, &recipe, sections)?, job.reader()?));
    }
    store.map_or_else(|| Ok(Tally::default()), |store| store.run(observer))
}

/// Writes them to a file in a folder that is needed by this process only; returns where
/// it is.
///
/// # Errors
///
/// As [`to_file`].
pub fn to_scratch(job: &Job, folder: &Path, observer: &dyn Observer) -> Result<(PathBuf, Tally)> {
    let recipe = Fingerprinter::new(job.options.clone())?.recipe().clone();
    let writer = Writer::scratch(folder, &recipe, job.sections())?;
    let output = writer.output().to_owned();
    let tally = Store::new(job, writer, job.reader()?).run(observer)?;
    Ok((output, tally))
}

impl Job {
    fn sections(&self) -> Sections {
        Sections { features: self.features, keys: self.reading.fields.key.is_some() }
    }

    fn reader(&self) -> Result<Reader> {
        Ok(Reader::new(Inputs::new(self.inputs.clone(), self.selection.clone())?, self.reading.clone()))
    }

    /// The job in words, for comparing with an earlier one.
    fn in_words(&self) -> String {
        format!("{:?} {:?} {:?}", self.inputs, self.selection, self.reading)
    }
}

/// A fingerprint file in the making.
struct Store<'a> {
    job: &'a Job,
    writer: Writer,
    reader: Reader,
    ids: HashSet<u64>,
    files: blake3::Hasher,
    tally: Tally,
}

impl<'a> Store<'a> {
    fn new(job: &'a Job, writer: Writer, reader: Reader) -> Self {
        let (ids, files, tally) = (HashSet::new(), blake3::Hasher::new(), Tally::default());
        Self { job, writer, reader, ids, files, tally }
    }

    /// Goes on where an earlier run was; `None` if that was about something else.
    fn resume(job: &'a Job, mut writer: Writer, progress: serde_json::Value) -> Result<Option<Self>> {
        let Ok(progress) = serde_json::from_value::<Progress>(progress) else { return Ok(None) };
        if progress.job != job.in_words() || job.inputs.iter().any(|input| input == Path::new("-")) {
            return Ok(None);
        }
        let mut reader = job.reader()?;
        let mut files = blake3::Hasher::new();
        let all_there =
            reader.skip_files(writer.files() as u32, |path, size, modified| note(&mut files, path, size, modified));
        if !all_there || files.finalize().to_hex().as_str() != progress.files {
            return Ok(None);
        }
        let mut ids = HashSet::new();
        writer.each_id(|id| {
            ids.insert(hash(id));
        })?;
        Ok(Some(Self { job, writer, reader, ids, files, tally: progress.tally }))
    }

    fn run(self, observer: &dyn Observer) -> Result<Tally> {
        let Self { job, mut writer, reader, mut ids, mut files, mut tally } = self;
        let steps = if observer.wants_steps() { Some(inputs::total_bytes(&job.inputs, &job.selection)?) } else { None };
        observer.begin("reading", steps);
        let mut checked = Instant::now();
        let reader = fingerprint_all(reader, &job.options, job.threads, |outcome| {
            if observer.is_stopped() {
                return Ok(ControlFlow::Break(()));
            }
            let Outcome { file, bytes_read, documents } = outcome;
            if let Some((file, number, _)) = &file
                && u64::from(*number) >= writer.files()
            {
                note(&mut files, &file.path, file.size, file.modified);
                writer.file(&in_file(file))?;
                tally.files += 1;
            }
            observer.advance(bytes_read, documents.len() as u64);
            for document in documents {
                let added = document.and_then(|document| {
                    if ids.insert(hash(&document.id)) {
                        Ok(document)
                    } else {
                        Err(repeated(document, file.as_ref().map(|(file, ..)| &**file)))
                    }
                });
                match added {
                    Ok(document) => {
                        let number = file.as_ref().map_or(0, |(_, number, _)| *number);
                        push(&mut writer, &document, number)?;
                        tally.add(&document);
                    }
                    Err(problem) if job.strict => return Err(Error::Strict(problem.to_string())),
                    Err(problem) => {
                        observer.report(&problem);
                        *tally.problems.entry(problem.reason.kind().to_owned()).or_default() += 1;
                    }
                }
            }
            if file.is_some_and(|(.., is_last)| is_last) && checked.elapsed() >= CHECKPOINT {
                let files = files.finalize().to_hex().to_string();
                let progress = Progress { job: job.in_words(), files, tally: tally.clone() };
                writer.checkpoint(&serde_json::to_value(progress).expect("names and numbers"))?;
                checked = Instant::now();
            }
            Ok(ControlFlow::Continue(()))
        })?;
        go_on(observer)?;
        tally.links = reader.links_left_out();
        writer.finish()?;
        Ok(tally)
    }
}

/// A document whose id was met before.
fn repeated(document: Fingerprinted, file: Option<&InputFile>) -> Problem {
    let file = file.map_or_else(String::new, |file| file.name.clone());
    Problem { file, place: document.place, reason: Reason::DuplicateId(document.id) }
}

impl Tally {
    fn add(&mut self, document: &Fingerprinted) {
        let fingerprint = &document.analysis.fingerprint;
        self.documents += 1;
        self.bytes += document.bytes;
        self.empty += u64::from(fingerprint.simhash.is_none());
        self.replaced += u64::from(document.replaced > 0);
        let code = fingerprint.language.code();
        match self.languages.get_mut(code) {
            Some(count) => *count += 1,
            None => _ = self.languages.insert(code.to_owned(), 1),
        }
    }
}

fn push(writer: &mut Writer, document: &Fingerprinted, file: u32) -> Result<()> {
    let fingerprint = &document.analysis.fingerprint;
    writer.push(&Entry {
        id: &document.id,
        simhash: fingerprint.simhash,
        sketch: &fingerprint.sketch,
        digest: fingerprint.digest,
        language: fingerprint.language.code(),
        counts: Counts {
            bytes: document.bytes,
            tokens: fingerprint.tokens as u64,
            terms: fingerprint.terms as u64,
            ngrams: fingerprint.ngrams as u64,
        },
        place: Place { file, record: document.number },
        key: document.key.as_deref(),
        features: document.analysis.features.as_slice(),
    })
}

fn in_file(file: &InputFile) -> format::InputFile<'_> {
    format::InputFile { path: &file.name, size: file.size, modified: file.modified, kind: file.kind.code() }
}

fn note(files: &mut blake3::Hasher, path: &Path, size: u64, modified: i64) {
    files.update(path.as_os_str().as_encoded_bytes());
    files.update(&[0]);
    files.update(&size.to_le_bytes());
    files.update(&modified.to_le_bytes());
}

/// 64 bits of an id: two of a million ids are taken for one by a chance of 3 in 10^8.
fn hash(id: &str) -> u64 {
    u64::from_le_bytes(*blake3::hash(id.as_bytes()).as_bytes().first_chunk().expect("32 bytes"))
}

#[cfg(test)]
mod tests;
