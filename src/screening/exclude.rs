//! Words that do not count: quotations, bibliographies, program code, templates and common phrases.
//!
//! Words left out stay in the text and in the report, but are in no share. A passage with too few other words
//! is dropped.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::bibliography::bibliography;
use super::common::{CommonText, Noticed};
use super::{Settings, Text};
use crate::screen::{Key, Options, align, append_run, hash_of_run};
use crate::text::code::code;

/// The words that do not count, apart from templates; by default all words count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Exclude {
    /// Text between quotation marks.
    pub quotations: bool,
    /// All text from a heading such as *References* to an appendix, the next heading, or the end.
    pub bibliography: bool,
    /// Program code.
    pub code: bool,
    /// Text that many documents share.
    pub common: Option<Common>,
}

/// The text that is left out because many documents share it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Common {
    /// The common text that is noticed in any screening: [`super::CommonText`].
    Noticed,
    /// All runs of five words that stand in more than this share of all documents, from 0 to 1.
    Phrases(f64),
}

/// Length of a common phrase, in words.
const PHRASE: usize = 5;

/// Minimum number of documents with a common phrase, whatever their share.
const FEW: u32 = 3;

/// The rules by which words of every text of a run are left out.
pub(super) struct Leaving<'a> {
    asked: Exclude,
    templates: &'a [Text],
    phrases: Phrases,
    noticed: Noticed,
}

impl<'a> Leaving<'a> {
    /// Counts the phrases of all texts if common ones are to be left out; `every` must visit each text once.
    pub(super) fn new(
        settings: &Settings,
        templates: &'a [Text],
        noticed: Noticed,
        every: impl FnOnce(&mut dyn FnMut(&Text)),
    ) -> Self {
        let asked = settings.exclude;
        let phrases = match asked.common {
            Some(Common::Phrases(share)) => {
                let mut counting = Counting::default();
                every(&mut |text| counting.add(text));
                counting.finish(share)
            }
            _ => Phrases::default(),
        };
        Self { asked, templates, phrases, noticed }
    }

    /// The words of a text that many documents share, as runs in order.
    pub(super) fn common(&self, text: &Text) -> Vec<Range<usize>> {
        self.noticed.runs(text)
    }

    /// The common texts to list, and the number of documents that were read.
    pub(super) fn noticed(self) -> (Vec<CommonText>, usize) {
        (self.noticed.texts, self.noticed.documents)
    }

    /// The words of a text that do not count, as runs in order.
    pub(super) fn out(&self, text: &Text) -> Vec<Range<usize>> {
        let mut runs = self.phrases.runs(text);
        if self.asked.common == Some(Common::Noticed) {
            runs.extend_from_slice(text.common());
        }
        for template in self.templates {
            let key = if template.language == text.language { Key::Stem } else { Key::Form };
            let passages = align(&text.words, &template.words, key, Options::default());
            runs.extend(passages.into_iter().map(|passage| passage.a));
        }
        if self.asked.quotations {
            runs.extend(text.quoted());
        }
        if self.asked.bibliography {
            runs.push(text.bibliography());
        }
        if self.asked.code {
            runs.extend_from_slice(text.code());
        }
        joined(runs)
    }
}

impl Text {
    /// The words between quotation marks, as runs in order, left out or not.
    pub fn quoted(&self) -> Vec<Range<usize>> {
        let mut runs = Vec::new();
        quotations(&self.text[..self.compared], |span| {
            let run = words_in(self, span);
            if !run.is_empty() {
                runs.push(run);
            }
        });
        joined(runs)
    }

    /// The words of the bibliography at the end, left out or not.
    pub fn bibliography(&self) -> Range<usize> {
        bibliography(&self.text).map_or(0..0, |span| words_in(self, span))
    }
}

/// The words of program code, as runs in order.
pub(super) fn words_of_code(text: &Text) -> Vec<Range<usize>> {
    let runs = code(&text.text[..text.compared]).into_iter().map(|span| words_in(text, span));
    joined(runs.collect())
}

/// The words that lie in a span of bytes.
fn words_in(text: &Text, span: Range<usize>) -> Range<usize> {
    let words = text.words.as_slice();
    let from = words.partition_point(|word| (word.start as usize) < span.start);
    from..from + words[from..].partition_point(|word| (word.end as usize) <= span.end)
}

/// Sorts runs and joins those that touch or overlap.
fn joined(mut runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    runs.retain(|run| !run.is_empty());
    runs.sort_by_key(|run| run.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for run in runs {
        append_run(&mut joined, run);
    }
    joined
}

/// For each phrase the number of documents that contain it, and the last of these.
#[derive(Debug, Default)]
struct Counting {
    counts: HashMap<u64, (u32, u32)>,
    texts: u32,
}

impl Counting {
    fn add(&mut self, text: &Text) {
        self.texts += 1;
        for phrase in phrases(text) {
            let (count, last) = self.counts.entry(phrase).or_default();
            if *last != self.texts {
                (*count, *last) = (*count + 1, self.texts);
            }
        }
    }

    /// Returns the phrases in more than this share of all texts.
    fn finish(self, share: f64) -> Phrases {
        let most = (f64::from(self.texts) * share).max(f64::from(FEW - 1));
        let is_common = |&(_, (count, _)): &(u64, (u32, u32))| f64::from(count) > most;
        Phrases { phrases: self.counts.into_iter().filter(is_common).map(|(phrase, _)| phrase).collect() }
    }
}

/// Phrases that many documents contain.
#[derive(Debug, Default)]
struct Phrases {
    phrases: HashSet<u64>,
}

impl Phrases {
    fn runs(&self, text: &Text) -> Vec<Range<usize>> {
        if self.phrases.is_empty() {
            return Vec::new();
        }
        let phrases = phrases(text).zip(0..).filter(|(phrase, _)| self.phrases.contains(phrase));
        phrases.map(|(_, first)| first..first + PHRASE).collect()
    }
}

fn phrases(text: &Text) -> impl Iterator<Item = u64> {
    text.words.as_slice().windows(PHRASE).map(|words| hash_of_run(words.iter().map(|word| word.form)))
}

/// Maximum length of a quotation, in bytes; a mark that is not closed within it opens none.
const LONGEST_QUOTATION: usize = 4000;

/// True if a text contains the end of a paragraph: a blank line, with any line ends.
pub(super) fn has_blank_line(text: &str) -> bool {
    let whole = text.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('\n')).map(|(lines, _)| lines);
    text.contains('\u{2029}') || whole.is_some_and(|lines| lines.split('\n').any(|line| line.trim().is_empty()))
}

/// Calls `span` with the spans, in bytes, of text between quotation marks, and of lines that begin with `>`, as
/// mail and Markdown quote. A quotation between marks ends with its paragraph.
fn quotations(text: &str, mut span: impl FnMut(Range<usize>)) {
    let mut at = 0;
    between_marks(text, &mut span);
    for line in text.split_inclusive('\n') {
        if line.trim_start_matches([' ', '\t']).starts_with('>') {
            span(at..at + line.len());
        }
        at += line.len();
    }
}

/// Calls `span` with the spans of text between quotation marks.
fn between_marks(text: &str, span: &mut impl FnMut(Range<usize>)) {
    let mut open: Option<(&[char], usize)> = None;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map_or(' ', |&(_, c)| c);
        let is_apostrophe = c == '\u{2019}' && before.is_alphanumeric() && after.is_alphanumeric();
        let is_blank = || text[at + 1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if c == '\u{2029}' || open.is_some_and(|(_, start)| at - start > LONGEST_QUOTATION) {
            open = None;
        }
        match open {
            _ if c == '\n' && is_blank() => open = None,
            Some((closing, start)) if closing.contains(&c) && !is_apostrophe => {
                span(start..at);
                open = None;
            }
            // Not an opening mark: an apostrophe, a sign for inches or seconds, a closing mark without its own.
            None if !(c == '\u{2018}' && before.is_alphanumeric()
                || c == '"' && before.is_ascii_digit()
                || c == '”' && !is_before_quotation(before)) =>
            {
                open = closing(c).map(|closing| (closing, at + c.len_utf8()));
            }
            _ => {}
        }
        before = c;
    }
}

/// True if a mark after this character may open a quotation: a blank, a bracket or a dash.
fn is_before_quotation(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | '[' | '{' | '–' | '—' | '-' | '/')
}

/// The marks that close a quotation opened by this one, in any language.
fn closing(mark: char) -> Option<&'static [char]> {
    Some(match mark {
        '"' => &['"'],
        '“' => &['”'],
        '”' => &['”', '“'],
        '„' => &['“', '”', '‟'],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '‹' => &['›'],
        '›' => &['‹', '›'],
        '「' => &['」'],
        '『' => &['』'],
        '《' => &['》'],
        '＂' => &['＂'],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        let mut quoted = Vec::new();
        quotations(text, |span| quoted.push(&text[span]));
        quoted
    }

    #[test]
    fn a_mark_that_is_not_closed_ends_with_its_paragraph() {
        for between in ["\n\n", "\r\n\r\n", "\n \t\n", "\u{2029}"] {
            let text = format!("a 5\" pipe{between}many words of a copy{between}and \"a word\"");
            assert_eq!(quoted(&text), ["a word"], "{between:?}");
            assert!(has_blank_line(between), "{between:?}");
        }
        assert!(!has_blank_line("one\ntwo") && !has_blank_line("\r\n"));
        let long = format!("a 5\" pipe {} and \"a word\"", "word ".repeat(1000));
        assert_eq!(quoted(&long).len(), 1);
    }

    #[test]
    fn quotations_of_many_languages() {
        assert_eq!(quoted("He said \"so be it\" and \"no\"."), ["so be it", "no"]);
        assert_eq!(quoted("“It’s the sailors’ hour,” she said."), ["It’s the sailors’ hour,"]);
        assert_eq!(quoted("Sie rief: „Land in Sicht!“ – »Wo?« fragte er."), ["Land in Sicht!", "Wo?"]);
        assert_eq!(quoted("Il dit : « l’eau monte »."), [" l’eau monte "]);
        assert_eq!(quoted("Hon sade ”ja” och ”nej”."), ["ja", "nej"]);
        assert_eq!(quoted("قال ”نعم“ ثم ”لا“."), ["نعم", "لا"]);
        assert_eq!(quoted("a mark” without its own, then “so be it”"), ["so be it"]);
        assert_eq!(quoted("彼は「海は広い」と言った。"), ["海は広い"]);
        assert_eq!(quoted("他说\"海很宽\"。"), ["海很宽"]);
        assert_eq!(quoted("‘Don’t go,’ he said; the sailors’ boats stayed."), ["Don’t go,"]);
    }

    #[test]
    fn lines_of_mail_and_markdown_are_quoted() {
        assert_eq!(quoted("He wrote:\n> the sea\n > is wide\nI said: a > b"), ["> the sea\n", " > is wide\n"]);
    }

    #[test]
    fn a_mark_that_is_never_closed_quotes_nothing_beyond_its_paragraph() {
        assert_eq!(quoted("a board of 5\" width\n\nand a \"word\""), ["word"]);
        assert!(quoted("the boats’ keels, the sailor’s hat").is_empty());
        assert!(quoted("The pipe is 5\" wide, as they said. The other is 6\" wide.").is_empty());
    }

    #[test]
    fn runs_are_joined() {
        assert_eq!(joined(vec![5..9, 1..3, 3..4, 7..8, 20..20]), [1..4, 5..9]);
    }
}
