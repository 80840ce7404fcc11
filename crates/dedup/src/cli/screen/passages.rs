//! The options of `dedup screen` for the passages that count.

use std::path::PathBuf;

use nearcopy::align::Options;
use nearcopy::screen::Exclude;

use super::super::options::{probability, words};

/// Options for the passages that count.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Passages")]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct PassageArgs {
    /// Shortest passage, in words [default: 20]
    ///
    /// By default, the whole of a text of five words or more that stands word for word in a longer one is a passage too,
    /// whatever its probability, and so is that of two equal texts; not if this option or --min-probability is given.
    #[arg(long, value_name = "N", value_parser = words)]
    min_words: Option<usize>,
    /// Least probability that a passage is a copy, 0 to 1 [default: 0.2]
    ///
    /// It is the probability among as many copies as unrelated texts on one subject. A run of --min-words equal words
    /// is a passage whatever its probability; one of 20 is no weak one.
    #[arg(long, value_name = "PROBABILITY", value_parser = probability)]
    min_probability: Option<f32>,
    /// Leave out the words of this text, such as the assignment, edited or not; may be repeated
    #[arg(long, value_name = "FILE")]
    pub(super) ignore: Vec<PathBuf>,
    /// Leave out text between quotation marks, and lines that begin with `>`
    #[arg(long)]
    no_quotations: bool,
    /// Leave out references, from a heading such as References to an appendix, the next heading or prose
    #[arg(long)]
    no_bibliography: bool,
    /// Leave out program code, recognised by its lines
    ///
    /// Passages in code are marked as such without this option too.
    #[arg(long)]
    no_code: bool,
    /// Leave text that many documents share, such as the assignment, out of shares too
    ///
    /// Such text makes no passage by itself, unless only one source has it; with this option not even then. It has at least
    /// 7 words, and stands in a fifth of the documents in its language (at least ten; 64 of more than 320), by different
    /// authors. Documents that consist mostly of such text are kept whole.
    #[arg(long)]
    no_common: bool,
}

impl PassageArgs {
    /// The thresholds of a passage; with `leads`, passages that are only worth a look are found too.
    pub(super) fn options(&self, leads: bool) -> Options {
        let defaults = Options::default();
        Options {
            min_words: self.min_words.unwrap_or(defaults.min_words),
            min_probability: self.min_probability.unwrap_or(defaults.min_probability),
            whole_texts: self.min_words.is_none() && self.min_probability.is_none(),
            leads,
            ..defaults
        }
    }

    /// The kinds of text that are left out.
    pub(super) fn exclude(&self) -> Exclude {
        Exclude {
            quotations: self.no_quotations,
            bibliography: self.no_bibliography,
            code: self.no_code,
            common: self.no_common,
        }
    }
}
