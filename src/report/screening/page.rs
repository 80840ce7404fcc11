//! What a page of a screening says, and how much.

use crate::pipeline::screen::{Exclude, Job};

/// How a page is to be made.
#[derive(Debug, Clone)]
pub struct Page {
    /// The least length of passages that was asked for, in words.
    pub min_words: usize,
    /// Whether sources were named.
    pub against: bool,
    /// What was left out.
    pub exclude: Exclude,
    /// Of how many templates the words were left out.
    pub templates: usize,
    /// The most bytes of text, and of what says how words were kept.
    pub max_text: usize,
    /// The most pairs.
    pub max_pairs: usize,
}

impl Page {
    /// 20 MB of text: what browsers open in a few seconds.
    pub const MAX_TEXT: usize = 20_000_000;

    /// So many pairs can still be looked at, and their figures computed anew at a click.
    pub const MAX_PAIRS: usize = 10_000;

    /// A page of a screening with this least length of passages.
    pub fn new(min_words: usize) -> Self {
        Self {
            min_words,
            against: false,
            exclude: Exclude::default(),
            templates: 0,
            max_text: Self::MAX_TEXT,
            max_pairs: Self::MAX_PAIRS,
        }
    }

    /// A page that tells what was asked for.
    pub fn of(job: &Job) -> Self {
        Self {
            against: !job.sources.is_empty(),
            exclude: job.exclude,
            templates: job.templates.len(),
            ..Self::new(job.options.min_words)
        }
    }
}
