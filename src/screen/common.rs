//! Common text: what many documents share is noticed by itself, such as the assignment or a licence notice.
//!
//! Text is common if it has at least [`VERBATIM`] words, as a question of a sheet has, and stands in a fifth of the documents
//! in one language, by different authors: at least ten, and 64 are always enough. So a German assignment is common among
//! German essays, however many others there are, and so it is where an English essay has it too. It is no evidence of a
//! copy, except from the only source that has it: the text is that source's own, however many copied it. All documents and
//! sources that are read count; archives do not, but their texts are marked by the same rule. A document that consists
//! mostly of common text is a copy rather than a form: nothing of it is left out.
//!
//! Cost: see [`CommonPhrases`]; then a look-up for each word.

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::Text;
use crate::align::{CROWD, CommonPhrases, VERBATIM, hash_of_run};
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::text::Language;

/// Minimum number of documents with a common text, by different authors: five who copy one page of a source in a small
/// class are no form.
const FEWEST: usize = 10;

/// Common text stands in one of so many documents in a language.
const ONE_OF: usize = 5;

/// Maximum number of common texts that are listed.
const MOST: usize = 20;

/// Share of the phrases of a listed text that a document must contain to count, in fourths.
const FOURTHS: usize = 3;

/// A text that many documents share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonText {
    /// Number of documents and sources, in any language, with at least three fourths of it.
    pub documents: usize,
    /// The index of the first text in which it stands.
    pub text: u32,
    /// Its words there.
    pub words: Range<usize>,
}

/// The least number of documents that makes a text common, given the number in its language; `None` if nothing is common
/// there.
type Rule = fn(usize) -> Option<usize>;

/// The rule by which words are common.
#[derive(Debug)]
pub(super) struct Noticed {
    /// Those that are common in any language. What is common in one is so in the texts of all: counted by other documents
    /// than those that are listed with it, it would be suppressed without a trace.
    phrases: CommonPhrases,
    /// Common phrases that one source alone has, with its number.
    sole: HashMap<u32, u32>,
    /// Number of different documents and sources that were read.
    pub(super) documents: usize,
    /// The longest and most widespread common texts, the greatest product of words and documents first.
    pub(super) texts: Vec<CommonText>,
    /// The text that most documents of a language with few documents share; `None` if any text is common.
    pub(super) of_few: Option<CommonText>,
}

impl Noticed {
    /// Notices common text among texts that were read, of which the first are suspicious, and marks it there.
    pub(super) fn among(
        texts: &mut [Text],
        suspicious: usize,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let census = Census::of(texts, suspicious);
        let (mut noticed, runs) = Self::by(|count| Some(least_of(count)), texts, &census, threads, observer)?;
        if noticed.texts.is_empty() {
            let (of_few, runs) = Self::by(most_of_few, texts, &census, threads, observer)?;
            // A document that consists of such text is a version rather than an answer to the same task.
            let shared = |text: usize| runs[text].iter().map(Range::len).sum::<usize>();
            let is_part =
                |found: &CommonText| 2 * shared(found.text as usize) <= texts[found.text as usize].words.len();
            noticed.of_few = of_few.texts.into_iter().find(is_part);
        }
        noticed.sole = sole_sources(texts, suspicious, &census, &runs);
        texts.iter_mut().zip(runs).for_each(|(text, runs)| text.note_common(runs));
        Ok(noticed)
    }

    /// For each source that alone has some of a text's common phrases, the runs of the others.
    pub(super) fn against(&self, text: &Text) -> Vec<(u32, Vec<Range<usize>>)> {
        let of_text = text.common().iter().flat_map(|run| phrases(text, run));
        let sources: BTreeSet<u32> = of_text.filter_map(|phrase| self.sole.get(&phrase).copied()).collect();
        let runs = |source: u32| {
            let is_one = |phrase| self.phrases.contains(phrase) && self.sole.get(&phrase) != Some(&source);
            self.phrases.runs_of(&text.words, VERBATIM, is_one)
        };
        sources.into_iter().map(|source| (source, runs(source))).collect()
    }

    /// The common text by a rule, and for each text its common words as runs in order.
    fn by(
        rule: Rule,
        texts: &[Text],
        Census { documents, owners, of_language }: &Census,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<(Self, Vec<Vec<Range<usize>>>)> {
        let mut common = CommonPhrases::default();
        let rules = of_language.iter().filter_map(|(&language, &count)| Some((language, rule(count)?)));
        let rules: Vec<(Language, usize)> = rules.collect();
        for &(language, at_least) in &rules {
            let owned = texts.iter().zip(owners).filter(|(text, _)| text.language == language);
            let owned: Vec<_> = owned.map(|(text, &owner)| (&text.words, owner)).collect();
            common.add(CommonPhrases::of(&owned, at_least, threads, || go_on(observer))?);
        }
        let mut noticed = Self {
            phrases: common,
            sole: HashMap::new(),
            documents: of_language.values().sum(),
            texts: Vec::new(),
            of_few: None,
        };
        let mut runs = vec![Vec::new(); texts.len()];
        if !noticed.phrases.is_empty() {
            runs = parallel::map(texts.len(), threads, |number| Ok(noticed.runs(&texts[number])))?;
            let least = rules.iter().map(|&(_, least)| least).min();
            noticed.texts = longest(texts, documents, &runs, least.unwrap_or(FEWEST));
        }
        Ok((noticed, runs))
    }

    /// The common words of a text, as runs in order.
    pub(super) fn runs(&self, text: &Text) -> Vec<Range<usize>> {
        self.phrases.runs(&text.words, VERBATIM)
    }
}

/// The common texts to list, in at least so many documents each: of what runs share, it belongs to the one that the most
/// documents have exactly.
fn longest(texts: &[Text], documents: &[u32], runs: &[Vec<Range<usize>>], at_least: usize) -> Vec<CommonText> {
    let mut listed: Vec<(CommonText, usize)> = Vec::new();
    // The listed text of each phrase.
    let mut places: HashMap<u32, usize> = HashMap::new();
    for found in same_runs(texts, documents, runs) {
        let room = MOST - listed.len();
        if room == 0 {
            break;
        }
        let text = &texts[found.text as usize];
        let parts = beside(text, &found.words, |phrase| places.contains_key(&phrase));
        for words in parts.into_iter().take(room) {
            let new: HashSet<u32> = phrases(text, &words).collect();
            places.extend(new.iter().map(|&phrase| (phrase, listed.len())));
            listed.push((CommonText { words, ..found }, new.len()));
        }
    }
    let mut with: Vec<HashSet<u32>> = vec![HashSet::new(); listed.len()];
    for ((text, runs), &document) in texts.iter().zip(runs).zip(documents) {
        let found: HashSet<u32> = runs.iter().flat_map(|run| phrases(text, run)).collect();
        let mut counts = vec![0; listed.len()];
        found.iter().filter_map(|phrase| places.get(phrase)).for_each(|&place| counts[place] += 1);
        for ((with, count), (_, all)) in with.iter_mut().zip(counts).zip(&listed) {
            if 4 * count >= FOURTHS * all {
                with.insert(document);
            }
        }
    }
    let counted = listed.into_iter().zip(with).map(|((text, _), with)| CommonText { documents: with.len(), ..text });
    let mut counted: Vec<CommonText> = counted.filter(|found| found.documents >= at_least).collect();
    counted.sort_by_key(|text| Reverse(text.documents * text.words.len()));
    counted
}

/// The common phrases that one source alone has, with its number, given the common words of each text. A document that stands
/// among the sources is none.
fn sole_sources(texts: &[Text], suspicious: usize, census: &Census, runs: &[Vec<Range<usize>>]) -> HashMap<u32, u32> {
    let mut found: HashMap<u32, (u32, Option<u32>)> = HashMap::new();
    let sources = (suspicious..texts.len()).filter(|&source| census.documents[source] as usize == source);
    for source in sources {
        let (text, owner) = (&texts[source], census.owners[source]);
        for phrase in runs[source].iter().flat_map(|run| phrases(text, run)) {
            let (first, only) = found.entry(phrase).or_insert((owner, Some(source as u32)));
            *only = only.filter(|_| *first == owner);
        }
    }
    found.into_iter().filter_map(|(phrase, (_, source))| Some((phrase, source?))).collect()
}

/// The documents, authors and languages of the texts that were read: common text is counted by them.
struct Census {
    /// For each text the number of its document.
    documents: Vec<u32>,
    /// For each text the number of its author, or of its document if it has none.
    owners: Vec<u32>,
    /// The number of different documents and sources in each language.
    of_language: BTreeMap<Language, usize>,
}

impl Census {
    fn of(texts: &[Text], suspicious: usize) -> Self {
        let documents = identities(texts, suspicious);
        let mut of_language: BTreeMap<Language, usize> = BTreeMap::new();
        for ((text, &document), number) in texts.iter().zip(&documents).zip(0..) {
            *of_language.entry(text.language).or_default() += usize::from(document == number);
        }
        Self { owners: owners(texts, &documents), documents, of_language }
    }
}

/// The least number of documents that makes a text common, given the number in its language.
fn least_of(documents: usize) -> usize {
    documents.div_ceil(ONE_OF).clamp(FEWEST, CROWD)
}

/// More than half of the documents in a language, if these are too few for common text.
fn most_of_few(documents: usize) -> Option<usize> {
    let most = (documents / 2 + 1).max(3);
    (most <= documents && most < least_of(documents)).then_some(most)
}

/// Groups of equal runs, each with the number of its documents and its first place; the greatest product of words and
/// documents first.
fn same_runs(texts: &[Text], documents: &[u32], runs: &[Vec<Range<usize>>]) -> Vec<CommonText> {
    let mut groups: HashMap<u64, (CommonText, u32)> = HashMap::new();
    for (number, (text, &document)) in (0..).zip(texts.iter().zip(documents)) {
        for run in &runs[number as usize] {
            let hash = hash_of_run(text.words.as_slice()[run.clone()].iter().map(|word| word.form));
            match groups.entry(hash) {
                Entry::Occupied(mut group) => {
                    let (found, last) = group.get_mut();
                    found.documents += usize::from(*last != document);
                    *last = document;
                }
                Entry::Vacant(group) => {
                    group.insert((CommonText { documents: 1, text: number, words: run.clone() }, document));
                }
            }
        }
    }
    let mut groups: Vec<CommonText> = groups.into_values().map(|(found, _)| found).collect();
    groups.sort_unstable_by_key(|found| (Reverse(found.documents * found.words.len()), found.text, found.words.start));
    groups
}

fn phrases(text: &Text, run: &Range<usize>) -> impl Iterator<Item = u32> + use<> {
    CommonPhrases::of_words(&text.words.as_slice()[run.clone()]).into_iter()
}

/// The words of a run that are in no known phrase: all of it, or where they are enough for a common text of their own.
fn beside(text: &Text, run: &Range<usize>, is_known: impl Fn(u32) -> bool) -> Vec<Range<usize>> {
    let phrases: Vec<u32> = phrases(text, run).collect();
    let length = run.len() + 1 - phrases.len();
    let mut is_new = vec![true; run.len()];
    for at in (0..phrases.len()).filter(|&at| is_known(phrases[at])) {
        is_new[at..at + length].fill(false);
    }
    let mut end = run.start;
    let parts = is_new.chunk_by(|a, b| a == b).map(|part| {
        end += part.len();
        (part[0], end - part.len()..end)
    });
    parts
        .filter(|(is_new, words)| *is_new && (words == run || words.len() >= VERBATIM))
        .map(|(_, words)| words)
        .collect()
}

/// For each text the number of its document: its own, or that of the suspicious text that it is, if that stands among
/// the sources too.
fn identities(texts: &[Text], suspicious: usize) -> Vec<u32> {
    let (documents, sources) = texts.split_at(suspicious);
    let known: HashMap<&str, (u32, &Text)> =
        documents.iter().zip(0..).map(|(text, number)| (text.id.as_str(), (number, text))).collect();
    let of_source = |(source, number): (&Text, u32)| match known.get(source.id.as_str()) {
        Some(&(same, text)) if text.text == source.text => same,
        _ => number,
    };
    let own = 0..suspicious as u32;
    own.chain(sources.iter().zip(suspicious as u32..).map(of_source)).collect()
}

/// For each text the number of its author, or of its document if it has none.
fn owners(texts: &[Text], documents: &[u32]) -> Vec<u32> {
    let mut authors: HashMap<&str, u32> = HashMap::new();
    let owner = |(text, &document): (_, &u32)| {
        let text: &Text = text;
        // The first document of an author stands for all.
        text.author.as_deref().map_or(document, |author| *authors.entry(author).or_insert(document))
    };
    texts.iter().zip(documents).map(owner).collect()
}
