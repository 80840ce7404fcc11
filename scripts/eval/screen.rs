//! Accuracy of `dedup screen` on passages whose places are known, by the PAN measures.
//!
//!     eval-screen made [--cases N] [--seed N]          passages disguised in 14 languages
//!     eval-screen pan SUSPICIOUS SOURCES TRUTH PAIRS   labelled data in the layout of PAN
//!     eval-screen parts SUSPICIOUS SOURCES TRUTH PAIRS [--words N]...  the same data, cut into short documents
//!     eval-screen answers FOLDER                       answers copied in four ways (Clough, Stevenson)
//!     eval-screen assignment TEXTS.jsonl               essays that begin with one assignment
//!     eval-screen fit --set SUSPICIOUS SOURCES TRUTH PAIRS [--set …] [--answers FOLDER] [--rows FILE]  the model of
//!         probability: its coefficients, and its calibration on sets and languages that the fit did not see
//!     eval-screen fit-translated SET... --lexicons FOLDER [--rows FILE]  the same of the model of translations, by sets
//!         that scripts/eval-translated made
//!     eval-screen speed [--suspicious N] [--sources N] [--words N] [--book BYTES]
//!
//! TRUTH is a folder of PAN's XML files, PAIRS a file of two names a line: other pairs are not scored. `made`
//! makes up its texts from a seed (`scripts/eval/texts`).

mod answers;
mod assignment;
mod fit;
mod made;
mod measures;
mod pan;
mod parts;

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use clap::{Parser, Subcommand};
use nearcopy::align::Options;
use nearcopy::screen::{Exclude, Screening, Settings, Translation};
use nearcopy_corpus::Format;
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::records::{Kind, Reading};
use nearcopy_dedup::jobs::authors::Authors;
use nearcopy_dedup::jobs::screen::Job;

use crate::named;
use measures::{Case, Scores};

/// Measure the accuracy of `dedup screen` on passages whose places are known
#[derive(Debug, Parser)]
struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Made-up texts in 14 languages, passages copied in nine ways
    Made {
        /// Passages of each kind and language
        #[arg(long, default_value_t = 20)]
        cases: usize,
        /// Seed of the made-up texts
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Labelled data in the layout of PAN
    Pan { suspicious: PathBuf, sources: PathBuf, truth: PathBuf, pairs: PathBuf },
    /// The same data, its suspicious documents cut into short ones
    Parts {
        suspicious: PathBuf,
        sources: PathBuf,
        truth: PathBuf,
        pairs: PathBuf,
        /// Words of a part
        #[arg(long, default_values_t = [150, 300, 600])]
        words: Vec<usize>,
    },
    /// The passages of `dedup screen --format jsonl` as XML of the PAN text alignment tasks
    Xml { passages: PathBuf, folder: PathBuf },
    /// Short answers, copied in four ways, in the layout of Clough and Stevenson's corpus
    Answers { folder: PathBuf },
    /// Essays of real prose, the texts of a JSON Lines file, that begin with one assignment
    Assignment {
        texts: PathBuf,
        /// Seed of the essays
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// The coefficients of the model of probability, and its calibration
    Fit {
        /// Labelled data in the layout of PAN; may be repeated
        #[arg(long, num_args = 4, required = true, value_names = ["SUSPICIOUS", "SOURCES", "TRUTH", "PAIRS"])]
        set: Vec<PathBuf>,
        /// Short answers in the layout of Clough and Stevenson's corpus
        #[arg(long)]
        answers: Option<PathBuf>,
        /// Write all passages with their features to a file, as tab-separated values
        #[arg(long)]
        rows: Option<PathBuf>,
    },
    /// The same of the model of translations, by sets that scripts/eval-translated made
    FitTranslated {
        /// A folder of essays, sources and truth.json, named KIND-LANGUAGE-WORDS-SEED
        #[arg(required = true)]
        sets: Vec<PathBuf>,
        /// The folder of its lexicons
        #[arg(long)]
        lexicons: PathBuf,
        /// Write all passages with their features to a file, as tab-separated values
        #[arg(long)]
        rows: Option<PathBuf>,
    },
    /// Time for many documents, one in ten of them with a passage, and for two books
    Speed {
        #[arg(long, default_value_t = 1000)]
        suspicious: usize,
        #[arg(long, default_value_t = 10_000)]
        sources: usize,
        /// Words of a document: 750 are 5 KB
        #[arg(long, default_value_t = 750)]
        words: usize,
        /// Bytes of a book
        #[arg(long, default_value_t = 1_000_000)]
        book: usize,
    },
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    match Args::parse_from(named("screen", args)).what {
        What::Made { cases, seed } => made::run(cases, seed),
        What::Pan { suspicious, sources, truth, pairs } => pan::run(&suspicious, &sources, &truth, &pairs),
        What::Parts { suspicious, sources, truth, pairs, words } => {
            parts::run([&suspicious, &sources, &truth, &pairs], &words)
        }
        What::Xml { passages, folder } => pan::write_xml(&passages, &folder),
        What::Answers { folder } => answers::run(&folder),
        What::Assignment { texts, seed } => assignment::run(&texts, seed),
        What::Fit { set, answers, rows } => fit::run(&set, answers.as_deref(), rows.as_deref()),
        What::FitTranslated { sets, lexicons, rows } => fit::run_translated(&sets, &lexicons, rows.as_deref()),
        What::Speed { suspicious, sources, words, book } => {
            made::books(book)?;
            made::speed(suspicious, sources, words)
        }
    }
}

/// Screens plain texts, given as files or folders.
fn screen(suspicious: Vec<PathBuf>, sources: Vec<PathBuf>) -> nearcopy_dedup::Result<Screening> {
    screen_with(suspicious, sources, Options::default(), Translation::default())
}

fn screen_with(
    suspicious: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    options: Options,
    translation: Translation,
) -> nearcopy_dedup::Result<Screening> {
    let job = Job {
        suspicious,
        sources,
        templates: Vec::new(),
        selection: Selection::default(),
        reading: Reading { kind: Some(Kind::Document(Format::Text)), ..Reading::default() },
        authors: Authors::Unknown,
        settings: Settings {
            language: None,
            options,
            exclude: Exclude::default(),
            translation,
            with_each_other: false,
            strict: true,
            threads: std::thread::available_parallelism().map_or(1, Into::into),
            max_memory: u64::MAX,
        },
    };
    let start = Instant::now();
    let screening = nearcopy_dedup::jobs::screen::screen(&job, &())?;
    eprintln!(
        "screened {} documents in {:.1} s",
        screening.suspicious + screening.sources,
        start.elapsed().as_secs_f64()
    );
    Ok(screening)
}

/// The detected passages, by names of files and places in characters.
fn found(screening: &Screening) -> Vec<Case> {
    let mut cases = Vec::new();
    for found in &screening.matches {
        let [a, b] = [found.suspicious, found.source].map(|text| &screening.texts[text as usize]);
        let name = |id: &str| id.rsplit('/').next().unwrap_or(id).to_owned();
        for passage in &found.passages {
            let characters = |text: &str, bytes: std::ops::Range<usize>| {
                let start = text[..bytes.start].chars().count();
                start..start + text[bytes].chars().count()
            };
            cases.push(Case {
                suspicious: name(&a.id),
                source: name(&b.id),
                here: characters(&a.text, a.words.bytes(passage.a.clone())),
                there: characters(&b.text, b.words.bytes(passage.b.clone())),
            });
        }
    }
    cases
}

fn head(first: &str) {
    println!("| {first} | cases | found | precision | recall | granularity | plagdet |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
}

fn row(first: &str, scores: &Scores) {
    let Scores { cases, detections, precision, recall, granularity } = scores;
    println!(
        "| {first} | {cases} | {detections} | {precision:.4} | {recall:.4} | {granularity:.3} | {:.4} |",
        scores.plagdet()
    );
}
