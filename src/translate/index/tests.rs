//! Candidates, compared with sums over every pair of blocks.

use std::collections::HashSet;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::align::{Word, Words};
use crate::durable::new_file::NewFile;
use crate::durable::place::Replace;
use crate::text::read_words::WordReader;
use crate::translate::{Counterparts, Dictionary, Lexicon, Reader, Telling};

/// Number of different words; the last ones are the same in both languages.
const WORDS: usize = 90;
const SAME: usize = 12;

pub(in crate::translate) fn language(name: &str) -> Language {
    name.parse().unwrap()
}

/// A word of German or English that no other one begins like.
fn word(of: &str, number: usize) -> String {
    let letters: String = [number / 100, number / 10 % 10, number % 10]
        .iter()
        .map(|&at| ["ba", "ke", "lo", "mu", "ri", "sa", "te", "vo", "pu", "fi"][at])
        .collect();
    match (of, number) {
        (_, number) if number + SAME >= WORDS => format!("{letters}gram"),
        (_, number) if number % 11 == 0 => format!("{}", 1900 + number),
        ("deu", _) => format!("{letters}ung"),
        _ => format!("x{letters}ly"),
    }
}

/// A lexicon of so many words.
pub(in crate::translate) fn lexicon(folder: &Path, words: usize) -> Lexicon {
    let mut dictionary = Dictionary::new([language("deu"), language("eng")]);
    for number in 0..words {
        let glosses = [word("eng", number), word("eng", (number + 1) % words), format!("unread{number}")];
        dictionary.add(&word("deu", number), glosses.iter().map(String::as_str), false);
    }
    let path = folder.join("words.lex");
    dictionary.write(&path, NewFile::create(&path, Replace::Nothing).unwrap()).unwrap();
    Lexicon::open(&path).unwrap()
}

/// A text of these words, eight a sentence.
pub(in crate::translate) fn text(of: &str, numbers: &[usize], lexicons: &[Lexicon]) -> (Words, Vocabulary) {
    let mut reader = WordReader::new(language(of));
    let (mut text, mut words) = (String::new(), Vec::new());
    for (place, &number) in numbers.iter().enumerate() {
        let (start, begins_sentence) = (text.len() as u32, place % 8 == 0);
        text += &word(of, number);
        let read = reader.memo.read(&reader.analyser, &text[start as usize..]).unwrap();
        let end = text.len() as u32;
        words.push(Word { start, end, form: read.form, stem: read.stem, begins_sentence, is_common: false });
        text.push(' ');
    }
    let words = Words::new(words);
    let vocabulary = Reader::new(lexicons).read(&text, language(of), words.as_slice().iter().map(Telling::Word));
    (words, vocabulary)
}

fn vocabulary(of: &str, numbers: &[usize], lexicons: &[Lexicon]) -> Vocabulary {
    text(of, numbers, lexicons).1
}

/// The sum of log-odds that a window of a document has in a block.
fn plain(document: &Vocabulary, asked: &Asked, window: &Range<usize>, block: &[HashSet<u32>], at: usize) -> f32 {
    let most = RARE.max(block.len() / 16);
    let mut entries: Vec<u32> = document.words[window.clone()].to_vec();
    entries.sort_unstable();
    entries.dedup();
    let mut sum = 0.0;
    for entry in entries.into_iter().filter(|&entry| entry != NONE) {
        let word = asked.of(entry).unwrap();
        let with = |key: &AskedKey| block.iter().filter(|block| block.contains(&key.key)).count();
        // From the rarest on, until one is frequent.
        let frequent = word.keys.iter().position(|key| with(key) > most).unwrap_or(word.keys.len());
        let used = &word.keys[..frequent];
        if used.iter().any(|key| block[at].contains(&key.key)) {
            let rate = word.absent + used.iter().map(|key| key.rate).sum::<f32>();
            sum += log_odds(share_of(word.class), 2.0 * rate);
        }
    }
    sum
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_best_window_is_that_of_all_pairs_of_blocks(
        document in prop::collection::vec(0..WORDS, 1..200),
        sources in prop::collection::vec(prop::collection::vec(0..WORDS, 0..260), 1..6),
        copied in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let lexicons = [lexicon(folder.path(), WORDS)];
        // One source begins with what a part of the document says.
        let mut sources = sources;
        let from = copied.0.index(document.len());
        let part = &document[from..document.len().min(from + 70)];
        let source = copied.1.index(sources.len());
        sources[source].splice(0..0, part.iter().copied());
        let of_document = vocabulary("deu", &document, &lexicons);
        let of_sources: Vec<Vocabulary> = sources.iter().map(|source| vocabulary("eng", source, &lexicons)).collect();
        let mut index = Index::default();
        for (number, source) in (0..).zip(&of_sources) {
            index.add(number, language("eng"), source);
        }
        index.complete();
        let counterparts = Counterparts::default();
        let postings = index.postings(language("eng"));
        let pair = [language("deu"), language("eng")];
        let asked = counterparts.of(&of_document, pair, &lexicons, postings);
        // What was remembered is what would be found again.
        let again = counterparts.of(&of_document, pair, &lexicons, |_| unreachable!("all words are known"));
        prop_assert_eq!(format!("{asked:?}"), format!("{again:?}"));
        let seeds = index.tables[&language("eng")].windows(&of_document, &asked, |_| true);

        // The keys of each block, and the number of its text.
        let (mut blocks, mut texts) = (Vec::new(), Vec::new());
        for (number, source) in (0..).zip(&of_sources) {
            for start in (0..source.words.len()).step_by(BLOCK) {
                let words = start..(start + BLOCK).min(source.words.len());
                blocks.push(words.flat_map(|word| source.keys(word)).map(|(key, _)| key).collect::<HashSet<u32>>());
                texts.push(number);
            }
        }
        let sum = |window: &Range<usize>, at: usize| plain(&of_document, &asked, window, &blocks, at);
        let pair = |window: &Range<usize>, at: usize| {
            let is_one_text = texts.get(at + 1) == Some(&texts[at]);
            sum(window, at) + if is_one_text { sum(window, at + 1) } else { 0.0 }
        };
        for seed in &seeds {
            let first = texts.iter().position(|&text: &u32| text == seed.text).unwrap();
            let expected = pair(&seed.a, first + seed.b.start / BLOCK);
            prop_assert!((seed.score - expected).abs() < 1e-3, "{seed:?} {expected}");
        }
        let end = document.len();
        for start in (0..end.saturating_sub(WINDOW - STEP).max(1)).step_by(STEP) {
            let window = start..(start + WINDOW).min(end);
            let found: Vec<&Seed> = seeds.iter().filter(|seed| seed.a == window).collect();
            let best = (0..blocks.len()).map(|at| pair(&window, at)).fold(0.0, f32::max);
            let best_found = found.iter().map(|seed| seed.score).fold(0.0, f32::max);
            let is_best = if best >= LEAST { (best_found - best).abs() < 1e-3 } else { found.is_empty() };
            prop_assert!(is_best, "{best_found} {best}");
            prop_assert!(found.len() <= MOST);
            let overlap = |x: &Seed, y: &Seed| x.text == y.text && x.b.start.abs_diff(y.b.start) < 2 * BLOCK;
            prop_assert!(found.iter().enumerate().all(|(at, x)| found[..at].iter().all(|y| !overlap(x, y))));
        }
    }
}

#[test]
fn seeds_of_one_line_are_one() {
    let seed = |text: u32, a: usize, b: usize, score: f32| Seed {
        text,
        a: a..a + WINDOW,
        b: b..b + WINDOW,
        score,
        offset: b as f32 - a as f32,
    };
    // Three of one passage, one of a line that is too far from theirs, and one of another text.
    let seeds = vec![
        seed(1, 64, 160, 20.0),
        seed(1, 96, 160, 10.0),
        seed(1, 64, 224, 12.0),
        seed(1, 128, 224, 10.0),
        seed(2, 64, 160, 35.0),
    ];
    let joined: Vec<(u32, usize, f32, f32)> =
        joined(seeds).iter().map(|seed| (seed.text, seed.b.start, seed.score, seed.offset)).collect();
    assert_eq!(joined, [(1, 160, 40.0, 88.0), (2, 160, 35.0, 96.0), (1, 224, 12.0, 160.0)]);
}

#[test]
fn a_word_of_no_text_is_rare_however_few_texts_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let lexicons = [lexicon(folder.path(), WORDS)];
    let mut index = Index::default();
    let source: Vec<usize> = (1..65).collect();
    index.add(0, language("eng"), &vocabulary("eng", &source, &lexicons));
    index.complete();
    let rate = |key| index.postings(language("eng"))(key).rate;
    // A window has two blocks, and a lexicon has dozens of translations of a word.
    assert!(rate(1) < 1.0 / 200.0, "{}", rate(1));
    let there = vocabulary("eng", &[1], &lexicons);
    let (key, _) = there.keys(0).next().unwrap();
    assert!((0.02..0.1).contains(&rate(key)), "{}", rate(key));
}
