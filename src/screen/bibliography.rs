//! Where the bibliographies of a text begin and end.
//!
//! Cost: one look at each line, and at the names that may follow each of its first [`heading::LONGEST_HEADING`] words; up to [`LINES`] at
//! each line behind a heading.

mod heading;
mod headings;
mod reference;

use std::ops::Range;

use heading::{heading, is_appendix, level};
use reference::{MOST_WORDS, is_reference, is_sign};

use super::Text;
use super::exclude::words_in;
use crate::runs::joined;

/// Signs and numbers for each word of a list of references; prose has fewer. References in the documentation of four libraries
/// for Python have 1.1 in the middle and .6 at the lowest twentieth, essays and articles .12 to .25 in the middle, .4 with a
/// citation for each 14 words
/// (docs/measured/screening-rules.md).
const SIGNS_OF_A_WORD: f32 = 0.6;

/// The number of signs that prose behind a bibliography must lack for this to have ended: some 35 words of prose lack as many.
const LACKING: f32 = 16.0;

/// The same where the text or the section ends, so that no more prose can follow: some 18 words.
const LACKING_AT_END: f32 = 8.0;

/// Signs for each word of a line that looks like a reference ([`is_reference`]), if it has fewer: books without their place
/// and publisher, as in MLA 9, have .33 to .58.
const SIGNS_OF_A_REFERENCE: f32 = 1.0;

/// Maximum number of lines of a reference.
const LINES: usize = 4;

/// A bibliography that has begun.
struct Begun {
    start: usize,
    /// The level of its heading.
    level: usize,
    /// Signs beyond those of as many words, so far.
    balance: f32,
    /// The greatest balance, and the end of its line.
    best: (f32, usize),
    /// The starts of the last lines that may begin a reference, with the balance before each.
    lines: Vec<(usize, f32)>,
}

impl Begun {
    /// The number of signs that it lacks since its greatest balance.
    fn lacks(&self) -> f32 {
        self.best.0 - self.balance
    }

    /// The end of a bibliography whose section ends here.
    fn end(&self, section: usize) -> usize {
        if self.lacks() >= LACKING_AT_END { self.best.1 } else { section }
    }
}

impl Text {
    /// The spans of its bibliographies, in bytes, without their headings. Each ends at an appendix, the next heading of its
    /// level, or where prose begins.
    fn bibliographies(&self) -> Vec<Range<usize>> {
        let text = &*self.text;
        let (mut at, mut found, mut begun) = (0, Vec::new(), None::<Begun>);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let ends = |open: &mut Begun| is_appendix(line) || (1..=open.level).contains(&level(line));
            if let Some(open) = begun.take_if(ends) {
                found.push(open.start..open.end(start));
            }
            if let Some(open) = &mut begun {
                self.weigh(open, start..at);
                if open.lacks() >= LACKING {
                    found.push(open.start..open.best.1);
                    begun = None;
                }
            }
            if begun.is_none()
                && let Some(length) = heading(line)
            {
                let start = start + length;
                let mut open = Begun { start, level: level(line), balance: 0.0, best: (0.0, start), lines: Vec::new() };
                self.weigh(&mut open, start..at);
                begun = Some(open);
            }
        }
        found.extend(begun.filter(|open| open.best.0 > 0.0).map(|open| open.start..open.end(text.len())));
        found.retain(|span| !span.is_empty());
        found
    }

    /// Adds a line to the balance. The last lines of a paragraph, if they are a reference, have a sign for each word.
    fn weigh(&self, open: &mut Begun, span: Range<usize>) {
        let line = &self.text[span.clone()];
        if line.trim().is_empty() {
            open.lines.clear();
            return;
        }
        if open.lines.len() == LINES {
            open.lines.remove(0);
        }
        open.lines.push((span.start, open.balance));
        open.balance += signs(line) as f32 - SIGNS_OF_A_WORD * self.alphabetic_words(span.clone()) as f32;
        // A heading behind the last reference has no signs, and does not continue it.
        let first = if signs(line) == 0 { open.lines.len() - 1 } else { 0 };
        let reference = open.lines[first..].iter().find_map(|&(start, before)| {
            let words = self.alphabetic_words(start..span.end);
            (words <= MOST_WORDS && is_reference(&self.text[start..span.end])).then_some((before, words))
        });
        if let Some((before, words)) = reference {
            // The next line may continue it, or hold another: the words of all count once.
            open.balance = open.balance.max(before + (SIGNS_OF_A_REFERENCE - SIGNS_OF_A_WORD) * words as f32);
            // Prose may follow without an empty line.
            if is_complete(line) {
                open.lines.clear();
            }
        }
        if open.balance > open.best.0 {
            open.best = (open.balance, span.end);
        }
    }

    /// Number of words that begin with a letter.
    fn alphabetic_words(&self, span: Range<usize>) -> usize {
        let words = self.words.as_slice()[words_in(self, span)].iter();
        words.filter(|word| self.text[word.start as usize..].starts_with(char::is_alphabetic)).count()
    }

    /// The words of its bibliographies, left out or not, as runs in order.
    pub fn bibliography(&self) -> Vec<Range<usize>> {
        joined(self.bibliographies().into_iter().map(|span| words_in(self, span)).collect())
    }
}

/// True if a reference may end with this line: with a full stop, a bracket, a number or an address.
fn is_complete(line: &str) -> bool {
    let line = line.trim_end();
    line.ends_with(|c: char| matches!(c, '.' | ')' | ']' | '。' | '）' | '］' | '।' | '۔') || c.is_numeric())
        || line.rsplit(char::is_whitespace).next().is_some_and(|last| last.contains("://") || last.starts_with("www."))
}

/// Number of numbers, and of signs of punctuation but `?`, `!`, hyphens and apostrophes.
fn signs(line: &str) -> usize {
    let mut was_digit = false;
    let mut count = 0;
    for c in line.chars() {
        let is_digit = c.is_numeric();
        count += usize::from(is_digit && !was_digit || is_sign(c));
        was_digit = is_digit;
    }
    count
}

#[cfg(test)]
mod tests {
    use crate::screen::Preparer;

    fn found(text: String) -> Vec<String> {
        let text = Preparer::new(None).prepare("a".into(), None, text);
        text.bibliographies().into_iter().map(|span| text.text[span].to_owned()).collect()
    }

    #[test]
    fn a_bibliography_reaches_from_its_heading_to_the_end() {
        for heading in [
            "References",
            "VII. Works consulted",
            "7. Literaturverzeichnis:",
            "## Список литературы",
            "参考文献",
            "참고 문헌",
            "ΒΙΒΛΙΟΓΡΑΦΙΑ",
            "संदर्भ",
            "Zoznam literatúry",
            "সূত্র",
            "文献",
            "\\section{References}",
            "\\section*{References}",
        ] {
            for before in ["", &*"A long text. ".repeat(20)] {
                let text = format!("{before}\n{heading}\nSmith 1999");
                assert_eq!(found(text), ["Smith 1999"], "{heading}");
            }
        }
        for text in [
            "References\nare what this text is about, at length and in depth",
            "Two thirds and more of a text, then\nreferences are given\n",
        ] {
            assert_eq!(found(text.into()), [""; 0]);
        }
    }

    const ENTRIES: &str = "Smith, J. (1999). The tides of the north. Journal of the Sea, 12(3), 45–67.\n\
        Lee, A. & Berg, B. (2004). Harbours and what becomes of them. London: Quay Press.\n";

    const PROSE: &str = "Most of the harbours that were built in those years have become shallow since, because nobody \
        dredged them, and the few that are still in use serve the boats of those who spend their summers there and not the \
        trade for which they were once made, so that the towns behind them live from other things now";

    #[test]
    fn it_ends_where_prose_begins() {
        for heading in ["", "Conclusion\n", "5 Discussion\n\n", "Chapter 2: Of harbours\n"] {
            let text = format!("{PROSE}.\nReferences\n{ENTRIES}{heading}{PROSE}.\n{PROSE} (1999).");
            let [found] = &*found(text) else { panic!("one bibliography") };
            assert!(found.starts_with(ENTRIES) && found.len() <= ENTRIES.len() + heading.len(), "{found}");
        }
        let text = format!("{PROSE}.\nReferences\n{ENTRIES}Chapter two\n{PROSE}.\nReferences\n{ENTRIES}");
        assert_eq!(found(text), [ENTRIES, ENTRIES]);
        // What stands under such a heading may be no list of references.
        assert_eq!(found(format!("Sources\n{PROSE}.")), [""; 0]);
        let last = "In 1652 a Greek servant opened the first of these houses in London, and by 1663 there were more than \
            eighty of them, which the king tried to close.";
        assert_eq!(found(format!("References\n{ENTRIES}\n{last}")), [ENTRIES]);
        let chinese = "王小明, 李华. 基于深度学习的文本相似度检测方法研究[J]. 计算机学报, 2019, 42(3): 123-135.\n";
        let prose = "潮汐是海水在月球和太阳引力作用下发生的周期性运动，沿岸的人们很早就注意到这种现象并且用它来安排捕鱼和航行的时间。".repeat(3);
        assert_eq!(found(format!("{prose}\n参考文献\n{chinese}{chinese}结论\n{prose}")), [chinese.repeat(2)]);
    }

    #[test]
    fn a_reference_may_have_few_signs_and_several_lines() {
        let books = "Ellis, Markman. The Coffee House: A Cultural History. Weidenfeld and Nicolson, 2004.\n\
            Hattox, Ralph. Coffee and Coffeehouses: The Origins of a Social Beverage in the Medieval\n\
            Near East. University of Washington Press, 1985.\n";
        let french = "Lemps, A. H. de. (1999). Boissons et civilisations en Afrique et dans le monde du café. Presses\n\
            universitaires de Bordeaux.\n";
        let japanese = "臼井隆一郎『コーヒーが廻り世界史が廻る』中央公論社、1992年。\n";
        for (heading, list) in [("Works Cited", books), ("Bibliographie", french), ("参考文献一覧", japanese)] {
            for after in ["", &*format!("{PROSE}.\n")] {
                let found = found(format!("{PROSE}.\n\n{heading}\n\n{list}\n{after}"));
                assert_eq!(found.iter().map(|found| found.trim()).collect::<Vec<_>>(), [list.trim()], "{after}");
            }
        }
    }

    #[test]
    fn prose_may_follow_the_last_reference_at_once() {
        let wrapped = PROSE.replace("because ", "because\n").replace("boats of ", "boats of\n");
        let sentences = "Most harbours have become shallow since.\nNobody dredged them for many years.\nThe few that are \
            still in use serve the boats of those who spend their summers there.\nThe trade has gone elsewhere, and the \
            towns live from other things now.\n";
        let complete = ["", "Ek, O. (2011). Honey of the alpine farms. https://doi.org/10.1000/182\n"];
        for last in complete {
            for prose in [&*wrapped, sentences] {
                let list = format!("{ENTRIES}{last}");
                assert_eq!(found(format!("{PROSE}.\nReferences\n{list}{prose}")), [list], "{prose}");
            }
        }
    }

    #[test]
    fn a_heading_may_stand_on_the_line_of_its_entries() {
        let entries = ENTRIES.trim().replace('\n', " ");
        for heading in ["References", "## Works cited:", "Literaturverzeichnis"] {
            for after in ["", &*format!("\n\n{PROSE}.\n")] {
                let text = format!("{PROSE}.\n\n{heading} {entries}{after}");
                assert_eq!(found(text).iter().map(|found| found.trim()).collect::<Vec<_>>(), [&*entries], "{heading}");
            }
        }
        for prose in ["References Smith, Lee and Berg gave are to", "Sources Say, Paris:"] {
            assert_eq!(found(format!("{prose} {PROSE}.\n{PROSE}.")), [""; 0]);
        }
    }

    #[test]
    fn it_ends_with_an_appendix_or_the_next_heading() {
        let of = |after: &str| {
            let found = found(format!("{}\n## References\nSmith 1999\n{after}", "A long text. ".repeat(20)));
            found.into_iter().next()
        };
        for heading in ["Appendix", "APPENDIX A: Tables", "## 8 Anhang", "# Discussion", "Приложение 1", "附录"]
        {
            assert_eq!(of(&format!("{heading}\nmore text")).as_deref(), Some("Smith 1999\n"), "{heading}");
        }
        for entry in [
            "### Books",
            "Appendix to the history of the sea, in nine volumes, 1901",
            "#1 Jones 2001",
            "Annex to the treaty, 1994.",
        ] {
            assert_eq!(of(entry), Some(format!("Smith 1999\n{entry}")), "{entry}");
        }
    }
}
