//! Ends: where a sentence or a line ends between two words; and the signs there that carry meaning.
//!
//! What stands whole in another text is told by the words between two ends ([`crate::similarity`]). An end too many lets
//! words be left out within a sentence, so doubtful ones are none:
//!
//! - A full stop ends a sentence if white space follows it, the word before is no abbreviation, and the next word begins
//!   with neither a small letter nor a digit: not `Art. 5`, `J. Smith`, `p.m. on`, `Mr. Brown`. What has one letter, ends
//!   with a digit, or begins with a capital and has less than four letters counts as an abbreviation, and so
//!   do those of a list, such as `Prof`, `vs` and `usw`.
//! - So do other signs of the end of a sentence, whatever the word before; those of scripts that put no space behind them
//!   end one too, unless a closing bracket follows.
//! - A line break ends a line if the next word has a capital, or if a line is empty; a wrapped line goes on. A line may have
//!   been wrapped before a name if the name did not fit: it had made the line longer than those around it.
//!
//! Words leave out most signs, of which some change what a text says (`signs.rs`).
//!
//! Cost: linear in the signs and the white space.
//!
//! Source: Unicode Standard Annex #29 (the property `Sentence_Terminal`).

mod abbreviations;
mod signs;

use std::borrow::Cow;
use std::ops::Range;

use icu_properties::props::{GeneralCategory, SentenceTerminal};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed, CodePointSetData, CodePointSetDataBorrowed};

use super::characters::{is_space, plain_sign};
use abbreviations::ABBREVIATIONS;
use signs::{before_number, is_greek, is_meant, joint, may_begin, may_join};

/// Least length in letters of a word with a capital that is no abbreviation.
const LEAST_LETTERS: usize = 4;

/// What ends between two words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct End {
    /// True if a sentence ends.
    pub sentence: bool,
    /// True if a line ends.
    pub line: bool,
    /// A number for the signs that carry meaning; 0 if there are none.
    pub signs: u64,
}

impl End {
    /// A sign that carries meaning, where nothing ends.
    pub fn of_sign(sign: char) -> Self {
        let mut found = Self::default();
        found.add(sign);
        found
    }

    /// Adds a sign to the signs.
    fn add(&mut self, sign: char) {
        self.signs = (self.signs ^ u64::from(u32::from(sign))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

/// Finds ends.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    terminal: CodePointSetDataBorrowed<'static>,
    category: CodePointMapDataBorrowed<'static, GeneralCategory>,
}

impl Default for Ends {
    fn default() -> Self {
        Self { terminal: CodePointSetData::new::<SentenceTerminal>(), category: CodePointMapData::new() }
    }
}

impl Ends {
    /// What ends in a part of a text between two words, before the first, or behind the last.
    #[inline]
    pub fn between(self, text: &str, gap: Range<usize>) -> End {
        // Most gaps have none of the bytes that could end anything or carry meaning.
        let may_end =
            |&byte: &u8| matches!(byte, b'\n' | b'.' | b'!' | b'?' | b'&' | b'|' | b'<' | b'>') || !byte.is_ascii();
        let bytes = &text.as_bytes()[gap.clone()];
        match bytes {
            b" " | b", " => End::default(),
            // `1.5`, `example.org`.
            b"." if gap.start > 0 && [gap.start - 1, gap.end].iter().all(|&at| is_plain_at(text, at)) => End::default(),
            // Options of programs.
            b" -" if is_letter_at(text, gap.end) => End::of_sign('-'),
            b" --" if is_letter_at(text, gap.end) => End::default(),
            [b'.', spaces @ ..] if !spaces.is_empty() && spaces.iter().all(|&byte| is_space(byte)) => {
                spaced(&text[..gap.start], true, spaces, &text[gap.end..])
            }
            spaces if spaces.iter().all(|&byte| is_space(byte)) => {
                spaced(&text[..gap.start], false, spaces, &text[gap.end..])
            }
            bytes if !bytes.iter().any(may_end) && !may_join(text, &gap) && !may_begin(text, &gap) => End::default(),
            _ => self.read(&text[..gap.start], &text[gap.clone()], &text[gap.end..]),
        }
    }

    /// What ends between the text before, which ends with a word, and the text behind, which begins with one or is empty
    /// at the end of the text.
    fn read(self, before: &str, gap: &str, behind: &str) -> End {
        let next = behind.chars().next();
        let (mut found, mut is_pending, mut lines, mut last) = (End::default(), false, 0, ' ');
        // Quotations in quotations begin with several `>`.
        let (mut is_line_start, mut bars) = (before.is_empty(), 0);
        if let Some(sign) = joint(before, gap, next) {
            found.add(sign);
        }
        if let Some(sign) = before_number(before, gap, next) {
            found.add(sign);
        }
        let mut characters = gap.chars().peekable();
        while let Some(c) = characters.next() {
            let sign = if c == ';' && before.ends_with(is_greek) { '?' } else { plain_sign(c) };
            let mut follows = || characters.peek().copied().or(next);
            let carries_meaning = match sign {
                '?' | '&' | '<' => true,
                ',' | ';' => last == sign,
                '!' => follows().is_some_and(char::is_alphanumeric),
                // The second of two.
                '|' => {
                    bars += 1;
                    bars == 2 && characters.peek() != Some(&'|')
                }
                '>' => !is_line_start,
                _ if sign.is_ascii() => false,
                _ => {
                    let is_bullet = is_line_start && !follows().is_some_and(char::is_alphanumeric);
                    is_meant(c, self.category.get(c), is_bullet)
                }
            };
            if carries_meaning {
                found.add(sign);
            }
            match c {
                '\n' | '\u{2029}' => {
                    lines += if c == '\u{2029}' { 2 } else { 1 };
                    found.sentence |= is_pending;
                    is_pending = false;
                }
                c if c.is_whitespace() => {
                    found.sentence |= is_pending;
                    is_pending = false;
                }
                // Several dots leave a sentence unfinished.
                '.' => is_pending = last != '.' && (behind.is_empty() || !is_abbreviated(before)),
                '!' | '?' => is_pending = true,
                ',' | ';' | ':' | '…' => is_pending = false,
                c if !c.is_ascii() && self.terminal.contains(c) => {
                    is_pending = true;
                    // A quotation within a sentence.
                    found.sentence |= !characters.peek().is_some_and(|&c| is_closing(c));
                }
                _ => {}
            }
            if c != '|' {
                bars = 0;
            }
            is_line_start = c == '\n' || is_line_start && (c == '>' || c.is_whitespace());
            last = sign;
        }
        found.sentence |= is_pending && behind.is_empty();
        found.sentence = found.sentence && (lines > 1 || !goes_on(behind));
        found.line = lines > 1 || lines == 1 && next.is_some_and(char::is_uppercase) && !is_wrapped(before, behind);
        found
    }
}

/// True for a letter of ASCII at a place of a text.
fn is_letter_at(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphabetic)
}

/// True for a letter or digit of ASCII at a place of a text.
fn is_plain_at(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric)
}

/// The end in a gap of ASCII white space, with a full stop before the white space if `has_stop`.
fn spaced(before: &str, has_stop: bool, spaces: &[u8], behind: &str) -> End {
    let lines = memchr::memchr_iter(b'\n', spaces).count();
    let is_end = || (lines > 1 || !goes_on(behind)) && (behind.is_empty() || !is_abbreviated(before));
    let line = lines > 1 || lines == 1 && behind.starts_with(char::is_uppercase) && !is_wrapped(before, behind);
    End { sentence: has_stop && is_end(), line, ..End::default() }
}

/// True if a sentence goes on with a text.
fn goes_on(text: &str) -> bool {
    text.starts_with(|c: char| c.is_lowercase() || c.is_numeric())
}

/// True if a text ends with what counts as an abbreviation.
fn is_abbreviated(before: &str) -> bool {
    // Abbreviations have at most six letters.
    if before.as_bytes().last_chunk::<7>().is_some_and(|last| last.iter().all(u8::is_ascii_alphabetic)) {
        return false;
    }
    let start = before.char_indices().rev().take(7).take_while(|(_, c)| c.is_alphanumeric()).last();
    let word = start.map_or("", |(start, _)| &before[start..]);
    let letters = word.chars().count();
    let is_short_name = letters < LEAST_LETTERS && word.starts_with(char::is_uppercase);
    letters < 2
        || word.starts_with(char::is_numeric)
        || word.ends_with(char::is_numeric)
        || is_short_name
        || is_known_abbreviation(word)
}

/// True for an abbreviation, in small letters or with a capital, behind which a name, a number or a capital may stand.
fn is_known_abbreviation(word: &str) -> bool {
    let has_capital = word.starts_with(char::is_uppercase);
    let small = if has_capital { Cow::Owned(word.to_lowercase()) } else { Cow::Borrowed(word) };
    ABBREVIATIONS.binary_search(&&*small).is_ok()
}

/// Least length of a line that was wrapped, in characters.
const NARROWEST: usize = 40;

/// Greatest length in bytes of a line that is compared with the lines around it; longer ones are paragraphs.
const WIDEST: usize = 400;

/// True if the line that ends a text may have been wrapped there: if the first word behind it had made it longer than both lines
/// around it.
fn is_wrapped(before: &str, behind: &str) -> bool {
    let width = |line: Option<&str>| line.map_or(0, |line| line.trim_end().chars().count());
    let part = &before.as_bytes()[before.len().saturating_sub(WIDEST)..];
    let Some(start) = memchr::memrchr(b'\n', part).or((part.len() == before.len()).then_some(0)) else { return false };
    let start = before.len() - part.len() + start;
    let next = &behind[..behind.floor_char_boundary(WIDEST)];
    let word = next.split(char::is_whitespace).next();
    let wider = width(before.get(start..).map(|line| line.trim_start_matches('\n'))) + 1 + width(word);
    // Most lines are told by their own width.
    if wider < NARROWEST || wider <= width(next.lines().next()) {
        return false;
    }
    let above = &before[before.ceil_char_boundary(start.saturating_sub(WIDEST))..start];
    wider > width(above.rsplit('\n').next())
}

/// True for a closing bracket or quotation mark of scripts that put no space behind them.
fn is_closing(c: char) -> bool {
    matches!(
        c,
        '\u{2018}'
            ..='\u{201F}'
                | '»'
                | '\u{3009}'
                | '\u{300B}'
                | '\u{300D}'
                | '\u{300F}'
                | '\u{3011}'
                | '\u{3015}'
                | '\u{301E}'
                | '\u{301F}'
                | '\u{FF09}'
                | '\u{FF3D}'
                | '\u{FF63}'
                | ')'
                | '"'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn between(before: &str, gap: &str, behind: &str) -> End {
        let text = [before, gap, behind].concat();
        Ends::default().between(&text, before.len()..before.len() + gap.len())
    }

    proptest! {
        #[test]
        fn gaps_are_skipped_only_if_nothing_ends(
            before in "([a-zA-Z0-9éα五海$ ]{0,8}[a-zA-Z0-9éα五海$])?",
            gap in "[ \t\n\r,;:()\"'./!?&|<>*~#\\[†′–—…。✓▲，？-]{0,4}",
            behind in "[a-zA-Z0-9é五海$€]{0,2}",
        ) {
            prop_assert_eq!(between(&before, &gap, &behind), Ends::default().read(&before, &gap, &behind));
        }
    }

    #[test]
    fn sentences_and_lines_end_between_words() {
        for (gap, behind, sentence, line) in [
            (" ", "Word", false, false),
            (", ", "Word", false, false),
            (". ", "Word", true, false),
            (".\" (", "Word", true, false),
            ("?» ", "Word", true, false),
            ("\n", "Word", false, true),
            (".\r\n", "Word", true, true),
            // Part of the next word, a list's comma, an unfinished sentence.
            (" .", "Word", false, false),
            ("., ", "Word", false, false),
            ("... ", "Word", false, false),
            ("… ", "Word", false, false),
            // The sentence goes on.
            (". ", "word", false, false),
            (". ", "5", false, false),
            ("\n", "word", false, false),
            ("\n\n", "word", false, true),
            ("\r\n \r\n", "word", false, true),
            // Signs of scripts without spaces.
            ("。", "海", true, false),
            ("。」", "と", false, false),
            ("।", "क", true, false),
            ("、", "海", false, false),
        ] {
            let found = between("Some words", gap, behind);
            assert_eq!((found.sentence, found.line), (sentence, line), "{gap:?} {behind}");
        }
        for abbreviated in ["Art", "vs", "J", "3", "No", "p.m", "usw", "Prof", "Sept", "max", "1st"] {
            assert!(!between(abbreviated, ". ", "Word").sentence, "{abbreviated}");
        }
        for word in ["it", "ab", "Elephants", "so"] {
            assert!(between(word, ". ", "Word").sentence, "{word}");
        }
    }

    #[test]
    fn a_line_that_was_wrapped_goes_on() {
        let ends = |before: &str, behind: &str| between(before, "\n", behind).line;
        let lines = ["Die Kommission empfiehlt nach langer Beratung die sofortige", "Zulassung des neuen Mittels."];
        assert!(!ends(lines[0], lines[1]));
        assert!(!ends(&format!("Der Bericht zu den letzten drei Jahren:\n{}", lines[0]), lines[1]));
        // The word had fitted.
        assert!(ends("Bericht", lines[0]));
        assert!(ends(&format!("{}\nein kurzer Rest der Zeile bis hierher", lines[0]), lines[1]));
        // A list, and a paragraph in a line.
        assert!(ends("Anna", "Bert"));
        assert!(ends(&lines.join(" ").repeat(9), "Bert"));
    }

    #[test]
    fn a_text_ends_with_a_sentence_or_is_cut_off() {
        for (end, expected) in [(".", true), (".\n", true), ("!)", true), ("", false), ("\n", false), ("...", false)] {
            assert_eq!(between("some words", end, "").sentence, expected, "{end:?}");
        }
    }

    #[test]
    fn some_signs_between_words_carry_meaning() {
        let signs = |gap: &str| between("some", gap, "words").signs;
        for gap in [" ", ", ", "! ", " • ", " – ", "\n- ", "\n● "] {
            assert_eq!(signs(gap), 0, "{gap:?}");
        }
        let all = [" ✓ ", " ✗ ", " \u{1F44D} ", " \u{1F44E} ", "? ", " (!"].map(signs);
        assert!(all.iter().all(|&signs| signs != 0));
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
    }

    #[test]
    fn operators_carry_meaning_and_tables_and_quotations_do_not() {
        let signs = |gap: &str| between("some", gap, "words").signs;
        for gap in [" | ", " |\n| ", " |||| ", "\n> ", "\n>> > ", "\n|\n"] {
            assert_eq!(signs(gap), 0, "{gap:?}");
        }
        let all = [" && ", " || ", " & ", " <\n", " >\n", " > \n> "].map(signs);
        assert!(all.iter().all(|&signs| signs != 0));
        assert_ne!(all[0], all[1]);
        assert_ne!(all[0], all[2]);
        assert_ne!(all[3], all[4]);
        assert_eq!(all[4], all[5]);
    }

    #[test]
    fn a_sign_between_two_numbers_carries_meaning() {
        let signs = |gap: &str| between("1", gap, "2").signs;
        let all = ["/", ":", "-", "*", "^", "·"].map(signs);
        assert!(all.iter().all(|&signs| signs != 0));
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
        for dash in ["–", "‐", "\u{2212}"] {
            assert_eq!(signs(dash), signs("-"));
        }
        for gap in ["/", ":", "-", "*"] {
            assert_eq!(signs(&format!(" {gap} ")), signs(gap), "{gap}");
        }
        for gap in [" ", ", ", ": ", "; ", "\n", "\n- "] {
            assert_eq!(signs(gap), 0, "{gap:?}");
        }
        assert_eq!(between("1", "-", "b").signs, 0);
        assert_eq!(between("1e", "-", "3").signs, signs("-"));
    }

    #[test]
    fn a_sign_before_a_number_carries_meaning() {
        let signs = |before: &str, gap: &str| between(before, gap, "5").signs;
        let all = [" .", " ~", " (", " –", " #", " [", " \\"].map(|gap| signs("of", gap));
        assert!(all.iter().all(|&signs| signs != 0));
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
        assert_eq!((signs("", "."), signs("of", " (—")), (all[0], all[3]));
        for gap in [". ", "... ", " – ", " ( ", ": ", "...", ")"] {
            assert_eq!(signs("of", gap), 0, "{gap:?}");
        }
        assert_eq!(between("f", " (", "x").signs, 0);
        for (before, gap, behind) in
            [("was", " -", "$300"), ("was", " −", "€300"), ("US$", "(", "300"), ("a", " -", "v")]
        {
            assert_ne!(between(before, gap, behind).signs, 0, "{before}{gap}{behind}");
        }
        for (before, gap, behind) in
            [("a", "\n-", "word"), ("well", "-", "known"), ("so", " –", "word"), ("c", "*", "5")]
        {
            assert_eq!(between(before, gap, behind).signs, 0, "{before}{gap}{behind}");
        }
        let behind = ["′ ", "″ "].map(|gap| between("14", gap, "long").signs);
        assert!(!behind.contains(&0) && behind[0] != behind[1]);
    }

    #[test]
    fn signs_of_other_scripts_carry_the_meaning_of_those_of_ascii() {
        let signs = |before: &str, gap: &str, behind: &str| between(before, gap, behind).signs;
        for question in ["？", "؟ ", "\u{37E} ", "՞ "] {
            assert_eq!(signs("来", question, "我"), signs("来", "? ", "我"), "{question}");
        }
        assert_eq!(signs("αύριο", "; ", "Ναι"), signs("αύριο", "? ", "Ναι"));
        assert_eq!(signs("demain", "; ", "oui"), 0);
        assert_eq!(signs("甲", "／", "乙"), signs("甲", "/", "乙"));
        assert_eq!(signs("甲", "＆", "乙"), signs("甲", "&", "乙"));
        let ranges = ["～", "・", "－"].map(|gap| signs("3", gap, "5"));
        assert!(!ranges.contains(&0) && ranges[0] != ranges[1] && ranges[1] != ranges[2]);
        let numbers = ["・", "、", "．", "."].map(|gap| signs("二", gap, "三"));
        assert!(!numbers.contains(&0) && numbers[2] == numbers[3] && numbers[0] != numbers[1]);
        assert_eq!(signs("海", "、", "三"), 0);
        for minus in ["–", "—", "，–"] {
            assert_eq!(signs("是", minus, "5"), signs("of", " –", "5"), "{minus}");
        }
        assert_eq!(signs("是", "-", "五"), signs("of", " –", "5"));
        assert_eq!(signs("是", "——", "5"), 0);
        assert!(signs("利益は", "▲", "5") != 0 && signs("利益は", "▲", "5") != signs("利益は", "△", "5"));
        assert_eq!([signs("word", "\n■ ", "Word"), signs("", "● ", "Word")], [0; 2]);
    }

    #[test]
    fn empty_cells_carry_meaning() {
        let signs = |gap: &str| between("Meyer", gap, "300").signs;
        assert_eq!([signs(";"), signs("; "), signs(",")], [0; 3]);
        assert!(![signs(";;"), signs(",,")].contains(&0));
        assert_ne!(signs(";;"), signs(";;;"));
    }

    #[test]
    fn a_slash_between_words_and_a_hyphen_behind_a_letter_carry_meaning() {
        assert_ne!(between("a", "/", "b").signs, 0);
        assert_ne!(between("an A", "- ", "or").signs, 0);
        assert_ne!(between("an A", "-.", "").signs, 0);
        assert_ne!(between("is HIV", "- ", "or").signs, 0);
        for (before, gap) in
            [("a", " / "), ("", "/"), ("path", "/ "), ("A", "-"), ("A", "-\n"), ("A", "--"), ("Ab", "- ")]
        {
            assert_eq!(between(before, gap, "b").signs, 0, "{before}{gap:?}");
        }
    }
}
