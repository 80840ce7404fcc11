//! The model of probability: fitted to labelled passages, and tested on those that the fit did not see.
//!
//! Passages of any probability are collected from
//! - labelled pairs: copies if half of a passage lies in a labelled one, in both texts; and answers copied from the
//!   article of their question;
//! - pairs of texts on one title or question of which neither copies the other: labelled pairs without a passage, and
//!   answers of the class `non`, each with its article and with the others on its question;
//! - the two halves of each source of at least 250 words: one author on one subject, who seldom repeats a passage.
//!
//! Passages with 20 equal words on end are left out, as they count whatever their probability. Each kind of passages has
//! the same weight, and so have copies and others together; of translations, others weigh [`OTHERS`] times as much. The fit is that of logistic regression with a small penalty
//! on the squares of the coefficients, by Newton's method.

mod logistic;
mod rows;

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use nearcopy::align::{FEATURES, NAMES};
use nearcopy::translate;

use logistic::Model;
use rows::Row;

/// Probability from which on a passage counts.
const LEAST: f64 = 0.2;

/// Weight of the passages that are no translations, by that of translations. With this one the default probability reports
/// a passage in one of some 3,000 unrelated pairs of texts, as it does within a language.
const OTHERS: f64 = 4.0;

pub(crate) fn run(sets: &[PathBuf], answers: Option<&Path>, file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut all: Vec<Row> = Vec::new();
    let mut pairs = 0;
    for set in sets.chunks(4) {
        pairs += rows::of_set([&set[0], &set[1], &set[2], &set[3]], &mut all)?;
    }
    if let Some(folder) = answers {
        pairs += rows::of_answers(folder, &mut all)?;
    }
    pairs += rows::of_halves(sets.chunks(4).map(|set| set[1].as_path()), &mut all)?;
    told(&all, pairs, &NAMES, 1.0, file)
}

/// The model of translations, fitted to sets of translated passages.
pub(crate) fn run_translated(sets: &[PathBuf], lexicons: &Path, file: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let mut all: Vec<Row> = Vec::new();
    for set in sets {
        rows::of_translated(set, lexicons, &mut all)?;
    }
    let pairs = all.iter().map(|row| &row.pair).collect::<BTreeSet<_>>().len();
    told(&all, pairs, &translate::NAMES, OTHERS, file)
}

/// Prints the model of these passages, and its answers on kinds and languages that it did not see.
fn told(
    all: &[Row],
    pairs: usize,
    names: &[&str; FEATURES],
    others: f64,
    file: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    if let Some(file) = file {
        fs::write(file, as_table(all, names))?;
    }
    println!("{} passages of {pairs} pairs, {} copies", all.len(), all.iter().filter(|row| row.is_copy).count());
    for (name, part) in [("kind", Row::kind as fn(&Row) -> &str), ("language", Row::language)] {
        println!("\nNone of the {name} tested was seen by the fit:\n");
        println!("| {name} | copies found | other pairs with a passage |\n| --- | --- | --- |");
        let mut unseen: Vec<(f64, &Row)> = Vec::new();
        for left_out in all.iter().map(part).collect::<BTreeSet<_>>() {
            let (tested, seen): (Vec<&Row>, Vec<&Row>) = all.iter().partition(|row| part(row) == left_out);
            let model = Model::fit(&seen, others);
            let answers: Vec<(f64, &Row)> = tested.iter().map(|&row| (model.probability(&row.features), row)).collect();
            println!("| {left_out} | {} | {} |", found(&answers, true), found(&answers, false));
            unseen.extend(answers);
        }
        calibration(&unseen, others);
    }
    println!("\nThe model of all passages:\n\n{}", table(&Model::fit(&all.iter().collect::<Vec<_>>(), others), names));
    Ok(())
}

/// Number of pairs with a passage of at least [`LEAST`], of those with any.
fn found(told: &[(f64, &Row)], is_copy: bool) -> String {
    let of: Vec<&(f64, &Row)> = told.iter().filter(|(_, row)| row.is_copy == is_copy).collect();
    let pairs = |least: f64| {
        of.iter().filter(|(probability, _)| *probability >= least).map(|(_, row)| &row.pair).collect::<BTreeSet<_>>()
    };
    format!("{} of {}", pairs(LEAST).len(), pairs(0.0).len())
}

/// Of passages told as so probable, those that are copies; kinds weighted as in the fit.
fn calibration(told: &[(f64, &Row)], others: f64) {
    let rows: Vec<&Row> = told.iter().map(|(_, row)| *row).collect();
    let weights = logistic::weights(&rows, others);
    println!("\n| told | passages | copies, of which there is one to {others} others |\n| --- | --- | --- |");
    let bounds = [0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 0.9, 0.97, 1.01];
    for bounds in bounds.windows(2) {
        let (mut passages, mut weight, mut copies) = (0, 0.0, 0.0);
        for ((probability, row), own) in told.iter().zip(&weights) {
            if (bounds[0]..bounds[1]).contains(probability) {
                passages += 1;
                weight += own;
                copies += if row.is_copy { *own } else { 0.0 };
            }
        }
        println!("| {} to {} | {passages} | {:.2} |", bounds[0], bounds[1].min(1.0), copies / f64::max(weight, 1e-9));
    }
}

/// The model as it stands in the source.
fn table(model: &Model, names: &[&str; FEATURES]) -> String {
    let coefficients: Vec<String> = model.coefficients.iter().map(|value| format!("{value:.2}")).collect();
    let mut table = format!("({:.2}, [{}])\n", model.constant, coefficients.join(", "));
    for (name, value) in names.iter().zip(&coefficients) {
        _ = writeln!(table, "{value:>8}  {name}");
    }
    table
}

fn as_table(rows: &[Row], names: &[&str; FEATURES]) -> String {
    let mut out = format!("kind\tlanguage\tpair\tcopy\t{}\n", names.join("\t"));
    for row in rows {
        let features: [String; FEATURES] = row.features.map(|value| format!("{value:.4}"));
        let copy = u8::from(row.is_copy);
        _ = writeln!(out, "{}\t{}\t{}\t{copy}\t{}", row.kind, row.language, row.pair, features.join("\t"));
    }
    out
}
