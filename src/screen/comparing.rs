//! Alignment of each suspicious document with its candidates.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;

use super::archive::Archive;
use super::background::{Sample, number_of};
use super::corpus::Corpus;
use super::share::{self, Side};
use super::translated::Translations;
use super::{Match, Preparer, Settings, Text, fuzzy_pairs};
use crate::align::{
    AlignmentMemory, Among, Boilerplate, Candidate, Candidates, Collocations, Counted, Key, Options, Passage, Search,
    Wholes, Words, align_among, shared_words,
};
use crate::error::{Location, Problem, Result};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::or_problem;

/// The result for all documents.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// In the order of the documents.
    pub(super) matches: Vec<Match>,
    /// Number of documents that stand among their own sources.
    pub(super) own: usize,
    /// Pairs, or whole documents, whose comparison panicked.
    pub(super) problems: Vec<Problem>,
}

/// Aligns each suspicious document with its candidates.
pub(super) fn compare_all(settings: &Settings, corpus: &Corpus<'_>, observer: &dyn Observer) -> Result<Compared> {
    observer.begin("indexing sources", None);
    let with_each_other = corpus.with_each_other(settings);
    let first = if with_each_other { 0 } else { corpus.suspicious };
    let read = Candidates::new(corpus.texts[first..].iter().map(|text| &text.words));
    let archived: Vec<Candidates<'_>> = corpus.archives.iter().map(Archive::candidates).collect();
    let indexes: Vec<&Candidates<'_>> = std::iter::once(&read).chain(&archived).collect();
    let collocations = Collocations::of(&indexes);
    let crowds = Boilerplate::new(indexes);
    let is_wanted = !collocations.is_empty();
    let sample = Sample::of(corpus.texts, corpus.suspicious, corpus.archives, is_wanted, settings.threads, observer)?;
    let words: Vec<&Words> =
        corpus.texts.iter().map(|text| &text.words).filter(|_| settings.options.whole_texts).collect();
    let wholes = Wholes::among(&words, settings.threads, || go_on(observer))?;
    let memory = AlignmentMemory::new(settings.alignment_memory());
    let known = corpus.known(with_each_other);
    let mut problems = Vec::new();
    let translations = Translations::new(&settings.translation, corpus, settings.threads, &mut problems, observer)?;
    let searched = Searched { corpus, known, first, sample, wholes, collocations, memory, translations };
    observer.begin("comparing documents", Some(corpus.suspicious as u64));
    let fresh = || (Preparer::new(None).across(&settings.translation), crowds.search());
    // Threads that have no document of their own help with those of the others.
    let options = Options { threads: (settings.threads / corpus.suspicious.max(1)).max(1), ..settings.options };
    let compared = parallel::each(corpus.suspicious, settings.threads, fresh, |state, number| {
        go_on(observer)?;
        let (preparer, search) = state;
        let compared = or_problem(&corpus.texts[number].id, Location::File, || {
            searched.compare(number, options, preparer, search, observer)
        });
        if compared.is_err() {
            // The caches of the analysers may be half-written.
            *state = fresh();
        }
        go_on(observer)?;
        observer.advance(1);
        Ok(compared)
    })?;
    let mut all = Compared { problems, ..Compared::default() };
    for of_document in compared {
        match of_document {
            Ok(OfOne { matches, own, problems }) => {
                all.matches.extend(matches);
                all.problems.extend(problems);
                all.own += usize::from(own);
            }
            Err(problem) => all.problems.push(problem),
        }
    }
    all.matches.sort_unstable_by_key(|found| (found.suspicious, found.source));
    Ok(all)
}

/// The result for one document.
#[derive(Debug, Default)]
struct OfOne {
    matches: Vec<Match>,
    /// True if it stands among its own sources.
    own: bool,
    /// Pairs whose comparison panicked.
    problems: Vec<Problem>,
}

/// A corpus whose sources are indexed.
struct Searched<'a> {
    corpus: &'a Corpus<'a>,
    /// The texts of the suspicious documents by their ids, if these are compared with each other; else none.
    known: HashMap<&'a str, &'a str>,
    /// The number of the first text that is searched.
    first: usize,
    sample: Sample,
    wholes: Wholes,
    collocations: Collocations,
    memory: AlignmentMemory,
    translations: Option<Translations<'a>>,
}

impl Searched<'_> {
    /// The documents among which a text is aligned with another.
    fn among(&self, text: &Text) -> Among<'_> {
        let (background, collocations) = (self.sample.background(), &self.collocations);
        Among { background, collocations, language: number_of(text.language), memory: &self.memory }
    }

    /// True if a text is a suspicious document, and so compared as one of two documents.
    fn is_document(&self, other: usize) -> bool {
        other < self.corpus.suspicious
    }

    /// True if a suspicious document is compared with another text that was read, and not only the other way round.
    fn is_compared(&self, number: usize, other: usize) -> bool {
        let of = |number: usize| (number, &self.corpus.texts[number]);
        !self.is_document(other) || comes_first(of(number), of(other))
    }

    /// True if a document may copy a source, given by its id, author and text, which is not compared as a document.
    fn may_copy_source(&self, text: &Text, source: (&str, Option<&str>, &str)) -> bool {
        !self.is_known(source.0, source.2) && !is_itself(text, source.0, source.2) && may_copy(text, source.1)
    }

    /// True if a source is one of the documents that are compared with each other.
    fn is_known(&self, id: &str, text: &str) -> bool {
        self.known.get(id).is_some_and(|&known| known == text)
    }

    fn compare(
        &self,
        number: usize,
        options: Options,
        preparer: &mut Preparer,
        search: &mut Search<'_>,
        observer: &dyn Observer,
    ) -> OfOne {
        let text = &self.corpus.texts[number];
        let mut result = OfOne::default();
        let counted = self.sample.of_read(number, text);
        let mut compare = |candidate: &Candidate, other: usize, source: &Text, counted_source: Counted<'_>| {
            if !self.is_document(other) && is_itself(text, &source.id, &source.text) {
                result.own = true;
                return;
            }
            if !self.is_document(other) && self.is_known(&source.id, &source.text) {
                return;
            }
            let are_documents = self.is_document(other);
            let [common, common_source] = if are_documents {
                text.no_evidence_of_two((other, source))
            } else {
                text.no_evidence_of_source((other, source))
            };
            let counted = Counted { common: &common, ..counted };
            let counted_source = Counted { common: &common_source, ..counted_source };
            let sides = [(number, text, counted), (other, source, counted_source)];
            let aligned = || of_two(sides, candidate, are_documents, options, self.among(text));
            match or_problem(&text.id, Location::File, aligned) {
                Ok(found) => {
                    result.matches.extend(found.map(|found| if are_documents { found.by_share() } else { found }));
                }
                Err(problem) => {
                    let file = format!("{} compared with {}", text.id, source.id);
                    result.problems.push(Problem { file, ..problem });
                }
            }
        };
        let judge = |index: usize, other: u32| match index.checked_sub(1) {
            None => {
                let other = other as usize + self.first;
                let source = &self.corpus.texts[other];
                let author = source.author.as_deref();
                if self.is_document(other) {
                    self.is_compared(number, other) && may_copy(text, author)
                } else {
                    self.may_copy_source(text, (&source.id, author, &source.text))
                }
            }
            Some(archive) => {
                let of_source = self.corpus.archives[archive].source(other as usize);
                of_source.is_some_and(|source| self.may_copy_source(text, source))
            }
        };
        // It compares whole texts, and each block of words of a long one asks again.
        let judged: RefCell<HashMap<(usize, u32), bool>> = RefCell::default();
        let is_compared = |index: usize, other: u32| {
            *judged.borrow_mut().entry((index, other)).or_insert_with(|| judge(index, other))
        };
        let mut candidates = search.of(&text.words, is_compared).into_iter();
        let found = candidates.next().unwrap_or_default().into_iter();
        let found = found.filter(|it| !self.wholes.are_two(number as u32, it.text() + self.first as u32));
        let wholes = self.wholes.of(number as u32).filter_map(|other| other.checked_sub(self.first as u32));
        for candidate in found.chain(wholes.map(Candidate::with_whole)) {
            if observer.is_stopped() {
                break;
            }
            let other = candidate.text() as usize + self.first;
            let source = &self.corpus.texts[other];
            if self.is_compared(number, other) {
                compare(&candidate, other, source, self.sample.of_read(other, source));
            }
        }
        let mut first = self.corpus.texts.len();
        for (archive, sources) in self.corpus.archives.iter().zip(candidates) {
            for candidate in sources {
                if observer.is_stopped() {
                    break;
                }
                let source = candidate.text() as usize;
                if let Some(text) = archive.text(source, preparer, self.corpus.exclusions) {
                    compare(&candidate, first + source, text, self.sample.of_archived(archive, source, text));
                }
            }
            first += archive.len();
        }
        if let Some(translations) = &self.translations {
            let is_compared = |other: usize| match self.corpus.archived(other) {
                None => other >= self.first && is_compared(0, (other - self.first) as u32),
                Some((archive, number)) => is_compared(archive + 1, number as u32),
            };
            for (other, passages) in translations.of(number, options, is_compared, preparer) {
                if let Some(source) = translations.text(other, preparer) {
                    result.add_translated(
                        [(number, text), (other, source)],
                        passages,
                        self.is_document(other),
                        options,
                    );
                }
            }
        }
        result
    }
}

impl OfOne {
    /// Adds translated passages to the match of two texts, or a match of these alone.
    fn add_translated(
        &mut self,
        [(number, a), (other, b)]: [(usize, &Text); 2],
        mut passages: Vec<Passage>,
        are_documents: bool,
        options: Options,
    ) {
        let of_both = |found: &Match| {
            let numbers = [found.suspicious as usize, found.source as usize];
            numbers == [number, other] || numbers == [other, number]
        };
        let known = self.matches.iter().position(|found| !found.is_lead && of_both(found));
        let known = known.map(|place| self.matches.remove(place));
        if let Some(known) = known {
            let mut known = if known.suspicious as usize == number { known } else { known.turned() };
            passages.retain(|passage| passage.counts(options));
            // Words that two languages share may be part of a translation; if they are half of it, it is a copy, and a sure
            // copy counts before a weak translation.
            let overlaps = |x: &Passage, y: &Passage| shared_words(&x.a, &y.a) > 0;
            let is_copy = |passage: &Passage, copy: &Passage| {
                let equal = copy.matched.iter().filter(|(word, _)| passage.a.contains(&(*word as usize))).count();
                2 * equal >= passage.a.len() || passage.is_weak && !copy.is_weak && overlaps(copy, passage)
            };
            passages.retain(|passage| !known.passages.iter().any(|copy| is_copy(passage, copy)));
            // A translation shares names, numbers and code with its source, but no stop words.
            let is_verbatim = |copy: &Passage| {
                let common = copy.matched.iter().filter(|(_, word)| b.read(*word as usize).1.is_common).count();
                !copy.is_weak && 5 * common >= copy.a.len()
            };
            known.passages.retain(|copy| is_verbatim(copy) || !passages.iter().any(|passage| overlaps(copy, passage)));
            passages = known.passages.iter().fold(passages, |passages, copy| {
                passages.into_iter().flat_map(|passage| without(passage, &copy.a)).collect()
            });
            passages.append(&mut known.passages);
        }
        let found = of_passages([(number, a), (other, b)], passages, are_documents, options, |_| ());
        self.matches.extend(found.map(|found| if are_documents { found.by_share() } else { found }));
    }
}

/// The sides of a translated passage before and behind words that are copied. A side with few counterparts for its length is
/// dropped: the copied words led the passage there.
fn without(passage: Passage, words: &Range<usize>) -> Vec<Passage> {
    let Range { start, end } = passage.a;
    if shared_words(&passage.a, words) == 0 {
        return vec![passage];
    }
    let side = |a: Range<usize>| {
        let pairs = passage.matched.iter().zip(&passage.correspondences);
        let kept = pairs.filter(|((word, _), _)| a.contains(&(*word as usize)));
        let (matched, correspondences): (Vec<(u32, u32)>, Vec<_>) = kept.map(|(pair, class)| (*pair, *class)).unzip();
        let places = || matched.iter().map(|(_, word)| *word as usize);
        let b = places().min().map_or(0..0, |first| first..places().max().map_or(first, |last| last + 1));
        Passage { a, b, matched, correspondences, ..passage.clone() }
    };
    let sides = [start..words.start.max(start), words.end.min(end)..end].map(side);
    let density = |side: &Passage| side.matched.len() as f32 / side.a.len().max(1) as f32;
    let most = sides.iter().map(density).fold(0.0, f32::max);
    sides.into_iter().filter(|side| side.is_translated() && 2.0 * density(side) >= most).collect()
}

/// True if a text may copy one of this author: no author copies themselves.
fn may_copy(text: &Text, author: Option<&str>) -> bool {
    text.author.is_none() || text.author.as_deref() != author
}

/// True if a source, given by its id and text, is the document itself.
fn is_itself(text: &Text, id: &str, source: &str) -> bool {
    text.id == id && text.text == source
}

/// True if the first of two documents, each given with its number, is compared with the second, and not the other way
/// round: the shorter one, which may have the greater share in the other, whatever their names.
fn comes_first((number, a): (usize, &Text), (other, b): (usize, &Text)) -> bool {
    (a.words.len(), &a.text, number) < (b.words.len(), &b.text, other)
}

/// The match of two documents, each given with its number. The first met the second as a candidate.
fn of_two(
    [(number, a, counted), (source, b, counted_b)]: [(usize, &Text, Counted<'_>); 2],
    met: &Candidate,
    are_documents: bool,
    options: Options,
    among: Among<'_>,
) -> Option<Match> {
    #[cfg(any(test, feature = "faults"))]
    super::panic_if_asked(&b.id, "while-aligning");
    if a.author.is_some() && a.author == b.author {
        return None;
    }
    let key = if a.language == b.language { Key::Stem } else { Key::Form };
    let counted = [counted, counted_b];
    let passages = align_among(counted, Some(met), key, options, among);
    of_passages([(number, a), (source, b)], passages, are_documents, options, |passage| {
        // Words of two languages that begin alike need not mean the same.
        if key == Key::Stem {
            fuzzy_pairs::add(a, b, passage);
        }
    })
}

/// The match of two documents, each given with its number, that share these passages; `complete` adds to those that count.
fn of_passages(
    [(number, a), (source, b)]: [(usize, &Text); 2],
    mut passages: Vec<Passage>,
    are_documents: bool,
    options: Options,
    complete: impl FnMut(&mut Passage),
) -> Option<Match> {
    let counts = |text: &Text, words: &Range<usize>| {
        let counted = text.counted_in(words.clone());
        counted == words.len() || counted >= options.min_words
    };
    // What one of two documents quotes, the other may have copied.
    passages.retain(|passage| counts(a, &passage.a) || are_documents && counts(b, &passage.b));
    // What is only worth a look is told of pairs that have nothing else.
    let is_lead = !passages.iter().any(|passage| passage.counts(options));
    if !is_lead {
        passages.retain(|passage| passage.counts(options));
    }
    if passages.is_empty() {
        return None;
    }
    passages.iter_mut().for_each(complete);
    passages.sort_by_key(|passage| (std::cmp::Reverse(passage.a.len()), passage.a.start));
    let [share, source_share] = [Side::Suspicious, Side::Source].map(|side| share::of_two(a, b, &passages, side));
    Some(Match { suspicious: number as u32, source: source as u32, passages, share, source_share, is_lead })
}

impl Match {
    /// The same match, with the document that has the greater share in the other as the suspicious one.
    fn by_share(self) -> Self {
        if self.share.compare(&self.source_share).is_lt() { self.turned() } else { self }
    }

    /// The same match, with suspicious document and source exchanged.
    #[must_use]
    pub fn turned(mut self) -> Self {
        for passage in &mut self.passages {
            std::mem::swap(&mut passage.a, &mut passage.b);
            for pair in &mut passage.matched {
                *pair = (pair.1, pair.0);
            }
            if passage.is_translated() {
                let mut pairs: Vec<_> =
                    passage.matched.iter().copied().zip(passage.correspondences.drain(..)).collect();
                pairs.sort_by_key(|(pair, _)| *pair);
                // Several words may have one counterpart.
                pairs.dedup_by_key(|(pair, _)| pair.0);
                (passage.matched, passage.correspondences) = pairs.into_iter().unzip();
            } else {
                passage.matched.sort_unstable();
            }
            // These are places of the text that is now the suspicious one.
            passage.elsewhere.clear();
        }
        self.passages.sort_by_key(|passage| (std::cmp::Reverse(passage.a.len()), passage.a.start));
        let (suspicious, source) = (self.source, self.suspicious);
        let (share, source_share) = (self.source_share, self.share);
        Self { suspicious, source, share, source_share, ..self }
    }
}
