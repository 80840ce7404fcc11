//! Screening of documents in files: they are read, and compared ([`mod@nearcopy::screen`]).

mod anonymous;
mod naming;
mod own_page;
mod reading;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use naming::{Names, Naming};
use nearcopy::error::all_shown;
use nearcopy::observer::Observer;
use nearcopy::screen::{
    Archive, Problems, Screening, Settings, Text, TextRoom, expect_text, is_archive, open_all, screen_texts,
};
use nearcopy_corpus::inputs::{HeldFile, Inputs, Selection, resolved};
use nearcopy_corpus::records::Reading;
use nearcopy_corpus::source;

pub use anonymous::anonymise;
pub use own_page::OPENING;

use super::authors::{Authors, tell_apart};
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
/// The result is the same for any number of threads. Each pair of documents is reported once.
///
/// # Errors
///
/// - [`nearcopy::Error::Strict`] at the first problem, if [`Settings::strict`] is set;
/// - [`nearcopy::Error::Interrupted`];
/// - the errors of selecting files, and of opening and checking archives;
/// - [`nearcopy::Error::NoPassages`], [`nearcopy::Error::NoText`], [`Error::NoSources`] and
///   [`Error::EmptyTemplate`].
pub fn screen(job: &Job, observer: &dyn Observer) -> Result<Screening> {
    job.suspicious.iter().chain(&job.templates).try_for_each(|path| expect_text(path))?;
    let (files, sources): (Vec<PathBuf>, Vec<PathBuf>) =
        job.sources.iter().cloned().partition(|source| is_archive(source));
    let mut seen = HashSet::new();
    let files: Vec<PathBuf> = files.into_iter().filter(|file| seen.insert(resolved(file))).collect();
    let archives = open_all(&files, observer)?;
    let given = |paths: &[PathBuf], expect_files: bool| -> Result<Option<Given>> {
        if paths.is_empty() {
            return Ok(None);
        }
        let selection = Selection { expect_files, ..job.selection.clone() };
        Ok(Some(Given { inputs: Inputs::new(paths.to_vec(), selection)?, roots: paths.to_vec() }))
    };
    let expect_files = job.selection.expect_files;
    let given = [given(&job.templates, expect_files)?, given(&job.suspicious, expect_files)?, given(&sources, true)?];
    let named = (!job.sources.is_empty()).then(|| all_shown(&job.sources));
    screened(job, given, archives, named, observer)
}

/// The inputs of one kind, and the folders below which folders name authors.
struct Given {
    inputs: Inputs,
    roots: Vec<PathBuf>,
}

/// Reads and screens the templates, the documents and the sources that are given; `named` are the sources and archives.
fn screened(
    job: &Job,
    [templates, documents, sources]: [Option<Given>; 3],
    archives: Vec<Archive>,
    named: Option<String>,
    observer: &dyn Observer,
) -> Result<Screening> {
    let (mut room, mut problems) = (TextRoom::new(&job.settings), Problems::new(observer));
    let mut set_aside = Vec::new();
    let mut noted = Names::default();
    let has_sources = sources.is_some();
    let mut read = |what: &str, given: Option<Given>, naming: Naming<'_>| -> Result<Vec<Text>> {
        let Some(given) = given else { return Ok(Vec::new()) };
        let (mut texts, aside) = reading::read(job, what, given, naming, (&mut room, &mut problems))?;
        if matches!(job.authors, Authors::Folders) {
            tell_apart(&mut texts);
        }
        set_aside.extend(aside);
        Ok(texts)
    };
    let templates = read("reading templates", templates, Naming::Own)?;
    // A record of a file may be empty.
    let is_named = |template: &&Text| job.templates.iter().any(|path| source::name(path) == template.id);
    if let Some(empty) = templates.iter().find(|template| template.words.is_empty() && is_named(template)) {
        return Err(Error::EmptyTemplate { path: empty.id.clone() });
    }
    let naming = if has_sources { Naming::Noted(&mut noted) } else { Naming::Own };
    let mut texts = read("reading documents", documents, naming)?;
    let suspicious = texts.len();
    texts.extend(read("reading sources", sources, Naming::AsNoted(&noted))?);
    let has_words = archives.iter().any(|archive| archive.count() > 0)
        || texts[suspicious..].iter().any(|text| !text.words.is_empty());
    if let Some(path) = named.filter(|_| !has_words) {
        return Err(Error::NoSources { path });
    }
    // Counted before the texts of matches leave the archives.
    let authorless = if job.authors.are_told() { archives.iter().map(Archive::authorless).sum() } else { 0 };
    let screening = screen_texts(&job.settings, texts, suspicious, archives, &templates, problems)?;
    Ok(Screening { authorless, set_aside, ..screening })
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
    let given = |files: Vec<HeldFile>| -> Result<Option<Given>> {
        if files.is_empty() {
            return Ok(None);
        }
        // A folder or an archive that was dropped has the folders of authors in it.
        let first_folder = |file: &HeldFile| file.name.split('/').next().map_or_else(PathBuf::new, source::path);
        let roots: BTreeSet<PathBuf> = files.iter().map(first_folder).collect();
        let inputs = Inputs::held(files, job.selection.clone())?;
        Ok(Some(Given { inputs, roots: roots.into_iter().collect() }))
    };
    let named = (!files.sources.is_empty()).then(|| "the sources".into());
    let given = [given(files.templates)?, given(files.suspicious)?, given(files.sources)?];
    screened(job, given, Vec::new(), named, observer)
}

#[cfg(test)]
pub(crate) mod tests;
