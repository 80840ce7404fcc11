//! All pairs of a labelled corpus, judged in process: which rule finds which.
//!
//! The documents are the files of a folder, or the lines `ID text` of a file; the
//! truth is a file of pairs of ids (or of file names), one a line.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Parser;
use dedup::corpus::{self, Document, Source};
use dedup::pipeline::{Analysis, Fingerprinter, Options, compare};
use dedup::similarity::Figures;
use dedup::text::{NgramRange, StopList, StopWords};

/// Judge all pairs of a labelled corpus by every rule
#[derive(Parser)]
#[command(name = "eval-pairs")]
struct Args {
    /// A folder of documents, or a file of lines `ID text`
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
    /// Compare words as they are
    #[arg(long)]
    no_stem: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = Args::parse();
    let mut options = Options { ngrams: NgramRange::new(args.min, args.max)?, ..Options::default() };
    options.text.stem = !args.no_stem;
    options.text.stop_words = match args.stop_words.as_str() {
        "auto" => StopWords::Auto,
        "none" => StopWords::None,
        file => StopWords::List(Arc::new(StopList::parse(&fs::read_to_string(file)?))),
    };
    let documents = documents(&args.documents, Fingerprinter::new(options)?)?;
    let truth = truth(&args.truth)?;
    let pairs = pairs(&documents, &truth)?;

    let terms: usize = documents.iter().map(|(_, analysis)| analysis.fingerprint.terms).sum();
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

fn documents(path: &Path, mut fingerprinter: Fingerprinter) -> Result<Vec<(String, Analysis)>, Box<dyn Error>> {
    let mut documents = Vec::new();
    if path.is_dir() {
        let mut files: Vec<PathBuf> =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        files.sort();
        for file in files {
            let name = file.file_name().ok_or("a file without a name")?.to_string_lossy().into_owned();
            let source = Source::open(&file)?;
            let document = Document::new(&name, &source, corpus::Options::default())?;
            documents.push((name, fingerprinter.analyse(&document.text)));
        }
    } else {
        for line in fs::read_to_string(path)?.lines() {
            let (id, text) = line.split_once(' ').ok_or("a line without a text")?;
            documents.push((id.to_owned(), fingerprinter.analyse(text)));
        }
    }
    Ok(documents)
}

fn truth(path: &Path) -> Result<HashSet<[String; 2]>, Box<dyn Error>> {
    let mut pairs = HashSet::new();
    for line in fs::read_to_string(path)?.lines() {
        let mut pair: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        pair.sort();
        pairs.insert(<[String; 2]>::try_from(pair).map_err(|_| "a line that is no pair")?);
    }
    Ok(pairs)
}

/// Every pair: whether it is known, and its figures.
fn pairs(documents: &[(String, Analysis)], truth: &HashSet<[String; 2]>) -> dedup::Result<Vec<(bool, Figures)>> {
    let mut pairs = Vec::new();
    for (i, (a, x)) in documents.iter().enumerate() {
        for (b, y) in &documents[i + 1..] {
            let mut pair = [a.clone(), b.clone()];
            pair.sort();
            pairs.push((truth.contains(&pair), compare(x, y)?.figures));
        }
    }
    Ok(pairs)
}
