//! Screening of documents in files: they are read, and compared ([`mod@nearcopy::screen`]).

mod anonymous;
mod reading;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use nearcopy::error::all_shown;
use nearcopy::observer::Observer;
use nearcopy::screen::{
    Archive, Problems, Screening, Settings, TextRoom, expect_text, is_archive, open_all, screen_texts,
};
use nearcopy_corpus::inputs::{HeldFile, Inputs, Selection, resolved};
use nearcopy_corpus::records::Reading;
use nearcopy_corpus::source;

pub use anonymous::anonymise;
pub(super) use reading::bounded;

use super::authors::Authors;
use crate::error::{Error, Result};

/// The inputs and options of a screening.
#[derive(Debug, Clone)]
pub struct Job {
    /// The documents to be screened: files, folders, or `-` for standard input.
    pub suspicious: Vec<PathBuf>,
    /// The possible sources, archives among them; if empty, the documents are compared with each other.
    pub sources: Vec<PathBuf>,
    /// Texts whose words do not count, such as the assignment.
    pub templates: Vec<PathBuf>,
    /// The files to take from folders.
    pub selection: Selection,
    /// The rules by which files are split into documents.
    pub reading: Reading,
    /// The source of authors' names; documents of one author are not compared with each other.
    pub authors: Authors,
    /// How the texts are compared.
    pub settings: Settings,
}

/// Screens documents.
///
/// The result is the same for any number of threads. Without sources, each pair of documents is reported once.
///
/// # Errors
///
/// - [`nearcopy::Error::Strict`] at the first problem, if [`Settings::strict`] is set;
/// - [`nearcopy::Error::Interrupted`];
/// - the errors of selecting files, and of opening and checking archives;
/// - [`nearcopy::Error::NoPassages`], [`nearcopy::Error::NoText`] and [`Error::NoSources`].
pub fn screen(job: &Job, observer: &dyn Observer) -> Result<Screening> {
    let settings = &job.settings;
    job.suspicious.iter().chain(&job.templates).try_for_each(|path| expect_text(path))?;
    let (files, sources): (Vec<PathBuf>, Vec<PathBuf>) =
        job.sources.iter().cloned().partition(|source| is_archive(source));
    let mut seen = HashSet::new();
    let files: Vec<PathBuf> = files.into_iter().filter(|file| seen.insert(resolved(file))).collect();
    let archives = open_all(&files, observer)?;
    let (mut room, mut problems) = (TextRoom::new(settings), Problems::new(observer));
    let mut read = |job: &Job, what: &str, inputs: &[PathBuf]| {
        let all = Inputs::new(inputs.to_vec(), job.selection.clone())?;
        if inputs.is_empty() {
            Ok(Vec::new())
        } else {
            reading::read(job, what, (all, inputs), &mut room, &mut problems)
        }
    };
    let templates = read(job, "reading templates", &job.templates)?;
    let mut texts = read(job, "reading documents", &job.suspicious)?;
    let suspicious = texts.len();
    let selection = Selection { expect_files: true, ..job.selection.clone() };
    texts.extend(read(&Job { selection, ..job.clone() }, "reading sources", &sources)?);
    let has_words = archives.iter().any(|archive| archive.count() > 0)
        || texts[suspicious..].iter().any(|text| !text.words.is_empty());
    if !job.sources.is_empty() && !has_words {
        return Err(Error::NoSources { path: all_shown(&job.sources) });
    }
    // Counted before the texts of matches leave the archives.
    let authorless = if job.authors.are_told() { archives.iter().map(Archive::authorless).sum() } else { 0 };
    let screening = screen_texts(settings, texts, suspicious, archives, &templates, problems)?;
    Ok(Screening { authorless, ..screening })
}

/// The files of a screening, in memory.
#[derive(Debug, Clone, Default)]
pub struct HeldFiles {
    /// The documents to be screened.
    pub suspicious: Vec<HeldFile>,
    /// The possible sources; if empty, the documents are compared with each other.
    pub sources: Vec<HeldFile>,
    /// Texts whose words do not count.
    pub templates: Vec<HeldFile>,
}

/// Screens documents in memory, by the options of a job that names no files.
///
/// # Errors
///
/// As [`screen`], but for those of archives.
pub fn screen_held(job: &Job, files: HeldFiles, observer: &dyn Observer) -> Result<Screening> {
    let (mut room, mut problems) = (TextRoom::new(&job.settings), Problems::new(observer));
    let mut read = |what: &str, files: Vec<HeldFile>| {
        // A folder or an archive that was dropped has the folders of authors in it.
        let first_folder = |file: &HeldFile| file.name.split('/').next().map_or_else(PathBuf::new, source::path);
        let roots: BTreeSet<PathBuf> = files.iter().map(first_folder).collect();
        let inputs = (Inputs::held(files, job.selection.clone())?, &*roots.into_iter().collect::<Vec<_>>());
        reading::read(job, what, inputs, &mut room, &mut problems)
    };
    let templates = read("reading templates", files.templates)?;
    let mut texts = read("reading documents", files.suspicious)?;
    let (suspicious, has_sources) = (texts.len(), !files.sources.is_empty());
    texts.extend(read("reading sources", files.sources)?);
    if has_sources && texts[suspicious..].iter().all(|text| text.words.is_empty()) {
        return Err(Error::NoSources { path: "the sources".into() });
    }
    Ok(screen_texts(&job.settings, texts, suspicious, Vec::new(), &templates, problems)?)
}

#[cfg(test)]
pub(crate) mod tests;
