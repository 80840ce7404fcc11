//! The settings of the HTML page of a screening.

use nearcopy::align::Options;
use nearcopy::screen::{Exclude, Translation};
use nearcopy::text::Language;

use crate::jobs::screen::Job;

/// The settings of a page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The heading, such as the name of a course; empty for none.
    pub title: String,
    /// The time of the screening, as the page shows it: RFC 3339 in UTC; empty if unknown.
    pub made: String,
    /// The command line; empty if unknown, or if names are left out.
    pub command_line: String,
    /// The lexicons by which translated passages were sought.
    pub translation: Translation,
    /// The number of the document that the page is about, as a dossier; `None` for all.
    pub dossier: Option<u32>,
    /// The language of all documents, as an ISO 639-3 code; `None` if that of each was detected.
    pub language: Option<&'static str>,
    /// Minimum probability of passages, as requested.
    pub min_probability: f32,
    /// Minimum length of passages in words, as requested.
    pub min_words: usize,
    /// True if the whole of a text is a passage, however short and improbable.
    pub whole_texts: bool,
    /// True if sources were named.
    pub against: bool,
    /// The kinds of text left out.
    pub exclude: Exclude,
    /// Number of templates whose text was left out.
    pub templates: usize,
    /// Maximum size in bytes of texts and of the runs that say how words were kept.
    pub max_text: usize,
    /// Maximum number of pairs.
    pub max_pairs: usize,
}

impl Page {
    /// Default maximum of text in bytes, 20 MB: browsers open it in a few seconds.
    pub const MAX_TEXT: usize = 20_000_000;

    /// Default maximum number of pairs: a reader can still look through them, and a click recomputes their figures.
    pub const MAX_PAIRS: usize = 10_000;

    /// The settings with this minimum length of passages.
    pub fn new(min_words: usize) -> Self {
        Self {
            title: String::new(),
            made: String::new(),
            command_line: String::new(),
            translation: Translation::default(),
            dossier: None,
            language: None,
            min_probability: Options::default().min_probability,
            min_words,
            whole_texts: Options::default().whole_texts,
            against: false,
            exclude: Exclude::default(),
            templates: 0,
            max_text: Self::MAX_TEXT,
            max_pairs: Self::MAX_PAIRS,
        }
    }

    /// The settings for the options of a job.
    pub fn of(job: &Job) -> Self {
        Self {
            language: job.settings.language.map(Language::code),
            translation: job.settings.translation.clone(),
            min_probability: job.settings.options.min_probability,
            whole_texts: job.settings.options.whole_texts,
            against: !job.sources.is_empty(),
            exclude: job.settings.exclude,
            templates: job.templates.len(),
            ..Self::new(job.settings.options.min_words)
        }
    }
}
