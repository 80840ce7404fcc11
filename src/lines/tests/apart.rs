//! The steps, put together in memory, cut what one search does.

use super::*;
use crate::cutting::Fate;
use crate::lines::steps::{Steps, may_go_whole};

/// The spans that the steps cut, and for each line the document that keeps it.
fn by_steps(texts: &[String], settings: &Settings, is_longest: bool) -> (Vec<Cut>, Vec<Option<u32>>) {
    let mut steps = Steps::new(settings.by_paragraph, settings.all_lines);
    let mut documents: BTreeMap<Hash, u32> = BTreeMap::new();
    for hash in texts.iter().flat_map(|text| steps.count(text)) {
        *documents.entry(hash).or_default() += 1;
    }
    let frequent: Vec<Hash> =
        documents.into_iter().filter(|(_, count)| *count > settings.max_documents).map(|(hash, _)| hash).collect();
    let number = |hash| frequent.binary_search(&hash).ok().map(|at| at as u32);
    let found: Vec<(Vec<Occurrence>, About)> = texts.iter().map(|text| steps.occurrences(text, number)).collect();
    let order = in_order(&texts.iter().map(|text| text.len() as u32).collect::<Vec<_>>(), is_longest);
    // The rank of the first document of each line that cannot go; if all lose it, of any.
    let mut sure: Vec<Option<usize>> = vec![None; frequent.len()];
    let goes = |number: usize| may_go_whole(&found[number].0, &found[number].1, settings.limits);
    for (rank, &number) in order.iter().enumerate() {
        if settings.keeps_none || !goes(number as usize) {
            found[number as usize].0.iter().for_each(|line| _ = sure[line.line as usize].get_or_insert(rank));
        }
    }
    let mut firsts = sure.clone();
    for (rank, number) in order.iter().map(|&number| number as usize).enumerate() {
        if settings.keeps_none || !goes(number) {
            continue;
        }
        let (lines, about) = &found[number];
        let has_earlier = |line: &Occurrence| firsts[line.line as usize].is_some_and(|first| first < rank);
        if Decision::of(lines, about, settings.limits, has_earlier).fate != Fate::Goes {
            for line in lines {
                let first = &mut firsts[line.line as usize];
                *first = Some(first.map_or(rank, |first| first.min(rank)));
            }
        }
    }
    let mut ranks = vec![0; order.len()];
    order.iter().enumerate().for_each(|(rank, &number)| ranks[number as usize] = rank);
    let cuts = (0..texts.len()).flat_map(|number| {
        let is_lost = |line: &Occurrence| {
            settings.keeps_none || firsts[line.line as usize].is_some_and(|first| first < ranks[number])
        };
        let (lines, about) = &found[number];
        Decision::of(lines, about, settings.limits, is_lost).cuts(number as u32, about)
    });
    let cuts = cuts.collect();
    (cuts, firsts.into_iter().map(|first| first.map(|rank| order[rank])).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 400 }))]

    #[test]
    fn steps_cut_what_one_search_cuts(
        texts in Just(()).prop_perturb(|(), mut random| corpus(&mut random)),
        max_documents in 1u32..4,
        (by_paragraph, keeps_none, is_longest) in any::<(bool, bool, bool)>(),
        min_left in 0u32..20,
        max_cut in prop::sample::select(vec![0.3, 0.5, 1.0, 1.0]),
    ) {
        let limits = Limits { min_left, max_cut };
        let settings = Settings { by_paragraph, max_documents, keeps_none, limits, ..settings() };
        let expected = found(&texts, &settings, is_longest);
        let (cuts, firsts) = by_steps(&texts, &settings, is_longest);
        prop_assert_eq!(&cuts, &expected.cuts.read().unwrap().map(Result::unwrap).collect::<Vec<_>>());
        let of = |line: &Line| line.first.map(|(document, _)| document);
        prop_assert_eq!(firsts, expected.lines.iter().map(of).collect::<Vec<_>>());
    }
}
