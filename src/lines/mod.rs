//! Lines that stand in many documents, and where they are cut: navigation, footers, notices.
//!
//! 1. **Count** (`units`): each line is folded and hashed; hashes and documents are sorted, which brings equal lines together.
//! 2. **Look**: lines that stand in more documents than the limit are looked up in each document. Those of program code and
//!    tables are left alone, and so are short ones away from the edges of a document (`edges`), and the ends of sentences
//!    whose beginning may not be cut (`sentences`).
//! 3. **Keep** (`cuts`): in an order of the documents the first that could lose a line keeps it, and the others lose it; or all
//!    lose it.
//!
//! Cost: two readings, each linear in the text. Memory: [`OF_A_DOCUMENT`] bytes a document, 48 a line of many
//! documents, and what the settings allow for sorting; on disk some 22 bytes for each line, and up to 64 for each that is cut.
//!
//! Source: Wenzek et al. 2020, `CCNet`, which cuts each line that was seen before; the limit and the edges are ours.

mod counts;
mod cuts;
mod edges;
mod fold;
mod frequent;
mod sentences;
pub mod steps;
mod units;

use std::path::PathBuf;

use crate::cutting::{self, Document, Documents, Limits, Place};
use crate::durable::known::KnownCorpus;
use crate::runs::joined;
use crate::sorter::Sorter;
use crate::text::code::{code, is_line_of_code};
use crate::text::table::tables;
use counts::Counts;
pub use counts::{Total, is_counts};
pub use cuts::{About, Cut, Cuts, Decision, Occurrence, Totals};
use cuts::{Decided, Waiting};
use edges::may_go;
pub use edges::{EDGE, LONG};
use frequent::Frequent;
pub use frequent::LEAST_PAGES;
use sentences::ends_sentence_of;
pub use units::Hash;
use units::{Reader, Unit};

/// Bytes of memory for a document.
pub const OF_A_DOCUMENT: u64 = 32;

/// Options of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// True if paragraphs are cut instead of lines.
    pub by_paragraph: bool,
    /// A line is cut if it stands in more documents.
    pub max_documents: u32,
    /// A line is cut if it stands in a greater share of its site's pages, and in [`LEAST_PAGES`] at least.
    pub per_site: Option<f64>,
    /// A file of counts of other corpora, to which those of this one are added.
    pub counts: Option<PathBuf>,
    /// True if lines of program code and tables are cut, too.
    pub all_lines: bool,
    /// True if all documents lose a line.
    pub keeps_none: bool,
    /// The limits within which a document is cut.
    pub limits: Limits,
    /// Bytes for sorting.
    pub memory: usize,
    /// The folder for what does not fit.
    pub temp: PathBuf,
}

/// A line that stands in many documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The number of these documents: of all that were counted, or of a site.
    pub documents: u32,
    /// The document that keeps it, and the place in it; if none does, the first that could.
    pub first: Option<(u32, Place)>,
}

/// The lines that are cut from documents.
#[derive(Debug)]
pub struct Lines {
    /// The key of each document.
    pub keys: Vec<u64>,
    /// The lines of many documents.
    pub lines: Vec<Line>,
    /// The spans that are cut, in the order of the documents, none of which overlap.
    pub cuts: Cuts,
    /// Numbers of the documents that go whole, in order.
    pub gone: Vec<u32>,
    /// Numbers of the documents that stay whole, as too much would be cut or they cannot be, in order.
    pub spared: Vec<u32>,
    /// Numbers of the lines, words and documents that were cut.
    pub totals: Totals,
    /// Number of words of all documents.
    pub words: u64,
    /// Sizes of the file of counts.
    pub counted: Option<Total>,
}

/// The lines of a document that are counted.
#[derive(Debug)]
struct Counted {
    hashes: Vec<Hash>,
    words: u32,
    end: Place,
}

impl cutting::Made for Counted {
    fn size(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.hashes)
    }
}

impl Counted {
    fn of(reader: &mut Reader, text: &str) -> Self {
        let mut hashes = Vec::new();
        let words = reader.read(text, |unit| hashes.extend(unit.hash));
        // A line counts once a document.
        hashes.sort_unstable();
        hashes.dedup();
        Self { hashes, words, end: end_of(text) }
    }
}

/// The end of a text.
fn end_of(text: &str) -> Place {
    Place { byte: text.len() as u32, character: text.chars().count() as u32 }
}

impl cutting::Made for Vec<Occurrence> {
    fn size(&self) -> usize {
        size_of_val(&**self)
    }
}

/// The lines of many documents that may be cut from a text, and the number of all its words.
fn occurrences(
    reader: &mut Reader,
    text: &str,
    number: impl Fn(&Unit) -> Option<u32>,
    all_lines: bool,
) -> (Vec<Occurrence>, u32) {
    let (mut found, mut all, mut above) = (Vec::new(), 0u32, None);
    let words = reader.read(text, |unit| {
        if let Some(line) = number(&unit) {
            found.push((all, line, unit, above.is_some_and(|above| ends_sentence_of(text, above, unit))));
        }
        (all, above) = (all + 1, Some(unit));
    });
    if !found.is_empty() && !all_lines {
        let mut alone = code(text);
        alone.extend(tables(text));
        let alone = joined(alone);
        // Its comments and single lines are code, too.
        let is_code = 2 * alone.iter().map(ExactSizeIterator::len).sum::<usize>() > text.len();
        found.retain(|(.., unit, _)| {
            let [start, end] = [unit.start, unit.end].map(|at| at as usize);
            let first = alone.partition_point(|span| span.end <= start);
            let is_inside = alone.get(first).is_some_and(|span| span.start < end);
            !is_code && !is_inside && !text[start..end].lines().any(is_line_of_code)
        });
    }
    // The line above is long, so that it may go if it is among them.
    let mut above = None;
    found.retain(|(number, .., ends_sentence)| {
        let stays = *ends_sentence && above != number.checked_sub(1);
        above = Some(*number).filter(|_| !stays).or(above);
        !stays
    });
    let (mut at, mut characters) = (0, 0);
    let mut place = |byte: u32| {
        characters += text[at..byte as usize].chars().count() as u32;
        at = byte as usize;
        Place { byte, character: characters }
    };
    let may = may_go(&found.iter().map(|(number, _, unit, _)| (*number, unit.words)).collect::<Vec<_>>(), all);
    let lines = found.into_iter().zip(may).filter_map(|(line, may)| may.then_some(line));
    let occurrence = |(_, line, Unit { start, end, before, words, .. }, _)| {
        let [start, end] = [start, end].map(&mut place);
        Occurrence { start, end, before, words, line }
    };
    (lines.map(occurrence).collect(), words)
}

/// Finds the lines to be cut.
///
/// # Errors
///
/// Those of the documents; [`crate::Error::Write`] for temporary files; [`crate::Error::Saved`], [`crate::Error::Locked`] for the file of counts.
///
/// # Panics
///
/// If there are more than 2^31 documents.
pub fn find<D: Documents>(documents: &mut D, settings: &Settings) -> Result<Lines, D::Error> {
    let state = || Reader::new(settings.by_paragraph);
    // Begun before the work, so that two runs with one file are told at once.
    let counts = settings.counts.as_ref().map(|path| Counts::open(path, settings.by_paragraph)).transpose()?;
    let (mut keys, mut about, mut sites) = (Vec::new(), Vec::new(), vec![0]);
    let (mut rows, mut corpus) = (Sorter::new(settings.memory / 2, &settings.temp), KnownCorpus::default());
    let count = |reader: &mut Reader, _, text: &str| Counted::of(reader, text);
    documents.each("counting lines", &state, &count, &mut |document, made| {
        let (number, Document { key, can_cut, site }) = (keys.len() as u32, document);
        keys.push(key);
        about.push(About { words: made.words, end: made.end, can_cut, site });
        sites.resize(sites.len().max(site as usize + 1), 0);
        sites[site as usize] += 1;
        if counts.is_some() {
            corpus.add(counts::of_document(&made.hashes));
        }
        Ok(rows.extend(&made.hashes.iter().map(|&hash| frequent::row(hash, site, number)).collect::<Vec<_>>())?)
    })?;
    assert!(keys.len() < 1 << 31, "at most 2^31 documents");
    let mut counts = counts.map(|counts| counts.merge(corpus)).transpose()?;
    let frequent = Frequent::of(rows, settings, &sites, counts.as_mut())?;
    let counted = counts.map(counts::Merge::finish).transpose()?;
    let order = documents.order(&about.iter().map(|about| about.end.byte).collect::<Vec<_>>())?;
    let mut decided = Decided::new(&frequent, settings);
    let mut waiting = if order.is_sorted() {
        None
    } else {
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&document, rank)| ranks[document as usize] = rank);
        Some((Waiting::new(settings.memory / 4, &settings.temp), ranks))
    };
    let site = |key: u64| keys.binary_search(&key).map_or(0, |number| about[number].site);
    let look = |reader: &mut Reader, key, text: &str| {
        let site = site(key);
        occurrences(reader, text, |unit| frequent.number(unit, site), settings.all_lines).0
    };
    documents.each("finding lines", &state, &look, &mut |document, lines| {
        let Ok(number) = keys.binary_search(&document.key) else { return Ok(()) };
        match &mut waiting {
            None => decided.take(number as u32, &lines, about[number])?,
            Some((waiting, ranks)) => waiting.extend(ranks[number], &lines)?,
        }
        Ok(())
    })?;
    if let Some((waiting, _)) = waiting {
        waiting.each_document(|rank, lines| {
            let number = order.get(rank as usize).copied().unwrap_or_default();
            if lines.is_empty() { Ok(()) } else { decided.take(number, lines, about[number as usize]) }
        })?;
    }
    let firsts = std::mem::take(&mut decided.first);
    let (mut gone, mut spared) = (std::mem::take(&mut decided.gone), std::mem::take(&mut decided.spared));
    gone.sort_unstable();
    spared.sort_unstable();
    let words = about.iter().map(|about| u64::from(about.words)).sum();
    let totals = decided.totals;
    let cuts = decided.sorted()?;
    Ok(Lines { lines: frequent.lines(firsts), keys, cuts, gone, spared, totals, words, counted })
}

#[cfg(test)]
mod tests;
