//! Families: texts that are one text but for a place that each fills in its own way.
//!
//! Descriptions of the packages of one project, letters to different people, forms with other names and figures: each
//! pair of them differs in a few words, as do a text and its edited copy. What tells them apart is the company. Edits
//! fall anywhere, while a family differs in the same places. So the words of a survivor that are replaced, each
//! time by others, in three members of its cluster or more, and in half of all that differ from it, are
//! an *open place*; a member that differs there stays.
//!
//! A sentence that only one of the two has, or in whose place the other has one of its own, says nothing of how they differ
//! where both have the same sentence, and is left aside.
//!
//! Form letters that are barely alike make clusters of one or two members, which show no family. There the documents of
//! other such clusters are compared with the survivor too, six at most.
//!
//! Cost: the comparison of the words of each member with its survivor's where three documents or more are compared in all;
//! a sort of the keys of small clusters.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::search::plan::Plan;
use crate::similarity::{BREAK, differences};
use crate::sketch::minhash::{self, mix};
use crate::store::file::collection::Collection;

/// Minimum number of members that replace the same word of their survivor by different ones.
const FILLINGS: usize = 3;

/// Maximum number of documents of other clusters that are compared with a survivor.
const MOST_RELATIVES: usize = 6;

/// Least Jaccard coefficient of these, by their sketches.
const RELATED: f64 = 0.4;

/// Least length in words of a sentence that may be another one as a whole.
const SENTENCE: usize = 6;

/// Makes the members of families survivors again, given all documents but copies, and those of them that may be members,
/// both in the order of the policy. Returns the number of these.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn restore(
    collection: &Collection,
    plan: &Plan,
    texts: &[u32],
    documents: &[u32],
    survivors: &mut [u32],
    threads: usize,
    observer: &dyn Observer,
) -> Result<u64> {
    let survivor = |document: u32| survivors[document as usize];
    let mut members: Vec<u32> = documents.iter().copied().filter(|&document| survivor(document) != document).collect();
    members.sort_by_key(|&member| survivor(member));
    let clusters: Vec<&[u32]> = members.chunk_by(|&a, &b| survivor(a) == survivor(b)).collect();
    observer.begin("looking for families", Some(clusters.len() as u64));
    let related = Related::new(collection, plan, texts, &clusters, survivors);
    let restored = parallel::map(clusters.len(), threads, |number| {
        go_on(observer)?;
        observer.advance(1);
        let members = clusters[number];
        Ok(restored(&related, survivor(members[0]), members))
    })?;
    let mut stay = 0;
    for (document, survivor) in restored.into_iter().flatten() {
        survivors[document as usize] = survivor;
        stay += u64::from(document == survivor);
    }
    Ok(stay)
}

/// The survivors of small clusters, with documents of other such clusters that share a key of their sketches.
struct Related<'a> {
    collection: &'a Collection,
    plan: &'a Plan,
    by_survivor: HashMap<u32, Vec<u32>>,
}

impl<'a> Related<'a> {
    /// Finds the relatives in clusters of less than [`FILLINGS`] members, given all texts in the order of the policy and
    /// for each document its survivor.
    fn new(collection: &'a Collection, plan: &'a Plan, texts: &[u32], clusters: &[&[u32]], survivors: &[u32]) -> Self {
        let survivor = |document: u32| survivors[document as usize];
        // The first relatives count: by the policy, so that the order of the input decides nothing.
        let mut ranks = vec![0u32; survivors.len()];
        for (rank, &document) in (0..).zip(texts) {
            ranks[document as usize] = rank;
        }
        let mut keyed: Vec<(u64, u32)> = Vec::new();
        let bands = plan.bands.as_ref();
        for members in clusters.iter().filter(|members| members.len() < FILLINGS) {
            for document in members.iter().copied().chain([survivor(members[0])]) {
                let sketch = collection.sketch(document);
                let keys = bands.into_iter().flat_map(|bands| (0..bands.len()).map(|key| bands.key(key, sketch)));
                keyed.extend(keys.map(|key| (key, ranks[document as usize])));
            }
        }
        keyed.sort_unstable();
        let mut by_survivor: HashMap<u32, Vec<u32>> = HashMap::new();
        for same in keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let same = same.iter().map(|&(_, rank)| texts[rank as usize]);
            for document in same.clone().filter(|&document| survivor(document) == document) {
                let first = same.clone().take(2 * MOST_RELATIVES);
                let others = first.filter(|&other| survivor(other) != document);
                by_survivor.entry(document).or_default().extend(others);
            }
        }
        for others in by_survivor.values_mut() {
            others.sort_unstable_by_key(|&other| ranks[other as usize]);
            others.dedup();
        }
        Self { collection, plan, by_survivor }
    }

    /// The first relatives of a survivor that are alike, if less so than its members are.
    fn of(&self, survivor: u32) -> impl Iterator<Item = u32> {
        let sketch = self.collection.sketch(survivor);
        let is_alike = move |&other: &u32| {
            minhash::estimate(sketch, self.collection.sketch(other)).is_some_and(|jaccard| jaccard >= RELATED)
        };
        self.by_survivor.get(&survivor).into_iter().flatten().copied().filter(is_alike).take(MOST_RELATIVES)
    }
}

/// Words of the survivor that differ in a member, their number in the member, and a hash of the member's words; a run
/// may be empty in one of the two.
struct Difference {
    here: Range<usize>,
    there: usize,
    filling: u64,
}

/// The differences between a survivor and a member.
fn differing(survivor: &[u32], member: &[u32]) -> Vec<Difference> {
    let difference = |here: Range<usize>, there: Range<usize>| {
        let filling = member[there.clone()].iter().fold(0, |hash, &word| mix(hash ^ u64::from(word & !BREAK)));
        Difference { here, there: there.len(), filling }
    };
    let mut all = Vec::new();
    for (here, there) in differences(survivor, member) {
        if here.len() == there.len() {
            // Word for word: two neighbouring edits are two.
            all.extend(here.zip(there).map(|(i, j)| difference(i..i + 1, j..j + 1)));
        } else {
            all.push(difference(here, there));
        }
    }
    all
}

/// Finds the members of a cluster that stay. `members` are in the order of the policy and do not contain copies; the result
/// has the members that leave the cluster, each with its survivor: itself, or an earlier one of them that has the same
/// words in all open places and is near to it.
fn restored(related: &Related<'_>, survivor: u32, members: &[u32]) -> Vec<(u32, u32)> {
    let (collection, plan) = (related.collection, related.plan);
    let words = |document: u32| collection.words(document);
    let of_survivor = words(survivor);
    // They only tell which places are open.
    let relatives: Vec<u32> = if members.len() < FILLINGS { related.of(survivor).collect() } else { Vec::new() };
    if members.len() + relatives.len() < FILLINGS {
        return Vec::new();
    }
    let compared = members.iter().chain(&relatives);
    let all: Vec<Vec<Difference>> = compared.map(|&member| differing(&of_survivor, &words(member))).collect();
    let mut stay: HashMap<u64, Vec<u32>> = HashMap::new();
    let mut restored = Vec::new();
    for (at, fillings) in family(&of_survivor, &all) {
        let Some(&member) = members.get(at) else { break };
        let others = stay.entry(fillings).or_default();
        let near = others.iter().copied().find(|&other| plan.is_near(collection, member, other));
        restored.push((member, near.unwrap_or(member)));
        if near.is_none() {
            others.push(member);
        }
    }
    restored
}

/// The members that belong to a family, each with a hash of what it has in open places, given the survivor's words.
fn family(survivor: &[u32], members: &[Vec<Difference>]) -> Vec<(usize, u64)> {
    let differing = members.iter().filter(|differences| !differences.is_empty()).count();
    let sentences = sentences(survivor);
    let mut family: Vec<usize> = (0..members.len()).collect();
    // A place that only edited copies opened closes without them.
    loop {
        let open = open_places(survivor.len(), family.iter().map(|&at| &members[at]), differing);
        let filled: Vec<(usize, u64)> =
            family.iter().filter_map(|&at| Some((at, fillings(&members[at], &open, &sentences)?))).collect();
        if filled.len() == family.len() {
            return filled;
        }
        family = filled.into_iter().map(|(at, _)| at).collect();
    }
}

/// For each word of a survivor: true if it is an open place of these members, of `differing` in all.
fn open_places<'a>(words: usize, members: impl Iterator<Item = &'a Vec<Difference>>, differing: usize) -> Vec<bool> {
    let mut fillings: Vec<(usize, u64)> = Vec::new();
    for difference in members.flatten().filter(|difference| difference.there > 0) {
        fillings.extend(difference.here.clone().map(|place| (place, difference.filling)));
    }
    fillings.sort_unstable();
    let mut open = vec![false; words];
    for at in fillings.chunk_by(|a, b| a.0 == b.0) {
        let different = at.chunk_by(|a, b| a == b).count();
        open[at[0].0] = different >= FILLINGS && 2 * at.len() >= differing;
    }
    open
}

/// The number of the sentence or line of each word, from 0.
fn sentences(words: &[u32]) -> Vec<usize> {
    let mut number = 0;
    let of = |word: &u32| {
        let own = number;
        number += usize::from(word & BREAK != 0);
        own
    };
    words.iter().map(of).collect()
}

/// For each sentence of the survivor, true if a member has another one in its place, or none: most words differ.
fn replaced(differences: &[Difference], sentences: &[usize]) -> Vec<bool> {
    let count = sentences.last().map_or(0, |last| last + 1);
    let (mut lengths, mut others) = (vec![0; count], vec![0; count]);
    for &sentence in sentences {
        lengths[sentence] += 1;
    }
    for difference in differences {
        for &sentence in &sentences[difference.here.clone()] {
            others[sentence] += 1;
        }
    }
    lengths.iter().zip(others).map(|(&length, others)| length >= SENTENCE && 2 * others > length).collect()
}

/// A hash of all that a member has in open places; `None` if less than half of the words in which it differs are there.
fn fillings(differences: &[Difference], open: &[bool], sentences: &[usize]) -> Option<u64> {
    let replaced = replaced(differences, sentences);
    let (mut all, mut filled, mut fillings) = (0, 0, 0);
    for Difference { here, there, filling } in differences {
        let length = here.len().max(*there);
        let is_open = open[here.clone()].contains(&true);
        // A sentence that only one has, or for which the other has another, says nothing of how they differ elsewhere.
        let counts = !here.is_empty() && *there > 0 && !sentences[here.clone()].iter().all(|&number| replaced[number]);
        if is_open || counts {
            all += length;
        }
        if is_open {
            filled += length;
            fillings = mix(fillings ^ mix(*filling ^ mix(here.start as u64)));
        }
    }
    (filled > 0 && 2 * filled >= all).then_some(fillings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Rules;
    use crate::store::file::test_collections::{SKETCHES, collection_of_words};

    const SURVIVOR: [u32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

    /// The differences of a member, given words by number: kept words leave a bit for breaks.
    fn differing_from(survivor: &[u32], member: &[u32]) -> Vec<Difference> {
        let [survivor, member] = [survivor, member].map(|words| words.iter().map(|word| 2 * word).collect::<Vec<_>>());
        differing(&survivor, &member)
    }

    /// The numbers of the members that belong to a family.
    fn family_of(members: &[&[u32]]) -> Vec<usize> {
        let members: Vec<_> = members.iter().map(|member| differing_from(&SURVIVOR, member)).collect();
        family(&SURVIVOR.map(|word| 2 * word), &members).into_iter().map(|(at, _)| at).collect()
    }

    const A: [u32; 8] = [1, 2, 3, 10, 5, 6, 7, 8];
    const B: [u32; 9] = [1, 2, 3, 11, 12, 5, 6, 7, 8];
    const C: [u32; 8] = [1, 2, 3, 13, 5, 6, 7, 8];
    const LONGER: [u32; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    const EDITED: [[u32; 8]; 3] = [[20, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 21, 7, 8], [1, 2, 3, 4, 5, 6, 7, 22]];

    #[test]
    fn a_place_is_open_if_several_fill_it_differently() {
        assert_eq!(family_of(&[&A, &B, &C]), [0, 1, 2]);
        assert!(family_of(&[&A, &B]).is_empty());
        assert!(family_of(&[&A, &A, &B]).is_empty());
        assert_eq!(family_of(&[&A, &LONGER, &B, &C, &LONGER]), [0, 2, 3]);
    }

    #[test]
    fn edits_anywhere_open_no_place() {
        let [x, y, z] = EDITED;
        assert!(family_of(&[&x, &y, &z]).is_empty());
        // Three of six fill one place; of seven that would be chance.
        assert_eq!(family_of(&[&A, &B, &C, &x, &y, &z]), [0, 1, 2]);
        assert!(family_of(&[&A, &B, &C, &x, &y, &z, &x]).is_empty());
        // A neighbouring edit is no other filling.
        assert!(family_of(&[&A, &B, &[1, 2, 3, 10, 21, 6, 7, 8]]).is_empty());
        // The third has more edits elsewhere, so the place is filled by two.
        assert!(family_of(&[&A, &B, &[20, 2, 3, 13, 5, 21, 7, 22]]).is_empty());
    }

    #[test]
    fn one_added_sentence_hides_no_family() {
        // The survivor alone has six words more at its end.
        let survivor: Vec<u32> = SURVIVOR.into_iter().chain(30..36).collect();
        let members: Vec<_> = [&A[..], &B, &C].into_iter().map(|member| differing_from(&survivor, member)).collect();
        let family: Vec<usize> = family(&survivor.iter().map(|word| 2 * word).collect::<Vec<_>>(), &members)
            .into_iter()
            .map(|(at, _)| at)
            .collect();
        assert_eq!(family, [0, 1, 2]);
    }

    #[test]
    fn a_sentence_of_its_own_hides_no_family() {
        let with_end = |words: &[u32], end: u32| -> Vec<u32> { words.iter().copied().chain(end..end + 6).collect() };
        let survivor = with_end(&SURVIVOR, 100);
        let fourth = with_end(&[1, 2, 3, 14, 5, 6, 7, 8], 200);
        let members: Vec<_> = [&A[..], &B, &C, &fourth].map(|member| differing_from(&survivor, member)).into();
        let mut whole: Vec<u32> = survivor.iter().map(|word| 2 * word).collect();
        assert_eq!(family(&whole, &members).len(), 3);
        whole[SURVIVOR.len() - 1] |= BREAK;
        assert_eq!(family(&whole, &members).len(), 4);
    }

    /// The survivors of form letters, each of which would go for the one before it or stay.
    fn restored_of(letters: u32) -> Vec<u32> {
        let letter = |number: u32| -> Vec<u32> {
            (0..120).map(|at| if at % 20 == 7 { 2 * (1000 + 10 * number + at / 20) } else { 2 * at }).collect()
        };
        let (_folder, collection) = collection_of_words(&(0..letters).map(letter).collect::<Vec<_>>());
        let rules = Rules { min_similarity: Some(0.4), ..Rules::removing() };
        let plan = Plan::new(rules, SKETCHES, letters as usize, 0.9999);
        let documents: Vec<u32> = (0..letters).collect();
        let mut survivors: Vec<u32> = documents.iter().map(|document| document - document % 2).collect();
        restore(&collection, &plan, &documents, &documents, &mut survivors, 2, &()).unwrap();
        survivors
    }

    #[test]
    fn a_family_shows_across_small_clusters() {
        assert_eq!(restored_of(2), [0, 0]);
        assert_eq!(restored_of(8), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn most_of_what_differs_must_be_in_open_places() {
        let mut open = vec![false; 8];
        open[3] = true;
        let filled = |member: &[u32]| fillings(&differing_from(&SURVIVOR, member), &open, &[0; 8]);
        let [once, more] = [[1, 2, 3, 10, 5, 6, 7, 22], [1, 2, 3, 10, 5, 21, 7, 22]];
        assert!(filled(&A).is_some() && filled(&once) == filled(&A));
        assert_ne!(filled(&B), filled(&A));
        assert_eq!((filled(&more), filled(&EDITED[0]), filled(&LONGER)), (None, None, None));
        // A sentence of its own.
        assert_eq!(filled(&[&A[..], &[30, 31, 32, 33]].concat()), filled(&A));
    }
}
