//! Arguments that several commands share, and their conversion to the library's options.

use std::path::Path;
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use nearcopy::fingerprint::{Options, Shingles};
use nearcopy::similarity::{Removal, Rules};
use nearcopy::text::{Language, NgramRange, StopList, StopWords};
use nearcopy_corpus::{self as corpus, Converter, Encoding, Format, Source, source};

use super::convert::ConvertArgs;
use super::output::talk;

/// Arguments of every command on one or two texts.
#[derive(Debug, Args)]
pub(super) struct Common {
    #[command(flatten)]
    pub(super) making: FingerprintArgs,
    #[command(flatten)]
    pub(super) reading: Reading,
    /// Format of the result
    #[arg(long, value_enum, default_value_t = Output::Text, help_heading = "Output")]
    pub(super) format: Output,
}

/// Options that decide the fingerprints of texts.
#[derive(Debug, Args)]
#[command(next_help_heading = "Fingerprints")]
pub(super) struct FingerprintArgs {
    /// Greatest size of n-grams: runs of words as written (shingles) and of terms (features)
    #[arg(long, value_name = "N", default_value_t = 3)]
    max: usize,
    /// Smallest size of n-grams: runs of words as written (shingles) and of terms (features)
    #[arg(long, value_name = "N", default_value_t = 3)]
    min: usize,
    /// Number of MinHash sketches, which sample the shingles of a text, 1 to 1024
    #[arg(long, value_name = "K", default_value_t = 25)]
    sketches: usize,
    /// Language of the texts: a name, a code, `und` for none, or `auto` to detect it
    #[arg(long, value_name = "LANGUAGE", default_value = "auto")]
    language: String,
    /// Stop words: `auto` for the language's own, `none`, or a file of words
    ///
    /// Words in the file are separated by white space; `#` starts a comment.
    #[arg(long, value_name = "auto|none|FILE", default_value = "auto")]
    stop_words: String,
    /// Do not stem terms
    #[arg(long)]
    no_stem: bool,
    /// Units of the runs that Jaccard compares (shingles): `words` as written, or `terms`
    ///
    /// `terms` also finds copies with other endings and other stop words.
    #[arg(long, value_name = "words|terms", default_value = "words")]
    shingles: Shingles,
}

impl FingerprintArgs {
    /// The library's options.
    pub(super) fn options(&self) -> crate::Result<Options> {
        let language = match self.language.as_str() {
            "auto" => None,
            name => Some(name.parse::<Language>()?),
        };
        let stop_words = match self.stop_words.as_str() {
            "auto" => StopWords::Auto,
            "none" => StopWords::None,
            file => StopWords::List(Arc::new(stop_list(Path::new(file))?)),
        };
        let mut options = Options::default()
            .stop_words(stop_words)
            .ngrams(NgramRange::new(self.min, self.max)?)
            .sketches(self.sketches)
            .shingles(self.shingles);
        (options.text.language, options.text.stem) = (language, !self.no_stem);
        Ok(options)
    }
}

impl FingerprintArgs {
    /// True if an option asks for other terms; `--language und` asks for none of a language.
    pub(super) fn is_of_terms(&self) -> bool {
        !["auto", "und"].contains(&self.language.as_str()) || self.stop_words != "auto" || self.no_stem
    }

    /// The file of stop words, if one is given.
    pub(super) fn stop_words(&self) -> Option<&Path> {
        Some(Path::new(&self.stop_words)).filter(|_| !["auto", "none"].contains(&self.stop_words.as_str()))
    }
}

fn stop_list(path: &Path) -> crate::Result<StopList> {
    let source = Source::open(path)?;
    let plain = corpus::Options { format: Some(Format::Text), ..corpus::Options::default() };
    let document = corpus::document(&source::name(path), &source, plain, &Converter::default())?;
    let list = StopList::parse(&document.text);
    let several: Vec<&str> = list.several_words().take(5).collect();
    if !several.is_empty() {
        talk(&format!("note: {}: entries of several words never match: {} …", document.id, several.join(", ")));
    }
    Ok(list)
}

/// Rules for near-duplicates.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct RuleArgs {
    /// Greatest Hamming distance of near-duplicates, 0 to 64, or `none`
    ///
    /// It is in bits of the simhash.
    #[arg(long, value_name = "D|none", default_value = "3", value_parser = max_distance)]
    distance: Threshold<u32>,
    /// Least Jaccard coefficient of near-duplicates, 0 to 1, or `none`
    #[arg(long, value_name = "S|none", default_value = "0.5", value_parser = min_similarity)]
    similarity: Threshold<f64>,
}

impl RuleArgs {
    /// The library's rules.
    pub(super) fn rules(&self) -> Rules {
        Rules::of(self.distance.0, self.similarity.0)
    }
}

/// Rules for the removal of documents.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct RemovalArgs {
    /// Edited copies: least Jaccard coefficient, 0 to 1, or `none`
    ///
    /// A removed document has it with the one that stays. Texts of fewer than 50 words need more: the threshold rises
    /// evenly to 1 at 20 words. A text of up to 20 words is removed only if it equals the other in all words and signs,
    /// except for layout, case and closing punctuation.
    #[arg(long, value_name = "S|none", default_value = "0.7", value_parser = min_similarity)]
    similarity: Threshold<f64>,
    /// Edited copies: remove every document that reaches a threshold, without further conditions
    ///
    /// By default short texts need more than --similarity, and both documents stay if one has a word throughout where
    /// the other has another.
    #[arg(long)]
    threshold_alone: bool,
    /// Edited copies: also remove documents within this Hamming distance, 0 to 64, or `none`
    ///
    /// The Jaccard coefficient of such documents does not matter. This can match unrelated texts that repeat one n-gram,
    /// such as tables.
    #[arg(long, value_name = "D|none", default_value = "none", value_parser = max_distance)]
    distance: Threshold<u32>,
}

/// The claim that a removal makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Remove {
    /// The words that are read of both are equal, in equal order
    Same,
    /// Everything that it says is still there: it stands whole in one that stays
    Contained,
    /// Most of it is still there: it is an edited copy
    Edited,
}

impl RemovalArgs {
    /// The rules of edited copies.
    pub(super) fn rules(&self) -> Rules {
        Rules { max_distance: self.distance.0, min_similarity: self.similarity.0, same_meaning: !self.threshold_alone }
    }

    /// The widest claim by which documents are removed.
    ///
    /// # Errors
    ///
    /// A message that an option for edited copies needs the claim `edited`, which `option` asks for.
    pub(super) fn claim(&self, remove: Remove, option: &str) -> Result<Removal, String> {
        match remove {
            Remove::Edited => Ok(Removal::Edited),
            Remove::Same => self.expect_none(option).map(|()| Removal::Same),
            Remove::Contained => self.expect_none(option).map(|()| Removal::Contained),
        }
    }

    /// Refuses an option for edited copies where none are removed.
    ///
    /// # Errors
    ///
    /// A message that it needs the claim `edited`, which `option` asks for.
    pub(super) fn expect_none(&self, option: &str) -> Result<(), String> {
        let rules = [
            ("--similarity", self.similarity.0 != Rules::removing().min_similarity),
            ("--threshold-alone", self.threshold_alone),
            ("--distance", self.distance.0.is_some()),
        ];
        let given = rules.into_iter().find(|&(_, is_given)| is_given);
        given.map_or(Ok(()), |(rule, _)| Err(format!("{rule} is a rule of edited copies; give {option} too")))
    }
}

/// A share of a whole.
pub(super) fn share(value: &str) -> Result<f64, String> {
    let share = value.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1 such as 0.5".into())
}

/// A number of words.
pub(super) fn words(value: &str) -> Result<usize, String> {
    let words = value.parse().ok().filter(|&words: &usize| words > 0);
    words.ok_or_else(|| "expected a number of words from 1 on".into())
}

/// A probability.
pub(super) fn probability(value: &str) -> Result<f32, String> {
    let probability = value.parse::<f32>().ok().filter(|probability| (0.0..=1.0).contains(probability));
    probability.ok_or_else(|| "expected a number from 0 to 1 such as 0.9".into())
}

/// A threshold, or none. (To clap an `Option` is an optional argument.)
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

/// Options for reading files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct Reading {
    /// Encoding of the files, such as `utf-8` or `windows-1252`; detected by default
    #[arg(long, value_name = "NAME")]
    encoding: Option<String>,
    /// Format of the files; `auto` detects it from their content
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = auto_or(formats))]
    input: Auto<Format>,
    #[command(flatten)]
    pub(super) converting: ConvertArgs,
}

/// A value that can be detected: `None`, typed as `auto`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Auto<T>(pub(super) Option<T>);

/// Parses `auto`, or the name of a value; each value has a name and help.
pub(super) fn auto_or<T, I>(values: fn() -> I) -> impl TypedValueParser<Value = Auto<T>>
where
    T: Clone + Send + Sync + 'static,
    I: Iterator<Item = (&'static str, String, T)> + 'static,
{
    let auto = PossibleValue::new("auto").help("Detected from content");
    let others = values().map(|(name, help, _)| PossibleValue::new(name).help(help));
    let named = move |name: String| Auto(values().find(|(known, ..)| *known == name).map(|(.., value)| value));
    PossibleValuesParser::new([auto].into_iter().chain(others)).map(named)
}

/// The formats of documents, each with its name and help.
fn formats() -> impl Iterator<Item = (&'static str, String, Format)> {
    Format::all().map(|format| (format.name(), format.plural().to_owned(), format))
}

impl Reading {
    /// The library's options.
    pub(super) fn options(&self) -> crate::Result<corpus::Options> {
        let encoding = self.encoding.as_deref().map(str::parse::<Encoding>).transpose()?;
        Ok(corpus::Options { encoding, format: self.input.0, max_unpacked: None })
    }
}

/// The format of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    /// For people
    Text,
    /// For programs
    Json,
}
