//! The plain rule is the specification: every window in a set, document by document, again and again.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use proptest::prelude::*;
use proptest::test_runner::TestRng;

use super::scanner::Scanner;
use super::steps::{Decider, Stretch, locate};
use super::*;
use crate::cutting::in_memory::{Texts, in_order};
use crate::cutting::{self, Fate};
use crate::error::{Error, Result};
use crate::text::plain_words::{Reader, Word};

fn settings(words: u32) -> Settings {
    Settings {
        words,
        is_verbatim: false,
        keeps_none: false,
        limits: Limits { min_left: 1, max_cut: 0.5 },
        memory: 1 << 16,
        bytes: 0,
        temp: std::env::temp_dir(),
        checkpoint: None,
    }
}

fn within(words: u32, max_cut: f64) -> Settings {
    Settings { limits: Limits { min_left: 1, max_cut }, ..settings(words) }
}

fn found(texts: &[String], settings: &Settings, is_longest: bool) -> Repeats {
    find(&mut Texts { all: texts, is_longest, sites: &[] }, settings).unwrap()
}

fn read(text: &str, is_verbatim: bool) -> Vec<Word> {
    let mut words = Vec::new();
    Reader::new(is_verbatim).read(text, |word| words.push(word));
    words
}

/// The plain rule: each text without its cuts; `None` if it goes whole.
fn plain(texts: &[String], settings: &Settings, is_longest: bool) -> Vec<Option<String>> {
    let mut left: Vec<Option<String>> = texts.iter().cloned().map(Some).collect();
    loop {
        let bytes: Vec<u32> = left.iter().map(|text| text.as_ref().map_or(0, String::len) as u32).collect();
        let n = settings.words as usize;
        let read = |text: &Option<String>| read(text.as_deref().unwrap_or(""), settings.is_verbatim);
        let words: Vec<Vec<Word>> = left.iter().map(read).collect();
        let window = |document: usize, at: usize| -> Vec<u64> {
            words[document][at..at + n].iter().map(|word| word.hash).collect()
        };
        let mut places: HashMap<Vec<u64>, Vec<(usize, usize)>> = HashMap::new();
        for (document, words) in words.iter().enumerate() {
            for at in 0..(words.len() + 1).saturating_sub(n) {
                places.entry(window(document, at)).or_default().push((document, at));
            }
        }
        let stands_twice = |document, at| {
            let places = &places[&window(document, at)];
            let [first, last] = [places[0], places[places.len() - 1]];
            first.0 != last.0 || last.1 - first.1 >= n
        };
        let (mut kept, mut has_cut) = (HashSet::new(), false);
        for document in in_order(&bytes, is_longest) {
            let document = document as usize;
            let count = words[document].len();
            let (mut is_cut, mut own) = (vec![false; count], HashSet::new());
            for at in 0..=count {
                if let Some(before) = at.checked_sub(n).filter(|&before| !is_cut[before..at].contains(&true)) {
                    own.insert(window(document, before));
                }
                let goes = at + n <= count
                    && if settings.keeps_none {
                        stands_twice(document, at)
                    } else {
                        kept.contains(&window(document, at)) || own.contains(&window(document, at))
                    };
                if goes {
                    is_cut[at..at + n].fill(true);
                }
            }
            let cut = is_cut.iter().filter(|&&cut| cut).count();
            if cut > 0 && count - cut < settings.limits.min_left as usize {
                (left[document], has_cut) = (None, true);
                continue;
            }
            if cut as f64 > settings.limits.max_cut * count as f64 {
                is_cut.fill(false);
            }
            for at in 0..(count + 1).saturating_sub(n) {
                if !is_cut[at..at + n].contains(&true) {
                    kept.insert(window(document, at));
                }
            }
            if is_cut.contains(&true) {
                has_cut = true;
                let text = left[document].take().unwrap();
                let start = |at: usize| words[document].get(at).map_or(text.len(), |word: &Word| word.start as usize);
                let mut rest = text[..start(0)].to_owned();
                (0..count).filter(|&at| !is_cut[at]).for_each(|at| rest.push_str(&text[start(at)..start(at + 1)]));
                left[document] = Some(rest);
            }
        }
        if !has_cut {
            return left;
        }
    }
}

/// Each text without the cuts of the fast rule; `None` if it goes whole.
fn left(texts: &[String], repeats: &Repeats) -> Vec<Option<String>> {
    let of = |(text, number): (&String, u32)| {
        let is_gone = repeats.gone.contains(&number);
        let left = remaining(text, repeats.of(number)).into_owned();
        assert!(!is_gone || left.is_empty(), "all of a document that goes is listed");
        (!is_gone).then_some(left)
    };
    texts.iter().zip(0..).map(of).collect()
}

/// The same search in steps, joined by maps instead of tables.
fn in_steps(texts: &[String], settings: &Settings, is_longest: bool) -> (Vec<Cut>, Vec<u32>, Vec<u32>) {
    let mut reader = steps::Reader::new(settings);
    let (mut cuts, mut gone) = (Vec::<Cut>::new(), Vec::new());
    loop {
        cuts.sort_unstable();
        let bytes = |cut: &Cut| cut.start.byte as usize..cut.end.byte as usize;
        let done: Vec<Vec<Range<usize>>> = (0..texts.len() as u32)
            .map(|document| cuts.iter().filter(|cut| cut.document == document).map(bytes).collect())
            .collect();
        let sampled: Vec<_> = texts.iter().zip(&done).map(|(text, done)| reader.samples(text, done)).collect();
        let mut seen: HashMap<u64, usize> = HashMap::new();
        sampled.iter().flat_map(|(samples, ..)| samples).for_each(|&sample| *seen.entry(sample).or_default() += 1);
        let windows: Vec<_> =
            texts.iter().zip(&done).map(|(text, done)| reader.windows(text, done, |hash| seen[&hash] > 1)).collect();
        let order = in_order(&sampled.iter().map(|of| of.2).collect::<Vec<_>>(), is_longest);
        let mut groups: HashMap<[u64; 2], Vec<(u32, u32)>> = HashMap::new();
        for &document in &order {
            for &(at, hash) in &windows[document as usize] {
                groups.entry(hash).or_default().push((document, at));
            }
        }
        groups.retain(|_, places| {
            let [first, last] = [places[0], places[places.len() - 1]];
            first.0 != last.0 || last.1 - first.1 >= settings.words
        });
        let mut decider = Decider::new(settings);
        let (mut losses, mut spared) = (Vec::new(), Vec::new());
        for &document in &order {
            let mut stretches = Vec::new();
            for (at, hash) in &windows[document as usize] {
                if let Some(places) = groups.get(hash) {
                    let first = (places[0].0.into(), places[0].1);
                    Stretch::push(&mut stretches, *at, first, places.len() as u32);
                }
            }
            let stretches: Vec<_> = stretches.into_iter().map(|stretch| Stretch::of(stretch.row())).collect();
            if stretches.is_empty() {
                continue;
            }
            let words = sampled[document as usize].1;
            match decider.take(document.into(), words, &stretches) {
                (Fate::Stays, runs) if runs.is_empty() => {}
                (Fate::Stays, _) => spared.push(document),
                (fate, runs) => losses.push((document, fate, runs)),
            }
        }
        if losses.is_empty() {
            gone.sort_unstable();
            spared.sort_unstable();
            spared.retain(|&document| cuts.iter().all(|cut: &Cut| cut.document != document));
            return (cuts, gone, spared);
        }
        for (document, fate, runs) in losses {
            let text = &texts[document as usize];
            let words: Vec<_> = runs.iter().map(|run| run.words.clone()).collect();
            let goes = fate == Fate::Goes;
            gone.extend(goes.then_some(document));
            for span in locate(text, &done[document as usize], &words, goes, &[]).spans {
                let run = span.run.map(|run| &runs[run]);
                let first = run.map(|run| {
                    let (of, text) = (run.document as u32, &texts[run.document as usize]);
                    (of, locate(text, &done[of as usize], &[], false, &[run.first]).asked[0])
                });
                let count = run.map_or(0, |run| run.count);
                cuts.push(Cut { document, start: span.start, end: span.end, words: span.words, first, count });
            }
        }
    }
}

/// Checks all that is promised of a corpus.
fn check(texts: &[String], settings: &Settings, is_longest: bool) {
    let repeats = found(texts, settings, is_longest);
    let of_steps = in_steps(texts, settings, is_longest);
    assert_eq!((&repeats.cuts, &repeats.gone, &repeats.spared), (&of_steps.0, &of_steps.1, &of_steps.2), "{texts:?}");
    let left = left(texts, &repeats);
    assert_eq!(left, plain(texts, settings, is_longest), "{texts:?}");
    // A second run cuts nothing.
    let again: Vec<String> = left.into_iter().flatten().collect();
    assert_eq!(found(&again, settings, is_longest).cuts, [], "{texts:?} {again:?}");
    for cut in &repeats.cuts {
        let text = &texts[cut.document as usize];
        let [start, end] = [cut.start, cut.end].map(|place| place.byte as usize);
        assert!(start < end);
        assert_eq!(text[..start].chars().count() as u32, cut.start.character);
        assert_eq!(text[..end].chars().count() as u32, cut.end.character);
        if repeats.rounds > 2 {
            continue;
        }
        let words = |text: &str, start: u32, end: usize| -> Vec<u64> {
            let words = read(text, settings.is_verbatim).into_iter();
            words.filter(|word| word.start >= start && (word.start as usize) < end).map(|word| word.hash).collect()
        };
        let cut_words = words(text, cut.start.byte, end);
        assert_eq!(cut_words.len(), cut.words as usize);
        if let Some((document, first)) = cut.first {
            let there = words(&texts[document as usize], first.byte, usize::MAX);
            assert_eq!(there[..cut_words.len()], cut_words, "the same words stand at the first place");
            assert!(settings.keeps_none || cut.count > 1);
        }
    }
}

/// A corpus of pieces that return: prose, periods, other scripts, lines.
fn corpus(random: &mut TestRng) -> Vec<String> {
    const WORDS: &[&str] = &["the ", "miller's ", "bell ", "rings, ", "é ", "A\n", "ne ", "to ", "3.5 ", "— "];
    const SINGLES: &[&str] = &["研", "究", "海", "洋", "ที่", "นี", "👍", "👩\u{200D}💻", "の", "。"];
    let mut pieces: Vec<String> = Vec::new();
    for _ in 0..random.random_range(3..9) {
        let piece = match random.random_range(0..5) {
            0 => WORDS[random.random_range(0..WORDS.len())].repeat(random.random_range(1..30)),
            1 => (0..random.random_range(1..20)).map(|_| SINGLES[random.random_range(0..SINGLES.len())]).collect(),
            _ => (0..random.random_range(1..25)).map(|_| WORDS[random.random_range(0..WORDS.len())]).collect(),
        };
        pieces.push(piece);
    }
    let mut texts: Vec<String> = (0..random.random_range(2..12))
        .map(|_| {
            (0..random.random_range(0..6)).map(|_| pieces[random.random_range(0..pieces.len())].as_str()).collect()
        })
        .collect();
    if random.random_range(0..6) == 0 {
        // One text many times.
        texts.extend(vec![texts[0].clone(); 30]);
    }
    texts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 400 }))]

    #[test]
    fn runs_are_those_of_the_plain_rule(
        texts in Just(()).prop_perturb(|(), mut random| corpus(&mut random)),
        words in 2u32..12,
        (is_verbatim, keeps_none, is_longest) in any::<(bool, bool, bool)>(),
        min_left in 0u32..12,
        max_cut in prop::sample::select(vec![0.0, 0.3, 0.5, 1.0]),
    ) {
        check(&texts, &Settings { is_verbatim, keeps_none, limits: Limits { min_left, max_cut }, ..settings(words) }, is_longest);
    }
}

fn in_pieces(piece: usize, settings: &Settings) -> Scanner {
    let mut scanner = Scanner::new(settings);
    scanner.piece = piece;
    scanner
}

proptest! {
    /// However long the pieces are in which a text is read, its samples and windows are those of the whole.
    #[test]
    fn pieces_have_the_windows_of_the_whole(
        text in Just(()).prop_perturb(|(), mut random| corpus(&mut random).concat()),
        words in 2u32..12,
        piece in 1usize..40,
        is_verbatim in any::<bool>(),
    ) {
        let read = |piece: usize| {
            let mut scanner = in_pieces(piece, &Settings { is_verbatim, ..settings(words) });
            let (mut samples, mut windows) = (Vec::new(), Vec::new());
            let count = scanner.samples(&text, |hash| samples.push(hash));
            scanner.windows(&text, |hash| hash % 3 > 0, |some| windows.extend_from_slice(some));
            (samples, windows, count)
        };
        prop_assert_eq!(read(piece), read(1 << 20));
    }
}

proptest! {
    /// The samples of what is left where something was cut are those from before, or are found around the cuts.
    #[test]
    fn only_windows_around_cuts_are_new(
        text in Just(()).prop_perturb(|(), mut random| corpus(&mut random).concat()),
        words in 2u32..12,
        piece in 1usize..40,
        ends in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        is_verbatim in any::<bool>(),
    ) {
        let mut starts = Vec::new();
        crate::text::plain_words::starts(&text, &mut starts);
        let mut ends: Vec<usize> = ends.iter().map(|end| end.index(starts.len() + 1)).collect();
        ends.sort_unstable();
        let place = |word: usize| starts.get(word).map_or(text.len(), |&start| start as usize);
        let cuts: Vec<Range<usize>> = ends.chunks_exact(2).map(|ends| place(ends[0])..place(ends[1])).collect();
        let left = locate::without(&text, &cuts);
        let joints: Vec<usize> = locate::joints(&cuts).collect();
        let mut scanner = in_pieces(piece, &Settings { is_verbatim, ..settings(words) });
        let (mut known, mut all) = (HashSet::new(), HashSet::new());
        scanner.samples(&text, |hash| _ = known.insert(hash));
        let number = scanner.samples_around(&left, &joints, |hash| _ = known.insert(hash));
        prop_assert_eq!(number, scanner.samples(&left, |hash| _ = all.insert(hash)));
        prop_assert!(all.is_subset(&known));
    }
}

#[test]
fn the_first_place_keeps_a_run() {
    let run = "one two three four five six. ";
    let texts = [format!("Before {run}behind it"), format!("Other {run}words. {run}"), run.to_owned(), String::new()];
    let repeats = found(&texts, &within(6, 0.9), false);
    let left = left(&texts, &repeats);
    let expected = [Some(texts[0].clone()), Some("Other words. ".into()), None, Some(String::new())];
    assert_eq!(left, expected);
    assert_eq!((repeats.gone, repeats.rounds), (vec![2], 2));
    let firsts: Vec<_> = repeats.cuts.iter().map(|cut| (cut.document, cut.first.unwrap().1.byte, cut.count)).collect();
    assert_eq!(firsts, [(1, 7, 4), (1, 7, 4), (2, 7, 4)]);
}

#[test]
fn sides_that_join_are_read_again() {
    let texts = ["a b c d e f".to_owned(), "1 2 3 4".into(), "a b c 1 2 3 4 d e f and more".into()];
    let repeats = found(&texts, &within(4, 1.0), false);
    assert_eq!(left(&texts, &repeats)[2].as_deref(), Some("and more"));
    let spans: Vec<_> = repeats.cuts.iter().map(|cut| (cut.start.byte, cut.end.byte, cut.words)).collect();
    assert_eq!(spans, [(0, 6, 3), (6, 14, 4), (14, 20, 3)]);
}

#[test]
fn a_period_keeps_one_window() {
    let texts = ["ha ".repeat(100)];
    assert_eq!(left(&texts, &found(&texts, &within(10, 1.0), false)), [Some("ha ".repeat(10))]);
    let short = ["ha ".repeat(19)];
    assert_eq!(found(&short, &within(10, 1.0), false).cuts, []);
}

/// Texts in memory, of which no more than some readings succeed.
struct Failing<'a>(Texts<'a>, u32);

impl Documents for Failing<'_> {
    type Error = Error;

    fn each<S: Send, M: cutting::Made>(
        &mut self,
        stage: &str,
        new: &(dyn Fn() -> S + Sync),
        work: &cutting::Work<'_, S, M>,
        take: &mut cutting::Take<'_, M, Error>,
    ) -> Result<()> {
        self.1 = self.1.checked_sub(1).ok_or(Error::Interrupted)?;
        self.0.each(stage, new, work, take)
    }

    fn order(&mut self, bytes: &[u32]) -> Result<Vec<u32>> {
        self.0.order(bytes)
    }
}

/// Wherever a search is stopped, another goes on from its last finished round, to the same end.
#[test]
fn a_stopped_search_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rounds");
    // The sides of an inner run are a run once it is cut, so there are three rounds.
    let (inner, outer) = ("one two three four five six seven eight nine ten", "a b c d e f g h i j k l");
    let around = |between: &str| format!("{} {between} {}", &outer[..11], &outer[12..]);
    let texts = [inner.to_owned(), outer.to_owned(), around(inner), format!("é {} end", around(inner))];
    let checkpoint = |order: &str| Some(Checkpoint { path: path.clone(), order: order.to_owned() });
    for is_longest in [false, true] {
        let alone = within(8, 0.9);
        let wanted = found(&texts, &alone, is_longest);
        assert!(wanted.rounds >= if is_longest { 2 } else { 3 }, "{wanted:?}");
        let noting = Settings { checkpoint: checkpoint("by length"), ..alone.clone() };
        let in_memory = || Texts { all: &texts, is_longest, sites: &[] };
        // One reading compares, and two are a round.
        for readings in 0..=wanted.rounds * 2 {
            let stopped = find(&mut Failing(in_memory(), readings), &noting);
            assert!(matches!(stopped, Err(Error::Interrupted)), "{readings}");
            let noted = readings.saturating_sub(1) / 2;
            assert_eq!(path.exists(), noted > 0);
            if noted > 0 {
                let rest = 1 + (wanted.rounds - noted) * 2;
                let resumed = find(&mut Failing(in_memory(), rest), &noting).unwrap();
                assert_eq!(format!("{resumed:?}"), format!("{wanted:?}"), "after {readings} readings");
                std::fs::remove_file(&path).unwrap();
            }
        }
    }
}

#[test]
fn a_checkpoint_of_something_else_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rounds");
    let checkpoint = |order: &str| Some(Checkpoint { path: path.clone(), order: order.to_owned() });
    let text = "one two three four five six seven eight nine ten".to_owned();
    let texts = vec![text.clone(), text.clone(), format!("more {text}")];
    let settings = Settings { checkpoint: checkpoint("first"), ..within(8, 1.0) };
    found(&texts, &settings, false);
    let whole = std::fs::read(&path).unwrap();
    let refused = |texts: &[String], settings: &Settings, is_longest| {
        let error = find(&mut Texts { all: texts, is_longest, sites: &[] }, settings).unwrap_err().to_string();
        assert!(std::fs::read(&path).unwrap() == whole, "what is refused stays");
        error
    };
    let changed = [text.clone(), text.clone(), format!("less {text}")];
    let swapped = [text.clone(), format!("more {text}"), text.clone()];
    for others in [&changed[..], &swapped, &texts[1..]] {
        assert!(refused(others, &settings, false).contains("is of other options, or of documents that have changed"));
    }
    for other in [
        Settings { words: 7, ..settings.clone() },
        Settings { is_verbatim: true, ..settings.clone() },
        Settings { keeps_none: true, ..settings.clone() },
        Settings { limits: Limits { min_left: 2, max_cut: 1.0 }, ..settings.clone() },
        Settings { checkpoint: checkpoint("last"), ..settings.clone() },
    ] {
        assert!(refused(&texts, &other, false).contains("is of other options"));
    }
    assert!(refused(&texts, &settings, true).contains("is of other options"), "another order");
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        for bytes in [&flipped[..], &whole[..at]] {
            std::fs::write(&path, bytes).unwrap();
            let error = find(&mut Texts { all: &texts, is_longest: false, sites: &[] }, &settings).unwrap_err();
            assert!(matches!(error, Error::Saved { .. }), "{at}: {error}");
        }
    }
}
