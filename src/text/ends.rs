//! Ends: where a sentence or a line ends between two words.
//!
//! What stands whole in another text is told by the words between two breaks ([`crate::similarity`]). A sentence ends
//! where its closing sign precedes white space, or at a sign of a script that puts no space behind it; a line ends at
//! any line break. So an abbreviation makes a break too many, which only divides a text further.
//!
//! Cost: linear in the signs and the white space.
//!
//! Source: Unicode Standard Annex #29 (the property Sentence_Terminal).

use icu_properties::props::SentenceTerminal;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

/// What ends between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// True if a sentence ends.
    pub sentence: bool,
    /// True if a line ends.
    pub line: bool,
}

/// Finds ends.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    terminal: CodePointSetDataBorrowed<'static>,
}

impl Default for Ends {
    fn default() -> Self {
        Self { terminal: CodePointSetData::new::<SentenceTerminal>() }
    }
}

impl Ends {
    /// The break in the signs and white space between two words, or behind the last word (`is_last`).
    pub fn between(self, gap: &str, is_last: bool) -> End {
        let (mut found, mut is_pending, mut before) = (End::default(), false, ' ');
        for c in gap.chars() {
            match c {
                '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                    found.line = true;
                    found.sentence |= is_pending;
                    is_pending = false;
                }
                c if c.is_whitespace() => {
                    found.sentence |= is_pending;
                    is_pending = false;
                }
                // Several dots leave a sentence unfinished.
                '.' => is_pending = before != '.',
                '!' | '?' => is_pending = true,
                ',' | ';' | ':' | '…' => is_pending = false,
                c => found.sentence |= !c.is_ascii() && self.terminal.contains(c),
            }
            before = c;
        }
        found.sentence |= is_pending && is_last;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_and_lines_end_between_words() {
        let of = |sentence, line| End { sentence, line };
        for (gap, expected) in [
            (" ", of(false, false)),
            (", ", of(false, false)),
            (". ", of(true, false)),
            (".\" (", of(true, false)),
            ("?» ", of(true, false)),
            ("\n", of(false, true)),
            (".\r\n", of(true, true)),
            // Part of the next word, a list's comma, an unfinished sentence.
            (" .", of(false, false)),
            ("., ", of(false, false)),
            ("... ", of(false, false)),
            ("… ", of(false, false)),
            // Signs of scripts without spaces.
            ("。", of(true, false)),
            ("।", of(true, false)),
            ("、", of(false, false)),
        ] {
            assert_eq!(Ends::default().between(gap, false), expected, "{gap:?}");
        }
    }

    #[test]
    fn a_text_ends_with_a_sentence_or_is_cut_off() {
        for (end, expected) in [(".", true), (".\n", true), ("!)", true), ("", false), ("\n", false), ("...", false)] {
            assert_eq!(Ends::default().between(end, true).sentence, expected, "{end:?}");
        }
    }
}
