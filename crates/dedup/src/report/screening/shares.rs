//! The words of a document that also stand elsewhere, as numbers and as shares.

use nearcopy::screen::Share;
use serde::Serialize;

use crate::report::figures::grouped;

/// Numbers of words of a document, and their shares of the words counted.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Shares {
    /// Words in passages, weak ones too.
    pub(super) words_in_passages: usize,
    /// Words with a counterpart, and those of translated passages, in passages that are not weak.
    pub(super) words_matched: usize,
    pub(super) share: f64,
    /// Those in long verbatim runs.
    words_verbatim: usize,
    pub(super) share_verbatim: f64,
    /// Those that only translated passages have.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    translated: Option<Translated>,
}

/// The words of translated passages, if there are any.
#[derive(Debug, Clone, Copy, Serialize)]
struct Translated {
    words_translated: usize,
    share_translated: f64,
}

impl From<Share> for Shares {
    fn from(Share { counted, covered, matched, verbatim, translated }: Share) -> Self {
        let share = |words: usize| if counted == 0 { 0.0 } else { words as f64 / counted as f64 };
        let of_translated = Translated { words_translated: translated, share_translated: share(translated) };
        Self {
            words_in_passages: covered,
            words_matched: matched,
            share: share(matched),
            words_verbatim: verbatim,
            share_verbatim: share(verbatim),
            translated: (translated > 0).then_some(of_translated),
        }
    }
}

impl Shares {
    /// The numbers of verbatim and of translated words, in words.
    pub(super) fn kinds(&self) -> String {
        let verbatim = format!("{} verbatim", grouped(self.words_verbatim as u64));
        match self.translated {
            Some(Translated { words_translated, .. }) => {
                format!("{verbatim}, {} translated", grouped(words_translated as u64))
            }
            None => verbatim,
        }
    }
}
