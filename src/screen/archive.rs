//! Sources stored in a file or an index: texts, and an index of their keys.
//!
//! The file is mapped. A text is divided into words when it first becomes a candidate, and kept so; memory is
//! that of the texts compared.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{Match, Preparer, Text};
use crate::align::{Candidates, Words};
use crate::error::{Error, Result, shown};
use crate::error::{Location, Problem};
use crate::fingerprint::Fingerprinter;
use crate::observer::Observer;
use crate::screen::exclude::Exclusions;
use crate::screen::or_problem;
use crate::store::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use crate::store::index::{Segment, Segments, expect_no_index, is_index};
use crate::text::Language;

/// A file, or a segment of an index, that contains sources.
#[derive(Debug)]
pub struct Archive {
    kept: Stored,
    /// The texts that were prepared so far; `None` for a removed or damaged text.
    texts: Vec<OnceLock<Option<Box<Text>>>>,
}

/// The storage of an archive.
#[derive(Debug)]
enum Stored {
    File(FingerprintFile),
    /// A segment of an index, from which texts may have been removed.
    Index(Segment),
}

/// True for a fingerprint file or an index.
pub fn is_archive(path: &Path) -> bool {
    is_fingerprint_file(path) || is_index(path)
}

/// Refuses fingerprint files and indexes as inputs of text.
///
/// # Errors
///
/// [`Error::NoText`]; [`Error::DamagedIndex`].
pub fn expect_text(path: &Path) -> Result<()> {
    expect_no_index(path)?;
    if is_fingerprint_file(path) { Err(Error::NoText { path: shown(path) }) } else { Ok(()) }
}

/// Opens archives: first the quick checks of all, then the checksums of all bytes.
///
/// # Errors
///
/// [`Error::NoPassages`], [`Error::IndexNoPassages`], and those of opening and verifying fingerprint files.
pub fn open_all(paths: &[PathBuf], observer: &dyn Observer) -> Result<Vec<Archive>> {
    let mut archives = Vec::new();
    for path in paths {
        if is_index(path) {
            let segments = Segments::open(path)?;
            if !segments.settings().passages {
                return Err(Error::IndexNoPassages { path: shown(path) });
            }
            segments.expect_queries(usize::MAX);
            archives.extend(segments.into_segments().into_iter().map(Stored::Index));
        } else {
            archives.push(Stored::File(FingerprintFile::open(path)?));
        }
    }
    for file in archives.iter().map(Stored::file) {
        if file.passages().is_none() {
            return Err(Error::NoPassages { path: file.path().to_owned() });
        }
        is_of_this_version(file)?;
    }
    if !archives.is_empty() {
        verify_all("checking archives", archives.iter().map(Stored::file), observer)?;
    }
    let archive = |kept: Stored| Archive { texts: (0..kept.file().len()).map(|_| OnceLock::new()).collect(), kept };
    Ok(archives.into_iter().map(archive).collect())
}

impl Stored {
    fn file(&self) -> &FingerprintFile {
        match self {
            Self::File(file) => file,
            Self::Index(segment) => segment.file(),
        }
    }

    fn has(&self, number: usize) -> bool {
        match self {
            Self::File(_) => true,
            Self::Index(segment) => segment.has(number as u32),
        }
    }
}

/// Refuses archives of another version. Words and stems depend on the version of the program and the crates that it was built with,
/// but on none of the recipe's options.
fn is_of_this_version(file: &FingerprintFile) -> Result<()> {
    let now = Fingerprinter::new(crate::fingerprint::Options::default())?.recipe().clone();
    let mut same = file.recipe().clone();
    (same.version, same.probe) = (now.version, now.probe);
    if &same == file.recipe() { Ok(()) } else { Err(file.is_unlike("the documents", &same, same.id())) }
}

impl Archive {
    /// Number of texts, removed ones included.
    pub(super) fn len(&self) -> usize {
        self.kept.file().len()
    }

    /// Number of texts, removed ones excluded.
    pub fn count(&self) -> usize {
        (0..self.len()).filter(|&number| self.kept.has(number)).count()
    }

    /// Number of texts without an author.
    pub fn authorless(&self) -> usize {
        let file = self.kept.file();
        (0..self.len()).filter(|&number| self.kept.has(number) && file.author(number).is_none()).count()
    }

    /// The language of each text, removed ones excluded; no text is read for it.
    pub(super) fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        (0..self.len()).filter(|&number| self.kept.has(number)).map(|number| self.language(number))
    }

    /// The id of a text, removed or not.
    pub(super) fn id(&self, number: usize) -> &str {
        self.kept.file().id(number)
    }

    fn language(&self, number: usize) -> Language {
        self.kept.file().language(number).parse().unwrap_or(Language::UNDETERMINED)
    }

    pub(super) fn candidates(&self) -> Candidates<'_> {
        Candidates::of_index(self.kept.file().passages().expect("passages are checked by open_all"))
    }

    /// A text by its number, divided into words; `None` if there is none, or it was removed or is damaged.
    pub(super) fn text(&self, number: usize, preparer: &mut Preparer, exclusions: &Exclusions<'_>) -> Option<&Text> {
        let text = self.texts.get(number)?.get_or_init(|| {
            let mut text = self.prepare(number, preparer)?;
            exclusions.mark(&mut text);
            Some(Box::new(text))
        });
        text.as_deref()
    }

    /// Calls `seen` with every text in turn, divided into words, without keeping it.
    pub fn each(&self, mut seen: impl FnMut(&Text)) {
        let mut preparer = Preparer::new(None);
        (0..self.len()).filter_map(|number| self.prepare(number, &mut preparer)).for_each(|text| seen(&text));
    }

    /// A problem for each text that has more words than are compared.
    pub(super) fn cut_short(&self) -> Vec<Problem> {
        let candidates = self.candidates();
        let is_longest = |number: &usize| candidates.words_at_most(*number) >= Words::MOST;
        let cut_short = |number| {
            let id = self.kept.file().id(number);
            or_problem(id, Location::File, || self.prepare(number, &mut Preparer::new(None))?.cut_short())
                .unwrap_or_else(Some)
        };
        (0..self.len()).filter(is_longest).filter_map(cut_short).collect()
    }

    /// The digests of the texts, removed ones excluded, each with the number of its text.
    pub(super) fn digests(&self) -> impl Iterator<Item = (usize, [u8; 16])> + '_ {
        (0..self.len()).filter(|&number| self.kept.has(number)).map(|number| (number, self.digest(number)))
    }

    pub(super) fn digest(&self, number: usize) -> [u8; 16] {
        self.kept.file().digest(number)
    }

    /// The id, author and text of a source; `None` if there is none, or it was removed or is damaged.
    pub(super) fn source(&self, number: usize) -> Option<(&str, Option<&str>, &str)> {
        let file = Some(self.kept.file()).filter(|_| number < self.len() && self.kept.has(number))?;
        Some((file.id(number), file.author(number), file.text(number)?))
    }

    /// A text divided into words, without keeping it.
    pub(super) fn prepare(&self, number: usize, preparer: &mut Preparer) -> Option<Text> {
        let file = Some(self.kept.file()).filter(|_| self.kept.has(number))?;
        let text = file.text(number)?.to_owned();
        let language = self.language(number);
        let author = file.author(number).map(str::to_owned);
        Some(preparer.prepare_in(language, file.id(number).to_owned(), author, text))
    }
}

/// Moves the archived texts of matches to the end of `texts`, and renumbers the matches.
pub(super) fn take(archives: &mut [Archive], texts: &mut Vec<Text>, matches: &mut [Match]) {
    let mut first = texts.len();
    let read = first as u32;
    let mut sources: Vec<u32> = matches.iter().map(|found| found.source).filter(|&source| source >= read).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut wanted = sources.iter().map(|&source| source as usize).peekable();
    for archive in archives {
        let end = first + archive.len();
        while let Some(source) = wanted.next_if(|&source| source < end) {
            let text = archive.texts[source - first].take().flatten();
            texts.extend(text.map(|text| *text));
        }
        first = end;
    }
    for found in matches.iter_mut().filter(|found| found.source >= read) {
        found.source = read + sources.partition_point(|&source| source < found.source) as u32;
    }
}
