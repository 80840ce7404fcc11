//! Attested typos among texts that are to be cleaned: which words are misspelt, by the letters of the corpus.
//!
//! The [candidates](Removals::candidates) have words one form of which occurs nowhere else. Such a form is a typo if it
//! [may be one](typo) of the other form, and is *strange*: it has a run of three letters that the other lacks, and so does
//! every word that occurs twice in the texts of the candidates and in a sample of the corpus. `documnet` has `mne`, while
//! all runs of `contact` stand in other words.
//!
//! A corpus that is small, or has few texts of a language, lacks most runs of letters. So where letters are not merely
//! exchanged, the other words of the text must tell that the corpus knows its language: next to none of them is strange.
//!
//! Cost: nothing without candidates, else their texts and the sample are read once or twice more; memory for the distinct words of these texts.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::search::removals::{Candidate, Misspelt, Removals};
use crate::store::file::collection::Collection;
use crate::text::spans::Spanned;
use crate::text::typo::{Typo, is_telling, trigrams, typo};
use crate::text::words::WordReader;

/// Reads texts once more: calls its second argument with the number and the text of each of these documents, in any
/// order. Those whose text is gone or has changed are left out.
pub type ReadAgain<'a> = dyn FnMut(&[u32], &mut dyn FnMut(u32, &str)) + 'a;

/// Number of documents of the sample, spread evenly over the corpus.
const SAMPLE: usize = 1 << 13;

/// Number of times that a word must occur for its letters to count.
const LEAST_OCCURRENCES: u32 = 2;

/// One in this many words of a text may be strange if the corpus knows its language.
const RARELY_STRANGE: usize = 30;

/// Lets documents go by [`contained`](crate::similarity::Removal::Contained) that stand whole in their survivor but for
/// attested typos. A document whose text is not read again stays.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn admit(
    collection: &Collection,
    removals: &mut Removals,
    read: &mut ReadAgain<'_>,
    threads: usize,
    observer: &dyn Observer,
) -> Result<()> {
    let candidates = removals.candidates(collection, threads, observer)?;
    let kept = |document: u32| collection.kept_words(document);
    for (candidate, typos) in attested(candidates, collection.len(), &kept, read, observer)? {
        removals.admit(&candidate, typos);
    }
    Ok(())
}

/// The candidates whose words are typos by the letters of a corpus of so many documents, each with the forms of the
/// document and of the survivor. `kept` is the number of kept words of a candidate's texts.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn attested(
    candidates: Vec<Candidate>,
    documents: usize,
    kept: &dyn Fn(u32) -> usize,
    read: &mut ReadAgain<'_>,
    observer: &dyn Observer,
) -> Result<Vec<(Candidate, Vec<[String; 2]>)>> {
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    observer.begin("reading words that may be misspelt", None);
    let words = Words::written(kept, &candidates, read, observer);
    let typos = |candidate: &Candidate| candidate.words.iter().all(|word| words.forms(candidate, word).is_some());
    let candidates: Vec<Candidate> = candidates.into_iter().filter(typos).collect();
    if candidates.is_empty() {
        go_on(observer)?;
        return Ok(Vec::new());
    }
    let words = words.with_counts(documents, &candidates, read, observer);
    go_on(observer)?;
    let runs = words.runs();
    let attested = candidates.into_iter().filter_map(|candidate| {
        let typos = candidate.words.iter().map(|word| words.typo(&candidate, word, &runs));
        let typos = typos.collect::<Option<Vec<_>>>()?;
        Some((candidate, typos))
    });
    Ok(attested.collect())
}

/// The words of the candidates' texts and of a sample.
#[derive(Default)]
struct Words {
    /// The words in question as they are written, by document and place.
    written: HashMap<(u32, usize), String>,
    /// The number of times that each form occurs.
    counts: HashMap<String, u32>,
    /// The distinct forms of the survivors, by document.
    texts: HashMap<u32, BTreeSet<String>>,
}

/// Runs of three letters, with the number of words that occur more than once and have them.
type Runs = HashMap<[char; 3], u32>;

/// The two forms of a word, and the way in which the rare one is misspelt.
struct Forms<'a> {
    rare: &'a str,
    right: &'a str,
    how: Typo,
}

impl Words {
    /// Reads the words in question.
    fn written(
        kept: &dyn Fn(u32) -> usize,
        candidates: &[Candidate],
        read: &mut ReadAgain<'_>,
        observer: &dyn Observer,
    ) -> Self {
        let mut places: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for Candidate { document, survivor, words } in candidates {
            for Misspelt { places: [own, other], .. } in words {
                places.entry(*document).or_default().push(*own);
                places.entry(*survivor).or_default().push(*other);
            }
        }
        let (reader, mut found) = (WordReader::default(), Self::default());
        let documents: Vec<u32> = places.keys().copied().collect();
        read(&documents, &mut |document, text| {
            if !observer.is_stopped() {
                let spanned = Spanned::new(&reader, text, kept(document));
                let written = |&place: &usize| ((document, place), spanned.text(&(place..place + 1)).to_owned());
                found.written.extend(places[&document].iter().map(written));
            }
        });
        found
    }

    /// Counts the words of the candidates' texts and of a sample.
    fn with_counts(
        mut self,
        documents: usize,
        candidates: &[Candidate],
        read: &mut ReadAgain<'_>,
        observer: &dyn Observer,
    ) -> Self {
        let step = documents.div_ceil(SAMPLE).max(1);
        let mut documents: BTreeSet<u32> = (0..documents as u32).step_by(step).collect();
        documents.extend(candidates.iter().flat_map(|candidate| [candidate.document, candidate.survivor]));
        let survivors: HashSet<u32> = candidates.iter().map(|candidate| candidate.survivor).collect();
        let (reader, documents) = (WordReader::default(), documents.into_iter().collect::<Vec<_>>());
        read(&documents, &mut |document, text| {
            if observer.is_stopped() {
                return;
            }
            let mut of_survivor = survivors.contains(&document).then(BTreeSet::new);
            reader.forms(text, |_, form| {
                if is_telling(form) {
                    self.count(form);
                    if let Some(forms) = &mut of_survivor {
                        forms.insert(form.to_owned());
                    }
                }
            });
            self.texts.extend(of_survivor.map(|forms| (document, forms)));
        });
        self
    }

    fn count(&mut self, form: &str) {
        match self.counts.get_mut(form) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(form.to_owned(), 1)),
        }
    }

    /// The two forms of a word, if one may be a typo of the other.
    fn forms(&self, candidate: &Candidate, word: &Misspelt) -> Option<Forms<'_>> {
        let [own, other] = word.places;
        let own = self.written.get(&(candidate.document, own))?;
        let other = self.written.get(&(candidate.survivor, other))?;
        let (rare, right) = if word.is_own { (own, other) } else { (other, own) };
        Some(Forms { rare, right, how: typo(rare, right)? })
    }

    fn is_known(&self, form: &str) -> bool {
        self.counts.get(form).is_some_and(|&count| count >= LEAST_OCCURRENCES)
    }

    fn runs(&self) -> Runs {
        let mut runs = Runs::new();
        for form in self.counts.keys().filter(|form| self.is_known(form)) {
            let own: HashSet<[char; 3]> = trigrams(form).collect();
            for run in own {
                *runs.entry(run).or_default() += 1;
            }
        }
        runs
    }

    /// True if a form has a run of letters, among those that count, that no other word has.
    fn is_strange(&self, form: &str, runs: &Runs, counts: impl Fn(&[char; 3]) -> bool) -> bool {
        let own = u32::from(self.is_known(form));
        trigrams(form).any(|run| counts(&run) && runs.get(&run).copied().unwrap_or_default() <= own)
    }

    /// True if next to no word of the survivor is strange, but for those in question.
    fn is_well_known(&self, candidate: &Candidate, runs: &Runs) -> bool {
        let survivor = candidate.survivor;
        let Some(forms) = self.texts.get(&survivor) else { return false };
        let asked = candidate.words.iter().filter_map(|word| self.written.get(&(survivor, word.places[1])));
        let asked: HashSet<&String> = asked.collect();
        let others = forms.iter().filter(|form| !asked.contains(form));
        others.filter(|form| self.is_strange(form, runs, |_| true)).count() * RARELY_STRANGE <= forms.len()
    }

    /// The document's form of a word and the survivor's, if one is a typo of the other.
    fn typo(&self, candidate: &Candidate, word: &Misspelt, runs: &Runs) -> Option<[String; 2]> {
        let Forms { rare, right, how } = self.forms(candidate, word)?;
        let of_right: HashSet<[char; 3]> = trigrams(right).collect();
        let is_strange = self.is_strange(rare, runs, |run| !of_right.contains(run));
        // A name of a function is strange itself, so that nothing is known of its typos.
        let is_known = || !self.is_strange(right, runs, |_| true) && self.is_well_known(candidate, runs);
        let is_typo = is_strange && (how == Typo::Exchanged || is_known());
        let both = if word.is_own { [rare, right] } else { [right, rare] };
        is_typo.then(|| both.map(str::to_owned))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if `rare` is a typo of `right` in a survivor of some words, of a corpus in which these and others occur twice.
    fn is_typo(rare: &str, right: &str, text: &str, others: &str) -> bool {
        let mut words = Words::default();
        for form in text.split(' ').chain(others.split(' ')).flat_map(|form| [form; 2]).chain([rare, right, right]) {
            words.count(form);
        }
        words.written = [((0, 7), rare.to_owned()), ((1, 8), right.to_owned())].into();
        words.texts.insert(1, text.split(' ').map(str::to_owned).collect());
        let word = Misspelt { places: [7, 8], is_own: true };
        let candidate = Candidate { document: 0, survivor: 1, words: vec![word] };
        words.typo(&candidate, &word, &words.runs()) == Some([rare, right].map(str::to_owned))
    }

    #[test]
    fn a_typo_has_letters_that_no_other_word_has() {
        assert!(is_typo("documnet", "document", "planet", "column"));
        assert!(!is_typo("documnet", "document", "planet", "column umnet omnes"));
        assert!(!is_typo("files", "file", "planet", "column"));
    }

    #[test]
    fn other_letters_are_typos_only_where_the_corpus_knows_the_language() {
        let known = "intact entrance traced container extracted";
        assert!(is_typo("contrqct", "contract", "contract contracted", known));
        assert!(!is_typo("contrqct", "contract", "contract planet", known));
        assert!(!is_typo("contact", "contract", "contract contracted", known));
    }
}
