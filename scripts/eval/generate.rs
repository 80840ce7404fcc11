//! Made-up corpora whose near-duplicates are known, for measurements.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum};

use crate::named;

mod bulk;
mod edits;
mod hostile;

/// Make up a corpus of documents whose near-duplicates are known
#[derive(Parser)]
#[command(name = "eval generate")]
struct Args {
    #[command(subcommand)]
    corpus: Corpus,
}

#[derive(Subcommand)]
enum Corpus {
    /// Documents in 14 languages with edited copies: OUT/corpus.jsonl and OUT/truth.tsv
    Edits {
        /// The same seed gives the same corpus
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 2000)]
        documents: usize,
        /// A folder, made if there is none
        #[arg(long)]
        out: PathBuf,
    },
    /// Many documents, seven of ten English, some of them near-duplicates of earlier ones
    Bulk {
        /// The same seed gives the same corpus
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 1_000_000)]
        documents: usize,
        /// Mean number of words of a document; the number varies by a half
        #[arg(long, default_value_t = 200)]
        words: usize,
        /// The share of near-duplicates
        #[arg(long, default_value_t = 0.1)]
        duplicates: f64,
        /// A file of JSON lines
        #[arg(long)]
        out: PathBuf,
    },
    /// Documents that are hard for a search for near-duplicates
    Hostile {
        kind: Hostile,
        /// The same seed gives the same corpus
        #[arg(long, default_value_t = 1)]
        seed: u64,
        #[arg(long, default_value_t = 100_000)]
        documents: usize,
        /// Words of a document
        #[arg(long, default_value_t = 200)]
        words: usize,
        /// A file of JSON lines
        #[arg(long)]
        out: PathBuf,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Hostile {
    /// One text again and again
    Copies,
    /// One text, in each document with a few other words
    NearCopies,
    /// Half of all documents: one long page and text of their own, Jaccard .4 to .6
    Boilerplate,
    /// Each document like the one before, and unlike the one before that
    Chain,
}

/// A line of a corpus for `bulk` and `hostile`.
#[derive(serde::Serialize)]
struct Record<'a> {
    id: &'a str,
    text: &'a str,
    lang: &'a str,
    /// The id of the document that it is a near-duplicate of; its own id if it is an original.
    source: &'a str,
}

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    match Args::parse_from(named("generate", args)).corpus {
        Corpus::Edits { seed, documents, out } => edits::write(seed, documents, &out)?,
        Corpus::Bulk { seed, documents, words, duplicates, out } => {
            let mut out = create(&out)?;
            bulk::write(seed, documents, words, duplicates, &mut out)?;
            out.flush()?;
        }
        Corpus::Hostile { kind, seed, documents, words, out } => {
            let mut out = create(&out)?;
            hostile::write(kind, seed, documents, words, &mut out)?;
            out.flush()?;
        }
    }
    Ok(())
}

fn create(path: &Path) -> Result<BufWriter<File>, String> {
    let file = File::create(path)
        .map_err(|error| format!("{}: {error}; name a file in a folder that exists", path.display()))?;
    Ok(BufWriter::with_capacity(1 << 20, file))
}

fn line(out: &mut impl Write, record: &impl serde::Serialize) -> std::io::Result<()> {
    serde_json::to_writer(&mut *out, record)?;
    out.write_all(b"\n")
}
