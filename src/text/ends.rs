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
//!   been wrapped before a name if the name did not fit: it would have made the line longer than those around it.
//!
//! Words leave out most signs, of which some change what a text says (`signs.rs`).
//!
//! Cost: linear in the signs and the white space.
//!
//! Source: Unicode Standard Annex #29 (the property `Sentence_Terminal`).

mod abbreviations;
mod signs;
mod wrapped;

use std::ops::Range;

use icu_properties::props::SentenceTerminal;
use icu_properties::{CodePointSetData, CodePointSetDataBorrowed};

use super::characters::{is_bullet, is_space, plain_sign};
use abbreviations::is_abbreviated;
use signs::{Signs, before_number, ends_in_greek, is_meant, joint, may_be_apart, may_begin, may_join};
use wrapped::is_wrapped;

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
}

impl Default for Ends {
    fn default() -> Self {
        Self { terminal: CodePointSetData::new::<SentenceTerminal>() }
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
            [b'.', spaces @ ..] if !spaces.is_empty() && spaces.iter().all(|&byte| is_space(byte)) => {
                spaced(&text[..gap.start], true, spaces, &text[gap.end..])
            }
            spaces if spaces.iter().all(|&byte| is_space(byte)) => {
                spaced(&text[..gap.start], false, spaces, &text[gap.end..])
            }
            bytes
                if !bytes.iter().any(may_end)
                    && !may_join(text, &gap)
                    && !may_begin(text, &gap)
                    && !may_be_apart(text, &gap) =>
            {
                End::default()
            }
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
        let signs = [joint(before, gap, next), before_number(before, gap, behind)];
        for sign in signs.into_iter().flatten().chain(Signs::apart(before, gap, behind)) {
            found.add(sign);
        }
        let mut characters = gap.chars().peekable();
        while let Some(c) = characters.next() {
            let sign = if c == ';' && ends_in_greek(before) { '?' } else { plain_sign(c) };
            let mut follows = || characters.peek().copied().or(next);
            let carries_meaning = match sign {
                '?' | '&' | '<' => true,
                ',' | ';' => last == sign,
                // Scripts without spaces put a sentence right behind it.
                '!' => (before.is_empty() || !gap.starts_with(c)) && follows().is_some_and(char::is_alphanumeric),
                // The second of two.
                '|' => {
                    bars += 1;
                    bars == 2 && characters.peek().is_none_or(|&c| plain_sign(c) != '|')
                }
                '>' => !is_line_start,
                _ if sign.is_ascii() => false,
                _ => {
                    let may_be_bullet = is_line_start && !follows().is_some_and(char::is_numeric);
                    is_meant(c) && !(may_be_bullet && is_bullet(c))
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
            if sign != '|' {
                bars = 0;
            }
            is_line_start = matches!(c, '\n' | '\u{2029}') || is_line_start && (c == '>' || c.is_whitespace());
            last = sign;
        }
        found.sentence |= is_pending && behind.is_empty();
        found.sentence = found.sentence && (lines > 1 || !goes_on(behind));
        found.line = ends_line(lines, before, behind);
        found
    }
}

/// True for a letter or digit of ASCII at a place of a text.
fn is_plain_at(text: &str, at: usize) -> bool {
    text.as_bytes().get(at).is_some_and(u8::is_ascii_alphanumeric)
}

/// The end in a gap of ASCII white space, with a full stop before the white space if `has_stop`.
fn spaced(before: &str, has_stop: bool, spaces: &[u8], behind: &str) -> End {
    let lines = memchr::memchr_iter(b'\n', spaces).count();
    let is_end = || (lines > 1 || !goes_on(behind)) && (behind.is_empty() || !is_abbreviated(before));
    End { sentence: has_stop && is_end(), line: ends_line(lines, before, behind), ..End::default() }
}

/// True if so many line breaks end a line.
fn ends_line(lines: usize, before: &str, behind: &str) -> bool {
    lines > 1 || lines == 1 && behind.starts_with(char::is_uppercase) && !is_wrapped(before, behind)
}

/// True if a sentence goes on with a text.
fn goes_on(text: &str) -> bool {
    text.starts_with(|c: char| c.is_lowercase() || c.is_numeric())
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
            before in "([a-zA-Z0-9éα五海$* ]{0,8}[a-zA-Z0-9éα五海$+])?",
            gap in "[ \t\n\r,;:()\"'./!?&|<>*~#\\[\\]†′–—…。✓▲•，？-]{0,5}",
            behind in "([a-zA-Z0-9é五海$€+]{0,2}|EUR 5)",
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
    fn a_text_ends_with_a_sentence_or_is_cut_off() {
        for (end, expected) in [(".", true), (".\n", true), ("!)", true), ("", false), ("\n", false), ("...", false)] {
            assert_eq!(between("some words", end, "").sentence, expected, "{end:?}");
        }
    }

    #[test]
    fn some_signs_between_words_carry_meaning() {
        let signs = |gap: &str| between("some", gap, "words").signs;
        for gap in [" ", ", ", "! ", " • ", " – ", "\n- ", "\n▪ ", "\n* "] {
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
            for (before, behind) in [(" ", " "), ("  ", "  "), ("\u{A0}", "\u{A0}"), (" ", "\n")] {
                assert_eq!(signs(&format!("{before}{gap}{behind}")), signs(gap), "{gap}");
            }
        }
        for gap in [" ", ", ", ": ", "; ", "\n", "\n* "] {
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
        for (before, gap, behind) in [
            ("was", " -", "$300"),
            ("was", " −", "€300"),
            ("was", " -", "฿300"),
            ("US$", "(", "300"),
            ("was", " -", "kr 300"),
        ] {
            assert_ne!(between(before, gap, behind).signs, 0, "{before}{gap}{behind}");
        }
        for (before, gap, behind) in [
            ("a", "\n-", "word"),
            ("well", "-", "known"),
            ("so", " –", "word"),
            ("c", "*", "5"),
            ("a", " -", "v"),
            ("a", "\n(", "1) First"),
        ] {
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
        let bullets = ["\n▪ ", "\n•", "\n➢ ", "\n\u{F0B7} "];
        assert_eq!(bullets.map(|bullet| signs("word", bullet, "Word")), [0; 4]);
        assert_eq!([signs("", "► ", "Word"), signs("太好了", "！", "我们")], [0; 2]);
        assert_eq!(signs("3", "～", "5"), signs("3", "〜", "5"));
        assert_eq!(signs("IFN-γ", "; ", "IL"), 0);
        assert_eq!(signs("(αύριο", "); ", "Ναι"), signs("αύριο", "? ", "Ναι"));
    }

    #[test]
    fn a_sign_that_begins_a_line_carries_meaning_unless_it_is_a_bullet() {
        let signs = |gap: &str, behind: &str| between("word", gap, behind).signs;
        for pair in [["≥", "≤"], ["→", "←"], ["●", "○"], ["■", "□"], ["▲", "▼"], ["¬", "±"], ["•", "◦"]]
        {
            let [a, b] = pair.map(|sign| signs(&format!("\n{sign} "), "Word"));
            assert_ne!(a, b, "{pair:?}");
        }
        let minus = signs("\n- ", "500");
        assert_ne!(minus, 0);
        assert_eq!(["\n– ", "\n -\u{A0}"].map(|gap| signs(gap, "500")), [minus; 2]);
        assert_eq!(between("", "- ", "500").signs, minus);
        assert_eq!([signs("\n- ", "in"), signs(" - ", "500")], [0; 2]);
        assert_eq!([signs("\n~ ", "5"), signs(" ~ ", "5")], [signs(" ~", "5"); 2]);
        assert!(signs("\n(", "500") != 0 && signs("\n(", "500 EUR)") != 0);
        assert!(signs(" (", "EUR 500)") != 0 && signs(" (", "for 5 days)") == 0);
    }

    #[test]
    fn signs_behind_a_number_or_in_brackets_carry_meaning() {
        let signs = |before: &str, gap: &str, behind: &str| between(before, gap, behind).signs;
        for (before, gap, behind) in [("500", "-", ""), ("500", "- ", "and"), ("500", "-\n", "Next")] {
            assert_eq!(signs(before, gap, behind), signs("A", "- ", "or"), "{before}{gap}{behind}");
        }
        for (before, gap, behind) in [("50", "-", "metre"), ("50", "-\n", "metre"), ("word", "* ", "Word")] {
            assert_eq!(signs(before, gap, behind), 0, "{before}{gap}{behind}");
        }
        let stars = [("A", "* "), ("0.05", "** "), ("0.05", "*** ")].map(|(before, gap)| signs(before, gap, "or"));
        assert!(!stars.contains(&0) && stars[0] != stars[1] && stars[1] != stars[2]);
        for emphasised in ["*A", "**Total: 5"] {
            assert_eq!(signs(emphasised, "** ", "or"), 0, "{emphasised}");
        }
        let dashes = [("A", "– "), ("HIV", "\u{2011} "), ("A", "－ "), ("血型为A", "-，"), ("1e", "–")];
        for (before, gap) in dashes {
            assert_eq!(signs(before, gap, "5"), signs("A", "- ", "5"), "{before}{gap}");
        }
        assert_eq!(signs("A", "-\n\n", "Next"), signs("A", "- ", "Next"));
        assert_eq!(signs("eval +", "- ", "now"), signs("eval", " +- ", "now"));
        assert_eq!(signs("eval", " −", "+ now"), signs("eval", " -+ ", "now"));
        assert_eq!(signs("was", " –", "EUR 5"), signs("was", " -", "EUR 5"));
        let pairs = [" +- ", " -+ ", " +− ", " (-+) "].map(|gap| signs("word", gap, "word"));
        assert!(!pairs.contains(&0) && pairs[0] != pairs[1] && pairs[0] == pairs[2] && pairs[1] == pairs[3]);
        assert_eq!(signs("a", "｜｜", "b"), signs("a", "||", "b"));
        let blocks = ["▁▂▇", "▇▂▁", "█░"].map(|gap| signs("word", gap, "word"));
        assert!(!blocks.contains(&0) && blocks[0] != blocks[1]);
        assert!(signs("12", "@", "15") != 0 && signs("12", "@", "15") != signs("12", " # ", "15"));
        let marks = [" (+) ", " (-) ", "\n[*] ", " (!) "].map(|gap| signs("word", gap, "word"));
        assert!(!marks.contains(&0));
        assert_eq!([signs("word", "\n[ ] ", "word"), signs("word", " (.) ", "word")], [0; 2]);
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
        assert_eq!(between("die EU", "-\n", "und").signs, between("die EU", "- ", "und").signs);
        assert_eq!(between("die NATO", "-\n", "Staaten").signs, 0);
        for (before, gap) in
            [("a", " / "), ("", "/"), ("path", "/ "), ("A", "-"), ("A", "-\n"), ("A", "--"), ("Ab", "- ")]
        {
            assert_eq!(between(before, gap, "b").signs, 0, "{before}{gap:?}");
        }
    }
}
