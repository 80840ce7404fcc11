//! Screening finds the passages that documents share. Its stages, in order:
//!
//! 1. **Read** (`text`): the words of every document are normalised and stemmed in its language, and
//!    look-alike letters and invisible characters are seen through.
//! 2. **Leave out** (`common`, `exclude`, `heading`): text that many documents share is noticed; quotations, bibliographies,
//!    the words of templates and the author's own name and heading are marked as not counted.
//! 3. **Candidates** ([`crate::align::Boilerplate`]): the sources worth aligning with a document.
//! 4. **Align** ([`crate::align::align`]): each document with its candidates, by all threads. How common words are is
//!    counted in all documents, for short ones (`background`).
//!    Texts of different languages are also searched for translated passages (`translated`), if that is asked for.
//! 5. **Count** (`share`): the words of a document that also stand in each source, and in any source.
//!
//! Sources can also be archives: fingerprint files and indexes with passages. Their texts were read earlier and are
//! searched in place (`archive`).
//!
//! Cost: memory holds the texts and 24 bytes a word, 28 in languages with accents. The index of candidates takes another 32 bytes a word of
//! the sources; that of archives takes none. Time is that of aligning, about linear in the words of all pairs
//! of candidates. Only the first [`crate::align::Words::MOST`] words of a text are compared, so any pair takes
//! at most 256 MB beside the texts. Texts that exceed [`Settings::max_memory`] are problems.

mod archive;
mod background;
mod bibliography;
mod citation;
mod common;
mod comparing;
mod corpus;
pub mod documents;
mod evidence;
mod exclude;
mod fuzzy_pairs;
mod heading;
mod kind;
mod languages;
mod part;
mod quotations;
mod room;
mod share;
mod skipped;
pub mod sources;
mod text;
mod translated;
mod translation;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use archive::{Archive, expect_text, is_archive, open_all};
pub use common::CommonText;
pub use exclude::Exclude;
pub use kind::{Kind, Quotation};
pub use languages::{Alone, LanguagePair, ScreenedLanguages};
pub use room::TextRoom;
pub use share::{Faithfulness, Share, replaced};
pub use skipped::{Problems, Skipped};
pub use text::{Disguises, Hidden, Place, Preparer, Text};
pub use translation::{Translation, TranslationSearch};

use self::common::Noticed;
use self::comparing::{Compared, compare_all};
use self::corpus::Corpus;
use crate::align::{Options, Passage};
use crate::error::{Error, Location, Problem, Result};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::evidence::Excluded;
use crate::screen::exclude::Exclusions;
use crate::text::Language;

/// The options of a screening.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The language of all documents; `None` detects that of each.
    pub language: Option<Language>,
    /// The thresholds of a passage.
    pub options: Options,
    /// The words that do not count, apart from templates.
    pub exclude: Exclude,
    /// The pairs of languages in which translated passages are searched.
    pub translation: Translation,
    /// True if the documents are compared with each other beside the sources; without sources they always are.
    pub with_each_other: bool,
    /// True if the first problem ends the run.
    pub strict: bool,
    /// Number of threads.
    pub threads: usize,
    /// Memory in bytes for all texts that are compared. A text that finds no room, or is too long to be aligned in half
    /// of it, is a problem.
    pub max_memory: u64,
}

impl Settings {
    /// Divides the texts of the screening into words.
    pub fn preparer(&self) -> Preparer {
        Preparer::new(self.language).across(&self.translation)
    }

    /// Memory for all alignments that run at a time.
    fn alignment_memory(&self) -> u64 {
        self.max_memory / 2
    }
}

/// The result of a screening.
#[derive(Debug)]
pub struct Screening {
    /// The suspicious documents, then the sources; of archives, only the texts that share a passage. Without
    /// sources each document is both.
    pub texts: Vec<Text>,
    /// Number of suspicious documents.
    pub suspicious: usize,
    /// Number of sources.
    pub sources: usize,
    /// True if the documents were compared with each other.
    pub with_each_other: bool,
    /// Pairs of documents that share passages, the greatest share first.
    pub matches: Vec<Match>,
    /// Pairs of documents whose passages do not count but are worth a look, if these were asked for
    /// ([`Options::leads`]).
    pub leads: Vec<Match>,
    /// True if names of authors, or headings with them, are left out of some suspicious document.
    pub names_left_out: bool,
    /// The texts that many documents share, the greatest product of words and documents first.
    pub common: Vec<CommonText>,
    /// The longest and most widespread text in more than half of the documents in a language, and in at least three, where
    /// these are too few for common text. It may be their task; its words count like others.
    pub perhaps_common: Option<CommonText>,
    /// The languages of the texts, if translations were asked for.
    pub languages: Option<ScreenedLanguages>,
    /// Documents in a language in which they were compared with nothing; none if translations were asked for.
    pub alone: Vec<Alone>,
    /// Number of different documents and sources that were read; those of archives are not counted.
    pub read: usize,
    /// Number of documents that stand among their own sources, with the same id and text; no document is
    /// compared with itself.
    pub own: usize,
    /// Number of archived documents without an author, which are compared with all documents; set by those who
    /// distinguish authors, else 0.
    pub authorless: usize,
    /// Names of files that are no documents, such as receipts of a learning platform; set by those who know them, else none.
    pub set_aside: Vec<String>,
    /// Number of files and records that could not be read, and of pairs that could not be compared.
    pub skipped: u64,
    /// The first [`Skipped::MOST`] of them, in order.
    pub unread: Vec<Skipped>,
    /// Number of documents with more words than are compared.
    pub in_part: u64,
}

/// Two documents that share passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The index of the suspicious document in [`Screening::texts`]. Of two documents that are compared with each
    /// other, it is the one with the greater share of its words in the other.
    pub suspicious: u32,
    /// The index of the source, or of the other document.
    pub source: u32,
    /// The passages that they share, the longest first.
    pub passages: Vec<Passage>,
    /// The share of the suspicious document that the passages cover.
    pub share: Share,
    /// The share of the source that they cover.
    pub source_share: Share,
    /// True if none of its passages counts.
    pub is_lead: bool,
}

/// Screens texts, of which the first are suspicious and the others sources, and the texts of archives. Words of the
/// templates do not count. Problems that arise are noted beside those that are known.
///
/// The result is the same for any number of threads. Each pair of documents is reported once, and a document that stands
/// among the sources too counts as one.
///
/// # Errors
///
/// [`Error::Strict`] at the first problem, if [`Settings::strict`] is set; [`Error::Interrupted`].
pub fn screen_texts(
    settings: &Settings,
    mut texts: Vec<Text>,
    suspicious: usize,
    mut archives: Vec<Archive>,
    templates: &[Text],
    mut unread: Problems<'_>,
) -> Result<Screening> {
    let observer = unread.observer;
    let in_part = report_parts(settings, templates.iter().chain(&texts), &archives, observer)?;
    let kept: usize = archives.iter().map(Archive::count).sum();
    let compared = texts.len() - suspicious + kept;
    observer.begin("marking words that do not count", Some(texts.len() as u64));
    let noticed = Noticed::among(&mut texts, suspicious, settings.threads, observer)?;
    let exclusions = Exclusions::new(settings.exclude, templates, noticed);
    let mut defects = Vec::new();
    let excluded = parallel::map(texts.len(), settings.threads, |number| {
        go_on(observer)?;
        let excluded = or_problem(&texts[number].id, Location::File, || exclusions.of(&texts[number]));
        observer.advance(1);
        Ok(excluded)
    })?;
    for (text, words) in texts.iter_mut().zip(excluded) {
        text.exclude(words.unwrap_or_else(|problem| {
            defects.push(problem);
            Excluded::default()
        }));
    }
    let names_left_out = texts[..suspicious].iter().any(|text| !text.name_and_heading().is_empty());
    let corpus = Corpus { texts: &texts, suspicious, archives: &archives, exclusions: &exclusions };
    let with_each_other = corpus.with_each_other(settings);
    let languages = settings.translation.is_wanted();
    let languages = languages.then(|| ScreenedLanguages::of(&corpus, &settings.translation, with_each_other));
    let alone = if languages.is_some() { Vec::new() } else { Alone::of(&corpus, with_each_other) };
    let Compared { mut matches, own, problems } = compare_all(settings, &corpus, observer)?;
    for problem in defects.into_iter().chain(problems) {
        if settings.strict {
            return Err(Error::Strict(problem.to_string()));
        }
        unread.note(&problem);
    }
    archive::take(&mut archives, &mut texts, &mut matches);
    matches.sort_by(|x, y| {
        y.share.compare(&x.share).then_with(|| (x.suspicious, x.source).cmp(&(y.suspicious, y.source)))
    });
    let Problems { count: skipped, unread, .. } = unread;
    let noticed = exclusions.noticed();
    let sources = compared;
    let (leads, matches) = matches.into_iter().partition(|found| found.is_lead);
    Ok(Screening {
        texts,
        suspicious,
        sources,
        with_each_other,
        matches,
        leads,
        names_left_out,
        common: noticed.texts,
        perhaps_common: noticed.of_few,
        languages,
        alone,
        read: noticed.documents,
        own,
        authorless: 0,
        set_aside: Vec::new(),
        skipped,
        unread,
        in_part,
    })
}

/// Reports the texts that are compared in part; returns their number.
fn report_parts<'t>(
    settings: &Settings,
    texts: impl Iterator<Item = &'t Text>,
    archives: &[Archive],
    observer: &dyn Observer,
) -> Result<u64> {
    let mut count = 0;
    for problem in texts.filter_map(Text::cut_short).chain(archives.iter().flat_map(Archive::cut_short)) {
        if settings.strict {
            return Err(Error::Strict(problem.to_string()));
        }
        observer.report(&problem);
        count += 1;
    }
    Ok(count)
}

/// The result of some work on a document; a problem if the work panics.
///
/// # Errors
///
/// [`Problem::internal`].
pub fn or_problem<T>(file: &str, place: Location, work: impl FnOnce() -> T) -> std::result::Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Problem::internal(file.to_owned(), place))
}

/// Panics if the id contains the name of this stage; no text is known that causes a panic.
#[cfg(any(test, feature = "faults"))]
fn panic_if_asked(id: &str, stage: &str) {
    assert!(!id.contains(stage), "as {id} asks for");
}
