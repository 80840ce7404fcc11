//! Sentences over several lines, whose last line is not cut if the one above it may not be.
//!
//! A line of many documents may be the end of a sentence: `been corrected.` below `They have`, say. It ends the sentence of
//! the line above if that one is long and ends none itself, and this one begins in lower case and ends one. Entries of a
//! menu end none.

use icu_properties::props::SentenceTerminal;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

use super::edges::LONG;
use super::units::Unit;

/// Signs that end a sentence; a colon and an ellipsis do, too.
const ENDS: CodePointSetDataBorrowed<'static> = CodePointSetData::new::<SentenceTerminal>();
/// Closing signs that may follow the end of a sentence.
const CLOSING: [char; 10] = ['"', '\'', ')', ']', '»', '”', '’', '」', '*', '_'];

/// True if a line of a text ends the sentence that the line above it has begun.
pub(super) fn ends_sentence_of(text: &str, above: Unit, line: Unit) -> bool {
    let [above_text, line_text] = [above, line].map(|unit| &text[unit.start as usize..unit.end as usize]);
    // An empty line between them parts sentences, and so does the end of a paragraph, which has the empty lines behind it.
    let follows = above.end == line.start && above_text.lines().count() == 1;
    let is_end = |c| ENDS.contains(c) || [':', '…'].contains(&c);
    let ends = |text: &str| text.trim_end().trim_end_matches(CLOSING).ends_with(is_end);
    let begins_low = || line_text.trim_start().starts_with(char::is_lowercase);
    above.words >= LONG && follows && begins_low() && ends(line_text) && !ends(above_text)
}

#[cfg(test)]
mod tests {
    use super::super::units::Reader;
    use super::*;

    fn ends(text: &str, by_paragraph: bool) -> bool {
        let mut units = Vec::new();
        Reader::new(by_paragraph).read(text, |unit| units.push(unit));
        let [.., above, line] = *units else { panic!("two lines") };
        ends_sentence_of(text, above, line)
    }

    #[test]
    fn the_end_of_a_sentence_is_told_from_a_line() {
        for (text, expected) in [
            ("of what a user types.  They have\nbeen corrected.\n", true),
            ("  which includes an elected board for\r\n  lecture of it (\"all\").", true),
            ("  which includes an elected board for\r\n  lecture", false),
            ("of what a user types.  They have\nBeen corrected.\n", false),
            ("of what a user types.  They have\n\nbeen corrected.\n", false),
            ("(of what a user types they have.)\nbeen corrected.\n", false),
            ("of what a user types they have:\nhome\n", false),
            ("all about tides\nhome\n", false),
            ("of what a user types.  They have\nbeen corrected in all of them.\n", true),
            ("記録は毎日つけられています\nよ", false),
        ] {
            assert_eq!(ends(text, false), expected, "{text}");
        }
        assert!(!ends("of what a user types.  They have\n \nbeen corrected.\n", true));
    }
}
