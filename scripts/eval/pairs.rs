//! All pairs of a labelled corpus, judged in process: the pairs that each rule finds.
//!
//! The documents are the files of a folder, JSON lines or lines `ID text`; the truth is a file of pairs of ids
//! (or of file names), one a line.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Parser;
use nearcopy::fingerprint::{Analysis, Fingerprinter, Options, compare};
use nearcopy::similarity::Figures;
use nearcopy::text::{NgramRange, StopList, StopWords};

use crate::labelled::{self, Truth};
use crate::named;

/// Judge all pairs of a labelled corpus by every rule
#[derive(Parser)]
#[command(name = "eval pairs")]
struct Args {
    /// A folder of documents, or a file of JSON lines or lines `ID text`
    documents: PathBuf,
    /// A file of the pairs that are near-duplicates: two ids a line
    truth: PathBuf,
    /// Smallest n-gram, in terms
    #[arg(long, default_value_t = 3)]
    min: usize,
    /// Greatest n-gram, in terms
    #[arg(long, default_value_t = 3)]
    max: usize,
    /// `auto`, `none` or a file of words
    #[arg(long, default_value = "auto")]
    stop_words: String,
    /// Do not stem words
    #[arg(long)]
    no_stem: bool,
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let args = Args::parse_from(named("pairs", args));
    let mut options = Options::default().ngrams(NgramRange::new(args.min, args.max)?);
    options.text.stem = !args.no_stem;
    options.text.stop_words = match args.stop_words.as_str() {
        "auto" => StopWords::Auto,
        "none" => StopWords::None,
        file => StopWords::List(Arc::new(StopList::parse(&fs::read_to_string(file)?))),
    };
    let documents = labelled::documents(&args.documents)?;
    let truth = labelled::truth(&args.truth, &documents)?;
    let mut fingerprinter = Fingerprinter::new(options)?;
    let analyses: Vec<Analysis> = documents.iter().map(|(_, text)| fingerprinter.analyse(text)).collect();
    let pairs = pairs(&analyses, &truth)?;

    let terms: usize = analyses.iter().map(|analysis| analysis.fingerprint.terms).sum();
    println!("{} documents, {terms} terms, {} known pairs", documents.len(), truth.len());
    let jaccards = |known: bool| pairs.iter().filter(move |pair| pair.0 == known).filter_map(|pair| pair.1.jaccard);
    println!(
        "Jaccard: least of a known pair {:.3}, greatest of any other {:.3}",
        jaccards(true).fold(f64::NAN, f64::min),
        jaccards(false).fold(f64::NAN, f64::max)
    );
    println!("{:<16} {:>6} {:>6} {:>6} {:>10} {:>7}", "rule", "found", "false", "missed", "precision", "recall");
    for similarity in [0.3, 0.5, 0.7, 0.9] {
        row(&format!("Jaccard ≥ {similarity}"), &pairs, truth.len(), |figures| figures.jaccard >= Some(similarity));
    }
    for distance in [3, 6, 8, 10, 12] {
        row(&format!("Hamming ≤ {distance}"), &pairs, truth.len(), |figures| {
            figures.distance.is_some_and(|d| d <= distance)
        });
    }
    Ok(())
}

fn row(name: &str, pairs: &[(bool, Figures)], known: usize, rule: impl Fn(&Figures) -> bool) {
    let count = |of_truth| pairs.iter().filter(|(known, figures)| *known == of_truth && rule(figures)).count();
    let (found, wrong) = (count(true), count(false));
    let precision = found as f64 / (found + wrong) as f64;
    let recall = found as f64 / known as f64;
    println!("{name:<16} {found:>6} {wrong:>6} {:>6} {precision:>10.3} {recall:>7.3}", known - found);
}

/// Every pair: true if it is labelled, and its figures.
fn pairs(analyses: &[Analysis], truth: &Truth) -> nearcopy::Result<Vec<(bool, Figures)>> {
    let mut pairs = Vec::new();
    for (i, a) in analyses.iter().enumerate() {
        for (j, b) in analyses.iter().enumerate().skip(i + 1) {
            pairs.push((truth.contains_key(&[i, j]), compare(a, b)?.figures));
        }
    }
    Ok(pairs)
}
