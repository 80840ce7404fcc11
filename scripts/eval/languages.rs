//! Language detection on texts of known language: the sample against the whole.
//!
//! The language of a file is the name of its folder, a code such as `de`, `deu` or `pt_BR`. Each text is also
//! cut to its first 10, 20 and 60 words, to measure short texts.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nearcopy::text::{Language, detect};
use nearcopy_corpus::{self as corpus, Source};

#[derive(Default)]
struct Score {
    texts: usize,
    right: usize,
    wrong: usize,
    undetermined: usize,
    time: Duration,
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut misses: BTreeMap<String, usize> = BTreeMap::new();
    let mut bytes = 0;
    for root in args {
        for file in files(Path::new(root))? {
            let folder = file.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
            let Ok(truth) = folder.split('_').next().unwrap_or_default().parse::<Language>() else { continue };
            let source = Source::open(&file)?;
            let Ok(document) =
                corpus::document(&folder, &source, corpus::Options::default(), &corpus::Converter::default())
            else {
                continue;
            };
            let text = &document.text;
            let words = text.split_whitespace().count();
            if words < 60 && truth.has_spaces() || text.chars().count() < 120 {
                continue;
            }
            bytes += text.len();
            for (name, part) in [
                ("10 words", front(text, 10)),
                ("20 words", front(text, 20)),
                ("60 words", front(text, 60)),
                ("sample of all", text),
            ] {
                let start = Instant::now();
                let found = detect::detect(part).language;
                note(scores.entry(name.into()).or_default(), start.elapsed(), truth, found);
                if name == "sample of all" && found != truth {
                    *misses.entry(format!("{} read as {}", truth.code(), found.code())).or_default() += 1;
                }
            }
            let start = Instant::now();
            let from_start = detect::of_whole(&sample_from_start(text)).language;
            note(scores.entry("from the start".into()).or_default(), start.elapsed(), truth, from_start);
            let start = Instant::now();
            let whole = detect::of_whole(text).language;
            note(scores.entry("whole text".into()).or_default(), start.elapsed(), truth, whole);
        }
    }
    println!(
        "{:<15} {:>7} {:>7} {:>7} {:>7} {:>9} {:>11}",
        "text read", "texts", "right", "wrong", "und", "accuracy", "µs a text"
    );
    for (name, score) in &scores {
        let accuracy = score.right as f64 / score.texts as f64;
        let time = score.time.as_secs_f64() * 1e6 / score.texts as f64;
        println!(
            "{name:<15} {:>7} {:>7} {:>7} {:>7} {accuracy:>9.4} {time:>11.1}",
            score.texts, score.right, score.wrong, score.undetermined
        );
    }
    println!("{bytes} bytes of text; misses of the sample: {misses:?}");
    Ok(())
}

/// A sample whose first window is at the start of the text.
fn sample_from_start(text: &str) -> String {
    if text.len() <= detect::WHOLE {
        return text.to_owned();
    }
    let starts = [0, (text.len() - detect::WINDOW) / 2, (text.len() - detect::WINDOW) / 5 * 4];
    let windows = starts.map(|start| {
        let start = text.ceil_char_boundary(start);
        &text[start..text.floor_char_boundary(start + detect::WINDOW)]
    });
    windows.join(" ")
}

fn note(score: &mut Score, time: Duration, truth: Language, found: Language) {
    score.texts += 1;
    score.time += time;
    if found == truth {
        score.right += 1;
    } else if found.is_determined() {
        score.wrong += 1;
    } else {
        score.undetermined += 1;
    }
}

/// The first `words` words, of at most eight characters a word: scripts without spaces are cut by that.
fn front(text: &str, words: usize) -> &str {
    let spaced = text.match_indices(char::is_whitespace).nth(words).map_or(text.len(), |(place, _)| place);
    let dense = text.char_indices().nth(8 * words).map_or(text.len(), |(place, _)| place);
    &text[..spaced.min(dense)]
}

fn files(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(self::files(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
