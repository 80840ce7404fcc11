//! Words that do not count: quotations, bibliographies, program code, templates, common text, and the author's own name
//! and heading.
//!
//! Words left out stay in the text and in the report, but are in no share, and are no evidence ([`evidence`](super::evidence)):
//! what stands beside them must be a passage alone.

use std::ops::Range;

use super::Text;
use super::common::Noticed;
use super::evidence::Excluded;
use crate::align::{Key, Options, Passage, VERBATIM, align, joined};
use crate::text::code::code;

/// The words that do not count, apart from templates; by default all words count.
#[expect(clippy::struct_excessive_bools, reason = "each is a kind of text")]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exclude {
    /// Text between quotation marks.
    pub quotations: bool,
    /// Text from a heading such as *References* to an appendix, the next heading, prose, or the end.
    pub bibliography: bool,
    /// Program code.
    pub code: bool,
    /// Text that many documents share: [`super::CommonText`].
    pub common: bool,
}

/// The rules by which words of every text of a run are left out.
pub(super) struct Exclusions<'a> {
    asked: Exclude,
    templates: &'a [Text],
    noticed: Noticed,
}

impl<'a> Exclusions<'a> {
    pub(super) fn new(asked: Exclude, templates: &'a [Text], noticed: Noticed) -> Self {
        Self { asked, templates, noticed }
    }

    /// Marks the words of an archived text that many documents share, that do not count, and that are no evidence.
    pub(super) fn mark(&self, text: &mut Text) {
        text.note_common(self.noticed.runs(text));
        text.exclude(self.of(text));
    }

    /// The rule for common text, with the texts that it found.
    pub(super) fn noticed(self) -> Noticed {
        self.noticed
    }

    /// The words of a text that do not count, and those that are no evidence.
    pub(super) fn of(&self, text: &Text) -> Excluded {
        let mut own = text.name_and_heading();
        for template in self.templates {
            let key = if template.language == text.language { Key::Stem } else { Key::Form };
            // A question of a sheet is shorter than a passage.
            let options = Options { min_words: VERBATIM, ..Options::default() };
            let passages = align(&text.words, &template.words, key, options);
            own.extend(passages.iter().flat_map(of_template));
        }
        let mut asked = Vec::new();
        if self.asked.quotations {
            asked.extend(text.quoted());
        }
        if self.asked.bibliography {
            asked.extend(text.bibliography());
        }
        if self.asked.code {
            asked.extend_from_slice(text.code());
        }
        let with = |runs: &[Range<usize>]| joined([&own, runs].concat());
        let common = text.common();
        let left_out = joined([&own[..], &asked, if self.asked.common { common } else { &[] }].concat());
        let against = self.noticed.against(text).into_iter().map(|(source, runs)| (source, with(&runs))).collect();
        Excluded::new(&text.words, left_out, with(common), against, &joined(asked))
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
}

/// The words that a passage has from a template. What stands between two of these is the template's, edited, where it has
/// as many words between them itself; else it is the author's, such as an answer between two questions.
fn of_template(passage: &Passage) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let mut last = 0;
    for (a, b) in passage.matched.iter().map(|&(a, b)| (a as usize, b as usize)) {
        match runs.last_mut() {
            Some(run) if a - run.end < b.saturating_sub(last) => run.end = a + 1,
            _ => runs.push(a..a + 1),
        }
        last = b;
    }
    runs
}

/// The words of program code, as runs in order.
pub(super) fn words_of_code(text: &Text) -> Vec<Range<usize>> {
    let runs = code(&text.text[..text.compared]).into_iter().map(|span| words_in(text, span));
    joined(runs.collect())
}

/// The words that lie in a span of bytes.
pub(super) fn words_in(text: &Text, span: Range<usize>) -> Range<usize> {
    let words = text.words.as_slice();
    let from = words.partition_point(|word| (word.start as usize) < span.start);
    from..from + words[from..].partition_point(|word| (word.end as usize) <= span.end)
}

/// Maximum length of a line that may have been wrapped, in characters; the end of a longer one is that of its paragraph.
const LONGEST_WRAPPED: usize = 120;

/// Maximum length of a quotation, in bytes; a mark that is not closed within it opens none.
const LONGEST_QUOTATION: usize = 4000;

/// True if a text contains the end of a paragraph: a blank line, with any line ends.
pub(super) fn has_blank_line(text: &str) -> bool {
    let whole = text.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('\n')).map(|(lines, _)| lines);
    text.contains('\u{2029}') || whole.is_some_and(|lines| lines.split('\n').any(|line| line.trim().is_empty()))
}

/// Calls `span` with the spans, in bytes, of text between quotation marks, and of lines that begin with `>`, as
/// mail and Markdown quote. A quotation between marks ends with its paragraph. One that is not closed in it goes on if the
/// next begins with its mark again, as is usual in print, unless its mark may be a stray one ([`Open::surely`]).
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
    let mut open: Option<Open> = None;
    let (mut before, mut end) = (' ', 0);
    // Number of characters since the beginning of the line, and whether a paragraph has only blanks yet.
    let (mut in_line, mut at_paragraph) = (0, true);
    while let Some((c, length)) = sign(&text[end..]) {
        let (at, next) = (end, end + length);
        end = next;
        let after = text[next..].chars().next().unwrap_or(' ');
        let is_apostrophe = c == '\u{2019}'
            && (before.is_alphanumeric() && after.is_alphanumeric() || is_genitive(before, &text[next..], in_line));
        let is_blank = || text[next..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let is_long = open.as_ref().is_some_and(|open| at - open.starts[0] > LONGEST_QUOTATION);
        let ends_paragraph = c == '\u{2029}' || c == '\n' && (in_line > LONGEST_WRAPPED || is_blank());
        if is_long || ends_paragraph {
            let goes_on = |open: &Open| {
                ends_paragraph
                    && open.surely
                    && sign(text[next..].trim_start()).is_some_and(|(mark, _)| mark == open.mark)
            };
            match open.take() {
                Some(open) if goes_on(&open) => span(open.starts[0]..at),
                Some(open) => open.inside.into_iter().for_each(&mut *span),
                None => {}
            }
        }
        in_line = if c == '\n' { 0 } else { in_line + 1 };
        let begins_paragraph = at_paragraph;
        at_paragraph = ends_paragraph || at_paragraph && c.is_whitespace();
        // A mark that may close a quotation, too, opens one at the beginning of a paragraph and behind a colon.
        let is_sure = |closing: &[char]| {
            begins_paragraph || !closing.contains(&c) || text[..at].trim_end_matches([' ', '\u{a0}']).ends_with(':')
        };
        // Such as the first of `"` or `»` around a word; before a quotation, none was closed.
        let is_opening = is_before_quotation(before) && !after.is_whitespace();
        match &mut open {
            Some(open_mark) if open_mark.mark == c && open_mark.closing.contains(&c) && is_opening => {
                *open_mark = Open::new(c, open_mark.closing, next, is_sure(open_mark.closing));
            }
            // Inches, or a quotation in another.
            Some(open_mark) if open_mark.mark != c && c == '"' && (is_opening || before.is_ascii_digit()) => {}
            // Two backticks on both sides mark code.
            Some(open_mark) if open_mark.mark == BACKTICKS && c == BACKTICKS && !is_opening => open = None,
            Some(open_mark) if open_mark.closing.contains(&c) && !is_apostrophe => {
                let quoted = open_mark.starts.pop().map(|start| start..at);
                if open_mark.starts.is_empty() {
                    quoted.into_iter().for_each(&mut *span);
                    open = None;
                } else {
                    open_mark.inside.extend(quoted);
                }
            }
            Some(open_mark) if open_mark.mark == c => open_mark.starts.push(next),
            // Not an opening mark: an apostrophe, a sign for inches or seconds, a closing mark without its own.
            None if !(c == '\u{2018}' && before.is_alphanumeric()
                || c == '"' && before.is_ascii_digit()
                || matches!(c, '”' | BACKTICKS | COMMAS) && !is_before_quotation(before)
                || !is_before_quotation(before) && after.is_whitespace()) =>
            {
                open = closing(c).map(|closing| Open::new(c, closing, next, is_sure(closing)));
            }
            _ => {}
        }
        before = c;
    }
    open.into_iter().flat_map(|open| open.inside).for_each(span);
}

// Two signs that are typed for a quotation mark: two backticks, commas or apostrophes. No text has these characters.
const BACKTICKS: char = '\u{FDD0}';
const COMMAS: char = '\u{FDD1}';
const APOSTROPHES: char = '\u{FDD2}';

/// The first character of a text, or what stands for two that are a quotation mark, and its length in bytes.
fn sign(text: &str) -> Option<(char, usize)> {
    let first = text.chars().next()?;
    let mark = match first {
        '`' => Some(("``", BACKTICKS)),
        ',' => Some((",,", COMMAS)),
        '\'' => Some(("''", APOSTROPHES)),
        _ => None,
    };
    let mark = mark.filter(|(typed, _)| text.starts_with(typed));
    Some(mark.map_or((first, first.len_utf8()), |(typed, mark)| (mark, typed.len())))
}

/// A quotation that is open.
struct Open {
    mark: char,
    closing: &'static [char],
    /// True if its mark surely opens it, and is no stray one.
    surely: bool,
    /// Its start, then those of quotations in it that are open too, by the same mark.
    starts: Vec<usize>,
    /// Those that were closed in it. If it never is, they are all that is quoted.
    inside: Vec<Range<usize>>,
}

impl Open {
    fn new(mark: char, closing: &'static [char], start: usize, surely: bool) -> Self {
        Self { mark, closing, surely, starts: vec![start], inside: Vec::new() }
    }
}

/// True if a `’` between these, so many characters from the beginning of its line, ends no quotation, but is the genitive of a
/// plural, as in `their fathers’ time`: a word in lower case follows, and the paragraph has another `’` that does end one.
fn is_genitive(before: char, behind: &str, mut in_line: usize) -> bool {
    let may_be = |before: char, behind: &str| {
        let word = behind.trim_start_matches([' ', '\n', '\r']);
        before == 's' && word.len() < behind.len() && word.starts_with(char::is_lowercase)
    };
    if !may_be(before, behind) {
        return false;
    }
    let mut last = ' ';
    for (at, c) in behind.char_indices().take_while(|&(at, _)| at < LONGEST_QUOTATION) {
        let rest = &behind[at + c.len_utf8()..];
        in_line += 1;
        match c {
            '\u{2018}' => return false,
            // Not such as `’tis` and `don’t`.
            '\u{2019}' if !rest.starts_with(char::is_alphanumeric) && !may_be(last, rest) => return true,
            '\n' if in_line > LONGEST_WRAPPED || rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n') => {
                return false;
            }
            '\n' => in_line = 0,
            _ => last = c,
        }
    }
    false
}

/// True if a mark after this character may open a quotation: a blank, a bracket or a dash.
fn is_before_quotation(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | '[' | '{' | '–' | '—' | '-' | '/')
}

/// The marks that close a quotation opened by this one, in any language.
fn closing(mark: char) -> Option<&'static [char]> {
    Some(match mark {
        '"' => &['"'],
        BACKTICKS => &[APOSTROPHES],
        COMMAS => &[APOSTROPHES, '“', '”', '"'],
        // A mark that was not closed by its own kind.
        '“' => &['”', '"'],
        '”' => &['”', '“'],
        // Keyboards without the closing mark give the straight one.
        '„' => &['“', '”', '‟', '"'],
        '‘' => &['’'],
        '‚' => &['‘', '’'],
        '«' => &['»'],
        '»' => &['«', '»'],
        '‹' => &['›'],
        '›' => &['‹', '›'],
        '「' => &['」'],
        '『' => &['』'],
        '｢' => &['｣'],
        '〝' => &['〞', '〟'],
        '﹁' => &['﹂'],
        '﹃' => &['﹄'],
        '《' => &['》'],
        '＂' => &['＂'],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_words_of_a_template_is_its_own_if_it_is_longer_there() {
        let matched = vec![(2, 0), (3, 1), (5, 3), (6, 5), (9, 7), (20, 8), (21, 9)];
        assert_eq!(of_template(&Passage { matched, ..Passage::default() }), [2..7, 9..10, 20..22]);
    }

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
        assert_eq!(quoted("Sie rief: „Land in Sicht!\" und „Wo?\", fragte er."), ["Land in Sicht!", "Wo?"]);
        assert_eq!(quoted("Il dit : « l’eau monte »."), [" l’eau monte "]);
        assert_eq!(quoted("Hon sade ”ja” och ”nej”."), ["ja", "nej"]);
        assert_eq!(quoted("قال ”نعم“ ثم ”لا“."), ["نعم", "لا"]);
        assert_eq!(quoted("He said “hello\" and left. Then ”bye”."), ["hello", "bye"]);
        assert_eq!(quoted("He said “so \"be\" it”."), ["so \"be"]);
        assert_eq!(quoted("“a thing 5\" wide, and more”"), ["a thing 5\" wide, and more"]);
        assert_eq!(quoted("Call ``open_port`` first, and pass \"fast\" to it; '' and ``x`` too."), ["fast"]);
        assert_eq!(quoted("a mark” without its own, then “so be it”"), ["so be it"]);
        assert_eq!(quoted("彼は「海は広い」と言った。"), ["海は広い"]);
        assert_eq!(quoted("他说\"海很宽\"。"), ["海很宽"]);
        assert_eq!(
            quoted("Es heißt: „siehe „Land in Sicht“, Seite 3“ (Lee 2004)."),
            ["siehe „Land in Sicht“, Seite 3"]
        );
        assert_eq!(
            quoted("Es heißt: „siehe „Land in Sicht, Seite 3“ (Lee 2004).\n\nUnd „Wo?“"),
            ["Land in Sicht, Seite 3", "Wo?"]
        );
        assert_eq!(quoted("‘Don’t go,’ he said; the sailors’ boats stayed."), ["Don’t go,"]);
        assert_eq!(quoted("‘Their fathers’ time\nis over,’ he said."), ["Their fathers’ time\nis over,"]);
        assert_eq!(quoted("‘Ships’ and ‘boats’, the sailors’ own."), ["Ships", "boats"]);
        assert_eq!(quoted("Of ‘ships’ they spoke.\n\nThen he went,’ she said."), ["ships"]);
        assert_eq!(quoted("He said ``so be `it' now'' and ,,nein''."), ["so be `it' now", "nein"]);
    }

    #[test]
    fn paragraphs_of_a_quotation_begin_with_its_mark() {
        for (open, close) in [("\"", "\""), ("“", "”"), ("« ", " »"), ("``", "''"), (",,", "''")] {
            let text = format!("He wrote:\n\n{open}The sea rises.\n\n{open}It falls{close} (Lee 2004).\n\nAnd so on.");
            let quoted = quoted(&text);
            assert_eq!(
                quoted.iter().map(|span| span.trim()).collect::<Vec<_>>(),
                ["The sea rises.", "It falls"],
                "{text}"
            );
        }
        for (open, close) in
            [(": “", "”"), (" “", "”"), (" „", "“"), (" «", "»"), (" 「", "」"), (": \"", "\""), (": ``", "''")]
        {
            let mark = open.trim_start_matches([':', ' ']);
            let text = format!("He wrote{open}The sea rises.\n\n{mark}It falls.\n\n{mark}And so on{close} (Lee 2004).");
            assert_eq!(quoted(&text), ["The sea rises.", "It falls.", "And so on"], "{text}");
        }
        let stray = "A \"mark in a paragraph.\n\n\"Another\" one.";
        assert_eq!(quoted(stray), ["Another"]);
    }

    /// A paragraph of an office document is one line.
    #[test]
    fn a_long_line_is_a_paragraph() {
        let words = "many words of a copy ".repeat(12);
        assert_eq!(quoted(&format!("‘Ali {words}\n{words} the caliphs’ view")), [""; 0]);
        let georgian = "ზღვა დღეში ორჯერ ადის და მერე ისევ ჩადის ყველა ნაპირზე სადაც ნავები დგას";
        assert_eq!(quoted(&format!("„{georgian}\n{georgian}“")).len(), 1);
        assert_eq!(quoted("“two\nlines”"), ["two\nlines"]);
    }

    /// A quotation mark without a counterpart quotes nothing.
    #[test]
    fn a_stray_mark_quotes_nothing() {
        let copy = "many words of a copy. It is";
        for text in [
            format!("A thing\" that. {copy} \"good\"."),
            format!("A \"thing that. {copy} \"good\"."),
            format!("A “thing that. {copy} “good”."),
            format!("Ein „Ding, das. {copy} „good“."),
            format!("\"Thing that. {copy} \"good\"."),
            format!("Une chose» qui. {copy} «good»."),
        ] {
            assert_eq!(quoted(&text), ["good"], "{text}");
        }
        assert_eq!(quoted("Il dit : \" l’eau monte \" et part."), [" l’eau monte "]);
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
        assert!(quoted("'Twas in the '90s: the boys' boats, two,,three and 5' 6'' long, were Tom's.").is_empty());
    }
}
