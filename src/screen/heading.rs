//! The words by which a document says whose it is: its author's name, and the lines at its top that hold it.
//!
//! ```text
//!  Anna Berg                      ┐
//!  Seminar 4, 12 November 2026    ├ heading: short lines at the top, one of which has the name
//!  The tides of the North Sea     ┘
//!  Twice a day, along most coasts, the sea rises and then falls back again. …
//! ```
//!
//! Two essays on one assignment have such lines in common, and a whole copy differs in them only.
//!
//! Cost: one look at each word of a document whose author has a name of two words or more.

use std::ops::Range;

use super::Text;
use super::exclude::words_in;
use crate::runs::joined;
use crate::text::characters::is_apostrophe;
use crate::text::fold::folded;

/// Maximum number of lines of a heading, blank ones aside.
const LINES: usize = 10;

/// Maximum number of words of a line of a heading; a line of running text has more.
const SHORT: usize = 12;

impl Text {
    /// The author's name wherever it stands in full, and the heading that holds it, as runs in order.
    pub fn name_and_heading(&self) -> Vec<Range<usize>> {
        let Some(author) = &self.author else { return Vec::new() };
        let mut runs = names(self, author);
        let heading = heading(self);
        if runs.iter().any(|name| name.end <= heading.end) {
            runs.push(heading);
        }
        joined(runs)
    }
}

/// The places of a name in a text, its words in whatever order: `Berg, Anna`. A name of one word is none.
fn names(text: &Text, author: &str) -> Vec<Range<usize>> {
    // `O'Neil` is one word, however its apostrophe is written.
    let plain = |word: &str| folded(&word.to_lowercase()).replace(is_apostrophe, "");
    // A login behind the name tells people apart, and stands in no essay.
    let name = author.split_once(" (").map_or(author, |(name, _)| name);
    let parts = name.split(|c: char| !c.is_alphanumeric() && !is_apostrophe(c)).map(plain);
    let mut parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
    parts.sort_unstable();
    if parts.len() < 2 {
        return Vec::new();
    }
    let longest = 4 * parts.iter().map(String::len).max().unwrap_or(0);
    let word = |at: usize| {
        let word = &text.text[text.words.bytes(at..at + 1)];
        (word.len() <= longest).then(|| plain(word)).filter(|word| parts.contains(word))
    };
    let mut met: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for at in 0..text.words.len() {
        let Some(part) = word(at) else {
            met.clear();
            continue;
        };
        met.push(part);
        let Some(first) = met.len().checked_sub(parts.len()) else { continue };
        let mut last = met[first..].to_vec();
        last.sort_unstable();
        if last == parts {
            found.push(at + 1 - parts.len()..at + 1);
        }
    }
    found
}

/// True if a line begins with the rest of a sentence, and not with an address or the name of a file: these are written
/// small anywhere, such as `anna@uni.org`, `www.anna.org` or `essay.docx`.
fn runs_on(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    // Of abbreviations such as `e.g.` no part behind a stop has two letters.
    let is_address = first.contains('@') || first.split('.').skip(1).any(|part| part.chars().count() > 1);
    line.starts_with(char::is_lowercase) && !is_address
}

/// The short lines at the top of a text, up to the first that is long, ends a sentence or runs on in the next.
fn heading(text: &Text) -> Range<usize> {
    let (mut at, mut end, mut before) = (0, 0, 0);
    let lines = text.text[..text.compared].split_inclusive('\n').map(|line| {
        at += line.len();
        (line.trim(), at - line.len()..at)
    });
    for (line, span) in lines.filter(|(line, _)| !line.is_empty()).take(LINES) {
        if runs_on(line) {
            // It continues the line before, which is then no heading either.
            return 0..before;
        }
        let words = words_in(text, span);
        if words.len() > SHORT || line.ends_with(['.', '!', '?', '。', '！', '？', '؟', '।', '…']) {
            break;
        }
        (before, end) = (end, words.end.max(end));
    }
    0..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Preparer;

    fn left(author: &str, text: &str) -> Vec<String> {
        let text = Preparer::new(None).prepare("a".into(), Some(author.to_owned()), text.to_owned());
        text.name_and_heading().into_iter().map(|run| text.text[text.words.bytes(run)].to_owned()).collect()
    }

    #[test]
    fn a_heading_holds_the_name() {
        let body = "Twice a day, along most coasts, the sea rises and then falls back again, and nobody asks why.";
        let head = "Anna Berg\nSeminar 4, winter term\n\nThe tides";
        assert_eq!(left("Anna Berg", &format!("{head}\n\n{body}")), [head]);
        assert_eq!(left("Åsa Berg (aberg)", &format!("The tides\nBERG, ASA\n\n{body}")), ["The tides\nBERG, ASA"]);
        assert!(left("Cleo Lee", &format!("{head}\n\n{body}")).is_empty(), "another's name");
        assert!(left("aberg", &format!("aberg\n\n{body}")).is_empty(), "a login is no name");
        for address in ["anna@uni.org", "anna.berg@uni.org", "www.anna.org", "essay.docx", "https://anna.org/tides"] {
            let head = format!("Anna Berg\n{address}\nThe tides");
            assert_eq!(left("Anna Berg", &format!("{head}\n\n{body}")), [head]);
        }
    }

    #[test]
    fn running_text_is_no_heading() {
        let wrapped = "Anna Berg\nTwice a day, along most coasts, the sea\nrises and then falls back again.\n";
        assert_eq!(left("Anna Berg", wrapped), ["Anna Berg"]);
        let abbreviated = "Anna Berg\nThere are many reasons for them,\ne.g. the moon and the sun.\n";
        assert_eq!(left("Anna Berg", abbreviated), ["Anna Berg"]);
        assert_eq!(left("Anna Berg", "I am Anna Berg. The sea rises.\nIt falls."), ["Anna Berg"]);
        assert_eq!(left("Anna Berg", "The sea rises.\n\nAnna Berg"), ["Anna Berg"]);
        let poem = "The sea\n".repeat(30);
        assert_eq!(left("Anna Berg", &format!("Anna Berg\n{poem}"))[0].lines().count(), LINES);
    }

    #[test]
    fn a_name_is_found_whole_and_in_any_order() {
        let text = "We asked Maria Berg and Anna Lee, then Berg, Anna Maria; Anna Maria Berg said no. Anna Berg came.";
        assert_eq!(left("Anna Maria Berg", text), ["Berg, Anna Maria; Anna Maria Berg"]);
        for name in ["Gwen O'Neil", "Gwen O’Neil"] {
            assert_eq!(left(name, "We asked Gwen O’Neil. Then O'Neil, Gwen came."), ["Gwen O’Neil", "O'Neil, Gwen"]);
        }
    }
}
