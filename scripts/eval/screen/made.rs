//! Texts made up in many languages, with passages disguised in stated ways.

use std::error::Error;
use std::fs;
use std::time::Instant;

use super::measures::{Case, Scores};
use super::{found, head, row, screen};
use crate::texts::{LANGUAGES, Random, Writer, edit};

/// Lengths of passages, in words.
const PASSAGE: [usize; 2] = [50, 300];

/// The disguise of a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Disguise {
    /// Not at all.
    None,
    /// A share of the words replaced, left out or put in, and all words shuffled within windows.
    Words { changed: f64, window: usize },
    /// Sentences in another order.
    Reordered,
    /// Every third sentence left out.
    Shortened,
    /// Sentences of another text inserted between.
    Interleaved,
    /// Signs, capitals and line breaks changed.
    Signs,
    /// Zero-width spaces in every fifth word.
    Invisible,
    /// No passage: unrelated texts.
    Clean,
}

const DISGUISES: [(&str, Disguise); 10] = [
    ("none", Disguise::None),
    ("signs", Disguise::Signs),
    ("invisible characters", Disguise::Invisible),
    ("low: 15 % of words, windows of 3", Disguise::Words { changed: 0.15, window: 3 }),
    ("mid: 30 %, windows of 6", Disguise::Words { changed: 0.3, window: 6 }),
    ("high: 45 %, windows of 12", Disguise::Words { changed: 0.45, window: 12 }),
    ("sentences reordered", Disguise::Reordered),
    ("sentences dropped", Disguise::Shortened),
    ("sentences put in", Disguise::Interleaved),
    ("clean", Disguise::Clean),
];

pub(crate) fn run(cases: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (suspicious, sources) = (folder.path().join("suspicious"), folder.path().join("sources"));
    fs::create_dir(&suspicious)?;
    fs::create_dir(&sources)?;
    let mut random = Random(seed);
    let mut truth: Vec<(usize, &str, Case)> = Vec::new();
    for language in LANGUAGES {
        let writer = Writer::new(language).with_runs_up_to(3);
        for (number, (_, disguise)) in DISGUISES.iter().enumerate() {
            for case in 0..cases {
                let name = format!("{number}-{language}-{case}.txt");
                let made = make(&writer, *disguise, &mut random);
                fs::write(suspicious.join(&name), &made.suspicious)?;
                fs::write(sources.join(&name), &made.source)?;
                if let Some((here, there)) = made.passage {
                    truth.push((number, language, Case { suspicious: name.clone(), source: name, here, there }));
                }
            }
        }
    }
    let found = found(&screen(vec![suspicious], vec![sources])?);
    let of = |wanted: &dyn Fn(usize, &str) -> bool| {
        let truth: Vec<Case> =
            truth.iter().filter(|(kind, language, _)| wanted(*kind, language)).map(|(.., case)| case.clone()).collect();
        let mine = |case: &&Case| {
            let mut parts = case.suspicious.split('-');
            let kind = parts.next().and_then(|kind| kind.parse().ok()).unwrap_or(usize::MAX);
            wanted(kind, parts.next().unwrap_or_default())
        };
        Scores::new(&truth, &found.iter().filter(mine).cloned().collect::<Vec<_>>())
    };
    head("disguise");
    for (number, (name, _)) in DISGUISES.iter().enumerate() {
        row(name, &of(&|kind, _| kind == number));
    }
    println!();
    head("language");
    for wanted in LANGUAGES {
        row(wanted, &of(&|_, language| language == wanted));
    }
    println!();
    println!(
        "plagdet of each:\n\n| language | {} |",
        DISGUISES[..9].iter().map(|(name, _)| name.split(':').next().unwrap_or(name)).collect::<Vec<_>>().join(" | ")
    );
    println!("| --- |{}", " --- |".repeat(9));
    for wanted in LANGUAGES {
        let cells: Vec<String> = (0..9)
            .map(|number| format!("{:.3}", of(&|kind, language| kind == number && language == wanted).plagdet()))
            .collect();
        println!("| {wanted} | {} |", cells.join(" | "));
    }
    Ok(())
}

pub(crate) fn speed(suspicious: usize, sources: usize, words: usize) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let paths = ["suspicious", "sources"].map(|name| folder.path().join(name));
    let mut random = Random(1);
    let writers = LANGUAGES.map(|language| Writer::new(language).with_runs_up_to(3));
    let mut kept: Vec<String> = Vec::new();
    for (path, count) in paths.iter().zip([suspicious, sources]) {
        fs::create_dir(path)?;
        for number in 0..count {
            // Seven of ten are English.
            let writer = if random.below(10) < 7 { &writers[0] } else { &writers[random.below(writers.len())] };
            let mut text = writer.text(words, &mut random).written();
            if number % 10 == 0 && count == suspicious {
                kept.push(writer.text(words / 5, &mut random).written());
                text = format!("{text}\n\n{}", kept[kept.len() - 1]);
            } else if number % 100 == 50 && !kept.is_empty() {
                text = format!("{text}\n\n{}", kept[random.below(kept.len())]);
            }
            fs::write(path.join(format!("{number}.txt")), text)?;
        }
    }
    let start = Instant::now();
    let [a, b] = paths;
    let screening = screen(vec![a], vec![b])?;
    println!(
        "{suspicious} documents against {sources} of {words} words: {:.1} s, {} pairs",
        start.elapsed().as_secs_f64(),
        screening.matches.len()
    );
    Ok(())
}

/// Screens a book against the same with one word of seven replaced, and prints the time.
pub(crate) fn books(bytes: usize) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let [a, b] = ["book.txt", "copy.txt"].map(|name| folder.path().join(name));
    let (writer, mut random) = (Writer::new(LANGUAGES[0]), Random(1));
    let mut book = String::new();
    while book.len() < bytes {
        book += &writer.text(1000, &mut random).written();
        book += "\n\n";
    }
    let copy = edit::replace_words(&book, 1.0 / 7.0, &mut random, |random| writer.word(random));
    fs::write(&a, &book)?;
    fs::write(&b, copy)?;
    let start = Instant::now();
    let screening = screen(vec![a], vec![b])?;
    let passages: usize = screening.matches.iter().map(|found| found.passages.len()).sum();
    println!("two books of {bytes} bytes: {:.2} s, {passages} passages", start.elapsed().as_secs_f64());
    Ok(())
}

/// Two texts, and the place of the passage in both, in characters.
struct Made {
    suspicious: String,
    source: String,
    passage: Option<(std::ops::Range<usize>, std::ops::Range<usize>)>,
}

fn make(writer: &Writer, disguise: Disguise, random: &mut Random) -> Made {
    let long = |random: &mut Random| writer.text(300 + random.below(1200), random).written();
    let length = PASSAGE[0] + random.below(PASSAGE[1] - PASSAGE[0]);
    let original = writer.paragraph(length, random);
    let copy = disguised(writer, &original, disguise, random);
    let original = original.join(writer.signs.between);
    let (before, after) = (long(random), long(random));
    let source = format!("{before}\n\n{original}\n\n{after}");
    let there = before.chars().count() + 2;
    let there = there..there + original.chars().count();
    let (before, after) = (long(random), long(random));
    if disguise == Disguise::Clean {
        return Made { suspicious: format!("{before}\n\n{after}"), source, passage: None };
    }
    let here = before.chars().count() + 2;
    let here = here..here + copy.chars().count();
    Made { suspicious: format!("{before}\n\n{copy}\n\n{after}"), source, passage: Some((here, there)) }
}

fn disguised(writer: &Writer, sentences: &[String], disguise: Disguise, random: &mut Random) -> String {
    let between = writer.signs.between;
    let mut sentences = sentences.to_vec();
    match disguise {
        Disguise::None | Disguise::Clean => {}
        Disguise::Words { changed, window } => {
            let text = sentences.join(between);
            let words = edit::words(&text).into_iter().map(|span| text[span].to_owned()).collect();
            return reworded(writer, words, changed, window, random).join(writer.signs.space) + writer.signs.stop;
        }
        Disguise::Reordered => random.shuffle(&mut sentences),
        Disguise::Shortened => {
            let mut number = 0;
            sentences.retain(|_| {
                number += 1;
                number % 3 != 2
            });
        }
        Disguise::Interleaved => {
            let others = writer.paragraph(sentences.len() * 6, random);
            for (number, other) in others.into_iter().enumerate().take(sentences.len() / 3) {
                sentences.insert((4 * number + 2).min(sentences.len() - 1), other);
            }
        }
        Disguise::Signs => {
            let text = sentences.join(between).to_uppercase();
            return text.replace([',', '，', '、', '،'], " –").replace(['.', '。', '।'], "!\n");
        }
        Disguise::Invisible => {
            let mut number = 0;
            let hide = |c: char| {
                number += 1;
                if number % 11 == 5 && c.is_alphabetic() { vec!['\u{200b}', c] } else { vec![c] }
            };
            return sentences.join(between).chars().flat_map(hide).collect();
        }
    }
    sentences.join(between)
}

/// The words with a share of them changed, a third each replaced, left out and put in; then shuffled in
/// windows.
fn reworded(writer: &Writer, words: Vec<String>, changed: f64, window: usize, random: &mut Random) -> Vec<String> {
    let mut new = Vec::new();
    for word in words {
        let dice = random.below(3000) as f64 / 1000.0;
        match dice {
            _ if dice >= 3.0 * changed => new.push(word),
            _ if dice < changed => new.push(writer.word(random).to_owned()),
            _ if dice < 2.0 * changed => {}
            _ => {
                new.push(writer.word(random).to_owned());
                new.push(word);
            }
        }
    }
    for window in new.chunks_mut(window) {
        random.shuffle(window);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passage_stands_where_the_truth_says() {
        let writer = Writer::new("rus");
        let made = make(&writer, Disguise::None, &mut Random(3));
        let (here, there) = made.passage.unwrap();
        let cut = |text: &str, range: std::ops::Range<usize>| {
            text.chars().skip(range.start).take(range.len()).collect::<String>()
        };
        assert_eq!(cut(&made.suspicious, here), cut(&made.source, there));
    }

    #[test]
    fn every_disguise_changes_the_text() {
        let writer = Writer::new("eng");
        let mut random = Random(5);
        let text = writer.text(200, &mut random);
        let sentences = text.paragraphs.concat();
        let plain = sentences.join(" ");
        for (name, disguise) in &DISGUISES[1..9] {
            assert_ne!(disguised(&writer, &sentences, *disguise, &mut random), plain, "{name}");
        }
    }
}
