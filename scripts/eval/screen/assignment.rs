//! Essays of real prose that all, or some, begin with one assignment: how many pairs share nothing else.
//!
//! The essays are parts of the texts of a JSON Lines file (`scripts/bench-corpora` makes some), of 350 to 500 words. What
//! they share without the assignment is known by a run without it.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::screen;
use crate::texts::Random;

const ASSIGNMENT: &str = "Write an essay of about five hundred words in which you describe a technical subject of your \
    own choice so that a reader without any knowledge can follow. Explain all terms when they first occur, give at least \
    two examples, and end with a short conclusion about what remains open.\n\n";

pub(crate) fn run(texts: &Path, seed: u64) -> Result<(), Box<dyn Error>> {
    let mut random = Random(seed);
    let mut essays = Vec::new();
    for line in fs::read_to_string(texts)?.lines() {
        let record: Value = serde_json::from_str(line)?;
        let words: Vec<&str> = record["text"].as_str().unwrap_or_default().split_whitespace().collect();
        if words.len() > 600 {
            let (from, length) = (random.below(words.len() - 500), 350 + random.below(150));
            essays.push(words[from..from + length].join(" "));
        }
    }
    println!("| essays | with the assignment | pairs | pairs without it |\n| --- | --- | --- | --- |");
    for (count, one_of) in [(72, 1), (500, 1), (500, 3)] {
        let pairs = |has: &dyn Fn(usize) -> bool| -> Result<usize, Box<dyn Error>> {
            let folder = tempfile::tempdir()?;
            for (number, essay) in essays.iter().take(count).enumerate() {
                let assignment = if has(number) { ASSIGNMENT } else { "" };
                fs::write(folder.path().join(format!("{number:04}.txt")), format!("{assignment}{essay}\n"))?;
            }
            Ok(screen(vec![folder.path().to_owned()], Vec::new())?.matches.len())
        };
        let has = |number: usize| number.is_multiple_of(one_of);
        let with = (0..count.min(essays.len())).filter(|&number| has(number)).count();
        println!("| {} | {with} | {} | {} |", count.min(essays.len()), pairs(&has)?, pairs(&|_| false)?);
    }
    Ok(())
}
