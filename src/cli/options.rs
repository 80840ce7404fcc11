//! Arguments that several commands share, and what they mean.

use std::path::Path;
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use nearcopy::corpus::{self, Document, Encoding, Format, Source, source};
use nearcopy::pipeline::{Options, Shingles};
use nearcopy::similarity::Rules;
use nearcopy::text::{self, Language, NgramRange, StopList, StopWords};

use super::output::talk;

/// What every command on texts takes.
#[derive(Debug, Args)]
pub(super) struct Common {
    #[command(flatten)]
    pub(super) making: Making,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// What the result is written as
    #[arg(long, value_enum, default_value_t = Output::Text, help_heading = "Output")]
    pub(super) format: Output,
}

/// How texts become fingerprints.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fingerprints")]
pub(super) struct Making {
    /// Greatest size of n-grams, in words (shingles) and terms (features)
    #[arg(long, value_name = "N", default_value_t = 3)]
    max: usize,
    /// Smallest size of n-grams, in words (shingles) and terms (features)
    #[arg(long, value_name = "N", default_value_t = 3)]
    min: usize,
    /// Number of MinHash sketches, 1 to 1024
    #[arg(long, value_name = "K", default_value_t = 25)]
    sketches: usize,
    /// Language of the text or of both: a name, a code, `und` for none, or `auto`
    #[arg(long, value_name = "LANGUAGE", default_value = "auto")]
    language: String,
    /// Stop words: `auto` for the language's own, `none`, or a file of words (between
    /// white space; `#` starts a comment)
    #[arg(long, value_name = "auto|none|FILE", default_value = "auto")]
    stop_words: String,
    /// Make terms of stems (the default)
    #[arg(long, overrides_with = "no_stem")]
    stem: bool,
    /// Make terms of words without stemming them
    #[arg(long, overrides_with = "stem")]
    no_stem: bool,
    /// Units of the shingles that Jaccard compares: `words` as written, or `terms`, which also finds copies with other endings and
    /// stop words
    #[arg(long, value_name = "words|terms", default_value = "words")]
    shingles: Shingles,
}

impl Making {
    /// The library's options.
    pub(super) fn options(&self) -> nearcopy::Result<Options> {
        let language = match self.language.as_str() {
            "auto" => None,
            name => Some(name.parse::<Language>()?),
        };
        let stop_words = match self.stop_words.as_str() {
            "auto" => StopWords::Auto,
            "none" => StopWords::None,
            file => StopWords::List(Arc::new(stop_list(Path::new(file))?)),
        };
        Ok(Options {
            text: text::Options { language, stop_words, stem: !self.no_stem },
            ngrams: NgramRange::new(self.min, self.max)?,
            sketches: self.sketches,
            simhash: true,
            shingles: self.shingles,
        })
    }
}

impl Making {
    /// True if an option changes how terms are made.
    pub(super) fn is_of_terms(&self) -> bool {
        self.language != "auto" || self.stop_words != "auto" || self.no_stem
    }

    /// The file that stop words are read from.
    pub(super) fn stop_words(&self) -> Option<&Path> {
        Some(Path::new(&self.stop_words)).filter(|_| !["auto", "none"].contains(&self.stop_words.as_str()))
    }
}

fn stop_list(path: &Path) -> nearcopy::Result<StopList> {
    let source = Source::open(path)?;
    let plain = corpus::Options { format: Some(Format::Text), encoding: None };
    let document = Document::new(&source::name(path), &source, plain)?;
    let list = StopList::parse(&document.text);
    let several: Vec<&str> = list.several_words().take(5).collect();
    if !several.is_empty() {
        talk(&format!("note: {}: entries of several words are never met: {} …", document.id, several.join(", ")));
    }
    Ok(list)
}

/// Which documents are near-duplicates.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Judging {
    /// Greatest Hamming distance of near-duplicates, 0 to 64, or `none`; up to 12 where
    /// `dedup find` lists pairs (--pairs, --against)
    #[arg(long, value_name = "D|none", default_value = "3", value_parser = max_distance)]
    distance: Threshold<u32>,
    /// Least Jaccard coefficient of near-duplicates, 0 to 1, or `none`
    #[arg(long, value_name = "S|none", default_value = "0.5", value_parser = min_similarity)]
    similarity: Threshold<f64>,
}

impl Judging {
    /// The library's rules.
    pub(super) fn rules(&self) -> Rules {
        Rules::of(self.distance.0, self.similarity.0)
    }
}

/// Which documents are so alike that one of them goes.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct Removing {
    /// Least Jaccard coefficient of a document that goes and the one that stays, 0 to 1, or `none`. Shorter
    /// texts need more: from 50 words down to 20 it rises to 1, and a text of up to 20 words goes only if it is equal to
    /// the other in all words and signs, but for layout, case and closing punctuation
    #[arg(long, value_name = "S|none", default_value = "0.7", value_parser = min_similarity)]
    similarity: Threshold<f64>,
    /// Remove whatever reaches the thresholds: short texts, too, and texts of which one has a word throughout where the
    /// other has another
    #[arg(long)]
    threshold_alone: bool,
    /// Remove documents within this Hamming distance too, 0 to 64, whatever their Jaccard coefficient; it can join
    /// strangers that repeat one n-gram, such as tables
    #[arg(long, value_name = "D|none", default_value = "none", value_parser = max_distance)]
    distance: Threshold<u32>,
}

impl Removing {
    /// The library's rules.
    pub(super) fn rules(&self) -> Rules {
        Rules { max_distance: self.distance.0, min_similarity: self.similarity.0, careful: !self.threshold_alone }
    }
}

/// A threshold, or none. (An `Option` would mean something else to clap.)
#[derive(Debug, Clone, Copy)]
struct Threshold<T>(Option<T>);

fn max_distance(value: &str) -> Result<Threshold<u32>, String> {
    threshold(value, "a whole number from 0 to 64, or none", |&distance| distance <= 64)
}

fn min_similarity(value: &str) -> Result<Threshold<f64>, String> {
    threshold(value, "a number from 0 to 1, or none", |similarity| (0.0..=1.0).contains(similarity))
}

fn threshold<T: std::str::FromStr>(value: &str, expected: &str, valid: fn(&T) -> bool) -> Result<Threshold<T>, String> {
    if value == "none" {
        return Ok(Threshold(None));
    }
    match value.parse() {
        Ok(number) if valid(&number) => Ok(Threshold(Some(number))),
        _ => Err(format!("expected {expected}")),
    }
}

/// How files are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct Reading {
    /// Encoding of the files, such as `utf-8` or `windows-1252`; detected by default
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// What the files are; `auto` tells by their content
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = input())]
    input: Input,
}

/// The format of the files; `None` detects it.
#[derive(Debug, Clone, Copy)]
struct Input(Option<Format>);

/// Parses the name of a format, or `auto`.
fn input() -> impl TypedValueParser<Value = Input> {
    let auto = PossibleValue::new("auto").help("By content");
    let formats = Format::all().map(|format| PossibleValue::new(format.name()).help(format.plural()));
    let named = |name: String| Input(Format::all().find(|format| format.name() == name));
    PossibleValuesParser::new([auto].into_iter().chain(formats)).map(named)
}

impl Reading {
    /// The library's options.
    pub(super) fn options(&self) -> nearcopy::Result<corpus::Options> {
        let encoding = self.encoding.as_deref().map(str::parse::<Encoding>).transpose()?;
        Ok(corpus::Options { encoding, format: self.input.0 })
    }
}

/// What the result is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// For people
    Text,
    /// For programs
    Json,
}
